"""Classes of values behave as dataclasses do, and only the mutable ones change."""

import pickle
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from typing import Any

import pytest

from engine.value_classes import Mutable, Value


class Point(Value):
    x: int
    y: int = 0
    seen: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Known:
    """What the standard library makes of the same fields."""

    x: int
    y: int = 0
    seen: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)


class Named(Value, kw_only=True):
    z: str = "z"
    name: str

    def __post_init__(self) -> None:
        vars(self)["later"] = self.name.upper()


class Below(Point):
    z: int = 3


class Bag(Mutable):
    owner: str
    cards: list[str] = field(default_factory=list)


class Board(Mutable):
    """One with attributes that it sets itself."""

    shared_attributes = frozenset({"book"})

    def __init__(self, book: str, body: int) -> None:
        self.book, self.body = book, body


def doubled_number(number: int) -> int:
    return 2 * number


class Rule(Value):
    does: Callable[[int], int] = doubled_number


@pytest.mark.parametrize(
    ("args", "values"), [((1,), {}), ((1, 2), {}), ((1,), {"y": 2}), ((), {"y": 2, "x": 1}),
                         ((1, 2, {"a": 1}), {})],
)  # fmt: skip
def test_values_are_set_as_in_a_dataclass(args: tuple[Any, ...], values: dict[str, Any]) -> None:
    mine, theirs = Point(*args, **values), Known(*args, **values)
    assert asdict(mine) == asdict(theirs)
    assert repr(mine) == repr(theirs).replace("Known", "Point")
    assert hash(mine) == hash(theirs)
    assert [f.name for f in fields(mine)] == [f.name for f in fields(theirs)]
    assert asdict(replace(mine, y=9)) == asdict(replace(theirs, y=9))


@pytest.mark.parametrize(
    ("args", "values", "told"),
    [
        ((), {}, "Point needs a value for x"), ((), {"y": 1}, "Point needs a value for x"),
        ((1, 2, {}, 4), {}, "Point got too many values"),
        ((1,), {"x": 1}, "Point got too many values, or two for one field"),
        ((1,), {"z": 1}, "Point has no field z"),
    ],
)  # fmt: skip
def test_wrong_values_are_refused(args: tuple[Any, ...], values: Any, told: str) -> None:
    with pytest.raises(TypeError):
        Known(*args, **values)
    with pytest.raises(TypeError, match=told):
        Point(*args, **values)


def test_values_of_one_class_with_equal_fields_are_equal() -> None:
    assert Point(1, 2, {"a": 1}) == Point(1, 2) != Point(1, 3)
    assert Point(1) != Below(1)
    assert Point(1) != (1, 0)
    assert len({Point(1), Point(1), Below(1)}) == 2
    assert Point(1).seen is not Point(1).seen


def test_no_field_of_a_value_can_be_changed_or_deleted() -> None:
    point: Any = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert point == Point(1)


def test_fields_by_name_only_fields_set_later_and_inherited_fields() -> None:
    named = Named(name="ann")
    assert (named.z, vars(named)["later"]) == ("z", "ANN")
    assert vars(replace(named, name="bo"))["later"] == "BO"
    with pytest.raises(TypeError, match="too many values"):
        Named("ann")  # type: ignore[misc]
    assert repr(Below(1, 2, {}, 4)) == "Below(x=1, y=2, z=4)"


def test_pickled_values_are_equal() -> None:
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)


def test_mutable_values_change_and_have_fields_of_their_own() -> None:
    bag, other = Bag("ann"), Bag("ann")
    bag.cards.append("long neck")
    assert bag != other
    other.cards = ["long neck"]
    assert bag == other
    assert repr(bag) == "Bag(owner='ann', cards=['long neck'])"
    with pytest.raises(TypeError, match="unhashable"):
        hash(bag)


def test_attributes_declared_as_shared_are_neither_compared_nor_shown() -> None:
    assert Board("one", 3) == Board("two", 3) != Board("one", 4)
    assert repr(Board("one", 3)) == "Board(body=3)"


def test_a_function_as_default_does_not_become_a_method() -> None:
    assert Rule().does(4) == 8
