"""The bot that can answer for open seats is a part of the rules: every table gives the same."""

import hashlib
from random import Random
from typing import Any

import pytest

from engine import Decision, Entry, Referee, Ruleset, SeedDealer
from games.registry import names, ruleset
from pbem.judge.game_ruleset import STAND_IN_BOT, bot_answer, has_bot
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


class OwnEyes:
    """Asks the bot on the referee's table, and on the table of the seat."""

    def __init__(self, rules: Ruleset[Any], players: int, options: dict[str, str]) -> None:
        game = rules.game("abcdefgh"[:players], options)
        self.referee = Referee(game, SeedDealer(b"open seats"), viewpoints=game.seats)
        self.different: list[str] = []

    def answer(self, key: str, decision: Decision) -> tuple[str, str]:
        own = self.referee.tables[decision.seat]
        (mine,) = (d for k, d in own.pending if k == key)
        text = bot_answer(self.referee.full_table, decision)
        if bot_answer(own, mine) != text:
            self.different.append(key)
        return text, "bot"

    def entered(self, entry: Entry) -> None:
        """Nothing to do."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("together", ["as printed", *long(["at the same time"])])
def test_the_bot_for_open_seats_chooses_the_same_on_the_seats_own_table(
    name: str, together: str
) -> None:
    rules = ruleset(name)
    assert has_bot(rules)
    chosen = {o.name: o.by_mail for o in rules.options if o.by_mail and together != "as printed"}
    players = rules.players[min(1, len(rules.players) - 1)]
    eyes = OwnEyes(rules, players, chosen)
    assert eyes.referee.advance(eyes) == []  # every table checks every answer
    assert eyes.different == []
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
