"""The pages of the site that are made from the package: terms, solvers, reference, proofs, course.

An extension of Sphinx. What it writes stands in docs/made, docs/made_static and docs/made_extra, none of
which is kept: a loss that is added as a row of `terms` has its page without a word written here.
"""

import dataclasses
import functools
import hashlib
import html
import inspect
import json
import math
import os
import re
import shutil
from pathlib import Path
from urllib.parse import quote, unquote, urlencode

import numpy as np
import practice
import sympy as sp
from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import workbench as wb
from workbench import losses, regularizers, solvers, studies
from workbench._support.display import svg
from workbench._support.errors import InputError
from workbench._support.system import lessons, resources
from workbench.conjugates import terms
from workbench.conjugates.convex.syntax import text as typed
from workbench.conjugates.convex.syntax import vocabulary
from workbench.conjugates.derivations import verification
from workbench.conjugates.terms.derived import coordinate_conjugate, derive_loss, derive_regularizer
from workbench.conjugates.terms.losses import LINEAR, QUADRATIC, START
from workbench.estimators import models
from workbench.pages import formulas, registry, site
from workbench.pages import terms as page_terms
from workbench.problems.regularizers import norms
from workbench.studies.results import Table, Value
from workbench.teaching import deck
from workbench.teaching import pages as lesson_pages

HERE = Path(__file__).parent
MADE, STATIC, EXTRA = (HERE / name for name in ("made", "made_static", "made_extra"))
# Files beside docs/ in the repository that are pages of the site.
BESIDE = {
    "CONTRIBUTING.md": "contributing",
    "SECURITY.md": "security",
    "CHANGELOG.md": "changelog",
    "lessons/README.md": "the-course",
    "lessons/lecturer/README.md": "the-lecturers-pack",
    "lessons/module/README.md": "the-module",
    "lessons/module/assignment.md": "the-assignment",
}
# Public names that are modules: each has a page for each of its own public names.
MODULES = (
    "losses",
    "regularizers",
    "norms",
    "solvers",
    "gaps",
    "bounds",
    "data",
    "kernels",
    "iteration",
    "pages",
)
SECTIONS = {
    "appendix": "Zhang (2002), Appendix E",
    "losses": "Losses",
    "regularizers": "Regularizers",
    "catalogue": "Vectors and others",
}
ARGUMENTS = {"margin": "u = y z", "residual": "u = z - y", "prediction": "u = z"}
# The letters of a coordinate's step.
STEP = dict(zip((LINEAR, QUADRATIC, START), ("a", "b", "v_0"), strict=True))
LAB = "dual-lab"
LINK = re.compile(r'<(?:a|link|img|iframe|script)\b[^>]*?\b(?:href|src)="([^"#][^"]*)"')
FETCHED = re.compile(r'<(?:script|img|iframe|link)\b[^>]+?\b(?:src|href)="(https?:[^"]+)"')
SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.DOTALL)
# Letters of a script from which on it is a file of the site.
SHARED = 10**6
# A small problem of each kind of loss, to ask a solver what it takes.
ROWS = np.array([[1.0, 0.5], [-1.0, 0.3], [0.7, -0.2], [-0.4, 0.9]])
# The interval on which functions are drawn.
DRAWN = np.linspace(-3.0, 3.0, 241)
TARGETS = {"margin": [1.0, -1.0, 1.0, -1.0], "residual": [0.5, -1.0, 2.0, 0.0], "prediction": [1.0] * 4}


def setup(app):
    """Register what is made before the pages are read."""
    app.connect("config-inited", lambda _app, _config: make(os.environ.get("DOCS_WITHOUT", "").split()))
    app.connect("source-read", linked)
    app.connect("doctree-read", share_scripts)
    app.connect("doctree-read", name_pictures)
    app.add_directive("live", Live)
    return {"parallel_read_safe": True}


def make(without=()):
    """Write all pages that are made; `without` names parts to leave out: "pages", "course"."""
    for folder in (MADE, STATIC, EXTRA):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    (STATIC / "katex.css").write_text(f"{formulas.faces()}\n{formulas.sheet()}", encoding="utf-8")
    beside()
    course("course" in without)
    module("pages" not in without)
    term_pages()
    solver_pages()
    reference()
    proofs()
    errata()
    bibliography()
    results()
    reproductions()
    grammar()
    citation()
    live_pages("pages" in without)
    for part in without:
        print(f"left out: {part}; run `make docs` without DOCS_WITHOUT")


