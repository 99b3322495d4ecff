"""Read an order file: its lines as sentences of the game, and where each problem is."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, NamedTuple

from engine import DONE, SKIP, STOP, Forms, Line, Ruleset, Unreadable, bare, reason_of, shape_of
from engine.value_classes import Mutable
from pbem.judge.game_view import View
from pbem.judge.order_line_checks import (
    UNFIT,
    LineChecker,
    Problem,
    decisions_by_kind,
    hint_of_legal,
    write_line,
)
from pbem.records.order_sheets import MAX_LINES, why_orders_too_long
from pbem.terminal.game_prose import Teller, spaced
from pbem.terminal.terminal import clean
from pbem.text.encodings import as_utf8
from pbem.text.handwritten_toml import MAX_TEXT, Overlong, loads
from pbem.text.names import unusual_name, unusual_names
from pbem.text.shared_phrases import LEAST_HARMFUL_CHOICE
from pbem.text.terminal_and_page_wording import TerminalText, to_type

# ---- TOML that people write

_QUOTES = "“”„‟«»‘’"
_LINE = 'orders go in a list: feed = ["…"]; a comment begins with #'
_TOML_ERRORS = (
    ("Cannot overwrite", "this name is in the file twice", "put all its lines into one list"),
    (
        "Cannot declare",
        "this table is in the file twice",
        "put all lines of the table into one table",
    ),
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

    def __init__(self, sentence: str, hint: str, position: tuple[int, int] | None) -> None:
        super().__init__(sentence)
        self.sentence, self.hint, self.position = sentence, hint, position


def parse(text: str) -> dict[str, Any]:
    """Parse the text into plain data. Raises Broken."""
    try:
        return loads(text)
    except Overlong as error:
        sentence, hint = f"not readable: {error.reason}", "write only lists of strings"
        raise _unusual_character_error(text, error.position) or Broken(
            sentence, hint, error.position
        ) from None
    except ValueError as error:
        raise _broken(text, str(error)) from None


def _unusual_character_error(text: str, position: tuple[int, int] | None) -> Broken | None:
    line = text.split("\n")[position[0] - 1] if position else ""
    if position and (name := unusual_name(line[position[1] - 1 : position[1]])):
        sentence = f"not readable: there is {name} here"
        return Broken(sentence, "replace it with a plain character", position)
    return None


def _broken(text: str, parser_message: str) -> Broken:
    """Return the error for a text that ``tomllib`` refuses with this message: in plain words, with
    a remedy and, if it is known, the position."""
    match = re.search(r"\(at line (\d+), column (\d+)\)", parser_message)
    position = (int(match[1]), int(match[2])) if match else None
    line = text.split("\n")[position[0] - 1] if position else ""
    if position and any(quote in line for quote in _QUOTES):
        column = 1 + next(n for n, character in enumerate(line) if character in _QUOTES)
        clause = "these are curly quotes, as word processors make them"
        return Broken(f"not readable: {clause}", 'use straight quotes: "…"', (position[0], column))
    if broken := _unusual_character_error(text, position):
        return broken
    for sign, problem, hint in _TOML_ERRORS:
        if parser_message.startswith(sign):
            end = (
                line[position[1] - 1 : position[1]]
                if position and sign == "Expected newline"
                else ""
            )
            if end in (",", ";"):
                reason = (
                    "a list has no comma after its ]" if end == "," else "no line ends with a ;"
                )
                return Broken(
                    f"not readable: {problem}", f"delete the {end} here: {reason}", position
                )
            return Broken(f"not readable: {problem}", hint, position)
    problem = re.sub(r" \(at .*\)", "", parser_message)
    return Broken(f"not readable as TOML: {problem[:1].lower()}{problem[1:]}", "", position)


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
        self._reversed_names = _reversed_names(self._cards)

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
            for reversed_name, card in self._reversed_names.items():
                text = re.sub(rf"(?<![\w/]){reversed_name}(?![\w/])", card, text)
        return text

    def names_beside(self, text: str, options: Sequence[str]) -> list[str]:
        """Return the names of cards and pieces in a text that none of the options has."""
        tidy_text = self.tidy(text[:200])
        pieces = re.findall(r"\b[a-z]\d{1,2}\b", tidy_text)
        cards = {x for card in self._cards for x in re.split(r" -?\d", card)[0].split("/")}
        named_cards = [name for name in sorted(cards) if re.search(rf"\b{name}\b", tidy_text)]
        option_word_sets = [{*re.split(r"[^a-z0-9_]+", option)} for option in options]
        return [
            spaced(x)
            for x in [*named_cards, *pieces]
            if option_word_sets and not any(x in option_words for option_words in option_word_sets)
        ]

    def read(
        self, text: str, options: Sequence[str] = (), is_standing: bool = False
    ) -> Sequence[str]:
        """Return the sentences that the text can mean: options, else sentences of the game's forms.
        It is clear if there is only one.

        A card that is not among the options means the card that begins with this text. In a
        standing line, which can be used with other cards later, a card means only itself.
        """
        tidy_text = self.tidy(text)
        if "*" not in tidy_text and options:
            options_by_bare_text = {bare(option): option for option in options}
            if option := options_by_bare_text.get(bare(tidy_text)):
                return [option]
        if sentence := self._by_form(tidy_text):
            longer_options = [] if is_standing else self._longer(sentence, options)
            return longer_options or [sentence]
        close_options = list(
            dict.fromkeys(o for o in options if _is_abbreviation(bare(tidy_text), bare(o)))
        )
        if len(close_options) > 1:
            suffix_options = [o for o in close_options if bare(o).endswith(f" {bare(tidy_text)}")]
            return suffix_options if len(suffix_options) == 1 else close_options
        return close_options or self._by_cut_form(bare(tidy_text))

    def _longer(self, sentence: str, options: Sequence[str]) -> list[str]:
        """Return the options with a longer card: `horns 4 sun` for `horns 4`."""
        form, fields = self._forms.parse(sentence)
        if fields.get("card", "*") == "*":
            return []
        longer_options = []
        for option in dict.fromkeys(options):
            option_form, option_fields = self._ruleset.forms.read(option)
            is_same_otherwise = form == option_form and {**option_fields, "card": ""} == {
                **fields,
                "card": "",
            }
            if is_same_otherwise and option_fields["card"].startswith(f"{fields['card']} "):
                longer_options.append(option)
        return longer_options

    def _by_cut_form(self, text: str) -> list[str]:
        sentences = []
        for name, (pattern, fields) in _cut_forms(tuple(self._bare.templates.items())).items():
            if match := pattern.fullmatch(text):
                field_values = dict(zip(fields, match.groups(), strict=True))
                sentences.append(self._by_form(self._forms.say(name, **field_values)))
        return list(filter(None, sentences))

    def _by_form(self, text: str) -> str:
        """Return the sentence that a text is, with or without its brackets; empty if it is none, or
        names a card that the game does not have."""
        for forms, words in ((self._forms, text), (self._bare, bare(text))):
            try:
                name, fields = forms.parse(words)
            except Unreadable:
                continue
            cards = [value for field, value in fields.items() if field.startswith("card")]
            if all(card == "*" or card in self._cards for card in cards):
                return self._forms.say(name, **fields)
        return ""


def _is_abbreviation(text: str, option: str) -> bool:
    """A word may be cut short, but a name or a number may not: a1 is never a12."""
    option_words = iter(re.findall(r"[^\s:,/_]+", option))
    expected_words = re.findall(r"[^\s:,/_]+", text)
    return bool(re.search("[a-z]", text)) and all(
        any(
            option_word == expected_word
            if expected_word[-1].isdigit()
            else option_word.startswith(expected_word)
            for option_word in option_words
        )
        for expected_word in expected_words
    )


@lru_cache(8)
def _spelled(vocabulary: frozenset[str]) -> dict[str, str]:
    names = {re.split(r" -?\d", card)[0] for card in vocabulary}
    parts = {part for name in names for part in name.split("/") if "_" in part}
    longest_first = sorted(parts, key=lambda part: (-len(part), part))
    return {part.translate(_LOOSE): part for part in longest_first}


@lru_cache(8)
def _reversed_names(cards: frozenset[str]) -> dict[str, str]:
    """People may write either name of a card with two names first."""
    pairs = {"/".join(reversed(card.split("/"))): card for card in cards if "/" in card}
    return {
        reversed_name: card for reversed_name, card in pairs.items() if reversed_name not in cards
    }


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

MIN_WORDS = 2
"""After how many words a ready line may be cut short, if only one line begins like that."""


def exact_line(ruleset: Ruleset[Any], kind: str, text: str, names: Mapping[str, str]) -> str:
    """Return the ready line that the text is, with letters for players' names; else empty."""
    normalized_text = _normalized_text(text)
    if normalized_text == SKIP and ruleset.kinds[kind].script:
        return SKIP
    seats_by_ending = {
        ending: seat
        for seat, name in names.items()
        if normalized_text.endswith(f" {(ending := _normalized_text(name))}")
    }
    for candidate in (
        normalized_text,
        *(
            f"{normalized_text.removesuffix(ending)}{seat}"
            for ending, seat in seats_by_ending.items()
        ),
    ):
        if ruleset.ready_lines.read(kind, candidate):
            return candidate
    return ""


