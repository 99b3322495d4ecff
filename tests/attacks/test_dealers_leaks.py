"""Mode `dealers`: no dealer alone learns a hidden card, from its memory, its boxes or the files.

The last test is the one of `test_leaks.py` for this mode: two games that differ in one hidden card
look alike, here with their slots.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from engine import ALL
from engine.sentences.slots_in_sentences import Slot
from pbem.cards import mixing
from pbem.cards.card_points_and_pairs import Pair
from pbem.format import curve_group, encrypted_box
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import Played, Player
from tests.kit.selection import long
from tests.properties.memory import CardSearch

CASES = [("evolution", 3, 1), ("classroom", 3, 2)]
MORE_CASES = [("digital", 2, 2), ("climate", 3, 1), ("origin", 3, 2), ("evolution", 4, 2)]


class Searched(DealersGame):
    """After each turn, the memory of each dealer is searched for cards that nobody has shown."""

    searches = hidden_cards = 0

    def publish(self, record: Any) -> None:
        super().publish(record)
        search = self.search()
        public_cards = self.public_cards(search)
        for dealer in (self.made, *self.dealing.values()):
            assert search.names([dealer]) <= public_cards, type(dealer).__name__
        self.searches += 1

    def search(self) -> CardSearch:
        """A search that leaves out the printed deck, with which each dealer reads points."""
        search = CardSearch(self.made.table.game)
        decks = [self.made.cards.dealing.deck]
        decks += [dealing.reader.cards.dealing.deck for dealing in self.dealing.values()]
        search.known |= {id(deck.card_by_point) for deck in decks}
        return search

    def public_cards(self, search: CardSearch) -> set[str]:
        """The cards that the turns have named for everybody."""
        turns = [record.content for record in self.turns]
        texts = [entry.text for turn in turns for entry in turn.log]
        return search.names(texts) | {row.card for turn in turns for row in turn.opened}

    def see(self, record: Any) -> None:
        """The same search finds the hand of each seat in the memory of its reader."""
        super().see(record)
        search = self.search()
        for player in self.seats.values():
            hand = {*player.reader.own_table.state.hands[player.seat]} - {"?"}
            assert hand <= search.names([player.reader])
            self.hidden_cards += len(hand - self.public_cards(search))


@pytest.mark.sample(0)
@pytest.mark.parametrize(("name", "players", "co_dealers"), [*CASES, *long(MORE_CASES)])
def test_no_dealers_memory_holds_a_card_that_nobody_has_shown(
    tmp_path: Path, name: str, players: int, co_dealers: int
) -> None:
    game = Searched(tmp_path / "game", ruleset=name, players=players, co_dealers=co_dealers)
    game.play(14)
    assert game.searches == len(game.turns)
    assert game.hidden_cards > 10


def test_the_same_search_finds_hands_in_the_memory_of_a_referee_who_sees_them(
    tmp_path: Path,
) -> None:
    game = Played(tmp_path / "game").play(1)
    state = game.made.table.tables[ALL].state
    hands = {card for hand in state.hands.values() for card in hand}
    assert hands
    assert hands <= CardSearch(game.made.table.game).names([game.made])


@pytest.fixture
def opened_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was in the boxes that were opened since the list was emptied."""
    texts: list[str] = []
    honest = encrypted_box.unpadded

    def unpadded(data: bytes) -> bytes:
        text = honest(data)
        texts.append(text.decode("utf-8", "replace"))
        return text

    monkeypatch.setattr(encrypted_box, "unpadded", unpadded)
    return texts


class Noted(Searched):
    """Notes what dealers find in boxes, while they make turns and deals."""

    opened_texts: list[str]
    texts_of_dealers: list[str]

    def turn(self) -> Any:
        self.opened_texts.clear()
        record = super().turn()
        self.texts_of_dealers += self.opened_texts
        return record

    def publish(self, record: Any) -> None:
        DealersGame.publish(self, record)


@pytest.mark.sample(0)
@pytest.mark.parametrize(("name", "players", "co_dealers"), [*CASES, *long(MORE_CASES)])
def test_no_opened_box_and_no_file_shows_a_dealer_a_hidden_card(
    tmp_path: Path, opened_texts: list[str], name: str, players: int, co_dealers: int
) -> None:
    """Also not the orders, whose boxes the referee opens; before any dealer opens its secret."""
    game = Noted(tmp_path / "game", ruleset=name, players=players, co_dealers=co_dealers)
    game.opened_texts, game.texts_of_dealers = opened_texts, []
    game.play(5)
    search, root = game.search(), tmp_path / "game"
    public_cards = game.public_cards(search)
    assert any("[#" in text or ": #" in text for text in game.texts_of_dealers), "orders"
    assert search.names(game.texts_of_dealers) <= public_cards
    files = [path.read_text("utf-8") for path in root.rglob("*.toml") if path.name != "game.toml"]
    assert search.names(files) <= public_cards
    own_cards = {card for player in game.seats.values() for card in known_cards_of(player).values()}
    assert own_cards - public_cards


