"""Who could see each hand of a game that several dealers deal, in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from engine.counts_and_lists_in_prose import join_words
from engine.value_classes import Value
from pbem.judge.game_view import View
from pbem.records.charter import Charter
from pbem.terminal.clean_text import clean

_TWO_DEALERS: Final = "{people} together could see every hand; neither can alone"
_THREE_DEALERS: Final = "only {people} all together could see every hand; no two of them can"
_WITH_DEPUTIES: Final = "{clause}. A dealer's deputy could see as much as that dealer"
_REFEREES_SEATS: Final = "{referee} has the key of {people}, and so sees that hand"
_REFEREES_SEVERAL_SEATS: Final = "{referee} has the keys of {people}, and so sees those hands"


class Dealers(Value):
    """The dealers of a game, and the seats whose keys the referee has."""

    referee: str
    co_dealers: Sequence[str]
    """The names of the co-dealers."""
    names: Mapping[str, str]
    """The name of the player at each seat."""
    held_seats: Collection[str]
    """The seats whose keys the referee has: those of bots and of players by plain email, and the
    referee's own, which goes without saying."""
    has_deputies: bool = False
    """Whether the referee or a co-dealer has a deputy."""


def dealers_of(charter: Charter) -> Dealers:
    """Return the dealers of a game from its charter."""
    return Dealers(
        charter.referee,
        [dealer.name for dealer in charter.dealers],
        {plan.seat: plan.name for plan in charter.seats},
        charter.held_seats,
        bool(charter.deputy_key) or any(dealer.deputy_key for dealer in charter.dealers),
    )


def hand_lines(dealers: Dealers) -> list[str]:
    """Return lines on the people who could see each hand; none if only the referee deals."""
    if not dealers.co_dealers:
        return []
    referee = clean(dealers.referee)
    people = join_words([*map(clean, dealers.co_dealers), referee])
    template = _TWO_DEALERS if len(dealers.co_dealers) == 1 else _THREE_DEALERS
    line = template.format(people=people)
    lines = [_WITH_DEPUTIES.format(clause=line) if dealers.has_deputies else line]
    held_seats = dealers.held_seats & dealers.names.keys()
    held = sorted(seat for seat in held_seats if dealers.names[seat] != dealers.referee)
    if held:
        seats = join_words(f"{clean(dealers.names[seat])} (seat {seat})" for seat in held)
        template = _REFEREES_SEATS if len(held) == 1 else _REFEREES_SEVERAL_SEATS
        lines.append(template.format(referee=referee, people=seats))
    return lines


def dealers_in(view: View, charter: Charter | None = None) -> Dealers:
    """Return the dealers of a game that has begun, with the names and seats as they are now; the
    charter knows whether there are deputies."""
    has_deputies = charter is not None and dealers_of(charter).has_deputies
    held_seats = {*view.plays, *view.by_mail}
    return Dealers(view.referee, view.dealers, view.names, held_seats, has_deputies)


def hand_sentences(dealers: Dealers) -> str:
    """Return the same lines as sentences in a row; empty if only the referee deals."""
    return " ".join(f"{line[0].upper()}{line[1:]}." for line in hand_lines(dealers))
