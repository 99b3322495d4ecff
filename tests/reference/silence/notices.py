"""Which notices count in a turn, and what each of them does (docs/protocol.md, *notice*)."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from pbem.judge.notice_kinds import (
    Away,
    Concede,
    Delay,
    Leave,
    NewKey,
    SetClock,
    SetDeadline,
    SetDoor,
    TakeIn,
    Vote,
    Vouch,
)
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, SCORE, Saying
from tests.reference.silence.people import GUEST, MAIL, OWN, REFEREE, People, Person
from tests.reference.silence.spans import DAY, HOUR, is_in_form

MOST_OF_ONE, MOST, MOST_PRESSING, MOST_KEYS = 48, 64, 6, 2


@dataclass(frozen=True)
class Note:
    """A notice that lies in the folder."""

    id: bytes
    writer: str
    """A seat, or nothing for the referee."""
    turn: int
    number: int
    says: Saying
    key: bytes
    joins: tuple[bytes, bytes, bytes] | None = None
    """Of a notice that seats somebody: signing key, X25519 key, recovery key of the join."""


@dataclass(frozen=True)
class Orders:
    """A file of orders."""

    id: bytes
    seat: str
    turn: int
    revision: int
    key: bytes
    answers: bool
    """Whether they answer everything that the seat was asked when it wrote them."""


@dataclass(frozen=True)
class Wait:
    """Something that was announced, and takes effect later unless somebody stops it."""

    what: str
    """`end`, `vouch` or `seat`."""
    turn: int
    until: int
    by: frozenset[str]
    """Who can cancel it."""
    note: Note | None = None
    result: str = ""
    vouchers: frozenset[str] = frozenset()
    stubborn: bool = False
    """Whether the seat has stopped such keys before: then only its recovery key can."""


@dataclass
class Table:
    """Everything that follows from the turns so far."""

    people: People
    referee_key: bytes
    names: str
    """All seats, bots too."""
    times: list[int] = field(default_factory=lambda: [0])
    deadline: int = 0
    asked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asked_by: int = 0
    """The last turn with a log: orders for it, and for turns after it, are in time."""
    round: int = 1
    ended: str = ""
    over: bool = False
    inside: set[str] = field(default_factory=set)
    waits: list[Wait] = field(default_factory=list)
    last: dict[tuple[str, bool], tuple[int, int]] = field(default_factory=dict)
    doors: dict[str, bytes] = field(default_factory=dict)
    old_doors: set[bytes] = field(default_factory=set)
    keys: set[bytes] = field(default_factory=set)
    keys_in: dict[tuple[int, str], int] = field(default_factory=dict)
    pressed: dict[tuple[int, str, bool], int] = field(default_factory=dict)
    no_winner: bool = False
    """The referee's own vote for `no winner`."""
    no_winner_in: int = 0
    force: dict[str, Orders] = field(default_factory=dict)
    """The orders in force."""

    @property
    def turn(self) -> int:
        return len(self.times) - 1


@dataclass
class Turn:
    """A turn in the making: the table with its notices, and what happened on the way."""

    table: Table
    time: int
    listed: list[Note] = field(default_factory=list)
    announced: list[Note] = field(default_factory=list)
    pressing: set[tuple[str, bool]] = field(default_factory=set)
    """Whose notices make a turn now: writer, and whether the recovery key signed."""
    delays: int = 0
    new_rule: bool = False
    handover: set[str] = field(default_factory=set)
    left_now: bool = False

    @property
    def people(self) -> People:
        return self.table.people

    def writers(self) -> set[str]:
        return {note.writer for note in self.listed if note.writer}


def put_into_effect(table: Table, notes: list[Note], time: int, orders: dict[str, int]) -> Turn:
    """Return the table after the notices that count in a turn with this time.

    `orders`: for each seat with new orders, the latest turn that they name.
    """
    turn = Turn(copy.deepcopy(table), time)
    maker = Maker(turn, {one.seat for one in table.people if table.people.is_idle(one)})
    for seat, latest in orders.items():
        maker.cancel(seat, latest)
    maker.put(notes)
    return turn


