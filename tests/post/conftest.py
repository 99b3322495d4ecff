"""Mail servers for the tests with the marker `post`, started once; and people with mailboxes.

The other tests here have small servers of their own, and the games and people of the commands.
"""

from collections.abc import Iterator

import pytest

from pbem.drawing.svg import png
from pbem.mail import letter
from tests.kit.people import Person
from tests.kit.real_mail_servers import PASSWORD, MailServer, installed, running


@pytest.fixture(autouse=True, scope="session")
def small_pictures() -> Iterator[None]:
    """An email's picture takes a quarter of a second to draw; what it looks like, tests/drawing
    says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(letter, "png", lambda svg: png(svg, 0.1))
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[MailServer]:
    if not installed():
        pytest.fail("Dovecot and Postfix are not installed: sh tools/mailserver.sh installs them")
    with running() as found:
        yield found


def set_up(
    person: Person, server: MailServer, name: str = "", options: str = "", ca: str = "ours"
) -> None:
    """Give a person a mailbox on the test server; nothing is in it."""
    name = name or person.name
    server.empty(name)
    password = person.home.parent / f"{person.name}.password"
    password.write_text(PASSWORD + "\n")
    password.chmod(0o600)
    said = person.pbem(
        f"post setup --address {server.address(name)} --imap localhost:{server.ports['imaps']} "
        f"--smtp localhost:{server.ports['smtp']} --smtp-security starttls "
        f"--password-file {password} "
        f"--games {person.place} --wait-for-copy 3 --per-hour 10000 {options}"
        + (f" --ca {server.certificate if ca == 'ours' else ca}" if ca else "")
    )
    assert said.exit == 0, said.text
