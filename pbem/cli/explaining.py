"""`explain`: a card, a phase, a kind of order, an error."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.failure import CliError
from pbem.cli.options import FolderOption, JsonOption

if TYPE_CHECKING:
    from engine import Ruleset, Text


def explain(
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD]...", help="A card, phase, order or error.")
    ] = None,
    game: Annotated[str, typer.Option("--game", help="Of which ruleset (default: here).")] = "",
    cards_template: Annotated[
        bool, typer.Option("--cards-template", help="Print a card file to begin with.")
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """What a card, phase, kind of order or error means; alone it lists them."""
    from dataclasses import asdict

    named = what[0] if what and len(what) == 1 and what[0] in _games() else ""
    ruleset = _ruleset(game or named, folder)
    if cards_template:
        _template(ruleset)
        return
    if not what or named:
        _list(ruleset)
        return
    text = find(ruleset, " ".join(what))
    if json:
        from pbem.cli.data import print_data

        print_data("explain", asdict(text))
        return
    print(f"{text.title}\n  {text.body}")
    if text.house:
        print(f"  house rule: {text.house}")
    print(f"  source: {text.source}")


def _games() -> list[str]:
    from games.registry import names

    return names()


def _template(ruleset: Ruleset[Any]) -> None:
    """The commented card file of a ruleset that takes one. Raises CliError."""
    if ruleset.card_file is None:
        raise CliError(f"{ruleset.name} takes no card file: all its values are printed")
    print(ruleset.card_file.template(), end="")


def _ruleset(game: str, folder: Any) -> Ruleset[Any]:
    """The ruleset that is named, else that of the game in the folder, else the first."""
    from games.registry import UnknownGame, first, names, ruleset

    try:
        return ruleset(game) if game else _here(folder) or ruleset(first())
    except UnknownGame:
        close = difflib.get_close_matches(game, names(), 1)
        hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(names())}"
        raise CliError(f"no game is called {game!r}", hint) from None


def _here(folder: Any) -> Ruleset[Any] | None:
    """The ruleset of the game in the folder, with its owner's values, if there is one."""
    from pbem.cli.session import Session
    from pbem.play.chronicle import NoGameError
    from pbem.play.rules import ruleset_of

    try:
        return ruleset_of(Session(folder).chronicle.charter.content)
    except NoGameError:
        return None


def entries(ruleset: Ruleset[Any]) -> dict[str, Text]:
    """Everything that can be explained, by the word one asks with."""
    from engine import Text
    from pbem.play.problems import PROBLEMS

    found = {_word(name): text for name, text in ruleset.texts().items()}
    for phase in ruleset.phases:
        found.setdefault(_word(phase.name), Text(phase.name, _doc(phase), ruleset.title))
    for kind in ruleset.kinds.values():
        how = "each line in turn" if kind.script else "the first line that fits counts"
        body = f"a kind of order: {kind.question} ({how})"
        found.setdefault(_word(kind.name), Text(kind.name, body, "pbem, order files"))
    for code, body in PROBLEMS.items():
        found[_word(code)] = Text(code, body, "pbem, order files")
    return found


def find(ruleset: Ruleset[Any], asked: str) -> Text:
    """The text for what was asked. Raises CliError with what it could have been."""
    known = entries(ruleset)
    word = re.sub(r" -?\d+$", "", _word(asked)) if _word(asked) not in known else _word(asked)
    if word in known:
        return known[word]
    starts = [name for name in known if name.startswith(word)]
    if len(starts) == 1:
        return known[starts[0]]
    close = starts or difflib.get_close_matches(word, list(known), 3)
    hint = f"did you mean {', '.join(close[:5])}?" if close else "`pbem explain` alone lists all"
    raise CliError(f"{ruleset.name} has nothing called {asked!r}", hint)


def _word(name: str) -> str:
    return re.sub(r"[\s_]+", " ", name.replace("pbem-ord", "PBEM-ORD")).strip().lower()


def _doc(phase: Any) -> str:
    doc = " ".join((phase.run.__doc__ or "").split())
    return f"{phase.doc}: {doc}" if phase.doc else doc


def _list(ruleset: Ruleset[Any]) -> None:
    print(f"{ruleset.title}: {ruleset.about}")
    if ruleset.notes:
        print(ruleset.notes)
    print("`pbem explain WORD` for one of")
    names = list(entries(ruleset))
    for name in names:
        print(f"  {name}")
