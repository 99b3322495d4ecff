"""Attacks on keys that wait for a seat: another player names them, or the seat's key is changed
between two attempts, or away for a hundred days."""

from dataclasses import replace

import pytest

from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.notice_kinds import Away, NewKey
from tests.attacks.waiting_acts import (
    STOLEN,
    THIEF,
    exit_of_advance,
    give_away_idle_seat,
    key_of_seat,
    name_of_seat,
    say_notice,
    vouch_for_thief,
)
from tests.kit.named_games import SEATS, session_of
from tests.kit.people import NOW, Round, key_of
from tests.kit.timed_games import DAY, answer_all, begin_three, status_data
from tests.notices.forging import new_key_of, put_notice, turn_records


def waiting_pair(table: Round) -> tuple[bytes, bytes]:
    """The signing key and the X25519 key that wait for Bo's seat."""
    folder = session_of(table.person("rhea")).game_folder
    (wait,) = folder.standing.announced_acts
    if wait.kind == "vouch":
        return STOLEN.key, STOLEN.x25519
    flo = key_of("flo")
    assert wait.key == flo.public
    return flo.public, public_of(Secrets(flo.seed).box(folder.game, "b"))


def names_waiting_key(table: Round, which: str) -> NewKey:
    """What Ann says to change to a key that waits for Bo's seat."""
    signing, x25519 = waiting_pair(table)
    own, ident = key_of("loot"), session_of(table.person("rhea")).game_folder.game
    if which == "x25519":
        return NewKey.make(own, x25519, ident, "a")
    return replace(NewKey.make(own, b"\x52" * 32, ident, "a"), key=signing)


@pytest.mark.long
@pytest.mark.parametrize(
    ("which", "waits_for"),
    [("signing", "a new player"), ("x25519", "a new player"), ("signing", "a lost key")],
)
def test_nobody_can_stop_waiting_keys_by_naming_them_as_their_own(
    table: Round, which: str, waits_for: str
) -> None:
    """Ann says that a key which waits for Bo's seat is her own new key. If she had vouched for it,
    a new key of hers would take her word back."""
    if waits_for == "a new player":
        rhea = give_away_idle_seat(table)
    else:
        rhea = begin_three(table)
        vouch_for_thief(table, "a", "c")
    (wait,) = status_data(rhea)["waits"]
    pair, old = waiting_pair(table), key_of_seat(table, "a")
    put_notice(table, "a", names_waiting_key(table, which), key_of("ann"))
    exit_of_advance(table, int(wait["until"]) - 60)
    assert status_data(rhea)["waits"] == [wait]
    assert exit_of_advance(table, int(wait["until"])) == 0
    join = session_of(rhea).game_folder.standing.roster["b"]
    assert (join.key, join.x25519) == pair
    assert key_of_seat(table, "a") == (old if which == "signing" else key_of("loot").public)
    assert name_of_seat(table, "b") == ("Flo" if waits_for == "a new player" else "Bo")
    told = table.person("cy").pbem("status -C savannah").out
    refused = f"a notice of Ann (key, {_digits(table)}) has no effect: the new key has not signed"
    assert (refused in told) is (which == "signing"), told
    assert table.person("cy").pbem("audit savannah").exit == 0


def _digits(table: Round) -> str:
    """The digits of Ann's last notice."""
    return max((table.shared / "savannah" / "notices").glob("*-a-*")).stem.rsplit("-", 1)[1]


def test_a_new_key_counts_only_with_a_proof_by_its_owner(table: Round) -> None:
    """Ann sees which key Bo will change to, and names it first: he gets it all the same."""
    rhea = begin_three(table)
    said = new_key_of(table, "bo's next key")
    ident = session_of(rhea).game_folder.game
    by_ann, ann = NewKey.make(key_of("loot"), b"\x52" * 32, ident, "a"), key_of("ann")
    for number, proof in enumerate((by_ann.proof, said.proof), 1):
        put_notice(table, "a", NewKey(said.key, b"\x52" * 32, proof), ann, number=number)
    put_notice(table, "a", NewKey.make(key_of("loot"), said.x25519, ident, "a"), ann, number=3)
    put_notice(table, "b", said, key_of("bo"))
    assert exit_of_advance(table, NOW) == 0
    assert key_of_seat(table, "b") == said.key
    assert key_of_seat(table, "a") == key_of("loot").public, (
        "she has given away what is sealed for her"
    )
    assert table.person("cy").pbem("audit savannah").exit == 0


# ------------------------------------------------------------------ between two attempts
def cancelled_once(table: Round) -> None:
    """Ann and Cy vouch for Bo's new key; a thief with his old one cancels it."""
    begin_three(table)
    vouch_for_thief(table, "a", "c")
    say_notice(table, "b", "end --no")
    answer_all(table, "ac")
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    assert status_data(table.person("rhea"))["waits"] == []


def tried_again(table: Round, now: int) -> int:
    """Ann, Cy and Rhea vouch for it again; returns until when it waits."""
    after = len(turn_records(table))
    for writer in ("a", "c", "referee"):
        signer = key_of(SEATS.get(writer, "rhea"))
        put_notice(table, writer, STOLEN, signer, after=after, number=2)
    assert exit_of_advance(table, now) == 0
    (wait,) = status_data(table.person("rhea"))["waits"]
    return int(wait["until"])


@pytest.mark.sample(0)
def test_a_change_of_key_between_takeovers_does_not_make_the_second_a_first(table: Round) -> None:
    """The thief changes the key, so that the second attempt could be cancelled as the first."""
    cancelled_once(table)
    put_notice(table, "b", new_key_of(table, "dodge"), key_of("bo"))
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    assert key_of_seat(table, "b") == key_of("dodge").public
    until = tried_again(table, NOW + 2 * DAY)
    put_notice(table, "b", Away(0, 0), key_of("dodge"))
    put_notice(table, "b", Away(until, until + DAY), key_of("dodge"), number=2)
    answer_all(table, "ac")
    exit_of_advance(table, until - 60)
    assert status_data(table.person("rhea"))["waits"], "only a recovery key cancels it now"
    assert exit_of_advance(table, until) == 0
    assert key_of_seat(table, "b") == THIEF.public
    assert table.person("ann").pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_a_thief_cannot_put_off_new_keys_by_an_absence_of_a_hundred_days(table: Round) -> None:
    """An absence puts off what its player can cancel; what they cannot, for 14 days at most."""
    cancelled_once(table)
    now = NOW + 2 * DAY
    put_notice(table, "b", Away(now, now + 100 * DAY), key_of("bo"))
    until = tried_again(table, now)
    assert until == now + 16 * DAY
    answer_all(table, "ac")
    assert exit_of_advance(table, until) == 0
    assert key_of_seat(table, "b") == THIEF.public
    assert table.person("ann").pbem("audit savannah").exit == 0
