"""The part of an audit about files that no turn uses: late, replaced, left out, foreign, lost."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from engine.counts_and_lists_in_prose import counted
from pbem.files.file_errors import FileError
from pbem.files.game_folder import RecordFile
from pbem.files.record_file_names import turn_path
from pbem.files.stray_files import StrayFile
from pbem.format.record_error import Reason
from pbem.judge.audit_report import Evidence, Grade
from pbem.judge.chain_audit import ChainAudit
from pbem.judge.damaged_and_stray_turn_files import MAX_STRAYS_READ
from pbem.judge.order_fates import (
    ListedSet,
    OrderFate,
    OrderHistory,
    OrdersHeader,
    fate_of,
    fates_of_gone_orders,
    make_history,
    orders_header,
)
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.read_and_make_messages import PressReader, format_role, seating_with
from pbem.judge.record_chain import other_version_in_words
from pbem.judge.record_fit_and_signer import Relation
from pbem.judge.unlisted_notices import read_notice_files
from pbem.judge.which_joins_count import shared_key_owner
from pbem.judge.which_notices_count import SignedNotice, why_not
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, read
from pbem.records.turn import Turn
from pbem.text.terminal_and_page_wording import TerminalText

_COPY_SENTENCE: Final = "this file is a copy of a file that the game has; you may remove the copy"


class UnusedFiles:
    """The files of one game folder that no turn uses; `run` adds a finding about each.

    A finding accuses a person only of records that their own keys have signed.
    """

    def __init__(self, chain_audit: ChainAudit) -> None:
        """`chain_audit` has run: its `turns` are the right turns, its `orders` those that they
        list or name as their own, by id; `witness` is None if nobody's machine is asked."""
        self.chain_audit, self.witness = chain_audit, chain_audit.witness
        self.game_folder, self.listing = chain_audit.game_folder, chain_audit.listing
        self.chain, self.report = chain_audit.chain, chain_audit.report
        self.turns, self.orders = chain_audit.turns, chain_audit.orders

    def run(self) -> None:
        """Report each file; call this once, after the audit of the chain."""
        self._report_joins()
        self._report_orders()
        self._report_messages()
        self._report_notices()
        self._report_stray_turns()
        reported_paths = self._reported_paths()
        for fault in self.game_folder.faults:
            if fault.path not in reported_paths:
                self.report.note("foreign", fault.path, fault.reason, fault.sentence)
        for stray in self.listing.strays:
            self._report_stray(stray)
        for sighting in self.witness.implausible_dates if self.witness else ():
            turn = sighting.turn
            content = self.turns[turn - 1].content if turn <= len(self.turns) else None
            # in a turn without deadline and silences, nothing depends on the date
            if content is None or content.deadline or content.silent:
                evidence = Evidence(sighting, self.game_folder.maker(turn).name)
                self.report.note_evidence("ask", turn_path(turn), evidence)
        self._report_last_seen_head()

    def _reported_paths(self) -> set[str]:
        return {finding.path for finding in self.report.findings}

    def _report_joins(self) -> None:
        """Add a finding about each join that neither turn 1 nor a notice names. A join of the
        witness that came well before turn 1 is something to ask about, unless the same key has the
        seat by another join."""
        if not self.turns:
            return
        first_turn, joins = self.turns[0].content, self.game_folder.joins()
        later_ids = {saying.join for _, saying in self.game_folder.take_ins()}
        seated_ids = set((first_turn.joins or {}).values())
        seated_joins = [joins[join_id] for join_id in seated_ids if join_id in joins]
        for join_id, record in joins.items():
            if join_id in seated_ids or join_id in later_ids or join_id in first_turn.by_word:
                continue  # `by_word`: the certificate says what the referee decided
            seat = record.content.seat
            path = f"seats/{seat}-{join_id.hex()[:6]}.toml"
            seated_join = joins.get((first_turn.joins or {}).get(seat, b""))
            is_seated = seated_join is not None and seated_join.content.key == record.content.key
            witness = None if is_seated else self.witness  # the same person has the seat
            if key_owner := shared_key_owner(
                self.game_folder.charter.content, record, seated_joins
            ):
                sentence = f"this join for seat {seat} has a key of {key_owner}, so it cannot count"
                self.report.note("stray", path, "key", sentence)
            elif witness and (unseated := witness.unseated(join_id, first_turn.time)):
                # turn 1 is always the referee's
                evidence = Evidence(unseated, self.report.referee)
                self.report.note_evidence("ask", path, evidence)
            else:
                sentence = f"this join for seat {seat} did not get the seat"
                self.report.note("stray", path, "state", sentence)

    def _report_orders(self) -> None:
        """Add findings about order files, and about orders that this machine sealed. Count the
        orders that the next turn may list in `report.waiting`."""
        reported_paths = self._reported_paths()
        late_rows = (row for turn in self.turns for row in turn.content.orders)
        late_ids = {row.id for row in late_rows if row.reason == "late"}
        is_broken = any(finding.grade == "broken" for finding in self.report.findings)
        signers = self.chain.standing.seats_of_keys()
        # the sets of orders that their own seat signed, by id
        good_sets = {order_id: orders_header(record) for order_id, record in self.orders.items()}
        for file in self.game_folder.listing.orders:
            if file.path in reported_paths:
                continue
            try:
                record = self.game_folder.orders(file, self.chain_audit.is_known_key)
                is_forged = signers.get(record.signed.key) != record.content.seat
                if not is_forged:
                    good_sets[record.id] = orders_header(record)
            except FileError as error:
                if error.reason == "key" and is_broken and file.name.turn >= self.report.turns:
                    # the audit stopped at a record that is broken or missing, so it does not know
                    # which keys counted later
                    self.report.waiting += 1
                else:
                    self.report.note("foreign", file.path, error.reason, error.sentence)
                continue
            if record.id not in self.orders:
                self._report_unlisted_orders(file, record)
            elif record.id in late_ids:
                fate = self._own_uncounted_fate(record)
                if fate and fate.should_ask:
                    self._note_fate(file.path, fate)
        self._report_missing_orders(good_sets)
        self._report_last_own_orders(good_sets)
        if witness := self.witness:
            stored_sets = [orders for orders in good_sets.values() if orders.seat == witness.seat]
            own_ids = {*(orders.id for orders in stored_sets), *witness.orders()}
            self.report.seat = witness.seat
            self.report.remembered = len(witness.sealing_times.keys() & own_ids)
            self.report.saw = witness.last_seen_head.turn if witness.last_seen_head else 0

    def _report_unlisted_orders(self, file: RecordFile, record: Record[Orders]) -> None:
        """Add a finding about orders that no turn lists. There is none if the next turn may list
        them, or if later orders replaced them."""
        orders, heads, last_turn = record.content, self.report.heads, self.report.turns
        relation = Relation(self.game_folder, self.chain, record)
        if relation.is_signed_by("replaced"):
            sentence = f"these orders are signed with an old key of seat {orders.seat}"
            self.report.note("stray", file.path, "key", sentence)
        elif (signer := relation.seat_of_key) not in ("", orders.seat):
            sentence = (
                f"these orders are in the name of seat {orders.seat}, but are signed with the key "
                f"of seat {signer}"
            )
            self.report.note("stray", file.path, "key", sentence, f"seat {signer}")
        elif orders.turn > last_turn or (
            orders.prev == heads[orders.turn] and self._fate(record).fate == "waiting"
        ):
            self.report.waiting += 1
        elif orders.prev != heads[orders.turn] and not self._answers_first(orders):
            sentence = (
                f"seat {orders.seat} signed these orders for {other_version_in_words(orders.turn)}"
            )
            self.report.note("stray", file.path, "fork", sentence)
        elif fate := self._own_uncounted_fate(record):
            self._note_fate(file.path, fate)
        elif self._fate(record).fate != "replaced":  # that people change their minds is no finding
            sentence = (
                "no turn lists these orders: they came too late, or the referee left them out"
            )
            self.report.note("stray", file.path, "state", sentence)

    def _answers_first(self, orders: Orders) -> bool:
        """Return whether the orders of a seat in `plays` answer a turn that was not published yet,
        and so build on the turn before."""
        place = self.chain.charter.turn_built_on(orders.seat, orders.turn)
        return 0 <= place < orders.turn and orders.prev == self.report.heads[place]

    def _fate(self, record: Record[Orders]) -> OrderFate:
        """Return the fate of orders that are here."""
        sealing_times, orders = (
            self.witness.sealing_times if self.witness else {},
            orders_header(record),
        )
        if self._answers_first(record.content) and orders.turn < len(self.report.heads):
            # orders of the referee's own seats count as built on the turn that they answer
            orders = orders._replace(head=self.report.heads[orders.turn].hex())
        return fate_of(orders, self._history, sealing_times)

    @cached_property
    def _history(self) -> OrderHistory:
        """The facts of the turns about orders. Early orders, which a turn names in its `own`, count
        as accepted in that turn until the next turn lists them."""
        chain = self.chain
        listed_sets = {order_id.hex(): row for order_id, row in chain.listed_orders.items()}
        for turn in (record.content for record in self.turns):
            for order_id in turn.own:
                if order_id in self.orders:
                    seat = self.orders[order_id].content.seat
                    early_set = ListedSet(turn.turn, seat, "accepted")
                    listed_sets.setdefault(order_id.hex(), early_set)
        return make_history(
            heads=[head.hex() for head in self.report.heads],
            dates=chain.times,
            log_lengths=chain.log_lengths,
            listed_sets=listed_sets,
            find=self.orders.get,
            maker=self.game_folder.maker,
            is_over=chain.is_over,
        )

    def _own_uncounted_fate(self, record: Record[Orders]) -> OrderFate | None:
        """Return the fate of the witness's own uncounted orders on this chain; None for others."""
        orders, witness = record.content, self.witness
        if witness is None or orders.seat != witness.seat or orders.seat in self.report.plays:
            return None
        fate = self._fate(record)
        is_on_chain = orders.prev == self.report.heads[orders.turn]
        return fate if fate.is_uncounted and is_on_chain else None

    def _note_fate(self, path: str, fate: OrderFate) -> None:
        """Add a finding about uncounted orders: to ask about, or only a stray file."""
        grade: Grade = "ask" if fate.should_ask else "stray"
        self.report.note_evidence(grade, path, Evidence(fate, fate.maker))

    def _report_missing_orders(self, good_sets: Mapping[bytes, OrdersHeader]) -> None:
        """Report orders that the witness's machine sealed in time, and that are neither here nor
        listed; `good_sets` are the sets that are here, by id. A broken chain explains too much, so
        nothing is reported about one."""
        witness = self.witness
        if witness is None or witness.seat in self.report.plays or self.report.broken:
            return
        stored_sets = [orders for orders in good_sets.values() if orders.seat == witness.seat]
        stored_ids = {orders.id for orders in stored_sets}
        own_sets = witness.orders().values()
        missing_sets = [orders for orders in own_sets if orders.id not in stored_ids]
        for fate in fates_of_gone_orders(
            missing_sets, stored_sets, self._history, witness.sealing_times
        ):
            self._note_fate(fate.orders.path, fate)

    def _report_last_own_orders(self, good_sets: Mapping[bytes, OrdersHeader]) -> None:
        """Report the witness's last sealed orders for the open questions if they are missing here,
        or do not count because of other orders of the seat; `good_sets` are the sets that are here,
        by id."""
        witness = self.witness
        if witness is None or witness.seat in self.report.plays or self.chain.is_over:
            return
        sealing_times, history = witness.sealing_times, self._history
        own_sets = [orders for orders in witness.orders().values() if orders.id in sealing_times]
        open_sets = [orders for orders in own_sets if orders.turn >= self.chain.asking_turn]
        fates = [fate_of(orders, history, sealing_times) for orders in open_sets]
        last_fate = max(
            fates,
            key=lambda fate: (fate.orders.turn, fate.sealed_at or 0, fate.orders.revision),
            default=None,
        )
        if last_fate is None or last_fate.fate != "waiting":
            return
        orders, stored_sets = last_fate.orders, good_sets.values()
        template = TerminalText("your orders[[ {digits} (revision {revision})]] for turn {turn}")
        subject = template.format(digits=orders.id[:6], revision=orders.revision, turn=orders.turn)
        if all(stored.id != orders.id for stored in stored_sets):
            sentence: str = subject + TerminalText(
                " are missing from this folder, but are the last orders that you sealed on this "
                "computer[[. To put the orders back: pbem status]]"
            )
            self.report.note("ask", orders.path, "state", sentence)
        seat_sets = [stored for stored in stored_sets if stored.seat == orders.seat]
        counting = min(seat_sets, key=lambda stored: stored.rank, default=orders)
        if counting.rank < orders.rank:
            sentence = (
                f"{subject} have no effect, because your orders {counting.id[:6]} (revision "
                f"{counting.revision}) for turn {counting.turn} count instead; to change this, "
                "seal your orders again"
            )
            self.report.note("ask", orders.path, "state", sentence)

    def _report_last_seen_head(self) -> None:
        """Report that the witness's machine saw a longer or another game."""
        seen_head = self.witness.last_seen_head if self.witness else None
        if seen_head is None or self.report.broken:
            return
        heads, turn, short_head = self.report.heads, seen_head.turn, seen_head.head[:6]
        if turn >= len(heads):
            sentence = (
                f"this computer has seen turn {turn} ({short_head}), but the folder ends at turn "
                f"{len(heads) - 1}: ask {self.report.referee} to send the missing turns"
            )
            self.report.note("ask", turn_path(turn), "parent", sentence)
        elif heads[turn].hex() != seen_head.head:
            sentence = (
                f"this computer has seen version {short_head} of turn {turn}, but this folder has "
                f"version {heads[turn].hex()[:6]}: ask {self.report.referee} which version counts"
            )
            self.report.note("ask", turn_path(max(1, turn)), "fork", sentence)

    def _report_notices(self) -> None:
        """Add a finding about each unlisted notice, unless the next turn may list it."""
        standing = self.chain.standing
        if not self.game_folder.listing.notices:
            return
        notice_files = read_notice_files(self.game_folder, self.chain.listed_notices)
        for record in notice_files.records:
            path = file_name(record).path
            if record.signed.key not in notice_files.keys:
                sentence = "this notice is signed with a key that nobody in this game has"
                self.report.note("foreign", path, "key", sentence)
            elif finding := self._lost_cancellation(record):
                self.report.note(*finding)
            elif reason := why_not(standing, record, self.report.heads):
                writer = format_role(record.content.writer)
                sentence = f"this notice of {writer} has no effect: {reason}"
                self.report.note("stray", path, "state", sentence)
            elif record.content.turn == len(self.turns):
                self.report.waiting += 1
            elif evidence := self._evidence_of_dropping(record):
                self.report.note_evidence("ask", path, evidence)
            else:
                sentence = (
                    "no turn lists this notice: the notice came too late, or the referee left it "
                    "out"
                )
                self.report.note("stray", path, "state", sentence)

    def _lost_cancellation(self, record: SignedNotice) -> tuple[Grade, str, Reason, str] | None:
        """Return the grade, path, reason and sentence of a finding about a notice that would have
        kept a seat from changing hands after its waiting time; None if the notice would not have
        done so.

        The seat's former key signed it, after the turn that announced the change and before the
        turn that made it: any notice of the seat cancels such an act.
        """
        notice, path, standing = record.content, file_name(record).path, self.chain.standing
        heads, witness = self.report.heads, self.witness
        for former_keys in standing.former_keys.get(notice.seat, ()):
            # turns list the notice that changed the keys twice: when they announced it, then again
            turn = former_keys.valid_until
            changes = [
                n for n in standing.applied_notices if n.turn == turn and n.seat == notice.seat
            ]
            change_ids = {change.id for change in changes}
            earlier_notices = [n for n in standing.applied_notices if n.turn < turn]
            announced_in = next((n.turn for n in earlier_notices if n.id in change_ids), 0)
            if former_keys.signing != record.signed.key or not announced_in:
                continue
            if not announced_in <= notice.turn < turn or notice.prev != heads[notice.turn]:
                continue
            sentence = (
                f"this notice would have cancelled the new keys of seat {notice.seat}, but turn "
                f"{turn} made the new keys valid"
            )
            sealed_at = witness.sealing_times.get(record.id.hex()) if witness else None
            if sealed_at is not None and sealed_at < self.turns[turn - 1].content.time:
                maker = self.game_folder.maker(turn).name
                sentence += (
                    ". You signed the notice before that turn, so it came too late, or the referee "
                    f"left it out: ask {maker} what happened"
                )
                return "ask", path, "state", sentence
            sentence += ". The notice came too late, or the referee left it out"
            return "stray", path, "state", sentence
        return None

    def _evidence_of_dropping(self, record: SignedNotice) -> Evidence | None:
        """Return evidence about a notice that the witness signed here well before a turn that does
        not list it; None for other notices."""
        notice, witness = record.content, self.witness
        if witness is None or notice.seat != witness.seat:
            return None
        for turn in self.turns[notice.turn :]:
            dropped_notice = witness.dropped_notice(record.id, notice.about, turn.content)
            if dropped_notice:
                maker = self.game_folder.maker(dropped_notice.turn)
                return Evidence(dropped_notice, maker.name)
        return None

    def _report_messages(self) -> None:
        """Count the messages, and report those that do not count: the first eight faulty files by
        name, the rest together. A message on another version of a turn is a stray."""
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

    def _report_stray_turns(self) -> None:
        """Add a finding about each file that has the name of a later turn but is not a turn; the
        first `MAX_STRAYS_READ` are read, because a second turn for one place would be proof."""
        reported_paths, strays = self._reported_paths(), self.game_folder.stray_files
        for file in strays[:MAX_STRAYS_READ]:
            if not self.chain_audit.claim_by_referee(file.path) and file.path not in reported_paths:
                fault = self.game_folder.stray_fault(file)
                self.report.note("foreign", file.path, fault.reason, fault.sentence)
        for file in strays[MAX_STRAYS_READ : MAX_STRAYS_READ + 1]:
            files = counted(
                len(strays) - MAX_STRAYS_READ,
                "more file with the name of a turn: remove the file",
                "more files with the name of a turn: remove the files",
            )
            self.report.note("foreign", file.path, "name", f"pbem did not read {files}")

    def _report_stray(self, stray: StrayFile) -> None:
        """Add a finding about a file whose name no record has; none about files of the system and
        of pbem itself. Beside the chain it may be a copy of a turn or of `final`: the keys of
        referee and deputy decide this, not its name."""
        if stray.kind in ("system", "temporary"):
            return
        folder = stray.path.partition("/")[0]
        is_chain_file = folder == "turns" or "/" not in stray.path
        if (
            is_chain_file
            and stray.kind not in ("link", "folder")
            and self.chain_audit.claim_by_referee(stray.path)
        ):
            for turn_file in self.game_folder.deputy_turns.misplaced_turns():
                if turn_file.path == stray.path:
                    turn = turn_file.turn_number
                    sentence = TerminalText(
                        "this file contains turn {turn}, but {path} is a different file[[. When "
                        "{deputy} runs pbem advance, pbem puts the turn there]]"
                    ).format(turn=turn, path=turn_path(turn), deputy=self.report.deputy)
                    self.report.note("stray", stray.path, "place", sentence)
            if stray.path not in self._reported_paths():
                self._report_only_copy(stray.path)
            # unless the last finding is about it: a copy of a turn in its place
            if not (self.report.findings and self.report.findings[-1].path == stray.path):
                self.report.note("foreign", stray.path, "seen", _COPY_SENTENCE)
            return
        self.report.note("foreign", stray.path, "name", stray.description)

    def _report_only_copy(self, path: str) -> None:
        """Report a turn of the game under a wrong name, if no other file has this turn's name. The
        caller knows that the referee or the deputy signed the file."""
        record = read(self.game_folder.folder.read_stray(path))
        number, turns = record.content.turn, self.listing.turns
        if not isinstance(record.content, Turn) or number > self.report.last_turn + 1:
            return
        is_from_maker = self.game_folder.maker(number).key == record.signed.key
        if is_from_maker and all(file.name.turn != number for file in turns):
            sentence = f"this file contains turn {number}: rename the file to {turn_path(number)}"
            self.report.note("stray", path, "name", sentence)
