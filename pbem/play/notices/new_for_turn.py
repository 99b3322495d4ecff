"""Choose the notices that the next turn will list, and sign those that give seats to new
players."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.format.errors import RecordError
from pbem.format.keys import SigningKey
from pbem.play.calendar.charter_deadlines import deputy_after
from pbem.play.checking.game_folder import GameFolder
from pbem.play.checking.which_join_counts import (
    MOST_LET_IN,
    accepted_join,
    is_named,
    one_of_each_person,
)
from pbem.play.notices.notice_files import new_notices
from pbem.play.notices.write_notice import make_notice, next_number
from pbem.play.seats.listed_notices import (
    SignedNotice,
    after_notice,
    must_count,
    sorted_out,
    why_not,
)
from pbem.play.seats.standing import Acts, Standing
from pbem.play.seats.take_in import why_not_invited, why_not_join
from pbem.records.charter_join_orders import Join
from pbem.records.notices.notice_record import REFEREE
from pbem.records.notices.sayings import HandOver, Saying, TakeIn
from pbem.records.read_record import Record
from pbem.text.dates import utc_date


class NewNotices:
    """The notices that no turn lists yet; finds those that can count for the next turn."""

    def __init__(
        self,
        game_folder: GameFolder,
        listed: Collection[bytes],
        heads: Sequence[bytes],
        before: Standing,
        accept: Collection[str] = (),
        refuse: Collection[str] = (),
        acts: Acts = (),
    ) -> None:
        """`accept` and `refuse` say which joins the referee chose, as for `seat_players`. `acts`
        are the orders here that no turn lists yet.
        """
        self.game_folder, self.heads, self.before = game_folder, heads, before
        self.accept, self.refuse = accept, refuse
        self.contested: dict[str, list[Record[Join]]] = {}
        """The open seats that several people joined with the new invite."""
        self.here = new_notices(game_folder, listed) if game_folder.listing.notices else []
        self.acts = acts
        due = must_count(before.due, acts)
        self.here += map(game_folder.find_notice, (wait.id for wait in due))

    def good(self) -> list[SignedNotice]:
        """The notices that count for the next turn."""
        return sorted_out(self.before, self.here, self.heads)[0]

    def take_over(self, key: SigningKey) -> list[SignedNotice]:
        """Sign that the deputy takes over, if this is the deputy's key and no notice says so yet.

        Raises RecordError `state` if it is too early.
        """
        if key.public != self.before.charter.deputy_key or self.before.deputy_since:
            return []
        if any(isinstance(record.content.saying, HandOver) for record in self.good()):
            return []
        made = self._sign(HandOver("deputy"), key)
        if reason := why_not(self.before, made, self.heads):
            raise RecordError("state", reason)
        return [made]

    def _sign(self, saying: Saying, key: SigningKey) -> SignedNotice:
        """Sign a notice of the referee for the place after the last turn, and add it to `here`.

        Notices that somebody else signed in the referee's name do not count as the referee's. If
        one of them says the same as this notice, its file is set aside later.

        Raises RecordError `state`.
        """
        turn = len(self.heads) - 1
        own = [record for record in self.here if record.signed.key == key.public]
        place = self.game_folder.game, turn, self.heads[turn]
        first = next_number(own, turn, REFEREE)
        made = make_notice(place, REFEREE, first, saying, key)
        self.here = [*(record for record in self.here if record.id != made.id), made]
        return made

    def take_in(self, key: SigningKey) -> list[SignedNotice]:
        """Sign a notice for each open seat that somebody joined with its present invite.

        `key` is the referee's key. If one person made several joins, the one with the smallest id
        counts. If several people joined for one seat, `contested` has their joins, and the seat
        stays open until the referee accepts one of them or refuses the others.
        """
        soon = self.before
        for record in self.good():
            soon = after_notice(soon, record, len(self.heads))
        waiting = {wait.seat for wait in soon.waits}
        made = list[SignedNotice]()
        for seat in sorted(soon.doors.keys() - waiting):
            if soon.is_open(seat):
                made += self._take_in(soon, seat, key)
        return made

    def _take_in(self, soon: Standing, seat: str, key: SigningKey) -> list[SignedNotice]:
        joins = one_of_each_person(self._joins(soon, seat), self.refuse)
        right = joins[0] if len(joins) == 1 else accepted_join(joins, self.accept)
        if right is None:
            self.contested |= {seat: joins} if joins else {}
            return []
        try:
            return [self._sign(TakeIn(seat, right.id), key)]
        except RecordError:  # an open seat can wait for the next turn
            return []

    def _joins(self, soon: Standing, seat: str) -> list[Record[Join]]:
        """Return the joins that the seat's door let in, as many as are looked at."""
        good = [
            record
            for _, record in sorted(self.before.joins.items())
            if record.content.seat == seat
            and not why_not_join(soon, seat, record.content)
            and not why_not_invited(soon, record.content)
        ]
        return [r for n, r in enumerate(good) if n < MOST_LET_IN or is_named(r, self.accept)]


def not_yours(standing: Standing, now: int) -> RecordError:
    """Say why a referee's or a deputy's key cannot make the next turn."""
    charter = standing.charter
    if standing.deputy_since:
        told = f"{charter.deputy} has taken over and makes the turns now"
        return RecordError("state", told)
    first = standing.quiet_since + deputy_after(charter.policies)
    told = f"you are the deputy, and {charter.referee} makes the turns"
    if now >= first:
        return RecordError("state", f"{told}; to take over now: pbem advance --take-over")
    return RecordError(
        "state", f"{told}; if no turn has been made by {utc_date(first)}, you can take over then"
    )
