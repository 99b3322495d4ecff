"""The commands `log` and `since`: what happened in a game, entry by entry."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from pbem.acts.replay import with_all_hands
from pbem.cli.options import (
    FolderOption,
    JsonOption,
    NoPressOption,
    PassphraseOption,
    SeatOption,
)
from pbem.errors import CliError
from pbem.judge.press import Message
from pbem.judge.view import View
from pbem.person.messages import MessagesHere, by_turn
from pbem.person.session import Session
from pbem.terminal.output import print_data
from pbem.terminal.tell import message_lines
from pbem.terminal.terminal import folding_width, print_folded, say, stdout_style
from pbem.wording.scores import final_score_lines
from pbem.wording.story import entries_of, events_as_rows, story_by_turn
from pbem.wording.views import UNOPENED_NOTE, messages_heading, since_heading


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
    said = press.read(turns) if press else []
    if not seat:
        view = with_all_hands(session, view)
    print_log(view, turns, json, "log", press, said)
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
    """Print the entries of these turns, for people or as JSON, and the messages beside them."""
    if json:
        rows = [
            {"turn": n, "key": one.key, "seat": one.seat, "text": one.text, "by": one.by}
            for n, one in entries_of(view, turns)
        ]
        more: dict[str, Any] = {"notices": events_as_rows(view, turns)} if view.notices else {}
        if press:
            more["messages"] = [
                {
                    "turn": said.turn, "number": said.number, "time": said.time,
                    "from": said.writer, "name": said.name, "by": said.signer_state,
                    "to": said.recipient, "text": list(said.lines), "id": said.id,
                }
                for said in messages
            ]  # fmt: skip
        print_data(command, rows, **more)
        return
    story, written, style = story_by_turn(view, turns), by_turn(messages), stdout_style()
    for turn in sorted(story.keys() | written.keys()):
        for line in story.get(turn, ()):
            print_folded(line, len(line) - len(line.lstrip()) + 4)
        if press and turn in written:
            print(messages_heading(turn))
            for line in message_lines(written[turn], press.roles, folding_width()):
                print(style.encodable(line))
    if press and press.unopened:
        say(UNOPENED_NOTE)
    sys.stdout.flush()


def since(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Show what happened since your last orders were used."""
    session = Session(folder, seat, passphrase_file)
    view = session.view()
    taken = view.accepted.get(view.seat, 1)
    if not json:
        print(since_heading(taken, view.turn, used_orders=view.seat in view.accepted))
    turns = range(taken, view.turn + 1)
    press = None if no_press else MessagesHere(session, view)
    print_log(view, turns, json, "since", press, press.messages_since(taken) if press else ())
    if press and not json:
        press.note_shown()
