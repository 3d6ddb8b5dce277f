"""Random piecewise functions with one parameter, and their conjugates in exact rational arithmetic.

    python tests/long/random_families.py             10^4 functions, with a summary
    python tests/long/random_families.py 500         500 of them

A function is a sum of affine, quadratic and absolute values, hinges and maxima of lines, whose numbers are
small rationals or lines in a. For a rational a it is quadratic between rational kinks, so its text,
evaluated in fractions, tells exactly whether it is convex and what its supremum is.
"""

import argparse
import collections
import itertools
import math
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

TOLERANCE = 1e-9
PORTION = 100  # functions with one seed
SLOPES = tuple(Fraction(k, 4) for k in (-400, -40, -13, -8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8, 11, 40, 400))
DECLARED = {
    "a > 0": lambda a: a > 0,
    "a >= 0": lambda a: a >= 0,
    "real": lambda a: True,
    "-2 <= a and a <= 3": lambda a: -2 <= a <= 3,
    "a < 4": lambda a: a < 4,
}
VALUES = (
    *(Fraction(k, 4) for k in (0, 1, 2, 4, 6, 8, 12, 16, 20, 28, 40)),
    Fraction(1, 1024),
    Fraction(1000),
)


class Random(NamedTuple):
    """A function of u by its text, what is declared of a, and texts in a of all places where it may bend."""

    p: str
    declared: str
    kinks: tuple[str, ...]

    def values(self):
        """The declared ones of a fixed list."""
        return [a for x in VALUES for a in {x, -x} if DECLARED[self.declared](a)]

    def __call__(self, u, a):
        return eval(exact(self.p), {"max": max, "abs": abs, "F": Fraction, "u": u, "a": a})

    def places(self, a):
        """The kinks in order."""
        places = set()
        for text in self.kinks:
            try:
                places.add(Fraction(eval(exact(text), {"F": Fraction, "a": a})))
            except ZeroDivisionError:  # parallel lines do not meet
                continue
        return sorted(places)

    def pieces(self, a):
        """(low, high, A, B, C) of A u^2 + B u + C, from left to right; None for an infinite end."""
        places = self.places(a)
        ends = [None, *places, None]
        pieces = []
        for low, high in itertools.pairwise(ends):
            if low is None or high is None:
                middle = 0 if low is high else low + 2 if high is None else high - 2
                step = Fraction(1)
            else:
                middle, step = (low + high) / 2, (high - low) / 4
            left, centre, right = (self(Fraction(middle) + k * step, a) for k in (-1, 0, 1))
            A = (left - 2 * centre + right) / (2 * step**2)
            B = (right - left) / (2 * step) - 2 * A * middle
            pieces.append((low, high, A, B, centre - A * middle**2 - B * middle))
        return pieces


def exact(text):
    """The text with fractions for its integers before they are divided."""
    return text.replace("/", "/F(1)/")


def convex(pieces):
    """Return True if a continuous function of such pieces is convex."""
    if any(A < 0 for _, _, A, _, _ in pieces):
        return False
    return all(
        2 * first[2] * first[1] + first[3] <= 2 * second[2] * first[1] + second[3]
        for first, second in itertools.pairwise(pieces)
    )


def supremum(pieces, v):
    """The supremum of u v - p(u), for a convex p."""
    best = -math.inf
    for low, high, A, B, C in pieces:
        slope = v - B
        if A == 0 and ((slope > 0 and high is None) or (slope < 0 and low is None)):
            return math.inf
        places = [place for place in (low, high) if place is not None]
        if A > 0:
            vertex = slope / (2 * A)
            places += [vertex] * ((low is None or low <= vertex) and (high is None or vertex <= high))
        if not places:  # a line at its own slope
            places = [Fraction(0)]
        best = max(best, *(u * slope - A * u**2 - C for u in places))
    return best


# --- the strategy

NUMBERS = ("1", "2", "3", "1/2", "3/2", "4")
PLACES = ("0", "1", "-1", "2", "4", "a", "-a", "2*a", "(a + 1)", "(3 - a)", "a/2")
COEFFICIENTS = (*NUMBERS, *NUMBERS, "a", "(5 - a)", "(2 - a)", "(1 + a)")
LINE_SLOPES = ("0", "1", "-1", "2", "-2", "3", "1/2", "a", "-a")


