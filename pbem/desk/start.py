"""Make a game, and take a seat in one."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from engine import Ruleset
from engine.bots import factories
from engine.values import Mutable
from games import registry
from pbem.desk.base import not_an_address
from pbem.desk.deadlines import (
    DEFAULT,
    silence_policies,
    typed_policies,
)
from pbem.desk.explain import ruleset_called
from pbem.desk.notices import back_up, standing_soon
from pbem.errors import FINDINGS, KEY, NOT_YET, CliError, PbemError
from pbem.files.disk import FileError, StorageError, read_file
from pbem.files.folder import (
    Folder,
    Name,
    Place,
    SharedFolder,
    as_folder,
    is_gone,
    is_on_host,
    place_of,
)
from pbem.files.home import Home
from pbem.format.canonical import RecordError
from pbem.format.keys import Secrets, SigningKey, parse_public_line
from pbem.judge.archive import NoGameError, game_in, open_folder
from pbem.judge.deputy import DeputyLine, parse_deputy_line
from pbem.judge.record_files import file_name
from pbem.judge.rules import ruleset_of, ruleset_with
from pbem.judge.sign import Plan, invite_to, make_charter, make_join
from pbem.person.by_mail import mail_method
from pbem.person.keyring import DEFAULT_PROFILE
from pbem.person.losses import standing_now
from pbem.person.lost_keys import game_begun_error
from pbem.person.next_step import step_after_signing
from pbem.person.own_joins import invited_joins, join_subject, join_warnings, words_line
from pbem.person.seen import last_signed_record, note_if_writable
from pbem.person.session import Session
from pbem.person.user_game import chosen_place
from pbem.records.charter import (
    Charter,
    Invite,
    Join,
    door_key,
    is_let_in,
    parse_invite,
    slug,
)
from pbem.records.policies import IDLE_AFTER, OPEN_AFTER
from pbem.records.read_record import Record
from pbem.screen.commands import at_address
from pbem.screen.table import rules_chosen
from pbem.screen.terminal import clean, say, typed
from pbem.text.clock import now
from pbem.text.handwritten_toml import MAX_TEXT, Overlong
from pbem.text.names import alike, is_address, look, word_of_commands
from pbem.wording.deadlines import deadline_line, silence_lines
from pbem.wording.new_game import (
    MAIL_RUN_SENTENCE,
    OWN_LINE_STEP,
    SAME_CHARTER_SENTENCE,
    SEND_LINES_SENTENCE,
    ask_deputy_line,
    describe_charter,
    how_to_play_line,
    lines_again_line,
    lines_of_invite,
    made_line,
    made_on_host_line,
    mail_seats_line,
    referee_line,
    share_line,
    wait_for_referee_line,
    your_seat_line,
)
from pbem.wording.next_step import next_line_after_signing

# ---- Make a game like another one, for `pbem new --like`: the same people, another first player
#
# The player of the first seat gets the last one, and everybody else moves up.


def place_of_game(typed: str, home: Home) -> Place:
    """Return the folder of the game that was typed: a folder, or the title of one of your games.

    Raises CliError, StorageError.
    """
    place = place_of(typed)
    if not isinstance(place, Path) or game_in(place):
        return place
    places = [home.game(ident).place for ident in home.games()]
    known = [one for one in places if isinstance(one, Path) and not is_gone(one)]
    named = [one for one in known if typed in (one.name, _title(one))]
    if len(named) != 1:
        problem = f"{len(named)} of your games are called" if named else "no game is called"
        raise CliError(f"--like: {problem} {typed!r}", "give the folder of a game: pbem list")
    return named[0]


def _title(place: Path) -> str:
    try:
        return open_folder(as_folder(place)).charter.content.title
    except PbemError:
        return ""


def next_title(title: str) -> str:
    """Return a title for the next game after one with this title: `pond 2` after `pond`."""
    words, space, number = title.rpartition(" ")
    if space and number.isascii() and number.isdecimal() and len(number) < 4:
        return f"{words} {int(number) + 1}"
    return f"{title} 2"


def next_folder(typed: str) -> Path:
    """Return a new folder beside the game that was typed: `pond-2` after `pond`.

    Raises CliError, StorageError.
    """
    place = place_of_game(typed, Home.find())
    if not isinstance(place, Path):
        raise CliError("say in which new folder the game will be", "pbem new FOLDER --like GAME")
    old = place.absolute()
    path = old.parent / slug(next_title(old.name.replace("-", " ")))
    return Path(path.name) if path.parent == Path.cwd() else path


def rematch(session: Session) -> tuple[Plan, dict[str, str]]:
    """Return the plan of a game like the one of this session, and the address of each player who
    answers by plain email, by the seat in the new game. Raises CliError."""
    from pbem.person.books import MailBook

    charter, roles = session.charter, session.roles
    names, mail = {p.seat: p.name for p in charter.seats}, {*charter.by_mail}
    if session.listing.reached:
        view = session.view()
        names, mail = names | view.names, {*view.by_mail}
    if mail and not roles.referee:
        problem = f"{names[min(mail)]} answers by plain email, and only the referee of the old game"
        raise CliError(
            f"{problem} has the address", "--players and --mail-seats, without --like", KEY
        )
    own = [p.seat for p in charter.seats if p.seat in roles.seats and not p.bot]
    own = own if not roles.referee else [seat for seat in own if seat in charter.plays]
    letters = [plan.seat for plan in charter.seats]
    old = dict(zip(letters, [*letters[1:], *letters[:1]], strict=True))
    """The seats of the old game, by those of the new one."""
    maker = session.game_folder.maker().name
    kept = roles.referee and maker == charter.referee
    bots = {seat: charter.bots[before] for seat, before in old.items() if before in charter.bots}
    by_mail = [seat for seat, before in old.items() if before in mail]
    plan = Plan(
        title=charter.title,
        referee=maker if roles.referee else names[own[0]] if own else "the referee",
        ruleset=charter.ruleset,
        players=[names[before] for before in old.values()],
        options=charter.options,
        policies=charter.policies,
        plays=[seat for seat, before in old.items() if seat in bots or before in own[:1]],
        by_mail=by_mail,
        bots=bots,
        deputy=(charter.deputy, charter.deputy_key, charter.deputy_x25519)
        if kept
        else ("", b"", b""),
        cards=charter.cards,
    )
    book = MailBook(session.game_home)
    return plan, {seat: book.address(old[seat]) for seat in by_mail}


# ---- Take a seat for `join`: check the invite, then sign a join and write it


def take_seat(
    session: Session,
    invite: str,
    name: str,
    contact: str,
    profile: str,
    *,
    recovery: str = "",
    quiet: bool = False,
    makes_key: bool = False,
) -> Record[Join]:
    """Join a game with an invite for it; write the join and return it. `makes_key`: make the
    profile's key, if there is none, also for a profile that is not `default`."""
    parsed = _invite(session, invite)
    charter = session.game_folder.charter
    plan = next((p for p in charter.content.seats if p.seat == parsed.seat), None)
    if parsed.seat in charter.content.by_mail and not session.listing.reached:
        problem = f"the player of seat {parsed.seat} answers by email, and turn 1 is not here yet"
        hint = "once turn 1 is here, the referee can send an invite for the seat"
        raise CliError(problem, f"{hint}: pbem notice invite {parsed.seat}", NOT_YET)
    if plan is None or parsed.seat in charter.content.plays:
        free = [p.seat for p in charter.content.seats if p.seat not in charter.content.plays]
        problem = f"seat {parsed.seat} cannot be taken in this game"
        raise CliError(problem, f"the seats for players are: {', '.join(free)}", KEY)
    check_open(session, parsed.seat, name)
    _check_door(session, parsed)
    _check_alone(session, plan.name, parsed.seat, profile)
    _check_name(session, name or plan.name, parsed.seat)
    makes_key = makes_key and profile not in session.keyring.publics
    key = session.keyring.make(profile) if makes_key else session.keyring.key_or_new(profile)
    spare = _recovery_key(session, recovery)
    record = make_join(charter, parsed.seat, name or plan.name, key, parsed.code, contact, spare)
    before, _ = last_signed_record(session.game_home, join_subject(parsed.seat))
    if before and before.content.key == key.public and not (name or contact or recovery):
        record = before  # the same join again, also if it was signed under a different name
    else:
        _check_once(session, before, record)
        note_if_writable(session.game_home.acts.keep, join_subject(parsed.seat), record.file)
    put_join(session, record)
    note_if_writable(
        session.game_home.receipts.note, record.id.hex(), now(), file_name(record).path
    )
    if not quiet:
        note_if_writable(session.game_home.sightings.look, [], now())
        _tell_joined(session, charter.content, record, profile)
    return record


