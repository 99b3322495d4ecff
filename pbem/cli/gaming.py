"""`new`, `join`, `advance`: making a game, taking a seat, making turns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.completion import complete_game
from pbem.cli.failure import NOT_YET, CliError
from pbem.cli.options import (
    FolderOption,
    JsonOption,
    PassphraseOption,
    ProfileOption,
    RulesOption,
    TableOption,
)
from pbem.screen.terminal import clean
from pbem.storage.errors import FileError

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.making.advance import Outcome

MOST_DOUBTS = 8
"""Joins that do not count, named one by one."""


def new(
    folder: Annotated[Path, typer.Argument(help="A new folder for the game.")],
    players: Annotated[
        str, typer.Option("--players", metavar="NAMES", help="In clockwise order: Ann,Bo,Cy.")
    ],
    game: Annotated[
        str,
        typer.Option(
            "--game", autocompletion=complete_game, help="Default: the first of `pbem games`."
        ),
    ] = "",
    title: Annotated[str, typer.Option("--title", help="Default: the folder's name.")] = "",
    referee: Annotated[str, typer.Option("--referee", help="Your name, if you do not play.")] = "",
    referee_plays: Annotated[
        bool, typer.Option("--referee-plays", help="You play too, in the first seat.")
    ] = False,
    bots: Annotated[
        str, typer.Option("--bots", metavar="NAME:COUNT", help="Bots in the last seats: greedy:2.")
    ] = "",
    option: RulesOption = None,
    deadline: Annotated[
        int,
        typer.Option("--deadline", min=0, metavar="HOURS", help="Then silence counts; 0: never."),
    ] = 0,
    cards: Annotated[
        Path | None, typer.Option("--cards", metavar="FILE", help="Your own values of the cards.")
    ] = None,
    profile: ProfileOption = "default",
    table: TableOption = "",
    passphrase_file: PassphraseOption = None,
) -> None:
    """Make a game and become its referee."""
    from pbem.cli.starting.make_game import NewGame

    NewGame(
        folder=folder, players=players, game=game, title=title, referee=referee,
        referee_plays=referee_plays, bots=bots, options=option or [], deadline=deadline,
        cards=cards, profile=profile, table=table, passphrase_file=passphrase_file,
    ).run()  # fmt: skip


def join(
    invite: Annotated[
        str, typer.Option("--invite", help="The line that the referee sent you; - reads it.")
    ],
    name: Annotated[str, typer.Option("--name", help="Your name, if another.")] = "",
    contact: Annotated[str, typer.Option("--contact", help="How the referee reaches you.")] = "",
    profile: ProfileOption = "default",
    folder: FolderOption = None,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Take your seat in a game."""
    from pbem.cli.session.session import Session
    from pbem.cli.starting.take_seat import take_seat

    take_seat(Session(folder, None, passphrase_file), invite, name, contact, profile)


