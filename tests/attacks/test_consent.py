"""Attacks on what several people must agree to: by a referee, a player or two, against one who is
silent, away, or here."""

from dataclasses import replace

import pytest

from pbem.judge.notice_kinds import SetDeadline, Vote
from pbem.records.notice import DRAW, SCORE, Notice
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Turn
from tests.attacks.waiting_acts import (
    STOLEN,
    THIEF,
    exit_of_advance,
    give_away_idle_seat,
    key_of_seat,
    name_of_seat,
    say_notice,
    vouch_for_thief,
)
from tests.kit.bot_orders import hand_in
from tests.kit.named_games import SEATS, made, sit
from tests.kit.people import NOW, Person, Round, key_of
from tests.kit.timed_games import DAY, answer_all, begin_three, begin_two, play_on, status_data
from tests.notices.forging import forge, put_notice, turn_records, with_listed_notices

HOUR = 3600


def announce_absence(table: Round, seat: str, days: int = 30) -> None:
    """The player of this seat announces an absence that begins now."""
    from datetime import UTC, datetime, timedelta

    end = datetime.fromtimestamp(NOW, UTC) + timedelta(days=days)
    said = table.person(SEATS[seat]).pbem(
        ["notice", "away", f"..{end:%Y-%m-%d}", "-C", "savannah", "--now", str(NOW)]
    )
    assert said.exit == 0, said.text


# ------------------------------------------------------------------ a referee against one player
def rhea_and_bo(table: Round) -> Person:
    """Rhea plays a, Bo plays b, c is a bot; turn 1 asks them."""
    made(table, "--players Rhea,Bo --referee Rhea --referee-plays --bots greedy:1 --deadline 24h")
    sit(table, "b")
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 5
    hand_in(rhea)
    assert rhea.pbem("advance -C savannah").exit == 0
    return rhea


@pytest.mark.sample(0)
def test_the_referee_alone_cannot_take_the_seat_of_an_active_player(table: Round) -> None:
    rhea = rhea_and_bo(table)
    old = key_of_seat(table, "b")
    line = rhea.pbem("notice key --lost --as b --profile theft -C savannah").out.split("\n")[2]
    said = rhea.pbem(["notice", "vouch", "--yes", line.strip(), "-C", "savannah"])
    assert said.exit == 2, said.text
    assert "all other players got their key or their seat from the referee" in said.err
    put_notice(table, "referee", STOLEN, key_of("rhea"))
    exit_of_advance(table, NOW + 60)
    assert key_of_seat(table, "b") == old
    assert rhea.pbem("audit savannah").exit == 0
    told = table.person("bo").pbem("audit savannah").out
    assert "this notice of the referee has no effect: all other players got" in told


def _last(table: Round) -> Record[Notice]:
    from pbem.judge.unlisted_notices import unlisted_notices
    from tests.kit.named_games import session_of

    return unlisted_notices(session_of(table.person("rhea")).game_folder, ())[-1]


@pytest.mark.sample(0)
def test_a_referee_and_their_bots_cannot_end_the_game_of_an_absent_player(table: Round) -> None:
    rhea = rhea_and_bo(table)
    announce_absence(table, "b")
    assert rhea.pbem("notice end -C savannah").exit == 0
    exit_of_advance(table, NOW + 60)
    assert not status_data(rhea)["over"]
    assert rhea.pbem("notice deadline 1h -C savannah").exit == 2


# ------------------------------------------------------------------ an absence is not a vote
@pytest.mark.sample(0)
def test_a_player_who_announces_an_absence_keeps_their_vote(table: Round) -> None:
    rhea = begin_two(table, "24h")
    announce_absence(table, "b")
    say_notice(table, "a", "end --draw")
    answer_all(table, "a")
    exit_of_advance(table, NOW + HOUR)
    assert not status_data(rhea)["over"]
    told = table.person("bo").pbem("status -C savannah").out
    assert (
        "Ann votes to end the game as a draw; the game ends only after the same vote by Bo" in told
    )
    forged = forge(table, lambda turn: replace(turn, over=True, deadline=0, awaited=(), own=()))
    assert forged.exit == 1


