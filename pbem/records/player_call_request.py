"""A call request: with it, the person of a seat asks a host to call them when it is their move, or
to call them no more (protocol §14).

It is signed as records are, but it is no record of the game: the host keeps it beside the games,
and gives it to nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar, Final

from engine.value_classes import Value
from pbem.format.canonical_toml import emit, parse, too_long
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.format.signed_file import Signed, sign, split, verify
from pbem.records.record_field_codecs import (
    FieldError,
    flag,
    from_doc,
    hash32,
    hexed,
    number,
    one_of,
    text,
    to_doc,
    wire,
)
from pbem.records.record_header import PROTOCOL, seat_letter
from pbem.records.turn import MAX_TIME

MAX_CALL_BYTES: Final = 3000
"""The longest file of a call request: none is longer."""
MAX_CLOCK_SECONDS: Final = 600
"""The most seconds by which the clock of somebody's device may be wrong."""
PUSH, MAIL = "push", "mail"
"""The ways to call somebody: Web Push, and email."""


_ADDRESS_HINT: Final = "an address of 8 to 300 characters, such as https://pond.example.org"


class CallRequest(Value, kw_only=True):
    """The contents of a call request."""

    kind: ClassVar[str] = "call"
    game: bytes = wire(hash32)
    """The game's id."""
    host: str = wire(text(8, 300, "https?://[!-~]+", _ADDRESS_HINT))
    """The address of the host that is asked, such as https://pond.example.org."""
    seat: str = wire(seat_letter)
    """The seat that is called; its signing key signs the request."""
    time: int = wire(number(0, MAX_TIME))
    """The writer's clock. Of two requests of one key for one address, the later one counts."""
    way: str = wire(one_of(PUSH, MAIL))
    on: bool = wire(flag)
    """Whether the host is to call; otherwise it stops."""
    address: str = wire(text(3, 1000, "[!-~]{3,1000}", "3 to 1000 characters of ASCII"))
    """The endpoint of a push service, or an email address."""
    p256dh: bytes = wire(hexed(65, empty=True), b"")
    """The browser's public key for push notifications: an uncompressed point of P-256."""
    auth: bytes = wire(hexed(16, empty=True), b"")
    """The browser's secret for them, which it gives to those who may call it."""

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other."""
        has_keys = self.way == PUSH and self.on
        if bool(self.p256dh) != has_keys or bool(self.auth) != has_keys:
            raise FieldError(
                "this request for push notifications lacks the field p256dh or auth"
                if has_keys
                else "this request has the field p256dh or auth, but only a request for push "
                "notifications may have them"
            )


def read_call_request(
    data: bytes, game: bytes, host: str, keys: Mapping[str, Collection[bytes]], now: int
) -> tuple[bytes, CallRequest]:
    """Check the file of a call request, in the order of protocol §14; return the key that signed
    it, and its contents.

    `game` is the id of the game to which it was sent, `host` the address of the host that got it,
    `keys` are the present signing keys by seat. Raises RecordError.
    """
    if len(data) > MAX_CALL_BYTES:
        raise RecordError("size", too_long(len(data), "a call request", MAX_CALL_BYTES))
    signed = split(data)
    if signed.kind != CallRequest.kind:
        sentence = f"this file is signed as a record of kind {signed.kind}, not as a call request"
        raise RecordError("version", sentence)
    if not any(signed.key in seat_keys for seat_keys in keys.values()):
        raise RecordError("key", "this request is not signed with the present key of any seat")
    verify(signed)
    content = call_request_in(signed)
    if content.game != game:
        raise RecordError("place", "this request belongs to another game")
    if content.host != host:
        sentence = f"this request is for the host {content.host}, but came to the host {host}"
        raise RecordError("place", sentence)
    if signed.key not in keys.get(content.seat, ()):
        raise RecordError("key", f"this request is not signed with the key of seat {content.seat}")
    if abs(content.time - now) > MAX_CLOCK_SECONDS:
        sentence = "the clock of your device is wrong by more than ten minutes: set it right"
        raise RecordError("state", sentence)
    return signed.key, content


def call_request_in(signed: Signed) -> CallRequest:
    """Return the contents of a call request whose signature was checked. Raises RecordError."""
    doc = parse(signed.body)
    if doc.pop("v", None) != PROTOCOL or doc.pop("kind", None) != signed.kind:
        raise RecordError("version", "this is not a call request of protocol pbem/1")
    return from_doc(CallRequest, doc)


def make_call_request(content: CallRequest, key: SigningKey) -> bytes:
    """Sign a call request, and return its file. Raises RecordError for contents that nobody would
    accept."""
    body = emit({"v": PROTOCOL, "kind": CallRequest.kind} | to_doc(content))
    signed = sign(CallRequest.kind, body, key)
    if call_request_in(signed) != content:
        raise RecordError("field", "this call request is not written exactly as pbem writes it")
    return signed.file