def begun_lines(ruleset: Ruleset[Any], kind: str, text: str) -> list[str]:
    """Return the ready lines that begin with this text, if the text has enough words."""
    normalized_text = _normalized_text(text)
    if len(normalized_text.split(" ")) < MIN_WORDS:
        return []
    lines = [SKIP] if ruleset.kinds[kind].script else []
    lines += [x.sentence for x in ruleset.ready_lines.lines_of(kind) if "{" not in x.sentence]
    return [line for line in lines if line.startswith(normalized_text)]


def _normalized_text(text: str) -> str:
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
        """Find the positions of all keys and strings in a text. Tables and keys are by name; the
        top level is the empty table."""
        self._lines = text.split("\n")
        self.keys: dict[tuple[str, str], Spot] = {}
        self.strings: dict[tuple[str, str], list[Spot]] = {}
        self.values: dict[tuple[str, str], _Value] = {}
        table = key = ""
        line, line_start = 1, 0
        for token in TOKEN.finditer(text):
            token_start = token.start()
            if token["table"]:
                table, key = token["name"], ""
            elif token["key"]:
                key = token["word"]
                self.keys[table, key] = self._spot(line, token_start - line_start, token["key"])
                self.values[table, key] = _Value()
            else:
                if token["string"]:
                    spot = self._spot(line, token_start - line_start, token["string"])
                    self.strings.setdefault((table, key), []).append(spot)
                if (value := self.values.get((table, key))) and not value.end:
                    value.take(token)
            if newlines := token[0].count("\n"):
                line += newlines
                line_start = token.start() + token[0].rfind("\n") + 1

    def key(self, table: str, key: str) -> Spot | None:
        """Find the position of the key (`table` is empty at the top level)."""
        return self.keys.get((table, key))

    def string(self, table: str, key: str, index: int) -> Spot | None:
        """Find the position of the key's string with this index, else that of the key."""
        spots = self.strings.get((table, key), [])
        return spots[index] if index < len(spots) else self.key(table, key)

    def spelt(self, table: str, kind: str) -> str:
        """Return the kind as the file spells it: capitals do not matter."""
        return next(
            (key for key_table, key in self.keys if key_table == table and key.lower() == kind),
            kind,
        )

    @property
    def end(self) -> Spot:
        """Return the end of the last line that is not blank."""
        last_line = max((n for n, line in enumerate(self._lines, 1) if line.strip()), default=1)
        return self.spot_at(last_line, len(self._lines[last_line - 1]) + 1)

    def spot_at(self, line: int, column: int, width: int = 1) -> Spot:
        """Return the position at this line and column."""
        source = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        return Spot(line, column, width, source)

    def _spot(self, line: int, offset: int, token: str) -> Spot:
        stripped_token = token.lstrip()
        column = offset + len(token) - len(stripped_token) + 1
        stripped_token = stripped_token.split("\n")[0]
        return Spot(line, column, len(stripped_token.rstrip(" \t=")), self._lines[line - 1])


