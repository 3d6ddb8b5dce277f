"""Golden frames of a page that is drawn in the browser: the same moments, asked of its script, read off it.

Readings of a clock are left out, and ranges begin as Python makes them.
"""

WITHOUT = "delete window.WebAssembly;"


def ranges(figures):
    """The ranges of a page's figures as they are made, by name."""
    return {name: (bounds.start, bounds.end) for name, bounds in figures.models["ranges"].items()}
