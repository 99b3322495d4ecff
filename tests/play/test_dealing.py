"""Chance: what the dealer publishes is what everybody checks, and nothing else passes the check."""

from dataclasses import replace

import pytest

import engine
from engine import Decision
from pbem.format.record_error import RecordError
from pbem.judge.decks_and_dice_check import ChanceChecker, DealtPositions, TurnDeals
from pbem.judge.sealed_dealer import Hands, SealedDealer
from pbem.judge.sealed_openings import Openings
from pbem.records.decks_and_dice import Position, die, position_of
from pbem.records.turn import OpenPosition, Turn
from tests.kit.sample_records import NO_INPUTS, sample

G = sample()
SEED = bytes([5]) * 32
CARDS = ["horns 1", "horns 2", "fat 3", "fat 4", "fat 5", "long neck 6", "ambush 7"]
MORE = ["cave 8", "cave 9"]


class Both:
    """The dealer, and one who checks what the dealer publishes."""

    def __init__(self) -> None:
        self.dealer, self.checker = SealedDealer(SEED, G.game), ChanceChecker(G.game)
        self.checker.link = self.dealer.dice.link(0)
        self.log: list[tuple[str, Decision, str]] = []
        self.dealer.begin(2, NO_INPUTS)

    def do(self, decision: Decision) -> str:
        """Let the dealer decide; the sentence."""
        key = f"1.play.{decision.kind}.*.{len(self.log)}"
        text = self.dealer.answer(key, decision)
        self.dealer.learn(decision, text)
        self.log.append((key, decision, text))
        return text

    def turn(self, **changes) -> Turn:
        """What the dealer publishes."""
        made = self.dealer.results
        fields = {
            "decks": tuple(made.decks), "dealt": tuple(made.dealt), "links": tuple(made.links),
            "shown": tuple(made.shown_openings), "lines": (), "cards": (),
        }  # fmt: skip
        return replace(G.turn2.content, **{**fields, **changes})

    def check(self, **changes) -> TurnDeals:
        """Check the log against what is published, or against that with these changes."""
        openings, deals = Openings(turn := self.turn(**changes)), TurnDeals()
        assert turn.turn == 2
        for number, (key, decision, text) in enumerate(self.log):
            deals.entry = number
            secret = decision.to != engine.PUBLIC and decision.kind == "deal"
            said = engine.mask(text) if secret else text
            self.checker.check(key, decision, said, openings, deals)
        openings.check_all_used()
        self.log.clear()
        self.dealer.begin(2, NO_INPUTS)
        return deals


def refusal_of_dealing(work, *args, **rest) -> tuple[str, str]:
    with pytest.raises(RecordError) as caught:
        work(*args, **rest)
    return caught.value.reason, caught.value.sentence


def positions_at(epoch: int, *ks: int, deck: str = "deck") -> tuple[Position, ...]:
    return tuple(Position(deck, epoch, k) for k in ks)


# ------------------------------------------------------------------ an honest dealer
def test_what_an_honest_dealer_does_passes():
    both = Both()
    assert both.do(engine.shuffle(CARDS)) == "deck takes 7"
    hand = both.do(engine.deal("a", 2))
    open_ = both.do(engine.deal_openly(1))
    both.do(engine.deal("b", 1))
    order = both.dealer.dealing.shuffled("deck", 0, CARDS)
    assert engine.cards_in(hand) == order[:2]
    assert open_.endswith(order[2])
    held = both.dealer.results.hands
    assert {seat: [one.card for one in cards] for seat, cards in held.items()} == {
        "a": order[:2], "b": order[3:4],
    }  # fmt: skip
    assert [one.card for one in both.dealer.results.dealt] == order[2:3]
    deals = both.check()
    assert deals.dealt == [
        DealtPositions(1, "a", positions_at(0, 0, 1)),
        DealtPositions(3, "b", positions_at(0, 3)),
    ]
    assert (deals.under, deals.handles) == ([], [])
    assert both.checker.hands == {"a": set(positions_at(0, 0, 1)), "b": set(positions_at(0, 3))}
    assert both.checker.commitments.keys() == set(positions_at(0, *range(7)))
    assert (both.dealer.results.hands, both.dealer.results.decks) == ({}, []), "a new turn begins"


