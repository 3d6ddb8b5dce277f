"""One palette and one type scale for figures and pages; Okabe-Ito, told apart by dashes as well."""

import dataclasses
import functools
import html
import re
from pathlib import Path
from typing import ClassVar

STYLES = Path(__file__).parent / "styles"
FONT = "system-ui, 'Noto Sans', 'Segoe UI', sans-serif"
MONO = "ui-monospace, 'DejaVu Sans Mono', monospace"
# As what a figure can be saved.
KINDS = ("csv", "png", "svg")


@functools.cache
def _style(look, name):
    text = (STYLES / f"{name}.css").read_text(encoding="utf-8")
    values = dataclasses.asdict(look) | {"font": FONT, "mono": MONO}
    text = re.sub(r"var\(--(\d+)px\)", lambda match: look.px(int(match[1])), text)
    return re.sub(r"var\(--(\w+)\)", lambda match: values[match[1]], text)


@dataclasses.dataclass(frozen=True)
class Look:
    """Colours and sizes of one visit; the series are Okabe and Ito's, the blue lightened on dark paper.

    Attributes
    ----------
    blue, vermillion, green, purple, orange : str
        Colours of series; if you use one, give its dash or marker as well.
    ink, muted, rule, paper, ground : str
        Text, lesser text, thin lines, cards, and what lies behind the cards.
    ghost, pinned : str
        A curve of the setting before, and one that stays until it is taken away.
    good, bad, vermillion_text : str
        Text of a tick, of a refusal, of the second configuration: darker than a line may be.
    code : str
        What Python stands on. Within a theme no two colours are the same, so that a file can change them.
    projector : bool
        Whether the page begins on the projector, where `projector.js` enlarges type and lines.
    """

    dark: bool = False
    projector: bool = False
    blue: str = "#0072B2"
    vermillion: str = "#D55E00"
    green: str = "#009E73"
    purple: str = "#CC79A7"
    orange: str = "#E69F00"
    ink: str = "#1f2933"
    muted: str = "#56616f"
    rule: str = "#d9dee5"
    paper: str = "#ffffff"
    ground: str = "#f6f7f9"
    ghost: str = "#9aa5b1"
    pinned: str = "#6b7280"
    good: str = "#00664a"
    bad: str = "#8f3f00"
    vermillion_text: str = "#a84a00"
    code: str = "#1f2a34"

    # The width of a series in pixels.
    line: ClassVar[float] = 2.2

    def px(self, size):
        """A size of the type scale (12, 13, 14, 17, 22) as CSS; it grows with the root's on the projector."""
        return f"{size / 16:g}rem"

    def sheet(self, name):
        """A style sheet of the folder styles: var(--ink) there stands for `ink`, var(--13px) for `px(13)`."""
        return _style(self, name)


def look(dark=False, projector=False):
    """The look of a page.

    Parameters
    ----------
    dark : bool
    projector : bool
        On the projector, to be read from the last row.
    """
    if not dark:
        return Look(projector=projector)
    return Look(
        dark=True,
        projector=projector,
        blue="#56B4E9",
        vermillion="#F0813A",
        green="#2FC79B",
        purple="#E2A1C4",
        orange="#E69F00",
        ink="#e8ecf1",
        muted="#a9b4c0",
        rule="#3b4552",
        paper="#1c232c",
        ground="#12171d",
        ghost="#71808f",
        pinned="#95a1ae",
        good="#6fe0bd",
        bad="#ffb184",
        vermillion_text="#F0813B",
        code="#0c1015",
    )


LIGHT = Look()


def stroke(dash, colour, meaning, source=""):
    """An entry of a figure's key: a stroke as it is drawn (solid, dashed or dotted), and what it means.

    `source` says where it is from; it appears when one points at the entry.
    """
    title = f" title='{html.escape(source, quote=True)}'" if source else ""
    return f"<span{title}><i style='border-top: 3px {dash} {colour}'></i>{html.escape(meaning)}</span>"


def head(title, key="", figure=None):
    """The HTML above a card: its title, its key and, with the name of a figure, what pins and saves it."""
    text = f"<h2 class='wb-card-title'>{html.escape(title)}</h2><span class='wb-key'>{key}</span>"
    if figure is not None:
        buttons = [_button(f"Pin the curves of {title}", "Pin", "pin", figure)]
        buttons += [
            _button(f"Save {title} as {kind.upper()}", kind.upper(), "save", figure, f" data-kind='{kind}'")
            for kind in KINDS
        ]
        text += f"<span class='wb-save'>{''.join(buttons)}</span>"
    return f"<div class='wb-head'>{text}</div>"


def _button(label, text, does, figure, more=""):
    label = html.escape(label, quote=True)
    return (
        f"<button type='button' aria-label='{label}' title='{label}' "
        f"data-do='{does}' data-figure='{figure}'{more}>{text}</button>"
    )


def style_axis(axis, look):
    """Give a Bokeh axis the page's type and colours."""
    from bokeh.models import LinearAxis, LogAxis, NoOverlap

    from workbench.pages.ticks import set_log_ticks

    axis.axis_label_text_font = axis.major_label_text_font = FONT
    axis.axis_label_text_font_style = "normal"
    axis.axis_label_text_font_size = axis.major_label_text_font_size = "12px"
    axis.axis_label_text_color = axis.major_label_text_color = look.muted
    axis.axis_line_color = look.rule
    axis.major_tick_line_color = axis.minor_tick_line_color = None
    axis.axis_label_standoff = 4
    axis.major_label_policy = NoOverlap(min_distance=6)
    if isinstance(axis, LinearAxis) and axis.ticker is not None:
        axis.ticker.desired_num_ticks = 5
    if isinstance(axis, LogAxis):
        set_log_ticks(axis)


def style_figure(plot, look):
    """Give a Bokeh figure the page's paper, grid and axes."""
    # In capitals it is not Bokeh's default, which no document writes down and no file could change.
    plot.background_fill_color = plot.border_fill_color = look.paper.upper()
    plot.outline_line_color = plot.xgrid.grid_line_color = None
    plot.ygrid.grid_line_color = look.rule
    for axis in plot.axis:
        style_axis(axis, look)
