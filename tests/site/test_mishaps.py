"""Workers and tabs that die, no network, a wrong clock: nothing is lost, nothing comes twice."""

import os
import random
import re

from tests.browser.players import Mouse, Player, bot_plays_at
from tests.site.conftest import Evening, Phone, until

KILLS = int(os.environ.get("PBEM_KILLS", "20")) // 2

SEND = """([path, body]) => fetch(path, {method: "POST", headers: {"x-pbem-part": "1"},
  body: JSON.stringify(body)}).then((answer) => answer.status)"""
"""What a form of the pages does."""


LATER = "No network. Kept here, and sent later: your orders."


def seated(evening: Evening, **more) -> Phone:
    """Ann at her phone, in a game that has begun."""
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Bo")
    phone = evening.phone(**more).open(evening.link("Ann"))
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector("p.good")
    phone.page.wait_for_selector("#line", state="hidden")
    assert "turns/0001.toml" in evening.advance()
    phone.press("a:has-text('Open the game')")
    phone.frame.wait_for_selector("#banner button, #seal")
    if phone.frame.locator("#banner button").count():
        phone.press("#banner button")
    phone.frame.wait_for_selector("#seal")
    phone.page.wait_for_selector("#line", state="hidden")
    return phone


def game_path(phone: Phone) -> str:
    return re.search(r"#(/game/[0-9a-f]{12})", phone.page.url)[1]


def messages_at_the_host(evening: Evening) -> list[str]:
    """What Ann wrote to all, as Bo reads it."""
    said = evening.person("bo").pbem(f"log -C {evening.address}")
    assert said.exit == 0, said.text
    return re.findall(r"message \d+", said.out)


def sent(phone: Phone) -> None:
    """Wait until nothing waits to be sent."""
    phone.page.wait_for_selector("#line", state="hidden")
    phone.page.wait_for_timeout(1500)
    phone.page.wait_for_selector("#line", state="hidden")


def test_workers_and_tabs_killed_at_any_moment(evening: Evening):
    """Half of them are killed after a click was confirmed or at the moment of sending."""
    phone = seated(evening)
    path, rng = game_path(phone), random.Random(7)
    confirmed = set()
    for n in range(KILLS):
        wait = rng.uniform(0, 400)
        phone.frame.evaluate(
            """([path, text]) => { window.heard = 0;
              const body = JSON.stringify({text, to: ""});
              fetch(path, {method: "POST", headers: {"x-pbem-part": "1"}, body})
                .then((answer) => { window.heard = answer.status; }); }""",
            [f"{path}/messages", f"message {n}"],
        )
        if n % 2:  # once it has been confirmed, while it is sent
            until(lambda: phone.frame.evaluate("window.heard") != 0)
            phone.page.wait_for_timeout(wait / 8)
        else:
            phone.page.wait_for_timeout(wait)
        if phone.frame.evaluate("window.heard") == 200:
            confirmed.add(f"message {n}")
        if n % 4 < 2:  # the worker alone; the page around it goes on, and starts another
            phone.page.evaluate("killWorker()")
            phone.page.reload()
            phone.shown()
        else:
            phone.page.close()
            phone.open(f"{evening.host.url}/#{path}/messages")
    sent(phone)
    there = messages_at_the_host(evening)
    assert len(there) == len({*there}), "nothing arrives twice"
    assert confirmed <= {*there}, "nothing that was confirmed is lost"
    assert len(confirmed) >= KILLS // 2 - 1
    names = sorted(x.name for x in (evening.table.root / "data").rglob("press/*.toml"))
    numbers = [name.split("-")[2] for name in names]
    assert len(numbers) == len({*numbers}), "no number was signed twice"
    said = evening.person("bo").pbem(f"audit {evening.address}")
    assert said.exit == 0, said.text


