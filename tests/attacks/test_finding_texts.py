"""What is said of a turn that is not the one that its orders and the seed make."""

from dataclasses import replace

import pytest

from pbem.format.encrypted_box import Place, seal
from pbem.game.audit import difference
from pbem.records.turn import (
    Listed,
    LogEntry,
    NewCards,
    OpenCard,
    OpenPosition,
    Packet,
    Refusal,
    packet_bytes,
)
from tests.attacks.forging import boxes_of, first

ONE, TWO = b"\x01" * 32, b"\x02" * 32


@pytest.fixture
def turn(finished):
    """One in which orders settle several things."""
    return finished.turns[
        first(finished.turns, lambda t: t.turn > 1 and len(t.log) > 3) - 1
    ].content


@pytest.fixture
def told(finished):
    def say(said, right):
        error = difference(said, right, finished.made.keys)
        return error.reason, error.sentence

    return say


def test_a_turn_where_there_should_be_none(told, turn):
    why = "log: the listed orders do not settle anything, so no turn can be made from them"
    assert told(turn, None) == ("rule", why)


@pytest.mark.parametrize(
    ("changes", "reason", "sentence"),
    [
        (
            {"joins": {"a": ONE}},
            "commitment",
            "joins: differ from those that the seed was made from",
        ),
        ({"link0": ONE}, "chain", "the dice do not come from this seed: the chain is different"),
        ({"links": (ONE,)}, "chain", "the dice do not come from this seed: the chain is different"),
        ({"silent": ("a", "b")}, "rule", "silent: the turn names a, b, but nobody was silent"),
        ({"lines": ()}, "opening", "the turn must open exactly the lines and cards used"),
        ({"time": 5}, "field", "time: differs from what these orders and the seed give"),
        (
            {"table": ("all well",)},
            "field",
            "table: differs from what these orders and the seed give",
        ),
        ({"packets": {}}, "box", "packets: there must be one for each seat"),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else "",
)
def test_each_part_has_its_reason(told, turn, changes, reason, sentence):
    assert told(replace(turn, **changes), turn) == (reason, sentence)


@pytest.mark.parametrize("name", ["cards", "dealt"])
def test_openings_that_nothing_needs(told, turn, name):
    said = replace(turn, **{name: (OpenCard(ONE, "climbing 2", TWO),)})
    assert told(said, replace(turn, **{name: ()}))[0] == "opening"


def test_who_was_silent(told, turn):
    said = told(turn, replace(turn, silent=("b",)))
    assert said == ("rule", "silent: the turn names nobody, but b was silent")


def test_the_first_part_that_differs_is_named(told, turn):
    lie = replace(turn, joins={"a": ONE}, link0=ONE, log=(), packets={})
    assert told(lie, turn)[0] == "commitment"
    assert told(replace(lie, joins=turn.joins), turn)[0] == "chain"
    assert told(replace(turn, log=(), packets={}), turn)[0] == "rule"


# ---------------------------------------------------------------- orders
@pytest.mark.parametrize(
    ("said", "right", "told_as"),
    [
        (("refused", "late"), ("accepted", ""), "refused (late), but they are accepted"),
        (("replaced", ""), ("refused", "rule"), "replaced, but they are refused (rule)"),
    ],
)
def test_orders_listed_as_what_they_are_not(told, turn, said, right, told_as):
    both = [Listed(ONE, "a", "accepted"), Listed(TWO, "b", *said)]
    wanted = [both[0], Listed(TWO, "b", *right)]
    found = told(replace(turn, orders=tuple(both)), replace(turn, orders=tuple(wanted)))
    assert found == ("rule", f"the turn lists orders 020202 of seat b as {told_as}")


# ---------------------------------------------------------------- decks
def deck(*cards, first=3, epoch=1):
    return NewCards("deck", epoch, first, tuple(bytes([c]) * 32 for c in cards))


@pytest.mark.parametrize(
    ("said", "right", "sentence"),
    [
        (
            [deck(1, 9, 3, 8)],
            [deck(1, 2, 3, 4)],
            "decks, deck, epoch 1: 2 of 4 cards do not come from this seed; the first is card 4",
        ),
        ([deck(1)], [deck(1, epoch=2)], "decks, deck, epoch 1: no cards enter the deck here"),
        ([deck(1)], [deck(1, first=4)], "decks, deck, epoch 1: no cards enter the deck here"),
        (
            [deck(1)],
            [deck(1), deck(2, first=9)],
            "decks: some cards that enter a deck have no commitment",
        ),
        ([deck(1)], [deck(1, 2)], "decks: some cards that enter a deck have no commitment"),
    ],
)
def test_cards_that_enter_a_deck(told, turn, said, right, sentence):
    found = told(replace(turn, decks=tuple(said)), replace(turn, decks=tuple(right)))
    assert found == ("chain", sentence)


# ---------------------------------------------------------------- the log
def test_a_log_that_stops_or_goes_on(told, turn):
    key = turn.log[-1].key
    why = f"log: the turn stops before {key}, which the orders settle"
    assert told(replace(turn, log=turn.log[:-1]), turn) == ("rule", why)
    why = f"log: {key}: the orders do not settle this"
    assert told(turn, replace(turn, log=turn.log[:-1])) == ("rule", why)


def test_the_first_entry_that_differs_is_told_with_what_it_should_be(told, turn):
    right = LogEntry("1.feed.feed.a.1", "a2 eats", "line [?]")
    cases = {
        LogEntry("1.feed.feed.a.1", "a3 eats", "line [?]"): (
            "says 'a3 eats' by line [?], but the orders and the seed give 'a2 eats' by line [?]"
        ),
        LogEntry("1.feed.feed.a.1", "a2 eats", "default"): (
            "says that default settles 'a2 eats', but line [?] does"
        ),
        LogEntry("1.feed.feed.b.1", "a2 eats", "line [?]"): (
            "says 'a2 eats' by line [?], but the next question is 1.feed.feed.a.1"
        ),
    }
    before = LogEntry("1.food.die.*.1", "5", "chance")
    for said, sentence in cases.items():
        found = told(replace(turn, log=(before, said)), replace(turn, log=(before, right)))
        assert found == ("rule", f"log, entry 1, {said.key}: {sentence}")


def test_handles_that_are_not_those_of_the_cards(told, turn):
    right = LogEntry("1.play.play.a.1", "[?] on a2", "always [?]", (ONE,))
    lie = replace(right, hidden=(TWO,))
    found = told(replace(turn, log=(lie,)), replace(turn, log=(right,)))
    why = "the handles do not match the cards put down"
    assert found == ("commitment", f"log, entry 0, 1.play.play.a.1: {why}")


# ---------------------------------------------------------------- cards shown
def test_cards_that_left_a_hand_for_all_to_see(told, turn):
    one = OpenPosition("deck", 0, 7, "horns 2", ONE)
    other = replace(one, k=9)
    found = told(replace(turn, shown=(one, other)), replace(turn, shown=(one,)))
    assert found == ("opening", "shown: horns 2, shown as card 9 of deck, did not leave the hand")
    found = told(replace(turn, shown=(one,)), replace(turn, shown=(one, other)))
    assert found == ("opening", "shown: must list all cards that left a hand in public")


# ---------------------------------------------------------------- packets
def packets(game, turn, seat, packet):
    return replace(turn, packets=boxes_of(game, turn, {seat: packet}, more=1024))


CARD = OpenPosition("deck", 0, 7, "horns 2", ONE)


@pytest.mark.parametrize(
    ("said", "right", "reason", "sentence"),
    [
        (Packet(dealt=(CARD,)), Packet(), "chain", "dealt differs from the correct contents"),
        (
            Packet(dealt=(CARD, replace(CARD, k=8, card="climbing 2"))),
            Packet(dealt=(CARD, replace(CARD, k=9))),
            "chain",
            "dealt differs from the correct contents, 'climbing 2' among them",
        ),
        (
            Packet(under=(CARD,)),
            Packet(under=(replace(CARD, salt=TWO),)),
            "chain",
            "under differs from the correct contents, 'horns 2' among them",
        ),
        (
            Packet(hidden=(OpenCard(ONE, "horns 2", ONE),)),
            Packet(hidden=(OpenCard(ONE, "horns 3", ONE),)),
            "commitment",
            "hidden differs from the correct contents, 'horns 2' among them",
        ),
        (
            Packet(refused=(Refusal(ONE, "feed: x", "no"),)),
            Packet(refused=(Refusal(ONE, "feed: x", "why not"),)),
            "rule",
            "refused differs from the correct contents",
        ),
    ],
)
def test_what_a_packet_tells_its_seat(finished, told, turn, said, right, reason, sentence):
    found = told(packets(finished, turn, "b", said), packets(finished, turn, "b", right))
    assert found == (reason, f"packet of seat b: {sentence}")


def test_a_packet_that_is_larger_than_it_must_be_or_does_not_open(finished, told, turn):
    key = finished.made.keys["b"]
    right = packets(finished, turn, "b", Packet())
    plain, place = packet_bytes(Packet()), Place("turn", "packet", turn.turn, "b")
    for box, reason in (
        (seal(key, place, plain, 8192), "padding"),
        (bytes(len(right.packets["b"])), "box"),
    ):
        said = replace(turn, packets={**right.packets, "b": box})
        error = told(said, right)
        assert error[0] == reason
        assert error[1].startswith("packet of seat b: ")
    more = replace(turn, packets={**right.packets, "c": b"x"})
    assert told(more, right) == ("box", "packets: there must be one for each seat")
