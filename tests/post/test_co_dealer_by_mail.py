"""A game in which the co-dealer has only a mailbox: `pbem run` mails what is owed, both ways."""

from __future__ import annotations

import os
from email import message_from_bytes, policy
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.kit.named_games import answer_once_as_bot, session_at
from tests.kit.people import NOW, Person, Round, output_of, stdout_of
from tests.kit.real_mail_servers import MailServer, give_mailbox

pytestmark = pytest.mark.post


DAYS = 24 * 3600


def run_one_pass(server: MailServer, person: Person, at: int = NOW) -> None:
    """One pass of `pbem run`, after every mail on its way has come."""
    server.settle()
    done = person.pbem("run --once", SOURCE_DATE_EPOCH=str(at))
    assert (done.exit, "error" in done.text) == (0, False), done.text


def test_a_whole_game_with_a_co_dealer_who_has_a_mailbox(table: Round, server: MailServer) -> None:
    rhea, ann, hal = (table.person(name) for name in ("rhea", "ann", "bo"))
    hal.place = table.root / "hal-far-away"
    hal.place.mkdir()
    for person in (rhea, hal):
        give_mailbox(person, server)
    line = stdout_of(hal, "keys co-dealer").strip()
    printed = output_of(
        rhea,
        "new savannah --players Ann --bots greedy:2 --game classroom --referee Rhea "
        f"--deadline never --co-dealer Hal={line}",
    )
    (invite,) = (row.split("--invite ")[1] for row in printed.splitlines() if "  Ann:" in row)
    output_of(ann, ["join", "-C", "savannah", "--invite", invite])
    output_of(rhea, f"post address -C savannah Hal {server.address('bo')}")
    folder: Path = table.shared / "savannah"
    for _ in range(150):
        run_one_pass(server, rhea)
        run_one_pass(server, hal)
        with patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(NOW)}):
            answer_once_as_bot(session_at(folder, ann), "a")
        if (folder / "final.toml").exists():
            break
    for at in (NOW, NOW + 3 * DAYS):  # Hal keeps the secret for two days
        run_one_pass(server, hal, at)
        run_one_pass(server, rhea, at)
    (far,) = hal.place.iterdir()
    for person, root in ((ann, folder), (hal, far)):
        printed = output_of(person, ["audit", str(root)])
        assert printed.startswith("PROVEN"), printed
        assert "secret of Hal" not in printed
    deals = {path.name for path in (folder / "deals").iterdir()}
    assert deals == {path.name for path in (far / "deals").iterdir()}
    subjects = [
        message_from_bytes(data, policy=policy.default)["Subject"]
        for data in server.letters("bo", "rhea")
    ]
    assert subjects[0] == "savannah: you deal together with the referee"
    assert "savannah: your part of the deal after turn 1" in subjects
