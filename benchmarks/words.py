"""Count the words and names that plain English avoids; `words.toml` has the patterns and the counts left.

python benchmarks/words.py            print each pattern with its counts
python benchmarks/words.py --check    fail where a count has grown
python benchmarks/words.py --places NAME    list the places of a pattern
"""

import argparse
import ast
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_suffix(".toml")
FOLDERS = ("workbench", "lessons", "tests", "docs", "benchmarks")
BESIDE = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
GENERATED = {"bundles", "katex", "vendor", "node_modules", "build", "golden", "_share"}
PAGES = "workbench/pages/"


def files():
    """Return the tracked files in which words count: Python, JavaScript and Markdown, written by hand."""
    listed = subprocess.run(
        ["git", "ls-files", *FOLDERS, *BESIDE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = [ROOT / name for name in listed.stdout.split("\n") if not GENERATED & set(name.split("/"))]
    return [path for path in paths if path.suffix in (".py", ".js", ".md") and path.exists()]


def words(path):
    """Yield (kind, line, text) of the comments, strings, docstrings and names of values of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from (("prose", number, line) for number, line in enumerate(text.split("\n"), 1))
    elif path.suffix == ".js":
        comments = re.finditer(r"//.*|/\*(?s:.*?)\*/", text)
        yield from (("prose", text.count("\n", 0, match.start()) + 1, match[0]) for match in comments)
    else:
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type in (tokenize.COMMENT, tokenize.STRING):
                    yield "prose", token.start[0], token.string
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                if docstring := ast.get_docstring(node):
                    yield "docstrings", getattr(node, "lineno", 1), docstring
            elif isinstance(node, ast.Name):
                yield "names", node.lineno, node.id
            elif isinstance(node, ast.arg):
                yield "names", node.lineno, node.arg


def places(table):
    """Yield (name of the pattern, "pages" or "rest", path, line) of each place where a pattern occurs."""
    patterns = [
        (kind, name, re.compile(row["pattern"], re.IGNORECASE if kind == "prose" else 0))
        for kind, rows in table.items()
        for name, row in rows.items()
    ]
    for path in files():
        name_of_file = path.relative_to(ROOT).as_posix()
        side = "pages" if name_of_file.startswith(PAGES) else "rest"
        for kind, line, text in words(path):
            for kind_of_pattern, name, pattern in patterns:
                if kind == kind_of_pattern:
                    yield from ((name, side, name_of_file, line) for _ in pattern.finditer(text))


def main():
    """Print the counts; with --check return 1 where one is above what `words.toml` has."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="fail where a count has grown")
    parser.add_argument("--places", metavar="NAME", help="list the places of a pattern")
    arguments = parser.parse_args()
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    everything = list(places(table))
    if arguments.places:
        print("\n".join(f"{path}:{line}" for name, _, path, line in everything if name == arguments.places))
        return 0
    counts = Counter((name, side) for name, side, _, _ in everything)
    grown = 0
    for rows in table.values():
        for name, row in rows.items():
            for side in ("rest", "pages"):
                count, limit = counts[name, side], row[side]
                grown += count > limit
                if count > limit or not arguments.check:
                    print(f"{name} ({side}): {count:,} of {limit:,}")
    if grown and arguments.check:
        print(
            "more than benchmarks/words.toml has; write it in other words, see CONTRIBUTING.md",
            file=sys.stderr,
        )
    return int(bool(grown and arguments.check))


if __name__ == "__main__":
    sys.exit(main())
