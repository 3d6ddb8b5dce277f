"""What the browser draws training sets from: a population's facts, and the states or rows of each set.

To draw the normal numbers that NumPy draws it needs states of PCG64 and NumPy's ziggurat. A state is known
from which the next number of the generator is any one that is wanted, so NumPy itself is asked for the
widths of its ziggurat: a number whose part is 1 becomes the width of its strip.

Source       Marsaglia and Tsang (2000), The ziggurat method; O'Neill (2014), PCG, section 6.3
"""

import functools

import numpy as np
import scipy.sparse as sp

from workbench.data.bundled import breast_cancer
from workbench.data.examples.gaussians import CANCER, FEATURES, means, training_rows
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.wasm import bundle
from workbench.problems.regularizers import PNorm

STRIPS = 256
MULTIPLIER, MODULUS = 0x2360ED051FC65DA44385DF649FCCF645, 1 << 128
# In a drawn number eight bits are the strip, one is the sign, and the rest, 1 here, are the part.
PART = 1 << 9


def state(seed):
    """The state and the increment of NumPy's generator for a seed, each as 32 hexadecimal digits."""
    values = np.random.PCG64(seed).state["state"]
    return [f"{values[name]:032x}" for name in ("state", "inc")]


def strips():
    """The width of each strip of NumPy's ziggurat over 2^52, (256,)."""
    generator = np.random.Generator(np.random.PCG64(0))
    backwards, increment = pow(MULTIPLIER, -1, MODULUS), 1

    def width(number):
        # The upper half of the next state is zero, so that nothing turns its lower half, the number.
        before = (number - increment) * backwards % MODULUS
        generator.bit_generator.state = {
            "bit_generator": "PCG64",
            "state": {"state": before, "inc": increment},
            "has_uint32": 0,
            "uinteger": 0,
        }
        return generator.standard_normal()

    return np.array([width(PART | strip) for strip in range(STRIPS)])


def people(source):
    """The population of a source as the worker takes it: means and a test state, or rows of samples."""
    data = inverse_time.population(source)
    if source == CANCER:
        d = breast_cancer()
        return {
            "reference": data.reference,
            "samples": _samples(d.X, d.y),
            "test": _samples(data.X_test, data.y_test),
            "strips": strips(),
        }
    mean, deviation = means(FEATURES[source])
    return {
        "reference": data.reference,
        "mean": mean,
        "deviation": deviation,
        "tested": inverse_time.TESTED,
        "test_state": state(0),
        "strips": strips(),
    }


def contents(source, seeds, others=()):
    """What the browser draws the training sets of a source from: a small problem, and states or rows.

    Parameters
    ----------
    source : str
    seeds : int
        Of so many seeds the training sets of a sweep, of each size.
    others : sequence of (int, int)
        Further training sets, by seed and size.
    """
    sets = {(seed, m) for seed in range(seeds) for m in inverse_time.sizes(source)}
    record = people(source) | {"sets": sources(source, sorted(sets | {*others}))}
    return {"small": bundle.data(small_problem(source)), "people": record}


def sources(source, sets):
    """What each training set (seed, m) is drawn by: its rows, or a state of the generator."""
    of = training_rows if source == CANCER else lambda m, seed: state([seed, m])
    return {f"{seed},{m}": np.asarray(of(m, seed)).tolist() for seed, m in sets}


@functools.lru_cache(maxsize=8)
def small_problem(source):
    """A problem of a source on its fewest samples, for its facts."""
    settings = inverse_time.InverseTime(source=source).settings()
    return inverse_time.make_problem(settings, inverse_time.FEW[0], 0)


@functools.lru_cache(maxsize=64)
def terms(source, p):
    """The facts of the loss and of the regularizer of a source."""
    problem, regularizer = small_problem(source), PNorm(p)
    facts = bundle.regularizer_facts(regularizer, problem.replace(regularizer=regularizer))
    # Steps of PGS ask for no bound of the curvature.
    return {"loss": bundle.loss_facts(problem.loss), "regularizer": facts | {"curvature": None}}


def _samples(X, y):
    X = X.toarray() if sp.issparse(X) else np.asarray(X)
    return {"values": X.ravel(), "d": X.shape[1], "y": y}
