"""A choice is made although news come between the two ends of a press, when the pointer goes down
and when it goes up again; and nothing waits for a press that is no click."""

import pytest

from tests.kit.browser_players import (
    KEEP_NOTES,
    Player,
    at_the_board,
    begin_game,
    drag,
    others_play,
    stop_clock,
)
from tests.kit.people import Round
from tests.kit.processes import until

CARD = ".mine .hand button.lit"
OFFER = ".orders .offer[data-kind=food]"
FORECAST = "#forecast li"
TWO_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


@pytest.fixture
def ann(sit_down, page, tmp_path) -> Player:
    """Ann, who is asked for a card; a single click on one answers."""
    player = at_the_board(sit_down, page, begin_game(Round(tmp_path), "evolution"))
    player.table = Round(tmp_path)
    yield player
    page.unroute_all(behavior="wait")


class KeptBack:
    """The next answer that shows something, until it is let go: a forecast, the plan as another
    window left it, or the parts of the page that Bo's orders change."""

    def __init__(self, ann: Player, path: str) -> None:
        self.page, self.path = ann.page, path
        self.route = self.answer = None
        self.page.route(f"**{path}*", self._keep)
        if path == "/forecast":
            self.page.reload()
        elif path == "/plan":
            self.page.evaluate("() => { dispatchEvent(new Event('focus')) }")
        else:
            others_play(ann.table)
        until(lambda: self.page.wait_for_timeout(50) or self.answer)

    def _keep(self, route) -> None:
        answer = route.fetch()
        if self.route or (self.path == "/live" and "regions" not in answer.json()):
            route.fulfill(response=answer)
        else:
            self.route, self.answer = route, answer

    def let_go(self) -> None:
        """Let it reach the page."""
        with self.page.expect_event("requestfinished", lambda one: self.path in one.url):
            self.route.fulfill(response=self.answer)


def middle_of(page, selector: str) -> tuple[float, float]:
    element = page.locator(selector).first
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(
    ("path", "pressed"), [("/forecast", CARD), ("/live", CARD), ("/plan", OFFER)]
)
def test_what_comes_while_the_mouse_is_pressed_takes_no_choice_away(path, pressed, ann, page):
    kept_back = KeptBack(ann, path)
    page.evaluate(KEEP_NOTES)
    page.mouse.move(*middle_of(page, pressed))
    with ann.changed():
        page.mouse.down()
        kept_back.let_go()
        page.evaluate(TWO_FRAMES)  # it would be shown by now
        page.mouse.up()
    assert page.locator(".lines[data-kind=food] > li").count() == 1


def test_what_comes_while_the_space_bar_is_pressed_takes_no_choice_away(ann, page):
    kept_back = KeptBack(ann, "/live")
    page.evaluate(KEEP_NOTES)
    page.locator(CARD).first.focus()
    with ann.changed():
        page.keyboard.down(" ")
        kept_back.let_go()
        page.evaluate(TWO_FRAMES)
        page.keyboard.up(" ")
    assert page.locator(".lines[data-kind=food] > li").count() == 1


def test_a_press_that_never_ends_keeps_nothing_back_for_ever(ann, page):
    kept_back = KeptBack(ann, "/forecast")
    page.mouse.move(*middle_of(page, "h1"))
    stop_clock(page)
    page.mouse.down()
    kept_back.let_go()
    page.clock.run_for(1000)
    assert not page.locator(FORECAST).count()
    page.clock.run_for(5000)
    page.wait_for_selector(FORECAST, state="attached")


@pytest.mark.parametrize("hand", ["taps"])
def test_nothing_waits_for_a_finger_that_scrolls_or_reads(hand, ann, page):
    page.set_viewport_size({"width": 390, "height": 844})
    kept_back = KeptBack(ann, "/forecast")
    lit = page.locator("#board button.thing.lit").count()
    x, y = middle_of(page, CARD)
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [*points]})

    def scroll() -> None:
        send("touchStart", {"x": x, "y": y})
        for part in range(1, 10):
            send("touchMove", {"x": x - 8 * part, "y": y})

    stop_clock(page)
    scroll()
    kept_back.let_go()
    until(lambda: page.clock.run_for(1) or page.locator(FORECAST).count())
    send("touchEnd")
    scroll()
    assert page.locator("#board button.thing.lit").count() == lit > 1, "no card is dragged"
    send("touchEnd")
    send("touchStart", {"x": x, "y": y})
    page.clock.run_for(1000)
    page.wait_for_selector("#sheet[open] .sheet-text p:not(.thing-name)")
    send("touchEnd")


def test_after_a_drag_a_key_still_chooses(ann, page):
    drag(page, CARD, "h1")
    page.locator(CARD).first.focus()
    with ann.changed():
        page.keyboard.press("Enter")
    assert page.locator(".lines[data-kind=food] > li").count() == 1
