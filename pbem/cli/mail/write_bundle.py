"""Write bundles for `send`: choose the records for each player, and say what to do next."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, NOT_YET, CliError, not_an_address, say
from pbem.cli.mail.mail_seats import mail_seats, write_letter
from pbem.cli.session.seen_on_this_machine import note_heads
from pbem.frozen import frozen
from pbem.mail.sent_mail import REFEREE, SentMail, sitting
from pbem.screen.terminal import brief, clean

if TYPE_CHECKING:
    from pbem.cli.mail.mail_seats import Letter, MailSeat
    from pbem.cli.session.session import Session
    from pbem.records.read_record import Content, Record


@frozen
class Parcel:
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
        from pbem.mail.bundle import bundle

        if self.letter:
            return self.letter.text
        notes = [f"Note: your {told}." for told in self.late]
        told = [*([self.asked] if self.asked else []), *self.newcomer]
        return bundle(self.records, self.stem, [*told, *notes])


class BundleWriter:
    """Writes bundles for one run of `send`."""

    def __init__(self, session: Session, everything: bool = False, only_new: bool = False) -> None:
        from pbem.mail.missing_files import MissingFiles
        from pbem.records.joining import slug

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
        from pbem.mailseats.mail_book import MailBook
        from pbem.text.mail_address import is_address

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
        from pbem.mail.invitation import how_to_get_pbem

        joined = {record.content.seat for record in self.session.game_folder.joins().values()}
        if to == REFEREE or to in joined or self.lacks.game.last:
            return []
        return how_to_get_pbem("the referee")

    # -------------------------------------------------------------- players without pbem
    def _mail_seat(self, seat: str) -> MailSeat:
        """Return the seat of a player by plain email. Raises CliError before turn 1."""
        from pbem.cli.mail.mail_seats import MailSeat

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
        from pbem.cli.deadlines.away import COME_BACK
        from pbem.cli.deadlines.due import Due

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
        from pbem.play.orders.absence import absence_from_turns, round_of

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
        from pbem.storage.atomic_write import create
        from pbem.storage.errors import TakenError

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
        from pbem.mail.bundle import ENDING

        beside = self.session.folder.beside
        numbered = [f"{stem}-v{number}" for number in range(2, 1000)]
        return [beside / f"{name}{ENDING}" for name in [stem, *numbered]]

    def note_sent(self, parcel: Parcel) -> None:
        """Remember that the records in a bundle were sent to its recipient. Raises StorageError."""
        self.book.sent(parcel.to, [record.id for record in parcel.records])

    def _tell(self, parcel: Parcel, path: Path) -> None:
        from pbem.mail.bundle import what_is_in

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