def profile_of_invite(session: Session, invite: str) -> str:
    """Return the profile whose key signed the last join that this machine made with this invite;
    empty if it made none."""
    parsed = _invite(session, invite)
    join, _ = last_signed_record(session.game_home, join_subject(parsed.seat))
    if join is None or not is_let_in(join.content, door_key(parsed.code, parsed.seat).public):
        return ""
    publics = session.keyring.publics
    return next((name for name, public in publics.items() if public == join.content.key), "")


def typed_invite(text: str) -> tuple[str, str | None]:
    """Return the invite that somebody typed, pasted or piped in, and the place of the game if it is
    there too; people often paste the whole line that contains them. Asks for it in a terminal if
    there is nothing, and elsewhere raises CliError.
    """
    asked = sys.stdin.isatty()
    if text.strip() == "-" or (asked and not text.strip()):
        if asked:
            say("paste the invite, then press Enter")
        text = sys.stdin.readline()
    if not text.strip():
        problem = "paste the invite that the referee sent you: one long line"
        hint = "pbem join savannah:b:4H7Q…:4f1c22…:K7Q2… (if you have lost it, the referee's "
        raise CliError(problem, f"{hint}`pbem advance` prints it again)")
    before, _, after = text.rpartition("--invite")
    place = next((word for word in before.split() if "://" in word), None)
    return next((word for word in after.split() if word.count(":") == 4), after), place


