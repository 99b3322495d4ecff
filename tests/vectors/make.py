"""Makes the known-answer vectors: `python -m tests.vectors.make` writes `pbem-1.json`, the sample
games' files and the tables of docs/protocol.md; a test sees to it that they are what they were.

`python -m tests.vectors.make FOLDER` writes every one-fault file there, named by its reason.
"""

import json
import shutil
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.format import protocol_labels
from pbem.format.canonical_toml import emit
from pbem.format.encrypted_box import BoxContext, box_key, padded, public_of, seal
from pbem.format.hashes_and_streams import Stream, kdf, pae, shuffle, th, u
from pbem.format.mail_block import block_checksum, block_of
from pbem.format.secret_and_public_keys import Secrets, SigningKey, public_line
from pbem.format.signed_file import _message, sign
from pbem.judge.announced_absences_and_delays import Calendar
from pbem.judge.consent import Seat, consent
from pbem.judge.deputy_and_co_dealer_keys_in_charter import DeputyLine
from pbem.judge.notice_kinds import Away, NewKey, Vouch
from pbem.judge.referee_secrets import seal_secrets
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct, SeatKeys, Standing
from pbem.records.invite import door_key, invite_code
from pbem.records.join import door_message
from pbem.records.notice import notice_fields
from pbem.records.packet import Packet, seal_handover
from pbem.records.seeded_decks_and_dice import LINKS, Position, die
from pbem.records.twelve_words import words_of
from tests.kit.sample_records import BO_LINES, CARDS, PRIVATE_TEXT, TABLE, Sample, sample
from tests.notices.people import GAME, KEYS, X_NEW, box, charter_of_three, join_by, signed_content
from tests.records.calendar_sample import calendar_sample
from tests.vectors import tables

HERE = Path(__file__).resolve().parent
KEY = bytes(range(32))
DOCUMENT = {
    "b": [{"x": -1}, {}], "a": {"t": {"on": True}}, "s": 'é"\\\n😀\x7f', "l": ["p", 2, False],
    "e": [],
}  # fmt: skip


def vectors() -> dict[str, Any]:
    """Everything in `pbem-1.json`; bytes as hex."""
    game = sample()
    return {
        "u": [{"i": i, "out": u(i).hex()} for i in (0, 1, 258, (1 << 64) - 1)],
        "pae": [_pae(), _pae(b""), _pae(b"a", b"bc")],
        "th": {"label": "game", "parts": [b"x".hex()], "out": th(protocol_labels.GAME, b"x").hex()},
        "kdf": {
            "ikm": KEY.hex(),
            "label": "salt",
            "parts": [u(1).hex(), b"x".hex()],
            "out": kdf(KEY, protocol_labels.SALT, u(1), b"x").hex(),
        },
        "stream": _stream([6, 52, 1 << 32, (1 << 63) + 1, 1 << 64]),
        "shuffle": {"key": KEY.hex(), "of": 10, "out": shuffle(range(10), Stream(KEY))},
        "canonical": {"document": DOCUMENT, "text": emit(DOCUMENT).decode()},
        "signature": _signature(game),
        "box": _box(),
        "mail": _mail(b"hello\n"),
        "words": [
            {"head": head.hex(), "words": " ".join(words_of(head))}
            for head in (bytes(32), b"\xff" * 32, KEY)
        ],
        "sample": _sample(game),
        "calendar": _calendar(),
        "who must agree": _agreements(),
        "waiting": [_waiting(*case, again) for case in WAITING for again in (False, True)],
        "new keys": _new_keys(),
    }


TABLES = ["a own here, b own here", "a own here, b own idle", "a own here", "a own here, b own out"]
TABLES += ["a own here, b own idle, c guest here", "a own here, b own here, c own idle"]
TABLES += ["a own away, b own here, c own here", "a guest here, b guest here", "a own idle"]
BY_PEOPLE = ["a referee here, b own idle", "a referee here, b mail here, c own idle"]
"""Tables that only a referee who is a person can have."""


def _agreements() -> list[dict[str, Any]]:
    """Who must agree to each act, at tables of `seat holder presence`."""
    found = list[dict[str, Any]]()
    for automaton in (False, True):
        for words in TABLES if automaton else [*TABLES, *BY_PEOPLE]:
            seats = [Seat(*seat.split()) for seat in words.split(", ")]  # type: ignore[arg-type]
            for act in ("end", "no winner", "deadline", "clock", "vouch", "seat"):
                about = "b" if act in ("vouch", "seat") else ""
                if about and len(seats) < 2:
                    continue
                must = consent(act, seats, about, automaton=automaton)  # type: ignore[arg-type]
                found.append(
                    {
                        "automaton": automaton, "table": words, "act": f"{act} {about}".strip(),
                        "seats": "".join(sorted(must.seats)),
                        "count": must.count or len(must.seats), "enough": not must.obstacle,
                        "cancels": "".join(sorted(must.cancels)),
                    }
                )  # fmt: skip
    return found


