"""Measure what hostile input costs the real commands.

`python -m tools.hostile_input_cost [--only WORD]` (make bombs).

One row for each bomb: processor seconds, peak memory in MiB, exit code, and the sentence that
answered it. Exit 1 if a bomb costs more than 1 s or 100 MiB *above* the baseline of its command, or
is not answered by a sentence and a known exit code. The baseline, printed first, is the same
command on honest input: Python, the libraries and a busy machine take what they take; what we
promise is that no input makes a command expensive.

A small separate process starts each command, because a child is charged with the memory of the
process that started it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key
from tests.kit.played_games import REFEREE, Played, played_key
from tools import hostile_input_samples as shapes

SECONDS, MEBIBYTES = 1.0, 100
_HARD = 30
"""Seconds of processor time after which a child is stopped."""
_STARTER = """
import json, os, resource, sys
wish = json.loads(sys.argv[1])
pid = os.fork()
if not pid:
    resource.setrlimit(resource.RLIMIT_CPU, (wish["cpu"], wish["cpu"]))
    if wish["memory"]:
        resource.setrlimit(resource.RLIMIT_AS, (wish["memory"], wish["memory"]))
    for number, (path, flags) in enumerate(wish["streams"]):
        os.dup2(os.open(path, flags, 0o600), number)
    os.chdir(wish["place"])
    os.execve(wish["command"][0], wish["command"], wish["env"])
_, status, used = os.wait4(pid, 0)
seconds = used.ru_utime + used.ru_stime
print(json.dumps([os.waitstatus_to_exitcode(status), seconds, used.ru_maxrss]))
"""


@dataclass(frozen=True)
class Cost:
    """The cost of a command, and its answer."""

    seconds: float
    """Processor time."""
    memory: float
    """MiB at the peak."""
    exit: int
    sentence: str
    """The first printed error or note, else the last printed line; may be empty."""


@dataclass
class World:
    """A game in a folder, and the homes of its referee and of a player; copied for each bomb."""

    root: Path
    memory: int = 0
    """Bytes of address space that a child gets; 0 for no limit."""
    number: int = 0
    """The number of files and folders made so far; it gives each a new name."""
    games: dict[str, Played] = field(default_factory=dict)
    """The games made so far, by name."""

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        for name in (REFEREE, "Ann"):
            Home(self.home(name)).write_key("default", write_key(played_key(name)))
        self.games["begun"] = Played(self.root / "begun", bot="random").play(5)
        self.code = ""
        """The code in the email to Bo, who answers it without `pbem`; empty before its game."""

    def home(self, name: str) -> Path:
        return self.root / f"home-{name.split()[-1]}"

    def new_home(self, name: str) -> Path:
        """A home of this person that remembers nothing.

        All games here have one id, so what a machine remembers of one of them would change what
        it does with the next.
        """
        self.number += 1
        home = self.root / f"home{self.number}"
        Home(home).write_key("default", write_key(played_key(name)))
        return home

    def run(
        self, words: list[str], place: Path, person: str = "Ann", home: Path | None = None
    ) -> Cost:
        """Run one command in a separate process; `place` is its current folder. `home` is the
        person's usual one if none is given."""
        output_path, stdin = self.root / "said", os.devnull
        env = {**os.environ, "PBEM_HOME": str(home or self.home(person)), "NO_COLOR": "1"}
        write = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        output_path.unlink(missing_ok=True)
        request = {
            "command": [sys.executable, "-m", "pbem", *words], "place": str(place), "env": env,
            "streams": [[stdin, os.O_RDONLY], [str(output_path), write], [str(output_path), write]],
            "cpu": _HARD, "memory": self.memory,
        }  # fmt: skip
        started = [sys.executable, "-I", "-S", "-c", _STARTER, json.dumps(request)]
        finished = subprocess.run(started, capture_output=True, check=True, text=True)
        code, seconds, memory = json.loads(finished.stdout)
        output = output_path.read_text("utf-8", "replace")[:20_000]
        lines = [line for line in output.splitlines() if line]
        sentences = [line for line in lines if line.startswith(("error", "note"))] or lines[-1:]
        return Cost(seconds, memory / 1024, code, sentences[0] if sentences else "")

    def place(self, game: str = "begun") -> Path:
        """A fresh copy of a game's folder."""
        self.number += 1
        return Path(shutil.copytree(self.games[game].root, self.root / f"copy{self.number}"))

    def game_by_mail(self) -> tuple[Path, Path]:
        """A fresh copy of a game in which Ann and Bo have no `pbem`, and of its referee's home."""
        made_folder, home = self.root / "by-mail", self.root / "home-by-mail"
        if not self.code:
            Home(home).write_key("default", write_key(played_key(REFEREE)))
            people = "Ann <ann@example.org>,Bo <bo@example.org>"
            words = ["--mail-seats", "Ann,Bo", "--referee", "Rhea", "--deadline", "never"]
            begin = ["new", str(made_folder), "--players", people, *words]
            in_folder = ["-C", str(made_folder)]
            for command in (begin, ["advance", *in_folder], ["send", *in_folder]):
                cost = self.run(command, self.root, home=home)
                assert cost.exit == 0, cost
            letter = next(home.glob("games/*/letters/*-b.eml")).read_text("ascii")
            self.code = re.findall(r"pbem-[0-9a-f]{6}-b1-[a-z2-7]{16}", letter)[0]
        self.number += 1
        copies = (self.root / f"copy{self.number}", self.root / f"home{self.number}")
        return Path(shutil.copytree(made_folder, copies[0])), Path(shutil.copytree(home, copies[1]))

    def file(self, data: bytes) -> Path:
        self.number += 1
        path = self.root / f"bomb{self.number}"
        path.write_bytes(data)
        return path


