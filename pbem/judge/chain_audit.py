"""The part of an audit about the chain: each turn as everybody sees it, and made again from the
secrets that `final` opens (protocol §1)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Final

from pbem.errors import PbemError
from pbem.files.disk import FileError
from pbem.files.folder import Found, turn_path
from pbem.format.canonical import RecordError
from pbem.judge.absence import phase_of
from pbem.judge.archive import Archive, MissingRecord
from pbem.judge.audit_report import REFEREE, CertifiedJoin, Report
from pbem.judge.deputy import AFTER_LAST_TURN, RefereeSecrets, maker_with
from pbem.judge.differences import difference
from pbem.judge.joins import check_by_word, claim_of, shared_key_owner, unmentioned_joins
from pbem.judge.order_sorting import remake
from pbem.judge.rules import ruleset_of
from pbem.judge.seat_reader import SeatReader
from pbem.judge.table_reader import TableReader
from pbem.judge.turn_maker import TurnMaker
from pbem.judge.witness import Witness
from pbem.records.charter import FinalRecord, Join, Orders, check_final
from pbem.records.read_record import Record, read
from pbem.records.turn import Turn
from pbem.records.words import words_of

MAX_NAMED_FILES: Final = 100
"""How many missing files of one person are named."""


class ChainAudit:
    """The audit of the turns and `final` of one game folder: call `run` once; `report` has what it
    found."""

    def __init__(self, game_folder: Archive, head: bytes | None, witness: Witness | None) -> None:
        self.game_folder, self.listing, self.told = game_folder, game_folder.listing, head
        charter, self.witness = game_folder.charter, witness
        self.reader = (
            SeatReader(charter, witness.seat, witness.seed, witness.valid_from)
            if witness and witness.sits
            else TableReader(charter)
        )
        self.chain = self.reader.chain
        self.turns: list[Record[Turn]] = []
        """The turns that the reader accepted."""
        self.orders: dict[bytes, Record[Orders]] = {}
        """The orders that a turn lists or names as its own, by id."""
        self.places: dict[tuple[int, bytes], tuple[bytes, str]] = {}
        """For each place in the chain and each key: the id and the file of the first record that
        the key signed for this place."""
        missing = "is missing, although a turn lists these orders"
        self._search = game_folder.finder(self.is_known_key, missing)
        self._find = self._search._replace(orders=self._orders)
        content = charter.content
        self.report = Report(
            mode=self.reader.mode.name,
            title=content.title,
            ruleset=content.ruleset,
            referee=content.referee,
            deputy=content.deputy,
            game=game_folder.game,
            plays=content.plays,
            bots=content.bots,
        )

    def run(self) -> None:
        """Audit the chain."""
        if not self.listing.turns:  # or else the reader of turn 1 needs the rules
            try:
                ruleset_of(self.game_folder.charter.content)
            except RecordError as error:
                self._broken("game.toml", error)
        self._table()
        self._final()
        self._missing_records()
        self._facts()
        self._check_told()

    # -------------------------------------------------------------- findings
    def _broken(self, path: str, error: RecordError, culprit: str = "", turn: int = 0) -> None:
        if isinstance(error, FileError):
            path, culprit = error.path, ""
        self.report.note("broken", path, error.reason, error.sentence, culprit, turn)

    # -------------------------------------------------------------- what everybody can check
    def _turn_1(self) -> None:
        """Report that turn 1 is missing if a player's orders answer a turn."""
        keys = {join.content.key for join in self.game_folder.joins().values()}
        for found in () if self.listing.turns else self.listing.orders:
            try:
                orders = self.game_folder.orders(found, lambda _, key: key in keys).content
            except FileError:
                continue
            if orders.seat not in self.report.plays:
                self._missing(1, f"{found.path} answers turn {orders.turn}")
                return

    def _table(self) -> None:
        self._turn_1()
        going, wanted = True, 1
        for found in self.listing.turns:
            for number in islice(range(wanted, found.name.turn), 10):
                self._missing(number, f"{found.path} is here")
            wanted = found.name.turn + 1
            turn = self._turn(found)
            going = going and turn is not None and self._absorb(found, turn)

    def _role(self, turn: int = AFTER_LAST_TURN) -> str:
        return self.game_folder.maker(turn).role

    def _missing(self, number: int, because: str) -> None:
        path = turn_path(number)
        error = RecordError("parent", f"turn {number} is missing, although {because}")
        for found in self.game_folder.stray_files:
            if found.path == path:  # there is a file in the turn's place, but it is not a turn
                fault = self.game_folder.stray_fault(found)
                error = RecordError(fault.reason, fault.sentence)
        self._broken(path, error, turn=number)

    def _missing_records(self) -> None:
        """Replace the finding about the missing record at which the audit stopped by one for each
        person, about all their records that the turns here name and that are not here."""
        missing = list[MissingRecord]()
        for found in self.listing.turns:
            with suppress(FileError):
                missing += self.game_folder.missing_records(self.game_folder.turn(found).content)
        digits = {record.digits for record in missing}
        stops = [
            finding
            for finding in self.report.broken
            if finding.reason == "parent"
            and any(one in f"{finding.path} {finding.sentence}" for one in digits)
        ]
        if not stops:
            return
        for finding in stops:
            self.report.findings.remove(finding)
        names = {plan.seat: plan.name for plan in self.reader.charter.seats}
        names |= {"": self.report.referee, **self.chain.standing.names}
        writers = dict[tuple[str, str], list[MissingRecord]]()
        for record in missing:
            writers.setdefault((record.kind, record.seat), []).append(record)
        for (kind, seat), records in writers.items():
            whose, path, turn = f"of {names.get(seat, seat)}", records[0].path, records[0].turn
            what = "these orders" if kind == "orders" else f"this {kind}"
            sentence = f"is missing, although turn {turn} lists {what} {whose}"
            if len(records) > 1:
                path = records[0].folder
                rows = [f"{record.digits} (turn {record.turn})" for record in records]
                more = (
                    f" and {len(rows) - MAX_NAMED_FILES} more"
                    if len(rows) > MAX_NAMED_FILES
                    else ""
                )
                what = {"notice": "notices"}.get(kind, kind)
                sentence = f"{len(rows)} files that turns list are missing: {what} {whose}, "
                sentence += ", ".join(rows[:MAX_NAMED_FILES]) + more
            self.report.note("broken", path, "parent", sentence, turn=turn)

    def _turn(self, found: Found) -> Record[Turn] | None:
        try:
            turn = self.game_folder.turn(found)
        except FileError as error:
            self._broken(error.path, error, turn=found.name.turn)
            self.claim_by_referee(found.path)
            return None
        self._claim(turn.content.turn, turn, found.path)
        return turn

    def _absorb(self, found: Found, turn: Record[Turn]) -> bool:
        number = found.name.turn
        if number != self.chain.turn + 1:
            return False
        try:
            self.game_folder.joins_of(turn.content, how_to_get="")
            self.reader.absorb(turn, self._find)
        except RecordError as error:
            path = "game.toml" if error.reason == "version" else found.path
            nobody = error.reason in ("version", "parent")  # other rules here, or a missing file
            self._broken(path, error, "" if nobody else self._role(number), number)
            return False
        self.turns.append(turn)
        standing = self.chain.standing
        off = standing.calendar.seconds_put_off(number)
        time, deadline = turn.content.time, turn.content.deadline - off
        phase = phase_of(self.reader.public.pending)
        if turn.content.log and standing.policies.rule(phase).other_zone_data(deadline, time):
            self.report.other_zones.append(number)
        return True

    def is_known_key(self, kind: str, key: bytes) -> bool:
        """Return whether a key is one that orders can be signed with: a seat's, now or before."""
        if self.listing.turns:
            return key in self.chain.standing.seats_of_keys()
        joins = (record.content for record in self.game_folder.joins().values())
        # before turn 1, only the referee's seats send orders
        return any(join.key == key and join.seat in self.report.plays for join in joins)

    def _orders(self, wanted: bytes) -> Record[Orders]:
        if wanted not in self.orders:
            self.orders[wanted] = self._search.orders(wanted)
        return self.orders[wanted]

    # -------------------------------------------------------------- what the secrets in final show
    def _final(self) -> None:
        try:
            final = self.game_folder.final()
        except FileError as error:
            self._broken(error.path, error)
            self.claim_by_referee("final.toml")
            return
        if final is None:
            return
        self._claim(final.content.turn, final, "final.toml")
        for check in (self._check_place, partial(check_final, self.reader.charter)):
            try:
                check(final.content)
            except RecordError as error:
                self._broken("final.toml", error, self._role())
                if error.reason == "commitment":
                    return
        self._open(final.content)

    def _check_place(self, final: FinalRecord) -> None:
        if self.report.broken:
            return  # the report already says what is wrong with the chain
        chain = self.chain
        if final.turn > chain.turn + 1:
            self._missing(chain.turn + 1, "final.toml builds on this turn")
        elif (final.turn, final.prev) != (chain.turn + 1, chain.head):
            told = "final.toml builds on a different turn from the last one here"
            raise RecordError("place", told)
        elif not chain.is_over:
            raise RecordError("state", "the referee opened the secrets before the game was over")

    def _open(self, final: FinalRecord) -> None:
        if not self.turns:
            return
        joins = self.game_folder.joins_of(self.turns[0].content)
        if self._seated(final):
            secrets = RefereeSecrets(final.r_ref, final.audit)
            maker = TurnMaker(self.game_folder.charter, joins, secrets)
            self.report.final = self._remake(maker)

    def _seated(self, final: FinalRecord) -> bool:
        first = self.turns[0].content
        counted, said = set((first.joins or {}).values()), set(first.by_word)
        joins = self.game_folder.joins().values()
        claims = [claim_of(self.game_folder.charter, record, final.audit) for record in joins]
        try:
            check_by_word(claims, counted, said)
        except RecordError as error:
            self._broken("turns/0001.toml", error, REFEREE, 1)
            return False
        charter, count = self.reader.charter, [r for r in joins if r.id in counted]
        for record in unmentioned_joins(claims, counted, said):
            shares = shared_key_owner(charter, record, count)
            self.report.left_out.append(_certified(record, counts=False)._replace(shares=shares))
        return True

    def _remake(self, maker: TurnMaker) -> bool:
        for record in self.turns:
            turn = record.content
            try:
                if (made := remake(maker, turn, self._find)) != turn:
                    raise difference(turn, made, maker.keys, self.reader.mode.differences)
            except RecordError as error:
                self._broken(turn_path(turn.turn), error, self._role(turn.turn), turn.turn)
                return False
            maker.made(record)
        self.report.log = list(maker.table.log)
        return True

    # -------------------------------------------------------------- the certificate
    def _facts(self) -> None:
        report, reader, chain = self.report, self.reader, self.chain
        standing = chain.standing
        report.names = {seat: join.name for seat, join in standing.roster.items()}
        report.turns, report.heads = len(self.turns), chain.heads[: len(self.turns) + 1]
        report.last = max([report.turns, *(found.name.turn for found in self.listing.turns)])
        report.notices = list(standing.applied_notices)
        report.removed = [(turn, seat) for seat, turn in standing.removal_turns.items()]
        report.for_open_seats = dict(Counter(e.seat for e in reader.log if e.by == "bot"))
        report.by_default = dict(Counter(e.seat for e in reader.log if e.by == "default"))
        joins = self.game_folder.joins()
        first = chain.join_ids.items()
        report.first_names = {seat: joins[ident].content.name for seat, ident in first}
        mail = [seat for seat in reader.charter.by_mail if seat in report.names]
        report.by_mail = {seat: standing.keys_valid_from.get(seat, 0) for seat in mail}
        report.over = bool(self.turns) and self.turns[-1].content.over
        report.by_word = self._by_word()
        for turn in self.turns:
            content = turn.content
            report.orders += len(content.orders)
            report.cards += reader.mode.committed_cards(content)
            report.dice += sum(entry.key.split(".")[2] == "die" for entry in content.log)

    def _by_word(self) -> list[CertifiedJoin]:
        first, joins = self.turns[0].content if self.turns else None, self.game_folder.joins()
        if first is None:
            return []
        counted = set((first.joins or {}).values())
        return [
            _certified(joins[i], counts=i in counted)
            if i in joins
            else CertifiedJoin("", "", i.hex()[:6], i in counted)
            for i in first.by_word
        ]

    def _check_told(self) -> None:
        if self.told is None:
            return
        for number, head in enumerate(self.report.heads):
            if head.startswith(self.told):
                self.report.told = number
                return
        last = self.report.turns
        words = " ".join(words_of(self.report.heads[-1]))
        told = "the words you were told are those of no turn here: either you see another or a "
        told += "shorter game, or the words were misheard. Ask for the number of their turn, and "
        told += f"compare the words again. The words of turn {last} here: {words}"
        self.report.note("broken", turn_path(last), "fork", told)

    # -------------------------------------------------------------- two records for one place
    def _claim(self, place: int, record: Record[Any], path: str) -> bool:
        """Note that a record was signed for a place; report the key that signed two for one
        place."""
        key, ident = record.signed.key, record.id
        kept, where = self.places.setdefault((place, key), (ident, path))
        if kept == ident and where == path:
            return self._made_by_other(place, record, path)
        if kept == ident:
            return True
        ids = f"{kept.hex()[:6]} in {where} and {ident.hex()[:6]} here"
        whose = maker_with(self.reader.charter, key).role
        told = f"the {whose}'s key signed two different bodies for place {place} in the chain: "
        told += ids
        self.report.note("broken", path, "fork", told, whose, place, proof=True)
        return False

    def _made_by_other(self, place: int, record: Record[Any], path: str) -> bool:
        """Return False, with a finding, if the referee signed a record where the deputy's counts,
        or the other way round."""
        signer = maker_with(self.reader.charter, record.signed.key)
        maker = self.game_folder.maker(place)
        if signer == maker:
            return True
        counts = self.places.get((place, maker.key))
        if counts:
            told = f"the {signer.role} signed a different turn {place} from the one that counts"
            told += f" ({counts[0].hex()[:6]} in {counts[1]} and {record.id.hex()[:6]} here)"
        else:
            told = f"the {signer.role} signed this turn {place}, which does not count: "
            told += f"{maker.called}, makes it"
        self.report.note("stray", path, "fork", told, signer.role)
        return False

    def claim_by_referee(self, path: str) -> bool:
        """Return whether the referee or the deputy signed this file as a turn or final of this
        game.

        A second record for one place proves cheating and becomes a finding.
        """
        try:
            keys = self.game_folder.charter.content.referee_keys
            record = read(self.game_folder.folder.read_litter(path), lambda _, key: key in keys)
        except PbemError:
            return False
        content = record.content
        if not isinstance(content, Turn | FinalRecord) or content.game != self.game_folder.game:
            return False
        self._claim(content.turn, record, path)
        return True


def _certified(record: Record[Join], *, counts: bool) -> CertifiedJoin:
    join = record.content
    return CertifiedJoin(join.seat, join.name, record.id.hex()[:6], counts)
