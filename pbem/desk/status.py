"""The state of a game for the person here: who is ready, what is unanswered, what comes next."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pbem.desk.base import now, say
from pbem.desk.deadlines import Due, away_lines, calendar_lines, due_of, reminder
from pbem.desk.game_here import (
    bring_back,
    check_damage,
    gone_joins,
    join_warnings,
    keep_joins,
    let_in,
    lost_lines,
    need_seen,
    note_turns,
    own_joins,
    watching,
    words_line,
)
from pbem.desk.my_orders import (
    answered_for_good,
    changed_draft,
    newest,
    open_now,
    standing_data,
    standing_lines,
)
from pbem.desk.notices import lines_on_theft, open_lines, waiting_lines
from pbem.desk.press import MessagesHere, how_many_new
from pbem.desk.send import agreement_lines, waits_data
from pbem.desk.session import Session, unsent, unwritten_letters
from pbem.drafts.offers import may_come, silent_so_far
from pbem.errors import CliError, PbemError
from pbem.files.folder import turn_path
from pbem.format.canonical import RecordError
from pbem.format.keys import is_encrypted
from pbem.game.absence import waits_for_round
from pbem.game.deadlines import CHANGE_OF_MIND, change_of_mind, other_zone_data
from pbem.game.view import View, answers_everything
from pbem.records.charter import FinalRecord, Join
from pbem.records.read_record import Record
from pbem.records.schema import near_the_last_turn
from pbem.records.words import words_of
from pbem.screen.errors import FewOfMany
from pbem.screen.scores import play_again, score_lines
from pbem.screen.tell import Teller, as_rows, listed
from pbem.screen.terminal import clean
from pbem.text.dates import local_date, moment, odd_time, span

if TYPE_CHECKING:
    from pbem.game.referee import Outcome

# ---- Find out for `status` and `list` whether `advance` would make something now
#
# `status` and `list` try `advance` without writing. If the referee's key has a passphrase, they
# only look at the sealed orders and the deadline.

LACKING = "pbem advance says what is missing"


def leaves_open(name: str, seat: str) -> str:
    """Write a note that tells the referee that a seat's orders leave questions open."""
    told = f"the orders of {seat} {clean(name)} leave a question unanswered"
    return f"note: {told}: tell that player"