def write(name, *paragraphs):
    """Write a page of docs/made."""
    path = MADE / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(part.strip() for part in paragraphs if part) + "\n", encoding="utf-8")


def fenced(directive, body):
    """Return a directive with its body."""
    return f"```{{{directive}}}\n{body}\n```"


def contents(names, caption="", hidden=False):
    """Return a table of contents of pages beside this one."""
    options = [":maxdepth: 1"] + [f":caption: {caption}"] * bool(caption) + [":hidden:"] * hidden
    return fenced("toctree", "\n".join([*options, "", *names]))


def documented(what, name, *options):
    """Return the docstring of something in the package."""
    return fenced(
        "eval-rst", "\n".join([f".. auto{what}:: {name}", *(f"   {option}" for option in options), ""])
    )


def display(latex):
    """Return a formula on lines of its own, which are set below each other."""
    return fenced("math", rf"\begin{{gathered}}{latex}\end{{gathered}}" if r"\\" in latex else latex)


# --- pages that stand elsewhere in the repository


def beside():
    """Pages of the site from files beside docs/, whose links are relative to their own folder."""
    for file, name in BESIDE.items():
        text = (HERE.parent / file).read_text("utf-8")
        write(name, re.sub(r"\]\((?:\.\./)*docs/([\w-]+\.md)", r"](../\1", text))


def linked(_app, docname, source):
    """Links of a page to files of the repository, as links within the site."""
    up = "" if docname.startswith("made/") else "made/"
    for file, name in BESIDE.items():
        source[0] = re.sub(rf"\]\((?:\.\./)*{re.escape(file)}", f"]({up}{name}.md", source[0])


# --- a page for each loss, regularizer and norm


def term_pages():
    """Write a page for each row of `terms`, and for terms without a row: several classes, and norms."""
    cost = "How much a prediction costs: one convex function p, from which all else on the page is derived."
    several = class_page("losses", losses, "multinomial", "simplex")
    group("losses", cost, [*map(loss_page, terms.LOSSES), several])
    weights = "What weights cost, with a smooth conjugate h, so that dual variables determine w = ∇h(v)."
    group("regularizers", weights, map(regularizer_page, terms.REGULARIZERS))
    ball = "What weights cost, as a norm: the conjugate says that v is in the unit ball of the dual norm."
    classes = {getattr(norms, name) for name in norms.__all__ if isinstance(getattr(norms, name), type)}
    named = [name for name, made in regularizers.REGISTRY.items() if made in classes]
    group("norms", ball, [class_page("norms", regularizers, name, "norms") for name in named])


def group(kind, words, names):
    """Write the page above those of a kind."""
    write(f"{kind}/index", f"# {kind.capitalize()}", words, contents(list(names)))


def loss_page(term):
    """Write the page of one loss; returns its name."""
    dual = derive_loss(term)
    p = sp.latex(dual.pair.p.expr)
    write(
        f"losses/{term.name}",
        f"# {term.name}",
        f"Cost of a prediction z, as a function of {ARGUMENTS[term.kind]}. Source: {term.source}.",
        display(f"p(u) = {p}"),
        loss_picture(losses.get(of_row(losses, term))),
        "## The conjugate",
        display(rf"q(v) = \sup_u\; uv - p(u) = {dual.pair.q.latex}"),
        f"The dual variable of a sample has its v in ${sp.latex(sp.Interval(dual.lower, dual.upper))}$.",
        "## For a solver",
        r"The step of one dual variable, to the v of least $q(v) - a v + \tfrac{b}{2} (v - v_0)^2$, has "
        + (
            "no closed form; Newton's method finds it on the slope of p."
            if dual.coordinate is None
            else "a closed form, which is clipped to the domain:"
        ),
        "" if dual.coordinate is None else display(sp.latex(dual.coordinate, symbol_names=STEP)),
        *(
            f"At u = ${sp.latex(place)}$ the slope of p jumps from ${sp.latex(before)}$ to "
            f"${sp.latex(after)}$; a sample whose u stands there may have any v between."
            for place, before, after in dual.kinks
        ),
        *proof(dual.pair, "losses", term),
        takers("loss", losses, term),
        doors("conjugates", "dual-lab"),
        *alive("loss", page_terms.LOSSES, losses, term),
    )
    return term.name


