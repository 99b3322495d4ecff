"""What players and referees stumbled over once: each said plainly now, through the front door."""

import json
import signal
from collections.abc import Callable

import pytest

from pbem.text.names_and_email_addresses import check_player_name
from tests.cli.terminal import END, INTERRUPT, type_passphrase
from tests.kit.bot_orders import hand_in, order_file, status_text
from tests.kit.named_games import invite, made, sit
from tests.kit.people import NOW, Person, Round
from tests.kit.processes import until

Start = Callable[[str], Round]


@pytest.mark.parametrize("typed", ["status", "orders", "since"])
def test_in_a_folder_without_a_game_nothing_is_said_of_pbem_home(table: Round, typed: str) -> None:
    ann = table.person("ann")
    ann.place = ann.home.parent
    said = ann.pbem(typed).checked(2, err="is not a game folder")
    assert "PBEM_HOME" not in said.text
    assert "PBEM_HOME" not in ann.pbem("doctor").text
    assert ann.pbem("explain horns").exit == 0


@pytest.mark.long
def test_a_referee_who_plays_sees_the_head_of_the_last_published_turn(game: Start) -> None:
    table = game("plays")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah")
    assert "has questions for you" in rhea.pbem("status -C savannah").out
    assert "\nhead" not in rhea.pbem("status -C savannah").out
    hand_in(rhea)
    rhea.pbem("advance -C savannah")
    bo = table.person("bo")
    for _ in range(2):
        hand_in(bo)
        rhea.pbem("advance -C savannah")
    mine, his = (status_text(person) for person in (rhea, bo))
    assert ("turn 3 is published; turn 4 has questions for you" in mine, "turn 3\n" in his) == (
        True,
        True,
    )
    assert head_line(mine) == head_line(his)
    told = [json.loads(p.pbem("status --json -C savannah").out)["data"] for p in (rhea, bo)]
    assert told[0]["words"] == told[1]["words"]
    assert [one["published"] for one in told] == [3, 3]


def head_line(said: str) -> str:
    return next(line for line in said.splitlines() if line.startswith("head "))


@pytest.mark.sample(0)
def test_a_player_whose_orders_are_accepted_is_not_waited_for(game: Start) -> None:
    table = game("plays")
    rhea, bo = table.person("rhea"), table.person("bo")
    rhea.pbem("advance -C savannah")
    hand_in(rhea)
    rhea.pbem("advance -C savannah")
    hand_in(bo)
    rhea.pbem("advance -C savannah")
    hand_in(bo)
    said = status_text(bo)
    assert "a Rhea: ACCEPTED" in said
    assert "is waiting for Rhea" not in said
    assert "next: wait for the referee, Rhea" in said


def test_errors_and_warnings_that_are_not_shown_are_counted(game: Start) -> None:
    ann = game("begun").person("ann")
    lines = json.dumps(["z9 eats"] * 98)
    said = ann.pbem("check -C savannah -", f"feed = {lines}")
    assert said.err.splitlines()[-1] == "78 more warnings are not shown"
    said = ann.pbem("check -C savannah -", f"feed = {json.dumps(['b1 eats'] * 98)}")
    said.checked(1, err="78 more errors and 1 more warning are not shown")


def interrupted(person: Person, line: str, there: Callable[[], bool], **env: str) -> None:
    """A real command, interrupted as soon as it is there: one line, 130."""
    done = person.start(line, **env)
    until(there)
    done.send_signal(signal.SIGINT)
    _, err = done.communicate()
    assert done.returncode == 130, err
    assert [x for x in err.splitlines() if x][-1] == "interrupted"
    assert "Traceback" not in err


@pytest.mark.sample(0)
def test_ctrl_c_while_watching_prints_one_line_and_no_traceback(game: Start) -> None:
    table = game("joined")
    turn = table.shared / "savannah/turns/0001.toml"
    interrupted(table.person("rhea"), "advance --watch -C savannah", turn.exists)


@pytest.mark.long
def test_ctrl_c_in_the_editor_prints_one_line_and_no_traceback(game: Start) -> None:
    table = game("begun")
    began = table.root / "began"
    editor = table.root / "editor"
    editor.write_text(f"#!/bin/sh\ntouch {began}\nexec sleep 60\n")
    editor.chmod(0o755)
    ann = table.person("ann")
    interrupted(ann, "orders --edit -C savannah", began.exists, EDITOR=str(editor))


@pytest.mark.sample(1)
@pytest.mark.parametrize("module", ["typer", "tomllib", "cryptography"])
def test_ctrl_c_while_pbem_starts_prints_one_line_and_no_traceback(
    game: Start, module: str
) -> None:
    """As if Ctrl-C came while this module is imported; Typer is not, for a plain command line."""
    table = game("begun")
    (table.root / "early").mkdir()
    (table.root / f"early/{module}.py").write_text("raise KeyboardInterrupt\n")
    typed = "status -C savannah" if module != "typer" else "status --help"
    said = table.person("ann").really(typed, PYTHONPATH=str(table.root / "early"))
    assert (said.exit, said.out, said.err) == (130, "", "interrupted\n")


