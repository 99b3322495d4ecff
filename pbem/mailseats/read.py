"""Read a reply by plain email: the new lines in it, without quotes, and its code."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Final, NamedTuple

from engine.values import Value
from pbem.format.keys import Secrets
from pbem.mail.message import Mail, Part
from pbem.mail.opening import text_of, unescaped

# ---- Find what a person added to a turn email, without quotes, signature and small print
#
# A turn email contains a line (`ABOVE`); everything below this line was written by `pbem`, and
# `pbem` knows what it wrote. So answers between quoted lines are found even if no marks show what
# is quoted.

ABOVE: Final = "-+-+- Please write your answer above this line. -+-+-"
"""The line of our emails above which players write their answers."""
ECHO: Final = "This answers what you sent for"
"""The first words of the emails that answer a reply."""
MOST_LINES: Final = 400
_MOST_COLUMNS: Final = 1200  # a message to other players has at most 1,000
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]"
)
_PLAIN: Final = str.maketrans(
    dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—−", "-")
)
_QUOTED = re.compile(r"\s{0,3}[A-Z]{0,3}[>|]")
_CHOICE = re.compile(r"[>|\s]*(\d{1,3}: .+)")
_THIS_ONE = re.compile(
    r"\W*(?:(?:and|then|also|plus|und|dann|auch|et|puis|y|e|en|dan"
    r"|yes|ok|okay|ja|oui|sí|si)\b[\s,]*)*"
    r"(?:(?:i (?:take|choose|want|pick) |i'll take )?"
    r"(?:this|that)(?: one)?|(?:yes|ok|okay|ja|oui|sí|si)|diese(?:r|s)?|celle-ci|ceci|este|esta)?"
    r"(?:,? ?(?:too|as well|auch|aussi|también|ook))?"
    r"(?:,? ?(?:please|pls|thanks|bitte|merci|gracias))?\W*",
    re.I,
)
"""What somebody writes below a single choice that they quote."""
_ARROWED = re.compile(
    r"[>|\s]*(\d{1,3}: [^<]+)<[-=~]+\W*"
    r"(?:(?:this|that|mine|my|me|yes|here|x|choice|pick|one)\W*)*",
    re.I,
)
"""A quoted choice with an arrow behind it, such as `<-- this one`."""
_BARE_MARK = re.compile(r"[^a-z]*please write your answer above this line[^a-z]*", re.I)
_QUOTED_MAIL: Final = files("pbem.mailseats").joinpath("quoted_mail.toml").read_text("utf-8")
_AROUND: Final = {name: "|".join(parts) for name, parts in tomllib.loads(_QUOTED_MAIL).items()}
"""What mail programs write around a quoted email, in many languages."""
_BAR: Final = "[-_=*]{2,}"
_ORIGINAL = re.compile(
    rf"[\s>]*{_BAR}\s*((?:begin )?(?:{_AROUND['original']})[^-_=*]{{0,40}}?)\s*{_BAR}\s*", re.I
)
_FROM = re.compile(rf"\W{{0,3}}({_AROUND['from']})\s?\W{{0,2}}:", re.I)
_SUBJECT = re.compile(rf"\W{{0,3}}({_AROUND['subject']})\s?\W{{0,2}}:", re.I)
_WROTE = re.compile(rf"({_AROUND['wrote']})\s*:\s*$", re.I)
_ADDRESSED = re.compile(r"(\S+@\S+|>)\s*([\[(][^\])]{6,40}[\])])?\s*:\s*$")
_SMALL = re.compile(rf"\s*({_AROUND['small_print']})", re.I)
_LEGAL = re.compile(_AROUND["legal"], re.I)
_DATE = re.compile(r"(19|20)\d\d|\d[:.h]\d\d|@")
_SENT_ON = re.compile(r"[^\W\d]{2,12}\s?:.*(?:(?:19|20)\d\d|\d[:.h]\d\d)")
"""The line with the date, which some programs write before `From:`."""
_SIGNATURE = re.compile(r"\s*(--|—|__+|-{3,}|\*{3,}|={3,})\s*")


def new_lines(text: str, sent: str = "") -> list[str]:
    """Return the lines that the writer of a reply added; `sent` is the email that it answers.

    Lines between unmarked quoted lines are found only if the reply quotes `sent`.
    """
    lines = [plain(line) for line in text.replace("\r\n", "\n").split("\n")[: 4 * MOST_LINES]]
    return _Reading(lines, sent).run()[:MOST_LINES]


def lines_above(text: str) -> list[str]:
    """Return the lines of a reply above everything that it quotes, without the signature."""
    lines = [plain(line) for line in text.replace("\r\n", "\n").split("\n")[: 4 * MOST_LINES]]
    reading = _Reading(lines, "")
    reading.run()
    return [line for line in reading.found[: reading.above] if line]


def plain(line: str) -> str:
    """Return a line without odd spaces, invisible characters, typographic quotes and dashes."""
    said = unicodedata.normalize("NFKC", line[:_MOST_COLUMNS])[:_MOST_COLUMNS]
    return " ".join(_INVISIBLE.sub("", said).translate(_PLAIN).split())


class _Reading:
    def __init__(self, lines: Sequence[str], sent: str) -> None:
        self.lines = lines
        self.sent = _squeezed(sent)
        self.rows = {_squeezed(row) for row in sent.split("\n")}
        self.found: list[str] = []
        self.small = False
        """Whether the lines being read belong to a signature or small print."""
        self.above: int | None = None
        """How many of the lines found are above everything that is quoted; None if nothing has been
        quoted so far."""

    def run(self) -> list[str]:
        at = 0
        while at < len(self.lines):
            if length := self._head(at):
                self._quotes()
                at += length
                if not self._quotes_marked(at):
                    self._unmarked(at)
                    break
                self.small = False
            elif _BARE_MARK.fullmatch(self.lines[at]):
                self._quotes()
                self._unmarked(at + 1)
                break
            else:
                self._take(self.lines[at])
                at += 1
        return [line for line in self.found if line]

    def _quotes(self) -> None:
        self.above = len(self.found) if self.above is None else self.above

    def _take(self, line: str) -> None:
        if _QUOTED.match(line):
            self._quotes()
            self.small = False
            if arrowed := _ARROWED.fullmatch(line):
                self.found.append(arrowed[1].strip())
        elif _SIGNATURE.fullmatch(line) or (_LEGAL.search(line) and len(line) > 30):
            self.small = True
        elif not self.small and not _SMALL.match(line):
            self.found.append(self._quoted_choice(line) or line)

    def _quoted_choice(self, line: str) -> str:
        """Return the one choice that is quoted above a line such as `this one`, else nothing."""
        place = self.lines.index(line)
        above = [one for one in self.lines[:place] if one]
        if not (line and above and _THIS_ONE.fullmatch(line) and _QUOTED.match(above[-1])):
            return ""
        choice = _CHOICE.fullmatch(above[-1])
        below = next((one for one in self.lines[place + 1 :] if one), "")
        alone = len(above) == 1 or not _QUOTED.match(above[-2])
        between = _QUOTED.match(below) and _CHOICE.fullmatch(below)
        return choice[1] if choice and (alone or between) else ""

    # -------------------------------------------------------------- the start of the quoted email
    def _head(self, at: int) -> int:
        """Return how many lines, from this one on, introduce the quoted email; 0 if they do not
        introduce it."""
        line = self.lines[at]
        if _QUOTED.match(line):
            return 0
        if _ORIGINAL.fullmatch(line):
            return 1 + self._block(at + 1)
        if length := self._block(at):
            return length
        joined = ""
        for more in range(3):
            if at + more >= len(self.lines) or _QUOTED.match(self.lines[at + more]):
                return 0
            if not self.lines[at + more]:
                return 0
            joined = f"{joined} {self.lines[at + more]}".strip()
            if _introduces(joined):
                return more + 1 if more == 0 or _begins(line) else 0
        return 0

    def _block(self, at: int) -> int:
        """Return the length of the `From: … Subject: …` block that begins at this line."""
        begin = at
        for line in self.lines[at : at + 2]:
            if line and not re.fullmatch(r"[-_=*]{5,}", line):
                break
            begin += 1
        if begin < len(self.lines) and _SENT_ON.match(self.lines[begin]):
            begin += 1
        if begin >= len(self.lines) or not _FROM.match(self.lines[begin]):
            return 0
        for number in range(begin + 1, min(begin + 9, len(self.lines))):
            if _SUBJECT.match(self.lines[number]):
                return number - at + 1
        return 0

    def _quotes_marked(self, at: int) -> bool:
        rest = [line for line in self.lines[at : at + 12] if line]
        return bool(rest and any(_QUOTED.match(line) for line in rest[:3]))

    # -------------------------------------------------------------- quoted without marks
    def _unmarked(self, begin: int) -> None:
        rest = self.lines[begin:]
        quoted = _squeezed("\n".join(rest))
        # a message of another player in the mail may itself have marks
        if any(_QUOTED.match(line) and not self._was_sent(line) for line in rest[:40]):
            for line in rest:
                self._take(line)
            return
        if not self.sent or (ECHO.lower() in quoted and ECHO.lower() not in self.sent):
            return
        self.small = False
        at = begin
        while at < len(self.lines):
            heading = int(bool(_ORIGINAL.fullmatch(self.lines[at]))) or self._block(at)
            if not heading and not self._was_sent(self.lines[at]):
                self._take(self.lines[at])
            at += max(heading, 1)

    def _was_sent(self, line: str) -> bool:
        """Return whether a line, even if it was wrapped again, is from the email that was sent."""
        said = _squeezed(line)
        if (
            not said
            or said in self.rows
            or _FROM.match(line)
            or _SUBJECT.match(line)
            or re.match(r"\w{2,12}\s?:.*@", line)
        ):
            return True
        return len(said) > 3 and said in self.sent


def _squeezed(text: str) -> str:
    return " ".join(plain(word) for word in text.lower().replace("*", " ").split())


def _introduces(line: str) -> bool:
    """Return whether a line says, in some language, `On … somebody wrote:`."""
    if len(line) > 300 or sum(sign.isdigit() for sign in line) < 4:
        return False
    return bool(_WROTE.search(line) or _ADDRESSED.search(line))


def _begins(line: str) -> bool:
    """The first of several lines that together say `On … somebody wrote:` has a date."""
    return len(line) >= 12 and bool(_DATE.search(line))


# ---- Get the text of an HTML reply, with `> ` before the lines that the mail program quotes
#
# This module does not use the standard library's `html.parser`, for the reason that
# `pbem/mail/opening.py` gives. The libraries that were tried are in
# docs/dependencies.md.

_ROWS: Final = frozenset(
    ["blockquote", "br", "center", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6",
     "hr", "li", "ol", "p", "pre", "table", "td", "th", "tr", "ul"]
)  # fmt: skip
_APART: Final = frozenset(["p", "h1", "h2", "h3", "hr", "table", "ul", "ol", "blockquote"])
"""HTML elements with an empty line before and after them."""
_UNSEEN: Final = frozenset(["head", "script", "style", "title", "xml"])
"""HTML elements whose text nobody sees."""
_PIECE = re.compile(
    r"<(?P<slash>/?)(?P<tag>[a-z][a-z0-9:]*)(?P<attributes>[^<>]*)>|<[^<>]*>|(?P<text>[^<]+)|<",
    re.I,
)
_QUOTE: Final = "blockquote"
_DEEPEST: Final = 50
_MARKED = re.compile(
    r"id\s*=\s*[\"']?(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container"
    r"|reply-intro|OLK_SRC_BODY_SECTION)",
    re.I,
)
"""How Outlook marks the start of the quoted email, which has no element around it."""
OUTLOOK_CUT: Final = "-----Original Message-----"


def text_of_html(source: str) -> str:
    """Return the text that a reader of this HTML sees, row by row. Never raises."""
    rows = _Rows()
    for match in _PIECE.finditer(_without_comments(source)):
        if match["tag"]:
            rows.tag(match["tag"].lower(), bool(match["slash"]), match["attributes"])
        elif match["text"]:
            rows.text(match["text"])
    return rows.done()


def _without_comments(source: str) -> str:
    """Remove comments from the HTML; Outlook puts whole documents into them."""
    kept, at = [], 0
    while (begin := source.find("<!--", at)) >= 0:
        kept.append(source[at:begin])
        end = source.find("-->", begin)
        if end < 0:
            return "".join(kept)
        at = end + 3
    return "".join([*kept, source[at:]])


class _Rows:
    """The rows of text so far, and how many quotes the next row is inside."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.row: list[str] = []
        self.quoted = 0
        self.pre = 0
        self.unseen = ""

    def tag(self, name: str, closes: bool, said: str) -> None:
        """Handle a tag: `closes` for `</…>`; `said` is the text of its attributes."""
        if name in _UNSEEN and not self.unseen and not closes:
            self.unseen = name
        elif name == "body" or (name == self.unseen and closes):
            self.unseen = ""
        if name == "pre":
            self.pre = max(0, self.pre + (-1 if closes else 1))
        if _MARKED.search(said[:500]):
            self._end()
            self.found.append(OUTLOOK_CUT)
        if name not in _ROWS:
            return
        self._end()
        if name in _APART and self.found and self.found[-1].strip("> "):
            self.found.append(self._quote().rstrip())
        if name == _QUOTE:
            self.quoted = min(_DEEPEST, max(0, self.quoted + (-1 if closes else 1)))

    def text(self, said: str) -> None:
        """Handle text between tags."""
        if self.unseen:
            return
        first, *rest = said.split("\n") if self.pre else [" ".join(said.split())]
        if not self.pre and said[:1].isspace():
            first = f" {first}"
        if not self.pre and said[-1:].isspace():
            first = f"{first} "
        self.row.append(first)
        for line in rest:
            self._end(blank=True)
            self.row.append(line)

    def _quote(self) -> str:
        return "> " * self.quoted

    def _end(self, blank: bool = False) -> None:
        said = unescaped("".join(self.row))
        said = said.rstrip() if self.pre else " ".join(said.split(" ")).strip()
        self.row = []
        if said or blank:
            self.found.append(f"{self._quote()}{said}")

    def done(self) -> str:
        """Return all rows as one text."""
        self._end()
        return "\n".join(self.found)


