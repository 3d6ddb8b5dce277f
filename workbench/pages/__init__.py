"""The interactive pages: a folder for each page, and beside the folders what pages share.

`registry` finds the pages, `wasm` is the engine that runs the kernels in a browser, `hosts` carries a page
that is one module in Panel, a notebook and a file, `server` has the routes, places and limits of visits,
`runtime` the modules of JavaScript that all pages use.

Read first: `registry.py`, then `bias/__init__.py` and `bias/page.py`. No page imports another.
"""
