"""Mode `dealers`: what an audit says of deals that no turn lists, and whom it blames for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.judge.audit import audit
from pbem.records.deal_record import Deal, OpenedShare
from pbem.records.read_and_sign_record import Record
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import HOUR, copied_folder, played_key
from tests.kit.record_files import archive_of, put_record, resigned

JUNK = (OpenedShare("a", 0, b"\1" * 96),)
OTHER_HEAD = bytes([7]) * 32
Verdict = tuple[str, str, str, bool]
"""Grade, reason, culprit, and whether it is proof."""


@pytest.fixture(scope="module")
def six_turns(tmp_path_factory: pytest.TempPathFactory) -> DealersGame:
    """A game of two co-dealers. Both owe shares after turn 3, and openings after turn 5."""
    root = tmp_path_factory.mktemp("deals") / "game"
    game = DealersGame(root, co_dealers=2, ruleset="classroom", players=3)
    game.play(6)
    assert [turn.content.owed for turn in game.turns] == [(0,), (1,), (0, 1), (), (0, 1), ()]
    return game


def deal_of_turn(game: DealersGame, turn: int, dealer: int) -> Record[Deal]:
    places = {(x.content.turn, x.content.dealer): x for x in game.deals.values()}
    return places[turn, dealer]


def found_with(
    game: DealersGame, root: Path, *deals: Record[Deal], turns: int = 6
) -> list[Verdict]:
    """What the audit finds in a copy of the folder as it was after that many turns, with these
    deals in it."""
    copy = copied_folder(game.root, root)
    for path in [*copy.glob("turns/*"), *copy.glob("orders/*"), *copy.glob("deals/*")]:
        if int(path.name[:4]) > turns - (path.parent.name != "turns"):
            path.unlink()
    folder = archive_of(copy).folder
    for record in deals:
        put_record(folder, record)
    report = audit(folder)
    assert (report.exit, report.turns, report.broken) == (0, turns, [])
    assert all(finding.path.startswith("deals/") for finding in report.findings)
    return [(f.grade, f.reason, f.culprit, f.proof) for f in report.findings]


# ------------------------------------------------------------------ after the last turn
@pytest.mark.sample(0)
def test_the_audit_says_nothing_of_deals_that_the_next_turn_may_list(
    six_turns: DealersGame, tmp_path: Path
) -> None:
    deals = [deal_of_turn(six_turns, 3, dealer) for dealer in (0, 1)]
    assert found_with(six_turns, tmp_path / "game", *deals, turns=3) == []


def test_the_audit_blames_a_co_dealer_for_a_deal_that_the_next_turn_cannot_list(
    six_turns: DealersGame, tmp_path: Path
) -> None:
    right, key = deal_of_turn(six_turns, 3, 0), six_turns.dealer_keys[0]
    shares = dict(right.content.shares or {})
    for number, (reason, wrong) in enumerate(
        [
            ("opening", resigned(right, key, opened=JUNK)),
            ("opening", resigned(right, key, shares=shares | {"a": shares["a"][160:]})),
            ("opening", resigned(right, key, shares=None, secret=b"\1" * 32)),
            ("commitment", resigned(right, key, shares=shares | {"a": shares["b"]})),
        ]
    ):
        found = found_with(six_turns, tmp_path / str(number), wrong, turns=3)
        assert found == [("stray", reason, "co-dealer 0", False)]


def test_the_audit_blames_a_co_dealer_for_a_deal_that_no_turn_needs(
    six_turns: DealersGame, tmp_path: Path
) -> None:
    """After the last turn, or after an earlier one."""
    unasked = resigned(
        deal_of_turn(six_turns, 2, 1), six_turns.dealer_keys[0], dealer=0, mix=None,
        opened=JUNK,
    )  # fmt: skip
    verdict = "stray", "opening", "co-dealer 0", False
    assert found_with(six_turns, tmp_path / "last", unasked, turns=2) == [verdict]
    assert found_with(six_turns, tmp_path / "earlier", unasked) == [verdict]


def test_the_audit_says_nothing_of_a_deal_for_a_turn_that_is_not_here(
    six_turns: DealersGame, tmp_path: Path
) -> None:
    assert found_with(six_turns, tmp_path / "game", deal_of_turn(six_turns, 5, 1), turns=3) == []


# ------------------------------------------------------------------ two for one turn
@pytest.mark.parametrize("turns", [3, 6])
def test_two_different_deals_for_one_turn_prove_that_their_signer_cheated(
    six_turns: DealersGame, tmp_path: Path, turns: int
) -> None:
    """Also if no turn lists one of them yet."""
    right = deal_of_turn(six_turns, 3, 1)
    second = resigned(right, six_turns.dealer_keys[1], opened=JUNK)
    given = [second] if turns == 6 else [right, second]
    verdicts = found_with(six_turns, tmp_path / "game", *given, turns=turns)
    assert ("stray", "fork", "co-dealer 1", True) in verdicts


def test_a_deal_for_another_version_of_a_turn_blames_only_a_dealer_who_answered_both(
    six_turns: DealersGame, tmp_path: Path
) -> None:
    """The co-dealer may not have known the version that is here."""
    right = deal_of_turn(six_turns, 3, 0)
    forked = resigned(right, six_turns.dealer_keys[0], prev=OTHER_HEAD)
    found = found_with(six_turns, tmp_path / "last", forked, turns=3)
    assert found == [("stray", "fork", "", False)]
    # it answered this version too
    verdicts = found_with(six_turns, tmp_path / "game", forked)
    assert verdicts == [("stray", "fork", "co-dealer 0", True)]


# ------------------------------------------------------------------ whose key
def test_a_deal_in_another_dealers_name_is_blamed_on_its_signer(
    six_turns: DealersGame, tmp_path: Path
) -> None:
    foreign = resigned(deal_of_turn(six_turns, 3, 0), six_turns.dealer_keys[1], opened=JUNK)
    verdict = "stray", "key", "co-dealer 1", False
    assert found_with(six_turns, tmp_path / "game", foreign) == [verdict]


def test_a_deal_of_a_stranger_is_called_foreign(six_turns: DealersGame, tmp_path: Path) -> None:
    strange = resigned(deal_of_turn(six_turns, 3, 0), played_key("Eve"), opened=JUNK)
    assert found_with(six_turns, tmp_path / "game", strange) == [("foreign", "key", "", False)]


# ------------------------------------------------------------------ harmless
@pytest.mark.sample(0)
def test_a_deal_that_a_turn_of_notices_passed_over_blames_nobody(tmp_path: Path) -> None:
    """The dealers answer the turn of notices again."""
    game = DealersGame(tmp_path / "game", ruleset="classroom", players=3)
    game.play(2)
    (deal,) = game.deal()
    game.is_paused = True
    game.rekey("b", "Bo's new computer")
    del game.seats["b"]  # nobody reads with the old key
    assert game.turn_for_all().content.deals == ()
    game.is_paused = False
    game.play(1)
    report = audit(game.folder)
    assert [(f.grade, f.reason, f.culprit) for f in report.findings] == [("stray", "state", "")]
    assert f"-{deal.id.hex()[:6]}" in report.findings[0].path
    assert "turn 3 only lists notices" in report.findings[0].sentence


@pytest.mark.sample(0)
def test_a_dealer_who_comes_back_after_its_deputy_dealt_is_not_blamed(tmp_path: Path) -> None:
    game = DealersGame(tmp_path / "game", ruleset="classroom", players=3, dealer_deputies=True)
    game.play(2)
    own_dealing = game.dealing[0]
    game.is_paused = True
    game.now += 72 * HOUR
    game.replace_dealer(0)
    taken = game.turn_for_all()
    assert [row.about for row in taken.content.notices] == ["dealer"]
    game.is_paused = False
    (deputys_deal,) = game.deal()
    assert own_dealing.key.public != deputys_deal.signed.key
    put_record(game.folder, resigned(deputys_deal, own_dealing.key, opened=JUNK))
    for _ in range(2):  # beside the deputy's deal, before and after a turn lists that
        report = audit(game.folder)
        found = [(f.grade, f.reason, f.culprit, f.proof) for f in report.findings]
        assert found == [("stray", "key", "", False)]
        game.play(1)


# ------------------------------------------------------------------ lost
def test_a_missing_listed_deal_is_called_a_dealers_file(
    six_turns: DealersGame, tmp_path: Path
) -> None:
    copy = copied_folder(six_turns.root, tmp_path / "game")
    (path,) = copy.glob("deals/0003-1-*")
    path.unlink()
    (finding,) = audit(archive_of(copy).folder).broken
    assert (finding.reason, finding.turn) == ("parent", 4)
    owner = "a dealer's file of Host 0 or Host 1"
    assert finding.sentence.endswith(f"although turn 4 lists it: {owner}")


# ------------------------------------------------------------------ the end
@pytest.mark.long
def test_a_wrong_secret_beside_the_right_one_does_not_hide_it(tmp_path: Path) -> None:
    game = DealersGame(tmp_path / "game", ruleset="classroom", players=3)
    game.play()
    (right,) = [record for record in game.deals.values() if record.content.secret]
    numbers = range(1, 99)
    secrets = (bytes([number]) + bytes(31) for number in numbers)
    wrong = [resigned(right, game.dealer_keys[0], secret=secret) for secret in secrets]
    for number, record in enumerate(
        (min(wrong, key=lambda found: found.id), max(wrong, key=lambda found: found.id))
    ):
        folder = archive_of(copied_folder(game.root, tmp_path / str(number))).folder
        put_record(folder, record)
        report = audit(folder)
        assert (report.verdict, report.exit, report.closed_dealers) == ("PROVEN", 0, [])
        found = [(f.grade, f.reason, f.culprit, f.proof) for f in report.findings]
        assert found == [("stray", "fork", "co-dealer 0", True)]
