"""`workbench serve`."""

import contextlib
import os
import sys
from typing import Annotated

from typer import Argument, Option

Pages = Annotated[list[str] | None, Argument(metavar="PAGES", help="Such as dual-lab; by default all.")]
ORIGIN = "Another name of this server in browsers; may be repeated."
Origins = Annotated[list[str] | None, Option("--allow-origin", "--origin", metavar="HOST:PORT", help=ORIGIN)]


def serve(
    pages: Pages = None,
    port: Annotated[int, Option(min=0, max=65535, help="0 takes a free one.")] = 5006,
    address: Annotated[str, Option(help="What to listen on; 0.0.0.0 lets the network in.")] = "localhost",
    show: Annotated[bool, Option(help="Open the page in a browser.")] = True,
    origin: Origins = None,
    workers: Annotated[int, Option(min=1, max=64, help="Processes that share the visitors.")] = 1,
    max_upload: Annotated[int, Option(min=1, max=1024, help="Largest upload, in megabytes.")] = 20,
    max_sessions: Annotated[int, Option(min=1, max=10000, help="Visits at the same time.")] = 60,
):
    """Serve the interactive pages until Ctrl-C."""
    from workbench import storage
    from workbench.serve import serve as run

    def say(sentence):
        print(sentence, flush=True)

    def warn(sentence):
        print(f"warning: {sentence}", file=sys.stderr, flush=True)

    with contextlib.suppress(KeyboardInterrupt):
        run(
            pages or (), port, address, show, origin or (), workers, max_upload, max_sessions,
            say=say, warn=warn,
        )  # fmt: skip
    # Python would wait for the threads that still compute for visits which are over.
    sys.stdout.flush()
    storage.discard()
    os._exit(0)
