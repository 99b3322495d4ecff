"""The protocols of a way to deal cards: for a reader, for a seat and for the turn maker.

The judge knows questions, orders, deadlines and the log. Everything that depends on dealing,
hiding, showing and proving cards and dice is behind these protocols. The ways are in the modules
that begin with `sealed_` and `hidden_`; `mode_of` (`dealing_modes.py`) finds that of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from engine import (
    Dealer,
    Decision,
    Entry,
    Game,
    OrderSet,
    Pending,
    Seat,
    Settler,
    Table,
    Tag,
)
from pbem.format.record_error import Reason, RecordError
from pbem.judge.orders_in_force import OrdersInForce
from pbem.judge.record_chain import Chain, Finder
from pbem.judge.referee_secrets import RefereeSecrets
from pbem.judge.tagged_json_data import PlainData
from pbem.judge.turn_inputs_and_outcome import OpenedOrders, TurnInputs
from pbem.records.join import Join
from pbem.records.packet import Packet
from pbem.records.read_and_sign_record import Record
from pbem.records.sealed_orders import UnsealedOrders
from pbem.records.seeded_decks_and_dice import WRONG_DICE
from pbem.records.turn import LogEntry, SaidAnswer, Turn


class PublicCards(Protocol):
    """The cards and dice as everybody can check them without a key.

    A reader calls `begin`, then the checks for each log entry, then `end`. All of them raise
    RecordError for what is wrong.
    """

    opens_always_lines: bool
    """Whether a turn opens a standing order that settles an entry and puts down or shows cards."""

    @property
    def is_stopped(self) -> bool:
        """Whether the turn that was read asks nobody, because the game waits for a dealer."""

    @property
    def is_frozen(self) -> bool:
        """Whether a wave waits for names: then the orders that answer it cannot lapse."""

    @property
    def bound_answers(self) -> Mapping[str, SaidAnswer]:
        """The answers that the turn before has said, and that stay, by the keys of their
        questions."""

    @property
    def replaced_keys(self) -> Collection[str]:
        """The keys of questions that were answered before, and whose answers no longer count: a
        default may settle them though their seats are not away."""

    def begin(
        self,
        turn: Turn,
        first_number: int,
        table: Table[Any],
        find: Finder,
    ) -> None:
        """Begin a turn. Its first log entry has the number `first_number`; the reader sends each
        entry to the public `table`."""

    def check_chance(self, number: int, key: str, decision: Decision, text: str) -> None:
        """Check an entry of chance."""

    def check_choice(
        self,
        number: int,
        decision: Decision,
        logged: LogEntry,
        orders_in_force: OrdersInForce | None,
    ) -> None:
        """Check the cards that a seat puts down in the entry with this number, `logged`. With
        `orders_in_force`, one of their plain lines settled the entry: check too that the turn opens
        this line."""

    def check_fact(self, logged: LogEntry) -> None:
        """Check the fields of an entry that turns up a card; `check_turned_up` checks the card."""

    def check_turned_up(self, tag: Tag, card: str) -> None:
        """Check a card that was put down and now turns up."""

    def check_shown(self, seat: str, card: str) -> None:
        """Check a card that leaves a hand for all to see."""

    def new_answers(self) -> Sequence[tuple[str, Decision, SaidAnswer]]:
        """Return the answers of seats that the turn says without names, for the first time."""

    def check_answer(
        self, decision: Decision, answer: SaidAnswer, orders_in_force: OrdersInForce | None
    ) -> None:
        """Check the lines from which such an answer comes, if it comes from orders."""

    def end(self) -> None:
        """Check that the turn opens nothing that the log did not need."""

    def packet_size(self, turn: Turn) -> int:
        """Return the size of the contents of each packet of the turn that was read."""

    def handover_size(self, seat: str, log: Sequence[Entry]) -> int:
        """Return the size of the handover to a seat with new keys; `log` ends before the turn."""

    def awaited_kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return, for each seat that the cards wait for, the kinds awaited; no ruleset asks
        them."""

    def state(self, order_ids: Container[bytes]) -> PlainData:
        """Return the state after a turn, as data for a checkpoint. `order_ids` are the orders in
        force: lines of other orders may be forgotten."""

    def resume(self, state: PlainData, table: Table[Any]) -> None:
        """Restore the data that `state` returned; `table` is the public table after the last turn,
        to which the reader will send the next entries. Raises KeyError, TypeError or ValueError for
        other data."""


