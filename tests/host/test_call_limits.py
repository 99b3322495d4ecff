"""How many requests to be called, and letters to confirm an address, a host takes from whom; and to
which email addresses it writes."""

from contextlib import suppress

import pytest

from pbem.errors import CliError
from pbem.host.player_call_letters import CallLetters, mailbox_of
from pbem.host.record_gate import HostRefusal
from pbem.host.request_limits import RequestCounts
from pbem.post.mail_account import Account, Server

HOUR_REQUESTS, DAY_REQUESTS, FIRST_REQUESTS, ALL_LETTERS = 60, 300, 2, 500


def are_letters_allowed(counts: RequestCounts, network: str, game: str, mailbox: str) -> bool:
    try:
        counts.count_call_letter(network, game, mailbox)
    except HostRefusal:
        return False
    return True


def test_a_neighbour_cannot_use_up_the_first_call_requests_of_a_seat():
    counts = RequestCounts()
    for number in range(HOUR_REQUESTS):
        counts.count_call_request("10.0.0.1", f"stranger {number}")
    for _ in range(FIRST_REQUESTS):
        counts.count_call_request("10.0.0.1", "ann")
    with pytest.raises(HostRefusal, match="your network"):
        counts.count_call_request("10.0.0.1", "ann")
    counts.count_call_request("10.0.0.2", "ann")


def test_many_keys_do_not_raise_a_networks_limit_of_call_requests():
    counts, taken = RequestCounts(), 0
    for number in range(10 * HOUR_REQUESTS):
        with suppress(HostRefusal):
            counts.count_call_request("10.0.0.1", f"key {number}")
            taken += 1
    assert taken == DAY_REQUESTS
    counts.count_call_request("10.0.0.2", "key 1")
    assert [counts.count_idle_call_stop("10.0.0.1") for _ in range(61)] == [True] * 60 + [False]


def test_one_game_or_network_cannot_use_up_the_confirmation_letters_of_all():
    counts = RequestCounts()
    sent = 0
    for number in range(2 * ALL_LETTERS):
        sent += are_letters_allowed(counts, f"10.0.{number // 9}.1", "game", f"{number}@x.example")
    assert sent == 30, "of one game, from many networks"
    for number in range(10 * ALL_LETTERS):
        network, game = f"10.1.{number // 100}.1", f"game {number}"
        sent += are_letters_allowed(counts, network, game, f"y{number}@x.example")
    # each of the fifty networks got ten in this hour, until one half of the day's letters was gone
    assert ALL_LETTERS // 2 < sent < ALL_LETTERS - 50
    assert are_letters_allowed(counts, "10.9.9.9", "another game", "ann@example.org")


def test_a_refused_confirmation_letter_counts_for_no_limit():
    counts = RequestCounts()
    for _ in range(3):
        assert are_letters_allowed(counts, "10.0.0.1", "game", "ann@example.org")
    for _ in range(20):
        assert not are_letters_allowed(counts, "10.0.0.1", "game", "ann@example.org")
    assert are_letters_allowed(counts, "10.0.0.1", "game", "bo@example.org")


def test_tags_and_case_of_an_address_make_no_other_mailbox():
    addresses = ["AnnB@Example.org", "annb+1@example.org", "annb+games+2@EXAMPLE.ORG"]
    assert {mailbox_of(address) for address in addresses} == {"annb@example.org"}
    assert mailbox_of("ann.b@example.org") != mailbox_of("annb@example.org"), "perhaps two people"
    counts = RequestCounts()
    mailboxes = ["a.nnb@example.org", "an.nb@example.org", "ann.b@example.org", "annb@example.org"]
    allowed = [are_letters_allowed(counts, "10.0.0.1", "game", mailbox) for mailbox in mailboxes]
    assert allowed == [True, True, True, False], "perhaps one"
    assert mailbox_of("annb@example.com") != mailbox_of("annb@example.org")


PLAIN_ADDRESSES = [
    "ann@example.org", "Ann.O'Brien+games@mail.example.co.uk", "a@xn--bcher-kva.example",
    "a_b-c=d~1@x.io",
]  # fmt: skip
ODD_ADDRESSES = [
    "=?utf-8?q?=0D=0ABcc:x?=@x.org", "=?utf-8?q?a=2Cb=40y.org=2C?=@x.org", "=?@x.org",
    "=?utf-8?b?DQpCY2M6eA==?=@x.org", '"ann"@example.org', '"ann b"@example.org', "ann(b)@x.org",
    "ann@x.org(b)", "ann@b@x.org", "@x.org", "ann@", "ann", "ann@x.org,bo@x.org", "<ann@x.org>",
    "Ann<ann@x.org>", "@relay.org:ann@x.org", "ann%x.org@relay.org", "relay!ann@x.org",
    "a..b@x.org", ".a@x.org", "a.@x.org", "a@.x.org", "a@x..org", "a@x.org.", "a@-x.org",
    "a@x-.org", "root@localhost", "a@127.0.0.1", "a@[127.0.0.1]", "a@x.1", "ann@b\xfccher.example",
    "\xe4nn@example.org", "ann@x.org\n", "ann@x.org\r\nBcc: bo@x.org", "ann\n@x.org", "ann @x.org",
    "a|b@x.org", "`a`@x.org", "a/b@x.org", f"{'x' * 65}@x.org", f"a@{'x.' * 130}org",
    f"a@{'x' * 64}.org",
]  # fmt: skip


def test_a_host_writes_only_to_plain_email_addresses():
    server = Server("mail.example", 465, "tls")
    account = Account("rhea@example.org", "rhea", server, server, "keyring")
    letters = CallLetters(account, b"k" * 32, "https://pond.example.org")
    for address in PLAIN_ADDRESSES:
        letters.check(address)
    for address in ODD_ADDRESSES:
        with pytest.raises(CliError, match="writes only to plain email addresses"):
            letters.check(address)
