"""Records rightly signed whose fields contradict each other, their kind, or the one order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.format.canonical_toml import emit, parse
from pbem.format.record_error import RecordError
from pbem.format.signed_file import sign
from pbem.records.read_and_sign_record import Record, body_of, make, read, read_as
from pbem.records.turn import (
    Awaited,
    ListedOrders,
    LogEntry,
    NewCards,
    OpenCard,
    OpenLine,
    OpenPosition,
    Turn,
)
from tests.kit.record_files import resigned
from tests.kit.refusals import refused_for
from tests.kit.sample_records import sample, seat_plan

GAME = sample()
KEYS = {k.public: k for k in (GAME.ann, GAME.bo, GAME.held)}
OTHER, HEAD = b"\x01" * 32, b"\x02" * 32
MAX_TURN, SHEET, SMALL, CONTACT, TAG = 9999, 2048, 64, 512, 16  # as the protocol has them


def signed_with_change(record: Record[Any], **change: Any) -> bytes:
    content = replace(record.content, **change)
    return sign(content.kind, body_of(content), KEYS[record.signed.key]).file


def check_refused(record: Record[Any], words: str, reason: str = "field", **change: Any) -> None:
    with pytest.raises(RecordError, match=rf"{words}.*\[{reason}\]"):
        read(signed_with_change(record, **change))
    with pytest.raises(RecordError, match=rf"{words}.*\[{reason}\]"):
        resigned(record, KEYS[record.signed.key], **change)


def check_taken(record: Record[Any], **change: Any) -> None:
    content = replace(record.content, **change)
    assert read(signed_with_change(record, **change)).content == content


def test_fields_that_a_record_leaves_out_are_read_as_empty() -> None:
    charter, join = read(GAME.charter.file).content, read(GAME.join_a.file).content
    assert (charter.notes, charter.cards, charter.seats[1].bot) == ("", "", "")
    assert (join.recovery, join.commit, join.r) == (b"", b"", b"")
    first, second = read(GAME.turn1.file).content, read(GAME.turn2.file).content
    assert (first.by_word, second.link0, second.joins) == ((), b"", None)
    assert (first.lines, first.cards, first.dealt, first.orders, first.silent) == ((),) * 5
    assert (second.awaited, second.own, second.orders[0].reason) == ((), (), "")
    assert second.log[1].hidden == ()


# ------------------------------------------------------------------ the header
SEATED = [GAME.join_b, GAME.orders2]
SEATLESS = [GAME.charter, GAME.turn2, GAME.final]
CHAINED = [GAME.join_b, GAME.orders2, GAME.turn2, GAME.final]


@pytest.mark.parametrize("record", SEATED, ids=lambda r: r.content.kind)
def test_joins_and_orders_without_a_seat_are_refused(record: Record[Any]) -> None:
    check_refused(
        record, "the field seat is empty; in a record of kind .* it must be a letter", seat=""
    )
    check_refused(record, "field seat: the value is 'q'; it must be a seat's letter", seat="q")
    check_refused(record, "field seat: the value is 'aa'; it must be a seat's letter", seat="aa")


@pytest.mark.parametrize("record", SEATLESS, ids=lambda r: r.content.kind)
def test_charters_turns_and_finals_that_name_a_seat_are_refused(record: Record[Any]) -> None:
    check_refused(
        record, "the field seat is 'a'; in a record of kind .* it must be empty", seat="a"
    )


@pytest.mark.parametrize("record", CHAINED, ids=lambda r: r.content.kind)
def test_any_record_but_a_charter_without_game_or_head_is_refused(record: Record[Any]) -> None:
    for change in ({"game": b""}, {"prev": b""}, {"game": b"", "prev": b""}):
        check_refused(record, "the field game or prev is empty", **change)


def test_a_charter_that_names_a_game_or_head_is_refused() -> None:
    for change in ({"game": OTHER}, {"prev": HEAD}, {"game": OTHER, "prev": HEAD}):
        check_refused(GAME.charter, "the field game or prev is not empty", **change)


def test_only_charter_and_joins_have_turn_number_0() -> None:
    for record in (GAME.charter, GAME.join_b):
        check_refused(record, "the field turn is 1, which is not possible", turn=1)
    for record in (GAME.orders2, GAME.turn2, GAME.final):
        check_refused(record, "the field turn is 0, which is not possible", turn=0)


def test_a_turn_number_above_9999_is_refused() -> None:
    for record in (GAME.orders2, GAME.turn2):
        check_taken(record, turn=MAX_TURN)
        check_refused(
            record, f"the last turn that a game can have is {MAX_TURN}", turn=MAX_TURN + 1
        )
    check_taken(GAME.final, turn=MAX_TURN + 1)
    check_refused(
        GAME.final, "field turn: the value is 10001; it must be an integer", turn=MAX_TURN + 2
    )


# ------------------------------------------------------------------ one order
ROWS: dict[str, tuple[Any, Any]] = {
    "lines": tuple(OpenLine(OTHER, n, "x", HEAD) for n in (1, 2)),
    "cards": tuple(OpenCard(handle, "horns 4", HEAD) for handle in (OTHER, HEAD)),
    "dealt": tuple(OpenPosition("deck", 0, n, "horns 4", HEAD) for n in (1, 2)),
    "decks": tuple(NewCards("deck", n, 0, (OTHER,)) for n in (1, 2)),
    "orders": tuple(ListedOrders(order, "b", "accepted") for order in (OTHER, HEAD)),
    "awaited": tuple(Awaited(seat, ("food",)) for seat in "ab"),
    "own": (OTHER, HEAD),
    "silent": ("a", "b"),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_turn_whose_list_is_not_in_order_or_has_something_twice_is_refused(name: str) -> None:
    one, two = ROWS[name]
    check_taken(GAME.turn2, **{name: (one, two)})
    for wrong in ((two, one), (one, one), (one, two, two)):
        check_refused(
            GAME.turn2, f"field {name}: the list is not in ascending order", **{name: wrong}
        )


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("lines", [OpenLine(OTHER, 2, "x", HEAD), OpenLine(HEAD, 1, "x", HEAD)]),
        ("dealt", [OpenPosition(d, e, k, "x", HEAD) for d, e, k in [("a", 0, 9), ("a", 1, 0)]]),
        ("dealt", [OpenPosition(d, e, k, "x", HEAD) for d, e, k in [("a", 9, 9), ("b", 0, 0)]]),
        ("decks", [NewCards(d, e, k, (HEAD,)) for d, e, k in [("a", 0, 9), ("a", 1, 0)]]),
        ("decks", [NewCards(d, e, k, (HEAD,)) for d, e, k in [("a", 9, 9), ("b", 0, 0)]]),
        ("decks", [NewCards(d, e, k, (HEAD,)) for d, e, k in [("a", 0, 0), ("a", 0, 1)]]),
    ],
)
def test_a_turns_lists_are_ordered_by_their_fields_in_order(name: str, rows: list[Any]) -> None:
    check_taken(GAME.turn2, **{name: tuple(rows)})
    check_refused(
        GAME.turn2, f"field {name}: the list is not in ascending order", **{name: tuple(rows[::-1])}
    )


# ------------------------------------------------------------------ charter, joins, orders
def test_a_charter_of_an_unknown_mode_is_called_of_another_version() -> None:
    check_refused(
        GAME.charter, "this version of pbem does not know mode friends", "version", mode="friends"
    )


LETTERS = "they must have the letters a, b, c"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seats": (seat_plan("b", "Bo"), seat_plan("a", "Ann"))}, LETTERS),
        ({"seats": (seat_plan("a", "Ann"), seat_plan("c", "Cy"))}, LETTERS),
        ({"seats": (seat_plan("a", "Ann"), seat_plan("a", "Bo"))}, LETTERS),
        ({"plays": ("b", "a")}, "field plays: the list is not in ascending order"),
        ({"plays": ("a", "a")}, "field plays: the list is not in ascending order"),
        ({"plays": ("a", "c")}, "field 'plays' .* lists seat c, which this game does not have"),
        (
            {"seats": (seat_plan("a", "Ann"), seat_plan("b", "Bo", "greedy"))},
            "seat b has a bot, but the field 'plays' .* does not list it",
        ),
        ({"audit": GAME.charter.content.desk}, "the fields desk and audit have the same key"),
    ],
)
def test_a_charter_that_contradicts_itself_is_refused(change: dict[str, Any], words: str) -> None:
    check_refused(GAME.charter, words, **change)


def test_charter_options_and_policies_must_be_short_plain_values() -> None:
    for name in ("options", "policies"):
        check_taken(GAME.charter, **{name: {"a": "x" * 400, "b-_9": -1, "c": False, "d": ""}})
        for wrong in ("x" * 401, [1], {}):
            told = rf"{name}\.a: .*; it must be an integer, true or false, or a text of at "
            "most"
            check_refused(GAME.charter, told, **{name: {"a": wrong}})


def test_a_record_without_version_or_kind_is_refused() -> None:
    doc = parse(GAME.turn2.signed.body)
    for name, reason in (("v", "version"), ("kind", "field")):
        body = emit({key: value for key, value in doc.items() if key != name})
        with refused_for(reason):
            read(sign("turn", body, GAME.ann).file)


def test_a_record_that_would_be_read_back_differently_is_not_signed() -> None:
    content = replace(GAME.turn2.content, silent=["a"])  # type: ignore[arg-type]
    with pytest.raises(
        RecordError, match=r"^this turn is not written exactly as pbem writes it \[field\]"
    ):
        make(content, GAME.ann)


def test_whoever_reads_one_kind_of_record_may_refuse_keys_they_do_not_know() -> None:
    assert read_as(Turn, GAME.turn2.file, GAME.known).content == GAME.turn2.content
    with pytest.raises(RecordError, match=r"may not sign a turn in this game \[key\]"):
        read_as(Turn, GAME.turn2.file, lambda kind, key: False)


def test_charters_with_bots_or_without_referee_seats_are_accepted() -> None:
    bots = (seat_plan("a", "Ann", "greedy"), seat_plan("b", "Bo", "random"))
    check_taken(GAME.charter, seats=bots, plays=("a", "b"))
    check_taken(GAME.charter, plays=("b",))
    check_taken(GAME.charter, plays=())


def test_a_join_must_have_both_r_and_its_commitment_or_neither() -> None:
    check_refused(GAME.join_b, "this join has only one of the fields commit and r", commit=b"")
    check_refused(GAME.join_b, "this join has only one of the fields commit and r", r=b"")
    check_taken(GAME.join_b, commit=b"", r=b"")
    check_refused(
        GAME.join_b, "the fields key and recovery have the same key", recovery=GAME.bo.public
    )


@pytest.mark.parametrize("size", [1, TAG, SMALL, SMALL + TAG - 1, SMALL + TAG + 1, 96, 1040])
def test_a_join_whose_boxes_have_another_size_is_refused(size: int) -> None:
    for name in ("r", "contact"):
        check_refused(
            GAME.join_b, f"field {name}: .*; it must be base64 of a box", **{name: bytes(size)}
        )
    check_refused(GAME.join_b, "field contact: .*; it must be base64 of a box", contact=b"")
    check_taken(GAME.join_b, r=bytes(SMALL + TAG))
    check_taken(GAME.join_b, contact=bytes(CONTACT + TAG))
    check_refused(
        GAME.join_b, "field contact: .*; it must be base64 of a box", contact=bytes(SMALL + TAG)
    )
    check_taken(GAME.join_b, door=b"")
    check_refused(GAME.join_b, "field door: .*; it must be 128 hex digits or empty", door=bytes(63))


@pytest.mark.parametrize(
    ("lines", "box"),
    [(64, 2), (128, 1), (65, 1), (127, 2), (96, 1), (128, 4), (192, 4), (512, 4), (511, 8)],
)
def test_orders_need_one_sheet_for_every_64_slots(lines: int, box: int) -> None:
    slots = tuple(n.to_bytes(32, "big") for n in range(lines))
    check_refused(
        GAME.orders2, "2048 bytes for every 64 slots", lines=slots, box=bytes(box * SHEET + TAG)
    )


@pytest.mark.parametrize(
    "size", [0, TAG, SHEET, SHEET + TAG - 1, SHEET + TAG + 1, 3 * SHEET + TAG, 16 * SHEET + TAG]
)
def test_orders_whose_box_has_no_possible_number_of_sheets_are_refused(size: int) -> None:
    check_refused(GAME.orders2, "field box: .*; it must be base64 of a box", box=bytes(size))


def test_orders_have_64_to_512_slots_and_revisions_1_to_99() -> None:
    for sheets in (1, 2, 4, 8):
        slots = tuple(n.to_bytes(32, "big") for n in range(64 * sheets))
        check_taken(GAME.orders2, lines=slots, box=bytes(sheets * SHEET + TAG))
    for count in (0, 63, 513):
        slots = tuple(n.to_bytes(32, "big") for n in range(count))
        check_refused(GAME.orders2, "field lines: .*; it must be a list of 64 to 512", lines=slots)
    for revision in (0, 100):
        check_refused(
            GAME.orders2,
            "field revision: .*; it must be an integer from 1 to 99",
            revision=revision,
        )
    for revision in (1, 99):
        check_taken(GAME.orders2, revision=revision)


# ------------------------------------------------------------------ turns
def test_joins_and_the_end_of_the_dice_chain_belong_in_turn_1_alone() -> None:
    joins, link0 = GAME.turn1.content.joins, GAME.turn1.content.link0
    for change in ({"joins": None}, {"link0": b""}, {"joins": None, "link0": b""}):
        check_refused(GAME.turn1, "turn 1 lacks the field joins or link0", **change)
    for change in ({"joins": joins}, {"link0": link0}, {"joins": joins, "link0": link0}):
        check_refused(GAME.turn2, "turn 2 has the field joins or link0", **change)


def test_turn_1_must_have_a_packet_for_each_seat_that_joined() -> None:
    joins, packets = GAME.turn1.content.joins, GAME.turn1.content.packets
    assert joins is not None
    told = "the secret parts of this turn .packets. are not for those who joined"
    for change in (
        {"joins": {"a": joins["a"]}}, {"joins": joins | {"c": OTHER}},
        {"packets": {"b": packets["b"]}},
    ):  # fmt: skip
        check_refused(GAME.turn1, told, **change)


def test_a_turn_with_packets_of_different_or_impossible_sizes_is_refused() -> None:
    large = GAME.turn2.content.packets["a"]
    check_refused(GAME.turn2, "the secret parts of this turn .packets. differ in size", packets={})
    both = {"a": large, "b": bytes(len(large) + 256)}
    check_refused(
        GAME.turn2, "the secret parts of this turn .packets. differ in size", packets=both
    )
    assert len(large) == TAG + 64 + 256
    for size in (0, TAG, 64, 256, 256 + TAG, len(large) - 1, len(large) + 1):
        check_refused(GAME.turn2, r"packets\.a: .*; it must be base64", packets={"a": bytes(size)})


def test_packets_and_joins_under_another_name_than_a_seats_are_refused() -> None:
    packets = {"q": GAME.turn2.content.packets["a"]}
    check_refused(GAME.turn2, r"packets\.q: this is not a seat's letter", packets=packets)
    joins = GAME.turn1.content.joins
    assert joins is not None
    check_refused(GAME.turn1, r"joins\.q: this is not a seat's letter", joins=joins | {"q": OTHER})


HANDLES = (OTHER, HEAD)
BRACKET = "the text of this entry has a bracket"
CODES = "this entry has . handles? of (a )?hidden card"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (LogEntry("k", "food [horns 4]", "default", (OTHER,)), BRACKET),
        (LogEntry("k", "food [?", "default"), BRACKET),
        (LogEntry("k", "food ?]", "default"), BRACKET),
        (LogEntry("k", "food [?]]", "default", (OTHER,)), BRACKET),
        (LogEntry("k", "food [[?]", "default", (OTHER,)), BRACKET),
        (LogEntry("k", "food [?]", "default"), CODES),
        (LogEntry("k", "food [?]", "default", HANDLES), CODES),
        (LogEntry("k", "pass", "default", (OTHER,)), CODES),
        (LogEntry("k", "a draws [?]", "chance", (OTHER,)), CODES),
    ],
)
def test_a_log_entry_must_have_a_handle_for_each_bracket(entry: LogEntry, words: str) -> None:
    check_refused(GAME.turn2, rf"log\[0\]: {words}", log=(entry,))


def test_log_entries_with_the_right_handles_are_accepted() -> None:
    check_taken(GAME.turn2, log=(LogEntry("k", "[?] for [?]", "line [?]", HANDLES),))
    check_taken(GAME.turn2, log=(LogEntry("k", "a draws [?] [?]", "chance"),))
    check_taken(GAME.turn2, log=(LogEntry("k", "pass", "fact"),))


@pytest.mark.parametrize("status", ["accepted", "replaced", "refused"])
def test_a_turn_must_give_a_reason_for_refused_orders_and_for_no_others(status: str) -> None:
    right, wrong = ("rule", "") if status == "refused" else ("", "rule")
    check_taken(GAME.turn2, orders=(ListedOrders(OTHER, "b", status, right),))
    rows = (ListedOrders(OTHER, "b", status, wrong),)
    check_refused(
        GAME.turn2, r"orders\[0\]: these orders are .* the field reason must", orders=rows
    )


def test_a_host_that_deals_may_play_only_bots_and_have_no_deputy() -> None:
    bots = replace(GAME.charter.content.seats[0], bot="greedy")
    seats = (bots, *GAME.charter.content.seats[1:])
    check_taken(GAME.charter, automaton=True, plays=("a",), seats=seats)
    told = "a host deals this game, so the host can play only the seats of bots"
    check_refused(GAME.charter, told, automaton=True, plays=("a",))
    by_mail = (bots, replace(seats[1], mail=True), *seats[2:])
    check_refused(GAME.charter, told, automaton=True, plays=("a",), seats=by_mail)
    alone = replace(GAME.charter.content.seats[0], bot="")
    free = {"plays": (), "seats": (alone, *GAME.charter.content.seats[1:]), "deputy": "Flo"}
    keys = {"deputy_key": GAME.bo.public, "deputy_x25519": GAME.join_b.content.x25519}
    check_taken(GAME.charter, **free, **keys)
    told = "a host deals this game, so the game cannot have a deputy"
    check_refused(GAME.charter, told, automaton=True, **free, **keys)
