"""The names of the files of records in a game folder (protocol §4)."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from pbem.files.file_errors import FileError

RecordKind = Literal["charter", "join", "turn", "orders", "final", "press", "notice", "deal"]
REFEREE: Final = "referee"
"""The word in the name of a referee's message or notice, where others have a seat's letter."""

_DIGITS = r"(?P<digits>[0-9a-f]{6})"
_TURN = r"(?P<turn>(?!0000)[0-9]{4})"
_REVISION = r"(?P<revision>[1-9][0-9]?)"
_ANY_TURN = r"(?P<turn>[0-9]{4})"
_SINGLE_RECORDS: Final[dict[str, RecordKind]] = {"game.toml": "charter", "final.toml": "final"}
_FOLDERS: Final[dict[str, tuple[RecordKind, str]]] = {
    "orders": ("orders", rf"{_TURN}-(?P<seat>[a-p])-{_REVISION}-{_DIGITS}\.toml"),
    "turns": ("turn", rf"{_TURN}\.toml"),
    "seats": ("join", rf"(?P<seat>[a-p])-{_DIGITS}\.toml"),
    "press": ("press", rf"{_TURN}-(?P<seat>[a-p]|{REFEREE})-{_REVISION}-{_DIGITS}\.toml"),
    "notices": ("notice", rf"{_TURN}-(?P<seat>[a-p]|{REFEREE})-{_REVISION}-{_DIGITS}\.toml"),
    "deals": ("deal", rf"{_ANY_TURN}-(?P<revision>[01])-{_DIGITS}\.toml"),
}
"""For each folder, the kind of record and the pattern of a file name."""


class Name(NamedTuple):
    """The name of a record's file, in fields; those that its kind does not have are 0 or empty.

    It says where to look for a record. What the record is, only its signed header says.
    """

    kind: RecordKind
    turn: int = 0
    seat: str = ""
    revision: int = 0
    """The revision of orders, the number of a message or notice, or that of a co-dealer."""
    short_id: str = ""
    """The first six hex digits of the record's id."""

    def is_like(self, other_name: Name) -> bool:
        """Return whether two records are of the same kind, writer and turn."""
        return (self.kind, self.seat, self.turn) == (
            other_name.kind,
            other_name.seat,
            other_name.turn,
        )

    @property
    def path(self) -> str:
        """The file's path inside the game's folder, with slashes."""
        match self.kind:
            case "charter" | "final":
                return "game.toml" if self.kind == "charter" else "final.toml"
            case "join":
                return f"seats/{self.seat}-{self.short_id}.toml"
            case "turn":
                return turn_path(self.turn)
            case "orders":
                return f"orders/{self.turn:04}-{self.seat}-{self.revision}-{self.short_id}.toml"
            case "deal":
                return f"deals/{self.turn:04}-{self.revision}-{self.short_id}.toml"
            case "press" | "notice":
                place = "press" if self.kind == "press" else "notices"
                return f"{place}/{self.turn:04}-{self.seat}-{self.revision}-{self.short_id}.toml"


def turn_path(turn: int) -> str:
    """Return the path of a turn's file inside the game's folder."""
    return f"turns/{turn:04}.toml"


def parse_name(path: str) -> Name | None:
    """Parse the path of a file inside the game's folder; None if no record can have this path.

    >>> parse_name("orders/0003-b-2-0a1b2c.toml")
    Name(kind='orders', turn=3, seat='b', revision=2, short_id='0a1b2c')
    """
    if path in _SINGLE_RECORDS:
        return Name(_SINGLE_RECORDS[path])
    folder, _, name = path.partition("/")
    kind, pattern = _FOLDERS.get(folder, (None, ""))
    match = re.fullmatch(pattern, name) if kind else None
    if kind is None or match is None:
        return None
    fields = match.groupdict("")
    turn, revision = int(fields.get("turn", 0)), int(fields.get("revision", 0))
    return Name(kind, turn, fields.get("seat", ""), revision, fields.get("digits", ""))


def check_record_path(path: str) -> None:
    """Raise FileError `name` for a path that no record can have."""
    if parse_name(path) is None:
        raise FileError("name", path, "is not the name of a record")
