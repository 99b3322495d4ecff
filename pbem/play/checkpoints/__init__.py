"""Checkpoints: what a reader or the turn maker knows after a turn, saved as data in a cache."""
