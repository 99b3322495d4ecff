"""`show`: the table as you may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.failure import CliError
from pbem.cli.options import ColourOption, FolderOption, JsonOption, PassphraseOption, SeatOption

if TYPE_CHECKING:
    from pbem.play.view import View


def show(
    turn: Annotated[int, typer.Option("--turn", help="The table as it was after that turn.")] = 0,
    folder: FolderOption = None,
    seat: SeatOption = None,
    color: ColourOption = "auto",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Show the table, as far as you may see it."""
    from pbem.cli.session.session import Session

    check_colour(color)
    session = Session(folder, seat, passphrase_file)
    view = session.view()
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}", f"--turn {view.turn}")
    table = view.table_at(turn) if turn else view.table
    scene = table.game.ruleset.scene(table.state)
    if json:
        from pbem.cli.json_output import by_name, print_data

        print_data("show", {"turn": turn or view.turn, "seat": view.seat, "scene": by_name(scene)})
        return
    from pbem.screen.draw_table import picture
    from pbem.screen.terminal import fold, stdout_style

    style = stdout_style(color)
    after = [row for line in _after(view, turn) for row in fold(line, style.width)]
    lines = [*picture(scene, view.names, view.seat, style), "", *after]
    lines = [_title(view, turn), *lines]
    print("\n".join(style.plain(line) for line in lines).rstrip())


def _title(view: View, turn: int) -> str:
    from pbem.drafts.write.rest_of_round import phase_of
    from pbem.screen.terminal import clean

    title = f"{clean(view.title)}, turn {turn or view.turn}"
    if turn and turn != view.turn:
        return f"{title} of {view.turn}, as the table was then"
    phase = phase_of(view)
    return title + (f": {phase}" if phase else "") + (": the game is over" if view.over else "")


def _after(view: View, turn: int) -> list[str]:
    """Say what happens next, or who has won."""
    from pbem.cli.viewing.scores import score_lines
    from pbem.screen.terminal import clean

    if turn and turn != view.turn:
        return []
    if view.over:
        return score_lines(view)
    kinds = view.play.ruleset.kinds
    asked: dict[str, list[str]] = {}
    for seat, found in sorted(view.awaited.items()):
        who = f"{seat} {clean(view.names[seat])}" + (" (you)" if seat == view.seat else "")
        asked.setdefault(", ".join(kinds[kind].question for kind in found), []).append(who)
    told = "; ".join(f"{', '.join(who)}: {what}" for what, who in asked.items())
    return [f"next: {told or 'the referee makes the next turn'}"]


def check_colour(color: str) -> None:
    """Raise CliError for a value that `--color` does not accept."""
    from difflib import get_close_matches

    known = ("auto", "always", "never")
    if color not in known:
        close = get_close_matches(color, known, 1, 0.3)
        hint = f"did you mean --color {close[0]}?" if close else ", ".join(known)
        raise CliError(f"--color takes auto, always or never, not {color!r}", hint)
