"""``audit`` of finished games, for each signed file, against programs that only check signatures.

Debian's ``minisign`` and ``ssh-keygen -Y verify`` are started once for each file, in a loop, as
people do who check the files of a folder. ``py-minisign`` reads and verifies them in one process;
it shows how much of the audit is more than signatures. The audit verifies the same files, and also
plays the rules twice: as the table sees them, and, with the secrets that ``final`` opens, by making
every turn again and comparing it.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.make_games import GameSetup, begin, key_of, make_tree
from bench.timed_tasks_and_result_rows import Row, Task, children, take_turns
from pbem.files.game_folder import Folder
from pbem.format.secret_and_public_keys import public_line
from pbem.format.signed_file import split, verify
from pbem.judge.audit import audit
from pbem.records.read_and_sign_record import read

TURNS = 400
ROUNDS = 3
SAMPLE = 60
"""The number of files that ``minisign`` and ``ssh-keygen`` check in a round."""
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
    """Yield the audit against each program; the time is processor time for one signed file."""
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base)
        make_tree(folder / "games", turns, SEED)
        games = sorted((folder / "games").iterdir())
        files = [path for game in games for path in sorted(game.rglob("*.toml"))]

        def audit_all(number: int) -> int:
            audits(games)
            return len(files)

        signed = sign(files, folder / "minisign")
        tasks = {
            "audit": audit_all,
            "verified": task_on_files(files, lambda data: verify(split(data))),
            "read": task_on_files(files, read),
        }
        tasks |= {"in one": in_one_process(signed), "minisign": minisign_loop(signed, sample)}
        tasks |= {"ssh-keygen": keygen_loop(folder, sample)}
        seconds = take_turns(tasks, rounds, summarize=min, clock=_processor)
    name = f"audit, a signed file ({len(files)} of them)"
    in_one_process_label = "py-minisign, in one process"
    seconds_in_one = seconds["in one"]
    yield Row(name, seconds["audit"], seconds["minisign"], "minisign -V, a process each", 2)
    keygen_label = "ssh-keygen -Y verify, a process each"
    yield Row(name, seconds["audit"], seconds["ssh-keygen"], keygen_label, 0.4)
    yield Row(name, seconds["audit"], seconds_in_one, in_one_process_label)
    part = "  of it: file and signature"
    yield Row(part, seconds["verified"], seconds_in_one, in_one_process_label)
    part = "  of it: these, and the text read"
    yield Row(part, seconds["read"], seconds_in_one, in_one_process_label)


def task_on_files(files: Sequence[Path], work: Callable[[bytes], object]) -> Task:
    """Return the task to read each file from the disk and do this work with its bytes."""

    def run(number: int) -> int:
        for path in files:
            work(path.read_bytes())
        return len(files)

    return run


@dataclass(frozen=True)
class Signed:
    """Files, and a minisign signature of each of them."""

    key: Path
    """The file with the public key."""
    pairs: Sequence[tuple[Path, Path]]
    """Each file, and the file with its signature."""


def sign(files: Sequence[Path], place: Path) -> Signed:
    """Sign each of these files with minisign, and write the signatures into the folder `place`."""
    from minisign import KeyPair

    pair, pairs = KeyPair.generate(), []
    place.mkdir()
    key = place / "minisign.pub"
    key.write_bytes(bytes(pair.public_key))
    for number, path in enumerate(files):
        signature = place / f"{number}.minisig"
        signature.write_bytes(bytes(pair.secret_key.sign(path.read_bytes())))
        pairs.append((path, signature))
    return Signed(key, pairs)


def in_one_process(signed: Signed) -> Task:
    """Return the task to verify every file with py-minisign, read from the disk with its
    signature."""
    from minisign import PublicKey, Signature

    def run(number: int) -> int:
        key = PublicKey.from_bytes(signed.key.read_bytes())
        for path, signature in signed.pairs:
            key.verify(path.read_bytes(), Signature.from_bytes(signature.read_bytes()))
        return len(signed.pairs)

    return run


def minisign_loop(signed: Signed, sample: int) -> Task:
    """Return the task to verify the first files with Debian's ``minisign``, a process for each.

    Raises SystemExit if it is not installed.
    """
    words = [_program("minisign"), "-V", "-q", "-p", str(signed.key)]

    def run(number: int) -> int:
        for path, signature in signed.pairs[:sample]:
            subprocess.run([*words, "-m", str(path), "-x", str(signature)], check=True)
        return len(signed.pairs[:sample])

    return run


def keygen_loop(place: Path, sample: int) -> Task:
    """Return the task to verify turns of a game with ``ssh-keygen``, as the protocol says (§2). The
    game is made in the folder `place`, with `sample` turns."""
    setup = GameSetup(place / "keygen", "keygen", players=2)
    begin(setup).play(sample)
    signers = place / "signers"
    signers.write_text(f"ann {public_line(key_of('keygen', 'referee').public)}\n")
    parts = []
    for path in sorted((setup.folder / "turns").iterdir()):
        body, _, trailer = path.read_text().partition("\n#")
        signature = place / f"{path.stem}.sig"
        signature.write_text("".join(f"{line[2:]}\n" for line in f"#{trailer}".splitlines()))
        parts.append((f"{body}\n".encode(), signature))
    words = [
        _program("ssh-keygen"),
        "-Y",
        "verify",
        "-f",
        str(signers),
        "-I",
        "ann",
        "-n",
        "turn@pbem-1",
        "-s",
    ]

    def run(number: int) -> int:
        for body, signature in parts:
            subprocess.run([*words, str(signature)], input=body, check=True, capture_output=True)
        return len(parts)

    return run


def _program(name: str) -> str:
    """Return the path of an installed program. Raises SystemExit if there is none."""
    path = shutil.which(name)
    if path is None:
        raise SystemExit(f"this benchmark needs {name}: sh tools/verifiers.sh installs it")
    return path


def _processor() -> float:
    """Return the processor time of this process and its children, in seconds."""
    return time.process_time() + children()
