"""Chance: what the dealer publishes is what everybody checks, and nothing else passes the check."""

from dataclasses import replace

import engine
from engine import Decision
from pbem.judge.chance_entry_checks import ChanceChecker, TurnDeals
from pbem.judge.sealed_dealer import SealedDealer
from pbem.judge.sealed_openings import Openings
from pbem.records.seeded_decks_and_dice import Position
from pbem.records.turn import OpenPosition, Turn
from tests.kit.record_files import refusal_by
from tests.kit.sample_records import NO_INPUTS, sample

G = sample()
SEED = bytes([5]) * 32
CARDS = ["horns 1", "horns 2", "fat 3", "fat 4", "fat 5", "long neck 6", "ambush 7"]


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


def positions_at(epoch: int, *ks: int, deck: str = "deck") -> tuple[Position, ...]:
    return tuple(Position(deck, epoch, k) for k in ks)


def test_cards_of_a_reshuffled_deck_and_of_a_second_deck_have_positions_of_their_own():
    both = Both()
    both.do(engine.shuffle(CARDS[:2]))
    both.do(engine.shuffle(["cave 8", "cave 9"], "other"))
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


def both_dealt() -> Both:
    both = Both()
    both.do(engine.shuffle(CARDS))
    both.do(engine.deal_openly(1))
    return both


def test_a_shown_card_that_is_not_the_committed_one_is_refused():
    both = both_dealt()
    (opening,) = both.turn().dealt
    key, decision, text = both.log[1]
    other = next(card for card in CARDS if card != opening.card)
    both.log[1] = key, decision, text.replace(opening.card, other)
    assert refusal_by(both.check) == (
        "opening", f"the log shows {other}, but the turn proves that the card is {opening.card}",
    )  # fmt: skip
    both = both_dealt()
    both.log[1] = key, decision, text.replace(opening.card, other)
    reason, _ = refusal_by(both.check, dealt=(replace(opening, card=other),))
    assert reason == "commitment"


def test_a_known_card_put_under_the_deck_must_be_the_committed_one():
    both = both_dealt()
    both.do(engine.under(["fat 3"], 0))
    key, decision, text = both.log[2]
    both.log[2] = key, decision._replace(cards=("fat 4",)), text
    assert (
        refusal_by(both.check)[1]
        == "the log shows fat 4, but the turn proves that the card is fat 3"
    )


def test_a_shown_card_that_was_never_in_the_deck_is_refused():
    both = both_dealt()
    both.check()
    ghost = OpenPosition("deck", 0, 9, "fat 3", bytes(32))
    assert refusal_by(both.checker.check_dealt, ghost) == (
        "opening", "the turn shows card 9 of the deck, which never had such a card",
    )  # fmt: skip
