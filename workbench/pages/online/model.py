"""The model of the page of online rules: the stream, the rule, its bound and the large-margin twin."""

from typing import NamedTuple

import param

from workbench.pages.wording import content

VISITS = 600
# As in the script.
FEATURES = (2, 100)


class Rule(NamedTuple):
    """A rule as the page shows it: (24) with the map of one regularizer."""

    regularizer: str  # in the table of `derivations.sketches.transfer`
    norm: float | None  # of v, where it is no choice
    entropic: bool
    term: str  # the regularizer as text, whose braces stand for the sliders
    bound: str  # the call that gives mistakes and bound
    solver: str
    latex: str
    question: str
    says: str


CONTENT = content("online")
RULES = {name: Rule(**entry) for name, entry in CONTENT["rules"].items()}
SHAPES = {"uniform": "In a box", "orthonormal": "Orthonormal"}
OUTPUTS = {"last": "w", "average": "its average"}
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
# Each number with its label and step, in the order of the page.
NUMBERS = CONTENT["numbers"]
CHOICES = {"rule": tuple(RULES), "shape": tuple(SHAPES), "output": tuple(OUTPUTS)}
NAMES = (*CHOICES, *NUMBERS)


class Online(param.Parameterized):
    """Choices of the page, with the bounds that its controls and its address share."""

    rule = param.Selector(objects=list(RULES))
    output = param.Selector(objects=list(OUTPUTS), doc="which weights predict")
    seen = param.Integer(60, bounds=(1, VISITS), doc="how many points have come")
    speed = param.Integer(20, bounds=(1, 200), doc="points a second while it runs")
    p = param.Number(4.0, bounds=(2.0, 12.0), doc="norm of v")
    eta = param.Number(0.2, bounds=(0.02, 1.0), doc="learning rate of Winnow")
    shape = param.Selector(objects=list(SHAPES), doc="where the points lie")
    dimension = param.Integer(2, bounds=FEATURES, doc="features")
    relevant = param.Integer(1, bounds=(1, 10), doc="of which u is the mean")
    margin = param.Number(0.1, bounds=(0.0, 0.6), doc="least y u.x without wrong labels")
    noise = param.Number(0.0, bounds=(0.0, 0.3), doc="share of wrong labels")
    seed = param.Integer(2, bounds=(0, 99), doc="of the stream")
    gamma = param.Number(0.1, bounds=(0.01, 0.8), doc="margin of the bound")
    power = param.Number(-2.0, bounds=(-2.0, 0.0), doc="logarithm of the twin's lambda")

    @property
    def entry(self):
        return RULES[self.rule]

    def latex(self):
        """The lines beside the figures."""
        return (LATEX[0], self.entry.latex, *LATEX[1:])


def python(rule, bounded):
    """The lines that give the present numbers in a notebook; braces stand for the sliders.

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
        code = f"found = {rule.bound}order=order, margin={{gamma}})\n"
        code += "print(found.mistakes, found.bound)\nprint(found.w, found.average)\n\n"
        return f"{head}{code}{problem}{twin}"
    run = f'run = wb.Run(problem, wb.solvers.{rule.solver}output="{{output}}"))\n'
    code = f"{run}run.step({{seen}})\nprint(run.state.mistakes.sum(), run.solver.weights(run.state))\n\n"
    return f"{head}{problem}{code}{twin}"
