"""The records of the sample game by name, and some that are refused."""

from dataclasses import replace

import pytest

from pbem.format.record_error import RecordError
from pbem.mail.record_filing import RecordFiler
from pbem.records.read_and_sign_record import Record, make
from tests.kit.sample_records import SAMPLE

TURN1, TURN2, FINAL, CHARTER = SAMPLE.turn1, SAMPLE.turn2, SAMPLE.final, SAMPLE.charter
JOIN_A, JOIN_B, OWN, ORDERS1, ORDERS2 = (
    SAMPLE.join_a, SAMPLE.join_b, SAMPLE.own, SAMPLE.orders1, SAMPLE.orders2,
)  # fmt: skip
JOINS = (JOIN_A, JOIN_B)
BEGUN = (*JOINS, OWN, TURN1)
WHOLE = (*BEGUN, ORDERS1, ORDERS2, TURN2, SAMPLE.notice)


def refusal_of(filer: RecordFiler, record: Record) -> tuple[str, str]:
    """The reason and the sentence; nothing is written."""
    before = [found.path for found in filer.folder.scan().records]
    with pytest.raises(RecordError) as caught:
        filer.file_record(record)
    assert [found.path for found in filer.folder.scan().records] == before
    assert record not in filer.new_records
    return caught.value.reason, caught.value.sentence


def joins_without_invite(count: int) -> list[Record]:
    """Joins that were made without an invite."""
    strange = replace(JOIN_B.content, door=b"")
    return [make(replace(strange, name=f"Bo {n}"), SAMPLE.bo) for n in range(count)]


def message_of(text: str, turn: int = 1, seat: str = "b", number: int = 1) -> Record:
    content = replace(SAMPLE.public.content, turn=turn, text=(text,), number=number)
    return make(replace(content, seat=seat, prev=[*SAMPLE.heads, bytes(32)][turn]), SAMPLE.bo)
