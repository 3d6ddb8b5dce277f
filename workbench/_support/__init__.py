"""Errors, names, the operating system and the display of objects, which every room uses.

`errors` has the public errors, `names` checks names and numbers of settings, `system` runs calls in processes
with limits and stores files, `display` writes cards, tables and drawings for notebooks and terminals.

Read first: `errors/__init__.py`. This room knows no mathematics and imports no other room.
"""