@st.composite
def terms(draw):
    """(text, kinks) of one term."""
    kind = draw(
        st.sampled_from(("abs", "hinge", "squared hinge", "square", "line", "lines", "lines", "tent"))
    )
    c, r = draw(st.sampled_from(COEFFICIENTS)), draw(st.sampled_from(PLACES))
    if kind == "abs":
        return f"{c}*abs(u - ({r}))", [r]
    if kind in ("hinge", "squared hinge"):
        inner = draw(st.sampled_from((f"u - ({r})", f"({r}) - u")))
        return f"{c}*max(0, {inner})" + "**2" * (kind == "squared hinge"), [r]
    if kind == "square":
        return f"{c}*(u - ({r}))**2", []
    if kind == "line":
        return f"{c}*u", []
    count = draw(st.integers(2, 3))
    slopes = draw(st.lists(st.sampled_from(LINE_SLOPES), min_size=count, max_size=count, unique=True))
    lines = [(slope, draw(st.sampled_from(PLACES))) for slope in slopes]
    if kind == "tent":
        lines = lines[: count - 1]
        sides = [("1", f"-({r})"), ("-1", f"({r})")]
        texts = [f"abs(u - ({r}))", *(f"({s})*u - ({t})" for s, t in lines)]
        kinks = [r, *_crossings([*((s, f"-({t})") for s, t in lines), *sides])]
        return f"max({', '.join(texts)})", kinks
    texts = [f"({s})*u - ({t})" for s, t in lines]
    return f"max({', '.join(texts)})", _crossings([(s, f"-({t})") for s, t in lines])


def _crossings(lines):
    """Return the places where lines (slope, constant) meet in pairs."""
    return [
        f"(({d}) - ({b}))/(({a}) - ({c}))" for (a, b), (c, d) in itertools.combinations(lines, 2) if a != c
    ]


@st.composite
def randoms(draw):
    """A function in which a occurs."""
    chosen = draw(
        st.lists(terms(), min_size=1, max_size=3).filter(lambda many: any("a" in _bare(t) for t, _ in many))
    )
    text = " + ".join(text for text, _ in chosen)
    kinks = tuple(dict.fromkeys(kink for _, kinks in chosen for kink in kinks))
    return Random(text, draw(st.sampled_from(sorted(DECLARED))), kinks)


def _bare(text):
    return text.replace("max", "").replace("abs", "")


# --- the verdict


def judged(function):
    """("right" | "refuted" | "undecided" | "wrong", detail) of one function."""
    import workbench

    values = function.values()
    pieces = {a: function.pieces(a) for a in values}
    bent = [a for a in values if not convex(pieces[a])]
    try:
        pair = workbench.conjugate(function.p, parameters={"a": function.declared}, variable="u")
    except workbench.ConvexityError as error:
        # Where no listed value is bent another may be, so the values of the sentence are not judged here.
        return ("refuted" if bent else "undecided"), f"ConvexityError: {error}"
    except workbench.InputError as error:
        return "undecided", f"{type(error).__name__}: {error}"
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {error}"
    return compared(pair, pieces, bent)


def compared(pair, pieces, bent):
    """The verdict on an answer, value by value."""
    import workbench

    refused = []
    for a, parts in pieces.items():
        spots = {
            *SLOPES,
            *(
                2 * A * place + B
                for low, high, A, B, _ in parts
                for place in (low, high)
                if place is not None
            ),
        }
        spots = sorted(v for v in spots if Fraction(float(v)) == v)
        try:
            got = np.asarray(pair.q(np.array([float(v) for v in spots]), a=float(a)))
        except workbench.InputError as error:
            refused += [] if a in bent else [f"a = {a}: {error}"]
            continue
        except Exception as error:
            return "wrong", f"a = {a}: {type(error).__name__}: {error}"
        if a in bent:
            return "wrong", f"answered at a = {a}, where p is not convex"
        for v, value in zip(spots, got.tolist(), strict=True):
            want = float(supremum(parts, v))
            if value != want and not abs(value - want) <= TOLERANCE * max(1.0, abs(want)):
                return "wrong", f"q({v}) = {value!r}, not {want!r}, at a = {a}"
    return ("undecided", "; ".join(refused)) if refused else ("right", str(pair.q.expr))


def run(count, start=17):
    """(a count of each outcome, sentences on those that are wrong) over `count` random functions."""
    outcomes, wrong, done = collections.Counter(), [], set()

    @seed(start)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(randoms())
    def test(function):
        if function in done:
            return
        done.add(function)
        outcome, detail = judged(function)
        outcomes[outcome] += 1
        if outcome == "wrong":
            wrong.append(f"{function.p} with {function.declared}: {detail}")

    test()
    return outcomes, wrong


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Conjugates of random functions with a parameter.")
    parser.add_argument("count", nargs="?", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    portions = [min(PORTION, options.count - done) for done in range(0, options.count, PORTION)]
    outcomes = collections.Counter()
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.workers, mp_context=fresh) as pool:
        for counts, wrong in pool.map(run, portions, range(len(portions))):
            outcomes += counts
            for sentence in wrong:
                print(f"wrong: {sentence}", flush=True)
    print(f"{outcomes.total()} functions in {time.perf_counter() - start:.0f} s: {dict(outcomes)}")
    return 1 if outcomes["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
