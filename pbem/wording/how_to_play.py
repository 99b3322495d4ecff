"""The page of rules of a ruleset, for people who have never played it: what a terminal, an email
and a page in the browser show of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine import Chapter, Example, Piece, Ruleset, Scene, Text
from engine.value_classes import Value
from games import registry
from pbem.drawing.pieces_and_cards import Icons, piece_words, read_card
from pbem.drawing.table import icons_of
from pbem.format.record_error import RecordError
from pbem.judge.game_ruleset import ruleset_of
from pbem.records.charter import Charter
from pbem.terminal.game_prose import Teller, spaced
from pbem.text.terminal_and_page_wording import TerminalText

EXAMPLE_NAMES: Final = {
    "a": "Ann", "b": "Bo", "c": "Cy", "d": "Di", "e": "Ed", "f": "Fay", "g": "Gus", "h": "Hal",
}  # fmt: skip
"""The players of all examples, by seat."""


class ShownExample(Value):
    """An example, ready to be shown."""

    title: str
    text: str
    start_scene: Scene
    end_scene: Scene
    facts: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]
    """Pairs: a sentence of the players in prose, and the line to type."""
    refusals: tuple[tuple[str, str], ...]
    """Pairs: a refused line, and the reason."""
    changes: tuple[str, ...]
    """The difference between the tables before and after."""


class Row(Value):
    """A row of a list."""

    name: str
    text: str
    note: str = ""
    """Of an option, whether it is usual; of a trait, the name of its icon."""


class Part(Value):
    """A chapter, ready to be shown."""

    title: str
    blocks: tuple[tuple[str, tuple[str, ...]], ...]
    """Paragraphs (`p`) and lists (`ul`): the kind, and the lines."""
    cards: tuple[str, ...]
    examples: tuple[ShownExample, ...]
    lists: Mapping[str, tuple[Row, ...]]


def parts_of(ruleset: Ruleset[Any]) -> list[Part]:
    """Return the chapters of a ruleset's page of rules; none if it has no such page."""
    texts_by_name = ruleset.texts()
    return [_part(chapter, ruleset, texts_by_name) for chapter in ruleset.how_to_play()]


FIRST_PARTS: Final = 3
"""The number of chapters in an invitation: the game's subject, its pieces, and a round."""


def first_parts_of(charter: Charter) -> list[Part]:
    """Return the chapters of the rules for somebody who is invited to a game; none if its rules are
    not installed here."""
    try:
        return parts_of(ruleset_of(charter))[:FIRST_PARTS]
    except RecordError:
        return []


def _part(chapter: Chapter, ruleset: Ruleset[Any], texts_by_name: Mapping[str, Text]) -> Part:
    """Return a chapter ready to be shown: its paragraphs, lists, cards and played examples, with
    the values of this ruleset."""
    blocks = list(_blocks(chapter.text))
    blocks += [("p", (texts_by_name[name].body,)) for name in chapter.says if name in texts_by_name]
    if chapter.orders:
        blocks.append(("how", (chapter.orders,)))
    lists: dict[str, tuple[Row, ...]] = {
        name: tuple(_LISTS[name](ruleset, texts_by_name)) for name in chapter.lists
    }
    if rows := tuple(
        Row(spaced(name), texts_by_name[name].body, name)
        for name in chapter.names
        if name in texts_by_name
    ):
        lists["names"] = rows
    # a game may have card values of its own; the examples are true for those of the package
    packaged = registry.ruleset(ruleset.name) if chapter.examples else ruleset
    examples = tuple(_examples(chapter, packaged))
    cards = tuple(card for card in chapter.cards if card in packaged.vocabulary)
    return Part(chapter.title, tuple(blocks), cards, examples, lists)


