"""Mailboxes without a password: a command prints an access token (OAuth 2, XOAUTH2)."""

import re
from pathlib import Path

import pytest

from pbem.files.home import Home
from pbem.post.mail_account import PostBox
from pbem.post.mail_server_connection import Trouble
from pbem.post.smtp_sender import Sender
from tests.kit.people import Person, Round, output_of, stdout_of
from tests.kit.real_mail_servers import MailServer, give_mailbox

pytestmark = pytest.mark.post


@pytest.fixture
def rhea_with_token(table: Round, server: MailServer) -> Person:
    person = table.person("rhea")
    give_mailbox(person, server)
    sign_in(person, server.token("rhea"))
    output_of(
        person, f"post setup --token-command 'echo run >> {runs(person)}; cat {token_page(person)}'"
    )
    return person


def token_page(person: Person) -> Path:
    """The file that the token command prints, as a program that signs in would."""
    return person.home.parent / f"{person.name}.token"


def runs(person: Person) -> Path:
    """One line for each run of the token command."""
    return person.home.parent / f"{person.name}.runs"


def sign_in(person: Person, token: str) -> None:
    token_page(person).write_text(f"{token}\n")


def test_reading_and_sending_need_no_password(rhea_with_token: Person, server: MailServer) -> None:
    said = stdout_of(rhea_with_token, "post test")
    assert "everything works" in said
    assert len(server.mails("rhea")) == 1


def test_a_run_gets_a_new_token_for_each_connection(rhea_with_token: Person) -> None:
    for _ in range(2):
        assert rhea_with_token.pbem("run --once").exit == 0
    assert runs(rhea_with_token).read_text().count("run") >= 2


def test_an_expired_token_is_refused_with_how_to_sign_in_again(rhea_with_token, server):
    old = server.token("rhea", seconds=-60)
    sign_in(rhea_with_token, old)
    said = rhea_with_token.pbem("post test")
    assert said.exit == 4, said.text
    assert "IMAP: localhost" in said.err
    assert "refuses the access token of rhea@pbem.example" in said.err
    assert "sign in again with the program that prints the token" in said.err
    assert old not in said.text
    sign_in(rhea_with_token, server.token("rhea"))
    assert rhea_with_token.pbem("post test").exit == 0


def test_the_token_of_somebody_else_is_refused(rhea_with_token: Person, server: MailServer) -> None:
    sign_in(rhea_with_token, server.token("ann"))
    assert rhea_with_token.pbem("post test").exit == 4


def test_sending_refuses_an_old_token_too(rhea_with_token: Person, server: MailServer) -> None:
    account = PostBox(Home(rhea_with_token.home)).read()
    with pytest.raises(Trouble, match=r"SMTP: .* refuses the access token of rhea@") as error:
        Sender(account, server.token("rhea", seconds=-60))
    assert "sign in again" in error.value.hint


def test_a_command_that_prints_no_usable_token_is_reported(rhea_with_token: Person) -> None:
    for printed, told in (
        ("", "the access token of rhea@pbem.example is empty"),
        ("nö", "the access token for localhost"),
    ):
        sign_in(rhea_with_token, printed)
        said = rhea_with_token.pbem("post test")
        assert (said.exit, told in said.err) == (4, True), said.err
        assert "nö" not in said.text
    token_page(rhea_with_token).unlink()
    said = rhea_with_token.pbem("post test")
    assert said.exit == 4
    assert re.search(r"the command for the access token \(.*\) .*No such file", said.err, re.S)


def test_post_show_names_the_token_command_and_not_the_token(rhea_with_token, server):
    said = rhea_with_token.pbem("post show")
    assert "access token: printed by the command " in said.out
    assert token_page(rhea_with_token).read_text().strip() not in said.text


def test_post_setup_takes_a_token_command_or_a_password_command_but_not_both(rhea_with_token):
    said = rhea_with_token.pbem("post setup --token-command a --password-command b")
    assert said.exit == 2
    assert "cannot be combined" in said.err
    assert rhea_with_token.pbem("post test").exit == 0
