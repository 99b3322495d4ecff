"""Audit the chain: check each turn as everybody sees it, then make it again with the secrets that
`final` opens (protocol §1)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Final

from pbem.errors import PbemError
from pbem.files.file_errors import FileError
from pbem.files.game_folder import RecordFile
from pbem.files.record_file_names import turn_path
from pbem.format.record_error import RecordError
from pbem.judge.absent_seats import phase_of
from pbem.judge.audit_report import REFEREE, CertifiedJoin, Report
from pbem.judge.evidence_from_own_machine import Witness
from pbem.judge.game_ruleset import ruleset_of
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.records_of_game_folder import Archive, MissingRecord
from pbem.judge.referee_or_deputy import AFTER_LAST_TURN, maker_with
from pbem.judge.referee_secrets import RefereeSecrets
from pbem.judge.remake_turn import remake
from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.turn_differences import explain_difference
from pbem.judge.turn_maker import TurnMaker
from pbem.judge.which_joins_count import (
    check_by_word,
    claim_of,
    shared_key_owner,
    unmentioned_joins,
)
from pbem.records.deal_record import Deal
from pbem.records.final_record import FINAL_AFTER_OTHER_TURN, FinalRecord, check_final
from pbem.records.join import Join
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, read
from pbem.records.turn import Turn
from pbem.records.twelve_words import words_of

MAX_NAMED_MISSING_RECORDS: Final = 100
"""The greatest number of missing files of one person that a finding names."""
_NOUNS_BY_KIND: Final = {
    "orders": ("orders", "sets of orders"),
    "deal": ("a dealer's file", "dealer's files"),
}
"""For kinds of records whose word is no noun for one file: the nouns for one file, and several."""


class ChainAudit:
    """The audit of the turns and `final` of one game folder: call `run` once, then read
    `report`."""

    def __init__(
        self, game_folder: Archive, head_prefix: bytes | None, witness: Witness | None
    ) -> None:
        """`head_prefix` is the start of a head, which somebody read out as twelve words; None if
        nobody did. `witness` is a seat with its key and the memory of its machine, or None; if
        turn 1 gives its key no seat (`sits`), the audit checks what everybody can see."""
        self.game_folder, self.listing = game_folder, game_folder.listing
        self.head_prefix = head_prefix
        charter, self.witness = game_folder.charter, witness
        self.reader = (
            SeatReader(charter, witness.seat, witness.seed, witness.valid_from)
            if witness and witness.sits
            else PublicReader(charter)
        )
        self.chain = self.reader.chain
        self.opened_secrets = self._opened_secrets()
        """For each co-dealer that has opened its secret: the number of the dealer, and the
        secret."""
        self.turns: list[Record[Turn]] = []
        """The turns that the reader accepted."""
        self.orders: dict[bytes, Record[Orders]] = {}
        """The orders that a turn lists or names in `own`, by id, as far as they were needed."""
        self.first_records: dict[tuple[int, bytes], tuple[bytes, str]] = {}
        """The id and the path of the first record that a key signed for a chain place, by place
        and key."""
        sentence = "this file of orders is missing, although a turn lists the orders"
        self._folder_finder = game_folder.finder(self.is_known_key, sentence)
        self._finder = self._folder_finder._replace(orders=self._find_orders)
        content = charter.content
        self.report = Report(
            mode=self.reader.mode.name,
            title=content.title,
            ruleset=content.ruleset,
            dealers=[dealer.name for dealer in content.dealers],
            closed_dealers=[
                dealer.name
                for number, dealer in enumerate(content.dealers)
                if number not in self.opened_secrets
            ],
            referee=content.referee,
            deputy=content.deputy,
            game=game_folder.game,
            plays=content.plays,
            bots=content.bots,
        )

    def run(self) -> None:
        """Audit the turns and `final`, and note each finding in the report."""
        if not self.listing.turns:  # or else the reader of turn 1 needs the rules
            try:
                ruleset_of(self.game_folder.charter.content)
            except RecordError as error:
                self._report_broken("game.toml", error)
        self._audit_turns()
        self._audit_final()
        self._report_missing_records()
        self._collect_facts()
        self._check_words()

    # -------------------------------------------------------------- findings
    def _report_broken(
        self, path: str, error: RecordError, culprit: str = "", turn: int = 0
    ) -> None:
        """Add a finding of the grade `broken`. A FileError names the file that is wrong, so it is
        about that one, and accuses nobody."""
        if isinstance(error, FileError):
            path, culprit = error.path, ""
        self.report.note("broken", path, error.reason, error.sentence, culprit, turn)

    # -------------------------------------------------------------- what everybody can check
    def _report_missing_turn_1(self) -> None:
        """Report a missing turn 1 if there are no turns, but orders of a player. (Seats in `plays`
        order before turn 1.)"""
        keys = {join.content.key for join in self.game_folder.joins().values()}
        for file in () if self.listing.turns else self.listing.orders:
            try:
                orders = self.game_folder.orders(file, lambda _, key: key in keys).content
            except FileError:
                continue
            if orders.seat not in self.report.plays:
                self._report_missing_turn(1, f"{file.path} answers turn {orders.turn}")
                return

    def _audit_turns(self) -> None:
        """Read all turns, and absorb them until one is wrong or missing. At most ten missing turns
        are reported for each gap."""
        self._report_missing_turn_1()
        is_unbroken, expected_number = True, 1
        for file in self.listing.turns:
            for number in islice(range(expected_number, file.name.turn), 10):
                self._report_missing_turn(number, f"{file.path} is here")
            expected_number = file.name.turn + 1
            turn = self._read_turn(file)
            if is_unbroken:
                is_unbroken = turn is not None and self._absorb(file, turn)

    def _maker_role(self, turn: int = AFTER_LAST_TURN) -> str:
        return self.game_folder.maker(turn).role

    def _report_missing_turn(self, number: int, clause: str) -> None:
        """Report that a turn is missing, although `clause`; or why the file in its place is not a
        turn."""
        path = turn_path(number)
        error = RecordError("parent", f"turn {number} is missing, although {clause}")
        for file in self.game_folder.stray_files:
            if file.path == path:  # there is a file in the turn's place, but it is not a turn
                fault = self.game_folder.stray_fault(file)
                error = RecordError(fault.reason, fault.sentence)
        self._report_broken(path, error, turn=number)

    def _report_missing_records(self) -> None:
        """If the audit stopped at a missing record, report all missing records instead: one
        finding for each writer and kind of record."""
        missing_records = list[MissingRecord]()
        for file in self.listing.turns:
            with suppress(FileError):
                turn = self.game_folder.turn(file).content
                missing_records += self.game_folder.missing_records(turn)
        short_ids = {record.digits for record in missing_records}
        # a finding about a missing record has its short id in its path or its sentence
        replaced_findings = [
            finding
            for finding in self.report.broken
            if finding.reason == "parent"
            and any(short_id in f"{finding.path} {finding.sentence}" for short_id in short_ids)
        ]
        if not replaced_findings:
            return
        for finding in replaced_findings:
            self.report.findings.remove(finding)
        names = {plan.seat: plan.name for plan in self.reader.charter.seats}
        names |= {"": self.report.referee, **self.chain.standing.names}
        records_by_writer = dict[tuple[str, str], list[MissingRecord]]()
        for record in missing_records:
            records_by_writer.setdefault((record.kind, record.seat), []).append(record)
        dealer_names = " or ".join(self.chain.charter.co_dealer_names_by_id.values())
        for (kind, seat), records in records_by_writer.items():
            path, number, writer = records[0].path, records[0].turn, names.get(seat, seat)
            writer = dealer_names if kind == "deal" else writer
            noun, plural = _NOUNS_BY_KIND.get(kind, (f"a {kind}", f"{kind}s"))
            sentence = f"this file is missing, although turn {number} lists it: {noun} of {writer}"
            if len(records) > 1:
                path = records[0].folder
                rows = [f"{record.digits} (turn {record.turn})" for record in records]
                ids_shown = ", ".join(rows[:MAX_NAMED_MISSING_RECORDS])
                hidden_count = len(rows) - MAX_NAMED_MISSING_RECORDS
                more = f" and {hidden_count} more" if hidden_count > 0 else ""
                sentence = (
                    f"{len(rows)} {plural} of {writer} are missing, although turns list them: "
                    f"{ids_shown}{more}"
                )
            self.report.note("broken", path, "parent", sentence, turn=number)

    def _read_turn(self, file: RecordFile) -> Record[Turn] | None:
        """Return the turn in a file; report a bad file and return None. In both cases report the
        signer if it signed another body for the same place."""
        try:
            turn = self.game_folder.turn(file)
        except FileError as error:
            self._report_broken(error.path, error, turn=file.name.turn)
            self.claim_by_referee(file.path)
            return None
        self._report_equivocation(turn.content.turn, turn, file.path)
        return turn

    def _absorb(self, file: RecordFile, turn: Record[Turn]) -> bool:
        """Let the reader check the next turn, and return whether it is right; report it if not."""
        number = file.name.turn
        if number != self.chain.turn + 1:
            return False
        self._check_derived_deals(turn.content)
        try:
            self.game_folder.joins_of(turn.content, how_to_get="")
            self.reader.absorb(turn, self._finder)
        except RecordError as error:
            path = "game.toml" if error.reason == "version" else file.path
            is_local = error.reason in ("version", "parent")  # other rules here, or a missing file
            self._report_broken(path, error, "" if is_local else self._maker_role(number), number)
            return False
        self.turns.append(turn)
        standing = self.chain.standing
        delay_seconds = standing.calendar.seconds_put_off(number)
        time, deadline = turn.content.time, turn.content.deadline - delay_seconds
        phase = phase_of(self.reader.public.pending)
        # the deadline is right, but only with other time zone data than this machine's
        if turn.content.log and standing.policies.rule(phase).zone_data_warnings(deadline, time):
            self.report.other_zones.append(number)
        return True

    def _opened_secrets(self) -> dict[int, bytes]:
        last_turn = max((file.name.turn for file in self.listing.turns), default=0)
        # dealers open their secrets after `final`: before it, one is of no use
        deals = self.game_folder.deals_after(last_turn) if self.listing.final else []
        secrets = dict[int, bytes]()
        for deal in (record.content for record in deals if record.content.secret):
            if deal.dealer not in secrets or self._is_card_secret(deal):
                secrets[deal.dealer] = deal.secret
        return secrets

    def _is_card_secret(self, deal: Deal) -> bool:
        """Return whether the secret that a deal opens gives the dealer's card key."""
        from pbem.format import curve_group

        first_deals = [record.content for record in self.game_folder.deals_after(0)]
        try:
            card_key = curve_group.multiply_base(curve_group.read_scalar(deal.secret))
        except RecordError:
            return False
        return (deal.dealer, card_key) in [(first.dealer, first.card_key) for first in first_deals]

    def _check_derived_deals(self, turn: Turn) -> None:
        """Report each deal that the next turn lists and that does not follow from the secret that
        its dealer has opened."""
        for deal_id in turn.deals if self.opened_secrets else ():
            from pbem.judge.co_dealer import check_derived

            with suppress(FileError):  # the reader reports a missing file
                record = self._finder.deal(deal_id)
                deal = record.content
                if secret := self.opened_secrets.get(deal.dealer):
                    try:
                        check_derived(self.reader, deal, secret)
                    except RecordError as error:
                        culprit = f"co-dealer {deal.dealer}"
                        self._report_broken(file_name(record).path, error, culprit, turn.turn)

    def is_known_key(self, kind: str, key: bytes) -> bool:
        """Return whether a seat has or had this key, so that orders may be signed with it."""
        if self.listing.turns:
            return key in self.chain.standing.seats_of_keys()
        joins = (record.content for record in self.game_folder.joins().values())
        # before turn 1, only the referee's seats send orders
        return any(join.key == key and join.seat in self.report.plays for join in joins)

    def _find_orders(self, order_id: bytes) -> Record[Orders]:
        if order_id not in self.orders:
            self.orders[order_id] = self._folder_finder.orders(order_id)
        return self.orders[order_id]

    # -------------------------------------------------------------- what the secrets in final show
    def _audit_final(self) -> None:
        """Check the final record, and make all turns again with its secrets, if there are turns.
        Report each fault; after a wrong secret, stop."""
        try:
            final = self.game_folder.final()
        except FileError as error:
            self._report_broken(error.path, error)
            self.claim_by_referee("final.toml")
            return
        if final is None:
            return
        self._report_equivocation(final.content.turn, final, "final.toml")
        for check in (self._check_place, partial(check_final, self.reader.charter)):
            try:
                check(final.content)
            except RecordError as error:
                self._report_broken("final.toml", error, self._maker_role())
                if error.reason in ("commitment", "field"):  # a secret is wrong
                    return
        if self.turns and self._check_seats(final.content):
            joins = self.game_folder.joins_of(self.turns[0].content)
            secrets = RefereeSecrets(
                final.content.r_ref, final.content.audit, final.content.card_secret
            )
            maker = TurnMaker(self.game_folder.charter, joins, secrets)
            self.report.final = self._remake(maker)
            if self.report.final and self.opened_secrets:
                self._open_log(final.content)

    def _open_log(self, final: FinalRecord) -> None:
        """Fill in the cards of the log, if all dealers have opened their secrets and nothing is
        wrong."""
        report = self.report
        if report.closed_dealers or report.broken:
            return
        from pbem.judge.co_dealer import opened_log

        secrets = {**self.opened_secrets, len(report.dealers): final.card_secret}
        try:
            report.log = opened_log(self.reader, report.log, secrets)
        except RecordError as error:
            self._report_broken("final.toml", error)

    def _check_place(self, final: FinalRecord) -> None:
        """Report a missing turn before `final`. Raises RecordError if `final` is not built on the
        last turn, or if that does not end the game."""
        if self.report.broken:
            return  # the report already says what is wrong with the chain
        chain = self.chain
        if final.turn > chain.turn + 1:
            self._report_missing_turn(chain.turn + 1, "final.toml builds on this turn")
        elif (final.turn, final.prev) != (chain.turn + 1, chain.head):
            raise RecordError("place", FINAL_AFTER_OTHER_TURN)
        elif not chain.is_over:
            raise RecordError("state", "the referee opened the secrets before the game was over")

    def _check_seats(self, final: FinalRecord) -> bool:
        """Report the joins that turn 1 should have named (they were made with the invite), and
        return True; or report a wrong seat or `by_word` in turn 1, and return False."""
        first_turn = self.turns[0].content
        seated_ids = set((first_turn.joins or {}).values())
        by_word_ids = set(first_turn.by_word)
        joins = self.game_folder.joins().values()
        claims = [claim_of(self.game_folder.charter, record, final.audit) for record in joins]
        try:
            check_by_word(claims, seated_ids, by_word_ids)
        except RecordError as error:
            self._report_broken("turns/0001.toml", error, REFEREE, 1)
            return False
        charter, seated_joins = self.reader.charter, [r for r in joins if r.id in seated_ids]
        for record in unmentioned_joins(claims, seated_ids, by_word_ids):
            shares = shared_key_owner(charter, record, seated_joins)
            self.report.left_out.append(
                _certified_join(record, counts=False)._replace(shares=shares)
            )
        return True

    def _remake(self, maker: TurnMaker) -> bool:
        """Make every turn again, and return whether all are right; report the first wrong one."""
        for record in self.turns:
            turn = record.content
            try:
                expected_turn = remake(maker, turn, self._finder)
                if expected_turn != turn:
                    raise explain_difference(
                        turn, expected_turn, maker.keys, self.reader.mode.differences
                    )
            except RecordError as error:
                self._report_broken(
                    turn_path(turn.turn), error, self._maker_role(turn.turn), turn.turn
                )
                return False
            maker.add_turn(record)
        self.report.log = list(maker.table.log)
        return True

    # -------------------------------------------------------------- the certificate
    def _collect_facts(self) -> None:
        """Fill the report's facts from the turns that are right."""
        report, reader, chain = self.report, self.reader, self.chain
        standing = chain.standing
        report.names = {seat: join.name for seat, join in standing.roster.items()}
        report.turns, report.heads = len(self.turns), chain.heads[: len(self.turns) + 1]
        report.last_turn = max([report.turns, *(file.name.turn for file in self.listing.turns)])
        report.notices = list(standing.applied_notices)
        report.removed = [(turn, seat) for seat, turn in standing.removal_turns.items()]
        report.for_open_seats = dict(Counter(e.seat for e in reader.log if e.by == "bot"))
        report.by_default = dict(Counter(e.seat for e in reader.log if e.by == "default"))
        joins = self.game_folder.joins()
        report.first_names = {seat: joins[i].content.name for seat, i in chain.join_ids.items()}
        mail_seats = [seat for seat in reader.charter.by_mail if seat in report.names]
        report.by_mail = {seat: standing.keys_valid_from.get(seat, 0) for seat in mail_seats}
        report.over = bool(self.turns) and self.turns[-1].content.over
        report.by_word = self._certified_joins()
        for turn in self.turns:
            content = turn.content
            report.orders += len(content.orders)
            report.cards += reader.mode.committed_cards(content)
            # a key is round, phase, kind, seat and number, as in `2.feed.die.*.0`
            report.dice += sum(entry.key.split(".")[2] == "die" for entry in content.log)

    def _certified_joins(self) -> list[CertifiedJoin]:
        """Return a row about each join in `by_word` of turn 1; a join that is not here has only its
        short id."""
        first_turn, joins = self.turns[0].content if self.turns else None, self.game_folder.joins()
        if first_turn is None:
            return []
        seated_ids = set((first_turn.joins or {}).values())
        return [
            _certified_join(joins[join_id], counts=join_id in seated_ids)
            if join_id in joins
            else CertifiedJoin("", "", join_id.hex()[:6], join_id in seated_ids)
            for join_id in first_turn.by_word
        ]

    def _check_words(self) -> None:
        """Note in `report.told` the turn with the head that somebody read out, or report that none
        has it."""
        if self.head_prefix is None:
            return
        for number, head in enumerate(self.report.heads):
            if head.startswith(self.head_prefix):
                self.report.told = number
                return
        number = self.report.turns
        words = " ".join(words_of(self.report.heads[-1]))
        sentence = (
            "no turn in this folder has the words that you gave. Perhaps you misheard a word, or "
            "the other player has another game, or more turns than you. Ask for the number of "
            f"their turn, and compare its words again. The words of turn {number} in this "
            f"folder: {words}"
        )
        self.report.note("broken", turn_path(number), "fork", sentence)

    # -------------------------------------------------------------- two records for one place
    def _report_equivocation(self, chain_place: int, record: Record[Any], path: str) -> None:
        """Report a second body that the referee's or the deputy's key signed for a place in the
        chain, which is proof. Note the first one; report it as a stray if the other of them makes
        the turn of this place."""
        key, short_id = record.signed.key, record.id.hex()[:6]
        first_record = self.first_records.setdefault((chain_place, key), (record.id, path))
        first_id, first_path = first_record
        signer = maker_with(self.reader.charter, key)
        if first_id != record.id:
            sentence = (
                f"the {signer.role}'s key signed two different versions of turn {chain_place}: "
                f"{first_id.hex()[:6]} in {first_path}, and {short_id} in this file"
            )
            self.report.note("broken", path, "fork", sentence, signer.role, chain_place, proof=True)
            return
        maker = self.game_folder.maker(chain_place)
        if first_path != path or signer == maker:
            return  # a copy of a body that was reported already, or the right signer
        sentence = (
            f"the {signer.role} signed this turn {chain_place}, which has no effect: only "
            f"{maker.called}, may make turn {chain_place}"
        )
        if (chain_place, maker.key) in self.first_records:
            counting_id, counting_path = self.first_records[chain_place, maker.key]
            sentence = (
                f"the {signer.role} signed this turn {chain_place} ({short_id}), but the turn "
                f"{chain_place} that counts is {counting_id.hex()[:6]} in {counting_path}"
            )
        self.report.note("stray", path, "fork", sentence, signer.role)

    def claim_by_referee(self, path: str) -> bool:
        """Return whether the referee or the deputy signed a file as a turn or final of this game;
        report the signer if the same key signed another body for the file's place."""
        try:
            keys = self.game_folder.charter.content.referee_keys
            record = read(self.game_folder.folder.read_stray(path), lambda _, key: key in keys)
        except PbemError:
            return False
        content = record.content
        if not isinstance(content, Turn | FinalRecord) or content.game != self.game_folder.game:
            return False
        self._report_equivocation(content.turn, record, path)
        return True


def _certified_join(record: Record[Join], *, counts: bool) -> CertifiedJoin:
    join = record.content
    return CertifiedJoin(join.seat, join.name, record.id.hex()[:6], counts)
