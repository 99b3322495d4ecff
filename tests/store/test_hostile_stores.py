"""Stores that answer too much, too slowly or too long, and servers that are not who they were."""

import json
import os
import shutil
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.files import store_answer_limits
from pbem.files.file_errors import AwayError, FileError, StorageError
from pbem.files.game_folder import SharedFolder
from pbem.files.game_folder_places import place_of
from pbem.files.home import Home
from tests.kit.bot_orders import WHOLE
from tests.kit.people import NOW, Person, Round
from tests.kit.processes import PATIENCE
from tests.kit.stores import Environ, Lie, LyingSshServer, S3Server, Send, SshServer
from tests.store.games_in_stores import advance_in_store, join_in_store, make_in_store
from tests.store.places import InBucket, OnServer

pytestmark = pytest.mark.store
TURN = "turns/0001.toml"
HUGE = 1 << 30
"""The bytes that a hostile store sends, if nobody stops it."""
PART = b"x" * (1 << 16)
SHORT = 8.0
"""The seconds for an answer in these tests."""
LONG = PATIENCE
"""The seconds that a slow server takes for its answer: pbem's own patience ends long before."""
READDIR, READ = 12, 5
HANDLE, DATA, NAMES = 102, 103, 104


@pytest.fixture
def begun_in_bucket(tmp_path: Path, bucket: InBucket) -> Round:
    """A game in a bucket with turn 1."""
    table = Round(tmp_path)
    join_in_store(table, bucket)
    assert advance_in_store(table.person("rhea"), bucket).exit == 0
    return table


@pytest.fixture
def ann_with_bucket(begun_in_bucket: Round) -> Person:
    return begun_in_bucket.person("ann")


@pytest.fixture
def short_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_answer_limits, "ANSWER_SECONDS", SHORT)


@pytest.fixture
def lying_ssh_server(ssh: SshServer) -> Iterator[LyingSshServer]:
    known = ssh.home / ".ssh/known_hosts"
    before = known.read_text()
    server = LyingSshServer(ssh.home)
    yield server
    server.stop()
    known.write_text(before)


class Sent:
    """Bytes without end, counted as they go out."""

    def __init__(self, first: bytes = b"", pause: float = 0) -> None:
        self.count, self.first, self.pause = 0, first, pause

    def __iter__(self) -> Iterator[bytes]:
        yield self.first
        until = time.monotonic() + LONG
        while self.count < HUGE and time.monotonic() < until:
            time.sleep(self.pause)
            part = b"x" if self.pause else PART
            self.count += len(part)
            yield part


def lie_about(
    s3: S3Server, method: str, path: str, sent: Iterable[bytes], status: str = "200 OK"
) -> None:
    """Let the server answer such requests with these bytes."""

    def instead(environ: Environ, start: Any) -> Iterable[bytes] | None:
        if environ["REQUEST_METHOD"] != method or not environ["PATH_INFO"].endswith(path):
            return None
        start(status, [("Content-Type", "application/xml")])
        return sent

    s3.lie = instead


def test_a_store_that_sends_more_of_a_file_than_was_asked_for_is_cut_off(
    bucket: InBucket, s3: S3Server, ann_with_bucket: Person
) -> None:
    sent = Sent()
    lie_about(s3, "GET", TURN, sent)
    said = ann_with_bucket.pbem(f"status -C {bucket.address}")
    assert (said.exit, "a different number of bytes than it lists" in said.err) == (5, True), said
    with pytest.raises(FileError, match="is too long: it has more than"):
        bucket.make().read(TURN)
    assert 0 < sent.count < 64 << 20


def test_a_huge_file_in_the_place_of_a_turn_is_set_aside_unread(
    begun_in_bucket: Round, bucket: InBucket, s3: S3Server, tmp_path: Path
) -> None:
    for name in ("ann", "bo"):
        assert (
            begun_in_bucket.person(name).pbem(["submit", "-C", bucket.address, "-"], WHOLE).exit
            == 0
        )
    size = 40 << 20
    bucket.put("turns/0002.toml", b"x" * size)
    bucket.put("turns/0002.toml.aside-1", b"older")
    s3.sent = 0
    said = advance_in_store(begun_in_bucket.person("rhea"), bucket)
    assert (said.exit, "turns/0002.toml.aside-2" in said.err) == (0, True), said
    assert s3.sent < 16 << 20
    assert len(bucket.get("turns/0002.toml.aside-2")) == size
    assert bucket.get("turns/0002.toml.aside-1") == b"older"
    assert begun_in_bucket.person("ann").pbem(f"status -C {bucket.address}").exit == 0


