"""Audit a game: all that anybody can prove with its folder alone (protocol §1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice
from typing import Any, Final

from pbem.errors import PbemError
from pbem.files.disk import FileError
from pbem.files.folder import Found, Litter, SharedFolder, turn_path
from pbem.format.canonical import Reason, RecordError
from pbem.judge.absence import phase_of
from pbem.judge.archive import Archive, MissingRecord, file_name, open_folder
from pbem.judge.audit_report import REFEREE, CertifiedJoin, Finding, Grade, Report
from pbem.judge.deputy import LAST, RefereeSecrets, maker_with
from pbem.judge.differences import difference
from pbem.judge.joins import check_by_word, claim_of, left_out, shared_with
from pbem.judge.notice_files import keys_in_game, new_notices
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
from pbem.judge.order_sorting import remake
from pbem.judge.press import PressReader, named, seating_with
from pbem.judge.rules import ruleset_of
from pbem.judge.seat_reader import SeatReader
from pbem.judge.stray_turns import MOST
from pbem.judge.table_reader import TableReader
from pbem.judge.turn_maker import TurnMaker
from pbem.judge.witness import Witness
from pbem.judge.witness_words import (
    explain_dropped_notice,
    explain_fate,
    explain_odd_date,
    explain_unseated,
)
from pbem.records.charter import Charter, FinalRecord, Join, Orders, check_final
from pbem.records.read_record import Record, read
from pbem.records.turn import Turn
from pbem.records.words import words_of

MAX_NAMED_FILES: Final = 100
"""How many missing files of one person are named."""


def audit(
    folder: SharedFolder, *, head: bytes | None = None, witness: Witness | None = None
) -> Report:
    """Audit the game in a folder; nothing is written.

    First each turn is checked as everybody sees it. Then, if `final` opens the secrets, every turn
    is made again from the orders that it lists, and the bytes must be the same: so each card, die,
    line and refusal is proven, or the report names the first that is wrong, with file, reason and
    culprit.

    `head` is the start of a head that somebody read out as twelve words. With `witness`, the audit
    also checks with that seat's key, and reports what its machine saw. Raises NoGameError,
    StorageError.
    """
    try:
        game_folder = open_folder(folder)
    except FileError as error:
        return Report(findings=[Finding("broken", error.path, error.reason, error.sentence)])
    return Audit(game_folder, head, witness).run()


class Audit:
    """One audit: call `run` once."""

    def __init__(self, game_folder: Archive, head: bytes | None, witness: Witness | None) -> None:
        self.game_folder, self.listing, self.told = game_folder, game_folder.listing, head
        charter, self.witness = game_folder.charter, witness
        self.reader = (
            SeatReader(charter, witness.seat, witness.seed, witness.since)
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
        self._search = game_folder.finder(self._known, missing)
        self._find = self._search._replace(orders=self._orders)
        content = charter.content
        self.report = Report(
            title=content.title,
            ruleset=content.ruleset,
            referee=content.referee,
            deputy=content.deputy,
            game=game_folder.game,
            plays=content.plays,
            bots=content.bots,
        )

    def run(self) -> Report:
        """Audit the game."""
        if wrong := self._other_games():
            return Report(findings=[Finding("broken", "game.toml", "place", wrong)])
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
        self.other_files()
        return self.report

    # -------------------------------------------------------------- findings
    def _note(
        self, grade: Grade, path: str, reason: Reason, sentence: str,
        culprit: str = "", turn: int = 0, *, proof: bool = False,
    ) -> None:  # fmt: skip
        finding = Finding(grade, path, reason, sentence, culprit, turn, proof)
        self.report.findings.append(finding)

    def _broken(self, path: str, error: RecordError, culprit: str = "", turn: int = 0) -> None:
        if isinstance(error, FileError):
            path, culprit = error.path, ""
        self._note("broken", path, error.reason, error.sentence, culprit, turn)

    # -------------------------------------------------------------- what everybody can check
    def _other_games(self) -> str:
        """Say that the charter is not the one of all other records here; empty if it may be."""
        games = Counter[bytes]()
        whole = self.game_folder.whole
        for found in (*whole.turns[:MOST], *whole.orders[:MOST], *whole.records[-1:], *whole.joins):
            try:
                content = read(self.game_folder.folder.read(found)).content
            except PbemError:
                continue
            if not isinstance(content, Charter):
                if content.game == self.game_folder.game:
                    return ""
                games[content.game] += 1
        if not games:
            return ""
        ((game, number),) = games.most_common(1)
        names = (
            "the other file here, which names"
            if number == 1
            else (f"the other {number} files here, which name")
        )
        told = f"does not belong to {names} game {game.hex()[:6]}"
        return f"{told}: get game.toml again from another player"

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

    def _role(self, turn: int = LAST) -> str:
        return self.game_folder.maker(turn).role

    def _missing(self, number: int, because: str) -> None:
        path = turn_path(number)
        error = RecordError("parent", f"turn {number} is missing, although {because}")
        for found in self.game_folder.strays:
            if found.path == path:  # there is a file in the turn's place, but it is not a turn
                fault = self.game_folder.stray(found)
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
            self._note("broken", path, "parent", sentence, turn=turn)

    def _turn(self, found: Found) -> Record[Turn] | None:
        try:
            turn = self.game_folder.turn(found)
        except FileError as error:
            self._broken(error.path, error, turn=found.name.turn)
            self._by_referee(found.path)
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

    def _known(self, kind: str, key: bytes) -> bool:
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
            self._by_referee("final.toml")
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
        elif not chain.over:
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
        for record in left_out(claims, counted, said):
            shares = shared_with(charter, record, count)
            self.report.left_out.append(_certified(record, counts=False)._replace(shares=shares))
        return True

    def _remake(self, maker: TurnMaker) -> bool:
        for record in self.turns:
            turn = record.content
            try:
                if (made := remake(maker, turn, self._find)) != turn:
                    raise difference(turn, made, maker.keys)
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
        report.notices = list(standing.listed)
        report.removed = [(turn, seat) for seat, turn in standing.removed.items()]
        report.for_open_seats = dict(Counter(e.seat for e in reader.log if e.by == "bot"))
        report.by_default = dict(Counter(e.seat for e in reader.log if e.by == "default"))
        joins = self.game_folder.joins()
        first = chain.join_ids.items()
        report.first_names = {seat: joins[ident].content.name for seat, ident in first}
        mail = [seat for seat in reader.charter.by_mail if seat in report.names]
        report.by_mail = {seat: standing.since.get(seat, 0) for seat in mail}
        report.over = bool(self.turns) and self.turns[-1].content.over
        report.by_word = self._by_word()
        for turn in self.turns:
            content = turn.content
            report.orders += len(content.orders)
            report.cards += sum(len(new.cards) for new in content.decks)
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
        self._note("broken", turn_path(last), "fork", told)

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
        self._note("broken", path, "fork", told, whose, place, proof=True)
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
        self._note("stray", path, "fork", told, signer.role)
        return False

    def _by_referee(self, path: str) -> bool:
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

    # -------------------------------------------------------------- what no turn uses
    def other_files(self) -> None:
        """Look at the files that no turn uses; people are accused only of what their own keys have
        signed."""
        self._other_joins()
        self._other_orders()
        self._messages()
        self._notices()
        self._later_turns()
        said = self._said()
        for fault in self.game_folder.faults:
            if fault.path not in said:
                self._note("foreign", fault.path, fault.reason, fault.sentence)
        for litter in self.listing.litter:
            self._litter(litter)
        for sighting in self.witness.odd if self.witness else ():
            turn = sighting.turn
            content = self.turns[turn - 1].content if turn <= len(self.turns) else None
            if content is None or content.deadline or content.silent:  # else no date matters
                sentence = explain_odd_date(sighting, self.game_folder.maker(turn).name)
                self._note("ask", turn_path(turn), "state", sentence)
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
                self._note("stray", path, "key", told)
            elif self.witness and not same and (own := self.witness.unseated(ident, first.time)):
                # turn 1 is always the referee's
                self._note("ask", path, "state", explain_unseated(own, self.report.referee))
            else:
                self._note("stray", path, "state", f"a join for seat {seat} that did not count")

    def _other_orders(self) -> None:
        said = self._said()
        broken = any(finding.grade == "broken" for finding in self.report.findings)
        signers = self.chain.standing.seats_of_keys()
        good = {ident: order_set(record) for ident, record in self.orders.items()}
        for found in self.game_folder.listing.orders:
            if found.path in said:
                continue
            try:
                record = self.game_folder.orders(found, self._known)
                forged = signers.get(record.signed.key) != record.content.seat
                if not forged:
                    good[record.id] = order_set(record)
            except FileError as error:
                if error.reason == "key" and broken and found.name.turn >= self.report.turns:
                    # the audit stopped at a record that is broken or missing, so it does not know
                    # which keys counted later
                    self.report.waiting += 1
                else:
                    self._note("foreign", found.path, error.reason, error.sentence)
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
        former = self.chain.standing.former.get(orders.seat, ())
        if any(x.signing == record.signed.key and orders.turn + 1 >= x.until for x in former):
            told = f"signed with a key of seat {orders.seat} that no longer counts"
            self._note("stray", found.path, "key", told)
        elif orders.turn > last or (
            orders.prev == heads[orders.turn] and self._fate(record).fate == "waiting"
        ):
            self.report.waiting += 1
        elif (signer := self.chain.standing.seats_of_keys()[record.signed.key]) != orders.seat:
            told = f"signed with the key of seat {signer}, in the name of seat {orders.seat}"
            self._note("stray", found.path, "key", told, f"seat {signer}")
        elif orders.prev != heads[orders.turn] and not self._answers_first(orders):
            told = f"seat {orders.seat} signed these orders for a different version of turn "
            told += f"{orders.turn} from the one here"
            self._note("stray", found.path, "fork", told)
        # that people change their minds is no finding
        elif self._fate(record).fate != "replaced" and not self._about_own(found, record):
            told = "no turn lists these orders; they came late, or the referee left them out"
            self._note("stray", found.path, "state", told)

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
            grade: Grade = "ask" if fate.should_ask else "stray"
            self._note(grade, found.path, "state", explain_fate(fate))
        return True

    def _gone_orders(self, good: Mapping[bytes, OrderSet]) -> None:
        """Report orders that the witness's machine sealed, and that are neither here nor listed."""
        witness = self.witness
        if witness is None or witness.seat in self.report.plays or self.report.broken:
            return
        here = [one for one in good.values() if one.seat == witness.seat]
        ids = {one.id for one in here}
        own = [one for one in witness.orders().values() if one.id not in ids]
        for fate in fates_of_gone_orders(own, here, self._history, witness.sealed):
            grade: Grade = "ask" if fate.should_ask else "stray"
            self._note(grade, fate.orders.path, "state", explain_fate(fate))

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
            self._note("ask", orders.path, "state", f"{told}them back")
        others = [one for one in here.values() if one.seat == orders.seat]
        counting = min(others, key=lambda one: one.rank, default=orders)
        if last.fate == "waiting" and counting.rank < orders.rank:
            told += f" do not count: {counting.id[:6]} (revision {counting.revision}) for turn "
            self._note("ask", orders.path, "state", f"{told}{counting.turn} do; seal them again")

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
            self._note("ask", turn_path(seen.turn), "parent", told)
        elif heads[seen.turn] != seen.head:
            told = f"this machine saw another turn {seen.turn} ({seen.head[:6]}, and here it is "
            told += f"{heads[seen.turn][:6]}): ask {self.report.referee} which one counts"
            self._note("ask", turn_path(max(1, seen.turn)), "fork", told)

    def _notices(self) -> None:
        standing = self.chain.standing
        if not self.game_folder.listing.notices:
            return
        listed = self.chain.listed_notices
        keys = keys_in_game(self.game_folder, listed)
        for record in new_notices(self.game_folder, listed):
            path = file_name(record).path
            if record.signed.key not in keys:
                told = "a notice signed with a key that nobody in this game has"
                self._note("foreign", path, "key", told)
            elif cancelled := self._would_cancel(record):
                self._note(*cancelled)
            elif reason := why_not(standing, record, self.report.heads):
                told = f"a notice of {named(record.content.writer)} that does not count: {reason}"
                self._note("stray", path, "state", told)
            elif record.content.turn == len(self.turns):
                self.report.waiting += 1
            elif why := self._dropped(record):
                self._note("ask", path, "state", why)
            else:
                told = "no turn lists this notice; it came late, or the referee left it out"
                self._note("stray", path, "state", told)

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

    def _dropped(self, record: SignedNotice) -> str:
        notice, witness = record.content, self.witness
        if witness is None or notice.seat != witness.seat:
            return ""
        for turn in self.turns[notice.turn :]:
            if dropped := witness.dropped_notice(record.id, notice.about, turn.content):
                return explain_dropped_notice(dropped, self.game_folder.maker(dropped.turn).name)
        return ""

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
            self._note(grade, fault.path, fault.reason, fault.sentence)

    def _later_turns(self) -> None:
        said = self._said()
        for found in self.game_folder.strays[:MOST]:
            if not self._by_referee(found.path) and found.path not in said:
                fault = self.game_folder.stray(found)
                self._note("foreign", found.path, fault.reason, fault.sentence)
        for found in self.game_folder.strays[MOST : MOST + 1]:
            told = f"{len(self.game_folder.strays) - MOST} more such files were not read"
            self._note("foreign", found.path, "name", f"{told}: remove them")

    def _litter(self, litter: Litter) -> None:
        if litter.kind in ("system", "temporary"):
            return
        inside = litter.path.partition("/")[0]
        chain = inside == "turns" or "/" not in litter.path
        if chain and litter.kind not in ("link", "folder") and self._by_referee(litter.path):
            moved = [
                x.place for x in self.game_folder.deputy_turns.elsewhere() if x.path == litter.path
            ]
            for place in moved:
                told = f"this is the turn {place} that counts, but {turn_path(place)} is another "
                told += f"file: pbem advance of {self.report.deputy} will put this one there"
                self._note("stray", litter.path, "place", told)
            if litter.path not in self._said():
                self._only_copy(litter.path)
            if not (self.report.findings and self.report.findings[-1].path == litter.path):
                self._note("foreign", litter.path, "seen", "a second copy of a record")
            return
        self._note("foreign", litter.path, "name", litter.why)

    def _only_copy(self, path: str) -> None:
        """Say which turn of the game has this wrong name, if it is here under no other."""
        record = read(self.game_folder.folder.read_litter(path))
        number, turns = record.content.turn, self.listing.turns
        if not isinstance(record.content, Turn) or number > self.report.last + 1:
            return
        maker = self.game_folder.maker(number).key == record.signed.key
        if maker and all(found.name.turn != number for found in turns):
            told = f"this is turn {number}: rename it to {turn_path(number)}"
            self._note("stray", path, "name", told)


def _certified(record: Record[Join], *, counts: bool) -> CertifiedJoin:
    join = record.content
    return CertifiedJoin(join.seat, join.name, record.id.hex()[:6], counts)
