"""What chance brings: dealt by the seed alone, and checked by everybody without it."""

from collections import Counter
from dataclasses import replace

import pytest

from engine import cards_in, mask
from engine.decisions import deal, deal_openly, die, shuffle, under
from pbem.format.record_error import RecordError
from pbem.judge.chance_entry_checks import ChanceChecker, DealtPositions, TurnDeals
from pbem.judge.sealed_dealer import SealedDealer
from pbem.judge.sealed_openings import Openings
from pbem.records.seeded_decks_and_dice import Position
from pbem.records.turn import OpenCard, OpenLine
from tests.kit.refusals import refused_for
from tests.kit.sample_records import NO_INPUTS

SEED, GAME = b"s" * 32, b"g" * 32
CARDS = ("horns 1", "horns 2", "horns 2", "fins 3", "fins 4", "wings 5", "wings 6", "wings 7")
FALLS = [
    shuffle(CARDS), deal("a", 2), deal_openly(2), under(("tail 1",), 1),
    under(("tail 2", "tail 3"), 0, to="a"), deal("b", 3), die(),
    shuffle(("sun", "rain"), deck="sky"), deal_openly(1, deck="sky"),
    die(("a goes first", "b goes first")), shuffle((), deck="void"), deal("a", 1),
    shuffle(("horns 1", "fins 3")), deal("b", 2),
]  # fmt: skip


def fall_key(number):
    return f"1.phase.{FALLS[number].kind}.*.{number}"


@pytest.fixture
def dealer():
    made = SealedDealer(SEED, GAME)
    made.begin(2, NO_INPUTS)
    return made


@pytest.fixture
def fall_texts(dealer):
    """What the referee writes of each."""
    found = []
    for number, decision in enumerate(FALLS):
        found.append(dealer.answer(fall_key(number), decision))
        dealer.learn(decision, found[-1])
    return found


@pytest.fixture
def turn_with_falls(finished, dealer, fall_texts):
    """A turn that opens what fell."""
    results = dealer.results
    parts = ("decks", "dealt", "links")
    opened = {name: tuple(getattr(results, name)) for name in parts}
    return replace(
        finished.turns[0].content, lines=(), cards=(), shown=tuple(results.shown_openings), **opened
    )


def check_chance(turn, texts, link0=None):
    """Everybody's look at these entries; what they brought."""
    chances, openings, deals = ChanceChecker(GAME), Openings(turn), TurnDeals()
    chances.link = link0 or SealedDealer(SEED, GAME).dice.link(0)
    for number, (decision, text) in enumerate(zip(FALLS, texts, strict=True)):
        deals.entry = number
        said = mask(text) if decision.to != "" and "[" in text else text
        chances.check(fall_key(number), decision, said, openings, deals)
    openings.check_all_used()
    return chances, deals


def chance_refusal(turn, texts):
    with pytest.raises(RecordError) as caught:
        check_chance(turn, texts)
    return caught.value.reason


@pytest.mark.long
def test_dealt_cards_can_be_checked_by_everybody_and_opened_by_their_owner(
    dealer, fall_texts, turn_with_falls
):
    chances, deals = check_chance(turn_with_falls, fall_texts)
    by_entry = {number: cards_in(text) for number, text in enumerate(fall_texts)}
    hands = {seat: iter(cards) for seat, cards in dealer.results.hands.items()}
    assert [(one.entry, one.seat, len(one.positions)) for one in deals.dealt] == [
        (1, "a", 2), (5, "b", 3), (11, "a", 1), (13, "b", 2),
    ]  # fmt: skip
    for one in deals.dealt:
        for at, card in zip(one.positions, by_entry[one.entry], strict=True):
            opening = next(hands[one.seat])
            assert (Position(opening.deck, opening.epoch, opening.k), opening.card) == (at, card)
            chances.check_dealt(opening)
    assert all(next(rest, None) is None for rest in hands.values())
    (one,) = deals.under
    assert (one.entry, one.seat, [at.k for at in one.positions]) == (4, "a", [9, 10])
    assert deals.opened(set()) == {"a": 5, "b": 5}
    assert [o.card for o in dealer.results.under["a"]] == ["tail 2", "tail 3"]
    assert deals.dealt[2] == DealtPositions(11, "a", deals.dealt[2].positions)


