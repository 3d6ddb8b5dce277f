"""What the page of conjugates says beside its figures, in HTML; formulas go through KaTeX elsewhere."""

import html
import re

from workbench.misprints.entry import CAUSES
from workbench.pages.conjugates import model as conjugates

# Within braces, where no line ends.
CONDITION = re.compile(r" \\; (\([^()]*\\leq[^()]*\))")
STATUS = {"proved": "", "checked": "", "failed": " clip"}


def badges(claims):
    """A badge for every claim of a verification, with its argument."""
    rows = "" if claims else "<p>Drawn from values of p; nothing here is derived or proved.</p>"
    for claim in claims:
        look = STATUS.get(claim["status"], " clip")
        kind = html.escape(claim["status"])
        rows += f"<p><span class='wb-badge{look}'>{kind}</span> "
        rows += f"<b>{html.escape(claim['name'])}</b>: {html.escape(claim['detail'])}</p>"
    return f"<div class='wb-note'>{rows}</div>"


def conditions(outcome):
    """For which parameters there is a conjugate, and why for no others; empty where for all."""
    if not outcome["conditions"]:
        return ""
    regions = "".join(
        f"<li>For {html.escape(region['condition_text'])}, {html.escape(region['reason'])}.</li>"
        for region in outcome["excluded"]
    )
    only = html.escape(outcome["conditions_text"])
    return f"<p>The conjugate exists for <b>{only}</b> only.</p><ul>{regions}</ul>"


def cases(outcome):
    """(heading, LaTeX of q) of each region of the parameters; one case needs no heading."""
    formulas = [f"q({outcome['variable']}) = {case['q_latex']}" for case in outcome["cases"]]
    if len(formulas) == 1:
        return [("", formulas[0])]
    headings = [f"For <b>{html.escape(case['condition_text'])}</b>:" for case in outcome["cases"]]
    return list(zip(headings, formulas, strict=True))


def printed(row):
    """Where the row of a table is printed."""
    return f"Appendix E, {html.escape(row['name'])}"


def agreement(row):
    """Whether the printed right side has the values of the derived one."""
    if row is None or row["agrees"] is None:
        return ""
    if row["agrees"]:
        return "<span class='wb-badge'>derived as printed</span>"
    if row["cause"] == "transcription":
        return "<span class='wb-badge'>our transcription of the formula is wrong</span>"
    return "<span class='wb-badge clip'>the printed formula is wrong</span>"


def erratum_heading(erratum):
    """Whose mistake it is, and where."""
    heading = CAUSES[erratum["cause"]]
    return f"<div class='wb-note'><b>{heading}</b>: {html.escape(erratum['where'])}</div>"


def erratum_note(erratum):
    """The counterexample, and what went wrong."""
    reason = erratum["reason"][:1].upper() + erratum["reason"][1:]
    return f"<div class='wb-note'>{html.escape(erratum['counterexample'])} {html.escape(reason)}.</div>"


def refused(outcome, computed="that the server computed"):
    """How the curves without a formula are drawn, and why."""
    sentences = outcome["refused"]
    values = f"drawn from values {computed}" if conjugates.tabled(outcome) else "computed numerically"
    return "".join(
        f"<p>{name} is {values}: {html.escape(reason)}.</p>" for name, reason in sentences.items()
    )


def lines(latex):
    """The lines of a formula, of which several may stand in one text; a condition in brackets stays whole."""
    latex = CONDITION.sub(r" \\quad {\1}", latex)
    return [line.strip() for line in latex.replace(r"; \quad", r" \\ ").split(r" \\ ")]
