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
from typing import Final, NamedTuple

ABOVE: Final = "-+-+- Please write your answer above this line. -+-+-"
"""The line of our emails above which players write their answers."""
MOST_LINES: Final = 400
_MOST_COLUMNS: Final = 1200  # a message to other players has at most 1,000
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]"
)
_PLAIN: Final = str.maketrans(
    dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—−", "-")
)
_AROUND: Final = {
    name: re.compile("|".join(parts), re.I)
    for name, parts in tomllib.loads(
        files("pbem.mailseats").joinpath("quoted_mail.toml").read_text("utf-8")
    ).items()
}
_ONE_MARK = re.compile(r"\s{0,3}[A-Z]{0,3}[>|]\s?")
_MARK = re.compile(rf"(?:{_ONE_MARK.pattern})+")
_TIME = re.compile(r"\b\d{1,2}\s?[:.h]\s?\d\d\b|\b(?:19|20)\d\d\b|\d\d?[年月日]")
_LABEL = re.compile(r"[\s*]*[^\W\d][^:@<>]{0,24}\*?\s?[:：]\*?\s*\S")
_HEADER = re.compile(rf"{_LABEL.pattern}|[\s*]*[^\W\d]\S{{0,15}}\s.*@\S+\.\w+>?\s*$")
_BAR = re.compile(r"[\s*]*[-_=*]{3,}.{0,60}?[-_=*]*[\s*]*")
_TITLED_BAR = re.compile(r"[-_=*]{4,}\s*[^\W\d_][^\d]{1,60}?[-_=*]{4,}")
_SIGNED = re.compile(r"\s*(?:- )?(?:--|—|__+|-{3,}|\*{3,}|={3,})\s*")
_SHOUT = re.compile(r"\W{0,3}(?:\[[^\]]{4,40}\]|[^\W\d_a-z]{5,}\s?[^\W\d_a-z]*\s?[:!\]])")
_FRAME = re.compile(
    r"^-----BEGIN PGP SIGNED.*(?:\n.+)*+((?s:.*?))"
    r"(?:^-----BEGIN PGP SIGNATURE(?s:.*?)(?:^-----END PGP SIGNATURE.*|\Z)|\Z)",
    re.M,
)
"""A clear-signed PGP mail; what it signs begins below the first empty line."""
_NUMBER = re.compile(r"(?<![^\W_])\d{1,3}(?![^\W_])")


class OwnLine(NamedTuple):
    """A line that a person wrote."""

    text: str
    paragraph: int
    """Its paragraph, counted from 1."""
    is_signed: bool = False
    """Whether it stands below the writer's name or a sign-off of one line."""


class OwnText(NamedTuple):
    """What a person added to a turn email."""

    lines: list[OwnLine]
    quoted: Sequence[str] = ()
    """Lines that are marked as quoted, but are from no email of this turn."""
    above: Sequence[str] = ()
    """The lines above everything that is quoted."""


def plain(line: str) -> str:
    """Return a line without odd spaces, invisible characters, typographic quotes and dashes."""
    said = unicodedata.normalize("NFKC", line[:_MOST_COLUMNS].replace("№", "#"))[:_MOST_COLUMNS]
    return " ".join(_INVISIBLE.sub("", said).translate(_PLAIN).split())


def own_text(
    text: str, sent: str = "", writers: Sequence[str] = (), referee: Sequence[str] = ()
) -> OwnText:
    """Separate the text of a reply; `sent` is what `pbem` sent under its code.

    `writers` are names and addresses of the person who replies, `referee` those of the referee.
    """
    lines = [plain(one) for one in text.replace("\r\n", "\n").split("\n")[: 4 * MOST_LINES]]
    whole = _FRAME.sub(lambda match: match[1].replace("\n- -", "\n-"), "\n".join(lines))
    return _Separation(whole.split("\n"), sent, referee).own(writers)


def _squeezed(text: str) -> str:
    return " ".join(plain(word) for word in text.lower().replace("*", " ").split())


