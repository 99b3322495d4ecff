"""The part of an audit about deals that no turn lists: second ones, wrong ones, of another game."""

from __future__ import annotations

from pbem.files.file_errors import FileError
from pbem.files.game_folder import RecordFile
from pbem.format.record_error import RecordError
from pbem.judge.chain_audit import ChainAudit
from pbem.judge.co_dealer import co_dealer_number
from pbem.judge.hidden_cards_public_check import HiddenPublicCards
from pbem.judge.hidden_dealing_state import HiddenDealing
from pbem.judge.record_chain import other_version_in_words
from pbem.judge.records_of_game_folder import is_signed_by_its_dealer
from pbem.records.deal_record import Deal
from pbem.records.read_and_sign_record import Record


class UnusedDeals:
    """The deals of one game folder that no turn lists; `run` adds a finding about each, unless the
    next turn may list it. A finding accuses nobody of a deal that may be a machine's honest answer.
    """

    def __init__(self, chain_audit: ChainAudit) -> None:
        """`chain_audit` has run."""
        self.chain_audit, self.game_folder = chain_audit, chain_audit.game_folder
        self.chain, self.report = chain_audit.chain, chain_audit.report
        self.listed_parts = set[tuple[int, int]]()
        """The turns and dealers of the deals that turns list."""
        self.first_deals: dict[tuple[int, bytes], tuple[Record[Deal], str]] = {}
        """The first deal that a key signed after a turn, with its path: one that counts, if there
        is one."""

    def run(self) -> None:
        """Report each deal that no turn lists and the next turn may not list; call this once, after
        the audit of the chain."""
        reported_paths = {finding.path for finding in self.report.findings}
        useful_ids = self._useful_ids()
        unused_deals = list[tuple[RecordFile, Record[Deal]]]()
        for file in self.game_folder.listing.deals:
            try:
                record = self.game_folder.deal(file, self.game_folder.is_co_dealer)
            except FileError as error:
                if file.path not in reported_paths:
                    self.report.note("foreign", file.path, error.reason, error.sentence)
                continue
            deal, place = record.content, (record.content.turn, record.signed.key)
            if record.id in self.chain.listed_deals:
                self.listed_parts.add((deal.turn, deal.dealer))
                self.first_deals[place] = record, file.path
            elif record.id in useful_ids and place not in self.first_deals:
                self.first_deals[place] = record, file.path
            elif file.path not in reported_paths:
                unused_deals.append((file, record))
        for file, record in unused_deals:
            self._report_deal(file.path, record)

    def _useful_ids(self) -> set[bytes]:
        """Return the ids of the deals after the last turn that the next turn may list, or that open
        a secret after the game is over; none if the audit stopped at what is broken."""
        if self.report.broken:
            return set()
        deals = self.game_folder.deals_after(self.chain.turn)
        if self.chain.is_over:
            secrets = self.chain_audit.opened_secrets
            return {
                record.id
                for record in deals
                if record.content.secret
                and record.content.secret
                == secrets.get(record.content.dealer, record.content.secret)
            }
        dealing = self._dealing
        return {
            record.id
            for record in deals
            if record.content.dealer in dealing.owed and dealing.is_right(record)
        }

    @property
    def _dealing(self) -> HiddenDealing:
        cards = self.chain_audit.reader.cards
        assert isinstance(cards, HiddenPublicCards)
        return cards.dealing

    def _report_deal(self, path: str, record: Record[Deal]) -> None:
        """Add a finding about a deal that no turn lists, unless it may be right."""
        deal, heads, signer = record.content, self.report.heads, self._role_of(record.signed.key)
        if not is_signed_by_its_dealer(self.chain.charter, record):
            sentence = f"{signer} signed this file in the name of co-dealer {deal.dealer}"
            self.report.note("stray", path, "key", sentence, signer)
            return
        first_record, first_path = self.first_deals.setdefault(
            (deal.turn, record.signed.key), (record, path)
        )
        if first_record.id != record.id:
            sentence = (
                f"{signer} signed two different files for the same turn {deal.turn}: this one, "
                f"and {first_path}"
            )
            self.report.note("stray", path, "fork", sentence, signer, deal.turn, proof=True)
        elif deal.turn >= len(heads):
            return  # turns are missing here
        elif deal.prev != heads[deal.turn]:
            sentence = f"{signer} signed this file for {other_version_in_words(deal.turn)}"
            self.report.note("stray", path, "fork", sentence, turn=deal.turn)
        elif deal.turn < self.chain.turn:
            self._report_earlier(path, record)
        elif not self.report.broken:
            self._report_last(path, record)

    def _report_last(self, path: str, record: Record[Deal]) -> None:
        """Add a finding about the only deal of its signer after the last turn, which does not
        count."""
        deal, signer = record.content, self._role_of(record.signed.key)
        if self.chain.is_over:
            sentence = (
                f"the game is over, but this file of co-dealer {deal.dealer} does not contain the "
                "secret of the co-dealer"
            )
            self.report.note("stray", path, "commitment", sentence, signer, deal.turn)
        elif record.signed.key != self.chain.standing.dealer_keys[deal.dealer]:
            self._report_replaced(path, record)
        elif deal.dealer not in self._dealing.owed:
            self._report_not_owed(path, deal, signer)
        else:
            try:
                self._dealing.check_deal(record)
            except RecordError as error:
                self.report.note("stray", path, error.reason, error.sentence, signer, deal.turn)

    def _report_earlier(self, path: str, record: Record[Deal]) -> None:
        """Add a finding about a deal after a turn that is not the last, the first of its signer in
        the folder."""
        deal, signer = record.content, self._role_of(record.signed.key)
        owed = self.chain_audit.turns[deal.turn - 1].content.owed if deal.turn else ()
        if deal.turn and deal.dealer not in owed:
            self._report_not_owed(path, deal, signer)
        elif (deal.turn, deal.dealer) in self.listed_parts:
            self._report_replaced(path, record)
        else:
            sentence = (
                f"no turn lists this file: turn {deal.turn + 1} only lists notices, so the dealer "
                "made a new file after that turn"
            )
            self.report.note("stray", path, "state", sentence)

    def _report_replaced(self, path: str, record: Record[Deal]) -> None:
        deal, key = record.content, record.signed.key
        is_deputy = key != self.chain.charter.dealers[deal.dealer].key
        signer, other = self._role_of(key), "the co-dealer" if is_deputy else "the deputy"
        sentence = (
            f"{signer} signed this file, which has no effect: {other} deals after turn {deal.turn}"
        )
        self.report.note("stray", path, "key", sentence)

    def _report_not_owed(self, path: str, deal: Deal, signer: str) -> None:
        sentence = f"turn {deal.turn} needs no file of co-dealer {deal.dealer}"
        self.report.note("stray", path, "opening", sentence, signer, deal.turn)

    def _role_of(self, key: bytes) -> str:
        """Return which co-dealer or deputy has this key, such as `co-dealer 0`."""
        number = co_dealer_number(self.chain.charter, key)
        is_deputy = key != self.chain.charter.dealers[number].key
        return f"deputy of co-dealer {number}" if is_deputy else f"co-dealer {number}"
