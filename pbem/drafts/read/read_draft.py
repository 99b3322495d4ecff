"""Read an order file: its lines as sentences of the game, and where each problem is."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import DONE, STOP, Decision, Line, bare
from pbem.drafts.read.draft_toml import Broken, parse
from pbem.drafts.read.find_ready_line import begun_line, exact_line, stop_line
from pbem.drafts.read.find_sentence import Meant, Wording
from pbem.drafts.read.line_numbers import Places, Spot
from pbem.drafts.read.problem_texts import plainly
from pbem.play.orders.check_lines import LineChecker, Problem, legal_here, write_line
from pbem.play.view import View
from pbem.records.fields.order_size import MAX_LINES, why_too_long
from pbem.screen.tell_entries import spaced
from pbem.text.handwritten_toml import MAX_TEXT

HEADER = ("game", "answers", "seat")
MOST_WRONG = 20
"""After how many unreadable lines and unknown kinds pbem stops reading the file."""
MOST_LETTERS = 1000
"""The most characters that a person may write in one line; sealed lines have at most 200."""


class Note(NamedTuple):
    """A problem in an order file, with its position."""

    code: str
    level: str
    what: str
    hint: str = ""
    spot: Spot | None = None


class Draft:
    """An order file that was read: its lines, and what is wrong with it."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.notes: list[Note] = []
        self.spots: list[Spot | None] = []
        """The position of each line in the file."""

    @property
    def errors(self) -> list[Note]:
        """The problems that prevent the draft from being sealed."""
        return [note for note in self.notes if note.level == "error"]

    @property
    def texts(self) -> list[str]:
        """The lines as they will be sealed."""
        return [write_line(line) for line in self.lines]

    @property
    def stale(self) -> bool:
        """Whether the draft is for a different turn or game from the view's."""
        return any(note.code in ("PBEM-ORD-010", "PBEM-ORD-011") for note in self.errors)


def read_draft(text: str, view: View) -> Draft:
    """Read and check an order file against the seat's own view."""
    return _Reading(text, view).run()


