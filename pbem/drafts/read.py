"""Read an order file: its lines as sentences of the game, and where each problem is."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, NamedTuple

from engine import DONE, SKIP, STOP, Forms, Line, Ruleset, Unreadable, bare, shape_of
from engine.values import Mutable
from pbem.judge.lines import (
    NO_REASON,
    UNFIT,
    LineChecker,
    Problem,
    decisions_by_kind,
    hint_of_legal,
    write_line,
)
from pbem.judge.view import View
from pbem.records.schema import MAX_LINES, why_orders_too_long
from pbem.terminal.tell import Teller, spaced
from pbem.terminal.terminal import clean
from pbem.text.encodings import as_utf8
from pbem.text.handwritten_toml import MAX_TEXT, Overlong, loads
from pbem.text.names import unusual_name, unusual_names
from pbem.text.phrases import LEAST_HARMFUL_CHOICE

# ---- TOML that people write

_QUOTES = "“”„‟«»‘’"
_LINE = 'orders go in a list: feed = ["…"]; a comment begins with #'
_PLAIN = (
    ("Cannot overwrite", "this name is in the file twice", "put all its lines into one list"),
    ("Cannot declare", "this table is in the file twice", "put all its lines into one"),
    (
        "Unclosed array",
        "there is a mistake in this list",
        "a comma is missing between two lines, or the ] after the last one",
    ),
    (
        "Illegal character '\\n'",
        "the closing quote of this line is missing",
        'a line of orders begins and ends with a quote: "…"',
    ),
    (
        "Unterminated string",
        "the closing quote is missing",
        'a line of orders begins and ends with a quote: "…"',
    ),
    ("Expected '='", "an = is missing here", _LINE),
    (
        "Invalid value",
        "text in quotes is missing here",
        "put each line of orders in quotes, with a comma after it",
    ),
    (
        "Expected newline",
        "the line should end here",
        "delete the rest of the line, or begin it with #",
    ),
    ("Invalid statement", "a word and an = are missing here", _LINE),
)


class Broken(ValueError):
    """A text that is not TOML: what is wrong, how to fix it, and where, if known."""

    def __init__(self, what: str, hint: str, place: tuple[int, int] | None) -> None:
        super().__init__(what)
        self.what, self.hint, self.place = what, hint, place


def parse(text: str) -> dict[str, Any]:
    """Parse the text into plain data. Raises Broken."""
    try:
        return loads(text)
    except Overlong as error:
        told, hint = f"not readable: {error.reason}", "write only lists of strings"
        raise _strange(text, error.position) or Broken(told, hint, error.position) from None
    except ValueError as error:
        raise _broken(text, str(error)) from None


def _strange(text: str, place: tuple[int, int] | None) -> Broken | None:
    line = text.split("\n")[place[0] - 1] if place else ""
    if place and (name := unusual_name(line[place[1] - 1 : place[1]])):
        told = f"not readable: there is {name} here"
        return Broken(told, "replace it with a plain character", place)
    return None


def _broken(text: str, said: str) -> Broken:
    found = re.search(r"\(at line (\d+), column (\d+)\)", said)
    place = (int(found[1]), int(found[2])) if found else None
    line = text.split("\n")[place[0] - 1] if place else ""
    if place and any(quote in line for quote in _QUOTES):
        column = 1 + next(n for n, character in enumerate(line) if character in _QUOTES)
        told = "these are curly quotes, as word processors make them"
        return Broken(f"not readable: {told}", 'use straight quotes: "…"', (place[0], column))
    if broken := _strange(text, place):
        return broken
    for sign, plain, hint in _PLAIN:
        if said.startswith(sign):
            end = line[place[1] - 1 : place[1]] if place and sign == "Expected newline" else ""
            if end in (",", ";"):
                after = "a list has no comma after its ]" if end == "," else "no line ends with a ;"
                return Broken(f"not readable: {plain}", f"delete the {end} here: {after}", place)
            return Broken(f"not readable: {plain}", hint, place)
    what = re.sub(r" \(at .*\)", "", said)
    return Broken(f"not readable as TOML: {what[:1].lower()}{what[1:]}", "", place)


# ---- The one sentence of the game that a text means

_LOOSE = str.maketrans("_-", "  ")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"))
"""Dashes that programs write instead of a hyphen or a minus."""


class Wording:
    """Finds what people mean, in the words of one ruleset.

    Case, spaces and brackets do not matter, nor which name of a card comes first. Words may be
    cut short, or left out if only one option has the others in this order.
    """

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self._ruleset, self._forms = ruleset, ruleset.forms
        templates = {name: bare(t) for name, t in ruleset.forms.templates.items()}
        self._bare = Forms(**templates)
        self._cards = frozenset(card for deck in ruleset.decks.values() for card in deck)
        self._spelled = _spelled(ruleset.vocabulary)
        self._turned = _turned(self._cards)

    def tidy(self, text: str) -> str:
        """Return the text in lower case and with single spaces.

        Each card is spelt as the game spells it, and brackets around numbers are removed.
        """
        text = " ".join(text.lower().translate(_DASHES).split())
        text = re.sub(r"(?<=[a-z]) ?\((-?\d{1,3})\)", r" \1", text)
        text = re.sub(r"\s*/\s*", "/", re.sub(r"\s*([:,;])\s*", r"\1 ", text)).strip()
        loose = text.translate(_LOOSE)
        for name, spelled in self._spelled.items():
            if name in loose:
                text = re.sub(rf"\b{name.replace(' ', '[ _-]')}\b", spelled, text)
        if "/" in text:
            for turned, card in self._turned.items():
                text = re.sub(rf"(?<![\w/]){turned}(?![\w/])", card, text)
        return text

    def names_beside(self, text: str, options: Sequence[str]) -> list[str]:
        """Return the names of cards and pieces in a text that none of the options has."""
        tidy = self.tidy(text[:200])
        pieces = re.findall(r"\b[a-z]\d{1,2}\b", tidy)
        cards = {x for card in self._cards for x in re.split(r" -?\d", card)[0].split("/")}
        named = [name for name in sorted(cards) if re.search(rf"\b{name}\b", tidy)]
        said = [{*re.split(r"[^a-z0-9_]+", option)} for option in options]
        return [spaced(x) for x in [*named, *pieces] if said and not any(x in one for one in said)]

    def read(self, text: str, options: Sequence[str] = (), standing: bool = False) -> Sequence[str]:
        """Return the sentences that the text can mean: options, else sentences of the game's forms.
        It is clear if there is only one.

        A card that is not among the options means the card that begins with this text. In a
        `standing` line, which can be used with other cards later, a card means only itself.
        """
        tidy = self.tidy(text)
        if "*" not in tidy and options:
            named = {bare(option): option for option in options}
            if option := named.get(bare(tidy)):
                return [option]
        if sentence := self._by_form(tidy):
            longer = [] if standing else self._longer(sentence, options)
            return longer or [sentence]
        close = list(dict.fromkeys(o for o in options if _within(bare(tidy), bare(o))))
        if len(close) > 1:
            whole = [o for o in close if bare(o).endswith(f" {bare(tidy)}")]
            return whole if len(whole) == 1 else close
        return close or self._by_cut_form(bare(tidy))

    def _longer(self, sentence: str, options: Sequence[str]) -> list[str]:
        """Return the options with a longer card: `horns 4 sun` for `horns 4`."""
        form, fields = self._forms.parse(sentence)
        if fields.get("card", "*") == "*":
            return []
        longer = []
        for option in dict.fromkeys(options):
            other, said = self._ruleset.forms.read(option)
            same = form == other and {**said, "card": ""} == {**fields, "card": ""}
            if same and said["card"].startswith(f"{fields['card']} "):
                longer.append(option)
        return longer

    def _by_cut_form(self, text: str) -> list[str]:
        sentences = []
        for name, (pattern, fields) in _cut_forms(tuple(self._bare.templates.items())).items():
            if match := pattern.fullmatch(text):
                said = dict(zip(fields, match.groups(), strict=True))
                sentences.append(self._by_form(self._forms.say(name, **said)))
        return list(filter(None, sentences))

    def _by_form(self, text: str) -> str:
        for forms, words in ((self._forms, text), (self._bare, bare(text))):
            try:
                name, fields = forms.parse(words)
            except Unreadable:
                continue
            cards = [value for field, value in fields.items() if field.startswith("card")]
            if all(card == "*" or card in self._cards for card in cards):
                return self._forms.say(name, **fields)
        return ""


def _within(words: str, option: str) -> bool:
    """A word may be cut short, but a name or a number may not: a1 is never a12."""
    rest = iter(re.findall(r"[^\s:,/_]+", option))
    wanted = re.findall(r"[^\s:,/_]+", words)
    return bool(re.search("[a-z]", words)) and all(
        any(have == want if want[-1].isdigit() else have.startswith(want) for have in rest)
        for want in wanted
    )


@lru_cache(8)
def _spelled(vocabulary: frozenset[str]) -> dict[str, str]:
    names = {re.split(r" -?\d", card)[0] for card in vocabulary}
    parts = {part for name in names for part in name.split("/") if "_" in part}
    longest = sorted(parts, key=lambda part: (-len(part), part))
    return {part.translate(_LOOSE): part for part in longest}


@lru_cache(8)
def _turned(cards: frozenset[str]) -> dict[str, str]:
    """People may write either name of a card with two names first."""
    pairs = {"/".join(reversed(card.split("/"))): card for card in cards if "/" in card}
    return {turned: card for turned, card in pairs.items() if turned not in cards}


@lru_cache(8)
def _cut_forms(
    templates: tuple[tuple[str, str], ...],
) -> dict[str, tuple[re.Pattern[str], tuple[str, ...]]]:
    forms = {}
    for name, template in templates:
        shapes = map(_shape, re.findall(r"{\w+}|[a-z]+|[^a-z{]+", template))
        forms[name] = re.compile("".join(shapes)), tuple(re.findall(r"{(\w+)}", template))
    return forms


def _shape(part: str) -> str:
    if part.startswith("{"):
        return rf"({shape_of(part[1:-1])})"
    if not part.isalpha():
        return re.escape(part)
    return part[0] + "".join(f"(?:{letter}" for letter in part[1:]) + ")?" * (len(part) - 1)


# ---- Ready lines, such as `never attack Bo`

LEAST_WORDS = 2
"""After how many words a ready line may be cut short, if only one line begins like that."""


def exact_line(ruleset: Ruleset[Any], kind: str, text: str, names: Mapping[str, str]) -> str:
    """Return the ready line that the text is, with letters for players' names; else empty."""
    said = _plain(text)
    if said == SKIP and ruleset.kinds[kind].script:
        return SKIP
    ends = {end: seat for seat, name in names.items() if said.endswith(f" {(end := _plain(name))}")}
    for tried in (said, *(f"{said.removesuffix(end)}{seat}" for end, seat in ends.items())):
        if ruleset.ready_lines.read(kind, tried):
            return tried
    return ""


