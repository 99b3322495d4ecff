"""Notices that come by mail: what is refused, for which reason, and what a notice makes right."""

import pytest

from pbem.files.record_names import Name
from pbem.format.keys import SigningKey
from pbem.judge.notice_kinds import Delay, NewKey, TakeIn, Vote, Vouch
from pbem.judge.record_files import file_name
from pbem.judge.signing import make_notice
from pbem.mail.filing import RecordFiler
from pbem.records.notice import SCORE, Saying
from pbem.records.read_and_sign_record import Record
from tests.kit.record_files import put_record, record_path, resigned
from tests.kit.sample_records import EVE, SAMPLE, orders_of_a, orders_of_b
from tests.mail.filed_records import (
    BEGUN,
    CHARTER,
    JOIN_A,
    JOIN_B,
    OWN,
    TURN1,
    TURN2,
    WHOLE,
    refusal_of,
)

VOTE = Vote(SCORE)
WAITS = "was written after turn 2, and is waiting for that turn to arrive"


def notice_by_bo(
    turn: int = 1,
    writer: str = "b",
    key=SAMPLE.bo,
    saying: Saying = VOTE,
    prev: bytes = b"",
    number: int = 2,
) -> Record:
    """A notice, by Bo after turn 1 if nothing else is said."""
    heads = [*SAMPLE.heads, bytes(32)]
    return make_notice((SAMPLE.game, turn, prev or heads[turn]), writer, number, saying, key)


A_TAKE_IN = TakeIn("b", JOIN_B.id)


# ------------------------------------------------------------------ what is refused
def test_a_notice_waits_for_its_turn_and_follows_it(filer_with):
    filer = filer_with(*BEGUN)
    assert refusal_of(filer, notice_by_bo(2)) == (
        "parent",
        f"a notice of seat b (vote) {WAITS}",
    )  # fmt: skip
    other = (
        "follows a version of turn 1 that differs from yours; compare your twelve words with those "
        "of the other players"
    )
    assert refusal_of(filer, notice_by_bo(prev=bytes(32))) == (
        "fork",
        f"a notice of seat b (vote) {other}",
    )
    filer.file_record(notice_by_bo())
    for record in (TURN2, notice_by_bo(1, number=3), notice_by_bo(2)):
        filer.file_record(record)
    assert len(filer.new_records) == 4


def test_a_notice_waits_for_the_join_of_its_seat(filer_with):
    filer = filer_with(JOIN_A, OWN, TURN1)
    assert refusal_of(filer, notice_by_bo()) == (
        "parent",
        "a notice of seat b (vote) is waiting for the join of seat b, which has not arrived yet",
    )  # fmt: skip
    filer.file_record(notice_by_bo(1, "referee", SAMPLE.ann, A_TAKE_IN))
    filer.file_record(notice_by_bo(1, "a", SAMPLE.held))
    filer.file_record(JOIN_B)
    filer.file_record(notice_by_bo())
    assert len(filer.new_records) == 4


def test_a_notice_is_signed_by_somebody_in_the_game(filer_with):
    filer = filer_with(*BEGUN)
    told = "is signed with a key that nobody in this game has"
    assert refusal_of(filer, notice_by_bo(key=EVE)) == ("key", f"a notice of seat b (vote) {told}")
    by_eve = notice_by_bo(1, "referee", EVE, A_TAKE_IN)
    assert refusal_of(filer, by_eve) == ("key", f"a notice of the referee (seat) {told}")
    filer.file_record(notice_by_bo(key=SAMPLE.ann))
    assert len(filer.new_records) == 1, (
        "what a key may sign is decided when a turn lists the notice"
    )


def file_delays(filer: RecordFiler, turn: int, hours: range, key: SigningKey = SAMPLE.bo) -> None:
    """A notice in the name of seat b for each of these numbers of hours."""
    for each in hours:
        one = notice_by_bo(turn, "b", key, Delay(each))
        put_record(filer.folder, one)


def make_junk_notices(filer: RecordFiler, turn: int, writer: str, count: int) -> None:
    """So many files with names of notices."""
    (filer.folder.root / "notices").mkdir(exist_ok=True)
    for number in range(count):
        name = Name("notice", turn, writer, 1, f"{number:06x}")
        (filer.folder.root / name.path).write_bytes(b"junk")