@pytest.mark.long
def test_an_old_vote_does_not_take_effect_because_another_player_left(table: Round) -> None:
    rhea = begin_three(table)
    say_notice(table, "a", "end --draw")
    say_notice(table, "b", "end --draw")
    play_on(table, "abc", turns=1)
    say_notice(table, "c", "concede --yes")
    exit_of_advance(table, NOW + 60)
    answer_all(table, "ab")
    exit_of_advance(table, NOW + 120)
    data = status_data(rhea)
    assert not data["over"], "the old votes lapse with the concession"
    say_notice(table, "a", "end --draw")
    say_notice(table, "b", "end --draw")
    assert exit_of_advance(table, NOW + 180) == 0
    assert status_data(rhea)["over"], "new ones count"


@pytest.mark.sample(0)
def test_conceding_after_an_old_offer_of_a_draw_does_not_make_the_game_a_draw(table: Round) -> None:
    begin_two(table, "24h")
    say_notice(table, "a", "end --draw")
    play_on(table, "ab", turns=1)
    say_notice(table, "b", "concede --yes")
    answer_all(table, "a")
    exit_of_advance(table, NOW + 60)
    data = status_data(table.person("rhea"))
    assert (data["over"], data["ended"]) == (False, "")


@pytest.mark.sample(0)
def test_deadlines_cannot_be_shortened_while_a_player_is_away(table: Round) -> None:
    """Ann and the referee, while Bo is away as announced."""
    rhea = begin_two(table, "24h")
    announce_absence(table, "b")
    said = table.person("ann").pbem(["notice", "deadline", "1h", "-C", "savannah"])
    assert said.exit == 0, said.text
    said = rhea.pbem(["notice", "deadline", "1h", "-C", "savannah"])
    assert said.exit == 2
    assert "these players have not agreed to the new deadline yet: Bo" in said.err
    put_notice(table, "referee", SetDeadline("1h"), key_of("rhea"))
    answer_all(table, "a")
    exit_of_advance(table, NOW + 60)
    forged = forge(table, with_listed_notices(_last(table)))
    assert forged.exit == 1
    assert "have not agreed to the new deadline yet" in forged.out


@pytest.mark.long
def test_an_agreed_end_waits_until_an_announced_absence_is_over(table: Round) -> None:
    rhea = begin_three(table)
    announce_absence(table, "b", 90)
    play_on(table, "ac", turns=1)
    play_on(table, "ac", turns=1, now=NOW + 15 * DAY)
    say_notice(table, "a", "end")
    say_notice(table, "c", "end")
    assert exit_of_advance(table, NOW + 15 * DAY) == 0
    (wait,) = status_data(rhea)["waits"]
    assert (wait["about"], wait["cancels"]) == ("vote", ["b"])
    assert wait["until"] > NOW + 89 * DAY, "but not before the absence that Bo announced has ended"


# ------------------------------------------------------------------ a lost key


@pytest.mark.sample(0)
def test_a_player_can_cancel_the_takeover_of_their_seat(table: Round) -> None:
    begin_three(table)
    old = key_of_seat(table, "b")
    vouch_for_thief(table, "a", "c")
    told = table.person("bo").pbem("status -C savannah").out
    assert "Bo gets a new key, which Ann, Cy and Rhea (the referee) have confirmed" in told
    assert "to prevent this, send orders, or type: pbem notice end --no" in told
    say_notice(table, "b", "end --no")
    answer_all(table, "ac")
    exit_of_advance(table, NOW + 3 * DAY)
    assert status_data(table.person("rhea"))["waits"] == []
    assert key_of_seat(table, "b") == old


