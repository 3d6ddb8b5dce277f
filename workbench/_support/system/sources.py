"""What a function of this package is made of: its definition and all that it refers to, read, not imported.

A file that is made from sources (machine code, WebAssembly, an outcome of a derivation) is kept under the
digest of exactly these definitions, so that it is stale when one of them changes, and only then.

A definition is a top-level function, class or assignment. It refers to every name in it; a name that a module
imports leads into that module, and a module that is handed on as a whole leads to all that it defines. What
else a module does when it is imported belongs to all that import it.
Docstrings, comments and blank lines are no part of a definition. What is looked up by a text, such as
``getattr(module, name)``, is the caller's to name.
"""

import ast
import functools
import hashlib
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
# In place of a name: all that a module defines, and what it does beside defining.
WHOLE, EFFECTS = None, ""
DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def digest(*roots, without=(), state=""):
    """A fingerprint of definitions and of all that they refer to.

    Parameters
    ----------
    roots : (path, name)
        A Python file and what it defines, or None for all of that.
    without : collection of paths
        Files and folders that are left out.
    state : str
        What else it is a fingerprint of, such as the versions of libraries.

    Returns
    -------
    str
        32 hexadecimal digits, the same on every system.

    Raises
    ------
    LookupError
        A root that is not there, of which nothing could be said.
    """
    hasher = hashlib.sha256(state.encode())
    for path, name in sorted(_reached(roots, without)):
        text = _module(path).read(name)[0]
        if not text:
            continue
        # A generated file may be kept anywhere.
        place = path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else path.name
        hasher.update(f"\0{place}\0{name}\0{text}".encode())
    return hasher.hexdigest()[:32]


def files(*roots, without=()):
    """The files that hold what these definitions are made of, in order; raises as `digest` does."""
    return sorted({path for path, name in _reached(roots, without) if _module(path).read(name)[0]})


def defined(path):
    """The names that a file defines."""
    return set(_module(Path(path)).definitions) - {EFFECTS}


def _reached(roots, without):
    """All (path, name) that the roots lead to, themselves included."""
    without, visited = tuple(map(Path, without)), set()
    waiting = [(Path(path), name) for path, name in roots]
    for path, name in waiting:
        if not path.is_file() or (name is not WHOLE and name not in _module(path).definitions):
            raise LookupError(f"{path} has no definition of {name}")
    while waiting:
        path, name = waiting.pop()
        if (path, name) in visited or any(path.is_relative_to(each) for each in without):
            continue
        module = _module(path)
        if name is WHOLE:
            waiting += [(path, each) for each in module.definitions]
        elif name in module.definitions:
            visited.add((path, name))
            waiting += [(path, EFFECTS), *module.read(name)[1]]
        elif name in module.imported:
            waiting.append(module.imported[name])
    return visited


def _module(path):
    status = path.stat()
    return _read(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=1000)
def _read(path, changed, size):
    return _Module(path)


class _Module:
    """The definitions of a file, and where the names come from that it imports."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        self.path, self._lines = path, text.splitlines()
        self.definitions, self.imported = {EFFECTS: []}, {}
        # What the package's own decorators were given: importing the module may enter it somewhere.
        self._registered = set()
        for node in ast.parse(text).body:
            self._take(node)

    def _take(self, node):
        if isinstance(node, DEFINED):
            self._define(node.name, node)
            if any(self._is_ours(each) for each in node.decorator_list):
                self._registered.add((self.path, node.name))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self.imported |= _imported(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for each in ast.walk(target):
                    if isinstance(each, ast.Name):
                        self._define(each.id, node)
        elif isinstance(node, ast.Expr):
            if not isinstance(node.value, ast.Constant):
                self._define(EFFECTS, node)
        else:  # what stands under a condition, and the like
            for each in ast.iter_child_nodes(node):
                self._take(each)

    def _is_ours(self, decorator):
        names = {each.id for each in ast.walk(decorator) if isinstance(each, ast.Name)}
        return bool(names & (set(self.imported) | set(self.definitions)))

    def _define(self, name, node):
        self.definitions.setdefault(name, []).append(node)

    @functools.cache  # noqa: B019 - a module is kept for as long as the process runs
    def read(self, name):
        """The lines of a definition, and what it refers to as (path, name)."""
        lines, references = [], set()
        if name == EFFECTS:
            references = self._registered | {(path, EFFECTS) for path, _ in self.imported.values()}
        for node in self.definitions[name]:
            scan = _Scan(node)
            meanings = self.imported | scan.imported
            for word in scan.names:
                if word in meanings:
                    references.add(meanings[word])
                elif word in self.definitions:
                    references.add((self.path, word))
            for word, attribute in scan.attributes:
                place = meanings.get(word) or (self.path, word)
                references.add((place[0], attribute) if place[1] is WHOLE else place)
            lines += scan.code(self._lines)
        return "\n".join(lines), references


class _Scan:
    """One pass over a definition: its names, and which of its lines say nothing to Python."""

    def __init__(self, node):
        self.names, self.attributes, self.imported = set(), set(), {}
        self._told, self._texts = set(), set()
        self._first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        self._last = node.end_lineno
        self._visit(node)

    def _visit(self, node):
        if isinstance(node, ast.Name):
            self.names.add(node.id)
            return
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            self.attributes.add((node.value.id, node.attr))
            return
        if isinstance(node, ast.Constant | ast.JoinedStr):
            if node.end_lineno > node.lineno:
                self._texts.update(range(node.lineno, node.end_lineno + 1))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self.imported |= _imported(node)
        elif isinstance(node, DEFINED) and ast.get_docstring(node, clean=False) is not None:
            self._told.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
        for each in ast.iter_child_nodes(node):
            self._visit(each)

    def code(self, lines):
        for number in range(self._first, self._last + 1):
            line, plain = lines[number - 1], lines[number - 1].strip()
            comment = not plain or plain.startswith("#")
            if number not in self._told and (not comment or number in self._texts):
                yield line


def _imported(node):
    """What names an import gives: a file of the package and what it defines, or None for all of it."""
    imports = {}
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.partition(".")[0] == PACKAGE.name:
                module = alias.name if alias.asname else PACKAGE.name
                imports[alias.asname or PACKAGE.name] = (_file(module), WHOLE)
    elif node.module and node.module.partition(".")[0] == PACKAGE.name:
        for alias in node.names:
            inside = _file(f"{node.module}.{alias.name}")
            place = (inside, WHOLE) if inside else (_file(node.module), alias.name)
            imports[alias.asname or alias.name] = place
    return {name: place for name, place in imports.items() if place[0]}


@functools.cache
def _file(module):
    """The file of a module of the package, or None."""
    place = PACKAGE.parent.joinpath(*module.split("."))
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)
