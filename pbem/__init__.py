"""Everything around a game: files, keys and commands that hide what is secret and let anyone check
it."""

__version__ = "0.2.0"
