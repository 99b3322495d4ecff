"""What waits, whoever does what meanwhile: every kind of wait, every absence of the player whom it
concerns, every act of everybody at the table; the referee is a person, or the referee is a host.

The promise: an act that takes something from a person needs two people, or that person's silence as
the charter says, or their own word.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import pytest

from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.absent_seats import Absence
from pbem.judge.notice_kinds import Away, Concede, Leave, NewKey, NoticeKind, TakeIn, Vote, Vouch
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.which_notices_count import after_notice, sort_notices
from pbem.records.notice import NO_WINNER, PLAY_ON
from pbem.text.dates import DAY, HOUR
from tests.notices.people import (
    DOORS,
    GAME,
    KEYS,
    REF,
    X_NEW,
    G,
    charter_of_three,
    join_by,
    sign,
    standing_of_three,
    x25519,
)

EMPTY = {"notices": (), "orders": (), "log": ()}
HEADS = [bytes([n]) * 32 for n in range(1, 20)]
START = 1_700_000_000
SPARE = SigningKey(bytes([99]) * 32)
NEXT = {seat: SigningKey(bytes([n]) * 32) for n, seat in enumerate("abc", 120)}
FOUND = KEYS["new"]
"""The key that waits for seat b: of whoever says that they are Bo, or of a new player."""
NEWCOMER = join_by("b", "new", x25519=X_NEW)

ABSENCES = {
    "none": None, "5 days": (0, 5 * DAY), "20 days": (0, 20 * DAY), "100 days": (0, 100 * DAY),
    "in ten years": (3650 * DAY, 3660 * DAY),
}  # fmt: skip
WAITS = ("first attempt", "second attempt", "new player")


class Table(NamedTuple):
    """A game after a turn."""

    standing: Standing
    turn: int
    time: int
    absence: Absence


def step(
    at: Table, time: int, notices: Sequence[tuple[str, NoticeKind, SigningKey | None]]
) -> Table:
    """The next turn, which lists those of these notices that count, and whatever is due."""
    number = at.turn + 1
    seen = at.standing.seeing(at.absence, 3, time, (at.time, 0), at.turn)
    seen = replace(seen, joins={NEWCOMER.id: NEWCOMER})
    written = [
        sign(writer, saying, n, at.turn, key, HEADS)
        for n, (writer, saying, key) in enumerate(notices, 1)
    ]
    after = sort_notices(seen, written, HEADS[:number]).next_standing
    for wait in seen.matured_acts:
        if wait.id and wait in after.announced_acts:
            after = after_notice(after, KNOWN[wait.id], number)
    KNOWN.update({record.id: record for record in written})
    after = after.with_agreed_end(number)
    turn = replace(G.turn2.content, turn=number, time=time, over=False, **EMPTY)
    return Table(after.at_end(turn, at.absence, 3, ()), number, time, at.absence)


KNOWN: dict[bytes, object] = {}
"""The notices that were written, by id."""


def vouching(at: Table) -> list[tuple[str, NoticeKind, SigningKey | None]]:
    said = Vouch("b", FOUND.public, X_NEW)
    return [("a", said, None), ("c", said, None), ("referee", said, None)]


def announced(wait: str, absence: str, *, host: bool) -> Table:
    """A table of Ann, Bo and Cy at which something waits that takes Bo's keys or seat."""
    silent = wait == "new player"
    missed = {"missed_turns": {"b": 2}, "last_silent_rounds": {"b": 1}} if silent else {}
    here = Absence(frozenset("abc"), 2, 1, **missed)
    start = replace(standing_of_three(charter_of_three(automaton=host)), doors=dict(DOORS))
    roster = {**start.roster, "b": replace(start.roster["b"], recovery=SPARE.public)}
    at = Table(replace(start, roster=roster), 4, START - DAY, here)
    if wait == "second attempt":
        at = step(at, START - 5 * HOUR, vouching(at))
        assert at.standing.announced_acts
        at = step(at, START - 4 * HOUR, [("b", Vote(PLAY_ON), None)])
        assert (at.standing.announced_acts, at.standing.disputed) == ((), {"b"})
    if (span := ABSENCES[absence]) is not None:
        away = Away(START + span[0] if span[0] else at.time, START + span[1])
        calendar = at.standing.calendar.with_absence("b", away)
        at = at._replace(standing=replace(at.standing, calendar=calendar))
    said = [("referee", TakeIn("b", NEWCOMER.id), None)] if silent else vouching(at)
    return step(at, START, said)


