"""How a text becomes a SymPy expression: characters, grammar, guarded construction. See `parse.py`."""
