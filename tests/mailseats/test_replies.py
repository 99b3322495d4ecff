"""Replies as mail programs write them: each file in tests/post/replies, through `pbem receive`."""

from collections.abc import Callable

import pytest

from tests.cli.people import Round
from tests.mailseats.mail_game import answer, letters, orders_of_bo, receive, text_of
from tests.mailseats.make_replies import FOLDER
from tests.mailseats.reply_table import TABLE

SUGGESTED = ("always leaf: done", "always think: done")
PLAIN = str.maketrans("_", " ", "[]")


def test_the_table_names_every_file():
    assert sorted(TABLE) == sorted(path.stem for path in FOLDER.glob("*.eml"))
    assert len(TABLE) >= 40


@pytest.mark.parametrize("name", sorted(TABLE))
def test_what_a_reply_means(game: Callable[[str], Round], name: str):
    rhea, meant = game("second").person("rhea"), TABLE[name]
    said = receive(rhea, (FOLDER / f"{name}.eml").read_bytes())
    assert said.exit == meant.exit, said.text
    sealed = [text.translate(PLAIN) for text in orders_of_bo(rhea)]
    assert [text for text in sealed if text not in SUGGESTED] == list(meant.orders), said.text
    if not meant.answers:
        assert not letters(rhea)
        return
    told = " ".join(text_of(answer(rhea)).split())
    assert [part for part in meant.answers if part not in told] == [], told
