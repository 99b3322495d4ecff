"""Workers and tabs that die, no network, a wrong clock: nothing is lost, nothing comes twice."""

import os
import random
import re

import pytest

from tests.kit.browser_players import Mouse, Player, bot_plays_at
from tests.kit.phone import KEPT
from tests.kit.processes import until
from tests.site.evening import (
    Evening,
    ann_at_phone,
    answer_at,
    game_path,
    join_at_phone,
    write_to_all,
)

KILLS = int(os.environ.get("PBEM_KILLS", "20")) // 2

LATER = "No network. Kept here, and sent later: your orders."


def messages_at_the_host(evening: Evening) -> list[str]:
    """What Ann wrote to all, as Bo reads it."""
    said = evening.person("bo").pbem(f"log -C {evening.address}").checked(0)
    return re.findall(r"message \d+", said.out)


MOMENTS = ("before it is kept", "before the answer", "before it is sent", "while it is sent")
WIDEN = """(aim) => {
  self.moment = "";
  const reach = () => { self.moment = aim; return new Promise((go) => setTimeout(go, 3000)); };
  const post = BroadcastChannel.prototype.postMessage;
  BroadcastChannel.prototype.postMessage = async function (data) {
    const isPart = data.to === "pages" && data.headers.some(([, is]) => is.startsWith("text/html"));
    if (isPart && aim === "before the answer") await reach();
    post.call(this, data);
  };
  const ask = self.fetch;
  self.fetch = async (url, how) => {
    if (how?.method === "PUT" && aim === "before it is sent") await reach();
    const found = await ask(url, how);
    if (how?.method === "PUT" && aim === "while it is sent") await reach();
    return found;
  };
}"""
"""Makes a moment long enough to be met, in the worker; says when it is reached."""
CLICK = """([path, text]) => { window.heard = 0;
  const body = JSON.stringify({text, to: ""});
  fetch(path, {method: "POST", headers: {"x-pbem-part": "1"}, body})
    .then((answer) => { window.heard = answer.status; }); }"""


@pytest.mark.parametrize("dies", ["worker", "tab"])
def test_a_tab_killed_at_any_moment_loses_and_repeats_nothing(evening: Evening, dies: str):
    phone = ann_at_phone(evening)
    path, rng = game_path(phone), random.Random(7)
    looking = phone.context.new_page()
    looking.goto(f"{evening.host.url}/site.json")
    data = evening.table.root / "data"
    confirmed, met, n = set(), dict.fromkeys(MOMENTS, 0), 0
    while n < KILLS or min(met.values()) < KILLS // len(MOMENTS) - 2:
        n += 1
        assert n <= 2 * KILLS, met
        until(lambda: not looking.evaluate(KEPT)[1])
        aim, worker = MOMENTS[n % 4], phone.page.workers[0]
        worker.evaluate(WIDEN, aim)
        before, there = {*looking.evaluate(KEPT)[0]}, {*data.rglob("press/*")}
        phone.frame.evaluate(CLICK, [f"{path}/messages", f"message {n}"])
        if aim != MOMENTS[0]:
            until(lambda worker=worker: worker.evaluate("self.moment"))
        if aim in MOMENTS[2:]:
            until(lambda: phone.frame.evaluate("window.heard"))
        phone.page.wait_for_timeout(rng.uniform(0, 60))
        heard = phone.frame.evaluate("window.heard")
        if dies == "worker":  # the page around it goes on, and starts another
            phone.page.evaluate("killWorker()")
        else:
            phone.page.close()
        kept = bool({*looking.evaluate(KEPT)[0]} - before)
        sent_ = bool({*data.rglob("press/*")} - there)
        assert heard in (0, 200)
        assert kept or not (heard or sent_), "nothing is told or sent before it is kept"
        met[MOMENTS[0 if not kept else 1 if not heard else 3 if sent_ else 2]] += 1
        if heard:
            confirmed.add(f"message {n}")
        if dies == "worker":
            phone.page.reload()
            phone.shown()
        else:
            phone.open(f"{evening.host.url}/#{path}/messages")
        if not kept:  # the service worker may ask the new worker once more
            phone.page.wait_for_timeout(800)
    print(f"\n{n} kills of the {dies}: {met}")
    phone.sent()
    messages = messages_at_the_host(evening)
    assert len(messages) == len({*messages}), "nothing arrives twice"
    assert confirmed <= {*messages}, "nothing that was confirmed is lost"
    numbers = [one.name.split("-")[2] for one in data.rglob("press/*.toml")]
    assert len(numbers) == len({*numbers}), "no number was signed twice"
    evening.person("bo").pbem(f"audit {evening.address}").checked(0)


