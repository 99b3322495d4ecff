"""All commands, in the order in which a game needs them."""

from __future__ import annotations

from typing import ClassVar

import typer

from pbem.cli.lazy import LazyGroup


class Commands(LazyGroup):
    """All commands, in the order in which a game needs them."""

    places: ClassVar = {
        "new": "pbem.cli.gaming:new",
        "join": "pbem.cli.gaming:join",
        "advance": "pbem.cli.gaming:advance",
        "status": "pbem.cli.ordering:status",
        "orders": "pbem.cli.ordering:orders",
        "check": "pbem.cli.ordering:check",
        "submit": "pbem.cli.ordering:submit",
        "show": "pbem.cli.looking:show",
        "log": "pbem.cli.looking:log",
        "since": "pbem.cli.finding:since",
        "audit": "pbem.cli.auditing:audit",
        "send": "pbem.cli.mailing:send",
        "receive": "pbem.cli.mailing:receive",
        "explain": "pbem.cli.explaining:explain",
        "games": "pbem.cli.extras:games",
        "demo": "pbem.cli.extras:demo",
        "sim": "pbem.cli.extras:sim",
        "list": "pbem.cli.finding:list_games",
        "doctor": "pbem.cli.finding:doctor",
        "keys": "pbem.cli.extras:keys",
        "rules": "pbem.cli.extras:rules",
    }


app = typer.Typer(
    name="pbem",
    cls=Commands,
    help="A referee for card games by mail or shared folder, whose every turn anybody can audit.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from pbem import __version__

        print(f"pbem {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    version: bool = typer.Option(
        False, "--version", help="Print the version and exit.", callback=_version, is_eager=True
    ),
) -> None:
    """See the commands."""
