"""The drawing of an online rule: points, mistakes, both sides of the mirror, the way to u, the twin."""

from bokeh.models import InlineStyleSheet, RadioButtonGroup

from workbench.conjugates.derivations.sketches import TRANSFER_FUNCTIONS
from workbench.pages import browser
from workbench.pages.browser import slider
from workbench.pages.drawing import Drawing, dots, entry, figure, glyph, line, point, ring
from workbench.pages.online.model import CHOICES, NUMBERS, OUTPUTS, RULES, SHAPES, python
from workbench.pages.theme import Look

AT = ("x", "y")
# What computes; the last one of the page draws.
TALL = {"heights": (220, 17, 380)}
SIZE = 6


def _now(source, edge, marker="circle", at=AT, z=0):
    return point(source, *at, edge, width=1.2, marker=marker, z=z)


def _side(name, title, first, last, *texts):
    """Paths of the rule and of its twin on one side of the mirror."""
    return figure(
        title,
        "feature 1",
        "last feature",
        line("axes", *AT, "rule", width=1 / Look.line),
        first,
        line(f"{name}_twin", *AT, "blue", "dashed", 0.8),
        line(f"{name}_path", *AT, "vermillion"),
        dots(f"{name}_path", *AT, 4, color="vermillion"),
        last,
        _now(f"{name}_twin_now", "blue", "square"),
        _now(f"{name}_now", "vermillion"),
        entry("solid", "vermillion", name),
        entry("dashed", "blue", "twin"),
        texts,
        **TALL,
    )


TABLE = {
    "points": figure(
        "The points seen so far",
        "along u",
        "across u",
        line("edge", *AT, "vermillion", width=1.3, z=1, says="w·x = 0"),
        line("strip", *AT, "ink", "dotted", 0.7, says="y u·x = γ"),
        line("twin_edge", *AT, "blue", "dashed", says="twin"),
        dots("plus", *AT, SIZE, color="blue", marker="circle", alpha=0.8, z=1),
        ring("minus", *AT, SIZE, "green", 1.6, marker="square", z=1),
        ring("missed", *AT, 2 * SIZE, "vermillion", 1.4, z=1),
        ring("newest", *AT, 3 * SIZE, "ink", Look.line, z=1),
        **TALL,
    ),
    "mistakes": figure(
        "Mistakes and their bound",
        "points seen",
        "mistakes",
        line("passes", *AT, "rule", width=1 / Look.line),
        line("counted", *AT, "vermillion", width=1.3, z=3, says="mistakes"),
        line("bound", *AT, "green", width=1.3, z=2, says="bound"),
        line("fact", *AT, "purple", "dotted", z=1, says="in hindsight"),
        line("others", *AT, "muted", "dashed", 0.6, says="others"),
        glyph("segment", "now", "x", "low", "x", "high", color="muted", line_width=1, z=3),
        _now("now", "vermillion", at=("x", "low"), z=3),
        **TALL,
        y_axis_type="log",
        y_range=(0.7, 100),
    ),
    "v": _side(
        "v",
        "v is the sum of the mistakes",
        [],
        line("v_step", *AT, "vermillion", width=2.4),
    ),
    "w": _side(
        "w",
        "Its mirror image w = ∇h(v)",
        [line("simplex", *AT, "muted", width=0.8), line("u", *AT, "ink", "dotted", 0.8)],
        _now("w_average", "purple", "triangle"),
        entry("dotted", "ink", "u"),
    ),
    "potential": figure(
        "Each mistake brings w nearer to u",
        "points seen",
        "D(u, w)",
        line("potential", *AT, "vermillion", width=1.2, z=1, says="divergence"),
        line("promise", *AT, "green", "dotted", says="at most, with the margin γ"),
        _now("potential_now", "vermillion", z=1),
    ),
    "twin": figure(
        "The large-margin twin",
        "points seen",
        "",
        line("primal", *AT, "green", width=1.2, says="P"),
        line("dual", *AT, "blue", "dashed", 1.2, says="−D, a lower bound"),
        _now("twin_now", "blue", "square"),
    ),
}


class OnlineDrawing(Drawing):
    """The figures, which the script fills."""

    table, heights = TABLE, browser.HEIGHTS


GO = ("Step", "Next mistake", "Run", "Reset")
STEP, MISTAKE, RUN, START = range(len(GO))
LABELS = {"rule": CHOICES["rule"], "shape": tuple(SHAPES.values()), "output": tuple(OUTPUTS.values())}


def document(model, outcomes, look):
    """The `BrowserDocument` of the page.

    Parameters
    ----------
    model : Online
    outcomes : dict of str to dict
        From `workbench.conjugates.derivations.sketches.transfer`, by regularizer.
    look : theme.Look
    """
    drawing = browser.BrowserDocument(OnlineDrawing(look), _controls(model, look))
    arguments = {
        "rules": specifications(outcomes),
        "shapes": list(SHAPES),
        "outputs": list(OUTPUTS),
        "python": [[python(rule, bounded) for bounded in (False, True)] for rule in RULES.values()],
    }
    names, text = printed(outcomes)
    return drawing.connect("online", text, names, arguments)


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

    places = {name: options.index(getattr(model, name)) for name, options in CHOICES.items()}
    controls = {"rule": group(LABELS["rule"], places["rule"], 3), "go": group(GO, None)}
    for name, (label, step) in NUMBERS.items():
        low, high = model.param[name].bounds
        controls[name] = slider(label, low, high, getattr(model, name), look, step=step)
        if name == "eta":
            controls["shape"] = group(LABELS["shape"], places["shape"])
    controls["output"] = group(LABELS["output"], places["output"])
    return controls
