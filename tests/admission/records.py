"""The scenes: a folder and a record, made as a row of `scenes.toml` says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree
from typing import Any

from pbem.files.game_folder import Folder
from pbem.format.encrypted_box import box_key, public_of
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.make_signed_records import invite_to, make_notice
from pbem.judge.notice_kinds import (
    Away,
    HandOver,
    NewKey,
    ReplaceDealer,
    SetDoor,
    TakeIn,
    Vote,
    Vouch,
)
from pbem.judge.read_and_make_messages import Reader, make_message
from pbem.judge.seat_curve_points import NO_SEAT_POINT, SeatPoint, make_seat_point
from pbem.records.notice import REFEREE, Saying
from pbem.records.read_and_sign_record import Record, make
from pbem.records.sealed_orders import OrderPlace, UnsealedOrders, seal_orders, texts_digest
from tests.admission.moments import Moment, code_named, door_named, key_named, newcomers_join
from tests.kit.played_games import NAMES
from tests.kit.record_files import put_record, record_path, resigned

Row = Mapping[str, Any]
_HEX = re.compile(r"(?<![0-9a-zA-Z])(?:[0-9a-f]{64}|[0-9a-f]{6})(?![0-9a-zA-Z])")


class Scene:
    """A folder at the moment when a record comes."""

    def __init__(self, root: Path, record: Record[Any], now: int) -> None:
        self.root, self.record, self.now = root, record, now
        self.path = record_path(record)

    def copy(self, name: str) -> Path:
        """The folder again, for one who writes to it."""
        return Path(copytree(self.root, self.root.with_name(name)))

    def with_record(self, name: str) -> Path:
        """A copy to which somebody copied the record, as a program that syncs folders does."""
        root = self.copy(name)
        path = root / self.path
        if path.exists() and path.read_bytes() != self.record.file:
            path = path.with_name(f"{path.stem} (2).toml")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(self.record.file)
        return root

    def plain(self, text: str) -> str:
        """The text without ids and this machine's paths."""
        text = re.sub(rf"{re.escape(str(self.root.parent))}/\w+", "FOLDER", text)
        return _HEX.sub("<id>", text)


def scene_of(row: Row, then: Moment, root: Path) -> Scene:
    """The folder with what is there before the record comes, and the record."""
    folder = Folder(Path(copytree(then.root, root / "folder")))
    for other in row.get("here", ()):
        like = {name: x for name, x in row.items() if name != "number"} | dict(other)
        for number in range(other.get("first", 1), other.get("first", 1) + other.get("count", 1)):
            one = record_of(like, then, number)
            put_record(folder, one)
    now = then.now + 60 + row.get("host_hours", 0) * 3600
    return Scene(folder.root, record_of(row, then), now)


def record_of(row: Row, then: Moment, number: int = 7) -> Record[Any]:
    """The record that comes in a scene; `number` tells it from others like it."""
    return _MAKERS[row["kind"]](row, then, row.get("number", number))


def _place(row: Row, then: Moment) -> tuple[bytes, int, bytes]:
    """The game, the turn after which a record stands, and the head after that turn."""
    game, after = then.game.game_folder.game, row.get("after", then.last)
    heads = then.game.heads if after > then.last else then.heads
    head = heads[after] if after < len(heads) else bytes(32)
    if row.get("other_game"):
        game = bytes([1]) * 32
    return game, after, bytes([7]) * 32 if row.get("fork") else head


def _signer(row: Row, then: Moment) -> SigningKey:
    name = row.get("by", "")
    if name == "the seat's key":
        return then.game.seats[row["seat"]].key
    return key_named(name or NAMES[ord(row["seat"]) - 97])


def _join(row: Row, then: Moment, number: int) -> Record[Any]:
    invite, seat, code = row.get("invite", ""), row["seat"], b""
    if invite in "abcdef":
        code = invite_to(then.game.charter, key_named("Rhea"), invite).code if invite else b""
    else:
        code = code_named(invite)
    name = row.get("who", "Gil")
    key = key_named(f"{name} {number}" if number != 7 else name)
    join = newcomers_join(then.game, seat if seat in "abc" else "c", name, code, key)
    changes = {"seat": seat} if seat not in "abc" else {}
    changes |= {"prev": bytes(32)} if row.get("fork") else {}
    changes |= {"game": bytes([1]) * 32} if row.get("other_game") else {}
    return resigned(join, key, **changes) if changes else join


