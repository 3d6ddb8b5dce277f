"""What the page of conjugates says beside its figures, in HTML, served and in a file."""

import html
import re

from workbench.conjugates.errata.entry import CAUSES
from workbench.pages import formulas
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


def explained(outcome, says, curves, computed="that the server computed"):
    """The pair in formulas, the row of the table that it stands for, and what is wrong there.

    Parameters
    ----------
    outcome : dict
        From `derivations.sketches.pair`.
    says : str
        What the page says of the pair.
    curves : dict
        As `formulas.lit` takes them.
    computed : str
        Who computed what is drawn from values.
    """
    values = f"drawn from values {computed}" if conjugates.tabled(outcome) else "computed numerically"
    refused = "".join(
        f"<p>{name} is {values}: {html.escape(reason)}.</p>" for name, reason in outcome["refused"].items()
    )
    text = f"<div class='wb-note'><p>{html.escape(says)}</p>{refused}{_conditions(outcome)}</div>"
    text += _latex(f"p({outcome['p_variable']}) = {outcome['p_latex']}", curves)
    for case in outcome["cases"]:
        if len(outcome["cases"]) > 1:
            text += f"<div class='wb-note'>For <b>{html.escape(case['condition_text'])}</b>:</div>"
        text += _latex(f"q({outcome['variable']}) = {case['q_latex']}", curves)
    row = outcome["row"]
    if row is not None:
        place = f"Appendix E, {html.escape(row['name'])}"
        text += f"<div class='wb-source'>{place}: {_agreement(row)}</div>{_latex(row['printed'], curves)}"
    for erratum in outcome["errata"]:
        reason = erratum["reason"][:1].upper() + erratum["reason"][1:]
        text += (
            f"<div class='wb-note'><b>{CAUSES[erratum['cause']]}</b>: {html.escape(erratum['where'])}</div>"
            f"{_latex(erratum['corrected'], curves)}"
            f"<div class='wb-note'>{html.escape(erratum['counterexample'])} {html.escape(reason)}.</div>"
        )
    return text


def steps(outcome, curves):
    """The derivation, and why its result holds."""
    return "".join(
        f"<div class='x-step'><div class='wb-note'><b>{count}. {html.escape(step['title'])}</b><br>"
        f"{html.escape(step['reason'])}</div>{_latex(step['latex'], curves)}</div>"
        for count, step in enumerate([*outcome["steps"], *outcome["why"]], 1)
    )


def _conditions(outcome):
    """For which parameters there is a conjugate, and why for no others; empty where for all."""
    if not outcome["conditions"]:
        return ""
    regions = "".join(
        f"<li>For {html.escape(region['condition_text'])}, {html.escape(region['reason'])}.</li>"
        for region in outcome["excluded"]
    )
    only = html.escape(outcome["conditions_text"])
    return f"<p>The conjugate exists for <b>{only}</b> only.</p><ul>{regions}</ul>"


def _agreement(row):
    """Whether the printed right side has the values of the derived one."""
    if row["agrees"] is None:
        return ""
    if row["agrees"]:
        return "<span class='wb-badge'>derived as printed</span>"
    if row["cause"] == "transcription":
        return "<span class='wb-badge'>our transcription of the formula is wrong</span>"
    return "<span class='wb-badge clip'>the printed formula is wrong</span>"


def lines(latex):
    """The lines of a formula, of which several may stand in one text; a condition in brackets stays whole."""
    latex = CONDITION.sub(r" \\quad {\1}", latex)
    return [line.strip() for line in latex.replace(r"; \quad", r" \\ ").split(r" \\ ")]


def _latex(text, curves):
    return "".join(formulas.formula(formulas.lit(line, curves)) for line in lines(text))