class _Separation:
    """Gives each line a kind: empty, `own`, `sent`, `foreign` (marked, and not from us), `mark` (a
    mark without text) or `head` (it introduces what is quoted)."""

    def __init__(self, lines: list[str], sent: str, referee: Sequence[str]) -> None:
        self.lines, self.referee = lines, [one.lower() for one in referee if one]
        self.said = _squeezed(sent)
        self.rows = {_squeezed(row) for row in sent.split("\n")} - {""}
        begins = self._unmarked_from()
        self.kinds = [self._kind(line, at >= begins) for at, line in enumerate(lines)]
        for at, kind in enumerate(self.kinds):
            if kind in ("sent", "foreign", "mark") and (
                at == 0 or self.kinds[at - 1] in ("own", "")
            ):
                self._head(self._introduced_from(at), at)
        for at in range(len(lines)):
            if self.kinds[at] in ("own", "head") and (length := self._block(at)):
                quotes = {"sent", "foreign"} & {*self.kinds[at:]}
                self._head(at, at + length if quotes else len(lines))
            elif self.kinds[at] == "own" and lines[at][-1] in ":：" and self._marks(lines[at]) > 1:
                self._head(at, at + 1)

    def _head(self, begin: int, end: int) -> None:
        self.kinds[begin:end] = ["head" if kind else "" for kind in self.kinds[begin:end]]

    def _kind(self, line: str, below: bool) -> str:
        quoted, rest = bool(_MARK.match(line)) and bool(line.strip("> |")), line
        while line and (quoted or below):
            bare = _squeezed(rest)
            if bare in self.rows or (len(bare) > 3 and bare in self.said):
                return "sent"
            if (shorter := _ONE_MARK.sub("", rest, count=1)) == rest:
                break
            rest = shorter  # what we sent may have a mark itself
        if not line:
            return ""
        if not line.strip("> |"):
            return "mark"
        return "foreign" if quoted else "head" if _TITLED_BAR.fullmatch(line) else "own"

    def _unmarked_from(self) -> int:
        """Return the line from which on our own email stands without marks."""
        for at, line in enumerate(self.lines):
            if not line or _MARK.match(line):
                continue
            if _squeezed(ABOVE).strip("-+ ") in line.lower():
                return at
            near = [_squeezed(one) for one in self.lines[at : at + 8] if one][:4]
            known = [one in self.rows for one in near]
            if known[1:2] == [True] and line[-1] in ":：" and self._marks(line) > 1:
                return at + 1
            if sum(known) > 2 and len(near[0]) > 9:
                return at
        return len(self.lines)

    def _marks(self, text: str) -> int:
        """Count what attributions have: an address, a time, the referee's name."""
        names = any(one in text.lower() for one in self.referee)
        return ("@" in text) + bool(_TIME.search(text)) + names

    def _introduced_from(self, quote: int) -> int:
        """Return where the lines begin that introduce a quote: in the paragraph directly above it,
        which ends with a colon or has an address."""
        end = quote
        while end and not self.lines[end - 1] and quote - end < 3:
            end -= 1
        begin = end
        while begin and self.kinds[begin - 1] == "own" and end - begin < 6:
            begin -= 1
        part = self.lines[begin:end]
        whole = " ".join(part)
        marks, colon = self._marks(whole), bool(re.search(r"[:：]\W{0,2}$", whole))
        long = bool(part) and len(part[-1]) > 12
        if not ((colon and marks) or ("@" in whole and marks >= 2 and long)):
            return quote
        has = [bool(self._marks(one) or _BAR.fullmatch(one)) for one in part]
        at = has.index(True) if True in has else len(part) - 1
        while at and len(part[at - 1]) + 1 + len(part[at].split()[0]) > 58:  # a program wrapped it
            at -= 1
        return begin + at

    def _block(self, at: int) -> int:
        """Return the length of a block of `Label: value` lines, or of a bar above lines with an
        address; 0 for any other line."""
        line = self.lines[at]
        bar = bool(_BAR.fullmatch(line) and re.search(r"[^\W\d_]{3}|_{8}|-{8}", line))
        begin = at + bar
        begin += bar and begin < len(self.lines) and not self.lines[begin]
        end, titled = begin, bool(_TITLED_BAR.fullmatch(line))
        kinds = ("own", "sent") if titled else ("own",)  # a message that we sent may quote a head
        while end < len(self.lines) and end - begin < 9 and self.kinds[end] in kinds:
            if not (
                _HEADER.match(self.lines[end]) or (bar and not _SIGNED.fullmatch(self.lines[end]))
            ):
                break
            end += 1
        whole = " ".join(self.lines[begin:end])
        labels = sum(bool(_LABEL.match(one)) for one in self.lines[begin:end])
        is_titled = titled and labels > 1 and self._marks(self.lines[begin])
        is_block = is_titled or (labels > 2 and ("@" in whole or _TIME.search(whole)))
        return end - at if is_block or (bar and "@" in whole and end - begin >= 2) else 0

    # -------------------------------------------------------------- what is left
    def own(self, writers: Sequence[str]) -> OwnText:
        """Return the lines that are left, without banners, signatures and small print."""
        found, foreign = list[OwnLine](), list[str]()
        small, paragraph, gap, above = False, 0, True, -1
        for line, kind in zip(self.lines, self.kinds, strict=True):
            if kind not in ("own", ""):
                above = len(found) if above < 0 else above
                small, gap = False, True
                foreign += [_MARK.sub("", line, count=1)] if kind == "foreign" else []
            elif not line:
                gap = True
            else:
                small = small or bool(_SIGNED.fullmatch(line))
                small = small or (bool(_AROUND["legal"].search(line)) and len(line) > 30)
                if not (small or _AROUND["small_print"].match(line.lstrip('([*-" '))):
                    paragraph, gap = paragraph + gap, False
                    found.append(OwnLine(line, paragraph))
        first = [one.text for one in (found if above < 0 else found[:above])]
        lines = _without_signature(_without_banner(found, writers), writers)
        return OwnText(lines[:MOST_LINES], foreign, first)


def _without_banner(own: list[OwnLine], writers: Sequence[str]) -> list[OwnLine]:
    """Drop a first paragraph that a mail server put above the answer: it has a link, the writer's
    own address, or a shout, and no number."""
    first = [one.text for one in own if one.paragraph == own[0].paragraph]
    whole = " ".join(first)
    mine = any("@" in one and one.lower() in whole.lower() for one in writers)
    banner = mine or bool(re.search(r"https?://|<http|www\.", whole))
    banner = banner or bool(_SHOUT.match(whole) and len(whole) > 20)
    has_number = _NUMBER.search(re.sub(r"\S*(?:://|@)\S*", "", whole))
    return own[len(first) :] if banner and not has_number and len(own) > len(first) else own


def _without_signature(own: list[OwnLine], writers: Sequence[str]) -> list[OwnLine]:
    """Drop the lines below the writer's name in its paragraph, if an answer stands above it."""
    names = {one.split()[0].lower() for one in writers if one and "@" not in one}
    kept, cut = list[OwnLine](), 0
    for at, one in enumerate(own):
        words = re.findall(r"[^\W\d_]+", one.text.lower())
        named = 0 < len(words) <= 4 and words[0] in names and not re.search(r"\d|\?", one.text)
        if at and named and not cut:
            cut = one.paragraph
        elif one.paragraph != cut:
            kept.append(one._replace(is_signed=bool(cut)))
    return kept
