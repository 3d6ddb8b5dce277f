"""Progress bars in notebooks and terminals, of a gap, of a count, or of the first compilation; the logger."""

import contextlib
import logging
import math
import os
import shutil
import sys
import threading
import time

from workbench._support.names import check_whole

# Shorter waits need no bar.
DELAY = 1.5
# The sentence about kernels that are not in the cache yet, and the seconds that fill its bar.
COMPILING, COMPILING_SECONDS = "compiling the solver, once, about 8 s", 8.0
REDRAWING_SECONDS = 0.2

# It reports how solvers end at the level INFO, and every certificate at DEBUG.
LOGGER = logging.getLogger("workbench")

_is_on = True
_is_counting = False


def progress(shown: bool = True) -> None:
    """Show progress bars and the notice of a first compilation, or hide them.

    They appear in terminals and notebooks alone; the environment variable `TQDM_DISABLE` hides them, too.

    Parameters
    ----------
    shown : bool

    Examples
    --------
    >>> import workbench as wb
    >>> wb.progress(False)
    >>> wb.progress()
    """
    global _is_on
    _is_on = shown


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

    global _is_counting
    disable = not (is_shown and _is_wanted())
    with tqdm(desc=what, leave=False, disable=disable, delay=DELAY, **_size()) as bar:

        def move(count, total, text=""):
            bar.total = total
            bar.set_postfix_str(text, refresh=False)
            bar.update(count - bar.n)

        before, _is_counting = _is_counting, True
        try:
            yield move
        finally:
            _is_counting = before


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
    if not (_is_terminal() and _is_wanted()):
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


class CompilationNotice:
    """The notice that kernels are being compiled, with a bar that moves; `COMPILING` once in the log.

    A terminal has it while a kernel is compiled; the output of a notebook's cell keeps the seconds.
    """

    def __init__(self):
        self._seconds = self._begun = 0.0
        self._finished = self._thread = self._cell = None

    def begin(self):
        """Show the notice until `end`."""
        if self._finished is not None:
            return
        if not self._seconds:
            LOGGER.info(COMPILING)
        self._begun, self._finished = time.monotonic(), threading.Event()
        if _is_interactive() and not _is_counting:
            self._thread = threading.Thread(target=self._draw, args=(self._finished,), daemon=True)
            self._thread.start()

    def end(self):
        """Take the notice away, if it is shown."""
        if self._finished is None:
            return
        self._finished.set()
        if self._thread is not None:
            self._thread.join()
        self._seconds += time.monotonic() - self._begun
        self._finished = self._thread = None

    def _draw(self, finished):
        while not finished.wait(REDRAWING_SECONDS):
            self._show(_compiling_bar(self._seconds + time.monotonic() - self._begun))
        if self._cell is not None:
            seconds = self._seconds + time.monotonic() - self._begun
            self._show(f"compiled the solver in {seconds:.0f} s, once")
        elif _is_terminal():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _show(self, text):
        if _is_terminal():
            sys.stderr.write(f"\r{text}\x1b[K")
            sys.stderr.flush()
            return
        from IPython.display import display

        if self._cell is None:
            self._cell = display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._cell.update({"text/plain": text}, raw=True)


def _compiling_bar(seconds):
    """Return the notice after a number of seconds, as wide as a terminal."""
    from tqdm import tqdm

    # A slow machine takes longer; its bar stays short of full.
    total = max(COMPILING_SECONDS, seconds / 0.95)
    width = _size().get("ncols", 80) - 1
    layout = "{l_bar}{bar}| {elapsed}"
    return tqdm.format_meter(seconds, total, seconds, ncols=width, prefix=COMPILING, bar_format=layout)


def _is_wanted():
    return _is_on and not os.environ.get("TQDM_DISABLE")


def _is_terminal():
    return sys.stderr is not None and sys.stderr.isatty()


def _is_interactive():
    """Return True in a terminal or a notebook, unless bars are switched off."""
    if not _is_wanted():
        return False
    if _is_terminal():
        return True
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")