def test_cards_put_under_a_deck():
    both = Both()
    both.do(engine.shuffle(CARDS))
    assert both.do(engine.under(MORE, 2, to="b")) == "deck hides 2 below 2"
    both.do(engine.under(["fat 3"], 0))
    both.do(engine.deal("a", 5))
    assert [one.card for one in both.dealer.results.under["b"]] == MORE
    assert [one.card for one in both.dealer.results.dealt] == ["fat 3"]
    order = both.dealer.dealing.shuffled("deck", 0, CARDS)
    dealt = [one.card for one in both.dealer.results.hands["a"]]
    assert dealt == ["fat 3", *order[:2], *MORE]
    deals = both.check()
    assert deals.under == [DealtPositions(1, "b", positions_at(0, 7, 8))]
    assert deals.dealt == [DealtPositions(3, "a", positions_at(0, 9, 0, 1, 7, 8))]
    assert deals.opened(set()) == {"a": 5, "b": 2}


def test_a_deck_shuffled_again_and_a_second_deck():
    both = Both()
    both.do(engine.shuffle(CARDS[:2]))
    both.do(engine.shuffle(MORE, "other"))
    both.do(engine.deal("a", 2))
    both.check()
    both.do(engine.shuffle(CARDS[2:]))
    both.do(engine.deal("a", 1))
    both.do(engine.deal("b", 1, "other"))
    deals = both.check()
    assert [some.positions for some in deals.dealt] == [
        positions_at(1, 0),
        positions_at(0, 0, deck="other"),
    ]
    assert both.checker.hands["a"] == {*positions_at(0, 0, 1), *positions_at(1, 0)}


def test_an_empty_shuffle_publishes_nothing():
    both = Both()
    both.do(engine.shuffle([]))
    assert both.turn().decks == ()
    both.check()


def test_dice_fall_as_the_chain_of_links_says():
    both = Both()
    said = [both.do(engine.die()) for _ in range(3)]
    links = [both.dealer.dice.link(n) for n in (1, 2, 3)]
    keys = [key for key, _, _ in both.log]
    faces = [str(die(G.game, link, key, 6) + 1) for link, key in zip(links, keys, strict=True)]
    assert said == faces
    assert list(both.turn().links) == links
    both.check()
    assert both.checker.link == links[-1]
    coin = both.do(engine.die(("heads", "tails")))
    assert coin in ("heads", "tails")
    assert list(both.turn().links) == [both.dealer.dice.link(4)]
    both.check()


# ------------------------------------------------------------------ a dealer who cheats
def both_dealt() -> Both:
    both = Both()
    both.do(engine.shuffle(CARDS))
    both.do(engine.deal_openly(1))
    return both


def test_a_card_shown_that_is_not_the_one_committed_to():
    both = both_dealt()
    (opening,) = both.turn().dealt
    key, decision, text = both.log[1]
    other = next(card for card in CARDS if card != opening.card)
    both.log[1] = key, decision, text.replace(opening.card, other)
    assert refusal_of_dealing(both.check) == (
        "opening", f"the log shows {other}, but the turn proves that the card is {opening.card}",
    )  # fmt: skip
    both = both_dealt()
    both.log[1] = key, decision, text.replace(opening.card, other)
    reason, _ = refusal_of_dealing(both.check, dealt=(replace(opening, card=other),))
    assert reason == "commitment"


def test_cards_hidden_openly_are_those_committed_to():
    both = both_dealt()
    both.do(engine.under(["fat 3"], 0))
    key, decision, text = both.log[2]
    both.log[2] = key, decision._replace(cards=("fat 4",)), text
    assert (
        refusal_of_dealing(both.check)[1]
        == "the log shows fat 4, but the turn proves that the card is fat 3"
    )


def test_too_many_or_too_few_commitments():
    both = both_dealt()
    (decks,) = both.turn().decks
    reason, told = refusal_of_dealing(both.check, decks=(replace(decks, cards=decks.cards[:-1]),))
    assert (reason, told) == (
        "opening",
        "the turn has 6 commitments to the cards that come into the deck; it needs 7",
    )
    both = both_dealt()
    assert (
        refusal_of_dealing(both.check, decks=())[1]
        == "the turn has 0 commitments to the cards that come into the deck; it needs 7"
    )


