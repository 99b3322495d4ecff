"""Rows: order lines as somebody wrote them, what they mean, and what is wrong with them.

People write rows in a file, by numbers, by clicks or in an email.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from typing import NamedTuple

from engine import DONE, STOP, Line, bare, reason_of
from engine.value_classes import Mutable
from pbem.drafts.order_file_toml import Spot
from pbem.drafts.typed_sentences import SentenceFinder, begun_lines, exact_line, plain_words
from pbem.judge.game_view import View
from pbem.judge.order_line_checks import (
    UNFIT,
    LineChecker,
    Problem,
    decisions_by_kind,
    hint_of_legal,
    write_line,
)
from pbem.records.orders import MAX_LINES, why_orders_too_long
from pbem.terminal.game_prose import Teller, spaced
from pbem.text.encodings_and_unusual_characters import unusual_names
from pbem.text.least_harmful_choice import LEAST_HARMFUL_CHOICE

MAX_ERRORS = 20
"""After how many unreadable lines and unknown kinds pbem stops reading."""
MAX_LINE_CHARACTERS = 1000
"""The most characters that a person may write in one line; sealed lines have at most 200."""


class Note(NamedTuple):
    """A problem with orders; if the orders are in a file, with the position.

    ``level`` is `error` if the problem prevents sealing, else `warning`.
    """

    code: str
    level: str
    sentence: str
    hint: str = ""
    spot: Spot | None = None


class Row(Mutable):
    """One order line as somebody wrote it, with the line that it means and its problems."""

    kind: str
    text: str
    always: bool = False
    spot: Spot | None = None
    line: Line | None = None
    """The line that will be sealed; None if the text was not checked or cannot be read."""
    notes: list[Note] = field(default_factory=list)

    @property
    def sealed(self) -> str:
        """The line as it will be sealed; empty if there is none."""
        return write_line(self.line) if self.line else ""

    @property
    def errors(self) -> list[Note]:
        """The problems that prevent the line from being sealed."""
        return [note for note in self.notes if note.level == "error"]


class Draft:
    """Rows that were checked, and what is wrong with them."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows = list(rows)
        self.file_notes: list[Note] = []
        """The problems that are not about one row."""
        self.open: dict[str, Note] = {}
        """The warnings about questions that no row answers, by their kinds."""
        self.unanswered_kinds: list[str] = []
        """The kinds of decision that are asked now, but that the rows do not answer completely."""

    @property
    def lines(self) -> list[Line]:
        """The lines that can be read."""
        return [row.line for row in self.rows if row.line is not None]

    @property
    def notes(self) -> list[Note]:
        """All problems, in the order of the file."""
        notes = [
            *self.open.values(),
            *self.file_notes,
            *(n for row in self.rows for n in row.notes),
        ]
        return sorted(notes, key=lambda n: (n.spot.line, n.spot.column) if n.spot else (0, 0))

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
        return any(note.code in ("PBEM-ORD-010", "PBEM-ORD-011") for note in self.file_notes)

    def rows_of(self, kind: str, always: bool) -> list[Row]:
        """Return the rows of one kind."""
        return [row for row in self.rows if (row.kind, row.always) == (kind, always)]

    def add(self, code: int, sentence: str, hint: str, spot: Spot | None) -> None:
        """Note an error that is not about one row."""
        self.file_notes.append(Note(f"PBEM-ORD-{code:03}", "error", sentence, hint, spot))

    @property
    def unknown_kind_count(self) -> int:
        """The number of kinds in the file that are unknown."""
        return sum(note.code == "PBEM-ORD-002" for note in self.file_notes)

    def note_too_many_errors(self, end: Spot | None) -> None:
        """Note that too much is wrong to read on."""
        sentence = f"more than {MAX_ERRORS} lines are wrong, so pbem did not read the rest"
        if all(note.sentence != sentence for note in self.file_notes):
            self.add(2, sentence, "correct these lines first, then check again", end)


