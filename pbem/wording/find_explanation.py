"""Find what a word of a game means: a card, a phase, a kind of order, an error, or a piece on the
table."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from engine import STOP, Option, QuestionKind, Ruleset, Text
from engine.counts_and_lists_in_prose import counted
from games.data_and_icon_files import package_data
from pbem.errors import CliError
from pbem.judge.game_view import View
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import spaced
from pbem.terminal.printing import stdout_style
from pbem.terminal.table import with_player_facts_renamed
from pbem.text.terminal_and_page_wording import TerminalText, join_texts, to_type
from pbem.wording.how_to_play import parts_of, text_lines
from pbem.wording.results import points_of

RULES_WORD: Final = "rules"
_RULES_PHRASES: Final = ("how to play", "the rules")
"""Other words that people type to read the rules."""
MIN_WORD_LETTERS: Final = 3
"""The length of the shortest word that is looked for in the rules."""
MAX_RULE_LINES: Final = 3
"""The number of lines of the rules that explain one word."""
EXPLAINED_WORDS_HEADING: Final = "`pbem explain WORD` explains one of these:"
_HOUSE_RULE: Final = "house rule: {rule}"
_SOURCE: Final = "source: {source}"


def print_text(explanation: Text) -> None:
    """Print an explanation: its title, its text, and its source."""
    style = stdout_style()
    last_lines = [_HOUSE_RULE.format(rule=explanation.house)] if explanation.house else []
    last_lines.append(_SOURCE.format(source=explanation.source))
    print(style.encodable(explanation.title))
    for part in (*explanation.body.split("\n"), *last_lines):
        for line in textwrap.wrap(part, style.width - 2, break_on_hyphens=False) or [""]:
            print(style.encodable(f"  {line}"))


# ---- All explanations, by group

_ERROR_PAGE_SOURCE: Final = "pbem, docs/errors.md"
_ORDER_FILE_SOURCE: Final = "pbem, order files"
_RULES: Final = TerminalText(
    "{title}: {about}\nFor {fewest} to {most} players. The phases of a round: {phases}.\n{options}"
    "[[`pbem explain` lists the words of the rules, and `pbem explain WORD` explains one of "
    "them.]]"
)
_OPTION_OF_RULES: Final = "Option {name} ({values}): {meaning}.\n"
_OPTION: Final = TerminalText(
    "An option of the rules ({values}): {meaning}. Whoever makes a game sets the option[[: `pbem "
    "new --option {name}={last_value}`. `pbem show` says which options a game has]]."
)
_KIND: Final = (
    "When the game asks you about {question}, pbem answers from the lines of `{name} = […]` in "
    "your order file: it uses the first line that fits."
)
_SCRIPT_KIND: Final = (
    "When the game asks you about {question}, pbem answers from the lines of `{name} = […]` in "
    "your order file: it uses them from top to bottom, and the last line is `done`."
)
_KIND_IN_WORDS: Final = "{kind} Lines in words: {lines}"
_LINE_IN_WORDS: Final = "`{line}`: {meaning}."
_STANDING_LINE_IN_WORDS: Final = "`{line}`: {meaning} (only under [always])."
_STOPS: Final = (
    "Under [always] in an order file, `stop = […]` lists events. As soon as one of these events "
    "happens, pbem asks you again. For the rest of the round, pbem does not use your standing "
    "orders, your lines in words or your lines with *. {stops}"
)


@cache
def explanations() -> dict[str, dict[str, str]]:
    """Return what pbem's own words mean, by group: `problems` in order files, `reasons` why a file
    cannot be used, `words`, and `exits` (exit codes)."""
    import tomllib  # only `explain` needs it

    return tomllib.loads(package_data("pbem.wording", "explanations.toml"))


def explanations_by_word(ruleset: Ruleset[Any]) -> dict[str, Text]:
    """Return the explanations, by the word that asks for them."""
    texts_by_word: dict[str, Text] = {}
    for title, group in groups(ruleset).items():
        for name, explanation in group.items():
            word = _normalized(name)
            if earlier_text := texts_by_word.get(word):
                body = f"{earlier_text.body}\nIn {title}: {explanation.body}"
                explanation = earlier_text._replace(body=body)
            texts_by_word[word] = explanation
    return texts_by_word


def groups(ruleset: Ruleset[Any]) -> dict[str, dict[str, Text]]:
    """Return all explanations by group. A kind of order that has the name of a card or a phase gets
    one text with both; the words of a game go before pbem's own words (`explanations.toml`)."""
    texts_by_name = {spaced(name): explanation for name, explanation in ruleset.texts().items()}
    phases = {
        phase.name: Text(phase.name, _doc_of(phase), ruleset.title) for phase in ruleset.phases
    }
    kinds = {kind.name: _kind_text(kind, ruleset) for kind in ruleset.kinds.values()}
    if ruleset.stops:
        kinds[STOP] = _stops_text(ruleset)
    phases |= {name: texts_by_name.pop(name) for name in phases.keys() & texts_by_name.keys()}
    game_texts = {**texts_by_name, **phases}
    for name in kinds.keys() & game_texts.keys():
        body = f"{game_texts[name].body} {kinds[name].body}"
        kinds[name] = game_texts[name]._replace(body=body)
    game_words, meanings = game_texts.keys() | kinds.keys(), explanations()

    def own_texts(group: str, source: str = "pbem") -> dict[str, Text]:
        return {
            name: Text(name, TerminalText(body), source)
            for name, body in meanings[group].items()
            if name not in game_words
        }

    return {
        "cards and terms": _without(texts_by_name, kinds),
        "phases": _without(phases, kinds),
        "orders": kinds,
        "options": {option.name: _option_text(option, ruleset) for option in ruleset.options},
        "words": {RULES_WORD: _rules_text(ruleset), **own_texts("words")},
        "errors in orders": own_texts("problems"),
        "errors in files": own_texts("reasons"),
        "exit codes": own_texts("exits", _ERROR_PAGE_SOURCE),
    }


