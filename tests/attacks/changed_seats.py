"""The game in which a seat gets a new player and another a new key."""

from pbem.judge.seat_turn_reader import SeatReader
from tests.kit.played_games import played_key

GIL, NEW = played_key("Gil"), played_key("Bo's new key")
TAKES, CHANGES, DELAYS = 5, 6, 7
"""The turns that list a new player for seat c, a new key for seat b, and delays."""


def newcomers_reader(game, seat) -> SeatReader:
    seed, since = (GIL.seed, TAKES) if seat == "c" else (NEW.seed, CHANGES)
    return SeatReader(game.charter, seat, seed, since)
