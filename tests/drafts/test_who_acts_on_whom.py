"""Choices that name two pieces say who acts on whom, and know who is harmed."""

from pbem.drafts.questions_and_choices import questions
from tests.kit.positions import position

FIGHT = ("evolution", 1, 119)
"""Somebody may attack others and his own."""


def test_an_attack_names_both_pieces_and_says_whose_is_harmed() -> None:
    view = position(*FIGHT)
    (feeding,) = [question for question in questions(view, []) if question.kind == "feed"]
    attacks = [choice for choice in feeding.offers if choice.use == "Attack"]
    for choice in attacks:
        actor, verb, victim = choice.target.split(" ")[:3]
        assert (actor, verb, victim) == (choice.names[0], "attacks", choice.names[1])
        assert choice.harms_own == (victim[0] == view.seat)
    assert {choice.harms_own for choice in attacks} == {True, False}
    assert not any(choice.harms_own for choice in feeding.offers if choice.use != "Attack")
