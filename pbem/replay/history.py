"""Go through a game entry by entry: the sentences of each entry, and the table after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.frozen import frozen
from pbem.replay.changes import changes
from pbem.screen.tell_entries import Teller
from pbem.screen.tell_turns import heading, phase_names
from pbem.screen.what_changed import Following

if TYPE_CHECKING:
    from engine import Scene
    from pbem.play.view import View


@frozen
class Step:
    """One entry of the log, with its sentences and the table after it."""

    turn: int
    headings: Sequence[str]
    """The headings before the entry, if a turn, round or phase begins with it."""
    told: Sequence[str]
    """The sentences of the entry."""
    followed: Sequence[str]
    """Sentences on what followed automatically."""
    scene: Scene
    """The table after the entry."""


class History:
    """All entries of one view, each with its sentences and table.

    `of` continues an earlier history if the game only has new entries.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.start: Scene = view.play.ruleset.scene(view.play.start())
        self.steps: list[Step] = []
        self._entries: list[tuple[str, str, str, str, str]] = []
        self._following = Following(view)
        self._teller = Teller(view.play.ruleset, view.names)
        self._phases = phase_names(view)
        self._last = (0, "")

    @classmethod
    def of(cls, view: View, known: History | None) -> History:
        """Return the history of a view; entries that are in `known` are taken from `known`."""
        fits = (
            known is not None
            and known.view.seat == view.seat
            and known._entries == view.entries[: len(known._entries)]
        )
        found = known if known is not None and fits else cls(view)
        found.view = view
        found._tell()
        return found

    def _tell(self) -> None:
        turn, ends = 1, self.view.ends
        for at in range(len(self._entries), len(self.view.log)):
            entry = self.view.log[at]
            while turn < len(ends) and at >= ends[turn - 1]:
                turn += 1
            scope = entry.key.rsplit(".", 3)[0]
            said = [*heading(turn, scope, self._last, self._phases)]
            headings = said if (turn, scope) != self._last else []
            self._last = (turn, scope)
            told, followed = self._teller.entry(entry), self._following.after(entry)
            scene = self._following.scene or self.start
            self.steps.append(Step(turn, headings, told, followed, scene))
            self._entries.append(self.view.entries[at])

    # -------------------------------------------------------------- looking at it
    def scene_after(self, step: int) -> Scene:
        """Return the scene after the first `step` entries."""
        return self.steps[step - 1].scene if step else self.start

    def end_of(self, turn: int) -> int:
        """Return the number of entries up to the end of a turn."""
        return self.view.ends[turn - 1] if turn else 0

    def turn_at(self, step: int) -> int:
        """Return the turn to which entry number `step` belongs."""
        return self.steps[step - 1].turn if step else 0

    def changed(self, before: int, after: int) -> list[str]:
        """Return what differs between the scenes after `before` and after `after` entries, as
        keys."""
        return changes(self.scene_after(before), self.scene_after(after))

    def of_turns(self, turns: range) -> list[Step]:
        """Return the entries of these turns."""
        begin = self.end_of(turns.start - 1)
        return self.steps[begin : self.end_of(turns.stop - 1)]
