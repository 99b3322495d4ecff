"""The passes of a host that deals: it looks after games as `pbem run` does, from its own home, and
agrees last to what all others agree on."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from pbem.acts.sign_notice import Declared, declare, standing_soon
from pbem.errors import NOT_YET, CliError
from pbem.files.co_dealer_answered_heads import AnsweredHeads
from pbem.files.game_folder import SharedFolder
from pbem.files.game_folder_places import Place
from pbem.files.home import GameHome, Home
from pbem.files.record_file_names import Name
from pbem.files.write_once_files import WriteOnceFiles, files_beside
from pbem.format.record_error import RecordError
from pbem.host.dealing_lease import Lease
from pbem.host.kept_games import Games
from pbem.host.record_gate import FullHostError, HostRefusal
from pbem.host.times_host_was_full_or_stopped import Pauses
from pbem.judge.notice_kinds import (
    NoticeKind,
    SetClock,
    SetDeadline,
    Vouch,
)
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.seat_holders_keys_and_agreements import MIN_WAIT_SECONDS
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions, Outcome
from pbem.person.keyring import Keyring
from pbem.person.session import Session
from pbem.post.collect_mail import MailRules
from pbem.post.event_printer import Log
from pbem.post.run_passes import MailPasses
from pbem.records.notice import REFEREE
from pbem.records.turn import Turn
from pbem.text.clock import now
from pbem.wording.host_reports import pause_line, took_no_files
from pbem.wording.notices import what_you_declared

OTHER_HOST_SENTENCE: Final = "another host that uses the same games is dealing now"


class DealersHome(Home):
    """The dealer's home. It adds the address of a game's page to the game's folder."""

    def __init__(self, home: Home, games_place: Place) -> None:
        """`home` is that of the host's owner, `games_place` has the host's games."""
        super().__init__(home.root / "dealer")
        self._games_place = games_place
        self.co_dealer_key = b""
        """The signing key of this host as a co-dealer; empty if it is none."""
        self.page_address = ""
        """The address of the page that plays in a browser; empty if the host serves none."""
        self.digits_by_place: dict[Place, str] = {}
        """By folder, the digits in the address of the game in it."""

    def game(self, game: str) -> GameHome:
        """Return what this host stores about the game with this id in hex. What it has answered as
        a co-dealer is beside the games, where other hosts with the same key find it."""
        game_home = super().game(game)
        if self.co_dealer_key:
            game_home.answered_heads = AnsweredHeads(self.co_dealt_files(game))
        return game_home

    def co_dealt_files(self, game: str) -> WriteOnceFiles:
        """Return the files that hosts with this co-dealer's key share about one game."""
        name = f"answered-{self.co_dealer_key.hex()[:16]}-{game}"
        return files_beside(self._games_place, name)

    def folder(self, place: Place) -> SharedFolder:
        """Return the game folder at a place, with the address of its page."""
        folder = super().folder(place)
        if self.page_address and place in self.digits_by_place:
            folder.on_page = self.page_address, self.digits_by_place[place]
        return folder


