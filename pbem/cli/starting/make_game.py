"""Make a game for `new`: the folder, the charter, and the joins of seats that the referee plays."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.failure import FINDINGS, KEY, CliError
from pbem.cli.session.session import Session
from pbem.cli.starting.take_seat import WHY_BACK_UP, put_join, rules_of
from pbem.cli.starting.typed_deadlines import (
    DEFAULT,
    IDLE_AFTER,
    OPEN_AFTER,
    deadline_line,
    deputy_policy,
    how_read,
    idle_policy,
    open_policy,
    silent_lines,
    silent_policy,
    typed_policies,
)

if TYPE_CHECKING:
    from pbem.cli.session.keyring import Keyring
    from pbem.cli.starting.rematch import Rematch
    from pbem.cli.starting.typed_players import TypedPlayers
    from pbem.format.keys import SigningKey
    from pbem.play.making.sign import Plan
    from pbem.records.charter_join_orders import Charter, Join
    from pbem.records.read_record import Record
    from pbem.storage.private.home import Home
    from pbem.storage.store.address import Place

AS_PRINTED = " (this saves days; --as-printed plays the printed rules)"


@dataclass
class NewGame:
    """One run of `pbem new`, with its options."""

    folder: str | Path
    players: str = ""
    like: str = ""
    game: str = ""
    title: str = ""
    referee: str = ""
    referee_plays: bool = False
    bots: str = ""
    mail_seats: str = ""
    options: list[str] | None = None
    as_printed: bool = False
    deadline: str = DEFAULT
    deadline_for: Sequence[str] = ()
    change_of_mind: str = ""
    delays: str = ""
    wait_for_all: bool = False
    idle_after: int = IDLE_AFTER
    open_after: int = OPEN_AFTER
    silent_seat: str = "defaults"
    deputy: str = ""
    deputy_after: str = ""
    cards: Path | None = None
    profile: str = "default"
    table: str = ""
    passphrase_file: Path | None = None
    quiet: bool = False
    home: Home | None = None
    keyring: Keyring | None = None

    def run(self) -> Record[Charter]:
        """Make the folder with its charter and the joins of the referee's seats; say what to do
        next."""
        from pbem.storage.file_names import Name

        session = Session(self.folder, None, self.passphrase_file, self.home, self.keyring)
        self._check_empty(session)
        plan, table = self._plan(session.place), self._table()
        key = session.keyring.key_or_new(self.profile)
        charter = self._charter(plan, key, table)
        session.home.stay_outside(session.place)
        session.folder.create(Name("charter"), charter.file)
        session.refresh()
        session.mine.remember_place(session.place)
        self._note_addresses(session, charter.content)
        sit_held(session, charter, key)
        if not self.quiet:
            self._tell(session, charter, key)
        return charter

    def _check_empty(self, session: Session) -> None:
        state = session.listing.state
        if state == "game" and self.table:
            return  # writing the same charter again is no change; a different one is refused
        if state == "game":
            hint = (
                f"pbem advance -C {self.folder} continues that game; or choose a different folder"
            )
            raise CliError(f"{self.folder} contains a game already", hint)
        if state not in ("missing", "empty"):
            raise CliError(f"{self.folder} is not empty", "choose a folder that does not exist yet")
        if (other := _game_around(session.place)) is not None:
            where, title = other
            told = f"{self.folder} is inside {where}, the folder of the game {title!r}: "
            hint = f"choose a folder outside it, such as {where.parent / session.place.name}"
            raise CliError(
                f"{told}all players of that game see what is in its folder, and may sync it", hint
            )

    def _charter(self, plan: Plan, key: SigningKey, table: bytes) -> Record[Charter]:
        from pbem.format.errors import RecordError
        from pbem.play.making.sign import make_charter

        try:
            return make_charter(plan, key, table)
        except RecordError as error:
            raise CliError(error.sentence) from None

    # -------------------------------------------------------------- the plan
    def _plan(self, place: Place) -> Plan:
        from games.registry import ruleset
        from pbem.play.making.sign import Plan

        if self._rematch:
            return self._plan_like(self._rematch.plan, place)
        typed = self._typed
        bots = self._bots(len(typed.names))
        names = [*typed.names, *(f"{bot} bot {n}" for n, bot in enumerate(bots, start=1))]
        letters = [chr(ord("a") + n) for n in range(len(names))]
        seats = dict(zip(letters[len(letters) - len(bots) :], bots, strict=True))
        plays = [*(["a"] if self.referee_plays else []), *seats]
        if not names:
            solo = "to play alone against bots: --players Ann --referee-plays --bots greedy:2"
            raise CliError("a game needs players: say who plays", f"--players Ann,Bo; {solo}")
        least, most = (ruleset(self._ruleset()).players[n] for n in (0, -1))
        if len(names) < least:
            told = f"{self._ruleset()} is for {least} to {most} players"
            missing = f"--bots greedy:{min(2, most - len(names))}"
            raise CliError(told, f"name more players, or play against bots: {missing}")
        return Plan(
            title=self.title or place.name or "game",
            referee=self.referee or (names[0] if self.referee_plays else "the referee"),
            ruleset=self._ruleset(),
            players=names,
            options={**self._by_mail(), **read_options(self.options or ())},
            policies=self._policies(),
            plays=plays,
            by_mail=self._mail_letters(plays),
            bots=seats,
            deputy=named_deputy(self.deputy),
            cards=self._cards(),
        )

    @cached_property
    def _rematch(self) -> Rematch | None:
        """Return what the new game takes from the one that `--like` names. Raises CliError."""
        from pbem.cli.starting.rematch import place_of_game, rematch
        from pbem.storage.private.home import Home

        if not self.like:
            return None
        may = {"folder", "like", "title", "deadline", "deadline_for", "profile", "table"}
        may |= {"passphrase_file", "quiet", "home", "keyring"}
        for field in fields(self):
            usual: tuple[object, ...] = (field.default, None, [])
            if field.name not in may and getattr(self, field.name) not in usual:
                option = field.name.replace("_", "-").replace("options", "option")
                told = f"--like takes this from the other game: --{option}"
                raise CliError(told, "leave it out, or make a game without --like")
        home = self.home or Home.find()
        place = place_of_game(self.like, home)
        return rematch(Session(place, None, self.passphrase_file, home, self.keyring))

    def _plan_like(self, plan: Plan, place: Place) -> Plan:
        """Return the plan of a game like another one, with the title and deadlines typed here."""
        from games.registry import ruleset

        policies = dict(plan.policies)
        if self.deadline != DEFAULT or self.deadline_for:
            phases = [phase.name for phase in ruleset(plan.ruleset).phases]
            policies = {x: y for x, y in policies.items() if not x.startswith("deadline")}
            policies |= typed_policies(self.deadline, self.deadline_for, "", phases)
        return replace(plan, title=self.title or place.name or plan.title, policies=policies)

    @cached_property
    def _typed(self) -> TypedPlayers:
        """Return the players, and the addresses of those who answer by plain email. Raises
        CliError."""
        from pbem.cli.starting.typed_players import read_players

        return read_players(self.players, self.mail_seats)

    def _mail_letters(self, plays: Collection[str]) -> list[str]:
        """Return the seats of the players who answer by plain email. Raises CliError."""
        names = self._typed.names
        letters = [chr(ord("a") + names.index(name)) for name in self._typed.by_mail]
        if letters and self.deputy:
            told = "a game with a player who answers by email cannot have a deputy"
            raise CliError(
                told, "the key of that seat is derived from yours, so leave out --deputy"
            )
        if own := sorted(set(letters) & set(plays)):
            raise CliError(f"seat {own[0]} is yours, and you cannot answer your own emails")
        return letters

    def _note_addresses(self, session: Session, charter: Charter) -> None:
        """Remember the addresses of the players by plain email in the home."""
        from pbem.mailseats.mail_book import MailBook

        if self._rematch:
            addresses = self._rematch.addresses
        else:
            by_mail = self._typed.by_mail
            addresses = {p.seat: by_mail[p.name] for p in charter.seats if p.mail}
        if addresses:
            MailBook(session.mine).set_addresses(addresses)

    def _by_mail(self) -> dict[str, str]:
        """Return the options that shorten a game by mail; none if the referee wants the printed
        rules."""
        from games.registry import ruleset

        if self.as_printed:
            return {}
        return {o.name: o.by_mail for o in ruleset(self._ruleset()).options if o.by_mail}

    def _policies(self) -> dict[str, str | int | bool]:
        from games.registry import ruleset

        phases = [phase.name for phase in ruleset(self._ruleset()).phases]
        typed = typed_policies(
            self.deadline, self.deadline_for, self.change_of_mind, phases, self.delays
        )
        wait = {"wait": "round"} if self.wait_for_all else {}
        numbers = {**idle_policy(self.idle_after), **open_policy(self.open_after)}
        silent = silent_policy(self.silent_seat, typed, self.idle_after, self.open_after)
        return {**typed, **numbers, **silent, **deputy_policy(self.deputy_after), **wait}

    def _ruleset(self) -> str:
        import difflib

        from games.registry import UnknownGame, first, names, ruleset

        try:
            return ruleset(self.game or first()).name
        except UnknownGame:
            close = difflib.get_close_matches(self.game, names(), 1)
            hint = f"did you mean {close[0]}?" if close else f"the games are: {', '.join(names())}"
            raise CliError(f"no game is called {self.game!r}", hint) from None

    def _cards(self) -> str:
        """Read the owner's card file, and check it before it is put into the charter."""
        from pbem.play.installed_rules import ruleset_with
        from pbem.storage.read_file import read_file
        from pbem.text.handwritten_toml import MAX_TEXT, Overlong

        if self.cards is None:
            return ""
        try:
            text = read_file(self.cards.absolute(), MAX_TEXT).decode("ascii").replace("\r\n", "\n")
            if not text:
                raise ValueError("the file is empty")
            ruleset_with(self._ruleset(), text)
        except UnicodeDecodeError:
            raise CliError(
                f"{self.cards} has characters that are not ASCII", "", FINDINGS
            ) from None
        except Overlong as error:
            raise CliError(f"{self.cards}: {error}", "", KEY) from None
        except ValueError as error:
            template = f"pbem explain --game {self._ruleset()} --cards-template"
            hint = f"{template} prints a card file to start from"
            raise CliError(f"{self.cards}: {str(error)[:300]}", hint, FINDINGS) from None
        return text

    def _bots(self, players: int) -> list[str]:
        from engine.bots import factories
        from games.registry import ruleset

        found: list[str] = []
        for part in self.bots.split(",") if self.bots else ():
            name, _, count = part.partition(":")
            known = sorted(factories(ruleset(self._ruleset())))
            if name not in known or not re.fullmatch("[1-9]?", count):
                raise CliError(
                    f"{part!r} is not a bot",
                    f"the bots are {', '.join(known)}; for two greedy bots, write greedy:2",
                )
            found += [name] * int(count or 1)
        return found

    def _table(self) -> bytes:
        if not self.table:
            import secrets

            return secrets.token_bytes(16)
        if not re.fullmatch("[0-9a-fA-F]{32}", self.table):
            raise CliError("--table needs 32 hex digits")
        return bytes.fromhex(self.table)

    # -------------------------------------------------------------- what to do next
    def _tell(self, session: Session, charter: Record[Charter], key: SigningKey) -> None:
        from pbem.screen.terminal import clean, typed

        content, in_folder = charter.content, isinstance(session.place, Path)
        print(f"made {self.folder} ({content.ruleset}, {len(content.seats)} seats)")
        if content.notes:
            print(clean(content.notes))
        mine = [p for p in content.seats if p.seat in content.plays and not p.bot]
        if mine:
            print(f"you are the referee, and {clean(mine[0].name)} in seat {mine[0].seat}")
        else:
            also = "" if self.like else " (to play too, in seat a: --referee-plays)"
            print(f"you are the referee: you deal the cards and do not play{also}")
        for line in _mail_seats_told(content):
            print(line)
        for line in rules_of(content):
            print(f"{line}{AS_PRINTED if not self.like and self._by_mail() else ''}")
        print(deadline_line(content.policies))
        for line in how_read(self.deadline, self.deadline_for):
            print(line)
        for line in (*silent_lines(content.policies), *deputy_lines(content)):
            print(line)
        print(f"BACK UP {session.home.key_path(self.profile)}: {WHY_BACK_UP}")
        open_seats = [plan.seat for plan in content.seats if plan.seat not in content.held]
        if open_seats:
            share = "share the folder" if in_folder else "let the players use the store"
            print(f"{share}, and send each player their own invite, privately:")
            print("\n".join(invite_lines(charter, key, open_seats, session.place)))
        alone = self.referee_plays and all(plan.bot for plan in content.seats[1:])
        watch = "pbem play" if alone else "pbem advance --watch"
        there = f"cd {typed(self.folder)} && {watch}" if in_folder else f"{watch} -C {self.folder}"
        print(f"next: {there}")


