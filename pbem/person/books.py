"""Books in the home about one game's mail: who was sent which records, who has which address, and
what the referee needs for seats by mail.

None of this is ever in a signed file, and each book can be deleted safely.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from pbem.errors import PbemError
from pbem.files.disk import make_folder, read_file, replace
from pbem.files.home import GameHome, Home, Notebook, strings_in, table_of
from pbem.records.press import REFEREE

# ---- Who plays by mail, and what each of them was sent


class SentMail(Notebook):
    """The records that one person sent and received by mail in one game. Without it, the person
    has to say who plays by mail."""

    def __init__(self, game_home: GameHome) -> None:
        super().__init__(game_home.root / "mail.toml")
        notes = self.notes()
        self._by_mail = set(strings_in(notes.get("by_mail")))
        self._joins = set(strings_in(notes.get("joins")))
        sent_ids = table_of(notes.get("sent"), list)
        self._sent_ids = {person: set(strings_in(ids)) for person, ids in sent_ids.items()}

    def by_mail(self, seats_by_join_id: Mapping[bytes, str]) -> list[str]:
        """Return the seats that sent something, or were sent something, by mail; sorted.

        `seats_by_join_id` has the joins that count; other joins that came by mail are ignored.
        """
        joins = seats_by_join_id.items()
        joined_seats = {seat for join_id, seat in joins if join_id.hex() in self._joins}
        return sorted((self._by_mail | self._sent_ids.keys() | joined_seats) - {REFEREE})

    @property
    def with_referee(self) -> bool:
        """Whether this person reaches the referee by mail."""
        return REFEREE in self._by_mail or REFEREE in self._sent_ids

    def only_sent(self, recipient: str) -> bool:
        """Return whether a person was sent something, but sent nothing by mail that came here."""
        return recipient in self._sent_ids and recipient not in self._by_mail

    def was_sent(self, recipient: str, record_id: bytes) -> bool:
        """Return whether a bundle for this seat, or for `referee`, contained the record with this
        id."""
        return record_id.hex() in self._sent_ids.get(recipient, ())

    def was_sent_as(self, recipient: str, short_id: str) -> bool:
        """Return whether a bundle for this person contained a record with this short id."""
        return any(sent_id.startswith(short_id) for sent_id in self._sent_ids.get(recipient, ()))

    def note_sent(self, recipient: str, record_ids: Iterable[bytes]) -> None:
        """Note that these records went into a bundle. Raises StorageError."""
        self._sent_ids.setdefault(recipient, set()).update(i.hex() for i in record_ids)
        self._save()

    def forget(self, recipient: str) -> None:
        """Note that a person may not have received their bundles. Raises StorageError."""
        if self._sent_ids.pop(recipient, None):
            self._by_mail.add(recipient)
            self._save()

    def note_received(self, senders: Iterable[str], join_ids: Iterable[bytes] = ()) -> None:
        """Note who sent something by mail: these joins, orders of these seats, or `referee`.

        Raises StorageError.
        """
        previous_notes = self._by_mail | self._joins
        self._by_mail.update(senders)
        self._joins.update(join_id.hex() for join_id in join_ids)
        if self._by_mail | self._joins != previous_notes:
            self._save()

    def _save(self) -> None:
        ids = {person: sorted(sent_ids) for person, sent_ids in self._sent_ids.items()}
        self.write({"by_mail": sorted(self._by_mail), "joins": sorted(self._joins), "sent": ids})


# ---- The addresses of the people in one game, and whether this home has a mailbox

PEOPLE_FILE: Final = "people.toml"
ACCOUNT_FILE: Final = "account.toml"
"""The file of a mailbox, in the folder of its profile."""


def mailboxes(home: Home) -> Path:
    """Return the folder in the home that contains one folder for each profile with a mailbox."""
    return home.root / "post"


class People(Notebook):
    """The addresses of people in one game, by seat or `referee`. Without it, the person has to name
    the addresses again."""

    def __init__(self, game_home: GameHome) -> None:
        super().__init__(game_home.root / PEOPLE_FILE)

    @cached_property
    def addresses(self) -> dict[str, str]:
        """The addresses, by seat or `referee`."""
        return table_of(self.notes().get("addresses"), str)

    def set(self, person: str, address: str) -> None:
        """Note a person's address; an empty one removes it. Raises StorageError."""
        addresses = {**self.addresses, person: address}
        self.addresses = {key: value for key, value in sorted(addresses.items()) if value}
        people_without = {*strings_in(self.notes().get("none"))} - {person}
        people_without |= set() if address else {person}
        self.write({"addresses": self.addresses, "none": sorted(people_without)})

    def learn(self, person: str, address: str) -> bool:
        """Note an address for a person; return whether it was noted.

        It is noted only if the person has no known address, and nobody has said that they get no
        mail. Anyone can write any address into From, so this never changes a known address.
        """
        people_without = strings_in(self.notes().get("none"))
        if not address or person in self.addresses or person in people_without:
            return False
        self.set(person, address)
        return True


# ---- What the referee needs for seats by mail: addresses, emails that were sent, answered replies

ECHO_START: Final = "This answers what you sent for"
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


