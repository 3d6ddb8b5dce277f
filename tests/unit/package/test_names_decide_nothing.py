"""Outside terms, registries, presets and peers nothing is decided by the name of a loss or a regularizer."""

import ast
import re
from pathlib import Path

import pytest

import workbench
from workbench import losses, regularizers
from workbench.kernels import formulas

PACKAGE = Path(workbench.__file__).parent
OWN = "custom"
NAMES = {*losses.REGISTRY, *regularizers.REGISTRY, *formulas.LOSSES, *formulas.REGULARIZERS, OWN}
# "bounded" is an update of Gauss-Seidel, too; its class stays among those that are looked for.
NAMES -= {"bounded"}
CLASSES = {cls.__name__ for cls in (*losses.REGISTRY.values(), *regularizers.REGISTRY.values())}
# What a text has that names one of them, whatever it does with it.
NAMED = re.compile(rf"""["']({"|".join(map(re.escape, NAMES))})["':]|\b({"|".join(CLASSES)})\b""")
# What may name them, and why.
ALLOWED = {
    "conjugates/terms": "states the formulas",
    "kernels/formulas.py": "is generated from them",
    "problems/losses": "the registry and its classes",
    "problems/regularizers": "the registry and its classes",
    "conjugates/convex": "a catalogue of norms and a vocabulary of formulas",
    "estimators/external/objectives.py": "what estimators of other packages minimize, each in its own names",
    "studies/race.py": "the peers, each of which solves certain problems",
    "studies": "reproduce problems that papers name",
    "pages/terms.py": "the choices of pages",
    "pages/transfer/model.py": "the choices of a page",
}


def named(node):
    """The losses and regularizers that an expression names, by text or by class."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            if part.value.partition(":")[0] in NAMES:
                yield part.value
        elif isinstance(part, ast.Name | ast.Attribute):
            name = part.id if isinstance(part, ast.Name) else part.attr
            if name in CLASSES:
                yield name


def decided(tree):
    """(line, name) of each comparison, type test, match, table key or look-up that names one."""
    for node in ast.walk(tree):
        parts = []
        if isinstance(node, ast.Compare | ast.MatchValue | ast.MatchClass):
            parts = [node]
        elif isinstance(node, ast.Dict):
            parts = [key for key in node.keys if key is not None]
        elif isinstance(node, ast.Subscript):
            parts = [node.slice]
        elif isinstance(node, ast.Call):
            function = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if function in ("isinstance", "issubclass", "startswith", "endswith", "dict"):
                parts = [*node.args, *node.keywords]
        yield from ((node.lineno, name) for part in parts for name in named(part))


def modules():
    paths = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
    return [path for path in paths if not any(f"{path}/".startswith(f"{known}/") for known in ALLOWED)]


def test_no_module_decides_by_a_name():
    texts = {path: (PACKAGE / path).read_text(encoding="utf-8") for path in modules()}
    decisions = {
        f"{path}:{line}": name
        for path, text in texts.items()
        if NAMED.search(text)
        for line, name in decided(ast.parse(text))
    }
    assert decisions == {}


@pytest.mark.parametrize(
    "source",
    [
        "problem.loss.key == 'hinge-1'",
        "name in ('squared-l2', 'elastic-net')",
        "TABLE = {'huber': 1}",
        "isinstance(regularizer, regularizers.QNorm)",
        "regularizer == SquaredL2()",
        "STEPS['logistic']",
        "name.startswith('epsilon-insensitive')",
        "match name:\n    case 'entropy':\n        pass",
    ],
)
def test_the_scan_sees_what_it_forbids(source):
    assert list(decided(ast.parse(source)))


def test_allowed_exceptions_exist():
    for path in ALLOWED:
        assert (PACKAGE / path).exists(), path