class Maker:
    """Puts the notices of one turn into effect, in their order."""

    def __init__(self, turn: Turn, idle: set[str]) -> None:
        self.turn, self.table, self.people = turn, turn.table, turn.people
        self.idle = idle
        self.number = self.table.turn + 1
        self.count: dict[tuple[str, bool], int] = {}

    def inside(self) -> set[str]:
        return self.people.inside(self.turn.time, self.turn.writers(), self.idle)

    def put(self, notes: list[Note]) -> None:
        if self.table.inside - self.inside():
            self.lapse()
        for note in sorted(notes, key=self.order):
            self.consider(note)
        left = {note.writer for note in self.turn.listed if isinstance(note.says, Leave)}
        if left and (not self.inside() or left & self.table.doors.keys()):
            for note in self.turn.listed:
                self.press(note, self.by_recovery(note))
        self.look_for_end()

    def order(self, note: Note) -> tuple[int, int, int, str, bytes]:
        rank = 2 if not note.writer else 0 if self.by_recovery(note) else 1
        return rank, note.turn, note.number, note.writer, note.id

    def by_recovery(self, note: Note) -> bool:
        return bool(note.writer) and note.key == self.people.of[note.writer].recovery

    # ------------------------------------------------------------------ which count
    def consider(self, note: Note) -> None:
        table, spare = self.table, self.by_recovery(note)
        if note.writer and note.writer not in self.people.of:
            return
        waiting = self.waiting_with(note)
        if waiting and self.is_due(waiting):
            self.turn.listed.append(note)
            self.carry_out(waiting)
            return
        if waiting or (note.turn, note.number) <= table.last.get((note.writer, spare), (0, 0)):
            return
        if not self.may_sign(note, spare) or not self.allowed(note, spare):
            return
        own = note.writer, spare
        if note.writer and self.count.get(own, 0) >= max(1, MOST_OF_ONE // (2 * len(table.names))):
            return
        if len(self.turn.listed) >= MOST:
            return
        self.count[own] = self.count.get(own, 0) + 1
        table.last[own] = note.turn, note.number
        before = self.inside()
        self.turn.listed.append(note)
        self.cancel(note.writer, note.turn, spare)
        self.effect(note, spare)
        if before - self.inside():
            self.lapse(by_notice=True)

    def waiting_with(self, note: Note) -> Wait | None:
        return next((w for w in self.table.waits if w.note and w.note.id == note.id), None)

    def is_due(self, wait: Wait) -> bool:
        return self.turn.time >= wait.until

    def may_sign(self, note: Note, spare: bool) -> bool:
        if not note.writer:
            return note.key == self.table.referee_key
        one = self.people.of[note.writer]
        return note.key == one.key or (spare and isinstance(note.says, NewKey))

    def allowed(self, note: Note, spare: bool) -> bool:
        says, one = note.says, self.people.of.get(note.writer)
        if one is None:
            return self.referee_may(note)
        if one.conceded or one.removed:
            return False
        match says:
            case Concede():
                return True
            case Leave():
                may = self.people.rules.silent_seat != "remove"
                return may and one.holder != REFEREE and not one.out
            case Vote(result):
                return result in (PLAY_ON, *{SCORE, DRAW, NO_WINNER} - {one.vote})
            case NewKey():
                used = self.table.keys_in.get((self.table.round, one.seat), 0)
                if not spare and one.stopped and self.others_wait_for(one.seat):
                    return False
                new = self.are_new(says.key, says.x25519)
                return not one.held and new and (spare or used < MOST_KEYS)
            case Vouch():
                return self.vouch_counts(one, says)
        return self.calendar_allows(note, one)

    def calendar_allows(self, note: Note, one: Person) -> bool:
        says = note.says
        match says:
            case Away():
                return self.away_counts(one, says)
            case Delay():
                room = one.delayed + says.hours * HOUR <= self.people.rules.delays
                now = self.table.deadline > 0 and self.turn.time < self.table.deadline
                return room and now and note.turn >= self.table.asked_by
            case SetDeadline():
                wish = (says.phase, says.rule) if says.rule else None
                return one.wish != wish and is_in_form(says.rule)
            case SetClock():
                return not one.clock and says.time < self.table.times[-1]
        return False

    def referee_may(self, note: Note) -> bool:
        says = note.says
        match says:
            case Vote(result):
                return result == PLAY_ON or (result == NO_WINNER and not self.table.no_winner)
            case SetDoor():
                one = self.people.of.get(says.seat)
                new = says.key not in self.table.old_doors and says.key not in self.table.keys
                return one is not None and new and self.may_be_given(one)
            case TakeIn():
                one = self.people.of.get(says.seat)
                may = one is not None and self.may_be_given(one) and says.seat in self.table.doors
                return may and not self.others_wait_for(says.seat)
            case Vouch():
                one = self.people.of.get(says.seat)
                if one is None or one.out or one.held or self.others_wait_for(says.seat):
                    return False
                return self.all_vouch(says)
            case SetDeadline():
                return (
                    bool(says.rule)
                    and is_in_form(says.rule)
                    and self.all_wish((says.phase, says.rule))
                )
            case SetClock():
                return says.time < self.table.times[-1] and self.half_say_clock(says.time)
        return False

    def may_be_given(self, one: Person) -> bool:
        if one.conceded or one.removed:
            return False
        return one.holder == MAIL or self.people.is_open(one, self.table.round)

    def others_wait_for(self, seat: str) -> bool:
        return any(w.note and getattr(w.note.says, "seat", "") == seat for w in self.table.waits)

    def away_counts(self, one: Person, says: Away) -> bool:
        if not says.begins and not says.ends:
            return bool(one.ends)
        if one.began and self.turn.time >= one.began and one.answered < one.began:
            return False
        return says.begins < says.ends <= says.begins + 100 * DAY and says.ends > self.turn.time

    def vouch_counts(self, one: Person, says: Vouch) -> bool:
        lost = self.people.of.get(says.seat)
        if lost is None or lost.seat == one.seat or lost.conceded or lost.removed or lost.held:
            return False
        return self.are_new(says.key, says.x25519)

    def are_new(self, *keys: bytes) -> bool:
        """Whether none of these keys ever signed for a seat, or will, by what waits."""
        waiting = set[bytes]()
        for note in (wait.note for wait in self.table.waits if wait.note):
            waiting |= {note.joins[0]} if note.joins else set()
            waiting |= {note.says.key} if isinstance(note.says, Vouch) else set()
        return not {*keys} & (self.table.keys | waiting)

    # ------------------------------------------------------------------ who agrees
    def all_vouch(self, says: Vouch) -> bool:
        must = {s for s in self.inside() - {says.seat} if self.people.of[s].holder == OWN}
        least = 2 if self.people.of[says.seat].stopped or self.people.machine else 1
        keys = says.key, says.x25519
        all_do = all(self.people.of[s].vouched.get(says.seat) == keys for s in must)
        return len(must) >= least and all_do and self.are_new(says.key, says.x25519)

    def all_wish(self, wish: tuple[str, str]) -> bool:
        inside = self.inside()
        must = {s for s in inside if self.people.of[s].holder != REFEREE}
        same = all(self.people.of[s].wish == wish for s in must)
        return same and self.people.enough(inside, with_referee=True)

    def half_say_clock(self, time: int) -> bool:
        """At least half of those who are in and have keys of their own said so, not later; if there
        are none, half of all others but the referee."""
        must = {s for s in self.inside() if self.people.of[s].holder == OWN}
        if len(must) < (2 if self.people.machine else 1):
            must = {s for s in self.inside() if self.people.of[s].holder != REFEREE}
        said = sorted((self.people.of[s].clock, s) for s in must if self.people.of[s].clock)
        half = (len(must) + 1) // 2
        if self.people.machine:
            own = [s for s in must if self.people.of[s].holder == OWN]
            half = max(half, 2) if len(own) > 1 else len(must)
        enough = self.people.enough(self.inside(), with_referee=True)
        return len(said) >= half and enough and (not half or said[half - 1][0] <= time)

    def look_for_end(self) -> None:
        """Whether the game ends in this turn, or its end is announced."""
        table, people = self.table, self.people
        if all(one.conceded for one in people):
            table.ended, table.over = SCORE, True
            return
        inside = self.inside()
        votes = {people.of[s].vote for s in inside}
        agreed = ""
        if len(votes) == 1 and votes <= {SCORE, DRAW} and people.enough(inside):
            agreed = votes.pop()
        elif votes <= {NO_WINNER} and self.people.machine:
            agreed = NO_WINNER if people.enough(inside) else ""
        elif votes <= {NO_WINNER}:
            plays = any(people.of[s].holder == REFEREE for s in inside)
            agreed = NO_WINNER if table.no_winner or plays else ""
        wait = next((w for w in table.waits if w.what == "end"), None)
        if wait and wait.result != agreed:
            table.waits.remove(wait)
            wait = None
        if wait and self.is_due(wait):
            table.ended, table.over = agreed, True
        if not agreed or wait:
            return
        by = frozenset(one.seat for one in people if not one.out and one.seat not in inside)
        if not by:
            table.ended, table.over = agreed, True
            return
        table.waits.append(self.wait("end", by, result=agreed))
        last = [n for n in self.turn.listed if isinstance(n.says, Vote)]
        self.turn.pressing.add((last[-1].writer, False) if last else ("", False))

    def wait(self, what: str, by: frozenset[str], **more: object) -> Wait:
        """Something that waits, from this turn on; until when follows once the turn is known."""
        return Wait(what, self.number, 2**62, by, **more)  # type: ignore[arg-type]

    # ------------------------------------------------------------------ what they do
    def lapse(self, by_notice: bool = False) -> None:
        """Somebody left those who are in: votes and proposals lapse.

        What this turn has listed remains, if a notice of this turn is the reason.
        """
        kept = self.number if by_notice else -1
        for one in self.people:
            one.clock = 0
            if one.said.get("vote") != kept:
                one.vote = ""
            if one.said.get("wish") != kept:
                one.wish = None
        if self.table.no_winner_in != kept:
            self.table.no_winner = False

    def cancel(self, seat: str, turn: int, spare: bool = False) -> None:
        """Something that a seat signed after this turn stops what waits for it."""
        if not seat:
            return
        for wait in list(self.table.waits):
            if seat not in wait.by or turn < wait.turn:
                continue
            one = self.people.of[seat]
            if wait.what == "vouch":
                if wait.stubborn and not spare:
                    continue
                one.stopped = True
            self.table.waits.remove(wait)

    def effect(self, note: Note, spare: bool) -> None:
        says, one = note.says, self.people.of.get(note.writer)
        if one is None:
            self.effect_of_referee(note)
            return
        match says:
            case Concede():
                one.conceded = True
                self.gone(one)
            case Leave():
                one.left = True
                self.gone(one)
            case Vote(result):
                one.vote = "" if result == PLAY_ON else result
                one.said["vote"] = self.number
            case NewKey():
                if not spare:
                    at = self.table.round, one.seat
                    self.table.keys_in[at] = self.table.keys_in.get(at, 0) + 1
                self.give(one, says.key)
                self.press(note, spare)
            case Vouch():
                one.vouched[says.seat] = says.key, says.x25519
            case _:
                self.effect_on_calendar(note, one)

    def effect_on_calendar(self, note: Note, one: Person) -> None:
        says = note.says
        match says:
            case Away():
                one.begins, one.ends = says.begins, says.ends
                one.began = says.begins or one.began
            case Delay():
                one.delayed += says.hours * HOUR
                self.turn.delays += says.hours * HOUR
                self.press(note, False)
            case SetDeadline():
                one.wish = (says.phase, says.rule) if says.rule else None
                one.said["wish"] = self.number
            case SetClock():
                one.clock = says.time

    def effect_of_referee(self, note: Note) -> None:
        says = note.says
        match says:
            case Vote(result):
                self.table.no_winner = result == NO_WINNER
                self.table.no_winner_in = self.number
            case SetDoor():
                self.table.doors[says.seat] = says.key
                self.table.old_doors.add(says.key)
                self.table.keys.add(says.key)
            case Vouch():
                vouchers = frozenset(x.seat for x in self.people if says.seat in x.vouched)
                stubborn = self.people.of[says.seat].stopped
                more = {"vouchers": vouchers, "stubborn": stubborn}
                self.announce(note, "vouch", says.seat, **more)
            case TakeIn():
                one = self.people.of[says.seat]
                if one.left or one.holder == MAIL:
                    self.seat_somebody(note)
                    self.press(note, False)
                else:
                    self.announce(note, "seat", says.seat)
            case _:
                self.new_calendar(note)

    def new_calendar(self, note: Note) -> None:
        """All agreed on another deadline, or that the date of the last turn is wrong."""
        says, rules = note.says, self.people.rules
        match says:
            case SetDeadline():
                if says.phase:
                    rules.phases[says.phase] = says.rule
                else:
                    rules.deadline = says.rule
                for one in self.people:
                    one.wish = None
                self.turn.new_rule = True
                self.press(note, False)
            case SetClock():
                for one in self.people:
                    one.clock = 0
                self.turn.new_rule = True
                self.press(note, False)

    def announce(self, note: Note, what: str, seat: str, **more: object) -> None:
        self.table.waits.append(self.wait(what, frozenset([seat]), note=note, **more))
        self.turn.announced.append(note)
        self.press(note, False)

    def carry_out(self, wait: Wait) -> None:
        assert wait.note
        self.table.waits.remove(wait)
        says = wait.note.says
        if isinstance(says, Vouch):
            one = self.people.of[says.seat]
            one.recovery, one.stopped = b"", False
            self.give(one, says.key)
        else:
            self.seat_somebody(wait.note)
        self.press(wait.note, False)

    def seat_somebody(self, note: Note) -> None:
        assert isinstance(note.says, TakeIn)
        assert note.joins
        one = self.people.of[note.says.seat]
        key, _, recovery = note.joins
        one.holder = GUEST
        one.left, one.recovery, one.stopped = False, recovery, False
        one.begins = one.ends = one.began = 0
        self.table.doors.pop(one.seat, None)
        self.give(one, key)
        one.missed = 0

    def give(self, one: Person, key: bytes) -> None:
        one.new_keys(key)
        self.table.keys.add(key)
        self.table.force.pop(one.seat, None)
        self.turn.handover.add(one.seat)
        for other in self.people:
            other.vouched.pop(one.seat, None)
        for wait in list(self.table.waits):
            if wait.what == "vouch" and (one.seat in wait.vouchers or one.seat in wait.by):
                self.table.waits.remove(wait)

    def gone(self, one: Person) -> None:
        self.table.force.pop(one.seat, None)
        one.clock, one.vouched = 0, {}
        if one.said.get("vote") != self.number:
            one.vote = ""
        if one.said.get("wish") != self.number:
            one.wish = None
        for other in self.people:
            other.vouched.pop(one.seat, None)
        for wait in list(self.table.waits):
            if one.seat in wait.by:
                self.table.waits.remove(wait)

    def press(self, note: Note, spare: bool) -> None:
        """This notice is a reason to make a turn, but not for ever in one round."""
        who = self.table.round, note.writer, spare
        if not note.writer or self.table.pressed.get(who, 0) < MOST_PRESSING:
            self.turn.pressing.add((note.writer, spare))