WAITING = [
    ({"deadline": "24h"}, []),
    ({"deadline": "3 days"}, []),
    ({"deadline": "never"}, [[0, 900_000]]),
    ({"deadline": "3 days"}, [[0, 900_000]]),
    ({"deadline": "24h"}, [[200_000, 900_000]]),
    ({"deadline": "24h"}, [[0, 8_000_000]]),
    ({"deadline": "24h"}, [[0, 90_000], [250_000, 400_000], [900_000, 990_000]]),
    ({"deadline": "24h", "deadline_feed": "5 days"}, [[0, 90_000]]),
    ({"deadline": "sun 20:00 UTC"}, []),
    ({"deadline": "sun 20:00 Europe/Berlin"}, []),
    ({"deadline": "sun 20:00 Asia/Tokyo"}, [[0, 400_000]]),
]
"""Rules, and the absences of those who can cancel: when each begins and ends."""
ANNOUNCED_AT = 50_000
"""The date of the turn that announces something; 1 January 1970 was a Thursday."""


def _new_keys() -> list[dict[str, Any]]:
    """Notices `key` of seat b, and whether they count among these keys."""
    new, had, waits, spare, other = (SigningKey(bytes([n]) * 32) for n in (1, 4, 6, 7, 9))
    roster = {
        "a": join_by("a", recovery=other.public).content,
        "b": join_by("b", recovery=spare.public).content,
    }
    here = Standing(
        charter_of_three(), roster, former_keys={"a": (SeatKeys(had.public, box("new")),)},
        announced_acts=(AnnouncedAct("vouch", b"", 4, "a", ("a",), "", key=waits.public),),
    )  # fmt: skip
    desk, a_box, x_new = here.charter.desk, roster["a"].x25519, X_NEW
    named = {
        "charter": [here.charter.key.hex(), here.charter.audit.hex(), desk.hex()],
        "has": [roster["a"].key.hex(), roster["b"].key.hex()],
        "had": [had.public.hex()],
        "waits": [waits.public.hex()],
        "named only": [a_box.hex(), other.public.hex()],
        "own recovery": spare.public.hex(),
    }
    pairs = [(key, x_new) for key in (new, had, waits, spare, other, KEYS["a"])]
    pairs += [(new, one) for one in (desk, had.public, waits.public, a_box, new.public)]
    cases = [("right", NewKey.make(key, x25519, GAME, "b")) for key, x25519 in pairs]
    cases += [(f"for {seat}", NewKey.make(new, x_new, GAME, seat)) for seat in "ac"]
    cases.append(("other box", replace(NewKey.make(new, X_NEW, GAME, "b"), x25519=box("dee"))))
    return [
        named
        | {"game": GAME.hex(), "seat": "b", "proof is": proof, **notice_fields(said)["says"]}
        | {"counts": not said.why_not(here, signed_content("b", said))}
        for proof, said in cases
    ]


def _waiting(rules: dict[str, str], absences: list[list[int]], again: bool) -> dict[str, Any]:
    """When something that was announced takes effect; again: the seat has cancelled such a thing
    before."""
    seats = "abcdefgh"[: len(absences)]
    away = {seat: Away(*absence) for seat, absence in zip(seats, absences, strict=True)}
    calendar = Calendar(absences=away, rules=rules)
    standing = Standing(calendar_sample().charter.content, calendar=calendar)
    until = standing.end_of_wait(ANNOUNCED_AT, seats, again)
    said = {"rules": rules, "time": ANNOUNCED_AT, "absences": absences, "again": again}
    return {**said, "until": until}


def _pae(*parts: bytes) -> dict[str, Any]:
    return {"parts": [part.hex() for part in parts], "out": pae(*parts).hex()}


def _stream(bounds: list[int]) -> dict[str, Any]:
    stream = Stream(KEY)
    return {"key": KEY.hex(), "bounds": bounds, "out": [stream.number_below(n) for n in bounds]}


def _signature(game: Sample) -> dict[str, Any]:
    body = b'kind = "turn"\nv = 1\n'
    return {
        "seed": game.ann.seed.hex(),
        "key": public_line(game.ann.public),
        "kind": "turn",
        "body": body.decode(),
        "message": _message("turn", body).hex(),
        "file": sign("turn", body, game.ann).file.decode(),
    }


def _box() -> dict[str, Any]:
    mine, other = b"\x11" * 32, public_of(b"\x22" * 32)
    key = box_key(mine, other, KEY)
    place = BoxContext("orders", "orders", 7, "b", 2)
    return {
        "secret": mine.hex(), "public": other.hex(), "game": KEY.hex(), "key": key.hex(),
        "place": ["orders", "orders", 7, "b", 2], "associated": place.associated().hex(),
        "plain": b"hello".hex(), "padded": padded(b"hello", 32).hex(),
        "box": seal(key, place, b"hello", 32).hex(),
    }  # fmt: skip


