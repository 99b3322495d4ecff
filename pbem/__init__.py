"""Files, keys and commands around a game: who may see what, and how anybody can check it."""

__version__ = "0.1.0"
