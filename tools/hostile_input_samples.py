"""Samples of hostile input for `tools.hostile_input_cost`: emails, zips, texts, order lines,
folders."""

from __future__ import annotations

import base64
import io
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator

from pbem.files.record_file_names import Name
from pbem.format.mail_block import block_checksum, block_of, encode
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import make_join, make_notice
from pbem.judge.notice_kinds import Delay
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.read_and_make_messages import Reader, make_message
from pbem.records.read_and_sign_record import Record
from tests.kit.played_games import Played, Player, played_key

Make = Callable[[], bytes]
HEAD = b"From: a@b\nSubject: x\nMIME-Version: 1.0\n"
LONG_MAIL_BYTES = 1 << 22
"""The number of bytes of a long mail: four million."""


def run_of(pattern: bytes, size: int = LONG_MAIL_BYTES) -> Make:
    return lambda: pattern * (size // len(pattern))


# ------------------------------------------------------------------ mails
def mail(header: bytes, body: bytes = b"Hello\n") -> Make:
    return lambda: HEAD + header + b"\n\n" + body


def nested(depth: int) -> bytes:
    """Multiparts inside multiparts."""
    mail_bytes = HEAD
    for level in range(depth):
        mail_bytes += b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level)
    return mail_bytes + b"\nHello\n"


def siblings(count: int) -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nHello\n" * count


def letters_in_letters(depth: int) -> bytes:
    return HEAD + b"Content-Type: message/rfc822\n\nFrom: a@b\n" * depth + b"\nHello\n"


def packed(data: bytes) -> bytes:
    """An email with this as its attachment."""
    attachment_head = b"Content-Type: application/zip\nContent-Transfer-Encoding: base64\n\n"
    return HEAD + attachment_head + base64.encodebytes(data)