def change(seat: str, by: SigningKey | None = None) -> tuple[str, NoticeKind, SigningKey | None]:
    new = NEXT[seat]
    return seat, NewKey.make(new, x25519(150 + ord(seat)), GAME, seat), by


def seat_with_named_key(seat: str, *, signing: bool) -> tuple[str, NoticeKind, SigningKey | None]:
    """The seat names a key that waits for seat b: the signing key, or the one for boxes."""
    own = NewKey.make(NEXT[seat], X_NEW, GAME, seat)
    return seat, replace(own, key=FOUND.public) if signing else own, None


ACTS = {
    "nobody": None, "Ann changes her key": change("a"), "Cy changes his key": change("c"),
    "Bo changes his key": change("b"), "Bo's recovery key changes it": change("b", SPARE),
    "Ann names the key that waits": seat_with_named_key("a", signing=True),
    "Ann names the box key that waits": seat_with_named_key("a", signing=False),
    "Bo names the box key that waits": seat_with_named_key("b", signing=False),
    "Bo wants to play on": ("b", Vote(PLAY_ON), None),
    "Bo is away for 100 days more": ("b", Away(START + HOUR, START + 100 * DAY), None),
    "Ann is away for 100 days": ("a", Away(START + HOUR, START + 100 * DAY), None),
    "Cy concedes": ("c", Concede(), None), "Eve signs for Bo": ("b", Vote(PLAY_ON), KEYS["dee"]),
    "the referee signs for Bo": ("b", Vote(PLAY_ON), REF),
}  # fmt: skip


def is_voided(wait: str, act: str) -> bool:
    """Whether an act ends a wait, in the words of docs/seats.md."""
    if act == "Bo's recovery key changes it":
        return True
    if act in ("Ann changes her key", "Cy changes his key", "Ann names the box key that waits"):
        return wait != "new player"  # somebody who vouched has a new key
    by_bo = act in ("Bo changes his key", "Bo wants to play on", "Bo is away for 100 days more")
    by_bo |= act == "Bo names the box key that waits"
    return by_bo and wait != "second attempt"


@pytest.mark.sample(1)
@pytest.mark.parametrize("host", [False, True], ids=["person", "host"])
@pytest.mark.parametrize("wait", WAITS)
def test_only_whom_it_concerns_and_those_who_gave_their_word_end_what_waits(wait, host):
    count = 0
    for absence, (act, said) in product(ABSENCES, ACTS.items()):
        at = announced(wait, absence, host=host)
        if not at.standing.announced_acts:  # Bo is away as announced, so his seat is not open
            assert (wait, absence) in {("new player", n) for n in ABSENCES}, (wait, absence)
            continue
        count += 1
        (begun,) = at.standing.announced_acts
        check_time(wait, absence, begun.effective_at)
        old = at.standing.roster["b"]
        after = step(at, START + HOUR, [said] if said else [])
        why = wait, absence, act
        voided = is_voided(wait, act)
        if act == "Bo is away for 100 days more" and absence in ("5 days", "20 days", "100 days"):
            voided = False  # he must answer something first
        assert (after.standing.announced_acts == ()) is voided, why
        if not voided:
            assert after.standing.announced_acts == (begun,), why
        before = step(after, begun.effective_at - 1, [])
        assert before.standing.roster["b"] == after.standing.roster["b"], why
        end = step(before, begun.effective_at, [])
        has = end.standing.roster["b"]
        if voided:
            assert has == after.standing.roster["b"], why
            assert has.key in (old.key, NEXT["b"].public), why
        else:
            assert (has.key, has.x25519) == (FOUND.public, X_NEW), why
    assert count >= 2 * len(ACTS)


