"""The deadlines that your seat missed since you last read about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pbem.files.home import GameHome
from pbem.files.toml_notebook import Notebook, Notes
from pbem.judge.game_view import View
from pbem.person.lost_records import note_if_writable
from pbem.person.session import Session


class MissedNotes(Notes):
    """For each seat, the last turn up to which its player has read what they missed."""

    file = "missed.toml"
    turns: Mapping[str, int] = field(default_factory=dict)


def _book(game_home: GameHome) -> Notebook[MissedNotes]:
    return Notebook(game_home.root, MissedNotes)


def missed_turns(session: Session, view: View, shown_turn: int) -> list[int]:
    """Return the turns that chose for your seat because it missed the deadline, after those that
    you have read about; `shown_turn` is the last turn that you saw if you have read about none.
    Raises FileError."""
    first_turn = _book(session.game_home).read().turns.get(view.seat, shown_turn) + 1
    files = [file for file in session.listing.turns if first_turn <= file.name.turn <= view.turn]
    return [
        file.name.turn
        for file in files
        if view.seat in session.game_folder.turn(file).content.silent
    ]


def note_missed_read(session: Session, seat: str, turn: int) -> None:
    """Note that the player has read what their seat missed up to this turn, if the home can be
    written."""

    def with_turn(notes: MissedNotes) -> MissedNotes:
        return MissedNotes({**notes.turns, seat: max(turn, notes.turns.get(seat, 0))})

    note_if_writable(_book(session.game_home).change, with_turn)
