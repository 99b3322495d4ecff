"""A kind of notice is one class: this file adds one, `holiday`, and plays with it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, ClassVar

import pytest
import typer

from pbem.cli import app
from pbem.cli.notices import notice
from pbem.cli.options import FolderOption, JsonOption
from pbem.desk.notices import declare, report
from pbem.desk.session import Session
from pbem.game.notice_kinds import Kind, plays, who
from pbem.game.standing import Standing
from pbem.records.notice import SAYINGS, Notice
from pbem.records.schema import number, wire
from tests.kit.people import NOW, Round
from tests.kit.timed_games import answer_all, three
from tests.notices.test_calendar_notices import advance, at, clean, deadline_in, turn_text
from tests.vectors.tables import rows

DAY = 86400


class Holiday(Kind):
    """The seat gives all players a holiday: this deadline comes some days later, once."""

    about: ClassVar[str] = "holiday"
    days: int = wire(number(1, 9))
    """How many days it has."""

    def why_not(self, standing: Standing, notice: Notice) -> str:
        before = any(one.about == "holiday" for one in standing.listed)
        return plays(standing, notice) or ("there was a holiday already" if before else "")

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        calendar = standing.calendar.with_delay(notice.seat, 24 * self.days, turn)
        return replace(standing, calendar=calendar)

    def tell(self, notice: Notice, names: Mapping[str, str]) -> str:
        return f"{who(notice, names)} gives everybody {self.days} days of holiday"

    def you(self, standing: Standing, writer: str) -> str:
        return f"you give everybody {self.days} days of holiday"


def notice_holiday(
    days: Annotated[int, typer.Argument(help="How many days.")],
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Give everybody a holiday."""
    session = Session(folder)
    report(session, declare(session, Holiday(days)), json)


@pytest.fixture
def holiday(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    load = app.load  # the tests remember what it loads
    monkeypatch.setattr(app, "load", getattr(load, "__wrapped__", load))
    SAYINGS["holiday"] = Holiday
    notice.command("holiday")(notice_holiday)
    yield
    notice.registered_commands.pop()
    del SAYINGS["holiday"]


del SAYINGS["holiday"]  # only the tests with the fixture know it


@pytest.mark.usefixtures("holiday")
def test_a_kind_is_one_class_and_what_people_type(table: Round) -> None:
    rhea, bo = three(table, "--deadline 48h"), table.person("bo")
    assert deadline_in(turn_text(table, 1)) == NOW + 2 * DAY
    assert "Give everybody a holiday" in bo.pbem("notice --help").out
    said = at(bo, "notice holiday 2")
    assert said.exit == 0, said.err
    assert re.search(r"SIGNED here as [0-9a-f]{6}: you give everybody 2 days of holiday", said.out)
    assert "nothing new was signed" in at(bo, "notice holiday 2").out
    assert "will count from the next turn on: Bo gives everybody 2 days" in at(bo, "status").out
    assert advance(table).exit == 0, "it changes the deadline"
    assert 'about = "holiday"' in turn_text(table, 2)
    assert deadline_in(turn_text(table, 2)) == NOW + 4 * DAY
    assert "Bo gives everybody 2 days of holiday" in at(table.person("ann"), "log").text
    refused = at(table.person("ann"), "notice holiday 1")
    assert (refused.exit, "there was a holiday already" in refused.err) == (2, True)
    answer_all(table, "abc")
    assert advance(table).exit == 0
    clean(table)
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.usefixtures("holiday")
def test_its_row_of_the_protocol_is_made_from_the_class() -> None:
    assert rows(Holiday) == ["| `days` | How many days it has. | 1 to 9 |"]


def test_a_program_without_the_kind_says_what_to_install(
    table: Round, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("holiday")
    three(table)
    ann, bo = table.person("ann"), table.person("bo")
    assert at(bo, "notice holiday 9").exit == 0
    kind = SAYINGS.pop("holiday")
    said = at(ann, "doctor")
    SAYINGS["holiday"] = kind
    assert "this version of pbem does not know notices of kind holiday" in said.text
    assert "days: must be an integer from 1 to 9" in at(bo, "notice holiday 10").err
