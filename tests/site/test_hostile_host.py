"""A host that lies to a tab: it ends in sentences, nothing is lost, and the truth mends it."""

import re
import urllib.request

import pytest

from tests.kit.browser_players import Mouse, Player, bot_plays_at
from tests.kit.phone import Phone
from tests.kit.processes import PATIENCE, until
from tests.site.evening import (
    SELDOM,
    Evening,
    ann_at_phone,
    answer_at,
    look_until,
    send_part,
    turn_shown,
    write_to_all,
)
from tests.site.lying_host import lying, response

LIST, FILES = re.compile(r"/g/[0-9a-f]{32}/$"), re.compile(r"/g/[0-9a-f]{32}/.+\.toml$")
RECORDS = re.compile(r"/g/[0-9a-f]{32}/(?!play)")
EVIL = "<img src=x onerror=alert(1)>"


LIES = {
    "another page": (response("<html>hello</html>", kind="text/html"), "not a host of pbem games"),
    "names that climb": (response("../game.toml 12\n"), "not a host of pbem games"),
    "a name with a script": (response(f"turns/{EVIL}.toml 12\n"), "not a host of pbem games"),
    "bytes that are no text": (response(b"\xff\xfe\n"), "not a host of pbem games"),
    "more than a list may have": (response(b"x" * (9 << 20)), "sends more than it was asked for"),
    "an error": (
        response(f"Traceback {EVIL}", 500, "text/html"),
        "The host does not answer as it should (500).",
    ),
    "busy": (response(f"come back {EVIL}", 503), "The host does not answer as it should (503)."),
    "somewhere else": (response("", 302, location="http://127.0.0.1:9/g/x"), "No network."),
    "no game": (
        response("there is no game at this address", 404),
        "The host no longer has this game.",
    ),
}


def ask_now(phone: Phone) -> None:
    """Let the worker ask the host now."""
    send_part(phone, "back", {"kept": True})


def honest(phone: Phone) -> None:
    phone.context.unroute(LIST)
    ask_now(phone)
    phone.page.wait_for_selector("#line", state="hidden")


def both_have_answered(evening: Evening) -> Phone:
    """Ann's phone, when only turn 2 is missing."""
    phone = ann_at_phone(evening)
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    player.seal()
    until(lambda: any((evening.table.root / "data").rglob("orders/0001-a-*")))
    bot_plays_at(evening.address, evening.person("bo"), "b")
    return phone


def test_the_page_says_what_is_wrong_with_a_hosts_list_of_files(evening: Evening):
    phone = ann_at_phone(evening)
    board = phone.frame.locator(".board").inner_text()
    for lie, (answer, words) in LIES.items():
        lying(phone, LIST, answer)
        ask_now(phone)
        line = phone.page.locator("#line", has_text=re.compile(re.escape(words), re.I))
        line.wait_for()
        told = line.inner_text()
        assert ("You see the game as it was when this browser last reached the host.") in told, (
            lie,
            told,
        )
        assert evening.address[-32:] not in told
        assert EVIL not in phone.page.inner_html("body")
        assert phone.frame.locator(".board").inner_text() == board
        honest(phone)
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    lying(phone, "**/g/**", response("no", 500))
    assert "Sent." in player.seal()
    phone.page.wait_for_selector("#line:has-text('sent later: your orders')")
    phone.context.unroute("**/g/**")
    ask_now(phone)
    phone.page.wait_for_selector("#line", state="hidden")
    until(lambda: any((evening.table.root / "data").rglob("orders/0001-a-*")))
    bot_plays_at(evening.address, evening.person("bo"), "b")
    assert "turns/0002.toml" in evening.advance()
    phone.said.clear()  # the browser's own words about what failed


def test_the_page_names_a_turn_that_the_host_changed(evening: Evening):
    phone = both_have_answered(evening)

    times = [0]

    def damaged(route) -> None:
        times[0] += 1
        data = route.fetch().body()
        route.fulfill(status=200, body=data.replace(b"time = 1", b"time = 2", 1))

    phone.context.route("**/turns/0002.toml", damaged)
    assert "turns/0002.toml" in evening.advance()
    told = "turns/0002.toml does not count: somebody changed this turn"
    look_until(phone, f"main:has-text('{told}')")
    assert "Turn 1" in phone.text(), "the page shows what it can check"
    # it is fetched again and again, though nobody looks at the page anew, and is still wrong
    until(lambda: ask_now(phone) or times[0] > 2, every=SELDOM)
    phone.page.reload()
    phone.shown()
    phone.frame.wait_for_selector(f"main:has-text('{told}')")
    phone.context.unroute("**/turns/0002.toml")
    # it is fetched again ever later: after as long as it was wrong, at the most
    turn_shown(phone, 2, ask=lambda: ask_now(phone), seconds=3 * PATIENCE)
    assert told not in phone.text()
    phone.said.clear()


