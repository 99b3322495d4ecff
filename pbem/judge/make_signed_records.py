"""Sign what people write: charters, joins, orders and notices (protocol §5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from engine.value_classes import Value
from pbem.format.encrypted_box import box_key, public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.game_ruleset import check_bot, digest_of, ruleset_with
from pbem.judge.seat_curve_points import make_seat_point
from pbem.judge.which_notices_count import SignedNotice
from pbem.records.charter import Charter, CoDealer, SeatPlan
from pbem.records.deadline_and_silence_policies import Policies
from pbem.records.game_id_and_chain_heads import first_head, game_id
from pbem.records.invite import Invite, door_key, invite_code, slug
from pbem.records.join import Join, door_message, small_box
from pbem.records.notice import Notice, Saying, notice_fields
from pbem.records.orders import Orders
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Record, make
from pbem.records.record_count_and_size_limits import MAX_NOTICES
from pbem.records.record_header import DEALERS_MODE, REFEREE_MODE
from pbem.records.sealed_orders import OrderPlace, UnsealedOrders, seal_orders, texts_digest
from pbem.records.seeded_decks_and_dice import referee_commitment, seat_commitment

if TYPE_CHECKING:
    from pbem.judge.seat_turn_reader import SeatReader


class Plan(Value):
    """The decisions of a referee who starts a game."""

    title: str
    referee: str
    ruleset: str
    players: Sequence[str]
    """The names of the players in clockwise order, for seats a, b, c …"""
    options: Mapping[str, str | int | bool] = field(default_factory=dict)
    policies: Mapping[str, str | int | bool] = field(default_factory=dict)
    plays: Sequence[str] = ()
    """The letters of the seats that the referee plays, in person or with bots."""
    by_mail: Sequence[str] = ()
    """The letters of the seats whose players answer by plain email."""
    bots: Mapping[str, str] = field(default_factory=dict)
    """The name of the bot at each seat that a bot plays."""
    deputy: tuple[str, bytes, bytes] = ("", b"", b"")
    """The deputy's name, signing key and X25519 key, if there is a deputy."""
    cards: str = ""
    """The text of an owner's card file."""
    dealers: Sequence[CoDealer] = ()
    """The co-dealers, who hide the cards together with the referee."""
    automaton: bool = False
    """Whether a host deals, so that the referee is no person."""


def make_charter(plan: Plan, key: SigningKey, table: bytes) -> Record[Charter]:
    """Make and sign the charter of a new game with the referee's key; `table` is its 16 random
    bytes, from which the referee's secrets for this game derive too. Raises RecordError `field` for
    an unknown ruleset or option, or a bad policy."""
    letters = [chr(ord("a") + n) for n in range(len(plan.players))]
    try:
        rules = ruleset_with(plan.ruleset, plan.cards)
        rules.game("".join(letters), {name: str(value) for name, value in plan.options.items()})
    except ValueError as error:
        raise RecordError("field", str(error)) from None
    secrets, policies = Secrets(key.seed), Policies(plan.policies)
    seats = tuple(
        SeatPlan(
            letter,
            name,
            door_key(invite_code(secrets.audit(table), table, letter), letter).public,
            plan.bots.get(letter, ""),
            letter in plan.by_mail,
        )
        for letter, name in zip(letters, plan.players, strict=True)
    )
    charter = Charter(
        game=b"", turn=0, prev=b"", seat="",
        title=plan.title, referee=plan.referee, automaton=plan.automaton,
        table=table, mode=DEALERS_MODE if plan.dealers else REFEREE_MODE,
        ruleset=rules.name, version=rules.version, digest=digest_of(rules),
        key=key.public,
        audit=public_of(secrets.audit(table)),
        desk=public_of(secrets.desk(table)),
        commit=referee_commitment(table, secrets.r_ref(table)),
        seats=seats, plays=tuple(sorted(plan.plays)),
        options=dict(plan.options), policies=policies,
        deputy=plan.deputy[0], deputy_key=plan.deputy[1], deputy_x25519=plan.deputy[2],
        notes=rules.notes, dealers=tuple(plan.dealers), cards=plan.cards,
    )  # fmt: skip
    policies.check([phase.name for phase in rules.phases])
    check_bot(policies, rules)
    return make(charter, key)


def invite_to(charter: Record[Charter], key: SigningKey, seat: str) -> Invite:
    """Make the invite that the referee sends to the person who will take this seat."""
    game = game_id(charter.signed.body)
    table = charter.content.table
    code = invite_code(Secrets(key.seed).audit(table), table, seat)
    return Invite(slug(charter.content.title), seat, code, game)