class Readiness:
    """Finds out whether the referee can make the next turn; only for the referee's session."""

    def __init__(
        self, session: Session, view: View | None = None, sealed: Collection[str] = ()
    ) -> None:
        self.session, self.view, self.sealed = session, view, sealed

    @property
    def ready(self) -> bool:
        """Whether `advance` would write something now."""
        view = self.view
        if view is not None and view.over:
            return self.session.listing.final is None
        if not self._worth_asking():
            return False  # this can be seen without making the whole game again
        outcome = self._outcome()
        return self._writes(outcome) if outcome else view is not None

    @property
    def sure(self) -> bool:
        """Whether it is certain that `advance` would write something, because it was tried."""
        outcome = self._outcome() if self.ready else None
        return bool(outcome and self._writes(outcome))

    def _writes(self, outcome: Outcome) -> bool:
        """Whether `advance` would write this, and not say that the clock seems wrong."""
        return bool(outcome.write) and self.session.refereeing.doubt(outcome) is None

    @property
    def doubt(self) -> CliError | None:
        """Why `advance` would not write the turn that it can make: its date seems wrong."""
        outcome = self._outcome() if self._worth_asking() else None
        return self.session.refereeing.doubt(outcome) if outcome else None

    @property
    def held_until(self) -> int:
        """When the turn will be made, if all have answered but may still change their orders; else
        0."""
        view = self.view
        if view is None or view.over or not self._worth_asking():
            return 0
        outcome = self._outcome()
        return outcome.held_until if outcome else 0

    @property
    def left_open(self) -> list[str]:
        """Seats whose sealed orders do not answer what they are asked."""
        view = self.view
        if view is None or view.over or view.preview or not set(view.awaited) & {*self.sealed}:
            return []
        outcome = self._outcome()
        return list(outcome.left_open) if outcome else []

    @property
    def answered(self) -> list[str]:
        """Seats whose orders answer every question that they are asked, as far as pbem can see."""
        view = self.view
        if view is None or view.over or view.preview:
            return []
        if not set(view.awaited) & set(view.accepted) - {*self.sealed}:
            return []  # only those who sealed something new can have answered
        outcome = self._outcome()
        return list(outcome.answered) if outcome else []

    def waits(self) -> str:
        """Return the names of the players that the next turn waits for."""
        view = self.view
        if view is None:
            return self._waits_to_begin()
        missing = [seat for seat in self._missing(view) if seat not in self.answered]
        missing = sorted({*missing, *self.left_open})
        if self.held_until:
            until = local_date(self.held_until)
            return f"everyone has sealed orders; next: pbem advance, after {until}"
        if not missing:
            return f"everyone has sealed orders; {LACKING}"
        return f"the game is waiting for {', '.join(clean(view.names[seat]) for seat in missing)}"

    def _worth_asking(self) -> bool:
        view = self.view
        late = not view or 0 < view.deadline <= now()
        if late or not view or not self._missing(view):
            return True
        # some notices are not listed yet, or what one announced takes effect now
        return len(self.session.listing.notices) > len(view.notices) or self._due()

    def _due(self) -> bool:
        """Return whether something that a turn announced would take effect in a turn made now."""
        if not self.session.listing.notices:
            return False
        from pbem.desk.notices import standing_now

        return bool(standing_now(self.session).due)

    def _missing(self, view: View) -> list[str]:
        away = view.away.keys() - {*self.sealed}
        return sorted(set(view.awaited) - {*self.sealed} - set(view.plays) - away)

    def _outcome(self) -> Outcome | None:
        """Return what `advance` would do; None if it cannot run or fails."""
        session = self.session
        try:
            locked = is_encrypted(session.home.read_key(session.roles.referee))
            return None if locked and not session.roles.held else session.refereeing.outlook
        except PbemError:
            return None

    def _waits_to_begin(self) -> str:
        taken = {join.content.seat for join in self.session.game_folder.joins().values()}
        charter = self.session.game_folder.charter.content
        here = taken | set(charter.plays)
        free = [clean(plan.name) for plan in charter.seats if plan.seat not in here]
        return f"the game is waiting for {', '.join(free)} to join" if free else LACKING


# ---- The state of a game that has not begun: who has joined each seat, and what comes next

MOST_JOINS = 4
"""The most joins that are named for one seat."""


