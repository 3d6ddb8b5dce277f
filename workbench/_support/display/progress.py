"""Progress bars in notebooks and terminals, of a gap or of a count, and the logger `workbench`."""

import contextlib
import logging
import math
import shutil
import sys
import time

from workbench._support.names import check_whole

# Shorter waits need no bar.
DELAY = 1.5
# It reports how solvers end at the level INFO, and every certificate at DEBUG.
LOGGER = logging.getLogger("workbench")


@contextlib.contextmanager
def reporting(owner, verbose):
    """Let the logger report while the block runs, to standard error where it has no handler.

    Parameters
    ----------
    owner : str
        Whose argument it is, for errors.
    verbose : bool or int
        0: as the logger is set, 1: how solvers end, 2 or more: every certificate.
    """
    level = check_whole(owner, "verbose", int(verbose) if isinstance(verbose, bool) else verbose, 0, usual=1)
    if not level:
        yield
        return
    before = LOGGER.level
    LOGGER.setLevel(min(LOGGER.getEffectiveLevel(), logging.INFO if level == 1 else logging.DEBUG))
    handler = None if LOGGER.hasHandlers() else logging.StreamHandler()
    if handler is not None:
        LOGGER.addHandler(handler)
    try:
        yield
    finally:
        LOGGER.setLevel(before)
        if handler is not None:
            LOGGER.removeHandler(handler)


def watched(certificates, run, tol):
    """Yield the certificates of a run, with a bar of the digits of its gap if output is interactive.

    Parameters
    ----------
    certificates : iterator of Certificate
    run : Run
    tol : float
        The relative gap that fills the bar.
    """
    certificates = logged(certificates, run)
    if not _is_interactive():
        yield from certificates
        return
    start = time.monotonic()
    bar = None
    try:
        for certificate in certificates:
            # A notebook stores the parts of a bar, even of one that was never shown.
            seconds = time.monotonic() - start
            if bar is None and seconds >= DELAY:
                bar = _bar(run.solver.name)
            if bar is not None:
                gap = certificate.relative_gap
                # By the digits of the gap or the epochs, whichever is more.
                bar.n = max(share(gap, tol), min(run.epochs / run.stopping.max_epochs, 1.0))
                text = f"epoch {run.epochs:.4g}, relative gap {gap:.1e}"
                nonzeros = run.rows[-1]["nonzeros"]
                bar.set_postfix_str(f"{text}, {nonzeros} non-zeros, {seconds:.0f} s", refresh=False)
                bar.refresh()
            yield certificate
    finally:
        if bar is not None:
            bar.close()


def logged(certificates, run):
    """Yield the certificates of a run, each of which the logger reports, and then the end."""

    def report(level, what):
        row = run.rows[-1]
        point = run.epochs, row["primal"], row["relative_gap"]
        LOGGER.log(
            level, "%s: %s epoch %.4g, objective %.10g, relative gap %.1e", run.solver.name, what, *point
        )

    for certificate in certificates:
        report(logging.DEBUG, "at")
        yield certificate
    if run.rows:
        report(logging.INFO, f"{run.status} at")


def _bar(name):
    from tqdm.auto import tqdm

    return tqdm(total=1.0, desc=name, leave=False, bar_format="{l_bar}{bar}{postfix}", **_size())


def _size():
    """Return the size of the terminal, 80 by 24 where it tells none, for which tqdm would draw nothing."""
    if not _is_terminal():
        return {}
    columns, lines = shutil.get_terminal_size()
    return {"ncols": columns, "nrows": lines}


@contextlib.contextmanager
def counting(what, is_shown):
    """Yield a function (count, total, text) that moves a bar, if one is shown."""
    from tqdm import tqdm

    with tqdm(desc=what, leave=False, disable=not is_shown, delay=DELAY, **_size()) as bar:

        def move(count, total, text=""):
            bar.total = total
            bar.set_postfix_str(text, refresh=False)
            bar.update(count - bar.n)

        yield move


def share(gap, tol):
    """Return the share of the digits to a gap that is reached, between 0 and 1."""
    if not 0.0 < tol < 1.0 or not gap < 1.0:
        return 0.0
    return min(1.0, math.log(max(gap, tol)) / math.log(tol))


@contextlib.contextmanager
def waiting(text):
    """Show a line in a terminal while the block runs, and remove it at its end.

    A notebook would keep it among the outputs of the cell, so nothing is shown there.
    """
    if not _is_terminal():
        yield
        return
    sys.stderr.write(f"\r{text} ...")
    sys.stderr.flush()
    try:
        yield
    finally:
        # Back to the start of the line, which is cleared.
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _is_terminal():
    return sys.stderr is not None and sys.stderr.isatty()


def _is_interactive():
    """Return whether there is a terminal, or a notebook."""
    if _is_terminal():
        return True
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")
