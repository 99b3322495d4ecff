"""Hashes, derived keys and streams against published vectors and plain re-statements."""

import hashlib
import hmac
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.cards import card_protocol_labels as card_labels
from pbem.format import hashes_and_streams, protocol_labels
from pbem.format.hashes_and_streams import Kdf, Stream, kdf, pae, shuffle, th, u
from tests.kit.selection import SHARED, needs_shared


def test_pae_gives_the_published_encoding() -> None:
    assert pae() == bytes(8)
    assert pae(b"") == b"\x01" + bytes(7) + bytes(8)
    assert pae(b"test") == b"\x01" + bytes(7) + b"\x04" + bytes(7) + b"test"


@given(st.lists(st.binary(max_size=9), max_size=4), st.lists(st.binary(max_size=9), max_size=4))
def test_pae_never_encodes_two_lists_alike(one: list[bytes], two: list[bytes]) -> None:
    assert (pae(*one) == pae(*two)) == (one == two)


@needs_shared("vectors/wycheproof-hkdf_sha256.json")
def test_kdf_gives_the_published_hkdf_sha256_values(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = json.loads((SHARED / "vectors/wycheproof-hkdf_sha256.json").read_text())["testGroups"]
    cases = [t for g in groups for t in g["tests"] if not t["salt"] and t["size"] >= 32]
    cases = [t for t in cases if t["result"] == "valid"]
    assert len(cases) > 5
    monkeypatch.setattr(
        hashes_and_streams, "pae", lambda label, *parts: label
    )  # the info comes as it is
    for case in cases:
        okm = kdf(bytes.fromhex(case["ikm"]), protocol_labels.Label(bytes.fromhex(case["info"])))
        assert okm.hex() == case["okm"][:64], case["tcId"]


def test_one_kdf_used_twice_gives_what_two_give() -> None:
    both = Kdf(b"secret")
    assert both.derive(protocol_labels.SALT, u(1)) == kdf(b"secret", protocol_labels.SALT, u(1))
    assert both.derive(protocol_labels.FILL, u(1)) == kdf(b"secret", protocol_labels.FILL, u(1))


def test_a_stream_gives_the_words_of_hmac_sha256() -> None:
    key = bytes(range(32))
    words = b"".join(hmac.new(key, u(i), hashlib.sha256).digest() for i in range(3))
    stream = Stream(key)
    assert [stream.number_below(1 << 64) for _ in range(12)] == [
        int.from_bytes(words[i : i + 8], "big") for i in range(0, 96, 8)
    ]


def test_a_stream_skips_words_that_would_favour_small_numbers() -> None:
    bound = (1 << 63) + 1  # nearly half of all words are skipped
    stream, plain = Stream(b"k" * 32), Stream(b"k" * 32)
    kept = [w for w in (plain.number_below(1 << 64) for _ in range(40)) if w < bound]
    assert 10 < len(kept) < 30
    assert [stream.number_below(bound) for _ in kept] == kept


def test_a_stream_skips_a_word_exactly_at_the_limit() -> None:
    plain = Stream(b"k" * 32)
    words = [plain.number_below(1 << 64) for _ in range(40)]
    at, word = next((i, w) for i, w in enumerate(words) if w > 1 << 63)  # itself the limit
    stream = Stream(b"k" * 32)
    for _ in range(at):
        stream.number_below(1 << 64)
    assert stream.number_below(word) == next(w for w in words[at + 1 :] if w < word)


def test_a_shuffle_reaches_every_order_about_equally_often() -> None:
    stream = Stream(b"s" * 32)
    seen = Counter("".join(shuffle("abcd", stream)) for _ in range(4800))
    assert len(seen) == 24
    assert max(abs(n - 200) for n in seen.values()) < 75


NAMES = "game head commit commit-ref card line hidden hidden-ref link chance r-ref audit desk"
NAMES += " r seat-box seat-sealing invite held-seat seed deck salt chain hide-ref orders slots"
NAMES += " door door-key address token new-key"
NAMES += " card-key card-secret card-point key-nonce key-proof share-nonce share-proof"
NAMES += " mix mix-order mix-numbers mix-nonces mix-generator mix-seed mix-weight mix-proof"
NAMES += " sealed-share-nonces sealed-share-proof co-dealer co-dealer-check"
NAMES += " co-dealer-deputy seat-card seat-secret seat-nonce seat-proof"
NAMES += " leave invite-check line-salt hide fill box key-check deputy deputy-check mail-token"


def test_hash_labels_are_the_names_in_the_protocol() -> None:
    modules = vars(protocol_labels) | vars(card_labels)
    made = sorted(v for n, v in modules.items() if n.isupper())
    assert made == sorted(b"pbem/1/" + name.encode() for name in NAMES.split())
    assert (protocol_labels.GAME, protocol_labels.R_SEAT) == (b"pbem/1/game", b"pbem/1/r")
    assert protocol_labels.HELD_SEAT == b"pbem/1/held-seat"


def test_the_tagged_hash_is_sha256_over_the_encoding() -> None:
    assert th(protocol_labels.GAME, b"x") == hashlib.sha256(pae(b"pbem/1/game", b"x")).digest()
