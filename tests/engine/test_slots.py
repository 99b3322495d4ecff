"""Sentences with slots, hands of slots, and a referee who knows no hidden card."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from engine import CHANCE, Decision, Entry, Illegal, Misfit, Phase, Rules
from engine.blind_referee import SlotEntry, SlotReferee, SpoiledCard
from engine.hidden_hands import SlotOrders
from engine.own_cards_as_slots import OwnSlots, UnwritableLine
from engine.sentences.cards_in_brackets import UNKNOWN
from engine.sentences.slots_in_sentences import Slot
from games.evolution.phases.feeding import pay
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.judge.order_line_checks import read_lines
from tests.engine.tiny import TINY


class Luck:
    """Deals cards that nobody knows; each die shows another face than the one before."""

    def __init__(self) -> None:
        self.dice = 0

    def answer(self, key: str, decision: Decision) -> str:
        options = decision.option_list()
        self.dice += decision.kind == "die"
        text = options[(1 - self.dice) % len(options)]
        if decision.deck == "deck":
            return text
        cards = iter(ruleset("climate").decks[decision.deck])
        return text.replace(UNKNOWN, next(cards))

    def learn(self, decision: Decision, text: str) -> None:
        pass


class Stage:
    """A referee, the order lines of seats, and the names that slots will have."""

    def __init__(self, name: str, seats: str = "ab", **options: str) -> None:
        self.referee: SlotReferee[Any] = SlotReferee(ruleset(name).game(seats, options), Luck())
        self.orders: dict[str, SlotOrders] = {}
        self.is_silent = False

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        if self.is_silent:
            assert decision.default
            return decision.default(), "default"
        orders = self.orders.get(decision.seat)
        return orders.answer(key, decision, self.referee.table.state) if orders else None

    def entered(self, entry: Entry) -> None:
        for orders in self.orders.values():
            orders.entered(entry, self.referee.table.state)

    def send(self, seat: str, *texts: str) -> None:
        game, state = self.referee.game, self.referee.table.state
        orders = game.ruleset.orders(seat, state.round, read_lines(texts), state)
        self.orders[seat] = SlotOrders(self.referee.hands, orders)

    def play_as_a(self, *texts: str) -> None:
        """Seat a sends these orders; seat b gives its card 3 as food and plays nothing."""
        self.send("a", *texts)
        self.send("b", "food: [#3]", "play: done")

    def advance(self) -> list[str]:
        """The keys of the questions without an answer, or the slots that must be opened."""
        questions = [key for key, _ in self.referee.advance(self)]
        return questions or [f"{x.seat}.{x.number}" for x in self.referee.needed_slots]

    def open(self, **cards: str) -> None:
        """`open(a1="horns 2")`: slot 1 of seat a is this card."""
        for slot, card in cards.items():
            self.referee.open(Slot(slot[0], int(slot[1:])), card)

    def sentences(self, kind: str) -> list[str]:
        return [x.entry.text for x in self.referee.log if x.entry.kind == kind]


@pytest.fixture
def stage() -> Stage:
    """Evolution for two, all at the same time: each has the slots 0 to 3."""
    stage = Stage("evolution", together="yes")
    assert stage.advance() == ["1.food.food.a.0", "1.food.food.b.0"]
    return stage


def test_a_name_is_asked_for_when_all_see_the_card_and_no_sooner(stage: Stage) -> None:
    stage.send("a", "food: [#0]", "play: [#1] on a1", "play: #2: a1 body", "play: done")
    stage.send("b", "food: [#3]", "play: [#0] on b1", "play: done")
    assert stage.advance() == ["a.2"]
    assert [x.text for x in stage.referee.settled_wave] == [
        "[#1] on a1; #2: a1 body; done",
        "[#0] on b1; done",
    ]
    stage.open(a2="fertile 4")
    assert stage.advance() == ["a.1", "b.0", "a.0", "b.3"]  # all that turn up: traits, Food Cards
    assert stage.sentences("play") == ["[?] on a1; fertile 4: a1 body; done", "[?] on b1; done"]
    assert stage.referee.table.state.discards == ["fertile 4"]
    stage.open(a1="horns 2", b0="climbing 5", a0="carnivore 2", b3="horns 3")
    assert stage.advance() == ["2.food.food.b.0", "2.food.food.a.0"]
    assert stage.sentences("reveal")[2:] == ["food of a is carnivore 2", "food of b is horns 3"]
    play = next(x for x in stage.referee.log if x.entry.kind == "play")
    assert play.slots == (1, 2)  # brackets, then what it shows
    assert {seat: held[:2] for seat, held in stage.referee.hands.held.items()} == {
        "a": [3, 4],
        "b": [1, 2],
    }


@pytest.mark.parametrize(
    "text",
    [
        "[#0] on a1",  # the food card
        "[#9] on a1",  # never dealt
        "#0: a1 body",
        "[?] on a1",
        "?: a1 body",
        "#1: a* body",
        "horns 2: a1 body",
        "[horns 2] on a1",
        "[#1] on a1; [#1] on a1",
        "[#1] on a1; #1: a1 body",
        "[#1] on b1",
        "drop 1 of a1: #1",
        "[#1] on a1; drop 1 of a1: #2",
        "[#1] on a1; drop 1 of a1: horns 2",
        "[#1] on a1; [#2] on a1; drop 1 of a1: #2",
        "[#1] on a1; [#2] on a1; drop 1 of a1: #2; drop 1 of a1: #1",
        "[#1] on a1; drop 1 of a1: #2; #1: a1 body",
    ],
)
def test_a_line_whose_slots_do_not_fit_answers_nothing(stage: Stage, text: str) -> None:
    stage.play_as_a("food: [#0]", *[f"play: {step}" for step in text.split("; ")], "play: done")
    assert stage.advance() == ["1.play.play.a.0"]


def test_an_order_to_take_off_a_face_down_card_names_it_by_its_slot(stage: Stage) -> None:
    stage.play_as_a("food: [#0]", "play: [#1] on a1", "play: drop 1 of a1: #1", "play: done")
    assert stage.advance() == ["a.1"]
    stage.open(a1="horns 2")
    assert stage.advance() == ["a.0", "b.3"]
    assert stage.sentences("play")[0] == "[?] on a1; drop 1 of a1: horns 2; done"


def test_only_a_default_leaves_its_slots_open() -> None:
    stage = Stage("origin", together="yes")
    stage.advance()
    stage.send("a", "develop: [#0] as an animal", "develop: #1 as ? on a1", "develop: pass")
    stage.send("b", "develop: pass")
    assert stage.advance() == ["1.development.develop.a.0"]


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "#3 as symbiosis on {b}1 and {b}2",  # it is `#3: b1 protects b2`
        "#3 as symbiosis on {b}1",
        "#3 as cooperation on {b}1",
        "#3 as grazing on {b}1 and {b}2",
        "#3 as swimming on {b}1",  # no card has swimming and something else
        "#3 as grazing/fat_tissue on {b}1",
    ],
)
def test_a_trait_played_in_a_way_no_card_allows_opens_no_card(text: str, together: bool) -> None:
    stage = Stage("origin", together="yes" if together else "no")
    stage.advance()
    b = stage.referee.table.pending[0][1].seat
    a = "a" if b == "b" else "b"
    stage.send(a, *["develop: [#0] as an animal"] * (not together), "develop: pass")
    stage.send(b, "develop: [#0] as an animal", "develop: [#1] as an animal",
               f"develop: {text.format(b=b)}", "develop: pass")  # fmt: skip
    assert [key.rpartition(".")[0] for key in stage.advance()] == [f"1.development.develop.{b}"]
    assert not stage.referee.needed_slots


def test_a_line_that_is_illegal_once_named_gives_way_to_the_next() -> None:
    stage = Stage("origin")
    stage.advance()
    stage.send("b", "develop: [#0] as an animal", "develop: #1 on b1", "develop: #2 on b1",
               "develop: leave out what is not possible")  # fmt: skip
    stage.send("a", "develop: pass")
    assert stage.advance() == ["b.1"]
    stage.open(b1="symbiosis")  # goes on two animals
    assert stage.advance() == ["b.2"]
    stage.open(b2="swimming")
    assert stage.advance() == ["1.development.develop.b.2"]
    assert stage.sentences("develop") == ["[?] as an animal", "pass", "swimming on b1"]
    assert stage.referee.hands.held["b"] == [1, 3, 4, 5]


def test_a_choice_may_put_a_trait_on_a_board_twice_for_a_moment_but_never_three_times() -> None:
    """A second one may lie there for a moment, until it is replaced; a third one may not."""
    stage = Stage("classroom", "abc")
    stage.advance()
    for seat in "abc":
        stage.send(seat, "choice: food #0", f"choice: #1: new board on {seat}1")
    (_, decision), *_ = stage.referee.table.pending
    seat, rest = decision.seat, "done"
    stage.referee.hands.held[seat] = list(range(9))
    stage.referee.table.state.hands[seat] = [UNKNOWN] * 9
    names = ["horns 1", "climbing 1", "fertile 1", "horns 1", "horns 2", "herding 1", "long_neck 1"]
    stage.referee.hands.names = {Slot(seat, n): name for n, name in enumerate(names)}
    twice = f"#1 on {seat}1; #2 on {seat}1; #3 on {seat}1"  # climbing, fertile, horns
    steps = f"food #0; {twice}; #4 instead of 1 on {seat}1"  # horns, fertile, horns
    assert stage.referee.hands.why_not(decision, f"{steps}; {rest}")
    assert not stage.referee.hands.why_not(decision, f"{steps}; #5 instead of 3 on {seat}1; {rest}")
    stage.referee.hands.names[Slot(seat, 5)] = "horns 3"  # in the place of fertile
    steps = f"{steps}; #5 instead of 2 on {seat}1; #6 instead of 1 on {seat}1"
    steps = f"{steps}; #7 instead of 2 on {seat}1; {rest}"
    stage.referee.hands.names[Slot(seat, 7)] = "ambush 1"
    assert stage.referee.hands.why_not(decision, steps)


def classroom_with_a_falling_choice() -> Stage:
    """Seat a puts on a trait twice; seats b and c choose well. All slots are open."""
    stage = Stage("classroom", "abc")
    stage.advance()
    for seat in "abc":
        stage.send(seat, "choice: food #0", f"choice: #1 on {seat}1", f"choice: #2 on {seat}1",
                   "choice: done")  # fmt: skip
    assert len(stage.advance()) == 9
    cards = {"0": "horns 1", "1": "climbing 2", "2": "fertile 1"}
    stage.open(**{f"{seat}{n}": card for seat in "bc" for n, card in cards.items()})
    stage.open(a0="horns 1", a1="horns 2", a2="horns 3")
    return stage


def test_a_choice_with_a_trait_twice_gives_way_to_the_default_once_its_cards_are_named() -> None:
    """Nobody is asked again who has seen the others' cards."""
    stage = classroom_with_a_falling_choice()
    default_cards = stage.advance()
    assert default_cards
    assert all(slot.startswith("a.") for slot in default_cards)
    stage.open(**dict.fromkeys([x.replace(".", "") for x in default_cards], "long_neck 3"))
    stage.advance()
    by_seat = {x.entry.seat: x.entry.by for x in stage.referee.log if x.entry.kind == "choice"}
    assert by_seat == {"a": "default", "b": "line [1]", "c": "line [1]"}


