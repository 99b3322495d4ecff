"""The command `play`: answer a game's questions by numbers, without an editor."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.counts_and_lists_in_prose import counted
from pbem.acts.game_list import games_of
from pbem.acts.plan_orders_step_by_step import Planning, QuestionLines
from pbem.acts.read_order_file_or_write_draft import open_draft
from pbem.acts.seal_orders import describe_forecast, need_seated
from pbem.cli.log_and_since import print_log
from pbem.cli.read_and_print_orders import MAX_NOTES
from pbem.cli.shared_options import (
    ColourOption,
    FolderOption,
    NoAdvanceOption,
    PassphraseOption,
    SeatOption,
    check_colour,
)
from pbem.cli.submit import ends_wished
from pbem.drafts.checked_rows import UNENDED, Note
from pbem.drafts.describe_orders import describe_orders
from pbem.drafts.questions_and_choices import Choice, Question, ends_list, grouped
from pbem.drafts.read_order_file import answered_turn_name
from pbem.errors import NOT_YET, STALE, CliError
from pbem.files.home import Home
from pbem.judge.game_view import View
from pbem.person.announced_acts_against_user import announced_losses
from pbem.person.keyring import Keyring
from pbem.person.next_step import next_step
from pbem.person.questions_left_open_by_orders import final_answer_sentence
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
from pbem.person.situation import situation_in_view, situation_of
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import at_address, brief
from pbem.terminal.game_prose import spaced
from pbem.terminal.printing import fold, say, stdout_style
from pbem.terminal.table import draw_scene, with_player_facts_renamed
from pbem.wording.announced_acts import cancel_line, describe_loss
from pbem.wording.draft_notes_and_next_commands import forecast_lines, next_command_line
from pbem.wording.find_explanation import find_text, print_text
from pbem.wording.lesson_and_demo import lesson_lines
from pbem.wording.next_step import next_line, play_again, say_step_after_stopping
from pbem.wording.results import final_score_lines
from pbem.wording.sealed_orders import (
    CORRECT_FIRST_SENTENCE,
    NEWS_HEADING,
    NO_OTHER_GAME_SENTENCE,
    NOTHING_SEALED,
    draft_kept_sentence,
    next_game_line,
)

if TYPE_CHECKING:
    from pbem.acts.advance import AdvanceRun

# ---- A question's choices with numbers, as text for a terminal

MAX_LISTED_CHOICES = 24
"""The most choices in one list; if there are more, the user first chooses a card or a piece."""

Menu = list[tuple[str, list[Sequence[Choice]]]]
"""Headings, each with its entries: an entry is one choice, or a group of choices to open. The
entries are numbered from 1, through all headings."""


def make_menu(question: Question, group: Sequence[Choice] = ()) -> Menu:
    """Return the menu of a question; of this group of its choices alone, if there is one.

    Ready lines are listed only if the question has no other choices yet.
    """
    if group:
        return [("", [[choice] for choice in group])]
    groups = grouped(question.offers or question.words)
    if len(question.offers) > MAX_LISTED_CHOICES and len(groups) > 2:
        return [("", [choices for _, choices in groups])]
    return [(title, [[choice] for choice in choices]) for title, choices in groups]


def hidden_words(question: Question) -> list[Choice]:
    """Return the ready lines that the menu leaves out and `w` lists. Each would do something now.

    There are none if the question has no other choices: then the menu lists the ready lines.
    """
    if not question.offers:
        return []
    return [choice for choice in question.words if not choice.is_idle]


def menu_lines(menu: Menu, width: int) -> list[str]:
    """Return the menu as lines of at most `width` characters."""
    lines: list[str] = []
    number, number_width = 0, len(str(sum(len(entries) for _, entries in menu)))
    for title, entries in menu:
        lines += [f"  {title}:"] if title else []
        for entry in entries:
            number += 1
            head = f"  {number:>{number_width + 1}}  "
            lines += fold(f"{head}{_entry_text(entry)}", width, len(head))
    return lines


def _entry_text(entry: Sequence[Choice]) -> str:
    """Return the text of a menu's entry: for a group, its name and size; for a choice, the line
    and its prose. The prose alone is enough for a choice of a card or a piece."""
    choice = entry[0]
    if len(entry) > 1:
        return f"{spaced(choice.group) or 'other'} … ({len(entry)} choices)"
    text = clean(choice.text).replace("{n}", "N")
    prose = clean(choice.prose).replace("{n}", "N")
    if not prose:
        return text
    return prose if choice.group else f"{text}: {prose}"


# ---- Ask a player the questions of one game, one after the other, in a terminal
#
# Each answer changes the draft that `pbem orders` also writes, so you can go on with any other
# command.

HELP = (
    "type a number to choose that line, -1 to take your line 1 back, or Enter to go on",
    "you can also type a line as in an order file, or ? and a word that pbem should explain",
    "type t to see the table, or q to stop and keep the draft",
    "if the menu shows w: type w to see orders that you can give in words",
)


class Stop(Exception):
    """Raised when the user wants to stop; the draft is kept."""


class Conversation:
    """A conversation about one game: it shows what is new, asks the questions and seals the
    orders."""

    def __init__(self, session: Session, color: str = "auto", *, may_advance: bool = True) -> None:
        """With `may_advance`, a referee who plays also makes the turns that wait only for them.

        `color` is `auto`, `always` or `never`. Raises CliError if the user has no seat here.
        """
        self.session = session
        self.style = stdout_style(color)
        view = session.view()
        self.view: View = view if view.is_over and view.seat else need_seated(session, view)
        self._planning: Planning | None = None
        self._may_advance = may_advance
        self._runs: list[AdvanceRun] = []
        """The runs of `advance` that followed the last orders at once; empty if none could."""
        self._stop_reason = ""
        """The sentence of the error that ended these runs; empty if none did."""

    # -------------------------------------------------------------- the whole way
    def run(self) -> bool:
        """Show what is new, ask the questions, and seal the orders; return whether any were
        sealed. Of a game that is over, only show its end, and return True.

        If the game waited only for you, and you make the turns, the next questions follow.
        Raises CliError if the seat can give no orders now. After an interrupt the draft is still
        there.
        """
        is_sealed = False
        if self.view.is_over:
            self._print_end()
            return True
        try:
            while True:
                self._begin()
                for index, question_lines in enumerate(self.planning.lists):
                    if question_lines.question.is_asked:
                        self._ask_until_answered(index)
                self._ask_until_sealed()
                is_sealed = True
                if not self._go_on_to_next_questions():
                    return True
        except (Stop, EOFError):
            self._report_stop()
            return is_sealed
        except KeyboardInterrupt:
            print()
            self._report_stop()
            raise

    def _begin(self) -> None:
        """Write a draft if there is none, and print the news, the table, and the advice of a
        lesson. Raises CliError if the seat can give no orders now."""
        planning = self.planning
        _, notes = open_draft(self.session, planning.view)
        self._planning = None
        view = self.view
        self._print_news()
        self._print_table()
        for line in lesson_lines(self.session, view):
            self._print(line)
        for loss in announced_losses(self.session, view):
            self._print(cancel_line(describe_loss(loss)))
        for note in notes:
            say(note)

    def _print_news(self) -> None:
        """Print the log and the messages since the turn that used this seat's last orders."""
        view = self.view
        first_turn = view.accepted.get(view.seat, 1)
        self._print(NEWS_HEADING)
        press = MessagesHere(self.session, view)
        turns = range(first_turn, view.turn + 1)
        print_log(view, turns, False, "since", press, press.messages_since(first_turn))
        press.note_shown()

    def _print_end(self) -> None:
        """Show the last turns, the table and the scores of a game that is over."""
        self._print_news()
        self._print_table()
        print()
        for line in final_score_lines(self.view):
            self._print(line, 4)
        self._print(play_again(self.session.place))
        print(next_line(situation_of(self.session), self.session.place))

    def _report_stop(self) -> None:
        """Say that nothing was sealed, where the draft is, and the next step."""
        path = self.session.draft_of(self.view)
        has_draft = path.exists()
        situation = situation_in_view(self.session, self.view, with_outlook=False)
        # these lines are not sealed, also if earlier orders are
        situation = replace(situation, has_draft=has_draft)
        step = say_step_after_stopping(next_step(situation), situation)
        say(draft_kept_sentence(brief(path)) if has_draft else NOTHING_SEALED)
        if step:
            say(next_command_line(at_address(self.session.place, step)))

    @property
    def planning(self) -> Planning:
        """The draft as it is now; it is read again after each change.

        Raises CliError if the seat can give no orders now.
        """
        self._planning = self._planning or Planning(self.session, self.view)
        return self._planning

    # -------------------------------------------------------------- one question
    def _ask_until_answered(self, index: int) -> None:
        """Ask the question at this index of `planning.all_lists`, and take answers, until the user
        presses Enter or a line makes the answer complete. Taking a line back goes on asking."""
        group: Sequence[Choice] = ()
        while True:
            planning = self.planning
            question_lines = planning.all_lists[index]
            menu = make_menu(question_lines.question, group)
            self._print_question(question_lines, menu)
            answer = self._input("> ")
            if not answer and not group:
                return
            words = hidden_words(question_lines.question)
            if answer == "w" and words and not group:
                group = words
                continue
            # Enter closes a group
            group = self._take_answer(planning, question_lines, menu, answer) if answer else ()
            takes_back = answer.startswith("-")
            if not group and not takes_back and self._is_answered(index):
                return

    def _is_answered(self, index: int) -> bool:
        """Return whether the draft's lines answer the question completely. A script is complete
        with its end, a standing order never: the user says when it is."""
        question_lines = self.planning.all_lists[index]
        question, rows = question_lines.question, question_lines.rows
        if not rows:
            return False
        if question.script and not question.always:
            return ends_list(self.view.play.ruleset, question.kind, rows[-1].text)
        return not question_lines.open and question.is_asked

    def _print_question(self, question_lines: QuestionLines, menu: Menu) -> None:
        """Print a question, the draft's lines for it and the problems of each, the menu, and the
        effect of Enter."""
        question, rows = question_lines.question, question_lines.rows
        state = ""
        if not question.is_asked:
            state = " (standing)" if question.always else " (later)"
        print()
        self._print(self.style.bold(f"{question.kind}{state}: {question.prompt}"))
        for number, row in enumerate(rows, 1):
            self._print(f"  your line {number}: {self.planning.prose(row)}", 4)
        notes = [note for row in rows for note in row.notes]
        for note in notes:
            if note.code != UNENDED:  # the user still adds steps
                self._print_note(note)
        for line in menu_lines(menu, self.style.width):
            print(self.style.encodable(line))
        words = hidden_words(question)
        if words and menu == make_menu(question):  # not in a group, which is a menu of its own
            self._print(f"  w: orders in words ({counted(len(words), 'line')})", 4)
        self._print(f"  Enter: go on ({self._clause_on_going_on(question_lines)})", 4)

    def _clause_on_going_on(self, question_lines: QuestionLines) -> str:
        """Return a clause on what becomes of the question if the user goes on now."""
        rows = question_lines.rows
        refused_numbers = [number for number, row in enumerate(rows, 1) if row.errors]
        if question_lines.open:
            return question_lines.open
        if refused_numbers:
            number = refused_numbers[0]
            return f"your line {number} cannot be sealed; type -{number} to take it back"
        if any(note.code == UNENDED for row in rows for note in row.notes):
            return "you will be asked again"
        end = self.planning.ends.get(question_lines.question.kind)
        if rows and end:
            return f"sealing adds “{end}”"
        if question_lines.later_default:
            return question_lines.later_default
        return "the lines are complete" if rows else "you may leave this open"

    def _take_answer(
        self, planning: Planning, question_lines: QuestionLines, menu: Menu, answer: str
    ) -> Sequence[Choice]:
        """Change the draft as the answer says: a number of the menu adds its line, the negative
        number of one of your lines removes it, and any other text is a line to add.

        A single letter, and a number that is neither in the menu nor of your lines, only print a
        hint. `planning` is the draft as the menu showed it, so the numbers fit; if the draft was
        changed elsewhere meanwhile, the change is refused. Return the choices of a group that the
        answer opens; empty for all other answers.
        """
        entries = [entry for _, heading_entries in menu for entry in heading_entries]
        number = int(answer) if answer.removeprefix("-").isdecimal() else None
        if len(answer) == 1 and answer.isalpha():  # such as s, for sealing: that comes later
            hint = "press Enter to go on, and after the last question type s to seal"
            say(f"{answer} is not an order line; {hint}")
        elif number is None:
            self._add(planning, question_lines.question, answer)
        elif 1 <= number <= len(entries):
            entry = entries[number - 1]
            if len(entry) > 1:
                return entry
            self._add(planning, question_lines.question, self._line_of(entry[0]))
        elif -len(question_lines.rows) <= number <= -1:
            click = {"do": "remove", "index": -number - 1}
            self._change(planning, question_lines.question, click)
        else:
            say(f"there is no {number} here: " + HELP[0])
        return ()

    def _line_of(self, choice: Choice) -> str:
        """Return the line of a choice; ask for the number in it, if it takes one."""
        if not choice.takes_number:
            return choice.text
        prompt = f"N in “{clean(choice.text).replace('{n}', 'N')}”: "
        answer = self._input(prompt)
        while not answer.isdecimal():
            say("type a whole number")
            answer = self._input(prompt)
        return choice.text.replace("{n}", answer)

    def _add(self, planning: Planning, question: Question, line: str) -> None:
        """Add the line to the draft, or print why it cannot be added."""
        problems = planning.why_not(question.kind, question.always, line)
        for note in problems:
            self._print_note(note)
        if not problems:
            self._change(planning, question, {"do": "add", "text": line})

    def _change(self, planning: Planning, question: Question, click: dict[str, object]) -> None:
        """Carry out a click on the question's lines (see Planning.change), or print why not."""
        address = {"mark": planning.mark, "kind": question.kind, "always": question.always}
        self._planning = None
        try:
            planning.change(address | click)
        except CliError as error:
            self._print(clean(str(error)))

    # -------------------------------------------------------------- all orders
    def _ask_until_sealed(self) -> None:
        """Print all orders, and let the user change any question's lines, until they are sealed.
        Raises Stop if the user types `q`."""
        self._print_overview()
        while True:
            planning = self.planning
            answer = self._input(
                "type s to seal, a question's number to change it, or q to "
                "stop and keep the draft > "
            )
            if answer == "s":
                if self._seal():
                    return
            elif answer == "a":
                self._print_questions(planning.standing, len(planning.lists) + 1)
            elif answer.isdecimal() and 1 <= int(answer) <= len(planning.all_lists):
                self._ask_until_answered(int(answer) - 1)
                self._print_overview()
            elif answer:
                say(
                    "type s to seal, a question's number to change it, “a” to see your standing "
                    "orders, or q to stop and keep the draft"
                )
            else:
                self._print_overview()

    def _print_overview(self) -> None:
        """Print the draft's problems, the orders in prose, what they would do, and the questions.

        The standing orders get one row: how many lines the user wrote for them.
        """
        planning = self.planning
        draft = planning.to_seal
        forecast = describe_forecast(self.view, draft)
        print()
        errors_first = sorted(draft.notes, key=lambda note: note.level != "error")
        for note in errors_first[:MAX_NOTES]:
            self._print_note(note)
        if not draft.errors:
            sentences = [*describe_orders(self.view, draft.lines), *planning.added]
            for line in ["your orders:", *(f"  {x}" for x in sentences)] if sentences else ():
                self._print(line, 4)
        for line in forecast_lines(forecast):
            self._print(line, 4)
        print("questions:")
        self._print_questions(planning.lists, 1)
        filled_lists = [standing for standing in planning.standing if standing.rows]
        line_count = sum(len(x.rows) for x in filled_lists if not x.suggested)
        state = "as pbem suggests" if filled_lists else "open"
        if line_count:
            state = counted(line_count, "line")
        self._print(f"   a  standing orders ({state})", 6)

    def _print_questions(self, lists: Sequence[QuestionLines], first_number: int) -> None:
        """Print a row for each question: number, kind, prompt, and the number of lines."""
        for number, question_lines in enumerate(lists, first_number):
            question, rows = question_lines.question, question_lines.rows
            state = counted(len(rows), "line") if rows else "open"
            time = "asked now; " if question.is_asked else "" if question.always else "later; "
            self._print(f"  {number:>2}  {question.kind}: {question.prompt} ({time}{state})", 6)

    def _seal(self) -> bool:
        """Seal the draft, print the receipt, and make the turns that waited only for it. Return
        False if the draft has errors, which the user can still correct.

        Raises CliError if a turn arrived since the questions were asked.
        """
        from pbem.acts.advance import make_turns_at_once, waits_for_nobody
        from pbem.cli.advance import print_run

        previous_view, self._planning = self.view, None
        self.session.refresh()
        self.view = need_seated(self.session, self.session.view(skip_cache=True))
        if answered_turn_name(self.view) != answered_turn_name(previous_view):
            old_draft = self.session.draft_of(previous_view)
            raise CliError(
                f"turn {self.view.turn} arrived while you were planning, so {NOTHING_SEALED}; your "
                f"draft is kept in {old_draft}",
                "to see the new questions: pbem play; you can copy lines from the old draft",
                STALE,
            )
        planning = self.planning
        if planning.draft.errors:
            self._print(CORRECT_FIRST_SENTENCE)
            return False
        sealed_draft = planning.seal(ends_wished(planning.open_ends.values(), self._input))
        may_make_turns = self._may_advance and waits_for_nobody(self.session, self.view)
        for line in sealed_draft.receipt_lines(final=may_make_turns):
            self._print(line)
        self._runs, self._stop_reason = [], ""
        if may_make_turns:
            self._runs, self._stop_reason = make_turns_at_once(self.session, on_run=print_run)
        else:
            self._print_next_step()
        return True

    def _go_on_to_next_questions(self) -> bool:
        """Return True if turns were made at once and the seat is asked again, about the new turn.

        Otherwise print how the runs ended: the end of the game, or the next step.
        """
        if not (self._runs or self._stop_reason):
            return False
        from pbem.wording.advance_report import next_lines

        self.session.refresh()
        view = self.session.view()
        if view.is_over and not self._stop_reason:
            self.view = view
            print()
            self._print_end()
            return False
        is_asked = view.seat in view.awaited
        if not is_asked or self._stop_reason or final_answer_sentence(self.session, view):
            outcomes = [run.outcome for run in self._runs]
            for line in next_lines(self.session, outcomes, self._stop_reason):
                self._print(line)
            return False
        self.view, self._planning = view, None
        print()
        return True

    def _print_next_step(self) -> None:
        """If the referee is reached by mail, offer to write the bundle; otherwise say what comes
        next."""
        from pbem.acts.write_bundles_and_emails import BundleWriter
        from pbem.cli.send import write_bundles

        situation = situation_of(self.session)
        if next_step(situation).act != "send":
            line = next_line(situation, self.session.place)
            if self.session.place.is_remote:
                print(line)  # not wrapped: the line has an address that people copy
            else:
                self._print(line)
            return
        try:
            writes_file = self._ask_yes_or_no(
                "write the file for the referee now, so that you can mail it?"
            )
        except (Stop, EOFError):  # the orders are sealed all the same
            writes_file = False
        if not writes_file:
            self._print(next_command_line(at_address(self.session.place, "pbem send")))
            return
        writer = BundleWriter(self.session)
        write_bundles(writer, writer.bundles())

    # -------------------------------------------------------------- the terminal
    def _ask_yes_or_no(self, question: str) -> bool:
        """Ask until the user answers yes or no; Enter is yes."""
        while True:
            answer = self._input(f"{question} Enter or y = yes, n = no > ").lower()
            if answer in ("", "y", "yes"):
                return True
            if answer in ("n", "no"):
                return False
            self._print(f"“{clean(answer)}” is neither yes nor no", 4)

    def _input(self, prompt: str) -> str:
        """Return the line that the user types, with single spaces between its words.

        `t` prints the table, and `?` an explanation: then the prompt comes again. Raises Stop if
        the user types `q`, and EOFError at the end of the input.
        """
        while True:
            *rows, last_row = fold(self.style.encodable(prompt.rstrip()), self.style.width)
            for row in rows:
                print(row)
            answer = " ".join(input(f"{last_row} ").split())
            if answer == "q":
                raise Stop
            if answer == "t":
                self._print_table()
            elif answer.startswith("?"):
                self._explain(answer[1:].strip())
            else:
                return answer

    def _explain(self, word: str) -> None:
        """Print what the word means in this game; without a word, how to use the dialog."""
        if not word:
            for line in HELP:
                self._print(line)
            return
        try:
            print_text(find_text(self.view.play.ruleset, word, self.view))
        except CliError as error:
            self._print(f"{error}; {error.hint}" if error.hint else str(error))

    def _print_table(self) -> None:
        """Print the table as the seat sees it."""
        ruleset = self.view.play.ruleset
        scene = with_player_facts_renamed(ruleset.scene(self.view.table.state), ruleset)
        print()
        for line in draw_scene(scene, self.view.names, self.view.seat, self.style):
            print(self.style.encodable(line))

    def _print_note(self, note: Note) -> None:
        """Print a problem of a line, and its hint."""
        hint = f"; {note.hint}" if note.hint else ""
        self._print(f"  {note.level}: {clean(note.sentence)}{clean(hint)}", 4)

    def _print(self, text: str, indent: int = 2) -> None:
        """Print the text, folded to the terminal's width; folded lines go on with `indent`
        spaces."""
        for line in text.split("\n"):
            for row in fold(self.style.encodable(line), self.style.width, indent):
                print(row)


