"""Attacks on what several people must agree to: by a referee, a player or two, against one who is
silent, away, or here."""

from dataclasses import replace

import pytest

from pbem.game.notice_kinds import SetDeadline, Vote, Vouch
from pbem.records.notice import DRAW, SCORE, Notice
from pbem.records.read_record import Record
from pbem.records.turn import Turn
from tests.calendar.test_commands import DAY, begin
from tests.cli.test_newcomers_mistakes import answer
from tests.kit.named_games import SEATS, made, sit
from tests.kit.people import NOW, Person, Round, key_of
from tests.kit.timed_games import answer_all, play_on, status_data, three
from tests.notices.forging import forge, listing, put_notice, turns

HOUR = 3600
THIEF = key_of("thief")
STOLEN = Vouch("b", THIEF.public, b"\x50" * 32)


def advance(table: Round, now: int) -> int:
    """Run `advance` as Rhea; return its exit code."""
    return table.person("rhea").pbem(f"advance -C savannah --now {now}").exit


def notice(table: Round, seat: str, words: str) -> None:
    said = table.person(SEATS[seat]).pbem(f"notice {words} -C savannah")
    assert said.exit == 0, said.text


def away(table: Round, seat: str, days: int = 30) -> None:
    """The player of this seat announces an absence that begins now."""
    from datetime import UTC, datetime, timedelta

    end = datetime.fromtimestamp(NOW, UTC) + timedelta(days=days)
    said = table.person(SEATS[seat]).pbem(
        ["notice", "away", f"..{end:%Y-%m-%d}", "-C", "savannah", "--now", str(NOW)]
    )
    assert said.exit == 0, said.text


def name(table: Round, seat: str) -> str:
    return str(status_data(table.person("rhea"))["seats"][seat]["name"])


def key(table: Round, seat: str) -> bytes:
    """The key that counts for a seat now."""
    from tests.kit.named_games import session_of

    return session_of(table.person("rhea")).game_folder.standing.roster[seat].key


# ------------------------------------------------------------------ a referee against one player
def rhea_and_bo(table: Round) -> Person:
    """Rhea plays a, Bo plays b, c is a bot; turn 1 asks them."""
    made(table, "--players Rhea,Bo --referee Rhea --referee-plays --bots greedy:1 --deadline 24h")
    sit(table, "b")
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 5
    answer(rhea)
    assert rhea.pbem("advance -C savannah").exit == 0
    return rhea


def test_the_referee_alone_cannot_take_the_seat_of_an_active_player(table: Round) -> None:
    rhea = rhea_and_bo(table)
    old = key(table, "b")
    line = rhea.pbem("notice key --lost --as b --profile theft -C savannah").out.split("\n")[2]
    said = rhea.pbem(["notice", "vouch", line.strip(), "-C", "savannah"])
    assert said.exit == 2, said.text
    assert "at least one other player with a key of their own must vouch" in said.err
    put_notice(table, "referee", STOLEN, key_of("rhea"))
    advance(table, NOW + 60)
    assert key(table, "b") == old
    assert rhea.pbem("audit savannah").exit == 0
    told = table.person("bo").pbem("audit savannah").out
    assert "a notice of the referee that does not count: at least one other player with a" in told


def _last(table: Round) -> Record[Notice]:
    from pbem.game.notice_files import new_notices
    from tests.kit.named_games import session_of

    return new_notices(session_of(table.person("rhea")).game_folder, ())[-1]


def test_a_referee_and_their_bots_cannot_end_the_game_of_a_player(table: Round) -> None:
    rhea = rhea_and_bo(table)
    away(table, "b")
    assert rhea.pbem("notice end -C savannah").exit == 0
    advance(table, NOW + 60)
    assert not status_data(rhea)["over"]
    assert rhea.pbem("notice deadline 1h -C savannah").exit == 2


