"""The four who ask whether a record may come in, each asked as people ask it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from shutil import copytree
from unittest.mock import patch

from pbem.files.file_errors import TakenError
from pbem.files.game_folder import Folder
from pbem.files.game_folder_places import DiskPlace
from pbem.files.home import Home
from pbem.files.host_store import folder_name_of
from pbem.format.record_error import RecordError
from pbem.host import record_gate
from pbem.judge.audit import audit
from pbem.judge.audit_report import Report
from pbem.judge.read_and_make_messages import PressReader, seating_with
from pbem.judge.record_chain import Chain
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.judge.which_notices_count import sort_notices
from pbem.mail.find_game_by_id import Places
from pbem.mail.record_filing import RecordFiler
from pbem.mail.take_records_from_mail import Receiving
from pbem.wording.audit_certificate import sentence_of_finding
from tests.admission.records import Scene
from tests.host.keeper import Keeper
from tests.host.written_records import DIGITS
from tests.kit.record_files import archive_of

_WORDS = re.compile(r"The words of turn.*")


def ask_filer(scene: Scene) -> str:
    """What `pbem receive` says of the record, which came by mail."""
    folder = scene.copy("filer")
    waiting = Counter(RecordFiler(Folder(folder)).notes())
    receiving = Receiving(
        Places(Home(scene.root.parent / "home"), scene.root.parent, DiskPlace(folder))
    )
    receiving.open(scene.record.file, "mail")
    receiving.file_all()
    told = Counter((one.reason, one.sentence) for one in receiving.refusals)
    sentences = [f"{reason}: {sentence}" for reason, sentence in told - waiting]
    answer = "refused"
    for one in receiving.deliveries:
        answer = (
            "filed" if one.new_records else "is here already" if one.present_count else "refused"
        )
        if answer == "refused" and "parent" in {reason for reason, _ in told - waiting}:
            known = one.knows(scene.record.signed.key)
            answer = f"waits as a file of {'somebody in the game' if known else 'a stranger'}"
    sentences += ["less is missing"] if waiting - told else []
    return scene.plain("; ".join([answer, *sentences]))


def ask_host(scene: Scene) -> str:
    """What a host answers to a request that puts the record."""
    keeper = Keeper(scene.root.parent / "host")
    copytree(scene.root, keeper.root / folder_name_of(DIGITS))
    with patch.object(record_gate.time, "time", lambda: scene.now):
        try:
            new = keeper.put(scene.record.file, scene.path)
        except record_gate.HostRefusal as refusal:
            return scene.plain(f"{refusal.status}: {refusal}")
        except TakenError:
            return "another file has its name"
    return "taken" if new else "is here already"


def ask_reader(scene: Scene) -> str:
    """What a program reads that finds the record in its folder."""
    archive = archive_of(scene.with_record("reader"))
    chain = archive.chain_of(archive.turns())
    try:
        told = _READ[scene.record.content.kind](archive, chain, scene)
    except RecordError as error:
        told = f"{error.reason}: {error.sentence}"
    faults = Counter(scene.plain(f"{one.reason}: {one.sentence}") for one in archive.faults)
    return "; ".join([scene.plain(told), *_counted(faults)])


def _join(archive: Archive, chain: Chain, scene: Scene) -> str:
    return "read" if scene.record.id in archive.joins() else "not read"


def _orders(archive: Archive, chain: Chain, scene: Scene) -> str:
    roster = chain.standing.roster
    keys = {seat: join.key for seat, join in roster.items()}
    listed = {ident.hex()[:6] for ident in chain.listed_orders}
    files = archive.listing.orders
    besides = {one.path for one in files if one.name.short_id in listed}
    here = archive.newest_orders(keys, besides, 16)
    if scene.record.id in chain.listed_orders:
        return "listed" if archive.orders_with_id(scene.record.id) else "not found"
    return "read" if scene.record.id in {one.id for one in here} else "not read"


def _turn(archive: Archive, chain: Chain, scene: Scene) -> str:
    ids = {one.id: one.content.turn for one in archive.turns()}
    told = "counts" if scene.record.id in ids else "does not count"
    lacks = f"; {chain.missing_record.sentence}" if chain.missing_record else ""
    return f"{told}; the game goes to turn {len(ids)}{lacks}"


def _press(archive: Archive, chain: Chain, scene: Scene) -> str:
    reader = PressReader(archive, chain.heads, seating_with(chain.standing))
    told = "read" if scene.record.id in {one.id for one in reader.records()} else "not read"
    faults = Counter(f"{one.reason}: {one.sentence}" for one in reader.faults)
    return "; ".join([told, *_counted(faults)])


def _notice(archive: Archive, chain: Chain, scene: Scene) -> str:
    if scene.record.id in chain.listed_notices:
        return "listed"
    new = unlisted_notices(archive, chain.listed_notices)
    if scene.record.id not in {one.id for one in new}:
        return "not read"
    before = chain.standing_at(scene.now, archive.joins())
    found = sort_notices(before, new, chain.heads)
    if scene.record.id in {one.id for one in found.counting}:
        return "read, and counts"
    why = {one.id: reason for one, reason in found.rejected}
    return f"read, and does not count: {why.get(scene.record.id, 'later')}"


def _deal(archive: Archive, chain: Chain, scene: Scene) -> str:
    deal = scene.record.content
    if scene.record.id not in {one.id for one in archive.deals_after(deal.turn)}:
        return "not read"
    is_dealers = scene.record.signed.key == chain.standing.dealer_keys[deal.dealer]
    return "read" if is_dealers else "read, and does not count: signed with a former key"


def _final(archive: Archive, chain: Chain, scene: Scene) -> str:
    final = archive.final()
    return "read" if final and final.id == scene.record.id else "not read"


_READ: dict[str, Callable[[Archive, Chain, Scene], str]] = {
    "join": _join, "orders": _orders, "turn": _turn, "press": _press, "notice": _notice,
    "final": _final, "deal": _deal,
}  # fmt: skip


def ask_auditor(scene: Scene) -> str:
    """What the audit finds that it does not find without the record."""
    before = _findings(audit(Folder(scene.copy("before"))), scene)
    after = _findings(audit(Folder(scene.with_record("audit"))), scene)
    new, gone = _counted(after - before), _counted(before - after)
    return "; ".join([*new, *(f"no longer {one}" for one in gone)]) or "nothing"


def _counted(told: Counter[str]) -> list[str]:
    """The sentences, each once."""
    return [f"{n} × {one}" if n > 1 else one for one, n in sorted(told.items())]


def _findings(report: Report, scene: Scene) -> Counter[str]:
    found = [f"{one.grade}, {one.reason}: {sentence_of_finding(one)}" for one in report.findings]
    found = [_WORDS.sub("", scene.plain(one)) for one in found]
    found += ["waiting"] * report.waiting
    found += ["an invited join that turn 1 leaves out"] * len(report.left_out)
    found += ["a message"] * report.messages
    return Counter(found)


CALLERS = {"filer": ask_filer, "gate": ask_host, "reader": ask_reader, "audit": ask_auditor}
