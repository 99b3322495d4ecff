"""A host that deals: its form for a new game, the people who join, and its turns."""

import json
import time

import urllib3

from tests.kit.people import Person, Round, output_of
from tests.kit.processes import until
from tests.kit.running_host import HostProcess

FORM = {"players": "Ann\nBo\nCy", "game": "evolution", "pace": "day"}
POOL = urllib3.PoolManager(retries=False)


def response_of_host(
    host: HostProcess, page: str, form: dict[str, str] | None = None, data: bool = False
):
    """What a browser gets; with a form, what it gets when it sends the form."""
    headers = {"Accept": "application/json"} if data else {}
    method, more = ("POST", {"fields": form, "encode_multipart": False}) if form else ("GET", {})
    return POOL.request(method, f"{host.url}{page}", headers=headers, redirect=False, **more)


def response_of_dealer(host: HostProcess, page: str, form: dict[str, str]):
    """What a browser gets that sends a form to a host once the host is certain that it deals: just
    after its start it is not."""
    responses = []

    def is_dealing() -> bool:
        responses.append(response_of_host(host, page, form))
        return responses[-1].status != 503

    until(is_dealing, every=0.5, why=host.log.read_text)
    return responses[-1]


def game_from_form(host: HostProcess, form: dict[str, str]) -> dict[str, object]:
    said = response_of_host(host, "/new", form, data=True)
    assert said.status == 201, said.data
    (game,) = json.loads(said.data)
    return game


def everybody_joins(host: HostProcess, table: Round, form: dict[str, str]) -> list[Person]:
    """Start a game; each player joins at a machine of their own, and knows the address."""
    game = game_from_form(host, form)
    people = []
    for seat in game["seats"]:
        who = table.person(seat["name"].lower())
        output_of(who, seat["command"].removeprefix("pbem "))
        who.env["PBEM_FOLDER"] = game["address"]
        people.append(who)
    return people


def wait_for_turn(address: str, turn: int) -> bool:
    """Wait until the host has made a turn; return whether the game is over instead."""
    etag, listed = "", b""
    wanted = f"turns/{turn:04}.toml".encode()

    def is_there() -> bool:
        nonlocal etag, listed
        # a connection that is kept may be closed by the host just when it is used again
        headers = {"If-None-Match": etag, "Prefer": "wait=25", "Connection": "close"}
        said = POOL.request("GET", f"{address}/", headers=headers)
        if said.status == 429:  # a game of hours is played in a minute
            time.sleep(float(said.headers["retry-after"]))
            return False
        etag, listed = said.headers["etag"], said.data or listed
        return b"final.toml" in listed or wanted in listed

    until(is_there, why=lambda: f"no turn {turn}: {listed.decode()}")
    return b"final.toml" in listed


def wait_until_logged(who: Person, address: str, told: str) -> None:
    """Wait until the log of the game says something."""
    until(lambda: told in output_of(who, f"log -C {address}"), every=0.5)


def count_turns(address: str) -> int:
    return POOL.request("GET", f"{address}/").data.count(b"turns/")


def owners_page(host: HostProcess) -> str:
    word = (host.home / "host-password").read_text().strip()
    headers = urllib3.make_headers(basic_auth=f"owner:{word}")
    return POOL.request("GET", f"{host.url}/owner", headers=headers).data.decode()
