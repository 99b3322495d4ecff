"""The parts of dealers that come by mail: what is filed, what waits, what is refused."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.files.game_folder import Folder
from pbem.files.game_folder_places import DiskPlace
from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key
from pbem.judge.audit import audit
from pbem.judge.read_and_check_record_file import file_name
from pbem.mail.find_game_by_id import Places
from pbem.mail.record_filing import RecordFiler
from pbem.mail.take_records_from_mail import Receiving
from pbem.mail.unsent_records import UnsentRecords
from pbem.mail.write_and_describe_bundle import describe_records, format_bundle
from pbem.records.deal_record import Deal
from pbem.records.read_and_sign_record import Record, make
from pbem.records.record_count_and_size_limits import MAX_DEALS
from tests.host.written_records import in_time
from tests.kit.dealers_games import DealersGame
from tests.kit.people import Round, output_of
from tests.kit.played_games import copied_folder, played_key
from tests.kit.record_files import archive_of, put_record, record_path
from tests.mail.filed_records import refusal_of

STRANGER = played_key("a stranger")


@pytest.fixture(scope="module")
def mailed_game(tmp_path_factory: pytest.TempPathFactory) -> DealersGame:
    """A finished game with one co-dealer."""
    game = DealersGame(tmp_path_factory.mktemp("dealers") / "game", options={"together": "yes"})
    game.play()
    assert game.over
    return game


def deal_after(mailed_game: DealersGame, turn: int) -> Record[Deal]:
    (deal,) = (deal for deal in mailed_game.deals.values() if deal.content.turn == turn)
    return deal


def filer_before(mailed_game: DealersGame, root: Path, deal: Record[Deal]) -> RecordFiler:
    """A filer in a folder that has all records that can have been written before this deal."""
    filer = RecordFiler(Folder(root / "savannah"), mailed_game.charter)
    for record in in_time(mailed_game.root)[1:]:
        if record.id == deal.id:
            break
        put_record(filer.folder, record)
    return RecordFiler(filer.folder)


def changed_deal(deal: Record[Deal], number: int, key=None, **fields: object) -> Record[Deal]:
    """The deal with another mix that proves nothing, or with other fields."""
    mix = deal.content.mix
    assert mix is not None
    mix = replace(mix, proof=number.to_bytes(32, "big") + mix.proof[32:])
    return make(replace(deal.content, mix=mix, **fields), key or played_key("co-dealer 0"))


# ------------------------------------------------------------------ bundles


@pytest.mark.sample(0)
def test_a_bundle_has_everything_that_a_player_needs(mailed_game, tmp_path):
    """Filed in any order, it makes a folder that proves the same."""
    records = UnsentRecords(archive_of(mailed_game.folder)).of_seat("b", includes_all=True)
    deals = [record for record in records if isinstance(record.content, Deal)]
    assert {deal.id for deal in deals} == {*mailed_game.deals}
    assert f"{len(deals)} sets of dealt cards" in describe_records(records)
    place = DiskPlace(tmp_path / "here")
    receiving = Receiving(Places(Home(tmp_path / "home"), tmp_path, place))
    receiving.open(format_bundle(reversed(records), "all").encode(), "a mail")
    receiving.file_all()
    assert (receiving.refusals, receiving.broken) == ([], False)
    report = audit(Folder(tmp_path / "here"))
    assert (report.findings, report.final, report.exit) == ([], True, 0)


@pytest.mark.sample(0)
def test_a_player_gets_the_deals_since_the_last_orders(mailed_game, tmp_path):
    missing = UnsentRecords(archive_of(mailed_game.folder))
    confirmed = missing.confirmed("b")
    assert confirmed > 2
    deals = [r.content for r in missing.of_seat("b") if isinstance(r.content, Deal)]
    assert {deal.turn for deal in deals} == {
        deal.content.turn for deal in mailed_game.deals.values() if deal.content.turn >= confirmed
    }


# ------------------------------------------------------------------ one record


@pytest.mark.sample(0)
def test_a_deal_waits_for_its_turn(mailed_game: DealersGame, tmp_path: Path) -> None:
    deal = deal_after(mailed_game, 1)
    filer = filer_before(mailed_game, tmp_path, deal)
    (tmp_path / "savannah" / "turns" / "0001.toml").unlink()
    filer = RecordFiler(filer.folder)
    sentence = "the file with the cards that Host 0 dealt was written after turn 1, and is waiting"
    reason, words = refusal_of(filer, deal)
    assert (reason, words.startswith(sentence)) == ("parent", True), words
    assert filer.knows(deal.signed.key), "so there is room for it"
    assert not filer.knows(STRANGER.public)
    filer.file_record(mailed_game.turns[0])
    filer.file_record(deal)
    assert filer.new_records == [mailed_game.turns[0], deal]


@pytest.mark.sample(0)
def test_a_forged_deal_is_refused(mailed_game: DealersGame, tmp_path: Path) -> None:
    deal = deal_after(mailed_game, 1)
    filer = filer_before(mailed_game, tmp_path, deal)
    for key in (STRANGER, mailed_game.referee, played_key("Ann")):
        reason, words = refusal_of(filer, changed_deal(deal, 1, key))
        assert (reason, "not signed by this dealer" in words) == ("key", True), words
    other = refusal_of(filer, changed_deal(deal, 1, prev=bytes(32)))
    assert (other[0], "follows a version of turn 1 that differs" in other[1]) == ("fork", True)
    no_dealer = refusal_of(filer, changed_deal(deal, 1, dealer=1))
    assert (no_dealer[0], "dealer 1" in no_dealer[1]) == ("key", True), no_dealer


@pytest.mark.sample(0)
def test_a_dealer_s_flood_is_refused(mailed_game: DealersGame, tmp_path: Path) -> None:
    """And after the next turn, each part that this turn does not list."""
    deal = deal_after(mailed_game, 1)
    filer = filer_before(mailed_game, tmp_path, deal)
    for number in range(MAX_DEALS):
        filer.file_record(changed_deal(deal, number))
    reason, words = refusal_of(filer, changed_deal(deal, MAX_DEALS))
    assert (reason, f"already has {MAX_DEALS} files of this dealer" in words) == ("state", True)
    put_record(filer.folder, mailed_game.turns[1])
    filer = RecordFiler(filer.folder)
    filer.file_record(deal)  # the turn lists it, so it comes in
    assert deal in filer.new_records
    reason, words = refusal_of(filer, changed_deal(deal, MAX_DEALS))
    assert (reason, "turn 2 was made without the file" in words) == ("state", True), words


# ------------------------------------------------------------------ what is missing or damaged


def without_deal(mailed_game: DealersGame, root: Path, turn: int) -> tuple[Path, Path]:
    """A copy of the game up to this turn, and where the deal lay that its last turn lists."""
    here = copied_folder(mailed_game.root, root / "copy")
    (here / "final.toml").unlink()
    for path in [*here.glob("*/0*.toml")]:
        if int(path.name[:4]) > turn - (path.parent.name == "deals"):
            path.unlink()
    return here, here / record_path(mailed_game.deals[mailed_game.turns[turn - 1].content.deals[0]])


@pytest.mark.sample(0)
def test_a_missing_deal_is_named(mailed_game: DealersGame, table: Round, tmp_path: Path) -> None:
    """By the audit, by those who read the game, and by `receive`; `pbem send --all` mends it."""
    here, path = without_deal(mailed_game, tmp_path, 3)
    data = path.read_bytes()
    path.unlink()
    digits = path.stem[-6:]
    (finding,) = audit(Folder(here)).broken
    assert (finding.reason, finding.path) == ("parent", f"deals/*-{digits}.toml")
    assert "is missing, although turn 3 lists it: " in finding.sentence
    ann = table.person("ann")
    Home(ann.home).write_key("savannah", write_key(played_key("Ann")))
    said = ann.pbem(f"status -C {here}")
    assert said.exit
    assert f"deals/*-{digits}.toml: this dealer's file is missing" in said.text
    assert "ask somebody in the game to run pbem send --all" in said.text
    notes = RecordFiler(Folder(here)).notes()
    assert [
        note[1].startswith(f"missing: the file {digits} of a dealer, which turn 3")
        for note in notes
    ]
    whole, _ = without_deal(mailed_game, tmp_path / "other", 3)
    output_of(ann, f"send --all --to b -C {whole} -o {tmp_path}/all.pbem")
    output_of(ann, f"receive {tmp_path}/all.pbem -C {here}")
    assert path.read_bytes() == data
    assert audit(Folder(here)).broken == []


@pytest.mark.sample(0)
def test_a_damaged_deal_is_named(mailed_game: DealersGame, tmp_path: Path) -> None:
    """And a good file with the same digits is found behind it."""
    here, path = without_deal(mailed_game, tmp_path, 3)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"dealer = 0", b"dealer = 1"))
    (finding,) = audit(Folder(here)).broken
    assert finding.path == file_name(deal_after(mailed_game, 2)).path
    path.write_bytes(data)
    other = path.with_name(path.name.replace("-0-", "-1-"))
    shutil.copyfile(path, other)
    assert archive_of(Folder(here)).find_deal(deal_after(mailed_game, 2).id)


@pytest.mark.sample(0)
def test_what_is_no_part_of_a_dealer_is_a_fault(mailed_game: DealersGame, tmp_path: Path) -> None:
    here, path = without_deal(mailed_game, tmp_path, 3)
    deal = deal_after(mailed_game, 2)
    archive = archive_of(Folder(here))
    assert archive.deals_after(2) == [deal]
    assert archive.faults == {}
    for number in range(9):
        forged = changed_deal(
            deal_after(mailed_game, 1), number, STRANGER, turn=2, prev=mailed_game.heads[2]
        )
        put_record(Folder(here), forged)
    path.with_name("0002-0-000000.toml").write_bytes(b"junk")
    archive = archive_of(Folder(here))
    assert archive.deals_after(2) == [deal]
    assert len(archive.faults) == MAX_DEALS
    for number in range(10, 19):
        put_record(
            Folder(here),
            changed_deal(deal_after(mailed_game, 1), number, turn=2, prev=mailed_game.heads[2]),
        )
    archive = archive_of(Folder(here))
    assert len(archive.deals_after(2)) == MAX_DEALS


def test_a_co_dealer_is_reached_by_mail_alone(table: Round, tmp_path: Path) -> None:
    """Hal never sees the folder of the others: bundles bring him turns, and his parts to Rhea."""
    rhea, hal, ann, bo = (table.person(name) for name in ("rhea", "hal", "ann", "bo"))
    line = re.search(r"co-dealer:\S+", output_of(hal, "keys co-dealer"))
    assert line
    made = output_of(rhea, f"new savannah --players Ann,Bo --co-dealer Hal={line[0]}")
    place, copy = table.shared / "savannah", tmp_path / "at-hal"
    for name, invite in re.findall(r"(\w+):  pbem join .*--invite (\S+)", made):
        output_of(table.person(name.lower()), f"join -C {place} --invite {invite}")
    for leg in range(3):
        output_of(bo, f"send --all --to a -C {place} -o {tmp_path}/to-hal-{leg}.pbem")
        output_of(hal, f"receive {tmp_path}/to-hal-{leg}.pbem -C {copy}")
        output_of(hal, f"advance -C {copy}")
        output_of(hal, f"send -C {copy} -o {tmp_path}/to-rhea-{leg}.pbem")
        assert "1 set of dealt cards" in output_of(
            rhea, f"receive {tmp_path}/to-rhea-{leg}.pbem -C {place}"
        )
        said = rhea.pbem(f"advance -C {place}")
        assert f"turns/{leg + 1:04}.toml" in said.text, said.text
    assert len([*place.glob("deals/*")]) == 3
    assert "already sent" in hal.pbem(f"send -C {copy}").text
    assert "food" in output_of(ann, f"status -C {place}")
