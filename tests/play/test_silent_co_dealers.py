"""Mode `dealers`: a co-dealer is silent, and its deputy deals on, or the players end the game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.acts.deal_as_co_dealer import deal_if_owed, take_dealers_place
from pbem.files.home import Home
from pbem.format.encrypted_box import box_key
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.audit import audit
from pbem.judge.co_dealer import CoDealing
from pbem.judge.deputy_and_co_dealer_keys_in_charter import co_dealer_box_secret
from pbem.judge.notice_kinds import ReplaceDealer, SetClock, Vote
from pbem.judge.public_turn_reader import PublicReader
from pbem.person.session import Session
from pbem.records.deal_record import Deal, seal_recovery
from pbem.records.notice import DRAW
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import Turn
from pbem.records.twelve_words import words_of
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import HOUR, Played, advance_in, played_key
from tests.kit.record_files import put_record, refusal_by

DAYS = 24 * HOUR
NOT_SIGNED = "the notice is not signed with the key of the dealer's deputy"
LEGS = {"mix": 1, "shares": 2, "openings": 5}
"""What co-dealer 0 owes after these turns of the game below."""


def game_at(root: Path, leg: str, **fields: object) -> DealersGame:
    """A game in which the co-dealers have gone away, after a turn of this sort."""
    game = DealersGame(root, options={"together": "yes"}, dealer_deputies=True, **fields)  # type: ignore[arg-type]
    game.play(LEGS[leg])
    turn = game.turns[-1].content
    assert 0 in turn.owed
    assert bool(turn.need) == (leg == "openings")
    game.is_paused = True
    return game


# ------------------------------------------------------------------ the deputy


@pytest.mark.sample(0)
@pytest.mark.parametrize("leg", LEGS)
def test_the_deputy_of_a_silent_dealer_deals_on(tmp_path: Path, leg: str) -> None:
    game = game_at(tmp_path / "game", leg)
    owed = game.turns[-1].content.owed
    game.now += 3 * DAYS
    game.replace_dealer(0)
    taken = game.turn_for_all()
    assert [row.about for row in taken.content.notices] == ["dealer"]
    assert (taken.content.owed, taken.content.log) == (owed, ())
    game.is_paused = False
    deal = game.deal()[0]
    assert deal.signed.key == game.deputy_keys[0].public
    game.play(7)
    assert len(game.turns) > LEGS[leg] + 5
    report = audit(game.folder)
    assert (report.findings, report.exit) == ([], 0)


@pytest.mark.sample(0)
def test_the_programs_of_deputy_and_referee_go_on_from_the_folder(tmp_path, monkeypatch):
    game = game_at(tmp_path / "game", "shares")
    game.now += 3 * DAYS
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(game.now))
    session = Session(game.root, home=Home(tmp_path / "deputy"))
    key = game.deputy_keys[0]
    assert deal_if_owed(session, key, game.now) is None
    words = " ".join(words_of(game.heads[-1]))
    notice = take_dealers_place(session, key, game.now, words)
    (made,) = advance_in(game.root, game.now).run().new_records
    turn = made[1].content
    assert isinstance(turn, Turn)
    assert [row.id for row in turn.notices] == [notice.id]
    put_record(game.folder, made[1])
    deal = deal_if_owed(session, key, game.now)
    assert deal is not None
    assert (deal.content.turn, deal.signed.key) == (turn.turn, key.public)
    (made,) = advance_in(game.root, game.now).run().new_records
    assert isinstance(made[1].content, Turn)
    assert made[1].content.deals == (deal.id,)


@pytest.mark.sample(0)
@pytest.mark.parametrize("seconds", [3 * DAYS - 60 - 1, 3 * DAYS - 60])
def test_a_deputy_waits_for_three_days(tmp_path: Path, seconds: int) -> None:
    """Turns that only list notices do not put the time off."""
    game = game_at(tmp_path / "game", "shares")
    since = game.now
    game.now += DAYS
    game.rekey("b", "Bo's new computer")
    assert game.turn() is not None
    game.now = since + seconds
    put = make_notice_of(game, game.deputy_keys[0])
    game.turn()
    if seconds == 3 * DAYS - 60:
        game.read(PublicReader(game.charter))
        assert put in [row.id for row in game.turns[-1].content.notices]
        return
    reason, sentence = refusal_of_turns(game)
    assert (reason, "only if the dealer has not dealt by" in sentence) == ("rule", True)
    game.turns.pop()
    deputy = game.deputy_of(0)
    reason, sentence = refusal_by(deputy.take_place, game.now)
    assert (reason, "only if the dealer has not dealt by" in sentence) == ("state", True)


def test_the_time_counts_from_the_right_date_once_it_is_set_right(tmp_path: Path) -> None:
    game = DealersGame(tmp_path / "game", options={"together": "yes"}, dealer_deputies=True)
    game.play(4)
    game.now += 30 * DAYS  # the referee's clock is wrong
    record = game.turn()
    assert record is not None
    assert record.content.owed
    game.is_paused = True
    game.now -= 30 * DAYS
    for writer in ("a", "b", "referee"):
        game.say(writer, SetClock(game.now))
    assert game.turn()
    assert game.turns[-1].content.time < record.content.time
    game.now += 3 * DAYS
    game.replace_dealer(0)
    assert game.turn()
    assert [row.about for row in game.turns[-1].content.notices] == ["dealer"]
    game.read(PublicReader(game.charter))


def make_notice_of(game: DealersGame, key: SigningKey, dealer: int = 0) -> bytes:
    """A notice that takes a dealer's place, signed without a look at the rules; its id."""
    return game.say("referee", ReplaceDealer(dealer), key).id


