"""Files changed, removed, exchanged, added: the audit names the file, or says it is nothing."""

import os
import shutil

import pytest

from pbem.files.disk import FileError, StorageError
from pbem.files.folder import Folder
from pbem.format.signed_file import sign
from pbem.game.archive import open_folder
from pbem.game.turn_maker import Advance
from pbem.records.read_record import make
from pbem.records.words import parse_words, words_of
from tests.attacks.forging import Forged, finding_of, first, one_broken, turn_path
from tests.attacks.played import key_of
from tests.shared import long, pairs


@pytest.fixture
def forged(finished, tmp_path):
    return Forged(finished, tmp_path)


def order_paths(forged, seat, count=2):
    """Files of accepted orders of a seat."""
    found = []
    for turn in forged.turns:
        for listed in turn.content.orders:
            if listed.seat == seat and listed.status == "accepted":
                digits = listed.id.hex()[:6]
                found += [p.relative_to(forged.root).as_posix()
                          for p in (forged.root / "orders").glob(f"*-{digits}.toml")]  # fmt: skip
    return found[:count]


def used(forged):
    joins = sorted(p.relative_to(forged.root).as_posix() for p in forged.root.glob("seats/*"))
    turns = [turn_path(1), turn_path(20), turn_path(len(forged.game.turns))]
    return ["game.toml", joins[1], order_paths(forged, "b")[1], *turns[1:], "final.toml"]


