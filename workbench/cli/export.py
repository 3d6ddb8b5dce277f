"""`workbench export` and `workbench site`."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from workbench._support.display.progress import waiting
from workbench._support.errors import InputError
from workbench._support.system import extras
from workbench.cli import derive

FUNCTION = "For conjugates: a convex function such as 'log(1 + exp(u))', derived now."
LAM = "For pages of runs: the positions of the slider of lam, such as 0.1,0.01."
SET = "Such as 'loss=Logistic'; a name that comes several times becomes a slider. May be repeated."
THEMES = ("light", "dark")


def export(
    page: Annotated[str, Argument(metavar="PAGE", help="Such as conjugates, transfer or dual-lab.")],
    out: Annotated[Path, Argument(metavar="OUT.html", help="The file to write.")],
    function: Annotated[str | None, Option(metavar="EXPR", help=FUNCTION)] = None,
    domain: Annotated[str | None, Option(help="Of the function: 'u > 0' or '[0, 1)'.")] = None,
    parameter: Annotated[list[str] | None, Option(metavar="TEXT", help=derive.PARAMETERS)] = None,
    lam: Annotated[str | None, Option(metavar="LIST", help=LAM)] = None,
    settings: Annotated[list[str] | None, Option("--set", metavar="NAME=VALUE", help=SET)] = None,
    theme: Annotated[str, Option(help="light or dark.")] = "light",
    projector: Annotated[bool, Option("--projector", help="Large type and thick lines.")] = False,
    force: Annotated[bool, Option("--force", help="Replace a file that exists.")] = False,
):
    """Write a page as one file that works without a server and without a network."""
    if theme not in THEMES:
        raise InputError(f"--theme {theme!r} is not known; use light or dark")
    if function is None and (domain or parameter):
        raise InputError("--domain and --parameter need a function; give --function as well")
    pairs = [_pair(text) for text in settings or ()]
    pairs += [("lam", text) for text in (lam.split(",") if lam is not None else ())]

    extras.need("pages", "exporting a page")
    from workbench.pages import export as pages
    from workbench.pages.theme import look

    own = None if function is None else _own(function, domain, parameter)
    with waiting("computing"):
        size = pages.export(page, out, look(theme == "dark", projector), pairs, own, force)
    megabytes = size / 1e6
    if megabytes > pages.LIMIT_MB:
        print(f"That is more than {pages.LIMIT_MB} MB; fewer values of --lam and --set make a smaller file.")
    print(f"{out}: {megabytes:.1f} MB")


def site(
    folder: Annotated[Path, Argument(metavar="DIR", help="The folder to write, made where it is missing.")],
    theme: Annotated[str, Option(help="light or dark.")] = "light",
    projector: Annotated[bool, Option("--projector", help="Large type and thick lines.")] = False,
    force: Annotated[bool, Option("--force", help="Replace files that exist.")] = False,
):
    """Write every page that needs no server into a folder, with an index: for a web server or a USB stick."""
    if theme not in THEMES:
        raise InputError(f"--theme {theme!r} is not known; use light or dark")
    extras.need("pages", "writing a site")
    from workbench.pages import site as pages
    from workbench.pages.theme import look

    with waiting("computing"):
        sizes = pages.write(folder, look(theme == "dark", projector), force)
    for name, size in sizes.items():
        print(f"{folder / name}: {size / 1e6:.1f} MB")


def _pair(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"--set {text!r} has no value; write NAME=VALUE, such as loss=Logistic")
    return name.strip(), value


def _own(function, domain, parameters):
    """Return the settings of a typed function on the page of conjugates, within the page's limits."""
    from workbench.pages.conjugates import model

    own = model.own(function, domain or "", "; ".join(parameters or ()))
    return {"preset": model.OWN, "formula": own.text, "domain": own.domain, "parameters": own.parameters}
