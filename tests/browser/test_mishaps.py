"""What goes wrong while somebody plans: nothing is lost, and the page says plainly what it is."""

import shutil

import pytest

from tests.browser.looking import NOISE, Looking
from tests.kit import people
from tests.kit.browser import Table, in_both_at_length
from tests.kit.browser_players import (
    CLOCK,
    Mouse,
    Player,
    begin_game,
    bot_plays,
    make_turn,
    status_of_game,
)
from tests.kit.people import Round


@pytest.fixture
def planning(sit_down, page, tmp_path):
    """Ann at her table, with one line in her plan."""
    table = Round(tmp_path)
    ann = begin_game(table, "evolution")
    page.server = sit_down(ann, "-C savannah", **CLOCK)  # what serves the page
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.answer()
    player.table, player.ann = table, ann
    return player


def code_lines(page) -> list[str]:
    return page.locator(".lines code").all_inner_texts()


def write_own_line(player: Player, kind: str, text: str) -> None:
    form = f".kind form.own[data-kind={kind}][data-always='']"
    for summary in ("details[data-keep=later]", f"details.more:has(form.own[data-kind={kind}])"):
        player.page.locator(summary).first.evaluate("one => { one.open = true }")
    player.page.fill(f"{form} input", text)
    with player.changed():
        player.page.press(f"{form} input", "Enter")


def test_an_illegal_order_shows_the_reason_of_the_rules_beside_it(planning):
    card = planning.page.locator(".hand [data-thing]").nth(1).get_attribute("data-thing")
    write_own_line(planning, "play", f"{card} on b1")
    bad = planning.page.locator(".lines[data-kind=play] li.bad")
    said = planning.ann.pbem("check -C savannah").text
    (reason,) = (line.partition("]: ")[2] for line in said.splitlines() if "error[" in line)
    assert reason in bad.locator(".error").inner_text()
    assert planning.page.locator("#send").is_disabled()
    with planning.changed():
        bad.locator("[data-do=remove]").click()
    assert planning.page.locator("#send").is_enabled()


HOLD_CHANGES = """() => {
  const { fetch } = window;
  const held = new Promise((go) => { window.makeChanges = go; });
  window.fetch = async (path, options) => {
    if (options?.method === "POST") await held;
    return fetch(path, options);
  };
}"""
"""The table makes no change of the plan until `makeChanges` is called."""
MAKE_CHANGES = "() => makeChanges()"


@in_both_at_length
def test_a_click_while_a_change_is_under_way_is_not_lost(planning):
    page = planning.page
    page.locator("details[data-keep=later]").evaluate("one => { one.open = true }")
    page.locator("details[data-keep=offers-play]").evaluate("one => { one.open = true }")
    offers = page.locator(".offers .offer[data-kind=play]")
    texts = [one.get_attribute("data-text") for one in offers.all()]
    cards = list(dict.fromkeys(text.partition(":")[0] for text in texts if text.endswith(" body")))
    page.evaluate(HOLD_CHANGES)
    for card in cards[:2]:  # two clicks while the first is not made yet
        page.locator(f".offers .offer[data-kind=play][data-text^='{card}:']").last.click()
    assert page.locator(".plan[aria-busy=true]").count() == 1
    page.evaluate(MAKE_CHANGES)
    page.locator(".lines[data-kind=play] > li").nth(1).wait_for()
    page.wait_for_selector(".plan:not([aria-busy])")
    said = " ".join(in_order(planning)).replace("_", " ")
    assert said.index(f"play: {cards[0]}:") < said.index(f"play: {cards[1]}:")
    page.evaluate(HOLD_CHANGES)
    for line in page.locator(".lines[data-kind=play] [data-do=remove]").all()[:2]:
        line.click(no_wait_after=True)
    page.evaluate(MAKE_CHANGES)
    page.wait_for_selector(".plan:not([aria-busy])")
    assert in_order(planning) == []


@in_both_at_length
def test_words_that_are_no_order_are_named_beside_the_line(planning):
    write_own_line(planning, "play", "burn the <b>savannah</b>")
    bad = planning.page.locator(".lines[data-kind=play] li.bad")
    assert "is not an order that this game understands" in bad.inner_text()
    assert "burn the <b>savannah</b>" in bad.inner_text()


def in_order(player: Player) -> list[str]:
    return player.page.locator(".lines[data-kind=play] code").all_inner_texts()


@in_both_at_length
def test_lines_of_orders_are_sorted_by_dragging_and_by_keys(planning):
    page = planning.page
    page.locator("details[data-keep=later]").evaluate("one => { one.open = true }")
    page.locator("details[data-keep=offers-play]").evaluate("one => { one.open = true }")
    for _ in range(2):
        with planning.changed():
            page.locator(".offers .offer[data-kind=play]:has-text('for')").first.click()
    one, two = in_order(planning)
    first, second = (page.locator(".lines[data-kind=play] > li").nth(n) for n in (0, 1))
    with planning.changed():
        second.locator(".grip").drag_to(first)
    assert in_order(planning) == [two, one]
    first.locator("[data-do=down]").focus()
    with planning.changed():
        page.keyboard.press("Alt+ArrowDown")
    assert in_order(planning) == [one, two]
    with planning.changed():
        page.keyboard.press("Enter")  # the focus went with the line, and is on its arrow
    assert in_order(planning) == [two, one]


