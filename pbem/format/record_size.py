"""The size limit of records, in a module of its own, because every command that reads a file needs
it."""

from typing import Final

MAX_BYTES: Final = 1 << 20
"""The most bytes of a record file, with its signature: 1 MiB."""
