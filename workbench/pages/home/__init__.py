"""Home: a story of duality in seven screens, and all pages in groups."""

from workbench.pages.registry import Declaration

PAGE = Declaration("Home", place=0, group="Home", hosted="declaration:Home")
