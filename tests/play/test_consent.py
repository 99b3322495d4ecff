"""Who must agree to what: every table of 2 to 8 seats, every act, compared with the table in words.

`expected` is written from docs/seats.md, and `nobody_loses` is the promise itself; neither shares
code with what is tested.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest

from pbem.judge.consent import Consent, Seat, consent
from tests.kit.selection import before_release, long

PRESENT = ("here", "away")
IN_GAME = (*PRESENT, "idle")
THERE = (*IN_GAME, "out")
TYPES = [*product(("referee", "mail", "own"), THERE)]
BOT = ("bot", "here")
GUESTS = [*product(("guest",), THERE)]
Kinds = tuple[tuple[str, str], ...]


def seat_kinds(most: int) -> Iterator[Kinds]:
    """Every multiset of up to `most` seats; those with guests have at most 5.

    Bots are not asked, so a table of two people and six bots is like one of two people.
    """
    for count in range(most + 1):
        yield from combinations_with_replacement(TYPES, count)
    for count in range(2, min(most, 5) + 1):
        for kinds in combinations_with_replacement([*TYPES, BOT, *GUESTS], count):
            if any(holder == "guest" for holder, _ in kinds):
                yield kinds


def people_seats(kinds: Kinds) -> list[Seat]:
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


def enough(
    seats: list[Seat], agreeing: set[str], letters: frozenset[str], *, host: bool = False
) -> bool:
    """Agreed, in the words of the page: all who are in, two people among them, and one with a key
    of their own if the game still has such a player. Where a host deals: two with keys of their
    own. Nobody else is needed if all who still play are in."""
    still = who(seats, "", IN_GAME)
    if len(persons(seats, still)) <= 1 or still == letters:
        return True
    if host:
        return len(who(seats, "own") & letters) >= 2
    own_key = who(seats, "own", IN_GAME)
    return len(agreeing) >= 2 and (not own_key or bool(who(seats, "own") & letters))


def expected(
    act: str, seats: list[Seat], about: Seat | None = None, *, host: bool = False
) -> tuple[object, ...]:
    """What the page says: who, whether the referee, whether that is enough, who cancels."""
    if about is None:
        here, idle = who(seats), who(seats, "", ("idle",))
        people = persons(seats, here)
        if act == "end" or (act == "no winner" and host):
            return here, False, bool(here) and enough(seats, people, here, host=host), idle
        if act == "no winner":
            return here, True, True, idle
        people |= {"referee"}
        fine = bool(here) and enough(seats, people, here, host=host)
        if act == "deadline":
            return here, True, fine, frozenset()
        own = who(seats, "own")
        return own if len(own) > host else here - who(seats, "referee"), True, fine, frozenset()
    mine = frozenset({about.letter})
    if act in ("vouch", "vouch again"):
        others = who(seats, "own") - mine
        least = 2 if act == "vouch again" or host else 1
        return others, True, len(others) >= least and about.presence != "out", mine
    if about.presence == "out" or about.holder == "mail":
        return frozenset(), True, True, frozenset()
    return frozenset(), True, about.presence == "idle", mine


def got(found: Consent) -> tuple[object, ...]:
    return found.seats, found.referee, not found.obstacle, found.cancels


def nobody_loses(
    seats: list[Seat],
    found: Consent,
    about: Seat | None = None,
    *,
    host: bool = False,
    silence: bool = False,
) -> bool:
    """The property: an act that takes something from a person needs two people, or that person's
    silence as the charter says, or their own word. A host is no person, and neither is whoever
    joined on its word alone.

    `silence`: the act may be carried out against the silent, who had time to cancel it.
    """
    own = who(seats, "own")
    fewest = sorted(found.seats, key=lambda seat: seat in own)[: found.count or None]
    word = persons(seats, frozenset(fewest))
    agreed = word & own if host else word | ({"referee"} if found.referee else set())
    losers = persons(seats, frozenset({about.letter}) if about else who(seats, "", IN_GAME))
    silent = {s.letter for s in seats if s.presence == "idle" and s.letter in found.cancels}
    return len(agreed) >= 2 or losers <= word | agreed | (silent if silence else set())


@pytest.mark.sample(0)
@pytest.mark.parametrize("host", [False, True], ids=["person", "host"])
@pytest.mark.parametrize("most", [4, *long([6]), *before_release([8])])
def test_every_act_at_every_table_needs_whom_the_page_says(most, host, capsys):
    """The referee is a person, or the referee is a host."""
    count = 0
    for kinds in seat_kinds(most):
        if host and any(holder in ("referee", "mail") for holder, _ in kinds):
            continue  # a host has no seats but those of bots
        seats = people_seats(kinds)
        count += 1
        for act in ("end", "no winner", "deadline", "clock"):
            found = consent(act, seats, automaton=host)  # type: ignore[arg-type]
            assert got(found) == expected(act, seats, host=host), (act, kinds)
            silence = not host and act in ("end", "no winner")
            fine = nobody_loses(seats, found, host=host, silence=silence)
            assert found.obstacle or fine, (act, kinds)
        for about in {seat[1:]: seat for seat in seats}.values():
            for act in ("vouch", "vouch again", "seat"):
                again = act == "vouch again"
                found = consent(  # type: ignore[call-overload]
                    act.split()[0], seats, about.letter, disputed=again, automaton=host
                )
                assert got(found) == expected(act, seats, about, host=host), (act, about, kinds)
                free = act == "seat" and not found.cancels  # left, or by mail: on their word
                fine = nobody_loses(seats, found, about, host=host, silence=act == "seat")
                assert found.obstacle or free or fine, (act, kinds)
    with capsys.disabled():
        print(f" {count:,} tables", end="")
    assert count == {4: 5_421, 6: 36_326, 8: 143_732}[most] if not host else count > 300


@pytest.mark.parametrize("act", ["end", "no winner", "deadline", "clock"])
def test_where_a_host_deals_one_player_decides_nothing_for_another(act: str) -> None:
    """Ann and Bo, while Bo is silent; and Flo, whom the host seated on a link that Ann has."""
    seats = [Seat("a", "own", "here"), Seat("b", "own", "idle")]
    assert "a host deals" in consent(act, seats, automaton=True).obstacle  # type: ignore[arg-type]
    seats.append(Seat("c", "guest", "here"))
    assert "a host deals" in consent(act, seats, automaton=True).obstacle  # type: ignore[arg-type]
    seats.append(Seat("d", "own", "here"))
    assert not consent(act, seats, automaton=True).obstacle  # type: ignore[arg-type]


@pytest.mark.parametrize("act", ["end", "no winner", "deadline", "clock"])
def test_somebody_alone_at_a_table_of_bots_decides_alone(act: str) -> None:
    found = consent(act, [Seat("a", "own", "here")], automaton=True)  # type: ignore[arg-type]
    assert (found.seats, found.obstacle, found.cancels) == ({"a"}, "", frozenset())


def test_where_a_host_deals_two_others_vouch() -> None:
    seats = [Seat("a", "own", "here"), Seat("b", "own", "here"), Seat("c", "guest", "here")]
    assert "at least two other" in consent("vouch", seats, "b", automaton=True).obstacle
    seats.append(Seat("d", "own", "here"))
    found = consent("vouch", seats, "b", automaton=True)
    assert got(found) == (frozenset("ad"), True, True, frozenset("b"))


def test_where_a_host_deals_two_players_must_say_that_the_date_is_wrong() -> None:
    seats = [Seat("a", "own", "here"), Seat("b", "own", "here")]
    assert consent("clock", seats).count == 1
    assert consent("clock", seats, automaton=True).count == 2


def test_new_keys_need_another_player_and_the_referee() -> None:
    seats = [Seat("a", "own", "here"), Seat("b", "own", "idle"), Seat("c", "referee", "here")]
    found = consent("vouch", seats, "b")
    assert got(found) == (frozenset("a"), True, True, frozenset("b"))
    assert consent("vouch", seats, "b", disputed=True).obstacle, "then two others are needed"
    gone = [seats[0], seats[1]._replace(presence="out"), seats[2]]
    assert consent("vouch", gone, "b").obstacle == "nobody plays seat b"
    assert consent("no winner", seats).referee


def test_an_act_of_ones_own_needs_nobody_else() -> None:
    seats = people_seats((("own", "here"), ("own", "idle")))
    assert got(consent("own", seats, "b")) == (frozenset("b"), False, True, frozenset())


def test_the_referee_alone_decides_nothing_for_a_player_with_their_own_key() -> None:
    """Rhea plays a, Bo plays b and is silent, c is a bot."""
    seats = [Seat("a", "referee", "here"), Seat("b", "own", "idle")]
    assert consent("end", seats).obstacle
    assert consent("deadline", seats).obstacle
    assert consent("vouch", seats, "b").obstacle
    assert consent("no winner", seats).cancels == {"b"}


def test_a_referee_with_all_the_others_is_still_one_person() -> None:
    seats = [Seat(letter, "referee", "here") for letter in "abc"]
    assert not consent("end", seats).obstacle, "nobody else ever had a seat"
    assert consent("end", [*seats, Seat("d", "mail", "idle")]).obstacle
    assert not consent("end", [*seats, Seat("d", "mail", "here")]).obstacle, "on the referee's word"
    both = [*seats, Seat("d", "mail", "here"), Seat("e", "own", "idle")]
    assert "got their key or their seat from the referee" in consent("end", both).obstacle


def test_whom_the_referee_seated_is_no_other_key() -> None:
    """Rhea could be Flo, to whom she gave seat c."""
    seats = [Seat("a", "own", "idle"), Seat("b", "own", "here"), Seat("c", "guest", "here")]
    assert "got their key or their seat from the referee" in consent("vouch", seats, "b").obstacle
    assert consent("vouch", seats, "c").seats == {"b"}
    assert not consent("end", seats).obstacle, "Bo agrees too"
    gone = [Seat("a", "own", "idle"), Seat("b", "guest", "here"), Seat("c", "guest", "here")]
    assert "got their key or their seat from the referee" in consent("end", gone).obstacle


def test_when_nobody_is_there_nobody_agrees() -> None:
    seats = people_seats((("own", "idle"), ("own", "idle")))
    assert consent("end", seats).obstacle
    assert not consent("no winner", seats).obstacle
    assert consent("no winner", seats).cancels == {"a", "b"}
