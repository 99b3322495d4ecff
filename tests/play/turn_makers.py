"""Turn makers in a game of four, and what they ask."""

from dataclasses import replace
from types import SimpleNamespace

from engine import Decision
from pbem.judge.absent_seats import Absence, round_asked
from pbem.judge.record_chain import Chain
from pbem.judge.sealed_dealing_mode import SEALED
from pbem.judge.turn_end_checks import awaited_kinds_by_seat
from pbem.records.turn import Awaited
from tests.kit.sample_records import SAMPLE

TURN = replace(SAMPLE.turn1.content, deadline=100, awaited=(Awaited("b", ("feed",)),))


def question_to(seat: str, kind: str = "feed", silent: bool = True, round_: int = 2):
    default = (lambda: "pass") if silent else None
    return f"{round_}.feed.{kind}.{seat}.0", Decision(seat, kind, tuple, default=default)


class Lines:
    """Orders that answer these kinds of question, in this round."""

    def __init__(self, *kinds: str, round_: int = 2) -> None:
        self.kinds, self.round = kinds, round_

    def answer(self, _key, decision, _state):
        return ("x", "line [1]") if decision.kind in self.kinds else None


def chain_of_four(last, pending=(), absence=None, shown=()):
    """What the turns up to this one say, the fourth."""
    made = Chain(SAMPLE.charter)
    made.last_turn, made.heads = last, made.heads * (5 if last else 1)
    made.round = round_asked(pending)
    made.absence = absence or Absence(frozenset("abcd"), 2)
    made.standing = SimpleNamespace(seats_shown={5: {*shown}}.get, absence_reasons={})
    if not shown:
        made.standing.seats_shown = lambda turn: set()
    return made


def maker_of_four(
    pending=(), in_force=(), policies=None, plays=(), absence=None, now=None, lines=None, shown=(),
    last=TURN,
):  # fmt: skip
    """A turn maker in a game of four, as far as it is asked here."""
    charter = replace(SAMPLE.charter.content, policies=policies or {}, plays=tuple(plays))
    table = SimpleNamespace(state=SimpleNamespace(round=2))
    nobody = absence or Absence(frozenset("abcd"), 2)
    return SimpleNamespace(
        mode=SEALED, charter=charter, joins=dict.fromkeys("abcd"),
        table=SimpleNamespace(public_table=table),
        orders_table=table, questions=tuple(pending), awaited=awaited_kinds_by_seat(pending, {}),
        in_force={seat: SimpleNamespace(lines=one) for seat, one in dict(in_force).items()},
        pending=tuple(pending), absence_now=now or nobody,
        absence_with=lambda accepted, silent: nobody.after_turn(accepted, silent, 2),
        lines_now=lambda record: (lines or {})[record], open=None,
        chain=chain_of_four(last, pending, absence, shown),
    )  # fmt: skip
