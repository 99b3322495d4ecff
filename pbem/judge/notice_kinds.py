"""The rule of each kind of notice: its fields, its conditions, its signers and its effect.

Notices are about who plays, never about the game: no ruleset knows them (protocol §5).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import fields as declared_fields
from dataclasses import replace
from typing import ClassVar, Final

from engine.counts_and_lists_in_prose import counted
from pbem.files.file_errors import HOW_TO_GET
from pbem.format import protocol_labels
from pbem.format.hashes_and_streams import th
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey, check_public, signed_by
from pbem.format.usable_public_keys import check_x25519
from pbem.judge.seat_curve_points import NO_SEAT_POINT, SeatPoint, check_seat_point
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct, NewKeys, Standing
from pbem.records.deadline_rules import RuleError, read_rule
from pbem.records.deal_record import co_dealer
from pbem.records.join import Join, is_let_in
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, REFEREE, SCORE, Notice, Saying
from pbem.records.record_field_codecs import (
    hash32,
    hexed,
    number,
    one_of,
    signing,
    text,
    wire,
    x25519,
)
from pbem.records.record_header import SEAT_PATTERN, Header, seat_letter
from pbem.records.turn import MAX_TIME
from pbem.records.twelve_words import words_of
from pbem.text.dates import DAY, HOUR, utc_date
from pbem.text.terminal_and_page_wording import TerminalText

Templates = Mapping[str, str]
"""Sentences with named fields (see `pbem/wording/notices.py`), each under its condition;
the first whose condition is true counts.