def regularizer_page(term):
    """Write the page of one regularizer; returns its name."""
    dual = derive_regularizer(term)
    # Coordinates that a norm couples have no conjugate of one coordinate.
    pair = None if term.structure == "norm" else coordinate_conjugate(term)[0]
    inner = sp.latex(dual.inner.subs("scale", 0) if term.scaling == "shift" else dual.inner)
    write(
        f"regularizers/{term.name}",
        f"# {term.name}",
        f"A function of a sum over coordinates with weights c, by default 1. Source: {term.source}.",
        display(rf"g(w) = {sp.latex(term.primal_outer)}, \qquad S = \sum_j {sp.latex(term.primal)}"),
        "## The conjugate",
        display(rf"h(v) = {sp.latex(dual.outer)}, \qquad S = \sum_j c_j\, {inner}"),
        "Dual variables determine weights by its gradient, w = ∇h(v).",
        regularizer_picture(regularizers.get(of_row(regularizers, term))),
        *proof(pair, "regularizers", term),
        takers("regularizer", regularizers, term),
        doors("transfer", "dual-lab"),
        *alive("regularizer", page_terms.REGULARIZERS, regularizers, term),
    )
    return term.name


def loss_picture(loss):
    """Return p and its conjugate, drawn."""
    duals = np.linspace(*np.clip(loss.interval, DRAWN[0], DRAWN[-1]), DRAWN.size)
    charts = []
    for axis, name, part, places in (("u", "p", "value", DRAWN), ("v", "q", "conjugate", duals)):
        function = loss.formula(part)
        line = svg.Line(name, places, [function(x, loss.theta) for x in places])
        charts.append(svg.chart([line], f"{name} as a function of {axis}", axis, f"{name}({axis})"))
    return drawn(charts)


def regularizer_picture(regularizer):
    """Return a weight as a function of its dual variable, drawn; the other one of two is 0."""
    transfer = regularizer.at(2)
    weights = [transfer.map(np.array([v, 0.0]))[1][0] for v in DRAWN]
    return drawn([svg.chart([svg.Line("w", DRAWN, weights)], "w as a function of v", "v", "w")])


def drawn(charts):
    """Charts beside each other."""
    return f'```{{raw}} html\n<div class="drawn">{"".join(charts)}</div>\n```'


def alive(control, listed, registry, term):
    """Yield the Dual lab with a term, where it lists it."""
    row = registry.get(of_row(registry, term)).row
    for shown, text in listed.items():
        if registry.get(text).row == row:
            yield f"```{{live}} {LAB}\n{urlencode({control: shown}, quote_via=quote)}\n```"
            return


# The table of `workbench verify`.
table = functools.cache(verification.table)


def proof(pair, section, term):
    """Why a gap is never negative, what the checker says of it, and the derivation."""
    (row,) = (row for row in table()["pairs"] if (row["section"], row["name"]) == (section, term.name))
    yield "## Why the gap is never negative"
    if pair:
        yield "p(u) + q(v) - u v is at least zero for all u and v, face by face:"
        yield f"```text\n{pair.why()}\n```"
    yield f"What was established: **{row['status']}**."
    yield "\n".join(f"- *{claim['name']}*: {claim['status']}" for claim in row["claims"])
    if pair:
        steps = (f"**{step.title}.** {step.reason}\n\n{display(step.latex)}" for step in pair.steps)
        yield "::::{dropdown} How it is derived\n" + "\n\n".join(steps) + "\n::::"


def class_page(kind, registry, name, *pages):
    """Write the page of a term without a row in `terms`, from its class; returns its name."""
    made = registry.REGISTRY[name]
    text = documented("class", f"{made.__module__}.{made.__name__}", ":no-index:")
    write(f"{kind}/{name}", f"# {name}", text, doors(*pages))
    return name


def takers(role, registry, term):
    """Which solvers take a problem with this term, asked by starting them."""
    names = [name for name in solvers.REGISTRY if takes(name, role, registry, term)]
    links = ", ".join(f"[{name}](../solvers/{name}.md)" for name in names)
    beside = "squared ℓ2 as regularizer" if role == "loss" else "the logistic loss"
    return f"## Who solves it\n\nWith {beside}, dense data and no bias: {links}."


