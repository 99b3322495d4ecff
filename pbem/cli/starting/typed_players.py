"""Read the players that were typed for `new`: their names, and addresses of those without
`pbem`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pbem.cli.failure import CliError, not_an_address

DIFFERENT = "give each a different name: --players Ann,Bo,Bea"
HOW = '--players "Ann,Bo <bo@example.org>" --mail-seats Bo'
_WITH_ADDRESS = re.compile(r"([^<>]*)<([^<>]*)>?")


@dataclass
class TypedPlayers:
    """The players, as they were typed."""

    names: list[str]
    """The names of all players, in clockwise order."""
    by_mail: dict[str, str] = field(default_factory=dict)
    """The address of each player who answers by plain email, by their name."""


def read_players(players: str, mail_seats: str) -> TypedPlayers:
    """Return the players of `--players`, and which of them answer by plain email. Raises
    CliError."""
    from pbem.text.lookalike_names import alike, look

    found = [_one(part.strip()) for part in players.split(",") if part.strip()]
    names, addresses = [name for name, _ in found], dict(found)
    if len(set(names)) < len(names):
        raise CliError("two players have the same name", DIFFERENT)
    if pair := alike(names):
        told = f"two players have names that look the same: {' and '.join(pair)}"
        raise CliError(told, DIFFERENT)
    wanted = [part.strip() for part in mail_seats.split(",") if part.strip()]
    known = {look(name): name for name in names}
    for name in wanted:
        if look(name) not in known:
            told = f"--mail-seats: no player is called {name!r}"
            raise CliError(told, f"the players are {', '.join(names)}; {HOW}")
    by_mail = {known[look(name)]: addresses[known[look(name)]] for name in wanted}
    _check_addresses(addresses, by_mail)
    return TypedPlayers(names, by_mail)


def _one(part: str) -> tuple[str, str]:
    """Return a player's name and address; the address may be empty. Raises CliError."""
    from pbem.text.mail_address import is_address

    match = _WITH_ADDRESS.fullmatch(part)
    if not match:
        return part, ""
    name, address = match[1].strip(' "'), match[2].strip()
    if not name:
        raise CliError(f"{part} has no name", HOW)
    if not is_address(address):
        raise not_an_address(address)
    return name, address


def _check_addresses(addresses: dict[str, str], by_mail: dict[str, str]) -> None:
    for name, address in by_mail.items():
        if not address:
            raise CliError(f"--mail-seats: there is no address for {name}", HOW)
    for name, address in addresses.items():
        if address and name not in by_mail:
            told = f"there is an address for {name}, who is not listed in --mail-seats"
            raise CliError(told, f"leave the address out, or name the player: {HOW}")
