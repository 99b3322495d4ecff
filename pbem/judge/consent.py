"""Who must agree to what: one pure function, which everybody asks (docs/seats.md, protocol §5).

It knows only what matters for consent: whose key a seat has, whether its player is there, and
whether the referee is a person. An act that takes something from a person needs two people, or that
person's silence as the charter says, or their own word.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

from engine.values import Value

Holder = Literal["own", "guest", "mail", "referee"]
"""Whose key a seat has: its player's own; its player's own, but the referee gave them the seat
during the game; the referee's, for a player who answers by plain email; the referee's, who plays
it. Only the referee's word stands for a guest or a player by email, so they do not count as people
with a key of their own when others agree. A host's word stands for nobody."""
Presence = Literal["here", "away", "idle", "out"]
"""`away`: an announced absence of at most 14 days so far. `idle`: silent for so long, or away for
longer. `out`: conceded, left or removed."""
Act = Literal["own", "end", "no winner", "deadline", "clock", "vouch", "seat"]
"""What somebody wants: `own`, an act that concerns only its writer (to concede, leave, be away, put
a deadline off, change a key); an end with a result; an end without a winner; another deadline; the
right date for the last turn; new keys for a player who lost theirs; another player for a seat."""

IN: Final = ("here", "away")


class Seat(NamedTuple):
    """What matters about a person's seat."""

    letter: str
    holder: Holder
    presence: Presence

    @property
    def person(self) -> str:
        """Who decides for the seat: its letter, or `referee` where the referee plays it."""
        return "referee" if self.holder == "referee" else self.letter


class Consent(Value):
    """Who must agree to an act, and who can still cancel it after that."""

    seats: frozenset[str] = frozenset()
    """The seats that must all say the same, or as many of them as `count` says."""
    count: int = 0
    """How many of these seats are enough; 0 = all of them."""
    referee: bool = False
    """Whether the referee's notice is needed too, last of all; a host writes it by itself."""
    never: str = ""
    """Why the agreement of all these people is not enough; empty if it is."""
    cancels: frozenset[str] = frozenset()
    """The seats that must be able to see the act before it takes effect, and whose own acts cancel
    it. If there are none, it takes effect immediately."""


def consent(
    act: Act,
    seats: Collection[Seat],
    about: str = "",
    *,
    disputed: bool = False,
    automaton: bool = False,
) -> Consent:
    """Return who must agree to an act now; `seats` are those that people play.

    `about` is the seat that the act concerns: the writer's for `own`; the one that gets new keys or
    a new player. `disputed`: this seat has cancelled such keys before. `automaton`: a host deals,
    so the referee is no person.
    """
    by_letter = {seat.letter: seat for seat in seats}
    present = [seat for seat in seats if seat.presence in IN]
    letters = frozenset(seat.letter for seat in present)
    idle = frozenset(seat.letter for seat in seats if seat.presence == "idle")
    match act:
        case "own":
            return Consent(frozenset({about}))
        case "seat":
            return _another_player(by_letter[about])
        case "vouch":
            least = 2 if disputed or automaton else 1
            obstacle = DISPUTED if disputed else HOST_VOUCHES if automaton else NO_VOUCHER
            return _new_keys(by_letter[about], present, least, obstacle)
        case "no winner" if not automaton:
            return Consent(letters, referee=True, cancels=idle)
        case "end" | "no winner":
            never = _why_too_few(seats, automaton=automaton)
            return Consent(letters, never=never, cancels=idle)
    never = _why_too_few(seats, with_referee=True, automaton=automaton)
    if act == "deadline":
        return Consent(letters, referee=True, never=never)
    return _right_date(present, never, automaton=automaton)


NOBODY: Final = "nobody is here to agree"
ALONE: Final = "one person alone cannot decide this for the players who are silent"
NO_OWN_KEY: Final = (
    "nobody with a key of their own, apart from the referee and those to whom the referee gave a "
    "seat, is among those who agree, although such a player is still in the game"
)
HOST_ALONE: Final = (
    "a host deals, so at least two players who have had keys of their own since the game began "
    "must agree, as long as anybody is silent"
)


def _why_too_few(
    seats: Collection[Seat], *, with_referee: bool = False, automaton: bool = False
) -> str:
    """Say why those who are in are too few to decide for everybody; empty if they are not."""
    still = [seat for seat in seats if seat.presence != "out"]
    present = [seat for seat in still if seat.presence in IN]
    if not present:
        return NOBODY
    if present == still or len({seat.person for seat in still}) == 1:
        return ""  # nobody loses anything without their own word
    own = [seat for seat in present if seat.holder == "own"]
    if automaton:
        return HOST_ALONE if len(own) < 2 else ""
    if len({seat.person for seat in present} | ({"referee"} if with_referee else set())) < 2:
        return ALONE
    return NO_OWN_KEY if not own and any(seat.holder == "own" for seat in still) else ""


def _right_date(present: Collection[Seat], never: str, *, automaton: bool) -> Consent:
    """Half of the players with keys of their own say that a date is wrong, and the referee last;
    if nobody has such a key, half of the others.

    Where a host deals, two such players must say so; without them, all players.
    """
    own = frozenset(seat.letter for seat in present if seat.holder == "own")
    others = frozenset(seat.letter for seat in present if seat.holder != "referee")
    if automaton:
        asked = own if len(own) >= 2 else others
        count = max(2, _half(own)) if len(own) >= 2 else len(others)
    else:
        asked = own or others
        count = _half(asked)
    return Consent(asked, count=count, referee=True, never=never)


def _half(seats: Collection[str]) -> int:
    return (len(seats) + 1) // 2


def _another_player(seat: Seat) -> Consent:
    """The referee gives a seat to whoever joins, if it was left, is by mail, or silent so long."""
    free = seat.presence == "out" or seat.holder == "mail"
    never = "" if free or seat.presence == "idle" else f"seat {seat.letter} is not open"
    cancels = frozenset[str]() if free else frozenset({seat.letter})
    return Consent(referee=True, never=never, cancels=cancels)


def _new_keys(lost: Seat, present: Collection[Seat], least: int, obstacle: str) -> Consent:
    """Others vouch for a player's new keys, at least so many of them; then the referee does."""
    others = frozenset(s.letter for s in present if s.holder == "own") - {lost.letter}
    never = obstacle if len(others) < least else ""
    if lost.presence == "out":
        never = f"nobody plays seat {lost.letter}"
    return Consent(others, referee=True, never=never, cancels=frozenset({lost.letter}))


NO_VOUCHER: Final = (
    "at least one other player with a key of their own must vouch, not only the referee and those "
    "to whom the referee gave a seat or for whom they sign; without one, only the recovery key can "
    "change the keys"
)
HOST_VOUCHES: Final = (
    "a host deals, so at least two other players who have had keys of their own since the game "
    "began must vouch; without them, only the recovery key can change the keys"
)
DISPUTED: Final = (
    "somebody with the seat's present key has cancelled such a change, so at least two other "
    "players with keys of their own must vouch; without them, only the recovery key can change the "
    "keys"
)