def test_a_wave_waits_for_all_its_cards_once_one_was_opened(stage: Stage) -> None:
    stage.send("a", "food: [#0]", "play: #1: a1 body", "play: #2: a1 body", "play: done")
    stage.send("b", "food: [#3]", "play: #0: b1 body", "play: done")
    assert stage.advance() == ["a.1", "a.2", "b.0"]
    assert not stage.referee.is_frozen
    stage.open(b0="horns 2")
    assert stage.referee.is_frozen
    del stage.orders["a"]
    assert stage.advance() == ["a.1", "a.2"]
    stage.open(a1="horns 1", a2="horns 3")
    assert stage.advance() == ["a.0", "b.3"]  # seat a, which has no lines now, is not asked
    assert not stage.referee.is_frozen
    assert [x.entry.by for x in stage.referee.log if x.entry.kind == "play"] == [
        "default", "line [2]"
    ]  # fmt: skip


def test_a_maker_who_takes_over_knows_that_a_card_was_opened() -> None:
    stage = classroom_with_a_falling_choice()
    referee = stage.referee
    again: SlotReferee[Any] = SlotReferee(
        referee.game, Luck(), referee.log, referee.hands.names, is_frozen=True
    )
    for orders in stage.orders.values():
        orders.hands = again.hands
    assert not again.advance(stage)
    assert again.needed_slots == [Slot("a", int(x[2:])) for x in stage.advance()]


