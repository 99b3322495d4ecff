"""The situation of one person in one game: whose move it is, who is missing, what to type next.

`status`, `list`, `calendar`, notifications and the pages only render it. Of other players it knows
what everybody may know: who is asked, who has sealed orders since, and who has earlier orders. Only
the owner and the referee can know whether earlier orders answer. The referee finds out by trying
`advance` without writing; with a locked key, they know no more than a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.desk.press import MessagesHere
from pbem.drafts.offers import silent_so_far
from pbem.errors import CliError, PbemError
from pbem.files.disk import StorageError, read_if_there
from pbem.format.canonical import RecordError
from pbem.format.keys import is_encrypted
from pbem.judge.view import View, answers_everything
from pbem.person.by_mail import unsent
from pbem.person.clock_doubt import clock_doubt
from pbem.person.lost_keys import import_hint, lost_key_lines
from pbem.person.own_joins import gone_joins, join_warnings, keep_joins
from pbem.person.seen import check_damage, need_seen_turns, note_if_writable
from pbem.person.session import Session
from pbem.records.charter import FinalRecord, Orders
from pbem.records.read_record import Record
from pbem.records.turn import Turn
from pbem.screen.terminal import clean
from pbem.text.clock import now
from pbem.text.dates import local_date
from pbem.text.names import join_words

if TYPE_CHECKING:
    from pbem.desk.notices import AnnouncedLoss
    from pbem.judge.turn_inputs import Outcome

LACKING: Final = "pbem advance says what is missing"
UNLESS: Final = "unless their earlier orders already answer"
"""What is said of players about whom you cannot know this."""


def situation_of(session: Session) -> Situation | BeforeTurnOne:
    """Return your situation in the game in the folder. Raises NoGameError, FileError, CliError."""
    plays = session.roles.held and session.seat
    # before turn 1 is published, it may already ask a seat that you play as the referee
    if session.listing.turns or (plays and session.refereeing.outlook.preview):
        return in_view(session, session.view())
    check_damage(session.game_home, session.game_folder)
    need_seen_turns(session)
    session.game_home.remember_place(session.place)
    note_if_writable(session.game_home.sightings.look, [], now())
    return BeforeTurnOne(session)


def in_view(session: Session, view: View) -> Situation:
    """Return your situation from a view of the game, and note what this machine saw. Raises
    FileError."""
    situation = Situation(session, view)
    if not view.preview:
        note_if_writable(session.game_home.sightings.look, view.times, now())
    return situation


# ---- What only the referee can find out: what `advance` would do now


def _outlook(session: Session) -> Outcome | None:
    """Return what `advance` would do; None if it fails, and for anybody who cannot run it without
    typing a passphrase."""
    if not session.roles.referee:
        return None
    try:
        locked = is_encrypted(session.home.read_key(session.roles.referee))
        return None if locked and not session.roles.held else session.refereeing.outlook
    except PbemError:
        return None


def _writes(session: Session, outlook: Outcome | None) -> bool:
    if outlook is None or not outlook.write:
        return False
    return clock_doubt(session, outlook) is None


def _answered(outlook: Outcome, view: View) -> set[str]:
    records = [outlook.preview, *(record for _, record in outlook.write)]
    made = next((r.content for r in records if r and isinstance(r.content, Turn)), None)
    if outlook.unheard_seats:
        return {*view.awaited}
    if made and made.log:  # these questions are settled, and `answered` is about the next ones
        how = {entry.seat: entry.by for entry in reversed(made.log)}  # each seat's first choice
        left = {seat for seat in view.awaited if how.get(seat) in ("default", "bot")}
        return view.awaited.keys() - {*made.silent} - left
    return {*outlook.answered_seats}


class NextStep(NamedTuple):
    """What to do next: wait, type a command, or one after the other."""

    wait: str
    """What to wait for, as `wait for Bo`; empty if you need not wait."""
    command: str = ""
    """The command to type then, perhaps with a remark; empty if there is none."""

    @property
    def words(self) -> str:
        """The step as one sentence."""
        return ", then ".join(filter(None, self))


# ---- A game that has not begun


class BeforeTurnOne:
    """The situation in a game that waits for its first turn."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.charter = session.charter
        if session.roles.referee:
            keep_joins(session)

    @property
    def ready(self) -> bool:
        """For the referee: whether `advance` would begin the game now."""
        return _writes(self.session, _outlook(self.session))

    @cached_property
    def lost(self) -> list[str]:
        """Sentences on keys that are missing on this computer."""
        return lost_key_lines(self.session)

    @cached_property
    def warnings(self) -> list[str]:
        """A sentence for each thing that is wrong with your keys and joins."""
        return [*self.lost, *join_warnings(self.session)]

    @property
    def waits_for(self) -> str:
        """The names of the players who have not joined."""
        here = self.session.joined | set(self.charter.plays)
        return join_words(clean(plan.name) for plan in self.charter.seats if plan.seat not in here)

    @property
    def next(self) -> NextStep:
        """What to do next."""
        mine = self.session.roles
        if self.lost and not (mine.seats or mine.referee):
            return NextStep("", import_hint(self.session))
        if mine.referee:
            empty = self.waits_for
            return NextStep(f"wait for {empty} to join" if empty else "", "pbem advance")
        if hint := next(filter(None, (unsent(self.session, seat) for seat in mine.seats)), ""):
            return NextStep("", hint)
        if gone_joins(self.session):
            again = "pbem join --invite …, with the same invite: this puts your join back"
            return NextStep("", again)
        if mine.seats:
            return NextStep("wait for the referee to begin")
        return NextStep("", "pbem join --invite …")