@pytest.mark.sample(0)
def test_a_player_who_sends_orders_cancels_the_takeover_of_their_seat(table: Round) -> None:
    begin_three(table)
    old = key_of_seat(table, "b")
    vouch_for_thief(table, "a", "c")
    answer_all(table, "abc")
    assert exit_of_advance(table, NOW + 3 * DAY) == 0
    assert status_data(table.person("rhea"))["waits"] == []
    assert key_of_seat(table, "b") == old


def test_new_keys_that_nobody_cancels_count_after_two_days(table: Round) -> None:
    rhea = begin_three(table)
    vouch_for_thief(table, "a", "c")
    assert exit_of_advance(table, NOW + 2 * DAY - 1) in (0, 5)
    assert key_of_seat(table, "b") != THIEF.public
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    assert key_of_seat(table, "b") == THIEF.public
    told = rhea.pbem("log -C savannah").out
    assert "Bo has a new key, which Ann, Cy and Rhea (the referee) have confirmed" in told
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_a_turn_that_lets_new_keys_count_before_their_time_is_refused(table: Round) -> None:
    begin_three(table)
    vouch_for_thief(table, "a", "c")
    announced = _last(table)
    answer_all(table, "ac")
    play_on(table, "ac", turns=1, now=NOW + DAY + 1)
    early = forge(table, with_listed_notices(announced))
    assert early.exit == 1
    assert "this notice does not count yet, because others may still cancel it" in early.out


@pytest.mark.sample(0)
def test_a_turn_that_keeps_new_keys_from_counting_when_it_is_time_is_refused(table: Round) -> None:
    begin_three(table)
    vouch_for_thief(table, "a", "c")
    assert exit_of_advance(table, NOW + 2 * DAY) == 0

    def without(turn: Turn) -> Turn:
        return replace(turn, notices=(), handover=None)

    said = forge(table, without)
    assert said.exit == 1
    assert "takes effect now, but the turn does not list it again" in said.out


def test_a_vote_signed_before_the_vouching_does_not_cancel_it(table: Round) -> None:
    """The referee kept back what Bo signed before the vouching, and lists it only now."""
    begin_three(table)
    vote = put_notice(table, "b", Vote(SCORE), key_of("bo"))
    (kept_back,) = (table.shared / "savannah" / "notices").glob(f"*{vote.id.hex()[:6]}.toml")
    bytes_ = kept_back.read_bytes()
    kept_back.unlink()
    vouch_for_thief(table, "a", "c")
    kept_back.write_bytes(bytes_)
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    assert key_of_seat(table, "b") == THIEF.public


@pytest.mark.sample(0)
def test_a_second_takeover_needs_two_others_and_only_the_recovery_key_cancels_it(
    table: Round,
) -> None:
    made(table, "--players Ann,Bo,Cy --referee Rhea --deadline 24h")
    for seat in "abc":
        sit(table, seat)
    assert exit_of_advance(table, NOW) == 0
    vouch_for_thief(table, "a", "c")
    say_notice(table, "b", "end --no")
    answer_all(table, "ac")
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    assert status_data(table.person("rhea"))["waits"] == []
    for seat in "ac":
        put_notice(table, seat, STOLEN, key_of(SEATS[seat]), after=3)
    put_notice(table, "referee", STOLEN, key_of("rhea"), after=3)
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    told = table.person("bo").pbem("status -C savannah").out
    assert "the only way to prevent this is to sign another new key with the seat's" in told
    put_notice(table, "b", Vote(DRAW), key_of("bo"), after=4)
    assert exit_of_advance(table, NOW + 4 * DAY) == 0
    assert key_of_seat(table, "b") == THIEF.public


