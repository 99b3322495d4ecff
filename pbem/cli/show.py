"""The command `show`: the table of a game, as text or as a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from engine import Scene
from pbem.acts.write_replays_and_pictures import with_all_hands, write_picture
from pbem.cli.shared_options import (
    ColourOption,
    FolderOption,
    JsonOption,
    PassphraseOption,
    SeatOption,
    check_colour,
)
from pbem.drafts.questions_and_choices import phase_of
from pbem.errors import CliError
from pbem.files.file_errors import AwayError
from pbem.judge.game_view import View
from pbem.person.session import Session
from pbem.terminal.command_failures import complain, sentence_of
from pbem.terminal.commands_and_paths_to_type import brief
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import fold, stdout_style
from pbem.terminal.table import draw_scene, with_player_facts_renamed
from pbem.wording.lesson_and_demo import lesson_lines
from pbem.wording.results import score_lines
from pbem.wording.view_headings import (
    open_questions_line,
    past_turn_heading,
    rules_chosen,
    turn_heading,
)


def show(
    turn: Annotated[
        int, typer.Option(help="Show the table as it was after the turn with this number.")
    ] = 0,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a picture to this file instead. Use - to print the picture."
        ),
    ] = None,
    width: Annotated[
        int, typer.Option(min=360, max=2560, metavar="PIXELS", help="The width of the picture.")
    ] = 1200,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show the table again whenever the folder changes.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    color: ColourOption = "auto",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Show the table, with everything that you may see.

    Of a game that is over and that an audit proves, --turn shows every hand, without --as.
    """
    check_colour(color)
    if json and (svg or watch):
        raise CliError("--json cannot be combined with --svg or --watch", "leave out one of them")
    session = Session(folder, seat, passphrase_file)
    if watch:
        _watch(session, turn, svg, width, color)
    view = session.view()
    if turn and not seat:
        view = with_all_hands(session, view)
    if json:
        scene = _scene(view, turn)
        print_data(
            "show", {"turn": turn or view.turn, "seat": view.seat, "scene": _scene_data(scene)}
        )
        return
    _show_once(session, view, turn, svg, width, color)


def _scene_data(value: Any) -> Any:
    """Return a scene, or a part of one, for JSON: records as dicts of their fields, tuples as
    lists."""
    if hasattr(value, "_asdict"):
        return {name: _scene_data(part) for name, part in value._asdict().items()}
    return [_scene_data(part) for part in value] if isinstance(value, tuple) else value


def _watch(session: Session, turn: int, svg: Path | None, width: int, color: str) -> NoReturn:
    """Show the table, and again whenever the folder changes.

    If the folder cannot be read for a while, because a turn is still being copied, say so once and
    leave the last table on the screen. An error before the first table is raised.
    """
    shown_fingerprint = ""
    has_shown_table = False
    last_complaint = ""
    while True:
        try:
            fingerprint = session.folder.fingerprint()
            while fingerprint == shown_fingerprint:
                session.folder.wait_for_news(session.folder.pause)
                fingerprint = session.folder.fingerprint()
            shown_fingerprint = fingerprint
            session.refresh()
            view = session.view()
        except AwayError as error:
            if str(error) != last_complaint:
                last_complaint = str(error)
                complain(last_complaint)
            session.folder.wait_for_news(session.folder.pause)
            continue
        except Exception as error:
            sentence = sentence_of(error)
            if sentence is None or not has_shown_table:
                raise
            last_complaint = sentence
            complain(last_complaint)
            continue
        has_shown_table, last_complaint = True, ""
        if not svg and sys.stdout.isatty():
            print(CLEAR_SCREEN, end="")
        _show_once(session, view, turn, svg, width, color)
        sys.stdout.flush()


CLEAR_SCREEN = "\x1b[2J\x1b[H"
"""The codes that clear a terminal and put its cursor at the top left."""


def _scene(view: View, turn: int) -> Scene:
    """Return the table after the turn; 0 means as it is now. Raises CliError if there is no such
    turn."""
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}", f"--turn {view.turn}")
    table = view.table_at(turn) if turn else view.table
    return table.game.ruleset.scene(table.state)


SVG_BEGINNING = '<svg xmlns="http://www.w3.org/2000/svg" class="pb"'
"""The first characters of every picture that pbem writes."""


def _show_once(
    session: Session, view: View, turn: int, svg: Path | None, width: int, color: str
) -> None:
    """Print the table after the turn (0 means as it is now), with what is asked now or the scores;
    with `svg`, write a picture to that file instead, or print it for `-`. Raises CliError.

    `width` is that of the picture in pixels; `color` is `auto`, `always` or `never`.
    """
    scene, title = _scene(view, turn), _title(view, turn)
    if svg:
        from pbem.drawing.table import draw, icons_of

        icons = icons_of(view.play.ruleset)
        svg_text = draw(
            scene, icons, view.names, view.seat, width=width, title=title, is_separate_file=True
        )
        if str(svg) == "-":
            sys.stdout.write(svg_text + "\n")
            return
        byte_count = write_picture(svg, svg_text, SVG_BEGINNING, view, session.folder)
        print(f"wrote {brief(svg)} ({-(-byte_count // 1000)} kB)")  # rounded up
        return
    style = stdout_style(color)
    advice = [] if turn else lesson_lines(session, view)
    rows_below = [
        row for line in (*_lines_below(view, turn), *advice) for row in fold(line, style.width)
    ]
    scene = with_player_facts_renamed(scene, view.play.ruleset)
    rows = [title, *draw_scene(scene, view.names, view.seat, style), "", *rows_below]
    print("\n".join(style.encodable(row) for row in rows).rstrip())


def _title(view: View, turn: int) -> str:
    if turn and turn != view.turn:
        return past_turn_heading(view.title, turn, view.turn)
    return turn_heading(view.title, view.turn, phase_of(view), is_over=view.is_over)


def _lines_below(view: View, turn: int) -> list[str]:
    """Return the lines below the table: the scores of a game that is over, else the chosen rules
    and what is asked; none below an earlier turn."""
    if turn and turn != view.turn:
        return []
    if view.is_over:
        return score_lines(view)
    return [*rules_chosen(view.play.ruleset, view.options), open_questions_line(view)]
