"""Cards out of a hand for all to see: each is proven at once to have been dealt to that hand.

The referee plays seat a and says of one card of its first hand that it is another. All else in its
turns is right: orders, lines, tables. Before `shown` nobody could tell before `final`.
"""

import re
from dataclasses import replace

import pytest

from engine import Game, cards_in
from pbem.format.record_error import RecordError
from pbem.judge import public_turn_reader
from pbem.judge.audit import audit
from pbem.judge.game_ruleset import game_of
from pbem.judge.sealed_dealer import Hands, SealedDealer
from pbem.judge.turn_maker import TurnMaker
from pbem.records.read_and_sign_record import make
from pbem.records.sealed_orders import OrderPlace, UnsealedOrders, seal_orders
from pbem.records.seeded_decks_and_dice import Position
from tests.attacks.cheats import dealing_with
from tests.attacks.forging import Forged, first_turn_number, one_broken, turn_path
from tests.kit.played_games import Played

LIE = 3
"""The turn in which seat a plays its first cards."""


class Inventing(SealedDealer):
    """Seat a's first card is said to be another; `cheat` opens it when it is shown."""

    at = Position("deck", 0, 20)
    """A card like this one it is said to be: it lies deep in the deck."""
    card = ""

    def answer(self, key, decision):
        text = super().answer(key, decision)
        if decision.kind == "deal" and decision.to == "a" and not self.card:
            self.card = self._cards[self.at]
            text = re.sub(r"\[.*?\]", f"[{self.card}]", text, count=1)
        return text

    def leave(self, seat, hidden, shown):
        for card in hidden:
            self._goes(seat, card)
        for card in shown:
            opening = self._goes(seat, card) or self.cheat()
            if opening and opening not in self.results.shown_openings:
                self.results.shown_openings.append(opening)

    def _goes(self, seat, card):
        try:
            return self.hands.leave(seat, card)
        except RecordError:
            assert (seat, card) == ("a", self.card)
            return None

    def cheat(self):
        return None

    def opened(self):
        return self.dealing.opening(self.at, self._cards[self.at])

    def held(self, seat):
        return self.hands._openings_by_seat[seat]


class OwnCard(Inventing):
    """The card that was really dealt, under the other name."""

    def cheat(self):
        return replace(self.held("a")[0], card=self.card)


class TheirCard(Inventing):
    """Such a card that was dealt to seat b."""

    at = Position("deck", 0, 4)

    def cheat(self):
        return self.opened()


class FromTheDeck(Inventing):
    """Such a card that was dealt to nobody."""

    def cheat(self):
        return self.opened()


class FromNowhere(Inventing):
    """A card that no deck ever had."""

    def cheat(self):
        return replace(self.opened(), k=500)


class Twice(Inventing):
    """A card that seat a has once, and shows twice."""

    at = Position("deck", 0, 1)

    def _goes(self, seat, card):
        gone = super()._goes(seat, card)
        if gone and (seat, card) == ("a", self.card):
            self.spent = gone
        return gone

    def cheat(self):
        return self.spent


class Inventor(Played):
    """A game of that referee: seat a says what its own, false table allows."""

    @classmethod
    def begin(cls, root, dealer, lines):
        game = cls(root, plays=("a",), maker=dealing_with(dealer))
        game.prose = lines
        return game

    def _own(self, turn):
        if "a" not in self.made_awaited():
            return ()
        asked = {d.kind: d for _, d in self.made.questions if d.seat == "a"}
        place = OrderPlace(turn.game, turn.turn, "a", 1)
        unsealed = UnsealedOrders(place, b"\x05" * 32, self.prose(self, asked))
        orders = seal_orders(place, turn.prev, unsealed, self.made.keys["a"])
        return (self.send(make(orders, self.seats["a"].key)).id,)

    @property
    def card(self):
        return self.made.cards.card

    def go_on(self, turns):
        """So many turns, all read by seat b but the last."""
        for n in range(turns):
            self.turn()
            if n + 1 < turns:
                self.see(self.turns[-1])
                self.ask()
        return self


