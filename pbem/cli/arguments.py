"""How commands declare their options, and the reader of a command line; examples and help."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Final, get_args, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from pbem import __version__

# ---- How commands declare their options and arguments
#
# A command is a function. Each of its parameters is ``Annotated`` with an `Option` or an
# `Argument`; its type says whether it is a flag (``bool``) or takes a text, a whole number, a
# path, or several texts. Two readers use these declarations: `plain_line`, which needs no library,
# and `with_typer`.

Command = Callable[..., Any]
"""A command's function; a number that it returns is the exit code."""


class Declared:
    """What options and arguments have in common: their names, and settings that Typer also has."""

    def __init__(
        self,
        *names: str,
        help: str,  # noqa: A002 - Typer's name for it
        metavar: str | None = None,
        autocompletion: Callable[..., list[str]] | None = None,
        show_default: bool = True,
        envvar: str | None = None,
        callback: Callable[[str], str] | None = None,
        min: int | None = None,  # noqa: A002
        max: int | None = None,  # noqa: A002
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.autocompletion = autocompletion
        self.show_default = show_default
        self.envvar = envvar
        self.callback = callback
        self.min = min
        self.max = max


class Option(Declared):
    """An option, with the names that it has on the command line: `-C`, `--folder`."""


class Argument(Declared):
    """A value that is typed without a name, such as FOLDER in `pbem new FOLDER`."""


class Group:
    """Commands that begin with the same word, such as `pbem keys new` and `pbem keys show`."""

    def __init__(self, help: str) -> None:  # noqa: A002
        self.help = help
        self.commands: dict[str, Command] = {}

    def command(self, name: str) -> Callable[[Command], Command]:
        """Return a decorator that adds a function as the command ``name`` of this group."""

        def add(function: Command) -> Command:
            self.commands[name] = function
            return function

        return add


# ---- All commands, in the order in which a game needs them, and where each one is
#
# A command's module is imported only when somebody calls the command: importing all the modules
# would take as long as starting Python several times.

PLACES = {
    "new": "pbem.cli.starting:new",
    "join": "pbem.cli.starting:join",
    "advance": "pbem.cli.advance:advance",
    "status": "pbem.cli.status:status",
    "play": "pbem.cli.play:play",
    "orders": "pbem.cli.orders:orders",
    "check": "pbem.cli.orders:check",
    "submit": "pbem.cli.orders:submit",
    "tell": "pbem.cli.press:tell",
    "notice": "pbem.cli.notices:notice",
    "show": "pbem.cli.pictures:show",
    "replay": "pbem.cli.pictures:replay",
    "log": "pbem.cli.viewing:log",
    "since": "pbem.cli.viewing:since",
    "audit": "pbem.cli.viewing:audit",
    "send": "pbem.cli.mail:send",
    "receive": "pbem.cli.mail:receive",
    "post": "pbem.cli.post:post",
    "run": "pbem.cli.post:run",
    "notify": "pbem.cli.post:notify",
    "explain": "pbem.cli.viewing:explain",
    "table": "pbem.cli.table:table",
    "games": "pbem.cli.viewing:games",
    "demo": "pbem.cli.tools:demo",
    "sim": "pbem.cli.tools:sim",
    "list": "pbem.cli.status:list_games",
    "results": "pbem.cli.status:results",
    "calendar": "pbem.cli.calendar:calendar",
    "doctor": "pbem.cli.tools:doctor",
    "keys": "pbem.cli.tools:keys",
    "rules": "pbem.cli.tools:rules",
}
"""For each command, the ``module:name`` that `load` imports."""

SECTIONS = {
    "Commands": ("new", "join", "table", "play", "status", "run", "audit", "explain"),
    "More: make the next turn yourself": ("advance",),
    "More: write orders in a file": ("orders", "check", "submit"),
    "More: see what happened": ("since", "show", "log", "replay"),
    "More: talk, agree, or leave": ("tell", "notice"),
    "More: play by email": ("send", "receive", "post"),
    "More: all your games": ("list", "results", "calendar", "notify"),
    "More: if something is wrong": ("doctor", "keys"),
    "More: try out and study": ("games", "demo", "sim", "rules"),
}
"""The commands in the order of `pbem --help`: first those that everybody needs, then the others by
what you want to do."""


def load(place: str) -> Command | Group:
    """Import the object at ``module:name``: a command's function, or a group of commands."""
    module, _, name = place.partition(":")
    found: Command | Group = getattr(import_module(module), name)
    return found


# ---- Read a plain command line without Typer, whose import takes longer than most commands
#
# A line is plain if every word in it is known and complete: a command, its options with their
# values, its arguments. Anything else is left to Typer: help, mistakes, completion, and rare ways
# to write options. So only one reader explains mistakes. Both readers use the same declarations,
# and tests compare the values that they find.


class NotPlainError(Exception):
    """Typer must read this command line."""


def plain_call(words: Sequence[str]) -> Callable[[], Any] | None:
    """Return the call that a plain command line asks for, or None if Typer must read the line."""
    name, *rest = words or ("",)
    if name not in PLACES:
        return None
    found = load(PLACES[name])
    if isinstance(found, Group):
        name, *rest = rest or ("",)
        if name not in found.commands:
            return None
        found = found.commands[name]
    try:
        return partial(found, **PlainLine(found).read(rest))
    except NotPlainError:
        return None


class PlainLine:
    """The values that a plain line gives to the parameters of a command."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.values: dict[str, Any] = {}
        hints = get_type_hints(command, include_extras=True)
        hints.pop("return", None)
        self.parameters = [Parameter(name, hint) for name, hint in hints.items()]
        self.options = {name: one for one in self.parameters for name in one.declared.names}
        self.arguments = [x for x in self.parameters if isinstance(x.declared, Argument)]

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the values by the names of the parameters.

        Raises NotPlainError, and CliError for a value that the callback of its option refuses.
        """
        left = iter(words)
        unnamed = []
        for word in left:
            if _looks_like_option(word):
                self._option(word, left)
            else:
                unnamed.append(word)
        self._place(unnamed)
        self._check_complete()
        for one in self.parameters:
            if one.declared.callback and one.name in self.values:
                self.values[one.name] = one.declared.callback(self.values[one.name])
        return self.values

    def _option(self, word: str, left: Iterator[str]) -> None:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        option = self.options.get(name)
        if option is None or (option.kind is bool and equals):
            raise NotPlainError
        if option.kind is bool:
            self._set(option, True)
            return
        if not equals:
            value = next(left, "")
        if _looks_like_option(value):
            raise NotPlainError
        self._set(option, option.read(value))

    def _set(self, parameter: Parameter, value: Any) -> None:
        if parameter.kind is list:
            self.values.setdefault(parameter.name, []).append(value)
        elif parameter.name in self.values:
            raise NotPlainError
        else:
            self.values[parameter.name] = value

    def _place(self, unnamed: list[str]) -> None:
        """Give the words without a name to the arguments, in order."""
        arguments = self.arguments
        if len(arguments) == 1 and arguments[0].kind is list:
            arguments = arguments * len(unnamed)
        if len(unnamed) > len(arguments):
            raise NotPlainError
        for argument, word in zip(arguments, unnamed, strict=False):
            self._set(argument, argument.read(word))

    def _check_complete(self) -> None:
        """Raise NotPlainError if a required value is missing or may be in the environment."""
        code, defaults = self.command.__code__, self.command.__defaults__ or ()
        required = code.co_varnames[: code.co_argcount - len(defaults)]
        if any(name not in self.values for name in required):
            raise NotPlainError
        if any((one.declared.envvar or "") in os.environ for one in self.parameters):
            raise NotPlainError


class Parameter:
    """A parameter of a command's function: its name, its type, and how it is declared."""

    def __init__(self, name: str, hint: Any) -> None:
        self.name = name
        typed, self.declared = _parts(hint)
        (self.each,) = get_args(typed) or (typed,)  # str for list[str]
        self.kind = typed if self.each is typed else list

    def read(self, text: str) -> Any:
        """Return the value that a text stands for. Raises NotPlainError."""
        if not text:
            raise NotPlainError
        return _READERS[self.each](text, self.declared)


def _looks_like_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def _parts(hint: Any) -> tuple[Any, Declared]:
    """Return the type without None, and the declaration."""
    typed, declared = get_args(hint)
    if isinstance(typed, UnionType):
        (typed,) = [member for member in get_args(typed) if member is not type(None)]
    return typed, declared


def _number(text: str, declared: Declared) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < MOST_DIGITS):
        raise NotPlainError
    number = int(text)
    least = number if declared.min is None else declared.min
    most = number if declared.max is None else declared.max
    if not least <= number <= most:
        raise NotPlainError
    return number


