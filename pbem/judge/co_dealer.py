"""A co-dealer: makes exactly what the last turn owes of it, after checking the chain (§13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine import Entry
from engine.sentences.slots_in_sentences import Slot
from pbem.cards.card_keys_and_shares import make_card_secret
from pbem.cards.hidden_deck import CardDealer
from pbem.format import curve_group
from pbem.format.curve_group import scalar_bytes
from pbem.format.encrypted_box import box_key, public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.deputy_and_co_dealer_keys_in_charter import co_dealer_box_secret
from pbem.judge.hidden_cards_public_check import HiddenPublicCards
from pbem.judge.hidden_dealing_state import HiddenDealing
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import ReplaceDealer
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.sealed_cards_seat_check import with_cards
from pbem.judge.which_notices_count import SignedNotice, why_not
from pbem.records.charter import Charter
from pbem.records.deal_record import (
    CardMix,
    Deal,
    OpenedShare,
    open_recovery,
    seal_recovery,
)
from pbem.records.final_record import FINAL_AFTER_OTHER_TURN, FinalRecord, check_final
from pbem.records.notice import REFEREE
from pbem.records.player_call_request import MAX_CLOCK_SECONDS
from pbem.records.read_and_sign_record import Record, make
from pbem.text.dates import utc_date


def co_dealer_number(charter: Charter, key: bytes) -> int:
    """Return the number of the co-dealer that has this signing key, or whose deputy has it. Raises
    RecordError `key` if nobody has."""
    for number, dealer in enumerate(charter.dealers):
        if key in dealer.signing_keys:
            return number
    raise RecordError(
        "key",
        "your key cannot deal in this game, because the charter (game.toml) names no co-dealer "
        "with this key",
    )


def open_deputys_secret(charter: Charter, first_deal: Deal, game: bytes, key: SigningKey) -> int:
    """Return the secret scalar of a co-dealer for its deputy, who has this key. `first_deal` is the
    deal after turn 0. Raises RecordError: `box`, `padding`, `field` for a box without a scalar,
    `commitment` if the scalar does not give the dealer's card key."""
    number = first_deal.dealer
    box = box_key(Secrets(key.seed).deputy(), charter.dealers[number].x25519, game)
    secret = curve_group.read_scalar(open_recovery(first_deal.recovery, number, box))
    if curve_group.multiply_base(secret) != first_deal.card_key:
        sentence = (
            "the secret that the deputy got (field recovery) does not fit the card key "
            f"of dealer {number}"
        )
        raise RecordError("commitment", sentence)
    return secret


def owed_fields(dealing: HiddenDealing, card_dealer: CardDealer) -> dict[str, Any]:
    """Return the fields of a deal with what the last turn owes of this dealer, who has mixed or
    shared nothing since."""
    opened = tuple(
        OpenedShare(slot.seat, slot.number, card_dealer.share(slot)) for slot in dealing.need
    )
    has_mix = dealing.deck.next_mixer() == card_dealer.number
    mix = CardMix(*card_dealer.mix()) if has_mix else None
    return {"mix": mix, "shares": dealing.sealed_shares(card_dealer), "opened": opened}


def check_derived(reader: PublicReader, deal: Deal, secret: bytes) -> None:
    """Check that a deal after the last turn that the reader has absorbed follows from the secret
    that its dealer opened when the game was over. Raises RecordError `field`, `commitment`."""
    dealing = reader.cards.dealing  # type: ignore[attr-defined]
    card_dealer = CardDealer(dealing.deck, deal.dealer, curve_group.read_scalar(secret))
    if deal.turn:
        fields = owed_fields(dealing, card_dealer)
    else:
        fields = dict(zip(("card_key", "card_proof"), card_dealer.card_key(), strict=True))
    for name, value in fields.items():
        if getattr(deal, name) != value:
            sentence = (
                f"this file (field {name}) does not fit the secret that dealer {deal.dealer} "
                "published"
            )
            raise RecordError("commitment", sentence)


def opened_log(
    reader: PublicReader, log: Iterable[Entry], secrets: Mapping[int, bytes]
) -> list[Entry]:
    """Return the log of a game that is over with every hidden card; `secrets` has those of all
    dealers by number, in 32 bytes. The reader has absorbed all turns. Raises RecordError `field`,
    `commitment` for secrets that give no cards."""
    cards = reader.cards
    assert isinstance(cards, HiddenPublicCards)
    deck = cards.dealing.deck
    scalars = {number: curve_group.read_scalar(secret) for number, secret in secrets.items()}
    card_by_slot: dict[Slot, str] = {}
    for slot in deck.position_by_slot:
        mask = deck.pair_of(slot).mask
        points = {n: curve_group.multiply(scalar, mask) for n, scalar in scalars.items()}
        card_by_slot[slot] = deck.card_of(slot, points)
    return [
        with_cards(entry, [card_by_slot[slot] for slot in cards.bracket_slots.get(number, ())])
        if "[?]" in entry.text
        else entry
        for number, entry in enumerate(log)
    ]


