"""The page of rules of a ruleset, for people who have never played it: what a terminal, an email
and a page in the browser show of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine import Chapter, Example, Piece, Ruleset, Scene, Text
from engine.values import Value
from games import registry
from pbem.drawing.pieces import Icons, piece_words, read_card
from pbem.drawing.table import icons_of
from pbem.terminal.tell import Teller, spaced
from pbem.text.names import join_words

LEARN = "pbem learn --game"
NAMES = {"a": "Ann", "b": "Bo", "c": "Cy", "d": "Di", "e": "Ed", "f": "Fay", "g": "Gus", "h": "Hal"}
"""The players of all examples, by seat."""


class Shown(Value):
    """An example, ready to be shown."""

    title: str
    text: str
    before: Scene
    after: Scene
    facts: tuple[str, ...]
    said: tuple[tuple[str, str], ...]
    """Pairs: a sentence of the players in prose, and the line to type."""
    refused: tuple[tuple[str, str], ...]
    """Pairs: a refused sentence, and the reason."""
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
    examples: tuple[Shown, ...]
    lists: Mapping[str, tuple[Row, ...]]


def parts_of(ruleset: Ruleset[Any]) -> list[Part]:
    """Return the chapters of a ruleset's page of rules; none if it has no such page."""
    texts = ruleset.texts()
    return [_part(chapter, ruleset, texts) for chapter in ruleset.how_to_play()]


def _part(chapter: Chapter, ruleset: Ruleset[Any], texts: Mapping[str, Text]) -> Part:
    blocks = list(_blocks(chapter.text))
    blocks += [("p", (texts[name].body,)) for name in chapter.says if name in texts]
    if chapter.orders:
        blocks.append(("how", (chapter.orders,)))
    lists: dict[str, tuple[Row, ...]] = {
        name: tuple(_LISTS[name](ruleset, texts)) for name in chapter.lists
    }
    if rows := tuple(Row(spaced(n), texts[n].body, n) for n in chapter.names if n in texts):
        lists["names"] = rows
    # a game may have card values of its own; the examples are true for those of the package
    packaged = registry.ruleset(ruleset.name) if chapter.examples else ruleset
    examples = tuple(_shown(one, packaged) for one in chapter.examples)
    return Part(chapter.title, tuple(blocks), chapter.cards, examples, lists)


