"""A click and a command give the same bytes: drafts, sealed orders, turns, bundles."""

import re
from pathlib import Path

from tests.kit.browser_players import (
    CLOCK,
    Mouse,
    Player,
    at_the_board,
    begin_game,
    bot_plays,
    make_turn,
)
from tests.kit.named_games import invite, made
from tests.kit.people import Person, Round


def orders_of(table: Round) -> dict[str, bytes]:
    folder = table.shared / "savannah/orders"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def only_draft(person: Person) -> Path:
    (path,) = person.home.rglob("drafts/*.toml")
    return path


def test_orders_sealed_by_clicks_are_those_that_the_command_seals(sit_down, page, tmp_path):
    clicks, typed = Round(tmp_path / "clicks"), Round(tmp_path / "typed")
    ann, other = begin_game(clicks, "evolution"), begin_game(typed, "evolution")
    sit_down(ann, "-C savannah", **CLOCK)
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.answer()
    player.seal()
    lines = only_draft(ann).read_text("utf-8")
    other.pbem("submit -C savannah -", stdin=lines).checked(0)
    assert orders_of(clicks) == orders_of(typed) != {}


def test_a_draft_is_continued_by_the_command_and_at_the_page(sit_down, page, tmp_path):
    table = Round(tmp_path)
    ann = begin_game(table, "evolution")
    assert ann.pbem("orders -C savannah").exit == 0
    typed = "# mine\n" + only_draft(ann).read_text("utf-8")
    written = re.sub(r"^food = \[", 'food = [ "burrowing 4",', typed, flags=re.MULTILINE)
    only_draft(ann).write_text(written, "utf-8")
    player = at_the_board(sit_down, page, ann)
    assert page.locator(".lines[data-kind=food] code").inner_text() == "food: [burrowing 4]"
    with player.changed():
        page.click(".lines[data-kind=food] [data-do=remove]")
    player.answer()
    after = only_draft(ann).read_text("utf-8")
    assert "# mine" in after
    comments = [line for line in typed.splitlines() if line.strip().startswith("#")]
    assert [line for line in after.splitlines() if line.strip().startswith("#")] == comments
    assert ann.pbem("check -C savannah").exit == 0
    assert ann.pbem("submit -C savannah").exit == 0


def test_the_bundle_that_the_page_saves_is_what_send_prints(sit_down, page, tmp_path):
    table = Round(tmp_path)
    ann = begin_game(table, "evolution")
    bot_plays(ann, "a")
    printed = ann.pbem("send -C savannah --paste").out
    sit_down(ann, "-C savannah", **CLOCK)
    page.click("a.game-title")
    page.click("text=Mail")
    with page.expect_download() as saved:
        page.click("[data-save]")
    assert Path(saved.value.path()).read_text("utf-8") == printed
    assert saved.value.suggested_filename.endswith(".pbem")


def test_a_mail_file_given_to_the_page_is_received_as_by_the_command(sit_down, page, tmp_path):
    table = Round(tmp_path)
    begin_game(table, "evolution")
    bundle = table.person("rhea").pbem("send -C savannah --to a --all --paste").out
    eve, mail = table.person("eve"), tmp_path / "mail.eml"
    mail.write_text(f"Hello Eve,\n\n{bundle}\n", "utf-8")
    eve.place = tmp_path / "eve"
    eve.place.mkdir()
    sit_down(eve, HOME=str(eve.place), **CLOCK)
    page.set_input_files("#file", mail)
    page.wait_for_selector("#came .good")
    assert "savannah: new:" in page.locator("#came").inner_text()
    received = {path.name: path.read_bytes() for path in (eve.place / "savannah/turns").iterdir()}
    sent = {path.name: path.read_bytes() for path in (table.shared / "savannah/turns").iterdir()}
    assert received == sent != {}
    page.click("#came a")
    page.wait_for_selector(".board .place")


def test_an_invite_typed_at_the_page_joins_as_the_command_does_in_a_browser(
    sit_down, page, tmp_path
):
    clicks, typed = Round(tmp_path / "clicks"), Round(tmp_path / "typed")
    for table in (clicks, typed):
        made(table)
    typed.person("ann").pbem(["join", "-C", "savannah", "--invite", invite(typed, "a")]).checked(0)
    sit_down(clicks.person("ann"), "-C savannah", **CLOCK)
    page.click("a.game-title")
    page.fill("input[name=invite]", f"pbem join --invite {invite(clicks, 'a')}")
    page.click("form[data-send$='/join'] button")
    page.wait_for_selector("form[data-send$='/join'] .good")
    joins = [table.shared / "savannah/seats" for table in (clicks, typed)]
    one, two = ({path.name: path.read_bytes() for path in seats.iterdir()} for seats in joins)
    assert one == two != {}


def test_a_turn_made_at_the_page_is_the_turn_of_the_command(sit_down, page, tmp_path):
    clicks, typed = Round(tmp_path / "clicks"), Round(tmp_path / "typed")
    for table in (clicks, typed):
        begin_game(table, "evolution")
        for seat, name in zip("ab", ("ann", "bo"), strict=True):
            bot_plays(table.person(name), seat)
    make_turn(typed)
    sit_down(clicks.person("rhea"), "-C savannah", **CLOCK)
    assert "Make the next turn" in page.locator(".game-row").inner_text()
    page.click("a.game-title")
    page.click("button[data-advance]")
    page.wait_for_selector("#made > *")
    assert page.locator("#made").inner_text().startswith("Turn 2 is made")
    turns = [table.shared / "savannah/turns/0002.toml" for table in (clicks, typed)]
    assert turns[0].read_bytes() == turns[1].read_bytes()
