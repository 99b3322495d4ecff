"""An unfinished turn: its steps so far, and the table after each of them."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

S = TypeVar("S")


class Draft(Generic[S]):
    """An unfinished turn that will be one answer; it can show the table after each of its steps.

    A draft exists only while its question is open, and the table does not change in that time. If
    new steps continue the last ones, they are played on the same copy. So the work grows with the
    length of the turn, not with its square.
    """

    def __init__(self, copy: Callable[[], S], play: Callable[[S, str, int], None]) -> None:
        """Make a draft; ``copy`` makes a copy of the table, and ``play`` carries out a step: it
        gets the copy, the step, and the number of hidden cards (``[card]``) in the steps before
        it."""
        self._copy, self._play = copy, play
        self._played_state: S | None = None
        """The copy on which the last steps were played; None if there is none."""
        self._played_steps: list[str] = []
        self._hidden_card_count = 0
        """The number of hidden cards in these steps."""

    def state_after(self, steps: Sequence[str]) -> S:
        """Return the table after these steps, which must be legal. Do not change it."""
        # a step that fails must leave no half-played state
        state, self._played_state = self._played_state, None
        played_count = len(self._played_steps)
        if state is None or self._played_steps != list(steps[:played_count]):
            state, played_count, self._hidden_card_count = self._copy(), 0, 0
        for step in steps[played_count:]:
            self._play(state, step, self._hidden_card_count)
            self._hidden_card_count += step.count("[")
        self._played_state, self._played_steps = state, list(steps)
        return state
