"""The page on which people start a game (`/new`), and the page of a new game with its links."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from games.registry import default_name, names, ruleset, working_rulesets
from pbem.acts.new_game import name_and_address
from pbem.acts.rematch_invites import host_form
from pbem.errors import CliError
from pbem.host.classes_of_requested_and_dealt_games import DealtGame, GameRequest
from pbem.host.dealing_host import Dealer
from pbem.host.kept_games import Games
from pbem.host.league_games_as_rows_and_csv import as_csv
from pbem.host.page_credentials import ask_for_password, find_known_credential
from pbem.host.page_rendering import render_page
from pbem.host.record_gate import HostRefusal
from pbem.host.request_limits import RequestCounts, asker_of
from pbem.terminal.commands_and_paths_to_type import shell_quote
from pbem.text.names_and_email_addresses import check_player_name, first_lookalikes
from pbem.text.terminal_and_page_wording import off_terminal


class Pace(NamedTuple):
    """A choice on the form of how fast a game is played."""

    name: str
    title: str
    about: str
    deadline: str
    as_printed: bool
    """Whether choices that are made together by mail come one after the other."""


PACES: Final = (
    Pace("live", "Live", "all players are there now; 15 minutes for each turn", "15m", True),
    Pace("day", "A day", "everybody looks in once a day; 24 hours for each turn", "24h", False),
    Pace("two-days", "Two days", "no hurry; 48 hours for each turn", "48h", False),
)
MAX_FORM_BYTES: Final = 16_384
FORM_SECONDS: Final = 10.0
MAX_NAME_CHARACTERS: Final = 40
MAX_TABLES: Final = 30
TABLES_FIELD: Final = "of"
"""The field in the address of the page of several games that names them."""


class Form(NamedTuple):
    """The fields of the form for a new game, as somebody typed them."""

    game: str = ""
    title: str = ""
    you: str = ""
    """The name of whoever starts the game, if they play; they sit first, unless `players` has the
    name too."""
    players: str = ""
    bots: str = "0"
    pace: str = "day"
    deadline: str = ""
    """A deadline in the person's own words, instead of that of the pace."""
    printed: str = ""
    """`yes` or `no`: whether the rules are exactly as printed, instead of what the pace says."""
    dealer: str = "host"
    token: str = ""
    each: str = ""
    """The number of players at each table, if there are several tables."""

    @property
    def has_more(self) -> bool:
        """Whether the form says anything besides names and game."""
        usual = Form(you=self.you, players=self.players, game=self.game, dealer=self.dealer)
        return self._replace(token="") != usual


