"""The command `calendar`: write what is due in your games to a calendar file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from engine.counts_and_lists_in_prose import counted
from pbem.cli.icalendar_file import Event, calendar_file
from pbem.cli.shared_options import FolderOption, NowOption
from pbem.errors import CliError, PbemError
from pbem.files.disk import create, read_file, replace
from pbem.files.game_folder_places import Place
from pbem.files.home import Home
from pbem.judge.deadline_status import DeadlineStatus, deadline_status_of
from pbem.judge.game_view import View
from pbem.person.announced_acts_against_user import AnnouncedLoss
from pbem.person.session import Session
from pbem.person.situation import situation_in_view, situation_of
from pbem.terminal.commands_and_paths_to_type import brief
from pbem.terminal.printing import say
from pbem.text.clock import now
from pbem.text.clock import now as clock
from pbem.text.dates import DAY, HOUR
from pbem.wording.announced_acts import describe_loss, say_cancel
from pbem.wording.calendar_events import (
    cancel_event,
    no_deadline_note,
    orders_event,
    text_with_grace,
    turn_event,
    unreadable_game_note,
)
from pbem.wording.next_step import name_awaited_people


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
    events, notes = find_due(folder) if folder else find_due_in_all_games()
    calendar_bytes = calendar_file(events, clock())
    for note in notes:
        say(f"note: {note}")
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(calendar_bytes)
    else:
        _write(output.absolute(), calendar_bytes)
        print(f"wrote {brief(output)} ({counted(len(events), 'deadline')})")


def _write(path: Path, calendar_bytes: bytes) -> None:
    """Write a calendar file, over an old one if there is one. Raises CliError if the path is that
    of a file of another kind, StorageError if nothing can be written."""
    if not path.exists():
        create(path, calendar_bytes)
        return
    try:
        is_calendar = read_file(path).startswith(b"BEGIN:VCALENDAR")
    except PbemError:
        is_calendar = False
    if not is_calendar:
        raise CliError(
            f"{brief(path)} exists and is not a calendar file", "give the path of a different file"
        )
    replace(path, calendar_bytes)


# ---- Find what is due in your games, as events for a calendar
#
# An event contains only what every player of that game may know.


def find_due_in_all_games() -> tuple[list[Event], list[str]]:
    """Find what is due in all games that the home knows; return the events, earliest first, and
    the notes. A game that cannot be read gets a note."""
    home = Home.find()
    events: list[Event] = []
    notes: list[str] = []
    for game_id in home.games():
        place = home.game(game_id).place
        if place is None or place.is_gone():
            continue
        try:
            game_events, game_notes = find_due(place, home, game_id)
        except PbemError as error:
            notes.append(unreadable_game_note(place, error.full_sentence))
            continue
        events += game_events
        notes += game_notes
    return sorted(events, key=lambda event: (event.start, event.uid)), notes


def find_due(
    place: str | Place, home: Home | None = None, game_id: str = ""
) -> tuple[list[Event], list[str]]:
    """Find what is due in the game in one folder; return the events and the notes.

    The ends of waiting times for acts against the user are due, and the deadline of the orders
    that the user owes; for a referee, the deadline of other players' orders. If `game_id` is given
    and the folder now contains a different game, nothing is due. Raises NoGameError, FileError,
    CliError.
    """
    session = Session(place, home=home)
    if game_id and session.game_folder.game.hex() != game_id:
        return [], []
    situation = situation_of(session)
    view, roles = situation.view, session.roles
    if view is None or view.is_over:
        return [], []
    losses = [_loss_event(view, loss) for loss in situation.losses]
    owing_seats = view.awaited.keys() & {*situation.pending_seats, *situation.uncertain_seats}
    user_seats = [seat for seat in roles.seats if seat in owing_seats]
    refereed_seats = owing_seats - {*view.plays} if roles.referee else set[str]()
    if not user_seats and not refereed_seats:
        return losses, []
    status = deadline_status_of(view)
    if not status or view.preview:
        return losses, [no_deadline_note(view.title, is_your_move=bool(user_seats))]
    public_situation = situation_in_view(session, view, with_outlook=False)
    awaited_names = name_awaited_people(public_situation)
    return [*losses, _deadline_event(view, status, user_seats, awaited_names)], []


def _loss_event(view: View, loss: AnnouncedLoss) -> Event:
    """Return the end of a waiting time as an event, with reminders from now on."""
    title, text = cancel_event(view.title, describe_loss(loss), say_cancel(loss))
    act = loss.announced_act
    seconds_left = act.effective_at - now()
    reminders = tuple(seconds for seconds in (DAY, 2 * HOUR) if 60 <= seconds < seconds_left)
    uid = f"{view.game[:32]}-{act.turn}-{act.id.hex()[:8] or 'end'}@pbem"
    return Event(uid, act.effective_at, title, text, reminders)


def _deadline_event(
    view: View, status: DeadlineStatus, user_seats: list[str], awaited_names: str
) -> Event:
    """Return the deadline for the orders of the user's seats; if these owe none, the moment from
    which the user, as the referee, can make the turn without the awaited players."""
    if user_seats:
        kinds = dict.fromkeys(kind for seat in user_seats for kind in view.awaited[seat])
        title, text = orders_event(view.title, view.turn, ", ".join(kinds))
        start = status.deadline
    else:
        title, text = turn_event(view.title, view.turn, awaited_names)
        start = status.absent_at
    span, seconds_left = start - status.asked_at, start - now()
    reminders = tuple(part for part in (span // 2, span // 4) if 60 <= part < seconds_left)
    uid = f"{view.game[:32]}-{view.asking_turn}@pbem"  # the same when a delay moves the deadline
    return Event(uid, start, title, text_with_grace(text, status), reminders)
