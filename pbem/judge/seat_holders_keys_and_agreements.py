"""The standing of a game: the players and keys of its seats, departures, votes and agreements.

The standing follows from the charter, the joins and the notices that turns list. So the referee
makes turns and everybody checks them with the same code (protocol §5, *Notices*).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, Literal, NamedTuple

from engine.value_classes import Value
from pbem.judge.absent_seats import Absence, Reason
from pbem.judge.announced_absences_and_delays import Calendar
from pbem.judge.consent import PRESENT_STATES, Act, Consent, Holder, Presence, Seat, consent
from pbem.judge.referee_or_deputy import maker_of
from pbem.records import record_header
from pbem.records.charter import Charter, charter_key_owners
from pbem.records.deadline_and_silence_policies import REMOVE, Policies
from pbem.records.join import Join
from pbem.records.notice import NO_WINNER, REFEREE, SCORE
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Turn
from pbem.text.dates import DAY, HOUR

Departure = Literal["conceded", "removed", "open"]
LAST_TURN: Final = "last turn"
"""The end of a game whose turns ran out."""
MIN_WAIT_SECONDS: Final = 48 * HOUR
"""The shortest time for which an act is announced, so that somebody can cancel it."""
MAX_AWAY_SECONDS: Final = 14 * DAY
"""The time for which an announced absence keeps a seat among the seats that must agree."""
Pair = tuple[bytes, bytes]
"""A signing key and an X25519 key."""
NewKeys = tuple[bytes, ...]
"""A signing key, an X25519 key and, in mode `dealers`, a seat point with its proof."""
Acts = Collection[tuple[str, int]]
"""Signed acts of seats: for each, the seat, and the turn after which it was written."""
Fields = Mapping[str, str]
"""The facts that sentences about a notice use, by name.

For example, the `writer`, the notice's own fields (`seat`, `hours`), and the people who agreed
(`by`). The names that people had then are under the letters of their seats, and under `referee`.
"""


NO_TURN: Final = sys.maxsize
"""The turn that replaces keys that count now."""


class SeatKeys(NamedTuple):
    """Keys that a seat or the referee has, or once had."""

    signing: bytes
    x25519: bytes
    valid_until: int = NO_TURN
    """The turn that replaced these keys."""
    name: str = ""
    """The name of the person who has or had these keys."""


class AppliedNotice(NamedTuple):
    """A notice that a turn has listed."""

    turn: int
    """The turn that lists it."""
    id: bytes
    writer: str
    """The writer: a seat, or `referee`."""
    kind: str
    seat: str
    """The seat whose player is present, as the notice shows; may be empty.

    It is the writer's seat, or a seat that gets a new player or new keys.
    """
    recovery: bool
    """Whether the seat's recovery key signed it."""
    fields: Fields
    """The facts about the event; names are spelled as their owners do. If the notice only announces
    an act, `cancels` has the seats that can still cancel it."""

    @property
    def forced_turns_key(self) -> str:
        """The name under which turns that this notice forces are counted: see MAX_FORCED_TURNS."""
        return f"{self.writer} recovery" if self.recovery else self.writer


class AnnouncedAct(NamedTuple):
    """An agreed act that somebody can still cancel.

    One turn announces it, and a later turn lists it again and puts it into effect. So a program
    that reads only notices knows the keys of each seat, and need not know the idle seats.
    """

    kind: str
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
    """The facts about the act."""
    effective_at: int = 0
    """The earliest date of a turn in which the act takes effect, in seconds since 1970; 0 while the
    announcing turn is being made."""
    result: str = ""
    """For votes: the result."""
    key: bytes = b""
    """The signing key that the seat will get; empty for votes."""
    disputed: bool = False
    """Whether the seat has cancelled such a change before: then only its recovery key can."""
    vouchers: tuple[str, ...] = ()
    """For new keys: the seats that have vouched for new keys of the seat. If one of them gets a new
    key itself, the act is cancelled."""

    def is_cancelled_by(self, signed_acts: Acts) -> bool:
        """Return whether a signed act of a seat cancels this one."""
        return any(seat in self.cancels and turn >= self.turn for seat, turn in signed_acts)