def begun_lines(ruleset: Ruleset[Any], kind: str, text: str) -> list[str]:
    """Return the ready lines that begin with this text, if the text has enough words."""
    said = _plain(text)
    if len(said.split(" ")) < LEAST_WORDS:
        return []
    lines = [SKIP] if ruleset.kinds[kind].script else []
    lines += [x.sentence for x in ruleset.ready_lines.lines_of(kind) if "{" not in x.sentence]
    return [line for line in lines if line.startswith(said)]


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("_", " ").split()).rstrip(".")


# ---- The line and column of each key and string

TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>"{3}(?:[^\\]|\\.)*?"{3,5}|'{3}.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')
    |(?P<table>^[ \t]*\[[ \t]*(?P<name>[A-Za-z0-9_-]+)[ \t]*\])
    |(?P<key>^[ \t]*(?P<word>[A-Za-z0-9_-]+)[ \t]*=)
    |(?P<other>.)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
"""The pattern of one token of a TOML file, as far as order files need it."""


class Spot(NamedTuple):
    """A position in the file: line and column count from 1; `width` is in characters."""

    line: int
    column: int
    width: int
    source: str
    """The whole line."""


class Places:
    """The positions of a file's keys and strings.

    tomllib reads the file; this goes through its tokens and skips what it does not understand.
    """

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self.keys: dict[tuple[str, str], Spot] = {}
        self.strings: dict[tuple[str, str], list[Spot]] = {}
        self.values: dict[tuple[str, str], _Value] = {}
        table = key = ""
        line, start = 1, 0
        for token in TOKEN.finditer(text):
            at = token.start()
            if token["table"]:
                table, key = token["name"], ""
            elif token["key"]:
                key = token["word"]
                self.keys[table, key] = self._spot(line, at - start, token["key"])
                self.values[table, key] = _Value()
            else:
                if token["string"]:
                    spot = self._spot(line, at - start, token["string"])
                    self.strings.setdefault((table, key), []).append(spot)
                if (value := self.values.get((table, key))) and not value.end:
                    value.take(token)
            if newlines := token[0].count("\n"):
                line += newlines
                start = token.start() + token[0].rfind("\n") + 1

    def key(self, table: str, key: str) -> Spot | None:
        """Find the position of the key (`table` is empty at the top level)."""
        return self.keys.get((table, key))

    def string(self, table: str, key: str, index: int) -> Spot | None:
        """Find the position of the key's string with this index, else that of the key."""
        found = self.strings.get((table, key), [])
        return found[index] if index < len(found) else self.key(table, key)

    def spelt(self, table: str, kind: str) -> str:
        """Return the kind as the file spells it: capitals do not matter."""
        return next((key for at, key in self.keys if at == table and key.lower() == kind), kind)

    @property
    def end(self) -> Spot:
        """Return the end of the last line that is not blank."""
        last = max((n for n, line in enumerate(self._lines, 1) if line.strip()), default=1)
        return self.at(last, len(self._lines[last - 1]) + 1)

    def at(self, line: int, column: int, width: int = 1) -> Spot:
        """Return the position at this line and column."""
        source = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        return Spot(line, column, width, source)

    def _spot(self, line: int, offset: int, token: str) -> Spot:
        bare = token.lstrip()
        column = offset + len(token) - len(bare) + 1
        bare = bare.split("\n")[0]
        return Spot(line, column, len(bare.rstrip(" \t=")), self._lines[line - 1])


