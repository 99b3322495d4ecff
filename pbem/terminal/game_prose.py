"""Sentences on deeds and orders, on messages, and on automatic changes of the table."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from engine import (
    CHANCE,
    DONE,
    UNKNOWN,
    Entry,
    Forms,
    Place,
    Ruleset,
    Scene,
    Table,
    Unreadable,
    bare,
    cards_in,
)
from pbem.judge.game_view import View
from pbem.judge.messages import Message
from pbem.terminal.terminal import MIN_WIDTH, clean
from pbem.text.numbers_and_lists import join_words

# ---- Entries and orders as sentences

_PIECE = re.compile(r"([a-p])[1-9][0-9]*")
_SETTLING_WORDS = {
    "forced": "no other choice",
    "default": "by default",
    "bot": "chosen by a bot",
    "always": "a standing order",
}


class Teller:
    """Writes what happened and what is ordered as sentences with the players' names."""

    def __init__(self, ruleset: Ruleset[Any], names: Mapping[str, str]) -> None:
        self.ruleset = ruleset
        self.names = {seat: clean(name) for seat, name in names.items()}
        self.prose = ruleset.prose()

    def entry(self, entry: Entry) -> list[str]:
        """Return a sentence for each step of an entry, and how it was settled, if that matters."""
        if entry.by == "fact":
            return [self._fact(entry.text)]
        if entry.seat == CHANCE:
            return [self._chance(entry)]
        steps = entry.text.split("; ")
        reported_steps = steps[:-1] if len(steps) > 1 and steps[-1] == DONE else steps
        kind = entry.kind
        settling = _SETTLING_WORDS.get(entry.by.split(" ")[0], "")
        return [
            self.deed_sentence(kind, entry.seat, step) + (f" ({settling})" if settling else "")
            for step in reported_steps
        ]

    def deed_sentence(self, kind: str, seat: str, text: str) -> str:
        """Return a choice as a sentence: `Bo's b1 attacks Ann's a1`."""
        name, (form, fields) = self.names.get(seat, seat), self.ruleset.forms.read(text)
        template = self.prose.deeds.get(f"{kind}.{form}") or self.prose.deeds.get(form)
        if not template:
            return f"{name}: {spaced(bare(text))}"
        return self._owners(template.format(name=name, **self._fields(fields, owned=True)))

    def _owners(self, text: str) -> str:
        """Name each owner once: `Bo plays horns 4 on b1`, `Bo's b1 attacks Ann's a1`."""

        def piece(match: re.Match[str]) -> str:
            name = self.names[match[1][0]]
            text_before = text[: match.start()]
            is_named = name in text_before or f"\0{match[1][0]}" in text_before
            return match[1] if is_named else f"{name}'s {match[1]}"

        return re.sub(r"\0(\w+)", piece, text)

    def _fact(self, text: str) -> str:
        """Return a revealed fact as a sentence."""
        for form, template in self._facts:
            try:
                _, fields = form.parse(text)
            except Unreadable:
                continue
            seat = self.names.get(fields.get("seat", ""), fields.get("seat", ""))
            return self._owners(
                template.format(**{**self._fields(fields, owned=True), "seat": seat})
            )
        return f"turned up: {spaced(text)}"

    @cached_property
    def _facts(self) -> list[tuple[Forms, str]]:
        return [(Forms(fact=form), template) for form, template in self.prose.facts.items()]

    def _chance(self, entry: Entry) -> str:
        """Return a deal, shuffle or roll as a sentence."""
        text, kind = entry.text, entry.kind
        first_word, _, remaining_text = text.partition(" ")
        name = self.names.get(first_word, first_word)
        if kind == "deal" and first_word in self.names:
            cards = cards_in(text)
            hidden = _card_quantity(str(len(cards))) if UNKNOWN in cards else ""
            return f"{name} draws {hidden or join_words(map(spaced, cards)) or 'nothing'}"
        if kind == "deal":
            return f"{_deck(first_word)} turns up {spaced(remaining_text.removeprefix('shows '))}"
        if kind == "shuffle":
            card_count = remaining_text.rsplit(" ", 1)[-1]
            return f"{_deck(first_word)} is shuffled: {_card_quantity(card_count)}"
        if kind == "under":
            count, below = re.findall(r"\d+", remaining_text)[:2] or ["?", "?"]
            return f"{_card_quantity(count)} put back into {_deck(first_word)}, {below} cards down"
        return f"{name} {spaced(remaining_text)}"

    def order(self, text: str, new_piece: str = "") -> str:
        """Return orders in prose: `carnivore 2 on b1`; `new_piece` names the piece that is made."""
        form, fields = self.ruleset.forms.read(text)
        if template := self.prose.orders.get(form):
            piece_clause = f" {new_piece}" if new_piece else ""
            return template.format(new=piece_clause, **self._fields(fields, owned=False))
        sentence = spaced(bare(text)) + (f" ({new_piece})" if new_piece else "")
        return " ".join(map(self._starred, sentence.split(" ")))

    def _starred(self, word: str) -> str:
        """Return what a word with a star means: `any species`, `any species of Bo`, `any like
        b1*`."""
        if not word.strip("*"):
            return f"any {self.prose.piece}" if word else word
        seat = word.rstrip("*")
        if seat != word and seat in self.names:
            return f"any {self.prose.piece} of {self.names[seat]}"
        return f"any like {word}" if "*" in word else word

    def _fields(self, fields: Mapping[str, str], *, owned: bool) -> dict[str, str]:
        return {field: self._field(field, value, owned) for field, value in fields.items()}

    def _field(self, field: str, value: str, owned: bool) -> str:
        """Return the value of a field in prose; if it is ``owned``, a piece gets a mark that
        `_owners` replaces with its owner's name."""
        if value == UNKNOWN:
            return "a card" if field.startswith("card") else "something"
        if "*" in value:
            return self._starred(value)
        if owned and value in self.names:
            return self.names[value]
        if owned and (piece := _PIECE.fullmatch(value)) and piece[1] in self.names:
            return f"\0{value}"
        return spaced(value)