def _game_around(place: Place) -> tuple[Path, str] | None:
    """Return the game folder in which a new folder would be, and that game's title; None if there
    is none."""
    from pbem.play.checking.game_folder import NoGameError, open_folder
    from pbem.storage.errors import FileError, StorageError
    from pbem.storage.folder import Folder

    for above in place.resolve().parents if isinstance(place, Path) else ():
        if (above / "game.toml").is_file():
            with contextlib.suppress(NoGameError, FileError, StorageError):
                return above, open_folder(Folder(above)).charter.content.title
    return None


def sit_held(session: Session, charter: Record[Charter], key: SigningKey) -> None:
    """Write the joins of the seats that the referee plays, if the folder does not have them."""
    for seat in sorted(charter.content.held):
        put_join(session, held_join(charter, key, seat, address_of(session, seat)))


def address_of(session: Session, seat: str) -> str:
    """Return the address that the referee typed for a seat by mail; empty if they typed none."""
    from pbem.mailseats.mail_book import MailBook

    return MailBook(session.mine).first_address(seat)


def _mail_seats_told(charter: Charter) -> list[str]:
    """Return lines that tell the referee what they must know about players who answer by plain
    email."""
    from pbem.screen.terminal import clean

    seats = [f"{clean(plan.name)} (seat {plan.seat})" for plan in charter.seats if plan.mail]
    if not seats:
        return []
    answer = "answers" if len(seats) == 1 else "answer"
    told = f"{' and '.join(seats)} {answer} by plain email: you have the key and sign the orders"
    return [f"{told} (the charter and the audit say so)"]


