"""Time and silence: clocks that are wrong, notices while the game waits, an end in mid-question."""

import json
import os
import re
import time
from itertools import product
from typing import Any

import pytest

from pbem.judge.notice_kinds import SetClock
from pbem.judge.turn_inputs_and_outcome import TurnInputs
from pbem.judge.turn_maker import TurnMaker
from tests.attacks.deputies import deputy_at_turn_three, hand_over
from tests.kit.bot_orders import hand_in
from tests.kit.named_games import SEATS, made, sit
from tests.kit.people import NOW, Person, Round, Said, key_of
from tests.kit.selection import long
from tests.kit.timed_games import DAY, answer_all, begin_three, begin_two, play_on, status_data
from tests.notices.commands import type_at
from tests.notices.forging import forge, put_notice, turn_records, with_listed_notices

HOUR = 3600
YEAR = 365 * DAY


def advance_output_at(table: Round, now: int = NOW) -> Said:
    return type_at(table.person("rhea"), "advance", now)


def proven(table: Round) -> None:
    said = table.person("rhea").pbem("audit savannah")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text


# ------------------------------------------------------------------ an end in mid-question
@pytest.mark.sample(0)
def test_players_can_agree_to_end_a_game_while_a_bots_orders_are_sealed(table: Round) -> None:
    made(table, "--players Ann --referee Rhea --bots greedy:1 --deadline 24h")
    sit(table, "a")
    assert advance_output_at(table).exit == 0
    assert type_at(table.person("ann"), "notice end").exit == 0
    said = advance_output_at(table)
    assert said.exit == 0, said.text
    assert status_data(table.person("rhea"))["over"]
    proven(table)


def test_a_game_ends_if_all_concede_while_a_bots_orders_are_sealed(table: Round) -> None:
    made(table, "--players Ann --referee Rhea --bots greedy:1 --deadline 24h")
    sit(table, "a")
    assert advance_output_at(table).exit == 0
    assert type_at(table.person("ann"), "notice concede --yes").exit == 0
    said = advance_output_at(table)
    assert said.exit == 0, said.text
    assert status_data(table.person("rhea"))["over"]
    proven(table)


