"""Notices in a game's folder: which are found, which are new, and who may have signed them."""

import pytest

from pbem.files.file_errors import HOW_TO_GET, FileError
from pbem.files.game_folder import Folder
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import next_number
from pbem.judge.next_turn import wrong_maker_error
from pbem.judge.notice_kinds import Delay, NewKey, Vote, Vouch
from pbem.judge.record_fit_and_signer import named_keys
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.unlisted_notices import read_notice_files, unlisted_notices
from pbem.records.notice import DRAW, SCORE, Saying
from tests.kit.record_files import archive_of, record_path
from tests.kit.sample_records import EVE, fault_rows, sample
from tests.notices.people import standing_of_three, with_deputy, x25519

G = sample()
PROOF = bytes(64)
"""No rule looks at the notices here, so it need not be right."""
NEW, OTHER = (SigningKey(bytes([n]) * 32).public for n in (81, 82))


FIRST = "Thu 1970-01-08 00:16 UTC"
VOTE, WEEK = Vote(DRAW), 7 * 24 * 3600


def notice_in_sample(
    writer: str = "b", saying: Saying = VOTE, number: int = 1, turn: int = 1, key=G.bo
):
    return G.notice_by(writer, saying, key, turn=turn, number=number)


@pytest.fixture
def archive_with_notices(tmp_path):
    """The game's folder with these notices, and other files in their place."""
    root = tmp_path / "savannah"

    def with_(*records, **files: bytes) -> Archive:
        folder = Folder(root)
        for name, record in G.records.items():
            if not name.startswith(("notices", "final")) and not (root / name).exists():
                folder.create(name, record.file)
        (root / "notices").mkdir(exist_ok=True)
        for record in records:
            (root / record_path(record)).write_bytes(record.file)
        for name, data in files.items():
            (root / "notices" / f"{name[1:].replace('_', '-')}.toml").write_bytes(data)
        return archive_of(folder)

    return with_


# ------------------------------------------------------------------ one notice
def test_a_notice_is_found_by_its_id(archive_with_notices):
    one, two = notice_in_sample(), notice_in_sample(saying=Vote(SCORE), number=2)
    digits = one.id.hex()[:6]
    find = archive_with_notices(one, two).find_notice
    assert (find(one.id), find(two.id)) == (one, two)
    with pytest.raises(RecordError) as caught:
        find(bytes(32))
    assert (caught.value.reason, caught.value.sentence) == (
        "parent", f"the notice 000000 is missing from this folder: {HOW_TO_GET}",
    )  # fmt: skip
    junk = {f"_0001_a_1_{digits}": b"junk", f"_0001_b_1_{two.id.hex()[:6]}": b"junk"}
    assert archive_with_notices(one, **junk).find_notice(one.id) == one, (
        "the next file may be the right one"
    )
    path = f"notices/0001-b-1-{digits}.toml"
    (archive_with_notices().folder.root / path).unlink()
    with pytest.raises(FileError) as wrong:
        archive_with_notices().find_notice(one.id)
    assert wrong.value.path == f"notices/0001-a-1-{digits}.toml"


def test_a_notice_has_at_most_16384_bytes(archive_with_notices):
    for size, reason in ((16385, "size"), (16384, "trailer")):
        folder = archive_with_notices(_0001_b_1_abcdef=b"x" * size)
        with pytest.raises(FileError) as caught:
            folder.notice(folder.listing.notices[0])
        assert (caught.value.reason, caught.value.path) == (reason, "notices/0001-b-1-abcdef.toml")
        if reason == "size":
            assert caught.value.sentence == "this file has 16385 bytes; a notice has at most 16384"


# ------------------------------------------------------------------ new ones
def test_notices_that_no_turn_lists_are_new_whoever_signed_them(archive_with_notices):
    early, late = notice_in_sample(), notice_in_sample(number=3)
    forged = notice_in_sample("a", key=EVE)
    folder = archive_with_notices(late, early, forged, _0001_b_2_abcdef=b"junk")
    assert unlisted_notices(folder, ()) == [forged, early, late]
    assert unlisted_notices(folder, [early.id, bytes(32)]) == [forged, late]
    ((path, reason, _),) = fault_rows(folder)
    assert (path, reason) == ("notices/0001-b-2-abcdef.toml", "trailer")
    unlisted_notices(folder, ())
    assert len(folder.faults) == 1, "said once"


def test_eight_notices_of_a_writer_after_a_turn_count(archive_with_notices):
    def many(*places):
        return [
            notice_in_sample(w, Vote(DRAW if n < 9 else SCORE), n % 9 or 1, t) for n, w, t in places
        ]

    eight = many(*((n, "b", 1) for n in range(1, 9)))
    folder = archive_with_notices(*eight)
    assert (unlisted_notices(folder, ()), folder.faults) == (eight, {})
    others = [*many((1, "a", 1), (1, "b", 2)), notice_in_sample(saying=Vote(SCORE), number=8)]
    folder = archive_with_notices(*others)
    found = unlisted_notices(folder, ())
    assert (len(found), found[0], found[-1]) == (10, others[0], others[1])
    told = "there are too many notices: after each turn, pbem reads only 8 from the same writer"
    last = max(record_path(one) for one in (*eight, others[2]))
    assert fault_rows(folder) == [(last, "size", told)]
    unlisted_notices(folder, ())
    assert len(folder.faults) == 1
    assert len(unlisted_notices(folder, [eight[0].id])) == 10, "a listed one is not among the eight"


