"""A live view with a picture beside it, which is seen where scripts are not run.

Panel is imported inside the functions, since checkers run without it.
"""

import functools

from workbench.teaching import frames, pictures, scripts


@functools.cache
def view_class():
    """The class of a live view: controls above a figure, of which a notebook keeps a PNG as well.

    A notebook that is not trusted runs no script, and viewers without a kernel may not either: they show the
    picture. Where scripts run, the view is live.

    JupyterLab prefers HTML to pictures even where it takes the scripts out of it. So the picture is in the
    HTML as well: what takes out scripts takes out the style sheet that hides it.
    """
    import panel as pn

    class LiveView(pn.Column):
        def _repr_mimebundle_(self, include=None, exclude=None):
            if frames.is_for_page():
                return {"text/html": frames.frames(self)}, {}
            bundle = with_picture(super()._repr_mimebundle_(include, exclude), self[-1])
            if bundle and "text/html" in bundle[0]:
                data = bundle[0]
                data["text/html"] = scripts.squeezed(data["text/html"]) + _unseen(data.get("image/png"))
            return bundle

    return LiveView


def _unseen(png):
    """A picture as HTML that is hidden as long as its style sheet is there."""
    if png is None:
        return ""
    return f"<style>.wb-still{{display:none}}</style><div class='wb-still'>{pictures.markup(png)}</div>"


def with_picture(bundle, view):
    """What a notebook is given of a view, with the picture where there is a figure."""
    plot = first_plot(view)
    if plot is None or not bundle:
        return bundle
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    try:
        picture = pictures.figure(plot)
    except NotImplementedError:  # a kind of drawing that no lesson has
        return bundle
    return {**data, "image/png": picture}, metadata


def first_plot(view):
    """The first Bokeh figure within a view; None for text alone."""
    import panel as pn

    for pane in view.select(lambda each: isinstance(each, pn.pane.HoloViews | pn.pane.Bokeh)):
        if pane.object is not None:
            return pictures.plot_of(pane)
    return None