@pytest.mark.long
@pytest.mark.parametrize("typed", [INTERRUPT, END])
def test_ctrl_c_at_the_passphrase_prints_one_line_and_no_traceback(game: Start, typed: str) -> None:
    ended, seen = type_passphrase(game("made"), typed)
    assert (ended, "Traceback" in seen, "a bug" in seen) == (130, False, False), seen
    assert seen.count("interrupted") == 1


@pytest.mark.sample(0)
def test_only_the_owner_of_late_orders_is_told_that_they_came_too_late(game: Start) -> None:
    table = game("timed")
    ann, bo, rhea = (table.person(who) for who in ("ann", "bo", "rhea"))
    for person in (ann, bo, rhea):
        person.env["SOURCE_DATE_EPOCH"] = str(NOW + 26 * 3600)
    orders = table.shared / "savannah/orders"
    hand_in(bo)
    hand_in(ann)
    late = {p.name: p.read_bytes() for p in orders.iterdir() if "-a-" in p.name}
    for name in late:
        (orders / name).unlink()  # it syncs slowly
    rhea.pbem("advance -C savannah")
    for name, data in late.items():
        (orders / name).write_bytes(data)
    told = "for turn 1 came too late: Rhea had made turn 2 without them"
    assert told in status_text(ann)
    assert told not in status_text(bo)
    for person in (ann, bo):
        if "(you): MISSING" in status_text(person):
            hand_in(person)
    rhea.pbem("advance -C savannah")
    assert "do not count: they came too late (turn 3 refused them)" in status_text(ann)
    assert "too late" not in status_text(bo)


TAKEN = [
    ("all", "all players"),
    ("Everyone", "all players"),
    ("A\u200bll", "all players"),
    ("referee", "the referee"),
    ("b", "seat b"),
    ("P", "seat p"),  # the last that a game can have
    ("\u0410", "seat a"),  # a Cyrillic letter
]


@pytest.mark.parametrize(("name", "meaning"), TAKEN)
def test_a_player_cannot_have_a_name_that_commands_read_as_somebody_else(tmp_path, name, meaning):
    table = Round(tmp_path)
    words = f"cannot be called {name!r}, because pbem reads that as {meaning}"
    rhea = table.person("rhea")
    said = rhea.pbem(["new", "savannah", "--players", f"Ann,{name}", "--referee", "Rhea"])
    assert (said.exit, words in said.err) == (2, True), said
    assert rhea.pbem("new savannah --players Ann,Bo --referee Rhea").exit == 0
    said = table.person("bo").pbem(
        ["join", "-C", "savannah", "--name", name, "--invite", invite(table, "b")]
    )
    assert (said.exit, words in said.err) == (2, True), said
    assert [*(table.shared / "savannah" / "seats").glob("*")] == []


def test_nobody_joins_under_the_name_of_the_referee_or_of_another_player(tmp_path):
    """A message to that name would reach them instead."""
    table = Round(tmp_path)
    assert table.person("rhea").pbem("new savannah --players Ann,Bo,Cy --referee Rhea").exit == 0
    line = ["join", "-C", "savannah", "--invite"]
    assert table.person("ann").pbem([*line, invite(table, "a"), "--name", "Annabel"]).exit == 0
    for name, whose in (("Rhea", "the referee"), ("Annabel", "seat a"), ("Cy", "seat c")):
        said = table.person("bo").pbem([*line, invite(table, "b"), "--name", name])
        assert (said.exit, f"looks the same as the name of {whose}" in said.err) == (2, True), said
    assert table.person("bo").pbem([*line, invite(table, "b")]).exit == 0


def test_a_referee_may_be_called_the_referee_and_not_all(tmp_path):
    rhea = Round(tmp_path).person("rhea")
    said = rhea.pbem(["new", "pond", "--players", "Ann,Bo", "--referee", "all"])
    assert "because pbem reads that as all players" in said.err
    assert rhea.pbem(["new", "pond", "--players", "Ann,Bo", "--referee", "The referee"]).exit == 0


AS_SAVED = {
    "a mark at its start": lambda text: b"\xef\xbb\xbf" + text,
    "UTF-16, as `>` of PowerShell writes it": lambda text: text.decode().encode("utf-16"),
    "UTF-16 without a mark": lambda text: text.decode().encode("utf-16-le"),
    "UTF-16, the other byte first": lambda text: text.decode().encode("utf-16-be"),
}


