"""A second implementation: audits `sample/` and `calendar/` from docs/protocol.md alone, with
nothing from pbem.

`python tests/vectors/second.py pbem-1.json` checks who must agree, what waits and new keys.
`python tests/vectors/second.py FOLDER` prints what it checked, or fails at the first difference.
With the letter of a seat and its X25519 secret in hex it also prints the messages to that seat.
"""

import base64
import hashlib
import hmac
import json
import re
import struct
import sys
import tomllib
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

Doc = dict[str, Any]


# ------------------------------------------------------------------ §2
def u(i: int) -> bytes:
    return i.to_bytes(8, "big")


def pae(*parts: bytes) -> bytes:
    counted = b"".join(struct.pack("<Q", len(p)) + p for p in parts)
    return struct.pack("<Q", len(parts)) + counted


def label(name: str) -> bytes:
    return b"pbem/1/" + name.encode()


def th(name: str, *parts: bytes) -> bytes:
    return hashlib.sha256(pae(label(name), *parts)).digest()


def kdf(ikm: bytes, name: str, *parts: bytes) -> bytes:
    prk = hmac.new(bytes(32), ikm, hashlib.sha256).digest()
    return hmac.new(prk, pae(label(name), *parts) + b"\1", hashlib.sha256).digest()


def below(key: bytes, n: int) -> int:
    """The first number below n of a stream."""
    for i in range(1 << 30):
        block = hmac.new(key, u(i), hashlib.sha256).digest()
        for word in struct.unpack(">4Q", block):
            if word < (1 << 64) // n * n:
                return int(word) % n
    raise AssertionError


def shuffle(items: list[Any], key: bytes) -> list[Any]:
    words = (
        int.from_bytes(block[i : i + 8], "big")
        for block in (hmac.new(key, u(n), hashlib.sha256).digest() for n in range(1 << 30))
        for i in (0, 8, 16, 24)
    )
    out = list(items)
    for i in range(len(out) - 1, 0, -1):
        limit = (1 << 64) // (i + 1) * (i + 1)
        j = next(w for w in words if w < limit) % (i + 1)
        out[i], out[j] = out[j], out[i]
    return out


def canonical_string(text: str) -> str:
    def char(c: str) -> str:
        if c in '"\\':
            return "\\" + c
        if " " <= c <= "~":
            return c
        return f"\\u{ord(c):04X}" if ord(c) < 0x10000 else f"\\U{ord(c):08X}"

    return '"' + "".join(map(char, text)) + '"'


def canonical_value(value: Any) -> str:
    if isinstance(value, str):
        return canonical_string(value)
    if isinstance(value, list):
        return "[\n" + "".join(f"  {canonical_value(v)},\n" for v in value) + "]" if value else "[]"
    return str(value).lower()


def canonical(doc: Doc, path: str = "") -> str:
    tables = {k: v for k, v in doc.items() if isinstance(v, dict)}
    rows = {k: v for k, v in doc.items() if isinstance(v, list) and v and isinstance(v[0], dict)}
    out = "".join(
        f"{k} = {canonical_value(doc[k])}\n"
        for k in sorted(doc)
        if k not in tables and k not in rows
    )
    for k in sorted(tables):
        out += f"\n[{path}{k}]\n" + canonical(tables[k], f"{path}{k}.")
    for k in sorted(rows):
        out += "".join(f"\n[[{path}{k}]]\n" + canonical(row, f"{path}{k}.") for row in rows[k])
    return out


def wire(*parts: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(p)) + p for p in parts)


