"""Solvers in the browser: compiled functions of `kernels` and `solvers`, printed as WebAssembly.

`python -m workbench.pages.wasm` builds `kernels.wasm` from the very functions that numba compiles natively,
and links a libm in, so that every browser gives the same bits. `engine.Engine`, and its twin in `javascript`,
answer the messages of `docs/browser.md`; `bundle.packed` makes what a page carries.
"""
