"""How long a store may take for one answer, and how much it may send.

The time limit of a connection is for one read, so a store that sends one byte a second never
reaches it. So the time of a whole answer is limited too, and so is its size: a store may ignore
which part of a file was asked for, or send a list that never ends.
"""

from typing import Final

CONNECT: Final = 10
"""Seconds after which a store that does not answer counts as out of reach."""
PAUSE: Final = 20
"""Seconds after which an answer that has stopped counts as lost."""
WHOLE: Final = 120.0
"""Seconds for a whole answer: enough for the longest record at 9 kB a second."""
MOST_FILES: Final = 100_000
"""Files in one list: a game of 16 players with a thousand turns has 20,000."""
MOST_BYTES: Final = 32 << 20
"""Bytes of one answer by SFTP, such as the list of a folder with 100,000 files."""
MOST_XML: Final = 4 << 20
"""Bytes of one answer of S3 that is not a file: the longest page of a list has 3.5 MB."""


class SlowError(Exception):
    """Raised if a store takes longer than `WHOLE` seconds for one answer."""


class TooMuchError(Exception):
    """Raised if a store sends more bytes than an answer may have."""


class CutOffError(Exception):
    """Raised if an answer is shorter than it says."""


class TooManyFilesError(Exception):
    """Raised if a store lists more than `MOST_FILES` files."""