def takes(solver, role, registry, term):
    """Return whether a solver starts on a small problem with the term."""
    kind = term.kind if role == "loss" else "margin"
    named = {"loss": "logistic", "regularizer": "squared-l2"} | {role: of_row(registry, term)}
    try:
        X = np.abs(ROWS) if kind == "prediction" else ROWS
        solvers.get(solver).init(wb.Problem(X, np.array(TARGETS[kind]), lam=0.1, **named))
    except InputError:
        return False
    return True


def of_row(registry, term):
    """Return the loss or regularizer of a row, whose name may end with a parameter of the class."""
    if term.name in registry.REGISTRY:
        # An attribute without a field of the class follows from others, as the sum of weights from the prior.
        asked = {field.name for field in dataclasses.fields(registry.REGISTRY[term.name])}
        needed = {str(parameter.symbol) for parameter in term.parameters if parameter.default is None} & asked
        return f"{term.name}:{','.join(f'{name}=1.5' for name in sorted(needed))}".rstrip(":")
    name, _, power = term.name.rpartition("-")
    return f"{name}:p={1.5 if power == 'p' else power}"


# --- solvers and reference


def solver_pages():
    """Write a page for each solver, from its docstring."""
    for name, solver in solvers.REGISTRY.items():
        text = documented("class", f"workbench.solvers.{solver.__name__}", ":no-index:")
        write(f"solvers/{name}", f"# {name}", text, doors("compare"))
    words = '`wb.solve(problem, "auto")` chooses among them; each can be had by name or as an object.'
    group("solvers", words, solvers.REGISTRY)


# The public names by what they are for; names in none of these have a group of their own.
GROUPS = {
    "Problems and solutions": (
        "Problem",
        "solve",
        "Solution",
        "Run",
        "path",
        "sweep",
        "solvers",
        "iteration",
    ),
    "Certificates": ("certificate", "gaps", "bounds", "screening", "stability"),
    "Estimators of scikit-learn": (
        *("DualClassifier", "DualRegressor", "KernelSVC", "MultinomialClassifier"),
        "PrimalGradientClassifier",
    ),
    "Tables and data": ("fit", "Model", "data"),
    "Functions": ("losses", "regularizers", "norms", "kernels", "conjugate", "appendix_e", "errata"),
    "Entropy": ("maximum_entropy",),
    "Many machines": ("DistributedProblem",),
    "Pages": ("pages", "live"),
}
OTHERS = "Errors and warnings"


def reference():
    """Write a page for each public name, and the groups of them with a line for each."""
    public = [name for name in wb.__all__ if name != "__version__"]
    grouped = {name for names in GROUPS.values() for name in names}
    missing = {name: getattr(wb, name) for name in public if name not in grouped}
    errors = sorted(name for name, thing in missing.items() if what(thing) == "exception")
    others = sorted(missing.keys() - set(errors))
    parts = ["# Reference", "`import workbench as wb`; each name is loaded when it is first used."]
    for title, names in [*GROUPS.items(), ("Others", others), (OTHERS, errors)]:
        rows = [f"| [`wb.{name}`]({name}.md) | {summary(getattr(wb, name))} |" for name in names]
        if rows:
            table = ["| name | what it is |", "| --- | --- |", *rows]
            parts += [f"## {title}", "\n".join(table), contents(names, title, hidden=True)]
    write("reference/index", *parts)
    for name in set(public) - set(MODULES):
        thing = getattr(wb, name)
        # scikit-learn makes these methods, with links into its own pages.
        left_out = ", ".join(filter(re.compile("[gs]et_.*(request|routing)").fullmatch, dir(thing)))
        members = [":members:", f":exclude-members: {left_out}"] if what(thing) == "class" else []
        is_estimator = isinstance(thing, type) and issubclass(thing, models._Dual)
        call = signature(thing) if is_estimator else ""
        document = documented(what(thing), f"workbench.{name}{call}", *members)
        write(f"reference/{name}", f"# wb.{name}", document, *(methods(thing) if is_estimator else ()))
    for name in MODULES:
        module = getattr(wb, name)
        things = {key: getattr(module, key) for key in module.__all__ if not key.isupper()}
        parts = [
            documented(what(value), f"{module.__name__}.{key}")
            for key, value in things.items()
            if callable(value)
        ]
        write(f"reference/{name}", f"# wb.{name}", documented("module", module.__name__), *parts)


