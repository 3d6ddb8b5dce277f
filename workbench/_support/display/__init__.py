"""How objects show themselves: HTML for notebooks and reports, drawings as SVG, figures of HoloViews.

Two fifths of the lines write HTML and SVG, which a notebook shows without a server; three tenths are cards.
"""

from workbench._support.names import Public


class Carded(Public):
    """What a notebook shows as a card: by the function of `workbench._support.display.cards` that `_card` names."""

    __slots__ = ()
    _card: str

    def _repr_html_(self) -> str:
        from workbench._support.display import cards

        return getattr(cards, self._card)(self)