ANSWER = "pbem submit --edit, or pbem play"
"""The next step of somebody who is asked."""


# ---- A game that has begun


class Situation:
    """The situation of one person in a game that has begun. Each part is computed once, when it is
    asked for."""

    def __init__(self, session: Session, view: View, *, public: bool = False) -> None:
        """Prepare to look at the game; with `public`, without what only the referee can find
        out."""
        self.session, self.view, self.public = session, view, public
        self.sealed = sealed_seats(session, view)

    # -------------------------------------------------------------- who has answered
    def word(self, seat: str) -> str:
        """Return the word for a seat: MISSING, ASKED, DRAFT, SEALED, ACCEPTED, DEFAULTED, STANDING,
        ABSENT, IDLE, OPEN, CONCEDED, REMOVED, or - if the seat is not asked."""
        view = self.view
        if seat in self.sealed:
            return "SEALED"
        draft = seat == view.seat and self.session.draft_of(view).exists()
        if seat in view.absence_reasons:
            return "DRAFT" if draft else view.absence_reasons[seat].upper()
        if seat in view.silent and seat not in view.awaited:
            return "DEFAULTED"
        if seat not in view.awaited:
            return "ACCEPTED" if view.accepted.get(seat) == view.turn else "-"
        if view.preview and seat not in self.late:  # a bot, or a player who is not asked yet
            return "-"
        if draft:
            return "DRAFT"
        if seat in self.answered:
            return "STANDING"
        return "ASKED" if seat in self.unsure else "MISSING"

    @cached_property
    def answered(self) -> set[str]:
        """Seats whose earlier orders answer everything that they are asked, as far as you know."""
        view, found = self.view, set[str]()
        if view.over or view.preview:
            return found
        if self.outlook:
            found |= _answered(self.outlook, view)
        if view.seat in view.awaited and answers_everything(view):
            found.add(view.seat)
        return found - self.sealed

    @cached_property
    def unsure(self) -> list[str]:
        """Other seats whose earlier orders may answer what they are asked: you cannot know.

        A turn ends only when somebody who is asked has not answered. So a seat that is asked alone
        has certainly not answered.
        """
        view = self.view
        asked = view.awaited.keys() - view.absence_reasons.keys() - self.answered
        if len(asked) == 1 or view.over or view.preview or self.outlook:
            return []
        return sorted((asked & view.accepted.keys()) - self.sealed - {view.seat})

    @cached_property
    def late(self) -> list[str]:
        """Seats that are asked and, as far as you know, have not answered."""
        view = self.view
        if view.preview:
            return [seat for seat in view.preview_seats if seat not in view.bots]
        open_ = {*self.left_open, *([view.seat] if self.open_kinds else [])}
        asked = view.awaited.keys() - view.absence_reasons.keys() - self.answered - {*self.unsure}
        return [seat for seat in sorted(asked) if seat not in self.sealed or seat in open_]

    @cached_property
    def unheard(self) -> list[str]:
        """Seats that are not asked yet, although the game waits for their orders for the whole
        round."""
        view, charter = self.view, self.session.charter
        if view.over or view.preview or not charter.policies.waits_for_round:
            return []
        return silent_so_far(view, self.sealed)

    @cached_property
    def open_kinds(self) -> list[str]:
        """The questions that your orders leave unanswered, if they were sealed on this computer."""
        view = self.view
        if view.seat not in self.sealed:
            return []
        if (
            view.seat in view.preview_seats
        ):  # the turn was made again, or the orders did not answer it
            return view.awaited.get(view.seat, [])
        return open_now(self.session, view)

    # -------------------------------------------------------------- whose move it is
    @cached_property
    def is_yours(self) -> bool:
        """Whether the game waits for your orders."""
        view, seat = self.view, self.view.seat
        why = view.absence_reasons.get(seat, "")
        if view.over or why in ("conceded", "removed"):
            return False
        if self.open_kinds or seat in self.unheard:
            return True
        asked = seat in view.awaited and seat not in self.answered
        return (asked or bool(why)) and seat not in self.sealed

    @property
    def waits_for(self) -> str:
        """The names of the players that the game waits for; empty if everyone has answered."""
        return self.named([*self.late, *self.unheard])

    def named(self, late: list[str]) -> str:
        """Return the names of these seats, and of those whose earlier orders may answer."""
        sure, unsure = (
            join_words(clean(self.view.names[seat]) for seat in seats)
            for seats in (late, self.unsure)
        )
        if not unsure:
            return sure
        return f"{sure}, and for {unsure} {UNLESS}" if sure else f"{unsure}, {UNLESS}"

    @property
    def referee(self) -> str:
        """What to call the person who makes turns: their role, because they may also have a seat;
        and their name, unless `pbem new` was given none."""
        name = clean(self.view.referee)
        return name if name == "the referee" else f"the referee, {name},"

    # -------------------------------------------------------------- for the referee: the next turn
    @cached_property
    def outlook(self) -> Outcome | None:
        """What `advance` would do now; None if it need not be tried, or if you are not the referee
        or cannot find out."""
        view = self.view
        if self.public or view.over:
            return None
        heard = view.awaited.keys() & (view.accepted.keys() | self.sealed)
        return _outlook(self.session) if heard or self._may_go_on else None

    @property
    def is_past_deadline(self) -> bool:
        """Whether the deadline and its grace have passed: whoever makes turns need not wait."""
        return 0 < self.view.deadline <= now()

    @cached_property
    def _may_go_on(self) -> bool:
        session, view = self.session, self.view
        if self.is_past_deadline:
            return True
        missing = view.awaited.keys() - self.sealed - {*view.plays} - view.absence_reasons.keys()
        # some notices are not listed yet, or what one announced takes effect now
        if not missing or len(session.listing.notices) > len(view.notices):
            return True
        if not session.listing.notices:
            return False
        from pbem.desk.notices import standing_now

        return bool(standing_now(session).matured_acts)

    @cached_property
    def ready(self) -> bool:
        """Whether you are the referee and `advance` would write something now, as far as you
        know."""
        if not self.session.roles.referee:
            return False
        if self.view.over:
            return self.session.listing.final is None
        if self.view.preview and not self.late:
            return True
        return self.sure if self.outlook else self._may_go_on

    @property
    def sure(self) -> bool:
        """Whether it is certain that `advance` would write something, because it was tried."""
        return _writes(self.session, self.outlook)

    @property
    def doubt(self) -> CliError | None:
        """Why `advance` would not write the turn that it can make: its date seems wrong."""
        return clock_doubt(self.session, self.outlook) if self.outlook else None

    @property
    def left_open(self) -> tuple[str, ...]:
        """For the referee: seats whose sealed orders do not answer what they are asked."""
        return self.outlook.incomplete_seats if self.outlook else ()

    @property
    def held_until(self) -> int:
        """For the referee: when the turn will be made, if players may still change their orders; or
        0."""
        return self.outlook.revisable_until if self.outlook else 0

    # -------------------------------------------------------------- the rest
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
        return len(MessagesHere(self.session, self.view).unread())

    @cached_property
    def lost(self) -> list[str]:
        """Sentences on keys that are missing on this computer."""
        return lost_key_lines(self.session)

    @cached_property
    def losses(self) -> list[AnnouncedLoss]:
        """What others announced that takes something from you, and that you can still cancel."""
        from pbem.desk.notices import announced_losses

        return announced_losses(self.session, self.view)

    @property
    def _awaited_person(self) -> str:
        """Who must act before the next turn, if that is not you; after the deadline, nobody waits
        for players."""
        maker = self.referee.removesuffix(",")
        if self.is_past_deadline:
            return f"{maker}, who can make the next turn now"
        return self.waits_for or maker

    @property
    def next(self) -> NextStep:
        """What to do next."""
        view, referee = self.view, bool(self.session.roles.referee)
        if view.over:
            audit = self.final is not None or not referee
            return NextStep("", "pbem audit" if audit else "pbem advance (writes final.toml)")
        if self.lost and not view.seat:
            return NextStep("", import_hint(self.session))
        if self.losses:
            return NextStep("", self.losses[0].step)
        if view.absence_reasons.get(view.seat) not in ("conceded", "removed"):
            if self.word(view.seat) == "DRAFT":
                return NextStep("", "pbem check, then pbem submit (or pbem orders --edit)")
            if self.is_yours:
                return NextStep("", ANSWER)
            if hint := unsent(self.session, view.seat, view.asking_turn):
                return NextStep("", hint)
        if not referee:
            return NextStep(f"wait for {self._awaited_person}")
        if self.waits_for and not self.ready:
            return NextStep(f"wait for {self.waits_for}", "pbem advance")
        after = f", after {local_date(self.held_until)}" if self.held_until else ""
        return NextStep("", f"pbem advance{after}")


