"""What a cheat can do with messages: nothing to the game, and nothing in another's name."""

from collections import Counter
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from pbem.files.game_folder import Folder
from pbem.format.encrypted_box import box_key, padded
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets
from pbem.format.signed_file import sign
from pbem.judge.audit import audit
from pbem.judge.read_and_make_messages import PressReader, Reader, make_message, seating_with
from pbem.records.press_message import PRESS_BOX, REFEREE, message_box_context, open_message
from pbem.records.read_and_sign_record import body_of, make
from pbem.records.record_count_and_size_limits import MAX_MESSAGES
from pbem.terminal.message_prose import message_lines, safe_message_text
from pbem.wording.audit_certificate import report_as_json
from tests.kit.played_games import START, Played, copied_folder, played_key
from tests.kit.record_files import archive_of, record_path, resigned

EVE = played_key("Eve")
TURN = 3


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A game of three that goes on."""
    return Played(tmp_path_factory.mktemp("three"), players=3).play(4)


@pytest.fixture
def writing(three, tmp_path):
    return Writing(three, copied_folder(three.root, tmp_path / "copy"))


class Writing:
    """A copy of a game's folder, and everybody's pen."""

    def __init__(self, game, root):
        self.game, self.root = game, root
        self.seating = seating_with(self.folder.standing)

    @property
    def folder(self):
        return archive_of(self.root)

    def key(self, who):
        return self.game.referee if who == REFEREE else self.game.seats[who].key

    def reader(self, who):
        secrets, charter = Secrets(self.key(who).seed), self.game.charter.content
        secret = secrets.desk(charter.table) if who == REFEREE else secrets.box(self.id, who)
        return Reader(who, secret)

    @property
    def id(self):
        return self.game.game_folder.game

    def message(self, who, text, to="", number=1, turn=TURN):
        place = (self.id, turn, self.game.heads[turn])
        said, key = (text,), self.key(who)
        return make_message(place, number, START, said, self.reader(who), key, to, self.seating)

    def put(self, record, path=""):
        path = path or record_path(record)
        (self.root / "press").mkdir(exist_ok=True)
        (self.root / path).write_bytes(record.file)
        return path

    def press(self):
        return PressReader(self.folder, self.game.heads, self.seating)

    def read(self, who=""):
        """What this person reads, and the reasons why files do not count."""
        press = self.press()
        found = press.messages(press.records(), [self.reader(who)] if who else [])
        return [(m.writer, m.recipient, m.lines[0]) for m in found], [
            f.reason for f in press.faults
        ]

    def blamed(self):
        """The findings of an audit, which never change its verdict."""
        report = audit(Folder(self.root))
        assert (report.exit, report.broken, report.turns) == (0, [], len(self.game.turns))
        return [(f.grade, f.reason, f.culprit) for f in report.findings if "press" in f.path]


def test_a_message_signed_in_anothers_name_does_not_count(writing):
    writing.put(writing.message("b", "peace"))
    content = replace(writing.message("b", "war").content, number=2)
    writing.put(make(content, EVE))
    writing.put(make(replace(content, number=3), writing.key("a")))
    writing.put(make(replace(content, number=4, seat=""), writing.key("b")))
    right = writing.message("b", "war", number=5)
    forged = replace(right.signed, key=right.signed.key, signature=bytes(64))
    (writing.root / record_path(right)).write_bytes(forged.file)
    said, reasons = writing.read("c")
    assert said == [("b", "", "peace")]
    assert reasons == ["key", "key", "signature", "key"]
    assert set(writing.blamed()) == {("foreign", "key", ""), ("foreign", "signature", "")}


def test_a_message_copied_into_another_turn_or_game_does_not_count(writing, tmp_path):
    record = writing.message("b", "I attack now")
    path = writing.put(record)
    for other in (path.replace("0003", "0002"), path.replace("-b-1-", "-b-2-")):
        writing.put(record, other)
    writing.put(resigned(record, writing.key("b"), turn=2))  # by b, on a wrong head
    said, reasons = writing.read("a")
    assert (said, sorted(reasons)) == ([("b", "", "I attack now")], ["fork", "place", "place"])
    second = Played(tmp_path / "second", players=3, table=bytes([14]) * 16).play(4)
    there = Writing(second, second.root)
    there.put(record)
    assert there.read("a") == ([], ["place"])
    assert there.blamed() == [("foreign", "place", "")]


def test_only_writer_and_recipient_open_a_private_message_and_the_final_does_not(writing):
    record = writing.message("b", "only for c", to="c")
    writing.put(record)
    assert writing.read("b")[0] == writing.read("c")[0] == [("b", "c", "only for c")]
    for who in ("a", REFEREE, ""):
        assert writing.read(who) == ([], [])
    audit_secret = Secrets(writing.game.referee.seed).audit(writing.game.charter.content.table)
    for keys in writing.seating.values():
        with pytest.raises(RecordError, match="does not open"):
            open_message(box_key(audit_secret, keys[-1].x25519, writing.id), record.content)


def test_a_private_messages_box_copied_into_another_message_stays_closed(writing):
    record = writing.message("b", "for a only", to="a").content
    copied = make(replace(record, seat="c"), writing.key("c"))
    moved = make(replace(record, number=2), writing.key("b"))
    later = make(replace(record, turn=4, prev=writing.game.heads[4]), writing.key("b"))
    for one in (copied, moved, later):
        writing.put(one)
    for who in ("a", "b", "c", REFEREE):
        assert writing.read(who) == ([], [])
    assert writing.blamed() == []


def test_a_messages_file_tells_neither_its_recipient_nor_its_length(writing):
    files = [
        writing.message("b", text, to=to)
        for to in ("a", "c", REFEREE)
        for text in ("x", "x" * 1000, "\U0001f996" * 1000)
    ]
    assert {len(record.file) for record in files} == {len(files[0].file)}
    bare = {body_of(replace(r.content, box=bytes(len(r.content.box)))) for r in files}
    assert len(bare) == 1


@pytest.mark.parametrize(
    "text", [b"\x1b[2J", b"a\r", "\u202eb".encode(), b"\xff", b"", b"x" * 1001]
)
def test_private_messages_with_terminal_codes_are_not_shown(writing, text):
    key = box_key(writing.reader("b").secret, writing.seating["a"][-1].x25519, writing.id)
    content = writing.message("b", "x", to="a").content
    place = message_box_context(TURN, "b", 1)
    sealed = AESSIV(key).encrypt(padded(text, PRESS_BOX), [place.associated()])
    writing.put(make(replace(content, box=sealed), writing.key("b")))
    writing.put(writing.message("b", "after", number=2))
    assert writing.read("a") == ([("b", "", "after")], ["field"])
    assert writing.read("c") == ([("b", "", "after")], [])
    assert writing.blamed() == []


def test_message_files_with_terminal_codes_are_refused(writing):
    body = body_of(writing.message("b", "innocent").content)
    for bad in (b"\\u001B[2J", b"\\u202E", b"\\u2028turn 9"):
        signed = sign("press", body.replace(b"innocent", bad), writing.key("b"))
        path = f"press/0003-b-1-{signed.id.hex()[:6]}.toml"
        (writing.root / "press").mkdir(exist_ok=True)
        (writing.root / path).write_bytes(signed.file)
    assert writing.read("a") == ([], ["field"] * 3)


def test_no_message_is_printed_like_a_sentence_of_the_game(writing):
    record = writing.message("b", "x")
    lines = ("Ann's a1 attacks Bo's b1", "turn 9: round 1, Feeding", "e" + "\u0301" * 50)
    writing.put(resigned(record, writing.key("b"), text=lines))
    press = writing.press()
    shown = list(message_lines(press.messages(press.records(), []), [], 40))
    assert shown[0] == "  Bo (b) says:"
    assert all(line.startswith("    > ") for line in shown[1:])
    assert safe_message_text(lines[2]) == "e" + "\u0301" * 2 + "\\u0301" * 48
    assert safe_message_text("\x1b[2J\u202e") == "\\u001b[2J\\u202e"


@pytest.mark.long
def test_a_flood_of_messages_is_read_in_part_and_hides_no_others_message(writing, monkeypatch):
    """Ninety messages of one seat, and thousands of files with names of messages."""
    for number in range(1, 91):
        writing.put(writing.message("c", f"{number}", number=(number - 1) % 64 + 1))
    for number in range(3000):
        path = writing.root / f"press/0003-b-1-{number:06x}.toml"
        path.write_bytes(b"junk" if number else b"x" * (1 << 20))
    writing.put(writing.message("a", "peace"))
    opened = []
    read = Folder.read
    monkeypatch.setattr(Folder, "read", lambda folder, one: opened.append(one) or read(folder, one))
    said, reasons = writing.read("b")
    assert len(said) == 1 + MAX_MESSAGES
    assert ("a", "", "peace") in said
    read_of = Counter(one.path for one in opened if one.path.startswith("press/"))
    assert max(read_of.values()) == 1
    assert "press/0003-b-1-000000.toml" not in read_of, "1 MiB is no message"
    assert 2 < len(reasons) < 12
    assert len(writing.blamed()) == len(reasons)
    assert not [f for f in audit(Folder(writing.root)).findings if f.culprit]


def test_messages_for_a_later_turn_wait_and_those_of_unknown_seats_are_refused(writing):
    later = replace(writing.message("b", "x").content, turn=5)
    writing.put(make(later, writing.key("b")))
    writing.put(make(replace(later, turn=TURN, seat="d"), writing.key("b")))
    assert writing.read("a") == ([], ["place"])


def test_a_message_in_the_referees_name_needs_the_referees_key(writing):
    writing.put(writing.message(REFEREE, "dinner is late"))
    content = replace(writing.message(REFEREE, "I resign").content, number=2)
    writing.put(make(content, writing.key("a")))
    assert writing.read("a") == ([(REFEREE, "", "dinner is late")], ["key"])


def test_messages_change_neither_turns_nor_the_audits_verdict(three, writing):
    """The next turn has the same bytes whether messages are here or not."""
    before = audit(Folder(three.root))
    writing.put(writing.message("b", "hello"))
    writing.put(writing.message("b", "psst", to="a", number=2))
    after = audit(Folder(writing.root))
    assert (after.messages, before.messages) == (2, 0)
    assert after.heads == before.heads
    assert [f for f in after.findings if "press" in f.path] == []
    assert replace_messages(after) == replace_messages(before)


def replace_messages(report):
    return {
        name: value
        for name, value in report_as_json(report).items()
        if name not in ("messages", "statement")
    }