def check_rows(view: View, rows: Iterable[Row]) -> Draft:
    """Find what each row means, and check all of them as the referee will.

    The draft has copies of the rows, in the order of an order file: by kinds, standing orders last.
    """
    draft = Draft(Row(row.kind, row.text, row.always, row.spot) for row in rows)
    groups = list(dict.fromkeys((row.kind, row.always) for row in draft.rows))
    draft.rows.sort(key=lambda row: (row.always, groups.index((row.kind, row.always))))
    RowChecker(view, draft).run()
    return draft


class RowChecker:
    """Finds the sentence that each row of a draft means, and what is wrong with all of them."""

    def __init__(
        self, view: View, draft: Draft, troubled: Collection[str] = (), end: Spot | None = None
    ) -> None:
        """`troubled` are kinds with problems already known; `end` is the end of the file."""
        self.view, self.draft, self.end = view, draft, end
        self.ruleset = view.play.ruleset
        self.sentence_finder = SentenceFinder(self.ruleset)
        self.teller = Teller(self.ruleset, view.names)
        self.troubled = set(troubled)
        self.decisions_by_kind = decisions_by_kind(view.table, view.seat)
        self.lines: list[Line] = []
        """The lines that could be read so far."""

    def run(self) -> None:
        """Read every row, then check all lines as the referee will; add the notes to the rows and
        to the draft. Stop reading when too many rows are wrong."""
        draft, view = self.draft, self.view
        error_count = draft.unknown_kind_count
        for row in draft.rows:
            if error_count >= MAX_ERRORS:
                draft.note_too_many_errors(self.end)
                break
            if len(self.lines) >= MAX_LINES:
                self._too_long(f"more than {MAX_LINES} lines", row.spot)
                break
            options = self._options(row)
            meanings = self._meanings(row, options) if len(row.text) <= MAX_LINE_CHARACTERS else []
            if len(meanings) == 1:
                row.line = Line(len(self.lines) + 1, row.kind, meanings[0], row.always)
                self.lines.append(row.line)
            else:
                row.notes.append(self._unreadable(row, meanings, options))
                self.troubled.add(row.kind)
            error_count += row.line is None
        if reason := why_orders_too_long(draft.texts):
            self._too_long(reason, self.end)
        lines, readable = self.lines, [row for row in draft.rows if row.line is not None]
        checker = LineChecker(view.table, view.seat, lines)
        draft.unanswered_kinds = checker.unanswered()
        for problem in self._plainly(checker.run()):
            sentence, hint = spaced(bare(problem.sentence)), spaced(problem.hint)
            if problem.line:
                row = readable[problem.line - 1]
                sentence = f'"{spaced(bare(lines[problem.line - 1].text))}": {sentence}'
                row.notes.append(Note(problem.code, problem.level, sentence, hint, row.spot))
            else:
                draft.open[problem.kind] = Note(problem.code, problem.level, sentence, hint)

    def _too_long(self, sentence: str, spot: Spot | None) -> None:
        if all(note.code != "PBEM-ORD-025" for note in self.draft.file_notes):
            hint = "leave some out; one line with * can replace many"
            self.draft.add(25, sentence, hint, spot)

    # -------------------------------------------------------------- what a row means
    def _meanings(self, row: Row, options: list[str]) -> Sequence[str]:
        """Return the lines that a row can mean; it is clear if there is only one. Exact ready lines
        come first, then sentences, then lines that were cut short."""
        if row.kind == STOP:
            stop_line = re.sub(r"^(stop )?when ", "", plain_words(row.text))
            return [stop_line] if self.ruleset.stop_lines.read(stop_line) else []
        if ready_line := exact_line(self.ruleset, row.kind, row.text, self.view.names):
            return [ready_line]
        meanings = self.sentence_finder.read(row.text, options, is_standing=row.always)
        if len(meanings) == 1:
            return meanings
        first_steps = self._first_steps(row)
        return (
            begun_lines(self.ruleset, row.kind, row.text)
            or meanings
            or self._options_shown_as(row.text, options)
            or self.sentence_finder.read(row.text, first_steps)
            or self._options_shown_as(row.text, first_steps)
        )

    def _first_steps(self, row: Row) -> list[str]:
        """Return the steps that the list could begin with: one that is not possible after the
        others gets the reason."""
        if row.always or not self.ruleset.kinds[row.kind].script:
            return []
        return LineChecker(self.view.table, self.view.seat, []).next_steps(row.kind)

    def _options_shown_as(self, text: str, options: Sequence[str]) -> list[str]:
        """Return the options that a menu shows with these words; the name of a new piece may
        differ."""
        words = re.sub(r"(\bnew [a-z]+) [a-z]\d+\b", r"\1", plain_words(text))
        return [option for option in options if plain_words(self.teller.order(option)) == words]

    def _options(self, row: Row) -> list[str]:
        decision, kind = self.decisions_by_kind.get(row.kind), self.ruleset.kinds.get(row.kind)
        if kind is not None and kind.script and not row.always:
            checker = LineChecker(self.view.table, self.view.seat, self.lines)
            if checker.script(row.kind):
                return checker.next_steps(row.kind)
        return decision.option_list() if decision is not None and not decision.script else []

    def _unreadable(self, row: Row, candidates: Sequence[str], options: Sequence[str]) -> Note:
        """Return the error for a row that means nothing, or one of several ``candidates``;
        ``options`` are the choices now, for the hint."""
        shown_text = row.text if len(row.text) <= 80 else f"{row.text[:77]}…"
        sentence = f'"{shown_text}" is not an order that this game understands'
        if row.kind == STOP:
            sentence = f'"{shown_text}" is not an event at which standing orders can stop'
        if candidates:
            sentence = f'"{shown_text}" can mean several things'
        elif names := unusual_names(row.text):
            sentence = f"{sentence}: there is {names} in it"
        elif "*" in row.text and not self._shaped(row.text):
            sentence = f"{sentence}: * stands for a name, such as a1, and never for a card"
        elif missing_names := self.sentence_finder.names_beside(row.text, options):
            sentence = f"{sentence}: no choice that you have now has {missing_names[0]} in it"
        close_options = candidates
        if not close_options:
            from difflib import get_close_matches

            options_by_bare_text = {bare(option): option for option in options}
            tidy_text = self.sentence_finder.tidy(row.text[:200])
            close_options = [
                options_by_bare_text[option]
                for option in get_close_matches(tidy_text, list(options_by_bare_text), 5, 0.6)
            ]
        hint = f"did you mean: {', '.join(quoted(close_options[:5]))}?" if close_options else ""
        hint = hint or hint_of_legal(options, row.text) or self._shaped(row.text)
        return Note("PBEM-ORD-020", "error", sentence, spaced(hint), row.spot)

    def _shaped(self, text: str) -> str:
        templates = self.ruleset.forms.templates.values()
        shapes = dict.fromkeys(re.sub(r"\{\w+\}", "…", template) for template in templates)
        similar_shapes = [shape for shape in shapes if {*text.lower().split()} & {*shape.split()}]
        return (
            f"write it like this: {', '.join(quoted(similar_shapes[:3]))}" if similar_shapes else ""
        )

    # -------------------------------------------------------------- reasons that help
    def _plainly(self, problems: Sequence[Problem]) -> Iterator[Problem]:
        """Yield the checker's problems in words that help. A question without an answer is no news
        if a line of its kind cannot be read."""
        lines = self.lines
        broken_kinds = {lines[p.line - 1].kind for p in problems if p.line and p.level == "error"}
        broken_kinds |= self.troubled
        for problem in problems:
            if problem.code == OPEN:
                if problem.kind not in broken_kinds:
                    # no deadline runs before others see the turn
                    has_deadline = self.view.deadline and not self.view.preview
                    consequence = DEFAULTED if has_deadline else "the game will wait for you"
                    yield problem._replace(sentence=f"{problem.sentence}: {consequence}")
            elif problem.code != UNENDED or lines[problem.line - 1].kind not in broken_kinds:
                yield self._helpful(problem, lines[problem.line - 1])

    def _helpful(self, problem: Problem, line: Line) -> Problem:
        """Return a problem of this line with a better reason, where there is one: the line after
        the end of a list, a step that only comes too late, a line of another kind."""
        kinds, checker = self.ruleset.kinds, LineChecker(self.view.table, self.view.seat, [line])
        if problem.code == UNREACHED and checker.is_single_answer(line.kind):
            # the referee does not use a list that is one answer and goes on after its end
            end = kinds[line.kind].ends
            sentence = f'this line comes after "{end}", which must be the last line of the list'
            hint = f'move "{end}" to the end of the list, or put a # before this line'
            return Problem(ILLEGAL, "error", problem.line, sentence, hint)
        if problem.code not in (ILLEGAL, UNFIT):
            return problem
        if problem.code == ILLEGAL and line.text != DONE:
            script = checker.script(line.kind)
            if script is not None and line.text in script.option_list([]):
                sentence = f"once your other lines have taken effect, {problem.sentence}"
                return problem._replace(sentence=sentence)
        form = self.ruleset.forms.read(line.text)[0]
        is_misplaced = form and bare(line.text) != DONE and form not in self._forms_now(line.kind)
        if is_misplaced and (
            other_kind := next((k for k in kinds if form in self._forms_now(k)), "")
        ):
            return problem._replace(
                sentence=f"this line belongs in {other_kind}, not in {line.kind}"
            )
        decision = self.decisions_by_kind.get(line.kind)
        has_reason = decision is not None and reason_of(decision, line.text)
        if problem.code == UNFIT and ("*" in line.text or not has_reason):
            return problem._replace(sentence="no choice that you have now fits this line")
        return problem

    def _forms_now(self, kind: str) -> set[str]:
        script = LineChecker(self.view.table, self.view.seat, []).script(kind)
        decision = self.decisions_by_kind.get(kind)
        options = script.option_list([]) if script else decision.option_list() if decision else []
        return {self.ruleset.forms.read(option)[0] for option in options} - {""}


