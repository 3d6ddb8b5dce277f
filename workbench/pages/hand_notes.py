"""What stands below a plane of points: what a hand can do there, how to undo it, and where its tools are."""

import panel_material_ui as pmui

from workbench.pages import parts
from workbench.pages.staged import press

# The control that a telephone's button leads to, in the drawer that is closed there.
BRUSH = "Brush: a drag paints a cloud"


def hand_notes(text, undo, look):
    """The panes; `text` gives the page's sentences by name.

    The button calls `undo`; of a page that is drawn in the browser, where it is None, it does so there.
    """
    more = f"<details><summary>{text('plane_more')}</summary>{text('plane_rest')}</details>"
    reach = f"<button type='button' data-do='reach' data-control='{BRUSH}'>{text('plane_tools')}</button>"
    hint = parts.pane(
        f"<div class='wb-source'>{text('plane_hint')}{reach}{more}</div>", look, margin=(0, 14, 0, 14)
    )
    # A telephone has no Ctrl-Z.
    button = pmui.Button(name="Undo", variant="text", size="small", margin=(0, 8, 6, 8))
    if undo is None:
        button.js_on_click(code=press("undo"))
    else:
        button.on_click(lambda event: undo())
    return [hint, button]
