"""Find what differs between two scenes; each difference is the key of a part of the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine import Scene


def changes(before: Scene, after: Scene) -> list[str]:
    """Return the keys of everything that is new or different in `after`, in the order of the
    picture.

    A key is a `data-key` in the picture: `fact:deck`, `seat:a:food`, `seat:a:hand`,
    `seat:a:hand:0`, `piece:a2` (a new piece), `piece:a2:body`, `piece:a2:card:0`.
    """
    was, now = dict(_values(before)), _values(after)
    held = dict(_rows_of_cards(before))
    found = [key for key, value in now if was.get(key) != value]
    for key, cards in _rows_of_cards(after):
        found += [f"{key}:{n}" for n in _new(held.get(key, ()), cards)]
    # everything on a new piece is new too: one frame around the whole piece shows this
    new = tuple(f"{key}:" for key in found if key.startswith("piece:") and key.count(":") == 1)
    return [key for key in found if not key.startswith(new)]


def _values(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield every key with a single value, and that value."""
    yield from ((f"fact:{name}", value) for name, value in scene.facts)
    for place in scene.places:
        yield from ((f"seat:{place.seat}:{name}", value) for name, value in place.facts)
        yield f"seat:{place.seat}:hand", str(len(place.hand))
        for piece in place.pieces:
            yield f"piece:{piece.name}", ""
            yield from ((f"piece:{piece.name}:{name}", value) for name, value in piece.facts)


def _rows_of_cards(scene: Scene) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the key and the cards of every row of cards that this viewpoint sees."""
    for place in scene.places:
        yield f"seat:{place.seat}:hand", place.hand
        yield from ((f"piece:{piece.name}:card", piece.cards) for piece in place.pieces)


def _new(before: Sequence[str], after: Sequence[str]) -> Iterator[int]:
    """Yield the positions of the cards that are new; a different order is not a change."""
    left = Counter(before)
    for n, card in enumerate(after):
        left[card] -= 1
        if left[card] < 0:
            yield n
