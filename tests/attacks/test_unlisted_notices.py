"""Notices that no turn lists: the audit says of each why, and accuses nobody without proof."""

from dataclasses import replace

import pytest

from pbem.game.archive import file_name, make_notice
from pbem.game.audit import Witness
from pbem.game.notice_kinds import Leave, Vote
from pbem.records.notice import SCORE
from pbem.records.read_record import make
from tests.attacks.forging import Forged
from tests.attacks.played import key_of

EVE = key_of("Eve")


@pytest.fixture
def forged(short, tmp_path):
    forged = Forged(short, tmp_path)
    (forged.root / "notices").mkdir(exist_ok=True)
    return forged


def put(forged, writer="b", turn=2, number=1, saying=None, key=None, **changes):
    """A notice in the folder, which no turn lists."""
    game = forged.game
    signer = key or (game.seats[writer].key if writer in game.seats else game.referee)
    place = game.game_folder.game, turn, game.heads[turn]
    record = make_notice(place, writer, number, saying or Vote(SCORE), signer)
    record = make(replace(record.content, **changes), signer)
    forged.write(file_name(record).path, record.file)
    return record


def found(forged, **more):
    report = forged.audit(**more)
    return [(f.grade, f.reason, f.sentence) for f in report.findings]


PASSED = "no turn lists this notice; it came late, or the referee left it out"


def test_a_notice_that_a_turn_could_have_listed_is_a_stray(forged):
    record = put(forged)
    assert found(forged) == [("stray", "state", PASSED)]
    assert forged.audit().findings[0].path == file_name(record).path


def test_a_notice_after_the_last_turn_waits(forged):
    before = forged.audit().waiting
    put(forged, turn=4)
    put(forged, "a", turn=4)
    report = forged.audit()
    assert (report.findings, report.waiting) == ([], before + 2)


def test_a_notice_that_cannot_count_is_told_with_its_reason(forged):
    put(forged, turn=4, prev=bytes(32))
    told = "that does not count: it was written after a turn that is not in this game"
    ((grade, reason, sentence),) = found(forged)
    assert (grade, reason) == ("stray", "state")
    assert sentence == f"a notice of seat b {told}"


def test_a_notice_of_a_stranger_is_foreign(forged):
    put(forged, key=EVE)
    told = "a notice signed with a key that nobody in this game has"
    assert found(forged) == [("foreign", "key", told)]
    put(forged, number=2, key=forged.game.seats["a"].key)
    reasons = {sentence for _, _, sentence in found(forged)}
    other = "it is not signed with the key that counts now"
    assert reasons == {told, f"a notice of seat b that does not count: {other}"}


def test_every_notice_is_looked_at(forged):
    put(forged, key=EVE)
    put(forged, number=2)
    put(forged, "a", turn=4)
    put(forged, "a", number=2)
    put(forged, "referee", turn=1, saying=Vote(SCORE), seat="b", key=EVE)
    grades = sorted(grade for grade, _, _ in found(forged))
    assert grades == ["foreign", "foreign", "stray", "stray"]


# ------------------------------------------------------------------ what the owner is told
def machine(forged, record, before, turn, seat="b"):
    """A machine that signed the notice so many seconds before the date of a turn."""
    when = forged.turns[turn - 1].content.time - before
    return Witness(seat, forged.game.seats[seat].key.seed, {record.id.hex(): when})


def test_its_owner_is_told_which_turn_should_have_listed_it(forged):
    record = put(forged)
    for turn in (3, 4):
        ((grade, reason, told),) = found(forged, witness=machine(forged, record, 600, turn))
        assert (grade, reason) == ("ask", "state")
        assert told == (
            f"your notice (vote) was signed here 10 minutes before the date of turn {turn}, but "
            "no turn lists it. If you sent it by then, ask Ref why"
        )
    late = machine(forged, record, 599, 4)
    assert found(forged, witness=late) == [("stray", "state", PASSED)]
    assert found(forged, witness=machine(forged, record, 7200, 3, seat="a")) == [
        ("stray", "state", PASSED)
    ]


def test_a_turn_before_the_notice_cannot_have_listed_it(forged):
    record = put(forged, turn=3)
    early = machine(forged, record, 600, 3)
    ((_, _, told),) = found(forged, witness=early)
    assert "11 minutes before the date of turn 4" in told


def test_the_last_notice_of_all_is_no_reason_to_ask(forged):
    record = put(forged, turn=4, saying=Leave())
    assert found(forged, witness=machine(forged, record, 7200, 1)) == []