class _Value(Mutable):
    """The value of a key: where it is in the file, and how its lines are spelt there."""

    begin: int = 0
    end: int = 0
    """Where the value ends; 0 before its end was found."""
    strings: list[tuple[str, str]] = field(default_factory=list)
    """Each string as it is spelt, and the comment beside it."""
    comments: list[str] = field(default_factory=list)
    """The comments that have a line to themselves."""
    _depth: int = 0
    _same_line: bool = False

    def take(self, token: re.Match[str]) -> None:
        said = token[0]
        if token["string"]:
            self.strings.append((said, ""))
        elif token["comment"] and self._same_line:
            self.strings[-1] = (self.strings[-1][0], said)
        elif token["comment"]:
            self.comments.append(said)
        self._same_line = said != "\n" and (self._same_line or bool(token["string"]))
        self._depth += {"[": 1, "]": -1}.get(said, 0)
        if not said.isspace():
            self.begin = self.begin or token.start()
            self.end = 0 if self._depth else token.end()

    def with_lines(self, lines: Sequence[str]) -> str:
        """Write the value with these lines; the comments stay."""
        known = {parse(f"x = {said}")["x"]: (said, beside) for said, beside in self.strings}
        # TOML allows no DEL, which JSON does
        new = {x: json.dumps(x, ensure_ascii=False).replace("\x7f", "\\u007f") for x in lines}
        found = [known.get(line) or (new[line], "") for line in lines]
        comments = [*self.comments, *(beside for _, beside in found if beside)]
        if not comments and sum(len(said) for said, _ in found) < _SHORT:
            return f"[{', '.join(said for said, _ in found)}]"
        rows = [f"    {said},{f'   {beside}' if beside else ''}" for said, beside in found]
        return "\n".join(["[", *rows, *(f"    {one}" for one in self.comments), "]"])


