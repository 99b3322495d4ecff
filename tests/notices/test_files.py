"""Notices in a game's folder: which are found, which are new, and who may have signed them."""

import pytest

from pbem.files.disk import HOW_TO_GET, FileError
from pbem.files.folder import Folder
from pbem.format.canonical import RecordError
from pbem.format.keys import SigningKey
from pbem.judge.admission import named_keys
from pbem.judge.archive import Archive, open_folder
from pbem.judge.next_notices import make_notice, next_number, not_yours
from pbem.judge.notice_files import new_notices, read_new
from pbem.judge.notice_kinds import Delay, NewKey, Vote, Vouch
from pbem.judge.record_files import file_name
from pbem.records.notice import DRAW, SCORE, Saying
from tests.kit.sample_records import EVE, sample
from tests.notices.people import standing, with_deputy, x25519

G = sample()
PROOF = bytes(64)
"""No rule looks at the notices here, so it need not be right."""
NEW, OTHER = (SigningKey(bytes([n]) * 32).public for n in (81, 82))


FIRST = "Thu 1970-01-08 00:16 UTC"
VOTE, WEEK = Vote(DRAW), 7 * 24 * 3600


def notice(writer: str = "b", saying: Saying = VOTE, number: int = 1, turn: int = 1, key=G.bo):
    return make_notice((G.game, turn, G.heads[turn]), writer, number, saying, key)


@pytest.fixture
def opened(tmp_path):
    """The game's folder with these notices, and other files in their place."""
    root = tmp_path / "savannah"

    def with_(*records, **files: bytes) -> Archive:
        folder = Folder(root)
        for name, record in G.records.items():
            if not name.startswith(("notices", "final")) and not (root / name).exists():
                folder.create(name, record.file)
        (root / "notices").mkdir(exist_ok=True)
        for record in records:
            (root / file_name(record).path).write_bytes(record.file)
        for name, data in files.items():
            (root / "notices" / f"{name[1:].replace('_', '-')}.toml").write_bytes(data)
        return open_folder(folder)

    return with_


def faults(folder: Archive) -> list[tuple[str, str, str]]:
    return [(fault.path, fault.reason, fault.sentence) for fault in folder.faults]


# ------------------------------------------------------------------ one notice
def test_a_notice_is_found_by_its_id(opened):
    one, two = notice(), notice(saying=Vote(SCORE), number=2)
    digits = one.id.hex()[:6]
    find = opened(one, two).find_notice
    assert (find(one.id), find(two.id)) == (one, two)
    with pytest.raises(RecordError) as caught:
        find(bytes(32))
    assert (caught.value.reason, caught.value.sentence) == (
        "parent", f"the notice 000000 is not here: {HOW_TO_GET}",
    )  # fmt: skip
    junk = {f"_0001_a_1_{digits}": b"junk", f"_0001_b_1_{two.id.hex()[:6]}": b"junk"}
    assert opened(one, **junk).find_notice(one.id) == one, "the next file may be the right one"
    path = f"notices/0001-b-1-{digits}.toml"
    (opened().folder.root / path).unlink()
    with pytest.raises(FileError) as wrong:
        opened().find_notice(one.id)
    assert wrong.value.path == f"notices/0001-a-1-{digits}.toml"


def test_a_notice_has_at_most_16384_bytes(opened):
    for size, reason in ((16385, "size"), (16384, "trailer")):
        folder = opened(_0001_b_1_abcdef=b"x" * size)
        with pytest.raises(FileError) as caught:
            folder.notice(folder.listing.notices[0])
        assert (caught.value.reason, caught.value.path) == (reason, "notices/0001-b-1-abcdef.toml")
        if reason == "size":
            assert caught.value.sentence == "16385 bytes; a notice has at most 16384"


# ------------------------------------------------------------------ new ones
def test_notices_that_no_turn_lists_are_new_whoever_signed_them(opened):
    early, late = notice(), notice(number=3)
    forged = notice("a", key=EVE)
    folder = opened(late, early, forged, _0001_b_2_abcdef=b"junk")
    assert new_notices(folder, ()) == [forged, early, late]
    assert new_notices(folder, [early.id, bytes(32)]) == [forged, late]
    ((path, reason, _),) = faults(folder)
    assert (path, reason) == ("notices/0001-b-2-abcdef.toml", "trailer")
    new_notices(folder, ())
    assert len(folder.faults) == 1, "said once"