def test_every_card_is_dealt_once_in_an_order_that_the_seed_alone_fixes(dealer, fall_texts):
    again = SealedDealer(SEED, GAME)
    other = SealedDealer(b"t" * 32, GAME)
    for number, decision in enumerate(FALLS):
        assert again.answer(fall_key(number), decision) == fall_texts[number]
        again.learn(decision, fall_texts[number])
    decision = FALLS[0]
    other.learn(decision, other.answer(fall_key(0), decision))
    assert other.results.decks != again.results.decks[:1]
    shown = fall_texts[2].removeprefix("deck shows ").split(" and ")
    dealt = [card for n in (1, 5, 11) for card in cards_in(fall_texts[n])]
    came = Counter(dealt + shown)
    there = Counter((*CARDS, "tail 1", "tail 2", "tail 3"))
    assert not came - there
    assert came.total() == 8
    assert list(cards_in(fall_texts[5]))[:2] == ["tail 2", "tail 3"]  # put on top by a
    assert sorted(cards_in(fall_texts[13])) == ["fins 3", "horns 1"]  # the new epoch lies on top
    assert [(d.deck, d.epoch, d.first, len(d.cards)) for d in dealer.results.decks] == [
        ("deck", 0, 0, 8), ("deck", 0, 8, 1), ("deck", 0, 9, 2), ("sky", 0, 0, 2),
        ("deck", 1, 0, 2),
    ]  # fmt: skip


def test_a_dealer_starts_each_turn_with_empty_results(dealer, fall_texts):
    dealer.begin(2, NO_INPUTS)
    results = dealer.results
    assert (results.decks, results.dealt, results.hands, results.shown_openings) == ([], [], {}, [])
    assert (results.under, results.links) == ({}, [])
    assert dealer.answer("1.phase.die.*.9", die()) in "123456"


# ---------------------------------------------------------------- lies
@pytest.mark.long
def test_a_turn_whose_opening_does_not_fit_its_commitment_is_refused(turn_with_falls, fall_texts):
    for n, opened in enumerate(turn_with_falls.dealt):
        for lie, reason in (
            (replace(opened, salt=b"\x01" * 32), "commitment"),
            (replace(opened, card="moon"), "commitment"),
            (replace(opened, k=99), "opening"),
        ):
            dealt = (*turn_with_falls.dealt[:n], lie, *turn_with_falls.dealt[n + 1 :])
            assert chance_refusal(replace(turn_with_falls, dealt=dealt), fall_texts) == reason
        less = (*turn_with_falls.dealt[:n], *turn_with_falls.dealt[n + 1 :])
        assert chance_refusal(replace(turn_with_falls, dealt=less), fall_texts) == "opening"


@pytest.mark.sample(0)
def test_a_card_told_and_opened_falsely_alike_is_refused(turn_with_falls, fall_texts):
    told = fall_texts[2].replace(turn_with_falls.dealt[0].card, "moon", 1)
    lie = (replace(turn_with_falls.dealt[0], card="moon"), *turn_with_falls.dealt[1:])
    assert (
        chance_refusal(
            replace(turn_with_falls, dealt=lie), [*fall_texts[:2], told, *fall_texts[3:]]
        )
        == "commitment"
    )


@pytest.mark.sample(0)
def test_a_turn_with_too_many_or_too_few_commitments_is_refused(turn_with_falls, fall_texts):
    for n, new in enumerate(turn_with_falls.decks):
        for cards in (new.cards[:-1], (*new.cards, b"\x01" * 32)):
            decks = (
                *turn_with_falls.decks[:n],
                replace(new, cards=cards),
                *turn_with_falls.decks[n + 1 :],
            )
            assert chance_refusal(replace(turn_with_falls, decks=decks), fall_texts) == "opening"
        for moved in (replace(new, first=new.first + 1), replace(new, epoch=new.epoch + 1)):
            decks = (*turn_with_falls.decks[:n], moved, *turn_with_falls.decks[n + 1 :])
            assert chance_refusal(replace(turn_with_falls, decks=decks), fall_texts) == "opening"


