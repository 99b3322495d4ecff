"""Intelligence names the card that it discards: nobody else's table may list what a hand holds."""

from __future__ import annotations

from typing import Any

import pytest

from engine import ALL, PUBLIC, Decision, Line, Table, forced
from games.registry import ruleset

ROW = ["a1 population 5: intelligence", "a2 population 2"]


def table_of(name: str, hand: list[str], viewpoint: str, row: list[str], hole: int) -> Table[Any]:
    """The table of this viewpoint while seat a is asked to feed."""
    rules = ruleset(name)
    game = rules.game("abc")
    state: Any = game.start()
    state.scope = "0.feed"
    assert rules.positions is not None
    data = {
        "round": 3, "hole": hole, "a": row, "b": ["b1 population 2"],
        "hands": {"a": hand, "b": ["climbing 3"]},
    }  # fmt: skip
    rules.positions().read(state, data)
    return Table(game, viewpoint, position=(state.clone(viewpoint), "feed"))


def at_feeding(name: str, hand: list[str], viewpoint: str) -> Decision:
    """What seat a is asked while its a1 is hungry, on the table of this viewpoint."""
    (asked,) = table_of(name, hand, viewpoint, ROW, 1).open_decisions
    return asked


HANDS = {
    "evolution": (["horns 2", "horns 4"], ["fertile 5", "ambush 3"]),
    "digital": (["horns 2", "horns 4"], ["fertile 5", "ambush 3"]),
    "climate": (["horns 2 snowflake", "horns 4 sun"], ["fertile 5", "ambush 2 sun"]),
}
EQUAL = {"evolution": "cooperation 3", "digital": "cooperation 3", "climate": "carnivore 3"}
"""Of each game, a card that is there twice."""


@pytest.mark.parametrize("name", HANDS)
def test_for_intelligence_the_owner_names_each_card_and_others_see_their_number(name: str) -> None:
    one, other = HANDS[name]
    own = at_feeding(name, one, "a").option_list()
    assert [text for text in own if "thinks" in text] == [f"a1 thinks for {x}" for x in one]
    for viewpoint in (PUBLIC, "b", "c"):
        listed = at_feeding(name, one, viewpoint).option_list()
        assert listed == at_feeding(name, other, viewpoint).option_list()
        assert listed == ["a1 eats", "a2 eats", "a1 thinks for ?", "a1 thinks for ?"]


@pytest.mark.parametrize("name", HANDS)
def test_two_equal_cards_are_one_choice_for_their_owner_and_two_for_others(name: str) -> None:
    card = EQUAL[name]
    equal = at_feeding(name, [card, card], ALL).option_list()
    assert equal.count(f"a1 thinks for {card}") == 1
    public = at_feeding(name, [card, card], PUBLIC)
    assert public.option_list() == at_feeding(name, HANDS[name][1], PUBLIC).option_list()
    assert not forced(public)


@pytest.mark.parametrize("name", HANDS)
def test_a_line_in_words_that_spares_a_player_never_pays_for_intelligence(name: str) -> None:
    """`never attack b` does not count where only Intelligence would be left: it only puts off the
    attack, and its card would be chosen from a hand that others do not see."""
    rules = ruleset(name)
    row = ["a1 body 3: carnivore", "a2 population 2: intelligence, climbing"]
    for viewpoint in (ALL, "a", PUBLIC):
        table = table_of(name, HANDS[name][0], viewpoint, row, 0)
        (asked,) = table.open_decisions
        assert any("thinks" in text for text in asked.option_list())
        lines = [Line(1, "feed", "never attack b"), Line(2, "feed", "plants first, then prey")]
        found = rules.orders("a", 3, lines).answer("3.feed.feed.a.0", asked, table.state)
        assert found == ("a1 attacks b1", "line [2]")


@pytest.mark.parametrize("name", HANDS)
def test_in_words_intelligence_discards_the_card_with_the_least_food(name: str) -> None:
    one, _ = HANDS[name]
    table = table_of(name, one[::-1], "a", ROW, 1)
    lines = [Line(1, "feed", "intelligence for the hungriest", True)]
    (asked,) = table.open_decisions
    found = ruleset(name).orders("a", 3, lines).answer("3.feed.feed.a.0", asked, table.state)
    assert found == (f"a1 thinks for {one[0]}", "always [1]")
