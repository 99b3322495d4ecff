"""Mode `dealers` without the referee: its deputy takes over after a turn of each sort."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.judge.audit import audit
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import HandOver
from pbem.judge.referee_secrets import referee_secrets
from pbem.judge.remake_turn import remake
from pbem.judge.turn_maker import TurnMaker
from pbem.judge.which_notices_count import row_of
from pbem.records.deal_record import OpenedShare
from pbem.records.turn import Turn
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import HOUR, advance_in, played_key
from tests.kit.record_files import archive_of, put_record, resigned

DEE = played_key("Dee")
LEGS = {"mix": 1, "shares": 2, "asks": 3, "openings": 5}
"""What the game waits for after these turns of the game below."""


def game_without_referee(root: Path, leg: str, **fields: object) -> DealersGame:
    """A game after a turn of this sort; the referee is lost."""
    game = DealersGame(root, deputy=DEE, options={"together": "yes"}, **fields)  # type: ignore[arg-type]
    game.play(LEGS[leg])
    turn = game.turns[-1].content
    assert (bool(turn.owed), bool(turn.need)) == (leg != "asks", leg == "openings")
    game.now = max(turn.deadline, turn.time) + 7 * 24 * HOUR
    return game


def let_dee_take_over(game: DealersGame) -> None:
    """The deputy knows nothing but the files, and makes all later turns."""
    first_turn = game.turns[0].content
    secrets = referee_secrets(game.charter.content, game.game_folder.game, first_turn, DEE)
    maker = TurnMaker(game.charter, game.joins, secrets)
    for record in game.turns:
        assert remake(maker, record.content, game.finder) == record.content
        maker.add_turn(record)
    game.say("referee", HandOver("deputy"), DEE)
    game.made, game.referee = maker, DEE


@pytest.mark.parametrize("has_dealt", [False, True], ids=["dealer-away", "dealer-there"])
@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.sample(0)
def test_the_deputy_goes_on_after_a_turn_of_each_sort(tmp_path, leg, has_dealt):
    game = game_without_referee(tmp_path / "game", leg)
    stopped = game.turns[-1].content
    let_dee_take_over(game)
    game.is_paused = not has_dealt
    taken = game.turn_for_all().content
    assert [row.about for row in taken.notices] == ["referee"]
    assert bool(taken.deals) == (has_dealt and leg != "asks")
    if not has_dealt:
        assert (taken.said, taken.need, taken.owed) == (stopped.said, stopped.need, stopped.owed)
    game.is_paused = False
    game.ask()
    game.play(6)
    assert [record.signed.key for record in game.turns].count(DEE.public) == 7
    report = audit(game.folder)
    assert (report.findings, report.exit) == ([], 0)


@pytest.mark.sample(0)
def test_the_deputy_ends_the_game_and_opens_the_secrets(tmp_path: Path) -> None:
    game = game_without_referee(
        tmp_path / "game", "asks", players=2, ruleset="digital", bot="random"
    )
    let_dee_take_over(game)
    game.turn_for_all()
    game.ask()
    game.play()
    report = audit(game.folder)
    assert (report.findings, report.final, report.closed_dealers) == ([], True, [])


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("what", "since"),
    [
        ("the co-dealer's deal", 0), ("nothing", 2), ("a deal of the deputy's", 2),
        ("the deal after turn 1", 2),
    ],
)  # fmt: skip
def test_a_deputy_has_not_taken_over_if_a_co_dealer_dealt_for_the_referees_next_turn(
    tmp_path, what, since
):
    """Referee and deputy both made a turn 2, and the referee's turn 3 lists this."""
    game = DealersGame(tmp_path / "game", deputy=DEE)
    game.play(3)
    _, second, third = game.turns
    place = game.game_folder.game, 1, game.heads[1]
    handed = make_notice(place, "referee", 1, HandOver("referee"), game.referee)
    (deal,) = (game.deals[deal_id] for deal_id in third.content.deals)
    assert deal.content.prev == game.heads[2]
    forged = resigned(deal, DEE, opened=(OpenedShare("a", 0, b"\1" * 96),))
    deals = {
        "the co-dealer's deal": (deal.id,), "nothing": (), "a deal of the deputy's": (forged.id,),
        "the deal after turn 1": second.content.deals,
    }  # fmt: skip
    taking = resigned(second, DEE, notices=(row_of(handed),))
    (game.root / "turns/0002.toml").write_bytes(taking.file)
    (game.root / "turns/0002 (1).toml").write_bytes(second.file)
    listing = resigned(third, game.referee, deals=deals[what])
    (game.root / "turns/0003.toml").write_bytes(listing.file)
    for record in (handed, forged):
        put_record(game.folder, record)
    assert archive_of(game.root).deputy_since == since


@pytest.mark.sample(0)
def test_the_program_of_the_deputy_goes_on_from_the_folder(tmp_path: Path) -> None:
    game = game_without_referee(tmp_path / "game", "openings")
    (deal,) = game.deal()
    outcome = advance_in(game.root, game.now, DEE, take_over=True).run()
    (_, notice), (_, record) = [*outcome.notices, *outcome.new_records]
    assert notice.signed.key == record.signed.key == DEE.public
    assert isinstance(record.content, Turn)
    assert record.content.deals == (deal.id,)
    assert record.content.opened
