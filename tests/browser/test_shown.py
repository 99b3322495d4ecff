"""Since you last looked: the player on the table's board, by mouse and by keyboard."""

import pytest

from tests.browser.looking import SHIFTS, Looking
from tests.kit.browser import in_both, in_both_at_length
from tests.kit.browser_players import (
    CLOCK,
    Finger,
    Player,
    begin_game,
    bot_plays,
    make_turn,
    others_play,
    slider_step,
    status_of_game,
    stop_clock,
)
from tests.kit.people import Round


@pytest.fixture
def table_with_eaters(page, sit_down, game):
    """Ann's table in the middle of a game, when something has eaten; motion is reduced, so nothing
    starts by itself."""
    table = game("middle")
    ann = table.person("ann")
    while " eats" not in ann.pbem("since -C savannah").out:
        others_play(table)
        if status_of_game(ann)["seats"]["a"]["asked"]:
            bot_plays(ann, "a", whole=False)
        make_turn(table)
    sit_down(ann, "-C savannah", **CLOCK)
    page.emulate_media(reduced_motion="reduce")
    page.click("a.game-title")
    page.click("#show-me")
    page.wait_for_selector("#said .first")
    return page


@in_both
def test_the_steps_of_the_news_are_shown_on_the_board_by_keys(table_with_eaters):
    page = table_with_eaters
    assert page.locator("#board").is_hidden()
    assert page.locator("#happened").is_visible()
    assert page.inner_text("#said .first") == "The table before these turns"
    page.wait_for_timeout(1500)
    assert slider_step(page) == 0, "whoever wants no motion steps by hand"
    last = int(page.get_attribute("#slider", "max"))
    told = []
    for at in range(1, last):
        page.keyboard.press("ArrowRight")
        assert slider_step(page) == at
        told += page.locator("#said p:not(.where):not(.counts)").all_inner_texts()
        if "eats" in told[-1]:
            assert "watering hole" in page.inner_text("#said .counts")
            assert page.locator("#showing .place.does [data-named]").count() == 1
            assert page.locator("#showing [data-changed]").count() >= 2
    assert any("eats" in line for line in told)
    page.keyboard.press("End")
    assert ", at once" in page.inner_text("#said .where")
    there = page.locator("#showing li:not(.gone) > .pb-box").all_inner_texts()
    assert there
    page.keyboard.press("Escape")
    assert page.locator("#showing").count() == 0
    assert page.evaluate("document.activeElement.id") == "show-me"
    assert page.locator("#board .pieces .pb-box").all_inner_texts() == there
    page.keyboard.press("ArrowLeft")  # nothing listens any more
    page.keyboard.press("Enter")
    page.wait_for_selector("#showing #said .first")
    assert slider_step(page) == 0
    page.click("#close")
    assert page.locator("#board").is_visible()


def test_the_steps_of_the_news_play_by_themselves_unless_motion_is_reduced(table_with_eaters):
    page = table_with_eaters
    page.keyboard.press("Escape")
    page.emulate_media(reduced_motion="no-preference")
    page.click("#show-me")
    page.wait_for_selector("#play[aria-pressed=true]")
    page.wait_for_selector("#said .where:text-matches('step [2-9] of')")
    page.keyboard.press(" ")
    assert page.get_attribute("#play", "aria-pressed") == "false"
    at = slider_step(page)
    page.wait_for_timeout(2500)
    assert slider_step(page) == at


def test_the_steps_of_the_news_are_fetched_only_when_asked_for(page, sit_down, game):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    sit_down(game("middle").person("ann"), "-C savannah", **CLOCK)
    page.click("a.game-title")
    page.wait_for_selector("#show-me:visible")
    page.wait_for_selector("main:not([inert])")  # all scripts of the page have run
    with page.expect_response(lambda response: "/live" in response.url):
        pass  # nor does the page ask for the steps when it looks for news
    player = ("/news?", "/player.js")
    assert not [url for url in asked if any(part in url for part in player)]
    page.click("#show-me")
    page.wait_for_selector("#said .first")
    assert [url for url in asked if any(part in url for part in player)]


