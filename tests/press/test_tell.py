"""Messages through the front door: who reads what, where, and apart from the game."""

import json
from dataclasses import replace

import pytest

from pbem.format.openssh_key_files import write_key
from pbem.records.record_count_and_size_limits import MAX_MESSAGES
from tests.kit.people import key_of, output_of, stdout_of
from tests.press.writing import Table, messages_in


@pytest.mark.sample(0)
def test_a_message_to_all_is_read_by_all(press_scene):
    press_scene.tell(press_scene.bo, "I will not attack you, Ann")
    assert press_scene.heard(press_scene.bo) == ["You say: I will not attack you, Ann"]
    for person in (press_scene.ann, press_scene.rhea, press_scene.eve):
        assert press_scene.heard(person) == ["Bo (b) says: I will not attack you, Ann"]


@pytest.mark.sample(0)
def test_a_private_message_is_read_by_two(press_scene):
    press_scene.tell(press_scene.bo, "--to", "Ann", "shall we?")
    assert press_scene.heard(press_scene.bo) == ["You to Ann (a): shall we?"]
    assert press_scene.heard(press_scene.ann) == ["Bo (b) to you: shall we?"]
    for person in (press_scene.rhea, press_scene.eve):
        assert press_scene.heard(person) == []
        assert json.loads(person.pbem("log --json").out)["messages"] == []


@pytest.mark.sample(0)
def test_the_referee_writes_and_is_written_to(press_scene):
    press_scene.tell(press_scene.ann, "--to", "referee", "I am away on Monday")
    press_scene.tell(press_scene.rhea, "--to", "a", "thank you")
    press_scene.tell(press_scene.rhea, "Ann is away on Monday")
    assert press_scene.heard(press_scene.ann) == [
        "You to Rhea (referee): I am away on Monday",
        "Rhea (referee) to you: thank you",
        "Rhea (referee) says: Ann is away on Monday",
    ]
    assert press_scene.heard(press_scene.rhea) == [
        "Ann (a) to you: I am away on Monday",
        "You to Ann (a): thank you",
        "You say: Ann is away on Monday",
    ]
    assert press_scene.heard(press_scene.bo) == ["Rhea (referee) says: Ann is away on Monday"]


@pytest.mark.long
def test_a_private_message_stays_closed_when_the_game_is_over(game):
    table = Table(game("over"))
    table.tell(table.bo, "--to", "a", "well played")
    said = table.eve.pbem("audit")
    assert (said.exit, "1 message, signed by its writer" in said.out) == (0, True)
    assert "Proven" in said.out
    assert table.heard(table.ann) == ["Bo (b) to you: well played"]
    assert [table.heard(table.rhea), table.heard(table.eve)] == [[], []]


@pytest.mark.sample(0)
def test_a_referee_who_plays_has_two_parts(game):
    table = Table(game("plays"))
    table.rhea.pbem("advance")
    output_of(
        table.rhea, "submit - --no-advance", '[always]\nfood = ["the card with the least food"]'
    )
    assert table.rhea.pbem("advance").exit == 0
    table.tell(table.rhea, "as a player")
    table.tell(table.rhea, "--as", "referee", "as the referee")
    table.tell(table.bo, "--to", "a", "to the player")
    table.tell(table.bo, "--to", "referee", "to the referee")
    names = [path.name.split("-")[1] for path in table.files]
    assert sorted(names) == ["a", "b", "b", "referee"]
    assert [line.rpartition(": ")[2] for line in table.heard(table.rhea)] == [
        "as a player", "to the player", "to the referee", "as the referee",
    ]  # fmt: skip
    said = table.bo.pbem("tell --to c hello")
    assert (said.exit, "is a bot" in said.err) == (2, True)


def test_lines_stay_apart_from_the_game_s_sentences(press_scene):
    forged = "fine\nturn 16: round 3, Feeding\n  Ann's a1 attacks Bo's b1\n\nmessages after turn 9:"
    press_scene.tell(press_scene.bo, "-", stdin=forged)
    said = press_scene.ann.pbem("since")
    shown = said.out.splitlines()
    assert shown[shown.index("  Bo (b) says:") + 1 :] == [
        "    > fine", "    > turn 16: round 3, Feeding", "    >   Ann's a1 attacks Bo's b1",
        "    >", "    > messages after turn 9:",
    ]  # fmt: skip
    assert sum(line.startswith("turn 16") for line in shown) == 0


