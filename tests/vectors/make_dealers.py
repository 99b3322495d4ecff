"""Makes the sample of a game in mode `dealers`: `python -m tests.vectors.make_dealers` writes the
folder `dealers`, and the cards of its deck.

Its records: deals of each kind, turns that owe, say, need and open, and the notices `key` and
`dealer`.
"""

import json
import shutil
from pathlib import Path

from games.registry import ruleset
from pbem.judge.notice_kinds import Vote
from pbem.records.notice import DRAW
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import HOUR

FOLDER = Path(__file__).resolve().parent / "dealers"
CARDS_FILE = FOLDER.with_name("dealers-cards.json")
CARDS = json.dumps(sorted(ruleset("evolution").decks["deck"])) + "\n"


def play_sample(root: Path) -> DealersGame:
    """Play two waves with openings into this folder; a seat gets new keys, a co-dealer is replaced,
    and the players end the game."""
    options = {"together": "yes"}
    game = DealersGame(root, options=options, dealer_deputies=True, table=bytes(16))
    while not game.turns or not game.turns[-1].content.need:
        game.play(1)
    game.is_paused = True
    game.now += 3 * 24 * HOUR
    game.sits("b", game.rekey("b", "Bo's new computer"))
    game.replace_dealer(0)
    game.turn_for_all()
    game.is_paused = False
    while not game.turns[-1].content.need or game.turns[-1].content.notices:
        game.play(1)
    game.play(1)
    while not game.turns[-1].content.owed:
        game.play(1)
    for seat in "ab":
        game.say(seat, Vote(DRAW))
    game.turn_for_all()
    game.finish()
    return game


if __name__ == "__main__":
    shutil.rmtree(FOLDER, ignore_errors=True)
    play_sample(FOLDER)
    CARDS_FILE.write_text(CARDS, "ascii")
