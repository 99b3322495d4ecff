"""The games of the front door's tests, for these too."""

from tests.cli.conftest import game, kept, table

__all__ = ["game", "kept", "table"]
