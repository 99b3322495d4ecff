"""Orders as people write them: cards as they are printed, cut words, the word that ends a list."""

import re
from pathlib import Path

import pytest

from pbem.drafts.checked_rows import Note
from pbem.drafts.read_order_file import read_draft
from pbem.drafts.write_draft import write_draft
from pbem.judge.game_view import View
from tests.drafts.take_choices import before, choices_of, draft_with_choices
from tests.kit.named_games import advance, made, sit
from tests.kit.people import Person, Round
from tests.kit.positions import GAMES, position, positions

FIGHT = ("evolution", 1, 119)
"""Somebody may attack others and his own."""
MOMENTS = [
    *((game, seed, 13 * seed * seed) for game in GAMES for seed in range(5)),
    FIGHT, ("digital", 0, 65), ("origin", 0, 56), ("origin", 1, 56), *positions(),
]  # fmt: skip


def first_asked_person(table: Round, game: str) -> Person:
    """Whoever is asked first in a new game of this ruleset, in its folder."""
    made(table, f"--players Ann,Bo --referee Rhea --game {game}")
    people = [sit(table, seat) for seat in "ab"]
    advance(table)
    for person in people:
        person.place = table.shared / "savannah"
    return next(p for p in people if "asked for: nothing" not in draft(p))


def draft(person: Person) -> str:
    return Path(person.pbem("orders").out.strip()).read_text("utf-8")


def offered_lines(person: Person) -> list[str]:
    return re.findall(r'^    # "(.*?)",', draft(person), re.MULTILINE)


def check_output(person: Person, orders: str) -> str:
    """What `check` says to these orders, which have no error and raise no warning."""
    said = person.pbem("check -", orders)
    assert (said.exit, said.err) == (0, ""), said.text
    return said.out


@pytest.fixture
def origin(table: Round) -> Person:
    return first_asked_person(table, "origin")


@pytest.fixture
def climate(table: Round) -> Person:
    return first_asked_person(table, "climate")


def card_of_two(person: Person) -> tuple[str, str]:
    """The two names of a card of the hand."""
    one, two = next(o for o in offered_lines(person) if "/" in o).partition(" as ")[0].split("/")
    return one, two


def test_the_draft_says_what_ends_a_list_and_it_does(origin: Person) -> None:
    assert 'The lines are used in order, from top to bottom; "pass" ends the list.' in draft(origin)
    told = check_output(origin, f'develop = ["{offered_lines(origin)[0]}", "pass"]')
    assert "then you are asked" not in told
    open_end = origin.pbem("check -", f'develop = ["{offered_lines(origin)[0]}"]').err
    assert 'your lines for develop do not end with "pass", so you are asked again' in open_end


PAIRED = ("communication", "cooperation", "symbiosis")
"""Traits that are played on two animals."""


def test_a_card_is_written_as_it_is_printed(origin: Person) -> None:
    one, two = card_of_two(origin)
    row = f"{origin.name[0]}1"
    expected = check_output(origin, f'develop = ["{one}/{two} as an animal", "pass"]')
    for way in (f"{one} / {two}", f"{two}/{one}", f"{two.title()} / {one.title()}"):
        assert check_output(origin, f'develop = ["{way} as an animal", "pass"]') == expected
    animal = next(o for o in offered_lines(origin) if o.endswith("as an animal") and one not in o)
    alone = next(name for name in (one, two) if name not in PAIRED)
    trait = f"{one}/{two} as {alone} on {row}"
    expected = check_output(origin, f'develop = ["{animal}", "{trait}", "pass"]')
    short = (
        sum(alone in card for card in {o.partition(" as ")[0] for o in offered_lines(origin)}) == 1
    )
    for way in (f"{alone} on {row}" if short else trait, trait.upper(), trait.replace("/", " / ")):
        assert check_output(origin, f'develop = ["{animal}", "{way}", "pass"]') == expected


def test_a_card_with_an_icon_is_named_without_it(climate: Person) -> None:
    card = next(o for o in offered_lines(climate) if re.search(r"\d (sun|snowflake)$", o))
    short = card.rpartition(" ")[0]
    assert f"food: {card} to" in check_output(climate, f'food = ["{short}"]')
    other = next(o for o in offered_lines(climate) if o != card)
    row = f"{climate.name[0]}1"
    told = check_output(climate, f'food = ["{other}"]\nplay = ["{short}: {row} body", "done"]')
    assert f"play: {card} for the body of {row}" in told


