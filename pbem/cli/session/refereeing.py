"""Work out what `advance` would do with the game; nothing is written."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.failure import CliError
    from pbem.cli.session.identity import Identity
    from pbem.format.keys import SigningKey
    from pbem.play.making.outcome import Outcome, Wishes
    from pbem.play.making.progress import Progress
    from pbem.records.turn import Turn

DAY: Final = 86_400
FAR: Final = 14 * DAY
"""By how many seconds a turn's date may differ from the clock, and from everything else here."""
ALL_THE_SAME: Final = "to go on all the same: pbem advance --time-is-right"


class Refereeing:
    """The referee's view of the next turn, as the folder was when it was read."""

    def __init__(self, me: Identity, progress: Progress | None = None) -> None:
        self.me = me
        self.progress = progress
        """What the last `advance` in this process knew, so that the next one need not start
        again."""
        self.heads: list[bytes] = []
        """The heads after all turns, with those of the turns that the last `advance` made."""

    @cached_property
    def outlook(self) -> Outcome:
        """What `advance` would do now; computed only once."""
        from pbem.cli.session.missing_turns import need_last_made

        need_last_made(self.me.here)
        outcome = self.advance()
        if outcome.write:
            self.progress = None  # these records were not written: the next run makes them again
        return outcome

    def advance(self, wishes: Wishes | None = None, now: int | None = None) -> Outcome:
        """Return what `advance` would do at a time (default: now); see pbem.play.making.advance.

        Before turn 1, the wishes that earlier runs saved count too; see keep_wishes.
        """
        from pbem.cli.clock import now as clock
        from pbem.play.making.advance import Advance

        moment = clock() if now is None else now
        here = self.me.here
        known, key = self._known(wishes), self.me.referee_key()
        before = self.progress or self._resumed(key)
        run = Advance(here.game_folder, key, moment, known, before, self._keep)
        self.progress = None  # a run that fails must leave no progress behind
        outcome = run.run()
        heads = run.heads[: here.listing.reached + 1]  # all turns except the one that was just made
        self._remember(heads)
        made = sum(name.kind == "turn" for name, _ in outcome.write)
        self.heads = run.heads[: here.listing.reached + 1 + made]
        self.progress = run.progress
        return outcome

    def check_clock(self, outcome: Outcome) -> None:
        """Check that the date of a new turn fits this computer's clock and the rest of the folder.
        Raises CliError; then nothing may be written."""
        if doubt := self.doubt(outcome):
            self.progress = None  # its last turn was not written
            raise doubt

    def doubt(self, outcome: Outcome) -> CliError | None:
        """Return why a new turn seems to have a wrong date; None if it does not.

        A turn that is dated far ahead spoils the game: no later turn can have an earlier date. In a
        turn that is dated long ago, nobody has time to answer. If you typed the time, it is
        compared with the clock as well.
        """
        from time import time

        from pbem.cli.clock import is_typed, now
        from pbem.cli.failure import NOT_YET, CliError
        from pbem.text.dates import local_date, span

        dates = [getattr(one.content, "time", None) for name, one in outcome.write[:1]]
        date, cure = next(iter(dates), None), "if it is right: pbem advance --time-is-right"
        if date is None:
            return None
        files, last = self._dates()
        ahead = 0 if last or is_typed() else files[0] - now()
        if ahead > FAR:
            told = f"this computer's clock says {local_date(now())}, {span(ahead)} before"
            return CliError(f"{told} the game was made", f"set the clock; {cure}", NOT_YET)
        if not is_typed() and date > now() + FAR:
            told = f"this computer's clock says {local_date(now())}, {span(date - now())} before "
            told += f"the last turn, and no turn can have an earlier date ({local_date(date)})"
            cure = f"set the clock; if it is right, type pbem notice clock; {ALL_THE_SAME}"
            return CliError(told, cure, NOT_YET)
        others = [when for when in files if when < date + DAY]  # a later file proves nothing
        newest = max(others, default=0)
        newest = max(newest, last.time, last.deadline) if last else newest
        newest = max(newest, int(time())) if is_typed() else newest
        if date <= newest + FAR:
            return None
        what = "the time that you typed is" if is_typed() else "this computer's clock says"
        told = f"{what} {local_date(date)}, {span(date - newest)} after "
        told += "the last turn, its deadline and all that players have sent"
        told += f" ({local_date(newest)})" if not is_typed() else ", and after the clock's time"
        return CliError(told, f"set the clock; {cure}", NOT_YET)

    def _dates(self) -> tuple[list[int], Turn | None]:
        """Return when the players' files came here, and the last turn; before turn 1, return when
        the charter came, then the joins, and None."""
        listing, game_folder = self.me.here.listing, self.me.here.game_folder
        plays = game_folder.charter.content.plays
        files, last = [*([listing.charter] if listing.charter else []), *listing.joins], None
        if listing.reached:
            files = [
                one for one in (*listing.orders, *listing.notices) if one.name.seat not in plays
            ]
            last = game_folder.turn(listing.turns[listing.reached - 1]).content
        return [found.mark.mtime_ns // 10**9 for found in files], last

    def _remember(self, heads: Sequence[bytes]) -> None:
        """Remember the last turn, if the turns continue those seen here before. Raises FileError.

        A turn that this machine made may have been replaced by one that your other machine made:
        then the turn in the folder counts, and `advance` says so.
        """
        from pbem.records.read_record import read
        from pbem.storage.errors import FileError

        mine, chain = self.me.here.mine, [head.hex() for head in heads]
        try:
            mine.heads.remember(chain)
        except FileError:
            seen, made = mine.heads.last(), mine.signed.last()
            if not seen or not made or made.place != seen.turn or seen.turn >= len(heads):
                raise
            if read(made.file).content.prev != heads[seen.turn - 1]:
                raise
            mine.heads.remember_instead(chain)

    def _resumed(self, key: SigningKey) -> Progress | None:
        """Return the turn maker as an earlier process left it; None if it does not fit the
        folder."""
        from pbem.cli.session.caches.checkpoint_store import CheckpointStore
        from pbem.play.making.advance import secrets_of

        here = self.me.here
        if not here.names.turns:
            return None
        secrets = secrets_of(here.game_folder, key)
        return CheckpointStore(here).resume_progress(key.public, secrets)

    def _keep(self, progress: Progress) -> None:
        """Save the turn maker for the next process."""
        from pbem.cli.session.caches.checkpoint_store import CheckpointStore

        CheckpointStore(self.me.here).keep_progress(self.me.referee_key().public, progress)

    def _known(self, wishes: Wishes | None) -> Wishes | None:
        """Return these wishes, together with those saved before turn 1 and with what this machine
        has seen."""
        from dataclasses import replace

        from pbem.cli.session.seen_on_this_machine import note_arrivals
        from pbem.cli.session.start_wishes import wishes_of
        from pbem.play.making.outcome import Wishes

        here = self.me.here
        if not here.listing.reached:
            wishes = wishes_of(here.mine, wishes)
        signed = here.mine.signed.last()
        if signed is not None and signed.place == here.listing.reached:
            # this machine made the last turn, so all turns that it made are here:
            # orders on an unknown head cannot build on a missing one
            wishes = replace(wishes or Wishes(), all_here=True)
        if arrived := note_arrivals(here.mine, here.game_folder):
            wishes = replace(wishes or Wishes(), arrived=arrived)
        if here.game_folder.charter.content.by_mail:
            from pbem.mailseats.mail_book import MailBook

            wishes = replace(wishes or Wishes(), held=MailBook(here.mine).held)
        return wishes
