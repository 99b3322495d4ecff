"""Run a rule case: check the questions of the game against its steps, and answer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import (
    ALL,
    PUBLIC,
    Decision,
    Illegal,
    Misfit,
    Ruleset,
    Seat,
    Table,
    why_not_step,
)
from games.positions import hint
from pbem.frozen import frozen
from pbem.rulecases.case_dealer import CaseDealer
from pbem.rulecases.case_tables import Tables
from pbem.rulecases.compare import differences, shown
from pbem.rulecases.read_case import BadCase, Case, Step
from pbem.rulecases.spelling import spelt

MOST_SILENT = 2_000
"""The most silent answers while a step waits for its question."""


@frozen
class Outcome:
    """The outcome of a case; if it has no differences, everything is as the case says."""

    case: Case
    differences: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything was as the case says."""
        return not self.differences


class Stop(Exception):
    """Raised if the case cannot go on; the message is the difference."""


def run(case: Case, ruleset: Ruleset[Any], everybody: bool = True) -> Outcome:
    """Run one case. Raises BadCase if its position, seats or options are impossible.

    With ``everybody``, all seats have tables, not only the full and the public viewpoint.
    """
    found: list[str] = []
    try:
        found += _Run(case, ruleset, everybody).differences()
    except Stop as stop:
        found.append(str(stop))
    except ValueError as error:
        raise BadCase(f"{case.file}: case {case.id}: {error}") from error
    return Outcome(case, tuple(found))


