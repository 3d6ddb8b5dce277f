"""The drawing of an online rule: points, mistakes, both sides of the mirror, the way to u, the twin."""

from bokeh.models import ColumnDataSource, InlineStyleSheet, RadioButtonGroup, Range1d

from workbench.derivations.sketches import TRANSFER_FUNCTIONS
from workbench.pages import browser
from workbench.pages.browser import plot, slider
from workbench.pages.online.model import CHOICES, NUMBERS, OUTPUTS, RULES, SHAPES, python
from workbench.pages.theme import stroke as key

PLACES = ("x", "y")
# What computes; the last one of the page draws.
PROGRAMS = ("mirror", "online/rule")
SOURCES = {
    "plus": PLACES,
    "minus": PLACES,
    "missed": PLACES,
    "newest": PLACES,
    "strip": PLACES,
    "edge": PLACES,
    "twin_edge": PLACES,
    "counted": PLACES,
    "bound": PLACES,
    "fact": PLACES,
    "others": PLACES,
    "now": ("x", "low", "high"),
    "passes": PLACES,
    "v_path": PLACES,
    "v_twin": PLACES,
    "v_step": PLACES,
    "v_now": PLACES,
    "w_path": PLACES,
    "w_twin": PLACES,
    "w_now": PLACES,
    "w_average": PLACES,
    "u": PLACES,
    "simplex": PLACES,
    "axes": PLACES,
    "w_twin_now": PLACES,
    "v_twin_now": PLACES,
    "potential": PLACES,
    "promise": PLACES,
    "potential_now": PLACES,
    "primal": PLACES,
    "dual": PLACES,
    "twin_now": PLACES,
}
GO = ("Step", "Next mistake", "Run", "Reset")
STEP, MISTAKE, RUN, START = range(len(GO))
LABELS = {"rule": CHOICES["rule"], "shape": tuple(SHAPES.values()), "output": tuple(OUTPUTS.values())}


def document(model, outcomes, look):
    """The `BrowserDocument` of the page.

    Parameters
    ----------
    model : Online
    outcomes : dict of str to dict
        From `workbench.derivations.sketches.transfer`, by regularizer.
    look : theme.Look
    """
    sources = {
        name: ColumnDataSource({column: [] for column in columns}) for name, columns in SOURCES.items()
    }
    figures = {
        "points": _points(sources, look),
        "mistakes": _mistakes(sources, look),
        "v": _side("v", sources, look),
        "w": _side("w", sources, look),
        "potential": _potential(sources, look),
        "twin": _twin(sources, look),
    }
    drawing = browser.BrowserDocument(figures, _controls(model, look), _titles(look), look)
    arguments = {
        "sources": sources,
        "rules": specifications(outcomes),
        "shapes": list(SHAPES),
        "outputs": list(OUTPUTS),
        "python": [[python(rule, bounded) for bounded in (False, True)] for rule in RULES.values()],
    }
    names, text = printed(outcomes)
    return drawing.connect((*PROGRAMS, "online/browser"), text, names, arguments)


def printed(outcomes):
    """The formulas of each rule in a scope of its own: the names of these, and the text."""
    names = [f"rule_{place}" for place in range(len(RULES))]
    scopes = (
        f"const {name} = (() => {{\n{outcomes[rule.regularizer]['script']}\n"
        f"return {{{', '.join(TRANSFER_FUNCTIONS)}}};\n}})();"
        for name, rule in zip(names, RULES.values(), strict=True)
    )
    return names, "\n".join(scopes)


def specifications(outcomes):
    """What the script knows of each rule."""
    return [
        {
            "name": name,
            "formulas": f"rule_{place}",
            "norm": rule.norm,
            "entropic": rule.entropic,
            "linear": outcomes[rule.regularizer]["linear"],
            "lower": outcomes[rule.regularizer]["lower"],
        }
        for place, (name, rule) in enumerate(RULES.items())
    ]


def _controls(model, look):
    def group(labels, active, across=2):
        css = f""":host {{ height: auto !important; }}
.bk-btn-group {{ display: grid !important; grid-template-columns: repeat({across}, 1fr); width: 100%; }}
.bk-btn {{ padding: 6px 4px; border-radius: 0; }}"""
        return RadioButtonGroup(
            labels=list(labels),
            active=active,
            stylesheets=[browser.sheet(look), InlineStyleSheet(css=css)],
            sizing_mode="stretch_width",
            margin=(2, 0, 8, 0),
        )

    chosen = {name: options.index(getattr(model, name)) for name, options in CHOICES.items()}
    controls = {"rule": group(LABELS["rule"], chosen["rule"], 3), "go": group(GO, None)}
    for name, (label, step) in NUMBERS.items():
        low, high = model.param[name].bounds
        controls[name] = slider(label, low, high, getattr(model, name), look, step=step)
        if name == "eta":
            controls["shape"] = group(LABELS["shape"], chosen["shape"])
    controls["output"] = group(LABELS["output"], chosen["output"])
    return controls


