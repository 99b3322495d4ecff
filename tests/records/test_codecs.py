"""What a field takes and what it refuses, to the last character; and that each has one form."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import pytest

from pbem.format.encrypted_box import public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey, public_line
from pbem.records.record_field_codecs import (
    Codec,
    array,
    as_bytes,
    boxed,
    flag,
    from_doc,
    hexed,
    mapping,
    number,
    one_of,
    rows,
    signing,
    text,
    to_doc,
    visible_text,
    wire,
    x25519,
)
from tests.kit.refusals import refused_for

KEY = SigningKey(b"k" * 32).public
POINT = public_of(b"k" * 32)
BOX = boxed(lambda n: n in (0, 3, 4), "a box of 3 or 4")


def field(codec: Codec[Any]) -> type[Any]:
    @dataclass(frozen=True)
    class One:
        x: Any = wire(codec)  # noqa: RUF009 that is how records declare their fields

    return One


RIGHT: list[tuple[Codec[Any], Any, Any]] = [
    (text(2, 3), "ab", "ab"),
    (text(2, 3), "abé", "abé"),
    (text(0, 3, "[ab]*"), "", ""),
    (visible_text(3), "a b", "a b"),
    (visible_text(3), "a", "a"),
    (number(-1, 2), -1, -1),
    (number(-1, 2), 2, 2),
    (number(5), (1 << 53) - 1, (1 << 53) - 1),
    (one_of("in", "out"), "out", "out"),
    (flag, True, True),
    (flag, False, False),
    (hexed(2), "00ff", b"\x00\xff"),
    (hexed(2, empty=True), "", b""),
    (hexed(2, empty=True), "00ff", b"\x00\xff"),
    (x25519, POINT.hex(), POINT),
    (signing, public_line(KEY), KEY),
    (BOX, "", b""),
    (BOX, "YWJj", b"abc"),
    (BOX, "YWJjZA==", b"abcd"),
    (array(number(0, 9), 1, 2), [1], (1,)),
    (array(number(0, 9), 1, 2), [1, 2], (1, 2)),
    (mapping("[ab]", flag, 1), {"b": True}, {"b": True}),
    (mapping("[ab]", flag, 1), {}, {}),
]


@pytest.mark.parametrize(("codec", "written", "value"), RIGHT)
def test_a_field_is_written_as_it_was_read(codec: Codec[Any], written: Any, value: Any) -> None:
    record = from_doc(field(codec), {"x": written})
    assert record.x == value
    assert type(record.x) is type(value)
    assert to_doc(record) == {"x": written}


VISIBLE = "1 to 3 characters, none of them invisible, without spaces at either end"
INVISIBLE = "2 to 3 characters, none of them invisible"
WRONG: list[tuple[Codec[Any], Any, str]] = [
    (text(2, 3), "a", INVISIBLE),
    (text(2, 3), "abcd", INVISIBLE),
    (text(2, 3), "a\u200b", INVISIBLE),
    (text(2, 3), 12, INVISIBLE),
    (text(2, 3, "[ab]*", "a and b"), "ac", "a and b; 2 to 3 characters"),
    (text(1, 1, "[ab]", "a or b"), "c", "a or b"),
    (visible_text(3), " a", VISIBLE),
    (visible_text(3), "a ", VISIBLE),
    (visible_text(3), "", VISIBLE),
    (visible_text(3), "abcd", VISIBLE),
    (number(-1, 2), -2, "an integer from -1 to 2"),
    (number(-1, 2), 3, "an integer from -1 to 2"),
    (number(-1, 2), True, "an integer from -1 to 2"),
    (number(-1, 2), "1", "an integer from -1 to 2"),
    (number(5), 4, "an integer, 5 or more"),
    (one_of("in", "out"), "inout", "one of: in, out"),
    (one_of("in", "out"), ["in"], "one of: in, out"),
    (flag, 1, "true or false"),
    (flag, "true", "true or false"),
    (hexed(2), "", "4 hex digits"),
    (hexed(2), "00f", "4 hex digits"),
    (hexed(2), "00fff", "4 hex digits"),
    (hexed(2), "00FF", "4 hex digits"),
    (hexed(2), 1234, "4 hex digits"),
    (hexed(2, empty=True), "00f", "4 hex digits or empty"),
    (hexed(2, empty=True), 0, "4 hex digits or empty"),
    (hexed(2, empty=True), False, "4 hex digits or empty"),
    (signing, 7, "a public key"),
    (BOX, "YWI=", "a box of 3 or 4"),
    (BOX, "YWJjZA", "a box of 3 or 4"),
    (BOX, "YWJjZB==", "a box of 3 or 4"),
    (BOX, "YWJj\n", "a box of 3 or 4"),
    (BOX, "YW!Jj", "a box of 3 or 4"),
    (BOX, "é", "a box of 3 or 4"),
    (BOX, 0, "a box of 3 or 4"),
    (BOX, False, "a box of 3 or 4"),
    (array(number(0, 9), 1, 2), [], "a list of 1 to 2 entries"),
    (array(number(0, 9), 1, 2), [1, 2, 3], "a list of 1 to 2 entries"),
    (array(number(0, 9), 1, 2), {"a": 1}, "a list of 1 to 2 entries"),
    (mapping("[ab]", flag, 1), {"a": True, "b": True}, "a table of at most 1 entries"),
    (mapping("[ab]", flag, 1), [], "a table of at most 1 entries"),
]


@pytest.mark.parametrize(("codec", "written", "hint"), WRONG)
def test_the_error_about_a_refused_value_says_what_the_field_takes(
    codec: Codec[Any], written: Any, hint: str
) -> None:
    with pytest.raises(RecordError) as caught:
        from_doc(field(codec), {"x": written})
    assert str(caught.value).startswith("field x: the value is ")
    assert str(caught.value).endswith(f"; it must be {hint} [field]")


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (10, "10"), (False, "false"), ("", "''"), ("a\u202eb", r"'a\u202eb'"),
        ("é" * 40, f"'{'é' * 40}'"), ("x" * 41, "a text of 41 characters"),
        ([7], "a list of 1 entry"), ({"a": 1, "b": 2}, "a table of 2 entries"),
    ],
)  # fmt: skip
def test_the_error_about_a_refused_value_describes_that_value(written: Any, words: str) -> None:
    with pytest.raises(RecordError) as caught:
        from_doc(field(number(0, 9)), {"x": written})
    assert (
        caught.value.sentence == f"field x: the value is {words}; it must be an integer from 0 to 9"
    )


def test_unusable_public_keys_are_refused_as_keys() -> None:
    for codec, written in ((x25519, "00" * 32), (signing, public_line(KEY) + " ann")):
        with refused_for("key"):
            from_doc(field(codec), {"x": written})
    with pytest.raises(
        RecordError,
        match=r"field x: the value is a text of 62 characters; it must be 64 hex digits \[field\]",
    ):
        from_doc(field(x25519), {"x": "00" * 31})


@dataclass(frozen=True)
class Row:
    n: int = wire(number(0, 9))
    names: Any = wire(mapping("[a-z]+", array(number(0, 9), 1, 9), 2), None)  # noqa: RUF009


@dataclass(frozen=True)
class Sheet:
    rows: tuple[Row, ...] = wire(rows(Row, 2), ())
    title: str = wire(text(0, 9), "")
    plain: int = 7


def test_a_field_with_its_default_is_left_out_and_may_not_be_written() -> None:
    assert to_doc(Sheet()) == {}
    assert from_doc(Sheet, {}) == Sheet()
    for doc in ({"title": ""}, {"title": "", "rows": [{"n": 1}]}):
        with pytest.raises(
            RecordError, match=r"^field title: this field is empty, so it must be left out"
        ):
            from_doc(Sheet, doc)
    full = Sheet((Row(1), Row(2, {"a": (3,)})), "x")
    doc = {"rows": [{"n": 1}, {"n": 2, "names": {"a": [3]}}], "title": "x"}
    assert (to_doc(full), from_doc(Sheet, doc)) == (doc, full)
    assert as_bytes(Sheet(title="x")) == b'title = "x"\n'


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        (
            {"rows": [{"n": 1}, {"n": 10}]},
            "field rows[1].n: the value is 10; it must be an integer from 0 to 9",
        ),
        ({"rows": [{"n": 1}, {}]}, "field rows[1].n: this field is missing"),
        (
            {"rows": [{"n": 1, "m": 1, "b": 1}]},
            "field rows[0].b: a file of this kind has no such field",
        ),
        (
            {"rows": [{"n": 1}, 5]},
            "field rows[1]: the value is 5; it must be a table (lines below a heading in brackets)",
        ),
        (
            {"rows": [{"n": 1}] * 3},
            "the value is a list of 3 entries; it must be a list of 1 to 2 entries",
        ),
        ({"rows": []}, "field rows: the value is a list of 0 entries; it must be a list of 1 to 2"),
        ({"plain": 7}, "field plain: a file of this kind has no such field"),
        (
            {"rows": [{"n": 1, "names": {"A": [1]}}]},
            "rows[0].names.A: this is not a possible name of a field",
        ),
        (
            {"rows": [{"n": 1, "names": {"a" * 70 + "A": [1]}}]},
            f"names.{'a' * 64}: this is not a possible name of a field",
        ),
        (
            {"rows": [{"n": 1, "names": {"a": [1, 10]}}]},
            "field rows[0].names.a[1]: the value is 10; it must be an integer",
        ),
    ],
)
def test_the_error_names_the_place_of_a_wrong_value(doc: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RecordError) as caught:
        from_doc(Sheet, doc)
    assert sentence in caught.value.sentence
    assert caught.value.reason == "field"


def test_a_record_that_is_no_table_is_refused() -> None:
    with pytest.raises(RecordError, match=r"^the value is .*; it must be a table .*\[field\]"):
        from_doc(Sheet, [])  # type: ignore[arg-type]


def test_the_error_about_a_tables_key_calls_it_by_its_own_word() -> None:
    with pytest.raises(RecordError, match=r"^field x\.c: this is not a seat's letter"):
        from_doc(field(mapping("[ab]", flag, 3, "a seat's letter")), {"x": {"c": True}})


def test_codecs_describe_themselves_for_the_protocols_tables() -> None:
    assert text(1, 3).hint == "1 to 3 characters, none of them invisible"
    assert array(number(0, 9), 1, 2).hint == "a list of 1 to 2 entries; each an integer from 0 to 9"
    assert rows(Row, 2).hint == "1 to 2 tables"
    assert mapping("a", flag, 3).hint == "a table of at most 3 entries; each true or false"
    assert base64.b64decode(BOX.write(b"abc")) == b"abc"
