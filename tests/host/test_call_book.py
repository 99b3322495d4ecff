"""What a host keeps of those who want to be called."""

from pathlib import Path

from pbem.host.player_call_requests import ADDRESS_NAME_CHARACTERS, CallBook, address_name_of
from pbem.host.small_files import HostFiles
from pbem.records.player_call_request import CallRequest, make_call_request
from tests.kit.people import NOW, key_of

GAME = "5f" * 16


def request_by_mail(address: str, time: int) -> CallRequest:
    return CallRequest(game=bytes(32), seat="a", time=time, way="mail", on=True, address=address)


def take(book: CallBook, address: str, time: int):
    content, key = request_by_mail(address, time), key_of("ann")
    book.take(GAME, make_call_request(content, key), key.public, content)
    return book.request_for(address_name_of(GAME, key.public, address))


def test_an_address_that_was_replaced_must_be_confirmed_again(tmp_path: Path):
    book = CallBook(HostFiles(tmp_path / "calls"))
    book.confirm(take(book, "ann@example.org", NOW))
    renewed = take(book, "ann@example.org", NOW + 1)
    assert book.is_wanted(renewed), "the same address goes on"
    other = take(book, "ann@example.com", NOW + 2)
    assert not book.is_wanted(renewed)
    assert not book.is_wanted(other)
    again = take(book, "ann@example.org", NOW + 3)
    assert not book.is_confirmed(again)
    assert not [path for path in (tmp_path / "calls").iterdir() if "confirmed" in path.name]


def test_nobody_can_find_two_addresses_with_one_name():
    """A confirmation counts for a name, so it has 128 bits of the hash of each part."""
    names = {address_name_of(GAME, bytes([n]) * 32, f"{n}@example.org") for n in range(3)}
    assert {len(name) for name in names} == {ADDRESS_NAME_CHARACTERS} == {3 * 32 + 2}
