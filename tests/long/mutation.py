"""Mutate the package, one small change at a time, and record the tests that notice it.

    python tests/long/mutation.py --record     draw mutants, and run those that have no fate yet
    python tests/long/mutation.py --stale      list those whose place is gone, and run nothing
    python tests/long/mutation.py              run those that were killed again; fails where one lives now

A mutant is found by its function and the text of its statement; where these have changed it is gone, and
--record draws another one. A run that was stopped goes on where it was; remove build/mutants.json to begin
anew. Mutants live in copies of the checkout. A death counts only if the same test passes beside a change that
means nothing: one that compares digests of sources, or fails in a copy anyway, says nothing about a mutant.
A test that takes half the time of a mutant hangs, which is a death, too. If no test could tell a mutant from
the code, write "equivalent" for its fate in the baseline, with the reason.
"""

import argparse
import ast
import collections
import contextlib
import copy
import json
import operator
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from time import monotonic

import psutil

import workbench
from tests.helpers.answer_mutants import CALLED, _At, _replacements, _Seen
from tests.unit.package.test_imports import modules_of
from workbench._support.system import storage

ROOT = Path(__file__).resolve().parents[2]
BASELINE, RUN = ROOT / "tests/corpora/golden/mutants.json", ROOT / "build/mutants.json"
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
SEED, A_ROOM, WORKERS, MOST_FILES = 20, 20, 2, 8
# Of a mutant: seconds of wall time, bytes, and how long its statement is at most; seconds of a test file that
# tests/corpora/timings.json does not know.
LIMIT, MOST_BYTES, MOST_CHARACTERS, UNKNOWN = 60, 6 * 2**30, 400, 5
# The modules of pages that know no widget, or decide more than they show.
LOGIC = """address curves datasets explain formulas leave_out model new_rows plane preview
ranges reproductions saddle screened solved terms texts ticks time_marks turns""".split()  # noqa: SIM905
ROOMS = {
    "solvers": ("solvers/**/*.py", "kernels/*[!s].py", "kernels/*[!a]s.py"),  # formulas.py is generated
    "certificates": ("certificates/**/*.py", "solvers/bounds/*.py"),
    "conjugates": ("conjugates/convex/**/*.py", "conjugates/terms/*.py"),
    "engine": ("pages/wasm/*.py",),
    "tables": ("data/**/*.py",),
    "page logic": tuple(f"pages/**/{stem}.py" for stem in LOGIC),
}
MARKED = re.compile(r"^pytestmark = .*mark\.(long|serial|browser)\b", re.MULTILINE)
UNMARKED = "not long and not serial and not browser"
PLACE = ("file", "function", "before", "ordinal")
place_of = operator.itemgetter(*PLACE)
FATES = ("killed", "equivalent", "survived", "gone", "not run")
PAIRS = ((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn))
OTHERS = dict(PAIRS) | {b: a for a, b in PAIRS}
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
COMPOUND = (ast.If, ast.While, ast.For, ast.With)
DOTS = "\n    ..."
SILENT = (ast.Assert, ast.Try, ast.Match, ast.ExceptHandler, ast.match_case, ast.AsyncFor, ast.AsyncWith)
TOLD = ('"', "'", "__", "warnings.", "logger.", "log.", "logging.", "print(")
NUMBERS = (ast.BinOp, ast.UnaryOp, ast.Constant, ast.Call, ast.Subscript)


