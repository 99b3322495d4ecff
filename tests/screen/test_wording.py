"""In a browser tab, no sentence says what to type, and each keeps what else it says."""

import re

import pytest

from pbem.web.page_wording import without_commands
from tests.kit.selection import ROOT


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Bo wrote; to read what is new: pbem since", "Bo wrote"),
        ("your orders 4f1c22 still count, until you type pbem submit",
         "your orders 4f1c22 still count"),
        ("Ann proposes a draw (to agree: pbem notice end --draw)", "Ann proposes a draw"),
        ("they are gone; phone Rhea, and see pbem audit", "they are gone; phone Rhea"),
        ("the key is missing: pbem keys import FILE --profile x", "the key is missing"),
        ("to take over: pbem advance --take-over", ""),
        ("Bo is away. To take over, type: pbem advance --take-over", "Bo is away."),
        ("you can only watch; if you play: pbem keys import F; without a copy: pbem notice key",
         "you can only watch"),
        ("it is over; Rhea can make it now (pbem advance); your orders count until then",
         "it is over; Rhea can make it now; your orders count until then"),
        ("/home/web/pbem/games: cannot be read", "this browser: cannot be read"),
        ("at the deadline, pbem plays for you", "at the deadline, pbem plays for you"),
    ],
)  # fmt: skip
def test_a_sentence_without_what_to_type(sentence: str, said: str):
    assert without_commands(sentence) == said


def test_each_command_is_known():
    lines = (ROOT / "pbem/cli/commands.txt").read_text("utf-8").splitlines()
    commands = {found[1] for line in lines if (found := re.match(r"  (\w+) +\w+:", line))}
    assert len(commands) > 30
    assert {one for one in commands if without_commands(f"to do it: pbem {one} FILE")} == set()
