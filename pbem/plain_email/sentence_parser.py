"""Read the sentences of a reply by few rules, and never guess.

A sentence is an *order* (every word in it is used), a *greeting* (it says nothing), *talk*, or it
is *asked back*: it has a number, a card or a piece that was not used. docs/mail.md states the rules
for players.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from importlib.resources import files
from typing import Final, Literal

from engine import STOP
from engine.value_classes import Mutable
from pbem.drafts.questions_and_choices import Choice
from pbem.plain_email.order_form import OrderForm
from pbem.plain_email.strip_quotes import OwnLine
from pbem.terminal.game_prose import spaced

_TOML: Final = tomllib.loads(files("pbem.plain_email").joinpath("words.toml").read_text("utf-8"))
WORDS: Final = {name: frozenset(words.split()) for name, words in _TOML.items()}
"""The word lists of `words.toml`, which says there what each is for."""
FILLER_WORDS, _SMALL_WORDS, _END_WORDS = WORDS["filler"], WORDS["small"], WORDS["ends"]
_NEGATION_WORDS, _COURTESY_WORDS = WORDS["negations"], WORDS["courtesy"] | WORDS["thanks"]
_IDLE_WORDS: Final = (FILLER_WORDS | _SMALL_WORDS | WORDS["verbs"]) - _NEGATION_WORDS
_SPELT_NUMBERS: Final = {word: number for number, word in enumerate(_TOML["numbers"].split(), 1)}
_SPELT_NUMBER_PATTERN = re.compile(rf"\b(number|option|choice) ({'|'.join(_SPELT_NUMBERS)})\b")
_PHRASE_PATTERN = re.compile(
    r"\b(?:(?:i(?:'ll| will)? )?go(?:ing)? (?:with|for)|i(?:'[dl]l?| would) (?:like|love)(?: to)?"
    r"|i want(?: to)?|i wish to|i(?:'ll| will)(?: have)?|let me have|let's (?=take|do|go|play)"
    r"|i(?:'m| am) (?=going|taking|choosing|picking|playing)|both(?= \d+ (?:and|und|et))"
    r"|my (?:choice|answer|move|pick|order)s?(?: (?:is|are))?:?|that(?:'s| is) (?:it|all)"
    r"|(?:for )?th(?:is|at) (?:time|turn|round)|in th(?:at|is) (?:order|sequence)|for (?:now|me)"
    r"|je v(?:oudrais|ais)|ich hätte gern|in dieser reihenfolge|(?:and )?no(?:thing)? (?:else|more)"
    r")(?=\W|$)"
)
"""Phrases around a choice that say no more than that it is the writer's."""
_GLAD_SIGN_PATTERN = re.compile(
    "[👍🙂😀😊😃😄😁😉🎉🙏✅✔☑❤🦖🦕🌿🐾]|(?<!\\S)(?:[:;=]'?[-o^]?[)d]+(?=[\\s.,!]|$)|<3(?!\\S))"
)
"""Smiling faces and the like, which change no meaning."""
_DOUBT_SIGN_PATTERN = re.compile(r"\?|[:;=]'?-?[(/\\|]")
"""Question marks and sad faces: a sentence with one is no order."""
_OTHER_NUMBER_PATTERN = re.compile(
    r"\d\s?[-./:*x×^]\s?\d|\d+\s+(?:to|of|out|or|bis|-)\s+\d|\d[^\W\d_]|[^\W\d_]\d"
    r"|[$€£%+@~=<>-]\s?\d|\d\s?[-+%€$£°@~=<>]|\d{4,}|(?<!\d)0\d"
)
"""Dates, times, ranges, scores, amounts: digits that are no number of a choice."""
_SENTENCE_BREAK_PATTERN = re.compile(
    r"(?<=[.!?…])(?<!\b\d\.)\s+(?=\D)|(?<=\w{5}[.!?…])\s+(?=\d)|(?<=\b\d[.!])\s+(?=\D)"
    r"|\s+--?\s+(?=\D)|;\s*(?=[a-z ]+\s?:)|[。！？]",
    re.I,
)
_JOINER_PATTERN: Final = (
    r"\s*[,;&、，]\s*|\s+(?:\+|and|then|plus|und|dann|et|puis|y|e|en|ve|och|og|i)\s+"
)
LABELLED_LINE_PATTERN = re.compile(r"(always\s+)?([a-z][a-z_-]{0,31})\s*[:=]\s*(.*)", re.I)
"""A line with the kind of its order: `always`, the kind, the order."""
_MAX_PARTS: Final = 30
"""The most choices in one sentence."""
_PIECE_PATTERN: Final = r"[a-p]\d{1,2}"
"""The name of a piece, such as a species: its owner's seat and a number."""
_LONE_NUMBER_PATTERN = re.compile(r"(?<![^\W_])(\d{1,3})(?:st|nd|rd|th|\.)?(?![^\W_])")
"""Digits that may be the number of a choice."""


