"""A second small game of valid records, about time: an absence, a delay, another deadline, and a
seat that becomes open.

The same people as in `sample`, but nothing is played that matters: Bo announces an absence, puts
the deadline off and proposes another rule; the referee agrees; later Bo stays silent, and the
charter's bot answers once the seat is open.
"""

from dataclasses import replace
from functools import cache
from typing import Any

from pbem.judge.notice_kinds import Away, Delay, SetDeadline
from pbem.judge.which_notices_count import SignedNotice, row_of
from pbem.records.charter import Charter
from pbem.records.final_record import FinalRecord
from pbem.records.game_id_and_chain_heads import next_head
from pbem.records.notice import Saying
from pbem.records.packet import Packet, seal_packets
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Content, Record, make
from pbem.records.turn import Awaited, ListedOrders, LogEntry, Turn, sort_sets
from tests.kit.record_files import record_path
from tests.kit.sample_records import TIME, Sample

HOUR, DAY = 3600, 86400
POLICIES: dict[str, str | int | bool] = {
    "deadline": "3 days",
    "delays": "2 days",
    "idle_after": 1,
    "silent_seat": "bot",
}


class CalendarSample(Sample):
    """The records by name. Tests change one number, and nobody may find the result right."""

    hours = 24
    """By how much Bo puts the deadline off."""
    away = (20, 30)
    """From which day to which Bo is away."""
    agreed = "4 days"
    """What the referee agrees to; Bo proposes 4 days."""
    seconds = 0
    """How much the deadline of turn 2 differs from the right one."""
    open_by = "bot"
    """What settles the question to the open seat."""
    silent = ("b",)
    """Who turn 6 names as silent."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.turns = [self.turn1]
        del self.heads[2:]
        begins, ends = (TIME + day * DAY for day in self.away)
        mine = [Away(begins, ends), Delay(self.hours), SetDeadline("4 days")]
        self.declared = [self._declare("b", n, one) for n, one in enumerate(mine, start=1)]
        put_off = self.turn1.content.deadline + self.hours * HOUR + self.seconds  # type: ignore[union-attr]
        asks = (Awaited("b", ("feed",)),)
        self._add(HOUR, deadline=put_off, notices=self.declared, awaited=asks)
        agreed = self._declare(REFEREE, 1, SetDeadline(self.agreed))
        self.declared.append(agreed)
        self._add(2 * HOUR, notices=[agreed], awaited=asks)
        _, self.answer = self._orders("a", self.held, 4, 1, ["always feed: *"], self.heads[3])
        self._add(
            21 * DAY, ["1.feeding.feed.b.0 default"], awaited=(Awaited("a", ("feed",)),),
            own=(self.answer.id,),
        )  # fmt: skip
        self._add(
            31 * DAY, ["1.feeding.feed.a.0 always [?]"], awaited=asks,
            orders=(ListedOrders(self.answer.id, "a", "accepted"),),
        )  # fmt: skip
        self._add(36 * DAY, list(self._last()), deadline=0, silent=self.silent, over=True)
        self.final = make(self._end(), self.ann)

    def _last(self) -> list[str]:
        """Bo is silent in round 2, idle in round 3, and the seat is open in round 4."""
        ways = {2: "default", 3: "default", 4: self.open_by}
        rows = []
        for round_, way in ways.items():
            rows += [f"{round_}.feeding.feed.b.0 {way}", f"{round_}.feeding.feed.a.0 always [?]"]
        return rows

    @property
    def records(self) -> dict[str, Record[Content]]:
        """The files by their names in the folder."""
        names = ("game.toml", "seats/")
        found = {n: r for n, r in super().records.items() if n.startswith(names)}
        found |= {f"turns/{n:04}.toml": turn for n, turn in enumerate(self.turns, start=1)}
        found |= {record_path(one): one for one in self.declared}
        found[f"orders/0004-a-1-{self.answer.id.hex()[:6]}.toml"] = self.answer
        return found | {"final.toml": self.final}

    def _charter(self) -> Charter:
        return replace(super()._charter(), policies=POLICIES)

    def _turn1(self) -> Turn:
        return replace(super()._turn1(), own=(), awaited=(Awaited("b", ("feed",)),))

    def _declare(self, writer: str, number: int, saying: Saying) -> SignedNotice:
        turn, key = len(self.heads) - 1, self.ann if writer == REFEREE else self.bo
        return self.notice_by(writer, saying, key, turn=turn, number=number)

    def _add(
        self, after: int, log: list[str] | None = None, notices: list[SignedNotice] | None = None,
        deadline: int | None = None, **fields: Any,
    ) -> None:  # fmt: skip
        """The next turn, so many seconds after turn 1; the rule gives 4 days from turn 3 on."""
        turn, time = len(self.heads), TIME + after
        packets = {seat: Packet() for seat in "ab"}
        values: dict[str, Any] = {
            "time": time,
            "deadline": time + 4 * DAY if deadline is None else deadline,
            "over": False,
            "table": (f"turn {turn}",),
            "packets": seal_packets(turn, packets, self.keys),
            "log": tuple(_entry(row) for row in log or ()),
            "notices": tuple(map(row_of, notices or ())),
        }
        made = Turn(game=self.game, turn=turn, prev=self.heads[-1], seat="", **(values | fields))
        self.turns.append(make(sort_sets(made), self.ann))
        self.heads.append(next_head(self.heads[-1], self.turns[-1].id))

    def _end(self) -> FinalRecord:
        return replace(self._final(), turn=len(self.heads), prev=self.heads[-1])


def _entry(row: str) -> LogEntry:
    key, by = row.split(" ", 1)
    return LogEntry(key, f"{key.split('.')[3]}1 eats", by)


@cache
def calendar_sample() -> CalendarSample:
    """The one sample, made once."""
    return CalendarSample()