def invited_place(invite: str) -> str | None:
    """Return the folder of the game that the invite names, if you are not in a game's folder and
    this computer knows the game; else None."""
    here, home = chosen_place(None), Home.find()
    try:
        game = parse_invite(invite).game.hex()
    except RecordError:
        return None
    if not isinstance(here, Path) or game_in(here) or game not in home.games():
        return None
    place = home.game(game).place
    return None if place is None or is_gone(place) else str(place)


def _invite(session: Session, invite: str) -> Invite:
    try:
        parsed = parse_invite(invite)
    except RecordError as error:
        raise CliError(error.sentence) from None
    if parsed.game != session.game_folder.game:
        problem = "the charter in this folder is not the one that your invite names"
        hint = (
            "check that this is the right folder; if it is, the charter may have been "
            "changed: ask the referee"
        )
        raise CliError(problem, hint, KEY)
    return parsed


def check_open(session: Session, seat: str, name: str) -> None:
    """Raise CliError unless somebody of this name may take the seat, now or before turn 1."""
    if not session.listing.reached or seat in session.roles.seats:
        return
    if not standing_now(session).is_open(seat):
        raise game_begun_error(session, seat)
    if not name:
        problem = f"you take seat {seat} over from {session.name_of(seat)}"
        raise CliError(problem, "say who you are: --name NAME")


def _check_door(session: Session, invite: Invite) -> None:
    doors = session.charter.doors
    if session.listing.reached and invite.seat not in session.roles.seats:
        doors = {**standing_soon(session).doors}
    door = doors.get(invite.seat)  # a door that is not here yet cannot be compared
    if door is not None and door_key(invite.code, invite.seat).public != door:
        problem = f"this invite is not the one that counts for seat {invite.seat} now"
        hint = "let the folder sync, or ask the referee for a new invite"
        raise CliError(problem, hint, KEY)


def _check_alone(session: Session, name: str, seat: str, profile: str) -> None:
    if session.roles.referee == profile:
        problem = "this is the referee's key in this game, and a seat needs a separate key"
        raise CliError(problem, "to deal and play, make a new game: pbem new … --referee-plays")
    others = [s for s, p in session.roles.seats.items() if p == profile and s != seat]
    if others:
        this = f"this invite is for seat {seat} ({clean(name)})"
        both = f"pbem keys new --profile seat-{seat}, and join with --profile seat-{seat}"
        why = f"if you want to play both seats, or if seat {others[0]} belongs to someone else"
        raise CliError(f"you already have seat {others[0]}; {this}", f"{why}: {both}")


