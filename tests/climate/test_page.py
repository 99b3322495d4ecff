"""docs/climate-cards.md: its examples are files that can be, and its commands work."""

import re
import tomllib
from copy import deepcopy
from typing import Any

import pytest

from games.climate.card_file import cards_template, make_box
from games.climate.classes_of_printed_zones_and_events import PARTS
from games.climate.rules import climate_from
from tests.kit.people import Round
from tests.kit.selection import ROOT

PAGE = (ROOT / "docs" / "climate-cards.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
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
def test_the_examples_of_the_page_on_card_files_can_be_played(example: str) -> None:
    part = tomllib.loads(example)
    box = make_box(with_part(part))
    for zone in part.get("zones", ()):
        assert zone["name"] in [known.name for known in box.zones]
    for event in part.get("events", ()):
        assert str(box.events[event["card"]])
    assert climate_from(with_part(part)).values == box.values


def test_every_part_of_a_card_file_has_an_example_on_the_page() -> None:
    said = {key for example in EXAMPLES for key in tomllib.loads(example)}
    assert said == set(tomllib.loads(cards_template()))
    assert all(f'"{part}"' in PAGE for part in PARTS)


def test_the_commands_of_the_page_make_a_card_file_and_a_game_with_it(table: Round) -> None:
    ann = table.person("ann")
    make, use = TYPED
    words, _, name = make.partition(" > ")
    template = ann.pbem(words)
    assert (template.exit, template.err) == (0, "")
    (ann.place / name).write_text(template.out.replace('"protection"]', "]"), "ascii")
    said = ann.pbem(use.replace("savannah", "steppe")).checked(0)
    assert "the event cards." in said.out  # the protections are called printed ones now
    assert "not the printed values" in (ann.place / "steppe" / "game.toml").read_text("utf-8")


def test_no_game_is_made_with_a_card_file_that_is_not_toml(table: Round) -> None:
    ann = table.person("ann")
    (ann.place / "cards.toml").write_text("start = \n", "ascii")
    said = ann.pbem("new steppe --game climate --cards cards.toml --players Ann,Bo")
    assert (said.exit, "line 1" in said.err) == (1, True)
    assert not (ann.place / "steppe").exists()


def test_reading_a_card_file_leaves_its_data_as_they_were() -> None:
    data = tomllib.loads(cards_template())
    kept_data = deepcopy(data)
    make_box(data)
    assert data == kept_data
