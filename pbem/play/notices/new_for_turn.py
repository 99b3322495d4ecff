"""The notices that the next turn will list: those that came, and those that seat new players."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.format.errors import RecordError
from pbem.format.keys import SigningKey
from pbem.play.checking.game_folder import GameFolder
from pbem.play.notices.notice_files import new_notices
from pbem.play.notices.write_notice import make_notice, next_number
from pbem.play.seats.invites import fresh_code, has_code
from pbem.play.seats.listed_notices import SignedNotice, sorted_out
from pbem.play.seats.standing import Standing
from pbem.play.seats.take_in import why_not_join
from pbem.records.charter_join_orders import Join
from pbem.records.notices.notice_record import REFEREE
from pbem.records.notices.sayings import TakeIn
from pbem.records.read_record import Record


class NewNotices:
    """The notices in a folder that no turn lists yet, judged by the game before the next turn."""

    def __init__(
        self,
        game_folder: GameFolder,
        listed: Collection[bytes],
        heads: Sequence[bytes],
        before: Standing,
    ) -> None:
        self.game_folder, self.heads, self.before = game_folder, heads, before
        self.here = new_notices(game_folder, listed) if game_folder.listing.notices else []

    def good(self) -> list[SignedNotice]:
        """Those that count for the next turn."""
        return sorted_out(self.before, self.here, self.heads)[0]

    def take_in(self, key: SigningKey, audit: bytes) -> list[SignedNotice]:
        """Sign a notice for each open seat that somebody joined with the code of its new invite.

        `key`: the referee's. If one person made several joins, the smallest id counts.
        """
        waiting = {r.content.saying.seat for r in self.here if isinstance(r.content.saying, TakeIn)}
        made = list[SignedNotice]()
        for seat in sorted(self.before.roster):
            if self.before.is_open(seat) and seat not in waiting:
                made += self._take_in(seat, key, audit)
        self.here += made
        return made

    def _take_in(self, seat: str, key: SigningKey, audit: bytes) -> list[SignedNotice]:
        code = fresh_code(self.before, audit, self.game_folder.game, seat)
        joins = sorted(self._joins(seat, audit, code), key=lambda record: record.id)
        turn = len(self.heads) - 1
        mine = [r for r in new_notices(self.game_folder, ()) if r.content.writer == REFEREE]
        try:
            number = next_number([*mine, *self.here], turn, REFEREE)
        except RecordError:  # a seat that is open can wait for the next turn
            return []
        if not joins:
            return []
        place = self.game_folder.game, turn, self.heads[turn]
        return [make_notice(place, REFEREE, number, TakeIn(seat, joins[0].id), key)]

    def _joins(self, seat: str, audit: bytes, code: bytes) -> list[Record[Join]]:
        return [
            record
            for record in self.before.joins.values()
            if record.content.seat == seat
            and not why_not_join(self.before, seat, record.content)
            and has_code(record.content, audit, self.game_folder.game, code)
        ]
