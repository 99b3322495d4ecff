"""Servers that refuse, hang up or fill up: a letter comes once, and later than it should."""

import re
import subprocess
import time

import pytest

from tests.kit.people import Round
from tests.kit.processes import until
from tests.kit.real_mail_servers import AS_ROOT, FULL, MailServer, give_mailbox
from tests.post import faulty_relay
from tests.post.games_by_mail import MailGame

pytestmark = pytest.mark.post


@pytest.fixture
def game(table: Round, server: MailServer) -> MailGame:
    """A game whose next pass makes a turn, and sends it to Bo."""
    found = MailGame(table, server)
    found.begin()
    found.run(found.bo)
    server.settle()  # Bo's join is in the mailbox before Rhea looks
    return found


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        (faulty_relay.REFUSE, "the connection to localhost"),
        (faulty_relay.BUSY, "broke"),
        (faulty_relay.DROP, "broke while a message to bo@pbem.example was being sent"),
        (faulty_relay.SWALLOW, "broke while a message to bo@pbem.example was being sent"),
    ],
)
def test_the_letter_comes_once(game: MailGame, mode: str, told: str) -> None:
    before = len(game.server.letters("bo", "rhea"))
    with faulty_relay.relay(game.server.ports["smtp"]) as relay:
        relay.mode = mode
        set_options(game, f"--smtp localhost:{relay.port} --smtp-security clear")
        said = game.rhea.pbem("run --once")
        assert (said.exit, told in said.out) == (5, True), said.text
        assert "made turns/0001.toml" in said.out
        relay.mode = faulty_relay.PASS
        for _ in range(3):
            game.server.settle()
            said = game.rhea.pbem("run --once")
            time.sleep(1.5)
        game.server.settle()
    came = [
        re.search(rb"(?im)^subject: *(.*)", m)[1]
        for m in game.server.letters("bo", "rhea")[before:]
    ]
    assert len(came) == 1, came
    game.run(game.bo)
    assert (game.far / "turns/0001.toml").exists()


def set_options(game: MailGame, options: str) -> None:
    """Set Rhea's mailbox up again, with the mail that is in it."""
    kept = game.server.empty
    game.server.empty = lambda name: None  # type: ignore[method-assign]
    give_mailbox(game.rhea, game.server, options=options)
    game.server.empty = kept  # type: ignore[method-assign]


def test_an_address_that_the_server_refuses(game: MailGame) -> None:
    game.must(game.rhea, "post address -C savannah b nobody@pbem.example")
    said = game.rhea.pbem("run --once")
    assert said.exit == 5
    assert "refuses mail to nobody@pbem.example: 550" in said.out
    assert "refused by the server: to nobody@pbem.example" in game.must(game.rhea, "post show")
    before = len(game.server.letters("bo", "rhea"))
    game.must(game.rhea, f"post address -C savannah Bo {game.server.address('bo')}")
    game.run(game.rhea)
    game.server.settle()
    assert len(game.server.letters("bo", "rhea")) == before + 1
    game.run(game.bo)
    assert (game.far / "turns/0001.toml").exists()


def test_a_full_mailbox_sends_the_letter_back(game: MailGame) -> None:
    place = game.server.root / "mail" / game.server.address(FULL)
    subprocess.run([*AS_ROOT, "rm", "-rf", str(place)], check=True)
    game.must(game.rhea, f"post address -C savannah b {game.server.address(FULL)}")
    said = game.run(game.rhea)

    def came_back() -> bool:
        nonlocal said
        said += game.run(game.rhea)
        return "came back" in said

    until(came_back, every=1, why=game.server.log)
    assert "mail to full@pbem.example came back (savannah: turn 1" in said, game.server.log()[
        -2000:
    ]
    assert said.count("came back") == 1
