"""The page Your data."""

from workbench.pages.registry import Declaration

PAGE = Declaration(
    "Your data",
    "Your own table, certified.",
    group="Your data",
    place=11,
    lesson="12_capstone",
    hosted="declaration:YourData",
)
