"""A small whole game of valid records, the same bytes every time: two seats, two turns, the end.

    third = orders_of_b(turn=1, revision=3)  # after the two of the game
    assert third.content.prev == SAMPLE.orders1.content.prev
    assert third.id not in {record.id for record in SAMPLE.records.values()}

Ann deals and plays seat a; Bo plays seat b. The rules are nobody's: only the protocol's part of the
game is real. Vectors and one-fault files are made from it.
"""

from dataclasses import dataclass, field, replace
from functools import cache

from pbem.format.encrypted_box import box_key, public_of
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import Vote
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.read_and_make_messages import Reader, make_message, seating_with
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.turn_inputs_and_outcome import SortedOrders, TurnInputs
from pbem.judge.which_joins_count import Claim
from pbem.judge.which_notices_count import row_of
from pbem.records.charter import Charter, SeatPlan
from pbem.records.final_record import FinalRecord
from pbem.records.game_id_and_chain_heads import first_head, game_id, next_head
from pbem.records.invite import Invite, door_key, invite_code
from pbem.records.join import Join, door_message, small_box
from pbem.records.notice import DRAW, Notice, Saying
from pbem.records.orders import Orders
from pbem.records.packet import Packet, seal_packets
from pbem.records.press_message import REFEREE, Press
from pbem.records.read_and_sign_record import Content, Record, make
from pbem.records.sealed_orders import OrderPlace, UnsealedOrders, seal_orders, texts_digest
from pbem.records.seeded_decks_and_dice import (
    Dealing,
    DiceChain,
    Pile,
    Position,
    die,
    make_seed,
    referee_commitment,
    seat_commitment,
)
from pbem.records.turn import Awaited, ListedOrders, LogEntry, NewCards, Turn, sort_sets

TABLE = bytes(range(16))
CARDS = ["climbing 2", "foraging 6", "horns 3", "horns 4", "horns 4", "long neck 9"]
BO_LINES = ["food: [horns 4]", "feed: b1 attacks a1", "always feed: * eats"]
ANN_LINES = ["food: [climbing 2]"]
TIME = 1_700_000_000
PUBLIC_TEXT = ("I will not attack you.", "", "Bö")
PRIVATE_TEXT = ("Thank you for the game.",)


def seat_plan(seat: str, name: str, bot: str = "", mail: bool = False) -> SeatPlan:
    """A seat of the charter, with its door."""
    audit = Secrets(bytes([1]) * 32).audit(TABLE)
    door = door_key(invite_code(audit, TABLE, seat), seat).public
    return SeatPlan(seat, name, door, bot, mail)