# ------------------------------------------------------------------ an absence is not a vote
def test_announcing_an_absence_does_not_take_away_your_vote(table: Round) -> None:
    rhea = begin(table, "24h")
    away(table, "b")
    notice(table, "a", "end --draw")
    answer_all(table, "a")
    advance(table, NOW + HOUR)
    assert not status_data(rhea)["over"]
    told = table.person("bo").pbem("status -C savannah").out
    assert "Ann votes to end the game as a draw; Bo must vote so too" in told
    forged = forge(table, lambda turn: replace(turn, over=True, deadline=0, awaited=(), own=()))
    assert forged.exit == 1


@pytest.mark.long
def test_an_old_vote_does_not_take_effect_because_somebody_left(table: Round) -> None:
    rhea = three(table)
    notice(table, "a", "end --draw")
    notice(table, "b", "end --draw")
    play_on(table, "abc", turns=1)
    notice(table, "c", "concede --yes")
    advance(table, NOW + 60)
    answer_all(table, "ab")
    advance(table, NOW + 120)
    data = status_data(rhea)
    assert not data["over"], "the old votes lapse with the concession"
    notice(table, "a", "end --draw")
    notice(table, "b", "end --draw")
    assert advance(table, NOW + 180) == 0
    assert status_data(rhea)["over"], "new ones count"


def test_conceding_against_an_old_offer_of_a_draw_is_no_draw(table: Round) -> None:
    begin(table, "24h")
    notice(table, "a", "end --draw")
    play_on(table, "ab", turns=1)
    notice(table, "b", "concede --yes")
    answer_all(table, "a")
    advance(table, NOW + 60)
    data = status_data(table.person("rhea"))
    assert (data["over"], data["ended"]) == (False, "")


def test_nobody_shortens_the_deadlines_while_others_are_away(table: Round) -> None:
    """Ann and the referee, while Bo is away as announced."""
    rhea = begin(table, "24h")
    away(table, "b")
    said = table.person("ann").pbem(["notice", "deadline", "1h", "-C", "savannah"])
    assert said.exit == 0, said.text
    said = rhea.pbem(["notice", "deadline", "1h", "-C", "savannah"])
    assert said.exit == 2
    assert "these players have not agreed to this deadline yet: Bo" in said.err
    put_notice(table, "referee", SetDeadline("1h"), key_of("rhea"))
    answer_all(table, "a")
    advance(table, NOW + 60)
    forged = forge(table, listing(_last(table)))
    assert forged.exit == 1
    assert "have not agreed to this deadline yet" in forged.out


@pytest.mark.long
def test_an_absence_is_no_way_to_block_the_others_for_long(table: Round) -> None:
    rhea = three(table)
    away(table, "b", 90)
    play_on(table, "ac", turns=1)
    play_on(table, "ac", turns=1, now=NOW + 15 * DAY)
    notice(table, "a", "end")
    notice(table, "c", "end")
    assert advance(table, NOW + 15 * DAY) == 0
    (wait,) = status_data(rhea)["waits"]
    assert (wait["about"], wait["cancels"]) == ("vote", ["b"])
    assert wait["until"] > NOW + 89 * DAY, "but not before the absence that Bo announced has ended"


# ------------------------------------------------------------------ a lost key
def vouched(table: Round, *seats: str, now: int = NOW) -> None:
    """These players and then Rhea vouch for a key of somebody who says that they are Bo."""
    for seat in seats:
        put_notice(table, seat, STOLEN, key_of(SEATS[seat]))
    put_notice(table, "referee", STOLEN, key_of("rhea"))
    assert advance(table, now) == 0


def test_a_player_whose_seat_others_take_can_cancel_it(table: Round) -> None:
    three(table)
    old = key(table, "b")
    vouched(table, "a", "c")
    told = table.person("bo").pbem("status -C savannah").out
    assert "Bo gets a new key: Ann, Cy and Rhea, the referee, vouch for it" in told
    assert "to cancel this, send orders, or type: pbem notice end --no" in told
    notice(table, "b", "end --no")
    answer_all(table, "ac")
    advance(table, NOW + 3 * DAY)
    assert status_data(table.person("rhea"))["waits"] == []
    assert key(table, "b") == old


