"""Decks and dice: fixed by all who joined, dealt in public order, checked by anybody."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.format import protocol_labels
from pbem.format.hashes_and_streams import kdf
from pbem.format.record_error import RecordError
from pbem.records.seeded_decks_and_dice import (
    LINKS,
    Dealing,
    DiceChain,
    Pile,
    Position,
    check_hidden_ref,
    check_link,
    check_position,
    die,
    make_seed,
    previous_link,
)
from pbem.records.turn import OpenCard, OpenPosition
from tests.kit.refusals import refused_for

GAME = b"g" * 32
CARDS = ["climbing 2", "horns 3", "horns 4", "horns 4", "long neck 9"]
SHARES = {"b": b"r" * 32}


def test_every_share_changes_the_seed() -> None:
    right = make_seed(b"R" * 32, SHARES, GAME)
    others = [
        make_seed(b"S" * 32, SHARES, GAME),
        make_seed(b"R" * 32, {"b": b"s" * 32}, GAME),
        make_seed(b"R" * 32, {"a": b"r" * 32, "b": b"r" * 32}, GAME),
        make_seed(b"R" * 32, SHARES, b"h" * 32),
    ]
    assert len({right, *others}) == 5


def test_the_seed_is_made_of_all_shares_in_seat_order() -> None:
    shares = {"c": b"3" * 32, "a": b"1" * 32, "b": b"2" * 32}
    material = b"R" * 32 + b"1" * 32 + b"2" * 32 + b"3" * 32
    assert make_seed(b"R" * 32, shares, GAME) == kdf(material, protocol_labels.SEED, GAME)


@given(st.permutations(CARDS))
def test_the_order_in_which_cards_are_given_does_not_change_the_shuffle(cards: list[str]) -> None:
    dealing = Dealing(b"s" * 32, GAME)
    assert dealing.shuffled("deck", 0, cards) == dealing.shuffled("deck", 0, CARDS)
    assert sorted(dealing.shuffled("deck", 0, cards)) == sorted(CARDS)


def test_each_deck_epoch_and_seed_is_shuffled_differently() -> None:
    cards = [f"card {i}" for i in range(30)]
    orders = {
        tuple(Dealing(seed, GAME).shuffled(deck, epoch, cards))
        for seed in (b"s" * 32, b"t" * 32)
        for deck in ("deck", "food")
        for epoch in (0, 1)
    }
    assert len(orders) == 8


def test_the_opening_of_a_deck_card_is_checked_against_its_commitment() -> None:
    dealing, at = Dealing(b"s" * 32, GAME), Position("deck", 0, 2)
    commitments = dealing.commitments(Position("deck", 0, 0), CARDS)
    opening = dealing.opening(at, CARDS[2])
    check_position(GAME, opening, commitments[2])
    assert len(set(commitments)) == len(CARDS)  # equal cards do not look equal
    wrong = [
        OpenPosition("deck", 0, 2, "horns 3", opening.salt),
        OpenPosition("deck", 0, 3, "horns 4", opening.salt),
        OpenPosition("deck", 1, 2, "horns 4", opening.salt),
        OpenPosition("food", 0, 2, "horns 4", opening.salt),
        OpenPosition("deck", 0, 2, "horns 4", b"x" * 32),
    ]
    for one in wrong:
        with pytest.raises(
            RecordError, match=(r"but the referee committed to a different card.*\[commitment\]")
        ):
            check_position(GAME, one, commitments[2])


def test_cards_put_under_the_deck_are_numbered_on_from_its_end() -> None:
    dealing = Dealing(b"s" * 32, GAME)
    (late,) = dealing.commitments(Position("deck", 0, 5), ["horns 3"])
    check_position(GAME, dealing.opening(Position("deck", 0, 5), "horns 3"), late)


def test_the_opening_of_a_card_that_no_line_names_is_checked_against_its_handle() -> None:
    dealing = Dealing(b"s" * 32, GAME)
    card = dealing.hidden(12, 1, "horns 4")
    check_hidden_ref(GAME, 12, 1, card)
    changed = OpenCard(card.handle, "horns 3", card.salt)
    for entry, j, one in ((12, 0, card), (11, 1, card), (12, 1, changed)):
        with pytest.raises(RecordError, match=r"put down.*\[commitment\]"):
            check_hidden_ref(GAME, entry, j, one)


# ------------------------------------------------------------------ the pile
def _ks(positions: list[Position]) -> list[tuple[int, int]]:
    return [(p.epoch, p.k) for p in positions]


def test_dealing_takes_the_top_cards_and_leaves_those_set_aside_below() -> None:
    pile = Pile()
    pile.shuffle(5)
    assert _ks(pile.deal(3)) == [(0, 0), (0, 1), (0, 2)]
    pile.shuffle(2)  # the two left were set aside: the new epoch lies on them
    assert _ks(pile.deal(3)) == [(1, 0), (1, 1), (0, 3)]
    assert len(pile) == 1


def test_cards_put_under_the_deck_lie_above_those_set_aside() -> None:
    pile = Pile()
    pile.shuffle(4)
    assert _ks(pile.put_under(2, 3)) == [(0, 4), (0, 5)]
    assert _ks(pile.deal(6)) == [(0, 0), (0, 1), (0, 2), (0, 4), (0, 5), (0, 3)]


def test_a_pile_refuses_to_deal_or_bury_more_than_it_can() -> None:
    pile = Pile("food")
    for wrong in (lambda: pile.deal(1), lambda: pile.put_under(1, 0)):
        with pytest.raises(RecordError, match=r"food.*\[chain\]"):
            wrong()
    with pytest.raises(RecordError, match="before it is shuffled"):
        pile.put_under(1, 0)
    pile.shuffle(2)
    for wrong in (
        lambda: pile.deal(3),
        lambda: pile.put_under(1, 3),
        lambda: pile.put_under(1, -1),
    ):
        with refused_for("chain"):
            wrong()
    assert _ks(pile.deal(2)) == [(0, 0), (0, 1)]


@given(
    st.lists(st.tuples(st.sampled_from("dus"), st.integers(0, 5), st.integers(0, 9)), max_size=30)
)
def test_no_card_of_a_pile_leaves_twice_or_from_nowhere(acts: list[tuple[str, int, int]]) -> None:
    pile, entered, left = Pile(), list[Position](), list[Position]()
    entered += pile.shuffle(4)
    for act, count, depth in acts:
        if act == "d":
            left += pile.deal(min(count, len(pile)))
        elif act == "u":
            entered += pile.put_under(count, min(depth, len(pile)))
        else:
            entered += pile.shuffle(count)
    left += pile.deal(len(pile))
    assert Counter(left) == Counter(entered)
    assert max(Counter(left).values()) == 1


# ------------------------------------------------------------------ dice
def test_the_links_of_the_dice_chain_follow_from_each_other() -> None:
    chain = DiceChain(b"s" * 32)
    for j in (1, 2, LINKS):
        check_link(chain.link(j), chain.link(j - 1))
        assert previous_link(chain.link(j)) == chain.link(j - 1)
    with pytest.raises(RecordError, match=r"the dice of this turn are not the dice.*\[chain\]"):
        check_link(chain.link(3), chain.link(1))
    for beyond in (LINKS + 1, -1):
        with pytest.raises(RecordError, match=r"all of them have been rolled.*\[chain\]"):
            chain.link(beyond)


def test_a_die_is_fair_and_depends_on_game_link_and_question() -> None:
    faces = Counter(die(GAME, b"l" * 32, f"1.x.die.*.{n}", 6) for n in range(3000))
    assert sorted(faces) == [0, 1, 2, 3, 4, 5]
    assert all(400 < n < 600 for n in faces.values())
    big = 1 << 60
    thrown = {die(g, b"l" * 32, k, big) for g in (GAME, b"h" * 32) for k in ("1.x", "1.y")}
    assert len(thrown | {die(GAME, b"m" * 32, "1.x", big)}) == 5
