"""The command `demo`: bots play a whole sealed game, each from a home of its own as people do."""

from __future__ import annotations

import hashlib
import sys
import time
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from engine.bots import factories
from games.registry import UnknownGame, default_name, ruleset
from pbem.acts.advance import bot_texts, step
from pbem.acts.join import take_seat
from pbem.acts.new_game import NewGame
from pbem.acts.orders import send
from pbem.acts.replay import write_replay
from pbem.cli.options import JsonOption, complete_game
from pbem.errors import CliError
from pbem.files.folder import Folder
from pbem.files.home import Home
from pbem.files.syscalls import temporary_folder
from pbem.format.keys import SigningKey, write_key
from pbem.judge.audit import audit
from pbem.judge.sign import invite_to
from pbem.person.session import Session
from pbem.replay.page import all_hands
from pbem.terminal.output import print_data
from pbem.terminal.table import for_people, picture
from pbem.terminal.terminal import stdout_style
from pbem.wording.certificate import report_as_json
from pbem.wording.findings import print_report
from pbem.wording.scores import score_lines
from pbem.wording.views import demo_heading, demo_lines

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
FIRST_TIME = 1_700_000_000
"""The time at which a demo with a seed begins; each turn is a minute later."""


def demo(
    game: Annotated[
        str,
        typer.Option(autocompletion=complete_game, help="The ruleset (default: the first one)."),
    ] = "",
    players: Annotated[int, typer.Option(help="The number of bots.")] = 4,
    bot: Annotated[str, typer.Option(help="The bot that plays all seats.")] = "greedy",
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same game, byte for byte.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", "-C", metavar="FOLDER", help="The folder to play in.")
    ] = None,
    ask: Annotated[
        bool,
        typer.Option(
            "--ask",
            help="Let the bots answer one question at a time, instead of a whole round at once.",
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Bots play a whole sealed game in a real folder; then pbem audits it."""
    game = game or default_name()
    _check(game, players, bot)
    base = folder.absolute() if folder else temporary_folder("pbem-demo-")
    root = base / "savannah"
    referee = _referee(root, game, players, seed, ask)
    if not json:
        print(demo_heading(NAMES[:players], game, root), end="\n\n", flush=True)
    letters = [chr(ord("a") + n) for n in range(players)]
    seats = {seat: Session(root, home=_home(root, seat, seed)) for seat in letters}
    for seat, session in seats.items():
        invite = invite_to(referee.game_folder.charter, referee.refereeing.key(), seat)
        take_seat(session, invite.line(), "", "", "default")
    _play(referee, seats, bot, seed, ask, quiet=json)
    raise SystemExit(_end(root, referee, json))


def _check(game: str, players: int, bot: str) -> None:
    try:
        rules = ruleset(game)
    except UnknownGame as error:
        raise CliError(str(error)) from None
    if players not in rules.players:
        raise CliError(f"{game} is for {rules.players[0]} to {rules.players[-1]} players")
    if bot not in (bots := sorted(factories(rules))):
        raise CliError(f"{bot!r} is not a bot", f"the bots are {', '.join(bots)}")


def _home(root: Path, name: str, seed: int | None) -> Home:
    home = Home(root.parent / "homes" / name)
    if seed is not None:
        key = SigningKey(hashlib.sha256(f"pbem demo {seed} {name}".encode()).digest())
        home.write_key("default", write_key(key))
    return home


def _referee(root: Path, game: str, players: int, seed: int | None, as_printed: bool) -> Session:
    home = _home(root, "referee", seed)
    table = "" if seed is None else hashlib.sha256(f"{seed}".encode()).hexdigest()[:32]
    session = Session(root, home=home)
    NewGame(
        session, folder=root, players=",".join(NAMES[:players]), game=game, title="savannah",
        referee="Rhea", table=table, as_printed=as_printed,
    ).run()  # fmt: skip
    return session


def _play(
    referee: Session,
    seats: dict[str, Session],
    bot: str,
    seed: int | None,
    ask: bool,
    *,
    quiet: bool,
) -> None:
    """Play to the end. With `ask`, bots answer only what they are asked; otherwise they all send
    orders for a whole round at its start."""
    planned: set[tuple[str, int]] = set()
    """The seats that have sent orders for a round, each with the number of the round."""
    for turn in count(1):
        now = int(time.time()) if seed is None else FIRST_TIME + 60 * turn
        outcome = step(referee, now=now).outcome
        if outcome.is_over:
            break
        round_ = int(referee.readers.table().public.state.round)
        if not quiet and sys.stderr.isatty():
            print(f"\rround {round_:2}  {'#' * (turn // 2)} turn {turn}", end="", file=sys.stderr)
        elif not quiet and turn % 20 == 0:
            print(f"round {round_}, turn {turn}", file=sys.stderr)
        for seat, session in seats.items():
            if seat in outcome.awaited_kinds or not (ask or (seat, round_) in planned):
                planned.add((seat, round_))
                session.refresh()
                reader = session.readers.seat(seat)
                send(session, reader, seat, bot_texts(reader, bot, not ask))
    if not quiet and sys.stderr.isatty():
        print(file=sys.stderr)


def _end(root: Path, referee: Session, json: bool) -> int:
    folder, view = Folder(root), referee.fresh_view("")
    report = audit(folder)
    page = root.parent / f"{root.name}.html"
    write_replay(all_hands(view, report.log), range(1, view.turn + 1), page, folder)
    if json:
        data = {"folder": str(root), "replay": str(page), "audit": report_as_json(report)}
        print_data("demo", data)
        return report.exit
    ruleset = view.play.ruleset
    scene = for_people(ruleset.scene(view.table.state), ruleset)
    print("\n".join([*picture(scene, view.names, "", stdout_style()), "", *score_lines(view), ""]))
    print_report(report)
    print()
    print("\n".join(demo_lines(page, root)))
    return report.exit
