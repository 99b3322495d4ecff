"""Write entries of the log and orders as sentences, in the ruleset's own words if it has any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from engine import CHANCE, DONE, UNKNOWN, Entry, Forms, Ruleset, Unreadable, bare, cards_in
from pbem.screen.terminal import clean

_PIECE = re.compile(r"([a-p])[1-9][0-9]*")
_SETTLED = {
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

    # -------------------------------------------------------------- what happened
    def entry(self, entry: Entry) -> list[str]:
        """Return a sentence for each step of one entry of the log.

        Each sentence also says how the entry was settled, if that matters.
        """
        if entry.by == "fact":
            return [self._fact(entry.text)]
        if entry.seat == CHANCE:
            return [self._chance(entry)]
        steps = entry.text.split("; ")
        told = steps[:-1] if len(steps) > 1 and steps[-1] == DONE else steps
        kind = entry.key.split(".")[2]
        how = _SETTLED.get(entry.by.split(" ")[0], "")
        return [self.told(kind, entry.seat, step) + (f" ({how})" if how else "") for step in told]

    def told(self, kind: str, seat: str, text: str) -> str:
        """Return a choice as a sentence: `Bo's b1 attacks Ann's a1`."""
        name = self.names.get(seat, seat)
        parsed = self._parsed(text)
        template = ""
        if parsed:
            forms = self.prose.told
            template = forms.get(f"{kind}.{parsed[0]}") or forms.get(parsed[0], "")
        if not parsed or not template:
            return f"{name}: {spaced(bare(text))}"
        fields = self._fields(parsed[1], owned=True)
        return self._owners(template.format(name=name, **fields))

    def _owners(self, text: str) -> str:
        """Name each owner once: `Bo plays horns 4 on b1`, `Bo's b1 attacks Ann's a1`."""

        def piece(found: re.Match[str]) -> str:
            name = self.names[found[1][0]]
            before = text[: found.start()]
            known = name in before or f"\0{found[1][0]}" in before
            return found[1] if known else f"{name}'s {found[1]}"

        return re.sub(r"\0(\w+)", piece, text)

    def _fact(self, text: str) -> str:
        for form, template in self.prose.facts.items():
            try:
                _, fields = self._facts[form].parse(text)
            except Unreadable:
                continue
            seat = {"seat": self.names.get(fields.get("seat", ""), fields.get("seat", ""))}
            return self._owners(template.format(**{**self._fields(fields, owned=True), **seat}))
        return f"turned up: {spaced(text)}"

    @cached_property
    def _facts(self) -> dict[str, Forms]:
        return {form: Forms(fact=form) for form in self.prose.facts}

    def _chance(self, entry: Entry) -> str:
        text, kind = entry.text, entry.key.split(".")[2]
        first, _, rest = text.partition(" ")
        name = self.names.get(first, first)
        if kind == "deal" and first in self.names:
            return f"{name} draws {_cards(cards_in(text))}"
        if kind == "deal":
            return f"{_deck(first)} turns up {spaced(rest.removeprefix('shows '))}"
        if kind == "shuffle":
            return f"{_deck(first)} is shuffled: {_counted(rest.rsplit(' ', 1)[-1])}"
        if kind == "under":
            count, below = re.findall(r"\d+", rest)[:2] or ["?", "?"]
            return f"{_counted(count)} put back into {_deck(first)}, {below} cards down"
        return f"{name} {spaced(rest)}"

    # -------------------------------------------------------------- what is ordered
    def order(self, text: str, new: str = "") -> str:
        """Return a line of orders in prose: `carnivore 2 on b1`; `new` names the piece that it
        makes."""
        parsed = self._parsed(text)
        template = self.prose.orders.get(parsed[0], "") if parsed else ""
        if not parsed or not template:
            said = spaced(bare(text)) + (f" ({new})" if new else "")
            return " ".join(map(self._starred, said.split(" ")))
        made = f" {new}" if new else ""
        return template.format(new=made, **self._fields(parsed[1], owned=False))

    def _starred(self, word: str) -> str:
        """Return what a word with a star means: `any`, `any of Bo's`, `any like b1*`."""
        if not word.strip("*"):
            return "any" if word else word
        seat = word.rstrip("*")
        if seat != word and seat in self.names:
            return f"any of {self.names[seat]}'s"
        return f"any like {word}" if "*" in word else word

    # -------------------------------------------------------------- words
    def _parsed(self, text: str) -> tuple[str, dict[str, str]] | None:
        try:
            return self.ruleset.forms.parse(text)
        except Unreadable:
            return None

    def _fields(self, fields: Mapping[str, str], *, owned: bool) -> dict[str, str]:
        return {field: self._field(field, value, owned) for field, value in fields.items()}

    def _field(self, field: str, value: str, owned: bool) -> str:
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


def listed(parts: Iterable[str]) -> str:
    """Join words to a list in prose: `a`, `a and b`, `a, b and c`."""
    *most, last = list(parts) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _cards(cards: list[str]) -> str:
    if any(card == UNKNOWN for card in cards):
        return _counted(str(len(cards)))
    return listed(spaced(card) for card in cards) or "nothing"


def _counted(number: str) -> str:
    return f"{number} card{'' if number == '1' else 's'}"


def _deck(name: str) -> str:
    return "the deck" if name == "deck" else f"the {spaced(name)} deck"
