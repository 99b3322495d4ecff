"""``audit`` of finished games, for each signed file, against programs that only check signatures.

A minisign loop reads each file and its signature, and verifies it, in one process; it knows no
game. ``ssh-keygen -Y verify`` is started once for each file, as people do if they trust no other
program. The audit verifies the same files, and also plays the rules twice: as the table sees them,
and, with the secrets that ``final`` opens, by making every turn again and comparing it.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.make_games import Wish, begin, key_of, make_tree
from bench.measure import Row, Task, take_turns
from bench.startup import children
from pbem.format.keys import public_line
from pbem.format.signed_file import split, verify
from pbem.play.auditing.audit import audit
from pbem.records.read_record import read
from pbem.storage.folder import Folder

TURNS = 400
ROUNDS = 3
SAMPLE = 60
"""How many files ``ssh-keygen`` checks in a round."""
SEED = 1


def audits(games: Sequence[Path]) -> None:
    """Audit each of these games; all must be right, and proven by their final.

    Raises SystemExit if one is not.
    """
    for game in games:
        report = audit(Folder(game))
        if report.exit or not report.final:
            raise SystemExit(f"{game}: {report.findings}")


def rows(turns: int = TURNS, rounds: int = ROUNDS, sample: int = SAMPLE) -> Iterator[Row]:
    """Two rows; the time is processor time for one signed file."""
    with tempfile.TemporaryDirectory() as base:
        place = Path(base)
        make_tree(place / "games", turns, SEED)
        games = sorted((place / "games").iterdir())
        files = [path for game in games for path in sorted(game.rglob("*.toml"))]

        def ours(number: int) -> int:
            audits(games)
            return len(files)

        minisign = minisign_loop(files, place / "minisign")
        keygen = keygen_loop(place, sample)
        tasks = {"audit": ours, "minisign": minisign, "ssh-keygen": keygen}
        tasks |= {"verified": each(files, _verified), "read": each(files, read)}
        took = take_turns(tasks, rounds, of=min, clock=_processor)
    name = f"audit, a signed file ({len(files)} of them)"
    loop = "minisign, a loop in one process"
    yield Row(name, took["audit"], took["minisign"], loop, 2)
    yield Row("  of it: file and signature", took["verified"], took["minisign"], loop)
    yield Row("  of it: these, and the text read", took["read"], took["minisign"], loop)
    yield Row(name, took["audit"], took["ssh-keygen"], "ssh-keygen -Y verify, a process each", 0.4)


def each(files: Sequence[Path], work: Callable[[bytes], object]) -> Task:
    """Read each file from the disk, and do this with its bytes."""

    def run(number: int) -> int:
        for path in files:
            work(path.read_bytes())
        return len(files)

    return run


def _verified(data: bytes) -> None:
    verify(split(data))


def minisign_loop(files: Sequence[Path], place: Path) -> Task:
    """Verify a minisign signature of each file, read from the disk like the file."""
    from minisign import KeyPair, PublicKey, Signature

    pair = KeyPair.generate()
    signed = []
    for number, path in enumerate(files):
        signature = place / f"{number}.minisig"
        place.mkdir(exist_ok=True)
        signature.write_bytes(bytes(pair.secret_key.sign(path.read_bytes())))
        signed.append((path, signature))
    text = bytes(pair.public_key)

    def run(number: int) -> int:
        key = PublicKey.from_bytes(text)
        for path, signature in signed:
            key.verify(path.read_bytes(), Signature.from_bytes(signature.read_bytes()))
        return len(signed)

    return run


def keygen_loop(place: Path, sample: int) -> Task:
    """Verify turns of a game with ``ssh-keygen``, as the protocol says (§2)."""
    wish = Wish(place / "keygen", "keygen", players=2)
    begin(wish).play(sample)
    signers = place / "signers"
    signers.write_text(f"ann {public_line(key_of('keygen', 'referee').public)}\n")
    parts = []
    for path in sorted((wish.folder / "turns").iterdir()):
        body, _, trailer = path.read_text().partition("\n#")
        signature = place / f"{path.stem}.sig"
        signature.write_text("".join(f"{line[2:]}\n" for line in f"#{trailer}".splitlines()))
        parts.append((f"{body}\n".encode(), signature))
    program = shutil.which("ssh-keygen")
    if program is None:
        raise SystemExit("this benchmark needs ssh-keygen (OpenSSH)")
    words = [program, "-Y", "verify", "-f", str(signers), "-I", "ann", "-n", "turn@pbem-1", "-s"]

    def run(number: int) -> int:
        for body, signature in parts:
            subprocess.run([*words, str(signature)], input=body, check=True, capture_output=True)
        return len(parts)

    return run


def _processor() -> float:
    """Seconds of processor time of this process and those that it started."""
    return time.process_time() + children()
