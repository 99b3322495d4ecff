"""Records put in their places one by one: what is refused, for which reason, and what is noted.

The small game of the protocol's vectors: Ann deals and plays a, Bo plays b, two turns, the end.
"""

import pytest

from pbem.files.game_folder import Folder
from pbem.format.record_error import RecordError
from pbem.judge.notice_kinds import TakeIn, Vote
from pbem.mail.record_filing import RecordFiler, filing_rank
from pbem.records.notice import SCORE
from pbem.records.read_and_sign_record import Record
from tests.kit.record_files import record_path, resigned
from tests.kit.sample_records import EVE, SAMPLE, orders_of_a, orders_of_b, short_id
from tests.mail.filed_records import (
    BEGUN,
    CHARTER,
    FINAL,
    JOIN_A,
    JOIN_B,
    ORDERS1,
    ORDERS2,
    OWN,
    TURN1,
    TURN2,
    WHOLE,
    message_of,
    refusal_of,
)

# ------------------------------------------------------------------ names and order


def test_each_is_put_after_those_that_it_is_checked_against():
    kinds = [record.content.kind for record in sorted(SAMPLE.records.values(), key=filing_rank)]
    told = ["charter", "join", "join", "turn", "notice", "turn", "orders", "orders", "orders"]
    assert kinds == [*told, "final", "press", "press"]
    assert sorted([TURN2, TURN1], key=filing_rank) == [TURN1, TURN2]
    by_id = sorted([ORDERS1, ORDERS2, OWN], key=lambda record: record.id)
    assert sorted([ORDERS1, ORDERS2, OWN], key=filing_rank) == by_id
    late = orders_of_b(2)
    assert sorted([late, *by_id], key=filing_rank) == [*by_id, late]


def test_what_was_put_is_counted(filer_with):
    filer = filer_with(JOIN_A)
    for record in (JOIN_A, JOIN_B, TURN1, TURN1, TURN2):
        filer.file_record(record)
    assert (filer.new_records, filer.present_count) == ([JOIN_B, TURN1, TURN2], 2)
    assert filer.turns == [TURN1]
    filer.notes()
    assert filer.turns == [TURN1, TURN2]


def test_the_charter_makes_the_folder_and_is_counted(tmp_path):
    filer = RecordFiler(Folder(tmp_path / "x"), CHARTER)
    assert (filer.new_records, filer.present_count) == ([CHARTER], 0)
    again = RecordFiler(Folder(tmp_path / "x"), CHARTER)
    assert (again.new_records, again.present_count) == ([], 1)
    other = resigned(CHARTER, SAMPLE.ann, title="Other")
    with pytest.raises(RecordError) as caught:
        RecordFiler(Folder(tmp_path / "x"), other)
    assert caught.value.reason == "fork"
    assert "a different file already has the name game.toml" in caught.value.sentence


# ------------------------------------------------------------------ the place is taken
def placed(filer: RecordFiler, record: Record, data: bytes) -> tuple[str, str]:
    """What is said of a record if its place has other bytes."""
    path = filer.folder.root / record_path(record)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return refusal_of(filer, record)


OTHER_TURN = resigned(TURN2, SAMPLE.ann, time=TURN2.content.time + 1)
OTHER_END = resigned(FINAL, SAMPLE.ann, prev=bytes(32))


@pytest.mark.parametrize("data", [b"junk", resigned(OTHER_TURN, EVE).file])
def test_a_damaged_or_false_turn_in_the_place_must_be_removed(filer_with, data):
    filer = filer_with(*BEGUN)
    what = "is damaged" if data == b"junk" else "is not signed by the referee"
    again = "remove this file from the folder, then run pbem receive again"
    told = f"turns/0002.toml in {filer.folder.root} {what}: {again}"
    assert placed(filer, TURN2, data) == ("fork", told)


@pytest.mark.parametrize(("record", "other"), [(TURN2, OTHER_TURN), (FINAL, OTHER_END)])
def test_a_second_record_of_the_referee_for_one_place_is_refused_as_a_fork(
    filer_with, record, other
):
    two = f"({short_id(other)} in the folder, {short_id(record)} in the mail)"
    show = "and so made two versions of the game; show both files to all players"
    told = (
        f"Ann, the referee, signed two different files called {record_path(record)} {two}, {show}"
    )
    assert placed(filer_with(*BEGUN), record, other.file) == ("fork", told)


# ------------------------------------------------------------------ messages


