"""Remember in the home what the referee needs for seats by mail: addresses, answered replies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from pbem.format.canonical import emit
from pbem.format.errors import RecordError
from pbem.format.record_size import MAX_BYTES
from pbem.mailseats.new_lines import ECHO
from pbem.storage.atomic_write import make_folder, replace
from pbem.storage.errors import FileError, StorageError
from pbem.storage.private.home import Mine
from pbem.storage.read_file import read_file
from pbem.text.handwritten_toml import decoded

SENT: Final = "mail-texts"
"""The folder with the texts of the emails that were sent, one file for each turn and seat."""
MOST_SENT: Final = 60
"""How many texts with one code are kept: the oldest answers to replies are forgotten first, then
the oldest emails, but never the first."""
MOST_HELD: Final = 50
"""How many orders in free words are remembered."""
_BETWEEN: Final = "\n\f\n"
MOST_ANSWERED: Final = 2000
"""How many replies are remembered, so that none is answered twice; the oldest are forgotten."""


class MailBook:
    """The notes of one game about seats by mail.

    If they are lost, the addresses are read from the seats' joins.
    """

    def __init__(self, mine: Mine) -> None:
        self.path: Path = mine.root / "mail-seats.toml"
        doc = self._read()
        self._first = _texts_by_seat(doc.get("first"))
        self._now = _texts_by_seat(doc.get("now"))
        answered = doc.get("answered")
        self._answered = [x for x in answered or () if isinstance(x, str)]
        self._counts = _numbers(doc.get("counts"))
        self._in_vain = _numbers(doc.get("in_vain"))
        self._held = _held(doc.get("held"))

    def first_address(self, seat: str) -> str:
        """Return the address that a seat had when the game was made, which its join also contains.

        May be empty.
        """
        return self._first.get(seat, "")

    def address(self, seat: str) -> str:
        """Return the address to which email for a seat is sent now.

        The answer is empty if it is not known here.
        """
        return self._now.get(seat) or self.first_address(seat)

    def set_addresses(self, addresses: Mapping[str, str]) -> None:
        """Note the addresses of a new game. Raises StorageError."""
        self._first = {**addresses}
        self._write()

    def move(self, seat: str, address: str) -> None:
        """Note that a player has a new address. Raises StorageError."""
        self._now[seat] = address
        self._write()

    # -------------------------------------------------------------- what was sent
    def note_sent(self, seat: str, turn: int, text: str) -> None:
        """Note the text of an email with the code of this turn, before it is sent.

        A reply is compared with what was sent, not with what would be written now: since then,
        messages and turns may have come or gone. Raises StorageError.
        """
        texts = self._sent(seat, turn)
        if text not in texts:
            kept = [*texts, text]
            if len(kept) > MOST_SENT:
                answers = (at for at, one in enumerate(kept[:-1]) if ECHO in one)
                del kept[next(answers, 1)]
            make_folder(self.path.parent / SENT, private=True)
            replace(self._sent_path(seat, turn), _BETWEEN.join(kept).encode())

    def sent(self, seat: str, turn: int) -> str:
        """Return the texts of the emails with the code of this turn; empty if none is known."""
        return "\n".join(self._sent(seat, turn))

    def _sent(self, seat: str, turn: int) -> list[str]:
        try:
            text = read_file(self._sent_path(seat, turn)).decode("utf-8", "replace")
        except (FileError, StorageError):
            return []
        return text.split(_BETWEEN)

    def _sent_path(self, seat: str, turn: int) -> Path:
        return self.path.parent / SENT / f"{turn:04}-{seat}.txt"

    # -------------------------------------------------------------- replies
    def was_answered(self, reply: str) -> bool:
        """Return whether this reply was answered before; `reply` is its fingerprint."""
        return reply in self._answered

    def answered(self, replies: Iterable[str]) -> None:
        """Note that these replies were answered. Raises StorageError."""
        self._answered = [*self._answered, *replies][-MOST_ANSWERED:]
        self._write()

    def count(self, turn: str, in_vain: bool, most: int, most_in_vain: int) -> bool:
        """Count one more answer about a turn, and the useless answers in a row; return whether both
        are within limits.

        `turn` names the seat and turn, as `b7`. With `in_vain`, this answer could not use anything
        in the reply. The limits are `most` and `most_in_vain`. Raises StorageError.
        """
        for counts, more in ((self._counts, True), (self._in_vain, in_vain)):
            number = counts.get(turn, 0) + 1 if more else 0
            for old in [name for name in counts if name[:1] == turn[:1]]:
                del counts[old]
            counts[turn] = number
        self._write()
        return self._counts[turn] <= most and self._in_vain[turn] <= most_in_vain

    def in_vain(self, turn: str) -> int:
        """Return how many answers in a row about a turn could not use anything in a reply."""
        return self._in_vain.get(turn, 0)

    # -------------------------------------------------------------- orders in free words
    @property
    def held(self) -> Mapping[str, int]:
        """Until when the turn waits for a correction of orders in free words, by their paths."""
        return self._held

    def hold(self, path: str, until: int) -> int:
        """Note until when the turn waits for a correction of these orders.

        Returns the moment that counts: the one noted before, if there is one. Raises StorageError.
        """
        if path not in self._held:
            self._held = {**dict(list(self._held.items())[-MOST_HELD:]), path: until}
            self._write()
        return self._held[path]

    def _read(self) -> dict[str, Any]:
        try:
            return decoded(read_file(self.path), MAX_BYTES)
        except (StorageError, RecordError, ValueError):
            return {}

    def _write(self) -> None:
        held = [f"{until} {path}" for path, until in self._held.items()]
        doc: dict[str, Any] = {"answered": self._answered, "first": self._first, "now": self._now}
        doc |= {"counts": self._counts, "in_vain": self._in_vain, "held": held}
        replace(self.path, emit(doc))


def _texts_by_seat(value: Any) -> dict[str, str]:
    """Return the texts in a table of the file, by their keys; empty if the value is not such a
    table."""
    if not isinstance(value, dict):
        return {}
    return {seat: text for seat, text in value.items() if isinstance(text, str)}


def _held(value: Any) -> dict[str, int]:
    """Return the moments by path in a list of the file; empty if the value is not such a list."""
    try:
        rows = [row.split(" ", 1) for row in value or ()]
        return {path: int(until) for until, path in rows}
    except (ValueError, AttributeError, TypeError):
        return {}


def _numbers(value: Any) -> dict[str, int]:
    """Return the numbers in a table of the file, by their keys; empty if the value is not such a
    table."""
    if not isinstance(value, dict):
        return {}
    return {name: number for name, number in value.items() if type(number) is int}
