"""The table of every pair that the workbench states, with what was proved of it; kept in a file.

Making it takes SymPy half a minute, so two processes share the work and the table is kept under a digest
of what it follows from. Reading it again, like importing this module, loads no SymPy.
"""

import datetime
import time

from workbench._support.errors import DerivationTimeout
from workbench.conjugates.convex import report
from workbench.conjugates.convex.worker import Deriver
from workbench.conjugates.derivations import outcomes

PROCESSES = 2
OF_THE_SUM = "as a function of the sum"
LIMIT = 60.0  # seconds of processor time for one row, which takes at most ten


def table(fresh=False, progress=None):
    """Return the pairs and the errata as plain data, from the file if there is one.

    Parameters
    ----------
    fresh : bool
        Compute even so.
    progress : callable, optional
        Called with the rows that are done and the number of all, after each.

    Returns
    -------
    dict
        "pairs" in the keys of `report.ROW`, "errata" in those of `report.ERRATUM`, "date", "cached" and
        "seconds", which this call took.
    """
    start = time.perf_counter()
    key = outcomes.key("pairs")
    result = None if fresh else outcomes.read_outcome(key)
    cached = result is not None
    if result is None:
        date = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        result = {"pairs": pairs(progress), "errata": report.errata_rows(), "date": date}
        if not failed(result):
            # A failure may be that of a machine too busy or too small, so it is tried again.
            outcomes.write(key, result)
    return {**result, "cached": cached, "seconds": time.perf_counter() - start}


def failed(result):
    """Return the rows of a table that failed."""
    return [row for row in result["pairs"] if row["status"] == "failed"]


# --- the rows


def _entries(section):
    """Return the entries of a section: objects with a name and a source."""
    if section == "appendix":
        from workbench.conjugates.convex.appendix_e import appendix_e

        return appendix_e()
    if section == "catalogue":
        from workbench.conjugates.convex.catalogue import catalogue

        return catalogue()
    from workbench.conjugates import terms

    return {"losses": terms.LOSSES, "regularizers": terms.REGULARIZERS}[section]


SECTIONS = ("appendix", "losses", "regularizers", "catalogue")


def row(section, index):
    """One row of the table; the road by which it is derived depends on the section."""
    entry = _entries(section)[index]
    if section == "appendix":
        return report.appendix_row(entry)
    if section == "catalogue":
        return report.catalogue_row(entry)
    make = _loss if section == "losses" else _regularizer
    return report.row(section, entry.name, entry.source, lambda: make(entry))


def _loss(term):
    from workbench.conjugates.terms.derived import derive_loss

    pair = derive_loss(term).pair
    return pair.verify(), None, "", rf"q(v) = {pair.q.latex}"


def _regularizer(term):
    """Return the pair of one coordinate, or of vectors if the coordinates are coupled, and h as printed."""
    import sympy as sp

    from workbench.conjugates.convex.rules import joined
    from workbench.conjugates.terms.derived import coordinate_conjugate, derive_regularizer
    from workbench.conjugates.terms.regularizers import DIVISOR, POWER, SCALE, TOTAL

    derivation = derive_regularizer(term)
    # A run moves the scale and keeps h; this is h where it has not moved.
    outer, inner = (form.subs({SCALE: 0, DIVISOR: 1}) for form in (derivation.outer, derivation.inner))
    if term.structure == "norm":
        verification = _of_norm(term, outer, inner)
    else:
        verification = coordinate_conjugate(term)[0].verify()
        if term.structure == "simplex":
            verification = joined(verification, *_of_simplex(outer))
    names = {POWER: "p'", TOTAL: "A"}
    left, right = (sp.latex(form, symbol_names=names) for form in (outer, inner))
    return verification, None, "", rf"h(v) = {left}, \quad S = \sum_j c_j \left. {right} \right|_{{v = v_j}}"


def _of_norm(term, outer, inner):
    """|w|_q^power / power, and that h(v) with S = |v|_p^p is its conjugate."""
    import sympy as sp

    from workbench.conjugates.convex import rules, vector
    from workbench.conjugates.convex.conjugate import conjugate
    from workbench.conjugates.terms.regularizers import POWER, Q, S, V

    radial = conjugate("t**r/r", "t >= 0", {"r": "r > 1"})
    verification = vector.of_norm(radial, "lq", term.name).verify()
    size, p = sp.Symbol("N", positive=True), Q / (Q - 1)
    r = radial.setting.parameters["r"].symbol
    expected = radial.q.parts[-1].expr.subs({radial.q.variable: size, r: POWER})
    power = sp.powdenest(inner.subs(V, size) - size**p, force=True)
    claims = (
        rules.identity("sum", power, "S = |v|_p^p"),
        rules.identity(OF_THE_SUM, outer.subs(S, size**p) - expected, "h is the radial conjugate at |v|_p"),
    )
    return rules.joined(verification, *claims)


def _of_simplex(outer):
    import sympy as sp

    from workbench.conjugates.convex import rules, vector
    from workbench.conjugates.terms.regularizers import TOTAL, S

    claim = rules.identity(OF_THE_SUM, outer - TOTAL * sp.log(S), "h = A ln S, with c = mu/A")
    return vector.normalized_entropy().verify(), claim


def pairs(progress=None):
    """All rows, computed by `PROCESSES` processes."""
    jobs = [(section, index) for section in SECTIONS for index in range(len(_entries(section)))]
    with Deriver(places=PROCESSES) as deriver:
        futures = [deriver.submit(row, *job, timeout=LIMIT) for job in jobs]
        rows = []
        for job, future in zip(jobs, futures, strict=True):
            rows.append(_outcome(job, future))
            if progress is not None:
                progress(len(rows), len(jobs))
        return rows


def _outcome(job, future):
    """Return the row of a job, or one that failed where its process came to an end."""
    try:
        return future.result()
    except DerivationTimeout as error:
        stopped = error
    entry = _entries(job[0])[job[1]]
    name = getattr(entry, "name", None) or entry.title

    def end():
        raise stopped

    return report.row(job[0], name, getattr(entry, "source", ""), end)
