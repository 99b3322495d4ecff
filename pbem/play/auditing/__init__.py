"""Audit a whole game from its folder; also a list of the attacks that were tried on games."""
