"""Understand choices that a person writes freely, such as `3 und dann 9 :-)` or `my choice is 3`.

Only what is certain counts. A sentence is cut into clauses. A clause names choices if every word in
it is known: numbers with the words that people put around them (`free_words.toml`), or exactly the
words that tell one choice from all others. Any other clause must be harmless: no number, no word of
the game, no `or`, `if` or `maybe`. If one is not, the whole sentence is doubtful. Questions and
small talk are kept apart, for the referee.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from difflib import get_close_matches
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

from engine.values import Mutable
from pbem.drafts.offers import Choice
from pbem.mailseats.order_form import OrderForm
from pbem.screen.tell import spaced


def _without_accents(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    return "".join(one for one in parts if unicodedata.category(one) != "Mn")


_DOC: Final = tomllib.loads(
    files("pbem.mailseats").joinpath("free_words.toml").read_text("utf-8")
)
_SAID: Final = {
    name: said.split(" | ") if " | " in said else said.split()
    for name, said in _DOC.items()
    if name != "names"
}
"""The words of people, by what they are for."""
_CARDS: Final = {
    _without_accents(said): name.replace("_", " ")
    for name, some in _DOC["names"].items()
    for said in some.split(" | ")
}
_CARD = re.compile(rf"\b(?:{'|'.join(sorted(_CARDS, key=len, reverse=True))})\b")


_ROLES: Final[dict[str, set[str]]] = {}
"""What each word or phrase is for: the names of the lists that have it."""
for _role, _some in _SAID.items():
    for _one in _some:
        _ROLES.setdefault(_without_accents(" ".join(_one.split())), set()).add(_role)
_PHRASES: Final = "|".join(
    re.escape(one) for one in sorted(_ROLES, key=len, reverse=True) if " " in one or "'" in one
)
_TOKEN = re.compile(
    rf"(?<![\w'])(?:{_PHRASES})(?![\w'])|#?\d+(?:st|nd|rd|th|er|e|ere|eme)?(?![\w]|-\d)"
    r"|\d+(?:-\d+)+|[^\W_]+(?:'[^\W\d_]+)*|[-=]*>|<[-=]+|[^\s\w\"'.!°]"
)
_SMILEY = re.compile(r"(?<!\S)(?:[:;=]['\u2019]?[-oO^]?[)(DPp/\\|*oO]+|<3|\^\^|xD+)(?![^\s.,!?])")
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?: [^<>]*)?/?>", re.I)
_EMPHASIS = re.compile(r"(?<!\w)[*_]+(?=\S)|(?<=\S)[*_]+(?!\w)")
_SHORT = re.compile(r"\b(no|nr|num|n|e\.g|i\.e|bzw|ca)\.(?=\s*#?\d)", re.I)
"""An abbreviation whose point does not end a sentence."""
_DAY = re.compile(r"\b\d{1,2}\.\d{1,2}\.(?:\d{2,4}\b)?")
_DATE = re.compile(
    r"\b(\d{1,2})\.(?=\s+(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]))", re.I
)
_REQUEST = re.compile(
    r"\W*(?:\w+, )?(?:(?:can|could|would|will) you (?:please )?(?:be so kind as to|be kind enough to|mind)?"
    r"|(?:can|could|may) i (?:please )?(?=.*\b(?:please|pls)\b))\s*", re.I
)
_SENTENCE = re.compile(r"[^.!?\u2026]+(?:[.!?\u2026]+|$)|[.!?\u2026]+")
_JOINED = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|(?<=[a-z]{2})(?=\d)|(?<!\S)\+ ?1\b(?=.*[a-z])")
"""What is between two words, as in `long-neck`, `neck3` and `population +1`."""
_BESIDE = re.compile(r"\b(left|right) (?:of |side of |next to )?[a-p]\d+\b")
_PIECE_NAME = re.compile(r"[a-p]\d+")
_MEASURED = re.compile(
    rf"\b\d{{1,2}}[:.h]\d\d\b|(?:\b\d+(?: ?- ?| or | to | oder | bis ))?\b\d+ ?(?:{'|'.join(map(re.escape, _SAID['measures']))})\b"
    r"|\b(?:turn|round|until|since|deadline|at|runde|zug|um|tel|tour|turno) \d+\b"
    r"|\b\d+-\d+ (?:in|at|to|for|after|against|won|lost|win|up|down)\b|\+?\d[\d ()/-]{6,}|\b\d{1,2}(?:st|nd|rd|th)\b"
)
_SEPARATORS: Final = frozenset(",;:()[]=-")
_BUT: Final = frozenset(["but", "aber", "mais", "pero", "sondern", "sino", "maar", "ma", "mas"])
_TO: Final = frozenset(["bij", "op", "am", "al", "au", "for", "to", "as", "in", "into", "fur", "pour", "para", "als", "per"])
_COUNTS_NOTHING: Final = frozenset(
    ["turn", "round", "question", "questions", "i'm", "im", "we're", "am", "i've", "we've", "time"]
)
"""A number behind one of these is no choice: `turn 3`, `we're 2`."""
_EVERYBODY: Final = frozenset(["all", "everyone", "everybody", "there", "folks", "again", "team"])
_TRAIT: Final = frozenset(["trait", "ability", "eigenschaft", "capacite", "rasgo", "eigenschap"])
_DENIES: Final = frozenset(
    ["not", "no", "nobody", "never", "don't", "won't", "aucune", "nicht", "nichts", "kein", "keine", "pas", "ne", "rien", "nada", "nothing"]
)
_PLAYS: Final = frozenset(
    ["play", "playing", "plays", "put", "spiele", "spielen", "lege", "joue", "jouer", "juego", "jugar", "gioco", "use"]
)
_ANYTHING: Final = frozenset(
    ["anything", "any", "plays", "card", "cards", "nothing", "nichts", "keine", "karte", "karten", "rien", "carte", "cartes", "nada", "carta", "cartas", "niente", "all", "everything"]
)
_NEXT: Final = frozenset(
    ["then", "and then", "next", "dann", "danach", "und dann", "puis", "ensuite", "luego", "poi", "e poi", "dan", "daarna"]
)
_IS: Final = frozenset(["is", "are", "it's", "ist", "sind", "est", "es", "son", "be"])
_NOT_MINE: Final = _IS | {"you", "he", "she", "they", "du", "know", "what"}
_SURE: Final = frozenset(["sure", "certain", "sicher", "sur", "seguro", "sicuro", "yet", "this", "that"])
_HUMS: Final = frozenset(["ah", "oh", "hm", "hmm", "uh", "um", "argh", "aargh", "ups", "so", "ok", "well", "and"])
_ASKS = re.compile(
    r"(?:and |und |et |y )?(?:what|when|who|whom|whose|how|where|why|which|is|are|do|does|did|has"
    r"|have|can|could|will|would|was|wann|wie|wer|wo|warum|kann|darf|ist|hat|quand|qui|comment"
    r"|est-ce|cuando|quien|como|cuanto|quando|chi|come)\b"
)
_VETOES: Final = frozenset(["doubt", "keeps", "undoes", "rejects", "past", "opinion", "takes_back", "thanks_for"])
"""The roles of words with which a clause needs words that are all known."""
_NUMBERS: Final = {
    _without_accents(word): number
    for name in ("english", "german", "french", "spanish", "italian", "dutch", "portuguese")
    for number, word in enumerate(_SAID[name], 1)
    if word != "-"
}
_ORDINALS: Final = {
    _without_accents(word): number
    for name, words in _SAID.items()
    if name.startswith("ordinals")
    for number, word in enumerate(words, 1)
}
_SMALL: Final = frozenset(_SAID["small"])
_ABOUT_CHOICE: Final = frozenset(_SAID["about_choice"])
_KNOWN: Final = frozenset(
    ["join", "begin", "noun", "article", "chooser", "frame", "commits", "thanks", "greetings"]
)
"""The roles of words that may stand around the number of a choice."""
_AROUND: Final = _KNOWN | {"reasons", "because", "leads", "makes"}


class Token(NamedTuple):
    """A word, a phrase, a number or a mark."""

    text: str
    roles: frozenset[str]

    @property
    def digits(self) -> int:
        """The number that is written in digits; 0 if there is none."""
        said = self.text.removeprefix("#")
        return int(said) if said.isdecimal() and len(said) <= 3 else 0

    @property
    def rank(self) -> int:
        """The place that an ordinal names: `2nd`, `second`; 0 for any other word."""
        counted = re.fullmatch(r"(\d{1,3})(?:st|nd|rd|th|er|e|ere|eme)", self.text)
        begins = 1 if "begin" in self.roles else 0
        return int(counted[1]) if counted else _ORDINALS.get(self.text, begins)

    def has(self, *roles: str) -> bool:
        """Whether the word has one of these roles."""
        return not self.roles.isdisjoint(roles)


Tokens = Sequence[Token]


class Clause(NamedTuple):
    """A part of a sentence, with the marks around it; `but` counts as a mark."""

    before: str
    tokens: list[Token]
    after: str


class Free(Mutable):
    """What a line says in free words."""

    chosen: list[Choice] = field(default_factory=list)
    replaces: bool = False
    """Whether the choices replace those that the reply named before."""
    ends: bool = False
    """Whether the line says that its list of steps ends, as in `that's all`."""
    rest: list[str] = field(default_factory=list)
    """The questions and the small talk in the line, for the referee."""
    pending: list[Token] = field(default_factory=list)
    """Words that name a part of a choice, whose rest may follow in the next sentence."""
    settled: int = 0
    """How many of them stand before the last choice."""
    taken_back: str = ""
    """A sentence that takes back the choices before it, until a new one follows."""
    doubtful: str = ""
    """A part that may be meant as an order, and is not certain."""


def tidied(line: str) -> str:
    """Return a line without smileys, other pictures and marks of emphasis."""
    line = _TAG.sub(" ", line)
    line = "".join(" " if unicodedata.category(one) in ("So", "Cs") else one for one in line)
    kept = "".join(one for one in line if unicodedata.category(one) not in ("Sk", "Mn", "Me"))
    return " ".join(_EMPHASIS.sub("", _SMILEY.sub("", kept)).split())


def is_courtesy(line: str) -> bool:
    """Return whether a line only greets or thanks."""
    tokens = tokens_of(line)
    greets = bool(tokens) and tokens[0].has("greetings") and len(tokens) <= 3
    return greets or all(token.has("thanks", "join") or token.text in "," for token in tokens)


def takes_back(text: str) -> bool:
    """Return whether a text may take back what its writer wrote before."""
    tokens = tokens_of(text)
    if not tokens:
        return False
    return (
        any(token.has("takes_back") for token in tokens)
        or tokens[0].has("corrects")
        or any(token.has("corrects") and " " in token.text for token in tokens)
        or bool(re.search(r"\b(?:don't|do not|nicht) (?:do|play|take|use|count)\b", text.lower()))
    )


def tokens_of(text: str) -> list[Token]:
    """Return the words, numbers and marks of a text."""
    said = re.sub(r"(?<=\d)'s\b|\b(?:l|nell|all|dell|sull)'(?=\w)", "", _without_accents(text.lower()))
    said = _JOINED.sub(" ", said)
    said = _CARD.sub(lambda match: _CARDS[match[0]], said)
    found = [Token(one, frozenset(_ROLES.get(one, ()))) for one in _TOKEN.findall(said)]
    for place, token in enumerate(found):
        if token.text == "no":
            counts = place + 1 < len(found) and found[place + 1].digits
            roles = frozenset(["noun"]) if counts else token.roles - {"noun"}
            found[place] = Token(token.text, roles)
    return found


class FreeReader:
    """Reads lines in free words, with the numbers and the choices of one form."""

    def __init__(self, form: OrderForm, vocabulary: set[str]) -> None:
        self.form = form
        view = form.view
        others = {name for seat, name in view.names.items() if seat != view.seat}
        self.others = _letters(" ".join(others)) - {"i", "a"}
        mine = _letters(f"{view.names[view.seat]} {view.referee}") - self.others
        self.names = {word for word in mine if not _ROLES.get(word)}
        self.choices = [c for c in form.choices() if "{n}" not in c.text and not c.ready]
        orders = [_content(said) for c in self.choices for said in (c.text, c.says)]
        self.spelling = sorted({word for some in orders for word in some if word.isalpha()})
        asked = {one.kind for one in form.asked}
        words = {w for c in self.choices if c.kind in asked for w in _content(c.text) if len(w) > 3}
        self.vocabulary = {one for one in vocabulary | words if not _ROLES.get(one)}
        pairs = [pair for some in orders for pair in pairwise(some)]
        self.joined = {
            short: [one, other] for one, other in pairs for short in (one + other, one[0] + other[0])
        }
        asks = _letters(" ".join(one.asks for one in form.asked)) - _SMALL - self.others
        self.titles = {one for one in asks if not _ROLES.get(one)}
        self.titles |= {"cards", "feeding", "food", "later"}

    def read(self, line: str, earlier: Sequence[Choice], more: Sequence[Choice] = ()) -> Free:
        """Read a line; `earlier` are the choices in the lines above.

        `more` are choices that only become possible after the lines above.
        """
        found = Free()
        said = _DATE.sub(r"\1th", _DAY.sub("then", line))
        said = _SHORT.sub(lambda match: f"{match[1]} ", tidied(said))
        counted = re.match(r"\d{1,2}[.)]\s", said)
        for sentence in (match[0].strip() for match in _SENTENCE.finditer(said)):
            many = len(found.chosen) if not found.taken_back else -1
            stated, question = self._question_in(sentence)
            if tokens := tokens_of(stated):
                reading = _Sentence(self, earlier, [*self.choices, *more], found)
                reading.read(tokens, stated)
            if question:
                if (found.chosen or earlier) and re.match(
                    r"\W*(?:or|oder|ou|o)\b", question.lower()
                ):
                    found.doubtful = sentence
                found.rest.append(question)
            if counted and any(str(one.number) not in said for one in found.chosen):
                found.doubtful = line  # `1. long neck 3 on b1`
            if found.doubtful:
                break
            if len(found.chosen) > many or found.replaces:
                found.settled = len(found.rest)
        if any(self.knows(token.text) for token in found.pending):
            found.doubtful = line
        if found.taken_back and not found.doubtful:
            found.doubtful = found.taken_back
        if not found.doubtful and found.chosen:
            after = found.rest[found.settled :]
            found.doubtful = found.taken_back or next(filter(takes_back, after), "")
        return found

    def _question_in(self, sentence: str) -> tuple[str, str]:
        """Split a sentence into what it states and what it asks: `3 please, when do we meet?`."""
        if not sentence.endswith("?") or not sentence.strip("?!. "):
            return sentence, ""
        asked = _REQUEST.match(sentence)
        if asked and asked.end() and not self.is_small_talk(tokens_of(sentence)):
            return f"please {sentence[asked.end() :]}", ""
        for match in re.finditer(r"\s*[,;:-]\s+", sentence):
            asked = sentence[match.end() :]
            tokens = tokens_of(asked)
            if _ASKS.match(_without_accents(asked.lower())) and not _ASKS.match(sentence.lower()):
                apart = not any(token.text in _ABOUT_CHOICE for token in tokens)
                if apart and self.is_small_talk(tokens):
                    return sentence[: match.start()], asked
                break
        return "", sentence

    # -------------------------------------------------------------- words
    def is_known(self, token: Token) -> bool:
        """Return whether a word may stand around the number of a choice."""
        if token.has("doubt") and not token.has("noun"):
            return False
        return token.has(*_KNOWN) or token.text.removesuffix("'s") in self.names or token.text == "#"

    def is_title(self, token: Token) -> bool:
        """Return whether a word names a question of the email."""
        said = token.text
        return said in self.titles or (
            len(said) >= 5
            and not token.roles
            and any(title.startswith(said[:5]) for title in self.titles)
        )

    def harmless(self, tokens: Tokens) -> bool:
        """Return whether words neither say anything about choices nor make them doubtful."""
        doubts = [token for token in tokens if token.has("doubt", "takes_back", "rejects", "undoes")]
        denies = len(tokens) > 3 and all(token.text in _DENIES for token in doubts)
        sure = not doubts or (denies and not any(token.text in _SURE for token in tokens))
        return sure and self.is_small_talk(tokens)

    def is_small_talk(self, tokens: Tokens) -> bool:
        """Return whether words have no number that may be a choice, and no word of the game."""
        return not any(
            (any(one.isdecimal() for one in token.text) and not self._counts(tokens, place))
            or (_NUMBERS.get(token.text, 0) > 1 and len(tokens) < 5)
            or self.knows(token.text)
            for place, token in enumerate(tokens)
        )

    def knows(self, said: str) -> bool:
        """Return whether a text has a word of the game's cards, or names a piece."""
        words = set(re.findall(r"[a-z][a-z0-9]*", said))
        return bool(words & self.vocabulary or any(map(_PIECE_NAME.fullmatch, words)))

    def declines(self, tokens: Tokens) -> bool:
        """Return whether a clause says that nothing is played, as in `I don't play any cards`."""
        says = {token.text for token in tokens}
        keeps = any(token.has("keeps") for token in tokens)
        denies = says & _DENIES and says & _PLAYS and says & _ANYTHING
        all_kept = keeps and says & {"all", "everything", "my", "meine", "mes", "mis", "alles", "tout", "todo"} and says & {"cards", "everything", "hand", "karten", "cartes", "cartas", "alles", "tout", "todo", "them"}
        known = says - _DENIES - _PLAYS - _ANYTHING - {"alles", "tout", "todo", "them", "back"}
        return bool(denies or all_kept) and all(
            self.is_known(token) or token.has("keeps") or self.is_title(token)
            for token in tokens
            if token.text in known
        )

    def is_part(self, token: Token) -> bool:
        """Return whether a word, perhaps shortened, belongs to a choice."""
        said = token.text
        short = not token.roles and not self.is_title(token) and self._spelled(said) != [said]
        return self.knows(said) or said in self.spelling or short

    def may_order(self, sentence: str, mentioned: set[int]) -> bool:
        """Return whether a sentence that was not understood may be meant as an order."""
        tokens = tokens_of(_MEASURED.sub(" ", sentence.lower()))
        if any(token.has("undoes") for token in tokens) and any(t.digits or self.knows(t.text) for t in tokens):
            return True
        keeps = any(token.has("keeps") for token in tokens)
        numbers = {
            token.digits
            for place, token in enumerate(tokens)
            if token.digits and not self._counts(tokens, place) and not keeps
        }
        fresh = numbers & {*self.form.by_number, *self.form.heads} - mentioned
        if fresh or (numbers and any(token.has("doubt", "corrects") for token in tokens)):
            return True
        if any(self.knows(token.text) for token in tokens) and not keeps:
            strange = [
                t
                for t in tokens
                if not (self.knows(t.text) or self.is_known(t) or t.text in _SMALL)
            ]
            return len(strange) < 2
        return len(tokens) <= 4 and any(_NUMBERS.get(token.text, 0) > 1 for token in tokens)

    def _counts(self, tokens: Tokens, place: int) -> bool:
        """Return whether a number is about something else: `I have 3 kids`, `platform 2`."""
        strange = [
            one.text.isalpha()
            and not one.roles - {"opinion", "past"}
            and not self.knows(one.text)
            and one.text not in self.names
            for one in tokens
        ]
        before = place - 1
        while before > 0 and (tokens[before].digits or tokens[before].text in ("and", ",", "or")):
            before -= 1
        if before >= 0 and strange[before]:
            return True
        starts = place == 0 or tokens[place - 1].has("join", "article", "noun") or tokens[place - 1].text in _SEPARATORS
        return not starts and place + 1 < len(tokens) and strange[place + 1]

    # -------------------------------------------------------------- choices by number
    def numbers(self, tokens: Tokens, earlier: int) -> list[Choice] | None:
        """Return the choices with the numbers in a clause in which every word is known; None if
        there are none. `earlier` says how many choices stand before the clause."""
        named = [(place, self._number(tokens, place)) for place in range(len(tokens))]
        named = [(place, number) for place, number in named if number]
        choices = [self.form.by_number.get(number) for _, number in named]
        if not choices or not self._in_order(tokens, [place for place, _ in named], earlier):
            return None
        asked = {one.kind for one in self.form.asked}
        found = [choice for choice in choices if choice]
        if any(
            choice.kind not in asked and str(choice.number) in _content(one.text)
            for choice in found
            for one in self.choices
            if one.kind in asked and one.number
        ) and len(found) == 1:
            return None  # `the 7` may be the card
        if len(found) < len(choices) or not self._leads_in(tokens[: named[0][0]]):
            return None
        ranked = any(tokens[place].rank or tokens[place].has("last") for place, _ in named)
        if ranked and any(choice != found[0] for choice in found):
            return None  # `the first one is 3`
        ends = [place for place, _ in named[1:]] + [len(tokens)]
        for (place, _), choice, end in zip(named, found, ends, strict=True):
            before = tokens[place - 1] if place else None
            after = tokens[place + 1 : end]
            if ranked and after and _is_one(after[0]):
                del after[0]
            marked = bool(before and before.has("noun")) or tokens[place].text[0] == "#"
            marked = marked and any(one.has("chooser") for one in tokens[:place])
            around = {one.text for one in tokens[max(0, place - 1) : place + 2]}
            if around & _COUNTS_NOTHING or (
                before and before.text == "are" and place > 1 and tokens[place - 2].text == "we"
            ):
                return None
            if not self._follows(after, choice, end == len(tokens), marked):
                return None
        return found

    def _number(self, tokens: Tokens, place: int) -> int:
        """Return the number that a word means: `3`, `three`, `the third one`; 0 if it is none."""
        token = tokens[place]
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        noun = after is not None and _is_one(after)
        if token.digits:
            return token.digits
        if token.rank or token.has("last"):
            then = tokens[place + 2] if place + 2 < len(tokens) else None
            article = before is not None and before.has("article")
            if article and place > 1 and tokens[place - 2].text in ("on", "of", "until", "by"):
                return 0  # `on the 4th`
            if len(tokens) == 1 and token.text[0].isdecimal():
                return token.rank
            alone = after is None or after.has("thanks", "commits") or after.text in _TO
            if (noun and not (then and then.digits) and (article or not before)) or (
                article and alone
            ):
                return token.rank or self._last()
            return 0
        number = _NUMBERS.get(token.text, 0)
        if before is not None and before.has("noun"):
            return number
        if number == 1:
            others = [one for one in tokens if not one.has("join", "thanks")]
            return int(all(one.text in _NUMBERS for one in others))
        calm = (
            after is None
            or after.has("join", "thanks", "commits")
            or after.text in ("for", "is", "it")
        )
        return number if calm or after.text in _NUMBERS else 0

    def _last(self) -> int:
        asked = self.form.asked
        if len(asked) != 1 or asked[0].script:
            return 0
        return max((choice.number for choice in asked[0].choices), default=0)

    def _in_order(self, tokens: Tokens, places: Sequence[int], earlier: int) -> bool:
        """Return whether words such as `first` agree with the order of the numbers."""
        for place, token in enumerate(tokens):
            if not token.rank or place in places:
                continue
            after = [other for other in places if other > place]
            before = [other for other in places if other < place]
            follows = after and not any(one.has("join") for one in tokens[place + 1 : after[0]])
            rank = len(before) + earlier + (1 if follows else 0)
            if token.rank != rank:
                return False
            if (
                follows
                and before
                and not any(one.has("join") for one in tokens[before[-1] + 1 : place])
            ):
                return False  # `3 first 10`
        return True

    def _leads_in(self, tokens: Tokens) -> bool:
        """Return whether the words before the first number of a clause say that it is chosen."""
        known = [self.is_known(token) or self.is_title(token) or token.rank > 0 for token in tokens]
        if all(known):
            return True
        chooser = max((p for p, one in enumerate(tokens) if one.has("chooser")), default=-1)
        if chooser < 0 and tokens[-1].has("noun") and not tokens[-1].has("frame"):
            chooser = len(tokens) - 1  # `after some thought number 3`
        before = tokens[:chooser]
        return bool(
            chooser > 0
            and all(known[chooser:])
            and not any(token.has(*_VETOES) or token.text in _NOT_MINE for token in before)
            and self.harmless(before)
            and not self.others.intersection(token.text for token in before)
        )

    def _follows(self, tokens: Tokens, choice: Choice, last: bool, marked: bool) -> bool:
        """Return whether the words after the number of a choice leave it certain."""
        said = {*_content(choice.text), *_content(choice.says)}
        cards = [f"{token.text} {choice.number}" for token in tokens]
        if any(card in one.text for card in cards for one in self.choices if one != choice):
            return False  # `7 long neck` may be the card `long neck 7`
        if tokens and (
            tokens[0].text in _SAID["measures"]
            or (tokens[0].has("noun") and not tokens[0].has("article", "join"))
            or (self.is_title(tokens[0]) and tokens[0].text not in said)
        ):
            return False
        for place, token in enumerate(tokens):
            if token.text in said or token.text in _SMALL or token.rank or self.is_known(token):
                if not (place and token.has("leads") and not self.is_known(token)):
                    continue
            tail = tokens[place:]
            if self.is_title(token) and any(one.text in _TO for one in tokens[:place]):
                continue
            if any(one.has("because") for one in tokens[: place + 1]):
                return last
            if any(one.has("reasons") for one in tokens[: place + 1]):
                return last and self.is_small_talk(tail)
            certain = last and self.harmless(tail) and not self.others & {t.text for t in tail}
            talk = any(one.has("leads") or one.text in ("and", "und", "et") for one in tokens[: place + 1])
            return certain and (marked or talk)
        return True

    # -------------------------------------------------------------- choices in words
    def told(self, tokens: Tokens, choices: Sequence[Choice]) -> Choice | None:
        """Return the one choice whose words are among others that are not known."""
        said, strange = list[Token](), 0
        last = max((p for p, one in enumerate(tokens) if self.knows(one.text) or one.digits), default=0)
        after = tokens[last + 1] if last + 1 < len(tokens) else None
        if after and not (self.is_known(after) or after.text in _SMALL or self.is_title(after) or after.has(*_AROUND)):
            return None  # `climbing reminds me of my holidays`
        if _ASKS.match(tokens[0].text) and tokens[0].text not in ("will", "is", "are", "can"):
            return None
        for place, token in enumerate(tokens):
            card = place > 0 and (self.knows(tokens[place - 1].text))
            if self.knows(token.text) or (token.text in self.spelling and not self.is_known(token)):
                said.append(token)
            elif card and (token.digits or token.text in _NUMBERS):
                said.append(token)
            elif any(one.isdecimal() for one in token.text) and not self._counts(tokens, place):
                return None
            else:
                strange += not (self.is_known(token) or token.text in _SMALL or self.is_title(token) or token.has(*_AROUND))
                said += [token] if token.text in ("left", "right") else []
        one = None if any(t.text in _IS for t in tokens) else self._with_words(said, choices)
        kind = next((q for q in self.form.questions if one and q.kind == one.kind), None)
        asks = kind is not None and kind.asked
        tells = any(token.has("chooser", "makes", "thanks") for token in tokens) or strange < 2
        return one if asks and (tells or kind.script) else None

    def ends_of_words(self, tokens: Tokens) -> list[int]:
        """Return where words of a choice may end: before a reason, or a place in other words."""
        first = next((p for p, one in enumerate(tokens) if self.knows(one.text)), len(tokens))
        single = len(self.form.asked) == 1 and not self.form.asked[0].script
        for place in range(first + 1, len(tokens)):
            token, tail = tokens[place], tokens[place:]
            if token.has("because") or (token.has("reasons") and self.is_small_talk(tail)):
                return [place]
            if single and token.text in _TO and self.harmless(tail) and not self.others & {t.text for t in tail}:
                return [place]
        return []

    def worded(self, tokens: Tokens, choices: Sequence[Choice]) -> Choice | None:
        """Return the one choice that has exactly the words of a clause; None if there is none, or
        several. Small words do not count, and the card's number and the piece's name may be left
        out."""
        if any(token.has(*_VETOES) and token.text not in _SMALL for token in tokens):
            return None
        if any(token.has("least", "most") for token in tokens):
            return self._extreme(tokens, choices)
        for kept in (self.spelling, ()):
            said = [
                t for t in tokens if t.text in kept or self.knows(t.text) or not t.has(*_AROUND)
            ]
            if one := self._with_words(said, choices):
                return one
        return None

    def _extreme(self, tokens: Tokens, choices: Sequence[Choice]) -> Choice | None:
        """Return the choice that words such as `the lower long neck` or `the highest card` name."""
        asked = self.form.asked
        if len(asked) != 1 or asked[0].script:
            return None
        said = [t for t in tokens if self.knows(t.text) or not (t.has("least", "most", *_AROUND) or self.is_title(t))]
        words = {right for word in _content(" ".join(t.text for t in said)) for right in self._spelled(word)}
        having = {c: int(c.text.split()[-1]) for c in choices if c.kind == asked[0].kind and words <= {*_content(c.text)} and c.text.split()[-1].isdecimal()}
        if len(having) < 2:
            return None
        extreme = (max if any(token.has("most") for token in tokens) else min)(having.values())
        return _only([choice for choice, number in having.items() if number == extreme])

    def _with_words(self, said: Tokens, choices: Sequence[Choice]) -> Choice | None:
        words = _content(self._with_head(_BESIDE.sub(r"\1", " ".join(token.text for token in said))))
        words = [right for word in words for right in self._spelled(word)]
        words = [
            str(_NUMBERS[w]) if w in _NUMBERS and w not in self.vocabulary else w for w in words
        ]
        if not words or not self.knows(" ".join(words)):
            return None
        asked = {one.kind for one in self.form.asked}
        single = {one.kind for one in self.form.asked if not one.script}
        for fits in (_same, _same_but_numbers):
            same = [
                c for c in choices if any(fits(words, _content(s)) for s in (c.text, c.says) if s)
            ]
            now = [c for c in same if c.kind in asked]
            if one := _only(now) or (_only(same) if fits is _same and not self._loosely(words, choices) else None):
                return one
            if same:
                return None
        if any(token.text in _TRAIT for token in said):
            same = [c for c in choices if any(_same_but_pieces(words, _content(s)) and not Counter(words) - Counter(_content(s)) for s in (c.text, c.says) if s)]
            return _only([c for c in same if c.kind in asked]) or _only(same)
        if not any(map(_PIECE_NAME.fullmatch, words)):
            having = [
                c
                for c in choices
                if any(not Counter(words) - Counter(_content(s)) for s in (c.text, c.says) if s)
            ]
            rest = [c for c in having if c.kind in asked]
            if (one := _only(rest)) and any(
                _same_but_pieces(words, _content(s)) for s in (one.text, one.says) if s
            ):
                return one
        told = Counter(
            word
            for word in words
            if word not in self.titles and not self.is_title(Token(word, frozenset()))
        )
        return _only(
            [
                c
                for c in choices
                if c.kind in single
                and told
                and not any(map(_PIECE_NAME.fullmatch, words))
                and any(told <= Counter(_content(s)) for s in (c.text, c.says) if s)
            ]
        )

    def _loosely(self, words: Sequence[str], choices: Sequence[Choice]) -> bool:
        asked = {one.kind for one in self.form.asked}
        return any(
            _same_but_numbers(words, _content(said))
            for choice in choices
            if choice.kind in asked
            for said in (choice.text, choice.says)
        )

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
        self.ends = self.wavers = False
        self.words = bool(found.chosen)
        """Whether the last choice was named in words."""

    def read(self, tokens: Tokens, sentence: str) -> None:
        """Read the sentence and note what it means."""
        found = self.found
        unsure = [clause.tokens for clause in _clauses(tokens) if not self._takes(clause)]
        sure = not any(map(self._differs, unsure)) and (bool(self.new) or not unsure)
        if self.label and not self.new and sure:
            found.pending = self.label
            return
        sure = sure and not self.label
        sure = sure and self._corrects() and not self._contradicts()
        if self.new == self.before[-len(self.new) :] and len(self.new) > 1:
            self.new = []
            return
        if sure and (self.new or self.ends):
            found.chosen += self.new
            found.ends = found.ends or self.ends
        elif is_courtesy(sentence):
            return
        elif sure and self.wavers:
            found.taken_back = sentence
            found.rest.append(sentence)
        elif (
            self.new
            or self.ends
            or self.rejected
            or self.reader.may_order(
                sentence, {choice.number for choice in [*self.before, *self.new]}
            )
        ):
            found.doubtful = sentence
        else:
            if self.wavers or (self.corrected is not None and found.chosen):
                found.taken_back = sentence
            found.rest.append(sentence)

    def _differs(self, tokens: Tokens) -> bool:
        """Return whether a clause that is not understood may mean anything but what is chosen."""
        numbers = {token.digits for token in tokens if token.digits}
        chosen = {choice.number for choice in self.new}
        same = [token for token in tokens if token.digits not in chosen]
        return not numbers or not numbers <= chosen or not self.reader.harmless(same)

    def _takes(self, clause: Clause) -> bool:
        """Read one clause; return whether it is certain what it means, if it matters."""
        reader = self.reader
        tokens = self._without_corrections(_without_courtesies(clause.tokens, self.reader))
        if reader.declines(tokens):
            self.ends, tokens = True, []
        elif rest := _without_end(tokens, reader):
            if not rest[0] or self._chosen(rest[0]):
                self.ends, tokens = True, rest[0]
        if not tokens:
            return True
        if self.new and (aside := self._aside(clause.before, tokens, self.new[-1])) is not None:
            return aside
        if any(token.has("past") for token in tokens) and not self.reader.is_small_talk(tokens):
            self.corrected = len(self.new)  # `I wanted 3 at first, but now 10`
            self.wavers = True
            return True
        if any(token.has("rejects") for token in tokens):
            return self._rejects(tokens)
        if self.rejected and not self.new and clause.before == ",":
            if self.corrected is None and not any(token.has("chooser") for token in tokens):
                return False  # `not 2, 3`
        chosen = self._chosen([*self.label, *tokens])
        if chosen is None and self.label and (chosen := self._chosen(tokens)):
            words = {*_content(chosen[0].text), *_content(chosen[0].says)}
            told = _content(" ".join(one.text for one in self.label if not reader.is_title(one)))
            told = [one for one in told if not _PIECE_NAME.fullmatch(one)]
            if not words.issuperset(told):
                return False
        if chosen is not None:
            perhaps_range = clause.before == "-" and bool(self.new) and self.corrected is None
            other = clause.before == "but" and self.new and not self.rejected
            if other and self.corrected is None:
                return False  # `my favourite is 3 but 10 is fine`
            last = [*self.before, *self.new][-1:]
            if chosen == last and (self.words or any(reader.knows(token.text) for token in tokens)):
                chosen = []  # `cooperation for the body, that is number 3`
            self.words = any(reader.knows(token.text) for token in tokens)
            self.new += chosen
            self.label = []
            return not perhaps_range or tokens[0].has("join")
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
        if clause.after == "(" and not any(token.has("doubt", "keeps", "undoes") for token in tokens):
            about = [token for token in tokens if reader.knows(token.text)]
            if about and reader.harmless([token for token in tokens if token not in about and not token.text.isdecimal()]):
                self.label += about  # a number in brackets says what this means
                return True
        if self.new and clause.tokens[0].text in _NEXT:
            return False  # `3, danach die dreizehnte`
        reason = tokens[0].has("reasons") and reader.is_small_talk(tokens)
        because = tokens[0].has("because") and bool(self.new)
        wavers = self.wavers and reader.is_small_talk(tokens)
        return wavers or because or reason or reader.harmless(tokens)

    def _without_corrections(self, tokens: list[Token]) -> list[Token]:
        """Return a clause without words such as `oops`, and note that they are there."""
        if len(tokens) > 1 and tokens[0].text in _HUMS and tokens[1].has("corrects"):
            tokens = tokens[1:]
        while tokens and tokens[0].has("corrects") and not tokens[0].has("noun"):
            if len(tokens) > 1 and tokens[1].text in _TO | {"with", "on", "mit", "avec", "con"}:
                break  # `wait with 3`
            tokens, self.corrected = tokens[1:], len(self.new)
        late = len(tokens) > 1 and (
            tokens[-1].text == "instead"
            or (
                tokens[-1].has("corrects")
                and len(tokens) < 4
                and not any(one.roles for one in tokens[:-1])
                and self.reader.harmless(tokens[:-1])
            )
        )
        if late:
            tokens, self.corrected = tokens[:-1], len(self.new)
        return tokens

    def _aside(self, before: str, tokens: list[Token], choice: Choice) -> bool | None:
        """Return whether a clause after a choice leaves it certain; None if the clause may be a
        choice itself. `before` is the mark between them."""
        reader = self.reader
        if before == "(" and len(tokens) == 1 and tokens[0].digits:
            return tokens[0].digits == choice.number
        words = [word for token in tokens for word in _content(token.text)]
        known = {*_content(choice.text), *_content(choice.says)}
        if set(words) <= known and any(not word.isdecimal() for word in words):
            other = reader.worded(tokens, self.choices) if before not in ("(", "-") else None
            return other is None or other == choice
        about = [word for word in words if reader.knows(word)]
        if about and set(about) <= known and not self._chosen(tokens):
            return reader.harmless([t for t in tokens if t.text not in known])
        return None

    def _is_pending(self, tokens: list[Token]) -> bool:
        """Return whether words name a part of a choice, whose rest may follow."""
        reader = self.reader
        named = [t for t in tokens if reader.is_part(t)]
        others = [t for t in tokens if not reader.is_known(t) and t.text not in _SMALL]
        tells = len(named) > 1 or any(reader.knows(t.text) or not t.roles for t in named)
        strange = [token for token in others if token not in named]
        return tells and len(strange) < len(named) and reader.harmless(strange)

    def _is_label(self, tokens: list[Token]) -> bool:
        """Return whether words before a colon leave what follows certain, and keep those that it
        must agree with."""
        reader = self.reader
        ranks = [token.rank for token in tokens if token.rank]
        if ranks:
            place = len(self.before) + len(self.new) + 1
            return ranks == [place] and (place == 1 or bool(self.new or self.before))
        if tokens[-1].digits and len(tokens) > 1 and tokens[-2].text in ("turn", "round"):
            tokens = tokens[:-2]
        said = [t for t in tokens if not (reader.is_known(t) or t.text in _SMALL)]
        about = [
            t
            for t in tokens
            if reader.is_part(t) or reader.is_title(t)
        ]
        others = [token for token in said if token not in about]
        cards = [t for p, t in enumerate(tokens) if t.digits and p and reader.knows(tokens[p - 1].text)]
        about += [token for token in cards if token not in about]
        others = [t for t in others if t not in cards and (t.text not in _NUMBERS or len(tokens) < 2)]
        chooses = not others or len(tokens) > 2 or any(t.has("chooser", "noun") for t in tokens)
        if not chooses or not reader.harmless(others):
            return False
        self.label += about
        return not reader.others.intersection(token.text for token in others)

    def _rejects(self, tokens: list[Token]) -> bool:
        """Read a clause with words such as `not` or `instead of` before a choice."""
        place = next(p for p, token in enumerate(tokens) if token.has("rejects"))
        left, right = tokens[:place], tokens[place + 1 :]
        if any(token.has("rejects") for token in right):
            return False
        if left and not all(
            self.reader.is_known(token) and not token.has("join") for token in left
        ):
            chosen = self._chosen(left)
            if chosen is None:
                return False
            self.new += chosen
        for end in (len(right), *range(1, len(right))):
            rejected = self._chosen(right[:end]) or []
            if len(rejected) != 1 or not (end == len(right) or right[end].has("frame", "chooser")):
                continue
            taken = self._chosen(right[end:]) if end < len(right) else []
            if taken is not None:
                self.rejected += rejected
                self.new += taken
                return True
        named = self.new and len(right) == 1 and right[0].digits
        return bool(named) and right[0].text not in _content(self.new[-1].text)  # `neck 3, not 7`

    def _chosen(self, tokens: list[Token]) -> list[Choice] | None:
        """Return the choices that words name; None if it is not certain that they name any."""
        reader = self.reader
        earlier = len(self.before) + len(self.new)
        if numbers := reader.numbers(tokens, earlier):
            return numbers
        for end in (len(tokens), *reader.ends_of_words(tokens)):
            if one := reader.worded(tokens[:end], self.choices):
                return [one]
        for marks in (True, False):  # whether `->` also joins
            found: list[Choice] = []
            parts = _split(tokens, lambda one: one.has("join") and (marks or one.text.isalpha()))
            for part in parts:
                one = reader.worded(part, self.choices)
                new = reader.numbers(part, earlier + len(found)) or ([one] if one else [])
                found += new
                if not new:
                    break
            else:
                if len(parts) > 1:
                    return found
        return None

    def _told(self, tokens: list[Token]) -> list[Choice]:
        """Return the choices that a clause tells in words between words that are not known."""
        reader, found = self.reader, list[Choice]()
        if any(token.has(*_VETOES) or token.text in reader.others for token in tokens):
            return []
        for part in _split(tokens, lambda one: one.has("join") and one.text.isalpha()):
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
            self.found.chosen, self.found.replaces = [], True
            self.new = [new[0] if one == self.rejected[0] else one for one in old]
            return True
        kinds = {choice.kind for choice in [*old, *new]}
        script = any(one.script for one in self.reader.form.questions if one.kind in kinds)
        if old and (len(kinds) > 1 or (script and len(old) != len(new))):
            return False
        if script and len(old) > 1 and self.corrected:
            return False  # `3, 10, no wait, 12, 13`
        self.found.chosen, self.found.replaces, self.new = [], bool(old), new
        return True

    def _contradicts(self) -> bool:
        """Return whether a choice is also rejected, or is not the only answer to its question."""
        kept = [*([] if self.found.replaces else self.before), *self.new]
        single = {one.kind for one in self.reader.form.questions if not one.script}
        answers = {(choice.kind, choice.text) for choice in kept if choice.kind in single}
        several = self.new and len(answers) > len({kind for kind, _ in answers})
        return bool(several) or any(choice in kept for choice in self.rejected)


