"""Why the answer that a check asks for does not exist: its cell failed, or gives it another name."""

import re

ASSIGNED = re.compile(r"^(?:def +(\w+)|(\w+)(?: *:[^=\n]+)? *=(?!=))", re.MULTILINE)
# The file that Python names at the end of a message, with a line of it or without.
PLACE = re.compile(r" \([^()]*?(?:(, line \d+)|\.\w+)\)$")


def assigned(source):
    """Return the names that a cell assigns at its top level, whether or not it is valid Python."""
    return [match[1] or match[2] for match in ASSIGNED.finditer(source)]


def why_undefined(name, cells):
    """Return a sentence that says why a name does not exist; "" if no cell tells.

    Parameters
    ----------
    name : str
    cells : list of (str, str, str)
        The source of each cell in the order of their run, and the type and message of its error, "" for none.
        The last is the one that should define the name.
    """
    for source, error, message in reversed(cells):
        if error and name in assigned(source):
            said = "stops with " + PLACE.sub(r"\1", f"{error}: {message}").rstrip(".: ")
            said = "was stopped before its end" if error == "KeyboardInterrupt" else said
            return f"The cell that defines {name!r} {said}. Mend it and run it again."
    others = [other for source, *_ in cells[-1:] for other in assigned(source) if other != name]
    if others:
        return (
            f"{name!r} is not defined; the cell above defines {', '.join(map(repr, others))}. "
            f"The check needs the name {name!r}: if you renamed the answer, give it that name again."
        )
    return ""
