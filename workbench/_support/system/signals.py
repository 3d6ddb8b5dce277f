"""Handling of Ctrl-C and SIGTERM by commands, from their first import on."""

import os
import signal

from workbench._support.errors import Terminated

NOTHING = "interrupted before there was anything to keep"
INTERRUPTED = 130
IMPORTING = "<frozen importlib._bootstrap>"


def install():
    """Have the first signal end the process on the spot, until a command is under way."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)


def begin():
    """Let installed signals raise from now on, so that a command can clear up."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is _leave:
            signal.signal(number, _raise)


def exit_code(error):
    """Return the exit code of a command that a KeyboardInterrupt ended."""
    return Terminated.exit_code if isinstance(error, Terminated) else INTERRUPTED


def _leave(number, _frame):
    # An exception could be caught, or turned into another one, by a module that is being imported.
    os.write(2, f"{NOTHING}\n".encode())
    os._exit(128 + number)


def _raise(number, frame):
    within = frame
    while within is not None:
        if within.f_code.co_filename == IMPORTING:
            _leave(number, frame)
        within = within.f_back
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt
