"""Make a game: the folder, the charter, the joins of the referee's seats."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine import Ruleset
from engine.make_and_ask_bots import bot_factories
from engine.value_classes import Mutable, Value
from games import registry
from pbem.acts.check_game_made_by_host import check_dealt_game
from pbem.acts.deadline_and_silence_options import (
    DEFAULT_DEADLINE,
    silence_policies,
    typed_policies,
)
from pbem.acts.join import put_join
from pbem.acts.read_card_file import read_card_file
from pbem.acts.rematch_plan import place_of_game, rematch
from pbem.errors import CliError
from pbem.files.file_errors import FileError, StorageError
from pbem.files.game_folder import Folder
from pbem.files.game_folder_places import Place
from pbem.files.record_file_names import Name
from pbem.format.record_error import RecordError
from pbem.judge.deputy_and_co_dealer_keys_in_charter import parse_deputy_line
from pbem.judge.game_ruleset import ruleset_called
from pbem.judge.make_signed_records import Plan, join_by_referee, make_charter
from pbem.judge.records_of_game_folder import NoGameError, open_folder
from pbem.person.mail_notebooks import MailBook
from pbem.person.session import Session
from pbem.records.charter import Charter, CoDealer
from pbem.records.deadline_and_silence_policies import BOT, IDLE_AFTER, OPEN_AFTER
from pbem.records.deal_record import MAX_CO_DEALERS
from pbem.records.read_and_sign_record import Record
from pbem.terminal.clean_text import clean
from pbem.text.names_and_email_addresses import (
    UNNAMED_REFEREE,
    check_address,
    check_player_name,
    first_lookalikes,
    lookalike_form,
    name_of_host,
    word_of_commands,
)
from pbem.text.terminal_and_page_wording import TerminalText, to_type

if TYPE_CHECKING:
    from pbem.files.host_answer_about_new_game import NewGameAnswer


CO_DEALING_HOST_RULE: Final = "a host can be the co-dealer only of a game that it keeps itself"


class MadeGame(Value):
    """A game that was made here."""

    charter: Record[Charter]
    assumptions: Sequence[str]
    """Sentences on how the deadlines were read."""
    is_rematch: bool
    has_mail_options: bool
    """Whether rules were chosen that save time by mail."""


class GameOnHost(Value):
    """A game that a host has made and deals."""

    game: NewGameAnswer
    host: str
    policies: Mapping[str, str | int | bool]
    assumptions: Sequence[str]
    """Sentences on how the deadlines were read."""


class NewGame(Mutable):
    """One run of `pbem new`, with its options."""

    session: Session
    """The referee, and where the game will be."""
    folder: str | Path
    players: str = ""
    like: str = ""
    game: str = ""
    title: str = ""
    referee: str = ""
    referee_plays: bool = False
    bots: str = ""
    mail_seats: str = ""
    options: list[str] | None = None
    as_printed: bool = False
    deadline: str = DEFAULT_DEADLINE
    deadline_for: Sequence[str] = ()
    change_of_mind: str = ""
    delays: str = ""
    wait_for_all: bool = False
    idle_after: int = IDLE_AFTER
    open_after: int = OPEN_AFTER
    silent_seat: str = "defaults"
    deputy: str = ""
    deputy_after: str = ""
    co_dealers: Sequence[str] = ()
    """For each co-dealer: its name, `=` and the line of `pbem keys co-dealer`; or the address of
    the host on which the game is."""
    cards: Path | None = None
    profile: str = "default"
    table: str = ""
    automaton: bool = False
    """Whether the referee is this host, which deals without a person."""
    dealer: str = ""
    """`host` if the host of the game deals."""
    assumed: list[str] = field(default_factory=list)
    """What `pbem` assumed when it read the deadlines."""

    def run(self) -> MadeGame:
        """Make the folder with its charter and the joins of the referee's seats."""
        session = self.session
        self._check_empty()
        plan = self._plan(session.place)
        own_keys = set(session.keyring.publics.values())
        if own_names := [dealer.name for dealer in plan.dealers if dealer.key in own_keys]:
            problem = f"the line for the co-dealer {clean(own_names[0])} has your own key"
            hint = (
                "somebody else must be the co-dealer or the referee: as both, you could see every "
                "hand alone"
            )
            raise CliError(problem, hint)
        if not re.fullmatch("([0-9a-fA-F]{32})?", self.table):
            raise CliError("--table needs 32 hex digits")
        key = session.keyring.key_or_new(self.profile)
        try:
            charter = make_charter(plan, key, bytes.fromhex(self.table) or secrets.token_bytes(16))
        except RecordError as error:
            raise CliError(error.sentence) from None
        session.home.check_outside(session.place)
        session.folder.create(Name("charter"), charter.file)
        session.refresh()
        session.game_home.remember_place(session.place)
        if self._rematch:
            addresses = self._rematch[1]
        else:
            addresses = {p.seat: self._players[1][p.name] for p in charter.content.seats if p.mail}
        book = MailBook(session.game_home)
        if addresses:
            book.note_first_addresses(addresses)
        for seat in sorted(charter.content.held_seats):
            put_join(session, join_by_referee(charter, key, seat, book.first_address(seat)))
        return MadeGame(
            charter,
            assumptions=self.assumed,
            is_rematch=bool(self.like),
            has_mail_options=not self.like and bool(self._options_by_mail()),
        )

    def _check_empty(self) -> None:
        """Raise CliError if the game cannot be made in this folder: it is not empty, is inside
        another game's folder, or has a name that Windows forbids.

        With `--table`, a game may be there already: making the same game again changes nothing.
        """
        state, place = self.session.listing.state, self.session.place
        is_new_folder = not place.is_remote and state == "missing"
        if is_new_folder and _cannot_be_on_windows(place.name):
            problem = (
                f"a folder on Windows cannot be called {clean(place.name)!r}, so players with "
                "Windows could not sync the game"
            )
            raise CliError(problem, "choose a name such as pond")
        if state == "game" and self.table:
            return  # writing the same charter again is no change; a different one is refused
        if state == "game":
            hint: str = TerminalText(
                "[[pbem advance -C {folder} continues that game; or ]]choose a different folder"
            ).format(folder=self.folder)
            raise CliError(f"{self.folder} contains a game already", hint)
        if state not in ("missing", "empty"):
            raise CliError(f"{self.folder} is not empty", "choose a folder that does not exist yet")
        if (surrounding_game := _game_around(place)) is not None:
            surrounding_folder, title = surrounding_game
            problem = (
                f"{self.folder} is inside {surrounding_folder}, the folder of the game {title!r}: "
            )
            problem += "its players would see the new game too"
            hint = f"choose a folder outside it, such as {surrounding_folder.parent / place.name}"
            raise CliError(problem, hint)

    # -------------------------------------------------------------- the plan
    def _plan(self, place: Place) -> Plan:
        """Return the plan of the game from all options. Raises CliError if there are too few
        players, or for a value that an option does not accept."""
        if self._rematch:
            return self._plan_like(self._rematch[0], place)
        people, _ = self._players
        bots = self._bots()
        names = [*people, *(f"{bot} bot {n}" for n, bot in enumerate(bots, start=1))]
        letters = [chr(ord("a") + n) for n in range(len(names))]
        seats = dict(zip(letters[len(people) :], bots, strict=True))
        plays = [*(["a"] if self.referee_plays else []), *seats]
        if self.referee and word_of_commands(self.referee) != UNNAMED_REFEREE:
            check_player_name(self.referee)
        if not names:
            hint = to_type(
                "add --players Ann,Bo; to play alone against bots, add --players Ann "
                "--referee-plays --bots greedy:2"
            )
            raise CliError("a game needs players: say who plays", hint)
        min_players, max_players = self._rules.players[0], self._rules.players[-1]
        if len(names) < min_players:
            problem = (
                f"{self._rules.name} is for {min_players} to {max_players} players, and you named "
            )
            problem += f"{len(names)}: {', '.join(map(clean, names))}"
            option = f"--bots greedy:{min(2, max_players - len(names))}"
            template = TerminalText(
                "name more players[[, with commas between the names]], or play against bots"
                "[[: {option}]]"
            )
            raise CliError(problem, template.format(option=option))
        return Plan(
            title=self.title or place.name or "game",
            referee=self.referee or (names[0] if self.referee_plays else UNNAMED_REFEREE),
            ruleset=self._rules.name,
            players=names,
            options={**self._options_by_mail(), **read_options(self.options or ())},
            policies=self._policies(),
            plays=plays,
            by_mail=self._seats_by_mail(plays),
            bots=seats,
            deputy=_named_deputy(self.deputy),
            dealers=self._co_dealers(),
            cards=self._cards(),
            automaton=self.automaton,
        )

    def _co_dealers(self) -> list[CoDealer]:
        """Return the co-dealers of `--co-dealer`. Raises CliError if the library is missing that
        hides cards, if the game cannot be dealt so, or if one person would be two dealers."""
        if not self.co_dealers:
            return []
        from pbem.format.curve_group import load_library

        load_library()
        if self._rules.turning is None:
            ruleset_name = self._rules.name
            problem = (
                f"co-dealers cannot deal {ruleset_name}: the ruleset does not say which hidden "
                "cards are revealed together"
            )
            raise CliError(problem, to_type("leave out --co-dealer, or choose another ruleset"))
        if self.silent_seat == BOT:
            problem = "with co-dealers, no bot can play for a silent player: no bot sees the hand"
            raise CliError(problem, to_type("write --silent-seat defaults or --silent-seat remove"))
        if len(self.co_dealers) > MAX_CO_DEALERS:
            count = len(self.co_dealers)
            problem = f"a game can have at most {MAX_CO_DEALERS} co-dealers, and you named {count}"
            hint = f"name at most {MAX_CO_DEALERS}; even with one, nobody alone can see a hand"
            raise CliError(problem, hint)
        dealers = [
            self._ask_host(text) if "://" in text.partition("=")[0] else _named_co_dealer(text)
            for text in self.co_dealers
        ]
        if len({dealer.key for dealer in dealers}) < len(dealers):
            problem = "two co-dealers have the same key, so one person would deal for both"
            raise CliError(problem, "ask each co-dealer for a line of their own")
        if self.deputy and _named_deputy(self.deputy)[1] in [dealer.key for dealer in dealers]:
            problem = "the deputy is a co-dealer too, and could see every hand alone"
            raise CliError(problem, to_type("name somebody else, or leave --deputy out"))
        names = [dealer.name for dealer in dealers]
        if pair := first_lookalikes([*names, *([self.referee] if self.referee else [])]):
            problem = f"two dealers have names that look the same: {' and '.join(pair)}"
            hint = to_type("give each dealer a different name: --co-dealer NAME=LINE")
            raise CliError(problem, hint)
        return dealers

    def _ask_host(self, address: str) -> CoDealer:
        """Return the host with this address, on which the game will be, as a co-dealer. Raises
        CliError, StorageError."""
        from pbem.files.game_folder_on_host import HostFolder  # only for a game on a host
        from pbem.files.host_store import RefusedError

        host, folder = address.rstrip("/").lower(), self.session.folder
        if not isinstance(folder, HostFolder) or folder.place.host != host:
            problem = f"{CO_DEALING_HOST_RULE}, but this game is not on {host}"
            raise CliError(clean(problem), to_type(f"--at {host} --co-dealer {host}"))
        try:
            line = folder.co_dealer_line()
        except RefusedError as error:
            raise CliError(error.full_sentence) from None
        return _named_co_dealer(f"{name_of_host(host)}={line}")

    @cached_property
    def _rules(self) -> Ruleset[Any]:
        return ruleset_called(self.game)

    @cached_property
    def _players(self) -> tuple[list[str], dict[str, str]]:
        """Return the names of the people in `--players`, in their order, and the address of each in
        `--mail-seats`. Raises CliError for names that look alike, and if an address is missing or
        has no use."""
        addresses: dict[str, str] = {}
        for part in filter(None, map(str.strip, self.players.split(","))):
            name, address = name_and_address(part)
            if name in addresses:
                raise CliError("two players have the same name", DIFFERENT_NAMES_HINT)
            addresses[name] = address
        names = list(addresses)
        for name in names:
            check_player_name(name)
        if pair := first_lookalikes(names):
            problem = f"two players have names that look the same: {' and '.join(pair)}"
            raise CliError(problem, DIFFERENT_NAMES_HINT)
        names_by_form, by_mail = {lookalike_form(name): name for name in names}, dict[str, str]()
        for typed_name in filter(None, map(str.strip, self.mail_seats.split(","))):
            if lookalike_form(typed_name) not in names_by_form:
                problem = TerminalText(
                    "[[--mail-seats: ]]no player is called {typed_name!r}"
                ).format(typed_name=typed_name)
                template = TerminalText("the players are {players}[[; for example: {example}]]")
                hint = template.format(players=", ".join(names), example=str(PLAYERS_EXAMPLE))
                raise CliError(problem, hint)
            name = names_by_form[lookalike_form(typed_name)]
            by_mail[name] = addresses[name]
        for name, address in addresses.items():
            if name in by_mail and not address:
                raise CliError(
                    TerminalText("[[--mail-seats: ]]there is no address for {name}").format(
                        name=name
                    ),
                    to_type(f"write the address after the name: {PLAYERS_EXAMPLE}"),
                )
            if address and name not in by_mail:
                unmarked = TerminalText(
                    "there is an address for {name}, who is not listed [[in --mail-seats||as a "
                    "player by email]]"
                ).format(name=name)
                mark_player = TerminalText(
                    "leave the address out, or say that {name} answers by email[[: {example}]]"
                )
                example = str(PLAYERS_EXAMPLE)
                raise CliError(unmarked, mark_player.format(name=name, example=example))
        return names, by_mail

    @cached_property
    def _rematch(self) -> tuple[Plan, dict[str, str]] | None:
        """With `--like`, return the plan of the old game with the seats moved on, and the addresses
        of players by plain email; None without it. Raises CliError if an option contradicts the old
        game."""
        if not self.like:
            return None
        may = {"session", "folder", "like", "title", "deadline", "deadline_for", "profile"}
        self._need_only(
            may,
            "with --like, the new game takes --{} from the old game",
            to_type("leave out --{}, or make a game without --like"),
        )
        return rematch(self.old_session)

    @cached_property
    def old_session(self) -> Session:
        """The session of the game that this one is like. Raises CliError, StorageError."""
        place = place_of_game(self.like, self.session.home)
        return Session(place, keyring=self.session.keyring)

    def _need_only(self, may: Collection[str], problem: str, hint: str) -> None:
        """Raise CliError if an option is set that is not in `may` (names of fields). `problem` and
        `hint` are templates for the option's name."""
        for option_field in fields(self):
            usual: tuple[object, ...] = (option_field.default, None, [])
            if (
                option_field.name not in {*may, "table"}
                and getattr(self, option_field.name) not in usual
            ):
                option = option_field.name.replace("_", "-")
                option = option.replace("options", "option").replace("dealers", "dealer")
                raise CliError(problem.format(option), hint.format(option))

    def let_host_deal(self) -> GameOnHost:
        """Ask the host to make the game and to deal it. Raises CliError, StorageError."""
        if self.dealer != "host":
            raise CliError(
                f"{self.dealer!r} cannot deal",
                to_type("write --dealer host; or leave out --dealer, and deal yourself"),
            )
        may = {"session", "folder", "title", "dealer", "players", "game", "bots", "deadline"}
        self._need_only(
            may | {"as_printed"},
            "a game that a host deals cannot have --{}",
            to_type("leave out --{}; or leave out --dealer, and deal yourself"),
        )
        kinds = set(self._bots())
        if kinds - {"greedy"}:
            raise CliError(
                "in a game that a host deals, all bots are greedy", to_type("--bots greedy:2")
            )
        policies = self._policies()  # with the time zone of this computer, not that of the host
        form = {
            "title": self.title, "players": self.players, "game": self._rules.name,
            "bots": str(len(self._bots())), "deadline": str(policies["deadline"]),
            "printed": "yes" if self.as_printed else "no",
        }  # fmt: skip
        from pbem.files.game_folder_on_host import HostFolder  # only for a game on a host
        from pbem.files.host_store import RefusedError

        assert isinstance(self.session.folder, HostFolder)
        try:
            game = self.session.folder.start_game(form)
        except RefusedError as error:
            raise CliError(error.full_sentence) from None
        charter = Session(game.address, keyring=self.session.keyring).game_folder.charter
        check_dealt_game(game, charter, form, self._players[0])
        host, _, _ = game.address.partition("/g/")
        return GameOnHost(game, host, policies, self.assumed)

    def _plan_like(self, plan: Plan, place: Place) -> Plan:
        policies = dict(plan.policies)
        if self.deadline != DEFAULT_DEADLINE or self.deadline_for:
            phases = [phase.name for phase in registry.ruleset(plan.ruleset).phases]
            policies = {x: y for x, y in policies.items() if not x.startswith("deadline")}
            deadlines, self.assumed = typed_policies(self.deadline, self.deadline_for, "", phases)
            policies |= deadlines
        return replace(plan, title=self.title or place.name or plan.title, policies=policies)

    def _seats_by_mail(self, plays: Collection[str]) -> list[str]:
        """Return the seats of the people who answer by plain email; `plays` are the seats whose
        keys the referee has. Raises CliError if one of them is the referee's own, or if there is a
        deputy too."""
        people, addresses = self._players
        letters = [chr(ord("a") + people.index(name)) for name in addresses]
        if letters and self.deputy:
            problem = "a game with a player who answers by email cannot have a deputy"
            raise CliError(
                problem,
                TerminalText(
                    "only you can have the key of that player's seat[[, so leave out --deputy]]"
                ),
            )
        if own_seats := sorted(set(letters) & set(plays)):
            problem = f"seat {own_seats[0]} is yours, and you cannot answer your own emails"
            raise CliError(problem, to_type("leave your own name out of --mail-seats"))
        return letters

    def _options_by_mail(self) -> dict[str, str]:
        options = () if self.as_printed else self._rules.options
        return {option.name: option.by_mail for option in options if option.by_mail}

    def _policies(self) -> dict[str, str | int | bool]:
        """Return the charter's policies on deadlines, waiting and silence, from the options. Also
        sets `assumed`: sentences on what the typed deadlines were taken to mean."""
        phases = [phase.name for phase in self._rules.phases]
        deadlines, self.assumed = typed_policies(
            self.deadline, self.deadline_for, self.change_of_mind, phases, self.delays
        )
        wait_policy = {"wait": "round"} if self.wait_for_all else {}
        silence = silence_policies(
            self.silent_seat, self.idle_after, self.open_after, self.deputy_after, deadlines
        )
        return {**deadlines, **silence, **wait_policy}

    def _cards(self) -> str:
        """Return the text of the card file, empty if there is none. The charter contains it, so it
        is signed and reaches everyone, by mail too. Raises CliError."""
        if self.cards is None:
            return ""
        return read_card_file(self.cards, self._rules.name)

    def _bots(self) -> list[str]:
        """Return the bot of each bot seat, from `--bots`: `greedy:2` is two greedy bots. Raises
        CliError."""
        bots: list[str] = []
        bot_names = sorted(bot_factories(self._rules))
        for part in self.bots.split(",") if self.bots else ():
            name, _, number = part.partition(":")
            if name not in bot_names or not re.fullmatch("[1-9]?", number):
                raise CliError(
                    f"{part!r} is not a bot",
                    f"the bots are {', '.join(bot_names)}; for two greedy bots, write greedy:2",
                )
            bots += [name] * int(number or 1)
        return bots


_WINDOWS_DEVICES: Final = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE
)


def _cannot_be_on_windows(name: str) -> bool:
    """Return whether Windows refuses this name of a folder, or reads it as another one."""
    return bool(
        _WINDOWS_DEVICES.fullmatch(name)
        or re.search(r'[<>:"|?*\\]', name)
        or name[-1:] in (".", " ")
    )


def _game_around(place: Place) -> tuple[Path, str] | None:
    for folder in place.path.resolve().parents if place.path else ():
        if (folder / "game.toml").is_file():
            with suppress(NoGameError, FileError, StorageError):
                return folder, open_folder(Folder(folder)).charter.content.title
    return None


def read_options(parts: Iterable[str]) -> dict[str, str]:
    """Return the options typed as `--option NAME=VALUE`. Raises CliError."""
    options = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals:
            raise CliError(f"{part!r} is not an option", to_type("write --option NAME=VALUE"))
        options[name] = value
    return options


def _named_co_dealer(text: str) -> CoDealer:
    """Return the co-dealer of `NAME=LINE`. Raises CliError for text that is not of this form."""
    from pbem.judge.deputy_and_co_dealer_keys_in_charter import parse_co_dealer_line

    name, equals, line = text.partition("=")
    if not equals or not name.strip():
        raise CliError(
            "--co-dealer needs a name and a line: the co-dealer gets the line from "
            "`pbem keys co-dealer`",
            to_type("--co-dealer Flo=co-dealer:4f1c22…"),
        )
    check_player_name(name.strip())
    try:
        return parse_co_dealer_line(line).named(name.strip())
    except RecordError as error:
        hint = to_type("the co-dealer types pbem keys co-dealer, and sends you the line")
        problem = TerminalText("[[--co-dealer: ]]{sentence}").format(sentence=error.sentence)
        raise CliError(problem, hint) from None