@dataclass
class Sample:
    """The records by name, and every secret of the game."""

    ann: SigningKey = field(default_factory=lambda: SigningKey(b"\x01" * 32))
    bo: SigningKey = field(default_factory=lambda: SigningKey(b"\x02" * 32))

    def __post_init__(self) -> None:
        self.ref, self.secrets_b = Secrets(self.ann.seed), Secrets(self.bo.seed)
        self.charter = make(self._charter(), self.ann)
        self.game = game_id(self.charter.signed.body)
        self.heads = [first_head(self.game)]
        self.held = SigningKey(self.ref.held_seat(self.game, "a"))
        self.secrets_a = Secrets(self.held.seed)
        self.audit, self.desk = self.ref.audit(TABLE), self.ref.desk(TABLE)
        self.keys = {
            seat: box_key(self.audit, public_of(secrets.box(self.game, seat)), self.game)
            for seat, secrets in (("a", self.secrets_a), ("b", self.secrets_b))
        }
        box_b = public_of(self.secrets_b.box(self.game, "b"))
        self.desk_key = box_key(self.desk, box_b, self.game)
        self.invite = Invite("savannah", "b", self.code("b"), self.game)
        self.join_a, self.join_b = self._join_a(), self._join_b()
        self._fix_chances()
        self.own_sealed, self.own = self._orders("a", self.held, 1, 1, ANN_LINES, self.heads[0])
        self.turn1 = make(self._turn1(), self.ann)
        self.heads.append(next_head(self.heads[0], self.turn1.id))
        _, self.orders1 = self._orders("b", self.bo, 1, 1, [], self.heads[1])
        self.unsealed, self.orders2 = self._orders("b", self.bo, 1, 2, BO_LINES, self.heads[1])
        place = self.game, 1, self.heads[1]
        self.notice = make_notice(place, "b", 1, Vote(DRAW), self.bo)
        self.turn2 = make(self._turn2(), self.ann)
        self.heads.append(next_head(self.heads[1], self.turn2.id))
        self.final = make(self._final(), self.ann)
        self.seating = seating_with(
            Standing(self.charter.content, {"a": self.join_a.content, "b": self.join_b.content})
        )
        self.public, self.private = self._public(), self._private()

    @property
    def records(self) -> dict[str, Record[Content]]:
        """The files by their names in the folder."""
        digits = {name: getattr(self, name).id.hex()[:6] for name in ("join_a", "join_b", "own")}
        one, two = self.orders1.id.hex()[:6], self.orders2.id.hex()[:6]
        return {
            "game.toml": self.charter,
            f"seats/a-{digits['join_a']}.toml": self.join_a,
            f"seats/b-{digits['join_b']}.toml": self.join_b,
            f"orders/0001-a-1-{digits['own']}.toml": self.own,
            "turns/0001.toml": self.turn1,
            f"orders/0001-b-1-{one}.toml": self.orders1,
            f"orders/0001-b-2-{two}.toml": self.orders2,
            file_name(self.notice).path: self.notice,
            "turns/0002.toml": self.turn2,
            "final.toml": self.final,
            file_name(self.public).path: self.public,
            file_name(self.private).path: self.private,
        }

    def known(self, kind: str, key: bytes) -> bool:
        """Who may sign what in this game."""
        if kind == "orders":
            return key in (self.held.public, self.bo.public)
        if kind in ("press", "notice"):
            return key in (self.held.public, self.bo.public, self.ann.public)
        return kind == "join" or key == self.ann.public

    def _charter(self) -> Charter:
        return Charter(
            game=b"",
            turn=0,
            prev=b"",
            seat="",
            title="Savannah",
            referee="Ann",
            table=TABLE,
            mode="referee",
            ruleset="sample",
            version="1",
            digest=b"\xdd" * 32,
            key=self.ann.public,
            audit=public_of(self.ref.audit(TABLE)),
            desk=public_of(self.ref.desk(TABLE)),
            commit=referee_commitment(TABLE, self.ref.r_ref(TABLE)),
            seats=(seat_plan("a", "Ann"), seat_plan("b", "Bö")),
            plays=("a",),
            options={"together": False},
            policies={"deadline": "3 days"},
        )

    def notice_by(
        self, writer: str, saying: Saying, key: SigningKey, turn: int = 1, number: int = 1
    ) -> Record[Notice]:
        """A notice of a seat or the referee, written after this turn."""
        return make_notice((self.game, turn, self.heads[turn]), writer, number, saying, key)

    def code(self, seat: str) -> bytes:
        return invite_code(self.audit, TABLE, seat)

    def _join(self, seat: str, key: SigningKey, secrets: Secrets, **fields: object) -> Record[Join]:
        desk = box_key(self.desk, public_of(secrets.box(self.game, seat)), self.game)
        values: dict[str, object] = {
            "game": self.game,
            "turn": 0,
            "prev": self.heads[0],
            "seat": seat,
            "key": key.public,
            "x25519": public_of(secrets.box(self.game, seat)),
            "contact": small_box(desk, "contact", seat, key.public, b"mailto:bo@example.org"),
            "commit": b"",
            "r": b"",
            "door": b"",
        }
        join = Join(**(values | fields))  # type: ignore[arg-type]
        door = door_key(self.code(seat), seat).sign(door_message(join))
        return make(replace(join, door=door), key)

    def _join_a(self) -> Record[Join]:
        return self._join("a", self.held, self.secrets_a, name="Ann")

    def _join_b(self) -> Record[Join]:
        r = self.secrets_b.r(self.game, "b")
        return self._join(
            "b",
            self.bo,
            self.secrets_b,
            name="Bö",
            recovery=SigningKey(b"\x03" * 32).public,
            commit=seat_commitment(self.game, "b", r),
            r=small_box(self.keys["b"], "r", "b", self.bo.public, r),
        )

    def _fix_chances(self) -> None:
        """Seed, deck and dice. Each seat gets two cards, one lies open, one is set aside."""
        shares = {"b": self.secrets_b.r(self.game, "b")}
        self.seed = make_seed(self.ref.r_ref(TABLE), shares, self.game)
        self.dealing, self.dice = Dealing(self.seed, self.game), DiceChain(self.seed)
        self.cards = self.dealing.shuffled("deck", 0, CARDS)
        self.pile = Pile()
        self.positions = self.pile.shuffle(len(CARDS))

    def _orders(
        self, seat: str, key: SigningKey, turn: int, revision: int, lines: list[str], prev: bytes
    ) -> tuple[UnsealedOrders, Record[Orders]]:
        secrets = {"a": self.secrets_a, "b": self.secrets_b}[seat]
        secret = secrets.sealing(self.game, seat, turn, revision, texts_digest(lines))
        unsealed = UnsealedOrders(OrderPlace(self.game, turn, seat, revision), secret, lines)
        return unsealed, make(seal_orders(unsealed.place, prev, unsealed, self.keys[seat]), key)

    def _dealt(self, ks: list[int]) -> Packet:
        return Packet(
            dealt=tuple(self.dealing.opening(self.positions[k], self.cards[k]) for k in ks)
        )

    def _turn1(self) -> Turn:
        packets = {"a": self._dealt([0, 1]), "b": self._dealt([2, 3])}
        return sort_sets(
            Turn(
                game=self.game,
                turn=1,
                prev=self.heads[0],
                seat="",
                time=TIME,
                deadline=TIME + 3 * 86400,
                over=False,
                table=("round 1", "a: 2 cards", "b: 2 cards"),
                packets=seal_packets(1, packets, self.keys),
                log=(
                    LogEntry("0.setup.shuffle.*.0", "deck takes 6", "chance"),
                    LogEntry("0.setup.deal.*.0", "a draws [?] [?]", "chance"),
                    LogEntry("0.setup.deal.*.1", "b draws [?] [?]", "chance"),
                ),
                decks=(NewCards("deck", 0, 0, self._commitments(0, self.cards)),),
                joins={"a": self.join_a.id, "b": self.join_b.id},
                link0=self.dice.link(0),
                own=(self.own.id,),
                awaited=(Awaited("b", ("food", "feed")),),
            )
        )

    def _commitments(self, first: int, cards: list[str]) -> tuple[bytes, ...]:
        return self.dealing.commitments(Position("deck", 0, first), cards)

    def _turn2(self) -> Turn:
        """Both put a card down, unseen; Bo's turns up; Ann plays one for all to see; one is dealt
        openly, one goes under the deck; a die falls."""
        food, ann = self.unsealed.cards(0)[0], self.dealing.hidden(5, 0, "climbing 2")
        packets = {
            "a": Packet(hidden=(ann,)),
            "b": Packet(under=(self.dealing.opening(Position("deck", 0, 6), "horns 3"),)),
        }
        return sort_sets(
            Turn(
                game=self.game,
                turn=2,
                prev=self.heads[1],
                seat="",
                time=TIME + 3600,
                deadline=0,
                over=True,
                table=("the game is over",),
                packets=seal_packets(2, packets, self.keys),
                log=self._log2(food.handle, ann.handle),
                lines=(self.unsealed.opening(0, self.orders2.id),),
                cards=(food,),
                dealt=(self.dealing.opening(self.positions[4], self.cards[4]),),
                shown=(self.dealing.opening(self.positions[1], self.cards[1]),),
                decks=(NewCards("deck", 0, 6, self._commitments(6, ["horns 3"])),),
                orders=(
                    ListedOrders(self.orders1.id, "b", "replaced"),
                    ListedOrders(self.orders2.id, "b", "accepted"),
                ),
                notices=(row_of(self.notice),),
                links=(self.dice.link(1),),
            )
        )

    def _log2(self, food: bytes, ann: bytes) -> tuple[LogEntry, ...]:
        """What happens in turn 2; the handles are those of the cards that Bo and Ann put down."""
        face = die(self.game, self.dice.link(1), "1.luck.die.*.0", 6)
        return (
            LogEntry("1.food.food.b.0", "food [?]", "line [?]", (food,)),
            LogEntry("1.food.reveal.b.0", "food is horns 4", "fact"),
            LogEntry("1.food.food.a.0", "food [?]", "always [?]", (ann,)),
            LogEntry("1.play.play.a.0", f"{self.cards[1]}: a1 body", "always [?]"),
            LogEntry("1.luck.deal.*.0", f"deck shows {self.cards[4]}", "chance"),
            LogEntry("1.luck.under.*.0", "deck hides 1 below 0", "chance"),
            LogEntry("1.luck.die.*.0", str(face + 1), "chance"),
            LogEntry("1.feeding.feed.b.0", "b1 eats", "always [?]"),
        )

    def _public(self) -> Record[Press]:
        """Bo writes to all after turn 1."""
        bo = Reader("b", self.secrets_b.box(self.game, "b"))
        place = self.game, 1, self.heads[1]
        return make_message(place, 1, TIME + 60, PUBLIC_TEXT, bo, self.bo, "", self.seating)

    def _private(self) -> Record[Press]:
        """The referee writes to Bo alone after turn 2."""
        ann, place = Reader(REFEREE, self.desk), (self.game, 2, self.heads[2])
        return make_message(place, 1, TIME + 7200, PRIVATE_TEXT, ann, self.ann, "b", self.seating)

    def _final(self) -> FinalRecord:
        return FinalRecord(
            game=self.game,
            turn=3,
            prev=self.heads[2],
            seat="",
            r_ref=self.ref.r_ref(TABLE),
            audit=self.audit,
        )


