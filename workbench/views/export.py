"""Pages as files that need no server: which there are, and what may be chosen for each.

A page of precomputed runs joins `PLAYED` with a module that has

    LABELS = {"lam": "λ, weight of the regularizer"}   # what may be chosen, each a parameter of the model
    MODEL = SomeModel                                  # the page's param.Parameterized, with its bounds
    def played(look, chosen): ...                      # an `export_player.Played`

where `chosen` has the values that somebody asked for by `--set` or `--lam`, read within the model's bounds.
Of its `Played` the figures are Bokeh's without Panel, and `frames(settings)` is a generator: it computes the
run of these settings, changes sources, ranges and labels of the figures in place, as the page itself does,
and yields a `Picture` after each moment: how far the run has come, the sentence under each figure, and the
HTML of the cards beside them. What changed in the figures is found out by the recorder.
"""

import importlib

from workbench.errors import InputError
from workbench.views import address, export_file, theme

LIVE = ("conjugates", "transfer", "simplex", "dual-lab")
# The module of each page of precomputed runs.
PLAYED = {
    "bias": "export_bias", "norms": "export_norms",
    "inverse-time": "export_inverse_time", "svm-gaps": "export_svm_gaps",
    "roads": "export_roads",
}  # fmt: skip
LIMIT_MB = 10


def names():
    """The pages that can be exported."""
    return (*LIVE, *PLAYED)


def export(page, path, look=theme.LIGHT, given=(), own=None, force=False, say=lambda text: None):
    """Write a page as one file.

    Parameters
    ----------
    page : str
        One of `names()`.
    path : path
    look : theme.Look
    given : sequence of (str, str)
        Names and values as typed: a preset or regularizer of a live page, a setting of a page of runs; a
        name that comes several times has several values.
    own : conjugates.Preset, optional
        A typed function, for the page of conjugates.
    force : bool
        Whether a file that exists is replaced.
    say : callable
        Hears what is being computed.

    Returns
    -------
    int
        The size in bytes.

    Raises
    ------
    InputError
        The page, a name, a value or the place is refused, or a function cannot be derived; nothing is
        written then.
    """
    page = page.replace("_", "-")
    if page not in names():
        raise InputError(f"{page!r} cannot be exported; the pages that can are {', '.join(names())}")
    if own is not None and page != "conjugates":
        raise InputError(f"{page} takes no function; export conjugates for one")
    export_file.check(path, force)
    return export_file.write(path, text(page, look, given, own, say), force)


def text(page, look=theme.LIGHT, given=(), own=None, say=lambda text: None):
    """The text of the file of a page of `names()`."""
    return _live(page, look, given, own) if page in LIVE else _played(page, look, given, say)


def _live(page, look, given, own):
    if page == "dual-lab":
        from workbench.views import export_dual_lab

        return export_dual_lab.page(look, _settings(export_dual_lab, given))
    from workbench.views import conjugates, export_live, simplex, transfer

    if page == "conjugates":
        chosen = read({"preset": address.one_of("preset", conjugates.PRESETS)}, given).get("preset")
        everything = () if own is not None else conjugates.PRESETS
        return export_live.conjugates_page(look, chosen or everything, own)
    name, choices, made = {
        "transfer": ("regularizer", transfer.SHAPES, export_live.transfer_page),
        "simplex": ("phi", simplex.ENTROPIES, export_live.simplex_page),
    }[page]
    return made(look, read({name: address.one_of(name, choices)}, given).get(name, choices))


def _played(page, look, given, say):
    from workbench.views import export_player

    module = importlib.import_module(f"workbench.views.{PLAYED[page]}")
    return export_player.page(module.played(look, _settings(module, given)), look, say)


def _settings(module, given):
    """What was chosen among the settings that a module lets choose."""
    model = module.MODEL()
    return read({name: address.key_of(model, name) for name in module.LABELS}, given)


def read(keys, given):
    """The values of each name, numbers rising, other values in the order in which they were typed.

    Parameters
    ----------
    keys : dict of str to address.Key
    given : sequence of (str, str)
    """
    chosen = {}
    for name, text in given:
        if name not in keys:
            raise InputError(f"{name[:60]!r} cannot be set here; what can is {', '.join(keys)}")
        try:
            value = keys[name].read(text.strip())
        except (ValueError, OverflowError):
            raise InputError(
                f"{name} = {text[:60]!r} is refused: {name} takes {keys[name].allowed}"
            ) from None
        if value not in chosen.setdefault(name, []):
            chosen[name].append(value)
    return {name: values if isinstance(values[0], str) else sorted(values) for name, values in chosen.items()}