def spaced(text: str) -> str:
    """Return a card's name in prose: `long neck 4` for `long_neck 4`."""
    return text.replace("_", " ")


def _card_quantity(number: str) -> str:
    return f"{number} card{'' if number == '1' else 's'}"


def _deck(name: str) -> str:
    return "the deck" if name == "deck" else f"the {spaced(name)} deck"


# ---- Messages: none can look like a sentence of the game

OLD_KEY_CLAUSE = " (or somebody with an old key of this seat)"
"""The words after the writer's name if this machine first saw the message when the key that
signed it no longer counted."""
MAX_MARKS = 2
"""The most accents and other marks on one letter; more would cover the lines around it."""


def message_lines(
    messages: Iterable[Message], reader_roles: Collection[str], width: int = 0
) -> Iterator[str]:
    """Yield the lines that show these messages, wrapped at `width` (0: not wrapped).

    `reader_roles` are the reader's seats, and `referee` if they are the referee. A message of one
    line follows its writer's name. In a longer message each line begins with `>`.
    """
    for message in messages:
        lead = f"  {_lead(message, reader_roles)}:"
        safe_lines = [safe(line) for line in message.lines]
        inline = f"{lead} {safe_lines[0]}"
        if len(safe_lines) == 1 and (not width or len(inline) <= width):
            yield inline
            continue
        yield lead
        for line in safe_lines:
            for part in textwrap.wrap(line, max(MIN_WIDTH, width) - 6) if width else [line]:
                yield f"    > {part}"
            if not line:
                yield "    >"


def _lead(message: Message, reader_roles: Collection[str]) -> str:
    """Return the beginning of a message in prose: writer and recipient, as the reader sees them."""
    is_reader = is_from_reader(message, reader_roles)
    writer = "You" if is_reader else f"{clean(message.name)} ({message.writer})"
    if message.signer_state == "old key":
        writer += OLD_KEY_CLAUSE
    if not message.recipient:
        return f"{writer} say" if is_reader else f"{writer} says"
    recipient = f"{clean(message.recipient_name)} ({message.recipient})" if is_reader else "you"
    return f"{writer} to {recipient}"


