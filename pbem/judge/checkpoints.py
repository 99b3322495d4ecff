"""Checkpoints: what a reader or the turn maker knows after a turn, as data for a cache."""

from __future__ import annotations

from typing import TypeVar

from engine import PUBLIC, Entry, Table
from engine.table import resumed_orders
from pbem.format.canonical import RecordError
from pbem.judge.archive import Archive
from pbem.judge.chain import Finder
from pbem.judge.chain_checkpoint import Plain, from_plain, plain, plain_chain, resume_chain
from pbem.judge.deputy import RefereeSecrets
from pbem.judge.lines import OrdersInForce, read_lines
from pbem.judge.rules import game_of
from pbem.judge.seat_reader import SeatReader
from pbem.judge.table_reader import TableReader
from pbem.judge.turn_inputs import OpenedOrders
from pbem.judge.turn_maker import Progress, TurnMaker
from pbem.records.turn import Refusal, Turn

AnyReader = TypeVar("AnyReader", bound=TableReader)


def checkpoint_of(reader: TableReader) -> Plain:
    """Return what the reader knows, as data that fits into JSON. Raises RecordError `state`.

    The tables are replayed from the log, and the orders that count are read from their files again,
    with all checks. Whoever stores it must see to it that the game's files have not changed since.
    """
    in_force = {force.record.id for force in reader.in_force.values()}
    state: Plain = {
        "chain": plain_chain(reader.chain),
        "log": [list(entry) for entry in reader.log],
        "in_force": {
            seat: [force.record.id.hex(), force.round] for seat, force in reader.in_force.items()
        },
        "own": plain(reader.own),
        **reader.cards.state(in_force),
    }
    if isinstance(reader, SeatReader):
        state["own_log"] = [list(entry) for entry in reader.own_log]
        state["orders_since"] = reader.orders_since
        state["refused"] = [[r.order.hex(), r.line, r.why] for r in reader.refused]
    return state


def resume(reader: AnyReader, state: Plain, last: Turn, find: Finder) -> AnyReader:
    """Bring a new reader to the state at the checkpoint, after the turn `last`; returns it.

    Raises RecordError or FileError if orders or joins are missing, and KeyError, TypeError,
    ValueError or an engine error for data that is not a checkpoint of this game. Do not use the
    reader after an error.
    """
    reader.take_joins(from_plain(state["chain"]["join_ids"]), find.joins())
    resume_chain(reader.chain, state["chain"], last, find)
    reader.own = from_plain(state["own"])
    _resume_orders(reader, state, find)
    reader.cards.resume(state)
    reader.log = [Entry(*entry) for entry in state["log"]]
    game = game_of(reader.charter, "".join(sorted(reader.chain.standing.roster)))
    reader.table = Table(game, PUBLIC, reader.log)
    if isinstance(reader, SeatReader):
        refused = ((bytes.fromhex(o), line, why) for o, line, why in state["refused"])
        reader.refused = tuple(Refusal(*one) for one in refused)
        reader.own_log = [Entry(*entry) for entry in state["own_log"]]
        reader.new_table(reader.own_log)
        reader.take_orders(state["orders_since"])
    return reader


# ---- parts of readers


def _resume_orders(reader: TableReader, state: Plain, find: Finder) -> None:
    for seat, (ident, round_) in state["in_force"].items():
        record = reader.signed(bytes.fromhex(ident), find)
        if record.content.seat != seat:
            raise RecordError("key", f"orders {ident[:6]} are not from seat {seat}")
        reader.in_force[seat] = OrdersInForce(record, round_)


# ---- the turn maker


def resume_progress(game_folder: Archive, secrets: RefereeSecrets, state: Plain) -> Progress:
    """Return the progress that the checkpoint saved. Raises what `resume` raises."""
    first = next(game_folder.turns()).content
    maker = TurnMaker(game_folder.charter, game_folder.joins_of(first), secrets)
    last = game_folder.turn(game_folder.listing.turns[len(state["chain"]["times"]) - 1]).content
    find = game_folder.finder(maker.chain.may_sign_orders)
    progress = Progress(resume_maker(maker, state, last, find))
    progress.note_files(game_folder.listing)
    return progress


def checkpoint_of_maker(maker: TurnMaker) -> Plain:
    """Return what the maker knows after a turn that it made, as plain data.

    It contains all secrets of the game: it may be stored only in the referee's home.
    """
    in_force = {held.record.id for held in maker.in_force.values()}
    return {
        "chain": plain_chain(maker.chain),
        "log": [list(entry) for entry in maker.table.log],
        "in_force": {
            seat: [held.record.id.hex(), held.lines.round, held.since]
            for seat, held in maker.in_force.items()
        },
        **maker.cards.state(in_force),
    }


def resume_maker(maker: TurnMaker, state: Plain, last: Turn, find: Finder) -> TurnMaker:
    """Bring a new maker to the state at the checkpoint, after the turn `last`; returns it. Raises
    what `resume` raises."""
    for logged in state["log"]:
        maker.table.push(Entry(*logged))
    resume_chain(maker.chain, state["chain"], last, find)
    maker.absence_now = maker.chain.absence
    maker.take_keys()
    maker.cards.resume(state)
    for seat, (ident, round_, since) in state["in_force"].items():
        record = find.orders(bytes.fromhex(ident))
        if record.content.seat != seat:
            raise RecordError("key", f"orders {ident[:6]} are not from seat {seat}")
        sealed, log = maker.open(record.content), maker.table.log
        lines = read_lines(sealed.texts)
        orders = resumed_orders(maker.orders_table, seat, round_, lines, log, since)
        maker.in_force[seat] = OpenedOrders(record, sealed, orders, since)
    return maker
