"""Normal features, and targets of few of them, or of all with labels."""

import numpy as np
from benchopt import BaseDataset


class Dataset(BaseDataset):
    """Simulated data."""

    name = "simulated"
    parameters = {"n": [500], "d": [2000], "target": ["few"]}  # noqa: RUF012
    parameter_template = "{n}x{d}"

    def get_data(self):
        """Return X and y of seed 0."""
        rng = np.random.default_rng(0)
        X = np.asfortranarray(rng.normal(size=(self.n, self.d)))
        if self.target == "labels":
            y = np.where(X @ rng.normal(size=self.d) + 2.0 * rng.normal(size=self.n) > 0.0, 1.0, -1.0)
            return {"X": np.ascontiguousarray(X), "y": y}
        return {"X": X, "y": X[:, :20] @ rng.normal(size=20) + 0.5 * rng.normal(size=self.n)}
