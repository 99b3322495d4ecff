"""The part of an audit about files that no turn uses: late, replaced, left out, foreign, lost."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pbem.files.disk import FileError
from pbem.files.folder import Found, Litter, turn_path
from pbem.format.canonical import Reason
from pbem.judge.admission import Relation
from pbem.judge.audit_report import Evidence, Grade
from pbem.judge.chain_audit import ChainAudit
from pbem.judge.joins import shared_with
from pbem.judge.notice_files import read_new
from pbem.judge.notices import SignedNotice, why_not
from pbem.judge.order_fates import (
    ListedSet,
    OrderFate,
    OrderHistory,
    OrderSet,
    fate_of,
    fates_of_gone_orders,
    make_history,
    order_set,
)
from pbem.judge.press import PressReader, named, seating_with
from pbem.judge.record_files import file_name
from pbem.judge.stray_turns import MOST
from pbem.records.charter import Orders
from pbem.records.read_record import Record, read
from pbem.records.turn import Turn


class UnusedFiles:
    """The files of one game folder that no turn uses; `run` notes what each is.

    People are accused only of what their own keys have signed.
    """

    def __init__(self, chain_audit: ChainAudit) -> None:
        self.chain_audit, self.witness = chain_audit, chain_audit.witness
        self.game_folder, self.listing = chain_audit.game_folder, chain_audit.listing
        self.chain, self.report = chain_audit.chain, chain_audit.report
        self.turns, self.orders = chain_audit.turns, chain_audit.orders

    def run(self) -> None:
        """Look at each file; call this once, after the audit of the chain."""
        self._other_joins()
        self._other_orders()
        self._messages()
        self._notices()
        self._later_turns()
        said = self._said()
        for fault in self.game_folder.faults:
            if fault.path not in said:
                self.report.note("foreign", fault.path, fault.reason, fault.sentence)
        for litter in self.listing.litter:
            self._litter(litter)
        for sighting in self.witness.odd if self.witness else ():
            turn = sighting.turn
            content = self.turns[turn - 1].content if turn <= len(self.turns) else None
            if content is None or content.deadline or content.silent:  # else no date matters
                evidence = Evidence(sighting, self.game_folder.maker(turn).name)
                self.report.note_evidence("ask", turn_path(turn), evidence)
        self._seen()

    def _said(self) -> set[str]:
        return {finding.path for finding in self.report.findings}

    def _other_joins(self) -> None:
        if not self.turns:
            return
        first, here = self.turns[0].content, self.game_folder.joins()
        later = {said.join for _, said in self.game_folder.taken_in()}
        counted = set((first.joins or {}).values())
        seats = [here[ident] for ident in counted if ident in here]
        for ident, record in here.items():
            if ident in counted or ident in later or ident in first.by_word:
                continue  # `by_word`: the certificate says what the referee decided
            seat = record.content.seat
            path = f"seats/{seat}-{ident.hex()[:6]}.toml"
            seated = here.get((first.joins or {}).get(seat, b""))
            same = seated is not None and seated.content.key == record.content.key  # same person
            if shares := shared_with(self.game_folder.charter.content, record, seats):
                told = f"a join for seat {seat} that names a key of {shares}; two joins with the "
                told += "same key never both count"
                self.report.note("stray", path, "key", told)
            elif self.witness and not same and (own := self.witness.unseated(ident, first.time)):
                # turn 1 is always the referee's
                self.report.note_evidence("ask", path, Evidence(own, self.report.referee))
            else:
                self.report.note(
                    "stray", path, "state", f"a join for seat {seat} that did not count"
                )

    def _other_orders(self) -> None:
        said = self._said()
        broken = any(finding.grade == "broken" for finding in self.report.findings)
        signers = self.chain.standing.seats_of_keys()
        good = {ident: order_set(record) for ident, record in self.orders.items()}
        for found in self.game_folder.listing.orders:
            if found.path in said:
                continue
            try:
                record = self.game_folder.orders(found, self.chain_audit.is_known_key)
                forged = signers.get(record.signed.key) != record.content.seat
                if not forged:
                    good[record.id] = order_set(record)
            except FileError as error:
                if error.reason == "key" and broken and found.name.turn >= self.report.turns:
                    # the audit stopped at a record that is broken or missing, so it does not know
                    # which keys counted later
                    self.report.waiting += 1
                else:
                    self.report.note("foreign", found.path, error.reason, error.sentence)
                continue
            if record.id not in self.orders:
                self._unlisted(found, record)
            elif record.id in self._late:
                self._about_own(found, record, listed=True)
        self._gone_orders(good)
        self._last_own_orders(good)
        if self.witness:
            sealed = self.witness.sealed
            known = {ident.hex() for ident, x in good.items() if x.seat == self.witness.seat}
            self.report.seat, own = self.witness.seat, self.witness.orders()
            self.report.remembered = len(sealed.keys() & (known | own.keys()))
            self.report.saw = self.witness.saw.turn if self.witness.saw else 0

    def _unlisted(self, found: Found, record: Record[Orders]) -> None:
        orders, heads, last = record.content, self.report.heads, self.report.turns
        relation = Relation(self.game_folder, self.chain, record)
        if relation.is_signed_by("replaced"):
            told = f"signed with a key of seat {orders.seat} that no longer counts"
            self.report.note("stray", found.path, "key", told)
        elif (signer := relation.seat_of_key) not in ("", orders.seat):
            told = f"signed with the key of seat {signer}, in the name of seat {orders.seat}"
            self.report.note("stray", found.path, "key", told, f"seat {signer}")
        elif orders.turn > last or (
            orders.prev == heads[orders.turn] and self._fate(record).fate == "waiting"
        ):
            self.report.waiting += 1
        elif orders.prev != heads[orders.turn] and not self._answers_first(orders):
            told = f"seat {orders.seat} signed these orders for a different version of turn "
            told += f"{orders.turn} from the one here"
            self.report.note("stray", found.path, "fork", told)
        # that people change their minds is no finding
        elif self._fate(record).fate != "replaced" and not self._about_own(found, record):
            told = "no turn lists these orders; they came late, or the referee left them out"
            self.report.note("stray", found.path, "state", told)

    def _answers_first(self, orders: Orders) -> bool:
        before = orders.turn - 1
        return (
            before >= 0
            and orders.seat in self.report.plays
            and orders.prev == self.report.heads[before]
        )

    @cached_property
    def _late(self) -> set[bytes]:
        listed = (one for turn in self.turns for one in turn.content.orders)
        return {one.id for one in listed if one.reason == "late"}

    def _fate(self, record: Record[Orders]) -> OrderFate:
        sealed = self.witness.sealed if self.witness else {}
        return fate_of(self._order_set(record), self._history, sealed)

    def _order_set(self, record: Record[Orders]) -> OrderSet:
        """Return the orders as a set; those of the referee's own seats, which answer a turn before
        it is published, build on the head that this turn will have."""
        orders = order_set(record)
        ahead = self._answers_first(record.content) and orders.turn < len(self.report.heads)
        return orders._replace(head=self.report.heads[orders.turn].hex()) if ahead else orders

    @cached_property
    def _history(self) -> OrderHistory:
        chain, listed = self.chain, dict[str, ListedSet]()
        for turn in (record.content for record in self.turns):
            for ident in turn.own:  # the next turn accepts them
                if ident in self.orders:
                    seat = self.orders[ident].content.seat
                    listed[ident.hex()] = ListedSet(turn.turn, seat, "accepted")
        return make_history(
            heads=[head.hex() for head in self.report.heads],
            dates=chain.times,
            ends=chain.ends,
            listed=listed | {ident.hex(): one for ident, one in chain.listed_orders.items()},
            find=self.orders.get,
            maker=self.game_folder.maker,
            over=chain.over,
        )

    def _about_own(self, found: Found, record: Record[Orders], *, listed: bool = False) -> bool:
        """Return whether these orders are the witness's own, with a finding on why they do not
        count; orders that a turn `listed` as late only if the witness should ask."""
        orders, witness = record.content, self.witness
        if witness is None or orders.seat != witness.seat or orders.seat in self.report.plays:
            return False
        fate = self._fate(record)
        if not fate.is_uncounted or orders.prev != self.report.heads[orders.turn]:
            return False
        if fate.should_ask or not listed:
            self._note_fate(found.path, fate)
        return True

    def _note_fate(self, path: str, fate: OrderFate) -> None:
        grade: Grade = "ask" if fate.should_ask else "stray"
        self.report.note_evidence(grade, path, Evidence(fate, fate.maker))

    def _gone_orders(self, good: Mapping[bytes, OrderSet]) -> None:
        """Report orders that the witness's machine sealed, and that are neither here nor listed."""
        witness = self.witness
        if witness is None or witness.seat in self.report.plays or self.report.broken:
            return
        here = [one for one in good.values() if one.seat == witness.seat]
        ids = {one.id for one in here}
        own = [one for one in witness.orders().values() if one.id not in ids]
        for fate in fates_of_gone_orders(own, here, self._history, witness.sealed):
            self._note_fate(fate.orders.path, fate)

    def _last_own_orders(self, good: Mapping[bytes, OrderSet]) -> None:
        """Report that the last orders that the witness's machine sealed for the open questions are
        not here, or that others of the seat count before them."""
        witness = self.witness
        if witness is None or witness.seat in self.report.plays or self.chain.over:
            return
        sealed, turns = witness.sealed, self._history
        own = [one for one in witness.orders().values() if one.id in sealed]
        fates = [fate_of(one, turns, sealed) for one in own if one.turn >= self.chain.asked_by]
        if not fates:
            return
        last = max(fates, key=lambda x: (x.orders.turn, x.sealed_at or 0, x.orders.revision))
        orders, here = last.orders, {one.id: one for one in good.values()}
        told = f"your orders {orders.id[:6]} (revision {orders.revision}) for turn {orders.turn}"
        if last.fate == "waiting" and orders.id not in here:
            told += " were the last that this machine sealed, and are not here: pbem status puts "
            self.report.note("ask", orders.path, "state", f"{told}them back")
        others = [one for one in here.values() if one.seat == orders.seat]
        counting = min(others, key=lambda one: one.rank, default=orders)
        if last.fate == "waiting" and counting.rank < orders.rank:
            told += f" do not count: {counting.id[:6]} (revision {counting.revision}) for turn "
            self.report.note(
                "ask", orders.path, "state", f"{told}{counting.turn} do; seal them again"
            )

    def _seen(self) -> None:
        """Report that the witness's machine saw a longer or another game."""
        seen = self.witness.saw if self.witness else None
        if seen is None or self.report.broken:
            return
        heads = [head.hex() for head in self.report.heads]
        if seen.turn >= len(heads):
            told = f"this machine saw turn {seen.turn} ({seen.head[:6]}); the folder ends at turn "
            told += f"{len(heads) - 1}: get the missing turns, or ask "
            told += f"{self.report.referee} to send them"
            self.report.note("ask", turn_path(seen.turn), "parent", told)
        elif heads[seen.turn] != seen.head:
            told = f"this machine saw another turn {seen.turn} ({seen.head[:6]}, and here it is "
            told += f"{heads[seen.turn][:6]}): ask {self.report.referee} which one counts"
            self.report.note("ask", turn_path(max(1, seen.turn)), "fork", told)

    def _notices(self) -> None:
        standing = self.chain.standing
        if not self.game_folder.listing.notices:
            return
        new = read_new(self.game_folder, self.chain.listed_notices)
        for record in new.records:
            path = file_name(record).path
            if record.signed.key not in new.keys:
                told = "a notice signed with a key that nobody in this game has"
                self.report.note("foreign", path, "key", told)
            elif cancelled := self._would_cancel(record):
                self.report.note(*cancelled)
            elif reason := why_not(standing, record, self.report.heads):
                told = f"a notice of {named(record.content.writer)} that does not count: {reason}"
                self.report.note("stray", path, "state", told)
            elif record.content.turn == len(self.turns):
                self.report.waiting += 1
            elif evidence := self._evidence_of_dropping(record):
                self.report.note_evidence("ask", path, evidence)
            else:
                told = "no turn lists this notice; it came late, or the referee left it out"
                self.report.note("stray", path, "state", told)

    def _would_cancel(self, record: SignedNotice) -> tuple[Grade, str, Reason, str] | None:
        """Return a finding about a notice that would have kept a seat from changing hands after its
        waiting time, if a turn had listed the notice."""
        notice, path, standing = record.content, file_name(record).path, self.chain.standing
        heads, witness = self.report.heads, self.witness
        for was in standing.former.get(notice.seat, ()):
            twice = [one for one in standing.listed if one.turn == was.until]
            ids = {one.id for one in twice if one.seat == notice.seat}
            begun = [one.turn for one in standing.listed if one.id in ids and one.turn < was.until]
            if was.signing != record.signed.key or not begun:
                continue
            if not begun[0] <= notice.turn < was.until or notice.prev != heads[notice.turn]:
                continue
            told = f"this notice would have kept this seat from changing hands in turn {was.until}"
            seen = witness.sealed.get(record.id.hex()) if witness else None
            if seen is not None and seen < self.turns[was.until - 1].content.time:
                told += ", and you signed it before that turn: ask "
                maker = self.game_folder.maker(was.until).name
                return "ask", path, "state", f"{told}{maker} why no turn lists it"
            return "stray", path, "state", f"{told}; it came late, or the referee left it out"
        return None

    def _evidence_of_dropping(self, record: SignedNotice) -> Evidence | None:
        """Return what the witness's machine remembers of a notice that should have been listed."""
        notice, witness = record.content, self.witness
        if witness is None or notice.seat != witness.seat:
            return None
        for turn in self.turns[notice.turn :]:
            if dropped := witness.dropped_notice(record.id, notice.about, turn.content):
                return Evidence(dropped, self.game_folder.maker(dropped.turn).name)
        return None

    def _messages(self) -> None:
        if not self.game_folder.listing.press:
            return
        try:
            seating = seating_with(self.game_folder.standing)
        except FileError:  # the audit of the chain reports this fault
            return
        reader = PressReader(self.game_folder, self.report.heads, seating)
        self.report.messages = len(reader.records())
        for fault in reader.faults:
            grade: Grade = "stray" if fault.reason == "fork" else "foreign"
            self.report.note(grade, fault.path, fault.reason, fault.sentence)

    def _later_turns(self) -> None:
        said = self._said()
        for found in self.game_folder.strays[:MOST]:
            if not self.chain_audit.claim_by_referee(found.path) and found.path not in said:
                fault = self.game_folder.stray(found)
                self.report.note("foreign", found.path, fault.reason, fault.sentence)
        for found in self.game_folder.strays[MOST : MOST + 1]:
            told = f"{len(self.game_folder.strays) - MOST} more such files were not read"
            self.report.note("foreign", found.path, "name", f"{told}: remove them")

    def _litter(self, litter: Litter) -> None:
        if litter.kind in ("system", "temporary"):
            return
        inside = litter.path.partition("/")[0]
        chain = inside == "turns" or "/" not in litter.path
        if (
            chain
            and litter.kind not in ("link", "folder")
            and self.chain_audit.claim_by_referee(litter.path)
        ):
            moved = [
                x.place for x in self.game_folder.deputy_turns.elsewhere() if x.path == litter.path
            ]
            for place in moved:
                told = f"this is the turn {place} that counts, but {turn_path(place)} is another "
                told += f"file: pbem advance of {self.report.deputy} will put this one there"
                self.report.note("stray", litter.path, "place", told)
            if litter.path not in self._said():
                self._only_copy(litter.path)
            if not (self.report.findings and self.report.findings[-1].path == litter.path):
                self.report.note("foreign", litter.path, "seen", "a second copy of a record")
            return
        self.report.note("foreign", litter.path, "name", litter.description)

    def _only_copy(self, path: str) -> None:
        """Say which turn of the game has this wrong name, if it is here under no other."""
        record = read(self.game_folder.folder.read_litter(path))
        number, turns = record.content.turn, self.listing.turns
        if not isinstance(record.content, Turn) or number > self.report.last_turn + 1:
            return
        maker = self.game_folder.maker(number).key == record.signed.key
        if maker and all(found.name.turn != number for found in turns):
            told = f"this is turn {number}: rename it to {turn_path(number)}"
            self.report.note("stray", path, "name", told)