class StartPage:
    """The answers to requests about new games. A host without a dealer only tells people how to
    deal."""

    def __init__(
        self, games: Games, tokens: Sequence[str], counts: RequestCounts, *, plays: bool
    ) -> None:
        """`plays`: whether the host serves the page that plays in a browser."""
        self.games, self.tokens, self.counts, self.plays = games, tokens, counts, plays
        self.dealer: Dealer | None = None
        self.address = ""
        """Where people reach the host."""

    async def show(self, request: Request) -> Response:
        """Show the form, filled in like an old game if the address names one (`again`)."""
        form = Form(game=default_name(), dealer="host" if self.dealer else "me")
        if old_digits := request.query_params.get("again", ""):
            form = await run_in_threadpool(self._form_like, old_digits)
        return self._form_page(form)

    async def make(self, request: Request) -> Response:
        """Make the games that a form asks for, and lead to their links."""
        if self.tokens:
            self.counts.check_wrong_credentials(asker_of(request.scope))
        fields = await _read_fields(request)
        form = Form(**{name: fields[name] for name in Form._fields if name in fields})
        as_data = request.headers.get("accept", "") == "application/json"
        try:
            game_requests = _game_requests(form)
            if form.dealer == "me":
                commands = [
                    _new_command(form, game_request, self.address) for game_request in game_requests
                ]
                return render_page("deal_yourself.html", commands=commands)
            games = await self._make_games(request, form, game_requests)
        except (CliError, HostRefusal) as error:
            if as_data:
                status = error.status if isinstance(error, HostRefusal) else 400
                raise HostRefusal(status, str(error)) from None
            hint = off_terminal(error.hint)
            problem = off_terminal(error.sentence)
            return self._form_page(form, f"{problem}: {hint}" if hint else problem)
        if as_data:
            return JSONResponse([game.data() for game in games], 201)
        if len(games) > 1:
            page_names = [game.page.removeprefix("/new/").replace("/", "-") for game in games]
            return RedirectResponse(f"/new/tables?{TABLES_FIELD}={'.'.join(page_names)}", 303)
        own_seat = game_requests[0].seat_of(name_and_address(form.you)[0])
        return RedirectResponse(games[0].page + (f"?you={own_seat}" if own_seat else ""), 303)

    async def _make_games(
        self, request: Request, form: Form, game_requests: Sequence[GameRequest]
    ) -> list[DealtGame]:
        """Make the games of a form. Raises CliError, HostRefusal, StorageError."""
        dealer, token = self._need_dealer(), self.token_of(request, form.token)
        if not token:
            for _ in game_requests:
                self.counts.count_new_game(asker_of(request.scope))
        return [
            await run_in_threadpool(dealer.make_game, game_request, token)
            for game_request in game_requests
        ]

    async def tables(self, request: Request) -> Response:
        """Show the links of several games to the person who started them.

        The page has an address of its own: loading it again must make no games.
        """
        dealer = self._need_dealer()
        page_names = request.query_params.get(TABLES_FIELD, "").split(".")[:MAX_TABLES]
        games = []
        for page_name in page_names:
            digits, _, code = page_name.partition("-")
            games.append(await run_in_threadpool(dealer.find_game, digits, code))
        return render_page("tables.html", tables=games, has_list=bool(self.tokens))

    async def links(self, request: Request) -> Response:
        """Show the links of a game to the person who started it. A form on the page invites
        somebody to a seat, or begins the game without those who have not joined."""
        digits, code = request.path_params["digits"], request.path_params["code"]
        dealer, problem = self._need_dealer(), ""
        if request.method == "POST":
            fields = await _read_fields(request)
            try:
                if seat := fields.get("seat", ""):
                    await run_in_threadpool(dealer.invite_to_seat, digits, code, seat)
                else:
                    await run_in_threadpool(dealer.begin_game, digits, code)
                query = f"?{request.url.query}" if request.url.query else ""
                return RedirectResponse(f"{request.url.path}{query}", 303)
            except CliError as error:
                problem = str(error)
        game = await run_in_threadpool(dealer.find_game, digits, code)
        status, you = 400 if problem else 200, request.query_params.get("you", "")
        return render_page("dealt.html", status, game=game, problem=problem, you=you)

    def _form_page(self, form: Form, problem: str = "") -> Response:
        """Return the page with the form, and the problem with what it had."""
        return render_page(
            "new.html", 400 if problem else 200, form=form, problem=problem, paces=PACES,
            rulesets=working_rulesets()[0], deals=bool(self.dealer),
            needs_token=bool(self.tokens), plays=self.plays,
        )  # fmt: skip

    def _need_dealer(self) -> Dealer:
        """Return the dealer. Raises HostRefusal if this host does not deal."""
        if self.dealer is None:
            raise HostRefusal(
                404,
                "this host does not deal cards: one of you must make the game on their own "
                "computer, with pbem new",
            )
        return self.dealer

    def token_of(self, request: Request, form_token: str = "") -> str:
        """Return the token in a request or typed into its form; empty if this host wants none.
        Raises HostRefusal if it is not a token of this host.

        A token that a browser sends by itself, as a password, is neither taken nor counted as
        wrong: the browser also sends it with a form on somebody else's page.
        """
        if not self.tokens:
            return ""
        asker, headers = asker_of(request.scope), request.headers
        self.counts.check_wrong_credentials(asker)
        is_sent_by_browser = headers.get("authorization", "").lower().startswith("basic ")
        token = find_known_credential(
            Headers() if is_sent_by_browser else headers, self.tokens, form_token
        )
        if not token:
            if form_token.strip() or ("authorization" in headers and not is_sent_by_browser):
                self.counts.count_wrong_credential(asker)
            sentence = "to make games here, you need a token: ask the host's owner"
            if form_token.strip():
                sentence = (
                    "this host does not know your token; compare it with the token that you got"
                )
            raise HostRefusal(401, sentence)
        return token

    async def league(self, request: Request) -> Response:
        """Show somebody with a token the state of all games that were started with it."""
        asker = asker_of(request.scope)
        self.counts.check_wrong_credentials(asker)
        token = find_known_credential(request.headers, self.tokens)
        if not token:
            if "authorization" in request.headers:
                self.counts.count_wrong_credential(asker)
            return ask_for_password("people with a token")
        rows = await run_in_threadpool(self._need_dealer().league_rows, token)
        if request.url.path.endswith(".csv"):
            headers = {"content-disposition": 'attachment; filename="games.csv"'}
            return Response(as_csv(rows), headers=headers, media_type="text/csv; charset=utf-8")
        return render_page("league.html", rows=rows)

    def _form_like(self, digits: str) -> Form:
        """Return the form for another game like the one at an address. Raises HostRefusal."""
        charter, person_names = self.games.plan_of(digits)
        fields = host_form(charter, person_names)
        pace = next((pace.name for pace in PACES if pace.deadline == fields["deadline"]), "")
        return Form(
            game=fields["game"],
            title=fields["title"],
            players=fields["players"],
            bots=fields["bots"],
            pace=pace or "day",
            deadline="" if pace else fields["deadline"],
            dealer="host" if self.dealer else "me",
        )


