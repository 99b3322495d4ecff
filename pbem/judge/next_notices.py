"""The notices that the next turn lists, and those that somebody is about to sign."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pbem.format.canonical import RecordError
from pbem.format.keys import SigningKey
from pbem.judge.archive import Archive
from pbem.judge.chain import Chain
from pbem.judge.joins import accepted_join, is_named, one_of_each_person
from pbem.judge.notice_files import new_notices
from pbem.judge.notice_kinds import HandOver, TakeIn, why_not_invited, why_not_join
from pbem.judge.notices import SignedNotice, must_count, sorted_out, why_not
from pbem.judge.standing import Acts, Standing
from pbem.records.charter import Join
from pbem.records.limits import MAX_DOOR_JOINS, MAX_NOTICES
from pbem.records.notice import Notice, Saying, notice_fields
from pbem.records.press import REFEREE
from pbem.records.read_record import Record, make
from pbem.text.dates import utc_date


def make_notice(
    place: tuple[bytes, int, bytes], writer: str, number: int, saying: Saying, key: SigningKey
) -> SignedNotice:
    """Sign a notice of `writer`, a seat or `referee`, at a place: the game, the turn before, and
    the head after it. Raises RecordError `field`."""
    game, turn, head = place
    seat = "" if writer == REFEREE else writer
    fields = notice_fields(saying)
    return make(Notice(game=game, turn=turn, prev=head, seat=seat, number=number, **fields), key)


def next_number(here: Iterable[SignedNotice], turn: int, writer: str) -> int:
    """Return the number, from 1, of a writer's next notice after a turn; `here` are those it is
    counted with (see `numbered_with`). Raises RecordError `state` if no more would count."""
    used = [r.content.number for r in here if (r.content.turn, r.content.writer) == (turn, writer)]
    number = max(used, default=0) + 1
    if number > MAX_NOTICES:
        told = f"you have written {MAX_NOTICES} notices since turn {turn}, the most allowed"
        raise RecordError("state", told)
    return number


class NewNotices:
    """The notices that no turn lists yet; finds those that can count for the next turn."""

    def __init__(
        self,
        game_folder: Archive,
        chain: Chain,
        before: Standing,
        accept: Collection[str] = (),
        refuse: Collection[str] = (),
        acts: Acts = (),
    ) -> None:
        """`accept` and `refuse` say which joins the referee chose, as for `seat_players`. `acts`
        are the orders here that no turn lists yet.
        """
        self.game_folder, self.chain, self.before = game_folder, chain, before
        self.accept, self.refuse = accept, refuse
        self.contested: dict[str, list[Record[Join]]] = {}
        """The open seats that several people joined with the new invite."""
        here = game_folder.listing.notices
        self.here = new_notices(game_folder, chain.listed_notices) if here else []
        self.acts = acts
        due = must_count(before.due, acts)
        self.here += map(game_folder.find_notice, (wait.id for wait in due))

    def counted(self) -> tuple[list[SignedNotice], Standing]:
        """Return the notices that count for the next turn, and the standing once it has listed
        them, which may end the game."""
        good, _, after = sorted_out(self.before, self.here, self.chain.heads)
        return good, after.with_agreed_end(self.chain.turn + 1, self.acts)

    def take_over(self, key: SigningKey) -> list[SignedNotice]:
        """Sign that the deputy takes over, if this is their key and no notice says so yet. Raises
        RecordError `state` if it is too early."""
        if key.public != self.before.charter.deputy_key or self.before.deputy_since:
            return []
        good, _ = self.counted()
        if any(isinstance(record.content.saying, HandOver) for record in good):
            return []
        made = self._sign(HandOver("deputy"), key)
        if reason := why_not(self.before, made, self.chain.heads):
            raise RecordError("state", reason)
        return [made]

    def _sign(self, saying: Saying, key: SigningKey) -> SignedNotice:
        """Sign a notice of the referee for the place after the last turn, and add it to `here`.

        Notices that others signed in the referee's name are not counted; one that says the same is
        set aside later. Raises RecordError `state`.
        """
        chain = self.chain
        own = [record for record in self.here if record.signed.key == key.public]
        first = next_number(own, chain.turn, REFEREE)
        made = make_notice((chain.game, chain.turn, chain.head), REFEREE, first, saying, key)
        self.here = [*(record for record in self.here if record.id != made.id), made]
        return made

    def take_in(self, key: SigningKey) -> list[SignedNotice]:
        """Sign with the referee's `key` a notice for each open seat that somebody joined with its
        present invite, whose public key is the seat's door.

        If several people joined for one seat, `contested` has their joins, and the seat stays open
        until the referee accepts one of them or refuses the others.
        """
        soon = sorted_out(self.before, self.here, self.chain.heads).after
        announced = {wait.seat for wait in soon.waits}
        made = list[SignedNotice]()
        for seat in sorted(soon.doors.keys() - announced):
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
        good = [
            record
            for _, record in sorted(self.before.joins.items())
            if record.content.seat == seat
            and not why_not_join(soon, seat, record.content)
            and not why_not_invited(soon, record.content)
        ]
        return [r for n, r in enumerate(good) if n < MAX_DOOR_JOINS or is_named(r, self.accept)]


def not_yours(standing: Standing, now: int) -> RecordError:
    """Say why a referee's or a deputy's key cannot make the next turn."""
    charter = standing.charter
    if standing.deputy_since:
        told = f"{charter.deputy} has taken over and makes the turns now"
        return RecordError("state", told)
    first = standing.quiet_since + charter.policies.deputy_after
    told = f"you are the deputy, and {charter.referee} makes the turns"
    if now >= first:
        return RecordError("state", f"{told}; to take over now: pbem advance --take-over")
    told += f"; if no turn has been made by {utc_date(first)}, you can take over then"
    return RecordError("state", told)
