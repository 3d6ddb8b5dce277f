"""The page of online rules."""
