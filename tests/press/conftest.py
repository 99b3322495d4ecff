"""The games that the tests of the front door begin with, here too."""

from tests.cli.conftest import game, kept

__all__ = ["game", "kept"]
