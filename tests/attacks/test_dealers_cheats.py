"""Dealers that cheat in mode `dealers`: everybody refuses, at once, and the reason names who."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engine import Decision
from engine.sentences.slots_in_sentences import Slot
from pbem.format.encrypted_box import public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.hidden_cards_public_check import HiddenPublicCards
from pbem.judge.notice_kinds import NewKey
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.seat_curve_points import make_seat_point
from pbem.records.deal_record import (
    CardMix,
    Deal,
    NeededSlot,
    OpenedShare,
    OpenedSlot,
    split_shares,
)
from pbem.records.packet import Packet
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import ListedOrders, LogEntry, OpenCard, SaidAnswer, Turn
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import played_key
from tests.kit.refusals import refused_for

TurnCheat = Callable[["CheatingGame", Turn], Turn | None]
DealCheat = Callable[["CheatingGame", Deal], Deal | None]


@dataclass
class CheatingGame(DealersGame):
    """A game in which one dealer cheats once, as soon as it can."""

    referee_cheats: TurnCheat | None = None
    co_dealer_cheats: DealCheat | None = None
    cheats: int = 0

    def change(self, turn: Turn) -> Turn:
        changed = (
            self.referee_cheats(self, turn) if self.referee_cheats and not self.cheats else None
        )
        self.cheats += changed is not None
        return changed or turn

    def changed_deal(self, deal: Record[Deal]) -> Record[Deal]:
        cheat = self.co_dealer_cheats
        changed = cheat(self, deal.content) if cheat and not self.cheats else None
        self.cheats += changed is not None
        return make(changed, self.dealer_keys[0]) if changed else deal


def refusal_of_game(game: CheatingGame) -> RecordError:
    """The error with which the first who reads it refuses what the dealer has signed."""
    with pytest.raises(RecordError) as caught:
        game.play(40)
    assert game.cheats == 1
    return caught.value


# ------------------------------------------------------------------ the co-dealer
def doubled_card(_: CheatingGame, deal: Deal) -> Deal | None:
    if deal.mix is None:
        return None
    pairs = deal.mix.pairs
    return replace(deal, mix=CardMix(pairs[:64] * 2 + pairs[128:], deal.mix.proof))


def other_order(_: CheatingGame, deal: Deal) -> Deal | None:
    """It puts the first card last, after the proof was made."""
    if deal.mix is None:
        return None
    pairs = deal.mix.pairs
    return replace(deal, mix=CardMix(pairs[64:] + pairs[:64], deal.mix.proof))


def other_share(_: CheatingGame, deal: Deal) -> Deal | None:
    """It opens one slot with the share of another."""
    if len(deal.opened) < 2:
        return None
    first, second, *others = deal.opened
    return replace(deal, opened=(replace(first, share=second.share), second, *others))


def open_more(game: CheatingGame, deal: Deal) -> Deal | None:
    if not deal.opened:
        return None
    opened = {row.slot for row in deal.opened if row.seat == "a"}
    hand = game.made.table.hands.held["a"]  # type: ignore[attr-defined]
    slot = next((number for number in hand if number not in opened), None)
    if slot is None:
        return None
    rows = [*deal.opened, OpenedShare("a", slot, deal.opened[0].share)]
    return replace(deal, opened=tuple(sorted(rows, key=lambda row: (row.seat, row.slot))))


def open_less(_: CheatingGame, deal: Deal) -> Deal | None:
    return replace(deal, opened=deal.opened[1:]) if len(deal.opened) > 1 else None


def no_shares_for_a(_: CheatingGame, deal: Deal) -> Deal | None:
    shares = dict(deal.shares or {})
    return replace(deal, shares=shares) if shares.pop("a", None) and shares else None


def shares_swapped_for_a(_: CheatingGame, deal: Deal) -> Deal | None:
    """It seals each of two shares for the other's slot: only seat a could open them."""
    first, second, *others = split_shares((deal.shares or {}).get("a", b"")) or ("", "")
    return with_shares(deal, [second, first, *others]) if first else None


def junk_sealed_for_a(_: CheatingGame, deal: Deal) -> Deal | None:
    """It changes one share so that seat a would find another point."""
    first, *others = split_shares((deal.shares or {}).get("a", b"")) or ("",)
    return with_shares(deal, [first[:32] + first[:32] + first[64:], *others]) if first else None


def share_sealed_for_b(game: CheatingGame, deal: Deal) -> Deal | None:
    """It seals seat a's share under the point of seat b, which could then read it."""
    first, *others = split_shares((deal.shares or {}).get("a", b"")) or ("",)
    if not first:
        return None
    dealing = game.dealing[0]
    slot = Slot("a", dealing.reader.cards.dealing.deck.unshared_slots["a"][0])
    point = dealing.reader.chain.standing.roster["b"].seat_point
    return with_shares(deal, [dealing._card_dealer.sealed_share(slot, point), *others])


def with_shares(deal: Deal, shares: list[bytes]) -> Deal:
    return replace(deal, shares={**(deal.shares or {}), "a": b"".join(shares)})


