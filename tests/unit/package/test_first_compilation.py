"""The first compilation says so, bars can be hidden, and `warm` leaves nothing to compile."""

import subprocess
import sys
import threading

import numpy as np
import pytest

import workbench as wb
from workbench._support.display import progress
from workbench.kernels import compilation, kernel_cache


def squares(x: compilation.VECTOR) -> compilation.FLOAT:
    total = 0.0
    for value in x:
        total += value * value
    return total


class Recorder:
    def __init__(self):
        self.calls = []

    def begin(self):
        self.calls.append("begin")

    def end(self):
        self.calls.append("end")


def test_machine_code_that_is_missing_begins_the_notice(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(kernel_cache, "notice", Recorder())
    monkeypatch.setattr(compilation, "patience", 0.0)
    signature = compilation._annotated(squares)
    for calls in (["begin", "end"], ["begin", "end", "end"]):  # the second time it is read from the disk
        assert compilation.jit(squares, signature)(np.ones(3)) == 3.0
        assert kernel_cache.notice.calls == calls


def test_the_notice_has_a_bar_that_moves(monkeypatch, caplog):
    texts, was_shown = [], threading.Event()

    def show(text):
        texts.append(text)
        was_shown.set()

    monkeypatch.setattr(progress, "_is_interactive", lambda: True)
    monkeypatch.setattr(progress, "REDRAWING_SECONDS", 1e-3)
    notice = progress.CompilationNotice()
    notice._show = show
    notice.begin()
    assert was_shown.wait(60)
    notice.end()
    notice.begin()
    notice.end()
    notice.end()
    assert texts[0].startswith(progress.COMPILING)
    assert [record.message for record in caplog.records] == [progress.COMPILING]
    shares = [progress._compiling_bar(seconds).split(":")[1].split("%")[0] for seconds in (2.0, 4.0, 1e3)]
    assert list(map(int, shares)) == [25, 50, 95]


@pytest.fixture
def switched_on():
    yield
    wb.progress()


def test_progress_and_the_variable_hide_all_bars(monkeypatch, switched_on):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    monkeypatch.setattr(progress, "_is_terminal", lambda: True)
    assert progress._is_interactive()
    wb.progress(False)
    assert not progress._is_interactive()
    wb.progress()
    monkeypatch.setenv("TQDM_DISABLE", "1")
    assert not progress._is_interactive()
    notice = progress.CompilationNotice()
    notice.begin()
    assert notice._thread is None
    notice.end()


def test_a_count_hides_the_notice(monkeypatch):
    monkeypatch.setattr(progress, "_is_interactive", lambda: True)
    with progress.counting("compiling", False):
        notice = progress.CompilationNotice()
        notice.begin()
        assert notice._thread is None
        notice.end()


WARMED = """
import sys, numpy as np
from workbench.studies import warming
warming.warm()
import workbench as wb
from workbench.kernels import kernel_cache
misses = []
kernel_cache.notice.begin = lambda: misses.append(1)
rng = np.random.default_rng(1)
X = rng.normal(size=(50, 6))
y = np.where(X[:, 0] > 0.1, 1.0, -1.0)
for loss in ("hinge", "logistic", "squared"):
    wb.solve(wb.Problem(X, y, loss, lam=0.01), tol=1e-4)
wb.KernelSVC().fit(X, y)
print(len(misses))
"""


@pytest.mark.long  # compiles all of it
def test_warm_leaves_nothing_to_compile():
    done = subprocess.run([sys.executable, "-c", WARMED], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("0\n", "")
