"""The page of an email to a player without `pbem`, as phones and computers show it."""

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from tests.kit.mail_seats import (
    answer_mail,
    at_turn_two,
    begin_mail_game,
    page_with_picture,
    receive,
    reply,
    successful,
    turn_mail,
)
from tests.kit.people import Person, Round

SCREEN = 844
"""CSS pixels: the height of a usual phone's screen."""
LEAST = 30
"""CSS pixels: the least height of a choice, so that a finger hits it."""
LOOK = """() => {
  const choices = [...document.querySelectorAll('a[style*=border]')].map(
    one => one.getBoundingClientRect());
  return {
    wide: document.documentElement.scrollWidth, choices: choices.length,
    last: Math.max(...choices.map(one => one.bottom)),
    least: Math.min(...choices.map(one => one.height)),
    back: matchMedia('(prefers-color-scheme: dark)').matches,
  };
}"""


def asked_back(rhea: Person) -> EmailMessage:
    successful(receive(rhea, reply(turn_mail(rhea), "3 or 10, cooperation")))
    return answer_mail(rhea)


MAILS: dict[str, Callable[[Round], EmailMessage]] = {
    "a few choices": lambda table: turn_mail(begin_mail_game(table)),
    "many choices": lambda table: turn_mail(at_turn_two(table)),
    "asked back": lambda table: asked_back(at_turn_two(table)),
}


@pytest.mark.parametrize("name", MAILS)
def test_on_a_phone_a_mails_question_and_choices_fit_the_first_screen(page, tmp_path, name):
    mail = MAILS[name](Round(tmp_path))
    file = tmp_path / "mail.html"
    file.write_text(page_with_picture(mail), "utf-8")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (360, 390, 800):
            page.set_viewport_size({"width": width, "height": SCREEN})
            page.goto(file.as_uri())
            seen = page.evaluate(LOOK)
            assert seen["wide"] <= width
            assert seen["choices"] >= 3
            assert seen["last"] <= SCREEN
            assert seen["least"] >= LEAST
            assert seen["back"] is (scheme == "dark")
            body = page.evaluate("getComputedStyle(document.body).color")
            assert (body == "rgb(255, 255, 255)") is (scheme == "dark")
