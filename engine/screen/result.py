"""The final ranking of a game: points, ranks, and the tie-break that decided the win."""

from collections.abc import Collection, Mapping
from dataclasses import field

from engine.sentences.text import Seat
from engine.values import Value


class Score(Value):
    """The points of a seat: its rank (1 is best; seats can share one), the total and the parts."""

    seat: Seat
    rank: int
    total: int
    parts: Mapping[str, int] = field(default_factory=dict)


class Result(Value):
    """The final ranking. ``decided_by`` names the tie-break, if one was needed for the win."""

    scores: tuple[Score, ...]
    decided_by: str = ""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1."""
        return tuple(score.seat for score in self.scores if score.rank == 1)


def ranked(
    parts: Mapping[Seat, Mapping[str, int]],
    tie_breaks: Mapping[str, Mapping[Seat, int]] | None = None,
    out: Collection[Seat] = (),
) -> Result:
    """Return the result of a game in which the most points win; seats that are equal share a rank.

    ``parts`` add up to a seat's total. ``tie_breaks`` decide between equal totals, in their order;
    the greater number wins. Seats in ``out`` rank after all others.
    """
    breaks = tie_breaks or {}
    keys = {
        seat: (seat not in out, sum(found.values()), *(by[seat] for by in breaks.values()))
        for seat, found in parts.items()
    }
    order = sorted(sorted(keys), key=lambda seat: keys[seat], reverse=True)
    scores = tuple(
        Score(s, 1 + sum(key > keys[s] for key in keys.values()), sum(parts[s].values()), parts[s])
        for s in order
    )
    return Result(scores, _decided_by([keys[seat] for seat in order[:2]], breaks))


def _decided_by(best: list[tuple[int, ...]], breaks: Collection[str]) -> str:
    """Return the name of the tie-break that decided the win; ``shared`` if none did, empty if none
    was needed."""
    if len(best) < 2 or best[0][:2] != best[1][:2]:
        return ""
    first, second = (key[2:] for key in best)
    for name, one, other in zip(breaks, first, second, strict=True):
        if one != other:
            return name
    return "shared"
