"""Deal as a co-dealer: write exactly what the last turn of a game owes of you (protocol §13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import CliError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.which_notices_count import SignedNotice
from pbem.person.checks_before_co_dealing import (
    check_answered,
    check_no_other_head,
    check_nothing_left_out,
    check_own_line,
    is_compared,
    note_arrivals,
    note_compared_words,
    secret_wait,
    time_to_deal,
)
from pbem.person.session import Session
from pbem.records.deal_record import Deal
from pbem.records.read_and_sign_record import Record
from pbem.text.clock import now as clock_now
from pbem.text.terminal_and_page_wording import to_type

if TYPE_CHECKING:
    from pbem.judge.co_dealer import CoDealing


def deal_if_owed(
    session: Session,
    key: SigningKey,
    now: int,
    compared_words: str = "",
    *,
    go_on: bool = False,
) -> Record[Deal] | None:
    """Write the part of the co-dealer with this key, if the last turn owes one and it is not here;
    return it. The key may be that of the dealer's deputy, once it has taken the dealer's place.

    The whole chain is checked first, also against the clock of this machine (`now`) and against
    what the home remembers: the turns that it dealt for, and when it first saw turns and records
    of seats. So a chain that forks gets nothing. The dealer's secret waits for a right `final`, and
    then for at least two days. Before writing, the home notes the turn and the deal.

    `compared_words`: the twelve words of the last turn that somebody else has read out; then this
    machine may deal for it without having dealt before, and opens the secret at once. `go_on`: deal
    although a turn leaves out what a seat signed.

    Raises CliError if the library is missing, RecordError if the key is no co-dealer's, if the
    charter repeats an old line of it, for a wrong `final`, or for a turn for which it must wait or
    gives nothing, FileError for a wrong file, a chain that forks, or a second part for one turn.
    """
    dealing = _dealing(session, key)
    chain = dealing.reader.chain
    if compared_words:
        note_compared_words(session, chain, compared_words)
    note_arrivals(session, chain, now)
    if not session.find_awaited_dealers([dealing.number], chain.turn, chain.head):
        return None
    final = session.game_folder.final() if chain.is_over else None
    deal = dealing.next_deal(now, final, time_to_deal(session, chain))
    if deal is None:
        return None
    if not chain.turn:
        check_own_line(session, dealing.number)
    check_answered(session, chain)
    if not go_on:
        check_nothing_left_out(session, chain)
    if chain.is_over and not is_compared(session, chain.turn):
        if secret_wait(session, now):
            return None
        check_no_other_head(session, chain)
    heads = [head.hex() for head in chain.heads]
    session.game_home.answered_heads.note_deal(heads, deal.id.hex())
    session.folder.create(file_name(deal), deal.file)
    return deal


def deal_own_part(
    session: Session, compared_words: str = "", *, go_on: bool = False
) -> Record[Deal] | None:
    """Write your part as a co-dealer, if it is missing; return it. None for anybody else. The
    arguments are those of `deal_if_owed`, and so is what it raises."""
    if not session.roles.co_dealer:
        return None
    key = session.keyring.key(session.roles.co_dealer)
    return deal_if_owed(session, key, clock_now(), compared_words, go_on=go_on)


def take_dealers_place(
    session: Session, key: SigningKey, now: int, compared_words: str
) -> SignedNotice:
    """Write the notice with which the deputy who has this key takes the place of a silent
    co-dealer; return it.

    `compared_words` are the twelve words of the last turn that the dealer or two players have read
    out: or a referee could show the deputy another copy of the game than the dealer has answered.
    Raises as `deal_if_owed` does, and RecordError `state` if the deputy may not do that, or not
    yet.
    """
    dealing = _dealing(session, key)
    notice = dealing.take_place(now)
    if not compared_words:
        problem = (
            "pbem does not take over yet, because somebody could have given you a false copy of "
            "the game. First ask the co-dealer whose deputy you are, or two players, for the "
            f"twelve words of turn {dealing.reader.chain.turn}"
        )
        command = 'pbem advance --take-over --compared "WORDS"'
        raise CliError(problem, to_type(f"type the twelve words that they tell you: {command}"))
    note_compared_words(session, dealing.reader.chain, compared_words)
    session.folder.create(file_name(notice), notice.file)
    return notice


def _dealing(session: Session, key: SigningKey) -> CoDealing:
    """Return the dealing of the co-dealer or deputy with this key, after the turns that are here;
    the library for it is loaded."""
    from pbem.judge.co_dealer import CoDealing, co_dealer_number
    from pbem.judge.public_turn_reader import PublicReader

    session.refresh()
    game_folder = session.game_folder
    if not session.listing.reached:
        return CoDealing(PublicReader(game_folder.charter), key)
    number = co_dealer_number(game_folder.charter.content, key.public)
    deals = map(game_folder.find_deal, next(game_folder.turns()).content.deals)
    first_deals = {record.content.dealer: record.content for record in deals}
    return CoDealing(session.readers.table(), key, first_deals[number])