def statements(body, function=""):
    """(qualified name of the function, statement) for all that runs but definitions."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from statements(node.body, f"{function}.{node.name}".lstrip("."))
        elif not (isinstance(node, ast.If) and ast.unparse(node.test).startswith(("TYPE_CHECK", "__name__"))):
            yield function, node
            for block in BLOCKS:
                yield from statements(getattr(node, block, ()), function)


def bare(node):
    """A statement without the statements inside it."""
    if isinstance(node, COMPOUND):
        node = copy.copy(node)
        node.body, node.orelse = [ast.Expr(ast.Constant(...))], []
    return node


def others(node):
    """Return the nodes that may replace a node, beside those that make an exercise's answer wrong."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Compare):
        yield ast.Compare(node.left, [OTHERS[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.Name) and node.id in ("max", "min"):
        yield ast.Name(CALLED[node.id], node.ctx)
    elif isinstance(node, ast.Call) and len(node.args) == 2 and not isinstance(node.args[1], ast.Starred):
        yield ast.Call(node.func, node.args[::-1], node.keywords)
    elif isinstance(node, ast.Slice) and node.upper:
        yield ast.Slice(node.lower, ast.BinOp(node.upper, ast.Add(), ast.Constant(1)), node.step)
    elif not isinstance(node, ast.Return) or isinstance(node.value, NUMBERS):
        yield from _replacements(node, ())


def changes(node):
    """The texts that a statement may be exchanged for, by the kind of change."""
    shown, groups = bare(node), collections.defaultdict(list)
    before = ast.unparse(shown)
    if isinstance(node, SILENT) or before.startswith(TOLD) or len(before) > MOST_CHARACTERS:
        return []
    stored = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript)
    if stored or isinstance(node, ast.Expr | ast.AugAssign | ast.Raise | ast.Break | ast.Continue):
        groups["deleted"].append("pass")
    if isinstance(node, ast.If):
        groups["negated"].append(f"if not ({ast.unparse(node.test)}):{DOTS}")
    seen = _Seen()
    seen.visit(copy.deepcopy(shown))
    for place, argument in enumerate(seen.nodes):
        # The text of an error is for people; most unions are types.
        is_message = isinstance(node, ast.Raise) or isinstance(getattr(argument, "op", None), ast.BitOr)
        for other in () if is_message else others(argument):
            changed = ast.fix_missing_locations(_At(place, other).visit(copy.deepcopy(shown)))
            zero = isinstance(argument, ast.Constant) and argument.value == other.value
            text = ast.unparse(ast.parse(ast.unparse(changed)))
            groups[type(argument).__name__] += [text] * (text != before and not zero)
    return [texts for texts in groups.values() if texts]


def located(root, mutant):
    """The text of a mutant's file and its statement, or None where that is not there any more."""
    path = root / mutant["file"]
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    equal = [
        node
        for function, node in statements(ast.parse(text).body)
        if function == mutant["function"] and ast.unparse(bare(node)) == mutant["before"]
    ]
    return (text, equal[mutant["ordinal"]]) if mutant["ordinal"] < len(equal) else None


def exchanged(text, node, after, idle=False):
    """The text of a file with other code in place of a statement or its head, and an idle `pass` behind."""
    lines = text.split("\n")
    margin = inner = " " * node.col_offset
    last, after = node.end_lineno, after.removesuffix(DOTS)
    if isinstance(node, COMPOUND):
        last, inner = node.body[0].lineno - 1, " " * node.body[0].col_offset
        margin += "el" * lines[node.lineno - 1].startswith(f"{margin}elif")
    lines[node.lineno - 1 : last] = [margin + after, *[f"{inner}pass"] * idle]
    return "\n".join(lines)


def drawn(root, old):
    """The mutants that are there still, and others for those that are gone or were never drawn."""
    mutants = {place: mutant for place, mutant in old.items() if located(root, mutant)}
    for room, patterns in ROOMS.items():
        rng, places, count = random.Random(f"{SEED} {room}"), [], collections.Counter()
        for path in sorted({path for pattern in patterns for path in (root / "workbench").glob(pattern)}):
            for function, node in statements(ast.parse(path.read_text(encoding="utf-8")).body):
                place = (path.relative_to(root).as_posix(), function, ast.unparse(bare(node)))
                places.append(((*place, count[place]), node))
                count[place] += 1
        rng.shuffle(places)
        missing = A_ROOM - sum(mutant["room"] == room for mutant in mutants.values())
        for place, node in places:
            if missing > 0 and place not in mutants and (kinds := changes(node)):
                after = rng.choice(rng.choice(kinds))
                mutants[place] = {"room": room, **dict(zip(PLACE, place, strict=True)), "after": after}
                missing -= 1
    return mutants


class Tests:
    """Which test files may notice a change of a module: by what they import, name, and are called."""

    def __init__(self, root):
        paths = [*(root / "workbench").rglob("*.py"), *(root / "tests").rglob("*.py")]
        self.paths = {self.name(path.relative_to(root)): path for path in paths}
        self.needs = {name: self._needs(path) for name, path in self.paths.items()}
        timings = root / "tests/corpora/timings.json"
        seconds = json.loads(timings.read_text()) if timings.is_file() else {}
        self.tests = [
            (
                path.relative_to(root).as_posix(),
                bool(MARKED.search(path.read_text())),
                seconds.get(path.name, UNKNOWN),
                self._distances(name),
            )
            for name, path in self.paths.items()
            if path.stem.startswith("test_")
        ]

    def name(self, path):
        return re.sub(r"(/__init__)?\.py$", "", path.as_posix()).replace("/", ".")

    def _needs(self, path):
        """The modules that a file imports or has by a public name, and the solvers that a test names."""
        text, homes = path.read_text(encoding="utf-8"), workbench._HOMES | workbench._MODULES
        names = re.findall(r"(?:\bwb\.|from workbench import )(\w+)", text)
        modules = {f"workbench.{homes[name]}" for name in names if name in homes}
        for name in self.paths if path.stem.startswith("test_") else ():
            stem = name.removeprefix("workbench.solvers.")
            if stem != name and re.search(rf"\b{stem.replace('_', '[-_]?')}\b", text, re.IGNORECASE):
                modules.add(name)
        return modules | set(modules_of(path, self.paths.keys()))

    def _distances(self, test):
        distances, waiting = {test: 0, "workbench": 99}, [test]  # the package itself leads everywhere
        for module in waiting:
            new = self.needs[module] - distances.keys()
            distances |= dict.fromkeys(new, distances[module] + 1)
            waiting += new
        return distances

    def of(self, mutant):
        """The files that import a mutant's module most directly, and options of pytest."""
        name, ranked = self.name(Path(mutant["file"])), []
        stem = name.rpartition(".")[2].strip("_")
        for test, marked, seconds, distances in self.tests:
            if name in distances:
                # What is called like it is nearer, and to all solvers their contract.
                called = Path(test).stem
                alike = f"_{stem}_" in f"{called}_" or (mutant["room"], called) == (
                    "solvers",
                    "test_contract",
                )
                ranked.append((marked, distances[name] - 2 * alike, seconds, test))
        # Marked ones serve where there is nothing else; what takes half the time comes last.
        ranked = sorted(row for row in ranked if row[0] == min(ranked)[0])[:MOST_FILES]
        options = ["-m", "" if ranked and ranked[0][0] else UNMARKED]
        return [row[3] for row in sorted(ranked, key=lambda row: row[2] > LIMIT / 2)] + options


class Copy:
    """A copy of the checkout, and pytest in it."""

    def __init__(self, folder, kernels):
        self.root, self.temporary, self.kernels, self.moment = folder / "copy", folder / "tmp", kernels, 0
        shutil.copytree(ROOT, self.root, ignore=LEFT_OUT)
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        folders = {"PYTHONPATH": self.root, "TMPDIR": self.temporary, storage.CACHE: self.temporary / "cache"}
        # Under CI a test without its data fails.
        self.environment = {**os.environ, **threads, **folders, "PYTHONHASHSEED": "0", "CI": ""}
        command = [sys.executable, "-c", "import workbench; print(workbench.__file__)"]
        output = subprocess.check_output(command, cwd=self.root, env=self.environment, text=True)
        assert Path(output).is_relative_to(self.root), f"{output} would be tested, not the copy"

    def write(self, file, text):
        (self.root / file).write_text(text, encoding="utf-8")
        # No two texts have the same time, by which Python knows stale bytecode.
        self.moment += 1
        os.utime(self.root / file, (self.moment, self.moment))

    def pytest(self, *arguments, seconds):
        """(exit code or None where the time is over, the test that failed or "")."""
        cache, log = self.temporary / "pytest", self.temporary / "log"
        shutil.rmtree(cache, ignore_errors=True)
        # Examples are the same in every run; pytest's own cache, a fresh one, says what failed.
        options = ["-xq", "--hypothesis-profile=ci", f"-ocache_dir={cache}", *arguments]
        options += [f"-ofaulthandler_timeout={LIMIT / 2}", "-ofaulthandler_exit_on_timeout=true"]
        with log.open("wb") as output:
            process = psutil.Popen(
                [sys.executable, "-m", "pytest", *options],
                cwd=self.root,
                stdout=output,
                stderr=output,
                env=self.environment,
                start_new_session=True,
            )
        try:
            code = process.wait(seconds)
        except psutil.TimeoutExpired:
            for child in [*process.children(recursive=True), process]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()
            return None, ""
        failed = cache / "v/cache/lastfailed"
        if code < 0 or (code == 1 and not failed.is_file()):  # a crash or a halt, told with its lines
            match = re.search(r"tests/[\w/]+/test_\w+\.py", log.read_text(errors="replace"))
            return code, match[0] if match else ""
        return code, next(iter(json.loads(failed.read_text()))) if failed.is_file() else ""

    def fate(self, mutant, tests):
        """Return a mutant's fate, what killed it, and the seconds of tests until then."""
        if not (place := located(self.root, mutant)):
            return {"fate": "gone", "killer": "", "seconds": 0}
        # Machine code is this mutant's own: what it writes may be wrong for the next one.
        shutil.copytree(self.kernels, self.temporary / "cache/kernels", copy_function=os.link)
        # What killed it before is tried first, alone.
        begin, killer, fate = monotonic(), mutant.get("killer", ""), "survived"
        plans = [[killer]] * (self.root / killer.partition("::")[0]).is_file() + [tests.of(mutant)]
        while (plans := [plan for plan in plans if plan and plan[0] != "-m"]) and fate == "survived":
            self.write(mutant["file"], exchanged(*place, mutant["after"]))
            code, killer = self.pytest(*plans[0], seconds=max(begin + LIMIT - monotonic(), 1))
            if code is None:
                fate = "survived: time"
            elif not killer or (code not in (1, 2) and code >= 0):
                plans.pop(0)
            else:
                self.write(mutant["file"], exchanged(*place, mutant["before"], idle=True))
                check, file = "--collect-only" if code == 2 else "-q", killer.partition("::")[0]
                fate = "killed" if self.pytest(killer, check, seconds=LIMIT)[0] in (0, None) else fate
                plans = [[planned for planned in plan if not planned.startswith(file)] for plan in plans]
        self.write(mutant["file"], place[0])
        shutil.rmtree(self.temporary, ignore_errors=True)
        return {"fate": fate, "killer": killer * (fate == "killed"), "seconds": round(monotonic() - begin, 1)}


def outcomes(copies, mutants, tests):
    """Each mutant with its fate as it ends, in all copies at once."""

    def work(mutant):
        copy = copies.pop()
        fate = copy.fate(mutant, tests)
        copies.append(copy)
        return {**mutant, **fate}

    pool = ThreadPoolExecutor(len(copies))
    try:
        yield from (done.result() for done in as_completed([pool.submit(work, mutant) for mutant in mutants]))
    finally:  # an interrupt waits for those that run
        pool.shutdown(cancel_futures=True)


def description(mutant):
    line = "{fate:14} {seconds:5} s  {file} {function}: {before}  ->  {after}  {killer}"
    return line.format(**mutant).replace(DOTS, "")


def read(path):
    mutants = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return {place_of(mutant): mutant for mutant in mutants}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="complete the baseline")
    parser.add_argument("--all", action="store_true", help="run those again that survived, too")
    parser.add_argument("--only", type=int, metavar="N", help="run no more than N mutants")
    parser.add_argument(
        "--stale", action="store_true", help="list those whose place is gone, and run nothing"
    )
    arguments = parser.parse_args()
    if arguments.stale:
        stale = [mutant for mutant in read(BASELINE).values() if not located(ROOT, mutant)]
        print("\n".join("{file} {function}: {before}".format(**place).replace(DOTS, "") for place in stale))
        return bool(stale)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, resource.RLIM_INFINITY))
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as folder:
        kernels = shutil.copytree(storage.cache("kernels"), Path(folder, "kernels"))
        copies = [Copy(Path(folder, str(worker)), kernels) for worker in range(WORKERS)]
        old = drawn(copies[0].root, read(BASELINE)) if arguments.record else read(BASELINE)
        path, new = (BASELINE, old.copy()) if arguments.record else (RUN, read(RUN))
        fates = ("" if arguments.record else "killed", *("survived", "survived: time") * arguments.all)
        selected = {place: mutant for place, mutant in old.items() if mutant.get("fate", "") in fates}
        new = new if arguments.record or selected.keys() - new.keys() else {}  # that run was complete
        waiting = [selected[place] for place in selected if arguments.record or place not in new]
        random.Random(SEED).shuffle(waiting)  # a part of a run says something of all rooms
        for number, mutant in enumerate(
            outcomes(copies, waiting[: arguments.only], Tests(copies[0].root)), 1
        ):
            new[place_of(mutant)] = mutant
            path.parent.mkdir(exist_ok=True)
            storage.write(path, json.dumps([*new.values()], indent=1, ensure_ascii=False) + "\n")
            print(f"{number}/{len(waiting)} {description(mutant)}", flush=True)
    print(f"\n{'':14}" + "".join(f"{word:>11}" for word in ("drawn", *FATES)))
    now = {place: new.get(place, old[place]) for place in old}
    for room in ROOMS:
        ends = [
            mutant.get("fate", "not run").split(":")[0] for mutant in now.values() if mutant["room"] == room
        ]
        print(f"{room:14}{len(ends):11}" + "".join(f"{ends.count(fate):11}" for fate in FATES))
    alive = [old[key] for key in old if old[key].get("fate") == "killed" and "surv" in now[key]["fate"]]
    print("".join(f"\nlives now: {description(mutant)}" for mutant in alive))
    return bool(alive)


if __name__ == "__main__":
    sys.exit(main())
