"""A hand with so many choices that the email lists the cards, and the places where they can go."""

import re
from pathlib import Path

import pytest

from tests.cli.people import Person, Round
from tests.post.seats.mail_game import (
    answer,
    begun,
    copied,
    ok,
    orders_of_bo,
    receive,
    reply,
    submit,
    text_of,
    turn_mail,
)

QUIET = """[always]
food = ["the card with the least food"]
feed = ["plants only"]
leaf = ["done"]
think = ["done"]
"""
PLAIN = str.maketrans("_", " ", "[]")


@pytest.fixture(scope="module")
def hoard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which nobody plays a card, so that Bo has eleven of them and may play them."""
    folder = tmp_path_factory.mktemp("hoard")
    table = Round(folder)
    rhea = begun(table)
    submit(table.person("ann"), f'{QUIET}play = ["done"]')
    submit(rhea, QUIET, "--as b")
    for _ in range(4):
        ok(rhea.pbem("advance -C savannah"))
        if "REFUSED" not in (text := text_of(turn_mail(rhea))) and "symbiosis 2" in text:
            return folder
        submit(rhea, f'play = ["done"]\n{QUIET}', "--as b")
    return folder


@pytest.fixture
def rhea(hoard: Path, tmp_path: Path) -> Person:
    return copied(hoard, tmp_path / "game").person("rhea")


def sealed(rhea: Person, words: str) -> list[str]:
    """The cards that Bo plays after he wrote these words."""
    ok(receive(rhea, reply(turn_mail(rhea), words)))
    lines = [line.translate(PLAIN) for line in orders_of_bo(rhea)]
    return [line.removeprefix("play: ") for line in lines if line.startswith("play: ")]


def form(rhea: Person) -> str:
    text = text_of(turn_mail(rhea))
    return text[text.index("YOU ARE ASKED: CARDS TO PLAY") : text.index("LATER IN THIS ROUND")]


@pytest.mark.long
def test_the_list_is_short_and_complete(rhea: Person):
    listed = form(rhea)
    cards = re.findall(r"^  (\d+): (.*)$", listed, re.M)
    assert [number for number, _ in cards] == [str(n) for n in range(1, 13)]
    assert cards[-1] == ("12", "done")
    places = listed.partition("The places:")[2]
    assert "for the body of b2" in places
    assert "on b2" in places
    assert "for a new species b3 on the left" in places
    assert len(listed.splitlines()) < 30


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("10 on b2", ["symbiosis 2 on b2", "done"]),
        ("1 for population of b2", ["carnivore 0: b2 population", "done"]),
        ("10 on b2, 1 for the population of b2", ["symbiosis 2 on b2", "carnivore 0: b2 population",
                                                  "done"]),
        ("10 on b2 and then 2 for the body of b2",
         ["symbiosis 2 on b2", "climbing 3: b2 body", "done"]),
        ("1: for a new species b3 on the left\nwarning call 3 on b3",
         ["carnivore 0: new species on the left", "warning call 3 on b3", "done"]),
        ("1 for a new species on the left\n11 on b3",
         ["carnivore 0: new species on the left", "warning call 3 on b3", "done"]),
        ("I'd put 10 on b2, please", ["symbiosis 2 on b2", "done"]),
        ("symbiosis 2 on b2", ["symbiosis 2 on b2", "done"]),
        ("12", ["done"]),
        ("10 on b9", []),
        ("10 on b2 or 11 on b2", []),
        ("10", []),
    ],
)  # fmt: skip
def test_a_card_and_a_place(rhea: Person, words: str, meant: list[str]):
    assert sealed(rhea, words) == meant, text_of(answer(rhea))


def test_a_card_alone_is_told_what_is_missing(rhea: Person):
    assert sealed(rhea, "10") == []
    told = " ".join(text_of(answer(rhea)).split())
    assert "10: this is symbiosis 2: write after the number where it goes" in told


def test_a_later_question_is_never_empty(hoard: Path, tmp_path: Path):
    """With many cards, *Cards to play* had an empty list while the food card was asked."""
    rhea = copied(hoard, tmp_path / "game").person("rhea")
    submit(rhea, 'play = ["done"]\n[always]\nfeed = ["plants only"]', "--as b")
    ok(rhea.pbem("advance -C savannah"))
    text = text_of(turn_mail(rhea))
    assert "YOU ARE ASKED: THE CARD FOR THE WATERING HOLE" in text
    later = text.partition("Cards to play:")[2]
    assert "There are many choices." in later[:40]
    number = re.search(r"^  (\d+): symbiosis 2$", later, re.M)
    assert number
    food = re.search(r"^  (\d+): carnivore 0 to", text, re.M)
    assert food
    ok(receive(rhea, reply(turn_mail(rhea), f"{food[1]}\n{number[1]} on b2")))
    assert "play: symbiosis 2 on b2" in [line.translate(PLAIN) for line in orders_of_bo(rhea)]
