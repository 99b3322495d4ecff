"""Damaged game folders: an audit finds exactly what the table says, and accuses nobody else."""

import re
from dataclasses import replace

import pytest

from pbem.files.file_errors import FileError, StorageError
from pbem.files.game_folder import Folder
from pbem.format.encrypted_box import box_key
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.audit import audit
from pbem.judge.make_signed_records import make_orders
from pbem.judge.notice_kinds import Vote
from pbem.judge.records_of_game_folder import NoGameError
from pbem.records.game_id_and_chain_heads import first_head, game_id
from pbem.records.invite import door_key
from pbem.records.join import door_message, open_contact
from pbem.records.notice import SCORE
from pbem.records.read_and_sign_record import make
from pbem.records.twelve_words import parse_words, words_of
from tests.attacks.damage import JUNK, ROWS, Damaged, Row, finding_line
from tests.attacks.forging import one_broken, turn_path
from tests.kit.played_games import Played, advance_in, played_key
from tests.kit.record_files import archive_of, resigned
from tests.kit.refusals import refused_for
from tests.kit.selection import pairs


@pytest.fixture(scope="session")
def ended(tmp_path_factory):
    """Five turns, of which the last ends the game, as both agreed; then the final."""
    game = Played(tmp_path_factory.mktemp("ended") / "g").play(3)
    game.see(game.turn())
    for seat in "ab":
        game.say(seat, Vote(SCORE))
    return game.play()


@pytest.fixture(scope="session")
def unbegun(tmp_path_factory):
    """The joins are here, and the orders of the referee's seat for turn 1, which is not here."""
    game = Played(tmp_path_factory.mktemp("unbegun") / "g", plays=("a",))
    game.turn()
    (game.root / turn_path(1)).unlink()
    return game


@pytest.fixture(scope="session")
def playing(tmp_path_factory):
    """Four turns; the referee plays seat a."""
    return Played(tmp_path_factory.mktemp("playing") / "g", plays=("a",)).play(4)


@pytest.fixture(scope="session")
def deputised(tmp_path_factory):
    """Two turns of a game that Dee may take over; nobody has done so."""
    return Played(tmp_path_factory.mktemp("deputised") / "g", deputy=played_key("Dee")).play(2)


@pytest.fixture(scope="session")
def replaced(tmp_path_factory):
    """Turn 2 accepted orders number 3 of both seats."""
    game = Played(tmp_path_factory.mktemp("replaced") / "g").play(1)
    for player in game.seats.values():
        game.send(player.orders(player.lines(), 3))
    game.see(game.turn())
    return game


@pytest.fixture(scope="session")
def refused(tmp_path_factory):
    """Turn 2 refused orders number 5 of seat b."""
    game = Played(tmp_path_factory.mktemp("refused") / "g").play(1)
    game.send(game.seats["b"].orders(["play: nonsense"], 5))
    game.see(game.turn())
    return game


@pytest.fixture(scope="session")
def late(tmp_path_factory):
    """Turn 4 lists orders of seat b as late."""
    game = Played(tmp_path_factory.mktemp("late") / "g").play(3)
    game.send(make_orders(game.reader_at("b", 2), played_key("Bo"), ["food: [x]"], 9))
    game.ask()
    game.see(game.turn())
    return game


@pytest.mark.sample(40)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_an_audit_finds_exactly_what_the_table_says_of_each_damage(row: Row, request, tmp_path):
    damaged = Damaged(request.getfixturevalue(row.scene), tmp_path)
    for deed in row.do:
        deed(damaged)
    report = damaged.audit(witness=row.looks and row.looks(damaged))
    found = map(finding_line, report.findings)
    wanted = (line.format(*damaged.new) for line in row.finds)
    for line, pattern in zip(found, wanted, strict=True):
        assert re.fullmatch(re.escape(pattern).replace("…", ".*"), line), (line, pattern)
    assert report.exit == row.exit
    facts = row.facts or {}
    assert {name: getattr(report, name) for name in facts} == facts


# ------------------------------------------------------------------ every byte and every cut
USED = ("game.toml", "seats/b-*", "orders/0001-b-*", turn_path(2), turn_path(5), "final.toml")


@pytest.fixture
def damaged_end(ended, tmp_path):
    return Damaged(ended, tmp_path)


