"""Understand choices that a person writes freely, such as `3 und dann 9 :-)` or `my choice is 3`.

A sentence is cut into clauses. In each clause, the anchors are found: numbers that stand alone, and
words that name choices (`naming.py`). All other words are filler, in any language, unless one of
them makes the anchor doubtful: *not*, *or*, *if*, *maybe*, the name of another player, something
that is counted. What is doubtful is not taken, unless the writer chooses clearly later on.
Questions and small talk are kept apart, for the referee.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from itertools import pairwise
from typing import Final, NamedTuple

from engine.values import Mutable
from pbem.drafts.offers import Choice
from pbem.mailseats.naming import Naming, Numbers, beside, content
from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.words import (
    NUMBERS,
    Token,
    Tokens,
    is_courtesy,
    plainly,
    sentences_of,
    takes_back,
    tidied,
    tokens_of,
)

_SEPARATORS: Final = frozenset(",;:()[]=-")
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
_FORWARDED = re.compile(r"(?:fwd?|wg|tr|rv|fs)\s?:", re.I)
_OR_ASKS = re.compile(r"\W*(?:or|oder|ou|o)\b")

_HAZARDS: Final = (
    *("doubt", "denies", "ends", "undoes", "past", "takes_back", "opinion", "thanks_for"),
)
"""The roles of words beside which a card or a number may be anything but a choice."""


class Doubt(NamedTuple):
    """A sentence that mentions choices, without choosing them for certain."""

    sentence: str
    mentioned: tuple[Choice, ...]
    final: bool = False
    """Whether no later sentence can make it certain, as with conditions."""


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
    pending: list[str] = field(default_factory=list)
    """Words that name a part of a choice, whose rest may follow in the next sentence."""
    begun: str = ""
    """The last sentence with such words."""
    corrects: str = ""
    """A sentence that takes back the choices before it, until a new one follows."""


class FreeReader:
    """Reads lines in free words, with the numbers and the choices of one form."""

    def __init__(self, form: OrderForm) -> None:
        self.form = form
        self.naming = Naming(form)
        self.doubts: list[Doubt] = []
        """What is doubtful until a clear choice follows."""
        names = form.view.names
        self.others = _letters(" ".join(n for seat, n in names.items() if seat != form.view.seat))
        self.others -= {"i", "a"}
        """The names of the other players."""
        self.asked = {question.kind for question in form.asked}
        mine = _letters(f"{names[form.view.seat]} {form.view.referee}") - self.others
        self.names = {word for word in mine if not tokens_of(word)[0].roles}
        self.numbers = Numbers(form, self.naming, self.names, self.others)

    def read(self, line: str, earlier: Sequence[Choice], more: Sequence[Choice] = ()) -> Free:
        """Read a line; `earlier` are the choices in the lines above.

        `more` are choices that only become possible after the lines above.
        """
        found = Free()
        said = tidied(line)
        counted = re.match(r"\d{1,2}[.)]\s", said)
        if _FORWARDED.match(said):
            self._doubt(line)
        for sentence in sentences_of(said):
            before = list(found.chosen)
            stated, question = self._question_in(sentence)
            if tokens := tokens_of(stated):
                reading = _Sentence(self, earlier, more, found)
                reading.read(tokens, sentence.removesuffix(question) if stated else sentence)
            if question:
                found.rest.append(question)
                if (found.chosen or earlier) and _OR_ASKS.match(question.lower()):
                    self._doubt(sentence)
            if found.chosen != before or found.replaces:
                found.settled = len(found.rest)
        if counted and any(str(choice.number) not in said for choice in found.chosen):
            self._doubt(line)  # `1. long neck 3 on b1`
        self._finish(found, line, bool(found.chosen or earlier))
        return found

    def _finish(self, found: Free, line: str, chosen: bool) -> None:
        if any(map(self.naming.is_telling, found.pending)):
            if self.naming.single and chosen:
                found.rest.append(found.begun)
            else:
                self._doubt(found.begun or line, final=chosen)
        if found.chosen:
            for one in filter(takes_back, found.rest[found.settled :]):
                self._doubt(one)
        if found.corrects:
            self._doubt(found.corrects, final=bool(found.chosen))

    def _doubt(self, sentence: str, *, final: bool = True) -> None:
        self.doubts.append(Doubt(sentence, (), final))

    def settle(self, chosen: Sequence[Choice]) -> None:
        """Forget the doubts that a clear choice resolves.

        Where several may be chosen, it must be among those of which the doubt was.
        """
        single = bool(self.naming.single)
        self.doubts = [
            one
            for one in self.doubts
            if one.final or not (single or not one.mentioned or set(chosen) <= set(one.mentioned))
        ]

    def _question_in(self, sentence: str) -> tuple[str, str]:
        """`3 please, when do we meet?` states something and asks something; a request such as `can
        you put 3 for me?` is a statement."""
        if not sentence.endswith("?") or not sentence.strip("?!. "):
            return sentence, ""
        request = _REQUEST.match(sentence)
        if request and request.end() and self._mentions(sentence):
            return sentence[request.end() :].rstrip("?"), ""
        for match in re.finditer(r"\s*[,;:-]\s+", sentence):
            asked = sentence[match.end() :]
            if _QUESTION.match(plainly(asked)) and not _QUESTION.match(plainly(sentence)):
                about = any(token.has("about_choice") for token in tokens_of(asked))
                if about or self._mentions(asked):
                    break
                return sentence[: match.start()], asked
        return "", sentence

    def _mentions(self, text: str) -> bool:
        """Return whether a text has a number that may be a choice, or names a card."""
        tokens = tokens_of(text)
        named = [word for one in self.naming.named(tokens) for word in one.words]
        numbers = [
            p for p, t in enumerate(tokens) if t.digits and self.numbers.stands_alone(tokens, p)
        ]
        return bool(numbers) or any(map(self.naming.is_telling, named))


class _Clause(NamedTuple):
    """A part of a sentence, with the marks around it; `and`, `but` and `so` count as marks."""

    before: str
    tokens: list[Token]
    after: str


class _Mention(NamedTuple):
    """Words that name a choice, or a part of one."""

    begin: int
    end: int
    choice: Choice | None
    """None if it is not certain which one."""
    numbered: bool = False
    lone: bool = False
    """Whether it is the name of a card without anything else."""


class _Sentence:
    """One sentence, read clause by clause."""

    def __init__(
        self, reader: FreeReader, earlier: Sequence[Choice], more: Sequence[Choice], found: Free
    ) -> None:
        self.reader, self.naming, self.more, self.found = reader, reader.naming, more, found
        self.is_filler = reader.numbers.is_filler
        self.before = [*([] if found.replaces else earlier), *found.chosen]
        """The choices of the reply before this sentence."""
        self.new: list[Choice] = []
        self.rejected: list[Choice] = []
        self.pending = list(found.pending)
        found.pending = []
        self.label = list[str]()
        """Words before the numbers of cards, which belong to each of them."""
        self.doubts: list[tuple[Choice, ...]] = []
        self.resolved = True
        """Whether what was chosen after a doubt was chosen clearly."""
        self.final = False
        self.linked = False
        """Whether a clause that names nothing makes the others doubtful."""
        self.listed = True
        """Whether numbers without other words go on with a list of choices."""
        self.reported = False
        """Whether the sentence tells what somebody else says."""
        self.stray = False
        """Whether a number may be a choice or not, as in `3, follow up with 10`."""
        self.keyed = False
        """Whether an unknown word and a colon stand before: `temperature: 3`."""
        self.corrected: int | None = 0 if found.corrects else None
        """How many of the new choices stand before a word such as `oops`; None without one."""
        self.because = False
        """Whether a reason goes on in the next clause."""
        self.keeps = False
        """Whether the clause says what is not played."""
        self.rank = 0
        """The place in a list that a word before a colon names: `second: 3`."""
        self.ends = False
        self.ending = False
        """Whether the clause may say that the list ends."""
        self.declined = False
        """Whether a clause says that nothing is chosen."""

    def read(self, tokens: Tokens, sentence: str) -> None:
        """Read the sentence and note what it means."""
        found = self.found
        self.later = any(token.has("later") for token in tokens)
        for clause in _clauses(tokens):
            self._read(clause)
        fragment = tokens[0].has("but", "except") or len(tokens) <= 4  # `But only if Ann passes`
        if self.linked and (self.new or self.doubts or (self.before and fragment)):
            self.final = True
        if self.new and (self.stray or any(map(self.naming.is_telling, self.pending))):
            self._doubt(())
        elif not self.new:
            found.pending = self.pending
        sure = (not self.doubts or (bool(self.new) and self.resolved)) and not self.final
        sure = sure and self._corrects() and not self._contradicts()
        if len(self.new) > 1 and self.new == found.chosen[-len(self.new) :]:
            return  # the whole list is repeated
        if sure and (self.new or self.ends):
            if self.new:
                self.reader.settle(self.new)
            found.chosen += self.new
            found.ends = found.ends or self.ends
        elif not is_courtesy(sentence):
            self._not_sure(tokens, sentence)

    def _not_sure(self, tokens: Tokens, sentence: str) -> None:
        found = self.found
        if not self.doubts and self._confirms(tokens):
            found.chosen += self.reader.doubts.pop().mentioned
        elif self.doubts or self.new or self.final or self.rejected:
            mentioned = dict.fromkeys([*(c for some in self.doubts for c in some), *self.new])
            final = self.final or bool(self.before)
            self.reader.doubts.append(Doubt(sentence, tuple(mentioned), final))
        elif any(map(self.naming.is_telling, found.pending)):
            found.begun = sentence
        else:
            found.corrects = sentence if self.corrected is not None and found.chosen else ""
            found.rest.append(sentence)

    def _confirms(self, tokens: Tokens) -> bool:
        """Return whether a sentence such as `that is what I want` makes the last doubt certain."""
        last = self.reader.doubts[-1:]
        if not last or len(last[0].mentioned) != 1 or last[0].final:
            return False
        roles = {role for token in tokens for role in token.roles}
        unsure = roles & {"doubt", "rejects", "past", "opinion"}
        strange = [t for t in tokens if self.is_filler(t) and not t.has("asks", "confirms")]
        return roles >= {"confirms", "me"} and not unsure and not strange

    # -------------------------------------------------------------- one clause
    def _read(self, clause: _Clause) -> None:
        self.because = self.because and clause.before == "and"
        tokens = self._without_end(self._without_corrections(self._without_courtesies(clause)))
        reason = next((p for p, token in enumerate(tokens) if token.has("because")), None)
        if not tokens or reason == 0 or self.because:
            self.ends = self.ends or self.ending
            self.because = self.because or reason == 0
            return
        tokens, self.because = tokens[:reason], reason is not None
        if tokens[0].digits and clause.before in (",", "and") and not self.listed:
            return  # `lottery numbers were 4, 17 and 33`
        pending = list(self.pending)
        mentions = self._mentions(tokens, clause)
        if clause.after == ":":
            self._label(tokens, mentions)
        self.ends = self.ends or (self.ending and bool(mentions))
        self.listed = bool(mentions) or not any(token.digits for token in tokens)
        chosen = [one.choice for one in mentions if one.choice]
        self.keeps = self.keeps and clause.before == "and" and not any(t.has("me") for t in tokens)
        self.keeps = self.keeps or any(token.has("keeps") for token in tokens)
        if self.keeps:
            self.pending = pending
        elif not mentions:
            self._aside(clause, tokens, self.pending[len(pending) :])
        elif any(token.has("rejects") for token in tokens):
            if not self._rejects(tokens, mentions):
                self._doubt(chosen)
        elif len(chosen) < len(mentions) or self._is_doubtful(tokens, mentions):
            self._doubt(chosen)
        else:
            self._choose(clause, tokens, mentions)

    def _label(self, tokens: Tokens, mentions: Sequence[_Mention]) -> None:
        if _is_third_person(tokens, self.is_filler, self.reader.others):
            self.reported = True
            self.final = any(token.text in self.reader.others for token in tokens)
        if not mentions and tokens and all(map(self.is_filler, tokens)) and len(tokens) < 3:
            self.keyed = True
        if not mentions:
            self.rank = next((token.rank for token in tokens if token.rank), 0)

    def _doubt(self, mentioned: Sequence[Choice]) -> None:
        self.doubts.append(tuple(mentioned))
        self.resolved = False

    def _choose(self, clause: _Clause, tokens: Tokens, mentions: Sequence[_Mention]) -> None:
        chosen = [one.choice for one in mentions if one.choice]
        clear = any(token.has("chooser", "noun") for token in tokens)
        clear = clear or clause.before in ("but", "so") or self.corrected is not None
        place = len(self.before) + len(self.new) + 1
        inside = {place for one in mentions for place in range(one.begin, one.end)}
        ranks = [token.rank for at, token in enumerate(tokens) if token.rank and at not in inside]
        ranks = ([self.rank] if self.rank else []) + ranks
        self.rank = 0
        unsure = ranks != [place + n for n in range(len(ranks))]  # `10 second`
        unsure = unsure and not (ranks == [1] and bool(self.naming.single))
        if self.corrected is None:
            goes_on = clause.before in (",", "and") and not clear
            unsure |= (
                self.declined and clause.before not in ("but", "so") and not self._ends(chosen)
            )
            unsure |= bool(self.rejected) and not self.new and goes_on  # `not 2, 3`
            unsure |= clause.before == "but" and bool(self.new) and not self.rejected
            unsure |= clause.before == "-" and bool(self.new)  # `3 - 10`
        if unsure:
            self._doubt(chosen)
            return
        self.resolved = self.resolved or clear
        if chosen != [*self.found.chosen, *self.new][-1:]:
            self.new += chosen

    def _ends(self, chosen: Sequence[Choice]) -> bool:
        kinds = self.reader.form.view.play.ruleset.kinds
        return all(choice.text == kinds[choice.kind].ends for choice in chosen)

    # -------------------------------------------------------------- what a clause names
    def _mentions(self, tokens: Tokens, clause: _Clause) -> list[_Mention]:
        naming = self.naming
        named = {one.place: one.words for one in naming.named(tokens)}
        numbers = self._numbers(tokens, clause, named)
        if not numbers:
            return self._in_words(clause, tokens, named)
        if clause.before == "(" and self.new and len(numbers) == 1:
            number = next(iter(numbers.values()))
            if number == self.new[-1].number or naming.fits([str(number)], self.new[-1]):
                return []  # `the big long neck (the one with the 7)`
        found = list[_Mention]()
        for place, end in pairwise([*numbers, len(tokens)]):
            first = place if found else 0
            words = [w for p in sorted(named) if first <= p < end for w in named[p]] or self.label
            marked = place > 0 and tokens[place - 1].has("noun")
            pending = [] if found else self.pending
            choice = self._numbered(numbers[place], pending, words, marked)
            if choice and choice.number != numbers[place]:
                self.label = words  # `both long necks as population, the 3 and the 7`
            if choice and choice.number and not naming.fits(named.get(place + 1, ()), choice):
                choice = None  # `2 left`
            found.append(_Mention(place, place + 1, choice, numbered=True))
        if all(one.choice for one in found):
            self.pending = []
        return found

    def _numbers(
        self, tokens: Tokens, clause: _Clause, named: dict[int, tuple[str, ...]]
    ) -> dict[int, int]:
        """Numbers that belong to cards are added to the words in `named`."""
        numbers, found = self.reader.numbers, dict[int, int]()
        for place, token in enumerate(tokens):
            if place in named or not (number := numbers.at(tokens, place)):
                continue
            ranked = token.rank and place and tokens[place - 1].has("article")
            if clause.after == ":" and not (token.has_digits or ranked):
                continue  # `my three cards: 3, 10, 14`
            near = [named[p][-1] for p in range(place - 1, max(-1, place - 4), -1) if p in named]
            if near and self.naming.is_card(near[0], number):
                named[place] = (str(number),)
            elif numbers.stands_alone(tokens, place):
                found[place] = number
            else:
                self.stray = self.stray or numbers.is_stray(tokens, place)
        return found

    def _numbered(
        self, number: int, pending: list[str], words: list[str], marked: bool
    ) -> Choice | None:
        form, naming = self.reader.form, self.naming
        card = naming.one([*pending, *words, str(number)], self.more, number_tells=True)
        card = card if words and naming.is_card(words[-1], number) else None
        tells = card is not None or any(map(naming.is_telling, pending))
        words = [*(pending if tells else []), *words]
        if head := form.heads.get(number):
            return naming.one([*content(head), *words], self.more) if words else None
        choice = form.by_number.get(number)
        later = self.later or ((self.new or marked) and not naming.is_card("", number))
        if choice and choice.kind not in self.reader.asked and not later:
            if self.new and not words and naming.fits([str(number)], self.new[-1]):
                return self.new[-1]  # `the last one, the 7`
            return naming.one([*words, str(number)], self.more, number_tells=True)
        words = [word for word in words if word != "trait"]
        if choice and naming.fits(words, choice):
            return choice if card in (None, choice) else None
        return card or naming.one([*words, str(number)], self.more, number_tells=bool(words))

    def _in_words(
        self, clause: _Clause, tokens: Tokens, named: dict[int, tuple[str, ...]]
    ) -> list[_Mention]:
        naming = self.naming
        extreme = next((token for token in tokens if token.has("least", "most")), None)
        if extreme and any(token.has("card") for token in tokens):
            named = named or {0: ()}  # `the highest card`
        if not named:
            return []
        words = [word for place in sorted(named) for word in named[place]]
        words += ["trait"] if any(token.has("trait") for token in tokens) else []
        if extreme and (number := naming.extreme([*self.pending, *words], extreme.has("most"))):
            words.append(number)
        lone = len(words) == 1 and words[0].isalpha() and not self.pending
        mention = _Mention(min(named), max(named) + 1, None, lone=lone)
        strange = any(map(self.is_filler, tokens))
        if one := naming.one([*self.pending, *words], self.more, number_tells=bool(extreme)):
            vague = strange and not naming.says_where(one) and "trait" not in words
            self.pending = []
            *_, before, last = [-1, *sorted(named)]
            on = last - before == 2 and tokens[before + 1].has("to", "on")  # `long neck 3 on b1`
            if vague and not on:
                return [mention]  # `fatten b1 with cooperation`
            return [mention._replace(choice=one)]
        if some := self._each_of(clause, tokens, words, bool(extreme)):
            self.pending = []
            return [mention._replace(choice=one, lone=lone and len(some) == 1) for one in some]
        if any(map(naming.is_telling, self.pending)) and naming.one(words, self.more):
            return [mention]
        only_piece = all(map(naming.is_piece, words)) and strange and clause.after == ":"
        if not (only_piece or (self.new and naming.fits(words, self.new[-1]))):
            self.pending += words
        return []

    def _each_of(
        self, clause: _Clause, tokens: Tokens, words: list[str], extreme: bool
    ) -> Sequence[Choice]:
        naming, pending = self.naming, self.pending
        if one := naming.one(words, self.more, number_tells=extreme):
            other = naming.alike(pending, one) if clause.before == "and" else None
            if not any(map(naming.is_telling, pending)):
                return [one]
            return [other, one] if other else []  # `cooperation and long neck 3 on b1`
        every = next((token for token in tokens if token.has("every")), None)
        said = " ".join(token.text for token in tokens).split()
        counts = [int(one) if one.isdecimal() else NUMBERS.get(one, 0) for one in said]
        count = 2 if every and every.has("two") else max(counts)
        return naming.several([*pending, *words], count) if every else []

    # -------------------------------------------------------------- what makes it doubtful
    def _is_doubtful(self, tokens: Tokens, mentions: Sequence[_Mention]) -> bool:
        around = [
            token
            for token, after in pairwise([*tokens, Token("")])
            if not self.naming.words(token)
            and not (token.has("every") and len(mentions) > 1)
            and not (token.has("wishes") and after.text == "to")
        ]
        if any(token.has("condition") for token in around):
            self.final = self.final or bool(mentions)
            return True
        if tokens[0].has("corrects"):
            return True  # `wait with 3`
        if any(token.has(*_HAZARDS) and not token.has("commits") for token in around):
            return True
        return bool(mentions) and self._is_doubted(tokens, mentions)

    def _is_doubted(self, tokens: Tokens, mentions: Sequence[_Mention]) -> bool:
        """Return whether somebody else chooses, or whether something is only said of a choice."""
        one, reader = mentions[0], self.reader
        before, after = tokens[: one.begin], tokens[mentions[-1].end :]
        if tokens[0].has("asks") or not reader.others.isdisjoint(token.text for token in tokens):
            return True  # `is it 3`
        if self.reported or _is_third_person(before, self.is_filler, reader.others):
            return True
        chooses = any(token.has("me", "picks", "noun") for token in before)
        if after and after[0].has("is") and (len(after) == 1 or any(map(self.is_filler, after))):
            return True  # `long neck 7 is too good`
        if after and (after[0].has("verbs") or (self.is_filler(after[0]) and not chooses)):
            return True  # `3 would be silly`, `climbing bores me`
        if self.keyed and one.numbered:
            return True
        return one.lone and self._is_pastime(tokens, one, chooses)

    def _is_pastime(self, tokens: Tokens, mention: _Mention, chooses: bool) -> bool:
        """Return whether the name of a card may be meant as what it says: `we went climbing`."""
        before, after = beside(tokens, mention.begin)
        if before.has("noun") or after.has("noun"):
            return False
        if before.has("pastimes", "moments") or chooses:
            return before.has("pastimes", "moments")
        subject = tokens[: max(0, mention.begin - 1)]
        if before.has("is") and any(map(self.is_filler, subject)):
            return True
        strange = [t for t in tokens if self.is_filler(t) or t.has("measures")]
        return len(strange) > 1 or bool(after.text and self.is_filler(after))

    def _aside(self, clause: _Clause, tokens: Tokens, new: list[str]) -> None:
        """A clause that names no choice may make the rest of the sentence doubtful."""
        naming = self.naming
        if new and (not naming.may_be(new) or self._is_doubtful(tokens, [])):
            tells = any(map(naming.is_telling, new))
            if tells and (naming.may_be(new) or naming.is_order(new)):
                self._doubt(())
            self.pending = self.pending[: -len(new)]
        roles = {role for token in tokens for role in token.roles}
        unsure = roles & {"doubt", "takes_back", "condition"}
        if ("condition" in roles and "tells" not in roles) or (
            unsure and (tokens[0].has("or") or len(tokens) <= 2)
        ):
            self.linked = True
        elif "takes_back" in roles:
            self.linked = self.linked or bool(self.new or self.before)
            self._doubt(())
        if clause.before == "(" and self.pending and self.new:
            self.linked = True

    def _rejects(self, tokens: Tokens, mentions: Sequence[_Mention]) -> bool:
        """Read a clause with words such as `not` or `instead of` before a choice."""
        place = next(p for p, token in enumerate(tokens) if token.has("rejects"))
        left = [one for one in mentions if one.end <= place]
        right = [one for one in mentions if one.begin > place]
        if not right or any(one.choice is None for one in mentions):
            return False
        if any(token.has("rejects") for token in tokens[place + 1 :]):
            return False
        rejected, *taken = right
        if any(map(self.is_filler, tokens[place + 1 : rejected.begin])):
            return False
        if taken and not any(
            t.has("frame", "chooser") for t in tokens[rejected.end : taken[0].begin]
        ):
            return False
        self.rejected += [rejected.choice] if rejected.choice else []
        self.new += [one.choice for one in [*left, *taken] if one.choice]
        return True

    # -------------------------------------------------------------- words at the ends of a clause
    def _without_courtesies(self, clause: _Clause) -> list[Token]:
        words, reader = list(clause.tokens), self.reader
        if words[0].has("greetings"):
            del words[0]
            while words and (
                words[0].text in reader.names | reader.others or words[0].has("everybody")
            ):
                del words[0]
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
            if len(tokens) > 1 and tokens[1].has("to", "with") and tokens[0].text != "correction":
                break  # `wait with 3`
            if tokens[0].has("denials") and len(tokens) > 1 and not tokens[1].has("corrects", "me"):
                break  # `no quiero la 3`
            tokens, self.corrected = tokens[1:], len(self.new)
        before, last = tokens[:-1], tokens[-1:]
        late = before and len(tokens) < 4 and last[0].has("corrects")
        hums = late and all(map(self.is_filler, before))
        if before and (last[0].text == "instead" or hums):  # `4 instead`, `argh no`
            tokens, self.corrected = before, len(self.new)
        return tokens

    def _without_end(self, tokens: list[Token]) -> list[Token]:
        """Return a clause without words such as `and then I'm done`, and note that they are
        there."""
        self.ending = False
        if self._declines(tokens):
            self.ending = self.declined = True
            return []
        place = next((p for p, token in enumerate(tokens) if token.has("ends")), None)
        if place is None:
            return tokens
        after = tokens[place + 1 :]
        if after and (after[-1].has("to") or after[0].has("is", "seems")):
            return tokens  # `nothing works`
        if any(t.has_digits or self.naming.words(t) for t in after):
            return tokens  # `skip 3`
        own = any(t.has("noun", "mine") for t in after) or (len(after) > 1 and after[1].has("whom"))
        if any(map(self.is_filler, after)) and not own:
            return tokens
        while place and tokens[place - 1].has("chooser", "frame", "begin", "denies"):
            place -= 1
        if place and not any(t.digits or self.naming.words(t) for t in tokens[:place]):
            return tokens
        self.ending = True
        return tokens[:place]

    def _declines(self, tokens: Tokens) -> bool:
        """Return whether a clause says that nothing is played: `I don't play any cards`, `I keep
        my hand`."""
        roles = {role for token in tokens for role in token.roles}
        denies = roles >= {"denies", "plays", "anything"} or roles >= {"keeps", "whole", "hand"}
        return denies and not any(map(self.is_filler, tokens))

    # -------------------------------------------------------------- what counts in the end
    def _corrects(self) -> bool:
        """Put what follows a word such as `oops` in place of what was chosen before; return whether
        it is certain what that is."""
        if self.corrected is None:
            return True
        old, new = [*self.before, *self.new[: self.corrected]], self.new[self.corrected :]
        if not new:
            return not old
        self.found.corrects = ""
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
        kept = [*([] if self.found.replaces else self.before), *self.new]
        single = {one.kind for one in self.reader.form.questions if not one.script}
        answers = {(choice.kind, choice.text) for choice in kept if choice.kind in single}
        several = self.new and len(answers) > len({kind for kind, _ in answers})
        return bool(several) or any(choice in kept for choice in self.rejected)


def _clauses(tokens: Tokens) -> Iterator[_Clause]:
    before, words = "", list[Token]()
    for place, token in enumerate([*tokens, Token(";")]):
        mark = token.text if token.text in _SEPARATORS else ""
        mark = mark or next((role for role in ("but", "so", "join") if token.has(role)), "")
        if mark == "join":
            beside = tokens[place - 1 : place] if place else []
            beside = [*beside, *tokens[place + 1 : place + 2]]
            mark = "and" if not (len(beside) > 1 and all(one.digits for one in beside)) else ""
        if not mark:
            words.append(token)
            continue
        if words:
            yield _Clause(before, words, mark)
        before, words = mark, []


def _is_third_person(
    tokens: Tokens, is_filler: Callable[[Token], bool], others: AbstractSet[str]
) -> bool:
    """Return whether the words before what is named speak of what somebody else says or does."""
    me = [place for place, token in enumerate(tokens) if token.has("me")]
    for place, token in enumerate(tokens[: me[0] if me else None]):
        if token.has("not_mine", "reports") or token.text in others:
            return True
        if token.has("mine") and not me and place + 1 < len(tokens):
            return is_filler(tokens[place + 1])  # `my wife picks 3`
    return False


def _letters(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", text.lower()))
