"""Small examples with names, which the pages show and a notebook can load.

plane("Overlapping")                    points in the plane with labels, List et al. (2007)'s setting
read_points("p01m02...")                the points that were moved by hand, as a page writes them
grouped("Breast cancer")                samples whose features stand in groups
tree_groups(found, 0.5)                 groups of those from single features to the root, with weights
correlated("Correlated features (made)")  samples for screening: correlated, sparse or wide
gaussians("Two Gaussians, 20 features", 1600, 0)  training samples of any number
stream(dimension=20, margin=0.1)        a stream for online rules, with the comparator that labels it
"""

from workbench.data.examples.correlated import load as correlated
from workbench.data.examples.gaussians import draw as gaussians
from workbench.data.examples.grouped import load as grouped
from workbench.data.examples.grouped import tree_groups
from workbench.data.examples.plane import load as plane
from workbench.data.examples.plane import read_points
from workbench.data.examples.stream import load as stream

__all__ = ["correlated", "gaussians", "grouped", "plane", "read_points", "stream", "tree_groups"]