async def _read_fields(request: Request) -> dict[str, str]:
    """Return the fields of a form by name. Raises HostRefusal."""
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > MAX_FORM_BYTES:
        raise HostRefusal(413, "this form is too long")
    try:
        async with asyncio.timeout(FORM_SECONDS):
            text = (await request.body()).decode("utf-8", "replace")
    except TimeoutError:
        raise HostRefusal(408, "the form took too long to arrive") from None
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise HostRefusal(400, "this form has too many fields") from None


def _game_requests(form: Form) -> list[GameRequest]:
    """Return a request for each game that a form asks for: one, or one for each table. Raises
    CliError with a sentence about what to type."""
    if form.game not in names():
        raise CliError("choose a game")
    pace = next((pace for pace in PACES if pace.name == form.pace), None)
    if pace is None:
        raise CliError("choose how fast you want to play")
    people = _people_of(form)
    addresses, players = dict(people), [name for name, _ in people]
    _check_names(players)
    bots = int(form.bots) if form.bots.isdecimal() and len(form.bots) < 3 else 0
    bots = bots or int(bool(form.you.strip()) and len(players) == 1)
    rules = ruleset(form.game)
    tables = _seat_at_tables(players, form.each)
    for table in tables:
        player_count = len(table) + bots
        if player_count not in rules.players:
            min_players, max_players = rules.players[0], rules.players[-1]
            hint = "leave somebody out, or open “More” and type how many sit at each table"
            if player_count < min_players:
                hint = "type more names, or let bots play too"
            clause = f"{rules.title} is for {min_players} to {max_players} players, and you named"
            raise CliError(f"{clause} {player_count}: {hint}")
    title = " ".join(form.title.split())[:60] or f"{rules.title} with {players[0]}"[:60]
    titles = [f"{title} {n}" for n in range(1, len(tables) + 1)] if len(tables) > 1 else [title]
    deadline = form.deadline.strip() or pace.deadline
    as_printed = form.printed == "yes" if form.printed else pace.as_printed
    options = bots, deadline, as_printed
    return [
        GameRequest(form.game, table_title, table, [addresses[name] for name in table], *options)
        for table_title, table in zip(titles, tables, strict=True)
    ]


def _check_names(players: Sequence[str]) -> None:
    """Check the names of a new game's players. Raises CliError."""
    if not players:
        raise CliError("type the names of the players")
    long_names = [name for name in players if len(name) > MAX_NAME_CHARACTERS]
    if long_names:
        start = long_names[0][:MAX_NAME_CHARACTERS]
        raise CliError(f"a name has at most {MAX_NAME_CHARACTERS} characters: {start}…")
    for name in players:
        check_player_name(name)
    if pair := first_lookalikes(players):
        raise CliError(f"two players have names that look the same: {' and '.join(pair)}")


def _people_of(form: Form) -> list[tuple[str, str]]:
    """Return the name and the address of each player in the order in which they sit; the address
    may be empty. Raises CliError."""
    lines = [" ".join(line.split()) for line in form.players.replace(",", "\n").splitlines()]
    people = [name_and_address(line) for line in lines if line]
    starter = name_and_address(" ".join(form.you.split()))
    if starter[0] and starter[0] not in dict(people):
        people.insert(0, starter)
    return people


def _seat_at_tables(people: Sequence[str], players_at_table: str) -> list[Sequence[str]]:
    """Return the players of each table: as many tables as needed, all as full as can be.

    `players_at_table` is a number that somebody typed; if it is empty, all sit at one table. Raises
    CliError.
    """
    if not players_at_table.strip():
        return [people]
    if not players_at_table.isdecimal() or len(players_at_table) > 2 or int(players_at_table) < 1:
        raise CliError("type how many players sit at each table, such as 4")
    table_count = -(-len(people) // int(players_at_table))
    if table_count > MAX_TABLES:
        raise CliError(
            f"your players fill {table_count} tables; start at most {MAX_TABLES} at a time"
        )
    return [people[n::table_count] for n in range(table_count)]


def _new_command(form: Form, request: GameRequest, address: str) -> str:
    """Return the command with which somebody makes a game on their own computer."""
    parts = [
        f"pbem new {shell_quote(request.title)} --players {shell_quote(','.join(request.players))}"
    ]
    parts += [f"--game {request.game} --deadline {shell_quote(request.deadline)}"]
    parts += [f"--bots greedy:{request.bots}"] if request.bots else []
    parts += ["--as-printed"] if request.as_printed else []
    return " ".join([*parts, f"--at {address}"])
