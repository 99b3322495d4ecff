"""A second implementation of docs/protocol.md §13: it audits what dealers wrote in a whole game.

`python tests/vectors/second_dealers.py FOLDER CARDS.json` reads a game that is over, with the
secrets of all dealers. It checks each proof of a key, a mix and a share, makes some shares again,
opens every card that a turn opens, and reads all others. It follows `owed`, `need` and `said` from
turn to turn, and knows whose key signs the deals. CARDS.json has the cards of the deck. It knows no
rules: the deck must not be shuffled again, cards come only by `draws`, and the rules must refuse no
answer whose cards are named.
"""

import base64
import hashlib
import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from second import th, u, verified_record
from second_cards import (
    Point,
    bytes_of_point,
    checked_point,
    checked_sealed_share,
    checked_share,
    from_hex,
    minus,
    pairs_of_cards,
    pairs_of_mix,
    sealed_share_of,
    share_of,
    sum_of_keys,
    times,
    times_base,
)

Doc = dict[str, Any]


def base64_pieces(text: str, size: int) -> list[bytes]:
    data = base64.b64decode(text)
    assert data
    assert len(data) % size == 0
    return [data[at : at + size] for at in range(0, len(data), size)]


def raw_key(line: str) -> bytes:
    return base64.b64decode(line.split()[1])[-32:]


def verify(key_line: str, signature: str, message: bytes) -> None:
    Ed25519PublicKey.from_public_bytes(raw_key(key_line)).verify(from_hex(signature), message)


