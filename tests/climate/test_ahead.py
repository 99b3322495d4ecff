"""Cards under the deck may be ordered before anybody asks: checked as if the plays were done."""

from typing import Any

from engine import Referee, SeedDealer, why_not
from games.climate.rules import CLIMATE


class Nobody:
    """Answers nothing."""

    def answer(self, key: str, decision: object) -> None:
        return None

    def entered(self, entry: object) -> None:
        """Luck falls and is not looked at."""


def first_question() -> Any:
    """What seat a sees when the food cards are asked for."""
    referee = Referee(CLIMATE.game("ab"), SeedDealer(b"ahead"), viewpoints="a")
    assert [decision.kind for _, decision in referee.advance(Nobody())] == ["food", "food"]
    return referee.tables["a"].state


def why_not_ahead(state: Any, text: str, **given: list[str]) -> str | None:
    decision = CLIMATE.early_decision(state, "a", "cycle", given)
    assert decision is not None
    return why_not(decision, text, "a", CLIMATE.vocabulary)


def test_cards_may_be_put_under_the_deck_in_one_order_with_food_and_plays() -> None:
    state = first_question()
    state.hands["a"] = ["climbing 3", "fertile 4", "horns 3", "horns 3", "nocturnal 4"]
    before = state.clone("ALL")
    given = {"food": ["[climbing 3]"], "play": ["fertile 4: a1 body", "[nocturnal 4] on a1"]}
    horns = "under the deck [horns 3]"
    assert why_not_ahead(state, f"{horns}; {horns}; done", **given) is None
    assert why_not_ahead(state, f"{horns}; {horns}; {horns}; done", **given) == (
        "step 3: horns 3 is not in your hand any more"
    )
    for gone in ("climbing 3", "fertile 4", "nocturnal 4", "horns 4"):
        told = why_not_ahead(state, f"under the deck [{gone}]; done", **given)
        assert told == f"step 1: {gone} is not in your hand"
    assert state == before


def test_without_other_lines_the_whole_hand_may_be_put_under_the_deck() -> None:
    state = first_question()
    state.hands["a"] = ["climbing 3", "horns 3"]
    both = "under the deck [horns 3]; under the deck [climbing 3]"
    assert why_not_ahead(state, f"{both}; done") is None
