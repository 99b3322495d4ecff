"""The commands `demo`, `doctor`, `keys`, `rules` and `sim`."""

from __future__ import annotations

import hashlib
import json as json_format
import os
import shlex
import stat
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from engine.bots import factories
from pbem import __version__
from pbem.cli.options import FolderOption, JobsOption, JsonOption, RulesOption, complete_game
from pbem.desk.advance import bot_texts, step
from pbem.desk.audit import print_report
from pbem.desk.base import now, print_data, progress, say
from pbem.desk.game_here import join_warnings, lost_lines, need_seen, watching
from pbem.desk.orders import send
from pbem.desk.replay import write_replay
from pbem.desk.session import Session
from pbem.desk.start import NewGame, read_options, take_seat
from pbem.errors import FINDINGS, KEY, NOT_YET, STALE, USAGE, CliError, PbemError
from pbem.files.disk import FileError, StorageError, TakenError, read_file, replace
from pbem.files.folder import Folder, Place, turn_path
from pbem.files.home import Home, Mine
from pbem.files.store_folder import StoreFolder
from pbem.files.syscalls import temporary_folder
from pbem.format.canonical import EXIT, WORST_FIRST, RecordError
from pbem.format.encrypted_box import public_of
from pbem.format.keys import (
    Secrets,
    SigningKey,
    is_encrypted,
    public_line,
    public_of_file,
    write_key,
)
from pbem.game.archive import NoGameError, new_notices
from pbem.game.audit import Report, audit
from pbem.game.deputy import DeputyLine
from pbem.game.press import PressReader, seating_in
from pbem.game.sign import invite_to
from pbem.game.view import View
from pbem.records.schema import near_the_last_turn
from pbem.screen.errors import FewOfMany
from pbem.screen.scores import score_lines
from pbem.screen.table import picture
from pbem.screen.terminal import clean, stdout_style, typed

if TYPE_CHECKING:
    from pbem.simulation.play import Setup
    from pbem.simulation.study import Study
    from pbem.workers.crew import Crew


# ---- The command `demo`: bots play a whole sealed game, which is then audited


