"""One palette and one type scale for figures and pages; Okabe-Ito, told apart by dashes as well."""

import dataclasses
import functools
import html
from typing import ClassVar

FONT = "system-ui, 'Noto Sans', 'Segoe UI', sans-serif"
MONO = "ui-monospace, 'DejaVu Sans Mono', monospace"
# As what a figure can be saved.
KINDS = ("csv", "png", "svg")


@dataclasses.dataclass(frozen=True)
class Look:
    """Colours and sizes of one visit; the series are Okabe and Ito's, the blue lightened on dark paper.

    Attributes
    ----------
    blue, vermillion, green, purple, orange : str
        Colours of series; whoever uses one gives its dash or marker as well.
    ink, muted, rule, paper, ground : str
        Text, lesser text, thin lines, cards, and what lies behind the cards.
    ghost, pinned : str
        A curve of the setting before, and one that stays until it is taken away.
    good, bad, vermillion_text : str
        Text of a tick, of a refusal, of the second configuration: darker than a line may be.
    code : str
        What Python stands on. Within a theme no two colours are the same, so that a file can change them.
    projector : bool
        Whether the page begins on the wall, where `wall.js` enlarges type and lines with the screen.
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
        """A size of the type scale (12, 13, 14, 17, 22) as CSS; it grows with the root's on the wall."""
        return f"{size / 16:g}rem"

    @functools.cached_property
    def css(self):
        """The style sheet of every HTML pane."""
        return _CSS(self)

    @property
    def mui(self):
        """The theme of the Material components."""
        return _material(self)


def look(dark=False, projector=False):
    """The look of a page.

    Parameters
    ----------
    dark : bool
    projector : bool
        On the wall, to be read from the last row.
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
BLUE, VERMILLION, GREEN, PURPLE, ORANGE = (
    LIGHT.blue,
    LIGHT.vermillion,
    LIGHT.green,
    LIGHT.purple,
    LIGHT.orange,
)
INK, MUTED, RULE, PAPER = LIGHT.ink, LIGHT.muted, LIGHT.rule, LIGHT.paper


def bokeh(look):
    """The theme of a document's Bokeh models, as JSON."""
    axis = {"axis_label_text_color": look.muted, "major_label_text_color": look.muted}
    return {"attrs": {"Axis": axis}}


def stroke(dash, colour, meaning, source=""):
    """An entry of a figure's key: a stroke as it is drawn (solid, dashed or dotted), and what it means.

    `source` says where it is from; whoever points at the entry sees it.
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


def code_box(text):
    """Some Python, with the button that copies it."""
    button = "<button type='button' data-do='copy'>Copy</button>"
    return f"<div class='wb-copy'>{button}<pre class='wb-code' tabindex='0'>{html.escape(text)}</pre></div>"


def style_axis(axis, look, colour=None):
    """Give a Bokeh axis the page's type and colours."""
    from bokeh.models import LinearAxis, LogAxis, NoOverlap

    from workbench.pages.ticks import set_log_ticks

    colour = colour or look.muted
    axis.axis_label_text_font = axis.major_label_text_font = FONT
    axis.axis_label_text_font_style = "normal"
    axis.axis_label_text_font_size = axis.major_label_text_font_size = "12px"
    axis.axis_label_text_color = axis.major_label_text_color = colour
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


