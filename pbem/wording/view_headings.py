"""Headings and notes around what `show`, `since`, `replay` and `results` print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pbem.judge.game_view import View
from pbem.terminal.terminal import clean
from pbem.text.dates import local_date
from pbem.text.numbers_and_lists import counted, join_words
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.scores import SHARED_WIN_CLAUSE, WIN_CLAUSE

# ---- One turn, or what happened since one

_TURN: Final = "{title}, turn {turn}"
_TURN_IN_PHASE: Final = "{title}, turn {turn}: {phase}"
_PAST_TURN: Final = "{title}, turn {turn} of {last_turn}, as the table was then"
_OVER_HEADING: Final = "{heading}: the game is over"
_SINCE_TURN: Final = "since turn {start}, which used your orders; the game is now at turn {turn}:"
_SINCE_START: Final = "since the game began; the game is now at turn {turn}:"
_MESSAGES: Final = "messages after turn {turn}:"
UNOPENED_NOTE: Final = TerminalText(
    "note: private messages are here, and some may be for you: your key needs its "
    "passphrase to open them[[ (--passphrase-file)]]"
)
_SHOWS_HAND: Final = (
    "the page shows the hand of seat {seat}, so show it to nobody until the game is over"
)


def turn_heading(title: str, turn: int, phase: str, *, is_over: bool) -> str:
    """Return the heading of the table as it is now; `phase` may be empty."""
    template = _TURN_IN_PHASE if phase else _TURN
    heading = template.format(title=clean(title), turn=turn, phase=phase)
    return _OVER_HEADING.format(heading=heading) if is_over else heading


def past_turn_heading(title: str, turn: int, last_turn: int) -> str:
    """Return the heading of the table as it was in an earlier turn."""
    return _PAST_TURN.format(title=clean(title), turn=turn, last_turn=last_turn)


def since_heading(start: int, turn: int, *, used_orders: bool) -> str:
    """Return the heading of what happened since the turn that used the reader's orders, or since
    the game began."""
    return (_SINCE_TURN if used_orders else _SINCE_START).format(start=start, turn=turn)


def messages_heading(turn: int) -> str:
    """Return the heading of the messages of one turn."""
    return _MESSAGES.format(turn=turn)


def shows_hand_note(seat: str) -> str:
    """Warn that a page shows a hand."""
    return _SHOWS_HAND.format(seat=seat)


_QUESTIONS: Final = "next: {questions}"
_QUESTION: Final = "{people}: {questions}"
_NO_QUESTIONS: Final = "next: the referee makes the next turn"


def open_questions_line(view: View) -> str:
    """Return the questions that are asked now, each with the players who must answer it."""
    people_by_questions: dict[str, list[str]] = {}
    for seat, kinds in sorted(view.awaited.items()):
        person = f"{seat} {clean(view.names[seat])}{' (you)' if seat == view.seat else ''}"
        questions = ", ".join(map(view.question_of, kinds))
        people_by_questions.setdefault(questions, []).append(person)
    if not people_by_questions:
        return _NO_QUESTIONS
    clauses = [
        _QUESTION.format(people=", ".join(people), questions=questions)
        for questions, people in people_by_questions.items()
    ]
    return _QUESTIONS.format(questions="; ".join(clauses))


# ---- The turns that a page shows

_ALL_HANDS: Final = "{turns}, with all hands"
_SPECTATOR: Final = "{turns}, as a spectator sees them"
_PLAYER_SEES: Final = "{turns}, as {name} (seat {seat}) sees them"
_ONE_TURN: Final = "turn {first}"
_SEVERAL_TURNS: Final = "turns {first} to {last}"


def turns_with_all_hands(turns: range) -> str:
    """Say which turns a page shows: `turns 1 to 9, with all hands`."""
    return _ALL_HANDS.format(turns=_turns_clause(turns))


def turns_seen_by(turns: range, seat: str, name: str) -> str:
    """Say which turns a page shows, and as which player sees them; an empty `seat` is a
    spectator."""
    template = _PLAYER_SEES if seat else _SPECTATOR
    return template.format(turns=_turns_clause(turns), name=clean(name), seat=seat)


def _turns_clause(turns: range) -> str:
    template = _SEVERAL_TURNS if len(turns) > 1 else _ONE_TURN
    return template.format(first=turns[0], last=turns[-1])


# ---- Results of several games

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
_PLAYER: Final = "  {name}: {won} won of {games}, {average} points a game"


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


# ---- `advance`, in one game and in several

GAME_BEGUN_NOTE: Final = "note: the game has begun: --accept and --refuse have no effect now"
_ALL_GAMES: Final = "{games} games: {made} went on, {waiting} must wait"
_GAMES_WITH_ERRORS: Final = (
    "{games} games: {made} went on, {waiting} must wait, {failed} with an error"
)


def games_line(game_count: int, made_count: int, waiting_count: int, error_count: int) -> str:
    """Say what `advance` did in several games."""
    template = _GAMES_WITH_ERRORS if error_count else _ALL_GAMES
    return template.format(
        games=game_count, made=made_count, waiting=waiting_count, failed=error_count
    )


# ---- A demo

_DEMO_HEADING: Final = (
    "{names} are bots and play {game}. Each seals order files;\n"
    "Rhea publishes signed turn files in {folder}"
)
_DEMO_PAGE: Final = "To step through the game, open this page: {page}"
_DEMO_FOLDER: Final = "The folder of the game, for pbem audit, pbem show and pbem log: {folder}"


def demo_heading(names: Iterable[str], game: str, folder: object) -> str:
    """Say which bots play which game, and where."""
    return _DEMO_HEADING.format(names=join_words(names), game=game, folder=folder)


def demo_lines(page: object, folder: object) -> Sequence[str]:
    """Return where the game of a demo is."""
    return [_DEMO_PAGE.format(page=page), _DEMO_FOLDER.format(folder=folder)]
