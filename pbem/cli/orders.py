"""The commands `orders`, `check` and `submit`: write, check and seal orders in a file."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from engine import DONE
from pbem.acts.order_files import (
    MAX_ORDER_BYTES,
    TYPED_NAME,
    is_as_written,
    open_draft,
    read,
    read_file,
    read_typed,
)
from pbem.acts.seal_orders import (
    describe_orders_in_force,
    ended_draft,
    foreseen,
    keep_ends,
    need_open,
    need_seated,
    seal_draft,
)
from pbem.cli.options import FolderOption, JsonOption, NoAdvanceOption, PassphraseOption, SeatOption
from pbem.drafts.checked_rows import Draft, MissingEnd, with_ends
from pbem.drafts.notes_on_orders import note_data, note_lines
from pbem.drafts.orders_in_prose import describe_orders
from pbem.drafts.read_order_file import position
from pbem.errors import FINDINGS, STALE, CliError
from pbem.files.syscalls import find_program
from pbem.judge.game_view import View
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_to_type import at_address
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.paths_to_type import brief, shell_quote
from pbem.terminal.printing import say
from pbem.wording.drafts import (
    EDIT_AGAIN_STEP,
    EDIT_STEP,
    MEND_INPUT_STEP,
    NEW_DRAFT_STEP,
    forecast_lines,
    hidden_problems_line,
    mend_file_step,
    next_command_line,
    not_written_line,
)
from pbem.wording.next_step import next_line
from pbem.wording.order_receipts import added_end_note, nothing_sealed_line

FileArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE]", help="Your order file (default: your draft). Use - to type the orders."
    ),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")]


def check(
    file: FileArgument = None,
    strict: StrictOption = False,
    with_forecast: Annotated[
        bool, typer.Option("--forecast", help="Also say what the orders do if nobody else acts.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check your orders as the referee will; nothing is sealed."""
    session = Session(folder, seat, passphrase_file)
    view = need_seated(session, session.view())
    draft, name = _read_orders(session, view, file)
    draft, added_ends, missing_ends = ended_draft(view, draft)
    events = foreseen(view, draft) if with_forecast else []
    if json:
        print_check(draft, forecast=events, ended_kinds=[end.kind for end in added_ends])
    else:
        _warn_of_ends(missing_ends)
        _print_problems(session, view, draft, name, strict=strict)
        for end in added_ends:
            print(f"pbem submit: {added_end_note(end.kind, end.end)}")
        _print_orders(view, draft)
        for line in forecast_lines(events):
            print(line)
    exit_if_unusable(draft, strict, missing_ends)


def _read_orders(session: Session, view: View, file: str | None) -> tuple[Draft, str]:
    """Read the order file that was named; standard input for `-`, the draft for None. Return the
    orders, and the name of their file in messages."""
    if file != "-":
        return read_file(session, view, file)
    data = sys.stdin.buffer.read(MAX_ORDER_BYTES + 1)
    return read_typed(data, view), TYPED_NAME


# ---- Print the problems in orders, and the orders in prose

MAX_NOTES: Final = 20
"""The most problems that are shown for one order file; errors come before warnings."""


def _print_problems(
    session: Session, view: View, draft: Draft, name: str, *, strict: bool = False
) -> None:
    """Print each problem with its line and the legal choices, in the order of the file. If the
    orders cannot be sealed, also say which orders still count. With `strict`, warnings prevent that
    too."""
    errors_first = sorted(draft.notes, key=lambda note: note.level != "error")
    shown_notes = errors_first[:MAX_NOTES]
    for note in draft.notes:
        if note in shown_notes:
            say("\n".join(note_lines(note, name)))
    hidden_levels = [note.level for note in errors_first[MAX_NOTES:]]
    if hidden_levels:
        say(hidden_problems_line(hidden_levels))
    error_count = len(draft.errors)
    warning_count = len(draft.notes) - error_count if strict else 0
    if error_count or warning_count:
        say(
            nothing_sealed_line(error_count, warning_count, describe_orders_in_force(session, view))
        )


def _warn_of_ends(missing_ends: Iterable[MissingEnd]) -> None:
    """Warn of lists whose ends only the player can add."""
    for missing_end in missing_ends:
        say(f"warning: {missing_end.consequence}")


def _print_orders(view: View, draft: Draft) -> None:
    """Print the orders in prose, and whose they are."""
    if draft.errors:
        return
    print(f"as {view.seat} ({clean(view.names[view.seat])}):")
    for line in describe_orders(view, draft.lines):
        print(f"  {line}")


def correcting_step(draft: Draft, file: str | None) -> str:
    """Return the command with which the user can correct orders that were not sealed. `file` is the
    file as named on the command line: `-` for typed orders, None for the draft."""
    if draft.stale:
        return NEW_DRAFT_STEP
    if file is None:
        return EDIT_AGAIN_STEP
    return MEND_INPUT_STEP if file == "-" else mend_file_step(shell_quote(file))


def exit_if_unusable(draft: Draft, strict: bool, missing_ends: Sequence[MissingEnd] = ()) -> None:
    """Exit with 3 if the orders are for a different turn, with 1 if there are errors; otherwise
    return. With `strict`, warnings are errors, also those about `missing_ends`."""
    if draft.stale:
        raise SystemExit(STALE)
    if draft.errors or (strict and (draft.notes or missing_ends)):
        raise SystemExit(FINDINGS)


