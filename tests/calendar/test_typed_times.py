"""What people type as a deadline, a span or days of absence, and what it means or who asks back."""

import tomllib
from datetime import date
from pathlib import Path

import pytest

from pbem.acts.read_typed_deadlines import typed_rule
from pbem.errors import CliError
from pbem.records.deadline_rules import read_rule
from tests.kit.people import NOW, Round
from tests.kit.timed_games import begin_two

WEDNESDAY = date(2026, 11, 18)
TYPED = tomllib.loads(Path(__file__).with_name("typed_times.toml").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def in_berlin(monkeypatch):
    import time

    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(("typed", "means"), TYPED["read"])
def test_a_typed_deadline_is_read(typed, means):
    rule, _ = typed_rule("--deadline", typed)
    assert rule.removesuffix(", at least 12h") == means
    assert read_rule(rule).words == rule, "a charter takes it"
    assert ("at least" in rule) == bool(read_rule(rule).days)


@pytest.mark.parametrize(("typed", "told", "hint"), TYPED["answered"])
def test_a_typed_deadline_is_answered_with_what_is_missing(typed, told, hint):
    with pytest.raises(CliError) as caught:
        typed_rule("--deadline", typed)
    assert told in str(caught.value)
    assert hint in caught.value.hint


@pytest.mark.parametrize(("typed", "means"), TYPED["away"])
def test_typed_days_of_an_absence_are_read(typed, means):
    from pbem.text.typed_absences import days_of, read_absence

    absence = read_absence(f"away {typed.lower()}")
    assert absence
    first, last = days_of(absence, WEDNESDAY)
    assert f"{first or ''}..{last}" == means


# ---------------------------------------------------------------- at the front door
HERE = {"TZ": "Europe/Berlin"}


def joined_words(text: str) -> str:
    return " ".join(text.split())


def test_notices_take_words_without_quotes(table: Round) -> None:
    begin_two(table, "24h", "--delays '3 days'")
    ann, bo = table.person("ann"), table.person("bo")
    said = ann.pbem("notice deadline every sunday at 18:00 -C savannah", **HERE)
    assert said.exit == 0, said.err
    told = "you propose a new deadline: sun 18:00 Europe/Berlin, at least 12h (you named no"
    assert told in joined_words(said.out)
    assert "computer: Europe/Berlin)" in joined_words(said.out)
    said = bo.pbem("notice delay one day and 12 hours -C savannah")
    left = "you can then put deadlines off by 36 hours more in all"
    assert f"you put the deadline off by 36 hours; {left}" in said.out
    said = bo.pbem("notice away until friday -C savannah", **HERE)
    assert said.exit == 0, said.err
    assert "to Sat 2023-11-18 00:00 CET (Fri 2023-11-17 23:00 UTC)" in joined_words(said.out)
    assert "you are not away after all" in bo.pbem("notice away back -C savannah").out
    said = bo.pbem("notice away over christmas -C savannah")
    assert said.exit == 2
    assert "'over christmas' does not give the days of your absence" in said.err
    assert "write 'until friday'" in said.err


def test_a_day_of_the_week_counts_every_week_and_says_so(table: Round) -> None:
    said = table.person("rhea").pbem("new pond --players Ann,Bo --deadline 'sunday 8pm Berlin'")
    told = "Europe/Berlin; the deadline comes every Sunday, not only once"
    assert told in said.out
    assert "not only once" not in typed_rule("--deadline", "sundays 8pm Berlin").assumption


@pytest.mark.sample(0)
def test_a_break_over_christmas_as_the_page_says(table: Round) -> None:
    rhea = begin_two(table, "24h")
    ann, bo = table.person("ann"), table.person("bo")
    for person in (ann, bo, rhea):
        said = person.pbem("notice deadline never -C savannah")
        assert said.exit == 0, said.text
    assert rhea.pbem("advance -C savannah").exit == 0
    later = f"--now {NOW + 30 * 86400}"
    said = rhea.pbem(f"advance -C savannah --time-is-right {later}")
    assert said.exit == 5
    assert "waiting for: a Ann" in said.err
    shown = joined_words(ann.pbem(f"status -C savannah {later}").out)
    assert "there is no deadline: the game is waiting for Ann and Bo" in shown
    assert "absent" not in shown
