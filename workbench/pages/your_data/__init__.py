"""The page Your data."""

from workbench.pages.registry import Declaration

PAGE = Declaration(
    "Your data",
    "Your own table, certified.",
    place=12,
    lesson="12_capstone",
    minutes=10,
    stop="Your own table, with a certificate.",
    model="model:YourData",
    page="page:YourDataPage",
)
