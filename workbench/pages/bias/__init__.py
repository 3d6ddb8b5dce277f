"""The page on biases and multipliers."""
