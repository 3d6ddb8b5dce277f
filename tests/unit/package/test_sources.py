"""Digests of what a function is made of: what changes them, and that stale machine code is never used."""

import importlib.util
import shutil
import sys

import pytest
from numba import types

from workbench._support.system import sources, storage
from workbench.conjugates.derivations import outcomes, verification
from workbench.kernels import compilation
from workbench.pages.wasm import sources as browser_sources

ONE = types.float64(types.float64)
KERNEL = '''\
"""A kernel whose helper stands in another file."""

from workbench import helpers
from workbench.helpers import SHIFT, half as halved

SPARE = 7.0


def unused(x):
    return x


def kernel(x):
    """Half of x, shifted."""
    # why it is so
    return halved(x) + SHIFT
'''
HELPERS = """\
from numba import njit

SHIFT = 1.0


def factor():
    return 0.5


@njit
def half(x):
    return x / 2
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a kernel and its helpers in two files, in place of this one."""
    place = tmp_path / "workbench"
    place.mkdir()
    (place / "__init__.py").write_text("")
    (place / "kernel.py").write_text(KERNEL)
    (place / "helpers.py").write_text(HELPERS)
    monkeypatch.setattr(sources, "PACKAGE", place)
    sources._file.cache_clear()
    yield place
    sources._file.cache_clear()


def edit(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def kernel_digest(package):
    return sources.digest((package / "kernel.py", "kernel"))


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("kernel.py", "halved(x) + SHIFT", "halved(x) - SHIFT"),
        ("kernel.py", "half as halved", "factor as halved"),
        ("helpers.py", "x / 2", "x / 3"),
        ("helpers.py", "SHIFT = 1.0", "SHIFT = 2.0"),
        ("helpers.py", "@njit", "@njit(fastmath=True)"),
    ],
    ids=["itself", "an import", "a helper", "a constant", "a decorator"],
)
def test_what_a_function_is_made_of_changes_its_digest(package, file, before, after):
    first = kernel_digest(package)
    edit(package / file, before, after)
    assert kernel_digest(package) != first


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("kernel.py", "Half of x, shifted.", "A half of x, shifted by one."),
        ("kernel.py", "# why it is so", "# because it is so\n"),
        ("kernel.py", "A kernel whose", "The kernel whose"),
        ("kernel.py", "SPARE = 7.0", "SPARE = 8.0"),
        ("kernel.py", "def unused(x):", "def unused(y, x):"),
        ("helpers.py", "return 0.5", "return 0.25"),
    ],
    ids=["docstring", "comment", "module's docstring", "constant", "neighbour", "helper of others"],
)
def test_nothing_else_does(package, file, before, after):
    first = kernel_digest(package)
    edit(package / file, before, after)
    assert kernel_digest(package) == first


def test_a_module_that_is_handed_on_counts_as_a_whole(package):
    edit(package / "kernel.py", "halved(x) + SHIFT", "getattr(helpers, 'half')(x)")
    first = kernel_digest(package)
    edit(package / "helpers.py", "return 0.5", "return 0.25")
    assert kernel_digest(package) != first


def test_a_text_of_several_lines_keeps_its_comments(package):
    edit(package / "helpers.py", "SHIFT = 1.0", 'SHIFT = """\n# one\n"""')
    first = kernel_digest(package)
    edit(package / "helpers.py", "# one", "# two")
    assert kernel_digest(package) != first


def test_of_what_is_not_there_nothing_is_said(package):
    with pytest.raises(LookupError, match=r"kernel\.py has no definition of another"):
        sources.digest((package / "kernel.py", "another"))
    with pytest.raises(LookupError):
        sources.digest((package / "nowhere.py", sources.WHOLE))


