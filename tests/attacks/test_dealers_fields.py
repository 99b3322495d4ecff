"""Mode `referee`: everybody refuses what only games in mode `dealers` have."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.audit import audit
from pbem.judge.public_turn_reader import PublicReader
from pbem.records.deal_record import CardMix, NeededSlot, OpenedSlot
from pbem.records.final_record import FinalRecord
from pbem.records.packet import Packet, seal_packets
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import SaidAnswer, Turn
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import HOUR, MINUTE, Name, Played
from tests.kit.refusals import refused_for

SAID = (SaidAnswer("1.food.food.a.0", "x", "line [?]"),)


@dataclass
class WithDealersFields(Played):
    """A game whose referee puts fields of the mode `dealers` into one turn."""

    at: int = 2
    fields: dict[str, Any] = field(default_factory=dict)

    def change(self, turn: Turn) -> Turn:
        return replace(turn, **self.fields) if turn.turn == self.at else turn


@pytest.mark.parametrize(
    ("at", "fields"),
    [
        (1, {"card_key": b"\1" * 32}),
        (1, {"card_proof": b"\2" * 64}),
        (1, {"said": SAID}),
        (2, {"deals": (b"\1" * 32,)}),
        (2, {"mix": CardMix(b"\1" * 64, b"\1" * 288)}),
        (2, {"opened": (OpenedSlot("a", 0, "horns 1", b"\1" * 96),)}),
        (2, {"said": SAID}),
        (2, {"need": (NeededSlot("a", 0),)}),
        (2, {"owed": (0,)}),
        (2, {"spoiled": "a"}),
    ],
    ids=lambda value: "".join(value) if isinstance(value, dict) else str(value),
)
def test_in_referee_mode_a_turn_with_a_field_of_dealers_mode_is_refused(
    tmp_path: Path, at: int, fields: dict[str, Any]
) -> None:
    game = WithDealersFields(tmp_path / "game", at=at, fields=fields)
    with pytest.raises(RecordError) as caught:
        game.play(at)
    (name,) = fields
    sentence = f"the turn has the field {name}, but only games in mode dealers may have it"
    assert (caught.value.reason, caught.value.sentence) == ("field", sentence)
    with pytest.raises(RecordError, match=sentence):
        game.read(PublicReader(game.charter))  # and without any key


def test_in_referee_mode_slots_in_a_log_entry_are_refused(tmp_path: Path) -> None:
    class Slots(Played):
        def change(self, turn: Turn) -> Turn:
            log = [
                entry if entry.hidden or entry.by == "chance" else replace(entry, slots=(5,))
                for entry in turn.log
            ]
            return replace(turn, log=tuple(log))

    with refused_for("field", "has the field slots, but only games in mode dealers may have it"):
        Slots(tmp_path / "game").play(4)


def empty_turn(game: Played, **fields: Any) -> Record[Turn]:
    """A turn with an empty log, which the referee signs after the last turn."""
    last, packets = game.turns[-1].content, {seat: Packet() for seat in game.seats}
    time = game.now + MINUTE
    turn = replace(
        last, turn=last.turn + 1, prev=game.heads[-1], time=time, deadline=time + HOUR, log=(),
        lines=(), cards=(), dealt=(), shown=(), decks=(), orders=(), notices=(), links=(),
        joins=None, link0=b"", own=(), silent=(), **fields,
    )  # fmt: skip
    boxes = seal_packets(turn.turn, packets, game.made.keys, ())
    return make(replace(turn, packets=boxes), game.referee)


def test_in_referee_mode_a_turn_of_announced_answers_alone_is_refused(tmp_path: Path) -> None:
    """Everybody has ordered; with a turn that has nothing but `said` these orders would be late."""
    game = Played(tmp_path / "game", policies={"deadline": "1h"})
    game.play(2)
    reader = game.read(PublicReader(game.charter))
    with refused_for("field", "has the field said, but only games in mode dealers may have it"):
        reader.absorb(empty_turn(game, said=SAID), game.finder)


def final_findings(game: Played) -> list[tuple[str, str]]:
    return [(finding.path, finding.reason) for finding in audit(game.folder).broken]


@dataclass
class OtherFinal(Played):
    """A game whose referee opens other secrets at the end."""

    def finish(self) -> None:
        final = self.final(self.made.final())
        self.put(Name("final"), make(final, self.referee))

    def final(self, final: FinalRecord) -> FinalRecord:
        return replace(final, card_secret=b"\1" * 32)


@pytest.mark.sample(0)
def test_in_referee_mode_a_final_with_a_card_secret_is_refused(tmp_path: Path) -> None:
    game = OtherFinal(tmp_path / "game", ruleset="classroom", players=3, bot="random")
    game.play()
    assert final_findings(game) == [("final.toml", "field")]


@dataclass
class DealersFinal(OtherFinal, DealersGame):
    """The same in mode `dealers`."""


@pytest.mark.sample(0)
def test_in_dealers_mode_a_final_without_the_card_secret_is_refused(tmp_path: Path) -> None:
    class Nothing(DealersFinal):
        def final(self, final: FinalRecord) -> FinalRecord:
            return replace(final, card_secret=b"")

    game = Nothing(tmp_path / "game", ruleset="classroom", players=3, bot="random")
    game.play()
    assert final_findings(game) == [("final.toml", "field")]