_SHORT = 60
"""Lines with fewer characters stay in one row of the file."""


# ---- Change the lines of one kind in an order file

ALWAYS = "always"


def with_lines(text: str, kind: str, always: bool, lines: Sequence[str]) -> str:
    """Return the order file with other lines of one kind; all else stays. Raises Broken."""
    parse(text)
    table, places = ALWAYS if always else "", Places(text)
    value = places.values.get((table, places.spelt(table, kind)))
    if value is not None:
        return f"{text[: value.begin]}{value.with_lines(lines)}{text[value.end :]}"
    line = f"{kind} = {_Value().with_lines(lines)}\n"
    head = re.search(rf"^[ \t]*\[[ \t]*{ALWAYS}[ \t]*\][^\n]*(?:\n|\Z)", text, re.MULTILINE)
    whole = text if text.endswith("\n") or not text else f"{text}\n"
    if head is None:
        return f"{whole}\n[{ALWAYS}]\n{line}" if always else f"{whole}\n{line}"
    if always:
        end = "" if head[0].endswith("\n") else "\n"
        return f"{text[: head.end()]}{end}{line}{text[head.end() :]}"
    return f"{text[: head.start()]}{line}\n{text[head.start() :]}"


# ---- Rows: order lines as somebody wrote them, in a file, by numbers, by clicks or in a mail

MOST_WRONG = 20
"""After how many unreadable lines and unknown kinds pbem stops reading."""
MOST_LETTERS = 1000
"""The most characters that a person may write in one line; sealed lines have at most 200."""


class Note(NamedTuple):
    """A problem with orders, with its position if they are in a file."""

    code: str
    level: str
    what: str
    hint: str = ""
    spot: Spot | None = None


class Row(Mutable):
    """One order line as somebody wrote it, and what became of it."""

    kind: str
    text: str
    always: bool = False
    spot: Spot | None = None
    line: Line | None = None
    """What will be sealed; None if the text was not checked or cannot be read."""
    notes: list[Note] = field(default_factory=list)

    @property
    def sealed(self) -> str:
        """The line as it will be sealed; empty if there is none."""
        return write_line(self.line) if self.line else ""

    @property
    def wrong(self) -> list[Note]:
        """The problems that prevent the line from being sealed."""
        return [note for note in self.notes if note.level == "error"]


