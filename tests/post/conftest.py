"""Mail servers for the tests with the marker `post`, started once; and people with mailboxes.

The other tests here have small servers of their own, and the games and people of the commands.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.drawing.svg import png
from pbem.files.home import Home
from pbem.mail import letter
from pbem.post.mail_account import PostBox
from pbem.post.outbox import Outbox
from tests.kit.real_mail_servers import server
from tests.kit.small_mail_servers import mail_server
from tests.post.notified import notified_server
from tests.post.one_letter import ACCOUNT

__all__ = ["mail_server", "notified_server", "server"]


@pytest.fixture(autouse=True, scope="module")
def small_pictures() -> Iterator[None]:
    """An email's picture takes a quarter of a second to draw; what it looks like, tests/drawing
    says. Only here: tests of other folders look at such a picture."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(letter, "png", lambda svg: png(svg, 0.1))
        yield


@pytest.fixture
def mail_outbox(tmp_path: Path) -> Outbox:
    return Outbox(PostBox(Home(tmp_path)), ACCOUNT)
