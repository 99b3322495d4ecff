"""The command `explain`: say what a card, a phase, a kind of order or an error means."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pbem.cli.command_line.declarations import Argument, Option
from pbem.cli.completion import Quiet, complete_game
from pbem.cli.failure import CliError
from pbem.cli.options import FolderOption, JsonOption

if TYPE_CHECKING:
    from engine import Kind, Ruleset, Text


def complete_word(ctx: Any, incomplete: str) -> list[str]:
    """Complete a word for `explain` in the rules of `--game` or of the folder's game, with hyphens
    for spaces."""
    with Quiet():
        ruleset = _ruleset(ctx.params.get("game") or "", ctx.params.get("folder"))
        found = [name for group in groups(ruleset).values() for name in group]
        words = dict.fromkeys(name.lower().replace(" ", "-") for name in found)
        return [word for word in words if word.startswith(incomplete.lower())]
    return []


GameOption = Annotated[
    str,
    Option(
        "--game", autocompletion=complete_game, help="The ruleset (default: that of the game here)."
    ),
]


def explain(
    what: Annotated[
        list[str] | None,
        Argument(
            metavar="[WORD]...",
            autocompletion=complete_word,
            help="The card, phase, order or error to explain.",
        ),
    ] = None,
    game: GameOption = "",
    cards_template: Annotated[
        bool, Option("--cards-template", help="Print a card file to start from.")
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Explain a card, phase, kind of order or error; without WORD, list all words."""
    named = what[0] if what and len(what) == 1 and what[0] in _games() else ""
    ruleset = _ruleset(game, folder)
    if named and named in entries(ruleset):
        named = ""  # the word is also a term of this game
    elif named and not game:
        ruleset = _ruleset(named, folder)
    if cards_template:
        _template(ruleset)
        return
    if not what or named:
        _list(ruleset, json)
        return
    text = find(ruleset, " ".join(what))
    if json:
        from pbem.cli.json_output import print_data

        print_data("explain", text._asdict())
        return
    print_text(text)


def print_text(text: Text) -> None:
    """Print an explanation: its title, its text, and its source."""
    from pbem.screen.terminal import stdout_style

    style = stdout_style()
    said = [text.body, f"house rule: {text.house}" if text.house else "", f"source: {text.source}"]
    print(style.plain(text.title))
    for part in filter(None, said):
        for line in textwrap.wrap(part, style.width - 2, break_on_hyphens=False):
            print(style.plain(f"  {line}"))


def _games() -> list[str]:
    from games.registry import names

    return names()


def _template(ruleset: Ruleset[Any]) -> None:
    """Print a commented card file, which its owner can fill in. Raises CliError."""
    if ruleset.card_file is None:
        raise CliError(
            f"{ruleset.name} does not take a card file, because all its card values are known"
        )
    print(ruleset.card_file.template(), end="")


def _ruleset(game: str, folder: Any) -> Ruleset[Any]:
    """Return the ruleset that was typed, else that of the folder's game, else the first one."""
    from games.registry import UnknownGame, first, names, ruleset

    try:
        return ruleset(game) if game else _here(folder) or ruleset(first())
    except UnknownGame:
        close = difflib.get_close_matches(game, names(), 1)
        hint = f"did you mean {close[0]}?" if close else f"the games are: {', '.join(names())}"
        raise CliError(f"no game is called {game!r}", hint) from None


def _here(folder: Any) -> Ruleset[Any] | None:
    """Return the ruleset of the game in the folder, with the owner's card values; None without a
    game."""
    from pbem.cli.session.session import Session
    from pbem.play.checking.charter_rules import ruleset_of
    from pbem.play.checking.game_folder import NoGameError

    try:
        return ruleset_of(Session(folder).game_folder.charter.content)
    except NoGameError:
        return None


def entries(ruleset: Ruleset[Any]) -> dict[str, Text]:
    """Everything that can be explained, by the word that asks for it."""
    return {_word(name): text for group in groups(ruleset).values() for name, text in group.items()}