def test_orders_cancel_it_too(table: Round) -> None:
    three(table)
    old = key(table, "b")
    vouched(table, "a", "c")
    answer_all(table, "abc")
    assert advance(table, NOW + 3 * DAY) == 0
    assert status_data(table.person("rhea"))["waits"] == []
    assert key(table, "b") == old


def test_new_keys_count_when_nobody_cancels_them(table: Round) -> None:
    rhea = three(table)
    vouched(table, "a", "c")
    assert advance(table, NOW + 2 * DAY - 1) in (0, 5)
    assert key(table, "b") != THIEF.public
    assert advance(table, NOW + 2 * DAY) == 0
    assert key(table, "b") == THIEF.public
    told = rhea.pbem("log -C savannah").out
    assert "Bo has a new key: Ann, Cy and Rhea, the referee, vouch for it" in told
    assert rhea.pbem("audit savannah").exit == 0


def test_new_keys_cannot_take_effect_early_and_must_when_it_is_time(table: Round) -> None:
    three(table)
    vouched(table, "a", "c")
    announced = _last(table)
    answer_all(table, "ac")
    play_on(table, "ac", turns=1, now=NOW + DAY + 1)
    early = forge(table, listing(announced))
    assert early.exit == 1
    assert "it cannot take effect yet" in early.out


def test_a_turn_that_keeps_new_keys_from_taking_effect_is_refused(table: Round) -> None:
    three(table)
    vouched(table, "a", "c")
    assert advance(table, NOW + 2 * DAY) == 0

    def without(turn: Turn) -> Turn:
        return replace(turn, notices=(), handover=None)

    said = forge(table, without)
    assert said.exit == 1
    assert "must take effect in this turn" in said.out


def test_an_act_that_was_written_earlier_cancels_nothing(table: Round) -> None:
    """The referee kept back what Bo signed before the vouching, and lists it only now."""
    three(table)
    vote = put_notice(table, "b", Vote(SCORE), key_of("bo"))
    (kept_back,) = (table.shared / "savannah" / "notices").glob(f"*{vote.id.hex()[:6]}.toml")
    bytes_ = kept_back.read_bytes()
    kept_back.unlink()
    vouched(table, "a", "c")
    kept_back.write_bytes(bytes_)
    assert advance(table, NOW + 2 * DAY) == 0
    assert key(table, "b") == THIEF.public


def test_a_second_attempt_needs_two_others_and_only_the_recovery_key_cancels_it(
    table: Round,
) -> None:
    made(table, "--players Ann,Bo,Cy --referee Rhea --deadline 24h")
    for seat in "abc":
        sit(table, seat)
    assert advance(table, NOW) == 0
    vouched(table, "a", "c")
    notice(table, "b", "end --no")
    answer_all(table, "ac")
    assert advance(table, NOW + 2 * DAY) == 0
    assert status_data(table.person("rhea"))["waits"] == []
    for seat in "ac":
        put_notice(table, seat, STOLEN, key_of(SEATS[seat]), after=3)
    put_notice(table, "referee", STOLEN, key_of("rhea"), after=3)
    assert advance(table, NOW + 2 * DAY) == 0
    told = table.person("bo").pbem("status -C savannah").out
    assert "only a new key, signed with the recovery key of the seat, cancels this" in told
    put_notice(table, "b", Vote(DRAW), key_of("bo"), after=4)
    assert advance(table, NOW + 4 * DAY) == 0
    assert key(table, "b") == THIEF.public


@pytest.mark.long
def test_after_a_cancelled_attempt_one_other_player_is_not_enough(table: Round) -> None:
    begin(table, "24h")
    vouched(table, "a")
    notice(table, "b", "end --no")
    answer_all(table, "a")
    assert advance(table, NOW + 2 * DAY) == 0
    put_notice(table, "a", STOLEN, key_of("ann"), after=3)
    put_notice(table, "referee", STOLEN, key_of("rhea"), after=3)
    advance(table, NOW + 2 * DAY)
    told = table.person("bo").pbem("status -C savannah").out
    assert "does not count: somebody with the seat's present key has cancelled such a" in told
    answer_all(table, "ab")
    advance(table, NOW + 2 * DAY)
    forged = forge(table, listing(_last(table)))
    assert forged.exit == 1
    assert "at least two other players with keys of their own must vouch" in forged.out


