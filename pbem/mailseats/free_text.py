"""Understand choices that a person writes freely, such as `3 und dann 9 :-)` or `my choice is 3`.

Only what is certain counts. In each part of a sentence that names a choice, every word must be
known; a part with `not`, `or`, `if` or `maybe` near a number or a card is doubtful. Questions and
small talk are kept apart, for the referee.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from importlib.resources import files
from typing import Final

from engine.values import Mutable
from pbem.drafts.offers import Choice
from pbem.mailseats.order_form import OrderForm
from pbem.screen.tell import spaced


def _words() -> dict[str, list[str]]:
    """Return the words of people, by what they are for; those for `numbers` are lists of words."""
    doc = tomllib.loads(files("pbem.mailseats").joinpath("free_words.toml").read_text("utf-8"))
    return {
        name: said.split(" | ") if " | " in said else said.split() for name, said in doc.items()
    }


def _any(phrases: Sequence[str]) -> str:
    """Return the pattern of any of these phrases, the longest first; `*` stands for letters."""
    longest = sorted(phrases, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(one).replace(r"\*", r"\w*") for one in longest) + ")"


_SAID: Final = _words()
_SMILEY = re.compile(r"(?<!\S)(?:[:;=]['\u2019]?[-oO^]?[)(DPp/\\|*oO]+|<3|\^\^|xD+)(?![^\s.,!?])")
_EMPHASIS = re.compile(r"(?<!\w)[*_]+(?=\S)|(?<=\S)[*_]+(?!\w)")
_SHORT = re.compile(r"\b(no|nr|num|e\.g|i\.e|bzw|ca)\.(?=\s*#?\d)", re.I)
"""An abbreviation whose point does not end a sentence."""
_POINT: Final = "\x00"
_SENTENCE = re.compile(r"[^.!?\u2026]+(?:[.!?\u2026]+|$)|[.!?\u2026]+")
_PIECES = re.compile(r"\s*[,;:(]\s*|\)\s*,?\s*|\s+-+\s+")
_TOKEN = re.compile(r"#?\d+(?:st|nd|rd|th)?\b|[^\W\d_]+(?:'[^\W\d_]+)*|[&+/]|[-=]>")
_NOISE = re.compile(r"[\s.,!\"'#\[\])(:]*")
_COUNTED = re.compile(r"(\d)(?:st|nd|rd|th)\s*:\s*(?=#?\d)", re.I)
_THEN = re.compile(rf"\b{_any(_SAID['then'])}\b")

_CONNECTORS: Final = frozenset(_SAID["connectors"])
_PLAIN: Final = _CONNECTORS | frozenset(_SAID["nouns"])
_FILLERS: Final = _PLAIN | frozenset(_SAID["fillers"])
_BEFORE_ALL: Final = frozenset(["first", "zuerst"])
_SMALL: Final = frozenset(_SAID["small"])
_NUMBERS: Final = {
    word: number
    for name in ("english", "german", "french", "spanish", "italian")
    for number, word in enumerate(_SAID[name], 1)
    if word != "-"
}
_ORDINALS: Final = {word: number for number, word in enumerate(_SAID["ordinals"], 1)}
_DOUBT = re.compile(rf"\b{_any(_SAID['doubt'])}\b|n't\b")
_TAKES_BACK = re.compile(
    rf"\b{_any(_SAID['takes_back'])}\b|\bwait(?:$|[,.!]| a\b)"
    r"|\b(?:don't|do not|nicht) (?:do|play|take|use|count)\b"
    r"|^no\b(?! (?:hurry|rush|problem|worries|stress))"
)
_ENDS = re.compile(
    rf"(?:(?:and|then|so|und|dann|&) )*(?:(?:i|we)(?: am| are|'m|'re)? |ich )?{_any(_SAID['ends'])}"
    r"(?: (?:for )?(?:this (?:time|turn|round)|now|today)| cards?| from me)*"
)
_AND_ENDS = re.compile(rf"(?:(.*?\S) (?=and |then |und |dann |& ))?(?:{_ENDS.pattern})")
_THANKS: Final = _any(_SAID["thanks"])
_COURTESY = re.compile(rf"(?:(?:and|und|et) )?{_THANKS}(?: {_THANKS})*")
_COURTESIES = re.compile(rf"(?:(?<=\s)|^){_THANKS}(?=\s|$)")
_GREETING = re.compile(rf"{_any(_SAID['greetings'])}(?: \w+){{0,2}}")
_LEADS = re.compile(rf"(?:(?:and|und|with) )?{_any(_SAID['leads'])}\b")
_REASONS = re.compile(r"\s+(?=(?:because|weil|parce que)\b)")
_MEASURED = re.compile(
    rf"\b\d{{1,2}}[:.h]\d\d\b|\b\d+ ?{_any(_SAID['measures'])}\b"
    r"|\b(?:turn|round|until|since|deadline|at|runde|zug|um) \d+\b"
)
_PIECE_NAME = re.compile(r"[a-p]\d+")


class Free(Mutable):
    """What a line says in free words."""

    chosen: list[Choice] = field(default_factory=list)
    ends: bool = False
    """Whether the line says that its list of steps ends, as in `that's all`."""
    rest: list[str] = field(default_factory=list)
    """The questions and the small talk in the line, for the referee."""
    doubtful: str = ""
    """A part that may be meant as an order, and is not certain."""


def tidied(line: str) -> str:
    """Return a line without smileys, other pictures and marks of emphasis."""
    kept = "".join(c for c in line if unicodedata.category(c) not in ("So", "Sk", "Mn", "Me", "Cs"))
    return " ".join(_EMPHASIS.sub("", _SMILEY.sub("", kept)).split())


def is_courtesy(line: str) -> bool:
    """Return whether a line only greets or thanks."""
    said = _bare(line)
    return not said or bool(_GREETING.fullmatch(said) or _COURTESY.fullmatch(said))


def takes_back(text: str) -> bool:
    """Return whether a text may take back what its writer wrote before."""
    return bool(_TAKES_BACK.search(text.lower()))


class FreeReader:
    """Reads lines in free words, with the numbers and the choices of one form."""

    def __init__(self, form: OrderForm, vocabulary: set[str]) -> None:
        self.form, self.vocabulary = form, vocabulary
        mine = form.view.names[form.view.seat].lower()
        own = {word for word in re.findall(r"[^\W\d_]+", mine) if not _DOUBT.search(word)}
        self.fillers = _FILLERS | {word for word in own if not takes_back(word)}
        self.choices = [c for c in form.choices() if "{n}" not in c.text and not c.ready]

    def read(self, line: str, mentioned: set[int], more: Sequence[Choice] = ()) -> Free:
        """Read a line; `mentioned` are the numbers that the reply has chosen already.

        `more` are choices that only become possible after the lines above.
        """
        found = Free()
        said = _COUNTED.sub("", tidied(line)) if _in_sequence(line) else tidied(line)
        said = _SHORT.sub(lambda match: f"{match[1]}{_POINT}", said)
        for sentence in (match[0].strip() for match in _SENTENCE.finditer(said)):
            sentence = sentence.replace(_POINT, ".")
            if sentence.endswith("?") and sentence.strip("?!. "):
                self._question(sentence, found)
            elif _bare(sentence):
                self._sentence(sentence, found, mentioned, [*self.choices, *more])
            if found.doubtful:
                break
        if found.chosen and not found.doubtful:
            found.doubtful = next((one for one in found.rest if takes_back(one)), "")
        return found

    def _question(self, sentence: str, found: Free) -> None:
        if found.chosen and re.match(r"(?:or|oder|ou)\b", _bare(sentence)):
            found.doubtful = sentence
        found.rest.append(sentence)

    # -------------------------------------------------------------- one sentence
    def _sentence(
        self, sentence: str, found: Free, mentioned: set[int], choices: Sequence[Choice]
    ) -> None:
        chosen, sure, ends = self._pieces(_bare(sentence), len(found.chosen), choices)
        if sure and (chosen or ends):
            found.chosen += chosen
            found.ends = found.ends or ends
        elif is_courtesy(sentence):
            return
        elif chosen or ends or self._may_order(sentence, mentioned | _numbers_of(found.chosen)):
            found.doubtful = sentence
        else:
            found.rest.append(sentence)

    def _pieces(
        self, said: str, earlier: int, choices: Sequence[Choice]
    ) -> tuple[list[Choice], bool, bool]:
        """Read the parts of a sentence: the choices, whether all is certain, and whether it ends
        the list. `earlier` says how many choices the sentences before this one have."""
        chosen: list[Choice] = []
        ends, label = False, ""
        for before, part, after in _parts(said):
            piece = part
            if ended := _AND_ENDS.fullmatch(piece):
                ends, piece = True, ended[1] or ""
            if not piece:
                continue
            aside = self._aside(before, piece, chosen[-1]) if chosen else None
            new = None
            if aside is None:
                new = self._chosen(f"{label} {piece}".strip(), bool(earlier or chosen), choices)
            if new is not None:
                chosen, label = [*chosen, *new], ""
            elif (
                after == ":"
                and aside is None
                and set(piece.split()) <= self.fillers | self._titles()
            ):
                label = piece
            elif after == ":" and _ORDINALS.get(piece, 0) == len(chosen) + 1 + earlier > 1:
                continue  # `First: 10. Second: 3.`
            elif not aside:
                return chosen, False, ends
        return chosen, not label, ends

    def _aside(self, before: str, piece: str, choice: Choice) -> bool | None:
        """Return whether a part after a choice leaves it certain; None if the part may be a choice
        itself. `before` is what separates the part from the choice."""
        if before == "because":
            return not (self._knows(piece) or re.search(r"\d", piece))
        if before == "-" and self._numbers(piece, True) is not None:
            return False  # `3 - 10` may be a range
        if piece.lstrip("#").isdecimal() and before == "(":
            return int(piece.lstrip("#")) == choice.number
        if _is_remark(piece, choice) or (before in ("(", "-") and self._harmless(piece)):
            return True
        if before in ("(", "-"):
            return False
        return True if _LEADS.match(piece) and self._harmless(piece) else None

    def _titles(self) -> set[str]:
        asks = " ".join(one.asks.lower() for one in self.form.questions)
        return set(re.findall(r"[^\W\d_]+", asks)) | {"cards", "card", "feeding", "food", "later"}

    def _harmless(self, piece: str) -> bool:
        return not (re.search(r"\d", piece) or self._knows(piece) or _DOUBT.search(piece))

    def _knows(self, said: str) -> bool:
        """Return whether a text has a word of the game's cards, or names a piece."""
        words = set(re.findall(r"[a-z][a-z0-9]*", said))
        return bool(words & self.vocabulary or any(map(_PIECE_NAME.fullmatch, words)))

    def _may_order(self, sentence: str, mentioned: set[int]) -> bool:
        """Return whether a sentence that was not understood may be meant as an order."""
        said = _MEASURED.sub(" ", sentence.lower())
        numbers = {int(number) for number in re.findall(r"(?<![a-z\d])\d{1,3}(?!\d)", said)}
        fresh = numbers & {*self.form.by_number, *self.form.heads} - mentioned
        if fresh or (numbers and _DOUBT.search(said)):
            return True
        words = re.findall(r"[^\W\d_]+", said)
        return len(words) <= 4 and any(_NUMBERS.get(word, 0) > 1 for word in words)

    # -------------------------------------------------------------- choices
    def _chosen(self, piece: str, later: bool, choices: Sequence[Choice]) -> list[Choice] | None:
        """Return the choices that a part names; None if it is not certain that it names any."""
        numbers = self._numbers(piece, later)
        if numbers is not None:
            return numbers
        if one := self._worded(piece, choices):
            return [one]
        parts = re.split(r"\s+(?:and|then|und|dann|et|puis)\s+", piece)
        if len(parts) < 2:
            return None
        found: list[Choice] = []
        for part in parts:
            worded = self._worded(part, choices)
            new = self._numbers(part, True) or ([worded] if worded else [])
            if not new:
                return None
            found += new
        return found

    def _numbers(self, piece: str, later: bool) -> list[Choice] | None:
        """Return the choices with the numbers in a part in which every word is known."""
        piece = _THEN.sub("then", piece)
        if not _NOISE.fullmatch(_TOKEN.sub("", piece)):
            return None
        tokens = _TOKEN.findall(piece)
        numbers = [_number(tokens, place) for place in range(len(tokens))]
        first = next((place for place, number in enumerate(numbers) if number), len(tokens))
        if any(token in _BEFORE_ALL for token in tokens[first + 1 : -1] + tokens[:first] * later):
            return None  # `3, first 10` turns the order round
        strange = (
            {t for t, number in zip(tokens, numbers, strict=True) if not number}
            - self.fillers
            - {"one"}
        )
        after = strange & {*tokens[first:]}
        if not strange - after <= self._titles() or (after and not self._says(numbers, after)):
            return None
        named = list(zip(tokens, numbers, strict=True))
        worded = any(n and t in _NUMBERS for t, n in named)
        if worded and not all(n or t in _PLAIN for t, n in named):
            return None  # `I want two cards`
        found = [self.form.by_number.get(number) for number in numbers if number]
        return [one for one in found if one] if found and all(found) else None

    def _says(self, numbers: Sequence[int], words: set[str]) -> bool:
        """Return whether words after a number only repeat its choice: `4 for the watering hole`."""
        chosen = [self.form.by_number.get(number) for number in numbers if number]
        one = chosen[0] if len(chosen) == 1 else None
        return one is not None and words <= {*_content(one.text), *_content(one.says)} | _SMALL

    def _with_head(self, piece: str) -> str:
        """Return a part with the card in place of its number, if the list is short: `3 on b2`."""
        match = re.search(r"(?<!\S)#?(\d{1,3})\s+(?=\D)", piece)
        head = self.form.heads.get(int(match[1]), "") if match else ""
        return f"{piece[: match.start()]}{head} {piece[match.end() :]}" if match and head else piece

    def _worded(self, piece: str, choices: Sequence[Choice]) -> Choice | None:
        """Return the one choice that has exactly the words of a part; small words do not count."""
        words = _content(self._with_head(piece))
        if not words or not self._knows(" ".join(words)):
            return None
        same = [c for c in choices if any(_same(words, _content(s)) for s in (c.text, c.says) if s)]
        asked = {one.kind for one in self.form.asked}
        if one := _only([c for c in same if c.kind in asked]) or _only(same):
            return one
        single = {one.kind for one in self.form.asked if not one.script}
        wanted = Counter(words)
        return _only(
            [
                c
                for c in choices
                if c.kind in single
                and not any(map(_PIECE_NAME.fullmatch, words))
                and any(wanted <= Counter(_content(s)) for s in (c.text, c.says) if s)
            ]
        )


