"""The options that many commands share, and what a shell can complete."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from games.registry import names
from pbem.errors import CliError
from pbem.person.session import Session
from pbem.terminal.printing import say
from pbem.text.clock import set_now

if TYPE_CHECKING:
    from pbem.person.restore_last_sealed_orders import LastOrdersNote


def _print_last_orders_note(note: LastOrdersNote) -> None:
    from pbem.wording.sealed_orders import last_orders_sentence

    say(f"note: {last_orders_sentence(note)}")


Session.on_last_orders_note = _print_last_orders_note

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
FoldersArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="FOLDER…", help="The game folder, or several (default: here)."),
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
        help="For scripts: 32 hex digits instead of random ones; the same command, typed again, "
        "then makes no second game.",
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
    int,
    typer.Option(
        "--port",
        min=0,
        max=65535,
        help="The port to use (default: any free port).",
        show_default=False,
    ),
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
    accepted_values = ("auto", "always", "never")
    if color not in accepted_values:
        close_matches = get_close_matches(color, accepted_values, 1, 0.3)
        hint = ", ".join(accepted_values)
        if close_matches:
            hint = f"did you mean --color {close_matches[0]}?"
        raise CliError(f"--color takes auto, always or never, not {color!r}", hint)


def named_folders(folders: Sequence[str] | None, folder: str | None) -> Sequence[str | None]:
    """Return the folders that a command names, with or without `-C`; `[None]` if it names none.
    Raises CliError if it does both."""
    if folders and folder:
        raise CliError("you named folders both with -C and without it", "leave out -C")
    return folders or [folder]
