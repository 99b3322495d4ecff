"""The players agree to end the game: with the scores as they are, or as a draw."""

import pytest

from tests.kit.named_games import SEATS, invite, made, sit
from tests.kit.people import NOW, Round, output_of
from tests.kit.timed_games import DAY, begin_three, begin_two, play_on, status_data


def vote_by_command(table: Round, seat: str, how: str = "") -> None:
    output_of(table.person(SEATS[seat]), f"notice end -C savannah {how}")


@pytest.mark.sample(0)
@pytest.mark.parametrize("how", ["", "--draw"])
def test_when_all_agree_the_game_ends_and_is_proven(table: Round, how: str) -> None:
    rhea = begin_three(table)
    play_on(table, "abc", turns=2)
    for seat in "abc":
        assert rhea.pbem("advance -C savannah").exit == 5
        vote_by_command(table, seat, how)
    output_of(rhea, "advance -C savannah")
    assert status_data(rhea)["over"]
    told = table.person("ann").pbem("status -C savannah").out
    assert ("share the win" in told or "wins" in told) == (not how)
    what = "as a draw" if how else "with the scores as they are"
    assert f"Ann, Bo and Cy agreed to end the game {what}" in told
    said = rhea.pbem("audit savannah")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text
    assert table.person("bo").pbem("notice end -C savannah").exit == 5


@pytest.mark.sample(0)
def test_all_must_want_the_same_end_and_a_vote_can_be_taken_back(table: Round) -> None:
    rhea = begin_two(table, "24h")
    vote_by_command(table, "a")
    vote_by_command(table, "b", "--draw")
    assert rhea.pbem("advance -C savannah").exit == 5
    vote_by_command(table, "a", "--no")
    vote_by_command(table, "b", "")
    assert rhea.pbem("advance -C savannah").exit == 5
    said = table.person("ann").pbem("notice end -C savannah --no")
    assert (said.exit, "SIGNED here already, as" in said.out) == (0, True), said
    play_on(table, "ab", turns=1)
    assert not status_data(rhea)["over"]
    said = table.person("ann").pbem("notice end -C savannah --no")
    assert said.exit == 0, "to play on counts without a vote, too"
    told = rhea.pbem("log -C savannah").out
    assert "Ann wants to play on, and takes back their vote to end the game" in told
    vote_by_command(table, "a")
    assert rhea.pbem("advance -C savannah").exit == 0
    assert status_data(rhea)["over"]


def ann_plays_alone(table: Round) -> int:
    """Cy has conceded, Bo is idle, and Ann plays on; returns the time."""
    begin_three(table, "--idle-after 1")
    assert table.person("cy").pbem("notice concede -C savannah --yes").exit == 0
    now = NOW + DAY
    play_on(table, "a", turns=1, now=now)
    return now


@pytest.mark.sample(0)
def test_one_player_cannot_end_the_game_for_those_who_are_silent(table: Round) -> None:
    now = ann_plays_alone(table)
    rhea, ann = table.person("rhea"), table.person("ann")
    vote_by_command(table, "a")
    assert rhea.pbem(f"advance -C savannah --now {now}").exit == 5
    play_on(table, "a", turns=1, now=now)
    told = ann.pbem("status -C savannah").out
    alone_ = "one person alone cannot decide this for the players who are silent"
    assert f"Ann votes to end the game with the scores as they are; votes cannot {END}" in told
    assert alone_ in told


END = "end the game now: one person alone"


