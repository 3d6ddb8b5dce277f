"""Why a gap is certain: the Fenchel-Young terms that it is the sum of, the largest one by one."""

import math
from typing import NamedTuple

import numpy as np

from workbench.certificates import loss_terms
from workbench.pages import formulas
from workbench.pages.dual_lab.captions import TEXTS, said
from workbench.pages.dual_lab.figures import LIT
from workbench.pages.numerals import numerals

LARGEST = 10
LOSS, CONJUGATE, PRODUCT = r"f(z_i)", r"k(-\alpha_i)", r"\alpha_i z_i"
REGULARIZER = r"\lambda\, \bigl[ g(w) + h(v) - w\cdot v \bigr]"
# Symbols of the formula to the columns, and the row, of the table that hold their numbers.
PARTS = {LOSS: "loss", CONJUGATE: "conjugate", PRODUCT: "product", REGULARIZER: "regularizer"}
FORMULA = formulas.lit(
    rf"P(w) + D(\alpha) = \tfrac1n \textstyle\sum_i \bigl[ {LOSS} + {CONJUGATE} + {PRODUCT} \bigr]"
    rf" + {REGULARIZER}",
    LIT | PARTS,
)
HEADS = TEXTS["heads"]
COLUMNS = "<col span='3'>" + "".join(f"<col data-part='{PARTS[each]}'>" for each in [*PARTS][:3])


class Breakdown(NamedTuple):
    """A gap as a sum.

    Attributes
    ----------
    samples : ndarray (k,) of int
        Those with the largest terms, the largest first; at most `LARGEST`, and only terms above zero.
    loss, conjugate, product : ndarray (k,)
        f(z_i), k(-alpha_i) and alpha_i z_i of these samples.
    terms : ndarray (k,)
        Their terms: what these three add up to, divided by n.
    others, rest : int, float
        How many samples there are beside these, and the sum of their terms.
    regularizer : float
        lam [ g(w) + h(v) - w.v ].
    gap, difference : float
        The gap that the page shows, and how far P(w) + D(alpha), each computed by itself, is from it.
    """

    samples: np.ndarray
    loss: np.ndarray
    conjugate: np.ndarray
    product: np.ndarray
    terms: np.ndarray
    others: int
    rest: float
    regularizer: float
    gap: float
    difference: float


def break_down(problem, certificate):
    """The sum that makes up the gap of a certificate; None where the gap is infinite."""
    if not math.isfinite(certificate.gap):
        return None
    terms = certificate.sample_terms
    chosen = np.argsort(-terms, kind="stable")[: min(LARGEST, np.count_nonzero(terms))]
    z, alpha = certificate.z, certificate.alpha
    parts = loss_terms.of(problem).parts(z, alpha, chosen)
    return Breakdown(
        chosen, *parts, alpha[chosen] * z[chosen], terms[chosen], terms.size - chosen.size,
        float(np.delete(terms, chosen).sum()), certificate.regularizer_term, certificate.gap,
        abs(certificate.primal - certificate.dual - certificate.gap),
    )  # fmt: skip


def table(breakdown):
    """The sum as HTML: what it rests on, its lines, and to what precision they add up."""
    if breakdown is None:
        return f"<p>{said('infinite')}</p>"
    rows = zip(*breakdown[:5], strict=True)
    lines = [_line(sample, *parts, gap=breakdown.gap) for sample, *parts in rows]
    if breakdown.others:
        lines.append(_summed(said("others", others=breakdown.others), breakdown.rest, breakdown.gap))
    lines.append(_summed(said("regularizer"), breakdown.regularizer, breakdown.gap, part=PARTS[REGULARIZER]))
    lines.append(_summed(said("sum"), breakdown.gap, breakdown.gap, "wb-sum"))
    heads = "".join(f"<th scope='col'>{head}</th>" for head in HEADS)
    closing = said("adds_up", gap=breakdown.gap, difference=breakdown.difference)
    return (
        f"{formulas.formula(FORMULA)}<p>{said('certain')}</p>"
        f"<div class='wb-scroll' tabindex='0' role='region' aria-label='{said('lines')}'>"
        f"<table class='wb-table'><colgroup>{COLUMNS}</colgroup><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
        f"<p>{numerals(closing)}</p>"
    )


def _line(sample, *parts, gap):
    *brackets, term = parts
    # Zero has no sign here.
    cells = "".join(f"<td>{numerals(f'{part + 0.0:.5g}')}</td>" for part in brackets)
    return f"<tr data-sample='{sample}'><th scope='row'>{sample:,}</th>{_amount(term, gap)}{cells}</tr>"


def _summed(name, value, gap, style="", part=""):
    empty = f"<td colspan='{len(HEADS) - 3}'></td>"
    head = f"<tr class='{style}' data-part='{part}'><th scope='row'>{name}</th>"
    return f"{head}{_amount(value, gap)}{empty}</tr>"


def _amount(value, gap):
    share = 100.0 * value / gap if gap > 0.0 else 0.0
    text = numerals(f"{value:.3e}") if value else "0"
    return f"<td>{text}</td><td>{share:.1f} %</td>"