@pytest.mark.parametrize("status", ["200 OK", "403 no"])
def test_an_endless_answer_of_a_store_is_cut_off(bucket, s3, ann_with_bucket, status):
    sent = Sent(b"<ListBucketResult>")
    lie_about(
        s3, "GET", bucket.address.removeprefix("s3:/").removesuffix("/savannah"), sent, status
    )
    said = ann_with_bucket.pbem(f"status -C {bucket.address}")
    assert (said.exit, said.out) == (7, ""), said
    assert "the store sends more data than pbem asked for" in said.err
    assert 0 < sent.count < 64 << 20


@pytest.mark.parametrize("full", [True, False])
def test_an_endless_list_of_a_store_is_cut_off(bucket, s3, ann_with_bucket, monkeypatch, full):
    monkeypatch.setattr(store_answer_limits, "MAX_FILES", 5_000)
    monkeypatch.setattr(store_answer_limits, "ANSWER_SECONDS", SHORT if not full else LONG)
    pages = 0
    until = time.monotonic() + LONG

    def page(environ: Environ, start: Any) -> Iterable[bytes] | None:
        nonlocal pages
        if "list-type=2" not in environ["QUERY_STRING"] or time.monotonic() > until:
            return None
        pages += 1
        start("200 OK", [("Content-Type", "application/xml")])
        file = "<Contents><Key>savannah/{}</Key><Size>1</Size><ETag>e</ETag>"
        file += "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
        files = "".join(file.format(pages * 1_000 + n) for n in range(1_000 if full else 0))
        token = f"<NextContinuationToken>{pages}</NextContinuationToken>"
        told = f"<IsTruncated>true</IsTruncated>{token}{files}"
        return [f"<ListBucketResult>{told}</ListBucketResult>".encode()]

    s3.lie = page
    said = ann_with_bucket.pbem(f"status -C {bucket.address}")
    told = "the store lists more than" if full else "the store takes longer than"
    assert (said.exit, said.out, told in said.err) == (7 if full else 5, "", True), said
    if full:
        assert pages == 6


def names_packet(number: int, count: int) -> bytes:
    """An answer of SFTP with as many names."""
    one = string(b"a") + string(b"") + struct.pack(">I", 0)
    return struct.pack(">II", number, count) + one * count


def string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def folder_on_liar(liar: LyingSshServer, tmp_path: Path) -> SharedFolder:
    return Home(tmp_path / "home").folder(place_of(liar.address("/srv/savannah")))


@pytest.mark.parametrize("each", [0, 1_000])
def test_an_endless_list_by_sftp_is_cut_off(lying_ssh_server, tmp_path, monkeypatch, each):
    monkeypatch.setattr(store_answer_limits, "MAX_FILES", 5_000)
    monkeypatch.setattr(store_answer_limits, "ANSWER_SECONDS", LONG if each else SHORT)
    lying_ssh_server.lie = parts_of_list(lambda number: names_packet(number, each))
    told = "lists more than" if each else "takes longer than"
    with pytest.raises(StorageError, match=told) as refused:
        folder_on_liar(lying_ssh_server, tmp_path).scan()
    assert refused.value.exit == (7 if each else 5)


@pytest.mark.parametrize("what", ["names", "attributes"])
def test_an_sftp_answer_that_claims_more_names_than_it_has_is_refused(
    lying_ssh_server: LyingSshServer, tmp_path: Path, what: str
) -> None:
    name = string(b"a") + string(b"")
    if what == "names":
        body = struct.pack(">I", 4_000_000_000) + name + struct.pack(">I", 0)
    else:
        body = struct.pack(">I", 1) + name + struct.pack(">II", 0x80000000, 4_000_000_000)
    lying_ssh_server.lie = parts_of_list(lambda number: struct.pack(">I", number) + body)
    with pytest.raises(AwayError):
        folder_on_liar(lying_ssh_server, tmp_path).scan()


def parts_of_list(answer: Callable[[int], bytes]) -> Lie:
    """Answer each request for a part of a list with this packet."""

    def lie(kind: int, number: int, send: Send) -> bool:
        if kind == READDIR:
            send(NAMES, answer(number))
        else:
            send(HANDLE, struct.pack(">I", number) + string(b"h"))
        return False

    return lie


