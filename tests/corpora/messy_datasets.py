"""scikit-learn's data sets as people have them: words as labels, empty cells, a category, any order."""

import numpy as np
from sklearn import datasets

NAMES = ("wine", "iris", "diabetes", "breast_cancer", "digits")
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TARGET = "outcome"
CATEGORY = "site"


def frame(name, empty=0.02, seed=0):
    """A DataFrame with the target among shuffled columns, one category and a share of empty cells."""
    draw = np.random.default_rng(seed)
    source = getattr(datasets, f"load_{name}")(as_frame=True)
    made = source.data.copy()
    made[CATEGORY] = draw.choice(["north", "south", "east"], len(made))
    made = made.mask(draw.random(made.shape) < empty)
    target = source.target
    if name != "diabetes":
        target = target.map(lambda k: WORDS[k] if name == "digits" else str(source.target_names[k]))
    made = made[draw.permutation(made.columns)]
    made.insert(int(draw.integers(made.shape[1])), TARGET, target)
    return made.iloc[draw.permutation(len(made))].reset_index(drop=True)
