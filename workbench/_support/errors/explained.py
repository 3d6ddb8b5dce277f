"""Addresses of the pages of documentation that explain an error, a command or a page of the workbench.

`WORKBENCH_DOCS` names the site that `make docs` writes, as an address or as a folder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

VARIABLE = "WORKBENCH_DOCS"
# The page of the documentation for a kind of error, else for a command.
EXPLAINS = {
    "ExpressionError": "python",
    "ConvexityError": "python",
    "UndecidedError": "made/proved-pairs",
    "DerivationTimeout": "python",
    "InfeasibleError": "mathematics",
    "ConvergenceWarning": "certificates",
    "MissingExtraError": "installing",
    "WorkbenchWarning": "installing",
    "solve": "your-data",
    "predict": "your-data",
    "certify": "certify",
    "derive": "python",
    "prove": "made/proved-pairs",
    "check": "made/proved-pairs",
    "verify": "made/proved-pairs",
    "data": "data-sets",
    "serve": "serving",
    "export": "export",
    "site": "export",
    "lessons": "made/the-course",
    "reproduce": "made/reproductions",
    "warm": "installing",
}
OTHERWISE = "guide"
# A page of the workbench that can be a file has a section there; the others stand in the guide.
SHOWN, LISTED = "made/gallery.html#live-{name}", "pages.html"


def site():
    """Return the address of the site, ending in a slash; None where none is named."""
    value = os.environ.get(VARIABLE, "").strip()
    if re.match(r"https?://", value):
        return value.rstrip("/") + "/"
    folder = Path(value).expanduser().absolute() if value else None
    return folder.as_uri() + "/" if folder and (folder / "index.html").is_file() else None


def address(error: Any, command: str | None = None) -> str | None:
    """Return the address that explains an error or a warning, best by its own kind; None without a site.

    Parameters
    ----------
    error : Exception
    command : str, optional
        The command that it ended.
    """
    base = site()
    if base is None:
        return None
    names = [*(kind.__name__ for kind in type(error).__mro__), command]
    return f"{base}{next((EXPLAINS[name] for name in names if name in EXPLAINS), OTHERWISE)}.html"


def of_page(page):
    """Return the web address that explains a page of the workbench; None if no site is on the web."""
    base = site()
    if base is None or base.startswith("file:"):
        return None
    return base + (SHOWN.format(name=page.name) if page.sentence else LISTED)
