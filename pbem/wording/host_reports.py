"""The reports of a host of games: where to play, what its owner keeps, its log, and its calls to
players."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from pbem.terminal.clean_text import clean
from pbem.text.dates import utc_date

UNIT_DESCRIPTION: Final = "pbem keeps games for others"
"""What systemd says about the service."""

# ---- When it begins

BEGIN_LOG: Final = "pbem %s begins: it keeps games in %s, and people reach the games at %s"
"""A template of a log: version, location and address."""
OTHER_FILE_LOG: Final = "pbem does not touch %r, because it is not a game that this host keeps"
"""A template of a log: the name of a file."""
_NEW_GAME: Final = "to start a game that this host deals: {address}/new"
_DEALING_KEY: Final = "this host deals with the key in {path}; keep a copy of this file"
_NEW_GAME_THERE: Final = (
    "to make a game on this host: pbem new savannah --players Ann,Bo --at {address}"
)
_CO_DEALT_GAME: Final = (
    "to make a game in which this host is a co-dealer, so that nobody alone sees a hand, add: "
    "--co-dealer {address}"
)
_CO_DEALING_KEY: Final = (
    "as a co-dealer, this host uses the key in {path}; keep a copy of this file"
)
_BROWSER_PAGE: Final = (
    "people play in a browser at {address}; with this hash, they can check that nobody has changed "
    "the page: {page_hash}"
)
_OWNERS_PAGE: Final = (
    "your page as the owner: {address}/owner (log in with any name; the password is in "
    "{password_file})"
)
OPEN_TO_ALL_NOTE: Final = (
    "note: everybody who can reach this host may make games; to let only some people make games: "
    "--token-file FILE"
)
_LOCAL_ADDRESS: Final = (
    "note: each link begins with {local_url} and works only on this computer. For links that work "
    "elsewhere, even through a proxy, add --address URL"
)


def address_lines(
    address: str,
    *,
    dealing_key: object | None,
    co_dealing_key: object | None,
    page_hash: str,
    password_file: object,
) -> list[str]:
    """Return the addresses of a host, and what its owner keeps.

    `dealing_key` is the file of its key, if it deals, `co_dealing_key` of that with which it deals
    as a co-dealer; `page_hash` is empty if it has no page that plays in a browser.
    """
    lines = []
    if dealing_key:
        lines.append(_NEW_GAME.format(address=address))
        lines.append(_DEALING_KEY.format(path=dealing_key))
    lines.append(_NEW_GAME_THERE.format(address=address))
    if co_dealing_key:
        lines.append(_CO_DEALT_GAME.format(address=address))
        lines.append(_CO_DEALING_KEY.format(path=co_dealing_key))
    if page_hash:
        lines.append(_BROWSER_PAGE.format(address=address, page_hash=page_hash))
    return [*lines, _OWNERS_PAGE.format(address=address, password_file=password_file)]


def local_address_note(address: str) -> str:
    """Warn that the host's links work only on this computer."""
    return _LOCAL_ADDRESS.format(local_url=address)


# ---- Its games


NO_GAMES_SENTENCE: Final = "no games are kept there"
_KEPT_GAME: Final = (
    "{digits}  {turns:5} turns  {files:6} files  {kilobytes:9,.0f} kB  {date}  {title}"
)
_KEPT_GAME_OVER: Final = f"{_KEPT_GAME}  over"
_UNREADABLE_GAME: Final = "{digits}  cannot be read: {reason}"


def kept_game_line(
    name: str,
    title: str,
    turn_count: int,
    file_count: int,
    byte_count: int,
    changed_at: float,
    *,
    is_over: bool,
) -> str:
    """Return a row about a game that a host keeps."""
    return (_KEPT_GAME_OVER if is_over else _KEPT_GAME).format(
        digits=name[:8],
        turns=turn_count,
        files=file_count,
        kilobytes=byte_count / 1000,
        date=datetime.fromtimestamp(changed_at, UTC).date(),
        title=clean(title),
    )


def unreadable_game_line(name: str, reason: str) -> str:
    """Return a row about a game that cannot be read."""
    return _UNREADABLE_GAME.format(digits=name[:8], reason=reason)


# ---- Its log

