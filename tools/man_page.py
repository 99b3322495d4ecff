"""The man page, from the texts of `--help`: `python -m tools.man_page > docs/pbem.1`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem import __version__
from pbem.cli.command_list_and_help import COMMANDS, all_examples, app, load
from pbem.wording.find_explanation import explanations

FILES = (
    ("game.toml, seats/, turns/, orders/, final.toml", "the game folder, which all players share"),
    (
        "$PBEM_HOME",
        "your home, with your keys, drafts and caches; keep it outside the shared folder",
    ),
)
COMPLETION = (
    "`pbem --install-completion` teaches your shell the commands, options, games and seats, and "
    "the words that `pbem explain` knows; `pbem --show-completion` prints what it would add."
)
VARIABLES = (
    ("PBEM_HOME", "your home, which is your private folder; by default, it is in your data folder"),
    (
        "PBEM_FOLDER",
        "the game folder, as with -C: a path, or an address such as s3://club/savannah",
    ),
    ("PBEM_AS", "the seat that you act for, as with --as"),
    ("PBEM_TABLE", "32 hex digits to use instead of random ones, as with `pbem new --table`"),
    (
        "VISUAL, EDITOR",
        (
            "the editor that `pbem orders --edit` opens; the default is sensible-editor, nano or "
            "vi (on Windows: notepad)"
        ),
    ),
    ("NO_COLOR, TERM", "whether `pbem show` uses colours"),
    ("COLUMNS, LINES", "the width and height of the screen; by default, `pbem` asks the terminal"),
    (
        "SOURCE_DATE_EPOCH",
        "the time to use instead of the clock's, in seconds since 1970, for tests",
    ),
)


def man_page() -> str:
    """Return the man page as roff, for man(1). One version of pbem gives the same page on every
    machine."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    """Yield the lines of the page."""
    yield f'.TH PBEM 1 "" "pbem {__version__}" "pbem"'
    description = str(app.info.help).rstrip(".")
    yield from (".SH NAME", f"pbem \\- {_roff(description[:1].lower() + description[1:])}")
    yield from (".SH SYNOPSIS", ".B pbem", "COMMAND [OPTIONS] [ARGUMENTS]")
    yield from (".SH COMMANDS", "Every command takes \\-h.")
    for name, command in commands():
        yield from _command(name, command)
    yield from (".SH COMPLETION", _roff(COMPLETION))
    yield ".SH EXIT STATUS"
    for code, meaning in explanations()["exits"].items():
        yield from _item(code.removeprefix("exit "), meaning)
    yield ".SH ENVIRONMENT"
    for name, meaning in VARIABLES:
        yield from _item(name, meaning)
    yield ".SH FILES"
    for name, meaning in FILES:
        yield from _item(name, meaning)


def commands() -> list[tuple[str, Any]]:
    """Return every command, also in groups, in the order of the help: its full name, and the
    command of Typer."""
    rows: list[tuple[str, Any]] = []
    for name in COMMANDS:
        command = load(name)
        subcommands = getattr(command, "commands", {})
        if not subcommands or command.invoke_without_command:
            rows.append((name, command))
        rows += [
            (f"{name} {subcommand_name}", subcommand)
            for subcommand_name, subcommand in subcommands.items()
        ]
    return rows


def _command(name: str, command: Any) -> Iterator[str]:
    """Yield the lines about one command: its help, its arguments and options, and its examples."""
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    metavars = " ".join(_metavar(argument) for argument in arguments)
    yield f".SS pbem {_roff(name)} {_roff(metavars)}".rstrip()
    yield _roff(" ".join((command.help or "").split()))
    for argument in arguments:
        yield from _item(_metavar(argument), argument.help or "")
    for option in options:
        if "--help" not in option.opts:
            value = "" if option.is_flag else f" {_metavar(option)}"
            yield from _item(", ".join(option.opts) + value, option.help or "")
    for example, effect in all_examples().get(name, {}).items():
        yield from (".PP", f".B {_roff(example)}", ".br", _roff(effect))


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or str(parameter.name).upper().replace("_", "-"))


def _item(name: str, meaning: str) -> Iterator[str]:
    yield from (".TP", f".B {_roff(name)}", _roff(meaning))


def _roff(text: str) -> str:
    """Escape text for roff, so that readers can copy hyphens and no line looks like a roff
    command."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return f"\\&{text}" if text[:1] in (".", "'") else text


if __name__ == "__main__":
    print(man_page(), end="")