def play(
    next_: Annotated[
        bool,
        typer.Option(
            "--next", help="Go through all games that are waiting for you, one after the other."
        ),
    ] = False,
    no_advance: NoAdvanceOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    color: ColourOption = "auto",
    passphrase_file: PassphraseOption = None,
) -> None:
    """Enter your orders step by step: see what is new, what is asked, and choose by number."""
    check_colour(color)
    if isinstance(sys.stdin, io.TextIOWrapper):  # typed bytes that are no text match no answer
        sys.stdin.reconfigure(errors="backslashreplace")
    may_advance = not no_advance
    if not next_:
        session = Session(folder, seat, passphrase_file)
        Conversation(session, color, may_advance=may_advance).run()
        return
    if folder or seat:
        raise CliError(
            "--next itself chooses the game and the seat: leave out -C and --as", "pbem play --next"
        )
    played_folders: set[str] = set()
    next_folder = _next_waiting_folder(passphrase_file, played_folders)
    while next_folder:
        if played_folders:
            print()
        played_folders.add(next_folder)
        say(next_game_line(next_folder))
        session = Session(next_folder, None, passphrase_file)
        if not Conversation(session, color, may_advance=may_advance).run():
            return
        next_folder = _next_waiting_folder(passphrase_file, played_folders)
    if not played_folders:
        raise CliError("no game is waiting for you", "pbem list", NOT_YET)
    say(NO_OTHER_GAME_SENTENCE)


def _next_waiting_folder(passphrase_file: Path | None, played_folders: set[str]) -> str:
    """Return the folder or address of the first game that waits for the user, but for those
    already played; empty if there is none."""
    games = games_of(Keyring(Home.find(), passphrase_file))
    folders = [str(game["folder"]) for game in games if game["asked"] and game["folder"]]
    return next((folder for folder in folders if folder not in played_folders), "")