class BeforeTurnOne:
    """The state of a game that waits for its first turn."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.charter = session.game_folder.charter.content
        self.readiness = Readiness(session)
        if session.roles.referee:
            keep_joins(session.here)

    @cached_property
    def lost(self) -> list[str]:
        """Sentences on keys that are missing on this computer."""
        return lost_lines(self.session.here)

    @cached_property
    def warnings(self) -> list[str]:
        """A sentence for each thing that is wrong with your keys and joins."""
        return [*self.lost, *join_warnings(self.session.here)]

    @property
    def next(self) -> str:
        """The next command to type."""
        mine = self.session.roles
        if self.lost and not (mine.seats or mine.referee):
            return bring_back(self.session.here)
        if mine.referee:
            return "pbem advance"
        waits = "wait for the referee to begin" if mine.seats else "pbem join --invite …"
        if gone_joins(self.session.here):
            waits = "pbem join --invite …, with the same invite: this puts your join back"
        return next((hint for seat in mine.seats if (hint := unsent(self.session, seat))), waits)

    def lines(self) -> list[str]:
        """Return the lines that `status` prints."""
        charter = self.charter
        lines = [f"{clean(charter.title)} ({charter.ruleset}): not begun yet"]
        for plan in charter.seats:
            lines.append(f"  {plan.seat} {clean(plan.name)}: {self._joined(plan.seat)}")
            lines += [f"    {words_line(record)}" for record in self._to_compare(plan.seat)]
        if self.session.roles.referee:
            from pbem.desk.start import deputy_lines

            lines += deputy_lines(charter)
        return [*lines, *self.warnings, f"next: {self.next}"]

    def _to_compare(self, seat: str) -> list[Record[Join]]:
        """Return the joins of a seat that you may want to compare by phone: as the referee those of
        the players, else your own."""
        if self.session.roles.referee:
            held = seat in self.charter.plays or seat in self.charter.by_mail
            return [] if held else let_in(self.session.here, seat)[:MOST_JOINS]
        mine = own_joins(self.session.here).values()
        return [record for record in mine if record.content.seat == seat]

    def data(self) -> dict[str, Any]:
        """Return the data that `status --json` prints."""
        mine = set(self.session.keyring.publics.values())
        seats = {
            plan.seat: {
                "name": plan.name,
                "joins": [
                    {
                        "name": r.content.name,
                        "id": r.id.hex(),
                        "words": words_of(r.id),
                        "yours": r.content.key in mine,
                    }
                    for r in let_in(self.session.here, plan.seat)
                ],
            }
            for plan in self.charter.seats
        }
        game = self.session.game_folder.game.hex()
        return {"game": game, "title": self.charter.title, "turn": 0, "seats": seats}

    def _joined(self, seat: str) -> str:
        """Say whether the seat is taken, and who joined for it."""
        found = let_in(self.session.here, seat)
        if not found:
            return "the referee plays it" if seat in self.charter.plays else "empty"
        mine = set(self.session.keyring.publics.values())
        people = [
            f"{clean(r.content.name)} ({'yours, ' * (r.content.key in mine)}{r.id.hex()[:6]})"
            for r in found[:MOST_JOINS]
        ]
        more = f" and {len(found) - MOST_JOINS} more" if len(found) > MOST_JOINS else ""
        if seat in self.charter.by_mail:
            return "answers by plain email; the referee has the key and signs the orders"
        if len(found) == 1:
            return f"joined by {people[0]} with the invite"
        told = "if several people have the invite, the referee asks which join is right"
        return f"joined by {', '.join(people)}{more}; {told}"


# ---- The state of a game: who is ready, who is late, what is unanswered, what is next


def read_status(session: Session) -> GameStatus | BeforeTurnOne:
    """Return the state of the game in the folder, for you. Raises NoGameError, FileError,
    CliError."""
    if not session.listing.turns and not _is_asked_first(session):
        check_damage(session.mine, session.game_folder)
        need_seen(session.here)
        session.mine.remember_place(session.place)
        note_turns(session.mine, [])
        return BeforeTurnOne(session)
    return status_of(session, session.view())


def status_of(session: Session, view: View) -> GameStatus:
    """Return the state of a game from a view of it, and note what this machine saw. Raises
    FileError."""
    status = GameStatus(session, view)
    if not view.preview:
        note_turns(session.mine, view.times)
    return status


def _is_asked_first(session: Session) -> bool:
    """Return whether turn 1 is not published yet, but already asks a seat that you play as the
    referee."""
    if not session.roles.held or not session.seat:
        return False
    return session.refereeing.outlook.preview is not None


class GameStatus:
    """The state of a game that has begun, from one viewpoint."""

    def __init__(self, session: Session, view: View) -> None:
        self.session = session
        self.view = view
        self.sealed = sealed_seats(session, view)
        self.readiness = Readiness(session, view, self.sealed)
        """For the referee: whether the next turn can be made."""

    # -------------------------------------------------------------- seats
    def readiness_of(self, seat: str) -> str:
        """Return the word that `status` shows for a seat: MISSING, DRAFT, SEALED, ACCEPTED,
        DEFAULTED, STANDING, ABSENT, IDLE, OPEN, CONCEDED, REMOVED, or - if the seat is not
        asked."""
        view = self.view
        if seat in self.sealed:
            return "SEALED"
        if seat in view.away:
            return "DRAFT" if seat == view.seat and self._has_draft() else view.away[seat].upper()
        if seat in view.silent and seat not in view.awaited:
            return "DEFAULTED"
        if seat not in view.awaited:
            return "ACCEPTED" if view.accepted.get(seat) == view.turn else "-"
        if seat == view.seat and self._has_draft():
            return "DRAFT"
        return "STANDING" if seat in self.answered else "MISSING"

    @cached_property
    def answered(self) -> set[str]:
        """Seats whose orders answer every question that they are asked, as far as you can know."""
        view, found = self.view, set[str]()
        if view.over or view.preview:
            return found
        if self.session.roles.referee:
            found |= {*self.readiness.answered}
        if view.seat in view.awaited and answers_everything(view):
            found.add(view.seat)
        return found - self.sealed

    def _has_draft(self) -> bool:
        view = self.view
        return self.session.home.game(view.game).draft(view.turn, view.seat).exists()

    @cached_property
    def late(self) -> list[str]:
        """Seats that the game waits for: they are asked but, as far as you can see, have not
        answered."""
        view = self.view
        if view.preview:
            return [seat for seat in view.first if seat not in view.bots]
        mine = {view.seat} if self.open_kinds else set[str]()
        open_ = mine | {*self.left_open}
        asked = sorted(view.awaited.keys() - view.away.keys() - self.answered)
        return [s for s in asked if s not in self.sealed or s in open_]

    @property
    def can_publish(self) -> bool:
        """Whether `advance` would publish the turn that only the referee sees so far."""
        return self.view.preview and not self.late

    @cached_property
    def unheard(self) -> list[str]:
        """Seats that are not asked yet, although the game waits for their orders for the whole
        round."""
        view, charter = self.view, self.session.game_folder.charter.content
        if view.over or view.preview or not waits_for_round(charter):
            return []
        return list(silent_so_far(view, self.sealed))

    @cached_property
    def open_kinds(self) -> list[str]:
        """The questions that your orders leave unanswered, if they were sealed on this computer."""
        view = self.view
        if view.seat not in self.sealed:
            return []
        if view.seat in view.first:  # the turn was made again, or the orders did not answer it
            return view.awaited.get(view.seat, [])
        return open_now(self.session, view)

    @cached_property
    def left_open(self) -> list[str]:
        """For the referee: seats whose sealed orders do not answer what they are asked."""
        return self.readiness.left_open if self.session.roles.referee else []

    @cached_property
    def held_until(self) -> int:
        """For the referee: when the turn will be made, if players may still change their orders; or
        0."""
        return self.readiness.held_until if self.session.roles.referee else 0

    # -------------------------------------------------------------- the game
    @cached_property
    def final(self) -> Record[FinalRecord] | None:
        """The final record, if the referee signed it and it is in the folder."""
        if self.session.listing.final is None:
            return None
        try:
            return self.session.game_folder.final()
        except RecordError:
            return None

    @cached_property
    def new_messages(self) -> int:
        """The number of messages of others that you have not seen yet."""
        return len(self.press.unread())

    @cached_property
    def press(self) -> MessagesHere:
        """The messages in the folder of this game."""
        return MessagesHere(self.session, self.view)

    @cached_property
    def lost(self) -> list[str]:
        """Sentences on keys that are missing on this computer."""
        return lost_lines(self.session.here)

    @property
    def referee(self) -> str:
        """What to call the person who makes turns: their role, because they may also have a
        seat."""
        return f"the referee, {clean(self.view.referee)}"

    # -------------------------------------------------------------- what comes next
    @property
    def next(self) -> str:
        """The next command to type."""
        view, referee = self.view, bool(self.session.roles.referee)
        if view.over:
            there = self.final is not None
            return "pbem audit" if there or not referee else "pbem advance (writes final.toml)"
        if self.lost and not view.seat:
            return bring_back(self.session.here)
        if hint := self._next_orders():
            return hint
        if not referee:
            return f"wait for {self._people()}"
        if (self.late or self.unheard) and not self.readiness.ready:
            return f"wait for {self._people()}, then pbem advance"
        if self.held_until:
            return f"pbem advance, after {local_date(self.held_until)}"
        return "pbem advance"

    def _next_orders(self) -> str:
        """Return the next step for your orders; empty if there is none."""
        view = self.view
        if view.away.get(view.seat) in ("conceded", "removed"):
            return ""
        asked = view.seat in view.awaited or view.seat in view.away
        ready = self.readiness_of(view.seat) if asked else "-"
        if ready == "DRAFT":
            return "pbem check, then pbem submit (or pbem orders --edit)"
        due = ready in ("MISSING", "ABSENT", "IDLE", "OPEN") or view.seat in self.unheard
        if due or self.open_kinds:
            return "pbem orders --edit, then pbem submit"
        return unsent(self.session, view.seat)

    def _people(self) -> str:
        """Return the names of the players that the game waits for."""
        seats = [*self.late, *self.unheard]
        return listed(clean(self.view.names[seat]) for seat in seats) or self.referee


def sealed_seats(session: Session, view: View) -> set[str]:
    """Return seats whose orders for the open questions are in the folder, signed and in the right
    place."""
    held = session.roles.held if view.preview else ()  # turn 1 will name their keys
    keys = {**session.here.seat_keys(), **{seat: session.me.public_of(seat) for seat in held}}
    done = set[str]()
    for found in session.listing.orders:
        seat = found.name.seat
        turn, since = found.name.turn, view.turn if seat in view.plays else view.asked_by
        if not since <= turn <= view.turn or seat not in keys or seat in done:
            continue  # one order file for each seat is enough, so the others are not verified
        for record in session.game_folder.orders_signed_by(found, keys[seat]):
            if record.content.prev.hex() == view.heads[turn - (seat in view.plays)]:
                done.add(seat)
    return done


# ---- Write warnings about a game that has begun: ignored orders or joins, lost keys, odd dates

DAY = 86_400
MOST = 3
"""The most orders that are named in a warning; the newest are named."""
WHY = {
    "late": "came too late",
    "forked": "answer a turn that differs from the one in this game",
    "unopenable": "could not be opened",
}


def warnings(status: GameStatus) -> list[str]:
    """Return a sentence for each thing that is wrong."""
    session, view = status.session, status.view
    lines = [
        f"your orders {order[:6]} were refused: {clean(line)}: {clean(why)}"
        for order, line, why in view.refused
    ]
    lines += [*_passed_over(session, view), *_opened_early(status), *_odd_times(session, view)]
    lines += [*_other_zone_data(view), *_unsealed(session, view)]
    if session.roles.referee and not view.over and (doubt := status.readiness.doubt):
        lines.append(f"pbem advance will not make the next turn: {doubt}; {doubt.hint}")
    if not view.over and (near := near_the_last_turn(view.turn)):
        lines.append(near)
    lines += lines_on_theft(session, view)
    return [*lines, *(_not_taken(session, view) or _no_key(status))]


# ------------------------------------------------------------------ orders
def _passed_over(session: Session, view: View) -> list[str]:
    """Return sentences on your orders that the last turn refused, or that came too late."""
    if view.seat in view.plays:
        return []  # a referee who plays is never late; only older revisions are listed as late
    lines = [
        f"your orders {order[:6]} do not count: they {WHY.get(reason, reason)} "
        f"(turn {view.turn} refused them)"
        for order, reason in view.passed_over[:MOST]
    ]
    return lines + _unlisted(session, view)


def _unsealed(session: Session, view: View) -> list[str]:
    """Say that your draft has changes that you did not seal, while you can still seal them."""
    if not view.seat or view.over or view.seat not in view.awaited:
        return []
    record = newest(session, view)
    draft = changed_draft(session, record.id.hex()) if record else ""
    if record is None or not draft or answered_for_good(session, view):
        return []
    told = f"your draft {draft} was changed after you sealed it, and the changes are not sealed"
    return [f"{told}: your orders {record.id.hex()[:6]} still count, until you type pbem submit"]


def _unlisted(session: Session, view: View) -> list[str]:
    """Return sentences on those of your earlier orders that no turn lists."""
    if not view.seat or view.over:
        return []
    key, lines, listed = session.me.public_of(view.seat), list[str](), set(view.listed)
    mine = [
        found
        for found in session.listing.orders
        if (found.name.seat, found.name.digits in listed) == (view.seat, False)
        and found.name.turn < view.published
    ]
    for found in sorted(mine, key=lambda f: (f.name.turn, f.name.revision), reverse=True)[:MOST]:
        for record in session.game_folder.orders_signed_by(found, key):
            turn, digits = record.content.turn, record.id.hex()[:6]
            maker = clean(session.game_folder.maker(turn + 1).name)
            told = f"{maker} had made turn {turn + 1} without them"
            lines.append(f"your orders {digits} for turn {turn} came too late: {told}")
    return lines


# ------------------------------------------------------------------ the referee
def _opened_early(status: GameStatus) -> list[str]:
    """Report that the final secrets are public although the game is still going on."""
    view = status.view
    final = None if view.over else status.final
    if final is None:
        return []
    if final.content.turn > view.turn + 1:  # the folder is half synced
        return [f"final.toml is here, but turn {view.turn + 1} is not; let the folder sync"]
    told = "is here, but the game is not over: every hand and every order can be read"
    return [f"final.toml {told}; phone {clean(view.referee)}, and see pbem audit"]


def _odd_times(session: Session, view: View) -> list[str]:
    """Report dates of the last two turns that do not fit this machine's clock."""
    times = session.mine.sightings.odd() if view.deadline or view.silent else []
    maker, ahead = session.game_folder.maker, _dated_ahead(view)
    lines = [
        odd_time(one.turn, one.seconds, one.when, clean(maker(one.turn).name))
        for one in times
        if one.turn >= view.turn - 1
        and not session.roles.referee
        and not (ahead and one.turn == view.turn)
    ]
    return [*lines, *ahead]


