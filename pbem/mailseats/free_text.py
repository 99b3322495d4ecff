"""Understand choices that a person writes freely, such as `3 und dann 9 :-)` or `my choice is 3`.

Only what is certain counts. A sentence is cut into clauses. A clause names choices by numbers, with
words around them that are all known (`free_words.toml`), or by the words that tell one choice from
all others. Any other clause must be harmless: no number that may be a choice, no word of the game,
no `or`, `if` or `maybe`. If one is not, or if two readings remain, the sentence is doubtful.
Questions and small talk are kept apart, for the referee.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from engine.values import Mutable
from pbem.drafts.offers import Choice
from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.words import (
    NUMBERS,
    SMALL,
    Token,
    Tokens,
    is_courtesy,
    plainly,
    sentences_of,
    takes_back,
    tidied,
    tokens_of,
    without_measures,
)
from pbem.screen.tell import spaced

_SEPARATORS: Final = frozenset(",;:()[]=-")
_KNOWN: Final = (
    *("join", "begin", "noun", "article", "chooser", "frame", "commits", "thanks"),
    "greetings",
)
"""The roles of words that may stand around the number of a choice."""
_AROUND: Final = (*_KNOWN, "reasons", "because", "leads", "makes")
"""The roles of words that may stand around the words of a choice."""
_VETOES: Final = (
    *("doubt", "keeps", "undoes", "rejects", "past", "opinion", "takes_back", "thanks_for"),
)
"""The roles of words beside which a card or a number may be anything but a choice."""
_PIECE = re.compile(r"[a-p]\d+")
_BESIDE = re.compile(r"\b(left|right) (?:of |side of |next to )?[a-p]\d+\b")
_REQUEST = re.compile(
    r"\W*(?:\w+, )?(?:(?:can|could|would|will) you (?:please )?"
    r"(?:be so kind as to|be kind enough to|mind)?"
    r"|(?:can|could|may) i (?:please )?(?=.*\b(?:please|pls)\b))\s*",
    re.I,
)
_QUESTION = re.compile(
    r"(?:and |und |et |y )?(?:what|when|who|whom|whose|how|where|why|which|is|are|do|does|did|has"
    r"|have|can|could|will|would|was|wann|wie|wer|wo|warum|kann|darf|ist|hat|quand|qui|comment"
    r"|est-ce|cuando|quien|como|cuanto|quando|chi|come)\b"
)
"""How a question begins."""
_OR_ASKS = re.compile(r"\W*(?:or|oder|ou|o)\b")


class Free(Mutable):
    """What a line says in free words."""

    chosen: list[Choice] = field(default_factory=list)
    replaces: bool = False
    """Whether the choices replace those that the reply named before."""
    ends: bool = False
    """Whether the line says that its list of steps ends, as in `that's all`."""
    rest: list[str] = field(default_factory=list)
    """The questions and the small talk in the line, for the referee."""
    settled: int = 0
    """How many of them stand before the last choice."""
    pending: list[Token] = field(default_factory=list)
    """Words that name a part of a choice, whose rest may follow in the next sentence."""
    between: set[int] = field(default_factory=set)
    """The numbers between which the writer wavers, as in `2 or 4`, until one is chosen."""
    taken_back: str = ""
    """A sentence that takes back the choices before it, until a new one follows."""
    doubtful: str = ""
    """A part that may be meant as an order, and is not certain."""


class FreeReader:
    """Reads lines in free words, with the numbers and the choices of one form."""

    def __init__(self, form: OrderForm, vocabulary: set[str]) -> None:
        self.form = form
        names = form.view.names
        self.others = _letters(" ".join(n for seat, n in names.items() if seat != form.view.seat))
        self.others -= {"i", "a"}
        """The names of the other players."""
        mine = _letters(f"{names[form.view.seat]} {form.view.referee}") - self.others
        self.names = {word for word in mine if not tokens_of(word)[0].roles}
        self.choices = [c for c in form.choices() if not (c.takes_number or c.ready)]
        self.asked = {question.kind for question in form.asked}
        self.single = next(
            (q.kind for q in form.asked if not q.script and len(self.asked) == 1), ""
        )
        """The kind of the only question, if it wants one answer."""
        orders = [words for choice in self.choices for words in _orders(choice)]
        self.spelling = sorted({word for words in orders for word in words if word.isalpha()})
        self.joined = {
            short: [one, other]
            for words in orders
            for one, other in pairwise(words)
            for short in (one + other, one[0] + other[0])
        }
        """Two words of a choice by how they are joined (`longneck`) or shortened (`ln`)."""
        now = [c for c in self.choices if c.kind in self.asked]
        words = vocabulary | {w for c in now for w in _content(c.text) if len(w) > 3}
        self.vocabulary = {word for word in words if tokens_of(word)[0].is_strange}
        titles = _letters(" ".join(question.asks for question in form.asked)) - SMALL - self.others
        self.titles = {word for word in titles if tokens_of(word)[0].is_strange}
        self.titles |= {"cards", "feeding", "food", "later"}

    def read(self, line: str, earlier: Sequence[Choice], more: Sequence[Choice] = ()) -> Free:
        """Read a line; `earlier` are the choices in the lines above.

        `more` are choices that only become possible after the lines above.
        """
        found = Free()
        said = tidied(line)
        counted = re.match(r"\d{1,2}[.)]\s", said)
        for sentence in sentences_of(said):
            before = [] if found.taken_back else list(found.chosen)
            stated, question = self._question_in(sentence)
            if tokens := tokens_of(stated):
                reading = _Sentence(self, earlier, [*self.choices, *more], found)
                reading.read(tokens, sentence.removesuffix(question) if stated else sentence)
            if question:
                found.rest.append(question)
                if (found.chosen or earlier) and _OR_ASKS.match(question.lower()):
                    found.doubtful = sentence
            if counted and any(str(choice.number) not in said for choice in found.chosen):
                found.doubtful = line  # `1. long neck 3 on b1`
            if found.doubtful:
                return found
            if found.chosen != before or found.replaces:
                found.settled = len(found.rest)
        unsure = [found.taken_back, line if found.pending else ""]
        if found.between and not any(one.number in found.between for one in found.chosen):
            unsure.append(line)
        if found.chosen:
            unsure += [one for one in found.rest[found.settled :] if takes_back(one)]
        found.doubtful = next(filter(None, unsure), "")
        return found

    def _question_in(self, sentence: str) -> tuple[str, str]:
        """Split a sentence into what it states and what it asks: `3 please, when do we meet?`.

        A request such as `can you put 3 for me?` is a statement.
        """
        if not sentence.endswith("?") or not sentence.strip("?!. "):
            return sentence, ""
        request = _REQUEST.match(sentence)
        if request and request.end() and not self.is_small_talk(tokens_of(sentence)):
            return sentence[request.end() :], ""
        for match in re.finditer(r"\s*[,;:-]\s+", sentence):
            asked = sentence[match.end() :]
            if _QUESTION.match(plainly(asked)) and not _QUESTION.match(plainly(sentence)):
                tokens = tokens_of(asked)
                if any(t.has("about_choice") for t in tokens) or not self.is_small_talk(tokens):
                    break
                return sentence[: match.start()], asked
        return "", sentence

    # -------------------------------------------------------------- words
    def is_known(self, token: Token) -> bool:
        """Return whether a word may stand around the number of a choice."""
        if token.has("doubt") and not token.has("noun"):
            return False
        return token.has(*_KNOWN) or token.text.removesuffix("'s") in self.names | {"#"}

    def is_title(self, token: Token) -> bool:
        """Return whether a word names a question of the email."""
        said = token.text
        begins = len(said) >= 5 and token.is_strange
        return said in self.titles or (begins and any(t.startswith(said[:5]) for t in self.titles))

    def knows(self, token: Token) -> bool:
        """Return whether a word is a word of the game's cards, or names a piece."""
        return token.text in self.vocabulary or bool(_PIECE.fullmatch(token.text))

    def is_part(self, token: Token) -> bool:
        """Return whether a word, perhaps shortened, belongs to a choice."""
        said = token.text
        short = token.is_strange and not self.is_title(token) and self._spelled(said) != [said]
        return self.knows(token) or said in self.spelling or short

    def is_unknown(self, token: Token) -> bool:
        """Return whether nothing is known of a word."""
        known = self.is_known(token) or self.is_title(token) or token.has(*_AROUND)
        return not known and token.text not in SMALL

    def names_others(self, tokens: Tokens) -> bool:
        """Return whether words name another player."""
        return not self.others.isdisjoint(token.text for token in tokens)

    def harmless(self, tokens: Tokens) -> bool:
        """Return whether words neither say anything about choices nor make them doubtful."""
        doubts = [t for t in tokens if t.has("doubt", "takes_back", "rejects", "undoes")]
        denies = len(tokens) > 3 and all(token.has("denies") for token in doubts)
        certain = not doubts or (denies and not any(token.has("sure") for token in tokens))
        return certain and self.is_small_talk(tokens)

    def is_small_talk(self, tokens: Tokens) -> bool:
        """Return whether words have no number that may be a choice, and no word of the game."""
        return not any(
            (token.has_digits and not self._counts(tokens, place))
            or (NUMBERS.get(token.text, 0) > 1 and len(tokens) < 5)
            or self.knows(token)
            for place, token in enumerate(tokens)
        )

    def _counts(self, tokens: Tokens, place: int) -> bool:
        """Return whether a number is about something else: `I have 3 kids`, `platform 2`."""

        def strange(at: int) -> bool:
            token = tokens[at]
            named = self.is_part(token) or token.text in self.names
            return token.text.isalpha() and token.is_strange and not named

        before = place - 1
        while before > 0 and (tokens[before].digits or tokens[before].text in ("and", ",", "or")):
            before -= 1
        if before >= 0 and strange(before):
            return True
        begins = place == 0 or tokens[place - 1].has("join", "article", "noun")
        begins = begins or tokens[place - 1].text in _SEPARATORS
        return not begins and place + 1 < len(tokens) and strange(place + 1)

    def declines(self, tokens: Tokens) -> bool:
        """Return whether a clause says that nothing is played: `I don't play any cards`, `I keep
        my hand`."""
        roles = {role for token in tokens for role in token.roles}
        denies = roles >= {"denies", "plays", "anything"} or roles >= {"keeps", "whole", "hand"}
        return denies and all(
            self.is_known(token)
            or self.is_title(token)
            or token.has("keeps", "denies", "plays", "anything", "whole", "hand")
            or token.text == "back"
            for token in tokens
        )

    def may_order(self, sentence: str, mentioned: set[int]) -> bool:
        """Return whether a sentence that was not understood may be meant as an order."""
        tokens = tokens_of(without_measures(sentence))
        cards = any(map(self.knows, tokens))
        if any(token.has("undoes") for token in tokens) and (
            cards or any(token.digits for token in tokens)
        ):
            return True
        if any(token.has("keeps") for token in tokens):
            return False
        numbers = {
            t.digits for p, t in enumerate(tokens) if t.digits and not self._counts(tokens, p)
        }
        fresh = numbers & {*self.form.by_number, *self.form.heads} - mentioned
        if fresh or (numbers and any(token.has("doubt", "corrects") for token in tokens)):
            return True
        if cards:
            known = [t for t in tokens if self.knows(t) or self.is_known(t) or t.text in SMALL]
            return len(tokens) - len(known) < 2
        return len(tokens) <= 4 and any(NUMBERS.get(token.text, 0) > 1 for token in tokens)

    # -------------------------------------------------------------- choices by number
    def numbers(self, tokens: Tokens, earlier: int) -> list[Choice]:
        """Return the choices with the numbers in a clause in which every word is known; empty if
        that is not certain. `earlier` says how many choices stand before the clause."""
        numbered = {p: n for p in range(len(tokens)) if (n := self._number(tokens, p))}
        places = list(numbered)
        found = [c for n in numbered.values() if (c := self.form.by_number.get(n))]
        if not found or len(found) < len(places) or not self._in_order(tokens, places, earlier):
            return []
        if len(found) == 1 and self._may_be_a_card(found[0]):
            return []
        ranked = any(tokens[place].rank or tokens[place].has("last") for place in places)
        if ranked and any(choice != found[0] for choice in found):
            return []  # `the first one is 3`
        if not self._leads_in(tokens[: places[0]]):
            return []
        for place, choice, end in zip(places, found, [*places[1:], len(tokens)], strict=True):
            after = list(tokens[place + 1 : end])
            if ranked and after and _is_one(after[0]):
                del after[0]
            marked = tokens[place].text[0] == "#" or (place > 0 and tokens[place - 1].has("noun"))
            marked = marked and any(token.has("chooser") for token in tokens[:place])
            around = tokens[max(0, place - 1) : place + 2]
            we_are = [token.text for token in tokens[max(0, place - 2) : place]] == ["we", "are"]
            if we_are or any(token.has("counts_nothing") for token in around):
                return []
            if not self._follows(after, choice, end == len(tokens), marked):
                return []
        return found

    def _number(self, tokens: Tokens, place: int) -> int:
        """Return the number that a word means: `3`, `three`, `the third one`; 0 if it is none."""
        token = tokens[place]
        if token.digits:
            return token.digits
        before = tokens[place - 1] if place else Token("")
        after = tokens[place + 1] if place + 1 < len(tokens) else Token("")
        calm = not after.text or after.has("thanks", "commits")
        if token.rank or token.has("last"):
            article = before.has("article")
            if article and place > 1 and tokens[place - 2].text in ("on", "of", "until", "by"):
                return 0  # `on the 4th`
            one = _is_one(after) and not any(t.digits for t in tokens[place:])
            named = (one and (article or not before.text)) or (
                article and (calm or after.has("to"))
            )
            alone = len(tokens) == 1 and token.has_digits
            return (token.rank or self._last()) if named or alone else 0
        number = NUMBERS.get(token.text, 0)
        if before.has("noun"):
            return number
        if number == 1:
            others = [one for one in tokens if not one.has("join", "thanks")]
            return int(all(one.text in NUMBERS for one in others))
        calm = (
            calm or after.has("join") or after.text in ("for", "is", "it") or after.text in NUMBERS
        )
        return number if calm else 0

    def _last(self) -> int:
        of_kind = [choice.number for choice in self.form.of(self.single)] if self.single else []
        return max(of_kind, default=0)

    def _may_be_a_card(self, choice: Choice) -> bool:
        """Return whether a number of a later question is also that of a card: `the 7`."""
        now = [c for c in self.choices if c.kind in self.asked and c.number]
        later = choice.kind not in self.asked
        return later and any(str(choice.number) in _content(one.text) for one in now)

    def _in_order(self, tokens: Tokens, places: Sequence[int], earlier: int) -> bool:
        """Return whether words such as `first` agree with the order of the numbers."""
        for place, token in enumerate(tokens):
            if not token.rank or place in places:
                continue
            after = [other for other in places if other > place]
            before = [other for other in places if other < place]
            leads = bool(after) and not any(t.has("join") for t in tokens[place + 1 : after[0]])
            if token.rank != len(before) + earlier + leads:
                return False
            if leads and before and not any(t.has("join") for t in tokens[before[-1] + 1 : place]):
                return False  # `3 first 10`
        return True

    def _leads_in(self, tokens: Tokens) -> bool:
        """Return whether the words before the first number of a clause say that it is chosen."""
        known = [self.is_known(token) or self.is_title(token) or token.rank > 0 for token in tokens]
        if all(known):
            return True
        chooser = max((p for p, token in enumerate(tokens) if token.has("chooser")), default=-1)
        if chooser < 0 and tokens[-1].has("noun") and not tokens[-1].has("frame"):
            chooser = len(tokens) - 1  # `after a cup of tea number 3`
        before = tokens[: max(0, chooser)]
        return (
            bool(before)
            and all(known[chooser:])
            and not any(token.has(*_VETOES, "is", "not_mine") for token in before)
            and self.harmless(before)
            and not self.names_others(before)
        )

    def _follows(self, tokens: Tokens, choice: Choice, last: bool, marked: bool) -> bool:
        """Return whether the words after the number of a choice leave it certain.

        `marked` says that a word such as `option` stands before the number.
        """
        said = {word for words in _orders(choice) for word in words}
        cards = [f"{token.text} {choice.number}" for token in tokens]
        if any(card in one.text for card in cards for one in self.choices if one != choice):
            return False  # `7 long neck` may be the card `long neck 7`
        if tokens and tokens[0].text not in said:
            noun = tokens[0].has("noun") and not tokens[0].has("article", "join")
            if noun or tokens[0].has("measures") or self.is_title(tokens[0]):
                return False
        for place, token in enumerate(tokens):
            if token.text in said or token.text in SMALL or token.rank or self.is_known(token):
                continue
            before, tail = tokens[: place + 1], tokens[place:]
            if self.is_title(token) and any(one.has("to") for one in before):
                continue
            if any(one.has("because") for one in before):
                return last
            if any(one.has("reasons") for one in before):
                return last and self.is_small_talk(tail)
            talk = any(one.has("leads") or one.text in ("and", "und", "et") for one in before)
            harmless = self.harmless(tail) and not self.names_others(tail)
            return last and harmless and (marked or talk)
        return True

    # -------------------------------------------------------------- choices in words
    def worded(self, tokens: Tokens, choices: Sequence[Choice]) -> Choice | None:
        """Return the one choice that has exactly the words of a clause; None if there is none, or
        several. Small words do not count, and the card's number and the piece's name may be left
        out."""
        if any(token.has(*_VETOES) and token.text not in SMALL for token in tokens):
            return None
        if any(token.has("least", "most") for token in tokens):
            return self._extreme(tokens, choices)
        said = [t for t in tokens if self.is_part(t) or not t.has(*_AROUND)]
        verbs = [t for t in said if t.has("begin", "makes") and not self.knows(t)]
        without = [token for token in said if token not in verbs]  # `first`, `discard`
        return self._named(said, choices) or (self._named(without, choices) if verbs else None)

    def told(self, tokens: Tokens, choices: Sequence[Choice]) -> Choice | None:
        """Return the one choice whose words are among others that are not known, if it answers a
        question that is asked now."""
        if any(token.has("is") for token in tokens) or tokens[0].has("asks"):
            return None
        last = max((p for p, t in enumerate(tokens) if self.knows(t) or t.digits), default=0)
        if any(map(self.is_unknown, tokens[last + 1 : last + 2])):
            return None  # `climbing reminds me of my holidays`
        said: list[Token] = []
        for place, token in enumerate(tokens):
            card = place > 0 and self.knows(tokens[place - 1])
            number = token.digits or token.text in NUMBERS
            spelled = token.text in self.spelling and not self.is_known(token)
            if self.knows(token) or spelled or (card and number) or token.text in ("left", "right"):
                said.append(token)
            elif token.has_digits and not self._counts(tokens, place):
                return None
        one = self._named(said, choices)
        few = sum(self.is_unknown(token) for token in tokens if token not in said) < 2
        tells = few or any(token.has("chooser", "makes", "thanks") for token in tokens)
        scripts = {question.kind for question in self.form.asked if question.script}
        return one if one and one.kind in (self.asked if tells else scripts) else None

    def ends_of_words(self, tokens: Tokens) -> list[int]:
        """Return where the words of a choice may end before the clause does: at a reason, or at a
        place in other words."""
        first = next((p for p, token in enumerate(tokens) if self.knows(token)), len(tokens))
        for place in range(first + 1, len(tokens)):
            token, tail = tokens[place], tokens[place:]
            if token.has("because") or (token.has("reasons") and self.is_small_talk(tail)):
                return [place]
            goes = self.single and token.has("to") and self.harmless(tail)
            if goes and not self.names_others(tail):
                return [place]
        return []

    def _extreme(self, tokens: Tokens, choices: Sequence[Choice]) -> Choice | None:
        """Return the choice that words such as `the lower long neck` or `the highest card` name."""
        said = [
            token.text
            for token in tokens
            if self.knows(token)
            or not (token.has("least", "most", *_AROUND) or self.is_title(token))
        ]
        words = {right for word in _content(" ".join(said)) for right in self._spelled(word)}
        numbers = [
            (int(choice.text.split()[-1]), choice)
            for choice in choices
            if choice.kind == self.single
            and words <= {*_content(choice.text)}
            and choice.text.split()[-1].isdecimal()
        ]
        if len(numbers) < 2:
            return None
        best = max if any(token.has("most") for token in tokens) else min
        extreme = best(number for number, _ in numbers)
        return _only([choice for number, choice in numbers if number == extreme])

    def _named(self, said: Tokens, choices: Sequence[Choice]) -> Choice | None:
        """Return the one choice that these words name, without any other words."""
        text = _BESIDE.sub(r"\1", " ".join(token.text for token in said))
        words = [right for word in _content(self._with_head(text)) for right in self._spelled(word)]
        words = [str(NUMBERS[w]) if w in NUMBERS and w not in self.vocabulary else w for w in words]
        if not any(self.knows(Token(word)) for word in words):
            return None
        now = [choice for choice in choices if choice.kind in self.asked]
        same, loose = _fitting(words, choices, _same), _fitting(words, choices, _lacks_numbers)
        if same or loose:
            later = _only(same) if not any(choice in now for choice in loose) else None
            return _only([c for c in same or loose if c in now]) or later
        less = _fitting(words, now, _lacks_pieces)
        if any(token.has("trait") for token in said):
            return _only(less)
        if any(map(_PIECE.fullmatch, words)):
            return None
        having = _fitting(words, now, _has)
        if (one := _only(having)) and one in less:
            return one
        told = [word for word in words if not self.is_title(Token(word))]
        return _only(_fitting(told, [c for c in now if c.kind == self.single], _has))

    def _spelled(self, word: str) -> list[str]:
        """Return the words of the choices that a word joins, shortens or misspells; else the
        word."""
        if word in self.joined:
            return self.joined[word]
        if word in self.spelling or len(word) < 3 or not word.isalpha():
            return [word]
        near = [one for one in self.spelling if one.startswith(word) or _swapped(one, word)]
        return near if len(near) == 1 else get_close_matches(word, self.spelling, 1, 0.85) or [word]

    def _with_head(self, piece: str) -> str:
        """Return a part with the card in place of its number, if the list is short: `3 on b2`."""
        match = re.search(r"(?<!\S)#?(\d{1,3})\s+(?=\D)", piece)
        head = self.form.heads.get(int(match[1]), "") if match else ""
        return f"{piece[: match.start()]}{head} {piece[match.end() :]}" if match and head else piece


