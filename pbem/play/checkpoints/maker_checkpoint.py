"""Save what the turn maker knows after a turn as plain data, and continue from it.

The data contains all secrets of the game, so it must be stored only in the referee's home. See
reader_checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.resumed_orders import resumed_orders
from pbem.format.errors import RecordError
from pbem.play.checking.game_folder import GameFolder
from pbem.play.checkpoints.reader_checkpoint import (
    Plain,
    absence_from,
    entries_of,
    notices_from,
    plain_absence,
    plain_log,
    plain_notices,
    plain_standing,
    standing_from,
)
from pbem.play.deputy.referee_secrets import RefereeSecrets
from pbem.play.making.progress import Progress
from pbem.play.making.turn_maker import OpenedOrders, TurnMaker
from pbem.play.orders.check_lines import read_lines
from pbem.play.orders.in_force import FindOrders
from pbem.play.seats.listed_notices import FindNotice, again, nowhere
from pbem.records.charter_join_orders import Join, Orders
from pbem.records.read_record import Record
from pbem.records.turn import OpenCard


def checkpoint_of_progress(progress: Progress) -> Plain:
    """Return what `advance` knows after a turn that it made, as plain data."""
    return {
        "heads": [head.hex() for head in progress.heads],
        "listed": sorted(ident.hex() for ident in progress.listed),
        "maker": checkpoint_of_maker(progress.maker),
    }


def resume_progress(game_folder: GameFolder, secrets: RefereeSecrets, state: Plain) -> Progress:
    """Return the progress that the checkpoint saved: the turn maker and what `advance` keeps.

    Raises what `reader_checkpoint.resume` raises.
    """
    first = next(game_folder.turns()).content
    maker = TurnMaker(game_folder.charter, game_folder.joins_of(first), secrets)
    find = game_folder.find_orders(lambda _, key: key in _keys(maker))
    notice = game_folder.find_notice
    resume_maker(maker, state["maker"], find, notice, game_folder.joins())
    heads = [bytes.fromhex(head) for head in state["heads"]]
    if heads[-1] != maker.head or len(heads) != maker.turn + 1:
        raise ValueError("the heads are not those of this turn")
    last = game_folder.turn(game_folder.listing.turns[maker.turn - 1]).content
    progress = Progress(maker, heads, last, set(map(bytes.fromhex, state["listed"])))
    progress.note_files(game_folder.listing)
    return progress


def _keys(maker: TurnMaker) -> set[bytes]:
    """Return the keys that may sign orders now."""
    return {join.key for join in maker.standing.roster.values()}


def checkpoint_of_maker(maker: TurnMaker) -> Plain:
    """Return what the maker knows after a turn that it made, as plain data."""
    in_force = {held.record.id for held in maker.in_force.values()}
    return {
        "turn": maker.turn,
        "head": maker.head.hex(),
        "in_force": {
            seat: [held.record.id.hex(), held.lines.round, held.since]
            for seat, held in maker.in_force.items()
        },
        "opened": sorted([o.hex(), slot] for o, slot in maker.opened_lines if o in in_force),
        "placed": [
            [*tag, card.handle.hex(), card.card, card.salt.hex()]
            for tag, card in maker.placed.items()
        ],
        "absence": plain_absence(maker.absence),
        "asked_by": maker.asked_by,
        "notices": plain_notices(maker.standing),
        "removed": dict(maker.standing.removed),
        "standing": plain_standing(maker.standing),
        "time": maker.standing.now,
        "log": plain_log(maker.table.log),
    }


def resume_maker(
    maker: TurnMaker,
    state: Plain,
    find: FindOrders,
    find_notice: FindNotice = nowhere,
    joins: Mapping[bytes, Record[Join]] | None = None,
) -> TurnMaker:
    """Bring a new maker to the state at the checkpoint; returns it.

    Raises what `reader_checkpoint.resume` raises; do not use the maker after that.
    """
    for entry in entries_of(state["log"]):
        maker.table.push(entry)
    maker.turn, maker.head = state["turn"], bytes.fromhex(state["head"])
    maker.asked_by = state["asked_by"]
    start = replace(maker.standing, joins=joins or {}, now=state["time"])
    maker.standing = again(start, notices_from(state), find_notice)
    maker.take_keys()
    maker.absence = maker.absence_now = replace(
        absence_from(maker.absence, state["absence"]), gone=maker.standing.away
    )
    maker.opened_lines = {(bytes.fromhex(order), slot) for order, slot in state["opened"]}
    for entry, bracket, handle, card, salt in state["placed"]:
        maker.placed[entry, bracket] = OpenCard(bytes.fromhex(handle), card, bytes.fromhex(salt))
    maker.used_handles = {card.handle for card in maker.placed.values()}
    for seat, (ident, round_, since) in state["in_force"].items():
        maker.in_force[seat] = _opened(maker, seat, find(bytes.fromhex(ident)), round_, since)
    maker.remove(standing_from(maker.standing.without(state["removed"]), state["standing"]))
    return maker


def _opened(
    maker: TurnMaker, seat: str, record: Record[Orders], round_: int, since: int
) -> OpenedOrders:
    if record.content.seat != seat:
        raise RecordError("key", f"orders {record.id.hex()[:6]} are not from seat {seat}")
    sealed = maker.open(record.content)
    table, lines = maker.table, read_lines(sealed.texts)
    orders = resumed_orders(table.full, seat, round_, lines, table.log, since)
    return OpenedOrders(record, sealed, orders, since)
