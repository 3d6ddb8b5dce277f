"""Cards of objects in a notebook: each function turns one object into HTML without a script."""

import numpy as np

from workbench._support.display import html, svg, words

# Rows of a table that a card shows.
MAX_ROWS = 12


def gauge(relative_gap):
    """Return the digits that a relative gap guarantees, as a bar of twelve."""
    digits = 0.0 if not 0.0 <= relative_gap < 1.0 else min(12.0, -np.log10(max(relative_gap, 1e-12)))
    text = f"{digits:.1f} digits of the optimum are certain"
    return html.Safe(
        f"<svg width='196' height='14' viewBox='0 0 196 14' role='img' aria-label='{text}'>"
        "<rect x='.5' y='.5' width='192' height='11' rx='3' fill='none' stroke='currentColor' opacity='.5'/>"
        f"<rect x='1' y='1' width='{16 * digits:.1f}' height='10' rx='2' fill='{svg.COLOURS[0]}'/></svg> "
        f"<span style='display:inline-block'>{text}</span>"
    )


def certified(text):
    """Return the guarantee of a relative gap and its proof status, as a sentence."""
    return html.paragraph(sentence(text))


def sentence(text):
    """Return a note as a sentence; a symbol such as λ keeps its case."""
    first = text[:1].upper() if text[:1].isascii() else text[:1]
    return f"{first}{text[1:]}{'' if text.endswith('.') else '.'}"


def gap_curve(columns):
    """Return the relative gap over the epochs."""
    line = svg.Line("relative gap", list(columns["epoch"]), list(columns["relative_gap"]), dots=True)
    return html.Safe(svg.chart([line], "Relative gap over the epochs", "epochs", "relative gap", y_log=True))


def problem(problem):
    """Return the card of data, loss, regularizer and lambda."""
    bias = {False: "none", True: "not regularized", "constant": "regularized"}[problem.bias]
    return html.card(
        "Problem",
        html.facts(
            [
                ("samples", f"{problem.n_samples:,}"),
                ("features", f"{problem.n_features:,}"),
                ("non-zeros", f"{problem.design.nnz:,}"),
                ("loss", repr(problem.loss)),
                ("regularizer", f"{problem.regularizer!r} {problem.regularizer.formula_text}".strip()),
                ("λ", problem.lam),
                ("bias", bias),
                *([("kernel", repr(problem.kernel))] if problem.kernel is not None else []),
            ]
        ),
    )


def solution(solution):
    """Return the certificate in words, and the way to it."""
    weights = (
        [] if solution.w is None else [("non-zeros", f"{np.count_nonzero(solution.w)} of {solution.w.size}")]
    )
    return html.card(
        f"Solution: {solution.status}",
        certified(words.of_solution(solution)),
        gauge(solution.relative_gap),
        html.facts(
            [
                ("primal", solution.primal),
                ("dual bound", solution.dual),
                ("gap", solution.gap),
                ("interval", words.interval(solution.interval)),
                *weights,
                *((name, solution.description[name]) for name in ("loss", "regularizer", "lam", "solver")),
                ("epochs", solution.epochs),
                ("seconds", f"{solution.seconds:.3g}"),
            ]
        ),
        gap_curve(solution.columns) if solution.columns else "",
    )


def run(run):
    """Return the card of a run's progress, with its curve."""
    facts = [("solver", repr(run.solver)), ("epochs", run.epochs), ("steps", run.steps)]
    if not run.rows:
        return html.card("Run: not certified yet", html.facts(facts))
    last, kernel = run.rows[-1], run.problem.kernel is not None
    promise = words.certified(last["relative_gap"], run.best.proof_status, kernel)
    columns = {name: [row[name] for row in run.rows] for name in ("epoch", "relative_gap")}
    return html.card(
        f"Run: {run.status or 'going on'}",
        certified(promise),
        gauge(last["relative_gap"]),
        html.facts([*facts, ("primal", last["primal"]), ("dual", last["dual"])]),
        gap_curve(columns),
    )


