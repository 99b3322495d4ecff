"""A host of games in words: where to play, what its owner keeps, and its log."""

from __future__ import annotations

from typing import Final

from pbem.text.dates import utc_date

# ---- When it begins

_NEW_GAME: Final = "to start one that this host deals: {address}/new"
_DEALING_KEY: Final = "the key that deals: {path}; keep a copy of it"
_NEW_GAME_THERE: Final = "to make one there: pbem new savannah --players Ann,Bo --at {address}"
_BROWSER_PAGE: Final = "people play in a browser at {address}; the hash of that page is {page_hash}"
_OWNERS_PAGE: Final = "your page: {address}/owner (any name; the password is in {password_file})"
OPEN_TO_ALL_NOTE: Final = (
    "note: everybody who can reach this host may make games; to let only some: --token-file FILE"
)
_LOCAL_ADDRESS: Final = (
    "note: without --address, each link begins with {address}, which works only on this computer, "
    "even behind a proxy"
)


def address_lines(
    address: str, *, dealing_key: object | None, page_hash: str, password_file: object
) -> list[str]:
    """Return the addresses of a host, and what its owner keeps.

    `dealing_key` is the file of its key, if it deals; `page_hash` is empty if it has no page that
    plays in a browser.
    """
    lines = []
    if dealing_key:
        lines.append(_NEW_GAME.format(address=address))
        lines.append(_DEALING_KEY.format(path=dealing_key))
    lines.append(_NEW_GAME_THERE.format(address=address))
    if page_hash:
        lines.append(_BROWSER_PAGE.format(address=address, page_hash=page_hash))
    return [*lines, _OWNERS_PAGE.format(address=address, password_file=password_file)]


def local_address_note(address: str) -> str:
    """Warn that the host's links work only on this computer."""
    return _LOCAL_ADDRESS.format(address=address)


# ---- Its games, and its log

NO_GAMES_SENTENCE: Final = "no games are kept there"
OTHER_KEY_SENTENCE: Final = (
    "this host makes no turns in games that a host with a different key dealt"
)
NOT_DEALT_SENTENCE: Final = "some games are not dealt"
UNREACHABLE_SENTENCE: Final = "the host cannot reach its games"
REACHABLE_SENTENCE: Final = "the games can be reached again"
_PAUSE: Final = (
    "this host took no files from {begin} to {end}; nobody counts as silent for this time"
)


def pause_line(begun_at: int, ended_at: int) -> str:
    """Say when a host took no files."""
    return _PAUSE.format(begin=utc_date(begun_at), end=utc_date(ended_at))