class SeatCards(Protocol):
    """The cards that a seat's key opens, beside the `PublicCards` of the same reader.

    All methods raise RecordError for what is wrong.
    """

    def begin(self, packet: Packet, own_orders: UnsealedOrders | None) -> None:
        """Begin the turn that the public cards have read; `sealed` are the seat's orders in force
        in it."""

    def own_entry(self, number: int, entry: Entry, public_text: str) -> Entry:
        """Return an earlier entry of the seat's log with all cards that the seat knows by now.
        `public_text` is its sentence as everybody reads it."""

    def open_chance_entry(self, number: int, decision: Decision, entry: Entry) -> Entry:
        """Check an entry of chance, and return it with the cards that the seat may read."""

    def check_put_down(self, number: int, entry: Entry, logged: LogEntry) -> None:
        """Check the handles of the cards that the seat's own entry puts down."""

    def entered(self, number: int, decision: Decision, logged: LogEntry) -> None:
        """Follow the public log: called after each entry, with its number in the game and the
        question that it answers, once the public check has accepted the entry."""

    def order_set(self, orders: OrderSet) -> OrderSet:
        """Return the seat's lines, as they answer the questions of `orders_table`."""

    def orders_table(self, own_table: Table[Any]) -> Table[Any]:
        """Return the table whose questions the seat's lines answer."""

    def choice_without_lines(self, decision: Decision, source: str) -> str:
        """Return what settles a question of that table without the seat's lines: the only option
        (`source` is forced) or the default."""

    def sealed_texts(self, texts: Sequence[str]) -> Sequence[str]:
        """Return order lines as they are sealed. Raises RecordError `rule` for a line that cannot
        be written so."""

    def typed_texts(self, texts: Sequence[str]) -> list[str]:
        """Return order lines as the seat's own table has them; `sealed_texts` made them."""

    def own_text(self, text: str) -> str:
        """Return a choice, as lines and defaults give it, as the seat's own table has it."""

    def end(self) -> None:
        """Check that the packet opens nothing that the log did not need."""

    def pass_by(self) -> None:
        """Skip the turn that the public cards have read, because the seat had other keys then; the
        handover will open its cards."""

    def replay_handover(
        self, packet: Packet, table: Table[Any], log: Sequence[Entry]
    ) -> list[Entry]:
        """Replay a public log on the seat's new table with the cards that a handover opens; return
        the log with these cards."""

    def state(self) -> PlainData:
        """Return what does not follow from the seat's log, as data for a checkpoint."""

    def resume(self, state: PlainData, log: Sequence[Entry]) -> None:
        """Restore the data that `state` returned; `log` is the public log, and the public cards are
        resumed already. Raises KeyError, TypeError or ValueError for other data."""


class MakerTables(Protocol):
    """The tables of a turn maker, with the whole log."""

    game: Game[Any]
    log: list[Entry]
    scripts: set[str]
    """The keys of decisions that a script answered."""

    @property
    def tables(self) -> dict[Seat, Table[Any]]:
        """Every table, by its viewpoint."""

    @property
    def public_table(self) -> Table[Any]:
        """The table as everybody knows it."""

    def advance(self, settler: Settler) -> Pending:
        """Settle decisions until somebody must be asked; return the open questions."""

    def resume(self, log: Iterable[Entry], state: PlainData) -> None:
        """Play the log of a checkpoint again; `state` has what `MakerCards.state` returned."""


