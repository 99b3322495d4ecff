"""Read what a person wrote by few rules, and never guess.

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
from engine.values import Mutable
from pbem.drafts.offers import Choice
from pbem.plain_email.around import OwnLine
from pbem.plain_email.order_form import OrderForm
from pbem.terminal.tell import spaced

_TOML: Final = tomllib.loads(files("pbem.plain_email").joinpath("words.toml").read_text("utf-8"))
WORDS: Final = {name: frozenset(words.split()) for name, words in _TOML.items()}
FILLER, _SMALL, _ENDS = WORDS["filler"], WORDS["small"], WORDS["ends"]
_NEGATIONS, _COURTESY = WORDS["negations"], WORDS["courtesy"] | WORDS["thanks"]
_IDLE: Final = (FILLER | _SMALL | WORDS["verbs"]) - _NEGATIONS
_SPELT: Final = {word: number for number, word in enumerate(_TOML["numbers"].split(), 1)}
_SPELT_NUMBER = re.compile(rf"\b(number|option|choice) ({'|'.join(_SPELT)})\b")
_PHRASES = re.compile(
    r"\b(?:(?:i(?:'ll| will)? )?go(?:ing)? (?:with|for)|i(?:'[dl]l?| would) (?:like|love)(?: to)?"
    r"|i want(?: to)?|i wish to|i(?:'ll| will)(?: have)?|let me have|let's (?=take|do|go|play)"
    r"|i(?:'m| am) (?=going|taking|choosing|picking|playing)|both(?= \d+ (?:and|und|et))"
    r"|my (?:choice|answer|move|pick|order)s?(?: (?:is|are))?:?|that(?:'s| is) (?:it|all)"
    r"|(?:for )?th(?:is|at) (?:time|turn|round)|in th(?:at|is) (?:order|sequence)|for (?:now|me)"
    r"|je v(?:oudrais|ais)|ich hätte gern|in dieser reihenfolge|(?:and )?no(?:thing)? (?:else|more)"
    r")(?=\W|$)"
)
_GLAD = re.compile(
    "[👍🙂😀😊😃😄😁😉🎉🙏✅✔☑❤🦖🦕🌿🐾]|(?<!\\S)(?:[:;=]'?[-o^]?[)d]+(?=[\\s.,!]|$)|<3(?!\\S))"
)
_SAD = re.compile(r"\?|[:;=]'?-?[(/\\|]")
_ODD = re.compile(
    r"\d\s?[-./:*x×^]\s?\d|\d+\s+(?:to|of|out|or|bis|-)\s+\d|\d[^\W\d_]|[^\W\d_]\d"
    r"|[$€£%+@~=<>-]\s?\d|\d\s?[-+%€$£°@~=<>]|\d{4,}|(?<!\d)0\d"
)
"""Dates, times, ranges, scores, amounts: digits that are no number of a choice."""
_SENTENCE = re.compile(
    r"(?<=[.!?…])(?<!\b\d\.)\s+(?=\D)|(?<=\w{5}[.!?…])\s+(?=\d)|(?<=\b\d[.!])\s+(?=\D)"
    r"|\s+--?\s+(?=\D)|;\s*(?=[a-z ]+\s?:)|[。！？]",
    re.I,
)
_JOINERS: Final = r"\s*[,;&、，]\s*|\s+(?:\+|and|then|plus|und|dann|et|puis|y|e|en|ve|och|og|i)\s+"
LABELLED = re.compile(r"(always\s+)?([a-z][a-z_-]{0,31})\s*[:=]\s*(.*)", re.I)
_MOST_PARTS: Final = 30
_PIECE: Final = r"[a-p]\d{1,2}"
_LONE = re.compile(r"(?<![^\W_])(\d{1,3})(?:st|nd|rd|th|\.)?(?![^\W_])")
"""Digits that may be the number of a choice."""


class Sentence(Mutable):
    """A sentence of a reply, and what it was taken for."""

    text: str
    line: OwnLine
    """The whole line that it is part of."""
    kind: Literal["order", "greeting", "talk", "ask"] = "talk"
    took: list[Choice] = field(default_factory=list)
    """The choices: of an order, or those that are sure in a sentence that is asked back."""
    near: list[Choice] = field(default_factory=list)
    """Further choices that may be meant."""
    unused: list[str] = field(default_factory=list)
    """The words that fit nothing."""
    always: bool = False
    """Whether the choices are standing orders."""


def folded(text: str) -> str:
    """Return a text in lower case, without emphasis and glad signs, and with numbers as digits."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    text = re.sub(r"\*+(\S(?:[^*]*\S)?)\*+", r" \1 ", re.sub("[\ufe0f\u20e3]", " ", text))
    text = re.sub(r'[_`"“”„\[\]]', " ", _GLAD.sub(" ", text))
    text = re.sub(r"\b(?:no|nr|num|n)\.\s?(?=\d)", "number ", text)
    text = _SPELT_NUMBER.sub(lambda match: f"{match[1]} {_SPELT[match[2]]}", text)
    text = re.sub(r"(?<=\d)(?=[\u3040-\u9fff])|(?<=[\u3040-\u9fff])(?=\d)", " ", text)
    return " ".join(text.replace("w/", "with ").split())


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text."""
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?", folded(text).replace("-", " "))


class _Entry:
    """A choice, and the words that may stand for it."""

    def __init__(self, choice: Choice, names: dict[str, str]) -> None:
        self.words = {*words_of(spaced(choice.text))} - _SMALL
        sentence = choice.text if choice.ready_line else f"{choice.text} {choice.prose}"
        seats = " ".join(names.get(word, "") for word in choice.text.split() if len(word) == 1)
        self.own = {*words_of(spaced(f"{sentence} {seats}"))} - _SMALL
        pieces = {word for word in self.own if re.fullmatch(_PIECE, word)}
        self.head = {w for w in words_of(spaced(choice.group)) if not w.isdigit()} | pieces
        self.needs = self.own & _NEGATIONS & self.words

    def fits(self, words: Sequence[str], alone: bool) -> bool:
        """Return whether each word belongs to the choice. Words may be cut short; if the words do
        not stand alone, the name of a card or piece is not enough."""
        if not all(_is_among(word, self.own, 2) for word in words) or self.needs - {*words}:
            return False
        heads = [word for word in words if _is_among(word, self.head, 2)]
        piece = any(re.fullmatch(_PIECE, head) for head in heads)
        more = len([word for word in words if not word.isdigit()]) > len(heads)
        return bool(heads) and (more or alone or (piece and len(heads) > 1))


def _is_among(word: str, names: Collection[str], least: int) -> bool:
    """Return whether a word is one of the names, or is one that was cut short."""
    may_be_short = len(word) > least and not word.isdigit()
    return word in names or (may_be_short and any(name.startswith(word) for name in names))


class Reader:
    """Reads sentences with the choices of one form."""

    def __init__(self, form: OrderForm) -> None:
        self.form, view = form, form.view
        names = {seat: name.lower() for seat, name in view.names.items()}
        self.signers = {names[view.seat], view.referee.lower(), view.seat}
        self.kinds = {kind.lower(): kind for kind in [*view.play.ruleset.kinds, STOP]}
        self.entries = {choice: _Entry(choice, names) for choice in form.choices}
        self.makes = False
        """Whether an order that was read makes a piece, with which something may be done."""
        self.asked = {question.kind for question in form.asked}
        self.ends = [c for q in form.asked for c in q.offers if c.text == q.ends]
        self.exact: dict[str, list[Choice]] = {}
        for choice in form.choices:
            for words in {choice.text, choice.prose} - {""}:
                for key in (_key(words), _key(f"{choice.number} {words}")):
                    self.exact.setdefault(key, []).append(choice)
        ordinals = _TOML["ordinals"].split() if len(form.asked) == 1 else ()
        for word, choice in zip(ordinals, form.asked[0].offers if ordinals else (), strict=False):
            keys = [f"the {word}", f"{word} one", f"the {word} one"]
            self.exact |= {key: [choice] for key in keys}
        content = {w for entry in self.entries.values() for w in entry.own if not w.isdigit()}
        self.content = content - WORDS["common"] - FILLER
        strong = {word for entry in self.entries.values() for word in entry.head}
        strong |= {*words_of(spaced(" ".join(view.play.ruleset.vocabulary)))} - _SMALL
        strong = {word for word in strong if len(word) > 1 and not word.isdigit()}
        self.strong = strong | (self.content & WORDS["table"]) | _ENDS
        labels = "|".join(re.escape(question.prompt) for question in form.questions)
        self.labels = re.compile(rf"\[(?:{labels})\]", re.I)

    # -------------------------------------------------------------- sentences
    def sentences(self, lines: Iterable[OwnLine]) -> Iterator[Sentence]:
        """Split lines into sentences and read them; a link's form may have lost its line breaks."""
        for line in lines:
            text = re.sub(r"^(?:(?:[-*•·◦]|>+)\s+(?=\S))+", "", line.text)
            text = re.sub(r"%0D%0A|%0A|%20", " ", text, flags=re.I)
            parts = self.labels.split(text)
            for part in parts if len(parts) > 1 else _SENTENCE.split(text):
                if part.strip(" .!,/"):
                    yield self.read(Sentence(part.strip(" /"), line))

    def read(self, sentence: Sentence) -> Sentence:
        """Find out what a sentence is; return it."""
        normalized = folded(sentence.text).strip(" .,!;")
        plain = " ".join(_PHRASES.sub(" ", f"{normalized} ").split()).strip(" .,!;:")
        if self._read_kind(sentence):
            return sentence
        for text in dict.fromkeys([normalized, plain]):
            if (choices := self._choices(text)) is not None:
                sentence.took, sentence.kind = choices, "order" if choices else "greeting"
                self.makes = self.makes or any(choice.makes for choice in choices)
                return sentence
        self._ask_or_talk(sentence, normalized)
        return sentence

    def _read_kind(self, sentence: Sentence) -> bool:
        """Read `feed: plants only`, `play: 3, 10` or `always feed: plants only`."""
        match = LABELLED.fullmatch(sentence.text.strip())
        kind = self.kinds.get(match[2].lower()) if match else None
        if not match or not kind:
            return False
        sentence.always, rest = bool(match[1]) or kind == STOP, match[3].strip(" \"'.,!;[]")
        choices = [] if sentence.always else self._choices(rest) or []
        if not choices and re.search(r"[^\W\d]", rest):
            choices = [Choice(kind, spaced(rest))]
        if choices and all(choice.kind == kind for choice in choices):
            sentence.kind, sentence.took = "order", choices
        else:
            sentence.kind, sentence.near = "ask", choices
        return True

    # -------------------------------------------------------------- choices
    def _choices(self, text: str) -> list[Choice] | None:
        """Return the choices of a sentence: none if it says nothing, None if something in it is not
        used. Each part between joiners must be understood by itself."""
        if (choices := self._part(text, alone=True)) is not None:
            return choices
        parts = [part for part in re.split(_JOINERS, text) if part.strip()]
        may_be_list = 1 < len(parts) <= _MOST_PARTS
        lists = [self._part(part, alone=False) for part in parts] if may_be_list else [None]
        return None if None in lists else [choice for part in lists for choice in part or ()]

    def _part(self, text: str, *, alone: bool) -> list[Choice] | None:
        """Return the choices of a part: none if it says nothing, None if it is not understood."""
        if _SAD.search(text) or any(unicodedata.category(sign) == "So" for sign in text):
            return None
        words = words_of(text)
        numbers = [int(word) for word in words if word.isdigit()]
        rest = [word for word in words if word not in FILLER and not word.isdigit()]
        plain = [word for word in rest if word not in _COURTESY]
        greets = not rest or rest[:1] != plain[:1] or len(words) == 1
        says_nothing = (greets and {*plain} <= self.signers) or (plain == ["done"] and not alone)
        if says_nothing and not numbers:
            return []
        if alone and not numbers and plain and ({*plain} <= _ENDS or plain == ["nothing", "more"]):
            return self.ends[:1] or None
        same = self.exact.get(_key(text)) or self.exact.get("" if numbers else " ".join(plain))
        if alone and same and len(choices := self._preferred(same)) == 1:
            return choices
        if _ODD.search(re.sub(rf"\b{_PIECE}\b|#", " ", text)):
            return None
        if numbers and not plain:
            thanks = {*re.sub(r".*\d", "", " ".join(words)).split()} & WORDS["thanks"]
            counts = len(numbers) > 1 and re.match(r"\(?\d{1,3}[).:]\s", text)  # `1) 3`
            choices = self._listed(numbers)
            is_known = len(choices) == len(numbers) == len({*numbers})
            return choices if {*rest} <= thanks and is_known and not counts else None
        content = [word for word in words if not word.isdigit() and word not in _IDLE]
        return self._match(content, numbers, alone)

    def _listed(self, numbers: Iterable[int]) -> list[Choice]:
        return [self.form.listed[n] for n in numbers if n in self.form.listed]

    def _preferred(self, choices: Iterable[Choice]) -> list[Choice]:
        """Return the possible choices, each once; only those asked for now, if there are any."""
        possible = [choice for choice in choices if self.makes or choice not in self.form.made]
        asked = [choice for choice in possible if choice.kind in self.asked]
        return list(dict.fromkeys(asked or possible))

    def _match(self, words: list[str], numbers: list[int], alone: bool) -> list[Choice] | None:
        """Read words, perhaps with numbers: the number of a choice must agree with the words."""
        cards = [str(number) for number in numbers]
        fitting = (c for c, entry in self.entries.items() if entry.fits([*words, *cards], alone))
        named, marked = self._preferred(fitting), self._preferred(self._listed(numbers[:1]))
        if marked and self.entries[marked[0]].fits([*words, *cards[1:]], alone):
            return marked if named in ([], marked) else None  # else it may be a card's number
        same = [choice for choice in named if self.entries[choice].words == {*words, *cards}]
        choices = same if len(same) == 1 else named
        seen = [*same, *self.form.listed.values()]  # of later questions the player saw no words
        sure = [choice for choice in choices if choice.kind in self.asked or choice in seen]
        return sure if len(sure) == len(choices) == 1 else None

    # -------------------------------------------------------------- what is not an order
    def _ask_or_talk(self, sentence: Sentence, normalized: str) -> None:
        words = [word for word in words_of(normalized) if not word.isdigit()]
        numbers = [int(digits) for digits in _LONE.findall(normalized)]
        spelt = [_SPELT[word] for word in words if word in _SPELT]
        text = sentence.text.rstrip()
        is_short = len(words) <= 4 or text.endswith((":", ","))
        is_about = any(word in self.strong or re.fullmatch(_PIECE, word) for word in words)
        is_about = is_about or (is_short and bool(self.content & {*words} or {*spelt} - {1}))
        if not numbers and (text.endswith("?") or not is_about):
            return
        sentence.kind = "ask"
        for part in re.split(rf"{_JOINERS}|\s+(?:but|if|or)\s+|[.()]|->|:\s", normalized):
            sure = self._part(part, alone=False) if part else []
            sentence.took += sure or self._listed(map(int, _LONE.findall(part or "")))
        sentence.took = list(dict.fromkeys(sentence.took))
        near = [*self._near([*numbers, *spelt], words), *(self.ends if _ENDS & {*words} else ())]
        sentence.near = [c for c in dict.fromkeys(near) if c not in sentence.took][:5]
        used = " ".join(f"{c.number} {c.prose} {c.text}" for c in sentence.took)
        unused = [w for w in words_of(normalized) if w not in FILLER | {*words_of(spaced(used))}]
        sentence.unused = unused[:8]

    def _near(self, numbers: Sequence[int], words: Sequence[str]) -> list[Choice]:
        """Return the choices with the given numbers, then the closest by words."""
        shared = dict[Choice, int]()
        for choice, entry in self.entries.items():
            names = {word for word in words if _is_among(word, entry.own - _NEGATIONS, 3)}
            is_about = bool(names) or choice.kind in self.asked
            cards = [number for number in numbers if is_about and str(number) in entry.own]
            shared[choice] = len(names) + len(cards)
        most = max(1, *shared.values(), 0)
        closest = [choice for choice, count in shared.items() if count == most][:5]
        others = [self.form.by_number[n] for n in numbers if n in self.form.by_number]
        return [*self._listed(numbers), *closest, *others]


def _key(text: str) -> str:
    return " ".join(words_of(spaced(text)))