def sealed_seats(session: Session, view: View) -> set[str]:
    """Return seats whose orders for the open questions are in the folder, signed and in the right
    place."""
    held = session.roles.held if view.preview else ()  # turn 1 will name their keys
    keys = {**session.seat_keys(), **{seat: session.public_of(seat) for seat in held}}
    heads = dict(enumerate(view.heads))
    return session.game_folder.seats_with_answers(keys, heads, view.asking_turn, view.plays)


# ---- Your newest orders, and which questions they leave open


def newest(session: Session, view: View) -> Record[Orders] | None:
    """Return the newest orders of your seat in the folder, signed by its key; no secret key is
    needed."""
    key = session.public_of(view.seat)
    since = view.turn if view.seat in view.plays else view.asking_turn
    return next(session.game_folder.orders_of(view.seat, key, since), None)


def note_open(session: Session, view: View, order: bytes, kinds: Sequence[str]) -> None:
    """Write down which kinds of decision these orders leave open, and what the draft said when they
    were sealed. Raises StorageError."""
    path, book = session.draft_of(view), session.game_home.unanswered
    if (mark := _mark_of(path)) or kinds or book.path.exists():
        said = {"kinds": list(kinds), "orders": order.hex()}
        book.write({**said, "draft": path.name, "mark": mark})


