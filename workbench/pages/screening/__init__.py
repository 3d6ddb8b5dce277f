"""The page of screening."""

from workbench.pages.registry import Declaration

PAGE = Declaration(
    "Screening",
    "A gap bounds a distance, and so discards features long before the solver ends.",
    group="Solvers",
    place=10,
    lesson="16_screening_and_roads",
    model="model:ScreeningModel",
    page="page:ScreeningPage",
    file="page:ScreeningFile",
)