A condition is `field`, which must not be empty, or `field=value`; several are joined by `&`. An
empty condition is always true.
"""


class NoticeKind(Saying):
    """A kind of notice: its fields, its rule and its words.

    Each subclass with a name in `about` is a kind. An object is the declaration of one notice; its
    methods get the `notice`, which also has the `writer` (a seat, or `referee`) and the `seat` (the
    writer's seat; empty for the referee), and the `standing` before the notice.
    """

    at_once: ClassVar[bool] = False
    """Whether such a notice counts only in the next turn after it was written."""
    by_referee: ClassVar[bool] = False
    """Whether only the referee may write such a notice."""
    adds_up: ClassVar[bool] = False
    """Whether signing it again is refused, or counts again."""
    events: ClassVar[Templates] = {}
    """The sentence about the event, once a turn lists such a notice."""
    announcements: ClassVar[Templates] = {}
    """The sentence about the act that such a notice announces, while somebody can cancel it."""
    confirmations: ClassVar[Templates] = {}
    """The sentence to the person who signed such a notice: it repeats the declaration."""

    def signers(self, standing: Standing, notice: Notice) -> frozenset[bytes]:
        """Return the keys that may sign this notice now: usually only the writer's."""
        if self.by_referee and notice.seat:
            return frozenset()
        return frozenset({standing.signer(notice.writer)} - {b""})

    def why_not_signed(self, standing: Standing, notice: Notice, key: bytes) -> str:
        """Say why a notice signed with a key that is not among `signers` does not count."""
        return "the notice is not signed with the writer's present key"

    def missing_file_sentence(self, standing: Standing) -> str:
        """Name the missing file to which the notice refers, in a sentence; empty if none is
        missing."""
        return ""

    def why_not(self, standing: Standing, notice: Notice) -> str:
        """Say why the notice cannot count now, as a sentence about it; empty if it can."""
        return ""

    def announced_act(self, standing: Standing, notice: Notice) -> AnnouncedAct | None:
        """Return the act that the notice announces, if somebody can cancel it; None if the notice
        takes effect immediately. The caller fills in the act's notice and turn."""
        return None

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        """Return the game's standing after the notice has taken effect in this turn."""
        raise NotImplementedError

    def present_seat(self, notice: Notice) -> str:
        """Return the seat whose player is present, as the notice shows; may be empty."""
        return notice.seat

    def event_fields(self, standing: Standing, notice: Notice) -> dict[str, str]:
        """Return the facts that sentences about the notice use; `standing` is the standing before
        the notice.

        They are its `writer`, its own fields without keys and ids, and under the letter of the
        writer's seat (or `referee`) and of the seat that it names, the names of the people there.
        """
        values = {field.name: getattr(self, field.name) for field in declared_fields(self)}
        texts = {name: str(value) for name, value in values.items() if isinstance(value, str | int)}
        names = standing.names
        people = (notice.writer, texts.get("seat", notice.writer))
        return {person: names[person] for person in people} | {"writer": notice.writer} | texts

    def is_repeat(self, previous_saying: Saying, now: int) -> bool:
        """Return whether this repeats an earlier notice of the kind, written after the same turn;
        `now` is the time, in seconds since 1970 UTC. So a command given twice signs one notice."""
        return previous_saying == self


def why_not_player(standing: Standing, notice: Notice) -> str:
    """Say why this notice's writer, who must be a player, may not write it; empty if they may."""
    if notice.seat not in standing.people():
        return "only a player can write this notice"
    if notice.seat in standing.removal_turns:
        return "the seat was removed from the game, because its player was silent for too long"
    return "the seat has conceded" if notice.seat in standing.seats_out else ""


# ---- the end of the game, and who makes its turns


class Vote(NoticeKind):
    """The writer wants the game to end now; when all who must agree want the same, it ends.

    A vote counts until its writer votes anew, or a seat leaves those who must agree.
    """

    about: ClassVar[str] = "vote"
    events: ClassVar[Templates] = {
        "withdrawn": "{writer:name} wants to play on, and takes back their vote to end the game",
        "result=play on": "{writer:name} wants to play on",
        "": "{writer:name} votes to end the game {result:end}",
    }
    announcements: ClassVar[Templates] = {"": "the game ends {result:end}, as {by:names} agreed"}
    confirmations: ClassVar[Templates] = {
        "result=play on": "you want to play on",
        "": "you vote to end the game {result:end}",
    }
    result: str = wire(one_of(SCORE, DRAW, NO_WINNER, PLAY_ON))
    """The end that the writer wants; `play on` takes back an earlier vote."""

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if standing.votes.get(notice.writer) == self.result:
            return "this seat has already voted in this way"
        if notice.writer == REFEREE and self.result in (NO_WINNER, PLAY_ON):
            return ""
        return why_not_player(standing, notice)

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        votes = {writer: vote for writer, vote in standing.votes.items() if writer != notice.writer}
        # "play on" counts even without a vote before it: then no older vote can be listed later
        if self.result != PLAY_ON:
            votes[notice.writer] = self.result
        return replace(
            standing, votes=votes, vote_turns={**standing.vote_turns, notice.writer: turn}
        )

    def event_fields(self, standing: Standing, notice: Notice) -> dict[str, str]:
        fields = super().event_fields(standing, notice)
        if self.result == PLAY_ON and notice.writer in standing.votes:
            fields["withdrawn"] = standing.votes[notice.writer]
        return fields


class Concede(NoticeKind):
    """The seat resigns: from now on its choices are made without it, and it is ranked last.

    Its species stay on the table: the rulebooks do not say what would become of their food and
    cards, and the others have planned with them.
    """

    about: ClassVar[str] = "concede"
    events: ClassVar[Templates] = {"": "{writer:name} concedes the game"}
    confirmations: ClassVar[Templates] = {"": "you concede the game"}
    adds_up: ClassVar[bool] = True

    def why_not(self, standing: Standing, notice: Notice) -> str:
        return why_not_player(standing, notice)

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        return replace(standing, departures={**standing.departures, notice.seat: "conceded"})


class Leave(NoticeKind):
    """The seat is given up: nobody waits for it, and somebody else may take it over."""

    about: ClassVar[str] = "leave"
    events: ClassVar[Templates] = {
        "": "{writer:name} gives up seat {writer}: the seat is open for somebody else"
    }
    confirmations: ClassVar[Templates] = {"": "your seat is open for somebody else"}
    adds_up: ClassVar[bool] = True

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if notice.seat in standing.charter.plays:
            return "the referee has the keys of this seat, so nobody else can take the seat over"
        if standing.removes:
            clause = "this game was made so that nobody can take over a seat"
            return f"{clause}, but you can concede"
        open_reason = "the seat is already open" if notice.seat in standing.departures else ""
        return why_not_player(standing, notice) or open_reason

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        return replace(standing, departures={**standing.departures, notice.seat: "open"})


class HandOver(NoticeKind):
    """The deputy named in the charter is the referee from now on, and signs turns and `final`."""

    about: ClassVar[str] = "referee"
    events: ClassVar[Templates] = {
        "by=referee": "the referee hands the game over to the deputy",
        "": "the deputy takes over, because no turn has been made for a long time",
    }
    confirmations: ClassVar[Templates] = {
        "": TerminalText("from now on {deputy} makes the turns[[, with pbem advance]]")
    }
    by_referee: ClassVar[bool] = True
    at_once: ClassVar[bool] = True  # or somebody could keep an old notice, and hand over later
    by: str = wire(one_of("referee", "deputy"))
    """The person who decides and signs this: the referee at any time, the deputy after a long
    silence."""

    def signers(self, standing: Standing, notice: Notice) -> frozenset[bytes]:
        charter = standing.charter
        key = charter.key if self.by == "referee" else charter.deputy_key
        return frozenset() if notice.seat else frozenset({key} - {b""})

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if not standing.charter.deputy_key:
            return "this game has no deputy"
        if standing.referee_key != standing.charter.key:
            return f"{standing.charter.deputy} is already the referee"
        if self.by == "referee":
            return ""
        deputy_from = standing.turn_due_at + standing.charter.policies.deputy_after
        if standing.now < deputy_from:
            return (
                f"the deputy can take over only if nobody has made a turn by "
                f"{utc_date(deputy_from)}"
            )
        return ""

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        return replace(standing, deputy_since=turn)

    def event_fields(self, standing: Standing, notice: Notice) -> dict[str, str]:
        return super().event_fields(standing, notice) | {"deputy": standing.charter.deputy}


class ReplaceDealer(NoticeKind):
    """A co-dealer has dealt nothing for a long time, and its deputy takes its place (§13)."""

    about: ClassVar[str] = "dealer"
    events: ClassVar[Templates] = {
        "": "the deputy of {dealer_name} deals from now on, because {dealer_name} has not dealt "
        "for a long time"
    }
    confirmations: ClassVar[Templates] = {"": "from now on you deal in the place of {dealer_name}"}
    by_referee: ClassVar[bool] = True
    at_once: ClassVar[bool] = True  # or the referee could keep an old notice, and use it later
    dealer: int = wire(co_dealer)
    """The co-dealer's number, from 0, in the order of the charter."""

    def signers(self, standing: Standing, notice: Notice) -> frozenset[bytes]:
        dealers = standing.charter.dealers[self.dealer :][:1]
        keys = {dealer.deputy_key for dealer in dealers if not notice.seat}
        return frozenset(keys - {b""})

    def why_not_signed(self, standing: Standing, notice: Notice, key: bytes) -> str:
        """Say why a notice that the dealer's deputy has not signed does not count."""
        if not self.signers(standing, notice):
            return "the charter names no deputy of this dealer"
        return "the notice is not signed with the key of the dealer's deputy"

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if self.dealer in standing.replaced_dealers:
            return "the deputy has already taken the place of this dealer"
        if self.dealer not in standing.owed_since:
            return "the game does not wait for this dealer"
        replaceable_from = standing.replaceable_from(self.dealer)
        if standing.now < replaceable_from:
            return (
                "the deputy can take the dealer's place only if the dealer has not dealt by "
                f"{utc_date(replaceable_from)}"
            )
        return ""

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        return replace(standing, replaced_dealers=standing.replaced_dealers | {self.dealer})

    def event_fields(self, standing: Standing, notice: Notice) -> dict[str, str]:
        dealers = standing.charter.dealers[self.dealer :][:1]
        name = "".join(dealer.name for dealer in dealers)
        return super().event_fields(standing, notice) | {"dealer_name": name}


# ---- new keys


REFEREE_KEYS_SENTENCE: Final = (
    "the referee has the keys of this seat, so nobody can give the seat new keys"
)
MAX_KEY_CHANGES: Final = 2
"""The number of key changes in a round that a seat can sign with its own key."""


class NewKey(NoticeKind):
    """The seat gets new keys; its present key or its recovery key signs this.

    The new signing key signs all new keys too. So nobody can name somebody else's key, which could
    then count nowhere else.
    """

    about: ClassVar[str] = "key"
    events: ClassVar[Templates] = {"": "{writer:name} has a new key"}
    confirmations: ClassVar[Templates] = {
        "": "seat {writer} gets a new key; the old key counts until a turn lists this notice"
    }
    key: bytes = wire(signing)
    """The new signing key."""
    x25519: bytes = wire(x25519)
    """The new key for boxes."""
    proof: bytes = wire(hexed(64))
    """The signature by the new signing key, over the seat and all new keys."""
    seat_point: bytes = wire(hash32, b"")
    """Mode `dealers`: the new point for which dealers seal the seat's cards."""
    point_proof: bytes = wire(hexed(64), b"")
    """Mode `dealers`: the proof that the seat knows the secret of its new seat point."""

    @classmethod
    def make(
        cls,
        key: SigningKey,
        x25519: bytes,
        game: bytes,
        seat: str,
        seat_point: SeatPoint = NO_SEAT_POINT,
    ) -> NewKey:
        """Make the declaration of a seat that changes to these keys."""
        message = _new_key_message(game, seat, key.public, x25519, seat_point.point)
        return cls(key.public, x25519, key.sign(message), *seat_point)

    def signers(self, standing: Standing, notice: Notice) -> frozenset[bytes]:
        join = standing.roster.get(notice.seat)
        if join is None:
            return frozenset()
        is_used_up = standing.key_changes.get(notice.seat, 0) >= MAX_KEY_CHANGES
        # a thief may have the seat's own key: it may change keys only a few times in a round
        own_keys = set() if is_used_up or _is_doubted(standing, notice.seat) else {join.key}
        return frozenset({*own_keys, join.recovery} - {b""})

    def why_not_signed(self, standing: Standing, notice: Notice, key: bytes) -> str:
        """Say why a key cannot sign for new keys of its seat; empty if it can. The seat's own key
        cannot while others doubt it, or too often in a round."""
        if notice.seat and key == standing.signer(notice.writer):
            if _is_doubted(standing, notice.seat):
                return (
                    "other players have again confirmed new keys for this seat, so only its "
                    "recovery key can change its keys now"
                )
            return (
                f"the key of a seat can change the seat's keys only {MAX_KEY_CHANGES} times a "
                "round; use the recovery key, which can always change them"
            )
        return super().why_not_signed(standing, notice, key)

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if notice.seat in keys_from_referee(standing):
            return REFEREE_KEYS_SENTENCE
        if reason := why_not_player(standing, notice):
            return reason
        keys = self.key, self.x25519
        message = _new_key_message(notice.game, notice.seat, *keys, self.seat_point)
        if not signed_by(self.key, message, self.proof):
            return "the new key has not signed that it belongs to this seat"
        if self.key == standing.roster[notice.seat].recovery:
            return "the new key is the recovery key of the seat"
        return standing.why_not_keys(keys) or why_not_seat_point(
            standing, notice, notice.seat, self.seat_point, self.point_proof
        )

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        join = replace(
            standing.roster[notice.seat],
            key=self.key,
            x25519=self.x25519,
            seat_point=self.seat_point,
            point_proof=self.point_proof,
        )
        return standing.with_keys(notice.seat, join, turn)


def _new_key_message(game: bytes, seat: str, *keys: bytes) -> bytes:
    return th(protocol_labels.NEW_KEY, game, seat.encode(), *(key for key in keys if key))


def why_not_seat_point(
    standing: Standing, record: Header, seat: str, seat_point: bytes, point_proof: bytes
) -> str:
    """Say why new keys of a seat, which this join or notice brings, cannot have this seat point, or
    none; empty if they can."""
    try:
        check_seat_point(standing.charter, record.game, seat, seat_point, point_proof)
    except RecordError as error:
        return error.sentence
    return ""


class Vouch(NoticeKind):
    """The writer confirms the new keys of a player who lost theirs.

    The keys are announced once all others who must agree and, last, the referee confirm them. They
    count after a waiting time, unless the seat's player cancels this.
    """

    about: ClassVar[str] = "vouch"
    events: ClassVar[Templates] = {
        "host": "{seat:name} has a new key, which {by:names} have confirmed",
        "by": "{seat:name} has a new key, which {by:names} (the referee) have confirmed",
        "": "{writer:name} confirms a new key for {seat:name}",
    }
    announcements: ClassVar[Templates] = {
        "host": "{seat:name} gets a new key, which {by:names} have confirmed",
        "": "{seat:name} gets a new key, which {by:names} (the referee) have confirmed",
    }
    confirmations: ClassVar[Templates] = {
        "": "you confirm the new key for {seat:name}, in seat {seat}"
    }
    seat: str = wire(seat_letter)
    """The seat that lost its keys."""
    key: bytes = wire(signing)
    """The seat's new signing key."""
    x25519: bytes = wire(x25519)
    """The seat's new key for boxes."""
    seat_point: bytes = wire(hash32, b"")
    """Mode `dealers`: the new point for which dealers seal the seat's cards."""
    point_proof: bytes = wire(hexed(64), b"")
    """Mode `dealers`: the proof that the seat knows the secret of its new seat point."""

    @property
    def keys(self) -> NewKeys:
        """The new keys and, in mode `dealers`, the seat point with its proof."""
        keys = self.key, self.x25519, self.seat_point, self.point_proof
        return tuple(key for key in keys if key)

    def line(self, game: bytes) -> str:
        """Return the line with the new keys that the player sends to the others.

        It looks like `c:4f1c22…:9ac0…:K7Q2…`. The last part is a checksum, which also depends on
        the game.
        """
        check = base64.b32encode(self._digest(game)[:5]).decode()
        return ":".join([self.seat, *(key.hex() for key in self.keys), check])

    def words(self, game: bytes) -> str:
        """Return twelve words for the new keys. People compare them by voice, because whoever
        carries the line can swap it and work out another checksum."""
        return " ".join(words_of(self._digest(game)))

    def _digest(self, game: bytes) -> bytes:
        return th(protocol_labels.KEY_CHECK, game, self.seat.encode(), *self.keys)

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if self.seat not in standing.people() or self.seat in standing.seats_out:
            return f"nobody plays seat {self.seat}"
        if self.seat in keys_from_referee(standing):
            return REFEREE_KEYS_SENTENCE
        if notice.seat == self.seat:
            return "a player cannot confirm new keys for their own seat; other players must"
        if reason := standing.why_not_keys((self.key, self.x25519)) or why_not_seat_point(
            standing, notice, self.seat, self.seat_point, self.point_proof
        ):
            return reason
        if notice.writer != REFEREE:
            return why_not_player(standing, notice)
        if any((act.kind, act.seat) == ("vouch", self.seat) for act in standing.announced_acts):
            return "a turn has already announced new keys for this seat"
        needed_consent = standing.consent("vouch", self.seat)
        if needed_consent.obstacle:
            return needed_consent.obstacle
        vouched, names = standing.vouched, standing.names
        seats = sorted(needed_consent.seats)
        if missing_seats := [s for s in seats if vouched.get((s, self.seat)) != self.keys]:
            missing_names = ", ".join(names[seat] for seat in missing_seats)
            return (
                "the referee must confirm new keys last, but these players have not confirmed the "
                f"keys yet: {missing_names}"
            )
        return ""

    def announced_act(self, standing: Standing, notice: Notice) -> AnnouncedAct | None:
        """Return the act that the referee's vouching announces: new keys for the seat, after a
        waiting time. The vouching of a player announces nothing."""
        if notice.writer != REFEREE:
            return None
        fields, seat = self.event_fields(standing, notice), self.seat
        vouchers = tuple(
            writer for writer, vouched_seat in standing.vouched if vouched_seat == seat
        )
        disputed = seat in standing.disputed
        return AnnouncedAct(
            kind="vouch",
            id=b"",
            turn=0,
            seat=seat,
            cancels=(seat,),
            fields=fields,
            key=self.key,
            disputed=disputed,
            vouchers=vouchers,
        )

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        if notice.writer != REFEREE:
            vouched = {**standing.vouched, (notice.seat, self.seat): self.keys}
            return replace(standing, vouched=vouched)
        join = replace(
            standing.roster[self.seat],
            key=self.key,
            x25519=self.x25519,
            recovery=b"",
            seat_point=self.seat_point,
            point_proof=self.point_proof,
        )
        return standing.with_keys_from_others(self.seat, join, turn)

    def event_fields(self, standing: Standing, notice: Notice) -> dict[str, str]:
        """Return the fields of the event in the log; for the referee's vouching, also who vouched
        for the same keys."""
        fields = super().event_fields(standing, notice)
        if notice.writer != REFEREE:
            return fields
        vouched = standing.vouched.items()
        own_row = self.seat, self.keys
        vouchers = sorted(writer for (writer, seat), keys in vouched if (seat, keys) == own_row)
        if standing.charter.automaton:
            return fields | standing.signer_fields(vouchers) | {"host": standing.referee_name}
        return fields | standing.signer_fields([*vouchers, REFEREE])

    def present_seat(self, notice: Notice) -> str:
        return self.seat if notice.writer == REFEREE else notice.seat


_LINE: Final = re.compile(
    rf"({SEAT_PATTERN}):([0-9a-f]{{64}}):([0-9a-f]{{64}})"
    r"(?::([0-9a-f]{64}):([0-9a-f]{128}))?:[A-Z2-7]{8}"
)


def parse_key_line(line: str, game: bytes) -> Vouch:
    """Read a line that `Vouch.line` wrote for this game; spaces and capitals do not matter. Raises
    RecordError `grammar`, `key`."""
    parts = "".join(line.split()).split(":")
    normalized_line = ":".join([*(part.lower() for part in parts[:-1]), parts[-1].upper()])
    match = _LINE.fullmatch(normalized_line)
    if not match:
        raise RecordError(
            "grammar", "this is not a complete key line; a key line looks like c:4f1c22…:…"
        )
    vouch = Vouch(match[1], *(bytes.fromhex(part or "") for part in match.groups()[1:]))
    if vouch.line(game) != normalized_line:
        sentence = (
            "this key line has a wrong character, or is for a different game: copy the whole line "
            "again"
        )
        raise RecordError("grammar", sentence)
    check_public(vouch.key)
    check_x25519(vouch.x25519)
    return vouch


def _is_doubted(standing: Standing, seat: str) -> bool:
    """Return whether others vouch again for new keys of a seat that cancelled such keys before."""
    return any(act.seat == seat and act.disputed for act in standing.announced_acts)


def keys_from_referee(standing: Standing) -> frozenset[str]:
    """Return the seats whose present keys derive from the referee's."""
    return standing.by_mail | {*standing.charter.plays}


# ---- open seats


def not_open_in_words(seat: str) -> str:
    """Return the reason why nobody can get this seat."""
    return f"seat {seat} is not open, so nobody else can take it over now"


class SetDoor(NoticeKind):
    """The referee invites somebody new to an open seat: only a join that this key signed counts."""

    about: ClassVar[str] = "door"
    events: ClassVar[Templates] = {"": "{writer:name} invites somebody new to seat {seat}"}
    by_referee: ClassVar[bool] = True
    seat: str = wire(seat_letter)
    """The seat."""
    key: bytes = wire(signing)
    """The seat's door, which the code in the new invite gives."""

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if self.seat not in standing.roster or not standing.is_open(self.seat):
            return not_open_in_words(self.seat)
        is_known = self.key in standing.old_doors | {plan.door for plan in standing.charter.seats}
        return (
            "this invite is not new: it was already made for a seat of this game"
            if is_known
            else ""
        )

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        door_counts = {**standing.doors_made, self.seat: standing.doors_made.get(self.seat, 0) + 1}
        doors = {**standing.doors, self.seat: self.key}
        old_doors = standing.old_doors | {self.key}
        return replace(standing, doors=doors, doors_made=door_counts, old_doors=old_doors)


class TakeIn(NoticeKind):
    """The referee gives an open seat to the person who signed a join; its old orders no longer
    count.

    If its player has not left but is only silent, the notice announces this, so that they can still
    come back.
    """

    about: ClassVar[str] = "seat"
    events: ClassVar[Templates] = {
        "mail": "{joined} takes over seat {seat} with a key of their own, and plain emails no "
        "longer count for this seat",
        "": "a new player takes over seat {seat} from {seat:name}",
    }
    announcements: ClassVar[Templates] = {
        "": "the referee gives seat {seat} of {seat:name} to {joined}"
    }
    by_referee: ClassVar[bool] = True
    seat: str = wire(seat_letter)
    """The seat."""
    join: bytes = wire(hash32)
    """The id of the join."""

    def missing_file_sentence(self, standing: Standing) -> str:
        return "" if self.join in standing.joins else join_not_here(self)

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if self.seat not in standing.roster or not standing.is_open(self.seat):
            return not_open_in_words(self.seat)
        if any((act.kind, act.seat) == ("seat", self.seat) for act in standing.announced_acts):
            return f"seat {self.seat} already waits for a new player"
        if obstacle := standing.consent("seat", self.seat).obstacle:
            return obstacle
        if missing_reason := self.missing_file_sentence(standing):
            return missing_reason
        join = standing.joins[self.join].content
        return why_not_join(standing, self.seat, join) or why_not_invited(standing, join)

    def announced_act(self, standing: Standing, notice: Notice) -> AnnouncedAct | None:
        cancels = standing.consent("seat", self.seat).cancels
        if not cancels:
            return None
        fields, key = self.event_fields(standing, notice), self._join(standing).key
        return AnnouncedAct("seat", b"", 0, self.seat, (*cancels,), fields, key=key)

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        """Return the standing in which the join's player has the open seat: with its keys, without
        the departure, absence and door of the former player."""
        departures = {
            seat: reason for seat, reason in standing.departures.items() if seat != self.seat
        }
        doors = {seat: key for seat, key in standing.doors.items() if seat != self.seat}
        guests = standing.guests | {self.seat}
        calendar = standing.calendar.without_absence(self.seat)
        standing = replace(
            standing, departures=departures, doors=doors, guests=guests, calendar=calendar
        )
        return standing.with_keys_from_others(self.seat, self._join(standing), turn)

    def present_seat(self, notice: Notice) -> str:
        return self.seat

    def event_fields(self, standing: Standing, notice: Notice) -> dict[str, str]:
        fields = super().event_fields(standing, notice) | {"joined": self._join(standing).name}
        return fields | ({"mail": self.seat} if self.seat in standing.by_mail else {})

    def _join(self, standing: Standing) -> Join:
        if missing_reason := self.missing_file_sentence(standing):
            raise RecordError("parent", missing_reason)
        return standing.joins[self.join].content


def join_not_here(take_in: TakeIn) -> str:
    """Return the sentence that the join of a new player is missing, with a hint how to get it."""
    sentence = (
        f"the join {take_in.join.hex()[:6]} of seat {take_in.seat} is missing from this folder: "
    )
    return sentence + HOW_TO_GET


def why_not_invited(standing: Standing, join: Join) -> str:
    """Return why a join is not from the person with the seat's present invite; empty if it is."""
    invited = is_let_in(join, standing.doors.get(join.seat, b""))
    return "" if invited else "the player did not join with the invite that this seat has now"


def why_not_join(standing: Standing, seat: str, join: Join) -> str:
    """Say why a join cannot take over an open seat; empty if it can."""
    if join.seat != seat:
        return f"the join is for seat {join.seat}, not for seat {seat}"
    if any(join.game != player_join.game for player_join in standing.roster.values()):
        return "the join is for another game"
    if join.recovery in standing.taken_keys():
        return "the recovery key of the join is already used in this game"
    return standing.why_not_keys((join.key, join.x25519)) or why_not_seat_point(
        standing, join, seat, join.seat_point, join.point_proof
    )


# ---- the calendar

MAX_ABSENCE_SECONDS: Final = 100 * DAY
"""The longest absence that one notice may announce, in seconds."""


class Away(NoticeKind):
    """The seat announces an absence: nobody waits for it then, and no silence counts.

    A later notice of the seat replaces an earlier one. It makes no turn by itself. It counts in the
    very turn that lists it: `apply` puts it into the standing's calendar,
    `Standing.absence_reasons` gives the seat the reason `announced`, `Chain.absence_with` hands
    this to an `Absence`, and `Absence.unasked` lets `OrderSettler` settle the seat's questions by
    default.
    """

    about: ClassVar[str] = "away"
    events: ClassVar[Templates] = {
        "ends=0": "{writer:name} is not away after all",
        "": "{writer:name} is away from {begins:utc} to {ends:utc}, and nobody needs to wait",
    }
    confirmations: ClassVar[Templates] = {
        "ends=0": "you are not away after all",
        "": "you are away from {begins:local} to {ends:local}",
    }
    begins: int = wire(number(0, MAX_TIME))
    """The time at which the absence begins; 0 to take an announcement back."""
    ends: int = wire(number(0, MAX_TIME))
    """The time at which the absence ends; 0 to take an announcement back."""

    def covers(self, time: int) -> bool:
        """Return whether the seat is absent at this time."""
        return self.begins <= time < self.ends

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if reason := why_not_player(standing, notice):
            return reason
        if not self.ends:
            announced = notice.seat in standing.calendar.absences
            return "" if announced else "the seat has announced no absence"
        if self.ends <= self.begins:
            return "the absence ends before it begins"
        answered_at = standing.answer_times.get(notice.seat, 0)
        if standing.calendar.has_unanswered_absence(notice.seat, answered_at, standing.now):
            return (
                "the absence that this seat announced has begun; before the player announces "
                "another, the player must send orders"
            )
        if self.ends - self.begins > MAX_ABSENCE_SECONDS:
            return f"the absence is too long: it can last {MAX_ABSENCE_SECONDS // DAY} days at most"
        return "the absence is already over" if self.ends <= standing.now else ""

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        return replace(standing, calendar=standing.calendar.with_absence(notice.seat, self))

    def is_repeat(self, previous_saying: Saying, now: int) -> bool:
        """Return whether both announce the same absence. If both have begun, only the ends are
        compared, because an absence that begins at once is typed without a time."""
        assert isinstance(previous_saying, Away)
        has_begun = 0 < previous_saying.begins <= self.begins <= now
        return previous_saying == self or (has_begun and previous_saying.ends == self.ends)


class Delay(NoticeKind):
    """The seat puts the deadline off; the charter limits for how long in the whole game."""

    about: ClassVar[str] = "delay"
    events: ClassVar[Templates] = {"": "{writer:name} puts the deadline off by {hours:hour}"}
    confirmations: ClassVar[Templates] = {"": "you put the deadline off by {hours:hour}"}
    adds_up: ClassVar[bool] = True
    hours: int = wire(number(1, 9600))
    """The number of hours."""

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if reason := why_not_player(standing, notice):
            return reason
        if notice.turn < standing.asking_turn:
            return "this notice was written for an earlier deadline, which is over"
        if not standing.deadline:
            return "there is no deadline to put off"
        if standing.now >= standing.deadline:
            return "the deadline has passed, so nobody can put it off now"
        hours_left = standing.calendar.hours_left(standing.charter.policies, notice.seat)
        if not standing.charter.policies.delays:
            return "this game was made so that nobody can put a deadline off"
        if self.hours > hours_left:
            return f"this seat can put deadlines off by only {counted(hours_left, 'hour')} more"
        return ""

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        calendar = standing.calendar.with_delay(notice.seat, self.hours, turn)
        return replace(standing, calendar=calendar)


class SetDeadline(NoticeKind):
    """The seat proposes a deadline, which counts once all who must agree and, last of all, the
    referee do.

    So what counts follows from the notices alone, no matter who was idle at the time.
    """

    about: ClassVar[str] = "deadline"
    events: ClassVar[Templates] = {
        "writer=referee & phase": "{by:names} agreed to a new deadline for the phase {phase}: "
        "{rule}",
        "writer=referee": "{by:names} agreed to a new deadline: {rule}",
        "rule=": "{writer:name} no longer proposes a new deadline",
        "phase": "{writer:name} proposes a new deadline for the phase {phase}: {rule}",
        "": "{writer:name} proposes a new deadline: {rule}",
    }
    confirmations: ClassVar[Templates] = {
        "rule=": "you take your proposal back",
        "writer=referee & phase": "a new deadline is agreed for the phase {phase}: {rule}",
        "writer=referee": "a new deadline is agreed: {rule}",
        "phase": "you propose a new deadline for the phase {phase}: {rule}",
        "": "you propose a new deadline: {rule}",
    }
    rule: str = wire(text(0, 200, r"[ -~]*", "printable ASCII"))
    """The rule, in its one form; empty: the seat takes its proposal back."""
    phase: str = wire(text(0, 32, r"[a-z][a-z0-9_-]*|", "a phase's name"), "")
    """The phase for which it counts; empty: every phase without a rule of its own."""

    def why_not(self, standing: Standing, notice: Notice) -> str:
        try:
            standard_words = read_rule(self.rule).words if self.rule else ""
        except RuleError as error:
            return f"pbem does not understand the proposed deadline: {error.problem}"
        if standard_words != self.rule:
            return (
                f"the proposed deadline {self.rule!r} is not written in its standard form, which "
                f"is {standard_words!r}"
            )
        proposal, proposals = (self.phase, self.rule), standing.calendar.proposals
        if notice.writer != REFEREE:
            repeat_reason = ""  # a proposal that changes nothing
            if not self.rule:
                repeat_reason = "" if notice.seat in proposals else "the seat proposes no deadline"
            elif proposals.get(notice.seat) == proposal:
                repeat_reason = "the seat already proposes this deadline"
            return why_not_player(standing, notice) or repeat_reason
        needed_consent = standing.consent("deadline")
        if needed_consent.obstacle:
            return needed_consent.obstacle
        seats = needed_consent.seats - {*standing.charter.plays}
        if missing_seats := [seat for seat in sorted(seats) if proposals.get(seat) != proposal]:
            names = ", ".join(standing.names[seat] for seat in missing_seats)
            return (
                "the referee must agree last, but these players have not agreed to the new "
                f"deadline yet: {names}"
            )
        return (
            ""
            if self.rule
            else "the notice names no deadline; for no deadline, it must say 'never'"
        )

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        calendar = standing.calendar
        if notice.writer == REFEREE:
            calendar = calendar.with_rule(self.phase, self.rule, turn)
        else:
            calendar = calendar.with_proposal(notice.seat, self.phase, self.rule, turn)
        return replace(standing, calendar=calendar)

    def event_fields(self, standing: Standing, notice: Notice) -> dict[str, str]:
        fields = super().event_fields(standing, notice)
        if notice.writer != REFEREE:
            return fields
        proposal, proposals = (self.phase, self.rule), standing.calendar.proposals.items()
        agreed = sorted(seat for seat, other_proposal in proposals if other_proposal == proposal)
        referee = [] if standing.charter.automaton else [REFEREE]
        return fields | standing.signer_fields([*agreed, *referee])


class SetClock(NoticeKind):
    """The date of the last turn is wrong, because the referee's clock was; the game goes back.

    It counts once half of the players who are in and have keys of their own have said so and, last
    of all, the referee. If nobody who is in has such a key, half of the others must have said so:
    those to whom the referee gave a seat, and those by mail. So the referee never decides alone
    while anybody else plays; where a host deals, two players must have said so. All need not agree:
    no deadline comes that would show who is silent. Of those who have said so, as many as must say
    so set the earliest time that the referee may give: so no single player can keep the game from
    going back.
    """

    about: ClassVar[str] = "clock"
    events: ClassVar[Templates] = {
        "writer=referee": "the game goes back to the right time, which is {time:utc}",
        "": "{writer:name} says that the date of the last turn is wrong: the time is {time:utc}",
    }
    confirmations: ClassVar[Templates] = {
        "": "you say that the date of the last turn is wrong: the time is {time:local}"
    }
    time: int = wire(number(1, MAX_TIME))
    """The time on the writer's clock, in seconds since 1970 UTC."""

    def why_not(self, standing: Standing, notice: Notice) -> str:
        if self.time >= standing.dated:
            return "the time in this notice must be earlier than the date of the last turn"
        clocks = standing.calendar.clocks
        if notice.writer != REFEREE:
            repeat_reason = (
                "this seat has already said that the date is wrong" if notice.seat in clocks else ""
            )
            return why_not_player(standing, notice) or repeat_reason
        needed_consent = standing.consent("clock")
        if needed_consent.obstacle:
            return needed_consent.obstacle
        times = sorted(clocks[seat] for seat in needed_consent.seats & clocks.keys())
        if len(times) < needed_consent.count:
            missing_seats = sorted(needed_consent.seats - clocks.keys())
            names = ", ".join(standing.names[seat] for seat in missing_seats)
            own_key_seats = {seat.letter for seat in standing.seats if seat.holder == "own"}
            has_own_keys = needed_consent.seats <= own_key_seats
            players = "players with keys of their own" if has_own_keys else "players"
            return (
                f"before the referee, {needed_consent.count} of the {players} must say that the "
                f"date is wrong; these players have not said so yet: {names}"
            )
        # the latest of the earliest clocks, as many as must agree: so one wrong clock stops nobody
        latest_time = times[needed_consent.count - 1] if needed_consent.count else 0
        is_early = self.time < latest_time
        reason = (
            "the time in this notice is too early: a player's clock was already at "
            f"{utc_date(latest_time)}"
        )
        return reason if is_early else ""

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        calendar = standing.calendar
        if notice.writer != REFEREE:
            clocks = {**calendar.clocks, notice.seat: self.time}
            return replace(standing, calendar=replace(calendar, clocks=clocks))
        calendar = replace(calendar, clocks={}, set_back=turn, earliest=self.time)
        return replace(standing, calendar=calendar)

    def is_repeat(self, previous_saying: Saying, now: int) -> bool:
        """Return whether the clock of an earlier notice shows a time less than an hour before."""
        assert isinstance(previous_saying, SetClock)
        return 0 <= self.time - previous_saying.time < HOUR