def _check_once(session: Session, before: Record[Join] | None, record: Record[Join]) -> None:
    """Raise CliError if this key joined for the seat before turn 1 and says something else now:
    nobody could tell which of the two joins counts."""
    seat, key = record.content.seat, record.content.key
    there = [before] if before else []
    there += [] if session.listing.reached else invited_joins(session, seat)
    mine = [one for one in there if one.content.key == key]
    if session.listing.reached or not mine or record.id in {one.id for one in mine}:
        return
    old = mine[0]
    problem = f"you have joined seat {seat} already, as {clean(old.content.name)}"
    problem += f" ({old.id.hex()[:6]})"
    how = "to change that before turn 1: pbem keys new --profile NAME, join again with --profile "
    how += f"NAME, and ask {clean(session.charter.referee)} to accept that join"
    raise CliError(problem, how)


_WINDOWS_DEVICES: Final = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE
)


def _cannot_be_on_windows(name: str) -> bool:
    """Return whether Windows refuses this name of a folder, or reads it as another one."""
    return bool(
        _WINDOWS_DEVICES.fullmatch(name)
        or re.search(r'[<>:"|?*\\]', name)
        or name[-1:] in (".", " ")
    )


def check_player_name(name: str) -> None:
    """Raise CliError for a name without a letter or digit, and for one that commands and emails
    take for something else."""
    if not look(name):
        raise CliError(f"the name {name!r} has no letter", "choose a name such as Ann or Bo")
    if meaning := word_of_commands(name):
        problem = f"a player cannot be called {name!r}, because pbem reads that as {meaning}"
        raise CliError(problem, "choose a different name, such as Ann or Bo")


def _check_name(session: Session, name: str, seat: str) -> None:
    check_player_name(name)
    plans = {plan.seat: plan.name for plan in session.charter.seats}
    if look(name) == look(plans.get(seat, "")):
        return  # the name that the referee gave this player
    joins = [record.content for record in session.game_folder.joins().values()]
    others = [
        ("the referee", session.charter.referee),
        *((f"seat {s}", n) for s, n in plans.items()),
    ]
    others += [(f"seat {join.seat}", join.name) for join in joins]
    for other, theirs in others:
        if other != f"seat {seat}" and look(theirs) == look(name):
            problem = f"{name!r} looks like the name of {other}"
            raise CliError(problem, "choose a different name: --name NAME")


def _recovery_key(session: Session, typed: str) -> bytes:
    if not typed or typed in session.keyring.publics:
        return session.keyring.publics[typed] if typed else b""
    try:
        return parse_public_line(" ".join(typed.split()[:2]))
    except RecordError as error:
        hint = "pbem keys new --profile recovery, then --recovery recovery"
        raise CliError(f"--recovery: {error.sentence}", hint) from None


def put_join(session: Session, record: Record[Join]) -> None:
    """Write a join into the folder; the same join again changes nothing."""
    session.folder.create(file_name(record), record.file)
    session.refresh()
    session.game_home.remember_place(session.place)


def _rules_lines(charter: Charter) -> list[str]:
    """Return lines on the variants of this game; none if the ruleset is not installed here, because
    you can join without it."""
    try:
        return rules_chosen(ruleset_of(charter), charter.options)
    except RecordError:
        return []


def charter_lines(charter: Charter) -> list[str]:
    """Return what somebody should know who takes a seat: who deals, which rules, what silence
    does."""
    return describe_charter(charter, _rules_lines(charter))


def _tell_joined(session: Session, charter: Charter, record: Record[Join], profile: str) -> None:
    for line in charter_lines(charter):
        print(line)
    print(SAME_CHARTER_SENTENCE)
    print(your_seat_line(record.content))
    print(words_line(record))
    print(how_to_play_line(charter.ruleset))
    for line in join_warnings(session):
        say(line)
    _back_up(session, profile)
    step = step_after_signing(mail_method(session))
    status_command = at_address(session.place, "pbem status")
    waiting = wait_for_referee_line(status_command)
    print(next_line_after_signing(step, session.place) or waiting)


def _back_up(session: Session, profile: str) -> None:
    earlier = {*session.home.games()} - {session.game_folder.game.hex()}
    if profile != DEFAULT_PROFILE or not earlier:
        back_up(session, profile)