def _bare(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .,!;?\u2026\"'")


def _numbers_of(choices: Sequence[Choice]) -> set[int]:
    return {choice.number for choice in choices}


def _parts(said: str) -> Iterator[tuple[str, str, str]]:
    """Yield the parts of a sentence without courtesies, each with what stands before and after it:
    `,`, `(`, `-`, `:` or, before a reason, `because`."""
    before, last = "", 0
    for match in [*_PIECES.finditer(said), None]:
        piece, *reasons = _REASONS.split(said[last : match.start() if match else None], maxsplit=1)
        after = match[0].strip()[:1] if match else ""
        if not _LEADS.match(piece) or re.search(r"\d", piece):
            piece = _COURTESIES.sub(" ", piece).strip(" .!\"'")
        if piece and not (_GREETING.fullmatch(piece) or _COURTESY.fullmatch(piece)):
            yield before, piece, after
        if reasons:
            yield "because", reasons[0], after
        before, last = after, match.end() if match else 0


def _in_sequence(line: str) -> bool:
    """Return whether the line counts its own parts: `1st: 3, 2nd: 10`."""
    counts = [int(number) for number in _COUNTED.findall(line)]
    return bool(counts) and counts == list(range(1, len(counts) + 1))


def _number(tokens: Sequence[str], place: int) -> int:
    """Return the number that a word means: `3`, `#3`, `three`, `the third one`; 0 if it is none."""
    token = tokens[place]
    if token.lstrip("#").isdecimal():
        return int(token.lstrip("#")) if len(token) <= 4 else 0
    before, after = tokens[place - 1] if place else "", [*tokens[place + 1 :], ""][0]
    ordinal = _ORDINALS.get(token, 0)
    if counted := re.fullmatch(r"(\d{1,3})(?:st|nd|rd|th)", token):
        ordinal = int(counted[1])
    if ordinal:
        return ordinal if after in ("one", "option", "choice") or before == "the" != after else 0
    named = token == "one" and (before in _ORDINALS or before[-2:] in ("st", "nd", "rd", "th"))
    return 0 if named else _NUMBERS.get(token, 0)


def _content(text: str) -> list[str]:
    """Return the words of an order that tell it from others."""
    words = re.findall(r"[^\W_]+(?:'[^\W\d_]+)*", spaced(text).lower())
    return [word for word in words if word not in _SMALL]


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two orders have the same words, and name their pieces in the same order. The
    first one may also name no piece at all."""
    pieces = [[w for w in words if _PIECE_NAME.fullmatch(w)] for words in (one, other)]
    if pieces[0] and pieces[0] != pieces[1]:
        return False
    return Counter(one) == Counter(other) - Counter(pieces[1] if not pieces[0] else ())


def _is_remark(piece: str, choice: Choice) -> bool:
    """Return whether all words of a part are words of the choice: `3 (body)`."""
    known = {*_content(choice.text), *_content(choice.says)}
    words = _content(piece)
    return bool(words) and set(words) <= known and not piece.lstrip("#").isdecimal()


def _only(found: Sequence[Choice]) -> Choice | None:
    kinds = {(choice.kind, choice.text): choice for choice in found}
    return next(iter(kinds.values())) if len(kinds) == 1 else None