def _path(text: str, declared: Declared) -> Path:
    if os.path.exists(text) and not os.access(text, os.R_OK):
        raise NotPlainError
    return Path(text)


MOST_DIGITS = 20
_READERS: dict[Any, Callable[[str, Declared], Any]] = {
    str: lambda text, declared: text,
    int: _number,
    Path: _path,
}


# ---- Give the commands to Typer, which reads the lines that `plain_line` leaves to it

MOST_HELP = 200
"""The most columns of a command's summary in the list; the text is wrapped, not cut."""


def for_typer(command: Command) -> Command:
    """Return a function that calls the command and declares its parameters as Typer expects."""

    def call(**values: Any) -> Any:
        return command(**values)

    hints = get_type_hints(command, include_extras=True)
    hints = {name: _translated(hint) for name, hint in hints.items() if name != "return"}
    given = signature(command)
    call.__name__, call.__doc__ = command.__name__, command.__doc__
    call.__annotations__ = hints
    call.__signature__ = given.replace(  # type: ignore[attr-defined]
        parameters=[p.replace(annotation=hints[p.name]) for p in given.parameters.values()]
    )
    return call


def _translated(hint: Any) -> Any:
    typed, declared = get_args(hint)
    make = typer.Option if isinstance(declared, Option) else typer.Argument
    settings = {name: value for name, value in vars(declared).items() if name != "names"}
    return Annotated[typed, make(*declared.names, **settings)]


