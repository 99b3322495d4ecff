"""Ann, Bo and Cy at a table without a folder: what notices do to who sits where."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import NoticeKind
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct, AppliedNotice, Standing
from pbem.judge.which_notices_count import SignedNotice
from pbem.records.charter import Charter
from pbem.records.invite import door_key
from pbem.records.join import Join, door_message
from pbem.records.notice import Notice
from pbem.records.read_and_sign_record import Record, make
from pbem.wording.notices import confirm_to_writer, describe_event
from tests.kit.sample_records import sample, seat_plan

G = sample()
GAME = bytes(range(32))
HEADS = [bytes([n]) * 32 for n in range(1, 9)]
NAMES = {"a": "Ann", "b": "Bo", "c": "Cy"}
KEYS = {who: SigningKey(bytes([n]) * 32) for n, who in enumerate(["a", "b", "c", "dee", "new"], 70)}
REF = SigningKey(bytes([90]) * 32)


def x25519(number: int) -> bytes:
    """A key for boxes."""
    return public_of(bytes([number]) * 32)


X_NEW = x25519(200)
CODE = b"the code of all!"
DOORS = {seat: door_key(CODE, seat).public for seat in "abcd"}
"""The doors of open seats, which let in every join of `join_by`."""


def charter_of_three(**changes) -> Charter:
    """The charter of the three; Dee is the deputy if `deputy` says so."""
    plans = tuple(seat_plan(seat, name) for seat, name in NAMES.items())
    base = replace(G.charter.content, seats=plans, plays=(), key=REF.public, policies={})
    return replace(base, referee="Rhea", **changes)


def with_deputy(**changes) -> Charter:
    """The same, with a deputy."""
    key = KEYS["dee"].public
    return charter_of_three(deputy="Dee", deputy_key=key, deputy_x25519=x25519(201), **changes)


def join_by(seat: str, who: str = "", **changes) -> Record[Join]:
    """The join of a seat, by its owner or by somebody new."""
    key = KEYS[who or seat]
    said = {"name": who if who else NAMES[seat], "recovery": b"", "x25519": box(who or seat)}
    content = replace(G.join_b.content, seat=seat, key=key.public, **{**said, **changes})
    return make(replace(content, door=door_key(CODE, seat).sign(door_message(content))), key)


def box(who: str) -> bytes:
    """The X25519 key of a person."""
    return x25519(100 + [*KEYS].index(who))


def standing_of_three(base: Charter | None = None, **changes) -> Standing:
    """Who sits where at the start, with these differences."""
    roster = {seat: join_by(seat).content for seat in NAMES}
    return replace(Standing(base or charter_of_three(), roster), **changes)


def plan_bot(seat: str) -> Charter:
    """The charter if a bot plays this seat."""
    plans = tuple(seat_plan(s, name, "greedy" if s == seat else "") for s, name in NAMES.items())
    return replace(charter_of_three(), seats=plans, plays=(seat,))


def sign(
    writer: str,
    saying: NoticeKind,
    number: int = 1,
    turn: int = 3,
    key: SigningKey | None = None,
    heads: Sequence[bytes] = HEADS,
) -> SignedNotice:
    """A notice of a seat or of `referee`, written after a turn."""
    key = key or KEYS.get(writer, REF)
    return make_notice((GAME, turn, heads[turn]), writer, number, saying, key)


def signed_content(writer: str, saying: NoticeKind, **place) -> Notice:
    """Its content."""
    return sign(writer, saying, **place).content


def why(where: Standing, writer: str, saying: NoticeKind, **place) -> str:
    """Why this notice cannot count, as its kind says."""
    return saying.why_not(where, signed_content(writer, saying, **place))


def waits(where: Standing, writer: str, saying: NoticeKind) -> AnnouncedAct | None:
    """What the notice announces."""
    return saying.announced_act(where, signed_content(writer, saying))


def done(where: Standing, writer: str, saying: NoticeKind, turn: int = 4) -> Standing:
    """The standing once a turn lists the notice."""
    return saying.apply(where, signed_content(writer, saying), turn)


def notice_line(writer: str, saying: NoticeKind, where: Standing | None = None) -> str:
    """What people read about it, once a turn lists it."""
    fields = saying.event_fields(where or standing_of_three(), signed_content(writer, saying))
    return describe_event(saying.about, fields)


def confirmation(writer: str, saying: NoticeKind, where: Standing | None = None) -> str:
    """What its writer reads."""
    fields = saying.event_fields(where or standing_of_three(), signed_content(writer, saying))
    return confirm_to_writer(saying.about, fields)


def signers(where: Standing, writer: str, saying: NoticeKind) -> frozenset[bytes]:
    """The keys that may sign it."""
    return saying.signers(where, signed_content(writer, saying))


def shows(writer: str, saying: NoticeKind) -> str:
    """The seat that shows with it that somebody is there."""
    return saying.present_seat(signed_content(writer, saying))


def counted(turn: int, about: str, seat: str = "", ident: bytes = b"x") -> AppliedNotice:
    """A row of what turns have listed."""
    return AppliedNotice(turn, ident, seat or "referee", about, seat, recovery=False, fields={})
