"""A game of origin on a host, in which everybody answers, writes and asks for the end."""

from pathlib import Path

from pbem.files.game_folder import Folder
from tests.host.host_games import make_on_host
from tests.kit.people import Person, Round, output_of
from tests.kit.running_host import RunningHost

PASS = 'develop = ["pass"]\n'


def begin_on_host(table: Round, host: RunningHost, names: str = "Ann,Bo,Cy") -> str:
    """A game after its first turn; returns its address."""
    address, lines = make_on_host(table, host, f"--players {names} --game origin")
    for name in names.split(","):
        output_of(table.person(name.lower()), lines[name])
    output_of(table.person("rhea"), f"advance -C {address}")
    return address


def play_turn(table: Round, address: str, names: str = "ann bo cy", **env: str) -> None:
    """Everybody answers, with a message and a notice, and a turn is made."""
    for name in names.split():
        said = table.person(name).pbem(["submit", "-C", address, "-"], PASS)
        assert said.exit in (0, 5), said.text
    output_of(table.person("ann"), f"tell -C {address} hello")
    output_of(table.person("ann"), f"notice end -C {address}")
    table.person("rhea").pbem(f"advance -C {address}", **env).checked(0)


def hosted_folder(host: RunningHost, address: str) -> Path:
    return host.games.game_at(address[-32:]).folder.place.path


def record_files(host: RunningHost, address: str) -> dict[str, bytes]:
    listing = Folder(hosted_folder(host, address)).scan()
    found = [one.path for one in (*listing.records, *listing.press)]
    return {path: (hosted_folder(host, address) / path).read_bytes() for path in found}


def submit_pass(person: Person, address: str) -> str:
    said = person.pbem(["submit", "-C", address, "-"], PASS).checked(0)
    return said.text
