"""The errors that bad input raises: each names the field, the value and the fix."""


def shown(value):
    """A value as its caller would write it in Python, which messages show: NumPy's scalars as plain ones."""
    return repr(_plain(value))


def _plain(value):
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(_plain(each) for each in value)
    if type(value) is dict:
        return {_plain(key): _plain(each) for key, each in value.items()}
    # By its name, since this module loads nothing; a long double's item is itself.
    if type(value).__module__ == "numpy" and not getattr(value, "shape", True) and hasattr(value, "item"):
        item = value.item()
        return item if type(item).__module__ != "numpy" else float(value)
    return value


class InputError(ValueError):
    """Something a user typed, passed or opened cannot be used as it is.

    The text is one sentence that names the place, what stands there and what would work; the
    command line and the pages show it as it is.
    """


class ExpressionError(InputError):
    """A text is no formula that the workbench reads."""


class ConvexityError(InputError):
    """A function is not convex (with two points and the midpoint as witness), or it is improper."""


class UndecidedError(InputError):
    """Whether a function is convex was neither shown nor refuted; the sentence says what is open."""


class DerivationTimeout(InputError):
    """A derivation was stopped at its time or memory limit."""


class InfeasibleError(InputError):
    """Constraints that nothing meets, with the proof.

    Attributes
    ----------
    multipliers : ndarray (n,)
        Weights of the constraints, the largest of magnitude 1, whose combination nothing meets.
    margin : float
        How far what the combination asks for lies beyond what there is.
    """

    def __init__(self, message, multipliers, margin):
        super().__init__(message)
        self.multipliers, self.margin = multipliers, margin


class WorkbenchWarning(UserWarning):
    """Something on this machine is not as it should be, and the work goes on all the same.

    The text is one sentence with the fix; the command line shows it as it is.
    """


class ConvergenceWarning(WorkbenchWarning):
    """A solve ended before it reached the relative gap that was asked for.

    The text says how far it came and what to try, in the caller's arguments.
    """


class Terminated(KeyboardInterrupt):
    """SIGTERM, which ends a command as Ctrl-C does."""

    exit_code = 143