# ------------------------------------------------------------------ changed
@pytest.mark.long
def test_any_byte_of_any_used_record(forged):
    for path in used(forged):
        data = forged.read(path)
        for at in {7, len(data) // 2, len(data) - 200}:
            forged.write(path, data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            report = forged.audit()
            assert report.exit in (1, 3, 4, 6), (path, at)
            assert path in {f.path for f in report.broken}, (path, at)
        forged.write(path, data)
    assert forged.audit().exit == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize(("n", "cut"), pairs(range(6), [0, 100, -100, -1]))
def test_half_a_file(forged, n, cut):
    path = used(forged)[n]
    forged.write(path, forged.read(path)[:cut])
    report = forged.audit()
    assert path in {f.path for f in report.broken}
    assert report.exit == 4


MORE = [b"# hello\n", b"\n", b"x = 1\n", b"\xef\xbb\xbf", "twice"]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("n", "more"), pairs(range(6), MORE), ids=repr)
def test_anything_behind_the_signature(forged, n, more):
    path = used(forged)[n]
    data = forged.read(path)
    trailer = data[data.index(b"# -----BEGIN") :]
    forged.write(path, data + (trailer if more == "twice" else more))
    finding = forged.audit().broken[0]
    assert (finding.reason, finding.path) == ("trailer", path)


def test_a_signature_of_one_kind_is_none_of_another(forged):
    path = order_paths(forged, "b")[0]
    body = open_folder(Folder(forged.root)).folder.read(path)
    body = body[: body.index(b"# -----BEGIN")]
    forged.write(path, sign("join", body, key_of("Bo")).file)
    finding = forged.audit().broken[0]
    assert (finding.reason, finding.path) == ("field", path)


def test_a_turn_signed_again_by_another_key(forged):
    turn = forged.turns[19].content
    for name in ("Bo", "a stranger"):
        forged.write(turn_path(20), make(turn, key_of(name)).file)
        one_broken(forged.audit(), "key", turn_path(20))


# ------------------------------------------------------------------ removed
def test_a_turn_in_the_middle_is_missing(forged):
    (forged.root / turn_path(20)).unlink()
    finding = one_broken(forged.audit(), "parent", turn_path(20))
    assert "turn 20 is missing" in finding.sentence


def test_the_last_turn_is_missing_and_final_builds_on_it(forged):
    last = len(forged.game.turns)
    (forged.root / turn_path(last)).unlink()
    assert "final.toml" in one_broken(forged.audit(), "parent", turn_path(last)).sentence


def test_final_is_missing(forged):
    (forged.root / "final.toml").unlink()
    report = forged.audit()
    assert (report.exit, report.findings, report.over, report.proven) == (0, [], True, False)
    last = len(forged.game.turns)
    (forged.root / turn_path(last)).unlink()
    report = forged.audit()
    assert (report.exit, report.over) == (0, False)
    assert any(
        f"correct through turn {last - 1}, but not proven" in said for said in report.statement()
    )


def test_a_head_that_somebody_tells_shows_what_was_cut_off(forged):
    told = parse_words(" ".join(words_of(forged.game.heads[-1])))
    assert forged.audit(head=told).told == len(forged.game.turns)
    forged.cut(30)
    one_broken(forged.audit(head=told), "fork", turn_path(30))
    report = forged.audit(head=forged.game.heads[12][:16])
    assert (report.exit, report.told) == (0, 12)


def test_a_used_order_file_or_join_is_missing(forged):
    for path in [*order_paths(forged, "a", 1), used(forged)[1]]:
        data = forged.read(path)
        (forged.root / path).unlink()
        report = forged.audit()
        assert report.exit == 5
        assert path.rpartition("-")[2] in report.broken[0].path
        forged.write(path, data)


# ------------------------------------------------------------------ exchanged
def test_two_turns_swapped(forged):
    one, other = forged.read(turn_path(5)), forged.read(turn_path(6))
    forged.write(turn_path(5), other)
    forged.write(turn_path(6), one)
    report = forged.audit()
    assert [(f.reason, f.path) for f in report.broken] == [
        ("place", turn_path(5)),
        ("place", turn_path(6)),
    ]
    assert report.exit == 3


def test_orders_of_another_seat_or_turn_in_place_of_one(forged):
    (mine, later), (other, _) = order_paths(forged, "b"), order_paths(forged, "a")
    data = forged.read(mine)
    for wrong in (later, other):
        forged.write(mine, forged.read(wrong))
        one_broken(forged.audit(), "place", mine)
    forged.write(mine, data)
    assert forged.audit().exit == 0


@pytest.mark.long
def test_records_of_another_game_with_the_same_keys(forged, held):
    for path in ("game.toml", turn_path(3), "final.toml"):
        data = forged.read(path)
        forged.write(path, (held.root / path).read_bytes())
        assert forged.audit().exit in (1, 3, 4, 5, 6)
        assert path == "game.toml" or path in {f.path for f in forged.audit().broken}
        forged.write(path, data)


def test_a_copy_under_the_name_of_another_seat_is_nothing(forged):
    path = order_paths(forged, "b")[0]
    copied = path.replace("-b-", "-a-")
    forged.write(copied, forged.read(path))
    report = forged.audit()
    assert report.exit == 0
    assert [(f.grade, f.reason, f.path) for f in report.findings] == [("foreign", "place", copied)]


@pytest.mark.long
def test_the_same_digits_in_two_names_stop_nobody(forged):
    """Junk that looks like used orders does not hide them."""
    path = order_paths(forged, "b")[0]
    junk = "orders/0001-a-99-" + path.rpartition("-")[2]
    forged.write(junk, b"junk\n")
    report = forged.audit()
    assert report.exit == 0
    assert [(f.grade, f.path) for f in report.findings] == [("foreign", junk)]
    (forged.root / "final.toml").unlink()
    outcome = Advance(open_folder(Folder(forged.root)), forged.key, forged.game.now).run()
    assert [name.path for name, _ in outcome.write] == ["final.toml"]


# ------------------------------------------------------------------ added
LITTER = [
    "turns/0012 (1).toml", "turns/0012-DESKTOP-7.toml", "game (Bo's conflicted copy).toml",
    "orders/CON", "notes.txt", "turns/0012.toml.part", "orders/0003-b-1-ABCDEF.toml",
    "orders/0003-q-1-abcdef.toml", "turns/12.toml", "orders/0003-b-100-abcdef.toml",
]  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [*LITTER[:4], *long(LITTER[4:])])
def test_litter_is_a_note(forged, name):
    forged.write(name, b"whatever\n")
    report = forged.audit()
    assert report.exit == 0
    assert report.proven
    assert [(f.grade, f.path) for f in report.findings] == [("foreign", name)]


def test_a_conflict_copy_of_the_same_turn_is_a_note(forged):
    forged.write("turns/0012 (1).toml", forged.read(turn_path(12)))
    report = forged.audit()
    assert report.exit == 0
    assert [f.reason for f in report.findings] == ["seen"]


