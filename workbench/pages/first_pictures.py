"""Draw the first pictures of the pages and keep them with the package.

    python -m workbench.pages.first_pictures
"""

import gzip
import json
import sys

from workbench.pages import first_picture
from workbench.pages.inverse_time.model import InverseTime
from workbench.pages.inverse_time.page import InverseTimePage
from workbench.pages.norms.model import Norms
from workbench.pages.norms.page import NormsPage

# Screening and Roads draw times, which no picture of another machine can tell.
PAGES = {
    InverseTimePage: InverseTime, NormsPage: Norms,
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
