"""Deal as a co-dealer: write exactly what the last turn of a game owes of you (protocol §13)."""

from __future__ import annotations

from pbem.files.signed_and_seen import Signed
from pbem.format.keys import SigningKey
from pbem.judge.record_files import file_name
from pbem.person.session import Session
from pbem.records.co_dealer_record import Deal
from pbem.records.read_record import Record


def deal_if_owed(session: Session, key: SigningKey, now: int) -> Record[Deal] | None:
    """Write the part of the co-dealer with this key, if the last turn owes one; return it.

    The whole chain is checked first, also against the clock of this machine (`now`); the dealer's
    secret waits for a right `final`. Before writing, the home notes what it signed, so that it
    never signs two parts for one turn: a chain that forks gets nothing. Raises CliError if the
    library is missing, RecordError if the key is no co-dealer's, for a wrong `final`, or for a turn
    that is dated ahead of the clock, FileError for a wrong file or a second part for one turn.
    """
    from pbem.judge.co_dealer import CoDealing
    from pbem.judge.public_turn_reader import TableReader

    session.refresh()
    reader = (
        session.readers.table()
        if session.listing.reached
        else TableReader(session.game_folder.charter)
    )
    final = session.game_folder.final() if reader.chain.is_over else None
    deal = CoDealing(reader, key).next_deal(now, final)
    if deal is None:
        return None
    name = file_name(deal)
    place = deal.content.turn + 1  # a place in the chain counts from 1
    session.game_home.signed.sign(Signed(place, name.path, deal.id.hex(), deal.file))
    session.folder.create(name, deal.file)
    return deal
