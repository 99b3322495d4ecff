"""What somebody at a phone sees of their choices: what counts, what is sent, whom they wait for."""

import pytest

from tests.kit.browser_players import (
    CLOCK,
    Finger,
    Player,
    begin_game,
    make_turn,
    others_play,
    stop_clock,
)
from tests.kit.people import Round

HOLD_MS = 600
"""Longer than the time after which a finger that stays on a card opens its sheet."""


@pytest.fixture
def at_a_phone(sit_down, page, tmp_path):
    """A function that begins a game of a ruleset and opens it on a phone."""

    def opened(ruleset: str) -> Player:
        table = Round(tmp_path)
        page.set_viewport_size({"width": 390, "height": 844})
        sit_down(begin_game(table, ruleset), "-C savannah", **CLOCK)
        page.click("a.game-title")
        player = Player(page, Finger(page))
        player.settle()
        player.table = table
        return player

    return opened


def play_next_turn(player: Player) -> None:
    page = player.page
    turn = int(page.locator("body").get_attribute("data-turn"))
    others_play(player.table)
    make_turn(player.table)
    page.wait_for_function("turn => Number(document.body.dataset.turn) > turn", arg=turn)
    player.settle()


def hold(page, selector: str) -> None:
    """Keep a finger on an element until its sheet opens, and lift it."""
    box = page.locator(selector).first.bounding_box()
    point = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})
    page.wait_for_selector("#sheet[open]")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("hand", ["taps"])
def test_holding_a_card_shows_it_before_it_is_chosen_and_the_bar_says_sent(hand, at_a_phone):
    player = at_a_phone("evolution")
    page, card = player.page, ".hand button.thing.lit"
    hold(page, card)
    page.wait_for_selector("#sheet[open] .sheet-text p:not(.thing-name)")
    assert page.locator("#sheet .target").count(), "it can be chosen there"
    assert not page.locator("#undo").count(), "nothing was chosen yet"
    page.tap("#sheet .close")
    page.locator(card).first.click(button="right")
    page.wait_for_selector("#sheet[open]")
    with player.changed():
        page.tap("#sheet .target")
    player.seal()
    page.wait_for_selector("#hint:has-text('Sent. Waiting for Bo.')")
    player.settle()
    page.tap(".hand button.thing:not(.used)")
    with player.changed():
        page.tap("#sheet .target")
    page.wait_for_selector("#hint:has-text('Changed. Send it again.')")
    hint = page.locator("#hint").evaluate("one => [one.scrollHeight, one.clientHeight]")
    assert hint[0] <= hint[1], "it is shown whole"


@pytest.mark.parametrize("hand", ["taps"])
def test_a_sheet_opened_by_holding_stays_open_and_lets_no_tap_through(hand, at_a_phone):
    page = at_a_phone("evolution").page
    hold(page, ".mine .pieces button.thing")
    page.wait_for_timeout(HOLD_MS)
    assert page.locator("#sheet[open]").count(), "lifting the finger closes nothing"
    send = page.locator("#send").bounding_box()
    point = send["x"] + send["width"] / 2, send["y"] + send["height"] / 2
    stop_clock(page)  # both taps come in the same half second
    page.tap("#sheet .close")
    page.touchscreen.tap(*point)
    page.wait_for_timeout(HOLD_MS)
    assert not page.locator("dialog[open], #toast p").count(), "the tap was meant for the sheet"
    page.clock.resume()
    page.wait_for_selector("body:not([data-uncovered])")
    page.touchscreen.tap(*point)
    page.wait_for_selector("#dialog[open]:has-text('You have chosen nothing')")


@pytest.mark.parametrize("hand", ["taps"])
def test_a_choice_is_shown_at_once_and_lasting_lines_are_listed(hand, at_a_phone):
    player = at_a_phone("origin")
    page = player.page
    pieces = page.locator(".mine .pieces > li").count()
    with player.changed():
        page.tap(".hand button.thing.lit")
        if page.locator("#sheet[open]").count():
            page.tap("#sheet .target")
    page.wait_for_selector(".mine :is([data-planned], .new, .used)")
    assert page.inner_text("#send") == "Pass and send"
    assert page.locator(".mine .pieces > li").count() >= pieces
    player.seal()
    play_next_turn(player)

    assert page.locator("#plan h2").first.inner_text() == "Feeding"
    assert not page.locator(".lasting").count()
    page.tap("#send")
    page.wait_for_selector("#dialog[open]:has-text('You have chosen nothing')")
    assert not page.locator("#toast p").count(), "nothing was sent"
    page.tap("#dialog [data-close]")
    with player.changed():
        page.tap("#board button.thing.lit")
    assert page.inner_text(".lasting").startswith("Now and on later turns:")
    with player.changed():
        page.tap(".lasting [data-drop]")
    assert not page.locator(".lasting").count()
    with player.changed():
        page.tap("#board button.thing.lit")
    used_line = page.locator(".lasting [data-drop]").get_attribute("data-drop")
    player.seal()
    page.wait_for_selector("#hint:has-text('Sent.')")
    play_next_turn(player)
    own_lines = page.locator(".lines > li").evaluate_all(
        "all => all.map((one) => one.dataset.text)"
    )
    assert used_line not in own_lines, "it is done"


@pytest.mark.parametrize("hand", ["taps"])
def test_a_long_text_is_shown_whole_after_a_tap_and_no_word_is_broken(hand, at_a_phone):
    page = at_a_phone("origin").page
    whole = "one => one.scrollHeight <= one.clientHeight && one.getBoundingClientRect().bottom"
    line = page.locator(".states .state").first
    assert not line.evaluate(whole), "it is longer than its two lines"
    page.tap(".states")
    assert line.evaluate(whole) <= page.locator(".mine .hand").bounding_box()["y"]
    page.tap(".states")
    assert not line.evaluate(whole)
    label = page.locator(".hand .pb-label").evaluate_all("all => all.map((one) => one.textContent)")
    assert any("communica\u00adtion" in text for text in label)
