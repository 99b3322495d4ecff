"""The page on which people start a game (`/new`), and the page of a new game with its links."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from games.registry import default_name, names, ruleset, working_rulesets
from pbem.acts.new_game import name_and_address
from pbem.acts.rematch import next_title
from pbem.errors import CliError
from pbem.host.dealer import Dealer, Standing, Wanted
from pbem.host.games import Games
from pbem.host.gate import Refusal
from pbem.host.guard import Counts, asker_of
from pbem.host.pages import ask_for_password, known_word, page
from pbem.terminal.terminal import shell_quote
from pbem.text.names import alike, check_player_name


class Pace(NamedTuple):
    """How fast a game is played."""

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
MOST_FORM: Final = 16_384
FORM_SECONDS: Final = 10.0
MOST_NAME: Final = 40
MOST_TABLES: Final = 30
TABLES: Final = "of"
"""The field in the address of the page of several games that names them."""


class Form(NamedTuple):
    """What somebody typed who starts a game."""

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
    """How many players sit at each table, if there are several tables."""

    @property
    def more(self) -> bool:
        """Whether the form says anything besides names and game."""
        usual = Form(you=self.you, players=self.players, game=self.game, dealer=self.dealer)
        return self._replace(token="") != usual


class StartPage:
    """The requests about new games; a host without a dealer only says how to deal oneself."""

    def __init__(self, games: Games, tokens: Sequence[str], counts: Counts, *, plays: bool) -> None:
        """`plays`: whether the host serves the page that plays in a browser."""
        self.games, self.tokens, self.counts, self.plays = games, tokens, counts, plays
        self.dealer: Dealer | None = None
        self.address = ""
        """Where people reach the host."""

    async def show(self, request: Request) -> Response:
        """Show the form, filled in like an old game if its address is given."""
        form = Form(game=default_name(), dealer="host" if self.dealer else "me")
        if again := request.query_params.get("again", ""):
            form = await run_in_threadpool(self._like, again)
        return self._filled(form)

    async def make(self, request: Request) -> Response:
        """Make the games that a form asks for, and lead to their links."""
        if self.tokens:
            self.counts.need_no_guessing(asker_of(request.scope))
        sent = await _fields(request)
        form = Form(**{name: sent[name] for name in Form._fields if name in sent})
        as_data = request.headers.get("accept", "") == "application/json"
        try:
            wanted = _wanted(form)
            if form.dealer == "me":
                commands = [_command(form, one, self.address) for one in wanted]
                return page("deal_yourself.html", commands=commands)
            dealer, token = self._need_dealer(), self.token_of(request, form.token)
            for _ in wanted:
                if not token:
                    self.counts.need_new_game(asker_of(request.scope))
            made = [await run_in_threadpool(dealer.make, one, token) for one in wanted]
        except (CliError, Refusal) as error:
            if as_data:
                status = error.status if isinstance(error, Refusal) else 400
                raise Refusal(status, str(error)) from None
            hint = error.hint if isinstance(error, CliError) else ""
            told = str(error).removeprefix("--deadline: ")
            return self._filled(form, f"{told}: {hint}" if hint else told)
        if as_data:
            return JSONResponse([one.data() for one in made], 201)
        if len(made) > 1:
            found = ".".join(one.page.removeprefix("/new/").replace("/", "-") for one in made)
            return RedirectResponse(f"/new/tables?{TABLES}={found}", 303)
        own = wanted[0].seat_of(name_and_address(form.you)[0])
        return RedirectResponse(made[0].page + (f"?you={own}" if own else ""), 303)

    async def tables(self, request: Request) -> Response:
        """Show the links of several games to whoever started them, at an address of their own: a
        page that is loaded again must make no games."""
        dealer = self._need_dealer()
        named = request.query_params.get(TABLES, "").split(".")[:MOST_TABLES]
        asked = [one.partition("-") for one in named]
        found = [await run_in_threadpool(dealer.find, digits, code) for digits, _, code in asked]
        return page("tables.html", tables=found, has_list=bool(self.tokens))

    async def made(self, request: Request) -> Response:
        """Show the links of a game to whoever started it."""
        digits, code = request.path_params["digits"], request.path_params["code"]
        dealer, told = self._need_dealer(), ""
        if request.method == "POST":
            sent = await _fields(request)
            try:
                if seat := sent.get("seat", ""):
                    await run_in_threadpool(dealer.invite, digits, code, seat)
                else:
                    await run_in_threadpool(dealer.begin, digits, code)
                query = f"?{request.url.query}" if request.url.query else ""
                return RedirectResponse(f"{request.url.path}{query}", 303)
            except CliError as error:
                told = str(error)
        found = await run_in_threadpool(dealer.find, digits, code)
        you = request.query_params.get("you", "")
        return page("dealt.html", 400 if told else 200, game=found, problem=told, you=you)

    def _filled(self, form: Form, problem: str = "") -> Response:
        return page(
            "new.html", 400 if problem else 200, form=form, problem=problem, paces=PACES,
            rulesets=working_rulesets()[0], deals=bool(self.dealer),
            needs_token=bool(self.tokens), plays=self.plays,
        )  # fmt: skip

    def _need_dealer(self) -> Dealer:
        if self.dealer is None:
            raise Refusal(
                404, "this host does not deal cards: one of you deals on your own computer"
            )
        return self.dealer

    def token_of(self, request: Request, typed: str = "") -> str:
        """Return the token that somebody has; empty if this host wants none. Raises Refusal.

        A password that a browser sends by itself does not count: it also sends it with a form on
        somebody else's page.
        """
        if not self.tokens:
            return ""
        asker, headers = asker_of(request.scope), request.headers
        self.counts.need_no_guessing(asker)
        by_itself = headers.get("authorization", "").lower().startswith("basic ")
        token = known_word(Headers() if by_itself else headers, self.tokens, typed)
        if not token:
            if typed.strip() or "authorization" in headers:
                self.counts.note_wrong_word(asker)
            told = "to make games here, you need a token: ask the host's owner"
            if typed.strip():
                told = "this host does not know your token; compare it with the one that you got"
            raise Refusal(401, told)
        return token

    async def league(self, request: Request) -> Response:
        """Show whoever has a token all games that were started with it, and how they stand."""
        asker = asker_of(request.scope)
        self.counts.need_no_guessing(asker)
        token = known_word(request.headers, self.tokens)
        if not token:
            if "authorization" in request.headers:
                self.counts.note_wrong_word(asker)
            return ask_for_password("people with a token")
        rows = await run_in_threadpool(self._need_dealer().standings, token)
        if request.url.path.endswith(".csv"):
            headers = {"content-disposition": 'attachment; filename="games.csv"'}
            return Response(as_csv(rows), headers=headers, media_type="text/csv; charset=utf-8")
        return page("league.html", rows=rows)

    def _like(self, digits: str) -> Form:
        """Return the form for another game like the one at this address. Raises Refusal."""
        old, people = self.games.plan_at(digits)
        bots = sum(bool(plan.bot) for plan in old.seats)
        deadline = str(old.policies.get("deadline", ""))
        pace = next((one.name for one in PACES if one.deadline == deadline), "")
        again = [*people[1:], *people[:1]]  # the first player moves on
        return Form(
            game=old.ruleset,
            title=next_title(old.title),
            players="\n".join(again),
            bots=str(bots),
            pace=pace or "day",
            deadline="" if pace else deadline,
            dealer="host" if self.dealer else "me",
        )


def as_csv(rows: Sequence[Standing]) -> str:
    """Return a table for spreadsheets: a line for each player of each game."""
    out = io.StringIO()
    sheet = csv.writer(out)
    sheet.writerow(["game", "rules", "state", "player", "place", "points"])
    for row in rows:
        for one in row.players:
            cells = [row.title, row.ruleset, row.state, one.name, one.place or "", one.points]
            # what a spreadsheet takes for a formula
            formulas = ("=", "+", "-", "@")
            sheet.writerow([f"'{x}" if str(x).startswith(formulas) else x for x in cells])
    return out.getvalue()


async def _fields(request: Request) -> dict[str, str]:
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > MOST_FORM:
        raise Refusal(413, "this form is too long")
    try:
        async with asyncio.timeout(FORM_SECONDS):
            text = (await request.body()).decode("utf-8", "replace")
    except TimeoutError:
        raise Refusal(408, "the form took too long to arrive") from None
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise Refusal(400, "this form has too many fields") from None


def _wanted(form: Form) -> list[Wanted]:
    if form.game not in names():
        raise CliError("choose a game")
    pace = next((one for one in PACES if one.name == form.pace), None)
    if pace is None:
        raise CliError("choose how fast you want to play")
    typed_people = _people(form)
    people, addresses = [name for name, _ in typed_people], dict(typed_people)
    if not people:
        raise CliError("type the names of the players")
    if long := [one for one in people if len(one) > MOST_NAME]:
        raise CliError(f"a name has at most {MOST_NAME} characters: {long[0][:MOST_NAME]}…")
    for name in people:
        check_player_name(name)
    if pair := alike(people):
        raise CliError(f"two players have names that look the same: {' and '.join(pair)}")
    bots = int(form.bots) if form.bots.isdecimal() and len(form.bots) < 3 else 0
    bots = bots or int(bool(form.you.strip()) and len(people) == 1)
    rules = ruleset(form.game)
    tables = _tables(people, form.each)
    for table in tables:
        number = len(table) + bots
        if number not in rules.players:
            few = number < rules.players[0]
            hint = "type more names, or let bots play too"
            if not few:
                hint = "leave somebody out, or open “More” and type how many sit at each table"
            told = f"{rules.title} is for {rules.players[0]} to {rules.players[-1]} players"
            raise CliError(f"{told}, and you named {number}: {hint}")
    title = " ".join(form.title.split())[:60] or f"{rules.title} with {people[0]}"[:60]
    titles = [f"{title} {n}" for n in range(1, len(tables) + 1)] if len(tables) > 1 else [title]
    deadline = form.deadline.strip() or pace.deadline
    printed = form.printed == "yes" if form.printed else pace.as_printed
    return [
        Wanted(form.game, name, table, [addresses[one] for one in table], bots, deadline, printed)
        for name, table in zip(titles, tables, strict=True)
    ]


def _people(form: Form) -> list[tuple[str, str]]:
    """Return everybody who plays, in the order in which they sit, with their addresses. Raises
    CliError."""
    lines = [" ".join(one.split()) for one in form.players.replace(",", "\n").splitlines()]
    people = [name_and_address(one) for one in lines if one]
    you = name_and_address(" ".join(form.you.split()))
    if you[0] and you[0] not in dict(people):
        people.insert(0, you)
    return people


def _tables(people: Sequence[str], each: str) -> list[Sequence[str]]:
    """Return who sits at which table: as many tables as needed, all as full as can be. Raises
    CliError."""
    if not each.strip():
        return [people]
    if not each.isdecimal() or len(each) > 2 or int(each) < 1:
        raise CliError("type a number of players for each table, such as 4")
    number = -(-len(people) // int(each))
    if number > MOST_TABLES:
        raise CliError(f"your players fill {number} tables; start at most {MOST_TABLES} at a time")
    return [people[n::number] for n in range(number)]


def _command(form: Form, wanted: Wanted, address: str) -> str:
    parts = [
        f"pbem new {shell_quote(wanted.title)} --players {shell_quote(','.join(wanted.players))}"
    ]
    parts += [f"--game {wanted.game} --deadline {shell_quote(wanted.deadline)}"]
    parts += [f"--bots greedy:{wanted.bots}"] if wanted.bots else []
    parts += ["--as-printed"] if wanted.as_printed else []
    return " ".join([*parts, f"--at {address}"])
