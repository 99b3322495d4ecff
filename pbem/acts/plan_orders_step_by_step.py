"""A draft of orders that a person changes click by click or answer by answer, and then seals."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.value_classes import Mutable, Value
from pbem.acts.read_order_file_or_write_draft import (
    MAX_ORDER_BYTES,
    decode_orders,
    open_draft,
    unsealed_draft,
)
from pbem.acts.seal_orders import SealedDraft, need_open, need_seated, seal_draft
from pbem.drafts.checked_rows import UNENDED, Draft, Note, Row, missing_ends
from pbem.drafts.describe_orders import ASKED_AGAIN_CLAUSE, prose_by_line_number
from pbem.drafts.order_file_toml import Broken, with_lines
from pbem.drafts.questions_and_choices import Question, ends_list, questions, standing_questions
from pbem.drafts.read_order_file import read_draft
from pbem.drafts.write_draft import how_read, line_with_star, write_draft
from pbem.errors import CliError
from pbem.files.disk import read_file as bytes_of
from pbem.files.disk import read_if_there
from pbem.files.home import note_if_writable
from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.judge.game_view import View
from pbem.person.questions_left_open_by_orders import find_latest_orders
from pbem.person.session import Session
from pbem.terminal.clean_text import clean
from pbem.wording.draft_notes_and_next_commands import STANDING_LINES_SENTENCE
from pbem.wording.sealed_orders import added_end_note, end_to_add_note

CHANGED_DRAFT_SENTENCE = (
    "your draft was changed in another window or program; you now see the changed draft"
)
UNKNOWN_REQUEST_SENTENCE = (
    "the page sent something that this version of pbem does not understand: reload the page"
)
NEW_DRAFT_HINT = (
    "correct the draft in your editor, or begin a new draft here; pbem keeps the old draft"
)


class QuestionLines(Mutable):
    """The lines of the draft for one question, and the lines that could be added."""

    question: Question
    usage: str
    """A sentence on how the lines are used."""
    rows: list[Row]
    open: str = ""
    """The default for an asked question that no line answers; else empty."""
    later_default: str = ""
    """The default for steps without an end that answer a later question; else empty."""
    suggested: bool = False
    """Whether these are the standing orders of a new draft."""
    counts_later: bool = False
    """Whether the lines also answer when the same is asked again in this round."""

    @property
    def ended(self) -> bool:
        """Whether the list of steps has its end; other lists have none."""
        return bool(self.question.ends) and any(
            row.line and row.line.text == self.question.ends for row in self.rows
        )

    @property
    def needs_line(self) -> bool:
        """Whether the question is asked, and a line or the end of its list can still follow."""
        question = self.question
        return question.is_asked and (not self.ended if question.script else bool(self.open))


class Click(Value):
    """A change of a draft by one click: the lines of one list, before and after it."""

    kind: str = ""
    always: bool = False
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    old: str = ""
    """The file with the old draft, if the click began a new one."""

    @property
    def description(self) -> str:
        """The click in words, to follow `Undo: `."""
        if self.old:
            return "starting again"
        removed_lines = [clean(text) for text in self.before if text not in self.after]
        added_lines = [clean(text) for text in self.after if text not in self.before]
        if removed_lines and added_lines:
            return f"“{added_lines[0]}” instead of “{removed_lines[0]}”"
        if added_lines:
            return f"“{added_lines[0]}”"
        return f"removing “{removed_lines[0]}”" if removed_lines else "moving a line"


MAX_CLICKS = 60


class ClickNotes(Notes):
    """The change of each click to the draft for a turn and a seat, so that it can be undone."""

    file = "clicks.toml"
    turn: int = 0
    seat: str = ""
    changes: tuple[Click, ...] = ()

    def clicks(self, view: View) -> tuple[Click, ...]:
        """Return the clicks, the oldest first; none if they were for another turn or seat."""
        return self.changes if (self.turn, self.seat) == (view.turn, view.seat) else ()


class Planning:
    """The draft of a seat when it was read, to be changed line by line and sealed.

    Raises CliError if the seat cannot give orders.
    """

    def __init__(self, session: Session, view: View) -> None:
        """Read the draft; without one, the text of a new draft. Nothing is written. Raises
        CliError."""
        self.session = session
        self.view = view = need_open(session, need_seated(session, view))
        self.path: Path = session.draft_of(view)
        data = read_if_there(self.path, MAX_ORDER_BYTES)
        self._file_text = (
            None if data is None else decode_orders(data, str(self.path)).replace("\r\n", "\n")
        )
        self.text = self._file_text if self._file_text is not None else write_draft(view)
        self.draft = read_draft(self.text, view)
        """The draft, checked as `pbem check` does, but for ends that sealing adds."""
        list_ends = missing_ends(view, self.draft, view.play.ruleset.kinds)
        self.ends = {list_end.kind: list_end.end for list_end in list_ends if list_end.is_added}
        """The lines that sealing adds to lists that do not count without their ends, by kind."""
        self.open_ends = {
            list_end.kind: list_end for list_end in list_ends if not list_end.is_added
        }
        """The ends that only the player can add, by kind."""
        self._ended = self._text_with_ends(self.ends)
        for kind in self.ends:
            for row in self.draft.rows_of(kind, False):
                row.notes = [note for note in row.notes if note.code != UNENDED]
        self.to_seal = read_draft(self._ended, view) if self.ends else self.draft
        """The draft with the ends that sealing adds."""

    def _text_with_ends(self, ends: Mapping[str, str]) -> str:
        """Return the draft's text, with these lines at the ends of the lists."""
        text = self.text
        for kind, end in ends.items():
            rows = self.draft.rows_of(kind, False)
            text = with_lines(text, kind, False, [*(row.text for row in rows), end])
        return text

    @cached_property
    def to_send(self) -> Draft:
        """The draft as the button of a page sends it: also with the ends, such as `pass`, without
        which a list has no effect."""
        whole_ends = {kind: x.end for kind, x in self.open_ends.items() if x.is_whole}
        if not whole_ends or self.draft.errors:
            return self.to_seal
        return read_draft(self._text_with_ends(self.ends | whole_ends), self.view)

    # -------------------------------------------------------------- what it says
    @property
    def mark(self) -> str:
        """A text that changes whenever any program changes the draft, or a new turn comes."""
        view = self.view  # the head of a preview changes with the clock, but its entries do not
        last_entry = " ".join(view.entries[-1]) if view.entries else ""
        state_text = f"{view.published_head} {len(view.entries)} {last_entry} {self._file_text}"
        return hashlib.sha256(state_text.encode("utf-8", "replace")).hexdigest()[:16]

    @property
    def added(self) -> list[str]:
        """Sentences on what sealing adds to the draft."""
        return [end_to_add_note(kind, end) for kind, end in self.ends.items()]

    @cached_property
    def lists(self) -> list[QuestionLines]:
        """The draft's lines for each question that is asked now or later in the round."""
        return [self._list(question) for question in questions(self.view, self.draft.lines)]

    @cached_property
    def standing(self) -> list[QuestionLines]:
        """The draft's lines for each kind of standing order."""
        return [self._list(question) for question in standing_questions(self.view)]

    @property
    def all_lists(self) -> list[QuestionLines]:
        """The lists for all questions, the standing orders last."""
        return [*self.lists, *self.standing]

    @property
    def other_notes(self) -> list[Note]:
        """The problems that are not about one line or question."""
        listed_kinds = {
            question_lines.question.kind
            for question_lines in self.lists
            if question_lines.question.is_asked
        }
        unlisted_notes = [
            note for kind, note in self.draft.open.items() if kind not in listed_kinds
        ]
        return [*unlisted_notes, *self.draft.file_notes]

    @property
    def unsealed(self) -> Path | None:
        """The draft of an earlier turn that was never sealed, if there is no draft for this
        turn."""
        return None if self._file_text is not None else unsealed_draft(self.session, self.view)

    def _list(self, question: Question) -> QuestionLines:
        """Return the draft's lines for a question, and clauses on the effect if the lines stay
        unchanged."""
        usage = STANDING_LINES_SENTENCE
        if not question.always:
            ruleset = self.view.play.ruleset
            kind, example = ruleset.kinds[question.kind], line_with_star(ruleset, question.offers)
            usage = how_read(kind, question.is_single_answer, example)
        note = self.draft.open.get(question.kind) if question.is_asked else None
        rows = self.draft.rows_of(question.kind, question.always)
        question_lines = QuestionLines(
            question, usage, rows, note.sentence.rpartition(": ")[2] if note else ""
        )
        asked_kind = self.view.play.ruleset.kinds.get(question.kind)
        suggestion = asked_kind.suggestion if asked_kind else None
        is_suggested = [row.text for row in rows] == [suggestion]
        question_lines.suggested = question.always and is_suggested
        one_answer = question.script or bool(asked_kind and asked_kind.one_answer)
        question_lines.counts_later = bool(rows) and not (one_answer or question.always)
        if rows and not (question.is_asked or question.always):
            open_ = question.script and not question_lines.ended and question.kind not in self.ends
            question_lines.later_default = ASKED_AGAIN_CLAUSE if open_ else ""
        return question_lines

    @cached_property
    def _prose_by_number(self) -> dict[int, str]:
        return prose_by_line_number(self.view, self.draft.lines)

    def prose(self, row: Row) -> str:
        """Say a row in prose; if it cannot be read, return it as it was written."""
        return (row.line and self._prose_by_number[row.line.number]) or clean(row.text)

    @cached_property
    def differs_from_sealed(self) -> bool:
        """Whether the seat has sealed orders for this turn, and the draft says something else."""
        record = find_latest_orders(self.session, self.view)
        if record is None:
            return False
        reader = self.session.readers.seat(self.view.seat)
        return reader.own_texts(record.content) != list(self.to_seal.texts)

    # -------------------------------------------------------------- changing it
    def change(self, click: dict[str, Any]) -> None:
        """Carry out one click: add, remove or move a line, write all lines for a question, start
        the draft again, or undo the last click. Raises CliError.

        `click` comes from a page: `mark` as the page was shown, `do` (`add`, `remove`, `move`,
        `write`, `new`, `undo`), and what this needs of `kind`, `always`, `index`, `to`, `text` and
        `lines`.
        """
        if click.get("mark") != self.mark:
            raise CliError(CHANGED_DRAFT_SENTENCE)
        if click.get("do") == "new":
            home, has_draft = self.session.game_home, self._file_text is not None
            backup_name = home.back_up_draft(self.path).name if has_draft else ""
            open_draft(self.session, self.view)
            self._note(*([Click(old=backup_name)] if backup_name else []))
            return
        if click.get("do") == "undo":
            self._undo()
            return
        kind, always = str(click.get("kind", "")), click.get("always") is True
        if kind not in {question_lines.question.kind for question_lines in self.all_lists}:
            raise CliError(f"this game never asks for {kind!r}")
        old_lines, new_lines = self._texts(kind, always), self._changed(kind, always, click)
        try:
            text = with_lines(self.text, kind, always, new_lines)
        except Broken as error:
            raise CliError(
                f"your draft {self.path} cannot be read: {error.sentence}", NEW_DRAFT_HINT
            ) from None
        open_draft(self.session, self.view)  # renames a draft of another turn that has this name
        self._write(text)
        self._note(Click(kind, always, tuple(old_lines), tuple(new_lines)))

    def _texts(self, kind: str, always: bool) -> list[str]:
        return [row.text for row in self.draft.rows_of(kind, always)]

    def _write(self, text: str) -> None:
        self.session.game_home.write_draft(self.view.turn, self.view.seat, text)

    # -------------------------------------------------------------- taking it back
    @cached_property
    def _click_book(self) -> Notebook[ClickNotes]:
        return Notebook(self.session.game_home.root, ClickNotes)

    def _note(self, *clicks: Click) -> None:
        self._change_clicks(lambda known_clicks: (*known_clicks, *clicks))

    def _change_clicks(self, edit: Callable[[tuple[Click, ...]], tuple[Click, ...]]) -> None:
        turn, seat = self.view.turn, self.view.seat

        def with_clicks(notes: ClickNotes) -> ClickNotes:
            return ClickNotes(turn, seat, edit(notes.clicks(self.view))[-MAX_CLICKS:])

        note_if_writable(self._click_book.change, with_clicks)

    @cached_property
    def undoes(self) -> Click | None:
        """The last click, unless the draft was changed in another way since then."""
        last_click = next(reversed(self._click_book.read().clicks(self.view)), None)
        if last_click is None:
            return None
        if last_click.old:
            new_texts = read_draft(write_draft(self.view), self.view).texts
            has_backup = self.path.with_name(last_click.old).exists()
            return last_click if has_backup and self.draft.texts == new_texts else None
        return (
            last_click
            if self._texts(last_click.kind, last_click.always) == [*last_click.after]
            else None
        )

    def _undo(self) -> None:
        """Take the last click back: restore the backup of the whole draft, or the lines of one
        list. Raises CliError if there was no click."""
        if (last_click := self.undoes) is None:
            raise CliError("there is nothing to undo")
        if last_click.old:
            backup_path = self.path.with_name(last_click.old)
            self._write(decode_orders(bytes_of(backup_path, MAX_ORDER_BYTES), str(backup_path)))
        else:
            self._write(
                with_lines(self.text, last_click.kind, last_click.always, last_click.before)
            )
        self._change_clicks(lambda known_clicks: known_clicks[:-1])

    def _changed(self, kind: str, always: bool, click: dict[str, Any]) -> list[str]:
        """Return the lines of a list as they are after the click (see `change`). Raises CliError
        for a click that does not fit the list."""
        do, lines = click.get("do"), self._texts(kind, always)
        index = click.get("index")
        if do == "add":
            text = " ".join(str(click.get("text", "")).split())
            if not text:
                raise CliError("there is nothing to add")
            return self._lines_with(kind, always, lines, text)
        if do == "write":
            new_lines = click.get("lines")
            if not isinstance(new_lines, list):
                raise CliError(UNKNOWN_REQUEST_SENTENCE)
            return [" ".join(str(text).split()) for text in new_lines]
        if do not in ("remove", "move"):
            raise CliError(UNKNOWN_REQUEST_SENTENCE)
        if not (isinstance(index, int) and 0 <= index < len(lines)):
            raise CliError("the line that you chose is no longer in your draft: reload the page")
        new_index = click.get("to", 0)
        if not isinstance(new_index, int):
            raise CliError(UNKNOWN_REQUEST_SENTENCE)
        line = lines.pop(index)
        if do == "move":
            lines.insert(min(max(0, new_index), len(lines)), line)
        return lines

    def why_not(self, kind: str, always: bool, text: str) -> list[Note]:
        """Return what would be wrong with this line if it were added."""
        lines = self._lines_with(kind, always, self._texts(kind, always), text)
        return self._line_problems(kind, always, lines, " ".join(text.split()))

    def _line_problems(self, kind: str, always: bool, lines: list[str], text: str) -> list[Note]:
        try:
            draft = read_draft(with_lines(self.text, kind, always, lines), self.view)
        except Broken:
            return []  # `change` says so
        return [
            note for row in draft.rows_of(kind, always) if row.text == text for note in row.errors
        ]

    def _lines_with(self, kind: str, always: bool, lines: list[str], text: str) -> list[str]:
        """Return the lines with another one: before the line that ends the list, if there is one;
        in place of all lines, if the kind takes one answer and this text is one."""
        ruleset, end = self.view.play.ruleset, len(lines)
        one_answer = not always and kind in ruleset.kinds and ruleset.kinds[kind].one_answer
        if one_answer and not self._line_problems(kind, always, [text], text):
            return [text]
        if not ends_list(ruleset, kind, text):
            while end and ends_list(ruleset, kind, lines[end - 1]):
                end -= 1
        return [*lines[:end], text, *lines[end:]]

    # -------------------------------------------------------------- sealing it
    def seal(self, wished: Collection[str] = (), *, is_kept_back: bool = False) -> SealedDraft:
        """Seal the draft, which must have no errors. The draft keeps its lines, so that the player
        can change them later. A draft of another turn that has this draft's file name gets another
        name first.

        Lists whose end the player may leave to pbem get their ends; `wished` are the kinds for
        which the player has just asked for the end too. With `is_kept_back`, the orders are
        delivered later.
        """
        open_draft(self.session, self.view)
        wished_ends = {
            kind: list_end.end for kind, list_end in self.open_ends.items() if kind in wished
        }
        ends, draft = self.ends | wished_ends, self.to_seal
        if ends:
            text = self._text_with_ends(ends)
            self._write(text)
            texts = {kind: self._texts(kind, False) for kind in ends}
            self._note(*(Click(k, False, tuple(x), (*x, ends[k])) for k, x in texts.items()))
            draft = read_draft(text, self.view)
        sealed = seal_draft(self.session, self.view, draft, is_kept_back=is_kept_back)
        added = [added_end_note(kind, end) for kind, end in ends.items()]
        return replace(sealed, receipt=[*sealed.receipt, *added])
