"""How many records a game has room for, and of how many bytes: one set of limits for everybody.

What makes a record malformed, such as too many lines, stands with its kind. These limits count
files. Without another word in its name, a limit counts the files that one key signs for one writer
and turn.
"""

from typing import Final

KIB: Final = 1 << 10

MAX_ORDER_SETS: Final = 40
"""The most sets of orders that a host or a mailbox takes."""
MAX_READ_ORDER_SETS: Final = 16
"""The most new sets of orders of one seat that are read for a turn, the latest first."""
MAX_MESSAGES: Final = 64
"""The most messages that count."""
MAX_NOTICES: Final = 8
"""The most notices that count; they are numbered from 1."""
MAX_NOTICE_FILES: Final = 2 * MAX_NOTICES
"""The most notices that a host or a mailbox takes: two with one number show that somebody signed
both."""
MAX_DEALS: Final = 4
"""The most parts of a deal that are read or taken: a co-dealer signs one after each turn, and two
show that it signed both."""
MAX_LISTED_NOTICES: Final = 64
"""The most notices that a turn lists."""
MAX_DOOR_JOINS: Final = 4
"""The most joins by one door that are looked at, those with the smallest ids; a host or a mailbox
takes no more. Only somebody with the invite can make such a join, and nobody needs several."""
MAX_OTHER_JOINS: Final = 200
"""The most joins that are read or taken by mail, besides those that doors let in: strangers can
write thousands, but a game has at most 16 seats."""

MAX_CHARTER_BYTES: Final = 256 * KIB
"""The longest charter that a host takes."""
MAX_JOIN_BYTES: Final = 4 * KIB
"""The longest file that may be a join made with an invite: no join has half as many bytes."""
MAX_ORDERS_BYTES: Final = 128 * KIB
"""The longest set of orders that a host takes."""
MAX_MESSAGE_BYTES: Final = 16 * KIB
"""The longest message that a host takes: none is longer."""
MAX_READ_MESSAGE_BYTES: Final = 2 * MAX_MESSAGE_BYTES
"""The longest file that is read as a message."""
MAX_NOTICE_BYTES: Final = 16 * KIB
"""The longest file that is read as a notice: the longest notice has half as many bytes."""