def held_join(
    charter: Record[Charter], key: SigningKey, seat: str, contact: str = ""
) -> Record[Join]:
    """Return the join of a seat that the referee plays; the same arguments always give the same
    bytes."""
    from pbem.format.keys import Secrets, SigningKey
    from pbem.play.making.sign import invite_to, make_join

    name = next(plan.name for plan in charter.content.seats if plan.seat == seat)
    invite = invite_to(charter, key, seat)
    held = SigningKey(Secrets(key.seed).held(invite.game, seat))
    return make_join(charter, seat, name, held, invite.code, contact)


def read_options(parts: Iterable[str]) -> dict[str, str]:
    """Return the options typed as `--option NAME=VALUE`. Raises CliError."""
    found = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals:
            raise CliError(f"{part!r} is not an option", "write --option NAME=VALUE")
        found[name] = value
    return found


def invite_lines(
    charter: Record[Charter], key: SigningKey, seats: Collection[str], place: Place
) -> list[str]:
    """Return a line for each of these seats: the player's name and the command that they must
    type."""
    from pbem.play.making.sign import invite_to
    from pbem.screen.terminal import clean

    join = "pbem join" if isinstance(place, Path) else f"pbem join -C {place}"
    return [
        f"  {clean(plan.name)}:  {join} --invite {invite_to(charter, key, plan.seat).line()}"
        for plan in charter.content.seats
        if plan.seat in seats
    ]


def deputy_lines(charter: Charter) -> list[str]:
    """Return what the referee asks the deputy, who could otherwise be somebody else."""
    from pbem.play.deputy.deputy_line import DeputyLine

    if not charter.deputy_key:
        return []
    from pbem.screen.terminal import clean

    words = DeputyLine(charter.deputy_key, charter.deputy_x25519).words()
    name = clean(charter.deputy)
    told = f"before the first turn, ask {name}, by voice, for the words of their line"
    return [f"{told} (pbem keys deputy prints them): {words}"]


def named_deputy(said: str) -> tuple[str, bytes, bytes]:
    """Read `NAME=LINE` as the deputy's name and two keys; empty for none. Raises CliError."""
    from pbem.format.errors import RecordError
    from pbem.play.deputy.deputy_line import parse_deputy_line

    if not said:
        return "", b"", b""
    name, equals, line = said.partition("=")
    if not equals or not name.strip():
        raise CliError("--deputy needs a name and a line", "--deputy Flo=deputy:4f1c22…")
    try:
        found = parse_deputy_line(line)
    except RecordError as error:
        hint = "the deputy types pbem keys deputy, and sends you the line"
        raise CliError(f"--deputy: {error.sentence}", hint) from None
    return name.strip(), found.key, found.x25519
