"""The commands `demo`, `sim`, `rules`, `keys` and `doctor`."""
