"""A game with a co-dealer whose folder is in a bucket, or on a server of SSH, by commands."""

from __future__ import annotations

import os
import re
from unittest.mock import patch

import pytest

from pbem.files.game_folder_places import place_of
from pbem.files.home import Home
from pbem.person.session import Session
from tests.kit.named_games import answer_once_as_bot
from tests.kit.people import NOW, output_of, stdout_of
from tests.store.places import InStore

pytestmark = pytest.mark.store
DAYS = 24 * 3600
RECORD = re.compile(r"(game|final|(turns|seats|orders|deals)/[0-9a-z-]+)\.toml")


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
