"""The curves of a page as a picture, on its card and where a link to it is shared.

python -m workbench.pages.home.pictures

Records the pictures of all pages of the package, some of which take a solve, in `pictures.json` beside it.
"""

import functools
import html
import json
from pathlib import Path

import numpy as np

from workbench.pages import registry

WIDTH, HEIGHT, EDGE = 280, 120, 8
DASHES = {"solid": "", "dashed": "7 4", "dotted": "2 4"}
RECORD = Path(__file__).with_suffix(".json")


def curves_of(page):
    """Return the curves of a page; of one that declares none two bounds that meet."""
    if page.picture:
        return page.picture()
    t = np.linspace(0.0, 4.0, 41)
    return (t, np.exp(-t), "solid"), (t, -0.8 * np.exp(-1.4 * t), "dashed")


def paths_of(page):
    """Return the paths of a page's picture: pairs of what SVG takes and of a dash."""
    curves = curves_of(page)
    return [
        ["M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), DASHES[curve[2]]]
        for curve, points in zip(curves, placed(curves, WIDTH, HEIGHT, EDGE), strict=True)
    ]


@functools.cache
def recorded():
    """Return the recorded paths of the pages of the package by name."""
    return json.loads(RECORD.read_text("utf-8"))


def svg(page):
    """Return the picture of a page as SVG; its curves have the classes c0 and c1."""
    paths = recorded().get(page.name) or paths_of(page)
    lines = "".join(
        f"<path class='c{k}' d='{d}' stroke-dasharray='{dash}'/>" for k, (d, dash) in enumerate(paths)
    )
    label = html.escape(f"Curves of the page {page.title}", quote=True)
    return f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{label}'>{lines}</svg>"


def placed(curves, width, height, edge):
    """The points (n, 2) of curves, scaled to fill a picture up to an edge; down is positive."""
    ends = [np.concatenate([curve[axis] for curve in curves]) for axis in (0, 1)]

    def scaled(axis, curve, length):
        low, spread = ends[axis].min(), max(np.ptp(ends[axis]), 1e-12)
        return edge + (length - 2 * edge) * (curve[axis] - low) / spread

    return [np.column_stack([scaled(0, curve, width), height - scaled(1, curve, height)]) for curve in curves]


if __name__ == "__main__":
    pages = [
        page for page in registry.pages().values() if page.sentence and page.module.startswith(registry.ROOMS)
    ]
    table = {page.name: paths_of(page) for page in pages if page.picture}
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(paths)}" for name, paths in table.items())
    RECORD.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8", newline="\n")
