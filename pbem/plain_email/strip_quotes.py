"""Find the lines that a person added to a reply: drop quotes, their headings, signatures, banners.

Structure decides, not languages: where a quote begins, which lines have an address or a time, and
which lines `pbem` itself sent. docs/mail.md lists the signs of each part.
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
    """A line that the person who replies wrote."""

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
    """Return a line without odd spaces, invisible characters, typographic quotes and dashes, and
    without the columns after `_MAX_COLUMNS`."""
    text = unicodedata.normalize("NFKC", line[:_MAX_COLUMNS].replace("№", "#"))[:_MAX_COLUMNS]
    signs = (s for s in text if s.isspace() or unicodedata.category(s) not in ("Cc", "Cf"))
    return " ".join("".join(signs).translate(_PLAIN_SIGNS).split())


def extract_own_text(
    text: str, sent_email: str = "", writers: Sequence[str] = (), referee: Sequence[str] = ()
) -> OwnText:
    """Return the lines that the writer of a reply added to the email that they answer.

    `text` is the whole text of the reply. `sent_email` is the text that `pbem` sent under the
    reply's code, so that it is recognized even without quote marks. `writers` are names and
    addresses of the person who replies, `referee` names and addresses of the referee.
    """
    lines = [normalize_line(row) for row in text.replace("\r\n", "\n").split("\n")[: 4 * MAX_LINES]]
    unframed = _PGP_FRAME_PATTERN.sub("", "\n".join(lines)).split("\n")
    return _LineClassifier(unframed, sent_email, referee).collect_own_lines(writers)


def _squeeze(text: str) -> str:
    """Return a text in lower case on one line, without `*`, for comparisons."""
    return " ".join(normalize_line(word) for word in text.lower().replace("*", " ").split())


class _LineClassifier:
    """Gives each line of a reply a kind, which is one letter of `kinds`.

    `o`: the writer's own. A space: empty. `s`: sent by `pbem`. `f`: marked as quoted, but not sent
    by `pbem`. `m`: a quote mark without text. `h`: heading of a quote, as `Bo wrote:`.
    """

    def __init__(self, lines: list[str], sent_email: str, referee: Sequence[str]) -> None:
        """Set the kind of each line. `sent_email` and `referee` are those of `extract_own_text`."""
        self.lines, self.referee = lines, [name.lower() for name in referee if name]
        self.flat_email = _squeeze(sent_email)
        self.email_rows = {_squeeze(row) for row in sent_email.split("\n")} - {""}
        unmarked_from = self._find_unmarked_email()
        self.kinds = "".join(
            self._kind_of(line, index >= unmarked_from) for index, line in enumerate(lines)
        )
        for quote in re.finditer("(?<![sfm])[sfm]", self.kinds):
            self._mark_as_heading(self._find_introduction(quote.start()), quote.start())
        for index, line in enumerate(lines):
            length = self._heading_block_length(index) if self.kinds[index] in "oh" else 0
            if length:
                has_quote = re.search("[sf]", self.kinds[index:])
                self._mark_as_heading(index, index + length if has_quote else len(lines))
            elif self.kinds[index] == "o" and self._is_attribution(line):
                self._mark_as_heading(index, index + 1)

    def _mark_as_heading(self, begin: int, end: int) -> None:
        """Set the kind of the lines from `begin` to before `end`, except empty ones, to `h`."""
        headings = re.sub(r"\S", "h", self.kinds[begin:end])
        self.kinds = self.kinds[:begin] + headings + self.kinds[end:]

    def _kind_of(self, line: str, is_below: bool) -> str:
        """Return the kind of a line by itself. `is_below`: from here on, the email that `pbem` sent
        stands without quote marks."""
        if not line.strip("> |"):
            return "m" if line else " "
        variants = [
            line
        ]  # with fewer and fewer quote marks: a line that we sent may begin with one
        while len(variants) < _MAX_MARKS and (mark := _SINGLE_MARK_PATTERN.match(variants[-1])):
            variants.append(variants[-1][mark.end() :])
        is_marked = len(variants) > 1
        if is_marked or is_below:
            for row in map(_squeeze, variants):
                if row in self.email_rows or (len(row) > 3 and row in self.flat_email):
                    return "s"
        if is_marked:
            return "f"
        return "h" if _TITLED_BAR_PATTERN.fullmatch(line) else "o"

    def _find_unmarked_email(self) -> int:
        """Return the index of the first line of the sent email if it stands there without quote
        marks; the number of lines if it does not."""
        for index, line in enumerate(self.lines):
            if not line or _MARKS_PATTERN.match(line):
                continue
            if _squeeze(ANSWER_LINE).strip("-+ ") in line.lower():
                return index
            rows = [_squeeze(row) for row in self.lines[index : index + 8] if row][:4]
            are_sent = [row in self.email_rows for row in rows]
            if are_sent[1:2] == [True] and self._is_attribution(line):
                return index + 1
            if sum(are_sent) > 2 and len(rows[0]) > 9:
                return index
        return len(self.lines)

    def _is_attribution(self, line: str) -> bool:
        """Whether a line introduces a quote by itself, as `On 2 May 2026, Rhea <rhea@…> wrote:`."""
        return line[-1] in ":：" and self._count_attribution_signs(line) > 1

    def _count_attribution_signs(self, text: str) -> int:
        """Return how many of three signs of attributions a text has: an address, a time, the
        referee's name."""
        names_referee = any(name in text.lower() for name in self.referee)
        return ("@" in text) + bool(_TIME_PATTERN.search(text)) + names_referee

    def _find_introduction(self, quote_begin: int) -> int:
        """Return the index of the first line that introduces a quote; `quote_begin` if none does.

        The introduction is in the paragraph directly above the quote, which ends with a colon or
        has an address.
        """
        match = re.search("(o{1,6}) {0,3}$", self.kinds[max(0, quote_begin - 9) : quote_begin])
        if not match:
            return quote_begin
        end = quote_begin - len(match[0]) + len(match[1])
        rows = self.lines[end - len(match[1]) : end]
        paragraph = " ".join(rows)
        sign_count = self._count_attribution_signs(paragraph)
        has_colon = bool(re.search(r"[:：]\W{0,2}$", paragraph))
        has_address = "@" in paragraph and sign_count >= 2 and len(rows[-1]) > 12
        if not (has_address or (has_colon and sign_count)):
            return quote_begin
        begin = len(rows) - 1
        for index, row in enumerate(rows):
            if self._count_attribution_signs(row) or _BAR_PATTERN.fullmatch(row):
                begin = index
                break
        # the row before is part of it if its mail program wrapped there
        while begin and len(rows[begin - 1]) + 1 + len(rows[begin].split()[0]) > 58:
            begin -= 1
        return end - len(rows) + begin

    def _heading_block_length(self, index: int) -> int:
        """Return the number of lines of a quote's heading that begins at a line, else 0.

        It consists of at least three `Label: value` lines (`From:`, `Date:` …) with an address or a
        time; or of a bar and lines with an address; or of a bar with a title (`---- Original
        Message ----`), whose first line names the sender, and at least two labels. A short bar
        (`---`) without words may be the writer's own.
        """
        line = self.lines[index]
        has_bar = bool(_BAR_PATTERN.fullmatch(line) and re.search(r"[^\W\d_]{3}|_{8}|-{8}", line))
        is_titled = bool(_TITLED_BAR_PATTERN.fullmatch(line))
        begin = index + has_bar + int(has_bar and self.lines[index + 1 : index + 2] == [""])
        next_kinds = self.kinds[begin : begin + 9]
        # below a title, a line of the heading may also stand in the email that `pbem` sent
        heading_kinds = "os" if is_titled else "o"
        length = len(next_kinds) - len(next_kinds.lstrip(heading_kinds))
        rows = self.lines[begin : begin + length]
        rows = [*takewhile(lambda row: has_bar or _HEADER_PATTERN.match(row), rows)]
        rows = [*takewhile(lambda row: not _SIGNATURE_PATTERN.fullmatch(row), rows)]
        text = " ".join(rows)
        label_count = sum(bool(_LABEL_PATTERN.match(row)) for row in rows)
        is_heading = (
            (is_titled and label_count > 1 and self._count_attribution_signs(rows[0]) > 0)
            or (label_count > 2 and bool("@" in text or _TIME_PATTERN.search(text)))
            or (has_bar and "@" in text and len(rows) > 1)
        )
        return begin - index + len(rows) if is_heading else 0

    # -------------------------------------------------------------- what is left
    def collect_own_lines(self, writers: Sequence[str]) -> OwnText:
        """Return the lines of kind `o`, without banners, signatures and small print, and the quoted
        lines that are not from `pbem`. `writers` are names and addresses of who replies."""
        own_lines, quoted_lines = list[OwnLine](), list[str]()
        is_small_print, paragraph, has_gap = False, 0, True
        for line, kind in zip(self.lines, self.kinds, strict=True):
            if kind != "o":
                # an empty line does not end small print; a quote does
                is_small_print, has_gap = is_small_print and kind == " ", True
                if kind == "f":
                    quoted_lines.append(_MARKS_PATTERN.sub("", line, count=1))
                continue
            is_legal = len(line) > 30 and _FOOTER_PATTERNS["legal"].search(line)
            is_small_print = bool(is_small_print or is_legal or _SIGNATURE_PATTERN.fullmatch(line))
            is_footer = _FOOTER_PATTERNS["small_print"].match(line.lstrip('([*-" '))
            if not (is_small_print or is_footer):
                paragraph, has_gap = paragraph + has_gap, False
                own_lines.append(OwnLine(line, paragraph))
        first_end = len(self.kinds) - len(self.kinds.lstrip("o "))
        lines = _without_signature(_without_banner(own_lines, writers), writers)
        first_lines = [line for line in self.lines[:first_end] if line]
        return OwnText(lines[:MAX_LINES], quoted_lines, first_lines)


