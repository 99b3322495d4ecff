"""Who must agree to what: every table of 2 to 8 seats, every act, compared with the table in words.

`expected` is written from docs/seats.md, and `nobody_loses` is the promise itself; neither shares
code with what is tested.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest

from pbem.game.consent import Consent, Seat, consent

PRESENT = ("here", "away")
IN_GAME = (*PRESENT, "idle")
THERE = (*IN_GAME, "out")
TYPES = [*product(("referee", "mail", "own"), THERE)]
BOT = ("bot", "here")
GUESTS = [*product(("guest",), THERE)]
Kinds = tuple[tuple[str, str], ...]


def tables(most: int) -> Iterator[Kinds]:
    """Every multiset of up to `most` seats; those with guests have at most 5.

    Bots are not asked, so a table of two people and six bots is like one of two people.
    """
    for count in range(most + 1):
        yield from combinations_with_replacement(TYPES, count)
    for count in range(2, min(most, 5) + 1):
        for kinds in combinations_with_replacement([*TYPES, BOT, *GUESTS], count):
            if any(holder == "guest" for holder, _ in kinds):
                yield kinds


def seated(kinds: Kinds) -> list[Seat]:
    """The seats that people play; bots are not asked."""
    letters = zip("abcdefgh", kinds, strict=False)
    return [Seat(at, holder, there) for at, (holder, there) in letters if holder != "bot"]  # type: ignore[arg-type]


def who(seats: list[Seat], holder: str = "", there: tuple[str, ...] = PRESENT) -> frozenset[str]:
    return frozenset(
        [s.letter for s in seats if s.presence in there and (not holder or s.holder == holder)]
    )


def persons(seats: list[Seat], letters: frozenset[str]) -> set[str]:
    """The referee is one person with every seat that they play."""
    return {"referee" if s.holder == "referee" else s.letter for s in seats if s.letter in letters}


def enough(seats: list[Seat], agreeing: set[str], letters: frozenset[str]) -> bool:
    """Agreed, in the words of the page: all who are in, two people among them, and one with a key
    of their own if the game still has such a player."""
    still = who(seats, "", IN_GAME)
    if len(persons(seats, still)) <= 1:
        return True  # nobody else had a seat, or all others conceded or left
    own_key = who(seats, "own", IN_GAME)
    return len(agreeing) >= 2 and (not own_key or bool(who(seats, "own") & letters))


def expected(act: str, seats: list[Seat], about: Seat | None = None) -> tuple[object, ...]:
    """What the page says: who, whether the referee, whether that is enough, who cancels."""
    if about is None:
        here, idle = who(seats), who(seats, "", ("idle",))
        if act == "end":
            return here, False, bool(here) and enough(seats, persons(seats, here), here), idle
        if act == "no winner":
            return here, True, True, idle
        people = persons(seats, here) | {"referee"}
        return here, True, bool(here) and enough(seats, people, here), frozenset()
    mine = frozenset({about.letter})
    if act in ("vouch", "vouch again"):
        others = who(seats, "own") - mine
        least = 2 if act == "vouch again" else 1
        return others, True, len(others) >= least and about.presence != "out", mine
    if about.presence == "out" or about.holder == "mail":
        return frozenset(), True, True, frozenset()
    return frozenset(), True, about.presence == "idle", mine


def got(found: Consent) -> tuple[object, ...]:
    return found.seats, found.referee, not found.never, found.cancels


def nobody_loses(seats: list[Seat], found: Consent, about: Seat | None = None) -> bool:
    """Whether two people agreed, or everybody who could lose something can cancel: the player of
    the seat that the act is about, or all who are still in the game."""
    agreed = persons(seats, found.seats) | ({"referee"} if found.referee else set())
    losers = frozenset({about.letter}) if about else who(seats, "", IN_GAME)
    return len(agreed) >= 2 or persons(seats, losers) <= agreed | persons(seats, found.cancels)


@pytest.mark.parametrize("most", [4, pytest.param(8, marks=pytest.mark.long)])
def test_every_act_at_every_table_needs_whom_the_page_says(
    most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    count = 0
    for kinds in tables(most):
        seats = seated(kinds)
        count += 1
        for act in ("end", "no winner", "deadline"):
            found = consent(act, seats)  # type: ignore[arg-type]
            assert got(found) == expected(act, seats), (act, kinds)
            assert found.never or nobody_loses(seats, found), (act, kinds)
        for about in {seat[1:]: seat for seat in seats}.values():
            for act in ("vouch", "vouch again", "seat"):
                again = act == "vouch again"
                found = consent(act.split()[0], seats, about.letter, disputed=again)  # type: ignore[arg-type]
                assert got(found) == expected(act, seats, about), (act, about, kinds)
                free = act == "seat" and not found.cancels  # left, or by mail: on their word
                assert found.never or free or nobody_loses(seats, found, about), (act, kinds)
    with capsys.disabled():
        print(f" {count:,} tables", end="")
    assert count == {4: 5_421, 8: 143_732}[most]


def test_new_keys_need_another_player_and_the_referee() -> None:
    seats = [Seat("a", "own", "here"), Seat("b", "own", "idle"), Seat("c", "referee", "here")]
    found = consent("vouch", seats, "b")
    assert got(found) == (frozenset("a"), True, True, frozenset("b"))
    assert consent("vouch", seats, "b", disputed=True).never, "then two others are needed"
    gone = [seats[0], seats[1]._replace(presence="out"), seats[2]]
    assert consent("vouch", gone, "b").never == "nobody plays seat b"
    assert consent("no winner", seats).referee


def test_an_act_of_ones_own_needs_nobody_else() -> None:
    seats = seated((("own", "here"), ("own", "idle")))
    assert got(consent("own", seats, "b")) == (frozenset("b"), False, True, frozenset())


def test_the_referee_alone_decides_nothing_for_a_player_with_their_own_key() -> None:
    """Rhea plays a, Bo plays b and is silent, c is a bot."""
    seats = [Seat("a", "referee", "here"), Seat("b", "own", "idle")]
    assert consent("end", seats).never
    assert consent("deadline", seats).never
    assert consent("vouch", seats, "b").never
    assert consent("no winner", seats).cancels == {"b"}


def test_a_referee_with_all_the_others_is_still_one_person() -> None:
    seats = [Seat(letter, "referee", "here") for letter in "abc"]
    assert not consent("end", seats).never, "nobody else ever had a seat"
    assert consent("end", [*seats, Seat("d", "mail", "idle")]).never
    assert not consent("end", [*seats, Seat("d", "mail", "here")]).never, "on the referee's word"
    both = [*seats, Seat("d", "mail", "here"), Seat("e", "own", "idle")]
    assert "key of their own" in consent("end", both).never


def test_whom_the_referee_seated_is_no_other_key() -> None:
    """Rhea could be Flo, to whom she gave seat c."""
    seats = [Seat("a", "own", "idle"), Seat("b", "own", "here"), Seat("c", "guest", "here")]
    assert "the referee gave a seat" in consent("vouch", seats, "b").never
    assert consent("vouch", seats, "c").seats == {"b"}
    assert not consent("end", seats).never, "Bo agrees too"
    gone = [Seat("a", "own", "idle"), Seat("b", "guest", "here"), Seat("c", "guest", "here")]
    assert "the referee gave a seat" in consent("end", gone).never


def test_when_nobody_is_there_nobody_agrees() -> None:
    seats = seated((("own", "idle"), ("own", "idle")))
    assert consent("end", seats).never
    assert not consent("no winner", seats).never
    assert consent("no winner", seats).cancels == {"a", "b"}
