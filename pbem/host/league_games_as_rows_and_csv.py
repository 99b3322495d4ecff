"""A league: all games that were started with one token, a row for each, and as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from pbem.judge.ranks_after_departures import ranking
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.wording.next_step import name_awaited_people


class LeaguePlayer(NamedTuple):
    """A player of a game: place and points count once it is over, and are 0 before."""

    name: str
    place: int
    points: int


class LeagueRow(NamedTuple):
    """A game of a league."""

    title: str
    ruleset: str
    state: str
    awaited_names: str
    page: str
    """The path of the page with its links."""
    is_over: bool
    players: list[LeaguePlayer]


def league_row(session: Session, page: str) -> LeagueRow:
    """Return the state of a game for its league; `page` is the path of the page with its links."""
    charter, situation = session.charter, situation_of(session)
    view = situation.view
    is_over = view is not None and view.is_over
    if view is None:
        state, names = "not begun", [plan.name for plan in charter.seats]
    else:
        state = "over" if is_over else f"turn {view.turn}"
        names = [name for _, name in sorted(view.names.items())]
    players = [LeaguePlayer(name, 0, 0) for name in names]
    if view is not None and is_over:
        scores = ranking(view)
        players = [LeaguePlayer(row["name"], row["rank"], row["points"]) for row in scores]
    awaited_names = "" if is_over else name_awaited_people(situation)
    return LeagueRow(charter.title, charter.ruleset, state, awaited_names, page, is_over, players)


def as_csv(rows: Sequence[LeagueRow]) -> str:
    """Return a table for spreadsheets: a line for each player of each game."""
    buffer = io.StringIO()
    sheet = csv.writer(buffer)
    sheet.writerow(["game", "rules", "state", "player", "place", "points"])
    for row in rows:
        for player in row.players:
            cells = [
                row.title,
                row.ruleset,
                row.state,
                player.name,
                player.place or "",
                player.points,
            ]
            # what a spreadsheet takes for a formula
            formulas = ("=", "+", "-", "@")
            sheet.writerow([f"'{x}" if str(x).startswith(formulas) else x for x in cells])
    return buffer.getvalue()