def _ann_has_sent(table, sit_down, page, motion: str) -> None:
    """Ann sits at her table with a phone and has sent her orders; the others have, too."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion=motion)
    sit_down(begin_game(table, "evolution"), "-C savannah", **CLOCK)
    page.click("a.game-title")
    player = Player(page, Finger(page))
    player.answer()
    player.seal()
    others_play(table)


@pytest.mark.parametrize("hand", ["taps"])
def test_a_new_turn_plays_by_itself_and_ends_in_the_next_question(hand, sit_down, page, tmp_path):
    table = Round(tmp_path)
    _ann_has_sent(table, sit_down, page, "no-preference")
    foot = page.locator(".plan-in").bounding_box()
    page.evaluate(SHIFTS)
    stop_clock(page)
    make_turn(table)
    page.wait_for_selector("#showing #said .first")  # nobody has tapped
    assert page.locator(".plan-in, .hand").locator("visible=true").count() == 0
    assert page.locator("#showing .player").bounding_box() == foot, "the foot does not move"
    assert page.inner_text("#close") == "Skip"
    assert page.evaluate("document.activeElement.id") == "close"
    page.clock.resume()
    page.wait_for_selector("#said :text('Bo puts a card face down')")
    page.wait_for_selector("#showing", state="detached")  # by itself
    assert page.locator(".question h2").inner_text() == "Cards to play"
    assert page.locator(".hand button.lit").count()
    assert page.locator(".plan-in").bounding_box() == foot
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) <= 0.01, sorted(shifts, reverse=True)[:4]


ASKED_PIECE = "#board .mine .pieces button.thing.lit:not(.ahead)"


@pytest.mark.parametrize("hand", ["taps"])
def test_pieces_that_the_question_is_about_are_in_sight_after_a_new_turn(
    hand, sit_down, page, tmp_path
):
    table = Round(tmp_path)
    _ann_has_sent(table, sit_down, page, "no-preference")
    page.set_viewport_size({"width": 390, "height": 600})
    page.evaluate("scrollTo(0, 0)")  # to the others, who sit above
    own_place, foot = page.locator(".mine").bounding_box(), page.locator(".plan-in").bounding_box()
    assert own_place["y"] + own_place["height"] > foot["y"], "her pieces are below the foot's edge"
    stop_clock(page)  # or it may end by itself before the tap
    make_turn(table)
    page.locator("#showing #close").tap()
    page.clock.resume()
    page.wait_for_selector(ASKED_PIECE, state="attached")
    piece = page.locator(ASKED_PIECE).first.bounding_box()
    assert piece["y"] >= 0
    assert piece["y"] + piece["height"] <= page.locator(".plan-in").bounding_box()["y"]


@pytest.mark.parametrize("hand", ["taps"])
def test_skip_ends_the_showing_of_a_new_turn_in_the_question(hand, sit_down, page, tmp_path):
    table = Round(tmp_path)
    _ann_has_sent(table, sit_down, page, "no-preference")
    send = page.locator("#send").bounding_box()
    stop_clock(page)  # both taps come in the same half second
    make_turn(table)
    page.locator("#showing #close").tap()
    page.touchscreen.tap(send["x"] + send["width"] / 2, send["y"] + send["height"] / 2)
    page.clock.resume()
    assert page.locator("#showing").count() == 0
    assert page.locator(".question h2").inner_text() == "Cards to play"
    page.wait_for_timeout(3000)
    assert page.locator("#showing").count() == 0, "it does not begin again"
    assert not page.locator("dialog[open], #toast p").count(), "the second tap was meant for Skip"


@pytest.mark.parametrize("hand", ["taps"])
def test_with_reduced_motion_the_question_of_a_new_turn_comes_at_once(
    hand, sit_down, page, tmp_path
):
    table = Round(tmp_path)
    _ann_has_sent(table, sit_down, page, "reduce")
    make_turn(table)
    page.wait_for_selector(".question h2:text-is('Cards to play')")
    page.wait_for_timeout(2000)
    assert page.locator("#showing").count() == 0
    assert page.locator("#show-me").is_visible()


@pytest.mark.parametrize("hand", ["taps"])
def test_another_page_of_the_game_announces_a_new_turn_with_a_link(hand, sit_down, page, tmp_path):
    table = Round(tmp_path)
    _ann_has_sent(table, sit_down, page, "reduce")
    page.goto(page.url.split("?")[0] + "/messages")
    page.fill("textarea", "Hello")
    make_turn(table)
    page.wait_for_selector("#banner:has-text('Turn 2 is here.')")
    assert page.input_value("textarea") == "Hello", "what was typed is still there"
    page.tap("#banner a")
    page.wait_for_selector(".question h2:text-is('Cards to play')")


@in_both_at_length
def test_a_step_shown_on_the_board_is_accessible_and_fits_every_screen(table_with_eaters):
    table_with_eaters.keyboard.press("ArrowRight")
    table_with_eaters.keyboard.press("ArrowRight")
    Looking(table_with_eaters, "shown").look("step")
