"""What each kind of notice does to a game, and which notices count for a turn (protocol §5).

Notices are about who plays, never about the game: no ruleset knows them. A notice that somebody
cannot wait for makes a turn with an empty log. Such a turn keeps the deadline, and orders for the
turn before stay in time, so that it delays nothing.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Generic, TypeVar

from pbem.files.disk import HOW_TO_GET
from pbem.format import labels
from pbem.format.canonical import RecordError
from pbem.format.keys import check_public, check_x25519, th
from pbem.frozen import frozen
from pbem.game.deadlines import DAY, delay_budget, deputy_after, read_rule
from pbem.game.standing import END_WORDS, Acts, Counted, Standing, Wait
from pbem.records.charter import Join, invite_code, is_let_in
from pbem.records.notice import (
    NO_WINNER,
    PLAY_ON,
    REFEREE,
    Away,
    Concede,
    Delay,
    HandOver,
    Leave,
    NewKey,
    Notice,
    Saying,
    SetClock,
    SetDeadline,
    SetDoor,
    TakeIn,
    Vote,
    Vouch,
)
from pbem.records.read_record import Record
from pbem.records.schema import SEAT_PATTERN
from pbem.records.turn import MOST_LISTED, ListedNotice, Turn
from pbem.text.dates import utc_date

S = TypeVar("S", bound=Saying)


class Rule(Generic[S]):
    """One kind of notice: who may sign it, when it can count, and what it changes."""

    saying: ClassVar[type[Saying]]
    """The class of what such notices say."""
    at_once: ClassVar[bool] = False
    """Whether such a notice counts only in the next turn after it was written."""
    by_referee: ClassVar[bool] = False
    """Whether only the referee may write such a notice."""

    def signers(self, standing: Standing, notice: Notice, said: S) -> frozenset[bytes]:
        """Return the keys that may sign this notice now: usually only that of the seat that writes
        it."""
        if self.by_referee and notice.seat:
            return frozenset()
        return frozenset({standing.signer(notice.writer)} - {b""})

    def why_not_signed(self, standing: Standing, notice: Notice, key: bytes) -> str:
        """Say why a notice signed with a key that is not among `signers` does not count."""
        return "it is not signed with the key that counts now"

    def missing(self, standing: Standing, said: S) -> str:
        """Say which file named by the notice is missing here; empty if none is."""
        return ""

    def why_not(self, standing: Standing, notice: Notice, said: S) -> str:
        """Say why the notice cannot count now, as a sentence about it; empty if it can."""
        return ""

    def wait(self, standing: Standing, notice: Notice, said: S) -> Wait | None:
        """Return what the notice announces, if somebody can still cancel it; None if it counts at
        once."""
        return None

    def apply(self, standing: Standing, notice: Notice, said: S, turn: int) -> Standing:
        """Return the game's standing after the notice has taken effect in this turn."""
        raise NotImplementedError

    def shows(self, notice: Notice, said: S) -> str:
        """Return the seat whose player has shown by this notice that they are there; may be
        empty."""
        return notice.seat

    def told(self, standing: Standing, notice: Notice, said: S) -> str:
        """Say what happened, for people; `standing` is the game's standing before the notice."""
        return self.tell(notice, said, standing.names)

    def tell(self, notice: Notice, said: S, names: Mapping[str, str]) -> str:
        """Say what happened; `names` has the names of players, by seat, and of `referee`."""
        raise NotImplementedError


def who(notice: Notice, names: Mapping[str, str]) -> str:
    """Return the name of a notice's writer, for people."""
    return names.get(notice.writer) or ("the referee" if notice.writer == REFEREE else notice.seat)


def plays(standing: Standing, notice: Notice) -> str:
    """Say why this notice's writer, who must be a player, may not write it; empty if they may."""
    if notice.seat not in standing.people():
        return "only a player can write this notice"
    if notice.seat in standing.removed:
        return "the seat was removed, because it was silent for too long"
    return "the seat has conceded" if notice.seat in standing.out else ""