def demo(
    game: Annotated[
        str,
        typer.Option(
            "--game", autocompletion=complete_game, help="The ruleset (default: the first one)."
        ),
    ] = "",
    players: Annotated[int, typer.Option("--players", help="The number of bots.")] = 4,
    bot: Annotated[str, typer.Option("--bot", help="The bot that plays all seats.")] = "greedy",
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="The same seed gives the same game, byte for byte."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", "-C", metavar="FOLDER", help="The folder to play in."),
    ] = None,
    ask: Annotated[
        bool,
        typer.Option(
            "--ask", help="Let the bots answer one question at a time, not a whole round together."
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Bots play a whole sealed game in a real folder; then pbem audits it."""

    raise SystemExit(Demo(game, players, bot, seed, folder, json, ask).run())


# ---- Play a game for `demo`; every bot has a separate home and submits orders as a person does

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
FIRST_TIME = 1_700_000_000
"""The time at which a demo with a seed begins; each turn is a minute later."""


class Demo:
    """One run of `demo`."""

    def __init__(
        self, game: str, players: int, bot: str, seed: int | None, folder: Path | None, json: bool,
        ask: bool = False,
    ) -> None:  # fmt: skip
        """Prepare a demo.

        With `ask`, bots answer only what they are asked; otherwise they send the orders for a whole
        round.
        """
        from games.registry import first

        self.ask = ask
        self.said: set[tuple[str, int]] = set()
        """Pairs of a seat and the number of a round for which it has sent orders."""
        self.game, self.players = game or first(), players
        self.bot, self.seed, self.json = bot, seed, json
        self.base = folder.absolute() if folder else temporary_folder("pbem-demo-")
        self.root = self.base / "savannah"
        self.now = FIRST_TIME
        self.turns = 0

    def run(self) -> int:
        """Play and audit the game; print table, certificate and folder; return the audit's exit
        code."""
        referee = self._referee()
        seats = {seat: self._player(referee, seat) for seat in self._letters()}
        self._play(referee, seats)
        return self._end(referee)

    # -------------------------------------------------------------- people
    def _letters(self) -> list[str]:
        from games.registry import UnknownGame, ruleset

        try:
            players = ruleset(self.game).players
        except UnknownGame as error:
            raise CliError(str(error)) from None
        if self.players not in players:
            most = players[-1]
            raise CliError(f"{self.game} is for {players[0]} to {most} players")
        if self.bot not in (bots := sorted(factories(ruleset(self.game)))):
            raise CliError(f"{self.bot!r} is not a bot", f"the bots are {', '.join(bots)}")
        return [chr(ord("a") + n) for n in range(self.players)]

    def _home(self, name: str) -> Home:
        """Make a home with a key; the key follows from the seed, if there is one."""
        home = Home(self.base / "homes" / name)
        if self.seed is not None:
            key = SigningKey(hashlib.sha256(f"pbem demo {self.seed} {name}".encode()).digest())
            home.write_key("default", write_key(key))
        return home

    def _referee(self) -> Session:
        self._letters()
        home = self._home("referee")
        table = (
            "" if self.seed is None else hashlib.sha256(f"{self.seed}".encode()).hexdigest()[:32]
        )
        wishes = NewGame(
            folder=self.root, players=",".join(NAMES[: self.players]), game=self.game,
            title="savannah", referee="Rhea", table=table, quiet=True, home=home,
            as_printed=self.ask,
        )  # fmt: skip
        wishes.run()
        return Session(self.root, home=home)

    def _player(self, referee: Session, seat: str) -> Session:
        invite = invite_to(referee.game_folder.charter, referee.referee_key(), seat)
        session = Session(self.root, home=self._home(seat))
        take_seat(session, invite.line(), "", "", "default", quiet=True)
        return session

    # -------------------------------------------------------------- play
    def _play(self, referee: Session, seats: dict[str, Session]) -> None:
        with _progress(self.json) as progress:
            while True:
                outcome = step(referee, now=self._clock()).outcome
                if outcome.over:
                    return
                self.turns += 1
                number = self._round(referee)
                progress(self.turns, number)
                for seat in self._speaking(sorted(outcome.waiting), seats, number):
                    seats[seat].refresh()
                    reader = seats[seat].reader(seat)
                    send(seats[seat], reader, seat, bot_texts(reader, self.bot, not self.ask))

    def _speaking(self, asked: list[str], seats: dict[str, Session], number: int) -> list[str]:
        """Return the seats that send orders now: those that are asked and, at the start of a round,
        all others."""
        if self.ask:
            return asked
        speaking = [seat for seat in seats if seat in asked or (seat, number) not in self.said]
        self.said |= {(seat, number) for seat in speaking}
        return speaking

    def _clock(self) -> int:
        if self.seed is None:
            return int(time.time())
        self.now += 60
        return self.now

    def _round(self, referee: Session) -> int:
        return int(referee.reading.table_reader().public.state.round)

    # -------------------------------------------------------------- the end
    def _end(self, referee: Session) -> int:
        view = referee.reading.fresh_view("")
        report = audit(Folder(self.root))
        page = self._replay(view, report)
        if self.json:
            told = {"folder": str(self.root), "replay": str(page), "audit": report.to_json()}
            print_data("demo", told)
            return report.exit
        scene = view.table.game.ruleset.scene(view.table.state)
        print("\n".join(picture(scene, view.names, "", stdout_style())))
        print()
        print("\n".join(score_lines(view)))
        print()
        print_report(report)
        print(f"To step through the game, open this page: {page}")
        print(f"The folder of the game, for pbem audit, pbem show and pbem log: {self.root}")
        return report.exit

    def _replay(self, view: View, report: Report) -> Path:
        """Write the replay page of the game, with all hands, beside its folder."""
        from pbem.replay.page import all_hands

        page = self.base / f"{self.root.name}.html"
        write_replay(all_hands(view, report.log), range(1, view.turn + 1), page, Folder(self.root))
        return page


class _progress:  # noqa: N801 - used like a function
    """Shows progress: a bar on a terminal, a few words elsewhere, nothing with `--json`."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.live = sys.stderr.isatty()

    def __enter__(self) -> Any:
        return self._show

    def __exit__(self, *_: object) -> None:
        if not self.quiet and self.live:
            print(file=sys.stderr)

    def _show(self, turns: int, round_: int) -> None:
        if self.quiet:
            return
        if self.live:
            print(f"\rround {round_:2}  {'#' * (turns // 2)} turn {turns}", end="", file=sys.stderr)
        elif turns % 20 == 0:
            print(f"round {round_}, turn {turns}", file=sys.stderr)


# ---- The command `doctor`: find what is wrong, and say how to fix it


def doctor(
    drop: Annotated[
        bool, typer.Option("--drop-caches", help="Delete the caches; pbem makes them again.")
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Check keys, clock, folder and stray files; say what is wrong and how to fix it.

    The exit code is that of the worst warning, or 0.
    """
    session = Session(folder)
    if drop:
        done = drop_caches(session)
        if json:
            print_data("doctor", {"dropped": done.games, "kept": done.kept, "findings": []})
            return
        for line in done.kept:
            print(line)
        games = f"{done.games} game" + ("" if done.games == 1 else "s")
        print(f"deleted the caches of {games}; pbem will rebuild them when it needs them")
        return
    found, few = [], FewOfMany()
    for one in findings(session, named=folder is not None):
        found.append(one)
        said = one.text.replace(one.file, "")
        if not json and (not one.file or few.shows(one.file, one.reason, said)):
            print(one.line)  # not wrapped: people copy paths and commands from here
    if not json:
        for line in few.rest("pbem doctor --json"):
            print(f"note: {line}")
    if json:
        rows = [{"grade": x.grade, "text": x.text, "cure": x.cure} for x in found]
        print_data("doctor", {"dropped": 0, "findings": rows})
    if code := worst(found):
        raise SystemExit(code)


# ---- Check the home, keys, clock and folder for `doctor`, and say how to fix each problem

FIRST = datetime(2020, 1, 1, tzinfo=UTC)
"""An earlier time on the clock must be wrong, because no game is that old."""
TOLERANCE = 300
"""Seconds by which clocks may differ."""


class Finding(NamedTuple):
    """A line of the report: a `warning` must be fixed, a `note` need not be, a `fact` is only
    information."""

    grade: Literal["warning", "note", "fact"]
    text: str
    cure: str = ""
    """What to do, if the text does not say it."""
    exit: int = 0
    """The exit code that a warning asks for."""
    file: str = ""
    """The path of the file in the game's folder that the line is about; empty if there is none."""
    reason: str = ""
    """Why that file does not count."""

    @property
    def line(self) -> str:
        """The finding as `doctor` prints it."""
        grade = "" if self.grade == "fact" else f"{self.grade}: "
        return f"{grade}{self.text}{self.cure and f'; fix: {self.cure}'}"


def _warning(text: str, cure: str = "", exit_code: int = FINDINGS) -> Finding:
    return Finding("warning", text, cure, exit_code)


def _fact(text: str) -> Finding:
    return Finding("fact", text)


def findings(session: Session, named: bool = False) -> Iterator[Finding]:
    """Yield the report: facts, and warnings that say how to fix something.

    `named` says whether the user named the folder: then it must contain a game.
    """
    yield from _home(session)
    yield from _keys(session)
    yield from _clock(session)
    yield from _folder(session, named)


def worst(found: Collection[Finding]) -> int:
    """Return the exit code of a report: that of its worst warning, or 0 if there is none."""
    codes = {one.exit for one in found}
    return next((code for code in (StorageError.exit, *WORST_FIRST, USAGE) if code in codes), 0)


def _home(session: Session) -> Iterator[Finding]:
    home = session.home.root
    yield _fact(f"pbem {__version__}, Python {sys.version.split()[0]}")
    yield _fact(f"your private folder: {home}")
    if others_may_look(home):
        yield _warning("other users of this computer can read it", f"chmod 700 {home}")
    size = sum(_size(path) for path in (*home.glob("games/*/cache/*"), *home.glob("stores/*/*")))
    if size:
        yield _fact(f"caches: {size // 1024 + 1} kB; pbem doctor --drop-caches deletes them")


def _keys(session: Session) -> Iterator[Finding]:
    for name in session.home.profiles():
        path = session.home.key_path(name)
        locked = "with" if is_encrypted(session.home.read_key(name)) else "without"
        yield _fact(f"key {name}: {path} ({locked} a passphrase)")
        if others_may_look(path):
            yield _warning("other users of this computer can read this key", f"chmod 600 {path}")
    if session.home.profiles():
        yield _fact("back up these files: without them, nobody can play your seats or help you")
    elif games := sum(_signed_in(session.home.game(x)) for x in session.home.games()):
        known = "a game" if games == 1 else f"{games} games"
        told = f"no key is here, but you played or refereed {known} on this computer"
        cure = "pbem keys import FILE, with your copy of the key"
        yield _warning(told, f"{cure}; without a copy: pbem notice key --lost", KEY)
    else:
        yield _fact("there are no keys yet; pbem will make one when you first need it")


def _signed_in(mine: Mine) -> bool:
    """Return whether orders, a join or a turn of a game were signed on this computer."""
    return bool(mine.receipts.times()) or mine.signed.last() is not None


def _clock(session: Session) -> Iterator[Finding]:
    here = now()
    said = datetime.fromtimestamp(here, UTC).strftime("%Y-%m-%d %H:%M UTC")
    yield _fact(f"clock: {said}")
    if here < FIRST.timestamp():
        yield _warning("the clock is wrong", "set it, because deadlines depend on it")
    last = _last_time(session)
    if last > here + TOLERANCE:
        minutes = (last - here) // 60
        long = f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"
        told = f"the last turn is {long} ahead of this clock"
        cure = (
            "set this clock; if it is right, all players, and last the referee: pbem notice clock"
        )
        yield _warning(told, cure)


def _last_time(session: Session) -> int:
    try:
        last = 0
        for turn in session.game_folder.turns():
            last = turn.content.time
        return last
    except PbemError:
        return 0  # reported where the folder is checked


def _folder(session: Session, named: bool) -> Iterator[Finding]:
    session.folder.read_anew()
    try:
        yield from _game(session)
    except NoGameError as error:
        told = f"folder: {clean(str(error))}"
        yield _warning(told, exit_code=error.exit) if named else _fact(told)
    except PbemError as error:
        yield _warning(f"folder: {clean(str(error))}", exit_code=error.exit)
    except RecordError as error:
        where = clean(getattr(error, "path", "") or "a record")
        yield _warning(f"{where}: {clean(error.sentence)}", exit_code=error.exit)


def _game(session: Session) -> Iterator[Finding]:
    game_folder, listing = session.game_folder, session.listing
    keys = _keys_of_players(session)
    yield _fact(f"folder: {session.place}")
    title = clean(game_folder.charter.content.title)
    yield _fact(f"game: {title} ({game_folder.game.hex()[:6]})")
    turns = f"turns 1 to {listing.turns[-1].name.turn}" if listing.turns else "no turn yet"
    turns += f" ({len(game_folder.gaps)} missing)" if game_folder.gaps else ""
    yield _fact(f"records: {len(listing.records)}, {turns}")
    game_folder.all_orders(lambda _, key: key in keys)
    yield from _messages(session)
    matters = [*_lost(session), *_matters(session)]
    yield from matters
    if listing.turns:
        _read_all(session)
    else:
        need_seen(session.here)
    if not matters:
        yield _fact("nothing is wrong here")


def _read_all(session: Session) -> None:
    """Read and check the whole game. Raises FileError for the first fault, except for a missing
    turn, which is reported anyway."""
    session.reading.use_checkpoints = False
    try:
        session.reading.fresh_view("")
    except FileError as error:
        if error.path not in {turn_path(gap) for gap in session.game_folder.gaps}:
            raise


def _keys_of_players(session: Session) -> set[bytes]:
    """Return the public keys with which a player may have signed orders, also before they got a
    new key."""
    keys = {join.content.key for join in session.game_folder.joins().values()}
    if not session.listing.reached:
        return keys
    try:
        return keys | session.here.standing.seats_of_keys().keys()
    except FileError:  # a turn, join or notice is wrong, which a later check reports
        return keys


def _messages(session: Session) -> Iterator[Finding]:
    """Count the messages; report files in `press/` that are not valid messages, and files in
    `notices/` that are not notices, as faults."""
    from pbem.mail.sending import FolderSoFar

    game_folder = session.game_folder
    if not (session.listing.press or session.listing.notices):
        return
    try:
        game = FolderSoFar(game_folder)
        game.grow()
        new_notices(game_folder, game.listed_notices)
        if not session.listing.press:
            return
        reader = PressReader(game_folder, game.heads, seating_in(game_folder))
    except FileError:  # a turn or join is wrong, which a later check reports
        return
    yield _fact(f"messages: {len(reader.records())}")
    for fault in reader.faults:
        game_folder.note(fault)


def _lost(session: Session) -> Iterator[Finding]:
    """Report keys that are missing although this computer has used them, and joins that are gone or
    were not accepted."""
    roles, lines = session.roles, lost_lines(session.here)
    joins = [] if roles.seats and session.listing.reached else join_warnings(session.here)
    yield from (_warning(line) for line in joins)
    if lines:
        yield _warning("; ".join(lines), exit_code=KEY)
    elif not joins and session.listing.reached and not (roles.seats or roles.referee):
        yield Finding("note", watching(session.here))


def _matters(session: Session) -> Iterator[Finding]:
    game_folder, listing = session.game_folder, session.listing
    if not session.folder.may_be_written():
        yield _warning("you cannot write here", "ask the person who shares the folder")
    for gap in game_folder.gaps:
        told = f"{turn_path(gap)} is missing"
        yield _warning(told, "let the folder sync, or pbem receive it", EXIT["parent"])
    if not listing.final and (near := near_the_last_turn(listing.reached)):
        yield _warning(near, "finish the game, or agree on an end: pbem notice end")
    for fault in game_folder.faults:
        told = f"{clean(fault.path)} does not count: {clean(fault.sentence)}"
        told = f"{told} (pbem explain {fault.reason})"
        yield Finding("warning", told, "", EXIT[fault.reason], fault.path, fault.reason)
    for litter in listing.litter:
        told = f"{clean(litter.path)} is not read: {litter.why}"
        yield Finding("note", told, file=litter.path, reason=litter.kind)


def others_may_look(path: Path) -> bool:
    """Return whether the group or others have any rights to the file; always False on Windows."""
    try:
        return os.name != "nt" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    except OSError:
        return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


class Dropped(NamedTuple):
    """What `doctor --drop-caches` did."""

    games: int
    """How many games had caches, or copies of files in a store."""
    kept: list[str]
    """A sentence for each game whose copies were kept, because its store cannot be reached."""


def drop_caches(session: Session) -> Dropped:
    """Delete the caches of all games, and the copies of files that their stores have."""
    session.home.drop_caches()
    count, kept = 0, list[str]()
    for ident in session.home.games():
        mine = session.home.game(ident)
        had = (mine.root / "cache").exists()
        mine.drop_caches()
        try:
            had = _drop_copies(session.home, mine.place) or had
        except StorageError as error:
            kept.append(f"could not delete the cached copies of {mine.place}: {error}")
        count += had
    return Dropped(count, kept)


def _drop_copies(home: Home, place: Place | None) -> bool:
    """Delete our copies of the files in the store at a place; return whether there were any."""
    if place is None or isinstance(place, Path):
        return False
    folder = home.folder(place)
    return isinstance(folder, StoreFolder) and folder.drop_copies() > 0


# ---- The command `keys`: make, show and import keys

keys = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@keys.command("new")
def keys_new(
    profile: Annotated[str, typer.Option("--profile", help="The profile's name.")] = "default",
    json: JsonOption = False,
) -> None:
    """Make a key."""
    session = Session()
    if profile in session.home.profiles():
        where = session.home.key_path(profile)
        raise CliError(
            f"{profile} already has a key: {where}", "choose a different name: --profile NAME"
        )
    _check_name(session, profile)
    session.keyring.make(profile)
    _print_key(session, profile, str(session.home.key_path(profile)), json)


@keys.command("show")
def keys_show(json: JsonOption = False) -> None:
    """Show your profiles, their public keys, and where the secret keys are."""
    session = Session()
    found = [
        {"profile": name, "public": public_line(public), "file": str(session.home.key_path(name))}
        for name, public in session.keyring.publics.items()
    ]
    if json:
        print_data("keys", found)
        return
    for one in found:
        print(f"{one['profile']}: {one['public']}\n  {one['file']}")
    if not found:
        print(
            "there are no keys yet; pbem will make one when you first need it; to make one "
            "now: pbem keys new"
        )


@keys.command("deputy")
def keys_deputy(
    profile: Annotated[
        str, typer.Option("--profile", help="Which of your keys to use.")
    ] = "default",
    json: JsonOption = False,
) -> None:
    """Print the line with which a referee names you as the deputy of a game."""
    key = Session().keyring.key_or_new(profile)
    line = DeputyLine(key.public, public_of(Secrets(key.seed).deputy()))
    if json:
        print_data("keys", [{"profile": profile, "deputy": line.line(), "words": line.words()}])
    else:
        print(line.line())
        say(f"note: the referee asks you, by voice, for the words of this line: {line.words()}")


@keys.command("import")
def keys_import(
    file: Annotated[Path, typer.Argument(help="An OpenSSH private key (Ed25519).")],
    profile: Annotated[
        str, typer.Option("--profile", help="The name of the profile to make.")
    ] = "default",
    json: JsonOption = False,
) -> None:
    """Import a key that you already have; its file is copied unchanged and keeps its passphrase."""
    session = Session()
    _check_name(session, profile)
    if not os.path.isfile(file):  # False for any path that cannot be looked up
        told = f"{file} is a folder" if os.path.isdir(file) else f"there is no file {file}"
        raise CliError(told, "give the path of the copy that you made of your key file")
    data = read_file(file.absolute())
    public_of_file(data)
    try:
        path = session.home.write_key(profile, data)
    except TakenError:
        where = session.home.key_path(profile)
        told = f"{profile} already has a different key: {where}; nothing was overwritten"
        hint = f"pbem keys import {typed(file)} --profile NAME, and join with --profile NAME"
        raise CliError(told, hint, STALE) from None
    _print_key(session, profile, str(path), json)


def _print_key(session: Session, profile: str, path: str, json: bool) -> None:
    """Print the path of the key that was made or imported."""
    if json:
        public = public_line(session.keyring.publics[profile])
        print_data("keys", [{"profile": profile, "public": public, "file": path}])
    else:
        print(path)


def _check_name(session: Session, profile: str) -> None:
    try:
        session.home.key_path(profile)
    except ValueError as error:
        raise CliError(str(error)) from None


# ---- The command `rules test`: check the rules, case by case

rules = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@rules.command("test")
def rules_test(
    files: Annotated[list[Path], typer.Argument(help="The files with the rule cases.")],
    json: JsonOption = False,
) -> None:
    """Run rule cases: check that pbem plays as each case says (docs/rule-cases.md)."""
    from pbem.rulecases import main

    raise SystemExit(main(files, json=json))


# ---- The options of `sim`

WordsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAME",
        autocompletion=complete_game,
        help="The ruleset. With --merge, the files that --save wrote.",
        show_default=False,
    ),
]
PlayersOption = Annotated[int, typer.Option("--players", help="The number of players.")]
GamesOption = Annotated[
    int | None,
    typer.Option("--games", metavar="NUMBER", min=1, help="The number of games (default: 100)."),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="NUMBER", help="The seed of all decks and dice (default: 1)."),
]
BotsOption = Annotated[
    str | None,
    typer.Option(
        "--bots",
        metavar="NAMES",
        help="One bot for all seats, or one per seat, separated by commas: a,b (default: random).",
    ),
]
FirstOption = Annotated[
    int | None,
    typer.Option(
        "--first", metavar="NUMBER", min=0, help="The number of the first game (default: 0)."
    ),
]
OrdersOption = Annotated[
    str | None,
    typer.Option(
        "--orders",
        metavar="WAY",
        help="Let the bots send orders, and count the waves (how many times players must exchange "
        "mail). The value says how they answer: ask (one question at a time), policy (cards when "
        "asked, the rest by standing orders) or whole (everything at the start of the round). To "
        "use a different way in each seat, separate the ways by commas: a,b.",
    ),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="Play on the workers of this Dask scheduler."
    ),
]
SaveOption = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="Save the results to this file, even if the study is not finished.",
    ),
]
FromOption = Annotated[
    Path | None,
    typer.Option("--from", metavar="FILE", help="Continue the study in this file."),
]
MergeOption = Annotated[
    bool, typer.Option("--merge", help="Combine the results in several saved files.")
]


