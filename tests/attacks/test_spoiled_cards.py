"""Mode `dealers`: a player hides a card that the rules do not allow where it lies. Nobody can know
before it turns up; then the game is over, and the player is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.judge.audit import audit
from pbem.judge.public_turn_reader import PublicReader
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Turn
from tests.kit.dealers_games import DealersGame
from tests.kit.refusals import refused_for

TWICE_CARNIVORE = ("food: [#3]", "play: [#0] on b1", "play: [#1] on b1", "play: done")
"""What seat b says: of its four cards, 0 and 1 have the trait carnivore."""


class Spoiled(DealersGame):
    """Seat b's program is changed: it gives one species the same trait twice, face down."""

    def ask(self) -> None:
        cards = self.seats["b"].reader.seat_cards
        cards.sealed_texts = lambda _: TWICE_CARNIVORE  # type: ignore[method-assign]
        super().ask()

    def see(self, record: Record[Turn]) -> None:
        """Its own program would refuse what it has said."""
        for player in self.seats.values():
            if player.seat != "b" or not self.orders:
                player.reader.absorb(record, self.finder)


class Blaming(Spoiled):
    """And the referee names seat a instead, or plays on."""

    blamed = "a"

    def change(self, turn: Turn) -> Turn:
        if not turn.spoiled:
            return turn
        if self.blamed:
            return replace(turn, spoiled=self.blamed)
        return replace(turn, spoiled="", over=False)


def play_to_the_spoiled_card(game: DealersGame) -> DealersGame:
    """The game until somebody refuses it, or it is over."""
    game.play(3)
    cards = game.seats["b"].reader.seat_cards.cards  # type: ignore[attr-defined]
    assert {cards[0].split()[0], cards[1].split()[0]} == {"carnivore"}
    game.play(9)
    return game


def spoiled_game(root: Path, kind: type[DealersGame]) -> DealersGame:
    return kind(root, table=b"\1" * 16, options={"together": "yes"})


@pytest.mark.sample(0)
def test_an_illegal_hidden_card_ends_the_game_and_names_its_player(tmp_path: Path) -> None:
    game = play_to_the_spoiled_card(spoiled_game(tmp_path / "game", Spoiled))
    turn = game.turns[-1].content
    assert (turn.over, turn.spoiled, turn.log) == (True, "b", ())
    traits = [row.card.split()[0] for row in turn.opened if row.seat == "b" and row.slot in (0, 1)]
    assert traits == ["carnivore", "carnivore"]
    report = audit(game.folder)
    assert (report.broken, report.exit) == ([], 0)


@pytest.mark.sample(0)
@pytest.mark.parametrize("blamed", ["a", ""])
def test_a_turn_that_blames_another_player_for_a_spoiled_card_or_plays_on_is_refused(
    tmp_path: Path, blamed: str
) -> None:
    game = spoiled_game(tmp_path / "game", Blaming)
    game.blamed = blamed  # type: ignore[attr-defined]
    with refused_for("rule"):
        play_to_the_spoiled_card(game)
    with refused_for("rule"):
        game.read(PublicReader(game.charter))


@pytest.mark.sample(0)
def test_a_turn_that_calls_a_good_card_spoiled_is_refused(tmp_path: Path) -> None:
    class Lying(DealersGame):
        def change(self, turn: Turn) -> Turn:
            return replace(turn, spoiled="b", over=True, log=()) if turn.opened else turn

    game = Lying(tmp_path / "game", options={"together": "yes"})
    with refused_for("rule", "no such card was turned face up"):
        game.play(12)
