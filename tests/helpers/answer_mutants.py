"""Wrong answers by the dozen: a solution with one operation, operand, constant or name exchanged."""

import ast
import copy

import numpy as np

SWAPS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
CALLED = {"maximum": "minimum", "max": "min", "min": "max", "mean": "sum", "sum": "mean"}


def _replacements(node, arguments):
    """Return the nodes that may replace a node."""
    if isinstance(node, ast.BinOp):
        if type(node.op) in SWAPS:
            yield ast.BinOp(node.left, SWAPS[type(node.op)](), node.right)
        yield from (node.left, node.right)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield ast.Compare(node.left, [SWAPS[type(op)]() for op in node.ops], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(SWAPS[type(node.op)](), node.values)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield from (ast.Constant(value) for value in (node.value + 1, 2 * node.value, -node.value))
    elif isinstance(node, ast.Attribute) and node.attr in CALLED:
        yield ast.Attribute(node.value, CALLED[node.attr], node.ctx)
    elif isinstance(node, ast.Name) and node.id in arguments and isinstance(node.ctx, ast.Load):
        yield from (ast.Name(other, node.ctx) for other in arguments if other != node.id)
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse, ast.IfExp(node.test, node.orelse, node.body))
    elif isinstance(node, ast.Return):
        for text in ("-({})", "2 * ({})", "({}) / 2", "({}) + 1", "0 * ({})"):
            yield ast.parse(f"return {text.format(ast.unparse(node.value))}").body[0]


class _At(ast.NodeTransformer):
    """Puts another node in place of the k-th one."""

    def __init__(self, place, other):
        self.place, self.other, self.count = place, other, -1

    def visit(self, node):
        self.count += 1
        return self.other if self.count == self.place else self.generic_visit(node)


class _Seen(ast.NodeTransformer):
    def __init__(self):
        self.nodes = []

    def visit(self, node):
        self.nodes.append(node)
        return self.generic_visit(node)


def mutants(source, name):
    """(text, function) for every single exchange in the function `name` of a cell that can be called."""
    tree = ast.parse(source)
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    arguments = [argument.arg for argument in function.args.args]
    seen = _Seen()
    seen.visit(copy.deepcopy(tree))
    texts = {}
    for place, node in enumerate(seen.nodes):
        for other in _replacements(node, arguments):
            changed = ast.fix_missing_locations(_At(place, other).visit(copy.deepcopy(tree)))
            texts[ast.unparse(changed)] = None
    for text in texts:
        names = {"np": np}
        exec(text, names)
        yield text, names[name]


def nearby(arguments, rng):
    """The arguments at another place of the same kind: labels stay labels, and boxes are kept."""

    def moved(value):
        if isinstance(value, np.ndarray) and value.dtype == float and not np.all(np.abs(value) == 1):
            return value * rng.uniform(0.8, 1.0, value.shape)
        if isinstance(value, float) and abs(value) != 1.0:
            return value * rng.uniform(0.9, 1.0)
        return value

    return tuple(moved(value) for value in arguments)