def _CSS(look):
    px = look.px
    return f"""
:host, body {{ font-family: {FONT}; color: {look.ink}; --wb-pin: {look.pinned}; }}
/* Panel makes its own box visible, also in a drawer that is closed. */
:host > div {{ visibility: inherit !important; }}
.wb-stats {{ display: grid; gap: 8px; grid-template-columns: repeat(auto-fit, minmax({px(98)}, 1fr)); }}
.wb-stat {{
  background: {look.paper}; border: 1px solid {look.rule}; border-radius: 8px; padding: 7px 8px;
  container-type: inline-size; line-height: 1.35;
}}
.wb-stat b {{
  display: block; font-size: min({px(17)}, 17cqi); line-height: 1.3; font-variant-numeric: tabular-nums;
}}
.wb-stat span {{ font-size: min({px(12)}, 12.4cqi); color: {look.muted}; }}
/* A number that wraps as it changes would move the page. */
.wb-stat > :not(:first-child) {{ white-space: nowrap; }}
.wb-stat .b {{ display: block; color: {look.vermillion_text}; }}
.wb-stat em {{
  font-size: min({px(12)}, 12.4cqi); font-style: normal; color: {look.good}; font-weight: 600;
}}
.wb-line {{ font-size: {px(13)}; line-height: 1.4; color: {look.muted}; padding: 2px 14px 10px; }}
.wb-head {{
  display: var(--wb-head, flex); flex-wrap: wrap; align-items: baseline; gap: 0 10px; padding: 8px 14px 2px;
}}
.wb-card-title {{ font-size: {px(14)}; font-weight: 600; margin: 0; }}
.wb-key {{ font-size: {px(12)}; color: {look.muted}; display: flex; flex-wrap: wrap; gap: 0 12px; }}
.wb-head .wb-key {{ order: 3; flex-basis: 100%; }}
.wb-key span {{ white-space: nowrap; }}
.wb-key i {{ display: inline-block; width: 22px; vertical-align: middle; margin: 0 5px 3px 0; }}
.wb-save {{ margin-left: auto; white-space: nowrap; }}
.wb-save button, .wb-pins button {{
  font: {px(12)} {FONT}; color: {look.muted}; background: none; border: 0; padding: 4px 5px; min-height: 24px;
  cursor: pointer; border-radius: 4px;
}}
.wb-save button:hover, .wb-save button:focus-visible, .wb-pins button:hover {{
  color: {look.ink}; background: {look.ground}; }}
.wb-more {{
  font: {px(13)} {FONT}; color: {look.blue}; background: none; border: 0; padding: 6px 2px; cursor: pointer;
  text-align: left;
}}
.wb-more[aria-expanded]::before {{ content: "▸ "; }}
.wb-more[aria-expanded=true]::before {{ content: "▾ "; }}
.wb-more:hover, .wb-more:focus-visible {{ text-decoration: underline; }}
.wb-take {{
  font: {px(13)} {FONT}; color: {look.blue}; background: none; border: 1px solid {look.rule};
  border-radius: 6px; min-height: 32px; padding: 4px 10px; margin: 0 8px 6px 0; cursor: pointer;
}}
.wb-skip {{
  position: absolute; z-index: 10; left: 12px; top: 4px; padding: 6px 12px; border-radius: 6px;
  cursor: pointer; font: {px(13)} {FONT};
  color: {look.ink}; background: {look.paper}; border: 1px solid {look.blue};
}}
.wb-skip:not(:focus-visible) {{ opacity: 0; pointer-events: none; }}
.wb-heading {{ font-size: {px(12)}; font-weight: 600; color: {look.muted}; margin: 6px 0 8px; }}
.wb-note {{ font-size: {px(13)}; line-height: 1.45; color: {look.muted}; }}
.wb-note b {{ color: {look.ink}; }}
.wb-note p {{ margin: 0 0 8px; }}
.wb-note ul {{ margin: 4px 0 0; padding-left: 1.2em; }}
.wb-badge {{
  display: inline-block; border-radius: 10px; padding: 2px 9px; font-size: {px(12)}; font-weight: 600;
  color: {look.good}; background: {look.good}1f;
}}
.wb-badge.clip {{ color: {look.bad}; background: {look.bad}1f; }}
.wb-table {{
  border-collapse: collapse; font-size: inherit; width: 100%; font-variant-numeric: tabular-nums;
}}
.wb-table th, .wb-table td {{ text-align: right; padding: 4px 6px; font-weight: 400; white-space: nowrap; }}
.wb-table th:first-child, .wb-table .wb-why {{ text-align: left; white-space: normal; }}
.wb-table thead th {{ font-weight: 600; }}
.wb-table tbody tr {{ border-top: 1px solid {look.rule}; }}
.wb-table i {{ display: inline-block; width: 22px; vertical-align: middle; margin: 0 5px 3px 0; }}
.wb-table .wb-why {{ white-space: normal; color: {look.muted}; font-size: {px(12)}; }}
.wb-vote {{ display: flex; flex-wrap: wrap; gap: 0 12px; align-items: center; }}
.wb-vote > div {{ min-width: 0; overflow-wrap: anywhere; }}
.wb-vote svg {{ display: block; width: {px(168)}; height: auto; }}
.wb-table.wb-bars td, .wb-table.wb-bars th {{ text-align: left; width: 40%; }}
.wb-table.wb-bars tbody th {{ width: 20%; white-space: normal; }}
.wb-bars td i {{ display: block; height: 0.6em; margin: 0; }}
.wb-answer {{
  display: block; width: 100%; min-height: 48px; margin: 0 0 8px; padding: 8px 12px; text-align: left;
  font: {px(17)} {FONT}; color: {look.ink}; background: {look.paper}; border: 1px solid {look.muted};
  border-radius: 8px; cursor: pointer;
}}
.wb-thumb {{ display: inline-block; line-height: 48px; }}
.wb-thesis {{
  font-size: {px(13)}; line-height: 1.4; padding: 0 2px 8px; display: flex; flex-wrap: wrap; gap: 0 16px;
  align-items: baseline;
}}
.wb-thesis p {{ margin: 0; font-weight: 600; flex: 1 1 320px; }}
.wb-thesis details[open] {{ flex-basis: 100%; }}
.wb-thesis summary {{ color: {look.blue}; cursor: pointer; width: max-content; padding: 2px 0; }}
.wb-thesis ol {{ margin: 4px 0; padding-left: 22px; color: {look.muted}; }}
.wb-story {{ font-size: {px(15)}; line-height: 1.3; font-weight: 600; padding: 2px 2px 8px; }}
.wb-story span {{ font-size: {px(12)}; font-weight: 400; color: {look.muted}; white-space: nowrap; }}
.wb-tex-line {{ line-height: 1.7; }}
.wb-source {{ font-size: {px(12)}; color: {look.muted}; }}
.wb-source button {{
  display: none; font: inherit; color: {look.blue}; background: none; border: 1px solid {look.rule};
  border-radius: 6px; min-height: 36px; padding: 4px 10px; margin: 6px 0 2px; cursor: pointer;
}}
@media (max-width: 899px) {{ .wb-source button {{ display: block; }} }}
.wb-source summary {{ color: {look.blue}; cursor: pointer; width: max-content; padding: 4px 0; }}
.wb-code {{
  background: {look.code}; color: #f3f5f8; border-radius: 6px; padding: 12px;
  margin: 0; font: {px(12)}/1.5 {MONO}; white-space: pre-wrap; overflow-wrap: anywhere;
}}
.wb-copy {{ text-align: right; }}
.wb-copy .wb-code {{ text-align: left; }}
.wb-copy button {{
  font: {px(12)} {FONT}; color: {look.muted}; background: none; border: 0; padding: 4px 5px; min-height: 24px;
  cursor: pointer; border-radius: 4px;
}}
.wb-copy button:hover, .wb-copy button:focus-visible {{ color: {look.ink}; background: {look.ground}; }}
.wb-status {{ font-size: {px(13)}; color: {look.muted}; }}
.wb-status.bad {{ color: {look.bad}; font-weight: 600; }}
.wb-refused {{
  font-size: {px(13)}; color: {look.bad}; background: {look.paper}; border: 1px solid currentColor;
  border-radius: 8px; padding: 8px 12px; margin: 0 0 12px;
}}
.wb-refused p {{ margin: 2px 0; }}
.wb-lost {{
  position: fixed; left: 12px; right: 12px; bottom: 12px; z-index: 2000; text-align: center;
  font: {px(14)} {FONT}; color: {look.bad}; background: {look.paper}; border: 2px solid currentColor;
  border-radius: 8px; padding: 10px 14px;
}}
"""


