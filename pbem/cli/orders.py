"""The commands `orders`, `check` and `submit`."""

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
from pbem.acts.orders import (
    MAX_ORDER_BYTES,
    TYPED_NAME,
    describe_orders_in_force,
    ended_draft,
    foreseen,
    is_as_written,
    keep_ends,
    need_open,
    need_seated,
    open_draft,
    read,
    read_file,
    read_typed,
    seal_draft,
)
from pbem.cli.options import FolderOption, JsonOption, NoAdvanceOption, PassphraseOption, SeatOption
from pbem.drafts.read import Draft, MissingEnd, note_data, note_lines, position, with_ends
from pbem.drafts.write import describe_orders
from pbem.errors import FINDINGS, STALE, CliError
from pbem.files.syscalls import find_program
from pbem.judge.view import View
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.terminal.commands import at_address
from pbem.terminal.output import print_data
from pbem.terminal.terminal import brief, clean, say, shell_quote
from pbem.wording.drafts import (
    EDIT_AGAIN_STEP,
    EDIT_STEP,
    MEND_INPUT_STEP,
    NEW_DRAFT_STEP,
    forecast_lines,
    mend_file_step,
    next_command_line,
    not_written_line,
)
from pbem.wording.next_step import next_line
from pbem.wording.receipts import added_end_note, hidden_problems_line, nothing_sealed_line

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
    ahead: Annotated[
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
    events = foreseen(view, draft) if ahead else []
    if json:
        print_check(draft, forecast=events, added=[end.kind for end in added_ends])
    else:
        _warn_of_ends(missing_ends)
        _print_problems(session, view, draft, name, strict=strict)
        for end in added_ends:
            print(f"pbem submit: {added_end_note(end.kind, end.end)}")
        _print_orders(view, draft)
        for line in forecast_lines(events):
            print(line)
    finish(draft, strict, missing_ends)


def _read_orders(session: Session, view: View, file: str | None) -> tuple[Draft, str]:
    """Read the order file that was named, what is typed in its place, or the draft; return it with
    its name for messages."""
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
    """Print each problem with its line and the legal choices, then the orders that still count."""
    errors_first = sorted(draft.notes, key=lambda note: note.level != "error")
    shown_notes = errors_first[:MAX_NOTES]
    for note in draft.notes:
        if note in shown_notes:
            say("\n".join(note_lines(note, name)))
    if hidden_levels := [note.level for note in errors_first[MAX_NOTES:]]:
        say(hidden_problems_line(hidden_levels))
    error_count = len(draft.errors)
    warning_count = len(draft.notes) - error_count if strict else 0
    if error_count or warning_count:
        say(
            nothing_sealed_line(error_count, warning_count, describe_orders_in_force(session, view))
        )


def _warn_of_ends(missing: Iterable[MissingEnd]) -> None:
    """Warn of lists whose ends only the player can add."""
    for missing_end in missing:
        say(f"warning: {missing_end.consequence}")


def _print_orders(view: View, draft: Draft) -> None:
    """Print the orders in prose, and whose they are."""
    if draft.errors:
        return
    print(f"as {view.seat} ({clean(view.names[view.seat])}):")
    for line in describe_orders(view, draft.lines):
        print(f"  {line}")


def mending(draft: Draft, file: str | None) -> str:
    """Return the command with which the user can correct orders that were not sealed."""
    if draft.stale:
        return NEW_DRAFT_STEP
    if file is None:
        return EDIT_AGAIN_STEP
    return MEND_INPUT_STEP if file == "-" else mend_file_step(shell_quote(file))


def finish(draft: Draft, strict: bool, missing_ends: Sequence[MissingEnd] = ()) -> None:
    """Exit with 3 if the orders are for a different turn, with 1 if there are errors; otherwise
    return. With `strict`, warnings are errors, also those about `missing_ends`."""
    if draft.stale:
        raise SystemExit(STALE)
    if draft.errors or (strict and (draft.notes or missing_ends)):
        raise SystemExit(FINDINGS)


def print_check(
    draft: Draft,
    sealed: str = "",
    made: Sequence[str] = (),
    forecast: Sequence[str] = (),
    added: Sequence[str] = (),
) -> None:
    """Print the result of a check as JSON; ``sealed`` is the id of the sealed orders, ``made``
    names the turns that were made at once, ``added`` the kinds whose lists got an end."""
    print_data(
        "check",
        {
            "lines": draft.texts,
            "notes": [note_data(note) for note in draft.notes],
            "ok": not draft.errors,
            "sealed": sealed,
            "forecast": list(forecast),
            "added": list(added),
            **({"made": list(made)} if sealed else {}),
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
        view = _edited(session, view, file)
    draft, name = _read_orders(session, view, file)
    draft, added, left = ended_draft(view, draft)
    if left and not json and not draft.errors and file != "-" and sys.stdin.isatty():
        kinds = ends_wished(left)
        wished = [one for one in left if one.kind in kinds]
        draft, added = with_ends(view, draft, wished), [*added, *wished]
        left = [one for one in left if one.kind not in kinds]
    elif not json:
        _warn_of_ends(left)
    if not json:
        _print_problems(session, view, draft, name, strict=strict)
    if draft.errors or (strict and (draft.notes or left)):
        if json:
            print_check(draft)
        else:
            say(next_command_line(at_address(session.place, mending(draft, file))))
        finish(draft, strict, left)
    if added and file is None:
        keep_ends(session, view, added)
    _seal(session, view, draft, added, json=json, may_advance=not no_advance)


def ends_wished(missing: Iterable[MissingEnd], ask: Callable[[str], str] = input) -> list[str]:
    """Ask on the terminal, about each list whose end only the player can add, whether to add it;
    return the kinds of these lists. `pass` is a choice of the game, so nothing adds it unasked."""
    wished = list[str]()
    for one in missing:
        print(f"{one.consequence}.")
        is_yes = one.end == DONE
        hint = "Enter or y = yes, n = no" if is_yes else "Enter or n = no, y = yes"
        typed = ask(f"add the line “{one.end}” now? {hint} > ").strip().lower()
        if typed[:1] == "y" or (is_yes and typed[:1] != "n"):
            wished.append(one.kind)
    return wished


def _edited(session: Session, view: View, file: str | None) -> View:
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
    now = need_open(session, need_seated(session, session.view(skip_cache=True)))
    if position(now) != position(view):
        told = f"turn {now.turn} arrived while you were writing, so nothing was sealed"
        raise CliError(f"{told}; your draft is kept in {path}", "pbem orders --edit", STALE)
    if was_as_written and is_as_written(now, path):
        told = "you changed no line of the draft, so nothing was sealed"
        told = f"{told}; {describe_orders_in_force(session, now)}"
        raise CliError(told, "to seal the draft as it is: pbem submit", FINDINGS)
    return now


def _seal(
    session: Session,
    view: View,
    draft: Draft,
    added: Sequence[MissingEnd],
    *,
    json: bool,
    may_advance: bool,
) -> None:
    """Seal the draft and print the receipt; if the game waited only for a referee who plays, make
    the next turns too."""
    from pbem.acts.advance import make_turns_at_once, waits_for_nobody
    from pbem.cli.advance import print_run
    from pbem.terminal.interrupts import delayed_interrupt
    from pbem.wording.advance import next_lines

    done = seal_draft(session, view, draft)
    ready = may_advance and waits_for_nobody(session, view)
    if not json:
        _print_orders(view, draft)
        print("\n".join(done.receipt_lines(final=ready)))
        for one in added:
            print(added_end_note(one.kind, one.end))
    if json:
        with delayed_interrupt() as hold:
            steps, _ = make_turns_at_once(session, hold) if ready else ([], "")
            made = [name.path for one in steps for name, _ in one.outcome.new_records]
            print_check(draft, done.id, made, added=[one.kind for one in added])
    elif ready:
        runs, stop_reason = make_turns_at_once(session, on_run=print_run)
        for line in next_lines(session, [run.outcome for run in runs], stop_reason):
            say(line)
    else:
        _say_next(session)


def _say_next(session: Session) -> None:
    """Print the next step, unless it is only to wait."""
    situation = situation_of(session)
    if next_step(situation).act:
        print(next_line(situation, session.place))


# ---- Open the draft in your editor, or in the first common editor that is installed

ON_WINDOWS = sys.platform == "win32"
_SET = r"set EDITOR=C:\path\to\editor.exe" if ON_WINDOWS else "export EDITOR=/path/to/editor"
CURE = f"say which editor to use: {_SET}, then pbem orders --edit"


def edit_file(path: Path) -> None:
    """Open the file in the editor and wait until the editor closes. Raises CliError."""
    words = _editor()
    program = find_program(words[0]) or words[0]
    try:
        done = subprocess.run([program, *words[1:], str(path)], check=False)
    except OSError as error:
        told = f"the editor {program} could not be started: {error.strerror}; your draft is {path}"
        raise CliError(told, CURE) from None
    if done.returncode:
        raise CliError(f"{' '.join(words)} ended with code {done.returncode}; your draft is {path}")


def _editor() -> list[str]:
    said = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if said.strip():
        try:
            words = shlex.split(said, posix=not ON_WINDOWS)
        except ValueError:
            words = []
        if not words:
            raise CliError(f"pbem cannot read the value of EDITOR: {said}", CURE)
        return [word.strip('"') for word in words] if ON_WINDOWS else words
    usual = ("notepad",) if ON_WINDOWS else ("sensible-editor", "nano", "vi")
    found = next((name for name in usual if find_program(name)), "")
    if not found:
        raise CliError(f"no editor was found; pbem looked for {', '.join(usual)}", CURE)
    return [found]


def orders(
    edit: Annotated[bool, typer.Option("--edit", help="Open the draft in your editor.")] = False,
    again: Annotated[
        bool, typer.Option("--new", help="Write a new draft; the old one is kept.")
    ] = False,
    where: Annotated[
        bool, typer.Option("--where", help="Only print where the draft is; write nothing.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Write a draft of your orders, with every legal choice as a comment."""
    session = Session(folder, seat, passphrase_file)
    if where:
        _print_where(session)
        return
    view = need_open(session, need_seated(session, session.view()))
    path, notes = open_draft(session, view, starts_anew=again)
    for note in notes:
        say(note)
    if edit:
        edit_file(path)
        draft = read(path, view)
        _print_problems(session, view, draft, f"drafts/{path.name}")
        _print_orders(view, draft)
        step = "pbem orders --edit" if draft.errors else "pbem submit"
        say(next_command_line(at_address(session.place, step)))
        finish(draft, strict=False)
    else:
        _print_path(path)
        say(EDIT_STEP)


def _print_where(session: Session) -> None:
    view = session.view()
    if not view.seat:
        session.need_seat()
    path = session.draft_of(view)
    _print_path(path)
    if not path.exists():
        say(not_written_line(at_address(session.place, "pbem orders")))


def _print_path(path: Path) -> None:
    """Print a path as a person opens it, or, for a program, whole."""
    print(brief(path) if sys.stdout.isatty() else path)
