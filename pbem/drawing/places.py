"""Draw what is in front of one player: their name, their facts, their pieces, their hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine import UNKNOWN, Place
from pbem.drawing import cards
from pbem.drawing.icons import Icons
from pbem.drawing.pieces import WIDTH, piece
from pbem.drawing.svg import Part, label, tag
from pbem.drawing.text_lines import text_width
from pbem.drawing.tiles import chip
from pbem.frozen import frozen

GAP = 8.0
EDGE = 12.0
LEAST = 172.0
"""The smallest width of a piece when two fit side by side."""
_HEAD = 42.0
_MOST_BACKS = 12


@frozen
class Seating:
    """The facts about the players that a picture shows but the scene does not contain."""

    names: Mapping[str, str]
    """The name of the player at each seat."""
    seat: str = ""
    """The seat of the person who looks at the picture; empty for a spectator."""
    flags: Mapping[str, str] | None = None
    """Words to show beside a player's name, by seat, such as `first player`."""


def draw_place(found: Place, at: int, seating: Seating, icons: Icons, width: float) -> Part:
    """Draw one player's place, `width` units wide; `at` is their number at the table."""
    inner = width - 2 * EDGE
    chips = [place_chip(found, fact, icons, inner) for fact in found.facts]
    head, y = _head(found, at, seating, width, chips)
    wide = piece_width(inner)
    drawn, used = flow([piece(one, icons, at, wide) for one in found.pieces], inner)
    body = Part(drawn, inner, used).at(EDGE, y)
    y += used + GAP if found.pieces else 0
    drawn, used = hand(found, icons, inner)
    body += Part(drawn, inner, used).at(EDGE, y)
    y += used + (EDGE if used else 0)
    mine = " pb-mine" if found.seat == seating.seat else ""
    frame = tag("rect", x=1.0, y=1.0, width=width - 2, height=y - 2, rx=14, class_="pb-mat")
    group = tag(
        "g", frame, head, body, class_=f"pb-place pb-seat-{at % 8}{mine}", data_seat=found.seat,
        data_key=f"seat:{found.seat}",
    )  # fmt: skip
    return Part(group, width, y)


def place_chip(found: Place, fact: tuple[str, str], icons: Icons, most: float) -> Part:
    """Draw one fact of a player as a small box ("chip") beside their name."""
    return chip(*fact, icons, f"seat:{found.seat}:{fact[0]}", most)


def piece_width(room: float) -> float:
    """Return the width of each piece in a place this wide: at least two fit, and they fill the
    row."""
    count = max(2, int((room + GAP) // (LEAST + GAP)))
    return min(WIDTH, (room + GAP) / count - GAP)


def hand(found: Place, icons: Icons, room: float) -> tuple[str, float]:
    """Draw the hand (the cards, or backs with their number); return the markup and its height."""
    key = f"seat:{found.seat}:hand"
    if any(card != UNKNOWN for card in found.hand):
        scale = min(1.0, (room - 2 * GAP) / 3 / cards.WIDE)
        drawn = [cards.card(text, icons, f"{key}:{n}") for n, text in enumerate(found.hand)]
        markup, used = flow([_scaled(part, scale) for part in drawn], room)
    else:
        part = backs(len(found.hand))
        markup, used = part.markup, part.height
    return tag("g", markup, class_="pb-hand", data_key=key), used


def backs(count: int) -> Part:
    """Draw an unknown hand: small backs and the number of cards."""
    shown = min(count, _MOST_BACKS)
    drawn = "".join(
        tag("rect", x=1 + 12.0 * n, y=1.0, width=22.0, height=30.0, rx=4, class_="pb-back")
        for n in range(shown)
    )
    said = f"{count} in hand"
    left = 12.0 * shown + (18 if shown else 0)
    text = label(said, left, 21 if shown else 15, "pb-words")
    return Part(drawn + text, left + text_width(said, 13), 32 if shown else 20)


def _scaled(part: Part, scale: float) -> Part:
    if scale == 1:
        return part
    markup = f'<g transform="scale({scale:.4f})">{part.markup}</g>'
    return Part(markup, part.width * scale, part.height * scale)


def _head(
    found: Place, at: int, seating: Seating, width: float, chips: Sequence[Part]
) -> tuple[str, float]:
    """Draw the head of a place, with the seat's letter, the player's name, "you" and the facts;
    return its markup and height.

    The facts are beside the name if there is room, otherwise below it.
    """
    name = seating.names.get(found.seat, "")
    flags = ["you"] if found.seat == seating.seat else []
    flags += filter(None, [(seating.flags or {}).get(found.seat, "")])
    said = " · ".join(flags)
    end = text_width(said, 12) + 14 if said else 0.0
    room = width - 50 - EDGE - end
    named = text_width(name, 17, bold=True)
    drawn = tag("circle", cx=28.0, cy=26.0, r=14, class_="pb-seat")
    drawn += label(found.seat, 28, 31.5, "pb-letter pb-mid")
    drawn += label(name, 50, 32, "pb-player", room if named > room > 0 else 0)
    drawn += label(said, width - EDGE, 31, "pb-words pb-end") if said else ""
    facts = sum(part.width + GAP for part in chips)
    if named + facts + 12 <= room:
        row, high = flow(chips, facts)
        return drawn + Part(row, facts, high).at(50 + named + 12, 10), _HEAD + 8
    row, high = flow(chips, width - 2 * EDGE)
    return drawn + Part(row, width, high).at(EDGE, _HEAD + 6), _HEAD + 6 + high + GAP


def flow(parts: Iterable[Part], width: float, gap: float = GAP) -> tuple[str, float]:
    """Arrange parts in rows that fit the width, from left to right; return the markup and
    height."""
    drawn, x, y = "", 0.0, 0.0
    row: list[Part] = []
    for part in parts:
        if row and x + part.width > width + 0.01:
            y += _height(row) + gap
            x, row = 0.0, []
        drawn += part.at(x, y)
        x += part.width + gap
        row.append(part)
    return drawn, y + _height(row)


def _height(row: Sequence[Part]) -> float:
    return max((part.height for part in row), default=0.0)
