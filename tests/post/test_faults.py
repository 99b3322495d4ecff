"""Servers that refuse, hang up or fill up: a letter comes once, and later than it should."""

import re
import subprocess

import pytest

from tests.kit.people import Round, output_of
from tests.kit.processes import until
from tests.kit.real_mail_servers import AS_ROOT, FULL, MailServer, give_mailbox
from tests.post import faulty_relay
from tests.post.games_by_mail import MailGame

pytestmark = pytest.mark.post


@pytest.fixture
def due_mail_game(table: Round, server: MailServer) -> MailGame:
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
        (faulty_relay.DROP, "broke while pbem sent a message to bo@pbem.example"),
        (faulty_relay.SWALLOW, "broke while pbem sent a message to bo@pbem.example"),
    ],
)
def test_a_letter_comes_once_after_its_server_refused_or_hung_up(due_mail_game, mode, told):
    before = len(due_mail_game.server.letters("bo", "rhea"))
    with faulty_relay.relay(due_mail_game.server.ports["smtp"]) as relay:
        relay.mode = mode
        set_options(due_mail_game, f"--smtp localhost:{relay.port} --smtp-security clear")
        said = due_mail_game.rhea.pbem("run --once")
        assert (said.exit, told in said.out) == (5, True), said.text
        assert "made turns/0001.toml" in said.out
        relay.mode = faulty_relay.PASS
        for _ in range(3):
            due_mail_game.server.settle()
            due_mail_game.rhea.pbem("run --once")
        due_mail_game.server.settle()
    came = [
        re.search(rb"(?im)^subject: *(.*)", m)[1]
        for m in due_mail_game.server.letters("bo", "rhea")[before:]
    ]
    assert len(came) == 1, came
    due_mail_game.run(due_mail_game.bo)
    assert (due_mail_game.far / "turns/0001.toml").exists()


def set_options(game: MailGame, options: str) -> None:
    """Set Rhea's mailbox up again, with the mail that is in it; a pass looks for copies once, as
    all are delivered before it."""
    kept = game.server.empty
    game.server.empty = lambda name: None  # type: ignore[method-assign]
    give_mailbox(game.rhea, game.server, options=f"--wait-for-copy 0 {options}")
    game.server.empty = kept  # type: ignore[method-assign]


def test_an_address_that_the_server_refuses_is_reported_until_it_is_changed(due_mail_game):
    output_of(due_mail_game.rhea, "post address -C savannah b nobody@pbem.example")
    said = due_mail_game.rhea.pbem("run --once")
    assert said.exit == 5
    assert "refuses mail to nobody@pbem.example: 550" in said.out
    assert "refused by the server: to nobody@pbem.example" in output_of(
        due_mail_game.rhea, "post show"
    )
    before = len(due_mail_game.server.letters("bo", "rhea"))
    output_of(
        due_mail_game.rhea, f"post address -C savannah Bo {due_mail_game.server.address('bo')}"
    )
    due_mail_game.run(due_mail_game.rhea)
    due_mail_game.server.settle()
    assert len(due_mail_game.server.letters("bo", "rhea")) == before + 1
    due_mail_game.run(due_mail_game.bo)
    assert (due_mail_game.far / "turns/0001.toml").exists()


def test_a_full_mailbox_sends_the_letter_back(due_mail_game: MailGame) -> None:
    place = due_mail_game.server.root / "mail" / due_mail_game.server.address(FULL)
    subprocess.run([*AS_ROOT, "rm", "-rf", str(place)], check=True)
    output_of(
        due_mail_game.rhea, f"post address -C savannah b {due_mail_game.server.address(FULL)}"
    )
    said = due_mail_game.run(due_mail_game.rhea)

    def came_back() -> bool:
        nonlocal said
        said += due_mail_game.run(due_mail_game.rhea)
        return "came back" in said

    until(came_back, every=1, why=due_mail_game.server.log)
    assert re.search("the email “savannah: turn 1.*” to full@pbem.example came back: ", said), (
        due_mail_game.server.log()[-2000:]
    )
    assert said.count("came back") == 1
