"""Each link, command and block of code of README and docs resolves or runs."""

import ast
import re
import shlex
from pathlib import Path

import pytest
import typer.main

import workbench as wb
from workbench.cli import app

PROJECT = Path(__file__).resolve().parents[3]
ROOM = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
    "lessons/README.md",
)
DOCUMENTS = [*map(PROJECT.joinpath, ROOM), *sorted((PROJECT / "docs").glob("*.md"))]
IDS = [str(path.relative_to(PROJECT)) for path in DOCUMENTS]
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
BLOCK = re.compile(r"```(?:python|\{code-cell\} python)\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"(?:^ {4,}|`)(?:\.venv/bin/)?workbench ((?:[^`\n\\]|\\\n)+)", re.MULTILINE)
TARGET = re.compile(r"(?:^ {4,}|`)make ([a-z-]+)", re.MULTILINE)
GROUP = typer.main.get_command(app)
# Options that a sentence shortens, and words that stand for an argument.
ELLIPSIS = re.compile(r"\.\.\.|…")
# Blocks that show the outline of a file, or need a cluster, a file of the reader's or names of the text;
# those of coming-from.md have a test of their own.
OUTLINES = (
    "browser.md",
    "coming-from.md",
    "distributed.md",
    "export.md",
    "in-class.md",
    "serving.md",
    "your-data.md",
)


def anchors(path):
    """Return the anchors of the headings of a document, as GitHub and the site name them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=IDS)
def test_every_link_resolves(path):
    for target, anchor in LINK.findall(path.read_text("utf-8")):
        # Pages that the build writes are checked by the build.
        if target.startswith("made/") or (not target and not anchor):
            continue
        file = path.parent / target if target else path
        assert file.exists(), (path.name, target)
        if anchor and file.suffix == ".md" and not anchor.startswith("live-"):
            assert anchor in anchors(file), (path.name, target, anchor)


@pytest.mark.parametrize("path", DOCUMENTS, ids=IDS)
def test_every_command_and_its_options_exist(path):
    text = path.read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(TARGET.findall(text)) <= targets
    for line in COMMAND.findall(text):
        name, *arguments = shlex.split(line.replace("\\\n", " "), comments=True, posix=True)
        if name.startswith("-") or not name.islower():  # an option of all commands, or a placeholder
            continue
        assert name in GROUP.commands, (path.name, line)
        known = {
            option
            for parameter in GROUP.commands[name].params
            for option in (*parameter.opts, *parameter.secondary_opts)
        } | {"--help"}
        options = {argument.partition("=")[0] for argument in arguments if argument.startswith("--")}
        # The options of another program: behind a pipe or &&, or passed on to it.
        passes_on = GROUP.commands[name].context_settings.get("ignore_unknown_options", False)
        if not passes_on and not {"|", "&&"} & set(arguments):
            assert options <= known, (path.name, line, options - known)


@pytest.mark.parametrize("path", DOCUMENTS, ids=IDS)
def test_every_block_of_code_names_what_there_is(path):
    for block in BLOCK.findall(path.read_text("utf-8")):
        tree = ast.parse(re.sub(r"^:tags:.*\n", "", block))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "wb":
                assert hasattr(wb, node.attr), (path.name, node.attr)


@pytest.mark.parametrize("path", DOCUMENTS, ids=IDS)
def test_every_name_of_the_package_in_text_and_indented_code_exists(path):
    text = path.read_text("utf-8")
    names = set(re.findall(r"(?<![\w/.])wb\.([A-Za-z_]\w*)", text))
    assert {name for name in names if not hasattr(wb, name)} == set()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", [p for p in DOCUMENTS if p.name not in OUTLINES], ids=lambda p: p.name)
def test_every_block_of_code_runs(path, tmp_path, monkeypatch):
    """The blocks of a document run one after the other, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    names = {}
    for block in BLOCK.findall(path.read_text("utf-8")):
        if not ELLIPSIS.search(block):
            exec(compile(re.sub(r"^:tags:.*\n", "", block), path.name, "exec"), names)


FORMULAS = re.findall(
    r"^\| (?!what|numbers|constants|domain|parameters)[^|]*\|.*\| `([^`]+)` \|$",
    (PROJECT / "docs" / "formulas.md").read_text("utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize("formula", [text for text in FORMULAS if text != "0 <= u <= 1"])
def test_the_examples_of_formulas_are_read(formula):
    pair = wb.conjugate(formula)
    assert pair.verify().status in ("proved", "checked")
