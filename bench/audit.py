"""``audit`` of 1000 signed turns with their orders, against the floor under every audit.

The floor is what every audit must do: read the same files, hash them, parse them with ``tomllib``
and verify their Ed25519 signatures, with no code of ours in between. The audit does all of that
and also replays the rules twice: as the table sees them, and, with the secrets that ``final``
opens, making every turn again and comparing it byte for byte.
"""

from __future__ import annotations

import base64
import hashlib
import struct
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bench.make_games import make_tree
from bench.measure import Row, take_turns
from pbem.play.auditing.audit import audit
from pbem.storage.folder import Folder

TURNS = 1000
ROUNDS = 3
AIM = 1.5
SEED = 1


def check_file(path: Path) -> None:
    """Read, hash, parse and verify one record. Raises InvalidSignature."""
    data = path.read_bytes()
    cut = data.index(b"\n#") + 1
    body, trailer = data[:cut], data[cut:]
    hashlib.sha256(body).digest()
    tomllib.loads(body.decode())
    blob = base64.b64decode(b"".join(line[2:] for line in trailer.splitlines()[1:-1]))
    name = blob[69:-101]  # after magic, version, key and a length; before hash and signature
    fields = (name, b"", b"sha512", hashlib.sha512(body).digest())
    message = b"SSHSIG" + b"".join(struct.pack(">I", len(x)) + x for x in fields)
    Ed25519PublicKey.from_public_bytes(blob[33:65]).verify(blob[-64:], message)


def floor(games: Sequence[Path]) -> None:
    """Check every record of these games."""
    for game in games:
        for path in game.rglob("*.toml"):
            check_file(path)


def audits(games: Sequence[Path]) -> None:
    """Audit each of these games; all must be right, and proven by their final.

    Raises SystemExit if one is not.
    """
    for game in games:
        report = audit(Folder(game))
        if report.exit or not report.final:
            raise SystemExit(f"{game}: {report.findings}")


def rows(turns: int = TURNS, rounds: int = ROUNDS) -> Iterator[Row]:
    """One row; the time is for one turn."""
    with tempfile.TemporaryDirectory() as place:
        made = make_tree(Path(place), turns, SEED)
        games = sorted(Path(place).iterdir())

        def ours(number: int) -> int:
            audits(games)
            return sum(made)

        def least(number: int) -> int:
            floor(games)
            return sum(made)

        took = take_turns({"audit": ours, "floor": least}, rounds)
    name = f"audit of a signed turn ({sum(made)} of them)"
    yield Row(name, took["audit"], took["floor"], "read, hash, tomllib, verify", AIM)