def _dated_ahead(view: View) -> list[str]:
    """Say how to go on if the last turn is dated far in the future."""
    ahead = (0 if view.over else view.times[-1]) - now()
    if ahead < DAY:
        return []
    told = f"turn {view.turn} is dated {span(ahead)} in the future, and so are the deadlines"
    cure = "if your clock is right, type pbem notice clock; when half of the players have done so, "
    cure += "the referee does the same, and the next turn is dated correctly"
    return [f"{told}: {cure}"]


def _other_zone_data(view: View) -> list[str]:
    """Say that this machine's time zone data gives a different deadline from the turn's."""
    if len(view.ends) > 1 and view.ends[-1] == view.ends[-2]:
        return []  # this turn only lists notices, so it keeps the deadline of the turn before
    return other_zone_data(view.policies, view.table.pending, view.times[-1], view.deadline)


# ------------------------------------------------------------------ keys and joins
def _not_taken(session: Session, view: View) -> list[str]:
    """Report your joins that were not accepted, and who has the seat instead, if anybody."""
    if view.seat in view.accepted:
        return []  # a person who has played already knows this
    return join_warnings(session.here)


def _no_key(status: GameStatus) -> list[str]:
    """Report that your key is missing, or that you can only watch."""
    view, roles = status.view, status.session.roles
    if view.over or view.seat or roles.seats or roles.referee:
        return status.lost
    return status.lost or [watching(status.session.here)]


