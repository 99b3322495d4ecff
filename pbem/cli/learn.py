"""The command `learn`: a first game against a bot, in which every step says what it is for."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.acts.advance import make_turns_at_once
from pbem.acts.learn import begin
from pbem.acts.orders import Planning
from pbem.cli.log import print_log
from pbem.cli.options import NoBrowserOption, PortOption, complete_game
from pbem.cli.table import server
from pbem.errors import NOT_YET, CliError
from pbem.files.home import Home
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.terminal.commands import command_at
from pbem.terminal.table import for_people, picture
from pbem.terminal.terminal import print_folded, say, stdout_style
from pbem.wording.lesson import lesson_lines, lesson_text
from pbem.wording.next_step import say_step_in_terminal


def learn(
    game: Annotated[
        str,
        typer.Option(
            autocompletion=complete_game, help="The ruleset (default: the first in `pbem games`)."
        ),
    ] = "",
    again: Annotated[
        bool,
        typer.Option("--again", help="Begin the lesson again; what you have played of it is lost."),
    ] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Stay in the terminal: print what to do now.")
    ] = False,
    do: Annotated[
        bool,
        typer.Option("--do", help="Seal the orders that are advised now; stay in the terminal."),
    ] = False,
    port: PortOption = 0,
    no_browser: NoBrowserOption = False,
) -> None:
    """Learn a game by playing it: a first game against a bot explains every step."""
    home = Home.find()
    session = begin(home, game, from_start=again)
    if do:
        _do(session)
    if do or terminal:
        _print_lesson(session)
        return
    page = f"game/{session.game_folder.game.hex()}"
    server(home, None, port, page).run(open_browser=not no_browser)


def _do(session: Session) -> None:
    view = session.view(skip_cache=True)
    text = lesson_text(session, view)
    if text is None or not text.orders:
        raise CliError("nothing is advised now", command_at(session.place, "pbem play"), NOT_YET)
    for kind, lines in text.orders.items():
        planning = Planning(session, view)
        planning.change({"mark": planning.mark, "do": "write", "kind": kind, "lines": [*lines]})
    Planning(session, view).seal()
    _, stopped = make_turns_at_once(session)
    if stopped:
        raise CliError(stopped, command_at(session.place, "pbem advance"), NOT_YET)
    session.refresh()
    now = session.view()
    print_log(now, range(view.turn, now.turn + 1), False, "since")
    print()


def _print_lesson(session: Session) -> None:
    """Print the table, the advice of the lesson, and the next step."""
    view, style = session.view(), stdout_style()
    scene = view.play.ruleset.scene(view.table.state)
    for line in picture(for_people(scene, view.play.ruleset), view.names, view.seat, style):
        print(style.encodable(line))
    print()
    for line in lesson_lines(session, view):
        print_folded(line)
    situation = situation_of(session)
    step = say_step_in_terminal(next_step(situation), situation)
    say(f"next: {command_at(session.place, step)}")
