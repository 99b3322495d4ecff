"""What `advance` would do with the game here, for its referee. Nothing is written."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.cli.session.identity import Identity
    from pbem.play.making.advance import Outcome, Wishes
    from pbem.play.making.progress import Progress


class Refereeing:
    """The referee's work on the game, as it was when the folder was read."""

    def __init__(self, me: Identity, progress: Progress | None = None) -> None:
        self.me = me
        self.progress = progress
        """What the last run of `advance` in this process left to the next one."""

    @cached_property
    def outlook(self) -> Outcome:
        """What `advance` would do now; this is worked out only once."""
        from pbem.cli.session.missing_turns import need_last_made

        need_last_made(self.me.here)
        return self.advance()

    def advance(self, wishes: Wishes | None = None, now: int | None = None) -> Outcome:
        """What `advance` would do at a time (default: now): see pbem.play.making.advance.

        Before turn 1, earlier wishes still count: see keep_wishes.
        """
        from pbem.cli.clock import now as clock
        from pbem.play.making.advance import Advance

        moment = clock() if now is None else now
        here = self.me.here
        known = self._known(wishes)
        run = Advance(here.game_folder, self.me.referee_key(), moment, known, self.progress)
        self.progress = None  # a run that fails must not leave its progress behind
        outcome = run.run()
        heads = run.heads[: here.listing.reached + 1]  # all but the turn that was just made
        here.mine.heads.check([head.hex() for head in heads])
        self.progress = run.progress
        return outcome

    def _known(self, wishes: Wishes | None) -> Wishes | None:
        """The wishes, with those typed before turn 1 and what this machine knows."""
        from dataclasses import replace

        from pbem.cli.session.start_wishes import wishes_of
        from pbem.play.making.advance import Wishes

        here = self.me.here
        if not here.listing.reached:
            wishes = wishes_of(here.mine, wishes)
        signed = here.mine.signed.last()
        if signed is not None and signed.place == here.listing.reached:
            # this machine made the last turn, so no turn it made is missing: orders that
            # build on an unknown head build on none of these turns
            wishes = replace(wishes or Wishes(), all_here=True)
        return wishes
