"""Orders as people write them: cards as they are printed, cut words, the word that ends a list."""

import re
from pathlib import Path

import pytest

from tests.cli.games import advance, made, sit
from tests.cli.people import Person, Round


def seated(table: Round, game: str) -> Person:
    """Whoever is asked first in a new game of this ruleset, in its folder."""
    made(table, f"--players Ann,Bo --referee Rhea --game {game}")
    people = [sit(table, seat) for seat in "ab"]
    advance(table)
    for person in people:
        person.place = table.shared / "savannah"
    return next(p for p in people if "asked for: nothing" not in draft(p))


def draft(person: Person) -> str:
    return Path(person.pbem("orders").out.strip()).read_text("utf-8")


def offered(person: Person) -> list[str]:
    return re.findall(r'^    # "(.*?)",', draft(person), re.MULTILINE)


def says(person: Person, orders: str) -> str:
    """What `check` says to these orders, which have no error and raise no warning."""
    said = person.pbem("check -", orders)
    assert (said.exit, said.err) == (0, ""), said.text
    return said.out


@pytest.fixture
def origin(table: Round) -> Person:
    return seated(table, "origin")


@pytest.fixture
def climate(table: Round) -> Person:
    return seated(table, "climate")


def card_of_two(person: Person) -> tuple[str, str]:
    """The two names of a card of the hand."""
    one, two = next(o for o in offered(person) if "/" in o).partition(" as ")[0].split("/")
    return one, two


def test_the_draft_says_what_ends_a_list_and_it_does(origin: Person) -> None:
    assert 'Each line in turn; "pass" ends it.' in draft(origin)
    told = says(origin, f'develop = ["{offered(origin)[0]}", "pass"]')
    assert "then you are asked" not in told
    open_end = origin.pbem("check -", f'develop = ["{offered(origin)[0]}"]').err
    assert 'no "pass" at the end: you will be asked to go on' in open_end


def test_a_card_is_written_as_it_is_printed(origin: Person) -> None:
    one, two = card_of_two(origin)
    row = f"{origin.name[0]}1"
    expected = says(origin, f'develop = ["{one}/{two} as an animal", "pass"]')
    for way in (f"{one} / {two}", f"{two}/{one}", f"{two.title()} / {one.title()}"):
        assert says(origin, f'develop = ["{way} as an animal", "pass"]') == expected
    animal = next(o for o in offered(origin) if "/" not in o)
    trait = f"{one}/{two} as {one} on {row}"
    expected = says(origin, f'develop = ["{animal}", "{trait}", "pass"]')
    for way in (f"{one} on {row}", trait.upper(), trait.replace("/", " / ")):
        assert says(origin, f'develop = ["{animal}", "{way}", "pass"]') == expected


def test_a_card_with_an_icon_is_named_without_it(climate: Person) -> None:
    card = next(o for o in offered(climate) if re.search(r"\d (sun|snowflake)$", o))
    short = card.rpartition(" ")[0]
    assert f"food: {card} to" in says(climate, f'food = ["{short}"]')
    other = next(o for o in offered(climate) if o != card)
    row = f"{climate.name[0]}1"
    told = says(climate, f'food = ["{other}"]\nplay = ["{short}: {row} body", "done"]')
    assert f"play: {card} for the body of {row}" in told


def test_a_card_that_is_not_in_the_hand_is_told_before_it_is_sealed(climate: Person) -> None:
    said = climate.pbem("check -", 'food = ["carnivore 3"]')
    assert "carnivore 3 is not in your hand" in said.err
    assert "no line answers it" in said.err
