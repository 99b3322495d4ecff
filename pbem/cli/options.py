"""The options that many commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pbem.cli.clock import set_now
from pbem.cli.command_line.declarations import Option
from pbem.cli.completion import complete_seat

FolderOption = Annotated[
    str | None,
    Option("-C", "--folder", metavar="FOLDER", help="The game folder (default: here)."),
]
SeatOption = Annotated[
    str | None,
    Option(
        "--as",
        metavar="SEAT",
        autocompletion=complete_seat,
        help="Which of your seats to act for, if you have several.",
    ),
]
JsonOption = Annotated[bool, Option("--json", help="Print JSON instead of text.")]
PassphraseOption = Annotated[
    Path | None,
    Option("--passphrase-file", metavar="FILE", help="The file with your key's passphrase."),
]
NoPressOption = Annotated[bool, Option("--no-press", help="Leave out the players' messages.")]
ProfileOption = Annotated[str, Option("--profile", help="Which of your keys to use.")]
RulesOption = Annotated[
    list[str] | None,
    Option("--option", metavar="NAME=VALUE", help="Set an option of the ruleset."),
]
TableOption = Annotated[
    str,
    Option(
        "--table",
        metavar="HEX",
        envvar="PBEM_TABLE",
        help="32 hex digits to use instead of random ones.",
    ),
]
NowOption = Annotated[
    str,
    Option(
        "--now",
        metavar="TIME",
        callback=set_now,
        help="The time to use instead of the clock's, for tests and simulations.",
    ),
]
NoAdvanceOption = Annotated[
    bool,
    Option(
        "--no-advance",
        help="As the referee: do not make the next turn, even if it waited only for you.",
    ),
]
JobsOption = Annotated[
    int | None,
    Option(
        "--jobs", min=1, metavar="NUMBER", help="How many processes to use (default: one per core)."
    ),
]
PortOption = Annotated[
    int, Option("--port", min=0, max=65535, help="The port to use (default: any free port).")
]
NoBrowserOption = Annotated[
    bool, Option("--no-browser", help="Only print the address; do not open a browser.")
]
ColourOption = Annotated[
    str, Option("--color", metavar="WHEN", help="When to use colours: auto, always or never.")
]


def check_colour(color: str) -> None:
    """Raise CliError for a value that `--color` does not accept."""
    from difflib import get_close_matches

    from pbem.cli.failure import CliError

    known = ("auto", "always", "never")
    if color not in known:
        close = get_close_matches(color, known, 1, 0.3)
        hint = f"did you mean --color {close[0]}?" if close else ", ".join(known)
        raise CliError(f"--color takes auto, always or never, not {color!r}", hint)