def verified_record(path: Path) -> tuple[Doc, bytes, str]:
    """Document, body and the line of the key that signed it; every check that needs no other."""
    data = path.read_bytes()
    cut = data.index(b"\n#") + 1
    body, trailer = data[:cut], data[cut:].decode("ascii")
    rows = re.findall(r"^# ([A-Za-z0-9+/=]+)$", trailer, re.M)
    blob = base64.b64decode("".join(rows))
    doc = tomllib.loads(body.decode("ascii"))
    assert canonical(doc).encode() == body, path
    key, signature = blob[33:65], blob[-64:]
    space, digest = f"{doc['kind']}@pbem-1".encode(), hashlib.sha512(body).digest()
    Ed25519PublicKey.from_public_bytes(key).verify(
        signature, b"SSHSIG" + wire(space, b"", b"sha512", digest)
    )
    public = wire(b"ssh-ed25519", key)
    inner = wire(b"ssh-ed25519", signature)
    assert blob == b"SSHSIG\0\0\0\1" + wire(public, space, b"", b"sha512", inner)
    text = base64.b64encode(blob).decode()
    armor = [text[i : i + 70] for i in range(0, len(text), 70)]
    lines = ["-----BEGIN SSH SIGNATURE-----", *armor, "-----END SSH SIGNATURE-----"]
    assert trailer == "".join(f"# {line}\n" for line in lines), path
    return doc, body, "ssh-ed25519 " + base64.b64encode(public).decode()


def x(text: str) -> bytes:
    return bytes.fromhex(text)


def box_key(secret: bytes, public: bytes, game: bytes) -> bytes:
    mine = X25519PrivateKey.from_private_bytes(secret)
    pair = sorted((public, mine.public_key().public_bytes_raw()))
    return kdf(mine.exchange(X25519PublicKey.from_public_bytes(public)), "box", game, *pair)


def signer(join: Doc) -> bytes:
    return base64.b64decode(join["key"].removeprefix("ssh-ed25519 "))[-32:]


def decrypted_text(key: bytes, box: str, *place: Any) -> bytes:
    kind, field, turn, seat, revision, *signed_by = place
    bound = pae(kind.encode(), field.encode(), u(turn), seat.encode(), u(revision), *signed_by)
    text = AESSIV(key).decrypt(base64.b64decode(box), [bound])
    length = int.from_bytes(text[:8], "big")
    assert not text[8 + length :].strip(b"\0")
    return text[8 : 8 + length]


# ------------------------------------------------------------------ §5 to §9
class Game:
    """The sample's records, read and chained."""

    def __init__(self, folder: Path) -> None:
        self.charter, body, self.referee = verified_record(folder / "game.toml")
        assert self.referee == self.charter["key"]
        self.game = th("game", body)
        self.heads = [th("head", self.game)]
        self.ids: dict[str, bytes] = {}
        self.joins = {}
        for path in sorted((folder / "seats").iterdir()):
            doc = self.record(path, 0, self.heads[0])
            self.joins[doc["seat"]] = doc
        self.turns = []
        for k, path in enumerate(sorted((folder / "turns").iterdir()), 1):
            self.turns.append(self.record(path, k, self.heads[-1]))
            self.heads.append(th("head", self.heads[-1], self.ids[path.name]))
        self.orders = {}
        for path in sorted((folder / "orders").iterdir()):
            turn, own = int(path.name[:4]), path.name[5] in self.charter["plays"]
            doc = self.record(path, turn, self.heads[turn - 1 if own else turn])
            self.orders[self.ids[path.name]] = doc
        self.notices = dict(map(self.notice, sorted((folder / "notices").iterdir())))
        self.final = self.record(folder / "final.toml", len(self.heads), self.heads[-1])
        self.press = [self.message(path) for path in sorted(folder.glob("press/*"))]

    def message(self, path: Path) -> Doc:
        """A message: in its place, signed by its writer, with one of text and box."""
        turn, writer, number, digits = path.stem.split("-")
        doc = self.record(path, int(turn), self.heads[int(turn)])
        said = (doc["seat"] or "referee", str(doc["number"]), self.ids[path.name].hex()[:6])
        assert (doc["kind"], *said) == ("press", writer, number, digits), path
        assert 1 <= doc["number"] <= 64
        assert ("text" in doc) != ("box" in doc), path
        if "box" in doc:
            assert len(base64.b64decode(doc["box"])) == 4096 + 16
        else:
            assert proper(doc["text"]), path
        return doc

    def notice(self, path: Path) -> tuple[str, Doc]:
        """A notice by its id: in its place, signed by its writer, listed by one turn after it."""
        turn, writer, number, digits = path.stem.split("-")
        doc = self.record(path, int(turn), self.heads[int(turn)])
        ident = self.ids[path.name].hex()
        said = (doc["seat"] or "referee", str(doc["number"]), ident[:6])
        assert (doc["kind"], *said) == ("notice", writer, number, digits), path
        assert 1 <= doc["number"] <= 8
        row = {"about": doc["about"], "id": ident} | ({"seat": writer} if doc["seat"] else {})
        listed = [row in later.get("notices", []) for later in self.turns[int(turn) :]]
        assert sum(listed) == 1, path
        assert is_known_notice(doc), path
        return ident, doc

    def record(self, path: Path, turn: int, prev: bytes) -> Doc:
        doc, body, key = verified_record(path)
        self.ids[path.name] = hashlib.sha256(body).digest()
        assert (doc["v"], doc["game"], doc["turn"]) == (1, self.game.hex(), turn), path
        assert doc["prev"] == prev.hex(), path
        seated = self.joins.get(doc["seat"], {}).get("key")
        writer = seated if doc["seat"] else self.referee
        signers = {"join": doc.get("key"), "orders": seated, "press": writer, "notice": writer}
        assert key == signers.get(doc["kind"], self.referee), path
        if path.name[:1] == doc["seat"] and doc["kind"] == "join":
            assert path.name == f"{doc['seat']}-{self.ids[path.name].hex()[:6]}.toml"
        return doc