# ---- The command `sim`: let bots play games without files


def sim(
    words: WordsArgument = None,
    players: PlayersOption = 0,
    number: GamesOption = None,
    seed: SeedOption = None,
    bots: BotsOption = None,
    option: RulesOption = None,
    orders: OrdersOption = None,
    first: FirstOption = None,
    jobs: JobsOption = None,
    scheduler: SchedulerOption = None,
    save: SaveOption = None,
    begun: FromOption = None,
    merge: MergeOption = False,
    json: JsonOption = False,
) -> None:
    """Bots play games without files, on all cores; print the results."""
    from pbem.simulation.study import StudyError

    wishes = Wishes(words or [], players, number, seed, bots, option, first, begun, orders)
    if scheduler and jobs:
        told = "--jobs sets the number of processes on this machine"
        raise CliError(f"{told} and cannot be combined with --scheduler")
    try:
        if merge and (wishes.besides_files() or jobs or scheduler):
            raise CliError("--merge takes files, --save and --json, and nothing else")
        study = merged_files(wishes.words) if merge else wishes.study()
    except StudyError as error:
        raise CliError(str(error)) from None
    run = SimRun(study, save, begun, json)
    if not merge:
        run.play(crew_for(jobs, scheduler))
    run.print()


# ---- Run `sim`: choose who plays, save results meanwhile, and print them