def wall_css(look):
    """What `wall.js` puts over a page: two places for figures, what is said above, one slider below."""
    return f"""
body.wb-wall {{ --wb-head: none; --wb-bar: hidden; background: {look.ground}; overflow: hidden; }}
body.wb-wall > :not(#wb-wall) {{ visibility: hidden; }}
#wb-wall {{
  position: fixed; inset: 0; z-index: 3; box-sizing: border-box; padding: 0.5rem; pointer-events: none;
  display: grid; grid: auto minmax(0, 1fr) auto / minmax(0, 1fr) minmax(0, 1fr); gap: 0.3rem 0.5rem;
  font: {look.px(12)} {FONT}; color: {look.ink};
}}
#wb-wall > .wb-story, #wb-wall > .strip {{ grid-column: 1 / -1; }}
#wb-wall > .wb-story {{ padding: 0; }}
#wb-wall .half {{ display: grid; grid-template-rows: auto minmax(0, 1fr); gap: 0.2rem; min-width: 0; }}
#wb-wall.one .half {{ grid-column: 1 / -1; }}
#wb-wall.one .half ~ .half {{ display: none; }}
#wb-wall .title, #wb-wall .strip, #wb-wall .switches {{
  display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.6rem; min-width: 0;
}}
#wb-wall select, #wb-wall button {{
  font: 600 {look.px(12)} {FONT}; color: {look.ink}; background: {look.paper}; max-width: 100%;
  border: 1px solid {look.muted}; border-radius: 0.25rem; padding: 0.05rem 0.3rem; pointer-events: auto;
}}
#wb-wall .strip {{ flex-wrap: nowrap; }}
#wb-wall .strip select {{ flex: 0 1 auto; min-width: 6rem; }}
#wb-wall input[type=range] {{
  flex: 1 1 8rem; min-width: 4rem; height: 1.4rem; pointer-events: auto; accent-color: {look.blue};
}}
#wb-wall output {{ min-width: 3.5rem; font-variant-numeric: tabular-nums; font-weight: 600; }}
#wb-wall .switches {{ margin-left: auto; flex-wrap: nowrap; white-space: nowrap; }}
#wb-wall :focus-visible {{ outline: 3px solid {look.blue}; outline-offset: 1px; }}
#wb-wall .still {{ position: fixed; z-index: -1; background: {look.paper}; }}
#wb-wall .name {{
  position: fixed; white-space: nowrap; background: {look.paper}d0; border-radius: 0.2rem; line-height: 1.2;
}}
#wb-wall .name[hidden] {{ display: block; visibility: hidden; }}
#wb-wall i {{ display: inline-block; width: 1.4rem; vertical-align: middle; margin: 0 0.25rem 0.15rem 0; }}
#wb-wall i {{ border-top-width: 0.107rem !important; }}
#wb-wall .wb-key {{ display: flex; flex-wrap: wrap; gap: 0 0.6rem; color: {look.muted}; }}
"""


