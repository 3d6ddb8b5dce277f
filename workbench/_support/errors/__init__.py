"""The errors that bad input raises: each names the field, the value and the fix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench._support.errors import explained

if TYPE_CHECKING:
    from numpy import ndarray


# The most characters of a value in a message.
LONGEST = 120


def shown(value: object) -> str:
    """Return a value for a message as its caller would write it in Python: NumPy's scalars as plain ones."""
    try:
        text = repr(_plain(value))
    except ValueError:  # a whole number of more digits than Python writes
        return "a whole number of thousands of digits"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]}...{text[-10:]}"


def _plain(value: Any) -> object:
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(_plain(entry) for entry in value)
    if type(value) is dict:
        return {_plain(key): _plain(entry) for key, entry in value.items()}
    # By its name, since this module loads nothing; a long double's item is itself.
    if type(value).__module__ == "numpy" and not getattr(value, "shape", True) and hasattr(value, "item"):
        item = value.item()
        return item if type(item).__module__ != "numpy" else float(value)
    return value


class InputError(ValueError):
    """Something a user typed, passed or opened cannot be used as it is.

    The text is one sentence that names the place, what stands there and what would work; the
    command line and the pages show it as it is. A traceback ends with the page of the documentation that
    explains it, where `WORKBENCH_DOCS` names one.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.Problem([[1.0]], [1.0], lam=-1.0)
    Traceback (most recent call last):
        ...
    workbench.InputError: problem: lam = -1.0 must be a finite number above 0
    """

    def __init__(self, *message: object) -> None:
        super().__init__(*message)
        if see := explained.address(self):
            self.add_note(f"see {see}")


class ExpressionError(InputError):
    """A text is not a formula that the workbench reads.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.conjugate("log(1 + exp(u)")
    Traceback (most recent call last):
        ...
    workbench.ExpressionError: formula, column 4: this ( is never closed; add a ) where it ends
    """

    # Names of the text without a declaration or a value, the likely variable left out.
    undeclared: tuple[str, ...] = ()


class ConvexityError(InputError):
    """A function is not convex (with two points and the midpoint as witness), or it is improper.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.conjugate("-u**2")
    Traceback (most recent call last):
        ...
    workbench.conjugates.convex.witness.NotConvex: the function is not convex: between u = -1 and u = 1, ...
    """


class UndecidedError(InputError):
    """A question about a function, such as if it is convex, stayed open; the sentence says which.

    Examples
    --------
    >>> import workbench as wb
    >>> issubclass(wb.UndecidedError, wb.InputError)
    True
    """


class DerivationTimeout(InputError):
    """A derivation was stopped at its time or memory limit.

    Examples
    --------
    >>> import workbench as wb
    >>> issubclass(wb.DerivationTimeout, wb.InputError)
    True
    """


class MissingExtraError(InputError, ImportError):
    """A feature needs packages of an extra that is not installed; the sentence ends with the command.

    Attributes
    ----------
    extra : str
        Name of the extra.

    Examples
    --------
    >>> import workbench as wb
    >>> issubclass(wb.MissingExtraError, ImportError)
    True
    """

    def __init__(self, message: str, extra: str) -> None:
        super().__init__(message)
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str]]:
        return type(self), (str(self), self.extra)


class InfeasibleError(InputError):
    """Infeasible constraints, with the proof.

    Attributes
    ----------
    multipliers : ndarray (n,)
        Weights of the constraints, the largest of magnitude 1, whose combination nothing meets.
    margin : float
        How far what the combination asks for lies beyond what there is.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.maximum_entropy([[1.0, 2.0]], [3.0], mu=[0.5, 0.5])
    Traceback (most recent call last):
        ...
    workbench.InfeasibleError: maximum_entropy: no w >= 0 of sum 1 meets the constraints: ...
    """

    def __init__(self, message: str, multipliers: ndarray, margin: float) -> None:
        super().__init__(message)
        self.multipliers, self.margin = multipliers, margin


class WorkbenchWarning(UserWarning):
    """Something on this machine is not as it should be, but the work goes on.

    The text is one sentence with the fix; the command line shows it as it is.
    """


class ConvergenceWarning(WorkbenchWarning):
    """A solve ended before it reached the relative gap that was asked for.

    The text says how far it came and what to try, in the caller's arguments.

    Examples
    --------
    >>> import warnings
    >>> import workbench as wb
    >>> problem = wb.Problem([[1.0, 2.0], [3.0, -1.0]], [1.0, -1.0], "logistic", lam=0.1)
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     _ = wb.solve(problem, "gauss-seidel", tol=1e-12, max_epochs=1)
    >>> issubclass(caught[0].category, wb.ConvergenceWarning)
    True
    """


class Terminated(KeyboardInterrupt):
    """SIGTERM, which ends a command as Ctrl-C does."""

    exit_code = 143


# Tracebacks and pickles name the public errors as `import workbench` gives them.
for _public in (InputError, *InputError.__subclasses__(), ConvergenceWarning):
    _public.__module__ = "workbench"