@pytest.mark.sample(0)
def test_players_can_agree_to_end_a_game_in_which_the_referee_plays(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee Rhea --referee-plays --deadline 24h")
    sit(table, "b")
    rhea = table.person("rhea")
    assert advance_output_at(table).exit == 5
    hand_in(rhea)
    assert advance_output_at(table).exit == 0
    assert type_at(rhea, "notice end").exit == 0
    assert type_at(table.person("bo"), "notice end").exit == 0
    said = advance_output_at(table)
    assert said.exit == 0, said.text
    assert status_data(rhea)["over"]
    proven(table)


RULESETS = ("evolution", "digital", "climate", "origin", "classroom")
TABLES = ("", "--bots greedy:1", "--wait-for-all", "--wait-for-all --bots greedy:1")
SEALED = {"nobody": 0, "one": 1, "all": 9}


def ends() -> list[Any]:
    """Each table with each ruleset, one way each; in the long run, all ways."""
    every = list(product(range(len(RULESETS) * len(TABLES)), (False, True), SEALED))
    short = [one for n, one in enumerate(every) if n % 6 == n // 6 % 6]
    return [*short, *long(one for one in every if one not in short)]


@pytest.mark.sample(0)
@pytest.mark.parametrize(("number", "plays", "sealed"), ends())
def test_players_can_agree_to_end_a_game_during_any_question(
    table: Round, number: int, plays: bool, sealed: str
) -> None:
    """With bots, a referee who plays, a wait for the whole round, a delay, orders that are sealed
    already: each with each, and every ruleset with each."""
    ruleset, more = RULESETS[number % len(RULESETS)], TABLES[number % len(TABLES)]
    names = ["Rhea" if plays else "Ann", "Bo", *["Cy"] * (ruleset == "classroom")]
    line = f"--game {ruleset} --players {','.join(names)} --referee Rhea --deadline 24h {more} "
    made(table, line + "--delays '3 days'" + " --referee-plays" * plays)
    others = "abc"[plays : len(names)]
    for seat in others:
        sit(table, seat)
    rhea = table.person("rhea")
    for _ in range(3):
        for _ in range(3):
            if advance_output_at(table).exit == 0:
                break
            if plays and "seal your own orders first" in advance_output_at(table).err:
                hand_in(rhea)
        answer_all(table, others[: SEALED[sealed]] if len(turn_records(table)) > 2 else others)
    assert turn_records(table)
    way = ("end", "concede --yes", "end --draw")[number % 3]
    assert type_at(table.person(SEATS[others[0]]), "notice delay 12h").exit == 0
    for name in [*(SEATS[seat] for seat in others), *["rhea"] * plays]:
        said = type_at(table.person(name), f"notice {way}")
        assert said.exit == 0, said.text
    said = advance_output_at(table)
    assert said.exit == 0, said.text
    assert status_data(rhea)["over"]
    proven(table)


# ------------------------------------------------------------------ what cannot wait
@pytest.mark.sample(0)
def test_a_wait_for_changes_of_mind_does_not_hold_up_a_delay(table: Round) -> None:
    begin_three(table, "--change-of-mind 6h --delays '3 days'")
    answer_all(table, "abc")
    assert type_at(table.person("bo"), "notice delay 24h").exit == 0
    said = advance_output_at(table)
    assert said.exit == 0, said.text
    last = turn_records(table)[-1].content
    assert (last.log, last.deadline) == ((), NOW + 2 * DAY)
    assert advance_output_at(table).exit == 5, "all may still change their orders"
    assert advance_output_at(table, NOW + 7 * HOUR).exit == 0
    proven_so_far(table)


@pytest.mark.long
def test_an_open_question_to_the_referee_does_not_hold_up_a_delay(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee Rhea --referee-plays --deadline 24h --delays '3 days'")
    sit(table, "b")
    rhea = table.person("rhea")
    assert advance_output_at(table).exit == 5
    hand_in(rhea)
    assert advance_output_at(table).exit == 0
    for _ in range(5):  # until the next question is the referee's
        answer_all(table, "b")
        if "seal your own orders first" in (said := advance_output_at(table)).err:
            break
    assert "seal your own orders first" in said.err
    assert type_at(table.person("bo"), "notice delay 24h").exit == 0
    said = advance_output_at(table)
    assert said.exit == 0, said.text
    last = turn_records(table)[-1].content
    assert (last.log, last.deadline) == ((), NOW + 2 * DAY)
    hand_in(rhea)
    assert advance_output_at(table).exit == 0
    assert turn_records(table)[-1].content.log
    assert rhea.pbem("audit savannah").exit == 0


def test_advance_never_writes_a_turn_that_readers_refuse(
    table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The referee's program has a mistake: its readers find it before anybody sees the turn."""
    begin_two(table, "24h")
    answer_all(table, "ab")
    right = TurnMaker._deadline

    def wrong(maker: TurnMaker, inputs: TurnInputs, *, has_play: bool) -> int:
        return right(maker, inputs, has_play=has_play) + DAY * (maker.chain.turn == 1)

    with monkeypatch.context() as patched:
        patched.setattr(TurnMaker, "_deadline", wrong)
        said = advance_output_at(table)
    assert said.exit == 70, said.text
    assert "turn 2 would break the rules, so pbem did not write the turn" in said.err
    assert len(turn_records(table)) == 1
    said = advance_output_at(table)
    assert said.exit == 0, said.text
    proven_so_far(table)


# ------------------------------------------------------------------ waiting for a whole round
WHOLE = """develop = ["pass"]
feed = ["prey first, then whom a token helps most"]
also = ["whatever still feeds somebody"]
defend = ["run, else lose a card, else mimicry"]
scavenge = ["whom it helps most"]
share = ["whom it helps most"]
"""


def whole_round(table: Round, more: str = "") -> tuple[str, list[str]]:
    """Three players whose orders for the round are waited for; returns who is asked, and the
    others."""
    made(
        table,
        "--game origin --players Ann,Bo,Cy --referee Rhea --deadline 24h --wait-for-all "
        f"--as-printed {more}",
    )
    for seat in "abc":
        sit(table, seat)
    assert advance_output_at(table).exit == 0
    seats = status_data(table.person("rhea"))["seats"]
    (first,) = [seat for seat, told in seats.items() if told["asked"]]
    return first, [seat for seat in "abc" if seat != first]


def submit_whole_round(table: Round, seat: str) -> None:
    mine = table.root / f"{seat}.toml"
    mine.write_text(WHOLE)
    said = type_at(table.person(SEATS[seat]), f"submit {mine}")
    assert said.exit == 0, said.text


@pytest.mark.long
def test_a_notice_of_a_player_whose_orders_are_awaited_does_not_spoil_the_turn(
    table: Round,
) -> None:
    first, (second, third) = whole_round(table)
    submit_whole_round(table, first)
    assert advance_output_at(table).exit == 5
    assert type_at(table.person(SEATS[second]), "notice end").exit == 0
    said = advance_output_at(table, NOW + DAY)
    assert said.exit == 0, said.text
    assert third
    proven_so_far(table)
    for seat in "abc":
        submit_whole_round(table, seat)
    assert advance_output_at(table, NOW + DAY).exit == 0
    proven_so_far(table)


def proven_so_far(table: Round) -> None:
    said = table.person("ann").pbem("audit savannah")
    assert said.exit == 0, said.text


@pytest.mark.sample(0)
def test_a_delay_counts_while_the_game_waits_for_a_whole_round(table: Round) -> None:
    first, (second, _) = whole_round(table, "--delays '3 days'")
    submit_whole_round(table, first)
    assert advance_output_at(table, NOW + HOUR).exit == 5, "the turn is held"
    assert type_at(table.person(SEATS[second]), "notice delay 24h", NOW + HOUR).exit == 0
    said = advance_output_at(table, NOW + 2 * HOUR)
    assert said.exit == 0, said.text
    last = turn_records(table)[-1].content
    assert (last.log, last.deadline) == ((), NOW + 2 * DAY)
    assert advance_output_at(table, NOW + DAY + 1).exit == 5, "nobody is silent yet"
    for seat in "abc":
        submit_whole_round(table, seat)
    assert advance_output_at(table, NOW + DAY + 2).exit == 0
    proven_so_far(table)


# ------------------------------------------------------------------ clocks
def really(table: Round, line: str) -> Said:
    """With this machine's own clock."""
    return table.person("rhea").really(f"{line} -C savannah", SOURCE_DATE_EPOCH="")


@pytest.mark.sample(0)
def test_advance_refuses_to_date_a_turn_long_after_all_other_records(table: Round) -> None:
    begin_two(table, "24h")
    for kind in ("orders", "notices"):
        for found in (table.shared / "savannah" / kind).glob("*"):
            os.utime(found, (NOW, NOW))
    said = really(table, "advance")
    assert said.exit == 5, said.text
    assert "the newest date in this game is" in said.err
    assert "set the clock if it is wrong; if it is right: pbem advance --time-is-right" in said.err
    assert len(turn_records(table)) == 1
    assert really(table, "advance --time-is-right").exit == 0


@pytest.mark.long
def test_junk_files_do_not_make_a_wrong_clock_look_right(table: Round) -> None:
    """Files that do not count say nothing about the time, whatever their names and dates are."""
    begin_two(table, "24h")
    answer_all(table, "b")
    folder = table.shared / "savannah"
    (orders,) = (folder / "orders").glob("0001-b-*")
    for path in folder.rglob("*.toml"):
        os.utime(path, (NOW, NOW))
    for name in (orders.name.replace("-1-", "-2-"), "0001-a-1-abcdef.toml"):
        (folder / "orders" / name).write_bytes(orders.read_bytes())
    (folder / "notices").mkdir(exist_ok=True)
    (folder / "notices" / "0001-a-1-abcdef.toml").write_bytes(b"junk")
    said = really(table, "advance")
    assert said.exit == 5, said.text
    assert "the newest date in this game is" in said.err
    assert len(turn_records(table)) == 1
    os.utime(orders)  # the player's orders have just come: then the time is right
    assert really(table, "advance").exit == 0


@pytest.mark.parametrize("name", ["b-abcdef.toml", "z-abcdef.toml"])
def test_junk_files_before_turn_1_do_not_make_a_wrong_clock_look_right(
    table: Round, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    made(table, "--players Ann,Bo --referee Rhea --deadline 24h")
    for seat in "ab":
        sit(table, seat)
    set_clock(table, monkeypatch, NOW + YEAR)
    (table.shared / "savannah" / "seats" / name).write_bytes(b"junk")
    os.utime(table.shared / "savannah" / "seats" / name, (NOW + YEAR, NOW + YEAR))
    assert by_the_clock(table.person("rhea"), "advance").exit == 5
    assert not turn_records(table)


def set_clock(table: Round, monkeypatch: pytest.MonkeyPatch, when: int) -> None:
    """Everybody's own clock shows this time, and files that are here came at NOW."""
    monkeypatch.setattr(time, "time", lambda: float(when))
    for found in (table.shared / "savannah").rglob("*.toml"):
        os.utime(found, (NOW, NOW))


def by_the_clock(person: Person, line: str) -> Said:
    return person.pbem(f"{line} -C savannah", SOURCE_DATE_EPOCH="")


@pytest.mark.parametrize("off", [YEAR, -YEAR])
def test_advance_refuses_to_date_turn_1_long_before_or_after_its_files(
    table: Round, monkeypatch: pytest.MonkeyPatch, off: int
) -> None:
    made(table, "--players Ann,Bo --referee Rhea --deadline 24h")
    for seat in "ab":
        sit(table, seat)
    rhea = table.person("rhea")
    set_clock(table, monkeypatch, NOW + off)
    said = by_the_clock(rhea, "advance")
    assert said.exit == 5, said.text
    assert "--time-is-right" in said.err
    assert "ADVANCE NOW" not in rhea.pbem("list", SOURCE_DATE_EPOCH="").out
    assert not turn_records(table)
    assert by_the_clock(rhea, "advance --time-is-right").exit == 0


@pytest.mark.sample(0)
def test_status_and_list_call_nothing_ready_that_advance_would_refuse(
    table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_two(table, "24h")
    answer_all(table, "ab")
    rhea = table.person("rhea")
    set_clock(table, monkeypatch, NOW + HOUR)
    assert "ADVANCE NOW" in rhea.pbem("list", SOURCE_DATE_EPOCH="").out
    set_clock(table, monkeypatch, NOW + YEAR)
    assert by_the_clock(rhea, "advance").exit == 5
    assert "ADVANCE NOW" not in rhea.pbem("list", SOURCE_DATE_EPOCH="").out
    told = by_the_clock(rhea, "status")
    assert "pbem advance will not make the next turn: the newest date in this game is" in told.text
    assert len(turn_records(table)) == 1


def test_advance_refuses_a_clock_far_behind_the_last_turn(
    table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_two(table, "24h")
    answer_all(table, "ab")
    rhea = table.person("rhea")
    set_clock(table, monkeypatch, 86_400)
    said = by_the_clock(rhea, "advance")
    assert said.exit == 5, said.text
    assert "later, and the next turn cannot have an earlier date" in said.err
    assert "type: pbem notice clock" in said.err
    set_clock(table, monkeypatch, NOW + HOUR)
    assert by_the_clock(rhea, "advance").exit == 0
    assert turn_records(table)[-1].content.time == NOW + HOUR


@pytest.mark.sample(0)
def test_the_option_time_is_right_holds_for_all_turns_that_one_command_makes(
    table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A delay gets a turn of its own, and all orders are here: two turns by one command."""
    begin_two(table, "24h", "--delays '3 days'")
    answer_all(table, "ab")
    assert type_at(table.person("bo"), "notice delay 24h").exit == 0
    rhea = table.person("rhea")
    set_clock(table, monkeypatch, 86_400)
    assert by_the_clock(rhea, "advance").exit == 5
    said = by_the_clock(rhea, "advance --time-is-right")
    assert said.exit == 0, said.text
    assert len(turn_records(table)) > 1
    proven_so_far(table)


def test_a_time_that_the_referee_types_is_compared_with_the_clock(
    table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_two(table, "24h")
    answer_all(table, "ab")
    set_clock(table, monkeypatch, NOW)
    rhea = table.person("rhea")
    said = rhea.pbem(f"advance -C savannah --now {NOW + YEAR}")
    assert said.exit == 5, said.text
    assert "the time that you typed," in said.err
    assert rhea.pbem(f"advance -C savannah --now {NOW + 9 * DAY}").exit == 0
    said = rhea.pbem(f"advance -C savannah --now {NOW + YEAR} --time-is-right")
    assert said.exit == 0, said.text


@pytest.mark.long
def test_players_who_come_back_after_a_long_time_just_go_on(table: Round) -> None:
    begin_two(table, "never")
    answer_all(table, "ab")
    assert really(table, "advance").exit == 0


def poisoned(table: Round) -> None:
    """Rhea's clock was a year ahead for one turn."""
    begin_two(table, "24h")
    play_on(table, "ab", turns=1, now=NOW + YEAR)


@pytest.mark.long
def test_a_game_dated_in_the_future_can_be_set_back(table: Round) -> None:
    poisoned(table)
    rhea, now = table.person("rhea"), NOW + HOUR
    told = type_at(table.person("ann"), "status", now).out
    assert "is dated 364 days in the future, so its deadlines are too late as well" in told, told
    assert "pbem notice clock" in type_at(rhea, "doctor", now).out
    assert "ask Rhea" not in type_at(rhea, "status", now).out
    for name in ("ann", "bo", "rhea"):
        said = type_at(table.person(name), "notice clock", now)
        assert said.exit == 0, said.text
    said = advance_output_at(table, now + HOUR)
    assert said.exit == 0, said.text
    last = turn_records(table)[-1].content
    assert (last.time, last.deadline) == (now + HOUR, now + HOUR + DAY)
    play_on(table, "ab", turns=3, now=now + DAY)
    assert turn_records(table)[-1].content.deadline == now + 2 * DAY
    proven_so_far(table)
    assert "dated" not in type_at(table.person("ann"), "status", now + DAY).out


@pytest.mark.long
def test_one_player_cannot_keep_a_game_dated_in_the_future(table: Round) -> None:
    """Cy says nothing, and Bo names a time almost as late: Ann and Rhea put the clock right."""
    begin_three(table)
    play_on(table, "abc", turns=1, now=NOW + YEAR)
    now = NOW + HOUR
    assert type_at(table.person("ann"), "notice clock", now).exit == 0
    said = type_at(table.person("rhea"), "notice clock", now)
    assert (said.exit, "these players have not said so yet: Bo, Cy" in said.err) == (2, True), (
        said.text
    )
    assert type_at(table.person("bo"), "notice clock", NOW + YEAR - HOUR).exit == 0
    said = type_at(table.person("rhea"), "notice clock", now)
    assert (said.exit, "a player's clock was already at" in said.err) == (2, True), said.text
    assert type_at(table.person("cy"), "notice clock", now + HOUR).exit == 0
    said = type_at(table.person("rhea"), "notice clock", now + HOUR)
    assert said.exit == 0, said.text
    assert advance_output_at(table, now + 2 * HOUR).exit == 0
    assert turn_records(table)[-1].content.time == now + 2 * HOUR
    proven_so_far(table)


@pytest.mark.long
def test_after_a_hand_over_the_deputy_can_set_the_clock_back(table: Round) -> None:
    rhea, flo = deputy_at_turn_three(table)
    play_on(table, "ab", turns=1, now=NOW + YEAR)
    hand_over(table, NOW + YEAR)
    now = NOW + 2 * HOUR
    for name in ("ann", "flo"):
        said = type_at(table.person(name), "notice clock", now)
        assert said.exit == 0, said.text
    assert "Flo has made the turns" in type_at(rhea, "notice clock", now).err
    said = type_at(flo, "advance", now)
    assert said.exit == 0, said.text
    last = turn_records(table)[-1].content
    assert (last.time, last.deadline) == (now, now + DAY)
    proven_so_far(table)


@pytest.mark.sample(0)
def test_the_referee_alone_cannot_set_the_clock_back(table: Round) -> None:
    poisoned(table)
    rhea, now = table.person("rhea"), NOW + HOUR
    said = type_at(rhea, "notice clock", now)
    assert said.exit == 2
    assert "these players have not said so yet: Ann, Bo" in said.err
    back = put_notice(table, "referee", SetClock(now), key_of("rhea"))
    play_on(table, "ab", turns=1, now=NOW + YEAR)
    said = forge(table, with_listed_notices(back))
    assert said.exit == 1
    assert "these players have not said so yet: Ann, Bo" in said.out


@pytest.mark.sample(0)
def test_the_referee_cannot_set_the_clock_back_without_the_last_player_by_mail(
    table: Round,
) -> None:
    """Ann concedes, and only Bo is left, who plays by mail: he too must have said so."""
    players = '--players "Ann,Bo <bo@example.org>" --mail-seats Bo --referee Rhea --deadline 24h'
    made(table, players)
    sit(table, "a")
    assert advance_output_at(table).exit == 0
    ann, rhea, now = table.person("ann"), table.person("rhea"), NOW + HOUR
    assert type_at(ann, "notice concede --yes").exit == 0
    assert advance_output_at(table, NOW + YEAR).exit == 0
    said = type_at(rhea, "notice clock", now)
    assert (said.exit, "these players have not said so yet: Bo" in said.err) == (2, True), said.text
    assert type_at(rhea, "notice clock --as b", now).exit == 0
    assert type_at(rhea, "notice clock", now).exit == 0
    assert advance_output_at(table, now).exit == 0
    assert turn_records(table)[-1].content.time == now
    told = type_at(ann, "log", now).out
    assert "Bo says that the date of the last turn is wrong" in told
    proven_so_far(table)


@pytest.mark.long
def test_the_referee_cannot_set_the_clock_back_without_players_who_joined_later(
    table: Round,
) -> None:
    """Bo gives up his seat to Flo, and Ann concedes: Flo must have said so."""
    begin_two(table, "24h")
    ann, bo, rhea = (table.person(name) for name in ("ann", "bo", "rhea"))
    now = NOW + HOUR
    assert type_at(bo, "notice leave --yes").exit == 0
    play_on(table, "a", turns=1)
    line = type_at(rhea, "notice invite b").out.split("--invite ")[1].split()[0]
    flo = table.person("flo")
    assert flo.pbem(["join", "-C", "savannah", "--name", "Flo", "--invite", line]).exit == 0
    assert advance_output_at(table, NOW).exit == 0
    assert type_at(ann, "notice concede --yes").exit == 0
    assert advance_output_at(table, NOW + YEAR).exit == 0
    said = type_at(rhea, "notice clock", now)
    assert (said.exit, "these players have not said so yet: Flo" in said.err) == (2, True), (
        said.text
    )
    assert type_at(flo, "notice clock", now).exit == 0
    assert type_at(rhea, "notice clock", now).exit == 0
    assert advance_output_at(table, now).exit == 0
    assert turn_records(table)[-1].content.time == now
    proven_so_far(table)


@pytest.mark.long
def test_what_an_old_key_said_about_the_date_lapses_with_that_key(table: Round) -> None:
    """A thief with Bo's key says that the date is wrong; then Bo changes the key."""
    poisoned(table)
    rhea, bo, later = table.person("rhea"), table.person("bo"), NOW + YEAR + HOUR
    assert type_at(bo, "notice clock", NOW + HOUR).exit == 0
    assert type_at(bo, "notice key", later).exit == 0
    assert advance_output_at(table, later).exit == 0
    said = type_at(rhea, "notice clock", NOW + HOUR)
    assert said.exit == 2, said.text
    assert "these players have not said so yet: Ann, Bo" in said.err


@pytest.mark.sample(0)
def test_the_clock_cannot_be_set_further_back_than_the_players_say(table: Round) -> None:
    poisoned(table)
    for name in ("ann", "bo"):
        assert type_at(table.person(name), "notice clock", NOW + HOUR).exit == 0
    said = type_at(table.person("rhea"), "notice clock", NOW)
    assert said.exit == 2
    assert re.search(r"this notice is too early: a player's clock was already at ", said.err)


def test_a_notice_that_calls_a_right_date_wrong_is_refused(table: Round) -> None:
    begin_two(table, "24h")
    said = type_at(table.person("ann"), "notice clock", NOW + HOUR)
    assert said.exit == 2
    assert "the time in this notice must be earlier than the date of the last turn" in said.err


# ------------------------------------------------------------------ words about time
def test_at_the_second_of_the_deadline_status_says_now(table: Round) -> None:
    begin_two(table, "24h")
    told = type_at(table.person("ann"), "status", NOW + DAY).out
    assert re.search(r"the deadline has passed: .*, now;", told), told


def test_a_delay_moves_the_event_in_the_calendar_file(table: Round) -> None:
    begin_two(table, "24h", "--delays '3 days'")
    ann = table.person("ann")

    def event() -> tuple[str, str]:
        text = type_at(ann, "calendar", NOW + HOUR).out
        return re.findall(r"UID:(\S+)", text)[0], re.findall(r"DTSTART:(\S+)", text)[-1]

    before = event()
    assert type_at(ann, "notice delay 24h", NOW + HOUR).exit == 0
    assert advance_output_at(table, NOW + HOUR).exit == 0
    after = event()
    assert before[0] == after[0]
    assert before[1] != after[1]
    assert json.loads(type_at(ann, "status --json", NOW + HOUR).out)["data"]["turn"] == 2
