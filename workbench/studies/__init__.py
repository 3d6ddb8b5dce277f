"""The papers' tables and figures, reproduced beside the published values: `workbench reproduce NAME`.

    get("zhang-table-1")    the Experiment of that name
    NAMES                   all of them, in the order of `workbench reproduce all`

An experiment is a list of tasks and a reading of their records. The functions of its tasks stand in a module
of their own, beside the module of the reading, so that a better sentence in a verdict recomputes nothing.

`distributed` solves a problem whose parts lie on several machines. Read first: `zhang_table_1.py`. This room
does not know pages.
"""

import difflib
import importlib

from workbench._support.errors import InputError

# Name: the module whose EXPERIMENT it is; imported when it is asked for.
_HOMES = {
    "zhang-table-1": "zhang_table_1",
    "zhang-table-2": "zhang_table_2",
    "zhang-figures": "zhang_figures",
    "zhu-figures": "zhu",
    "list-bounds": "list2007",
}
NAMES = tuple(_HOMES)


def get(name):
    """Return the experiment of that name.

    Raises
    ------
    InputError
        The name is unknown; the message lists the known ones.
    """
    if name not in _HOMES:
        near = difflib.get_close_matches(str(name), NAMES, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise InputError(f"reproduce: unknown experiment {name!r}; {hint}expected {', '.join(NAMES)} or all")
    return importlib.import_module(f"workbench.studies.{_HOMES[name]}").EXPERIMENT