def _without_banner(own_lines: list[OwnLine], writers: Sequence[str]) -> list[OwnLine]:
    """Return the lines without a first paragraph that a mail server put above the answer: it has a
    link, the writer's own address, or words in capitals or brackets, and no number. If nothing else
    is there, it stays."""
    first_rows = [line.text for line in own_lines if line.paragraph == own_lines[0].paragraph]
    text = " ".join(first_rows)
    has_own_address = any("@" in name and name.lower() in text.lower() for name in writers)
    has_number = _NUMBER_PATTERN.search(re.sub(r"\S*(?:://|@)\S*", "", text))
    is_banner = (has_own_address or _BANNER_PATTERN.match(text)) and not has_number
    if is_banner and len(own_lines) > len(first_rows):
        return own_lines[len(first_rows) :]
    return own_lines


def _without_signature(own_lines: list[OwnLine], writers: Sequence[str]) -> list[OwnLine]:
    """Return the lines without the lines below the writer's name in the name's paragraph. A name
    above every answer is a greeting, not a signature."""
    names = {name.split()[0].lower() for name in writers if name and "@" not in name}
    kept_lines, signature_paragraph = list[OwnLine](), 0
    for index, line in enumerate(own_lines):
        words = re.findall(r"[^\W\d_]+", line.text.lower())
        is_name = words[:1] and words[0] in names and len(words) <= 4
        is_signature = index and is_name and not re.search(r"\d|\?", line.text)
        if is_signature and not signature_paragraph:
            signature_paragraph = line.paragraph
        elif line.paragraph != signature_paragraph:
            kept_lines.append(line._replace(is_signed=bool(signature_paragraph)))
    return kept_lines
