"""What objects show in a notebook: each function takes one object and gives HTML that needs no script."""

import numpy as np

from workbench.faces import html, svg, words

# Rows of a table that a card shows.
MAX_ROWS = 12


def gauge(relative_gap):
    """The digits that a relative gap guarantees, as a bar of twelve."""
    digits = 0.0 if not 0.0 <= relative_gap < 1.0 else min(12.0, -np.log10(max(relative_gap, 1e-12)))
    shown = f"{digits:.1f} digits of the optimum are certain"
    return html.Safe(
        f"<svg width='196' height='14' viewBox='0 0 196 14' role='img' aria-label='{shown}'>"
        "<rect x='.5' y='.5' width='192' height='11' rx='3' fill='none' stroke='currentColor' opacity='.5'/>"
        f"<rect x='1' y='1' width='{16 * digits:.1f}' height='10' rx='2' fill='{svg.COLOURS[0]}'/></svg> "
        f"<span style='display:inline-block'>{shown}</span>"
    )


def certified(text):
    """What a relative gap promises and what that rests on, as a sentence."""
    return html.paragraph(sentence(text))


def sentence(text):
    """A note as a sentence; a symbol such as λ is no word with a capital."""
    first = text[:1].upper() if text[:1].isascii() else text[:1]
    return f"{first}{text[1:]}{'' if text.endswith('.') else '.'}"


def gap_curve(columns):
    """The relative gap over the epochs."""
    line = svg.Line("relative gap", list(columns["epoch"]), list(columns["relative_gap"]), dots=True)
    return html.Safe(svg.chart([line], "Relative gap over the epochs", "epochs", "relative gap", y_log=True))


def problem(given):
    """Data, loss, regularizer and lambda."""
    bias = {False: "none", True: "not regularized", "constant": "regularized"}[given.bias]
    return html.card(
        "Problem",
        html.facts(
            [
                ("samples", f"{given.n_samples:,}"),
                ("features", f"{given.n_features:,}"),
                ("non-zeros", f"{given.design.nnz:,}"),
                ("loss", repr(given.loss)),
                ("regularizer", f"{given.regularizer!r} {given.regularizer.formula_text}".strip()),
                ("λ", given.lam),
                ("bias", bias),
                *([("kernel", repr(given.kernel))] if given.kernel is not None else []),
            ]
        ),
    )


def solution(given):
    """The certificate in words, and the way to it."""
    weights = [] if given.w is None else [("non-zeros", f"{np.count_nonzero(given.w)} of {given.w.size}")]
    return html.card(
        f"Solution: {given.status}",
        certified(words.of_solution(given)),
        gauge(given.relative_gap),
        html.facts(
            [
                ("primal", given.primal),
                ("dual bound", given.dual),
                ("gap", given.gap),
                ("interval", words.interval(given.interval)),
                *weights,
                *((name, given.description[name]) for name in ("loss", "regularizer", "lam", "solver")),
                ("epochs", given.epochs),
                ("seconds", f"{given.seconds:.3g}"),
            ]
        ),
        gap_curve(given.columns) if given.columns else "",
    )


def run(given):
    """How far a run is, with its curve."""
    facts = [("solver", repr(given.solver)), ("epochs", given.epochs), ("steps", given.steps)]
    if not given.rows:
        return html.card("Run: not certified yet", html.facts(facts))
    last, kernel = given.rows[-1], given.problem.kernel is not None
    promise = words.certified(last["relative_gap"], given.best.rests_on, kernel)
    columns = {name: [row[name] for row in given.rows] for name in ("epoch", "relative_gap")}
    return html.card(
        f"Run: {given.status or 'going on'}",
        certified(promise),
        gauge(last["relative_gap"]),
        html.facts([*facts, ("primal", last["primal"]), ("dual", last["dual"])]),
        gap_curve(columns),
    )


