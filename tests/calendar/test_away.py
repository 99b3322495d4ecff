"""A player who stays away, at the front door: what it costs, what people read, the way back."""

import json

import pytest

from tests.kit.named_games import answer_as_bot, session_of
from tests.kit.people import NOW, Round, stdout_of
from tests.kit.timed_games import DAY, answer_with_card, begin_two, charter_text


def ann_plays(table: Round) -> None:
    """Ann answers whatever she is asked."""
    answer_as_bot(session_of(table.person("ann")), "a")


@pytest.mark.long
def test_a_game_with_one_who_never_answers_ends_after_two_deadlines(table: Round) -> None:
    rhea, now, waited = begin_two(table, "24h", "--option together=yes"), NOW, 0
    for _ in range(60):
        ann_plays(table)
        made = rhea.pbem(f"advance -C savannah --json --now {now}")
        data = json.loads(made.out)["data"]
        if data["over"]:
            break
        if made.exit == 5:
            assert data["waiting"].keys() - {*data["answered"]} == {"b"}
            now, waited = now + DAY, waited + 1
    assert data["over"]
    assert waited == 2
    said = stdout_of(rhea, "audit savannah")
    assert "Proven" in said


def test_everybody_reads_who_is_idle_and_that_sending_orders_ends_it(table: Round) -> None:
    rhea = begin_two(table, "24h", "--idle-after 1")
    ann, bo = table.person("ann"), table.person("bo")
    assert "idle_after = 1" in charter_text(table)
    answer_with_card(table, "a")
    said = rhea.pbem(f"advance -C savannah --now {NOW + DAY}")
    assert said.exit == 0
    assert "Bo" not in said.err.partition("waiting for")[2].partition("\n")[0]
    told = ann.pbem("status -C savannah").out
    assert "  b Bo: IDLE" in told
    flat = " ".join(told.split())
    assert "Bo missed the last few deadlines. Until they send orders, nobody waits for them" in flat
    flat = " ".join(bo.pbem("status -C savannah").out.split())
    assert (
        "the game treats you as away; to come back, send orders. Until then, nobody waits for "
        "you, and the least"
    ) in flat
    assert "next: pbem submit --edit, or pbem play" in flat
    flat = " ".join(bo.pbem("list").out.split())
    assert "YOUR MOVE" in flat
    assert "the game treats you as away; to come back, send orders" in flat
    mail = rhea.pbem("send -C savannah --to Bo --paste").out
    assert "Note: the game treats you as away; to come back, send orders." in " ".join(mail.split())
    data = json.loads(bo.pbem("status -C savannah --json").out)["data"]
    assert (data["seats"]["b"]["ready"], data["seats"]["b"]["away"]) == ("IDLE", "idle")


@pytest.mark.sample(0)
def test_orders_of_somebody_who_is_not_asked_bring_them_back(table: Round) -> None:
    rhea = begin_two(table, "24h", "--idle-after 1")
    bo = table.person("bo")
    answer_with_card(table, "a")
    assert rhea.pbem(f"advance -C savannah --now {NOW + DAY}").exit == 0
    assert bo.pbem("orders -C savannah").exit == 0
    said = bo.pbem("submit -C savannah -", "")
    assert said.exit == 0, said.text
    told = " ".join(rhea.pbem("status -C savannah").out.split())
    assert "Bo was away but has sent orders, and will be back with the next turn" in told
    ann_plays(table)
    assert rhea.pbem(f"advance -C savannah --now {NOW + DAY}").exit == 0
    data = json.loads(rhea.pbem("status -C savannah --json").out)["data"]
    assert data["seats"]["b"]["away"] == ""


def test_the_usual_number_is_not_in_the_charter(table: Round) -> None:
    begin_two(table, "24h", "--idle-after 2")
    assert "idle_after" not in charter_text(table)
    said = table.person("rhea").pbem("new other --players Ann,Bo --idle-after 100")
    assert said.exit == 2
    assert "--idle-after needs a number from 0 to 99" in said.err
