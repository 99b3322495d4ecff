"""Drafts and order files as people use them: by the commands, with real files and keys."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.drafts.write_draft import write_draft
from tests.kit.bot_orders import asked_person, order_file
from tests.kit.named_games import advance, play
from tests.kit.people import Person, Round, stdout_of, unchanged
from tests.kit.positions import position, positions
from tests.kit.table_requests import Asking


@pytest.fixture
def asked_player(game: Callable[[str], Round]) -> Person:
    """Whoever is asked to feed, in the game's folder."""
    person = asked_person(game("middle"))
    person.place = person.place / "savannah"
    return person


@pytest.fixture(name="ann")
def ann_at_turn_one(game: Callable[[str], Round]) -> Person:
    """Ann, whom turn 1 asks for food, in the game's folder."""
    table = game("begun")
    return replace(table.person("ann"), place=table.shared / "savannah")


def draft_path(person: Person) -> Path:
    return Path(person.pbem("orders").out.strip())


def write_draft_text(person: Person, text: str) -> Path:
    path = draft_path(person)
    path.write_text(text, "utf-8")
    return path


def legal(person: Person) -> list[str]:
    """The choices that the draft names for what is asked now."""
    begun = draft_path(person).read_text("utf-8").partition("# ---- Asked now")[2]
    return re.findall(r'^    # (".*"),', begun.partition("# ---- Not asked")[0], re.MULTILINE)


def test_a_draft_is_kept_until_it_is_asked_anew(asked_player: Person) -> None:
    path = write_draft_text(
        asked_player, "# my own remark\n" + draft_path(asked_player).read_text("utf-8")
    )
    mine = path.read_text("utf-8")
    assert asked_player.pbem("orders --edit", EDITOR="true").exit == 0
    assert path.read_text("utf-8") == mine
    said = asked_player.pbem("orders --new")
    assert "your old draft is kept as" in said.err
    assert path.with_name(f"{path.stem}-old1.toml").read_text("utf-8") == mine
    assert "my own remark" not in path.read_text("utf-8")


def test_a_draft_for_another_turn_is_put_aside_by_name(asked_player: Person) -> None:
    path = write_draft_text(asked_player, 'answers = "3:abcdef"\nfeed = ["pass"]\n')
    said = asked_player.pbem("orders")
    assert said.exit == 0
    assert "was for a different turn" in said.err
    assert "abcdef" in path.with_name(f"{path.stem}-old1.toml").read_text("utf-8")
    assert asked_player.pbem("check").exit == 0


@pytest.mark.sample(1)
@pytest.mark.parametrize(("answers", "cure"), [("3", "pbem orders"), ("99", "sync"), ("14", "new")])
def test_orders_for_another_turn_exit_3_and_say_where_the_game_is(answers, cure, asked_player):
    (asked_player.place / "old.toml").write_text(f'answers = "{answers}:abcdef"\nfeed = ["x"]\n')
    said = asked_player.pbem("check old.toml")
    assert said.exit == 3
    assert "the game is at turn 14:" in said.err
    assert cure in said.err


def test_orders_with_errors_seal_nothing_and_name_the_orders_that_still_count(asked_player):
    write_draft_text(asked_player, 'feed = ["c1 eats", "lions roar"]\n')
    with unchanged(asked_player.place):
        said = asked_player.pbem("submit")
    assert (said.exit, said.out) == (1, "")
    assert re.search(r"^2 errors: nothing was sealed; your orders [0-9a-f]{6} \(revision \d+\) "
                     r"still count$", said.err, re.MULTILINE)  # fmt: skip


@pytest.mark.sample(0)
def test_a_receipt_names_what_it_replaces(asked_player: Person) -> None:
    one, two = legal(asked_player)[0], '"* eats"'
    write_draft_text(asked_player, f"feed = [{one}]\n")
    first = re.search(
        r"SEALED here as ([0-9a-f]{6}) \(revision 1\)", asked_player.pbem("submit").out
    )
    assert first
    assert f"SEALED already as {first[1]}" in asked_player.pbem("submit").out
    write_draft_text(asked_player, f"feed = [{one}, {two}]\n")
    again = asked_player.pbem("submit").out
    assert "(revision 2)" in again
    assert f"the new orders replace all of your orders {first[1]}" in again
    write_draft_text(asked_player, "feed = 3\n")
    assert "(revision 2) still count" in asked_player.pbem("check").err


