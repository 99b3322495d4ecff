"""The standing of a game: who has which seat and which keys, who has left, who agreed to what.

The standing follows from the charter, the joins and the notices that turns list. So the referee
makes turns and everybody checks them with the same code (protocol §5, *Notices*).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, Literal, NamedTuple

from engine.values import Value
from pbem.judge.absence import Absence, Calendar, Reason
from pbem.judge.consent import IN, Act, Consent, Holder, Presence, Seat, consent
from pbem.judge.deputy import maker_of
from pbem.records import schema
from pbem.records.charter import Charter, Join
from pbem.records.notice import NO_WINNER, REFEREE, SCORE
from pbem.records.policies import DAY, HOUR, REMOVE, Policies
from pbem.records.read_record import Record
from pbem.records.turn import Turn

Gone = Literal["conceded", "removed", "open"]
LAST_TURN: Final = "last turn"
"""How a game ends with the last turn that a game can have."""
LEAST_WAIT: Final = 48 * HOUR
"""The shortest time, in seconds, that an act waits so that somebody can cancel it."""
KEPT: Final = 14 * DAY
"""How long, in seconds, an announced absence keeps a seat among those who must agree."""
Pair = tuple[bytes, bytes]
"""A signing key and an X25519 key."""
Acts = Collection[tuple[str, int]]
"""What people signed: each time the seat, and the turn after which it was written."""
Fields = Mapping[str, str]
"""What people are told about a notice, as facts by name.

For example, who wrote it (`writer`), what it says (`seat`, `hours`), and who agreed to it (`by`).
The names that people had then are under the letters of their seats, and under `referee`.
"""


NEVER: Final = sys.maxsize
"""The turn that replaces keys that count now."""


class SeatKeys(NamedTuple):
    """Keys that a seat or the referee has, or once had."""

    signing: bytes
    x25519: bytes
    until: int = NEVER
    """The turn that replaced these keys."""
    name: str = ""
    """The name of the person who has or had them."""


class Counted(NamedTuple):
    """A notice that a turn has listed."""

    turn: int
    """The turn that lists it."""
    id: bytes
    writer: str
    """Who wrote it: a seat, or `referee`."""
    about: str
    seat: str
    """The seat whose player has shown, by the notice, that they are still there; may be empty.

    It is the writer's seat, or one that gets a new player or new keys.
    """
    recovery: bool
    """Whether the seat's recovery key signed it."""
    fields: Fields
    """What happened; names are as their owners wrote them. If the notice only announces something,
    `cancels` has the seats that can still cancel it."""

    @property
    def presses(self) -> str:
        """The name under which turns made because of this notice are counted; see MOST_PRESSED."""
        return f"{self.writer} recovery" if self.recovery else self.writer


class Wait(NamedTuple):
    """An act that all have agreed to, and that somebody can still cancel.

    One turn announces it, a later one lists it again and puts it into effect. So a program that
    reads only notices knows who has which keys, without following who was idle when.
    """

    about: str
    """The kind of the notice: `vote`, `vouch` or `seat`."""
    id: bytes
    """The notice that the turn must list again when the act takes effect; empty for votes."""
    turn: int
    """The turn that announced it. Only what was written after this turn cancels it."""
    seat: str
    """The seat that gets a new player or new keys; empty for votes."""
    cancels: tuple[str, ...]
    """The seats whose acts cancel it."""
    fields: Fields
    """What will happen."""
    until: int = 0
    """When it takes effect: in the first turn at or after this time, seconds since 1970; 0 while
    the turn that announces it is being made."""
    result: str = ""
    """For votes: the result."""
    key: bytes = b""
    """The signing key that the seat will get; empty for votes."""
    disputed: bool = False
    """Whether the seat has cancelled such a change before: then only its recovery key can."""
    by: tuple[str, ...] = ()
    """For new keys: the seats that vouch for them. If one of these gets a new key, nothing waits
    any more."""

    def is_cancelled_by(self, acts: Acts) -> bool:
        """Return whether one of these acts cancels it."""
        return any(seat in self.cancels and after >= self.turn for seat, after in acts)


