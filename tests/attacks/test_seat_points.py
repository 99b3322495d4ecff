"""Mode `dealers`: what a seat computes with its keys tells nobody its cards.

A sealed share (E1, E2) of a card M is public, and E2 is q·E1 + D. Whoever knows all shares but D
has a guess of q·E1 for each card. If the seat ever uses q for something else with a point that
others choose, such as a box to a key made from E1, then only the right guess fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.sentences.slots_in_sentences import Slot
from pbem.acts.invite_next_player import next_code
from pbem.cards.hidden_deck import CardDealer
from pbem.cards.sealed_shares import make_point_proof
from pbem.format import curve_group, protocol_labels
from pbem.format.encrypted_box import open_box, public_of
from pbem.format.hashes_and_streams import kdf
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.format.usable_public_keys import P
from pbem.judge.audit import audit
from pbem.judge.notice_kinds import Leave, NewKey, SetDoor, TakeIn, Vouch, why_not_join
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.read_and_make_messages import (
    Reader,
    make_message,
    message_box_context,
    seating_with,
)
from pbem.judge.seat_curve_points import NO_SEAT_POINT, SeatPoint, make_seat_point
from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.which_joins_count import claim_of
from pbem.judge.which_notices_count import sort_notices
from pbem.records.invite import door_key
from pbem.records.join import Join, door_message, may_be_let_in
from pbem.records.read_and_sign_record import Record, make
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import Played, played_key
from tests.kit.record_files import put_record
from tests.kit.refusals import refused_for

BLINDING = 0x1234567890ABCDEF
SLOT = Slot("a", 0)
ROGUE_KEY = played_key("Cy's new computer")


def u_coordinate(point: bytes) -> bytes:
    """The X25519 key that is the same point as one of the group."""
    y = int.from_bytes(point, "little") & ((1 << 255) - 1)
    return ((1 + y) * pow(1 - y, -1, P) % P).to_bytes(32, "little")


def point_of_box_key(x25519: bytes) -> bytes:
    """The point of the group that is the same as an X25519 key: the point of a seat, if one secret
    had both uses."""
    u_number = int.from_bytes(x25519, "little")
    return ((u_number - 1) * pow(u_number + 1, -1, P) % P).to_bytes(32, "little")


def box_of_message(game: DealersGame) -> bytes:
    """The box of an ordinary private message that seat a writes to seat c."""
    game_id, key = game.game_folder.game, game.seats["a"].key
    writer = Reader("a", Secrets(key.seed).box(game_id, "a"))
    place = game_id, len(game.turns), game.heads[-1]
    seating = seating_with(game.made.chain.standing)
    message = make_message(place, 1, game.now, ("shall we be friends?",), writer, key, "c", seating)
    return message.content.box


def cards_that_open(game: DealersGame, sealed_share: bytes, box: bytes) -> list[str]:
    """The cards whose guess opens a message of seat a to the key u(x·E1) of seat c: what the
    referee and c can find out together."""
    deck = game.dealing[0].reader.cards.dealing.deck  # type: ignore[attr-defined]
    pair, standing = deck.pair_of(SLOT), game.made.chain.standing
    secret = game.made.cards.card_dealer._secret  # type: ignore[attr-defined]
    without_referee = curve_group.subtract(
        pair.masked_card, curve_group.multiply(secret, pair.mask)
    )
    box_keys = sorted(standing.roster[seat].x25519 for seat in "ac")
    found = []
    for card_point, card in deck.card_by_point.items():
        share = curve_group.subtract(without_referee, card_point)
        shared_mask = curve_group.subtract(sealed_share[32:64], share)
        secret_of_both = u_coordinate(curve_group.multiply(BLINDING, shared_mask))
        key = kdf(secret_of_both, protocol_labels.BOX, game.game_folder.game, *box_keys)
        try:
            open_box(key, message_box_context(len(game.turns), "a", 1), box)
        except RecordError:
            continue
        found.append(card)
    return found


@pytest.mark.sample(0)
@pytest.mark.parametrize("has_own_secret", [True, False], ids=["today", "one secret, two uses"])
def test_a_private_message_helps_nobody_to_find_a_card(
    tmp_path: Path, has_own_secret: bool
) -> None:
    game = DealersGame(tmp_path / "game", options={"together": "yes"}, players=3)
    game.play(4)
    roster = game.made.chain.standing.roster
    point = roster["a"].seat_point if has_own_secret else point_of_box_key(roster["a"].x25519)
    co_dealer = game.dealing[0]._card_dealer
    assert isinstance(co_dealer, CardDealer)
    sealed_share = co_dealer.sealed_share(SLOT, point)
    rogue_box = u_coordinate(curve_group.multiply(BLINDING, sealed_share[:32]))
    own_point = make_seat_point(game.charter.content, game.game_folder.game, "c", ROGUE_KEY.seed)
    game.say("c", NewKey.make(ROGUE_KEY, rogue_box, game.game_folder.game, "c", own_point))
    game.is_paused = bool(game.turns[-1].content.owed)
    game.turn()
    game.read(PublicReader(game.charter))  # everybody accepts the key, which looks like any other
    card = game.reader_at("a").seat_cards.cards[0]  # type: ignore[attr-defined]
    found = cards_that_open(game, sealed_share, box_of_message(game))
    assert found == ([] if has_own_secret else [card])


# ------------------------------------------------------------------ rogue points
def foreign_point(game: DealersGame) -> bytes:
    """A published point whose secret no player knows: a mask of the deck."""
    mix = next(deal.content.mix for deal in game.deals.values() if deal.content.mix)
    return mix.pairs[32:64]


def rogue_points(game: DealersGame, seat: str, foreign: bytes) -> dict[str, SeatPoint]:
    """What somebody without the right proof can name as the point of a seat."""
    game_id, secret = game.game_folder.game, 777
    own_point = curve_group.multiply_base(secret)
    own_proof = make_point_proof(secret, game_id, seat)
    others = game.joins["a"].content
    return {
        "a foreign point": SeatPoint(foreign, own_proof),
        "its sum with an own point": SeatPoint(curve_group.add(foreign, own_point), own_proof),
        "its multiple": SeatPoint(curve_group.multiply(secret, foreign), own_proof),
        "the point and the proof of seat a": SeatPoint(others.seat_point, others.point_proof),
        "a proof for another seat": SeatPoint(own_point, make_point_proof(secret, game_id, "d")),
        "a point of order 2": SeatPoint((P - 1).to_bytes(32, "little"), own_proof),
        "no proof": SeatPoint(own_point, b""),
        "none": NO_SEAT_POINT,
    }


def new_key(game: Played, seat: str, point: SeatPoint) -> NewKey:
    box = public_of(Secrets(ROGUE_KEY.seed).box(game.game_folder.game, seat))
    return NewKey.make(ROGUE_KEY, box, game.game_folder.game, seat, point)


@pytest.mark.sample(0)
def test_new_keys_without_the_right_proof_of_their_seat_point_count_nowhere(tmp_path: Path) -> None:
    game = DealersGame(tmp_path / "game", players=3)
    game.play(4)
    standing = game.made.chain.standing_at(game.now, game.joins_by_id)
    own_key = new_key(game, "c", NO_SEAT_POINT)
    for why, point in rogue_points(game, "c", foreign_point(game)).items():
        keys = own_key.key, own_key.x25519
        for writer, saying in (("c", new_key(game, "c", point)), ("b", Vouch("c", *keys, *point))):
            record = game.say(writer, saying)
            found = sort_notices(standing, [record], game.heads)
            assert (found.counting, len(found.rejected)) == ([], 1), why
            assert "seat point" in found.rejected[0][1] or "seat_point" in found.rejected[0][1]
            assert "seat c" in found.rejected[0][1]
    game.said = game.said[2:3]  # the sum: a referee who lets it count is refused by everybody
    game.is_paused = bool(game.turns[-1].content.owed)
    game.turn()
    with refused_for("rule", "seat c must prove that it knows the secret") as caught:
        game.read(PublicReader(game.charter))
    (finding,) = audit(game.folder).broken
    assert finding.sentence == caught.value.sentence


def test_a_new_key_counts_only_with_the_seat_point_that_its_owner_signed(tmp_path: Path) -> None:
    """Nobody else can put another point beside new keys, also not one whose secret they know."""
    game = DealersGame(tmp_path / "game")
    game.play(2)
    game_id, content = game.game_folder.game, game.charter.content
    point = make_seat_point(content, game_id, "b", ROGUE_KEY.seed)
    other = make_seat_point(content, game_id, "b", bytes(32))
    standing = game.made.chain.standing_at(game.now, game.joins_by_id)
    own = new_key(game, "b", point)
    changed = replace(own, seat_point=other.point, point_proof=other.proof)
    for saying, counts in ((own, True), (changed, False)):
        found = sort_notices(standing, [game.say("b", saying)], game.heads)
        assert bool(found.counting) is counts
    # and those who vouch must vouch for one point
    vouches = [Vouch("b", own.key, own.x25519, *x) for x in (point, other)]
    assert vouches[0].keys != vouches[1].keys
    assert vouches[0].words(game_id) != vouches[1].words(game_id)


@pytest.mark.sample(0)
def test_a_player_learns_that_the_listed_seat_point_does_not_fit_their_key(tmp_path: Path) -> None:
    """The owner of the new key has signed it, perhaps with another program."""
    game = DealersGame(tmp_path / "game").play(4)
    point = make_seat_point(game.charter.content, game.game_folder.game, "b", bytes(32))
    game.say("b", new_key(game, "b", point))
    first_turn = len(game.turns) + 1
    game.turn()
    assert game.turns[-1].content.owed
    game.turn()
    reader = SeatReader(game.charter, "b", ROGUE_KEY.seed, first_turn)
    with refused_for("key", "for another key than yours"):
        game.read(reader)
    game.read(PublicReader(game.charter))


# ------------------------------------------------------------------ joins
def with_point(
    game: Played, record: Record[Join], point: SeatPoint, key: SigningKey, code: bytes = b""
) -> Record[Join]:
    """The join with another seat point, signed again by the door and the key."""
    seat = record.content.seat
    join = replace(record.content, seat_point=point.point, point_proof=point.proof)
    door = door_key(code or game.invite_code(seat), seat)
    return make(replace(join, door=door.sign(door_message(join))), key)


def sum_with_seat_a(game: DealersGame, join: Join) -> SeatPoint:
    other = game.joins["a"].content
    return SeatPoint(curve_group.add(other.seat_point, join.seat_point), join.point_proof)


@pytest.mark.parametrize(
    ("change", "reason", "words"),
    [
        (sum_with_seat_a, "commitment", "seat b must prove that it knows the secret"),
        (lambda game, join: NO_SEAT_POINT, "field", "seat b lacks the field seat_point"),
        (lambda game, join: SeatPoint(join.seat_point[::-1], join.point_proof), "", ""),
    ],
    ids=["a sum", "none", "another"],
)
def test_a_join_without_the_right_proof_of_its_seat_point_is_refused(
    tmp_path: Path, change: Callable[[DealersGame, Join], SeatPoint], reason: str, words: str
) -> None:
    game = DealersGame(tmp_path / "game")
    honest = game.joins["b"]
    record = with_point(game, honest, change(game, honest.content), game.seats["b"].key)
    put_record(game.folder, record)
    game.joins["b"] = record  # a referee who lets it count
    game.made = game.turn_maker()
    claim = claim_of(game.charter, record)
    assert not claim.is_good
    assert claim.fault is not None
    game.turn()
    with pytest.raises(RecordError) as caught:
        game.read(PublicReader(game.charter))
    for error in (claim.fault, caught.value):
        assert (reason or error.reason, words in error.sentence) == (error.reason, True)


@pytest.mark.sample(0)
def test_a_new_player_without_the_right_proof_of_their_seat_point_gets_no_seat(
    tmp_path: Path,
) -> None:
    game = DealersGame(tmp_path / "game", players=3)
    game.play(4)
    game.is_paused = bool(game.turns[-1].content.owed)
    game.say("c", Leave())
    audit_secret = Secrets(game.referee.seed).audit(game.table)
    game.turn()
    code = next_code(game.made.chain.standing, audit_secret, "c")
    game.say("referee", SetDoor("c", door_key(code, "c").public))
    game.turn()
    honest = game.join_by("c", "Zoe", ROGUE_KEY, code)
    rogue = rogue_points(game, "c", foreign_point(game))["its sum with an own point"]
    joins = [honest, with_point(game, honest, rogue, ROGUE_KEY, code)]
    game.later |= {join.id: join for join in joins}
    standing = game.made.chain.standing_at(game.now, game.joins_by_id)
    for join, counts in zip(joins, (True, False), strict=True):
        record = game.say("referee", TakeIn("c", join.id))
        found = sort_notices(standing, [record], game.heads)
        assert bool(found.counting) is counts, found.rejected
    assert "seat c must prove that it knows the secret" in found.rejected[0][1]
    assert why_not_join(standing, "c", honest.content) == ""
    elsewhere = replace(honest.content, game=b"\1" * 32)
    assert "is for another game" in why_not_join(standing, "c", elsewhere)


def test_the_invites_signature_covers_the_seat_point(tmp_path: Path) -> None:
    game = DealersGame(tmp_path / "game")
    record, key = game.joins["b"], game.seats["b"].key
    other = make_seat_point(game.charter.content, game.game_folder.game, "b", bytes(32))
    changed = replace(record.content, seat_point=other.point, point_proof=other.proof)
    door = game.charter.content.doors["b"]
    for join, is_right in ((record, True), (make(changed, key), False)):
        claim = claim_of(game.charter, join)
        assert (claim.fault, claim.is_good) == (None, is_right)
        assert may_be_let_in(join.signed.body, door) is is_right


# ------------------------------------------------------------------ other modes
def test_where_one_person_deals_a_seat_point_is_refused(tmp_path: Path) -> None:
    game = Played(tmp_path / "game")
    point = SeatPoint(curve_group.multiply_base(777), make_point_proof(777, bytes(32), "b"))
    record = with_point(game, game.joins["b"], point, game.seats["b"].key)
    fault = claim_of(game.charter, record).fault
    assert fault is not None
    assert (fault.reason, "but no co-dealers deal" in fault.sentence) == ("field", True)
    game.play(2)
    standing = game.made.chain.standing_at(game.now, game.joins_by_id)
    for saying, counts in ((new_key(game, "b", point), False),
                           (new_key(game, "b", NO_SEAT_POINT), True)):  # fmt: skip
        found = sort_notices(standing, [game.say("b", saying)], game.heads)
        assert bool(found.counting) is counts
