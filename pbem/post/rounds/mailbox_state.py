"""Remember in the home how far a mailbox has been read, and who was answered lately."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from pbem.format.canonical import emit
from pbem.format.errors import RecordError
from pbem.storage.atomic_write import replace
from pbem.storage.errors import StorageError
from pbem.storage.read_file import read_file
from pbem.text.handwritten_toml import decoded

DAY: Final = 86400
MOST_LEFT: Final = 1000
"""The most messages that are tried again each time: so many with a code that proves who wrote them,
and so many others. The rest is read again when there is room."""
PROVEN: Final = " proven"


class MailboxState:
    """The number of the last message that was read, and recent answers.

    If this is lost, messages are read again; nothing else happens.
    """

    def __init__(self, root: Path) -> None:
        self.path = root / "state.toml"
        doc = self._read()
        self._place = str(doc.get("place", ""))
        self._validity = _number(doc.get("validity"))
        self.last = _number(doc.get("last"))
        """The number (UID) of the last message that was read."""
        self._left = {_number_in(one): one for one in _lines(doc.get("left"))}
        """The messages that could not be taken: number, and time of the first try."""
        missed = enumerate(_list(doc.get("missed"))[:2])  # of others, and of proven ones
        self._missed = {bool(proven): _number(one) for proven, one in missed if _number(one)}
        """The first message for which there was no room in `_left`."""
        self._answers = [str(one) for one in _list(doc.get("answers"))]

    def begin(self, place: str, validity: int) -> None:
        """Start again if this is a different folder, or if the server renumbered its messages."""
        if (self._place, self._validity) != (place, validity):
            self._place, self._validity, self.last = place, validity, 0
            self._left.clear()
            self._missed.clear()

    # -------------------------------------------------------------- messages to try again
    def left(self, *, proven: bool) -> list[int]:
        """Return the numbers of the messages that could not be taken, in their order.

        `proven` says whether to return those with a code that proves who wrote them, or the others.
        """
        return sorted(uid for uid, one in self._left.items() if one.endswith(PROVEN) == proven)

    def leave(self, uid: int, when: float, *, proven: bool) -> bool:
        """Note that a message could not be taken at this time; return whether to try it again.

        After a day it is given up. If too many are left already, it is not noted, but `go_back`
        returns to it: so nobody can push out a message with a thousand others.
        """
        line = f"{uid} {int(when)}{PROVEN if proven else ''}"
        first = float(self._left.setdefault(uid, line).split()[1])
        if when - first >= DAY:
            self.take(uid)
            return False
        if first > when:
            self._left[uid] = line  # the clock was set back
        for other in self.left(proven=proven)[MOST_LEFT:]:
            self.take(other)
            self._missed[proven] = min(other, self._missed.get(proven, other))
        return True

    def go_back(self) -> None:
        """Return to the first message for which there was no room, if there is room now.

        The messages after it are then read again, which changes nothing.
        """
        for proven, first in list(self._missed.items()):
            if 2 * len(self.left(proven=proven)) <= MOST_LEFT:
                self.last = min(self.last, first - 1)
                del self._missed[proven]

    def take(self, uid: int) -> None:
        """Note that a message need not be tried again."""
        self._left.pop(uid, None)

    def answered(self, address: str, when: float, most: int) -> bool:
        """Return whether an address may be answered now, at most `most` times a day.

        If it may, the answer is noted.

        Answers with a date more than a day ahead do not count: the clock was wrong.
        """
        recent = [one for one in self._answers if abs(_number_in(one) - when) < DAY]
        if sum(one.endswith(f" {address.lower()}") for one in recent) >= most:
            return False
        self._answers = [*recent, f"{int(when)} {address.lower()}"]
        self.save()
        return True

    def save(self) -> None:
        """Write the state into the home. Raises StorageError."""
        doc = {"answers": self._answers, "last": self.last, "place": self._place}
        left = [self._left[uid] for uid in sorted(self._left)]
        missed = [self._missed.get(proven, 0) for proven in (False, True)]
        more = {"left": left, "missed": missed, "validity": self._validity}
        replace(self.path, emit(doc | more))

    def _read(self) -> dict[str, Any]:
        try:
            return decoded(read_file(self.path))
        except (StorageError, RecordError, ValueError):
            return {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _lines(value: Any) -> list[str]:
    """Return the texts in a list that consist of a number and a time."""
    found = [str(one) for one in _list(value)]
    return [one for one in found if re.fullmatch(rf"[0-9]{{1,10}} [0-9]{{1,12}}({PROVEN})?", one)]


def _number(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _number_in(line: str) -> int:
    word = line.partition(" ")[0]
    return int(word) if word.isdecimal() else 0