class _Value(Mutable):
    """The value of a key: where it is in the file, and how its lines are spelt there."""

    begin: int = 0
    end: int = 0
    """The offset in the file at which the value ends; 0 before its end was found."""
    strings: list[tuple[str, str]] = field(default_factory=list)
    """Each string as the file spells it, with the comment at the end of the line."""
    comments: list[str] = field(default_factory=list)
    """The comments that have a line to themselves."""
    _depth: int = 0
    _same_line: bool = False

    def take(self, token: re.Match[str]) -> None:
        """Go on with the next token of the value: note strings, comments, and where the value
        ends."""
        token_text = token[0]
        if token["string"]:
            self.strings.append((token_text, ""))
        elif token["comment"] and self._same_line:
            self.strings[-1] = (self.strings[-1][0], token_text)
        elif token["comment"]:
            self.comments.append(token_text)
        self._same_line = token_text != "\n" and (self._same_line or bool(token["string"]))
        self._depth += {"[": 1, "]": -1}.get(token_text, 0)
        if not token_text.isspace():
            self.begin = self.begin or token.start()
            self.end = 0 if self._depth else token.end()

    def spelt_with(self, lines: Sequence[str]) -> str:
        """Write the value with these lines; the comments stay."""
        spelling_by_line = {
            parse(f"x = {spelling}")["x"]: (spelling, comment) for spelling, comment in self.strings
        }
        # TOML allows no DEL, which JSON does
        json_by_line = {
            x: json.dumps(x, ensure_ascii=False).replace("\x7f", "\\u007f") for x in lines
        }
        spellings = [spelling_by_line.get(line) or (json_by_line[line], "") for line in lines]
        comments = [*self.comments, *(comment for _, comment in spellings if comment)]
        if not comments and sum(len(spelling) for spelling, _ in spellings) < _MAX_ROW_CHARACTERS:
            return f"[{', '.join(spelling for spelling, _ in spellings)}]"
        rows = [
            f"    {spelling},{f'   {comment}' if comment else ''}"
            for spelling, comment in spellings
        ]
        return "\n".join(["[", *rows, *(f"    {comment}" for comment in self.comments), "]"])


