"""`post setup` and `post test`: what is wrong with a mailbox is said in words."""

import json

import pytest

from tests.kit.people import Person, Round, stdout_of
from tests.kit.real_mail_servers import MailServer, give_mailbox

pytestmark = pytest.mark.post


@pytest.fixture
def rhea_with_mailbox(table: Round, server: MailServer) -> Person:
    person = table.person("rhea")
    give_mailbox(person, server)
    return person


def test_post_test_says_that_everything_works(rhea_with_mailbox, server):
    said = stdout_of(rhea_with_mailbox, "post test")
    assert f"reading: localhost:{server.ports['imaps']}, folder INBOX" in said
    assert "everything works" in said
    assert len(server.mails("rhea")) == 1
    said = rhea_with_mailbox.pbem("run --once")  # its own test message is nothing for pbem
    assert (said.exit, said.out) == (0, "")


@pytest.mark.parametrize("security", ["tls", "starttls", "clear"])
def test_post_test_works_with_tls_with_starttls_and_without_encryption(
    rhea_with_mailbox, server, security
):
    imap, smtp = ("imaps", "smtps") if security == "tls" else ("imap", "smtp")
    options = f"--imap localhost:{server.ports[imap]} --imap-security {security} "
    options += f"--smtp localhost:{server.ports[smtp]} --smtp-security {security}"
    give_mailbox(rhea_with_mailbox, server, options=options)
    said = stdout_of(rhea_with_mailbox, "post test")
    assert said.count("NOT encrypted") == (2 if security == "clear" else 0)


def test_post_test_says_what_is_wrong_and_what_to_try(rhea_with_mailbox, server):
    port = server.ports["imaps"]

    def wrong(options: str, *words: str, code: int = 5, ca: str = "ours") -> None:
        give_mailbox(rhea_with_mailbox, server, options=options, ca=ca)
        said = rhea_with_mailbox.pbem("post test")
        assert said.exit == code, said.text
        assert all(word in said.err for word in words), said.err
        assert "  try: " in said.err

    wrong("", "the certificate of localhost", "--ca FILE", ca="")
    wrong(f"--imap 127.0.0.2:{port}", "nothing answers", "check the port")
    wrong("--imap localhost:1", "nothing answers at localhost:1")
    wrong("--imap nowhere.invalid", "there is no server called nowhere.invalid")
    wrong("--mail-folder Gmaes", "no folder 'Gmaes'", "choose one of its folders (INBOX")
    wrong("--user nobody", "refuses the password of nobody", code=4)
    wrong(f"--imap localhost:{server.ports['imap']} --imap-security tls", "does not answer in TLS",
          "starttls")  # fmt: skip
    wrong(f"--smtp localhost:{server.ports['smtps']} --smtp-security tls",
          "cannot be read as a certificate", code=2, ca="none")  # fmt: skip


def test_post_test_says_that_the_server_refuses_the_password(rhea_with_mailbox, server):
    (rhea_with_mailbox.home.parent / "rhea.password").write_text("no\n")
    said = rhea_with_mailbox.pbem("post test")
    assert said.exit == 4
    assert "refuses the password of rhea@pbem.example" in said.err
    assert "[AUTHENTICATIONFAILED]" in said.err
    assert "b'" not in said.err


def test_post_show_never_shows_the_password(rhea_with_mailbox: Person) -> None:
    for line in ("post show", "post show --json"):
        said = rhea_with_mailbox.pbem(line)
        assert said.exit == 0
        assert "correct horse" not in said.text
    assert json.loads(said.out)["data"]["waiting"] == []
