"""Find what a person added to a turn email, without quotes, signature and small print.

A turn email contains a line (`ABOVE`); everything below this line was written by `pbem`, and `pbem`
knows what it wrote. So answers between quoted lines are found even if no marks show what is quoted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

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
_BARE_MARK = re.compile(r"[^a-z]*please write your answer above this line[^a-z]*", re.I)
_ORIGINAL = re.compile(
    r"[\s>]*[-_=*]{2,}\s*((?:begin )?(?:original|forwarded|ursprüngliche|original-?|weitergeleitete"
    r"|message d'origine|message original|mensaje original|mensagem original|messaggio originale"
    r"|oorspronkelijk|wiadomość oryginalna|oryginalna|исходное|пересылаемое|original meddelande"
    r"|oprindelig|opprinnelig|alkuperäinen|元のメッセージ|original message|原始邮件)[^-_=*]{0,40}?)"
    r"\s*[-_=*]{2,}\s*",
    re.I,
)
_FROM = re.compile(
    r"\W{0,3}(from|von|de|da|van|od|fra|från|lähettäjä|от|от кого|差出人|发件人|寄件者|보낸 사람"
    r"|gönderen|kimden|feladó|odesílatel|expediteur|expéditeur|remitente)\s?\W{0,2}:",
    re.I,
)
_SUBJECT = re.compile(
    r"\W{0,3}(subject|betreff|objet|asunto|assunto|oggetto|onderwerp|temat|тема|emne|ämne|aihe"
    r"|件名|主题|主旨|제목|konu|tárgy|předmět|sujet)\s?\W{0,2}:",
    re.I,
)
_WROTE = re.compile(
    r"(wrote|writes|schrieb[^:]{0,80}|a écrit|ha escrito|escribió|escreveu|napisał\(a\)|napisała?"
    r"|pisze|ha scritto|scrisse|schreef[^:]{0,80}|skrev[^:]{0,80}|пишет|написала?|писала?"
    r"|написал\(а\)|kirjoitti|yazdı|napsala?|írta|writes|さんは書きました|のメール|写道|寫道|작성"
    r"|ha scritto|scritto|geschreven)\s*:\s*$",
    re.I,
)
_ADDRESSED = re.compile(r"(\S+@\S+|>)\s*([\[(][^\])]{6,40}[\])])?\s*:\s*$")
_SMALL = re.compile(
    r"\s*(sent (from|with|via) |get outlook for|diese (e-?mail|nachricht) wurde|von meinem .{1,40}"
    r"(gesendet|versendet)|gesendet (von|mit)|envoyé (de|depuis|à partir)|enviado (desde|do|de) "
    r"|inviato da|verstuurd |verzonden (vanaf|met)|wysłane? |wysłano |отправлено (с|из) |skickat "
    r"från|sendt fra|lähetetty|.{1,30}から送信|télécharger outlook|outlook für .{1,20} (beziehen"
    r"|holen)|obtener outlook|scarica outlook|holen sie sich outlook|发自我的|yahoo mail)",
    re.I,
)
_LEGAL = re.compile(
    r"confidential|disclaimer|intended (recipient|solely)|virus|vertraulich|legally privileged"
    r"|confidenti|riservat|poufn|конфиденциал|think before you print|consider the environment"
    r"|registered (in|office)|handelsregister",
    re.I,
)
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
        """Note that something is quoted from here on."""
        self.above = len(self.found) if self.above is None else self.above

    def _take(self, line: str) -> None:
        """Read a line above the quoted email, or between quoted lines."""
        if _QUOTED.match(line):
            self._quotes()
            self.small = False
        elif _SIGNATURE.fullmatch(line) or (_LEGAL.search(line) and len(line) > 30):
            self.small = True
        elif not self.small and not _SMALL.match(line):
            self.found.append(line)

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
        """Return the length of the `From: … Subject: …` block that begins at this line, or 0 if
        there
        is none."""
        begin = at
        while begin < len(self.lines) and begin < at + 2 and _rule_or_blank(self.lines[begin]):
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
        """Return whether the quoted email from this line on has marks such as `>`."""
        rest = [line for line in self.lines[at : at + 12] if line]
        return bool(rest and any(_QUOTED.match(line) for line in rest[:3]))

    # -------------------------------------------------------------- quoted without marks
    def _unmarked(self, begin: int) -> None:
        """Read those of the lines below this one that are not from the quoted email."""
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
    """Return the text in lower case with single spaces and without marks of emphasis."""
    return " ".join(plain(word) for word in text.lower().replace("*", " ").split())


def _introduces(line: str) -> bool:
    """Return whether a line says, in some language, `On … somebody wrote:`."""
    if len(line) > 300 or sum(sign.isdigit() for sign in line) < 4:
        return False
    return bool(_WROTE.search(line) or _ADDRESSED.search(line))


def _begins(line: str) -> bool:
    """Return whether a line can be the first of several that together say `On … somebody wrote:`.

    Such a line has a date.
    """
    return len(line) >= 12 and bool(_DATE.search(line))


def _rule_or_blank(line: str) -> bool:
    return not line or bool(re.fullmatch(r"[-_=*]{5,}", line))