def test_a_maker_who_takes_over_waits_for_the_rest_of_a_wave() -> None:
    """With half of the names, the line of seat a would fall, and other cards would be opened."""
    stage = Stage("classroom", "abc")
    stage.advance()
    for seat in "abc":
        stage.send(seat, "choice: food #0", f"choice: #1 on {seat}1", f"choice: #2 on {seat}1",
                   "choice: done")  # fmt: skip
    needed_slots = [Slot(x[0], int(x[2:])) for x in stage.advance()]
    stage.open(a1="horns 2", a2="horns 3")
    referee = stage.referee
    again: SlotReferee[Any] = SlotReferee(
        referee.game, Luck(), referee.log, referee.hands.names, True, needed_slots
    )
    for orders in stage.orders.values():
        orders.hands = again.hands
    stage.referee = again
    assert stage.advance() == [
        f"{x.seat}.{x.number}" for x in needed_slots if x not in referee.hands.names
    ]
    for slot in list(again.needed_slots):
        card = ["horns 1", "climbing 2", "fertile 1"][slot.number]
        stage.open(**{f"{slot.seat}{slot.number}": card})
    assert all(slot.startswith("a.") for slot in stage.advance())


def test_orders_may_change_until_a_card_is_opened(stage: Stage) -> None:
    stage.play_as_a("food: [#0]", "play: #2: a1 body", "play: done")
    assert stage.advance() == ["a.2"]
    del stage.orders["a"]
    assert stage.advance() == ["1.play.play.a.0"]
    assert (stage.referee.needed_slots, stage.referee.settled_wave) == ([], [])
    with pytest.raises(
        Misfit, match="card #2 in the hand of seat a was opened, but must stay hidden now"
    ):
        stage.open(a2="horns 2")


