"""Random games against a model of silence and deadlines that was written from the pages alone.

At every step the model (`tests/reference/silence`) says what `pbem advance` must do, and it is
compared with what `advance` does and prints, with the turn that it makes, and with what `status`
says. In the end the audit is clean, and `status` names the right winners. PBEM_SEED repeats one.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pbem.acts.advance import bot_texts
from pbem.acts.seal_orders import seal_and_write_orders
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.notice_kinds import TakeIn
from pbem.records.join import Join
from pbem.records.notice import DRAW, NO_WINNER, Notice, Saying
from pbem.records.orders import Orders as OrdersRecord
from pbem.records.read_and_sign_record import Record, read
from tests.kit.named_games import SEATS, session_of
from tests.kit.people import NOW, Round, Said, key_of
from tests.kit.people import Person as Human
from tests.kit.record_files import record_at
from tests.reference.chaos import DAY, HOUR, Chaos
from tests.reference.seeds import repeatable, seeds
from tests.reference.silence import referee as model
from tests.reference.silence.notices import Note, Orders, Table
from tests.reference.silence.people import MAIL, OWN, REFEREE, People, Person, Rules

COUNTS: Counter[str] = Counter()
"""What happened in all games of this run."""
DEADLINES = ["24h", "24h", "48h", "every day 20:00 UTC", "24h, grace 2h", "never"]
NAMES = {"a": "Ann", "b": "Bo", "c": "Cy"}


class Watched(Chaos):
    """A game that the model follows."""

    def __init__(self, table: Round, luck: random.Random) -> None:
        self.names: dict[bytes, str] = {}
        self.told: list[str] = []
        self.empty: set[bytes] = set()
        super().__init__(table, luck)
        self.folder = table.shared / "savannah"
        self.table_now: Table | None = None
        for seat in self.seats:
            self.new(SEATS[seat])
        self.new("rhea")

    # ------------------------------------------------------------------ the charter
    def choose(self) -> None:
        luck = self.luck
        everybody = "abc"[: luck.choice([2, 3, 3])]
        self.kind = luck.choice(["", "", "", "", "plays", "mail", "mail", "bots", "bots"])
        self.automaton = self.kind in ("", "bots") and luck.random() < 0.4
        self.rules = Rules()
        rules = self.rules
        rules.deadline = luck.choice(DEADLINES)
        text = f"--deadline '{rules.deadline}' --delays '3 days' "
        rules.delays = 3 * DAY
        if luck.random() < 0.2:
            rules.phases["play"] = "30h"
            text += "--deadline-for play=30h "
        if luck.random() < 0.5:
            rules.idle_after = luck.choice([0, 1, 1, 3])
            text += f"--idle-after {rules.idle_after} "
        if luck.random() < 0.3:
            rules.open_after = luck.choice([0, 2])
            text += f"--open-after {rules.open_after} "
        if rules.idle_after and rules.open_after and rules.deadline != "never":
            rules.silent_seat = luck.choice(["defaults", "defaults", "bot", "remove"])
            text += f"--silent-seat {rules.silent_seat} "
        rules.wait_for_all = luck.random() < 0.3
        text += "--wait-for-all " if rules.wait_for_all else ""
        if luck.random() < 0.25 and "--deadline-for" not in text:
            text += "--game origin "
        people = [NAMES[s] for s in everybody]
        self.mail, self.plays = "", ""
        self.seats = everybody
        who = "--referee Rhea"
        if self.kind == "plays":
            people[0], who, self.plays = "Rhea", "--referee-plays", "a"
        if self.kind == "mail":
            self.mail = luck.choice(everybody)
            people = [f"{n} <{n}@example.org>" if NAMES[self.mail] == n else n for n in people]
            text += f"--mail-seats {NAMES[self.mail]} "
        text += "--bots greedy:1 " if self.kind == "bots" else ""
        self.seats = "".join(s for s in everybody if s not in self.mail + self.plays)
        self.everybody = everybody
        self.options = f"--players '{','.join(people)}' {who} {text}"
        COUNTS["automaton"] += self.automaton

    def begin_model(self) -> None:
        """The table after turn 1."""
        first = self.turns()[0].content
        joins = {record_at(p).id: record_at(p).content for p in self.files("seats")}
        assert first.joins is not None
        people = []
        nobody = People(self.rules, [], machine=self.automaton)
        table = Table(nobody, key_of("rhea").public, "".join(first.joins))
        for seat, id_ in first.joins.items():
            join = joins[id_]
            assert isinstance(join, Join)
            table.keys.add(join.key)
            holder = MAIL if seat in self.mail else REFEREE if seat in self.plays else OWN
            if seat in self.everybody:
                people.append(Person(seat, holder, join.key, join.recovery, answered=first.time))
        table.people = People(self.rules, people, machine=self.automaton)
        step = model.Next(model.FULL, model.Turn(table, first.time))
        self.table_now, wrong = model.apply(table, step, self.made(0))
        assert not wrong, wrong

    # ------------------------------------------------------------------ the folder
    def files(self, place: str) -> list[Path]:
        return sorted((self.folder / place).glob("*.toml"))

    def turns(self) -> list[Record[Any]]:
        return [read_once(path) for path in self.files("turns")]

    def notes(self, before: int) -> list[Note]:
        """The notices that may be listed by the turn of this number."""
        listed = {row.id for t in self.turns()[: before - 1] for row in t.content.notices}
        waiting = {w.note.id for w in self.now_table.waits if w.note}
        found = []
        for path in self.files("notices"):
            note = as_note(path)
            if note.turn >= before or (note.id in listed and note.id not in waiting):
                continue
            if isinstance(note.says, TakeIn):
                joins = [x for p in self.files("seats") if (x := read_once(p)).id == note.says.join]
                join = joins[0].content
                assert isinstance(join, Join)
                note = replace(note, joins=(join.key, join.x25519, join.recovery))
            found.append(note)
        return found

    def orders(self, before: int) -> list[Orders]:
        """The orders that the turn of this number may list."""
        listed = {row.id for t in self.turns()[: before - 1] for row in t.content.orders}
        found = []
        for path in self.files("orders"):
            record = read_once(path)
            one = record.content
            assert isinstance(one, OrdersRecord)
            if record.id not in listed and one.turn < before:
                what = one.seat, one.turn, one.revision, record.signed.key
                found.append(Orders(record.id, *what, record.id not in self.empty))
        return found

    def made(self, index: int) -> model.Made:
        turn = self.turns()[index].content
        round_ = re.search(r"\b(?:round|turn) (\d+)", turn.table[0])
        accepted = {row.seat: row.id for row in turn.orders if row.status == "accepted"}
        return model.Made(
            turn.turn, turn.time, turn.deadline, turn.over, int(round_[1]) if round_ else 0,
            {row.seat: row.kinds for row in turn.awaited}, turn.silent,
            tuple(row.id for row in turn.notices),
            {s: i for s, i in accepted.items() if s in self.everybody},
            [(entry.key, entry.by) for entry in turn.log],
        )  # fmt: skip

    # ------------------------------------------------------------------ what people do
    @property
    def now_table(self) -> Table:
        assert self.table_now is not None
        return self.table_now

    def new(self, name: str) -> SigningKey:
        key = key_of(name)
        self.names[key.public] = name
        return key

    def person_in(self, seat: str) -> Human:
        """Who holds the key of a seat now."""
        if seat in self.plays:
            return self.rhea
        key = self.now_table.people.of[seat].key
        return self.table.person(self.names.get(key, "rhea"))

    def say(self) -> None:
        writer = self.luck.choice([*self.everybody, *self.everybody, "referee"])
        if self.turn == 0:
            return
        saying = self.saying(writer)
        if saying is None:
            return
        after = max(1, self.turn - self.luck.choice([0, 0, 0, 1]))
        self.put(writer, saying, self.key_for(writer), after)

    def key_for(self, writer: str) -> SigningKey:
        if writer == "referee":
            return key_of("rhea")
        if self.luck.random() < 0.05 and writer in self.keys:
            return self.keys[writer]
        return session_of(self.person_in(writer), writer).seat_key(writer)

    def put(self, writer: str, saying: Saying, key: SigningKey, after: int) -> None:
        super().put(writer, saying, key, after)
        COUNTS[f"notice {saying.about}"] += 1
        self.told.append(f"{self.at()}: {writer} after {after}: {saying}")

    @property
    def turn(self) -> int:
        return len(self.files("turns"))

    def at(self) -> str:
        return f"+{(self.now - NOW) / HOUR:.2f}h"

    def answer(self) -> None:
        for seat in self.everybody:
            if self.turn and self.luck.random() < 0.55 and seat not in self.plays:
                self.answer_of(seat, empty=self.luck.random() < 0.1)

    def answer_of(self, seat: str, empty: bool = False) -> None:
        with patch.dict(os.environ, SOURCE_DATE_EPOCH=str(self.now)):
            self.send(seat, empty=empty)

    def send(self, seat: str, empty: bool) -> None:
        session = session_of(self.person_in(seat), seat)
        session.refresh()
        readers = session.readers
        reader = readers.seat_now(seat) if seat in self.plays else readers.seat(seat)
        if reader.chain.is_over or (seat not in reader.chain.awaited and not empty):
            return
        record = seal_and_write_orders(
            session, reader, seat, [] if empty else bot_texts(reader, "greedy")
        )
        if empty:
            self.empty.add(record.id)
        self.told.append(f"{self.at()}: {seat} answers {record.content.turn}{' nothing' * empty}")

    # ------------------------------------------------------------------ the referee, and the model
    def type(self, line: str, who: Human | None = None) -> Said:
        return (who or self.rhea).pbem(f"{line} -C savannah", SOURCE_DATE_EPOCH=str(self.now))

    def advance(self) -> None:
        now = self.now
        if self.luck.random() < 0.03 and self.turn:
            self.now += 30 * DAY
        try:
            self.advance_now()
        finally:
            self.now = now

    def advance_now(self) -> None:
        first = self.turn
        for _ in range(40):
            said = self.type("advance --json --time-is-right")
            assert said.exit in (0, 5), said.text
            data = json.loads(said.out)["data"]
            self.told.append(f"{self.at()}: advance {said.exit}, made {len(data['made'])}")
            first = self.follow(first, data)
            if self.over or not (data["made"] or data["first"]):
                break
            if self.kind not in ("plays", "bots") and self.luck.random() < 0.7:
                break  # the next step shows whether that was all
            for seat in data["first"]:
                assert seat in self.plays, f"first: {seat}"
                self.answer_of(seat)
        if self.turn and not self.over and self.luck.random() < 0.4:
            self.look()

    def follow(self, first: int, data: dict[str, Any]) -> int:
        """Compare what `advance` made, and that it stopped there, with what the model says."""
        for index in range(first, self.turn):
            COUNTS["turns"] += 1
            if not index:
                self.begin_model()
                continue
            self.one_turn(index)
        if not self.table_now or self.over or data["made"] or data["first"]:
            return self.turn
        step = self.expected()
        told = f"model: {step.kind}, missing {sorted(step.missing)}, advance: {data}"
        if data["held"]:
            self.held(step, data)
        else:
            assert step.kind == model.WAIT, told
        asked = {s for s in data["waiting"] if s not in data["answered"] and s in self.everybody}
        away = {s for s in asked if self.away(s)}
        if step.kind == model.WAIT:
            assert asked - away == step.missing - away, told
        return self.turn

    def away(self, seat: str) -> str:
        table = self.now_table
        return model.status_of(table, table.people.of[seat])

    def expected(self, held: bool = False) -> model.Next:
        """What the model says that comes after the turns that it has followed."""
        number = self.now_table.turn + 1
        files = self.notes(number), self.orders(number)
        own = self.turns()[number - 2].content.own
        return model.next_step(self.now_table, *files, self.now, held, own)

    def one_turn(self, index: int) -> None:
        made = self.made(index)
        step = self.expected()
        if model.kind_of(made) == model.QUIET and step.kind == model.FULL:
            assert self.rules.wait_for_all or self.plays
            step = self.expected(held=True)
        wrong = model.turn_differences(self.now_table, step, made)
        if not wrong:
            self.table_now, wrong = model.apply(self.now_table, step, made)
        assert not wrong, f"turn {index + 1}: {wrong}\n{self.in_words(step, made)}"
        self.told.append(f"turn {index + 1}: {step.kind} {made.asked} silent {made.silent}")
        COUNTS[step.kind] += 1
        for note in step.turn.listed:
            COUNTS[f"listed {note.says.about}"] += 1
        if made.over:
            self.over = True
            self.look_at_end(made)

    def in_words(self, step: model.Next, made: model.Made) -> str:
        """The notices that the model and the turn list, for people who look for a difference."""
        notes = {
            n.id: f"{n.writer or 'referee'} {n.says}"
            for p in self.files("notices")
            if (n := as_note(p))
        }
        mine = {n.id for n in step.turn.listed}
        only = [f"only the model lists {notes[i]}" for i in mine - set(made.notices)]
        return "\n".join(
            only + [f"only the turn lists {notes[i]}" for i in set(made.notices) - mine]
        )

    def held(self, step: model.Next, data: dict[str, Any]) -> None:
        """With --wait-for-all, the game waits for those who would be asked next."""
        assert self.rules.wait_for_all
        assert step.kind == model.FULL, (step.kind, data)
        assert self.expected(held=True).kind == model.WAIT

    def look_at_end(self, made: model.Made) -> None:
        """What everybody is told when the game is over."""
        assert (self.folder / "final.toml").exists()
        seat = self.luck.choice(self.everybody)
        said = self.type("status --json", self.person_in(seat))
        assert said.exit == 0, said.text
        data = json.loads(said.out)["data"]
        table = self.now_table
        conceded = {one.seat for one in table.people if one.conceded or one.removed}
        COUNTS[f"end: {table.ended or 'played out'}"] += 1
        assert (data["over"], data["ended"]) == (True, table.ended)
        assert made.deadline == data["deadline"] == 0
        told = self.type("status", self.person_in(seat)).out
        won = re.findall(r"^  (.*) (?:wins?|share the win)\b", told, re.MULTILINE)
        some = table.ended not in (DRAW, NO_WINNER) and len(conceded) < len(table.names)
        assert bool(won) == some, told
        losers = {data["seats"][s]["name"] for s in conceded}
        assert not losers & set(re.split(", | and ", won[0] if won else "")), told

    def look(self) -> None:
        """What `status` says to somebody."""
        seat = self.luck.choice(self.everybody)
        said = self.type("status --json" + f" --as {seat}", self.person_in(seat))
        assert said.exit == 0, said.text
        data = json.loads(said.out)["data"]
        table = self.now_table
        if data["turn"] != table.turn:
            return  # the referee sees a turn that nobody else sees yet
        for one in table.people:
            away = self.away(one.seat)
            assert data["seats"][one.seat]["away"] == away, (one.seat, away, data["seats"])
        assert data["deadline"] == table.deadline
        waits = sorted((w["until"],) for w in data["waits"])
        assert waits == sorted((w.until,) for w in table.waits), (data["waits"], table.waits)


@lru_cache(4096)
def _read(data: bytes) -> Record[Any]:
    return read(data)


def read_once(path: Path) -> Record[Any]:
    return _read(path.read_bytes())


def as_note(path: Path) -> Note:
    record = read_once(path)
    one = record.content
    assert isinstance(one, Notice)
    return Note(record.id, one.seat, one.turn, one.number, one.saying, record.signed.key)


def play_one(seed: int, folder: Path) -> None:
    """Play the game of this seed, with the model beside it, and audit it."""
    game = Watched(Round(folder), random.Random(seed))
    with repeatable(seed, lambda: "\n".join([game.options, *game.told])):
        game.play(14)
        said = game.table.person("ann").pbem("audit savannah --json")
        found = json.loads(said.out)["data"]["findings"]
        assert not [one for one in found if one["grade"] == "broken"]
    COUNTS["games"] += 1


@pytest.mark.long
@pytest.mark.parametrize("seeds", seeds(8, 24, 300), ids=len)
def test_silence_and_deadlines_follow_the_model_of_the_docs(seeds: range, tmp_path: Path) -> None:
    COUNTS.clear()
    for seed in seeds:
        play_one(seed, tmp_path / str(seed))
        shutil.rmtree(tmp_path / str(seed))
    print(dict(sorted(COUNTS.items())))