_MAX_ROW_CHARACTERS = 60
"""Lines with fewer characters stay in one row of the file."""


# ---- Change the lines of one kind in an order file

ALWAYS = "always"


def with_lines(text: str, kind: str, always: bool, lines: Sequence[str]) -> str:
    """Return the order file with other lines of one kind; all else stays. Raises Broken if the file
    is not TOML. `kind` is in lower case; with `always`, the lines are standing orders."""
    parse(text)
    table, places = ALWAYS if always else "", Places(text)
    value = places.values.get((table, places.spelt(table, kind)))
    if value is not None:
        return f"{text[: value.begin]}{value.spelt_with(lines)}{text[value.end :]}"
    line = f"{kind} = {_Value().spelt_with(lines)}\n"
    head = re.search(rf"^[ \t]*\[[ \t]*{ALWAYS}[ \t]*\][^\n]*(?:\n|\Z)", text, re.MULTILINE)
    complete_text = text if text.endswith("\n") or not text else f"{text}\n"
    if head is None:
        return f"{complete_text}\n[{ALWAYS}]\n{line}" if always else f"{complete_text}\n{line}"
    if always:
        end = "" if head[0].endswith("\n") else "\n"
        return f"{text[: head.end()]}{end}{line}{text[head.end() :]}"
    # below the header of the table, the line would be a standing order
    return f"{text[: head.start()]}{line}\n{text[head.start() :]}"


# ---- Rows: order lines as somebody wrote them, in a file, by numbers, by clicks or in a mail

MAX_ERRORS = 20
"""After how many unreadable lines and unknown kinds pbem stops reading."""
MAX_LINE_CHARACTERS = 1000
"""The most characters that a person may write in one line; sealed lines have at most 200."""


class Note(NamedTuple):
    """A problem with orders; if the orders are in a file, with the position.

    ``level`` is `error` if the problem prevents sealing, else `warning`.
    """

    code: str
    level: str
    sentence: str
    hint: str = ""
    spot: Spot | None = None


class Row(Mutable):
    """One order line as somebody wrote it, with the line that it means and its problems."""

    kind: str
    text: str
    always: bool = False
    spot: Spot | None = None
    line: Line | None = None
    """The line that will be sealed; None if the text was not checked or cannot be read."""
    notes: list[Note] = field(default_factory=list)

    @property
    def sealed(self) -> str:
        """The line as it will be sealed; empty if there is none."""
        return write_line(self.line) if self.line else ""

    @property
    def errors(self) -> list[Note]:
        """The problems that prevent the line from being sealed."""
        return [note for note in self.notes if note.level == "error"]


