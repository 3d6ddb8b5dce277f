"""Display of objects: HTML for notebooks and reports, drawings as SVG, figures of HoloViews."""

from workbench._support.names import Public


class Carded(Public):
    """Anything that a notebook shows as a card: by the function of `display.cards` that `_card` names."""

    __slots__ = ()
    _card: str

    def _repr_html_(self) -> str:
        from workbench._support.display import cards

        return getattr(cards, self._card)(self)