# A telephone's width, and up to it.
PHONE = "@media (max-width: 600px)"


def _sheet(look):
    """The drawer of a telephone: a sheet at the lower edge, so that what the controls move stays in sight."""
    paper = {
        "top": "auto !important",
        "bottom": 0,
        "height": "42vh",
        "width": "100% !important",
        "maxWidth": "none",
        "borderTop": f"2px solid {look.rule}",
        "transition": "none !important",
        "& .MuiToolbar-root": {"display": "none"},
    }
    modal = {
        "top": "auto !important",
        "height": "42vh",
        "& .MuiBackdrop-root": {"display": "none"},
        "& .MuiDrawer-paper": paper,
    }
    return {"&.MuiModal-root": modal}


def _material(look):
    """Material's defaults speak in capitals and tall bars; a teaching page needs the room for figures."""
    bar = {
        "backgroundColor": look.paper,
        "color": look.ink,
        "boxShadow": "none",
        "backgroundImage": "none",
        "borderBottom": f"1px solid {look.rule}",
        "& .MuiTypography-root, & .title": {
            "color": look.ink,
            "fontSize": "17px",
            "fontWeight": 600,
            "whiteSpace": "nowrap",
        },
    }
    # A handle that glides paints the page a dozen times while the picture that it asks for waits.
    still = {"transition": "none", "animation": "none"}
    return {
        "palette": {
            "mode": "dark" if look.dark else "light",
            "primary": {"main": look.blue},
            "background": {"default": look.ground, "paper": look.paper},
            "text": {"primary": look.ink, "secondary": look.muted, "disabled": look.muted},
        },
        "typography": {
            "fontFamily": FONT,
            "fontSize": 13,
            "button": {"textTransform": "none"},
        },
        "components": {
            "MuiDrawer": {"styleOverrides": {"root": {PHONE: _sheet(look)}}},
            "MuiAppBar": {"styleOverrides": {"root": bar}},
            "MuiButtonBase": {"defaultProps": {"disableRipple": True}},
            "MuiSlider": {"styleOverrides": {"thumb": still, "track": still, "rail": still}},
            "MuiToolbar": {"styleOverrides": {"root": {"minHeight": "52px !important"}}},
        },
    }
