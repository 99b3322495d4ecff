"""A kind of notice is one class: this file adds one, `holiday`, and plays with it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, ClassVar

import pytest
import typer

from pbem.acts.sign_notice import declare
from pbem.cli import command_list_and_help
from pbem.cli.notice import notice, report_notice
from pbem.cli.shared_options import FolderOption, JsonOption
from pbem.judge.notice_kinds import NoticeKind, Templates, why_not_player
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.person.session import Session
from pbem.records.notice import SAYINGS, Notice
from pbem.records.record_field_codecs import number, wire
from tests.kit.people import NOW, Round
from tests.kit.timed_games import answer_all, begin_three
from tests.notices.commands import (
    advance_at,
    assert_audit_passes,
    deadline_in_text,
    turn_text,
    type_at,
)
from tests.vectors.tables import rows

DAY = 86400


class Holiday(NoticeKind):
    """The seat gives all players a holiday: this deadline comes some days later, once."""

    about: ClassVar[str] = "holiday"
    events: ClassVar[Templates] = {"": "{writer:name} gives everybody {days:day} of holiday"}
    confirmations: ClassVar[Templates] = {"": "you give everybody {days:day} of holiday"}
    days: int = wire(number(1, 9))
    """How many days it has."""

    def why_not(self, standing: Standing, notice: Notice) -> str:
        before = any(one.kind == "holiday" for one in standing.applied_notices)
        return why_not_player(standing, notice) or ("there was a holiday already" if before else "")

    def apply(self, standing: Standing, notice: Notice, turn: int) -> Standing:
        calendar = standing.calendar.with_delay(notice.seat, 24 * self.days, turn)
        return replace(standing, calendar=calendar)


def notice_holiday(
    days: Annotated[int, typer.Argument(help="How many days.")],
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Give everybody a holiday."""
    session = Session(folder)
    report_notice(session, declare(session, Holiday(days)), json)


@pytest.fixture
def holiday(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    load = command_list_and_help.load  # the tests remember what it loads
    monkeypatch.setattr(command_list_and_help, "load", getattr(load, "__wrapped__", load))
    SAYINGS["holiday"] = Holiday
    notice.command("holiday")(notice_holiday)
    yield
    notice.registered_commands.pop()
    del SAYINGS["holiday"]


del SAYINGS["holiday"]  # only the tests with the fixture know it


@pytest.mark.sample(0)
@pytest.mark.usefixtures("holiday")
def test_a_new_kind_of_notice_needs_one_class_and_one_command(table: Round) -> None:
    rhea, bo = begin_three(table, "--deadline 48h"), table.person("bo")
    assert deadline_in_text(turn_text(table, 1)) == NOW + 2 * DAY
    assert "Give everybody a holiday" in bo.pbem("notice --help").out
    said = type_at(bo, "notice holiday 2")
    assert said.exit == 0, said.err
    assert re.search(r"SIGNED here as [0-9a-f]{6}: you give everybody 2 days of holiday", said.out)
    assert "nothing new was signed" in type_at(bo, "notice holiday 2").out
    assert (
        "takes effect with the next turn: “Bo gives everybody 2 days" in type_at(bo, "status").out
    )
    assert advance_at(table).exit == 0, "it changes the deadline"
    assert 'about = "holiday"' in turn_text(table, 2)
    assert deadline_in_text(turn_text(table, 2)) == NOW + 4 * DAY
    assert "Bo gives everybody 2 days of holiday" in type_at(table.person("ann"), "log").text
    refused = type_at(table.person("ann"), "notice holiday 1")
    assert (refused.exit, "there was a holiday already" in refused.err) == (2, True)
    answer_all(table, "abc")
    assert advance_at(table).exit == 0
    assert_audit_passes(table)
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.usefixtures("holiday")
def test_the_protocols_row_of_a_notice_is_made_from_its_class() -> None:
    assert rows(Holiday) == ["| `days` | How many days it has. | 1 to 9 |"]


def test_a_program_without_the_kind_says_what_to_install(table, request):
    request.getfixturevalue("holiday")
    begin_three(table)
    ann, bo = table.person("ann"), table.person("bo")
    assert type_at(bo, "notice holiday 9").exit == 0
    kind = SAYINGS.pop("holiday")
    said = type_at(ann, "doctor")
    SAYINGS["holiday"] = kind
    assert "this version of pbem does not know the kind of notice 'holiday'" in said.text
    assert (
        "days: the value is 10; it must be an integer from 1 to 9"
        in type_at(bo, "notice holiday 10").err
    )
