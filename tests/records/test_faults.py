"""Every one-fault file is refused, each with its own reason and a sentence for people."""

from collections import Counter
from functools import cache

import pytest

from pbem.format.record_error import EXIT, RecordError
from pbem.records.read_and_sign_record import KINDS, read
from tests.kit.sample_records import sample
from tests.records.faults import Fault, record_faults


@cache
def every() -> list[Fault]:
    return list(record_faults())


def of_kind(kind: str, *, misplaced: bool) -> list[Fault]:
    """The faults of records of this kind, which are some."""
    found = [x for x in every() if x.kind == kind and (x.stage == "place") == misplaced]
    assert found
    return found


def reason_and_printable(fault: Fault) -> tuple[str, bool]:
    """The reason, and whether the sentence can be printed; two empty values if it is taken."""
    try:
        fault.check(fault.data)
    except RecordError as error:
        return error.reason, error.sentence.isprintable()
    return "", False


@pytest.mark.sample(0)
@pytest.mark.parametrize("kind", KINDS)
def test_each_faulty_record_is_refused_for_its_own_reason(kind: str) -> None:
    found = [(fault, reason_and_printable(fault)) for fault in of_kind(kind, misplaced=False)]
    assert not [(str(fault), told) for fault, told in found if told != (fault.reason, True)]


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"charter"}))
def test_each_misplaced_record_is_valid_in_itself_but_belongs_elsewhere(kind: str) -> None:
    places = {
        (r.content.kind, r.content.game, r.content.turn, r.content.prev, r.content.seat)
        for r in sample().records.values()
    }
    for fault in of_kind(kind, misplaced=True):
        content = read(fault.data).content
        here = (content.kind, content.game, content.turn, content.prev, content.seat)
        assert here not in places, fault


def test_the_faulty_records_cover_every_kind_and_reason() -> None:
    reasons = Counter(fault.reason for fault in every())
    assert {fault.kind for fault in every()} == KINDS.keys()
    assert len(every()) > 500
    folder_only = {"file", "name", "mail", "parent", "state", "seen", "fork"}
    rules_only = {"opening", "chain", "rule"}
    assert reasons.keys() == EXIT.keys() - folder_only - rules_only
    assert len({fault.data for fault in every()}) > 0.95 * len(every())
