"""The algorithms, a file each, beside the loops that numba compiles for them (files that begin with _)."""
