"""Books in the home about one game's mail: who was sent which records, who has which address, and
what the referee needs for seats by mail.

None of this is ever in a signed file, and each book can be deleted safely.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from pbem.errors import PbemError
from pbem.files.disk import read_file
from pbem.files.disk import replace as replace_file
from pbem.files.home import GameHome, Home
from pbem.files.process_locks import changing
from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.records.press_message import REFEREE

AnyNote = TypeVar("AnyNote")

# ---- Who sent something by mail, and what each person was sent


class MailHistoryNotes(Notes):
    """Seats or `referee` that sent mail, the ids of joins that came by mail, and the ids of the
    records that each person was sent."""

    file = "mail.toml"
    by_mail: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    sent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class MailHistory(Notebook[MailHistoryNotes]):
    """What one person has sent to whom, and has received from whom, by mail in one game, as this
    object last read or changed the book. Without it, the person has to say who plays by mail."""

    schema = MailHistoryNotes

    def __init__(self, game_home: GameHome) -> None:
        super().__init__(game_home.root)
        self._keep(self.read())

    def _keep(self, notes: MailHistoryNotes) -> None:
        self._notes = notes
        self._sent_ids = {person: set(ids) for person, ids in notes.sent.items()}

    def by_mail(self, seats_by_join_id: Mapping[bytes, str]) -> list[str]:
        """Return the seats that sent something, or were sent something, by mail; sorted.

        `seats_by_join_id` has the joins that count; other joins that came by mail are ignored.
        """
        joins = seats_by_join_id.items()
        joined_seats = {seat for join_id, seat in joins if join_id.hex() in self._notes.joins}
        return sorted({*self._notes.by_mail, *self._sent_ids, *joined_seats} - {REFEREE})

    @property
    def with_referee(self) -> bool:
        """Whether this person reaches the referee by mail."""
        return REFEREE in self._notes.by_mail or REFEREE in self._sent_ids

    def only_sent(self, recipient: str) -> bool:
        """Return whether a person was sent something, but sent nothing by mail that came here."""
        return recipient in self._sent_ids and recipient not in self._notes.by_mail

    def was_sent(self, recipient: str, record_id: bytes) -> bool:
        """Return whether a bundle for this seat, or for `referee`, contained the record with this
        id."""
        return record_id.hex() in self._sent_ids.get(recipient, ())

    def was_sent_as(self, recipient: str, short_id: str) -> bool:
        """Return whether a bundle for this person contained a record with this short id."""
        return any(sent_id.startswith(short_id) for sent_id in self._sent_ids.get(recipient, ()))

    def note_sent(self, recipient: str, record_ids: Iterable[bytes]) -> None:
        """Note that these records went into a bundle. Raises StorageError."""
        new_ids = {record_id.hex() for record_id in record_ids}

        def with_ids(notes: MailHistoryNotes) -> MailHistoryNotes:
            ids = _sorted_union(notes.sent.get(recipient, ()), new_ids)
            return replace(notes, sent={**notes.sent, recipient: ids})

        self._keep(self.change(with_ids))

    def forget(self, recipient: str) -> None:
        """Note that a person may not have received their bundles. Raises StorageError."""

        def without_ids(notes: MailHistoryNotes) -> MailHistoryNotes:
            if not notes.sent.get(recipient):
                return notes
            sent_ids = {person: ids for person, ids in notes.sent.items() if person != recipient}
            by_mail = _sorted_union(notes.by_mail, [recipient])
            return replace(notes, by_mail=by_mail, sent=sent_ids)

        self._keep(self.change(without_ids))

    def note_received(self, senders: Iterable[str], join_ids: Iterable[bytes] = ()) -> None:
        """Note who sent something by mail: these joins, orders of these seats, or `referee`.

        Raises StorageError.
        """
        new_senders, new_joins = set(senders), {join_id.hex() for join_id in join_ids}
        self._keep(
            self.change(
                lambda notes: replace(
                    notes,
                    by_mail=_sorted_union(notes.by_mail, new_senders),
                    joins=_sorted_union(notes.joins, new_joins),
                )
            )
        )


def _sorted_union(texts: Iterable[str], other_texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*texts, *other_texts}))


# ---- The addresses of the people in one game, and whether this home has a mailbox

PEOPLE_FILE: Final = "people.toml"
ACCOUNT_FILE: Final = "account.toml"
"""The file of a mailbox, in the folder of its profile."""


def mailboxes(home: Home) -> Path:
    """Return the folder in the home that contains one folder for each profile with a mailbox."""
    return home.root / "post"


class PeopleNotes(Notes):
    """Addresses by seat or `referee`, and the people of whom somebody said that they get no
    mail."""

    file = PEOPLE_FILE
    addresses: Mapping[str, str] = field(default_factory=dict)
    none: tuple[str, ...] = ()


class People(Notebook[PeopleNotes]):
    """The addresses of people in one game, as this object last read or changed the book. Without
    it, the person has to name the addresses again."""

    schema = PeopleNotes

    def __init__(self, game_home: GameHome) -> None:
        super().__init__(game_home.root)
        self._notes = self.read()

    @property
    def addresses(self) -> Mapping[str, str]:
        """The addresses, by seat or `referee`."""
        return self._notes.addresses

    def set(self, person: str, address: str) -> None:
        """Note a person's address; an empty one removes it. Raises StorageError."""
        self._notes = self.change(lambda notes: _with_address(notes, person, address))

    def learn(self, person: str, address: str) -> bool:
        """Note an address for a person; return whether it was noted.

        It is noted only if the person has no known address, and nobody has said that they get no
        mail. Anyone can write any address into From, so this never changes a known address.
        """
        if not address or person in self.addresses or person in self._notes.none:
            return False

        def with_new_address(notes: PeopleNotes) -> PeopleNotes:
            is_known = person in notes.addresses or person in notes.none
            return notes if is_known else _with_address(notes, person, address)

        self._notes = self.change(with_new_address)
        return self.addresses.get(person) == address