def test_two_tabs_with_one_game_both_work(evening: Evening):
    phone = ann_at_phone(evening)
    path = game_path(phone)
    first = phone.page
    phone.open(f"{evening.host.url}/#{path}")
    write_to_all(phone, "message 1")
    first.close()  # it had the program
    write_to_all(phone, "message 2")
    phone.sent()
    assert messages_at_the_host(evening) == ["message 1", "message 2"]


SLEEP = """() => setTimeout(() => {
  const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  Atomics.wait(new Int32Array(buffer), 0, 0);
})"""
"""Makes a worker sleep for ever, as in a tab that the browser froze."""


@pytest.mark.long  # 20 seconds until the other tab takes over
def test_another_tab_takes_over_from_a_tab_that_sleeps(evening: Evening):
    phone = ann_at_phone(evening)
    path, sleeping = game_path(phone), phone.page
    sleeping.workers[0].evaluate(SLEEP)
    phone.open(f"{evening.host.url}/#{path}")  # its worker waits, then takes over
    write_to_all(phone, "message 1")
    phone.sent()
    assert messages_at_the_host(evening) == ["message 1"]
    sleeping.close()


def test_a_message_that_the_host_refuses_is_kept_and_the_page_says_so(evening: Evening):
    phone = ann_at_phone(evening)
    refusal = {"status": 507, "content_type": "text/plain", "body": "this game is full"}
    phone.context.route("**/g/*/press/*", lambda route: route.fulfill(**refusal))
    write_to_all(phone, "message 1")
    phone.page.wait_for_selector("#line.bad:has-text('the host has no room for this file')")
    assert evening.address not in phone.page.inner_text("#line")
    assert messages_at_the_host(evening) == []
    phone.said.clear()


def test_without_a_network_orders_wait_and_are_sent_later(evening: Evening):
    phone = ann_at_phone(evening)
    path = game_path(phone)
    evening.host.stop()
    phone.page.close()
    phone.open(f"{evening.host.url}/#{path}")  # from the service worker's cache
    answer_at(phone)
    phone.page.wait_for_selector(f"#line:has-text('{LATER}')")
    phone.page.reload()
    phone.shown()
    phone.page.wait_for_selector(f"#line:has-text('{LATER}')")
    evening.host_again()
    phone.page.wait_for_selector("#line", state="hidden")
    bot_plays_at(evening.address, evening.person("bo"), "b")
    assert "turns/0002.toml" in evening.advance()
    phone.said.clear()  # the browser's own words about the network


def test_after_the_storage_was_wiped_the_seat_link_lets_one_answer_again(evening: Evening):
    """The orders are gone, and nobody has seen them; the link brings the seat, which answers
    again. Then two devices have one key."""
    phone = ann_at_phone(evening)
    phone.press(".keep-seat a")
    link = phone.frame.locator("#seat-link").inner_text()
    phone.press("a:has-text('Back to the game')")
    phone.frame.wait_for_selector("#send")
    evening.host.stop()
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    player.seal()
    phone.close()
    phone.said.clear()  # the browser's own words about the host that was away
    evening.host_again()
    devices = [evening.phone().come_back(link) for _ in range(2)]  # browsers that know nothing
    for device in devices:
        answer_at(device)
        device.sent()
    bot_plays_at(evening.address, evening.person("bo"), "b")
    assert "turns/0002.toml" in evening.advance()
    evening.person("bo").pbem(f"audit {evening.address}").checked(0)


def test_a_phone_whose_clock_is_a_year_off_can_join(evening: Evening):
    phone = evening.phone()
    year = 365 * 86_400_000
    phone.context.add_init_script(f"{{ const now = Date.now; Date.now = () => now() - {year}; }}")
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Bo")
    join_at_phone(phone, evening.link("Ann"))
    assert "turns/0001.toml" in evening.advance()
