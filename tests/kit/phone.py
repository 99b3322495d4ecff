"""A browser that plays by itself: the page of a host, with the program in it.

For example:

    phone = Phone(chromium)
    phone.open(link)
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector("p.good")
"""

import base64
from typing import Any

from pbem.files.game_folder import Folder, SharedFolder
from pbem.host.kept_games import Game, Games
from tests.kit.people import Person, key_of
from tests.kit.processes import PATIENCE, until
from tests.kit.running_host import RunningHost
from tests.kit.selection import ROOT

SITE = ROOT / "build" / "site-for-tests"
DIGITS = "5eed" * 8
STRANGERS = {"eve"}
OUTSIDE = {
    "keyboard", "mouse", "context", "set_viewport_size", "emulate_media", "screenshot",
    "expect_download", "go_back", "on", "add_init_script", "wait_for_timeout",
}  # fmt: skip
"""What a test asks of the whole page; everything else it asks of the frame."""

KEPT = """() => new Promise((go) => {
  const open = indexedDB.open("pbem:/");
  open.onsuccess = () => {
    const tx = open.result.transaction(["answers", "files"]);
    const ids = tx.objectStore("answers").getAllKeys();
    const files = tx.objectStore("files").getAllKeys();
    tx.oncomplete = () => {
      open.result.close();
      const waiting = files.result.filter((path) => /outbox\\/.*toml$/.test(path));
      go([ids.result, waiting]);
    };
  };
})"""
"""What the browser keeps: ids of answered requests, and paths of files that wait to be sent."""


STATE = """() => {
  const { contentDocument, contentWindow, hidden } = document.getElementById("page");
  return [document.documentElement.dataset, document.body.innerText, hidden,
    contentWindow.location.href,
    contentDocument.readyState, contentDocument.body.outerHTML.slice(0, 2000)];
}"""
"""What the page and its frame show; always true, so that it can be waited for."""


def watch(page, said: list[str]) -> None:
    """Collect what the page says on its console, and errors of its scripts."""
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))


class Phone:
    """A browser with storage of its own, 390 px wide; `frame` has the pages."""

    def __init__(self, chromium, **more) -> None:
        usual = {
            "viewport": {"width": 390, "height": 844},
            "has_touch": True,
            "reduced_motion": "reduce",
        }
        self.context = chromium.new_context(**{**usual, **more})
        self.context.set_default_timeout(PATIENCE * 1000)
        self.said: list[str] = []
        self.is_closed = False

    def open(self, address: str) -> "Phone":
        """Open an address in a new tab, and wait for the first page."""
        self.page = self.context.new_page()
        watch(self.page, self.said)
        self.page.goto(address)
        self.shown()
        return self

    def come_back(self, link: str) -> "Phone":
        """Open the link to the person's seat, and say that the seat is theirs."""
        self.open(link)
        self.press("main button:has-text('Take seat')")
        self.frame.wait_for_selector("body[data-page=table] main:not([inert])")
        return self

    def shown(self) -> None:
        """Wait until a page is shown, and its scripts have run."""
        from playwright.sync_api import TimeoutError as TooLate

        try:
            self.page.wait_for_selector("html[data-shown], html[data-failed]", state="attached")
            failed = self.page.evaluate("document.documentElement.dataset.failed")
            assert not failed, failed
            self.frame = self.page.query_selector("#page").content_frame()
            self.frame.wait_for_selector("main:not([inert])")
        except TooLate as error:
            frames = [frame.url for frame in self.page.frames]
            state = self.page.wait_for_function(STATE, timeout=10_000).json_value()
            raise AssertionError(f"no page: {frames}, {state}, {self.said}") from error

    def press(self, selector: str) -> None:
        """Click; a link in the menu after the menu was opened."""
        if selector.startswith("nav"):
            until(lambda: self._pressed_in_menu(selector))
        else:
            self.frame.locator(selector).first.click()

    def _pressed_in_menu(self, selector: str) -> bool:
        """Click a link in the menu; False if the menu was closed again, because the page has just
        come, or came anew for the sake of news."""
        from playwright.sync_api import Error

        try:
            self.frame.wait_for_selector("main:not([inert])")
            menu = self.frame.locator(".menu:not([open]) > summary")
            if menu.is_visible():
                menu.click(timeout=2000)
            self.frame.locator(selector).first.click(timeout=2000)
        except Error:
            return False
        return True

    def sent(self) -> None:
        """Wait until nothing waits to be sent to the host."""
        until(lambda: not self.page.evaluate(KEPT)[1])
        self.page.wait_for_selector("#line", state="hidden")

    def text(self) -> str:
        return self.frame.locator("main").inner_text()

    def close(self) -> None:
        """End the browser. What a test still holds back of the network's answers comes too late."""
        if not self.is_closed:
            self.is_closed = True
            self.context.unroute_all(behavior="ignoreErrors")
            self.context.close()


class SharedGame(Game):
    fresh_seconds = 0.0


class OneGame(Games):
    """One game, in a folder that its people share: some type commands there, and some have tabs."""

    game_type = SharedGame

    def folder(self, name: str) -> SharedFolder:
        return Folder(self.place.path)


class TabPage:
    """The page of a tab, which a test may use as it would use a page of `pbem table`."""

    def __init__(self, chromium, touch: bool, **view: int) -> None:
        self.phone = Phone(chromium, viewport=view, has_touch=touch)
        self.said = self.phone.said

    def sit_down(self, host: RunningHost, person: Person) -> None:
        """Open the game on the host by the link to the person's seat; a person without a seat just
        looks."""
        secret = base64.urlsafe_b64encode(key_of(person.name).seed).decode().rstrip("=")
        link = f"game={DIGITS}" if person.name in STRANGERS else f"back={DIGITS}/{secret}"
        is_back = person.name not in STRANGERS
        (self.phone.come_back if is_back else self.phone.open)(f"{host.url}/#{link}")
        self.goto(f"{host.url}/")
        self.wait_for_selector("h1:has-text('All my games')")

    def reload(self) -> None:
        self.phone.page.reload()
        self.phone.shown()

    def __getattr__(self, name: str) -> Any:
        phone = self.__dict__["phone"]
        return getattr(phone.page if name in OUTSIDE else phone.frame, name)
