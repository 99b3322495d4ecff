"""Records put in their places one by one: what is refused, for which reason, and what is noted.

The small game of the protocol's vectors: Ann deals and plays a, Bo plays b, two turns, the end.
"""

import pytest

from pbem.files.game_folder import Folder
from pbem.format.record_error import RecordError
from pbem.mail.filing import RecordFiler, filing_rank
from pbem.records.read_and_sign_record import Record, read
from tests.kit.record_files import record_path, resigned
from tests.kit.sample_records import EVE, SAMPLE, orders_of_a, orders_of_b, short_id
from tests.mail.filed_records import (
    BEGUN,
    CHARTER,
    FINAL,
    JOIN_A,
    JOIN_B,
    JOINS,
    ORDERS1,
    ORDERS2,
    OWN,
    TURN1,
    TURN2,
    WHOLE,
    joins_without_invite,
    message_of,
    refusal_of,
)
from tests.mail.sample import ALL


# ------------------------------------------------------------------ names and order
def test_every_record_has_one_name():
    assert {record_path(record): record for record in SAMPLE.records.values()} == SAMPLE.records


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


def test_a_bad_turn_ends_the_chain_and_stops_nothing(filer_with, tmp_path):
    filer = filer_with(*JOINS)
    (tmp_path / "savannah" / "turns").mkdir()
    (tmp_path / "savannah" / "turns" / "0001.toml").write_bytes(ALL["turns/0001.toml"][:-99])
    filer.file_record(TURN2)
    filer.file_record(ORDERS2)
    assert filer.new_records == [TURN2, ORDERS2]
    assert filer.turns == []


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


def test_the_same_turn_signed_by_somebody_else_is_in_the_place(filer_with):
    told = "you already have turns/0002.toml with the same content, but with another signature"
    assert placed(filer_with(*BEGUN), TURN2, resigned(TURN2, EVE).file) == ("fork", told)


@pytest.mark.parametrize(("record", "other"), [(TURN2, OTHER_TURN), (FINAL, OTHER_END)])
def test_two_records_by_the_referee_for_one_place(filer_with, record, other):
    two = f"({short_id(other)} in the folder, {short_id(record)} in the mail)"
    show = "and so made two versions of the game; show both files to all players"
    told = (
        f"Ann, the referee, signed two different files called {record_path(record)} {two}, {show}"
    )
    assert placed(filer_with(*BEGUN), record, other.file) == ("fork", told)


@pytest.mark.parametrize(
    ("record", "other"), [(FINAL, resigned(OTHER_END, EVE)), (ORDERS1, ORDERS2)]
)
def test_another_record_in_the_place(filer_with, record, other):
    two = f"({short_id(other)} in the folder, {short_id(record)} in the mail)"
    told = f"a different file already has the name {record_path(record)} {two}"
    show = "show both files to the referee"
    assert placed(filer_with(*BEGUN), record, other.file) == ("fork", f"{told}; {show}")


def test_whose_keys_are_known(filer_with):
    """Somebody in the game has more room for files that wait for others."""
    stranger = resigned(JOIN_B, EVE, key=EVE.public, door=b"")
    people = [SAMPLE.ann, SAMPLE.held, SAMPLE.bo, EVE]
    before = filer_with(*JOINS, stranger)
    assert [before.knows(key.public) for key in people] == [True, True, True, False]
    later = resigned(JOIN_B, EVE, key=EVE.public)
    begun = filer_with(*BEGUN, later)
    assert [begun.knows(key.public) for key in people] == [True, True, True, False]


# ------------------------------------------------------------------ joins
def test_joins_are_filed_or_refused_with_the_reason(filer_with):
    filer = filer_with()
    stranger = resigned(JOIN_B, EVE, key=EVE.public)
    elsewhere = resigned(JOIN_B, SAMPLE.bo, prev=bytes(32))
    third = resigned(JOIN_B, SAMPLE.bo, seat="c")
    assert refusal_of(filer, elsewhere) == (
        "place",
        "this join is for a game with a different game.toml",
    )
    assert refusal_of(filer, third) == ("place", "this game has no seat c")
    filer.file_record(stranger)
    filer = filer_with(*BEGUN[1:])  # the join of seat a is not here
    filer.file_record(JOIN_A)
    begun = "the game has begun without this join, and seat b is not open"
    other = resigned(JOIN_B, SAMPLE.bo, name="Bob")
    assert refusal_of(filer, other) == ("state", begun)
    filer.file_record(JOIN_B)
    assert filer.present_count == 1


