"""Take in mail: answer the replies in it, file the records, and note who sent what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.value_classes import Value
from pbem.acts.players_email_replies import Replies, ReplyResult, keep_answer
from pbem.files.file_errors import FileError
from pbem.mail.find_game_by_id import Places
from pbem.mail.record_filing import Create, RecordFiler, create_in_folder
from pbem.mail.take_records_from_mail import Receiving, Refusal
from pbem.mail.unsent_records import UnsentRecords
from pbem.person.keyring import Keyring
from pbem.person.mail_notebooks import MailHistory
from pbem.person.session import Session
from pbem.records.charter import co_dealer_id
from pbem.records.deal_record import Deal
from pbem.records.join import Join
from pbem.records.notice import Notice
from pbem.records.orders import Orders
from pbem.records.press_message import REFEREE, Press
from pbem.records.turn import Turn


class Arrived(NamedTuple):
    """A file, an email or a pasted text that arrived."""

    data: bytes
    source: str
    """The words that say in a sentence where it comes from: a file's name, an email's sender."""


class Delivery(NamedTuple):
    """The records that one game received."""

    session: Session
    filer: RecordFiler
    late_sentences: Sequence[str]
    """Sentences on own orders that the new turns did not count, each without `your`."""


class TakenMail(Value):
    """The result of taking mail in."""

    replies: Sequence[ReplyResult]
    deliveries: Sequence[Delivery]
    refusals: Sequence[Refusal]
    repaired_files: Sequence[str]
    """Names of files that mail programs had changed."""
    kept_paths: Sequence[Path]
    """Paths of refused files that were saved unchanged."""
    is_broken: bool
    """Whether a file from pbem was refused."""
    has_no_room: bool
    """Whether a file of somebody in the game should wait, and there was no room for it."""


def take_in(
    mails: Iterable[Arrived],
    places: Places,
    keyring: Keyring,
    *,
    saves: bool = True,
    create: Create = create_in_folder,
    send_answer: Callable[[ReplyResult], None] = keep_answer,
    on_reply: Callable[[ReplyResult], None] = lambda result: None,
) -> TakenMail:
    """Read all mail that arrived, as `receive`, the page of mail and `run` do.

    The answer to a reply goes to `send_answer` before the reply is noted as answered, and before
    the next one is read: if pbem is killed, it takes the reply again. `on_reply` is called after
    that. Without `saves`, refused files are not saved. `create` puts a record into the folder of
    its game. Raises CliError, FileError, StorageError.
    """
    results = list[ReplyResult]()

    def note_result(result: ReplyResult) -> None:
        results.append(result)
        on_reply(result)

    home = places.home
    replies = Replies(home, note_result, send_answer, folder=places.named_place, keyring=keyring)
    intake = Receiving(places, saves=saves, create=create)
    for mail in mails:
        if not replies.take(mail.data, mail.source):
            intake.open(mail.data, mail.source)
    intake.file_all()
    return TakenMail(
        replies=results,
        deliveries=[_delivery(filer, keyring) for filer in intake.deliveries],
        refusals=intake.refusals,
        repaired_files=intake.repaired,
        kept_paths=intake.kept_paths,
        is_broken=intake.broken,
        has_no_room=intake.no_room,
    )


def _delivery(filer: RecordFiler, keyring: Keyring) -> Delivery:
    """Note who sends mail in the game, and find own orders that came late."""
    session = Session(filer.root, home=keyring.home, keyring=keyring)
    _note_senders(session, filer)
    return Delivery(session, filer, _late_sentences(session, filer))


def _note_senders(session: Session, filer: RecordFiler) -> None:
    """Note that these people play by mail: for a player, the referee; for the referee, the writers
    of the new records, but for the user's own seats."""
    mail_history = MailHistory(session.game_home)
    if not session.roles.referee:
        mail_history.note_received([REFEREE])
        return
    records = [r for r in filer.new_records if r.content.seat not in session.roles.seats]
    contents = [r.content for r in records if isinstance(r.content, Orders | Press | Notice)]
    join_ids = [record.id for record in records if isinstance(record.content, Join)]
    senders = {content.seat for content in contents if content.seat}
    senders |= {co_dealer_id(r.content.dealer) for r in records if isinstance(r.content, Deal)}
    mail_history.note_received(senders, join_ids)


def _late_sentences(session: Session, filer: RecordFiler) -> list[str]:
    """Return sentences on the user's orders that the new turns did not wait for, for each seat that
    the user plays. Empty if no turn came."""
    turns = [
        record.content.turn for record in filer.new_records if isinstance(record.content, Turn)
    ]
    own_seats = sorted(session.roles.seats.keys() - session.roles.referee_seats)
    if not turns or not own_seats:
        return []
    try:
        unsent_records = UnsentRecords(session.game_folder)
    except FileError:  # `status` says which file is not a turn
        return []
    last_turn = min(turns) - 1
    return [
        line for seat in own_seats for line in unsent_records.late_order_sentences(seat, last_turn)
    ]
