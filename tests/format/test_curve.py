"""Which public keys are usable: published edge cases, and every point of small order."""

import json

import pytest

from pbem.format import encrypted_box, usable_public_keys
from pbem.format.crypto import x25519_shared
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.format.signed_file import Signed, sign, verify
from pbem.format.usable_public_keys import (
    L,
    P,
    check_x25519,
    has_small_order,
    why_not_ed25519,
    why_not_x25519,
)
from tests.kit.selection import SHARED, needs_shared

TORSION = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]


Extended = tuple[int, int, int, int]
D = -121665 * pow(121666, P - 2, P) % P


def extended(key: bytes) -> Extended:
    """X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z."""
    point = usable_public_keys._decode(key)
    assert point is not None
    return *point, 1, point[0] * point[1] % P


def add(a: Extended, b: Extended) -> Extended:
    """The complete addition of RFC 8032 §5.1.4."""
    t1 = (a[1] - a[0]) * (b[1] - b[0]) % P
    t2 = (a[1] + a[0]) * (b[1] + b[0]) % P
    t3 = 2 * a[3] * b[3] * D % P
    t4 = 2 * a[2] * b[2] % P
    e, f, g, h = t2 - t1, t4 - t3, t4 + t3, t2 + t1
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiplied_point(factor: int, point: Extended) -> Extended:
    total: Extended = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = add(total, point)
        point = add(point, point)
        factor >>= 1
    return total


def encoded_point(point: Extended) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def test_a_key_is_usable_exactly_if_the_prime_order_times_it_is_the_neutral_point() -> None:
    """The shortcut against the definition, for points with and without a part of small order."""
    low = [extended(bytes.fromhex(text)) for text in TORSION]
    for n in range(12):
        base = extended(SigningKey(bytes([n]) * 32).public)
        for part in low:
            key = encoded_point(mixed := add(base, part))
            x, y, z, _ = multiplied_point(L, mixed)
            assert (why_not_ed25519(key) is None) == (x == 0 and y == z)


def test_points_of_small_order_are_refused_as_keys_in_any_encoding() -> None:
    points = [bytes.fromhex(text) for text in TORSION]
    for point in points:
        x, y, z, _ = multiplied_point(8, extended(point))
        assert (x, y) == (0, z)
    others = (P, P + 1, 1 + (1 << 255), P - 1 + (1 << 255), P + (1 << 255))
    for key in (*points, *(number.to_bytes(32, "little") for number in others)):
        assert has_small_order(key)
        assert why_not_ed25519(key)


def test_a_key_with_a_component_of_small_order_is_refused() -> None:
    public = SigningKey(b"k" * 32).public
    assert why_not_ed25519(public) is None
    for text in TORSION[1:]:
        mixed = encoded_point(add(extended(public), extended(bytes.fromhex(text))))
        assert usable_public_keys._decode(mixed) is not None
        assert why_not_ed25519(mixed)


def test_keys_of_a_wrong_length_or_off_the_curve_are_refused() -> None:
    for key in (b"", bytes(31), bytes(33), (2).to_bytes(32, "little")):
        assert why_not_ed25519(key)
    assert why_not_x25519(bytes(31))
    good = SigningKey(b"k" * 32).public
    for key in (good + b"\0", (int.from_bytes(good, "little") + P).to_bytes(33, "little")):
        assert why_not_ed25519(good) is None
        assert why_not_ed25519(key)
    good = encrypted_box.public_of(b"k" * 32)
    assert why_not_x25519(good) is None
    assert why_not_x25519(good + b"\0")


@needs_shared("vectors/cctv-ed25519.json")
def test_the_published_cctv_edge_cases_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.format import signed_file

    monkeypatch.setattr(signed_file, "_message", lambda kind, body: body)
    refused_key = 0
    for case in json.loads((SHARED / "vectors/cctv-ed25519.json").read_text()):
        key, flags = bytes.fromhex(case["key"]), set(case["flags"] or ())
        bad_key = bool(flags & {"low_order_A", "low_order_component_A", "non_canonical_A"})
        assert bool(why_not_ed25519(key)) == bad_key, case
        refused_key += bad_key
        bad_r = flags & {"low_order_R", "low_order_component_R", "non_canonical_R"}
        signed = Signed(case["msg"].encode(), "turn", key, bytes.fromhex(case["sig"]))
        if bad_key or bad_r - {"low_order_component_R"} or "low_order_residue" in flags:
            with pytest.raises(RecordError):
                verify(signed)
    assert refused_key > 100


@needs_shared("vectors/wycheproof-ed25519.json")
def test_wycheproof_signatures_are_accepted_or_refused_as_stated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pbem.format import signed_file

    monkeypatch.setattr(signed_file, "_message", lambda kind, body: body)
    data = json.loads((SHARED / "vectors/wycheproof-ed25519.json").read_text())
    seen = set()
    for group in data["testGroups"]:
        key = bytes.fromhex(group["publicKey"]["pk"])
        for case in group["tests"]:
            signature = bytes.fromhex(case["sig"])
            if len(signature) != 64:
                continue  # no trailer can hold one
            signed = Signed(bytes.fromhex(case["msg"]), "turn", key, signature)
            seen.add(case["result"])
            if case["result"] == "valid":
                verify(signed)
            else:
                with pytest.raises(RecordError):
                    verify(signed)
    assert seen == {"valid", "invalid"}


def test_a_signature_whose_s_exceeds_the_group_order_is_refused() -> None:
    signed = sign("turn", b"a = 1\n", SigningKey(b"k" * 32))
    s = int.from_bytes(signed.signature[32:], "little") + L
    forged = signed.signature[:32] + s.to_bytes(32, "little")
    with pytest.raises(RecordError, match="signature"):
        verify(Signed(signed.body, "turn", signed.key, forged))


@needs_shared("vectors/wycheproof-x25519.json")
def test_published_wycheproof_key_exchanges_give_the_stated_secrets() -> None:
    data = json.loads((SHARED / "vectors/wycheproof-x25519.json").read_text())
    refused = 0
    for case in (c for g in data["testGroups"] for c in g["tests"]):
        public, flags = bytes.fromhex(case["public"]), set(case["flags"])
        why = why_not_x25519(public)
        assert bool(why) == bool(flags & {"LowOrderPublic", "NonCanonicalPublic"}) or (
            int.from_bytes(public, "little") >= P and why
        ), case
        refused += bool(why)
        if not why:
            shared = x25519_shared(bytes.fromhex(case["private"]), public)
            assert shared.hex() == case["shared"]
    assert refused > 10


def test_an_x25519_key_in_another_encoding_is_refused() -> None:
    for u in range(19):
        with pytest.raises(RecordError, match="standard form"):
            check_x25519((u + P).to_bytes(32, "little"))
