"""What to send to whom: bundles, emails to players without pbem, and what is voted on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from engine.values import Value
from pbem.desk.base import not_an_address, say
from pbem.desk.deadlines import COME_BACK, Due, due_of
from pbem.desk.game_here import note_heads
from pbem.desk.notices import standing_now, votes_here
from pbem.desk.press import MessagesHere
from pbem.desk.session import Session
from pbem.desk.session import Session as AnySession
from pbem.errors import KEY, NOT_YET, CliError
from pbem.files.disk import TakenError, create
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import box_key
from pbem.format.keys import Secrets
from pbem.game.absence import absence_from_turns, round_of
from pbem.game.standing import END_WORDS, Standing, Wait
from pbem.game.view import View
from pbem.mail.sending import SentMail, sitting
from pbem.records.charter import open_contact, slug
from pbem.records.notice import DRAW, NO_WINNER
from pbem.records.press import REFEREE
from pbem.records.read_record import Content, Record
from pbem.screen.tell import message_lines
from pbem.screen.terminal import brief, clean
from pbem.text.dates import local_date
from pbem.text.names import is_address

if TYPE_CHECKING:
    from pbem.mailseats.letters import LetterText, MailBook
    from pbem.mailseats.read import Token

# ---- Emails to players without `pbem`, and who gets one now

MESSAGE_WIDTH = 60
"""Columns of a message of another player in an email."""


class Letter(Value):
    """An email to one player, ready to send."""

    seat: str
    name: str
    stem: str
    """The file's name without its ending."""
    address: str
    subject: str
    data: bytes
    """The whole email except `From` and `Date`."""
    text: str
    """The email's plain text."""


class MailSeat:
    """One seat whose player answers by plain email, with all that the referee needs to serve it."""

    def __init__(self, session: Session, seat: str) -> None:
        from pbem.mailseats.letters import MailBook

        self.referee, self.seat = session, seat
        self.book: MailBook = MailBook(session.mine)
        self.session = AnySession(session.place, seat, home=session.home, keyring=session.keyring)

    @cached_property
    def view(self) -> View:
        """What the seat may know; its emails contain nothing else. Raises CliError before turn
        1."""
        return self.session.view()

    @property
    def name(self) -> str:
        """The player's name."""
        return self.view.names[self.seat]

    @cached_property
    def address(self) -> str:
        """The player's address: the one noted here, else the one in the seat's join. Raises
        CliError if there is none."""
        found = self.book.address(self.seat) or self._contact()
        if not found:
            told = f"the address of the player in seat {self.seat} is not known here"
            hint = f"pbem send --to {self.seat} --address NAME@EXAMPLE.ORG"
            raise CliError(told, hint)
        return found

    def _contact(self) -> str:
        """Return the address in the join, which only the referee can open; empty if there is
        none."""
        game_folder = self.referee.game_folder
        secret = Secrets(self.referee.referee_key().seed).desk(game_folder.charter.content.table)
        for record in game_folder.joins().values():
            if record.content.seat == self.seat:
                try:
                    key = box_key(secret, record.content.x25519, game_folder.game)
                    found = open_contact(key, record.content)
                except RecordError:
                    continue
                return found if is_address(found) else ""
        return ""

    # -------------------------------------------------------------- the code of a mail
    @property
    def asked_by(self) -> int:
        """The number of the turn whose email a reply may answer now."""
        return self.view.asked_by

    def token(self, turn: int) -> Token:
        """Return the code in the email about a turn."""
        from pbem.mailseats.read import make_token

        game, head = bytes.fromhex(self.view.game), bytes.fromhex(self.view.heads[turn])
        return make_token(self.referee.referee_key().seed, game, self.seat, turn, head)

    def turn_of(self, tokens: tuple[Token, ...]) -> int:
        """Return the latest turn whose code is among these; 0 if no code is right."""
        from pbem.mailseats.read import is_right

        turns = (t.turn for t in tokens if t.seat == self.seat and t.turn <= self.view.turn)
        right = [n for n in set(turns) if any(is_right(t, self.token(n)) for t in tokens)]
        return max(right, default=0)

    # -------------------------------------------------------------- the mail about a turn
    @property
    def is_due(self) -> bool:
        """Whether the player must get an email about the last turn: it asks them, or the game is
        over."""
        view = self.view
        return view.over or (self.seat in view.awaited and self.seat not in view.conceded)

    def turn_text(self, reminder: str = "") -> LetterText:
        """Return the text of the email about the last turn, or of a reminder of it."""
        from pbem.mailseats.letters import turn_letter

        taken = self.view.accepted.get(self.seat, 1)
        token = str(self.token(self.asked_by))
        return turn_letter(self.view, token, self.due, taken, self._messages(taken), reminder)

    @property
    def due(self) -> str:
        """The last moment, in UTC, at which an answer still counts; empty if there is no
        deadline."""
        due = due_of(self.view)
        return due.for_others if due and self.seat in self.view.awaited else ""

    def _messages(self, since: int) -> list[str]:
        """Return lines on the player's refused lines, the votes of others, and the messages that
        this player may read."""
        view = self.view
        here = MessagesHere(self.session, view, mine=[self.seat])
        older = {f.path for f in self.session.listing.press if f.name.turn < since}
        found = here.read(besides=older)
        # short rows: no mail program breaks them, and what it breaks off could look like an answer
        lines = message_lines(found, [self.seat], MESSAGE_WIDTH)
        votes = votes_of_others(self.session, self.view)
        refused = [f"Your line “{line}” was refused: {why}" for _, line, why in view.refused]
        return [*refused, *votes, *(line.strip() for line in lines)]

    def turn_mail(self) -> Letter:
        """Return the email about the last turn, as bytes. Raises CliError without an address."""
        return self.letter(self.turn_text(), self._stem(""))

    def reminder(self, stage: str) -> Letter:
        """Write the email about the last turn again, because little time is left.

        A reply to it counts as a reply to the first. Raises CliError without an address.
        """
        return self.letter(self.turn_text(stage), self._stem("reminder"))

    def letter(self, text: LetterText, stem: str) -> Letter:
        """Return an email to the player, and note its text for the replies to it.

        Raises CliError without an address, StorageError.
        """
        from pbem.mailseats.letters import mime

        data = mime(text, self.address, self.name, self.view)
        self.book.note_sent(self.seat, self.asked_by, text.text)
        return Letter(
            self.seat, self.name, stem, self.address, text.subject, data, text.text
        )  # fmt: skip

    def answer_stem(self) -> str:
        """Return the name, without an ending, of the file with an answer to a reply."""
        return self._stem("answer")

    def _stem(self, what: str) -> str:
        parts = [slug(self.view.title), f"{self.view.turn:04}", self.seat, what]
        return "-".join(part for part in parts if part)


