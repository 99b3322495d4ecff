"""Say what is wrong with order lines: why, and what happens if nobody changes them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from engine import DONE, Line, bare
from pbem.drafts.choices import form_of
from pbem.play.orders.check_lines import NO_REASON, LineChecker, Problem
from pbem.play.view import View

OPEN = "PBEM-ORD-032"
ILLEGAL = "PBEM-ORD-021"
UNFIT = "PBEM-ORD-030"
UNREACHED = "PBEM-ORD-031"
UNENDED = "PBEM-ORD-033"


def plainly(
    view: View, lines: Sequence[Line], problems: Iterable[Problem], troubled: Collection[str]
) -> Iterator[Problem]:
    """Give each problem a reason that helps, and leave out problems that follow from others.

    `troubled` has the kinds with lines that could not be read.
    """
    found = list(problems)
    broken = {lines[p.line - 1].kind for p in found if p.line and p.level == "error"}
    broken |= set(troubled)
    saying = _Saying(view, lines)
    for problem in found:
        if problem.code == UNENDED and lines[problem.line - 1].kind in broken:
            continue
        if problem.code == OPEN:
            if asked_in(problem.what) not in broken:
                yield problem._replace(what=f"{problem.what}: {_consequence(view)}")
        else:
            yield saying.of(problem)


def left_open(view: View, lines: Sequence[Line]) -> list[str]:
    """Return the kinds of decision that are asked now but not answered by these lines."""
    return LineChecker(view.table, view.seat, lines).unanswered()


def asked_in(what: str) -> str:
    """Return the first kind in a text such as `you are asked for feed (…), and …`."""
    return what.removeprefix("you are asked for ").partition(" ")[0]


def _consequence(view: View) -> str:
    if view.deadline and not view.preview:  # no deadline runs before the others see the turn
        return "at the deadline, pbem makes the least harmful choice for you"
    return "the game will wait for you"


class _Saying:
    def __init__(self, view: View, lines: Sequence[Line]) -> None:
        self.view, self.lines, self.ruleset = view, lines, view.play.ruleset

    def of(self, problem: Problem) -> Problem:
        """Return the problem, with a more helpful reason if there is one."""
        if problem.code == UNREACHED:
            return self._after_the_end(problem)
        if problem.code not in (ILLEGAL, UNFIT):
            return problem
        line = self.lines[problem.line - 1]
        if problem.code == ILLEGAL and line.text != DONE and self._alone(line):
            return problem._replace(what=f"after your other lines: {problem.what}")
        if other := self._other_kind(line):
            return problem._replace(what=f"this line belongs in {other}, not in {line.kind}")
        if problem.code == UNFIT and ("*" in line.text or problem.what.endswith(f": {NO_REASON}")):
            return problem._replace(what="does not match any of the choices that you have now")
        return problem

    def _after_the_end(self, problem: Problem) -> Problem:
        """Make a line after the end of a list an error if the list is one answer: the referee does
        not use such a list."""
        kind = self.lines[problem.line - 1].kind
        if not LineChecker(self.view.table, self.view.seat, self.lines).whole(kind):
            return problem
        end = self.ruleset.kinds[kind].ends
        told = f'comes after "{end}", which must be the last line of the list'
        hint = f'move "{end}" to the end of the list, or put a # before this line'
        return Problem(ILLEGAL, "error", problem.line, told, hint)

    def _alone(self, line: Line) -> bool:
        """Return whether the line would be legal if it were the only one."""
        script = LineChecker(self.view.table, self.view.seat, [line]).script(line.kind)
        return script is not None and line.text in script.listed([])

    def _other_kind(self, line: Line) -> str:
        """Return a different kind whose choices look like this line, if those of the line's own
        kind do not."""
        form = form_of(self.ruleset, line.text)[0]
        if not form or bare(line.text) == DONE or form in self._forms(line.kind):
            return ""
        return next((kind for kind in self.ruleset.kinds if form in self._forms(kind)), "")

    def _forms(self, kind: str) -> set[str]:
        """Return the forms of the choices of a kind, as far as they are known now."""
        checker = LineChecker(self.view.table, self.view.seat, [])
        asked = checker.asked.get(kind)
        script = checker.script(kind)
        options = script.listed([]) if script else asked.listed() if asked else []
        return {form_of(self.ruleset, option)[0] for option in options} - {""}
