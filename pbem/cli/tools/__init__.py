"""`demo`, `sim`, `rules`, `keys` and `doctor`."""
