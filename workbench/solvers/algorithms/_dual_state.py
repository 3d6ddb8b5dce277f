"""The state and the event of dual Gauss-Seidel, which its compiled steps read."""

from typing import NamedTuple

from workbench.kernels.compilation import INTEGERS, QUEUE, WRITABLE
from workbench.solvers.contract import solver_state


class Event(NamedTuple):
    """Numbers of the last step, for a page to explain; of r classes, those numbers of the sample's own."""

    # The sample.
    index: int  # type: ignore[assignment]  # hides the method of tuples
    alpha_before: float
    alpha_free: float  # where the rule pointed before the clip to the domain
    alpha_after: float
    prediction: float  # z_i = w.x_i before the step, Zhang's c_2
    curvature: float  # the curvature that the rule used, Zhang's c_1; nan for the gradient rule
    dual_change: float  # of D, so 0 or less where the rule promises monotonicity


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps; a copy of these arrays brings the run back to it."""

    alpha: WRITABLE  # (n,) dual variables; (n, r) with r classes
    v: WRITABLE  # (D,) X'alpha / (lam n), (r, D) with r classes; with a kernel (n,) K alpha / (lam n)
    slopes: WRITABLE  # (D,) or (r, D) c_j phi'(v_j), so that w = Phi'(S) slopes; v itself where w = v
    sums: WRITABLE  # (3,) S (not kept where w = v), its rounding, how often it was summed afresh
    theta: WRITABLE  # the regularizer's scale, then its parameters
    counters: INTEGERS  # (2,) steps done, seed of the order
    event: WRITABLE  # (7,) the fields of Event
    queue: QUEUE  # (n,) the active set in the order of this pass, then the other samples
    queue_counters: INTEGERS  # (4,) with shrinking: see `_shrinking`
    progress: WRITABLE  # (8,) with shrinking: see `_shrinking`
