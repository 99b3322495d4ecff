"""Understand the words of a reply: numbers and sentences become orders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from difflib import get_close_matches
from typing import Final, Literal

from engine import DONE, STOP, Line, bare
from engine.values import Mutable
from pbem.drafts.offers import Choice
from pbem.drafts.read import (
    Draft,
    Row,
    Wording,
    begun_lines,
    check_rows,
    exact_line,
    missing_ends,
    with_ends,
)
from pbem.game.lines import LineChecker
from pbem.game.view import View
from pbem.mailseats.free_text import FreeReader
from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.words import is_courtesy, takes_back, tidied
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, SCORE
from pbem.screen.tell import spaced
from pbem.text.absence import (
    DaysAway,
    concedes,
    mentions_conceding,
    read_absence,
    wishes_to_concede,
)

# ---- Understand the lines of a reply: its orders, its questions, and what is wrong with it

What = Literal["help", "status", "show", "explain", "concede"]
Ask = tuple[What, str]
"""A question of a reply: the kind of question, and the word to explain if there is one."""

_NUMBERS = re.compile(
    r"#?\d{1,3}[.):]?(?:(?:\s*(?:,|;|/|\+|&|and|und|et|y|e|en|i|then)\s*|\s+)#?\d{1,3}[.)]?)*"
)
_NUMBER = re.compile(r"\d+")
_PLACED = re.compile(r"(?:(?:and|then|und|dann) ){0,2}#?(\d{1,3})[.):]?\s+(?:[-:=>]+\s*)?(\D.*)")
_OWN_COUNT = re.compile(
    r"(?:^|(?<=[\s,;]))\(?(?:(\d{1,2})(?:[.)]|(?:st|nd|rd|th)\b\s?[.:)=-]?)|([a-h])[.)]"
    r"|(first|second|third|fourth|fifth)(?: one| card| choice| pick| move)?\s?[:=])\s*(?=\S)",
    re.I,
)
"""How people count what they choose: `1)`, `2nd:`, `c)`, `(4)`, `fifth:`."""
_CHOSEN = re.compile(r"#?(\d{1,3})[.):]?\s+(?:[-:=]\s*)?(.+)")
_KIND = re.compile(r"(always\s+)?([a-z][a-z_-]{0,31})\s*[:=]\s*(.*)", re.I)
_ASK = re.compile(r"(help|status|show|explain)\b[\s:]*(.*)", re.I)
_TELL = re.compile(r"tell\b(?:\s+([^:]{1,40}?))?\s*:\s*(.*)", re.I)
_TELL_BADLY = re.compile(r"tell\s+(?:all|every(?:one|body)|them|the others)\b.*", re.I)
_ALL: Final = frozenset(["", "all", "everyone", "everybody", "them", "the others", "all players"])
_VOTE = re.compile(r"(?:i )?vote\b:?(?: (?:for|to))?(?: an?| the)?(?: (.*))?")
_VOTES: Final = {
    **dict.fromkeys(["end", "end the game", "end game", "stop", "score", "scores"], SCORE),
    **dict.fromkeys(["draw", "end as draw", "end as a draw"], DRAW),
    **dict.fromkeys(["no winner", "end without winner", "end without a winner"], NO_WINNER),
    **dict.fromkeys(["no", "play on", "against", "continue", "go on"], PLAY_ON),
}
_AGREE: Final = frozenset(["agree", "i agree", "agreed"])
_BULLET = re.compile(r"(?:[-*\u2022\u00b7\u25e6]|>+)\s+(?=\S)")
_COUNTED = re.compile(
    r"(?:i(?:'ll| will)? (?:choose|take|pick|play|want|go (?:for|with)) )?(?:number|no\.?|nr\.?"
    r"|nummer|choice|option|my move(?: is)?:?)\s*(?=#?\d)"
    r"|^i(?:'ll| will)? (?:choose|take|pick|play|want|go (?:for|with)) (?=#?\d)",
    re.I,
)
_THANKS: Final = r"(?:please|pls|thanks|thank you|thx|cheers|bitte|danke)"
_POLITE = re.compile(rf"(?:[\s,.;!-]+{_THANKS}\b)+[\s.!:)]*$", re.I)
_WRAPS: Final = " \t\"'.,!;[]"
_START_OVER: Final = frozenset(["start over", "forget it", "forget", "no orders", "cancel"])
_LONGEST: Final = 160
"""The most characters of a line that may be an order: sealed lines have at most 200 bytes."""
_BROKEN_AT: Final = 50
"""Mail programs break lines that are longer than about 70 characters between two words."""
_BROKEN_FROM: Final = 64
_BROKEN_TO: Final = 80
"""Lines of a sentence that a mail program broke have about this many characters."""
_ALTERNATIVE = re.compile(r"(?:or|oder|ou)\b.*\?")
MOST_STEPS: Final = 60
"""After how many lines of a reply pbem stops looking for choices that only they make possible."""
_SHORTEST: Final = 4
"""The least characters that a text needs, unless it is exactly a choice."""
_ENDS: Final = frozenset(["done", "pass", "stop", "nothing", "no"])


class Understood(Mutable):
    """What a reply says."""

    lines: list[Row] = field(default_factory=list)
    """The orders in the reply, in their order."""
    asks: list[Ask] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """The lines that look like orders but cannot be used, and why."""
    guessed: list[tuple[str, str]] = field(default_factory=list)
    """The lines in free words that were taken for orders: the line, and the orders in words."""
    rest: list[str] = field(default_factory=list)
    """All other lines, without greetings: questions and small talk, for the referee."""
    told: list[tuple[str, str]] = field(default_factory=list)
    """The messages to others: to whom (empty = all), and the text."""
    vote: str = ""
    """A vote to end the game, or not to, as in a notice; or `agree`."""
    absence: DaysAway | None = None
    """An absence that the reply announces or takes back."""
    concedes: bool = False
    """Whether the reply concedes the game."""
    start_over: bool = False
    """Whether the reply drops the earlier orders for this turn."""

    @property
    def says_something(self) -> bool:
        """Whether the reply orders or asks for anything."""
        return bool(self.lines or self.asks or self.start_over or self.speaks)

    @property
    def speaks(self) -> bool:
        """Whether the reply tells others something, votes, announces an absence, or concedes."""
        return bool(self.told or self.vote or self.absence or self.concedes)


def understand(lines: Sequence[str], form: OrderForm, above: Sequence[str] = ()) -> Understood:
    """Find out what the new lines of a reply mean, with the numbers in this form.

    Only the lines `above` everything that is quoted can concede.
    """
    reading = _Reading(form)
    reading.found.concedes = concedes(above)
    for line in _without_counts(lines):
        found = reading.found
        many = len(found.lines) >= MOST_ORDERS
        wrong = len(found.wrong) + len(reading.free.doubts)
        if many or wrong >= MOST_WRONG or reading.read_freely > MOST_FREE:
            what = f"there are more than {MOST_ORDERS} orders" if many else TOO_MANY
            found.wrong.append((what, "pbem has not read the rest of your reply"))
            break
        reading.take(line)
    reading.finish()
    return reading.found


def _without_counts(lines: Sequence[str]) -> list[str]:
    """Lines may be counted `1) 3`, `2) 10`; a line that counts several parts becomes several
    lines."""
    found, counts = list[str](), list[int]()
    for line in lines:
        marks = list(_OWN_COUNT.finditer(line))
        if not marks or marks[0].start():
            found.append(line)
            continue
        for mark, after in zip(marks, [*marks[1:], None], strict=True):
            counts.append(_count(mark))
            part = line[mark.end() : after.start() if after else None].strip(" ,;")
            found.append(re.sub(r"[\s,;]+(?:and|und)$", "", part))
    counted = len(counts) > 1 and counts == list(range(1, len(counts) + 1)) and all(found)
    return found if counted else list(lines)


def _count(mark: re.Match[str]) -> int:
    number, letter, ordinal = mark.groups()
    if ordinal:
        return 1 + ["first", "second", "third", "fourth", "fifth"].index(ordinal.lower())
    return int(number) if number else 1 + "abcdefgh".index(letter.lower())


MOST_WRONG: Final = 20
"""How many lines that look like orders and are none are explained; finding out what each may have
meant takes a few milliseconds."""
MOST_ORDERS: Final = 200
"""How many orders in one reply are read."""
MOST_FREE: Final = 16_000
"""How many characters of free words in one reply are read; a reader needs seconds for more."""
TOO_MANY: Final = "there are too many lines that are not orders"
MOST_ASKS: Final = 10
"""How many questions in one reply are answered."""


class _Reading:
    def __init__(self, form: OrderForm) -> None:
        self.form, self.view = form, form.view
        self.ruleset = self.view.play.ruleset
        self.wording = Wording(self.ruleset)
        self.found = Understood()
        self.broken = False
        """Whether the line before is a message so long that its text may go on in this line."""
        self.read_freely = 0
        """How many characters of free words were read so far."""
        self.settled = 0
        """How many lines for the referee stand above the last order."""
        self.last = ""
        """The kind of decision of the last order that was read."""
        self.exact: dict[str, Choice] = {}
        for choice in form.choices():
            for said in (choice.text, choice.says):
                if said:
                    self.exact.setdefault(_key(said), choice)
        self.spelled: dict[str, str] = {}
        self.free = FreeReader(form)
        self.held = ""
        """The beginning of a sentence that a mail program broke, without its rest."""
        self._after: tuple[int, list[Choice]] = 0, []

    def take(self, line: str) -> None:
        """Read one line and note what it means."""
        if self.held:
            self._go_on(line)
            return
        if self._tells(line):
            return
        line = tidied(line)
        if line.endswith("?"):
            if not self._asks(line):
                self._freely(line)
            return
        said = _BULLET.sub("", line, count=1).strip() if _BULLET.match(line) else line
        if len(said) <= _LONGEST:
            said = _POLITE.sub("", _COUNTED.sub("", said, count=1))
        if len(parts := self._with_heads(said) or self._in_kinds(said)) > 1 or parts != [said]:
            for part in parts:
                self.take(part)
            return
        tried = dict.fromkeys([line.strip(), said, said.strip(_WRAPS)])
        if not any(self._reads(one) for one in tried if one):
            self._not_read(line)

    def _go_on(self, line: str) -> None:
        before, self.held = self.held, ""
        if len(line) > _LONGEST:
            self._freely(before)
            self.take(line)
        elif _is_broken(line):
            self.held = f"{before} {line}"[: 4 * _LONGEST]
        elif not self._reads(whole := f"{before} {line}"):
            self._freely(whole)

    def finish(self) -> None:
        """Read what is left, and see whether anything takes the orders back."""
        if self.held:
            self._freely(self.held)
        found = self.found
        for sentence in dict.fromkeys(doubt.sentence for doubt in self.free.doubts):
            told = f"is not an order that this game understands{self._meant_perhaps(sentence)}"
            found.wrong.append((f"“{sentence}”", told))
        if found.lines and not found.wrong:
            after = found.rest[self.settled :]
            back = [one for one in after if takes_back(one) or _ALTERNATIVE.match(one.lower())]
            told = "may change what you chose: write only the choices that count"
            found.wrong += [(f"“{one}”", told) for one in back[:1]]

    def _with_heads(self, said: str) -> list[str]:
        """Return the parts of a line such as `3 on b2, 5 for the body of b1`, with the cards in
        place of their numbers; empty for any other line."""
        if not self.form.heads or not re.match(r"(?:and |then )?#?\d", said):
            return []
        found = []
        for part in re.split(
            r"\s*[,;]\s*|\s+(?=(?:(?:and|und) )?(?:and|then|und|dann) #?\d)", said
        ):
            match = _PLACED.fullmatch(part)
            head = self.form.heads.get(int(match[1]), "") if match else ""
            if not match or not head:
                return []
            found.append(f"{head} {match[2]}")
        return found

    def _in_kinds(self, said: str) -> list[str]:
        """Split a line such as `food: 2; play: 7` into its parts; return any other line
        unchanged."""
        parts = [part.strip() for part in said.split(";") if part.strip()]
        named = [_KIND.fullmatch(part) for part in parts]
        kinds = {kind.lower() for kind in self.ruleset.kinds}
        whole = all(found and found[2].lower() in kinds for found in named)
        return parts if whole else [said]

    def _reads(self, said: str) -> bool:
        if len(said) > _LONGEST:
            return False
        return self._asks(said) or self._numbers(said) or self._order(said)

    # -------------------------------------------------------------- for other players
    def _tells(self, line: str) -> bool:
        if match := _TELL.fullmatch(line):
            to = "" if (match[1] or "").lower() in _ALL else match[1]
            self.found.told.append((to, match[2]))
        elif _TELL_BADLY.fullmatch(line):
            self.found.wrong.append((f"“{line}”", "write “tell:” before what you want to say"))
        elif not self.broken:
            plain = line.rstrip(".!").lower()
            return self._votes(plain) or self._is_away(plain)
        elif self._reads(line):
            self.broken = False
            return True
        else:
            to, text = self.found.told[-1]
            self.found.told[-1] = to, f"{text} {line}"
        self.broken = bool(self.found.told) and len(line) >= _BROKEN_AT
        return True

    def _votes(self, plain: str) -> bool:
        match = _VOTE.fullmatch(plain)
        if match and (vote := _VOTES.get(match[1] or "")):
            self.found.vote = vote
        elif match and len(plain) < _BROKEN_AT:
            told = "write “vote end”, “vote draw” or “vote no”"
            self.found.wrong.append((f"“{plain}”", told))
        elif plain in _AGREE:
            self.found.vote = "agree"
        else:
            return False
        return True

    def _is_away(self, plain: str) -> bool:
        absence = read_absence(plain)
        if absence:
            self.found.absence = absence
        elif re.match(r"away\b", plain) and len(plain) < _BROKEN_AT:
            told = "write it like “away until friday” or “away 24 December to 2 January”"
            self.found.wrong.append((f"“{plain}”", told))
        else:
            return False
        return True

    # -------------------------------------------------------------- questions to us
    def _asks(self, said: str) -> bool:
        plain = said.rstrip("?!. ").lower()
        if plain in _START_OVER:
            self.found.start_over = True
            self.found.lines.clear()
            return True
        if wishes_to_concede(plain):
            self._asks_to_concede()
            return True
        match = _ASK.fullmatch(plain)
        if not match:
            return False
        what, about = match[1], " ".join(match[2].split())
        if what == "explain" and about and len(about) <= 60:
            self._ask("explain", about)
        elif what in ("help", "explain") and about in ("", "me", "please"):
            self._ask("help", "")
        elif what == "status" and about in ("", "please"):
            self._ask("status", "")
        elif what == "show" and about in ("", "table", "the table", "me the table", "please"):
            self._ask("show", "")
        else:
            return False
        return True

    def _asks_to_concede(self) -> None:
        """Unless the reply concedes, take a line about conceding as a question: how to concede?"""
        if not self.found.concedes:
            self._ask("concede", "")

    def _ask(self, what: What, about: str) -> None:
        if (what, about) not in self.found.asks and len(self.found.asks) < MOST_ASKS:
            self.found.asks.append((what, about))

    # -------------------------------------------------------------- numbers
    def _numbers(self, said: str) -> bool:
        if _NUMBERS.fullmatch(said.lower().rstrip(".,! ")):
            self._all_chosen(said)
            return True
        match = _CHOSEN.fullmatch(said)
        choice = self.form.by_number.get(int(match[1])) if match else None
        if not match or choice is None:
            return False
        key = _key(match[2])
        if any(_key(said).startswith(key) for said in (choice.text, choice.says) if said):
            self._add(choice.kind, choice.text)
            return True
        return False

    def _all_chosen(self, said: str) -> None:
        numbers = list(dict.fromkeys(map(int, _NUMBER.findall(said))))
        kinds = [c.kind for n in numbers if (c := self.form.by_number.get(n))]
        for kind in dict.fromkeys(kinds):
            if kinds.count(kind) > 1 and self.ruleset.kinds[kind].one_answer:
                self.found.wrong.append((said, "this question wants one answer: write one number"))
                return
        for number in map(int, _NUMBER.findall(said)):
            if choice := self.form.by_number.get(number):
                self._add(choice.kind, choice.text)
            else:
                told = f"there is no choice {number}"
                most = max([*self.form.by_number, *self.form.heads], default=0)
                told += f"; the choices go from 1 to {most}" if most else ""
                if head := self.form.heads.get(number):
                    told = f"this is {head}: write after the number where it goes"
                self.found.wrong.append((said, told))

    # -------------------------------------------------------------- lines in words
    def _order(self, said: str) -> bool:
        match = _KIND.fullmatch(said)
        kinds = {kind.lower(): kind for kind in self.ruleset.kinds}
        kinds |= {"stop": STOP} if self.ruleset.stops else {}
        if match and match[2].lower() in kinds:
            kind = kinds[match[2].lower()]
            return self._of_kind(kind, match[3], bool(match[1]) or kind == STOP)
        choice = self.exact.get(_key(said))
        if choice and not (choice.text == self._ending() and self.last):
            self._add(choice.kind, choice.text)
            return True
        if _key(said) in _ENDS and self._ends():
            return True
        if len(said) < _SHORTEST or said[0].isdecimal():
            return False
        kind = self._kind_of(said)
        if kind:
            self._add(kind, said)
        return bool(kind)

    def _of_kind(self, kind: str, said: str, always: bool) -> bool:
        """Read `food: carnivore 1` or `food: 3`, or several with commas or semicolons."""
        if not always and _NUMBERS.fullmatch(said.lower().rstrip(".,! ")):
            self._all_chosen(said)
            return True
        parts = [part.strip(_WRAPS) for part in re.split(r";|\",\s*\"", said)]
        for part in filter(None, parts):
            self._add(kind, part, always)
        return any(parts)

    def _ending(self) -> str:
        kind = self.ruleset.kinds.get(self.last)
        return kind.ends if kind and kind.script else ""

    def _ends(self) -> bool:
        scripts = [q.kind for q in self.form.asked if q.script]
        kind = self.last if self._ending() else next(iter(scripts), "")
        if not kind:
            return False
        self._add(kind, self.ruleset.kinds[kind].ends)
        return True

    def _kind_of(self, said: str) -> str:
        kinds = list(dict.fromkeys([*self.form.kinds(), *self.ruleset.kinds]))
        for kind in kinds:
            if exact_line(self.ruleset, kind, said, self.view.names):
                return kind
        for kind in kinds:
            choices = [*self.form.of(kind), *(c for c in self._after_lines() if c.kind == kind)]
            options = [self._sentence(choice.text) for choice in choices]
            fits = self.wording.read(said, options)
            forms = {self.ruleset.forms.read(option)[0] for option in options} - {""}
            if any(one in options or self._has_form(one, forms) for one in fits):
                return kind
        for kind in kinds:
            if begun_lines(self.ruleset, kind, said):
                return kind
        return ""

    def _has_form(self, sentence: str, forms: set[str]) -> bool:
        """Return whether a sentence has one of these forms, with pieces that may exist: `dinner at
        8` attacks nothing."""
        form, fields = self.ruleset.forms.read(sentence)
        pieces = [value for name, value in fields.items() if name in ("sp", "who")]
        return form in forms and all(re.fullmatch(r"[a-p](?:\d+|\*)", one) for one in pieces)

    def _add(self, kind: str, text: str, always: bool = False) -> None:
        row = Row(kind, spaced(bare(text)), always)
        if not always and kind in self.ruleset.kinds and self.ruleset.kinds[kind].one_answer:
            lines = self.found.lines  # who chooses again replaces the answer
            self.found.lines = [one for one in lines if (one.kind, one.always) != (kind, False)]
        self.found.lines.append(row)
        self.free.settle([c for c in self.form.of(kind) if c.text == row.text])
        self.settled = len(self.found.rest)
        self.last = kind if not always else self.last

    def _sentence(self, text: str) -> str:
        """Return a choice as the game spells it: `[long_neck 3] on b1`."""
        if text not in self.spelled:
            meant = self.wording.read(text)
            self.spelled[text] = meant[0] if len(meant) == 1 else text
        return self.spelled[text]

    def _after_lines(self) -> list[Choice]:
        """A line such as `2` may make a new piece that the next line names."""
        lines = [row for row in self.found.lines if not row.always]
        if lines and self._after[0] != len(lines) <= MOST_STEPS:
            draft = check_rows(self.view, lines)
            checker = LineChecker(self.view.table, self.view.seat, draft.lines)
            known = {(choice.kind, choice.text) for choice in self.form.choices()}
            found: list[Choice] = []
            for kind in dict.fromkeys(line.kind for line in draft.lines):
                new = [spaced(bare(option)) for option in checker.next_steps(kind)]
                found += [Choice(kind, text) for text in new if (kind, text) not in known]
            self._after = len(lines), found
        return self._after[1] if lines else []

    # -------------------------------------------------------------- lines in free words
    def _not_read(self, line: str) -> None:
        if mentions_conceding(line):
            self._asks_to_concede()
        elif _is_broken(line):
            self.held = line
        else:
            self._freely(line)

    def _freely(self, line: str) -> None:
        signed = (self.view.names[self.view.seat].lower(), self.view.referee.lower())
        if is_courtesy(line) or len(line) <= 2 or line.lower() in signed:
            return
        if len(line) > 4 * _LONGEST:
            self.found.rest.append(line)
            return
        self.read_freely += len(line)
        by_text = {(choice.kind, choice.text): choice for choice in self.form.choices()}
        texts = [(row.kind, row.text) for row in self.found.lines]
        chosen = [by_text[one] for one in texts if one in by_text]
        free = self.free.read(line, chosen, self._after_lines())
        if free.replaces:
            self.found.lines.clear()
            self.found.guessed.clear()
        self.found.rest += free.rest[: free.settled]
        for choice in free.chosen:
            self._add(choice.kind, choice.text)
        if free.chosen:
            told = "; ".join(choice.says or choice.text for choice in free.chosen)
            self.found.guessed.append((line, told))
        elif free.ends and not self._ending():
            if self._ends():
                self.found.guessed.append((line, self.found.lines[-1].text))
            else:
                self.found.rest.append(line)
        self.found.rest += free.rest[free.settled :]

    def _meant_perhaps(self, line: str) -> str:
        close = get_close_matches(_key(line), list(self.exact), 3, 0.6)
        found = dict.fromkeys(self.exact[key] for key in close)
        told = ", or ".join(f"{c.number}: {c.says or c.text}" for c in found if c.number)
        return f"; did you mean {told}?" if told else ""


def _is_broken(line: str) -> bool:
    return _BROKEN_FROM <= len(line) <= _BROKEN_TO and line[-1] not in ".!?:;"


def _key(text: str) -> str:
    """Return a text in the form used to compare texts: lower case, single spaces, no punctuation at
    the ends."""
    return " ".join(spaced(text).lower().replace("-", " ").split()).strip(_WRAPS)


# ---- A draft from the lines of a reply and those written before it


def draft_with_earlier(
    view: View, found: Understood, base: Sequence[Line]
) -> tuple[Draft, list[str]]:
    """Join a reply's orders with the earlier lines that still fit, as a checked draft.

    Also returns the kinds whose earlier lines no longer fit and were left out. If the reply itself
    is wrong, the draft has its errors.
    """
    whole = drafted(view, found, base)
    if not whole.errors:
        return whole, []
    standing = [line for line in base if line.always]
    kept = drafted(view, found, standing)
    if kept.errors:
        return whole, []  # the reply itself is wrong
    written = {row.kind for row in found.lines if not row.always}
    dropped: list[str] = []
    lines = list(standing)
    for kind in dict.fromkeys(line.kind for line in base if not line.always):
        more = [*lines, *(line for line in base if line.kind == kind and not line.always)]
        tried = drafted(view, found, more)
        if not tried.errors:
            kept, lines = tried, more
        elif kind not in written:
            dropped.append(kind)
    return kept, dropped


def drafted(view: View, found: Understood, base: Sequence[Line]) -> Draft:
    """Return a reply's orders as a checked draft; for each kind in the reply, they replace the
    lines in `base`. A list of steps in the reply is ended wherever it may end."""
    written = {(row.kind, row.always) for row in found.lines}
    kept = [] if found.start_over else list(base)
    kept = [line for line in kept if (line.kind, line.always) not in written]
    rows = [Row(line.kind, spaced(bare(line.text)), line.always) for line in kept] + found.lines
    draft = check_rows(view, rows)
    ends = missing_ends(view, draft, {kind for kind, always in written if not always})
    ends = [one for one in ends if one.is_whole or one.end == DONE]  # nobody passes for a player
    return with_ends(view, draft, ends) if ends and not draft.errors else draft


def problems(draft: Draft) -> list[tuple[str, str]]:
    """Return what is wrong with a draft, in words: what, and how to fix it."""
    return [(note.what, "" if "pbem " in note.hint else note.hint) for note in draft.errors]