def summary(thing):
    """Return the first sentence of a docstring, for a cell of a table."""
    return (
        inspect.getdoc(thing).partition("\n\n")[0].replace("\n", " ").replace("|", "\\|").replace("``", "`")
    )


def signature(estimator):
    """Return the parameters of an estimator with their defaults."""
    parameters = list(inspect.signature(estimator.__init__).parameters.values())[1:]
    return f"({', '.join(f'{parameter.name}={parameter.default!r}' for parameter in parameters)})"


def methods(estimator):
    """Yield the methods that an estimator inherits from the package, and name those of scikit-learn."""
    own, theirs = [], []
    for name in dir(estimator):
        function = inspect.getattr_static(estimator, name)
        if name.startswith("_") or name in vars(estimator) or isinstance(function, property):
            continue
        home = next(cls for cls in estimator.__mro__ if name in vars(cls))
        if home.__module__ == models.__name__:
            own.append(documented("method", f"workbench.{estimator.__name__}.{name}"))
        elif callable(getattr(estimator, name, None)) and not re.search("request|routing", name):
            theirs.append(f"`{name}`")
    yield from own
    if theirs:
        yield f"From scikit-learn: {', '.join(theirs)}."


def grammar():
    """Write the functions that a formula may have, which docs/formulas.md includes."""
    spellings = {}
    for name, main in vocabulary._ALIASES.items():
        spellings.setdefault(main, []).append(f"`{name}`")
    rows = []
    for name in vocabulary.MAIN_NAMES:
        function = vocabulary.FUNCTIONS.get(name)
        count = "conditions" if function is None else {1: "1"}.get(function.most, f"{function.least} or more")
        count = "1 or 2" if function is not None and function.most == 2 else count
        rows.append(f"| `{name}` | {count} | {', '.join(spellings.get(name, []))} |")
    write(
        "functions",
        f"A formula has at most {typed.LENGTH} characters, {typed.NODES} parts and {typed.DEPTH} levels; a "
        f"name has at most {vocabulary.NAME_LENGTH} characters.",
        "\n".join(["| function | arguments | also |", "| --- | --- | --- |", *rows]),
    )


def citation():
    """Write how to cite the workbench, from CITATION.cff."""
    file = (HERE.parent / "CITATION.cff").read_text("utf-8")
    fields = dict(re.findall(r'^([\w-]+): "?([^"\n]+)"?$', file, flags=re.MULTILINE))
    year = fields.get("date-released", "")[:4]
    lines = [
        "@software{duality_workbench,",
        "  author = {The Duality Workbench developers},",
        f"  title = {{{fields['title']}}},",
        f"  version = {{{fields.get('version', wb.__version__)}}},",
        *([f"  year = {{{year}}},"] if year else []),
        "}",
    ]
    words = (
        "If the workbench helped your teaching or your work, please cite it, and the source of the method "
    )
    words += "used, which the [bibliography](bibliography.md) and each docstring name."
    bibtex = "```bibtex\n" + "\n".join(lines) + "\n```"
    write(
        "citing", "# How to cite", words, bibtex, f"As CITATION.cff has it:\n\n```yaml\n{file.strip()}\n```"
    )


def what(thing):
    """Return autodoc's name for the kind of an object."""
    if isinstance(thing, type):
        return "exception" if issubclass(thing, Exception) else "class"
    return "function"


# --- what was proved, and what is printed wrongly


def bibliography():
    """Write the sources, from the file that the paper cites."""
    lines = []
    references = (HERE.parent / "paper" / "paper.bib").read_text("utf-8")
    for entry in re.split(r"^@", references, flags=re.MULTILINE)[1:]:
        fields = dict(re.findall(r"^ *(\w+) = \{(.*)\}", entry, flags=re.MULTILINE))
        parts = ("journal", "booktitle", "publisher", "volume", "pages")
        where = [fields[part] for part in parts if part in fields]
        names = "; ".join(fields["author"].replace("--", "–").split(" and "))
        text = f"{names}: *{fields['title']}*" + "".join(f", {part}" for part in where).replace("--", "–")
        lines.append(f"- {text}" + (f" ({fields['year']})." if "year" in fields else "."))
    words = "The first four are what the workbench follows; docstrings name the source of each method."
    write("bibliography", "# Bibliography", words, "\n".join(lines))