Throw = Callable[[World], Cost]


@dataclass(frozen=True)
class Bomb:
    """One hostile input; `kind` names the command, and so the baseline."""

    kind: str
    name: str
    throw: Throw


# ------------------------------------------------------------------ commands
def receive(world: World, file: Path) -> Cost:
    place = world.root / "post"
    place.mkdir(exist_ok=True)
    return world.run(["receive", str(file)], place)


def answer(world: World, make: Callable[[str], bytes]) -> Cost:
    """Read a reply of Bo, and answer it."""
    place, home = world.game_by_mail()
    return world.run(["receive", str(world.file(make(world.code)))], place, home=home)


def check(world: World, file: Path) -> Cost:
    return world.run(["check", str(file)], world.games["begun"].root)


def cards(world: World, file: Path) -> Cost:
    world.number += 1
    words = ["new", f"game{world.number}", "--game", "climate", "--players", "Ann,Bo"]
    return world.run([*words, "--cards", str(file)], world.root, REFEREE)


def cases(world: World, file: Path) -> Cost:
    return world.run(["rules", "test", str(file)], world.root)


FILES: dict[str, Callable[[World, Path], Cost]] = {
    "receive": receive, "check": check, "new --cards": cards, "rules test": cases,
}  # fmt: skip
IN_FOLDER = {
    "advance": REFEREE, "status": "Ann", "audit": "Ann", "doctor": "Ann", "log": "Ann",
}  # fmt: skip


def of_file(kind: str, name: str, make: shapes.Make) -> Bomb:
    return Bomb(kind, name, lambda world: FILES[kind](world, world.file(make())))


def of_path(kind: str, path: str) -> Bomb:
    return Bomb(kind, path, lambda world: FILES[kind](world, Path(path)))


def of_pipe(kind: str) -> Bomb:
    def throw(world: World) -> Cost:
        world.number += 1
        path = world.root / f"pipe{world.number}"
        os.mkfifo(path)
        return FILES[kind](world, path)

    return Bomb(kind, "a pipe", throw)


def of_folder(kind: str, name: str, fill: Callable[[Played], None]) -> Bomb:
    """Return a bomb: the command `kind` in a game that `fill` has made large."""

    def throw(world: World) -> Cost:
        game = world.games.get(name)
        if game is None:
            turns = 0 if "joins" in name and kind == "advance" else 5
            game = Played(world.root / name.replace(" ", "-"), bot="random").play(turns)
            fill(game)
        return world.run([kind], game.root, home=world.new_home(IN_FOLDER[kind]))

    return Bomb(kind, name, throw)