@in_both_at_length
def test_pressing_question_mark_explains_the_card_that_has_the_focus(planning):
    page = planning.page
    card = page.locator(".hand .thing").first
    card.focus()
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] h2")
    name = card.get_attribute("data-thing").rpartition(" ")[0].replace("_", " ")
    assert name.lower() in page.locator("#dialog").inner_text().lower()


@in_both_at_length
def test_reloading_and_going_back_keep_the_planned_orders(planning):
    page, before = planning.page, code_lines(planning.page)
    assert before
    page.reload()
    planning.settle()
    assert code_lines(page) == before
    page.click("text=History")
    page.wait_for_selector("#step")
    page.go_back()
    planning.settle()
    assert code_lines(page) == before


def test_two_tabs_do_not_overwrite_each_others_plan(planning):
    page = planning.page
    other = page.context.new_page()
    other.goto(page.url)
    two = Player(other, Mouse(other))
    two.settle()
    with two.changed():
        other.click(".lines[data-kind=food] [data-do=remove]")
    with planning.changed():
        page.click(".lines[data-kind=food] [data-do=remove]")
    assert "was changed in another window" in page.locator(".plan [role=alert]").inner_text()
    assert code_lines(page) == code_lines(other)
    page.said.clear()  # the browser itself notes the answer 409


def test_what_an_editor_changed_is_not_sent_unseen(planning):
    page = planning.page
    (draft,) = planning.ann.home.rglob("drafts/*.toml")
    draft.write_text(draft.read_text("utf-8") + "# more\n", "utf-8")
    page.click("#send")
    page.wait_for_selector("#dialog .error")
    assert "was changed in another window" in page.locator("#dialog").inner_text()
    assert not list((planning.table.shared / "savannah/orders").glob("*-a-*"))
    page.said.clear()


@in_both_at_length
def test_a_turn_that_arrives_is_shown_and_the_draft_is_kept(planning):
    page, before = planning.page, code_lines(planning.page)
    for seat, name in zip("ab", ("ann", "bo"), strict=True):
        bot_plays(planning.table.person(name), seat)
    make_turn(planning.table)
    drafts = [*planning.ann.home.rglob("drafts/0001-a.toml")]  # a tab keeps it in the browser
    page.wait_for_selector("h1:has-text('Turn 2')")  # by itself
    for draft in drafts:
        kept = draft.read_text("utf-8")
        assert all(line.partition(": ")[2].strip("[]") in kept for line in before)
    assert len(drafts) == isinstance(page.server, Table)


def test_the_page_says_that_the_folder_is_gone_and_goes_on_when_it_is_back(planning):
    page, folder = planning.page, planning.table.shared / "savannah"
    before = code_lines(page)
    drafts = {path: path.read_bytes() for path in planning.ann.home.rglob("drafts/*.toml")}
    shutil.move(folder, planning.table.root / "away")
    page.reload()
    told = page.locator("main").inner_text()
    assert "this game's folder cannot be found" in told
    assert "nothing is lost" in told
    assert {path: path.read_bytes() for path in drafts} == drafts != {}
    shutil.move(planning.table.root / "away", folder)
    page.reload()
    planning.settle()
    assert code_lines(page) == before
    page.said.clear()


def test_a_killed_pbem_table_loses_nothing(planning, sit_down):
    page, before = planning.page, code_lines(planning.page)
    page.server.kill()
    page.click(".lines[data-kind=food] [data-do=remove]")
    page.wait_for_selector("#banner p")
    assert "Nothing is lost" in page.locator("#banner").inner_text()
    sit_down(planning.ann, "-C savannah", **CLOCK)
    page.click("a.game-title")
    planning.settle()
    assert code_lines(page) == before
    page.said.clear()


def test_ctrl_c_ends_pbem_table_with_a_sentence(planning):
    said = planning.page.server.close()
    assert "pbem table has stopped; drafts and sealed orders are kept" in said
    assert planning.page.server.process.returncode == 0
    planning.page.said.clear()


NOTE_MISSED = """() => {
  const { fetch } = window;
  window.fetch = async (path, options) => {
    const answer = await fetch(path, options);
    if (String(path).includes("/missed")) document.body.dataset.noted = "1";
    return answer;
  };
}"""
"""The page says when the table has noted that the missed deadline was read about."""


@in_both_at_length
def test_the_page_tells_a_player_of_a_missed_deadline_once(sit_down, page, tmp_path):
    table = Round(tmp_path)
    ann = begin_game(table, "evolution", "--deadline 24h")
    sit_down(ann, "-C savannah", **CLOCK)
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.settle()
    assert page.locator("#missed").count() == 0
    page.click("a.home")
    page.wait_for_selector("h1:has-text('All my games')")
    bot_plays(table.person("bo"), "b")
    after_the_deadline = people.NOW + 25 * 3600
    rhea = table.person("rhea")
    assert rhea.pbem(f"advance -C savannah --now {after_the_deadline}").exit == 0
    assert status_of_game(ann)["turn"] == 2
    page.click("a.game-title")
    page.wait_for_selector("#missed[open]")
    told = page.locator("#missed").inner_text()
    assert told.startswith("While you were away")
    assert "You missed the deadline for" in told
    assert "by default" in told
    assert page.evaluate("document.activeElement.textContent") == "Go on"
    Looking(page, "missed").axe("the sheet")
    page.evaluate(NOTE_MISSED)
    page.click("#missed .close")
    page.wait_for_selector("#missed", state="detached")
    page.wait_for_selector("body[data-noted]")
    page.reload()
    player.settle()
    assert page.locator("#missed").count() == 0, "once"
    page.said[:] = [said for said in page.said if NOISE not in said]  # a reload cuts requests off
