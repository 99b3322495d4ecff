"""Read an order file: its lines as sentences of the game, and where each problem is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engine import DONE, SKIP, STOP, Forms, Line, Ruleset, Unreadable, bare, shape_of
from pbem.drafts.offers import form_of
from pbem.game.lines import NO_REASON, LineChecker, Problem, hint_of_legal, write_line
from pbem.game.view import View
from pbem.records.schema import MAX_LINES, why_too_long
from pbem.screen.tell import spaced
from pbem.screen.terminal import clean
from pbem.text.handwritten_toml import MAX_TEXT, Overlong, loads
from pbem.text.names import strange, strangers

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
    ("Expected newline", "the line should end here", "do not put a ; at the end of a line"),
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
        told, hint = f"not readable: {error.what}", "write only lists of strings"
        raise _strange(text, error.place) or Broken(told, hint, error.place) from None
    except ValueError as error:
        raise _broken(text, str(error)) from None


def _strange(text: str, place: tuple[int, int] | None) -> Broken | None:
    line = text.split("\n")[place[0] - 1] if place else ""
    if place and (name := strange(line[place[1] - 1 : place[1]])):
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
            return Broken(f"not readable: {plain}", hint, place)
    what = re.sub(r" \(at .*\)", "", said)
    return Broken(f"not readable as TOML: {what[:1].lower()}{what[1:]}", "", place)


# ---- The one sentence of the game that a text means

_LOOSE = str.maketrans("_-", "  ")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"))
"""Dashes that programs write instead of a hyphen or a minus."""


class Meant(NamedTuple):
    """What a text means: a sentence, or else the candidates that it could mean."""

    sentence: str = ""
    candidates: tuple[str, ...] = ()

    @classmethod
    def of(cls, sentences: Sequence[str]) -> Meant:
        """Return what a text means that fits these sentences."""
        return cls(sentences[0]) if len(sentences) == 1 else cls("", tuple(sentences))


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

    def read(self, text: str, options: Sequence[str] = (), standing: bool = False) -> Meant:
        """Find the sentence that the text means: one of the options, else one of the game's forms.

        A card that is not among the options means the card that begins with this text. In a
        `standing` line, which can be used with other cards later, a card means only itself.
        """
        tidy = self.tidy(text)
        if "*" not in tidy and options:
            named = {bare(option): option for option in options}
            if option := named.get(bare(tidy)):
                return Meant(option)
        if sentence := self._by_form(tidy):
            longer = () if standing else self._longer(sentence, options)
            return Meant.of(longer or [sentence])
        close = tuple(dict.fromkeys(o for o in options if _within(bare(tidy), bare(o))))
        if len(close) > 1:
            whole = tuple(o for o in close if bare(o).endswith(f" {bare(tidy)}"))
            return Meant.of(whole if len(whole) == 1 else close)
        return Meant.of(close or self._by_cut_form(bare(tidy)))

    def _longer(self, sentence: str, options: Sequence[str]) -> list[str]:
        """Return the options with a longer card: `horns 4 sun` for `horns 4`."""
        form, fields = self._forms.parse(sentence)
        if fields.get("card", "*") == "*":
            return []
        longer = []
        for option in dict.fromkeys(options):
            other, said = form_of(self._ruleset, option)
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


def begun_line(ruleset: Ruleset[Any], kind: str, text: str) -> Meant:
    """Find the ready lines that begin with this text, if the text has enough words."""
    said = _plain(text)
    if len(said.split(" ")) < LEAST_WORDS:
        return Meant()
    lines = [SKIP] if ruleset.kinds[kind].script else []
    lines += [x.sentence for x in ruleset.ready_lines.of(kind) if "{" not in x.sentence]
    return Meant.of([line for line in lines if line.startswith(said)])


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
        table = key = ""
        line, start = 1, 0
        for token in TOKEN.finditer(text):
            kind, at = token.lastgroup, token.start()
            if token["table"]:
                table, key = token["name"], ""
            elif token["key"]:
                key = token["word"]
                self.keys[table, key] = self._spot(line, at - start, token["key"])
            elif kind == "string":
                spot = self._spot(line, at - start, token["string"])
                self.strings.setdefault((table, key), []).append(spot)
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


# ---- Reasons that help

OPEN = "PBEM-ORD-032"
ILLEGAL = "PBEM-ORD-021"
UNFIT = "PBEM-ORD-030"
UNREACHED = "PBEM-ORD-031"
UNENDED = "PBEM-ORD-033"
DEFAULTED = "at the deadline, pbem makes the least harmful choice for you"


def plainly(
    view: View, lines: Sequence[Line], problems: Iterable[Problem], troubled: Collection[str]
) -> Iterator[Problem]:
    """Give each problem a reason that helps, and leave out problems that follow from others.

    `troubled` has the kinds with lines that could not be read.
    """
    found = list(problems)
    broken = {lines[p.line - 1].kind for p in found if p.line and p.level == "error"}
    broken |= set(troubled)

    for problem in found:
        if problem.code == UNENDED and lines[problem.line - 1].kind in broken:
            continue
        if problem.code == OPEN:
            if asked_in(problem.what) not in broken:
                timed = view.deadline and not view.preview  # none runs before others see the turn
                told = DEFAULTED if timed else "the game will wait for you"
                yield problem._replace(what=f"{problem.what}: {told}")
        else:
            yield _helpful(view, lines, problem)


def _helpful(view: View, lines: Sequence[Line], problem: Problem) -> Problem:
    if problem.code not in (ILLEGAL, UNFIT, UNREACHED):
        return problem
    kinds, line = view.play.ruleset.kinds, lines[problem.line - 1]
    if problem.code == UNREACHED:
        if not LineChecker(view.table, view.seat, lines).whole(line.kind):
            return problem
        # the referee does not use a list that is one answer and goes on after its end
        end = kinds[line.kind].ends
        told = f'comes after "{end}", which must be the last line of the list'
        hint = f'move "{end}" to the end of the list, or put a # before this line'
        return Problem(ILLEGAL, "error", problem.line, told, hint)
    if problem.code == ILLEGAL and line.text != DONE:
        script = LineChecker(view.table, view.seat, [line]).script(line.kind)
        if script is not None and line.text in script.listed([]):
            return problem._replace(what=f"after your other lines: {problem.what}")
    form = form_of(view.play.ruleset, line.text)[0]
    strays = form and bare(line.text) != DONE and form not in _forms_now(view, line.kind)
    if strays and (other := next((k for k in kinds if form in _forms_now(view, k)), "")):
        return problem._replace(what=f"this line belongs in {other}, not in {line.kind}")
    if problem.code == UNFIT and ("*" in line.text or problem.what.endswith(f": {NO_REASON}")):
        return problem._replace(what="does not match any of the choices that you have now")
    return problem


def _forms_now(view: View, kind: str) -> set[str]:
    checker = LineChecker(view.table, view.seat, [])
    asked, script = checker.asked.get(kind), checker.script(kind)
    options = script.listed([]) if script else asked.listed() if asked else []
    return {form_of(view.play.ruleset, option)[0] for option in options} - {""}


def left_open(view: View, lines: Sequence[Line]) -> list[str]:
    """Return the kinds of decision that are asked now but not answered by these lines."""
    return LineChecker(view.table, view.seat, lines).unanswered()


def asked_in(what: str) -> str:
    """Return the first kind in a text such as `you are asked for feed (…), and …`."""
    return what.removeprefix("you are asked for ").partition(" ")[0]


# ---- The order file

HEADER = ("game", "answers", "seat")
MOST_WRONG = 20
"""After how many unreadable lines and unknown kinds pbem stops reading the file."""
MOST_LETTERS = 1000
"""The most characters that a person may write in one line; sealed lines have at most 200."""


class Note(NamedTuple):
    """A problem in an order file, with its position."""

    code: str
    level: str
    what: str
    hint: str = ""
    spot: Spot | None = None


class Draft:
    """An order file that was read: its lines, and what is wrong with it."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.notes: list[Note] = []
        self.spots: list[Spot | None] = []
        """The position of each line in the file."""

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
        return any(note.code in ("PBEM-ORD-010", "PBEM-ORD-011") for note in self.errors)


