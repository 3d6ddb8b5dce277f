"""Parts that the pages are built of: cards, text lines, headings, sliders, the code card."""

import html

import numpy as np
import panel as pn
import panel_material_ui as pmui

from workbench.pages import formulas as typeset
from workbench.pages import theme
from workbench.pages.numerals import numerals

# The opacity of what shows something that is not chosen any more.
DIMMED = 0.35
# Also for drawings that go into a file without Panel.
stroke, code = theme.stroke, theme.code_box


def id_of(view):
    """The id of a pane's or a widget's model on the one page that shows it; None before it stands there."""
    return next((model.id for model, _ in view._models.values()), None)


class Text(pn.pane.HTML):
    """A pane of which only the text changes; Panel would work out every property anew for each sentence.

    So it does still in a notebook, and on a server outside of `pn.io.hold`: only what is held there may be
    changed without its precautions.
    """

    def _html(self):
        return self.object

    def _update_pane(self, *events):
        models = [model for model, _ in self._models.values()]
        document = pn.state.curdoc
        served = document is not None and document.session_context is not None
        own = all(model.document is document for model in models)
        if served and own and document.callbacks.hold_value:
            for model in models:
                model.text = html.escape(self._html())
        else:
            super()._update_pane(*events)


class Formulas(Text):
    """Lines of text with formulas between dollars, which the browser sets."""

    def _html(self):
        return typeset.mixed(self.object)

    def _transform_object(self, obj):
        return super()._transform_object(typeset.mixed(obj))


def pane(content="", look=theme.LIGHT, **options):
    """A pane of HTML in the page's style; whatever a user typed must be escaped by the caller."""
    settings = {"margin": 0, "sizing_mode": "stretch_width", "stylesheets": [look.css]} | options
    return Text(content, **settings)


def put(view, content):
    """Set a pane's content where it is another one: a pane that is set is drawn anew."""
    if view.object != content:
        view.object = content


def status(sentence, is_error=False):
    """The HTML of a status line."""
    style = "wb-status bad" if is_error else "wb-status"
    # A refusal shows what can be typed.
    text = sentence if is_error else numerals(sentence)
    return f"<div class='{style}' role='status'>{html.escape(text)}</div>"


def numbers(entries):
    """The HTML of a row of numbers: triples of name, value and a note, which may be empty."""
    cards = "".join(
        f"<div class='wb-stat'><span>{html.escape(numerals(name))}</span>"
        f"<b>{html.escape(numerals(value))}</b>"
        f"{f'<em>{html.escape(numerals(note))}</em>' if note else ''}</div>"
        for name, value, note in entries
    )
    return f"<div class='wb-stats'>{cards}</div>"


def line(text):
    """The HTML of the sentence under a figure, which says its current numbers."""
    return f"<div class='wb-line'>{html.escape(numerals(text))}</div>"


def card(title, *content, key="", figure=None, look=theme.LIGHT):
    """A titled card.

    Parameters
    ----------
    title : str
    content : panes
    key : str
        HTML of `stroke` entries beside the title.
    figure : str, optional
        The `name` of the Bokeh figure inside: the card then offers to pin its
        curves, its data as CSV, its picture as PNG, SVG.
    look : theme.Look
    """
    return pn.Column(
        pane(theme.head(title, key, figure), look),
        *content,
        margin=0,
        sizing_mode="stretch_width",
        styles={"background": look.paper, "border": f"1px solid {look.rule}", "border-radius": "8px"},
    )


def put_key(box, title, key, figure):
    """Give a card made by `card` the key of what is drawn now."""
    put(box[0], theme.head(title, key, figure))


def grid(*items, least=380, two=False):
    """Cards side by side where each has so many pixels, or at most two, else below each other."""
    width = f"max({least}px, 40%)" if two else f"{least}px"
    columns = f"repeat(auto-fit, minmax(min({width}, 100%), 1fr))"
    # Cards of one row share its height.
    sheet = (
        f":host {{ display: grid !important; grid-template-columns: {columns}; gap: 12px;"
        " height: max-content !important; }"
        " :host > * { height: auto !important; }"
        # Panel's own, which takes a cell once another card is put before the first.
        " :host > .scroll-button { display: none !important; }"
        " :host > .wb-fold:not(.open) ~ * { display: none !important; }"
    )
    return pn.Column(*items, sizing_mode="stretch_width", margin=0, stylesheets=[sheet])


def fold(titles, is_open, look=theme.LIGHT):
    """The button in a grid behind which the cards after it are folded, named by their titles.

    Folded cards are drawn all the same: a story, an address and the projector find them.
    """
    return pane(
        fold_button(titles, is_open),
        look,
        css_classes=["wb-fold", *(["open"] if is_open else [])],
        styles={"grid-column": "1 / -1"},
    )


def fold_button(titles, is_open=False):
    """HTML of the button that shows and hides these."""
    names = html.escape(", ".join(titles))
    return (
        f"<button type='button' class='wb-more' data-do='unfold' aria-expanded='{str(is_open).lower()}'>"
        f"{len(titles)} more figures: {names}</button>"
    )


def heading(text, look=theme.LIGHT):
    """A small heading between controls."""
    return pane(f"<h2 class='wb-heading'>{html.escape(text)}</h2>", look)


def formulas(latex="", look=theme.LIGHT, **options):
    """Lines of text with formulas between dollars, in the running type of a card."""
    settings = {
        "margin": (0, 14, 6, 14),
        "sizing_mode": "stretch_width",
        "stylesheets": [look.css],
        "styles": {"font-size": look.px(13), "color": look.ink},
    }
    return Formulas(latex, **(settings | options))


def code_card(look=theme.LIGHT):
    """The card "Show me the code" and the pane to fill with `code(text)`."""
    view = pane(look=look, margin=(6, 12, 12, 12))
    return card("Show me the code", view, look=look), view


def log_options(value, low, high, per_decade=10):
    """A logarithmic grid of two digits as a slider's options, with the present value among them."""
    count = round(np.log10(high / low) * per_decade) + 1
    marks = {float(f"{entry:.2g}") for entry in np.geomspace(low, high, count)}
    # An address may hold a number between two marks.
    return {numerals(f"{each:,.6g}"): each for each in sorted(marks | {value})}


def log_slider(value, name, low, high):
    """A slider over a logarithmic grid, so that the code shown gives the same number."""
    return pmui.DiscreteSlider(name=name, options=log_options(value, low, high), value=value)


def choice(name, values, value):
    """Few options as a group of buttons."""
    return pmui.RadioButtonGroup(name=name, options=list(values), value=value, size="small")


def lay_out(*controls):
    """The margins of controls in the sidebar, which act at once."""
    for control in controls:
        # Panel would gather changes for 50 ms; a page with one slot for what is asked need not wait.
        control._debounce = 0
        control.margin, control.sizing_mode = (4, 0, 8, 0), "stretch_width"
        if "tooltips" in control.param:
            # The label has the value; a second one would cover it.
            control.tooltips = False
        if isinstance(control, (pmui.Select, pmui.TextInput)):
            control.size = "small"
    return controls


def typed(field):
    """What stands in a text field, entered or not; before anything was typed, its value."""
    return ((field.value if field.value_input is None else field.value_input) or "").strip()


def preset_select(presets, apply):
    """A list of named presets; `apply` gets the entry of the one that was picked."""
    names = ["Choose a preset", *presets]
    select = pmui.Select(name="Preset", options=names, value=names[0], size="small")
    select.param.watch(lambda event: event.new in presets and apply(presets[event.new]), "value")
    return select
