"""A live view with a picture beside it, which is seen where scripts are not run.

Panel is needed as soon as this is imported; `notebook.live` imports it.
"""

import panel as pn

from workbench.teaching import pictures


class LiveView(pn.Column):
    """Controls above a figure; a notebook keeps the first figure as a PNG as well.

    A notebook that is not trusted runs no script, and viewers without a kernel may not either: they show the
    picture. Where scripts run, the view is live.
    """

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = super()._repr_mimebundle_(include, exclude)
        plot = first_plot(self[-1])
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
    for pane in view.select(lambda each: isinstance(each, pn.pane.HoloViews | pn.pane.Bokeh)):
        if pane.object is None:
            continue
        if isinstance(pane, pn.pane.Bokeh):
            return pane.object
        import holoviews as hv

        return hv.render(pane.object, backend="bokeh")
    return None
