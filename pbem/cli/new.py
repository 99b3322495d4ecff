"""The command `new`: make a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.deadline_and_silence_options import DEFAULT_DEADLINE
from pbem.acts.new_game import MadeGame, NewGame
from pbem.acts.rematch_invites import rematch_notebook, start_next_game
from pbem.acts.rematch_plan import next_folder, place_of_game
from pbem.cli.shared_options import (
    PassphraseOption,
    ProfileOption,
    RulesOption,
    TableOption,
    complete_game,
)
from pbem.errors import CliError
from pbem.files.game_folder_places import new_address
from pbem.files.home import Home
from pbem.person.session import Session
from pbem.records.deadline_and_silence_policies import IDLE_AFTER, OPEN_AFTER
from pbem.wording.key_backup_loss_and_theft import back_up_reminder
from pbem.wording.new_game import (
    game_on_host_lines,
    invites_to_share,
    new_game_lines,
    next_lines_after_new,
    rematch_lines,
)


def new_game(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER",
            help="A new folder for the game (with --like: a folder beside the old game).",
        ),
    ] = "",
    players: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="The players in clockwise order, as in Ann,Bo,Cy. With --mail-seats, add "
            "addresses: Ann,Bo <bo@example.org>.",
        ),
    ] = "",
    like: Annotated[
        str,
        typer.Option(
            metavar="GAME",
            help="Play this game again, with the same people and rules; everybody moves up one "
            "seat. GAME is the folder or the title of the old game.",
        ),
    ] = "",
    invite: Annotated[
        bool,
        typer.Option(
            "--invite",
            help="With --like: invite each player of the old game by a private message there. The "
            "old game must be over. If a host dealt it, the host makes and deals this game too.",
        ),
    ] = False,
    at: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Keep the game on this host (`pbem host`) instead of in a folder; then FOLDER is "
            "the title of the game.",
        ),
    ] = "",
    dealer: Annotated[
        str,
        typer.Option(
            metavar="host",
            help="With --at: let the host deal the cards, if it offers that (`pbem host --deal`). "
            "You are then a player like the others.",
        ),
    ] = "",
    game: Annotated[
        str,
        typer.Option(
            autocompletion=complete_game, help="The ruleset (default: the first in `pbem games`)."
        ),
    ] = "",
    title: Annotated[
        str, typer.Option(help="The title of the game (default: the folder's name).")
    ] = "",
    referee: Annotated[
        str, typer.Option(help="Your name as the referee, if you do not play.")
    ] = "",
    referee_plays: Annotated[
        bool, typer.Option("--referee-plays", help="You also play, in the first seat.")
    ] = False,
    bots: Annotated[
        str,
        typer.Option(
            metavar="NAME:COUNT",
            help="Which bots play the last seats, and how many; greedy:2 means two greedy bots.",
        ),
    ] = "",
    mail_seats: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Players who do not have pbem and answer by plain email; you sign their orders "
            "for them.",
        ),
    ] = "",
    options: RulesOption = None,
    as_printed: Annotated[
        bool,
        typer.Option(
            "--as-printed",
            help="Play the printed rules, without the changes that save time by mail.",
        ),
    ] = False,
    deadline: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="The deadline, after which pbem makes the choices of silent players, for "
            "example 48h or 'every sunday 8pm Berlin'.",
        ),
    ] = DEFAULT_DEADLINE,
    deadline_for: Annotated[
        list[str] | None,
        typer.Option(metavar="PHASE=RULE", help="A different deadline for one phase."),
    ] = None,
    change_of_mind: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="How long players may still change their orders after the last orders arrive, "
            "for example 2h.",
        ),
    ] = "",
    delays: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="How long each player may put deadlines off in the whole game, for example '3 "
            "days'.",
        ),
    ] = "",
    idle_after: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="If a player misses N deadlines in a row, the game no longer waits for that "
            "player; 0 means that it always waits.",
        ),
    ] = IDLE_AFTER,
    wait_for_all: Annotated[
        bool,
        typer.Option(
            "--wait-for-all",
            help="Until the deadline, also wait for players who may be asked later in a round.",
        ),
    ] = False,
    open_after: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="If a player is absent for N whole rounds, somebody else may take the seat; 0 "
            "means never.",
        ),
    ] = OPEN_AFTER,
    silent_seat: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="What happens if a player is silent for too long: defaults (pbem makes the least "
            "harmful choices), bot (a bot plays on) or remove (the seat is removed from the game).",
        ),
    ] = "defaults",
    deputy: Annotated[
        str,
        typer.Option(
            metavar="NAME=LINE",
            help="The deputy who may take over from you. The deputy types `pbem keys deputy` to "
            "get the line, and sends it to you.",
        ),
    ] = "",
    deputy_after: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="The deputy may take over if no new turn comes for this long (default: 7 days).",
        ),
    ] = "",
    co_dealers: Annotated[
        list[str] | None,
        typer.Option(
            "--co-dealer",
            metavar="NAME=LINE",
            help="Experimental: somebody who deals together with you, so that neither of you alone "
            "can see a hand. The co-dealer types `pbem keys co-dealer` to get the line, and "
            "sends it to you. You can name two. One of them may be the host of --at: then "
            "write its address instead of NAME=LINE.",
        ),
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Play with the card values in this file (pbem explain --cards-template prints "
            "one).",
        ),
    ] = None,
    profile: ProfileOption = "default",
    table: TableOption = "",
    passphrase_file: PassphraseOption = None,
) -> None:
    """Make a game and become its referee."""
    arguments = locals()
    arguments.pop("invite")
    if invite and not like:
        raise CliError("--invite needs the old game", "pbem new --like savannah --invite")
    if not (folder or like):
        problem = "give a new folder for the game, and the names of the players"
        raise CliError(problem, "pbem new savannah --players Ann,Bo")
    # with --invite, a host may make the game: then there is no folder
    needs_no_folder = invite and place_of_game(like, Home.find()).is_remote
    arguments["folder"] = folder or (like if needs_no_folder else str(next_folder(like)))
    arguments["deadline_for"] = deadline_for or []
    arguments["co_dealers"] = co_dealers or ()
    if arguments.pop("at"):
        arguments["title"] = title or Path(arguments["folder"]).name
        arguments["folder"] = str(new_address(at))
    elif dealer:
        problem = "give the address of the host that deals"
        raise CliError(problem, "--at https://pond.example.org --dealer host")
    session = Session(arguments["folder"], None, arguments.pop("passphrase_file"))
    game_to_make = NewGame(session, **arguments)
    if invite:
        names = start_next_game(game_to_make)
        notes = rematch_notebook(game_to_make.old_session).read()
        lines = rematch_lines(names, notes.title, notes.own_invitation)
    elif dealer:
        on_host = game_to_make.let_host_deal()
        lines = game_on_host_lines(
            on_host.game, on_host.host, on_host.policies, on_host.assumptions
        )
    else:
        lines = _new_game_lines(session, game_to_make.run(), arguments["folder"], profile)
    print("\n".join(lines))


def _new_game_lines(
    session: Session, made_game: MadeGame, location: str, profile: str
) -> list[str]:
    """Return the report on a new game: its rules, the reminder to back up the key of the profile,
    the invites to send, and the next step. `location` is the game's folder or address."""
    lines = new_game_lines(
        made_game.charter.content,
        location,
        made_game.assumptions,
        may_play=not made_game.is_rematch,
        has_mail_options=made_game.has_mail_options,
    )
    lines += [*back_up_reminder(session, profile), *invites_to_share(session)]
    return [*lines, *next_lines_after_new(session, location)]