class DealersPasses(MailPasses):
    """Looks after games as `pbem run` does, for a referee who is nobody."""

    def __init__(
        self, keyring: Keyring, log: Log, lease: Lease, pauses: Pauses, games: Games
    ) -> None:
        """`lease` says whether this host may deal, `pauses` when it took no files; records that
        come by mail are kept by `games`."""
        # whoever starts a game has all its invites, and could make the host write to anybody; and
        # the host's games are made on its page only
        rules = MailRules(False, 0, self._create, lambda: lease.is_certain)
        super().__init__(keyring, log, rules)
        self._lease, self.pauses, self._games = lease, pauses, games
        self.wait_ends: dict[str, int] = {}
        """By the id of a game in hex digits: the time until which it waits for people whom a pause
        of the host may have kept out."""

    def check_may_write(self) -> None:
        """Renew the lease if that is due: many turns may be made without a pause.

        Raises StorageError; CliError unless this host certainly holds the lease.
        """
        if not self._lease.hold() or not self._lease.is_certain:
            raise CliError(OTHER_HOST_SENTENCE, "", NOT_YET)

    def advance(self, session: Session, options: AdvanceOptions | None = None) -> Outcome:
        """Agree to what all others have agreed to, then make turns.

        If several people have joined with one invite, the first of them gets the seat. The time in
        which the host took no files counts as nobody's silence.
        """
        self.note_files_taken()  # this computer may just have been asleep
        self.check_may_write()
        if waiting_outcome := self._wait_after_pause(session):
            return waiting_outcome
        title = session.charter.title
        for record, _, notes in agree_last(session):
            self.log.say("agreed", what_you_declared(session, record), title)
            for note in notes:
                self.log.say("note", note, title)
        outcome = super().advance(session, options)
        if outcome.contested and not options:
            arrival_times = {file.path: file.mark.mtime_ns for file in session.listing.joins}
            first_joins = [
                min(joins, key=lambda join: (arrival_times.get(file_name(join).path, 0), join.id))
                for joins in outcome.contested.values()
            ]
            accepted_ids = [join.id.hex()[:16] for join in first_joins]
            outcome = super().advance(session, AdvanceOptions(accept=accepted_ids))
        return outcome

    def _create(self, folder: SharedFolder, name: Name, data: bytes) -> bool:
        """Put a record that came by mail into its game, by the same rules as for requests.

        Raises RecordError if the host refuses the record, FullHostError, TakenError, StorageError.
        """
        try:
            return self._games.keep_file(self._games.game_named(folder.place.name), name, data)
        except FullHostError:
            raise  # it is tried again later
        except HostRefusal as refusal:
            raise RecordError("state", f"the host refuses this file: {refusal.sentence}") from None

    def note_files_taken(self) -> None:
        """Note that the host takes files now, and say so if it did not for a while. Raises
        StorageError."""
        if pause := self.pauses.note_files_taken(now()):
            self.log.say("pause", pause_line(pause.begin, pause.end))

    def _wait_after_pause(self, session: Session) -> Outcome | None:
        """Return an outcome that only waits if a game's next turn must not be made yet; else None.

        That is so while the turn would count somebody as silent whom a pause of the host may have
        kept out, or apply an act that they could not cancel.
        """
        listing, game_id = session.listing, session.game_folder.game.hex()
        self.wait_ends.pop(game_id, None)
        if not listing.reached or listing.final or not self.pauses.pauses:
            return None
        asking_turns = [turn.content for turn in session.game_folder.asking_turns()]
        last_turn = asking_turns[-1]
        answer_end = self._latest_end([(asking_turns[0].time, last_turn.deadline)])
        act_end = self._latest_end(
            (act.effective_at - MIN_WAIT_SECONDS, act.effective_at)
            for act in session.game_folder.standing.announced_acts
        )
        if max(answer_end, act_end) <= now():
            return None
        outlook = session.refereeing.outlook
        contents = [record.content for _, record in outlook.new_records]
        contents += [outlook.preview.content] if outlook.preview else []
        next_turn = next((content for content in contents if isinstance(content, Turn)), None)
        if next_turn is None:
            return None
        wait_end = max(answer_end if next_turn.silent else 0, act_end)
        if wait_end <= now():
            return None
        self.wait_ends[game_id] = wait_end
        self.log.note(f"held {game_id}", took_no_files(wait_end), session.charter.title)
        return Outcome(turn=last_turn, policies=outlook.policies, revisable_until=wait_end)

    def _latest_end(self, times: Iterable[tuple[int, int]]) -> int:
        """Return the latest end, with pauses, of those times (begin, end) that are over without
        pauses; 0 if there are none."""
        ends = [self.pauses.end_of(begin, end) for begin, end in times if 0 < end <= now()]
        return max(ends, default=0)


# ---- The referee's agreement, which comes last


def agree_last(session: Session) -> list[Declared]:
    """Sign the referee's agreement to each act on which all other necessary players agree, as a
    host that deals does; return the notices."""
    if not session.listing.notices or not session.listing.reached:
        return []
    if session.view(skip_cache=True).is_over:
        return []
    standing = standing_soon(session)
    calendar = standing.calendar
    wishes: list[NoticeKind] = [
        Vouch(seat, *keys) for (_, seat), keys in sorted(standing.vouched.items())
    ]
    wishes += [SetDeadline(rule, phase) for phase, rule in sorted({*calendar.proposals.values()})]
    wishes += [SetClock(now())] if calendar.clocks else []
    notices = list[Declared]()
    for wish in wishes:
        with suppress(CliError):  # somebody has not agreed yet, or it is decided
            if not (declared := declare(session, wish, REFEREE)).is_repeat:
                notices.append(declared)
    return notices
