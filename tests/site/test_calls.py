"""A browser is called: the person says yes on a page, the host calls a push service, and what the
service worker shows is chosen by nobody but the browser.

Playwright's private contexts get no address from a push push_service, so a test gives the page one:
that of a real HTTPS server. Chromium itself gets what this server got.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browser_players import bot_plays_at
from tests.kit.people import Person
from tests.kit.phone import Phone
from tests.kit.processes import until
from tests.kit.push_service import Browser, PushService
from tests.kit.real_mail_servers import MailServer, give_mailbox
from tests.kit.running_host import bytes_of_files
from tests.site.evening import Evening, ann_at_phone, answer_at, turn_shown

SUBSCRIPTION = """(() => {
  const made = { endpoint: %r, toJSON: () => ({ endpoint: %r, keys: { p256dh: %r, auth: %r } }) };
  PushManager.prototype.subscribe = async function (options) {
    window.subscribed = options;
    return made;
  };
  PushManager.prototype.getSubscription = async () => (
    window.top.newSubscription === undefined ? made : window.top.newSubscription
  );
})();"""
"""What a browser gets from its push service, or has got since (`null`: nothing any more)."""
CLICK = """(action) => new Promise((resolve) => {
  const [opened, ends] = [[], []];
  self.clients.openWindow = async (address) => { opened.push(address); };
  WindowClient.prototype.focus = async function () { opened.push(`focus ${this.url}`); };
  self.registration.getNotifications().then(async ([notification]) => {
    const event = new Event("notificationclick");
    const waitUntil = (end) => ends.push(end);
    self.dispatchEvent(Object.assign(event, { action, notification, waitUntil }));
    await Promise.all(ends);
    resolve(opened);
  });
})"""
"""Somebody taps on a notification. A real tap lets the worker open and focus windows; this one only
notes what it would do. What else the worker does is real."""
COUNT_SHOWN = """() => {
  if (self.shownCount !== undefined) return;
  self.shownCount = 0;
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = async function (...about) {
    await show.apply(this, about);
    self.shownCount += 1;
  };
}"""
"""Count what the worker has shown. Chromium forgets a notification if it is asked for a list while
it begins to show this one, so nobody may ask before it is shown."""
NOTES = """navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then(
  (notes) => notes.map(({ title, body, silent, tag }) => ({ title, body, silent, tag })))"""


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.fixture
def called_evening(
    site: Path, tmp_path: Path, whole_chromium, push_service: PushService
) -> Iterator[Evening]:
    option = f"--push-service {push_service.address}"
    evening = Evening(tmp_path, whole_chromium, host=option, SSL_CERT_FILE=push_service.ca)
    yield evening
    evening.end()


class CalledPhone:
    """Ann at her phone, which says yes; `browser` opens what the host sends to it."""

    def __init__(self, evening: Evening, push_service: PushService) -> None:
        self.browser = Browser(push_service)
        keys = base64url(self.browser.p256dh), base64url(self.browser.auth)
        endpoint = self.browser.endpoint
        script = SUBSCRIPTION % (endpoint, endpoint, *keys)
        self.phone: Phone = ann_at_phone(evening, script, permissions=["notifications"])
        self.page = self.phone.page
        self._cdp = self.phone.context.new_cdp_session(self.page)
        self._registrations: list[dict[str, str]] = []
        self._cdp.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: self._registrations.extend(event["registrations"]),
        )
        self._cdp.send("ServiceWorker.enable")
        self.origin = evening.host.url

    def says(self, what: str, shown: str) -> None:
        """Ann chooses on the page of calls; the page then shows something."""
        if not self.phone.frame.locator("[data-calls]").count():
            self.phone.press("nav a:has-text('Tell me')")
            self.phone.frame.wait_for_selector("[data-calls]")
        self.phone.frame.wait_for_selector("main:not([inert])")
        self.phone.press(f"[data-call='{what}']")
        self.phone.frame.wait_for_selector(shown)

    def push(self, text: str) -> None:
        """Chromium's push service brings this to the service worker, which shows a notification."""
        until(lambda: self._registrations or self.page.wait_for_timeout(50))
        (worker,) = self.phone.context.service_workers
        worker.evaluate(COUNT_SHOWN)
        shown_count = worker.evaluate("self.shownCount")
        self._cdp.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": self.origin, "data": text,
                "registrationId": self._registrations[-1]["registrationId"],
            },
        )  # fmt: skip
        until(lambda: worker.evaluate("self.shownCount") > shown_count)

    def has_now(self, newer: Browser) -> None:
        """Her browser gets another address from its push service."""
        keys = json.dumps({"p256dh": base64url(newer.p256dh), "auth": base64url(newer.auth)})
        self.page.evaluate(
            f"() => {{ const made = {{ endpoint: {newer.endpoint!r}, keys: {keys} }};"
            "window.newSubscription = { endpoint: made.endpoint, toJSON: () => made }; }"
        )

    def notes(self) -> list[dict[str, object]]:
        """The notifications that the device shows."""
        return self.page.evaluate(NOTES)