class Draft:
    """Rows that were checked, and what is wrong with them."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows = list(rows)
        self.others: list[Note] = []
        """The problems that are not about one row."""
        self.open: dict[str, Note] = {}
        """The warnings about questions that no row answers, by their kinds."""
        self.left: list[str] = []
        """The kinds of decision that are asked now, but that the rows do not answer completely."""

    @property
    def lines(self) -> list[Line]:
        """The lines that can be read."""
        return [row.line for row in self.rows if row.line is not None]

    @property
    def notes(self) -> list[Note]:
        """All problems, in the order of the file."""
        found = [*self.open.values(), *self.others, *(n for row in self.rows for n in row.notes)]
        return sorted(found, key=lambda n: (n.spot.line, n.spot.column) if n.spot else (0, 0))

    @property
    def errors(self) -> list[Note]:
        """The problems that prevent the draft from being sealed."""
        return [note for note in self.notes if note.level == "error"]

    @property
    def texts(self) -> list[str]:
        """The lines as they will be sealed."""
        return [write_line(line) for line in self.lines]

    @property
    def stale(self) -> bool:
        """Whether the draft is for a different turn or game from the view's."""
        return any(note.code in ("PBEM-ORD-010", "PBEM-ORD-011") for note in self.others)

    def of(self, kind: str, always: bool) -> list[Row]:
        """Return the rows of one kind."""
        return [row for row in self.rows if (row.kind, row.always) == (kind, always)]

    def add(self, code: int, what: str, hint: str, spot: Spot | None) -> None:
        """Note an error that is not about one row."""
        self.others.append(Note(f"PBEM-ORD-{code:03}", "error", what, hint, spot))

    @property
    def unknown(self) -> int:
        """How many kinds in the file are unknown."""
        return sum(note.code == "PBEM-ORD-002" for note in self.others)

    def too_much(self, end: Spot | None) -> None:
        """Note that too much is wrong to read on."""
        told = f"more than {MOST_WRONG} lines are wrong, so pbem did not read the rest"
        if all(note.what != told for note in self.others):
            self.add(2, told, "fix these first, then check again", end)


def check_rows(view: View, rows: Iterable[Row]) -> Draft:
    """Find what each row means, and check all of them as the referee will.

    The draft has copies of the rows, in the order of an order file: by kinds, standing orders last.
    """
    draft = Draft(Row(row.kind, row.text, row.always, row.spot) for row in rows)
    groups = list(dict.fromkeys((row.kind, row.always) for row in draft.rows))
    draft.rows.sort(key=lambda row: (row.always, groups.index((row.kind, row.always))))
    _Checking(view, draft).run()
    return draft


