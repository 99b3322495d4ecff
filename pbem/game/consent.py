"""Who must agree to what: one pure function, which everybody asks (docs/seats.md, protocol §5).

It knows only what matters for consent: whose key a seat has, and whether its player is there.
Nobody loses a seat, a vote or the game unless two people agreed, or the player stayed silent as the
charter says and for a waiting time after this was announced.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, Literal, NamedTuple

from engine.values import Value

Holder = Literal["own", "guest", "mail", "referee"]
"""Whose key a seat has: its player's own; its player's own, but the referee gave them the seat
during the game; the referee's, for a player who answers by plain email; the referee's, who plays
it. Only the referee's word stands for a guest or a player by email, so they do not count as people
with a key of their own when others agree."""
Presence = Literal["here", "away", "idle", "out"]
"""`away`: an announced absence of at most 14 days so far. `idle`: silent for so long, or away for
longer. `out`: conceded, left or removed."""
Act = Literal["own", "end", "no winner", "deadline", "vouch", "seat"]
"""What somebody wants: `own`, an act that concerns only its writer (to concede, leave, be away, put
a deadline off, change a key); an end with a result; an end without a winner; another deadline; new
keys for a player who lost theirs; another player for a seat."""

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
    """The seats that must all say the same."""
    referee: bool = False
    """Whether the referee must agree too, last of all."""
    never: str = ""
    """Why the agreement of all these people is not enough; empty if it is."""
    cancels: frozenset[str] = frozenset()
    """The seats that must be able to see the act before it takes effect, and whose own acts cancel
    it. If there are none, it takes effect immediately."""


def consent(
    act: Act, seats: Collection[Seat], about: str = "", *, disputed: bool = False
) -> Consent:
    """Return who must agree to an act now; `seats` are those that people play.

    `about` is the seat that the act concerns: the writer's for `own`; the one that gets new keys or
    a new player. `disputed`: this seat has cancelled such keys before.
    """
    by_letter = {seat.letter: seat for seat in seats}
    present = [seat for seat in seats if seat.presence in IN]
    letters = frozenset(seat.letter for seat in present)
    if act == "own":
        return Consent(frozenset({about}))
    if act == "seat":
        left = by_letter[about].presence == "out" or by_letter[about].holder == "mail"
        never = "" if left or by_letter[about].presence == "idle" else f"seat {about} is not open"
        cancels = frozenset[str]() if left else frozenset({about})
        return Consent(referee=True, never=never, cancels=cancels)
    if act == "vouch":
        return _new_keys(by_letter[about], present, disputed=disputed)
    rest = frozenset(s.letter for s in seats if s.presence == "idle")
    if act == "no winner":
        return Consent(letters, referee=True, cancels=rest)
    people = {seat.person for seat in present} | ({"referee"} if act == "deadline" else set())
    never = _why_too_few(seats, present, people) if letters else NOBODY
    if act == "deadline":
        return Consent(letters, referee=True, never=never)
    return Consent(letters, never=never, cancels=rest)


NOBODY: Final = "nobody is here to agree"
ALONE: Final = "one person alone cannot decide this for the players who are silent"
NO_OWN_KEY: Final = (
    "nobody with a key of their own, apart from the referee and those to whom the referee gave a "
    "seat, is among those who agree, although such a player is still in the game"
)


def _why_too_few(seats: Iterable[Seat], present: Iterable[Seat], people: Collection[str]) -> str:
    """Say why those who are present are too few to decide for everybody; empty if they are not."""
    still = [seat for seat in seats if seat.presence != "out"]
    if len({seat.person for seat in still}) <= 1:
        return ""  # there is nobody else who could lose anything
    if len(people) < 2:
        return ALONE
    own = any(seat.holder == "own" for seat in still)
    return NO_OWN_KEY if own and not any(seat.holder == "own" for seat in present) else ""


def _new_keys(lost: Seat, present: Iterable[Seat], *, disputed: bool) -> Consent:
    """Others vouch for a player's new keys; the referee does so for seats whose keys they have."""
    others = frozenset(s.letter for s in present if s.holder == "own") - {lost.letter}
    never = ""
    if len(others) < (2 if disputed else 1):
        never = DISPUTED if disputed else NO_VOUCHER
    if lost.presence == "out":
        never = f"nobody plays seat {lost.letter}"
    return Consent(others, referee=True, never=never, cancels=frozenset({lost.letter}))


NO_VOUCHER: Final = (
    "at least one other player with a key of their own must vouch, not only the referee and those "
    "to whom the referee gave a seat or for whom they sign; without one, only the recovery key can "
    "change the keys"
)
DISPUTED: Final = (
    "somebody with the seat's present key has cancelled such a change, so at least two other "
    "players with keys of their own must vouch; without them, only the recovery key can change the "
    "keys"
)
