"""Small games in mode `dealers`, played into a folder as `played_games` does: with co-dealers.

    game = DealersGame(tmp_path / "game", co_dealers=2)
    game.play(2)
    assert [record.content.owed for record in game.turns] == [(0,), (1,)]

Each co-dealer has a reader of its own, and makes what the last turn owes of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pbem.acts.deal_as_co_dealer import deal_if_owed
from pbem.files.home import Home
from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.awaited_and_silent_seats import inputs_of
from pbem.judge.co_dealer import CoDealing
from pbem.judge.deputy_and_co_dealer_keys_in_charter import DeputyLine, make_co_dealer_line
from pbem.judge.make_signed_records import Plan
from pbem.judge.notice_kinds import NewKey
from pbem.judge.orders_for_next_turn import OrderSorter
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.record_chain import Finder
from pbem.judge.seat_curve_points import make_seat_point
from pbem.judge.which_notices_count import SignedNotice
from pbem.person.session import Session
from pbem.records.deal_record import Deal
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import Turn
from pbem.records.twelve_words import words_of
from tests.kit.played_games import MINUTE, Played, played_key
from tests.kit.record_files import archive_of, put_record


def deputy_line(key: SigningKey) -> DeputyLine:
    """The line of the deputy with this key."""
    return DeputyLine(key.public, public_of(Secrets(key.seed).deputy()))


@dataclass
class DealersGame(Played):
    """A game that one or two co-dealers deal together with the referee."""

    co_dealers: int = 1
    deals: dict[bytes, Record[Deal]] = field(default_factory=dict)
    dealing: dict[int, CoDealing] = field(default_factory=dict)
    dealer_deputies: bool = False
    """Whether each co-dealer has a deputy."""
    is_paused: bool = False
    """Whether the co-dealers are away: a turn that follows only lists notices."""

    @property
    def dealer_keys(self) -> list[SigningKey]:
        return [played_key(f"co-dealer {number}") for number in range(self.co_dealers)]

    def plan(self) -> Plan:
        dealers = [
            make_co_dealer_line(key, deputy_line(deputy) if self.dealer_deputies else None).named(
                f"Host {n}"
            )
            for n, (key, deputy) in enumerate(zip(self.dealer_keys, self.deputy_keys, strict=True))
        ]
        return replace(super().plan(), dealers=dealers)

    @property
    def deputy_keys(self) -> list[SigningKey]:
        return [played_key(f"deputy of co-dealer {number}") for number in range(self.co_dealers)]

    def first_deal(self, number: int) -> Deal:
        """The deal of a co-dealer after turn 0, once turn 1 lists it."""
        deals = [self.deals[deal_id].content for deal_id in self.turns[0].content.deals]
        return next(deal for deal in deals if deal.dealer == number)

    def deputy_of(self, number: int) -> CoDealing:
        """The deputy of a co-dealer, who has read the folder."""
        reader = self.read(PublicReader(self.charter))
        return CoDealing(reader, self.deputy_keys[number], self.first_deal(number))

    def replace_dealer(self, number: int) -> SignedNotice:
        """The deputy of a co-dealer takes its place, with the next turn."""
        notice = self.deputy_of(number).take_place(self.now)
        put_record(self.folder, notice)
        self.notices[notice.id] = notice
        self.said.append(notice)
        self.dealing[number] = self.deputy_of(number)
        return notice

    @property
    def finder(self) -> Finder:
        return super().finder._replace(deal=self.deals.__getitem__)

    def deal(self) -> list[Record[Deal]]:
        """Each co-dealer whose part is owed makes it from what it reads in the folder."""
        made = []
        for number, key in enumerate(self.dealer_keys):
            if number not in self.dealing:
                self.dealing[number] = CoDealing(PublicReader(self.charter), key)
            reader = self.dealing[number].reader
            for record in self.turns[reader.chain.turn :]:
                reader.absorb(record, self.finder)
            final = archive_of(self.folder).final() if reader.chain.is_over else None
            if deal := self.dealing[number].next_deal(self.now, final):
                made.append(self.changed_deal(deal))
        for deal in made:
            put_record(self.folder, deal)
            self.deals[deal.id] = deal
        return made

    def changed_deal(self, deal: Record[Deal]) -> Record[Deal]:
        """For co-dealers that cheat: the deal that they sign."""
        return deal

    def turn(self) -> Record[Turn] | None:
        self.now += MINUTE
        self.take_notices()
        is_owed = not self.turns or bool(self.turns[-1].content.owed)
        deals = self.deal() if is_owed and not self.is_paused else []
        keys = {join.key for join in self.made.chain.standing.roster.values()}
        fresh = [
            record
            for record in self.orders.values()
            if record.signed.key in keys and record.id not in self.listed
        ]
        found = OrderSorter(self.made).sort(fresh if self.turns and not is_owed else [])
        inputs = replace(inputs_of(self.made, found, (), self.now), deals=tuple(deals))
        turn = self.made.make(inputs)
        if turn is None:
            return None
        record = make(self.change(turn), self.referee)
        self.publish(record)
        return record

    def turn_for_all(self) -> Record[Turn]:
        """The next turn, which every player reads."""
        record = self.turn()
        assert record is not None
        self.see(record)
        return record

    def rekey(self, seat: str, name: str) -> SigningKey:
        """The seat's owner gives it this key, which counts from the next turn on."""
        key = played_key(name)
        game = self.game_folder.game
        box = public_of(Secrets(key.seed).box(game, seat))
        point = make_seat_point(self.charter.content, game, seat, key.seed)
        self.say(seat, NewKey.make(key, box, game, seat, point))
        return key

    def finish(self) -> None:
        super().finish()
        self.deal()


@dataclass
class DealtAtHome(DealersGame):
    """The first co-dealer, or somebody else with `program_key`, deals as its program does: from the
    folder and a home of its own."""

    home: Home | None = None
    """By default the home `co-dealer` beside the game."""
    program_key: SigningKey | None = None
    drops: Callable[[Record[Orders]], bool] = lambda _: False
    """The orders of which the referee acts as if they had never come."""

    looks: bool = False
    """Whether the program looks at the folder after each turn, as `pbem run` does."""

    def publish(self, record: Record[Turn]) -> None:
        super().publish(record)
        if self.looks and not record.content.owed:
            assert self.deal_at_home() is None

    @property
    def session(self) -> Session:
        return Session(self.root, home=self.home or Home(self.root.parent / "co-dealer"))

    def deal_at_home(self, words: str = "", *, go_on: bool = False) -> Record[Deal] | None:
        """What the program writes now. Raises as `deal_if_owed` does."""
        key = self.program_key or self.dealer_keys[0]
        return deal_if_owed(self.session, key, self.now, words, go_on=go_on)

    def deal(self) -> list[Record[Deal]]:
        deal = self.deal_at_home()
        self.deals |= {deal.id: deal} if deal else {}
        return [deal for deal in self.deals.values() if deal.content.prev == self.heads[-1]]

    def send(self, record: Record[Orders]) -> Record[Orders]:
        super().send(record)
        if self.drops(record):
            del self.orders[record.id]
        return record

    @property
    def words(self) -> str:
        """The twelve words of the last turn."""
        return " ".join(words_of(self.heads[-1]))