class Standing(Value):
    """Who has which seat and keys after a turn, who has left, who agreed to what; turns make new
    ones."""

    charter: Charter
    roster: Mapping[str, Join] = field(default_factory=dict)
    """The join of each seat's player; `key` and `x25519` are the keys that count now."""
    since: Mapping[str, int] = field(default_factory=dict)
    """For each seat whose keys are not those of turn 1: the turn that brought them."""
    former: Mapping[str, tuple[SeatKeys, ...]] = field(default_factory=dict)
    """For each seat whose keys changed: its earlier keys, oldest first."""
    ranks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """For each writer: the turn and the number of their last listed notice."""
    gone: Mapping[str, Gone] = field(default_factory=dict)
    """The seats that nobody waits for any more, even if they were never silent."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """For each seat that was removed for being silent too long: the turn that removed it."""
    votes: Mapping[str, str] = field(default_factory=dict)
    """How each writer that voted wants the game to end: a seat, or the referee."""
    voted: Mapping[str, int] = field(default_factory=dict)
    """For each of them: the turn that lists the vote."""
    vouched: Mapping[tuple[str, str], Pair] = field(default_factory=dict)
    """For a voucher and a seat: the new keys of the seat that the voucher confirms."""
    ended: str = ""
    """How the players agreed to end the game: `score`, `draw` or `no winner`; `last turn` if the
    turns ran out; empty while it goes on."""
    ended_by: tuple[str, ...] = ()
    """The writers who agreed on this."""
    waits: tuple[Wait, ...] = ()
    """The acts that all have agreed to, and that can still be cancelled."""
    disputed: frozenset[str] = frozenset()
    """The seats that cancelled new keys for which others had vouched. Keys that a seat gives itself
    do not change that: a thief could, between two attempts."""
    listed: tuple[Counted, ...] = ()
    """The notices that turns have listed, in the order in which they were applied."""
    deputy_since: int = 0
    """The first turn that the deputy signs as the referee; 0 if there is none."""
    now: int = 0
    """The date of the turn that will list the next notices."""
    quiet_since: int = 0
    """Since when the next turn is due: the last turn's deadline, or its date if it has none."""
    idle: frozenset[str] = frozenset()
    """The seats that were idle before the turn that will list the next notices."""
    silent_long: frozenset[str] = frozenset()
    """The idle seats that somebody else may take over."""
    calendar: Calendar = field(default_factory=Calendar)
    """The absences, delays and deadline proposals of players."""
    dated: int = 0
    """The date of the last turn before the next notices."""
    deadline: int = 0
    """The deadline of the last turn before the next notices; 0 = none."""
    asked_by: int = 0
    """The turn that asked the questions that are open then."""
    shown: frozenset[str] = frozenset()
    """The seats whose players have shown, by notices in the turn being made, that they are
    there."""
    answered: Mapping[str, int] = field(default_factory=dict)
    """For each seat: the date of the last turn that accepted its orders, or that lists a notice of
    it other than `away`."""
    present_then: frozenset[str] = frozenset()
    """The seats that had to agree at the end of the last turn."""
    round: int = 0
    """The round of the questions that are open after the last turn."""
    pressed: Mapping[str, int] = field(default_factory=dict)
    """For each seat, and for its recovery key: how many turns in this round were made only because
    of its notices."""
    rekeyed: Mapping[str, int] = field(default_factory=dict)
    """For each seat: how many times its own key changed its keys in this round."""
    doors: Mapping[str, bytes] = field(default_factory=dict)
    """For each open seat to which the referee has invited somebody: the key of its present door."""
    old_doors: frozenset[bytes] = frozenset()
    """All doors that the referee has published during the game; each is used only once."""
    doors_made: Mapping[str, int] = field(default_factory=dict)
    """For each seat: how many doors the referee has published during the game."""
    guests: frozenset[str] = frozenset()
    """The seats that the referee gave to somebody new during the game."""
    joins: Mapping[bytes, Record[Join]] = field(default_factory=dict, compare=False, repr=False)
    """The joins that are here, by id."""

    def signer(self, writer: str) -> bytes:
        """Return the key with which a seat, or `referee`, signs notices now; may be empty."""
        if writer == REFEREE:
            return self.referee_key
        return self.roster[writer].key if writer in self.roster else b""

    @property
    def referee_key(self) -> bytes:
        """The key that signs turns now."""
        return maker_of(self.charter, self.deputy_since).key

    @property
    def referee_name(self) -> str:
        """The name of the person who makes turns now."""
        return maker_of(self.charter, self.deputy_since).name

    # -------------------------------------------------------------- seats
    @property
    def out(self) -> frozenset[str]:
        """The seats that conceded or were removed; their orders do not count."""
        return frozenset(s for s, gone in self.gone.items() if gone != "open")

    @property
    def removes(self) -> bool:
        """Whether a seat that stays silent is removed rather than opened to somebody else."""
        return self.charter.policies.silent_seat == REMOVE

    @property
    def by_mail(self) -> frozenset[str]:
        """The seats whose players answer by plain email, and whose keys the referee has."""
        return frozenset(self.charter.by_mail) & self.roster.keys() - self.since.keys()

    def is_open(self, seat: str) -> bool:
        """Return whether a person with the seat's next invite may take it over: a seat by mail
        always, for a key of its player's own."""
        silent = frozenset[str]() if self.removes else self.silent_long
        free = (silent | self.by_mail) - self.gone.keys()
        return self.gone.get(seat) == "open" or seat in free

    def people(self) -> frozenset[str]:
        """The seats that people play, not bots."""
        return frozenset(self.roster) - self.charter.bots.keys()

    # -------------------------------------------------------------- who must agree
    def presence(self, seat: str) -> Presence:
        """Return whether the player of a seat is there, as far as agreeing is concerned."""
        if seat in self.gone:
            return "out"
        away = self.calendar.absences.get(seat)
        if away and away.covers(self.now) and seat not in self.shown:
            kept = max(away.begins, self.answered.get(seat, 0)) + KEPT
            return "away" if self.now < kept else "idle"
        return "idle" if seat in self.idle - self.shown else "here"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """What matters for consent about each seat that a person plays."""
        plays, mail = self.charter.plays, self.by_mail

        def holder(seat: str) -> Holder:
            if seat in plays:
                return "referee"
            return "mail" if seat in mail else "guest" if seat in self.guests else "own"

        return tuple(Seat(s, holder(s), self.presence(s)) for s in sorted(self.people()))

    @property
    def present(self) -> frozenset[str]:
        """The seats that must agree when players decide something together."""
        return frozenset(s for s in self.people() if self.presence(s) in IN)

    def consent(self, act: Act, about: str = "") -> Consent:
        """Return who must agree to an act now; see `consent.consent`."""
        disputed, automaton = about in self.disputed, self.charter.automaton
        return consent(act, self.seats, about, disputed=disputed, automaton=automaton)

    @property
    def away(self) -> Mapping[str, Reason]:
        """The seats that the game will not wait for in the next turn, each with the reason.

        If all who are left are away as they announced, none of them counts as away.
        """
        here, said = self.people() - self.gone.keys(), self.calendar.absences.items()
        announced = sorted(s for s, away in said if s in here and away.covers(self.now))
        if len(announced) == len(here):
            return self.gone
        return {**dict.fromkeys(announced, "announced"), **self.gone}

    @property
    def policies(self) -> Policies:
        """The charter's policies, with the deadlines that were agreed on later."""
        charter, rules = self.charter.policies, self.calendar.rules
        return Policies({**charter, **rules}) if rules else charter

    @property
    def names(self) -> dict[str, str]:
        """The name of the person in each seat, and that of the referee."""
        return {REFEREE: self.referee_name} | {s: j.name for s, j in self.roster.items()}

    def seeing(
        self,
        absence: Absence,
        round_: int,
        now: int = 0,
        last: tuple[int, int] = (0, 0),
        asked_by: int = 0,
    ) -> Standing:
        """Return this standing at a given time, with the seats that are idle in this round; `last`
        is the date and deadline of the last turn."""
        idle, silent = absence.idle, absence.silent_long(round_)
        seen = replace(self, idle=idle, silent_long=silent, now=now, quiet_since=max(last))
        seen = replace(seen, dated=last[0], deadline=last[1], asked_by=asked_by, shown=frozenset())
        return seen.lapse() if self.present_then - seen.present else seen

    def lapse(self, turn: int = 0) -> Standing:
        """Return the standing after a seat has left those who must agree: votes and proposals
        lapse, except those that this turn lists. So nobody's leaving makes an old vote count."""
        votes = {who: vote for who, vote in self.votes.items() if turn and self.voted[who] == turn}
        waits = tuple(wait for wait in self.waits if wait.about != "vote")
        return replace(self, votes=votes, waits=waits, calendar=self.calendar.lapse(turn))

    # -------------------------------------------------------------- removal
    def at_end(
        self, turn: Turn, absence: Absence, round_: int, acts: Iterable[tuple[str, int]]
    ) -> Standing:
        """Return the standing at the end of a turn that asks questions of this round.

        Seats that were silent for too long are removed, if the charter says so. `acts` cancel what
        waits: for each set of orders that the turn lists, its seat and the turn that it answers.
        """
        if turn.over:
            return self
        signs = {one.seat for one in turn.orders if one.status == "accepted"}
        signs |= {one.seat for one in self.listed if one.turn == turn.turn and one.about != "away"}
        answered = {**self.answered, **dict.fromkeys(sorted(signs - {""}), turn.time)}
        here = replace(self, answered=answered, idle=absence.idle, now=turn.time, shown=frozenset())
        if self.removes:
            silent = absence.silent_long(round_) & self.people() - self.gone.keys()
            here = here.without(dict.fromkeys(sorted(silent), turn.turn))
        here = replace(here, waits=tuple(w for w in here.waits if w.seat not in here.gone))
        for seat, answers in acts:
            here = here.cancelled(seat, answers)
        if self.present - here.present:
            here = here.lapse()
        if self.calendar.set_back == turn.turn:  # what was dated in the future is dated now
            answered = {seat: min(when, turn.time) for seat, when in here.answered.items()}
            untimed = tuple(wait._replace(until=0) for wait in here.waits)
            here = replace(here, answered=answered, waits=untimed)
        here = here.count_presses(turn, round_)
        waits = []
        for wait in here.waits:
            if wait.about == "vote" and here.present & {*wait.cancels}:
                continue  # somebody came back who has not agreed
            until = wait.until or here.end_of_wait(turn.time, wait.cancels, wait.disputed)
            waits.append(wait._replace(until=until))
        return replace(
            here,
            waits=tuple(waits),
            present_then=here.present,
        )

    def end_of_wait(self, announced_at: int, seats: Collection[str], disputed: bool = False) -> int:
        """Return when an act that was announced at that time takes effect, unless somebody in these
        seats cancels it; `disputed`: only their recovery keys can.

        An announced absence that begins before this moment puts it off, so that whoever comes back
        has the whole waiting time. One that begins later does not: nobody can keep their seat by
        announcing an absence in ten years. Of a disputed seat, an absence counts for KEPT at most,
        because a thief with its key may have announced it.
        """

        def end_after(start: int) -> int:
            return max(start + LEAST_WAIT, self.policies.latest_deadline(start))

        absences = [away for seat in seats if (away := self.calendar.absences.get(seat))]
        start = announced_at
        for absence in sorted(absences, key=lambda away: away.begins):
            if absence.begins < end_after(start):
                start = max(start, absence.ends)
        return end_after(min(start, announced_at + KEPT) if disputed else start)

    def cancelled(self, seat: str, written: int, recovery: bool = False) -> Standing:
        """Return the standing after an act of a seat, written after this turn, has cancelled what
        was announced by then; `recovery`: the seat's recovery key signed it."""
        gone = [wait for wait in self.waits if wait.is_cancelled_by([(seat, written)])]
        gone = [wait for wait in gone if recovery or not wait.disputed]
        if not gone:
            return self
        disputed = self.disputed | {wait.seat for wait in gone if wait.about == "vouch"}
        waits = tuple(wait for wait in self.waits if wait not in gone)
        return replace(self, waits=waits, disputed=disputed)

    def count_presses(self, turn: Turn, round_: int) -> Standing:
        """Return the standing with the turns and new keys of this round counted for each seat."""
        pressed, rekeyed = ({}, {}) if round_ != self.round else (self.pressed, self.rekeyed)
        listed = [one for one in self.listed if one.turn == turn.turn and one.writer != REFEREE]
        pressed, rekeyed = dict(pressed), dict(rekeyed)
        for who in {one.presses for one in listed if not turn.log}:
            pressed[who] = pressed.get(who, 0) + 1
        for one in listed:
            if one.about == "key" and not one.recovery:
                rekeyed[one.writer] = rekeyed.get(one.writer, 0) + 1
        return replace(self, pressed=pressed, rekeyed=rekeyed, round=round_)

    def announced(self, ident: bytes) -> bool:
        """Return whether a turn has listed the notice with this id, and it still waits."""
        return any(wait.id == ident for wait in self.waits)

    @property
    def due(self) -> tuple[Wait, ...]:
        """The acts that take effect in a turn made now, unless it lists what cancels them."""
        return tuple(wait for wait in self.waits if 0 < wait.until <= self.now)

    @property
    def wake_times(self) -> list[int]:
        """The times at which the clock alone may let the game go on, in seconds since 1970: waiting
        times end, absences begin or end."""
        absences = self.calendar.absences.values()
        spans = [time for away in absences for time in (away.begins, away.ends)]
        return [*(wait.until for wait in self.waits), *spans]

    def without(self, removed: Mapping[str, int]) -> Standing:
        """Return this standing with these seats removed, each at the end of the turn given."""
        if not removed:
            return self
        gone: dict[str, Gone] = {**self.gone, **dict.fromkeys(removed, "removed")}
        return replace(self, gone=gone, removed={**self.removed, **removed})

    # -------------------------------------------------------------- keys
    def seats_of_keys(self) -> dict[bytes, str]:
        """Return the seat of each key that signs orders, or once did."""
        now = {join.key: seat for seat, join in self.roster.items()}
        return now | {was.signing: seat for seat, some in self.former.items() for was in some}

    def taken_keys(self) -> set[bytes]:
        """Return every key that no seat can get any more: those that the charter names, and the
        signing keys that seats have, had, or will get by what waits.

        Recovery keys and keys for boxes are not among them, because anybody can name them. Whoever
        names somebody else's takes nothing away: the others' secret is needed to use it.
        """
        charter, waiting = self.charter, {wait.key for wait in self.waits}
        found = {charter.key, charter.audit, charter.desk}
        found |= {charter.deputy_key, charter.deputy_x25519}
        return (found | self.seats_of_keys().keys() | waiting) - {b""}

    def why_not_keys(self, pair: Pair) -> str:
        """Say why a seat cannot get these keys; empty if it can."""
        if pair[0] == pair[1] or self.taken_keys() & set(pair):
            return "one of the keys is already used in this game, and a key can be used only once"
        return ""

    def with_keys(self, seat: str, join: Join, turn: int) -> Standing:
        """Return the standing after a turn has given a seat the keys of this join."""
        old = self.roster[seat]
        was = SeatKeys(old.key, old.x25519, turn, old.name)
        return replace(
            self.without_word_of(seat),
            roster={**self.roster, seat: join},
            since={**self.since, seat: turn},
            former={**self.former, seat: (*self.former.get(seat, ()), was)},
            waits=tuple(w for w in self.waits if seat not in (w.seat, *w.by)),
        )

    def given_to(self, seat: str, join: Join, turn: int) -> Standing:
        """Return the standing after others have given a seat the keys of this join: nobody has
        cancelled such keys for it yet."""
        return replace(self.with_keys(seat, join, turn), disputed=self.disputed - {seat})

    def without_word_of(self, seat: str) -> Standing:
        """Return the standing without what a seat voted, proposed and vouched for, and what others
        vouched about it: a changed key takes all this back."""
        return replace(
            self,
            votes={who: vote for who, vote in self.votes.items() if who != seat},
            vouched={pair: keys for pair, keys in self.vouched.items() if seat not in pair},
            calendar=self.calendar.without_word_of(seat),
        )

    # -------------------------------------------------------------- what a turn changes
    def lapsed(self, before: Standing) -> frozenset[str]:
        """Return the seats whose orders no longer count because of the notices since `before`."""
        changed = {s for s, turn in self.since.items() if before.since.get(s) != turn}
        return frozenset(changed | (self.out - before.out))

    def seats_shown(self, turn: int) -> frozenset[str]:
        """Return the seats whose players showed by notices in this turn that they are there."""
        return frozenset(one.seat for one in self.listed if one.turn == turn and one.seat)

    def new_keys(self, turn: int) -> frozenset[str]:
        """Return the seats that got new keys in this turn, which must hand over what they may
        know."""
        return frozenset(seat for seat, since in self.since.items() if since == turn)

    def with_agreed_end(self, turn: int, acts: Acts = ()) -> Standing:
        """Return the standing after the notices of a turn: if they agree on the end, the game has
        ended, or ends when the silent have had time to answer.

        `acts` are the orders that the turn lists if it goes on. The last turn that a game can have
        ends it.
        """
        if turn >= schema.MAX_TURN:
            return replace(self, ended=LAST_TURN, waits=())
        if self.people() and self.out >= self.people():  # everybody has conceded
            return replace(self, ended=SCORE, waits=())
        waits = tuple(wait for wait in self.waits if wait.about != "vote")
        result = self._agreed_result()
        if not result:
            return replace(self, waits=waits)
        who = self.consent("no winner" if result == NO_WINNER else "end")
        agreed = {writer for writer, vote in self.votes.items() if vote == result}
        voters = tuple(sorted(who.seats | ({REFEREE} & agreed)))
        same = next((w for w in self.waits if (w.about, w.result) == ("vote", result)), None)
        answers = [(seat, after) for seat, after in acts if seat in who.cancels]
        if not who.cancels or (same in self.due and not same.is_cancelled_by(answers)):
            return replace(self, ended=result, ended_by=voters, waits=waits)
        fields = {"result": result, **self.signer_fields(voters)}
        new = Wait("vote", b"", turn, "", tuple(sorted(who.cancels)), fields, result=result)
        return replace(self, waits=(*waits, same or new))

    def _agreed_result(self) -> str:
        for result in sorted({*self.votes.values()}):
            who = self.consent("no winner" if result == NO_WINNER else "end")
            said = {seat for seat, vote in self.votes.items() if vote == result}
            referee = REFEREE in said or bool(who.seats & {*self.charter.plays})
            if not who.never and who.seats <= said and (referee or not who.referee):
                return result
        return ""

    def signer_fields(self, writers: Sequence[str]) -> dict[str, str]:
        """Return who agreed to something (`by`), for which of them the referee signed because they
        play by mail (`by_mail`), and their names."""
        names, by_mail = self.names, self.by_mail
        fields = {writer: names[writer] for writer in writers} | {"by": " ".join(writers)}
        mail = [writer for writer in writers if writer in by_mail]
        return fields | ({"by_mail": " ".join(mail)} if mail else {})