WIDEST = max(len(name) for name in PLACES)


class WithExamples(TyperCommand):
    """A command whose help ends with examples, which are imported only when the help is printed."""

    whole_name = ""
    """For a command in a group, its name with the name of the group, such as `keys show`."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words (see click); every error knows for which command they were typed."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if getattr(error, "ctx", ctx) is None:
                error.ctx = ctx  # type: ignore[attr-defined]
            raise

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples (see click)."""

        self.epilog = epilog(self.whole_name or str(self.name))
        super().format_epilog(ctx, formatter)


class Outline(TyperCommand):
    """A command whose module is loaded only when the command runs or its help is printed."""

    def __init__(self, name: str, place: str) -> None:
        super().__init__(name, rich_markup_mode=None)
        self.place = place

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the summary of the command for the list (see click)."""
        found = load(self.place)
        self.help = found.help if isinstance(found, Group) else str(found.__doc__)
        return super().get_short_help_str(MOST_HELP)

    def built(self) -> Any:
        """Import the module, and return the complete command with its options."""
        found = load(self.place)
        if isinstance(found, Group):
            return _built_group(str(self.name), found)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(self.name, cls=WithExamples)(for_typer(found))
        return get_command(single)


def _built_group(name: str, group: Group) -> Any:
    whole = typer.Typer(help=group.help, no_args_is_help=True, rich_markup_mode=None)
    for inner, command in group.commands.items():
        whole.command(inner, cls=WithExamples)(for_typer(command))
    built: Any = get_group(whole)
    built.name = name
    for inner, found in built.commands.items():
        found.whole_name = f"{name} {inner}"
        found.short_help = (found.help or "").rstrip(".")
    return built


class Commands(TyperGroup):
    """All commands; the module of each is loaded only when it is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, place in PLACES.items():
            self.add_command(Outline(name, place))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands in their sections (see click)."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                rows = [(name, self.commands[name].get_short_help_str()) for name in names]
                formatter.write_dl([(name.ljust(WIDEST), told) for name, told in rows])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that was typed (see click)."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found.built() if isinstance(found, Outline) else found, rest


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


