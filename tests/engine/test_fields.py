"""Values with fields: what must be given, what may be, and that nothing changes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.fields import Fields, fields_in


def twice(number: int) -> int:
    return 2 * number


class Rule(Fields):
    name: str
    does: Callable[[int], int] = twice


class Longer(Rule):
    words: tuple[str, ...] = ()


def test_a_field_has_its_value_or_its_default() -> None:
    rule = Longer(name="hunt")
    assert (rule.name, rule.does(4), rule.words) == ("hunt", 8, ())
    assert Longer(name="hunt", words=("a",)).words == ("a",)
    assert fields_in(Longer) == ["name", "does", "words"]


@pytest.mark.parametrize(
    ("given", "told"),
    [({}, "the field name is missing"), ({"name": "x", "nam": 1}, "no such field: nam")],
)
def test_a_missing_or_unknown_field_is_an_error(given: dict, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        Rule(**given)


def test_only_a_copy_has_other_values() -> None:
    rule = Longer(name="hunt", words=("a",))
    with pytest.raises(AttributeError, match="name cannot be changed"):
        rule.name = "flee"  # type: ignore[misc]
    fled = rule.copy(name="flee")
    assert (fled.name, fled.words, rule.name) == ("flee", ("a",), "hunt")
    with pytest.raises(TypeError, match="no such field: nam"):
        rule.copy(nam="flee")