# ---- Make a game: the folder, the charter, the joins of the referee's seats

AS_PRINTED = " (this saves days; --as-printed plays the printed rules)"


class NewGame(Mutable):
    """One run of `pbem new`, with its options."""

    session: Session
    """The referee, and where the game will be."""
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
    automaton: bool = False
    """Whether the referee is this host, which deals without a person."""
    dealer: str = ""
    """`host` if the host of the game deals."""
    quiet: bool = False
    assumed: list[str] = field(default_factory=list)
    """What `pbem` assumed when it read the deadlines."""

    def run(self) -> Record[Charter]:
        """Make the folder with its charter and the joins of the referee's seats; say what to do
        next."""
        session = self.session
        self._check_empty()
        plan = self._plan(session.place)
        if not re.fullmatch("([0-9a-fA-F]{32})?", self.table):
            raise CliError("--table needs 32 hex digits")
        key = session.keyring.key_or_new(self.profile)
        try:
            charter = make_charter(plan, key, bytes.fromhex(self.table) or secrets.token_bytes(16))
        except RecordError as error:
            raise CliError(error.sentence) from None
        session.home.check_outside(session.place)
        session.folder.create(Name("charter"), charter.file)
        session.refresh()
        session.game_home.remember_place(session.place)
        if self._rematch:
            addresses = self._rematch[1]
        else:
            addresses = {p.seat: self._players[1][p.name] for p in charter.content.seats if p.mail}
        if addresses:
            from pbem.person.books import MailBook

            MailBook(session.game_home).change(first=addresses)
        for seat in sorted(charter.content.held_seats):
            put_join(session, join_by_referee(charter, key, seat, address_of(session, seat)))
        if not self.quiet:
            self._tell(charter, key)
        return charter

    def _check_empty(self) -> None:
        state, place = self.session.listing.state, self.session.place
        if isinstance(place, Path) and state == "missing" and _cannot_be_on_windows(place.name):
            problem = f"Windows cannot have a folder called {clean(place.name)!r}, so a player "
            raise CliError(f"{problem}there cannot sync it", "choose a name such as pond")
        if state == "game" and self.table:
            return  # writing the same charter again is no change; a different one is refused
        if state == "game":
            hint = (
                f"pbem advance -C {self.folder} continues that game; or choose a different folder"
            )
            raise CliError(f"{self.folder} contains a game already", hint)
        if state not in ("missing", "empty"):
            raise CliError(f"{self.folder} is not empty", "choose a folder that does not exist yet")
        if (other := _game_around(place)) is not None:
            where, title = other
            problem = f"{self.folder} is inside {where}, the folder of the game {title!r}: "
            problem += "all players of that game see what is in its folder, and may sync it"
            hint = f"choose a folder outside it, such as {where.parent / place.name}"
            raise CliError(problem, hint)

    # -------------------------------------------------------------- the plan
    def _plan(self, place: Place) -> Plan:
        if self._rematch:
            return self._plan_like(self._rematch[0], place)
        people, _ = self._players
        bots = self._bots()
        names = [*people, *(f"{bot} bot {n}" for n, bot in enumerate(bots, start=1))]
        letters = [chr(ord("a") + n) for n in range(len(names))]
        seats = dict(zip(letters[len(people) :], bots, strict=True))
        plays = [*(["a"] if self.referee_plays else []), *seats]
        if self.referee and word_of_commands(self.referee) != "the referee":
            check_player_name(self.referee)
        if not names:
            solo = "to play alone against bots: --players Ann --referee-plays --bots greedy:2"
            raise CliError("a game needs players: say who plays", f"--players Ann,Bo; {solo}")
        least, most = self._rules.players[0], self._rules.players[-1]
        if len(names) < least:
            problem = f"{self._rules.name} is for {least} to {most} players, and you named "
            problem += f"{len(names)}: {', '.join(map(clean, names))}"
            missing = f"--bots greedy:{min(2, most - len(names))}"
            more = "name more players, with commas between the names"
            raise CliError(problem, f"{more}, or play against bots: {missing}")
        return Plan(
            title=self.title or place.name or "game",
            referee=self.referee or (names[0] if self.referee_plays else "the referee"),
            ruleset=self._rules.name,
            players=names,
            options={**self._options_by_mail(), **read_options(self.options or ())},
            policies=self._policies(),
            plays=plays,
            by_mail=self._seats_by_mail(plays),
            bots=seats,
            deputy=_named_deputy(self.deputy),
            cards=self._cards(),
            automaton=self.automaton,
        )

    @cached_property
    def _rules(self) -> Ruleset[Any]:
        return ruleset_called(self.game)

    @cached_property
    def _players(self) -> tuple[list[str], dict[str, str]]:
        addresses: dict[str, str] = {}
        for part in filter(None, map(str.strip, self.players.split(","))):
            name, address = name_and_address(part)
            if name in addresses:
                raise CliError("two players have the same name", DIFFERENT)
            addresses[name] = address
        names = list(addresses)
        for name in names:
            check_player_name(name)
        if pair := alike(names):
            problem = f"two players have names that look the same: {' and '.join(pair)}"
            raise CliError(problem, DIFFERENT)
        known, by_mail = {look(name): name for name in names}, dict[str, str]()
        for typed_name in filter(None, map(str.strip, self.mail_seats.split(","))):
            if look(typed_name) not in known:
                problem = f"--mail-seats: no player is called {typed_name!r}"
                raise CliError(problem, f"the players are {', '.join(names)}; {HOW}")
            name = known[look(typed_name)]
            by_mail[name] = addresses[name]
        for name, address in addresses.items():
            if name in by_mail and not address:
                raise CliError(f"--mail-seats: there is no address for {name}", HOW)
            if address and name not in by_mail:
                problem = f"there is an address for {name}, who is not listed in --mail-seats"
                raise CliError(problem, f"leave the address out, or name the player: {HOW}")
        return names, by_mail

    @cached_property
    def _rematch(self) -> tuple[Plan, dict[str, str]] | None:
        if not self.like:
            return None
        may = {"session", "folder", "like", "title", "deadline", "deadline_for", "profile"}
        self._need_only(
            may,
            "--like takes this from the other game: --{}",
            "leave it out, or make a game without --like",
        )
        place = place_of_game(self.like, self.session.home)
        return rematch(Session(place, keyring=self.session.keyring))

    def _need_only(self, may: Collection[str], problem: str, hint: str) -> None:
        for one in fields(self):
            usual: tuple[object, ...] = (one.default, None, [])
            if one.name not in {*may, "table", "quiet"} and getattr(self, one.name) not in usual:
                option = one.name.replace("_", "-").replace("options", "option")
                raise CliError(problem.format(option), hint)

    def let_host_deal(self) -> None:
        """Ask the host to make the game and to deal it, and say how each player takes their seat.
        Raises CliError, StorageError."""
        if self.dealer != "host":
            raise CliError(f"{self.dealer!r} cannot deal", "--dealer host, or leave it out")
        may = {"session", "folder", "title", "dealer", "players", "game", "bots", "deadline"}
        self._need_only(
            may | {"as_printed"},
            "a host that deals takes no --{}",
            "leave it out, or deal yourself: leave out --dealer",
        )
        kinds = set(self._bots())
        if kinds - {"greedy"}:
            raise CliError("a host that deals has greedy bots only", "--bots greedy:2")
        policies = self._policies()  # with the time zone of this computer, not that of the host
        form = {
            "title": self.title, "players": self.players, "game": self._rules.name,
            "bots": str(len(self._bots())), "deadline": str(policies["deadline"]),
            "printed": "yes" if self.as_printed else "no",
        }  # fmt: skip
        from pbem.files.host_folder import HostFolder  # only for a game on a host
        from pbem.files.http_store import RefusedError

        assert isinstance(self.session.folder, HostFolder)
        try:
            game = self.session.folder.start_game(form)
        except RefusedError as error:
            raise CliError(error.full_sentence) from None
        host, _, _ = game.address.partition("/g/")
        if not Session(game.address, keyring=self.session.keyring).charter.automaton:
            problem = f"{host} made a game whose charter does not say that a host deals"
            problem += ", so its word would count as that of a person"
            raise CliError(problem, "do not play it; deal yourself, or use another host", KEY)
        print(made_on_host_line(game.title, host))
        for line in (deadline_line(policies), *self.assumed):
            print(line)
        print(SEND_LINES_SENTENCE)
        for seat in game.seats:
            print("\n".join(lines_of_invite(seat.name, seat.command, seat.link)))
        print(lines_again_line(f"{host}{game.page}"))
        print(OWN_LINE_STEP)

    def _plan_like(self, plan: Plan, place: Place) -> Plan:
        policies = dict(plan.policies)
        if self.deadline != DEFAULT or self.deadline_for:
            phases = [phase.name for phase in registry.ruleset(plan.ruleset).phases]
            policies = {x: y for x, y in policies.items() if not x.startswith("deadline")}
            typed, self.assumed = typed_policies(self.deadline, self.deadline_for, "", phases)
            policies |= typed
        return replace(plan, title=self.title or place.name or plan.title, policies=policies)

    def _seats_by_mail(self, plays: Collection[str]) -> list[str]:
        people, addresses = self._players
        letters = [chr(ord("a") + people.index(name)) for name in addresses]
        if letters and self.deputy:
            problem = "a game with a player who answers by email cannot have a deputy"
            raise CliError(
                problem, "the key of that seat is derived from yours, so leave out --deputy"
            )
        if own := sorted(set(letters) & set(plays)):
            raise CliError(f"seat {own[0]} is yours, and you cannot answer your own emails")
        return letters

    def _options_by_mail(self) -> dict[str, str]:
        options = () if self.as_printed else self._rules.options
        return {one.name: one.by_mail for one in options if one.by_mail}

    def _policies(self) -> dict[str, str | int | bool]:
        phases = [phase.name for phase in self._rules.phases]
        typed, self.assumed = typed_policies(
            self.deadline, self.deadline_for, self.change_of_mind, phases, self.delays
        )
        wait = {"wait": "round"} if self.wait_for_all else {}
        silence = silence_policies(
            self.silent_seat, self.idle_after, self.open_after, self.deputy_after, typed
        )
        return {**typed, **silence, **wait}

    def _cards(self) -> str:
        """Return the text of the card file, empty if there is none. The charter contains it, so it
        is signed and reaches everyone, by mail too. Raises CliError."""
        if self.cards is None:
            return ""
        try:
            text = read_file(self.cards.absolute(), MAX_TEXT).decode("ascii").replace("\r\n", "\n")
            if not text:
                raise ValueError("the file is empty")
            ruleset_with(self._rules.name, text)
        except UnicodeDecodeError:
            raise CliError(
                f"{self.cards} has characters that are not ASCII", "", FINDINGS
            ) from None
        except Overlong as error:
            raise CliError(f"{self.cards}: {error}", "", KEY) from None
        except ValueError as error:
            template = f"pbem explain --game {self._rules.name} --cards-template"
            hint = f"{template} prints a card file to start from"
            raise CliError(f"{self.cards}: {str(error)[:300]}", hint, FINDINGS) from None
        return text

    def _bots(self) -> list[str]:
        bots: list[str] = []
        known = sorted(factories(self._rules))
        for part in self.bots.split(",") if self.bots else ():
            name, _, number = part.partition(":")
            if name not in known or not re.fullmatch("[1-9]?", number):
                raise CliError(
                    f"{part!r} is not a bot",
                    f"the bots are {', '.join(known)}; for two greedy bots, write greedy:2",
                )
            bots += [name] * int(number or 1)
        return bots

    # -------------------------------------------------------------- what to do next
    def _tell(self, charter: Record[Charter], key: SigningKey) -> None:
        content, place = charter.content, self.session.place
        in_folder = isinstance(place, Path)
        print(made_line(self.folder, content))
        if content.notes:
            print(clean(content.notes))
        mine = [p for p in content.seats if p.seat in content.plays and not p.bot]
        print(referee_line(mine[0] if mine else None, may_play=not self.like))
        mailed = mail_seats_line(plan for plan in content.seats if plan.mail)
        if mailed:
            print(mailed)
        for line in _rules_lines(content):
            print(f"{line}{AS_PRINTED if not self.like and self._options_by_mail() else ''}")
        print(deadline_line(content.policies))
        for line in (*self.assumed, *silence_lines(content.policies), *deputy_lines(content)):
            print(line)
        _back_up(self.session, self.profile)
        open_seats = [plan.seat for plan in content.seats if plan.seat not in content.held_seats]
        if open_seats:
            print(share_line(is_folder=in_folder, is_on_host=is_on_host(place)))
            print("\n".join(invite_lines(charter, key, open_seats, self.session.folder)))
        alone = bool(mine) and all(plan.bot or plan in mine for plan in content.seats)
        watch = "pbem play" if alone else "pbem advance" if mailed else "pbem advance --watch"
        there = f"cd {typed(self.folder)} && {watch}" if in_folder else f"{watch} -C {self.folder}"
        print(f"next: {there}{', then pbem send' if mailed else ''}")
        if mailed:
            print(MAIL_RUN_SENTENCE)