class Draft:
    """Rows that were checked, and what is wrong with them."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows = list(rows)
        self.file_notes: list[Note] = []
        """The problems that are not about one row."""
        self.open: dict[str, Note] = {}
        """The warnings about questions that no row answers, by their kinds."""
        self.unanswered_kinds: list[str] = []
        """The kinds of decision that are asked now, but that the rows do not answer completely."""

    @property
    def lines(self) -> list[Line]:
        """The lines that can be read."""
        return [row.line for row in self.rows if row.line is not None]

    @property
    def notes(self) -> list[Note]:
        """All problems, in the order of the file."""
        notes = [
            *self.open.values(),
            *self.file_notes,
            *(n for row in self.rows for n in row.notes),
        ]
        return sorted(notes, key=lambda n: (n.spot.line, n.spot.column) if n.spot else (0, 0))

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
        return any(note.code in ("PBEM-ORD-010", "PBEM-ORD-011") for note in self.file_notes)

    def rows_of(self, kind: str, always: bool) -> list[Row]:
        """Return the rows of one kind."""
        return [row for row in self.rows if (row.kind, row.always) == (kind, always)]

    def add(self, code: int, sentence: str, hint: str, spot: Spot | None) -> None:
        """Note an error that is not about one row."""
        self.file_notes.append(Note(f"PBEM-ORD-{code:03}", "error", sentence, hint, spot))

    @property
    def unknown_kind_count(self) -> int:
        """The number of kinds in the file that are unknown."""
        return sum(note.code == "PBEM-ORD-002" for note in self.file_notes)

    def note_too_many_errors(self, end: Spot | None) -> None:
        """Note that too much is wrong to read on."""
        sentence = f"more than {MAX_ERRORS} lines are wrong, so pbem did not read the rest"
        if all(note.sentence != sentence for note in self.file_notes):
            self.add(2, sentence, "correct these lines first, then check again", end)


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
        self.decisions_by_kind = decisions_by_kind(view.table, view.seat)
        self.lines: list[Line] = []
        """The lines that could be read so far."""

    def run(self) -> None:
        """Read every row, then check all lines as the referee will; add the notes to the rows and
        to the draft. Stop reading when too many rows are wrong."""
        draft, view = self.draft, self.view
        error_count = draft.unknown_kind_count
        for row in draft.rows:
            if error_count >= MAX_ERRORS:
                draft.note_too_many_errors(self.end)
                break
            if len(self.lines) >= MAX_LINES:
                self._too_long(f"more than {MAX_LINES} lines", row.spot)
                break
            options = self._options(row)
            meanings = self._meanings(row, options) if len(row.text) <= MAX_LINE_CHARACTERS else []
            if len(meanings) == 1:
                row.line = Line(len(self.lines) + 1, row.kind, meanings[0], row.always)
                self.lines.append(row.line)
            else:
                row.notes.append(self._unreadable(row, meanings, options))
                self.troubled.add(row.kind)
            error_count += row.line is None
        if reason := why_orders_too_long(draft.texts):
            self._too_long(reason, self.end)
        lines, readable = self.lines, [row for row in draft.rows if row.line is not None]
        checker = LineChecker(view.table, view.seat, lines)
        draft.unanswered_kinds = checker.unanswered()
        for problem in self._plainly(checker.run()):
            sentence, hint = spaced(bare(problem.sentence)), spaced(problem.hint)
            if problem.line:
                row = readable[problem.line - 1]
                sentence = f'"{spaced(bare(lines[problem.line - 1].text))}": {sentence}'
                row.notes.append(Note(problem.code, problem.level, sentence, hint, row.spot))
            else:
                draft.open[problem.kind] = Note(problem.code, problem.level, sentence, hint)

    def _too_long(self, sentence: str, spot: Spot | None) -> None:
        if all(note.code != "PBEM-ORD-025" for note in self.draft.file_notes):
            hint = "leave some out; one line with * can replace many"
            self.draft.add(25, sentence, hint, spot)

    # -------------------------------------------------------------- what a row means
    def _meanings(self, row: Row, options: list[str]) -> Sequence[str]:
        """Return the lines that a row can mean; it is clear if there is only one. Exact ready lines
        come first, then sentences, then lines that were cut short."""
        if row.kind == STOP:
            stop_line = re.sub(r"^(stop )?when ", "", _normalized_text(row.text))
            return [stop_line] if self.ruleset.stop_lines.read(stop_line) else []
        if ready_line := exact_line(self.ruleset, row.kind, row.text, self.view.names):
            return [ready_line]
        meanings = self.wording.read(row.text, options, is_standing=row.always)
        if len(meanings) == 1:
            return meanings
        first_steps = self._first_steps(row)
        return (
            begun_lines(self.ruleset, row.kind, row.text)
            or meanings
            or self._options_shown_as(row.text, options)
            or self.wording.read(row.text, first_steps)
            or self._options_shown_as(row.text, first_steps)
        )

    def _first_steps(self, row: Row) -> list[str]:
        """Return the steps that the list could begin with: one that is not possible after the
        others gets the reason."""
        if row.always or not self.ruleset.kinds[row.kind].script:
            return []
        return LineChecker(self.view.table, self.view.seat, []).next_steps(row.kind)

    def _options_shown_as(self, text: str, options: Sequence[str]) -> list[str]:
        """Return the options that a menu shows with these words; the name of a new piece may
        differ."""
        words = re.sub(r"(\bnew [a-z]+) [a-z]\d+\b", r"\1", _normalized_text(text))
        return [
            option for option in options if _normalized_text(self.teller.order(option)) == words
        ]

    def _options(self, row: Row) -> list[str]:
        decision, kind = self.decisions_by_kind.get(row.kind), self.ruleset.kinds.get(row.kind)
        if kind is not None and kind.script and not row.always:
            checker = LineChecker(self.view.table, self.view.seat, self.lines)
            if checker.script(row.kind):
                return checker.next_steps(row.kind)
        return decision.option_list() if decision is not None and not decision.script else []

    def _unreadable(self, row: Row, candidates: Sequence[str], options: Sequence[str]) -> Note:
        """Return the error for a row that means nothing, or one of several ``candidates``;
        ``options`` are the choices now, for the hint."""
        shown_text = row.text if len(row.text) <= 80 else f"{row.text[:77]}…"
        sentence = f'"{shown_text}" is not an order that this game understands'
        if row.kind == STOP:
            sentence = f'"{shown_text}" is not an event at which standing orders can stop'
        if candidates:
            sentence = f'"{shown_text}" can mean several things'
        elif names := unusual_names(row.text):
            sentence = f"{sentence}: there is {names} in it"
        elif "*" in row.text and not self._shaped(row.text):
            sentence = f"{sentence}: * stands for a name, such as a1, and never for a card"
        elif missing_names := self.wording.names_beside(row.text, options):
            sentence = f"{sentence}: no choice that you have now has {missing_names[0]} in it"
        close_options = candidates
        if not close_options:
            from difflib import get_close_matches

            options_by_bare_text = {bare(option): option for option in options}
            tidy_text = self.wording.tidy(row.text[:200])
            close_options = [
                options_by_bare_text[option]
                for option in get_close_matches(tidy_text, list(options_by_bare_text), 5, 0.6)
            ]
        hint = f"did you mean: {', '.join(quoted(close_options[:5]))}?" if close_options else ""
        hint = hint or hint_of_legal(options, row.text) or self._shaped(row.text)
        return Note("PBEM-ORD-020", "error", sentence, spaced(hint), row.spot)

    def _shaped(self, text: str) -> str:
        templates = self.ruleset.forms.templates.values()
        shapes = dict.fromkeys(re.sub(r"\{\w+\}", "…", template) for template in templates)
        similar_shapes = [shape for shape in shapes if {*text.lower().split()} & {*shape.split()}]
        return (
            f"write it like this: {', '.join(quoted(similar_shapes[:3]))}" if similar_shapes else ""
        )

    # -------------------------------------------------------------- reasons that help
    def _plainly(self, problems: Sequence[Problem]) -> Iterator[Problem]:
        """Yield the checker's problems in words that help. A question without an answer is no news
        if a line of its kind cannot be read."""
        lines = self.lines
        broken_kinds = {lines[p.line - 1].kind for p in problems if p.line and p.level == "error"}
        broken_kinds |= self.troubled
        for problem in problems:
            if problem.code == OPEN:
                if problem.kind not in broken_kinds:
                    # no deadline runs before others see the turn
                    has_deadline = self.view.deadline and not self.view.preview
                    consequence = DEFAULTED if has_deadline else "the game will wait for you"
                    yield problem._replace(sentence=f"{problem.sentence}: {consequence}")
            elif problem.code != UNENDED or lines[problem.line - 1].kind not in broken_kinds:
                yield self._helpful(problem, lines[problem.line - 1])

    def _helpful(self, problem: Problem, line: Line) -> Problem:
        """Return a problem of this line with a better reason, where there is one: the line after
        the end of a list, a step that only comes too late, a line of another kind."""
        kinds, checker = self.ruleset.kinds, LineChecker(self.view.table, self.view.seat, [line])
        if problem.code == UNREACHED and checker.is_single_answer(line.kind):
            # the referee does not use a list that is one answer and goes on after its end
            end = kinds[line.kind].ends
            sentence = f'this line comes after "{end}", which must be the last line of the list'
            hint = f'move "{end}" to the end of the list, or put a # before this line'
            return Problem(ILLEGAL, "error", problem.line, sentence, hint)
        if problem.code not in (ILLEGAL, UNFIT):
            return problem
        if problem.code == ILLEGAL and line.text != DONE:
            script = checker.script(line.kind)
            if script is not None and line.text in script.option_list([]):
                return problem._replace(sentence=f"after your other lines: {problem.sentence}")
        form = self.ruleset.forms.read(line.text)[0]
        is_misplaced = form and bare(line.text) != DONE and form not in self._forms_now(line.kind)
        if is_misplaced and (
            other_kind := next((k for k in kinds if form in self._forms_now(k)), "")
        ):
            return problem._replace(
                sentence=f"this line belongs in {other_kind}, not in {line.kind}"
            )
        decision = self.decisions_by_kind.get(line.kind)
        has_reason = decision is not None and reason_of(decision, line.text)
        if problem.code == UNFIT and ("*" in line.text or not has_reason):
            return problem._replace(sentence="this line fits none of the choices that you have now")
        return problem

    def _forms_now(self, kind: str) -> set[str]:
        script = LineChecker(self.view.table, self.view.seat, []).script(kind)
        decision = self.decisions_by_kind.get(kind)
        options = script.option_list([]) if script else decision.option_list() if decision else []
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
        """The consequence if the list stays without its end, as a sentence."""
        if self.is_whole:
            return f'the list of {self.kind} has no effect until it ends with "{self.end}"'
        return f'the list of {self.kind} does not end with "{self.end}", so you are asked again'


def missing_ends(view: View, draft: Draft, kinds: Iterable[str]) -> list[MissingEnd]:
    """Return the ends that lists of these kinds lack, where the list may end."""
    checker, ends = LineChecker(view.table, view.seat, draft.lines), list[MissingEnd]()
    for kind in kinds:
        end = view.play.ruleset.kinds[kind].ends if kind in view.play.ruleset.kinds else ""
        own_texts = [row.line.text for row in draft.rows_of(kind, False) if row.line]
        if own_texts and end not in own_texts and end in checker.next_steps(kind):
            ends.append(MissingEnd(kind, end, checker.is_single_answer(kind)))
    return ends


def with_ends(view: View, draft: Draft, ends: Iterable[MissingEnd]) -> Draft:
    """Return a draft with the same rows and these ends of lists, checked anew."""
    return check_rows(
        view, [*draft.rows, *(Row(missing_end.kind, missing_end.end) for missing_end in ends)]
    )


def quoted(options: Sequence[str]) -> list[str]:
    """Write options as order files write them."""
    return [f'"{bare(option)}"' for option in options]


# ---- The order file

HEADER = ("game", "answers", "seat")


def read_draft(text: str, view: View) -> Draft:
    """Read an order file, and check its rows against the seat's own view."""
    return _File(text, view).draft


