"""What files that solve in the browser share: the values of their settings, their controls, their pace."""

import html

from bokeh.document import Document
from bokeh.models import PointDrawTool

from workbench.data.examples.plane import MOST_POINTS
from workbench.pages import export_player
from workbench.pages.export_player import Slider
from workbench.pages.parts import log_options

PROGRAM = ("wording", "live_page", "live_figures")


def document(figures):
    """Figures by name as a Bokeh document, each in the place of its card."""
    made = Document()
    for plot in figures.values():
        made.add_root(plot)
    roots = {plot.id: f"x-figure-{name}" for name, plot in figures.items()}
    return {"json": made.to_json(deferred=False), "roots": roots}


def values(model, names, defaults, chosen):
    """The values of each setting: as asked for, else those of `defaults`, else a logarithmic grid."""
    options = {}
    for name in names:
        if name in chosen or name in defaults:
            options[name] = chosen.get(name, defaults.get(name))
        else:
            low, high = model.param[name].bounds
            options[name] = list(log_options(getattr(model, name), low, high).values())
    return options


def start(model, options):
    """The value that each setting begins with: the model's own where it is among them."""
    own = {name: getattr(model, name) for name in options}
    return {name: own[name] if own[name] in values else values[0] for name, values in options.items()}


def edit_in_the_browser(plot, points):
    """Have the points that a renderer draws added and moved by Bokeh itself."""
    tool = PointDrawTool(
        renderers=[points], add=True, num_objects=MOST_POINTS, empty_value=0, visible=False
    )
    plot.add_tools(tool)
    plot.toolbar.active_tap = plot.toolbar.active_drag = tool
    # A tool that drags selects what it drags; the others must not fade.
    points.nonselection_glyph = None


def controls(labels, options, begins, buttons, note, first=""):
    """The buttons, the status and the scrub bar, then a control for each setting that has several values.

    Parameters
    ----------
    labels, options, begins : dict
        Of a setting to its label, its values and the first of them.
    buttons : dict of str to str
        Of "reset", "step", "epoch" and "run" to what they say.
    note : str
        HTML.
    first : str
        HTML of a control that stands before the others.
    """
    sliders = {name: Slider(labels[name], options[name], begins[name]) for name in options}
    shown = "".join(
        export_player.control(name, slider) for name, slider in sliders.items() if len(slider.values) > 1
    )
    pressed = "".join(
        f"<button type='button' id='x-{name}'{' class=x-main' if name == 'run' else ''}>{text}</button>"
        for name, text in buttons.items()
    )
    fixed = "; ".join(
        f"{slider.label}: {slider.values[0]}"
        for slider in sliders.values() if len(slider.values) == 1 and slider.values[0] != ""
    )  # fmt: skip
    return (
        f"<div class='x-pace'>{pressed}</div><div class='wb-status' role='status' id='x-status'></div>"
        "<div class='x-control'><label for='x-frame'>Progress</label><output id='x-at' for='x-frame'>"
        "</output><input type='range' id='x-frame' min='0' max='0' value='0' step='1'></div>"
        f"{first}{shown}<div class='wb-note'><p>{html.escape(fixed)}</p>{note}</div>"
    )