def test_a_card_that_may_not_lie_where_it_turns_up_ends_the_game(stage: Stage) -> None:
    stage.play_as_a("food: [#0]", "play: [#1] on a1", "play: [#2] on a1", "play: done")
    assert stage.advance() == ["a.1", "a.2", "a.0", "b.3"]
    stage.open(a1="horns 2", a2="horns 3", a0="carnivore 2", b3="fertile 4")
    with pytest.raises(SpoiledCard, match=r"1\.play\.reveal\.a\.1: a1 has horns twice") as caught:
        stage.advance()
    assert caught.value.seat == "a"
    assert stage.sentences("reveal") == []  # nothing of the wave is in the log


@pytest.mark.parametrize("together", [False, True])
def test_an_illegal_pair_is_found_although_a_card_of_it_leaves(together: bool) -> None:
    """The second horns lay there while the first did: nobody else could know."""
    stage = Stage("evolution", together="yes" if together else "no")
    stage.advance()
    first = stage.referee.table.state.order()[0]
    other = "a" if first == "b" else "b"
    stage.send(other, "food: [#0]", "play: done")
    stage.send(first, "food: [#0]", f"play: [#1] on {first}1", f"play: [#2] on {first}1",
               f"play: drop 1 of {first}1: #1", "play: done")  # fmt: skip
    assert stage.advance() == [f"{first}.1"]
    stage.open(**{f"{first}1": "horns 2"})
    assert stage.advance() == [f"{first}.2", "a.0", "b.0"]
    stage.open(**{f"{first}2": "horns 3"}, a0="carnivore 2", b0="fertile 4")
    with pytest.raises(SpoiledCard, match=f"{first}1 has horns twice") as caught:
        stage.advance()
    assert caught.value.seat == first


def test_an_illegal_card_is_not_taken_off_before_it_turns_up() -> None:
    """Neither beside its pair nor after it: it stays, and ends the game when it turns up."""
    stage = Stage("evolution")
    stage.advance()
    first = stage.referee.table.state.order()[0]
    other = "a" if first == "b" else "b"
    stage.send(other, "food: [#0]", "play: done")
    stage.send(first, "food: [#0]", f"play: [#1] on {first}1", f"play: [#2] on {first}1",
               f"play: drop 1 of {first}1: #1", f"play: drop 1 of {first}1: #2", "play: done",
               "play: leave out what is not possible")  # fmt: skip
    assert stage.advance() == [f"{first}.1"]
    stage.open(**{f"{first}1": "horns 2"})
    assert stage.advance() == [f"{first}.2"]
    stage.open(**{f"{first}2": "horns 3"})
    assert stage.advance() == ["a.0", "b.0"]
    stage.open(a0="carnivore 2", b0="fertile 4")
    with pytest.raises(SpoiledCard, match=f"{first}1 has horns twice"):
        stage.advance()
    assert stage.sentences("play")[:4] == [
        f"[?] on {first}1", f"[?] on {first}1", f"drop 1 of {first}1: horns 2", "done"
    ]  # fmt: skip


