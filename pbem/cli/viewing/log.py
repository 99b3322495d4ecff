"""`log`: everything that happened, as far as you may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.failure import CliError
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption, SeatOption

if TYPE_CHECKING:
    from pbem.play.view import View


def log(
    turn: Annotated[int, typer.Option("--turn", help="Show only that turn.")] = 0,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Show everything that happened, entry by entry, as far as you may see it."""
    from pbem.cli.session.session import Session

    view = Session(folder, seat, passphrase_file).view()
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}", f"--turn {view.turn}")
    turns = range(turn, turn + 1) if turn else range(1, view.turn + 1)
    print_log(view, turns, json, "log")
    if view.over and not json and turn in (0, view.turn):
        from pbem.cli.viewing.scores import score_lines

        print("\n".join(["the game is over:", *(f"  {line}" for line in score_lines(view))]))


def print_log(view: View, turns: range, json: bool, command: str) -> None:
    """Print the entries of these turns, for people or programs."""
    if json:
        from pbem.cli.json_output import print_data
        from pbem.screen.tell_turns import entries_of

        fields = ("key", "seat", "text", "by")
        print_data(
            command,
            [
                {"turn": number} | {name: getattr(entry, name) for name in fields}
                for number, entry in entries_of(view, turns)
            ],
        )
        return
    from pbem.screen.tell_turns import story
    from pbem.screen.terminal import print_folded

    for line in story(view, turns):
        print_folded(line, len(line) - len(line.lstrip()) + 4)
