"""The record `notice`: somebody declares something, and the next turn applies it (§5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, Final

from pbem.format.canonical import RecordError, Scalar
from pbem.frozen import frozen
from pbem.records.schema import (
    Codec,
    Header,
    Kind,
    Wrong,
    from_doc,
    hash32,
    mapping,
    number,
    one_of,
    seat_letter,
    signing,
    text,
    to_doc,
    wire,
    word,
    x25519,
)

SCORE: Final = "score"
DRAW: Final = "draw"
NO_WINNER: Final = "no winner"
PLAY_ON: Final = "play on"
MAX_TIME: Final = 253_402_300_799
"""The last second of the year 9999, the last that calendars can show."""


@frozen
class Saying:
    """What a notice says; each kind is a subclass."""

    about: ClassVar[str]
    """The name of the kind, as the record writes it."""


@frozen
class Concede(Saying):
    """The seat resigns: from now on its choices are made without it, and it is ranked last."""

    about: ClassVar[str] = "concede"


@frozen
class Leave(Saying):
    """The seat is given up: nobody waits for it, and somebody else may take it over."""

    about: ClassVar[str] = "leave"


@frozen
class Vote(Saying):
    """The writer wants the game to end now; when all who must agree want the same, it ends."""

    about: ClassVar[str] = "vote"
    result: str = wire(one_of(SCORE, DRAW, NO_WINNER, PLAY_ON))
    """`score`: as the rules score the table as it is. `draw`: a draw. `no winner`: nobody wins,
    because nobody else is there. `play on`: takes back an earlier vote."""


@frozen
class TakeIn(Saying):
    """The referee gives an open seat to the person who signed a join."""

    about: ClassVar[str] = "seat"
    seat: str = wire(seat_letter)
    """The seat."""
    join: bytes = wire(hash32)
    """The id of the join."""


@frozen
class SetDoor(Saying):
    """The referee invites somebody new to an open seat: a join that this key signed may count."""

    about: ClassVar[str] = "door"
    seat: str = wire(seat_letter)
    """The seat."""
    key: bytes = wire(signing)
    """The seat's door, which the code in the new invite gives."""


@frozen
class NewKey(Saying):
    """The seat gets new keys; its old key or its recovery key signs this."""

    about: ClassVar[str] = "key"
    key: bytes = wire(signing)
    """The new signing key."""
    x25519: bytes = wire(x25519)
    """The new key for boxes."""


@frozen
class Vouch(Saying):
    """The writer confirms the new keys of a player who lost theirs.

    The keys count when all others who must agree, and then the referee, have confirmed them, and
    the seat has had time to cancel this.
    """

    about: ClassVar[str] = "vouch"
    seat: str = wire(seat_letter)
    """Whose keys are lost."""
    key: bytes = wire(signing)
    """Their new signing key."""
    x25519: bytes = wire(x25519)
    """Their new key for boxes."""


@frozen
class Away(Saying):
    """The seat announces an absence: nobody waits for it then, and no silence counts."""

    about: ClassVar[str] = "away"
    begins: int = wire(number(0, MAX_TIME))
    """When it begins, seconds since 1970 UTC; 0 to take an announcement back."""
    ends: int = wire(number(0, MAX_TIME))
    """When it ends; 0 to take an announcement back."""


@frozen
class Delay(Saying):
    """The seat puts the deadline off; the charter limits for how long in the whole game."""

    about: ClassVar[str] = "delay"
    hours: int = wire(number(1, 9600))
    """By how many hours."""


@frozen
class SetDeadline(Saying):
    """The seat proposes a deadline, which counts once all who must agree, and then the referee,
    do."""

    about: ClassVar[str] = "deadline"
    rule: str = wire(text(0, 200, r"[ -~]*", "printable ASCII"))
    """The rule, in its one form; empty: the seat takes its proposal back."""
    phase: str = wire(text(0, 32, r"[a-z][a-z0-9_-]*|", "a phase's name"), "")
    """The phase for which it counts; empty: every phase without a rule of its own."""


@frozen
class SetClock(Saying):
    """The last turn has a date in the future, because the referee's clock was wrong.

    The game goes back to the right time once all who must agree, and then the referee, say so.
    """

    about: ClassVar[str] = "clock"
    time: int = wire(number(1, MAX_TIME))
    """The time on the writer's clock, seconds since 1970 UTC. The date of the turn that lists the
    referee's notice may be as early as this."""


@frozen
class HandOver(Saying):
    """The deputy named in the charter is the referee from now on."""

    about: ClassVar[str] = "referee"
    by: str = wire(one_of("referee", "deputy"))
    """Who decides and signs this: the referee at any time, the deputy after a long silence."""


_KINDS: Final[tuple[type[Saying], ...]] = (
    Concede, Leave, Vote, SetDoor, TakeIn, NewKey, Vouch, Away, Delay, SetDeadline, SetClock,
    HandOver,
)  # fmt: skip
SAYINGS: Final = {kind.about: kind for kind in _KINDS}
"""The kinds of notices, by name."""


# ---- the record

MOST_NOTICES: Final = 8
"""How many notices of one writer count after each turn."""
REFEREE: Final = "referee"
"""The name of the referee as a writer; other writers are seats, which are letters."""


def _scalar(value: Any) -> Scalar:
    if not isinstance(value, str | int | bool) or (type(value) is str and len(value) > 400):
        raise Wrong("must be an integer, true or false, or a string of at most 400 characters")
    return value


_says: Final = mapping(r"[a-z0-9_]{1,32}", Codec(_scalar, lambda v: v, "see below"), 16)


@frozen(kw_only=True)
class Notice(Header):
    """A notice, written after the turn that its header names; stored as a file in `notices/`."""

    kind: ClassVar[Kind] = "notice"
    number: int = wire(number(1, MOST_NOTICES))
    """Counts this writer's notices after this turn."""
    about: str = wire(word)
    """What kind of notice it is."""
    says: Mapping[str, Scalar] | None = wire(_says, None)
    """What this kind of notice says: its own fields."""
    saying: Saying = field(init=False, compare=False, repr=False)
    """What the notice says: `says`, as one of the classes in SAYINGS."""

    def __post_init__(self) -> None:
        """Read what the notice says. Raises RecordError `version` or `field`."""
        object.__setattr__(self, "saying", read_saying(self.about, self.says or {}))

    def check(self) -> None:
        """Raise Wrong if the fields contradict each other (see Header)."""
        super().check()
        if self.says is not None and not self.says:
            raise Wrong("says: must be left out when it is empty")

    @property
    def writer(self) -> str:
        """The seat that writes it, or `referee`."""
        return self.seat or REFEREE

    @property
    def rank(self) -> tuple[int, int]:
        """The place of this notice among those of its writer: a later notice has a greater one."""
        return self.turn, self.number


def read_saying(about: str, says: Mapping[str, Scalar]) -> Saying:
    """Read what a notice of this kind says. Raises RecordError `version` or `field`."""
    if about not in SAYINGS:
        told = f"this version of pbem does not know notices of kind {about}"
        raise RecordError("version", f"{told}: install a newer version")
    return from_doc(SAYINGS[about], says)


def notice_fields(saying: Saying) -> dict[str, Any]:
    """Return the fields `about` and `says` of a notice with these contents."""
    return {"about": saying.about, "says": to_doc(saying) or None}