def test_junk_with_names_of_messages_takes_nobodys_place(filer_with):
    filer = filer_with(*WHOLE)
    for n in range(62):
        filer.file_record(message_of("x", number=n + 1))
    junk = (f"press/0001-b-1-{n:06x}.toml" for n in range(9))
    for name in junk:
        (filer.folder.root / name).write_bytes(b"junk")
    filer = filer_with()
    filer.file_record(message_of("x", number=63))
    filer.file_record(message_of("x", number=64))
    reason, sentence = refusal_of(filer, message_of("one more"))
    assert (reason, "has no room for more" in sentence) == ("state", True), sentence


# ------------------------------------------------------------------ what is missing
def missing_notes(filer: RecordFiler) -> list[str]:
    step = "ask Ann for the bundle that `pbem send --all` writes; pbem keeps everything that came"
    notes = filer.notes()
    assert all(reason == "parent" for reason, _ in notes)
    assert all(said.startswith("missing: ") and said.endswith(f"; {step}") for _, said in notes)
    assert len(notes) <= 1
    return (
        notes[0][1].removeprefix("missing: ").removesuffix(f"; {step}").split(", ") if notes else []
    )


def test_what_is_missing_is_named_three_at_most(filer_with):
    a, b, own = short_id(JOIN_A), short_id(JOIN_B), short_id(OWN)
    one, two = short_id(ORDERS1), short_id(ORDERS2)
    names1, names2 = "which turn 1 lists", "which turn 2 lists"
    filer = filer_with()
    assert missing_notes(filer) == []
    filer.file_record(FINAL)
    assert missing_notes(filer) == ["the last turn"]
    filer.file_record(TURN2)
    assert missing_notes(filer) == ["turn 1"]
    filer.file_record(TURN1)
    assert missing_notes(filer) == [
        f"the file {a} of seat a", names1, f"the file {b} of seat b", names1, f"the file {own}",
        names1, "and 3 more",
    ]  # fmt: skip
    filer.file_record(JOIN_A)
    filer.file_record(JOIN_B)
    assert missing_notes(filer) == [
        f"the file {own}", names1, f"the file {one} of seat b", names2,
        f"the file {two} of seat b", names2, "and 1 more",
    ]  # fmt: skip
    for record in (OWN, ORDERS1, ORDERS2, SAMPLE.notice):
        filer.file_record(record)
    assert missing_notes(filer) == []


# ------------------------------------------------------------------ what came too late
def notes_of(filer: RecordFiler, *records: Record) -> list[tuple[str, str]]:
    for record in records:
        filer.file_record(record)
    return [(reason, said) for reason, said in filer.notes() if not said.startswith("missing")]


def test_orders_that_do_not_answer_the_last_turn_are_noted(filer_with):
    late, forked, ahead = orders_of_b(), orders_of_b(1, 4, prev=bytes(31) + b"\1"), orders_of_b(3)
    held, early = orders_of_a(2, SAMPLE.heads[1]), orders_of_a(2, bytes(31) + b"\1")
    name = "of seat {} answer turn"
    b = name.format("b")
    too_late, made = "came too late: they answer turn", "but the next turn is already made"
    fork = "answer a version of turn"
    compare = "that differs from yours; compare your twelve words with those of the other players"
    assert notes_of(
        filer_with(*WHOLE), ORDERS1, ORDERS2, OWN, late, forked, ahead, held, early
    ) == [
        ("state", f"orders {short_id(late)} of seat b {too_late} 1, {made}"),
        ("fork", f"orders {short_id(forked)} of seat b {fork} 1 {compare}"),
        ("parent", f"orders {short_id(ahead)} {b} 3, which is not here yet"),
        ("state", f"orders {short_id(held)} of seat a {too_late} 2, {made}"),
        ("fork", f"orders {short_id(early)} of seat a {fork} 2 {compare}"),
    ]


# ------------------------------------------------------------------ notices
def test_a_notice_is_signed_by_somebody_in_the_game(filer_with):
    filer, told = filer_with(*BEGUN), "is signed with a key that nobody in this game has"
    by_eve = SAMPLE.notice_by("b", Vote(SCORE), EVE, turn=1, number=2)
    assert refusal_of(filer, by_eve) == ("key", f"a notice of seat b (kind: vote) {told}")
    by_eve = SAMPLE.notice_by("referee", TakeIn("b", JOIN_B.id), EVE, turn=1, number=2)
    assert refusal_of(filer, by_eve) == ("key", f"a notice of the referee (kind: seat) {told}")
    filer.file_record(SAMPLE.notice_by("b", Vote(SCORE), SAMPLE.ann, turn=1, number=2))
    assert len(filer.new_records) == 1, "a turn that lists it decides what a key may sign"
