"""What the page of conjugates says beside its figures, in HTML; formulas go through KaTeX elsewhere."""

import html

from workbench.convex.errata.entry import CAUSES

STATUS = {"proved": "", "checked": "", "failed": " clip"}


def badges(claims):
    """A badge for every claim of a verification, with its argument."""
    rows = "".join(
        f"<p><span class='wb-badge{STATUS.get(claim['status'], ' clip')}'>{html.escape(claim['status'])}"
        f"</span> <b>{html.escape(claim['name'])}</b>: {html.escape(claim['detail'])}</p>"
        for claim in claims
    )
    return f"<div class='wb-note'>{rows}</div>"


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


def refused(sentences, computed="that the server computed"):
    """Which curves the browser does not compute itself, and why."""
    return "".join(
        f"<p>{name} is drawn from values {computed}: {html.escape(reason)}.</p>"
        for name, reason in sentences.items()
    )


def lines(latex):
    """The lines of a formula, of which several may stand in one text."""
    return [line.strip() for line in latex.replace(r"; \quad", r" \\ ").split(r" \\ ")]
