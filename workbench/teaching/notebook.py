"""Functions of a lesson's notebook: `begin` for the kernel, `live` and `lab_figure` for figures.

Panel, Bokeh and IPython are imported inside the functions, since checkers run without them.
"""

import html
import inspect
import io
import re

import numpy as np

from workbench._support.errors import InputError
from workbench._support.system import extras
from workbench._support.system.lessons import CHECK
from workbench.teaching import checking
from workbench.teaching.undefined import assigned, why_undefined

# The values of a continuous slider in a page.
STEPS = 13
DOTS_PER_INCH = 80
# Commands that Matplotlib's mathtext names otherwise or lacks.
SPELLED = (
    (r"\\text\{([^{}]*)\}", lambda match: r"\mathrm{" + match[1].replace(" ", r"\ ") + "}"),
    (r"\\operatorname\s*\{(\w+)\}", r"\\mathrm{\1}\\,"),
    (r"\\tfrac\b", r"\\frac"),
    (r"\\[lr]Vert\b", r"\\Vert"),
    (r"\\le\b", r"\\leq"),
    (r"\\ge\b", r"\\geq"),
)
AGAIN = "choose Run > Run All Above Selected Cell, then run this cell again"
# The last run of each cell that assigns a name, by its id and in their order, as `why_undefined` takes it.
CELLS: dict[object, tuple[str, str, str]] = {}
# The values, before a cell runs, of the names that it assigns.
BEFORE: dict[str, object] = {}


def begin(lesson):
    """Make a notebook ready: figures that need no network, and sentences for the usual mishaps.

    Parameters
    ----------
    lesson : int
        The number of the lesson.

    Raises
    ------
    InputError
        The lesson does not exist.
    """
    exercises = checking.load(lesson)
    shell = _shell()
    if shell is not None:
        extras.need("lessons", "a lesson's notebook", "holoviews", "jupyter_bokeh", "matplotlib")
        _load_figures()
        shell.set_custom_exc((NameError, InputError), _explain)
        shell.events.register("pre_run_cell", _before_cell)
        shell.events.register("post_run_cell", _after_cell)
    print(f"Lesson {lesson} is ready; its exercises are {', '.join(exercises)}.")


def _shell():
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def _load_figures():
    """Load HoloViews and Panel, their scripts and style sheets in the notebook: no network is needed."""
    import holoviews as hv
    import panel as pn

    pn.config.inline = True  # type: ignore[misc]  # Panel's own `__setattr__` sets it
    # It would ask the browser for its size and its language, in an output of its own.
    pn.config.browser_info = False
    hv.extension("bokeh", inline=True, logo=False)


def _before_cell(info):
    values = _shell().user_ns
    BEFORE.clear()
    BEFORE.update({name: values.get(name) for name in assigned(info.raw_cell)})


def _after_cell(result):
    """Record a cell; after one that failed, forget the old functions that it was to replace."""
    error = result.error_before_exec or result.error_in_exec
    if error:
        values = _shell().user_ns
        for name, value in BEFORE.items():
            old = values.get(name) is value
            if old and (result.error_before_exec or inspect.isfunction(value)):
                values.pop(name, None)
    if BEFORE:
        cell = result.info.cell_id or len(CELLS)
        CELLS.pop(cell, None)
        CELLS[cell] = (result.info.raw_cell, type(error).__name__ if error else "", str(error or ""))


def _explain(shell, kind, error, trace, tb_offset=None):
    """Show one sentence where the sentence says it all, and IPython's traceback elsewhere."""
    if isinstance(error, InputError):
        shell._showtraceback(kind, error, [str(error)])
    elif type(error) is NameError:
        check = CHECK.search(shell.user_ns["In"][-1])
        sentence = (check and check[2] == error.name and why_undefined(error.name, list(CELLS.values()))) or (
            f"{error.name!r} does not exist in this kernel. Is it spelled right? Cells build on those "
            f"above: {AGAIN}."
        )
        shell._showtraceback(kind, error, [sentence])
    else:
        stack = shell.InteractiveTB.structured_traceback(kind, error, trace, tb_offset=tb_offset)
        shell._showtraceback(kind, error, stack)


def live(draw, **controls):
    """Return a figure over sliders.

    Parameters
    ----------
    draw : callable
        Called with the value of each control by name; returns a HoloViews or Bokeh figure, or text.
    **controls
        (low, high) or (low, high, start) for a slider, a list of numbers for a slider over them, a list of
        texts for a menu.

    Returns
    -------
    panel.Column
        In a notebook, the last line of a cell shows it.
    """
    import panel as pn

    widgets = {name: _widget(name, control) for name, control in controls.items()}

    def plot(**values):
        try:
            return draw(**values)
        except InputError as error:
            return pn.pane.HTML(f"<p>{html.escape(str(error))}</p>")

    return pn.Column(*widgets.values(), pn.panel(pn.bind(plot, **widgets)))


def _widget(name, control):
    import panel as pn

    if isinstance(control, tuple):
        low, high, *start = control
        value = start[0] if start else low
        if pn.config.embed:
            # A page runs without a kernel: it holds the output at these values, one of which is the start.
            values = np.linspace(low, high, STEPS)
            values[np.argmin(np.abs(values - value))] = value
            return pn.widgets.DiscreteSlider(name=name, options=values.tolist(), value=value)
        return pn.widgets.FloatSlider(name=name, start=low, end=high, step=(high - low) / 100, value=value)
    if isinstance(control[0], str):
        return pn.widgets.Select(name=name, options=control)
    return pn.widgets.DiscreteSlider(name=name, options=control, value=control[len(control) // 2])


def formula(latex):
    """Return a formula for a figure of `live`: typeset without a script or the network.

    Parameters
    ----------
    latex : str
        One line in LaTeX's math mode, as `Erratum.printed`.

    Returns
    -------
    panel.pane.PNG
    """
    import panel as pn
    from matplotlib import mathtext
    from matplotlib.font_manager import FontProperties

    spelled = latex
    for pattern, replacement in SPELLED:
        spelled = re.sub(pattern, replacement, spelled)
    picture = io.BytesIO()
    mathtext.math_to_image(f"${spelled}$", picture, FontProperties(size=12), DOTS_PER_INCH, "png")
    return pn.pane.PNG(picture.getvalue(), alt_text=latex)


def lab_figure(which, epochs=20, **choices):
    """One figure of the page "Dual lab" after a number of epochs, for `live`.

    Parameters
    ----------
    which : {"gap", "objective", "weights", "duals"}
    epochs : int
    **choices
        Of `workbench.pages.dual_lab.model.DualLab`: loss="Hinge", regularizer="Elastic net", lam=0.01.
    """
    import panel as pn

    from workbench.teaching.lab_figures import figure_of

    figure, caption = figure_of(which, epochs, choices)
    figure.width, figure.sizing_mode = 620, None
    return pn.Column(pn.pane.Bokeh(figure), pn.pane.HTML(html.escape(caption)))