def test_eight_notices_of_a_writer_after_a_turn_count(opened):
    def many(*places):
        return [notice(w, Vote(DRAW if n < 9 else SCORE), n % 9 or 1, t) for n, w, t in places]

    eight = many(*((n, "b", 1) for n in range(1, 9)))
    folder = opened(*eight)
    assert (new_notices(folder, ()), folder.faults) == (eight, {})
    others = [*many((1, "a", 1), (1, "b", 2)), notice(saying=Vote(SCORE), number=8)]
    folder = opened(*others)
    found = new_notices(folder, ())
    assert (len(found), found[0], found[-1]) == (10, others[0], others[1])
    told = "there are too many notices: after each turn, only 8 from the same writer count"
    last = max(file_name(one).path for one in (*eight, others[2]))
    assert faults(folder) == [(last, "size", told)]
    new_notices(folder, ())
    assert len(folder.faults) == 1
    assert len(new_notices(folder, [eight[0].id])) == 10, "a listed one is not among the eight"


def test_of_many_files_that_are_no_notices_eight_are_named(opened):
    junk = {f"_0001_b_1_{n:06x}": b"junk" for n in range(1500)}
    last = notice(number=8)
    folder = opened(last, **junk)
    for _ in range(2):
        assert new_notices(folder, ()) == [last]
    names = [f"notices/0001-b-1-{n:06x}.toml" for n in range(9)]
    assert [path for path, _, _ in faults(folder)] == names
    assert faults(folder)[-1][1:] == (
        "trailer", "more files with names like this are not notices: remove them",
    )  # fmt: skip


def test_every_key_has_its_own_eight_and_strangers_have_eight_together(opened):
    strangers = [SigningKey(bytes([n]) * 32) for n in range(101, 121)]
    forged = [notice(saying=Delay(n + 1), key=key) for n, key in enumerate(strangers)]
    by_ann = [notice(saying=Delay(n + 1), number=2, key=G.ann) for n in range(9)]
    bos = [notice(number=n) for n in range(1, 9)]
    folder = opened(*forged, *by_ann, *bos)
    signed = [record.signed.key for record in new_notices(folder, ())]
    assert signed.count(G.bo.public) == 8
    assert signed.count(G.ann.public) == 8
    assert len(signed) == 8 * 3
    (fault,) = folder.faults
    assert fault.reason == "size"


def test_a_key_that_a_later_file_names_is_no_strangers(opened):
    new = SigningKey(bytes([81]) * 32)
    forged = [notice("a", Delay(n + 1), key=EVE) for n in range(20)]
    mine = [notice("a", number=n, key=new) for n in range(1, 9)]
    named = notice("b", Vouch("a", NEW, x25519(99)))
    found = new_notices(opened(*forged, *mine, named), ())
    assert [record for record in found if record.signed.key == NEW] == mine
    found = new_notices(opened(*forged, *mine), [named.id])
    assert [record for record in found if record.signed.key == NEW] == mine, "a turn lists it"
    folder = opened_again(opened())
    assert NEW in read_new(folder, ()).keys
    by_eve = opened(notice("c", NewKey(OTHER, x25519(98), PROOF), key=EVE))
    assert OTHER not in read_new(by_eve, ()).keys, "a stranger cannot bring a key in"


# ------------------------------------------------------------------ who may have signed
def test_whose_notices_are_worth_keeping(opened):
    new, vouched = NewKey(NEW, x25519(99), PROOF), Vouch("b", OTHER, x25519(98))
    folder = opened(notice(saying=new), notice("a", vouched))
    recovery = G.join_b.content.recovery
    for key in (G.ann.public, G.bo.public, G.held.public, recovery, NEW, OTHER):
        assert key in read_new(folder, ()).keys, key
    assert EVE.public not in read_new(folder, ()).keys


def opened_again(folder: Archive) -> Archive:
    return open_folder(folder.folder)


def test_the_keys_that_notices_name_for_a_seat(opened):
    keys = [SigningKey(bytes([n]) * 32).public for n in range(90, 94)]
    b, a, vouched, vote = (
        notice(saying=NewKey(keys[0], x25519(99), PROOF)),
        notice("a", NewKey(keys[1], x25519(98), PROOF)),
        notice("a", Vouch("b", keys[2], x25519(97)), 2),
        notice(number=2),
    )
    folder = opened(b, a, vouched, vote)
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
    error = not_yours(standing(with_deputy(), quiet_since=1000, deputy_since=since), now)
    begin = "" if since else "you are the deputy, and Rhea makes the turns"
    assert (error.reason, error.sentence) == ("state", f"{begin}{told}")


# ------------------------------------------------------------------ the number of the next one
def test_the_number_of_the_next_notice():
    here = [notice(number=3), notice(number=1), notice(number=5, turn=2), notice("a", number=6)]
    assert [next_number(here, 1, who) for who in ("b", "a", "c", "referee")] == [4, 7, 1, 1]
    assert next_number(here, 2, "b") == 6
    assert next_number([], 1, "b") == 1
    assert next_number([notice(number=7)], 1, "b") == 8
    with pytest.raises(RecordError) as caught:
        next_number([notice(number=8)], 1, "b")
    assert (caught.value.reason, caught.value.sentence) == (
        "state", "you have written 8 notices since turn 1, the most allowed",
    )  # fmt: skip