def test_a_phone_is_called_once_when_another_has_sealed(called_evening, push_service):
    ann = CalledPhone(called_evening, push_service)
    ann.says("push on", "[data-push-on]:visible")
    until(ann.browser.turns)
    assert ann.browser.turns() == [1], "she is asked now"
    called_evening.host.stop()
    called_evening.host_again(SSL_CERT_FILE=push_service.ca)  # else it waits a minute between calls
    key = ann.phone.frame.evaluate("subscribed.applicationServerKey")
    assert len(base64.urlsafe_b64decode(f"{key}=")) == 65
    ann.phone.press("nav a:has-text('Table')")
    ann.phone.frame.wait_for_selector("#send")
    answer_at(ann.phone)
    ann.phone.sent()
    bot_plays_at(called_evening.address, called_evening.person("bo"), "b")
    assert "turns/0002.toml" in called_evening.advance()
    until(lambda: len(ann.browser.turns()) == 2)
    turn_shown(ann.phone, 2)
    ann.phone.said.clear()  # the browser's own words about the host that was away
    text = ann.browser.texts()[1]
    ann.push(text)
    until(ann.notes)
    (note,) = ann.notes()
    assert (note["title"], note["body"], note["silent"]) == ("savannah", "Your move", True)
    ann.push(text)  # the same game is shown once
    ann.push(json.dumps({"game": "0" * 32, "title": "Evil", "body": "https://evil.example"}))
    until(lambda: len(ann.notes()) == 2)
    shown = {(note["title"], note["body"]) for note in ann.notes()}
    assert shown == {("savannah", "Your move"), ("pbem", "Your move")}


def test_a_tap_on_a_notification_opens_the_game(called_evening: Evening, push_service: PushService):
    ann = CalledPhone(called_evening, push_service)
    ann.says("push on", "[data-push-on]:visible")
    until(ann.browser.turns)
    ann.push(ann.browser.texts()[0])
    until(ann.notes)
    (worker,) = ann.phone.context.service_workers
    # a page of the game, which shows no table
    ann.page.evaluate("window.isSamePage = true")
    (focus,) = worker.evaluate(CLICK, "")
    assert focus.startswith(f"focus {called_evening.address}/play")
    ann.page.wait_for_function("!window.isSamePage")
    ann.phone.shown()
    ann.phone.frame.wait_for_selector("#send")
    assert ann.page.url.startswith(f"{called_evening.address}/play#/game/")
    until(lambda: not ann.notes())
    # the table is there: it stays as it is
    ann.page.evaluate("window.isSamePage = true")
    ann.push(ann.browser.texts()[0])
    until(ann.notes)
    (focus,) = worker.evaluate(CLICK, "")
    assert focus.startswith(f"focus {called_evening.host.url}/game/")
    assert ann.page.evaluate("window.isSamePage")
    # no page is open
    ann.push(ann.browser.texts()[0])
    until(ann.notes)
    script = f"(action) => {{ self.clients.matchAll = async () => []; return ({CLICK})(action); }}"
    assert worker.evaluate(script, "") == [f"{called_evening.address}/play"]
    ann.push(json.dumps({"game": "0" * 32}))
    until(ann.notes)
    assert worker.evaluate(script, "") == [f"{called_evening.host.url}/"]


def test_stopping_calls_on_a_notification_reaches_the_pages_and_the_host(
    called_evening: Evening, push_service: PushService
):
    ann = CalledPhone(called_evening, push_service)
    ann.says("push on", "[data-push-on]:visible")
    until(ann.browser.turns)
    ann.push(ann.browser.texts()[0])
    until(ann.notes)
    assert ann.browser.endpoint.encode() in kept_requests(called_evening)
    ann.page.evaluate("window.newSubscription = null")
    (worker,) = ann.phone.context.service_workers
    assert worker.evaluate(CLICK, "off") == []
    ann.phone.frame.wait_for_selector("[data-push-off]:visible")  # the page that is open
    until(lambda: ann.browser.endpoint.encode() not in kept_requests(called_evening))
    ann.page.evaluate("window.newSubscription = undefined")
    ann.says("push on", "[data-push-on]:visible")
    until(lambda: ann.browser.endpoint.encode() in kept_requests(called_evening))
    ann.page.evaluate("window.newSubscription = null")
    ann.phone.press("nav a:has-text('History')")  # a page that is opened later
    until(lambda: ann.browser.endpoint.encode() not in kept_requests(called_evening))
    ann.phone.press("nav a:has-text('Tell me')")
    ann.phone.frame.wait_for_selector("[data-push-off]:visible")


