"""Joins for a seat whose player left, at a real host: the present invite opens it, no old one."""

import json

from tests.host.host_games import make_on_host
from tests.host.web_client import POOL, PUT
from tests.kit.people import Person, output_of, stdout_of


def files_at(address: str) -> list[str]:
    """The names of the files that a host has of a game."""
    answer = POOL.request("GET", f"{address}/")
    assert answer.status == 200
    return [line.partition(" ")[0] for line in answer.data.decode().splitlines()]


def join_made_elsewhere(who: Person, address: str, invite: str) -> tuple[str, bytes]:
    """A join, by its path and bytes, that somebody makes in a folder with the charter alone; there
    the command cannot know that the invite is an old one, and at the host it would refuse it."""
    folder = who.shared / "savannah"
    folder.mkdir()
    (folder / "game.toml").write_bytes(POOL.request("GET", f"{address}/game.toml").data)
    output_of(who, ["join", "-C", "savannah", "--name", who.name.title(), "--invite", invite])
    (made,) = folder.glob("seats/*.toml")
    return f"seats/{made.name}", made.read_bytes()


def test_an_open_seat_is_taken_with_its_present_invite_and_not_with_an_old_one(table, host):
    """Eve has the invite with which Cy joined, and sends her join without asking a command."""
    address, lines = make_on_host(table, host, "--players Ann,Bo,Cy --game origin")
    rhea, cy, flo = (table.person(name) for name in ("rhea", "cy", "flo"))
    for name in ("Ann", "Bo", "Cy"):
        output_of(table.person(name.lower()), lines[name])
    output_of(rhea, f"advance -C {address}")
    old_invite = lines["Cy"].rpartition(" ")[2]
    path, join = join_made_elsewhere(table.person("eve"), address, old_invite)

    def refused() -> tuple[int, str]:
        before = files_at(address)
        answer = POOL.request("PUT", f"{address}/{path}", body=join, headers=PUT)
        assert files_at(address) == before
        assert POOL.request("GET", f"{address}/{path}").status == 404
        return answer.status, answer.data.decode().strip()

    assert refused() == (403, "the game has begun, and seat c is not open")
    output_of(cy, f"notice leave --yes -C {address}")
    assert refused() == (403, "the join was not made with the newest invite to seat c")
    invite = json.loads(stdout_of(rhea, f"notice invite c -C {address} --json"))["data"]["invite"]
    assert refused() == (403, "the join was not made with the newest invite to seat c")
    output_of(rhea, f"advance -C {address}")
    assert refused() == (403, "the join was not made with the newest invite to seat c")

    before = files_at(address)
    output_of(flo, f"join -C {address} --name Flo --invite {invite}")
    (new,) = {*files_at(address)} - {*before}
    assert new.startswith("seats/c-")