def _with_address(notes: PeopleNotes, person: str, address: str) -> PeopleNotes:
    addresses = {**notes.addresses, person: address}
    people_without = {*notes.none} - {person} | (set() if address else {person})
    return PeopleNotes(
        {key: value for key, value in sorted(addresses.items()) if value},
        tuple(sorted(people_without)),
    )


# ---- What the referee needs for seats by mail: addresses, emails that were sent, answered replies

ECHO_START: Final = "This answers your email about"
"""The first words of each email that answers a reply."""
SENT_EMAILS_FOLDER: Final = "mail-texts"
"""The folder with the texts of the emails that were sent, one file for each turn and seat."""
MAX_SENT_EMAILS: Final = 60
"""Number of emails with one code that are kept: the oldest answers to replies are forgotten first,
then the oldest emails, but never the first."""
MAX_LINES_BELOW: Final = 100
"""Number of lines below orders that are remembered, because they may come again."""
MAX_ANSWERED_REPLIES: Final = 2000
"""Number of replies that are remembered, so that none is answered twice; the oldest are
forgotten."""
_TEXT_SEPARATOR: Final = "\n\f\n"


class LineBelow(NamedTuple):
    """A line below the orders in an email of a player, and in how many emails it was: 1 or 2."""

    seat: str
    line: str
    emails: int


class MailBookNotes(Notes):
    """The fields of a MailBook. A key such as `b7` names a seat and a turn."""

    file = "mail-seats.toml"
    reply_to: str = ""
    first: Mapping[str, str] = field(default_factory=dict)
    """The addresses in the joins, by seat."""
    now: Mapping[str, str] = field(default_factory=dict)
    """The new addresses of those who moved, by seat."""
    answered: tuple[str, ...] = ()
    """The fingerprints of replies."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Number of answered replies, by seat and turn."""
    in_vain: Mapping[str, int] = field(default_factory=dict)
    """Number of replies in a row of which nothing could be used, by seat and turn."""
    seen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The lists that a player asked for, by seat and turn."""
    waiting: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The rows of unclear replies, by seat and turn."""
    ways: Mapping[str, int] = field(default_factory=dict)
    """Number of replies, by seat and way of answering, as `b-tap`."""
    below: tuple[LineBelow, ...] = ()


