"""Problems whose rows lie in parts, on workers of Dask: solved there, and certified from their parts."""

from workbench.studies.distributed.problem import DistributedProblem

__all__ = ["DistributedProblem"]
