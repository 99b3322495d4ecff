"""Games on a host: Rhea makes one by a command, and bots answer for its players."""

import os
import re
from unittest.mock import patch

from tests.kit.named_games import answer_once_as_bot, session_at
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
        return answer_once_as_bot(session_at(place, who, seat), seat)
