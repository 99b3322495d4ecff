"""The report of an audit: its findings, and the facts that its certificate states."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from engine import Entry
from pbem.format.errors import EXIT, WORST_FIRST, Reason
from pbem.frozen import frozen
from pbem.records.chain import words_of
from pbem.records.fields import header

Grade = Literal["broken", "ask", "stray", "foreign"]
REFEREE: Final = "referee"
DEPUTY: Final = "deputy"
FINDINGS: Final = 1
"""The exit code of an audit that found nothing wrong, but something to ask about."""


@frozen
class Finding:
    """One thing that an audit found out about one file.

    `broken`: a record that the chain uses or needs is wrong or missing. `ask`: one machine saw
    something that no record proves, and its owner should ask. `stray`: signed by somebody in the
    game, but no turn uses it. `foreign`: not part of this game, or not signed by anybody in it.
    """

    grade: Grade
    path: str
    """The path from the game's folder, with slashes."""
    reason: Reason
    sentence: str
    culprit: str = ""
    """Whose key signed the wrong record: `referee`, `deputy`, `seat b`; empty if nobody can
    know."""
    turn: int = 0
    """The number of the turn that the finding is about; 0 = none."""
    proof: bool = False
    """Whether the finding proves to everybody that one key signed two bodies for one place."""

    @property
    def exit(self) -> int:
        """The exit code of an audit whose worst finding is this one."""
        if self.grade == "ask":
            return FINDINGS
        return EXIT[self.reason] if self.grade == "broken" else 0

    def __str__(self) -> str:
        return f"{self.path}: {self.sentence} [{self.reason}]"


class CertifiedJoin(NamedTuple):
    """What the certificate says about one join."""

    seat: str
    """The seat's letter; empty if the join is not here."""
    name: str
    digits: str
    """The first six hex digits of the join's id."""
    counts: bool
    shares: str = ""
    """Who else has the same key in the game: `seat a`, `the referee`; empty for nobody."""


def next_step_for(finding: Finding, report: Report) -> str:
    """Say what to do about a finding: who to ask, or how to get the file; empty if nothing."""
    if finding.grade in ("stray", "foreign"):
        return ""
    name = {REFEREE: report.referee, DEPUTY: report.deputy}.get(finding.culprit, "")
    if finding.proof:
        return f"keep both files and show them to everybody: {name}'s key signed both"
    if name:
        return f"{name} signed this: send {name} this line and ask for an explanation"
    if finding.culprit:
        return f"ask {finding.culprit}, whose key signed this"
    return _FIXES.get(finding.reason, "")


_AGAIN: Final = (
    "get the file again from another player; if their copy is the same, ask the "
    "person who signed the file"
)
_FIXES: Final[dict[Reason, str]] = {
    "parent": "let the folder sync, or ask another player to run pbem send --all",
    "version": "install the version of pbem that the referee uses",
    **dict.fromkeys(("size", "file", "name", "trailer", "signature", "grammar"), _AGAIN),
    **dict.fromkeys(("canonical", "field", "place", "key"), _AGAIN),
}