class VoteRule(Rule[Vote]):
    """`vote`: it counts until its writer votes anew, or a seat leaves those who must agree. The
    game ends when all who must agree want the same."""

    saying = Vote

    def why_not(self, standing: Standing, notice: Notice, said: Vote) -> str:
        if standing.votes.get(notice.writer) == said.result:
            return "the seat has already voted for this"
        if notice.writer == REFEREE and said.result in (NO_WINNER, PLAY_ON):
            return ""
        return plays(standing, notice)

    def apply(self, standing: Standing, notice: Notice, said: Vote, turn: int) -> Standing:
        votes = {who: vote for who, vote in standing.votes.items() if who != notice.writer}
        if said.result != PLAY_ON:  # without a vote, too: no older one can follow
            votes[notice.writer] = said.result
        return replace(standing, votes=votes, voted={**standing.voted, notice.writer: turn})

    def told(self, standing: Standing, notice: Notice, said: Vote) -> str:
        told = super().told(standing, notice, said)
        voted = said.result == PLAY_ON and notice.writer in standing.votes
        return f"{told}, and takes back their vote to end the game" if voted else told

    def tell(self, notice: Notice, said: Vote, names: Mapping[str, str]) -> str:
        name = who(notice, names)
        if said.result == PLAY_ON:
            return f"{name} wants to play on"
        return f"{name} votes to end the game {END_WORDS[said.result]}"


class ConcedeRule(Rule[Concede]):
    """`concede`: the seat is no longer asked; the defaults answer for it, and it is ranked last.

    Its species stay on the table: the rulebooks do not say what would become of their food and
    cards, and the others have planned with them.
    """

    saying = Concede

    def why_not(self, standing: Standing, notice: Notice, said: Concede) -> str:
        return plays(standing, notice)

    def apply(self, standing: Standing, notice: Notice, said: Concede, turn: int) -> Standing:
        return replace(standing, gone={**standing.gone, notice.seat: "conceded"})

    def tell(self, notice: Notice, said: Concede, names: Mapping[str, str]) -> str:
        return f"{who(notice, names)} concedes the game"


class LeaveRule(Rule[Leave]):
    """`leave`: the game stops waiting for the seat, and somebody else may take it over."""

    saying = Leave

    def why_not(self, standing: Standing, notice: Notice, said: Leave) -> str:
        if notice.seat in standing.charter.plays:
            return "the referee holds the keys of this seat, so nobody else can take it over"
        if standing.removes:
            told = "in this game the charter does not allow anybody to take over a seat"
            return f"{told}, but you can concede"
        again = "the seat is already open" if notice.seat in standing.gone else ""
        return plays(standing, notice) or again

    def apply(self, standing: Standing, notice: Notice, said: Leave, turn: int) -> Standing:
        return replace(standing, gone={**standing.gone, notice.seat: "open"})

    def tell(self, notice: Notice, said: Leave, names: Mapping[str, str]) -> str:
        name = who(notice, names)
        return f"{name} gives up seat {notice.seat}: it is open for somebody else"


class HandOverRule(Rule[HandOver]):
    """`referee`: from now on the deputy's key signs turns and `final`, not the referee's."""

    saying = HandOver
    at_once = True  # or somebody could keep an old notice, and hand the game over later

    def signers(self, standing: Standing, notice: Notice, said: HandOver) -> frozenset[bytes]:
        charter = standing.charter
        key = charter.key if said.by == "referee" else charter.deputy_key
        return frozenset() if notice.seat else frozenset({key} - {b""})

    def why_not(self, standing: Standing, notice: Notice, said: HandOver) -> str:
        if not standing.charter.deputy_key:
            return "the charter names no deputy"
        if standing.referee_key != standing.charter.key:
            return f"{standing.charter.deputy} is already the referee"
        if said.by == "referee":
            return ""
        first = standing.quiet_since + deputy_after(standing.charter.policies)
        if standing.now < first:
            return f"the deputy can take over only if no turn is made by {utc_date(first)}"
        return ""

    def apply(self, standing: Standing, notice: Notice, said: HandOver, turn: int) -> Standing:
        return replace(standing, deputy_since=turn)

    def tell(self, notice: Notice, said: HandOver, names: Mapping[str, str]) -> str:
        if said.by == "referee":
            return "the referee hands the game over to the deputy"
        return "the deputy takes over, because no turn has been made for a long time"


# ---- new keys

_LINE: Final = re.compile(rf"({SEAT_PATTERN}):([0-9a-f]{{64}}):([0-9a-f]{{64}}):([A-Z2-7]{{8}})")


@frozen
class KeyLine:
    """The new keys of a seat, as their owner sends them to the others: `c:4f1c22…:9ac0…:K7Q2…`."""

    game: bytes
    seat: str
    key: bytes
    x25519: bytes

    def line(self) -> str:
        """Return the line; its last part is a checksum, which also depends on the game."""
        digest = th(labels.KEY_CHECK, self.game, self.seat.encode(), self.key, self.x25519)
        check = base64.b32encode(digest[:5]).decode()
        return f"{self.seat}:{self.key.hex()}:{self.x25519.hex()}:{check}"


