"""Why the gap p(u) + q(v) - u v is never negative, face by face, and where it is zero.

The gap is the height of p over its line of slope v, which touches it at the witness u(v): a product of what
the faces make positive where p and q are straight, a square where they are parabolas, else the distance of a
convex function from its tangent.
"""

from typing import NamedTuple

import sympy as sp

from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.wording import interval


class Face(NamedTuple):
    """The gap where u lies in one piece of p and v in one part of q.

    `kind` is "product", "square" or "tangent"; `zero` says for which u the gap is 0.
    """

    u: str
    v: str
    gap: sp.Expr
    kind: str
    zero: str

    @property
    def step(self):
        """The face as a step that a page can typeset."""
        return {
            "title": f"Why the gap is never negative for u in {self.u}, v in {self.v}",
            "latex": rf"p + q - uv = {sp.latex(self.gap)} \ge 0",
            "text": f"{self.gap} >= 0",
            "reason": f"It is {SENTENCES[self.kind]}; it is zero {self.zero}.",
        }


class Why(tuple):
    """The faces in order, to be read."""

    def __repr__(self):
        return "\n".join(
            f"u in {face.u}, v in {face.v}: gap = {face.gap}, {SENTENCES[face.kind]}; zero {face.zero}"
            for face in self
        )

    def _repr_latex_(self):
        rows = [rf"u \in {face.u}, \; v \in {face.v}: & {sp.latex(face.gap)} \ge 0" for face in self]
        return "$\\begin{aligned}" + r" \\ ".join(rows).replace("∞", r"\infty") + "\\end{aligned}$"


SENTENCES = {
    "product": "a product of what is not negative there",
    "square": "a square with a positive factor",
    "tangent": "the height of p over its tangent of slope v, and p is convex",
}


def why(pair):
    """Return the faces of a pair derived for one region of the parameters."""
    u, v = pair.p.variable, pair.q.variable
    faces = []
    for part in pair.conjugate_pieces:
        at = f"at {u} = {part.root}" if part.root is not None else f"at the {u} where p'({u}) = {v}"
        for piece in pair.p.parts:
            if part.implicit:
                gap, kind = piece.expr + sp.Function("q")(v) - u * v, "tangent"
            else:
                plain = piece.expr + part.expr - u * v
                gap = attempt(lambda e=plain: sp.factor(sp.simplify(e)), limit=0.3, default=plain)
                kind = _kind(gap, u, v)
            faces.append(Face(interval(piece.low, piece.high), interval(part.low, part.high), gap, kind, at))
    return Why(faces)


def _kind(gap, u, v):
    """Return the kind of argument that makes a gap plainly nonnegative."""
    factors = [factor for factor in sp.Mul.make_args(gap) if factor.has(u, v)]
    if (
        len(factors) == 1
        and factors[0].is_Pow
        and factors[0].exp == 2
        and factors[0].base.is_polynomial(u, v)
    ):
        return "square"
    linear = factors and all(
        factor.is_polynomial(u, v)
        and sp.total_degree(factor, u, v) == 1
        and not (factor.has(u) and factor.has(v))
        for factor in factors
    )
    return "product" if linear else "tangent"
