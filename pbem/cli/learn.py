"""The command `learn`: a first game against a bot, in which every step says what it is for."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.acts.advance import make_turns_at_once
from pbem.acts.begin_lesson import begin
from pbem.acts.plan_orders_step_by_step import Planning
from pbem.cli.log_and_since import print_log
from pbem.cli.shared_options import NoBrowserOption, PortOption, complete_game
from pbem.cli.table import server
from pbem.errors import NOT_YET, CliError
from pbem.files.home import Home
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.terminal.commands_and_paths_to_type import command_at
from pbem.terminal.printing import print_folded, say, stdout_style
from pbem.terminal.table import draw_scene, with_player_facts_renamed
from pbem.wording.lesson_and_demo import lesson_lines, lesson_text
from pbem.wording.next_step import say_step_in_terminal


def learn(
    game: Annotated[
        str,
        typer.Option(
            autocompletion=complete_game, help="The ruleset (default: the first in `pbem games`)."
        ),
    ] = "",
    from_start: Annotated[
        bool,
        typer.Option("--again", help="Begin the lesson again, and delete what you have played."),
    ] = False,
    terminal: Annotated[
        bool,
        typer.Option("--terminal", help="Stay in the terminal: print the next step of the lesson."),
    ] = False,
    seals_advice: Annotated[
        bool,
        typer.Option("--do", help="Stay in the terminal: seal the orders that the lesson advises."),
    ] = False,
    port: PortOption = 0,
    no_browser: NoBrowserOption = False,
) -> None:
    """Learn a game by playing it: a first game against a bot explains every step."""
    home = Home.find()
    session = begin(home, game, from_start=from_start)
    if seals_advice:
        _seal_advised_orders(session)
    if seals_advice or terminal:
        _print_lesson(session)
        return
    page = f"game/{session.game_folder.game.hex()}"
    server(home, None, port, page).run(open_browser=not no_browser)


def _seal_advised_orders(session: Session) -> None:
    """Seal the advised orders, make the turns that waited for them, and print the log since then.
    Raises CliError if no orders are advised, or if no turn can be made."""
    view = session.view(skip_cache=True)
    advice = lesson_text(session, view)
    if advice is None or not advice.orders:
        hint = command_at(session.place, "pbem play")
        raise CliError("the lesson has no orders to advise now", hint, NOT_YET)
    for kind, lines in advice.orders.items():
        planning = Planning(session, view)
        planning.change({"mark": planning.mark, "do": "write", "kind": kind, "lines": [*lines]})
    Planning(session, view).seal()
    _, stop_reason = make_turns_at_once(session)
    if stop_reason:
        raise CliError(stop_reason, command_at(session.place, "pbem advance"), NOT_YET)
    session.refresh()
    new_view = session.view()
    print_log(new_view, range(view.turn, new_view.turn + 1), False, "since")
    print()


def _print_lesson(session: Session) -> None:
    """Print the table, the advice of the lesson, and the next step."""
    view, style = session.view(), stdout_style()
    scene = view.play.ruleset.scene(view.table.state)
    for line in draw_scene(
        with_player_facts_renamed(scene, view.play.ruleset), view.names, view.seat, style
    ):
        print(style.encodable(line))
    print()
    for line in lesson_lines(session, view):
        print_folded(line)
    situation = situation_of(session)
    step = say_step_in_terminal(next_step(situation), situation)
    say(f"next: {command_at(session.place, step)}")
