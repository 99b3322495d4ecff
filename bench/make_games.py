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
from pbem.files.record_file_names import Name
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.awaited_and_silent_seats import inputs_of
from pbem.judge.make_signed_records import Plan, invite_to, make_charter, make_join, make_orders
from pbem.judge.orders_for_next_turn import OrderSorter
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.record_chain import Finder
from pbem.judge.referee_secrets import RefereeSecrets
from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.turn_maker import TurnMaker
from pbem.records.charter import Charter
from pbem.records.join import Join
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, make

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
FIRST_TIME = 1_700_000_000
LONG_TURNS = 150


@dataclass(frozen=True)
class GameSetup:
    """The description of a game to make; equal ones give equal games."""

    folder: Path
    seed: str
    """The seed of all keys and cards."""
    ruleset: str = "evolution"
    players: int = 4
    bot: str = "greedy"
    answers_one_by_one: bool = False
    """Bots never answer a question that is not asked yet: such games are long."""
    player: str = ""
    """The seed of the key in seat a, for a person who plays many games; empty: as others."""
    referee: str = ""
    """The seed of the referee's key, for a referee of many games; empty: as others."""

    def key(self, role: str) -> SigningKey:
        """Return the key of a seat, or of the ``referee``."""
        if role == "referee" and self.referee:
            return key_of(self.referee, role)
        return key_of(self.player if self.player and role == "a" else self.seed, role)


def key_of(seed: str, role: str) -> SigningKey:
    """Return the key of a seat (``a`` …) or of the ``referee`` in the game with this seed."""
    return SigningKey(hashlib.sha256(f"pbem bench {seed} {role}".encode()).digest())


@dataclass
class BotGame:
    """One game of bots, as far as it is made: the referee's table and every seat's."""

    setup: GameSetup
    charter: Record[Charter]
    joins: Mapping[str, Record[Join]]
    maker: TurnMaker
    readers: Mapping[str, SeatReader]
    orders: dict[bytes, Record[Orders]] = field(default_factory=dict)
    """All orders so far, by id."""
    texts: dict[tuple[int, str], list[str]] = field(default_factory=dict)
    """The lines with which each seat answered each turn: by turn and seat."""

    def play(self, max_turns: int = 9999) -> int:
        """Make all turns and the final, or only `max_turns` turns; return the number of turns."""
        new_orders: list[Record[Orders]] = []
        while not self.maker.chain.is_over:
            self._turn(new_orders)
            if self.maker.chain.turn == max_turns:
                return max_turns
            new_orders = [self._orders(seat) for seat in sorted(self.maker.awaited)]
        referee = self.setup.key("referee")
        write(self.setup.folder, Name("final"), make(self.maker.final(), referee).file)
        return self.maker.chain.turn

    def _turn(self, new_orders: Sequence[Record[Orders]]) -> None:
        """Make the next turn of these orders, write it, and let every seat read it."""
        sorted_orders = OrderSorter(self.maker).sort(new_orders)
        time = FIRST_TIME + 60 * self.maker.chain.turn
        turn = self.maker.make(inputs_of(self.maker, sorted_orders, (), time))
        assert turn is not None, "the bots answered nothing"
        record = make(turn, self.setup.key("referee"))
        write(self.setup.folder, Name("turn", turn.turn), record.file)
        self.maker.add_turn(record)
        joins = {join.id: join for join in self.joins.values()}
        for reader in self.readers.values():
            reader.absorb(record, Finder(self.orders.__getitem__, lambda: joins))

    def _orders(self, seat: str) -> Record[Orders]:
        """Let the seat's bot answer, and write its orders."""
        reader = self.readers[seat]
        texts = bot_texts(reader, self.setup.bot)
        decision = next(d for _, d in reader.own_table.pending if d.seat == seat)
        if self.setup.answers_one_by_one and not decision.script:  # a script counts only as a whole
            texts = texts[:1]
        self.texts[reader.chain.turn, seat] = texts
        record = make_orders(reader, self.setup.key(seat), texts, 1)
        write(self.setup.folder, file_name(record), record.file)
        self.orders[record.id] = record
        return record


def write(folder: Path, name: Name, data: bytes) -> None:
    """Put a record in its place. Does not wait for the disk: these games may be lost."""
    path = folder / name.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def begin(setup: GameSetup) -> BotGame:
    """Begin a new game with everybody seated: writes charter and joins."""
    referee = setup.key("referee")
    names = NAMES[: setup.players]
    table = hashlib.sha256(f"table {setup.seed}".encode()).digest()[:16]
    plan = Plan(title="savannah", referee="Rhea", ruleset=setup.ruleset, players=names)
    charter = make_charter(plan, referee, table)
    write(setup.folder, Name("charter"), charter.file)
    joins = {}
    for seat, name in zip("abcdefgh", names, strict=False):
        code = invite_to(charter, referee, seat).code
        join = make_join(charter, seat, name, setup.key(seat), code)
        write(setup.folder, Name("join", seat=seat, short_id=join.id.hex()[:6]), join.file)
        joins[seat] = join
    key_secrets = Secrets(referee.seed)
    secrets = RefereeSecrets(key_secrets.r_ref(table), key_secrets.audit(table))
    maker = TurnMaker(charter, joins, secrets)
    readers = {seat: SeatReader(charter, seat, setup.key(seat).seed) for seat in joins}
    return BotGame(setup, charter, joins, maker, readers)


def make_tree(folder: Path, turns: int, seed: int) -> list[int]:
    """Make games below ``folder`` until they have so many turns together; return the number of
    turns of each."""
    turn_counts: list[int] = []
    while sum(turn_counts) < turns:
        number = len(turn_counts) + 1
        players = 2 + number % 5
        setup = GameSetup(folder / f"{number:03}", f"{seed}.{number}", players=players)
        turn_counts.append(begin(setup).play())
    return turn_counts


def make_long(folder: Path, seed: int, players: int = 5, min_turns: int = LONG_TURNS) -> BotGame:
    """Make one finished game of at least ``min_turns`` turns, asked question by question. Raises
    SystemExit if it has fewer."""
    game = begin(GameSetup(folder, f"{seed}.long", players=players, answers_one_by_one=True))
    if (turns := game.play()) < min_turns:
        raise SystemExit(f"the long game ended after {turns} turns; use another seed")
    return game


def main() -> None:
    """Make the games that the options describe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    turn_counts = make_tree(options.folder / "games", options.turns, options.seed)
    print(f"{len(turn_counts)} games, {sum(turn_counts)} turns")
    print(f"a long one, {make_long(options.folder / 'long', options.seed).maker.chain.turn} turns")


if __name__ == "__main__":
    main()


SEED = 1
