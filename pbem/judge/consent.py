"""Consent: the people who must agree to an act, in one pure function (docs/seats.md, protocol §5).

Consent depends on three facts: the holder of each seat's key, the presence of its player, and
whether the referee is a person. An act that takes something from a person needs two people, or that
person's silence as the charter says, or their own word.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

from engine.value_classes import Value

Holder = Literal["own", "guest", "mail", "referee"]
"""The holder of a seat's key. `own`: its player. `guest`: its player, to whom the referee gave the
seat during the game. `mail`: the referee, for a player who answers by plain email. `referee`: the
referee, who plays the seat.

Only the referee's word stands for a guest or a player by email, so they do not count as people with
a key of their own when others agree. A host's word stands for nobody.
"""
Presence = Literal["here", "away", "idle", "out"]
"""`away`: an announced absence of at most 14 days so far. `idle`: silent for so long, or away for
longer. `out`: conceded, left or removed."""
Act = Literal["own", "end", "no winner", "deadline", "clock", "vouch", "seat"]
"""An act that somebody wants. `own`: an act that concerns only its writer (to concede, leave, be
away, put a deadline off, change a key). `end`: an end with a result. `no winner`: an end without
one. `deadline`: another deadline. `clock`: the right date for the last turn. `vouch`: new keys for
a player who lost theirs. `seat`: another player for a seat."""

PRESENT_STATES: Final = ("here", "away")


class Seat(NamedTuple):
    """The facts about a person's seat that consent depends on."""

    letter: str
    holder: Holder
    presence: Presence

    @property
    def person(self) -> str:
        """The person who decides for the seat: its letter, or `referee` if the referee plays it."""
        return "referee" if self.holder == "referee" else self.letter


class Consent(Value):
    """The consent that an act needs, and the seats that can cancel the agreed act."""

    seats: frozenset[str] = frozenset()
    """The seats that must agree: `count` of them, or all."""
    count: int = 0
    """The number of these seats that is enough; 0 = all."""
    referee: bool = False
    """Whether the referee's notice is needed too, last of all; a host writes it by itself."""
    obstacle: str = ""
    """The reason why the agreement of all these people is not enough; empty if it is enough."""
    cancels: frozenset[str] = frozenset()
    """The seats that can cancel the announced act, by acts of their own. If there are none, the act
    takes effect immediately."""


def consent(
    act: Act,
    seats: Collection[Seat],
    subject_seat: str = "",
    *,
    disputed: bool = False,
    automaton: bool = False,
) -> Consent:
    """Return the consent that an act needs now; `seats` are the seats that people play.

    `subject_seat` is the seat that the act concerns: the writer of an `own` act, or the seat that
    gets new keys (`vouch`) or a new player (`seat`); other acts ignore it. `disputed`: this seat
    has cancelled such keys before. `automaton`: a host deals, so the referee is no person.

    >>> seats = [Seat("a", "own", "here"), Seat("b", "own", "here"), Seat("c", "own", "idle")]
    >>> consent_to_end = consent("end", seats)
    >>> sorted(consent_to_end.seats), sorted(consent_to_end.cancels), consent_to_end.referee
    (['a', 'b'], ['c'], False)
    """
    by_letter = {seat.letter: seat for seat in seats}
    present = [seat for seat in seats if seat.presence in PRESENT_STATES]
    letters = frozenset(seat.letter for seat in present)
    idle = frozenset(seat.letter for seat in seats if seat.presence == "idle")
    match act:
        case "own":
            return Consent(frozenset({subject_seat}))
        case "seat":
            return _another_player(by_letter[subject_seat])
        case "vouch":
            min_vouchers = 2 if disputed or automaton else 1
            obstacle = DISPUTED if disputed else HOST_VOUCHES if automaton else NO_VOUCHER
            return _new_keys(by_letter[subject_seat], present, min_vouchers, obstacle)
        case "no winner" if not automaton:
            return Consent(letters, referee=True, cancels=idle)
        case "end" | "no winner":
            obstacle = _why_present_cannot_decide(seats, automaton=automaton)
            return Consent(letters, obstacle=obstacle, cancels=idle)
    obstacle = _why_present_cannot_decide(seats, with_referee=True, automaton=automaton)
    if act == "deadline":
        return Consent(letters, referee=True, obstacle=obstacle)
    return _right_date(present, obstacle, automaton=automaton)


