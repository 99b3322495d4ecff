"""Auditing a whole game from its folder, and the attacks that were tried on games."""
