"""The command `demo`: bots play a whole sealed game, each from a home of its own as people do."""

from __future__ import annotations

import hashlib
import sys
import time
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from engine.make_and_ask_bots import bot_factories
from games.registry import UnknownGame, default_name, ruleset
from pbem.acts.advance import bot_texts, make_next_turn
from pbem.acts.join import take_seat
from pbem.acts.new_game import NewGame
from pbem.acts.seal_orders import seal_and_write_orders
from pbem.acts.write_replays_and_pictures import write_replay
from pbem.cli.shared_options import JsonOption, complete_game
from pbem.errors import CliError
from pbem.files.game_folder import Folder
from pbem.files.home import Home
from pbem.files.syscalls import temporary_folder
from pbem.format.openssh_key_files import write_key
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.audit import audit
from pbem.judge.make_signed_records import invite_to
from pbem.person.session import Session
from pbem.records.twelve_words import words_of
from pbem.replay.steps import view_with_all_hands
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import stdout_style
from pbem.terminal.table import draw_scene, with_player_facts_renamed
from pbem.wording.audit_certificate import report_as_json
from pbem.wording.audit_findings_to_show import print_report
from pbem.wording.lesson_and_demo import demo_heading, demo_lines
from pbem.wording.results import score_lines

PLAYER_NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
FIRST_TIME = 1_700_000_000
"""The time at which a demo with a seed begins; each turn is a minute later."""


