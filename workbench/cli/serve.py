"""`workbench serve`."""

import contextlib
import os
import sys
from typing import Annotated

from typer import Argument, Option

Pages = Annotated[list[str] | None, Argument(metavar="PAGES", help="Such as dual-lab; by default all.")]
PORT = "By default 5006, or the next one that is free; 0 takes any free one."
ORIGIN = "Another name of this server in browsers; may be repeated."
Origins = Annotated[list[str] | None, Option("--allow-origin", "--origin", metavar="HOST:PORT", help=ORIGIN)]
EMBED = "A site that may show the pages in a frame, such as https://course.example.org; may be repeated."
Embedders = Annotated[list[str] | None, Option("--allow-embed", metavar="ORIGIN", help=EMBED)]
SHARE = "Visits at the same time from one address; without it, all of them."
PROXY = "A proxy whose X-Forwarded-For names the visitors' addresses; may be repeated."
Proxies = Annotated[list[str] | None, Option("--trust-proxy", metavar="ADDRESS", help=PROXY)]


def serve(
    pages: Pages = None,
    port: Annotated[int | None, Option(min=0, max=65535, help=PORT)] = None,
    address: Annotated[str, Option(help="What to listen on; 0.0.0.0 lets the network in.")] = "localhost",
    show: Annotated[bool, Option(help="Open the page in a browser.")] = True,
    origin: Origins = None,
    workers: Annotated[int, Option(min=1, max=64, help="Processes that share the visitors.")] = 1,
    max_upload: Annotated[int, Option(min=1, max=1024, help="Largest upload, in megabytes.")] = 20,
    max_sessions: Annotated[int, Option(min=1, max=10000, help="Visits at the same time.")] = 60,
    max_per_address: Annotated[int | None, Option(min=1, max=10000, help=SHARE)] = None,
    allow_embed: Embedders = None,
    trust_proxy: Proxies = None,
):
    """Serve the interactive pages until Ctrl-C."""
    from workbench._support.system import extras, storage

    extras.need("pages", "serving pages")
    from workbench.pages.server.serve import Settings
    from workbench.pages.server.serve import serve as run

    def report(sentence):
        print(sentence, flush=True)

    def warn(sentence):
        print(f"warning: {sentence}", file=sys.stderr, flush=True)

    settings = Settings(
        tuple(pages or ()),
        port,
        address,
        show,
        tuple(origin or ()),
        workers,
        max_upload,
        max_sessions,
        max_per_address,
        tuple(allow_embed or ()),
        tuple(trust_proxy or ()),
    )
    with contextlib.suppress(KeyboardInterrupt):
        run(settings, report, warn)
    # Python would wait for the threads that still compute for visits which are over.
    sys.stdout.flush()
    storage.discard()
    os._exit(0)
