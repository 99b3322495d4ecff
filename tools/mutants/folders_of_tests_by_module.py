"""Which tests are asked about which modules: only the quick ones in the matching folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FORMAT = ("tests/format", "tests/vectors")
CARDS = ("tests/cards", "tests/format/test_group.py", "tests/vectors/test_hidden_cards.py")
RECORDS = ("tests/records", "tests/vectors")
ENGINE = ("tests/engine", "tests/rules")
PLAY = (
    "tests/play",
    "tests/admission",
    "tests/attacks",
    "tests/calendar",
    "tests/checkpoints",
    "tests/press",
    "tests/notices",
    "tests/drafts",
    "tests/cli/test_order_fates.py",
    "tests/cli/test_witness.py",
    "tests/cli/test_folder_attacks.py",
)
MAIL = (
    *(
        path.relative_to(ROOT).as_posix()  # not the meeting: it plays a game before its first test
        for path in sorted(ROOT.glob("tests/mail/test_*.py"))
        if path.name != "test_meeting.py"
    ),
    "tests/post/test_incoming.py",
    "tests/post/test_outbox.py",
)

EXCLUDED_MODULES = {"engine/make_and_ask_bots.py", "engine/play_bot_game.py"}
"""Modules in which nothing is verified, dealt or written."""


@dataclass(frozen=True)
class Room:
    """Modules and the tests that check them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]

    def paths(self) -> list[Path]:
        """Return the files of its modules."""
        paths = (path for name in self.modules for path in _modules_in(ROOT / name))
        return [path for path in paths if str(path.relative_to(ROOT)) not in EXCLUDED_MODULES]


def _modules_in(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


FROM_THE_JUDGE = ("audit_certificate", "notices", "evidence_from_own_machine")
"""The modules of `pbem/wording` that word what the judge finds out."""
ROOMS = (
    Room(("pbem/format",), FORMAT),
    Room(("pbem/cards",), CARDS),
    Room(("pbem/files",), ("tests/storage", "tests/store")),
    Room(("engine",), ENGINE),
    Room(("pbem/records",), RECORDS),
    Room(("pbem/judge", *(f"pbem/wording/{name}.py" for name in FROM_THE_JUDGE)), PLAY),
    Room(("pbem/mail",), MAIL),
    Room(
        ("pbem/person/mail_notebooks.py", "pbem/person/due_mail.py"),
        (*MAIL, "tests/post/seats"),
    ),
)


def rooms_for(names: Iterable[str]) -> Iterator[tuple[Room, list[Path]]]:
    """Yield the rooms and their modules; if modules or folders are named, only those."""
    chosen_paths = [(ROOT / name).resolve() for name in names]
    for room in ROOMS:
        paths = [
            path
            for path in room.paths()
            if not chosen_paths or any(path == c or c in path.parents for c in chosen_paths)
        ]
        if paths:
            yield room, paths