def parse_key_line(line: str, game: bytes) -> KeyLine:
    """Read a line that `KeyLine.line` wrote for this game; spaces and capitals do not matter.
    Raises RecordError `grammar`, `key`."""
    parts = "".join(line.split()).split(":")
    said = ":".join([*(part.lower() for part in parts[:-1]), parts[-1].upper()])
    match = _LINE.fullmatch(said)
    if not match:
        raise RecordError("grammar", "this is not a complete key line: it looks like c:4f1c22…:…")
    found = KeyLine(game, match[1], bytes.fromhex(match[2]), bytes.fromhex(match[3]))
    if found.line() != said:
        told = "this key line has a wrong character, or is for a different game: copy the whole "
        told += "line again"
        raise RecordError("grammar", told)
    check_public(found.key)
    check_x25519(found.x25519)
    return found


HELD = "the keys of this seat are derived from the referee's key"
MOST_KEYS = 2
"""How many times a round a seat can change its keys with its own key."""


class NewKeyRule(Rule[NewKey]):
    """`key`: a seat gets new keys; its present key or its recovery key signs the notice."""

    saying = NewKey

    def signers(self, standing: Standing, notice: Notice, said: NewKey) -> frozenset[bytes]:
        join = standing.roster.get(notice.seat)
        if join is None:
            return frozenset()
        often = standing.rekeyed.get(notice.seat, 0) >= MOST_KEYS
        own = set() if often or _is_doubted(standing, notice.seat) else {join.key}
        return frozenset({*own, join.recovery} - {b""})

    def why_not_signed(self, standing: Standing, notice: Notice, key: bytes) -> str:
        if notice.seat and key == standing.signer(notice.writer):
            if _is_doubted(standing, notice.seat):
                return "others vouch for new keys of this seat again: only its recovery key counts"
            told = f"its own key changes the keys of a seat at most {MOST_KEYS} times a round"
            return f"{told}; the recovery key always can"
        return super().why_not_signed(standing, notice, key)

    def why_not(self, standing: Standing, notice: Notice, said: NewKey) -> str:
        if notice.seat in keys_from_referee(standing):
            return HELD
        return plays(standing, notice) or standing.why_not_keys((said.key, said.x25519))

    def apply(self, standing: Standing, notice: Notice, said: NewKey, turn: int) -> Standing:
        join = replace(standing.roster[notice.seat], key=said.key, x25519=said.x25519)
        return standing.with_keys(notice.seat, join, turn)

    def tell(self, notice: Notice, said: NewKey, names: Mapping[str, str]) -> str:
        return f"{who(notice, names)} has a new key"


class VouchRule(Rule[Vouch]):
    """`vouch`: a player confirms somebody's new keys.

    The keys are announced once all others who must agree and, last, the referee confirm them. They
    count after a waiting time, unless the seat's player cancels this.
    """

    saying = Vouch

    def why_not(self, standing: Standing, notice: Notice, said: Vouch) -> str:
        if said.seat not in standing.people() or said.seat in standing.out:
            return f"nobody plays seat {said.seat}"
        if said.seat in keys_from_referee(standing):
            return HELD
        if notice.seat == said.seat:
            return "others must vouch for these keys"
        pair = said.key, said.x25519
        if reason := standing.why_not_keys(pair):
            return reason
        if notice.writer != REFEREE:
            return plays(standing, notice)
        if any((wait.about, wait.seat) == ("vouch", said.seat) for wait in standing.waits):
            return "these keys, or others for the seat, are already announced"
        who = standing.consent("vouch", said.seat)
        if who.never:
            return who.never
        vouched, names = standing.vouched, standing.names
        if missing := [s for s in sorted(who.seats) if vouched.get((s, said.seat)) != pair]:
            told = "the referee must vouch last, but these players have not vouched for these keys"
            return f"{told} yet: {', '.join(names[seat] for seat in missing)}"
        return ""

    def wait(self, standing: Standing, notice: Notice, said: Vouch) -> Wait | None:
        if notice.writer != REFEREE:
            return None
        told = f"{standing.names[said.seat]} gets a new key: {self._vouchers(standing, said)}"
        pair, seat = (said.key, said.x25519), said.seat
        by = tuple(writer for (writer, about), keys in standing.vouched.items() if about == seat)
        disputed = seat in standing.disputed
        return Wait("vouch", b"", 0, seat, (seat,), told, keys=pair, disputed=disputed, by=by)

    def apply(self, standing: Standing, notice: Notice, said: Vouch, turn: int) -> Standing:
        if notice.writer != REFEREE:
            pair = said.key, said.x25519
            vouched = {**standing.vouched, (notice.seat, said.seat): pair}
            return replace(standing, vouched=vouched)
        join = replace(standing.roster[said.seat], key=said.key, x25519=said.x25519, recovery=b"")
        return standing.with_keys(said.seat, join, turn)

    def told(self, standing: Standing, notice: Notice, said: Vouch) -> str:
        if notice.writer != REFEREE:
            return super().told(standing, notice, said)
        return f"{standing.names[said.seat]} has a new key: {self._vouchers(standing, said)}"

    def _vouchers(self, standing: Standing, said: Vouch) -> str:
        pair = said.key, said.x25519
        found = [w for (w, s), keys in standing.vouched.items() if (s, keys) == (said.seat, pair)]
        return f"{standing.called([*sorted(found), REFEREE])}, the referee, vouch for it"

    def shows(self, notice: Notice, said: Vouch) -> str:
        return said.seat if notice.writer == REFEREE else notice.seat

    def tell(self, notice: Notice, said: Vouch, names: Mapping[str, str]) -> str:
        return f"{who(notice, names)} vouches for a new key of {names[said.seat]}"