def certificate(given):
    """What is certain of a point, and which samples hold the gap open."""
    terms = np.asarray(given.sample_terms)
    order = np.argsort(-terms, kind="stable")[: MAX_ROWS // 2]
    share = [(int(i), float(terms[i])) for i in order if terms[i] > 0.0]
    return html.card(
        "Certificate",
        certified(words.certified(given.relative_gap, given.rests_on, given.w is None)),
        gauge(given.relative_gap),
        html.facts(
            [
                ("primal", given.primal),
                ("dual bound", given.dual),
                ("gap", given.gap),
                ("interval", words.interval(given.interval, given.interval_reason)),
                ("of the regularizer", given.regularizer_term),
                *(("repaired", text) for text in given.repairs),
            ]
        ),
        html.table(["sample", "its share of the gap"], share) if share else "",
    )


def screening(given):
    """How many features or groups are zero at every optimum, and the bounds nearest to the border."""
    order = np.argsort(np.abs(given.bound - 1.0), kind="stable")[: MAX_ROWS // 2]
    rows = [(int(j), float(given.bound[j]), str(given.status[j])) for j in order]
    kind = "feature" if given.groups is None else "group"
    return html.card(
        "Screening",
        html.paragraph(
            f"{given.count('discarded')} of {given.status.size} have weight zero at every optimum, "
            f"{given.count('kept')} at none."
        ),
        html.facts([("radius of the ball", given.radius), ("gap", given.certificate.gap)]),
        html.table([kind, "most it may pull; below 1 it is zero", "status"], rows),
    )


def verification(given):
    """The claims with their status."""
    rows = [(claim.name, claim.status, claim.detail) for claim in given.claims]
    return html.card(f"Verification: {given.status}", html.table(["claim", "status", "how"], rows))


def erratum(given):
    """The line as printed and as corrected, typeset where the notebook does so."""
    title = {"misprint": "Misprint", "transcription": "Slip in our transcription"}[given.cause]
    return html.card(
        f"{title}: {given.source}, {given.where}",
        html.facts(
            [
                ("printed", f"${given.printed}$"),
                ("corrected", f"${given.corrected}$"),
                ("counterexample", given.counterexample),
                ("why", given.reason),
            ]
        ),
    )


def dataset(given):
    """Sizes, and the first rows."""
    count = min(6, given.X.shape[1])
    first = given.X[:5]
    first = first.toarray() if hasattr(first, "toarray") else first
    rows = [(float(y), *map(float, row[:count])) for y, row in zip(given.y[:5], first, strict=True)]
    return html.card(
        given.name,
        html.paragraph(given.summary),
        html.table(["y", *given.feature_names[:count]], rows),
        html.paragraph(given.description),
    )


def path(solutions):
    """One row for each lambda, and the non-zero weights along it."""
    rows = [
        (
            each.description["lam"],
            each.status,
            each.relative_gap,
            "" if each.w is None else int(np.count_nonzero(each.w)),
        )
        for each in solutions
    ]
    ordered = sorted(row for row in rows if row[3] != "")
    line = svg.Line("weights", [row[0] for row in ordered], [row[3] for row in ordered], dots=True)
    drawn = svg.chart([line], "Non-zero weights along λ", "λ", "non-zero weights", x_log=True)
    table = html.table(["λ", "status", "relative gap", "non-zero weights"], rows[: 2 * MAX_ROWS])
    return html.card(f"Path of {len(rows)} solutions", table, html.Safe(drawn))


def race(rows):
    """Seconds of everyone, task by task."""
    names = list(dict.fromkeys(name for row in rows for name in row.seconds))
    cells = [(row.task, row.mark, *(row.seconds.get(name, "") for name in names)) for row in rows]
    return html.card("Race, in seconds", html.table(["task", "mark", *names], cells))


def table(given):
    """What was read: the columns, the target, the first rows."""
    rows = [(column.name, column.kind, column.missing or "") for column in given.columns[: 2 * MAX_ROWS]]
    notes = [html.paragraph(note) for note in given.notes]
    heads = ["column", "what it is", "empty cells"]
    return html.card(given.summary, *notes, html.table(heads, rows) if rows else "")


def model(given):
    """What was chosen, what is certain, and the largest weights."""
    weights = ""
    if given.solution.w is not None:
        found = given.weights()
        size = found.filter(like="standardized").abs().max(axis=1)
        found = found.loc[size.iloc[:-1].nlargest(MAX_ROWS).index]
        rows = [(name, *map(float, row)) for name, row in zip(found.index, found.to_numpy(), strict=True)]
        weights = html.table(["feature", *found.columns], rows)
    return html.card(
        f"Model of {given.task.name}",
        certified(words.of_solution(given.solution)),
        gauge(given.solution.relative_gap),
        *(html.paragraph(sentence(note)) for note in given.notes),
        weights,
    )


def pair(given, verified):
    """p and q with their domains, and how the pair was proved, as LaTeX."""
    symbol, dual = (str(function.variable) for function in (given.p, given.q))
    return (
        r"$\displaystyle \begin{aligned} "
        rf"p({symbol}) &= {given.p.latex} \\[4pt] q({dual}) &= {given.q.latex} \\[4pt] "
        rf"&\text{{{verified.status}}} \end{{aligned}}$"
    )
