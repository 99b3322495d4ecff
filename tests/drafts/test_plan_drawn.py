"""The plan that is drawn is the table after the turn, wherever nothing hidden intervenes."""

import random
from collections import Counter
from typing import Any

import pytest

from engine import CHANCE, DONE, Decision, Entry, Line, Place, Referee, SeedDealer
from games.registry import ruleset
from pbem.drafts.checked_rows import Row, check_rows
from pbem.drafts.forecast import Forecast
from pbem.drafts.questions_and_choices import questions
from pbem.judge.game_view import View
from pbem.judge.order_line_checks import LineChecker
from tests.kit.positions import GAMES, position, referee_after

PLANS = 200
STEPS = 5
TOGETHER = [one for one in GAMES if "together" in {x.name for x in ruleset(one).options}]
At = tuple[str, int, int, bool]


def random_plan(view: View, rng: random.Random) -> list[Line]:
    """Legal lines, chosen at random from what the page offers; each list has its end."""
    rows: list[Row] = []
    for kind in [one.kind for one in questions(view, []) if one.is_asked or rng.random() < 0.5]:
        for _ in range(rng.randint(1, STEPS)):
            lines = check_rows(view, rows).lines
            question = next((one for one in questions(view, lines) if one.kind == kind), None)
            offers = [one for one in question.offers if one.group != "*"] if question else []
            if not offers:
                break
            rows.append(Row(kind, rng.choice(offers).text))
            if question is None or not question.script or rows[-1].text == question.ends:
                break
    draft = check_rows(view, rows)
    while draft.errors:  # a step that the ruleset offers only if nothing changes
        bad = next(n for n, row in enumerate(draft.rows) if row.errors)
        draft = check_rows(view, [row for n, row in enumerate(draft.rows) if n != bad])
    lines = draft.lines
    for kind in {line.kind for line in lines if view.play.ruleset.kinds[line.kind].script}:
        ends = view.play.ruleset.kinds[kind].ends
        if ends in LineChecker(view.table, view.seat, lines).next_steps(kind):
            lines.append(Line(len(lines) + 1, kind, ends))
    return lines


class Silent:
    """The seat's orders, and silence of everybody else; notes the seat's place when it changes."""

    def __init__(self, referee: Referee[Any], view: View, lines: list[Line]) -> None:
        self.referee, self.view = referee, view
        state = self.table.state
        self.orders = view.play.ruleset.orders(view.seat, state.round, lines, state)
        self.places: list[Place] = []
        self.texts: list[str] = []
        self.acts = False
        self.hidden = False
        """Whether secret choices of others left so little food that the round ended at once."""

    @property
    def table(self) -> Any:
        return self.referee.tables[self.view.seat]

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        if decision.seat == self.view.seat:
            mine = next(one for k, one in self.table.pending if k == key)
            return self.orders.answer(key, mine, self.table.state)
        options = decision.option_list([]) if decision.script else decision.option_list()
        if DONE in options:
            return DONE, "default"
        return (decision.default() if decision.default else options[0]), "default"

    def entered(self, entry: Entry) -> None:
        self.orders.entered(entry.masked_for(self.view.seat), self.table.state)
        if entry.seat == self.view.seat:
            self.texts.append(entry.masked_for(self.view.seat).text)
            self.acts = True
        if self.acts and len(self.table.pending) == len(
            self.table.open_decisions
        ):  # the wave is complete
            self.places.append(user_place(self.view, self.table))
            self.acts = False
            ended = not self.table.open_decisions or self.table.open_decisions[0].seat == CHANCE
            self.hidden = self.hidden or (len(self.places) == 1 and ended)


def user_place(view: View, table: Any) -> Place:
    places = view.play.ruleset.scene(table.state).places
    return next(place for place in places if place.seat == view.seat)


def after_the_turn(view: View, lines: list[Line], at: At) -> Silent:
    log = list(referee_after(*at)[0].log)
    dealer = SeedDealer(f"{at[0]} {at[1]}".encode())
    referee = Referee(view.play, dealer, log, viewpoints=[view.seat], checks_entries=False)
    silent = Silent(referee, view, lines)
    for _ in range(3):  # the turns that the orders are for
        if silent.places and not referee.advance(silent):
            break
        referee.advance(silent)
    return silent


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "together"), [*((one, False) for one in GAMES), *((one, True) for one in TOGETHER)]
)
def test_the_plan_drawn_is_the_table_after_the_turn(game: str, together: bool) -> None:
    rng, seen = random.Random(f"plans of {game} {together}"), Counter[str]()
    most = PLANS // (len(GAMES) + len(TOGETHER)) + 1
    while seen["plans"] < most:
        at = (game, rng.randrange(23), rng.randrange(1, 260), together)
        view = position(*at[:3], together=together)
        if view.is_over:
            continue
        seen["plans"] += 1
        lines = random_plan(view, rng)
        forecast = Forecast(view, lines)
        if forecast.own_place is None:
            continue
        turn = after_the_turn(view, lines, at)
        own = [entry.text for entry in forecast.entries if entry.seat == view.seat]
        assert own == turn.texts[: len(own)], (at, lines)
        # a wave that the forecast does not reach may be drawn too
        if turn.hidden and game == "classroom":
            seen["hidden"] += 1
            continue
        assert forecast.own_place in turn.places[: len(own) + 1], (at, lines, forecast.end)
        seen["changed"] += forecast.own_place != user_place(view, view.table)
    assert seen["changed"] >= most // 3
