"""Limits of time and size for the answers of stores, and the errors at each limit."""

from __future__ import annotations

from typing import Final

CONNECT_SECONDS: Final = 10
"""Seconds after which a store that does not answer counts as out of reach."""
SILENCE_SECONDS: Final = 20
"""Seconds after which an answer that has stopped counts as lost."""
ANSWER_SECONDS: Final = 120.0
"""Seconds for a whole answer: enough for the longest record at 9 kB a second. The library's limit
is for one read, and a store that sends one byte a second never reaches it."""
MAX_FILES: Final = 100_000
"""Files in one list: a game of 16 players with a thousand turns has 20,000."""
MAX_SFTP_BYTES: Final = 32 << 20
"""Bytes of one answer by SFTP, such as the list of a folder with 100,000 files."""
MAX_XML_BYTES: Final = 4 << 20
"""Bytes of one answer of S3 that is not a file: the longest page of a list has 3.5 MB."""


class SlowError(Exception):
    """Raised if a store takes longer than `ANSWER_SECONDS` for one answer."""


class TooMuchError(Exception):
    """Raised if a store sends more bytes than an answer may have."""


class CutOffError(Exception):
    """Raised if an answer is shorter than it says."""


class TooManyFilesError(Exception):
    """Raised if a store lists more than `MAX_FILES` files."""
