"""From a typed formula to its conjugate, the proof of the pair, and the scalars that kernels run."""
