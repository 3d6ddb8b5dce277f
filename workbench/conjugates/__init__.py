"""From a typed formula to its conjugate pair, the proof of the pair, and the scalars that kernels run.

`convex` reads text, derives conjugates with SymPy and proves them; its `checker` decides what is proved and
shares nothing with the search. `terms` states each loss and regularizer once. `codegen` prints them as
`kernels/formulas.py` and as JavaScript. `derivations` keeps what pages and commands asked for. `errata` lists
where the sources are wrong, each place with a counterexample that runs.

Read first: `terms/losses.py`, then `convex/conjugate.py`. This room knows neither numba nor pages; `errata`
alone does without SymPy.
"""