class CoDealing:
    """What one co-dealer, or its deputy, writes in one game."""

    def __init__(
        self, reader: PublicReader, key: SigningKey, first_deal: Deal | None = None
    ) -> None:
        """`reader` has absorbed the turns so far, and so checked them; it may absorb more. `key` is
        the co-dealer's or its deputy's; a deputy needs `first_deal`, the dealer's deal after turn
        0. Raises RecordError `key` if it is no dealer's, `state` for a deputy before turn 1, and
        what `open_deputys_secret` raises."""
        self.reader, self.key = reader, key
        charter = reader.charter
        self.number = co_dealer_number(charter, key.public)
        if key.public == charter.dealers[self.number].key:
            self._secret = make_card_secret(key.seed, reader.game)
            if charter.dealers[self.number].x25519 != public_of(co_dealer_box_secret(key.seed)):
                sentence = "the X25519 key that game.toml has for this co-dealer is not your key"
                raise RecordError("key", sentence)
        elif first_deal is None:
            raise RecordError("state", "you are a dealer's deputy, who cannot deal before turn 1")
        else:
            self._secret = open_deputys_secret(charter, first_deal, reader.game, key)
        dealing = reader.cards.dealing  # type: ignore[attr-defined]
        assert isinstance(dealing, HiddenDealing)
        self._dealing = dealing
        self._card_dealer = CardDealer(dealing.deck, self.number, self._secret)

    def next_deal(
        self, now: int, final: Record[FinalRecord] | None, earliest_time: int = 0
    ) -> Record[Deal] | None:
        """Return what the last turn owes of this dealer, signed; None if it owes nothing, or if the
        game is over and `final` is not here yet. The same chain gives the same bytes.

        `now` is this machine's clock: a referee who dates turns ahead can pass every deadline alone
        and end the game on a copy of the chain, so nothing is given for a turn that is dated more
        than 10 minutes later, or 10 minutes before `earliest_time` (see `earliest_time_to_deal`).
        Raises RecordError: `state` then, and others for a wrong `final`.
        """
        chain, number = self.reader.chain, self.number
        if self.key.public != chain.standing.dealer_keys[number]:
            return None
        if not chain.turn:
            return self._sign(*self._first_part())
        if chain.time > now + MAX_CLOCK_SECONDS:
            sentence = (
                f"turn {chain.turn} is dated {chain.time - now} seconds later than this "
                "computer's clock, so this co-dealer does not deal yet"
            )
            raise RecordError("state", sentence)
        if earliest_time > now + MAX_CLOCK_SECONDS:
            sentence = (
                f"a turn before turn {chain.turn} came late to this co-dealer, so it deals only on "
                f"{utc_date(earliest_time)}: all players keep their full time to answer"
            )
            raise RecordError("state", sentence)
        if chain.is_over:
            if final is None:
                return None
            self._check_final(final.content)
            return self._sign(secret=scalar_bytes(self._secret))
        if number not in self._dealing.owed:
            return None
        return self._sign(**owed_fields(self._dealing, self._card_dealer))

    def take_place(self, now: int) -> SignedNotice:
        """Return the notice with which a deputy takes the place of its silent dealer; `now` is this
        machine's clock. Raises RecordError `state` if it may not, or not yet."""
        chain = self.reader.chain
        place = chain.game, chain.turn, chain.head
        notice = make_notice(place, REFEREE, 1, ReplaceDealer(self.number), self.key)
        if reason := why_not(chain.standing_at(now, {}), notice, chain.heads):
            raise RecordError("state", reason)
        return notice

    def _check_final(self, final: FinalRecord) -> None:
        """Check that the referee has opened all its secrets after the last turn. Raises RecordError
        `place`, `field`, `commitment`."""
        chain = self.reader.chain
        if (final.game, final.turn, final.prev) != (chain.game, chain.turn + 1, chain.head):
            raise RecordError("place", FINAL_AFTER_OTHER_TURN)
        check_final(chain.charter, final)
        card_key = curve_group.multiply_base(curve_group.read_scalar(final.card_secret))
        if card_key != self._dealing.deck.keys[self._dealing.referee]:
            raise RecordError(
                "commitment",
                "the secret in final.toml (field card_secret) does not fit the referee's card key "
                "in turn 1",
            )

    def _first_part(self) -> tuple[bytes, bytes, bytes]:
        """Return the card key, its proof, and the secret in a box for the deputy, if there is
        one."""
        card_key, proof = self._card_dealer.card_key()
        deputy = self.reader.charter.dealers[self.number].deputy_x25519
        recovery = b""
        if deputy:
            secret = scalar_bytes(self._secret)
            recovery = seal_recovery(secret, self.number, self._box_key(deputy))
        return card_key, proof, recovery

    def _box_key(self, public: bytes) -> bytes:
        return box_key(co_dealer_box_secret(self.key.seed), public, self.reader.game)

    def _sign(
        self,
        card_key: bytes = b"",
        card_proof: bytes = b"",
        recovery: bytes = b"",
        *,
        mix: CardMix | None = None,
        shares: dict[str, bytes] | None = None,
        opened: tuple[OpenedShare, ...] = (),
        secret: bytes = b"",
    ) -> Record[Deal]:
        chain = self.reader.chain
        deal = Deal(
            game=chain.game, turn=chain.turn, prev=chain.head, seat="", dealer=self.number,
            card_key=card_key, card_proof=card_proof, recovery=recovery,
            mix=mix, shares=shares, opened=opened, secret=secret,
        )  # fmt: skip
        return make(deal, self.key)