def test_a_line_that_plays_an_illegal_pair_and_takes_it_off_again_falls() -> None:
    """Once its cards are named, the line falls, and the cards stay in the hand."""
    stage = Stage("evolution", together="yes")
    stage.advance()
    stage.play_as_a("food: [#0]", "play: [#1] on a1", "play: [#2] on a1",
               "play: drop 2 of a1: #2", "play: drop 1 of a1: #1", "play: done")  # fmt: skip
    assert stage.advance() == ["a.2", "a.1"]
    stage.open(a1="horns 2", a2="horns 3")
    assert stage.advance() == ["a.0", "b.3"]
    assert stage.sentences("play") == ["done", "done"]
    assert {1, 2} <= set(stage.referee.hands.held["a"])


def test_a_card_may_take_the_place_of_its_own_trait() -> None:
    """In the app a card replaces another one: they never lie there together."""
    stage = Stage("digital", together="yes")
    stage.advance()
    stage.play_as_a("food: [#0]", "play: [#1] on a1", "play: [#2] replaces 1 of a1: #1",
               "play: done")  # fmt: skip
    assert stage.advance() == ["a.1"]
    stage.open(a1="horns 2")
    assert stage.advance() == ["a.2", "a.0", "b.3"]
    stage.open(a2="horns 3", a0="carnivore 2", b3="fertile 4")
    stage.advance()
    assert stage.sentences("reveal")[0] == "a1.1 is horns 3"


@pytest.mark.parametrize(
    ("changes", "error", "reason"),
    [
        ({"text": "a1.1 is banana"}, Illegal, "is not possible"),
        ({"text": "a1.1 is horns 3"}, Misfit, "#1 in the hand of seat a is not horns 3"),
        ({"seat": "b"}, Misfit, "the next question is"),
        ({"to": "a"}, Misfit, "the next question is"),
        ({"key": "1.play.reveal.a.1"}, Misfit, "the next question is"),
        ({"by": "line [1]"}, Illegal, r"'line \[1\]' is not a way to settle this question"),
    ],
)
def test_a_wrong_fact_is_the_fault_of_no_seat(
    stage: Stage, changes: dict[str, str], error: type[Exception], reason: str
) -> None:
    stage.play_as_a("food: [#0]", "play: [#1] on a1", "play: [#2] on a1", "play: done")
    assert stage.advance() == ["a.1", "a.2", "a.0", "b.3"]
    stage.open(a1="horns 2", a2="climbing 5", a0="carnivore 2", b3="fertile 4")
    fact = Entry("1.play.reveal.a.0", "a", "a1.1 is horns 2", "fact")
    with pytest.raises(error, match=reason) as caught:
        stage.referee.push(SlotEntry(fact._replace(**changes)))
    assert not isinstance(caught.value, SpoiledCard)
    stage.referee.push(SlotEntry(fact))
    second = Entry("1.play.reveal.a.1", "a", "a1.2 is horns 3", "fact")
    with pytest.raises(Misfit, match="#2 in the hand of seat a is not horns 3"):
        stage.referee.push(SlotEntry(second))


@pytest.mark.parametrize(
    "names",
    [
        {}, {1: "horns 2"}, {2: "horns 3"}, {1: "horns 2", 2: "horns 3"},
        {0: "carnivore 2", 1: "horns 2", 2: "horns 3", 3: "fertile 4"},
    ],
)  # fmt: skip
def test_a_seat_is_to_blame_only_for_cards_that_were_all_opened(
    stage: Stage, names: dict[int, str]
) -> None:
    stage.play_as_a("food: [#0]", "play: [#1] on a1", "play: [#2] on a1", "play: done")
    stage.advance()
    opened = {Slot("b" if n == 3 else "a", n): x for n, x in names.items()}
    again: SlotReferee[Any] = SlotReferee(stage.referee.game, Luck(), stage.referee.log, opened)
    again.push(SlotEntry(Entry("1.play.reveal.a.0", "a", "a1.1 is horns 2", "fact")))
    with pytest.raises(SpoiledCard if len(names) == 4 else Illegal) as caught:
        again.push(SlotEntry(Entry("1.play.reveal.a.1", "a", "a1.2 is horns 3", "fact")))
    assert isinstance(caught.value, SpoiledCard) == (len(names) == 4)


