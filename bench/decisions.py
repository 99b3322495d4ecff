"""Microseconds per decision of random play with all rules, against catanatron and python-chess.

Counted alike: choices among at least two options. Each plays as it comes: catanatron its own game
loop with four of its random players, python-chess the loop that its documentation shows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import chess
from catanatron import Color, Game, RandomPlayer

from bench.measure import Row, Task, take_turns
from games.evolution.rules import EVOLUTION
from pbem.simulate import simulate

ROUNDS = 7
AIM = 1.0
GAMES = 12
"""Games of ours in a round, for each number of players: as long as the peers' helpings."""
PEERS_GAMES = 8


class CountingPlayer(RandomPlayer):
    """catanatron's random player, which counts."""

    choices = 0

    def decide(self, game: Any, playable_actions: Any) -> Any:
        CountingPlayer.choices += len(playable_actions) > 1
        return super().decide(game, playable_actions)


def catan(number: int) -> int:
    """Some games of catanatron."""
    CountingPlayer.choices = 0
    for seed in range(PEERS_GAMES):
        players = [CountingPlayer(color) for color in Color]
        Game(players, seed=1 + number * PEERS_GAMES + seed).play()
    return CountingPlayer.choices


def play_chess(number: int) -> int:
    """Some games of python-chess."""
    choices = 0
    for seed in range(PEERS_GAMES):
        rng, board = random.Random(number * PEERS_GAMES + seed), chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            choices += len(moves) > 1
            board.push(rng.choice(moves))
    return choices


def ours(players: int) -> Task:
    """Some games of Evolution with so many players."""

    def play(number: int) -> int:
        told = simulate(EVOLUTION, players, GAMES, seed=number)
        return int(told["decisions"])

    return play


def rows(rounds: int = ROUNDS) -> Iterator[Row]:
    """Every number of players against both peers."""
    mine = {f"{n}": ours(n) for n in EVOLUTION.players}
    took = take_turns({**mine, "catanatron": catan, "python-chess": play_chess}, rounds)
    for n in mine:
        name = f"decision of random play, evolution, {n} players"
        yield Row(name, took[n], took["catanatron"], "catanatron, 4 players", AIM)
    mean = sum(took[n] for n in mine) / len(mine)
    yield Row("decision, mean of these", mean, took["catanatron"], "catanatron, 4 players", AIM)
    yield Row("decision, mean of these", mean, took["python-chess"], "python-chess")