def key_of_another(game: CheatingGame, deal: Deal) -> Deal | None:
    """It says that the referee's card key is its own, to cancel it."""
    if deal.turn:
        return None
    card_key, proof = game.made.cards.card_dealer.card_key()  # type: ignore[attr-defined]
    return replace(deal, card_key=card_key, card_proof=proof)


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("cheat", "reason", "words"),
    [
        (doubled_card, "field", "a dealer's shuffle must hide each card differently"),
        (other_order, "commitment", "dealer 0"),
        (other_share, "commitment", "dealer 0 must prove its share"),
        (open_more, "opening", "dealer 0 must contain what"),
        (open_less, "opening", "dealer 0 must contain what"),
        (no_shares_for_a, "opening", "dealer 0 must contain what"),
        (shares_swapped_for_a, "commitment", "dealer 0 must prove its sealed share"),
        (junk_sealed_for_a, "commitment", "dealer 0 must prove its sealed share"),
        (share_sealed_for_b, "commitment", "dealer 0 must prove its sealed share"),
        (
            key_of_another,
            "commitment",
            "dealer 0 must prove that it knows the secret of its card key",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_wrong_deal_that_a_co_dealer_signs_is_refused(
    tmp_path: Path, cheat: DealCheat, reason: str, words: str
) -> None:
    game = CheatingGame(tmp_path / "game", co_dealer_cheats=cheat)
    error = refusal_of_game(game)
    assert (error.reason, words in error.sentence) == (reason, True), error.sentence


# ------------------------------------------------------------------ the referee
def another_card(_: CheatingGame, turn: Turn) -> Turn | None:
    if not turn.opened:
        return None
    row, *others = turn.opened
    card = "horns 1" if row.card != "horns 1" else "horns 2"
    return replace(turn, opened=(replace(row, card=card), *others))


def an_unneeded_slot(game: CheatingGame, turn: Turn) -> Turn | None:
    if not turn.opened:
        return None
    first = turn.opened[0]
    rows = {(row.seat, row.slot): row for row in turn.opened}
    rows["b", 0] = OpenedSlot("b", 0, "horns 1", first.share)
    changed = tuple(rows[place] for place in sorted(rows))
    return replace(turn, opened=changed) if changed != turn.opened else None


def another_answer(_: CheatingGame, turn: Turn) -> Turn | None:
    """It lets another slot leave the hand than the turn before said."""
    if not turn.opened or not turn.log or not turn.log[0].slots:
        return None
    first, *others = turn.log
    slots = (first.slots[0] + 1, *first.slots[1:])
    return replace(turn, log=(replace(first, slots=slots), *others))


def orders_after_names(game: CheatingGame, turn: Turn) -> Turn | None:
    """Seat a orders anew, when cards have been opened."""
    if not turn.opened:
        return None
    record = game.send(game.seats["a"].orders([], 50))
    return replace(turn, orders=(ListedOrders(record.id, "a", "accepted"),))


def no_shares(_: CheatingGame, turn: Turn) -> Turn | None:
    return replace(turn, shares=None) if turn.shares else None


def shares_of_another_hand(_: CheatingGame, turn: Turn) -> Turn | None:
    """It gives seat a the shares for seat b."""
    shares = dict(turn.shares or {})
    if {*shares} != {"a", "b"}:
        return None
    return replace(turn, shares={"a": shares["b"], "b": shares["a"]})


def shares_nobody_asked_for(_: CheatingGame, turn: Turn) -> Turn | None:
    return replace(turn, shares={"a": bytes(160)}) if turn.turn == 2 else None


def another_mix(_: CheatingGame, turn: Turn) -> Turn | None:
    if turn.mix is None:
        return None
    pairs = turn.mix.pairs
    return replace(turn, mix=CardMix(pairs[64:] + pairs[:64], turn.mix.proof))


def no_mix(_: CheatingGame, turn: Turn) -> Turn | None:
    return replace(turn, mix=None) if turn.mix else None


def needs_more(_: CheatingGame, turn: Turn) -> Turn | None:
    if not turn.need:
        return None
    rows = {(row.seat, row.slot) for row in turn.need} | {("a", 0), ("b", 0)}
    need = tuple(NeededSlot(*row) for row in sorted(rows))
    return replace(turn, need=need) if need != turn.need else None


def owes_nothing(_: CheatingGame, turn: Turn) -> Turn | None:
    return replace(turn, owed=()) if turn.owed and turn.turn > 1 else None


def lists_no_deal(_: CheatingGame, turn: Turn) -> Turn | None:
    return replace(turn, deals=()) if turn.deals and turn.turn > 1 and turn.log else None


def no_card_key(_: CheatingGame, turn: Turn) -> Turn | None:
    return replace(turn, card_key=b"", card_proof=b"") if turn.card_key else None


def says_what_chance_brings(game: CheatingGame, turn: Turn) -> Turn | None:
    """It answers the shuffle for which the cards are not mixed yet."""
    key, decision = game.made.pending[0]
    assert decision.kind == "shuffle"
    return replace(turn, said=(SaidAnswer(key, "x", "chance"),))


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("cheat", "reason", "words"),
    [
        (another_card, "commitment", "the turn says that card #"),
        (an_unneeded_slot, "opening", "must show the cards"),
        (another_answer, "rule", "the previous turn announced the answer"),
        (orders_after_names, "opening", "uses orders, but the game must wait"),
        (no_shares, "opening", "the referee and the co-dealers did not give shares"),
        (shares_of_another_hand, "commitment", "dealer 1"),
        (shares_nobody_asked_for, "opening", "the referee and the co-dealers did not give"),
        (another_mix, "commitment", "dealer 1"),
        (no_mix, "opening", "the referee's shuffle of the hidden deck"),
        (needs_more, "opening", "the turn asks the dealers"),
        (owes_nothing, "opening", "the turn must name the dealers"),
        (lists_no_deal, "", ""),
        (no_card_key, "field", "card_key"),
        (says_what_chance_brings, "rule", "but chance decides this question"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_wrong_turn_that_the_referee_of_a_dealers_game_signs_is_refused_by_everybody(
    tmp_path: Path, cheat: TurnCheat, reason: str, words: str
) -> None:
    game = CheatingGame(tmp_path / "game", referee_cheats=cheat)
    error = refusal_of_game(game)
    assert (reason or error.reason, words in error.sentence) == (error.reason, True), error.sentence
    with refused_for(error.reason):
        game.read(PublicReader(game.charter))  # and without any key


@pytest.mark.sample(0)
def test_a_turn_that_announces_answers_after_the_games_end_is_refused(tmp_path: Path) -> None:
    def says_more(_: CheatingGame, turn: Turn) -> Turn | None:
        answer = SaidAnswer("x.y", "whatever the referee likes", "line [?]")
        return replace(turn, said=(answer,)) if turn.over else None

    game = CheatingGame(
        tmp_path / "game", ruleset="classroom", players=3, bot="random", referee_cheats=says_more
    )
    error = refusal_of_game(game)
    sentence = "the turn has answers of players, but the game is over"
    assert (error.reason, error.sentence) == ("rule", sentence)


def test_of_equal_cards_a_forced_answer_takes_the_one_dealt_first(tmp_path: Path) -> None:
    """No game of the built-in rulesets forces such an answer while the cards are known."""
    game = DealersGame(tmp_path / "game").play(4)
    for number, is_right in ((0, True), (1, False)):
        cards = game.table_at().cards
        assert isinstance(cards, HiddenPublicCards)
        slots = cards.hands.held["a"]
        cards.hands.names |= {Slot("a", slot): "horns 4" for slot in slots}
        decision = Decision("a", "play", lambda: ["?: a1 body"])
        entry = LogEntry("1.play.play.a.0", "horns 4: a1 body", "forced", slots=(slots[number],))
        if is_right:
            cards.check_choice(99, decision, entry, None)
            continue
        with pytest.raises(
            RecordError, match=f"only possible answer is '#{slots[0]}: a1 body'"
        ) as caught:
            cards.check_choice(99, decision, entry, None)
        assert caught.value.reason == "rule"


class AnnDeals(DealersGame):
    """The co-dealer has the key of seat a."""

    @property
    def dealer_keys(self) -> list[SigningKey]:
        return [played_key("Ann")]


def test_a_join_with_the_key_of_a_co_dealer_is_refused(tmp_path: Path) -> None:
    with refused_for("key", "seat a uses a key of co-dealer 0"):
        AnnDeals(tmp_path / "game").play(1)


@pytest.mark.sample(0)
def test_a_key_notice_cannot_give_a_seat_the_key_of_a_co_dealer(tmp_path: Path) -> None:
    game = DealersGame(tmp_path / "game").play(2)
    key = game.dealer_keys[0]
    box = public_of(Secrets(key.seed).box(game.game_folder.game, "b"))
    point = make_seat_point(game.charter.content, game.game_folder.game, "b", key.seed)
    game.say("b", NewKey.make(key, box, game.game_folder.game, "b", point))
    game.turn()
    with refused_for("rule", "the two new keys must differ"):
        game.read(PublicReader(game.charter))


def test_in_a_dealers_game_a_seat_refuses_cards_in_its_packet_or_handover(tmp_path: Path) -> None:
    reader = DealersGame(tmp_path / "game").play(2).reader_at("b").seat_cards
    packet = Packet(hidden=(OpenCard(b"\1" * 32, "horns 1", b"\2" * 32),))
    for take in (
        lambda: reader.begin(packet, None),
        lambda: reader.replay_handover(packet, reader.hands.table, []),  # type: ignore[attr-defined]
    ):
        with refused_for("opening", "only the shares of all dealers"):
            take()


@pytest.mark.sample(0)
def test_a_co_dealer_makes_no_deal_for_a_turn_that_it_finds_wrong(tmp_path: Path) -> None:
    def another_table(_: CheatingGame, turn: Turn) -> Turn | None:
        return replace(turn, table=("all is well",)) if turn.turn == 2 else None

    game = CheatingGame(tmp_path / "game", referee_cheats=another_table)
    game.turn()
    game.turn()
    deals = len(game.deals)
    with pytest.raises(RecordError, match="table"):
        game.deal()
    assert len(game.deals) == deals
