"""The command `log`: show everything that happened, as far as you may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import CliError
from pbem.cli.options import FolderOption, JsonOption, NoPressOption, PassphraseOption, SeatOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.press.messages_here import MessagesHere
    from pbem.play.press.read_messages import Message
    from pbem.play.view import View


def log(
    turn: Annotated[int, Option("--turn", help="Show only this turn.")] = 0,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Show everything that happened, entry by entry, as far as you may see it."""
    from pbem.cli.press.messages_here import MessagesHere
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    view = session.view()
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}", f"--turn {view.turn}")
    turns = range(turn, turn + 1) if turn else range(1, view.turn + 1)
    press = None if no_press else MessagesHere(session, view)
    said = press.read(turns) if press else []
    print_log(view, turns, json, "log", press, said)
    if press and not json:
        press.note_told(turns)
    if view.over and not json and turn in (0, view.turn):
        from pbem.screen.scores import score_lines

        print("\n".join(["the game is over:", *(f"  {line}" for line in score_lines(view))]))


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
        from pbem.cli.json_output import print_data
        from pbem.cli.press.print_messages import as_data
        from pbem.screen.tell_turns import as_rows, entries_of

        fields = ("key", "seat", "text", "by")
        print_data(
            command,
            [
                {"turn": number} | {name: getattr(entry, name) for name in fields}
                for number, entry in entries_of(view, turns)
            ],
            **({"messages": as_data(messages)} if press else {}),
            **({"notices": as_rows(view, turns)} if view.notices else {}),
        )
        return
    from pbem.cli.press.print_messages import by_turn, print_messages, say_locked
    from pbem.screen.tell_turns import story_by_turn
    from pbem.screen.terminal import print_folded

    told, written = story_by_turn(view, turns), by_turn(messages)
    for turn in sorted(told.keys() | written.keys()):
        for line in told.get(turn, ()):
            print_folded(line, len(line) - len(line.lstrip()) + 4)
        if press:
            print_messages(press, turn, written.get(turn, []))
    if press:
        say_locked(press)
