"""What the calendar's notices say on the wire: each with exactly one fault, and the reason."""

import pytest

from pbem.judge.notice_kinds import Away, Delay, SetDeadline
from pbem.records.notice import notice_fields, read_saying
from tests.kit.record_files import refusal_by

GOOD = {
    "away": {"begins": 1_700_000_000, "ends": 1_700_600_000},
    "delay": {"hours": 24},
    "deadline": {"rule": "3 days", "phase": "feed"},
}


@pytest.mark.parametrize(
    ("saying", "says"),
    [
        (Away(1_700_000_000, 1_700_600_000), GOOD["away"]), (Away(0, 0), {"begins": 0, "ends": 0}),
        (Delay(24), GOOD["delay"]), (SetDeadline("3 days", "feed"), GOOD["deadline"]),
        (SetDeadline("3 days"), {"rule": "3 days"}), (SetDeadline(""), {"rule": ""}),
    ],
)  # fmt: skip
def test_what_is_written_is_read_again(saying, says) -> None:
    fields = notice_fields(saying)
    assert (fields["about"], fields["says"]) == (saying.about, says)
    assert read_saying(saying.about, says) == saying


@pytest.mark.parametrize(
    ("about", "wrong"),
    [
        ("away", {"begins": -1}),
        ("away", {"begins": "2026-12-24"}),
        ("away", {"ends": 253_402_300_800}),
        ("away", {"ends": None}),
        ("away", {"until": 1}),
        ("delay", {"hours": 0}),
        ("delay", {"hours": 9601}),
        ("delay", {"hours": True}),
        ("delay", {"hours": "24"}),
        ("delay", {"hours": None}),
        ("deadline", {"rule": 72}),
        ("deadline", {"rule": None}),
        ("deadline", {"rule": "9" * 201}),
        ("deadline", {"rule": "3 d\u00e4ys"}),
        ("deadline", {"phase": "Feed"}),
        ("deadline", {"phase": ""}),  # it must be left out
        ("deadline", {"phase": "f" * 33}),
    ],
)
def test_a_notice_with_one_fault_is_refused(about: str, wrong: dict[str, object]) -> None:
    says = {name: value for name, value in {**GOOD[about], **wrong}.items() if value is not None}
    assert refusal_by(read_saying, about, says)[0] == "field"
