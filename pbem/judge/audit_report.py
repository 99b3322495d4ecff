"""The report of an audit: its findings, and the facts of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final, Literal, NamedTuple

from engine import Entry
from engine.value_classes import Mutable, Value
from pbem.files.signed_and_seen import Sighting
from pbem.format.record_error import EXIT, WORST_FIRST, Reason
from pbem.judge.evidence_from_own_machine import DroppedNotice, Unseated
from pbem.judge.order_fates import OrderFate
from pbem.judge.seat_holders_keys_and_agreements import AppliedNotice
from pbem.records.twelve_words import words_of

Grade = Literal["broken", "ask", "stray", "foreign"]
REFEREE: Final = "referee"
DEPUTY: Final = "deputy"
Verdict = Literal["PROVEN", "RIGHT SO FAR", "DAMAGED"]
FINDINGS: Final = 1
"""The exit code of an audit that found nothing wrong, but something to ask about."""


class Evidence(NamedTuple):
    """What the auditor's own machine remembers about one file, and no record proves."""

    memory: OrderFate | DroppedNotice | Unseated | Sighting
    maker: str
    """The name of the person who made the turn that this is about, or should have listed it."""


class Finding(Value):
    """The audit's finding about one file.

    `broken`: a record that the chain uses or needs is wrong or missing. `ask`: one machine saw
    something that no record proves, and its owner should ask. `stray`: the file is signed by
    somebody in the game, but no turn uses it. `foreign`: the file is not part of this game, or not
    signed by anybody in it.
    """

    grade: Grade
    path: str
    """The path from the game's folder, with slashes."""
    reason: Reason
    sentence: str
    """What is wrong; empty if `evidence` has the facts (see
    `pbem/wording/evidence_from_own_machine.py`)."""
    culprit: str = ""
    """The signer of the wrong record: `referee`, `deputy`, `seat b`, `co-dealer 0`; empty if nobody
    can know."""
    turn: int = 0
    """The number of the turn that the finding is about; 0 = none."""
    proof: bool = False
    """Whether the finding proves to everybody that one key signed two bodies for one place."""
    evidence: Evidence | None = None

    @property
    def exit(self) -> int:
        """The exit code of an audit whose worst finding is this one."""
        if self.grade == "ask":
            return FINDINGS
        return EXIT[self.reason] if self.grade == "broken" else 0


class CertifiedJoin(NamedTuple):
    """A row of the certificate about one join."""

    seat: str
    """The seat's letter; empty if the join is not in the folder."""
    name: str
    digits: str
    """The first six hex digits of the join's id."""
    counts: bool
    """Whether turn 1 gave the join a seat."""
    shares: str = ""
    """The other owner of the same key in the game: `seat a`, `the referee`; empty for nobody."""


class Report(Mutable):
    """The result of an audit. Its facts come from the chain up to the last good turn."""

    title: str = ""
    ruleset: str = ""
    """The name of the game's ruleset."""
    mode: str = "referee"
    """The name of the way in which the cards were dealt (see `CardMode`)."""
    dealers: Sequence[str] = ()
    """In mode `dealers`, the names of the co-dealers."""
    closed_dealers: Sequence[str] = ()
    """The names of the co-dealers that have not opened their secrets."""
    referee: str = ""
    """The referee's name."""
    game: bytes = b""
    """The game's id; empty if the charter cannot be read."""
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
    """The joins in `by_word` of turn 1: the referee decided about each."""
    left_out: list[CertifiedJoin] = field(default_factory=list)
    """The unmentioned joins: made with the invite, but turn 1 does not name them. Known only after
    `final`."""
    turns: int = 0
    """The number of turns that are right."""
    last_turn: int = 0
    """The number of the last turn in the folder, also if the audit stopped before it."""
    orders: int = 0
    """The number of order sets that the turns list."""
    dice: int = 0
    """The number of dice rolled."""
    cards: int = 0
    """The number of commitments to cards. A reshuffled card counts again."""
    heads: list[bytes] = field(default_factory=list)
    """heads[k] is the head after turn k."""
    other_zones: list[int] = field(default_factory=list)
    """The turns whose deadline differs from the one that this machine's time zone data gives."""
    notices: list[AppliedNotice] = field(default_factory=list)
    """The notices that turns list."""
    removed: list[tuple[int, str]] = field(default_factory=list)
    """The seats removed for being silent too long, each with the turn: (turn, seat)."""
    for_open_seats: dict[str, int] = field(default_factory=dict)
    """For each open seat: the number of its questions that the charter's bot answered."""
    by_default: dict[str, int] = field(default_factory=dict)
    """For each seat: the number of its questions that the default settled, because no order
    answered."""
    first_names: dict[str, str] = field(default_factory=dict)
    """The names of the players at turn 1. Their shares determined the order of the deck."""
    deputy: str = ""
    """The name of the deputy, who can read everything that the referee can read; empty if the game
    has none."""
    over: bool = False
    final: bool = False
    """Whether every turn could be made again with the secrets of `final`."""
    log: list[Entry] = field(default_factory=list)
    """After `final`: the whole log with every hidden card, if every turn could be made again."""
    told: int | None = None
    """The turn with the head that somebody read out as twelve words; None if nobody did, or if no
    turn has it."""
    messages: int = 0
    """The number of signed messages in their place in `press/`. No verdict depends on them."""
    waiting: int = 0
    """The number of order sets that the next turn may list."""
    seat: str = ""
    """The seat for which the audit was made; empty for an outsider's audit."""
    remembered: int = 0
    """The number of that seat's order sets that this machine remembers sealing."""
    saw: int = 0
    """The last turn that this machine saw before the audit; 0 without a seat."""
    findings: list[Finding] = field(default_factory=list)

    def note(
        self, grade: Grade, path: str, reason: Reason, sentence: str,
        culprit: str = "", turn: int = 0, *, proof: bool = False,
    ) -> None:  # fmt: skip
        """Add a finding."""
        self.findings.append(Finding(grade, path, reason, sentence, culprit, turn, proof))

    def note_evidence(self, grade: Grade, path: str, evidence: Evidence) -> None:
        """Add a finding about what the auditor's own machine remembers."""
        self.findings.append(Finding(grade, path, "state", "", evidence=evidence))

    @property
    def broken(self) -> list[Finding]:
        """The findings that make the audit fail."""
        return [finding for finding in self.findings if finding.grade == "broken"]

    @property
    def proven(self) -> bool:
        """Whether the whole game was proven, from the first card to the last."""
        return self.final and self.over and not self.broken

    @property
    def certain(self) -> int:
        """The last turn before the first wrong one: the last right turn if no finding is about a
        turn; 0 if no turn is certain."""
        turns_before = [finding.turn - 1 for finding in self.broken if finding.turn]
        return min([self.turns, *turns_before])

    @property
    def exit(self) -> int:
        """The exit code: 0, or the code of the worst finding (docs/errors.md)."""
        exit_codes = {finding.exit for finding in self.findings}
        return next((code for code in WORST_FIRST if code in exit_codes), 0)

    @property
    def words(self) -> list[str]:
        """The twelve words for the last head."""
        return words_of(self.heads[-1]) if self.heads else []

    @property
    def referee_played(self) -> bool:
        """Whether the referee played a seat in person (not a bot)."""
        return bool(set(self.plays) & self.names.keys() - self.bots.keys())

    @property
    def verdict(self) -> Verdict:
        """The result in one to three words."""
        if self.broken:
            return "DAMAGED"
        return "PROVEN" if self.proven else "RIGHT SO FAR"
