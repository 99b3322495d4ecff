"""The commands `show`, `replay` and `table`: look at games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from engine import Scene
from pbem.acts.replay import (
    TABLE_VIEWER,
    messages_for,
    view_to_show,
    what_it_shows,
    with_all_hands,
    write_picture,
    write_replay,
)
from pbem.cli.options import (
    ColourOption,
    FolderOption,
    JsonOption,
    NoBrowserOption,
    NoPressOption,
    NowOption,
    PassphraseOption,
    PortOption,
    SeatOption,
    check_colour,
    named_folders,
)
from pbem.drafts.offers import phase_of
from pbem.errors import NOT_YET, CliError, extra
from pbem.files.disk import AwayError
from pbem.files.home import Home
from pbem.files.places import Place
from pbem.judge.archive import game_in
from pbem.judge.view import View
from pbem.person.session import Session
from pbem.person.user_game import chosen_place
from pbem.records.charter import slug
from pbem.terminal.failures import complain, sentence_of
from pbem.terminal.output import print_data
from pbem.terminal.table import for_people, picture, rules_chosen
from pbem.terminal.terminal import brief, fold, say, stdout_style
from pbem.wording.lesson import lesson_lines
from pbem.wording.scores import score_lines
from pbem.wording.views import (
    open_questions_line,
    past_turn_heading,
    shows_hand_note,
    turn_heading,
)

if TYPE_CHECKING:
    from pbem.web.server import Server


def replay(
    named: Annotated[
        str | None, typer.Argument(metavar="FOLDER", help="The game folder (default: here).")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write (default: a page beside the game folder).",
        ),
    ] = None,
    seat: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="SEAT",
            help="Show the game as one of your seats sees it, or as everybody does (table). "
            "Default: all hands if the game is over, otherwise the table.",
        ),
    ] = "",
    start: Annotated[
        int | None, typer.Option("--from", metavar="TURN", help="The first turn (default: 1).")
    ] = None,
    stop: Annotated[
        int | None, typer.Option("--to", metavar="TURN", help="The last turn (default: all).")
    ] = None,
    folder: FolderOption = None,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Write a game as one web page: step through it without a server or a network."""
    wish = "" if seat == TABLE_VIEWER else seat
    [place] = named_folders([named] if named else None, folder)
    session = Session(place, wish or None, passphrase_file)
    view = view_to_show(session, seat)
    turns = _turns(view, start, stop)
    path = output or session.folder.folder_beside / f"{slug(view.title)}.html"
    messages = [] if no_press else messages_for(session, view)
    size = write_replay(view, turns, path, session.folder, messages)
    print(f"wrote {brief(path)} ({size:,} bytes): {what_it_shows(view, turns)}")
    if view.seat in view.names and not view.is_over:
        say(shows_hand_note(view.seat))


def _turns(view: View, start: int | None, stop: int | None) -> range:
    most = view.published
    first, last = 1 if start is None else start, most if stop is None else stop
    if not 1 <= first <= last <= most:
        if not most:
            raise CliError("there is no turn to show yet", "pbem status", NOT_YET)
        problem = f"there are no turns from {first} to {last}; the last turn is {most}"
        raise CliError(problem, f"--from 1 --to {most}")
    return range(first, last + 1)


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


def table(
    port: PortOption = 0,
    no_browser: NoBrowserOption = False,
    folder: FolderOption = None,
    now: NowOption = "",
) -> None:
    """Look at your games in your browser, and play there with a mouse; Ctrl-C ends it."""
    home, place = Home.find(), chosen_place(folder)
    found = game_in(home.folder(place))
    if folder is not None and not found:
        raise CliError(f"there is no game in {folder}", "-C takes the folder of a game")
    server(home, place if found else None, port).run(open_browser=not no_browser)


def server(home: Home, place: Place | None, port: int, first_page: str = "") -> Server:
    """Return the server of the table. Raises CliError if what it needs is not installed."""
    needed = ("jinja2", "starlette", "uvicorn")
    with extra(needed, "pbem table needs libraries that are not installed"):
        from pbem.web.server import Server
    return Server(home, place, port, first_page)
