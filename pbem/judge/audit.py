"""Audit a game: check everything that its folder alone can prove (protocol §1)."""

from __future__ import annotations

from collections import Counter

from pbem.errors import PbemError
from pbem.files.file_errors import FileError
from pbem.files.game_folder import SharedFolder
from pbem.judge.audit_report import Finding, Report
from pbem.judge.chain_audit import ChainAudit
from pbem.judge.damaged_and_stray_turn_files import MAX_STRAYS_READ
from pbem.judge.evidence_from_own_machine import Witness
from pbem.judge.records_of_game_folder import Archive, open_folder
from pbem.judge.unused_files_audit import UnusedFiles
from pbem.records.charter import Charter
from pbem.records.read_and_sign_record import read


def audit(
    folder: SharedFolder, *, head: bytes | None = None, witness: Witness | None = None
) -> Report:
    """Audit the game in a folder; nothing is written.

    First each turn is checked as everybody sees it. Then, if `final` opens the secrets, every turn
    is made again from the orders that it lists, and the bytes must be the same. This proves each
    card, die, line and refusal, or finds the first wrong turn, with file, reason and culprit.

    `head` is the start of a head, which somebody read out as twelve words. With `witness`, the
    audit also checks with that seat's key, and compares the folder with what the seat's machine
    remembers. Raises NoGameError, StorageError.
    """
    try:  # a charter that is not right is a finding, and nothing else can be checked then
        game_folder = open_folder(folder)
    except FileError as error:
        return Report(findings=[Finding("broken", error.path, error.reason, error.sentence)])
    if sentence := _named_by_other_files(game_folder):
        return Report(findings=[Finding("broken", "game.toml", "place", sentence)])
    chain_audit = ChainAudit(game_folder, head, witness)
    chain_audit.run()
    if game_folder.listing.deals:
        from pbem.judge.unlisted_deal_records_audit import UnusedDeals

        UnusedDeals(chain_audit).run()
    UnusedFiles(chain_audit).run()
    return chain_audit.report


def _named_by_other_files(game_folder: Archive) -> str:
    """Say that all other records here belong to another game than the charter; empty if some
    record belongs to the charter's game, or if there is no readable record. Then the charter is
    the wrong file, and one finding says so instead of one for each record."""
    games = Counter[bytes]()
    listing = game_folder.complete_listing
    turns, orders = listing.turns[:MAX_STRAYS_READ], listing.orders[:MAX_STRAYS_READ]
    for file in (*turns, *orders, *listing.records[-1:], *listing.joins):
        try:
            content = read(game_folder.folder.read(file)).content
        except PbemError:
            continue
        if not isinstance(content, Charter):
            if content.game == game_folder.game:
                return ""
            games[content.game] += 1
    if not games:
        return ""
    ((game, count),) = games.most_common(1)
    if count == 1:
        files = f"the other file in this folder belongs to game {game.hex()[:6]}"
    else:
        files = f"the other {count} files in this folder belong to game {game.hex()[:6]}"
    return f"this is the game.toml of another game: {files}; ask a player for their game.toml"
