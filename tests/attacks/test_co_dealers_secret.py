"""Mode `dealers`: a co-dealer gives nothing to a referee who plays ahead of the clock alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from pbem.acts.deal_as_co_dealer import deal_if_owed
from pbem.cards.hidden_deck import CardDealer
from pbem.files.home import Home
from pbem.format.encrypted_box import public_of
from pbem.format.record_error import RecordError
from pbem.format.usable_public_keys import L
from pbem.judge.audit import audit
from pbem.judge.deputy_and_co_dealer_keys_in_charter import make_co_dealer_line
from pbem.judge.make_signed_records import Plan
from pbem.person.session import Session
from pbem.records.charter import co_dealers_deputy_message
from pbem.records.deal_record import CardMix, Deal
from pbem.records.final_record import FinalRecord
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import Turn
from pbem.text.clock import now
from pbem.wording.audit_certificate import statement
from tests.kit.dealers_games import DealersGame, deputy_line
from tests.kit.played_games import HOUR, MINUTE, Answer, Name, played_key
from tests.kit.record_files import put_record
from tests.kit.refusals import refused_for

CHANGES: dict[str, Callable[[FinalRecord], FinalRecord]] = {
    "of another game": lambda final: replace(final, game=b"\1" * 32),
    "of another head": lambda final: replace(final, prev=b"\1" * 32),
    "with another share": lambda final: replace(final, r_ref=b"\1" * 32),
    "without the card secret": lambda final: replace(final, card_secret=b""),
    "with another card secret": lambda final: replace(final, card_secret=b"\1" * 32),
    "with 0": lambda final: replace(final, card_secret=bytes(32)),
    "with s + L": lambda final: replace(
        final, card_secret=(int.from_bytes(final.card_secret, "little") + L).to_bytes(32, "little")
    ),
}


class Unfinished(DealersGame):
    """A game whose referee has not opened the secrets yet."""

    def finish(self) -> None:
        """Do nothing."""

    def write_final(self, change: Callable[[FinalRecord], FinalRecord]) -> None:
        final = change(self.made.final())
        self.put(Name("final"), make(final, self.referee))


def unfinished(root: Path) -> Unfinished:
    game = Unfinished(root, ruleset="classroom", players=3, bot="random")
    game.play()
    return game


class OrderedByHand(Unfinished):
    """The co-dealer mixes in an order that its secret does not give, with a right proof."""

    def changed_deal(self, deal: Record[Deal]) -> Record[Deal]:
        content = deal.content
        if content.mix is None:
            return deal
        dealer = CardDealer(self.dealing[0].reader.cards.dealing.deck, 0, 777)  # type: ignore[attr-defined]
        return make(replace(content, mix=CardMix(*dealer.mix())), self.dealer_keys[0])


@pytest.mark.sample(0)
def test_a_co_dealers_secret_comes_after_the_final_and_proves_how_it_mixed(tmp_path: Path) -> None:
    game = OrderedByHand(tmp_path / "game", ruleset="classroom", players=3, bot="random")
    game.play()
    assert game.deal() == []
    game.write_final(lambda final: final)
    report = audit(game.folder)
    assert (report.final, report.findings) == (True, [])  # nobody can see it before
    assert report.closed_dealers == ["Host 0"]
    assert "does not have the secret of Host 0 yet" in " ".join(statement(report))
    (deal,) = game.deal()
    assert audit(game.folder).closed_dealers == []
    broken = audit(game.folder).broken
    assert {(row.reason, row.culprit, row.sentence[:20]) for row in broken} == {
        ("commitment", "co-dealer 0", "this file (field mix")
    }
    assert all(row.path.startswith("deals/") for row in broken)
    # another secret than that of its card key gives nothing that it wrote
    (path,) = (game.root / "deals").glob(f"*{deal.id.hex()[:6]}.toml")
    path.unlink()
    lie = replace(deal.content, secret=b"\1" * 32)
    put_record(game.folder, make(lie, game.dealer_keys[0]))
    first, *_ = audit(game.folder).broken
    assert (first.reason, first.culprit, first.turn) == ("commitment", "co-dealer 0", 1)
    assert first.sentence.startswith("this file (field card_key) does not fit")


@pytest.mark.sample(0)
def test_a_co_dealer_does_not_open_its_secret_for_a_wrong_final(tmp_path: Path) -> None:
    game = unfinished(tmp_path / "game")
    for change in CHANGES.values():
        game.write_final(change)
        with pytest.raises(RecordError):
            game.deal()
        (game.root / "final.toml").unlink()
    game.write_final(CHANGES["with s + L"])
    assert [(f.path, f.reason) for f in audit(game.folder).broken] == [("final.toml", "field")]


@pytest.mark.parametrize(("seconds", "gives"), [(600, True), (601, False)])
def test_a_co_dealer_deals_for_turns_at_most_ten_minutes_ahead(
    tmp_path: Path, seconds: int, gives: bool
) -> None:
    game = DealersGame(tmp_path / "game")
    game.turn()
    game.now -= seconds
    if gives:
        assert game.deal()
        return
    with refused_for("state", "turn 1 is dated 601 seconds later than"):
        game.deal()


@dataclass
class PlayedAlone(DealersGame):
    """All seats are silent, and the referee dates each turn after the deadline. A host deals."""

    policies: Mapping[str, str] = field(default_factory=lambda: {"deadline": "3d"})
    answer: Answer = lambda _: None

    def deal(self) -> list[Record[Deal]]:
        session = Session(self.root, home=Home(self.root.parent / "host"))
        deal = deal_if_owed(session, self.dealer_keys[0], now())
        assert deal is not None
        self.deals[deal.id] = deal
        return [deal]

    def turn(self) -> Record[Turn] | None:
        if self.turns:
            self.now = max(self.now, self.turns[-1].content.deadline + 1)
        return super().turn()


@pytest.mark.sample(0)
def test_a_co_dealer_opens_no_secret_for_a_game_that_the_referee_plays_ahead_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = PlayedAlone(tmp_path / "game", ruleset="classroom", players=3)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(game.now + 10 * MINUTE))
    with pytest.raises(RecordError, match="seconds later than this computer's clock"):
        game.play()
    assert game.deals
    assert not any(deal.content.secret for deal in game.deals.values())
    assert not game.over


@pytest.mark.parametrize("has_deputy", [True, False], ids=["missing", "too much"])
def test_a_deal_has_a_box_for_the_co_dealers_deputy_exactly_if_it_has_one(
    tmp_path: Path, has_deputy: bool
) -> None:
    deputy = played_key("Dee of the host")

    class Boxes(DealersGame):
        def plan(self) -> Plan:
            line = make_co_dealer_line(
                self.dealer_keys[0], deputy_line(deputy) if has_deputy else None
            )
            return replace(super().plan(), dealers=[line.named("Host 0")])

        def changed_deal(self, deal: Record[Deal]) -> Record[Deal]:
            box = b"" if deal.content.recovery else bytes(144)
            return make(replace(deal.content, recovery=box), self.dealer_keys[0])

    game = Boxes(tmp_path / "game")
    with refused_for("opening", r"the file of dealer 0 (has|lacks) .*deputy"):
        game.turn()


def test_a_referee_cannot_name_a_deputy_of_a_co_dealer(tmp_path: Path) -> None:
    """Or it could get the co-dealer's secret, under a key that nobody knows."""

    class NamesItself(DealersGame):
        def plan(self) -> Plan:
            plan, dee = super().plan(), deputy_line(played_key("the referee's other key"))
            proof = played_key("the referee").sign(co_dealers_deputy_message(dee.key, dee.x25519))
            fields = {"deputy_key": dee.key, "deputy_x25519": dee.x25519, "deputy_proof": proof}
            return replace(plan, dealers=[replace(plan.dealers[0], **fields)])

    with refused_for("field", "Host 0 has not signed"):
        NamesItself(tmp_path / "game")


