"""Records written, read back, and refused with the field that is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.format.canonical_toml import emit, parse
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.format.signed_file import sign
from pbem.records.charter import Charter
from pbem.records.join import Join
from pbem.records.read_and_sign_record import KINDS, make, read, read_as
from pbem.records.turn import Turn
from tests.format.openssh import needs_ssh_keygen, openssh_verifies
from tests.kit.record_files import resigned
from tests.kit.refusals import refused_for
from tests.kit.sample_records import Sample, sample

NAMES = list(sample().records)


@pytest.mark.parametrize("name", NAMES)
def test_every_record_is_read_back_and_written_as_the_same_bytes(name: str) -> None:
    record = sample().records[name]
    again = read(record.file, sample().known)
    assert again == record
    assert again.file == record.file


@needs_ssh_keygen
@pytest.mark.parametrize("name", NAMES)
def test_openssh_verifies_the_signature_of_every_record(tmp_path: Path, name: str) -> None:
    record = sample().records[name]
    space = f"{record.content.kind}@pbem-1"
    assert openssh_verifies(tmp_path, record.file, record.signed.key, space)


def test_making_the_sample_twice_gives_the_same_bytes() -> None:
    one, two = sample().records, Sample().records
    assert {n: r.file for n, r in one.items()} == {n: r.file for n, r in two.items()}


def test_reading_a_record_as_another_kind_is_refused() -> None:
    file = sample().turn1.file
    assert read_as(Turn, file).content.turn == 1
    with pytest.raises(RecordError, match=r"of kind turn, not charter \[place\]"):
        read_as(Charter, file)


def test_a_record_by_a_key_that_may_not_sign_it_is_refused() -> None:
    file = sample().join_b.file
    with refused_for("key", "may not sign a join"):
        read(file, lambda kind, key: kind != "join")


def test_charter_and_join_must_be_signed_by_the_key_that_they_name() -> None:
    mallory = SigningKey(b"m" * 32)
    for record in (sample().charter, sample().join_b):
        with pytest.raises(RecordError, match=r"not signed by the key that it names \[key\]"):
            read(sign(record.content.kind, record.signed.body, mallory).file)
        with pytest.raises(RecordError, match=r"not signed by the key that it names \[key\]"):
            resigned(record, mallory)


def test_a_record_signed_as_another_kind_is_refused() -> None:
    for kind in KINDS.keys() - {"turn"}:
        with refused_for("field"):
            read(sign(kind, sample().turn1.signed.body, sample().ann).file)
    with pytest.raises(RecordError, match="kind rotate") as caught:
        read(sign("rotate", sample().turn1.signed.body, sample().ann).file)
    assert (caught.value.reason, caught.value.exit) == ("version", 6)


def test_an_invisible_character_in_a_name_is_refused() -> None:
    join = sample().join_b.content
    for char in "\u202e\u200b\x1b\n\x9b\ufeff\u2066\U000e0041\xa0\u3000":
        with pytest.raises(RecordError, match=r"name: .*invisible"):
            make(replace(join, name=f"B{char}o"), sample().bo)
    for name in (" Bo", "Bo ", " ", ""):
        with pytest.raises(RecordError, match=r"name: .*spaces at either end"):
            make(replace(join, name=name), sample().bo)
    for name in ("Zoë", "Юлия", "李", "محمد", "Bo 2", "🦒", "Xaver X"):
        record = make(replace(join, name=name), sample().bo)
        assert read_as(Join, record.file).content.name == name


def test_the_error_about_a_signed_record_names_the_path_of_the_wrong_value() -> None:
    doc = parse(sample().turn2.signed.body)
    doc["log"][3]["by"] = "magic"
    with pytest.raises(
        RecordError,
        match=r"^field log\[3\]\.by: the value is 'magic'; it must be one of: "
        "forced, line",
    ):
        read(sign("turn", emit(doc), sample().ann).file)
