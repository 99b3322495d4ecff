"""Files with exactly one fault each, made from right ones, and the reason that must be given.

* `byte_faults(record)`: anybody can make them; caught by `read`.
* `body_faults(record, key)`: signed by the right key all the same; caught by `read`.
* `place_faults(record, key)`: right records in a wrong place: `read` takes them, folders must not.
* `orders_faults(...)`, `join_faults(...)`, `press_faults(...)`, `final_faults(...)`: caught when
  the box is opened.
* `record_faults()`: all of them for the sample game.
"""

import base64
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields, replace
from itertools import chain
from typing import Any, Literal

from pbem.format.canonical_toml import MAX_BYTES, emit, parse
from pbem.format.crypto import siv_seal
from pbem.format.encrypted_box import TAG, BoxContext, padded
from pbem.format.record_error import Reason
from pbem.format.secret_and_public_keys import SigningKey, public_line
from pbem.format.signed_file import sign
from pbem.records.charter import Charter
from pbem.records.final_record import FinalRecord, check_final
from pbem.records.join import Join, open_r
from pbem.records.notice import Notice
from pbem.records.orders import SHEET_BYTES, Orders
from pbem.records.press_message import PRESS_BOX, Press, message_box_context, open_message
from pbem.records.read_and_sign_record import Content, Record, body_of, read
from pbem.records.sealed_orders import UnsealedOrders, texts_bytes, unseal_orders
from tests.kit.sample_records import Sample, sample
from tests.records.deal_sample import CO_DEALER, sample_deal

SETS = (
    "lines", "cards", "dealt", "shown", "decks", "orders", "notices", "awaited", "opened", "need",
)  # fmt: skip
"""The fields whose rows rise: nothing is there twice."""
Stage = Literal["read", "place", "open"]


