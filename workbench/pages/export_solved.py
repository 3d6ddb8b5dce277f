"""What files that solve in the browser share: the values of their settings, their controls, their pace."""

import html
import json
from typing import NamedTuple

from workbench.pages import export_file, export_live, lectures, theme
from workbench.pages.numerals import numerals
from workbench.pages.parts import fold_button, log_options

PROGRAM = ("bundles/wording", "painter", "transports", "live_page", "live_story", "live_figures")
PICK, NO_PICK = "Presets and story", "Choose one"
LEAVE = "Leave the story"


class Slider(NamedTuple):
    """A choice among runs: a slider where its values are numbers, else a list."""

    label: str
    values: list
    first: object = None  # the value that is shown first, where it is one of them

    @property
    def start(self):
        return self.values.index(self.first) if self.first in self.values else 0


def picks(page, presets, keys):
    """What sets several settings at once: the presets and the steps of the page's story.

    Parameters
    ----------
    page : str
        Its name in the registry.
    presets : dict of str to dict
        Of a preset's name to settings.
    keys : dict of str to address.Key

    Returns
    -------
    list of dict
        Each with its group, its name and its `state`, the settings; those of the story also with their step,
        caption and figures.
    """
    found = [{"group": "Presets", "name": name, "state": state} for name, state in presets.items()]
    for step, told in enumerate(lectures.of(page)["story"], 1):
        state = {name: keys[name].read(text) for name, text in told["state"].items()}
        more = {"step": step, "caption": told["caption"], "figures": lectures.figures(page, told)}
        found.append({"group": "Story", "name": f"{step}. {told['caption']}", "state": state} | more)
    return found


def offered(found, options):
    """The picks whose settings are all among those of the file, with the places of their values."""
    return [
        {key: value for key, value in pick.items() if key != "state"}
        | {"places": {name: options[name].index(value) for name, value in pick["state"].items()}}
        for pick in found
        if all(value in options.get(name, ()) for name, value in pick["state"].items())
    ]


def values(model, names, defaults, chosen, found=()):
    """The values of each setting: as asked for, else those of `defaults`, else a logarithmic grid.

    What the picks `found` need of numbers that nobody asked for is added.
    """
    options = _values(model, names, defaults, chosen)
    for pick in found:
        for name, value in pick["state"].items():
            if name in options and name not in chosen and isinstance(value, float):
                options[name] = sorted({*options[name], value})
    return options


def _values(model, names, defaults, chosen):
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


def pick_list(entries):
    """HTML of the list of picks."""
    return export_live.select("x-pick", PICK, entries, NO_PICK) if entries else ""


def main(numbers, titles, captions, cards, first=(), more=""):
    """HTML of the numbers, the figures and what is said beside them, all as they stand at zero.

    That is what a browser shows that cannot solve.

    Parameters
    ----------
    numbers : str
        HTML.
    titles : dict of str to (str, str)
        Of a figure to its title and key.
    captions : dict of str to str
    cards : dict of str to tuple of str
        As `beside` takes them.
    first : sequence of str
        The figures that are seen at once; the others are folded behind a button. All where it is empty.
    more : str
        HTML between the numbers and the figures.
    """
    shown = first or tuple(titles)
    rest = [name for name in titles if name not in shown]
    figures = {
        name: figure_card(name, *titles[name], captions[name]) for name in (*shown, *rest)
    }
    button = fold_button([titles[name][0] for name in rest])
    fold = f"<div class='x-fold'>{button}</div>" if rest else ""
    return (
        f"<div id='x-text-numbers'>{numbers}</div>{more}<div class='x-cards x-two' id='x-cards'>"
        f"{''.join(figures[name] for name in shown)}{fold}{''.join(figures[name] for name in rest)}</div>"
        f"<div class='x-cards x-two'>{beside(cards)}</div>"
    )


def beside(cards):
    """HTML of cards by the names of their texts: title, text at first and perhaps HTML that stays above."""
    return "".join(
        export_file.card(title, f"{''.join(above)}<div id='x-text-{name}'>{text}</div>")
        for name, (title, text, *above) in cards.items()
    )


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
        control(name, slider) for name, slider in sliders.items() if len(slider.values) > 1
    )
    pressed = "".join(
        f"<button type='button' id='x-do-{name}'{' class=x-main' if name == 'run' else ''}>{text}</button>"
        for name, text in buttons.items()
    )
    fixed = "; ".join(
        f"{slider.label}: {_said(slider.values[0])}"
        for slider in sliders.values() if len(slider.values) == 1 and slider.values[0] != ""
    )  # fmt: skip
    return (
        f"<div class='x-pace'>{pressed}</div><div class='wb-status' role='status' id='x-status'></div>"
        "<div class='x-control'><label for='x-frame'>Progress</label><output id='x-at' for='x-frame'>"
        "</output><input type='range' id='x-frame' min='0' max='0' value='0' step='1'></div>"
        f"{first}{shown}<div class='wb-note'><p>{html.escape(fixed)}</p>{note}</div>"
    )


def control(name, slider):
    """HTML of a slider, or of a list where the values are words."""
    label = f"<label for='x-{name}'>{html.escape(slider.label)}</label>"
    texts = [_said(value) for value in slider.values]
    if isinstance(slider.values[0], (str, bool)):
        options = "".join(
            f"<option{' selected' if k == slider.start else ''}>{html.escape(text)}</option>"
            for k, text in enumerate(texts)
        )
        return f"<div class='x-control'>{label}<select id='x-{name}'>{options}</select></div>"
    said = html.escape(json.dumps(texts))
    return (
        f"<div class='x-control'>{label}<output id='x-{name}-said' for='x-{name}'></output>"
        f"<input type='range' id='x-{name}' min='0' max='{len(texts) - 1}' value='{slider.start}' step='1' "
        f"data-said='{said}'></div>"
    )


def _said(value):
    if isinstance(value, bool):
        return "on" if value else "off"
    return numerals(f"{value:g}") if isinstance(value, (int, float)) else value


def figure_card(name, title, key, line=""):
    """HTML of a card with the place of a figure and the sentence below it."""
    return (
        f"<section class='x-card'><div id='x-head-{name}'>{theme.head(title, key, name)}</div>"
        f"<div id='x-figure-{name}' role='img' aria-label='{html.escape(title)}'></div>"
        f"<div class='wb-line x-line' id='x-line-{name}'>{html.escape(line)}</div></section>"
    )