def _game_around(place: Place) -> tuple[Path, str] | None:
    for above in place.resolve().parents if isinstance(place, Path) else ():
        if (above / "game.toml").is_file():
            with suppress(NoGameError, FileError, StorageError):
                return above, open_folder(Folder(above)).charter.content.title
    return None


def address_of(session: Session, seat: str) -> str:
    """Return the address that the referee typed for a seat by mail; empty if they typed none."""
    from pbem.person.books import MailBook

    return MailBook(session.game_home).first_address(seat)


def join_by_referee(
    charter: Record[Charter], key: SigningKey, seat: str, contact: str = ""
) -> Record[Join]:
    """Return the join of a seat whose key the referee has; the same arguments always give the same
    bytes."""
    name = next(plan.name for plan in charter.content.seats if plan.seat == seat)
    invite = invite_to(charter, key, seat)
    seat_key = SigningKey(Secrets(key.seed).held_seat(invite.game, seat))
    return make_join(charter, seat, name, seat_key, invite.code, contact)


def read_options(parts: Iterable[str]) -> dict[str, str]:
    """Return the options typed as `--option NAME=VALUE`. Raises CliError."""
    options = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals:
            raise CliError(f"{part!r} is not an option", "write --option NAME=VALUE")
        options[name] = value
    return options