@pytest.mark.long
def test_after_a_cancelled_takeover_one_other_player_is_not_enough(table: Round) -> None:
    begin_two(table, "24h")
    vouch_for_thief(table, "a")
    say_notice(table, "b", "end --no")
    answer_all(table, "a")
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    put_notice(table, "a", STOLEN, key_of("ann"), after=3)
    put_notice(table, "referee", STOLEN, key_of("rhea"), after=3)
    exit_of_advance(table, NOW + 2 * DAY)
    told = table.person("bo").pbem("status -C savannah").out
    assert (
        "has no effect: somebody with the present key of this seat has already cancelled new keys"
    ) in told
    answer_all(table, "ab")
    exit_of_advance(table, NOW + 2 * DAY)
    forged = forge(table, with_listed_notices(_last(table)))
    assert forged.exit == 1
    assert "at least two other players with keys of their own must confirm" in forged.out


@pytest.mark.long
# ------------------------------------------------------------------ a seat that is only silent
def test_a_silent_player_who_acts_within_the_waiting_time_keeps_the_seat(table: Round) -> None:
    rhea = give_away_idle_seat(table)
    told = table.person("bo").pbem("status -C savannah").out
    assert "in the first turn after " in told
    assert ": the referee gives seat b of Bo to Flo; to prevent this" in told
    say_notice(table, "b", "end --no")
    now = status_data(rhea)["waits"][0]["until"]
    answer_all(table, "ac")
    exit_of_advance(table, now)
    assert status_data(rhea)["waits"] == []
    assert name_of_seat(table, "b") == "Bo"


@pytest.mark.long
def test_a_silent_seat_goes_to_the_new_player_after_the_waiting_time(table: Round) -> None:
    rhea = give_away_idle_seat(table)
    now = status_data(rhea)["waits"][0]["until"]
    exit_of_advance(table, now - 1)
    assert name_of_seat(table, "b") == "Bo"
    exit_of_advance(table, now)
    assert name_of_seat(table, "b") == "Flo"
    told = rhea.pbem("log -C savannah").out
    assert "the referee gives seat b of Bo to Flo" in told
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.long
def test_a_referee_who_keeps_back_a_cancelling_notice_is_found_by_its_writer(table: Round) -> None:
    rhea, bo = give_away_idle_seat(table), table.person("bo")
    until = status_data(rhea)["waits"][0]["until"]
    say_notice(table, "b", "end --no")
    folder = table.shared / "savannah" / "notices"
    kept_back = max(folder.iterdir(), key=lambda found: found.stat().st_mtime_ns)
    bytes_ = kept_back.read_bytes()
    kept_back.unlink()
    exit_of_advance(table, until)
    assert name_of_seat(table, "b") == "Flo"
    kept_back.write_bytes(bytes_)
    said = bo.pbem("audit savannah")
    told = "this notice would have cancelled the new keys of seat b, but turn 25 made the new "
    told += "keys valid"
    assert told in said.out


@pytest.mark.long
# ------------------------------------------------------------------ turns without questions
def test_one_players_notices_cannot_make_turns_without_end(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    keys = 0
    for number in range(6):
        said = bo.pbem(f"notice key -C savannah --profile k{number}")
        keys += said.exit == 0
        exit_of_advance(table, NOW + number)
    assert keys == 2
    assert "the key of a seat can change the seat's keys only 2 times a round" in said.err
    notices = ["end", "end --no", "end --draw"] * 8
    for number, words in enumerate(notices):
        bo.pbem(f"notice {words} -C savannah")
        exit_of_advance(table, NOW + 60 + number)
    assert len(turn_records(table)) == 3
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_only_players_who_voted_for_the_agreed_end_are_named(table: Round) -> None:
    """Rhea said that nobody should win; the players end the game with the scores as they are."""
    rhea = begin_three(table)
    assert rhea.pbem("notice end --no-winner -C savannah").exit == 0
    for seat in "abc":
        say_notice(table, seat, "end")
    assert exit_of_advance(table, NOW) == 0
    told = table.person("ann").pbem("log -C savannah").out
    assert "Ann, Bo and Cy agreed to end the game with the scores as they are" in told
    assert "Rhea agreed" not in told
