"""The page of the race."""

from workbench.pages.registry import Declaration

PAGE = Declaration(
    "Race",
    "Solvers side by side, measured by the same certificate.",
    group="Solvers",
    place=6,
    lesson="12_capstone",
    model="model:RaceModel",
    page="page:RacePage",
)
