"""Replies as mail programs write them: each shape of `reply_shapes.py`, through `pbem receive`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.mail_seats import (
    answer_mail,
    copied_round,
    letters,
    receive,
    reply,
    sealed_lines,
    submit,
    text_of,
    turn_mail,
)
from tests.kit.people import Person, Round
from tests.post.seats.answering import answer_line
from tests.post.seats.reply_shapes import replies_to
from tests.post.seats.reply_table import TABLE

SUGGESTED = ("always leaf: done", "always think: done")
PLAIN = str.maketrans("_", " ", "[]")


@pytest.fixture(scope="module")
def replies(mail_games: dict[str, Path], tmp_path_factory: pytest.TempPathFactory):
    """Replies to the mail of turn 2, by the names of their shapes."""
    copy = copied_round(mail_games["second"], tmp_path_factory.mktemp("replies") / "game")
    return replies_to(turn_mail(copy.person("rhea")))


def test_the_table_says_what_a_reply_of_each_shape_means(replies: dict[str, bytes]):
    assert sorted(TABLE) == sorted(replies)
    assert len(TABLE) >= 40


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_reply_of_each_shape_means_what_the_table_says(mail_game, replies, name):
    rhea, meant = mail_game("second").person("rhea"), TABLE[name]
    said = receive(rhea, replies[name])
    assert said.exit == meant.exit, said.text
    sealed = [text.translate(PLAIN) for text in sealed_lines(rhea)]
    assert [text for text in sealed if text not in SUGGESTED] == list(meant.orders), said.text
    if not meant.answers:
        assert not letters(rhea)
        return
    told = answer_line(rhea)
    assert [part for part in meant.answers if part not in told] == [], told


MOVED = ("play: cooperation 3: b1 body", "play: long neck 3 on b1", "play: done")
SAID = {
    "Number 3\nno. 10": MOVED,
    "my move: 3, 10": MOVED,
    "3 and 10": MOVED,
    "#3, #10.": MOVED,
    "play = 3, 10": MOVED,
    "play: 3, 10; feed: plants only": (*MOVED, "feed: plants only"),
    # the first line is as long as one that a mail program breaks
    "feed: scarce plants first, then prey, then plants\nplay: 3, 10": (
        "feed: scarce plants first, then prey, then plants",
        *MOVED,
    ),
    "3\n10\nLong live the mammoth 3!": (),  # the last number was not used
    "3\n10\nB": MOVED,
    "3\n10\n\nEnjoy the rest of the evening!": MOVED,
    "3\n10\n\nof toch maar niet": (),  # the Dutch `or`
    "cooperation 3 for the body of b1.\nLONG-NECK 3 ON B1!": MOVED,
    "done": ("play: done",),
    "pass": ("play: done",),
    "long neck 3 on b9": (),
    "3\nhorns 4 on b1": (),
    "3 10 3": (),
    "explain": (),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("said", sorted(SAID))
def test_a_reply_in_ones_own_words_seals_the_choices_that_it_names(rhea: Person, said: str):
    receive(rhea, reply(turn_mail(rhea), said))
    sealed = [text.translate(PLAIN) for text in sealed_lines(rhea)]
    found = tuple(text for text in sealed if text not in SUGGESTED)
    assert found == SAID[said], text_of(answer_mail(rhea))


# ---------------------------------------------------------------- what comes next
@pytest.mark.sample(0)
def test_receive_says_next_what_status_says(mail_game: Callable[[str], Round]):
    """`receive` said `pbem advance` although Ann had not answered."""
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    mail = turn_mail(rhea)
    rhea.place = table.shared / "savannah"

    def says(said: str, then: str) -> None:
        (rhea.home / "reply.eml").write_bytes(reply(mail, said))
        came = rhea.pbem(["receive", str(rhea.home / "reply.eml")]).out.splitlines()
        status = rhea.pbem("status").out.splitlines()
        assert (came[-1], came.count(came[-1]), status[-1]) == (f"next: {then}", 1, came[-1])

    says("tell: hello", "wait for Ann and Bo, then pbem advance")
    says("3, 10", "wait for Ann, then pbem advance")
    submit(ann, 'play = ["done"]')
    says("10", "pbem advance")
    says("I concede the game", "pbem advance")


@pytest.mark.sample(0)
def test_from_elsewhere_the_next_command_names_the_folder(mail_game: Callable[[str], Round]):
    table = mail_game("second")
    rhea = table.person("rhea")
    said = receive(rhea, reply(turn_mail(rhea), "3")).out
    assert said.endswith("\nnext: wait for Ann, then cd savannah && pbem advance\n")
    submit(table.person("ann"), 'play = ["done"]')
    said = receive(rhea, reply(turn_mail(rhea), "10")).out
    assert said.endswith("\nnext: cd savannah && pbem advance\n")
