"""What numba compiles and several rooms share: the generated scalars, loops over rows and terms."""