@pytest.mark.parametrize("saved", AS_SAVED)
def test_a_key_file_is_imported_in_whatever_encoding_it_was_saved(tmp_path, saved):
    table = Round(tmp_path)
    rhea, copy = table.person("rhea"), table.person("copy")
    key = (rhea.home / "profiles/default/key").read_bytes()
    (copy.place / "backup").write_bytes(AS_SAVED[saved](key))
    copy.pbem("keys import backup --profile old").checked(0)
    assert (copy.home / "profiles/old/key").read_bytes() == key


def test_a_key_file_that_is_saved_in_another_encoding_later_still_opens(tmp_path):
    rhea = Round(tmp_path).person("rhea")
    path = rhea.home / "profiles/default/key"
    path.write_bytes(path.read_bytes().decode().encode("utf-16"))
    assert rhea.pbem("new pond --players Ann,Bo --referee-plays --bots greedy:1").exit == 0


@pytest.mark.parametrize("saved", AS_SAVED)
def test_orders_are_read_in_whatever_encoding_they_were_saved(game: Start, saved):
    ann = game("begun").person("ann")
    text = order_file(ann).encode()
    (ann.place / "orders.toml").write_bytes(AS_SAVED[saved](text))
    ann.pbem("check -C savannah orders.toml").checked(0)


def test_a_comma_or_a_semicolon_after_a_list_of_orders_is_named(game: Start):
    ann = game("begun").person("ann")
    for end, name in ((",", "comma"), (";", "semicolon")):
        said = ann.pbem("check -C savannah -", f'food = ["pass"]{end}\n')
        assert f"hint: delete this {name}: " in said.text


@pytest.mark.parametrize("name", ["con", "Aux", "com1", "lpt9.x", "a:b", "why?", "name.", "end "])
def test_a_folder_name_that_windows_cannot_have_is_refused(tmp_path, name):
    table = Round(tmp_path)
    said = table.person("rhea").pbem(["new", name, "--players", "Ann,Bo"]).checked(2)
    assert "a folder on Windows cannot be called" in said.err
    assert [*table.shared.iterdir()] == []
    assert table.person("rhea").pbem(["new", "console", "--players", "Ann,Bo"]).exit == 0


@pytest.mark.parametrize("name", ["\u0301\u0302", "!!!", "\u2026"])
def test_a_name_without_a_letter_or_a_digit_is_refused(tmp_path, name):
    said = Round(tmp_path).person("rhea").pbem(["new", "pond", "--players", f"Ann,{name}"])
    assert said.exit == 2
    assert "must contain a letter or a digit" in said.err


@pytest.mark.parametrize(
    "name", ["7", "\u00c9lodie", "\u82b1\u5b50", "\u0631\u0627\u0646\u064a\u0629", "\u0915\u0940"]
)
def test_a_name_in_any_script_is_taken(name):
    check_player_name(name)


def test_line_endings_that_git_changed_are_named_with_their_remedy(game: Start):
    table = game("begun")
    for file in (table.shared / "savannah").rglob("*.toml"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    said = table.person("ann").pbem("status -C savannah")
    assert said.exit != 0
    assert "`* -text` in the folder's file .gitattributes" in said.text


def cards_of(person: Person) -> list[str]:
    """The cards that the seat may put at the Watering Hole, as `check` offers them."""
    said = person.pbem("check -C savannah -", "")
    (hint,) = [line for line in said.text.splitlines() if "legal here: " in line]
    return [card for card in hint.split('"') if card[-1:].isdigit()]


def test_join_refuses_the_key_of_a_referee_who_does_not_play(table: Round) -> None:
    made(table)
    words = ["join", "-C", "savannah", "--invite", invite(table, "a")]
    said = table.person("rhea").pbem(words).checked(2, err="this is the referee's key")
    assert "pbem new … --referee-plays" in said.err
    assert not list((table.shared / "savannah").glob("seats/*.toml"))


def test_the_digits_of_a_join_to_accept_may_be_typed_in_capitals(table: Round) -> None:
    made(table)
    sit(table, "a"), sit(table, "b")
    (path,) = (table.shared / "savannah/seats").glob("b-*")
    table.person("rhea").pbem(f"advance -C savannah --accept {path.stem[2:].upper()}").checked(0)


@pytest.mark.parametrize("form", ["{} ({})", "{}({})"])
def test_the_number_of_a_card_may_stand_in_brackets_in_orders(game, form):
    bo = game("begun").person("bo")
    name, _, number = cards_of(bo)[0].rpartition(" ")
    said = bo.pbem("check -C savannah -", f'food = "{form.format(name.title(), number)}"')
    assert (said.exit, f"food: {name} {number} to" in said.out) == (0, True), said.text


def test_an_attack_without_an_attacker_gets_a_hint_about_attacks(game):
    bo = game("begun").person("bo")
    said = bo.pbem("check -C savannah -", 'feed = ["attacks *"]')
    assert (said.exit, "never for a card" in said.text) == (1, False), said.text
    assert '"… attacks …"' in said.text
