"""Checkpoints: save what a reader or the turn maker knows after a turn, as data for a cache."""
