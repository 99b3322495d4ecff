"""What a host keeps of those who want to be called, alone and beside another host over the same
games."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.files.file_errors import StorageError
from pbem.files.game_folder_places import place_of
from pbem.files.write_once_files import WriteOnceFiles, files_beside
from pbem.host import taken_call_requests
from pbem.host.record_gate import HostRefusal
from pbem.host.taken_call_requests import (
    ADDRESS_NAME_CHARACTERS,
    CallBook,
    TakenRequest,
    address_name_of,
)
from pbem.records.player_call_request import CallRequest, make_call_request
from tests.kit.people import NOW, key_of

GAME, HOST = "5f" * 16, "https://pond.example.org"
ANN = key_of("ann")
ADDRESS = "https://push.example.org/1"
KEYS = {"p256dh": b"\4" * 65, "auth": b"\1" * 16}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW))


@pytest.fixture
def own_book(tmp_path: Path) -> CallBook:
    return book_in(tmp_path)


def book_in(folder: Path) -> CallBook:
    return CallBook(WriteOnceFiles(folder / "calls"))


def take(book: CallBook, address: str, time: int, on: bool = True) -> TakenRequest | None:
    """Let a book take Ann's request; return what it has for the address then."""
    way = "push" if "://" in address else "mail"
    keys = KEYS if way == "push" and on else {}
    content = CallRequest(
        game=bytes(32), host=HOST, seat="a", time=time, way=way, on=on, address=address, **keys
    )
    book.take(GAME, make_call_request(content, ANN), ANN.public, content)
    return book.request_for(address_name_of(GAME, ANN.public, address))


def kept_names(folder: Path, word: str = "") -> list[str]:
    return sorted(path.name for path in (folder / "calls").iterdir() if word in path.name)


def test_a_mail_address_that_replaces_another_must_be_confirmed(own_book: CallBook, tmp_path: Path):
    own_book.confirm(take(own_book, "ann@example.org", NOW))
    renewed = take(own_book, "ann@example.org", NOW + 1)
    assert own_book.is_wanted(renewed), "the same address goes on"
    assert own_book.is_confirmed(renewed)
    other = take(own_book, "ann@example.com", NOW + 2)
    assert not own_book.is_wanted(renewed)
    assert not own_book.is_confirmed(other)
    again = take(own_book, "ann@example.org", NOW + 3)
    assert not own_book.is_confirmed(again)
    assert not kept_names(tmp_path, "confirmed")


def test_nobody_can_make_two_addresses_with_one_file_name():
    """A confirmation counts for a name, so it has 128 bits of the hash of each part."""
    names = {address_name_of(GAME, bytes([n]) * 32, f"{n}@example.org") for n in range(3)}
    assert {len(name) for name in names} == {ADDRESS_NAME_CHARACTERS} == {3 * 32 + 2}


@pytest.mark.parametrize("address", [ADDRESS, "ann@example.org"])
def test_no_earlier_call_request_comes_back_after_a_stop(own_book, tmp_path, address):
    request = take(own_book, address, NOW)
    own_book.remove(request)  # with the link in a letter, or because a push service says: gone
    for time in (NOW - 1, NOW):
        with pytest.raises(HostRefusal, match="a newer call request"):
            take(own_book, address, time)
    assert take(own_book, address, NOW + 1)
    assert take(own_book, address, NOW + 3, on=False) is None
    with pytest.raises(HostRefusal, match="a newer call request"):
        take(own_book, address, NOW + 2)
    assert address.encode() not in b"".join(
        path.read_bytes() for path in (tmp_path / "calls").iterdir()
    )


def test_a_stop_that_arrives_first_cancels_an_earlier_call_request(own_book: CallBook):
    assert take(own_book, ADDRESS, NOW, on=False) is None
    with pytest.raises(HostRefusal, match="a newer call request"):
        take(own_book, ADDRESS, NOW - 3)
    assert take(own_book, ADDRESS, NOW + 5)
    with pytest.raises(HostRefusal, match="a newer call request"):
        take(own_book, ADDRESS, NOW + 4, on=False)


