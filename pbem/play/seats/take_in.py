"""What the notices `door` and `seat` do: the referee invites somebody new to an open seat, and
gives the seat to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.format.errors import RecordError
from pbem.play.seats.rule import Rule, who
from pbem.play.seats.standing import Standing, Wait
from pbem.records.charter_join_orders import Join
from pbem.records.joining import is_let_in
from pbem.records.notices.notice_record import Notice
from pbem.records.notices.sayings import SetDoor, TakeIn
from pbem.storage.errors import HOW_TO_GET


class SetDoorRule(Rule[SetDoor]):
    """`door`: only joins that the new door's key signed may take the seat over."""

    saying = SetDoor

    def signers(self, standing: Standing, notice: Notice, said: SetDoor) -> frozenset[bytes]:
        """Return the keys that may sign this notice now."""
        return frozenset() if notice.seat else super().signers(standing, notice, said)

    def why_not(self, standing: Standing, notice: Notice, said: SetDoor) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if said.seat not in standing.roster or not standing.is_open(said.seat):
            return f"seat {said.seat} is not open"
        known = said.key in standing.old_doors | {plan.door for plan in standing.charter.seats}
        return "a seat of this game has had this door already" if known else ""

    def apply(self, standing: Standing, notice: Notice, said: SetDoor, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        made = {**standing.doors_made, said.seat: standing.doors_made.get(said.seat, 0) + 1}
        doors = {**standing.doors, said.seat: said.key}
        old = standing.old_doors | {said.key}
        return replace(standing, doors=doors, doors_made=made, old_doors=old)

    def tell(self, notice: Notice, said: SetDoor, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        return f"{who(notice, names)} invites somebody new to seat {said.seat}"


class TakeInRule(Rule[TakeIn]):
    """`seat`: a new player's keys count for the seat, and its old orders no longer count.

    If its player has not left but is only silent, the notice announces this, so that they can still
    come back.
    """

    saying = TakeIn

    def signers(self, standing: Standing, notice: Notice, said: TakeIn) -> frozenset[bytes]:
        """Return the keys that may sign this notice now."""
        return frozenset() if notice.seat else super().signers(standing, notice, said)

    def missing(self, standing: Standing, said: TakeIn) -> str:
        """Say which file named by the notice is missing here; empty if none is."""
        return "" if said.join in standing.joins else join_not_here(said)

    def why_not(self, standing: Standing, notice: Notice, said: TakeIn) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if said.seat not in standing.roster or not standing.is_open(said.seat):
            return f"seat {said.seat} is not open"
        if any((wait.about, wait.seat) == ("seat", said.seat) for wait in standing.waits):
            return f"seat {said.seat} already waits for a new player"
        if never := standing.consent("seat", said.seat).never:
            return never
        if told := self.missing(standing, said):
            return told
        join = standing.joins[said.join].content
        return why_not_join(standing, said.seat, join) or why_not_invited(standing, join)

    def wait(self, standing: Standing, notice: Notice, said: TakeIn) -> Wait | None:
        """Return what the notice announces, if the seat's player can still cancel it."""
        cancels = standing.consent("seat", said.seat).cancels
        if not cancels:
            return None
        join = self._join(standing, said)
        old = standing.names[said.seat]
        told = f"{join.name} takes over seat {said.seat} from {old}, by the referee alone"
        keys = join.key, join.x25519, join.recovery
        return Wait("seat", b"", 0, said.seat, (*cancels,), told, keys=tuple({*keys} - {b""}))

    def apply(self, standing: Standing, notice: Notice, said: TakeIn, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice.

        Raises RecordError `parent` if the join is not here.
        """
        gone = {seat: why for seat, why in standing.gone.items() if seat != said.seat}
        doors = {seat: key for seat, key in standing.doors.items() if seat != said.seat}
        guests = standing.guests | {said.seat}
        calendar = standing.calendar.without_absence(said.seat)
        standing = replace(standing, gone=gone, doors=doors, guests=guests, calendar=calendar)
        return standing.with_keys(said.seat, self._join(standing, said), turn)

    def shows(self, notice: Notice, said: TakeIn) -> str:
        """Return the seat whose player has shown, by this notice, that they are still there."""
        return said.seat

    def told(self, standing: Standing, notice: Notice, said: TakeIn) -> str:
        """Say what happened, for people; `standing` is the game's standing before the notice."""
        if said.seat not in standing.by_mail:
            return super().told(standing, notice, said)
        name = self._join(standing, said).name
        told = f"{name} takes over seat {said.seat} with a key of their own"
        return f"{told}, and plain emails no longer count for it"

    def tell(self, notice: Notice, said: TakeIn, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        return f"a new player takes over seat {said.seat} from {names[said.seat]}"

    def _join(self, standing: Standing, said: TakeIn) -> Join:
        if told := self.missing(standing, said):
            raise RecordError("parent", told)
        return standing.joins[said.join].content


def join_not_here(said: TakeIn) -> str:
    """Say that the join of a new player is missing, and how to get it."""
    return f"the join {said.join.hex()[:6]} of seat {said.seat} is not here: {HOW_TO_GET}"


def why_not_invited(standing: Standing, join: Join) -> str:
    """Say that a join was not made with the present invite of its seat; empty if it was."""
    invited = is_let_in(join, standing.doors.get(join.seat, b""))
    return "" if invited else "the join was not made with the seat's present invite"


def why_not_join(standing: Standing, seat: str, join: Join) -> str:
    """Say why a join cannot take over an open seat; empty if it can."""
    if join.seat != seat:
        return f"the join is for seat {join.seat}"
    if join.recovery in standing.known_keys():
        return "its recovery key is in this game already"
    return standing.why_not_keys((join.key, join.x25519))