def test_a_card_that_was_never_in_the_deck():
    both = both_dealt()
    both.check()
    ghost = OpenPosition("deck", 0, 9, "fat 3", bytes(32))
    assert refusal_of_dealing(both.checker.check_dealt, ghost) == (
        "opening", "the turn shows card 9 of the deck, which never had such a card",
    )  # fmt: skip


def test_a_wrong_link_and_a_wrong_face():
    both = Both()
    text = both.do(engine.die())
    key, decision, _ = both.log[0]
    face = str(int(text) % 6 + 1)
    both.log[0] = key, decision, face
    assert refusal_of_dealing(both.check) == (
        "chain",
        f"entry {key}: the die shows {text!r}, but the turn says {face!r}",
    )
    both = Both()
    both.do(engine.die())
    reason, told = refusal_of_dealing(both.check, links=(both.dealer.dice.link(2),))
    told_of_dice = "the dice of this turn are not the dice to which the referee is bound"
    assert (reason, told) == ("chain", told_of_dice)


# ------------------------------------------------------------------ cards that leave a hand
def five_dealt_cards() -> tuple[Both, list[OpenPosition]]:
    """Seat a has five cards, two of them equal."""
    both = Both()
    both.do(engine.shuffle([*CARDS[:3], "fat 3", "fat 3"]))
    both.do(engine.deal("a", 5))
    cards = both.dealer.results.hands["a"]
    both.check()
    return both, cards


def test_of_equal_cards_the_one_of_the_smallest_secret_rank_leaves():
    both, cards = five_dealt_cards()
    equal = sorted(
        (one for one in cards if one.card == "fat 3"),
        key=lambda one: both.dealer.dealing.rank(position_of(one)),
    )
    both.dealer.leave("a", ["fat 3"], ["fat 3", "horns 1"])
    (horns,) = [one for one in cards if one.card == "horns 1"]
    assert both.dealer.results.shown_openings == [equal[1], horns]
    both.dealer.leave("a", [], ["fat 3"])
    assert both.dealer.results.shown_openings == [equal[1], horns, equal[2]]
    assert refusal_of_dealing(both.dealer.leave, "a", ["fat 3"], []) == (
        "rule", "fat 3 leaves the hand of seat a, but this hand has no such card",
    )  # fmt: skip
    assert refusal_of_dealing(both.dealer.leave, "b", [], ["fat 3"])[0] == "rule"


def test_a_card_leaves_the_hand_in_the_place_where_it_lies_lowest():
    hands = Hands(lambda at: bytes([at.k]))
    one, two = (OpenPosition("deck", 0, k, "fat 3", bytes(32)) for k in (4, 2))
    hands.take("a", [one])
    hands.take("a", [two])
    hands.take("b", [one])
    assert [hands.leave("a", "fat 3"), hands.leave("a", "fat 3")] == [two, one]
    assert hands.leave("b", "fat 3") == one


def checked_openings(both: Both, *openings: OpenPosition) -> Openings:
    return Openings(both.turn(shown=openings))


def test_a_card_shown_must_have_been_dealt_to_that_hand():
    both, cards = five_dealt_cards()
    first = cards[0]
    both.checker.show("a", first.card, checked_openings(both, first))
    assert position_of(first) not in both.checker.hands["a"]
    told = f"seat a shows {first.card}, but the turn does not prove that the seat had this card"
    assert refusal_of_dealing(
        both.checker.show, "a", first.card, checked_openings(both, first)
    ) == ("opening", told)
    second = cards[1]
    assert (
        refusal_of_dealing(both.checker.show, "b", second.card, checked_openings(both, second))[0]
        == "opening"
    )
    assert (
        refusal_of_dealing(both.checker.show, "a", second.card, checked_openings(both))[0]
        == "opening"
    )
    other = replace(second, salt=bytes(32))
    assert (
        refusal_of_dealing(both.checker.show, "a", second.card, checked_openings(both, other))[0]
        == "commitment"
    )


def test_how_many_cards_a_turn_opens_to_each_seat():
    deals = TurnDeals()
    assert (deals.opened(set()), deals.entry) == ({}, 0)
    deals.handles += [("a", b"1"), ("b", b"2"), ("b", b"3")]
    deals.dealt.append(DealtPositions(0, "b", positions_at(0, 1, 2)))
    deals.under.append(DealtPositions(1, "c", positions_at(0, 3)))
    assert deals.opened({b"2"}) == {"a": 1, "b": 3, "c": 1}