@pytest.fixture(params=["disk", pytest.param("bucket", marks=pytest.mark.store)])
def own_files(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> WriteOnceFiles:
    """The little files of hosts over one folder, or over one bucket."""
    if request.param == "disk":
        return WriteOnceFiles(tmp_path / "calls")
    server = request.getfixturevalue("s3_of_session")
    for name, value in server.env().items():
        monkeypatch.setenv(name, value)
    server.client().create_bucket(Bucket="calls")
    return files_beside(place_of("s3://calls/games"), "calls")


def test_a_stop_of_calls_counts_at_once_for_another_host_of_the_same_games(
    own_files: WriteOnceFiles,
):
    ours, theirs = CallBook(own_files), CallBook(own_files)
    ours.game_names(), theirs.game_names()
    request = take(ours, ADDRESS, NOW)
    assert ours.is_wanted(request)
    take(theirs, ADDRESS, NOW + 1, on=False)
    assert not ours.is_wanted(request)
    with pytest.raises(HostRefusal, match="a newer call request"):
        take(ours, ADDRESS, NOW)
    letters = take(ours, "ann@example.org", NOW)
    assert theirs.request_for(letters.address_name) == letters, "its link works at both"
    theirs.remove(letters)
    assert not ours.is_wanted(letters)
    again = take(ours, ADDRESS, NOW + 2)
    assert theirs.request_for(again.address_name) == again
    assert [book.claim(again, 1, 1) for book in (ours, theirs, ours)] == [True, False, False]
    theirs.forget_game(GAME)
    assert own_files.names() == []


class _BusyFiles(WriteOnceFiles):
    """The files of a host while another one works: `meanwhile` happens just before one is made."""

    meanwhile: Callable[[], object] | None = None

    def make(self, name: str, data: bytes) -> bool:
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile:
            meanwhile()
        return super().make(name, data)


def test_of_a_call_request_and_a_stop_at_two_hosts_the_later_counts(tmp_path: Path):
    files = _BusyFiles(tmp_path / "calls")
    ours, theirs = CallBook(files), book_in(tmp_path)
    files.meanwhile = lambda: take(theirs, ADDRESS, NOW + 1, on=False)
    with pytest.raises(HostRefusal, match="a newer call request"):
        take(ours, ADDRESS, NOW)
    files.meanwhile = lambda: take(theirs, ADDRESS, NOW + 2)
    assert take(ours, ADDRESS, NOW + 3, on=False) is None
    files.meanwhile = lambda: take(theirs, ADDRESS, NOW + 5)
    with pytest.raises(HostRefusal, match="a newer call request"):
        take(ours, ADDRESS, NOW + 4)
    assert [name[-12:] for name in kept_names(tmp_path) if "stopped" not in name] == [
        f"{NOW + 5:012}"
    ]


def test_twenty_minutes_after_a_stop_nothing_of_a_seats_calls_is_kept(
    own_book: CallBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(taken_call_requests, "LIST_SECONDS", 0.0)
    own_book.confirm(take(own_book, "ann@example.org", NOW))
    request = take(own_book, ADDRESS, NOW)
    assert own_book.claim(request, 3, 1)
    take(own_book, "ann@example.org", NOW + 1, on=False)
    take(own_book, ADDRESS, NOW + 1, on=False)
    for _ in range(3):
        assert own_book.game_names() == set()
    assert kept_names(tmp_path, "called"), "who asks again now is not called again for this turn"
    assert not own_book.claim(request, 3, 1)
    assert len(kept_names(tmp_path, "stopped")) == 2
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW + 1202))
    for _ in range(3):
        own_book.game_names()
    assert kept_names(tmp_path) == []


