"""The notices that the next turn lists: those in the folder, and those that its maker signs."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import make_notice, next_number
from pbem.judge.notice_kinds import HandOver, TakeIn, why_not_invited, why_not_join
from pbem.judge.record_chain import Chain
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.seat_holders_keys_and_agreements import Acts, Standing
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.judge.which_joins_count import accepted_join, is_named, one_of_each_person
from pbem.judge.which_notices_count import SignedNotice, acts_to_relist, sort_notices, why_not
from pbem.records.join import Join
from pbem.records.notice import Saying
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Record
from pbem.records.record_count_and_size_limits import MAX_DOOR_JOINS


class NextTurnNotices:
    """The notices that no turn lists yet, and the choice of those for the next turn."""

    def __init__(
        self,
        game_folder: Archive,
        chain: Chain,
        standing: Standing,
        accept: Collection[str] = (),
        refuse: Collection[str] = (),
        acts: Acts = (),
    ) -> None:
        """`standing` is the standing before the next turn. `accept` and `refuse` are the referee's
        choices between joins for an open seat: the first hex digits of their ids. `acts` are the
        orders on this chain that no turn lists yet, each as a seat and the turn that it answers:
        they cancel acts that would take effect. Raises RecordError if the notice of an act that
        takes effect is missing."""
        self.game_folder, self.chain, self.standing = game_folder, chain, standing
        self.accept, self.refuse = accept, refuse
        self.contested: dict[str, list[Record[Join]]] = {}
        """The open seats that several people joined with the new invite."""
        has_files = bool(game_folder.listing.notices)
        self.notices = unlisted_notices(game_folder, chain.listed_notices) if has_files else []
        """The notices for the next turn that may count: the unlisted ones, those that this object
        signs, and the announcements of acts that take effect now."""
        self.acts = acts
        relisted_acts = acts_to_relist(standing.matured_acts, acts)
        self.notices += map(game_folder.find_notice, (act.id for act in relisted_acts))

    def counting_notices(self) -> tuple[list[SignedNotice], Standing]:
        """Return the notices that count for the next turn, in their order in the turn; and the
        standing after them: the game may have ended."""
        counting, _, next_standing = sort_notices(self.standing, self.notices, self.chain.heads)
        return counting, next_standing.with_agreed_end(self.chain.turn + 1, self.acts)

    def sign_take_over(self, key: SigningKey) -> list[SignedNotice]:
        """Sign the deputy's notice that the deputy takes over, and return the notice as the only
        element; return nothing if `key` is not the deputy's, or if such a notice counts already.
        Raises RecordError `state` if it is too early."""
        if key.public != self.standing.charter.deputy_key or self.standing.deputy_since:
            return []
        counting, _ = self.counting_notices()
        if any(isinstance(record.content.saying, HandOver) for record in counting):
            return []
        notice = self._sign(HandOver("deputy"), key)
        if reason := why_not(self.standing, notice, self.chain.heads):
            raise RecordError("state", reason)
        return [notice]

    def _sign(self, saying: Saying, key: SigningKey) -> SignedNotice:
        """Sign a notice of the referee for the place after the last turn, and add it to `notices`.

        Notices that others signed in the referee's name do not use up its numbers. Raises
        RecordError `state`.
        """
        chain = self.chain
        own_notices = [record for record in self.notices if record.signed.key == key.public]
        number = next_number(own_notices, chain.turn, REFEREE)
        notice = make_notice((chain.game, chain.turn, chain.head), REFEREE, number, saying, key)
        self.notices = [*(record for record in self.notices if record.id != notice.id), notice]
        return notice

    def sign_take_ins(self, key: SigningKey) -> list[SignedNotice]:
        """Sign with the referee's `key` a notice for each open seat that somebody joined with its
        present invite, and return the notices. Seats for which a new player is announced already
        are left alone.

        If several people joined for one seat, `contested` has their joins, and the seat stays open
        until the referee accepts one of them or refuses the others.
        """
        next_standing = sort_notices(self.standing, self.notices, self.chain.heads).next_standing
        announced = {act.seat for act in next_standing.announced_acts}
        notices = list[SignedNotice]()
        for seat in sorted(next_standing.doors.keys() - announced):
            if not next_standing.is_open(seat):
                continue
            joins = one_of_each_person(self._invited_joins(next_standing, seat), self.refuse)
            chosen_join = joins[0] if len(joins) == 1 else accepted_join(joins, self.accept)
            if chosen_join is None:
                self.contested |= {seat: joins} if joins else {}
                continue
            with suppress(RecordError):  # no number is free: an open seat can wait for a turn
                notices.append(self._sign(TakeIn(seat, chosen_join.id), key))
        return notices

    def _invited_joins(self, next_standing: Standing, seat: str) -> list[Record[Join]]:
        """Return the joins that can take over an open seat, made with its present invite: the first
        `MAX_DOOR_JOINS` by id, and those that the referee accepts."""
        joins = [
            record
            for _, record in sorted(self.standing.joins.items())
            if record.content.seat == seat
            and not why_not_join(next_standing, seat, record.content)
            and not why_not_invited(next_standing, record.content)
        ]
        later_joins = [join for join in joins[MAX_DOOR_JOINS:] if is_named(join, self.accept)]
        return joins[:MAX_DOOR_JOINS] + later_joins
