"""A second implementation of docs/protocol.md §12, with its own curve, in plain Python.

`python tests/vectors/second_cards.py hidden-cards.json` computes every answer again, makes each
proof and checks it, and prints what it compared, or fails at the first difference.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

from second import kdf, label, pae, shuffle, u

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]  # extended coordinates (RFC 8032 §5.1.4)
NEUTRAL: Point = (0, 1, 1, 0)
O_BYTES = b"\1" + bytes(31)


# ------------------------------------------------------------------ the curve (RFC 8032 §5.1)
def plus(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(k: int, p: Point) -> Point:
    result, k = NEUTRAL, k % L
    while k:
        if k & 1:
            result = plus(result, p)
        p, k = plus(p, p), k >> 1
    return result


def minus(p: Point, q: Point) -> Point:
    return plus(p, (-q[0] % P, q[1], q[2], -q[3] % P))


def bytes_of_point(p: Point) -> bytes:
    inverse = pow(p[2], -1, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decoded(data: bytes) -> Point | None:
    """The point on the curve, of any order; None unless this is its canonical encoding."""
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT_OF_MINUS_1 % P
    if x * x % P != square or (x == 0 and sign):
        return None
    return (x if x & 1 == sign else P - x, y, 1, (x if x & 1 == sign else P - x) * y % P)


def point_of_record(data: bytes) -> Point | None:
    """A point of a record: of order L, which `O` is not."""
    p = decoded(data)
    if p is None or bytes_of_point(p) == O_BYTES:
        return None
    order = plus(times(L - 1, p), p)
    return p if bytes_of_point(order) == O_BYTES else None


BASE = decoded((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
assert BASE


def times_base(k: int) -> Point:
    assert BASE
    return times(k, BASE)


def sum_of_points(points: Any) -> Point:
    result = NEUTRAL
    for p in points:
        result = plus(result, p)
    return result


# ------------------------------------------------------------------ §12
def bytes_of_scalar(k: int) -> bytes:
    return (k % L).to_bytes(32, "little")


def scalar_of_hash(name: str, *parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(pae(label(name), *parts)).digest(), "little") % L


def point_of_hash(name: str, *parts: bytes) -> Point:
    for n in range(256):
        p = decoded(hashlib.sha512(pae(label(name), *parts, bytes([n]))).digest()[:32])
        if p:
            for _ in range(3):
                p = plus(p, p)
            return p
    raise AssertionError(name)


class Scalars:
    def __init__(self, key: bytes) -> None:
        self.key, self.n = key, 0

    def __call__(self, count: int) -> list[int]:
        blocks = [hmac.digest(self.key, u(self.n + i), "sha512") for i in range(count)]
        self.n += count
        return [int.from_bytes(block, "little") % L for block in blocks]


def key_proof(s: int, game: bytes, d: int) -> bytes:
    key = bytes_of_point(times_base(s))
    (w,) = Scalars(kdf(bytes_of_scalar(s), "key-nonce", game, u(d), key))(1)
    c = scalar_of_hash("key-proof", game, u(d), key, bytes_of_point(times_base(w)))
    return bytes_of_scalar(c) + bytes_of_scalar(w + c * s)


def key_is_proven(key: Point, proof: bytes, game: bytes, d: int) -> bool:
    c, z = (int.from_bytes(proof[i : i + 32], "little") for i in (0, 32))
    t = minus(times_base(z), times(c, key))
    return c == scalar_of_hash("key-proof", game, u(d), bytes_of_point(key), bytes_of_point(t))


def share_of(s: int, place: list[bytes], b: Point) -> bytes:
    said = (*place, bytes_of_point(times_base(s)), bytes_of_point(b), bytes_of_point(times(s, b)))
    (w,) = Scalars(kdf(bytes_of_scalar(s), "share-nonce", *said))(1)
    c = scalar_of_hash(
        "share-proof", *said, bytes_of_point(times_base(w)), bytes_of_point(times(w, b))
    )
    return said[-1] + bytes_of_scalar(c) + bytes_of_scalar(w + c * s)


def share_is_proven(key: Point, data: bytes, place: list[bytes], b: Point) -> bool:
    shared = point_of_record(data[:32])
    assert shared
    c, z = (int.from_bytes(data[i : i + 32], "little") for i in (32, 64))
    t = minus(times_base(z), times(c, key)), minus(times(z, b), times(c, shared))
    said = (*place, bytes_of_point(key), bytes_of_point(b), data[:32])
    return c == scalar_of_hash("share-proof", *said, *map(bytes_of_point, t))


Pairs = list[tuple[Point, Point]]


def bytes_of_points(points: Any) -> bytes:
    return b"".join(map(bytes_of_point, points))


def bytes_of_pairs(pairs: Pairs) -> bytes:
    return bytes_of_points(p for pair in pairs for p in pair)


def generators_for(n: int) -> tuple[Point, list[Point]]:
    first, *rest = (point_of_hash("mix-generator", u(i)) for i in range(n + 1))
    return first, rest


def seed_and_weights(
    place: list[bytes], key: Point, pairs: Pairs, out: bytes, commitments: bytes
) -> Any:
    """e, and the weights u."""
    parts = (*place, bytes_of_point(key), bytes_of_pairs(pairs), out, commitments)
    e = hashlib.sha512(pae(label("mix-seed"), *parts)).digest()
    return e, [scalar_of_hash("mix-weight", e, u(j)) for j in range(len(pairs))]


def mix_of_pairs(s: int, place: list[bytes], key: Point, pairs: Pairs) -> tuple[bytes, bytes]:
    n = len(pairs)
    secret = kdf(bytes_of_scalar(s), "mix", *place, bytes_of_point(key), bytes_of_pairs(pairs))
    psi = shuffle(list(range(n)), kdf(secret, "mix-order"))
    numbers = Scalars(kdf(secret, "mix-numbers"))
    r, rho, rho_hat = numbers(n), numbers(n), numbers(n)
    out = [(plus(pairs[j][0], times(r[j], key)), plus(pairs[j][1], times_base(r[j]))) for j in psi]
    h, hs = generators_for(n)
    c_at = {j: plus(times_base(rho[j]), hs[i]) for i, j in enumerate(psi)}
    commitments = bytes_of_points(c_at[j] for j in range(n))
    e, weights = seed_and_weights(place, key, pairs, bytes_of_pairs(out), commitments)
    v = [weights[j] for j in psi]
    chain = [h]
    for i in range(n):
        chain.append(plus(times_base(rho_hat[i]), times(v[i], chain[i])))
    nonces = Scalars(kdf(secret, "mix-nonces", e, bytes_of_points(chain[1:])))
    w1, w2, w3, w4 = nonces(4)
    w_hat, w_new = nonces(n), nonces(n)
    t = [
        times_base(w1),
        times_base(w2),
        plus(times_base(w3), sum_of_points(map(times, w_new, hs))),
        minus(
            sum_of_points(times(w, a) for w, (a, _) in zip(w_new, out, strict=True)), times(w4, key)
        ),
        minus(
            sum_of_points(times(w, b) for w, (_, b) in zip(w_new, out, strict=True)), times_base(w4)
        ),
        *(plus(times_base(w_hat[i]), times(w_new[i], chain[i])) for i in range(n)),
    ]
    c = scalar_of_hash("mix-proof", e, bytes_of_points(chain[1:]), bytes_of_points(t))
    z2 = w2
    for i in range(n):
        product = 1
        for j in range(i + 1, n):
            product = product * v[j] % L
        z2 += c * rho_hat[i] * product
    answers = [w1 + c * sum(rho), z2]
    answers += [w3 + c * sum(weights[j] * rho[j] for j in range(n))]
    answers += [w4 + c * sum(weights[j] * r[j] for j in range(n))]
    answers += [w_hat[i] + c * rho_hat[i] for i in range(n)]
    answers += [w_new[i] + c * v[i] for i in range(n)]
    return bytes_of_pairs(out), commitments + bytes_of_points(chain[1:]) + b"".join(
        map(bytes_of_scalar, [c, *answers])
    )


def pairs_of_mix(place: list[bytes], key: Point, pairs: Pairs, out: bytes, proof: bytes) -> Pairs:
    """The pairs of a mix whose proof holds."""
    n = len(pairs)
    assert (len(out), len(proof)) == (64 * n, 32 * (4 * n + 5))
    numbers = [int.from_bytes(proof[i : i + 32], "little") for i in range(64 * n, len(proof), 32)]
    assert max(numbers) < L
    points = [point_of_record(out[i : i + 32]) for i in range(0, 64 * n, 32)]
    new = [(a, b) for a, b in zip(points[::2], points[1::2], strict=True) if a and b]
    fresh = {bytes_of_point(p) for pair in new for p in pair}
    assert len(fresh) == 2 * n
    assert not fresh & {bytes_of_point(p) for pair in pairs for p in pair}
    proven = [p for i in range(0, 64 * n, 32) if (p := point_of_record(proof[i : i + 32]))]
    assert len(proven) == 2 * n
    commitments, links = proven[:n], proven[n:]
    c, z1, z2, z3, z4, *rest = numbers
    z_hat, z_new = rest[:n], rest[n:]
    h, hs = generators_for(n)
    e, weights = seed_and_weights(place, key, pairs, out, proof[: 32 * n])
    product = 1
    for weight in weights:
        product = product * weight % L
    cu, chain = [c * weight for weight in weights], [h, *links]
    old = [[pair[k] for pair in pairs] for k in (0, 1)]
    now = [[pair[k] for pair in new] for k in (0, 1)]
    sums = [
        minus(sum_of_points(map(times, z_new, now[k])), sum_of_points(map(times, cu, old[k])))
        for k in (0, 1)
    ]
    blinded = minus(
        sum_of_points(map(times, z_new, hs)), sum_of_points(map(times, cu, commitments))
    )
    t = [
        minus(times_base(z1), times(c, minus(sum_of_points(commitments), sum_of_points(hs)))),
        minus(times_base(z2), times(c, minus(chain[n], times(product, h)))),
        plus(times_base(z3), blinded),
        minus(sums[0], times(z4, key)),
        minus(sums[1], times_base(z4)),
    ]
    for i in range(n):
        link = plus(times_base(z_hat[i]), times(z_new[i], chain[i]))
        t.append(minus(link, times(c, links[i])))
    assert c == scalar_of_hash("mix-proof", e, proof[32 * n : 64 * n], bytes_of_points(t))
    return new


# ------------------------------------------------------------------ the vectors
def from_hex(text: str) -> bytes:
    return bytes.fromhex(text)


def check_dealers(vectors: dict[str, Any], game: bytes) -> tuple[list[int], list[Point]]:
    secrets, keys = [], []
    for d, dealer in enumerate(vectors["dealers"]):
        secret = kdf(from_hex(dealer["person secret"]), "card-key", game)
        s = scalar_of_hash("card-secret", secret)
        assert (bytes_of_scalar(s).hex(), bytes_of_point(times_base(s)).hex()) == (
            dealer["secret"],
            dealer["key"],
        )
        assert key_proof(s, game, d).hex() == dealer["proof"]
        assert key_is_proven(times_base(s), from_hex(dealer["proof"]), game, d)
        assert not key_is_proven(times_base(s), from_hex(dealer["proof"]), game, d + 1)
        secrets.append(s)
        keys.append(times_base(s))
    return secrets, keys


def check_vectors(vectors: dict[str, Any]) -> str:
    game, deck = from_hex(vectors["game"]), vectors["deck"]
    for case in vectors["scalar"]:
        assert (
            bytes_of_scalar(scalar_of_hash(case["label"], *map(from_hex, case["parts"]))).hex()
            == case["out"]
        )
    for case in vectors["point"]:
        assert (
            bytes_of_point(point_of_hash(case["label"], *map(from_hex, case["parts"]))).hex()
            == case["out"]
        )
    stream = vectors["scalars"]
    assert [
        bytes_of_scalar(k).hex() for k in Scalars(from_hex(stream["key"]))(len(stream["out"]))
    ] == stream["out"]
    for case in vectors["no points"]:
        assert point_of_record(from_hex(case["bytes"])) is None, case
    secrets, keys = check_dealers(vectors, game)
    key = sum_of_points(keys)
    assert bytes_of_point(key).hex() == vectors["joint key"]
    cards = sorted(vectors["cards"])
    points = {
        bytes_of_point(point_of_hash("card-point", game, card.encode())): card for card in cards
    }
    pairs = [(point_of_hash("card-point", game, card.encode()), NEUTRAL) for card in cards]
    for d, given in enumerate(vectors["mixes"]):
        place = [game, deck.encode(), u(vectors["epoch"]), u(d)]
        assert mix_of_pairs(secrets[d], place, key, pairs) == (
            from_hex(given["pairs"]),
            from_hex(given["proof"]),
        )
        pairs = pairs_of_mix(place, key, pairs, from_hex(given["pairs"]), from_hex(given["proof"]))
    for k, given in enumerate(vectors["shares"]):
        a, b = pairs[k]
        for d, data in enumerate(map(from_hex, given["shares"])):
            place = [game, deck.encode(), u(vectors["epoch"]), u(k), u(d)]
            assert share_of(secrets[d], place, b) == data
            assert share_is_proven(keys[d], data, place, b)
            shared = point_of_record(data[:32])
            assert shared
            a = minus(a, shared)
        assert points[bytes_of_point(a)] == given["card"]
    said = {"keys": keys, "mixes": vectors["mixes"], "opened cards": vectors["shares"]}
    return "right: " + ", ".join(f"{len(what)} {name}" for name, what in said.items())


if __name__ == "__main__":
    print(check_vectors(json.loads(Path(sys.argv[1]).read_text("ascii"))))
