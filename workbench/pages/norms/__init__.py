"""The page of norms."""