class _File:
    """Reads an order file: makes rows with positions, and checks the rows."""

    def __init__(self, text: str, view: View) -> None:
        """Read a file; the result is ``draft``. Rows for another seat or turn are not checked."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.view, self.places = view, Places(text[:MAX_TEXT])
        self.draft = Draft()
        self.troubled: set[str] = set()
        try:
            document = parse(text)
        except Broken as broken:
            spot = self.places.spot_at(*broken.position) if broken.position else self.places.end
            self.draft.add(1, broken.sentence, broken.hint, spot)
            return
        # the lines of another seat name that seat's cards and pieces
        is_for_other_seat = self._header(document) != view.seat
        header_notes = list(self.draft.file_notes)
        always = document.pop(ALWAYS, {})
        self._rows(document, "")
        if isinstance(always, dict):
            self._rows(always, ALWAYS)
        else:
            self._note(3, "[always] must be a table", "write [always] on its own line", ALWAYS)
        if self.draft.stale or is_for_other_seat:
            self.draft.file_notes = header_notes
        else:
            _Checking(view, self.draft, self.troubled, self.places.end).run()

    def _header(self, document: dict[str, Any]) -> str:
        """Take the header's fields out of the document, and note which of them do not fit this
        view. Return the seat that the file names, if the game has it; else the view's."""
        view = self.view
        header_values = {}
        for key in HEADER:
            header_values[key] = value if isinstance(value := document.pop(key, ""), str) else ""
            if not isinstance(value, str):
                hint = f'put the value in quotes, as in {key} = "…"'
                self._note(3, f"{key} must be a string", hint, key)
        game, answers = (
            header_values["game"].split(" ")[-1].lower(),
            header_values["answers"].strip().lower(),
        )
        seat = header_values["seat"].strip().lower() or view.seat
        if game and not (len(game) >= 6 and view.game.startswith(game)):
            sentence = f"these orders are for another game ({game[:64]}, not {view.game[:6]})"
            hint = to_type("go to that game's folder, or give its path with -C")
            self._note(10, sentence, hint, "game")
        elif answers and answers != position(view):
            self._note(11, *self._outdated(answers), "answers")
        if seat != view.seat:
            hint = f'write seat = "{view.seat}", or leave the line out'
            if seat in view.names:
                hint += TerminalText("[[; or add --as {seat}, if that seat is yours too]]").format(
                    seat=seat
                )
            sentence = f"these orders are for seat {seat[:20]}; you are in seat {view.seat}"
            self._note(12, sentence, hint, "seat")
        return seat if seat in view.names else view.seat

    def _outdated(self, answers: str) -> tuple[str, str]:
        """Return the sentence and the hint for orders that answer another turn, `3:0a1b2c`."""
        current_position = position(self.view)
        turn = answers.partition(":")[0]
        sentence = (
            f"these orders answer turn {answers[:40]}; the game is at turn {current_position}"
        )
        if turn.isdecimal() and len(turn) < 9 and int(turn) > self.view.turn:
            return (
                sentence,
                TerminalText(
                    "turn {turn} is not here yet: let the folder sync[[, or `pbem receive` it]]"
                ).format(turn=turn),
            )
        if turn == str(self.view.turn):
            clause = f"the draft was written for a different version of turn {turn}"
            return sentence, TerminalText("{clause}[[; `pbem orders` writes a new draft]]").format(
                clause=clause
            )
        return (
            sentence,
            (
                TerminalText(
                    "[[`pbem orders` writes a draft for this turn; ]]copy the lines that you still "
                    "want into the new draft"
                )
            ),
        )

    def _rows(self, document: dict[str, Any], table: str) -> None:
        """Add the lines of a table (empty: the top level) to the draft as rows; note unknown kinds,
        and values that are no list of strings."""
        ruleset = self.view.play.ruleset
        kinds = {kind.lower(): kind for kind in ruleset.kinds}
        kinds |= {STOP: STOP} if ruleset.stops else {}
        for key, value in document.items():
            if self.draft.unknown_kind_count >= MAX_ERRORS:
                self.draft.note_too_many_errors(self.places.end)
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
        """Note a kind that the game does not have, with the most similar name. From now on, no
        question counts as unanswered."""
        from difflib import get_close_matches

        known_names = [*kinds, *(() if table else (*HEADER, ALWAYS))]
        close_matches = get_close_matches(key.lower(), known_names, 1)
        hint = (
            f"did you mean {close_matches[0]}?"
            if close_matches
            else f"the kinds are: {', '.join(kinds)}"
        )
        self._note(2, f'"{key[:60]}" is not a kind of order in this game', hint, key, table)
        # the text may have been meant for any kind that is asked
        self.troubled |= decisions_by_kind(self.view.table, self.view.seat).keys()

    def _note(self, code: int, sentence: str, hint: str, key: str, table: str = "") -> None:
        self.draft.add(code, sentence, hint, self.places.key(table, key))


