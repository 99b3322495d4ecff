"""Write notes on files in the folder that pbem ignores; commands still run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.few_of_many import FewOfMany
from pbem.screen.terminal import clean
from pbem.storage.file_names import turn_path

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.cli.session.session import Session

TELLING = ("copy", "case", "link")
"""Kinds of stray files in which there may be a record that somebody needs."""


def say_notes(session: Session) -> None:
    """Print the notes on ignored files on standard error."""
    from pbem.cli.failure import say

    for note in notes(session):
        say(note)


def notes(session: Session, made: Collection[str] = ()) -> list[str]:
    """Return a note on each damaged file, misplaced file and conflict copy.

    ``made`` are paths that were written since the listing: they get no note.
    """
    few, ignored = FewOfMany(), list[str]()
    for fault in session.game_folder.faults:
        if fault.path not in made and few.shows(fault.path, fault.reason, fault.sentence):
            ignored.append(f"{fault.path} does not count: {fault.sentence}")
    for litter in session.listing.litter:
        if litter.kind in TELLING and few.shows(litter.path, litter.kind, litter.why):
            ignored.append(f"{litter.path} is not read: {litter.why}")
    missing = [
        f"{turn_path(gap)} is missing, but later turns are here: you see the game as it was "
        "before that turn"
        for gap in session.gaps[:1]
    ]
    rest = few.rest("pbem doctor --json")
    return [f"note: {clean(text)}" for text in (*missing, *ignored, *rest)]