def _is_doubted(standing: Standing, seat: str) -> bool:
    """Return whether others vouch for new keys of a seat again, after its key cancelled that."""
    return any(wait.seat == seat and wait.disputed for wait in standing.waits)


def keys_from_referee(standing: Standing) -> frozenset[str]:
    """Return the seats whose present keys derive from the referee's."""
    return standing.by_mail | {*standing.charter.plays}


# ---- open seats


class SetDoorRule(Rule[SetDoor]):
    """`door`: only joins that the new door's key signed may take the seat over."""

    saying = SetDoor
    by_referee = True

    def why_not(self, standing: Standing, notice: Notice, said: SetDoor) -> str:
        if said.seat not in standing.roster or not standing.is_open(said.seat):
            return f"seat {said.seat} is not open"
        known = said.key in standing.old_doors | {plan.door for plan in standing.charter.seats}
        return "a seat of this game has had this door already" if known else ""

    def apply(self, standing: Standing, notice: Notice, said: SetDoor, turn: int) -> Standing:
        made = {**standing.doors_made, said.seat: standing.doors_made.get(said.seat, 0) + 1}
        doors = {**standing.doors, said.seat: said.key}
        old = standing.old_doors | {said.key}
        return replace(standing, doors=doors, doors_made=made, old_doors=old)

    def tell(self, notice: Notice, said: SetDoor, names: Mapping[str, str]) -> str:
        return f"{who(notice, names)} invites somebody new to seat {said.seat}"


class TakeInRule(Rule[TakeIn]):
    """`seat`: a new player's keys count for the seat, and its old orders no longer count.

    If its player has not left but is only silent, the notice announces this, so that they can still
    come back.
    """

    saying = TakeIn
    by_referee = True

    def missing(self, standing: Standing, said: TakeIn) -> str:
        return "" if said.join in standing.joins else join_not_here(said)

    def why_not(self, standing: Standing, notice: Notice, said: TakeIn) -> str:
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
        cancels = standing.consent("seat", said.seat).cancels
        if not cancels:
            return None
        join = self._join(standing, said)
        old = standing.names[said.seat]
        told = f"{join.name} takes over seat {said.seat} from {old}, by the referee alone"
        keys = join.key, join.x25519, join.recovery
        return Wait("seat", b"", 0, said.seat, (*cancels,), told, keys=tuple({*keys} - {b""}))

    def apply(self, standing: Standing, notice: Notice, said: TakeIn, turn: int) -> Standing:
        gone = {seat: why for seat, why in standing.gone.items() if seat != said.seat}
        doors = {seat: key for seat, key in standing.doors.items() if seat != said.seat}
        guests = standing.guests | {said.seat}
        calendar = standing.calendar.without_absence(said.seat)
        standing = replace(standing, gone=gone, doors=doors, guests=guests, calendar=calendar)
        return standing.with_keys(said.seat, self._join(standing, said), turn)

    def shows(self, notice: Notice, said: TakeIn) -> str:
        return said.seat

    def told(self, standing: Standing, notice: Notice, said: TakeIn) -> str:
        if said.seat not in standing.by_mail:
            return super().told(standing, notice, said)
        name = self._join(standing, said).name
        told = f"{name} takes over seat {said.seat} with a key of their own"
        return f"{told}, and plain emails no longer count for it"

    def tell(self, notice: Notice, said: TakeIn, names: Mapping[str, str]) -> str:
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


# ---- the calendar