@dataclass
class Report:
    """The result of an audit. Its facts come from the chain up to the last good turn."""

    title: str = ""
    ruleset: str = ""
    referee: str = ""
    """The referee's name."""
    game: bytes = b""
    names: dict[str, str] = field(default_factory=dict)
    """The name of the player at each seat that plays."""
    plays: tuple[str, ...] = ()
    """The seats whose keys the referee has."""
    by_mail: dict[str, int] = field(default_factory=dict)
    """For each seat by mail at the start: the turn that gave it its player's own key, or 0.

    In the order of the seats.
    """
    bots: dict[str, str] = field(default_factory=dict)
    """The bot of each seat that a bot plays, in the order of the seats."""
    by_word: list[CertifiedJoin] = field(default_factory=list)
    """The joins about which, as turn 1 says, the referee decided."""
    left_out: list[CertifiedJoin] = field(default_factory=list)
    """The joins with the right code that turn 1 does not mention; known only after `final`."""
    turns: int = 0
    orders: int = 0
    """How many sets of orders the turns list."""
    dice: int = 0
    cards: int = 0
    """How many commitments to cards there are; reshuffled cards are counted again."""
    heads: list[bytes] = field(default_factory=list)
    """heads[k] is the head after turn k."""
    other_zones: list[int] = field(default_factory=list)
    """The turns whose deadlines differ from those that this machine's time zone data gives."""
    notices: list[tuple[int, str]] = field(default_factory=list)
    """What listed notices have changed: for each change, the turn and a sentence."""
    removed: list[tuple[int, str]] = field(default_factory=list)
    """Who was removed for being silent too long: the turn, and a sentence."""
    for_open_seats: dict[str, int] = field(default_factory=dict)
    """For each open seat: how many questions the charter's bot answered for it."""
    first_names: dict[str, str] = field(default_factory=dict)
    """The names of the players at turn 1, whose shares determined the order of the deck."""
    deputy: str = ""
    """The name of the deputy, who can read everything that the referee can read."""
    over: bool = False
    final: bool = False
    """Whether `final` is here and every turn could be made again with its secrets."""
    log: list[Entry] = field(default_factory=list)
    """After `final`: the whole log with every hidden card, if every turn could be made again."""
    told: int | None = None
    """The turn whose head somebody read out as twelve words; None if nobody did."""
    messages: int = 0
    """How many messages in `press/` are signed and in their place; no verdict depends on them."""
    waiting: int = 0
    """How many sets of orders are ready for the next turn."""
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
        """The exit code: 0, or the code of the worst finding (interface, *exit*)."""
        found = {finding.exit for finding in self.findings}
        return next((code for code in WORST_FIRST if code in found), 0)

    @property
    def words(self) -> list[str]:
        """The twelve words for the last head."""
        return words_of(self.heads[-1]) if self.heads else []

    @property
    def referee_played(self) -> bool:
        """Whether the referee played a seat in person (not a bot)."""
        return bool(set(self.plays) & self.names.keys() - self.bots.keys())

    def verdict(self) -> str:
        """Return the certificate in a few words, for a list of games."""
        if self.broken:
            so_far = f"correct through turn {self.turns}" if self.turns else "no turn is certain"
            return f"broken: {so_far}; {_wrong(len(self.broken))}"
        if self.proven:
            return f"proven, {_count(self.turns, 'turn')}"
        why = "final.toml is missing" if self.over else "the game is not over"
        return f"correct through turn {self.turns}, but not proven: {why}"

    def statement(self) -> list[str]:
        """Say in sentences what the audit certifies."""
        if not self.heads:
            return ["There is no readable charter: nothing was audited."]
        said = [self._what(), self._how_far(), *self._head_told(), *self._seating()]
        said += self._deadlines()
        if not self.broken:
            who = "pbem cannot tell who was using them"
            said.append(f"The audit can speak only about the keys that joined: {who}.")
        said += [*self._notices(), *self._silent_seats()]
        if self.turns >= header.MAX_TURN:
            told = f"Turn {self.turns} is the last that a game can have, so it ended the game"
            said.append(f"{told} with the scores as they were.")
        who = f"{self.referee} or {self.deputy}, the deputy," if self.deputy else self.referee
        said.append(f"Nobody can prove that {who} did not tell anybody hidden information.")
        if self.messages:
            told = "signed by its writer" if self.messages == 1 else "signed by their writers"
            said.append(f"{_count(self.messages, 'message')}, {told}: not a part of the game.")
        if self.referee_played:
            seats = ", ".join(sorted(set(self.plays) - self.bots.keys()))
            said.append(f"{self.referee} dealt and played ({seats}), and could see every hand.")
        return [*said, *self._by_mail(), *self._bots()]

    def _notices(self) -> list[str]:
        """Say what notices have changed, as far as people must know it."""
        if not self.notices:
            return []
        told = "; ".join(f"turn {turn}: {said}" for turn, said in self.notices)
        return [f"Signed notices have changed who plays or how the game ended: {told}."]

    def _silent_seats(self) -> list[str]:
        """Say who was removed, and for which open seats a bot answered."""
        said = [f"Turn {turn}: {told}, as the charter says." for turn, told in self.removed]
        for seat, number in sorted(self.for_open_seats.items()):
            told = f"A bot answered {_count(number, 'question')} for seat {seat} while it was open"
            said.append(f"{told}, as the charter says; nobody could choose for the bot.")
        return said

    def _by_mail(self) -> list[str]:
        """Say whose moves rest on the referee's word, because they came by plain email."""
        said = []
        for seat, since in self.by_mail.items():
            until = f"until turn {since} " if since else ""
            had = f"{self.referee} had the key of this seat and signed its orders {until}for them"
            told = f"the orders are what {self.first_names.get(seat, seat)} wrote"
            blind = f"{self.referee} wrote none of these orders after seeing somebody else's"
            said.append(
                f"{self.first_names.get(seat, seat)} ({seat}) answered by plain email: {had}. "
                f"There is only {self.referee}'s word for it that {told}, and that {blind}."
            )
        return said

    def _bots(self) -> list[str]:
        """Say which bots played, and who has their keys."""
        seated = [f"{seat} ({bot})" for seat, bot in self.bots.items() if seat in self.names]
        if not seated:
            return []
        told = (
            f"{self.referee} holds their keys, and they contributed no secret share to the shuffle"
        )
        return [f"Bots played {', '.join(seated)}: {told}."]

    def _seating(self) -> list[str]:
        """Say for which seats the referee decided who has them, and what records cannot show."""
        said = []
        for seat, name, digits, counts, _ in self.by_word:
            if not seat:
                told = f"Only {self.referee} decided whether the join {digits} counts"
                said.append(f"{told}, and that join is not here.")
                continue
            how = f"although it was made with{'out' * counts} the invite"
            verb = "accepted" if counts else "left out"
            join = f"the join {digits} of {name} for seat {seat}"
            said.append(f"{self.referee} {verb} {join} {how}: no record says why.")
        for seat, name, digits, _, shares in self.left_out:
            join = f"{name} joined for seat {seat} with the right invite ({digits})"
            told = (
                f"it came too late, or {self.referee} left it out. No record says which of the "
                "two happened"
            )
            if shares:
                told = (
                    f"it names a key of {shares}, and two joins with the same key never both count"
                )
            said.append(f"{join}, and turn 1 does not mention it: {told}.")
        return said

    def _deadlines(self) -> list[str]:
        """Say which deadlines depend on time zone data that this machine does not have."""
        if not (turns := self.other_zones):
            return []
        first = f"turn {turns[0]}" + (f" and {len(turns) - 1} more" if len(turns) > 1 else "")
        told = f"The deadline of {first} differs from the one that the time zone data here gives"
        signed = f"the deadline that {self.referee} signed counts"
        return [f"{told}, but only by as much as versions of such data can differ: {signed}."]

    def _dealt(self) -> str:
        """Say whose secret shares of the seed determined the order of the deck."""
        names = self.first_names or self.names
        held = {*self.plays, *self.by_mail}
        shares = [name for seat, name in names.items() if seat not in held]
        if not shares:
            return f"{self.referee} alone determined the deck's order: no other person plays."
        *most, last = [self.referee, *shares]
        shares_of = f"the secret shares of {', '.join(most)} and {last}"
        return f"The deck's order was determined by {shares_of} together."

    def _what(self) -> str:
        """Count what was checked. Each card has a commitment, so a swap would show."""
        orders = _count(self.orders, "set of orders", "sets of orders")
        cards = _count(self.cards, "card")
        if self.cards:
            cards += " that nobody could swap unnoticed"
        return (
            f"{_count(self.turns, 'turn')}, {orders}, {_count(self.dice, 'die', 'dice')}, {cards}."
        )

    def _how_far(self) -> str:
        if self.broken:
            so_far = (
                f"Everything is correct through turn {self.turns}"
                if self.turns
                else "No turn is certain"
            )
            return f"{so_far}; {_wrong(len(self.broken))}."
        if self.proven:
            told = "every signature, card, die, move and standing order is right"
            return f"Proven: {told}. {self._dealt()}"
        so_far = f"Everything that can be checked is correct through turn {self.turns}"
        so_far = f"{so_far}, but not proven"
        if self.over:
            return f"{so_far}: final.toml, which opens everything hidden, is missing."
        return f"{so_far}: the hidden parts can be checked only when the game is over."

    def _head_told(self) -> list[str]:
        """Say what is proven by the twelve words that somebody read out."""
        if self.told is None:
            return []
        if self.told == self.turns:
            return [f"The words you were told are those of turn {self.told}: it is the same game."]
        told = f"The words you were told are those of turn {self.told}: the same game so far. "
        return [f"{told}Ask for newer words: later turns could differ."]

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data, with ids and heads in hex."""
        return {
            "title": self.title,
            "ruleset": self.ruleset,
            "referee": self.referee,
            "game": self.game.hex(),
            "names": self.names,
            "plays": list(self.plays),
            "bots": self.bots,
            "by_mail": self.by_mail,
            "by_word": [one._asdict() for one in self.by_word],
            "left_out": [one._asdict() for one in self.left_out],
            "turns": self.turns,
            "orders": self.orders,
            "dice": self.dice,
            "cards": self.cards,
            "heads": [head.hex() for head in self.heads],
            "words": self.words,
            "other_zones": self.other_zones,
            "notices": [{"turn": turn, "text": told} for turn, told in self.notices],
            "removed": [{"turn": turn, "text": told} for turn, told in self.removed],
            "for_open_seats": self.for_open_seats,
            "deputy": self.deputy,
            "over": self.over,
            "final": self.final,
            "proven": self.proven,
            "told": self.told,
            "waiting": self.waiting,
            "messages": self.messages,
            "referee_played": self.referee_played,
            "statement": self.statement(),
            "findings": [
                _plain(finding) | {"next": next_step_for(finding, self)}
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
