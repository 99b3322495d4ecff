"""The command `host`: keep game folders for others, over HTTP."""

from __future__ import annotations

import re
import signal
from contextlib import AbstractContextManager
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import __version__
from pbem.cli.shared_options import JsonOption, PrintUnitOption
from pbem.cli.systemd_unit import format_unit
from pbem.errors import NOT_YET, CliError
from pbem.files.game_folder_places import place_of
from pbem.files.home import Home
from pbem.missing_libraries import needing_libraries
from pbem.person.keyring import CO_DEALER_PROFILE
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import shell_quote
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import say
from pbem.wording.host_reports import (
    BEGIN_LOG,
    END_LOG,
    NO_GAMES_SENTENCE,
    OPEN_TO_ALL_NOTE,
    OTHER_FILE_LOG,
    UNIT_DESCRIPTION,
    address_lines,
    kept_game_line,
    local_address_note,
    unreadable_game_line,
)

if TYPE_CHECKING:
    from pbem.host.answer_requests import Host
    from pbem.host.kept_games import Games, Row

MAX_TOKEN_FILE_BYTES = 1 << 16
"""The length at which reading the file with tokens ends."""

host = typer.Typer(invoke_without_command=True, rich_markup_mode=None)

DataOption = Annotated[
    str,
    typer.Option(
        "--data",
        metavar="PLACE",
        envvar="PBEM_HOST_DATA",
        help="Where the games are kept: a folder, or s3://bucket/folder.",
    ),
]


@host.callback()
def serve(
    ctx: typer.Context,
    data: DataOption = "",
    bind: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The network address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 means any free one.")
    ] = 8080,
    address: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The address of this host for others, such as https://pond.example.org.",
        ),
    ] = "",
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file with one token on each line. Only people who have one of these tokens "
            "may make games (default: everybody may).",
        ),
    ] = None,
    site: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The folder that `make site` builds, with the web page on which people play.",
        ),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A certificate for TLS, in PEM form.")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's key.")] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NETWORK",
            help="If a proxy on another computer stands in front of this host: the network of the "
            "proxy, such as 172.16.0.0/12. Repeat the option for more networks.",
        ),
    ] = None,
    room: Annotated[
        int | None,
        typer.Option(
            metavar="MIB", min=8, help="How many MiB all games may fill together (default: 10000)."
        ),
    ] = None,
    deal: Annotated[
        bool,
        typer.Option(
            "--deal",
            help="Also deal the cards: people start games on the host's page, and the host makes "
            "the turns.",
        ),
    ] = False,
    co_deal: Annotated[
        bool,
        typer.Option(
            "--co-deal",
            help="Experimental: also deal as a co-dealer, in each game whose referee names this "
            "host. Then neither the referee nor the host alone can see a hand.",
        ),
    ] = False,
    push_service: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL",
            help="A push service that this host may call besides those of Google, Mozilla, Apple "
            "and Microsoft, such as https://push.example.org; repeat the option for more.",
        ),
    ] = None,
    print_unit: PrintUnitOption = False,
) -> None:
    """Keep game folders for others, over HTTP; nobody needs to trust this computer."""
    if ctx.invoked_subcommand:
        return
    if not data:
        problem = "give the folder in which the host keeps its games"
        raise CliError(problem, "pbem host --data games")
    address, proxies = _checked_address(address), _proxy_networks(proxy or [])
    push_services = [_checked_service(service) for service in push_service or []]
    with _libraries_of_host():
        from pbem.host.answer_requests import Host
        from pbem.host.kept_games import Games
        from pbem.host.page_credentials import owners_password, password_file
        from pbem.host.web_server import Server, log_to_terminal
    tokens = _read_tokens(token_file)
    home = Home.find()
    games = Games(place_of(data), room and room << 20, home)
    if print_unit:
        try:
            kept_host = Host(games, tokens, "", site)
            Server(kept_host, bind, port, certificate, key, proxies).close()
        except CliError as error:
            if error.exit != NOT_YET:  # the host that is to become a unit may be running already
                raise
        paths = {
            "--token-file": token_file,
            "--site": site,
            "--certificate": certificate,
            "--key": key,
        }
        options = [
            ("--data", data if "://" in data else Path(data).absolute()),
            ("--bind", bind),
            ("--port", str(port)),
            *((option, path and path.absolute()) for option, path in paths.items()),
            ("--address", address),
            *(("--proxy", network) for network in proxies),
            ("--room", room),
            *(("--push-service", service) for service in push_services),
        ]
        words = ["host"]
        for option, setting in options:
            words += [option, str(setting)] if setting else []
        words += ["--deal"] if deal else []
        words += ["--co-deal"] if co_deal else []
        print(format_unit("pbem-host", words, UNIT_DESCRIPTION), end="")
        return
    password = owners_password(home)
    other_file = games.prepare()
    kept_host = Host(games, tokens, password, site)
    server = Server(kept_host, bind, port, certificate, key, proxies)
    log = log_to_terminal()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it ends as Ctrl-C ends it
    name = f"[{bind}]" if ":" in bind else bind
    scheme = "https" if certificate else "http"
    public_address = address or f"{scheme}://{name}:{server.port}"
    kept_host.set_address(
        public_address, home if deal or co_deal else None, makes_games=deal, co_deals=co_deal
    )
    kept_host.set_caller(public_address, home, push_services)
    log.info(BEGIN_LOG, __version__, data, public_address)
    if other_file:
        log.warning(OTHER_FILE_LOG, other_file)
    _print_addresses(kept_host, public_address, password_file(home))
    if not address and name in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::]"):
        say(local_address_note(public_address))
    server.run()
    log.info(END_LOG)


