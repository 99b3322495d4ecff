"""The checks of a co-dealer before it deals, from the memory of its home: the turns that it has
answered, and the times at which turns and records of seats came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from typing import Any, NamedTuple

from pbem.files.file_errors import FileError
from pbem.files.game_folder import RecordFile
from pbem.files.record_file_names import parse_name, turn_path
from pbem.files.signed_and_seen import RecordArrival
from pbem.format.record_error import RecordError
from pbem.judge.deputy_and_co_dealer_keys_in_charter import co_dealer_line_in_charter
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.record_chain import Chain
from pbem.judge.which_notices_count import why_not
from pbem.judge.why_co_dealer_waits_or_refuses import (
    SeatRecord,
    earliest_time_to_deal,
    earliest_time_to_open,
    left_out_record,
    seats_without_proof,
)
from pbem.person.user_game import UserGame
from pbem.records.read_and_sign_record import KnownKey, Record
from pbem.records.record_count_and_size_limits import MAX_NOTICES, MAX_READ_ORDER_SETS
from pbem.records.twelve_words import parse_words
from pbem.terminal.clean_text import clean
from pbem.text.dates import utc_date
from pbem.text.terminal_and_page_wording import TerminalText

# ---- What came, and when


def note_arrivals(game: UserGame, chain: Chain, now: int) -> None:
    """Note when this machine first saw the turns since its last deal, and the records of seats
    that no turn lists yet. `chain` has all turns that are here. Raises StorageError, FileError."""
    turns = [turn_path(number) for number in range(_dealt_turn(game, chain) + 1, chain.turn + 1)]
    game.game_home.turn_arrivals.note_arrivals(turns, now)
    rows = (
        RecordArrival(file_name(record).path, record.id.hex(), record.signed.key.hex(), now)
        for record in _new_records(game, chain, now)
    )
    game.game_home.record_arrivals.note(rows, _listed_ids(chain), now)


def time_to_deal(game: UserGame, chain: Chain) -> int:
    """Return the time from which the co-dealer may deal for the last turn (see
    `earliest_time_to_deal`); its arrivals were noted before."""
    times = game.game_home.turn_arrivals.times()
    turns = [record.content for record in game.game_folder.turns(_dealt_turn(game, chain))]
    return earliest_time_to_deal(turns, {turn.turn: times[turn_path(turn.turn)] for turn in turns})


def _dealt_turn(game: UserGame, chain: Chain) -> int:
    """Return the turn after which the last deal was written; without one, the turn before the
    last."""
    last_head = game.game_home.answered_heads.last_head()
    return last_head.dealt_turn if last_head and last_head.deal_id else max(chain.turn - 1, 0)


def _listed_ids(chain: Chain) -> set[str]:
    return {listed_id.hex() for listed_id in (*chain.listed_orders, *chain.listed_notices)}


def _new_records(game: UserGame, chain: Chain, now: int) -> Iterator[Record[Any]]:
    """Yield the orders and notices of seats here that may still count in the next turn. The seats
    that the referee plays are left out."""
    if not chain.turn or chain.is_over:
        return
    game_folder, heads = game.game_folder, dict(enumerate(chain.heads))
    listed_ids = _listed_ids(chain)
    standing = chain.standing_at(now, game_folder.joins())
    first_turn = min([chain.asking_turn, *(act.turn for act in standing.announced_acts)])
    known_paths = {row.path for row in game.game_home.record_arrivals.read().here}
    joins = {s: join for s, join in standing.roster.items() if s not in chain.charter.plays}
    keys = {seat: join.key for seat, join in joins.items()}
    older_paths = {f.path for f in game.listing.orders if f.name.turn < first_turn}
    records: list[Record[Any]] = [
        *game_folder.newest_orders(keys, known_paths | older_paths, MAX_READ_ORDER_SETS)
    ]
    counts = Counter(
        (name.turn, name.seat, bytes.fromhex(row.key))
        for row in game.game_home.record_arrivals.unlisted(listed_ids)
        if (name := parse_name(row.path)) and name.kind == "notice"
    )
    for file in game.listing.notices:
        turn, seat = file.name.turn, file.name.seat
        if seat not in joins or turn < first_turn or file.path in known_paths:
            continue

        def has_room(_kind: str, key: bytes, turn: int = turn, seat: str = seat) -> bool:
            return counts[turn, seat, key] < MAX_NOTICES

        with suppress(FileError):
            record = game_folder.notice(file, has_room)
            counts[turn, seat, record.signed.key] += record.id.hex() not in listed_ids
            if not why_not(standing, record, chain.heads):
                records.append(record)
    for record in records:
        is_on_chain = heads.get(record.content.turn) == record.content.prev
        if is_on_chain and record.id.hex() not in listed_ids:
            yield record


# ---- What a co-dealer refuses


def check_own_line(game: UserGame, number: int) -> None:
    """Check that the charter repeats the last line that this co-dealer gave to a referee, if one
    was printed with this home: an older line may name a former deputy. Raises RecordError `key`,
    StorageError."""
    dealer = game.charter.dealers[number]
    line = game.home.co_dealer_line(dealer.key)
    if line and line != co_dealer_line_in_charter(dealer).line():
        sentence = TerminalText(
            "the co-dealer's line in game.toml is not the one that you printed here last. It may "
            "be an old line with another deputy, who would get your secret. So this co-dealer "
            "does not deal. [[If the line in game.toml is right, print it again: pbem keys "
            "co-dealer, with --deputy LINE if the line names a deputy. If it is wrong, "
            "ask||Ask]] the referee to make the game again with your last line"
        )
        raise RecordError("key", sentence.format())


def check_answered(game: UserGame, chain: Chain) -> None:
    """Check that a chain follows the last turn for which this co-dealer has dealt or a person has
    compared the words. Raises FileError `fork` if it does not, RecordError `state` if this machine
    knows no such turn, StorageError."""
    memory = game.game_home.answered_heads
    if chain.turn and memory.last_head() is None:
        sentence = TerminalText(
            "this computer has not dealt in this game yet, but the co-dealer's key may have dealt "
            "elsewhere, for another copy of the game. Ask two players, or whoever ran this "
            "co-dealer before, for the twelve words of turn {turn}[[, and type them: pbem advance "
            '--compared "WORDS"]]'
        ).format(turn=chain.turn)
        raise RecordError("state", sentence)
    memory.check([head.hex() for head in chain.heads])


def note_compared_words(game: UserGame, chain: Chain, spoken: str) -> None:
    """Note that somebody else has read out these twelve words of the last turn. Raises RecordError:
    `grammar` for other words, `fork` if they belong to another turn; FileError `fork`,
    StorageError."""
    if not chain.head.startswith(parse_words(spoken)):
        sentence = (
            f"these are not the words of turn {chain.turn} in this folder. If the others are at "
            "the same turn, this is another copy of the game: do not deal for it, and tell all "
            "players"
        )
        raise RecordError("fork", sentence)
    game.game_home.answered_heads.note_compared([head.hex() for head in chain.heads])


def is_compared(game: UserGame, turn: int) -> bool:
    """Return whether a person has compared the words of this turn, the last one, on this machine.
    Raises StorageError."""
    last_head = game.game_home.answered_heads.last_head()
    return last_head is not None and last_head.is_compared and last_head.turn == turn


def check_nothing_left_out(game: UserGame, chain: Chain) -> None:
    """Check that no turn since the last deal takes something from a seat against a record of it
    that was here in time (see `left_out_record`). Raises RecordError `state`, FileError,
    StorageError."""
    unlisted = game.game_home.record_arrivals.unlisted(_listed_ids(chain))
    if not unlisted:
        return
    game_folder, dealt_turn = game.game_folder, _dealt_turn(game, chain)
    files, records = {file.path: file for file in game.listing.notices}, list[SeatRecord]()
    for row in unlisted:
        if name := parse_name(row.path):
            notice = None
            with suppress(FileError, KeyError):  # KeyError: it is orders, or its file is gone
                notice = game_folder.notice(files[row.path])
            is_same = notice is not None and notice.id.hex() == row.id
            key = bytes.fromhex(row.key)
            records.append(SeatRecord(name, key, row.seen_at, notice if is_same else None))
    finder = game_folder.finder()
    # each of these turns is judged by the chain before it, and `chain` ends after the last turn
    replayed = Chain(game_folder.charter)
    for turn in game_folder.turns():
        previous_chain = copy(replayed)
        replayed.follow(turn, finder)
        if turn.content.turn <= dealt_turn:
            continue
        record = left_out_record(previous_chain, turn.content, replayed.standing, records)
        if record:
            seat = record.name.seat
            sentence = TerminalText(
                "turn {turn} leaves out {path}, which {name} (seat {seat}) signed. The file was "
                "here in time, at {moment}. So this co-dealer does not deal. Ask {name} "
                "whether to deal anyway[[; if {name} agrees: pbem advance --go-on]]"
            ).format(
                turn=turn.content.turn,
                path=record.name.path,
                name=clean(previous_chain.standing.roster[seat].name),
                seat=seat,
                moment=utc_date(record.seen_at),
            )
            raise RecordError("state", sentence)


def check_no_other_head(game: UserGame, chain: Chain) -> None:
    """Check that no record of a seat here follows another turn than those of the chain. Raises
    RecordError `state` if one does."""
    game_folder, heads = game.game_folder, dict(enumerate(chain.heads))
    seats_by_key = chain.standing.seats_of_keys()
    readers: dict[str, Callable[[RecordFile, KnownKey], Record[Any]]] = {
        "orders": game_folder.orders,
        "notice": game_folder.notice,
        "press": game_folder.press,
    }

    def is_seats_key(_kind: str, key: bytes) -> bool:
        return key in seats_by_key

    for file in (*game.listing.orders, *game.listing.notices, *game.listing.press):
        seat = file.name.seat
        try:
            record = readers[file.name.kind](file, is_seats_key)
        except FileError:
            continue
        turn, prev = record.content.turn, record.content.prev
        if prev in (heads.get(turn), heads.get(chain.charter.turn_built_on(seat, turn))):
            continue
        name = clean(game.name_of(seats_by_key[record.signed.key]))
        sentence = TerminalText(
            "{name} signed {path} after a turn that is not in this folder. Somebody may have ended "
            "a private copy of the game, so this co-dealer does not publish its secret. "
            "Ask {name} for the twelve words of turn {turn}[[, and type them: pbem advance "
            '--compared "WORDS"]]'
        ).format(name=name, path=file.path, turn=chain.turn)
        raise RecordError("state", sentence)


# ---- After the game


class SecretWait(NamedTuple):
    """The time for which a co-dealer keeps its secret after the game."""

    seen_at: int
    """The time at which this machine first saw the end of the game."""
    ends_at: int
    missing_seats: tuple[str, ...] = ()
    """The seats whose players did not show that they know this end (see `seats_without_proof`)."""


def secret_wait(game: UserGame, now: int) -> SecretWait | None:
    """Return the time for which this co-dealer still keeps its secret, in a game that is over; None
    if it need not, or if a person has compared the words of the last turn."""
    game_folder = game.game_folder
    turns = [record.content for record in game_folder.turns()]
    last_turn = turns[-1].turn
    if is_compared(game, last_turn):
        return None
    seen_at = game.game_home.turn_arrivals.times().get(turn_path(last_turn), now)
    missing_seats = seats_without_proof(turns, game_folder.standing, game_folder.finder())
    ends_at = earliest_time_to_open(game.charter, turns, seen_at, missing_seats)
    return SecretWait(seen_at, ends_at, missing_seats) if ends_at > now else None
