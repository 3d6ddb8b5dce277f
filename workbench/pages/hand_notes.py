"""What stands below a plane of points: what a hand can do there, how to undo it, and where its tools are."""

import panel_material_ui as pmui

from workbench.pages import parts
from workbench.pages.staged import press


def hand_notes(text, brush, look):
    """The panes; `text` gives the page's sentences by name.

    `brush` is the control that a telephone's button leads to, in the drawer that is closed there.
    """
    more = f"<details><summary>{text('plane_more')}</summary>{text('plane_rest')}</details>"
    reach = (
        f"<button type='button' data-do='reach' data-control='{brush.label}'>{text('plane_tools')}</button>"
    )
    hint = parts.pane(
        f"<div class='wb-source'>{text('plane_hint')}{reach}{more}</div>", look, margin=(0, 14, 0, 14)
    )
    # A telephone has no Ctrl-Z.
    button = pmui.Button(name="Undo", variant="text", size="small", margin=(0, 8, 6, 8))
    button.js_on_click(code=press("undo"))
    return [hint, button]