def _mark_of(draft: Path) -> str:
    try:
        text = read_if_there(draft) or b""
    except StorageError:
        return ""
    lines = [line.strip() for line in text.splitlines()]
    text = b"\n".join(line for line in lines if line and not line.startswith(b"#"))
    return sha256(text).hexdigest()[:16] if text else ""


def changed_draft(session: Session, orders: str) -> str:
    """Return the name of the draft if it was changed after these orders were sealed from it;
    else empty.

    This works only for orders that were sealed on this computer; `orders` is their id, in hex.
    """
    noted = session.game_home.unanswered.notes()
    name, mark = str(noted.get("draft", "")), noted.get("mark")
    if noted.get("orders") != orders or not mark or "/" in name:
        return ""
    now = _mark_of(session.game_home.root / "drafts" / name)
    return f"drafts/{name}" if now not in ("", mark) else ""


def open_now(session: Session, view: View) -> list[str]:
    """Return the kinds of decision that you must make now and that your newest orders leave open.

    This works only for orders that were sealed on this computer.
    """
    noted = session.game_home.unanswered.notes()
    record = newest(session, view) if noted else None
    if record is None or noted.get("orders") != record.id.hex():
        return []
    return [kind for kind in view.awaited.get(view.seat, []) if kind in noted.get("kinds", [])]


def answered_for_good(session: Session, view: View) -> str:
    """Say that a seat that the referee plays can no longer change its answer; empty if it can.

    The next turn already contains such orders. Any other seat may answer again until that turn.
    """
    held = view.seat in session.roles.held and view.seat in view.awaited
    if view.preview or view.over or not held:
        return ""
    record = newest(session, view)
    ident = f" {record.id.hex()[:6]}" if record else ""
    told = f"you have already answered turn {view.turn}: your orders{ident} are part of it"
    return f"{told}, and you cannot change them now"
