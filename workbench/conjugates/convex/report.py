"""Derivations and rows of a table of pairs as plain data.

What is made here is text, numbers and dicts, so it travels from a worker process to a page or a terminal,
and into JSON. Importing this module loads no SymPy: its functions do, when they derive.
"""

import time
from collections.abc import Mapping

from workbench._support.errors import ExpressionError

# The typed form of the signs of a drawn domain.
PLAIN = {" ≤ ": " <= ", " ≥ ": " >= ", " = ": " == "}
CLAIM = ("name", "status", "detail")
MAX_FACES = 6
ROW = ("section", "name", "source", "status", "agrees", "printed", "derived", "claims", "seconds")
ERRATUM = ("source", "where", "printed", "corrected", "counterexample", "cause", "reason")


# --- one derivation


def derivation(text, domain=None, parameters=None, variable=None):
    """Return the conjugate of a formula, its derivation and its verification, as a dict of plain text.

    Parameters
    ----------
    text, domain, variable
        As `conjugate` reads them.
    parameters : dict or list of str, optional
        A dict as `conjugate` reads it, or texts as `declared` does.

    Returns
    -------
    dict
        "p", "q" and "domain" (of q) can be typed in again; "p_text", "q_text" and the "text" of each step
        are drawn in lines of characters, "p_latex", "q_latex" and "latex" are LaTeX. Where the formula
        depends on the region of the parameters, "cases" has these for each, with its "condition", and
        "domain" is empty where it is not the same for all. "conditions" is empty where the result holds for
        all declared values; else "excluded" says why it does not, region by region.
    """
    from workbench.conjugates.convex.conjugate import conjugate

    start = time.perf_counter()
    if parameters is not None and not isinstance(parameters, Mapping):
        parameters = declared(parameters)
    outcome = described(conjugate(text, domain, parameters, variable))
    return outcome | {"seconds": time.perf_counter() - start}


def proof(text, domain=None, parameters=None, variable=None):
    """Return the proof of a formula's conjugate as plain data, of the same arguments."""
    from workbench.conjugates.convex.conjugate import conjugate

    if parameters is not None and not isinstance(parameters, Mapping):
        parameters = declared(parameters)
    return conjugate(text, domain, parameters, variable).proof()


def described(pair):
    """Return the dict of `derivation` for a derived pair; "seconds" are those of the verification."""
    from sympy import latex

    from workbench.conjugates.convex.wording import typed, words

    start = time.perf_counter()
    verification = pair.verify()
    excluded = getattr(pair, "excluded", ())
    cases = [
        {"condition": typed(where), "condition_text": words(where), **_formulas(single)}
        for where, single in pair.cases
    ]
    return {
        **{name: _shared(cases, name) for name in ("domain", "p_domain")},
        "p": str(pair.p.expr),
        "q": str(pair.q.expr),
        "variable": str(pair.q.variable),
        "implicit": pair.q.implicit,
        "p_variable": str(pair.p.variable),
        "p_text": cases[0]["p_text"] if len(cases) == 1 else _Drawing(pair).primal(),
        "q_text": _by_case(cases, "q_text"),
        "p_latex": pair.p.latex if len(cases) == 1 else latex(pair.parsed.expr),
        "q_latex": pair.q.latex,
        "cases": cases,
        "conditions": typed(pair.conditions),
        "conditions_text": words(pair.conditions),
        "excluded": [
            {"condition": typed(where), "condition_text": words(where), "reason": str(error)}
            for where, error in excluded
        ],
        "steps": _steps(pair, excluded),
        "why": [face.step for face in pair.why()][:MAX_FACES],
        "status": verification.status,
        "claims": _claims(verification),
        "seconds": time.perf_counter() - start,
    }


def _formulas(pair):
    """Return p and q of one case."""
    drawing = _Drawing(pair)
    return {
        "p": str(pair.p.expr),
        "q": str(pair.q.expr),
        "domain": drawing.domain(pair.q, plain=True),
        "p_domain": drawing.domain(pair.p, plain=True),
        "p_text": drawing.function("p", pair.p),
        "q_text": drawing.function("q", pair.q),
        "p_latex": pair.p.latex,
        "q_latex": pair.q.latex,
    }


def _shared(cases, name):
    """Return the value that all cases share, else ""."""
    return cases[0][name] if len({case[name] for case in cases}) == 1 else ""


def _by_case(cases, name):
    """Return a function for a reader, case by case."""
    if len(cases) == 1:
        return cases[0][name]
    return "\n\n".join(f"for {case['condition_text']}:\n\n{case[name]}" for case in cases)


def _steps(pair, excluded):
    """Return the steps with their drawings, in the order of `pair.steps`."""
    from workbench.conjugates.convex.wording import words

    lines = []
    for where, single in pair.cases:
        lines += [words(where)] * (len(pair.cases) > 1) + _Drawing(single).steps()
    lines += [words(where) for where, _ in excluded]
    return [
        {"title": step.title, "latex": step.latex, "text": text, "reason": step.reason}
        for step, text in zip(pair.steps, lines, strict=True)
    ]


def declared(texts):
    """Parameters from texts: "p > 1" says its name itself, "epsilon: positive" names it before a colon."""
    from workbench.conjugates.convex.syntax.vocabulary import CONSTANTS, FUNCTION_NAMES, NAME, quote

    assumptions: dict[str, list[str]] = {}
    for text in texts:
        name, colon, assumption = text.partition(":")
        if not colon:
            names = [name for name in NAME.findall(text) if name not in {*FUNCTION_NAMES, *CONSTANTS}]
            if not names or text.strip() in names:
                fix = "write what it may be, as in 'p > 1' or 'p: positive'"
                raise ExpressionError(f"parameter {quote(text)}: {fix}")
            # In "a < b" beside "a > 0" it is b that is new.
            name, assumption = next((name for name in names if name not in assumptions), names[0]), text
        assumptions.setdefault(name.strip(), []).append(assumption.strip())
    return assumptions


