"""A game as far as it lies in one folder: its turns without a gap, their heads, who sits where."""

from __future__ import annotations

from pbem.play.checking.game_folder import Chronicle
from pbem.records.chain import first_head, next_head
from pbem.records.charter_join_orders import Join
from pbem.records.read_record import Record
from pbem.records.turn import Turn


class SoFar:
    """Grows as turns come; begin with `grow`."""

    def __init__(self, chronicle: Chronicle) -> None:
        self.chronicle = chronicle
        self.turns: list[Record[Turn]] = []
        self.heads = [first_head(chronicle.game)]
        """The head before turn 1, then that after each turn."""

    def grow(self, chronicle: Chronicle | None = None) -> None:
        """Go on with the turns that are here now. Raises FileError for one that is none."""
        self.chronicle = chronicle or self.chronicle
        for turn in self.chronicle.turns(self.last):
            self.turns.append(turn)
            self.heads.append(next_head(self.heads[-1], turn.id))

    @property
    def last(self) -> int:
        """The number of the last turn, 0 before the first."""
        return len(self.turns)

    @property
    def taken(self) -> dict[str, bytes]:
        """The id of the join that counts for each seat; none before turn 1."""
        return dict(self.turns[0].content.joins or {}) if self.turns else {}

    @property
    def roster(self) -> dict[str, Record[Join]]:
        """These joins, as far as they are here."""
        here = self.chronicle.joins()
        return {seat: here[wanted] for seat, wanted in self.taken.items() if wanted in here}

    @property
    def over(self) -> bool:
        """Whether the last turn says that the game is over."""
        return bool(self.turns) and self.turns[-1].content.over