def test_the_page_says_that_a_host_never_answers_and_sends_orders_later(evening: Evening):
    phone = ann_at_phone(evening)
    data, hanging = evening.table.root / "data", list[object]()
    phone.context.route("**/g/**", lambda route: hanging.append(route))
    phone.page.reload()
    phone.shown()
    answer_at(phone)
    told = "The host does not answer. Kept here, and sent later: your orders."
    phone.page.wait_for_selector(f"#line:has-text('{told}')")
    phone.press("nav a >> text=History")
    phone.frame.wait_for_selector("h1:has-text('History')")
    assert hanging
    assert not any(data.rglob("orders/0001-a-*"))
    phone.context.unroute("**/g/**")
    phone.page.wait_for_selector("#line", state="hidden")
    until(lambda: any(data.rglob("orders/0001-a-*")))
    phone.said.clear()


def test_a_link_to_a_host_that_never_answers_ends_in_a_sentence(evening: Evening):
    evening.new_game("--players Ann,Bo --game evolution")
    phone = evening.phone()
    phone.context.route(RECORDS, lambda route: None)  # only the page itself comes
    page = phone.context.new_page()
    page.goto(evening.link("Ann"))
    page.wait_for_selector("#told:has-text('The host of this game cannot be reached now')")


@pytest.mark.long  # a reload may end each look at the list on a busy machine
def test_the_page_notices_a_list_that_withholds_or_withdraws_a_turn(evening: Evening):
    phone = both_have_answered(evening)
    asked = list[str]()

    def without_turn_two(route) -> None:
        with urllib.request.urlopen(route.request.url) as answer:
            lines = answer.read().decode().splitlines(keepends=True)
        asked.append(route.request.url)
        route.fulfill(**response("".join(one for one in lines if "turns/0002" not in one)))

    phone.context.route(LIST, without_turn_two)
    # a question that was already on its way would still bring the turn
    until(lambda: ask_now(phone) or asked, every=SELDOM)
    asked.clear()
    assert "turns/0002.toml" in evening.advance()
    until(lambda: ask_now(phone) or len(asked) > 1, every=SELDOM)
    write_to_all(phone, "are you there?")  # all else goes on
    until(lambda: any((evening.table.root / "data").rglob("press/*")))
    assert "Turn 1" in phone.text()
    phone.context.unroute(LIST)
    ask_now(phone)
    turn_shown(phone, 2)
    asked.clear()
    phone.context.route(LIST, without_turn_two)
    until(lambda: ask_now(phone) or len(asked) > 1, every=SELDOM)

    def is_told() -> bool:  # the tab has sent the turn again, and still it is not listed
        until(lambda: ask_now(phone) or len(asked) > 1, every=SELDOM)
        asked.clear()  # a reload ends a question that is on its way
        phone.page.reload()
        phone.shown()
        told = r"this computer saw turn 2 before, but the folder now ends at turn 1"
        return bool(re.search(told, phone.text()))

    until(is_told, why=phone.text)
    phone.context.unroute(LIST)

    def is_there() -> bool:
        ask_now(phone)
        phone.page.reload()
        phone.shown()
        return not phone.frame.locator("text=Try again").count()

    until(is_there)
    turn_shown(phone, 2)
    answer_at(phone)
    phone.said.clear()


def test_markup_in_names_titles_and_messages_is_shown_as_text(evening: Evening):
    evil = "<img src=x onerror=ran=1>"
    script = f"<script>ran = 1</script>{evil}"
    evening.new_game(f"--players Ann,Bo --game evolution --title '{evil}'")
    evening.joins("Bo")
    phone = evening.phone().open(evening.link("Ann"))
    phone.frame.fill("[name=name]", evil)
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector(f"p.good:has-text('You are {evil}')")
    phone.sent()
    evening.advance()
    turn_shown(phone, 1)
    write_to_all(phone, script)
    evening.person("bo").pbem(["tell", script, "--to", "a", "-C", evening.address]).checked(0)
    ask_now(phone)
    look_until(phone, ".menu > summary:has-text('1 new in messages')")
    for name in ("Messages", "Notices", "History", "Audit", "Table"):
        phone.press(f"nav a >> text={name}")
        phone.frame.wait_for_selector(f".menu > summary:has-text('{name}')")
        harmless(phone, evil)
    phone.page.close()
    phone.open(evening.host.url)
    phone.frame.wait_for_selector("h1:has-text('All my games')")
    harmless(phone, evil)


def harmless(phone: Phone, text: str) -> None:
    """The page shows the text as it was written, and made nothing of it."""
    assert text in phone.frame.locator("body").inner_text()
    for place in (phone.page, phone.frame):
        assert not place.locator("img[src=x], [onerror], body script:not([src])").count()
        place.wait_for_function("() => !('ran' in window)")  # news may load the page anew just now
