"""A host that lies to a tab: it ends in sentences, nothing is lost, and the truth mends it."""

import re

from tests.browser.players import Mouse, Player, bot_plays_at
from tests.site.conftest import Evening, Phone, turn_shown
from tests.site.test_mishaps import SEND, game_path, seated, until

LIST, FILES = re.compile(r"/g/[0-9a-f]{32}/$"), re.compile(r"/g/[0-9a-f]{32}/.+\.toml$")
EVIL = "<img src=x onerror=alert(1)>"


def says(body: str | bytes, status: int = 200, kind: str = "text/plain", **headers: str) -> dict:
    return {"body": body, "status": status, "headers": {"content-type": kind, **headers}}


LIES = {
    "another page": (says("<html>hello</html>", kind="text/html"), "no host of games"),
    "names that climb": (says("../game.toml 12\n"), "no host of games"),
    "a name with a script": (says(f"turns/{EVIL}.toml 12\n"), "no host of games"),
    "bytes that are no text": (says(b"\xff\xfe\n"), "no host of games"),
    "more than a list may have": (says(b"x" * (9 << 20)), "sends more than it was asked for"),
    "an error": (
        says(f"Traceback {EVIL}", 500, "text/html"),
        "The host does not answer as it should (500).",
    ),
    "busy": (says(f"come back {EVIL}", 503), "The host does not answer as it should (503)."),
    "somewhere else": (says("", 302, location="http://127.0.0.1:9/g/x"), "No network."),
    "no game": (says("there is no game at this address", 404), "The host has this game no more."),
}


def ask_now(phone: Phone) -> None:
    """Let the worker ask the host now."""
    assert phone.frame.evaluate(SEND, [f"{game_path(phone)}/back", {"kept": True}]) == 200


def lying(phone: Phone, where, answer: dict) -> None:
    phone.context.route(where, lambda route: route.fulfill(**answer))


def honest(phone: Phone) -> None:
    phone.context.unroute(LIST)
    ask_now(phone)
    phone.page.wait_for_selector("#line", state="hidden")


def test_lists_that_are_none(evening: Evening):
    phone = seated(evening)
    board = phone.frame.locator(".board").inner_text()
    for lie, (answer, words) in LIES.items():
        lying(phone, LIST, answer)
        ask_now(phone)
        line = phone.page.locator("#line", has_text=re.compile(re.escape(words), re.I))
        line.wait_for()
        told = line.inner_text()
        assert "You see what was there before." in told, (lie, told)
        assert evening.address[-32:] not in told
        assert EVIL not in phone.page.inner_html("body")
        assert phone.frame.locator(".board").inner_text() == board
        honest(phone)
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    lying(phone, "**/g/**", says("no", 500))
    assert "SEALED here as" in player.seal()
    phone.page.wait_for_selector("#line:has-text('sent later: your orders')")
    phone.context.unroute("**/g/**")
    ask_now(phone)
    phone.page.wait_for_selector("#line", state="hidden")
    until(lambda: any((evening.table.root / "data").rglob("orders/0001-a-*")))
    bot_plays_at(evening.address, evening.person("bo"), "b")
    assert "turns/0002.toml" in evening.advance()
    phone.said.clear()  # the browser's own words about what failed


def test_a_turn_that_was_changed_is_named(evening: Evening):
    phone = seated(evening)
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    player.seal()
    until(lambda: any((evening.table.root / "data").rglob("orders/0001-a-*")))
    bot_plays_at(evening.address, evening.person("bo"), "b")

    times = [0]

    def damaged(route) -> None:
        times[0] += 1
        data = route.fetch().body()
        route.fulfill(status=200, body=data.replace(b"time = 1", b"time = 2", 1))

    phone.context.route("**/turns/0002.toml", damaged)
    assert "turns/0002.toml" in evening.advance()
    phone.frame.wait_for_selector("#banner button")
    phone.press("#banner button")
    told = "turns/0002.toml does not count: is a turn that was changed"
    phone.frame.wait_for_selector(f"main:has-text('{told}')")
    assert "Turn 1" in phone.text(), "the page shows what it can check"
    until(lambda: ask_now(phone) or times[0] > 1)  # it is fetched again, and is still wrong
    phone.page.reload()
    phone.shown()
    phone.frame.wait_for_selector(f"main:has-text('{told}')")
    phone.context.unroute("**/turns/0002.toml")
    until(lambda: ask_now(phone) or phone.frame.locator("#banner button").count())
    turn_shown(phone, 2)
    assert told not in phone.text()
    phone.said.clear()
