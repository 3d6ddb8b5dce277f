"""Shrinking for coordinate methods: an active set that full passes renew.

A coordinate leaves the active set when its step moves the point by less than a small share of the farthest
move of the pass before: at an end of its domain, on a kink, or wherever it has nothing to gain for now. Once
the farthest move of a pass is well below that of the last full pass, the next pass is a full one: so what
has been left out is tested again and again, whether or not certificates are computed.

Source       Joachims (1999) for the idea; the rule by moves, without bounds of its own, is this one's
"""

import math

import numpy as np

from workbench.kernels.compilation import inline
from workbench.solvers.algorithms._shuffling import shuffle

# The places of State.queue_counters: the size of the active set, which comes first in the queue, the place in
# this pass, how many passes have begun, whether this is a full one.
ACTIVE, PLACE, PASSES, FULL_PASS = range(4)
# The places of State.progress; moves are squared. The move below which a coordinate leaves the active set,
# the farthest of this pass, the one that asks for a full pass; the gap and the loss gathered in this full
# pass; the gap that the last one met and what it should have left of it, the loss that it met.
SMALL, FARTHEST, LEVEL, GATHERED, GATHERED_LOSS, MET, GAP, LOSS = range(8)
# What is small beside the farthest move of the pass before, and well below the last full pass's.
SMALL_SHARE, LEVEL_SHARE = 0.003**2, 0.3**2
# A full pass leaves at most about this of the gap that it met: less where the one before has left much less.
LEFT = 0.4


def fresh_progress():
    """`State.progress` before the first pass."""
    return np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, np.inf, 0.0])


@inline
def begin_pass(queue, queue_counters, progress, seed, shuffled):
    """Set what is small by the pass before; where its own moves have become small, make a full pass."""
    farthest = progress[FARTHEST]
    if queue_counters[FULL_PASS]:
        progress[LEVEL] = LEVEL_SHARE * farthest
        met = progress[GATHERED]
        progress[GAP] = met * (min(LEFT, math.sqrt(met / progress[MET])) if progress[MET] > 0.0 else LEFT)
        progress[MET], progress[LOSS] = met, progress[GATHERED_LOSS]
    everyone = queue_counters[PASSES] == 0 or farthest <= progress[LEVEL] or queue_counters[ACTIVE] == 0
    progress[SMALL] = SMALL_SHARE * farthest
    progress[FARTHEST] = progress[GATHERED] = progress[GATHERED_LOSS] = 0.0
    queue_counters[FULL_PASS] = everyone
    if everyone:
        queue_counters[ACTIVE] = queue.shape[0]
    queue_counters[PLACE] = 0
    queue_counters[PASSES] += 1
    if shuffled:
        shuffle(queue, queue_counters[ACTIVE], seed, queue_counters[PASSES])


@inline
def end_visit(move, queue, queue_counters, progress):
    """Go to the next place; a sample leaves the active set where the squared move of its step is small."""
    progress[FARTHEST] = max(progress[FARTHEST], move)
    place = queue_counters[PLACE]
    if move < progress[SMALL]:
        queue_counters[ACTIVE] -= 1
        last = queue_counters[ACTIVE]
        queue[place], queue[last] = queue[last], queue[place]
    else:
        queue_counters[PLACE] += 1
