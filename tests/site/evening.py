"""People around a host with the page that plays, at phones and at terminals."""

import json
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.kit.browser_players import Mouse, Player
from tests.kit.people import Person, Round
from tests.kit.phone import SITE, Phone
from tests.kit.processes import PATIENCE, free_port, until


class SiteHost:
    """`pbem host --site` as a command of its own, with what it printed first."""

    def __init__(
        self, person: Person, data: Path, port: int = 0, more: str = "", **env: str
    ) -> None:
        port = port or free_port()  # it may be started there again
        self.data, self.port, self.more = data, port, more
        line = f"host --data {data} --port {port} --site {SITE} {more}"
        self.process = person.start(line, **env)
        assert self.process.stdout is not None
        said = ""
        while "your page as the owner: " not in said:
            line = self.process.stdout.readline()
            assert line, said
            said += line
        self.url = re.search(r"reach the games at (http\S+)", said)[1]
        self.hash = re.search(r"has changed the page: (\S+)", said)[1]

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)


class Evening:
    """People around a host, whose clocks are right. Rhea deals at a terminal, or the host does."""

    def __init__(self, root: Path, chromium, host: str = "", **env: str) -> None:
        """`host`: more options of `pbem host`, and `env` its environment."""
        self.table = Round(root)
        self.chromium = chromium
        self.host = SiteHost(self.person("owner"), root / "data", more=host, **env)
        self.invites: dict[str, str] = {}
        self.phones: list[Phone] = []

    def person(self, name: str) -> Person:
        person = self.table.person(name)
        person.env["SOURCE_DATE_EPOCH"] = ""
        return person

    def kill_host(self) -> None:
        """Kill the host, and start it at once."""
        self.host.kill()
        for lease in self.host.data.glob("dealing-*"):  # else it waits for half a minute
            shutil.rmtree(lease)
        self.host_again()

    def host_again(self, **env: str) -> None:
        """Start the host that was stopped, at the same address; `env` is its environment."""
        stopped = self.host
        owner = self.person("owner")
        self.host = SiteHost(owner, stopped.data, stopped.port, stopped.more, **env)

    def new_game(self, line: str) -> str:
        """Rhea makes a game; returns its address."""
        said = self.person("rhea").pbem(f"new savannah --referee Rhea --at {self.host.url} {line}")
        assert said.exit == 0, said.text
        self.invites = dict(re.findall(r"  (\w+):  pbem join .*--invite (\S+)", said.out))
        self.links = re.findall(r"or in a browser: (\S+)", said.out)
        self.address = re.search(rf"made ({self.host.url}/g/[0-9a-f]{{32}}) ", said.out)[1]
        return self.address

    def link(self, name: str) -> str:
        """The link that `pbem new` printed for a player."""
        return self.links[[*self.invites].index(name)]

    def joins(self, name: str) -> Person:
        """Somebody takes a seat at a terminal."""
        person = self.person(name.lower())
        person.pbem(["join", "-C", self.address, "--invite", self.invites[name]]).checked(0)
        return person

    def advance(self) -> str:
        said = self.person("rhea").pbem(f"advance -C {self.address}")
        assert said.exit in (0, 5), said.text
        return said.text

    def phone(self, **more) -> "Phone":
        self.phones.append(Phone(self.chromium, **more))
        return self.phones[-1]

    def end(self) -> None:
        for phone in self.phones:
            phone.close()
        self.host.stop()
        said = [line for phone in self.phones for line in phone.said]
        assert not said


SELDOM = 0.5
"""Seconds between two questions to a host: it refuses a network, in which all people of a test are,
that asks 1,200 times a minute."""


def status_at(person: Person, address: str) -> dict:
    """The game on a host, as somebody at a terminal sees it."""
    said = person.pbem(f"status -C {address} --json").checked(0)
    return json.loads(said.out)["data"]


def look_until(
    phone: Phone, wanted: str, ask: Callable[[], object] = lambda: None, seconds: float = PATIENCE
) -> None:
    """Look at whatever is new until the page shows what is wanted; other news may come first, and a
    page on which nothing can be typed comes anew by itself. `ask` makes news come sooner."""

    from playwright.sync_api import Error

    def is_shown() -> bool:
        ask()
        if phone.frame.locator(wanted).count():
            return True
        with suppress(Error):  # nothing is new, or the page is just going
            phone.frame.locator("#banner a, #banner button").click(timeout=1000)
        return False

    until(is_shown, seconds, why=lambda: f"{wanted} is not shown, but {phone.text()}")
    phone.frame.wait_for_selector("main:not([inert])")


def turn_shown(phone: Phone, turn: int, **more) -> None:
    """Look at whatever is new until the page shows this turn."""
    look_until(phone, f"h1 .where:text-matches('Turn {turn}([^0-9]|$)')", **more)


def answer_at(phone: Phone) -> None:
    """Answer all that the page asks, and send it."""
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    assert "Sent." in player.seal()


def join_at_phone(phone: Phone, link: str) -> None:
    """Join by a link; return when the host has the join."""
    phone.open(link)
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector("p.good")
    phone.sent()


NO_SERVICE_WORKER = "delete Navigator.prototype.serviceWorker"
"""As in a private window of Firefox, or in the browsers inside many chat programs."""


SEND = """([path, body]) => fetch(path, {method: "POST", headers: {"x-pbem-part": "1"},
  body: JSON.stringify(body)}).then((answer) => answer.status)"""
"""What a form of the pages does."""


def ann_at_phone(evening: Evening, script: str = "", **more) -> Phone:
    """Ann at her phone, in a game that has begun; `script` runs before each page."""
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Bo")
    phone = evening.phone(**more)
    phone.context.add_init_script(script)
    join_at_phone(phone, evening.link("Ann"))
    assert "turns/0001.toml" in evening.advance()
    turn_shown(phone, 1)
    phone.frame.wait_for_selector("#send")
    phone.page.wait_for_selector("#line", state="hidden")
    return phone


def game_path(phone: Phone) -> str:
    return re.search(r"#(/game/[0-9a-f]{12})", phone.page.url)[1]


def send_part(phone: Phone, part: str, body: dict) -> None:
    """Send a form of the game's pages from the page around them, which stays when they change."""
    assert phone.page.evaluate(SEND, [f"{game_path(phone)}/{part}", body]) == 200


def write_to_all(phone: Phone, text: str) -> None:
    """Send a message to everybody."""
    send_part(phone, "messages", {"text": text, "to": ""})