def invite_lines(
    charter: Record[Charter], key: SigningKey, seats: Collection[str], folder: SharedFolder
) -> list[str]:
    """Return for each of these seats the player's name and the command that they must type, and
    the link that joins in a browser if there is one."""
    join = "pbem join" if isinstance(folder.place, Path) else f"pbem join -C {folder.place}"
    lines = []
    for plan in charter.content.seats:
        if plan.seat in seats:
            invite = invite_to(charter, key, plan.seat).line()
            command, link = f"{join} --invite {invite}", folder.link("join", invite)
            lines += lines_of_invite(plan.name, command, link)
    return lines


def deputy_lines(charter: Charter) -> list[str]:
    """Return what the referee asks the deputy, who could otherwise be somebody else."""
    if not charter.deputy_key:
        return []
    words = DeputyLine(charter.deputy_key, charter.deputy_x25519).words()
    return [ask_deputy_line(charter.deputy, words)]


def _named_deputy(text: str) -> tuple[str, bytes, bytes]:
    if not text:
        return "", b"", b""
    name, equals, line = text.partition("=")
    if not equals or not name.strip():
        raise CliError("--deputy needs a name and a line", "--deputy Flo=deputy:4f1c22…")
    try:
        deputy = parse_deputy_line(line)
    except RecordError as error:
        hint = "the deputy types pbem keys deputy, and sends you the line"
        raise CliError(f"--deputy: {error.sentence}", hint) from None
    return name.strip(), deputy.key, deputy.x25519


# ---- The players as typed for `new`: names, and addresses of those without `pbem`

DIFFERENT = "give each a different name: --players Ann,Bo,Bea"
HOW = '--players "Ann,Bo <bo@example.org>" --mail-seats Bo'
_WITH_ADDRESS = re.compile(r"([^<>]*)<([^<>]*)>?")


def name_and_address(part: str) -> tuple[str, str]:
    """Read `Bo <bo@example.org>`; the address may be missing. Raises CliError."""
    match = _WITH_ADDRESS.fullmatch(part)
    if not match:
        return part, ""
    name, address = match[1].strip(' "'), match[2].strip()
    if not name:
        raise CliError(f"{part} has no name", HOW)
    if not is_address(address):
        raise not_an_address(address)
    return name, address
