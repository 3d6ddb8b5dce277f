"""Hosts of a page: Panel, a notebook's widget, a file.

A page is a module of JavaScript that knows its settings and a function `ask`; each host gives it both.
Read first: `page.py`, then `channel.py`.
"""