OPEN = "PBEM-ORD-032"
ILLEGAL = "PBEM-ORD-021"
UNREACHED = "PBEM-ORD-031"
UNENDED = "PBEM-ORD-033"
DEFAULTED = f"at the deadline, pbem makes {LEAST_HARMFUL_CHOICE} for you"


class MissingEnd(NamedTuple):
    """The end that a list of steps lacks, although the list may end there."""

    kind: str
    """The kind of decision that the list is for."""
    end: str
    """The line that would end the list."""
    is_whole: bool
    """Whether the list does not count without its end. If not, its steps are carried out, and then
    the seat is asked again."""

    @property
    def is_added(self) -> bool:
        """Whether sealing adds the end: not where it is a choice of the game, such as `pass`, nor
        where the list counts without it."""
        return self.is_whole and self.end == DONE

    @property
    def consequence(self) -> str:
        """The consequence if the list stays without its end, as a sentence."""
        if self.is_whole:
            return f'your lines for {self.kind} count only if the last one is "{self.end}"'
        return f'your lines for {self.kind} do not end with "{self.end}", so you are asked again'


def missing_ends(view: View, draft: Draft, kinds: Iterable[str]) -> list[MissingEnd]:
    """Return the ends that lists of these kinds lack, where the list may end."""
    checker, ends = LineChecker(view.table, view.seat, draft.lines), list[MissingEnd]()
    for kind in kinds:
        end = view.play.ruleset.kinds[kind].ends if kind in view.play.ruleset.kinds else ""
        own_texts = [row.line.text for row in draft.rows_of(kind, False) if row.line]
        if own_texts and end not in own_texts and end in checker.next_steps(kind):
            ends.append(MissingEnd(kind, end, checker.is_single_answer(kind)))
    return ends


def with_ends(view: View, draft: Draft, ends: Iterable[MissingEnd]) -> Draft:
    """Return a draft with the same rows and these ends of lists, checked anew."""
    return check_rows(
        view, [*draft.rows, *(Row(missing_end.kind, missing_end.end) for missing_end in ends)]
    )


def quoted(options: Sequence[str]) -> list[str]:
    """Write options as order files write them."""
    return [f'"{bare(option)}"' for option in options]
