"""Audit a game: check everything that anybody can prove with only its folder (protocol §7).

First the audit checks each turn as everybody sees it. Then, if `final` opens the secrets, it makes
every turn again from the orders that the turn lists, and the bytes must be the same. So each card,
die, line and refusal is proven, or the report names the first that is wrong, with file, reason and
culprit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

from pbem.format.errors import RecordError
from pbem.play.auditing.differences import difference
from pbem.play.auditing.other_files import OtherFiles
from pbem.play.auditing.report import REFEREE, CertifiedJoin, Finding, Report
from pbem.play.auditing.witness import Witness
from pbem.play.calendar.charter_deadlines import other_zone_data
from pbem.play.checking.charter_rules import ruleset_of
from pbem.play.checking.game_folder import GameFolder, open_folder
from pbem.play.checking.seat_reader import SeatReader
from pbem.play.checking.table_reader import TableReader
from pbem.play.checking.which_join_counts import check_by_word, claim_of, left_out, shared_with
from pbem.play.deputy.referee_secrets import RefereeSecrets
from pbem.play.deputy.who_makes_turns import LAST, maker_with
from pbem.play.making.remake import remake
from pbem.play.making.turn_maker import TurnMaker
from pbem.play.seats.standing import told_removed
from pbem.records.chain import words_of
from pbem.records.charter_join_orders import FinalRecord, Join, Orders
from pbem.records.joining import check_final
from pbem.records.read_record import Record, read
from pbem.records.turn import Turn
from pbem.storage.errors import FileError, StorageError
from pbem.storage.file_names import turn_path
from pbem.storage.folder import Found, SharedFolder


def audit(
    folder: SharedFolder, *, head: bytes | None = None, witness: Witness | None = None
) -> Report:
    """Audit the game in a folder; nothing is written.

    `head` is the first 16 bytes of a head that somebody read out as twelve words; the chain must
    contain that head. With `witness`, the audit also checks from that seat's viewpoint, and reports
    what its machine saw. Raises NoGameError if there is no game, StorageError if a file cannot be
    read.
    """
    try:
        game_folder = open_folder(folder)
    except FileError as error:
        return Report(findings=[Finding("broken", error.path, error.reason, error.sentence)])
    return _Audit(game_folder, head, witness).run()


class _Audit:
    """One audit: call `run` once."""

    def __init__(
        self, game_folder: GameFolder, head: bytes | None, witness: Witness | None
    ) -> None:
        self.game_folder, self.listing, self.told = game_folder, game_folder.listing, head
        charter, self.witness = game_folder.charter, witness
        self.reader = (
            SeatReader(charter, witness.seat, witness.seed, witness.since)
            if witness and witness.sits
            else TableReader(charter)
        )
        self.turns: list[Record[Turn]] = []
        """The turns that the reader accepted."""
        self.final: Record[FinalRecord] | None = None
        self.orders: dict[bytes, Record[Orders]] = {}
        """The orders that a turn lists or names as its own, by id."""
        self.places: dict[tuple[int, bytes], tuple[bytes, str]] = {}
        """For each place in the chain and each key: the id and the file of the first record that
        the key signed for this place."""
        self._search = game_folder.find_orders(self._known)
        self._notice = game_folder.find_notice
        content = charter.content
        self.report = Report(
            title=content.title,
            ruleset=content.ruleset,
            referee=content.referee,
            deputy=content.deputy,
            game=game_folder.game,
            plays=content.plays,
            bots={plan.seat: plan.bot for plan in content.seats if plan.bot},
        )

    def run(self) -> Report:
        if not self.listing.turns:
            self._rules()
        self._table()
        self._final()
        self._facts()
        self._check_told()
        OtherFiles(self.game_folder, self.report, self.witness).run(
            self.turns, self.orders, self._known, self._by_referee, self.reader.standing
        )
        return self.report

    # -------------------------------------------------------------- findings
    def _add(self, finding: Finding) -> None:
        self.report.findings.append(finding)

    def _broken(self, path: str, error: RecordError, culprit: str = "", turn: int = 0) -> None:
        """Report a broken record that the chain needs; for a FileError, report the file that the
        error names."""
        if isinstance(error, FileError):
            path, culprit = error.path, ""
        self._add(Finding("broken", path, error.reason, error.sentence, culprit, turn))

    # -------------------------------------------------------------- what everybody can check
    def _table(self) -> None:
        going = True
        for found in self._in_order():
            turn = self._turn(found)
            going = going and turn is not None and self._absorb(found, turn)

    def _rules(self) -> None:
        """Check that the charter's rules can be used here: before turn 1, no other check does
        this."""
        try:
            ruleset_of(self.game_folder.charter.content)
        except RecordError as error:
            self._broken("game.toml", error)

    def _in_order(self) -> Iterable[Found]:
        """Return the turn files in order, and report the turns that are missing between them."""
        wanted = 1
        for found in self.listing.turns:
            for number in islice(range(wanted, found.name.turn), 10):
                self._missing(number, f"{found.path} is here")
            wanted = found.name.turn + 1
            yield found

    def _role(self, turn: int = LAST) -> str:
        """Return the role of the person who makes this turn; without `turn`, who makes `final`."""
        return self.game_folder.maker(turn).role

    def _missing(self, number: int, because: str) -> None:
        path = turn_path(number)
        error = RecordError("parent", f"turn {number} is missing, although {because}")
        for found in self.game_folder.strays:
            if found.path == path:  # there is a file in the turn's place, but it is not a turn
                fault = self.game_folder.stray(found)
                error = RecordError(fault.reason, fault.sentence)
        self._broken(path, error, turn=number)

    def _turn(self, found: Found) -> Record[Turn] | None:
        """Return the turn if it is signed and in its place, else None.

        Note what the referee signed.
        """
        try:
            turn = self.game_folder.turn(found)
        except FileError as error:
            self._broken(error.path, error, turn=found.name.turn)
            self._by_referee(found.path)
            return None
        self._claim(turn.content.turn, turn, found.path)
        return turn

    def _absorb(self, found: Found, turn: Record[Turn]) -> bool:
        """Return whether the reader accepts the turn; if it does not, report why."""
        number = found.name.turn
        if number != self.reader.turn + 1:
            return False
        try:
            self._check_joins(turn.content)
            self.reader.absorb(turn, self._find, self.game_folder.joins(), self._notice)
        except RecordError as error:
            path = "game.toml" if error.reason == "version" else found.path
            nobody = error.reason in ("version", "parent")  # other rules here, or a missing file
            self._broken(path, error, "" if nobody else self._role(number), number)
            return False
        self.turns.append(turn)
        standing, pending = self.reader.standing, self.reader.public.pending
        off = standing.calendar.seconds_put_off(number)
        time, deadline = turn.content.time, turn.content.deadline - off
        if turn.content.log and other_zone_data(standing.policies, pending, time, deadline):
            self.report.other_zones.append(number)
        return True

    def _check_joins(self, turn: Turn) -> None:
        """Check that every join that turn 1 names is in the folder.

        Raises FileError for a missing one.
        """
        here = self.game_folder.joins()
        faults = {fault.path: fault for fault in self.game_folder.faults}
        for seat, wanted in (turn.joins or {}).items():
            path = f"seats/{seat}-{wanted.hex()[:6]}.toml"
            if wanted in here:
                continue
            if path in faults:
                raise FileError(faults[path].reason, path, faults[path].sentence)
            raise FileError("parent", path, f"the join of seat {seat} is missing")

    def _known(self, kind: str, key: bytes) -> bool:
        """Return whether this key may sign orders now, or could before its seat got a different
        key."""
        if self.listing.turns:
            return key in self.reader.standing.seats_of_keys()
        joins = (record.content for record in self.game_folder.joins().values())
        # before turn 1, only the referee's seats send orders
        return any(join.key == key and join.seat in self.report.plays for join in joins)

    def _find(self, wanted: bytes) -> Record[Orders]:
        if wanted not in self.orders:
            try:
                self.orders[wanted] = self._search(wanted)
            except FileError:
                raise
            except RecordError:
                path = f"orders/*-{wanted.hex()[:6]}.toml"
                told = "is missing, although a turn lists these orders"
                raise FileError("parent", path, told) from None
        return self.orders[wanted]

    # -------------------------------------------------------------- what the secrets in final show
    def _final(self) -> None:
        try:
            self.final = self.game_folder.final()
        except FileError as error:
            self._broken(error.path, error)
            self._by_referee("final.toml")
            return
        if self.final is None:
            return
        self._claim(self.final.content.turn, self.final, "final.toml")
        for check in (self._check_place, self._check_secrets):
            try:
                check(self.final.content)
            except RecordError as error:
                self._broken("final.toml", error, self._role())
                if error.reason == "commitment":
                    return
        self._open(self.final.content)

    def _check_secrets(self, final: FinalRecord) -> None:
        check_final(self.reader.charter, final)

    def _check_place(self, final: FinalRecord) -> None:
        if self.report.broken:
            return  # the report already says what is wrong with the chain
        if final.turn > self.reader.turn + 1:
            self._missing(self.reader.turn + 1, "final.toml builds on this turn")
        elif (final.turn, final.prev) != (self.reader.turn + 1, self.reader.head):
            raise RecordError(
                "place", "final.toml builds on a different turn from the last one here"
            )
        elif not self.reader.over:
            raise RecordError("state", "the referee opened the secrets before the game was over")

    def _open(self, final: FinalRecord) -> None:
        """Make every turn again with the secrets that `final` opens."""
        if not self.turns:
            return
        named = self.turns[0].content.joins or {}
        joins = {seat: self.game_folder.joins()[wanted] for seat, wanted in named.items()}
        if not self._seated(final):
            return
        secrets = RefereeSecrets(final.r_ref, final.audit)
        maker = TurnMaker(self.game_folder.charter, joins, secrets)
        self.report.final = self._remake(maker)

    def _seated(self, final: FinalRecord) -> bool:
        """Check that turn 1 gives the seats to the right joins, as far as records can show.

        Returns whether it does. Good joins that turn 1 leaves out are noted in the report.
        """
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
        for record in left_out(claims, counted, said):
            shares = shared_with(charter, record, count)
            self.report.left_out.append(_seated(record, counts=False)._replace(shares=shares))
        return True

    def _remake(self, maker: TurnMaker) -> bool:
        heads, last = [maker.head], None
        for record in self.turns:
            turn = record.content
            try:
                joins = self.game_folder.joins()
                made = remake(maker, turn, heads, last, self._find, self._notice, joins)
                if made != turn:
                    raise difference(turn, made, maker.keys)
            except RecordError as error:
                self._broken(turn_path(turn.turn), error, self._role(turn.turn), turn.turn)
                return False
            maker.made(record)
            heads.append(maker.head)
            last = turn
        self.report.log = list(maker.table.log)
        return True

    # -------------------------------------------------------------- the certificate
    def _facts(self) -> None:
        report, reader = self.report, self.reader
        report.names = {seat: join.name for seat, join in reader.roster.items()}
        report.turns, report.heads = len(self.turns), reader.heads[: len(self.turns) + 1]
        report.notices = [(one.turn, one.told) for one in reader.standing.listed]
        removed = reader.standing.removed.items()
        report.removed = [(n, told_removed(report.names[s])) for s, n in removed]
        report.for_open_seats = dict(Counter(e.seat for e in reader.log if e.by == "bot"))
        joins = self.game_folder.joins()
        first = reader.join_ids.items()
        report.first_names = {seat: joins[ident].content.name for seat, ident in first}
        mail = [seat for seat in reader.charter.by_mail if seat in report.names]
        report.by_mail = {seat: reader.standing.since.get(seat, 0) for seat in mail}
        report.over = bool(self.turns) and self.turns[-1].content.over
        report.by_word = self._by_word()
        for turn in self.turns:
            content = turn.content
            report.orders += len(content.orders)
            report.cards += sum(len(new.cards) for new in content.decks)
            report.dice += sum(entry.key.split(".")[2] == "die" for entry in content.log)

    def _by_word(self) -> list[CertifiedJoin]:
        """Return the joins that turn 1 lists as decided by the referee."""
        first, joins = self.turns[0].content if self.turns else None, self.game_folder.joins()
        if first is None:
            return []
        counted = set((first.joins or {}).values())
        return [
            _seated(joins[i], counts=i in counted)
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
        told = "the words you were told do not match any turn of this game"
        told = f"{told}; the words of its last turn are: {words}"
        self._add(Finding("broken", turn_path(last), "fork", told, turn=last))

    # -------------------------------------------------------------- two records signed for one
    # place
    def _claim(self, place: int, record: Record[Any], path: str) -> bool:
        """Note that a record was signed for a place.

        If it is the second record for this place, report whose key signed it.
        """
        key, ident = record.signed.key, record.id
        kept, where = self.places.setdefault((place, key), (ident, path))
        if kept == ident and where == path:
            return self._made_by_other(place, record, path)
        if kept == ident:
            return True
        ids = f"{kept.hex()[:6]} in {where} and {ident.hex()[:6]} here"
        whose = maker_with(self.reader.charter, key).role
        told = (
            f"the {whose}'s key signed two different bodies for place {place} in the chain: {ids}"
        )
        self._add(Finding("broken", path, "fork", told, whose, place, proof=True))
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
        self._add(Finding("stray", path, "fork", told, signer.role))
        return False

    def _by_referee(self, path: str) -> bool:
        """Return whether the referee, or the deputy, signed this file as a turn or final record of
        this game.

        If it is a second record for one place, it proves cheating and becomes a finding.
        """
        try:
            record = read(self.game_folder.folder.read_litter(path), self._referee_key)
        except (RecordError, StorageError):
            return False
        content = record.content
        if not isinstance(content, Turn | FinalRecord) or content.game != self.game_folder.game:
            return False
        self._claim(content.turn, record, path)
        return True

    def _referee_key(self, kind: str, key: bytes) -> bool:
        return key in self.game_folder.charter.content.referee_keys


def _seated(record: Record[Join], *, counts: bool) -> CertifiedJoin:
    join = record.content
    return CertifiedJoin(join.seat, join.name, record.id.hex()[:6], counts)