def other_food(game, asked):
    """Another card than the invented one, the same ones first."""
    cards = [c for text in asked["food"].option_list() for c in cards_in(text) if c != game.card]
    return f"food: [{cards[-1]}]"


def shows_it(game, asked):
    """Play the invented card for all to see, and nothing else."""
    if "food" in asked:
        return [other_food(game, asked)]
    if "play" in asked:
        return [f"play: {game.card}: new species on the right", "play: done"]
    return ["feed: * eats", "feed: pass"]


def shows_it_twice(game, asked):
    if "play" not in asked:
        return shows_it(game, asked)
    return [f"play: {game.card}: new species on the right"] * 2 + ["play: done"]


def puts_it_down(game, asked):
    return (
        [f"play: [{game.card}] on a1", "play: done"] if "play" in asked else shows_it(game, asked)
    )


def without_shows(monkeypatch):
    """The table as it was: nobody asks for the cards of a hand."""

    def without(*args):
        game = game_of(*args)
        blind = game.ruleset.extend(shows=lambda state, text: [])
        return Game(blind, game.seats, game.options)

    monkeypatch.setattr(public_turn_reader, "game_of", without)


# ------------------------------------------------------------------ a card that was never there
def test_without_proof_of_shown_cards_a_false_one_is_found_only_at_the_end(tmp_path, monkeypatch):
    game = Inventor.begin(tmp_path / "game", Inventing, shows_it).go_on(LIE)
    assert not game.turns[-1].content.shown
    forged = Forged(game, tmp_path)
    without_shows(monkeypatch)
    forged.seen_after("rule", turn_path(LIE))


@pytest.mark.parametrize(
    ("dealer", "reason"),
    [
        (Inventing, "opening"), (OwnCard, "commitment"), (TheirCard, "opening"),
        (FromTheDeck, "opening"), (FromNowhere, "opening"),
    ],
    ids=lambda x: getattr(x, "__name__", x),
)  # fmt: skip
def test_a_shown_card_that_was_never_in_the_hand_is_refused(tmp_path, dealer, reason):
    game = Inventor.begin(tmp_path / "game", dealer, shows_it).go_on(LIE)
    told = Forged(game, tmp_path).all_see(reason, turn_path(LIE))
    assert told.culprit == "referee"
    if reason == "opening":
        assert (
            told.sentence
            == f"seat a shows {game.card}, but the turn does not prove that the seat had this card"
        )


def test_a_card_shown_twice_in_one_turn_is_refused(tmp_path):
    game = Inventor.begin(tmp_path / "game", Twice, shows_it_twice).go_on(LIE)
    assert [o.card for o in game.turns[-1].content.shown] == [game.card]
    told = Forged(game, tmp_path).all_see("opening", turn_path(LIE))
    assert "a shows" in told.sentence


@pytest.mark.sample(0)
def test_a_card_shown_again_in_a_later_round_is_refused(tmp_path):
    game = Inventor.begin(tmp_path / "game", Twice, shows_it).go_on(LIE)
    (shown,) = game.turns[-1].content.shown
    while shown not in game.turns[-1].content.shown or len(game.turns) == LIE:
        game.see(game.turns[-1])
        game.ask()
        game.turn()
    told = Forged(game, tmp_path).all_see("opening", turn_path(len(game.turns)))
    assert "a shows" in told.sentence


def test_a_false_card_put_face_down_is_found_only_at_the_end(tmp_path):
    """What lies face down is never opened by its place in the deck: that is the price (§5)."""
    game = Inventor.begin(tmp_path / "game", Inventing, puts_it_down).go_on(LIE)
    while not any(o.card == game.card for o in game.turns[-1].content.cards):
        game.see(game.turns[-1])
        game.ask()
        game.turn()
    Forged(game, tmp_path).seen_after("rule", turn_path(LIE))


def test_a_card_both_put_down_and_shown_is_found_only_at_the_end(tmp_path):
    """The same price: nobody can tell that the place in the deck was used up."""

    def both(game, asked):
        return [*puts_it_down(game, asked)[:1], *shows_it(game, asked)]

    game = Inventor.begin(tmp_path / "game", Twice, both).go_on(LIE)
    assert [o.card for o in game.turns[-1].content.shown] == [game.card]
    Forged(game, tmp_path).seen_after("rule", turn_path(LIE))


