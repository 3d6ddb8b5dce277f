"""What stands below a plane of points: what a hand can do there, and a button that undoes it."""

import panel_material_ui as pmui

from workbench.pages import parts


def hand_notes(said, undo, look):
    """The panes; `said` gives the page's sentences by name, and `undo` is called by the button."""
    more = f"<details><summary>{said('plane_more')}</summary>{said('plane_rest')}</details>"
    hint = parts.pane(
        f"<div class='wb-source'>{said('plane_hint')}{more}</div>", look, margin=(0, 14, 0, 14)
    )
    # A telephone has no Ctrl-Z.
    button = pmui.Button(name="Undo", variant="text", size="small", margin=(0, 8, 6, 8))
    button.on_click(lambda event: undo())
    return [hint, button]