LONGEST_ABSENCE = 100 * DAY
"""The longest absence that one notice may announce, in seconds."""


class AwayRule(Rule[Away]):
    """`away`: during its announced absence, nobody waits for the seat, and its silence does not
    count.

    A later notice of the seat replaces an earlier one.
    """

    saying = Away

    def why_not(self, standing: Standing, notice: Notice, said: Away) -> str:
        if reason := plays(standing, notice):
            return reason
        if not said.ends:
            announced = notice.seat in standing.calendar.absences
            return "" if announced else "the seat has announced no absence"
        if said.ends <= said.begins:
            return "the absence ends before it begins"
        answered = standing.answered.get(notice.seat, 0)
        if standing.calendar.begun(notice.seat, answered, standing.now):
            told = "the last absence that the seat announced has begun, and the seat has not "
            told += "answered"
            return f"{told} since: it can announce another one when it has answered"
        if said.ends - said.begins > LONGEST_ABSENCE:
            return f"an absence can last at most {LONGEST_ABSENCE // DAY} days"
        return "the absence is already over" if said.ends <= standing.now else ""

    def apply(self, standing: Standing, notice: Notice, said: Away, turn: int) -> Standing:
        calendar = standing.calendar.with_absence(notice.seat, said.begins, said.ends)
        return replace(standing, calendar=calendar)

    def tell(self, notice: Notice, said: Away, names: Mapping[str, str]) -> str:
        if not said.ends:
            return f"{who(notice, names)} is not away after all"
        when = f"from {utc_date(said.begins)} to {utc_date(said.ends)}"
        return f"{who(notice, names)} is away {when}, and nobody needs to wait"


class DelayRule(Rule[Delay]):
    """`delay`: a seat puts the deadline off by some hours; the charter limits the total."""

    saying = Delay

    def why_not(self, standing: Standing, notice: Notice, said: Delay) -> str:
        if reason := plays(standing, notice):
            return reason
        if notice.turn < standing.asked_by:
            return "it was written for an earlier deadline"
        if not standing.deadline:
            return "there is no deadline to put off"
        if standing.now >= standing.deadline:
            return "the deadline has passed"
        left = standing.calendar.hours_left(standing.charter.policies, notice.seat)
        if not delay_budget(standing.charter.policies):
            return "in this game, nobody may put a deadline off: the charter gives no time for that"
        if said.hours > left:
            return f"the seat may put deadlines off by {left} more hours, as the charter says"
        return ""

    def apply(self, standing: Standing, notice: Notice, said: Delay, turn: int) -> Standing:
        calendar = standing.calendar.with_delay(notice.seat, said.hours, turn)
        return replace(standing, calendar=calendar)

    def tell(self, notice: Notice, said: Delay, names: Mapping[str, str]) -> str:
        unit = "hour" if said.hours == 1 else "hours"
        return f"{who(notice, names)} puts the deadline off by {said.hours} {unit}"


class SetDeadlineRule(Rule[SetDeadline]):
    """`deadline`: a rule counts once all who must agree have proposed it and, last of all, the
    referee agrees.

    So what counts follows from the notices alone, no matter who was idle at the time.
    """

    saying = SetDeadline

    def why_not(self, standing: Standing, notice: Notice, said: SetDeadline) -> str:
        if reason := _why_unreadable(said.rule):
            return reason
        if notice.writer != REFEREE:
            before = standing.calendar.wanted.get(notice.seat)
            again = "the seat already proposes this deadline"
            if not said.rule:
                again = "" if before else "the seat proposes no deadline"
            elif before != (said.phase, said.rule):
                again = ""
            return plays(standing, notice) or again
        who_must = standing.consent("deadline")
        if who_must.never:
            return who_must.never
        others = who_must.seats - {*standing.charter.plays}
        wish, wanted = (said.phase, said.rule), standing.calendar.wanted
        if missing := [seat for seat in sorted(others) if wanted.get(seat) != wish]:
            names = ", ".join(standing.names[seat] for seat in missing)
            told = "the referee must agree last, but these players have not agreed to this deadline"
            return f"{told} yet: {names}"
        return "" if said.rule else "to have no deadline, propose the rule 'never'"

    def apply(self, standing: Standing, notice: Notice, said: SetDeadline, turn: int) -> Standing:
        calendar = standing.calendar
        if notice.writer == REFEREE:
            calendar = calendar.with_rule(said.phase, said.rule, turn)
        else:
            calendar = calendar.with_wish(notice.seat, said.phase, said.rule, turn)
        return replace(standing, calendar=calendar)

    def told(self, standing: Standing, notice: Notice, said: SetDeadline) -> str:
        told = super().told(standing, notice, said)
        if notice.writer != REFEREE:
            return told
        wish = (said.phase, said.rule)
        found = [seat for seat, one in standing.calendar.wanted.items() if one == wish]
        return f"{told}, by {standing.called([*sorted(found), REFEREE])}"

    def tell(self, notice: Notice, said: SetDeadline, names: Mapping[str, str]) -> str:
        where = f" in the phase {said.phase}" if said.phase else ""
        if notice.writer == REFEREE:
            return f"a new deadline is agreed{where}: {said.rule}"
        if not said.rule:
            return f"{who(notice, names)} no longer proposes a new deadline"
        return f"{who(notice, names)} proposes a new deadline{where}: {said.rule}"


