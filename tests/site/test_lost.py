"""A browser that has forgotten, a network that is gone or refuses: each page says how to go on."""

import re

from tests.kit.browser_players import Mouse, Player
from tests.site.evening import Evening, ann_at_phone, game_path

NOT_SENT = "Kept in this browser; not sent to the host yet."
PASTE = "form[data-follow]"
KEEP_GREEN_NOTE = """() => {
  const toast = document.getElementById("toast");
  new MutationObserver(() => {
    if (toast.querySelector(".good")) document.documentElement.dataset.note = toast.innerText;
  }).observe(toast, { attributes: true, childList: true, subtree: true });
}"""
"""Keep what a green note says: it goes by itself after some seconds."""


def test_a_bookmark_finds_its_game_after_the_browser_forgot_everything(evening: Evening):
    phone = ann_at_phone(evening)
    phone.press(".keep-seat a")
    link = phone.frame.locator("#seat-link").inner_text()
    phone.press("a:has-text('Back to the game')")
    phone.frame.wait_for_selector("#send")
    phone.press("nav a >> text=History")
    phone.frame.wait_for_selector("#step")
    phone.page.wait_for_function("location.href.includes('/history')")
    bookmark = phone.page.evaluate("location.href")
    assert bookmark.startswith(f"{evening.host.url}/g/{evening.address[-32:]}/play#/game/")
    phone.page.close()
    phone.open(bookmark)  # nothing was lost: the very page
    phone.frame.wait_for_selector("#step")
    other = evening.phone().open(bookmark)
    words = other.frame.inner_text("body")
    assert "This browser has no seat in this game" in words
    assert "Did you keep your seat? Then paste its link" in words
    lengths = other.page.evaluate("history.length")
    other.frame.fill(f"{PASTE} input", link)
    other.press(f"{PASTE} button")
    other.press("button:has-text('Take seat a, as Ann')")
    other.frame.wait_for_selector("#send")
    assert link.rpartition("=")[2] not in other.page.url
    assert lengths <= 2


def test_a_used_invite_asks_for_the_link_to_the_seat(evening: Evening):
    ann_at_phone(evening)
    other = evening.phone().open(evening.link("Ann"))  # whose browser has forgotten the seat
    assert "Did you take it yourself?" in other.text()
    assert other.frame.locator(PASTE).count() == 1


def test_the_page_of_a_game_that_the_browser_lacks_shows_how_to_go_on(evening: Evening):
    """Also if the bookmark does not say where it is, or the link that was pasted is damaged."""
    phone = ann_at_phone(evening)
    path = game_path(phone)
    phone.press(".keep-seat a")
    link = phone.frame.locator("#seat-link").inner_text()
    other = evening.phone().open(f"{evening.host.url}/#{path}/history")
    assert "you have no game with this name" in other.text()
    assert "Did you keep your seat?" in other.text()
    other.frame.fill(f"{PASTE} input", link[:-3])
    other.press(f"{PASTE} button")
    other.frame.wait_for_selector(
        f"{PASTE} [role=status]:has-text('a part of this link is missing')"
    )
    other.frame.fill(f"{PASTE} input", link)
    other.press(f"{PASTE} button")
    other.press("button:has-text('Take seat a, as Ann')")
    other.frame.wait_for_selector("#send")
    other.said.clear()  # the browser itself notes the answer 409
    lost = other.context.new_page()
    lost.goto(f"{evening.host.url}/#game={'0' * 32}")
    lost.wait_for_selector("#told:has-text('There is no game at this address')")
    lost.click("#home a")
    lost.wait_for_selector("html[data-shown$='/']", state="attached")


def test_the_note_about_sent_orders_is_green_only_once_the_host_has_them(evening: Evening):
    phone = ann_at_phone(evening)
    phone.context.set_offline(True)
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    phone.press("#send")
    phone.frame.wait_for_selector(f"#toast .pending:has-text('Sent.'):has-text('{NOT_SENT}')")
    phone.page.wait_for_timeout(1500)
    assert phone.frame.locator("#toast .good").count() == 0
    phone.frame.evaluate(KEEP_GREEN_NOTE)
    phone.context.set_offline(False)
    note = phone.frame.locator("html[data-note]").get_attribute("data-note")
    assert "Sent." in note
    assert NOT_SENT not in note
    assert any((evening.table.root / "data").rglob("orders/0001-a-*"))
    phone.said.clear()  # the browser's own words about the network


def test_a_host_that_refuses_too_many_requests_is_asked_again_later(evening: Evening):
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Bo")
    phone, asked = evening.phone(), list[str]()

    def refused_now_and_then(route) -> None:
        asked.append(route.request.url)
        if len(asked) % 3:
            route.continue_()
        else:
            headers = {"retry-after": "1", "access-control-expose-headers": "retry-after"}
            route.fulfill(status=429, body="too many requests", headers=headers)

    phone.context.route(re.compile(r"/g/[0-9a-f]{32}/"), refused_now_and_then)
    phone.open(evening.link("Ann"))
    assert "At the table: Ann, Bo" in phone.text()
    assert len(asked) > len({*asked}), "what was refused is asked for again"
    phone.context.unroute_all()
    phone.said.clear()
