"""Find what a word of a game means: a card, a phase, a kind of order, an error, or a piece on the
table."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine import STOP, Kind, Option, Ruleset, Text
from games import registry
from pbem.acts.how_to_play import parts_of, text_lines
from pbem.errors import CliError
from pbem.judge.view import View
from pbem.terminal.errors import explanations
from pbem.terminal.table import for_people
from pbem.terminal.tell import spaced
from pbem.terminal.terminal import clean
from pbem.text.names import counted
from pbem.wording.scores import points_of

RULES = "rules"
ALSO_RULES = ("how to play", "the rules")
"""What people type to read the rules."""
LEAST_LETTERS, MOST_LINES = 3, 3
"""How long a word is that is looked for in the rules, and how many lines are shown."""


def ruleset_called(name: str) -> Ruleset[Any]:
    """Return the installed ruleset with this name, the first if it is empty. Raises CliError."""
    try:
        return registry.ruleset(name or registry.default_name())
    except registry.UnknownGame:
        known = registry.names()
        close = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]}?" if close else f"the games are: {', '.join(known)}"
        raise CliError(f"no game is called {name!r}", hint) from None


def entries(ruleset: Ruleset[Any]) -> dict[str, Text]:
    """Everything that can be explained, by the word that asks for it."""
    found: dict[str, Text] = {}
    for title, group in groups(ruleset).items():
        for name, text in group.items():
            before = found.get(word := _word(name))
            body = before and f"{before.body}\nIn {title}: {text.body}"
            found[word] = before._replace(body=body) if before and body else text
    return found


def groups(ruleset: Ruleset[Any]) -> dict[str, dict[str, Text]]:
    """Return all explanations by group; texts with the same name are joined into one."""
    texts = {spaced(name): text for name, text in ruleset.texts().items()}
    phases = {p.name: Text(p.name, _doc(p), ruleset.title) for p in ruleset.phases}
    kinds = {kind.name: _kind(kind, ruleset) for kind in ruleset.kinds.values()}
    if ruleset.stops:
        kinds[STOP] = _stop(ruleset)
    phases |= {name: texts.pop(name) for name in phases.keys() & texts.keys()}
    known = {**texts, **phases}
    for name in kinds.keys() & known.keys():
        kinds[name] = known[name]._replace(body=f"{known[name].body} {kinds[name].body}")
    taken, own = known.keys() | kinds.keys(), explanations()

    def ours(found: Mapping[str, str], source: str = "pbem") -> dict[str, Text]:
        free = {name: body for name, body in found.items() if name not in taken}
        return {name: Text(name, body, source) for name, body in free.items()}

    return {
        "cards and terms": {n: text for n, text in texts.items() if n not in kinds},
        "phases": {n: text for n, text in phases.items() if n not in kinds},
        "orders": kinds,
        "options": {one.name: _option(one, ruleset) for one in ruleset.options},
        "words": {RULES: _rules(ruleset), **ours(own["words"])},
        "errors in orders": ours(own["problems"]),
        "errors in files": ours(own["reasons"]),
        "exit codes": ours(own["exits"], "pbem, docs/errors.md"),
    }


def _rules(ruleset: Ruleset[Any]) -> Text:
    phases = ", ".join(phase.doc or phase.name for phase in ruleset.phases)
    least, most = ruleset.players[0], ruleset.players[-1]
    page = text_lines(ruleset)
    options = () if page else ruleset.options
    said = [
        f"{ruleset.title}: {ruleset.about}",
        f"For {least} to {most} players. The phases of a round: {phases}.",
        *(f"Option {one.name} ({', '.join(one.values)}): {one.doc}." for one in options),
        "`pbem explain` lists the words of the rules; add a card or a phase to have it explained.",
        *page,
    ]
    return Text(RULES, "\n".join(said), ruleset.title)


def _option(option: Option, ruleset: Ruleset[Any]) -> Text:
    body = (
        f"An option of the rules ({', '.join(option.values)}): {option.doc}. It is chosen when the "
        f"game is made: `pbem new --option {option.name}={option.values[-1]}`. `pbem show` says "
        "which options a game has."
    )
    return Text(option.name, body, ruleset.title)


def _kind(kind: Kind, ruleset: Ruleset[Any]) -> Text:
    how = "each line in order, then `done`" if kind.script else "the first line that fits counts"
    body = f"In an order file, `{kind.name} = […]`: {kind.question} ({how}).{_words(kind, ruleset)}"
    return Text(kind.name, body, "pbem, order files")


def _stop(ruleset: Ruleset[Any]) -> Text:
    said = [f"`{one.sentence.replace('{n}', '3')}`: {one.description}." for one in ruleset.stops]
    body = (
        "Under [always] in an order file, `stop = […]`: as soon as one of these comes true, pbem "
        "asks you again; for the rest of the round it does not use your standing orders, your "
        "lines in words or your lines with *. "
        f"{' '.join(said).replace('{n}', '3')}"
    )
    return Text("stop", body, "pbem, order files")


def _words(kind: Kind, ruleset: Ruleset[Any]) -> str:
    said = [
        f"`{line.sentence.replace('{seat}', 'b')}`: {line.describe('b')}"
        f"{' (only under [always])' if line.reads_hand else ''}."
        for line in ruleset.ready_lines.lines_of(kind.name)
    ]
    return f" Lines in words: {' '.join(said)}" if said else ""


def names_piece(asked: str) -> bool:
    """Return whether a word is the name of a piece, such as `b2`."""
    return re.fullmatch(r"[a-p][1-9][0-9]*", _word(asked)) is not None


CITED = re.compile(r"\(((?:[1-9]\.[0-9]{1,2}|[A-Z][0-9]{1,2})[^()]*)\)")
"""What a text of a ruleset says in brackets if it names the rulings that it follows."""
RULING = re.compile(r"\b(?:[1-9]\.[0-9]{1,2}|[A-Z][0-9]{1,2})\b")
"""The number of one ruling, such as 1.12, R5 or C9: capitals tell it from a piece, such as c9."""


def _ruling(ruleset: Ruleset[Any], number: str) -> Text | None:
    """Return all sentences of the ruleset's texts that follow the ruling with this number."""
    said = dict[str, None]()
    for text in ruleset.texts().values() if RULING.fullmatch(number) else ():
        for sentence in re.split(r"(?<=[.!?]) +", " ".join(f"{text.body} {text.house}".split())):
            cited = [one for group in CITED.findall(sentence) for one in RULING.findall(group)]
            if number in cited:
                said[f"{spaced(text.title)}: {sentence}"] = None
    if not said:
        return None
    source = "the rulings of this game, where its rulebook leaves something open"
    return Text(f"ruling {number}", "\n".join(said), source)