MAILS: dict[str, Make] = {
    "charset in encoded words": mail(b"To: " + b"=?charset=?q?x?= " * 16_000),
    "charset= 280 kB": mail(b"Content-Type: text/plain; charset=" + b"=?utf-8?q?=41?= " * 17_000),
    "charset= 840 kB": mail(b"Content-Type: text/plain; charset=" + b"=?utf-8?q?=41?= " * 52_000),
    "numbered parameters": mail(
        b"Content-Type: text/plain" + b"".join(b"; a*%d=x" % n for n in range(90_000))
    ),
    "one parameter 30,000 times": mail(b"Content-Type: text/plain" + b"; a=x" * 30_000),
    "quotes in a parameter": mail(b'Content-Type: text/plain; a="' + b'\\"' * 500_000),
    "2,000 parts of parameters": lambda: (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=b\n\n"
        + (b"--b\nContent-Type: text/plain" + b';a="\\"' * 700 + b"\n\nx\n") * 1_900
    ),
    "addresses": mail(b"To: " + b"a:(" * 300_000),
    "100,000 fields": mail(b"\n".join(b"X-%d: x" % n for n in range(100_000))),
    "a field of 5 MB": mail(b"X: " + b"x" * 5_000_000),
    "a folded field": mail(b"X: x" + b"\n y" * 500_000),
    "500 multiparts": lambda: nested(500),
    "20,000 multiparts": lambda: nested(20_000),
    "100,000 parts": lambda: siblings(100_000),
    "1,000 letters in letters": lambda: letters_in_letters(1000),
    "boundary of one dash": lambda: (
        HEAD + b"Content-Type: multipart/mixed; boundary=-\n\n" + b"\n---" * 1_000_000
    ),
    "an mbox of 100,000": run_of(b"From x\nSubject: x\n\nx\n\n", 2_500_000),
    "punycode": mail(b"Content-Type: text/plain; charset=punycode", b"a" * LONG_MAIL_BYTES + b"-b"),
    "idna": mail(b"Content-Type: text/plain; charset=idna", b"a." * (LONG_MAIL_BYTES // 2)),
    "utf-7": mail(b"Content-Type: text/plain; charset=utf-7", b"+AAA" * (LONG_MAIL_BYTES // 4)),
    "quoted-printable": mail(b"Content-Transfer-Encoding: quoted-printable", b"=41" * 1_300_000),
}


# ------------------------------------------------------------------ replies by plain email
def reply(body: bytes, kind: bytes = b"plain") -> Callable[[str], bytes]:
    """An email with this text that answers the email with this code."""
    return lambda code: (
        b"From: bo@example.org\nSubject: Re: [" + code.encode() + b"]\n"
        b"Content-Type: text/" + kind + b"\n\n" + body
    )


WORDS = b"I would like to put long neck or cooperation on my second piece, number %d, if I may\n"
REPLIES: dict[str, Callable[[str], bytes]] = {
    "400 lines of numbers": reply(b"".join(b"%d\n" % n for n in range(1, 401))),
    "400 lines of free words": reply(b"".join(WORDS % n for n in range(400))),
    "400 lines for others": reply(b"".join(b"tell Ann: peace %d\n" % n for n in range(400))),
    "400 lines of questions": reply(b"".join(b"explain card %d\n" % n for n in range(400))),
    "10 MB of lines": reply(b"3\n" * (5 << 20)),
    "10 MB in one line": reply(b"3 " * (5 << 20)),
    "10 MB of quotes": reply(b"> 3\n" * (10 << 18)),
    "10 MB of HTML": reply(b"<p>3</p>\n" * (1 << 20), b"html"),
    "100,000 divs in divs": reply(b"<div>" * 100_000 + b"3" + b"</div>" * 100_000, b"html"),
    "100,000 quotes in quotes": reply(b"<blockquote>" * 100_000 + b"3", b"html"),
    "100,000 tables in tables": reply(b"<table><tr><td>" * 100_000 + b"3", b"html"),
    "20,000 multiparts": lambda code: nested(20_000).replace(
        b"Subject: x", b"Subject: [" + code.encode() + b"]"
    ),
}


# ------------------------------------------------------------------ blocks
def block(data: bytes) -> bytes:
    return block_of(zlib.compress(data, 9), block_checksum(data)).encode()


def broken_blocks(count: int) -> Iterator[bytes]:
    """Blocks that prove to be damaged only when all but the last bytes are unpacked."""
    packed = zlib.compress(bytes((1 << 20) - 1), 9)[:-4]
    return (block_of(packed + n.to_bytes(4, "big"), "0" * 16).encode() for n in range(count))


TEXTS: dict[str, Make] = {
    "4 MB of >": run_of(b">"),
    "4 MB of -": run_of(b"-"),
    "4 MB of > and ends": run_of(b"> \n"),
    "4 MB of <": run_of(b"<"),
    "4 MB of tags": run_of(b"<a"),
    "4 MB of &#9;": run_of(b"&#9;"),
    "&# and a million digits": lambda: b"<b>&#" + b"9" * 1_000_000 + b";",
    "a tag without an end": lambda: b"<" + b"a" * LONG_MAIL_BYTES,
    "4 MB of =41": run_of(b"=41"),
    "4 MB of BEGIN PBEM": run_of(b"BEGIN PBEM "),
    "4 MB of marks": run_of(b"-BEGIN PBEM-"),
    "4 MB of damaged blocks": run_of(b"-----BEGIN PBEM-----\nAA\ncheck: 0\n-----END PBEM-----\n"),
    "4 MB of good blocks": lambda: encode([b"x"] * 50_000).encode(),
    "a block of 200 MB of zeros": lambda: block(bytes(200 << 20)),
    "4 MB of blocks of 1 MB": lambda: block(bytes(1 << 20)) * 2_800,
    "4 MB of blocks of nearly 1 MB": lambda: b"".join(broken_blocks(2_800)),
    "4 MB of check": run_of(b"check: "),
    "dashes before PBEM": lambda: b"-" * LONG_MAIL_BYTES + b"BEGIN PBEM",
    "quotes before PBEM": lambda: b"> \n" * (LONG_MAIL_BYTES // 3) + b"BEGIN PBEM",
    "4 MB of nothing to see": run_of("\u200b".encode()),
    "4 MB of base64": run_of(b"A "),
    "UTF-16": lambda: ("\u2014BEGIN PBEM" * 150_000).encode("utf-16"),
    "13 MB": run_of(b"x", 13 << 20),
}


def cut(make: Make) -> Make:
    """The first two million bytes of the data."""
    return lambda: make()[:2_000_000]


# ------------------------------------------------------------------ zips
def zipped(members: Iterator[tuple[str, bytes]], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def repeated_members(count: int, data: bytes) -> Iterator[tuple[str, bytes]]:
    return ((f"{n}.toml", data) for n in range(count))


def matryoshka(depth: int, width: int, data: bytes) -> bytes:
    """Zips inside zips, each with ``width`` copies of the one inside."""
    for _ in range(depth):
        data = zipped(repeated_members(width, data))
    return data


def dense(size: int) -> bytes:
    """Data that packs to a sixtieth: below the limit of the ratio."""
    return b"".join(os.urandom(16) * 64 for _ in range(size // 1024))


ZIPS: dict[str, Make] = {
    "200 MB of zeros": lambda: zipped(repeated_members(1, bytes(200 << 20))),
    "200 MB, a sixtieth packed": lambda: zipped(repeated_members(200, dense(1 << 20))),
    "zips in zips, 10 wide": lambda: matryoshka(5, 10, zipped(repeated_members(1, bytes(1 << 20)))),
    "zips in zips, 20 deep": lambda: matryoshka(20, 1, b"x"),
    "100,000 empty files": lambda: zipped(repeated_members(100_000, b""), zipfile.ZIP_STORED),
    "lzma": lambda: zipped(repeated_members(30, bytes(1 << 20)), zipfile.ZIP_LZMA),
    "bzip2": lambda: zipped(repeated_members(30, bytes(1 << 20)), zipfile.ZIP_BZIP2),
    "a zip in a mail": lambda: packed(zipped(repeated_members(1, bytes(50 << 20)))),
    "1,900 mails": lambda: zipped(repeated_members(1_900, mail(b"X: x")())),
    "zips of damaged text": lambda: zipped(repeated_members(11, b"<a BEGIN PBEM&#9;" * 60_000)),
}

# ------------------------------------------------------------------ TOML that people write
TOMLS: dict[str, Make] = {
    "a name of 30,000 parts": lambda: b"a" + b".a" * 30_000 + b" = 1\n",
    "such a table": lambda: b"[a" + b".a" * 30_000 + b"]\n",
    "quoted parts": lambda: b'"a"' + b' . "a"' * 15_000 + b" = 1\n",
    "60,000 lists in lists": lambda: b"a = " + b"[" * 60_000,
    "lists in lists, on lines": lambda: b"a = " + b"[\n" * 3_900,
    "tables in tables": lambda: b"a = " + b"{a = " * 12_000,
    "1 MB": lambda: b"".join(b"a%d = 1\n" % n for n in range(90_000)),
    "3,900 names": lambda: b"".join(b"a%d = 1\n" % n for n in range(3_900)),
    "an integer of 100,000 digits": lambda: b"a = " + b"9" * 100_000,
    "raw control characters": lambda: b"a = '\x1b[2J'\n" * 100,
    "quotes": lambda: b'a = """' + b'"" ' * 30_000,
    "no text": lambda: b"\xff" * 60_000,
}


# ------------------------------------------------------------------ rule cases
def case(position: str, count: int = 1) -> Make:
    """A file with this many rule cases of this position."""
    head = 'game = "evolution"\nseats = "abcdef"\nsource = "x"\nphase = "feed"\n'
    row = '[[case]]\nid = "x%d"\ntitle = "x"\nthen = { round = 1 }\nposition = { %s }\n'
    return lambda: (head + "".join(row % (n, position) for n in range(count))).encode()


CASES: dict[str, Make] = {
    "species a3000000": case('a = ["a3000000"]'),
    "round 3000000": case("round = 3000000"),
    "500 cases of species a199": case('a = ["a199"]', 500),
}


# ------------------------------------------------------------------ order drafts
def draft(kind: str, lines: list[str]) -> Make:
    rows = "".join(f'  "{line}",\n' for line in lines)
    return lambda: f"{kind} = [\n{rows}]\n".encode()


DRAFTS: dict[str, Make] = {
    "512 lines of stars": draft("feed", [f"{'* ' * 90}*{n}" for n in range(512)]),
    "512 stars in one word": draft("feed", [f"{'*a' * 60}b{n}*" for n in range(512)]),
    "512 short lines of stars": draft("feed", [f"* a{n}*" for n in range(512)]),
    "512 lines that are read": draft("feed", [f"* attacks b{n}*" for n in range(512)]),
    "2,000 unreadable lines": draft("feed", [f"x{n} bites the dust" for n in range(2_000)]),
    "a line of 100 kB": draft("feed", ["a1 attacks " + "a1 " * 33_000]),
    "512 steps": draft("play", [f"[horns 4] on a{n}" for n in range(1, 513)]),
}


# ------------------------------------------------------------------ folders
def stranger(number: int) -> SigningKey:
    return SigningKey(number.to_bytes(32, "big"))


def strange_joins(game: Played, count: int) -> Iterator[tuple[Name, Record[object]]]:
    """Joins by strangers: correctly signed, but without the code."""
    for number in range(1, count + 1):
        join = make_join(game.charter, "b", "Bo", stranger(number), bytes(16), "")
        yield Name("join", seat="b", short_id=join.id.hex()[:6]), join  # type: ignore[misc]


def many_joins(game: Played) -> None:
    for name, record in strange_joins(game, 1_500):
        game.folder.create(name, record.file)


def a_player(game: Played) -> Player:
    return next(game.seats[seat] for seat in sorted(game.made_awaited()))


def many_orders(game: Played) -> None:
    """Three hundred sets of one seat, each of 500 lines."""
    player = a_player(game)
    for revision in range(1, 100):
        for part in range(3):
            lines = [f"feed: a{part + 1} eats"] * 250 + ["feed: * attacks *"] * 250
            record = player.orders(lines, revision)
            game.folder.create(file_name(record), record.file)


def starry_orders(game: Played) -> None:
    """Lines with as many stars as fit, ahead of the player's own lines."""
    player = a_player(game)
    lines = ["feed: " + "*a" * 90 + "*", "feed: " + "*a" * 90 + "b", "feed: " + "* " * 90 + "*"]
    record = player.orders(lines + player.lines(), 2)
    game.folder.create(file_name(record), record.file)


def forged_orders(game: Played) -> None:
    """A thousand files with a player's key and a signature that does not fit."""
    record = a_player(game).orders([], 1)
    for number in range(1_000):
        name = file_name(record)._replace(short_id=f"{number:06x}", revision=number % 99 + 1)
        game.folder.create(name, record.file.replace(b"revision = 1", b"revision = 2"))


def junk_orders(game: Played) -> None:
    for number in range(9_000):
        name = Name("orders", number % 50 + 1, "b", number % 99 + 1, f"{number:06x}")
        (game.root / name.path).write_bytes(b"junk\n")


def junk_notices(game: Played) -> None:
    (game.root / "notices").mkdir(exist_ok=True)
    for number in range(9_000):
        name = Name("notice", number + 1, "b", number % 8 + 1, f"{number:06x}")
        (game.root / name.path).write_bytes(b"junk\n")


def junk_joins(game: Played) -> None:
    for number in range(9_000):
        (game.root / "seats" / f"a-{number:06x}.toml").touch()


def junk_messages(game: Played) -> None:
    (game.root / "press").mkdir(exist_ok=True)
    for number in range(9_000):
        name = Name("press", number % 5, "b", number % 64 + 1, f"{number:06x}")
        (game.root / name.path).write_bytes(b"junk\n")


def forged_messages(game: Played) -> None:
    """A thousand files with a player's key and a signature that does not fit."""
    place = game.game_folder.game, 1, game.heads[1]
    reader = Reader("b", bytes(32))
    record = make_message(place, 1, 1, ("peace",), reader, played_key("Bo"), "", {})
    (game.root / "press").mkdir(exist_ok=True)
    for number in range(1_000):
        name = Name("press", 1, "b", number % 64 + 1, f"{number:06x}")
        (game.root / name.path).write_bytes(record.file.replace(b"peace", b"chess"))


def strange_notices(game: Played) -> None:
    """A thousand notices of strangers, correctly signed."""
    place = game.game_folder.game, 1, game.heads[1]
    (game.root / "notices").mkdir(exist_ok=True)
    for number in range(1_000):
        notice = make_notice(place, "b", number % 8 + 1, Delay(number + 1), stranger(number))
        (game.root / file_name(notice).path).write_bytes(notice.file)


def litter(game: Played) -> None:
    for number in range(5_000):
        (game.root / "orders" / f"copy ({number}) of x.toml").write_bytes(b"x")


def pipes(game: Played) -> None:
    for number in range(100):
        os.mkfifo(game.root / "orders" / f"0001-a-1-{number:06x}.toml")


def long_records(game: Played) -> None:
    for number in range(50):
        path = game.root / "seats" / f"b-{number:06x}.toml"
        path.write_bytes(b"x" * (1 << 20))


def turns_to_come(game: Played) -> None:
    """A file for every turn to come: each a copy of the last turn with its text changed."""
    last_path = max((game.root / "turns").iterdir(), default=None)
    data = (
        last_path.read_bytes().replace(b"deadline = ", b"deadline = 1") if last_path else b"junk\n"
    )
    (game.root / "turns").mkdir(exist_ok=True)
    for number in range(len(game.turns) + 1, 10_000):
        (game.root / f"turns/{number:04}.toml").write_bytes(data)


FOLDERS: dict[str, Callable[[Played], None]] = {
    "1,500 joins of strangers": many_joins,
    "300 sets of orders": many_orders,
    "orders full of stars": starry_orders,
    "1,000 forged orders": forged_orders,
    "9,000 junk orders": junk_orders,
    "9,000 junk notices": junk_notices,
    "9,000 junk seats": junk_joins,
    "9,000 junk messages": junk_messages,
    "1,000 forged messages": forged_messages,
    "1,000 notices of strangers": strange_notices,
    "5,000 files of others": litter,
    "100 pipes": pipes,
    "50 joins of 1 MB": long_records,
    "9,994 turns to come": turns_to_come,
}


def by_strangers(game: Played, count: int) -> bytes:
    """A bundle of correctly signed joins by strangers."""
    return encode(record.file for _, record in strange_joins(game, count)).encode()


def a_long_record(game: Played) -> bytes:
    """Orders of nearly 1 MB, correctly signed, in a form that is slow to refuse."""
    from pbem.format.signed_file import sign

    body = b"".join(b"[[a]]\n" for _ in range(170_000))
    return encode([sign("orders", body, played_key("Eve")).file] * 7).encode()
