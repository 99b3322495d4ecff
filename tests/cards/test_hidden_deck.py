"""The hidden deck as everybody follows it: whose mix is due, which slot has which pair, what each
dealer's part must prove."""

from __future__ import annotations

import pytest

from engine import CHANCE, DECK, PUBLIC, Decision
from engine.sentences.slots_in_sentences import Slot
from pbem.cards.card_points_and_pairs import known_pairs
from pbem.cards.hidden_deck import CardDealer, HiddenDeck
from pbem.cards.mixing import MixPlace, make_mix
from pbem.cards.sealed_shares import open_share
from pbem.format.curve_group import multiply_base
from pbem.format.record_error import RecordError
from tests.cards.dealers import GAME, SEAT_SECRET, Dealers
from tests.kit.refusals import refused_for

CARDS = ("burrowing 3", "climbing 2", "fat tissue 6", "horns 4", "horns 4")
DEALERS = Dealers()


def chance(kind: str, text: str, to: str = PUBLIC, cards: tuple[str, ...] = ()) -> Decision:
    """A decision of chance about the hidden deck, with this one answer."""
    return Decision(CHANCE, kind, lambda: [text], to=to, cards=cards)


SHUFFLE = chance("shuffle", "the deck", cards=CARDS)


def keyed_deck() -> tuple[HiddenDeck, list[CardDealer]]:
    """A deck with the keys of both dealers, and the dealers."""
    deck = HiddenDeck(GAME, CARDS, 2)
    dealers = [CardDealer(deck, number, secret) for number, secret in enumerate(DEALERS.secrets)]
    keys, proofs = zip(*(dealer.card_key() for dealer in dealers), strict=True)
    deck.take_keys(keys, proofs)
    return deck, dealers


def shuffled_deck() -> tuple[HiddenDeck, list[CardDealer]]:
    """A deck of five cards that both dealers have mixed."""
    deck, dealers = keyed_deck()
    deck.expect_shuffle(SHUFFLE)
    for number, dealer in enumerate(dealers):
        deck.take_mix(dealer.mix(), number)
    assert deck.follow(SHUFFLE, "the deck") == []
    return deck, dealers


def opened_card(deck: HiddenDeck, dealers: list[CardDealer], slot: Slot) -> str:
    """The card in a slot, by the shares of both dealers."""
    points = {d.number: deck.check_share(slot, d.number, d.share(slot)) for d in dealers}
    return deck.card_of(slot, points)


def refusal_and_sentence(caught: pytest.ExceptionInfo[RecordError]) -> tuple[str, str]:
    """The reason of a refusal, and the sentence."""
    return caught.value.reason, caught.value.sentence


# ------------------------------------------------------------------ keys


def test_dealers_card_keys_count_only_with_their_proofs() -> None:
    deck = HiddenDeck(GAME, CARDS, 2)
    assert (deck.keys, deck.joint_key) == ((), b"")
    for proofs in (DEALERS.key_proofs[::-1], [DEALERS.key_proofs[0], bytes(64)]):
        with refused_for("commitment", "the proof is wrong"):
            deck.take_keys(DEALERS.keys, proofs)
    with pytest.raises(ValueError, match="shorter"):
        deck.take_keys(DEALERS.keys, DEALERS.key_proofs[:1])
    other_deck = HiddenDeck(bytes(32), CARDS, 2)
    with pytest.raises(RecordError, match="the proof is wrong"):
        other_deck.take_keys(DEALERS.keys, DEALERS.key_proofs)
    deck.take_keys(DEALERS.keys, DEALERS.key_proofs)
    assert (deck.keys, deck.joint_key) == (DEALERS.keys, DEALERS.joint_key)


# ------------------------------------------------------------------ mixes


def test_the_dealers_mix_the_deck_one_after_the_other() -> None:
    deck, dealers = keyed_deck()
    assert (deck.next_mixer(), deck.is_mixed, deck.mixing) == (None, False, None)
    deck.expect_shuffle(SHUFFLE)
    assert deck.mixing is not None
    assert deck.mixing.pairs == known_pairs(GAME, CARDS)
    for number, dealer in enumerate(dealers):
        assert (deck.next_mixer(), deck.is_mixed) == (number, False)
        with refused_for("chain", "not all dealers"):
            deck.follow(SHUFFLE, "the deck")
        mix = dealer.mix()
        before = deck.mixing.pairs
        assert mix == make_mix(
            DEALERS.secrets[number], MixPlace(GAME, DECK, 0, number), DEALERS.joint_key, before
        )
        deck.take_mix(mix, number)
        deck.expect_shuffle(SHUFFLE)  # the same cards: nothing begins anew
    assert (deck.next_mixer(), deck.is_mixed) == (None, True)
    mixed = deck.mixing.pairs
    assert len(mixed) == 5
    deck.follow(SHUFFLE, "the deck")
    assert (deck.mixing, deck.is_mixed) == (None, False)
    assert [*deck.pairs.values()] == mixed
    assert [position.k for position in deck.pairs] == [0, 1, 2, 3, 4]
    with pytest.raises(RecordError, match="not all dealers"):
        deck.follow(SHUFFLE, "the deck")