def find(ruleset: Ruleset[Any], asked: str, view: View | None = None) -> Text:
    """Return the text for a word; with a view, also for a piece or seat on its table. Raises
    CliError with similar words if there is none."""
    number = asked.strip().removeprefix("ruling ")
    if told := _ruling(ruleset, number):
        return told
    word = RULES if _word(asked) in ALSO_RULES else _word(asked)
    if view is not None and (names_piece(word) or word in view.names):
        return _on_table(ruleset, word, view)
    known = entries(ruleset)
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
    if found := next((name for name, text in known.items() if _word(text.title) == word), ""):
        return known[found]
    solid = {name.replace(" ", ""): name for name in known}
    starts = [name for name in known if name.startswith(word)]
    if one := solid.get(word.replace(" ", "")) or (starts[0] if len(starts) == 1 else ""):
        return known[one]
    if told := _ruling(ruleset, number.upper()) or _in_rules(ruleset, word):
        return told
    words = {part: name for name in reversed(known) for part in (*name.split(), name)}
    near = [words[part] for part in difflib.get_close_matches(word, list(words), 3)]
    close = starts or list(dict.fromkeys(near))
    hint = f"did you mean {', '.join(close[:5])}?" if close else "`pbem explain` lists all words"
    raise CliError(f"there is nothing called {asked!r} in {ruleset.name}", hint)


def _in_rules(ruleset: Ruleset[Any], word: str) -> Text | None:
    if len(word) < LEAST_LETTERS:
        return None
    named = re.compile(rf"\b{re.escape(word.removesuffix('s'))}(s|es)?\b", re.IGNORECASE)
    found = [
        (match.start(), f"{part.title}: {line}")
        for part in parts_of(ruleset)
        for kind, lines in part.blocks
        for line in lines
        if kind != "how" and (match := named.search(line))
    ]
    if not found:
        return None
    said = [line for _, line in sorted(found, key=lambda one: one[0])[:MOST_LINES]]
    return Text(word, "\n".join(said), "the rules in plain words: `pbem explain rules` prints all")


def _on_table(ruleset: Ruleset[Any], word: str, view: View) -> Text:
    scene = for_people(ruleset.scene(view.table.state), ruleset)
    places = {place.seat: place for place in scene.places}
    if not (place := places.get(word[0])):
        raise CliError(f"there is no seat {word[0]}", f"the seats are: {', '.join(places)}")
    whose, source = clean(view.names.get(place.seat, "")), f"the table after turn {view.turn}"
    names = [piece.name for piece in place.pieces]
    if word == place.seat:
        facts = [_facts(place.facts), f"{counted(len(place.hand), 'card')} in hand", *names]
        scores = ruleset.result(view.table.state).scores
        points = next(points_of(one) for one in scores if one.seat == word)
        body = f"{', '.join(filter(None, facts))}\nIf the game ended now: {points}"
        return Text(f"{word} ({whose})", body, source)
    piece = next((piece for piece in place.pieces if piece.name == word), None)
    if piece is None:
        hint = f"{whose} has: {', '.join(names)}" if names else f"{whose} has nothing there"
        raise CliError(f"{word} is not on the table", hint)
    known = entries(ruleset)
    said = [_facts(piece.facts), *ruleset.about_piece(view.table.state, word)]
    for card in piece.cards:
        text = known.get(_word(re.sub(r"( -?\d+( [a-z]+)?)?( \(face down\))?$", "", card)))
        said.append(f"{spaced(card)}: {text.body}" if text else spaced(card))
    return Text(f"{word} ({whose})", "\n".join(said), source)


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    return spaced(", ".join(f"{label} {value}" for label, value in facts))


def _word(name: str) -> str:
    if name.strip() == "-":
        return "-"
    return re.sub(r"[\s_\[\]]+|-(?!\d)|-(?=\d{3}$)", " ", name).strip().lower()


def _doc(phase: Any) -> str:
    doc = " ".join((phase.run.__doc__ or "").split())
    return f"{phase.doc}: {doc}" if phase.doc else doc
