"""`workbench warm`."""

import time
from typing import Annotated

from typer import Option

from workbench._support.display.progress import counting


def warm(quiet: Annotated[bool, Option("--quiet", help="Print nothing.")] = False):
    """Compile what common problems need, once, so that the first solve does not wait for it."""
    from workbench.kernels import kernel_cache
    from workbench.studies import warming

    begun = time.monotonic()
    with counting("compiling", not quiet) as move:
        count = warming.warm(move)
    if not quiet:
        seconds = time.monotonic() - begun
        print(f"{count} functions are compiled ({seconds:.0f} s), and kept in {kernel_cache.folder()}")