def proofs():
    """Write the table of `workbench verify`."""
    parts = [
        "# Proved pairs",
        "Each conjugate pair that the workbench states, as `workbench verify` has it: derived by search, "
        "then decided, claim by claim, by a small checker.",
    ]
    for section, title in SECTIONS.items():
        parts.append(f"## {title}")
        for row in table()["pairs"]:
            if row["section"] == section:
                claims = ", ".join(f"{claim['name']} {claim['status']}" for claim in row["claims"])
                parts.append(f"**{row['name']}**: {row['status']}. {row['source']}.")
                parts += [display(row["derived"]), claims]
    write("proved-pairs", *parts)


def errata():
    """Write the table of `wb.errata()`."""
    parts = ["# Errata", "Where the sources are printed wrongly, each place with a computed counterexample."]
    for erratum in table()["errata"]:
        parts += [
            f"## {erratum['source']}, {erratum['where']}",
            "Printed:",
            display(erratum["printed"]),
            "Correct:",
        ]
        parts += [display(erratum["corrected"]), erratum["counterexample"]]
        parts.append(f"{erratum['reason']} Likely cause: {erratum['cause']}.")
    write("errata", *parts)


# --- what moves


def live_pages(skip):
    """Write the pages of the workbench as files in the site, each in a frame that loads when it is seen."""
    parts = ["# Live pages", "Each computes in your browser, without a server."]
    if skip:
        parts.append("They are not in this copy of the site; `workbench site FOLDER` writes them.")
    else:
        site.write(EXTRA / "live", force=True)
    for name, page in registry.pages().items():
        if not page.sentence:  # Home, which is the index of the others
            continue
        parts += [f"(live-{name})=\n## {page.title}", page.sentence, f"```{{live}} {name}\n```"]
    write("gallery", *parts)


class Live(SphinxDirective):
    """A page of the workbench in a frame that loads when it is seen, with a picture until then."""

    required_arguments = 1
    has_content = True  # its state, as the address of the page has it

    def run(self):
        """Its nodes; where the pages were left out, the picture and how to have them."""
        page, up = registry.of(self.arguments[0]), "../" * self.env.docname.count("/")
        picture = f'<img class="live" alt="" src="{up}_static/dual-lab.png">' if page.name == LAB else ""
        place = f"{up}live/{page.name}.html" + "".join(f"#{html.escape(state)}" for state in self.content)
        if (EXTRA / "live" / f"{page.name}.html").is_file():
            title = html.escape(f"{page.title}: {page.sentence}")
            still = f' style="background-image: url({up}_static/dual-lab.png)"' if picture else ""
            text = f'<iframe class="live" loading="lazy" src="{place}" title="{title}"{still}></iframe>'
            text += f'<p class="doors"><a href="{place}">Open it alone</a>{lesson(page, up)}</p>'
        else:
            command = f"<code>workbench serve {page.name}</code>"
            text = f"{picture}<p>Not in this copy of the site: {command} shows it.</p>"
        return [nodes.raw("", text, format="html")]


def lesson(page, up):
    """Return a link to the lesson of a page, where the site has it."""
    there = (MADE / "course" / f"{page.lesson}.ipynb").is_file()
    return f' · <a href="{up}made/course/{page.lesson}.html">Its lesson</a>' if there else ""


def doors(*names):
    """Links to live pages and their lessons, of a page in a folder of docs/made."""
    pages = [registry.of(name) for name in names]
    there = [f"[{page.title}](#live-{page.name})" for page in pages]
    there += [
        f"[its lesson](../course/{page.lesson}.ipynb)"
        for page in pages[:1]
        if (MADE / "course" / f"{page.lesson}.ipynb").is_file()
    ]
    return "## See it move\n\n" + ", ".join(there) + "."


def check_links(app, error):
    """Warn where a link or a picture leads to no file of the site, or a page loads from another host."""
    if error or app.builder.name != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        # Live pages have tests of their own, and a theme's template is not a page.
        if path.parent.name in ("live", "_static"):
            continue
        text = path.read_text("utf-8")
        for address in FETCHED.findall(text):
            logging.getLogger(__name__).warning("%s: it loads from another host: %s", path, address)
        text = SCRIPT.sub(lambda match: match[0].replace(match[1], ""), text)
        for target in sorted(set(LINK.findall(text))):
            place, _, _ = unquote(html.unescape(target)).partition("#")
            place = place.partition("?")[0]
            if place and not re.match(r"[\w+.-]+:|//", place) and not (path.parent / place).exists():
                logging.getLogger(__name__).warning("%s: a link that leads nowhere: %s", path, target)


