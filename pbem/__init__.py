"""The files, keys and commands for games: they hide what is secret, and let anyone check a game."""

__version__ = "0.1.0"