# ------------------------------------------------------------------ openings that do not fit


def shown_card_finding(forged, number, reason, **changes):
    forged.resign(number, **changes)
    return forged.all_see(reason, turn_path(number)).sentence


@pytest.mark.sample(0)
def test_openings_that_do_not_prove_a_shown_card_are_refused(forged_finished_game):
    number = first_turn_number(forged_finished_game.turns, lambda t: len(t.shown) > 1)
    one, *rest = forged_finished_game.turns[number - 1].content.shown
    other = "climbing 2" if one.card != "climbing 2" else "climbing 3"
    wrong = {
        "missing": (rest, "opening"),
        "another card": ([replace(one, card=other), *rest], "opening"),
        "another salt": ([replace(one, salt=b"\x05" * 32), *rest], "commitment"),
        "another place": ([replace(one, k=99), *rest], "opening"),
        "another deck": ([replace(one, deck="other"), *rest], "opening"),
        "another epoch": ([replace(one, epoch=1), *rest], "opening"),
    }
    for shown, reason in wrong.values():
        shown_card_finding(forged_finished_game, number, reason, shown=tuple(shown))


def test_a_turn_that_opens_a_card_which_stays_in_the_hand_is_refused(forged_finished_game):
    number = first_turn_number(forged_finished_game.turns, lambda t: t.shown)
    turns = [turn.content for turn in forged_finished_game.turns[:number]]
    card = turns[-1].shown[0].card
    seat = next(entry.key.split(".")[3] for entry in turns[-1].log if card in entry.text)
    shown = {(o.deck, o.epoch, o.k) for turn in turns for o in turn.shown}
    dealt = (Position("deck", 0, k) for k in (range(4) if seat == "a" else range(4, 8)))
    at = next(place for place in dealt if (place.deck, place.epoch, place.k) not in shown)
    cards = forged_finished_game.game.made.cards
    secret = cards.dealing.opening(at, cards._cards[at])
    shown = (*forged_finished_game.turns[number - 1].content.shown, secret)
    assert "does not need" in shown_card_finding(
        forged_finished_game, number, "opening", shown=shown
    )


def test_a_turn_that_opens_a_card_though_none_is_shown_is_refused(forged_finished_game):
    number = first_turn_number(forged_finished_game.turns, lambda t: t.turn > 4 and not t.shown)
    old = next(t.content.shown for t in forged_finished_game.turns if t.content.shown)
    assert "does not need" in shown_card_finding(forged_finished_game, number, "opening", shown=old)


def test_a_shown_card_opened_among_the_openly_dealt_ones_is_refused(forged_finished_game):
    number = first_turn_number(forged_finished_game.turns, lambda t: t.shown)
    shown = forged_finished_game.turns[number - 1].content.shown
    shown_card_finding(forged_finished_game, number, "opening", shown=(), dealt=shown)


# ------------------------------------------------------------------ of equal cards the right one
class TheOther(TurnMaker):
    """Of equal cards the one leaves that should have stayed."""

    def _new_cards(self):
        dealer = super()._new_cards()
        rank = dealer.dealing.rank
        dealer.hands = Hands(lambda at: bytes(255 - x for x in rank(at)))
        return dealer


@pytest.mark.long
def test_which_of_two_equal_cards_left_a_hand_is_checked_against_the_seed(tmp_path):
    """The table cannot know, and it does not matter; but the bytes are fixed, and so no channel."""
    right = Played(tmp_path / "right", players=3, bot="random").play()
    game = Played(tmp_path / "wrong", players=3, maker=TheOther, bot="random").play()
    assert audit(right.folder).proven
    shown = [[turn.content.shown for turn in one.turns] for one in (right, game)]
    pairs = zip(*shown, strict=False)
    number = next(n for n, (seeds, other) in enumerate(pairs, 1) if seeds != other)
    told = one_broken(audit(game.folder), "opening", turn_path(number))
    assert "did not leave its hand" in told.sentence
    (tmp_path / "wrong/final.toml").unlink()
    assert audit(game.folder).exit == 0