END_LOG: Final = "pbem host has stopped; all games are kept"
REMOVED_GAME_LOG: Final = "this host has removed the game %s, which had got no new file for a year"
"""A template of a log: the name of a game."""
CLOCK_JUMPED_LOG: Final = (
    "the clock of this computer has jumped, so this host removes no game today"
)
OTHER_KEY_SENTENCE: Final = (
    "this host makes no turns in games that a host with a different key dealt"
)
OLD_KEY_HINT: Final = (
    "if this host dealt the cards of these games with an earlier key, put the copy of that key "
    "back into the folder dealer/"
)
UNREADABLE_GAME_SENTENCE: Final = "a game cannot be read"
UNREADABLE_NOW_CLAUSE: Final = "cannot be read now"
_GAME_ERROR: Final = "game {digits}: {error}"
_GAMES_ERROR: Final = "the games: {reason}"
FULL_HOST_SENTENCE: Final = "the host is full"
ROOM_AGAIN_SENTENCE: Final = "there is room again: this host takes files, and makes turns"
_MAKE_ROOM: Final = (
    "this host takes no files, and makes no turns: {cause}; remove games (pbem host remove), or "
    "start the host with a larger --room"
)
_FULL_HOST: Final = (
    "this host is full and takes no files now: {cause}. It makes no turns until its owner has made "
    "room, and until then nobody counts as silent"
)
_TOOK_NO_FILES: Final = (
    "this host took no files for a while, so nobody counts as silent before {date}"
)
NOT_DEALT_SENTENCE: Final = "the host makes no turns in some games"
UNREACHABLE_SENTENCE: Final = "the host cannot reach its games"
REACHABLE_SENTENCE: Final = "the games can be reached again"
_PAUSE: Final = (
    "this host took no files from {begin} to {end}; nobody counts as silent for this time"
)


def pause_line(begun_at: int, ended_at: int) -> str:
    """Say when a host took no files."""
    return _PAUSE.format(begin=utc_date(begun_at), end=utc_date(ended_at))


def game_error(name: str, error: Exception) -> str:
    """Say what is wrong with a game."""
    return _GAME_ERROR.format(digits=name[:8], error=error)


def games_error(reason: str) -> str:
    """Say why the games cannot be looked after."""
    return _GAMES_ERROR.format(reason=reason)


def make_room_line(cause: str) -> str:
    """Tell the owner of a host that it is full, and what to do; `cause` says what is full."""
    return _MAKE_ROOM.format(cause=cause)


def full_host_sentence(cause: str) -> str:
    """Tell players that a host is full; `cause` says what is full."""
    return _FULL_HOST.format(cause=cause)


def took_no_files(until: int) -> str:
    """Say that nobody counts as silent before a moment, because a host took no files."""
    return _TOOK_NO_FILES.format(date=utc_date(until))


# ---- Its calls to players

CALL_LOG: Final = "%s calls seat %s: %s"
"""A template of a log: the first digits of a game's name, a seat, and what came of the call."""
LETTER_TROUBLE_LOG: Final = (
    "game %s: pbem could not send the email that asks a player to confirm an email address"
)
"""A template of a log: the first digits of a game's name."""
UNSENT_LETTER_CLAUSE: Final = "this host could not send the email"
_SENT_LETTER_CLAUSE: Final = "the email was sent"
_REFUSED_LETTER_CLAUSE: Final = "the mail server does not accept email to this address"
_PUSH_ANSWER: Final = "the push service answers {status}"


def push_answer_clause(status: int) -> str:
    """Say how a push service has answered a call."""
    return _PUSH_ANSWER.format(status=status)


def letter_clause(is_taken: bool) -> str:
    """Say whether a mail server has taken a letter."""
    return _SENT_LETTER_CLAUSE if is_taken else _REFUSED_LETTER_CLAUSE


CONFIRMATION_SUBJECT: Final = "Do you want emails from this host of games?"
CALL_SUBJECT: Final = "It is your move"
_ASKED: Final = (
    "Somebody asked a host of pbem games to write to this address when it is their move in a game. "
    "If it was you, open this page, and say yes:"
)
_NOT_YOU: Final = (
    "If it was not you, do nothing: unless you say yes, the host sends no news of games."
)
_YOUR_MOVE: Final = (
    "It is your move in a game. Open the game in the browser in which you play it, or here:"
)
_STOP: Final = "To stop these emails, open:"
_LINK_LINE: Final = "    {link}"


def confirmation_paragraphs(link: str) -> list[str]:
    """Return the letter that asks somebody whether the host may write to them."""
    return [_ASKED, _LINK_LINE.format(link=link), _NOT_YOU]


def call_paragraphs(page: str, link: str) -> list[str]:
    """Return the letter that tells somebody that it is their move; `link` stops the letters."""
    return [_YOUR_MOVE, _LINK_LINE.format(link=page), _STOP, _LINK_LINE.format(link=link)]
