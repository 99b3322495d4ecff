"""People who say anything at any time, in games that go on.

Notices are thrown at the folder whether they count or not; clocks jump; seats fall silent, and come
back.
"""

import os
import random
from collections.abc import Callable
from unittest.mock import patch

from pbem.acts.advance import make_next_turn
from pbem.acts.invite_next_player import next_code
from pbem.files.record_file_names import Name
from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.make_signed_records import make_join
from pbem.judge.notice_kinds import (
    Away,
    Concede,
    Delay,
    Leave,
    NewKey,
    SetClock,
    SetDeadline,
    SetDoor,
    Vote,
    Vouch,
)
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.records.invite import door_key
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, SCORE, Saying
from tests.kit.named_games import SEATS, made, session_of, sit
from tests.kit.people import NOW, Round, key_of
from tests.kit.timed_games import answer_all
from tests.notices.forging import chain_heads, put_notice

HOUR, DAY = 3600, 86_400
OPTIONS = ["", "--idle-after 1", "--silent-seat bot", "--silent-seat remove", "--open-after 0"]
PLAYERS = {2: "Ann,Bo", 3: "Ann,Bo,Cy"}


class Chaos:
    """One game, and what happens in it."""

    options: str
    """What `pbem new` was told."""
    automaton = False
    """Whether the charter says that a host deals."""
    seats: str
    """The seats of people who have a key of their own when the game begins."""

    def __init__(self, table: Round, luck: random.Random) -> None:
        self.table, self.luck, self.now = table, luck, NOW
        self.number: dict[tuple[str, int], int] = {}
        self.choose()
        made(table, self.options, automaton=self.automaton)
        for seat in self.seats:
            sit(table, seat)
        self.rhea = table.person("rhea")
        self.keys: dict[str, SigningKey] = {s: key_of(SEATS[s]) for s in self.seats}
        self.over = False

    def choose(self) -> None:
        """Choose the charter."""
        luck = self.luck
        self.seats = "abc"[: luck.choice([2, 3, 3])]
        more = luck.choice(["", "", "--bots greedy:1"])
        more += luck.choice(["", "", " --wait-for-all --game origin"])
        more += luck.choice(["", "", " --change-of-mind 3h"])
        rules = luck.choice(OPTIONS)
        deadline = luck.choice(["24h", "24h", "48h"])
        self.options = f"--players {PLAYERS[len(self.seats)]} --referee Rhea --deadline {deadline} "
        self.options += f"--delays '3 days' {rules} {more}"

    # -------------------------------------------------------------- what people do
    def play(self, steps: int) -> None:
        self.advance()
        for _ in range(steps):
            self.now += self.luck.choice([0, 60, HOUR, 5 * HOUR, DAY, DAY, 3 * DAY, 16 * DAY])
            for _ in range(self.luck.choice([0, 0, 1, 1, 2, 4])):
                self.say()
            self.answer()
            self.advance()
            if self.over:
                return

    def answer(self) -> None:
        """Some of the players answer what they are asked."""
        present = [s for s in self.seats if self.luck.random() < 0.55]
        answer_all(self.table, "".join(s for s in present if self.keys[s] == key_of(SEATS[s])))

    def advance(self) -> None:
        """The referee's program, with a clock that is now and then a month ahead."""
        now = self.now + (30 * DAY if self.luck.random() < 0.03 else 0)
        with patch.dict(os.environ, SOURCE_DATE_EPOCH=str(now)):
            for _ in range(12):
                found = make_next_turn(session_of(self.rhea)).outcome
                self.over = found.is_over
                if not found.new_records or found.is_over:
                    return

    def say(self) -> None:
        writer = self.luck.choice([*self.seats, *self.seats, "referee"])
        saying = self.saying(writer)
        if saying is None:
            return
        key = key_of("rhea") if writer == "referee" else self.keys[writer]
        turn = len(chain_heads(self.table)) - 1
        after = max(0, turn - self.luck.choice([0, 0, 0, 1]))
        self.put(writer, saying, key, after)

    def put(self, writer: str, saying: Saying, key: SigningKey, after: int) -> None:
        number = self.number[writer, after] = self.number.get((writer, after), 0) + 1
        if after and number <= 8:
            put_notice(self.table, writer, saying, key, after=after, number=number)

    def saying(self, writer: str) -> Saying | None:
        if writer == "referee":
            return self.luck.choice([self.door, self.vouch, self.vouch, self.of_referee])()
        other = self.luck.choice(self.seats)
        rare = self.luck.random()
        if rare < 0.04:
            return Concede() if rare < 0.02 else Leave()
        days = self.luck.choice([1, 5, 30])
        choices: list[Callable[[], Saying]] = [
            lambda: Vote(self.luck.choice([SCORE, SCORE, DRAW, NO_WINNER, PLAY_ON])),
            lambda: Vote(SCORE),
            lambda: Away(self.now, self.now + days * DAY) if days > 1 else Away(0, 0),
            lambda: Delay(self.luck.choice([1, 12])),
            lambda: SetDeadline(self.luck.choice(["1 day", "12h", "never", ""])),
            lambda: SetClock(self.now),
            lambda: self.new_key(writer),
            lambda: self.vouch(other),
        ]
        return self.luck.choice(choices)()

    def of_referee(self) -> Saying:
        return self.luck.choice(
            [Vote(NO_WINNER), SetDeadline("1 day"), SetDeadline("12h"), SetClock(self.now)]
        )

    def vouch(self, seat: str = "") -> Saying:
        seat = seat or self.luck.choice(self.seats)
        lost = self.new(f"found again {seat}")
        game = session_of(self.rhea).game_folder.game
        return Vouch(seat, lost.public, public_of(Secrets(lost.seed).box(game, seat)))

    def new_key(self, seat: str) -> Saying:
        new = self.new(f"new {seat} {self.luck.random()}")
        game = session_of(self.rhea).game_folder.game
        return NewKey.make(new, public_of(Secrets(new.seed).box(game, seat)), game, seat)

    def new(self, name: str) -> SigningKey:
        """The key of somebody of this name."""
        return key_of(name)

    def door(self) -> Saying | None:
        """The referee invites somebody to an open seat, and they join at once."""
        from pbem.acts.sign_notice import standing_soon

        session = session_of(self.rhea)
        try:
            standing: Standing = standing_soon(session)
        except Exception:  # noqa: BLE001 - the game has not begun, or is over
            return None
        free = [seat for seat in self.seats if standing.is_open(seat)]
        if not free:
            return None
        seat = self.luck.choice(free)
        secrets = secrets_of(session.game_folder, session.refereeing.key())
        code = next_code(standing, secrets.audit, seat)
        new = self.new(f"guest {seat} {self.luck.random()}")
        join = make_join(session.game_folder.charter, seat, "Gil", new, code)
        session.folder.create(Name("join", seat=seat, short_id=join.id.hex()[:6]), join.file)
        return SetDoor(seat, door_key(code, seat).public)