# ---- Write notes on files in the folder that pbem ignores; commands still run

TELLING = ("copy", "case", "link")
"""Kinds of stray files in which there may be a record that somebody needs."""


def say_notes(session: Session) -> None:
    """Print the notes on ignored files on standard error."""
    for note in notes(session):
        say(note)


def notes(session: Session, made: Collection[str] = ()) -> list[str]:
    """Return a note on each damaged file, misplaced file and conflict copy.

    ``made`` are paths that were written since the listing: they get no note.
    """
    few, ignored = FewOfMany(), list[str]()
    for fault in session.game_folder.faults:
        if fault.path not in made and few.shows(fault.path, fault.reason, fault.sentence):
            ignored.append(f"{fault.path} does not count: {fault.sentence}")
    for litter in session.listing.litter:
        if litter.kind in TELLING and few.shows(litter.path, litter.kind, litter.why):
            ignored.append(f"{litter.path} is not read: {litter.why}")
    missing = [
        f"{turn_path(gap)} is missing, but later turns are here: you see the game as it was "
        "before that turn"
        for gap in session.gaps[:1]
    ]
    rest = few.rest("pbem doctor --json")
    return [f"note: {clean(text)}" for text in (*missing, *ignored, *rest)]


# ---- Write the lines that `status` prints