NOBODY: Final = "nobody is here to agree"
ONE_PERSON: Final = "one person alone cannot decide this for the players who are silent"
NO_OWN_KEY: Final = (
    "all players who are here now got their key or their seat from the referee; at least one "
    "player who got neither from the referee must agree too"
)
HOST_ALONE: Final = (
    "a host deals this game. While a player is silent, at least two players must agree. Both must "
    "have had keys of their own since the game began"
)


def _why_present_cannot_decide(
    seats: Collection[Seat], *, with_referee: bool = False, automaton: bool = False
) -> str:
    """Return why the present seats cannot decide for everybody; empty if they can.

    At least one seat must be present, and one of these must be true:

    * All seats in play are present, or one person plays all of them.
    * `automaton`: a host deals, so the referee is no person. Two present seats have keys of their
      own.
    * Without `automaton`: the present seats are of two people, or of one and the referee, who must
      agree too (`with_referee`). One of these seats has a key of its own, unless no seat in play
      has.
    """
    playing = [seat for seat in seats if seat.presence != "out"]
    present = [seat for seat in playing if seat.presence in PRESENT_STATES]
    if not present:
        return NOBODY
    if present == playing or len({seat.person for seat in playing}) == 1:
        return ""  # nobody loses anything without their own word
    own_key_seats = [seat for seat in present if seat.holder == "own"]
    if automaton:
        return HOST_ALONE if len(own_key_seats) < 2 else ""
    if len({seat.person for seat in present} | ({"referee"} if with_referee else set())) < 2:
        return ONE_PERSON
    if not own_key_seats and any(seat.holder == "own" for seat in playing):
        return NO_OWN_KEY
    return ""


def _right_date(present: Collection[Seat], obstacle: str, *, automaton: bool) -> Consent:
    """Return the consent that a changed date needs.

    Half of the players with keys of their own declare the date wrong, and the referee last. If
    nobody has such a key, half of the players by mail and guests do. Where a host deals, at least
    two players with keys of their own must agree; if there are none, all players.
    """
    own_letters = frozenset(seat.letter for seat in present if seat.holder == "own")
    people_letters = frozenset(seat.letter for seat in present if seat.holder != "referee")
    if automaton:
        asked_letters = own_letters if len(own_letters) >= 2 else people_letters
        count = max(2, _half(own_letters)) if len(own_letters) >= 2 else len(people_letters)
    else:
        asked_letters = own_letters or people_letters
        count = _half(asked_letters)
    return Consent(asked_letters, count=count, referee=True, obstacle=obstacle)


def _half(seats: Collection[str]) -> int:
    return (len(seats) + 1) // 2


def _another_player(seat: Seat) -> Consent:
    """Return the consent that another player for a seat needs: only the referee's, if its player
    has left, answers by mail, or is idle. Only an idle player can cancel it."""
    is_free = seat.presence == "out" or seat.holder == "mail"
    obstacle = "" if is_free or seat.presence == "idle" else f"seat {seat.letter} is not open"
    cancels = frozenset[str]() if is_free else frozenset({seat.letter})
    return Consent(referee=True, obstacle=obstacle, cancels=cancels)


def _new_keys(
    lost_seat: Seat, present: Collection[Seat], min_vouchers: int, obstacle: str
) -> Consent:
    """Return the consent that new keys need for a player who lost theirs: all other present players
    with keys of their own vouch for them, and then the referee. `obstacle` is the reason why not if
    fewer than `min_vouchers` players can vouch."""
    vouchers = frozenset(s.letter for s in present if s.holder == "own") - {lost_seat.letter}
    if len(vouchers) >= min_vouchers:
        obstacle = ""
    if lost_seat.presence == "out":
        obstacle = f"nobody plays seat {lost_seat.letter}"
    return Consent(vouchers, referee=True, obstacle=obstacle, cancels=frozenset({lost_seat.letter}))


NO_VOUCHER: Final = (
    "all other players got their key or their seat from the referee, so they cannot confirm new "
    "keys; only the recovery key can change the keys"
)
HOST_VOUCHES: Final = (
    "a host deals this game, so at least two other players must confirm the new keys. Both must "
    "have had keys of their own since the game began. Without them, only the recovery key can "
    "change the keys"
)
DISPUTED: Final = (
    "somebody with the present key of this seat has already cancelled new keys, so at least two "
    "other players with keys of their own must confirm the new keys. Without them, only the "
    "recovery key can change the keys"
)