def is_known_notice(doc: Doc) -> bool:
    """Whether a notice says what its kind says; the samples have these four kinds."""
    said, kinds = doc["says"], {name: type(value) for name, value in doc["says"].items()}
    if doc["about"] == "vote":
        return said in [{"result": word} for word in ("score", "draw", "no winner", "play on")]
    if doc["about"] == "away":
        times = kinds == {"begins": int, "ends": int}
        return times and all(0 <= time <= 253402300799 for time in said.values())
    if doc["about"] == "delay":
        return kinds == {"hours": int} and 1 <= said["hours"] <= 9600
    assert doc["about"] == "deadline", doc["about"]
    phase = said.get("phase", "feed")
    named = kinds.keys() <= {"rule", "phase"} and re.fullmatch("[a-z0-9_-]{1,32}", phase)
    return bool(named) and re.fullmatch("[ -~]{0,200}", said["rule"]) is not None


def proper(said: list[str]) -> bool:
    """Whether these lines can be a message. (Characters: the readable ones of §2, not all here.)"""
    visible = all(" " <= c != "\x7f" for line in said for c in line)
    ends = said[0].strip() and said[-1].strip()
    return bool(visible and ends) and len(said) <= 40 and 1 <= sum(map(len, said)) <= 1000


def messages_to(game: Game, seat: str, secret: bytes) -> list[str]:
    """What the private messages to this seat say."""
    found = []
    for doc in game.press:
        if "box" in doc and doc["seat"] != seat:
            other = game.joins[doc["seat"]]["x25519"] if doc["seat"] else game.charter["desk"]
            place = ("press", "text", doc["turn"], doc["seat"], doc["number"])
            try:
                text = decrypted_text(box_key(secret, x(other), game.game), doc["box"], *place)
            except InvalidTag:  # it is for somebody else
                continue
            assert proper(text.decode().split("\n"))
            found.append(text.decode())
    return found


def seats_held_by_referee(charter: Doc) -> set[str]:
    """The seats whose keys derive from the referee's: those in `plays`, and those by mail."""
    return {*charter["plays"], *(one["seat"] for one in charter["seats"] if one.get("mail"))}


