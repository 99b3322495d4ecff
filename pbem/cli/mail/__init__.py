"""`send` and `receive`."""
