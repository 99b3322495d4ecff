"""The command `explain`: words of a game, and what each means."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

import typer

from engine import Ruleset
from games.registry import names
from pbem.cli.shared_options import (
    FolderOption,
    JsonOption,
    PassphraseOption,
    SeatOption,
    complete_game,
)
from pbem.errors import CliError
from pbem.judge.game_ruleset import NO_CARD_FILE, ruleset_called, ruleset_of
from pbem.judge.records_of_game_folder import NoGameError
from pbem.person.session import Session
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import print_folded, stdout_style
from pbem.terminal.table import wrapped
from pbem.wording.find_explanation import (
    EXPLAINED_WORDS_HEADING,
    explanations_by_word,
    find_text,
    groups,
    names_piece,
    print_text,
)


def complete_word(ctx: Any, incomplete: str) -> list[str]:
    """Complete a word for `explain` in the rules of `--game` or of the folder's game, with hyphens
    for spaces."""
    with suppress(Exception):  # then the shell simply completes nothing
        ruleset = _ruleset(ctx.params.get("game") or "", ctx.params.get("folder"))
        entry_names = [name for group in groups(ruleset).values() for name in group]
        words = dict.fromkeys(name.lower().replace(" ", "-") for name in entry_names)
        return [word for word in words if word.startswith(incomplete.lower())]
    return []


def explain(
    words: Annotated[
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
            autocompletion=complete_game,
            help="The ruleset (default: the ruleset of the game in this folder).",
        ),
    ] = "",
    cards_template: Annotated[
        bool,
        typer.Option(
            "--cards-template", help="Print a card file, in which you can change the card values."
        ),
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Explain a card, phase, kind of order, error or piece; without WORD, list all words."""
    only_word = words[0] if words and len(words) == 1 else ""
    ruleset = _ruleset(game, folder)
    # the name of a ruleset, alone, asks for all its words, unless it is a word of this game
    is_ruleset_name = bool(only_word) and only_word in names()
    if is_ruleset_name and only_word in explanations_by_word(ruleset):
        is_ruleset_name = False
    if is_ruleset_name and not game:
        ruleset = _ruleset(only_word, folder)
    if cards_template:
        if ruleset.card_file is None:
            raise CliError(NO_CARD_FILE.format(name=ruleset.name))
        print(ruleset.card_file.template(), end="")
    elif not words or is_ruleset_name:
        _print_all_words(ruleset, json)
    else:
        word, view = " ".join(words), None
        if not game and names_piece(word):
            view = Session(folder, seat, passphrase_file).view()
        entry = find_text(ruleset, word, view)
        if json:
            print_data("explain", entry._asdict())
        else:
            print_text(entry)


def _ruleset(game: str, folder: str | None) -> Ruleset[Any]:
    """Return the ruleset named `game`; without a name, that of the game in the folder, and if
    there is none, the default. Raises CliError for an unknown name."""
    if game:
        return ruleset_called(game)
    try:
        return ruleset_of(Session(folder).game_folder.charter.content)
    except NoGameError:
        return ruleset_called("")


def _print_all_words(ruleset: Ruleset[Any], json: bool) -> None:
    """Print all words that `explain` knows in this ruleset, in groups."""
    words_by_group = {group: list(texts) for group, texts in groups(ruleset).items() if texts}
    if json:
        ruleset_data = {"ruleset": ruleset.name, "title": ruleset.title, "about": ruleset.about}
        print_data("explain", ruleset_data | {"groups": words_by_group})
        return
    style = stdout_style()
    print_folded(f"{ruleset.title}: {ruleset.about}")
    print(EXPLAINED_WORDS_HEADING)
    for group, words in words_by_group.items():
        for line in wrapped(words, style.width, f"  {group}: "):
            print(style.encodable(line))