@pytest.mark.long
# ------------------------------------------------------------------ a seat that is only silent
def test_a_silent_player_keeps_the_seat_by_acting_in_time(table: Round) -> None:
    rhea = silent_bo(table)
    told = table.person("bo").pbem("status -C savannah").out
    assert "takes over seat b from Bo, by the referee alone, in the first turn from" in told
    notice(table, "b", "end --no")
    now = status_data(rhea)["waits"][0]["until"]
    answer_all(table, "ac")
    advance(table, now)
    assert status_data(rhea)["waits"] == []
    assert name(table, "b") == "Bo"


@pytest.mark.long
def test_a_silent_seat_is_given_on_after_the_waiting_time(table: Round) -> None:
    rhea = silent_bo(table)
    now = status_data(rhea)["waits"][0]["until"]
    advance(table, now - 1)
    assert name(table, "b") == "Bo"
    advance(table, now)
    assert name(table, "b") == "Flo"
    told = rhea.pbem("log -C savannah").out
    assert "Flo takes over seat b from Bo, by the referee alone" in told
    assert rhea.pbem("audit savannah").exit == 0


def silent_bo(table: Round, more: str = "") -> Person:
    """Bo was silent for so long that the referee gives the seat to Flo; returns the referee."""
    rhea = three(table, f"--idle-after 1 {more}")
    for day in range(1, 40):
        now = NOW + day * DAY
        play_on(table, "ac", turns=1, now=now)
        said = rhea.pbem("notice invite b -C savannah", SOURCE_DATE_EPOCH=str(now))
        if said.exit == 0:
            break
    line = said.out.split("--invite ")[1].split()[0]
    flo = table.person("flo")
    assert flo.pbem(["join", "-C", "savannah", "--name", "Flo", "--invite", line]).exit == 0
    assert advance(table, now) == 0
    assert name(table, "b") == "Bo", "not before Bo had time to come back"
    return rhea


@pytest.mark.long
def test_a_referee_who_holds_back_what_cancels_is_named_by_its_writer(table: Round) -> None:
    rhea, bo = silent_bo(table), table.person("bo")
    until = status_data(rhea)["waits"][0]["until"]
    notice(table, "b", "end --no")
    folder = table.shared / "savannah" / "notices"
    kept_back = max(folder.iterdir(), key=lambda found: found.stat().st_mtime_ns)
    bytes_ = kept_back.read_bytes()
    kept_back.unlink()
    advance(table, until)
    assert name(table, "b") == "Flo"
    kept_back.write_bytes(bytes_)
    said = bo.pbem("audit savannah")
    assert "would have kept this seat" in said.out


@pytest.mark.long
# ------------------------------------------------------------------ turns without questions
def test_a_player_cannot_make_turns_without_end(table: Round) -> None:
    rhea, bo = begin(table, "24h"), table.person("bo")
    keys = 0
    for number in range(6):
        said = bo.pbem(f"notice key -C savannah --profile k{number}")
        keys += said.exit == 0
        advance(table, NOW + number)
    assert keys == 2
    assert "its own key changes the keys of a seat at most 2 times a round" in said.err
    notices = ["end", "end --no", "end --draw"] * 8
    for number, words in enumerate(notices):
        bo.pbem(f"notice {words} -C savannah")
        advance(table, NOW + 60 + number)
    assert len(turns(table)) == 3
    assert rhea.pbem("audit savannah").exit == 0


def test_only_those_who_wanted_this_end_are_named(table: Round) -> None:
    """Rhea said that nobody should win; the players end the game with the scores as they are."""
    rhea = three(table)
    assert rhea.pbem("notice end --no-winner -C savannah").exit == 0
    for seat in "abc":
        notice(table, seat, "end")
    assert advance(table, NOW) == 0
    told = table.person("ann").pbem("log -C savannah").out
    assert "Ann, Bo and Cy agreed to end the game with the scores as they are" in told
    assert "Rhea agreed" not in told