# ---- The token in a turn email, which shows that a reply comes from somebody who has this email
#
# Anybody can write any address into `From:`. The token follows from the referee's key, so only a
# person who was sent a turn email knows the token of this game, seat and turn. All emails about one
# turn have the same token, because people answer whichever they find first.

_BYTES: Final = 10
_MOST_FOUND: Final = 20
"""How many tokens in one email are checked."""
_FORM: Final = r"pbem-([0-9a-f]{6})-([a-p])([1-9][0-9]{0,4})-([a-z2-7]{16})(?![a-z0-9])"
_TOKEN = re.compile(_FORM, re.I)


class Token(NamedTuple):
    """A token that was found or made, and not yet compared with the right one."""

    game: str
    """The first six hex digits of the game's id."""
    seat: str
    turn: int
    secret: str

    def __str__(self) -> str:
        return f"pbem-{self.game}-{self.seat}{self.turn}-{self.secret}"


def make_token(seed: bytes, game: bytes, seat: str, turn: int, head: bytes) -> Token:
    """Make the token for the email about a turn.

    `seed` is the seed of the referee's key; `head` is the head after the turn.
    """
    derived = Secrets(seed).mail_token(game, seat, turn, head)[:_BYTES]
    secret = base64.b32encode(derived).decode("ascii").lower()
    return Token(game.hex()[:6], seat, turn, secret)


