"""Write orders as prose, so that the player can check them before they are sealed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from engine import DONE, SKIP, STOP, Line
from engine.sentences.ready_lines import Said
from pbem.drafts.choices import form_of, new_piece, pieces_in
from pbem.play.orders.check_lines import LineChecker
from pbem.play.view import View
from pbem.screen.tell_entries import Teller


def said_back(view: View, lines: Sequence[Line]) -> list[str]:
    """Write orders as prose, one line for each kind: `play: carnivore 2 on b1; climbing 2 on
    b2`."""
    return _Echo(view, lines).run()


def each_said(view: View, lines: Sequence[Line]) -> dict[int, str]:
    """Write each line as prose, by its number: `climbing 2 for a new species b2`."""
    echo = _Echo(view, lines)
    return {line.number: echo.one(line) for line in lines}


AGAIN = "then you are asked again"


class _Echo:
    def __init__(self, view: View, lines: Sequence[Line]) -> None:
        self.view, self.lines = view, lines
        self.ruleset = view.play.ruleset
        self.teller = Teller(self.ruleset, view.names)

    def run(self) -> list[str]:
        said: list[str] = []
        for always in (False, True):
            for kind in dict.fromkeys(line.kind for line in self.lines):
                mine = [x for x in self.lines if x.kind == kind and x.always == always]
                if mine:
                    said.append(f"{'always ' if always else ''}{kind}: {self._kind(kind, mine)}")
        return said or ["no orders: this only tells the referee that you are here"]

    def one(self, line: Line) -> str:
        """Write one line as prose."""
        if line.kind == STOP:
            return f"when {line.text}, you are asked again"
        if line.text == SKIP:
            return line.text
        if self.ruleset.kinds[line.kind].script and not line.always:
            return self.teller.order(line.text, self._new[line.kind].get(line.number, ""))
        return self._words(line, self.ruleset.ready_lines.read(line.kind, line.text))

    @cached_property
    def _new(self) -> dict[str, dict[int, str]]:
        """Return, for each script, the names of the pieces that its lines make, by the lines'
        numbers."""
        scripts = {x.kind for x in self.lines if not x.always and x.kind != STOP}
        return {
            kind: self._made(kind, [x for x in self.lines if x.kind == kind and not x.always])
            for kind in scripts
            if self.ruleset.kinds[kind].script
        }

    def _kind(self, kind: str, mine: Sequence[Line]) -> str:
        if kind == STOP:
            return f"when {', or '.join(line.text for line in mine)}, you are asked again"
        if self.ruleset.kinds[kind].script and not mine[0].always:
            made = self._made(kind, mine)
            end = self.ruleset.kinds[kind].ends
            whole = LineChecker(self.view.table, self.view.seat, self.lines).whole(kind)
            again = f'but the list does not count until it ends with "{end}"' if whole else AGAIN
            mine = [line for line in mine if line.text != SKIP]
            steps = [line for line in mine if line.text != DONE or len(mine) == 1]
            told = "; ".join(self.teller.order(x.text, made.get(x.number, "")) for x in steps)
            asks = "" if end in [line.text for line in mine] else f"; {again}"
            return f"{told}{asks}{self._skipped(kind)}"
        return self._in_turn(mine)

    def _skipped(self, kind: str) -> str:
        skips = any(line.kind == kind and line.text == SKIP for line in self.lines)
        return "; what is not possible is left out" if skips else ""

    def _in_turn(self, mine: Sequence[Line]) -> str:
        """Write the lines of a kind as prose, in the order in which they are tried.

        Lines that limit other lines come last.
        """
        read = self.ruleset.ready_lines.read
        said = [(line, read(line.kind, line.text)) for line in mine]
        tries = [self._words(x, one) for x, one in said if not (one and one.line.keeps)]
        holds = [self._words(x, one) for x, one in said if one and one.line.keeps]
        return "; ".join([*([", else ".join(tries)] if tries else []), *holds])

    def _words(self, line: Line, said: Said | None) -> str:
        """Write a line as prose; for a ready line, say what the line does."""
        if said is None:
            return self.teller.order(line.text)
        return said.line.said(self.teller.names.get(said.argument, said.argument))

    def _made(self, kind: str, mine: Sequence[Line]) -> dict[int, str]:
        """Return the names of the pieces that a script's lines make, as far as they are known."""
        script = LineChecker(self.view.table, self.view.seat, self.lines).script(kind)
        if script is None:
            return {}
        makes = {form for form, told in self.teller.prose.orders.items() if "{new}" in told}
        steps: list[str] = []
        made: dict[int, str] = {}
        known = pieces_in(self.ruleset, script.listed(steps))
        for line in mine:
            if line.text not in script.listed(steps) or line.text == DONE:
                break
            steps.append(line.text)
            options = script.listed(steps)
            if form_of(self.ruleset, line.text)[0] in makes:
                made[line.number] = new_piece(self.ruleset, known, options)
            known |= pieces_in(self.ruleset, options)
        return made
