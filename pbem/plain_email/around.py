"""Find what a person added to a reply: without quotes, what introduces them, and what programs add.

Structure decides, not languages: where a quote begins, what has an address or a time, what `pbem`
itself sent. docs/mail.md says what each part is recognized by.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from importlib.resources import files
from itertools import takewhile
from typing import Final, NamedTuple

ABOVE: Final = "-+-+- Please write your answer above this line. -+-+-"
"""The line of our emails above which players write their answers."""
MOST_LINES: Final = 400
_MOST_COLUMNS: Final = 1200  # a message to other players has at most 1,000
_PLAIN: Final = str.maketrans(
    dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—−", "-")
)
_TOML: Final = tomllib.loads(files("pbem.plain_email").joinpath("footers.toml").read_text("utf-8"))
_FOOTERS: Final = {name: re.compile("|".join(parts), re.I) for name, parts in _TOML.items()}
_ONE_MARK = re.compile(r"\s{0,3}[A-Z]{0,3}[>|]\s?")
_MARK = re.compile(rf"(?:{_ONE_MARK.pattern})+")
_MOST_MARKS: Final = 20
_TIME = re.compile(r"\b\d{1,2}\s?[:.h]\s?\d\d\b|\b(?:19|20)\d\d\b|\d\d?[年月日]")
_LABEL = re.compile(r"[\s*]*[^\W\d][^:@<>]{0,24}\*?\s?[:：]\*?\s*\S")
_HEADER = re.compile(rf"{_LABEL.pattern}|[\s*]*[^\W\d]\S{{0,15}}\s.*@\S+\.\w+>?\s*$")
_BAR = re.compile(r"[\s*]*[-_=*]{3,}.{0,60}?[-_=*]*[\s*]*")
_TITLED_BAR = re.compile(r"[-_=*]{4,}\s*[^\W\d_][^\d]{1,60}?[-_=*]{4,}")
_SIGNED = re.compile(r"\s*(?:- )?(?:--|—|__+|-{3,}|\*{3,}|={3,})\s*")
_BANNER = re.compile(
    r".*(?:https?://|<http|www\.)"
    r"|(?=.{21})\W{0,3}(?:\[[^\]]{4,40}\]|[^\W\d_a-z]{5,}\s?[^\W\d_a-z]*\s?[:!\]])"
)
_FRAME = re.compile(
    r"(?m)^-----BEGIN PGP SIGN(?:ED.*(?:\n.+)*+|ATURE(?s:.*?)(?:^-----END PGP SIGNATURE.*|\Z))"
)
"""The lines of PGP above and below a signed text."""
_NUMBER = re.compile(r"(?<![^\W_])\d{1,3}(?![^\W_])")


class OwnLine(NamedTuple):
    """A line that a person wrote."""

    text: str
    paragraph: int
    """Its paragraph, counted from 1."""
    is_signed: bool = False
    """Whether it stands below the writer's name or a sign-off of one line."""


class OwnText(NamedTuple):
    """The lines that a person added to a turn email."""

    lines: list[OwnLine]
    quoted: Sequence[str] = ()
    """Lines that are marked as quoted, but are from no email of this turn."""
    above: Sequence[str] = ()
    """The lines above everything that is quoted."""


def plain(line: str) -> str:
    """Return a line without odd spaces, invisible characters, typographic quotes and dashes."""
    text = unicodedata.normalize("NFKC", line[:_MOST_COLUMNS].replace("№", "#"))[:_MOST_COLUMNS]
    signs = (s for s in text if s.isspace() or unicodedata.category(s) not in ("Cc", "Cf"))
    return " ".join("".join(signs).translate(_PLAIN).split())


def own_text(
    text: str, sent: str = "", writers: Sequence[str] = (), referee: Sequence[str] = ()
) -> OwnText:
    """Separate the text of a reply; `sent` is what `pbem` sent under its code.

    `writers` are names and addresses of the person who replies, `referee` those of the referee.
    """
    lines = [plain(row) for row in text.replace("\r\n", "\n").split("\n")[: 4 * MOST_LINES]]
    unframed = _FRAME.sub("", "\n".join(lines)).split("\n")
    return _Separation(unframed, sent, referee).own(writers)


