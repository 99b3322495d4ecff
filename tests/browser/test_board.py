"""The board: what is mine comes first, and it answers to what I plan."""

import re
from pathlib import Path

import pytest

from engine import Piece
from games.registry import ruleset
from pbem.drawing.pieces_and_cards_in_html import piece_html
from pbem.drawing.table import icons_of
from tests.browser.looking import Looking
from tests.kit.browser import in_both_at_length
from tests.kit.browser_players import (
    CLOCK,
    Keys,
    Mouse,
    Player,
    against_bots,
    at_the_board,
    begin_game,
    bot_plays,
    drag,
    make_turn,
    others_play,
    status_of_game,
)
from tests.kit.people import Person, Round
from tests.kit.processes import until

WIDE, PHONE = (1280, 900), (390, 844)
CARDS, PIECES = 12, 5


FILL = """([cards, pieces, html]) => {
  const [hand, row] = ["hand", "pieces"].map((one) => document.querySelector(`.mine .${one}`));
  while (hand.children.length < cards) hand.append(hand.lastElementChild.cloneNode(true));
  row.lastElementChild.querySelector(".pb-one").outerHTML = html;
  row.prepend(row.lastElementChild);
  while (row.children.length < pieces) row.append(row.firstElementChild.cloneNode(true));
  return [document.documentElement.scrollWidth, ...[...hand.children, ...row.children].map(
    (one) => one.getBoundingClientRect().bottom)];
}"""


