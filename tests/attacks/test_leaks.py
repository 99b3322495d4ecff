"""Nothing that a seat hides shows in what others get: two games that differ only in it look alike.

Compared are names, sizes and the shape of every file: hashes, salts and boxes stand for their
length, slots (drawn from a secret) for a number.
"""

import re

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.sealed_dealer import Hands, SealedDealer
from pbem.judge.turn_maker import TurnMaker
from pbem.records.packet import open_packet
from pbem.records.seeded_decks_and_dice import Dealing, Position
from tests.attacks.cheats import dealing_with, seed_of
from tests.kit.played_games import Played

_HEX = re.compile(rb"[0-9a-f]{64}")
_BOX = re.compile(rb'"[A-Za-z0-9+/=]{100,}"')
_SLOT = re.compile(rb"slot = [0-9]+")


def shape(data):
    body, _, trailer = data.partition(b"# -----BEGIN")
    boxes = _BOX.sub(lambda box: b"box of %d" % len(box[0]), _HEX.sub(b"hash", body))
    # sets are sorted by ids, which are as good as drawn by lot
    return sorted(_SLOT.sub(b"slot", boxes).strip().split(b"\n\n")), len(trailer)


def file_shapes(root):
    """Names without the digits of ids, and shapes."""
    files = sorted(p for p in root.rglob("*.toml") if p.name != "final.toml")
    named = [(re.sub("[0-9a-f]{6}", "id", p.relative_to(root).as_posix()), p) for p in files]
    return sorted((name, shape(path.read_bytes())) for name, path in named)


def texts_for_seat(game, seat):
    """All that a seat's key opens: its own log, and the text of its packets."""
    key = game.seats[seat].reader.key
    numbers = enumerate((t.content for t in game.turns), start=1)
    texts = [open_packet(n, seat, turn.packets[seat], key) for n, turn in numbers]
    cards = [[o.card for o in text.dealt] for text in texts]
    entries = [(e.key, e.text, e.by) for e in game.seats[seat].reader.own_log]
    return cards, [len(text.hidden) for text in texts], entries


def foods(player):
    """The food cards that the player may choose from."""
    return next(
        d for _, d in player.reader.own_table.pending if d.seat == player.seat
    ).option_list()


def with_b(what):
    """An answer for both seats: a always says the same, b what is given."""

    def answer(player):
        if player.seat == "b":
            return what(player)
        return [f"food: {foods(player)[0]}"] if player.reader.chain.turn == 1 else ["play: done"]

    return answer


HIDDEN = {
    "the first card": lambda p: [f"food: {foods(p)[0]}"],
    "another card": lambda p: [f"food: {foods(p)[-1]}"],
    "further lines": lambda p: [
        f"food: {foods(p)[0]}", f"food: {foods(p)[1]}", "always feed: * eats", "feed: * eats",
        f"play: {foods(p)[2]} on b1", "play: done",
    ],
    "sixty lines": lambda p: [f"food: {foods(p)[1]}", *["feed: * eats"] * 59],
    "a card by a standing wish": lambda p: [f"food: {foods(p)[2]}", f"always food: {foods(p)[1]}"],
}  # fmt: skip


@pytest.mark.parametrize("what", list(HIDDEN)[1:])
def test_two_games_that_differ_in_bs_secret_orders_look_alike_to_a(tmp_path, what):
    games = [
        Played(tmp_path / str(n), answer=with_b(HIDDEN[name])).play(2)
        for n, name in enumerate(["the first card", what])
    ]
    one, other = games
    assert files_of(one) == files_of(other)
    assert texts_for_seat(one, "a") == texts_for_seat(other, "a")


def files_of(game):
    """Up to turn 2 and the orders that it answers to: after it b plays cards in sight."""
    kept = ("game", "seats", "turns", "orders/0001")
    return [(name, shape) for name, shape in file_shapes(game.root) if name.startswith(kept)]


class _OtherHand(SealedDealer):
    def _enter(self, positions, cards):
        changed = list(cards)
        for k in range(4, 8):  # b's first hand
            changed[k], changed[-k] = changed[-k], changed[k]
        super()._enter(positions, changed)


class OtherHand(TurnMaker):
    """A deck in which b's hand is another and all else is the same."""

    def _new_cards(self):
        return _OtherHand(seed_of(self), self.game)


