"""`make wheel`: a wheel in fresh environments, of the oldest and of the newest Python that is here.

The oldest gets the oldest versions that pyproject.toml admits, the newest those that pip finds today. With
the core alone: pip's own check, a solve in Python, a derivation and tests. With tables: a solve, a prediction
and a certificate of files. With all pages: every one is drawn in Chromium, without an error in the browser or
a traceback of the server. The wheel is that of a folder that is named, else a new one.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from urllib.parse import urljoin

from tests.helpers.page_browser import chromium, served, visit
from workbench.pages import registry

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = "1 1:0.5 2:1\n-1 1:-0.3 2:0.2\n1 1:0.9 2:-1\n-1 1:-1 2:0.1\n"
# What a practitioner adds to a project, and how long it takes the first time and the second.
THREE_LINES = """
import sys, time
begun = time.perf_counter()
import numpy as np, workbench as wb
X = np.random.default_rng(0).normal(size=(500, 10))
solution = wb.solve(wb.Problem(X, np.sign(X[:, 0] + 0.1), "hinge", lam=0.01), tol=1e-4)
assert solution.relative_gap <= 1e-4
assert not {"pandas", "typer", "rich", "requests", "z3"} & set(sys.modules)
print(f"import and solve: {time.perf_counter() - begun:.1f} s")
"""
TABLES = (
    ("solve", "four.libsvm", "--out", "model.npz"),
    ("predict", "model.npz", "four.libsvm"),
    ("certify", "four.libsvm", "--lam", "1e-3", "--coef", "coef.npy"),
    ("solve", "breast-cancer", "--loss", "logistic", "--tol", "1e-3"),
)
# What needs the core alone to be tested; the tests are copied, so that they meet the wheel and not the clone.
TESTS = ("properties/test_certificate.py", "properties/test_interval.py", "unit/solvers/test_gauss_seidel.py")


def run(command, **options):
    """The output of a command that must succeed."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def interpreters():
    """The programs of the oldest and of the newest Python that start here, of those that the wheel takes."""
    programs = [sys.executable]
    for minor in range(11, 20):
        program = shutil.which(f"python3.{minor}")
        # What a manager of versions puts in the place of one that is switched off ends with an error.
        if program and not subprocess.run([program, "--version"], capture_output=True).returncode:
            programs.append(program)
    versions = {
        run([program, "-c", "import sys; print(*sys.version_info[:3])"]): program for program in programs
    }
    order = sorted(versions, key=lambda text: tuple(map(int, text.split())))
    return versions[order[0]], versions[order[-1]]


def oldest_versions(folder):
    """A file of constraints: of each dependency the oldest version that pyproject.toml admits."""
    said = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [*said["dependencies"], *said["optional-dependencies"]["tables"]]
    file = folder / "oldest.txt"
    file.write_text(
        "\n".join(re.sub(r">=([\d.]+)", r"==\1.*", requirement) for requirement in needed), encoding="utf-8"
    )
    return file


def install(folder, python, wheel, *options):
    """A fresh environment with the wheel; returns its folder of programs."""
    run([python, "-m", "venv", folder])
    installed = folder / "bin" / "python"
    begun = time.perf_counter()
    run([installed, "-m", "pip", "install", "--quiet", wheel, *options])
    spent = time.perf_counter() - begun
    run([installed, "-m", "pip", "check"])
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    version = run([installed, "--version"]).strip()
    print(f"{folder.name}: {version}, installed in {spent:.0f} s, {size:.0f} MB", flush=True)
    return folder / "bin"


def run_tests(programs, folder):
    """Tests of the core against the installed wheel."""
    run([programs / "python", "-m", "pip", "install", "--quiet", "pytest", "hypothesis"])
    copied = shutil.copytree(PROJECT / "tests", folder / "tests", dirs_exist_ok=True)
    command = [programs / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not long", *TESTS]
    last = run(command, cwd=copied).strip().splitlines()[-1]
    print(f"tests of {programs.parent.name}: {last}", flush=True)


def check_core(programs):
    """Check what the core does; messages about missing extras are in test_extras.py."""
    for _ in range(2):
        print(f"core: {run([programs / 'python', '-c', THREE_LINES]).strip()}", flush=True)
    run([programs / "workbench", "derive", "log(1 + exp(u))", "--timeout", "600"])


def check_tables(programs):
    """Check how data files are read."""
    Path("four.libsvm").write_text(SAMPLES, encoding="utf-8")
    run([programs / "python", "-c", "import numpy; numpy.save('coef.npy', numpy.ones(2))"])
    for arguments in TABLES:
        run([programs / "workbench", *arguments])
        print(f"tables: {' '.join(arguments)}: ok", flush=True)


def check_pages(programs):
    """Every page drawn, with nothing in the browser's console and no traceback of the server."""
    with served(programs=programs) as home, chromium() as browser:
        for name in registry.pages():
            with visit(browser, urljoin(home, name)) as page:
                # A fresh environment has to compile first.
                page.set_default_timeout(0)
                page.locator("canvas, svg").first.wait_for(state="attached")
                page.wait_for_function("window.Bokeh && Bokeh.documents.every((each) => each.is_idle)")
            print(f"pages: {name} drawn", flush=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["WORKBENCH_CACHE"] = str(folder / "cache")
        built = Path(sys.argv[1]).resolve() if sys.argv[1:] else folder
        # Python imports from where it is started, and is to meet the wheel and not the clone.
        os.chdir(folder)
        if built == folder:
            run([sys.executable, "-m", "build", "--wheel", "--outdir", folder, PROJECT])
        (wheel,) = built.glob("*.whl")
        oldest, newest = interpreters()
        old = ("-c", oldest_versions(folder))
        for title, python, options in (("core-newest", newest, ()), ("core-oldest", oldest, old)):
            programs = install(folder / title, python, wheel, *options)
            check_core(programs)
            run_tests(programs, folder)
        check_tables(install(folder / "tables-oldest", oldest, f"{wheel}[tables]", *old))
        check_pages(install(folder / "pages-newest", newest, f"{wheel}[pages]"))
    print(f"{wheel.name}: the core works alone, and every page is drawn")


if __name__ == "__main__":
    main()
