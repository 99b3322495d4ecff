"""Letters of a host when it is somebody's move: one to confirm the address, then one for each call,
each with a link to stop. Postfix and Dovecot bring them."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.records.player_call_request import CallRequest
from tests.host.dealing import POOL
from tests.host.host_games import bot_answers, make_on_host
from tests.kit.named_games import session_at
from tests.kit.people import NOW, Person, Round, key_of, output_of
from tests.kit.processes import until
from tests.kit.push_service import ask_for_calls
from tests.kit.real_mail_servers import MailServer, give_mailbox
from tests.kit.running_host import HostProcess, bytes_of_files

pytestmark = pytest.mark.post
DAY = 86_400
LONG_FORM = (
    '------x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\n'
    "One-Click\r\n------x--\r\n"
)


@pytest.fixture
def writing_host(tmp_path: Path, table: Round, server: MailServer) -> Iterator[HostProcess]:
    """A host that has Rhea's mailbox."""
    owner = Person("rhea", tmp_path / "owner" / "dealer", tmp_path, tmp_path)
    owner.home.parent.mkdir()
    give_mailbox(owner, server)
    host = HostProcess(str(tmp_path / "data"), tmp_path / "owner", SOURCE_DATE_EPOCH=str(NOW))
    yield host
    host.stop()


class WrittenGame:
    """A game of Ann and Bo, in which Ann asks for letters."""

    def __init__(self, host: HostProcess, table: Round, server: MailServer) -> None:
        self.host, self.table, self.server = host, table, server
        self.address, invites = make_on_host(table, host, "--players Ann,Bo --game evolution")
        self.people = {name: table.person(name.lower()) for name in ("Ann", "Bo")}
        for name, person in self.people.items():
            output_of(person, invites[name])
            server.empty(name.lower())
        self.id = session_at(self.address, self.people["Ann"]).game_folder.game

    def ask(self, address: str = "", time: int = NOW, on: bool = True) -> tuple[int, str]:
        address = address or self.server.address("ann")
        request = CallRequest(
            game=self.id, host=self.host.url, seat="a", time=time, way="mail", on=on,
            address=address,
        )  # fmt: skip
        return ask_for_calls(self.address, request, key_of("ann"))

    def texts(self, name: str = "ann") -> list[str]:
        """What came to somebody's mailbox, subject and text."""
        letters = [message_from_bytes(data) for data in self.server.letters(name, "rhea")]
        return [f"{letter['subject']}\n{letter.get_payload()}" for letter in letters]

    def link(self, text: str) -> str:
        return re.search(rf"{self.host.url}/call/\S+", text)[0]

    def press(self, link: str, answer: str) -> str:
        said = POOL.request(
            "POST", link, body=f"answer={answer}",
            headers={"content-type": "application/x-www-form-urlencoded"},
        )  # fmt: skip
        return said.data.decode()

    def next_turn(self) -> None:
        for name, seat in (("Ann", "a"), ("Bo", "b")):
            bot_answers(self.people[name], self.address, seat)
        output_of(self.table.person("rhea"), f"advance -C {self.address}")

    def kept(self) -> str:
        """All that the host has on its disk."""
        files = bytes_of_files(Path(self.host.data)) | bytes_of_files(self.host.home)
        log = self.host.log.read_text()
        return log + "".join(data.decode("latin-1") for data in files.values())


@pytest.fixture
def written_game(writing_host: HostProcess, table: Round, server: MailServer) -> WrittenGame:
    return WrittenGame(writing_host, table, server)


def test_an_address_is_confirmed_then_called_then_forgotten(written_game: WrittenGame):
    game = written_game
    assert game.ask() == (200, "kept")
    until(lambda: len(game.texts()) == 1)
    first = game.texts()[0]
    assert first.startswith("Do you want emails from this host of games?")
    assert not re.search("Ann|Bo|savannah|Rhea", first.replace(game.host.url, ""))
    output_of(game.table.person("rhea"), f"advance -C {game.address}")
    link = game.link(first)
    page = POOL.request("GET", link).data.decode()  # as some mail programs do
    assert "Was it you?" in page
    assert len(game.texts()) == 1, "nobody has confirmed yet"
    assert "writes to you when it is your move" in game.press(link, "confirm")
    until(lambda: len(game.texts()) == 2)
    assert game.texts()[1].startswith("It is your move\n")
    assert game.ask(time=NOW + 1) == (200, "kept")
    game.host.stop()
    game.host.start()  # it does not know any more that it has just written
    game.next_turn()
    until(lambda: len(game.texts()) == 3)
    assert {text.partition("\n")[0] for text in game.texts()[1:]} == {"It is your move"}
    assert "does not write to this address any more" in game.press(
        game.link(game.texts()[2]), "stop"
    )
    assert game.server.address("ann") not in game.kept()
    assert POOL.request("GET", link).status == 404
    game.next_turn()
    assert game.ask(time=NOW + 2) == (200, "kept")
    until(lambda: len(game.texts()) == 4)
    first_words = "Do you want emails from this host of games?"
    assert game.texts()[3].startswith(first_words), "once more from the start"
    assert not game.server.letters("rhea", "rhea"), "no copy is kept"


def test_an_address_is_forgotten_at_the_end_and_is_in_no_record(written_game: WrittenGame):
    game = written_game
    game.ask()
    until(lambda: len(game.texts()) == 1)
    game.press(game.link(game.texts()[0]), "confirm")
    output_of(game.table.person("rhea"), f"advance -C {game.address}")
    until(lambda: len(game.texts()) == 2)
    assert game.server.address("ann") in game.kept()
    for name in ("ann", "bo"):
        output_of(game.table.person(name), f"notice end --draw -C {game.address}")
    output_of(game.table.person("rhea"), f"advance -C {game.address}")
    until(lambda: game.server.address("ann") not in game.kept())


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"),
        ("multipart/form-data; boundary=----x", LONG_FORM),
    ],
)
def test_one_click_in_a_mail_program_stops_the_letters(written_game, kind, body):
    game = written_game
    game.ask()
    until(lambda: len(game.texts()) == 1)
    game.press(game.link(game.texts()[0]), "confirm")
    output_of(game.table.person("rhea"), f"advance -C {game.address}")
    until(lambda: len(game.texts()) == 2)
    for letter in map(message_from_bytes, game.server.letters("ann", "rhea")):
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert letter["List-Unsubscribe"] == f"<{game.link(letter.get_payload())}>"
    link = letter["List-Unsubscribe"].strip("<>")
    assert POOL.request("GET", link).status == 200, "to look at it stops nothing"
    assert POOL.request("POST", link, body=body, headers={"content-type": kind}).status == 200
    assert POOL.request("GET", link).status == 404
    assert game.server.address("ann") not in game.kept()


def test_a_flood_of_addresses_is_refused(written_game: WrittenGame):
    game = written_game
    assert game.ask("ann")[0] == 400
    assert game.ask("ann@pbem.example,bo@pbem.example")[0] == 400
    names = ["ann", "ann+1", "A.NN", "ann+2"]
    statuses = [game.ask(f"{name}@pbem.example", NOW + n)[0] for n, name in enumerate(names)]
    assert statuses == [200, 200, 200, 429], "three letters a day to a mailbox"
    statuses = [game.ask(f"x{n}@{'pbem.example'}", NOW + 10 + n)[0] for n in range(10)]
    assert statuses.count(429) == 3, "ten letters an hour for a network"
    link = f"{game.host.url}/call/{'0' * 32}-{'0' * 16}-{'0' * 16}/{'0' * 32}"
    assert POOL.request("GET", link).status == 404
