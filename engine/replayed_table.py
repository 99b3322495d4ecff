"""A table: one replay of the log, as one seat, a spectator or the referee sees it."""

import re
from collections.abc import Iterable
from typing import Generic

from engine.decisions import Decision, Rules, Together
from engine.log import ALL, CHANCE, PUBLIC, SETTLING_PATTERN, Entry, Seat
from engine.ruleset import Game, S
from engine.sentences.legality import forced, why_not

Pending = list[tuple[str, Decision]]


class Illegal(Exception):
    """Raised for an entry that the rules do not allow; the message says which and why."""


class Misfit(Exception):
    """Raised for an entry that answers no open question: the log does not belong to these rules."""


class Table(Generic[S]):
    """The state and the open questions after the entries pushed so far.

    If it ``checks_entries``, every entry must be legal, and must be settled in the way that its
    ``by`` says. If not, the log is trusted.
    """

    def __init__(
        self,
        game: Game[S],
        viewpoint: Seat = ALL,
        log: Iterable[Entry] = (),
        checks_entries: bool = False,
        position: tuple[S, str] | None = None,
    ) -> None:
        """Replay the log from the start, or from a position: a state, and the name of the phase
        with which play goes on."""
        self.game, self.viewpoint, self.checks_entries = game, viewpoint, checks_entries
        self.state, phase = position or (game.start(), "")
        self.entries = 0
        """The number of log entries that the rules have received."""
        self.open_decisions: tuple[Decision, ...] = ()
        """All questions of the present wave, also those with an answer; empty after the game."""
        self._keys: list[str] = []
        self._rules: Rules = game.play(self.state, phase)
        self._counts: dict[str, int] = {}
        """For each key of this scope without its number, the number that was given last."""
        self._scope = ""
        """The ``round.phase`` of the present wave."""
        self._unnumbered: list[tuple[Decision, ...]] = []
        """The waves of this scope whose questions have no keys yet, up to the present one."""
        self._answers: list[str] = []
        """The answers to the first questions of the present wave."""
        self._is_single = False
        """Whether the rules asked a single question, and so expect one answer instead of a
        list."""
        self._next(None)
        for entry in log:
            self.push(entry)

    @property
    def keys(self) -> list[str]:
        """The keys of the present questions; questions are numbered only when keys are read."""
        for wave in self._unnumbered:
            self._keys = [self._key(decision) for decision in wave]
        self._unnumbered.clear()
        return self._keys

    @property
    def pending(self) -> Pending:
        """The key and decision of each question without an answer, in the order of the rules."""
        n = len(self._answers)
        return list(zip(self.keys[n:], self.open_decisions[n:], strict=True))

    @property
    def is_inside_wave(self) -> bool:
        """Whether some questions of the present wave have answers, and others have none."""
        return bool(self._answers)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.open_decisions

    def why_not(self, decision: Decision, text: str) -> str | None:
        """Return the reason why this table refuses the answer; None if the answer is legal here."""
        return why_not(decision, text, self.viewpoint, self.game.ruleset.vocabulary)

    def push(self, entry: Entry) -> None:
        """Apply the next entry of the log.

        The entry is checked before the rules get it, because an exception in the rules would end
        the generator. Raises Misfit if the entry does not answer the next question, and Illegal,
        if the table checks entries, for an answer that the rules do not allow; then the table
        stays as it was.
        """
        i = len(self._answers)
        if i >= len(self.open_decisions):
            raise Misfit(f"entry {entry.key} comes after the end of the game")
        decision = self.open_decisions[i]
        if (self.keys[i], decision.seat, decision.to) != (entry.key, entry.seat, entry.to):
            raise Misfit(
                f"the next question is {self.keys[i]}, but the next entry answers question "
                f"{entry.key}"
            )
        if self.checks_entries and (reason := self.why_not_entry(decision, entry)):
            raise Illegal(f"entry {entry.key}: {reason}")
        self.take_answer(entry.text)

    def take_answer(self, text: str) -> None:
        """Answer the next question without checking the answer (``push`` checks it first). The
        rules go on when the last answer of the wave is there."""
        answers = self._answers
        answers.append(text)
        if len(answers) == len(self.open_decisions):
            self.state.entry = self.entries
            self.entries += len(answers)
            self._next(text if self._is_single else answers)

    def why_not_entry(self, decision: Decision, entry: Entry) -> str | None:
        """Say why the entry is illegal, or ``by`` is wrong; None if the entry is right."""
        return (
            self.why_not(decision, entry.text)
            or self._wave_reason(entry.text)
            or self._settling_reason(decision, entry.by)
        )

    def _wave_reason(self, text: str) -> str | None:
        """Say why the answer to the next question is illegal after the other answers of the wave;
        None if it is legal."""
        wave = self.open_decisions
        if not isinstance(wave, Together) or wave.veto is None:
            return None
        return wave.veto([*self._answers, text])

    def _settling_reason(self, decision: Decision, settling: str) -> str | None:
        """Say why ``settling`` cannot be true; None if it can.

        Only the public table tells whether an answer was ``forced``, so that everybody can check
        it; other tables, which may see fewer options, leave this out.
        """
        if not re.fullmatch(SETTLING_PATTERN, settling):
            return f"{settling!r} is not a way to settle a question"
        expected_settling = (
            "chance" if decision.seat == CHANCE else "fact" if decision.fact else None
        )
        if (settling if settling in ("chance", "fact") else None) != expected_settling:
            return f"{settling!r} is not a way to settle this question"
        if (
            self.viewpoint != PUBLIC
            or expected_settling
            or (settling == "forced") == forced(decision)
        ):
            return None
        public_view = (
            "several options" if settling == "forced" else "only one option, so it is 'forced'"
        )
        return f"{settling!r} is not a way to settle this question: the table offers {public_view}"

    def _next(self, answer: str | list[str] | None) -> None:
        """Give the rules the answer to their question, or the answers of a wave (None to start the
        rules), and note the next questions."""
        self._answers = []
        try:
            wave = self._rules.send(answer)  # type: ignore[arg-type]
        except StopIteration:  # the game is over: a wave without questions has no keys
            self.open_decisions, self._unnumbered, self._is_single = (), [()], False
            return
        if isinstance(wave, Together):
            self.open_decisions, self._is_single = wave, False
        else:
            self.open_decisions, self._is_single = (wave,), True
        if self.state.scope != self._scope:
            self._scope = self.state.scope
            self._counts.clear()
            self._unnumbered.clear()
        self._unnumbered.append(self.open_decisions)
        if not self.open_decisions:  # a Together without questions asks nobody
            self._next([])

    def _key(self, decision: Decision) -> str:
        question = f"{self._scope}.{decision.kind}.{decision.seat}"
        self._counts[question] = n = self._counts.get(question, -1) + 1
        return f"{question}.{n}"
