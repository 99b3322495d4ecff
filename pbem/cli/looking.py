"""`show` and `log`: the table, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.failure import CliError
from pbem.cli.options import ColourOption, FolderOption, JsonOption, PassphraseOption, SeatOption

if TYPE_CHECKING:
    from pbem.play.view import View


def show(
    turn: Annotated[int, typer.Option("--turn", help="As it was after that turn.")] = 0,
    folder: FolderOption = None,
    seat: SeatOption = None,
    color: ColourOption = "auto",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """The table as you may see it."""
    from pbem.cli.session import Session

    session = Session(folder, seat, passphrase_file)
    view = session.view()
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}")
    table = view.table_at(turn) if turn else view.table
    scene = table.game.ruleset.scene(table.state)
    if json:
        from dataclasses import asdict

        from pbem.cli.data import print_data

        print_data("show", {"turn": turn or view.turn, "seat": view.seat, "scene": asdict(scene)})
        return
    from pbem.screen.picture import picture
    from pbem.screen.style import clean, stdout_style

    if view.play.ruleset.notes:
        print(clean(view.play.ruleset.notes))
    print(f"{clean(view.title)}, turn {turn or view.turn}")
    print("\n".join(picture(scene, view.names, view.seat, stdout_style(color))))


def log(
    turn: Annotated[int, typer.Option("--turn", help="Only that turn.")] = 0,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Everything that happened, entry by entry, as you may read it."""
    from pbem.cli.session import Session

    view = Session(folder, seat, passphrase_file).view()
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}")
    turns = range(turn, turn + 1) if turn else range(1, view.turn + 1)
    print_log(view, turns, json, "log")


def print_log(view: View, turns: range, json: bool, command: str) -> None:
    """The entries of these turns, for people or programs."""
    entries = [(view.turn_of(n), entry) for n, entry in enumerate(view.log)]
    shown = [(number, entry) for number, entry in entries if number in turns]
    if json:
        from pbem.cli.data import print_data

        fields = ("key", "seat", "text", "by")
        print_data(
            command, [{"turn": t} | {f: getattr(entry, f) for f in fields} for t, entry in shown]
        )
        return
    last = 0
    for number, entry in shown:
        if number != last:
            print(f"turn {number}")
            last = number
        who = "" if entry.seat == "*" else f"{entry.seat}: "
        print(f"  {who}{entry.text}  ({entry.by})")