@pytest.mark.sample(0)
def test_orders_are_said_back_and_foreseen(asked_player: Person) -> None:
    write_draft_text(
        asked_player, f"feed = [{legal(asked_player)[0]}]\n[always]\nfeed = ['* eats']\n"
    )
    said = stdout_of(asked_player, "check --forecast")
    assert "  always feed: any species eats" in said
    foreseen = said.partition("if nobody else acts:\n")[2].splitlines()
    assert len(foreseen) > 1
    assert foreseen[-1].strip().startswith("then ")
    with unchanged(asked_player.place):
        data = json.loads(asked_player.pbem("check --forecast --json").out)["data"]
    assert data["forecast"] == [line.strip() for line in foreseen]


@pytest.mark.sample(2)
@pytest.mark.parametrize("mangle", [
    lambda text: text.replace("\n", "\r\n").encode(),
    lambda text: b"\xef\xbb\xbf" + text.encode(),
    lambda text: text.rstrip("\n").encode(),
    lambda text: text.replace("    ", "\t").encode(),
])  # fmt: skip
def test_order_files_are_read_however_an_editor_saved_them(mangle, asked_player):
    path = draft_path(asked_player)
    path.write_bytes(
        mangle(order_file(asked_player) + path.read_text("utf-8").partition("feed = [")[0])
    )
    said = asked_player.pbem("check --json")
    assert (said.exit, json.loads(said.out)["data"]["ok"]) == (0, True)


@pytest.mark.sample(0)
def test_lines_of_the_same_round_are_offered_again(game: Callable[[str], Round]) -> None:
    table = game("begun")
    for name in ("ann", "bo"):
        person = table.person(name)
        person.place = table.shared / "savannah"
        card = legal(person)[0]
        write_draft_text(person, f"food = [{card}]\nfeed = ['b9 attacks a9', 'a9 attacks b9']\n")
        write_draft_text(
            person, f"food = [{card}]\nfeed = ['{'a1' if name == 'ann' else 'b1'} eats']\n"
        )
        assert person.pbem("submit").exit == 0
        person.place = table.shared
    advance(table)
    bo = asked_person(table)
    bo.place = table.shared / "savannah"
    text = draft_path(bo).read_text("utf-8")
    assert "for this round still count" in text
    assert re.search(r'^    "[ab]1 eats",$', text, re.MULTILINE)
    assert "\nfood = [" not in text
    play(table, 4)


@pytest.mark.sample(0)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60), st.integers(0, 4000), st.integers(0, 40))
def test_no_bytes_end_in_a_traceback(asked_player: Person, junk: bytes, at: int, cut: int) -> None:
    path = draft_path(asked_player)
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + junk + whole[at + cut :])
    said = asked_player.pbem("check")
    assert said.exit in (0, 1, 3), said.text
    path.write_bytes(whole)


@pytest.mark.long
def test_orders_hold_so_many_lines_and_so_much_text(asked_player: Person) -> None:
    """Sealed orders have 512 places for lines, and 16,344 bytes for all of them together."""
    row = '  "* eats",\n'
    write_draft_text(asked_player, f"feed = [\n{row * 512}]\n")
    assert "PBEM-ORD-025" not in asked_player.pbem("check").text
    write_draft_text(asked_player, f"feed = [\n{row * 513}]\n")
    done = asked_player.pbem("submit")
    assert done.exit == 1
    assert "more than 512 lines" in done.text
    assert "one line with * can replace many" in done.text
    row = '  "* attacks * despite climbing and horns and swimming and ambush",\n'
    write_draft_text(asked_player, f"feed = [\n{row * 300}]\n")
    done = asked_player.pbem("submit")
    assert done.exit == 1
    assert re.search(
        r"the lines of orders have \d+ bytes together; the maximum is 16344", done.text
    )


@pytest.mark.parametrize("place", positions(), ids=str)
def test_a_draft_is_80_columns_wide_unless_one_choice_is_longer(place):
    for row in write_draft(position(*place)).splitlines():
        assert len(row) <= 80 or re.fullmatch(r' *# *"[^"]*",?', row), row


def test_a_draft_says_how_a_star_is_written_only_where_one_fits_now() -> None:
    text = write_draft(position("evolution", 1, 0))
    assert '* stands for any name, as in\n#     "* eats".' in text
    for title in ("the card for the Watering Hole", "Intelligence after feeding"):
        how = text.partition(title)[2].partition(" = [")[0]
        assert "*" not in how


def test_origin_s_first_draft_shows_a_trait_on_an_animal_that_a_line_makes() -> None:
    develop = write_draft(position("origin", 1, 0)).partition("develop = [")[2].partition("\n]")[0]
    assert "    # after a line that makes a new animal, for example:" in develop
    assert re.search(r'"[a-z /]+ on [ab]1"', develop.partition("for example:")[2])


