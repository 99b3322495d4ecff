"""Games on a host, by commands: from `new --at` to "Proven"."""

import os
import re
from unittest.mock import patch

import pytest

from pbem.desk.advance import OWN_FIRST, bot_texts
from pbem.desk.orders import send
from pbem.desk.session import Session
from pbem.files.home import Home
from tests.cli.people import NOW, Person, Round
from tests.cli.test_table_forms import seated
from tests.cli.test_table_forms import send as send_form
from tests.host.running import RunningHost

RULESETS = ["evolution", "digital", "climate", "origin", "classroom"]


def ok(who: Person, line: str | list[str], stdin: str = "") -> str:
    said = who.pbem(line, stdin)
    assert said.exit == 0, said.text
    return said.text


def made(table: Round, host: RunningHost, line: str) -> tuple[str, dict[str, str]]:
    """Rhea makes a game; returns its address, and the line that she sends to each player."""
    said = ok(table.person("rhea"), f"new savannah --at {host.url} --deadline never {line}")
    address = re.search(rf"made ({host.url}/g/[0-9a-f]{{32}}) ", said)
    assert address, said
    return address[1], dict(re.findall(r"  (\w+):  pbem (join .*)", said))


def answer(who: Person, place: str, seat: str) -> bool:
    """Let a bot answer for a player, if the player is asked and has not answered."""
    with patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(NOW)}):
        session = Session(place, seat, home=Home(who.home))
        reader, last = session.reader(seat), session.listing.reached
        sealed = {found.name.seat for found in session.listing.orders if found.name.turn == last}
        if seat not in reader.chain.awaited or seat in sealed:
            return False
        send(session, reader, seat, bot_texts(reader, "greedy"))
    return True


@pytest.mark.host
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_at_three_kinds_of_places(table: Round, host: RunningHost, ruleset: str):
    """Rhea deals and plays on the host; Ann uses the host too; Bo gets bundles by mail."""
    options = f"--players Rhea,Ann,Bo --referee-plays --game {ruleset}"
    address, lines = made(table, host, options)
    rhea, ann, bo = (table.person(name) for name in ("rhea", "ann", "bo"))
    ok(ann, lines["Ann"])
    bo.place = table.root / "far-away"
    bo.place.mkdir()
    ok(rhea, f"send -C {address} --to Bo -o {table.root}/to-bo.txt")
    ok(bo, f"receive {table.root}/to-bo.txt")
    folder = str(next(bo.place.iterdir()))
    ok(bo, ["join", "-C", folder, lines["Bo"].partition("--invite ")[2]])

    def mail_from_bo() -> None:
        (table.root / "from-bo.txt").unlink(missing_ok=True)
        ok(bo, f"send -C {folder} -o {table.root}/from-bo.txt")
        ok(rhea, f"receive -C {address} {table.root}/from-bo.txt")

    mail_from_bo()
    assert rhea.pbem(f"advance -C {address}").exit in (0, 5)
    for _ in range(300):
        answered = answer(ann, address, "b")
        (table.root / "to-bo.txt").unlink(missing_ok=True)
        if rhea.pbem(f"send -C {address} --to Bo -o {table.root}/to-bo.txt").exit == 0:
            ok(bo, f"receive -C {folder} {table.root}/to-bo.txt")
        if answer(bo, folder, "c"):
            mail_from_bo()
            answered = True
        made_turns = rhea.pbem(f"advance -C {address}")
        if OWN_FIRST in made_turns.text:
            with patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(NOW)}):
                session = Session(address, home=Home(rhea.home))
                reader = session.reader_now("a")
                send(session, reader, "a", bot_texts(reader, "greedy"))
            answered = True
        assert made_turns.exit in (0, 5), made_turns.text
        if "the game is over" in made_turns.text:
            break
        assert answered or "made turns" in made_turns.text, made_turns.text
    audit = table.person("eve").pbem(f"audit {address}")
    assert (audit.exit, "Proven: " in audit.out) == (0, True), audit.text


def test_the_address_is_in_no_record_and_in_no_folders_name(table: Round, host: RunningHost):
    address, lines = made(table, host, "--players Ann,Bo")
    ok(table.person("ann"), lines["Ann"])
    secret = address.rpartition("/")[2]
    for path in (table.root / "data").rglob("*"):
        assert secret not in str(path)
        assert path.is_dir() or secret.encode() not in path.read_bytes()


def test_a_pasted_line_is_enough_to_join(table: Round, host: RunningHost):
    """Anywhere, by a person whose computer knows nothing of the game."""
    address, lines = made(table, host, "--players Ann,Bo,Cy")
    ok(table.person("ann"), ["join", f"  Ann:  pbem {lines['Ann']}"])
    ok(table.person("bo"), ["join", "-"], f"Bo: pbem {lines['Bo']}\n")
    assert address in ok(table.person("bo"), "list")
    wrong = lines["Cy"].replace(address[-32:], "ab" * 16)
    said = table.person("cy").pbem(["join", wrong])
    assert said.exit == 2, said.text
    assert "Traceback" not in said.text


def test_at_the_table_a_pasted_line_is_enough_too(table: Round, host: RunningHost):
    """Ann joins in the browser; her table shows the game on the host."""
    address, lines = made(table, host, "--players Ann,Bo --game origin")
    asking = seated(table.person("ann"))
    answer = send_form(asking, "/join", invite=f"Ann:  pbem {lines['Ann']}")
    assert answer.status == 200, answer.text
    assert b"seats/a-" in host.games.at(address[-32:]).list()[1]
    ok(table.person("bo"), lines["Bo"])
    ok(table.person("rhea"), f"advance -C {address}")
    shown = asking.get("/").text
    assert "savannah" in shown
    assert "your move" in shown.lower(), shown
