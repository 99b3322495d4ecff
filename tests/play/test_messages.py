"""Messages: what a typed text becomes, which files count, and who reads what."""

from dataclasses import replace

import pytest

from pbem.files.game_folder import Folder
from pbem.format.encrypted_box import public_of
from pbem.format.record_error import RecordError
from pbem.judge.read_and_make_messages import (
    MAX_INPUT_CHARACTERS,
    Message,
    PressReader,
    Reader,
    format_role,
    keys_after,
    lines_of,
    make_message,
    seating_with,
    sort_messages,
)
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.seat_holders_keys_and_agreements import NO_TURN, SeatKeys
from pbem.records.press_message import REFEREE, Press
from pbem.records.read_and_sign_record import Record, make
from tests.kit.record_files import archive_of, put_record, record_path
from tests.kit.sample_records import EVE, TIME, sample
from tests.notices.people import standing_of_three, with_deputy

G = sample()
ANN, BO, DESK = (
    Reader("a", G.secrets_a.box(G.game, "a")),
    Reader("b", G.secrets_b.box(G.game, "b")),
    Reader(REFEREE, G.desk),
)
SIGNS = {"a": G.held, "b": G.bo, REFEREE: G.ann}


# ------------------------------------------------------------------ what is typed
@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("hello", ("hello",)), ("hello\n", ("hello",)), ("\n\na  \n\n b \n\n", ("a", "", " b")),
        ("a\r\nb\rc", ("a", "b", "c")), ("a\u00a0b\u202fc\u2009d\te", ("a b c d e",)),
        ("\ufeffa\u200db\u00adc\ufe0fd\ufe0ee", ("abcde",)), ("\u00a0\na\t\n", ("a",)),
        ("x" * 1000, ("x" * 1000,)), ("x\n" * 40, ("x",) * 40), ("\u00e4\u2603", ("\u00e4\u2603",)),
    ],
)  # fmt: skip
def test_what_is_typed_becomes_lines(typed, lines):
    assert lines_of(typed) == lines


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "the message is empty: it has no visible character"),
        (" \n\t\n\u200d", "the message is empty: it has no visible character"),
        ("x" * 1001, "the message has 1001 characters in 1 line; the maximum is 1000"),
        ("x\n" * 41, "the message has 41 characters in 41 lines; the maximum is 1000"),
        ("a\nb\x1b[1m", "character 2 of line 2 is an escape (U+001B); a message can contain only"),
        ("a\u202eb", "character 2 of line 1 is a right-to-left override (U+202E); a message"),
        ("\x00", "character 1 of line 1 is a null (U+0000); a message can contain only visible"),
        ("a\ud800", "the message is not UTF-8 text"),
        ("\udfff\x00", "the message is not UTF-8 text"),
    ],
)  # fmt: skip
def test_what_a_message_cannot_hold_is_said(typed, told):
    with pytest.raises(RecordError) as caught:
        lines_of(typed)
    assert caught.value.reason == "field"
    assert caught.value.sentence.startswith(told)
    assert MAX_INPUT_CHARACTERS == 65536


# ------------------------------------------------------------------ who can write and read


def test_after_a_handover_the_deputy_writes_as_the_referee():
    base = with_deputy()
    here = standing_of_three(
        base, deputy_since=3, former_keys={"b": (SeatKeys(EVE.public, bytes(32), 2),)}
    )
    seating = seating_with(here)
    referee = seating[REFEREE]
    rhea = SeatKeys(base.key, base.desk, 3, "Rhea")
    assert referee == (rhea, SeatKeys(base.deputy_key, base.deputy_x25519, NO_TURN, "Dee"))
    assert [keys_after(referee, turn).name for turn in (2, 3)] == ["Rhea", "Dee"]
    assert [keys_after(referee, turn).signing for turn in (2, 3)] == [base.key, base.deputy_key]
    assert [one.x25519 for one in referee] == [base.desk, base.deputy_x25519]
    assert seating["b"][:-1] == here.former_keys["b"]
    assert len(seating["a"]) == 1
    before = seating_with(replace(here, deputy_since=0))[REFEREE]
    assert before == (SeatKeys(base.key, base.desk, NO_TURN, "Rhea"),)


def signed_message(
    writer: Reader, said: str, to: str = "", turn: int = 1, number: int = 1, time: int = TIME
) -> Record[Press]:
    place = (G.game, turn, G.heads[turn])
    key = SIGNS[writer.role]
    return make_message(place, number, time, (said,), writer, key, to, G.seating)


