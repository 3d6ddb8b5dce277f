"""Code that the solvers of the race share."""
