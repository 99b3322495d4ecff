"""`games`, `demo`, `sim`, `keys`, `rules`: what needs no game, or makes one for show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.completing import complete_game
from pbem.cli.failure import STALE, CliError
from pbem.cli.options import JsonOption, RulesOption

if TYPE_CHECKING:
    from pbem.cli.session import Session

keys = typer.Typer(
    help="Your keys: one for each profile.", no_args_is_help=True, rich_markup_mode=None
)
rules = typer.Typer(
    help="The rules, settled case by case.", no_args_is_help=True, rich_markup_mode=None
)


def games(json: JsonOption = False) -> None:
    """The rulesets that are installed."""
    from games.registry import names, ruleset

    found = [ruleset(name) for name in names()]
    if json:
        from pbem.cli.data import print_data

        print_data(
            "games",
            [
                {"name": r.name, "title": r.title, "players": [r.players[0], r.players[-1]]}
                for r in found
            ],
        )
        return
    from pbem.screen.terminal import print_folded

    for one in found:
        print_folded(f"{one.name:12} {one.players[0]}-{one.players[-1]} players  {one.about}", 13)
        for option in one.options:
            said = f"--option {option.name}={'|'.join(option.values)}: {option.doc}"
            print_folded(f"{'':12} {said}", 15)


def demo(
    game: Annotated[
        str, typer.Option("--game", autocompletion=complete_game, help="Default: the first.")
    ] = "",
    players: Annotated[int, typer.Option("--players", help="How many bots play.")] = 4,
    bot: Annotated[str, typer.Option("--bot", help="Which bot.")] = "greedy",
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="The same seed makes every byte of the game the same."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", "-C", metavar="FOLDER", help="Where to play."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Bots play a whole sealed game through a real folder; then it is audited."""
    from pbem.cli.demonstration import Demo

    raise typer.Exit(Demo(game, players, bot, seed, folder, json).run())


def sim(
    game: Annotated[str, typer.Argument(autocompletion=complete_game, help="The ruleset.")],
    players: Annotated[int, typer.Option("--players", help="How many play.")] = 0,
    number: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The luck of all games.")] = 1,
    bots: Annotated[
        str, typer.Option("--bots", metavar="NAMES", help="One bot for all, or one for each: a,b.")
    ] = "random",
    option: RulesOption = None,
    json: JsonOption = False,
) -> None:
    """Games of bots without files, and what came of them."""
    import json as json_format

    from games.registry import UnknownGame, ruleset
    from pbem.cli.making import read_options
    from pbem.simulate import simulate

    try:
        found = ruleset(game)
        options = read_options(option or ())
        result = simulate(
            found, players or found.players[0], number, seed, bots.split(","), options
        )
    except (UnknownGame, ValueError) as error:
        raise CliError(str(error)) from None
    if json:
        print(json_format.dumps(result))
        return
    for name, value in result.items():
        print(f"{name:20} {value}")


@rules.command("test")
def rules_test(
    files: Annotated[list[Path], typer.Argument(help="Files of rule cases.")],
    json: JsonOption = False,
) -> None:
    """Run rule cases: does the program play as the case says? (docs/rule-cases.md)"""
    from pbem.rulecases import main

    raise typer.Exit(main(files, json=json))


@keys.command("new")
def keys_new(
    profile: Annotated[str, typer.Option("--profile", help="Its name.")] = "default",
    json: JsonOption = False,
) -> None:
    """Make a key."""
    from pbem.cli.making import make_key
    from pbem.cli.session import Session

    session = Session()
    if profile in session.home.profiles():
        where = session.home.key_path(profile)
        raise CliError(f"{profile} has a key already: {where}", "another --profile NAME")
    _check_name(session, profile)
    make_key(session, profile)
    _print_key(session, profile, str(session.home.key_path(profile)), json)


@keys.command("show")
def keys_show(json: JsonOption = False) -> None:
    """Your profiles, their public keys, and where the secret ones lie."""
    from pbem.cli.session import Session
    from pbem.format.keys import public_line

    session = Session()
    found = [
        {"profile": name, "public": public_line(public), "file": str(session.home.key_path(name))}
        for name, public in session.publics.items()
    ]
    if json:
        from pbem.cli.data import print_data

        print_data("keys", found)
        return
    for one in found:
        print(f"{one['profile']}: {one['public']}\n  {one['file']}")
    if not found:
        print("no keys yet; one is made when you first need it, or by `pbem keys new`")


@keys.command("import")
def keys_import(
    file: Annotated[Path, typer.Argument(help="An OpenSSH private key (Ed25519).")],
    profile: Annotated[str, typer.Option("--profile", help="Its name here.")] = "default",
    json: JsonOption = False,
) -> None:
    """Take a key that you have: it is copied as it is, passphrase and all."""
    from pbem.cli.session import Session
    from pbem.format.keys import public_of_file
    from pbem.screen.terminal import typed
    from pbem.storage.errors import TakenError
    from pbem.storage.read_file import read_file

    session = Session()
    _check_name(session, profile)
    if not file.is_file():
        told = "is a folder" if file.is_dir() else "is not there"
        raise CliError(f"{file} {told}", "name the key file that you copied when you got it")
    data = read_file(file.absolute())
    public_of_file(data)
    try:
        path = session.home.write_key(profile, data)
    except TakenError:
        where = session.home.key_path(profile)
        told = f"{profile} has another key already: {where}; nothing was overwritten"
        hint = f"pbem keys import {typed(file)} --profile NAME, and join with --profile NAME"
        raise CliError(told, hint, STALE) from None
    _print_key(session, profile, str(path), json)


def _print_key(session: Session, profile: str, path: str, json: bool) -> None:
    """Where the key lies that was made or taken."""
    from pbem.cli.data import print_data
    from pbem.format.keys import public_line

    if json:
        public = public_line(session.publics[profile])
        print_data("keys", [{"profile": profile, "public": public, "file": path}])
    else:
        print(path)


def _check_name(session: Session, profile: str) -> None:
    try:
        session.home.key_path(profile)
    except ValueError as error:
        raise CliError(str(error)) from None