def _print_addresses(kept_host: Host, public_address: str, password_file: Path) -> None:
    """Print the addresses at which people make and play games, and which files the host's owner
    keeps: the password, and the keys with which the host deals."""
    dealer = kept_host.dealer
    co_dealer = dealer if dealer and dealer.co_dealer_line else None
    lines = address_lines(
        public_address,
        dealing_key=dealer.home.key_path("default") if dealer and dealer.makes_games else None,
        co_dealing_key=co_dealer.home.key_path(CO_DEALER_PROFILE) if co_dealer else None,
        page_hash=kept_host.site.hash if kept_host.site else "",
        password_file=password_file,
    )
    print("\n".join(lines), flush=True)  # in a log, where Python would keep it back
    if not kept_host.start_page.tokens:
        say(OPEN_TO_ALL_NOTE)


@host.command("list")
def list_games(data: DataOption = "", json: JsonOption = False) -> None:
    """List the games that a host keeps."""
    kept_games = list(_games(data).rows())
    if json:
        print_data("host list", [_game_data(kept_game) for kept_game in kept_games])
        return
    for kept_game in kept_games:
        if len(kept_game) == 2:
            print(unreadable_game_line(*kept_game))
            continue
        sizes = kept_game.turns, kept_game.files, kept_game.bytes, kept_game.touched
        print(kept_game_line(kept_game.name, kept_game.title, *sizes, is_over=kept_game.over))
    if not kept_games:
        print(NO_GAMES_SENTENCE)


@host.command("remove")
def remove(
    name: Annotated[
        str, typer.Argument(help="The name of the game, as `pbem host list` shows it.")
    ],
    data: DataOption = "",
) -> None:
    """Remove a game from a host, with all its files."""
    games = _games(data)
    matching_names = [x for x in games.names() if len(name) >= 8 and x.startswith(name)]
    if len(matching_names) != 1:
        quantity = f"{len(matching_names)} games are" if matching_names else "no game is"
        problem = f"{quantity} called {clean(name)!r} on this host"
        hint = "give the eight digits that the list shows"
        raise CliError(problem, f"{hint}: pbem host list --data {shell_quote(data)}")
    games.remove(matching_names[0])
    print(f"removed {matching_names[0][:8]}")


def _checked_address(input_address: str) -> str:
    """Return the address under which people reach the host, in its one form; empty if none is
    given. Without a scheme, https is meant. Raises CliError."""
    scheme, _, host = input_address.rstrip("/").rpartition("://")
    address = f"{scheme.lower() or 'https'}://{host.lower()}" if host else ""
    if address and not re.fullmatch(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]+)?", address):
        problem = f"{clean(input_address)!r} is not the address of a host"
        problem = f"{problem}: write https:// and a name, without a path after it"
        raise CliError(problem, "pbem host --address https://pond.example.org")
    return address


def _checked_service(input_address: str) -> str:
    """Return the address of a push service in its one form. Raises CliError."""
    address = input_address.rstrip("/").lower()
    if not re.fullmatch(r"https://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]+)?", address):
        problem = f"--push-service: {clean(input_address)!r} is not the address of a push service"
        raise CliError(problem, "pbem host --push-service https://push.example.org")
    return address


def _proxy_networks(input_networks: list[str]) -> list[IPv4Network | IPv6Network]:
    """Return the networks in which proxies are trusted. Raises CliError for what is no network,
    and for the network of all addresses."""
    networks = list[IPv4Network | IPv6Network]()
    for input_network in input_networks:
        try:
            network = ip_network(input_network.strip(), strict=False)
        except ValueError:
            problem = f"--proxy: {clean(input_network)!r} is not an address or a network"
            raise CliError(problem, "pbem host --proxy 172.16.0.0/12") from None
        if not network.prefixlen:
            problem = f"--proxy: {network} contains all addresses, so anybody could pretend to be "
            problem += "somebody else"
            raise CliError(problem, "pbem host --proxy 172.16.0.0/12")
        networks.append(network)
    return networks


def _read_tokens(file: Path | None) -> list[str]:
    """Return the words in a file with tokens. Raises CliError, OSError."""
    if file is None:
        return []
    with file.open("rb") as stream:  # a link, where a system keeps secrets, or a pipe
        lines = stream.read(MAX_TOKEN_FILE_BYTES).decode("ascii", "replace").split("\n")
    tokens = [line.strip() for line in lines if line.strip()]
    if not tokens or not all(re.fullmatch("[!-~]{8,}", token) for token in tokens):
        hint = "write one token on each line: 8 or more letters, digits or signs, without spaces"
        raise CliError(f"{file} has no tokens, or has a line that is not a token", hint)
    return tokens


def _games(data: str) -> Games:
    """Return the games that a host keeps at this place. Raises CliError."""
    if not data:
        problem = "give the folder in which your host keeps its games"
        raise CliError(problem, "pbem host list --data FOLDER")
    with _libraries_of_host():
        from pbem.host.kept_games import Games
    return Games(place_of(data), home=Home.find())


def _game_data(kept_game: Row | tuple[str, str]) -> dict[str, Any]:
    """Return the facts of a game as data; of a game that cannot be read, its name and the error."""
    if len(kept_game) == 2:
        name, error = kept_game
        return {"name": name, "error": error}
    return kept_game._asdict()


def _libraries_of_host() -> AbstractContextManager[None]:
    """Return a block for imports from `pbem.host`. It raises CliError if a package that a host
    needs is not installed."""
    packages = ("http_ece", "jinja2", "py_vapid", "starlette", "uvicorn")
    problem = "pbem host needs libraries that are not installed"
    libraries = [package.replace("_", "-") for package in packages]
    return needing_libraries((*packages, "anyio"), problem, *libraries)
