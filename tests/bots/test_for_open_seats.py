"""The bot that can answer for open seats is a part of the rules: every table gives the same."""

import hashlib
from random import Random

import pytest

from games.registry import names, ruleset
from pbem.judge.game_ruleset import STAND_IN_BOT, bot_answer, has_bot
from tests.bots.own_eyes import OwnEyes
from tests.kit.selection import long

PLAYED = {
    ("classroom", "2"): "760c69c63514",
    ("climate", "3"): "10a6080137a9",
    ("digital", "2"): "9182b1152355",
    ("evolution", "2"): "3e9bfcad28e6",
    ("origin", "2"): "1614202a6307",
}
"""What the bot plays, for each ruleset and its version: SHA-256 of the log of a game, its first
digits. If this changes, raise the ruleset's version: games that go on would not be proven."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("together", ["as printed", *long(["at the same time"])])
def test_the_bot_for_open_seats_chooses_alike_on_the_seats_table(name: str, together: str) -> None:
    rules = ruleset(name)
    assert has_bot(rules)
    chosen = {o.name: o.by_mail for o in rules.options if o.by_mail and together != "as printed"}
    players = rules.players[min(1, len(rules.players) - 1)]
    eyes = OwnEyes(rules, players, chosen, b"open seats", bot_answer, by="bot")
    assert eyes.referee.advance(eyes) == []  # every table checks every answer
    assert eyes.peeked == []
    if together == "as printed":
        text = "\n".join(f"{e.key} {e.text}" for e in eyes.referee.log)
        digits = hashlib.sha256(text.encode()).hexdigest()[:12]
        assert PLAYED[name, rules.version] == digits


def test_the_bot_for_open_seats_uses_no_luck() -> None:
    for name in names():
        made = ruleset(name).bots[STAND_IN_BOT]
        luck = Random(7)
        before = luck.getstate()
        made(luck)
        assert luck.getstate() == before
