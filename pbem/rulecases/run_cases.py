"""Run rule cases: ask, answer, compare with what the case expects, report."""

from __future__ import annotations

import json as jsons
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
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
from engine.counts_and_lists_in_prose import counted
from engine.value_classes import Value
from games import package_faults, registry
from games.rule_case_differences import differences, format_value, hint, suggestion
from pbem.rulecases.case_dealer import CaseDealer
from pbem.rulecases.play_all_viewpoints_in_step import Tables
from pbem.rulecases.read_cases import BadCase, Case, Step, read_file, spelt
from pbem.terminal.clean_text import clean

MOST_SILENT = 2_000
"""The most silent answers while a step waits for its question."""


class Outcome(Value):
    """The outcome of a case; if it has no differences, everything is as the case says."""

    case: Case
    differences: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything was as the case says."""
        return not self.differences


class Stop(Exception):
    """Raised if the case cannot go on; the message is the difference."""


def run(case: Case, ruleset: Ruleset[Any], with_seats: bool = True) -> Outcome:
    """Run one case. Raises BadCase if its position, seats or options are impossible.

    With ``with_seats``, all seats have tables, not only the full and the public viewpoint.
    """
    differing: list[str] = []
    try:
        differing += _Run(case, ruleset, with_seats).differences()
    except Stop as stop:
        differing.append(str(stop))
    except ValueError as error:
        if package_faults.fault_sentence(error):
            raise
        raise BadCase(f"{case.file}: case {case.id}: {error}") from error
    return Outcome(case, tuple(differing))


class _Run:
    def __init__(self, case: Case, ruleset: Ruleset[Any], with_seats: bool) -> None:
        self.case, self.ruleset = spelt(case, ruleset), ruleset
        self.dealer = CaseDealer(case.dice, case.shuffled, len(case.seats))
        self.tables = Tables(self._set_up(case.seats if with_seats else ""), self.dealer)
        self.cards = sum(len(deck) for deck in ruleset.decks.values())

    def _set_up(self, seats: str) -> dict[Seat, Table[Any]]:
        """Return the tables for everything, for everybody and for these seats, at the case's
        position. Raises ValueError if it is impossible."""
        case, ruleset = self.case, self.ruleset
        game = ruleset.game(case.seats, case.options)
        state = game.start()
        if case.phase:
            phases = [phase.name for phase in ruleset.phases]
            if case.phase not in phases:
                raise ValueError(f"there is no phase {case.phase!r}; {hint(case.phase, phases)}")
            if ruleset.positions is None:
                raise ValueError(f"{ruleset.name} cannot start from a position; leave out 'phase'")
            state.scope = f"0.{case.phase}"
            self.dealer.decks.update(ruleset.positions().read(state, case.position))
        elif case.position:
            raise ValueError("a position needs a 'phase' where play begins")
        return {
            viewpoint: Table(
                game, viewpoint, checks_entries=True,
                position=(state.clone(viewpoint), case.phase) if case.phase else None,
            )
            for viewpoint in (ALL, PUBLIC, *seats)
        }  # fmt: skip

    def differences(self) -> Iterator[str]:
        """Play the case, and yield each difference from the expected play. Raises Stop if the case
        cannot go on, ValueError if the case is impossible."""
        for n, step in enumerate(self.case.steps, start=1):
            try:
                for difference in self._step(step):
                    yield f"step {n}: {difference}"
            except Stop as stop:
                raise Stop(f"step {n}: {stop}") from None
        self._settle()
        yield from self._facts(self.case.expected_facts, self.case.expected_views)
        yield from self.tables.missing_totals(self.cards)
        if unused := self.dealer.unused():
            unused_list = ", ".join(f"'{name}'" for name in unused)
            yield f"the case gives dice or cards that the game never used: {unused_list}"

    def _step(self, step: Step) -> Iterator[str]:
        """Play one step, and yield each difference. Raises Stop."""
        if step.silence:
            self._silence(step.silence)
        else:
            index = self._find_question(step)
            if step.forced is not None and step.forced != self.tables.is_forced(index):
                yield f"{step.ask} has {'several answers' if step.forced else 'only one answer'}"
            yield from self._offered(step, index)
            text, source = step.answer, "line [1]"
            if step.default:
                default_answer = self.tables.seat_question(index).default
                text, source = (default_answer() if default_answer else "nothing"), "default"
                if text != step.default:
                    yield f"without an answer, the game takes {text!r}, not {step.default!r}"
            if text:
                self._answer(index, text, source)
        self._settle()
        yield from self._facts(step.expected_facts, step.expected_views)

    def _settle(self, target: str = "") -> None:
        """Settle chance and facts; with a ``target``, also forced choices up to that question."""
        try:
            keep = (lambda decision: question_name(decision) == target) if target else None
            self.tables.settle(keep)
        except (Illegal, Misfit) as error:
            raise Stop(f"the tables disagree: {error}") from error

    def _find_question(self, step: Step) -> int:
        """Return the index of the step's question in the wave. Raises Stop if it is not asked."""
        self._settle(step.ask)
        for index, decision in self.tables.open_questions():
            if question_name(decision) == step.ask:
                return index
        kind, kinds = step.ask.split()[1], self.ruleset.kinds
        kind_hint = "" if kind in kinds else f"; {hint(kind, kinds)}"
        raise Stop(f"the game asks {self._next()!r} now, not {step.ask!r}{kind_hint}")

    def _offered(self, step: Step, index: int) -> Iterator[str]:
        """Yield each difference between the options of a question and those that the step expects
        or refuses. Raises Stop if its first steps are impossible."""
        decision = self.tables.seat_question(index)
        if step.first_steps and not decision.script:
            raise Stop(
                f"{step.ask!r} asks for one answer, not for a list of steps: leave out 'after'"
            )
        for i, text in enumerate(step.first_steps):
            if reason := why_not_step(
                decision, step.first_steps[:i], text, self.ruleset.vocabulary
            ):
                raise Stop(f"after: {text!r} is refused: {reason}")
        options = set(decision.option_list(*([step.first_steps] if decision.script else [])))
        for option in step.offers:
            if option not in options:
                yield f"{option!r} is not offered: {self._reason(step, index, option)}"
        if step.exactly is not None and options != set(step.exactly):
            expected_text = format_value(sorted(step.exactly))
            yield f"the options are {format_value(sorted(options))}, not {expected_text}"
        for text, expected_reason in step.refuses.items():
            reason = self._reason(step, index, text)
            if reason is None:
                yield f"{text!r} is not refused"
            elif expected_reason not in reason:
                yield f"{text!r} is refused because {reason!r}, not because {expected_reason!r}"

    def _reason(self, step: Step, index: int, text: str) -> str | None:
        """Return the reason against an answer; None if it is legal. If the question wants a list of
        steps, the answer is one step: the list ends after it."""
        question = self.tables.seat_question(index)
        if question.script and not text.endswith(question.ends):
            text = f"{text}; {question.ends}"
        return self.tables.why_not(index, "; ".join([*step.first_steps, text]))

    def _answer(self, index: int, text: str, source: str) -> None:
        """Answer a question; raise Stop if the answer is refused or the tables disagree."""
        if reason := self.tables.why_not(index, text):
            raise Stop(f"{text!r} is refused: {reason}{self._hint_for(index, text)}")
        try:
            self.tables.answer(index, text, "forced" if self.tables.is_forced(index) else source)
        except (Illegal, Misfit) as error:
            raise Stop(f"the tables disagree: {error}") from error

    def _hint_for(self, index: int, text: str) -> str:
        """Return a hint about an answer that is no sentence of the game: a similar sentence; empty
        if nothing is similar. For a list of steps, the hint is about the first unknown step, unless
        an earlier step is refused."""
        decision, matching = self.tables.seat_question(index), self.ruleset.forms.matching
        steps = text.split("; ") if decision.script else [text]
        n = next((n for n, step in enumerate(steps) if not matching(step)), len(steps))
        earlier_steps = steps[:n] if decision.script else []
        if n == len(steps) or (
            earlier_steps and self.tables.why_not(index, "; ".join([*earlier_steps, decision.ends]))
        ):
            return ""
        options = decision.option_list(*([earlier_steps] if decision.script else []))
        question = suggestion(steps[n], options)
        return f"; {question}" if question else ""

    def _silence(self, target: str) -> None:
        """Let everybody stay silent until the given question, ``round N`` or ``over``."""
        for _ in range(MOST_SILENT):
            self._settle(target)
            open_questions = self.tables.open_questions()
            reached_targets = {question_name(decision) for _, decision in open_questions}
            reached_targets.add(
                f"round {self.tables.full_table.state.round}" if open_questions else "over"
            )
            if target in reached_targets:
                return
            if not open_questions:
                raise Stop(f"the game is over, but {target!r} was not reached")
            for index, decision in open_questions:
                if decision.default is None:
                    raise Stop(f"silence does not answer {question_name(decision)!r}")
                self._answer(index, decision.default(), "default")
        raise Stop(f"{target!r} is never reached")

    def _facts(
        self, expected_facts: Mapping[str, Any], expected_views: Mapping[str, Mapping[str, Any]]
    ) -> Iterator[str]:
        """Yield each difference from the expected facts of the game, and from those that each
        viewpoint sees. Viewpoints without a table in this run are skipped."""
        if expected_facts:
            facts = {**self._course(), **self._table(ALL)}
            yield from differences(expected_facts, facts)
        for viewpoint, expected_view in expected_views.items():
            name = PUBLIC if viewpoint == "public" else viewpoint
            if name in self.tables.tables:
                view_differences = differences(expected_view, self._table(name))
                yield from (f"{viewpoint} sees: {difference}" for difference in view_differences)
            elif name not in self.case.seats:
                raise ValueError(f"{viewpoint!r} is not a viewpoint: give a seat or 'public'")

    def _table(self, viewpoint: Seat) -> Mapping[str, Any]:
        if self.ruleset.positions is None:
            return {}
        return self.ruleset.positions().facts(self.tables.tables[viewpoint].state)

    def _course(self) -> dict[str, Any]:
        """Return the facts about the course of the game: the next questions, or the result."""
        if not self.tables.full_table.over:
            return {"next": self._next()}
        result = self.ruleset.result(self.tables.full_table.state)
        return {
            "next": "over",
            "winners": list(result.winners),
            "decided_by": result.decided_by,
            "scores": {score.seat: score.total for score in result.scores},
            "ranks": {score.seat: score.rank for score in result.scores},
        }

    def _next(self) -> str:
        return (
            ", ".join(question_name(decision) for _, decision in self.tables.open_questions())
            or "over"
        )


