"""Games whose folder is in a bucket, by commands: the whole way, two machines, and mishaps."""

import json
import re

import pytest

from tests.kit.people import Round
from tests.kit.stores import SECRET, S3Server
from tests.store.games_in_stores import SEATS, WHOLE, advance_in_store, join_in_store
from tests.store.places import InBucket

pytestmark = pytest.mark.store
RECORD = re.compile(r"(game|final|(turns|seats|orders|notices|press)/[0-9a-z-]+)\.toml")


def test_a_whole_game(table: Round, bucket: InBucket, s3: S3Server) -> None:
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
    audit = table.person("eve").pbem(f"audit {bucket.address}")
    assert (audit.exit, "Proven: " in audit.out) == (0, True), audit.text
    names = bucket.names()
    assert "final.toml" in names
    assert [name for name in names if not RECORD.fullmatch(name)] == [], "no other file is sent"
    listed = table.person("bo").pbem("list")
    assert bucket.address in listed.out
    elsewhere = rhea.pbem(f"new s3://other/again --like {bucket.address} --invite")
    assert (elsewhere.exit, "in the same store, as the old" in elsewhere.err) == (2, True), (
        elsewhere.text
    )
    again = rhea.pbem(f"new {bucket.address}-again --like {bucket.address} --invite")
    assert again.exit == 0, again.text
    joined = table.person("ann").pbem(f"join --after {bucket.address}")
    assert joined.exit == 0, joined.text
    shown = table.person("ann").pbem(f"show -C {bucket.address}")
    assert (shown.exit, "the game is over" in shown.out) == (0, True), shown.text
    for home in table.root.glob("home/*"):
        assert not any(SECRET in x.read_text("latin-1") for x in home.rglob("*") if x.is_file())
