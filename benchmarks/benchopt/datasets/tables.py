"""scikit-learn's own tables in several shapes."""

import numpy as np
from benchopt import BaseDataset
from sklearn.datasets import load_breast_cancer, load_digits


class Dataset(BaseDataset):
    """Breast cancer, and digits: odd ones, or all ten as classes."""

    name = "tables"
    parameters = {"table": ["breast-cancer", "digits"], "shape": ["standardized"]}  # noqa: RUF012
    parameter_template = "{table},{shape}"

    def get_data(self):
        """Return features of the shape, and labels."""
        load, labels = {
            "breast-cancer": (load_breast_cancer, lambda y: y == 1),
            "digits": (load_digits, lambda y: y % 2 == 1),
        }[self.table]
        raw, y = load(return_X_y=True)
        if self.shape == "classes":
            return {"X": raw / 16.0, "y": y}
        spread = raw.std(axis=0)
        standard = (raw - raw.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
        X = {
            "raw": raw,
            "scaled": standard * np.logspace(-3, 3, standard.shape[1]),
            "shifted": standard + 1000.0,
            "standardized": np.asfortranarray(standard),
        }[self.shape]
        return {"X": X, "y": np.where(labels(y), 1.0, -1.0)}