class MailBook(Notebook):
    """The notes of one game about seats by mail.

    If they are lost, the addresses are read from the seats' joins.
    """

    def __init__(self, game_home: GameHome) -> None:
        super().__init__(game_home.root / "mail-seats.toml")

    def first_address(self, seat: str) -> str:
        """Return the address that a seat had when the game was made, which its join also contains;
        empty if it is not known here."""
        return table_of(self.notes().get("first"), str).get(seat, "")

    def address(self, seat: str) -> str:
        """Return the address to which email for a seat is sent now; empty if it is not known
        here."""
        notes = self.notes()
        first_addresses, addresses = (table_of(notes.get(name), str) for name in ("first", "now"))
        return addresses.get(seat) or first_addresses.get(seat, "")

    def move(self, seat: str, address: str) -> None:
        """Note that a player has a new address. Raises StorageError."""
        self.change(now=table_of(self.notes().get("now"), str) | {seat: address})

    # -------------------------------------------------------------- what was sent
    def note_sent(self, seat: str, turn: int, text: str) -> None:
        """Note the text of an email with the code of this turn, before it is sent.

        A reply is compared with what was sent, not with what would be written now: since then,
        messages and turns may have come or gone. Raises StorageError.
        """
        sent_emails = self._sent_emails(seat, turn)
        if text not in sent_emails:
            texts = [*sent_emails, text]
            if len(texts) > MAX_SENT_EMAILS:
                answers = (n for n, old_text in enumerate(sent_emails) if ECHO_START in old_text)
                del texts[next(answers, 1)]
            make_folder(self.path.parent / SENT_EMAILS_FOLDER, private=True)
            replace(self._sent_path(seat, turn), _TEXT_SEPARATOR.join(texts).encode())

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
        return reply in strings_in(self.notes().get("answered"))

    def note_answered(self, reply: str) -> None:
        """Note that this reply was answered. Raises StorageError."""
        replies = [*strings_in(self.notes().get("answered")), reply]
        self.change(answered=replies[-MAX_ANSWERED_REPLIES:])

    def count_answer(self, seat_turn: str, in_vain: bool) -> tuple[int, int]:
        """Count an answer to a reply about a turn; return the number of such answers, and how many
        in a row could not use anything in the reply, as this one with `in_vain`.

        `seat_turn` names the seat and turn, as `b7`. Raises StorageError.
        """
        notes = self.notes()
        for name, is_counted in (("counts", True), ("in_vain", in_vain)):
            counts = table_of(notes.get(name), int)
            count = counts.get(seat_turn, 0) + 1 if is_counted else 0
            other_counts = {key: n for key, n in counts.items() if key[:1] != seat_turn[:1]}
            notes[name] = other_counts | {seat_turn: count}
        self.write(notes)
        return notes["counts"][seat_turn], notes["in_vain"][seat_turn]

    # -------------------------------------------------------------- how a player answers
    @property
    def reply_to(self) -> str:
        """The referee's address, to which answers go; empty if it is not known."""
        return str(self.notes().get("reply_to", ""))

    def shown_lists(self, seat_turn: str) -> list[str]:
        """Return the lists that a player asked for; `seat_turn` names the seat and turn, as
        `b7`."""
        return table_of(self.notes().get("seen"), str).get(seat_turn, "").split()

    def note_shown_lists(self, seat_turn: str, lists: Iterable[str]) -> None:
        """Note that a player was sent these lists. Raises StorageError."""
        names = dict.fromkeys([*self.shown_lists(seat_turn), *lists])
        self._note_for("seen", seat_turn, " ".join(names))

    def unclear_reply(self, seat_turn: str) -> list[str]:
        """Return when the player's last reply came of which nothing counts yet, in seconds since
        1970, and then a row for each possible meaning; empty if there is none."""
        return table_of(self.notes().get("waiting"), str).get(seat_turn, "").split("\n")

    def note_unclear_reply(self, seat_turn: str, rows: Sequence[str]) -> None:
        """Note what `unclear_reply` returns. Raises StorageError."""
        self._note_for("waiting", seat_turn, "\n".join(rows))

    def _note_for(self, name: str, seat_turn: str, text: str) -> None:
        texts = table_of(self.notes().get(name), str)
        new_texts = {key: value for key, value in texts.items() if key[:1] != seat_turn[:1]}
        new_texts |= {seat_turn: text} if text else {}
        if texts != new_texts:
            self.change(**{name: new_texts})

    def ways(self, seat: str) -> dict[str, int]:
        """Return how often a player answered by `tap`, by `number` or in `words`, and was asked
        back (`back`)."""
        counts = table_of(self.notes().get("ways"), int)
        return {key[2:]: count for key, count in counts.items() if key[:1] == seat}

    def count_way(self, seat: str, way: str) -> None:
        """Count a reply. Raises StorageError."""
        counts = table_of(self.notes().get("ways"), int)
        self.change(ways=counts | {f"{seat}-{way}": counts.get(f"{seat}-{way}", 0) + 1})

    def known_lines(self, seat: str) -> set[str]:
        """Return the lines below the orders in two mails of a player that no order used."""
        rows = [row.split(" ", 2) for row in strings_in(self.notes().get("below"))]
        return {line for row_seat, count, line in rows if row_seat == seat and int(count) > 1}

    def note_lines_below(self, seat: str, lines: Collection[str]) -> None:
        """Count such lines of one mail. Raises StorageError."""
        rows = strings_in(self.notes().get("below"))
        for line in dict.fromkeys(lines):
            same_rows = [row for row in rows if row in (f"{seat} 1 {line}", f"{seat} 2 {line}")]
            rows = [row for row in rows if row not in same_rows]
            rows.append(f"{seat} {2 if same_rows else 1} {line}")
        if lines:
            self.change(below=rows[-MAX_LINES_BELOW:])
