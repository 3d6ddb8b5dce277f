"""The one error that bad input raises: it names the field, the value and the mend."""


class InputError(ValueError):
    """Something a user typed, passed or opened cannot be used as it is.

    The text is one sentence that names the place, what stands there and what would work; the
    command line and the pages show it as it is.
    """
