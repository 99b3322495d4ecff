"""Canonical TOML: one way to write a document, and nothing else is read."""

import base64
import json
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.format.canonical_toml import MAX_BYTES, MAX_INT, emit, guess, parse, parse_slowly
from pbem.format.record_error import RecordError
from tests.kit.refusals import refused_for
from tests.kit.selection import SHARED, needs_shared

keys = st.text("abcxyz019_-", min_size=1, max_size=8)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = st.one_of(texts, st.booleans(), st.integers(-MAX_INT, MAX_INT))
values = st.one_of(scalars, st.lists(scalars, max_size=4))


def nested_tables(depth: int) -> st.SearchStrategy[dict[str, Any]]:
    if depth == 0:
        return st.dictionaries(keys, values, max_size=4)
    inner = nested_tables(depth - 1)
    rows = st.lists(inner, min_size=1, max_size=3)
    return st.dictionaries(keys, st.one_of(values, values, inner, rows), max_size=5)


@pytest.mark.sample(0)
@given(nested_tables(3))
def test_a_written_document_is_read_back_and_a_toml_parser_agrees(doc: dict[str, Any]) -> None:
    body = emit(doc)
    assert parse(body) == doc
    assert tomllib.loads(body.decode("ascii")) == doc
    assert all(32 <= byte < 127 or byte == 10 for byte in body)


@pytest.mark.sample(0)
@given(nested_tables(2), st.data())
def test_changed_bytes_never_give_the_same_document(
    doc: dict[str, Any], data: st.DataObject
) -> None:
    body = emit(doc)
    at = data.draw(st.integers(0, len(body)))
    cut = data.draw(st.integers(0, 2))
    changed = body[:at] + data.draw(st.binary(max_size=2)) + body[at + cut :]
    try:
        again = parse(changed)
    except RecordError:
        return
    assert (again == doc) == (changed == body)


@given(nested_tables(3), st.data())
def test_the_fast_parser_accepts_and_refuses_what_the_slow_one_does(
    doc: dict[str, Any], data: st.DataObject
) -> None:
    lines = emit(doc).decode().splitlines(keepends=True)
    if lines and data.draw(st.booleans()):
        at, other = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        change = data.draw(st.sampled_from(["swap", "drop", "twice", "cut", "insert"]))
        if change == "swap":
            lines[at], lines[other] = lines[other], lines[at]
        elif change == "insert":
            lines[at] = data.draw(st.sampled_from(ODD_LINES)) + "\n" + lines[at]
        else:
            lines[at] = {"drop": "", "twice": lines[at] * 2, "cut": lines[at][:-2]}[change]
    text = "".join(lines)
    assert _outcome(parse, text.encode()) == _outcome(parse_slowly, text)


ODD_LINES = ["", "]", "[a]", "[[a]]", "[a.b]", "a = 1", "a = [", "a = []", "  1,", '  "x",', "a"]
ODD_LINES += ["a = true", "a = -0", "a = 1_0", "a = \u0661", 'a = "\\u0041"', "[]", "[[]]", "[a]]"]
ODD_LINES += ['a = "x" # y', "[ a ]", "a  = 1", 'a = "x"x"', "  ", " a = 1", '"a" = 1', "[[a]"]


def _outcome(read: Callable[[Any], object], what: bytes | str) -> object:
    try:
        return read(what)
    except RecordError as error:
        return error.reason


@pytest.mark.parametrize("line", ODD_LINES)
@pytest.mark.parametrize("before", ["", "a = 1\n", "a = [\n", "\n[a]\n", "\n[[a]]\n"])
def test_odd_lines_are_read_alike_by_the_fast_and_the_slow_parser(before: str, line: str) -> None:
    text = f"{before}{line}\n"
    assert _outcome(parse, text.encode()) == _outcome(parse_slowly, text)


def test_a_document_is_written_in_the_canonical_layout() -> None:
    doc = {
        "b": [{"x": 1}, {}], "a": {"t": {"on": True}}, "s": 'é"\\\n😀\x7f', "l": ["p", 2],
        "e": [],
    }  # fmt: skip
    assert emit(doc).decode() == (
        'e = []\nl = [\n  "p",\n  2,\n]\ns = "\\u00E9\\"\\\\\\u000A\\U0001F600\\u007F"\n'
        "\n[a]\n\n[a.t]\non = true\n\n[[b]]\nx = 1\n\n[[b]]\n"
    )