def test_opening_a_card_that_nobody_needs_or_no_deck_has_is_refused(stage: Stage) -> None:
    stage.play_as_a("food: [#0]", "play: #2: a1 body", "play: done")
    assert stage.advance() == ["a.2"]
    with pytest.raises(
        Misfit, match="card #1 in the hand of seat a was opened, but must stay hidden now"
    ):
        stage.open(a1="horns 2")
    with pytest.raises(Misfit, match="'drought', but the deck has no such card"):
        stage.open(a2="drought")
    with pytest.raises(Misfit, match="'swimming', but the deck has no such card"):
        stage.open(a2="swimming")
    stage.open(a2="horns 2")
    with pytest.raises(
        Misfit, match="card #2 in the hand of seat a was opened, but must stay hidden now"
    ):
        stage.open(a2="horns 3")


@pytest.mark.parametrize(
    ("text", "slots", "reason"),
    [
        ("[?] on a1; fertile 4: a1 body; done", (1,),
            "2 cards leave the hand, but the entry names 1 cards"),
        ("[?] on a1; fertile 4: a1 body; done", (1, 1), "cards that are not in the hand"),
        ("[?] on a1; fertile 4: a1 body; done", (0, 1), "cards that are not in the hand"),
        ("[?] on a1; drop 1 of a1: horns 2; horns 3: a1 body; done", (1, 2), ""),
        ("done", (1,), "0 cards leave the hand, but the entry names 1"),
    ],
)  # fmt: skip
def test_slots_in_a_log_must_fit_the_sentence(
    stage: Stage, text: str, slots: tuple[int, ...], reason: str
) -> None:
    stage.send("a", "food: [#0]")
    stage.send("b", "food: [#3]")
    stage.advance()
    slot_entry = SlotEntry(Entry("1.play.play.a.0", "a", text, "line [1]", "a"), slots)
    if reason:
        with pytest.raises(Misfit, match=reason):
            stage.referee.push(slot_entry)
    else:
        stage.referee.push(slot_entry)
        assert stage.referee.hands.names == {Slot("a", 1): "horns 2", Slot("a", 2): "horns 3"}


@pytest.mark.parametrize(
    ("text", "slots"), [("[?]", (1,)), ("[?]", (3,)), ("[?]", ()), ("[?]", (0, 1)), ("done", ())]
)
def test_an_entry_by_default_that_takes_other_than_the_oldest_slots_is_refused(
    stage: Stage, text: str, slots: tuple[int, ...]
) -> None:
    """Nobody chooses which card of a silent seat leaves its hand."""
    entry = Entry("1.food.food.a.0", "a", text, "default", "a")
    with pytest.raises((Misfit, Illegal)):
        stage.referee.push(SlotEntry(entry, slots))
    stage.referee.push(SlotEntry(entry._replace(text="[?]"), (0,)))


def test_an_entry_by_default_that_is_not_the_default_of_the_rules_is_refused(stage: Stage) -> None:
    """Also where the seat could have answered so."""
    stage.send("a", "food: [#0]")
    stage.send("b", "food: [#3]")
    stage.advance()
    entry = Entry("1.play.play.a.0", "a", "[?] on a1; done", "default", "a")
    with pytest.raises(Illegal, match="seat a was silent, so its answer must be 'done'"):
        stage.referee.push(SlotEntry(entry, (1,)))
    stage.referee.push(SlotEntry(entry._replace(text="done")))


def test_a_log_that_names_an_opened_card_differently_is_refused(stage: Stage) -> None:
    stage.play_as_a("food: [#0]", "play: [#1] on a1", "play: done")
    stage.advance()
    stage.open(a1="horns 2", a0="carnivore 2", b3="fertile 4")
    stage.advance()
    log = stage.referee.log
    turned = next(n for n, x in enumerate(log) if x.entry.by == "fact")
    names = {Slot("a", 1): "horns 3"}
    again: SlotReferee[Any] = SlotReferee(stage.referee.game, Luck(), log[:turned], names)
    with pytest.raises(Misfit, match="#1 in the hand of seat a is not horns 2"):
        again.push(log[turned])
    with pytest.raises(Misfit, match="#1 in the hand of seat a is not horns 2"):
        SlotReferee(stage.referee.game, Luck(), log, names)