def is_right(found: Token, right: Token) -> bool:
    """Return whether a token is the right one; this takes the same time for all wrong ones."""
    return hmac.compare_digest(str(found).encode(), str(right).encode())


def tokens_in(text: str) -> Iterator[Token]:
    """Find the tokens in a text, each once, in their order."""
    seen = set[str]()
    for match in _TOKEN.finditer(text):
        said = match[0].lower()
        if said not in seen and len(seen) < _MOST_FOUND:
            seen.add(said)
            yield Token(match[1].lower(), match[2].lower(), int(match[3]), match[4].lower())


# ---- Read a reply to a turn email: its tokens, its text, and whether a program wrote it

MAX_TEXT: Final = 1 << 16
"""The most characters of its text that are read; the quoted turn email has about 5,000."""
MAX_HTML: Final = 1 << 18
"""The most characters of its HTML that are read."""
MOST_PARTS: Final = 50


class Reply(Value):
    """An email that may answer a turn email. Only the right token in it is trusted."""

    source: str
    """The name of the file that the email was in, for people."""
    tokens: tuple[Token, ...]
    text: str
    """The text, with quoted lines."""
    automatic: str = ""
    """How the email says that a program wrote it; empty if a person wrote it."""
    mark: str = ""
    """A fingerprint; two copies of the same reply have the same one."""
    has_records: bool = False
    """Whether records of pbem came with it; they may also be in what it quotes."""


