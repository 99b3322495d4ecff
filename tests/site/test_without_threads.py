"""A tab has no threads, sockets, processes or locks: every page and form in its own Python."""

import base64
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.people import Round, key_of
from tests.kit.phone import DIGITS, OneGame
from tests.kit.running_host import RunningHost
from tests.kit.selection import ROOT

GAMES = ("timed", "over", "plays")
"""A game that has begun, one that is over, and one that has not begun: Bo plays in each."""
NEVER = {
    "/game/{name}/calls": "it names no way to be called",
    "/game/{name}/rematch": "no game is over",
    "/unlock": "no key has a passphrase",
    "/join": "the invite is damaged",
    "/open": "there is no game in that folder",
    "/game/{name}/join": "the invite is damaged",
    "/game/{name}/mail/sent": "no such email was written",
    "/game/{name}/referee": "Bo does not deal",
    "/game/{name}/deal": "no game has co-dealers",
    "/game/{name}/move": "no link leads elsewhere",
}
"""The forms that refuse all that the visitor sends, and why."""


TYPED = re.compile(
    r"\bpbem (?:advance|audit|check|doctor|explain|join|keys|learn|list|log|new|notice|orders|play|"
    r"receive|replay|run|send|show|since|status|submit|table|tell) "
    r"|(?<![\w-])--[a-z]|/home/web|/tmp"
)
"""What only people at a terminal can use: commands, options and paths."""
FOR_OTHERS = {
    "/game/{name}/back": "says how to go on in a terminal",
    "/game/{name}/mail": "shows emails to people with a terminal",
    "/game/{name}/replay": "is a file that is saved",
    "/static/drawing.css": "has variables",
    "/static/player.js": "has notes",
}


@pytest.fixture
def links(game: Callable[[str], Round], tmp_path: Path) -> Iterator[list[str]]:
    """Bo's ways back to games on hosts."""
    hosts, found = list[RunningHost](), list[str]()
    secret = base64.urlsafe_b64encode(key_of("bo").seed).decode().rstrip("=")
    for name in GAMES:
        table = game(name)
        place = (table.shared / "savannah").rename(tmp_path / name)
        hosts.append(RunningHost(place, games=OneGame))
        hosts[-1].host.counts.requests.limit = 1_000_000
        found.append(f"{hosts[-1].url}/g/{DIGITS}/{secret}")
    yield found
    for host in hosts:
        host.stop()


def visits(site: Path, links: list[str], folder: Path) -> list[dict[str, Any]]:
    """What the tab's Python answers to each request."""
    code = (ROOT / "tests/site/visit.py").read_text("utf-8")
    code += f"\nawait main({links!r}, '/report/visits.json')"
    command = ["node", ROOT / "site/run-in-node.mjs", site, code, f"{folder}=/report"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    found: list[dict[str, Any]] = json.loads((folder / "visits.json").read_text("utf-8"))
    return found


def test_each_page_works_without_threads_for_none_one_two_and_three_games(site, links, tmp_path):
    """What needs a thread, a socket, a process or a lock ends as a bug there."""
    found = visits(site, links, tmp_path)
    typed = [
        (one["route"], one["query"], one["sent"], TYPED.search(one["words"])[0])
        for one in found
        if one["route"] not in FOR_OTHERS and TYPED.search(one["words"])
    ]
    assert not typed, "no page prints a command or a path"
    bugs = [one for one in found if one["status"] >= 500 or "RuntimeError" in one["words"]]
    assert not bugs, bugs[0]
    for number in range(len(GAMES) + 1):
        rows = {one["rows"] for one in found if one["route"] == "/" and one["games"] == number}
        assert number in rows, "the list shows each game"
    done = {(one["method"], one["route"]) for one in found if one["status"] in (200, 204, 303)}
    tried = {(one["method"], one["route"]) for one in found}
    assert {route for method, route in tried - done if method == "POST"} == {*NEVER}
    assert {route for method, route in tried - done if method == "GET"} == {
        "/game/{name}/calls", "/game/{name}/deal", "/game/{name}/referee",
        "/game/{name}/move",
    }  # fmt: skip
    assert len({route for _, route in tried}) > 25
