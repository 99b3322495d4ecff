"""Games whose folder is in a bucket, by commands: the whole way, two machines, and mishaps."""

import json
import re
from pathlib import Path

import pytest

from tests.kit.people import Person, Round, Said
from tests.kit.stores import SECRET, S3Server
from tests.store.places import InBucket, InStore

pytestmark = pytest.mark.store
SEATS = {"a": "ann", "b": "bo"}
WHOLE = """develop = ["pass"]
feed = ["prey first, then whom a token helps most"]
also = ["whatever still feeds somebody"]
defend = ["run, else lose a card, else mimicry"]
scavenge = ["whom it helps most"]
share = ["whom it helps most"]
"""
RECORD = re.compile(r"(game|final|(turns|seats|orders|notices|press)/[0-9a-z-]+)\.toml")


@pytest.fixture
def table(tmp_path: Path) -> Round:
    return Round(tmp_path)


def made(table: Round, bucket: InStore) -> list[str]:
    """A new game of Ann and Bo; returns the commands that the referee is told to send them."""
    line = f"new {bucket.address} --players Ann,Bo --referee Rhea --game origin --wait-for-all"
    said = table.person("rhea").pbem(f"{line} --deadline 24h --table {'5eed' * 8}")
    assert said.exit == 0, said.text
    assert f"made {bucket.address} (origin, 2 seats)" in said.out
    assert f"next: pbem advance --watch -C {bucket.address}" in said.out
    return re.findall(r"pbem (join .*)", said.out)


def joined(table: Round, bucket: InStore) -> None:
    for name, line in zip(SEATS.values(), made(table, bucket), strict=True):
        said = table.person(name).pbem(line)
        assert said.exit == 0, said.text


def advance(who: Person, bucket: InStore, **env: str) -> Said:
    return who.pbem(f"advance -C {bucket.address}", **env)


def test_a_whole_game(table: Round, bucket: InBucket, s3: S3Server) -> None:
    joined(table, bucket)
    rhea = table.person("rhea")
    assert advance(rhea, bucket).exit == 0
    assert table.person("ann").pbem("tell -C " + bucket.address + " hello").exit == 0
    for _ in range(60):
        said = json.loads(rhea.pbem(f"status -C {bucket.address} --json").out)["data"]
        if said["over"]:
            break
        for seat, told in said["seats"].items():
            if told["asked"]:
                sent = table.person(SEATS[seat]).pbem(["submit", "-C", bucket.address, "-"], WHOLE)
                assert sent.exit == 0, sent.text
        made = advance(rhea, bucket)
        assert made.exit in (0, 5), made.text
    audit = table.person("eve").pbem(f"audit {bucket.address}")
    assert (audit.exit, "Proven: " in audit.out) == (0, True), audit.text
    names = bucket.names()
    assert "final.toml" in names
    assert [name for name in names if not RECORD.fullmatch(name)] == [], "no other file is sent"
    listed = table.person("bo").pbem("list")
    assert bucket.address in listed.out
    shown = table.person("ann").pbem(f"show -C {bucket.address}")
    assert (shown.exit, "the game is over" in shown.out) == (0, True), shown.text
    for home in table.root.glob("home/*"):
        assert not any(SECRET in x.read_text("latin-1") for x in home.rglob("*") if x.is_file())