def _blocks(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for block in filter(None, text.split("\n\n")):
        lines = tuple(block.split("\n"))
        if all(line.startswith("* ") for line in lines):
            yield "ul", tuple(line.removeprefix("* ") for line in lines)
        else:
            yield "p", (" ".join(lines),)


def in_pieces(text: str) -> list[tuple[str, str]]:
    """Split a text into what is read (`text`) and what is typed (`code`)."""
    parts = enumerate(text.split("`"))
    return [("code" if n % 2 else "text", part) for n, part in parts if part]


# ---- Lists


def _traits(ruleset: Ruleset[Any], texts: Mapping[str, Text]) -> Iterator[Row]:
    for name in ruleset.kits.traits if ruleset.kits else ():
        if found := texts.get(name):
            yield Row(found.title, found.body, name)


def _options(ruleset: Ruleset[Any], texts: Mapping[str, Text]) -> Iterator[Row]:
    for option in ruleset.options:
        usual = option.by_mail or option.default
        if option.values == ("no", "yes"):
            note = "usual by mail" if usual == "yes" else "only if you ask for it"
        else:
            note = f"usual: {usual}"
        yield Row(option.name, f"{option.doc[:1].upper()}{option.doc[1:]}.", note)


def _house(ruleset: Ruleset[Any], texts: Mapping[str, Text]) -> Iterator[Row]:
    for text in texts.values():
        if text.house:
            yield Row(spaced(text.title), text.house)


_LISTS = {"traits": _traits, "options": _options, "house": _house}


# ---- Examples


def _shown(example: Example, ruleset: Ruleset[Any]) -> Shown:
    case = example.case
    before, after = (
        _scene(ruleset, case, table) for table in (case.get("position", {}), example.end_position)
    )
    teller = Teller(ruleset, {seat: NAMES[seat] for seat in case["seats"]})
    said, refused = [], []
    for step in case.get("step", ()):
        seat, _, kind = step.get("ask", "").partition(" ")
        refused += list(step.get("refuses", {}).items())
        answers = step["answer"].split("; ") if "answer" in step else ()
        said += [(teller.told(kind, seat, answer), answer) for answer in answers]
    changes = tuple(_changes(ruleset, before, after, example.facts))
    return Shown(
        case["title"], example.text, before, after, example.facts, tuple(said), tuple(refused),
        changes,
    )  # fmt: skip


def _scene(ruleset: Ruleset[Any], case: Mapping[str, Any], table: Mapping[str, Any]) -> Scene:
    assert ruleset.positions is not None, "only a ruleset with positions has examples"
    state = ruleset.game(case["seats"], case.get("options", {})).start()
    state.scope = f"0.{table.get('phase', case['phase'])}"
    ruleset.positions().read(state, {key: table[key] for key in table if key != "phase"})
    return ruleset.scene(state.clone(case["seats"][0]))


def _changes(
    ruleset: Ruleset[Any], before: Scene, after: Scene, facts: Sequence[str]
) -> Iterator[str]:
    prose, old, new = ruleset.prose(), dict(before.facts), dict(after.facts)
    for name in facts:
        if old[name] != new[name]:
            yield f"{name} {old[name]} → {new[name]}"
    for one, other in zip(before.places, after.places, strict=True):
        there, here = ({piece.name: piece for piece in at.pieces} for at in (one, other))
        for name in (name for name in there if name in here):
            if told := ", ".join(_numbers(there[name], here[name])):
                yield f"{name}: {told}"
        yield from (prose.departures[0].format(pieces=name) for name in there if name not in here)
        yield from (prose.arrivals[0].format(pieces=name) for name in here if name not in there)


def _numbers(before: Piece, after: Piece) -> Iterator[str]:
    old, new = dict(before.facts), dict(after.facts)
    for label in dict.fromkeys((*old, *new)):
        was, now = old.get(label, "0"), new.get(label, "0")
        if was != now and was[:1].isdecimal() and now[:1].isdecimal():
            yield f"{spaced(label)} {was} → {now}"


# ---- The page as text


def text_lines(ruleset: Ruleset[Any]) -> list[str]:
    """Return the page as lines of any length, with an empty line before each chapter."""
    icons = icons_of(ruleset)
    lines = [line for part in parts_of(ruleset) for line in _lines(part, icons)]
    if ruleset.lesson():
        lines += [
            "",
            "LEARN BY PLAYING",
            f"A first game explains itself: `{LEARN} {ruleset.name}`.",
        ]
    return lines


def _lines(part: Part, icons: Icons) -> Iterator[str]:
    yield from ("", part.title.upper())
    for kind, lines in part.blocks:
        start = {"ul": "* ", "how": "How to say it: "}.get(kind, "")
        yield from (f"{start}{line}" for line in lines)
    if part.cards:
        yield f"Cards, for example: {join_words(read_card(x, icons).in_words for x in part.cards)}."
    for example in part.examples:
        yield f"Example: {example.title}. {example.text}"
        pieces = [piece for place in example.before.places for piece in place.pieces]
        yield from (f"* {piece_words(piece, icons)}" for piece in pieces)
        yield from (f"{told}: `{typed}`" for told, typed in example.said)
        yield from (f"Not possible: `{typed}`: {why}." for typed, why in example.refused)
        if example.changes:
            yield f"Then: {'; '.join(example.changes)}."
    for name, rows in part.lists.items():
        if name == "options":
            yield from (f"* {row.text} ({row.name}, {row.note})" for row in rows)
        elif name in ("names", "traits"):
            yield from (f"* {row.name}: {row.text}" for row in rows)
