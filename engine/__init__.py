"""The kernel: decisions, the log, views, chance, standing orders; it knows no game."""