def _is_one(token: Token) -> bool:
    return token.has("noun") or token.text == "one"


def _letters(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", text.lower()))


def _split(tokens: Tokens, at: Callable[[Token], bool]) -> list[list[Token]]:
    """Split words where a word says so, without this word."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if at(token):
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _clauses(tokens: Tokens) -> Iterator[Clause]:
    """Yield the clauses of a sentence, each with the marks before and after it."""
    before, words = "", list[Token]()
    for place, token in enumerate([*tokens, Token(";", frozenset())]):
        mark = "but" if token.text in _BUT else token.text
        if token.has("join") and any(one.has("keeps") for one in tokens[place + 1 : place + 3]):
            mark = ","  # `and I keep the rest`
        if mark != "but" and mark not in _SEPARATORS:
            words.append(token)
            continue
        if words:
            yield Clause(before, words, mark)
        before, words = mark, []


def _without_courtesies(tokens: Tokens, reader: FreeReader) -> list[Token]:
    """Return a clause without greetings and thanks at its ends."""
    words = list(tokens)
    if words and words[0].has("greetings"):
        del words[0]
        while words and words[0].text in reader.names | reader.others | _EVERYBODY:
            del words[0]
        if len(words) < 3 and reader.harmless(words) and not any(map(reader.is_known, words)):
            words.clear()
    while words and words[0].has("thanks", "greetings"):
        del words[0]
    while words and words[-1].has("thanks"):
        del words[-1]
    return words


def _without_end(tokens: list[Token], reader: FreeReader) -> tuple[list[Token]] | None:
    """Return a clause without words such as `and then I'm done`; None if it has none."""
    place = next((p for p, token in enumerate(tokens) if token.has("ends")), None)
    if place is None:
        return None
    after = tokens[place + 1 :]
    if after and (after[-1].text in _TO or after[0].text in _IS or after[0].text in ("works", "looks", "seems")):
        return None
    if not all(reader.is_known(token) or reader.is_title(token) for token in after):
        return None
    while place and (
        tokens[place - 1].has("join", "chooser", "frame", "begin")
        or tokens[place - 1].text in _DENIES
    ):
        place -= 1
    return (tokens[:place],)


def _content(text: str) -> list[str]:
    """Return the words of an order that tell it from others."""
    words = re.findall(r"[^\W_]+(?:'[^\W\d_]+)*", _without_accents(spaced(text).lower()))
    return [word for word in words if word not in _SMALL]


def _pieces(words: Sequence[str]) -> list[str]:
    return [word for word in words if _PIECE_NAME.fullmatch(word)]


def _same(words: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two orders have the same words, and name their pieces in the same order."""
    return _pieces(words) == _pieces(other) and Counter(words) == Counter(other)


def _same_but_numbers(words: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether the first order only lacks numbers of the second one: `cooperation on b1`."""
    left = Counter(other) - Counter(words)
    pieces = _pieces(words) == _pieces(other)
    return pieces and not Counter(words) - Counter(other) and all(map(str.isdecimal, left))


def _same_but_pieces(words: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether the first order only lacks numbers, and the names of pieces."""
    left = Counter(other) - Counter(words)
    return all(word.isdecimal() or _PIECE_NAME.fullmatch(word) for word in left)


def _swapped(one: str, other: str) -> bool:
    """Return whether two words differ only in the order of letters."""
    return one != other and one[0] == other[0] and sorted(one) == sorted(other)


def _only(found: Sequence[Choice]) -> Choice | None:
    kinds = {(choice.kind, choice.text): choice for choice in found}
    return next(iter(kinds.values())) if len(kinds) == 1 else None
