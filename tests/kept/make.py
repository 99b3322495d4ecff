"""Make short games that later versions must still read: `python -m tests.kept.make FOLDER`.

Each is a bundle, as `pbem send` writes it: a charter, joins, some turns with bots in the seats, a
message, and the votes that end it. A released version's folder is never made again.
"""

import sys
import tempfile
from pathlib import Path

from tests.kit.named_games import answer_as_bot, session_of
from tests.kit.people import TABLE, Person, Round

RULESETS = ("classroom", "climate", "digital", "evolution", "origin")
PLAYERS = {"a": "ann", "b": "bo", "c": "cy"}
LAST = 4
"""The turn after which the players vote to end the game."""


def out_or_exit(who: Person, line: str | list[str]) -> str:
    said = who.pbem(line)
    if said.exit:
        sys.exit(said.text)
    return said.out


def make_game(ruleset: str, root: Path, to: Path) -> None:
    table = Round(root)
    rhea = table.person("rhea")
    said = out_or_exit(rhea, f"new savannah --players Ann,Bo,Cy --game {ruleset} --table {TABLE} "
                    "--referee Rhea --deadline never")  # fmt: skip
    invites = [line.split("--invite ")[1] for line in said.splitlines() if "--invite" in line]
    for name, invite in zip(PLAYERS.values(), invites, strict=True):
        out_or_exit(table.person(name), ["join", "-C", "savannah", "--invite", invite])
    out_or_exit(rhea, "advance -C savannah")
    while not (table.shared / f"savannah/turns/{LAST:04}.toml").exists():
        for seat, name in PLAYERS.items():
            answer_as_bot(session_of(table.person(name)), seat)
        out_or_exit(rhea, "advance -C savannah")
    out_or_exit(table.person("ann"), ["tell", "-C", "savannah", "Shall we stop here?"])
    for name in PLAYERS.values():
        out_or_exit(table.person(name), "notice end -C savannah")
    out_or_exit(rhea, "advance -C savannah")
    out_or_exit(
        rhea, ["send", "-C", "savannah", "--to", "a", "--all", "-o", str(to / f"{ruleset}.pbem")]
    )


if __name__ == "__main__":
    target = Path(sys.argv[1]).absolute()
    target.mkdir(parents=True, exist_ok=True)
    for one in RULESETS:
        with tempfile.TemporaryDirectory() as work:
            make_game(one, Path(work), target)