def test_two_games_that_differ_in_bs_hand_look_alike_to_a(tmp_path):
    makers = TurnMaker, OtherHand
    answer = with_b(lambda p: [f"food: {foods(p)[0]}"])
    games = [
        Played(tmp_path / maker.__name__, maker=maker, answer=answer).play(3) for maker in makers
    ]
    one, other = games
    assert not any(game.made.cards.buried for game in games), "nothing goes under the deck"
    hands = [open_packet(1, "b", g.turns[0].content.packets["b"], g.made.keys["b"]) for g in games]
    assert [o.card for o in hands[0].dealt] != [o.card for o in hands[1].dealt]
    assert file_shapes(one.root) == file_shapes(other.root)
    assert texts_for_seat(one, "a") == texts_for_seat(other, "a")


SHOWN, FOOD = "carnivore 4", "burrowing 3"
"""Of such cards there are two."""


class Arranged(SealedDealer):
    """A deck in which b's first hand is this one and all else is as it was, but for what it was
    changed against."""

    hand = (SHOWN, FOOD)

    def _enter(self, positions, cards):
        for k, wanted in enumerate(self.hand, start=4):
            at = cards.index(wanted, k)
            cards[k], cards[at] = cards[at], cards[k]
        super()._enter(positions, cards)


def with_hand(*cards):
    """A referee who deals b these cards first."""
    dealer = type("Dealer", (Arranged,), {"hand": (SHOWN, FOOD, *cards)})
    return dealing_with(dealer)


def shows_a_card(player):
    return {
        1: [f"food: [{FOOD}]"],
        3: [f"play: {SHOWN}: new species on the right", "play: done"],
    }.get(player.reader.chain.turn, ["feed: * eats", "feed: pass"])


def by_lot(shaped):
    """Which of two equal cards left is as good as drawn by lot, like a slot."""
    return [
        (name, [re.sub(rb"\nk = [0-9]+", b"\nk", x) for x in xs], n) for name, (xs, n) in shaped
    ]


@pytest.mark.parametrize("twins", [False, True])
def test_showing_one_card_tells_nothing_of_bs_other_cards(tmp_path, twins):
    """Neither which other cards it has, nor whether one of them is the same."""
    hands = [
        ("horns 3", "climbing 4"),
        (SHOWN, "climbing 4") if twins else ("ambush 3", "fertile 6"),
    ]
    games = [
        Played(tmp_path / str(n), maker=with_hand(*hand), answer=with_b(shows_a_card)).play(4)
        for n, hand in enumerate(hands)
    ]
    one, other = games
    (row,), (same,) = (game.turns[3].content.shown for game in games)
    assert row.card == same.card == SHOWN
    shaped = [by_lot(file_shapes(game.root)) if twins else file_shapes(game.root) for game in games]
    assert shaped[0] == shaped[1]
    assert texts_for_seat(one, "a") == texts_for_seat(other, "a")


def test_which_of_two_equal_cards_leaves_a_hand_is_as_good_as_drawn_by_lot():
    """It goes neither by when they came nor by the salt, which is published: a large salt would
    tell that there was no equal card, were it always the smallest that leaves."""
    early = small = 0
    for n in range(400):
        dealing = Dealing(b"%d" % n, bytes(32))
        pair = [dealing.opening(Position("deck", 0, k), "horns 4") for k in (3, 40)]
        hands = Hands(dealing.rank)
        hands.take("a", pair)
        left = hands.leave("a", "horns 4")
        early += left is pair[0]
        small += left.salt == min(o.salt for o in pair)
        assert hands.leave("a", "horns 4") in pair
        with pytest.raises(RecordError, match="has no such card"):
            hands.leave("a", "horns 4")
    assert 150 < early < 250
    assert 150 < small < 250


def test_two_games_that_differ_in_bs_refused_orders_look_alike_to_a(tmp_path):
    wrong = ["feed: a1 eats"], ["play: nonsense", "food: [horns 3]", "feed: b9 eats"]
    games = []
    for n, lines in enumerate(wrong):
        game = Played(tmp_path / str(n))
        game.see(game.turn())
        game.ask()
        game.send(game.seats["b"].orders(lines, 2))
        game.see(game.turn())
        games.append(game)
    one, other = games
    assert [x.reason for x in one.turns[1].content.orders].count("rule") == 1
    assert file_shapes(one.root) == file_shapes(other.root)
    assert texts_for_seat(one, "a") == texts_for_seat(other, "a")


def test_the_opening_of_a_card_that_turns_up_does_not_say_when_it_was_dealt(finished):
    """Openings of cards that turn up never say when the card was drawn; of those that leave a hand
    for all to see they do, and only of those."""
    for turn in finished.turns:
        deals = {Position(o.deck, o.epoch, o.k) for o in turn.content.dealt}
        assert not deals, "in this game no card is dealt openly"
        assert all(set(vars(o)) == {"handle", "card", "salt"} for o in turn.content.cards)
