"""Mode `dealers` without a player: silent, or with new keys, or replaced, after turns of each sort.

The sorts of a turn: it asks, or the dealers owe a mix, shares of cards, or openings.
"""

from __future__ import annotations

import pytest

from pbem.judge.audit import audit
from pbem.judge.notice_kinds import Leave, TakeIn
from pbem.records.turn import LogEntry
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import Player, played_key
from tests.kit.selection import long

SORTS = {"asks", "mix", "shares", "openings"}


def sort_of(game: DealersGame) -> str:
    """What the last turn waits for."""
    turn = game.turns[-1].content
    if not turn.owed:
        return "asks"
    if turn.need:
        return "openings"
    return "mix" if game.made.cards.dealing.deck.next_mixer() == 0 else "shares"  # type: ignore[attr-defined]


# ------------------------------------------------------------------ a silent seat


def all_but_bo(player: Player) -> list[str] | None:
    return None if player.seat == "b" else player.lines()


def entries_of(game: DealersGame, kind: str, seat: str) -> list[LogEntry]:
    """The seat's answers to questions of this kind."""
    entries = [entry for record in game.turns for entry in record.content.log]
    return [entry for entry in entries if entry.key.split(".")[2:4] == [kind, seat]]


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("ruleset", "kind", "players", "silent_seat"),
    [("evolution", "food", 2, "defaults"), ("evolution", "food", 2, "remove"),
     ("classroom", "choice", 3, "defaults")],
)  # fmt: skip
def test_the_default_of_a_silent_seat_takes_its_oldest_slots(
    tmp_path, ruleset, kind, players, silent_seat
):
    game = DealersGame(
        tmp_path / "game", ruleset=ruleset, players=players, answer=all_but_bo,
        policies={"deadline": "1h", "silent_seat": silent_seat},
    )  # fmt: skip
    while len(defaults := entries_of(game, kind, "b")) < 2:
        game.play(1)
        assert len(game.turns) < 30
    assert {entry.by for entry in defaults} == {"default"}
    slots = [slot for entry in defaults for slot in entry.slots]
    assert slots == [*range(len(slots))]
    assert ("b",) in [record.content.silent for record in game.turns]
    report = audit(game.folder)
    assert (report.findings, report.exit) == ([], 0)


# ------------------------------------------------------------------ a lost seat


def get_new_keys(game: DealersGame, seat: str, number: int) -> None:
    key = game.rekey(seat, f"computer {number} of {seat}")
    game.sits(seat, key)


def give_away(game: DealersGame, seat: str, number: int) -> None:
    """The player leaves, and somebody new gets the seat while the co-dealers are away, or not."""
    game.say(seat, Leave())
    turn_if_any(game)
    join = game.joins_later(seat, f"Zoe {number}")
    turn_if_any(game)
    game.say("referee", TakeIn(seat, join.id))
    game.sits(seat, played_key(f"Zoe {number}"))


def turn_if_any(game: DealersGame) -> None:
    """The next turn, unless the notices wait for it: then also the dealers' parts."""
    was_paused, game.is_paused = game.is_paused, True
    record = game.turn()
    game.is_paused = was_paused
    if record is not None:
        game.see(record)


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("lose", "is_paused"),
    [(get_new_keys, False), (give_away, True), *long([(get_new_keys, True), (give_away, False)])],
)
def test_with_dealers_new_keys_read_the_seats_whole_hand_whatever_the_turn_waited_for(
    tmp_path, lose, is_paused
):
    """A seat changes hands after a turn of each sort; with its new keys it reads its whole hand."""
    game = DealersGame(tmp_path / "game", options={"together": "yes"})
    left_sorts = [*SORTS]
    game.play(1)
    while left_sorts:
        assert len(game.turns) < 40
        sort = sort_of(game)
        if sort not in left_sorts or (len(game.turns) > 1 and sort == "mix"):
            game.play(1)
            continue
        left_sorts.remove(sort)
        seat = "b" if len(left_sorts) > 1 else "a"  # a key changes keys twice a round
        game.is_paused = is_paused and sort != "asks"
        lose(game, seat, len(game.turns))
        record = game.turn_for_all()
        assert {*(record.content.handover or {})} == {seat}
        game.is_paused = False
        if not record.content.owed:
            game.ask()
        hands, deck = game.made.cards.tables.hands, game.made.cards.dealing.deck  # type: ignore[attr-defined]
        known = game.seats[seat].reader.seat_cards.cards.keys()  # type: ignore[attr-defined]
        while record.content.owed:
            record = game.turn_for_all()
            new_slots = deck.unshared_slots.get(seat, ())
            assert {*hands.live_slots(seat)} - {*new_slots} <= known
        assert {*hands.live_slots(seat)} <= known
        game.ask()
        game.play(1)
    report = audit(game.folder)
    assert (report.broken, report.exit) == ([], 0)
