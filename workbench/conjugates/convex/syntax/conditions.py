"""The comparisons of a text that says where a name may lie: joined by "and", never by "or"."""

import ast

from workbench.conjugates.convex.syntax.bounds import bounds_of


def bounds_in(walk, node, symbol):
    """Return the `Bound` of a symbol that each comparison of a conjunction sets."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [bound for part in node.values for bound in bounds_in(walk, part, symbol)]
    if isinstance(node, ast.BoolOp):
        walk.source.refuse(
            node, "'or' makes a union, but a convex function lives on one interval; name one, with 'and'"
        )
    if isinstance(node, ast.Compare):
        return walk.guarded(node, bounds_of, walk.build, walk.comparisons(node), symbol)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        walk.source.refuse(node, "'not' is not read here; write the comparison the other way round")
    return walk.source.refuse(node, "a comparison is wanted here; write it as in 0 <= u < 1")