@pytest.mark.parametrize("path", USED)
def test_an_audit_notices_a_changed_byte_in_any_used_record(damaged_end, path):
    path = damaged_end.path(path)
    data = damaged_end.read(path)
    for at in {7, len(data) // 2, len(data) - 200}:
        damaged_end.write(path, data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        report = damaged_end.audit()
        assert report.exit in (1, 3, 4, 6), at
        assert path in {finding.path for finding in report.broken}, at
    damaged_end.write(path, data)
    assert damaged_end.audit().exit == 0


@pytest.mark.parametrize("path", USED)
def test_an_audit_notices_a_record_that_was_cut_short(damaged_end, path):
    path = damaged_end.path(path)
    data = damaged_end.read(path)
    for size in (0, 100, -100, -1):
        damaged_end.write(path, data[:size])
        report = damaged_end.audit()
        assert path in {finding.path for finding in report.broken}, size
        assert report.exit == 4


MORE = [b"# hello\n", b"\n", b"x = 1\n", b"\xef\xbb\xbf", "twice"]


@pytest.mark.parametrize(("path", "more"), pairs(USED, MORE), ids=repr)
def test_an_audit_notices_anything_appended_after_a_signature(damaged_end, path, more):
    path = damaged_end.path(path)
    data = damaged_end.read(path)
    damaged_end.write(
        path, data + (data[data.index(b"# -----BEGIN") :] if more == "twice" else more)
    )
    finding = damaged_end.audit().broken[0]
    assert (finding.reason, finding.path) == ("trailer", path)


# ------------------------------------------------------------------ words that were told
def test_an_audit_says_which_turn_has_the_told_words_or_that_none_has_them(forged_game, short):
    for number, head in enumerate(short.heads):
        report = forged_game.audit(head=head[:16])
        assert (report.told, report.exit) == (number, 0)
    report = forged_game.audit(head=bytes(16))
    assert report.told is None
    (finding,) = report.findings
    assert finding_line(finding) == (
        "broken turns/0004.toml: no turn in this folder has the words that you gave. Perhaps you "
        "misheard a word, or the other player has another game, or more turns than you. Ask for "
        "the number of their turn, and compare its words again. The words of turn 4 in this "
        "folder: "
        f"{' '.join(words_of(short.heads[4]))} [fork]"
    )


def test_the_words_of_the_last_turn_show_that_later_turns_were_cut_off(damaged_end):
    head = parse_words(" ".join(words_of(damaged_end.game.heads[-1])))
    assert damaged_end.audit(head=head).told == 5
    damaged_end.cut(3)
    one_broken(damaged_end.audit(head=head), "fork", turn_path(3))


# ------------------------------------------------------------------ what no row says
def test_of_two_versions_of_one_turn_the_audit_names_both(forged_game):
    right = forged_game.turns[2]
    other = resigned(right, forged_game.key, time=right.content.time + 1)
    forged_game.write("turns/0003 (1).toml", other.file)
    (finding,) = forged_game.audit().findings
    assert finding.sentence.endswith(
        f": {right.id.hex()[:6]} in {turn_path(3)}, and {other.id.hex()[:6]} in this file"
    )


def test_an_audit_where_there_is_no_game_says_so(tmp_path):
    with pytest.raises(NoGameError):
        audit(Folder(tmp_path / "none"))


def test_junk_with_the_digits_of_used_orders_does_not_keep_advance_from_them(damaged_end):
    """The referee can end the game all the same."""
    path = damaged_end.path("orders/0001-b-*")
    damaged_end.write("orders/0001-a-99-" + path[-11:], JUNK)
    (damaged_end.root / "final.toml").unlink()
    outcome = advance_in(damaged_end.root, damaged_end.game.now, damaged_end.key).run()
    assert [name.path for name, _ in outcome.new_records] == ["final.toml"]


def test_an_audit_does_not_read_links_and_folders(forged_game, monkeypatch):
    (forged_game.root / "turns" / "0009 (1)").mkdir()
    (forged_game.root / "link").symlink_to(turn_path(3))
    asked, read = [], Folder.read_stray
    monkeypatch.setattr(Folder, "read_stray", lambda *at: asked.append(at[1]) or read(*at))
    assert [finding.reason for finding in forged_game.audit().findings] == ["name", "name"]
    assert asked == []


@pytest.mark.parametrize("path", ["../game.toml", "/etc/passwd", "turns/../game.toml", "game"])
def test_no_path_of_a_record_leads_out_of_the_game_folder(forged_game, path):
    with pytest.raises((FileError, StorageError)) as caught:
        Folder(forged_game.root).read(path)
    assert getattr(caught.value, "reason", "") == "name"


def test_contact_details_stay_closed_after_the_final(ended):
    folder = archive_of(ended.folder)
    audit_secret, desk = folder.final().content.audit, Secrets(ended.referee.seed)
    desk_secret = desk.desk(folder.charter.content.table)
    for join in folder.joins().values():
        with refused_for("box"):
            open_contact(box_key(audit_secret, join.content.x25519, folder.game), join.content)
        key = box_key(desk_secret, join.content.x25519, folder.game)
        assert open_contact(key, join.content).startswith("mailto:")


def test_unknown_rules_are_not_blamed_on_the_turn_or_its_signer(short, forged_game):
    """A game that began with rules which are not here."""
    charter = resigned(short.charter, short.referee, version="99")
    game = game_id(charter.signed.body)
    place = {"game": game, "prev": first_head(game)}
    for folder in ("turns", "orders", "seats"):
        for path in (forged_game.root / folder).iterdir():
            path.unlink()
    ids = {}
    for seat, join in short.joins.items():
        door = door_key(short.invite_code(seat), seat)
        content = replace(join.content, **place)
        content = replace(content, door=door.sign(door_message(content)))
        record = make(content, short.seats[seat].key)
        forged_game.write(f"seats/{seat}-{record.id.hex()[:6]}.toml", record.file)
        ids[seat] = record.id
    forged_game.write("game.toml", charter.file)
    turn = replace(short.turns[0].content, **place, joins=ids)
    forged_game.write(turn_path(1), make(turn, short.referee).file)
    assert forged_game.found() == [("broken", "game.toml", "version", "", 1)]
    assert forged_game.audit().exit == 6
