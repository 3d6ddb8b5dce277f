"""A questionnaire before the course and after it, and what its answers say.

    python questionnaire.py sheet                  the questions, to print or to put into a form
    python questionnaire.py example answers.csv    a file of made-up answers, to see what a report looks like
    python questionnaire.py report answers.csv     shares of right answers and ratings, before and after

The file has a row for each sheet: `code`, which a student makes up and uses both times, `when` (before or
after), and a column for each question: a letter for k1 to k8, a number from 1 to 5 for r1 to r5. An
empty cell is a question left out. Only those who answered both times are compared; how many did not is said.
"""

import sys

import numpy as np
import pandas as pd

# What is asked, its choices, and the letter of the right one.
KNOWLEDGE = {
    "k1": (
        "The conjugate of u²/2 is",
        ("v²/2", "2v²", "v"),
        "a",
    ),
    "k2": (
        "You know weights with P = 0.31 and that the minimum is at least 0.30. Their excess over it is",
        ("at least 0.01", "at most 0.01", "unknown"),
        "b",
    ),
    "k3": (
        "In a linear model with the hinge loss a sample with margin 2 has the dual variable",
        ("1", "2", "0"),
        "c",
    ),
    "k4": (
        "Where the subgradients of the loss are bounded,",
        ("dual variables are bounded", "weights are sparse", "the dual is not convex"),
        "a",
    ),
    "k5": (
        "A penalty |w| in place of w²/2 makes weights",
        ("larger", "exactly zero, some of them", "negative"),
        "b",
    ),
    "k6": (
        "A bias without a penalty adds to the dual",
        ("a variable", "nothing", "a linear constraint"),
        "c",
    ),
    "k7": (
        "Two solvers stop at gaps of 0.1 and 0.001. The second one's accuracy on new data is",
        ("not known from that", "higher", "100 times as good"),
        "a",
    ),
    "k8": (
        "For a convex problem, strong duality",
        ("always holds", "holds under a condition such as Slater's", "holds for linear programs alone"),
        "b",
    ),
}
# To agree with, from 1 (not at all) to 5 (fully).
RATINGS = {
    "r1": "I can derive a conjugate with its domain.",
    "r2": "I can say how far given weights are from the optimum, whoever computed them.",
    "r3": "I can write a solver from its formulas.",
    "r4": "I know where to begin when my solver does not converge.",
    "r5": "I would use a certificate in my own work.",
}
BEFORE, AFTER = "before", "after"
# Intervals are of the bootstrap over students, with this seed.
SEED, DRAWS = 2002, 2000


class Refused(Exception):
    """What is wrong with a file, as a sentence."""


def sheet():
    """The questions as text."""
    lines = ["Your code (the same both times; not your name): ____    before / after", ""]
    for name, (asked, choices, _) in KNOWLEDGE.items():
        listed = "  ".join(f"({letter}) {each}" for letter, each in zip("abc", choices, strict=True))
        lines += [f"{name}. {asked}:", f"    {listed}"]
    lines += ["", "From 1 (not at all) to 5 (fully):"]
    lines += [f"{name}. {said}  1 2 3 4 5" for name, said in RATINGS.items()]
    return "\n".join(lines)


def example(students=40, seed=SEED):
    """A table of made-up answers: nobody gave them, and nothing follows from them."""
    rng, rows = np.random.default_rng(seed), []
    for student in range(students):
        # One in ten does not come back.
        for when in (BEFORE, AFTER)[: 1 + (rng.random() > 0.1)]:
            known = rng.random(len(KNOWLEDGE)) < (0.4 if when == BEFORE else 0.7)
            letters = [
                "abc"["abc".index(key) - (not sure)]
                for (*_, key), sure in zip(KNOWLEDGE.values(), known, strict=True)
            ]
            rated = rng.integers(1, 5, len(RATINGS)) + (when == AFTER)
            rows.append([f"made-up-{student:02d}", when, *letters, *rated])
    return pd.DataFrame(rows, columns=["code", "when", *KNOWLEDGE, *RATINGS])


def read(file):
    """The table of a file, with its faults named.

    Raises
    ------
    Refused
    """
    table = pd.read_csv(file, dtype=str).apply(lambda column: column.str.strip())
    missing = [name for name in ("code", "when", *KNOWLEDGE, *RATINGS) if name not in table]
    if missing:
        raise Refused(f"{file}: the columns {', '.join(missing)} are missing")
    allowed = dict.fromkeys(KNOWLEDGE, "abc") | dict.fromkeys(RATINGS, "12345")
    for name, values in allowed.items():
        table[name] = table[name].str.lower()
        _need(file, table, name, table[name].isin(list(values)) | table[name].isna(), values)
    _need(file, table, "when", table["when"].isin([BEFORE, AFTER]), [BEFORE, AFTER])
    _need(file, table, "code", table["code"].notna(), ["a code"])
    twice = table.duplicated(["code", "when"])
    if twice.any():
        row = table[twice].iloc[0]
        raise Refused(f"{file}: {row['code']} has two rows for '{row['when']}'; keep one")
    return table


def _need(file, table, name, good, values):
    if not good.all():
        place = int(np.argmin(good))
        found = table[name].iloc[place]
        raise Refused(f"{file}, line {place + 2}: {name} is {found!r}; it must be {', '.join(values)}")


def compared(table):
    """A row for each question: those who answered it both times, means before and after, the change.

    Of k1 to k8 a mean is the share of right answers; `low` and `high` bound the mean change, with
    95 % confidence.
    """
    scored = table.set_index(["code", "when"])
    scored = pd.concat(
        [
            (scored[name] == key).astype(float).where(scored[name].notna())
            for name, (*_, key) in KNOWLEDGE.items()
        ]
        + [scored[name].astype(float) for name in RATINGS],
        axis=1,
    )
    rng, rows = np.random.default_rng(SEED), {}
    for name in scored:
        both = scored[name].unstack("when").reindex(columns=[BEFORE, AFTER]).dropna()
        change = (both[AFTER] - both[BEFORE]).to_numpy()
        bounds = (np.nan, np.nan)
        if len(change) > 1:
            bounds = np.quantile(rng.choice(change, (DRAWS, len(change))).mean(1), [0.025, 0.975])
        means = both[[BEFORE, AFTER]].mean()
        rows[name] = [len(both), *means, means[AFTER] - means[BEFORE], *bounds]
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["both", BEFORE, AFTER, "change", "low", "high"]
    )


def report(file):
    """What the file says, as text."""
    table = read(file)
    times = table.groupby("code")["when"].nunique()
    head = f"{len(times)} students, {int((times == 2).sum())} of them both times."
    if table["code"].str.startswith("made-up-").any():
        head += " The file has made-up answers: nothing follows from them."
    return (
        f"{head}\nk1 to k8: shares of right answers; r1 to r5: means from 1 to 5.\n\n"
        f"{compared(table).round(2).to_string()}\n\n"
        "A change is no effect of the course alone: there is no group without it, the questions are the same "
        "both times, and those who left are not in it."
    )


def main(arguments):
    match arguments:
        case ["sheet"]:
            print(sheet())
        case ["example", file]:
            example().to_csv(file, index=False, mode="x")
        case ["report", file]:
            print(report(file))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Refused, OSError, ValueError) as error:
        sys.exit(str(error))
