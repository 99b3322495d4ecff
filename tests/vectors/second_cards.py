"""A second implementation of docs/protocol.md §12, with its own curve, in plain Python.

`python tests/vectors/second_cards.py hidden-cards.json` computes every answer again, makes each
proof and checks it, refuses what must be refused, and prints what it compared, or fails at the
first difference. Of `transcripts` it makes all bytes, but checks no proof again.
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


def secret_proof(name: str, s: int, *place: bytes) -> bytes:
    """The proof of a secret: `key` of a dealer, `seat` of a seat."""
    point = bytes_of_point(times_base(s))
    (w,) = Scalars(kdf(bytes_of_scalar(s), f"{name}-nonce", *place, point))(1)
    c = scalar_of_hash(f"{name}-proof", *place, point, bytes_of_point(times_base(w)))
    return bytes_of_scalar(c) + bytes_of_scalar(w + c * s)


class RefusedError(Exception):
    """Its argument is the reason."""


def need(right: object, reason: str = "field") -> None:
    if not right:
        raise RefusedError(reason)


def read_point(data: bytes) -> Point:
    p = point_of_record(data)
    if p is None:
        raise RefusedError("field")
    return p


def read_scalars(data: bytes, size: int, start: int = 0) -> list[int]:
    """The scalars from there on, of bytes that must be so many."""
    need(len(data) == size)
    found = [int.from_bytes(data[i : i + 32], "little") for i in range(start, size, 32)]
    need(max(found) < L)
    return found


def checked_point(name: str, data: bytes, proof: bytes, *place: bytes) -> Point:
    c, z = read_scalars(proof, 64)
    point = read_point(data)
    t = minus(times_base(z), times(c, point))
    need(c == scalar_of_hash(f"{name}-proof", *place, data, bytes_of_point(t)), "commitment")
    return point


def sum_of_keys(keys: list[Point]) -> Point:
    total, known = sum_of_points(keys), [*map(bytes_of_point, keys)]
    need(len(set(known)) == len(known))
    need(bytes_of_point(total) not in (O_BYTES, *known))
    return total


def share_of(s: int, place: list[bytes], b: Point) -> bytes:
    said = (*place, bytes_of_point(times_base(s)), bytes_of_point(b), bytes_of_point(times(s, b)))
    (w,) = Scalars(kdf(bytes_of_scalar(s), "share-nonce", *said))(1)
    c = scalar_of_hash(
        "share-proof", *said, bytes_of_point(times_base(w)), bytes_of_point(times(w, b))
    )
    return said[-1] + bytes_of_scalar(c) + bytes_of_scalar(w + c * s)


def checked_share(key: Point, data: bytes, place: list[bytes], b: Point) -> Point:
    c, z = read_scalars(data, 96, 32)
    shared = read_point(data[:32])
    t = minus(times_base(z), times(c, key)), minus(times(z, b), times(c, shared))
    said = (*place, bytes_of_point(key), bytes_of_point(b), data[:32])
    need(c == scalar_of_hash("share-proof", *said, *map(bytes_of_point, t)), "commitment")
    return shared


def seat_secret(seed: bytes, game: bytes, seat: bytes) -> int:
    return scalar_of_hash("seat-secret", kdf(seed, "seat-card", game, seat))


def sealed_share_of(s: int, place: list[bytes], b: Point, q: Point) -> bytes:
    said = (*place, bytes_of_point(times_base(s)), bytes_of_point(b), bytes_of_point(q))
    t, w1, w2 = Scalars(kdf(bytes_of_scalar(s), "sealed-share-nonces", *said))(3)
    sealed = bytes_of_points([times_base(t), plus(times(s, b), times(t, q))])
    nonces = [times_base(w1), times_base(w2), plus(times(w1, b), times(w2, q))]
    parts = (*said, sealed[:32], sealed[32:], *map(bytes_of_point, nonces))
    c = scalar_of_hash("sealed-share-proof", *parts)
    return sealed + b"".join(map(bytes_of_scalar, (c, w1 + c * s, w2 + c * t)))


def checked_sealed_share(
    key: Point, data: bytes, place: list[bytes], b: Point, q: Point
) -> tuple[Point, Point]:
    c, z1, z2 = read_scalars(data, 160, 64)
    e1, e2 = read_point(data[:32]), read_point(data[32:64])
    t = [
        minus(times_base(z1), times(c, key)),
        minus(times_base(z2), times(c, e1)),
        minus(plus(times(z1, b), times(z2, q)), times(c, e2)),
    ]
    said = (*place, *map(bytes_of_point, (key, b, q)), data[:32], data[32:64])
    need(c == scalar_of_hash("sealed-share-proof", *said, *map(bytes_of_point, t)), "commitment")
    return e1, e2


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
    numbers = read_scalars(proof, 32 * (4 * n + 5), 64 * n)
    need(len(out) == 64 * n)
    points = [read_point(out[i : i + 32]) for i in range(0, 64 * n, 32)]
    new = [*zip(points[::2], points[1::2], strict=True)]
    fresh = {*map(bytes_of_point, points)}
    need(len(fresh) == 2 * n)
    need(not fresh & {bytes_of_point(p) for pair in pairs for p in pair})
    proven = [read_point(proof[i : i + 32]) for i in range(0, 64 * n, 32)]
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
    said = e, proof[32 * n : 64 * n], bytes_of_points(t)
    need(c == scalar_of_hash("mix-proof", *said), "commitment")
    return new


# ------------------------------------------------------------------ the vectors
def from_hex(text: str) -> bytes:
    return bytes.fromhex(text)


def card_secret(person: str, game: bytes) -> int:
    return scalar_of_hash("card-secret", kdf(from_hex(person), "card-key", game))


def pairs_of_cards(game: bytes, cards: list[str]) -> Pairs:
    return [(point_of_hash("card-point", game, card.encode()), NEUTRAL) for card in sorted(cards)]


class Deck:
    """A deck that some dealers mix: everything is made again, and each proof checked."""

    def __init__(self, given: dict[str, Any], game: bytes) -> None:
        self.game, self.keys = game, list[Point]()
        self.where = [game, given["deck"].encode(), u(given["epoch"])]
        self.secrets = [card_secret(dealer["person secret"], game) for dealer in given["dealers"]]
        for d, dealer in enumerate(given["dealers"]):
            s = self.secrets[d]
            assert bytes_of_scalar(s).hex() == dealer["secret"]
            assert bytes_of_point(times_base(s)).hex() == dealer["key"]
            assert secret_proof("key", s, game, u(d)).hex() == dealer["proof"]
            key, proof = from_hex(dealer["key"]), from_hex(dealer["proof"])
            self.keys.append(checked_point("key", key, proof, game, u(d)))
        self.key = sum_of_keys(self.keys)
        assert bytes_of_point(self.key).hex() == given["joint key"]
        self.pairs_before = [pairs_of_cards(game, given["cards"])]
        """The pairs that each dealer mixes, and those at the end."""
        for d, mix in enumerate(given["mixes"]):
            place, pairs = [*self.where, u(d)], self.pairs_before[-1]
            out, proof = from_hex(mix["pairs"]), from_hex(mix["proof"])
            assert mix_of_pairs(self.secrets[d], place, self.key, pairs) == (out, proof)
            self.pairs_before.append(pairs_of_mix(place, self.key, pairs, out, proof))
        assert len(self.pairs_before) == len(self.keys) + 1
        names = {
            bytes_of_point(m): card
            for (m, _), card in zip(self.pairs_before[0], sorted(given["cards"]), strict=True)
        }
        for k, opened in enumerate(given["shares"]):
            a, b = self.pairs_before[-1][k]
            assert len(opened["shares"]) == len(self.keys)
            for d, data in enumerate(map(from_hex, opened["shares"])):
                place = [*self.where, u(k), u(d)]
                assert share_of(self.secrets[d], place, b) == data
                a = minus(a, checked_share(self.keys[d], data, place, b))
            assert names[bytes_of_point(a)] == opened["card"]
        for k, row in enumerate(given["sealed shares"]):
            _, b = self.pairs_before[-1][k]
            place = [*self.where, u(k), u(0)]
            seat, sealed = row["seat"].encode(), from_hex(row["sealed share"])
            q = seat_secret(from_hex(row["seed of the seat"]), game, seat)
            assert bytes_of_scalar(q).hex() == row["seat secret"]
            assert bytes_of_point(times_base(q)).hex() == row["seat point"]
            assert secret_proof("seat", q, game, seat).hex() == row["point proof"]
            given_point, proof = from_hex(row["seat point"]), from_hex(row["point proof"])
            point = checked_point("seat", given_point, proof, game, seat)
            assert sealed_share_of(self.secrets[0], place, b, point) == sealed
            e1, e2 = checked_sealed_share(self.keys[0], sealed, place, b, point)
            share = minus(e2, times(q, e1))
            assert bytes_of_point(share).hex() == row["share point"]
            assert bytes_of_point(times(self.secrets[0], b)).hex() == row["share point"]

    def check(self, row: dict[str, Any]) -> None:
        """Check what a dealer writes instead; raises RefusedError."""
        if row["of"] == "joint key":
            sum_of_keys([read_point(from_hex(key)) for key in row["keys"]])
            return
        if row["of"] == "seat point":
            point, proof = from_hex(row["seat point"]), from_hex(row["proof"])
            checked_point("seat", point, proof, self.game, row["seat"].encode())
            return
        d = row["dealer"]
        if row["of"] == "key":
            checked_point("key", from_hex(row["key"]), from_hex(row["proof"]), self.game, u(d))
        elif row["of"] == "share":
            _, b = self.pairs_before[-1][row["k"]]
            place = [*self.where, u(row["k"]), u(d)]
            checked_share(self.keys[d], from_hex(row["share"]), place, b)
        elif row["of"] == "sealed share":
            _, b = self.pairs_before[-1][row["k"]]
            place, q = [*self.where, u(row["k"]), u(d)], read_point(from_hex(row["seat point"]))
            checked_sealed_share(self.keys[d], from_hex(row["sealed share"]), place, b, q)
        else:
            out, proof = from_hex(row["pairs"]), from_hex(row["proof"])
            place = [*self.where, u(d)]
            pairs_of_mix(place, self.key, self.pairs_before[d], out, proof)


def reason_of_refusal(deck: Deck, row: dict[str, Any]) -> str | None:
    try:
        deck.check(row)
    except RefusedError as refused:
        return str(refused)
    return None


def hash_of_transcript(given: dict[str, Any], game: bytes) -> str:
    """The SHA-256 of all bytes that these dealers write."""
    secrets = [card_secret(person, game) for person in given["people"]]
    key, where = sum_of_keys([*map(times_base, secrets)]), [game, b"deck", u(given["epoch"])]
    data = b"".join(secret_proof("key", s, game, u(d)) for d, s in enumerate(secrets))
    pairs = pairs_of_cards(game, given["cards"])
    for d, s in enumerate(secrets):
        out, proof = mix_of_pairs(s, [*where, u(d)], key, pairs)
        data += out + proof
        points = [read_point(out[i : i + 32]) for i in range(0, len(out), 32)]
        pairs = [*zip(points[::2], points[1::2], strict=True)]
    for k, (_, b) in enumerate(pairs):
        for d, s in enumerate(secrets):
            data += share_of(s, [*where, u(k), u(d)], b)
    return hashlib.sha256(data).hexdigest()


def check_vectors(vectors: dict[str, Any]) -> str:
    game = from_hex(vectors["game"])
    for case in vectors["scalar"]:
        found = scalar_of_hash(case["label"], *map(from_hex, case["parts"]))
        assert bytes_of_scalar(found).hex() == case["out"]
    for case in vectors["point"]:
        point = point_of_hash(case["label"], *map(from_hex, case["parts"]))
        assert bytes_of_point(point).hex() == case["out"]
    stream = vectors["scalars"]
    assert [
        bytes_of_scalar(k).hex() for k in Scalars(from_hex(stream["key"]))(len(stream["out"]))
    ] == stream["out"]
    for case in vectors["no points"]:
        assert point_of_record(from_hex(case["bytes"])) is None, case
    given_decks = [vectors["two dealers"], vectors["three dealers"]]
    decks = [Deck(given, game) for given in given_decks]
    for row in vectors["refused"]:
        assert reason_of_refusal(decks[1], row) == row["reason"], row
    for given in vectors["transcripts"]:
        assert hash_of_transcript(given, game) == given["out"]
    said = {
        "keys": [key for deck in decks for key in deck.keys],
        "mixes": [mix for given in given_decks for mix in given["mixes"]],
        "opened cards": [card for given in given_decks for card in given["shares"]],
        "sealed shares": [row for given in given_decks for row in given["sealed shares"]],
        "refused": vectors["refused"],
        "transcripts": vectors["transcripts"],
    }
    return "right: " + ", ".join(f"{len(what)} {name}" for name, what in said.items())


if __name__ == "__main__":
    print(check_vectors(json.loads(Path(sys.argv[1]).read_text("ascii"))))
