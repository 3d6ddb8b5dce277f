"""The page of screening."""
