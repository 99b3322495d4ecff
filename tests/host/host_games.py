"""Games on a host: Rhea makes one by a command, and bots answer for its players."""

import os
import re
from unittest.mock import patch

from pbem.desk.advance import bot_texts
from pbem.desk.orders import send
from pbem.desk.session import Session
from pbem.files.home import Home
from tests.kit.people import NOW, Person, Round, output_of
from tests.kit.running_host import RunningHost

RULESETS = ["evolution", "digital", "climate", "origin", "classroom"]


def make_on_host(table: Round, host: RunningHost, line: str) -> tuple[str, dict[str, str]]:
    """Rhea makes a game; returns its address, and the line that she sends to each player."""
    said = output_of(table.person("rhea"), f"new savannah --at {host.url} --deadline never {line}")
    address = re.search(rf"made ({host.url}/g/[0-9a-f]{{32}}) ", said)
    assert address, said
    return address[1], dict(re.findall(r"  (\w+):  pbem (join .*)", said))


def bot_answers(who: Person, place: str, seat: str) -> bool:
    """Let a bot answer for a player, if the player is asked and has not answered."""
    with patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(NOW)}):
        session = Session(place, seat, home=Home(who.home))
        reader, last = session.reader(seat), session.listing.reached
        sealed = {found.name.seat for found in session.listing.orders if found.name.turn == last}
        if seat not in reader.chain.awaited or seat in sealed:
            return False
        send(session, reader, seat, bot_texts(reader, "greedy"))
    return True