class SetClockRule(Rule[SetClock]):
    """`clock`: the date of the last turn is wrong, and the game goes back to the right time.

    It counts once half of the players who are in and have keys of their own have said so and, last
    of all, the referee. If nobody who is in has such a key, half of the others must have said so:
    those to whom the referee gave a seat, and those by mail. So the referee never decides alone
    while anybody else plays. All need not agree: no deadline comes that would show who is silent.
    Of those who have said so, half is enough to set the earliest time that the referee may give: so
    no single player can keep the game from going back.
    """

    saying = SetClock

    def why_not(self, standing: Standing, notice: Notice, said: SetClock) -> str:
        if said.time >= standing.dated:
            return "the last turn is not dated later than that"
        clocks = standing.calendar.clocks
        if notice.writer != REFEREE:
            again = "the seat has said this already" if notice.seat in clocks else ""
            return plays(standing, notice) or again
        must = standing.consent("deadline")
        if must.never:
            return must.never
        others = {s.letter: s.holder for s in standing.seats if s.letter in must.seats}
        own = {seat for seat, holder in others.items() if holder == "own"}
        asked = own or {seat for seat, holder in others.items() if holder != "referee"}
        times = sorted(clocks[seat] for seat in asked & clocks.keys())
        half = (len(asked) + 1) // 2
        if len(times) < half:
            names = ", ".join(standing.names[seat] for seat in sorted(asked - clocks.keys()))
            told = f"the referee must say this last, after {half} of the players"
            told += " with keys of their own" if own else ""
            return f"{told}; these have not said it yet: {names}"
        late = times[half - 1] if half else 0
        return f"a player's clock showed {utc_date(late)} already" if said.time < late else ""

    def apply(self, standing: Standing, notice: Notice, said: SetClock, turn: int) -> Standing:
        calendar = standing.calendar
        if notice.writer != REFEREE:
            clocks = {**calendar.clocks, notice.seat: said.time}
            return replace(standing, calendar=replace(calendar, clocks=clocks))
        calendar = replace(calendar, clocks={}, set_back=turn, earliest=said.time)
        return replace(standing, calendar=calendar)

    def tell(self, notice: Notice, said: SetClock, names: Mapping[str, str]) -> str:
        when = utc_date(said.time)
        if notice.writer == REFEREE:
            return f"the game goes back to the right time: it is {when}"
        return f"{who(notice, names)} says that the date of the last turn is wrong: it is {when}"


def _why_unreadable(rule: str) -> str:
    try:
        right = read_rule(rule).words if rule else ""
    except ValueError as error:
        return f"the rule cannot be read: {str(error).partition(': ')[0]}"
    return "" if right == rule else f"the rule must be written in its standard form: {right}"


def next_code(standing: Standing, audit: bytes, seat: str) -> bytes:
    """Compute the code in the invite for the next player of this seat: that of its present door, if
    nobody has used it yet. `audit` is the X25519 secret that `final` opens."""
    made = standing.doors_made.get(seat, 0)
    number = made if seat in standing.doors else made + 1
    return invite_code(audit, standing.charter.table, seat, number)


# ---- which notices count, and what they change

SignedNotice = Record[Notice]
FindNotice = Callable[[bytes], SignedNotice]
"""Finds the notice with this id. Raises RecordError if it is not here."""

_KINDS: Final[tuple[type[Rule[Any]], ...]] = (
    ConcedeRule, LeaveRule, VoteRule, SetDoorRule, TakeInRule, NewKeyRule, VouchRule, AwayRule,
    DelayRule, SetDeadlineRule, SetClockRule, HandOverRule,
)  # fmt: skip
RULES: Final[dict[str, Rule[Any]]] = {kind.saying.about: kind() for kind in _KINDS}
"""What each kind of notice does, by its name."""


