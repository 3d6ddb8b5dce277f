"""From a text to a SymPy expression: characters, grammar, guarded construction. See `parse.py`."""