@pytest.mark.parametrize(
    ("game", "players"), [("evolution", 2), ("evolution", 4), ("evolution", 6), ("climate", 4)]
)
def test_your_own_cards_and_pieces_are_seen_without_scrolling(
    game, players, sit_down, page, tmp_path
):
    """Twelve cards (on a phone eight, in its foot) and five species with three traits are put into
    the page."""
    player = at_the_board(sit_down, page, against_bots(Round(tmp_path), game, players, "play"))
    facts = (("body", "3"), ("population", "4"), ("food", "0"))
    cards = ("horns 4", "defensive_herding 3", "carnivore -2")
    html = piece_html(Piece("a9", facts, cards), icons_of(ruleset("evolution")))
    for width, height in (WIDE, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        page.wait_for_selector(".mine .hand button.lit")
        player.settle()
        count = CARDS if width == WIDE[0] else 8
        wide, *bottoms = page.evaluate(FILL, [count, PIECES, html])
        assert len(bottoms) == count + PIECES
        if width == WIDE[0]:
            assert (wide, max(bottoms) <= height) == (width, True), (width, bottoms)
        else:
            assert (wide, max(bottoms[:count]) <= height) == (width, True), (width, bottoms)
            numbers = page.locator(".mine .pieces [data-fact=food]").first.bounding_box()
            assert numbers["y"] <= page.locator(".mine .hand").bounding_box()["y"], "of a species"
        track = page.locator("[data-fact=climate]")
        assert track.count() == (game == "climate")
        if game == "climate":
            tops_of = (page.locator(one).bounding_box()["y"] for one in (".tracks", ".place.mine"))
            assert sorted(tops := [*tops_of]) == tops, "one looks for it above one's own place"
        tops = {
            name: page.locator(selector).first.bounding_box()["y"]
            for name, selector in (
                ("happened", "#happened"), ("asked", "#plan h2"), ("hand", ".mine .hand"),
                ("species", ".mine .pieces"), ("others", ".places"),
            )
        }  # fmt: skip
        order = ["happened", "hand", "species", "others"]
        if width == PHONE[0]:
            order = ["happened", "species", "hand", "asked"]
        assert sorted(order, key=tops.__getitem__) == order
        last = page.locator(".mine .hand > li").last
        last.scroll_into_view_if_needed()
        assert last.bounding_box()["x"] + last.bounding_box()["width"] <= width


@in_both_at_length
def test_the_heading_and_the_hint_change_with_what_the_player_does(sit_down, page, tmp_path):
    sit_down(begin_game(Round(tmp_path), "evolution"), "-C savannah", **CLOCK)
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.settle()
    assert page.locator("h1").inner_text().startswith("Your move")
    hint = page.locator(".hint-line")
    assert hint.inner_text() == "Tap a green frame; hold it to read."
    assert page.locator(".hand .lit:not(.ahead)").count()
    player.answer()
    assert hint.inner_text() == "Send it, or first add: cards to play."
    assert not page.locator(".hand .lit:not(.ahead)").count(), "nothing waits for a card any more"
    player.seal()
    page.wait_for_selector("h1:has-text('Waiting for Bo')")
    page.wait_for_selector(".hint-line:has-text('Sent. Waiting for Bo.')")
    used_card = page.locator(".hand .used").first.get_attribute("data-thing")
    # it may look unused for a moment, while the page renews itself
    page.locator(f'.hand button.thing:not([data-thing="{used_card}"])').first.click()
    with player.changed():
        page.click("#sheet .target")
    page.wait_for_selector(".hint-line:has-text('Changed. Send it again.')")


def test_on_a_phone_the_panel_of_orders_opens_and_closes(sit_down, page, tmp_path):
    page.set_viewport_size(dict(zip(("width", "height"), PHONE, strict=True)))
    at_the_board(sit_down, page, begin_game(Round(tmp_path), "evolution"))
    panel, summary = page.locator(".orders-in"), ".orders > summary"
    bar = page.locator(".plan-top").bounding_box()
    assert panel.is_hidden()
    page.click(summary)
    assert panel.is_visible()
    assert page.locator(".plan-top").bounding_box() == bar
    page.mouse.click(200, 55)  # the table above it
    assert panel.is_hidden()
    page.click(summary)
    page.keyboard.press("Escape")
    assert panel.is_hidden()
    assert page.evaluate("document.activeElement.matches('.orders > summary')")


def test_a_player_folded_on_the_board_stays_folded(sit_down, page, tmp_path):
    at_the_board(sit_down, page, against_bots(Round(tmp_path), "evolution", 3, "play"))
    folded = page.locator("details.lies:not([open])")
    page.locator(".lies > summary").first.click()
    assert folded.count() == 1
    page.reload()
    page.wait_for_selector("details.lies:not([open])", state="attached")
    assert folded.count() == 1


LABELS = """all => all.map((one) =>
  one.textContent.replaceAll("face down", "").replaceAll(/\\s+/g, " ").trim())"""


@pytest.fixture
def ann_choosing_cards(sit_down, page, tmp_path) -> Player:
    """Ann, who is asked which cards she plays."""
    table = Round(tmp_path)
    ann = begin_game(table, "evolution")
    while "play" not in status_of_game(ann)["seats"]["a"]["asked"]:
        others_play(table)
        if status_of_game(ann)["seats"]["a"]["asked"]:
            bot_plays(ann, "a", whole=False)
        make_turn(table)
    page.server = sit_down(ann, "-C savannah", **CLOCK)
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.settle()
    player.table = table
    return player


@in_both_at_length
def test_planned_cards_are_drawn_on_the_board_as_the_turn_will_place_them(ann_choosing_cards):
    page, hand = ann_choosing_cards.page, ann_choosing_cards.page.locator(".mine .hand button")
    cards = hand.count()
    assert page.locator("button.thing.used, button.thing.new").count() == 0
    page.locator(".mine .hand .lit").first.click()
    with ann_choosing_cards.changed():
        page.click("#sheet .target[data-text*='on the right']")
    new = page.locator(".mine .pieces button.new")
    assert (new.count(), new.get_attribute("data-thing")) == (1, "a2")
    assert (hand.count(), page.locator(".mine .hand button.used").count()) == (cards, 1)
    drag(page, ".mine .hand .lit", ".mine .pieces button.new")
    with ann_choosing_cards.changed():
        page.click("#sheet .target[data-text$=' on a2']")
    page.locator(".mine .hand .lit").first.click()
    with ann_choosing_cards.changed():
        page.click("#sheet .target[data-text$='a1 body']")
    assert page.locator(".mine .hand button.used").count() == 3
    drawn = page.locator(".mine .pieces .pb-one").evaluate_all(LABELS)
    assert drawn[0].startswith("a1 body 2")
    page.reload()
    ann_choosing_cards.settle()
    assert page.locator(".mine .pieces .pb-one").evaluate_all(LABELS) == drawn, "nothing is lost"
    ann_choosing_cards.seal()
    others_play(ann_choosing_cards.table)
    turn = status_of_game(ann_choosing_cards.table.person("ann"))["turn"]
    # a tab delivers what was sealed a little later, and hears of the turn a little later
    until(
        lambda: (
            make_turn(ann_choosing_cards.table)
            and status_of_game(ann_choosing_cards.table.person("ann"))["turn"] > turn
        )
    )
    page.wait_for_selector(f"h1:has-text('Turn {turn + 1},')")  # by itself
    ann_choosing_cards.settle()
    assert page.locator(".mine .pieces .pb-one").evaluate_all(LABELS) == drawn
    assert page.locator("button.used, button.new").count() == 0


def test_a_card_that_is_dropped_beside_the_pieces_is_not_played(ann_choosing_cards):
    page = ann_choosing_cards.page
    drag(page, ".mine .hand .lit", "h1")
    assert page.locator(".ghost").count() == 0
    assert page.locator(".lines li").count() == 0
    assert page.locator(".picked").count() == 0


def test_a_late_answer_from_before_a_choice_does_not_undo_the_choice(ann_choosing_cards):
    """The others' orders make the page ask for itself; the answer comes after Ann's next choice."""
    page, late_answers = ann_choosing_cards.page, []

    def hold_the_first(route) -> None:
        answer = route.fetch()
        if late_answers or "regions" not in answer.json():
            return route.fulfill(response=answer)
        return late_answers.append((route, answer))

    def has_regions(answer) -> bool:
        return "/live?" in answer.url and "regions" in answer.json()

    page.route("**/live?*", hold_the_first)
    others_play(ann_choosing_cards.table)
    until(lambda: page.wait_for_timeout(100) or late_answers)
    page.locator(".mine .hand .lit").first.click()
    with ann_choosing_cards.changed():
        page.click("#sheet .target[data-text*='on the right']")
    route, answer = late_answers[0]
    with page.expect_response(has_regions):
        route.fulfill(response=answer)
    # the page asks once more, and is renewed with the choice
    page.wait_for_selector(".place:not(.mine) .flag.state:not(:has-text('choosing'))")
    assert page.locator(".lines li").count() == 1
    page.unroute_all(behavior="wait")  # a later answer would end in the next test
    assert "Sent." in ann_choosing_cards.seal()


def test_news_renew_only_the_parts_of_the_page_that_changed(ann_choosing_cards):
    """Bo answers: the chip beside his name changes, and nobody who reads or aims is disturbed."""
    page, table = ann_choosing_cards.page, ann_choosing_cards.table
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.getElementById('happened').dataset.mine = '1'; scrollTo(0, 120)")
    card = page.locator(".mine .hand .lit").nth(1)
    card.focus()
    name = card.get_attribute("data-thing")
    chip = page.locator(".place:not(.mine) .flag.state").first
    label = chip.inner_text()
    assert label.endswith("choosing")
    top = page.evaluate("scrollY")
    others_play(table)
    until(lambda: page.wait_for_timeout(100) or chip.inner_text() != label)
    assert page.evaluate("document.activeElement.dataset.thing") == name
    assert page.evaluate("scrollY") == top
    assert page.locator("#happened[data-mine]").count() == 1, "this region did not change"
    card.click()
    page.wait_for_selector("#sheet[open]")
    bot_plays(table.person("ann"), "a", whole=False)
    make_turn(table)
    page.wait_for_timeout(2500)
    assert page.locator("#sheet[open]").count() == 1, "an open sheet stays, and what lies below it"
    assert page.locator("#happened[data-mine]").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_selector("#happened:not([data-mine])", state="attached")


def lines_to_play(page) -> list[str]:
    return page.locator(".lines[data-kind=play] .says").all_inner_texts()


@in_both_at_length
def test_each_kind_of_click_on_the_board_can_be_undone(ann_choosing_cards):
    page, hint = ann_choosing_cards.page, ann_choosing_cards.page.locator(".hint-line")
    used = page.locator(".mine .hand button.used")
    page.locator(".mine .hand .lit").first.click()
    page.click("#sheet >> text=Back")
    assert (page.locator("#sheet[open]").count(), page.locator("#undo").count()) == (0, 0)
    page.locator(".mine .hand .lit").first.click()
    with ann_choosing_cards.changed():
        page.click("#sheet .target[data-text*='on the right']")
    page.locator(".mine .hand .lit").first.click()
    with ann_choosing_cards.changed():
        page.click("#sheet .target[data-text$=' body']")
    both = lines_to_play(page)
    assert (len(both), used.count()) == (2, 2)
    assert hint.inner_text() == "Tap the next card or piece, or press Done."
    with ann_choosing_cards.changed():
        page.click(".acts .end")
    assert len(lines_to_play(page)) == 3
    assert page.locator(".acts .end").count() == 0
    assert hint.inner_text().startswith("Send it, or first add: ")
    with ann_choosing_cards.changed():
        page.click("#undo")
    assert lines_to_play(page) == both
    with ann_choosing_cards.changed():
        page.click("#anew")
    assert (lines_to_play(page), used.count()) == ([], 0)
    with ann_choosing_cards.changed():
        page.click("#undo")
    assert lines_to_play(page) == both
    page.reload()
    ann_choosing_cards.settle()
    assert lines_to_play(page) == both
    used = page.locator(".mine .hand button.used")
    with ann_choosing_cards.changed():
        page.locator(".lines[data-kind=play] [data-do=remove]").last.click()
    assert (lines_to_play(page), used.count()) == (both[:1], 1)
    with ann_choosing_cards.changed():
        page.keyboard.press("Control+z")
    assert (lines_to_play(page), used.count()) == (both, 2)
    for left in (both[:1], []):
        with ann_choosing_cards.changed():
            page.click("#undo")
        assert lines_to_play(page) == left
    assert page.locator("#undo").count() == 0


def drafts_of(person: Person) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in person.home.rglob("drafts/*.toml")}