class Standing(Value):
    """The players and keys of all seats after a turn, with departures, votes and agreements; each
    turn makes a new standing."""

    charter: Charter
    roster: Mapping[str, Join] = field(default_factory=dict)
    """The join of each seat's player, with the keys that count now in `key` and `x25519`."""
    keys_valid_from: Mapping[str, int] = field(default_factory=dict)
    """For each seat whose keys are not those of turn 1: the turn that brought them."""
    former_keys: Mapping[str, tuple[SeatKeys, ...]] = field(default_factory=dict)
    """For each seat whose keys changed: its earlier keys, oldest first."""
    ranks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """For each writer: the turn and the number of their last listed notice."""
    departures: Mapping[str, Departure] = field(default_factory=dict)
    """The seats that nobody waits for, even if they were never silent; each with the reason."""
    removal_turns: Mapping[str, int] = field(default_factory=dict)
    """For each seat that was removed for being silent too long: the turn that removed it."""
    votes: Mapping[str, str] = field(default_factory=dict)
    """For each writer that voted, a seat or the referee: the end of the game that they want."""
    vote_turns: Mapping[str, int] = field(default_factory=dict)
    """For each writer that voted: the turn that lists the vote."""
    vouched: Mapping[tuple[str, str], NewKeys] = field(default_factory=dict)
    """For a voucher and a seat: the new keys of the seat that the voucher confirms."""
    ended: str = ""
    """The end of the game on which the players agreed: `score`, `draw` or `no winner`; `last turn`
    if the turns ran out; empty while the game goes on."""
    ended_by: tuple[str, ...] = ()
    """The writers who agreed on this end."""
    announced_acts: tuple[AnnouncedAct, ...] = ()
    """The agreed acts that can still be cancelled."""
    disputed: frozenset[str] = frozenset()
    """The seats that cancelled new keys for which others had vouched. A seat stays here if it
    changes its own keys: a thief could do that between two attempts."""
    applied_notices: tuple[AppliedNotice, ...] = ()
    """The notices that turns have listed, in the order in which they were applied."""
    deputy_since: int = 0
    """The first turn that the deputy signs as the referee; 0 if there is none."""
    replaced_dealers: frozenset[int] = frozenset()
    """The co-dealers, by number, whose deputies have taken their places."""
    owed_since: Mapping[int, int] = field(default_factory=dict)
    """For each co-dealer, by number, that owes something after the last turn: the date of the turn
    since which it does."""
    now: int = 0
    """The date of the turn that will list the next notices, in seconds since 1970 UTC, as all dates
    here."""
    turn_due_at: int = 0
    """The time from which the next turn is due: the last turn's deadline, or its date if it has
    none."""
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
    asking_turn: int = 0
    """The turn that asked the questions that are open before the next notices."""
    seats_shown_now: frozenset[str] = frozenset()
    """The seats whose players are present, as notices in the turn being made show."""
    answer_times: Mapping[str, int] = field(default_factory=dict)
    """For each seat: the date of the last turn that accepted its orders, or that lists a notice of
    the seat other than `away`."""
    present_then: frozenset[str] = frozenset()
    """The seats that had to agree at the end of the last turn."""
    round: int = 0
    """The round of the questions that are open after the last turn."""
    forced_turns_by_writer: Mapping[str, int] = field(default_factory=dict)
    """For each seat, and for its recovery key (`<seat> recovery`): the number of turns in this
    round with an empty log that list a notice of it, perhaps among others'."""
    key_changes: Mapping[str, int] = field(default_factory=dict)
    """For each seat: the number of times in this round that its own key changed its keys."""
    doors: Mapping[str, bytes] = field(default_factory=dict)
    """For each open seat to which the referee invited somebody: the key of its present door."""
    old_doors: frozenset[bytes] = frozenset()
    """All doors that the referee has published during the game; each is used only once."""
    doors_made: Mapping[str, int] = field(default_factory=dict)
    """For each seat: the number of doors that the referee published during the game."""
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
    def dealer_keys(self) -> tuple[bytes, ...]:
        """The key that signs the deals of each co-dealer now, in their order."""
        return tuple(
            dealer.deputy_key if number in self.replaced_dealers else dealer.key
            for number, dealer in enumerate(self.charter.dealers)
        )

    @property
    def referee_name(self) -> str:
        """The name of the person who makes turns now."""
        return maker_of(self.charter, self.deputy_since).name

    # -------------------------------------------------------------- seats
    @property
    def seats_out(self) -> frozenset[str]:
        """The seats that conceded or were removed; their orders do not count."""
        return frozenset(s for s, reason in self.departures.items() if reason != "open")

    @property
    def removes(self) -> bool:
        """Whether a seat that stays silent is removed rather than opened to somebody else."""
        return self.charter.policies.silent_seat == REMOVE

    @property
    def by_mail(self) -> frozenset[str]:
        """The seats whose players answer by plain email, and whose keys the referee has."""
        return frozenset(self.charter.by_mail) & self.roster.keys() - self.keys_valid_from.keys()

    def is_open(self, seat: str) -> bool:
        """Return whether a person with the seat's next invite may take it over. A seat by mail is
        always open: its player may want a key of their own."""
        silent_seats = frozenset[str]() if self.removes else self.silent_long
        free_seats = (silent_seats | self.by_mail) - self.departures.keys()
        return self.departures.get(seat) == "open" or seat in free_seats

    def people(self) -> frozenset[str]:
        """Return the seats that people play, not bots."""
        return frozenset(self.roster) - self.charter.bots.keys()

    # -------------------------------------------------------------- consent
    def presence(self, seat: str) -> Presence:
        """Return the presence of a seat's player, as consent understands it."""
        if seat in self.departures:
            return "out"
        absence = self.calendar.absences.get(seat)
        if absence and absence.covers(self.now) and seat not in self.seats_shown_now:
            consents_until = max(absence.begins, self.answer_times.get(seat, 0)) + MAX_AWAY_SECONDS
            return "away" if self.now < consents_until else "idle"
        return "idle" if seat in self.idle - self.seats_shown_now else "here"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that people play, with the facts that consent depends on."""
        plays, mail = self.charter.plays, self.by_mail

        def holder(seat: str) -> Holder:
            if seat in plays:
                return "referee"
            return "mail" if seat in mail else "guest" if seat in self.guests else "own"

        return tuple(Seat(s, holder(s), self.presence(s)) for s in sorted(self.people()))

    @property
    def present(self) -> frozenset[str]:
        """The seats that must agree when players decide something together."""
        return frozenset(s for s in self.people() if self.presence(s) in PRESENT_STATES)

    def consent(self, act: Act, subject_seat: str = "") -> Consent:
        """Return the consent that an act needs now; see `consent.consent`."""
        is_disputed, automaton = subject_seat in self.disputed, self.charter.automaton
        return consent(act, self.seats, subject_seat, disputed=is_disputed, automaton=automaton)

    @property
    def absence_reasons(self) -> Mapping[str, Reason]:
        """The seats that the game will not wait for in the next turn, each with the reason.

        If all remaining seats announced absences, no announcement counts.
        """
        playing_seats, absences = (
            self.people() - self.departures.keys(),
            self.calendar.absences.items(),
        )
        absent_seats = {seat for seat, absence in absences if absence.covers(self.now)}
        absent_seats &= playing_seats
        if len(absent_seats) == len(playing_seats):
            return self.departures
        return {**dict.fromkeys(sorted(absent_seats), "announced"), **self.departures}

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
        last_times: tuple[int, int] = (0, 0),
        asking_turn: int = 0,
    ) -> Standing:
        """Return this standing at a given time, with the seats that are idle in this round.

        `absence` has the silences after the last turn; `last_times` are the date and the deadline
        of that turn (0 = none); `asking_turn` asked the open questions. Votes and proposals lapse
        if a seat that had to agree at the end of that turn no longer has to.
        """
        idle, silent_seats = absence.idle, absence.silent_long(round_)
        standing = replace(
            self,
            idle=idle,
            silent_long=silent_seats,
            now=now,
            turn_due_at=max(last_times),
            dated=last_times[0],
            deadline=last_times[1],
            asking_turn=asking_turn,
            seats_shown_now=frozenset(),
        )
        return standing.lapse() if self.present_then - standing.present else standing

    def replaceable_from(self, dealer: int) -> int:
        """Return the time from which the deputy of a co-dealer that owes something may take its
        place."""
        return self.owed_since[dealer] + self.charter.policies.dealer_after

    def lapse(self, turn: int = 0) -> Standing:
        """Return the standing after a present seat became absent: votes, announced ends and the
        calendar's proposals lapse, except votes and proposals in notices of this turn (0 = none).
        So nobody's leaving makes an old vote count."""
        new_writers = [writer for writer in self.votes if turn and self.vote_turns[writer] == turn]
        votes = {writer: self.votes[writer] for writer in new_writers}
        acts = tuple(act for act in self.announced_acts if act.kind != "vote")
        return replace(self, votes=votes, announced_acts=acts, calendar=self.calendar.lapse(turn))

    # -------------------------------------------------------------- the end of a turn
    def at_end(
        self, turn: Turn, absence: Absence, round_: int, signed_acts: Iterable[tuple[str, int]]
    ) -> Standing:
        """Return the standing at the end of a turn that asks questions of this round: who was
        heard, who is idle, which acts and votes ended, and when the others take effect.

        Seats that were silent for too long are removed, if the charter says so. `signed_acts` are
        the orders that the turn lists, except forked ones (see `acts_of`), each as a seat and the
        turn that it answers; they cancel
        announced acts. The other announced acts get the time at which they take effect. `absence`
        includes the silences of the turn.
        """
        if turn.over:
            return self
        seen_seats = {row.seat for row in turn.orders if row.status == "accepted"}
        notices = [notice for notice in self.applied_notices if notice.turn == turn.turn]
        seen_seats |= {notice.seat for notice in notices if notice.kind != "away"}
        answer_times = {**self.answer_times, **dict.fromkeys(sorted(seen_seats - {""}), turn.time)}
        standing = replace(
            self,
            answer_times=answer_times,
            idle=absence.idle,
            now=turn.time,
            seats_shown_now=frozenset(),
        )
        if self.removes:
            silent_seats = absence.silent_long(round_) & self.people() - self.departures.keys()
            standing = standing.with_removed_seats(dict.fromkeys(sorted(silent_seats), turn.turn))
        remaining_acts = tuple(
            act for act in standing.announced_acts if act.seat not in standing.departures
        )
        standing = replace(standing, announced_acts=remaining_acts)
        for seat, answered_turn in signed_acts:
            standing = standing.cancelled(seat, answered_turn)
        if self.present - standing.present:
            standing = standing.lapse()
        if self.calendar.set_back == turn.turn:
            # the date went back to the right time: an answer from the future counts as one of now,
            # and each announced act waits anew
            answer_times = {s: min(time, turn.time) for s, time in standing.answer_times.items()}
            untimed_acts = tuple(act._replace(effective_at=0) for act in standing.announced_acts)
            standing = replace(standing, answer_times=answer_times, announced_acts=untimed_acts)
        standing = standing.count_forced_turns(turn, round_)
        acts = []
        for act in standing.announced_acts:
            if act.kind == "vote" and standing.present & {*act.cancels}:
                continue  # a seat that was idle came back, and it has not agreed
            effective_at = act.effective_at or standing.end_of_wait(
                turn.time, act.cancels, act.disputed
            )
            acts.append(act._replace(effective_at=effective_at))
        known_times = {} if turn.deals else self.owed_since
        # a turn that was dated ahead, before the date went back, is no later than this turn
        owed_since = {
            dealer: min(known_times.get(dealer, turn.time), turn.time) for dealer in turn.owed
        }
        return replace(
            standing,
            announced_acts=tuple(acts),
            present_then=standing.present,
            owed_since=owed_since,
        )

    def end_of_wait(
        self, announced_at: int, seats: Collection[str], is_disputed: bool = False
    ) -> int:
        """Return the time at which an announced act takes effect, unless a seat cancels it, in
        seconds since 1970 UTC; `announced_at` is the date of the turn that announces it.

        Each of `seats` can cancel the act; if `is_disputed`, only with its recovery key.

        An announced absence that begins before this time puts it off, so that whoever comes back
        has the whole waiting time. A later absence does not: nobody can keep their seat by
        announcing an absence in ten years. Of a disputed seat, an absence counts for
        MAX_AWAY_SECONDS at most, because a thief with its key may have announced it.
        """

        def end_after(start: int) -> int:
            return max(start + MIN_WAIT_SECONDS, self.policies.latest_deadline(start))

        absences = [absence for seat in seats if (absence := self.calendar.absences.get(seat))]
        start = announced_at
        for absence in sorted(absences, key=lambda absence: absence.begins):
            if absence.begins < end_after(start):
                start = max(start, absence.ends)
        return end_after(min(start, announced_at + MAX_AWAY_SECONDS) if is_disputed else start)

    def cancelled(self, seat: str, after_turn: int, is_recovery_key: bool = False) -> Standing:
        """Return the standing after a signed act of a seat has cancelled announced acts.

        The act was written after turn `after_turn`, and cancels only acts that were announced by
        then. `is_recovery_key`: the seat's recovery key signed it; no other key cancels a disputed
        act. A seat that cancels new keys for which others vouched becomes disputed.
        """
        cancelled_acts = [
            act for act in self.announced_acts if act.is_cancelled_by([(seat, after_turn)])
        ]
        cancelled_acts = [act for act in cancelled_acts if is_recovery_key or not act.disputed]
        if not cancelled_acts:
            return self
        cancelled_vouches = [act for act in cancelled_acts if act.kind == "vouch"]
        disputed_seats = self.disputed | {act.seat for act in cancelled_vouches}
        acts = tuple(act for act in self.announced_acts if act not in cancelled_acts)
        return replace(self, announced_acts=acts, disputed=disputed_seats)

    def count_forced_turns(self, turn: Turn, round_: int) -> Standing:
        """Return the standing with this turn counted in `forced_turns_by_writer` if its log is
        empty, and with the key changes of the turn in `key_changes`. Both begin anew in a new
        round."""
        is_new_round = round_ != self.round
        forced_turns = {} if is_new_round else dict(self.forced_turns_by_writer)
        key_changes = {} if is_new_round else dict(self.key_changes)
        notices = [notice for notice in self.applied_notices if notice.turn == turn.turn]
        notices = [notice for notice in notices if notice.writer != REFEREE]
        for writer in {notice.forced_turns_key for notice in notices if not turn.has_play}:
            forced_turns[writer] = forced_turns.get(writer, 0) + 1
        for notice in notices:
            if notice.kind == "key" and not notice.recovery:
                key_changes[notice.writer] = key_changes.get(notice.writer, 0) + 1
        return replace(
            self, forced_turns_by_writer=forced_turns, key_changes=key_changes, round=round_
        )

    def is_announced(self, notice_id: bytes) -> bool:
        """Return whether the notice with this id announced an act that can still be cancelled."""
        return any(act.id == notice_id for act in self.announced_acts)

    @property
    def matured_acts(self) -> tuple[AnnouncedAct, ...]:
        """The matured acts. The next turn applies each, unless it lists a cancelling act."""
        return tuple(act for act in self.announced_acts if 0 < act.effective_at <= self.now)

    @property
    def wake_times(self) -> list[int]:
        """The times at which the clock alone may let the game go on, in seconds since 1970: acts
        mature, absences begin or end."""
        absences = self.calendar.absences.values()
        absence_times = [time for absence in absences for time in (absence.begins, absence.ends)]
        return [*(act.effective_at for act in self.announced_acts), *absence_times]

    def with_removed_seats(self, removal_turns: Mapping[str, int]) -> Standing:
        """Return the standing after seats were removed; `removal_turns` has the turn of each. Their
        votes and announced acts stay."""
        if not removal_turns:
            return self
        departures: dict[str, Departure] = {
            **self.departures,
            **dict.fromkeys(removal_turns, "removed"),
        }
        return replace(
            self, departures=departures, removal_turns={**self.removal_turns, **removal_turns}
        )

    # -------------------------------------------------------------- keys
    def seats_of_keys(self) -> dict[bytes, str]:
        """Return the seat of each key that signs orders, or once signed them."""
        seats_by_key = {join.key: seat for seat, join in self.roster.items()}
        for seat, former_keys in self.former_keys.items():
            seats_by_key |= {keys.signing: seat for keys in former_keys}
        return seats_by_key

    def taken_keys(self) -> set[bytes]:
        """Return every key that no seat can get any more: the keys in the charter (the doors are
        none of them), and the signing keys that seats have, had, or will get by an announced act.

        Recovery keys and keys for boxes are not among them, because anybody can name them. Whoever
        names another's key takes nothing away: only its owner has the secret.
        """
        announced_keys = {act.key for act in self.announced_acts}
        charter_keys = charter_key_owners(self.charter)
        return {*charter_keys, *self.seats_of_keys(), *announced_keys} - {b""}

    def why_not_keys(self, pair: Pair) -> str:
        """Say why a seat cannot get these keys, a signing key and an X25519 key; empty if it
        can."""
        if pair[0] == pair[1] or self.taken_keys() & set(pair):
            return "the two new keys must differ, and must not be used in this game already"
        return ""

    def with_keys(self, seat: str, join: Join, turn: int) -> Standing:
        """Return the standing after a turn has given a seat the keys of this join. The seat's
        votes, proposals and vouchers end with its old keys, and announced acts for which it is the
        seat or a voucher."""
        old_join = self.roster[seat]
        former_keys = SeatKeys(old_join.key, old_join.x25519, turn, old_join.name)
        return replace(
            self.without_word_of(seat),
            roster={**self.roster, seat: join},
            keys_valid_from={**self.keys_valid_from, seat: turn},
            former_keys={**self.former_keys, seat: (*self.former_keys.get(seat, ()), former_keys)},
            announced_acts=tuple(
                act for act in self.announced_acts if seat not in (act.seat, *act.vouchers)
            ),
        )

    def with_keys_from_others(self, seat: str, join: Join, turn: int) -> Standing:
        """Return the standing after others have given a seat the keys of this join; the seat is no
        longer disputed."""
        return replace(self.with_keys(seat, join, turn), disputed=self.disputed - {seat})

    def without_word_of(self, seat: str) -> Standing:
        """Return the standing without a seat's votes, proposals and vouchers, and without vouchers
        for it: a changed key takes all this back."""
        return replace(
            self,
            votes={writer: vote for writer, vote in self.votes.items() if writer != seat},
            vouched={pair: keys for pair, keys in self.vouched.items() if seat not in pair},
            calendar=self.calendar.without_word_of(seat),
        )

    # -------------------------------------------------------------- what a turn changes
    def lapsed(self, previous_standing: Standing) -> frozenset[str]:
        """Return the seats whose orders no longer count because of the notices since the previous
        standing."""
        previous_turns = previous_standing.keys_valid_from
        rekeyed_seats = {
            s for s, turn in self.keys_valid_from.items() if previous_turns.get(s) != turn
        }
        return frozenset(rekeyed_seats | (self.seats_out - previous_standing.seats_out))

    def seats_shown(self, turn: int) -> frozenset[str]:
        """Return the seats whose players are present, as notices in this turn show."""
        return frozenset(n.seat for n in self.applied_notices if n.turn == turn and n.seat)

    def new_keys(self, turn: int) -> frozenset[str]:
        """Return the seats that got new keys in this turn: they must hand over their knowledge."""
        return frozenset(
            seat for seat, valid_from in self.keys_valid_from.items() if valid_from == turn
        )

    def with_agreed_end(self, turn: int, signed_acts: Acts = ()) -> Standing:
        """Return the standing after the notices of a turn, with the end on which the players agree.

        If all who must agree want the same end, the game has ended; but if seats can cancel this,
        the end is only announced, and a later turn applies it once it has matured. An announced end
        on which they no longer agree lapses. The last turn that a game can have ends it, and so
        does the departure of the last player. `signed_acts` are the orders that the turn lists if
        the game goes on: those of seats that can cancel the announced end put it off.
        """
        if turn >= record_header.MAX_TURN:
            return replace(self, ended=LAST_TURN, announced_acts=())
        if self.people() and self.seats_out >= self.people():  # no player is left
            return replace(self, ended=SCORE, announced_acts=())
        other_acts = tuple(act for act in self.announced_acts if act.kind != "vote")
        result = self._agreed_result()
        if not result:
            return replace(self, announced_acts=other_acts)
        needed_consent = self.consent("no winner" if result == NO_WINNER else "end")
        agreeing_writers = {writer for writer, vote in self.votes.items() if vote == result}
        voters = tuple(sorted(needed_consent.seats | ({REFEREE} & agreeing_writers)))
        same_votes = (
            act for act in self.announced_acts if (act.kind, act.result) == ("vote", result)
        )
        announced_act = next(same_votes, None)
        cancels = needed_consent.cancels
        answers = [(seat, answered_turn) for seat, answered_turn in signed_acts if seat in cancels]
        if not cancels or (
            announced_act in self.matured_acts and not announced_act.is_cancelled_by(answers)
        ):
            return replace(self, ended=result, ended_by=voters, announced_acts=other_acts)
        fields = {"result": result, **self.signer_fields(voters)}
        new_act = AnnouncedAct("vote", b"", turn, "", tuple(sorted(cancels)), fields, result=result)
        return replace(self, announced_acts=(*other_acts, announced_act or new_act))

    def _agreed_result(self) -> str:
        """Return the end of the game for which all vote who must agree; empty if there is none. If
        the consent needs the referee, they vote too, or play one of the seats that must agree."""
        for result in sorted({*self.votes.values()}):
            needed_consent = self.consent("no winner" if result == NO_WINNER else "end")
            voters = {seat for seat, vote in self.votes.items() if vote == result}
            has_referee = REFEREE in voters or bool(needed_consent.seats & {*self.charter.plays})
            is_complete = needed_consent.seats <= voters
            is_complete = is_complete and (has_referee or not needed_consent.referee)
            if is_complete and not needed_consent.obstacle:
                return result
        return ""

    def signer_fields(self, writers: Sequence[str]) -> dict[str, str]:
        """Return facts about the writers who agreed, as in `Fields`: their letters (`by`), the name
        of each under its letter or `referee`, and if there are any, the letters of the seats by
        mail for which the referee signed (`by_mail`)."""
        names, by_mail = self.names, self.by_mail
        fields = {writer: names[writer] for writer in writers} | {"by": " ".join(writers)}
        mail_writers = [writer for writer in writers if writer in by_mail]
        return fields | ({"by_mail": " ".join(mail_writers)} if mail_writers else {})