def test_a_long_line_is_wrapped_and_every_part_is_marked(press_scene):
    press_scene.tell(press_scene.bo, "x" * 60 + " " + "\u2800" * 200 + "turn 16: round 3")
    said = press_scene.ann.pbem("since", COLUMNS="60")
    below = said.out.partition("Bo (b) says:\n")[2].splitlines()
    assert len(below) > 3
    assert all(line.startswith("    > ") and len(line) <= 60 for line in below)


def test_what_was_typed_oddly_is_mended_and_what_is_hidden_is_refused(press_scene):
    record = press_scene.tell(
        press_scene.bo, "-", stdin="\ufeff\n so\tlong\u00a0\ufe0f \r\n\r\nBo\n\n"
    )
    assert record.content.text == (" so long", "", "Bo")
    for odd, told in (("a\u202eb", "right-to-left override"), ("\x1b[2J", "ESCAPE")):
        said = press_scene.bo.pbem(["tell", f"x{odd}"])
        assert (said.exit, told.lower() in said.err.lower()) == (2, True)
    for text, told in (
        ("x" * 1001, "1001 characters"),
        ("x\n" * 41, "41 lines"),
        (" ", "is empty"),
    ):
        said = press_scene.bo.pbem("tell -", text)
        assert (said.exit, told in said.err) == (2, True), said.err
    assert len(press_scene.files) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("tell --as a x", "seat a is not yours"),
        ("tell --as referee x", "only Rhea, the referee"),
    ],
)
def test_mistakes_are_told(press_scene, words, told):
    said = press_scene.bo.pbem(words)
    assert (said.exit in (2, 4), told in said.err, press_scene.files) == (True, True, []), said.err


@pytest.mark.sample(0)
def test_bytes_that_are_no_text_are_told(press_scene):
    for line in ("printf 'a\\377b' | pbem tell -", "pbem tell \"$(printf 'a\\377b')\""):
        said = press_scene.bo.shell(line)
        assert (said.exit, "UTF-8" in said.err, press_scene.files) == (2, True, []), said.text


def test_before_turn_1_there_are_no_messages(game):
    table = Table(game("joined"))
    said = table.bo.pbem("tell hello")
    assert (said.exit, table.files) == (5, []), said.text


@pytest.mark.sample(0)
def test_status_counts_what_is_new(press_scene):
    assert "message" not in press_scene.ann.pbem("status").out
    press_scene.tell(press_scene.bo, "one")
    press_scene.tell(press_scene.bo, "--to", "a", "two")
    press_scene.tell(press_scene.bo, "--to", "referee", "three")
    assert (
        "note: 2 new messages; to read what is new: pbem since\n"
        in press_scene.ann.pbem("status").out
    )
    assert json.loads(press_scene.ann.pbem("status --json").out)["data"]["new_messages"] == 2
    assert "message" not in press_scene.bo.pbem("status").out
    press_scene.heard(press_scene.ann)
    assert "message" not in press_scene.ann.pbem("status").out
    press_scene.tell(press_scene.bo, "four")
    assert (
        "note: 1 new message; to read what is new: pbem since\n"
        in press_scene.ann.pbem("status").out
    )
    assert (
        "note: 1 new message; to read what is new: pbem since\n"
        in press_scene.ann.pbem("status").out
    )


def test_press_can_be_left_out_and_is_data_of_its_own(press_scene):
    press_scene.tell(press_scene.bo, "--to", "a", "-", stdin="two\nlines")
    assert messages_in(press_scene.ann.pbem("log --no-press")) == []
    bare = json.loads(press_scene.ann.pbem("log --turn 14 --no-press --json").out)
    full = json.loads(press_scene.ann.pbem("log --turn 14 --json").out)
    assert bare == {k: v for k, v in full.items() if k != "messages"}
    (said,) = full["messages"]
    assert (said["from"], said["to"], said["turn"], said["text"]) == (
        "b", "a", 14, ["two", "lines"],
    )  # fmt: skip
    assert json.loads(press_scene.ann.pbem("log --turn 13 --json").out)["messages"] == []


@pytest.mark.sample(0)
def test_messages_stand_after_the_turn_they_were_written_after(press_scene):
    press_scene.tell(press_scene.ann, "before")
    assert press_scene.bo.pbem("submit -", 'feed = ["* eats"]').exit == 0
    assert press_scene.rhea.pbem("advance").exit == 0
    press_scene.tell(press_scene.bo, "after")
    lines = press_scene.ann.pbem("since").out.splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    at = heads.index("messages after turn 14:")
    assert heads[at + 1].startswith("turn 15:")
    assert heads[-1] == "messages after turn 15:"
    assert press_scene.heard(press_scene.ann) == ["You say: before", "Bo (b) says: after"]