class _Reading:
    def __init__(self, text: str, view: View) -> None:
        self.text, self.view = text.replace("\r\n", "\n").replace("\r", "\n"), view
        self.places = Places(self.text[:MAX_TEXT])
        self.draft = Draft()
        self.wording = Wording(view.play.ruleset)
        self.troubled: set[str] = set()
        self._of_other_seat = False
        self.asked = {d.kind: d for _, d in view.table.pending if d.seat == view.seat}

    def run(self) -> Draft:
        doc = self._parse()
        if doc is not None:
            self._header(doc)
            if not (self.draft.stale or self._of_other_seat):
                self._orders(doc)
        self.draft.notes.sort(key=lambda n: (n.spot.line, n.spot.column) if n.spot else (0, 0))
        return self.draft

    def _orders(self, doc: dict[str, Any]) -> None:
        always = doc.pop("always", {})
        self._kinds(doc, "")
        if isinstance(always, dict):
            self._kinds(always, "always")
        else:
            self._note(3, "[always] must be a table", "write [always] on its own line", "always")
        if what := why_too_long(self.draft.texts):
            self._too_long(what, self.places.end)
        view, lines = self.view, self.draft.lines
        found = LineChecker(view.table, view.seat, lines).run()
        for problem in plainly(view, lines, found, self.troubled):
            self.draft.notes.append(self._placed(problem))

    # -------------------------------------------------------------- the file
    def _parse(self) -> dict[str, Any] | None:
        try:
            return parse(self.text)
        except Broken as broken:
            spot = self.places.at(*broken.place) if broken.place else self.places.end
            self.draft.notes.append(Note("PBEM-ORD-001", "error", broken.what, broken.hint, spot))
            return None

    def _header(self, doc: dict[str, Any]) -> None:
        view = self.view
        said = {key: self._said(doc, key) for key in HEADER}
        game, answers = said["game"].split(" ")[-1].lower(), said["answers"].strip().lower()
        seat = said["seat"].strip().lower() or view.seat
        if game and not (len(game) >= 6 and view.game.startswith(game)):
            what = f"these orders are for another game ({game[:64]}, not {view.game[:6]})"
            self._note(10, what, "go to that game's folder, or give its path with -C", "game")
        elif answers and answers != position(view):
            self._note(11, *self._outdated(answers), "answers")
        if seat != view.seat:
            self._of_other_seat = seat in view.names  # its lines name that seat's cards and pieces
            hint = f'write seat = "{view.seat}", or leave it out'
            hint += f"; or add --as {seat}, if that seat is yours too" if seat in view.names else ""
            self._note(
                12,
                f"these orders are for seat {seat[:20]}; you are in seat {view.seat}",
                hint,
                "seat",
            )

    def _said(self, doc: dict[str, Any], key: str) -> str:
        value = doc.pop(key, "")
        if isinstance(value, str):
            return value
        self._note(3, f"{key} must be a string", f'put it in quotes, as in {key} = "…"', key)
        return ""

    def _outdated(self, answers: str) -> tuple[str, str]:
        """Say that the orders are for a different turn, and what to do."""
        here = position(self.view)
        turn = answers.partition(":")[0]
        what = f"these orders answer turn {answers[:40]}; the game is at turn {here}"
        if turn.isdecimal() and len(turn) < 9 and int(turn) > self.view.turn:
            return what, f"turn {turn} is not here yet: let the folder sync, or `pbem receive` it"
        if turn == str(self.view.turn):
            told = f"the draft was written for a different version of turn {turn}"
            return what, f"{told}; `pbem orders` writes a new draft"
        return what, "`pbem orders` writes a draft for this turn; copy what you still want into it"

    def _kinds(self, doc: dict[str, Any], table: str) -> None:
        ruleset = self.view.play.ruleset
        kinds = {kind.lower(): kind for kind in ruleset.kinds}
        kinds |= {STOP: STOP} if ruleset.stops else {}
        for key, value in doc.items():
            if self._enough():
                return
            kind = kinds.get(key.lower())
            if kind is None:
                self._no_kind(key, list(kinds), table)
                continue
            texts = [value] if isinstance(value, str) else value
            if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
                hint = f'write {kind} = ["one line", "another"]'
                self._note(3, f"{kind} must be a string, or a list of strings", hint, key, table)
                self.troubled.add(kind)
                continue
            for index, text in enumerate(texts):
                self._line(kind, text, self.places.string(table, key, index), bool(table))

    def _no_kind(self, key: str, kinds: Sequence[str], table: str) -> None:
        known = [*kinds, *(() if table else (*HEADER, "always"))]
        from difflib import get_close_matches

        close = get_close_matches(key.lower(), known, 1)
        hint = f"did you mean {close[0]}?" if close else f"the kinds are: {', '.join(kinds)}"
        self._note(2, f'"{key[:60]}" is not a kind of order in this game', hint, key, table)
        self.troubled |= set(self.asked)  # the text may have been meant for any of these kinds

    def _enough(self) -> bool:
        """Return whether so many lines are wrong that pbem stops reading; if so, add one note that
        says this."""
        notes = self.draft.notes
        wrong = sum(note.code in ("PBEM-ORD-002", "PBEM-ORD-020") for note in notes)
        if wrong == MOST_WRONG:
            told = f"more than {MOST_WRONG} lines are wrong, so pbem did not read the rest"
            hint = "fix these first, then check again"
            notes.append(Note("PBEM-ORD-002", "error", told, hint, self.places.end))
        return wrong >= MOST_WRONG

    # -------------------------------------------------------------- lines
    def _line(self, kind: str, text: str, spot: Spot | None, always: bool) -> None:
        if self._enough():
            return
        if len(self.draft.lines) >= MAX_LINES:
            self._too_long(f"more than {MAX_LINES} lines", spot)
            return
        options = self._options(kind, always)
        meant = self._meant(kind, text, options, always) if len(text) <= MOST_LETTERS else Meant()
        if not meant.sentence:
            self._unreadable(kind, text, meant.candidates, options, spot)
            self.troubled.add(kind)
            return
        self.draft.lines.append(Line(len(self.draft.lines) + 1, kind, meant.sentence, always))
        self.draft.spots.append(spot)

    def _meant(self, kind: str, text: str, options: list[str], always: bool) -> Meant:
        """Find the sentence or the ready line that a person's text means."""
        ruleset = self.view.play.ruleset
        if kind == STOP:
            return Meant(stop_line(ruleset, text))
        if ready := exact_line(ruleset, kind, text, self.view.names):
            return Meant(ready)
        meant = self.wording.read(text, options, standing=always)
        if meant.sentence:
            return meant
        begun = begun_line(ruleset, kind, text)
        return begun if begun.sentence or begun.candidates else meant

    def _too_long(self, what: str, spot: Spot | None) -> None:
        if all(note.code != "PBEM-ORD-025" for note in self.draft.notes):
            hint = "leave some out; one line with * can replace many"
            self.draft.notes.append(Note("PBEM-ORD-025", "error", what, hint, spot))

    def _options(self, kind: str, always: bool) -> list[str]:
        """Return the options now or, in a script, the options after the earlier lines."""
        asked = self.asked.get(kind)
        if kind == STOP:
            return []
        if not always and self.view.play.ruleset.kinds[kind].script:
            return self._next_steps(kind, asked)
        return asked.listed() if asked is not None and not asked.script else []

    def _next_steps(self, kind: str, asked: Decision | None) -> list[str]:
        checker = LineChecker(self.view.table, self.view.seat, self.draft.lines)
        script = asked if asked is not None and asked.script else checker.script(kind)
        if script is None:
            return asked.listed() if asked is not None else []
        steps: list[str] = []
        listed = script.listed(steps)
        for line in self.draft.lines:
            if line.kind == kind and not line.always and line.text in listed:
                if line.text == DONE:
                    return []
                steps.append(line.text)
                listed = script.listed(steps)
        return listed

    def _unreadable(
        self,
        kind: str,
        text: str,
        candidates: Sequence[str],
        options: Sequence[str],
        spot: Spot | None,
    ) -> None:
        from pbem.text.odd_characters import strangers

        shown = text if len(text) <= 80 else f"{text[:77]}…"
        what = f'"{shown}" is not an order that this game understands'
        if kind == STOP:
            what = f'"{shown}" is not a stop: standing orders cannot stop at it'
        if candidates:
            what = f'"{shown}" can mean several things'
        elif strange := strangers(text):
            what = f"{what}: there is {strange} in it"
        elif "*" in text and not self._shaped(text):
            what = f"{what}: * stands for a name, such as a1, and never for a card"
        close = candidates or self._close(text, options)
        hint = f"did you mean: {', '.join(quoted(close[:5]))}?" if close else ""
        hint = hint or legal_here(options, text) or self._shaped(text)
        self.draft.notes.append(Note("PBEM-ORD-020", "error", what, spaced(hint), spot))

    def _shaped(self, text: str) -> str:
        """Return forms of sentences that share a word with the text, as examples."""
        templates = self.view.play.ruleset.forms.templates.values()
        shapes = dict.fromkeys(re.sub(r"\{\w+\}", "…", template) for template in templates)
        said = [shape for shape in shapes if {*text.lower().split()} & {*shape.split()}]
        return f"write it like this: {', '.join(quoted(said[:3]))}" if said else ""

    def _close(self, text: str, options: Sequence[str]) -> list[str]:
        from difflib import get_close_matches

        known = {bare(option): option for option in options}
        close = get_close_matches(self.wording.tidy(text[:200]), list(known), 5, 0.6)
        return [known[option] for option in close]

    def _placed(self, problem: Problem) -> Note:
        what, spot = problem.what, None
        if problem.line:
            spot = self.draft.spots[problem.line - 1]
            what = f'"{spaced(bare(self.draft.lines[problem.line - 1].text))}": {what}'
        return Note(problem.code, problem.level, spaced(bare(what)), spaced(problem.hint), spot)

    def _note(self, code: int, what: str, hint: str, key: str, table: str = "") -> None:
        spot = self.places.key(table, key)
        self.draft.notes.append(Note(f"PBEM-ORD-{code:03}", "error", what, hint, spot))


def quoted(options: Sequence[str]) -> list[str]:
    """Write options as order files write them."""
    return [f'"{bare(option)}"' for option in options]


def answered(data: bytes, view: View) -> bool:
    """Return whether an order file answers the turn that is here, or names no turn."""
    try:
        doc = parse(data.decode("utf-8-sig"))
    except ValueError:
        return True  # `check` says what is wrong with it
    return str(doc.get("answers", position(view))) == position(view)


def position(view: View) -> str:
    """Name the turn that orders answer, for people: its number and six digits of the head."""
    return f"{view.turn}:{view.published_head[:6]}"
