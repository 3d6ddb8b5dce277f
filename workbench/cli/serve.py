"""`workbench serve`."""

import sys
from typing import Annotated

import typer
from typer import Argument, Option

Pages = Annotated[list[str] | None, Argument(metavar="PAGES", help="Such as dual-lab; by default all.")]
ORIGIN = "Another name of this server in browsers; may be repeated."
Origins = Annotated[list[str] | None, Option(metavar="HOST:PORT", help=ORIGIN)]


def serve(
    pages: Pages = None,
    port: Annotated[int, Option(min=0, max=65535, help="0 takes a free one.")] = 5006,
    address: Annotated[str, Option(help="What to listen on; 0.0.0.0 lets the network in.")] = "localhost",
    show: Annotated[bool, Option(help="Open the page in a browser.")] = True,
    origin: Origins = None,
):
    """Serve the interactive pages until Ctrl-C."""
    from workbench.serve import serve as run

    def say(sentence):
        print(sentence, flush=True)

    def warn(sentence):
        print(f"warning: {sentence}", file=sys.stderr, flush=True)

    try:
        run(pages or (), port, address, show, origin or (), say=say, warn=warn)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None