def question_name(decision: Decision) -> str:
    """Return the seat and the kind of a question as a text such as ``b feed``."""
    return f"{decision.seat} {decision.kind}"


# ---- Files of cases

Find = Callable[[str], Ruleset[Any]]


def run_files(paths: Iterable[Path | str], find: Find = registry.ruleset) -> list[Outcome]:
    """Return the outcome of every case of these files, in order.

    Raises BadCase for the first file or case that cannot be understood, with file, case and reason.
    """
    outcomes = []
    for case in (case for path in paths for case in read_file(Path(path))):
        try:
            ruleset = find(case.game)
        except registry.UnknownGame as error:
            raise BadCase(f"{case.file}: {error}") from error
        outcomes.append(run(case, ruleset))
    return outcomes


def main(paths: Sequence[Path | str], *, json: bool = False) -> int:
    """Run the cases and print every difference; return the exit code.

    Exit codes: 0 no differences, 1 differences, 2 a file that cannot be understood, 4 a file that
    cannot be a case file.
    """
    try:
        outcomes = run_files(paths)
    except BadCase as error:
        print(f"error: {clean(str(error))}", file=sys.stderr)
        return error.exit
    rows = (
        [jsons.dumps(_outcomes_as_data(outcomes), indent=2)]
        if json
        else map(clean, _lines(outcomes))
    )
    print("\n".join(rows))
    return 0 if all(outcome.ok for outcome in outcomes) else 1


def _outcomes_as_data(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the number of cases and, for each failed case, its differences, for JSON."""
    failed = [outcome for outcome in outcomes if not outcome.ok]
    return {
        "cases": len(outcomes),
        "failed": len(failed),
        "differences": [
            {
                **{name: getattr(outcome.case, name) for name in ("file", "id", "title", "source")},
                "differences": list(outcome.differences),
            }
            for outcome in failed
        ],
    }


def _lines(outcomes: Sequence[Outcome]) -> Iterable[str]:
    """Yield each failed case with its differences, then a summary."""
    failed = [outcome for outcome in outcomes if not outcome.ok]
    for outcome in failed:
        case = outcome.case
        yield f"{case.file}: {case.id}: {case.title} ({case.source})"
        yield from (f"    {difference}" for difference in outcome.differences)
    count = counted(len(outcomes), "case")
    if failed:
        yield f"{len(failed)} of {count} did not come out as expected."
    else:
        yield f"{count}, no differences." if outcomes else "There are no cases in these files."