def pay_all_cards(state: Any) -> Rules:
    """Each player discards the whole hand."""
    for seat in state.order():
        for count in range(len(state.hands[seat]), 0, -1):
            yield from pay(state, seat, count)


def test_a_whole_hand_leaves_in_the_order_of_its_names() -> None:
    """Nobody is asked which card goes first, so all names are opened at once."""
    phase = Phase("food", pay_all_cards)
    rules = ruleset("evolution").extend(phases={"food": phase})
    stage = Stage("evolution")
    stage.referee = SlotReferee(rules.game("ab"), Luck())
    assert stage.advance() == ["a.0", "a.1", "a.2", "a.3"]
    stage.open(a0="horns 2", a1="climbing 5", a2="horns 1", a3="ambush 1")
    assert stage.advance() == ["b.0", "b.1", "b.2", "b.3"]
    paid = [x for x in stage.referee.log if x.entry.kind == "pay"]
    assert [x.entry.text.removeprefix("discard ") for x in paid] == [
        "ambush 1", "climbing 5", "horns 1", "horns 2"
    ]  # fmt: skip
    assert [x.slots for x in paid] == [(3,), (1,), (2,), (0,)]


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_silent_seats_need_no_hand(name: str, together: bool) -> None:
    """Their defaults take the oldest slots; whatever the cards are, the game goes on to its end."""
    options = {"together": "yes"} if together and name != "classroom" else {}
    stage = Stage(name, "abc", **options)
    stage.is_silent = True
    cards = iter([*ruleset(name).decks["deck"]] * 20)
    for _ in range(2_000):
        assert not stage.referee.advance(stage), "a silent seat is asked"
        if not stage.referee.needed_slots:
            break
        for slot in list(stage.referee.needed_slots):
            stage.referee.open(slot, next(cards))
    assert stage.referee.table.over
    leaving = [x for x in stage.referee.log if x.slots and x.entry.seat not in CHANCE]
    for slot_entry in leaving:
        assert list(slot_entry.slots) == sorted(slot_entry.slots)
    assert leaving or name == "origin"  # whose silent seats pass


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_a_ready_line_answers_without_a_hand_or_not_at_all(name: str) -> None:
    """Each ready line is tried at each question of its kind, in a game of silent seats."""
    stage, tried = Stage(name, "abc"), set[str]()
    rules = stage.referee.game.ruleset
    cards = iter([*rules.decks["deck"]] * 20)

    def answer(key: str, decision: Decision) -> tuple[str, str]:
        for line in rules.ready_lines.lines_of(decision.kind):
            text = line.sentence.replace("{seat}", "b").replace("{n}", "1")
            stage.send(decision.seat, f"always {decision.kind}: {text}")
            state = stage.referee.table.state
            settled = stage.orders.pop(decision.seat).answer(key, decision, state)
            assert not (line.reads_hand and settled)
            tried.add(f"{decision.kind}: {line.sentence}")
        if decision.kind == "develop" and key.endswith(".0"):
            return f"[#{stage.referee.hands.held[decision.seat][0]}] as an animal", "line [1]"
        assert decision.default
        return decision.default(), "default"

    stage.answer = answer  # type: ignore[method-assign]
    for _ in range(60):
        stage.referee.advance(stage)
        for slot in list(stage.referee.needed_slots):
            stage.referee.open(slot, next(cards))
    assert tried or not rules.ready
    for line in rules.ready:
        if line.reads_hand:  # such as `pay`, which no silent seat is asked
            decision = Decision("a", line.kind, lambda: ["discard ?", "discard ?"])
            stage.send("a", f"always {line.kind}: {line.sentence}")
            state = stage.referee.table.state
            assert stage.orders["a"].answer("1.x.x.a.0", decision, state) is None


def test_a_game_that_does_not_say_what_turns_up_needs_a_referee_who_sees() -> None:
    with pytest.raises(ValueError, match="does not say which hidden cards are revealed together"):
        SlotReferee(TINY.game("ab"), Luck())


