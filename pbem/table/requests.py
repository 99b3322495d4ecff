"""Read a request: which game and seat it is about, and the data that was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.cli.failure import CliError
from pbem.table.guard import read_body

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.table.open_games import OpenGame, OpenGames

MOST = 1 << 18
"""The most bytes of data that one click may send."""


def games_of(request: Request) -> OpenGames:
    """Return all games of the person who started `pbem table`."""
    found: OpenGames = request.app.state.games
    return found


def game_of(request: Request) -> OpenGame:
    """Return the game that the address names. Raises CliError."""
    return games_of(request).game(request.path_params["name"], seat_of(request))


def seat_of(request: Request) -> str:
    """Return the seat that the address names; empty if it names none. Raises CliError."""
    wish = request.query_params.get("as", "")
    if len(wish) > 1:
        raise CliError("a seat is one letter")
    return wish


def number_of(request: Request, name: str, otherwise: int) -> int:
    """Return a whole number from the address. Raises CliError for anything else."""
    said = request.query_params.get(name, "")
    if not said:
        return otherwise
    if not said.isascii() or not said.isdecimal() or len(said) > 9:
        raise CliError(f"{name} must be a whole number")
    return int(said)


def field_of(said: dict[str, Any], name: str) -> str:
    """Return the value of a form's field without spaces around it; empty if there is no such
    field."""
    found = said.get(name, "")
    return found.strip() if isinstance(found, str) else ""


async def words_of(request: Request) -> dict[str, Any]:
    """Return the JSON data that a click sent. Raises CliError for anything else."""
    import json

    data = await read_body(request.receive, MOST)
    if data is None:
        raise CliError("the page sent more than pbem accepts")
    try:
        found = json.loads(data)
        json.dumps(found, ensure_ascii=False).encode()  # half a character cannot be written
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise CliError("the page sent something that pbem cannot read: reload the page")
    return found
