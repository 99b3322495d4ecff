"""All commands, in the order in which a game needs them."""

from __future__ import annotations

import typer

from pbem.cli import auditing, explaining, extras, finding, gaming, looking, ordering

app = typer.Typer(
    name="pbem",
    help="A referee for card games by mail or shared folder, whose every turn anybody can audit.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    gaming.new,
    gaming.join,
    gaming.advance,
    ordering.status,
    ordering.orders,
    ordering.check,
    ordering.submit,
    looking.show,
    looking.log,
    finding.since,
    auditing.audit,
    explaining.explain,
    extras.games,
    extras.demo,
    extras.sim,
):
    app.command()(command)
app.command("list")(finding.list_games)
app.command()(finding.doctor)
app.add_typer(extras.keys, name="keys")
app.add_typer(extras.rules, name="rules")


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