# --- what was measured


def results():
    """Write the race, as `make race` stored it."""
    results = json.loads((HERE / "results.json").read_text("utf-8"))
    race = results["race"]
    parts = ["# Benchmarks", measured(race), race["rules"]]
    parts += [f"Not measured: {'; '.join(race['missing'])}."] if race["missing"] else []
    for row in race["rows"]:
        slowest = max(row["seconds"].values())
        bars = "".join(
            f'<dt>{html.escape(name)}</dt><dd><span style="width: {60 * spent / slowest:.1f}%"></span> '
            f"{spent * 1e3:.3g} ms</dd>"
            for name, spent in sorted(row["seconds"].items(), key=lambda pair: pair[1])
        )
        parts.append(f"## {row['task']}, to {row['mark']:g}")
        parts.append(f'```{{raw}} html\n<dl class="bars">{bars}</dl>\n```')
    write("benchmarks", *parts)


def reproductions():
    """Write the tables and figures of the papers with ours beside them, as `docs/results.py` stored them."""
    records = json.loads((HERE / "reproductions.json").read_text("utf-8"))
    parts = ["# Reproductions", "The tables and figures of the papers, the published values beside ours."]
    for name in studies.NAMES:
        study, record = studies.get(name), records.get(name)
        parts.append(f"({name})=\n## {study.title}")
        if record is None:
            command = f"`workbench reproduce {name} --report FOLDER`"
            parts.append(f"{study.source}. Not recorded in this copy of the site; {command} measures it.")
            continue
        parts.append(f"{record['source']}. {measured(record)}")
        for table in record["tables"]:
            parts += [f"### {table['title']}", html_table(table), table["note"]]
        for plot in record["plots"]:
            parts += [f"### {plot['title']}", figure(plot), plot["note"]]
        parts.append("### What the source says, and what came out")
        said = (
            f"- **{claim['verdict']}**: {claim['text']} ({claim['evidence']})" for claim in record["claims"]
        )
        parts += ["\n".join(said), *record["notes"]]
    write("reproductions", *parts)


def html_table(table):
    """Return a table of a study, which scrolls where it is wider than the page."""
    rows = [[Value(**cell) if isinstance(cell, dict) else cell for cell in row] for row in table["rows"]]
    texts = Table(table["title"], tuple(table["columns"]), tuple(map(tuple, rows))).texts()
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in table["columns"])
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in texts)
    label = html.escape(table["title"], quote=True)
    region = f'<div class="wide" tabindex="0" role="region" aria-label="{label}">'
    return (
        f'```{{raw}} html\n{region}<table class="table">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>\n```"
    )


def figure(plot):
    """Return a figure of a study, drawn; published values are dots."""
    lines = [
        svg.Line(
            f"{curve['name']}, published" * curve["published"] or curve["name"],
            [math.nan if x is None else x for x in curve["x"]],
            [math.nan if y is None else y for y in curve["y"]],
            dots=curve["published"],
        )
        for curve in plot["curves"]
    ]
    logs = {"x_log": plot["x_scale"] == "log", "y_log": plot["y_scale"] == "log"}
    return drawn([svg.chart(lines, plot["title"], plot["x_label"], plot["y_label"], **logs)])


def measured(record):
    """When, where and by which command something was measured."""
    seeds = f" Draws with {record['seeds']} seeds." if record.get("seeds") else ""
    return f"Measured on {record['date']} ({record['machine']}) by `{record['command']}`.{seeds}"


# --- the course