# ---- Two examples for every command; the help and the man page show them, and tests run them

EXAMPLES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "new": (
        (
            "pbem new savannah --players Ann,Bo,Cy",
            "make a game for three players; you deal but do not play",
        ),
        (
            "pbem new savannah --players Ann,Bo --referee-plays --bots greedy:1",
            "make a game in which you deal and also play, as Ann",
        ),
    ),
    "join": (
        (
            "pbem join - < invite.txt",
            "take a seat with the invite that you saved in a file",
        ),
        (
            "pbem join -C savannah --name Bob --invite - < invite.txt",
            "take a seat under a different name",
        ),
    ),
    "advance": (
        ("pbem advance", "make the next turn, or say who the game is waiting for"),
        ("pbem advance --start", "begin without the seats that are still empty"),
    ),
    "status": (
        ("pbem status", "see the state of the game, and what to do next"),
        ("pbem status --as b --json", "print the state as seat b sees it, as JSON"),
    ),
    "play": (
        ("pbem play", "enter your orders step by step, by typing numbers"),
        ("pbem play --next", "go through all games that are waiting for you, one after the other"),
    ),
    "orders": (
        ("pbem orders --edit", "write a draft and open it in $EDITOR"),
        ("pbem orders --new", "write a new draft; the old one is kept beside it"),
    ),
    "check": (
        ("pbem check", "check the draft in the same way as the referee will"),
        (
            "pbem check my-orders.toml --forecast",
            "check a file, and say what it does if nobody else acts",
        ),
    ),
    "submit": (
        ("pbem submit", "check, seal and hand in the draft"),
        (
            "pbem submit my-orders.toml --strict",
            "submit a different file, but only if it has no warnings",
        ),
    ),
    "tell": (
        (
            'pbem tell "I will not attack you, Bo"',
            "send a message to everyone, separately from the game",
        ),
        ('pbem tell --to a "shall we?"', "send a message that only the player in seat a can read"),
    ),
    "notice concede": (
        ("pbem notice concede --yes", "give up; the others play on"),
        ("pbem notice concede --as b --yes", "give up as seat b, if you have several seats"),
    ),
    "notice away": (
        (
            "pbem notice away 24 dec to 2 jan",
            "say that nobody needs to wait for you on these days",
        ),
        ("pbem notice away --back", "say that you are not away after all"),
    ),
    "notice delay": (
        ("pbem notice delay 24h", "put this deadline off by a day"),
        (
            "pbem notice delay 2 days --as b",
            "put the deadline off as seat b, if you have several seats",
        ),
    ),
    "notice clock": (
        ("pbem notice clock", "say that the last turn is dated in the future by mistake"),
        ("pbem notice clock --as b", "the same for seat b, if you play several seats"),
    ),
    "notice deadline": (
        ("pbem notice deadline 72h", "propose a deadline of 72 hours for the rest of the game"),
        ("pbem notice deadline 96h --phase feed", "propose a deadline for the feeding phase only"),
    ),
    "notice leave": (
        ("pbem notice leave --yes", "give up your seat, so that somebody else can take it"),
        ("pbem notice leave --as b --yes", "give up seat b, if you have several seats"),
    ),
    "notice end": (
        ("pbem notice end --draw", "vote to end the game as a draw"),
        (
            "pbem notice end",
            "vote to end the game with the scores as they are; --no takes your vote back",
        ),
    ),
    "notice key": (
        ("pbem notice key", "make a new key for your seat, signed with the old one"),
        (
            "pbem notice key --lost --as b",
            "after you lose your key: make a line to send to the other players",
        ),
    ),
    "notice vouch": (
        (
            "pbem notice vouch - < line.txt",
            "confirm a player's new key, with the line that they sent you",
        ),
        (
            "pbem notice vouch --as b - < line.txt",
            "confirm the key as seat b, if you have several seats",
        ),
    ),
    "notice hand-over": (
        ("pbem notice hand-over -C savannah --yes", "let the deputy make the turns from now on"),
        (
            "pbem notice hand-over -C savannah --yes --json",
            "hand the game over, and print the result as JSON",
        ),
    ),
    "notice invite": (
        ("pbem notice invite b", "print the invite for a new player in the open seat b"),
        ("pbem notice invite b --json", "print the invite as JSON"),
    ),
    "show": (
        ("pbem show", "see the table, with the cards that you may see"),
        ("pbem show --turn 9 --svg ../turn9.svg", "write a picture of the table after turn 9"),
    ),
    "replay": (
        (
            "pbem replay -o ../game.html",
            "write one web page in which you can step through the whole game",
        ),
        ("pbem replay --as b --from 3 --to 5", "write turns 3 to 5 as seat b sees them"),
    ),
    "log": (
        ("pbem log", "see everything that happened, in sentences"),
        ("pbem log --turn 3", "see only what happened in turn 3"),
    ),
    "since": (
        ("pbem since", "see what has happened since your last orders"),
        ("pbem since --json", "print it as JSON"),
    ),
    "audit": (
        ("pbem audit", "check the whole game; you do not need a key"),
        (
            "pbem audit savannah --json",
            "check the game in the folder savannah; print the result as JSON",
        ),
    ),
    "send": (
        ("pbem send", "write a bundle for the referee, to attach to an email"),
        (
            "pbem send --to b --all -o for-bo.pbem",
            "write everything from the start of the game to the file for-bo.pbem, for seat b",
        ),
    ),
    "receive": (
        (
            "pbem receive mail.eml",
            "read what came in an email, an attachment or a mailbox that you saved",
        ),
        ("pbem receive - < pasted.txt", "read a bundle from text that you copied from an email"),
    ),
    "post setup": (
        (
            "pbem post setup --address rhea@posteo.de --password-file mail-password",
            "set up a mailbox; for well-known providers, an address and a password are enough",
        ),
        (
            "pbem post setup --address me@gmail.com --password-command 'pass show mail'",
            "use a command that prints the password",
        ),
    ),
    "post test": (
        ("pbem post test", "send yourself a message and find it again"),
        ("pbem post test --profile work", "test the mailbox of the profile work"),
    ),
    "post show": (
        ("pbem post show", "see the mailbox, and messages that are waiting or were refused"),
        ("pbem post show --json", "print the same information as JSON"),
    ),
    "post address": (
        ("pbem post address b bo@example.org", "from now on, send Bo's mail to this address"),
        ("pbem post address", "list who has which address in this game"),
    ),
    "notify add": (
        (
            "pbem notify add ntfy://my-games-4711",
            "send notifications to the app ntfy on your phone",
        ),
        (
            "pbem notify add json://localhost:8080/pbem",
            "send notifications to a program of your own",
        ),
    ),
    "notify list": (
        ("pbem notify list", "list where notifications go, with secrets left out"),
        ("pbem notify list --json", "print the same information as JSON"),
    ),
    "notify test": (
        ("pbem notify test", "send a test notification to all addresses"),
        ("pbem notify test > /dev/null", "print only what went wrong"),
    ),
    "notify remove": (
        ("pbem notify remove 1", "stop notifications to address 1"),
        ("pbem notify remove 2", "stop notifications to address 2"),
    ),
    "run": (
        ("pbem run --once", "handle your mail and all your games once, for cron"),
        ("pbem run --print-unit", "print a systemd unit that starts pbem run with your computer"),
    ),
    "table": (
        ("pbem table", "show all your games in your browser; press Ctrl-C to stop"),
        (
            "pbem table -C savannah --no-browser",
            "only print the address of the table, which also lists the game savannah",
        ),
    ),
    "explain": (
        ("pbem explain long neck", "see what a card does; brackets and hyphens do not matter"),
        ("pbem explain PBEM-ORD-021", "see what an error means"),
    ),
    "results": (
        ("pbem results", "say who won what in all your games"),
        ("pbem results --csv", "print the same as a table for a spreadsheet"),
    ),
    "games": (
        ("pbem games", "list the rulesets and their options"),
        ("pbem games --json", "print the list as JSON"),
    ),
    "demo": (
        ("pbem demo", "let four bots play a sealed game, and audit it"),
        ("pbem demo --players 3 --seed 7", "play the same game every time"),
    ),
    "sim": (
        ("pbem sim {game} --games 2", "let random bots play two games, and print the results"),
        (
            "pbem sim {game} --games 2 --players 3 --bots greedy --json",
            "let three greedy bots play, and print the results as JSON",
        ),
    ),
    "list": (
        ("pbem list", "list all your games; those that are waiting for you come first"),
        ("pbem list --json", "print the list as JSON"),
    ),
    "calendar": (
        ("pbem calendar -o games.ics", "write a calendar file of the deadlines in all your games"),
        ("pbem calendar -C .", "print only the deadlines of the game in this folder"),
    ),
    "doctor": (
        ("pbem doctor", "see what is wrong with keys, clock or folder, and how to fix it"),
        (
            "pbem doctor --drop-caches",
            "delete the caches; pbem makes them again when it needs them",
        ),
    ),
    "keys new": (
        ("pbem keys new", "make a key before you need one"),
        ("pbem keys new --profile work", "make a second key to use in other games"),
    ),
    "keys show": (
        ("pbem keys show", "list your keys, and where they are"),
        ("pbem keys show --json", "print the list as JSON"),
    ),
    "keys deputy": (
        ("pbem keys deputy", "print the line that a referee needs to name you as the deputy"),
        ("pbem keys deputy --json", "print the line as JSON"),
    ),
    "keys import": (
        ("pbem keys import id_ed25519", "use an OpenSSH key that you have"),
        ("pbem keys import id_ed25519 --profile work", "store it under the profile name work"),
    ),
    "rules test": (
        ("pbem rules test cases.toml", "check that the program plays as the cases say"),
        ("pbem rules test cases.toml --json", "print the results as JSON"),
    ),
}


