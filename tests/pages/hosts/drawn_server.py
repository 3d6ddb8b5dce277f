"""The pages without runs as scripts of `panel serve` have them."""

import sys

import panel as pn

from tests.pages.hosts.drawn_visits import PAGES


def opener(page_type):
    return lambda: pn.Column(page_type())


if __name__ == "__main__":
    pages = {name: opener(page_type) for name, page_type in PAGES.items()}
    pn.serve(pages, port=int(sys.argv[1]), show=False)
