"""The page of inverse time dependency."""
