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

ANSWER_LINE: Final = "-+-+- Please write your answer above this line. -+-+-"
"""The line of our emails above which players write their answers."""
MAX_LINES: Final = 400
_MAX_COLUMNS: Final = 1200  # a message to other players has at most 1,000
_PLAIN_SIGNS: Final = str.maketrans(
    dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—−", "-")
)
_TOML: Final = tomllib.loads(files("pbem.plain_email").joinpath("footers.toml").read_text("utf-8"))
_FOOTER_PATTERNS: Final = {name: re.compile("|".join(parts), re.I) for name, parts in _TOML.items()}
_SINGLE_MARK_PATTERN = re.compile(r"\s{0,3}[A-Z]{0,3}[>|]\s?")
_MARKS_PATTERN = re.compile(rf"(?:{_SINGLE_MARK_PATTERN.pattern})+")
_MAX_MARKS: Final = 20
_TIME_PATTERN = re.compile(r"\b\d{1,2}\s?[:.h]\s?\d\d\b|\b(?:19|20)\d\d\b|\d\d?[年月日]")
_LABEL_PATTERN = re.compile(r"[\s*]*[^\W\d][^:@<>]{0,24}\*?\s?[:：]\*?\s*\S")
_HEADER_PATTERN = re.compile(
    rf"{_LABEL_PATTERN.pattern}|[\s*]*[^\W\d]\S{{0,15}}\s.*@\S+\.\w+>?\s*$"
)
_BAR_PATTERN = re.compile(r"[\s*]*[-_=*]{3,}.{0,60}?[-_=*]*[\s*]*")
_TITLED_BAR_PATTERN = re.compile(r"[-_=*]{4,}\s*[^\W\d_][^\d]{1,60}?[-_=*]{4,}")
_SIGNATURE_PATTERN = re.compile(r"\s*(?:- )?(?:--|—|__+|-{3,}|\*{3,}|={3,})\s*")
_BANNER_PATTERN = re.compile(
    r".*(?:https?://|<http|www\.)"
    r"|(?=.{21})\W{0,3}(?:\[[^\]]{4,40}\]|[^\W\d_a-z]{5,}\s?[^\W\d_a-z]*\s?[:!\]])"
)
_PGP_FRAME_PATTERN = re.compile(
    r"(?m)^-----BEGIN PGP SIGN(?:ED.*(?:\n.+)*+|ATURE(?s:.*?)(?:^-----END PGP SIGNATURE.*|\Z))"
)
"""The lines of PGP above and below a signed text."""
_NUMBER_PATTERN = re.compile(r"(?<![^\W_])\d{1,3}(?![^\W_])")


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
    quoted_lines: Sequence[str] = ()
    """Lines that are marked as quoted, but are from no email of this turn."""
    first_lines: Sequence[str] = ()
    """The lines above everything that is quoted."""


def normalize_line(line: str) -> str:
    """Return a line without odd spaces, invisible characters, typographic quotes and dashes."""
    text = unicodedata.normalize("NFKC", line[:_MAX_COLUMNS].replace("№", "#"))[:_MAX_COLUMNS]
    signs = (s for s in text if s.isspace() or unicodedata.category(s) not in ("Cc", "Cf"))
    return " ".join("".join(signs).translate(_PLAIN_SIGNS).split())


def extract_own_text(
    text: str, sent_email: str = "", writers: Sequence[str] = (), referee: Sequence[str] = ()
) -> OwnText:
    """Separate the text of a reply; `sent` is what `pbem` sent under its code.

    `writers` are names and addresses of the person who replies, `referee` those of the referee.
    """
    lines = [normalize_line(row) for row in text.replace("\r\n", "\n").split("\n")[: 4 * MAX_LINES]]
    unframed = _PGP_FRAME_PATTERN.sub("", "\n".join(lines)).split("\n")
    return _LineClassifier(unframed, sent_email, referee).collect_own_lines(writers)


def _squeeze(text: str) -> str:
    return " ".join(normalize_line(word) for word in text.lower().replace("*", " ").split())


