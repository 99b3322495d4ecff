"""The words of pages, where they differ from those of commands.

The sentences are those of the commands, without what only a terminal needs: the digits and the
revisions of orders. A browser tab has neither a terminal nor a folder, so it shows no command and
no path either.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

Delivery = Literal["", "unsent", "sending", "sent"]
"""The way of sealed orders to the referee: not mailed yet, not sent to the host yet,
or sent; empty if nobody can know, or if nobody has to send them."""


class Chip(NamedTuple):
    """The word beside a player's name that says how far they are."""

    label: str
    explained_word: str
    """The word that `pbem explain` explains for it."""
    is_sending: bool = False
    """Whether it becomes "sent" while the page is open, as soon as the host has the orders."""


_CHIPS: Final = {
    "MISSING": Chip("choosing", "choosing"),
    "DRAFT": Chip("choosing", "choosing"),
    "ASKED": Chip("perhaps choosing", "asked"),
    "ACCEPTED": Chip("sent", "sent"),
    "STANDING": Chip("answered", "standing"),
    "DEFAULTED": Chip("missed the deadline", "defaulted"),
    "OPEN": Chip("seat open", "open"),
}
_SEALED_CHIPS: Final = {
    "": Chip("sealed", "sealed"),
    "unsent": Chip("sealed, not sent", "sealed"),
    "sending": Chip("sealed, not sent", "sealed", is_sending=True),
    "sent": Chip("sent", "sent"),
}


def chip_of(seat_status: str, delivery: Delivery) -> Chip | None:
    """Return the chip of a seat; None if the seat has nothing to do."""
    if seat_status == "-":
        return None
    if seat_status == "SEALED":
        return _SEALED_CHIPS[delivery]
    word = seat_status.lower()
    return _CHIPS.get(seat_status, Chip(word, word))


_DIGITS: Final = "[0-9a-f]{6}"
_DIGITS_OF_RECORD: Final = re.compile(
    rf" \(revision \d+\)| as {_DIGITS}\b| \({_DIGITS}\)|,? {_DIGITS}(?=\))"
    rf"|(?<=\borders) {_DIGITS}\b"
)
_DIGITS_OF_JOIN: Final = re.compile(rf"\bjoin {_DIGITS}  ")


def without_digits(text: str) -> str:
    """Leave out the digits and the revisions of orders, joins and notices."""
    return _DIGITS_OF_RECORD.sub("", _DIGITS_OF_JOIN.sub("the twelve words: ", text))


_COMMANDS: Final = (
    "advance|audit|calendar|check|demo|doctor|explain|games|host|join|keys|learn|list|log|new|"
    "notice|notify|orders|play|post|receive|replay|results|rules|run|send|show|sim|since|status|"
    "submit|table|tell"
)
COMMAND: Final = re.compile(rf"`?\bpbem (?:{_COMMANDS})\b|(?<![\w-])--[a-z]")
"""Where a sentence begins to say what to type."""
PATH: Final = re.compile(r"(?<![\w./:])/(?:home/web|tmp|app)\b[^\s;:,)]*")
"""A path in the memory of the tab."""
HERE: Final = "this browser"
_BREAK: Final = re.compile(r": |, | \(")
_TO_DO: Final = re.compile(r"^(?:and|or|to|type|see|try|then|if|without)\b", re.IGNORECASE)
"""How a clause begins that says what a command is for."""


def without_commands(text: str) -> str:
    """Leave out what a person could only type, and paths; empty if nothing else was said."""
    text = PATH.sub(HERE, text)
    if not COMMAND.search(text):
        return text
    said = ""
    for part in re.split(r"(?<=[;.]) ", text):
        if spoken := _spoken(part):
            end = part[-1] if part[-1] in ";." and spoken[-1] != part[-1] else ""
            said += f" {spoken}{end}" if said else f"{spoken}{end}"
    return re.sub(r"[;:,]$", "", said)


def _spoken(part: str) -> str:
    """Return a part of a sentence up to the break before its first command."""
    command = COMMAND.search(part)
    if not command:
        return part
    said = part[: command.start()]
    breaks = [*_BREAK.finditer(said)]
    for last in reversed(breaks):
        said = said[: last.start()]
        clause = said[max([0, *(one.end() for one in breaks if one.end() <= last.start())]) :]
        if not _TO_DO.search(clause):
            return said
    return ""
