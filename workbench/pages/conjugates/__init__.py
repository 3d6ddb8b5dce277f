"""The page of conjugate pairs."""
