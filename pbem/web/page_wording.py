"""The words of pages, where they differ from the words of commands.

Pages show the sentences of the commands without the parts that only a terminal needs: the digits
and the revisions of orders. A browser tab has neither a terminal nor a folder, so it shows no
command and no path.
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
    """Return the chip of a seat; None if the seat has nothing to do.

    `seat_status` is a word in capitals, as in the output of `pbem status`; `-` for nothing.
    """
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
    """Return a text without the digits and the revisions of orders, joins and notices."""
    return _DIGITS_OF_RECORD.sub("", _DIGITS_OF_JOIN.sub("the twelve words: ", text))


_COMMAND_NAMES: Final = (
    "advance|audit|calendar|check|demo|doctor|explain|games|host|join|keys|learn|list|log|new|"
    "notice|notify|orders|play|post|receive|replay|results|rules|run|send|show|sim|since|status|"
    "submit|table|tell"
)
COMMAND_PATTERN: Final = re.compile(rf"`?\bpbem (?:{_COMMAND_NAMES})\b|(?<![\w-])--[a-z]")
"""The beginning of a command in a sentence."""
TAB_PATH_PATTERN: Final = re.compile(r"(?<![\w./:])/(?:home/web|tmp|app)\b[^\s;:,)]*")
"""A path in the memory of the tab."""
TAB_NAME: Final = "this browser"
_BREAK_PATTERN: Final = re.compile(r": |, | \(")
_PURPOSE_PATTERN: Final = re.compile(
    r"^(?:and|or|to|type|see|try|then|if|without)\b", re.IGNORECASE
)
"""The beginning of a clause that says what a command is for."""


def without_commands(text: str) -> str:
    """Return a text without commands, which nobody can type in a tab, and without paths; empty if
    nothing is left."""
    text = TAB_PATH_PATTERN.sub(TAB_NAME, text)
    if not COMMAND_PATTERN.search(text):
        return text
    kept_parts = list[str]()
    for part in re.split(r"(?<=[;.]) ", text):
        kept_part = _before_command(part)
        if kept_part:
            has_lost_end = part[-1] in ";." and kept_part[-1] != part[-1]
            kept_parts.append(kept_part + part[-1] if has_lost_end else kept_part)
    return re.sub(r"[;:,]$", "", " ".join(kept_parts))


def _before_command(part: str) -> str:
    """Return a part of a sentence up to the break before its first command, without clauses that
    say what the command is for; the whole part if it has none."""
    command = COMMAND_PATTERN.search(part)
    if not command:
        return part
    clause_text = part[: command.start()]
    breaks = [*_BREAK_PATTERN.finditer(clause_text)]
    for break_match in reversed(breaks):
        clause_text = clause_text[: break_match.start()]
        earlier_ends = [match.end() for match in breaks if match.end() <= break_match.start()]
        last_clause = clause_text[max([0, *earlier_ends]) :]
        if not _PURPOSE_PATTERN.search(last_clause):
            return clause_text
    return ""
