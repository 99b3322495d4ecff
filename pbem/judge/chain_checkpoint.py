"""Checkpoints of a chain: what the records alone tell of a game, as data for a cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from pbem.errors import PbemError
from pbem.files.folder import Listing
from pbem.files.home import Cache
from pbem.judge.archive import Archive, are_unchanged, files_of
from pbem.judge.chain import Chain, Finder
from pbem.judge.notices import after_notice
from pbem.judge.order_fates import ListedSet
from pbem.judge.standing import Wait
from pbem.records.turn import Turn

Plain = dict[str, Any]

_CHAIN_FIELDS: Final = ("heads", "times", "ends", "asked_by", "round", "join_ids", "listed_orders")
_STANDING_FIELDS: Final = (
    "votes", "voted", "vouched", "waits", "ended", "ended_by", "idle", "disputed", "present_then",
    "answered", "pressed", "rekeyed", "round",
)  # fmt: skip
"""What follows from more than the listed notices."""
_CALENDAR_FIELDS: Final = ("wanted", "proposed", "clocks")


def plain_chain(chain: Chain) -> Plain:
    """Return a chain as plain data, without its last turn, its joins and the texts of its notices:
    those are read from the folder again."""
    standing, absence = chain.standing, chain.absence
    fields = {name: getattr(chain, name) for name in _CHAIN_FIELDS} | {
        "notices": [(one.turn, one.id, one.fields) for one in standing.listed],
        "absence": {"missed": absence.missed, "rounds": absence.rounds},
        "removed": standing.removed,
        "standing": {name: getattr(standing, name) for name in _STANDING_FIELDS},
        "calendar": {name: getattr(standing.calendar, name) for name in _CALENDAR_FIELDS},
    }
    return {name: plain(value) for name, value in fields.items()}


def resume_chain(chain: Chain, state: Plain, last: Turn, find: Finder) -> None:
    """Bring a chain whose players were seated to this state, after the turn `last`. Raises what
    `resume` raises."""
    found = {name: from_plain(value) for name, value in state.items()}
    chain.heads, chain.times, chain.ends = (list(found[n]) for n in ("heads", "times", "ends"))
    chain.asked_by, chain.round = found["asked_by"], found["round"]
    if len(chain.heads) != last.turn + 1 or last.prev != chain.heads[-2]:
        raise ValueError("the heads are not those of this turn")
    chain.last = last
    rows = found["listed_orders"].items()
    chain.listed_orders = {ident: ListedSet(*row) for ident, row in rows}
    chain.listed_notices = {ident for _, ident, _ in found["notices"]}
    standing = replace(chain.standing, joins=find.joins(), now=chain.time)
    for turn, ident, fields in found["notices"]:
        standing = after_notice(standing, find.notice(ident), turn)
        *others, applied = standing.listed  # the fields follow from more than the notices
        standing = replace(standing, listed=(*others, applied._replace(fields=fields)))
    more = found["standing"] | {"waits": tuple(Wait(*one) for one in found["standing"]["waits"])}
    calendar = replace(standing.calendar, **found["calendar"])
    standing = standing.without(found["removed"])
    chain.standing = replace(standing, calendar=calendar, shown=frozenset(), **more)
    chain.absence = replace(chain.absence, gone=chain.standing.away, **found["absence"])


def plain(value: Any) -> Any:
    """Return a value as data that fits into JSON, with tags for bytes, sets and tables; a tuple is
    as a list."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, set | frozenset):
        return {"set": [plain(one) for one in sorted(value)]}
    if isinstance(value, Mapping):
        return {"table": [[plain(key), plain(one)] for key, one in value.items()]}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def from_plain(value: Any) -> Any:
    """Read what `plain` returned; each list is a tuple."""
    match value:
        case {"bytes": text}:
            return bytes.fromhex(text)
        case {"set": items}:
            return frozenset(map(from_plain, items))
        case {"table": rows}:
            return {from_plain(key): from_plain(one) for key, one in rows}
        case list():
            return tuple(map(from_plain, value))
    return value


# ---- kept in a cache


def keep_chain(cache: Cache, chain: Chain, listing: Listing) -> None:
    """Keep what the chain knows after its last turn, for `kept_chain`."""
    if (charter := listing.charter) is None or not chain.turn or chain.lacks:
        return
    files = {path: list(mark) for path, mark in files_of(chain, listing).items()}
    cache.store(charter.path, charter.mark, {"files": files, "chain": plain_chain(chain)})
    cache.save()


def kept_chain(cache: Cache, archive: Archive) -> Chain | None:
    """Return the chain as it was kept; None if there is none, or one of its files has changed."""
    charter = archive.listing.charter
    kept = cache.get(charter.path, charter.mark) if charter else None
    if not isinstance(kept, dict):
        return None
    chain, find = Chain(archive.charter), archive.finder()
    try:
        if not are_unchanged(kept["files"], archive.listing):
            return None
        state = kept["chain"]
        last = archive.turn(archive.listing.turns[len(state["times"]) - 1])
        chain.seat_players(from_plain(state["join_ids"]), find.joins())
        resume_chain(chain, state, last.content, find)
    except (PbemError, KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None  # the turns tell it again
    return chain