class _ReadFiles(WriteOnceFiles):
    """Files that note which of them are read."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.read_names = list[str]()

    def read(self, name: str) -> bytes | None:
        self.read_names.append(name)
        return super().read(name)


def test_a_call_request_reads_no_files_of_other_games(tmp_path, monkeypatch):
    files = _ReadFiles(tmp_path / "calls")
    ours, theirs = CallBook(files), book_in(tmp_path)
    assert ours.game_names() == set()
    content = CallRequest(
        game=bytes(32), host=HOST, seat="a", time=NOW, way="push", on=True, address=ADDRESS, **KEYS
    )
    other_game = "60" * 16
    theirs.take(other_game, make_call_request(content, ANN), ANN.public, content)
    take(ours, ADDRESS, NOW)
    take(ours, ADDRESS, NOW + 1, on=False)
    take(ours, ADDRESS, NOW + 2)
    assert {name[:32] for name in files.read_names} == {GAME}
    monkeypatch.setattr(taken_call_requests, "LIST_SECONDS", 0.0)
    assert ours.game_names() == {GAME, other_game}
    theirs.forget_game(other_game)
    ours.forget_game(GAME)
    assert ours.requests_of(GAME) == []
    assert ours.game_names() == set()


def test_games_that_have_not_begun_leave_half_of_the_call_places(own_book, monkeypatch):
    monkeypatch.setattr(taken_call_requests, "MAX_CALLS", 4)

    def take_before_turn_1(number: int) -> None:
        content = CallRequest(
            game=bytes(32), host=HOST, seat="a", time=NOW, way="push", on=True,
            address=f"{ADDRESS}{number}", **KEYS,
        )  # fmt: skip
        data = make_call_request(content, ANN)
        own_book.take(GAME, data, ANN.public, content, has_begun=False)

    take_before_turn_1(1)
    take_before_turn_1(2)
    with pytest.raises(HostRefusal, match="as many people as it can"):
        take_before_turn_1(3)
    assert take(own_book, f"{ADDRESS}3", NOW)
    assert take(own_book, f"{ADDRESS}4", NOW)
    with pytest.raises(HostRefusal, match="as many people as it can"):
        take(own_book, f"{ADDRESS}5", NOW)


class _FullFiles(WriteOnceFiles):
    """A disk that is full while it has a request."""

    def make(self, name: str, data: bytes) -> bool:
        if any(name.startswith(GAME) for name in self.names()):
            raise StorageError(name, "no space left on device")
        return super().make(name, data)


def test_stopping_calls_works_on_a_full_disk(tmp_path: Path):
    book = CallBook(_FullFiles(tmp_path / "calls"))
    take(book, ADDRESS, NOW)
    with pytest.raises(StorageError):
        take(book, f"{ADDRESS}2", NOW)
    assert take(book, ADDRESS, NOW + 1, on=False) is None
    assert [name[:8] for name in kept_names(tmp_path)] == ["stopped-"]


def test_a_call_file_that_a_killed_host_left_half_written_is_removed(own_book, tmp_path):
    take(own_book, ADDRESS, NOW)
    rest = tmp_path / "calls" / ".~pbem-0123456789abcdef"
    rest.write_bytes(b"ann@example.org")
    os.utime(rest, (NOW, NOW))
    book_in(tmp_path).game_names()
    assert not rest.exists()


def test_tidying_up_keeps_the_files_of_a_call_request(own_book, tmp_path, monkeypatch):
    monkeypatch.setattr(taken_call_requests, "LIST_SECONDS", 0.0)
    request = take(own_book, "ann@example.org", NOW)
    own_book.confirm(request)
    assert own_book.claim(request, 3, 1)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW + 10_000))
    for anew in (own_book, book_in(tmp_path)):
        for _ in range(3):
            assert anew.game_names() == {GAME}
        assert not anew.claim(request, 3, 1)
        assert anew.is_confirmed(anew.requests_of(GAME)[0])
    assert len(kept_names(tmp_path)) == 3
