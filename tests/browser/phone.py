"""A browser that plays by itself: the page of a host, with the program in it."""

import base64
from typing import Any

from pbem.files.folder import Folder, SharedFolder
from pbem.host.games import Game, Games
from tests.cli.people import Person, key_of
from tests.host.running import RunningHost
from tests.shared import ROOT

SITE = ROOT / "build" / "site-for-tests"
SECONDS = 60
DIGITS = "5eed" * 8
STRANGERS = {"eve"}
OUTSIDE = {
    "keyboard", "mouse", "context", "set_viewport_size", "emulate_media", "screenshot",
    "expect_download", "go_back", "on", "add_init_script", "wait_for_timeout",
}  # fmt: skip
"""What a test asks of the whole page; everything else it asks of the frame."""


def watch(page, said: list[str]) -> None:
    """Collect what the page says on its console, and errors of its scripts."""
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))


class Phone:
    """A browser with storage of its own, 390 px wide; `frame` has the pages."""

    def __init__(self, chromium, **more) -> None:
        usual = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
        self.context = chromium.new_context(**{**usual, **more})
        self.context.set_default_timeout(SECONDS * 1000)
        self.said: list[str] = []

    def open(self, address: str) -> "Phone":
        """Open an address in a new tab, and wait for the first page."""
        self.page = self.context.new_page()
        watch(self.page, self.said)
        self.page.goto(address)
        self.shown()
        return self

    def come_back(self, link: str) -> "Phone":
        """Open the person's own way back, and say that the seat is theirs."""
        self.open(link)
        self.press("button:has-text('Yes, I am')")
        self.frame.wait_for_selector("h1:not(:has-text('Take seat'))")
        return self

    def shown(self) -> None:
        self.page.wait_for_selector("html[data-shown], html[data-failed]", state="attached")
        failed = self.page.evaluate("document.documentElement.dataset.failed")
        assert not failed, failed
        self.frame = self.page.query_selector("#page").content_frame()
        self.frame.wait_for_selector("main:not([inert])")

    def press(self, selector: str) -> None:
        menu = self.frame.locator(".menu:not([open]) > summary")
        if selector.startswith("nav") and menu.is_visible():
            menu.click()
        self.frame.locator(selector).first.click()

    def text(self) -> str:
        return self.frame.locator("main").inner_text()


class SharedGame(Game):
    fresh = 0.0


class OneGame(Games):
    """One game, in a folder that its people share: some type commands there, and some have tabs."""

    kind = SharedGame

    def folder(self, name: str) -> SharedFolder:
        return Folder(self.place)


class TabPage:
    """The page of a tab, which a test may use as it would use a page of `pbem table`."""

    def __init__(self, chromium, touch: bool, **view: int) -> None:
        self.phone = Phone(chromium, viewport=view, has_touch=touch)
        self.said = self.phone.said

    def sit_down(self, host: RunningHost, person: Person) -> None:
        """Open the game on the host by the person's own way back; a person without a seat just
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
