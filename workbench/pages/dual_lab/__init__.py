"""The Dual lab."""