def check_door(game: Game, seat: str, secret: bytes) -> None:
    """The door that the code gives is the charter's, and signed the keys in the join."""
    join = game.joins[seat]
    (door,) = (signer({"key": one["door"]}) for one in game.charter["seats"] if one["seat"] == seat)
    assert Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw() == door
    recovery = signer({"key": join["recovery"]}) if "recovery" in join else b""
    keys = signer(join), x(join["x25519"]), recovery, x(join["commit"])
    message = th("door", game.game, seat.encode(), *keys)
    Ed25519PublicKey.from_public_bytes(door).verify(x(join["door"]), message)


def audit(folder: Path) -> list[str]:
    """Check all that docs/protocol.md lets anybody check; what was checked."""
    game = Game(folder)
    secret, r_ref = x(game.final["audit"]), x(game.final["r_ref"])
    table = x(game.charter["table"])
    assert game.charter["commit"] == th("commit-ref", table, r_ref).hex()
    keys = {s: box_key(secret, x(j["x25519"]), game.game) for s, j in game.joins.items()}
    material = r_ref
    for seat, join in sorted(game.joins.items()):
        sizes = [len(base64.b64decode(join[name])) for name in ("r", "contact")]
        assert sizes == [0 if seat in seats_held_by_referee(game.charter) else 80, 528]
        code = kdf(secret, "invite", table, seat.encode(), u(0))[:16]
        check_door(game, seat, kdf(code, "door-key", seat.encode()))
    for seat, join in sorted(game.joins.items()):
        if seat not in seats_held_by_referee(game.charter):
            r = decrypted_text(keys[seat], join["r"], "join", "r", 0, seat, 0, signer(join))
            assert join["commit"] == th("commit", game.game, seat.encode(), r).hex()
            material += r
    seed = kdf(material, "seed", game.game)
    sealed = {i: check_orders(game, o, keys[o["seat"]]) for i, o in game.orders.items()}
    check_deck(game, seed, keys)
    check_packet_sizes(game, keys)
    check_shown(game)
    check_openings(game, sealed)
    check_dice(game, seed)
    Time(game).check()
    listed = sum(len(turn.get("notices", [])) for turn in game.turns)
    assert listed == len(game.notices)
    told = {"files": len(game.ids) + 1, "orders": len(sealed), "turns": len(game.turns)}
    told |= {"notices": listed, "messages": len(game.press)}
    return [f"{number} {what}" for what, number in told.items()]


def days_or_hours(span: str) -> int:
    """Of the forms of *Deadlines*, the samples use these: `24h` and `3 days`."""
    found = re.fullmatch(r"([0-9]+)(h| days?)", span)
    assert found, span
    return int(found[1]) * (3600 if found[2] == "h" else 86400)