def test_a_game_stopped_on_a_notification_is_not_called_at_a_newer_address(
    called_evening: Evening, push_service: PushService
):
    """As if she had said yes again in another game: her browser has a new address since."""
    ann, newer = CalledPhone(called_evening, push_service), Browser(push_service)
    ann.says("push on", "[data-push-on]:visible")
    until(ann.browser.turns)
    ann.push(ann.browser.texts()[0])
    until(ann.notes)
    ann.has_now(newer)
    (worker,) = ann.phone.context.service_workers
    old = f"{{ endpoint: {ann.browser.endpoint!r}, unsubscribe: async () => {{}} }}"
    stub = f"PushManager.prototype.getSubscription = async () => ({old});"
    assert worker.evaluate(f"(action) => {{ {stub} return ({CLICK})(action); }}", "off") == []
    ann.phone.frame.wait_for_selector("[data-push-off]:visible")
    until(lambda: ann.browser.endpoint.encode() not in kept_requests(called_evening))
    ann.phone.press("nav a:has-text('Table')")
    ann.phone.press("nav a:has-text('Tell me')")
    ann.phone.frame.wait_for_selector("[data-push-off]:visible")
    assert newer.endpoint.encode() not in kept_requests(called_evening)


def test_one_tap_on_the_page_ends_the_calls(called_evening: Evening, push_service: PushService):
    """And one begins them, also if it comes before the host has said how it can call."""
    ann, held = CalledPhone(called_evening, push_service), list[Any]()
    ann.phone.context.route("**/calls.json", lambda route: held.append(route), times=1)
    ann.phone.press("nav a:has-text('Tell me')")
    ann.phone.press("[data-call='push on']")
    until(lambda: ann.page.wait_for_timeout(50) or held)
    held[0].continue_()
    ann.phone.frame.wait_for_selector("[data-push-on]:visible")
    until(ann.browser.turns)
    ann.says("push off", "[data-push-off]:visible")
    folder = called_evening.table.root / "data" / "calls"
    kept = [path.name for path in folder.iterdir() if not path.name.startswith("called")]
    assert len(kept) == 1
    assert kept[0].startswith("stopped")
    assert ann.browser.turns() == [1]


def test_a_browsers_new_push_address_replaces_the_old_one(called_evening, push_service):
    ann, newer = CalledPhone(called_evening, push_service), Browser(push_service)
    ann.says("push on", "[data-push-on]:visible")
    until(ann.browser.turns)
    ann.has_now(newer)
    ann.phone.press("nav a:has-text('Table')")
    until(lambda: newer.turns() or newer.endpoint.encode() in kept_requests(called_evening))
    bot_plays_at(called_evening.address, called_evening.person("bo"), "b")
    answer_at(ann.phone)
    ann.phone.sent()
    called_evening.advance()
    until(newer.turns)
    assert ann.browser.turns() == [1]
    ann.phone.press("nav a:has-text('Tell me')")
    ann.phone.frame.wait_for_selector(f"[data-calls][data-push='{newer.endpoint}']")


def kept_requests(evening: Evening) -> bytes:
    return b"".join(bytes_of_files(evening.table.root / "data" / "calls").values())


@pytest.fixture
def writing_evening(site: Path, tmp_path: Path, chromium, server: MailServer) -> Iterator[Evening]:
    """A host that has Rhea's mailbox."""
    owner = Person("rhea", tmp_path / "home" / "owner" / "dealer", tmp_path, tmp_path)
    owner.home.parent.mkdir(parents=True)
    give_mailbox(owner, server)
    server.empty("ann")
    evening = Evening(tmp_path, chromium)
    yield evening
    evening.end()


@pytest.mark.post
def test_an_address_typed_while_joining_is_asked_to_confirm(writing_evening, server):
    writing_evening.new_game("--players Ann,Bo --game evolution")
    phone = writing_evening.phone().open(writing_evening.link("Ann"))
    phone.frame.locator("[name=mail]").fill(server.address("ann"))
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector("p.good")
    until(lambda: server.letters("ann", "rhea"))
    assert b"Do you want emails from this host of games?" in server.letters("ann", "rhea")[0]
    phone.press("p.buttons a.primary")
    phone.press("nav a:has-text('Tell me')")
    phone.frame.wait_for_selector("[data-mail-on]:visible")
    assert server.address("ann") in phone.text()
    phone.press("[data-call='mail off']")
    phone.frame.wait_for_selector("[data-mail-off]:visible")
    for path, data in bytes_of_files(writing_evening.table.root / "data").items():
        assert "calls" in path.parts or server.address("ann").encode() not in data
