"""A person's order file, read: lines in canonical sentences, every problem at its place."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import DONE, Decision, Line
from pbem.drafts.places import Places, Spot
from pbem.drafts.wording import Wording
from pbem.play.lines import LineChecker, Problem, write_line
from pbem.play.view import View

HEADER = ("game", "answers", "seat")
MOST_LINES = 256


@dataclass(frozen=True, slots=True)
class Note:
    """A problem of an order file and where it stands."""

    code: str
    level: str
    what: str
    hint: str = ""
    spot: Spot | None = None


@dataclass
class Draft:
    """An order file that was read: its lines, and what is wrong with it."""

    lines: list[Line] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def errors(self) -> list[Note]:
        """What keeps it from being sealed."""
        return [note for note in self.notes if note.level == "error"]

    @property
    def texts(self) -> list[str]:
        """The lines as they are sealed."""
        return [write_line(line) for line in self.lines]

    @property
    def stale(self) -> bool:
        """Whether it answers another turn or game than the view's."""
        return any(note.code in ("PBEM-ORD-010", "PBEM-ORD-011") for note in self.errors)


def read_draft(text: str, view: View) -> Draft:
    """Read and check an order file against the seat's own view."""
    return _Reading(text, view).run()


class _Reading:
    def __init__(self, text: str, view: View) -> None:
        self.text, self.view = text, view
        self.places = Places(text)
        self.draft = Draft()
        self.wording = Wording(view.play.ruleset)
        self.spots: list[Spot | None] = []

    def run(self) -> Draft:
        doc = self._parse()
        if doc is not None:
            self._header(doc)
            always = doc.pop("always", {})
            self._kinds(doc, "")
            if isinstance(always, dict):
                self._kinds(always, "always")
            else:
                self._note(3, "always must be a table of its own: [always]", "", "always")
            self._check()
        self.draft.notes.sort(key=lambda n: (n.spot.line if n.spot else 0, n.code))
        return self.draft

    # -------------------------------------------------------------- the file
    def _parse(self) -> dict[str, Any] | None:
        try:
            return tomllib.loads(self.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            spot = self.places.at(int(found[1]), int(found[2])) if found else None
            what = re.sub(r" \(at .*\)", "", str(error)) or "nested too deeply"
            hint = 'a line of orders is a string in quotes: feed = ["b1 eats"]'
            self.draft.notes.append(
                Note("PBEM-ORD-001", "error", f"not readable as TOML: {what}", hint, spot)
            )
            return None

    def _header(self, doc: dict[str, Any]) -> None:
        view = self.view
        game = str(doc.pop("game", "")).split(" ")[-1]
        answers, seat = str(doc.pop("answers", "")), str(doc.pop("seat", view.seat))
        if game and not (len(game) >= 6 and view.game.startswith(game)):
            self._note(
                10, f"these orders are for another game ({game}, not {view.game[:6]})", "", "game"
            )
        if answers and answers != position(view):
            hint = "`pbem orders` writes a new draft for the turn that is here"
            what = f"these orders answer {answers}; the game stands at {position(view)}"
            self._note(11, what, hint, "answers")
        if seat != view.seat:
            self._note(12, f"these orders are of seat {seat}; you are {view.seat}", "", "seat")

    def _kinds(self, doc: dict[str, Any], table: str) -> None:
        kinds = self.view.play.ruleset.kinds
        for kind, value in doc.items():
            if kind not in kinds:
                close = difflib.get_close_matches(kind, [*kinds, *HEADER, "always"], 1)
                hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(kinds)}"
                self._note(2, f"{kind!r} is no kind of order here", hint, kind, table)
                continue
            texts = [value] if isinstance(value, str) else value
            if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
                self._note(3, f"{kind} must be a string, or a list of strings", "", kind, table)
                continue
            for index, text in enumerate(texts):
                self._line(kind, text, table, index)

    # -------------------------------------------------------------- lines
    def _line(self, kind: str, text: str, table: str, index: int) -> None:
        spot = self.places.string(table, kind, index)
        always = bool(table)
        meant = self.wording.read(text, self._options(kind, always))
        if len(self.draft.lines) >= MOST_LINES:
            self.draft.notes.append(
                Note("PBEM-ORD-025", "error", f"more than {MOST_LINES} lines", "", spot)
            )
            return
        if not meant.sentence:
            self._unreadable(kind, text, meant.candidates, spot, always)
            return
        number = len(self.draft.lines) + 1
        self.draft.lines.append(Line(number, kind, meant.sentence, always))
        self.spots.append(spot)

    def _options(self, kind: str, always: bool) -> list[str]:
        """What could be meant here: the options now, or, in a script, after the lines before."""
        table, view = self.view.table, self.view
        asked = next((d for _, d in table.pending if (d.seat, d.kind) == (view.seat, kind)), None)
        if not always and view.play.ruleset.kinds[kind].script:
            return self._next_steps(kind, asked)
        return asked.listed() if asked is not None and not asked.script else []

    def _next_steps(self, kind: str, asked: Decision | None) -> list[str]:
        checker = LineChecker(self.view.table, self.view.seat, self.draft.lines)
        script = asked if asked is not None and asked.script else checker.script(kind)
        if script is None:
            return []
        steps: list[str] = []
        for line in self.draft.lines:
            if line.kind == kind and line.text in script.listed(steps):
                steps.append(line.text)
        return [] if DONE in steps else script.listed(steps)

    def _unreadable(
        self, kind: str, text: str, candidates: Sequence[str], spot: Spot | None, always: bool
    ) -> None:
        what = f'"{text}" is no sentence of this game'
        if candidates:
            what = f'"{text}" can mean several things'
        options = candidates or self._close(text, self._options(kind, always))
        hint = f"did you mean: {', '.join(quoted(options[:5]))}?" if options else ""
        self.draft.notes.append(Note("PBEM-ORD-020", "error", what, hint, spot))

    def _close(self, text: str, options: Sequence[str]) -> list[str]:
        return difflib.get_close_matches(
            self.wording.tidy(text), list(dict.fromkeys(options)), 5, 0.5
        )

    def _check(self) -> None:
        view = self.view
        for problem in LineChecker(view.table, view.seat, self.draft.lines).run():
            self.draft.notes.append(self._placed(problem))

    def _placed(self, problem: Problem) -> Note:
        spot = self.spots[problem.line - 1] if problem.line else None
        text = f'"{self.draft.lines[problem.line - 1].text}": ' if problem.line else ""
        return Note(problem.code, problem.level, text + problem.what, problem.hint, spot)

    def _note(self, code: int, what: str, hint: str, key: str, table: str = "") -> None:
        spot = self.places.key(table, key)
        self.draft.notes.append(Note(f"PBEM-ORD-{code:03}", "error", what, hint, spot))


def quoted(options: Sequence[str]) -> list[str]:
    """Options as they are written in an order file."""
    return [f'"{option}"' for option in options]


def position(view: View) -> str:
    """The position that orders answer, as people see it: turn and six digits of the head."""
    head = view.heads[-2] if view.preview else view.head
    return f"{view.turn}:{head[:6]}"