ALONE = 1.0
"""Seconds that this process plays alone before it starts others: small studies need no more."""
SAVE_EVERY = 10.0
"""Seconds between two saves."""
FOR_PROGRAMS = ("sums", "complete", "asked", "played", "rules", "pbem")
"""The fields that only the JSON output has."""


def crew_for(jobs: int | None, scheduler: str | None) -> Callable[[], Crew] | None:
    """Return the function that starts the requested workers; None if the study's length decides who
    works."""
    from pbem.workers.crew import Here, Processes

    if scheduler is not None:
        return lambda: _cluster(scheduler)
    if jobs is None:
        return None
    return Here if jobs == 1 else lambda: Processes(jobs)


def _cluster(address: str) -> Crew:
    from pbem.workers.crew import Cluster

    try:
        crew = Cluster(address)
    except ImportError:
        told = "--scheduler needs the Python package `distributed`, which is not installed"
        raise CliError(told, "pip install 'pbem[cluster]'") from None
    except (OSError, ValueError, TypeError):
        told = f"there is no answer from a Dask scheduler at {address}"
        raise CliError(told, "dask scheduler prints its address when it starts") from None
    if not crew.threads():
        say("the scheduler has no workers yet; waiting for the first one")
    return crew


class SimRun:
    """One run of `sim`, with the results of its study so far.

    `study` is replaced in one step, so an interrupt cannot find it half changed.
    """

    def __init__(self, study: Study, save: Path | None, begun: Path | None, json: bool) -> None:
        self.study, self.path, self.json = study, save, json
        self._saved_at = 0.0
        if save and save.exists() and not (begun and begun.exists() and save.samefile(begun)):
            told = f"{save} already exists; nothing was overwritten"
            raise CliError(
                told, f"continue with --from {save} --save {save}, or choose a different file"
            )

    def play(self, make: Callable[[], Crew] | None) -> None:
        """Play the games that are missing. If the user interrupts, print the results so far.

        Raises KeyboardInterrupt, and CliError if the workers cannot go on.
        """
        from games.registry import UnknownGame
        from pbem.simulation.play import OtherVersionError
        from pbem.workers.crew import Here, LostWorkersError, Processes, cores

        try:
            with progress(len(self.study.asked), self.study.counts.games) as show:
                if make is None:
                    self._play(Here(), show, ALONE)
                    make = Here if cores() == 1 else lambda: Processes(cores())
                if not self.study.complete:
                    self._play(make(), show)
        except KeyboardInterrupt:
            self.print()
            say(self._how_to_go_on())
            raise
        except LostWorkersError as error:
            self.print()
            raise CliError(str(error), self._how_to_go_on(), NOT_YET) from None
        except (UnknownGame, OtherVersionError) as error:
            raise CliError(str(error), "install the same packages for all workers") from None

    def _play(self, crew: Crew, show: Callable[[int], None], most: float = float("inf")) -> None:
        from pbem.simulation.study import play

        until = time.monotonic() + most
        with closing(play(self.study, crew)) as studies:
            for self.study in studies:
                show(self.study.counts.games)
                self._save_now_and_then()
                if time.monotonic() > until:
                    return

    def _save_now_and_then(self) -> None:
        if self.path and (not self._saved_at or time.monotonic() > self._saved_at + SAVE_EVERY):
            self._save(self.path)
            self._saved_at = time.monotonic()

    def _save(self, path: Path) -> None:
        text = json_format.dumps(self.study.to_json()) + "\n"
        replace(path.absolute(), text.encode(), private=False)

    def print(self) -> None:
        """Save the study, and print its results."""
        from pbem.simulation.study import numbers_text

        if self.path:
            self._save(self.path)
        result = self.study.to_json()
        if self.json:
            print(json_format.dumps(result), flush=True)
            return
        for name, value in result.items():
            if name not in FOR_PROGRAMS:
                print(f"{name:20} {value}")
        if not self.study.complete or self.study.asked.start:
            print(f"{'played':20} {numbers_text(self.study.played)}")
        if not self.study.complete:
            print(f"{'incomplete':20} missing: {numbers_text(self.study.missing)}", flush=True)

    def _how_to_go_on(self) -> str:
        done = f"{self.study.counts.games} of {len(self.study.asked)} games have been played"
        if self.path:
            file = shlex.quote(str(self.path))
            return f"{done}; to continue: pbem sim --from {file} --save {file}"
        if self.json:
            how = "save this output to a file, then run `pbem sim --from` with that file"
            return f"{done}; to continue, {how}"
        return f"{done}; with --save FILE you can continue a study later"


