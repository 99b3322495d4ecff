"""Mailboxes without a password: a command prints an access token (OAuth 2, XOAUTH2)."""

from pathlib import Path

import pytest

from pbem.files.home import Home
from pbem.post.account import PostBox
from pbem.post.connection import Trouble
from pbem.post.sender import Sender
from tests.kit.people import Person, Round
from tests.kit.real_mail_servers import MailServer, give_mailbox

pytestmark = pytest.mark.post


@pytest.fixture
def rhea(table: Round, server: MailServer) -> Person:
    person = table.person("rhea")
    give_mailbox(person, server)
    sign_in(person, server.token("rhea"))
    said = person.pbem(
        f"post setup --token-command 'echo run >> {runs(person)}; cat {page(person)}'"
    )
    assert said.exit == 0, said.text
    return person


def page(person: Person) -> Path:
    """The file that the token command prints, as a program that signs in would."""
    return person.home.parent / f"{person.name}.token"


def runs(person: Person) -> Path:
    """One line for each run of the token command."""
    return person.home.parent / f"{person.name}.runs"


def sign_in(person: Person, token: str) -> None:
    page(person).write_text(f"{token}\n")


def test_reading_and_sending_need_no_password(rhea: Person, server: MailServer) -> None:
    said = rhea.pbem("post test")
    assert said.exit == 0, said.text
    assert "everything works" in said.out
    assert len(server.mails("rhea")) == 1


def test_a_run_gets_a_new_token_for_each_connection(rhea: Person) -> None:
    for _ in range(2):
        assert rhea.pbem("run --once").exit == 0
    assert runs(rhea).read_text().count("run") >= 2


def test_a_token_that_is_no_longer_valid(rhea: Person, server: MailServer) -> None:
    old = server.token("rhea", seconds=-60)
    sign_in(rhea, old)
    said = rhea.pbem("post test")
    assert said.exit == 4, said.text
    assert "IMAP: localhost" in said.err
    assert "refuses the access token of rhea@pbem.example" in said.err
    assert "sign in again with the program that prints the token" in said.err
    assert old not in said.text
    sign_in(rhea, server.token("rhea"))
    assert rhea.pbem("post test").exit == 0


def test_the_token_of_somebody_else(rhea: Person, server: MailServer) -> None:
    sign_in(rhea, server.token("ann"))
    assert rhea.pbem("post test").exit == 4


def test_sending_refuses_an_old_token_too(rhea: Person, server: MailServer) -> None:
    account = PostBox(Home(rhea.home)).read()
    with pytest.raises(Trouble, match=r"SMTP: .* refuses the access token of rhea@") as error:
        Sender(account, server.token("rhea", seconds=-60))
    assert "sign in again" in error.value.hint


def test_a_command_that_prints_no_token(rhea: Person) -> None:
    for printed, told in (
        ("", "the access token of rhea@pbem.example is empty"),
        ("nö", "the access token for localhost"),
    ):
        sign_in(rhea, printed)
        said = rhea.pbem("post test")
        assert (said.exit, told in said.err) == (4, True), said.err
        assert "nö" not in said.text
    page(rhea).unlink()
    said = rhea.pbem("post test")
    assert said.exit == 4
    assert "the command for the access token failed" in said.err


def test_show_says_how_but_not_what(rhea: Person, server: MailServer) -> None:
    said = rhea.pbem("post show")
    assert "access token: printed by the command " in said.out
    assert page(rhea).read_text().strip() not in said.text


def test_one_way_only(rhea: Person) -> None:
    said = rhea.pbem("post setup --token-command a --password-command b")
    assert said.exit == 2
    assert "cannot be combined" in said.err
    assert rhea.pbem("post test").exit == 0