NOT_ONE_FORM = {
    "comment": ("# hello\na = 1\n", "grammar"),
    "end-of-line comment": ("a = 1 # one\n", "grammar"),
    "no last line feed": ("a = 1", "grammar"),
    "carriage return": ("a = 1\r\n", "grammar"),
    "byte order mark": ("\ufeffa = 1\n", "grammar"),
    "outside ASCII": ('a = "é"\n', "grammar"),
    "tab": ('a = "\t"\n', "grammar"),
    "dotted key": ("a.b = 1\n", "grammar"),
    "quoted key": ('"a" = 1\n', "grammar"),
    "capital in key": ("A = 1\n", "grammar"),
    "inline table": ("a = {}\n", "grammar"),
    "float": ("a = 1.5\n", "grammar"),
    "date": ("a = 2024-01-01\n", "grammar"),
    "hexadecimal": ("a = 0x10\n", "grammar"),
    "underscore": ("a = 1_000\n", "grammar"),
    "plus": ("a = +1\n", "grammar"),
    "literal string": ("a = 'x'\n", "grammar"),
    "multi-line string": ('a = """\nx"""\n', "grammar"),
    "short escape": ('a = "\\n"\n', "grammar"),
    "lower-case escape": ('a = "\\u00e9"\n', "grammar"),
    "list on one line": ("a = [1]\n", "grammar"),
    "list in a list": ("a = [\n  [],\n]\n", "grammar"),
    "seven levels": ("[a.a.a.a.a.a.a]\n", "grammar"),
    "long key": (f"{'a' * 65} = 1\n", "grammar"),
    "twenty digits": (f"a = {10**19}\n", "grammar"),
    "twice": ("a = 1\na = 1\n", "grammar"),
    "leading zero": ("a = 01\n", "grammar"),
    "half a surrogate pair": ('a = "\\uD800"\n', "grammar"),
    "list not closed": ("a = [\n  1,\n", "grammar"),
    "2^53": (f"a = {2**53}\n", "canonical"),
    "minus zero": ("a = -0\n", "canonical"),
    "needless escape": ('a = "\\u0041"\n', "canonical"),
    "long escape for a short one": ('a = "\\U000000E9"\n', "canonical"),
    "order of keys": ("b = 1\na = 1\n", "canonical"),
    "empty line": ("a = 1\n\nb = 1\n", "canonical"),
    "no empty line": ("a = 1\n[b]\n", "canonical"),
    "tables after lists of tables": ("\n[[a]]\n\n[b]\n", "canonical"),
    "parent left out": ("\n[a.b]\n", "canonical"),
    "empty list over lines": ("a = [\n]\n", "canonical"),
}


@pytest.mark.parametrize(("text", "reason"), NOT_ONE_FORM.values(), ids=NOT_ONE_FORM.keys())
def test_toml_in_another_form_is_refused(text: str, reason: str) -> None:
    with refused_for(reason):
        parse(text.encode())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("A = 1\n", "line 1 is not a line"),
        ("a = 1\nB = 1\n", "line 2 is not a line"),
        ("a = 1\nb = 1\nC\nC\n", "line 3 is not a line"),
        ("b = 1\na = 1\n", "line 1 is not"),
        ("a = 1\n\nb = 1\n", "line 2 is not"),
        ("a = 1\nb = 1\n\n[d]\n\n[c]\n", "line 4 is not"),
        ("a = 1\n\n", "line 2 is not"),
        ("a = 1\n\n[b]\n\n[c]\nd = 1\n\n", "line 7 is not"),
    ],
)
def test_the_error_names_the_line_that_is_wrong(text: str, line: str) -> None:
    with pytest.raises(RecordError, match=line):
        parse(text.encode())


NOT_A_DOCUMENT: dict[str, dict[str, Any]] = {
    "float": {"a": 1.5},
    "none": {"a": None},
    "bytes": {"a": b"x"},
    "list in a list": {"a": [[1]]},
    "table in a plain list": {"a": [1, {}]},
    "plain value among tables": {"a": [{}, 1]},
    "large": {"a": 2**53},
    "surrogate": {"a": "\ud800"},
    "last half of a surrogate pair": {"a": "\udfff"},
    "key": {"A b": 1},
    "key of 65": {"a" * 65: 1},
    "no key": {"": 1},
    "deep": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {}}}}}}}},
    "deep list": {"a": {"a": {"a": {"a": {"a": {"a": {"a": [{}]}}}}}}},
    "list in lists": {"a": [{"a": [{"a": [{"a": [{"a": [{"a": [{"a": [{}]}]}]}]}]}]}]},
    "long": {"a": "x" * ((1 << 20) - len('a = ""\n') + 1)},
}