class MailBook(Notebook[MailBookNotes]):
    """The notes of one game about seats by mail.

    If they are lost, the addresses are read from the seats' joins.
    """

    schema = MailBookNotes

    def __init__(self, game_home: GameHome) -> None:
        super().__init__(game_home.root)

    def note_first_addresses(self, addresses: Mapping[str, str]) -> None:
        """Note the addresses that the game is made with, by seat. Raises StorageError."""
        self.change(lambda notes: replace(notes, first=addresses))

    def first_address(self, seat: str) -> str:
        """Return the address that a seat had when the game was made, which its join also contains;
        empty if it is not known here."""
        return self.read().first.get(seat, "")

    def address(self, seat: str) -> str:
        """Return the address to which email for a seat is sent now; empty if it is not known
        here."""
        notes = self.read()
        return notes.now.get(seat) or notes.first.get(seat, "")

    def move(self, seat: str, address: str) -> None:
        """Note that a player has a new address. Raises StorageError."""
        self.change(lambda notes: replace(notes, now={**notes.now, seat: address}))

    # -------------------------------------------------------------- what was sent
    def note_sent(self, seat: str, turn: int, text: str) -> None:
        """Note the text of an email with the code of this turn, before it is sent.

        A reply is compared with what was sent, not with what would be written now: since then,
        messages and turns may have come or gone. Raises StorageError.
        """
        with changing(self.path.parent):
            sent_emails = self._sent_emails(seat, turn)
            if text in sent_emails:
                return
            texts = [*sent_emails, text]
            if len(texts) > MAX_SENT_EMAILS:
                answers = (n for n, old_text in enumerate(sent_emails) if ECHO_START in old_text)
                del texts[next(answers, 1)]
            replace_file(self._sent_path(seat, turn), _TEXT_SEPARATOR.join(texts).encode())

    def sent_emails(self, seat: str, turn: int) -> str:
        """Return the texts of the emails with the code of this turn; empty if none is known."""
        return "\n".join(self._sent_emails(seat, turn))

    def _sent_emails(self, seat: str, turn: int) -> list[str]:
        try:
            text = read_file(self._sent_path(seat, turn)).decode("utf-8", "replace")
        except PbemError:
            return []
        return text.split(_TEXT_SEPARATOR)

    def _sent_path(self, seat: str, turn: int) -> Path:
        return self.path.parent / SENT_EMAILS_FOLDER / f"{turn:04}-{seat}.txt"

    # -------------------------------------------------------------- replies
    def was_answered(self, reply: str) -> bool:
        """Return whether this reply was answered before; `reply` is its fingerprint."""
        return reply in self.read().answered

    def note_answered(self, reply: str) -> None:
        """Note that this reply was answered. Raises StorageError."""

        def with_reply(notes: MailBookNotes) -> MailBookNotes:
            replies = (*notes.answered, reply)
            return replace(notes, answered=replies[-MAX_ANSWERED_REPLIES:])

        self.change(with_reply)

    def count_answer(self, seat_turn: str, in_vain: bool) -> tuple[int, int]:
        """Count an answer to a reply about a turn; return the number of such answers, and how many
        in a row could not use anything in the reply, as this one with `in_vain`.

        `seat_turn` names the seat and turn, as `b7`. Raises StorageError.
        """

        def with_answer(notes: MailBookNotes) -> MailBookNotes:
            count = notes.counts.get(seat_turn, 0) + 1
            vain_count = notes.in_vain.get(seat_turn, 0) + 1 if in_vain else 0
            counts = _of_other_seats(notes.counts, seat_turn) | {seat_turn: count}
            vain_counts = _of_other_seats(notes.in_vain, seat_turn) | {seat_turn: vain_count}
            return replace(notes, counts=counts, in_vain=vain_counts)

        notes = self.change(with_answer)
        return notes.counts[seat_turn], notes.in_vain[seat_turn]

    # -------------------------------------------------------------- how a player answers
    @property
    def reply_to(self) -> str:
        """The referee's address, to which answers go; empty if it is not known."""
        return self.read().reply_to

    def note_reply_to(self, address: str) -> None:
        """Note the referee's address. Raises StorageError."""
        self.change(lambda notes: replace(notes, reply_to=address))

    def shown_lists(self, seat_turn: str) -> Sequence[str]:
        """Return the lists that a player asked for; `seat_turn` names the seat and turn, as
        `b7`."""
        return self.read().seen.get(seat_turn, ())

    def note_shown_lists(self, seat_turn: str, lists: Iterable[str]) -> None:
        """Note that a player was sent these lists. Raises StorageError."""
        new_lists = tuple(lists)

        def with_lists(notes: MailBookNotes) -> MailBookNotes:
            known_lists = notes.seen.get(seat_turn, ())
            all_lists = tuple(dict.fromkeys([*known_lists, *new_lists]))
            return replace(notes, seen=_with_texts(notes.seen, seat_turn, all_lists))

        self.change(with_lists)

    def unclear_reply(self, seat_turn: str) -> Sequence[str]:
        """Return when the player's last reply came of which nothing counts yet, in seconds since
        1970, and then a row for each possible meaning; one empty text if there is none."""
        return self.read().waiting.get(seat_turn, ("",))

    def note_unclear_reply(self, seat_turn: str, rows: Sequence[str]) -> None:
        """Note what `unclear_reply` returns. Raises StorageError."""
        texts = tuple(rows)
        self.change(
            lambda notes: replace(notes, waiting=_with_texts(notes.waiting, seat_turn, texts))
        )

    def ways(self, seat: str) -> dict[str, int]:
        """Return how often a player answered by `tap`, by `number` or in `words`, and was asked
        back (`back`)."""
        counts = self.read().ways
        return {key[2:]: count for key, count in counts.items() if key[:1] == seat}

    def count_way(self, seat: str, way: str) -> None:
        """Count a reply. Raises StorageError."""
        key = f"{seat}-{way}"
        self.change(
            lambda notes: replace(notes, ways={**notes.ways, key: notes.ways.get(key, 0) + 1})
        )

    def known_lines(self, seat: str) -> set[str]:
        """Return the lines below the orders in two mails of a player that no order used."""
        return {row.line for row in self.read().below if row.seat == seat and row.emails > 1}

    def note_lines_below(self, seat: str, lines: Collection[str]) -> None:
        """Count such lines of one mail. Raises StorageError."""

        def with_lines(notes: MailBookNotes) -> MailBookNotes:
            rows = {(row.seat, row.line): row for row in notes.below}
            for line in dict.fromkeys(lines):
                is_known = rows.pop((seat, line), None) is not None
                rows[seat, line] = LineBelow(seat, line, 2 if is_known else 1)
            return replace(notes, below=(*rows.values(),)[-MAX_LINES_BELOW:])

        self.change(with_lines)


def _of_other_seats(notes: Mapping[str, AnyNote], seat_turn: str) -> dict[str, AnyNote]:
    return {key: note for key, note in notes.items() if key[:1] != seat_turn[:1]}


def _with_texts(
    texts: Mapping[str, tuple[str, ...]], seat_turn: str, new_texts: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """Return the texts with new ones for a seat and turn; the seat's earlier turns are left out."""
    return _of_other_seats(texts, seat_turn) | ({seat_turn: new_texts} if new_texts else {})