@pytest.mark.long
def test_without_anybody_else_player_and_referee_end_the_game_without_a_winner(table):
    now = ann_plays_alone(table)
    rhea, ann, bo = table.person("rhea"), table.person("ann"), table.person("bo")
    vote_by_command(table, "a", "--no-winner")
    assert rhea.pbem(f"advance -C savannah --now {now}").exit == 5
    output_of(rhea, "notice end -C savannah --no-winner")
    assert rhea.pbem(f"advance -C savannah --now {now}").exit == 0
    data = status_data(rhea)
    assert (data["over"], data["waits"][0]["cancels"]) == (False, ["b"])
    told = bo.pbem(f"status -C savannah --now {now}").out
    assert "in the first turn after " in told
    assert ": the game ends without a winner, as Ann and Rhea agreed; to prevent" in told
    assert "to prevent this, send orders, or type: pbem notice end --no" in told
    assert rhea.pbem(f"advance -C savannah --now {now + DAY - 1}").exit == 5
    assert not status_data(rhea)["over"]
    assert rhea.pbem(f"advance -C savannah --now {now + 2 * DAY}").exit == 0
    told = ann.pbem("status -C savannah").out
    assert "Ann and Rhea agreed to end the game without a winner" in told
    assert "wins" not in told
    said = rhea.pbem("audit savannah")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text


@pytest.mark.long
def test_a_silent_player_has_time_to_keep_the_game_going(table: Round) -> None:
    begin_three(table, "--idle-after 1")
    rhea, bo, now = table.person("rhea"), table.person("bo"), NOW + DAY
    play_on(table, "ac", turns=1, now=now)
    vote_by_command(table, "a", "--draw")
    vote_by_command(table, "c", "--draw")
    output_of(rhea, f"advance -C savannah --now {now}")
    assert not status_data(rhea)["over"], "Bo is silent, and has time to answer"
    vote_by_command(table, "b", "--no")
    play_on(table, "ac", turns=1, now=now + 2 * DAY)
    data = status_data(rhea)
    assert (data["over"], data["waits"]) == (False, [])
    told = bo.pbem("status -C savannah").out
    assert (
        "Ann and Cy vote to end the game as a draw; the game ends only after the same vote by Bo"
        in told
    )
    vote_by_command(table, "b", "--draw")
    assert rhea.pbem(f"advance -C savannah --now {now + 2 * DAY}").exit == 0
    assert status_data(rhea)["over"]


def test_a_referee_with_a_seat_must_agree_as_player_and_as_referee(table: Round) -> None:
    """Rhea deals, and has a key of its own for seat a: she must agree twice."""
    made(table, "--players Ann,Bo --referee Rhea --deadline 24h")
    rhea = table.person("rhea")
    rhea.import_key("rhea in seat a", "mine")
    told = invite(table, "a")
    assert rhea.pbem(["join", "-C", "savannah", "--invite", told, "--profile", "mine"]).exit == 0
    bo = sit(table, "b")
    assert rhea.pbem("advance -C savannah").exit == 0
    for person, line in (
        (bo, "deadline 72h"), (rhea, "deadline 72h --as a"), (rhea, "deadline 72h"),
        (bo, "end --no-winner"), (rhea, "end --no-winner"),
    ):  # fmt: skip
        output_of(person, f"notice {line} -C savannah")
    told = rhea.pbem("status -C savannah").out
    assert "agreed to a new deadline: 3 days" in told
    assert "Rhea votes" not in told, "only her seat has"
    assert rhea.pbem("notice end --no-winner -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    assert status_data(rhea)["over"]


@pytest.mark.long
def test_who_comes_back_from_a_long_absence_makes_no_vote_lapse(table: Round) -> None:
    """A notice brings Bo back to those who must agree; so nobody has left in that turn."""
    rhea, bo = begin_three(table), table.person("bo")
    output_of(bo, "notice away -C savannah 2023-11-14..2024-01-20")
    play_on(table, "abc", turns=1)
    later = {"SOURCE_DATE_EPOCH": str(NOW + 20 * DAY)}
    assert table.person("ann").pbem("notice end -C savannah", **later).exit == 0
    assert bo.pbem("notice deadline 12h -C savannah", **later).exit == 0
    assert rhea.pbem("advance -C savannah", **later).exit == 0
    told = rhea.pbem("log -C savannah").out
    assert "Ann votes to end the game" in told
    assert bo.pbem("notice end -C savannah", **later).exit == 0
    assert table.person("cy").pbem("notice end -C savannah", **later).exit == 0
    assert rhea.pbem("advance -C savannah", **later).exit == 0
    assert status_data(rhea)["over"]
