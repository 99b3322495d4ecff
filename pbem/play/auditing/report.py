"""What an audit found: findings with file, reason and culprit, and the facts of a certificate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from pbem.format.errors import EXIT, WORST_FIRST, Reason
from pbem.records.chain import words_of

Grade = Literal["broken", "ask", "stray", "foreign"]
REFEREE: Final = "referee"
FINDINGS: Final = 1
"""Exit code of an audit that has a question for somebody, and found nothing wrong."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that an audit has to say about one file.

    `broken`: a record that the chain uses or must have. `ask`: what no record proves and one
    machine saw, for its owner to ask about. `stray`: signed by somebody of the game and
    used by nobody. `foreign`: not of this game, or not signed by anybody in it.
    """

    grade: Grade
    path: str
    """From the game's folder, with slashes."""
    reason: Reason
    sentence: str
    culprit: str = ""
    """Whose signed word it contradicts: `referee`, `seat b`; empty where nobody can know."""
    turn: int = 0
    """The turn it is about; 0: none."""
    proof: bool = False
    """Whether two records signed by one key convict that key, whoever looks."""

    @property
    def exit(self) -> int:
        """The exit code of an audit that found this and nothing worse."""
        if self.grade == "ask":
            return FINDINGS
        return EXIT[self.reason] if self.grade == "broken" else 0

    def __str__(self) -> str:
        return f"{self.path}: {self.sentence} [{self.reason}]"


class CertifiedJoin(NamedTuple):
    """A join, as a certificate speaks of it."""

    seat: str
    """Empty if the join is not here."""
    name: str
    digits: str
    """The first six hex digits of its id."""
    counts: bool
    shares: str = ""
    """Who else names a key of it, and counts: `seat a`, `the referee`."""


def next_step_for(finding: Finding, referee: str) -> str:
    """What to do about a finding: who must be asked, or where the file may be had."""
    if finding.grade in ("stray", "foreign"):
        return ""
    if finding.proof:
        return f"keep both files, and show them to all: {referee}'s key signed both"
    if finding.culprit == REFEREE:
        return f"{referee} signed this turn: send {referee} this line, and ask"
    if finding.culprit:
        return f"ask {finding.culprit}, whose key signed it"
    return _CURES.get(finding.reason, "")


_AGAIN: Final = "get the file again from another player; if it stays so, ask who signed it"
_CURES: Final[dict[Reason, str]] = {
    "parent": "let the folder sync, or ask another player: pbem send --all writes all there is",
    "version": "install that version of pbem",
    **dict.fromkeys(("size", "file", "name", "trailer", "signature", "grammar"), _AGAIN),
    **dict.fromkeys(("canonical", "field", "place", "key"), _AGAIN),
}


