"""Makes the known answers about call requests: `python -m tests.vectors.make_calls` writes
`calls.json`, files that a host takes, and files with one fault each and the reason."""

import json
from typing import Any

from pbem.format.canonical_toml import emit
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.format.signed_file import sign
from pbem.records.player_call_request import CallRequest, make_call_request, read_call_request
from tests.vectors.make import HERE

FILE = HERE / "calls.json"
GAME, TIME = bytes(range(32)), 1_700_000_000
HOST = "https://pond.example.org"
ANN, BO, EVE = (SigningKey(bytes([n]) * 32) for n in (1, 2, 3))
KEYS = {"a": [ANN.public], "b": [BO.public]}
VALUES: dict[str, Any] = {
    "auth": "0a" * 16, "game": GAME.hex(), "host": HOST, "kind": "call", "on": True,
    "p256dh": "04" * 65, "address": "https://push.example.org/1", "seat": "a", "time": TIME,
    "v": 1, "way": "push",
}  # fmt: skip
LEFT_OUT = None
FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("place", {"game": "00" * 32}),
    ("place", {"host": "https://other.example.org"}),
    ("place", {"host": f"{HOST}/"}),
    ("place", {"host": "http://pond.example.org"}),
    ("field", {"host": "pond.example.org"}),
    ("field", {"host": LEFT_OUT}),
    ("key", {"seat": "b"}),
    ("field", {"seat": "q"}),
    ("state", {"time": TIME - 601}),
    ("state", {"time": TIME + 601}),
    ("field", {"time": -1}),
    ("field", {"on": False}),
    ("field", {"on": 1}),
    ("field", {"auth": LEFT_OUT}),
    ("field", {"p256dh": "04" * 64}),
    ("field", {"way": "pigeon"}),
    ("field", {"address": "https://push.example.org/a b"}),
    ("field", {"address": "x" * 1001}),
    ("field", {"title": "Your move"}),
    ("version", {"v": 2}),
    ("version", {"kind": "orders"}),
]
"""The reason for which a request is refused, and the values that differ in it."""


def signed_file(change: dict[str, Any], key: SigningKey = ANN, kind: str = "call") -> bytes:
    """A request with other values, signed with a key."""
    values = {name: x for name, x in (VALUES | change).items() if x is not LEFT_OUT}
    return sign(kind, emit(values), key).file


def cases() -> list[tuple[str, bytes]]:
    """Files, and the reason for which each is refused; an empty one for those that are taken."""
    good = signed_file({})
    off = {"on": False, "auth": LEFT_OUT, "p256dh": LEFT_OUT}
    mail = {**off, "on": True, "way": "mail", "address": "ann@example.org"}
    taken = [signed_file(change) for change in ({}, off, mail, {"time": TIME + 600})]
    faulty = [(reason, signed_file(change)) for reason, change in FAULTS]
    faulty += [
        ("size", good + b"#" * 3000),
        ("trailer", good[:-1]),
        ("trailer", b""),
        ("version", signed_file({}, kind="orders")),
        ("key", signed_file({}, EVE)),
        ("key", signed_file({}, BO)),
        ("signature", good.replace(b"example.org/1", b"example.org/2")),
        ("grammar", sign("call", emit(VALUES).replace(b"v = 1", b"v = 01"), ANN).file),
        ("canonical", sign("call", b"v = 1\n" + emit(VALUES).replace(b"v = 1\n", b""), ANN).file),
        ("key", signed_file({"time": TIME - 601, "game": "00" * 32}, EVE)),
    ]
    return [*(("", data) for data in taken), *faulty]


def call_refusal(data: bytes) -> str:
    """The reason for which pbem refuses a file; empty if it takes the file."""
    try:
        read_call_request(data, GAME, HOST, KEYS, TIME)
    except RecordError as error:
        return error.reason
    return ""


def call_vectors() -> dict[str, Any]:
    """Everything in `calls.json`."""
    return {
        "game": GAME.hex(),
        "host": HOST,
        "now": TIME,
        "keys": {seat: keys[0].hex() for seat, keys in KEYS.items()},
        "files": [{"reason": call_refusal(data), "file": data.decode()} for _, data in cases()],
    }


def made_request() -> bytes:
    """The first file, as pbem makes it."""
    content = CallRequest(
        game=GAME, host=HOST, seat="a", time=TIME, way="push", on=True,
        address=VALUES["address"], p256dh=b"\4" * 65, auth=b"\x0a" * 16,
    )  # fmt: skip
    return make_call_request(content, ANN)


if __name__ == "__main__":
    FILE.write_text(json.dumps(call_vectors(), indent=1) + "\n", "ascii")
