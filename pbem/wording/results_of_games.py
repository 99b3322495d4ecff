"""The results of several games in words: the winner of each, and how often each player has won."""

from __future__ import annotations

from typing import Any, Final

from pbem.terminal.clean_text import clean
from pbem.text.dates import local_date
from pbem.text.numbers_and_lists import counted, join_words
from pbem.wording.scores import SHARED_WIN_CLAUSE, WIN_CLAUSE

_UNREADABLE: Final = "{folder}: cannot be read: {reason}"
_ONE_GAME_ON: Final = "1 game goes on"
_GAMES_ON: Final = "{count} games go on"
_NO_GAME_OVER: Final = "no game is over yet"
_NO_GAME_OVER_IN: Final = "no game in {folder} is over yet"
_ONE_GAME_OVER: Final = "\n1 game is over"
_SEVERAL_GAMES_OVER: Final = "\n{count} games are over"
_OVER_GAME: Final = "{title} ({ruleset}), over since {date}: {result}"
_DRAW: Final = "a draw"
_NO_WINNER: Final = "nobody wins"
_PLAYER: Final = "  {name} won {won} of {games}, with {average} points a game"


def unreadable_game_line(folder: str, reason: str) -> str:
    """Say that a game cannot be read."""
    return _UNREADABLE.format(folder=clean(folder), reason=clean(reason))


def over_game_line(game: dict[str, Any]) -> str:
    """Say who won a game that is over, and when."""
    names = [clean(seat["name"]) for seat in game["seats"] if seat["won"]]
    if not names:
        result = _DRAW if game["how"] == "draw" else _NO_WINNER
    else:
        template = SHARED_WIN_CLAUSE if len(names) > 1 else WIN_CLAUSE
        result = template.format(names=join_words(names))
    return _OVER_GAME.format(
        title=clean(game["title"]),
        ruleset=clean(game["ruleset"]),
        date=local_date(game["ended"]),
        result=result,
    )


def none_over_line(folder: str, going_on: int) -> str:
    """Say that no game is over, and how many go on."""
    sentence = _NO_GAME_OVER_IN.format(folder=folder) if folder else _NO_GAME_OVER
    return f"{sentence}; {_games_on(going_on)}" if going_on else sentence


def over_line(over_count: int, going_on: int) -> str:
    """Say how many games are over, and how many go on."""
    sentence = (_SEVERAL_GAMES_OVER if over_count > 1 else _ONE_GAME_OVER).format(count=over_count)
    return f"{sentence}, {_games_on(going_on)}:" if going_on else f"{sentence}:"


def player_line(player: dict[str, Any]) -> str:
    """Return how often a player has won, and with how many points."""
    return _PLAYER.format(
        name=clean(player["name"]),
        won=player["won"],
        games=counted(player["games"], "game"),
        average=f"{player['points'] / player['games']:.1f}",
    )


def _games_on(count: int) -> str:
    return _ONE_GAME_ON if count == 1 else _GAMES_ON.format(count=count)