def refusal_of_turns(game: Played) -> tuple[str, str]:
    """The reason and the sentence with which everybody refuses the last turn."""
    with pytest.raises(RecordError) as caught:
        game.read(PublicReader(game.charter))
    sentence = caught.value.sentence.partition("breaks a rule: ")[2] or caught.value.sentence
    return caught.value.reason, sentence


@pytest.mark.parametrize(
    ("signer", "dealer", "sentence"),
    [
        ("the referee", 0, NOT_SIGNED),
        ("co-dealer 0", 0, NOT_SIGNED),
        ("deputy of co-dealer 1", 0, NOT_SIGNED),
        ("deputy of co-dealer 1", 1, "the game does not wait for this dealer"),
    ],
)  # fmt: skip
def test_nobody_else_takes_a_place_and_no_place_of_a_dealer_who_owes_nothing(
    tmp_path, signer, dealer, sentence
):
    game = game_at(tmp_path / "game", "mix", co_dealers=2)
    game.now += 3 * DAYS
    make_notice_of(game, played_key(signer), dealer)
    game.turn()
    assert refusal_of_turns(game) == ("rule", sentence)


@pytest.mark.sample(0)
def test_a_place_is_taken_once_and_by_no_notice_that_was_kept(tmp_path: Path) -> None:
    game = game_at(tmp_path / "game", "shares")
    game.now += 3 * DAYS
    game.replace_dealer(0)
    game.turn_for_all()
    game.now += 3 * DAYS
    make_notice_of(game, game.deputy_keys[0])
    game.turn()
    assert refusal_of_turns(game) == (
        "rule",
        "the deputy has already taken the place of this dealer",
    )

    kept = game_at(tmp_path / "kept", "shares")
    kept.now += 3 * DAYS
    make_notice_of(kept, kept.deputy_keys[0])
    notice = kept.said.pop()
    kept.rekey("b", "Bo's new computer")
    kept.turn()
    kept.said.append(notice)
    kept.turn()
    reason, sentence = refusal_of_turns(kept)
    assert (reason, "was made without this notice" in sentence) == ("rule", True)


@pytest.mark.sample(0)
def test_a_replaced_dealer_deals_no_more(tmp_path: Path) -> None:
    game = game_at(tmp_path / "game", "shares")
    game.now += 3 * DAYS
    former = game.dealing[0]
    game.replace_dealer(0)
    game.turn_for_all()
    game.read(former.reader, 0)
    for record in game.turns[former.reader.chain.turn :]:
        former.reader.absorb(record, game.finder)
    assert former.next_deal(game.now, None) is None
    deal = game.deputy_of(0).next_deal(game.now, None)
    assert deal is not None
    forged = make(deal.content, game.dealer_keys[0])  # with the former dealer's key
    game.deals[forged.id] = forged
    reason, sentence = refusal_by(game.made.cards.dealing.check_place, forged)
    assert (reason, "is not signed with the dealer's key" in sentence) == ("opening", True)
    put_record(game.folder, forged)
    outcome = advance_in(game.root, game.now).run()
    assert (outcome.new_records, outcome.awaited_dealers) == ([], (0,))


# ------------------------------------------------------------------ a box that recovers nothing


class BadBox(DealersGame):
    """The co-dealer gives its deputy another secret."""

    def changed_deal(self, deal: Record[Deal]) -> Record[Deal]:
        if deal.content.turn:
            return deal
        x25519 = self.charter.content.dealers[0].deputy_x25519
        box = co_dealer_box_secret(self.dealer_keys[0].seed)
        key = box_key(box, x25519, self.game_folder.game)
        recovery = seal_recovery(b"\1" + bytes(31), 0, key)
        return make(replace(deal.content, recovery=recovery), self.dealer_keys[0])


@pytest.mark.sample(0)
def test_a_deputy_finds_at_once_that_its_box_has_another_secret(tmp_path: Path) -> None:
    game = BadBox(tmp_path / "game", dealer_deputies=True)
    game.play(2)
    reason, sentence = refusal_by(game.deputy_of, 0)
    assert (reason, "does not fit the card key of dealer 0" in sentence) == ("commitment", True)


def test_before_turn_1_a_deputy_can_do_nothing(tmp_path: Path) -> None:
    game = DealersGame(tmp_path / "game", dealer_deputies=True)
    reason, sentence = refusal_by(CoDealing, PublicReader(game.charter), game.deputy_keys[0])
    assert (reason, "before turn 1" in sentence) == ("state", True)


# ------------------------------------------------------------------ other modes, and no deputy


def test_no_dealer_is_replaced_in_mode_referee(tmp_path: Path) -> None:
    game = Played(tmp_path / "game")
    game.play(2)
    game.say("referee", ReplaceDealer(0))
    game.turn()
    assert refusal_of_turns(game) == ("rule", "the charter names no deputy of this dealer")


@pytest.mark.sample(0)
@pytest.mark.parametrize("leg", LEGS)
def test_players_end_a_game_whose_dealer_is_gone(tmp_path: Path, leg: str) -> None:
    game = game_at(tmp_path / "game", leg)
    for seat in "ab":
        game.say(seat, Vote(DRAW))
    turn = game.turn_for_all().content
    assert (turn.over, turn.log, turn.owed, turn.said) == (True, (), (), ())
    Played.finish(game)
    report = audit(game.folder)
    assert (report.broken, report.exit) == ([], 0)
