"""Every one-fault file is refused, each with its own reason and a sentence for people."""

from collections import Counter

import pytest

from pbem.format.errors import EXIT, RecordError
from pbem.records.read_record import read
from tests.records.faults import Fault, faults
from tests.records.sample import sample

ALL = list(faults())
CAUGHT = [fault for fault in ALL if fault.stage != "place"]
MISPLACED = [fault for fault in ALL if fault.stage == "place"]


@pytest.mark.parametrize("fault", CAUGHT, ids=str)
def test_a_fault_is_refused_for_its_reason(fault: Fault) -> None:
    with pytest.raises(RecordError) as caught:
        fault.check(fault.data)
    assert (caught.value.reason, caught.value.sentence.isprintable()) == (fault.reason, True)


@pytest.mark.parametrize("fault", MISPLACED, ids=str)
def test_a_misplaced_record_is_right_in_itself_and_of_another_place(fault: Fault) -> None:
    content = read(fault.data).content
    places = {
        (r.content.kind, r.content.game, r.content.turn, r.content.prev, r.content.seat)
        for r in sample().records.values()
    }
    here = (content.kind, content.game, content.turn, content.prev, content.seat)
    assert here not in places


def test_the_faults_are_many_and_of_every_kind() -> None:
    reasons = Counter(fault.reason for fault in ALL)
    assert len(ALL) > 500
    folder_only = {"file", "name", "mail", "parent", "state", "seen", "fork"}
    rules_only = {"opening", "chain", "rule"}
    assert reasons.keys() == EXIT.keys() - folder_only - rules_only
    assert len({fault.data for fault in ALL}) > 0.95 * len(ALL)
