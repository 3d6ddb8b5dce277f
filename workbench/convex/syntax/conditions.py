"""The comparisons of a text that says where a name may lie: joined by "and", never by "or"."""

import ast

from workbench.convex.syntax.walk import Walk


def triples_of(walk: Walk, node):
    """Each comparison of a conjunction as (left, relation, right)."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [triple for part in node.values for triple in triples_of(walk, part)]
    if isinstance(node, ast.BoolOp):
        walk.source.refuse(
            node, "'or' makes a union, but a convex function lives on one interval; name one, with 'and'"
        )
    if isinstance(node, ast.Compare):
        return walk.comparisons(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        walk.source.refuse(node, "'not' is not read here; write the comparison the other way round")
    return walk.source.refuse(node, "a comparison is wanted here; write it as in 0 <= u < 1")
