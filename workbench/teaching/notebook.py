"""What a lesson does to its notebook: `begin` for the kernel, `live` and `lab_figure` for figures.

Panel, Bokeh and IPython are imported inside the functions, since checkers run without them.
"""

import html

from workbench._support.errors import InputError
from workbench._support.system import extras
from workbench.teaching import checking, pictures, scripts

AGAIN = "choose Run > Run All Above Selected Cell, then run this cell again"


def begin(lesson):
    """Make a notebook ready: figures that need no network, and sentences for the usual mishaps.

    Parameters
    ----------
    lesson : int
        The number of the lesson.

    Raises
    ------
    InputError
        There is no such lesson.
    """
    exercises = checking.load(lesson)
    shell = _shell()
    if shell is not None:
        extras.need("lessons", "a lesson's notebook", "holoviews", "jupyter_bokeh", "matplotlib")
        scripts.load()
        _show_as_views(shell)
        shell.set_custom_exc((NameError, InputError), _explain)
    print(f"Lesson {lesson} is ready; its exercises are {', '.join(exercises)}.")


def _shell():
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def _show_as_views(shell):
    """A figure that a cell shows by itself is shown as a live view is, only without controls."""
    import holoviews as hv

    from workbench.teaching.live_view import view_class

    def view(plot, include=None, exclude=None):
        return view_class()(plot)._repr_mimebundle_(include, exclude)

    shell.display_formatter.mimebundle_formatter.for_type(hv.core.Dimensioned, view)


def _explain(shell, kind, error, trace, tb_offset=None):
    """Show one sentence where the sentence says it all, and IPython's traceback elsewhere."""
    if isinstance(error, InputError):
        shell._showtraceback(kind, error, [str(error)])
    elif type(error) is NameError:
        sentence = (
            f"{error.name!r} does not exist in this kernel. Is it spelled right? Cells build on those "
            f"above: {AGAIN}."
        )
        shell._showtraceback(kind, error, [sentence])
    else:
        stack = shell.InteractiveTB.structured_traceback(kind, error, trace, tb_offset=tb_offset)
        shell._showtraceback(kind, error, stack)


def live(draw, **controls):
    """A figure over sliders.

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
        In a notebook, the last line of a cell shows it, and keeps a picture beside it.
    """
    import panel as pn

    from workbench.teaching.live_view import view_class

    widgets = {name: _widget(name, control) for name, control in controls.items()}

    def plot(**values):
        try:
            return draw(**values)
        except InputError as error:
            return pn.pane.HTML(f"<p>{html.escape(str(error))}</p>")

    return view_class()(*widgets.values(), pn.panel(pn.bind(plot, **widgets)))


def _widget(name, control):
    import panel as pn

    if isinstance(control, tuple):
        low, high, *start = control
        return pn.widgets.FloatSlider(
            name=name, start=low, end=high, step=(high - low) / 100, value=start[0] if start else low
        )
    if isinstance(control[0], str):
        return pn.widgets.Select(name=name, options=control)
    return pn.widgets.DiscreteSlider(name=name, options=control, value=control[len(control) // 2])


def formula(latex):
    """A formula for a figure of `live`: typeset without a script or the network.

    Parameters
    ----------
    latex : str
        One line in LaTeX's math mode, as `Erratum.printed`.

    Returns
    -------
    panel.pane.PNG
    """
    import panel as pn

    return pn.pane.PNG(pictures.formula(latex), alt_text=latex)


def lab_figure(which, epochs=20, **choices):
    """One figure of the page "Dual lab" after so many epochs, for `live`.

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
