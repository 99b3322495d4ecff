"""Make and parse the names of record files: kind, turn, seat, revision and id (protocol §2).

A name says where to look for a record. What the record is, only its signed header says.
"""

import re
from typing import Final, Literal, NamedTuple

Kind = Literal["charter", "join", "turn", "orders", "final", "press", "notice"]
REFEREE: Final = "referee"
"""The word in the name of a referee's message or notice, where others have a seat's letter."""

_DIGITS = r"(?P<digits>[0-9a-f]{6})"
_TURN = r"(?P<turn>(?!0000)[0-9]{4})"
_REVISION = r"(?P<revision>[1-9][0-9]?)"
_ALONE: Final[dict[str, Kind]] = {"game.toml": "charter", "final.toml": "final"}
_FOLDERS: Final[dict[str, tuple[Kind, str]]] = {
    "orders": ("orders", rf"{_TURN}-(?P<seat>[a-p])-{_REVISION}-{_DIGITS}\.toml"),
    "turns": ("turn", rf"{_TURN}\.toml"),
    "seats": ("join", rf"(?P<seat>[a-p])-{_DIGITS}\.toml"),
    "press": ("press", rf"{_TURN}-(?P<seat>[a-p]|{REFEREE})-{_REVISION}-{_DIGITS}\.toml"),
    "notices": ("notice", rf"{_TURN}-(?P<seat>[a-p]|{REFEREE})-{_REVISION}-{_DIGITS}\.toml"),
}
"""For each folder, the kind of its records and the pattern of their names."""


class Name(NamedTuple):
    """The name of a record's file, split into fields.

    Fields that this kind of record does not have are 0 or empty.
    """

    kind: Kind
    turn: int = 0
    seat: str = ""
    revision: int = 0
    """The revision of orders, or the number of a message or notice."""
    digits: str = ""
    """The first six hex digits of the record's id."""

    @property
    def path(self) -> str:
        """The file's path inside the game's folder, with slashes."""
        match self.kind:
            case "charter" | "final":
                return "game.toml" if self.kind == "charter" else "final.toml"
            case "join":
                return f"seats/{self.seat}-{self.digits}.toml"
            case "turn":
                return turn_path(self.turn)
            case "orders":
                return f"orders/{self.turn:04}-{self.seat}-{self.revision}-{self.digits}.toml"
            case "press" | "notice":
                place = "press" if self.kind == "press" else "notices"
                return f"{place}/{self.turn:04}-{self.seat}-{self.revision}-{self.digits}.toml"


def turn_path(turn: int) -> str:
    """Return the path of a turn's file inside the game's folder."""
    return f"turns/{turn:04}.toml"


def parse_name(path: str) -> Name | None:
    """Parse the path of a file inside the game's folder; None if no record can have this path."""
    if path in _ALONE:
        return Name(_ALONE[path])
    folder, _, name = path.partition("/")
    kind, pattern = _FOLDERS.get(folder, (None, ""))
    found = re.fullmatch(pattern, name) if kind else None
    if kind is None or found is None:
        return None
    fields = found.groupdict("")
    turn, revision = int(fields.get("turn", 0)), int(fields.get("revision", 0))
    return Name(kind, turn, fields.get("seat", ""), revision, fields.get("digits", ""))
