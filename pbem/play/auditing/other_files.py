"""Audit the files in a game's folder that no turn uses, which is the last part of an audit.

This part accuses people only of what their own keys have signed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from pbem.format.errors import Reason
from pbem.play.auditing.report import Finding, Grade, Report
from pbem.play.auditing.unlisted_notices import UnlistedNotices
from pbem.play.auditing.witness import Witness
from pbem.play.checking.game_folder import GameFolder
from pbem.play.checking.stray_turns import MOST
from pbem.play.checking.which_join_counts import shared_with
from pbem.play.press.read_messages import PressReader
from pbem.play.press.seating import seating_in
from pbem.play.seats.standing import Standing
from pbem.records.charter_join_orders import Orders
from pbem.records.read_record import KnownKey, Record
from pbem.records.turn import Turn
from pbem.storage.errors import FileError
from pbem.storage.file_names import turn_path
from pbem.storage.folder import Found
from pbem.storage.stray_files import Litter

ByReferee = Callable[[str], bool]
"""Returns whether the file at a path is a turn or final of this game that the referee or the deputy
signed."""


class OtherFiles:
    """Checks the files that no turn uses, and adds its findings to a report."""

    def __init__(self, game_folder: GameFolder, report: Report, witness: Witness | None) -> None:
        self.game_folder, self.report, self.witness = game_folder, report, witness
        self.turns: Sequence[Record[Turn]] = ()
        self.used: Mapping[bytes, Record[Orders]] = {}
        self.standing = Standing(game_folder.charter.content)

    def run(
        self,
        turns: Sequence[Record[Turn]],
        used: Mapping[bytes, Record[Orders]],
        known: KnownKey,
        by_referee: ByReferee,
        standing: Standing,
    ) -> None:
        """Audit the files. `turns` are the correct turns; `used` are the orders that they list, by
        id.

        `standing` says who has which seat after these turns.
        """
        self.turns, self.used, self.standing = turns, used, standing
        self._joins(self.game_folder.taken_in())
        self._orders(known)
        self._press()
        UnlistedNotices(self.game_folder, self.report, self.witness, self._note).run(
            standing, turns
        )
        self._later_turns(by_referee)
        self._faults()
        for litter in self.game_folder.listing.litter:
            self._litter(litter, by_referee)
        for turn, told in self.witness.sights(self.game_folder.maker) if self.witness else ():
            if self._timed(turn):
                self._note("ask", turn_path(turn), "state", told)

    def _timed(self, number: int) -> bool:
        """Return whether a turn's date matters: it does if the turn has a deadline or a seat was
        silent."""
        content = self.turns[number - 1].content if number <= len(self.turns) else None
        return content is None or bool(content.deadline or content.silent)

    def _note(
        self, grade: Grade, path: str, reason: Reason, sentence: str, culprit: str = ""
    ) -> None:
        self.report.findings.append(Finding(grade, path, reason, sentence, culprit))

    def _said(self) -> set[str]:
        return {finding.path for finding in self.report.findings}

    # -------------------------------------------------------------- joins
    def _joins(self, later: Collection[bytes]) -> None:
        """Report the joins that did not count; the joins in `later` took seats over later."""
        if not self.turns:
            return
        first, here = self.turns[0].content, self.game_folder.joins()
        counted = set((first.joins or {}).values())
        seats = [here[ident] for ident in counted if ident in here]
        made = first.time, self.report.referee  # turn 1 is always the referee's
        for ident, record in here.items():
            if ident in counted or ident in later:
                continue
            seat = record.content.seat
            path = f"seats/{seat}-{ident.hex()[:6]}.toml"
            seated = here.get((first.joins or {}).get(seat, b""))
            same = seated is not None and seated.content.key == record.content.key  # same person
            same = same or ident in first.by_word  # the referee decided
            if shares := shared_with(self.game_folder.charter.content, record, seats):
                told = f"a join for seat {seat} that names a key of {shares}"
                self._note(
                    "stray", path, "key", f"{told}; two joins with the same key never both count"
                )
            elif self.witness and not same and (why := self.witness.unseated(ident, *made)):
                self._note("ask", path, "state", why)
            else:
                self._note("stray", path, "state", f"a join for seat {seat} that did not count")

    # -------------------------------------------------------------- orders
    def _orders(self, known: KnownKey) -> None:
        said = self._said()
        broken = any(finding.grade == "broken" for finding in self.report.findings)
        for found in self.game_folder.listing.orders:
            if found.path in said:
                continue
            try:
                record = self.game_folder.orders(found, known)
            except FileError as error:
                if error.reason == "key" and broken and found.name.turn >= self.report.turns:
                    # the audit stopped at a record that is broken or missing, so it does not know
                    # which keys counted later
                    self.report.waiting += 1
                else:
                    self._note("foreign", found.path, error.reason, error.sentence)
                continue
            if record.id not in self.used:
                self._unlisted(found, record)
            elif self._listed_late(record):
                self._ask_about(found, record)

    def _unlisted(self, found: Found, record: Record[Orders]) -> None:
        orders, heads, last = record.content, self.report.heads, self.report.turns
        if self._outdated(record):
            told = f"signed with a key of seat {orders.seat} that no longer counts"
            self._note("stray", found.path, "key", told)
        elif orders.turn > last or (orders.turn, orders.prev) == (last, heads[-1]):
            self.report.waiting += 1
        elif (signer := self._signer(record)) != orders.seat:
            told = f"signed with the key of seat {signer}, in the name of seat {orders.seat}"
            self._note("stray", found.path, "key", told, f"seat {signer}")
        elif orders.prev != heads[orders.turn]:
            told = f"seat {orders.seat} signed these orders for a different version"
            told = f"{told} of turn {orders.turn} from the one here"
            self._note("stray", found.path, "fork", told)
        elif self._replaced(record):
            told = "no turn lists these orders, because later orders of the same seat replaced them"
            self._note("stray", found.path, "state", told)
        elif not self._ask_about(found, record):
            told = "no turn lists these orders; they came late, or the referee left them out"
            self._note("stray", found.path, "state", told)

    def _outdated(self, record: Record[Orders]) -> bool:
        """Return whether the seat had new keys before any turn could list these orders."""
        former = self.standing.former.get(record.content.seat, ())
        after = record.content.turn + 1
        return any(was.signing == record.signed.key and after >= was.until for was in former)

    def _signer(self, record: Record[Orders]) -> str:
        """Return the seat whose key, present or former, signed the orders."""
        return self.standing.seats_of_keys()[record.signed.key]

    def _replaced(self, record: Record[Orders]) -> bool:
        """Return whether the next turn accepted a higher revision of the same seat's orders.

        Then these orders may be missing, because only the highest revision is sent by mail.
        """
        orders = record.content
        if orders.turn >= len(self.turns):
            return False
        taken = (
            self.used[one.id].content
            for one in self.turns[orders.turn].content.orders
            if one.seat == orders.seat and one.status == "accepted"
        )
        return any((x.turn, x.prev) == (orders.turn, orders.prev) and x.revision > orders.revision
                   for x in taken)  # fmt: skip

    def _listed_late(self, record: Record[Orders]) -> bool:
        return record.id in self._late

    @cached_property
    def _late(self) -> set[bytes]:
        """The ids of all orders that a turn lists as late."""
        listed = (one for turn in self.turns for one in turn.content.orders)
        return {one.id for one in listed if one.reason == "late"}

    def _ask_about(self, found: Found, record: Record[Orders]) -> bool:
        """Report that the owner's orders were not used, although this machine sealed them in time.

        Returns whether that is so.
        """
        orders, held = record.content, self.report.plays
        if self.witness is None or orders.seat != self.witness.seat or orders.seat in held:
            return False
        if orders.turn >= len(self.turns) or orders.prev != self.report.heads[orders.turn]:
            return False
        made = self.turns[orders.turn].content.time
        maker = self.game_folder.maker(orders.turn + 1).name
        why = self.witness.dropped(record.id, orders.turn, made, maker)
        if why:
            self._note("ask", found.path, "state", why)
        return bool(why)

    # -------------------------------------------------------------- messages
    def _press(self) -> None:
        """Count the messages. They prove nothing about the game, so they accuse nobody."""
        if not self.game_folder.listing.press:
            return
        try:
            seating = seating_in(self.game_folder)
        except FileError:  # the audit of the chain reports this fault
            return
        reader = PressReader(self.game_folder, self.report.heads, seating)
        self.report.messages = len(reader.records())
        for fault in reader.faults:
            grade: Grade = "stray" if fault.reason == "fork" else "foreign"
            self._note(grade, fault.path, fault.reason, fault.sentence)

    # -------------------------------------------------------------- all other files
    def _later_turns(self, by_referee: ByReferee) -> None:
        """Report the stray files that have names of later turns."""
        said = self._said()
        for found in self.game_folder.strays[:MOST]:
            if not by_referee(found.path) and found.path not in said:
                fault = self.game_folder.stray(found)
                self._note("foreign", found.path, fault.reason, fault.sentence)
        for found in self.game_folder.strays[MOST : MOST + 1]:
            told = f"{len(self.game_folder.strays) - MOST} more such files were not read"
            self._note("foreign", found.path, "name", f"{told}: remove them")

    def _faults(self) -> None:
        said = self._said()
        for fault in self.game_folder.faults:
            if fault.path not in said:
                self._note("foreign", fault.path, fault.reason, fault.sentence)

    def _litter(self, litter: Litter, by_referee: ByReferee) -> None:
        if litter.kind in ("system", "temporary"):
            return
        inside = litter.path.partition("/")[0]
        chain = inside == "turns" or "/" not in litter.path
        if chain and litter.kind not in ("link", "folder") and by_referee(litter.path):
            moved = [x.place for x in self.game_folder.moved_turns if x.path == litter.path]
            for place in moved:
                told = f"this is the turn {place} that counts, but {turn_path(place)} is another "
                told += f"file: pbem advance of {self.report.deputy} will put this one there"
                self._note("stray", litter.path, "place", told)
            if not (self.report.findings and self.report.findings[-1].path == litter.path):
                self._note("foreign", litter.path, "seen", "a second copy of a record")
            return
        self._note("foreign", litter.path, "name", litter.why)
