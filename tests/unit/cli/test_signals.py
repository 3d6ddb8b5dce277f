"""Ctrl-C and SIGTERM end a command in one line, from its first import on."""

import signal
import subprocess
import sys

import pytest

from workbench._support.system import signals

pytestmark = pytest.mark.serial

LINE = f"{signals.NOTHING}\n"
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
# A library that is interrupted while it loads may make of that whatever it likes.
SWALLOWS = """
import signal
try:
    signal.raise_signal({number})
except BaseException:
    raise ImportError("a library is broken")
"""


def run(code, cwd=None):
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize("number", CODES)
def test_an_interrupt_before_a_command_has_its_exit_code_and_line(number):
    code = "from workbench._support.system import signals; signals.install(); import signal; "
    assert run(f"{code}signal.raise_signal({number:d})") == (CODES[number], LINE)


@pytest.mark.parametrize("number", CODES)
def test_an_interrupt_during_imports_has_its_exit_code_and_line(tmp_path, number):
    (tmp_path / "library.py").write_text(SWALLOWS.format(number=int(number)), encoding="utf-8")
    code = "from workbench._support.system import signals; signals.install(); signals.begin(); import library"
    assert run(code, tmp_path) == (CODES[number], LINE)


COMMAND = """
import signal, sys
from workbench.cli import solve

def interrupted(*_, **__):
    try:
        signal.raise_signal({number})
    finally:
        print("cleared up")

import workbench.cli
workbench.cli.places.check_model = interrupted
from workbench.__main__ import main
sys.argv[1:] = ["solve", "breast-cancer"]
main()
"""


@pytest.mark.parametrize("number", CODES)
def test_a_command_under_way_clears_up(number):
    command = [sys.executable, "-c", COMMAND.format(number=int(number))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (CODES[number], "cleared up\n", LINE)


DERIVES = """
import os, signal, sys, threading, time
from workbench.conjugates.convex import worker

def soon():
    while not any(future.running() for future in list(worker_open)):
        time.sleep(0.01)
    os.kill(os.getpid(), {number})

worker_open = []
submit = worker.Deriver.submit

def watched(self, *arguments, **options):
    future = submit(self, *arguments, **options)
    worker_open.append(future)
    return future

worker.Deriver.submit = watched
threading.Thread(target=soon, daemon=True).start()
from workbench.__main__ import main
sys.argv[1:] = ["derive", "log(1 + exp(u))**1.5 + cosh(u**2)", "--timeout", "600"]
main()
"""


@pytest.mark.parametrize("number", CODES)
def test_a_derivation_leaves_no_semaphores(number):
    """Python's resource tracker would tell of them on the error stream, after the process has ended."""
    assert run(DERIVES.format(number=int(number))) == (CODES[number], LINE)