def test_a_co_dealer_deals_only_if_the_charter_names_its_own_box_key(tmp_path: Path) -> None:
    class OtherKey(DealersGame):
        def plan(self) -> Plan:
            plan = super().plan()
            return replace(plan, dealers=[replace(plan.dealers[0], x25519=public_of(b"x" * 32))])

    with refused_for("key", r"X25519 key that game\.toml has for this co-dealer is not your key"):
        OtherKey(tmp_path / "game").turn()


# ------------------------------------------------------------------ turns dated into an absence


@dataclass
class DatedBack(PlayedAlone):
    """All seats are silent, and the referee dates its turns into a time without the co-dealer."""

    looks: bool = True
    """Whether the co-dealer looks into the folder after each turn."""

    def publish(self, record: Record[Turn]) -> None:
        super().publish(record)
        if self.looks and not record.content.owed:
            assert deal_if_owed(self.session, self.dealer_keys[0], self.now) is None

    @property
    def session(self) -> Session:
        return Session(self.root, home=Home(self.root.parent / "host"))


@pytest.mark.sample(1)
@pytest.mark.parametrize("looks", [True, False], ids=["there", "away"])
def test_a_co_dealer_gives_no_deal_for_a_silence_in_turns_that_it_saw_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks: bool
) -> None:
    """A seat is silent on a copy of the chain that the co-dealer saw only when it came back."""
    game = DatedBack(tmp_path / "game", options={"together": "yes"})
    monkeypatch.setattr("tests.attacks.test_co_dealers_secret.now", lambda: game.now)
    game.looks = looks
    while not game.turns or game.turns[-1].content.owed:
        game.turn()
    asking = game.turns[-1].content
    while not game.turns[-1].content.owed:
        game.turn()
    silence = game.turns[-1].content
    assert silence.silent
    assert asking.deadline - asking.time == 72 * HOUR
    key = game.dealer_keys[0]
    if looks:
        assert deal_if_owed(game.session, key, silence.time)
        return
    back = silence.time + HOUR  # the co-dealer sees both turns then
    late = back - asking.time
    for at in (back, silence.time + late - 601):
        with refused_for("state", "a turn before turn"):
            deal_if_owed(game.session, key, at)
    assert deal_if_owed(game.session, key, silence.time + late - 600)