@dataclass(frozen=True)
class Fault:
    """One file, what is wrong with it, the reason that must be given, and who must give it."""

    name: str
    kind: str
    reason: Reason
    data: bytes
    stage: Stage = "read"
    check: Callable[[bytes], object] = read
    """Raises RecordError with the reason (for `place`: does not, the folder has to)."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


def byte_faults(record: Record[Content]) -> Iterator[Fault]:
    """What a broken disk, a clumsy program or somebody without a key can do to a file."""
    kind, file, body = record.content.kind, record.file, record.signed.body
    trailer = file[len(body) :]

    def fault(name: str, reason: Reason, data: bytes) -> Fault:
        return Fault(name, kind, reason, data)

    yield fault("empty", "trailer", b"")
    yield fault("longer than any record", "size", b"#" * MAX_BYTES + file)
    yield fault("no signature", "trailer", body)
    yield fault("no text", "trailer", trailer)
    yield fault("cut in the text", "trailer", file[: len(body) // 2])
    yield fault("cut in the signature", "trailer", file[:-50])
    yield fault("last byte cut", "trailer", file[:-1])
    yield fault("CRLF", "trailer", file.replace(b"\n", b"\r\n"))
    yield fault("byte order mark", "signature", b"\xef\xbb\xbf" + file)
    yield fault("comment in front", "trailer", b"# hello\n" + file)
    yield fault("comment before the signature", "trailer", body + b"# hello\n" + trailer)
    yield fault("comment behind", "trailer", file + b"# hello\n")
    yield fault("text behind", "trailer", file + b"a = 1\n")
    yield fault("two signatures", "trailer", file + trailer)
    yield fault("two files in one", "trailer", file + file)
    yield fault("a byte of the text changed", "signature", _flip(file, body.index(b"=")))
    yield fault("zeros in place of the text", "signature", bytes(len(body) - 1) + b"\n" + trailer)
    for at, what in ((-20, "second half"), (-70, "first half")):
        signature = record.signed.signature
        bad = replace(record.signed, signature=_flip(signature, at % 64))
        yield fault(f"the signature's {what} changed", "signature", bad.file)
    yield from _key_faults(record)


def _key_faults(record: Record[Content]) -> Iterator[Fault]:
    kind, signed = record.content.kind, record.signed
    for name, key in (
        ("small order", bytes(32)),
        ("the identity", b"\x01" + bytes(31)),
        ("not canonical", b"\xee" + b"\xff" * 30 + b"\x7f"),
        ("no point", b"\x02" + bytes(31)),
    ):
        yield Fault(f"key: {name}", kind, "key", replace(signed, key=key).file)
    small = replace(signed, signature=b"\x01" + bytes(31) + signed.signature[32:])
    yield Fault("signature: R of small order", kind, "signature", small.file)
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(signed.signature[32:], "little") + order
    large = replace(signed, signature=signed.signature[:32] + s.to_bytes(32, "little"))
    yield Fault("signature: S not below the order", kind, "signature", large.file)
    other = SigningKey(b"\x66" * 32)
    forged = replace(signed, key=other.public)
    yield Fault("another key's name on the signature", kind, "signature", forged.file)
    for wrong in ("charter", "join", "orders", "turn", "final", "press", "notice", "deal"):
        if wrong != kind:
            relabelled = replace(signed, kind=wrong)
            yield Fault(f"relabelled as {wrong}", kind, "signature", relabelled.file)


def body_faults(record: Record[Content], key: SigningKey) -> Iterator[Fault]:
    """What the holder of the right key can sign, and nobody may believe."""
    kind, body = record.content.kind, record.signed.body

    def fault(name: str, reason: Reason, text: bytes) -> Fault:
        return Fault(name, kind, reason, sign(kind, text, key).file)

    line = body.index(b"\n") + 1
    first = body[:line]
    yield fault("a line of nonsense", "grammar", body + b"hello\n")
    yield fault("a line with CR", "grammar", body.replace(b"\n", b"\r\n", 1))
    yield fault("a byte that is not ASCII", "grammar", body.replace(b'"', b'"\xff', 1))
    yield fault("NUL", "grammar", body.replace(b'"', b'"\0', 1))
    yield fault("a dotted key", "grammar", b"a" + b".a" * 30000 + b" = 1\n" + body)
    yield fault("lists in lists", "grammar", b"a = " + b"[" * 9000 + b"\n" + body)
    yield fault("a huge integer", "grammar", b"a = " + b"9" * 9000 + b"\n" + body)
    yield fault("tables in tables", "grammar", body + b"\n[a.a.a.a.a.a.a]\n")
    yield fault("a key twice", "grammar", first + body)
    yield fault("an inline table", "grammar", b"a = {}\n" + body)
    yield fault(
        "keys out of order",
        "canonical",
        body[line:] + first
        if b"[" not in body
        else body[line:].replace(b"\nprev", b"\n" + first + b"prev", 1),
    )
    yield fault("an empty line", "canonical", b"\n" + body)
    yield fault("a needless escape", "canonical", body.replace(b'"', b'"\\u0041', 1))
    yield fault("2^53", "canonical", b"a = 9007199254740992\n" + body)
    for name, reason, doc in _documents(record):
        yield fault(name, reason, emit(doc))
    for wrong in ("charter", "join", "orders", "turn", "final", "press", "notice", "deal"):
        if wrong != kind:
            yield Fault(f"signed as {wrong}", kind, "field", sign(wrong, body, key).file)
    yield Fault("signed as a later kind", kind, "version", sign("rotate", body, key).file)
    if kind in ("charter", "join"):
        other = sign(kind, body, SigningKey(b"\x66" * 32)).file
        yield Fault("signed by another key than it names", kind, "key", other)


def _documents(record: Record[Content]) -> Iterator[tuple[str, Reason, dict[str, Any]]]:
    """Documents in canonical form, each wrong in one field."""

    def doc() -> dict[str, Any]:
        return parse(record.signed.body)

    yield "another version", "version", doc() | {"v": 2}
    yield "a version that is true", "version", doc() | {"v": True}
    yield "an unknown field", "field", doc() | {"extra": 1}
    yield "another kind inside", "field", doc() | {"kind": "rotate"}
    yield from ((name, "field", doc() | change) for name, change in _sizes(doc()))
    yield from ((name, "field", change) for name, change in _seats_by_mail(doc()))
    for f in fields(record.content):
        value = doc().get(f.name)
        optional = f.default is not MISSING
        if value is not None and not optional:
            yield f"{f.name} missing", "field", _without(doc(), f.name)
        yield f"{f.name} of another type", "field", doc() | {f.name: [[], {}][value == []]}
        yield from ((f"{f.name} {n}", r, doc() | {f.name: v}) for n, r, v in _values(f.name, value))
        if optional:
            is_key = f.name == "deputy_key" or (
                f.name == "recovery" and record.content.kind != "deal"
            )
            reason: Reason = "key" if is_key else "field"
            yield f"{f.name} empty", reason, doc() | {f.name: _nothing(value)}
        if isinstance(value, list) and value and isinstance(value[0], dict):
            for name, rows in _row_faults(value, f.name in SETS):
                yield f"{f.name}: {name}", "field", doc() | {f.name: rows}


def _sizes(doc: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Boxes and slots of sizes that no record of this kind has."""

    def box(size: int) -> str:
        return base64.b64encode(bytes(size + TAG)).decode()

    if doc["kind"] == "orders":
        slots = [f"{n:064x}" for n in range(1024)]
        for n, sheets in ((1, 2), (2, 1), (3, 3), (16, 16)):
            change = {"lines": slots[: 64 * n], "box": box(SHEET_BYTES * sheets)}
            yield f"{n} times 64 slots, {sheets} sheets", change
    if doc["kind"] == "turn":
        for size in (0, 63, 65, 256, 4096):
            yield f"packets of {size} bytes", {"packets": dict.fromkeys(doc["packets"], box(size))}
        yield "packets of two sizes", {"packets": doc["packets"] | {"a": box(64), "b": box(1088)}}
    if doc["kind"] == "join":
        for name, size in (("r", 512), ("contact", 64)):
            yield f"{name} of {size} bytes", {name: box(size)}