def answers_this_turn(data: bytes, view: View) -> bool:
    """Return whether an order file answers the turn that is here, or names no turn."""
    try:
        document = parse(as_utf8(data).decode())
    except ValueError:
        return True  # `check` says what is wrong with it
    return str(document.get("answers", position(view))) == position(view)


def position(view: View) -> str:
    """Name the turn that orders answer, for people: its number and six digits of the head."""
    return f"{view.turn}:{view.published_head[:6]}"


# ---- Notes as text for people and as data for programs

MAX_PREFIX_CHARACTERS = 60
MAX_MARKED_CHARACTERS = 80


def note_lines(note: Note, name: str) -> list[str]:
    """Write a problem as lines of text: `file:12:3: error[CODE]: what`, the source line, a hint."""
    location = f"{name}:{note.spot.line}:{note.spot.column}" if note.spot else name
    lines = [f"{location}: {note.level}[{note.code}]: {clean(note.sentence)}"]
    if note.spot and note.spot.source.strip():
        source, begin = note.spot.source, note.spot.column - 1
        end = begin + note.spot.width
        prefix, marked_text, suffix = (
            clean(part.replace("\t", " "))
            for part in (source[:begin], source[begin:end], source[end:])
        )
        if len(prefix) > MAX_PREFIX_CHARACTERS:
            prefix = f"…{prefix[-MAX_PREFIX_CHARACTERS:]}"
        if len(marked_text) > MAX_MARKED_CHARACTERS:
            marked_text, suffix = marked_text[:MAX_MARKED_CHARACTERS], "…"
        if len(suffix) > MAX_MARKED_CHARACTERS:
            suffix = f"{suffix[:MAX_MARKED_CHARACTERS]}…"
        lines += [
            f"  {note.spot.line:3} | {prefix}{marked_text}{suffix}".rstrip(),
            f"      | {' ' * len(prefix)}{'^' * max(1, len(marked_text))}",
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
        "what": note.sentence,
        "hint": note.hint,
        "line": spot.line if spot else 0,
        "column": spot.column if spot else 0,
    }