class Sentence(Mutable):
    """A sentence of a reply, and how it was read."""

    text: str
    line: OwnLine
    """The whole line that it is part of."""
    kind: Literal["order", "greeting", "talk", "ask"] = "talk"
    choices: list[Choice] = field(default_factory=list)
    """The choices: of an order, or those that are sure in a sentence that is asked back."""
    near_choices: list[Choice] = field(default_factory=list)
    """Further choices that may be meant."""
    unused_words: list[str] = field(default_factory=list)
    """The words that fit nothing."""
    is_standing_order: bool = False
    """Whether the choices are standing orders."""


def fold_text(text: str) -> str:
    """Return a text in lower case, without emphasis and glad signs (`:-)`), and with spelt numbers
    of choices (`number two`) as digits."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    text = re.sub(r"\*+(\S(?:[^*]*\S)?)\*+", r" \1 ", re.sub("[\ufe0f\u20e3]", " ", text))
    text = re.sub(r'[_`"“”„\[\]]', " ", _GLAD_SIGN_PATTERN.sub(" ", text))
    text = re.sub(r"\b(?:no|nr|num|n)\.\s?(?=\d)", "number ", text)
    text = _SPELT_NUMBER_PATTERN.sub(lambda match: f"{match[1]} {_SPELT_NUMBERS[match[2]]}", text)
    text = re.sub(r"(?<=\d)(?=[\u3040-\u9fff])|(?<=[\u3040-\u9fff])(?=\d)", " ", text)
    return " ".join(text.replace("w/", "with ").split())


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, in lower case."""
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?", fold_text(text).replace("-", " "))


class _ChoiceWords:
    """The words that may stand for one choice. `seat_names` are people's names by seat."""

    def __init__(self, choice: Choice, seat_names: dict[str, str]) -> None:
        """Collect the words of the choice's order line, of its prose, and of the people in it."""
        self.line_words = {*words_of(spaced(choice.text))} - _SMALL_WORDS
        """The words of the order line itself."""
        sentence = choice.text if choice.ready_line else f"{choice.text} {choice.prose}"
        letters = [word for word in choice.text.split() if len(word) == 1]
        people = " ".join(seat_names.get(letter, "") for letter in letters)
        self.all_words = {*words_of(spaced(f"{sentence} {people}"))} - _SMALL_WORDS
        """Those of the line, of its sentence in prose, and of the people in it."""
        pieces = {word for word in self.all_words if re.fullmatch(_PIECE_PATTERN, word)}
        self.head_words = {w for w in words_of(spaced(choice.group)) if not w.isdigit()} | pieces
        """The names of the card or piece that acts, and of all pieces in the line."""
        self.required_words = self.all_words & _NEGATION_WORDS & self.line_words
        """The negations in the line: without them, the words would mean the opposite."""

    def fits(self, words: Sequence[str], is_alone: bool) -> bool:
        """Return whether all words belong to the choice, and suffice to name it.

        Words may be cut short. If the words do not stand alone in their sentence (`is_alone`), the
        name of a card or piece is not enough.
        """
        if self.required_words - {*words}:
            return False
        if not all(_is_among(word, self.all_words, 2) for word in words):
            return False
        used_head_words = [word for word in words if _is_among(word, self.head_words, 2)]
        if not used_head_words:
            return False
        has_piece = any(re.fullmatch(_PIECE_PATTERN, word) for word in used_head_words)
        has_more_words = len([word for word in words if not word.isdigit()]) > len(used_head_words)
        return has_more_words or is_alone or (has_piece and len(used_head_words) > 1)


def _is_among(word: str, names: Collection[str], uncut_length: int) -> bool:
    """Return whether a word is one of the names, or the beginning of a name and longer than
    `uncut_length`."""
    may_be_short = len(word) > uncut_length and not word.isdigit()
    return word in names or (may_be_short and any(name.startswith(word) for name in names))


