"""The results of games in words: scores, how a tie was broken, how a game ended, and who won how
often."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from engine import Score
from engine.counts_and_lists_in_prose import counted, join_words
from pbem.judge.game_view import View
from pbem.judge.ranks_after_departures import departures_of, ranks_by_seat, scores_of
from pbem.judge.seat_holders_keys_and_agreements import LAST_TURN
from pbem.records.notice import REFEREE, SCORE
from pbem.terminal.clean_text import clean
from pbem.text.dates import local_date
from pbem.wording.notices import END_WORDS, name_people

_NOBODY_WINS: Final = "everybody has conceded, so nobody wins"
SHARED_WIN_CLAUSE: Final = "{names} share the win"
_TIE_WIN: Final = "{names} wins, because {reason} decided the tie"
WIN_CLAUSE: Final = "{names} wins"
_TIE_LINE: Final = "{names} have equal points: {ahead} is ahead, because {reason} decided the tie"
_UNDECIDED_TIE_LINE: Final = "{names} share rank {rank}: nothing decides this tie"


def score_lines(view: View) -> list[str]:
    """Return one line for each seat, best first, how ties behind the winner fell, and who won."""
    rows, end_clauses = _score_lines_and_clauses(view)
    return [*rows, *tie_lines(view), *end_clauses]


def tie_lines(view: View) -> list[str]:
    """Return one line for each tie of a game that is over, except the one for the win, which the
    sentence on the end explains."""
    ranks, departures = ranks_by_seat(view), departures_of(view)
    scores = scores_of(view)
    lines = []
    for score_ahead, score in pairwise(scores):
        is_for_win = score_ahead is scores[0] or ranks[score.seat] == 1
        has_left = {score_ahead.seat, score.seat} & departures.keys()
        if not score.tie_break or is_for_win or has_left or not ranks[score.seat]:
            continue
        ahead, behind = (clean(view.names[one.seat]) for one in (score_ahead, score))
        template = _UNDECIDED_TIE_LINE if score.tie_break == "shared" else _TIE_LINE
        lines.append(
            template.format(
                names=join_words((ahead, behind)),
                ahead=ahead,
                reason=score.tie_break,
                rank=ranks[score.seat],
            )
        )
    return lines


_GAME_OVER_HEADING: Final = "the game is over:"


def final_score_lines(view: View) -> list[str]:
    """Return the scores of a game that is over, under a heading."""
    return [_GAME_OVER_HEADING, *(f"  {line}" for line in score_lines(view))]


def end_sentence(view: View) -> str:
    """Return who won a game that is over, and how it ended, in one sentence."""
    return "; ".join(_score_lines_and_clauses(view)[1])


def _score_lines_and_clauses(view: View) -> tuple[list[str], list[str]]:
    """Return one line for each seat, best first, and clauses on who won and how the game ended.

    Seats that conceded or were removed come last, whatever their scores are. A draw has no order,
    and neither has an end without a winner.
    """
    result, ranks = view.play.ruleset.result(view.table.state), ranks_by_seat(view)
    if 0 in ranks.values():
        return [_score_line(view, "-", score) for score in result.scores], [_how_it_ended(view)]
    departures = departures_of(view)
    rows = [
        _score_line(view, f"{ranks[score.seat]}.", score, departures.get(score.seat, ""))
        for score in sorted(result.scores, key=lambda score: score.seat in departures)
    ]
    winners = [s.seat for s in result.scores if ranks[s.seat] == 1 and s.seat not in departures]
    names = join_words(clean(view.names[seat]) for seat in winners)
    if not winners:
        template = _NOBODY_WINS
    elif len(winners) > 1:
        template = SHARED_WIN_CLAUSE
    elif result.decided_by not in ("", "shared") and winners == list(result.winners):
        template = _TIE_WIN
    else:
        template = WIN_CLAUSE
    win_clause = template.format(names=names, reason=result.decided_by)
    is_agreed = view.ended_by or view.ended == LAST_TURN  # not if all but a bot have conceded
    return rows, [win_clause, *([_how_it_ended(view)] if is_agreed and winners else [])]


def points_of(score: Score) -> str:
    """Return a score with its parts: `12 points (7 food + 5 population)`."""
    parts = " + ".join(f"{number} {name}" for name, number in score.parts.items())
    return f"{counted(score.total, 'point')} ({parts})"


def _score_line(view: View, rank: str, score: Score, departure: str = "") -> str:
    name = clean(view.names[score.seat])
    line = f"{rank} {score.seat} {name}: {points_of(score)}"
    return f"{line}, {departure}" if departure else line


_LAST_TURN: Final = f"a game can have at most {{turn}} turns, so the game ended {END_WORDS[SCORE]}"
_AGREED_END: Final = "{people} agreed to end the game {end}"
_ENDED_ALONE: Final = "{people} voted to end the game {end}, and nobody else had to agree"


def _how_it_ended(view: View) -> str:
    if view.ended == LAST_TURN:
        return _LAST_TURN.format(turn=view.turn)
    names = {**view.names, REFEREE: view.referee}
    people = clean(name_people(view.ended_by, names, view.by_mail))
    template = _ENDED_ALONE if len(view.ended_by) == 1 else _AGREED_END
    return template.format(people=people, end=END_WORDS[view.ended])


_RANK_WORDS: Final = ("won", "came second", "came third", "came fourth", "came fifth", "came sixth")
_OWN_RESULT: Final = "You {outcome} of {players}, with {points}"
_OWN_WIN: Final = "You {outcome}, with {points}"
_SHARED_WIN: Final = "shared the win"
_OWN_POINTS: Final = "You have {points}"


def own_result_line(view: View) -> str:
    """Return the user's own rank and points in a game that is over; empty for a spectator. Only
    points, if the end has no order or the user has left."""
    score = next((score for score in scores_of(view) if score.seat == view.seat), None)
    if score is None:
        return ""
    ranks, points = ranks_by_seat(view), counted(score.total, "point")
    rank = ranks[view.seat]
    if not rank or view.seat in departures_of(view):
        return _OWN_POINTS.format(points=points)
    is_shared = rank == 1 and list(ranks.values()).count(1) > 1
    if rank == 1:
        return _OWN_WIN.format(outcome=_SHARED_WIN if is_shared else _RANK_WORDS[0], points=points)
    return _OWN_RESULT.format(outcome=_RANK_WORDS[rank - 1], players=len(ranks), points=points)


# ---- Several games

_UNREADABLE_GAME: Final = "{folder}: cannot be read: {reason}"
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
    return _UNREADABLE_GAME.format(folder=clean(folder), reason=clean(reason))


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