def full(filer: RecordFiler, count: int) -> None:
    """So many files in seats/."""
    seats = filer.folder.root / "seats"
    seats.mkdir(exist_ok=True)
    for number in range(count - len(list(seats.iterdir()))):
        (seats / f"b-{number:06x}.toml").write_bytes(b"junk\n")


def test_two_hundred_joins_and_no_more(filer_with):
    filer = filer_with()
    full(filer, 198)
    filer = filer_with()
    one, two, three = joins_without_invite(3)
    filer.file_record(one)
    filer.file_record(two)
    told = "seats/ already contains 200 joins; remove the joins of strangers"
    assert refusal_of(filer, three) == ("state", told)
    filer.file_record(JOIN_B)


def test_four_joins_with_one_invite_and_no_more(filer_with):
    filer = filer_with()
    for number in range(4):
        filer.file_record(resigned(JOIN_B, SAMPLE.bo, name=f"Bo {number}"))
    told = "seats/ already contains 4 joins with the invite of seat b"
    assert refusal_of(filer, JOIN_B)[1].startswith(told)
    filer.file_record(JOIN_A)


def test_a_join_counts_once_however_often_the_folder_is_read(filer_with):
    filer = filer_with()
    full(filer, 198)
    filer = filer_with()
    one, two, three = joins_without_invite(3)
    filer.file_record(one)
    assert refusal_of(filer, orders_of_b(key=EVE))[0] == "key"  # the folder is read again for it
    filer.file_record(two)
    filer.file_record(two)
    assert refusal_of(filer, three)[0] == "state"


COMPARE = "that differs from yours; compare your twelve words with those of the other players"


# ------------------------------------------------------------------ orders
def test_orders_are_filed_or_refused_with_the_reason(filer_with):
    filer = filer_with(JOIN_A)
    waits = "is waiting for the join of seat b, which has not arrived yet"
    assert refusal_of(filer, ORDERS1) == ("parent", waits)
    filer.file_record(OWN)
    filer = filer_with(*BEGUN)
    signed = "is not signed by the player in seat b"
    assert refusal_of(filer, orders_of_b(key=EVE)) == ("key", signed)
    assert refusal_of(filer, orders_of_b(key=SAMPLE.held)) == ("key", signed)
    filer.file_record(orders_of_b())
    away = resigned(orders_of_b(), SAMPLE.bo, seat="c")
    assert refusal_of(filer, away) == ("key", "nobody plays seat c in this game")
    filer.file_record(ORDERS1)
    filer.file_record(ORDERS1)
    assert (len(filer.new_records), filer.present_count) == (2, 1)


def test_before_turn_1_any_joined_key_may_order_and_later_only_the_one_that_counts(filer_with):
    stranger = resigned(JOIN_B, EVE, key=EVE.public)
    filer = filer_with(*JOINS, stranger)
    filer.file_record(orders_of_b(0 + 1, 3, EVE))
    filer.file_record(orders_of_b(1, 4))
    filer = filer_with(*BEGUN, stranger)
    assert refusal_of(filer, orders_of_b(1, 5, EVE))[0] == "key"
    filer = filer_with()
    (filer.folder.root / record_path(JOIN_B)).unlink()
    filer = filer_with()
    assert refusal_of(filer, orders_of_b(1, 6)) == (
        "parent", "is waiting for the join of seat b, which has not arrived yet",
    )  # fmt: skip


# ------------------------------------------------------------------ turns
def test_turns_and_the_end(filer_with):
    filer = filer_with(*JOINS)
    by_eve = "is not signed by the referee of this game"
    for record in (TURN1, TURN2, FINAL):
        assert refusal_of(filer, resigned(record, EVE)) == ("key", by_eve)
    fork = "follows a version of turn"
    for record, name, before in (
        (TURN1, "turns/0001.toml", 0),
        (TURN2, "turns/0002.toml", 1),
        (FINAL, "final.toml", 2),
    ):
        other = resigned(record, SAMPLE.ann, prev=bytes(32))
        assert refusal_of(filer, other) == (
            "fork",
            f"{name} {fork} {before} {COMPARE}",
        )
        filer.file_record(record)
    assert filer.new_records == [TURN1, TURN2, FINAL]