class StatusLines:
    """Writes the lines about a game that has begun."""

    def __init__(self, status: GameStatus) -> None:
        self.status, self.session, self.view = status, status.session, status.view

    def all(self) -> list[str]:
        """Return all lines: the turn, each seat, warnings, your questions, the deadline, the next
        command."""
        view = self.view
        lines = [f"{clean(view.title)} ({view.ruleset}), turn {view.turn}{self._stage()}"]
        lines += [*self._head(), *self._seats(), *self._result(), *warnings(self.status)]
        lines += standing_lines(view)
        lines += [*self._asked(), *self._ahead(), *self._whole_round(), *self.deadline()]
        lines += [*away_lines(view, self.status.sealed), *calendar_lines(view)]
        lines += agreement_lines(self.session, view)
        lines += [leaves_open(view.names[seat], seat) for seat in self.status.left_open]
        lines += [*waiting_lines(self.session, view), *open_lines(self.session, view)]
        lines += [*self._reminder(), *unwritten_letters(self.session)]
        lines += how_many_new(self.status.new_messages)
        if view.over:
            lines.append(play_again(self.session.place))
        return [*lines, f"next: {self.status.next}"]

    # -------------------------------------------------------------- the game
    def _stage(self) -> str:
        if self.view.over:
            return ": the game is over"
        return ": not published yet" if self.view.preview else ""

    def _head(self) -> list[str]:
        view = self.view
        if not view.published:
            return []
        words = " ".join(words_of(bytes.fromhex(view.published_head)))
        return [f"head {view.published}:{view.published_head[:6]}  {words}"]

    def _seats(self) -> list[str]:
        view, lines = self.view, []
        for seat, name in sorted(view.names.items()) if not view.over else ():
            asked = f", asked for {', '.join(view.awaited[seat])}" if seat in view.awaited else ""
            me = " (you)" if seat == view.seat else ""
            me += " (by email)" if seat in view.by_mail else ""
            lines.append(f"  {seat} {clean(name)}{me}: {self.status.readiness_of(seat)}{asked}")
        return lines

    def _result(self) -> list[str]:
        """Return the winner and the scores, once the game is over."""
        return [f"  {line}" for line in score_lines(self.view)] if self.view.over else []

    # -------------------------------------------------------------- your orders
    def _asked(self) -> list[str]:
        """Return the questions you are asked, and the orders you may add."""
        view = self.view
        kinds = view.play.ruleset.kinds
        asked = view.awaited.get(view.seat, [])
        if not asked:
            return []
        if told := answered_for_good(self.session, view):
            return [told]
        told = ", ".join(f"{kind} ({kinds[kind].question})" for kind in asked)
        more = [kind for kind in kinds if kind not in asked and may_come(view, kind)]
        lines = [
            f"you are asked for: {told}" + (f"; you may add: {', '.join(more)}" if more else "")
        ]
        if view.seat in self.status.answered:
            told = "the orders that you already gave answer this"
            lines.append(f"{told}: send orders only if you want something else")
        if left := self.status.open_kinds:
            told = f"your sealed orders do not answer {', '.join(left)}"
            lines.append(f"{told}, so you still have to answer")
        return lines

    def _ahead(self) -> list[str]:
        """Say that orders of a seat that you play as the referee answer a turn that is not
        published."""
        view = self.view
        if view.seat not in self.session.roles.held or view.preview or view.over:
            return []
        record = newest(self.session, view)
        if record is None or record.content.turn <= view.turn:
            return []
        turn = record.content.turn
        waits = f"they are waiting for turn {turn}, which cannot be made yet"
        told = "pbem advance publishes that turn" if self.status.readiness.ready else waits
        return [f"your orders for turn {turn} are sealed; {told}"]

    def _whole_round(self) -> list[str]:
        """Name the players who are asked only later in the round, but whose orders the game waits
        for now."""
        view = self.view
        if not (seats := self.status.unheard):
            return []
        others = listed(clean(view.names[seat]) for seat in seats if seat != view.seat)
        told = (
            "the game is also waiting for orders for this round from players who have not been "
            f"asked yet: {others}"
        )
        if view.seat not in seats:
            return [told]
        mine = "you have not been asked yet, but the game is waiting for your orders for this round"
        return [mine + (f", and for orders from {others}" if others else "")]

    # -------------------------------------------------------------- who is late
    def deadline(self) -> list[str]:
        """Return the deadline, and what will happen then if nothing changes."""
        view, late = self.view, self.status.late
        if view.over or not view.awaited:
            return []
        if view.preview:
            return [self._unpublished()]
        if not late:
            return self._all_sealed()
        who = listed(clean(view.names[seat]) for seat in late)
        if not self._due:
            return [f"there is no deadline: the game is waiting for {who}"]
        mine = self._default() if view.seat in late else ""
        least = "the least harmful choice is"
        when = f"deadline: {self._due.words}; if nothing changes, {least} then made for {who}"
        if self._due.over:
            when = f"the deadline has passed: {self._due.words}; {least} made for {who} when"
            when += f" {clean(view.referee)} makes the next turn"
        return [when + (f" (for you: {mine})" if mine else "")]

    @cached_property
    def _due(self) -> Due:
        return due_of(self.view)

    def _reminder(self) -> list[str]:
        """For the referee: say who to remind, once half of the time is over."""
        view = self.view
        if not self.session.roles.referee or view.preview or view.over:
            return []
        missing = set(view.awaited) - self.status.sealed - {*view.plays} - view.away.keys()
        missing -= self.status.answered
        late = {seat: view.awaited[seat] for seat in missing}
        return reminder(self._due, view.title, view.turn, late, view.names)

    def _all_sealed(self) -> list[str]:
        """Say what the game still waits for if everyone who is asked has sealed orders."""
        referee = bool(self.session.roles.referee)
        if self.status.unheard and not (referee and self.status.readiness.sure):
            who = listed(clean(self.view.names[seat]) for seat in self.status.unheard)
            told = f"everyone who was asked has answered; the next turn is waiting for {who}"
        elif referee and self.status.readiness.sure:
            told = "all orders are here: pbem advance makes the next turn"
        elif until := self.status.held_until:
            told = "all orders are here, and may be changed until "
            told += f"{moment(until, now())}; then pbem advance makes the next turn"
        else:
            makes = "you make" if referee else f"{self.status.referee}, makes"
            told = f"all orders are here: {makes} the next turn if they answer everything"
            told += self._change_of_mind()
        return [f"deadline: {self._due.words}; {told}" if self._due else told]

    def _change_of_mind(self) -> str:
        """Say that orders may still be changed, if the charter gives time for this."""
        policies = self.view.policies
        if not change_of_mind(policies):
            return ""
        told = f"{clean(self.view.referee)} waits {policies[CHANGE_OF_MIND]} after the last orders"
        return f"; {told}, and until then you may change yours"

    def _unpublished(self) -> str:
        """Say who must answer a turn that only the referee sees so far."""
        view, late = self.view, self.status.late
        if not late and view.seat in self.status.sealed:
            return f"your orders for turn {view.turn} are sealed; pbem advance publishes that turn"
        if not late:
            return f"turn {view.turn} needs no answer from anybody: pbem advance publishes it"
        who = listed(clean(view.names[seat]) for seat in late)
        return (
            f"turn {view.turn} will be published as soon as {who} has answered; nobody else sees "
            "it yet"
        )

    def _default(self) -> str:
        """Say what happens if you stay silent: the default answer to each question that you are
        asked."""
        view = self.view
        teller = Teller(view.play.ruleset, view.names)
        mine = [d for _, d in view.table.pending if d.seat == view.seat and d.default]
        return "; ".join(teller.order(d.default()) for d in mine if d.default)