def test_sixteen_notices_of_one_writer_after_one_turn(filer_with):
    """Eight count, and of each number two can show that somebody signed both."""
    filer = filer_with(*BEGUN, TURN2)
    file_delays(filer, 1, range(1, 16))
    file_delays(filer, 1, range(101, 121), EVE)
    file_delays(filer, 2, range(1, 17), SAMPLE.held)
    make_junk_notices(filer, 1, "b", 20)
    filer = filer_with()
    filer.file_record(notice_by_bo())
    why = "was refused: notices/ already has 16 files from this writer after turn 1"
    told = ("state", f"a notice of seat b (vote) {why}")
    assert refusal_of(filer, notice_by_bo(number=3)) == told
    filer.file_record(notice_by_bo())
    assert filer.present_count == 1
    for other in (
        notice_by_bo(2),
        notice_by_bo(1, "a", SAMPLE.held),
        notice_by_bo(1, "referee", SAMPLE.ann, A_TAKE_IN),
    ):
        filer.file_record(other)
    file_delays(filer, 1, range(201, 221))
    assert refusal_of(filer_with(), notice_by_bo(number=3)) == told


def test_somebody_elses_file_in_the_place_of_a_notice(filer_with):
    filer = filer_with(*BEGUN, TURN2)
    forged = notice_by_bo(key=EVE)
    put_record(filer.folder, forged)
    told = f"{record_path(forged)} in {filer.folder.place} is signed with another key"
    how = "remove this file from the folder, then run pbem receive again"
    assert refusal_of(filer_with(), notice_by_bo()) == ("fork", f"{told}: {how}")


# ------------------------------------------------------------------ what a notice names
NEW_KEYS = [
    notice_by_bo(2, saying=NewKey.make(EVE, SAMPLE.ann.public, SAMPLE.game, "b")),
    notice_by_bo(2, "a", SAMPLE.held, Vouch("b", EVE.public, SAMPLE.ann.public)),
]


@pytest.mark.parametrize("named", NEW_KEYS, ids=["by its owner", "by others"])
def test_orders_by_a_key_that_a_notice_names_for_the_seat_are_filed(filer_with, named):
    """The turn that lists the notice may come later."""
    filer = filer_with(*BEGUN, TURN2)
    new = orders_of_b(2, 3, EVE)
    signed = "is not signed by the player in seat {}"
    assert refusal_of(filer, new) == ("key", signed.format("b"))
    filer.file_record(named)
    filer.file_record(new)
    anns_ = resigned(orders_of_a(2, SAMPLE.heads[2]), EVE)
    assert refusal_of(filer, anns_) == ("key", signed.format("a"))
    assert filer.new_records == [named, new]


def test_where_notices_are_orders_by_any_join_of_the_seat_are_filed(filer_with):
    """Somebody may have taken the seat over."""
    eves = resigned(JOIN_B, EVE, key=EVE.public)
    filer = filer_with(*BEGUN, eves)
    assert refusal_of(filer, orders_of_b(1, 5, EVE))[0] == "key"
    filer.file_record(SAMPLE.notice)
    filer.file_record(orders_of_b(1, 5, EVE))
    assert refusal_of(filer, resigned(orders_of_a(1, SAMPLE.heads[1]), EVE))[0] == "key"


# ------------------------------------------------------------------ what turns name
def test_a_notice_that_a_turn_names_and_is_not_here_is_missing(filer_with):
    filer = filer_with(*(record for record in WHOLE if record is not SAMPLE.notice))
    ((reason, told),) = filer.notes()
    digits = SAMPLE.notice.id.hex()[:6]
    assert (reason, told.partition(";")[0]) == (
        "parent", f"missing: the file {digits} (vote), which turn 2 lists",
    )  # fmt: skip
    filer.file_record(SAMPLE.notice)
    assert filer.notes() == []
    assert file_name(SAMPLE.notice) == file_name(SAMPLE.notice)


def test_exactly_three_missing_files_are_named_and_no_more(filer_with):
    filer = filer_with(*(record for record in WHOLE if record not in (SAMPLE.notice, OWN, JOIN_A)))
    ((_, told),) = filer.notes()
    assert told.count("which turn") == 3
    assert "more" not in told


# ------------------------------------------------------------------ the charter
def test_a_second_charter_is_not_put(filer_with):
    filer = filer_with(*BEGUN)
    filer.file_record(CHARTER)
    assert filer.present_count == 1
    reason, told = refusal_of(filer, resigned(CHARTER, SAMPLE.ann, title="Other"))
    assert reason == "fork"
    assert told.startswith("a different file already has the name game.toml")
