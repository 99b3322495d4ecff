"""Checkpoints of a chain, as data for a cache."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pbem.errors import PbemError
from pbem.files.caches_in_home import Cache
from pbem.files.game_folder import Listing
from pbem.judge.order_fates import ListedSet
from pbem.judge.record_chain import Chain, Finder
from pbem.judge.records_of_game_folder import Archive, are_unchanged, files_of
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct
from pbem.judge.tagged_json_data import PlainData, from_data, to_data
from pbem.judge.which_notices_count import after_notice
from pbem.records.turn import Turn

_CHAIN_FIELDS: Final = (
    "heads", "times", "log_lengths", "asking_turn", "round", "join_ids", "listed_orders",
    "listed_deals",
)  # fmt: skip
_STANDING_FIELDS: Final = (
    "votes", "vote_turns", "vouched", "announced_acts", "ended", "ended_by", "idle", "disputed",
    "present_then", "answer_times", "forced_turns_by_writer", "key_changes", "round",
    "owed_since",
)  # fmt: skip
"""The fields that do not follow from the listed notices alone."""
_CALENDAR_FIELDS: Final = ("proposals", "proposal_turns", "clocks")


def chain_to_data(chain: Chain) -> PlainData:
    """Return a chain as plain data. `resume_chain` reads its last turn, joins and notices from the
    folder again."""
    standing, absence = chain.standing, chain.absence
    fields = {name: getattr(chain, name) for name in _CHAIN_FIELDS} | {
        "notices": [(n.turn, n.id, n.fields) for n in standing.applied_notices],
        "absence": {
            "missed_turns": absence.missed_turns,
            "last_silent_rounds": absence.last_silent_rounds,
        },
        "removed": standing.removal_turns,
        "standing": {name: getattr(standing, name) for name in _STANDING_FIELDS},
        "calendar": {name: getattr(standing.calendar, name) for name in _CALENDAR_FIELDS},
    }
    return {name: to_data(value) for name, value in fields.items()}


def resume_chain(chain: Chain, state: PlainData, last_turn: Turn, find: Finder) -> None:
    """Restore the state of a chain after `last_turn` from the data of `chain_to_data`; its players
    must be seated. Raises RecordError for a missing notice, and KeyError, TypeError or ValueError
    for other data."""
    restored = {name: from_data(value) for name, value in state.items()}
    chain.heads, chain.times = list(restored["heads"]), list(restored["times"])
    chain.log_lengths = list(restored["log_lengths"])
    chain.asking_turn, chain.round = restored["asking_turn"], restored["round"]
    if len(chain.heads) != last_turn.turn + 1 or last_turn.prev != chain.heads[-2]:
        raise ValueError("the heads are not those of this turn")
    chain.last_turn = last_turn
    order_rows = restored["listed_orders"].items()
    chain.listed_orders = {order_id: ListedSet(*row) for order_id, row in order_rows}
    chain.listed_notices = {notice_id for _, notice_id, _ in restored["notices"]}
    chain.listed_deals = set(restored["listed_deals"])
    # the listed notices are applied again, without a check; what does not follow from them alone
    # comes from the data
    standing = replace(chain.standing, joins=find.joins(), now=chain.time)
    for turn, notice_id, fields in restored["notices"]:
        standing = after_notice(standing, find.notice(notice_id), turn)
        *other_notices, applied = standing.applied_notices
        applied = applied._replace(fields=fields)  # they follow from more than the notices
        standing = replace(standing, applied_notices=(*other_notices, applied))
    standing_fields = restored["standing"]
    act_rows = standing_fields["announced_acts"]
    standing_fields["announced_acts"] = tuple(AnnouncedAct(*row) for row in act_rows)
    calendar = replace(standing.calendar, **restored["calendar"])
    standing = standing.with_removed_seats(restored["removed"])
    standing = replace(standing, calendar=calendar, seats_shown_now=frozenset())
    chain.standing = replace(standing, **standing_fields)
    chain.absence = replace(
        chain.absence, declared_reasons=chain.standing.absence_reasons, **restored["absence"]
    )


# ---- a chain in a cache


def cache_chain(cache: Cache, chain: Chain, listing: Listing) -> None:
    """Store the state of the chain after its last turn, for `find_cached_chain`, with the marks of
    the files that it was made from. A chain that lacks a record is not stored."""
    if not chain.turn or chain.missing_record:
        return
    files = {path: list(mark) for path, mark in files_of(chain, listing).items()}
    cache.save({"files": files, "chain": chain_to_data(chain)})


def find_cached_chain(cache: Cache, archive: Archive) -> Chain | None:
    """Return the chain that `cache_chain` stored; None if there is none, or if a file that it was
    made from has changed. Files of later turns may have come since."""
    cache_entry = cache.load()
    if not isinstance(cache_entry, dict):
        return None
    chain, find = Chain(archive.charter), archive.finder()
    try:
        if not are_unchanged(cache_entry["files"], archive.listing):
            return None
        state = cache_entry["chain"]
        # it has one time for each turn that it was made from
        last_turn = archive.turn(archive.listing.turns[len(state["times"]) - 1])
        chain.seat_players(from_data(state["join_ids"]), find.joins())
        resume_chain(chain, state, last_turn.content, find)
    except (PbemError, KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None  # the caller reads the turns again
    return chain