def examples(command: str) -> list[tuple[str, str]]:
    """Return pairs of a command line and what it does; `{game}` stands for the name of the first
    ruleset."""
    found = EXAMPLES.get(command, ())
    if any("{game}" in typed for typed, _ in found):
        from games.registry import first

        return [(typed.format(game=first()), told) for typed, told in found]
    return list(found)


def epilog(command: str) -> str:
    """Return the examples of a command as the end of its help; empty if there are no examples."""
    lines = [line for typed, told in examples(command) for line in (f"  {typed}", f"      {told}")]
    return "\n".join(["\b", "Examples:", *lines]) if lines else ""


# ---- Print `pbem --help` from a stored page, because importing Typer takes far longer than
# printing
#
# `python -m pbem.cli.manual --help-page > pbem/cli/help_page.txt` writes the page again; a
# test compares the stored page with the one that Typer prints.

COLUMNS = 80
"""A screen must have at least this many columns to show the stored page."""


def stored_page() -> str:
    """Return the stored page; empty if Typer must answer.

    Typer must answer on a narrow screen, because the lines are broken differently there.
    """
    return _read() if _wide() else ""


def _wide() -> bool:
    """Return whether Typer would print at its full width; it looks at `COLUMNS`, then at the
    terminal."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said) >= COLUMNS
    try:
        return (os.get_terminal_size(1).columns or COLUMNS) >= COLUMNS
    except OSError:  # not a terminal, and Typer takes 80 columns
        return True


def _read() -> str:
    path = os.path.join(os.path.dirname(__file__), "help_page.txt")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