# ---------------------------------------------------------------- nothing was written
@pytest.mark.sample(0)
def test_an_unchanged_draft_seals_nothing(ann: Person) -> None:
    """As `git commit` does with its template: no list, only the lines with which pbem begins."""
    with unchanged(ann.place):
        said = ann.pbem("submit --edit", EDITOR="true")
    assert (said.exit, said.out) == (1, "")
    assert said.err == (
        "error: you changed no line of the draft, so nothing was sealed; "
        "you have no sealed orders yet\n"
        "  try: to seal the draft as it is: pbem submit\n"
    )
    remark = "sed -i 1s/^/#_/"  # a comment is no order
    with unchanged(ann.place):
        assert ann.pbem("submit --edit", EDITOR=remark).exit == 1
    assert "SEALED here" in ann.pbem("submit").out
    with unchanged(ann.place):
        said = ann.pbem("submit --edit", EDITOR="true")
    assert said.exit == 1
    assert re.search(r"nothing was sealed; your orders \w{6} \(revision 1\) still count", said.err)


@pytest.mark.sample(0)
def test_lines_of_your_own_are_sealed_without_another_change(asked_player: Person) -> None:
    write_draft_text(asked_player, f"feed = [{legal(asked_player)[0]}]\n")
    with unchanged(asked_player.place / "press"):
        assert "SEALED here" in asked_player.pbem("submit --edit", EDITOR="true").out
    with unchanged(asked_player.place):
        said = asked_player.pbem("submit --edit", EDITOR="true")
    assert (said.exit, "SEALED already" in said.out) == (0, True)


def test_whoever_goes_back_to_the_first_draft_seals_it(ann: Person) -> None:
    path = draft_path(ann)
    first = path.with_name("first.txt")
    first.write_text(path.read_text("utf-8"), "utf-8")
    card = legal(ann)[0]
    write_draft_text(ann, f"food = [{card}]\n")
    assert "revision 1" in ann.pbem("submit").out
    said = ann.pbem("submit --edit", EDITOR=f"cp {first}")
    assert (said.exit, "revision 2" in said.out) == (0, True), said.text


# ---------------------------------------------------------------- a card of nobody's hand
def other_card(person: Person) -> str:
    """A printed card that is not in the hand."""
    held = " ".join(legal(person))
    return next(card for card in ("horns 3", "horns 4", "fertile 5") if card not in held)


def test_a_card_that_is_not_in_the_hand_cannot_be_sealed(ann: Person) -> None:
    """By a file, a draft, a pipe, at the page; a standing order may name what comes later."""
    card = other_card(ann)
    first = legal(ann)[0]
    told = f'error[PBEM-ORD-035]: "{card}": {card} is not in your hand'
    lines = f'food = [{first}, "{card}"]\n'
    (ann.place / "mine.toml").write_text(lines, "utf-8")
    with unchanged(ann.place):
        for typed in ("check -", "submit -", "check mine.toml", "submit mine.toml"):
            said = ann.pbem(typed, lines if typed.endswith("-") else "")
            assert (said.exit, told in said.err, "SEALED" in said.text) == (1, True, False), said
            assert f"legal here: {first}" in said.err or first in said.err
        write_draft_text(ann, lines)
        assert (ann.pbem("submit").exit, ann.pbem("check").exit) == (1, 1)
        data = json.loads(ann.pbem("check --json").out)["data"]
        assert [note["code"] for note in data["notes"]] == ["PBEM-ORD-035"]
    write_draft_text(ann, f'food = [{first}]\n[always]\nfood = ["{card}"]\n')
    assert ann.pbem("submit").exit == 0


def test_the_page_seals_no_card_that_is_not_in_the_hand(ann: Person) -> None:
    card = other_card(ann)
    write_draft_text(ann, f'food = ["{card}"]\n')
    asking = Asking(ann.home, ann.place)
    assert asking.enter().status == 200
    path = re.search(r"/game/\w+", asking.get("/").text)
    assert path
    plan = asking.get(f"{path[0]}/plan").text
    assert f"{card} is not in your hand" in plan
    mark = re.search(r'data-mark="(\w+)"', plan)
    assert mark
    with unchanged(ann.place):
        said = asking.post(f"{path[0]}/seal", json.dumps({"mark": mark[1]}).encode(),
                           x_pbem_part="1")  # fmt: skip
    assert "SEALED" not in said.text
