"""The life of a worker process: how it starts, ends and stays out of the program's way."""

import contextlib
import math
import os
import subprocess
import sys
import threading
import time

import psutil
import pytest

from workbench._support.errors import DerivationTimeout
from workbench.conjugates.convex.worker import Deriver, shared


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_starting_up_does_not_count():
    # Importing SymPy alone takes several times this limit.
    with Deriver() as fresh:
        assert fresh.run(math.sqrt, 4.0, timeout=0.2) == 2.0


def test_a_warm_worker_has_sympy():
    with Deriver() as fresh:
        assert "sympy" in fresh.run(eval, "list(__import__('sys').modules)")


def test_closing_stops_everything():
    made = Deriver()
    process = made.run(os.getpid)
    futures = [made.submit(time.sleep, 1000) for _ in range(3)]
    made.close()
    made.close()
    assert all(future.cancelled() for future in futures)
    assert not alive(process)
    with pytest.raises(RuntimeError, match="closed; make another"):
        made.run(math.sqrt, 1.0)


def test_a_process_that_cannot_start_is_an_error(monkeypatch):
    monkeypatch.setattr(Deriver, "modules", ("no_such_module",))
    with Deriver() as broken, pytest.raises(DerivationTimeout, match="found no process that starts"):
        broken.run(math.sqrt, 1.0)


def test_the_shared_one_is_one():
    found = []
    threads = [threading.Thread(target=lambda: found.append(shared())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1
    assert shared().run(math.sqrt, 16.0) == 4.0


SCRIPT = """
print("started")
import math, sys, time
from workbench.conjugates.convex.worker import shared
print(shared().run(math.sqrt, 4.0))
shared().submit(time.sleep, 1000)
"""


@pytest.mark.parametrize("way", ["file", "command", "stdin"])
def test_a_script_without_guard_runs_once_and_ends(tmp_path, way):
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    arguments = {"file": [file], "command": ["-c", SCRIPT], "stdin": ["-"]}[way]
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        input=SCRIPT if way == "stdin" else None,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["started", "2.0"]


# Seconds of processor time: its imports, its limit, and what the kernel allows beyond that.
AFTER = 15
ORPHAN = """
import os, signal
from workbench.conjugates.convex.worker import Deriver
deriver = Deriver()
print(deriver.run(os.getpid), flush=True)
future = deriver.submit(pow, 10, 10**9, timeout=0.5)
while not future.running():
    pass
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs limits of processor time")
def test_a_worker_outlives_its_parent_by_little():
    done = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True)
    process = psutil.Process(int(done.stdout))
    with contextlib.suppress(psutil.NoSuchProcess):
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            spent = process.cpu_times()
            assert spent.user + spent.system < AFTER
            time.sleep(0.05)
