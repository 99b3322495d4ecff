"""Messages: what a typed text becomes, which files count, and who reads what."""

from dataclasses import replace

import pytest

from pbem.files.file_errors import FileError, StorageError
from pbem.files.game_folder import Folder
from pbem.format.encrypted_box import box_key, public_of
from pbem.format.keys import SigningKey
from pbem.format.record_error import RecordError
from pbem.judge.folder_contents import Archive
from pbem.judge.messages import (
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
from pbem.judge.seats_and_agreements import NO_TURN, SeatKeys, Standing
from pbem.records.press_message import REFEREE, Press, open_message
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
        ("x" * 1001, "the message has 1001 characters in 1 line; the most are 1000"),
        ("x\n" * 41, "the message has 41 characters in 41 lines; the most are 1000"),
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
def test_the_keys_of_all_who_may_write_are_known():
    joins = {"b": G.join_b.content, "a": G.join_a.content}
    seating = seating_with(Standing(G.charter.content, joins))
    assert list(seating) == ["a", "b", "referee"]
    bo = G.join_b.content
    assert seating["b"] == (SeatKeys(G.bo.public, bo.x25519, NO_TURN, bo.name),)
    assert seating[REFEREE] == (SeatKeys(G.ann.public, G.charter.content.desk, NO_TURN, "Ann"),)


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


def test_a_message_is_what_its_writer_made():
    public = signed_message(BO, "hello").content
    assert (public.text, public.box, public.seat) == (("hello",), b"", "b")
    assert (public.turn, public.prev, public.number, public.time) == (1, G.heads[1], 1, TIME)
    private = signed_message(DESK, "psst", "a", 2, 3, TIME + 5).content
    assert (private.text, private.seat, private.writer) == ((), "", "referee")
    assert (private.turn, private.prev, private.number) == (2, G.heads[2], 3)
    key = box_key(G.secrets_a.box(G.game, "a"), G.charter.content.desk, G.game)
    assert open_message(key, private) == ("psst",)
    assert box_key(DESK.secret, G.seating["a"][-1].x25519, G.game) == key


def test_which_boxes_a_reader_can_open():
    theirs = list(BO.boxes(G.game, "a", G.seating))
    assert theirs == [("b", box_key(BO.secret, G.seating["a"][-1].x25519, G.game))]
    mine = dict(BO.boxes(G.game, "b", G.seating))
    assert list(mine) == ["a", "referee"], "what a person writes to anybody, not to themselves"
    assert mine["a"] == theirs[0][1]
    assert public_of(BO.secret) == G.seating["b"][-1].x25519


# ------------------------------------------------------------------ a folder
@pytest.fixture
def folder_with_messages(tmp_path):
    """The game's folder with these messages."""

    def with_(*records: Record[Press], joins: bool = True, **files: bytes) -> Archive:
        here = Folder(tmp_path / "savannah")
        for name, record in G.records.items():
            if not name.startswith(("press", "final")) and (joins or not name.startswith("seats")):
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


def message_lines(press: PressReader, *readers: Reader) -> list[str]:
    records = press.records()
    return [
        f"{m.writer}>{m.recipient}: {'/'.join(m.lines)}" for m in press.messages(records, readers)
    ]


def test_who_reads_what(folder_with_messages):
    here = folder_with_messages(
        signed_message(BO, "to all"),
        signed_message(BO, "to Ann", "a", number=2),
        signed_message(BO, "to the referee", REFEREE, number=3),
        signed_message(ANN, "to Bo", "b", turn=2),
        signed_message(DESK, "news", turn=2, time=TIME + 1),
    )
    press = reader_of(here)
    assert message_lines(press) == ["b>: to all", "referee>: news"]
    assert message_lines(press, ANN) == [
        "b>: to all",
        "b>a: to Ann",
        "a>b: to Bo",
        "referee>: news",
    ]
    assert message_lines(press, BO) == [
        "b>: to all", "b>a: to Ann", "b>referee: to the referee", "a>b: to Bo", "referee>: news",
    ]  # fmt: skip
    assert message_lines(press, DESK) == [
        "b>: to all",
        "b>referee: to the referee",
        "referee>: news",
    ]
    assert len(message_lines(press, ANN, DESK)) == 5
    assert press.faults == []
    (first, *_) = press.messages(press.records(), [])
    assert (first.turn, first.number, first.time) == (1, 1, TIME)
    assert first.id == signed_message(BO, "to all").id.hex()


def test_which_records_are_asked_for(folder_with_messages):
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


def test_what_does_not_count_is_named(folder_with_messages):
    content = signed_message(BO, "x").content
    forged = make(content, EVE)
    others = make(content, G.held)
    theirs = make(replace(content, seat="c"), G.bo)
    forked = make(replace(content, prev=bytes(32)), G.bo)
    later = make(replace(content, turn=3), G.bo)
    long = "press/0002-b-1-abcdef.toml"
    for wrong, reason, told in (
        (forged, "key", "the key that signed this file may not sign a message in this game"),
        (
            others,
            "key",
            "this message is in the name of seat b, but is signed with the key of seat a",
        ),
        (theirs, "place", "this is not a message of this game: seat c has no player"),
        (
            forked,
            "fork",
            "seat b wrote this message after a different turn 1 from the turn in this folder",
        ),
    ):
        press = reader_of(folder_with_messages(wrong))
        assert faults_of_press(press) == [(record_path(wrong), reason, told)]
        (press.game_folder.folder.root / record_path(wrong)).unlink()
    press = reader_of(folder_with_messages(later))
    assert (faults_of_press(press), press.records()) == ([], [])
    size = bytes(32769)
    assert faults_of_press(reader_of(folder_with_messages(**{"0002_b_1_abcdef": size}))) == [
        (long, "size", "this file has 32769 bytes; a message has at most 32768"),
    ]  # fmt: skip
    assert (
        faults_of_press(reader_of(folder_with_messages(**{"0002_b_1_abcdef": size[1:]})))[0][1]
        != "size"
    )


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


def test_a_message_that_cannot_be_read_is_named(folder_with_messages, monkeypatch):
    one, two = signed_message(BO, "x"), signed_message(ANN, "y")
    press = reader_of(folder_with_messages(one, two))
    read = press.game_folder.press

    def failing(found, known):
        if found.name.seat == "b":
            raise StorageError("the disk is gone", "try again")
        return read(found, known)

    monkeypatch.setattr(press.game_folder, "press", failing)
    assert press.records() == [two]
    ((path, reason, told),) = faults_of_press(reader_of(press.game_folder))
    assert (path, reason) == (record_path(one), "file")
    assert "the disk is gone" in told


def test_a_message_under_another_name_does_not_count(folder_with_messages):
    right = signed_message(BO, "x")
    digits = right.id.hex()[:6]
    for name in (
        f"0002-b-1-{digits}",
        f"0001-a-1-{digits}",
        f"0001-b-2-{digits}",
        "0001-b-1-aaaaaa",
    ):
        press = reader_of(folder_with_messages(**{name.replace("-", "_"): right.file}))
        (fault,) = faults_of_press(press)
        assert fault == (
            f"press/{name}.toml", "place",
            ("the name of this file belongs to a different message; get "
            "the file again"),
        ), name  # fmt: skip
        (press.game_folder.folder.root / f"press/{name}.toml").unlink()


def test_eight_faults_are_named_and_the_others_counted(folder_with_messages):
    junk = {f"0001_b_1_{n:06x}": b"junk" for n in range(8)}
    assert len(faults_of_press(reader_of(folder_with_messages(**junk)))) == 8
    junk |= {f"0002_b_1_{n:06x}": b"junk" for n in range(3)}
    *eight, last = faults_of_press(reader_of(folder_with_messages(**junk)))
    told = "the folder press/ has 3 more files without a message of this game: remove such files"
    assert (len(eight), last) == (8, ("press/", "name", told))


def test_sixty_four_messages_of_a_writer_after_a_turn_count(folder_with_messages):
    many = [signed_message(BO, f"{n}", number=n % 64 + 1) for n in range(65)]
    press = reader_of(
        folder_with_messages(*many, signed_message(ANN, "x"), signed_message(BO, "y", turn=2))
    )
    assert len(press.records()) == 66
    ((path, reason, told),) = faults_of_press(reader_of(press.game_folder))
    assert reason == "size"
    assert told == ("seat b wrote more than 64 messages after turn 1; pbem reads only 64")
    paths = [record_path(one) for one in many]
    few = sorted(paths, key=lambda p: (int(p.split("-")[2]), p))
    assert path == few[64]
    known = set(paths[:64])
    assert len(reader_of(press.game_folder).records({1}, known)) in (1, 2)
    again = reader_of(press.game_folder).records({1}, set(few[:63]))
    assert [record_path(one) for one in again] == [
        record_path(signed_message(ANN, "x")),
        few[63],
    ]


def test_a_thousand_junk_files_hide_no_message(folder_with_messages):
    junk = {f"0001_b_1_{n:06x}": b"junk" for n in range(999)}
    last = signed_message(BO, "last", number=64)
    assert reader_of(folder_with_messages(last, **junk)).records() == [last]
    assert reader_of(folder_with_messages(**{"0001_b_1_ffffff": b"junk"})).records() == [last]


def test_a_box_that_holds_no_message_is_named(folder_with_messages):
    content = signed_message(BO, "psst", "a").content
    broken = make(replace(content, number=2), G.bo)  # its box is bound to number 1
    press = reader_of(folder_with_messages(broken))
    assert message_lines(press, ANN) == []
    assert press.faults == []


def test_who_can_write_in_a_folder(folder_with_messages):
    here = folder_with_messages()
    assert seating_with(here.standing) == G.seating
    for path in (here.folder.root / "turns").iterdir():
        path.unlink()
    assert list(seating_with(folder_again(here).standing)) == ["referee"]


def test_without_a_join_nobody_knows_who_can_write(folder_with_messages):
    with pytest.raises(FileError):
        seating_with(folder_with_messages(joins=False).standing)


def folder_again(game_folder: Archive) -> Archive:
    return archive_of(game_folder.folder)


# ------------------------------------------------------------------ their order
def message_at(writer: str, number: int, time: int, turn: int = 1, ident: str = "") -> Message:
    return Message(turn, number, time, writer, "", ("x",), ident)


def test_messages_are_in_the_order_of_clocks_but_each_writers_in_that_of_numbers():
    one, two, three = message_at("b", 1, 50), message_at("b", 2, 10), message_at("b", 3, 60)
    other, later, next_ = (
        message_at("a", 1, 55),
        message_at("a", 2, 55),
        message_at("c", 1, 1, turn=2),
    )
    right = [one, two, other, later, three, next_]
    for given in (right, right[::-1]):
        assert sort_messages(given) == right
    same = [message_at("b", 1, 5, ident=name) for name in "ab"]
    assert sort_messages(same[::-1]) == same
    assert sort_messages([message_at("a", 1, 1), message_at("b", 1, 0)]) == [
        message_at("b", 1, 0),
        message_at("a", 1, 1),
    ]
    assert sort_messages([message_at("b", 1, 5), message_at("a", 1, 5)]) == [
        message_at("a", 1, 5),
        message_at("b", 1, 5),
    ]
    assert isinstance(SIGNS["a"], SigningKey)
