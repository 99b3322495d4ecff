"""While something waits that takes your seat, your keys or the game, the next step is to cancel it,
wherever pbem says what comes next. Once you have cancelled it, it no longer is.
"""

import json
import re

import pytest

from tests.attacks.waiting_acts import (
    end_while_bo_is_idle,
    exit_of_advance,
    say_notice,
    vouch_for_thief,
)
from tests.kit.named_games import made, seal_lines, session_of, sit
from tests.kit.people import NOW, Person, Round, output_of
from tests.kit.table_requests import enter_game, send_form
from tests.kit.timed_games import DAY, answer_all, begin_three, status_data
from tests.post.notified import notified_server

__all__ = ["notified_server"]
KEEP = "pbem notice end --no (cancels the new key for your seat)"


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW))
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def bo_with_thief(table: Round) -> Person:
    """Ann, Cy and Rhea vouch for a key of somebody who says that they are Bo."""
    begin_three(table)
    vouch_for_thief(table, "a", "c")
    return table.person("bo")


def next_line(person: Person) -> str:
    return person.pbem("status -C savannah").out.splitlines()[-1]


@pytest.mark.sample(0)
def test_status_says_that_the_next_step_is_to_cancel_an_announced_new_key(bo_with_thief, table):
    assert next_line(bo_with_thief) == f"next: {KEEP}"
    assert status_data(bo_with_thief)["next"] == KEEP
    for name in ("ann", "cy", "rhea"):
        assert "cancels" not in next_line(table.person(name))
    output_of(bo_with_thief, "notice end --no -C savannah")
    assert "cancels" not in next_line(bo_with_thief), (
        "it is cancelled, although no turn says so yet"
    )
    answer_all(table, "ac")
    assert exit_of_advance(table, NOW + DAY) == 0
    assert "cancels" not in next_line(bo_with_thief)


def test_sealing_orders_cancels_an_announced_new_key_too(bo_with_thief, table):
    answer_all(table, "b")
    assert "cancels" not in next_line(bo_with_thief)


@pytest.mark.sample(0)
def test_orders_sealed_before_an_announcement_do_not_cancel_it(table: Round) -> None:
    begin_three(table)
    answer_all(table, "b")
    vouch_for_thief(table, "a", "c")
    assert next_line(table.person("bo")) == f"next: {KEEP}"


@pytest.mark.sample(0)
def test_status_tells_a_silent_player_to_cancel_the_end_that_others_agreed_on(table: Round) -> None:
    end_while_bo_is_idle(table)
    bo = table.person("bo")
    assert next_line(bo) == "next: pbem notice end --no (cancels the end of the game)"
    session = session_of(bo)
    seal_lines(session, "b", [])
    assert "cancels" not in next_line(bo)


@pytest.mark.sample(0)
def test_a_second_attempt_at_your_key_needs_your_recovery_key(table: Round) -> None:
    made(table, "--players Ann,Bo,Cy --referee Rhea --deadline 24h")
    bo = table.person("bo")
    assert bo.pbem("keys new --profile safe").exit == 0
    from tests.kit.named_games import invite

    line = ["join", "-C", "savannah", "--invite", invite(table, "b"), "--recovery", "safe"]
    assert bo.pbem(line).exit == 0
    for seat in "ac":
        sit(table, seat)
    assert exit_of_advance(table, NOW) == 0
    vouch_for_thief(table, "a", "c")
    say_notice(table, "b", "end --no")
    answer_all(table, "ac")
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    vouch_for_thief(table, "a", "c", now=NOW + 2 * DAY, after=3)
    cancel = "pbem notice key --recovery safe (cancels the new key for your seat)"
    assert next_line(bo) == f"next: {cancel}"


def test_the_list_says_how_to_cancel_a_new_key_and_marks_the_game(bo_with_thief: Person) -> None:
    assert KEEP in bo_with_thief.pbem("list").out
    (game,) = json.loads(bo_with_thief.pbem("list --json").out)["data"]
    assert game["asked"]


@pytest.mark.sample(0)
def test_play_says_first_and_last_how_to_cancel_a_new_key(bo_with_thief: Person) -> None:
    said = bo_with_thief.pbem("play -C savannah", stdin="q\n")
    assert "to prevent this, send orders, or type: pbem notice end --no" in said.out
    assert f"next: {KEEP}" in said.text


def test_the_calendar_has_the_last_moment_to_cancel_an_announced_change(bo_with_thief):
    output_of(bo_with_thief, "calendar -C savannah -o bo.ics")
    text = (bo_with_thief.place / "bo.ics").read_text("utf-8").replace("\n ", "")
    assert "SUMMARY:savannah: the last moment to cancel an announced change" in text
    assert KEEP in text
    assert "DTSTART:20231116T221320Z" in text, "48 hours later"


@pytest.mark.sample(0)
def test_a_notification_says_once_how_to_cancel_a_new_key(bo_with_thief, notified_server):
    assert bo_with_thief.pbem(f"notify add {notified_server.url}").exit == 0
    for _ in range(2):
        assert bo_with_thief.pbem("run --once").exit == 0
    (text,) = (one for one in notified_server.texts if "new key" in one)
    assert "To prevent this: pbem notice end --no" in text


@pytest.mark.sample(0)
def test_each_page_has_a_button_that_cancels_an_announced_new_key(bo_with_thief, table):
    asking, path = enter_game(table, "bo")
    for page in ("", "/notices", "/messages", "/history", "/rules"):
        text = asking.get(f"{path}{page}").text
        assert "Bo gets a new key, which Ann, Cy and Rhea (the referee) have confirmed" in text, (
            page
        )
        assert "Cancel it</button>" in text, page
    text = asking.get(path).text
    assert "You can still cancel what others announced" in text
    hidden = dict(re.findall(r'name="(about|result)" value="([^"]*)"', text))
    assert send_form(asking, f"{path}/notices", **hidden).status == 200
    assert "Cancel it</button>" not in asking.get(path).text
    assert "cancels" not in next_line(bo_with_thief)


@pytest.mark.sample(0)
def test_a_player_by_plain_email_is_told_how_to_cancel_what_others_announced(table: Round) -> None:
    """Bo, by email, is idle; the others end the game, and no question is asked of him."""
    players = "Ann,Bo <bo@example.org>,Cy"
    rules = "--deadline 24h --idle-after 1"
    made(table, f"--players '{players}' --mail-seats Bo --referee Rhea {rules}")
    for seat in "ac":
        sit(table, seat)
    rhea = table.person("rhea")
    assert exit_of_advance(table, NOW) == 0
    for day in (1, 2):
        answer_all(table, "ac")
        assert exit_of_advance(table, NOW + day * (DAY + 1)) == 0
    assert rhea.pbem("send -C savannah").exit in (0, 5)
    for seat in "ac":
        say_notice(table, seat, "end")
    now = NOW + 2 * (DAY + 1) + 60
    assert exit_of_advance(table, now) == 0
    said = rhea.pbem("send -C savannah", SOURCE_DATE_EPOCH=str(now))
    assert said.exit == 0, said.text
    text = said.out
    for path in rhea.home.rglob("*.eml"):
        text += path.read_text("utf-8", errors="replace")
    assert "you can still cancel what others have announced" in text
    assert "WHAT YOU CAN STILL CANCEL" in text
    assert "write: vote no" in " ".join(text.split())
