"""Draw the first pictures of the pages and keep them with the package.

    python -m workbench.pages.first_pictures
"""

import functools
import gzip
import json
import sys

from workbench.pages import first_picture
from workbench.pages.dual_lab.model import DualLab
from workbench.pages.dual_lab.page import DualLabPage

# Screening and Roads draw times, which no picture of another machine can tell. The Dual lab opens with
# Reuters where that is; the pictures are of what everybody has.
PAGES = {
    DualLabPage: functools.partial(DualLab, source="Breast cancer"),
}  # fmt: skip
SLICE_SECONDS = 0.5


def drawn(kind):
    """A page of this class as it stands at the end of its first run."""
    model = PAGES[kind]()
    page = kind(model)
    player = page.player
    player.lab = player.construct(model.settings())
    while not player.play(SLICE_SECONDS):
        pass
    page.draw(player.lab, player.picture())
    return page


def picture(page):
    """What is kept of a page."""
    return {
        "settings": first_picture.plain(page.model.settings()), "figures": first_picture.taken(page.plots),
        "sentences": page.sentences,
    }  # fmt: skip


def main():
    text = json.dumps({kind.title: picture(drawn(kind)) for kind in PAGES}, ensure_ascii=False)
    first_picture.KEPT.write_bytes(gzip.compress(text.encode(), mtime=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
