"""Small games played into a folder by actors with fixed keys and times: the same bytes each time.

    game = Played(tmp_path / "game", policies={"deadline": "1h"})
    game.play(4)
    assert [record.content.turn for record in game.turns] == [1, 2, 3, 4]

The referee makes turns as `advance` does, but goes on from its last one instead of replaying all;
each player has a reader of its own and sends orders by the path that people take. Both can be
exchanged for ones that cheat.
"""

from __future__ import annotations

import hashlib
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from engine.make_and_ask_bots import Bot, make_bot
from pbem.acts.invite_next_player import next_code
from pbem.files.game_folder import Folder
from pbem.files.record_file_names import Name
from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.awaited_and_silent_seats import inputs_of
from pbem.judge.bot_order_lines import bot_lines, bot_round_lines
from pbem.judge.make_signed_records import (
    Plan,
    invite_to,
    make_charter,
    make_join,
    make_notice,
    make_orders,
)
from pbem.judge.next_turn import Advance, still_to_answer
from pbem.judge.notice_kinds import SetDoor
from pbem.judge.orders_for_next_turn import OrderSorter
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.reader_and_maker_checkpoints import checkpoint_of, resume_reader
from pbem.judge.record_chain import Finder
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions, RefereeMemory
from pbem.judge.turn_maker import Progress, TurnMaker
from pbem.judge.which_notices_count import SignedNotice, applied_order, believed
from pbem.records.game_id_and_chain_heads import next_head
from pbem.records.invite import door_key
from pbem.records.join import Join
from pbem.records.notice import Saying
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import Turn
from tests.kit.record_files import archive_of, put_record

START = 1_800_000_000
MINUTE, HOUR = 60, 3600
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
REFEREE = "the referee"
NO_CODE = b"?" * 16

Reader = TypeVar("Reader", bound=PublicReader)
Answer = Callable[["Player"], Sequence[str] | None]
"""What a seat sends when it is asked; None: it stays silent."""


def played_key(name: str) -> SigningKey:
    return SigningKey(hashlib.sha256(name.encode()).digest())


def keys_of_deputy(key: SigningKey | None) -> tuple[str, bytes, bytes]:
    """What a charter says of a deputy."""
    return ("Dee", key.public, public_of(Secrets(key.seed).deputy())) if key else ("", b"", b"")


@dataclass
class Player:
    """A seat: its key, its viewpoint, its way to answer."""

    seat: str
    key: SigningKey
    reader: SeatReader
    bot: str
    sent: int = 0

    def lines(self) -> list[str]:
        return bot_lines(self.reader, self._bot())

    def round_lines(self) -> list[str]:
        """Lines for all that the seat may be asked in this round."""
        return bot_round_lines(self.reader, self._bot())

    def _bot(self) -> Bot:
        luck = random.Random(f"{self.seat} {self.reader.chain.turn}")
        return make_bot(self.reader.public.game.ruleset, self.bot, luck)

    def orders(self, lines: Sequence[str], revision: int = 1) -> Record[Orders]:
        return make_orders(self.reader, self.key, lines, revision)


