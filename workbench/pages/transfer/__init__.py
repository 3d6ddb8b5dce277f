"""The page of transfer functions."""