class DealersAudit:
    def __init__(self, folder: Path, cards: list[str]) -> None:
        def docs(pattern: str) -> list[tuple[Doc, str]]:
            rows = [verified_record(path) for path in sorted(folder.glob(pattern))]
            return [(row[0], hashlib.sha256(row[1]).hexdigest()) for row in rows]

        self.signers = {
            hashlib.sha256(body).hexdigest(): key
            for body, key in (verified_record(p)[1:] for p in sorted(folder.glob("*/*.toml")))
        }
        ((self.charter, _),) = docs("game.toml")
        self.dealer_keys = [dealer["key"] for dealer in self.charter["dealers"]]
        for dealer in self.charter["dealers"]:
            if "deputy_key" in dealer:
                deputy = raw_key(dealer["deputy_key"])
                said = th("co-dealer-deputy", deputy, from_hex(dealer["deputy_x25519"]))
                verify(dealer["key"], dealer["deputy_proof"], said)
        self.notices = {identity: doc for doc, identity in docs("notices/*.toml")}
        self.since: dict[int, int] = {}
        self.turns = [doc for doc, _ in docs("turns/*.toml")]
        self.deals = {identity: doc for doc, identity in docs("deals/*.toml")}
        joins = {identity: doc for doc, identity in docs("seats/*.toml")}
        ((final, _),) = docs("final.toml")
        first = self.turns[0]
        self.game = from_hex(first["game"])
        self.counts = defaultdict[str, int](int)
        self.seat_points = {
            seat: self.seat_point(seat, joins[identity])
            for seat, identity in first["joins"].items()
        }
        for seat, identity in first["joins"].items():
            self.check_door(seat, joins[identity])
        deals = sorted((self.deals[i] for i in first["deals"]), key=lambda deal: deal["dealer"])
        keys = [(deal["card_key"], deal["card_proof"]) for deal in deals]
        keys.append((first["card_key"], first["card_proof"]))
        self.keys = [
            checked_point("key", from_hex(key), from_hex(proof), self.game, u(d))
            for d, (key, proof) in enumerate(keys)
        ]
        self.joint_key = sum_of_keys(self.keys)
        opened = {
            deal["dealer"]: deal["secret"] for deal in self.deals.values() if "secret" in deal
        }
        opened[len(deals)] = final["card_secret"]
        self.secrets = [int.from_bytes(from_hex(opened[d]), "little") for d in sorted(opened)]
        for secret, key in zip(self.secrets, self.keys, strict=True):
            assert bytes_of_point(times_base(secret)) == bytes_of_point(key)
        self.pairs = pairs_of_cards(self.game, cards)
        self.names = {
            bytes_of_point(m): card for (m, _), card in zip(self.pairs, sorted(cards), strict=True)
        }
        self.shown: dict[tuple[str, int], str] = {}
        self.mix_count, self.dealt = 0, 0
        self.positions = defaultdict[str, list[int]](list)
        self.unshared = defaultdict[str, list[int]](list)

    def seat_point(self, seat: str, named: Doc) -> Point:
        """The point that a join or a notice names for a seat."""
        self.counts["seat points"] += 1
        point, proof = from_hex(named["seat_point"]), from_hex(named["point_proof"])
        return checked_point("seat", point, proof, self.game, seat.encode())

    def check_door(self, seat: str, join: Doc) -> None:
        (door,) = (plan["door"] for plan in self.charter["seats"] if plan["seat"] == seat)
        box, commit, point = (from_hex(join[name]) for name in ("x25519", "commit", "seat_point"))
        recovery = raw_key(join["recovery"]) if "recovery" in join else b""
        keys = raw_key(join["key"]), box, recovery, commit, point
        verify(door, join["door"], th("door", self.game, seat.encode(), *keys))

    def place(self, k: int, d: int) -> list[bytes]:
        return [self.game, b"deck", u(0), u(k), u(d)]

    def take_mix(self, mix: Doc, d: int) -> None:
        assert self.mix_count == d
        out, proof = base64.b64decode(mix["pairs"]), base64.b64decode(mix["proof"])
        place = [self.game, b"deck", u(0), u(d)]
        self.pairs = pairs_of_mix(place, self.joint_key, self.pairs, out, proof)
        self.mix_count += 1
        self.counts["mixes"] += 1

    def take_share(self, d: int, row: Doc) -> tuple[tuple[str, int], Point]:
        k, data = self.positions[row["seat"]][row["slot"]], base64.b64decode(row["share"])
        _, b = self.pairs[k]
        self.counts["shares"] += 1
        return (row["seat"], row["slot"]), checked_share(self.keys[d], data, self.place(k, d), b)

    def take_sealed_shares(self, shares: dict[str, str], d: int) -> None:
        assert shares.keys() == {seat for seat, ks in self.unshared.items() if ks}
        for seat, text in shares.items():
            q = self.seat_points[seat]
            for k, data in zip(self.unshared[seat], base64_pieces(text, 160), strict=True):
                _, b = self.pairs[k]
                checked_sealed_share(self.keys[d], data, self.place(k, d), b, q)
                if k == self.unshared[seat][0]:  # one of each seat, to save time
                    assert sealed_share_of(self.secrets[d], self.place(k, d), b, q) == data
                self.counts["sealed shares"] += 1

    def take_deal(self, deal: Doc, points: dict[tuple[str, int], list[Point]]) -> None:
        d = deal["dealer"]
        if "mix" in deal:
            self.take_mix(deal["mix"], d)
        self.take_sealed_shares(deal.get("shares", {}), d)
        for number, row in enumerate(deal.get("opened", [])):
            if not number:
                k = self.positions[row["seat"]][row["slot"]]
                made = share_of(self.secrets[d], self.place(k, d), self.pairs[k][1])
                assert made == base64.b64decode(row["share"])
            slot, point = self.take_share(d, row)
            points.setdefault(slot, []).append(point)

    def take_notices(self, turn: Doc) -> None:
        for row in turn.get("notices", []):
            notice = self.notices[row["id"]]
            if notice["about"] == "key":
                self.take_new_keys(notice["seat"], notice["says"])
            if notice["about"] == "dealer":
                number = notice["says"]["dealer"]
                dealer = self.charter["dealers"][number]
                assert self.signers[row["id"]] == dealer["deputy_key"]
                assert self.dealer_keys[number] == dealer["key"], "a place is taken once"
                assert (notice["turn"], notice["seat"]) == (turn["turn"] - 1, "")
                assert turn["time"] >= self.since[number] + 3 * 86400
                self.dealer_keys[number] = dealer["deputy_key"]
                self.counts["dealers replaced"] += 1

    def take_new_keys(self, seat: str, says: Doc) -> None:
        """Shares of all cards of the hand are due again; no card may have left a hand yet."""
        assert not self.shown
        keys = raw_key(says["key"]), from_hex(says["x25519"]), from_hex(says["seat_point"])
        verify(says["key"], says["proof"], th("new-key", self.game, seat.encode(), *keys))
        self.seat_points[seat] = self.seat_point(seat, says)
        self.unshared[seat] = [*self.positions[seat]]

    def follow(self, before: Doc, turn: Doc) -> None:
        """What the turn before owes, needs and says: the turn repeats it, or has it all."""
        owed, need = before.get("owed", []), before.get("need", [])
        given = [self.deals[identity]["dealer"] for identity in turn.get("deals", [])]
        if not owed:
            assert not given
        else:
            assert not any(turn.get(name) for name in ("orders", "silent"))
            assert (before["deadline"], before.get("awaited", [])) == (0, [])
        opened = [{"seat": r["seat"], "slot": r["slot"]} for r in turn.get("opened", [])]
        if owed and not given:
            assert not opened
            assert not turn.get("log")
            if not turn["over"]:
                assert all(
                    turn.get(name, []) == before.get(name, []) for name in ("said", "need", "owed")
                )
            return
        assert sorted(given) == owed
        assert opened == need
        self.shown |= {(row["seat"], row["slot"]): row["card"] for row in turn.get("opened", [])}
        for answer, entry in zip(before.get("said", []), turn.get("log", []), strict=False):
            text = self.named(answer["key"].split(".")[3], answer["text"])
            assert (entry["key"], entry["text"], entry["by"]) == (answer["key"], text, answer["by"])
            self.counts["answers said"] += 1

    def named(self, seat: str, text: str) -> str:
        text = re.sub(r"\[#\d+\]", "[?]", text)
        return re.sub(r"#(\d+)", lambda match: self.shown[seat, int(match[1])], text)

    def take_turn(self, turn: Doc) -> None:
        points: dict[tuple[str, int], list[Point]] = {}
        for identity in turn.get("deals", []):
            deal = self.deals[identity]
            assert (deal["turn"], deal["prev"]) == (turn["turn"] - 1, turn["prev"])
            assert self.signers[identity] == self.dealer_keys[deal["dealer"]]
            if turn["turn"] > 1:
                self.take_deal(deal, points)
        self.take_notices(turn)
        if turn["turn"] > 1:
            self.follow(self.turns[turn["turn"] - 2], turn)
        known = {} if turn.get("deals") else self.since
        self.since = {d: known.get(d, turn["time"]) for d in turn.get("owed", [])}
        if turn.get("deals") and turn["turn"] > 1:
            self.take_sealed_shares(turn.get("shares", {}), len(self.keys) - 1)
            self.unshared.clear()
        else:
            assert "shares" not in turn
        if "mix" in turn:
            self.take_mix(turn["mix"], len(self.keys) - 1)
        for row in turn.get("opened", []):
            slot, point = self.take_share(len(self.keys) - 1, row)
            card, _ = self.pairs[self.positions[slot[0]][slot[1]]]
            for share in (*points.pop(slot), point):
                card = minus(card, share)
            assert self.names[bytes_of_point(card)] == row["card"]
            self.counts["opened cards"] += 1
        assert not points, "a share of a slot that the turn does not open"
        for entry in turn.get("log", []):
            if entry["by"] == "chance" and " draws [?]" in entry["text"]:
                seat, count = entry["text"][0], entry["text"].count("[?]")
                new = [*range(self.dealt, self.dealt + count)]
                self.positions[seat] += new
                self.unshared[seat] += new
                self.dealt += count

    def run(self) -> str:
        for turn in self.turns:
            self.take_turn(turn)
        for ks in self.positions.values():
            for k in ks:
                card, b = self.pairs[k]
                for secret in self.secrets:
                    card = minus(card, times(secret, b))
                assert bytes_of_point(card) in self.names
                self.counts["cards read"] += 1
        return "right: " + ", ".join(f"{count} {name}" for name, count in self.counts.items())


if __name__ == "__main__":
    all_cards = json.loads(Path(sys.argv[2]).read_text("ascii"))
    print(DealersAudit(Path(sys.argv[1]), all_cards).run())
