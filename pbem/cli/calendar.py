"""The command `calendar`: write what is due in your games to a calendar file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from engine.values import Value
from pbem.cli.options import FolderOption, NowOption
from pbem.errors import CliError, PbemError
from pbem.files.disk import create, read_file, replace
from pbem.files.home import Home
from pbem.files.places import Place
from pbem.judge.deadline_status import DeadlineStatus, deadline_status_of
from pbem.judge.view import View
from pbem.person.losses import AnnouncedLoss
from pbem.person.session import Session
from pbem.person.situation import in_view, situation_of
from pbem.records.policies import DAY, HOUR
from pbem.terminal.terminal import brief, say
from pbem.text.clock import now
from pbem.text.clock import now as clock
from pbem.text.names import counted
from pbem.wording.losses import describe_loss, say_cancel
from pbem.wording.next_step import name_awaited_players
from pbem.wording.notifications import (
    cancel_event,
    no_deadline_note,
    orders_event,
    text_with_grace,
    turn_event,
    unreadable_game_note,
)


def calendar(
    folder: FolderOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The file to write. Default: print the calendar."
        ),
    ] = None,
    now: NowOption = "",
) -> None:
    """Write a calendar file (.ics) of what is due in all your games, or in the one with -C."""
    events, notes = due_here(folder) if folder else everywhere()
    data = calendar_file(events, clock())
    for note in notes:
        say(f"note: {note}")
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    else:
        _write(output.absolute(), data)
        print(f"wrote {brief(output)} ({counted(len(events), 'deadline')})")


def _write(path: Path, data: bytes) -> None:
    if not path.exists():
        create(path, data)
        return
    try:
        calendar = read_file(path).startswith(b"BEGIN:VCALENDAR")
    except PbemError:
        calendar = False
    if not calendar:
        raise CliError(
            f"{brief(path)} exists and is not a calendar file", "give the path of a different file"
        )
    replace(path, data)


# ---- Find what is due in your games, as events for a calendar
#
# An event contains only what every player of that game may know.


def everywhere() -> tuple[list[Event], list[str]]:
    """Find what is due in all games that the home knows; add a note on each game that cannot be
    read."""
    home = Home.find()
    events: list[Event] = []
    notes: list[str] = []
    for ident in home.games():
        place = home.game(ident).place
        if place is None or place.is_gone():
            continue
        try:
            found, said = due_here(place, home, ident)
        except PbemError as error:
            found, said = [], [unreadable_game_note(place, getattr(error, "sentence", error))]
        events += found
        notes += said
    return sorted(events, key=lambda event: (event.start, event.uid)), notes


def due_here(
    place: str | Place, home: Home | None = None, ident: str = ""
) -> tuple[list[Event], list[str]]:
    """Find what is due in the game in one folder. Raises NoGameError, FileError, CliError.

    If `ident` is given and the folder now contains a different game, nothing is due.
    """
    session = Session(place, home=home)
    if ident and session.game_folder.game.hex() != ident:
        return [], []
    situation = situation_of(session)
    view, roles = situation.view, session.roles
    if view is None or view.is_over:
        return [], []
    losses = [_loss_event(view, loss) for loss in situation.losses]
    late = view.awaited.keys() & {*situation.pending_seats, *situation.uncertain_seats}
    mine = [seat for seat in roles.seats if seat in late]
    if not mine and not (roles.referee and late - {*view.plays}):
        return losses, []
    status = deadline_status_of(view)
    if not status or view.preview:
        return losses, [no_deadline_note(view.title, is_your_move=bool(mine))]
    public = in_view(session, view, with_outlook=False)
    return [*losses, _event(view, status, mine, name_awaited_players(public))], []


def _loss_event(view: View, loss: AnnouncedLoss) -> Event:
    """Return the end of a waiting time as an event, with reminders from now on."""
    title, text = cancel_event(view.title, describe_loss(loss), say_cancel(loss))
    left = loss.announced_act.effective_at - now()
    early = tuple(part for part in (DAY, 2 * HOUR) if 60 <= part < left)
    about = loss.announced_act.id.hex()[:8] or "end"
    uid = f"{view.game[:32]}-{loss.announced_act.turn}-{about}@pbem"
    return Event(uid, loss.announced_act.effective_at, title, text, early)


def _event(view: View, status: DeadlineStatus, mine: list[str], who: str) -> Event:
    kinds = dict.fromkeys(kind for seat in mine for kind in view.awaited[seat])
    if mine:
        title, text = orders_event(view.title, view.turn, ", ".join(kinds))
        start = status.deadline
    else:
        title, text = turn_event(view.title, view.turn, who)
        start = status.absent_at
    left = start - status.asked_at
    early = tuple(part for part in (left // 2, left // 4) if 60 <= part < start - now())
    uid = f"{view.game[:32]}-{view.asking_turn}@pbem"  # the same when a delay moves the deadline
    return Event(uid, start, title, text_with_grace(text, status), early)


# ---- Write a calendar file (iCalendar, RFC 5545) with reminders, for any calendar program

OCTETS: Final = 75
"""The longest line, in octets, without its CRLF (RFC 5545, 3.1)."""
_PRODUCT: Final = "-//pbem//pbem//EN"
_NO_EVENTS: Final = (  # a calendar needs at least one component (RFC 5545, 3.6)
    "BEGIN:VTIMEZONE", "TZID:Etc/UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE",
)  # fmt: skip


class Event(Value):
    """One event in a calendar."""

    uid: str
    """The event's unique id (ASCII), which is the same in every file."""
    start: int
    """The time of the event, in seconds since 1970 UTC."""
    title: str
    text: str
    """A longer text about the event; may have several lines."""
    reminders: tuple[int, ...] = ()
    """For each reminder, how many seconds before the event it comes."""


def calendar_file(events: Iterable[Event], now: int) -> bytes:
    """Return the bytes of a calendar file made at `now` (seconds since 1970 UTC)."""
    lines = [line for event in events for line in _lines(event, now)] or list(_NO_EVENTS)
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{_PRODUCT}", "CALSCALE:GREGORIAN"]
    whole = [*head, *lines, "END:VCALENDAR"]
    return b"".join(fold(line) for line in whole)


def _lines(event: Event, now: int) -> Iterator[str]:
    yield from ("BEGIN:VEVENT", f"UID:{event.uid}", f"DTSTAMP:{_time(now)}")
    yield from (f"DTSTART:{_time(event.start)}", f"SUMMARY:{escaped(event.title)}")
    yield from (f"DESCRIPTION:{escaped(event.text)}", "TRANSP:TRANSPARENT")
    for before in event.reminders:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"TRIGGER:-PT{before // 60}M")
        yield from (f"DESCRIPTION:{escaped(event.title)}", "END:VALARM")
    yield "END:VEVENT"


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%dT%H%M%SZ")


def escaped(text: str) -> str:
    """Escape a text as the value of a property (RFC 5545, 3.3.11), without control characters."""
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    text = text.replace("\r\n", "\n").replace("\n", "\\n")
    return "".join(c for c in text if c.isprintable())


def fold(line: str) -> bytes:
    """Return a content line with CRLF, folded at `OCTETS` without cutting a character in two."""
    parts, part = list[bytes](), b""
    for char in line:
        octets = char.encode()
        if len(part) + len(octets) > OCTETS:
            parts.append(part)
            part = b" "
        part += octets
    return b"\r\n".join([*parts, part]) + b"\r\n"
