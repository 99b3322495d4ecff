"""What is said of positions that cannot be."""

from typing import Any

import pytest

from games.climate.rules import CLIMATE


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ({"zone": "mild"}, "there is no climate zone 'mild'; the zones are: ice age, freezing"),
        ({"zone": ["cold"]}, "there is no climate zone"),
        ({"events": "cold_snap"}, "events must be written as { cold = …, hot = … }"),
        ({"events": {"wet": "cold_snap"}}, "events must be written as"),
        (
            {"events": {"hot": "cold_snap"}},
            "this case needs more 'cold_snap' cards than the hot deck has; its cards: bloom",
        ),
        (
            {"events": {"cold": "thaw"}},
            "this case needs more 'thaw' cards than the cold deck has; its cards: blizzard",
        ),
        (
            {"gone": ["thaw"]},
            "this case needs more 'thaw' cards than the cold deck has; its cards:",
        ),
        (
            {"gone": ["meteor", "meteor"]},
            "this case needs more 'meteor' cards than the cold deck has; its cards:",
        ),
        ({"gone": "meteor"}, "gone must be a list of strings"),
        (
            {"gone": ["meteor"], "events": {"cold": "meteor"}},
            "this case needs more 'meteor' cards than the cold deck has; its cards:",
        ),
        ({"event_decks": {"hot": "volcano"}}, "event_decks.hot must be a list of strings"),
        (
            {"event_decks": {"hot": ["meteor"]}},
            "this case needs more 'meteor' cards than the hot deck has; its cards:",
        ),
        ({"fed_again": "a1"}, "fed_again must be a list of strings"),
        ({"fed_again": ["a1"]}, "fed_again: there is no a1"),
        ({"round": 3, "last": 2}, "'last' is 2, but this is round 3"),
        ({"set_aside": 89}, "set_aside must be from 0 to 88 here, not 89"),
        ({"set_aside": "all"}, "set_aside must be from 0 to 88 here, not 'all'"),
        (
            {"a": ["a1: horns, climbing, ambush, fertile, nocturnal"]},
            "a1: it has more than 4 traits",
        ),
        (
            {"a": ["a1 population 3 food 2: hibernation"]},
            "a1: it has more food than its population",
        ),
        ({"hands": {"a": ["horns 3 sun"]}}, "'horns 3 sun' is not a card of this game"),
    ],
)
def test_an_impossible_position_of_climate_is_refused_with_the_reason(
    position: dict[str, Any], told: str
) -> None:
    assert CLIMATE.positions is not None
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is looked at
        CLIMATE.positions().read(CLIMATE.game("ab").start(), position)
    assert told in str(error.value)
