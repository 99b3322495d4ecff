"""`status`, `orders`, `check`, `submit`: where I am, what I am asked, what I answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.failure import FINDINGS, STALE, CliError, say
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption, SeatOption
from pbem.cli.orders.order_file import older_draft, read, read_file
from pbem.cli.orders.receipt import dropped, echo, foreseen, newest, receipt, report
from pbem.storage.errors import FileError

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.drafts.read.read_draft import Draft
    from pbem.play.view import View

MEND = "pbem orders --edit, then pbem submit"
FileArgument = Annotated[
    str | None,
    typer.Argument(metavar="[FILE]", help="Your order file (default: your draft; - reads it)."),
]


def status(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Where the game stands, whom it waits for, and what to type next."""
    from pbem.cli.session.file_notes import say_notes
    from pbem.cli.session.session import Session
    from pbem.cli.turns.status_report import Standing

    session = Session(folder, seat, passphrase_file)
    standing = Standing(session)
    if json:
        from pbem.cli.json_output import print_data

        print_data("status", standing.data())
    else:
        print("\n".join(standing.lines()))
        say_notes(session)


def orders(
    edit: Annotated[bool, typer.Option("--edit", help="Open the draft in your editor.")] = False,
    again: Annotated[bool, typer.Option("--new", help="Write the draft anew.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Write a draft of your orders, with every legal choice as a comment."""
    from pbem.cli.orders.editor import edit_file
    from pbem.cli.session.session import Session
    from pbem.drafts.write.write_draft import write_draft

    session = Session(folder, seat, passphrase_file)
    view = need_open(session, need_view(session))
    path = session.home.game(view.game).draft(view.turn, view.seat)
    _make_way(session, view, path, again=again)
    if not path.exists():
        session.mine.write_draft(view.turn, view.seat, write_draft(view))
        _name_unsealed(session, view)
    if edit:
        edit_file(path)
        draft = read(path, view)
        report(session, view, draft, f"drafts/{path.name}")
        echo(view, draft)
        say("next: pbem orders --edit" if draft.errors else "next: pbem submit")
        finish(draft, strict=False)
    else:
        print(path)
        say("edit it, then: pbem check, pbem submit")


def _make_way(session: Session, view: View, path: Path, *, again: bool) -> None:
    """Keep a draft that is in the way beside the new one."""
    from pbem.drafts.read.read_draft import answered
    from pbem.storage.read_file import read_file as bytes_of

    if path.exists() and (again or not answered(bytes_of(path), view)):
        kept = session.mine.keep_draft(path)
        why = "" if again else ", which answers another turn than the one that is here"
        say(f"your draft{why}, is kept as {kept}" if why else f"your draft is kept as {kept}")


def _name_unsealed(session: Session, view: View) -> None:
    """Name the last draft if nothing was sealed in its turn: a new turn came while he wrote."""
    if (older := older_draft(session, view)) is None:
        return
    turn = int(older.name[:4])
    told = {turn, turn + 1} if view.seat in session.roles.held else {turn}
    # the referee, when he is not asked, seals for the turn that comes
    if not told & {f.name.turn for f in session.listing.orders if f.name.seat == view.seat}:
        say(f"your draft of turn {turn} was never sealed; to copy from: {older}")


def check(
    file: FileArgument = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    ahead: Annotated[
        bool, typer.Option("--forecast", help="What they do if nobody else acts.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check your orders as the referee will; nothing is sealed."""
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    view = need_view(session)
    draft, name = read_file(session, view, file)
    told = foreseen(view, draft) if ahead else []
    if json:
        _print_json(draft, forecast=told)
    else:
        report(session, view, draft, name, strict=strict)
        echo(view, draft)
        if told:
            print("\n  ".join(["if nobody else acts:", *told]))
    finish(draft, strict)


def submit(
    file: FileArgument = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check, seal, sign and hand in your orders; another submit replaces them."""
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    view = need_open(session, need_view(session, fresh=True))
    draft, name = read_file(session, view, file)
    if not json:
        report(session, view, draft, name, strict=strict)
    if draft.errors or (strict and draft.notes):
        if json:
            _print_json(draft)
        else:
            say(f"next: {mending(draft, file)}")
        finish(draft, strict)
    _seal(session, view, draft, json=json)


def _seal(session: Session, view: View, draft: Draft, *, json: bool) -> None:
    """Seal orders that are right; the receipt, and what comes next."""
    from pbem.cli.orders.open_questions import note_open
    from pbem.cli.orders.seal_orders import send
    from pbem.cli.session.seen_here import sealed_now
    from pbem.drafts.read.problem_texts import left_open

    reader: Any = session.reader_now(view.seat)
    before = newest(session, view)
    gone = dropped(view, reader, before, draft)
    record = send(session, reader, view.seat, draft.texts)
    left = left_open(view, draft.lines)
    note_open(session, record.id, left)
    sealed_now(session.mine, record.id)
    if json:
        _print_json(draft, record.id.hex())
        return
    echo(view, draft)
    receipt(view, record, before, left)
    for line in gone:
        print(f"it drops your standing line: {line}")
    _say_next(session, view, left)


def _say_next(session: Session, view: View, left: Sequence[str]) -> None:
    """What comes after sealing, for whoever goes on himself: by mail, or as the referee; or who
    has `left` a question open."""
    from pbem.cli.mail.mail_hints import sending_hint
    from pbem.cli.turns.status_report import Standing

    if view.seat in session.roles.held:
        session.refresh()
        print(f"next: {Standing(session).step}")
    elif left:
        print(f"next: {MEND}")
    else:
        sending_hint(session)


# ------------------------------------------------------------------ what they share
def need_view(session: Session, *, fresh: bool = False) -> View:
    """The view of my seat in a game that has begun."""
    view = session.view(fresh)
    if session.listing.gaps and (gaps := session.game_folder.gaps):
        where = f"turns/{gaps[0]:04}.toml"
        raise FileError("parent", where, "is missing, and later turns are here; get it first")
    if not view.seat:
        session.need_seat()
    if view.over:
        raise CliError("the game is over; no more orders are taken", "pbem audit", STALE)
    return view


def need_open(session: Session, view: View) -> View:
    """The view, if orders can be given now. Raises CliError for an answer that stays as it is."""
    from pbem.cli.orders.open_questions import answered_inside
    from pbem.cli.turns.status_report import Standing

    if told := answered_inside(session, view):
        raise CliError(told, Standing(session).step, STALE)
    return view


def mending(draft: Draft, file: str | None) -> str:
    """What to type after orders that were not sealed."""
    from pbem.screen.terminal import typed

    if draft.stale:
        return "pbem orders, which writes a draft for the turn that is here"
    if file is None:
        return MEND
    what = "your lines" if file == "-" else typed(file)
    return f"mend {what}, then pbem submit {file if file == '-' else typed(file)}"


def finish(draft: Draft, strict: bool) -> None:
    """Exit 3 for orders of another turn, 1 for errors, else go on."""
    if draft.stale:
        raise typer.Exit(STALE)
    if draft.errors or (strict and draft.notes):
        raise typer.Exit(FINDINGS)


def _print_json(draft: Draft, sealed: str = "", forecast: Sequence[str] = ()) -> None:
    from pbem.cli.json_output import print_data
    from pbem.drafts.read.problem_report import note_data

    print_data(
        "check",
        {
            "lines": draft.texts,
            "notes": [note_data(note) for note in draft.notes],
            "ok": not draft.errors,
            "sealed": sealed,
            "forecast": list(forecast),
        },
    )