def read_reply(mail: Mail, source: str) -> Reply:
    """Read what a person wrote: the plain text of an email, or else the text of its HTML. Never
    raises."""
    texts, pages = list[str](), list[str]()
    for part in _leaves(mail.whole, [MOST_PARTS]):
        if part.kind == "text/plain":
            texts.append(_plain(part))
        elif part.kind in ("text/html", "application/xhtml+xml"):
            page = text_of(part.decoded()[: 4 * MAX_HTML], part.charset)[:MAX_HTML]
            pages.append(text_of_html(page))
    text = "\n".join(text for text in texts if text.strip()) or "\n".join(pages)
    text = text[:MAX_TEXT]
    about = [mail.decoded(name) for name in ("subject", "in-reply-to", "references")]
    tokens = tuple(tokens_in("\n".join([*about, text])))
    whole = f"{mail.fields.get('message-id', '')}\n{mail.fields.get('date', '')}\n{text}"
    mark = hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:32]
    return Reply(source, tokens, text, mail.automatic, mark)


def _leaves(part: Part, left: list[int]) -> Iterator[Part]:
    left[0] -= 1
    if left[0] < 0 or part.fields.get("content-disposition", "").lower().startswith("attachment"):
        return
    if not part.kind.startswith("multipart/"):
        yield part
        return
    for one in part.parts():
        if left[0] <= 0:
            return  # even to look for more parts takes long, if there are a million
        yield from _leaves(one, left)


def _plain(part: Part) -> str:
    """Return the text of a part, without the soft line breaks that its type announces (RFC
    3676)."""
    text = text_of(part.decoded()[: 4 * MAX_TEXT], part.charset)[:MAX_TEXT]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if part.parameters.get("format", "").lower() != "flowed":
        return text
    drops_space = part.parameters.get("delsp", "").lower() == "yes"
    rows: list[str] = []
    before, goes_on = "", False
    for line in text.split("\n"):
        body = line.lstrip(">")
        quote = line[: len(line) - len(body)]
        body = body.removeprefix(" ")
        flows = body.endswith(" ") and body != "-- "
        shown = body[:-1] if flows and drops_space else body
        if goes_on and before == quote:
            rows[-1] += shown
        else:
            rows.append(f"{quote} {shown}" if quote else shown)
        before, goes_on = quote, flows
    return "\n".join(rows)