def test_a_turn_whose_parent_is_not_here_is_put_in_its_place(filer_with):
    filer = filer_with()
    other = resigned(TURN2, SAMPLE.ann, prev=bytes(32))
    filer.file_record(other)
    filer.file_record(TURN1)
    filer.notes()
    assert filer.turns == [TURN1, other], "whoever reads it says that it builds on another"


# ------------------------------------------------------------------ messages


WAITS = "was written after turn 2, and is waiting for that turn to arrive"


def test_messages_are_filed_or_refused_with_the_reason(filer_with):
    filer = filer_with(*BEGUN[1:])
    public = SAMPLE.public
    assert refusal_of(filer, SAMPLE.private) == (
        "parent",
        f"a message from the referee {WAITS}",
    )  # fmt: skip
    anns_ = resigned(public, SAMPLE.held, seat="a")
    assert refusal_of(filer, anns_) == (
        "parent",
        "a message from seat a is waiting for the join of seat a, which has not arrived yet",
    )
    assert refusal_of(filer, resigned(public, SAMPLE.bo, seat="c")) == (
        "key", "seat c has no player, so nobody can write messages from it",
    )  # fmt: skip
    assert refusal_of(filer, resigned(public, EVE)) == (
        "key", "this message is not signed by seat b",
    )  # fmt: skip
    assert refusal_of(filer, resigned(public, SAMPLE.bo, prev=bytes(32))) == (
        "fork", f"a message from seat b follows a version of turn 1 {COMPARE}",
    )  # fmt: skip
    for record in (public, JOIN_A, anns_, ORDERS1, ORDERS2, TURN2, SAMPLE.private):
        filer.file_record(record)
    assert len(filer.new_records) == 7


def test_sixty_four_messages_of_one_writer_after_one_turn(filer_with):
    filer = filer_with(*WHOLE)
    for n in range(64):
        filer.file_record(message_of("x", number=n + 1))
    said = "seat b already has 64 messages after turn 1: press/ has no room for more"
    assert refusal_of(filer, message_of("one more")) == ("state", said)
    filer.file_record(message_of("after the next turn", turn=2))
    filer.file_record(SAMPLE.private)
    filer = filer_with()
    assert refusal_of(filer, message_of("one more")) == ("state", said)
    filer.file_record(message_of("x", number=2))
    assert filer.present_count == 1
    (filer.folder.root / record_path(message_of("x", number=2))).unlink()
    filer = filer_with()
    filer.file_record(message_of("in its place"))
    assert refusal_of(filer, message_of("one more"))[0] == "state"


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
    assert refusal_of(filer, message_of("one more"))[0] == "state"


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


def test_the_end_needs_no_more_than_the_last_turn(filer_with):
    filer = filer_with(*BEGUN, FINAL)
    assert missing_notes(filer) == ["the last turn"]
    assert missing_notes(filer_with(*WHOLE)) == []


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
    assert notes_of(
        filer_with(*WHOLE), ORDERS1, ORDERS2, OWN, late, forked, ahead, held, early
    ) == [
        ("state", f"orders {short_id(late)} of seat b {too_late} 1, {made}"),
        ("fork", f"orders {short_id(forked)} of seat b {fork} 1 {COMPARE}"),
        ("parent", f"orders {short_id(ahead)} {b} 3, which is not here yet"),
        ("state", f"orders {short_id(held)} of seat a {too_late} 2, {made}"),
        ("fork", f"orders {short_id(early)} of seat a {fork} 2 {COMPARE}"),
    ]


def test_the_referees_orders_for_the_next_turn_wait_without_a_word(filer_with):
    assert notes_of(filer_with(*WHOLE), orders_of_a(3, SAMPLE.heads[2])) == []


def test_orders_in_time_are_not_noted(filer_with):
    assert notes_of(filer_with(*BEGUN), orders_of_b(), ORDERS1) == []
    quiet = resigned(TURN2, SAMPLE.ann, turn=3, prev=SAMPLE.heads[2], orders=(), log=())
    assert notes_of(filer_with(*WHOLE, quiet), orders_of_b(2)) == [], "turn 3 only listed notices"


def test_what_was_here_before_is_not_noted_again(filer_with):
    late = orders_of_b()
    assert notes_of(filer_with(*WHOLE, late), late) == []
    assert read(late.file).content == late.content