# ---- the owner's lines


def owner(stage: Stage, *cards: str) -> OwnSlots:
    return OwnSlots(stage.referee.hands, "a", dict(enumerate(cards)))


def written(own: OwnSlots, *texts: str) -> list[str]:
    return [line.text for line in own.write_lines(read_lines(texts))]


def test_lines_get_the_slots_of_their_cards_and_of_equal_cards_different_ones(stage: Stage) -> None:
    own = owner(stage, "horns 2", "horns 2", "fertile 4", "climbing 5")
    slot_texts = {
        "food: [horns 2]": "[#0]",
        "play: [horns 2] on a1": "[#1] on a1",
        "play: drop 1 of a1: horns 2": "drop 1 of a1: #1",
        "play: fertile 4: a1 body": "#2: a1 body",
        "play: done": "done",
        "always feed: plants first, then prey": "plants first, then prey",
        "feed: a1 thinks for climbing 5": "a1 thinks for #3",
        "pay: discard climbing 5": "discard #3",
        "always stop: attacked": "attacked",
    }
    assert written(own, *slot_texts) == [*slot_texts.values()]


def test_a_card_that_lies_open_keeps_its_name(stage: Stage) -> None:
    stage.play_as_a("food: [#0]", "play: [#1] on a1", "play: done")
    stage.advance()
    stage.open(a1="horns 2", a0="carnivore 2", b3="fertile 4")
    stage.advance()
    own = owner(stage, "fertile 4", "horns 2", "climbing 5", "horns 2")
    assert own.write("drop 1 of a1: horns 2") == "drop 1 of a1: horns 2"
    assert own.write("horns 2: a1 body; drop 1 of a1: horns 2; done") == (
        "#3: a1 body; drop 1 of a1: horns 2; done"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("play: [long_neck 3] on a1", "long_neck 3 is not in your hand"),
        ("play: climbing 5: a1 body; play: climbing 5: a1 body", "climbing 5 is not in your hand"),
        ("always pay: the card with the least food", "depends on your hand. .*, so name the card"),
        ("play: horns 2: a* body", "has a star \\(\\*\\) beside a card of your hand"),
        ("feed: a1 thinks for *", "has a star \\(\\*\\) in place of a card.*name the card"),
        ("play: drop 1 of a9: horns 2", "'drop 1 of a9: horns 2' is not possible now"),
        ("play: drop 3 of a1: horns 2", "'drop 3 of a1: horns 2' is not possible now"),
        ("play: drop x of a1: horns 2", "'drop x of a1: horns 2' is not possible now"),
        ("play: drop 1 of z1: horns 2", "'drop 1 of z1: horns 2' is not possible now"),
        ("play: a1 eats; play: drop 1 of a1: horns 2", "'a1 eats' is not possible now"),
        ("play: horns 2 : a1 body", "'horns 2 : a1 body' is not an order that this game"),
        ("pay: discard horns*", r"'discard horns\*' is not an order that this game"),
    ],
)
def test_a_line_that_needs_somebody_who_knows_the_hand_is_refused(
    stage: Stage, text: str, reason: str
) -> None:
    own = owner(stage, "horns 2", "horns 2", "fertile 4", "climbing 5")
    with pytest.raises(UnwritableLine, match=reason):
        written(own, *text.split("; "))


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_text_with_wrong_slots_or_brackets_gets_a_reason_and_never_fails(name: str) -> None:
    """Legal sentences with wrong slots, brackets and pieces: a reason, and never another error."""
    stage, rng, refused = Stage(name, "abc"), Random(name), 0
    stage.advance()
    questions = stage.referee.advance(stage)
    for _ in range(300):
        _, decision = rng.choice(questions)
        options = decision.option_list([]) if decision.script else decision.option_list()
        steps = [rng.choice(options) for _ in range(rng.randint(1, 3))]
        text = re.sub(r"\?", lambda _: f"#{rng.choice([0, 1, 2, 9, 99999, '?'])}", "; ".join(steps))
        wrongs = [("[", ""), ("#", "[#"), ("a1", "b1"), ("a1", "#1"), ("; ", ";"), ("]", "")]
        for old, new in rng.sample(wrongs, rng.randint(0, 2)):
            text = text.replace(old, new)
        refused += stage.referee.hands.why_not(decision, text) is not None
    assert 50 < refused <= 300