class _Run:
    def __init__(self, case: Case, ruleset: Ruleset[Any], everybody: bool) -> None:
        self.case, self.ruleset = spelt(case, ruleset), ruleset
        self.dealer = CaseDealer(case.dice, case.shuffled)
        self.tables = Tables(self._set_up(case.seats if everybody else ""), self.dealer)
        self.cards = sum(len(deck) for deck in ruleset.decks.values())

    def _set_up(self, seats: str) -> dict[Seat, Table[Any]]:
        """Return a table for each viewpoint, set up as the case says."""
        case = self.case
        game = self.ruleset.game(case.seats, case.options)
        state = game.start()
        if case.phase:
            self._read_position(state)
        elif case.position:
            raise ValueError("a position needs a 'phase' where play begins")
        return {
            viewpoint: Table(
                game, viewpoint, check=True,
                position=(state.clone(viewpoint), case.phase) if case.phase else None,
            )
            for viewpoint in (ALL, PUBLIC, *seats)
        }  # fmt: skip

    def _read_position(self, state: Any) -> None:
        phases = [phase.name for phase in self.ruleset.phases]
        if self.case.phase not in phases:
            raise ValueError(f"no phase {self.case.phase!r}; {hint(self.case.phase, phases)}")
        if self.ruleset.positions is None:
            raise ValueError(f"{self.ruleset.name} cannot start from a position; leave out 'phase'")
        state.scope = f"0.{self.case.phase}"
        self.dealer.decks.update(self.ruleset.positions().read(state, self.case.position))

    # -------------------------------------------------------------- the course of the case
    def differences(self) -> Iterator[str]:
        """Play the case, and yield each difference as a sentence."""
        for n, step in enumerate(self.case.steps, start=1):
            try:
                for difference in self._step(step):
                    yield f"step {n}: {difference}"
            except Stop as stop:
                raise Stop(f"step {n}: {stop}") from None
        self._settle()
        yield from self._facts(self.case.then, self.case.seen)
        yield from self.tables.lost(self.cards)
        if unused := self.dealer.unused():
            yield f"named but never used: {', '.join(unused)}"

    def _step(self, step: Step) -> Iterator[str]:
        if step.silence:
            self._silence(step.silence)
        else:
            at = self._asked(step)
            if step.forced is not None and step.forced != self.tables.is_forced(at):
                yield f"{step.ask} has {'several answers' if step.forced else 'only one answer'}"
            yield from self._offered(step, at)
            yield from self._answered(step, at)
        self._settle()
        yield from self._facts(step.then, step.seen)

    def _settle(self, until: str = "") -> None:
        """Settle chance and facts; with ``until``, also forced choices up to that question."""

        def keep(decision: Decision) -> bool:
            return asks(decision) == until

        try:
            self.tables.settle(keep if until else None)
        except (Illegal, Misfit) as error:
            raise Stop(f"the tables disagree: {error}") from error

    # -------------------------------------------------------------- one question
    def _asked(self, step: Step) -> int:
        """Return the number, in the open wave, of the question that this step of the case is
        about."""
        self._settle(step.ask)
        for at, decision in self.tables.asked():
            if asks(decision) == step.ask:
                return at
        raise Stop(f"{step.ask} is not asked; next: {self._next()}{self._meant(step.ask)}")

    def _meant(self, ask: str) -> str:
        """Return the kind of question that the case may have meant, if no kind has the given
        name."""
        kind = ask.split()[1]
        return "" if kind in self.ruleset.kinds else f"; {hint(kind, self.ruleset.kinds)}"

    def _offered(self, step: Step, at: int) -> Iterator[str]:
        decision = self.tables.own(at)
        self._check_after(step, decision)
        options = set(decision.listed(*([step.after] if decision.script else [])))
        for option in step.offers:
            if option not in options:
                yield f"{option!r} is not offered: {self._reason(step, at, option)}"
        if step.exactly is not None and options != set(step.exactly):
            yield f"the options are {shown(sorted(options))}, not {shown(sorted(step.exactly))}"
        for text, why in step.refuses.items():
            reason = self._reason(step, at, text)
            if reason is None:
                yield f"{text!r} is not refused"
            elif why not in reason:
                yield f"{text!r} is refused because {reason!r}, not because {why!r}"

    def _check_after(self, step: Step, decision: Decision) -> None:
        """Check that the steps of `after` are legal; otherwise the options after them cannot be
        checked."""
        if step.after and not decision.script:
            raise Stop(f"{step.ask} is not answered by a list of steps: leave out 'after'")
        for i, text in enumerate(step.after):
            cards = self.ruleset.vocabulary
            if reason := why_not_step(decision, step.after[:i], text, cards):
                raise Stop(f"after: {text!r} is refused: {reason}")

    def _reason(self, step: Step, at: int, text: str) -> str | None:
        """Say why the seat may not give this answer; a single step is first completed to a list of
        steps."""
        asked = self.tables.own(at)
        if asked.script and not text.endswith(asked.ends):
            text = f"{text}; {asked.ends}"
        return self.tables.why_not(at, "; ".join([*step.after, text]))

    def _answered(self, step: Step, at: int) -> Iterator[str]:
        text, by = step.answer, "line [1]"
        if step.default:
            silent = self.tables.own(at).default
            text, by = (silent() if silent else "nothing"), "default"
            if text != step.default:
                yield f"silence means {text!r}, not {step.default!r}"
        if text:
            self._answer(at, text, by)

    def _answer(self, at: int, text: str, by: str) -> None:
        if reason := self.tables.why_not(at, text):
            raise Stop(f"{text!r} is refused: {reason}{self._near(at, text)}")
        try:
            self.tables.answer(at, text, "forced" if self.tables.is_forced(at) else by)
        except (Illegal, Misfit) as error:
            raise Stop(f"the tables disagree: {error}") from error

    def _near(self, at: int, text: str) -> str:
        """Return a hint that says what an answer may mean if it is not a sentence of the game."""
        decision, matching = self.tables.own(at), self.ruleset.forms.matching
        steps = text.split("; ") if decision.script else [text]
        n = next((n for n, step in enumerate(steps) if not matching(step)), len(steps))
        before = steps[:n] if decision.script else []
        if n == len(steps) or (
            before and self.tables.why_not(at, "; ".join([*before, decision.ends]))
        ):
            return ""
        told = hint(steps[n], decision.listed(*([before] if decision.script else [])))
        return f"; {told}" if told.startswith("did") else ""

    def _silence(self, until: str) -> None:
        """Let everybody stay silent until the given question, ``round N`` or ``over``."""
        for _ in range(MOST_SILENT):
            self._settle(until)
            if self._reached(until):
                return
            if not self.tables.asked():
                raise Stop(f"the game is over, but {until!r} was not reached")
            for at, decision in self.tables.asked():
                if decision.default is None:
                    raise Stop(f"{asks(decision)}: silence is not an answer")
                self._answer(at, decision.default(), "default")
        raise Stop(f"{until!r} is never reached")

    def _reached(self, until: str) -> bool:
        asked = self.tables.asked()
        if until.startswith("round "):
            return bool(asked) and f"round {self.tables.full.state.round}" == until
        return not asked if until == "over" else until in [asks(d) for _, d in asked]

    # -------------------------------------------------------------- facts
    def _facts(
        self, then: Mapping[str, Any], seen: Mapping[str, Mapping[str, Any]]
    ) -> Iterator[str]:
        if then:
            known = {**self._course(), **self._table(ALL)}
            yield from differences(then, known)
        for viewpoint, said in seen.items():
            name = PUBLIC if viewpoint == "public" else viewpoint
            if name in self.tables.tables:
                found = differences(said, self._table(name))
                yield from (f"{viewpoint} sees: {difference}" for difference in found)
            elif name not in self.case.seats:
                raise ValueError(f"{viewpoint!r} is not a viewpoint: give a seat or 'public'")

    def _table(self, viewpoint: Seat) -> Mapping[str, Any]:
        if self.ruleset.positions is None:
            return {}
        return self.ruleset.positions().facts(self.tables.tables[viewpoint].state)

    def _course(self) -> dict[str, Any]:
        """Return facts that every game has: the next question and, at the end, the result."""
        if not self.tables.full.over:
            return {"next": self._next()}
        result = self.ruleset.result(self.tables.full.state)
        return {
            "next": "over",
            "winners": list(result.winners),
            "decided_by": result.decided_by,
            "scores": {score.seat: score.total for score in result.scores},
            "ranks": {score.seat: score.rank for score in result.scores},
        }

    def _next(self) -> str:
        return ", ".join(asks(decision) for _, decision in self.tables.asked()) or "over"


def asks(decision: Decision) -> str:
    """Return the seat and the kind of a question as a text such as ``b feed``."""
    return f"{decision.seat} {decision.kind}"