def test_an_endless_file_by_sftp_is_cut_off(lying_ssh_server, tmp_path):
    def answer(kind: int, number: int, send: Send) -> bool:
        if kind != READ:
            send(HANDLE, struct.pack(">I", number) + string(b"h"))
            return False
        send(DATA, struct.pack(">I", number + 99) + string(PART))
        return lying_ssh_server.sent < HUGE

    lying_ssh_server.lie = answer
    with pytest.raises(StorageError, match="sends more data than pbem asked for"):
        folder_on_liar(lying_ssh_server, tmp_path).read(TURN)
    assert lying_ssh_server.sent < 128 << 20


def test_an_endless_packet_by_ssh_is_cut_off(lying_ssh_server, tmp_path):
    def hello() -> Iterator[bytes]:
        yield b"SSH-2.0-liar\r\n"
        yield struct.pack(">I", 0x7FFFFFF8)
        for _ in range(HUGE // len(PART)):
            yield PART

    lying_ssh_server.raw = hello
    with pytest.raises(StorageError):
        folder_on_liar(lying_ssh_server, tmp_path).scan()
    assert lying_ssh_server.sent < 128 << 20


@pytest.mark.usefixtures("short_answers")
@pytest.mark.parametrize("what", ["the list", "a file", "an error"])
def test_a_store_that_sends_a_byte_now_and_then_is_given_up(bucket, s3, ann_with_bucket, what):
    sent = Sent(b"<", pause=0.2)
    whole = bucket.address.removeprefix("s3:/").removesuffix("/savannah")
    status = "403 no" if what == "an error" else "200 OK"
    lie_about(s3, "GET", TURN if what == "a file" else whole, sent, status)
    ann_with_bucket.pbem(f"show -C {bucket.address}").checked(5, err="the store takes longer than")


@pytest.mark.usefixtures("short_answers")
def test_an_ssh_server_that_sends_a_byte_now_and_then_is_given_up(lying_ssh_server, tmp_path):
    def answer(kind: int, number: int, send: Send) -> bool:
        time.sleep(0.2)
        send(DATA, struct.pack(">I", number + 99))
        return True

    lying_ssh_server.lie = answer
    with pytest.raises(AwayError, match="the store takes longer than"):
        folder_on_liar(lying_ssh_server, tmp_path).scan()

    ended = list[bool]()

    def hello() -> Iterator[bytes]:
        yield b"SSH-2.0-liar\r\n" + struct.pack(">I", 30_000)
        for _ in range(int(LONG / 0.2)):
            time.sleep(0.2)
            yield b"x"
        ended.append(True)

    lying_ssh_server.raw = hello
    with pytest.raises(AwayError):
        folder_on_liar(lying_ssh_server, tmp_path).scan()
    assert not ended, "nobody waited until the server had said all"


def test_an_ssh_connection_that_rests_between_answers_is_not_given_up(on_server, monkeypatch):
    folder = on_server.make()
    folder.create("game.toml", b"charter")
    monkeypatch.setattr(store_answer_limits, "ANSWER_SECONDS", SHORT)
    assert folder.scan().charter
    time.sleep(SHORT + 0.5)
    assert folder.scan().charter


def in_sftp(tmp_path: Path, on_server: OnServer) -> Round:
    table = Round(tmp_path)
    join_in_store(table, on_server)
    assert advance_in_store(table.person("rhea"), on_server).exit == 0
    return table


def test_a_file_name_that_is_not_utf_8_stops_nobody(tmp_path: Path, on_server: OnServer) -> None:
    table = in_sftp(tmp_path, on_server)
    for place in (b"caf\xe9.txt", b"turns/0002\xff.toml", b"orders/.~pbem-\xe9"):
        path = os.path.join(os.fsencode(on_server.root), place)
        Path(os.fsdecode(path)).parent.mkdir(exist_ok=True)
        Path(os.fsdecode(path)).write_bytes(b"junk")
    old = time.time() - 9_999
    os.utime(os.path.join(os.fsencode(on_server.root), b"orders/.~pbem-\xe9"), (old, old))
    ann = table.person("ann")
    for line in ("status", "show", "log", "tell hello"):
        said = ann.pbem(f"{line} -C {on_server.address}").checked(0)
    assert advance_in_store(table.person("rhea"), on_server).exit == 5, "nobody has sent orders"
    said = ann.pbem(f"doctor -C {on_server.address}")
    assert "caf" in said.text
    assert "turns/0002" in said.text
    assert ann.pbem(f"audit {on_server.address}").exit == 0


def test_a_full_disk_of_an_ssh_server_is_named(ssh: SshServer, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    full = SshServer(tmp_path / "full", full=True)
    known, before = ssh.home / ".ssh/known_hosts", (ssh.home / ".ssh/known_hosts").read_text()
    known.write_text(before + (full.home / ".ssh/known_hosts").read_text())
    (full.root / "authorized").write_text((ssh.root / "authorized").read_text())
    folder = tmp_path / "savannah"
    try:
        rhea = Round(tmp_path).person("rhea")
        said = rhea.pbem(f"new {full.address(folder)} --players Ann,Bo")
    finally:
        full.stop()
        known.write_text(before)
    assert (said.exit, "perhaps because its disk or your part" in said.err) == (7, True), said
    assert said.err.startswith(f"error: {full.address(folder)}/game.toml: ")
    assert list(folder.iterdir()) == []


def test_an_ssh_server_whose_host_key_has_changed_gets_nothing(tmp_path, ssh, on_server):
    table = in_sftp(tmp_path, on_server)
    ann, rhea = table.person("ann"), table.person("rhea")
    (tmp_path / "other").mkdir()
    other = SshServer(tmp_path / "other")
    known = ssh.home / ".ssh/known_hosts"
    before = known.read_text()
    host = (other.root / "host.pub").read_text().split(" ")[1]
    known.write_text(f"{before.split(' ')[0]} ssh-ed25519 {host}\n")
    files = on_server.names()
    try:
        for who in (ann, rhea):
            for line in ("status", "show", "tell hello", "submit -", "advance", "doctor"):
                said = who.really([*line.split(), "-C", on_server.address])
                assert said.exit == 7 or (line, said.exit) == ("doctor", 0), said
                assert "the server's host key has changed" in said.text
        assert on_server.names() == files
    finally:
        other.stop()
        known.write_text(before)
    assert ann.pbem(f"status -C {on_server.address}").exit == 0


@pytest.mark.usefixtures("patience_with_s3")
def test_a_store_that_stops_honouring_conditions_still_gets_one_turn(tmp_path, bucket, s3):
    """It passed the test for them; then the bucket moves to another program."""
    table = Round(tmp_path)
    lines = make_in_store(table, bucket)
    rhea, ann, bo = (table.person(name) for name in ("rhea", "ann", "bo"))
    assert ann.pbem(lines[0]).exit == 0
    s3.conditions = False
    assert bo.pbem(lines[1]).exit == 0
    other = []
    laptop = {"PBEM_HOME": str(tmp_path / "laptop"), "SOURCE_DATE_EPOCH": "1700000060"}

    def meanwhile(method: str, path: str) -> str:
        if method == "PUT" and path.endswith(TURN) and not other:
            other.append(None)
            other[0] = rhea.really(f"advance -C {bucket.address}", **laptop)
        return ""

    shutil.copytree(rhea.home, tmp_path / "laptop")
    s3.fault = meanwhile
    said = advance_in_store(rhea, bucket)
    assert other[0] is not None
    assert sorted([said.exit, other[0].exit]) in ([0, 3], [0, 5]), (said, other)
    signed = sorted(x.read_bytes() for x in tmp_path.glob("*/*/games/*/signed"))
    signed += [x.read_bytes() for x in (tmp_path / "laptop").glob("games/*/signed")]
    turn = bucket.get(TURN)
    winner = said if said.exit == 0 else other[0]
    assert "made turns/0001.toml" in winner.out
    assert sum(one.split(b"\n", 1)[1] == turn for one in signed) == 1
    kept = rhea.home if winner is said else tmp_path / "laptop"
    (mine,) = kept.glob("games/*/signed")
    assert mine.read_bytes().split(b"\n", 1)[1] == turn, "who was told so has made the turn"


def test_players_to_whom_a_store_shows_two_games_have_different_words(
    begun_in_bucket: Round, bucket: InBucket, s3: S3Server, tmp_path: Path
) -> None:
    rhea, ann, bo = (begun_in_bucket.person(name) for name in ("rhea", "ann", "bo"))
    for who in (ann, bo):
        assert who.pbem(["submit", "-C", bucket.address, "-"], WHOLE).exit == 0
    other = InBucket(s3.client(), f"{bucket.bucket}-bo", tmp_path)
    for name in bucket.names():
        other.put(name, bucket.get(name))
    shutil.copytree(rhea.home, tmp_path / "laptop")
    assert advance_in_store(rhea, bucket, SOURCE_DATE_EPOCH=str(NOW + 60)).exit == 0
    laptop = {"PBEM_HOME": str(tmp_path / "laptop"), "SOURCE_DATE_EPOCH": str(NOW + 120)}
    assert advance_in_store(rhea, other, **laptop).exit == 0
    s3.view = lambda who, path: (
        path.replace(bucket.bucket, other.bucket, 1) if who == "AKIABO" else path
    )
    bo.env["AWS_ACCESS_KEY_ID"] = "AKIABO"
    words = []
    for who in (ann, bo):
        said = who.pbem(f"status -C {bucket.address} --json").checked(0)
        words.append(" ".join(json.loads(said.out)["data"]["words"]))
    assert words[0] != words[1], "read out by phone, they do not agree"
    told = bo.pbem(["audit", bucket.address, "--head", words[0]])
    told.checked(3, out="no turn in this folder has the words that you gave")
    s3.view = lambda who, path: path
    for line in ("status", "show", "log", "tell hello"):
        said = bo.pbem([*line.split(), "-C", bucket.address]).checked(3, err="turns/0002.toml")


def test_no_command_goes_on_if_a_store_takes_a_turn_back(begun_in_bucket, bucket, ann_with_bucket):
    for name in ("ann", "bo"):
        assert (
            begun_in_bucket.person(name).pbem(["submit", "-C", bucket.address, "-"], WHOLE).exit
            == 0
        )
    assert advance_in_store(begun_in_bucket.person("rhea"), bucket).exit == 0
    assert ann_with_bucket.pbem(f"show -C {bucket.address}").exit == 0
    bucket.remove("turns/0002.toml")
    before = bucket.names()
    for line in ("status", "show", "log", "submit -", "tell hello", "notice concede --yes"):
        said = ann_with_bucket.pbem([*line.split(), "-C", bucket.address], WHOLE)
        assert (said.exit, "turn 2" in said.err) == (3, True), said
    assert bucket.names() == before


@pytest.mark.parametrize(
    ("line", "place", "told"),
    [
        ("tell hello", "press/", "to all"),
        ("notice key", "notices/", "BACK UP"),
        ("notice away 2023-11-16..2023-11-18", "notices/", "SIGNED"),
    ],
)
def test_a_file_that_a_store_took_without_answering_is_found_again(
    bucket: InBucket, s3: S3Server, ann_with_bucket: Person, line: str, place: str, told: str
) -> None:
    s3.fault = lambda method, path: "lost" if method == "PUT" and f"/{place}" in path else ""
    ann_with_bucket.pbem([*line.split(), "-C", bucket.address]).checked(0, text=told)
    assert len([name for name in bucket.names() if name.startswith(place)]) == 1
    s3.heal()
    assert ann_with_bucket.pbem(f"status -C {bucket.address}").exit == 0


def test_a_claim_that_a_store_took_without_answering_blocks_nobody(bucket, s3, ann_with_bucket):
    s3.conditions = False
    s3.fault = lambda method, path: "lost" if method == "PUT" and "pbem-claim" in path else ""
    ann_with_bucket.pbem(f"tell -C {bucket.address} hello").checked(5)
    assert [name for name in bucket.names() if name.startswith("press/")] == []
    s3.fault = lambda method, path: ""
    assert ann_with_bucket.pbem(f"tell -C {bucket.address} hello").exit == 0
    assert len([name for name in bucket.names() if name.startswith("press/")]) == 1


def test_a_part_of_a_file_is_not_taken_for_the_whole_file(bucket, s3, ann_with_bucket):
    half = bucket.get(TURN)[:-40]
    lie_about(s3, "GET", TURN, [half])
    said = ann_with_bucket.pbem(f"status -C {bucket.address}")
    assert (said.exit, "a different number of bytes than it lists" in said.err) == (5, True), said
    s3.heal()
    assert ann_with_bucket.pbem(f"status -C {bucket.address}").exit == 0