def of_bundle(name: str, make: Callable[[Played], bytes]) -> Bomb:
    return Bomb(
        "receive", name, lambda world: receive(world, world.file(make(world.games["begun"])))
    )


def of_reply(name: str, make: Callable[[str], bytes]) -> Bomb:
    return Bomb("reply", name, lambda world: answer(world, make))


def bombs() -> Iterator[Bomb]:
    """Yield every hostile input with the command that gets it."""
    for name, make in {**shapes.MAILS, **shapes.TEXTS, **shapes.ZIPS}.items():
        yield of_file("receive", name, make)
    for name, make in shapes.TEXTS.items():  # damaged blocks are examined in texts of this size
        yield of_file("receive", f"2 MB: {name}", shapes.cut(make))
    yield of_bundle("500 joins of strangers", lambda game: shapes.by_strangers(game, 500))
    yield of_bundle("7 records of 1 MB", shapes.a_long_record)
    yield from (of_reply(name, make_reply) for name, make_reply in shapes.REPLIES.items())
    for name, make in shapes.DRAFTS.items():
        yield of_file("check", name, make)
    for kind in ("check", "new --cards", "rules test"):
        for name, make in shapes.TOMLS.items():
            yield of_file(kind, name, make)
    for name, make in shapes.CASES.items():
        yield of_file("rules test", name, make)
    for kind in FILES:
        yield of_path(kind, "/dev/zero")
        yield of_pipe(kind)
    for kind in IN_FOLDER:
        for name, fill in shapes.FOLDERS.items():
            yield of_folder(kind, f"{name} ({kind})", fill)


# ------------------------------------------------------------------ measuring
def honest(world: World, kind: str) -> Cost:
    """The same command on input that people really send."""
    if kind in IN_FOLDER:
        return world.run([kind], world.place(), home=world.new_home(IN_FOLDER[kind]))
    if kind == "reply":
        return answer(world, shapes.reply(b"1\n"))
    honest_inputs = {
        "receive": lambda: shapes.encode([world.games["begun"].charter.file]).encode(),
        "check": shapes.draft("feed", ["pass"]),
        "new --cards": lambda: Path("games/climate/cards.toml").read_bytes(),
        "rules test": lambda: b'game = "evolution"\ncase = []\n',
    }
    return FILES[kind](world, world.file(honest_inputs[kind]()))


def too_dear(cost: Cost, base: Cost) -> bool:
    """Whether a bomb cost too much, or got no proper answer."""
    dear = cost.seconds - base.seconds > SECONDS or cost.memory - base.memory > MEBIBYTES
    return dear or cost.exit not in (0, 1, 2, 3, 4, 5, 6) or not cost.sentence


def row(kind: str, name: str, cost: Cost, hit: bool) -> str:
    sign = "DEAR " if hit else "     "
    numbers = f"{cost.seconds:6.2f} s {cost.memory:6.0f} MiB  exit {cost.exit:3}"
    return f"{sign}{kind:12} {name:34} {numbers}  {cost.sentence[:110]}"


def main() -> int:
    """Throw all bombs; returns 1 if one of them hit."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--only", default="", help="only if command or name has this word")
    only = parser.parse_args().only
    hits = count = 0
    bases: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory(prefix="pbem-bombs-") as folder:
        world = World(Path(folder))
        for bomb in bombs():
            if only not in f"{bomb.kind} {bomb.name}":
                continue
            if bomb.kind not in bases:
                bases[bomb.kind] = honest(world, bomb.kind)
                print(row(bomb.kind, "baseline: honest input", bases[bomb.kind], False))
            cost = bomb.throw(world)
            hit = too_dear(cost, bases[bomb.kind])
            print(row(bomb.kind, bomb.name, cost, hit), flush=True)
            hits, count = hits + hit, count + 1
    print(f"{count} bombs, {hits} too dear (above the baseline: {SECONDS} s, {MEBIBYTES} MiB)")
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main())