def test_leaving_the_page_at_once_after_a_click_loses_nothing(ann_choosing_cards):
    page, ann = ann_choosing_cards.page, ann_choosing_cards.table.person("ann")
    old_drafts = drafts_of(ann)
    page.locator(".mine .hand .lit").first.click()
    page.click("#sheet .target[data-text*='on the right']")
    page.goto("about:blank")
    until(lambda: drafts_of(ann) != old_drafts)
    page.go_back()
    ann_choosing_cards.settle()
    assert len(lines_to_play(page)) == 1


TWO_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


def test_cards_and_pieces_say_what_they_do(ann_choosing_cards):
    page, tip = ann_choosing_cards.page, ann_choosing_cards.page.locator("#tip")
    card, piece = (page.locator(f".mine .{one} button").first for one in ("hand", "pieces"))
    card.hover()
    page.wait_for_selector("#tip:not([hidden]) .uses")
    assert "You can play it now." in tip.inner_text()
    assert card.get_attribute("data-thing").rpartition(" ")[0].replace("_", " ") in tip.inner_text()
    Looking(page, "tip").axe("a tip")
    page.locator("h1").hover()
    tip.wait_for(state="hidden")
    Keys(page).reach(".mine .pieces button")
    page.wait_for_selector("#tip:not([hidden])")
    assert re.search(r"a1 \(Ann\)\s+body .*\s+It lacks 1 food\.\s+", tip.inner_text())
    assert "can attack it" in tip.inner_text()
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    piece.click()
    page.wait_for_selector("#sheet:has-text('It lacks 1 food.')")
    page.keyboard.press("Escape")
    others = page.locator(".lies .piece").first
    others.scroll_into_view_if_needed()
    page.evaluate(TWO_FRAMES)  # a scroll that is still going on would hide the tip again
    others.hover()
    page.wait_for_selector("#tip:has-text('b1 (Bo)')")
    others.click()
    page.wait_for_selector("#sheet .sheet-text:has-text('population 1')")
    assert page.locator("#sheet .target").count() == 0


def test_a_card_says_why_it_cannot_be_played(sit_down, page, tmp_path):
    ann = against_bots(Round(tmp_path), "evolution", 2, "food")
    player = at_the_board(sit_down, page, ann)
    player.answer()
    player.seal()
    ann.pbem("advance -C savannah")
    page.reload()
    player.settle()
    card = page.locator(".mine .hand button.lit").first
    name = card.get_attribute("data-thing")
    for _ in range(2):  # the trait is on the species then
        card = page.locator(f'.mine .hand button[data-thing="{name}"]').first
        if page.locator(".mine .used").count():
            break
        card.click()
        with player.changed():
            page.click("#sheet .target[data-text$=' on a1']")
    card.scroll_into_view_if_needed()
    page.evaluate(TWO_FRAMES)  # a scroll that is still going on would hide the tip again
    card.hover()
    page.wait_for_selector("#tip:not([hidden]) .uses")
    assert "You cannot play it now: " in page.locator("#tip .uses").inner_text()
