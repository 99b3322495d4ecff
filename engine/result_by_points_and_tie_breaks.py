"""The result of a game by its rules: points, tie-breaks, and the ranks that follow from them."""

from collections.abc import Collection, Mapping
from dataclasses import field

from engine.log import Seat
from engine.value_classes import Value


class Score(Value):
    """The points of a seat: its rank (1 is best; seats can share one), the total and the parts."""

    seat: Seat
    rank: int
    total: int
    parts: Mapping[str, int] = field(default_factory=dict)
    tie_break: str = ""
    """The tie-break that put this seat behind the seat before it in the ranking, which has as many
    points: empty if they have different totals, ``shared`` if no tie-break decided."""


class Result(Value):
    """The final ranking, best first."""

    scores: tuple[Score, ...]

    @property
    def decided_by(self) -> str:
        """The tie-break that decided the win: empty if none was needed, ``shared`` if none decided
        it."""
        return self.scores[1].tie_break if len(self.scores) > 1 else ""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1."""
        return tuple(score.seat for score in self.scores if score.rank == 1)


def ranked(
    parts: Mapping[Seat, Mapping[str, int]],
    tie_breaks: Mapping[str, Mapping[Seat, int]] | None = None,
    departed_seats: Collection[Seat] = (),
) -> Result:
    """Return the result of a game in which the most points win; seats that are equal share a rank.

    ``parts`` has the points of each seat, by the name of the part; they add up to the seat's total.
    ``tie_breaks`` has, by the name of the tie-break, a number for each seat: they decide between
    equal totals, in their order, and the greater number wins. Seats in ``departed_seats`` rank
    after all others. The scores are sorted by rank, then by seat.
    """
    breaks = tie_breaks or {}
    keys = {
        seat: (
            seat not in departed_seats,
            sum(points_by_part.values()),
            *(tie_break[seat] for tie_break in breaks.values()),
        )
        for seat, points_by_part in parts.items()
    }
    # `sorted` keeps the order of equal seats, also in reverse: so they come by letter
    order = sorted(sorted(keys), key=lambda seat: keys[seat], reverse=True)
    scores = tuple(
        Score(
            seat,
            rank=1 + sum(key > keys[seat] for key in keys.values()),
            total=sum(parts[seat].values()),
            parts=parts[seat],
            tie_break=_tie_break(keys[seat_ahead], keys[seat], breaks) if seat_ahead else "",
        )
        for seat_ahead, seat in zip(("", *order), order, strict=False)
    )
    return Result(scores)


def _tie_break(key_ahead: tuple[int, ...], key: tuple[int, ...], breaks: Collection[str]) -> str:
    """Return the name of the tie-break that decided between two seats; ``shared`` if none did,
    empty if none was needed.

    A key has whether the seat stayed in the game, its total, and a number for each tie-break in
    ``breaks``.
    """
    if key_ahead[:2] != key[:2]:
        return ""
    for name, value_ahead, value in zip(breaks, key_ahead[2:], key[2:], strict=True):
        if value_ahead != value:
            return name
    return "shared"
