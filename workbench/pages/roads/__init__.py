"""The page of roads to a gap."""
