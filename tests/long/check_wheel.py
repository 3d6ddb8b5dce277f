"""`make wheel`: a wheel in fresh environments, of every Python that is here.

Each gets the versions that pip finds today, and the oldest Python the oldest versions that pyproject.toml
admits, too. With the core alone: pip's own check, its size, a solve in Python and a missing extra. With
proofs: a derivation and tests. With tables: a solve, a prediction and a certificate of files. With all pages:
every one is drawn in Chromium, without an error in the browser or a traceback of the server. The wheel is
that of a folder that is named, else a new one.
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
assert not {"pandas", "typer", "rich", "requests", "sympy", "z3"} & set(sys.modules)
try:
    wb.conjugate("u**2/2")
except ImportError as error:
    assert error.extra == "proofs" and str(error).endswith('.whl[proofs]"'), error
print(f"import and solve: {time.perf_counter() - begun:.1f} s")
"""
TABLES = (
    ("solve", "four.libsvm", "--out", "model.npz"),
    ("predict", "model.npz", "four.libsvm"),
    ("certify", "four.libsvm", "--lam", "1e-3", "--coef", "coef.npy"),
    ("solve", "breast-cancer", "--loss", "logistic", "--tol", "1e-3"),
)
# The most that the packages of the core and of the pages may take.
CORE_MEGABYTES, PAGES_MEGABYTES = 520, 1000
# What needs the core alone to be tested; the tests are copied, so that they meet the wheel and not the clone.
TESTS = ("properties/test_certificate.py", "properties/test_interval.py", "unit/solvers/test_gauss_seidel.py")


def run(command, **options):
    """The output of a command that must succeed."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def interpreters():
    """The programs of each Python that starts here, of those that the wheel takes, from the oldest."""
    programs, uv = [sys.executable], shutil.which("uv")
    for minor in range(11, 20):
        program = shutil.which(f"python3.{minor}")
        if program is None and uv:
            command = [uv, "python", "find", "--no-python-downloads", f"3.{minor}"]
            program = subprocess.run(command, text=True, capture_output=True).stdout.strip()
        # What a manager of versions puts in the place of one that is switched off ends with an error.
        if program and not subprocess.run([program, "--version"], capture_output=True).returncode:
            programs.append(program)
    versions = {
        run([program, "-c", "import sys; print(*sys.version_info[:2])"]): program for program in programs
    }
    return [versions[text] for text in sorted(versions, key=lambda text: tuple(map(int, text.split())))]


def oldest_versions(folder):
    """A file of constraints: of each dependency the oldest version that pyproject.toml admits."""
    said = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = said["optional-dependencies"]
    needed = [*said["dependencies"], *extras["cli"], *extras["proofs"], *extras["tables"]]
    needed = [requirement for requirement in needed if ">=" in requirement]
    file = folder / "oldest.txt"
    file.write_text(
        "\n".join(re.sub(r">=([\d.]+)", r"==\1.*", requirement) for requirement in needed), encoding="utf-8"
    )
    return file


def install(folder, python, wheel, *options, limit=float("inf")):
    """A fresh environment with the wheel; returns its folder of programs."""
    run([python, "-m", "venv", folder])
    installed = folder / "bin" / "python"
    begun = time.perf_counter()
    run([installed, "-m", "pip", "install", "--quiet", wheel, *options])
    spent = time.perf_counter() - begun
    run([installed, "-m", "pip", "check"])
    size = megabytes(folder)
    version = run([installed, "--version"]).strip()
    print(f"{folder.name}: {version}, installed in {spent:.0f} s, {size:.0f} MB", flush=True)
    if size > limit:
        sys.exit(f"{folder.name} takes {size:.0f} MB, more than {limit}")
    return folder / "bin"


def megabytes(folder):
    """The size of an environment's packages, without those that make the environment itself."""
    own = {"pip", "setuptools", "pkg_resources"}
    (packages,) = folder.glob("lib/python*/site-packages")
    files = (path for path in packages.rglob("*") if path.is_file())
    return sum(path.stat().st_size for path in files if path.relative_to(packages).parts[0] not in own) / 1e6


def check_proofs(programs, folder, wheel, *options):
    """Add proofs, derive a function, and run tests of the core, whose oracle is mpmath."""
    added = f"{wheel}[cli,proofs]", "pytest", "hypothesis"
    run([programs / "python", "-m", "pip", "install", "--quiet", *added, *options])
    run([programs / "workbench", "derive", "log(1 + exp(u))", "--timeout", "600"])
    copied = shutil.copytree(PROJECT / "tests", folder / "tests", dirs_exist_ok=True)
    command = [programs / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not long", *TESTS]
    last = run(command, cwd=copied).strip().splitlines()[-1]
    print(f"tests of {programs.parent.name}: {last}", flush=True)


def check_core(programs):
    """Check what the core does; messages about missing extras are in test_extras.py."""
    for _ in range(2):
        print(f"core: {run([programs / 'python', '-c', THREE_LINES]).strip()}", flush=True)


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
        pythons = interpreters()
        old = ("-c", oldest_versions(folder))
        for number, python in enumerate(pythons):
            programs = install(folder / f"core-{number}", python, wheel, limit=CORE_MEGABYTES)
            check_core(programs)
            check_proofs(programs, folder, wheel)
        programs = install(folder / "core-oldest", pythons[0], wheel, *old)
        check_core(programs)
        check_proofs(programs, folder, wheel, *old)
        check_tables(install(folder / "tables-oldest", pythons[0], f"{wheel}[tables]", *old))
        check_pages(install(folder / "pages-newest", pythons[-1], f"{wheel}[pages]", limit=PAGES_MEGABYTES))
    print(f"{wheel.name}: the core works alone, and every page is drawn")


if __name__ == "__main__":
    main()