def course(skip):
    """Write the lessons with their answers folded; they run when the site is built."""
    names = []
    if not skip:
        (MADE / "course").mkdir()
        for name, notebook in lessons.notebooks(HERE.parent / "lessons", folded):
            place = next(k for k, cell in enumerate(notebook["cells"], 1) if cell["source"].startswith("# "))
            notebook["cells"].insert(place, lesson_doors(Path(name).stem))
            (MADE / "course" / name).write_text(json.dumps(notebook, indent=1), encoding="utf-8")
            names.append(f"course/{Path(name).stem}")
    copies = list(resources.lessons().values())
    (EXTRA / "notebooks").mkdir()
    for path in copies:
        (EXTRA / "notebooks" / path.name).write_bytes(lessons.as_json(lessons.copy_of(path)))
    quiz = [(deck.QUIZ, "Quiz of the module", deck.quiz())]
    (EXTRA / "practice.html").write_text(practice.page(copies, quiz), encoding="utf-8")
    door = '```{raw} html\n<p><a href="../practice.html">The short problems, in your browser</a></p>\n```'
    words = "Each lesson's goals, and what trains them; 5.p1a is the first short problem of kind 5.p1."
    write("objectives", "# Objectives", words, practice.objectives(copies))
    page = (MADE / "the-course.md").read_text("utf-8")
    inside = contents(
        ["the-module", "the-assignment", "objectives", "the-lecturers-pack", *names], hidden=True
    )
    write("the-course", page, door, inside)


def module(live):
    """Write the slides of the module, with live pages where the site has them, and its page's links."""
    (EXTRA / "module").mkdir()
    doors = []
    for number, lecture in enumerate(deck.LECTURES, 1):
        text = deck.page(lecture, "../live" if live else None)
        (EXTRA / "module" / f"{lecture}.html").write_text(text, encoding="utf-8")
        doors.append(f'<a href="../module/{lecture}.html">Slides of lecture {number}</a>')
    practised = {name: f"Short problems of lesson {int(name[:2])}" for name in deck.LESSONS}
    for name, words in (practised | {deck.QUIZ: "The quiz"}).items():
        doors.append(f'<a href="../practice.html#{name}">{words}</a>')
    listed = "\n".join(f"- {door}" for door in doors)
    pages = ", ".join(f"[{registry.of(name).title}](#live-{name})" for name in deck.LIVE)
    page = (MADE / "the-module.md").read_text("utf-8")
    write(
        "the-module",
        page.replace(deck.DOORS, f"{listed}\n- [The assignment](the-assignment.md)\n- Live: {pages}"),
    )


def share_scripts(app, doctree):
    """Make files of the site of the script with which every notebook brings Bokeh, and of Panel's sheets."""
    up = "../" * app.env.docname.count("/")

    def sheet(match):
        target = STATIC / "panel" / match[1]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(lesson_pages._panel(match[1]), target)
        return f"{up}_static/panel/{match[1]}"

    def as_file(match):
        if len(match[1]) < SHARED:
            return match[0]
        name = f"{hashlib.sha256(match[1].encode()).hexdigest()[:12]}.js"
        (STATIC / name).write_text(match[1], encoding="utf-8")
        return f'<script src="{up}_static/{name}"></script>'

    for node in doctree.findall(nodes.raw):
        text = lesson_pages.SHEET.sub(sheet, SCRIPT.sub(as_file, node.astext()))
        node.replace_self(nodes.raw("", text, **node.attributes))


def name_pictures(_app, doctree):
    """Give a picture that code has drawn the title of its section as the text for readers without eyes."""
    for image in doctree.findall(nodes.image):
        section = image.parent
        while section is not None and not isinstance(section, nodes.section):
            section = section.parent
        if section is not None and not image.get("alt"):
            image["alt"] = section.next_node(nodes.title).astext()


def lesson_doors(name):
    """Return a cell with the students' notebook, and the live pages on its subject."""
    shown = [page for page in registry.pages().values() if page.lesson == name]
    there = [f'<a href="../../notebooks/{name}.ipynb" download>The notebook</a>']
    there += [f"[{page.title}, alive](#live-{page.name})" for page in shown]
    return {"cell_type": "markdown", "metadata": {}, "id": "doors", "source": " · ".join(there)}


def folded(notebook):
    """Return a lesson with its answers, below a fold."""
    cells = []
    for cell in notebook["cells"]:
        text, meta = "".join(cell["source"]), {"tags": cell["metadata"].get("tags", [])}
        # The title of the notebook of solutions.
        if lessons.TAG in meta["tags"] and not cells:
            continue
        if lessons.TAG in meta["tags"] and cell["cell_type"] == "markdown":
            text = f"::::{{dropdown}} Solution\n{text}\n::::"
        elif cell["metadata"].get("nbgrader", {}).get("solution"):
            text, meta = lessons.solved(text), {"tags": ["hide-input"]}
        cells.append(cell | {"source": text, "metadata": meta})
    return notebook | {"cells": cells}