@cache
def sample() -> Sample:
    """The one sample, made once."""
    return Sample()


SAMPLE = sample()
NO_INPUTS = TurnInputs(SortedOrders(), (), 0)
"""The inputs of a turn with nothing in it."""
EVE = SigningKey(b"\x0e" * 32)


def orders_of_b(
    turn: int = 1,
    revision: int = 3,
    key: SigningKey = SAMPLE.bo,
    prev: bytes | None = None,
    texts: tuple[str, ...] = (),
) -> Record:
    """Orders of seat b, sealed for this place."""
    secret = SAMPLE.secrets_b.sealing(SAMPLE.game, "b", turn, revision, texts_digest(texts))
    unsealed = UnsealedOrders(OrderPlace(SAMPLE.game, turn, "b", revision), secret, texts)
    prev = prev or [*SAMPLE.heads, bytes(32)][turn]
    return make(seal_orders(unsealed.place, prev, unsealed, SAMPLE.keys["b"]), key)


def orders_of_a(turn: int, prev: bytes):
    """Orders of seat a, which the referee holds."""
    secret = SAMPLE.secrets_a.sealing(SAMPLE.game, "a", turn, 1, texts_digest([]))
    unsealed = UnsealedOrders(OrderPlace(SAMPLE.game, turn, "a", 1), secret, [])
    return make(seal_orders(unsealed.place, prev, unsealed, SAMPLE.keys["a"]), SAMPLE.held)


def short_id(record: Record) -> str:
    """The first digits of a record's id, as file names and sentences have them."""
    return record.id.hex()[:6]


def invited_claim(join: Record[Join]) -> Claim:
    """The claim to a seat of somebody who had its invite."""
    return Claim(join, is_invited=True)


def fault_rows(archive: Archive) -> list[tuple[str, str, str]]:
    """Path, reason and sentence of what is wrong with the files of a game."""
    return [(fault.path, fault.reason, fault.sentence) for fault in archive.faults]
