"""Your draft in a form that can be shown: its lines, their problems, and what you can add."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.failure import CliError
from pbem.cli.orders.open_draft import open_draft
from pbem.cli.orders.order_file import MOST, older_draft, text_of
from pbem.cli.orders.view_for_orders import need_open, need_seated
from pbem.drafts.offers import Question, ends_list, questions, standing_questions
from pbem.drafts.read.draft_toml import Broken
from pbem.drafts.read.line_numbers import Places
from pbem.drafts.read.problem_texts import OPEN, asked_in
from pbem.drafts.read.read_draft import Draft, Note, read_draft
from pbem.drafts.say_orders_back import each_said
from pbem.drafts.write.change_lines import ALWAYS, lines_in, with_lines
from pbem.drafts.write.write_draft import how_read, write_draft
from pbem.play.orders.check_lines import LineChecker, write_line

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.drafts.read.line_numbers import Spot
    from pbem.play.view import View

CHANGED = "your draft was changed in another window or program; you now see the changed draft"
NOT_UNDERSTOOD = (
    "the page sent something that this version of pbem does not understand: reload the page"
)
NEW = "correct it in your editor, or begin a new draft here: the old one is kept"


@dataclass
class Row:
    """One line of the draft."""

    text: str
    """The line as it is in the file."""
    sealed: str = ""
    """The sentence that will be sealed; empty if the line cannot be read."""
    says: str = ""
    notes: list[Note] = field(default_factory=list)


@dataclass
class List:
    """The lines of the draft for one question, and the lines that could be added."""

    question: Question
    how: str
    """A sentence on how the lines are used."""
    rows: list[Row]
    open: str = ""
    """What happens if no line answers a question that is asked; else empty."""


class Planning:
    """The draft of a seat as it was when it was read. Raises CliError if the seat cannot give
    orders."""

    def __init__(self, session: Session, view: View) -> None:
        self.session = session
        self.view = need_open(session, need_seated(session, view))
        self.path: Path = session.home.game(view.game).draft(view.turn, view.seat)
        self._found = self._read()
        self.text = self._found if self._found is not None else write_draft(view)

    def _read(self) -> str | None:
        """Return the text of the draft; None if there is no draft. Raises CliError, FileError."""
        from pbem.storage.read_file import read_if_there

        data = read_if_there(self.path, MOST)
        return None if data is None else text_of(data, str(self.path)).replace("\r\n", "\n")

    # -------------------------------------------------------------- what it says
    @property
    def mark(self) -> str:
        """A text that changes whenever any program changes the draft, or a new turn comes."""
        view = self.view  # the head of a preview changes with the clock, but its entries do not
        last = " ".join(view.entries[-1]) if view.entries else ""
        said = f"{view.published_head} {len(view.entries)} {last} {self._found}"
        return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:16]

    @cached_property
    def draft(self) -> Draft:
        """The draft, checked as `pbem check` does."""
        return read_draft(self.text, self.view)

    @cached_property
    def lists(self) -> list[List]:
        """The draft's lines for each question that is asked now or later in the round."""
        return [self._list(one) for one in questions(self.view, self.draft.lines)]

    @cached_property
    def standing(self) -> list[List]:
        """The draft's lines for each kind of standing order."""
        return [self._list(one) for one in standing_questions(self.view)]

    @cached_property
    def other_notes(self) -> list[Note]:
        """The problems that are not about one particular line."""
        rows = [row for one in (*self.lists, *self.standing) for row in one.rows]
        placed = {id(note) for row in rows for note in row.notes}
        placed |= {id(note) for note in self._open.values()}
        return [note for note in self.draft.notes if id(note) not in placed]

    @cached_property
    def unsealed(self) -> Path | None:
        """The draft of an earlier turn that was never sealed, if there is no draft for this
        turn."""
        older = None if self._found is not None else older_draft(self.session, self.view)
        if older is None:
            return None
        turn = int(older.name[:4])
        sealed = {f.name.turn for f in self.session.listing.orders if f.name.seat == self.view.seat}
        return None if {turn, turn + 1} & sealed else older

    def _list(self, question: Question) -> List:
        if question.always:
            how = "In every round, the first line that fits counts, until you change these lines."
        else:
            whole = LineChecker(self.view.table, self.view.seat, []).whole(question.kind)
            how = how_read(self.view.play.ruleset.kinds[question.kind], whole)
        rows = self._rows(question.kind, question.always)
        found = self._open.get(question.kind) if question.asked else None
        return List(question, how, rows, found.what.rpartition(": ")[2] if found else "")

    @cached_property
    def _open(self) -> dict[str, Note]:
        """The warnings about questions that no line answers, by kind."""
        return {asked_in(note.what): note for note in self.draft.notes if note.code == OPEN}

    def _rows(self, kind: str, always: bool) -> list[Row]:
        table, said = ALWAYS if always else "", self._said
        try:
            texts = lines_in(self.text, kind, always)
        except Broken:
            return []
        rows = []
        for index, text in enumerate(texts):
            spot = self._places.string(table, self._key(table, kind), index)
            number = self._numbers.get(spot, 0) if spot else 0
            notes = [note for note in self.draft.notes if spot and note.spot == spot]
            sealed = write_line(self.draft.lines[number - 1]) if number else ""
            rows.append(Row(text, sealed, said.get(number, ""), notes))
        return rows

    @cached_property
    def _said(self) -> dict[int, str]:
        return each_said(self.view, self.draft.lines)

    @cached_property
    def _places(self) -> Places:
        return Places(self.text)

    @cached_property
    def _numbers(self) -> dict[Spot, int]:
        return {spot: n for n, spot in enumerate(self.draft.spots, 1) if spot is not None}

    def _key(self, table: str, kind: str) -> str:
        keys = self._places.keys
        return next((key for at, key in keys if at == table and key.lower() == kind), kind)

    # -------------------------------------------------------------- changing it
    def change(self, said: dict[str, Any]) -> None:
        """Carry out one click: add, remove or move a line, or start the draft again. Raises
        CliError."""
        if said.get("mark") != self.mark:
            raise CliError(CHANGED)
        if said.get("do") == "new":
            open_draft(self.session, self.view, again=True)
            return
        if said.get("do") == "undo":
            self._undo()
            return
        kind, always = str(said.get("kind", "")), said.get("always") is True
        self._need_kind(kind)
        try:
            lines = self._changed(kind, lines_in(self.text, kind, always), said)
            text = with_lines(self.text, kind, always, lines)
        except Broken as error:
            raise CliError(f"your draft {self.path} cannot be read: {error.what}", NEW) from None
        open_draft(self.session, self.view)  # renames a draft of another turn that has this name
        self.session.mine.write_draft(self.view.turn, self.view.seat, text)

    @cached_property
    def kept(self) -> Path | None:
        """The draft before you started again, until you change the new one."""
        there = self.path.parent.glob(f"{self.path.stem}-old*.toml") if self._found else ()
        numbers = {one.stem.removeprefix(f"{self.path.stem}-old"): one for one in there}
        old = [int(number) for number in numbers if number.isdecimal()]
        if not old or self._found != write_draft(self.view):
            return None
        return numbers[str(max(old))]

    def _undo(self) -> None:
        """Bring back the draft before you started again. Raises CliError if there is none."""
        from pbem.storage.read_file import read_file

        if self.kept is None:
            raise CliError("there are no old lines to bring back")
        text = text_of(read_file(self.kept, MOST), str(self.kept))
        self.session.mine.write_draft(self.view.turn, self.view.seat, text)

    def _need_kind(self, kind: str) -> None:
        if kind not in {one.question.kind for one in (*self.lists, *self.standing)}:
            raise CliError(f"this game never asks for {kind!r}")

    def _changed(self, kind: str, lines: list[str], said: dict[str, Any]) -> list[str]:
        do, lines = said.get("do"), list(lines)
        if do == "add":
            text = " ".join(str(said.get("text", "")).split())
            if not text:
                raise CliError("there is nothing to add")
            lines.insert(self._end(kind, lines, text), text)
        elif do == "remove":
            del lines[_index(said.get("index"), lines)]
        elif do == "move":
            line = lines.pop(_index(said.get("index"), lines))
            lines.insert(min(max(0, int(said.get("to", 0))), len(lines)), line)
        else:
            raise CliError(NOT_UNDERSTOOD)
        return lines

    def _end(self, kind: str, lines: Sequence[str], text: str) -> int:
        """Return the index at which to insert a line: at the end, but before a line that ends the
        list."""
        ruleset, end = self.view.play.ruleset, len(lines)
        if not ends_list(ruleset, kind, text):
            while end and ends_list(ruleset, kind, lines[end - 1]):
                end -= 1
        return end


def _index(said: object, lines: Sequence[str]) -> int:
    if isinstance(said, int) and 0 <= said < len(lines):
        return said
    raise CliError("that line is no longer there: reload the page")