@dataclass
class Played:
    """A game in a folder, being played or over."""

    root: Path
    players: int = 2
    plays: Sequence[str] = ()
    by_mail: Sequence[str] = ()
    bots: Mapping[str, str] = field(default_factory=dict)
    policies: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    bot: str = "greedy"
    maker: type[TurnMaker] = TurnMaker
    table: bytes = bytes([10]) * 16
    ruleset: str = "evolution"
    cards: str = ""
    """An owner's card file."""
    deputy: SigningKey | None = None
    """The key of Dee, the referee's deputy, if there is one."""
    answer: Answer = Player.lines
    now: int = START

    def __post_init__(self) -> None:
        self.folder, self.referee = Folder(self.root), played_key(REFEREE)
        self.charter = make_charter(self.plan(), self.referee, self.table)
        self.put(Name("charter"), self.charter)
        self.game_folder = archive_of(self.folder)
        self.seats = {seat: self._sit(seat) for seat in "abcdefgh"[: self.players]}
        secrets = secrets_of(self.game_folder, self.referee)
        self.made = self.maker(self.charter, self.joins, secrets)
        self.heads, self.turns = [self.made.chain.head], list[Record[Turn]]()
        self.orders: dict[bytes, Record[Orders]] = {}
        self.listed: set[bytes] = set()
        self.notices: dict[bytes, SignedNotice] = {}
        self.said: list[SignedNotice] = []
        self.later: dict[bytes, Record[Join]] = {}
        self.over = False

    def plan(self) -> Plan:
        """What the referee decided for the charter."""
        return Plan(
            "Savannah", "Ref", self.ruleset, NAMES[: self.players], self.options, self.policies,
            self.plays, self.by_mail, self.bots, keys_of_deputy(self.deputy), self.cards,
        )  # fmt: skip

    def put(self, name: Name, record: Record[Any]) -> None:
        self.folder.create(name, record.file)

    def _sit(self, seat: str) -> Player:
        held = Secrets(self.referee.seed).held_seat(self.game_folder.game, seat)
        key = (
            SigningKey(held)
            if seat in self.charter.content.held_seats
            else played_key(NAMES[ord(seat) - 97])
        )
        code = self.invite_code(seat)
        name = NAMES[ord(seat) - 97]
        join = make_join(self.charter, seat, name, key, code, f"mailto:{name}@example.org")
        self.put(Name("join", seat=seat, short_id=join.id.hex()[:6]), join)
        return Player(seat, key, SeatReader(self.charter, seat, key.seed), self.bot)

    @cached_property
    def joins(self) -> dict[str, Record[Join]]:
        here = archive_of(self.folder).joins().values()
        return {record.content.seat: record for record in here}

    @property
    def joins_by_id(self) -> dict[bytes, Record[Join]]:
        return {record.id: record for record in self.joins.values()} | self.later

    def read(self, reader: Reader, turns: int = 9999) -> Reader:
        """The reader once it has absorbed the turns up to this one. Raises as `absorb` does."""
        for record in self.turns[:turns]:
            self.read_one(reader, record)
        return reader

    def read_one(self, reader: PublicReader, record: Record[Turn]) -> None:
        """The reader absorbs one turn more. Raises as `absorb` does."""
        reader.absorb(record, self.finder)

    # -------------------------------------------------------------- orders
    def send(self, record: Record[Orders]) -> Record[Orders]:
        """Put orders into the folder."""
        put_record(self.folder, record)
        self.orders[record.id] = record
        return record

    def find(self, wanted: bytes) -> Record[Orders]:
        return self.orders[wanted]

    @property
    def finder(self) -> Finder:
        """Finds what turns of this game name."""
        return Finder(self.find, lambda: self.joins_by_id, lambda wanted: self.notices[wanted])

    def ask(self) -> None:
        """Every seat that is asked answers; those in `plays` did before."""
        for seat in self.seats.keys() & self.made_awaited() - set(self.plays):
            player = self.seats[seat]
            lines = self.answer(player)
            if lines is not None:
                self.send(player.orders(lines))

    def made_awaited(self) -> set[str]:
        return {*self.made.awaited}

    # -------------------------------------------------------------- notices
    def say(self, writer: str, saying: Saying, key: SigningKey | None = None) -> SignedNotice:
        """Put a notice into the folder; the next turn lists it. `writer`: a seat or `referee`."""
        key = key or (self.seats[writer].key if writer in self.seats else self.referee)
        place = self.game_folder.game, len(self.turns), self.heads[-1]
        earlier = [x.content for x in self.notices.values() if x.content.turn == len(self.turns)]
        number = sum(notice.writer == writer for notice in earlier) + 1
        record = make_notice(place, writer, number, saying, key)
        put_record(self.folder, record)
        self.notices[record.id] = record
        self.said.append(record)
        return record

    def joins_later(self, seat: str, name: str) -> Record[Join]:
        """A new player joins for an open seat, with the invite that the referee has sent."""
        audit = Secrets(self.referee.seed).audit(self.table)
        code = next_code(self.made.chain.standing, audit, seat)
        self.say("referee", SetDoor(seat, door_key(code, seat).public))
        join = make_join(
            self.charter, seat, name, played_key(name), code, f"mailto:{name}@example.org"
        )
        self.put(Name("join", seat=seat, short_id=join.id.hex()[:6]), join)
        self.later[join.id] = join
        return join

    def sits(self, seat: str, key: SigningKey) -> None:
        """From the next turn on this key plays the seat."""
        reader = SeatReader(self.charter, seat, key.seed, len(self.turns) + 1)
        self.seats[seat] = Player(seat, key, self.read(reader), self.bot)

    # -------------------------------------------------------------- turns
    def turn(self) -> Record[Turn] | None:
        """The next turn, into the folder; None if nothing can be settled."""
        self.now += MINUTE
        self.take_notices()
        keys = {join.key for join in self.made.chain.standing.roster.values()}
        every = (r for r in self.orders.values() if r.signed.key in keys)
        fresh = [record for record in every if record.id not in self.listed]
        found = OrderSorter(self.made).sort(fresh if self.turns else [])
        turn = self.made.make(inputs_of(self.made, found, (), self.now))
        if turn is None:
            return None
        turn = replace(turn, own=self._own(turn))
        record = make(self.change(turn), self.referee)
        self.publish(record)
        return record

    def take_notices(self) -> None:
        """The notices said since the last turn count in the next one."""
        if self.said:
            before = self.made.chain.standing_at(self.now, self.joins_by_id)
            said = applied_order(before, self.said)
            number = self.made.chain.turn + 1
            after = believed(before, said, number).with_agreed_end(number)
            self.made.take_notices(before, said, after)
            self.said = []

    def change(self, turn: Turn) -> Turn:
        """For referees that cheat: the turn that they sign."""
        return turn

    def publish(self, record: Record[Turn]) -> None:
        self.made.add_turn(record)
        self.heads.append(next_head(self.heads[-1], record.id))
        self.listed |= {listed.id for listed in record.content.orders}
        self.turns.append(record)
        self.put(Name("turn", record.content.turn), record)
        self.over = record.content.over

    def _own(self, turn: Turn) -> tuple[bytes, ...]:
        """Seats in `plays` answer a turn that nobody else has seen."""
        if not self.plays:
            return ()
        own = {}
        for seat in sorted(self.made_awaited() & set(self.plays)):
            player = self._peek(seat, turn)
            own[seat] = self.send(make_orders(player.reader, player.key, player.lines(), 1))
        assert not still_to_answer(self.made, own)
        return tuple(sorted(record.id for record in own.values()))

    def _peek(self, seat: str, turn: Turn) -> Player:
        """The seat with a reader that has seen the turn that is not published yet."""
        player = self.seats[seat]
        for record in self.turns[player.reader.chain.turn :]:
            player.reader.absorb(record, self.finder)
        reader = SeatReader(self.charter, seat, player.key.seed)
        if self.turns:  # the same, without what reading all turns again costs
            resume_reader(reader, checkpoint_of(player.reader), self.turns[-1].content, self.finder)
        reader.absorb(make(turn, self.referee), self.finder)
        return Player(seat, player.key, reader, player.bot)

    def see(self, record: Record[Turn]) -> None:
        """Every player outside `plays` reads the turn. Raises RecordError as they would."""
        for player in self.seats.values():
            if player.seat not in self.plays:
                player.reader.absorb(record, self.finder)

    def reader_at(self, seat: str, turn: int = 9999, key: SigningKey | None = None) -> SeatReader:
        """The seat's reader as it was after that turn, with its own key or another."""
        return self.read(SeatReader(self.charter, seat, (key or self.seats[seat].key).seed), turn)

    def table_at(self, turn: int = 9999) -> PublicReader:
        """A stranger's reader as it was after that turn."""
        return self.read(PublicReader(self.charter), turn)

    def turn_maker(self, joins: Mapping[str, Record[Join]] | None = None) -> TurnMaker:
        """A turn maker that has made nothing."""
        secrets = secrets_of(self.game_folder, self.referee)
        return TurnMaker(self.charter, self.joins if joins is None else joins, secrets)

    def join_by(self, seat: str, name: str, key: SigningKey, code: bytes = NO_CODE) -> Record[Join]:
        """A join for a seat, without the code of its invite unless it is given."""
        return make_join(self.charter, seat, name, key, code)

    def invite_code(self, seat: str) -> bytes:
        return invite_to(self.charter, self.referee, seat).code

    # -------------------------------------------------------------- a game
    def play(self, turns: int = 9999) -> Played:
        """Play that many turns more, or to the end with `final`."""
        waited = 0
        while not self.over and turns:
            record = self.turn()
            if record is None:  # all that are asked are silent: the deadline comes
                self.now += HOUR
                waited += 1
                assert waited < 50, "nobody answers, and no deadline comes"
                continue
            turns, waited = turns - 1, 0
            self.see(record)
            if not self.over:
                self.ask()
        if self.over:
            self.finish()
        return self

    def finish(self) -> None:
        """Open the secrets."""
        self.put(Name("final"), make(self.made.final(), self.referee))


def advance_in(
    root: Path,
    now: int,
    key: SigningKey | None = None,
    progress: Progress | None = None,
    keep: Callable[[Progress], None] | None = None,
    made_last_turn: bool = False,
    arrivals: Mapping[str, int] | None = None,
    **options: Any,
) -> Advance:
    """A run of `advance` in this folder at this time, by the referee if no other key is given."""
    remembered = RefereeMemory(made_last_turn, arrivals or {})
    archive, by = archive_of(root), key or played_key(REFEREE)
    return Advance(archive, by, now, AdvanceOptions(**options), progress, keep, remembered)


def copied_folder(game: Path, to: Path) -> Path:
    """The game's folder again, to be damaged."""
    shutil.copytree(game, to)
    return to


def read_all(root: Path) -> PublicReader:
    """The reader that has absorbed all turns of a folder. Raises as `absorb` does."""
    game_folder = archive_of(root)
    reader = PublicReader(game_folder.charter)
    find = game_folder.finder(reader.chain.may_sign_orders)
    for turn in game_folder.turns():
        reader.absorb(turn, find)
    return reader
