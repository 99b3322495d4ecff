"""The last turn that a game can have ends it in peace: nobody can burn turns until no turn and no
`final` can be made any more. The limit is made small here, as nobody plays 9,999 turns."""

import dataclasses

import pytest

from pbem.format.record_error import RecordError
from pbem.records import record_header
from pbem.records.read_and_sign_record import make
from tests.attacks.forging import Forged
from tests.kit.named_games import SEATS, answer_as_bot, made, session_of, sit
from tests.kit.people import NOW
from tests.kit.played_games import HOUR, Played
from tests.kit.refusals import refused_for
from tests.kit.timed_games import begin_three, play_on, status_data

LIMIT = 5


@pytest.fixture
def limit(monkeypatch):
    monkeypatch.setattr(record_header, "MAX_TURN", LIMIT)


@pytest.mark.sample(0)
def test_the_last_turn_that_a_game_can_have_ends_it_and_the_audit_accepts_that(table, limit):
    rhea = begin_three(table)
    play_on(table, "abc", turns=LIMIT - 1 - rhea_turn(rhea))
    assert rhea_turn(rhea) == LIMIT - 1
    # somebody has not answered yet, and the game ends nevertheless
    said = rhea.pbem("advance -C savannah")
    assert said.exit == 0, said
    assert "the game is over" in said.text
    assert (table.shared / "savannah" / "final.toml").exists()
    told = f"a game can have at most {LIMIT} turns, so the game ended with the scores as they are"
    for name in SEATS.values():
        assert told in table.person(name).pbem("status -C savannah").out
    seen = table.person("eve").pbem("audit savannah")
    assert (seen.exit, "Proven" in seen.out) == (0, True), seen
    assert f"A game can have at most {LIMIT} turns, so turn {LIMIT} ended the game" in seen.out
    assert rhea.pbem("advance -C savannah").exit == 0
    assert rhea.pbem("doctor -C savannah").out.count("the last that a game can have") == 0
    assert table.person("ann").pbem("notice end -C savannah").exit == 5


def rhea_turn(rhea):
    return status_data(rhea)["turn"]


@pytest.mark.long
def test_status_and_doctor_warn_before_the_last_turn_that_a_game_can_have(table, monkeypatch):
    rhea = begin_three(table)
    told = "is the last that a game can have; it will end the game with the scores as they are"
    for line in ("status", "doctor"):
        assert told not in rhea.pbem(f"{line} -C savannah").out
    monkeypatch.setattr(record_header, "MAX_TURN", 10)
    play_on(table, "abc", turns=9 - rhea_turn(rhea))
    for name in ("rhea", "ann"):
        for line in ("status", "doctor"):
            said = table.person(name).pbem(f"{line} -C savannah")
            assert f"turn 10 {told}" in said.text, said


def test_a_last_possible_turn_that_does_not_end_the_game_is_refused(tmp_path, monkeypatch):
    game = Played(tmp_path / "game", policies={"deadline": "1h"}).play(LIMIT)
    monkeypatch.setattr(record_header, "MAX_TURN", LIMIT)
    reader = game.table_at(LIMIT - 1)
    with refused_for("rule"):
        reader.absorb(game.turns[-1], game.finder)
    assert Forged(game, tmp_path).audit().exit == 1
    monkeypatch.setattr(record_header, "MAX_TURN", LIMIT + 1)
    ended = dataclasses.replace(game.turns[-1].content, over=True, log=(), orders=(), awaited=())
    game.read(reader := game.table_at(0), LIMIT - 1)
    with pytest.raises(RecordError):  # a turn before the last one may not end the game
        reader.absorb(make(ended, game.referee), game.finder)


@pytest.mark.long
@pytest.mark.parametrize(
    "more", ["--bots greedy:1", "--referee-plays", "--referee-plays --bots greedy:1"]
)
def test_bots_and_a_playing_referee_do_not_keep_the_last_turn_from_being_last(table, limit, more):
    """Their orders for the turn before are sealed in the folder, and nobody opens them."""
    rhea, now = table.person("rhea"), NOW
    plays = "--referee-plays" in more
    players = "Rhea,Bo" if plays else "Ann,Bo"
    made(table, f"--players {players} --deadline 24h {more}" + ("" if plays else " --referee Rhea"))
    for seat in "b" if plays else "ab":
        sit(table, seat)
    for _ in range(20):
        now += 25 * HOUR
        if plays:
            answer_as_bot(session_of(rhea), "a")
        said = rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(now))
        if "the game is over" in said.text:
            break
    assert "the game is over" in said.text, said
    assert (table.shared / "savannah" / "turns" / f"{LIMIT:04}.toml").exists()
    seen = table.person("eve").pbem("audit savannah", SOURCE_DATE_EPOCH=str(now))
    assert (seen.exit, "Proven" in seen.out) == (0, True), seen