def _without(texts_by_name: Mapping[str, Text], names: Iterable[str]) -> dict[str, Text]:
    return {name: explanation for name, explanation in texts_by_name.items() if name not in names}


def _rules_text(ruleset: Ruleset[Any]) -> Text:
    """Return the text for the word that explains the whole game: players, phases, and the page of
    rules; the options, if the ruleset has no such page."""
    page_lines = text_lines(ruleset)
    options = "".join(
        _OPTION_OF_RULES.format(
            name=option.name, values=", ".join(option.values), meaning=option.doc
        )
        for option in (() if page_lines else ruleset.options)
    )
    first_lines = _RULES.format(
        title=ruleset.title,
        about=ruleset.about,
        fewest=ruleset.players[0],
        most=ruleset.players[-1],
        phases=", ".join(phase.doc or phase.name for phase in ruleset.phases),
        options=options,
    )
    return Text(RULES_WORD, join_texts("\n", [first_lines, *page_lines]), ruleset.title)


def _option_text(option: Option, ruleset: Ruleset[Any]) -> Text:
    body = _OPTION.format(
        values=", ".join(option.values),
        meaning=option.doc,
        name=option.name,
        last_value=option.values[-1],
    )
    return Text(option.name, body, ruleset.title)


def _kind_text(kind: QuestionKind, ruleset: Ruleset[Any]) -> Text:
    """Return the text on a kind of order: its question, the form of its lines, and the lines in
    words."""
    template = _SCRIPT_KIND if kind.script else _KIND
    body = template.format(name=kind.name, question=kind.question)
    lines = [
        (_STANDING_LINE_IN_WORDS if line.reads_hand else _LINE_IN_WORDS).format(
            line=line.sentence.replace("{seat}", "b"), meaning=line.describe("b")
        )
        for line in ruleset.ready_lines.lines_of(kind.name)
    ]
    body = _KIND_IN_WORDS.format(kind=body, lines=" ".join(lines)) if lines else body
    return Text(kind.name, body, _ORDER_FILE_SOURCE)


