"""Read what came by mail for the person here, and say what to do next."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.desk.base import complain, say
from pbem.desk.game_here import command_at, named_place
from pbem.desk.replies import WrittenReplies
from pbem.desk.session import Session
from pbem.desk.situation import situation_of
from pbem.errors import KEY, CliError, PbemError
from pbem.files.disk import FileError, read_file
from pbem.files.folder import Place
from pbem.files.home import Home
from pbem.format.canonical import EXIT, WORST_FIRST
from pbem.records.charter import Join, Orders
from pbem.records.notice import Notice
from pbem.records.press import REFEREE, Press
from pbem.records.read_record import Content
from pbem.records.turn import Turn
from pbem.screen.terminal import brief, clean

if TYPE_CHECKING:
    from pbem.mail.filing import Delivery, Receiving

# ---- Read mail for the command `receive`, and print what came


def fetch(files: list[str], folder: str | None) -> int:
    """Read everything in these files; return the worst exit code. Raises StorageError."""
    from pbem.mail.filing import Places, Receiving

    home, place = Home.find(), named_place(folder)
    intake, replies = Receiving(Places(home, Path("."), place)), WrittenReplies(home, place)
    for file in files:
        data, name = _read(file)
        if not replies.take(data, name):
            intake.open(data, name)
    intake.deliver()
    changed = replies.changed
    for delivery in intake.deliveries:
        session = Session(delivery.root, home=home)
        print("\n".join(what_came(session, delivery)))
        print(f"next: {next_step(session)}")
        changed.pop(session.game_folder.game, None)
    for session in changed.values():
        session.refresh()
        print(f"next: {next_step(session)}")
    return _worst(_complaints(intake), replies.code)


def _read(file: str) -> tuple[bytes, str]:
    """Return the bytes of one file or of the pasted text, and a name for it in messages.

    Raises CliError, FileError, StorageError.
    """
    from pbem.mail.opening import MAX_POST

    if file == "-":
        if sys.stdin.isatty():
            say("paste the email here, then press Enter and Ctrl-D (Windows: Enter, Ctrl-Z, Enter)")
        data, name = sys.stdin.buffer.read(MAX_POST + 1), "what you pasted"
    else:
        # links that the user made may be followed
        path = os.path.realpath(os.path.expanduser(file))
        if not os.path.lexists(path):
            raise CliError(f"there is no file {file}", "give the path of the file that you saved")
        if os.path.isdir(path):
            raise CliError(
                f"{file} is a folder",
                "give the paths of the files in the folder, or zip the folder",
            )
        return _file(path, MAX_POST), os.path.basename(file)
    if len(data) > MAX_POST:
        raise _too_long(name, MAX_POST)
    return data, name


def _file(path: str, most: int) -> bytes:
    """Return the bytes of a file. Raises CliError if the file is too large; also FileError,
    StorageError."""
    try:
        return read_file(Path(path), most)
    except FileError as error:
        if error.reason != "size":
            raise
        raise _too_long(os.path.basename(path), most) from None


def _too_long(name: str, most: int) -> CliError:
    told = f"{name} is longer than {most >> 20} MB"
    return CliError(
        told, "save only this game's emails to a file, and give the path of that file", KEY
    )


# ------------------------------------------------------------------ what was received
def what_came(session: Session, delivery: Delivery) -> list[str]:
    """Return sentences on what a game received; also notes who sends mail in this game."""
    from pbem.mail.sending import what_is_in

    where = brief(delivery.root)
    made = (
        f"; made the folder {where}" if delivery.made else "" if where == "." else f", in {where}"
    )
    here = f"{delivery.here} here already" if delivery.here else ""
    new = f"new: {what_is_in(delivery.new)}" if delivery.new else "nothing new"
    what = "; ".join(part for part in (new, here) if part)
    _remember(session, delivery)
    late = [f"your {one}" for one in _late(session, delivery)]
    return [f"{clean(delivery.title)}: {what}{made}", *late]


def _late(session: Session, delivery: Delivery) -> list[str]:
    """Return sentences on those of your orders that came too late, as the new turns show."""
    from pbem.mail.sending import MissingFiles

    turns = [record.content.turn for record in delivery.new if isinstance(record.content, Turn)]
    own = sorted(session.roles.seats.keys() - session.roles.held)
    if not turns or not own:
        return []
    try:
        lacks = MissingFiles(session.game_folder)
    except FileError:  # `status` says which file is not a turn
        return []
    return [told for seat in own for told in lacks.late(seat, min(turns) - 1)]


def _remember(session: Session, delivery: Delivery) -> None:
    """Remember which players use mail; if you are a player, remember that the referee does."""
    from pbem.mail.sending import SentMail

    if not session.roles.referee:
        SentMail(session.mine).came([REFEREE])
        return
    others = [r for r in delivery.new if r.content.seat not in session.roles.seats]
    seats = {r.content.seat for r in others if r.content.seat and _from_a_player(r.content)}
    joins = [record.id for record in others if isinstance(record.content, Join)]
    if seats or joins:
        SentMail(session.mine).came(seats, joins)


def _from_a_player(content: Content) -> bool:
    return isinstance(content, Orders | Press | Notice)


# ------------------------------------------------------------------ what was not
def _worst(*codes: int) -> int:
    return next((code for code in WORST_FIRST if code in codes), 0)


MOST_PATHS = 3
"""The most files in one folder that are named one by one."""


def _kept(paths: Sequence[Path]) -> list[str]:
    """Say where files were kept: their paths or, if there are many, their number and folder."""
    lines = []
    for folder in dict.fromkeys(path.parent for path in paths):
        mine = [str(path) for path in paths if path.parent == folder]
        lines += mine if len(mine) <= MOST_PATHS else [f"{len(mine)} files, in {folder}"]
    return lines


def _complaints(intake: Receiving) -> int:
    sys.stdout.flush()
    if intake.repaired:
        names = ", ".join(sorted({clean(name) for name in intake.repaired}))
        count = len(intake.repaired)
        say(
            f"mail programs changed {count} of the files ({names}) on the way, and pbem has "
            "repaired them"
        )
    for refusal in intake.refusals:
        what = f"{refusal.source}: {refusal.sentence}"
        say(f"note: {clean(what)}") if refusal.reason == "parent" else complain(what)
    for line in _kept(intake.kept):
        say(f"kept unchanged: {line}")
    codes = {EXIT[refusal.reason] for refusal in intake.refusals}
    return next((code for code in WORST_FIRST if code in codes), 0)


# ---- Say after `receive` what to type next, as `pbem status` would

STATUS = "pbem status"


def next_step(session: Session) -> str:
    """Return what to do next in a game for which something arrived."""
    place = session.place
    if session.gaps:
        name = clean(session.game_folder.maker().name)
        told = f"ask {name} for the bundle that `pbem send --all` writes"
        return f"{told}, and read it with `pbem receive`"
    if session.roles.referee or session.roles.seats:
        return _there(place, _as_status_says(session))
    if session.listing.turns:
        return command_at(place, "pbem show")
    join = command_at(place, "pbem join --invite …")
    return f"{join} (the invite you were sent), then pbem send"


def _as_status_says(session: Session) -> str:
    """Return the next step that `pbem status` names.

    If `status` fails, or needs a passphrase or the name of a seat, return the command `status`.
    """
    try:
        with session.keyring.not_asking():  # `receive` needs no key just to say what is next
            return situation_of(session).next
    except PbemError:
        return STATUS


def _there(place: Place, said: str) -> str:
    """Add the game folder to the first command of a step, unless you are in it."""
    if said.startswith("pbem "):
        return command_at(place, said)
    waits, _, command = said.rpartition(", then ")
    return f"{waits}, then {command_at(place, command)}" if waits else said
