"""Training samples of any number: two Gaussians, or rows of the breast cancer data."""

import numpy as np

from workbench.data.bundled import breast_cancer

CANCER = "Breast cancer"
FEATURES = {
    "Two Gaussians, 10 features": 10,
    "Two Gaussians, 20 features": 20,
    "Two Gaussians, 40 features": 40,
}
SOURCES = (*FEATURES, CANCER)
# One deviation of the noise along the line between the means, on the average.
SHIFT, SPREAD = 0.5, (0.4, 0.6)


def means(d):
    """Return the mean of the positive class and the standard deviation of each feature, both (d,)."""
    direction = np.where(np.arange(d) % 2, -1.0, 1.0) / np.sqrt(d)
    return SHIFT * direction, np.linspace(*SPREAD, d)


def two_gaussians(d, m, rng):
    """Draw m samples of two classes with d features."""
    mean, deviation = means(d)
    y = np.where(rng.random(m) < 0.5, 1.0, -1.0)
    return y[:, None] * mean + deviation * rng.normal(size=(m, d)), y


def draw(source, m, seed):
    """Draw m training samples; of the breast cancer data at most its number of samples."""
    rng = np.random.default_rng([seed, m])
    if source != CANCER:
        return two_gaussians(FEATURES[source], m, rng)
    d, rows = breast_cancer(), training_rows(m, seed)
    return d.X[rows], d.y[rows]


def training_rows(m, seed):
    """Which rows of the breast cancer data a training set has."""
    return np.random.default_rng([seed, m]).permutation(breast_cancer().y.size)[:m]