def _stops_text(ruleset: Ruleset[Any]) -> Text:
    stops = [
        _LINE_IN_WORDS.format(line=stop.sentence, meaning=stop.description).replace("{n}", "3")
        for stop in ruleset.stops
    ]
    return Text(STOP, _STOPS.format(stops=" ".join(stops)), _ORDER_FILE_SOURCE)


# ---- One explanation

CITED_PATTERN: Final = re.compile(r"\(((?:[1-9]\.[0-9]{1,2}|[A-Z][0-9]{1,2})[^()]*)\)")
"""Matches the brackets in which a text of a ruleset names the rulings that it follows."""
RULING_PATTERN: Final = re.compile(r"\b(?:[1-9]\.[0-9]{1,2}|[A-Z][0-9]{1,2})\b")
"""Matches the number of one ruling, such as 1.12, R5 or C9. Capitals tell it from a piece, such as
c9."""
_RULINGS_SOURCE: Final = "the rulings of this game, which decide what its rulebook leaves open"
_RULES_SOURCE: Final = TerminalText("the rules in plain words[[: `pbem explain rules` prints all]]")
_TABLE_SOURCE: Final = "the table after turn {turn}"
_PLAYER: Final = "{facts}\nIf the game ended now: {points}"
_HAND: Final = "{cards} in hand"


def names_piece(word: str) -> bool:
    """Return whether a word is the name of a piece, such as `b2`."""
    return re.fullmatch(r"[a-p][1-9][0-9]*", _normalized(word)) is not None


def find_text(ruleset: Ruleset[Any], phrase: str, view: View | None = None) -> Text:
    """Return the text for a word; with a view, also for a piece or seat on its table. Raises
    CliError with similar words if there is none."""
    ruling = phrase.strip().removeprefix("ruling ")
    if explanation := _ruling_text(ruleset, ruling):
        return explanation
    word = RULES_WORD if _normalized(phrase) in _RULES_PHRASES else _normalized(phrase)
    if view is not None and (names_piece(word) or word in view.names):
        return _table_text(ruleset, word, view)
    texts_by_name = explanations_by_word(ruleset)
    if name := _name_in(texts_by_name, word):
        return texts_by_name[name]
    if explanation := _ruling_text(ruleset, ruling.upper()) or _text_in_rules(ruleset, word):
        return explanation
    parts = [(part, name) for name in reversed(texts_by_name) for part in (*name.split(), name)]
    names_by_part = dict(parts)
    close_parts = difflib.get_close_matches(word, list(names_by_part), 3)
    close_names = list(dict.fromkeys(names_by_part[part] for part in close_parts))
    names = [name for name in texts_by_name if name.startswith(word)] or close_names
    hint = (
        f"did you mean {', '.join(names[:5])}?"
        if names
        else to_type("`pbem explain` lists all words")
    )
    raise CliError(f"there is nothing called {phrase!r} in {ruleset.name}", hint)


def _name_in(texts_by_name: Mapping[str, Text], word: str) -> str:
    """Return the name of the text that a word means; empty if there is none."""
    number_forms = [word.removesuffix("s"), f"{word}s"]  # so that suns finds sun, and zones zone
    without_value = re.sub(r" -?\d+( [a-z]+)?$", "", word)
    names = (word, *number_forms, without_value, f"pbem {word}", f"pbem ord {word}")
    if name := next((name for name in names if name in texts_by_name), ""):
        return name
    for name, explanation in texts_by_name.items():
        if _normalized(explanation.title) == word:
            return name
    names_without_spaces = {name.replace(" ", ""): name for name in texts_by_name}
    names_with_start = [name for name in texts_by_name if name.startswith(word)]
    only_name = names_with_start[0] if len(names_with_start) == 1 else ""
    return names_without_spaces.get(word.replace(" ", "")) or only_name