def certificate(certificate):
    """Return the card of a point's guarantees and of the samples with the largest shares of the gap."""
    terms = np.asarray(certificate.sample_terms)
    order = np.argsort(-terms, kind="stable")[: MAX_ROWS // 2]
    share = [(int(i), float(terms[i])) for i in order if terms[i] > 0.0]
    return html.card(
        "Certificate",
        certified(words.certified(certificate.relative_gap, certificate.proof_status, certificate.w is None)),
        gauge(certificate.relative_gap),
        html.facts(
            [
                ("primal", certificate.primal),
                ("dual bound", certificate.dual),
                ("gap", certificate.gap),
                ("interval", words.interval(certificate.interval, certificate.interval_reason)),
                ("of the regularizer", certificate.regularizer_term),
                *(("repaired", text) for text in certificate.repairs),
            ]
        ),
        html.table(["sample", "its share of the gap"], share) if share else "",
    )


def screening(screening):
    """Return the card of the weights that are zero at every optimum, and of the bounds nearest to 1."""
    order = np.argsort(np.abs(screening.bound - 1.0), kind="stable")[: MAX_ROWS // 2]
    rows = [(int(j), float(screening.bound[j]), str(screening.status[j])) for j in order]
    kind = "feature" if screening.groups is None else "group"
    return html.card(
        "Screening",
        html.paragraph(
            f"{screening.count('discarded')} of {screening.status.size} have weight zero at every optimum, "
            f"{screening.count('kept')} at none."
        ),
        html.facts([("radius of the ball", screening.radius), ("gap", screening.certificate.gap)]),
        html.table([kind, "most it may pull; below 1 it is zero", "status"], rows),
    )


def verification(verification):
    """Return the claims with their status."""
    rows = [(claim.name, claim.status, claim.detail) for claim in verification.claims]
    return html.card(f"Verification: {verification.status}", html.table(["claim", "status", "how"], rows))


def erratum(erratum):
    """Return the line as printed and as corrected, typeset where the notebook does so."""
    title = {"misprint": "Misprint", "transcription": "Slip in our transcription"}[erratum.cause]
    return html.card(
        f"{title}: {erratum.source}, {erratum.where}",
        html.facts(
            [
                ("printed", f"${erratum.printed}$"),
                ("corrected", f"${erratum.corrected}$"),
                ("counterexample", erratum.counterexample),
                ("why", erratum.reason),
            ]
        ),
    )


def dataset(dataset):
    """Sizes, and the first rows."""
    count = min(6, dataset.X.shape[1])
    first = dataset.X[:5]
    first = first.toarray() if hasattr(first, "toarray") else first
    rows = [(float(y), *map(float, row[:count])) for y, row in zip(dataset.y[:5], first, strict=True)]
    return html.card(
        dataset.name,
        html.paragraph(dataset.summary),
        html.table(["y", *dataset.feature_names[:count]], rows),
        html.paragraph(dataset.description),
    )


def path(solutions):
    """One row for each lambda, and the non-zero weights along it."""
    rows = [
        (
            solution.description["lam"],
            solution.status,
            solution.relative_gap,
            "" if solution.w is None else int(np.count_nonzero(solution.w)),
        )
        for solution in solutions
    ]
    ordered = sorted(row for row in rows if row[3] != "")
    line = svg.Line("weights", [row[0] for row in ordered], [row[3] for row in ordered], dots=True)
    chart = svg.chart([line], "Non-zero weights along λ", "λ", "non-zero weights", x_log=True)
    table = html.table(["λ", "status", "relative gap", "non-zero weights"], rows[: 2 * MAX_ROWS])
    return html.card(f"Path of {len(rows)} solutions", table, html.Safe(chart))


def table(table):
    """Return the card of a table: the columns, the target, the first rows."""
    names = [] if table.frame is None else list(table.frame)[: 2 * MAX_ROWS]
    kinds = zip(names, table.columns, strict=False)
    rows = [(name, kind, int(table.frame[name].isna().sum()) or "") for name, kind in kinds]
    notes = [html.paragraph(note) for note in table.notes]
    heads = ["column", "what it is", "empty cells"]
    return html.card(table.summary, *notes, html.table(heads, rows) if rows else "")


def model(model):
    """Return the card of a model: the held-out score, the guarantee, the choices, and the largest weights."""
    score = model.score
    quality = "How good it is was not measured: no rows were held out" if score is None else score.line
    weights = ""
    if model.solution.w is not None:
        frame = model.weights()
        size = frame.filter(like="standardized").abs().max(axis=1)
        frame = frame.loc[size.iloc[:-1].nlargest(MAX_ROWS).index]
        rows = [(name, *map(float, row)) for name, row in zip(frame.index, frame.to_numpy(), strict=True)]
        weights = html.table(["feature", *frame.columns], rows)
    return html.card(
        f"Model of {model.task.name}",
        html.paragraph(sentence(quality)),
        certified(words.of_solution(model.solution)),
        gauge(model.solution.relative_gap),
        *(html.paragraph(sentence(note)) for note in model.notes),
        weights,
    )


def pair(pair, verified):
    """Return p and q with their domains, and how the pair was proved, as LaTeX."""
    symbol, dual = (str(function.variable) for function in (pair.p, pair.q))
    return (
        r"$\displaystyle \begin{aligned} "
        rf"p({symbol}) &= {pair.p.latex} \\[4pt] q({dual}) &= {pair.q.latex} \\[4pt] "
        rf"&\text{{{verified.status}}} \end{{aligned}}$"
    )