def _squeezed(text: str) -> str:
    return " ".join(plain(word) for word in text.lower().replace("*", " ").split())


class _Separation:
    """Gives each line a kind, a letter: `o` own, ` ` empty, `s` sent by us, `f` foreign (marked as
    quoted, and not from us), `m` a mark without text, `h` head (it introduces what is quoted)."""

    def __init__(self, lines: list[str], sent: str, referee: Sequence[str]) -> None:
        self.lines, self.referee = lines, [name.lower() for name in referee if name]
        self.sent_text = _squeezed(sent)
        self.sent_rows = {_squeezed(row) for row in sent.split("\n")} - {""}
        begin = self._unmarked_from()
        self.kinds = "".join(self._kind(line, at >= begin) for at, line in enumerate(lines))
        for quote in re.finditer("(?<![sfm])[sfm]", self.kinds):
            self._head(self._introduced_from(quote.start()), quote.start())
        for at, line in enumerate(lines):
            if self.kinds[at] in "oh" and (length := self._block_length(at)):
                has_quote = re.search("[sf]", self.kinds[at:])
                self._head(at, at + length if has_quote else len(lines))
            elif self.kinds[at] == "o" and line[-1] in ":：" and self._marks(line) > 1:
                self._head(at, at + 1)

    def _head(self, begin: int, end: int) -> None:
        heads = re.sub(r"\S", "h", self.kinds[begin:end])
        self.kinds = self.kinds[:begin] + heads + self.kinds[end:]

    def _kind(self, line: str, is_below: bool) -> str:
        if not line.strip("> |"):
            return "m" if line else " "
        rest = [line]  # with fewer and fewer marks: what we sent may have a mark itself
        while len(rest) < _MOST_MARKS and (mark := _ONE_MARK.match(rest[-1])):
            rest.append(rest[-1][mark.end() :])
        rows = [_squeezed(row) for row in rest if len(rest) > 1 or is_below]
        if any(row in self.sent_rows or (len(row) > 3 and row in self.sent_text) for row in rows):
            return "s"
        return "f" if len(rest) > 1 else "h" if _TITLED_BAR.fullmatch(line) else "o"

    def _unmarked_from(self) -> int:
        """Return the line from which on our own email stands without marks."""
        for at, line in enumerate(self.lines):
            if not line or _MARK.match(line):
                continue
            if _squeezed(ABOVE).strip("-+ ") in line.lower():
                return at
            rows = [_squeezed(row) for row in self.lines[at : at + 8] if row][:4]
            are_sent = [row in self.sent_rows for row in rows]
            if are_sent[1:2] == [True] and line[-1] in ":：" and self._marks(line) > 1:
                return at + 1
            if sum(are_sent) > 2 and len(rows[0]) > 9:
                return at
        return len(self.lines)

    def _marks(self, text: str) -> int:
        """Count what attributions have: an address, a time, the referee's name."""
        names = any(name in text.lower() for name in self.referee)
        return ("@" in text) + bool(_TIME.search(text)) + names

    def _introduced_from(self, quote: int) -> int:
        """Return where the lines begin that introduce a quote: in the paragraph directly above it,
        which ends with a colon or has an address."""
        above = re.search("(o{1,6}) {0,3}$", self.kinds[max(0, quote - 9) : quote])
        if not above:
            return quote
        end = quote - len(above[0]) + len(above[1])
        rows = self.lines[end - len(above[1]) : end]
        text = " ".join(rows)
        marks, has_colon = self._marks(text), bool(re.search(r"[:：]\W{0,2}$", text))
        has_address = "@" in text and marks >= 2 and len(rows[-1]) > 12
        if not (has_address or (has_colon and marks)):
            return quote
        marked = [at for at, row in enumerate(rows) if self._marks(row) or _BAR.fullmatch(row)]
        at = marked[0] if marked else len(rows) - 1
        while at and len(rows[at - 1]) + 1 + len(rows[at].split()[0]) > 58:  # a program wrapped it
            at -= 1
        return end - len(rows) + at

    def _block_length(self, at: int) -> int:
        """Return the length of a block of `Label: value` lines, or of a bar above lines with an
        address; 0 for any other line."""
        line = self.lines[at]
        has_bar = bool(_BAR.fullmatch(line) and re.search(r"[^\W\d_]{3}|_{8}|-{8}", line))
        is_titled = bool(_TITLED_BAR.fullmatch(line))
        begin = at + has_bar + int(has_bar and self.lines[at + 1 : at + 2] == [""])
        kinds = self.kinds[begin : begin + 9]
        length = len(kinds) - len(kinds.lstrip("os" if is_titled else "o"))  # we may quote a head
        rows = self.lines[begin : begin + length]
        rows = [*takewhile(lambda row: has_bar or _HEADER.match(row), rows)]
        rows = [*takewhile(lambda row: not _SIGNED.fullmatch(row), rows)]
        text = " ".join(rows)
        labels = sum(bool(_LABEL.match(row)) for row in rows)
        is_head = is_titled and labels > 1 and self._marks(rows[0]) > 0
        is_head = is_head or (labels > 2 and bool("@" in text or _TIME.search(text)))
        is_head = is_head or (has_bar and "@" in text and len(rows) > 1)
        return begin - at + len(rows) if is_head else 0

    # -------------------------------------------------------------- what is left
    def own(self, writers: Sequence[str]) -> OwnText:
        """Return the lines that are left, without banners, signatures and small print."""
        own, foreign = list[OwnLine](), list[str]()
        is_small, paragraph, gap = False, 0, True
        for line, kind in zip(self.lines, self.kinds, strict=True):
            if kind == "o":
                is_legal = len(line) > 30 and _FOOTERS["legal"].search(line)
                is_small = bool(is_small or is_legal or _SIGNED.fullmatch(line))
                if not (is_small or _FOOTERS["small_print"].match(line.lstrip('([*-" '))):
                    paragraph, gap = paragraph + gap, False
                    own.append(OwnLine(line, paragraph))
            else:
                is_small, gap = is_small and kind == " ", True
                foreign += [_MARK.sub("", line, count=1)] if kind == "f" else []
        end = len(self.kinds) - len(self.kinds.lstrip("o "))
        lines = _without_signature(_without_banner(own, writers), writers)
        return OwnText(lines[:MOST_LINES], foreign, [line for line in self.lines[:end] if line])


