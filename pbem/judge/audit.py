"""Audit a game: all that anybody can prove with its folder alone (protocol §1)."""

from __future__ import annotations

from collections import Counter

from pbem.errors import PbemError
from pbem.files.disk import FileError
from pbem.files.folder import SharedFolder
from pbem.judge.archive import Archive, open_folder
from pbem.judge.audit_report import Finding, Report
from pbem.judge.chain_audit import ChainAudit
from pbem.judge.stray_turns import MAX_STRAYS_READ
from pbem.judge.unused_files import UnusedFiles
from pbem.judge.witness import Witness
from pbem.records.charter import Charter
from pbem.records.read_record import read


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
    if wrong := _named_by_other_files(game_folder):
        return Report(findings=[Finding("broken", "game.toml", "place", wrong)])
    chain_audit = ChainAudit(game_folder, head, witness)
    chain_audit.run()
    UnusedFiles(chain_audit).run()
    return chain_audit.report


def _named_by_other_files(game_folder: Archive) -> str:
    """Say that the charter is not the one of all other records here; empty if it may be."""
    games = Counter[bytes]()
    whole = game_folder.complete_listing
    for found in (
        *whole.turns[:MAX_STRAYS_READ],
        *whole.orders[:MAX_STRAYS_READ],
        *whole.records[-1:],
        *whole.joins,
    ):
        try:
            content = read(game_folder.folder.read(found)).content
        except PbemError:
            continue
        if not isinstance(content, Charter):
            if content.game == game_folder.game:
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