# ---------------------------------------------------------------- stars and cut words
def test_a_cut_word_is_read_before_its_phase(origin: Person) -> None:
    animal, seat = offered_lines(origin)[0], origin.name[0]
    first = f'develop = ["{animal}", "pass"]\n'
    other = "b" if seat == "a" else "a"
    told = check_output(origin, f'{first}feed = ["{seat}1 eat", "{seat}1 att {other}*", "pas"]')
    assert f"feed: {seat}1 eats, else {seat}1 attacks any animal of " in told


def test_check_says_a_star_back_as_any_species_of_its_player(climate: Person) -> None:
    own = climate.name[0]
    mine, theirs = ("Ann", "Bo") if own == "a" else ("Bo", "Ann")
    other = theirs[0].lower()
    food = f'food = ["{offered_lines(climate)[0]}"]\n'
    told = check_output(
        climate, f'{food}feed = ["{own}* attacks {other}*", "{own}1* eats", "* eats"]'
    )
    feed = f"any species of {mine} attacks any species of {theirs}, else any like {own}1* "
    feed += "eats, else any species eats"
    assert f"feed: {feed}" in told


@pytest.mark.sample(3)
@pytest.mark.parametrize("line", ["* attacks *", "{own}* attacks {own}*", "{own}1 at *"])
@pytest.mark.parametrize("always", ["", "[always]\n"])
def test_a_star_that_may_hit_ones_own_is_told(line: str, always: str, climate: Person) -> None:
    own = climate.name[0]
    other = "b" if own == "a" else "a"
    food = f'food = ["{offered_lines(climate)[0]}"]\n'
    said = climate.pbem("check -", f'{food}{always}feed = ["{line.format(own=own)}"]')
    assert said.exit == 0
    assert "warning[PBEM-ORD-034]" in said.err
    assert "this line may harm your own pieces: " in said.err
    assert f'attacks {other}*"' in said.err


def test_the_draft_offers_an_attack_on_others_only() -> None:
    view = position(*FIGHT)
    actor, _, target = attack_options(view, other=True)[0].split(" ")
    line = f"{actor} attacks {target[0]}*"
    assert f'    # "{line}",   # any species of {view.names[target[0]]}\n' in write_draft(view)
    assert read_draft(f'feed = ["{line}"]', view).notes == []


def attack_options(view: View, *, other: bool) -> list[str]:
    """The attacks that whoever is asked may order now: on others, or on his own."""
    found = [o for _, d in view.table.pending if (d.seat, d.kind) == (view.seat, "feed")
             for o in d.option_list() if re.fullmatch(r"\w+ attacks \w+", o)]  # fmt: skip
    return [o for o in found if (o.split(" ")[-1][0] != view.seat) == other]


@pytest.mark.sample(2)
@pytest.mark.parametrize("seat", ["", "b"])
@pytest.mark.parametrize("moment", MOMENTS, ids=str)
def test_any_choice_of_a_draft_is_right_as_it_stands(moment, seat):
    """Only that a question stays open may be said of it."""
    view = position(*moment, seat)
    text = write_draft(view)
    choices = choices_of(text)
    for choice in choices[:: max(1, len(choices) // 40)]:
        firsts = before(text, choices, choice)
        told = [draft_notes(view, draft_with_choices(text, choice, first)) for first in firsts]
        assert [] in told, choice[1]


def draft_notes(view: View, text: str) -> list[Note]:
    return [note for note in read_draft(text, view).notes if note.code[-3:] not in ("032", "033")]


def test_a_choice_that_needs_a_first_step_is_offered_with_the_later_ones() -> None:
    """In `classroom`, the choice of a turn begins with the food card (Step 2)."""
    view = position("classroom", 1, 0)
    text = write_draft(view)
    first, later = text.split("    # after that, any of these", 1)
    choices = re.findall(r'^    # ("food .*?"),', first, re.MULTILINE)
    assert choices
    assert '    # "done",\n' in later
    for card in choices:
        assert f'    # {card[:-1].replace("food ", "")}: new board",   # it will be ' in later
