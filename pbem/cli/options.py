"""The options that many commands share, and what a shell can complete."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from games.registry import names
from pbem.errors import BUG, DISK, FINDINGS, KEY, NOT_YET, RULES, STALE, USAGE, CliError, PbemError
from pbem.person.session import Session
from pbem.terminal.failures import sentence_of
from pbem.terminal.terminal import clean, say
from pbem.text.clock import set_now

# ---- What a shell can complete; modules are imported only when it asks


def complete_game(incomplete: str) -> list[str]:
    """Complete the name of an installed ruleset."""
    return [name for name in names() if name.startswith(incomplete)]


def complete_seat(ctx: Any, incomplete: str) -> list[str]:
    """Complete one of the user's own seats in the game of the current folder."""
    with suppress(Exception):  # then the shell simply completes nothing
        seats = Session(ctx.params.get("folder")).roles.seats
        return [seat for seat in sorted(seats) if seat.startswith(incomplete.lower())]
    return []


# ---- The options that many commands share

FolderOption = Annotated[
    str | None,
    typer.Option("-C", "--folder", metavar="FOLDER", help="The game folder (default: here)."),
]
SeatOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="SEAT",
        autocompletion=complete_seat,
        help="Which of your seats to act for, if you have several.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
PassphraseOption = Annotated[
    Path | None,
    typer.Option("--passphrase-file", metavar="FILE", help="The file with your key's passphrase."),
]
NoPressOption = Annotated[bool, typer.Option("--no-press", help="Leave out the players' messages.")]
ProfileOption = Annotated[str, typer.Option("--profile", help="Which of your keys to use.")]
RulesOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Set an option of the ruleset."),
]
TableOption = Annotated[
    str,
    typer.Option(
        "--table",
        metavar="HEX",
        envvar="PBEM_TABLE",
        help="32 hex digits to use instead of random ones.",
    ),
]
NowOption = Annotated[
    str,
    typer.Option(
        "--now",
        metavar="TIME",
        callback=set_now,
        help="The time to use instead of the clock's, for tests and simulations.",
    ),
]
NoAdvanceOption = Annotated[
    bool,
    typer.Option(
        "--no-advance",
        help="If you are also the referee: do not make the next turn, even if it waits only for "
        "you.",
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="NUMBER", help="How many processes to use (default: one per core)."
    ),
]
PortOption = Annotated[
    int, typer.Option("--port", min=0, max=65535, help="The port to use (default: any free port).")
]
PrintUnitOption = Annotated[
    bool, typer.Option("--print-unit", help="Print a systemd unit that runs this command.")
]
NoBrowserOption = Annotated[
    bool, typer.Option("--no-browser", help="Only print the address; do not open a browser.")
]
ColourOption = Annotated[
    str, typer.Option("--color", metavar="WHEN", help="When to use colours: auto, always or never.")
]


def check_colour(color: str) -> None:
    """Raise CliError for a value that `--color` does not accept."""
    known = ("auto", "always", "never")
    if color not in known:
        close = get_close_matches(color, known, 1, 0.3)
        hint = f"did you mean --color {close[0]}?" if close else ", ".join(known)
        raise CliError(f"--color takes auto, always or never, not {color!r}", hint)


# ---- Do one thing in several games: what goes wrong in one does not stop the others

FoldersArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="FOLDER…", help="The game folder, or several (default: here)."),
]


def named_folders(folders: Sequence[str] | None, folder: str | None) -> Sequence[str | None]:
    """Return the folders of a line, named with or without `-C`. Raises CliError for both."""
    if folders and folder:
        raise CliError("name the folders either with -C or without it", "leave out -C")
    return folders or [folder]


class Failed(NamedTuple):
    """A failure in one game."""

    folder: str
    sentence: str
    exit: int


@contextmanager
def caught(failed: list[Failed], folder: str | None, *, quiet: bool = False) -> Iterator[None]:
    """Note an error of one game in `failed`, and print it unless `quiet`."""
    try:
        yield
    except PbemError as error:
        one = Failed(clean(folder or ""), clean(sentence_of(error) or ""), error.exit)
        failed.append(one)
        if not quiet:
            say(f"{one.folder}: {'' if one.exit == NOT_YET else 'error: '}{one.sentence}")


EXIT_CODES_WORST_FIRST = (BUG, RULES, KEY, STALE, DISK, USAGE, FINDINGS, NOT_YET)
"""The exit codes (docs/errors.md): the first tells most about what went wrong in a game."""


def worst_exit_code(codes: Collection[int]) -> int:
    """Return the exit code that tells most about what went wrong in several games; 0 if nothing
    did."""
    return next((code for code in EXIT_CODES_WORST_FIRST if code in codes), 0)


# ---- The systemd units that `--print-unit` prints

UNIT = """\
# Save this as ~/.config/systemd/user/{name}.service, and type:
#   systemctl --user enable --now {name}
#   loginctl enable-linger        (so that it runs while you are not logged in)
# To see what it does:  journalctl --user -u {name} -f
[Unit]
Description={about}
Wants=network-online.target
After=network-online.target

[Service]
ExecStart={command}
{environment}Restart=on-failure
RestartSec=60
RestartPreventExitStatus=2 4

[Install]
WantedBy=default.target
"""


def write_unit(name: str, words: Sequence[str], about: str) -> str:
    """Write a unit that runs `pbem` with these words, for this user, home and installation."""
    words = [sys.executable, "-m", "pbem", *words]
    home = os.environ.get("PBEM_HOME", "")
    environment = f"Environment={_quoted(f'PBEM_HOME={home}')}\n" if home else ""
    command = " ".join(map(_quoted, words))
    return UNIT.format(name=name, command=command, about=about, environment=environment)


def _quoted(word: str) -> str:
    word = word.replace("%", "%%")
    if not any(c in word for c in " \t\"'\\$"):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$") + '"'
