"""Audit a whole game from its folder; also list the attacks that were tried on games."""