# ------------------------------------------------------------------ a folder
@pytest.fixture
def folder_with_messages(tmp_path):
    """The game's folder with these messages."""

    def with_(*records: Record[Press], **files: bytes) -> Archive:
        here = Folder(tmp_path / "savannah")
        for name, record in G.records.items():
            if not name.startswith(("press", "final")):
                here.create(name, record.file)
        for record in records:
            put_record(here, record)
        for name, data in files.items():
            path = here.root / "press" / f"{name.replace('_', '-')}.toml"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        return archive_of(here)

    return with_


def reader_of(game_folder: Archive) -> PressReader:
    return PressReader(game_folder, G.heads, G.seating)


def test_messages_can_be_read_for_some_turns_only_or_without_those_already_known(
    folder_with_messages,
):
    one, two = signed_message(BO, "one"), signed_message(BO, "two", turn=2)
    press = reader_of(folder_with_messages(one, two))
    assert press.records() == [one, two]
    assert press.records({2}) == [two]
    assert press.records(()) == []
    assert press.records(None, {record_path(one)}) == [two]
    assert format_role("b") == "seat b"
    assert format_role("referee") == "the referee"


def faults_of_press(press: PressReader) -> list[tuple[str, str, str]]:
    press.records()
    return [(fault.path, fault.reason, fault.sentence) for fault in press.faults]


def test_a_message_counts_with_the_key_that_counted_when_it_was_written(folder_with_messages):
    new, box = EVE, public_of(bytes([7]) * 32)
    former = SeatKeys(G.bo.public, G.seating["b"][-1].x25519, 2)
    seating = {**G.seating, "b": (former, SeatKeys(new.public, box))}
    content, later = signed_message(BO, "x").content, signed_message(BO, "y", turn=2).content
    here = folder_with_messages(make(content, G.bo), make(later, new))
    press = PressReader(here, G.heads, seating)
    assert (len(press.records()), press.faults) == (2, [])
    for path in (here.folder.root / "press").iterdir():
        path.unlink()
    wrong = (make(content, new), make(later, G.bo))
    press = PressReader(folder_with_messages(*wrong), G.heads, seating)
    told = "this message is signed with a key of seat b that was not valid after turn {}"
    assert faults_of_press(press) == [
        (record_path(one), "key", told.format(n)) for n, one in enumerate(wrong, 1)
    ]
    assert press.records() == []


def test_the_box_of_a_message_to_old_keys_stays_readable(folder_with_messages):
    former = SeatKeys(G.bo.public, G.seating["b"][-1].x25519, 2)
    seating = {**G.seating, "b": (former, SeatKeys(EVE.public, public_of(bytes([7]) * 32)))}
    private = signed_message(BO, "psst", "a")
    press = PressReader(folder_with_messages(private), G.heads, seating)
    (read,) = press.messages(press.records(), [ANN])
    assert (read.recipient, read.lines) == ("a", ("psst",))
    assert press.messages(press.records(), [DESK]) == []


def test_a_message_under_another_name_does_not_count(folder_with_messages):
    right = signed_message(BO, "x")
    digits = right.id.hex()[:6]
    told = "the name of this file belongs to a different message; get the file again"
    places = ("0002-b-1", "0001-a-1", "0001-b-2")
    for name in (*(f"{place}-{digits}" for place in places), "0001-b-1-aaaaaa"):
        press = reader_of(folder_with_messages(**{name.replace("-", "_"): right.file}))
        assert faults_of_press(press) == [(f"press/{name}.toml", "place", told)]
        (press.game_folder.folder.root / f"press/{name}.toml").unlink()


# ------------------------------------------------------------------ their order
def message_at(writer: str, number: int, time: int, turn: int = 1, ident: str = "") -> Message:
    return Message(turn, number, time, writer, "", ("x",), ident)


def test_messages_are_in_the_order_of_clocks_but_each_writers_in_that_of_numbers():
    one, two, three = message_at("b", 1, 50), message_at("b", 2, 10), message_at("b", 3, 60)
    other, later = message_at("a", 1, 55), message_at("a", 2, 55)
    right = [one, two, other, later, three, message_at("c", 1, 1, turn=2)]
    same = [message_at("b", 1, 5, ident=name) for name in "ab"]
    clocks = [message_at("b", 1, 0), message_at("a", 1, 1)]
    seats = [message_at("a", 1, 5), message_at("b", 1, 5)]
    for some in (right, same, clocks, seats):
        assert sort_messages(some) == sort_messages(some[::-1]) == some