class SentenceReader:
    """Reads sentences with the choices of one form."""

    def __init__(self, form: OrderForm) -> None:
        """Collect the words by which the choices of a form can be named."""
        self.form, view = form, form.view
        names = {seat: name.lower() for seat, name in view.names.items()}
        self.signers = {names[view.seat], view.referee.lower(), view.seat}
        """Words that sign or address a reply."""
        self.kinds_by_label = {kind.lower(): kind for kind in [*view.play.ruleset.kinds, STOP]}
        self.words_by_choice = {choice: _ChoiceWords(choice, names) for choice in form.choices}
        self.has_made_piece = False
        """Whether an order that was read makes a piece, for which there are choices."""
        self.asked_kinds = {question.kind for question in form.asked_questions}
        self.end_choices = [
            choice
            for question in form.asked_questions
            for choice in question.offers
            if choice.text == question.ends
        ]
        self.choices_by_key = _choices_by_key(form)
        all_words = {word for words in self.words_by_choice.values() for word in words.all_words}
        content_words = {word for word in all_words if not word.isdigit()}
        self.content_words = content_words - WORDS["common"] - FILLER_WORDS
        """Words of choices that a sentence of small talk seldom has."""
        head_words = {word for words in self.words_by_choice.values() for word in words.head_words}
        head_words |= {*words_of(spaced(" ".join(view.play.ruleset.vocabulary)))} - _SMALL_WORDS
        head_words = {word for word in head_words if len(word) > 1 and not word.isdigit()}
        self.strong_words = head_words | (self.content_words & WORDS["table"]) | _END_WORDS
        """Words that show that a sentence is about the game: cards, pieces, terms of the rules."""
        labels = "|".join(re.escape(question.prompt) for question in form.questions)
        self.label_pattern = re.compile(rf"\[(?:{labels})\]", re.I)
        """The label before an answer in an email for all questions: `[What do you play?]`."""

    # -------------------------------------------------------------- sentences
    def read_lines(self, lines: Iterable[OwnLine]) -> Iterator[Sentence]:
        """Split lines into sentences, read each, and yield it.

        An email that a link opens may have lost its line breaks, or have them as `%0D%0A`, so its
        labels split it too. What follows a label is one answer; a `/` between two answers belongs
        to neither.
        """
        for line in lines:
            text = re.sub(r"^(?:(?:[-*•·◦]|>+)\s+(?=\S))+", "", line.text)
            text = re.sub(r"%0D%0A|%0A|%20", " ", text, flags=re.I)
            parts = self.label_pattern.split(text)
            if len(parts) == 1:
                parts = _SENTENCE_BREAK_PATTERN.split(text)
            for part in parts:
                if part.strip(" .!,/"):
                    yield self.read_sentence(Sentence(part.strip(" /"), line))

    def read_sentence(self, sentence: Sentence) -> Sentence:
        """Set the kind and the choices of a sentence; return it."""
        if self._read_labelled(sentence):
            return sentence
        normalized = fold_text(sentence.text).strip(" .,!;")
        # without words such as “I would like to”
        core = " ".join(_PHRASE_PATTERN.sub(" ", f"{normalized} ").split()).strip(" .,!;:")
        for text in dict.fromkeys([normalized, core]):
            choices = self._read_choices(text)
            if choices is not None:
                sentence.choices, sentence.kind = choices, "order" if choices else "greeting"
                self.has_made_piece = self.has_made_piece or any(choice.makes for choice in choices)
                return sentence
        self._classify_unread(sentence, normalized)
        return sentence

    def _read_labelled(self, sentence: Sentence) -> bool:
        """Read a sentence with the kind of its order, such as `feed: plants only`, `play: 3, 10` or
        `always feed: plants only`; return False if it has no such label."""
        match = LABELLED_LINE_PATTERN.fullmatch(sentence.text.strip())
        kind = self.kinds_by_label.get(match[2].lower()) if match else None
        if not match or not kind:
            return False
        sentence.is_standing_order = bool(match[1]) or kind == STOP
        answer = match[3].strip(" \"'.,!;[]")
        choices = [] if sentence.is_standing_order else self._read_choices(fold_text(answer)) or []
        if not choices and re.search(r"[^\W\d]", answer):
            choices = [Choice(kind, spaced(answer))]
        if choices and all(choice.kind == kind for choice in choices):
            sentence.kind, sentence.choices = "order", choices
        else:
            sentence.kind, sentence.near_choices = "ask", choices
        return True

    # -------------------------------------------------------------- choices
    def _read_choices(self, text: str) -> list[Choice] | None:
        """Return the choices of a sentence: none if the sentence says nothing, None if a word of it
        has no use. Each part between joiners (`,`, `and`, …) must be understood by itself."""
        choices = self._read_part(text, is_alone=True)
        if choices is not None:
            return choices
        parts = [part for part in re.split(_JOINER_PATTERN, text) if part.strip()]
        if not 1 < len(parts) <= _MAX_PARTS:
            return None
        all_choices = list[Choice]()
        for part in parts:
            choices = self._read_part(part, is_alone=False)
            if choices is None:
                return None
            all_choices += choices
        return all_choices

    def _read_part(self, text: str, *, is_alone: bool) -> list[Choice] | None:
        """Return the choices of a part of a sentence: none if the part says nothing, None if it is
        not understood surely. The text comes from `fold_text`; `is_alone` says that the part is the
        whole sentence, and so may also be a word such as `done`."""
        has_picture = any(unicodedata.category(sign) == "So" for sign in text)
        if _DOUBT_SIGN_PATTERN.search(text) or has_picture:
            return None
        words = words_of(text)
        numbers = [int(word) for word in words if word.isdigit()]
        filled_words = [word for word in words if word not in FILLER_WORDS and not word.isdigit()]
        main_words = [word for word in filled_words if word not in _COURTESY_WORDS]
        may_be_greeting = not filled_words or filled_words[:1] != main_words[:1] or len(words) == 1
        is_greeting = may_be_greeting and {*main_words} <= self.signers
        is_done = main_words == ["done"] and not is_alone
        if (is_greeting or is_done) and not numbers:
            return []
        names_end = {*main_words} <= _END_WORDS or main_words == ["nothing", "more"]
        if is_alone and main_words and names_end and not numbers:
            return self.end_choices[:1] or None
        exact_choices = self.choices_by_key.get(_match_key(text), [])
        if not exact_choices and not numbers:
            exact_choices = self.choices_by_key.get(" ".join(main_words), [])
        exact_choices = self._prefer_asked(exact_choices)
        if is_alone and len(exact_choices) == 1:
            return exact_choices
        if _OTHER_NUMBER_PATTERN.search(re.sub(rf"\b{_PIECE_PATTERN}\b|#", " ", text)):
            return None
        if numbers and not main_words:
            closing_words = {*re.sub(r".*\d", "", " ".join(words)).split()} & WORDS["thanks"]
            is_enumeration = len(numbers) > 1 and re.match(r"\(?\d{1,3}[).:]\s", text)  # `1) 3`
            choices = self._choices_of_numbers(numbers)
            are_known = len(choices) == len(numbers) == len({*numbers})
            is_clear = {*filled_words} <= closing_words and not is_enumeration
            return choices if are_known and is_clear else None
        content_words = [word for word in words if not word.isdigit() and word not in _IDLE_WORDS]
        return self._match_words(content_words, numbers, is_alone)

    def _choices_of_numbers(self, numbers: Iterable[int]) -> list[Choice]:
        """Return the choices of the numbers that the player has seen on the form."""
        return [self.form.listed_choices[n] for n in numbers if n in self.form.listed_choices]

    def _prefer_asked(self, choices: Iterable[Choice]) -> list[Choice]:
        """Return the possible choices, each once; only those asked for now, if there are any."""
        possible = [
            choice
            for choice in choices
            if self.has_made_piece or choice not in self.form.piece_choices
        ]
        asked_choices = [choice for choice in possible if choice.kind in self.asked_kinds]
        return list(dict.fromkeys(asked_choices or possible))

    def _match_words(
        self, words: list[str], numbers: list[int], is_alone: bool
    ) -> list[Choice] | None:
        """Return the one choice that the words fit, None if there are several or none.

        A number may be the number of the choice, which must agree with the words, or a card's.
        """
        digits = [str(number) for number in numbers]
        named_choices = self._prefer_asked(
            choice
            for choice, choice_words in self.words_by_choice.items()
            if choice_words.fits([*words, *digits], is_alone)
        )
        numbered_choices = self._prefer_asked(self._choices_of_numbers(numbers[:1]))
        if numbered_choices:
            numbered_words = self.words_by_choice[numbered_choices[0]]
            if numbered_words.fits([*words, *digits[1:]], is_alone):
                # the number may also be a card's, and then the words mean another choice
                return numbered_choices if named_choices in ([], numbered_choices) else None
        exact_choices = [
            choice
            for choice in named_choices
            if self.words_by_choice[choice].line_words == {*words, *digits}
        ]
        choices = exact_choices if len(exact_choices) == 1 else named_choices
        if len(choices) != 1:
            return None
        choice = choices[0]
        # the words of a later question count only if the player has seen them or uses them all
        was_shown = choice in exact_choices or choice in self.form.listed_choices.values()
        return choices if choice.kind in self.asked_kinds or was_shown else None

    # -------------------------------------------------------------- what is not an order
    def _classify_unread(self, sentence: Sentence, normalized: str) -> None:
        """Decide whether a sentence that is no order is talk, or is asked back because it has a
        number or is about the game; then set the choices that it may mean, and its unused words."""
        words = [word for word in words_of(normalized) if not word.isdigit()]
        numbers = [int(digits) for digits in _LONE_NUMBER_PATTERN.findall(normalized)]
        spelt_numbers = [_SPELT_NUMBERS[word] for word in words if word in _SPELT_NUMBERS]
        text = sentence.text.rstrip()
        is_short = len(words) <= 4 or text.endswith((":", ","))
        has_content = bool(self.content_words & {*words} or {*spelt_numbers} - {1})
        is_about_game = (is_short and has_content) or any(
            word in self.strong_words or re.fullmatch(_PIECE_PATTERN, word) for word in words
        )
        if not numbers and (text.endswith("?") or not is_about_game):
            return
        sentence.kind = "ask"
        choices = list[Choice]()
        for part in re.split(rf"{_JOINER_PATTERN}|\s+(?:but|if|or)\s+|[.()]|->|:\s", normalized):
            if part:
                part_numbers = [int(digits) for digits in _LONE_NUMBER_PATTERN.findall(part)]
                part_choices = self._read_part(part, is_alone=False)
                choices += part_choices or self._choices_of_numbers(part_numbers)
        sentence.choices = list(dict.fromkeys([*sentence.choices, *choices]))
        near_choices = self._find_near_choices([*numbers, *spelt_numbers], words)
        if _END_WORDS & {*words}:
            near_choices += self.end_choices
        sentence.near_choices = [
            choice for choice in dict.fromkeys(near_choices) if choice not in sentence.choices
        ][:5]
        used_text = " ".join(f"{c.number} {c.prose} {c.text}" for c in sentence.choices)
        used_words = FILLER_WORDS | {*words_of(spaced(used_text))}
        unused_words = [word for word in words_of(normalized) if word not in used_words]
        sentence.unused_words = unused_words[:8]

    def _find_near_choices(self, numbers: Sequence[int], words: Sequence[str]) -> list[Choice]:
        """Return the listed choices with the given numbers, then the five with the most fitting
        words, then choices with these numbers that the player has not seen."""
        counts = dict[Choice, int]()
        for choice, entry in self.words_by_choice.items():
            fitting_words = {
                word for word in words if _is_among(word, entry.all_words - _NEGATION_WORDS, 3)
            }
            is_about_choice = bool(fitting_words) or choice.kind in self.asked_kinds
            fitting_numbers = [
                number for number in numbers if is_about_choice and str(number) in entry.all_words
            ]
            counts[choice] = len(fitting_words) + len(fitting_numbers)
        best_count = max(1, *counts.values(), 0)
        closest = [choice for choice, count in counts.items() if count == best_count][:5]
        other_choices = [
            self.form.choices_by_number[n] for n in numbers if n in self.form.choices_by_number
        ]
        return [*self._choices_of_numbers(numbers), *closest, *other_choices]


def _choices_by_key(form: OrderForm) -> dict[str, list[Choice]]:
    """Return the choices of a form by match key (see `_match_key`).

    Keys: the order line and the prose, each with and without its number in front. If only one
    question is asked, also ordinals (`the second`, `second one`, `the second one`), which win over
    other choices.
    """
    choices_by_key: dict[str, list[Choice]] = {}
    for choice in form.choices:
        for text in {choice.text, choice.prose} - {""}:
            for key in (_match_key(text), _match_key(f"{choice.number} {text}")):
                choices_by_key.setdefault(key, []).append(choice)
    if len(form.asked_questions) == 1:
        ordinals = _TOML["ordinals"].split()
        for word, choice in zip(ordinals, form.asked_questions[0].offers, strict=False):
            keys = [f"the {word}", f"{word} one", f"the {word} one"]
            choices_by_key |= {key: [choice] for key in keys}
    return choices_by_key


def _match_key(text: str) -> str:
    """Return the words of a text with one space between them: a key of `choices_by_key`."""
    return " ".join(words_of(spaced(text)))
