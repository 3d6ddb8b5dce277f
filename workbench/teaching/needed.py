"""What of a lesson's own cells a submission needs: grading runs that, and no live view and no table."""

import ast
import contextlib
import re
import symtable


def needed(cells, received):
    """The cells to run for a submission's answers.

    Parameters
    ----------
    cells : list
        Sources of cells, and in between pairs of an exercise and the name of its answer.
    received : set of str
        The sources of cells as students received them. Of these, only statements that bind a name read by
        a cell that is run are kept; all other cells run as they are.
    """
    # What stands below the last exercise comes too late for an answer.
    last = max((k for k, cell in enumerate(cells) if not isinstance(cell, str)), default=len(cells) - 1)
    parts = [part for cell in cells[: last + 1] for part in _parts(cell, received)]
    names = {name for _, essential, _, read in parts if essential for name in read}
    while True:
        more = {
            name for _, essential, bound, read in parts if not essential and bound & names for name in read
        }
        if more <= names:
            return [text for text, essential, bound, _ in parts if essential or bound & names]
        names |= more


def _parts(cell, received):
    """(what stands for it, whether it is kept in any case, names bound, names read) of parts of a cell."""
    if not isinstance(cell, str):
        return [(cell, True, set(), {cell[1]})]
    try:
        body = ast.parse(cell).body
    except (SyntaxError, ValueError):
        return [(cell, True, set(), _words(cell))]
    if cell not in received:
        return [(cell, True, *_names(cell))]
    texts = [ast.get_source_segment(cell, each) for each in body]
    return [(text, False, *_names(text)) for text in texts]


def _words(cell):
    """What a cell that is no Python may read: its words where IPython can run it, else nothing."""
    from IPython.core.inputtransformer2 import TransformerManager

    with contextlib.suppress(SyntaxError, ValueError):
        ast.parse(TransformerManager().transform_cell(cell))
        return set(re.findall(r"\w+", cell))
    return set()


def _names(text):
    bound, read = set(), set()
    try:
        tables = [symtable.symtable(text, "cell", "exec")]
    except SyntaxError:  # as a name that is both a parameter and global
        return bound, read
    for symbol in tables[0].get_symbols():
        if symbol.is_assigned() or symbol.is_imported():
            bound.add(symbol.get_name())
    for table in tables:
        # Of a function what neither it nor one around it binds; of the text itself everything.
        of_text = table is tables[0]
        read |= {each.get_name() for each in table.get_symbols() if of_text or each.is_global()}
        tables += table.get_children()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            bound |= {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
    return bound, read
