"""Games whose folder is in a bucket, by commands: the whole way, two machines, and mishaps."""

import json
import re

import pytest

from tests.kit.stores import SECRET
from tests.store.games_in_stores import SEATS, WHOLE, advance_in_store, join_in_store

pytestmark = pytest.mark.store
RECORD = re.compile(r"(game|final|(turns|seats|orders|notices|press)/[0-9a-z-]+)\.toml")


def test_a_whole_game_and_a_rematch_are_played_in_a_bucket(table, bucket, s3):
    join_in_store(table, bucket)
    rhea = table.person("rhea")
    assert advance_in_store(rhea, bucket).exit == 0
    assert table.person("ann").pbem("tell -C " + bucket.address + " hello").exit == 0
    for _ in range(60):
        said = json.loads(rhea.pbem(f"status -C {bucket.address} --json").out)["data"]
        if said["over"]:
            break
        for seat, told in said["seats"].items():
            if told["asked"]:
                sent = table.person(SEATS[seat]).pbem(["submit", "-C", bucket.address, "-"], WHOLE)
                assert sent.exit == 0, sent.text
        made = advance_in_store(rhea, bucket)
        assert made.exit in (0, 5), made.text
    table.person("eve").pbem(f"audit {bucket.address}").checked(0, out="Proven: ")
    names = bucket.names()
    assert "final.toml" in names
    assert [name for name in names if not RECORD.fullmatch(name)] == [], "no other file is sent"
    listed = table.person("bo").pbem("list")
    assert bucket.address in listed.out
    elsewhere = rhea.pbem(f"new s3://other/again --like {bucket.address} --invite")
    elsewhere.checked(2, err="in the same store, as the old")
    rhea.pbem(f"new {bucket.address}-again --like {bucket.address} --invite").checked(0)
    table.person("ann").pbem(f"join --after {bucket.address}").checked(0)
    table.person("ann").pbem(f"show -C {bucket.address}").checked(0, out="the game is over")
    for home in table.root.glob("home/*"):
        assert not any(SECRET in x.read_text("latin-1") for x in home.rglob("*") if x.is_file())