@pytest.mark.sample(0)
def test_a_die_that_is_not_that_of_its_link_is_refused(turn_with_falls, fall_texts):
    other = next(face for face in "123456" if face != fall_texts[6])
    assert chance_refusal(turn_with_falls, [*fall_texts[:6], other, *fall_texts[7:]]) == "chain"
    one, two = turn_with_falls.links
    assert chance_refusal(replace(turn_with_falls, links=(one,)), fall_texts) == "opening"
    assert chance_refusal(replace(turn_with_falls, links=(two, one)), fall_texts) == "chain"
    more = replace(turn_with_falls, links=(one, two, SealedDealer(SEED, GAME).dice.link(3)))
    assert chance_refusal(more, fall_texts) == "opening"


@pytest.mark.parametrize(
    "extra",
    [
        {"lines": (OpenLine(b"\x01" * 32, 0, "feed: pass", b"\x02" * 32),)},
        {"cards": (OpenCard(b"\x01" * 32, "horns 1", b"\x02" * 32),)},
    ],
    ids=["lines", "cards"],
)
def test_a_turn_that_opens_what_nothing_needs_is_refused(turn_with_falls, fall_texts, extra):
    assert chance_refusal(replace(turn_with_falls, **extra), fall_texts) == "opening"
    for name in ("dealt", "shown", "decks"):
        one = turn_with_falls.decks[0] if name == "decks" else turn_with_falls.dealt[0]
        unused = replace(one, **({"first": 77} if name == "decks" else {"k": 77}))
        many = (*getattr(turn_with_falls, name), unused)
        assert chance_refusal(replace(turn_with_falls, **{name: many}), fall_texts) == "opening"


def test_an_opening_that_the_turn_needed_once_counts_as_used(turn_with_falls):
    line = OpenLine(b"\x01" * 32, 3, "feed: pass", b"\x02" * 32)
    other = replace(line, order=b"\x03" * 32)
    card = OpenCard(b"\x01" * 32, "horns 1", b"\x02" * 32)
    empty = {"decks": (), "dealt": (), "links": (), "shown": ()}
    openings = Openings(replace(turn_with_falls, lines=(line, other), cards=(card,), **empty))
    assert openings.lines_of(line.order) == [line]
    for one in (line, other, replace(line, slot=9)):  # the last one an earlier turn opened
        openings.use_line(one)
    assert openings.use_card(card.handle) == card
    openings.check_all_used()
    with refused_for("opening", "was turned face up, but the turn does not prove which card it is"):
        openings.use_card(b"\x09" * 32)


# ---------------------------------------------------------------- what leaves a hand
def test_a_card_can_be_shown_only_once_and_from_its_own_hand(dealer, fall_texts, turn_with_falls):
    hand = cards_in(fall_texts[1]) + cards_in(fall_texts[11])
    dealer.begin(2, NO_INPUTS)
    dealer.leave("a", hidden_cards=[hand[0]], shown_cards=[hand[1]])
    assert [o.card for o in dealer.results.shown_openings] == [hand[1]]
    chances, _ = check_chance(turn_with_falls, fall_texts)
    openings = Openings(replace(turn_with_falls, shown=tuple(dealer.results.shown_openings)))
    with refused_for("opening", "does not prove that the seat had"):
        chances.show("b", hand[1], openings)
    with pytest.raises(RecordError, match="does not prove that the seat had"):
        chances.show("a", "moon", openings)
    chances.show("a", hand[1], openings)
    with pytest.raises(RecordError, match="does not prove that the seat had"):
        chances.show("a", hand[1], openings)
    wrong = replace(dealer.results.shown_openings[0], salt=b"\x01" * 32)
    chances, _ = check_chance(turn_with_falls, fall_texts)
    with refused_for("commitment"):
        chances.show("a", hand[1], Openings(replace(turn_with_falls, shown=(wrong,))))


def test_a_card_that_a_hand_does_not_hold_cannot_leave_it(dealer, fall_texts):
    (card, *_) = cards_in(fall_texts[1])
    for seat, named in (("a", "moon"), ("c", card)):
        for words in (([named], []), ([], [named])):
            with refused_for("rule", "has no such card"):
                dealer.leave(seat, *words)