# ---- Find out which games `sim` must play, from its options and from saved results

GAMES = 100
MOST = 10**12
"""The most games of a study."""


class Wishes(NamedTuple):
    """The options of `sim`; those that were not typed are None, 0 or empty."""

    words: Sequence[str]
    players: int
    number: int | None
    seed: int | None
    bots: str | None
    options: Sequence[str] | None
    first: int | None
    begun: Path | None
    orders: str | None = None

    def besides_files(self) -> bool:
        """Return whether any option was typed; the ruleset and the files do not count as
        options."""
        return any(wish not in (None, 0, []) for wish in self[1:])

    def study(self) -> Study:
        """Return the study to play. Raises CliError, or StudyError if the saved study has other
        games."""
        from pbem.simulation.study import Study, StudyError, check_same, read_study

        base = read_study(self.begun) if self.begun else None
        setup = self._setup(base.setup if base else None)
        first = self.first if self.first is not None else base.asked.start if base else 0
        games = self.number or (len(base.asked) if base else GAMES)
        asked = range(first, first + games)
        if asked.stop > MOST:
            raise CliError(f"a study has at most {MOST} games")
        if base is None:
            return Study(setup, asked)
        try:
            check_same(base.setup, setup)
            return base.asking(asked)
        except StudyError as error:
            raise StudyError(f"{self.begun} does not match this study: {error}") from None

    def _setup(self, base: Setup | None) -> Setup:
        from games.registry import UnknownGame, ruleset
        from pbem.simulation.play import setup_of

        name = self._game(base)
        players = self.players or (base.players if base else 0)
        same = base is not None and players == base.players
        chosen = read_options(self.options) if self.options else None
        try:
            found = ruleset(name)
            return setup_of(
                found,
                players or found.players[0],
                self.seed if self.seed is not None else base.seed if base else 1,
                self.bots.split(",") if self.bots else base.bots if base and same else ["random"],
                chosen if chosen else base.options if base else {},
                self.orders if self.orders is not None else base.orders if base else "",
            )
        except (UnknownGame, ValueError) as error:
            raise CliError(str(error)) from None

    def _game(self, base: Setup | None) -> str:
        if len(self.words) > 1:
            raise CliError(f"name only one game, not {len(self.words)}", "pbem sim -h")
        if not self.words and base is None:
            raise CliError("name the game to play, or give saved results with --from", "pbem games")
        if self.words and base and self.words[0] != base.game:
            told = f"the game differs: {base.game} and {self.words[0]}"
            raise CliError(f"{self.begun} does not match this study: {told}")
        return self.words[0] if self.words else base.game if base else ""


def merged_files(files: Sequence[str]) -> Study:
    """Add saved studies together. Raises CliError, or StudyError if they do not fit together."""
    from pbem.simulation.study import StudyError, merged, read_study

    if not files:
        raise CliError("give the files to merge", "pbem sim --merge ONE.json OTHER.json")
    whole = read_study(Path(files[0]))
    for file in files[1:]:
        try:
            whole = merged([whole, read_study(Path(file))])
        except StudyError as error:
            raise StudyError(f"{file} cannot be merged with the others: {error}") from None
    return whole
