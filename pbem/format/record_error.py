"""The error for a record that cannot be accepted: its reasons, with their exit codes (§10)."""

from __future__ import annotations

from typing import Final, Literal, get_args

from pbem.errors import PbemError

Reason = Literal[
    "size",  # longer than any record
    "file",  # not a regular file, or a link
    "name",  # a file name that does not match the contents
    "mail",  # a mail block damaged on the way
    "trailer",  # the signature lines are not in canonical form
    "key",  # a key that is unusable, weak, of the wrong kind or unknown in this game
    "signature",  # the signature does not match the text
    "grammar",  # a line that cannot occur in any record
    "canonical",  # valid TOML, but not in canonical form
    "version",  # a different version of the protocol, rules or mode
    "field",  # a field that is unknown or missing, or has a wrong type, length or value
    "place",  # a different game, turn, seat or parent from what its place requires
    "parent",  # built on a record that is not here yet
    "state",  # too late or too early
    "seen",  # already here
    "fork",  # two records for one place, or a head that goes back or forks
    "box",  # a box that does not open
    "padding",  # a box that opens, but is not padded as required
    "commitment",  # opened values that do not match the published hash
    "opening",  # an opening that is missing, or that is not needed
    "chain",  # a deck, dice or shuffles that do not follow from the seed
    "rule",  # an order that the rules do not allow
]

Exit = Literal[1, 3, 4, 5, 6]

_EXIT_CODES: Final[dict[str, Exit]] = {
    "version": 6, "parent": 5, "place": 3, "state": 3, "seen": 3, "fork": 3, "rule": 1,
}  # fmt: skip
EXIT: Final[dict[Reason, Exit]] = {r: _EXIT_CODES.get(r, 4) for r in get_args(Reason)}
"""The exit code of a command that stops on a record with this reason (interface, *exit*)."""

WORST_FIRST: Final[tuple[Exit, ...]] = (6, 4, 3, 1, 5)
"""The exit codes in the order in which one stands for several records: the first that occurs."""


class RecordError(PbemError):
    """A record, key or block that cannot be accepted: one of the reasons above, and a sentence for
    people, in lower case. Code that knows the file's name adds that name."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason: Reason = reason
        self.exit = EXIT[reason]

    def __str__(self) -> str:
        return f"{self.sentence} [{self.reason}]"
