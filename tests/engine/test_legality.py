"""Legal is what is listed: exactly that, with printed cards in the place of `?`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine import ALL, PUBLIC, Decision, filled, fits, forced, why_not, why_not_step

CARDS = frozenset({"horns 4", "climbing 2", "x+"})


def decision_to(*options: str, to: str = "", **more) -> Decision:
    return Decision("a", "feed", lambda: options, to=to, **more)


@pytest.mark.parametrize(
    ("option", "text", "listed"),
    [
        ("a1 eats", "a1 eats", True),
        ("a1 eats", "a1 eats ", False),
        ("a1 eats", "a2 eats", False),
        ("[?] on a1", "[horns 4] on a1", True),
        ("[?] on a1", "[?] on a1", True),
        ("[?] on a1", "[x+] on a1", True),
        ("[?] on a1", "[horns 5] on a1", False),
        ("[?] on a1", "[] on a1", False),
        ("[?] on a1", "[horns 4] on a2", False),
        ("[?] on a1", "so [horns 4] on a1", False),
        ("[?] on a1", "[horns 4] on a1 too", False),
        ("[?] for [?]", "[horns 4] for [climbing 2]", True),
        ("[?] for [?]", "[horns 4] for [horns 5]", False),
        ("[?] for [?]", "[horns 5] for [horns 4]", False),
        ("(a.) on [?]", "(ab) on [horns 4]", False),
    ],
)
def test_a_sentence_is_listed_or_it_is_not(option: str, text: str, listed: bool) -> None:
    assert fits([option], text, CARDS) is listed
    assert fits(["pass", option, "wait"], text, CARDS) is listed


def test_nothing_is_listed_where_there_are_no_options() -> None:
    assert not fits([], "pass", CARDS)


def test_the_cards_that_fill_an_option_are_returned_in_their_order() -> None:
    assert filled("[?] for [?]", "[horns 4] for [?]") == ["horns 4", "?"]
    assert filled("a1 eats", "a1 eats") == []
    with pytest.raises(ValueError, match="the answer 'pass' does not fit the option 'a1 eats'"):
        filled("a1 eats", "pass")


@pytest.mark.parametrize(
    ("viewpoint", "refused"), [(ALL, True), ("a", True), ("b", False), ("", False)]
)
def test_whoever_knows_the_card_must_name_it(viewpoint: str, refused: bool) -> None:
    why = why_not(decision_to("[?] on a1", to="a"), "[?] on a1", viewpoint, CARDS)
    assert why == ("you must say which of your cards you mean" if refused else None)


def test_a_card_that_belongs_to_nobody_may_stay_unnamed_by_all_but_the_referee() -> None:
    for viewpoint in ("a", "b", PUBLIC):
        assert why_not(decision_to("deck shows ?"), "deck shows ?", viewpoint, CARDS) is None
    assert why_not(decision_to("deck shows ?"), "deck shows ?", ALL, CARDS)


def test_the_reason_is_the_decisions_own_where_it_has_one() -> None:
    assert why_not(decision_to("pass"), "eat", "a", CARDS) == "'eat' is not possible"
    own = decision_to("pass", why=lambda text: f"no {text} left" if text == "eat" else None)
    assert why_not(own, "eat", "a", CARDS) == "no eat left"
    assert why_not(own, "run", "a", CARDS) == "'run' is not possible"
    assert why_not(own, "pass", "a", CARDS) is None


def test_a_veto_refuses_what_is_listed_and_only_that() -> None:
    asked = decision_to(
        "[?] on a1", "pass", veto=lambda text: "it has one" if "horns" in text else None
    )
    assert why_not(asked, "[horns 4] on a1", "a", CARDS) == "it has one"
    assert why_not(asked, "[climbing 2] on a1", "a", CARDS) is None
    assert why_not(asked, "[horns 4] on a2", "a", CARDS) == "'[horns 4] on a2' is not possible"


def three_step_decision(*args, why=None) -> Decision:
    def options(size: int, before: Sequence[str]) -> list[str]:
        return ["done", *(s for s in ("one", "two", "three")[:size] if s not in before)]

    return Decision("a", "play", options, args or (2,), script=True, why=why)


@pytest.mark.parametrize("text", ["done", "one; done", "two; one; done"])
def test_a_script_of_listed_steps_is_legal(text: str) -> None:
    assert why_not(three_step_decision(), text, "a", CARDS) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a list of steps must end with 'done'"),
        ("one", "a list of steps must end with 'done'"),
        ("done; one; done", "a list of steps must end with 'done'"),
        ("done; done", "a list of steps must end with 'done'"),
        ("one; one; done", "step 2: 'one' is not possible"),
        ("three; done", "step 1: 'three' is not possible"),
        ("one;two; done", "step 1: 'one;two' is not possible"),
        ("one; two; four; done", "step 3: 'four' is not possible"),
    ],
)
def test_a_script_says_which_step_is_wrong(text: str, reason: str) -> None:
    assert why_not(three_step_decision(), text, "a", CARDS) == reason


def test_a_veto_is_asked_about_a_script_too() -> None:
    vetoed = Decision("a", "play", lambda before: ["done"], script=True, veto=lambda text: "no")
    assert why_not(vetoed, "done", "a", CARDS) == "no"


def test_the_reason_for_a_step_knows_the_steps_before_it() -> None:
    def why(text: str, before: Sequence[str]) -> str:
        return f"no {text} after {' and '.join(before)}"

    asked = three_step_decision(why=why)
    assert why_not(asked, "one; one; done", "a", CARDS) == "step 2: no one after one"
    assert why_not_step(asked, ["one", "two"], "one", CARDS) == "no one after one and two"
    assert why_not_step(three_step_decision(3, why=why), ["one", "two"], "three", CARDS) is None


def test_only_one_option_forces_and_equal_cards_are_several() -> None:
    assert forced(decision_to("pass"))
    assert not forced(decision_to("[?] on a1", "[?] on a1"))
    assert not forced(decision_to("a", "b", "c"))
    assert not forced(decision_to())
    assert forced(Decision("a", "feed", lambda *args: args, ("pass",)))


def test_a_script_is_never_forced() -> None:
    assert not forced(Decision("a", "play", lambda *args: ["done"], script=True))