def no_notice(wanted: bytes) -> SignedNotice:
    """Find no notice, in a game without notices. Raises RecordError `parent`."""
    raise RecordError("parent", f"the notice {wanted.hex()[:6]} is not here")


def in_order(standing: Standing, records: Iterable[SignedNotice]) -> list[SignedNotice]:
    """Sort notices into the order in which they are applied: those that recovery keys signed, those
    of seats, the referee's; each by turn, number, seat and id."""

    def place(record: SignedNotice) -> tuple[bool, bool, int, int, str, bytes]:
        notice = record.content
        later = not is_recovery(standing, notice.seat, record.signed.key)
        return not notice.seat, later, *notice.rank, notice.seat, record.id

    return sorted(records, key=place)


def is_recovery(standing: Standing, writer: str, key: bytes) -> bool:
    """Return whether this is the recovery key of this seat."""
    join = standing.roster.get(writer)
    return join is not None and key == join.recovery


def numbered_with(standing: Standing, writer: str, key: bytes) -> str:
    """Return with whose numbers a notice is counted: the writer's, the deputy's, or the recovery
    key's, so that a thief of a seat's key cannot use them up."""
    if is_recovery(standing, writer, key):
        return f"{writer} recovery"
    return "deputy" if key == standing.charter.deputy_key else writer


def why_not(standing: Standing, record: SignedNotice, heads: Sequence[bytes]) -> str:
    """Say why a notice cannot count for the turn after these heads; empty if it can."""
    notice = record.content
    rule, said = RULES[notice.about], notice.saying
    if standing.announced(record.id):
        early = "it cannot take effect yet"
        return "" if record.id in {wait.id for wait in standing.due} else early
    if notice.turn >= len(heads) or notice.prev != heads[notice.turn]:
        return "it was written after a turn that is not in this game"
    if rule.at_once and notice.turn < len(heads) - 1:
        return f"turn {notice.turn + 1} was made without it, so it must be signed again"
    if record.signed.key not in rule.signers(standing, notice, said):
        return rule.why_not_signed(standing, notice, record.signed.key)
    who = numbered_with(standing, notice.writer, record.signed.key)
    if notice.rank <= standing.ranks.get(who, (0, 0)):
        return "a turn lists a later notice of the same writer"
    return rule.why_not(standing, notice, said)


def after_notice(standing: Standing, record: SignedNotice, turn: int) -> Standing:
    """Return the standing after this turn has listed a notice that counts.

    A notice that announces something which can be cancelled is listed again when it takes effect.
    """
    notice, said, before = record.content, record.content.saying, standing.present
    rule, waited = RULES[notice.about], any(one.id == record.id for one in standing.listed)
    wait = None if waited else rule.wait(standing, notice, said)
    told = f"{wait.told}, unless somebody cancels it" if wait else rule.told(standing, notice, said)
    seat = "" if wait else rule.shows(notice, said)
    who = numbered_with(standing, notice.writer, record.signed.key)
    recovery = is_recovery(standing, notice.seat, record.signed.key)
    one = Counted(turn, record.id, notice.writer, notice.about, seat, told, recovery)
    after = replace(
        standing,
        ranks={**standing.ranks} | ({} if waited else {who: notice.rank}),
        listed=(*standing.listed, one),
        shown=standing.shown | ({seat} - {""}),
        waits=tuple(other for other in standing.waits if other.id != record.id or not other.id),
    )
    if wait:
        wait = wait._replace(id=record.id, turn=turn)
        return replace(after, waits=(*after.waits, wait))
    after = rule.apply(after, notice, said, turn)
    if notice.seat:
        after = after.cancelled(notice.seat, notice.turn, recovery)
    after = replace(after, waits=tuple(w for w in after.waits if w.seat not in after.gone))
    return after.lapse(turn) if before - after.present else after


def is_about_seats(standing: Standing, record: SignedNotice) -> bool:
    """Return whether somebody has each seat that a notice names; readers refuse any other."""
    notice = record.content
    return {notice.seat, getattr(notice.saying, "seat", "")} - {""} <= standing.roster.keys()


def standing_after(
    standing: Standing, listed: Iterable[tuple[int, bytes]], find: FindNotice
) -> Standing:
    """Return the standing after these notices, as the turns list them. Raises RecordError."""
    for turn, ident in listed:
        standing = after_notice(standing, find(ident), turn)
    return standing


def all_counted(
    standing: Standing, records: Iterable[SignedNotice], turn: int, acts: Acts = ()
) -> Standing:
    """Return the standing after a turn has listed these notices, which may end the game; `acts` are
    the orders that it lists if it goes on."""
    for record in in_order(standing, records):
        standing = after_notice(standing, record, turn)
    return standing.with_agreed_end(turn, acts)