def _claims(verification):
    return [{name: getattr(claim, name) for name in CLAIM} for claim in verification.claims]


class _Drawing:
    """Formulas in lines of characters, each beside the step that has it in LaTeX."""

    def __init__(self, pair):
        from sympy.printing.pretty.pretty import PrettyPrinter

        self.pair = pair
        self._printer = PrettyPrinter({"use_unicode": True, "wrap_line": False})

    def steps(self):
        """Return the drawings of the steps of `steps.derivation`, in order; the first leaves out p."""
        pair = self.pair
        u, v = pair.p.variable, pair.q.variable
        question = f"q({v}) = sup over {u} of  {u} {v} - p({u})"
        conjugated = self.function("q", pair.q)
        if pair.shape is None:
            return [question, conjugated]
        conjugate_pieces = [self._part(part) for part in pair.conjugate_pieces]
        return [question, *conjugate_pieces, self.domain(pair.q), conjugated]

    def _part(self, part):
        import sympy as sp

        u, v = self.pair.p.variable, self.pair.q.variable
        lines = []
        if part.piece_index is not None:
            expr, _, low, high = part.inverse
            lines.append(self._line(f"p'({u}) = ", sp.diff(expr, u), f" = {v}"))
            if part.implicit:
                return self._line(lines[0], *_condition(_between(u, low, high)))
            lines.append(self._line(f"{u} = ", part.root))
        inside = _condition(_between(v, part.low, part.high))
        lines.append(self._line(f"q({v}) = ", part.expr, *inside))
        return "\n\n".join(lines)

    def primal(self):
        """Return p as it was given, which no region changes."""
        return self._line(f"p({self.pair.p.variable}) = ", self.pair.parsed.expr)

    def function(self, name, function):
        """One function, "q(v) = ..." with its domain."""
        where = _condition(self._domain(function))
        return self._line(f"{name}({function.variable}) = ", function.expr, *where)

    def domain(self, function, plain=False):
        """Return the domain, drawn or, if plain, as the workbench reads it."""
        where = self._domain(function)
        if plain:
            return "".join(PLAIN.get(piece, str(piece)) for piece in where) or "real"
        return self._line(*where) if where else f"all {function.variable}"

    @staticmethod
    def _domain(function):
        """Pieces of "0 ≤ v < 1", none where the domain is the whole line."""
        v = function.variable
        if not function.parts:
            return v, " = ", function.knots[0].place
        ends = function.parts[0].low, function.parts[-1].high
        return _between(v, *ends, function.closed_below, function.closed_above)

    def _line(self, *pieces):
        from sympy.printing.pretty.pretty_symbology import pretty_use_unicode
        from sympy.printing.pretty.stringpict import stringPict

        before = pretty_use_unicode(True)
        try:
            forms = [piece if isinstance(piece, str) else self._printer._print(piece) for piece in pieces]
            text = stringPict(*stringPict.next(*forms)).render(wrap_line=False)
        finally:
            pretty_use_unicode(before)
        return "\n".join(line.rstrip() for line in text.split("\n"))


def _between(variable, low, high, closed_below=False, closed_above=False):
    """Pieces of "low < v < high", of "v > low" where the upper end is infinite."""
    if high.is_infinite:
        return () if low.is_infinite else (variable, " ≥ " if closed_below else " > ", low)
    below = () if low.is_infinite else (low, " ≤ " if closed_below else " < ")
    return (*below, variable, " ≤ " if closed_above else " < ", high)


def _condition(where):
    return ("   for ", *where) if where else ()


# --- rows of a table of pairs


def row(section, name, source, make):
    """One row, in the keys of `ROW`; make() gives the `Verification`, agrees, printed and derived LaTeX.

    An error becomes a claim that failed: the other rows of a table are still wanted.
    """
    start = time.perf_counter()
    try:
        verification, agrees, printed, derived = make()
        status, claims = verification.status, _claims(verification)
    except Exception as error:
        agrees, printed, derived, status = None, "", "", "failed"
        failure = ("derivation", status, f"{type(error).__name__}: {error}")
        claims = [dict(zip(CLAIM, failure, strict=True))]
    seconds = time.perf_counter() - start
    values = (section, name, source, status, agrees, printed, derived, claims, seconds)
    return dict(zip(ROW, values, strict=True))


def appendix_row(entry):
    """Return the row of an entry of Appendix E."""
    name = entry.title if entry.number == "rule" else f"{entry.number}. {entry.title}"
    return row(
        "appendix",
        name,
        "Zhang (2002), Appendix E",
        lambda: (entry.verification, entry.agrees, entry.printed, entry.derived),
    )


def catalogue_row(entry):
    """Return the row of an entry of the catalogue; whether the sources agree with it is not compared."""
    return row(
        "catalogue",
        f"{entry.name} ({entry.kind})",
        entry.source,
        lambda: (entry.verification, None, entry.printed, entry.derived),
    )


def errata_rows(entries=None):
    """Errata as dicts; all of them where none are given."""
    from workbench.conjugates.errata import errata

    entries = errata() if entries is None else entries
    return [{name: getattr(erratum, name) for name in ERRATUM} for erratum in entries]
