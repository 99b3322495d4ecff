"""Deal as a co-dealer: write exactly what the last turn of a game owes of you (protocol §13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.files.record_names import turn_path
from pbem.files.signed_and_seen import Signed
from pbem.format.keys import SigningKey
from pbem.judge.record_files import file_name
from pbem.judge.which_notices_count import SignedNotice
from pbem.person.session import Session
from pbem.records.deal_record import Deal
from pbem.records.read_and_sign_record import Record
from pbem.text.clock import now as clock_now

if TYPE_CHECKING:
    from pbem.judge.co_dealer import CoDealing


def deal_if_owed(session: Session, key: SigningKey, now: int) -> Record[Deal] | None:
    """Write the part of the co-dealer with this key, if the last turn owes one and it is not here;
    return it. The key may be that of the dealer's deputy, once it has taken the dealer's place.

    The whole chain is checked first, also against the clock of this machine (`now`); the dealer's
    secret waits for a right `final`. Before writing, the home notes what it signed, so that it
    never signs two parts for one turn: a chain that forks gets nothing. It also notes when it first
    saw each turn, and waits if somebody lost time to a turn that it saw late.

    Raises CliError if the library is missing, RecordError if the key is no co-dealer's, for a wrong
    `final`, or for a turn for which it must wait, FileError for a wrong file or a second part for
    one turn.
    """
    dealing = _dealing(session, key)
    chain, earliest_time = dealing.reader.chain, _earliest_time_to_deal(session, now)
    if not session.find_awaited_dealers([dealing.number], chain.turn, chain.head):
        return None
    final = session.game_folder.final() if chain.is_over else None
    deal = dealing.next_deal(now, final, earliest_time)
    if deal is None:
        return None
    name = file_name(deal)
    place = deal.content.turn + 1  # a place in the chain counts from 1
    session.game_home.signed.sign(Signed(place, name.path, deal.id.hex(), deal.file))
    session.folder.create(name, deal.file)
    return deal


def _earliest_time_to_deal(session: Session, now: int) -> int:
    """Return the time from which the co-dealer may deal for the last turn. The home notes when it
    first saw each turn since the last deal."""
    from pbem.judge.co_dealer import earliest_time_to_deal

    last_deal, arrivals = session.game_home.signed.last_record(), session.game_home.turn_arrivals
    dealt_turn = last_deal.place - 1 if last_deal else max(len(session.listing.turns) - 1, 0)
    turns = [record.content for record in session.game_folder.turns(dealt_turn)]
    path_of = {turn.turn: turn_path(turn.turn) for turn in turns}
    arrivals.note_arrivals(path_of.values(), now)
    times = arrivals.times()
    return earliest_time_to_deal(turns, {number: times[path] for number, path in path_of.items()})


def deal_own_part(session: Session) -> Record[Deal] | None:
    """Write your part as a co-dealer, if it is missing; return it. None for anybody else. Raises
    as `deal_if_owed` does."""
    if not session.roles.co_dealer:
        return None
    return deal_if_owed(session, session.keyring.key(session.roles.co_dealer), clock_now())


def take_dealers_place(session: Session, key: SigningKey, now: int) -> SignedNotice:
    """Write the notice with which the deputy who has this key takes the place of a silent
    co-dealer; return it. Raises as `deal_if_owed` does, and RecordError `state` if the deputy may
    not do that, or not yet."""
    notice = _dealing(session, key).take_place(now)
    session.folder.create(file_name(notice), notice.file)
    return notice


def _dealing(session: Session, key: SigningKey) -> CoDealing:
    """Return the dealing of the co-dealer or deputy with this key, after the turns that are here;
    the library for it is loaded."""
    from pbem.judge.co_dealer import CoDealing, number_of
    from pbem.judge.public_turn_reader import TableReader

    session.refresh()
    game_folder = session.game_folder
    if not session.listing.reached:
        return CoDealing(TableReader(game_folder.charter), key)
    number = number_of(game_folder.charter.content, key.public)
    deals = map(game_folder.find_deal, next(game_folder.turns()).content.deals)
    first_deals = {record.content.dealer: record.content for record in deals}
    return CoDealing(session.readers.table(), key, first_deals[number])
