"""A live view without a kernel: its pictures for a choice of values, and sliders that show one of them.

For pages of HTML. Panel is imported inside the functions, since checkers run without it.
"""

import html
import itertools
import json
import os

import numpy as np

from workbench.teaching import pictures

# Set where a lesson is run for a page.
ASKED = "WORKBENCH_LESSON_FRAMES"
# Values of a slider that runs continuously, where it is alone and where frames would be too many.
FINE, COARSE, MAX_FRAMES = 13, 5, 60
SCRIPT = """
for (const view of document.querySelectorAll(".frames")) {
  const controls = [...view.querySelectorAll("input, select")], frames = view.querySelectorAll(".frame");
  const show = () => {
    let place = 0;
    for (const control of controls) {
      const texts = JSON.parse(control.dataset.values);
      place = place * texts.length + Number(control.value);
      const said = control.parentElement.querySelector("output");
      if (said) said.textContent = texts[control.value];
    }
    frames.forEach((frame, k) => { frame.hidden = k !== place; });
  };
  controls.forEach((control) => control.addEventListener("input", show));
}
"""


def is_for_page():
    """Whether this kernel runs a lesson for a page."""
    return bool(os.environ.get(ASKED))


def frames(view):
    """HTML of a live view: its controls over one picture for each choice of their values."""
    *widgets, _ = view
    grid = values_of(widgets)
    start = [list(values).index(widget.value) for widget, values in zip(widgets, grid, strict=True)]
    images = []
    for places in itertools.product(*(range(len(values)) for values in grid)):
        for widget, values, place in zip(widgets, grid, places, strict=True):
            widget.value = values[place]
        hidden = "" if list(places) == start else " hidden"
        images.append(f"<div class='frame'{hidden}>{_still(view[-1])}</div>")
    for widget, values, place in zip(widgets, grid, start, strict=True):
        widget.value = values[place]
    controls = "".join(map(_control, widgets, grid, start))
    return f"<div class='frames'>{controls}{''.join(images)}</div>"


def values_of(widgets):
    """The values of each control that get a frame; the one that it shows is among them."""
    for many in (FINE, COARSE):
        grid = [_values(widget, many) for widget in widgets]
        if np.prod([len(values) for values in grid]) <= MAX_FRAMES:
            break
    return grid


def _values(widget, many):
    if hasattr(widget, "options"):
        return list(widget.options)
    steps = np.linspace(widget.start, widget.end, many)
    # The nearest gives way to the one that is shown, which keeps their number.
    steps[np.argmin(np.abs(steps - widget.value))] = widget.value
    return [float(value) for value in steps]


def _control(widget, values, start):
    texts = [value if isinstance(value, str) else f"{value:.4g}" for value in values]
    data = f"data-values='{html.escape(json.dumps(texts), quote=True)}'"
    name = html.escape(widget.name)
    if isinstance(values[0], str):
        options = "".join(
            f"<option value='{k}'{' selected' if k == start else ''}>{html.escape(text)}</option>"
            for k, text in enumerate(texts)
        )
        return f"<label>{name} <select {data}>{options}</select></label>"
    return (
        f"<label>{name} <input type='range' min='0' max='{len(texts) - 1}' value='{start}' {data}> "
        f"<output>{texts[start]}</output></label>"
    )


def _still(view):
    """What a view shows now: figures and pictures as PNG, texts as they are."""
    import panel as pn

    blocks = []
    for pane in view.select(pn.pane.PaneBase):
        if isinstance(pane, pn.pane.HoloViews | pn.pane.Bokeh):
            if pane.object is not None:
                blocks.append(pictures.markup(pictures.figure(pictures.plot_of(pane))))
        elif isinstance(pane, pn.pane.PNG):
            blocks.append(pictures.markup(pane.object, pane.alt_text or ""))
        elif isinstance(pane, pn.pane.HTML):
            blocks.append(pane.object)
        elif isinstance(pane.object, str):
            blocks.append(f"<p>{html.escape(pane.object)}</p>")
    return "".join(blocks)