def _titles(look):
    blue, red, green, purple = look.blue, look.vermillion, look.green, look.purple
    return {
        "points": (
            "The points seen so far",
            key("solid", red, "w·x = 0") + key("dotted", look.ink, "y u·x = γ") + key("dashed", blue, "twin"),
        ),
        "mistakes": (
            "Mistakes and their bound",
            key("solid", red, "mistakes")
            + key("solid", green, "bound")
            + key("dotted", purple, "in hindsight")
            + key("dashed", look.muted, "others"),
        ),
        "v": ("v is the sum of the mistakes", key("solid", red, "v") + key("dashed", blue, "twin")),
        "w": (
            "Its mirror image w = ∇h(v)",
            key("solid", red, "w") + key("dashed", blue, "twin") + key("dotted", look.ink, "u"),
        ),
        "potential": (
            "Each mistake brings w nearer to u",
            key("solid", red, "divergence") + key("dotted", green, "at most, with the margin γ"),
        ),
        "twin": (
            "The large-margin twin",
            key("solid", green, "P") + key("dashed", blue, "−D, a lower bound"),
        ),
    }


def _now(figure, x, y, source, look, colour, marker="circle"):
    figure.scatter(
        x,
        y,
        source=source,
        size=11,
        color=look.paper,
        line_color=colour,
        line_width=1.2 * look.line,
        marker=marker,
    )


def _points(sources, look):
    figure = plot("points", "along u", "across u", look, heights=(220, 17, 380))
    figure.line(*PLACES, source=sources["strip"], color=look.ink, width=0.7 * look.line, dash="dotted")
    figure.line(*PLACES, source=sources["twin_edge"], color=look.blue, width=look.line, dash="dashed")
    figure.line(*PLACES, source=sources["edge"], color=look.vermillion, width=1.3 * look.line)
    size = 6
    figure.scatter(*PLACES, source=sources["plus"], size=size, color=look.blue, marker="circle", alpha=0.8)
    figure.scatter(
        *PLACES,
        source=sources["minus"],
        size=size,
        line_color=look.green,
        fill_color=None,
        line_width=1.6,
        marker="square",
    )
    figure.scatter(
        *PLACES,
        source=sources["missed"],
        size=2 * size,
        fill_color=None,
        line_color=look.vermillion,
        line_width=1.4,
    )
    figure.scatter(
        *PLACES,
        source=sources["newest"],
        size=3 * size,
        fill_color=None,
        line_color=look.ink,
        line_width=look.line,
    )
    return figure


def _mistakes(sources, look):
    figure = plot(
        "mistakes",
        "points seen",
        "mistakes",
        look,
        heights=(220, 17, 380),
        y_axis_type="log",
        y_range=Range1d(0.7, 100),
    )
    figure.line(*PLACES, source=sources["passes"], color=look.rule, width=1)
    figure.line(*PLACES, source=sources["others"], color=look.muted, width=0.6 * look.line, dash="dashed")
    figure.line(*PLACES, source=sources["fact"], color=look.purple, width=look.line, dash="dotted")
    figure.line(*PLACES, source=sources["bound"], color=look.green, width=1.3 * look.line)
    figure.line(*PLACES, source=sources["counted"], color=look.vermillion, width=1.3 * look.line)
    figure.segment("x", "low", "x", "high", source=sources["now"], color=look.muted, line_width=1)
    _now(figure, "x", "low", sources["now"], look, look.vermillion)
    return figure


def _side(name, sources, look):
    figure = plot(name, "feature 1", "last feature", look, heights=(220, 17, 380))
    figure.line(*PLACES, source=sources["axes"], color=look.rule, width=1)
    if name == "w":
        figure.line(*PLACES, source=sources["simplex"], color=look.muted, width=0.8 * look.line)
        figure.line(*PLACES, source=sources["u"], color=look.ink, width=0.8 * look.line, dash="dotted")
    figure.line(
        *PLACES, source=sources[f"{name}_twin"], color=look.blue, width=0.8 * look.line, dash="dashed"
    )
    figure.line(*PLACES, source=sources[f"{name}_path"], color=look.vermillion, width=look.line)
    figure.scatter(*PLACES, source=sources[f"{name}_path"], size=4, color=look.vermillion)
    if name == "v":
        figure.line(*PLACES, source=sources["v_step"], color=look.vermillion, width=2.4 * look.line)
    else:
        _now(figure, *PLACES, sources["w_average"], look, look.purple, "triangle")
    _now(figure, *PLACES, sources[f"{name}_twin_now"], look, look.blue, "square")
    _now(figure, *PLACES, sources[f"{name}_now"], look, look.vermillion)
    return figure


def _potential(sources, look):
    figure = plot("potential", "points seen", "D(u, w)", look)
    figure.line(*PLACES, source=sources["promise"], color=look.green, width=look.line, dash="dotted")
    figure.line(*PLACES, source=sources["potential"], color=look.vermillion, width=1.2 * look.line)
    _now(figure, *PLACES, sources["potential_now"], look, look.vermillion)
    return figure


def _twin(sources, look):
    figure = plot("twin", "points seen", "", look)
    figure.line(*PLACES, source=sources["primal"], color=look.green, width=1.2 * look.line)
    figure.line(*PLACES, source=sources["dual"], color=look.blue, width=1.2 * look.line, dash="dashed")
    _now(figure, *PLACES, sources["twin_now"], look, look.blue, "square")
    return figure