def _mail(file: bytes) -> dict[str, Any]:
    """Packed without compression, which every version of zlib writes in the same way."""
    return {"file": file.hex(), "text": block_of(zlib.compress(file, 0), block_checksum(file))}


def _sample(game: Sample) -> dict[str, Any]:
    """What follows from the two keys and the folder `sample`, step by step."""
    sealed = game.unsealed
    return {
        "seed of the referee's key": game.ann.seed.hex(),
        "seed of b's key": game.bo.seed.hex(),
        "table": TABLE.hex(),
        "game": game.game.hex(),
        "heads": [head.hex() for head in game.heads],
        "r_ref": game.ref.r_ref(TABLE).hex(),
        "audit": game.audit.hex(),
        "desk": game.desk.hex(),
        "seed of a's key": game.held.seed.hex(),
        "r of b": game.secrets_b.r(game.game, "b").hex(),
        "x25519 of b": game.secrets_b.box(game.game, "b").hex(),
        "invite of b": game.invite.line(),
        "key of the boxes of b": game.keys["b"].hex(),
        "SEED": game.seed.hex(),
        "cards": CARDS,
        "shuffled": game.cards,
        "salt of card 4": game.dealing.opening(Position("deck", 0, 4), "").salt.hex(),
        "last link": game.dice.link(LINKS).hex(),
        "die": die(game.game, game.dice.link(1), "1.luck.die.*.0", 6),
        "lines of b": BO_LINES,
        "s": sealed.secret.hex(),
        "slots of the lines": sealed.slots[: len(BO_LINES)],
        "masked": [sealed.masked(rank) for rank in range(len(BO_LINES))],
        "key of the boxes of desk and b": game.desk_key.hex(),
        "place of the private message": ["press", "text", 2, "", 1],
        "private message": list(PRIVATE_TEXT),
        **_seats(game),
        "ids": {name: record.id.hex() for name, record in game.records.items()},
    }


def _seats(game: Sample) -> dict[str, Any]:
    """What new players, new keys and deputies need, for the same keys."""
    secret = Secrets(game.bo.seed)
    x25519 = public_of(secret.deputy())
    key = box_key(game.audit, x25519, game.game)
    return {
        "code of the next player of b": invite_code(game.audit, TABLE, "b", 1).hex(),
        "key of b's door": door_key(game.code("b"), "b").public.hex(),
        "what b's door signs": door_message(game.join_b.content).hex(),
        "key line for b": Vouch("b", game.bo.public, x25519).line(game.game),
        "deputy's X25519 secret": secret.deputy().hex(),
        "deputy's line": DeputyLine(game.bo.public, x25519).line(),
        "deputy's box": seal_secrets(key, game.ref.r_ref(TABLE) + game.audit).hex(),
        "handover of nothing, turn 3": seal_handover(3, "b", Packet(), game.keys["b"]).hex(),
    }


def _calendar() -> dict[str, Any]:
    """The second game, `calendar`: its heads, the ids of its records."""
    game = calendar_sample()
    return {
        "game": game.game.hex(),
        "heads": [head.hex() for head in game.heads],
        "ids": {name: record.id.hex() for name, record in game.records.items()},
    }


FOLDERS = {"sample": sample, "calendar": calendar_sample}
"""The sample games, by the names of their folders."""


def write_vectors() -> None:
    """Write vectors, sample files and tables."""
    text = json.dumps(vectors(), indent=1, ensure_ascii=True)
    (HERE / "pbem-1.json").write_text(text + "\n", "ascii")
    for folder, game in FOLDERS.items():
        shutil.rmtree(HERE / folder, ignore_errors=True)
        write_game(game(), HERE / folder)
    tables.write_document()


def write_game(game: Sample, folder: Path) -> None:
    """Write the records of a sample game into a new folder."""
    for name, record in game.records.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(record.file)


def write_faults(folder: Path) -> None:
    """Write one file for each fault, `REASON.NUMBER.toml`, and `faults.json` to say what it is."""
    from tests.records.faults import record_faults  # which imports this module

    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for number, fault in enumerate(record_faults()):
        name = f"{fault.reason}.{number:03}.toml"
        (folder / name).write_bytes(fault.data)
        listed.append({"file": name, "reason": fault.reason, "fault": fault.name})
    (folder / "faults.json").write_text(json.dumps(listed, indent=1) + "\n", "ascii")


if __name__ == "__main__":
    if sys.argv[1:]:
        write_faults(Path(sys.argv[1]))
    else:
        write_vectors()
