"""What the Dual lab says with its present numbers: one table of sentences, which the browser reads too."""

from workbench.pages.wording import Wording

# A term of the gap below this share of it is not worth a word, and often rounding alone.
NEGLIGIBLE = 1e-6
WORDING = Wording("dual_lab")
TEXTS, said = WORDING.texts, WORDING.said


def elapsed(row):
    """How far a run has come, in steps within its first epoch and in epochs later."""
    return said("steps" if row["epoch"] < 1.0 else "epochs", **row)


def captions(frame):
    """The sentence of each figure."""
    row, duals, other = frame["row"], frame["duals"], frame["other"]
    nonzeros = said("nonzeros", nonzeros=row["nonzeros"], d=frame["d"])
    mark = "The gap is " if other is None else "A: "
    sentences = {
        "gap": said("gap", mark=mark, gap=row["gap"], elapsed=elapsed(row)),
        "objective": said("objective", **row),
        "weights": said("drawn", nonzeros=nonzeros, drawn=len(frame["weights"]["name"])),
        "duals": said(
            "support", support=row["support"], n=frame["n"], bound=duals["bound"], free=duals["free"]
        ),
        "terms": _terms(frame["terms"], row["gap"]),
    }
    if other is not None:
        second = other["row"]
        sentences["gap"] += " " + said("gap", mark="B: ", gap=second["gap"], elapsed=elapsed(second))
        sentences["weights"] = said("both", nonzeros=nonzeros, other=second["nonzeros"])
        sentences["duals"] += said("second", **second)
    if frame["saddle"] is not None:
        sentences["saddle"] = said("saddle", up=frame["saddle"]["up"], down=frame["saddle"]["down"])
    return sentences


def _terms(terms, gap):
    if not len(terms["share"]):
        return said("no_terms" if gap < 1.0 else "infinite")
    half = said("many", half=terms["half"]) if terms["half"] > 1 else said("one")
    rest = said("rest", rest=terms["rest"]) if terms["rest"] > NEGLIGIBLE * gap else ""
    share = 100.0 * terms["share"][0] / gap
    return said("terms", sample=terms["sample"][0], share=share, half=half, rest=rest)