class _Clause(NamedTuple):
    """A part of a sentence, with the marks around it; `but` counts as a mark."""

    before: str
    tokens: list[Token]
    after: str


class _Sentence:
    """One sentence, read clause by clause."""

    def __init__(
        self, reader: FreeReader, earlier: Sequence[Choice], choices: Sequence[Choice], found: Free
    ) -> None:
        self.reader, self.choices, self.found = reader, choices, found
        self.before = [*([] if found.replaces else earlier), *found.chosen]
        """The choices of the reply before this sentence."""
        self.new: list[Choice] = []
        self.rejected: list[Choice] = []
        self.label, found.pending = found.pending, []
        """Words before a colon that may belong to the next clause: `Watering hole: climbing 1`."""
        self.corrected: int | None = 0 if found.taken_back else None
        """How many of the new choices stand before a word such as `oops`; None without one."""
        self.wavers = False
        """Whether a clause says what was wanted before: `I thought of 3`."""
        self.ends = False
        self.in_words = bool(found.chosen)
        """Whether the last choice was named in words."""

    def read(self, tokens: Tokens, sentence: str) -> None:
        """Read the sentence and note what it means."""
        found, reader = self.found, self.reader
        unsure = [clause.tokens for clause in _clauses(tokens) if not self._takes(clause)]
        sure = not any(map(self._differs, unsure)) and bool(self.new or not unsure)
        if sure and self.label and not self.new and any(map(reader.knows, self.label)):
            found.pending = self.label
            return
        sure = sure and (not self.label or not self.new)
        sure = sure and self._corrects() and not self._contradicts()
        if len(self.new) > 1 and self.new == found.chosen[-len(self.new) :]:
            return  # the whole list is repeated
        mentioned = {choice.number for choice in [*self.before, *self.new]}
        meant = self.new or self.ends or self.rejected or any(map(reader.knows, self.label))
        if sure and (self.new or self.ends):
            found.chosen += self.new
            found.ends = found.ends or self.ends
        elif is_courtesy(sentence):
            return
        elif not self.before and (between := _between(sentence)):
            found.between = between
            found.rest.append(sentence)
        elif not (sure and self.wavers) and (meant or reader.may_order(sentence, mentioned)):
            found.doubtful = sentence
        else:
            if self.wavers or (self.corrected is not None and found.chosen):
                found.taken_back = sentence
            found.rest.append(sentence)

    def _differs(self, tokens: Tokens) -> bool:
        """Return whether a clause that is not understood may mean anything but what is chosen."""
        numbers = {token.digits for token in tokens if token.digits}
        chosen = {choice.number for choice in self.new}
        others = [token for token in tokens if token.digits not in chosen]
        return not numbers or not numbers <= chosen or not self.reader.harmless(others)

    # -------------------------------------------------------------- one clause
    def _takes(self, clause: _Clause) -> bool:
        """Read one clause; return whether it is certain what it means, if it matters."""
        reader = self.reader
        tokens = self._without_end(self._without_corrections(self._without_courtesies(clause)))
        if not tokens:
            return True
        if self.new and (aside := self._aside(clause.before, tokens, self.new[-1])) is not None:
            return aside
        if any(token.has("past") for token in tokens) and not reader.is_small_talk(tokens):
            self.corrected, self.wavers = len(self.new), True
            return True
        if any(token.has("rejects") for token in tokens):
            return self._rejects(tokens)
        if chosen := self._labelled(tokens):
            return self._chooses(clause, tokens, chosen)
        if clause.after and clause.after in ":=":
            return self._is_label(tokens)
        if any(token.has("keeps") for token in tokens):
            return True
        if chosen := self._told([*self.label, *tokens]):
            self.new += chosen
            self.label = []
            return True
        if self._is_pending(tokens):
            return self._is_label(tokens)
        return self._in_brackets(clause, tokens) or self._is_talk(clause, tokens)

    def _is_talk(self, clause: _Clause, tokens: Tokens) -> bool:
        """Return whether a clause without a choice leaves the others certain."""
        if self.new and clause.tokens[0].has("next"):
            return False  # `3, then the other one`
        if tokens[0].has("because") and self.new:
            return True
        talk = tokens[0].has("reasons") or self.wavers
        return self.reader.harmless(tokens) or (talk and self.reader.is_small_talk(tokens))

    def _without_courtesies(self, clause: _Clause) -> list[Token]:
        """Return the words of a clause without greetings and thanks at its ends."""
        words, reader = list(clause.tokens), self.reader
        if words[0].has("greetings"):
            del words[0]
            while words and (
                words[0].text in reader.names | reader.others or words[0].has("everybody")
            ):
                del words[0]
            if len(words) < 3 and reader.harmless(words) and not any(map(reader.is_known, words)):
                words.clear()
        while words and words[0].has("thanks", "greetings"):
            del words[0]
        while words and words[-1].has("thanks"):
            del words[-1]
        return words

    def _without_corrections(self, tokens: list[Token]) -> list[Token]:
        """Return a clause without words such as `oops`, and note that they are there."""
        if len(tokens) > 1 and tokens[0].has("hums") and tokens[1].has("corrects"):
            tokens = tokens[1:]
        while tokens and tokens[0].has("corrects") and not tokens[0].has("noun"):
            if len(tokens) > 1 and tokens[1].has("to", "with"):
                break  # `wait with 3`
            tokens, self.corrected = tokens[1:], len(self.new)
        before, last = tokens[:-1], tokens[-1:]
        late = before and len(tokens) < 4 and last[0].has("corrects")
        hums = late and all(t.is_strange for t in before) and self.reader.harmless(before)
        if before and (last[0].text == "instead" or hums):  # `4 instead`, `argh no`
            tokens, self.corrected = before, len(self.new)
        return tokens

    def _without_end(self, tokens: list[Token]) -> list[Token]:
        """Return a clause without words such as `and then I'm done`, and note that they are
        there."""
        reader = self.reader
        if reader.declines(tokens):
            self.ends = True
            return []
        place = next((p for p, token in enumerate(tokens) if token.has("ends")), None)
        if place is None:
            return tokens
        after = tokens[place + 1 :]
        if after and (after[-1].has("to") or after[0].has("is", "seems")):
            return tokens  # `nothing works`
        if not all(reader.is_known(token) or reader.is_title(token) for token in after):
            return tokens
        while place and tokens[place - 1].has("join", "chooser", "frame", "begin", "denies"):
            place -= 1
        if place and not self._chosen(tokens[:place]):
            return tokens
        self.ends = True
        return tokens[:place]

    def _chooses(self, clause: _Clause, tokens: list[Token], chosen: list[Choice]) -> bool:
        """Note what a clause chooses; return whether that is certain beside what was before."""
        alone = self.corrected is None
        chooser = any(token.has("chooser") for token in tokens)
        if alone and self.rejected and not self.new and clause.before == "," and not chooser:
            return False  # `not 2, 3`
        if alone and clause.before == "but" and self.new and not self.rejected:
            return False  # `my favourite is 3 but 10 is fine`
        perhaps_range = alone and clause.before == "-" and self.new and not tokens[0].has("join")
        in_words = any(map(self.reader.knows, tokens))
        again = chosen == [*self.found.chosen, *self.new][-1:] and (self.in_words or in_words)
        if not again:  # `cooperation for the body, that is number 3`
            self.new += chosen
        self.in_words, self.label = in_words, []
        return not perhaps_range

    def _aside(self, before: str, tokens: list[Token], choice: Choice) -> bool | None:
        """Return whether a clause after a choice leaves it certain; None if the clause may be a
        choice itself. `before` is the mark between them."""
        reader = self.reader
        if before == "(" and len(tokens) == 1 and tokens[0].digits:
            return tokens[0].digits == choice.number
        words = [word for token in tokens for word in _content(token.text)]
        known = {word for said in _orders(choice) for word in said}
        if known.issuperset(words) and any(not word.isdecimal() for word in words):
            other = reader.worded(tokens, self.choices) if before not in ("(", "-") else None
            return other is None or other == choice
        about = [token.text for token in tokens if reader.knows(token)]
        if about and known.issuperset(about) and not self._chosen(tokens):
            return reader.harmless([token for token in tokens if token.text not in known])
        return None

    def _in_brackets(self, clause: _Clause, tokens: list[Token]) -> bool:
        """Keep the cards before a number in brackets that says what they mean: `with the long neck
        I make a new one (7)`."""
        about = [token for token in tokens if self.reader.knows(token)]
        others = [t for t in tokens if t not in about and not t.text.isdecimal()]
        doubt = any(token.has("doubt", "keeps", "undoes") for token in tokens)
        if clause.after != "(" or doubt or not about or not self.reader.harmless(others):
            return False
        self.label += about
        return True

    def _is_pending(self, tokens: list[Token]) -> bool:
        """Return whether words name a part of a choice, whose rest may follow."""
        reader = self.reader
        named = [token for token in tokens if reader.is_part(token)]
        tells = len(named) > 1 or any(reader.knows(t) or t.is_strange for t in named)
        others = [t for t in tokens if not reader.is_known(t) and t.text not in SMALL]
        strange = [token for token in others if token not in named]
        return tells and len(strange) < len(named) and reader.harmless(strange)

    def _is_label(self, tokens: list[Token]) -> bool:
        """Return whether words before a colon leave what follows certain, and keep those that it
        must agree with."""
        reader = self.reader
        ranks = [token.rank for token in tokens if token.rank]
        if ranks and not any(reader.is_part(token) for token in tokens if not token.rank):
            place = len(self.before) + len(self.new) + 1
            return ranks == [place] and (place == 1 or bool(self.new or self.before))
        if len(tokens) > 1 and tokens[-1].digits and tokens[-2].text in ("turn", "round"):
            tokens = tokens[:-2]
        cards = [t for p, t in enumerate(tokens) if t.digits and p and reader.knows(tokens[p - 1])]
        about = [t for t in tokens if t in cards or reader.is_part(t) or reader.is_title(t)]
        others = [
            token
            for token in tokens
            if not (token in about or reader.is_known(token) or token.text in SMALL)
            and (token.text not in NUMBERS or len(tokens) < 2)  # `three cards: 3, 5, 9`
        ]
        chooses = not others or about or len(tokens) > 2
        chooses = chooses or any(t.has("chooser", "noun") for t in tokens)
        if not chooses or not reader.harmless(others) or reader.names_others(others):
            return False
        self.label += about
        return True

    def _rejects(self, tokens: list[Token]) -> bool:
        """Read a clause with words such as `not` or `instead of` before a choice."""
        place = next(p for p, token in enumerate(tokens) if token.has("rejects"))
        left, right = tokens[:place], tokens[place + 1 :]
        if any(token.has("rejects") for token in right):
            return False
        if not all(self.reader.is_known(token) and not token.has("join") for token in left):
            chosen = self._chosen(left)
            if not chosen:
                return False
            self.new += chosen
        for end in (len(right), *range(1, len(right))):
            rejected, after = self._chosen(right[:end]), right[end:]
            if len(rejected) != 1 or (after and not after[0].has("frame", "chooser")):
                continue
            taken = self._chosen(after)
            if taken or not after:
                self.rejected += rejected
                self.new += taken
                return True
        number = right[0].text if len(right) == 1 and right[0].digits else ""
        return bool(self.new and number) and number not in _content(self.new[-1].text)

    # -------------------------------------------------------------- what is chosen
    def _labelled(self, tokens: list[Token]) -> list[Choice]:
        """Return the choices that a clause names, with the words before a colon or in accord with
        them."""
        chosen = self._chosen([*self.label, *tokens])
        if chosen or not self.label or not (chosen := self._chosen(tokens)):
            return chosen
        labels = [token for token in self.label if not self.reader.is_title(token)]
        told = [w for w in _content(" ".join(t.text for t in labels)) if not _PIECE.fullmatch(w)]
        agree = {word for words in _orders(chosen[0]) for word in words}.issuperset(told)
        return chosen if agree else []

    def _chosen(self, tokens: list[Token]) -> list[Choice]:
        """Return the choices that words name; empty if it is not certain that they name any."""
        reader = self.reader
        earlier = len(self.before) + len(self.new)
        if numbers := reader.numbers(tokens, earlier):
            return numbers
        for end in (len(tokens), *reader.ends_of_words(tokens)):
            if one := reader.worded(tokens[:end], self.choices):
                return [one]
        for joins in (_is_join, _is_and):
            found: list[Choice] = []
            parts = _split(tokens, joins)
            for part in parts:
                worded = reader.worded(part, self.choices)
                new = reader.numbers(part, earlier + len(found)) or ([worded] if worded else [])
                if not new:
                    break
                found += new
            else:
                if len(parts) > 1:
                    return found
        return []

    def _told(self, tokens: list[Token]) -> list[Choice]:
        """Return the choices that a clause names between words that are not known."""
        reader, found = self.reader, list[Choice]()
        if any(token.has(*_VETOES) for token in tokens) or reader.names_others(tokens):
            return []
        for part in _split(tokens, _is_and):
            if one := reader.told(part, self.choices):
                found.append(one)
            elif not reader.is_small_talk(part):
                return []
        return found

    def _corrects(self) -> bool:
        """Put what follows a word such as `oops` in place of what was chosen before; return whether
        it is certain what that is."""
        if self.corrected is None:
            return True
        old, new = [*self.before, *self.new[: self.corrected]], self.new[self.corrected :]
        if not new:
            return not old
        self.found.taken_back = ""
        if len(new) == len(self.rejected) == 1 and old.count(self.rejected[0]) == 1:
            new = [new[0] if one == self.rejected[0] else one for one in old]  # `9 instead of 8`
        elif old:
            kinds = {choice.kind for choice in [*old, *new]}
            script = any(one.script for one in self.reader.form.questions if one.kind in kinds)
            several = len(old) > 1 and self.corrected > 0  # `3, 10, no wait, 12, 13`
            if len(kinds) > 1 or (script and (several or len(old) != len(new))):
                return False
        self.found.chosen, self.found.replaces, self.new = [], bool(old), new
        return True

    def _contradicts(self) -> bool:
        """Return whether a choice is also rejected, or is not the only answer to its question."""
        kept = [*([] if self.found.replaces else self.before), *self.new]
        single = {one.kind for one in self.reader.form.questions if not one.script}
        answers = {(choice.kind, choice.text) for choice in kept if choice.kind in single}
        several = self.new and len(answers) > len({kind for kind, _ in answers})
        return bool(several) or any(choice in kept for choice in self.rejected)