class MakerCards(Dealer, Protocol):
    """The cards and dice of the turn maker, which deals, hides, shows and seals them.

    The turn maker calls `begin`; then, for each new entry, the methods of `Dealer`, `turn_up` and
    `leave`; then `entry` for each new entry; and last `fields`, `packet` and `handover`. All
    results follow from the arguments and from the secrets, so the audit can make a turn again.
    """

    viewpoint: Seat
    """The viewpoint of the table with the options that orders may name: ALL or PUBLIC."""

    def begin(self, number: int, inputs: TurnInputs) -> None:
        """Begin the turn with this number, which is made from these inputs."""

    def turn_up(self, tags: Sequence[Tag]) -> None:
        """Note which face-down cards turn up with an entry."""

    def leave(self, seat: str, hidden_cards: Sequence[str], shown_cards: Sequence[str]) -> None:
        """Note which cards leave a hand with an entry: put down, or for all to see. Raises
        RecordError `rule` if the hand does not have them."""

    def entry(
        self, number: int, entry: Entry, ranks: Sequence[int], orders: OpenedOrders | None
    ) -> Mapping[str, Any]:
        """Return the fields of a log entry about its cards. The lines of `orders` with these ranks
        settled the entry."""

    def fields(self) -> Mapping[str, Any]:
        """Return the turn's fields about cards and dice."""

    def packet(self, seat: str) -> Packet:
        """Return the cards that the turn opens only to this seat."""

    def handover(self, seat: str, log: Sequence[Entry]) -> Packet:
        """Return all cards that the seat could know; `log` ends before the turn."""

    def awaited_kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return, for each seat that the cards wait for, the kinds awaited (see `PublicCards`):
        then `answer` returned None."""

    def make_tables(self, game: Game[Any]) -> MakerTables:
        """Return new tables for a game that has not begun; the cards follow them."""

    def order_set(self, orders: OrderSet) -> OrderSet:
        """Return the lines of a seat, as they answer the questions of `viewpoint`'s table."""

    def stop(self, *, is_over: bool) -> bool:
        """Note the end of the turn being made; return whether it asks nobody, because the game
        waits for a dealer."""

    def said_entries(self) -> Sequence[tuple[Entry, bool]]:
        """Return the answers that the turn being made says without names, each with whether it is
        a script."""

    def open_lines(self, entry: Entry, ranks: Sequence[int], orders: OpenedOrders) -> None:
        """Open the lines that say such an answer: those with these numbers, counted from 0."""

    @property
    def is_frozen(self) -> bool:
        """Whether a wave waits for names (see `PublicCards`)."""

    @property
    def goes_on(self) -> bool:
        """Whether something happens in the turn being made, even if its log is empty."""

    @property
    def spoiled_seat(self) -> str:
        """The seat whose hidden card has ended the game, or empty."""

    def state(self, order_ids: Container[bytes]) -> PlainData:
        """Return the state that does not follow from the log, as data for a checkpoint (see
        `PublicCards`)."""

    def resume(self, state: PlainData) -> None:
        """Restore the data that `state` returned. Raises KeyError, TypeError or ValueError for
        other data."""


NewMakerCards = Callable[
    [Chain, Mapping[str, Record[Join]], RefereeSecrets, Mapping[str, bytes]], MakerCards
]
"""Makes the cards of a turn maker from the chain before turn 1, the seated joins, the referee's
secrets and, for each seat, the key of the boxes between it and `audit`."""


Difference = RecordError | Callable[[Turn, Turn], RecordError]
"""The error for a wrong field, or a function that makes it from the published turn and the expected
turn."""


LINK_ERROR: Final = RecordError("chain", WRONG_DICE)
OPENING_ERROR: Final = RecordError(
    "opening", "the turn does not show exactly the orders and cards that it uses"
)


class CardDifferences(NamedTuple):
    """The audit's errors for a turn with other cards than the secrets give."""

    before_orders: Mapping[str, Difference]
    """The fields of turn 1 that follow from the secrets alone."""
    before_log: Mapping[str, Difference]
    """The fields that explain a wrong log, in the order in which they are compared."""
    in_entry: str
    """The sentence for an entry with the right text, but with wrong fields about its cards."""
    after_log: Mapping[str, Difference]
    """The fields that follow from the log, in the order in which they are compared."""
    in_packet: Mapping[str, Reason]
    """The fields of a packet, in this order, with the reason of the finding."""


class CardMode(NamedTuple):
    """A way to deal: the makers of its three parts, and the facts that the audit needs."""

    name: str
    public: Callable[[Chain], PublicCards]
    seat: Callable[[Any, str, bytes], SeatCards]
    """Makes a seat's part from the public part of the same mode, the seat, and the 32-byte seed of
    its signing key."""
    maker: NewMakerCards
    differences: CardDifferences
    committed_cards: Callable[[Turn], int]
    """Returns the number of cards to which a turn has commitments: nobody can swap them
    unnoticed."""
    has_handles: bool = True
    """Whether the lines of orders name cards, with handles for those in brackets; if not, they name
    slots."""
