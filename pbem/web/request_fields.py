"""The fields of a request: numbers in its address, the values of a form, what a click sends."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

from pbem.acts.plan_orders_step_by_step import UNKNOWN_REQUEST_SENTENCE
from pbem.errors import CliError
from pbem.web.access_guard import read_body

MAX_DATA_BYTES = 1 << 18
"""The most bytes of data that one click may send."""
MAX_BRACKETS = 2000
"""The most brackets in this data: deeply nested data ends Python itself in a browser tab."""


def read_number(request: Request, name: str, default: int) -> int:
    """Return a whole number from the address; `default` if the address has none. Raises CliError
    for anything else."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise CliError(
            f"the address of this page has a wrong part: {name!r} must be a whole number"
        )
    return int(text)


def field_of(fields: dict[str, Any], name: str) -> str:
    """Return the value of a form's field without spaces around it; empty if it is missing or no
    text."""
    value = fields.get(name, "")
    return value.strip() if isinstance(value, str) else ""


async def read_fields(request: Request) -> dict[str, Any]:
    """Return the fields that a click sent as JSON. Raises CliError for anything else."""
    data = await read_body(request.receive, MAX_DATA_BYTES)
    if data is None or data.count(b"[") + data.count(b"{") > MAX_BRACKETS:
        raise CliError("the page sent more data than pbem accepts")
    try:
        fields = json.loads(data)
        json.dumps(fields, ensure_ascii=False).encode()  # half a character cannot be written
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise CliError("the page sent something that pbem cannot read: reload the page")
    return fields


def shown_turn_of(fields: dict[str, Any]) -> int:
    """Return the last turn that the page shows. Raises CliError if it does not say so."""
    turn = fields.get("turn")
    if not isinstance(turn, int):
        raise CliError(UNKNOWN_REQUEST_SENTENCE)
    return turn
