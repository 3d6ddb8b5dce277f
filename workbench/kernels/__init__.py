"""What numba compiles and several rooms share: the generated scalars, loops over rows and terms.

Three tenths of the lines add up the terms of a gap, with its best bias and with the rounding of everything.
"""
