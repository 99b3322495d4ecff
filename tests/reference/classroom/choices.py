"""The card actions of a turn in the second implementation (rulings 5.2 and 5.3)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.reference.classroom.model import Place, Species, classroom_card_trait

MOST, MOST_TRAITS = 7, 3


def keeps_limits(place: Place) -> bool:
    """Whether the result of a choice obeys all limits."""
    return all(
        board.population <= MOST and board.body <= MOST
        and len(set(board.traits)) == len(board.traits) <= MOST_TRAITS
        for board in place.row
    )  # fmt: skip


def card_steps(place: Place) -> set[str]:
    """Return what can be done with one card if all limits hold now and then; and ``done``."""
    found = {"done"}
    for card in place.hand:
        found |= {f"{card}: new board", f"{card}: new board on the left"}
        for board in place.row:
            found.update(uses(card, board))
    return found


def uses(card: str, board: Species) -> Iterator[str]:
    if board.population < MOST:
        yield f"{card}: {board.name} population"
    if board.body < MOST:
        yield f"{card}: {board.name} body"
    if len(board.traits) < MOST_TRAITS and not board.has(classroom_card_trait(card)):
        yield f"{card} on {board.name}"
    for at in range(len(board.traits)):
        if classroom_card_trait(card) not in board.traits[:at] + board.traits[at + 1 :]:
            yield f"{card} instead of {at + 1} on {board.name}"


def carry_out_step(place: Place, seat: str, text: str) -> list[str]:
    """Carry out one step; return the cards that it discards.

    A step reads ``horns 1: new board``, ``horns 1: a1 body`` or ``horns 1 on a1``.
    """
    card = " ".join(text.split(":")[0].split()[:2])
    place.hand.remove(card)
    rest = text.removeprefix(card)
    if rest.startswith(": new board"):
        place.new_board(seat, rest.endswith("left"))
    elif rest.startswith(": "):
        name, track = rest[2:].split()
        board = place.board(name)
        setattr(board, track, getattr(board, track) + 1)
    elif rest.startswith(" on "):
        place.board(rest.split()[-1]).cards.append(card)
        return []
    else:
        _, _, at, _, name = rest.split()
        return [replace(place.board(name), int(at) - 1, card)]
    return [card]


def replace(board: Species, at: int, card: str) -> str:
    """Replace a trait; fat stored under a replaced Fat Tissue is lost (ruling 5.3)."""
    old, board.cards[at] = board.cards[at], card
    if classroom_card_trait(old) == "fat_tissue":
        board.fat = 0
    return old