def print_check(
    draft: Draft,
    order_id: str = "",
    turn_paths: Sequence[str] = (),
    forecast: Sequence[str] = (),
    ended_kinds: Sequence[str] = (),
) -> None:
    """Print the result of a check as JSON.

    If the orders were sealed, `order_id` is their id, and `turn_paths` has the files of the turns
    that were made at once. `ended_kinds` are the kinds whose lists get an end when sealed.
    """
    print_data(
        "check",
        {
            "lines": draft.texts,
            "notes": [note_data(note) for note in draft.notes],
            "ok": not draft.errors,
            "sealed": order_id,
            "forecast": list(forecast),
            "added": list(ended_kinds),
            **({"made": list(turn_paths)} if order_id else {}),
        },
    )


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
    draft, name = _read_orders(session, view, file)
    draft, added_ends, missing_ends = ended_draft(view, draft)
    can_ask = not json and file != "-" and sys.stdin.isatty()
    if missing_ends and can_ask and not draft.errors:
        wished_kinds = ends_wished(missing_ends)
        wished_ends = [end for end in missing_ends if end.kind in wished_kinds]
        draft, added_ends = with_ends(view, draft, wished_ends), [*added_ends, *wished_ends]
        missing_ends = [end for end in missing_ends if end.kind not in wished_kinds]
    elif not json:
        _warn_of_ends(missing_ends)
    if not json:
        _print_problems(session, view, draft, name, strict=strict)
    if draft.errors or (strict and (draft.notes or missing_ends)):
        if json:
            print_check(draft)
        else:
            say(next_command_line(at_address(session.place, correcting_step(draft, file))))
        exit_if_unusable(draft, strict, missing_ends)
    if added_ends and file is None:
        keep_ends(session, view, added_ends)
    _seal(session, view, draft, added_ends, json=json, may_advance=not no_advance)


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
    if position(new_view) != position(view):
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
    from pbem.terminal.interrupts import delayed_interrupt
    from pbem.wording.advance import next_lines

    sealed_draft = seal_draft(session, view, draft)
    may_make_turns = may_advance and waits_for_nobody(session, view)
    if json:
        with delayed_interrupt() as delay_interrupts:
            runs, _ = make_turns_at_once(session, delay_interrupts) if may_make_turns else ([], "")
            turn_paths = [name.path for run in runs for name, _ in run.outcome.new_records]
            ended_kinds = [end.kind for end in added_ends]
            print_check(draft, sealed_draft.id, turn_paths, ended_kinds=ended_kinds)
        return
    _print_orders(view, draft)
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


# ---- Open the draft in your editor, or in the first common editor that is installed

ON_WINDOWS = sys.platform == "win32"
_SET_EDITOR = r"set EDITOR=C:\path\to\editor.exe" if ON_WINDOWS else "export EDITOR=/path/to/editor"
EDITOR_HINT = f"say which editor to use: {_SET_EDITOR}, then pbem orders --edit"
COMMON_EDITORS = ("notepad",) if ON_WINDOWS else ("sensible-editor", "nano", "vi")


def edit_file(path: Path) -> None:
    """Open the file in the editor and wait until the editor closes. Raises CliError if no editor
    can be started, or if it ends with an error."""
    words = _editor_command()
    program = find_program(words[0]) or words[0]
    try:
        process = subprocess.run([program, *words[1:], str(path)], check=False)
    except OSError as error:
        problem = f"the editor {program} could not be started: {error.strerror}"
        raise CliError(f"{problem}; your draft is {path}", EDITOR_HINT) from None
    if process.returncode:
        problem = f"the editor {' '.join(words)} ended with code {process.returncode}"
        raise CliError(f"{problem}; your draft is {path}")


def _editor_command() -> list[str]:
    """Return the program and arguments in VISUAL or EDITOR; if neither is set, the first common
    editor that is installed. Raises CliError."""
    setting = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if setting.strip():
        try:
            words = shlex.split(setting, posix=not ON_WINDOWS)
        except ValueError:
            words = []
        if not words:
            raise CliError(f"pbem cannot read the value of EDITOR: {setting}", EDITOR_HINT)
        return [word.strip('"') for word in words] if ON_WINDOWS else words
    editor = next((name for name in COMMON_EDITORS if find_program(name)), "")
    if not editor:
        names = ", ".join(COMMON_EDITORS)
        raise CliError(f"no editor was found; pbem looked for {names}", EDITOR_HINT)
    return [editor]


def orders(
    edit: Annotated[bool, typer.Option("--edit", help="Open the draft in your editor.")] = False,
    start_anew: Annotated[
        bool, typer.Option("--new", help="Write a new draft; the old one is kept.")
    ] = False,
    only_path: Annotated[
        bool, typer.Option("--where", help="Only print where the draft is; write nothing.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Write a draft of your orders, with every legal choice as a comment."""
    session = Session(folder, seat, passphrase_file)
    if only_path:
        _print_draft_path(session)
        return
    view = need_open(session, need_seated(session, session.view()))
    path, notes = open_draft(session, view, starts_anew=start_anew)
    for note in notes:
        say(note)
    if edit:
        edit_file(path)
        draft = read(path, view)
        _print_problems(session, view, draft, f"drafts/{path.name}")
        _print_orders(view, draft)
        step = "pbem orders --edit" if draft.errors else "pbem submit"
        say(next_command_line(at_address(session.place, step)))
        exit_if_unusable(draft, strict=False)
    else:
        _print_path(path)
        say(EDIT_STEP)


def _print_draft_path(session: Session) -> None:
    """Print where the draft for this turn is, and what to type if it is not written yet. Raises
    CliError if the user has no seat."""
    view = session.view()
    if not view.seat:
        session.need_seat()
    path = session.draft_of(view)
    _print_path(path)
    if not path.exists():
        say(not_written_line(at_address(session.place, "pbem orders")))


def _print_path(path: Path) -> None:
    """Print a path: in a terminal short, as a person opens it; for a program, whole."""
    print(brief(path) if sys.stdout.isatty() else path)
