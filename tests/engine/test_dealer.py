"""The dealer of simulations: all luck from one seed, and none of it from anything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from engine import Decision, SeedDealer, deal, deal_openly, die, shuffle, under

CARDS = [f"card {n}" for n in range(6)]
DICE = "66623424"
ORDER = "325041"


def drawn_cards(dealer: SeedDealer, count: int, deck: str = "deck") -> list[str]:
    decision = deal_openly(count, deck)
    text = dealer.answer("1.deal.deal.*.0", decision)
    dealer.learn(decision, text)
    assert text.startswith(f"{deck} shows ")
    return text.removeprefix(f"{deck} shows ").split(" and ")


def cards_after_shuffle(seed: bytes, cards: Iterable[str] = CARDS, times: int = 1) -> list[str]:
    dealer = SeedDealer(seed)
    for _ in range(times):
        pass_through_dealer(dealer, shuffle(cards))
    return drawn_cards(dealer, len(CARDS))


def pass_through_dealer(dealer: SeedDealer, decision: Decision) -> None:
    dealer.learn(decision, dealer.answer("1.x.x.*.0", decision))


def test_the_same_seed_deals_and_throws_the_same() -> None:
    assert cards_after_shuffle(b"one") == cards_after_shuffle(b"one")
    assert cards_after_shuffle(b"one") != cards_after_shuffle(b"two")
    throws = [[SeedDealer(seed).answer(str(n), die()) for n in range(9)] for seed in (b"1", b"1")]
    assert throws[0] == throws[1]


def test_the_order_in_which_cards_go_in_steers_nothing() -> None:
    assert cards_after_shuffle(b"one", CARDS[::-1]) == cards_after_shuffle(b"one")


def test_each_shuffle_has_luck_of_its_own() -> None:
    assert cards_after_shuffle(b"one", times=2) != cards_after_shuffle(b"one", times=1)
    dealer = SeedDealer(b"one")
    orders = set()
    for _ in range(20):
        pass_through_dealer(dealer, shuffle(CARDS))
        orders.add(tuple(drawn_cards(dealer, 6)))
    assert len(orders) > 15


def test_every_order_is_about_as_likely() -> None:
    seen = Counter(
        "".join(c[-1] for c in cards_after_shuffle(str(n).encode())[:6]) for n in range(1200)
    )
    for place in range(6):
        for card in "012345":
            assert 130 < sum(n for order, n in seen.items() if order[place] == card) < 270
    assert sum(len(set(order)) for order in seen) == 6 * len(seen)


def test_every_face_is_about_as_likely_and_a_die_has_luck_of_its_own() -> None:
    dealer = SeedDealer(b"one")
    seen = Counter(dealer.answer(f"{n}.food.die.*.0", die()) for n in range(1200))
    assert set(seen) == set("123456")
    assert all(140 < n < 260 for n in seen.values())
    assert {dealer.answer("k", die(("left", "right"))) for _ in range(9)} in ({"left"}, {"right"})


def test_the_luck_of_a_seed_never_changes() -> None:
    """Games that were simulated under a seed are found again; these are their numbers."""
    dealer = SeedDealer(b"seed")
    assert [dealer.answer(f"{n}.food.die.*.0", die()) for n in range(8)] == list(DICE)
    assert "".join(c[-1] for c in cards_after_shuffle(b"seed")) == ORDER


def test_cards_are_dealt_from_the_top_and_are_gone() -> None:
    dealer = SeedDealer(b"one")
    pass_through_dealer(dealer, shuffle(CARDS))
    whole = cards_after_shuffle(b"one")
    decision = deal("a", 2)
    text = dealer.answer("k", decision)
    assert text == f"a draws [{whole[0]}] [{whole[1]}]"
    assert dealer.answer("k", decision) == text  # asking takes nothing away
    dealer.learn(decision, text)
    assert drawn_cards(dealer, 4) == whole[2:]


def test_new_cards_lie_on_top_of_the_rest() -> None:
    dealer = SeedDealer(b"one")
    pass_through_dealer(dealer, shuffle(["old"]))
    pass_through_dealer(dealer, shuffle(["new 1", "new 2"]))
    first = drawn_cards(dealer, 3)
    assert sorted(first[:2]) == ["new 1", "new 2"]
    assert first[2] == "old"


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_cards_are_put_in_at_their_depth_in_their_order(depth: int) -> None:
    dealer = SeedDealer(b"one")
    pass_through_dealer(dealer, shuffle(CARDS))
    pass_through_dealer(dealer, under(["second", "first"], depth))
    whole = cards_after_shuffle(b"one")
    assert drawn_cards(dealer, 8) == [*whole[:depth], "second", "first", *whole[depth:]]


def test_decks_do_not_mix() -> None:
    dealer = SeedDealer(b"one")
    pass_through_dealer(dealer, shuffle(["red"], "reds"))
    pass_through_dealer(dealer, shuffle(["blue"], "blues"))
    assert (drawn_cards(dealer, 1, "blues"), drawn_cards(dealer, 1, "reds")) == (["blue"], ["red"])


def test_a_die_changes_no_deck() -> None:
    dealer = SeedDealer(b"one")
    pass_through_dealer(dealer, shuffle(CARDS))
    pass_through_dealer(dealer, die(("left", "right")))
    pass_through_dealer(dealer, die())
    assert drawn_cards(dealer, 6) == cards_after_shuffle(b"one")