def mail_seats(session: Session) -> list[MailSeat]:
    """Return the seats whose players answer by plain email, if you are the referee and the game has
    begun."""
    if not session.listing.reached:
        return []
    return [MailSeat(session, seat) for seat in sorted(session.roles.mail)]


def write_letter(session: Session, letter: Letter, output: Path | None = None) -> Path:
    """Write an email to a file that only you can read, because it shows a hand.

    An email that was written before keeps its file; a different one gets a new number. Raises
    CliError if `output` exists with different contents; also StorageError.
    """
    folder = session.mine.root / "letters"
    names = [letter.stem, *(f"{letter.stem}-v{number}" for number in range(2, 1000))]
    for path in [output.absolute()] if output else [folder / f"{name}.eml" for name in names]:
        try:
            create(path, letter.data, private=True)
        except TakenError:
            continue
        return path
    raise CliError(f"{output} exists already", "give the path of a different file with -o")


# ---- Write bundles for `send`: choose the records for each player, and say what to do next


class Parcel(Value):
    """One bundle to send."""

    to: str
    """Who gets the bundle: a seat, or `referee`."""
    name: str
    """The name of the person who gets the bundle."""
    stem: str
    """The file's name without its ending."""
    records: list[Record[Content]]
    late: Sequence[str] = ()
    """Sentences on the recipient's orders that came too late."""
    asked: str = ""
    """The questions that the recipient must answer, and the deadline."""
    newcomer: Sequence[str] = ()
    """What somebody needs to know who may not have `pbem` yet: paragraphs."""
    letter: Letter | None = None
    """The email, if the recipient has no `pbem`; `records` then has only what the email is
    about."""

    @property
    def text(self) -> str:
        """The text of the bundle or of the email."""
        from pbem.mail.sending import bundle

        if self.letter:
            return self.letter.text
        notes = [f"Note: your {told}." for told in self.late]
        told = [*([self.asked] if self.asked else []), *self.newcomer]
        return bundle(self.records, self.stem, [*told, *notes])


