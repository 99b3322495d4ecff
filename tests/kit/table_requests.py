"""Requests to a table as a browser, or somebody else, would send them; no port is needed.

For example:

    asking, path = enter_game(game("middle"), "ann")
    page = asking.get(path)
    assert page.status == 200
    assert "savannah" in page.text
"""

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pbem.files.home import Home
from pbem.web.access_guard import Guard
from pbem.web.page_routes import make_app
from tests.kit.named_games import game_id
from tests.kit.people import Person, Round

HOST = "127.0.0.1:4711"
ORIGIN = f"http://{HOST}"


@dataclass
class Answer:
    """What came back."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


class Asking:
    """One table, and whoever asks it for something."""

    def __init__(self, home: Path, folder: Path | None = None) -> None:
        self.guard = Guard(make_app(Home(home), folder), HOST)
        self.cookie = self.root = ""
        self.is_tab = False
        """Whether pages are written as for a browser tab."""

    def enter(self) -> Answer:
        """Send the token, as the first page does, and keep the path and the cookie."""
        answer = self.post("/enter", self.guard.token.encode())
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        self.root = json.loads(answer.body).get("address", "").removesuffix("/")
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, b"", **headers)

    def post(self, path: str, body: bytes = b"{}", **headers: str) -> Answer:
        given = {"origin": ORIGIN, "x_pbem_part": "1", **headers}
        return self.ask("POST", path, body, **given)

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """One request below the path of the table; a header that is empty is left out, `_` in its
        name stands for `-`."""
        given = {"host": HOST, "cookie": self.cookie, **headers}
        url = urlsplit(path if path == "/enter" else self.root + path)
        scope = {
            "type": "http", "method": method, "path": unquote(url.path), "root_path": "",
            "query_string": url.query.encode(), "scheme": "http", "http_version": "1.1",
            "pbem_tab": self.is_tab,
            "headers": [
                (name.lower().replace("_", "-").encode(), value.encode("latin-1"))
                for name, value in given.items()
                if value
            ],
        }  # fmt: skip
        answer = Answer()

        sent: list[bytes] = []

        async def receive():
            if sent:
                await asyncio.Event().wait()  # whoever asks stays there until the answer is whole
            sent.append(body)
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message):
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {k.decode(): v.decode() for k, v in message["headers"]}
            else:
                answer.body += message.get("body", b"")

        asyncio.run(self.guard(scope, receive, send))
        return answer


def enter_table(person: Person, folder: Path | None = None) -> Asking:
    """The table of a person, entered; its list has the game in the folder, if one is named."""
    asking = Asking(person.home, folder)
    assert asking.enter().status == 200
    assert asking.get("/").status == 200
    return asking


def enter_game(table: Round, name: str) -> tuple[Asking, str]:
    asking = enter_table(table.person(name), table.shared / "savannah")
    return asking, f"/game/{game_id(table)[:12]}"


def send_form(asking: Asking, path: str, **said: object) -> Answer:
    return asking.post(path, json.dumps(said).encode(), x_pbem_part="1")
