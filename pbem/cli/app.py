"""All commands, in the order in which a game needs them."""

from __future__ import annotations

from typing import ClassVar

import typer

from pbem.cli.lazy_commands import LazyGroup


class Commands(LazyGroup):
    """All commands, in the order in which a game needs them."""

    places: ClassVar = {
        "new": "pbem.cli.starting.new:new",
        "join": "pbem.cli.starting.join:join",
        "advance": "pbem.cli.turns.advance:advance",
        "status": "pbem.cli.status.status:status",
        "play": "pbem.cli.planning.play:play",
        "orders": "pbem.cli.orders.orders:orders",
        "check": "pbem.cli.orders.check:check",
        "submit": "pbem.cli.orders.submit:submit",
        "tell": "pbem.cli.press.tell:tell",
        "notice": "pbem.cli.notices.notice:notice",
        "show": "pbem.cli.pictures.show:show",
        "replay": "pbem.cli.pictures.replay:replay",
        "log": "pbem.cli.viewing.log:log",
        "since": "pbem.cli.viewing.since:since",
        "audit": "pbem.cli.viewing.audit:audit",
        "send": "pbem.cli.mail.send:send",
        "receive": "pbem.cli.mail.receive:receive",
        "post": "pbem.post.command:post",
        "run": "pbem.post.run_command:run",
        "notify": "pbem.post.notify.command:notify",
        "explain": "pbem.cli.viewing.explain:explain",
        "table": "pbem.table.command:table",
        "games": "pbem.cli.viewing.games:games",
        "demo": "pbem.cli.tools.demo:demo",
        "sim": "pbem.cli.tools.sim:sim",
        "list": "pbem.cli.status.list:list_games",
        "calendar": "pbem.cli.calendar.calendar:calendar",
        "doctor": "pbem.cli.tools.doctor:doctor",
        "keys": "pbem.cli.tools.keys:keys",
        "rules": "pbem.cli.tools.rules:rules",
    }


app = typer.Typer(
    name="pbem",
    cls=Commands,
    help="A referee for card games by mail or in a shared folder; anyone can audit every turn.",
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
    """Define the options that are typed before a command, such as `--version`."""
