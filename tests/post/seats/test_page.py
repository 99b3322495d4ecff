"""docs/mail.md shows what the email asks that `send` writes."""

from collections.abc import Callable

from tests.kit.mail_seats import text_of, turn_mail
from tests.kit.people import Round
from tests.post.seats.make_replies import PAGE, page_with


def test_the_page_shows_the_mail(game: Callable[[str], Round]):
    text = text_of(turn_mail(game("second").person("rhea")))
    shown = PAGE.read_text("utf-8")
    assert page_with(shown, text) == shown