def test_two_tabs_take_turns(evening: Evening):
    phone = seated(evening)
    path = game_path(phone)
    first = phone.page
    phone.open(f"{evening.host.url}/#{path}")
    assert phone.frame.evaluate(SEND, [f"{path}/messages", {"text": "message 1", "to": ""}]) == 200
    first.close()  # it had the program
    assert phone.frame.evaluate(SEND, [f"{path}/messages", {"text": "message 2", "to": ""}]) == 200
    sent(phone)
    assert messages_at_the_host(evening) == ["message 1", "message 2"]


def test_a_tab_that_hangs_loses_its_turn(evening: Evening):
    phone = seated(evening)
    path, hanging = game_path(phone), phone.page
    hanging.workers[0].evaluate("setTimeout(() => { for (;;); })")
    phone.open(f"{evening.host.url}/#{path}")  # its worker waits, then takes over
    assert phone.frame.evaluate(SEND, [f"{path}/messages", {"text": "message 1", "to": ""}]) == 200
    sent(phone)
    assert messages_at_the_host(evening) == ["message 1"]
    hanging.close()


def test_what_the_host_refuses_is_said_and_kept(evening: Evening):
    """A host without room: it says so, and the message stays in the browser."""
    phone = seated(evening)
    path = game_path(phone)
    refusal = {"status": 507, "content_type": "text/plain", "body": "this game is full"}
    phone.context.route("**/g/*/press/*", lambda route: route.fulfill(**refusal))
    assert phone.frame.evaluate(SEND, [f"{path}/messages", {"text": "message 1", "to": ""}]) == 200
    phone.page.wait_for_selector("#line.bad:has-text('the host has no room for this file')")
    assert evening.address not in phone.page.inner_text("#line")
    assert messages_at_the_host(evening) == []
    phone.said.clear()


def test_without_a_network_orders_wait_and_are_sent_later(evening: Evening):
    phone = seated(evening)
    path = game_path(phone)
    evening.host.stop()
    phone.page.close()
    phone.open(f"{evening.host.url}/#{path}")  # from the service worker's cache
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    assert "SEALED here as" in player.seal()
    phone.page.wait_for_selector(f"#line:has-text('{LATER}')")
    phone.page.reload()
    phone.shown()
    phone.page.wait_for_selector(f"#line:has-text('{LATER}')")
    evening.host_again()
    phone.page.wait_for_selector("#line", state="hidden")
    bot_plays_at(evening.address, evening.person("bo"), "b")
    assert "turns/0002.toml" in evening.advance()
    phone.said.clear()  # the browser's own words about the network


def test_storage_wiped_between_sealing_and_sending(evening: Evening):
    """The orders are gone, and nobody has seen them; the way back brings the seat, which answers
    again. Then two devices have one key."""
    phone = seated(evening)
    phone.press(".way-back a")
    link = phone.frame.locator("#way-back-link").inner_text()
    phone.press("a:has-text('Back to the game')")
    phone.frame.wait_for_selector("#seal")
    evening.host.stop()
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    player.seal()
    phone.said.clear()
    phone.context.close()
    evening.host_again()
    devices = [evening.phone().open(link) for _ in range(2)]  # browsers that know nothing
    for device in devices:
        player = Player(device.frame, Mouse(device.frame))
        player.answer()
        told = "SEALED here as" if device is devices[0] else "these orders are the same as before"
        assert told in player.seal()
        sent(device)
    bot_plays_at(evening.address, evening.person("bo"), "b")
    assert "turns/0002.toml" in evening.advance()
    said = evening.person("bo").pbem(f"audit {evening.address}")
    assert said.exit == 0, said.text


def test_a_clock_that_is_a_year_off(evening: Evening):
    phone = evening.phone()
    year = 365 * 86_400_000
    phone.context.add_init_script(f"{{ const now = Date.now; Date.now = () => now() - {year}; }}")
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Bo")
    phone.open(evening.link("Ann"))
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector("p.good")
    sent(phone)
    assert "turns/0001.toml" in evening.advance()