def _ruling_text(ruleset: Ruleset[Any], number: str) -> Text | None:
    """Return all sentences of the ruleset's texts that follow the ruling with this number."""
    lines = dict[str, None]()
    for explanation in ruleset.texts().values() if RULING_PATTERN.fullmatch(number) else ():
        line = " ".join(f"{explanation.body} {explanation.house}".split())
        for sentence in re.split(r"(?<=[.!?]) +", line):
            cited_groups = CITED_PATTERN.findall(sentence)
            if any(number in RULING_PATTERN.findall(group) for group in cited_groups):
                lines[f"{spaced(explanation.title)}: {sentence}"] = None
    return Text(f"ruling {number}", "\n".join(lines), _RULINGS_SOURCE) if lines else None


def _text_in_rules(ruleset: Ruleset[Any], word: str) -> Text | None:
    """Return the lines of the running text of the page of rules with this word, first the lines in
    which it comes earliest; None if no line has the word, or if the word is too short."""
    if len(word) < MIN_WORD_LETTERS:
        return None
    pattern = re.compile(rf"\b{re.escape(word.removesuffix('s'))}(s|es)?\b", re.IGNORECASE)
    positioned_lines = [
        (match.start(), f"{part.title}: {line}")
        for part in parts_of(ruleset)
        for kind, lines in part.blocks
        for line in lines
        if kind != "how" and (match := pattern.search(line))
    ]
    positioned_lines.sort(key=lambda pair: pair[0])
    body = "\n".join(line for _, line in positioned_lines[:MAX_RULE_LINES])
    return Text(word, body, _RULES_SOURCE) if body else None


def _table_text(ruleset: Ruleset[Any], word: str, view: View) -> Text:
    """Return the text on a player (a seat's letter) or a piece, such as `b2`, on the table of the
    view. Raises CliError if there is none."""
    scene = with_player_facts_renamed(ruleset.scene(view.table.state), ruleset)
    places = {place.seat: place for place in scene.places}
    if not (place := places.get(word[0])):
        raise CliError(f"there is no seat {word[0]}", f"the seats are: {', '.join(places)}")
    owner, source = clean(view.names.get(place.seat, "")), _TABLE_SOURCE.format(turn=view.turn)
    title, names = f"{word} ({owner})", [piece.name for piece in place.pieces]
    if word == place.seat:
        hand = _HAND.format(cards=counted(len(place.hand), "card"))
        facts = ", ".join(filter(None, [_facts_of(place.facts), hand, *names]))
        scores = ruleset.result(view.table.state).scores
        points = next(points_of(score) for score in scores if score.seat == word)
        return Text(title, _PLAYER.format(facts=facts, points=points), source)
    piece = next((piece for piece in place.pieces if piece.name == word), None)
    if piece is None:
        hint = f"{owner} has: {', '.join(names)}" if names else f"{owner} has nothing there"
        raise CliError(f"{word} is not on the table", hint)
    texts_by_name = explanations_by_word(ruleset)
    lines = [_facts_of(piece.facts), *ruleset.about_piece(view.table.state, word)]
    for card in piece.cards:
        name = _normalized(re.sub(r"( -?\d+( [a-z]+)?)?( \(face down\))?$", "", card))
        explanation = texts_by_name.get(name)
        body = explanation.body.replace("\n", " ") if explanation else ""
        lines.append(f"{spaced(card)}: {body}" if body else spaced(card))
    return Text(title, "\n".join(lines), source)


def _facts_of(facts: Sequence[tuple[str, str]]) -> str:
    return spaced(", ".join(f"{label} {value}" for label, value in facts))


def _normalized(name: str) -> str:
    if name.strip() == "-":
        return "-"
    return re.sub(r"[\s_\[\]]+|-(?!\d)|-(?=\d{3}$)", " ", name).strip().lower()


def _doc_of(phase: Any) -> str:
    doc = " ".join((phase.run.__doc__ or "").split())
    return f"{phase.doc}: {doc}" if phase.doc else doc