def advance(
    watch: Annotated[bool, typer.Option("--watch", help="Go on until interrupted.")] = False,
    start: Annotated[bool, typer.Option("--start", help="Begin without the empty seats.")] = False,
    accept: Annotated[
        list[str] | None,
        typer.Option("--accept", metavar="ID", help="Take a join that has no right code."),
    ] = None,
    refuse: Annotated[
        list[str] | None,
        typer.Option("--refuse", metavar="ID", help="Leave a join out."),
    ] = None,
    go_on: Annotated[
        bool, typer.Option("--go-on", help="List orders built on an unknown turn as forked.")
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Make the next turn, as soon as it can be made."""
    from pbem.cli.failure import say
    from pbem.cli.session.session import Session
    from pbem.play.making.advance import Wishes

    session = Session(folder, None, passphrase_file)
    if session.listing.reached and (accept or refuse):
        say("note: the game has begun: --accept and --refuse change nothing now")
    wishes = Wishes(start, _digits(accept), _digits(refuse), go_on)
    if watch:
        _watch(session, wishes)
    outcome = step(session, wishes)
    if json:
        _print_json(session, outcome)
    else:
        tell(session, outcome)
    if not outcome.write and not outcome.over:
        raise typer.Exit(NOT_YET)


def _digits(ids: list[str] | None) -> list[str]:
    """Ids as they were typed: six hex digits or more. Raises CliError for anything else."""
    ids = [ident.lower() for ident in ids or ()]
    for ident in ids:
        if not re.fullmatch("[0-9a-f]{6,64}", ident):
            hint = "the six digits at the end of the file's name in seats/"
            raise CliError(f"{ident!r} is no id of a join", hint)
    return ids


def step(session: Session, wishes: Any = None, now: int | None = None) -> Outcome:
    """Let bots answer, then make what can be made and write it."""
    from pbem.cli.session.file_notes import notes
    from pbem.cli.session.start_wishes import exact, keep_wishes
    from pbem.cli.starting.make_game import sit_held
    from pbem.cli.turns.held_seats import bots_answer
    from pbem.cli.turns.publish_turn import publish, restore

    with session.mine.lock("advance") as alone:
        if not alone:
            told = "another `pbem advance` is at work on this game"
            raise CliError(told, "wait until it is done", NOT_YET)
        session.refresh()
        if not session.listing.reached:
            sit_held(session, session.game_folder.charter, session.referee_key())
        again = restore(session)
        early = not session.listing.reached
        wishes = exact(session.game_folder, wishes) if early and wishes else wishes
        outcome: Outcome = session.advance(wishes, now)
        if early:
            keep_wishes(session.mine, wishes, bool(outcome.first))
        while outcome.first and bots_answer(session, outcome):
            session.refresh()
            outcome = session.advance(wishes, now)
        for name, record in outcome.write:
            publish(session, name, record)
    session.met = again + notes(session)
    session.refresh()
    return outcome


def tell(session: Session, outcome: Outcome) -> None:
    """What advance did, or whom it waits for."""
    from pbem.cli.failure import say
    from pbem.cli.mail.mail_hints import mail_hint

    for note in session.met:
        say(note)
    for name, record in outcome.write:
        what = (
            "final.toml: the game is open to everybody's audit"
            if name.kind == "final"
            else name.path
        )
        print(f"made {what} ({record.id.hex()[:6]})")
    if outcome.write:
        mail_hint(session)
    if outcome.first:
        seats = ", ".join(outcome.first)
        say(f"you first: seat {seats} answers before the others see the next turn")
        say("next: pbem orders --edit, then pbem submit, then pbem advance")
    elif ("join",) in outcome.waiting.values():
        _tell_empty(session, outcome)
    elif outcome.over:
        say("the game is over")
        say("next: pbem audit")
    else:
        _tell_waiting(session, outcome)


def _tell_waiting(session: Session, outcome: Outcome) -> None:
    """Whom the next turn waits for, by name, and whose orders are here."""
    from pbem.cli.failure import say
    from pbem.cli.turns.next_advance import leaves_open

    here = {
        *outcome.answered,
        *(session.game_folder.charter.content.plays if outcome.write else ()),
    }
    asked = [
        f"{_name(session, seat)} ({', '.join(kinds)})"
        for seat, kinds in sorted(outcome.waiting.items())
        if seat not in here
    ]
    if not asked:
        say("all have answered")
        say("next: pbem advance")
        return
    sealed = [_name(session, seat) for seat in outcome.answered]
    say(f"waiting for: {', '.join(asked)}" + (f"; here: {', '.join(sealed)}" if sealed else ""))
    for seat in outcome.left_open:
        say(leaves_open(session.name_of(seat), seat))
    say("next: pbem advance, when they have sent orders (or now: pbem advance --watch)")


def _name(session: Session, seat: str) -> str:
    """`b Bo`."""
    return f"{seat} {clean(session.name_of(seat))}"


def _tell_empty(session: Session, outcome: Outcome) -> None:
    """Which seats nobody has taken, and the lines to send to whom they are for."""
    from pbem.cli.failure import say
    from pbem.cli.starting.make_game import invite_lines
    from pbem.play.checking.charter_rules import ruleset_of

    for record, why in outcome.doubtful[:MOST_DOUBTS]:
        seat, digits = record.content.seat, record.id.hex()[:6]
        say(f"note: seats/{seat}-{digits}.toml ({clean(record.content.name)}): {clean(why)}")
    if (more := len(outcome.doubtful) - MOST_DOUBTS) > 0:
        say(f"note: {more} more files in seats/ do not count; remove those of strangers")
    if outcome.contested:
        _tell_contested(session, outcome)
        return
    empty = ", ".join(_name(session, seat) for seat in sorted(outcome.waiting))
    say(f"waiting for players to join: {empty}")
    say("send each his own line, privately:")
    for line in invite_lines(session.game_folder.charter, session.referee_key(), outcome.waiting):
        say(line)
    charter = session.game_folder.charter
    players = ruleset_of(charter.content).players
    if len(charter.content.seats) - len(outcome.waiting) in players:
        say("next: pbem advance, when they have joined; or pbem advance --start, without them")
    else:
        say(f"next: pbem advance, when they have joined; at least {players[0]} must play")


def _tell_contested(session: Session, outcome: Outcome) -> None:
    """Seats that two people took with one invite: only a telephone call can settle that."""
    from pbem.cli.failure import say
    from pbem.cli.session.start_wishes import wishes_of

    by_word = " or by your --accept" if wishes_of(session.mine, None).accept else ""
    for seat, records in outcome.contested.items():
        name = _name(session, seat)
        people = [f"{clean(r.content.name)} ({r.id.hex()[:6]})" for r in records[:MOST_DOUBTS]]
        told = f"seat {name} is taken {len(records)} times, each with its invite{by_word}"
        say(f"{told}: {', '.join(people)}")
        say(f"telephone {name[2:]}: `pbem status` there names the six digits of the right join")
        say("next: pbem advance --accept DIGITS, with those of the right join")


def _watch(session: Session, wishes: Any) -> None:
    """Go on until the game is over; what may mend itself (exit 5) is said once and waited for."""
    import time

    from pbem.cli.failure import complain

    said = ""
    while True:
        try:
            outcome = step(session, wishes)
        except (CliError, FileError) as error:
            if error.exit != NOT_YET:
                raise
            if str(error) != said:
                complain(said := str(error))
            time.sleep(2)
            continue
        waiting = f"{outcome.waiting} {outcome.first} {outcome.answered} {outcome.left_open}"
        if outcome.write or waiting != said:
            tell(session, outcome)
            said = waiting
        if outcome.over:
            raise typer.Exit(0)
        if not outcome.write:
            time.sleep(2)


def _print_json(session: Session, outcome: Outcome) -> None:
    from pbem.cli.json_output import print_data

    print_data(
        "advance",
        {
            "game": session.game_folder.game.hex(),
            "made": [{"file": n.path, "id": r.id.hex()} for n, r in outcome.write],
            "waiting": {seat: list(kinds) for seat, kinds in outcome.waiting.items()},
            "answered": list(outcome.answered),
            "first": list(outcome.first),
            "over": outcome.over,
        },
    )
