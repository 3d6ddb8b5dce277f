"""The page of Fenchel-Young losses."""
