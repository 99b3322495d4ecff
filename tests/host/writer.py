"""Whoever writes to a host as fast as they can."""

from itertools import count

from pbem.format.encrypted_box import TAG
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import Vote
from pbem.records.orders import Orders
from pbem.records.press_message import Press
from pbem.records.read_and_sign_record import Content, Record, make
from tests.host.dealing import POOL
from tests.kit.named_games import session_at
from tests.kit.people import Person
from tests.kit.record_files import record_path

LARGE, SMALL = 8, 1
"""The sheets of the largest set of orders, about 58 kB, and of the smallest, 7 kB."""


class Writer:
    """Whoever has a key and writes to the game at an address with it, as fast as they can."""

    def __init__(self, witness: Person, address: str, seat: str, key: SigningKey) -> None:
        self.address, self.seat, self.key = address, seat, key
        game_folder = session_at(address, witness).game_folder
        chain = game_folder.chain_of(game_folder.turns())
        self.place = chain.game, chain.turn, chain.head
        self._bodies = count()

    def put(self, record: Record[Content]) -> tuple[int, str]:
        """The status and the sentence with which the host answers."""
        url = f"{self.address}/{record_path(record)}"
        headers = {"If-None-Match": "*"}
        said = POOL.request("PUT", url, body=record.file, headers=headers)
        return said.status, said.data.decode()

    def orders(self, revision: int, sheets: int) -> tuple[int, str]:
        """Put orders that nobody can open, which a host does not know."""
        return self.put(self.made(revision, sheets))

    def made(self, revision: int, sheets: int) -> Record[Orders]:
        """Make such orders."""
        game, turn, head = self.place
        body = next(self._bodies)
        lines = tuple(bytes([i % 256, i // 256, body]).ljust(32) for i in range(64 * sheets))
        box = bytes([body]) * (2048 * sheets + TAG)
        header = {"game": game, "turn": turn, "prev": head, "seat": self.seat}
        return make(Orders(**header, revision=revision, lines=lines, box=box), self.key)

    def fill(self) -> None:
        """Put all that the host takes: large sets, small ones, messages and notices."""
        game, turn, head = self.place
        header = {"game": game, "turn": turn, "prev": head, "seat": self.seat}
        for sheets in (LARGE, SMALL):
            for revision in range(1, 41):
                self.orders(revision, sheets)
        for number in range(1, 65):
            self.put(make(Press(**header, number=number, time=0, text=("x" * 1000,)), self.key))
        for number in range(2, 8):
            for result in ("draw", "score"):
                vote = Vote(result)
                self.put(make_notice(self.place, self.seat, number, vote, self.key))