MOST_PRESSED: Final = 6
"""For how many turns a round the notices of one seat are reason enough."""


def is_pressing(before: Standing, after: Standing) -> bool:
    """Return whether new notices alone are a reason to make a turn.

    They are if somebody cannot go on without them, if they change the deadline or end the game, or
    announce what can be cancelled, or if the last player who was there leaves: then others can take
    over the open seats. A seat can bring about only a few such turns in each round, and its
    recovery key as many.
    """
    if after.ended or after.deputy_since != before.deputy_since:
        return True
    writers = {one.presses for one in after.listed[len(before.listed) :]}
    if writers and all(before.pressed.get(who, 0) >= MOST_PRESSED for who in writers):
        return False
    old, new = before.calendar, after.calendar
    left = {seat for seat, why in after.gone.items() if why == "open"} - before.gone.keys()
    return (
        after.since != before.since
        or bool(left and not after.present)
        or bool({(w.id, w.result) for w in after.waits} - {(w.id, w.result) for w in before.waits})
        or (old.put_off, old.changed, old.set_back) != (new.put_off, new.changed, new.set_back)
    )


FOR_SEATS: Final = MOST_LISTED - 16
"""How many notices of seats a turn lists at most, so that there is always room for the referee's.
Each seat, and each recovery key, has its share; its other notices wait for the next turn."""


def sorted_out(
    standing: Standing, records: Iterable[SignedNotice], heads: Sequence[bytes]
) -> tuple[list[SignedNotice], list[tuple[SignedNotice, str]]]:
    """Split the notices that no turn lists: those that count now, and the others with reasons."""
    good, others = list[SignedNotice](), list[tuple[SignedNotice, str]]()
    count, most = Counter[str](), max(1, FOR_SEATS // (2 * len(standing.roster) or 1))
    for record in in_order(standing, records):
        who = numbered_with(standing, record.content.writer, record.signed.key)
        if reason := why_not(standing, record, heads):
            others.append((record, reason))
        elif len(good) < MOST_LISTED and (count[who] < most or not record.content.seat):
            good.append(record)
            count[who] += 1
            standing = after_notice(standing, record, len(heads))
    return good, others


def row_of(record: SignedNotice) -> ListedNotice:
    """Return the row with which a turn lists a notice."""
    return ListedNotice(record.id, record.content.about, record.content.seat)


def after_turn(
    standing: Standing, turn: Turn, find: FindNotice, heads: Sequence[bytes], acts: Acts = ()
) -> Standing:
    """Return the standing after the notices that a turn lists; `heads` are those before it, `acts`
    the orders that it lists (see `acts_of`).

    Raises RecordError `rule` for a notice that cannot count, `parent` for a missing one.
    """
    rows, before = {row.id: row for row in turn.notices}, standing
    records = in_order(standing, (find(wanted) for wanted in rows))
    for record in records:
        if row_of(record) != rows[record.id]:
            raise RecordError("rule", f"{_named(record)} is listed with the wrong kind or seat")
        if reason := why_not(standing, record, heads):
            if reason == RULES[record.content.about].missing(standing, record.content.saying):
                raise RecordError("parent", reason)
            raise RecordError("rule", f"{_named(record)} cannot count: {reason}")
        standing = after_notice(standing, record, len(heads))
    after = all_counted(before, records, len(heads), acts) if turn.turn > 1 else before
    for wait in () if after.ended else must_count(standing.due, acts):
        told = f"notices: {wait.id.hex()[:6]} ({wait.about}) must take effect in this turn"
        raise RecordError("rule", told)
    return after


def must_count(due: Iterable[Wait], acts: Acts) -> list[Wait]:
    """Return the acts that the turn must list again, because none of these orders cancels them."""
    again = [wait for wait in due if wait.id]
    return [wait for wait in again if wait.disputed or not wait.is_cancelled_by(acts)]


def check_needed(record: Record[Turn], standing: Standing) -> None:
    """Check that the referee of that time signed the turn, and that something happens in it. Raises
    RecordError `key`, `rule`."""
    turn = record.content
    if record.signed.key != standing.referee_key:
        told = f"turn {turn.turn} is not signed by {standing.referee_name}"
        raise RecordError("key", f"{told}, who was the referee at that time")
    if not (turn.log or turn.notices or standing.ended):
        raise RecordError("rule", "log: nothing happens in this turn, so the file cannot be a turn")


def _named(record: SignedNotice) -> str:
    return f"notices: {record.id.hex()[:6]} ({record.content.about})"