def test_a_message_that_comes_late_is_shown_at_its_place(press_scene):
    """Bo has used orders since turn 13: what is new to him is shown, however old it is."""
    record = press_scene.tell(press_scene.ann, "late")
    head = bytes.fromhex(press_scene.session(press_scene.ann).view().heads[3])
    press_scene.files[0].unlink()
    press_scene.put(replace(record.content, turn=3, prev=head), key_of("ann"))
    lines = press_scene.bo.pbem("since").out.splitlines()
    assert lines[1:3] == ["messages after turn 3:", "  Ann (a) says: late"]
    assert messages_in(press_scene.bo.pbem("since")) == []
    assert messages_in(press_scene.bo.pbem("log --turn 3")) == ["Ann (a) says: late"]


@pytest.mark.sample(0)
def test_writers_clocks_put_messages_in_order(press_scene):
    for person, when in (
        (press_scene.bo, 50), (press_scene.ann, 10), (press_scene.bo, 20), (press_scene.ann, 60),
    ):  # fmt: skip
        person.env["SOURCE_DATE_EPOCH"] = str(1_700_000_000 + when)
        press_scene.tell(person, f"at {when}")
    assert [line[-5:] for line in press_scene.heard(press_scene.rhea)] == [
        "at 10", "at 50", "at 20", "at 60",
    ]  # fmt: skip


@pytest.mark.long
def test_so_many_messages_count_and_no_more(press_scene):
    for number in range(MAX_MESSAGES):
        press_scene.tell(press_scene.bo, f"{number}")
    said = press_scene.bo.pbem("tell more")
    assert (said.exit, "at most 64 messages between two turns" in said.err) == (5, True)
    press_scene.tell(press_scene.ann, "stop it")
    assert len(press_scene.heard(press_scene.rhea)) == MAX_MESSAGES + 1


@pytest.mark.long
def test_a_locked_key_stops_only_what_needs_it(press_scene):
    press_scene.tell(press_scene.bo, "to all")
    press_scene.tell(press_scene.bo, "--to", "a", "to you")
    key = press_scene.ann.home / "profiles" / "default" / "key"
    assert press_scene.ann.pbem("since").exit == 0  # now the view is kept, which needs no key
    _lock(key)
    said = press_scene.ann.pbem("since")
    assert (said.exit, messages_in(said)) == (0, ["Bo (b) says: to all"])
    assert "there are private messages, perhaps some for you" in said.err
    (press_scene.root.parent / "word").write_text("secret")
    said = press_scene.ann.pbem("since --passphrase-file ../word")
    assert messages_in(said) == ["Bo (b) says: to all", "Bo (b) to you: to you"]


def _lock(path):
    path.write_bytes(write_key(key_of("ann"), b"secret"))


@pytest.mark.sample(0)
def test_a_copied_message_file_does_not_show_the_message_twice(press_scene):
    press_scene.tell(press_scene.bo, "hello")
    press_scene.tell(press_scene.rhea, "dinner")
    for path in press_scene.files:
        path.with_name(f"{path.stem} (1).toml").write_bytes(path.read_bytes())
        path.with_name(f"{path.name}.part").write_bytes(path.read_bytes())
    said = press_scene.ann.pbem("status")
    assert said.err.count("this is a second copy, as cloud drives make them") == 2
    assert press_scene.heard(press_scene.ann) == [
        "Bo (b) says: hello",
        "Rhea (referee) says: dinner",
    ]
    said = stdout_of(press_scene.eve, "audit")
    assert said.count("foreign: press/") == 4


@pytest.mark.sample(0)
def test_a_message_changes_nothing_else(press_scene):
    """The caches hold, and the next turn has the same bytes."""
    press_scene.ann.pbem("status")
    caches = press_scene.ann.home.glob("snapshots/*/*")
    before = {path: path.read_bytes() for path in caches if path.name != "press"}
    press_scene.tell(press_scene.bo, "hello")
    press_scene.ann.pbem("status")
    assert {path: path.read_bytes() for path in before} == before
    said = press_scene.ann.pbem("doctor")
    assert "messages: 1\n" in said.out
    assert "nothing is wrong here" in said.out
