"""GUI-free models of the pages, and the figures that they drive."""