def read_draft(text: str, view: View) -> Draft:
    """Read and check an order file against the seat's own view."""
    return _Reading(text, view).run()


class _Reading:
    def __init__(self, text: str, view: View) -> None:
        self.text, self.view = text.replace("\r\n", "\n").replace("\r", "\n"), view
        self.places = Places(self.text[:MAX_TEXT])
        self.draft = Draft()
        self.wording = Wording(view.play.ruleset)
        self.troubled: set[str] = set()
        self._of_other_seat = False
        self.asked = {d.kind: d for _, d in view.table.pending if d.seat == view.seat}

    def run(self) -> Draft:
        try:
            doc = parse(self.text)
        except Broken as broken:
            spot = self.places.at(*broken.place) if broken.place else self.places.end
            self._add(1, broken.what, broken.hint, spot)
            return self.draft
        self._header(doc)
        if not (self.draft.stale or self._of_other_seat):
            self._orders(doc)
        self.draft.notes.sort(key=lambda n: (n.spot.line, n.spot.column) if n.spot else (0, 0))
        return self.draft

    def _orders(self, doc: dict[str, Any]) -> None:
        always = doc.pop("always", {})
        self._kinds(doc, "")
        if isinstance(always, dict):
            self._kinds(always, "always")
        else:
            self._note(3, "[always] must be a table", "write [always] on its own line", "always")
        if what := why_too_long(self.draft.texts):
            self._too_long(what, self.places.end)
        view, lines = self.view, self.draft.lines
        problems = LineChecker(view.table, view.seat, lines).run()
        for code, level, number, what, hint in plainly(view, lines, problems, self.troubled):
            spot = self.draft.spots[number - 1] if number else None
            about = f'"{spaced(bare(lines[number - 1].text))}": ' if number else ""
            told = spaced(bare(f"{about}{what}"))
            self.draft.notes.append(Note(code, level, told, spaced(hint), spot))

    def _header(self, doc: dict[str, Any]) -> None:
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
            self._of_other_seat = seat in view.names  # its lines name that seat's cards and pieces
            hint = f'write seat = "{view.seat}", or leave it out'
            hint += f"; or add --as {seat}, if that seat is yours too" if seat in view.names else ""
            what = f"these orders are for seat {seat[:20]}; you are in seat {view.seat}"
            self._note(12, what, hint, "seat")

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

    def _kinds(self, doc: dict[str, Any], table: str) -> None:
        ruleset = self.view.play.ruleset
        kinds = {kind.lower(): kind for kind in ruleset.kinds}
        kinds |= {STOP: STOP} if ruleset.stops else {}
        for key, value in doc.items():
            if self._enough():
                return
            kind = kinds.get(key.lower())
            if kind is None:
                self._no_kind(key, list(kinds), table)
                continue
            texts = [value] if isinstance(value, str) else value
            if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
                hint = f'write {kind} = ["one line", "another"]'
                self._note(3, f"{kind} must be a string, or a list of strings", hint, key, table)
                self.troubled.add(kind)
                continue
            for index, text in enumerate(texts):
                self._line(kind, text, self.places.string(table, key, index), bool(table))

    def _no_kind(self, key: str, kinds: Sequence[str], table: str) -> None:
        known = [*kinds, *(() if table else (*HEADER, "always"))]
        from difflib import get_close_matches

        close = get_close_matches(key.lower(), known, 1)
        hint = f"did you mean {close[0]}?" if close else f"the kinds are: {', '.join(kinds)}"
        self._note(2, f'"{key[:60]}" is not a kind of order in this game', hint, key, table)
        self.troubled |= set(self.asked)  # the text may have been meant for any of these kinds

    def _enough(self) -> bool:
        """Return whether too much is wrong to read on; if so, add one note that says this."""
        wrong = sum(note.code in ("PBEM-ORD-002", "PBEM-ORD-020") for note in self.draft.notes)
        if wrong == MOST_WRONG:
            told = f"more than {MOST_WRONG} lines are wrong, so pbem did not read the rest"
            hint = "fix these first, then check again"
            self._add(2, told, hint, self.places.end)
        return wrong >= MOST_WRONG

    def _line(self, kind: str, text: str, spot: Spot | None, always: bool) -> None:
        if self._enough():
            return
        if len(self.draft.lines) >= MAX_LINES:
            self._too_long(f"more than {MAX_LINES} lines", spot)
            return
        options = self._options(kind, always)
        meant = self._meant(kind, text, options, always) if len(text) <= MOST_LETTERS else Meant()
        if not meant.sentence:
            self._unreadable(kind, text, meant.candidates, options, spot)
            self.troubled.add(kind)
            return
        self.draft.lines.append(Line(len(self.draft.lines) + 1, kind, meant.sentence, always))
        self.draft.spots.append(spot)

    def _meant(self, kind: str, text: str, options: list[str], always: bool) -> Meant:
        ruleset = self.view.play.ruleset
        if kind == STOP:
            stop = re.sub(r"^(stop )?when ", "", _plain(text))
            return Meant(stop if ruleset.stop_lines.read(stop) else "")
        if ready := exact_line(ruleset, kind, text, self.view.names):
            return Meant(ready)
        meant = self.wording.read(text, options, standing=always)
        if meant.sentence:
            return meant
        begun = begun_line(ruleset, kind, text)
        return begun if begun.sentence or begun.candidates else meant

    def _too_long(self, what: str, spot: Spot | None) -> None:
        if all(note.code != "PBEM-ORD-025" for note in self.draft.notes):
            hint = "leave some out; one line with * can replace many"
            self._add(25, what, hint, spot)

    def _options(self, kind: str, always: bool) -> list[str]:
        asked, script = self.asked.get(kind), None
        if kind != STOP and not always and self.view.play.ruleset.kinds[kind].script:
            script = LineChecker(self.view.table, self.view.seat, self.draft.lines).script(kind)
        if script is None:
            return asked.listed() if asked is not None and not asked.script else []
        steps: list[str] = []
        listed = script.listed(steps)
        for line in self.draft.lines:
            if line.kind == kind and not line.always and line.text in listed:
                if line.text == DONE:
                    return []
                steps.append(line.text)
                listed = script.listed(steps)
        return listed

    def _unreadable(
        self,
        kind: str,
        text: str,
        candidates: Sequence[str],
        options: Sequence[str],
        spot: Spot | None,
    ) -> None:
        shown = text if len(text) <= 80 else f"{text[:77]}…"
        what = f'"{shown}" is not an order that this game understands'
        if kind == STOP:
            what = f'"{shown}" is not a stop: standing orders cannot stop at it'
        if candidates:
            what = f'"{shown}" can mean several things'
        elif strange := strangers(text):
            what = f"{what}: there is {strange} in it"
        elif "*" in text and not self._shaped(text):
            what = f"{what}: * stands for a name, such as a1, and never for a card"
        close = candidates
        if not close:
            from difflib import get_close_matches

            known = {bare(option): option for option in options}
            tidy = self.wording.tidy(text[:200])
            close = [known[option] for option in get_close_matches(tidy, list(known), 5, 0.6)]
        hint = f"did you mean: {', '.join(quoted(close[:5]))}?" if close else ""
        hint = hint or hint_of_legal(options, text) or self._shaped(text)
        self._add(20, what, spaced(hint), spot)

    def _shaped(self, text: str) -> str:
        templates = self.view.play.ruleset.forms.templates.values()
        shapes = dict.fromkeys(re.sub(r"\{\w+\}", "…", template) for template in templates)
        said = [shape for shape in shapes if {*text.lower().split()} & {*shape.split()}]
        return f"write it like this: {', '.join(quoted(said[:3]))}" if said else ""

    def _note(self, code: int, what: str, hint: str, key: str, table: str = "") -> None:
        self._add(code, what, hint, self.places.key(table, key))

    def _add(self, code: int, what: str, hint: str, spot: Spot | None) -> None:
        self.draft.notes.append(Note(f"PBEM-ORD-{code:03}", "error", what, hint, spot))


def quoted(options: Sequence[str]) -> list[str]:
    """Write options as order files write them."""
    return [f'"{bare(option)}"' for option in options]


def answered(data: bytes, view: View) -> bool:
    """Return whether an order file answers the turn that is here, or names no turn."""
    try:
        doc = parse(data.decode("utf-8-sig"))
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
