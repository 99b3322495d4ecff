"""Audit the notices that no turn lists: they are still waiting, cannot count, or were left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.format.errors import Reason
from pbem.play.auditing.report import Grade, Report
from pbem.play.auditing.witness import Witness
from pbem.play.checking.game_folder import GameFolder
from pbem.play.notices.notice_files import keys_in_game, new_notices, notice_name
from pbem.play.press.read_messages import named
from pbem.play.seats.listed_notices import SignedNotice, why_not
from pbem.play.seats.standing import Standing
from pbem.records.read_record import Record
from pbem.records.turn import Turn

Note = Callable[[Grade, str, Reason, str], None]
"""Adds a finding to the report: its grade, the file, the reason and a sentence."""


class UnlistedNotices:
    """Checks the notices that no turn lists."""

    def __init__(
        self, game_folder: GameFolder, report: Report, witness: Witness | None, note: Note
    ) -> None:
        self.game_folder, self.report, self.witness, self.note = game_folder, report, witness, note

    def run(self, standing: Standing, turns: Sequence[Record[Turn]]) -> None:
        """Audit the notices; `standing` is the standing after the last of the correct `turns`."""
        if not self.game_folder.listing.notices:
            return
        listed = {one.id for one in standing.listed}
        keys = keys_in_game(self.game_folder, listed)
        for record in new_notices(self.game_folder, listed):
            path = notice_name(record).path
            if record.signed.key not in keys:
                told = "a notice signed with a key that nobody in this game has"
                self.note("foreign", path, "key", told)
            elif cancelled := self._would_cancel(record, standing, turns):
                self.note(*cancelled)
            elif reason := why_not(standing, record, self.report.heads):
                told = f"a notice of {named(record.content.writer)} that does not count: {reason}"
                self.note("stray", path, "state", told)
            elif record.content.turn == len(turns):
                self.report.waiting += 1
            elif why := self._dropped(record, turns):
                self.note("ask", path, "state", why)
            else:
                told = "no turn lists this notice; it came late, or the referee left it out"
                self.note("stray", path, "state", told)

    def _would_cancel(
        self, record: SignedNotice, standing: Standing, turns: Sequence[Record[Turn]]
    ) -> tuple[Grade, str, Reason, str] | None:
        """Return a finding about a notice that would have kept a seat, if a turn had listed it.

        Such a seat got new keys, or a new player, after a waiting time in which its player could
        cancel this.
        """
        notice, path = record.content, notice_name(record).path
        for was in standing.former.get(notice.seat, ()):
            twice = [one for one in standing.listed if one.turn == was.until]
            ids = {one.id for one in twice if one.seat == notice.seat}
            begun = [one.turn for one in standing.listed if one.id in ids and one.turn < was.until]
            if was.signing != record.signed.key or not begun:
                continue
            if not begun[0] <= notice.turn < was.until or notice.prev != self._head(notice.turn):
                continue
            told = f"this notice would have kept this seat from changing hands in turn {was.until}"
            witness = self.witness
            seen = witness.sealed.get(record.id.hex()) if witness else None
            if seen is not None and seen < turns[was.until - 1].content.time:
                told += ", and you signed it before that turn: ask "
                return "ask", path, "state", f"{told}{self._maker(was.until)} why no turn lists it"
            return "stray", path, "state", f"{told}; it came late, or the referee left it out"
        return None

    def _maker(self, turn: int) -> str:
        return self.game_folder.maker(turn).name

    def _head(self, turn: int) -> bytes:
        return self.report.heads[turn]

    def _dropped(self, record: SignedNotice, turns: Sequence[Record[Turn]]) -> str:
        """Return a warning if a turn left out a notice that this machine had signed before that
        turn.

        The answer is empty if no turn did.
        """
        notice, witness = record.content, self.witness
        if witness is None or notice.seat != witness.seat:
            return ""
        for turn in turns[notice.turn :]:
            if why := witness.notice_dropped(record.id, notice.about, turn.content):
                maker = self._maker(turn.content.turn)
                return f"{why}. If you sent it by then, ask {maker} why"
        return ""
