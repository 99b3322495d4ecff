"""Whole games whose folder is in a bucket or on a server of SSH, by commands."""

from __future__ import annotations

import json
import os
import re
from unittest.mock import patch

import pytest

from pbem.files.game_folder_places import place_of
from pbem.files.home import Home
from pbem.person.session import Session
from tests.kit.bot_orders import WHOLE
from tests.kit.named_games import answer_once_as_bot
from tests.kit.people import NOW, output_of, stdout_of
from tests.kit.stores import SECRET
from tests.store.games_in_stores import SEATS, advance_in_store, join_in_store
from tests.store.places import InStore

pytestmark = pytest.mark.store
RECORD = re.compile(r"(game|final|(turns|seats|orders|notices|press|deals)/[0-9a-z-]+)\.toml")


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
    elsewhere.checked(2, err="in the same store as the old")
    rhea.pbem(f"new {bucket.address}-again --like {bucket.address} --invite").checked(0)
    table.person("ann").pbem(f"join --after {bucket.address}").checked(0)
    table.person("ann").pbem(f"show -C {bucket.address}").checked(0, out="the game is over")
    for home in table.root.glob("home/*"):
        assert not any(SECRET in x.read_text("latin-1") for x in home.rglob("*") if x.is_file())


DAYS = 24 * 3600


@pytest.fixture(params=["bucket", "on_server"])
def kept_place(request: pytest.FixtureRequest) -> InStore:
    return request.getfixturevalue(request.param)


def test_a_whole_game_with_a_co_dealer_is_played_in_a_store(table, kept_place):
    rhea, ann, hal = (table.person(name) for name in ("rhea", "ann", "hal"))
    address = kept_place.address
    line = stdout_of(hal, "keys co-dealer").strip()
    printed = output_of(
        rhea,
        f"new {address} --players Ann --bots greedy:2 --game classroom --referee Rhea "
        f"--deadline never --co-dealer Hal={line}",
    )
    (join,) = (row.split("pbem ")[1] for row in printed.splitlines() if "pbem join" in row)
    output_of(ann, join)
    for _ in range(150):
        hal.pbem(f"advance -C {address}")
        rhea.pbem(f"advance -C {address}")
        if "final.toml" in kept_place.names():
            break
        with patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(NOW)}):
            answer_once_as_bot(Session(place_of(address), home=Home(ann.home)), "a")
    for at in (NOW, NOW + 3 * DAYS):  # Hal keeps the secret for two days
        said = hal.pbem(f"advance -C {address}", SOURCE_DATE_EPOCH=str(at))
        assert said.exit in (0, 5), said.text
    certificate = output_of(ann, f"audit {address}")
    assert certificate.startswith("PROVEN"), certificate
    assert "secret of Hal" not in certificate
    assert all(RECORD.fullmatch(name) for name in kept_place.names()), "no other file is sent"