def loaded(package, name):
    """A module of the package as it now stands."""
    spec = importlib.util.spec_from_file_location(f"workbench.{name}", package / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_an_edit_of_a_helper_in_another_file_compiles_new_code(package, tmp_path, monkeypatch):
    monkeypatch.setenv(storage.CACHE, str(tmp_path / "cache"))
    monkeypatch.setattr(storage, "_usable", {})
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import workbench

    def result():
        """What the kernel gives for 4, and whether its machine code came from the disk."""
        for name in ("helpers", "kernel"):
            monkeypatch.setitem(sys.modules, f"workbench.{name}", None)
            monkeypatch.setattr(workbench, name, loaded(package, name), raising=False)
        compiled = compilation.jit(workbench.kernel.kernel, ONE)
        return compiled(4.0), bool(compiled.stats.cache_hits)

    assert [result(), result()] == [(3.0, False), (3.0, True)]
    edit(package / "helpers.py", "x / 2", "x / 4")
    assert [result(), result()] == [(2.0, False), (2.0, True)]
    edit(package / "kernel.py", "Half of x", "A quarter of x")
    edit(package / "helpers.py", "return 0.5", "return 0.25")
    assert result() == (2.0, True)


@pytest.mark.parametrize("options", [{"fastmath": True}, {"fastmath": {"reassoc", "contract"}}])
def test_options_are_part_of_what_machine_code_is_made_of(options):
    plain = compilation.made_of(compilation.made_of, {})
    assert compilation.made_of(compilation.made_of, options) != plain


def test_a_function_without_a_source_is_not_kept():
    made = {}
    exec("def made(x):\n    return x\n", made)
    assert compilation.made_of(made["made"], {}) is None


def test_a_new_loss_leaves_what_was_made_before_it_fresh(tmp_path, monkeypatch):
    """Kernels, WebAssembly and outcomes that come with the package, of which a new loss is no part."""
    place = tmp_path / "workbench"
    shutil.copytree(sources.PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__", "teaching"))
    monkeypatch.setattr(sources, "PACKAGE", place)
    sources._file.cache_clear()

    formulas = place / "kernels" / "formulas.py"

    def digests():
        sketches = place / "conjugates" / "derivations" / "sketches.py"
        printed = place / "pages" / "wasm" / "printed.py"
        return [
            sources.digest((formulas, "hinge_1_coordinate")),
            sources.digest((place / "solvers" / "algorithms" / "_linear.py", "_steps")),
            sources.digest((printed, sources.WHOLE), without=(formulas,)),
            *(sources.digest((sketches, name)) for name in ("pair", "simplex", "transfer")),
        ]

    first = digests()
    edit(
        place / "conjugates" / "terms" / "losses.py",
        "LOSSES = (",
        "LOSSES = (\n    LossTerm('new', 'margin', U),",
    )
    edit(formulas, "LOSSES = {", 'LOSSES = {\n    "new": {"kind": "margin"},')
    with open(formulas, "a", encoding="utf-8") as file:
        file.write("\n\ndef new_coordinate(start, linear, quadratic, theta):\n    return start\n")
    assert digests() == first
    edit(place / "conjugates" / "codegen" / "printer.py", "def derivative(", "def derivative(*more, ")
    assert digests()[:3] == first[:3]
    assert not set(digests()[3:]) & set(first)
    sources._file.cache_clear()


def test_what_the_package_lacks_in_the_browser_is_named():
    formulas = sources.defined(browser_sources.FORMULAS)
    assert browser_sources.lacking(formulas) == []
    assert browser_sources.lacking(formulas - {"hinge_1_coordinate", "elastic_net_row_add"}) == [
        "elastic-net",
        "hinge-1",
    ]


SHOWN = ("_support/errors/explained.py", "_support/display/", "_support/system/extras.py")


@pytest.mark.parametrize(
    ("module", "root", "some", "left_out"),
    [
        (
            outcomes,
            (outcomes.SKETCHES, "pair"),
            "conjugates/convex/report.py conjugates/codegen/javascript.py",
            SHOWN,
        ),
        (
            verification,
            (verification.__file__, sources.WHOLE),
            "conjugates/terms/losses.py conjugates/derivations/verification.py",
            (*SHOWN, "conjugates/convex/worker.py", "_support/system/"),
        ),
    ],
    ids=["outcomes", "verification"],
)
def test_what_is_derived_follows_what_derives_it(module, root, some, left_out):
    whole, used = (
        {path.relative_to(sources.PACKAGE).as_posix() for path in sources.files(root, without=outside)}
        for outside in ((), module.OUTSIDE)
    )
    assert {"conjugates/convex/conjugate.py", *some.split()} <= used
    assert [name for name in whole - used if not name.startswith(left_out)] == []
    assert not any(name.startswith(("pages", "solvers", *left_out)) for name in used)


def test_what_a_module_does_when_it_is_imported_counts(package):
    first = kernel_digest(package)
    edit(package / "helpers.py", "def factor", "register(1)\n\n\ndef factor")
    second = kernel_digest(package)
    edit(package / "helpers.py", "register(1)", "register(2)")
    assert len({first, second, kernel_digest(package)}) == 3
