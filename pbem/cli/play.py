"""The command `play`: answer a game's questions by numbers, without an editor."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.acts.list import games_of
from pbem.acts.orders import Planning, QuestionLines, foreseen, need_seated, open_draft
from pbem.cli.options import (
    ColourOption,
    FolderOption,
    NoAdvanceOption,
    PassphraseOption,
    SeatOption,
    check_colour,
)
from pbem.cli.orders import MAX_NOTES, ends_wished
from pbem.cli.viewing import print_log
from pbem.drafts.offers import Choice, Question, ends_list, grouped
from pbem.drafts.read import UNENDED, Note, position
from pbem.drafts.write import describe_orders
from pbem.errors import NOT_YET, STALE, CliError
from pbem.files.home import Home
from pbem.judge.view import View
from pbem.person.keyring import Keyring
from pbem.person.losses import announced_losses
from pbem.person.messages import MessagesHere
from pbem.person.next_step import next_step
from pbem.person.own_orders import final_answer_sentence
from pbem.person.session import Session
from pbem.person.situation import in_view, situation_of
from pbem.terminal.commands import at_address
from pbem.terminal.table import for_people, picture
from pbem.terminal.tell import spaced
from pbem.terminal.terminal import brief, clean, fold, say, stdout_style
from pbem.text.names import counted
from pbem.wording.agreements import cancel_line
from pbem.wording.drafts import (
    CORRECT_FIRST_SENTENCE,
    NEWS_HEADING,
    NO_OTHER_GAME_SENTENCE,
    NOTHING_SEALED,
    draft_kept_sentence,
    forecast_lines,
    next_command_line,
    next_game_line,
)
from pbem.wording.explain import find, print_text
from pbem.wording.lesson import lesson_lines
from pbem.wording.losses import describe_loss
from pbem.wording.next_step import next_line, say_step_after_stopping
from pbem.wording.scores import final_score_lines, play_again

if TYPE_CHECKING:
    from pbem.acts.advance import AdvanceRun

# ---- Choices with numbers, as text for a terminal

MANY = 24
"""The most choices in one list; if there are more, the user first chooses a card or a piece."""

Menu = list[tuple[str, list[Sequence[Choice]]]]
"""The numbered entries under headings: each is one choice, or a group of choices to open."""


def menu(question: Question, group: Sequence[Choice] = ()) -> Menu:
    """Return the menu of a question; of this group alone, if there is one.

    Ready lines are listed only if the question has no other choices yet.
    """
    if group:
        return [("", [[choice] for choice in group])]
    groups = grouped(question.offers or question.words)
    if len(question.offers) > MANY and len(groups) > 2:
        return [("", [some for _, some in groups])]
    return [(title, [[choice] for choice in some]) for title, some in groups]


def hidden_words(question: Question) -> list[Choice]:
    """Return the ready lines that `w` lists: those that would do something now."""
    return [one for one in question.words if question.offers and not one.is_idle]


def menu_lines(found: Menu, width: int) -> list[str]:
    """Return the menu as lines that fit the width."""
    lines: list[str] = []
    number, wide = 0, len(str(sum(len(some) for _, some in found)))
    for title, some in found:
        lines += [f"  {title}:"] if title else []
        for entry in some:
            number += 1
            head = f"  {number:>{wide + 1}}  "
            lines += fold(f"{head}{_entry(entry)}", width, len(head))
    return lines


def _entry(entry: Sequence[Choice]) -> str:
    choice = entry[0]
    if len(entry) > 1:
        return f"{spaced(choice.group) or 'other'} … ({len(entry)} choices)"
    text, says = (clean(said).replace("{n}", "N") for said in (choice.text, choice.prose))
    return (says if choice.group else f"{text}: {says}") if says else text


# ---- Ask a player the questions of one game, one after the other, in a terminal
#
# Each answer changes the draft that `pbem orders` also writes, so you can go on with any other
# command.

HELP = (
    "type a number to choose that line, -1 to take your line 1 back, or Enter to go on",
    "you can also type a line as in an order file, or ? and a word to have the word explained",
    "type t to see the table, or q to stop and keep the draft",
    "type w to see what you can say in words, where a question offers that",
)


class Stop(Exception):
    """Raised when the user wants to stop; the draft is kept."""


class Conversation:
    """A conversation about one game: it shows what is new, asks the questions and seals the
    orders."""

    def __init__(self, session: Session, color: str = "auto", *, may_advance: bool = True) -> None:
        """With `may_advance`, a referee who plays also makes the turns that wait only for them."""
        self.session = session
        self.style = stdout_style(color)
        view = session.view()
        self.view: View = view if view.is_over and view.seat else need_seated(session, view)
        self._planning: Planning | None = None
        self._may_advance = may_advance
        self._made: tuple[list[AdvanceRun], str] | None = None
        """The turns that could be made as soon as the orders were sealed, and what stopped them."""

    # -------------------------------------------------------------- the whole way
    def run(self) -> bool:
        """Show what is new, ask the questions, and seal the orders; return whether any were
        sealed.

        If the game waited only for you, and you make the turns, the next questions follow.
        Raises CliError if the seat can give no orders now. After an interrupt the draft is still
        there.
        """
        sealed = False
        if self.view.is_over:
            self._end()
            return True
        try:
            while True:
                self._begin()
                for number, one in enumerate(self.planning.lists):
                    if one.question.is_asked:
                        self._question(number)
                self._review()
                sealed = True
                if not self._asked_again():
                    return True
        except (Stop, EOFError):
            self._report_stop()
            return sealed
        except KeyboardInterrupt:
            print()
            self._report_stop()
            raise

    def _begin(self) -> None:
        planning = self.planning  # says so if no orders can be given
        _, notes = open_draft(self.session, planning.view)
        self._planning = None
        view = self.view
        self._news()
        self._table()
        for line in lesson_lines(self.session, view):
            self._print(line)
        for loss in announced_losses(self.session, view):
            self._print(cancel_line(describe_loss(loss)))
        for note in notes:
            say(note)

    def _news(self) -> None:
        view = self.view
        taken = view.accepted.get(view.seat, 1)
        self._print(NEWS_HEADING)
        press = MessagesHere(self.session, view)
        turns = range(taken, view.turn + 1)
        print_log(view, turns, False, "since", press, press.messages_since(taken))
        press.note_shown()

    def _end(self) -> None:
        """Show the last turns, the table and the scores of a game that is over."""
        self._news()
        self._table()
        print()
        for line in final_score_lines(self.view):
            self._print(line, 4)
        self._print(play_again(self.session.place))
        print(next_line(situation_of(self.session), self.session.place))

    def _report_stop(self) -> None:
        """Say that nothing was sealed, where the draft is, and the next step."""
        path = self.session.draft_of(self.view)
        has_draft = path.exists()
        situation = in_view(self.session, self.view, with_outlook=False)
        # these lines are not sealed, also if earlier orders are
        situation = replace(situation, has_draft=has_draft)
        step = say_step_after_stopping(next_step(situation), situation)
        say(draft_kept_sentence(brief(path)) if has_draft else NOTHING_SEALED)
        if step:
            say(next_command_line(at_address(self.session.place, step)))

    @property
    def planning(self) -> Planning:
        """The draft as it is now; it is read again after each change.

        Says so if another program has changed the draft.
        """
        self._planning = self._planning or Planning(self.session, self.view)
        return self._planning

    # -------------------------------------------------------------- one question
    def _question(self, at: int) -> None:
        group: Sequence[Choice] = ()
        while True:
            planning = self.planning
            one = planning.all_lists[at]
            found = menu(one.question, group)
            self._ask(one, found)
            typed = self._input("> ")
            if not typed and not group:
                return
            if typed == "w" and not group and (words := hidden_words(one.question)):
                group = words
                continue
            group = self._take(planning, one, found, typed) if typed else ()
            if (
                not group
                and not typed.startswith("-")
                and self._is_complete(self.planning.all_lists[at])
            ):
                return

    def _is_complete(self, one: QuestionLines) -> bool:
        question, rows = one.question, one.rows
        if question.script and not question.always:
            ruleset = self.view.play.ruleset
            return bool(rows) and ends_list(ruleset, question.kind, rows[-1].text)
        return bool(rows) and not one.open and question.is_asked

    def _ask(self, one: QuestionLines, found: Menu) -> None:
        question = one.question
        print()
        when = "" if question.is_asked else " (standing)" if question.always else " (later)"
        self._print(self.style.bold(f"{question.kind}{when}: {question.prompt}"))
        for n, row in enumerate(one.rows, 1):
            self._print(f"  your line {n}: {self.planning.prose(row)}", 4)
        notes = [note for row in one.rows for note in row.notes]
        for note in notes:
            if note.code != UNENDED:  # the user still adds steps
                self._note(note)
        print("\n".join(self.style.encodable(x) for x in menu_lines(found, self.style.width)))
        if words := hidden_words(question) if found == menu(question) else ():
            self._print(f"  w: choose in words ({counted(len(words), 'line')})", 4)
        told = one.later_default or (
            "the lines are complete" if one.rows else "you may leave this open"
        )
        if wrong := [n for n, row in enumerate(one.rows, 1) if row.errors]:
            told = f"your line {wrong[0]} cannot be sealed; -{wrong[0]} takes it back"
        elif any(note.code == UNENDED for note in notes):
            told = "you will be asked again"
        elif one.rows and (end := self.planning.ends.get(question.kind)):
            told = f"sealing adds “{end}”"
        self._print(f"  Enter: go on ({one.open or told})", 4)

    def _take(
        self, planning: Planning, one: QuestionLines, found: Menu, typed: str
    ) -> Sequence[Choice]:
        entries = [entry for _, some in found for entry in some]
        number = int(typed) if typed.lstrip("-").isdecimal() else None
        if len(typed) == 1 and typed.isalpha():  # such as s, for sealing: that comes later
            told = "press Enter to go on, and type s to seal after the last question"
            say(f"{typed} is too short for a line; {told}")
        elif number is None:
            self._add(planning, one.question, typed)
        elif 1 <= number <= len(entries):
            if len(entry := entries[number - 1]) > 1:
                return entry
            self._add(planning, one.question, self._completed(entry[0]))
        elif -len(one.rows) <= number <= -1:
            self._change(planning, one.question, {"do": "remove", "index": -number - 1})
        else:
            say(f"there is no {number} here: " + HELP[0])
        return ()

    def _completed(self, choice: Choice) -> str:
        if not choice.takes_number:
            return choice.text
        prompt = f"N in “{clean(choice.text).replace('{n}', 'N')}”: "
        while not (typed := self._input(prompt)).isdecimal():
            say("type a whole number")
        return choice.text.replace("{n}", typed)

    def _add(self, planning: Planning, question: Question, text: str) -> None:
        wrong = planning.why_not(question.kind, question.always, text)
        for note in wrong:
            self._note(note)
        if not wrong:
            self._change(planning, question, {"do": "add", "text": text})

    def _change(self, planning: Planning, question: Question, said: dict[str, object]) -> None:
        wanted = {"mark": planning.mark, "kind": question.kind, "always": question.always} | said
        self._planning = None
        try:
            planning.change(wanted)
        except CliError as error:
            self._print(clean(str(error)))

    # -------------------------------------------------------------- all orders
    def _review(self) -> None:
        self._overview()
        while True:
            planning = self.planning
            typed = self._input(
                "type s to seal, a question's number to change it, or q to "
                "stop and keep the draft > "
            )
            if typed == "s":
                if self._seal():
                    return
            elif typed == "a":
                self._questions(planning.standing, len(planning.lists))
            elif typed.isdecimal() and 1 <= int(typed) <= len(planning.all_lists):
                self._question(int(typed) - 1)
                self._overview()
            elif typed:
                say("type s, a or q, or the number of a question")
            else:
                self._overview()

    def _overview(self) -> None:
        planning = self.planning
        draft, told = planning.to_seal, foreseen(self.view, planning.to_seal)
        said = [] if draft.errors else [*describe_orders(self.view, draft.lines), *planning.added]
        print()
        for note in sorted(draft.notes, key=lambda one: one.level != "error")[:MAX_NOTES]:
            self._note(note)
        for line in ["your orders:", *(f"  {line}" for line in said)] if said else ():
            self._print(line, 4)
        for line in forecast_lines(told):
            self._print(line, 4)
        print("questions:")
        self._questions(planning.lists, 0)
        given = [one for one in planning.standing if one.rows]
        lines = sum(len(one.rows) for one in given if not one.suggested)
        many = counted(lines, "line") if lines else "as pbem suggests" if given else "open"
        self._print(f"   a  standing orders ({many})", 6)

    def _questions(self, lists: Sequence[QuestionLines], before: int) -> None:
        for number, one in enumerate(lists, before + 1):
            question = one.question
            when = "asked now; " if question.is_asked else "" if question.always else "later; "
            when += counted(len(one.rows), "line") if one.rows else "open"
            told = f"{question.kind}: {question.prompt} ({when})"
            self._print(f"  {number:>2}  {told}", 6)

    def _seal(self) -> bool:
        from pbem.acts.advance import make_turns_at_once, waits_for_nobody
        from pbem.cli.advance import print_run

        before, self._planning = self.view, None
        self.session.refresh()
        self.view = need_seated(self.session, self.session.view(skip_cache=True))
        if position(self.view) != position(before):
            old = self.session.draft_of(before)
            raise CliError(
                f"turn {self.view.turn} arrived while you were planning, so {NOTHING_SEALED}; your "
                f"draft is kept in {old}",
                "pbem play shows what is asked now; you can copy lines from the old draft",
                STALE,
            )
        planning = self.planning
        if planning.draft.errors:
            self._print(CORRECT_FIRST_SENTENCE)
            return False
        done = planning.seal(ends_wished(planning.open_ends.values(), self._input))
        ready = self._may_advance and waits_for_nobody(self.session, self.view)
        for line in done.receipt_lines(final=ready):
            self._print(line)
        self._made = make_turns_at_once(self.session, on_run=print_run) if ready else None
        if not ready:
            self._after()
        return True

    def _asked_again(self) -> bool:
        if not self._made:
            return False
        from pbem.wording.advance import next_lines

        self.session.refresh()
        view = self.session.view()
        if view.is_over and not self._made[1]:
            self.view = view
            print()
            self._end()
            return False
        mine = view.seat in view.awaited
        if not mine or self._made[1] or final_answer_sentence(self.session, view):
            runs, stop_reason = self._made
            outcomes = [run.outcome for run in runs]
            for line in next_lines(self.session, outcomes, stop_reason):
                self._print(line)
            return False
        self.view, self._planning = view, None
        print()
        return True

    def _after(self) -> None:
        """If the referee is reached by mail, write the bundle; otherwise say what comes next."""
        from pbem.acts.send import BundleWriter
        from pbem.cli.mail import write_bundles

        situation = situation_of(self.session)
        if next_step(situation).act != "send":
            # with an address it stays on one line, so that it can be copied
            line = next_line(situation, self.session.place)
            (print if self.session.place.is_remote else self._print)(line)
            return
        try:
            writes_file = self._yes("write the file to mail to the referee now?")
        except (Stop, EOFError):  # the orders are sealed all the same
            writes_file = False
        if not writes_file:
            self._print(next_command_line(at_address(self.session.place, "pbem send")))
            return
        writer = BundleWriter(self.session)
        write_bundles(writer, writer.parcels())

    # -------------------------------------------------------------- the terminal
    def _yes(self, question: str) -> bool:
        while True:
            typed = self._input(f"{question} Enter or y = yes, n = no > ").lower()
            if typed in ("", "y", "yes"):
                return True
            if typed in ("n", "no"):
                return False
            self._print(f"“{clean(typed)}” is neither yes nor no", 4)

    def _input(self, prompt: str) -> str:
        while True:
            *rows, last = fold(self.style.encodable(prompt.rstrip()), self.style.width)
            print("".join(f"{row}\n" for row in rows), end="")
            typed = " ".join(input(f"{last} ").split())
            if typed == "q":
                raise Stop
            if typed == "t":
                self._table()
            elif typed.startswith("?"):
                self._explain(typed[1:].strip())
            else:
                return typed

    def _explain(self, word: str) -> None:
        if not word:
            for line in HELP:
                self._print(line)
            return
        try:
            print_text(find(self.view.play.ruleset, word, self.view))
        except CliError as error:
            self._print(f"{error}; {error.hint}" if error.hint else str(error))

    def _table(self) -> None:
        ruleset = self.view.play.ruleset
        scene = for_people(ruleset.scene(self.view.table.state), ruleset)
        print()
        for line in picture(scene, self.view.names, self.view.seat, self.style):
            print(self.style.encodable(line))

    def _note(self, note: Note) -> None:
        told = f"; {note.hint}" if note.hint else ""
        self._print(f"  {note.level}: {clean(note.sentence)}{clean(told)}", 4)

    def _print(self, text: str, indent: int = 2) -> None:
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
            "--next chooses the game, so it cannot be combined with -C or --as", "pbem play"
        )
    done: set[str] = set()
    while place := _waiting(passphrase_file, done):
        if done:
            print()
        done.add(place)
        say(next_game_line(place))
        session = Session(place, None, passphrase_file)
        if not Conversation(session, color, may_advance=may_advance).run():
            return
    if not done:
        raise CliError("no game is waiting for you", "pbem list", NOT_YET)
    say(NO_OTHER_GAME_SENTENCE)


def _waiting(passphrase_file: Path | None, done: set[str]) -> str:
    games = games_of(Keyring(Home.find(), passphrase_file))
    folders = [str(one["folder"]) for one in games if one["asked"] and one["folder"]]
    return next((place for place in folders if place not in done), "")
