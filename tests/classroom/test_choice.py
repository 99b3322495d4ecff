"""The sealed choice: exchanges in any order, steps of any order, and what a table sees of it."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from engine import ALL, DONE, PUBLIC, why_not
from games.classroom.phases.sealed_choices import choice_decision, play_all
from games.classroom.rules import CLASSROOM
from games.classroom.table import add_trait, new_species

TRAITS = ["climbing", "fertile", "horns", "foraging"]


def state_with(traits, hand):
    state = CLASSROOM.game("abc").start()
    board = new_species(state, "a")
    for trait in traits:
        add_trait(state, board, f"{trait} 0")
    state.hands["a"] = sorted(["ambush 3", *hand])
    return state


def why_not_choice(state, steps, viewpoint=ALL):
    decision = choice_decision(state.clone(viewpoint), "a")
    return why_not(
        decision, "; ".join(["food ambush 3", *steps, DONE]), viewpoint, CLASSROOM.vocabulary
    )


def test_exchanges_are_legal_in_every_order_if_their_result_is():
    legal = 0
    for new in permutations(TRAITS, 3):
        state = state_with(TRAITS[:3], [f"{trait} 1" for trait in new])
        steps = [f"{trait} 1 instead of {n} on a1" for n, trait in enumerate(new, start=1)]
        for order in permutations(steps):
            legal += 1
            assert why_not_choice(state, order) is None
            play_all(then := state.clone(ALL), "a", order)
            assert then.creature_named("a1").traits == [f"{trait} 1" for trait in new]
    assert legal == 24 * 6


def test_exchanges_are_illegal_in_every_order_if_a_trait_stands_twice():
    for order in permutations(["horns 1 instead of 1 on a1", "horns 2 instead of 2 on a1"]):
        state = state_with(TRAITS[:2], ["horns 1", "horns 2", "climbing 3"])
        assert "a1 has horns twice" in why_not_choice(state, order)
        assert why_not_choice(state, [*order, "climbing 3 instead of 1 on a1"]) is None


@given(st.data())
def test_a_choice_made_step_by_step_never_gets_stuck_and_every_table_takes_it(data):
    """Step by step at random: there is always a next step, and done is reached."""
    hand = data.draw(st.lists(st.sampled_from(TRAITS), min_size=2, max_size=6))
    hand = [f"{trait} {n - 3}" for n, trait in enumerate(hand)]
    state = state_with(TRAITS[:2], hand)
    steps = ["food ambush 3"]
    while steps[-1] != DONE:
        options = choice_decision(state, "a").option_list(steps)
        assert options
        exchanges = [option for option in options if "instead" in option]
        steps.append(data.draw(st.sampled_from(exchanges or options)))
    for viewpoint in (ALL, "a", PUBLIC, "b"):
        assert why_not_choice(state, steps[1:-1], viewpoint) is None


def test_a_table_accepts_a_choice_with_cards_that_it_cannot_see():
    state = state_with(["horns"], ["climbing 1"])
    assert "fertile 1 is not in your hand" in why_not_choice(state, ["fertile 1 on a1"])
    assert why_not_choice(state, ["fertile 1 on a1"], PUBLIC) is None
    assert why_not_choice(state, ["fertile 1 on a1", "horns 1 on a1"], PUBLIC)  # two cards only
    assert why_not_choice(state, ["fertile 1 on a2"], PUBLIC) == "step 2: you have no board a2"
    assert why_not_choice(state, ["fertile 9 on a1"], PUBLIC)  # no such card is printed


def test_why_a_step_of_a_choice_is_refused_depends_on_the_steps_before_it():
    state = state_with(["horns"], ["climbing 1", "climbing 2", "fertile 1", "fertile 2"])
    new = ["fertile 1: new board", "climbing 1 on a2"]
    assert why_not_choice(state, new) is None
    assert "climbing 1 is not in your hand, or is already used" in why_not_choice(
        state, [*new, "climbing 1 on a1"]
    )
    assert why_not_choice(state, [*new, "climbing 2 on a2"]) == (
        "step 5: a2 has climbing twice, so first replace one of the two cards"
    )
    few = state_with(["horns"], ["climbing 1", "climbing 2"])
    assert why_not_choice(few, ["climbing 1 on a1", "climbing 2 on a1"]) == (
        "step 3: a1 has climbing already"
    )
