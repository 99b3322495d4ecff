"""Checkpoints of a reader or the turn maker after a turn, as data for a cache."""

from __future__ import annotations

from typing import TypeVar

from engine import PUBLIC, Entry, Table
from engine.resumed_orders import resumed_orders
from pbem.format.record_error import RecordError
from pbem.judge.chain_checkpoint import chain_to_data, resume_chain
from pbem.judge.game_ruleset import game_of
from pbem.judge.order_line_checks import read_lines
from pbem.judge.orders_in_force import OrdersInForce
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.record_chain import Finder
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.referee_secrets import RefereeSecrets
from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.tagged_json_data import PlainData, from_data, to_data
from pbem.judge.turn_inputs_and_outcome import OpenedOrders
from pbem.judge.turn_maker import Progress, TurnMaker
from pbem.records.packet import RefusedLine
from pbem.records.turn import Turn

AnyReader = TypeVar("AnyReader", bound=PublicReader)


def checkpoint_of(reader: PublicReader) -> PlainData:
    """Return the reader's state as data for JSON, from which `resume_reader` goes on. No lapsed
    orders may wait for names, because their keys count no more. Raises RecordError `state`."""
    order_ids = {orders.record.id for orders in reader.in_force.values()}
    state: PlainData = {
        "chain": chain_to_data(reader.chain),
        "log": [list(entry) for entry in reader.log],
        "in_force": {
            seat: [orders.record.id.hex(), orders.round] for seat, orders in reader.in_force.items()
        },
        "own": to_data(reader.own_order_ids),
        **reader.cards.state(order_ids),
    }
    if isinstance(reader, SeatReader):
        state["own_log"] = [list(entry) for entry in reader.own_log]
        state["orders_since"] = reader.orders_since
        state["refused"] = [[r.order.hex(), r.line, r.why] for r in reader.rule_refusals]
        state["seat_cards"] = reader.seat_cards.state()
    return state


def resume_reader(reader: AnyReader, state: PlainData, last_turn: Turn, find: Finder) -> AnyReader:
    """Restore the state of a new reader after `last_turn` from a checkpoint, and return the reader.

    This replays the tables from the log, and reads and checks the orders in force again. The
    caller must make sure that the game's files have not changed since the checkpoint was made.
    Raises RecordError or FileError if orders or joins are missing, and KeyError, TypeError,
    ValueError or an engine error for data that is not a checkpoint of this game. Do not use the
    reader after an error.
    """
    reader.take_joins(from_data(state["chain"]["join_ids"]), find.joins())
    resume_chain(reader.chain, state["chain"], last_turn, find)
    reader.own_order_ids = from_data(state["own"])
    for seat, (order_id_hex, round_) in state["in_force"].items():
        record = reader.orders_with_current_key(bytes.fromhex(order_id_hex), find)
        if record.content.seat != seat:
            raise RecordError("key", f"orders {order_id_hex[:6]} are not from seat {seat}")
        reader.in_force[seat] = OrdersInForce(record, round_)
    reader.log = [Entry(*entry) for entry in state["log"]]
    game = game_of(reader.charter, "".join(sorted(reader.chain.standing.roster)))
    reader.table = Table(game, PUBLIC, reader.log)
    reader.cards.resume(state, reader.table)
    if isinstance(reader, SeatReader):
        reader.rule_refusals = tuple(
            RefusedLine(bytes.fromhex(order_id_hex), line, reason)
            for order_id_hex, line, reason in state["refused"]
        )
        reader.own_log = [Entry(*entry) for entry in state["own_log"]]
        reader.new_table(reader.own_log)
        reader.seat_cards.resume(state["seat_cards"], reader.log)
        reader.take_orders(state["orders_since"])
    return reader


# ---- the turn maker


def resume_progress(game_folder: Archive, secrets: RefereeSecrets, state: PlainData) -> Progress:
    """Return the progress of a turn maker from its checkpoint `state`. The progress gets the marks
    of the files in the folder now, so the caller must make sure that the files have not changed.
    Raises what `resume_reader` raises."""
    first_turn = next(game_folder.turns()).content
    maker = TurnMaker(game_folder.charter, game_folder.joins_of(first_turn), secrets)
    last_file = game_folder.listing.turns[len(state["chain"]["times"]) - 1]
    find = game_folder.finder(maker.chain.may_sign_orders)
    last_turn = game_folder.turn(last_file).content
    progress = Progress(resume_maker(maker, state, last_turn, find))
    progress.note_files(game_folder.listing)
    return progress


def checkpoint_of_maker(maker: TurnMaker) -> PlainData:
    """Return the maker's state after a turn that it made, as plain data. No lapsed orders may wait
    for names.

    The data contains all hidden cards of the game. Store it only in the referee's home.
    """
    order_ids = {orders.record.id for orders in maker.in_force.values()}
    return {
        "chain": chain_to_data(maker.chain),
        "log": [list(entry) for entry in maker.table.log],
        "in_force": {
            seat: [orders.record.id.hex(), orders.lines.round, orders.log_length]
            for seat, orders in maker.in_force.items()
        },
        **maker.cards.state(order_ids),
    }


def resume_maker(maker: TurnMaker, state: PlainData, last_turn: Turn, find: Finder) -> TurnMaker:
    """Restore the state of a new maker after `last_turn` from a checkpoint, and return the maker.
    Raises what `resume_reader` raises."""
    maker.table.resume([Entry(*entry) for entry in state["log"]], state)
    resume_chain(maker.chain, state["chain"], last_turn, find)
    maker.absence_now = maker.chain.absence
    maker.take_keys()
    maker.cards.resume(state)
    maker.is_stopped = bool(last_turn.owed or last_turn.spoiled)
    for seat, (order_id_hex, round_, log_length) in state["in_force"].items():
        record = find.orders(bytes.fromhex(order_id_hex))
        if record.content.seat != seat:
            raise RecordError("key", f"orders {order_id_hex[:6]} are not from seat {seat}")
        sealed, log = maker.open(record.content), maker.table.log
        lines = read_lines(sealed.texts)
        orders = resumed_orders(maker.orders_table, seat, round_, lines, log, log_length)
        orders = maker.cards.order_set(orders)
        maker.in_force[seat] = OpenedOrders(record, sealed, orders, log_length)
    return maker
