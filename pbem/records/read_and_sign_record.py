"""Read and sign records: the checks of protocol §10 that need no folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Generic, TypeVar

from engine.value_classes import Value
from pbem.format.canonical_toml import emit, parse
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.format.signed_file import Signed, sign, split, verify
from pbem.records.charter import Charter
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.join import Join
from pbem.records.notice import Notice
from pbem.records.orders import Orders
from pbem.records.press_message import Press
from pbem.records.record_field_codecs import from_doc, to_doc
from pbem.records.record_header import PROTOCOL, Header
from pbem.records.turn import Turn

Content = Charter | Join | Orders | Turn | FinalRecord | Press | Notice | Deal
C_co = TypeVar("C_co", bound=Content, covariant=True)
C = TypeVar("C", bound=Content)
KnownKey = Callable[[str, bytes], bool]
"""Whether this key may sign a record of this kind, as far as the reader knows."""

MAX_CACHED_BYTES: Final = 1 << 16
"""The most bytes in the body of a record whose check is remembered."""
MAX_CACHED_RECORDS: Final = 256
"""The number of checked records that are remembered: enough for the last turns."""
KINDS: Final[dict[str, type[Content]]] = {
    kind.kind: kind for kind in (Charter, Join, Orders, Turn, FinalRecord, Press, Notice, Deal)
}


class Record(Value, Generic[C_co]):
    """A record whose signature, form and fields were checked, but not its place."""

    signed: Signed
    content: C_co

    @property
    def id(self) -> bytes:
        """Return the record's id: SHA-256 of the body."""
        return self.signed.id

    @property
    def file(self) -> bytes:
        """Return the bytes of the record's file."""
        return self.signed.file


def read(data: bytes, is_known_key: KnownKey | None = None) -> Record[Content]:
    """Check a file and return its record, in the steps of protocol §6: size, trailer, key,
    signature, line grammar, canonical form, header and fields.

    Raises RecordError with these reasons, and `version` for an unknown protocol, mode or kind.
    Charter and join must be signed by the key they name. `is_known_key` tells, from kind and key,
    whether the key may sign such a record; without it, any key may. Nothing in the body is believed
    or shown before its signature is right.
    """
    signed = split(data)
    if signed.kind not in KINDS:
        sentence = f"this version of pbem does not know records of kind {signed.kind}"
        raise RecordError("version", f"{sentence}: install a newer version")
    if is_known_key and not is_known_key(signed.kind, signed.key):
        subjects = {"press": "a message", "orders": "orders", "final": "final.toml"}
        subject = subjects.get(signed.kind, f"a {signed.kind}")
        raise RecordError(
            "key", f"the key that signed this file may not sign {subject} in this game"
        )
    check = _cached_content if len(signed.body) <= MAX_CACHED_BYTES else _verified_content
    return Record(signed, check(signed))


def _verified_content(signed: Signed) -> Content:
    verify(signed)
    return _read_content(signed)


_cached_content = lru_cache(MAX_CACHED_RECORDS)(_verified_content)
"""Remember checked files, for processes with many readers (`demo`, `--watch`).

A file that is refused is not remembered, and contents cannot be changed.
"""


def read_as(kind: type[C], data: bytes, is_known_key: KnownKey | None = None) -> Record[C]:
    """Read a file that must be of one kind. Also raises RecordError `place` for another kind."""
    record = read(data, is_known_key)
    content = record.content
    if not isinstance(content, kind):
        raise RecordError("place", f"this is a record of kind {content.kind}, not {kind.kind}")
    return Record(record.signed, content)


def make(content: C, key: SigningKey) -> Record[C]:
    """Sign a record; the same contents give the same bytes. Raises RecordError for contents that
    `read` would refuse, or would read in another way."""
    body = body_of(content)
    signed = sign(content.kind, body, key)
    if _read_content(signed) != content:
        raise RecordError("field", f"this {content.kind} is not written exactly as pbem writes it")
    return Record(signed, content)


def body_of(content: Header) -> bytes:
    """Return the canonical bytes of a record, which its key signs."""
    return emit({"v": PROTOCOL, "kind": content.kind} | to_doc(content))


def _read_content(signed: Signed) -> Content:
    """Read the body of a record whose signature is right: canonical form, header, fields. Raises
    RecordError as `read` does."""
    doc = parse(signed.body)
    version, kind = doc.pop("v", None), doc.pop("kind", None)
    if type(version) is not int or version != PROTOCOL:
        sentence = "this file was made with another protocol than pbem/1"
        if type(version) is int and version > PROTOCOL:
            sentence = (
                f"this file was made with protocol pbem/{version}, but this version of pbem knows "
                "only pbem/1"
            )
        raise RecordError("version", f"{sentence}: install a newer version")
    if kind != signed.kind:
        sentence = (
            f"this file was signed as {signed.kind}, but its text says that it is something else"
        )
        raise RecordError("field", sentence)
    content = from_doc(KINDS[signed.kind], doc)
    if isinstance(content, Charter | Join) and content.key != signed.key:
        raise RecordError("key", f"this {kind} is not signed by the key that it names")
    return content
