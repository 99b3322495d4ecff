"""Read what a person wrote by few rules, and never guess.

A sentence is an *order* (every word in it is used), a *command*, *talk*, or it is *asked back*: it
has a number, a card or a piece that was not used. docs/mail.md states the rules for players.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from importlib.resources import files
from typing import Final, Literal

from engine import STOP
from engine.values import Mutable
from pbem.drafts.offers import Choice
from pbem.mailseats.around import OwnLine
from pbem.mailseats.order_form import OrderForm
from pbem.screen.tell import spaced

_TOML: Final = tomllib.loads(files("pbem.mailseats").joinpath("words.toml").read_text("utf-8"))
_LISTS: Final = {name: said.split() for name, said in _TOML.items()}
_WORDS: Final = {name: frozenset(said) for name, said in _LISTS.items()}
_COURTESY, _SMALL, _ENDS = _WORDS["courtesy"], _WORDS["small"], _WORDS["ends"]
_NUMBER_WORDS, _IS_NUMBER = _LISTS["numbers"], frozenset(["number", "option", "choice"])
_FILLER: Final = _WORDS["filler"] | _WORDS["join"]
_NEGATIONS: Final = _WORDS["negations"]
_PHRASES = re.compile(
    r"\b(?:i(?:'ll| will)? go(?: with| for)|go(?:ing)? (?:with|for)|i(?:'[dl]l?| would)"
    r" (?:like|love)(?: to)?|i(?: want| wish) to|i want|i(?:'ll| will)(?: have)?|let me have"
    r"|i(?:'m| am) (?=going|taking|choosing|picking|playing)|let's (?=take|do|go|play)"
    r"|my (?:choice|answer|move|pick|order)s?(?: (?:is|are))?:?|both(?= \d+ (?:and|und|et))"
    r"|je voudrais|je vais|ich hätte gern|in dieser reihenfolge|(?:for )?th(?:is|at) (?:time|turn"
    r"|round)|in th(?:at|is) (?:order|sequence)|for (?:now|me)|that(?:'s| is) (?:it|all)"
    r"|(?:and )?(?:nothing|no) (?:else|more))(?=\W|$)"
)
_SMILEY = re.compile(r"(?<!\S)[:;=]['’]?[-oO^]?[)D]+(?=[\s.,!]|$)|(?<!\S)<3(?!\S)")
_SAD = re.compile(r"\?|[:;=]['’]?-?[(/\\|]")
_GLAD: Final = frozenset("👍🙂😀😊😃😄😁😉🎉🙏✅✔☑❤🦖🦕🌿🐾")
_ODD = re.compile(
    r"\d\s?[-–./:*x×^]\s?\d|\d+\s+(?:to|of|out|or|bis|-)\s+\d|\d[^\W\d_]|[^\W\d_]\d"
    r"|[$€£%+@~=<>-]\s?\d|\d\s?[-+%€$£°@~=<>]|\d{4,}|(?<!\d)0\d"
)
"""Dates, times, ranges, scores, amounts: digits that are no number of a choice."""
_SENTENCE = re.compile(
    r"(?<=[.!?…])(?<!\b\d\.)\s+(?=\D)|(?<=\w{5}[.!?…])\s+(?=\d)|(?<=\b\d[.!])\s+(?=\D)"
    r"|\s+--?\s+(?=\D)|;\s*(?=[a-z ]+\s?:)|[。！？]",
    re.I,
)
_JOINERS: Final = r"\s*[,;&、，]\s*|\s+(?:\+|and|then|plus|und|dann|et|puis|y|e|en|ve|och|og|i)\s+"
_KIND = re.compile(r"(always\s+)?([a-z][a-z_-]{0,31})\s*[:=]\s*(.*)", re.I)
_PIECE: Final = r"[a-p]\d{1,2}"
_LONE = re.compile(r"(?<![^\W_])(\d{1,3})(?:st|nd|rd|th|\.)?(?![^\W_])")
"""Digits that may be the number of a choice."""

Kind = Literal["order", "talk", "ask", "command"]


class Sentence(Mutable):
    """A sentence of a reply, and what it was taken for."""

    text: str
    line: str
    """The whole line that it is part of."""
    paragraph: int = 0
    kind: Kind = "talk"
    took: list[Choice] = field(default_factory=list)
    """The choices: of an order, or those that are sure in a sentence that is asked back."""
    near: list[Choice] = field(default_factory=list)
    """Further choices that may be meant."""
    unused: list[str] = field(default_factory=list)
    """The words that fit nothing."""
    always: bool = False
    """Whether the choices are standing orders."""
    joined: Literal["list", "then", "else"] = "list"


def folded(text: str) -> str:
    """Return a text in lower case, without emphasis, smileys and glad signs."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("\ufe0f", "").replace("’", "'")
    text = re.sub(r"\*+(\S(?:[^*]*\S)?)\*+", r" \1 ", text.replace("\u20e3", " "))
    text = "".join(" " if c in _GLAD or c in '_`"“”„[]' else c for c in text)
    text = re.sub(r"(?<=\d)(?=[\u3040-\u9fff])|(?<=[\u3040-\u9fff])(?=\d)", " ", text)
    return " ".join(_SMILEY.sub(" ", text).replace("w/", "with ").split())


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text."""
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?", folded(text).replace("-", " "))


class _Entry:
    """A choice, and the words that may stand for it."""

    def __init__(self, choice: Choice, names: dict[str, str]) -> None:
        self.choice, self.words = choice, {*words_of(spaced(choice.text))} - _SMALL
        said = choice.text if choice.ready else f"{choice.text} {choice.says}"
        seats = " ".join(names.get(word, "") for word in choice.text.split() if len(word) == 1)
        self.own = {*words_of(spaced(f"{said} {seats}"))} - _SMALL
        pieces = {word for word in self.own if re.fullmatch(_PIECE, word)}
        self.head = {w for w in words_of(spaced(choice.group)) if not w.isdigit()} | pieces
        self.needs = self.own & _NEGATIONS & self.words

    def fits(self, words: Sequence[str], *, with_place: bool) -> bool:
        """Return whether each word belongs to the choice. Words may be cut short; `with_place`:
        the name of a card or piece alone is not enough."""
        is_own = all(word in self.own or _begins(word, self.own, 2) for word in words)
        if not is_own or not self.needs <= {*words}:
            return False
        heads = [word for word in words if word in self.head or _begins(word, self.head, 2)]
        piece = any(re.fullmatch(_PIECE, head) for head in heads)
        more = len([word for word in words if not word.isdigit()]) > len(heads)
        return bool(heads) and (more or not with_place or (piece and len(heads) > 1))


def _begins(word: str, names: Iterable[str], least: int) -> bool:
    return len(word) > least and not word.isdigit() and any(n.startswith(word) for n in names)


class Reader:
    """Reads sentences with the choices of one form."""

    def __init__(self, form: OrderForm) -> None:
        self.form, view = form, form.view
        names = {seat: name.lower() for seat, name in view.names.items()}
        self.signers = {names[view.seat], view.referee.lower(), view.seat}
        self.kinds = {k.lower(): k for k in [*view.play.ruleset.kinds, STOP]}
        self.entries = [_Entry(choice, names) for choice in form.choices]
        self.makes = False
        """Whether an order that was read makes a piece, with which something may be done."""
        self.asked = {question.kind for question in form.asked}
        self.ends = [c for q in form.asked for c in q.offers if c.text == q.ends]
        self.exact: dict[str, list[Choice]] = {}
        for choice in form.choices:
            for said in {choice.text, choice.says} - {""}:
                for key in (_key(said), _key(f"{choice.number} {said}")):
                    self.exact.setdefault(key, []).append(choice)
        if len(form.asked) == 1:
            for word, choice in zip(_LISTS["ordinals"], form.asked[0].offers, strict=False):
                for said in (f"the {word}", f"{word} one", f"the {word} one"):
                    self.exact[said] = [choice]
        content = {w for one in self.entries for w in one.own if not w.isdigit()}
        self.content = content - _WORDS["common"] - _FILLER
        strong = {word for one in self.entries for word in one.head}
        strong |= self.content & _WORDS["table"]
        strong |= set(words_of(" ".join(map(spaced, view.play.ruleset.vocabulary)))) - _SMALL
        self.strong = {word for word in strong if len(word) > 1 and not word.isdigit()} | _ENDS
        labels = "|".join(re.escape(one.asks) for one in form.questions)
        self.labels = re.compile(rf"\[(?:{labels})\]", re.I) if labels else re.compile(r"(?!)")

    # -------------------------------------------------------------- sentences
    def sentences(self, own: Sequence[OwnLine]) -> Iterator[Sentence]:
        """Split lines into sentences and read them; a link's form may have lost its line breaks."""
        whole = list[OwnLine]()
        for one in own:
            last = whole[-1] if whole else one
            wrapped = whole and last.paragraph == one.paragraph and one.text[:1].islower()
            if wrapped and 60 <= len(last.text.split("\n")[-1]) <= 80:
                whole[-1] = last._replace(text=f"{last.text} {one.text}")
            else:
                whole.append(one)
        for one in whole:
            line = re.sub(r"^(?:[-*•·◦]|>+)\s+(?=\S)", "", one.text)
            parts = self.labels.split(re.sub(r"%0D%0A|%0A|%20", " ", line, flags=re.I))
            if len(parts) == 1:
                number = r"\b(?:no|nr|num|n)\.\s?(?=#?\d)"
                parts = _SENTENCE.split(re.sub(number, "number ", line, flags=re.I))
            for part in parts:
                if part.strip(" .!,/"):
                    yield self.read(Sentence(part.strip(" /"), one.text, one.paragraph))

    # -------------------------------------------------------------- one sentence
    def read(self, one: Sentence) -> Sentence:
        """Find out what a sentence is; return it."""
        said = folded(one.text).strip(" .,!;")
        plain = " ".join(_PHRASES.sub(" ", f"{said} ").split()).strip(" .,!;:")
        if self._of_kind(one):
            return one
        for tried in dict.fromkeys([said, plain]):
            if (took := self.choices(tried)) is not None:
                one.took, one.kind = took, "order" if took else "talk"
                self.makes = self.makes or any(choice.makes for choice in took)
                words = set(words_of(one.text))
                one.joined = "then" if words & _WORDS["then"] else "list"
                one.joined = "else" if words & {"else", "otherwise"} else one.joined
                return one
        self._ask_or_talk(one, said)
        return one

    def _of_kind(self, one: Sentence) -> bool:
        """Read `feed: plants only`, `play: 3, 10` or `always feed: plants only`."""
        match = _KIND.fullmatch(one.text.strip())
        kind = self.kinds.get(match[2].lower()) if match else None
        if not match or not kind:
            return False
        one.always, rest = bool(match[1]) or kind == STOP, match[3].strip(" \"'.,!;[]")
        one.took = [] if one.always else self.choices(rest) or []
        if not one.took and re.search(r"[^\W\d]", rest):
            one.took = [Choice(kind, spaced(rest))]
        one.kind = "order" if one.took else "ask"
        if any(choice.kind != kind for choice in one.took):
            one.kind, one.near, one.took = "ask", one.took, []
        return True

    def choices(self, said: str) -> list[Choice] | None:
        """Return the choices of a sentence: none if it says nothing, None if something in it is not
        used. Each part between joiners must be understood by itself."""
        if (took := self._part(said, alone=True)) is not None:
            return took
        parts = [part for part in re.split(_JOINERS, said) if part.strip()]
        each = [self._part(part, alone=False) for part in parts[:30]]
        if len(parts) < 2 or None in each or len(parts) > len(each):
            return None
        return [choice for part in each for choice in part or ()]

    def _only(self, choices: Sequence[Choice]) -> Choice | None:
        """Return the one choice among these, the question asked now first."""
        choices = [one for one in choices if self.makes or one not in self.form.made]
        asked = [choice for choice in choices if choice.kind in self.asked] or choices
        return asked[0] if len({*asked}) == 1 else None

    def _part(self, said: str, *, alone: bool) -> list[Choice] | None:
        """Return the choices of a part: none if it says nothing, None if it is not understood."""
        if _SAD.search(said) or any(unicodedata.category(c) == "So" for c in said):
            return None
        words = words_of(said)
        numbers = [int(word) for word in words if word.isdigit()]
        rest = [word for word in words if word not in _FILLER and not word.isdigit()]
        plain = [word for word in rest if word not in _COURTESY]
        greets = rest[:1] != plain[:1] and {*plain} <= self.signers
        signs = alone and len(words) == 1 and words[0] in self.signers
        if not numbers and (not rest or greets or signs or (plain == ["done"] and not alone)):
            return []
        if alone and not numbers and plain and ({*plain} <= _ENDS or plain == ["nothing", "more"]):
            return self.ends[:1] or None
        same = self.exact.get(_key(said)) or self.exact.get("" if numbers else " ".join(plain))
        if alone and same and (choice := self._only(same)):
            return [choice]
        if _ODD.search(re.sub(rf"\b{_PIECE}\b|#", " ", said)):
            return None
        if len(plain) == 1 and plain[0] in _NUMBER_WORDS and _IS_NUMBER & {*words} and not numbers:
            return self._numbered([1 + _NUMBER_WORDS.index(plain[0])])
        if numbers and not plain:
            after = words[max(at for at, word in enumerate(words) if word.isdigit()) + 1 :]
            polite = {*rest} <= _WORDS["thanks"] & {*after}
            counts = len(numbers) > 1 and re.match(r"\(?\d{1,3}[).:]\s", said)  # `1) 3`
            return self._numbered(numbers) if polite and not counts else None
        idle = (_FILLER | _SMALL | _WORDS["verbs"]) - _NEGATIONS
        content = [word for word in words if not word.isdigit() and word not in idle]
        return self._match(content, numbers, alone)

    def _numbered(self, numbers: Sequence[int]) -> list[Choice] | None:
        listed = [self.form.listed[n] for n in numbers if n in self.form.listed]
        return listed if len(listed) == len(numbers) == len(set(numbers)) else None

    def _match(self, words: list[str], numbers: list[int], alone: bool) -> list[Choice] | None:
        """Read words, perhaps with numbers: the number of a choice must agree with the words."""
        if not words:
            return None
        entries = [one for one in self.entries if self.makes or one.choice not in self.form.made]
        named, agreeing = (
            [one.choice for one in entries if one.fits([*words, *cards], with_place=not alone)]
            for cards in ([*map(str, numbers)], [*map(str, numbers[1:])])
        )
        named = [one for one in named if one.kind in self.asked] or named
        marked = [self.form.listed[n] for n in numbers[:1] if n in self.form.listed]
        if {*marked} & {*agreeing}:  # else the first number may be that of a card
            return marked if named in ([], marked) else None
        whole = {*words, *map(str, numbers)}
        same = [one.choice for one in entries if one.choice in named and whole == one.words]
        choice = self._only(same) or self._only(named)
        known = [*same, *self.form.listed.values()]  # of later questions the player saw no words
        return [choice] if choice and (choice.kind in self.asked or choice in known) else None

    # -------------------------------------------------------------- what is not an order
    def _ask_or_talk(self, one: Sentence, said: str) -> None:
        words = [word for word in words_of(said) if not word.isdigit()]
        numbers = [int(n) for n in _LONE.findall(said)]
        spelt = [1 + _NUMBER_WORDS.index(w) for w in words if w in _NUMBER_WORDS]
        asks, short = one.text.rstrip().endswith("?"), len(words) <= 4
        short = short or one.text.rstrip().endswith((":", ","))
        strong = any(w in self.strong or re.fullmatch(_PIECE, w) for w in words)
        strong = strong or (short and (bool(self.content & {*words}) or spelt not in ([], [1])))
        strong = strong or (bool(spelt) and bool(_IS_NUMBER & {*words}))
        if not (numbers or (strong and not asks)):
            return
        one.kind = "ask"
        for part in re.split(rf"{_JOINERS}|\s+(?:but|if|or)\s+|[.()]|->|:\s", said):
            mine = [int(n) for n in _LONE.findall(part or "")]
            known = self._part(part, alone=False) if part else []
            one.took += known or [self.form.listed[n] for n in mine if n in self.form.listed]
        one.took = list(dict.fromkeys(one.took))
        near = [*self._near([*numbers, *spelt], words), *(self.ends if _ENDS & {*words} else ())]
        one.near = [choice for choice in dict.fromkeys(near) if choice not in one.took][:5]
        said_by = " ".join(f"{c.number} {c.says} {c.text}" for c in one.took)
        used = _FILLER | {*words_of(spaced(said_by))}
        one.unused = [word for word in words_of(said) if word not in used][:8]

    def _near(self, numbers: Sequence[int], words: Sequence[str]) -> list[Choice]:
        scored = list[tuple[float, int, Choice]]()
        for at, one in enumerate(self.entries):
            mine = [w for w in words if w in one.own - _NEGATIONS or _begins(w, one.own, 3)]
            asked = one.choice.kind in self.asked
            cards = [str(n) for n in numbers if str(n) in one.own and (mine or asked)]
            scored.append((-len({*mine}) - len(cards) - 0.5 * asked, at, one.choice))
        scored.sort(key=lambda each: each[:2])
        best = scored[0][0] if scored else 0
        near = [self.form.listed[n] for n in numbers if n in self.form.listed]
        near += [c for score, _, c in scored[:5] if score < -0.9 and score <= best + 0.5]
        return near + [c for n in numbers if (c := self.form.by_number.get(n)) and c not in near]


def alarms(one: Sentence, orders: Sequence[Sentence], *, below: bool) -> bool:
    """Return whether a sentence of talk may take back or change the orders beside it."""
    first, *more = words_of(one.text) or [""]
    words, said = {first, *more} - ({"of"} if first != "of" else set()), one.text.rstrip()
    beside = any(one.paragraph == order.paragraph for order in orders)
    if words & _WORDS["retract"] and (below or beside or said.endswith((",", ":"))):
        return not said.endswith("?") or first in _WORDS["retract"]
    denies = beside or (below and len(words) <= 5) or said.endswith((",", ":"))
    return bool(words & _WORDS["deny"] and denies and not said.endswith("?"))


def may_be_ignored(one: Sentence, form_words: Iterable[str]) -> bool:
    """Return whether a line that a player writes below each answer may be ignored: never if it has
    a condition, a negation, a card, or nothing but numbers."""
    words = {word for word in words_of(one.line) if not word.isdigit()}
    alarming = _WORDS["retract"] | _WORDS["deny"] | set(form_words)
    return bool(words - _FILLER) and not words & alarming


def _key(text: str) -> str:
    return " ".join(words_of(spaced(text)))