@pytest.mark.long
def test_a_conflict_copy_that_is_another_signed_turn_is_proof(forged, tmp_path):
    other = Forged(forged.game, tmp_path / "other")
    other.resign(12, time=other.turns[11].content.time + 1)
    for name in ("turns/0012 (1).toml", "an old one.toml"):
        forged.write(name, other.read(turn_path(12)))
        finding = one_broken(forged.audit(), "fork", name)
        assert finding.proof
        assert finding.culprit == "referee"
        assert turn_path(12) in finding.sentence
        (forged.root / name).unlink()


@pytest.mark.long
def test_final_in_the_place_of_a_turn_is_proof(forged):
    final = forged.read("final.toml")
    last = len(forged.game.turns)
    forged.cut(last - 1)
    forged.open_early()
    early = forged.read("final.toml")
    report = forged.audit()
    assert [(f.reason, f.path) for f in report.broken] == [("state", "final.toml")]
    forged.write(turn_path(last), forged.game.turns[-1].file)
    assert any(f.proof and f.path == "final.toml" for f in forged.audit().broken)
    forged.write("final.toml", final)
    forged.write("final (1).toml", early)
    assert one_broken(forged.audit(), "fork", "final (1).toml").proof


def test_links_are_not_followed(forged):
    path = forged.root / turn_path(7)
    moved = forged.root.parent / "elsewhere.toml"
    shutil.move(path, moved)
    os.symlink(moved, path)
    one_broken(forged.audit(), "file", turn_path(7))
    path.unlink()
    path.mkdir()
    one_broken(forged.audit(), "file", turn_path(7))


@pytest.mark.parametrize("path", ["../game.toml", "/etc/passwd", "turns/../game.toml", "game"])
def test_no_name_leads_out_of_the_folder(forged, path):
    with pytest.raises((FileError, StorageError)) as caught:
        Folder(forged.root).read(path)
    assert getattr(caught.value, "reason", "") == "name"


@pytest.mark.long
def test_orders_of_somebody_who_does_not_play(forged, mixed):
    """A stranger's signature, or that of a player whose join did not count, is foreign."""
    theirs = next(r for r in mixed.orders.values() if r.content.seat == "c")
    name = f"orders/0001-c-1-{theirs.id.hex()[:6]}.toml"
    forged.write(name, theirs.file)
    report = forged.audit()
    assert report.exit == 0
    assert [(f.grade, f.reason) for f in report.findings] == [("foreign", "key")]
    finding_path = report.findings[0].path
    assert finding_path == name
    assert not [f for f in report.findings if f.grade == "broken"]


@pytest.mark.long
# ------------------------------------------------------------------ final
def test_final_with_a_wrong_secret(forged):
    final = open_folder(Folder(forged.root)).final().content
    for change in ({"r_ref": b"\x11" * 32}, {"audit": b"\x11" * 32}):
        wrong = type(final)(**{**vars(final), **change})
        forged.write("final.toml", make(wrong, forged.key).file)
        finding = one_broken(forged.audit(), "commitment", "final.toml")
        assert finding.culprit == "referee"
        assert not forged.audit().proven


def test_contacts_stay_closed_after_final(finished):
    from pbem.format.canonical import RecordError
    from pbem.format.encrypted_box import box_key
    from pbem.format.keys import Secrets
    from pbem.records.charter import open_contact

    game_folder = open_folder(finished.folder)
    audit_secret = game_folder.final().content.audit
    for join in game_folder.joins().values():
        with pytest.raises(RecordError) as caught:
            open_contact(box_key(audit_secret, join.content.x25519, game_folder.game), join.content)
        assert caught.value.reason == "box"
        desk = Secrets(finished.referee.seed).desk(game_folder.charter.content.table)
        key = box_key(desk, join.content.x25519, game_folder.game)
        assert open_contact(key, join.content).startswith("mailto:")


def test_the_first_turn_that_is_needed_is_the_one_named(forged):
    for number in (1, 2):
        (forged.root / turn_path(number)).unlink()
    assert [f.path for f in forged.audit().broken] == [turn_path(1), turn_path(2)]
    assert first(forged.game.turns, lambda t: t.over) == len(forged.game.turns)
    assert finding_of(forged.audit(), "parent", turn_path(1)).turn == 1