def test_a_mix_is_refused_for_another_dealer_or_epoch() -> None:
    deck, dealers = keyed_deck()
    deck.expect_shuffle(SHUFFLE)
    mix = dealers[0].mix()
    with refused_for("commitment", "dealer 1"):
        deck.take_mix(mix, 1)
    assert deck.next_mixer() == 0
    assert len(deck.check_mix(mix, 0)) == 5  # a look changes nothing
    assert deck.next_mixer() == 0
    later, dealers = shuffled_deck()
    later.expect_shuffle(SHUFFLE)
    with pytest.raises(RecordError, match="dealer 0"):
        later.take_mix(mix, 0)
    later.take_mix(dealers[0].mix(), 0)


def test_a_shuffle_of_cards_that_nobody_has_seen_is_refused() -> None:
    deck, _ = keyed_deck()
    with pytest.raises(RecordError) as caught:
        deck.expect_shuffle(SHUFFLE._replace(cards=("horns 4", "?")))
    assert refusal_and_sentence(caught)[0] == "rule"
    assert deck.mixing is None


# ------------------------------------------------------------------ slots


def test_slots_are_numbered_in_order_and_each_card_comes_out_once() -> None:
    deck, dealers = shuffled_deck()
    slots = deck.follow(chance("deal", "[?] [?]", "a"), "[?] [?]")
    slots += deck.follow(chance("deal", "[?]", "b"), "[?]")
    slots += deck.follow(chance("deal", "[?] [?]", "a"), "[?] [?]")
    assert slots == [Slot("a", 0), Slot("a", 1), Slot("b", 0), Slot("a", 2), Slot("a", 3)]
    assert deck.unshared_slots == {"a": [0, 1, 2, 3], "b": [0]}
    assert sorted(opened_card(deck, dealers, slot) for slot in slots) == sorted(CARDS)
    assert [deck.position_by_slot[slot].k for slot in slots] == [0, 1, 2, 3, 4]
    deck.unshared_slots.clear()
    deck.need_shares("a", [])
    assert deck.unshared_slots == {}
    deck.need_shares("a", [11, 3])
    deck.need_shares("a", [9, 3, 0])
    assert deck.unshared_slots == {"a": [0, 3, 9, 11]}


def test_a_card_put_under_the_deck_keeps_its_pair_and_gets_a_new_position() -> None:
    deck, dealers = shuffled_deck()
    deck.follow(chance("deal", "[?] [?] [?]", "b"), "[?] [?] [?]")
    cards = [opened_card(deck, dealers, Slot("b", number)) for number in range(3)]
    under = chance("under", "x", "b", ("?", "?"))
    assert deck.follow(under, "2 cards go below the top 1", (2, 0)) == []
    positions = deck.pile.positions
    assert [position.k for position in positions] == [3, 5, 6, 4]
    slots = deck.follow(chance("deal", "[?] [?] [?]", "a"), "[?] [?] [?]")
    assert deck.pair_of(slots[1]) == deck.pair_of(Slot("b", 2))
    assert [opened_card(deck, dealers, slot) for slot in slots[1:]] == [cards[2], cards[0]]
    assert deck.share_place(slots[1], 1).parts() != deck.share_place(Slot("b", 2), 1).parts()


@pytest.mark.parametrize("kind", ["deal", "under"])
def test_hidden_cards_go_only_to_hands_and_come_only_from_hands(kind: str) -> None:
    deck, _ = shuffled_deck()
    with pytest.raises(RecordError) as caught:
        deck.follow(chance(kind, "? is turned up"), "horns 4 is turned up 0")
    assert refusal_and_sentence(caught)[0] == "rule"
    assert len(deck.pile) == 5


# ------------------------------------------------------------------ shares


def test_a_share_is_refused_for_another_slot_or_dealer() -> None:
    deck, dealers = shuffled_deck()
    slots = deck.follow(chance("deal", "[?] [?]", "a"), "[?] [?]")
    share = dealers[1].share(slots[0])
    deck.check_share(slots[0], 1, share)
    for slot, dealer in ((slots[1], 1), (slots[0], 0)):
        with refused_for("commitment", "must prove its share"):
            deck.check_share(slot, dealer, share)


def test_a_sealed_share_is_refused_for_another_slot_dealer_or_seat() -> None:
    deck, dealers = shuffled_deck()
    slots = deck.follow(chance("deal", "[?] [?]", "a"), "[?] [?]")
    point, other_point = map(multiply_base, (SEAT_SECRET, SEAT_SECRET + 1))
    sealed = dealers[1].sealed_share(slots[0], point)
    deck.check_sealed_share(slots[0], 1, sealed, point)
    plain = deck.check_share(slots[0], 1, dealers[1].share(slots[0]))
    assert open_share(sealed, SEAT_SECRET) == plain
    for slot, dealer, seat in (
        (slots[1], 1, point),
        (slots[0], 0, point),
        (slots[0], 1, other_point),
    ):
        with refused_for("commitment"):
            deck.check_sealed_share(slot, dealer, sealed, seat)


def test_shares_of_another_slot_open_no_card() -> None:
    deck, dealers = shuffled_deck()
    slots = deck.follow(chance("deal", "[?] [?]", "a"), "[?] [?]")
    points = {d.number: deck.check_share(slots[0], d.number, d.share(slots[0])) for d in dealers}
    with pytest.raises(RecordError) as caught:
        deck.card_of(slots[1], points)
    reason, sentence = refusal_and_sentence(caught)
    assert (reason, "card #1 in the hand of seat a opens as" in sentence) == ("commitment", True)
    with pytest.raises(KeyError):
        deck.card_of(slots[0], {0: points[0]})
