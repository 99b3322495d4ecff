"""Audit a whole game from its folder, and list the attacks that were tried on games."""