# ---- Collect the data that `status --json` prints


def status_data(status: GameStatus | BeforeTurnOne) -> dict[str, Any]:
    """Return the state of a game, for programs."""
    if isinstance(status, BeforeTurnOne):
        told, wrong = status.data(), status.warnings
    else:
        told, wrong = _begun(status), warnings(status)
    return told | {"warnings": wrong, "notes": notes(status.session)}


def _begun(status: GameStatus) -> dict[str, Any]:
    view = status.view
    return {
        "game": view.game,
        "title": view.title,
        "ruleset": view.ruleset,
        "turn": view.turn,
        "published": view.published,
        "head": view.published_head,
        "words": words_of(bytes.fromhex(view.published_head)),
        "seat": view.seat,
        "over": view.over,
        "deadline": view.deadline,
        "grace": due_of(view).grace,
        "held_until": status.held_until,
        "seats": {
            seat: {
                "name": name,
                "ready": status.readiness_of(seat),
                "asked": view.awaited.get(seat, []),
                "away": view.away.get(seat, ""),
            }
            for seat, name in sorted(view.names.items())
        },
        "standing": standing_data(view),
        "ended": view.ended,
        "waits": waits_data(status.session, view),
        "notices": as_rows(view, range(1, view.turn + 1)),
        "new_messages": status.new_messages,
        "next": status.next,
    }