def make_join(
    charter: Record[Charter],
    seat: str,
    name: str,
    key: SigningKey,
    code: bytes,
    contact: str = "",
    recovery: bytes = b"",
) -> Record[Join]:
    """Make and sign a seat's join, with a share of the seed unless the referee has the seat's key.

    `key` is the player's signing key, and their secrets for this game derive from it. The invite's
    `code` gives the key of the seat's door, which signs the join's keys; an empty code leaves this
    out. `contact` is the player's address, which only the referee can read; `recovery` is the
    public recovery key, if they have one.
    """
    content, game, secrets = charter.content, game_id(charter.signed.body), Secrets(key.seed)
    secret = secrets.box(game, seat)
    audit, desk = (box_key(secret, public, game) for public in (content.audit, content.desk))
    is_held_seat = seat in content.held_seats
    r = secrets.r(game, seat)
    seat_point = make_seat_point(content, game, seat, key.seed)
    join = Join(
        game=game, turn=0, prev=first_head(game), seat=seat,
        name=name, key=key.public, x25519=public_of(secret), recovery=recovery,
        seat_point=seat_point.point, point_proof=seat_point.proof,
        commit=b"" if is_held_seat else seat_commitment(game, seat, r),
        r=b"" if is_held_seat else small_box(audit, "r", seat, key.public, r),
        door=b"",
        contact=small_box(desk, "contact", seat, key.public, contact.encode()),
    )  # fmt: skip
    if code:
        join = replace(join, door=door_key(code, seat).sign(door_message(join)))
    return make(join, key)


def answered_turn_and_head(reader: SeatReader, *, is_early: bool = False) -> tuple[int, bytes]:
    """Return the turn that orders of this seat answer now, and the head on which they build.

    It is the last turn that the reader has. With `is_early`, for a seat in `plays`, it is the next
    one.
    """
    turn = reader.chain.turn + is_early
    return turn, reader.chain.heads[reader.charter.turn_built_on(reader.seat, turn)]


def make_orders(
    reader: SeatReader,
    key: SigningKey,
    texts: Sequence[str],
    revision: int,
    *,
    is_early: bool = False,
) -> Record[Orders]:
    """Seal and sign orders for the turn of `answered_turn_and_head`. `texts` are the lines,
    `revision` is the number of these orders among the seat's orders for that turn. Raises
    RecordError if the lines cannot be sealed."""
    turn, prev = answered_turn_and_head(reader, is_early=is_early)
    place = OrderPlace(reader.game, turn, reader.seat, revision)
    texts = reader.seat_cards.sealed_texts(texts)
    digest = texts_digest(texts)
    secret = Secrets(key.seed).sealing(reader.game, reader.seat, turn, revision, digest)
    unsealed = UnsealedOrders(place, secret, texts, reader.mode.has_handles)
    return make(seal_orders(place, prev, unsealed, reader.key), key)


def join_by_referee(
    charter: Record[Charter], key: SigningKey, seat: str, contact: str = ""
) -> Record[Join]:
    """Return the join of a seat whose key the referee has; the same arguments always give the same
    bytes."""
    name = next(plan.name for plan in charter.content.seats if plan.seat == seat)
    invite = invite_to(charter, key, seat)
    seat_key = SigningKey(Secrets(key.seed).held_seat(invite.game, seat))
    return make_join(charter, seat, name, seat_key, invite.code, contact)


def make_notice(
    place: tuple[bytes, int, bytes], writer: str, number: int, saying: Saying, key: SigningKey
) -> SignedNotice:
    """Sign a notice of `writer`, a seat or `referee`, at a place: the game, the turn before, and
    the head after it. Raises RecordError `field`."""
    game, turn, head = place
    seat = "" if writer == REFEREE else writer
    fields = notice_fields(saying)
    return make(Notice(game=game, turn=turn, prev=head, seat=seat, number=number, **fields), key)


def next_number(notices: Iterable[SignedNotice], turn: int, writer: str) -> int:
    """Return the number, from 1, of a writer's next notice after a turn; `notices` are the notices
    that use the same numbers (see `numbered_with`). Raises RecordError `state` if no more would
    count."""
    contents = (notice.content for notice in notices)
    used_numbers = [n.number for n in contents if (n.turn, n.writer) == (turn, writer)]
    number = max(used_numbers, default=0) + 1
    if number > MAX_NOTICES:
        sentence = (
            f"you have written {MAX_NOTICES} notices since turn {turn}, and can write no more "
            "before the next turn"
        )
        raise RecordError("state", sentence)
    return number