class _LineClassifier:
    """Gives each line a kind, a letter: `o` own, ` ` empty, `s` sent by us, `f` foreign (marked as
    quoted, and not from us), `m` a mark without text, `h` head (it introduces what is quoted)."""

    def __init__(self, lines: list[str], sent_email: str, referee: Sequence[str]) -> None:
        self.lines, self.referee = lines, [name.lower() for name in referee if name]
        self.flat_email = _squeeze(sent_email)
        self.email_rows = {_squeeze(row) for row in sent_email.split("\n")} - {""}
        unmarked_from = self._find_unmarked_email()
        self.kinds = "".join(
            self._kind_of(line, index >= unmarked_from) for index, line in enumerate(lines)
        )
        for quote in re.finditer("(?<![sfm])[sfm]", self.kinds):
            self._mark_as_head(self._find_introduction(quote.start()), quote.start())
        for index, line in enumerate(lines):
            if self.kinds[index] in "oh" and (length := self._head_block_length(index)):
                has_quote = re.search("[sf]", self.kinds[index:])
                self._mark_as_head(index, index + length if has_quote else len(lines))
            elif (
                self.kinds[index] == "o"
                and line[-1] in ":："
                and self._count_attribution_signs(line) > 1
            ):
                self._mark_as_head(index, index + 1)

    def _mark_as_head(self, begin: int, end: int) -> None:
        heads = re.sub(r"\S", "h", self.kinds[begin:end])
        self.kinds = self.kinds[:begin] + heads + self.kinds[end:]

    def _kind_of(self, line: str, is_below: bool) -> str:
        if not line.strip("> |"):
            return "m" if line else " "
        variants = [line]  # with fewer and fewer marks: what we sent may have a mark itself
        while len(variants) < _MAX_MARKS and (mark := _SINGLE_MARK_PATTERN.match(variants[-1])):
            variants.append(variants[-1][mark.end() :])
        squeezed_variants = [_squeeze(row) for row in variants if len(variants) > 1 or is_below]
        if any(
            row in self.email_rows or (len(row) > 3 and row in self.flat_email)
            for row in squeezed_variants
        ):
            return "s"
        return "f" if len(variants) > 1 else "h" if _TITLED_BAR_PATTERN.fullmatch(line) else "o"

    def _find_unmarked_email(self) -> int:
        """Return the line from which on our own email stands without marks."""
        for index, line in enumerate(self.lines):
            if not line or _MARKS_PATTERN.match(line):
                continue
            if _squeeze(ANSWER_LINE).strip("-+ ") in line.lower():
                return index
            rows = [_squeeze(row) for row in self.lines[index : index + 8] if row][:4]
            are_sent = [row in self.email_rows for row in rows]
            if (
                are_sent[1:2] == [True]
                and line[-1] in ":："
                and self._count_attribution_signs(line) > 1
            ):
                return index + 1
            if sum(are_sent) > 2 and len(rows[0]) > 9:
                return index
        return len(self.lines)

    def _count_attribution_signs(self, text: str) -> int:
        """Count what attributions have: an address, a time, the referee's name."""
        names = any(name in text.lower() for name in self.referee)
        return ("@" in text) + bool(_TIME_PATTERN.search(text)) + names

    def _find_introduction(self, quote_begin: int) -> int:
        """Return where the lines begin that introduce a quote: in the paragraph directly above it,
        which ends with a colon or has an address."""
        match = re.search("(o{1,6}) {0,3}$", self.kinds[max(0, quote_begin - 9) : quote_begin])
        if not match:
            return quote_begin
        end = quote_begin - len(match[0]) + len(match[1])
        rows = self.lines[end - len(match[1]) : end]
        paragraph = " ".join(rows)
        marks, has_colon = (
            self._count_attribution_signs(paragraph),
            bool(re.search(r"[:：]\W{0,2}$", paragraph)),
        )
        has_address = "@" in paragraph and marks >= 2 and len(rows[-1]) > 12
        if not (has_address or (has_colon and marks)):
            return quote_begin
        marked = [
            begin
            for begin, row in enumerate(rows)
            if self._count_attribution_signs(row) or _BAR_PATTERN.fullmatch(row)
        ]
        begin = marked[0] if marked else len(rows) - 1
        while (
            begin and len(rows[begin - 1]) + 1 + len(rows[begin].split()[0]) > 58
        ):  # a program wrapped it
            begin -= 1
        return end - len(rows) + begin

    def _head_block_length(self, index: int) -> int:
        """Return the length of a block of `Label: value` lines, or of a bar above lines with an
        address; 0 for any other line."""
        line = self.lines[index]
        has_bar = bool(_BAR_PATTERN.fullmatch(line) and re.search(r"[^\W\d_]{3}|_{8}|-{8}", line))
        is_titled = bool(_TITLED_BAR_PATTERN.fullmatch(line))
        begin = index + has_bar + int(has_bar and self.lines[index + 1 : index + 2] == [""])
        next_kinds = self.kinds[begin : begin + 9]
        length = len(next_kinds) - len(
            next_kinds.lstrip("os" if is_titled else "o")
        )  # we may quote a head
        rows = self.lines[begin : begin + length]
        rows = [*takewhile(lambda row: has_bar or _HEADER_PATTERN.match(row), rows)]
        rows = [*takewhile(lambda row: not _SIGNATURE_PATTERN.fullmatch(row), rows)]
        text = " ".join(rows)
        labels = sum(bool(_LABEL_PATTERN.match(row)) for row in rows)
        is_head = is_titled and labels > 1 and self._count_attribution_signs(rows[0]) > 0
        is_head = is_head or (labels > 2 and bool("@" in text or _TIME_PATTERN.search(text)))
        is_head = is_head or (has_bar and "@" in text and len(rows) > 1)
        return begin - index + len(rows) if is_head else 0

    # -------------------------------------------------------------- what is left
    def collect_own_lines(self, writers: Sequence[str]) -> OwnText:
        """Return the lines that are left, without banners, signatures and small print."""
        own_lines, quoted_lines = list[OwnLine](), list[str]()
        is_small_print, paragraph, gap = False, 0, True
        for line, kind in zip(self.lines, self.kinds, strict=True):
            if kind == "o":
                is_legal = len(line) > 30 and _FOOTER_PATTERNS["legal"].search(line)
                is_small_print = bool(
                    is_small_print or is_legal or _SIGNATURE_PATTERN.fullmatch(line)
                )
                if not (
                    is_small_print or _FOOTER_PATTERNS["small_print"].match(line.lstrip('([*-" '))
                ):
                    paragraph, gap = paragraph + gap, False
                    own_lines.append(OwnLine(line, paragraph))
            else:
                is_small_print, gap = is_small_print and kind == " ", True
                quoted_lines += [_MARKS_PATTERN.sub("", line, count=1)] if kind == "f" else []
        end = len(self.kinds) - len(self.kinds.lstrip("o "))
        lines = _without_signature(_without_banner(own_lines, writers), writers)
        return OwnText(lines[:MAX_LINES], quoted_lines, [line for line in self.lines[:end] if line])


