"""Joins in words: who has joined each seat, which seats are contested, which joins may count."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from pbem.judge.read_and_check_record_file import file_name
from pbem.person.own_and_pending_joins import (
    invited_joins,
    is_in_folder,
    may_still_count,
    own_joins,
)
from pbem.person.user_game import UserGame
from pbem.records.charter import Charter
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record
from pbem.records.twelve_words import words_of
from pbem.terminal.clean_text import clean
from pbem.text.terminal_and_page_wording import TerminalText, join_texts

MAX_JOINS: Final = 4
"""The number of joins of one seat that are named."""
MAX_DOUBTS: Final = 8
"""The number of ignored joins that are named one by one."""


def join_words_line(record: Record[Join]) -> str:
    """Return the six digits and the twelve words of a join: by phone, only the words prove that two
    people mean the same join."""
    template = TerminalText("[[join {digits}  ||the twelve words: ]]{words}")
    return template.format(digits=record.id.hex()[:6], words=" ".join(words_of(record.id)))


# ---- A game that has not begun: who has joined each seat

_EMPTY: Final = "empty"
_REFEREE_PLAYS: Final = "the referee plays it"
_BY_MAIL: Final = "answers by plain email; the referee has the key and signs the orders"
_JOINED: Final = TerminalText("joined by {people} with the invite")
_JOINED_SEVERAL_TIMES: Final = TerminalText(
    "joined by {people}; if this is more than one person, the referee decides who has the seat"
)
_JOINED_OFTEN: Final = TerminalText(
    "joined by {people} and {more} more; if this is more than one person, the referee decides "
    "who has the seat"
)


def describe_seat(
    charter: Charter, seat: str, joins: Sequence[Record[Join]], user_keys: Collection[bytes]
) -> str:
    """Say who has joined a seat of a game that has not begun."""
    if not joins:
        return _REFEREE_PLAYS if seat in charter.plays else _EMPTY
    if seat in charter.by_mail:
        return _BY_MAIL
    people = join_texts(", ", (_joiner(record, user_keys) for record in joins[:MAX_JOINS]))
    if len(joins) == 1:
        return _JOINED.format(people=people)
    template = _JOINED_OFTEN if len(joins) > MAX_JOINS else _JOINED_SEVERAL_TIMES
    return template.format(people=people, more=len(joins) - MAX_JOINS)


_USER: Final = TerminalText("{name} (yours[[, {digits}]])")
_OTHER_PERSON: Final = TerminalText("{name}[[ ({digits})]]")


def _joiner(record: Record[Join], user_keys: Collection[bytes]) -> str:
    template = _USER if record.content.key in user_keys else _OTHER_PERSON
    return template.format(name=clean(record.content.name), digits=record.id.hex()[:6])


# ---- For the referee: joins that do not count, and seats that several people claim

_DOUBTFUL_JOIN: Final = TerminalText("note: {path} ({name}): {reason}")
_MORE_DOUBTS: Final = (
    "note: {count} more files in seats/ give nobody a seat; delete the files of people you do "
    "not know"
)
_CONTESTED: Final = TerminalText(
    "seat {seat} ({name}) has {count} joins, by {people}. Each was made with the invite of the seat"
)
_CONTESTED_AGAIN: Final = TerminalText(
    "seat {seat} ({name}) has {count} joins, by {people}. Each was made with the invite of the "
    "seat, or accepted by[[ your --accept|| you]]"
)
_PHONE: Final = TerminalText(
    "phone {person}, and ask for the twelve words of the right join: their [[`pbem status`||page "
    "of the game]] shows them"
)


def doubtful_join_lines(doubts: Sequence[tuple[Record[Join], str]]) -> list[str]:
    """Return notes on joins that do not count, each with the reason."""
    lines: list[str] = [
        _DOUBTFUL_JOIN.format(
            path=file_name(record).path, name=clean(record.content.name), reason=clean(reason)
        )
        for record, reason in doubts[:MAX_DOUBTS]
    ]
    if len(doubts) > MAX_DOUBTS:
        lines.append(_MORE_DOUBTS.format(count=len(doubts) - MAX_DOUBTS))
    return lines


def contested_seat_lines(
    joins_by_seat: Mapping[str, Sequence[Record[Join]]],
    names: Mapping[str, str],
    *,
    has_begun: bool,
    has_accepted: bool,
) -> list[str]:
    """Return lines on the seats that several people claim, with the words of each join.

    `has_accepted` says whether the referee has accepted joins by their digits.
    """
    template, lines = _CONTESTED_AGAIN if has_accepted else _CONTESTED, list[str]()
    for seat, records in joins_by_seat.items():
        name, shown_records = clean(names[seat]), records[:MAX_DOUBTS]
        people = join_texts(", ", (_joiner(record, ()) for record in shown_records))
        lines.append(template.format(seat=seat, name=name, count=len(records), people=people))
        lines += ["  " + join_words_line(record) for record in shown_records]
        lines.append(_PHONE.format(person="the person you invited" if has_begun else name))
    return lines


# ---- For a player: a join that is gone, has a rival or was not accepted

_COMPARE_WORDS: Final = (
    "phone {referee} before turn 1 is made, and read out the twelve words of your join"
)
_GONE_JOIN: Final = TerminalText(
    "your join for seat {seat}[[ ({digits})]] is no longer in the folder[[; to put the "
    "join back, type pbem join again, with the same invite]]"
)
_GONE_JOIN_WITH_RIVALS: Final = TerminalText(
    "your join for seat {seat}[[ ({digits})]] is no longer in the folder.[[ To put the join back, "
    "type pbem join again, with the same invite.]] Somebody else has joined with your invite: "
    f"{{rivals}}; {_COMPARE_WORDS}"
)
_RIVALS: Final = TerminalText(
    f"somebody else joined seat {{seat}} with your invite: {{rivals}}; {_COMPARE_WORDS}"
)


def join_warnings(game: UserGame) -> list[str]:
    """Return a sentence for each of the user's joins that is gone or has a rival, before turn 1;
    and for each that was not accepted, from turn 1 on. The referee gets none."""
    if game.roles.referee:
        return []
    return _unaccepted_join_lines(game) if game.listing.reached else _endangered_join_lines(game)


def _endangered_join_lines(game: UserGame) -> list[str]:
    """Before turn 1: return a line for each of the user's joins that is gone from the folder, or
    that has a rival with the same invite."""
    lines, user_keys = list[str](), set(game.keyring.publics.values())
    for _, join in sorted(own_joins(game).items()):
        seat = join.content.seat
        rivals = [
            rival for rival in invited_joins(game, seat) if rival.content.key not in user_keys
        ]
        if not is_in_folder(game, join):
            template: str = _GONE_JOIN_WITH_RIVALS if rivals else _GONE_JOIN
        elif rivals:
            template = _RIVALS
        else:
            continue
        line = template.format(
            seat=seat,
            digits=join.id.hex()[:6],
            rivals=join_texts(", ", (_joiner(rival, ()) for rival in rivals[:MAX_JOINS])),
            referee=clean(game.charter.referee),
        )
        lines.append(line)
    return lines


_WAITS_FOR_TURN: Final = TerminalText(
    "you have joined seat {seat}[[ ({digits})]]: the seat is yours as soon as {referee} "
    "makes the next turn"
)
_NOT_ACCEPTED: Final = TerminalText(
    "your join for seat {seat}[[ ({digits})]] was not accepted: {reason}"
)
_FILE_TAKEN_OUT: Final = "somebody took the file of your join out of the folder"
_ASK_WHY: Final = "phone {referee} and ask why; the twelve words of your join are: {words}"
_OTHER_PLAYER: Final = "a different join, by {name}, has the seat"
_NO_SEAT: Final = "the game began without a player in this seat"
_SAME_KEY: Final = "your key has seat {seat} already, and a key can have only one seat"


def _unaccepted_join_lines(game: UserGame) -> list[str]:
    """From turn 1 on: return a line for each of the user's joins that no turn took in; of a join
    for an open seat that waits for the next turn, the line says so."""
    lines, accepted_ids = list[str](), set((game.first_joins or {}).values())
    accepted_ids |= {notice.join for _, notice in game.game_folder.take_ins()}
    referee = clean(game.charter.referee)
    for join_id, join in sorted(own_joins(game).items()):
        seat, digits = join.content.seat, join_id.hex()[:6]
        if seat in game.roles.seats or join_id in accepted_ids:
            continue
        if may_still_count(game, join):
            lines.append(_WAITS_FOR_TURN.format(seat=seat, digits=digits, referee=referee))
            continue
        reason = _rejection_reason(game, join.content)
        sentences: list[str] = [_NOT_ACCEPTED.format(seat=seat, digits=digits, reason=reason)]
        if not is_in_folder(game, join):
            sentences.append(_FILE_TAKEN_OUT)
        if not game.roles.seats:
            sentences.append(_ASK_WHY.format(referee=referee, words=" ".join(words_of(join_id))))
        lines.append(join_texts("; ", sentences))
    return lines


def _rejection_reason(game: UserGame, join: Join) -> str:
    publics = game.keyring.publics
    seats_by_key = {publics[profile]: seat for seat, profile in game.roles.seats.items()}
    if seat_of_key := seats_by_key.get(join.key):
        return _SAME_KEY.format(seat=seat_of_key)
    player = game.name_of(join.seat) if join.seat in game.roster else ""
    return _OTHER_PLAYER.format(name=clean(player)) if player else _NO_SEAT
