"""The sentence under each figure of the Dual lab, with its present numbers."""


def elapsed(row):
    """How far a run has come, in steps within its first epoch and in epochs later."""
    return f"{row['step']:,} steps" if row["epoch"] < 1.0 else f"{row['epoch']:.4g} epochs"


def captions(frame):
    """The sentence of each figure."""
    row, duals, other = frame["row"], frame["duals"], frame["other"]
    weights = f"{row['nonzeros']:,} of {frame['d']:,} weights are not zero"
    support = (
        f"{row['support']:,} of {frame['n']:,} samples carry the solution: "
        f"{duals['bound']:,} at their bound, {duals['free']:,} free"
    )
    sentences = {
        "gap": f"A: {row['gap']:.2e} after {elapsed(row)}.",
        "objective": f"The optimum lies between {row['dual']:.6g} and {row['primal']:.6g}; the shaded "
        "height is the gap.",
        "weights": f"{weights}; the {len(frame['weights']['name'])} largest are drawn.",
        "duals": f"{support}.",
        "terms": _terms(frame["terms"], row["gap"]),
    }
    if other is not None:
        second = other["row"]
        sentences["gap"] += f" B: {second['gap']:.2e} after {elapsed(second)}."
        sentences["weights"] = f"{weights} with A, {second['nonzeros']:,} with B (dashes)."
        sentences["duals"] = f"{support}. B: {second['support']:,}."
    if frame["saddle"] is not None:
        sentences["saddle"] = _saddle(frame["saddle"])
    return sentences


def _terms(terms, gap):
    if not len(terms["share"]):
        return "No sample contributes to the gap." if gap < 1.0 else "The gap is infinite here."
    worst = terms["share"][0]
    half = f"{terms['half']:,} samples hold" if terms["half"] > 1 else "it alone holds"
    rest = f"; the regularizer's own term is {terms['rest']:.1e}" if terms["rest"] > 0.0 else ""
    return (
        f"Sample {terms['sample'][0]:,} holds {100.0 * worst / gap:.2g} % of the gap; "
        f"{half} half of it{rest}."
    )


def _saddle(picture):
    return (
        f"Upward along α there is {picture['up']:.2e} to gain, this sample's share of the gap; "
        f"downward along w {picture['down']:.1e}. Both vanish where the lines cross."
    )