AS_FAR_AS_IT_GOES: dict[str, dict[str, Any]] = {
    "six tables deep": {"a": {"a": {"a": {"a": {"a": {"a": {"a": 1}}}}}}},
    "six lists deep": {"a": [{"a": [{"a": [{"a": [{"a": [{"a": [{"a": 1}]}]}]}]}]}]},
    "largest": {"a": 9_007_199_254_740_991},
    "least": {"a": -9_007_199_254_740_991},
    "a key of 64": {"a" * 64: 1},
    "around the surrogates": {"a": "\ud7ff\ue000"},
    "the last short escape": {"a": "\uffff"},
    "the first long escape": {"a": "\U00010000"},
}


@pytest.mark.parametrize("doc", AS_FAR_AS_IT_GOES.values(), ids=AS_FAR_AS_IT_GOES.keys())
def test_values_just_within_the_limits_are_read_by_both_parsers(doc: dict[str, Any]) -> None:
    body = emit(doc)
    assert parse(body) == parse_slowly(body.decode()) == doc


def test_the_longest_text_is_written_and_one_byte_more_is_refused() -> None:
    longest = {"a": "x" * ((1 << 20) - len('a = ""\n'))}
    assert parse(emit(longest)) == longest
    with pytest.raises(RecordError):
        emit({"a": longest["a"] + "x"})


def test_characters_up_to_ffff_get_short_escapes_and_others_long_ones() -> None:
    body = emit({"a": "\uffff\U00010000X"})
    assert body == b'a = "\\uFFFF\\U00010000X"\n'


@given(nested_tables(3))
def test_the_quick_guess_reads_all_that_pbem_writes(doc: dict[str, Any]) -> None:
    assert guess(emit(doc).decode("ascii")) == doc


ODD_DOCUMENTS: list[dict[str, Any]] = [
    {"a": "x = y", "b": ["x = y", "]", "[", "[a]", "", " ", '"', "\\", "\\u0041"]},
    {"a": "true", "b": True, "c": ["true", True, False, "1", 1, -1]},
    {"a": [], "b": {"c": []}, "d": [{"e": []}, {"e": [1]}]},
    {"a": {"b": {"c": 1}, "d": [{}, {"e": [{"f": 1}, {"g": {}}]}]}, "h": {}},
    {"a": "\\U00010000", "b": "\U00010000\uffff", "c": '\\"\\'},
]


@pytest.mark.parametrize("doc", ODD_DOCUMENTS)
def test_the_quick_guess_reads_odd_documents(doc: dict[str, Any]) -> None:
    assert guess(emit(doc).decode("ascii")) == doc


@pytest.mark.parametrize("text", ["a\n", "a = \n", "a = x\n", "[[a.b]]\n", "\n[a]\n\n[a]\n"])
def test_the_quick_guess_gives_up_on_what_is_no_document(text: str) -> None:
    assert guess(text) is None


@pytest.mark.parametrize("doc", NOT_A_DOCUMENT.values(), ids=NOT_A_DOCUMENT.keys())
def test_values_without_a_canonical_form_are_not_written(doc: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match=r"\[canonical\]"):
        emit(doc)


def test_hostile_files_are_refused_before_a_toml_parser_reads_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unreachable(_: str) -> None:
        raise AssertionError("tomllib was asked")

    monkeypatch.setattr(tomllib, "loads", unreachable)
    for text in (
        "a" + ".a" * 65000 + " = 1\n",
        "a = " + "[" * 90000 + "\n",
        f"a = {'9' * 90000}\n",
    ):
        with pytest.raises(RecordError, match=r"\[grammar\]"):
            parse(text.encode())
    with pytest.raises(RecordError, match=r"at most .*\[size\]"):
        parse(b'a = "' + b"x" * MAX_BYTES + b'"\n')


@needs_shared("vectors/toml-test-1.0.json")
def test_published_toml_files_are_read_only_if_valid_and_canonical() -> None:
    cases = json.loads((SHARED / "vectors/toml-test-1.0.json").read_text())
    read = 0
    for name, case in cases.items():
        data = base64.b64decode(case["toml"])
        try:
            doc = parse(data)
        except RecordError:
            continue
        read += 1
        assert case["valid"], name
        assert emit(doc) == data, name
    assert read >= 1  # very few of them happen to be in our form