class _Checking:
    """Finds the sentence that each row of a draft means, and what is wrong with all of them."""

    def __init__(
        self, view: View, draft: Draft, troubled: Collection[str] = (), end: Spot | None = None
    ) -> None:
        """`troubled` are kinds with problems already known; `end` is the end of the file."""
        self.view, self.draft, self.end = view, draft, end
        self.ruleset = view.play.ruleset
        self.wording = Wording(self.ruleset)
        self.teller = Teller(self.ruleset, view.names)
        self.troubled = set(troubled)
        self.asked = decisions_by_kind(view.table, view.seat)
        self.lines: list[Line] = []
        """The lines that could be read so far."""

    def run(self) -> None:
        draft, view = self.draft, self.view
        wrong = draft.unknown
        for row in draft.rows:
            if wrong >= MOST_WRONG:
                draft.too_much(self.end)
                break
            if len(self.lines) >= MAX_LINES:
                self._too_long(f"more than {MAX_LINES} lines", row.spot)
                break
            options = self._options(row)
            meant = self._meant(row, options) if len(row.text) <= MOST_LETTERS else []
            if len(meant) == 1:
                row.line = Line(len(self.lines) + 1, row.kind, meant[0], row.always)
                self.lines.append(row.line)
            else:
                row.notes.append(self._unreadable(row, meant, options))
                self.troubled.add(row.kind)
            wrong += row.line is None
        if what := why_orders_too_long(draft.texts):
            self._too_long(what, self.end)
        lines, readable = self.lines, [row for row in draft.rows if row.line is not None]
        checker = LineChecker(view.table, view.seat, lines)
        draft.left = checker.unanswered()
        for problem in self._plainly(checker.run()):
            told, hint = spaced(bare(problem.sentence)), spaced(problem.hint)
            if problem.line:
                row = readable[problem.line - 1]
                told = f'"{spaced(bare(lines[problem.line - 1].text))}": {told}'
                row.notes.append(Note(problem.code, problem.level, told, hint, row.spot))
            else:
                draft.open[problem.kind] = Note(problem.code, problem.level, told, hint)

    def _too_long(self, what: str, spot: Spot | None) -> None:
        if all(note.code != "PBEM-ORD-025" for note in self.draft.others):
            hint = "leave some out; one line with * can replace many"
            self.draft.add(25, what, hint, spot)

    # -------------------------------------------------------------- what a row means
    def _meant(self, row: Row, options: list[str]) -> Sequence[str]:
        if row.kind == STOP:
            stop = re.sub(r"^(stop )?when ", "", _plain(row.text))
            return [stop] if self.ruleset.stop_lines.read(stop) else []
        if ready := exact_line(self.ruleset, row.kind, row.text, self.view.names):
            return [ready]
        meant = self.wording.read(row.text, options, standing=row.always)
        if len(meant) == 1:
            return meant
        first = self._first_steps(row)
        return (
            begun_lines(self.ruleset, row.kind, row.text)
            or meant
            or self._as_told(row.text, options)
            or self.wording.read(row.text, first)
            or self._as_told(row.text, first)
        )

    def _first_steps(self, row: Row) -> list[str]:
        """Return the steps that the list could begin with: one that is not possible after the
        others gets the reason."""
        if row.always or not self.ruleset.kinds[row.kind].script:
            return []
        return LineChecker(self.view.table, self.view.seat, []).next_steps(row.kind)

    def _as_told(self, text: str, options: Sequence[str]) -> list[str]:
        """Return the options that a menu shows with these words, whatever it calls a new piece."""
        words = re.sub(r"(\bnew [a-z]+) [a-z]\d+\b", r"\1", _plain(text))
        return [one for one in options if _plain(self.teller.order(one)) == words]

    def _options(self, row: Row) -> list[str]:
        asked, kind = self.asked.get(row.kind), self.ruleset.kinds.get(row.kind)
        if kind is not None and kind.script and not row.always:
            before = LineChecker(self.view.table, self.view.seat, self.lines)
            if before.script(row.kind):
                return before.next_steps(row.kind)
        return asked.option_list() if asked is not None and not asked.script else []

    def _unreadable(self, row: Row, candidates: Sequence[str], options: Sequence[str]) -> Note:
        shown = row.text if len(row.text) <= 80 else f"{row.text[:77]}…"
        what = f'"{shown}" is not an order that this game understands'
        if row.kind == STOP:
            what = f'"{shown}" is not a stop: standing orders cannot stop at it'
        if candidates:
            what = f'"{shown}" can mean several things'
        elif names := unusual_names(row.text):
            what = f"{what}: there is {names} in it"
        elif "*" in row.text and not self._shaped(row.text):
            what = f"{what}: * stands for a name, such as a1, and never for a card"
        elif missing := self.wording.names_beside(row.text, options):
            what = f"{what}: no choice that you have now has {missing[0]} in it"
        close = candidates
        if not close:
            from difflib import get_close_matches

            known = {bare(option): option for option in options}
            tidy = self.wording.tidy(row.text[:200])
            close = [known[option] for option in get_close_matches(tidy, list(known), 5, 0.6)]
        hint = f"did you mean: {', '.join(quoted(close[:5]))}?" if close else ""
        hint = hint or hint_of_legal(options, row.text) or self._shaped(row.text)
        return Note("PBEM-ORD-020", "error", what, spaced(hint), row.spot)

    def _shaped(self, text: str) -> str:
        templates = self.ruleset.forms.templates.values()
        shapes = dict.fromkeys(re.sub(r"\{\w+\}", "…", template) for template in templates)
        said = [shape for shape in shapes if {*text.lower().split()} & {*shape.split()}]
        return f"write it like this: {', '.join(quoted(said[:3]))}" if said else ""

    # -------------------------------------------------------------- reasons that help
    def _plainly(self, problems: Sequence[Problem]) -> Iterator[Problem]:
        lines = self.lines
        broken = {lines[p.line - 1].kind for p in problems if p.line and p.level == "error"}
        broken |= self.troubled
        for problem in problems:
            if problem.code == OPEN:
                if problem.kind not in broken:
                    # no deadline runs before others see the turn
                    timed = self.view.deadline and not self.view.preview
                    told = DEFAULTED if timed else "the game will wait for you"
                    yield problem._replace(sentence=f"{problem.sentence}: {told}")
            elif problem.code != UNENDED or lines[problem.line - 1].kind not in broken:
                yield self._helpful(problem, lines[problem.line - 1])

    def _helpful(self, problem: Problem, line: Line) -> Problem:
        kinds, checker = self.ruleset.kinds, LineChecker(self.view.table, self.view.seat, [line])
        if problem.code == UNREACHED and checker.is_single_answer(line.kind):
            # the referee does not use a list that is one answer and goes on after its end
            end = kinds[line.kind].ends
            told = f'comes after "{end}", which must be the last line of the list'
            hint = f'move "{end}" to the end of the list, or put a # before this line'
            return Problem(ILLEGAL, "error", problem.line, told, hint)
        if problem.code not in (ILLEGAL, UNFIT):
            return problem
        if problem.code == ILLEGAL and line.text != DONE:
            script = checker.script(line.kind)
            if script is not None and line.text in script.option_list([]):
                return problem._replace(sentence=f"after your other lines: {problem.sentence}")
        form = self.ruleset.forms.read(line.text)[0]
        strays = form and bare(line.text) != DONE and form not in self._forms_now(line.kind)
        if strays and (other := next((k for k in kinds if form in self._forms_now(k)), "")):
            return problem._replace(sentence=f"this line belongs in {other}, not in {line.kind}")
        if problem.code == UNFIT and (
            "*" in line.text or problem.sentence.endswith(f": {NO_REASON}")
        ):
            return problem._replace(sentence="does not match any of the choices that you have now")
        return problem

    def _forms_now(self, kind: str) -> set[str]:
        script = LineChecker(self.view.table, self.view.seat, []).script(kind)
        asked = self.asked.get(kind)
        options = script.option_list([]) if script else asked.option_list() if asked else []
        return {self.ruleset.forms.read(option)[0] for option in options} - {""}