def _without_banner(own: list[OwnLine], writers: Sequence[str]) -> list[OwnLine]:
    """Drop a first paragraph that a mail server put above the answer: it has a link, the writer's
    own address, or a shout, and no number."""
    first = [line.text for line in own if line.paragraph == own[0].paragraph]
    text = " ".join(first)
    has_own_address = any("@" in name and name.lower() in text.lower() for name in writers)
    has_number = _NUMBER.search(re.sub(r"\S*(?:://|@)\S*", "", text))
    is_banner = (has_own_address or _BANNER.match(text)) and not has_number
    return own[len(first) :] if is_banner and len(own) > len(first) else own


def _without_signature(own: list[OwnLine], writers: Sequence[str]) -> list[OwnLine]:
    """Drop the lines below the writer's name in its paragraph, if an answer stands above it."""
    names = {name.split()[0].lower() for name in writers if name and "@" not in name}
    kept, signature = list[OwnLine](), 0
    for at, line in enumerate(own):
        words = re.findall(r"[^\W\d_]+", line.text.lower())
        is_name = words[:1] and words[0] in names and len(words) <= 4
        if at and is_name and not signature and not re.search(r"\d|\?", line.text):
            signature = line.paragraph
        elif line.paragraph != signature:
            kept.append(line._replace(is_signed=bool(signature)))
    return kept