def demo(
    game: Annotated[
        str,
        typer.Option(
            autocompletion=complete_game, help="The ruleset (default: the first in `pbem games`)."
        ),
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
    dealers: Annotated[
        bool,
        typer.Option(
            "--dealers",
            help="Let a host and the referee deal together: neither alone can read a hand.",
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Bots play a whole sealed game in a real folder; then pbem audits it."""
    game = game or default_name()
    _check(game, players, bot)
    base = folder.absolute() if folder else temporary_folder("pbem-demo-")
    game_folder = base / "savannah"
    host = _host(game_folder, seed) if dealers else None
    referee = _make_game(game_folder, game, players, seed, host, as_printed=ask)
    if not json:
        heading = demo_heading(PLAYER_NAMES[:players], game, game_folder)
        print(heading, end="\n\n", flush=True)
    seats = [chr(ord("a") + index) for index in range(players)]
    sessions = {seat: Session(game_folder, home=_home(game_folder, seat, seed)) for seat in seats}
    for seat, session in sessions.items():
        invite = invite_to(referee.game_folder.charter, referee.refereeing.key(), seat)
        take_seat(session, invite.line(), "", "", "default")
    _play(referee, sessions, host, bot, seed, asks_singly=ask, is_quiet=json)
    raise SystemExit(_report(game_folder, referee, json))


def _check(game: str, players: int, bot: str) -> None:
    """Raise CliError if the ruleset is unknown, or does not allow the number of players or the
    bot."""
    try:
        rules = ruleset(game)
    except UnknownGame as error:
        raise CliError(str(error)) from None
    if players not in rules.players:
        raise CliError(f"{game} is for {rules.players[0]} to {rules.players[-1]} players")
    bots = sorted(bot_factories(rules))
    if bot not in bots:
        raise CliError(f"{bot!r} is not a bot", f"the bots are {', '.join(bots)}")


def _home(game_folder: Path, owner: str, seed: int | None) -> Home:
    """Return the home of a seat or of the referee, beside the game folder. With a seed, it gets a
    key that depends only on the seed and the owner."""
    home = Home(game_folder.parent / "homes" / owner)
    if seed is not None:
        key = SigningKey(hashlib.sha256(f"pbem demo {seed} {owner}".encode()).digest())
        home.write_key("default", write_key(key))
    return home


def _host(game_folder: Path, seed: int | None) -> Session:
    """Return the session of the host that deals together with the referee. Raises CliError if the
    library that hides cards is missing."""
    from pbem.format.curve_group import load_library

    load_library()
    return Session(game_folder, home=_home(game_folder, "host", seed))


def _host_lines(host: Session) -> list[str]:
    from pbem.judge.deputy_and_co_dealer_keys_in_charter import make_co_dealer_line

    return [f"the host={make_co_dealer_line(host.keyring.key_or_new('default')).line()}"]


def _time_of(turn: int, seed: int | None) -> int:
    """Return the time at which a turn is made: with a seed, each is a minute later."""
    return int(time.time()) if seed is None else FIRST_TIME + 60 * turn


def _deal(host: Session | None, now: int, compared_words: str = "") -> None:
    """Let the host write its part of the deal, if the last turn owes one; after the game, its
    secret, at once if the words of the last turn were compared."""
    if host is not None:
        from pbem.acts.deal_as_co_dealer import deal_if_owed

        deal_if_owed(host, host.keyring.key_or_new("default"), now, compared_words)


def _make_game(
    game_folder: Path,
    game: str,
    players: int,
    seed: int | None,
    host: Session | None,
    *,
    as_printed: bool,
) -> Session:
    """Make the game, and return the referee's session. With a `host`, it deals too."""
    table_id = "" if seed is None else hashlib.sha256(f"{seed}".encode()).hexdigest()[:32]
    session = Session(game_folder, home=_home(game_folder, "referee", seed))
    NewGame(
        session, folder=game_folder, players=",".join(PLAYER_NAMES[:players]), game=game,
        title="savannah", referee="Rhea", table=table_id, as_printed=as_printed,
        co_dealers=_host_lines(host) if host else (),
    ).run()  # fmt: skip
    return session


def _play(
    referee: Session,
    sessions: dict[str, Session],
    host: Session | None,
    bot: str,
    seed: int | None,
    *,
    asks_singly: bool,
    is_quiet: bool,
) -> None:
    """Let the bots play to the end; `sessions` has one for each seat. With `asks_singly`, bots
    answer only open questions; otherwise they also send orders for a whole round at its start.
    Print the progress to standard error, unless `is_quiet`."""
    planned_rounds: set[tuple[str, int]] = set()
    """The seats that have sent orders for a round, each with the number of the round."""
    _deal(host, _time_of(0, seed))
    for turn in count(1):
        now = _time_of(turn, seed)
        outcome = make_next_turn(referee, now=now).outcome
        if outcome.is_over:
            referee.refresh()
            words = " ".join(words_of(referee.readers.table().chain.head))
            _deal(host, now, words)  # all players are here: nobody plays another copy of the game
            break
        if outcome.awaited_dealers:
            _deal(host, now)
            continue
        round_number = int(referee.readers.table().public.state.round)
        if not is_quiet:
            _print_progress(round_number, turn)
        for seat, session in sessions.items():
            is_planned = asks_singly or (seat, round_number) in planned_rounds
            if seat in outcome.awaited_kinds or not is_planned:
                planned_rounds.add((seat, round_number))
                session.refresh()
                reader = session.readers.seat(seat)
                seal_and_write_orders(
                    session, reader, seat, bot_texts(reader, bot, not asks_singly)
                )
    if not is_quiet and sys.stderr.isatty():
        print(file=sys.stderr)


def _print_progress(round_number: int, turn: int) -> None:
    """Print how far the game is: in a terminal as a bar in one line, elsewhere after each twenty
    turns."""
    if sys.stderr.isatty():
        bar = "#" * (turn // 2)
        print(f"\rround {round_number:2}  {bar} turn {turn}", end="", file=sys.stderr)
    elif turn % 20 == 0:
        print(f"round {round_number}, turn {turn}", file=sys.stderr)


def _report(game_folder: Path, referee: Session, json: bool) -> int:
    """Audit the game, write its replay beside the game folder, and print both; return the audit's
    exit code."""
    folder, view = Folder(game_folder), referee.fresh_view("")
    report = audit(folder)
    page = game_folder.parent / f"{game_folder.name}.html"
    write_replay(view_with_all_hands(view, report.log), range(1, view.turn + 1), page, folder)
    if json:
        audit_data = report_as_json(report)
        data = {"folder": str(game_folder), "replay": str(page), "audit": audit_data}
        print_data("demo", data)
        return report.exit
    ruleset = view.play.ruleset
    scene = with_player_facts_renamed(ruleset.scene(view.table.state), ruleset)
    print(
        "\n".join([*draw_scene(scene, view.names, "", stdout_style()), "", *score_lines(view), ""])
    )
    print_report(report)
    print()
    print("\n".join(demo_lines(page, game_folder)))
    return report.exit