def is_from_reader(message: Message, reader_roles: Collection[str]) -> bool:
    """Return whether the reader, who has these roles, wrote a message."""
    return message.writer in reader_roles and message.signer_state == "now"


def writer_of(message: Message) -> str:
    """Return the name of a message's writer, and a warning if an old key signed it."""
    return clean(message.name) + OLD_KEY_CLAUSE * (message.signer_state == "old key")


def safe(text: str) -> str:
    """Make a message's text safe: it can neither control the terminal nor cover other lines."""
    characters, marks = [], 0
    for character in clean(text):
        marks = marks + 1 if unicodedata.combining(character) else 0
        characters.append(character if marks <= MAX_MARKS else f"\\u{ord(character):04x}")
    return "".join(characters)


# ---- Automatic effects of an entry

FOOD = "food"
"""The label of the food that lies on a piece."""
_NUMBER = re.compile(r"(\d+)(/\d+)?")
_Facts = Mapping[str, str]
_Piece = str
"""A piece's name; empty means the table itself."""


class Following:
    """Replays the log and finds, after each entry, the changes that no sentence reports.

    It compares only what this view may see of the table.
    """

    def __init__(self, view: View) -> None:
        """Begin at the start of the view's game; no entry has been applied yet."""
        self.names = {seat: clean(name) for seat, name in view.names.items()}
        self.ruleset = view.play.ruleset
        self.prose = self.ruleset.prose()
        self.table: Table[Any] = Table(view.play, view.table.viewpoint)
        self.scene: Scene | None = None
        self.eaten: Mapping[_Piece, int] = {}
        """How much each piece had eaten before the entry, as the ruleset counts it."""
        self.reported_changes: Counter[tuple[_Piece, str]] = Counter()

    def skip(self, entry: Entry) -> None:
        """Apply an entry without looking for changes."""
        self._take(entry)
        self.scene = None

    def changes_after(self, entry: Entry) -> list[str]:
        """Apply an entry; return a line for each change that its sentence does not report.

        Choices made at the same time take effect together, so their changes follow the last of
        them.
        """
        if self.scene is None:
            self.scene, self.eaten = self._look()
        old_scene = self.scene
        self._take(entry)
        if len(self.table.pending) < len(self.table.open_decisions):
            return []  # other answers of the wave are missing
        old_eaten, (self.scene, self.eaten) = self.eaten, self._look()
        changes, old_facts, new_facts = [], dict(old_scene.facts), dict(self.scene.facts)
        for label, template in self.prose.common.items():
            old_value, new_value = old_facts.get(label, ""), new_facts.get(label, "")
            if new_value != old_value and not self._is_reported("", label, old_value, new_value):
                changes.append(template.format(before=spaced(old_value), after=spaced(new_value)))
        for old_place, new_place in zip(old_scene.places, self.scene.places, strict=True):
            if sentence := "; ".join(
                [*self._fed(old_place, new_place, old_eaten), *self._place(old_place, new_place)]
            ):
                changes.append(f"{self.names.get(old_place.seat, old_place.seat)}: {sentence}")
        return changes

    def _look(self) -> tuple[Scene, Mapping[_Piece, int]]:
        """Return what the table shows now, and how much each piece has eaten."""
        state = self.table.state
        return self.ruleset.scene(state), self.ruleset.eaten(state)

    def _take(self, entry: Entry) -> None:
        """Apply an entry, and remember which changes of numbers its sentences report."""
        if len(self.table.pending) == len(self.table.open_decisions):
            self.reported_changes.clear()
        self.table.take_answer(entry.text)
        kind = entry.kind
        for step in entry.text.split("; ") if entry.by != "fact" and entry.seat != CHANCE else ():
            try:
                form, fields = self.ruleset.forms.parse(step)
            except Unreadable:
                continue
            changes = self.prose.reported_changes.get(
                f"{kind}.{form}"
            ) or self.prose.reported_changes.get(form, {})
            for label, change in changes.items():
                piece = "" if label in self.prose.common else fields.get("sp", "")
                self.reported_changes[piece, label] += change

    def _place(self, old_place: Place, new_place: Place) -> Iterator[str]:
        """Yield clauses on changes of one seat's place: its facts, numbers of pieces, and pieces
        that came or left."""
        old_facts, new_facts = dict(old_place.facts), dict(new_place.facts)
        for label, name in self.prose.seat_facts.items():
            if old_facts.get(label) != new_facts.get(label):
                yield f"{name} {old_facts.get(label, '0')} → {new_facts.get(label, '0')}"
        old_pieces = {piece.name: dict(piece.facts) for piece in old_place.pieces}
        new_pieces = {piece.name: dict(piece.facts) for piece in new_place.pieces}
        changes: dict[str, list[str]] = {}
        for name in (name for name in old_pieces if name in new_pieces):
            sentence = " and ".join(self._numbers(name, old_pieces[name], new_pieces[name]))
            changes.setdefault(sentence, []).append(name)
        yield from (
            f"{join_words(names)} {sentence}" for sentence, names in changes.items() if sentence
        )
        yield from _pieces_lines(
            self.prose.departures, [name for name in old_pieces if name not in new_pieces]
        )
        yield from _pieces_lines(
            self.prose.arrivals, [name for name in new_pieces if name not in old_pieces]
        )

    def _fed(
        self, old_place: Place, new_place: Place, old_eaten: Mapping[_Piece, int]
    ) -> Iterator[str]:
        """Yield what pieces ate without a sentence or a trace on the table: food that came and was
        swept away again before anybody was asked."""
        old_pieces = {piece.name: dict(piece.facts) for piece in old_place.pieces}
        new_pieces = {piece.name: dict(piece.facts) for piece in new_place.pieces}
        fed: dict[str, list[_Piece]] = {}
        for name in (name for name in new_pieces if name in self.eaten):
            food = self.eaten[name] - old_eaten.get(name, 0) - self.reported_changes[name, FOOD]
            old_value, new_value = (
                facts.get(name, {}).get(FOOD, "0") for facts in (old_pieces, new_pieces)
            )
            if food > 0 and self._is_reported(name, FOOD, old_value, new_value):
                suffix = " more" if self.reported_changes[name, FOOD] else ""
                fed.setdefault(f"{food}{suffix}", []).append(name)
        for amount, names in fed.items():
            eats = f"eats {amount}" if len(names) == 1 else f"eat {amount} each"
            yield f"{join_words(names)} {eats}"

    def _numbers(self, piece: str, old_facts: _Facts, new_facts: _Facts) -> Iterator[str]:
        """A missing number counts as 0."""
        for label in dict.fromkeys((*old_facts, *new_facts)):
            old_value = old_facts.get(label) or _zero_like(new_facts[label])
            new_value = new_facts.get(label) or _zero_like(old_value)
            if not _NUMBER.fullmatch(old_value) or not _NUMBER.fullmatch(new_value):
                continue
            if new_value != old_value and not self._is_reported(piece, label, old_value, new_value):
                yield f"{spaced(label)} {old_value} → {new_value}"

    def _is_reported(self, piece: _Piece, label: str, was: str, now: str) -> bool:
        """Return whether a sentence reports the change, or nobody needs to know about it."""
        grown, number = was, _NUMBER.fullmatch(was)
        if number:
            grown = f"{int(number[1]) + self.reported_changes[piece, label]}{number[2] or ''}"
        emptied = now[:1] == "0" and was[:1] != "0" and label in self.prose.emptied
        return emptied or now == grown


def _pieces_lines(templates: tuple[str, str], names: Sequence[str]) -> Iterator[str]:
    if names:
        yield templates[len(names) > 1].format(pieces=join_words(names))


def _zero_like(number: str) -> str:
    return re.sub(r"^\d+", "0", number)


# ---- Names of phases


def phase_names(view: View) -> dict[str, str]:
    """Return the rulebook's name for each phase of the game."""
    ruleset = view.play.ruleset
    return {phase.name: phase.doc or phase.name for phase in (ruleset.opening, *ruleset.phases)}
