"""Read the part of a game that a folder has: turns up to the first gap, heads, players."""

from __future__ import annotations

import contextlib

from pbem.format.errors import RecordError
from pbem.play.checking.game_folder import GameFolder
from pbem.play.seats.listed_notices import again, in_order
from pbem.play.seats.standing import Standing
from pbem.records.chain import first_head, next_head
from pbem.records.charter_join_orders import Join
from pbem.records.notices.sayings import TakeIn
from pbem.records.read_record import Record
from pbem.records.turn import Turn


class FolderSoFar:
    """The part of a game that a folder has; call `grow` first, and again when turns arrive."""

    def __init__(self, game_folder: GameFolder) -> None:
        self.game_folder = game_folder
        self.turns: list[Record[Turn]] = []
        self.heads = [first_head(game_folder.game)]
        """The head before turn 1, then the head after each turn."""

    def grow(self, game_folder: GameFolder | None = None) -> None:
        """Add the turns that are here now. Raises FileError for a file that is not a turn."""
        self.game_folder = game_folder or self.game_folder
        for turn in self.game_folder.turns(self.last):
            self.turns.append(turn)
            self.heads.append(next_head(self.heads[-1], turn.id))

    @property
    def last(self) -> int:
        """The number of the last turn, 0 before the first."""
        return len(self.turns)

    @property
    def asked_by(self) -> int:
        """The last turn in which something happened; orders that answer this turn are still in
        time."""
        made = (turn.content.turn for turn in reversed(self.turns) if turn.content.log)
        return next(made, 0)

    @property
    def taken(self) -> dict[str, bytes]:
        """The id of the join that counts for each seat; empty before turn 1."""
        return dict(self.turns[0].content.joins or {}) if self.turns else {}

    @property
    def roster(self) -> dict[str, Record[Join]]:
        """The joins that count, by seat, as far as they are in this folder."""
        here = self.game_folder.joins()
        return {seat: here[wanted] for seat, wanted in self.taken.items() if wanted in here}

    @property
    def taken_in(self) -> list[tuple[int, TakeIn]]:
        """The notices in this folder with which somebody took a seat over, each with the number of
        its turn."""
        find, found = self.game_folder.find_notice, list[tuple[int, TakeIn]]()
        for turn in self.turns:
            for row in turn.content.notices:
                with contextlib.suppress(RecordError):
                    said = find(row.id).content.saying
                    found += [(turn.content.turn, said)] if isinstance(said, TakeIn) else []
        return found

    @property
    def listed_notices(self) -> set[bytes]:
        """The ids of the notices that the turns here list."""
        return {row.id for turn in self.turns for row in turn.content.notices}

    @property
    def standing(self) -> Standing:
        """Who has which seat and keys after the last turn, as far as the joins and notices are
        here."""
        joins = self.game_folder.joins()
        roster = {seat: record.content for seat, record in self.roster.items()}
        standing = Standing(self.game_folder.charter.content, roster, joins=joins)
        find = self.game_folder.find_notice
        for turn in self.turns:
            try:
                records = in_order(standing, (find(row.id) for row in turn.content.notices))
                ids = [(turn.content.turn, record.id) for record in records]
                standing = again(standing, ids, find)
            except (RecordError, KeyError):
                return standing  # `receive` says what is missing
        return standing

    @property
    def over(self) -> bool:
        """Whether the last turn says that the game is over."""
        return bool(self.turns) and self.turns[-1].content.over
