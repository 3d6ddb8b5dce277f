"""Home."""

from workbench.pages.registry import Declaration

PAGE = Declaration(
    "Home",
    place=0,
    model="model:Reading",
    page="page:HomePage",
)
