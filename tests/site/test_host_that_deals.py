"""A game that a host deals, in browsers only: started on its page, played by links to the end."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.phone import Phone
from tests.browser.players import Mouse, Player
from tests.cli.people import Person, Round
from tests.site.conftest import SiteHost, status, turn_shown, until

STANDING = "plants first, then prey"


class Street:
    """A host that deals, and phones; nobody has a terminal but Eve, who audits."""

    def __init__(self, root: Path, chromium) -> None:
        self.table, self.chromium = Round(root), chromium
        self.host = SiteHost(self.person("owner"), root / "data", more="--deal")
        self.eve = self.person("eve")
        self.phones: list[Phone] = []

    def person(self, name: str) -> Person:
        person = self.table.person(name)
        person.env["SOURCE_DATE_EPOCH"] = ""
        return person

    def phone(self, **more) -> Phone:
        self.phones.append(Phone(self.chromium, **more))
        return self.phones[-1]

    def end(self) -> None:
        for phone in self.phones:
            phone.context.close()
        self.host.stop()
        assert not [line for phone in self.phones for line in phone.said]


@pytest.fixture
def street(site: Path, tmp_path: Path, chromium) -> Iterator[Street]:
    one = Street(tmp_path, chromium)
    yield one
    one.end()


def axe(page) -> None:
    found = Axe().run(page).response["violations"]
    assert not found, [(one["id"], one["nodes"][0]["html"]) for one in found]


def started(street: Street, phone: Phone, **fields: str) -> dict[str, str]:
    """Start a game from the page of the host, as somebody who comes there for the first time;
    return the link of each player."""
    phone.open(street.host.url)
    phone.frame.wait_for_selector("h1:has-text('All my games')")
    phone.press("a:has-text('A new game…')")
    page = phone.page
    page.wait_for_selector("h1:has-text('Start a game')")
    axe(page)
    for name, value in fields.items():
        if name in ("game", "pace", "dealer"):
            page.check(f"input[name={name}][value={value}]")
        elif name == "bots":
            page.select_option("[name=bots]", value)
        else:
            page.fill(f"[name={name}]", value)
    page.click("button[type=submit]")
    page.wait_for_selector(".seats")
    axe(page)
    names = page.locator(".seats .who").all_inner_texts()
    links = [one.get_attribute("value") for one in page.locator(".seats input").all()]
    return dict(zip(names, links, strict=True))


def joined(phone: Phone, link: str, name: str) -> Phone:
    phone.open(link)
    assert "Whoever runs it can see every hand." in phone.text()
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector(f"p.good:has-text('You are {name}')")
    phone.press("a:has-text('Open the game')")
    return phone


def test_a_whole_game(street: Street):
    first = street.phone()
    links = started(street, first, players="Ann\nBo\nCy")
    phones = {}
    for seat, (name, link) in zip("abc", links.items(), strict=True):
        phone = first if seat == "a" else street.phone()
        phones[seat] = joined(phone, link, name)
    digits = re.search(r"#join=([0-9a-f]{32})", links["Ann"])[1]
    address = f"{street.host.url}/g/{digits}"
    for _ in range(100):
        until(lambda: status(street.eve, address)["turn"])
        now = status(street.eve, address)
        turn = now["turn"]
        if now["over"]:
            break
        for seat in sorted(seat for seat, one in now["seats"].items() if one["asked"]):
            turn_shown(phones[seat], turn)
            player = Player(phones[seat].frame, Mouse(phones[seat].frame))
            if turn == 1:
                player.always("feed", STANDING)
            player.answer()
            assert "SEALED here as" in player.seal()
        until(lambda turn=turn: status(street.eve, address)["turn"] > turn)
    said = street.eve.pbem(f"audit {address}")
    assert "Proven: " in said.out, said.text
    assert street.host.url.removeprefix("http://") in said.out, "the certificate names the dealer"
    for phone in phones.values():
        turn_shown(phone, turn)
        phone.frame.wait_for_selector(".scores")
    phones["b"].press("a:has-text('Play again')")
    page = phones["b"].page
    page.wait_for_selector("h1:has-text('Start a game')")
    assert page.input_value("[name=players]") == "Bo\nCy\nAnn"
    page.click("button[type=submit]")
    page.wait_for_selector("h1:text('Evolution with Ann 2')")
    joined(phones["b"], page.locator(".seats input").first.get_attribute("value"), "Bo")


def test_what_is_wrong_is_said_and_what_was_typed_stays(street: Street):
    phone = street.phone()
    phone.open(street.host.url)
    page = phone.page
    page.goto(f"{street.host.url}/new")
    page.fill("[name=players]", "Ann\nann")
    page.click("button[type=submit]")
    page.wait_for_selector("[role=alert]:has-text('names that look the same')")
    assert "400" in phone.said.pop(), "the browser itself says that the form was refused"
    axe(page)
    assert page.input_value("[name=players]") == "Ann\nann"
    page.fill("[name=players]", "Ann\nBo")
    page.check("input[value=me]")
    page.click("button[type=submit]")
    page.wait_for_selector("h1:has-text('You deal, on your own computer')")
    assert "--players Ann,Bo" in page.input_value("input[readonly]")
    axe(page)


def test_a_link_is_copied(street: Street):
    phone = street.phone(permissions=["clipboard-read", "clipboard-write"])
    links = started(street, phone, players="Ann", bots="1", game="origin", pace="live")
    phone.page.click("[data-copy]")
    phone.page.wait_for_selector("button:has-text('Copied')")
    assert phone.page.evaluate("navigator.clipboard.readText()") == links["Ann"]
