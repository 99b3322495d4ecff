"""The command `host`: keep game folders for others, over HTTP."""

from __future__ import annotations

import re
import signal
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem import __version__
from pbem.cli.options import JsonOption, PrintUnitOption
from pbem.cli.systemd import format_unit
from pbem.errors import NOT_YET, CliError, extra
from pbem.files.home import Home
from pbem.files.places import place_of
from pbem.terminal.output import print_data
from pbem.terminal.terminal import clean, say, shell_quote
from pbem.wording.hosting import (
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

MOST_TOKEN = 1 << 16
"""Bytes of the file with tokens that are read."""

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
            help="A file with a token on each line: a word that you give to somebody who may make "
            "games (default: everybody may).",
        ),
    ] = None,
    site: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The page that plays in a browser, as `make site` builds it."
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
            help="The network of a proxy in front, if it is not on this computer, such as "
            "172.16.0.0/12; repeat the option for more.",
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
            help="Also deal: people start games on the host's page, and the host makes the turns.",
        ),
    ] = False,
    print_unit: PrintUnitOption = False,
) -> None:
    """Keep game folders for others, over HTTP; nobody needs to trust this computer."""
    if ctx.invoked_subcommand:
        return
    if not data:
        raise CliError("say where the games are kept", "pbem host --data games")
    address, proxies = _address(address), _networks(proxy or [])
    needed, tokens = _needed(), _tokens(token_file)
    home = Home.find()
    games = needed.Games(place_of(data), room and room << 20, home)
    if print_unit:
        try:
            one = needed.Host(games, tokens, "", site)
            needed.Server(one, bind, port, certificate, key, proxies).close()
        except CliError as error:
            if error.exit != NOT_YET:  # the host that is to become a unit may be running already
                raise
        words = ["host", "--data", data if "://" in data else str(Path(data).absolute())]
        words += ["--bind", bind, "--port", str(port)]
        for name, file in (
            ("--token-file", token_file), ("--site", site), ("--certificate", certificate),
            ("--key", key),
        ):  # fmt: skip
            words += [name, str(file.absolute())] if file else []
        words += ["--address", address] if address else []
        for network in proxies:
            words += ["--proxy", str(network)]
        words += ["--room", str(room)] if room else []
        words += ["--deal"] if deal else []
        print(format_unit("pbem-host", words, UNIT_DESCRIPTION), end="")
        return
    password = needed.owners_password(home)
    other = games.prepare()
    one = needed.Host(games, tokens, password, site)
    server = needed.Server(one, bind, port, certificate, key, proxies)
    log = needed.log_to_terminal()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it ends as Ctrl-C ends it
    name = f"[{bind}]" if ":" in bind else bind
    here = address or f"http{'s' * bool(certificate)}://{name}:{server.port}"
    one.set_address(here, home if deal else None)
    log.info(BEGIN_LOG, __version__, data, here)
    if other:
        log.warning(OTHER_FILE_LOG, other)
    _say_where(one, here, needed.password_file(home))
    if not address and name in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::]"):
        say(local_address_note(here))
    server.run()
    log.info(END_LOG)


def _say_where(one: Any, here: str, password_file: Path) -> None:
    """Say at which addresses games are made and played, and what the host's owner keeps."""
    key = one.dealer.home.key_path("default") if one.dealer else None
    page_hash = one.site.hash if one.site else ""
    lines = address_lines(here, dealing_key=key, page_hash=page_hash, password_file=password_file)
    print("\n".join(lines), flush=True)  # in a log, where Python would keep it back
    if not one.start_page.tokens:
        say(OPEN_TO_ALL_NOTE)


@host.command("list")
def list_games(data: DataOption = "", json: JsonOption = False) -> None:
    """List the games that a host keeps."""
    rows = list(_games(data).rows())
    if json:
        print_data("host list", [_row(row) for row in rows])
        return
    for row in rows:
        if len(row) == 2:
            print(unreadable_game_line(*row))
            continue
        facts = row.turns, row.files, row.bytes, row.touched
        print(kept_game_line(row.name, row.title, *facts, is_over=row.over))
    if not rows:
        print(NO_GAMES_SENTENCE)


@host.command("remove")
def remove(
    name: Annotated[str, typer.Argument(help="The name of the game, as `pbem host list` says it.")],
    data: DataOption = "",
) -> None:
    """Remove a game from a host, with all its files."""
    games = _games(data)
    found = [one for one in games.names() if one.startswith(name)] if len(name) >= 8 else []
    if len(found) != 1:
        told = f"not exactly one game has the name {clean(name)!r}"
        raise CliError(told, f"pbem host list --data {shell_quote(data)}")
    games.remove(found[0])
    print(f"removed {found[0][:8]}")


def _address(said: str) -> str:
    """Return the address under which people reach the host, in its one form; empty if none is
    given. Raises CliError."""
    scheme, _, host = said.rstrip("/").rpartition("://")
    found = f"{scheme.lower() or 'https'}://{host.lower()}" if host else ""
    if found and not re.fullmatch(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]+)?", found):
        told = f"{clean(said)!r} is not the address of a host: it has a name, and a port if needed"
        raise CliError(f"{told}, but no path", "pbem host --address https://pond.example.org")
    return found


def _networks(typed_networks: list[str]) -> list[IPv4Network | IPv6Network]:
    """Return the networks of proxies. Raises CliError."""
    networks = list[IPv4Network | IPv6Network]()
    for one in typed_networks:
        try:
            network = ip_network(one.strip(), strict=False)
        except ValueError:
            told = f"--proxy: {clean(one)!r} is not an address or a network"
            raise CliError(told, "pbem host --proxy 172.16.0.0/12") from None
        if not network.prefixlen:
            told = (
                "--proxy: this network is too large: anybody in it could "
                "pretend to be somebody else"
            )
            raise CliError(told, "pbem host --proxy 172.16.0.0/12")
        networks.append(network)
    return networks


def _tokens(file: Path | None) -> list[str]:
    """Return the words in a file with tokens. Raises CliError, OSError."""
    if file is None:
        return []
    with file.open("rb") as stream:  # a link, where a system keeps secrets, or a pipe
        lines = stream.read(MOST_TOKEN).decode("ascii", "replace").split("\n")
    tokens = [line.strip() for line in lines if line.strip()]
    if not tokens or not all(re.fullmatch("[!-~]{8,}", one) for one in tokens):
        told = "must have a token of at least 8 characters, all ASCII, on each line"
        raise CliError(f"{file} {told}")
    return tokens


def _games(data: str) -> Any:
    if not data:
        told = "say where the games are kept: the --data of your pbem host"
        raise CliError(told, "pbem host list --data FOLDER")
    return _needed().Games(place_of(data), home=Home.find())


def _row(row: Any) -> dict[str, Any]:
    return {"name": row[0], "error": row[1]} if len(row) == 2 else row._asdict()


def _needed() -> Any:
    needed, problem = (
        ("jinja2", "starlette", "uvicorn"),
        "pbem host needs libraries that are not installed",
    )
    with extra((*needed, "anyio"), problem, *needed):
        from pbem.host import server
    return server
