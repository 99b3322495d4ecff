"""Mode `dealers`: what one dealer has at home, in memory and in the folder opens no hidden card.

The same search finds every card in the homes of all dealers together, and hands in the memory of a
referee who deals alone.
"""

from __future__ import annotations

import base64
import gc
import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from engine.sentences.slots_in_sentences import Slot
from games.registry import BUILT_IN_GAMES
from pbem.acts.advance import bot_texts, make_next_turn
from pbem.acts.deal_as_co_dealer import deal_if_owed
from pbem.acts.join import take_seat
from pbem.acts.new_game import NewGame
from pbem.acts.seal_orders import seal_and_write_orders
from pbem.cards.card_keys_and_shares import make_card_secret
from pbem.cards.hidden_deck import HiddenDeck
from pbem.cards.sealed_shares import make_seat_secret, open_share
from pbem.files.home import Home
from pbem.format import curve_group
from pbem.format.openssh_key_files import write_key
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.format.usable_public_keys import L
from pbem.judge.deputy_and_co_dealer_keys_in_charter import (
    co_dealer_box_secret,
    make_co_dealer_line,
)
from pbem.judge.hidden_dealing_state import HiddenDealing
from pbem.judge.make_signed_records import invite_to
from pbem.judge.public_turn_reader import PublicReader
from pbem.person.session import Session
from pbem.records.deal_record import split_shares
from tests.kit.selection import before_release
from tests.properties.memory import CardSearch

FEWEST_TURNS = 4
"""A game ends with the first turn from this one on that asks somebody while hands hold cards; each
fifth game goes on for a turn more."""
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")
CASES = [
    (name, players, number)
    for number in range(4)
    for name, players in zip(BUILT_IN_GAMES, (2, 4, 3, 5, 3), strict=True)
]
"""Twenty games: the name, the number of players, and what the keys derive from."""
HOST, REFEREE = "host", "referee"


@dataclass
class HomesGame:
    """A game in a folder that people play from homes of their own, for some turns."""

    root: Path
    name: str = "evolution"
    players: int = 2
    number: int = 0
    has_host: bool = True
    sessions: dict[str, Session] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seats = "abcdefgh"[: self.players]
        self.keys = {who: self._key(who) for who in (*seats, HOST, REFEREE)}
        for who, key in self.keys.items():
            home = Home(self.root / "homes" / who)
            home.write_key("default", write_key(key))
            self.sessions[who] = Session(self.root / "game", home=home)
        referee = self.sessions[REFEREE]
        NewGame(
            referee, folder=self.root / "game", players=",".join(NAMES[: self.players]),
            game=self.name, title="Savannah", referee="Rhea", as_printed=False,
            table=hashlib.sha256(b"%d" % self.number).hexdigest()[:32],
            co_dealers=[f"the host={make_co_dealer_line(self.keys[HOST]).line()}"]
            if self.has_host else (),
        ).run()  # fmt: skip
        for seat in seats:
            invite = invite_to(referee.game_folder.charter, referee.refereeing.key(), seat)
            take_seat(self.sessions[seat], invite.line(), "", "", "default")
        self._play(seats)

    def _key(self, who: str) -> SigningKey:
        return SigningKey(hashlib.sha256(f"{self.name} {self.number} {who}".encode()).digest())

    def _deal(self) -> None:
        if self.has_host:
            deal_if_owed(self.sessions[HOST], self.keys[HOST], int(time.time()))

    def _play(self, seats: str) -> None:
        self._deal()
        for turn in count(1):
            outcome = make_next_turn(self.sessions[REFEREE], now=int(time.time())).outcome
            assert outcome.new_records, outcome.awaited_kinds
            if outcome.awaited_dealers:
                self._deal()
            elif turn >= FEWEST_TURNS + self.number and self._hides_cards():
                break
            for seat in outcome.awaited_kinds:
                session = self.sessions[seat]
                session.refresh()
                reader = session.readers.seat(seat)
                seal_and_write_orders(session, reader, seat, bot_texts(reader, "greedy"))
        for who in (*seats, HOST):  # the referee still has its turn in memory
            self.sessions[who].refresh()

    def _hides_cards(self) -> bool:
        """Whether some hand holds a card that nobody has shown."""
        if not self.has_host:
            return True
        self.sessions[HOST].refresh()
        hands = self.table.cards.hands  # type: ignore[attr-defined]
        held = [Slot(seat, number) for seat, numbers in hands.held.items() for number in numbers]
        return any(slot not in hands.names for slot in held)

    @property
    def table(self) -> PublicReader:
        return self.sessions[HOST].readers.table()

    @property
    def dealing(self) -> HiddenDealing:
        dealing: HiddenDealing = self.table.cards.dealing  # type: ignore[attr-defined]
        return dealing

    def hidden_cards(self) -> dict[Slot, str]:
        """The cards that a seat knows, and the table does not."""
        names = self.table.cards.hands.names  # type: ignore[attr-defined]
        readers = {
            seat: self.sessions[seat].readers.seat(seat) for seat in self.table.public.game.seats
        }
        return {
            Slot(seat, number): card
            for seat, reader in readers.items()
            for number, card in reader.seat_cards.cards.items()
            if Slot(seat, number) not in names
        }

    # -------------------------------------------------------------- what people have
    def files_of(self, people: Iterable[str]) -> list[bytes]:
        """All files in their homes, and in the game folder without its rules."""
        roots = [self.root / "game", *(self.root / "homes" / who for who in people)]
        paths = [path for root in roots for path in root.rglob("*") if path.is_file()]
        return [path.read_bytes() for path in paths if path.name != "game.toml"]

    def cards_opened_by(self, people: Sequence[str]) -> dict[Slot, str]:
        """The cards of hidden slots that the secrets at their homes open, with all sealed shares
        and the shares that everybody knows."""
        deck, game = self.dealing.deck, self.table.game
        numbers = {HOST: 0, REFEREE: self.dealing.referee}
        secrets = {numbers[who]: make_card_secret(self.seed_at(who), game) for who in people}
        for number, secret in secrets.items():
            assert curve_group.multiply_base(secret) == deck.keys[number]
        scalars, found = self.box_scalars(people), dict[Slot, str]()
        for slot in self.hidden_cards():
            pair = deck.pair_of(slot)
            own = {number: curve_group.multiply(s, pair.mask) for number, s in secrets.items()}
            tries = [{0: open_share(x, q)} for x in self.sealed(slot) for q in scalars]
            for points in (own, *(own | guess for guess in tries)):
                point = pair.masked_card
                for share_point in points.values():
                    point = curve_group.subtract(point, share_point)
                if point in deck.card_by_point:
                    found[slot] = deck.card_by_point[point]
        return found

    def seed_at(self, who: str) -> bytes:
        """The seed in the key file at this home."""
        return self.sessions[who].keyring.key_or_new("default").seed

    def box_scalars(self, people: Sequence[str]) -> list[int]:
        """All that their seeds give that could open a share: also what they would have as seats."""
        game, scalars = self.table.game, []
        for who in people:
            secrets = Secrets(self.seed_at(who))
            boxes = [secrets.box(game, seat) for seat in self.table.public.game.seats]
            table = self.table.charter.table
            boxes += [
                secrets.audit(table),
                secrets.deputy(),
                co_dealer_box_secret(self.seed_at(who)),
            ]
            scalars += [int.from_bytes(box, "little") % L for box in boxes]
            seed = self.seed_at(who)
            scalars += [make_seat_secret(seed, game, seat) for seat in self.table.public.game.seats]
        return scalars

    def sealed(self, slot: Slot) -> list[bytes]:
        """All shares that were sealed for the slot's seat."""
        deals = [
            record.content
            for turn in range(len(self.sessions[HOST].listing.turns))
            for record in self.sessions[HOST].game_folder.deals_after(turn)
        ]
        return [s for deal in deals for s in split_shares((deal.shares or {}).get(slot.seat, b""))]


