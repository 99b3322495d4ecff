"""Sentences on deeds and orders, with the names of players, cards and phases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from engine import (
    CHANCE,
    DONE,
    UNKNOWN,
    Entry,
    Forms,
    Ruleset,
    Unreadable,
    bare,
    cards_in,
)
from engine.counts_and_lists_in_prose import join_words
from pbem.judge.game_view import View
from pbem.records.seeded_decks_and_dice import deck_in_words
from pbem.terminal.clean_text import clean

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
            return (
                f"{deck_in_words(first_word)} turns up "
                f"{spaced(remaining_text.removeprefix('shows '))}"
            )
        if kind == "shuffle":
            card_count = remaining_text.rsplit(" ", 1)[-1]
            return f"{deck_in_words(first_word)} is shuffled: {_card_quantity(card_count)}"
        if kind == "under":
            count, below = re.findall(r"\d+", remaining_text)[:2] or ["?", "?"]
            verb = "goes" if count == "1" else "go"
            return (
                f"{_card_quantity(count)} {verb} back into {deck_in_words(first_word)}, under "
                f"{_card_quantity(below)}"
            )
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


def phase_names(view: View) -> dict[str, str]:
    """Return the rulebook's name for each phase of the game."""
    ruleset = view.play.ruleset
    return {phase.name: phase.doc or phase.name for phase in (ruleset.opening, *ruleset.phases)}
