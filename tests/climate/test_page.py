"""docs/climate-cards.md: its examples are files that can be; other files are refused."""

import re
import tomllib
from copy import deepcopy
from typing import Any

import pytest

from games.climate.card_file import cards_template, make_box
from games.climate.printed_zones_and_events import PARTS
from games.climate.rules import climate_from
from tests.kit.people import Round
from tests.kit.selection import ROOT

PAGE = (ROOT / "docs" / "climate-cards.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
REFUSED = [
    ('cards.horns = []',
     'cards.horns: at least one card is needed'),
    ('cards.horns = ["2 snowflakes"]',
     "cards.horns: '2 snowflakes' is not a card; write a food number and perhaps icons"),
    ('cards.horns = ["3 moon", "1", "2", "3", "4", "5", "6"]',
     "cards.horns: '3 moon' is not a card"),
    ('cards.wings = ["3"]',
     "cards: unknown name 'wings'"),
    ('start = "mild"',
     "start: 'mild' is not possible; choose one of: freezing"),
    ('protection.horns = { heat = 1 }',
     "protection: unknown name 'horns'"),
    ('protection.nocturnal = { heat = 7 }',
     'protection.nocturnal: heat must be a whole number from -6 to 6, not 7'),
    ('standin = ["zones"]',
     "standin: 'zones' is not possible; choose from: numbers"),
    ('set_aside.2 = 170',
     'set_aside.2 must be a whole number from 0 to 117, not 170'),
    ('events = [{ deck = "hot", card = "warm", zone = "warm", food = 1 }]',
     "event 'warm': a zone already has this name"),
    ('events = [{ deck = "hot", card = "drizzle", zone = "warm" }]',
     "event 'drizzle': this card has no effect"),
    ('zones = []',
     'zones: at least three are needed, not 0'),
]  # fmt: skip
"""What a file says, and how the answer to it begins."""
TYPED = re.findall(r"^    pbem (.+)$", PAGE, re.MULTILINE)
NAMES = {"zones": "name", "events": "card"}


def with_part(part: dict[str, Any]) -> dict[str, Any]:
    """Our file with what the part says in the place of ours."""
    data = tomllib.loads(cards_template())
    for key, value in part.items():
        if isinstance(value, dict):
            data[key] |= value
        elif key in NAMES and value:
            new = {one[NAMES[key]]: one for one in value}
            old = [one for one in data[key] if one[NAMES[key]] not in new]
            places = [one[NAMES[key]] for one in data[key]]
            at = [places.index(name) if name in places else len(old) for name in new]
            for i, one in zip(at, new.values(), strict=True):
                old.insert(i, one)
            data[key] = old
        else:
            data[key] = value
    return data


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_can_be_played(example: str) -> None:
    part = tomllib.loads(example)
    box = make_box(with_part(part))
    for zone in part.get("zones", ()):
        assert zone["name"] in [known.name for known in box.zones]
    for event in part.get("events", ()):
        assert str(box.events[event["card"]])
    assert climate_from(with_part(part)).values == box.values


def test_every_part_has_an_example() -> None:
    said = {key for example in EXAMPLES for key in tomllib.loads(example)}
    assert said == set(tomllib.loads(cards_template()))
    assert all(f'"{part}"' in PAGE for part in PARTS)


@pytest.mark.parametrize(("part", "told"), REFUSED)
def test_the_refusals_are_what_is_said(part: str, told: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is looked at
        make_box(with_part(tomllib.loads(part)))
    assert str(error.value).startswith(told)


def test_what_is_to_be_typed_works(table: Round) -> None:
    ann = table.person("ann")
    make, use = TYPED
    words, _, name = make.partition(" > ")
    template = ann.pbem(words)
    assert (template.exit, template.err) == (0, "")
    (ann.place / name).write_text(template.out.replace('"protection"]', "]"), "ascii")
    said = ann.pbem(use.replace("savannah", "steppe"))
    assert said.exit == 0, said.err
    assert "the event cards." in said.out  # the protections are called printed ones now
    assert "not the printed values" in (ann.place / "steppe" / "game.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "told"),
    [("start = \n", "line 1")],
)  # fmt: skip
def test_a_file_that_says_nothing_is_refused(table: Round, text: str, told: str) -> None:
    ann = table.person("ann")
    (ann.place / "cards.toml").write_text(text, "ascii")
    said = ann.pbem("new steppe --game climate --cards cards.toml --players Ann,Bo")
    assert said.exit == 1
    assert told in said.err
    assert not (ann.place / "steppe").exists()


def test_the_file_is_not_changed_by_being_read() -> None:
    data = tomllib.loads(cards_template())
    kept_data = deepcopy(data)
    make_box(data)
    assert data == kept_data
