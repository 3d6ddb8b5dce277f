"""The pages that there are. Each is declared once; menu, Home, lectures, files, sites and tests read it here.

A page is a module with `PAGE = Declaration(...)`: a room of `workbench.pages`, or a module of the namespace
`workbench_pages` in any folder that Python imports from. Its name is the module's, with hyphens. To read a
declaration imports nothing of what draws.
"""

import functools
import importlib
import json
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from workbench._support.errors import InputError

ROOMS, OTHERS = "workbench.pages", "workbench_pages"
PLACES = (ROOMS, OTHERS)
LAST = 100
# The menu has its pages in these groups; a page that names none comes after them.
GROUPS = ("Home", "Learn", "Dual lab", "Solvers", "Your data", "")
# The pages of this server; all that there are where a page is opened by other means.
served = []
NO_LECTURE = {"thesis": "", "tries": [], "story": [], "projector": []}


@dataclass(frozen=True)
class Declaration:
    """The facts of a page that the registry, the server and the site use.

    Attributes
    ----------
    title : str
        In the menu and the header.
    sentence : str
        On its card on Home, which a page without one has not.
    group : str
        One of `GROUPS`, in which it stands in the menu and on Home.
    place : int
        Within its group.
    lesson : str
        The stem of the lesson that it belongs to.
    picture : callable, optional
        Gives the curves of its card: triples of x, y and the stroke.
    hosted : str
        Where its `hosts.Page` is, as "declaration:Bias", seen from its module.
    former : dict of str to dict of str to str
        The names of pages that it replaces, each with the settings that an address of that name gains, as an
        address writes them: what was a default there and is another one here.
    lecture : dict
        Its `thesis`, what to try (`tries`), the steps of its `story` and the two figures that begin on the
        `projector`; by default `lecture.json` beside it.
    name, module : str
        Given by the registry.
    """

    title: str
    sentence: str = ""
    group: str = ""
    place: int = LAST
    lesson: str = ""
    picture: Callable | None = None
    hosted: str = ""
    former: dict = field(default_factory=dict)
    lecture: dict = field(default_factory=dict)
    name: str = ""
    module: str = ""

    @property
    def page_type(self):
        """The class of the page."""
        module, _, name = self.hosted.partition(":")
        return getattr(importlib.import_module(f"{self.module}.{module}" if module else self.module), name)

    @property
    def names(self):
        """The parameters that the page's address holds."""
        return tuple(self.page_type.names())

    def query_of(self, former, query):
        """Return the query that opens this page where a former name was asked for, without "?".

        Parameters
        ----------
        former : str
            One of `former`.
        query : str
            Of the address that was asked for; its settings come before those that are gained.
        """
        query = query.removeprefix("?")
        asked = dict(parse_qsl(query, keep_blank_values=True))
        gained = {name: value for name, value in self.former[former].items() if name not in asked}
        return "&".join(filter(None, (urlencode(gained), query)))


@functools.cache
def pages():
    """The declarations by name, in the order of the menu."""
    table = {}
    for package in PLACES:
        try:
            folders = importlib.import_module(package).__path__
        except ModuleNotFoundError:
            continue
        for module in pkgutil.iter_modules(folders, f"{package}."):
            # What the pages share lies beside the rooms and declares none.
            if module.ispkg or package == OTHERS:
                declared = getattr(importlib.import_module(module.name), "PAGE", None)
                if isinstance(declared, Declaration):
                    name = module.name.rpartition(".")[2].replace("_", "-")
                    table.setdefault(name, _complete(declared, name, module.name))
    return dict(sorted(table.items(), key=lambda entry: (GROUPS.index(entry[1].group), entry[1].place)))


def grouped(declarations):
    """Return pairs of a group and its pages among these, in the order of the menu."""
    groups = {group: [page for page in declarations if page.group == group] for group in GROUPS}
    return [(group, members) for group, members in groups.items() if members]


def following(name, names):
    """Return the page after the page of a name among those of the names, or None."""
    here = [page for page in pages().values() if page.name in names or page.name == name]
    after = [page.name for page in here].index(name) + 1
    return here[after] if after < len(here) else None


def _complete(declared, name, module):
    if declared.group not in GROUPS:
        raise InputError(
            f"page {name}: unknown group {declared.group!r}; expected one of {', '.join(GROUPS[1:-1])}"
        )
    path = Path(importlib.import_module(module).__file__).with_name("lecture.json")
    lecture = declared.lecture
    if not lecture and module.startswith(f"{ROOMS}.") and path.is_file():
        lecture = json.loads(path.read_text("utf-8"))
    return replace(declared, name=name, module=module, lecture=NO_LECTURE | lecture)


def former():
    """Return the declarations of the pages by the names of the pages that they replace."""
    return {name: page for page in pages().values() for name in page.former}


def of(name):
    """Return the declaration of a page by its name or a former one; "dual_lab" may stand for "dual-lab".

    Raises
    ------
    InputError
        There is no page of that name; the message lists the pages.
    """
    key = name.replace("_", "-")
    page = pages().get(key) or former().get(key)
    if page is None:
        raise InputError(f"unknown page {name!r}; expected one of {', '.join(pages())}")
    return page
