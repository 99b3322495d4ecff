"""Finished games of Origin: each is replayed by all eyes, every entry checked; all that can happen
happens in one of them. A change of the rules that touches played games shows here.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import ALL, PUBLIC, Entry, Table
from games.origin.extinction import cards_due
from games.origin.rules import ORIGIN
from games.origin.traits import TRAITS

FILES = sorted((Path(__file__).parent / "origin").glob("*.log"))


@dataclass(frozen=True)
class Finished:
    """A finished game as its file has it: key | by | to | text, after a head of four lines."""

    seats: str
    scores: str
    decided_by: str
    log: tuple[Entry, ...]


def read(file: Path) -> Finished:
    head, _, body = file.read_text("utf-8").partition("\n\n")
    game, seats, scores, decided_by = head.split("\n")
    assert game == "game origin"
    log = []
    for line in body.splitlines():
        key, by, to, text = line.split(" | ")
        log.append(Entry(key, key.split(".")[3], text, by, to.strip()))
    return Finished(
        seats.removeprefix("seats "), scores.removeprefix("scores "),
        decided_by.removeprefix("decided by "), tuple(log),
    )  # fmt: skip


GAMES = {file.stem: read(file) for file in FILES}


@pytest.mark.parametrize("name", GAMES)
def test_it_replays_to_its_end_for_all_eyes(name: str) -> None:
    finished = GAMES[name]
    game = ORIGIN.game(finished.seats)
    for eyes in (ALL, PUBLIC, *finished.seats):
        table = Table(game, eyes, (entry.seen(eyes) for entry in finished.log), check=True)
        assert table.over
        result = ORIGIN.result(table.state)
        said = " ".join(f"{s.seat}:{s.total}:{s.rank}" for s in result.scores)
        assert (said, result.decided_by or "points") == (finished.scores, finished.decided_by)


def forms(finished: Finished) -> set[str]:
    chosen = (e for e in finished.log if e.seat != "*" or " rolls " in e.text)
    return {ORIGIN.forms.parse(entry.text)[0] for entry in chosen}


def traits(finished: Finished) -> set[str]:
    found = set()
    for entry in finished.log:
        if entry.key.split(".")[2] == "develop":
            form, said = ORIGIN.forms.parse(entry.text)
            if form == "protects":
                found.add("symbiosis")
            elif form in ("trait", "use", "pair"):
                found.add(said.get("t", said["card"]))
    return found


def last_deal(finished: Finished) -> str:
    """How the deal ended that emptied the deck."""
    table, ended = Table(ORIGIN.game(finished.seats)), ""
    scope = ""
    for entry in finished.log:
        phase = entry.key.rsplit(".", 3)[0]
        if " draws " in entry.text and phase != scope:
            scope, state = phase, table.state
            due = sum(cards_due(state, seat) for seat in state.seats)
            ended = "short" if due > state.deck else "complete"
        table.push(entry)
    return ended


def test_every_trait_is_played() -> None:
    assert set().union(*map(traits, GAMES.values())) == set(TRAITS)


def test_every_kind_of_sentence_occurs() -> None:
    assert set().union(*map(forms, GAMES.values())) == set(ORIGIN.forms.templates)


def test_every_way_to_end_a_game_occurs() -> None:
    assert {last_deal(finished) for finished in GAMES.values()} == {"short", "complete"}
    assert {finished.decided_by for finished in GAMES.values()} == {
        "points", "discard pile", "shared",
    }  # fmt: skip
    assert {len(finished.seats) > 4 for finished in GAMES.values()} == {True, False}


def test_every_way_to_settle_a_question_occurs() -> None:
    ways = {entry.by.split(" ")[0] for finished in GAMES.values() for entry in finished.log}
    assert ways == {"line", "always", "default", "forced", "chance"}