def _clauses(tokens: Tokens) -> Iterator[_Clause]:
    """Yield the clauses of a sentence, each with the marks before and after it."""
    before, words = "", list[Token]()
    for place, token in enumerate([*tokens, Token(";")]):
        mark = token.text if token.text in _SEPARATORS else "but" if token.has("but") else ""
        if token.has("join") and any(one.has("keeps") for one in tokens[place + 1 : place + 3]):
            mark = ","  # `and I keep the rest`
        if not mark:
            words.append(token)
            continue
        if words:
            yield _Clause(before, words, mark)
        before, words = mark, []


def _between(sentence: str) -> set[int]:
    """Return the numbers that a sentence weighs, as in `2 or 4`; empty if it does anything else."""
    tokens = tokens_of(without_measures(sentence))
    numbers = {token.digits for token in tokens if token.digits}
    weighs = len(numbers) > 1 and any(token.has("weighs") for token in tokens)
    return numbers if weighs and not any(t.has("undoes", "because") for t in tokens) else set()


def _split(tokens: Tokens, at: Callable[[Token], bool]) -> list[list[Token]]:
    """Split words where a word says so, without this word."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if at(token):
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _is_join(token: Token) -> bool:
    return token.has("join")


def _is_and(token: Token) -> bool:
    return token.has("join") and token.text.isalpha()


def _is_one(token: Token) -> bool:
    return token.has("noun") or token.text == "one"


def _letters(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", text.lower()))


@cache
def _content(text: str) -> tuple[str, ...]:
    """Return the words of an order that tell it from others."""
    words = re.findall(r"[^\W_]+(?:'[^\W\d_]+)*", plainly(spaced(text)))
    return tuple(word for word in words if word not in SMALL)


def _orders(choice: Choice) -> list[tuple[str, ...]]:
    """Return the words of a choice, as its line and as its prose has them."""
    return [_content(said) for said in (choice.text, choice.says) if said]


def _fitting(
    words: Sequence[str],
    choices: Sequence[Choice],
    fits: Callable[[Sequence[str], Sequence[str]], bool],
) -> list[Choice]:
    return [c for c in choices if words and any(fits(words, order) for order in _orders(c))]


def _has(words: Sequence[str], order: Sequence[str]) -> bool:
    """Return whether an order has all these words."""
    return Counter(words) <= Counter(order)


def _same(words: Sequence[str], order: Sequence[str]) -> bool:
    """Return whether these are the words of an order, with its pieces in the same order."""
    return _lacks_numbers(words, order) and Counter(words) == Counter(order)


def _lacks_numbers(words: Sequence[str], order: Sequence[str]) -> bool:
    """Return whether words lack at most numbers of an order: `cooperation on b1`."""
    left = Counter(order) - Counter(words)
    pieces = [list(filter(_PIECE.fullmatch, some)) for some in (words, order)]
    return _has(words, order) and pieces[0] == pieces[1] and all(map(str.isdecimal, left))


def _lacks_pieces(words: Sequence[str], order: Sequence[str]) -> bool:
    """Return whether words lack at most numbers and pieces of an order: `cooperation as body`."""
    left = Counter(order) - Counter(words)
    return _has(words, order) and all(w.isdecimal() or _PIECE.fullmatch(w) for w in left)


def _swapped(one: str, other: str) -> bool:
    """Return whether two words differ only in the order of letters."""
    return one != other and one[0] == other[0] and sorted(one) == sorted(other)


def _only(found: Sequence[Choice]) -> Choice | None:
    kinds = {(choice.kind, choice.text): choice for choice in found}
    return next(iter(kinds.values())) if len(kinds) == 1 else None
