"""One exception for all that is wrong: a closed set of reasons, each with its exit code."""

import pickle
from typing import get_args

import pytest

from pbem.format.record_error import EXIT, WORST_FIRST, Exit, Reason, RecordError

CODES = {1: {"rule"}, 3: {"place", "state", "seen", "fork"}, 5: {"parent"}, 6: {"version"}}


@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_has_its_exit_code(reason: Reason) -> None:
    code = next((code for code, reasons in CODES.items() if reason in reasons), 4)
    assert RecordError(reason, "wrong").exit == EXIT[reason] == code


def test_every_exit_code_has_a_reason_and_a_rank() -> None:
    assert set(EXIT) == set(get_args(Reason))
    assert WORST_FIRST == (6, 4, 3, 1, 5)
    assert set(WORST_FIRST) == set(get_args(Exit)) == set(EXIT.values())


def test_an_error_says_what_and_why_and_can_be_sent_between_processes() -> None:
    error = RecordError("key", "an unusable key")
    assert str(error) == "an unusable key [key]"
    again = pickle.loads(pickle.dumps(error))
    assert (again.reason, again.sentence, str(again)) == ("key", "an unusable key", str(error))