def _seats_by_mail(doc: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Charters that say of a seat by mail what cannot be."""
    if doc["kind"] != "charter":
        return
    held, other = doc["seats"]
    assert doc["plays"] == [held["seat"]]
    yield "a seat in plays by mail", doc | {"seats": [held | {"mail": True}, other]}
    yield "a bot by mail", doc | {"seats": [held, other | {"bot": "greedy", "mail": True}]}
    yield "by mail, written although false", doc | {"seats": [held, other | {"mail": False}]}
    keys = {"deputy": "Flo", "deputy_key": doc["key"], "deputy_x25519": "05" * 32}
    mail = {"seats": [held, other | {"mail": True}]}
    yield "a deputy and a seat by mail", _without(doc, "plays") | keys | mail


def _values(name: str, value: Any) -> Iterator[tuple[str, Reason, Any]]:
    """Wrong values for a field by the look of a right one."""
    if isinstance(value, str) and len(value) >= 32 and value.isalnum() and value.islower():
        yield "in capitals", "field", value.upper()
        yield "too short", "field", value[:-2]
        yield "too long", "field", value + "00"
    if isinstance(value, str) and value.startswith("ssh-ed25519 "):
        yield "with a comment", "key", value + " ann"
        yield "of another algorithm", "key", value.replace("ssh-ed25519", "ssh-rsa")
    if isinstance(value, str) and value.endswith(("=", "+", "/")) and len(value) > 100:
        yield "without padding", "field", value.rstrip("=") + " "
    if type(value) is int:
        yield "negative", "field", -1
        yield "as a string", "field", str(value)
    if type(value) is bool:
        yield "as a number", "field", 1
    free = name in ("table", "text")  # one more is right as well
    if isinstance(value, list) and len(value) > 1 and not free and isinstance(value[0], str):
        yield "with one too many", "field", [*value, value[-1]]


def _row_faults(
    rows: list[dict[str, Any]], rising: bool
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    first = rows[0]
    if rising:
        yield "a row twice", [first, *rows]
    yield "an unknown field", [first | {"extra": 1}, *rows[1:]]
    for name in first:
        referee = "about" in first and name == "seat"  # a notice without a seat is the referee's
        if name not in ("hidden", "reason", "bot", "mail") and not referee:
            yield f"{name} missing", [_without(first, name), *rows[1:]]
        yield f"{name} of another type", [first | {name: {}}, *rows[1:]]


def _without(doc: dict[str, Any], name: str) -> dict[str, Any]:
    return {k: v for k, v in doc.items() if k != name}


def _nothing(value: Any) -> Any:
    return {dict: {}, str: "", type(None): ""}.get(type(value), [])


def place_faults(record: Record[Content], key: SigningKey) -> Iterator[Fault]:
    """Right records of another game, turn, seat or parent than their place asks for."""
    content = record.content
    changes: list[tuple[str, dict[str, Any]]] = []
    if not isinstance(content, Charter):
        changes += [
            ("another game", {"game": b"\x77" * 32}),
            ("a strange head", {"prev": b"\x77" * 32}),
        ]
    if content.turn:
        changes.append(("a later turn", {"turn": content.turn + 1}))
    if content.turn > 1 and content.kind != "turn":
        changes.append(("an earlier turn", {"turn": content.turn - 1}))
    if content.seat:
        changes.append(("another seat", {"seat": "c"}))
    for name, change in changes:
        if content.kind == "turn" and "turn" in change and content.turn == 1:
            continue  # what turn 1 alone holds would be a second fault
        signed = sign(content.kind, body_of(replace(content, **change)), key)
        yield Fault(name, content.kind, "place", signed.file, "place")


Wrong = tuple[str, Reason, Orders]
"""What is wrong, the reason that must be given, and the content that is so."""


def orders_faults(
    unsealed: UnsealedOrders, orders: Orders, box_key: bytes, key: SigningKey
) -> Iterator[Fault]:
    """Order files that are rightly signed and do not hold what they promise."""

    def check(data: bytes) -> object:
        content = read(data).content
        assert isinstance(content, Orders)
        return unseal_orders(content, box_key)

    wrong = chain(_wrong_boxes(unsealed, orders, box_key), _wrong_slots(unsealed, orders, box_key))
    for name, reason, changed in wrong:
        file = sign("orders", body_of(changed), key).file
        yield Fault(name, "orders", reason, file, "open", check)


def _wrong_boxes(unsealed: UnsealedOrders, orders: Orders, box_key: bytes) -> Iterator[Wrong]:
    place, size = unsealed.place.box(), SHEET_BYTES * unsealed.sheets
    right = unsealed.secret + texts_bytes(unsealed.texts)

    def boxed(text: bytes, at: BoxContext = place, with_key: bytes = box_key) -> Orders:
        return replace(orders, box=siv_seal(with_key, text, at.associated()))

    yield "box: a bit flipped", "box", replace(orders, box=_flip(orders.box, 0))
    yield "box: its last bit flipped", "box", replace(orders, box=_flip(orders.box, -1))
    yield "box: with another key", "box", boxed(padded(right, size), with_key=b"k" * 32)
    for name, other in (
        ("turn", replace(place, turn=place.turn + 1)),
        ("revision", replace(place, revision=place.revision + 1)),
        ("seat", replace(place, seat="a" if place.seat != "a" else "b")),
        ("field", replace(place, field="packet")),
    ):
        yield f"box: made for another {name}", "box", boxed(padded(right, size), other)
    yield "padding: not zeros", "padding", boxed(padded(right, size)[:-1] + b"\1")
    yield "padding: a length beyond", "padding", boxed(b"\0" * 7 + b"\xff" * (size - 7))
    yield "text: empty", "commitment", boxed(padded(b"", size))
    yield "text: does not end", "commitment", boxed(padded(right + b"x", size))
    yield "text: one line more", "commitment", boxed(padded(right + b"food: x\n", size))
    yield "text: outside ASCII", "commitment", boxed(padded(right + b"\xff\n", size))
    yield "text: another secret", "commitment", boxed(padded(_flip(right, 0), size))


def _wrong_slots(unsealed: UnsealedOrders, orders: Orders, box_key: bytes) -> Iterator[Wrong]:
    n = unsealed.sheets
    filling = [i for i in range(64 * n) if i not in unsealed.slots[: len(unsealed.texts)]]
    for name, slot in (("a line", unsealed.slots[0]), ("the filling", filling[0])):
        lines = list(orders.lines)
        lines[slot] = _flip(lines[slot], 5)
        yield f"{name} changed", "commitment", replace(orders, lines=tuple(lines))
    lines = list(orders.lines)
    lines[unsealed.slots[0]], lines[filling[0]] = lines[filling[0]], lines[unsealed.slots[0]]
    yield "a line in another slot", "commitment", replace(orders, lines=tuple(lines))
    wide = replace(orders, lines=orders.lines + tuple(bytes([i]) * 32 for i in range(64 * n)))
    right = padded(unsealed.secret + texts_bytes(unsealed.texts), 2 * SHEET_BYTES * n)
    box = siv_seal(box_key, right, unsealed.place.box().associated())
    yield "more slots than needed", "commitment", replace(wide, box=box)
    many = padded(unsealed.secret + b"feed: x\n" * (64 * n + 1), SHEET_BYTES * n)
    box = siv_seal(box_key, many, unsealed.place.box().associated())
    yield "fewer slots than needed", "commitment", replace(orders, box=box)


def join_faults(join: Join, audit: bytes, game: bytes, key: SigningKey) -> Iterator[Fault]:
    """Joins whose boxes do not hold what they promise (`audit`: the seat's box key with it)."""

    def check(data: bytes) -> object:
        content = read(data).content
        assert isinstance(content, Join)
        return open_r(audit, game, content)

    def fault(name: str, reason: Reason, changed: Join) -> Fault:
        return Fault(name, "join", reason, sign("join", body_of(changed), key).file, "open", check)

    def boxed(text: bytes, signer: bytes = join.key) -> bytes:
        place = BoxContext("join", "r", 0, join.seat, signer=signer)
        return siv_seal(audit, text, place.associated())

    yield fault("r: a bit flipped", "box", replace(join, r=_flip(join.r, 3)))
    yield fault("r: another", "commitment", replace(join, r=boxed(padded(b"r" * 32, 64))))
    yield fault("r: short", "commitment", replace(join, r=boxed(padded(b"r", 64))))
    yield fault("r: filling", "padding", replace(join, r=boxed(b"\0" * 8 + b"x" * 56)))
    for signer in (b"", b"k" * 32):
        copied = boxed(padded(b"c" * 32, 64), signer)
        yield fault(f"r: made for {signer!r}", "box", replace(join, r=copied))
    yield fault("commit: another", "commitment", replace(join, commit=b"c" * 32))


def press_faults(press: Press, box_key: bytes, key: SigningKey) -> Iterator[Fault]:
    """Private messages whose boxes hold no message for this place (`box_key`: of both ends)."""

    def check(data: bytes) -> object:
        content = read(data).content
        assert isinstance(content, Press)
        return open_message(box_key, content)

    def fault(name: str, reason: Reason, text: bytes, **at: Any) -> Fault:
        place = replace(message_box_context(press.turn, press.seat, press.number), **at)
        box = siv_seal(box_key, text, place.associated())
        data = sign("press", body_of(replace(press, box=box)), key).file
        return Fault(name, "press", reason, data, "open", check)

    right = padded("\n".join(open_message(box_key, press)).encode(), PRESS_BOX)
    flipped = replace(press, box=_flip(press.box, 0))
    data = sign("press", body_of(flipped), key).file
    yield Fault("box: a bit flipped", "press", "box", data, "open", check)
    yield fault("box: made for another turn", "box", right, turn=press.turn + 1)
    yield fault("box: made for another number", "box", right, revision=press.number + 1)
    yield fault("box: made for another writer", "box", right, seat="c")
    yield fault("box: made for another field", "box", right, field="contact")
    yield fault("padding: not zeros", "padding", right[:-1] + b"\1")
    for name, text in (
        ("empty", b""),
        ("too long", b"x" * 1001),
        ("too many lines", b"x\n" * 40 + b"x"),
        ("a blank line at the end", b"x\n"),
        ("not UTF-8", b"\xff"),
        ("a control character", b"\x1b[2J"),
        ("an invisible character", "a\u202eb".encode()),
    ):
        yield fault(f"text: {name}", "field", padded(text, PRESS_BOX))


def message_faults(public: Record[Press], key: SigningKey) -> Iterator[Fault]:
    """Messages to all that say what no message can."""
    changes: list[tuple[str, dict[str, Any]]] = [
        ("number: 0", {"number": 0}),
        ("number: 65", {"number": 65}),
        ("time: beyond the year 9999", {"time": 1 << 50}),
        ("text and box", {"box": base64.b64encode(bytes(PRESS_BOX + 16)).decode()}),
        ("a box too short", {"text": [], "box": base64.b64encode(bytes(PRESS_BOX)).decode()}),
        ("text: empty", {"text": [""]}),
        ("text: a blank line at the end", {"text": ["x", ""]}),
        ("text: a blank line at the start", {"text": [" ", "x"]}),
        ("text: 1001 characters", {"text": ["x" * 500, "x" * 501]}),
        ("text: 41 lines", {"text": ["x"] * 41}),
        ("text: a control character", {"text": ["\x1b[2J"]}),
        ("text: an invisible character", {"text": ["a\u202eb"]}),
    ]
    for name, change in changes:
        doc = parse(public.signed.body) | change
        doc = {k: v for k, v in doc.items() if v != []}
        yield Fault(name, "press", "field", sign("press", emit(doc), key).file)
    neither = _without(parse(public.signed.body), "text")
    yield Fault("no text and no box", "press", "field", sign("press", emit(neither), key).file)


def notice_faults(notice: Record[Notice], key: SigningKey) -> Iterator[Fault]:
    """Notices that say what no notice can."""
    keys = {"key": public_line(key.public), "x25519": "50" * 32}
    changes: list[tuple[str, dict[str, Any]]] = [
        ("number: 0", {"number": 0}),
        ("number: 9", {"number": 9}),
        ("says: nothing", {"says": {}}),
        ("says: a field of another kind", {"says": {"result": "draw", "seat": "b"}}),
        ("says: a list", {"says": {"result": ["draw"]}}),
        ("says: a result that no game has", {"says": {"result": "win"}}),
        ("concede: with a field", {"about": "concede"}),
        ("seat: without a join", {"about": "seat", "says": {"seat": "b"}}),
        ("seat: a letter beyond p", {"about": "seat", "says": {"seat": "q", "join": "0" * 64}}),
        ("key: no X25519 key", {"about": "key", "says": {"key": keys["key"]}}),
        ("key: no key", {"about": "key", "says": keys | {"key": "ssh-ed25519 AAAA"}}),
        ("vouch: without a seat", {"about": "vouch", "says": keys}),
        ("referee: by a player", {"about": "referee", "says": {"by": "b"}}),
        *_calendar_changes(),
    ]
    for name, change in changes:
        doc = parse(notice.signed.body) | change
        reason: Reason = "key" if name == "key: no key" else "field"
        yield Fault(name, "notice", reason, sign("notice", emit(doc), key).file)
    unknown = parse(notice.signed.body) | {"about": "later"}
    yield Fault(
        "an unknown kind of notice", "notice", "version", sign("notice", emit(unknown), key).file
    )
    low = parse(notice.signed.body) | {"about": "key", "says": keys | {"x25519": "00" * 32}}
    yield Fault(
        "key: an X25519 key of low order", "notice", "key", sign("notice", emit(low), key).file
    )


def _calendar_changes() -> Iterator[tuple[str, dict[str, Any]]]:
    """The same for the notices that are about time."""
    for name, about, says in (
        ("away: before 1970", "away", {"begins": -1, "ends": 60}),
        ("away: after the year 9999", "away", {"begins": 0, "ends": 253_402_300_800}),
        ("away: without an end", "away", {"begins": 0}),
        ("delay: by no hour", "delay", {"hours": 0}),
        ("delay: by too many hours", "delay", {"hours": 9601}),
        ("delay: by words", "delay", {"hours": "24h"}),
        ("deadline: a number", "deadline", {"rule": 72}),
        ("deadline: not ASCII", "deadline", {"rule": "3 d\u00e4ys"}),
        ("deadline: an empty phase", "deadline", {"rule": "3 days", "phase": ""}),
        ("deadline: a phase in capitals", "deadline", {"rule": "3 days", "phase": "Feed"}),
    ):
        yield name, {"about": about, "says": says}


def final_faults(final: FinalRecord, charter: Charter, key: SigningKey) -> Iterator[Fault]:
    """Finals that open another game."""

    def check(data: bytes) -> None:
        content = read(data).content
        assert isinstance(content, FinalRecord)
        check_final(charter, content)

    for name in ("r_ref", "audit"):
        changed = replace(final, **{name: b"\x77" * 32})
        data = sign("final", body_of(changed), key).file
        yield Fault(f"{name} of another game", "final", "commitment", data, "open", check)


def _flip(data: bytes, at: int) -> bytes:
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def record_faults(game: Sample | None = None) -> Iterator[Fault]:
    """Every fault of every record of the sample game."""
    game = game or sample()
    keys = {k.public: k for k in (game.ann, game.bo, game.held)}
    for record in game.records.values():
        key = keys[record.signed.key]
        yield from byte_faults(record)
        yield from body_faults(record, key)
        yield from place_faults(record, key)
    yield from orders_faults(game.unsealed, game.orders2.content, game.keys["b"], game.bo)
    yield from join_faults(game.join_b.content, game.keys["b"], game.game, game.bo)
    yield from press_faults(game.private.content, game.desk_key, game.ann)
    yield from message_faults(game.public, game.bo)
    yield from notice_faults(game.notice, game.bo)
    yield from final_faults(game.final.content, game.charter.content, game.ann)
    yield from byte_faults(record := sample_deal(game))
    yield from body_faults(record, CO_DEALER)
    yield from place_faults(record, CO_DEALER)
