"""The words of a reply: what each word is for, and which numbers they mean.

`free_words.toml` lists the words that people use around their choices, in several languages. The
name of a list is the role of its words; a word may have several.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from importlib.resources import files
from typing import Any, Final, NamedTuple


def plainly(text: str) -> str:
    """Return a text in lower case, without accents."""
    parts = unicodedata.normalize("NFD", text.lower())
    return "".join(one for one in parts if unicodedata.category(one) != "Mn")


def _list(said: str) -> list[str]:
    """Return the words of a list; phrases of several words are separated by `|`."""
    said = re.sub(r"(?<=[a-z])-(?=[a-z])", " " if " | " in said else "-", plainly(said))
    return [" ".join(one.split()) for one in said.split(" | " if " | " in said else None)]


def _any(phrases: Iterable[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(phrases, key=len, reverse=True))) + ")"


_DOC: Final[dict[str, Any]] = tomllib.loads(
    files("pbem.mailseats").joinpath("free_words.toml").read_text("utf-8")
)
LISTS: Final = {name: _list(said) for name, said in _DOC.items() if isinstance(said, str)}
LISTS.update({name: _list(said) for name, said in _DOC["hints"].items()})
_HINTS: Final = frozenset([*_DOC["hints"], "opinion", "past"])
"""The roles that do not make a word known."""
_ROLES: Final[dict[str, frozenset[str]]] = {}
for _role, _words in LISTS.items():
    for _word in _words:
        _ROLES[_word] = _ROLES.get(_word, frozenset()) | {_role}
_NAMES: Final = {
    said: name.replace("_", " ") for name, some in _DOC["names"].items() for said in _list(some)
}
"""The names of cards and places in other languages."""
NUMBERS: Final = {
    word: number
    for language in _DOC["languages"].split()
    for number, word in enumerate(LISTS[language], 1)
    if word != "-"
}
_ORDINALS: Final = {
    word: number
    for name, words in LISTS.items()
    if name.startswith("ordinals")
    for number, word in enumerate(words, 1)
}
NOUNS: Final = frozenset(LISTS["noun"])
SMALL: Final = frozenset(LISTS["small"])
"""Words in an order that do not tell it from another one."""

_NAME = re.compile(rf"\b{_any(_NAMES)}\b")
_TOKEN = re.compile(
    rf"(?<![\w']){_any(one for one in _ROLES if not one.isalpha() and one[0].isalpha())}(?![\w'])"
    r"|(?:\+\d|\b0\d)[\d ()/-]{5,}\d"
    r"|#?\d+(?:st|nd|rd|th|er|e|ere|eme)?(?![\w]|[-:.]\d|/\d+/)"
    r"|\d+(?:[-:.]\d+)+\.?|\d+/\d+/\d+"
    r"|[^\W_]+(?:'[^\W\d_]+)*|[-=]*>|<[-=]+|[^\s\w\"'.!°]"
)
"""Phrases, telephone numbers, numbers, scores and times, dates, words, arrows and marks."""
_RANK = re.compile(r"(\d{1,3})(?:st|nd|rd|th|er|e|ere|eme)")
_OWNS = re.compile(r"(?<=\d)'s\b|\b(?:l|nell|all|dell|sull)'(?=\w)")
"""Letters that belong to a word: `b1's`, `l'acqua`."""
_JOINED = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|(?<=[a-z]{2})(?=\d)|(?<!\S)\+ ?1\b(?=.*[a-z])")
"""What is between two words, as in `long-neck`, `neck3` and `population +1`."""
_SMILEY = re.compile(r"(?<!\S)(?:[:;=]['\u2019]?[-oO^]?[)(DPp/\\|*oO]+|<3|\^\^|xD+)(?![^\s.,!?])")
_URL = re.compile(r"<?\b(?:https?://|www\.)\S+", re.I)
_ARROW = re.compile("[\u2192\u21d2\u27a1\u2794\u279c]")
_STRETCHED = re.compile(r"[^\W\d_]*([^\W\d_])\1{2,}[^\W\d_]*")
"""Letters that a writer repeats, as in `sooo`."""
_WITH = re.compile(r"\bw/ ?(?=[a-z])")
_AND = re.compile(r"(?<=\w) '?n'? (?=[a-z])")
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?: [^<>]*)?/?>", re.I)
_EMPHASIS = re.compile(r"(?<!\w)[*_]+(?=\S)|(?<=\S)[*_]+(?!\w)")
_MONTH: Final = r"\s(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])"
_NO_END = re.compile(
    rf"\b(?:no|nr|num|n|e\.g|i\.e|bzw|ca|\w*str|tel|ave|rd|apt|vol|ch)\.(?=\s*[#+]?\d)"
    rf"|\b\d{{1,2}}\.(?={_MONTH})"
    r"|\b\d{1,2}\.\d{1,2}\.",
    re.I,
)
"""Points that do not end a sentence: `no. 3`, `3. Dezember`."""
_POINT: Final = "\x00"
_SENTENCE = re.compile(r"[^.!?\u2026]+(?:[.!?\u2026]+|$)|[.!?\u2026]+")


class Token(NamedTuple):
    """A word, a phrase, a number or a mark."""

    text: str
    roles: frozenset[str] = frozenset()

    def has(self, *roles: str) -> bool:
        """Whether the word has one of these roles."""
        return not self.roles.isdisjoint(roles)

    @property
    def is_strange(self) -> bool:
        """Whether no list makes this known."""
        return not self.roles - _HINTS

    @property
    def digits(self) -> int:
        """The number that is written in digits; 0 if there is none."""
        said = self.text.removeprefix("#")
        return int(said) if said.isdecimal() and len(said) <= 3 else 0

    @property
    def has_digits(self) -> bool:
        """Whether any digit is in it, as in `b1` and `19h`."""
        return any(one.isdecimal() for one in self.text)

    @property
    def rank(self) -> int:
        """The place that an ordinal names: `2nd`, `second`; 0 for any other word."""
        counted = _RANK.fullmatch(self.text)
        return int(counted[1]) if counted else _ORDINALS.get(self.text, int(self.has("begin")))


Tokens = Sequence[Token]


def _as_known(stretched: re.Match[str]) -> str:
    """Return a word without the letters that a writer repeats: `threee`, `sooo`."""
    double, one = (re.sub(r"(.)\1{2,}", short, stretched[0]) for short in (r"\1\1", r"\1"))
    return double if double in _ROLES else one


def _roles_of(word: str) -> frozenset[str]:
    denied = word.endswith("n't") or word in ("dont", "cant", "wont")
    return _ROLES.get(word, frozenset()) | (frozenset(["doubt"]) if denied else frozenset())


def tokens_of(text: str) -> list[Token]:
    """Return the words, numbers and marks of a text."""
    said = _AND.sub(" and ", _WITH.sub("with ", _STRETCHED.sub(_as_known, plainly(text))))
    said = _JOINED.sub(" ", _OWNS.sub("", said))
    said = _NAME.sub(lambda match: _NAMES[match[0]], said)
    found = [Token(one, _roles_of(one)) for one in _TOKEN.findall(said)]
    for place, token in enumerate(found):
        if token.text == "no":  # `no 3` is a number, `no, 3` is a correction
            number = place + 1 < len(found) and found[place + 1].digits
            roles = frozenset(["noun"]) if number else token.roles - {"noun"}
            found[place] = Token(token.text, roles)
    return found


def _ended(smiley: re.Match[str]) -> str:
    """Return the point that a smiley stands for, if another sentence follows."""
    return "." if smiley.string[smiley.end() :].lstrip()[:1].isupper() else ""


def translated(word: str) -> list[str]:
    """Return the name of which a compound such as `kletterkarte` begins with the translation."""
    stem = re.sub(r"s?(?:karten?|kaart|kaarten|kort|kortet)$", "", word)
    if stem == word:
        return [_NAMES[one] for one in get_close_matches(word, _NAMES, 1, 0.88)]
    near = {name for said, name in _NAMES.items() if len(stem) > 3 and said.startswith(stem)}
    return sorted(near) if len(near) == 1 else []


def tidied(line: str) -> str:
    """Return a line without smileys, other pictures, HTML tags and marks of emphasis."""
    line = _URL.sub("", _ARROW.sub("->", line)).replace(" @ ", " on ")
    line = "".join(
        " " if unicodedata.category(one) in ("So", "Cs") else one for one in _TAG.sub(" ", line)
    )
    kept = "".join(one for one in line if unicodedata.category(one) not in ("Sk", "Mn", "Me"))
    return " ".join(_EMPHASIS.sub("", _SMILEY.sub(_ended, kept)).split())


def sentences_of(line: str) -> Iterator[str]:
    """Yield the sentences of a line."""
    said = _NO_END.sub(lambda match: match[0].replace(".", _POINT), line)
    for match in _SENTENCE.finditer(said):
        yield match[0].strip().replace(_POINT, ".")


def is_courtesy(line: str) -> bool:
    """Return whether a line only greets or thanks."""
    tokens = tokens_of(line)
    greets = bool(tokens) and tokens[0].has("greetings") and len(tokens) <= 3
    return greets or all(token.has("thanks", "join") or token.text == "," for token in tokens)


def takes_back(text: str) -> bool:
    """Return whether a text may take back what its writer wrote before."""
    tokens = tokens_of(text)
    return (
        any(token.has("takes_back") for token in tokens)
        or bool(tokens and tokens[0].has("corrects"))
        or any(token.has("corrects") and " " in token.text for token in tokens)
        or bool(re.search(r"\b(?:don't|do not|nicht) (?:do|play|take|use|count)\b", text.lower()))
    )
