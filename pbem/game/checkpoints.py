"""Checkpoints: what a reader or the turn maker knows after a turn, as data for a cache."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from engine import PUBLIC, Entry, Table
from engine.table import resumed_orders
from pbem.format.canonical import RecordError
from pbem.game.archive import Archive
from pbem.game.chain import Chain, Finder
from pbem.game.deputy import RefereeSecrets
from pbem.game.lines import HandleOrigin, OrdersInForce, read_lines
from pbem.game.notices import after_notice
from pbem.game.rules import game_of
from pbem.game.standing import Standing, Wait
from pbem.game.turn_checker import ChanceChecker, SeatReader, TableReader
from pbem.game.turn_maker import OpenedOrders, Progress, TurnMaker
from pbem.records.deck import Pile, Position
from pbem.records.sealed_orders import OrderPlace, handles_in
from pbem.records.turn import OpenCard, OpenLine, Refusal, Turn

Plain = dict[str, Any]
AnyReader = TypeVar("AnyReader", bound=TableReader)


def checkpoint_of(reader: TableReader) -> Plain:
    """Return what the reader knows, as data that fits into JSON. Raises RecordError `state`.

    The tables are replayed from the log, and the orders that count are read from their files again,
    with all checks. Whoever stores it must see to it that the game's files have not changed since.
    """
    in_force = {force.record.id for force in reader.in_force.values()}
    origins = list[list[Any]]()
    for tag, source in reader.handle_origins.items():
        place = source.place
        where = [place.turn, place.seat, place.revision] if place else None
        origins.append([*tag, source.handle.hex(), where, source.slot, source.bracket])
    state: Plain = {
        "chain": plain_chain(reader.chain),
        "log": [list(entry) for entry in reader.log],
        "in_force": {
            seat: [force.record.id.hex(), force.round] for seat, force in reader.in_force.items()
        },
        "own": {seat: ident.hex() for seat, ident in reader.own.items()},
        "opened": [
            [line.order.hex(), line.slot, line.text, line.salt.hex()]
            for order, lines in reader.opened.items()
            for line in lines.values()
            if order in in_force
        ],
        "spent": sorted([o.hex(), slot] for o, slot in reader.spent_lines if o in in_force),
        "origins": origins,
        "chance": _chance(reader.chance),
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
    named = state["chain"]["joins"].items()
    reader.take_joins({seat: bytes.fromhex(ident) for seat, ident in named}, find.joins())
    resume_chain(reader.chain, state["chain"], last, find)
    reader.own = {seat: bytes.fromhex(ident) for seat, ident in state["own"].items()}
    _resume_orders(reader, state, find)
    _resume_origins(reader, state["origins"])
    _resume_chance(reader.chance, state["chance"])
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


# ---- the chain


def plain_chain(chain: Chain) -> Plain:
    """Return a chain as plain data, but for its last turn, the joins and the notices."""
    standing, absence = chain.standing, chain.absence
    return {
        "heads": [head.hex() for head in chain.heads],
        "times": chain.times,
        "ends": chain.ends,
        "asked_by": chain.asked_by,
        "round": chain.round,
        "joins": {seat: ident.hex() for seat, ident in chain.join_ids.items()},
        "listed": sorted(ident.hex() for ident in chain.listed_orders),
        "notices": [[one.turn, one.id.hex()] for one in standing.listed],
        "absence": {"missed": dict(absence.missed), "rounds": dict(absence.rounds)},
        "removed": dict(standing.removed),
        "standing": plain_standing(standing),
    }


def resume_chain(chain: Chain, state: Plain, last: Turn, find: Finder) -> None:
    """Bring a chain whose players were seated to this state, after the turn `last`. Raises what
    `resume` raises."""
    for field in ("times", "ends", "asked_by", "round"):
        setattr(chain, field, state[field])
    chain.heads = [bytes.fromhex(head) for head in state["heads"]]
    if len(chain.heads) != last.turn + 1 or last.prev != chain.heads[-2]:
        raise ValueError("the heads are not those of this turn")
    chain.last, chain.listed_orders = last, set(map(bytes.fromhex, state["listed"]))
    listed = [(turn, bytes.fromhex(ident)) for turn, ident in state["notices"]]
    chain.listed_notices = {ident for _, ident in listed}
    standing = replace(chain.standing, joins=find.joins(), now=chain.time)
    for turn, ident in listed:
        standing = after_notice(standing, find.notice(ident), turn)
    chain.standing = standing_from(standing.without(state["removed"]), state["standing"])
    missed, rounds = (dict(state["absence"][name]) for name in ("missed", "rounds"))
    away = chain.standing.away
    chain.absence = replace(chain.absence, missed=missed, rounds=rounds, gone=away)


def plain_standing(standing: Standing) -> Plain:
    """Return as plain data what follows from more than the listed notices."""
    return {
        "votes": dict(standing.votes),
        "voted": dict(standing.voted),
        "vouched": [[*who, *map(bytes.hex, pair)] for who, pair in standing.vouched.items()],
        "wanted": {seat: list(wish) for seat, wish in standing.calendar.wanted.items()},
        "proposed": dict(standing.calendar.proposed),
        "clocks": dict(standing.calendar.clocks),
        "waits": [
            {**wait._asdict(), "id": wait.id.hex(), "keys": [*map(bytes.hex, wait.keys)]}
            for wait in standing.waits
        ],
        "ended": [standing.ended, *standing.ended_by],
        "idle": sorted(standing.idle),
        "disputed": sorted(standing.disputed),
        "present_then": sorted(standing.present_then),
        "counts": [dict(standing.answered), dict(standing.pressed), dict(standing.rekeyed)],
        "round": standing.round,
    }


def standing_from(listed: Standing, state: Plain) -> Standing:
    """Read what `plain_standing` wrote; `listed` is the standing that follows from the notices."""
    answered, pressed, rekeyed = state["counts"]
    wanted = {seat: (phase, rule) for seat, (phase, rule) in state["wanted"].items()}
    calendar = replace(listed.calendar, wanted=wanted, proposed=state["proposed"])
    calendar = replace(calendar, clocks=state["clocks"])
    ended, *ended_by = state["ended"]
    waits = tuple(
        Wait(**wait | {
            "id": bytes.fromhex(wait["id"]), "keys": tuple(map(bytes.fromhex, wait["keys"])),
            "cancels": tuple(wait["cancels"]), "by": tuple(wait["by"]),
        })
        for wait in state["waits"]
    )  # fmt: skip
    return replace(
        listed,
        votes=state["votes"],
        voted=state["voted"],
        vouched={
            (voucher, seat): (bytes.fromhex(key), bytes.fromhex(x25519))
            for voucher, seat, key, x25519 in state["vouched"]
        },
        calendar=calendar,
        waits=waits,
        ended=ended,
        ended_by=tuple(ended_by),
        idle=frozenset(state["idle"]),
        shown=frozenset(),
        disputed=frozenset(state["disputed"]),
        present_then=frozenset(state["present_then"]),
        answered=answered,
        pressed=pressed,
        rekeyed=rekeyed,
        round=state["round"],
    )


def _at(position: Position) -> list[Any]:
    return [position.deck, position.epoch, position.k]


def _chance(chance: ChanceChecker) -> Plain:
    return {
        "link": chance.link.hex(),
        "commitments": [[*_at(at), made.hex()] for at, made in chance.commitments.items()],
        "hands": {seat: sorted(map(_at, hand)) for seat, hand in chance.hands.items()},
        "piles": {
            deck: [pile.epoch, pile.entered, [_at(at) for at in pile.left]]
            for deck, pile in chance.piles.items()
        },
    }


def _resume_orders(reader: TableReader, state: Plain, find: Finder) -> None:
    for seat, (ident, round_) in state["in_force"].items():
        record = reader.signed(bytes.fromhex(ident), find)
        if record.content.seat != seat:
            raise RecordError("key", f"orders {ident[:6]} are not from seat {seat}")
        reader.in_force[seat] = OrdersInForce(record, round_)
    for order, slot, text, salt in state["opened"]:
        line = OpenLine(bytes.fromhex(order), slot, text, bytes.fromhex(salt))
        reader.opened.setdefault(line.order, {})[slot] = line
        reader.line_handles.update(handles_in(text))
    reader.spent_lines = {(bytes.fromhex(order), slot) for order, slot in state["spent"]}


def _resume_origins(reader: TableReader, origins: list[Any]) -> None:
    for entry, at, handle, where, slot, bracket in origins:
        place = OrderPlace(reader.game, *where) if where else None
        source = HandleOrigin(bytes.fromhex(handle), place, slot, bracket)
        reader.handle_origins[entry, at] = source
        reader.used_handles.add(source.handle)


def _resume_chance(chance: ChanceChecker, state: Plain) -> None:
    chance.link = bytes.fromhex(state["link"])
    chance.commitments = {Position(*at): bytes.fromhex(made) for *at, made in state["commitments"]}
    chance.hands = {seat: {Position(*at) for at in hand} for seat, hand in state["hands"].items()}
    for deck, (epoch, entered, left) in state["piles"].items():
        pile = chance.piles[deck] = Pile(deck)
        pile.epoch, pile.entered, pile.left = epoch, entered, [Position(*at) for at in left]


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
        "opened": sorted([o.hex(), slot] for o, slot in maker.opened_lines if o in in_force),
        "placed": [
            [*tag, card.handle.hex(), card.card, card.salt.hex()]
            for tag, card in maker.placed.items()
        ],
    }


def resume_maker(maker: TurnMaker, state: Plain, last: Turn, find: Finder) -> TurnMaker:
    """Bring a new maker to the state at the checkpoint, after the turn `last`; returns it. Raises
    what `resume` raises."""
    for logged in state["log"]:
        maker.table.push(Entry(*logged))
    resume_chain(maker.chain, state["chain"], last, find)
    maker.absence_now = maker.chain.absence
    maker.take_keys()
    maker.opened_lines = {(bytes.fromhex(order), slot) for order, slot in state["opened"]}
    for entry, bracket, handle, card, salt in state["placed"]:
        maker.placed[entry, bracket] = OpenCard(bytes.fromhex(handle), card, bytes.fromhex(salt))
    maker.used_handles = {card.handle for card in maker.placed.values()}
    for seat, (ident, round_, since) in state["in_force"].items():
        record = find.orders(bytes.fromhex(ident))
        if record.content.seat != seat:
            raise RecordError("key", f"orders {ident[:6]} are not from seat {seat}")
        sealed, table = maker.open(record.content), maker.table
        lines = read_lines(sealed.texts)
        orders = resumed_orders(table.full, seat, round_, lines, table.log, since)
        maker.in_force[seat] = OpenedOrders(record, sealed, orders, since)
    return maker
