"""Games and people, as the tests of the commands have them."""

from tests.cli.conftest import game, kept, table

__all__ = ["game", "kept", "table"]