def check_time(wait: str, absence: str, until: int) -> None:
    """Two days after Bo is back as announced; of what he cannot cancel, 16 days at most."""
    span = ABSENCES[absence]
    back = span[1] if span and not span[0] else 0
    if wait == "second attempt":
        back = min(back, 14 * DAY)
    assert until == START + back + 2 * DAY, (wait, absence)


@pytest.mark.parametrize("host", [False, True], ids=["person", "host"])
@pytest.mark.parametrize("between", ["nothing", "Bo changes his key", "the recovery key"])
def test_one_word_never_takes_a_seat_whatever_was_between(between: str, host: bool) -> None:
    """Only Ann vouches, after a first attempt that Bo cancelled."""
    at = announced("first attempt", "none", host=host)
    at = step(at, START + HOUR, [("b", Vote(PLAY_ON), None)])
    key = None
    if between != "nothing":
        at = step(at, START + 2 * HOUR, [change("b", SPARE if "recovery" in between else None)])
        key = NEXT["b"]
        assert at.standing.roster["b"].key == key.public
    out = [("c", Concede(), None)]
    said = Vouch("b", FOUND.public, X_NEW)
    at = step(at, START + 3 * HOUR, [*out, ("a", said, None)])
    at = step(at, START + 4 * HOUR, [("referee", said, None)])
    assert at.standing.announced_acts == ()
    assert at.standing.disputed == {"b"}


@pytest.mark.parametrize("host", [False, True], ids=["person", "host"])
def test_nobody_is_kept_out_by_who_names_their_keys_in_the_same_turn(host: bool) -> None:
    """Ann sees the files of others before a turn lists them; her notices come first."""
    silent = Absence(frozenset("abc"), 2, 1, missed_turns={"b": 2}, last_silent_rounds={"b": 1})
    start = replace(standing_of_three(charter_of_three(automaton=host)), doors=dict(DOORS))
    at = Table(start, 4, START - DAY, silent)
    takes = "referee", TakeIn("b", NEWCOMER.id), None
    for signing in (False, True):
        after = step(at, START, [seat_with_named_key("a", signing=signing), takes])
        assert [wait.key for wait in after.standing.announced_acts] == [FOUND.public]
    by_cy = change("c")
    ann = NewKey.make(NEXT["a"], by_cy[1].x25519, GAME, "a")  # type: ignore[attr-defined]
    for signer in (None, SPARE):
        roster = {**start.roster, "a": replace(start.roster["a"], recovery=SPARE.public)}
        safe = at._replace(standing=replace(start, roster=roster))
        after = step(safe, START, [("a", ann, signer), by_cy])
        assert after.standing.roster["c"].key == NEXT["c"].public
        assert after.standing.roster["a"].key == NEXT["a"].public


@pytest.mark.parametrize("leaver", ["left", "in"])
def test_whoever_left_cannot_put_off_an_end_that_others_agreed_on(leaver: str) -> None:
    """Ann and the referee end the game without a winner, while Bo is idle. Cy changes his key: if
    he left before, nobody needs him; if he agreed too, that takes his word back."""
    idle = Absence(frozenset("abc"), 2, 0, missed_turns={"b": 2}, last_silent_rounds={"b": 1})
    at = Table(standing_of_three(), 4, START - DAY, idle)
    if leaver == "left":
        at = step(at, START - HOUR, [("c", Leave(), None)])
    said = [(who, Vote(NO_WINNER), None) for who in ("a", "c", "referee")]
    at = step(at, START, said if leaver == "in" else [said[0], said[2]])
    (begun,) = at.standing.announced_acts
    assert (begun.result, begun.cancels) == (NO_WINNER, ("b",))
    after = step(at, START + HOUR, [change("c")])
    assert after.standing.roster["c"].key == NEXT["c"].public
    assert after.standing.announced_acts == ((begun,) if leaver == "left" else ())
    end = step(after, begun.effective_at, [("a", Away(START + 9 * DAY, START + 10 * DAY), None)])
    assert end.standing.ended == (NO_WINNER if leaver == "left" else "")
