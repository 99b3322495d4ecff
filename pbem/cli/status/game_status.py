"""Find out the state of a game: who is ready, who is late, what is unanswered, what comes next."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pbem.cli.session.lost_keys import bring_back, lost_lines
from pbem.cli.session.mail_hints import unsent
from pbem.cli.session.missing_turns import need_seen
from pbem.cli.session.seen_on_this_machine import check_damage, note_arrivals, note_turns
from pbem.cli.status.advance_readiness import Readiness
from pbem.cli.status.before_turn_one import BeforeTurnOne
from pbem.cli.status.my_orders import open_now
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.press.messages_here import MessagesHere
    from pbem.cli.session.session import Session
    from pbem.play.view import View
    from pbem.records.charter_join_orders import FinalRecord
    from pbem.records.read_record import Record


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
    if session.roles.referee:
        note_arrivals(session.mine, session.game_folder)
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
        from pbem.play.orders.standing_report import answers_everything

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
        from pbem.drafts.write.rest_of_round import silent_so_far
        from pbem.play.orders.absence import waits_for_round

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
        from pbem.format.errors import RecordError

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
        from pbem.cli.press.messages_here import MessagesHere

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
            from pbem.text.dates import local_date

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
        from pbem.screen.tell_entries import listed

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
