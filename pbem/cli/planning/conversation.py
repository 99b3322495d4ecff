"""Ask a player the questions of one game, one after the other, in a terminal.

Each answer changes the draft that `pbem orders` also writes, so you can go on with any other
command.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.cli.failure import STALE, CliError, say
from pbem.cli.planning.menu import Choice, choices, menu_lines
from pbem.cli.planning.planning import List, Planning
from pbem.screen.terminal import brief, clean, fold, stdout_style

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.cli.turns.advance_report import MadeAtOnce
    from pbem.drafts.offers import Offer, Question
    from pbem.drafts.read.read_draft import Note
    from pbem.play.view import View

HELP = (
    "type a number to choose that line, -1 to take your line 1 back, or Enter to go on",
    "you can also type a line as in an order file, or ? and a word to have the word explained",
    "type t to see the table, or q to stop and keep the draft",
)
STOPPED = "nothing was sealed"
UNFINISHED = "PBEM-ORD-033"
"""The warning that a list of steps has no end; it is not shown while the user still adds steps."""


class Stop(Exception):
    """Raised when the user wants to stop; the draft is kept."""


class Conversation:
    """A conversation about one game: it shows what is new, asks the questions and seals the
    orders."""

    def __init__(self, session: Session, color: str = "auto", *, may_advance: bool = True) -> None:
        """With `may_advance`, a referee who plays also makes the turns that wait only for them."""
        from pbem.cli.orders.view_for_orders import need_seated

        self.session = session
        self.style = stdout_style(color)
        self.view: View = need_seated(session, session.view())
        self._planning: Planning | None = None
        self._may_advance = may_advance
        self._turns: MadeAtOnce | None = None
        """The turns that could be made as soon as the orders were sealed."""

    # -------------------------------------------------------------- the whole way
    def run(self) -> bool:
        """Show what is new, ask the questions, and seal the orders; return whether any were
        sealed.

        If the game waited only for you, and you make the turns, the next questions follow.
        Raises CliError if the seat can give no orders now. After an interrupt the draft is still
        there.
        """
        sealed = False
        try:
            while True:
                self._begin()
                for number, one in enumerate(self.planning.lists):
                    if one.question.asked:
                        self._question(number)
                self._review()
                sealed = True
                if not self._asked_again():
                    return True
        except (Stop, EOFError):
            self._kept()
            return sealed
        except KeyboardInterrupt:
            print()
            self._kept()
            raise

    def _begin(self) -> None:
        from pbem.cli.orders.open_draft import open_draft
        from pbem.cli.press.messages_here import MessagesHere
        from pbem.cli.viewing.log import print_log

        planning = self.planning  # says so if no orders can be given
        _, notes = open_draft(self.session, planning.view)
        self._planning = None
        view = self.view
        taken = view.accepted.get(view.seat, 1)
        self._print("what is new:")
        press = MessagesHere(self.session, view)
        turns = range(taken, view.turn + 1)
        print_log(view, turns, False, "since", press, press.since(taken))
        press.note_told()
        self._table()
        for note in notes:
            say(note)

    def _kept(self) -> None:
        path = self.session.home.game(self.view.game).draft(self.view.turn, self.view.seat)
        if path.exists():
            say(f"{STOPPED}; your draft is kept: {brief(path)}")
            say("next: pbem play (it continues with your draft)")
        else:
            say(STOPPED)

    @property
    def planning(self) -> Planning:
        """The draft as it is now; it is read again after each change.

        Says so if another program has changed the draft.
        """
        self._planning = self._planning or Planning(self.session, self.view)
        return self._planning

    # -------------------------------------------------------------- one question
    def _question(self, at: int, always: bool = False) -> None:
        """Ask one question until the user goes on."""
        group: Sequence[Offer] = ()
        while True:
            planning = self.planning
            one = (planning.standing if always else planning.lists)[at]
            found = choices(one.question, group)
            self._ask(one, found)
            typed = self._input("> ")
            if not typed and not group:
                return
            group = self._take(planning, one, found, typed) if typed else ()
            if not group and _is_done(one.question, self.planning, at, typed):
                return

    def _ask(self, one: List, found: Sequence[tuple[str, Sequence[Choice]]]) -> None:
        question = one.question
        print()
        when = "" if question.asked else " (standing)" if question.always else " (later)"
        self._print(self.style.bold(f"{question.kind}{when}: {question.asks}"))
        for n, row in enumerate(one.rows, 1):
            self._print(f"  your line {n}: {row.says or clean(row.text)}", 4)
        notes = [note for row in one.rows for note in row.notes]
        for note in notes:
            if note.code != UNFINISHED:
                self._note(note)
        print("\n".join(self.style.plain(x) for x in menu_lines(found, self.style.width)))
        told = "the lines are complete" if one.rows else "you may leave this open"
        if any(note.code == UNFINISHED for note in notes):
            told = "you will be asked again"
        self._print(f"  Enter: go on ({one.open or told})", 4)

    def _take(
        self,
        planning: Planning,
        one: List,
        found: Sequence[tuple[str, Sequence[Choice]]],
        typed: str,
    ) -> Sequence[Offer]:
        """Carry out what was typed; return the group of choices to show next."""
        numbered = [choice for _, some in found for choice in some]
        number = int(typed) if typed.lstrip("-").isdecimal() else None
        if number is None:
            self._add(planning, one.question, typed)
        elif 1 <= number <= len(numbered):
            chosen = numbered[number - 1]
            if chosen.offer is None:
                return chosen.group
            self._add(planning, one.question, self._counted(chosen.offer))
        elif -len(one.rows) <= number <= -1:
            self._change(planning, one.question, {"do": "remove", "index": -number - 1})
        else:
            say(f"there is no {number} here: " + HELP[0])
        return ()

    def _counted(self, offer: Offer) -> str:
        """Return the order line of an offer; if it needs a number, ask the user for the number."""
        if not offer.number:
            return offer.text
        while not (
            typed := self._input(f"N in “{clean(offer.text).replace('{n}', 'N')}”: ")
        ).isdecimal():
            say("type a whole number")
        return offer.text.replace("{n}", typed)

    def _add(self, planning: Planning, question: Question, text: str) -> None:
        """Add a line to the draft; if the line cannot be used, say why and remove it."""
        if not self._change(planning, question, {"do": "add", "text": text}):
            return
        after = self.planning
        found = next(
            one
            for one in (after.standing if question.always else after.lists)
            if one.question.kind == question.kind
        )
        for index, row in enumerate(found.rows):
            wrong = [note for note in row.notes if note.level == "error"]
            if wrong and row.text == " ".join(text.split()):
                for note in wrong:
                    self._note(note)
                self._change(after, question, {"do": "remove", "index": index})
                return

    def _change(self, planning: Planning, question: Question, said: dict[str, object]) -> bool:
        wanted = {"mark": planning.mark, "kind": question.kind, "always": question.always} | said
        self._planning = None
        try:
            planning.change(wanted)
        except CliError as error:
            self._print(clean(str(error)))
            return False
        return True

    # -------------------------------------------------------------- all orders
    def _review(self) -> None:
        """Show all orders and what they do; seal them, or change some."""
        self._overview()
        while True:
            planning = self.planning
            lists = [(n, False) for n in range(len(planning.lists))]
            lists += [(n, True) for n in range(len(planning.standing))]
            typed = self._input(
                "type s to seal, a question's number to change it, or q to "
                "stop and keep the draft > "
            )
            if typed == "s":
                if self._seal():
                    return
            elif typed == "a":
                self._questions(planning.standing, len(planning.lists))
            elif typed.isdecimal() and 1 <= int(typed) <= len(lists):
                self._question(*lists[int(typed) - 1])
                self._overview()
            elif typed:
                say("type s, a or q, or the number of a question")
            else:
                self._overview()

    def _overview(self) -> None:
        """Print the orders in prose, their problems, what they do, and all questions."""
        from pbem.cli.orders.check_report import MOST_NOTES, foreseen
        from pbem.drafts.say_orders_back import said_back

        planning = self.planning
        draft, told = planning.draft, foreseen(self.view, planning.draft)
        said = [] if draft.errors else said_back(self.view, draft.lines)
        print()
        for note in sorted(draft.notes, key=lambda one: one.level != "error")[:MOST_NOTES]:
            self._note(note)
        for line in ["your orders:", *(f"  {line}" for line in said)] if said else ():
            self._print(line, 4)
        for line in ["if nobody else acts:", *(f"  {line}" for line in told)] if told else ():
            self._print(line, 4)
        print("questions:")
        self._questions(planning.lists, 0)
        lines = sum(len(one.rows) for one in planning.standing)
        self._print(f"   a  standing orders ({_counted(lines)})", 6)

    def _questions(self, lists: Sequence[List], before: int) -> None:
        """Print questions with their numbers, counted from `before` + 1."""
        for number, one in enumerate(lists, before + 1):
            question = one.question
            when = "asked now; " if question.asked else "" if question.always else "later; "
            told = f"{question.kind}: {question.asks} ({when}{_counted(len(one.rows))})"
            self._print(f"  {number:>2}  {told}", 6)

    def _seal(self) -> bool:
        """Seal the draft as `submit` does; return False if the draft has errors."""
        from pbem.cli.orders.open_draft import open_draft
        from pbem.cli.orders.seal_draft import seal_draft
        from pbem.cli.orders.view_for_orders import need_seated
        from pbem.cli.turns.advance_report import MadeAtOnce
        from pbem.cli.turns.make_turns import waits_for_nobody
        from pbem.drafts.read.read_draft import position

        before, self._planning = self.view, None
        self.session.refresh()
        self.view = need_seated(self.session, self.session.view(fresh=True))
        if position(self.view) != position(before):
            self._arrived(before)
        planning = self.planning
        if planning.draft.errors:
            self._print(f"{STOPPED}: correct the errors first")
            return False
        open_draft(self.session, self.view)
        done = seal_draft(self.session, self.view, planning.draft)
        self.session.refresh()
        ready = self._may_advance and waits_for_nobody(self.session, self.view)
        for line in done.told(final=ready):
            self._print(line)
        self._turns = MadeAtOnce(self.session) if ready else None
        if self._turns:
            self._turns.tell_made()
        else:
            self._after()
        return True

    def _arrived(self, before: View) -> None:
        """Say that a new turn came in the meantime, and that the old draft is kept beside the new
        one."""
        old = self.session.home.game(before.game).draft(before.turn, before.seat)
        raise CliError(
            f"turn {self.view.turn} arrived while you were planning, so {STOPPED}; your draft "
            f"is kept in {old}",
            "pbem play shows what is asked now; you can copy lines from the old draft",
            STALE,
        )

    def _asked_again(self) -> bool:
        """Return whether the turns that were just made ask you again; if not, say what is next."""
        from pbem.cli.status.my_orders import answered_for_good

        if not self._turns:
            return False
        self.session.refresh()
        view = self.session.view()
        mine = view.seat in view.awaited and not view.over
        if not mine or self._turns.stopped or answered_for_good(self.session, view):
            for line in self._turns.next_lines():
                self._print(line)
            return False
        self.view, self._planning = view, None
        print()
        return True

    def _after(self) -> None:
        """If the referee is reached by mail, write the bundle; otherwise say what comes next."""
        from pbem.cli.mail.write_bundle import BundleWriter
        from pbem.cli.session.mail_hints import unsent
        from pbem.cli.status.game_status import read_status

        if not unsent(self.session, self.view.seat):
            self._print(f"next: {read_status(self.session).next}")
            return
        if not self._yes("write the file to mail to the referee now?"):
            self._print("next: pbem send")
            return
        writer = BundleWriter(self.session)
        writer.write_all(writer.parcels(), None)

    # -------------------------------------------------------------- the terminal
    def _yes(self, question: str) -> bool:
        """Ask until the answer is Enter, yes or no."""
        while True:
            typed = self._input(f"{question} Enter or y = yes, n = no > ").lower()
            if typed in ("", "y", "yes"):
                return True
            if typed in ("n", "no"):
                return False
            self._print(f"“{clean(typed)}” is neither yes nor no", 4)

    def _input(self, prompt: str) -> str:
        """Ask for input; the answers `t`, `?` and `q` work at every prompt. Raises Stop."""
        while True:
            *rows, last = fold(self.style.plain(prompt.rstrip()), self.style.width)
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
        from pbem.cli.viewing.explain import find, print_text

        if not word:
            for line in HELP:
                self._print(line)
            return
        try:
            print_text(find(self.view.play.ruleset, word))
        except CliError as error:
            self._print(f"{error}; {error.hint}" if error.hint else str(error))

    def _table(self) -> None:
        from pbem.screen.draw_table import picture

        scene = self.view.play.ruleset.scene(self.view.table.state)
        print()
        for line in picture(scene, self.view.names, self.view.seat, self.style):
            print(self.style.plain(line))

    def _note(self, note: Note) -> None:
        told = f"; {note.hint}" if note.hint else ""
        self._print(f"  {note.level}: {clean(note.what)}{clean(told)}", 4)

    def _print(self, text: str, indent: int = 2) -> None:
        for line in text.split("\n"):
            for row in fold(self.style.plain(line), self.style.width, indent):
                print(row)


def _counted(lines: int) -> str:
    return f"{lines} line{'' if lines == 1 else 's'}" if lines else "open"


def _is_done(question: Question, planning: Planning, at: int, typed: str) -> bool:
    """Return whether the choice just added completes the answer to the question."""
    from pbem.drafts.offers import ends_list

    if typed.startswith("-"):
        return False
    one = (planning.standing if question.always else planning.lists)[at]
    last = one.rows[-1].text if one.rows else ""
    ruleset = planning.view.play.ruleset
    if question.script and not question.always:
        return bool(one.rows) and ends_list(ruleset, question.kind, last)
    return bool(one.rows) and not one.open and question.asked