def groups(ruleset: Ruleset[Any]) -> dict[str, dict[str, Text]]:
    """Return all explanations by group; texts with the same name are joined into one."""
    from engine import STOP, Text
    from pbem.screen.error_texts import EXITS, PROBLEMS, REASONS, WORDS
    from pbem.screen.tell_entries import spaced

    texts = {spaced(name): text for name, text in ruleset.texts().items()}
    phases = {p.name: Text(p.name, _doc(p), ruleset.title) for p in ruleset.phases}
    kinds = {kind.name: _kind(kind, ruleset) for kind in ruleset.kinds.values()}
    if ruleset.stops:
        kinds[STOP] = _stop(ruleset)
    phases |= {name: texts.pop(name) for name in phases.keys() & texts.keys()}
    known = {**texts, **phases}
    for name in kinds.keys() & known.keys():
        kinds[name] = known[name]._replace(body=f"{known[name].body} {kinds[name].body}")
    taken = known.keys() | kinds.keys()

    def ours(found: Mapping[str, str]) -> dict[str, Text]:
        free = {name: body for name, body in found.items() if name not in taken}
        return {name: Text(name, body, "pbem, docs/errors.md") for name, body in free.items()}

    return {
        "cards and terms": {n: text for n, text in texts.items() if n not in kinds},
        "phases": {n: text for n, text in phases.items() if n not in kinds},
        "orders": kinds,
        "words": ours(WORDS),
        "errors in orders": ours(PROBLEMS),
        "errors in files": ours(REASONS),
        "exit codes": ours(EXITS),
    }


def _kind(kind: Kind, ruleset: Ruleset[Any]) -> Text:
    from engine import Text

    how = "each line in order, then `done`" if kind.script else "the first line that fits counts"
    body = f"In an order file, `{kind.name} = […]`: {kind.question} ({how}).{_words(kind, ruleset)}"
    return Text(kind.name, body, "pbem, order files")


def _stop(ruleset: Ruleset[Any]) -> Text:
    from engine import Text

    said = [f"`{one.sentence.replace('{n}', '3')}`: {one.says}." for one in ruleset.stops]
    body = (
        "Under [always] in an order file, `stop = […]`: as soon as one of these comes true, pbem "
        "asks you again; for the rest of the round it does not use your standing orders, your "
        "lines in words or your lines with *. "
        f"{' '.join(said).replace('{n}', '3')}"
    )
    return Text("stop", body, "pbem, order files")


def _words(kind: Kind, ruleset: Ruleset[Any]) -> str:
    """Return the text on a kind of decision: its ready lines, and what each does."""
    said = [
        f"`{line.sentence.replace('{seat}', 'b')}`: {line.said('b')}"
        f"{' (only under [always])' if line.own else ''}."
        for line in ruleset.ready_lines.of(kind.name)
    ]
    return f" Lines in words: {' '.join(said)}" if said else ""


def find(ruleset: Ruleset[Any], asked: str) -> Text:
    """Return the text for a word. Raises CliError with similar words if there is none."""
    known = entries(ruleset)
    word = _word(asked)
    # so that suns finds sun, and zones finds zone
    one_or_more = [word.removesuffix("s"), f"{word}s"]
    tries = [
        word,
        *one_or_more,
        re.sub(r" -?\d+( [a-z]+)?$", "", word),
        f"pbem {word}",
        f"pbem ord {word}",
    ]
    if found := next((one for one in tries if one in known), ""):
        return known[found]
    solid = {name.replace(" ", ""): name for name in known}
    starts = [name for name in known if name.startswith(word)]
    if one := solid.get(word.replace(" ", "")) or (starts[0] if len(starts) == 1 else ""):
        return known[one]
    words = {part: name for name in reversed(known) for part in (*name.split(), name)}
    near = [words[part] for part in difflib.get_close_matches(word, list(words), 3)]
    close = starts or list(dict.fromkeys(near))
    hint = f"did you mean {', '.join(close[:5])}?" if close else "`pbem explain` lists all words"
    raise CliError(f"there is nothing called {asked!r} in {ruleset.name}", hint)


def _word(name: str) -> str:
    """Return the word in lower case, without brackets and with spaces for underscores and hyphens.

    A hyphen that is the whole word stays.
    """
    if name.strip() == "-":
        return "-"
    return re.sub(r"[\s_\[\]]+|-(?!\d)|-(?=\d{3}$)", " ", name).strip().lower()


def _doc(phase: Any) -> str:
    doc = " ".join((phase.run.__doc__ or "").split())
    return f"{phase.doc}: {doc}" if phase.doc else doc


def _list(ruleset: Ruleset[Any], json: bool) -> None:
    from pbem.cli.json_output import print_data
    from pbem.screen.draw_table import wrapped
    from pbem.screen.terminal import print_folded, stdout_style

    found = {group: list(texts) for group, texts in groups(ruleset).items() if texts}
    if json:
        about = {"ruleset": ruleset.name, "title": ruleset.title, "about": ruleset.about}
        print_data("explain", about | {"groups": found})
        return
    style = stdout_style()
    print_folded(f"{ruleset.title}: {ruleset.about}")
    print("`pbem explain WORD` explains one of these:")
    for group, names in found.items():
        for line in wrapped(names, style.width, f"  {group}: "):
            print(style.plain(line))
