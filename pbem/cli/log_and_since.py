"""The commands `log` and `since`: what happened in a game, entry by entry."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from pbem.acts.write_replays_and_pictures import with_all_hands
from pbem.cli.shared_options import (
    FolderOption,
    JsonOption,
    NoPressOption,
    PassphraseOption,
    SeatOption,
)
from pbem.errors import CliError
from pbem.judge.game_view import View
from pbem.judge.read_and_make_messages import Message
from pbem.person.readable_messages import MessagesHere, by_turn
from pbem.person.session import Session
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.message_prose import message_lines
from pbem.terminal.printing import folding_width, print_folded, say, stdout_style
from pbem.wording.game_story import entries_of, events_as_rows, story_by_turn
from pbem.wording.results import final_score_lines
from pbem.wording.view_headings import UNOPENED_NOTE, messages_heading, since_heading


def log(
    turn: Annotated[int, typer.Option(help="Show only this turn.")] = 0,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Show everything that happened, entry by entry, as far as you may see it.

    Once the game is over and an audit proves it, every hand is open; --as shows one seat's view.
    """
    session = Session(folder, seat, passphrase_file)
    view = session.view()
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}", f"--turn {view.turn}")
    turns = range(turn, turn + 1) if turn else range(1, view.turn + 1)
    press = None if no_press else MessagesHere(session, view)
    messages = press.read(turns) if press else []
    if not seat:
        view = with_all_hands(session, view)
    print_log(view, turns, json, "log", press, messages)
    if press and not json:
        press.note_shown(turns)
    if view.is_over and not json and turn in (0, view.turn):
        print("\n".join(final_score_lines(view)))


def print_log(
    view: View,
    turns: range,
    json: bool,
    command: str,
    press: MessagesHere | None = None,
    messages: Sequence[Message] = (),
) -> None:
    """Print the log entries of these turns, for people or as JSON.

    `messages` are printed beside them; `press` tells who wrote each, and None leaves all messages
    out. `command` is the name of the command in the JSON.
    """
    if json:
        _print_log_data(view, turns, command, messages if press else None)
        return
    story, messages_by_turn, style = story_by_turn(view, turns), by_turn(messages), stdout_style()
    for turn in sorted(story.keys() | messages_by_turn.keys()):
        for line in story.get(turn, ()):
            indent = len(line) - len(line.lstrip())
            print_folded(line, indent + 4)
        if press and turn in messages_by_turn:
            print(messages_heading(turn))
            for line in message_lines(messages_by_turn[turn], press.roles, folding_width()):
                print(style.encodable(line))
    if press and press.unopened:
        say(UNOPENED_NOTE)
    sys.stdout.flush()


def _print_log_data(
    view: View, turns: range, command: str, messages: Sequence[Message] | None
) -> None:
    """Print the log entries of the turns as JSON. The game's notices, if any, and the messages,
    unless None, are beside the entries."""
    rows = [
        {"turn": turn, "key": entry.key, "seat": entry.seat, "text": entry.text, "by": entry.by}
        for turn, entry in entries_of(view, turns)
    ]
    additions = dict[str, Any]()
    if view.notices:
        additions["notices"] = events_as_rows(view, turns)
    if messages is not None:
        additions["messages"] = [
            {
                "turn": message.turn, "number": message.number, "time": message.time,
                "from": message.writer, "name": message.name, "by": message.signer_state,
                "to": message.recipient, "text": list(message.lines), "id": message.id,
            }
            for message in messages
        ]  # fmt: skip
    print_data(command, rows, **additions)


def show_since(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Show what happened since your last orders were used."""
    session = Session(folder, seat, passphrase_file)
    view = session.view()
    first_turn = view.accepted.get(view.seat, 1)
    if not json:
        print(since_heading(first_turn, view.turn, used_orders=view.seat in view.accepted))
    turns = range(first_turn, view.turn + 1)
    press = None if no_press else MessagesHere(session, view)
    messages = press.messages_since(first_turn) if press else ()
    print_log(view, turns, json, "since", press, messages)
    if press and not json:
        press.note_shown()
