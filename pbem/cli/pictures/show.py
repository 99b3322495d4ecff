"""The command `show`: show the table as you may see it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import CliError
from pbem.cli.options import (
    ColourOption,
    FolderOption,
    JsonOption,
    PassphraseOption,
    SeatOption,
    check_colour,
)

if TYPE_CHECKING:
    from engine import Scene
    from pbem.cli.session.session import Session
    from pbem.play.view import View


SvgOption = Annotated[
    Path | None,
    Option(
        "--svg", metavar="FILE", help="Write a picture to this file instead. Use - to print it."
    ),
]
WidthOption = Annotated[
    int,
    Option("--width", min=360, max=2560, metavar="PIXELS", help="The width of the picture."),
]
WatchOption = Annotated[
    bool, Option("--watch", help="Show the table again whenever the folder changes.")
]


def show(
    turn: Annotated[int, Option("--turn", help="Show the table as it was after that turn.")] = 0,
    svg: SvgOption = None,
    width: WidthOption = 1200,
    watch: WatchOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    color: ColourOption = "auto",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Show the table, with everything that you may see."""
    from pbem.cli.session.session import Session

    check_colour(color)
    if json and (svg or watch):
        raise CliError("--json cannot be combined with --svg or --watch", "leave out one of them")
    session = Session(folder, seat, passphrase_file)
    if watch:
        _watch(session, turn, svg, width, color)
    view = session.view()
    if json:
        from pbem.cli.json_output import by_name, print_data

        scene = _scene(view, turn)
        print_data("show", {"turn": turn or view.turn, "seat": view.seat, "scene": by_name(scene)})
        return
    _show_once(session, view, turn, svg, width, color)


def _watch(session: Session, turn: int, svg: Path | None, width: int, color: str) -> NoReturn:
    """Show the table again whenever the folder changes, until the user presses Ctrl-C.

    If the folder cannot be read for a while, because a turn is still being copied, say so once and
    leave the last table on the screen.
    """
    from pbem.cli.failure import complain, sentence_of
    from pbem.cli.pictures.watch_folder import wait_for_change
    from pbem.storage.errors import AwayError

    seen = said = ""
    while True:
        try:
            seen = wait_for_change(session.folder, seen)
            session.refresh()
            view = session.view()
        except AwayError as error:
            if str(error) != said:
                complain(said := str(error))
            time.sleep(session.folder.pause)
            continue
        except Exception as error:
            sentence = sentence_of(error)
            if sentence is None or not said:
                raise
            complain(said := sentence)
            continue
        said = "shown"
        if not svg and sys.stdout.isatty():
            print("\x1b[2J\x1b[H", end="")
        _show_once(session, view, turn, svg, width, color)
        sys.stdout.flush()


def _scene(view: View, turn: int) -> Scene:
    """Return the table after that turn; 0 means the last turn. Raises CliError if there is no such
    turn."""
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}", f"--turn {view.turn}")
    table = view.table_at(turn) if turn else view.table
    return table.game.ruleset.scene(table.state)


def _show_once(
    session: Session, view: View, turn: int, svg: Path | None, width: int, color: str
) -> None:
    scene = _scene(view, turn)
    if svg:
        from pbem.cli.pictures.show_svg import show_svg

        show_svg(view, scene, _title(view, turn), width, svg, session.folder)
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
    """Say which rules are not played as printed and what happens next; at the end, who has won."""
    from pbem.screen.rules_chosen import rules_chosen
    from pbem.screen.scores import score_lines
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
    chosen = rules_chosen(view.play.ruleset, view.options)
    return [*chosen, f"next: {told or 'the referee makes the next turn'}"]