class Time:
    """Deadlines, notices about time, absence and open seats (§5), followed turn by turn.

    People are all seats here: no seat of the samples has a bot from the beginning.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.policies = game, dict(game.charter["policies"])
        self.people = {row["seat"] for row in game.charter["seats"]}
        self.absences: dict[str, tuple[int, int]] = {}
        self.wanted: dict[str, tuple[str, str]] = {}
        self.taken = dict.fromkeys(self.people, 0)
        self.missed: dict[str, int] = {}
        self.silent_in: dict[str, int] = {}
        self.asked_by, self.deadline, self.round = 1, 0, 0
        self.asked: set[str] = set()

    def check(self) -> None:
        for number, turn in enumerate(self.game.turns, 1):
            self.turn(number, turn)

    def turn(self, number: int, turn: Doc) -> None:
        put_off, changed, heard = 0, False, set()
        self.now = turn["time"]
        for doc in self.listed(turn):
            heard.add(doc["seat"])
            if doc["about"] == "away":
                self.away(doc)
            elif doc["about"] == "delay":
                put_off += self.delay(doc)
            elif doc["about"] == "deadline":
                changed |= self.rule(doc)
        heard |= {row["seat"] for row in turn.get("orders", []) if row["status"] == "accepted"}
        self.silence(turn, heard)
        for entry in turn.get("log", []):
            round_, _, _, seat, _ = entry["key"].split(".")
            if entry["by"] in ("default", "bot"):
                assert entry["by"] == self.settles(seat, int(round_)), entry["key"]
            self.round = int(round_)
        due = self.deadline
        if turn.get("log") or changed:
            due = self.now + days_or_hours(self.policies["deadline"])
        assert turn["deadline"] == (0 if turn["over"] else due + put_off if due else 0), number
        self.deadline = turn["deadline"]
        self.asked = {row["seat"] for row in turn.get("awaited", [])}
        self.asked_by = number if turn.get("log") else self.asked_by

    def listed(self, turn: Doc) -> list[Doc]:
        """The notices of a turn in the order in which they count."""
        ids = {row["id"] for row in turn.get("notices", [])}
        here = [
            (doc["seat"] == "", doc["turn"], doc["number"], doc["seat"], ident)
            for ident, doc in self.game.notices.items()
            if ident in ids
        ]
        return [self.game.notices[ident] for *_, ident in sorted(here)]

    # -------------------------------------------------------------- the three kinds
    def away(self, doc: Doc) -> None:
        begins, ends = doc["says"]["begins"], doc["says"]["ends"]
        self.absences.pop(doc["seat"], None)
        if ends:
            assert begins < ends <= begins + 100 * 86400
            assert ends > self.now
            self.absences[doc["seat"]] = begins, ends

    def delay(self, doc: Doc) -> int:
        assert 0 < self.now < self.deadline
        assert doc["turn"] >= self.asked_by
        hours: int = doc["says"]["hours"]
        self.taken[doc["seat"]] += hours
        assert self.taken[doc["seat"]] * 3600 <= days_or_hours(self.policies["delays"])
        return hours * 3600

    def rule(self, doc: Doc) -> bool:
        """Note a proposal; whether the referee's makes it the rule."""
        wish = doc["says"].get("phase", ""), doc["says"]["rule"]
        if doc["seat"]:
            self.wanted[doc["seat"]] = wish
            return False
        live = self.people - self.announced() - self.idle() - {*self.game.charter["plays"]}
        assert all(self.wanted.get(seat) == wish for seat in live)
        self.policies["deadline" + (f"_{wish[0]}" if wish[0] else "")] = wish[1]
        self.wanted.clear()
        return True

    # -------------------------------------------------------------- who is away
    def announced(self) -> set[str]:
        away = {s for s, (begins, ends) in self.absences.items() if begins <= self.now < ends}
        return away if self.people - away else set()

    def idle(self) -> set[str]:
        enough = self.policies.get("idle_after", 2)
        return {seat for seat, missed in self.missed.items() if enough and missed >= enough}

    def settles(self, seat: str, round_: int) -> str:
        """What settles a question to this seat, for which no line answers; empty: nothing."""
        if seat in self.announced():
            return "default"
        others = self.people - self.idle() - self.announced()
        if seat in self.idle() and (others or round_ <= max(self.silent_in.values())):
            long = self.policies.get("open_after", 1)
            is_open = long and round_ - self.silent_in[seat] > long
            return self.policies.get("silent_seat", "default") if is_open else "default"
        return "default" if self.silent_in.get(seat) == round_ else ""

    def silence(self, turn: Doc, heard: set[str]) -> None:
        """Note who was silent: asked, after the deadline, and not away already."""
        for seat in heard & self.missed.keys():
            del self.missed[seat], self.silent_in[seat]
        for seat in turn.get("silent", []):
            assert 0 < self.deadline <= self.now
            assert seat in self.asked
            assert not self.settles(seat, self.round)
            self.missed[seat] = self.missed.get(seat, 0) + 1
            self.silent_in[seat] = int(turn["log"][0]["key"].split(".")[0])


