"""Solvers in the browser: the compiled functions of `compiled` and `solvers`, printed as WebAssembly.

`python -m workbench.browser` builds `kernels.wasm` from the very functions that numba compiles natively, with
the intermediate code that numba makes of them and a libm linked in, so that every browser gives the same bits.
"""
