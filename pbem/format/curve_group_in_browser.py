"""The group in a browser tab: `@noble/curves`, which the page loads anyway to check signatures.

`CurveLibrary` in `pbem/format/curve_group.py` says what each function here does. The times depend
on the values: JavaScript's integers promise nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import noble
from pyodide.ffi import JsBigInt, JsException, to_js


def add(point: bytes, other_point: bytes) -> bytes:  # noqa: D103
    return _encoded(_point(point).add(_point(other_point)))


def subtract(point: bytes, subtracted_point: bytes) -> bytes:  # noqa: D103
    return _encoded(_point(point).subtract(_point(subtracted_point)))


def multiply(scalar: bytes, point: bytes) -> bytes:  # noqa: D103
    return _encoded(_point(point).multiply(_integer(scalar)))


def multiply_base(scalar: bytes) -> bytes:  # noqa: D103
    return _encoded(noble.Point.BASE.multiply(_integer(scalar)))


def is_valid(data: bytes) -> bool:  # noqa: D103
    try:
        point = _point(data)
    except ValueError:
        return False
    return not point.is0() and bool(point.isTorsionFree())


def weighted_sum(scalars: bytes, points: bytes) -> bytes:  # noqa: D103
    data: bytes = noble.weightedSum(to_js(scalars), to_js(points)).to_bytes()
    return data


@lru_cache(2048)
def _point(data: bytes) -> Any:
    """Return the point of these bytes, an object of JavaScript; to find it costs a square root.
    Raises ValueError if there is none."""
    try:
        return noble.Point.fromBytes(to_js(data))
    except JsException as error:
        raise ValueError(str(error)) from None


def _integer(scalar: bytes) -> JsBigInt:
    """Return a scalar as JavaScript's kind of integer; a small one would else become a float."""
    return JsBigInt(int.from_bytes(scalar, "little"))


def _encoded(point: Any) -> bytes:
    data: bytes = point.toBytes().to_bytes()
    return data
