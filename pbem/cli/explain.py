"""The command `explain`: words of a game, and what each means."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

import typer

from engine import Ruleset
from games.registry import names
from pbem.cli.options import (
    FolderOption,
    JsonOption,
    PassphraseOption,
    SeatOption,
    complete_game,
)
from pbem.errors import CliError
from pbem.judge.archive import NoGameError
from pbem.judge.rules import ruleset_of
from pbem.person.session import Session
from pbem.terminal.output import print_data
from pbem.terminal.table import wrapped
from pbem.terminal.terminal import print_folded, stdout_style
from pbem.wording.explain import (
    EXPLAINED_WORDS_HEADING,
    entries,
    find,
    groups,
    names_piece,
    print_text,
    ruleset_called,
)


def complete_word(ctx: Any, incomplete: str) -> list[str]:
    """Complete a word for `explain` in the rules of `--game` or of the folder's game, with hyphens
    for spaces."""
    with suppress(Exception):  # then the shell simply completes nothing
        ruleset = _ruleset(ctx.params.get("game") or "", ctx.params.get("folder"))
        known = [name for group in groups(ruleset).values() for name in group]
        words = dict.fromkeys(name.lower().replace(" ", "-") for name in known)
        return [word for word in words if word.startswith(incomplete.lower())]
    return []


def explain(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD]...",
            autocompletion=complete_word,
            help="The card, phase, order, error or piece (such as b2) to explain.",
        ),
    ] = None,
    game: Annotated[
        str,
        typer.Option(
            autocompletion=complete_game, help="The ruleset (default: that of the game here)."
        ),
    ] = "",
    cards_template: Annotated[
        bool, typer.Option("--cards-template", help="Print a card file to start from.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Explain a card, phase, kind of order, error or piece; without WORD, list all words."""
    named = what[0] if what and len(what) == 1 and what[0] in names() else ""
    ruleset = _ruleset(game, folder)
    if named and named in entries(ruleset):
        named = ""  # the word is also a term of this game
    elif named and not game:
        ruleset = _ruleset(named, folder)
    if cards_template:
        if ruleset.card_file is None:
            told = "does not take a card file, because all its card values are known"
            raise CliError(f"{ruleset.name} {told}")
        print(ruleset.card_file.template(), end="")
    elif not what or named:
        _list(ruleset, json)
    else:
        word, view = " ".join(what), None
        if not game and names_piece(word):
            view = Session(folder, seat, passphrase_file).view()
        text = find(ruleset, word, view)
        if json:
            print_data("explain", text._asdict())
        else:
            print_text(text)


def _ruleset(game: str, folder: str | None) -> Ruleset[Any]:
    if game:
        return ruleset_called(game)
    try:
        return ruleset_of(Session(folder).game_folder.charter.content)
    except NoGameError:
        return ruleset_called("")


def _list(ruleset: Ruleset[Any], json: bool) -> None:
    found = {group: list(texts) for group, texts in groups(ruleset).items() if texts}
    if json:
        about = {"ruleset": ruleset.name, "title": ruleset.title, "about": ruleset.about}
        print_data("explain", about | {"groups": found})
        return
    style = stdout_style()
    print_folded(f"{ruleset.title}: {ruleset.about}")
    print(EXPLAINED_WORDS_HEADING)
    for group, words in found.items():
        for line in wrapped(words, style.width, f"  {group}: "):
            print(style.encodable(line))
