"""The one exception for errors in records, its fixed set of reasons, and their exit codes."""

from typing import Final, Literal

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

EXIT: Final[dict[Reason, Exit]] = {
    "size": 4,
    "file": 4,
    "name": 4,
    "mail": 4,
    "trailer": 4,
    "key": 4,
    "signature": 4,
    "grammar": 4,
    "canonical": 4,
    "version": 6,
    "field": 4,
    "place": 3,
    "parent": 5,
    "state": 3,
    "seen": 3,
    "fork": 3,
    "box": 4,
    "padding": 4,
    "commitment": 4,
    "opening": 4,
    "chain": 4,
    "rule": 1,
}
"""The exit code of a command that stops on a record with this reason (interface, *exit*)."""

WORST_FIRST: Final[tuple[Exit, ...]] = (6, 4, 3, 1, 5)


class RecordError(Exception):
    """A record, key or block that cannot be accepted.

    `reason` is one of the fixed set above; `sentence` is for people, in lower case: what is wrong
    and, if anything helps, what to do. Code that knows the file's name adds that name.
    """

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(reason, sentence)
        self.reason: Reason = reason
        self.sentence = sentence

    @property
    def exit(self) -> Exit:
        """The exit code of a command that stops here."""
        return EXIT[self.reason]

    def __str__(self) -> str:
        return f"{self.sentence} [{self.reason}]"
