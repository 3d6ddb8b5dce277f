"""Texts of the page of conjugates beside its figures, in HTML."""

import html
import re

from workbench.conjugates.errata.entry import CAUSES
from workbench.pages import formulas
from workbench.pages.conjugates import model as conjugates

# Within braces, where no line ends.
CONDITION = re.compile(r" \\; (\([^()]*\\leq[^()]*\))")
STATUS = {"proved": "", "checked": "", "failed": " clip"}


def curves_of(outcome):
    """Return the symbols of the formulas with the names of their curves."""
    return {f"p({outcome['p_variable']})": "p", f"q({outcome['variable']})": "q"}


def latex(outcome):
    """Return the lines of p, and for each case of the parameters those of q."""
    curves = curves_of(outcome)

    def lit(text):
        return [formulas.lit(line, curves) for line in lines(text)]

    return {
        "p": lit(f"p({outcome['p_variable']}) = {outcome['p_latex']}"),
        "q": [lit(_conjugate(outcome, case)) for case in outcome["cases"]],
    }


def _conjugate(outcome, case):
    return f"q({outcome['variable']}) = {case['q_latex']}"


def badges(claims):
    """Return a badge for every claim of a verification, with its argument."""
    rows = "" if claims else "<p>Drawn from values of p; nothing here is derived or proved.</p>"
    for claim in claims:
        look = STATUS.get(claim["status"], " clip")
        kind = html.escape(claim["status"])
        rows += f"<p><span class='wb-badge{look}'>{kind}</span> "
        rows += f"<b>{html.escape(claim['name'])}</b>: {html.escape(claim['detail'])}</p>"
    return f"<div class='wb-note'>{rows}</div>"


def explained(outcome, says):
    """Return what the page says of the pair, its row of the table, and what is wrong there.

    Parameters
    ----------
    outcome : dict
        Of `derivations.sketches.pair`.
    says : str
        The sentence of the preset.
    """
    values = (
        "drawn from values that Python computed" if conjugates.tabled(outcome) else "computed numerically"
    )
    refused = "".join(
        f"<p>{name} is {values}: {html.escape(reason)}.</p>" for name, reason in outcome["refused"].items()
    )
    text = f"<div class='wb-note'><p>{html.escape(says)}</p>{refused}{_conditions(outcome)}</div>"
    if declared := html.escape("; ".join(outcome["declared"])):
        text += f"<div class='wb-note'><p>Assumed: {declared}. Type another under Parameters.</p></div>"
    curves = curves_of(outcome)
    for case in outcome["cases"] if len(outcome["cases"]) > 1 else ():
        text += f"<div class='wb-note'>For <b>{html.escape(case['condition_text'])}</b>:</div>"
        text += _latex(_conjugate(outcome, case), curves)
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


def steps(outcome):
    """Return the derivation, and why its result holds."""
    curves = curves_of(outcome)
    return "".join(
        f"<div class='x-step'><div class='wb-note'><b>{count}. {html.escape(step['title'])}</b><br>"
        f"{html.escape(step['reason'])}</div>{_latex(step['latex'], curves)}</div>"
        for count, step in enumerate([*outcome["steps"], *outcome["why"]], 1)
    )


def _conditions(outcome):
    """Return for which parameters there is a conjugate, and why for no others; "" where for all."""
    if not outcome["conditions"]:
        return ""
    regions = "".join(
        f"<li>For {html.escape(region['condition_text'])}, {html.escape(region['reason'])}.</li>"
        for region in outcome["excluded"]
    )
    only = html.escape(outcome["conditions_text"])
    return f"<p>The conjugate exists for <b>{only}</b> only.</p><ul>{regions}</ul>"


def _agreement(row):
    """Return the badge that says if the printed right side has the values of the derived one."""
    if row["agrees"] is None:
        return ""
    if row["agrees"]:
        return "<span class='wb-badge'>derived as printed</span>"
    return "<span class='wb-badge clip'>the printed formula is wrong</span>"


def lines(latex):
    """Return the lines of a formula that a text holds; a condition in brackets stays whole."""
    latex = CONDITION.sub(r" \\quad {\1}", latex)
    return [line.strip() for line in latex.replace(r"; \quad", r" \\ ").split(r" \\ ")]


def _latex(text, curves):
    return "".join(formulas.formula(formulas.lit(line, curves)) for line in lines(text))