def _orders(row: Row, then: Moment, number: int) -> Record[Any]:
    game, after, prev = _place(row, then)
    seat, key, charter = row["seat"], _signer(row, then), then.game.charter.content
    if seat in charter.plays:
        prev = then.heads[after - 1]
    place = OrderPlace(game, after, seat, number)
    texts = (row["lines"],) if "lines" in row else ()
    secret = Secrets(key.seed).sealing(game, seat, after, number, texts_digest(texts))
    unsealed = UnsealedOrders(place, secret, texts)
    box = box_key(Secrets(key.seed).box(game, seat), charter.audit, game)
    return make(seal_orders(place, prev, unsealed, box), key)


def _press(row: Row, then: Moment, number: int) -> Record[Any]:
    writer = row.get("seat", REFEREE)
    reader, key = Reader(writer, bytes(32)), _signer(row, then)
    text = (f"Hello {row.get('body', '')}",)
    return make_message(_place(row, then), number, then.now, text, reader, key, "", {})


def _notice(row: Row, then: Moment, number: int) -> Record[Any]:
    place, key, saying = _place(row, then), _signer(row, then), _saying(row, then, number)
    count = 1 + (number - 1) % 8
    return make_notice(place, row.get("seat", REFEREE), count, saying, key)


def _saying(row: Row, then: Moment, number: int) -> Saying:
    says, _, about = row.get("says", "away").partition(" ")
    game, seat = then.game.game_folder.game, row.get("seat", "c")
    key = key_named(about or "Bo's new key")
    box = public_of(Secrets(key.seed).box(game, seat))
    if says == "key":
        return NewKey.make(key, box, game, seat, _seat_point(row, then, seat, key))
    if says == "vouch":
        point = _seat_point(row, then, "b", key)
        return Vouch("b", key.public, public_of(bytes([9]) * 32), *point)
    if says == "door":
        return SetDoor("c", door_named(about))
    if says == "seat":
        return TakeIn("c", then.here["join"].id if "join" in then.here else bytes(32))
    plain: dict[str, Saying] = {
        "away": Away(then.now + number, then.now + 10_000 + number),
        "vote": Vote("draw"),
        "hand-over": HandOver(about or "referee"),
        "dealer": ReplaceDealer(0),
    }
    return plain[says]


def _seat_point(row: Row, then: Moment, seat: str, key: SigningKey) -> SeatPoint:
    """The seat point that comes with new keys, if the scene has one: that of the seat's own key, or
    of another seat."""
    if "seat_point" not in row:
        return NO_SEAT_POINT
    owner = "a" if row["seat_point"] == "of another seat" else seat
    game = then.game.game_folder.game
    return SeatPoint(
        make_seat_point(then.game.charter.content, game, seat, key.seed).point,
        make_seat_point(then.game.charter.content, game, owner, key.seed).proof,
    )


def _turn(row: Row, then: Moment, number: int) -> Record[Any]:
    made = then.turns[row["turn"] - 1] if "turn" in row else then.next_turn
    assert made
    changes: dict[str, Any] = {}
    if row.get("fork"):
        changes["prev"] = bytes([7]) * 32
    if row.get("other_game"):
        changes["game"] = bytes([1]) * 32
    if "moved" in row:
        changes["turn"] = made.content.turn + row["moved"]
    if row.get("body"):
        changes["time"] = made.content.time + 1
    if row.get("without_notices"):
        changes["notices"] = ()
    if not changes and "by" not in row:
        return made
    key = key_named(row["by"]) if "by" in row else then.game.referee
    return resigned(made, key, **changes)


def _final(row: Row, then: Moment, number: int) -> Record[Any]:
    made = make(then.game.made.final(), then.game.referee)
    changes: dict[str, Any] = {"prev": bytes([7]) * 32} if row.get("fork") else {}
    changes |= {"r_ref": bytes(32)} if row.get("body") else {}
    key = key_named(row["by"]) if "by" in row else then.game.referee
    return resigned(made, key, **changes)


def _here(row: Row, then: Moment, number: int) -> Record[Any]:
    """A record of this moment that is not in the folder."""
    return then.later_orders[0] if row["of"] == "later orders" else then.here[row["of"]]


_MAKERS = {
    "join": _join, "orders": _orders, "press": _press, "notice": _notice, "turn": _turn,
    "final": _final, "here": _here,
}  # fmt: skip
