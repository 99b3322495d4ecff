"""Rulesets as values: what can be played, what is refused, and how one is made from another."""

from __future__ import annotations

import pytest

from engine import Forms, Hooks, Kits, Line, Phase, Piece, Place, Result, Text, Unreadable, hooks_of
from tests.engine.tiny import TINY


def test_every_option_has_the_value_chosen_or_its_first() -> None:
    assert TINY.game("ab").options == {"long": "no", "tone": "dry"}
    assert TINY.game("ab", {"tone": "wet"}).options == {"long": "no", "tone": "wet"}
    assert TINY.game("abc", {}).seats == "abc"


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        ("a", {}, "tiny is for 2 to 3 players"),
        ("abcd", {}, "tiny is for 2 to 3 players"),
        ("ab", {"short": "no"},
            "the rules of tiny have no option 'short'; the options are: long, tone"),
        ("ab", {"tone": "loud"},
            "the option 'tone' of the rules cannot be 'loud'; it can be: dry, wet"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_is_refused(seats: str, options: dict, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        TINY.game(seats, options)


def test_a_game_without_options_says_so() -> None:
    with pytest.raises(ValueError, match="the options are: none"):
        TINY.extend(options=()).game("ab", {"long": "yes"})


def test_what_a_ruleset_does_not_say_is_empty() -> None:
    assert (TINY.about, TINY.version, TINY.notes, TINY.values) == ("", "1", "", ())
    assert (TINY.kits, TINY.card_file, TINY.positions, TINY.bots) == (None, None, None, {})
    assert (TINY.phases[0].doc, TINY.kinds["choose"].suggestion) == ("", "")
    assert not TINY.kinds["choose"].script
    assert TINY.options[0].values == ("no", "yes")
    assert Text("title", "body", "source").house == ""
    assert TINY.texts() == {}
    assert TINY.early_decision(None, "a", "eat", {}) is None
    assert TINY.turned_up(None, "text", 0) == []
    assert Result(()).decided_by == ""
    assert (Piece("a1", ()).cards, Place("a", ()).pieces, Place("a", ()).hand) == ((), (), ())


def test_the_vocabulary_is_the_cards_of_all_decks_and_the_words() -> None:
    more = TINY.extend(decks={"deck": ("red",), "other": ("blue", "blue")})
    assert TINY.vocabulary == {"green", "red", "nothing"}
    assert more.vocabulary == {"red", "blue", "nothing"}


def test_orders_know_their_seat_round_cards_and_which_kinds_are_scripts() -> None:
    lines = [Line(1, "eat", "leaf")]
    orders = TINY.orders("b", 2, lines)
    assert (orders.seat, orders.round, orders.lines) == ("b", 2, lines)
    assert orders.last_line_numbers == {}
    assert set(orders.scripts) == {"eat"}
    assert orders.cards == TINY.vocabulary


def test_phases_are_exchanged_by_name_and_keep_their_place() -> None:
    def run(state):
        yield from ()

    night = Phase("eat", run)
    new = TINY.extend(phases={"eat": night}, title="Tiny nights")
    assert [phase.name for phase in new.phases] == ["choose", "eat"]
    assert new.phases[1] is night
    assert new.phases[0] is TINY.phases[0]
    assert (new.title, TINY.title) == ("Tiny nights", "Tiny")
    with pytest.raises(KeyError, match="tiny has no phase dawn, dusk"):
        TINY.extend(phases={"dusk": night, "dawn": night})


class Kit(Hooks):
    grows: tuple
    sleeps: tuple


class Big:
    def grows(self) -> str:
        return "big"


class Old:
    def grows(self) -> str:
        return "old"

    def sleeps(self) -> str:
        return "long"

    age = 9

    def _private(self) -> None:
        """No hook."""


TRAITS = {"old": Old(), "big": Big()}


def returned_words(functions: tuple) -> list[str]:
    return [function() for function in functions]


def test_a_trait_has_its_public_methods_as_hooks() -> None:
    assert hooks_of(Old()) == ["grows", "sleeps"]


def test_a_kit_has_the_functions_of_its_traits_once_each_by_name() -> None:
    kit = Kits(Kit, TRAITS)(["old", "big", "old", "?"])
    assert kit.names == {"old", "big"}
    assert returned_words(kit.grows) == ["big", "old"]
    assert returned_words(kit.sleeps) == ["long"]
    none = Kits(Kit, TRAITS)([])
    assert (none.names, none.grows, none.sleeps) == (frozenset(), (), ())


def test_a_kit_class_inherits_the_hooks_of_its_base_class() -> None:
    class Longer(Kit):
        wakes: tuple

    assert Kits(Longer, TRAITS).hooks == ("grows", "sleeps", "wakes")
    assert Kits(Longer, TRAITS)(["old"]).wakes == ()


@pytest.mark.parametrize(
    ("order", "said_first"), [({"grows": ["old", "big"]}, "old"), ({"grows": ["old"]}, "old")]
)
def test_the_declared_order_goes_before_the_alphabet(order: dict, said_first: str) -> None:
    assert returned_words(Kits(Kit, TRAITS, order)(["big", "old"]).grows)[0] == said_first
    kits = Kits(Kit, TRAITS, {"sleeps": ["old"]})
    assert returned_words(kits(["big", "old"]).grows) == ["big", "old"]


def test_a_hook_is_exchanged_or_left_out_by_rewiring() -> None:
    kits = Kits(Kit, TRAITS, {"grows": ["old", "big"]})
    seen = []

    def wrap(trait, hook, function):
        seen.append((trait, hook))
        return None if (trait, hook) == ("old", "grows") else lambda: function().upper()

    kit = kits.rewired(wrap)(["big", "old"])
    assert returned_words(kit.grows) == ["BIG"]
    assert returned_words(kit.sleeps) == ["LONG"]
    assert sorted(seen) == [("big", "grows"), ("old", "grows"), ("old", "sleeps")]
    assert returned_words(kits(["big", "old"]).grows) == ["old", "big"]
    same = kits.rewired(lambda trait, hook, function: function)
    assert returned_words(same(["big", "old"]).grows) == ["old", "big"]


def test_a_method_that_is_no_hook_is_named() -> None:
    class Odd:
        def zooms(self) -> None:
            """No hook of this kit."""

        def names(self) -> None:
            """The kit's own field, no hook."""

    with pytest.raises(TypeError, match="odd: no such hook: names, zooms"):
        Kits(Kit, {**TRAITS, "odd": Odd()})


def test_forms_are_extended_and_replaced() -> None:
    forms = Forms(eats="{sp} eats", rests="{sp} rests")
    more = forms.extend(rests="{sp} sleeps", pays="{sp1} pays {sp2}")
    assert more.parse("a1 pays b2") == ("pays", {"sp1": "a1", "sp2": "b2"})
    assert more.parse("a1 sleeps") == ("rests", {"sp": "a1"})
    with pytest.raises(Unreadable, match="'a1 rests' is not a sentence of this game"):
        more.parse("a1 rests")
    for _ in range(2):  # the second time from memory
        assert forms.parse("a1 rests") == ("rests", {"sp": "a1"})


@pytest.mark.parametrize(
    "card", ["?", "horns", "horns 4", "horns -3", "horns 4 up", "horns 4 a b c d", "fat/tissue-x"]
)
def test_brackets_around_a_question_mark_or_a_card_name_are_read_as_a_card(card: str) -> None:
    assert Forms(wakes="[{card}] wakes").parse(f"[{card}] wakes") == ("wakes", {"card": card})


@pytest.mark.parametrize(
    "card", ["", "??", "horns X", "horns 4 a b c d e", "horns 4 UP", "horns  4", "é!"]
)
def test_brackets_around_text_that_names_no_card_fit_no_form(card: str) -> None:
    assert Forms(wakes="[{card}] wakes").matching(f"[{card}] wakes") == []


def test_numbered_fields_have_the_shape_of_their_name() -> None:
    forms = Forms(swaps="[{card1}] for [{card2}]", fights="{words1} against {words2}")
    assert forms.parse("[horns 4] for [?]")[1] == {"card1": "horns 4", "card2": "?"}
    assert forms.parse("a and b against c")[1] == {"words1": "a and b", "words2": "c"}
