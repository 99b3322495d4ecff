"""The standing of a game: who has which seat and which keys, who has left, who agreed to what.

The standing follows from the charter, the joins and the notices that turns list. So the referee
makes turns and everybody checks them with the same code (protocol §5, *Notices*).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from pbem.frozen import frozen
from pbem.play.calendar.charter_deadlines import REMOVE, silent_seat
from pbem.play.calendar.declared import Declared
from pbem.play.orders.absence import Absence, Away, round_asked
from pbem.records.charter_join_orders import Charter, Join
from pbem.records.notices.notice_record import REFEREE
from pbem.records.read_record import Record

if TYPE_CHECKING:
    from engine import Pending
    from pbem.records.turn import Turn

Gone = Literal["conceded", "removed", "open"]
Pair = tuple[bytes, bytes]
"""A signing key and an X25519 key."""


class FormerKeys(NamedTuple):
    """Earlier keys of a seat, which no longer count."""

    signing: bytes
    x25519: bytes
    until: int
    """The turn that replaced these keys."""


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
    told: str
    """What happened, as a sentence for people; it contains names as their owners wrote them."""


def told_removed(name: str) -> str:
    """Say what happened to a player whose seat was removed."""
    return f"{name} was silent for too long and is removed from the game"


@frozen
class Standing:
    """The standing of a game after a turn: who has which seat and keys, who has left, who agreed to
    what.

    It never changes: turns that list notices make a new one.
    """

    charter: Charter
    roster: Mapping[str, Join] = field(default_factory=dict)
    """The join of each seat's player; `key` and `x25519` are the keys that count now."""
    since: Mapping[str, int] = field(default_factory=dict)
    """For each seat whose keys are not those of turn 1: the turn that brought them."""
    spent: frozenset[bytes] = frozenset()
    """Keys that counted once and no longer do; none of them can be used again."""
    former: Mapping[str, tuple[FormerKeys, ...]] = field(default_factory=dict)
    """For each seat whose keys changed: its earlier keys, oldest first."""
    ranks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """For each writer: the turn and the number of their last listed notice."""
    gone: Mapping[str, Gone] = field(default_factory=dict)
    """The seats that nobody waits for any more, even if they were never silent."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """For each seat that was removed for being silent too long: the turn that removed it."""
    votes: Mapping[str, str] = field(default_factory=dict)
    """How each seat that voted wants the game to end."""
    vouched: Mapping[tuple[str, str], Pair] = field(default_factory=dict)
    """For a voucher and a seat: the new keys of the seat that the voucher confirms."""
    ended: str = ""
    """How the players agreed to end the game, `score` or `draw`; empty while it goes on."""
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
    calendar: Declared = field(default_factory=Declared)
    """The absences, delays and deadline proposals of players."""
    deadline: int = 0
    """The deadline of the last turn before the next notices; 0 = none."""
    asked_by: int = 0
    """The turn that asked the questions that are open then."""
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
        return self.charter.deputy_key if self.deputy_since else self.charter.key

    @property
    def referee_name(self) -> str:
        """The name of the person who makes turns now."""
        return self.charter.deputy if self.deputy_since else self.charter.referee

    # -------------------------------------------------------------- seats
    @property
    def out(self) -> frozenset[str]:
        """The seats that conceded or were removed; their orders do not count."""
        return frozenset(s for s, gone in self.gone.items() if gone != "open")

    @property
    def removes(self) -> bool:
        """Whether a seat that stays silent for long is removed rather than opened to somebody
        else."""
        return silent_seat(self.charter.policies) == REMOVE

    @property
    def by_mail(self) -> frozenset[str]:
        """The seats whose players answer by plain email, and whose keys the referee has."""
        return frozenset(self.charter.by_mail) & self.roster.keys() - self.since.keys()

    def is_open(self, seat: str) -> bool:
        """Return whether a person with the seat's next invite may take the seat over.

        A player who answers by plain email may do so at any time, with a key of their own.
        """
        silent = frozenset[str]() if self.removes else self.silent_long
        free = (silent | self.by_mail) - self.gone.keys()
        return self.gone.get(seat) == "open" or seat in free

    def people(self) -> frozenset[str]:
        """The seats that people play, not bots."""
        bots = {plan.seat for plan in self.charter.seats if plan.bot}
        return frozenset(self.roster) - bots

    def live(self) -> frozenset[str]:
        """The seats that must all agree when players decide something together."""
        return self.people() - self.away.keys() - self.idle

    @property
    def away(self) -> Mapping[str, Away]:
        """The seats that the game will not wait for in the next turn, each with the reason."""
        here = self.people() - self.gone.keys()
        announced = self.calendar.away(here, self.now)
        return {**dict.fromkeys(sorted(announced), "announced"), **self.gone}

    @property
    def policies(self) -> dict[str, str | int | bool]:
        """The charter's policies, with the deadlines that were agreed on later."""
        return self.calendar.policies(self.charter.policies)

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
        """Return this standing at a given time, with the seats that are idle in this round.

        `last` is the date and deadline of the last turn; `asked_by` is the turn that asked the open
        questions.
        """
        idle, silent = absence.idle, absence.silent_long(round_)
        seen = replace(self, idle=idle, silent_long=silent, now=now, quiet_since=max(last))
        return replace(seen, deadline=last[1], asked_by=asked_by)

    # -------------------------------------------------------------- removal
    def after_silence(self, absence: Absence, pending: Pending, turn: Turn) -> Standing:
        """Return the standing at the end of a turn, without seats that were silent for too long.

        `pending` has the questions that the turn asks.
        """
        if turn.over or not self.removes:
            return self
        silent = absence.silent_long(round_asked(pending)) & self.people() - self.gone.keys()
        return self.without(dict.fromkeys(sorted(silent), turn.turn))

    def without(self, removed: Mapping[str, int]) -> Standing:
        """Return this standing with these seats removed; each is removed at the end of the turn
        given for it."""
        if not removed:
            return self
        gone: dict[str, Gone] = {**self.gone, **dict.fromkeys(removed, "removed")}
        return replace(self, gone=gone, removed={**self.removed, **removed})

    # -------------------------------------------------------------- keys
    def known_keys(self) -> set[bytes]:
        """Return every key that counts in the game now or once did."""
        charter = self.charter
        found = {charter.key, charter.audit, charter.desk, *self.spent}
        found |= {charter.deputy_key, charter.deputy_x25519}
        for join in self.roster.values():
            found |= {join.key, join.x25519, join.recovery}
        return found - {b""}

    def seats_of_keys(self) -> dict[bytes, str]:
        """Return the seat of each key that signs orders, or once did."""
        now = {join.key: seat for seat, join in self.roster.items()}
        return now | {was.signing: seat for seat, some in self.former.items() for was in some}

    def why_not_keys(self, pair: Pair) -> str:
        """Say why a seat cannot get these keys; empty if it can."""
        if pair[0] == pair[1] or self.known_keys() & set(pair):
            return "one of the keys is already used in this game, and a key can be used only once"
        return ""

    def with_keys(self, seat: str, join: Join, turn: int) -> Standing:
        """Return the standing after a turn has given a seat the keys of this join."""
        old = self.roster[seat]
        was = FormerKeys(old.key, old.x25519, turn)
        return replace(
            self,
            roster={**self.roster, seat: join},
            since={**self.since, seat: turn},
            former={**self.former, seat: (*self.former.get(seat, ()), was)},
            spent=self.spent | ({old.key, old.x25519, old.recovery} - {b"", join.recovery}),
        )

    # -------------------------------------------------------------- what a turn changes
    def lapsed(self, before: Standing) -> frozenset[str]:
        """Return the seats whose orders no longer count because of the notices since `before`."""
        changed = {s for s, turn in self.since.items() if before.since.get(s) != turn}
        return frozenset(changed | (self.out - before.out))

    def seats_shown(self, turn: int) -> frozenset[str]:
        """Return the seats whose players have shown, by notices in this turn, that they are still
        there."""
        return frozenset(one.seat for one in self.listed if one.turn == turn and one.seat)

    def new_keys(self, turn: int) -> frozenset[str]:
        """Return the seats that got new keys in this turn, so that the turn must hand over all that
        they may know."""
        return frozenset(seat for seat, since in self.since.items() if since == turn)

    def agreed(self, turn: int) -> str:
        """Return how players have agreed to end the game in this turn; empty if they have not."""
        live = self.live() | (self.seats_shown(turn) & self.people() - self.gone.keys())
        if not live and self.out and self.out >= self.people():
            return "score"  # everybody has conceded
        wanted = {self.votes.get(seat, "") for seat in live}
        return wanted.pop() if len(wanted) == 1 else ""