def _named_deputy(text: str) -> tuple[str, bytes, bytes]:
    """Return the name and the two public keys of `--deputy NAME=LINE`, for signatures and for
    boxes; all are empty for an empty text. Raises CliError."""
    if not text:
        return "", b"", b""
    name, equals, line = text.partition("=")
    if not equals or not name.strip():
        raise CliError(
            "--deputy needs a name and a line: the deputy gets the line from `pbem keys deputy`",
            to_type("--deputy Flo=deputy:4f1c22…"),
        )
    try:
        deputy = parse_deputy_line(line)
    except RecordError as error:
        hint = to_type("the deputy types pbem keys deputy, and sends you the line")
        raise CliError(
            TerminalText("[[--deputy: ]]{sentence}").format(sentence=error.sentence), hint
        ) from None
    return name.strip(), deputy.key, deputy.x25519


# ---- The players as typed for `new`: names, and addresses of those without `pbem`

DIFFERENT_NAMES_HINT = TerminalText("give each a different name[[: --players Ann,Bo,Bea]]")

PLAYERS_EXAMPLE = to_type('--players "Ann,Bo <bo@example.org>" --mail-seats Bo')

_WITH_ADDRESS = re.compile(r"([^<>]*)<([^<>]*)>?")


def name_and_address(part: str) -> tuple[str, str]:
    """Read `Bo <bo@example.org>`; the address may be missing. Raises CliError."""
    match = _WITH_ADDRESS.fullmatch(part)
    if not match:
        return part, ""
    name, address = match[1].strip(' "'), match[2].strip()
    if not name:
        raise CliError(f"{part} has no name", PLAYERS_EXAMPLE)
    check_address(address)
    return name, address
