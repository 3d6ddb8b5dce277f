"""The pictures of Home come from the pages' own code, and none is empty."""

import numpy as np
import pytest

from workbench.pages import registry
from workbench.pages.home import model as home


@pytest.mark.parametrize("page", [name for name, page in registry.pages().items() if page.picture])
def test_a_picture_has_curves(page):
    curves = registry.of(page).picture()
    assert curves
    for x, y, stroke in curves:
        assert x.size == y.size > 2
        assert np.isfinite(x).all()
        assert np.isfinite(y).all()
        assert stroke in home.DASHES