def known_cards_of(player: Player) -> dict[int, str]:
    """The cards of all slots that a seat knows."""
    cards: dict[int, str] = player.reader.seat_cards.cards
    return cards


@pytest.mark.sample(0)
def test_the_shares_of_all_dealers_but_one_open_no_card(tmp_path: Path) -> None:
    """What each dealer takes off a card leaves a point that is no card; all together leave it."""
    game = DealersGame(tmp_path / "game", co_dealers=2)
    game.play(4)
    deck = game.made.cards.dealing.deck
    dealers = [game.made.cards.card_dealer]
    dealers += [dealing._card_dealer for dealing in game.dealing.values()]
    slots = [Slot(seat, n) for seat, player in game.seats.items() for n in known_cards_of(player)]
    assert len(slots) >= 8
    for slot in slots:
        points = {d.number: deck.check_share(slot, d.number, d.share(slot)) for d in dealers}
        assert deck.card_of(slot, points) == known_cards_of(game.seats[slot.seat])[slot.number]
        for left_out in points:
            shares = [point for number, point in points.items() if number != left_out]
            assert point_without(deck.pair_of(slot), shares) not in deck.card_by_point


def point_without(pair: Pair, shares: Sequence[bytes]) -> bytes:
    """What is left of a hidden card without these shares of its mask."""
    point = pair.masked_card
    for share in shares:
        point = curve_group.subtract(point, share)
    return point


# ---- two games that differ in one hidden card


TURNS, DEALERS = 6, 2
SLOT = Slot("b", 3)
"""The slot whose card differs; nobody names it in these turns."""


def answer(player: Player) -> list[str]:
    """In each round the oldest card is food, and nothing else leaves a hand."""
    food = f"food: [{known_cards_of(player)[player.reader.public.state.round - 1]}]"
    return [food, "play: done", "always feed: plants first, then prey"]


def arranged(
    root: Path, monkeypatch: pytest.MonkeyPatch, swapped: tuple[int, int] = (0, 0)
) -> DealersGame:
    """A game from a deck in a given order, in which two positions have changed places.

    Each mixer takes its order from here instead of from its secret; nobody sees that before the
    secrets are open.
    """
    mixes = count()

    def shuffle(items: Sequence[int], stream: object) -> list[int]:
        order, mixer = list(items), next(mixes) % DEALERS
        random.Random(mixer).shuffle(order)
        if mixer == DEALERS - 1:  # the last one decides which card comes to which position
            first, second = swapped
            order[first], order[second] = order[second], order[first]
        return order

    with monkeypatch.context() as patch:
        patch.setattr(mixing, "shuffle", shuffle)
        game = DealersGame(root, players=3, answer=answer)
        game.play(TURNS)
    return game


def shapes_of_files(root: Path) -> list[tuple[str, list[bytes], int]]:
    """Names and shapes of all files; only ids, hashes and boxes stand for their length."""
    rows = []
    for path in root.rglob("*.toml"):
        body, _, trailer = path.read_bytes().partition(b"# -----BEGIN")
        body = re.sub(rb"[0-9a-f]{64}", b"hash", body)
        body = re.sub(rb'"[A-Za-z0-9+/=]{100,}"', lambda box: b"box of %d" % len(box[0]), body)
        name = re.sub("[0-9a-f]{6}", "id", path.relative_to(root).as_posix())
        rows.append((name, sorted(body.split(b"\n\n")), len(trailer)))  # sets are sorted by ids
    return sorted(rows)


@pytest.mark.sample(0)
def test_two_games_that_differ_in_one_hidden_card_look_alike_to_the_other_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal names and sizes of files, keys of questions, slots; equal too is all that seat a and
    seat c open."""
    first = arranged(tmp_path / "first", monkeypatch)
    deck = first.made.cards.dealing.deck
    position, last = deck.position_by_slot[SLOT].k, len(deck.pairs) - 1
    assert max(place.k for place in deck.position_by_slot.values()) < last
    card_of = {place.k: slot for slot, place in deck.position_by_slot.items()}
    assert card_of[position] == SLOT
    second = arranged(tmp_path / "second", monkeypatch, (position, last))
    hands = [known_cards_of(game.seats["b"]) for game in (first, second)]
    assert hands[0][SLOT.number] != hands[1][SLOT.number]
    assert {n for n in hands[0] if hands[0][n] != hands[1][n]} == {SLOT.number}
    assert [turn.content.log for turn in first.turns] != []
    assert shapes_of_files(first.root) == shapes_of_files(second.root)
    for seat in "ac":
        logs = [game.seats[seat].reader.own_log for game in (first, second)]
        assert logs[0] == logs[1]
        assert known_cards_of(first.seats[seat]) == known_cards_of(second.seats[seat])
