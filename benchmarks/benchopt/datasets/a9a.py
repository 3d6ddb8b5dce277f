"""The first rows of a9a, for linear models or a kernel machine."""

from benchopt import BaseDataset
from sklearn.metrics.pairwise import rbf_kernel

from workbench import data


class Dataset(BaseDataset):
    """Census incomes."""

    name = "a9a"
    parameters = {"rows": [16_000], "kernel": [""]}  # noqa: RUF012

    def get_data(self):
        """Return the rows, or their kernel matrix if it is precomputed."""
        task = data.load("a9a")
        X, y = task.X[: self.rows], task.y[: self.rows]
        return {
            "X": rbf_kernel(X, gamma=0.05) if self.kernel == "precomputed" else X,
            "y": y,
            "kernel": self.kernel or None,
        }