OPEN = "PBEM-ORD-032"
ILLEGAL = "PBEM-ORD-021"
UNREACHED = "PBEM-ORD-031"
UNENDED = "PBEM-ORD-033"
DEFAULTED = f"at the deadline, pbem makes {LEAST_HARMFUL_CHOICE} for you"


class MissingEnd(NamedTuple):
    """The end that a list of steps lacks, although the list may end there."""

    kind: str
    """The kind of decision that the list is for."""
    end: str
    """The line that would end the list."""
    is_whole: bool
    """Whether the list does not count without its end. If not, its steps are carried out, and then
    the seat is asked again."""

    @property
    def is_added(self) -> bool:
        """Whether sealing adds the end: not where it is a choice of the game, such as `pass`, nor
        where the list counts without it."""
        return self.is_whole and self.end == DONE

    @property
    def consequence(self) -> str:
        """What follows if the list stays as it is."""
        if self.is_whole:
            return f'the list of {self.kind} does not count until it ends with "{self.end}"'
        return f'the list of {self.kind} does not end with "{self.end}", so you are asked again'


def missing_ends(view: View, draft: Draft, kinds: Iterable[str]) -> list[MissingEnd]:
    """Return the ends that lists of these kinds lack, where the list may end."""
    checker, found = LineChecker(view.table, view.seat, draft.lines), list[MissingEnd]()
    for kind in kinds:
        end = view.play.ruleset.kinds[kind].ends if kind in view.play.ruleset.kinds else ""
        mine = [row.line.text for row in draft.of(kind, False) if row.line]
        if mine and end not in mine and end in checker.next_steps(kind):
            found.append(MissingEnd(kind, end, checker.is_single_answer(kind)))
    return found


def with_ends(view: View, draft: Draft, missing: Iterable[MissingEnd]) -> Draft:
    """Return the draft with these ends added to its lists."""
    return check_rows(view, [*draft.rows, *(Row(one.kind, one.end) for one in missing)])


def quoted(options: Sequence[str]) -> list[str]:
    """Write options as order files write them."""
    return [f'"{bare(option)}"' for option in options]


# ---- The order file

HEADER = ("game", "answers", "seat")


def read_draft(text: str, view: View) -> Draft:
    """Read an order file, and check its rows against the seat's own view."""
    return _File(text, view).draft