def check_orders(game: Game, orders: Doc, key: bytes) -> list[bytes]:
    """Open a box and recompute every commitment; the places of its lines."""
    turn, seat, revision = orders["turn"], orders["seat"], orders["revision"]
    text = decrypted_text(key, orders["box"], "orders", "orders", turn, seat, revision)
    s, lines = text[:32], text[32:].decode("ascii").split("\n")[:-1]
    sheets = min(n for n in (1, 2, 4, 8) if len(lines) <= 64 * n and 8 + len(text) <= 2048 * n)
    count = 64 * sheets
    assert len(base64.b64decode(orders["box"])) == 2048 * sheets + 16
    slots = shuffle(list(range(count)), kdf(s, "slots"))
    filling = hashlib.shake_256(kdf(s, "fill")).digest(32 * count)
    made = [filling[32 * i : 32 * i + 32] for i in range(count)]
    for line, i in zip(lines, slots, strict=False):
        parts = re.split(r"\[([^\[\]]*)\]", line)
        for j in range(len(parts) // 2):
            card, salt = parts[2 * j + 1].encode(), kdf(s, "hide", u(i), u(j))
            handle = th("hidden", game.game, u(turn), seat.encode(), u(i), u(j), card, salt)
            parts[2 * j + 1] = f"[#{handle.hex()}]"
        masked, salt = "".join(parts).encode(), kdf(s, "line-salt", u(i))
        made[i] = th("line", game.game, u(turn), seat.encode(), u(i), masked, salt)
    assert [m.hex() for m in made] == orders["lines"]
    return made


def check_deck(game: Game, seed: bytes, keys: dict[str, bytes]) -> None:
    """The published cards are the seed's, and so are those in the packets and on the table."""
    published: dict[int, bytes] = {}
    known: dict[int, str] = {}

    def show(opening: Doc, by: str) -> None:
        k, card = opening["k"], opening["card"]
        salt = kdf(seed, "salt", b"deck", u(0), u(k))
        assert x(opening["salt"]) == salt, by
        made = th("card", game.game, b"deck", u(0), u(k), card.encode(), salt)
        assert made == published[k], by
        known[k] = card

    for turn in game.turns:
        for new in turn.get("decks", []):
            published |= dict(enumerate(map(x, new["cards"]), new["first"]))
        for seat, box in turn["packets"].items():
            text = decrypted_text(keys[seat], box, "turn", "packet", turn["turn"], seat, 0)
            packet = tomllib.loads(text.decode("ascii"))
            for opening in packet.get("dealt", []) + packet.get("under", []):
                show(opening, seat)
        for opening in turn.get("dealt", []) + turn.get("shown", []):
            show(opening, "table")
    all_cards = sorted(["climbing 2", "foraging 6", "horns 3", "horns 4", "horns 4", "long neck 9"])
    deck = shuffle(all_cards, kdf(seed, "deck", b"deck", u(0)))
    assert all(card == deck[k] for k, card in known.items() if k < len(deck))


def check_packet_sizes(game: Game, keys: dict[str, bytes]) -> None:
    """Packets are as long as the turn's public part says. Who put cards under a deck, the rules
    know, and here the packets."""
    in_lines: set[str] = set()
    for turn in game.turns:
        count = dict.fromkeys(keys, 0)
        for line in turn.get("lines", []):
            in_lines |= set(re.findall(r"\[#([0-9a-f]{64})\]", line["text"]))
        for entry in turn.get("log", []):
            if " draws " in entry["text"]:
                count[entry["text"][0]] += entry["text"].count("[?]")
            for handle in entry.get("hidden", []):
                count[entry["key"].split(".")[3]] += handle not in in_lines
        for seat, box in turn["packets"].items():
            text = decrypted_text(keys[seat], box, "turn", "packet", turn["turn"], seat, 0)
            count[seat] += len(tomllib.loads(text.decode("ascii")).get("under", []))
        refused = any(row.get("reason") == "rule" for row in turn.get("orders", []))
        size = 64 + 256 * max(count.values()) + (16 * 912 if refused else 0)
        assert {len(base64.b64decode(box)) for box in turn["packets"].values()} == {size + 16}


def check_shown(game: Game) -> None:
    """What left a hand for all to see was dealt to it, once each: in these rules, what a sentence
    of a seat names before a colon."""
    pile: list[int] = []
    hands: dict[int, str] = {}
    for turn in game.turns:
        shown = turn.get("shown", [])
        for entry in turn.get("log", []):
            seat, text = entry["key"].split(".")[3], entry["text"]
            if seat == "*":
                dealt = follow_sentence(pile, text)
                hands |= dict.fromkeys(dealt, text[0]) if " draws " in text else {}
            elif ": " in text:
                card = text.split(": ")[0]
                row = next(r for r in shown if r["card"] == card and hands.get(r["k"]) == seat)
                del hands[row["k"]]
                shown = [r for r in shown if r is not row]
        assert not shown, turn["turn"]


def follow_sentence(pile: list[int], text: str) -> list[int]:
    """The deck's positions, top first, after a sentence of chance; those that left it."""
    words = [*text.split(), ""]  # a die says one word
    if words[1] == "takes":
        pile[:0] = range(int(words[2]))
    elif words[1] == "hides":
        depth, fresh = int(words[4]), 6  # the first k that is free: all six went in at once
        pile[depth:depth] = range(fresh, fresh + int(words[2]))
    elif words[1] in ("draws", "shows"):
        count = text.count("[?]") if words[1] == "draws" else 1
        left, pile[:count] = pile[:count], []
        return left
    return []


def check_openings(game: Game, sealed: dict[bytes, list[bytes]]) -> None:
    """Opened lines stand in their slots, opened cards behind handles of the log."""
    for turn in game.turns:
        handles = {h for entry in turn.get("log", []) for h in entry.get("hidden", [])}
        places = {}
        for line in turn.get("lines", []):
            orders = game.orders[x(line["order"])]
            place = (u(orders["turn"]), orders["seat"].encode(), u(line["slot"]))
            made = th("line", game.game, *place, line["text"].encode(), x(line["salt"]))
            assert made == sealed[x(line["order"])][line["slot"]]
            found = re.findall(r"\[#([0-9a-f]{64})\]", line["text"])
            places |= {handle: (*place, u(j)) for j, handle in enumerate(found)}
        for card in turn.get("cards", []):
            inside = (card["card"].encode(), x(card["salt"]))
            made = th("hidden", game.game, *places[card["handle"]], *inside)
            assert made.hex() == card["handle"] in handles


def check_dice(game: Game, seed: bytes) -> None:
    """The chain hangs on the seed, and each link on the one before."""
    link = kdf(seed, "chain")
    for _ in range(4096):
        link = th("link", link)
    assert link == x(game.turns[0]["link0"])
    for turn in game.turns:
        dice = [e for e in turn.get("log", []) if e["key"].split(".")[2:4] == ["die", "*"]]
        assert len(dice) == len(turn.get("links", []))
        for opened_link, entry in zip(turn.get("links", []), dice, strict=True):
            assert th("link", x(opened_link)) == link
            link = x(opened_link)
            key = th("chance", game.game, link, entry["key"].encode())
            assert entry["text"] == str(below(key, 6) + 1)


# ------------------------------------------------------------------ §5, Who must agree, Waiting
def must_agree(table: str, act: str, automaton: bool) -> Doc:
    """Who must say the same, how many of them, whether that counts, and who can cancel it."""
    act, _, about = act.partition(" ") if act.startswith(("vouch", "seat")) else (act, "", "")
    rows = [row.split() for row in table.split(", ")]
    holder = {seat: whose for seat, whose, _ in rows}
    presence = {seat: where for seat, _, where in rows}
    still = [seat for seat in holder if presence[seat] != "out"]
    here = [seat for seat in still if presence[seat] != "idle"]
    idle = [seat for seat in still if presence[seat] == "idle"]
    own = [seat for seat in here if holder[seat] == "own"]
    one = len({seat if holder[seat] != "referee" else "" for seat in still}) == 1
    people = {seat if holder[seat] != "referee" else "" for seat in here}
    people |= {""} if act in ("deadline", "clock") else set()
    any_own = any(holder[seat] == "own" for seat in still)
    enough = len(own) >= 2 if automaton else len(people) >= 2 and bool(own or not any_own)
    enough = bool(here) and (enough or one or not idle)
    must, count, cancels = here, len(here), idle if act in ("end", "no winner") else []
    if act == "no winner" and not automaton:
        enough = True
    elif act == "clock":
        others = [seat for seat in here if holder[seat] != "referee"]
        must = own if len(own) > automaton else others
        count = (len(must) + 1) // 2
        if automaton:
            count = max(2, count) if len(own) >= 2 else len(must)
    elif act == "vouch":
        must = [seat for seat in own if seat != about]
        count, cancels = len(must), [about]
        enough = count >= 1 + automaton and about in still
    elif act == "seat":
        must, count = [], 0
        left = about not in still or holder[about] == "mail"
        enough, cancels = left or about in idle, [] if left else [about]
    return {
        "seats": "".join(sorted(must)), "count": count, "enough": enough,
        "cancels": "".join(sorted(cancels)),
    }  # fmt: skip


def ends_waiting(rules: Doc, time: int, absences: list[list[int]], again: bool) -> int:
    """When an act that is announced at this time takes effect; again: the seat has cancelled new
    keys before."""
    start = time

    def end() -> int:
        return max([start + 48 * 3600, *(first_deadline(rule, start) for rule in rules.values())])

    for begins, ends in sorted(absences):
        if begins < end():
            start = max(start, ends)
    start = min(start, time + 14 * 24 * 3600) if again else start
    return end()


def first_deadline(rule: str, time: int) -> int:
    """The rules of the vectors: a span, or a time on one day of the week, such as Sunday."""
    if rule == "never":
        return 0
    moment = re.fullmatch(r"sun ([0-9]+):([0-9]+) (.*)", rule)
    if not moment:
        return time + days_or_hours(rule)
    late, time = (0, time) if moment[3] == "UTC" else (12 * 3600, time + 14 * 3600)
    week = 7 * 86400
    sunday = 3 * 86400 + int(moment[1]) * 3600 + int(moment[2]) * 60
    return sunday + (max(0, time - sunday) // week + (time >= sunday)) * week + late


def has_new_key(says: Doc) -> bool:
    """Whether a notice `key` counts, by what it says and by the keys of the others."""
    key, x25519 = signer(says), x(says["x25519"])
    taken = {x(one) for kind in ("charter", "has", "had", "waits") for one in says[kind]}
    if key == x25519 or {key, x25519} & taken or key == x(says["own recovery"]):
        return False
    said = th("new-key", x(says["game"]), says["seat"].encode(), key, x25519)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(x(says["proof"]), said)
    except InvalidSignature:
        return False
    return True


def check_answers(vectors: Doc) -> None:
    for case in vectors["who must agree"]:
        found = must_agree(case["table"], case["act"], case["automaton"])
        assert found == {name: case[name] for name in found}, (case, found)
    for case in vectors["waiting"]:
        said = case["rules"], case["time"], case["absences"], case["again"]
        assert ends_waiting(*said) == case["until"], case
    for case in vectors["new keys"]:
        assert has_new_key(case) is case["counts"], case


if __name__ == "__main__":
    if sys.argv[1].endswith(".json"):
        check_answers(json.loads(Path(sys.argv[1]).read_text("ascii")))
        print("right: who must agree, how long acts wait, and who has a new key")
        sys.exit()
    print("right: " + ", ".join(audit(Path(sys.argv[1]))))
    if sys.argv[2:]:
        print("\n".join(messages_to(Game(Path(sys.argv[1])), sys.argv[2], x(sys.argv[3]))))
