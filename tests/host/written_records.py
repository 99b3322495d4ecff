"""The records of a game in an order in which they can have been written."""

from pathlib import Path

from pbem.files.game_folder import Folder
from pbem.records.charter import Charter
from pbem.records.read_and_sign_record import Content, Record
from tests.kit.record_files import record_at, record_path

DIGITS = "5eed" * 8
VECTORS = Path(__file__).parent.parent / "vectors"


def in_time(folder: Path) -> list[Record[Content]]:
    """The records of a game, in an order in which they can have been written."""
    listing = Folder(folder).scan()
    charter = record_at(folder / "game.toml").content
    records = [record_at(folder / x.path) for x in (*listing.records, *listing.press)]

    def when(record: Record[Content]) -> tuple[int, int, int]:
        content = record.content
        kinds = (
            "charter", "join", "turn", "deal", "orders", "notice", "press", "final",
        )  # fmt: skip
        # it comes before its turn
        own = content.kind == "orders" and content.seat in charter.plays
        number = getattr(content, "revision", getattr(content, "number", 0))
        return (content.turn, -1 if own else kinds.index(content.kind), number)

    return sorted(records, key=when)


def path_of(record: Record[Content]) -> str:
    return "game.toml" if isinstance(record.content, Charter) else record_path(record)
