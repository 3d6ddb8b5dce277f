"""What theory bounds beforehand: the mistakes of online rules, and how far one sample moves the weights."""

from workbench.bounds.mistakes import MistakeBound, p_norm, perceptron, winnow

__all__ = ["MistakeBound", "p_norm", "perceptron", "winnow"]


def __dir__():
    return __all__