@dataclass
class Report:
    """The result of an audit. Facts are those of the chain up to the last good turn."""

    title: str = ""
    ruleset: str = ""
    referee: str = ""
    """The referee's name."""
    game: bytes = b""
    names: dict[str, str] = field(default_factory=dict)
    """Seats that play, and who sits there."""
    plays: tuple[str, ...] = ()
    """Seats whose keys the referee holds."""
    bots: dict[str, str] = field(default_factory=dict)
    by_word: list[CertifiedJoin] = field(default_factory=list)
    """Joins about which turn 1 says that the referee's word decided."""
    left_out: list[CertifiedJoin] = field(default_factory=list)
    """After `final`: joins with the right code that turn 1 does not mention."""
    turns: int = 0
    orders: int = 0
    """Orders that the turns list."""
    dice: int = 0
    cards: int = 0
    """Cards committed to, reshuffled ones again."""
    heads: list[bytes] = field(default_factory=list)
    """heads[k] is the head after turn k."""
    over: bool = False
    final: bool = False
    """Whether the secrets are there, and every turn was made again from them."""
    told: int | None = None
    """The turn after which the head is the one told from outside."""
    waiting: int = 0
    """Orders that lie ready for the next turn."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def broken(self) -> list[Finding]:
        """The findings that make the audit fail."""
        return [finding for finding in self.findings if finding.grade == "broken"]

    @property
    def proven(self) -> bool:
        """Whether the whole game was proven, from the first card to the last."""
        return self.final and self.over and not self.broken

    @property
    def exit(self) -> int:
        """0, or the worst finding's code (interface, *exit*)."""
        found = {finding.exit for finding in self.findings}
        return next((code for code in WORST_FIRST if code in found), 0)

    @property
    def words(self) -> list[str]:
        """Twelve words for the last head."""
        return words_of(self.heads[-1]) if self.heads else []

    @property
    def referee_played(self) -> bool:
        """Whether the referee sat at a seat himself (bots are not he)."""
        return bool(set(self.plays) & self.names.keys() - self.bots.keys())

    def statement(self) -> list[str]:
        """What the audit certifies, in sentences."""
        if not self.heads:
            return ["There is no charter that can be read: nothing was audited."]
        said = [self._what(), self._how_far(), *self._head_told(), *self._seating()]
        if not self.broken:
            said.append("True for the keys that joined.")
        said.append(f"Nobody can prove that {self.referee} did not whisper.")
        if self.referee_played:
            seats = ", ".join(sorted(set(self.plays) - self.bots.keys()))
            said.append(f"{self.referee} dealt and played ({seats}), and could see every hand.")
        return [*said, *self._bots()]

    def _bots(self) -> list[str]:
        """Who is no person."""
        seated = [
            f"{seat} ({bot})" for seat, bot in sorted(self.bots.items()) if seat in self.names
        ]
        if not seated:
            return []
        told = f"{self.referee} holds their keys, and no share of theirs is in the deck"
        return [f"Bots played {', '.join(seated)}: {told}."]

    def _seating(self) -> list[str]:
        """What the referee's word decided about the seats, and what no record can tell."""
        said = []
        for seat, name, digits, counts, _ in self.by_word:
            if not seat:
                told = "and it is not here"
                said.append(f"{self.referee}'s word decided about the join {digits}, {told}.")
                continue
            how = "without the code of its invite" if counts else "out, though it has the invite"
            verb = "took" if counts else "left"
            join = f"the join {digits} of {name} for seat {seat}"
            said.append(f"{self.referee} {verb} {join} {how}: that is {self.referee}'s word alone.")
        for seat, name, digits, _, shares in self.left_out:
            join = f"{name} joined for seat {seat} with the right invite ({digits})"
            told = f"it came too late, or {self.referee} left it out. No record tells which"
            if shares:
                told = f"it names a key that {shares} has too, and two such joins never count"
            said.append(f"{join}, and turn 1 does not mention it: {told}.")
        return said

    def _dealt(self) -> str:
        """Whose shares fixed the deck."""
        shares = [name for seat, name in self.names.items() if seat not in self.plays]
        if not shares:
            return f"{self.referee} alone fixed the deck: no other person plays."
        *most, last = [self.referee, *shares]
        return f"The deck was fixed by the secret shares of {', '.join(most)} and {last}."

    def _what(self) -> str:
        said = f"{_count(self.turns, 'turn')}, {_count(self.orders, 'orders', 'orders')}"
        more = f"{_count(self.dice, 'die', 'dice')}, {_count(self.cards, 'card')} committed to"
        return f"{said}, {more}."

    def _how_far(self) -> str:
        if self.broken:
            where = f"after turn {self.turns}" if self.turns else "before turn 1"
            return f"Right up to here: {where}; {_wrong(len(self.broken))}."
        if self.proven:
            told = "every signature, card, die, move and standing line is right"
            return f"Proven: {told}. {self._dealt()}"
        so_far = f"Right as far as all can see. It stops at turn {self.turns}, unproven"
        if self.over:
            return f"{so_far}: final.toml, which opens all that is hidden, is not here."
        return f"{so_far}: the game is not over, and what is hidden cannot be checked before."

    def _head_told(self) -> list[str]:
        """What the words that were told are worth."""
        if self.told is None:
            return []
        if self.told == self.turns:
            return [f"The words you were told are those of turn {self.told}: it is the same game."]
        told = f"The words you were told are those of turn {self.told}: up to there it is the same "
        return [f"{told}game. Ask for newer ones: the turns after it could be others."]

    def to_json(self) -> dict[str, Any]:
        """The report as plain data; ids and heads in hex."""
        return {
            "title": self.title,
            "ruleset": self.ruleset,
            "referee": self.referee,
            "game": self.game.hex(),
            "names": self.names,
            "plays": list(self.plays),
            "bots": self.bots,
            "by_word": [one._asdict() for one in self.by_word],
            "left_out": [one._asdict() for one in self.left_out],
            "turns": self.turns,
            "orders": self.orders,
            "dice": self.dice,
            "cards": self.cards,
            "heads": [head.hex() for head in self.heads],
            "words": self.words,
            "over": self.over,
            "final": self.final,
            "proven": self.proven,
            "told": self.told,
            "waiting": self.waiting,
            "referee_played": self.referee_played,
            "statement": self.statement(),
            "findings": [
                _plain(finding) | {"next": next_step_for(finding, self.referee)}
                for finding in self.findings
            ],
            "exit": self.exit,
        }


def _wrong(number: int) -> str:
    return "one thing is wrong" if number == 1 else f"{number} things are wrong"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _plain(finding: Finding) -> dict[str, Any]:
    return {
        "grade": finding.grade,
        "path": finding.path,
        "reason": finding.reason,
        "sentence": finding.sentence,
        "culprit": finding.culprit,
        "turn": finding.turn,
        "proof": finding.proof,
        "exit": finding.exit,
    }
