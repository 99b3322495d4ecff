"""The command `submit`: check and seal orders."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

import typer

from engine import DONE
from pbem.acts.read_order_file_or_write_draft import is_as_written, open_draft
from pbem.acts.seal_orders import (
    describe_orders_in_force,
    ended_draft,
    keep_ends,
    need_open,
    need_seated,
    seal_draft,
)
from pbem.cli.orders_draft import edit_file
from pbem.cli.read_and_print_orders import (
    FileArgument,
    StrictOption,
    exit_if_unusable,
    print_check,
    print_orders,
    print_problems,
    read_orders,
    warn_of_ends,
)
from pbem.cli.shared_options import (
    FolderOption,
    JsonOption,
    NoAdvanceOption,
    PassphraseOption,
    SeatOption,
)
from pbem.drafts.checked_rows import Draft, MissingEnd, with_ends
from pbem.drafts.read_order_file import answered_turn_name
from pbem.errors import FINDINGS, STALE, CliError
from pbem.judge.game_view import View
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.terminal.commands_and_paths_to_type import at_address, shell_quote
from pbem.terminal.printing import say
from pbem.wording.draft_notes_and_next_commands import (
    EDIT_AGAIN_STEP,
    MEND_INPUT_STEP,
    NEW_DRAFT_STEP,
    mend_file_step,
    next_command_line,
)
from pbem.wording.next_step import next_line
from pbem.wording.sealed_orders import added_end_note


def submit(
    file: FileArgument = None,
    strict: StrictOption = False,
    edit: Annotated[
        bool,
        typer.Option(
            "--edit", help="First open your draft in your editor, as pbem orders --edit does."
        ),
    ] = False,
    no_advance: NoAdvanceOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check, seal, sign and hand in your orders; another submit replaces them."""
    session = Session(folder, seat, passphrase_file)
    view = need_open(session, need_seated(session, session.view(skip_cache=True)))
    if edit:
        view = _edit_draft(session, view, file)
    draft, name = read_orders(session, view, file)
    draft, added_ends, missing_ends = ended_draft(view, draft)
    can_ask = not json and file != "-" and sys.stdin.isatty()
    if missing_ends and can_ask and not draft.errors:
        wished_kinds = ends_wished(missing_ends)
        wished_ends = [end for end in missing_ends if end.kind in wished_kinds]
        draft, added_ends = with_ends(view, draft, wished_ends), [*added_ends, *wished_ends]
        missing_ends = [end for end in missing_ends if end.kind not in wished_kinds]
    elif not json:
        warn_of_ends(missing_ends)
    if not json:
        print_problems(session, view, draft, name, strict=strict)
    if draft.errors or (strict and (draft.notes or missing_ends)):
        if json:
            print_check(draft)
        else:
            say(next_command_line(at_address(session.place, correcting_step(draft, file))))
        exit_if_unusable(draft, strict, missing_ends)
    if added_ends and file is None:
        keep_ends(session, view, added_ends)
    _seal(session, view, draft, added_ends, json=json, may_advance=not no_advance)


def correcting_step(draft: Draft, file: str | None) -> str:
    """Return the command with which the user can correct orders that were not sealed. `file` is the
    file as named on the command line: `-` for typed orders, None for the draft."""
    if draft.stale:
        return NEW_DRAFT_STEP
    if file is None:
        return EDIT_AGAIN_STEP
    return MEND_INPUT_STEP if file == "-" else mend_file_step(shell_quote(file))


def ends_wished(missing_ends: Iterable[MissingEnd], ask: Callable[[str], str] = input) -> list[str]:
    """Ask on the terminal, about each list whose end only the player can add, whether to add it;
    return the kinds of these lists. `pass` is a choice of the game, so nothing adds it unasked.

    `ask` prints a prompt and returns the answer.
    """
    wished_kinds = list[str]()
    for list_end in missing_ends:
        print(f"{list_end.consequence}.")
        is_yes_default = list_end.end == DONE
        hint = "Enter or y = yes, n = no" if is_yes_default else "Enter or n = no, y = yes"
        answer = ask(f"add the line “{list_end.end}” now? {hint} > ").strip().lower()
        if answer.startswith("y") or (is_yes_default and not answer.startswith("n")):
            wished_kinds.append(list_end.kind)
    return wished_kinds


def _edit_draft(session: Session, view: View, file: str | None) -> View:
    """Let the user edit the draft, and return the view as it is afterwards.

    Raises CliError if a file was named, if a turn arrived meanwhile, or if the user changed no line
    of a new draft.
    """
    if file is not None:
        raise CliError(
            "--edit opens your draft, so you cannot give another file with it",
            "leave out one of them",
        )
    path, notes = open_draft(session, view)
    for note in notes:
        say(note)
    was_as_written = is_as_written(view, path)
    edit_file(path)
    session.refresh()
    new_view = need_open(session, need_seated(session, session.view(skip_cache=True)))
    if answered_turn_name(new_view) != answered_turn_name(view):
        problem = f"turn {new_view.turn} arrived while you were writing, so nothing was sealed"
        raise CliError(f"{problem}; your draft is kept in {path}", "pbem orders --edit", STALE)
    if was_as_written and is_as_written(new_view, path):
        problem = "you changed no line of the draft, so nothing was sealed"
        problem = f"{problem}; {describe_orders_in_force(session, new_view)}"
        raise CliError(problem, "to seal the draft as it is: pbem submit", FINDINGS)
    return new_view


def _seal(
    session: Session,
    view: View,
    draft: Draft,
    added_ends: Sequence[MissingEnd],
    *,
    json: bool,
    may_advance: bool,
) -> None:
    """Seal the draft and print the receipt; if the game waited only for a referee who plays, make
    the next turns too, if `may_advance`. `added_ends` are the ends that the draft got."""
    from pbem.acts.advance import make_turns_at_once, waits_for_nobody
    from pbem.cli.advance import print_run
    from pbem.terminal.delayed_interrupt import delayed_interrupt
    from pbem.wording.advance_report import next_lines

    sealed_draft = seal_draft(session, view, draft)
    may_make_turns = may_advance and waits_for_nobody(session, view)
    if json:
        with delayed_interrupt() as delay_interrupts:
            runs, _ = make_turns_at_once(session, delay_interrupts) if may_make_turns else ([], "")
            turn_paths = [name.path for run in runs for name, _ in run.outcome.new_records]
            ended_kinds = [end.kind for end in added_ends]
            print_check(draft, sealed_draft.id, turn_paths, ended_kinds=ended_kinds)
        return
    print_orders(view, draft)
    print("\n".join(sealed_draft.receipt_lines(final=may_make_turns)))
    for end in added_ends:
        print(added_end_note(end.kind, end.end))
    if may_make_turns:
        runs, stop_reason = make_turns_at_once(session, on_run=print_run)
        for line in next_lines(session, [run.outcome for run in runs], stop_reason):
            say(line)
    else:
        _print_next_step(session)


def _print_next_step(session: Session) -> None:
    """Print the next step, unless it is only to wait."""
    situation = situation_of(session)
    if next_step(situation).act:
        print(next_line(situation, session.place))