@pytest.mark.sample(0)
def test_of_many_files_that_are_no_notices_eight_are_named(archive_with_notices):
    junk = {f"_0001_b_1_{n:06x}": b"junk" for n in range(1500)}
    last = notice_in_sample(number=8)
    folder = archive_with_notices(last, **junk)
    for _ in range(2):
        assert unlisted_notices(folder, ()) == [last]
    names = [f"notices/0001-b-1-{n:06x}.toml" for n in range(9)]
    assert [path for path, _, _ in fault_rows(folder)] == names
    assert fault_rows(folder)[-1][1:] == (
        "trailer", "more files have the name of a notice, but are not notices: remove the files",
    )  # fmt: skip


def test_every_key_has_its_own_eight_and_strangers_have_eight_together(archive_with_notices):
    strangers = [SigningKey(bytes([n]) * 32) for n in range(101, 121)]
    forged = [notice_in_sample(saying=Delay(n + 1), key=key) for n, key in enumerate(strangers)]
    by_ann = [notice_in_sample(saying=Delay(n + 1), number=2, key=G.ann) for n in range(9)]
    bos = [notice_in_sample(number=n) for n in range(1, 9)]
    folder = archive_with_notices(*forged, *by_ann, *bos)
    signed = [record.signed.key for record in unlisted_notices(folder, ())]
    assert signed.count(G.bo.public) == 8
    assert signed.count(G.ann.public) == 8
    assert len(signed) == 8 * 3
    (fault,) = folder.faults
    assert fault.reason == "size"


def test_a_key_that_a_later_file_names_is_no_strangers(archive_with_notices):
    new = SigningKey(bytes([81]) * 32)
    forged = [notice_in_sample("a", Delay(n + 1), key=EVE) for n in range(20)]
    mine = [notice_in_sample("a", number=n, key=new) for n in range(1, 9)]
    named = notice_in_sample("b", Vouch("a", NEW, x25519(99)))
    found = unlisted_notices(archive_with_notices(*forged, *mine, named), ())
    assert [record for record in found if record.signed.key == NEW] == mine
    found = unlisted_notices(archive_with_notices(*forged, *mine), [named.id])
    assert [record for record in found if record.signed.key == NEW] == mine, "a turn lists it"
    folder = archive_of(archive_with_notices().folder)
    assert NEW in read_notice_files(folder, ()).keys
    by_eve = archive_with_notices(notice_in_sample("c", NewKey(OTHER, x25519(98), PROOF), key=EVE))
    assert OTHER not in read_notice_files(by_eve, ()).keys, "a stranger cannot bring a key in"


# ------------------------------------------------------------------ who may have signed
def test_notices_are_kept_if_signed_with_a_key_of_the_game_or_one_that_a_notice_names(
    archive_with_notices,
):
    new, vouched = NewKey(NEW, x25519(99), PROOF), Vouch("b", OTHER, x25519(98))
    folder = archive_with_notices(notice_in_sample(saying=new), notice_in_sample("a", vouched))
    recovery = G.join_b.content.recovery
    for key in (G.ann.public, G.bo.public, G.held.public, recovery, NEW, OTHER):
        assert key in read_notice_files(folder, ()).keys, key
    assert EVE.public not in read_notice_files(folder, ()).keys


def test_new_keys_are_found_by_the_seat_for_which_notices_name_them(archive_with_notices):
    keys = [SigningKey(bytes([n]) * 32).public for n in range(90, 94)]
    b, a, vouched, vote = (
        notice_in_sample(saying=NewKey(keys[0], x25519(99), PROOF)),
        notice_in_sample("a", NewKey(keys[1], x25519(98), PROOF)),
        notice_in_sample("a", Vouch("b", keys[2], x25519(97)), 2),
        notice_in_sample(number=2),
    )
    folder = archive_with_notices(b, a, vouched, vote)
    assert named_keys(folder, (), "b") == {keys[0], keys[2]}
    assert named_keys(folder, (), "a") == {keys[1]}
    assert named_keys(folder, (), "c") == set()


# ------------------------------------------------------------------ whose turn it is to make turns
@pytest.mark.parametrize(
    ("since", "now", "told"),
    [
        (0, 999 + WEEK, f"; if no turn has been made by {FIRST}, you can take over then"),
        (0, 1000 + WEEK, "; to take over now: pbem advance --take-over"),
        (3, 1000 + WEEK, "Dee has taken over and makes the turns now"),
    ],
)
def test_why_a_key_cannot_make_the_next_turn(since, now, told):
    error = wrong_maker_error(
        standing_of_three(with_deputy(), turn_due_at=1000, deputy_since=since), now
    )
    begin = "" if since else "you are the deputy, and Rhea makes the turns"
    assert (error.reason, error.sentence) == ("state", f"{begin}{told}")


# ------------------------------------------------------------------ the number of the next one
def test_the_number_of_the_next_notice():
    here = [
        notice_in_sample(number=3),
        notice_in_sample(number=1),
        notice_in_sample(number=5, turn=2),
        notice_in_sample("a", number=6),
    ]
    assert [next_number(here, 1, who) for who in ("b", "a", "c", "referee")] == [4, 7, 1, 1]
    assert next_number(here, 2, "b") == 6
    assert next_number([], 1, "b") == 1
    assert next_number([notice_in_sample(number=7)], 1, "b") == 8
    with pytest.raises(RecordError) as caught:
        next_number([notice_in_sample(number=8)], 1, "b")
    assert (caught.value.reason, caught.value.sentence) == (
        "state",
        "you have written 8 notices since turn 1, and can write no more before the next turn",
    )