def _examples(chapter: Chapter, ruleset: Ruleset[Any]) -> Iterator[ShownExample]:
    """Yield the examples of a chapter. A package that changes the cards or players of a ruleset
    inherits its page of rules, without the examples that need what it does not have."""
    for example in chapter.examples:
        try:
            yield _show_example(example, ruleset)
        except ValueError:
            if ruleset.name in registry.BUILT_IN_GAMES or not registry.is_inherited(
                ruleset.how_to_play
            ):
                raise


def _blocks(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for block in filter(None, text.split("\n\n")):
        lines = tuple(block.split("\n"))
        if all(line.startswith("* ") for line in lines):
            yield "ul", tuple(line.removeprefix("* ") for line in lines)
        else:
            yield "p", (" ".join(lines),)


def split_code(text: str) -> list[tuple[str, str]]:
    """Split a text into what is read (`text`) and what is typed (`code`)."""
    parts = enumerate(text.split("`"))
    return [("code" if n % 2 else "text", part) for n, part in parts if part]


# ---- Lists

_SWITCH_NOTES: Final = {"yes": "usual by mail", "no": "only if you ask for it"}
_OPTION_NOTE: Final = "usual: {value}"


def _traits(ruleset: Ruleset[Any], texts_by_name: Mapping[str, Text]) -> Iterator[Row]:
    for name in ruleset.kits.traits if ruleset.kits else ():
        if text := texts_by_name.get(name):
            yield Row(text.title, text.body, name)


def _options(ruleset: Ruleset[Any], texts_by_name: Mapping[str, Text]) -> Iterator[Row]:
    for option in ruleset.options:
        usual_value = option.by_mail or option.default
        is_switch = option.values == ("no", "yes")
        note = _SWITCH_NOTES[usual_value] if is_switch else _OPTION_NOTE.format(value=usual_value)
        yield Row(option.name, f"{option.doc[:1].upper()}{option.doc[1:]}.", note)


def _house(ruleset: Ruleset[Any], texts_by_name: Mapping[str, Text]) -> Iterator[Row]:
    for text in texts_by_name.values():
        if text.house:
            yield Row(spaced(text.title), text.house)


_LISTS = {"traits": _traits, "options": _options, "house": _house}


# ---- Examples


def _show_example(example: Example, ruleset: Ruleset[Any]) -> ShownExample:
    """Return an example ready to be shown: the table before and after it, the answers of the
    players, the refused answers and the changes."""
    case = example.case
    start_scene = _scene(ruleset, case, case.get("position", {}))
    end_scene = _scene(ruleset, case, example.end_position)
    teller = Teller(ruleset, {seat: EXAMPLE_NAMES[seat] for seat in case["seats"]})
    answers, refusals = list[tuple[str, str]](), list[tuple[str, str]]()
    for step in case.get("step", ()):
        seat, _, kind = step.get("ask", "").partition(" ")
        refusals += step.get("refuses", {}).items()
        lines = step["answer"].split("; ") if "answer" in step else ()
        answers += [(teller.deed_sentence(kind, seat, line), line) for line in lines]
    changes = tuple(_changes(ruleset, start_scene, end_scene, example.facts))
    return ShownExample(
        case["title"], example.text, start_scene, end_scene, example.facts, tuple(answers),
        tuple(refusals), changes,
    )  # fmt: skip


def _scene(ruleset: Ruleset[Any], case: Mapping[str, Any], table: Mapping[str, Any]) -> Scene:
    assert ruleset.positions is not None, (
        "a ruleset without `positions` cannot have a page with examples"
    )
    state = ruleset.game(case["seats"], case.get("options", {})).start()
    state.scope = f"0.{table.get('phase', case['phase'])}"
    ruleset.positions().read(state, {key: table[key] for key in table if key != "phase"})
    return ruleset.scene(state.clone(case["seats"][0]))


_CHANGE: Final = "{name} {old_value} → {new_value}"


def _changes(
    ruleset: Ruleset[Any], start_scene: Scene, end_scene: Scene, facts: Sequence[str]
) -> Iterator[str]:
    """Yield a phrase on each difference between the tables before and after an example: the named
    facts, the numbers of pieces, and pieces that left or came."""
    prose, old_facts, new_facts = ruleset.prose(), dict(start_scene.facts), dict(end_scene.facts)
    for name in facts:
        old_value, new_value = old_facts[name], new_facts[name]
        if old_value != new_value:
            yield _CHANGE.format(name=name, old_value=old_value, new_value=new_value)
    for old_place, new_place in zip(start_scene.places, end_scene.places, strict=True):
        old_pieces = {piece.name: piece for piece in old_place.pieces}
        new_pieces = {piece.name: piece for piece in new_place.pieces}
        for name in (name for name in old_pieces if name in new_pieces):
            if numbers := ", ".join(_changed_numbers(old_pieces[name], new_pieces[name])):
                yield f"{name}: {numbers}"
        departed = (name for name in old_pieces if name not in new_pieces)
        arrived = (name for name in new_pieces if name not in old_pieces)
        yield from (prose.departures[0].format(pieces=name) for name in departed)
        yield from (prose.arrivals[0].format(pieces=name) for name in arrived)


def _changed_numbers(old_piece: Piece, new_piece: Piece) -> Iterator[str]:
    old_facts, new_facts = dict(old_piece.facts), dict(new_piece.facts)
    for label in dict.fromkeys((*old_facts, *new_facts)):
        old_value, new_value = old_facts.get(label, "0"), new_facts.get(label, "0")
        are_numbers = old_value[:1].isdecimal() and new_value[:1].isdecimal()
        if old_value != new_value and are_numbers:
            yield _CHANGE.format(name=spaced(label), old_value=old_value, new_value=new_value)


# ---- The page as text

_LEARN_LINES: Final = (
    "LEARN BY PLAYING",
    TerminalText("You can learn the game while you play it[[: `pbem learn --game {ruleset}`]]."),
)
_BLOCK_STARTS: Final = {"ul": "* ", "how": "How to say it: "}
_CARDS: Final = "Cards, for example: {cards}."
_EXAMPLE: Final = "Example: {title}. {text}"
_ANSWER: Final = "{sentence}: `{line}`"
_REFUSAL: Final = "`{line}` is not possible: {reason}."
_RESULT: Final = "Then: {changes}."


def text_lines(ruleset: Ruleset[Any]) -> list[str]:
    """Return the page as lines of any length, with an empty line before each chapter."""
    icons = icons_of(ruleset)
    lines = [line for part in parts_of(ruleset) for line in _lines(part, icons)]
    if ruleset.lesson():
        lines += ["", *(line.format(ruleset=ruleset.name) for line in _LEARN_LINES)]
    return lines


def _lines(part: Part, icons: Icons) -> Iterator[str]:
    """Yield a chapter as lines of plain text, without pictures."""
    yield from ("", part.title.upper())
    for kind, lines in part.blocks:
        start = _BLOCK_STARTS.get(kind, "")
        yield from (f"{start}{line}" for line in lines)
    if part.cards:
        cards = "; ".join(read_card(card, icons).in_words for card in part.cards)
        yield _CARDS.format(cards=cards)
    for example in part.examples:
        yield _EXAMPLE.format(title=example.title, text=example.text)
        pieces = [piece for place in example.start_scene.places for piece in place.pieces]
        yield from (f"* {piece_words(piece, icons)}" for piece in pieces)
        answers, refusals = example.answers, example.refusals
        yield from (_ANSWER.format(sentence=sentence, line=line) for sentence, line in answers)
        yield from (_REFUSAL.format(line=line, reason=reason) for line, reason in refusals)
        if example.changes:
            yield _RESULT.format(changes="; ".join(example.changes))
    for name, rows in part.lists.items():
        if name == "options":
            yield from (f"* {row.text} ({row.name}, {row.note})" for row in rows)
        elif name in ("names", "traits"):
            yield from (f"* {row.name}: {row.text}" for row in rows)
