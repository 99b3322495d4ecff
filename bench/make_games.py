"""``python -m bench.make_games FOLDER --turns 1000``: make finished, signed games of bots.

All tables stay in memory from turn to turn, so the time is linear in the turns; the same seed
makes the same bytes. FOLDER then contains ``games/001`` …, each a folder as ``pbem`` makes it, and
``long``, one game of many turns; ``key_of`` makes the keys of a game's seats.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem.acts.advance import bot_texts
from pbem.files.folder import Name
from pbem.format.keys import Secrets, SigningKey
from pbem.judge.chain import Finder
from pbem.judge.deputy import RefereeSecrets
from pbem.judge.order_sorting import OrderSorter, inputs_of
from pbem.judge.record_files import file_name
from pbem.judge.seat_reader import SeatReader
from pbem.judge.sign import Plan, invite_to, make_charter, make_join, make_orders
from pbem.judge.turn_maker import TurnMaker
from pbem.records.charter import Charter, Join, Orders
from pbem.records.read_record import Record, make

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
FIRST_TIME = 1_700_000_000
LONG_TURNS = 150


@dataclass(frozen=True)
class Wish:
    """What kind of game to make."""

    folder: Path
    seed: str
    ruleset: str = "evolution"
    players: int = 4
    bot: str = "greedy"
    one_by_one: bool = False
    """Bots never answer a question that is not asked yet: such games are long."""
    player: str = ""
    """The seed of the key in seat a, for a person who plays many games; empty: as others."""
    referee: str = ""
    """The seed of the referee's key, for a referee of many games; empty: as others."""

    def key(self, who: str) -> SigningKey:
        """The key of a seat, or of the ``referee``."""
        if who == "referee" and self.referee:
            return key_of(self.referee, who)
        return key_of(self.player if self.player and who == "a" else self.seed, who)


def key_of(seed: str, who: str) -> SigningKey:
    """The key of a seat (``a`` …) or of the ``referee`` in the game with this seed."""
    return SigningKey(hashlib.sha256(f"pbem bench {seed} {who}".encode()).digest())


@dataclass
class Making:
    """One game: the referee's table and every seat's."""

    wish: Wish
    charter: Record[Charter]
    joins: Mapping[str, Record[Join]]
    maker: TurnMaker
    readers: Mapping[str, SeatReader]
    orders: dict[bytes, Record[Orders]] = field(default_factory=dict)
    texts: dict[tuple[int, str], list[str]] = field(default_factory=dict)
    """What each seat answered to each turn."""

    def play(self, most: int = 9999) -> int:
        """Make all turns and the final, or the first turns; returns the number of turns."""
        new: list[Record[Orders]] = []
        while not self.maker.chain.is_over:
            self._turn(new)
            if self.maker.chain.turn == most:
                return most
            new = [self._orders(seat) for seat in sorted(self.maker.awaited)]
        referee = self.wish.key("referee")
        write(self.wish.folder, Name("final"), make(self.maker.final(), referee).file)
        return self.maker.chain.turn

    def _turn(self, new: Sequence[Record[Orders]]) -> None:
        found = OrderSorter(self.maker).sort(new)
        time = FIRST_TIME + 60 * self.maker.chain.turn
        turn = self.maker.make(inputs_of(self.maker, found, (), time))
        assert turn is not None, "the bots answered nothing"
        record = make(turn, self.wish.key("referee"))
        write(self.wish.folder, Name("turn", turn.turn), record.file)
        self.maker.add_turn(record)
        joins = {join.id: join for join in self.joins.values()}
        for reader in self.readers.values():
            reader.absorb(record, Finder(self.orders.__getitem__, lambda: joins))

    def _orders(self, seat: str) -> Record[Orders]:
        reader = self.readers[seat]
        texts = bot_texts(reader, self.wish.bot)
        asked = next(d for _, d in reader.own_table.pending if d.seat == seat)
        if self.wish.one_by_one and not asked.script:  # a script counts only as a whole
            texts = texts[:1]
        self.texts[reader.chain.turn, seat] = texts
        record = make_orders(reader, self.wish.key(seat), texts, 1)
        write(self.wish.folder, file_name(record), record.file)
        self.orders[record.id] = record
        return record


def write(folder: Path, name: Name, data: bytes) -> None:
    """Put a record in its place. Does not wait for the disk: these games may be lost."""
    path = folder / name.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def begin(wish: Wish) -> Making:
    """Begin a new game with everybody seated: writes charter and joins."""
    referee = wish.key("referee")
    names = NAMES[: wish.players]
    table = hashlib.sha256(f"table {wish.seed}".encode()).digest()[:16]
    plan = Plan(title="savannah", referee="Rhea", ruleset=wish.ruleset, players=names)
    charter = make_charter(plan, referee, table)
    write(wish.folder, Name("charter"), charter.file)
    joins = {}
    for seat, name in zip("abcdefgh", names, strict=False):
        code = invite_to(charter, referee, seat).code
        join = make_join(charter, seat, name, wish.key(seat), code)
        write(wish.folder, Name("join", seat=seat, short_id=join.id.hex()[:6]), join.file)
        joins[seat] = join
    own = Secrets(referee.seed)
    maker = TurnMaker(charter, joins, RefereeSecrets(own.r_ref(table), own.audit(table)))
    readers = {seat: SeatReader(charter, seat, wish.key(seat).seed) for seat in joins}
    return Making(wish, charter, joins, maker, readers)


def make_tree(folder: Path, turns: int, seed: int) -> list[int]:
    """Make games below ``folder`` until they have this many turns; returns the turns of each."""
    made: list[int] = []
    while sum(made) < turns:
        number = len(made) + 1
        players = 2 + number % 5
        wish = Wish(folder / f"{number:03}", f"{seed}.{number}", players=players)
        made.append(begin(wish).play())
    return made


def make_long(folder: Path, seed: int, players: int = 5, least: int = LONG_TURNS) -> Making:
    """One finished game of at least ``least`` turns, asked question by question."""
    making = begin(Wish(folder, f"{seed}.long", players=players, one_by_one=True))
    if (turns := making.play()) < least:
        raise SystemExit(f"the long game ended after {turns} turns; use another seed")
    return making


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    wishes = parser.parse_args()
    made = make_tree(wishes.folder / "games", wishes.turns, wishes.seed)
    print(f"{len(made)} games, {sum(made)} turns")
    print(f"a long one, {make_long(wishes.folder / 'long', wishes.seed).maker.chain.turn} turns")


if __name__ == "__main__":
    main()
