"""Problems whose rows lie in parts, on workers of Dask: solved there, and certified from their parts.

More than half of the lines are rounds of a solve, which go on where a worker or the whole run has ended.
"""

from workbench.studies.distributed.problem import DistributedProblem

__all__ = ["DistributedProblem"]