class BundleWriter:
    """Writes bundles for one run of `send`."""

    def __init__(self, session: Session, everything: bool = False, only_new: bool = False) -> None:
        from pbem.mail.sending import MissingFiles

        self.session, self.everything, self.only_new = session, everything, only_new
        self.book = SentMail(session.mine)
        self.lacks = MissingFiles(session.game_folder, self.book.was_sent)
        self.charter = session.game_folder.charter.content
        self.slug = slug(self.charter.title)
        self.names = {plan.seat: plan.name for plan in self.charter.seats}
        for seat, join in self.lacks.game.roster.items():
            self.names[seat] = join.content.name

    # -------------------------------------------------------------- who it is for
    def parcels(self, to: Sequence[str] = ()) -> list[Parcel]:
        """Return the bundles to send. Raises CliError if there is nobody to send to or nothing to
        send."""
        if to:
            found = [self._parcel(seat) for seat in dict.fromkeys(map(self._addressee, to))]
        elif self.session.roles.referee:
            found = [self._parcel(seat) for seat in self._by_mail()]
            found += [self._letter(one) for one in mail_seats(self.session)]
            if not found:
                raise self._nobody()
        else:
            found = [self._parcel(REFEREE)]
        self.session.mine.remember_place(self.session.place)
        note_heads(self.session.mine, self.lacks.game.heads)
        due = [parcel for parcel in found if parcel.records]
        if not due:
            raise self._nothing(found)
        return due

    def _addressee(self, to: str) -> str:
        import difflib

        wanted = to.strip().casefold()
        known = {name.casefold(): seat for seat, name in self.names.items()}
        known |= {seat: seat for seat in self.names} | {REFEREE: REFEREE}
        known.setdefault(self.session.game_folder.maker().name.casefold(), REFEREE)
        if wanted not in known:
            close = difflib.get_close_matches(wanted, known, 1)
            seats = ", ".join(f"{seat} ({name})" for seat, name in sorted(self.names.items()))
            hint = f"did you mean {close[0]}?" if close else f"--to takes {seats} or referee"
            raise CliError(f"nobody here is called {to!r}", hint)
        seat = known[wanted]
        if seat in self.charter.plays:
            raise CliError(f"the referee plays seat {seat} and already has everything")
        return seat

    def move(self, to: Sequence[str], address: str) -> None:
        """Remember a player's new address for plain email. Raises CliError, StorageError."""
        from pbem.mailseats.letters import MailBook

        seat = self._addressee(to[0]) if len(to) == 1 else ""
        if seat not in self.session.roles.mail:
            told = "--address is for a player who answers by plain email"
            names = [f"--to {s}" for s in sorted(self.session.roles.mail)]
            raise CliError(told, f"name the player: {', '.join(names)}" if names else "")
        if not is_address(address):
            raise not_an_address(address)
        MailBook(self.session.mine).move(seat, address)

    def _by_mail(self) -> list[str]:
        found = self.book.by_mail(sitting(self.session.game_folder))
        return [s for s in found if s in self.names and s not in self._no_bundle]

    @property
    def _no_bundle(self) -> set[str]:
        """The seats that need no bundle, because their orders are made or signed on this
        computer."""
        return {*self.charter.plays} | self.session.roles.mail

    def _nobody(self) -> CliError:
        others = [f"--to {s}" for s in self.names if s not in self._no_bundle]
        if not others or (self.session.roles.mail and not self.session.listing.reached):
            return CliError("there is nothing to send before turn 1", "pbem advance", NOT_YET)
        told = "pbem does not know of any player who plays by mail"
        return CliError(told, f"say who the bundles are for: {' '.join(others)}")

    def _nothing(self, found: list[Parcel]) -> CliError:
        names = " and ".join(clean(parcel.name) for parcel in found)
        if self.only_new:
            return CliError(f"you have already sent everything to {names}", "", NOT_YET)
        if [parcel.to for parcel in found] == [REFEREE]:
            hint = "pbem status says when it is your move"
            return CliError("you have nothing to send now", hint, NOT_YET)
        hint = "--all sends everything again"
        have = "has" if len(found) == 1 else "have"
        return CliError(f"{names} {have} everything, as far as pbem knows", hint, NOT_YET)

    # -------------------------------------------------------------- what is in it
    def _parcel(self, to: str) -> Parcel:
        if to in self.session.roles.mail and not self.everything:
            return self._letter(self._mail_seat(to), wanted=True)
        if to == REFEREE:
            seats = self._my_seats()
            new = self._late_joins() or self.lacks.of_referee(seats)
            found = self._all() if self.everything else new
            stem = self._stem("orders" if self.lacks.game.last else "join", "".join(seats))
            name = self.session.game_folder.maker().name
        else:
            found = self.lacks.of_seat(to, self.everything)
            stem = self._stem("", to if self.lacks.game.last else "")
            name = self.names[to]
        if self.only_new:
            found = [record for record in found if not self.book.was_sent(to, record.id)]
        late = [] if to == REFEREE else self.lacks.late(to, self.lacks.confirmed(to))
        asked = "" if to == REFEREE else self._asked(to)
        return Parcel(to, name, stem, found, late, asked, self._newcomer(to))

    def _newcomer(self, to: str) -> list[str]:
        """Say to a player who has not joined yet what they need; nothing to all others."""
        from pbem.mail.sending import how_to_get_pbem

        joined = {record.content.seat for record in self.session.game_folder.joins().values()}
        if to == REFEREE or to in joined or self.lacks.game.last:
            return []
        return how_to_get_pbem("the referee")

    # -------------------------------------------------------------- players without pbem
    def _mail_seat(self, seat: str) -> MailSeat:
        """Return the seat of a player by plain email. Raises CliError before turn 1."""

        if not self.lacks.game.last:
            told = f"pbem can write the first email to {self.names[seat]} after turn 1 is made"
            raise CliError(told, "pbem advance", NOT_YET)
        return MailSeat(self.session, seat)

    def _letter(self, seat: MailSeat, wanted: bool = False) -> Parcel:
        """Return the email about the last turn; it contains no records if the player need not get
        it now.

        With `wanted`, the referee named this player: write the email even if the last turn does not
        ask them.
        """
        last: list[Record[Content]] = [self.lacks.game.turns[-1]]
        if not (wanted or self.everything or seat.is_due):
            return Parcel(seat.seat, seat.name, "", [])
        if self.only_new and self.book.was_sent(seat.seat, last[0].id):
            return Parcel(seat.seat, seat.name, "", [])
        letter = seat.turn_mail()
        return Parcel(seat.seat, seat.name, letter.stem, last, letter=letter)

    def _asked(self, seat: str) -> str:
        """Say what the last turn asks a seat, and until when its orders count."""
        turns = self.lacks.game.turns
        last = turns[-1].content if turns else None
        kinds = [one.kinds for one in last.awaited if one.seat == seat] if last else []
        away = self._away(seat) if last and not last.over else ""
        if away in ("conceded", "removed"):
            return ""
        if away in ("idle", "open") or (away == "absent" and not kinds):
            return f"Note: {COME_BACK}. Until then, choices are made immediately without you."
        if not last or not kinds or not last.deadline:
            return ""
        due = Due(last.time, last.deadline)
        told = f"Turn {last.turn} asks you for {', '.join(kinds[0])}. Your orders count until"
        return f"{told} {due.for_others}; after that, the least harmful choice is made for you."

    def _away(self, seat: str) -> str:
        """Say why nobody waits for this seat; empty if the game waits for it."""
        turns, standing = [r.content for r in self.lacks.game.turns], self.lacks.standing
        told = absence_from_turns(self.charter, turns, standing.seats_shown)
        key = next(turn.log[-1].key for turn in reversed(turns) if turn.log)
        away = told.away(seat, round_of(key))
        if away == "open" and standing.removes:
            return "removed"
        return "conceded" if seat in standing.out else away

    def _all(self) -> list[Record[Content]]:
        everything = self.lacks.of_seat("", everything=True)
        mine = self.lacks.of_referee(self._my_seats())
        return list({record.id: record for record in everything + mine}.values())

    def _my_seats(self) -> list[str]:
        roles = self.session.roles
        wish = self.session.wish
        seats = [seat for seat in sorted(roles.seats) if seat not in roles.held]
        if wish:
            return [self.session.need_seat()]
        if not seats and (joins := self._late_joins()):
            return sorted({record.content.seat for record in joins})
        if not seats:
            hint = "pbem join --invite …, with the invite that the referee sent you"
            raise CliError("you have no seat in this game", hint, KEY)
        return seats

    def _late_joins(self) -> list[Record[Content]]:
        """Return your joins for open seats of a game that has begun, if you have no seat yet."""
        if not self.lacks.game.turns or self.session.roles.seats:
            return []
        mine = set(self.session.keyring.publics.values())
        joins = self.session.game_folder.joins().values()
        return [record for record in joins if record.content.key in mine]

    def _stem(self, what: str, seats: str) -> str:
        last = self.lacks.game.last
        parts = [self.slug, what, f"{last:04}" if last else "", seats]
        return "-".join(part for part in parts if part)

    # -------------------------------------------------------------- where it goes
    def print_all(self, parcels: list[Parcel]) -> None:
        """Print all bundles, so that they can be copied into an email."""
        for parcel in parcels:
            print(parcel.text, end="")
            self.note_sent(parcel)

    def write_all(self, parcels: list[Parcel], output: Path | None) -> None:
        """Write each bundle to its file, and say what to do with it. Raises CliError,
        StorageError."""
        if output and len(parcels) > 1:
            told = f"-o takes only one file, but there are {len(parcels)} bundles"
            raise CliError(told, "say who the bundle is for: --to b")
        for parcel in parcels:
            path = self._write(parcel, output)
            self._tell(parcel, path)
            self.note_sent(parcel)

    def _write(self, parcel: Parcel, output: Path | None) -> Path:
        """Write one bundle. A bundle that was written before keeps its file; a new one gets a
        number."""
        if parcel.letter:
            return write_letter(self.session, parcel.letter, output)
        data = parcel.text.encode()
        for path in [output.absolute()] if output else self._paths(parcel.stem):
            try:
                create(path, data)
            except TakenError:
                continue
            return path
        raise CliError(f"{output} exists already", "give the path of a different file with -o")

    def _paths(self, stem: str) -> list[Path]:
        from pbem.mail.sending import ENDING

        beside = self.session.folder.beside
        numbered = [f"{stem}-v{number}" for number in range(2, 1000)]
        return [beside / f"{name}{ENDING}" for name in [stem, *numbered]]

    def note_sent(self, parcel: Parcel) -> None:
        """Remember that the records in a bundle were sent to its recipient. Raises StorageError."""
        self.book.sent(parcel.to, [record.id for record in parcel.records])

    def _tell(self, parcel: Parcel, path: Path) -> None:
        from pbem.mail.sending import what_is_in

        if parcel.letter:
            self._tell_letter(parcel.letter, path)
            return
        before = all(self.book.was_sent(parcel.to, record.id) for record in parcel.records)
        size = -(-path.stat().st_size // 1000)
        print(f"wrote {brief(path)} ({what_is_in(parcel.records)}; {size} kB)")
        name = clean(parcel.name)
        if before:
            say(
                f"you have already sent all of this to {name}; send it again only if it did not "
                "arrive"
            )
        again = (
            "pbem send --paste" if parcel.to == REFEREE else f"pbem send --to {parcel.to} --paste"
        )
        say(f"attach it to an email to {name}, or paste the output of `{again}` into the email")
        say(f"{name} then types: pbem receive {path.name}")
        for told in parcel.late:
            say(f"the bundle tells {name}: your {told}")
        if parcel.to != REFEREE and not self.lacks.game.last:
            say(
                "the player then uses the invite that you send privately: pbem join --invite "
                "…, then pbem send"
            )
        sys.stdout.flush()

    def _tell_letter(self, letter: Letter, path: Path) -> None:
        name, size = clean(letter.name), -(-len(letter.data) // 1000)
        print(f"wrote {brief(path)} (an email to {name}; {size} kB)")
        say(f"open it in your mail program and send it to {letter.address}")
        say(f"save {name}'s reply, and type: pbem receive FILE")
        sys.stdout.flush()


# ---- Votes, proposals and what waits: who must still agree, and who can cancel

_OPTIONS = {"score": "", "draw": " --draw", "no winner": " --no-winner"}
CANCEL = "pbem notice end --no"
"""The command that shows that a player is there, so that it cancels what waits for them."""


def agreement_lines(session: Session, view: View) -> list[str]:
    """Return a line for each open vote, each key for which somebody vouches, and each act that can
    still be cancelled."""
    if not session.listing.notices or view.over or view.preview:
        return []
    standing = standing_now(session)
    waits = [_wait_line(standing, wait, view.seat) for wait in standing.waits]
    return [*_vote_lines(standing, view.seat), *_vouch_lines(standing), *waits]


def _vote_lines(standing: Standing, me: str) -> list[str]:
    lines, waiting = list[str](), {wait.result for wait in standing.waits}
    for result in sorted({*standing.votes.values()} - waiting):
        voters = sorted(who for who, vote in standing.votes.items() if vote == result)
        vote = "votes" if len(voters) == 1 else "vote"
        told = f"{clean(standing.called(voters))} {vote} {vote_words(result)}"
        who = standing.consent("no winner" if result == "no winner" else "end")
        missing = sorted(who.seats - {*voters})
        names = [standing.called(missing)] if missing else []
        if who.referee and not {"referee", *standing.charter.plays} & {*voters}:
            names.append(f"{standing.referee_name}, the referee,")
        more = clean(" and ".join(names))
        told += f"; {more} must vote so too" if more else ""
        told += f" (to agree: pbem notice end{_OPTIONS[result]})" if me in missing else ""
        told += f"; that cannot end the game now: {who.never}" if who.never else ""
        lines.append(told)
    return lines


def _vouch_lines(standing: Standing) -> list[str]:
    lines = list[str]()
    waiting = {wait.seat for wait in standing.waits}
    for seat in sorted({seat for _, seat in standing.vouched} - waiting):
        given = sorted(voucher for voucher, about in standing.vouched if about == seat)
        who = standing.consent("vouch", seat)
        missing = standing.called([*sorted(who.seats - {*given}), "referee"])
        verb = "vouches" if len(given) == 1 else "vouch"
        told = f"{standing.called(given)} {verb} for a new key of {standing.names[seat]}"
        lines.append(clean(f"{told}; still to vouch, the referee last: {missing}"))
    return lines


def _wait_line(standing: Standing, wait: Wait, me: str) -> str:
    """Say what will happen, from when on, and what cancels it."""
    told = f"{wait.told}, in the first turn from {local_date(wait.until)} on"
    if wait.disputed:
        what = "a new key, signed with the recovery key of the seat, cancels this"
        return clean(f"{told}; only {what}")
    if me and me in wait.cancels:
        return clean(f"{told}; to cancel this, send orders, or type: {CANCEL}")
    others = [seat for seat in wait.cancels if seat != me]
    return clean(f"{told}, unless {' or '.join(standing.names[s] for s in others)} acts before")


def waits_data(session: Session, view: View) -> list[dict[str, object]]:
    """Return the acts that can still be cancelled, as data."""
    if not session.listing.notices or view.over or view.preview:
        return []
    return [
        {
            "about": wait.about,
            "seat": wait.seat,
            "told": wait.told,
            "until": wait.until,
            "cancels": list(wait.cancels),
        }
        for wait in standing_now(session).waits
    ]


def votes_of_others(session: Session, view: View) -> list[str]:
    """Tell a player without `pbem` how others have voted to end the game, how to agree, and what
    will happen unless they answer."""
    if not session.listing.notices or view.over:
        return []
    votes, words = votes_here(session), {DRAW: "draw", NO_WINNER: "no winner"}
    others = [(who, result) for who, result in sorted(votes.items()) if who != view.seat]
    lines = [
        f"{clean({**view.names, 'referee': view.referee}[voter])} votes {vote_words(result)}. If "
        f"you want the same, write: vote {words.get(result, 'end')}"
        for voter, result in others
        if votes.get(view.seat) != result
    ]
    return lines + [
        f"From {local_date(wait.until)} on, the next turn brings this about: {clean(wait.told)}. "
        "If you do not want this, choose something below, or write: vote no"
        for wait in standing_now(session).waits
        if view.seat in wait.cancels
    ]


def vote_words(result: str) -> str:
    """Say what a vote wants, in words."""
    return f"to end the game {END_WORDS[result]}" if result in END_WORDS else "to play on"
