"""The command line: every command with its place and its summary, given to Typer.

A command's module is imported only when somebody calls the command or asks for its help: importing
all of them would take as long as starting Python several times.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from pbem import __version__

SECTIONS: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "Commands": {
        "learn": (
            "learn:learn",
            "Learn a game by playing it: a first game against a bot explains every step.",
        ),
        "new": ("starting:new", "Make a game and become its referee."),
        "join": ("starting:join", "Take your seat in a game."),
        "table": (
            "pictures:table",
            "Look at your games in your browser, and play there with a mouse; Ctrl-C ends it.",
        ),
        "play": (
            "play:play",
            "Enter your orders step by step: see what is new, what is asked, and choose by number.",
        ),
        "status": (
            "status:status",
            "Show the state of the game, who it waits for, and what to type next.",
        ),
        "run": (
            "post:run",
            "Look after all your games: receive mail, make turns, send what each person lacks.",
        ),
        "audit": (
            "viewing:audit",
            "Check every signature, card, die, move and line of a game; you need no key.",
        ),
        "explain": (
            "viewing:explain",
            "Explain a card, phase, kind of order, error or piece; without WORD, list all words.",
        ),
    },
    "More: make the next turn yourself": {
        "advance": ("advance:advance", "Make turns until a person is asked."),
    },
    "More: write orders in a file": {
        "orders": (
            "orders:orders",
            "Write a draft of your orders, with every legal choice as a comment.",
        ),
        "check": ("orders:check", "Check your orders as the referee will; nothing is sealed."),
        "submit": (
            "orders:submit",
            "Check, seal, sign and hand in your orders; another submit replaces them.",
        ),
    },
    "More: see what happened": {
        "since": ("viewing:since", "Show what happened since your last orders were used."),
        "show": ("pictures:show", "Show the table, with everything that you may see."),
        "log": (
            "viewing:log",
            "Show everything that happened, entry by entry, as far as you may see it.",
        ),
        "replay": (
            "pictures:replay",
            "Write a game as one web page: step through it without a server or a network.",
        ),
    },
    "More: talk, agree, or leave": {
        "tell": (
            "notices:tell",
            "Write a message to all players, or to one of them that nobody else can read.",
        ),
        "notice": (
            "notices:notice",
            "Sign a notice to all players: concede, agree to end the game, leave, get a new key …",
        ),
    },
    "More: play by email": {
        "send": (
            "mail:send",
            "Write a bundle for another player or the referee, to attach to an email.",
        ),
        "receive": (
            "mail:receive",
            "Read what came by mail: find the game's files, check them, and put them in place.",
        ),
        "post": ("post:post", "Your mailbox: set it up, test it, and say who has which address."),
    },
    "More: all your games": {
        "list": (
            "status:list_games",
            "List all your games, where they are, and which of them wait for you.",
        ),
        "results": (
            "status:results",
            "Say who won what, over all your games or those in a folder.",
        ),
        "calendar": (
            "calendar:calendar",
            "Write a calendar file (.ics) of what is due in all your games, or in the one with -C.",
        ),
        "notify": (
            "post:notify",
            "Where pbem run tells you that it is your move: ntfy, Telegram, desktop and more.",
        ),
    },
    "More: keep games for others": {
        "host": (
            "host:host",
            "Keep game folders for others, over HTTP; nobody needs to trust this computer.",
        ),
    },
    "More: if something is wrong": {
        "doctor": (
            "doctor:doctor",
            "Check keys, clock, folder and stray files; say what is wrong and how to fix it.",
        ),
        "keys": ("keys:keys", "Your keys: one for each profile."),
    },
    "More: try out and study": {
        "games": ("viewing:games", "List the rulesets that are installed."),
        "demo": (
            "demo:demo",
            "Bots play a whole sealed game in a real folder; then pbem audits it.",
        ),
        "sim": ("sim:sim", "Bots play games without files, on all cores; print the results."),
        "rules": ("sim:rules", "Check the rules, case by case."),
    },
}
"""For each section of `pbem --help`: its commands, each with its ``module:name`` in this package,
and its summary."""
COMMANDS: Final = {name: found for section in SECTIONS.values() for name, found in section.items()}


class Commands(TyperGroup):
    """All commands; the module of each is loaded only when the command is looked up."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: Any = dict.fromkeys(COMMANDS)  # what Typer suggests if a name was mistyped

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help (see click)."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command with this name; None if there is none (see click)."""
        return load(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands for the help, without importing them (see click)."""
        width = max(map(len, COMMANDS))
        for heading, commands in SECTIONS.items():
            with formatter.section(heading):
                rows = [(name.ljust(width), summary) for name, (_, summary) in commands.items()]
                formatter.write_dl(rows)


@cache
def all_examples() -> dict[str, dict[str, str]]:
    """Return, for each command, the lines that people may type, and what each of them does.

    In `examples.txt`, each block has a command's name, then two examples: what is typed, and below
    it what it does. `{game}` stands for the name of the first ruleset.
    """
    from games.data import package_data  # only help needs them
    from games.registry import first

    text = package_data("pbem.cli", "examples.txt").replace("{game}", first())
    blocks = text.strip().split("\n\n")
    rows = ([line.strip() for line in block.splitlines()] for block in blocks)
    return {name: dict(zip(rest[::2], rest[1::2], strict=True)) for name, *rest in rows}


class WithExamples(TyperCommand):
    """A command whose help ends with examples, and whose name each mistake in its line carries."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words that were typed (see click)."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if getattr(error, "ctx", ctx) is None:
                error.ctx = ctx  # type: ignore[attr-defined]
            raise

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples (see click)."""
        self.epilog = _examples(ctx)
        super().format_epilog(ctx, formatter)


class GroupWithExamples(TyperGroup):
    """A group of commands that is a command too, so that its help ends with examples."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples (see click)."""
        self.epilog = _examples(ctx)
        super().format_epilog(ctx, formatter)


def _examples(ctx: Any) -> str:
    examples = all_examples().get(ctx.command_path.partition(" ")[2], {}).items()
    lines = [line for typed, does in examples for line in (f"  {typed}", f"      {does}")]
    return "\n".join(["\b", "Examples:", *lines]) if lines else ""


def load(name: str) -> Any:
    """Import a command, or a group of commands, and return what Typer makes of it."""
    place, summary = COMMANDS[name]
    module, _, attribute = place.partition(":")
    found = getattr(import_module(f"pbem.cli.{module}"), attribute)
    if isinstance(found, typer.Typer):
        found.info.help, found.info.cls = summary, GroupWithExamples
        for inner in found.registered_commands:
            inner.cls = WithExamples
            inner.short_help = str(inner.callback.__doc__).rstrip(".")  # whole, not cut
        group = get_group(found)
        group.name = name
        return group
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(name, cls=WithExamples)(found)
    return get_command(single)


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
        print(f"pbem {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    version: bool = typer.Option(
        False, "--version", help="Print the version and exit.", callback=_version, is_eager=True
    ),
) -> None:
    """Define the options that are typed before a command, such as `--version`."""
