"""The command `show`: the table of a game, as text or as a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from engine import Scene
from pbem.acts.replay import (
    with_all_hands,
    write_picture,
)
from pbem.cli.options import (
    ColourOption,
    FolderOption,
    JsonOption,
    PassphraseOption,
    SeatOption,
    check_colour,
)
from pbem.drafts.offers import phase_of
from pbem.errors import CliError
from pbem.files.disk import AwayError
from pbem.judge.view import View
from pbem.person.session import Session
from pbem.terminal.failures import complain, sentence_of
from pbem.terminal.output import print_data
from pbem.terminal.table import for_people, picture, rules_chosen
from pbem.terminal.terminal import brief, fold, stdout_style
from pbem.wording.lesson import lesson_lines
from pbem.wording.scores import score_lines
from pbem.wording.views import (
    open_questions_line,
    past_turn_heading,
    turn_heading,
)

if TYPE_CHECKING:
    pass


def show(
    turn: Annotated[int, typer.Option(help="Show the table as it was after that turn.")] = 0,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a picture to this file instead. Use - to print it."
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
        print_data("show", {"turn": turn or view.turn, "seat": view.seat, "scene": _by_name(scene)})
        return
    _show_once(session, view, turn, svg, width, color)


def _by_name(data: Any) -> Any:
    if hasattr(data, "_asdict"):
        return {name: _by_name(value) for name, value in data._asdict().items()}
    return [_by_name(one) for one in data] if isinstance(data, tuple) else data


def _watch(session: Session, turn: int, svg: Path | None, width: int, color: str) -> NoReturn:
    """If the folder cannot be read for a while, because a turn is still being copied, say so once
    and leave the last table on the screen."""
    seen = said = ""
    while True:
        try:
            while (stamp := session.folder.fingerprint()) == seen:
                session.folder.wait_for_news(session.folder.pause)
            seen = stamp
            session.refresh()
            view = session.view()
        except AwayError as error:
            if str(error) != said:
                complain(said := str(error))
            session.folder.wait_for_news(session.folder.pause)
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
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}", f"--turn {view.turn}")
    table = view.table_at(turn) if turn else view.table
    return table.game.ruleset.scene(table.state)


BEGINS = '<svg xmlns="http://www.w3.org/2000/svg" class="pb"'
"""The first characters of every picture that pbem writes."""


def _show_once(
    session: Session, view: View, turn: int, svg: Path | None, width: int, color: str
) -> None:
    scene, title = _scene(view, turn), _title(view, turn)
    if svg:
        from pbem.drawing.table import draw, icons_of

        icons = icons_of(view.play.ruleset)
        text = draw(
            scene, icons, view.names, view.seat, width=width, title=title, is_separate_file=True
        )
        if str(svg) == "-":
            sys.stdout.write(text + "\n")
            return
        size = write_picture(svg, text, BEGINS, view, session.folder)
        print(f"wrote {brief(svg)} ({-(-size // 1000)} kB)")
        return
    style = stdout_style(color)
    told = [] if turn else lesson_lines(session, view)
    after = [row for line in (*_after(view, turn), *told) for row in fold(line, style.width)]
    scene = for_people(scene, view.play.ruleset)
    lines = [title, *picture(scene, view.names, view.seat, style), "", *after]
    print("\n".join(style.encodable(line) for line in lines).rstrip())


def _title(view: View, turn: int) -> str:
    if turn and turn != view.turn:
        return past_turn_heading(view.title, turn, view.turn)
    return turn_heading(view.title, view.turn, phase_of(view), is_over=view.is_over)


def _after(view: View, turn: int) -> list[str]:
    if turn and turn != view.turn:
        return []
    if view.is_over:
        return score_lines(view)
    return [*rules_chosen(view.play.ruleset, view.options), open_questions_line(view)]
