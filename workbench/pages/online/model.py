"""The rules of the page of online rules, and the Python that gives its numbers."""

from typing import NamedTuple

from workbench.pages.wording import content

VISITS = 600
# As in the script.
FEATURES = (2, 100)


class Rule(NamedTuple):
    """A rule as the page shows it: (24) with the map of one regularizer."""

    regularizer: str  # in the table of `derivations.sketches.transfer`
    norm: float | None  # of v, where nobody chooses it
    entropic: bool
    term: str  # the regularizer as text, whose braces stand for the sliders
    bound: str  # the call that gives mistakes and bound
    solver: str
    latex: str
    question: dict
    says: str
    answer: int


CONTENT = content("online")
RULES = {name: Rule(**entry) for name, entry in CONTENT["rules"].items()}
# Where the points lie, and which weights predict, with what the page calls them.
SHAPES = {"uniform": "in a box", "orthonormal": "orthonormal"}
OUTPUTS = {"last": "w", "average": "the average of w"}
PRESETS = CONTENT["presets"]
LATEX = (
    r"y\, w^\top x \leq 0: \quad v \leftarrow v + \eta\, y\, x, \quad w = \nabla h(v)",
    r"\eta(\gamma M - L) \leq u^\top v \leq g(u) + h(v)",
    r"L = \sum_t \max(0, \gamma - y_t\, u^\top x_t)",
    r"D(u, w) = g(u) + h(v) - u^\top v",
)
SOURCE = (
    "Zhang (2002), (24); Novikoff (1962); Grove, Littlestone and Schuurmans (2001); Gentile (2003); "
    "docs/mathematics.md, section 10"
)


def python(rule, bounded):
    """The lines that give the present numbers in a notebook; braces stand for the settings.

    Parameters
    ----------
    rule : Rule
    bounded : bool
        Whether there is a bound; without one the rule runs as a solver.
    """
    head = (
        "import numpy as np\nimport workbench as wb\n\n"
        "X, y, u = wb.data.examples.stream(\n    {dimension}, {relevant}, {margin}, {noise}, {seed}, "
        "'{shape}')\norder = np.arange({seen}) % len(y)\n"
    )
    problem = f'problem = wb.Problem(X, y, "hinge", "{rule.term}", lam={{lam}})\n'
    twin = (
        'twin = wb.Run(problem, wb.solvers.GaussSeidel(order="cyclic"))\ntwin.step({seen})\n'
        "print(twin.certificate().gap)"
    )
    if bounded:
        code = f"result = {rule.bound}order=order, margin={{gamma}})\n"
        code += "print(result.mistakes, result.bound)\nprint(result.w, result.average)\n\n"
        return f"{head}{code}{problem}{twin}"
    run = f'run = wb.Run(problem, wb.solvers.{rule.solver}output="{{output}}"))\n'
    code = f"{run}run.step({{seen}})\nprint(run.state.mistakes.sum(), run.solver.weights(run.state))\n\n"
    return f"{head}{problem}{code}{twin}"