class _File:
    """Turns an order file into rows, each with its position, and checks them."""

    def __init__(self, text: str, view: View) -> None:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.view, self.places = view, Places(text[:MAX_TEXT])
        self.draft = Draft()
        self.troubled: set[str] = set()
        try:
            doc = parse(text)
        except Broken as broken:
            spot = self.places.at(*broken.place) if broken.place else self.places.end
            self.draft.add(1, broken.what, broken.hint, spot)
            return
        # the lines of another seat name that seat's cards and pieces
        of_other_seat = self._header(doc) != view.seat
        header = list(self.draft.others)
        always = doc.pop(ALWAYS, {})
        self._rows(doc, "")
        if isinstance(always, dict):
            self._rows(always, ALWAYS)
        else:
            self._note(3, "[always] must be a table", "write [always] on its own line", ALWAYS)
        if self.draft.stale or of_other_seat:
            self.draft.others = header
        else:
            _Checking(view, self.draft, self.troubled, self.places.end).run()

    def _header(self, doc: dict[str, Any]) -> str:
        view = self.view
        said = {}
        for key in HEADER:
            said[key] = value if isinstance(value := doc.pop(key, ""), str) else ""
            if not isinstance(value, str):
                hint = f'put it in quotes, as in {key} = "…"'
                self._note(3, f"{key} must be a string", hint, key)
        game, answers = said["game"].split(" ")[-1].lower(), said["answers"].strip().lower()
        seat = said["seat"].strip().lower() or view.seat
        if game and not (len(game) >= 6 and view.game.startswith(game)):
            what = f"these orders are for another game ({game[:64]}, not {view.game[:6]})"
            self._note(10, what, "go to that game's folder, or give its path with -C", "game")
        elif answers and answers != position(view):
            self._note(11, *self._outdated(answers), "answers")
        if seat != view.seat:
            hint = f'write seat = "{view.seat}", or leave it out'
            hint += f"; or add --as {seat}, if that seat is yours too" if seat in view.names else ""
            what = f"these orders are for seat {seat[:20]}; you are in seat {view.seat}"
            self._note(12, what, hint, "seat")
        return seat if seat in view.names else view.seat

    def _outdated(self, answers: str) -> tuple[str, str]:
        here = position(self.view)
        turn = answers.partition(":")[0]
        what = f"these orders answer turn {answers[:40]}; the game is at turn {here}"
        if turn.isdecimal() and len(turn) < 9 and int(turn) > self.view.turn:
            return what, f"turn {turn} is not here yet: let the folder sync, or `pbem receive` it"
        if turn == str(self.view.turn):
            told = f"the draft was written for a different version of turn {turn}"
            return what, f"{told}; `pbem orders` writes a new draft"
        return what, "`pbem orders` writes a draft for this turn; copy what you still want into it"

    def _rows(self, doc: dict[str, Any], table: str) -> None:
        ruleset = self.view.play.ruleset
        kinds = {kind.lower(): kind for kind in ruleset.kinds}
        kinds |= {STOP: STOP} if ruleset.stops else {}
        for key, value in doc.items():
            if self.draft.unknown >= MOST_WRONG:
                self.draft.too_much(self.places.end)
                return
            texts = [value] if isinstance(value, str) else value
            kind = kinds.get(key.lower())
            if kind is None:
                self._unknown_kind(key, list(kinds), table)
            elif isinstance(texts, list) and all(isinstance(text, str) for text in texts):
                self.draft.rows += [
                    Row(kind, text, bool(table), self.places.string(table, key, index))
                    for index, text in enumerate(texts)
                ]
            else:
                hint = f'write {kind} = ["one line", "another"]'
                self._note(3, f"{kind} must be a string, or a list of strings", hint, key, table)
                self.troubled.add(kind)

    def _unknown_kind(self, key: str, kinds: Sequence[str], table: str) -> None:
        from difflib import get_close_matches

        known = [*kinds, *(() if table else (*HEADER, ALWAYS))]
        close = get_close_matches(key.lower(), known, 1)
        hint = f"did you mean {close[0]}?" if close else f"the kinds are: {', '.join(kinds)}"
        self._note(2, f'"{key[:60]}" is not a kind of order in this game', hint, key, table)
        # the text may have been meant for any kind that is asked
        self.troubled |= decisions_by_kind(self.view.table, self.view.seat).keys()

    def _note(self, code: int, what: str, hint: str, key: str, table: str = "") -> None:
        self.draft.add(code, what, hint, self.places.key(table, key))


def answered(data: bytes, view: View) -> bool:
    """Return whether an order file answers the turn that is here, or names no turn."""
    try:
        doc = parse(as_utf8(data).decode())
    except ValueError:
        return True  # `check` says what is wrong with it
    return str(doc.get("answers", position(view))) == position(view)


def position(view: View) -> str:
    """Name the turn that orders answer, for people: its number and six digits of the head."""
    return f"{view.turn}:{view.published_head[:6]}"


# ---- Notes as text for people and as data for programs

MOST_BEFORE = 60
MOST_MARKED = 80


def note_lines(note: Note, name: str) -> list[str]:
    """Write a problem as lines of text: `file:12:3: error[CODE]: what`, the source line, a hint."""
    where = f"{name}:{note.spot.line}:{note.spot.column}" if note.spot else name
    lines = [f"{where}: {note.level}[{note.code}]: {clean(note.what)}"]
    if note.spot and note.spot.source.strip():
        source, begin = note.spot.source, note.spot.column - 1
        end = begin + note.spot.width
        before, marked, after = (
            clean(part.replace("\t", " "))
            for part in (source[:begin], source[begin:end], source[end:])
        )
        if len(before) > MOST_BEFORE:
            before = f"…{before[-MOST_BEFORE:]}"
        if len(marked) > MOST_MARKED:
            marked, after = marked[:MOST_MARKED], "…"
        if len(after) > MOST_MARKED:
            after = f"{after[:MOST_MARKED]}…"
        lines += [
            f"  {note.spot.line:3} | {before}{marked}{after}".rstrip(),
            f"      | {' ' * len(before)}{'^' * max(1, len(marked))}",
        ]
    if note.hint:
        lines.append(f"hint: {clean(note.hint)}")
    return lines


def note_data(note: Note) -> dict[str, Any]:
    """Return a problem as data for `--json`."""
    spot = note.spot
    return {
        "code": note.code,
        "level": note.level,
        "what": note.what,
        "hint": note.hint,
        "line": spot.line if spot else 0,
        "column": spot.column if spot else 0,
    }