def _without_banner(own_lines: list[OwnLine], writers: Sequence[str]) -> list[OwnLine]:
    """Drop a first paragraph that a mail server put above the answer: it has a link, the writer's
    own address, or a shout, and no number."""
    first_rows = [line.text for line in own_lines if line.paragraph == own_lines[0].paragraph]
    text = " ".join(first_rows)
    has_own_address = any("@" in name and name.lower() in text.lower() for name in writers)
    has_number = _NUMBER_PATTERN.search(re.sub(r"\S*(?:://|@)\S*", "", text))
    is_banner = (has_own_address or _BANNER_PATTERN.match(text)) and not has_number
    return (
        own_lines[len(first_rows) :]
        if is_banner and len(own_lines) > len(first_rows)
        else own_lines
    )


def _without_signature(own_lines: list[OwnLine], writers: Sequence[str]) -> list[OwnLine]:
    """Drop the lines below the writer's name in its paragraph, if an answer stands above it."""
    names = {name.split()[0].lower() for name in writers if name and "@" not in name}
    kept_lines, signature = list[OwnLine](), 0
    for index, line in enumerate(own_lines):
        words = re.findall(r"[^\W\d_]+", line.text.lower())
        is_name = words[:1] and words[0] in names and len(words) <= 4
        if index and is_name and not signature and not re.search(r"\d|\?", line.text):
            signature = line.paragraph
        elif line.paragraph != signature:
            kept_lines.append(line._replace(is_signed=bool(signature)))
    return kept_lines