def public_names(game: HomesGame, search: CardSearch) -> set[str]:
    """The cards that the turns have named for everybody."""
    turns = [record.content for record in game.sessions[HOST].game_folder.turns()]
    texts = [entry.text for turn in turns for entry in turn.log]
    return search.names(texts) | {row.card for turn in turns for row in turn.opened}


@pytest.mark.sample(0)
@pytest.mark.parametrize(("name", "players", "number"), [CASES[0], *before_release(CASES[1:])])
def test_one_dealers_home_and_the_folder_open_no_hidden_card(
    tmp_path: Path, name: str, players: int, number: int
) -> None:
    game = HomesGame(tmp_path, name, players, number)
    hidden, search = game.hidden_cards(), CardSearch(game.table.public.game)
    assert hidden
    search.known |= {id(x.card_by_point) for x in gc.get_objects() if isinstance(x, HiddenDeck)}
    public, points = public_names(game, search), game.dealing.deck.card_by_point
    spellings = [s for p in points for s in (p, p.hex().encode(), base64.b64encode(p)[:40])]
    for who in (HOST, REFEREE):
        files = game.files_of([who])
        assert search.names(file.decode("utf-8", "replace") for file in files) <= public
        assert not [spelling for spelling in spellings for file in files if spelling in file]
        assert search.names([game.sessions[who]]) <= public
        assert game.cards_opened_by([who]) == {}
    assert game.cards_opened_by([HOST, REFEREE]) == hidden  # and together, each one
    seat_memory = search.names([game.sessions["a"]])
    assert {card for slot, card in hidden.items() if slot.seat == "a"} <= seat_memory


def test_the_same_search_finds_hands_in_the_memory_of_a_referee_who_deals_alone(
    tmp_path: Path,
) -> None:
    game = HomesGame(tmp_path, has_host=False)
    referee = game.sessions[REFEREE]
    search = CardSearch(referee.readers.table().public.game)
    readers = [game.sessions[seat].readers.seat(seat) for seat in "ab"]
    hands = {card for reader in readers for card in reader.own_table.state.hands[reader.seat]}
    assert hands - public_names(game, search)
    assert hands <= search.names([referee])
