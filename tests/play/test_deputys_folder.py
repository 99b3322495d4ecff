"""A folder in which the deputy took over: from which turn on whose signature counts."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pbem.files.file_errors import FileError, StorageError
from pbem.files.game_folder import Folder
from pbem.format.record_error import RecordError
from pbem.judge.folder_contents import Archive
from pbem.judge.notice_kinds import HandOver, Vote
from pbem.judge.signing import make_notice
from pbem.judge.which_notices_count import row_of
from pbem.mail.filing import RecordFiler
from pbem.records.ids_and_heads import first_head, game_id, next_head
from pbem.records.notice import DRAW
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import ListedOrders, Turn, sort_sets
from tests.kit.record_files import archive_of, record_path, resigned
from tests.notices.people import KEYS, REF, G, with_deputy

DEE = KEYS["dee"]
WEEK = 7 * 24 * 3600
CHARTER = make(with_deputy(), REF)
GAME = game_id(CHARTER.signed.body)
JOIN = resigned(G.join_b, G.bo, game=GAME, prev=first_head(GAME))
FIRST = resigned(G.turn1, REF, game=GAME, prev=first_head(GAME))
HEAD = next_head(first_head(GAME), FIRST.id)
LATE = FIRST.content.deadline + WEEK


def saying(by: str, number: int = 1) -> Record:
    """The notice with which the referee hands the game over, or the deputy takes it."""
    key = REF if by == "referee" else DEE
    return make_notice((GAME, 1, HEAD), "referee", number, HandOver(by), key)


HANDED, TAKEN = saying("referee"), saying("deputy")


def signed_turn(number: int, *notices: Record, key=DEE, time: int = LATE) -> Record[Turn]:
    rows = tuple(row_of(notice) for notice in notices)
    content = replace(G.turn2.content, game=GAME, turn=number, prev=HEAD, time=time, notices=rows)
    return make(sort_sets(content), key)


@pytest.fixture
def deputys_archive(tmp_path):
    def with_(turns: Mapping[int, Record], *notices: Record, **files: bytes) -> Archive:
        root = tmp_path / "savannah"
        for folder in ("turns", "notices"):
            (root / folder).mkdir(parents=True, exist_ok=True)
            for path in (root / folder).iterdir():
                path.unlink()
        (root / "game.toml").write_bytes(CHARTER.file)
        for number, record in turns.items():
            (root / f"turns/{number:04}.toml").write_bytes(record.file)
        for notice in notices:
            (root / record_path(notice)).write_bytes(notice.file)
        for name, data in files.items():
            (root / f"{name}.toml").write_bytes(data)
        return archive_of(root)

    return with_


def test_from_the_turn_that_hands_over_the_deputy_signs_and_before_it_the_referee(deputys_archive):
    second, third = signed_turn(2, HANDED), signed_turn(3)
    folder = deputys_archive({1: FIRST, 2: second, 3: third}, HANDED)
    assert folder.deputy_since == 2
    assert list(folder.turns()) == [FIRST, second, third]
    assert (folder.stray_files, folder.faults) == ((), {})
    right = {1: FIRST, 2: second, 3: third}
    for number in (1, 3):
        other = resigned(right[number], DEE if number == 1 else REF)
        folder = deputys_archive({**right, number: other}, HANDED)
        told = (
            "Dee, the deputy, signed this file as turn 1, but only Rhea, the referee, may make "
            "turn 1"
        )
        if number == 3:
            told = (
                "Rhea, the referee, signed this file as turn 3, but Dee, the deputy, has made "
                "the turns "
            )
            told += "since turn 2"
        with pytest.raises(FileError) as caught:
            folder.turn(folder.complete_listing.turns[number - 1])
        assert caught.value.path == f"turns/{number:04}.toml"
        assert caught.value.sentence.startswith(f"{told}; pbem advance")
    own = resigned(second, REF)
    folder = deputys_archive({**right, 2: own}, HANDED)
    assert (folder.deputy_since, list(folder.turns())) == (0, [FIRST, own]), "nobody has taken over"
    folder = deputys_archive({**right, 2: own}, HANDED, **{"turns/0002 (conflict)": second.file})
    assert (folder.deputy_since, folder.maker(2).name) == (2, "Dee"), "the name decides nothing"


def test_without_the_hand_over_the_deputy_signs_nothing(deputys_archive):
    second = signed_turn(2, HANDED)
    vote = make_notice((GAME, 1, HEAD), "b", 1, Vote(DRAW), KEYS["b"])
    stranger = replace(HANDED.content, number=2)
    for taking, notices in (
        (second, ()),
        (second, (vote,)),
        (signed_turn(2, vote), (HANDED, vote)),
        (signed_turn(2), (HANDED,)),
        (second, (make(stranger, DEE),)),
        (signed_turn(2, saying("referee", 2)), (HANDED,)),
        (signed_turn(2, HANDED, key=KEYS["b"]), (HANDED,)),
    ):
        folder = deputys_archive({1: FIRST, 2: taking}, *notices)
        assert folder.deputy_since == 0
        assert list(folder.turns()) == [FIRST]
        assert [stray.path for stray in folder.stray_files] == ["turns/0002.toml"]


def test_the_deputy_takes_over_only_after_the_silence_that_the_turn_before_shows(deputys_archive):
    for time, since in ((LATE, 2), (LATE - 1, 0)):
        folder = deputys_archive({1: FIRST, 2: signed_turn(2, TAKEN, time=time)}, TAKEN)
        assert folder.deputy_since == since
    ahead = signed_turn(3, TAKEN, time=LATE + WEEK)
    folder = deputys_archive({1: FIRST, 3: ahead}, TAKEN)
    assert folder.deputy_since == 0, "turn 2 is not here, so nothing shows that the time is over"
    assert [stray.path for stray in folder.stray_files] == ["turns/0003.toml"]
    quiet = resigned(FIRST, REF, deadline=0)
    head = next_head(first_head(GAME), quiet.id)
    taken = make_notice((GAME, 1, head), "referee", 1, HandOver("deputy"), DEE)
    for more, since in ((WEEK, 2), (WEEK - 1, 0)):
        late = quiet.content.time + more
        second = resigned(signed_turn(2, taken, time=late), DEE, prev=head)
        assert deputys_archive({1: quiet, 2: second}, taken).deputy_since == since


def test_a_hand_over_counts_in_the_next_turn_only(deputys_archive):
    """Somebody could keep an old one, and hand the game over later."""
    second = resigned(signed_turn(2), REF, time=LATE)
    head = next_head(HEAD, second.id)
    for notice, since in (
        (HANDED, 0),
        (make_notice((GAME, 2, HEAD), "referee", 1, HandOver("referee"), REF), 0),
        (make_notice((GAME, 2, head), "referee", 1, HandOver("referee"), REF), 3),
    ):
        third = resigned(signed_turn(3, notice), DEE, prev=head)
        assert deputys_archive({1: FIRST, 2: second, 3: third}, notice).deputy_since == since


def test_a_hand_over_after_another_turn_than_the_one_that_is_here_counts_for_nothing(
    deputys_archive,
):
    notice = make_notice((GAME, 1, bytes(32)), "referee", 1, HandOver("referee"), REF)
    second = resigned(signed_turn(2, notice), DEE, prev=bytes(32))
    assert deputys_archive({1: FIRST, 2: second}, notice).deputy_since == 0


@pytest.mark.parametrize(
    ("answers", "status", "signer", "since"),
    [
        ("own", "accepted", G.bo, 0), ("first", "accepted", G.bo, 2),
        ("own", "refused", G.bo, 2), ("own", "accepted", DEE, 2),
    ],
)  # fmt: skip
def test_players_who_went_on_with_the_referees_turn_show_that_nobody_took_over(
    deputys_archive, tmp_path, answers, status, signer, since
):
    """Both made a turn 2, and the referee's turn 3 lists Bo's answer to the referee's turn 2."""
    first = resigned(FIRST, REF, joins={**FIRST.content.joins, "b": JOIN.id})
    head = next_head(first_head(GAME), first.id)
    handed = make_notice((GAME, 1, head), "referee", 1, HandOver("referee"), REF)
    taking = resigned(signed_turn(2, handed), DEE, prev=head)
    own = resigned(signed_turn(2), REF, prev=head)
    heads = {"own": next_head(head, own.id), "first": head}
    number = {"own": 2, "first": 1}[answers]
    said = replace(G.orders1.content, game=GAME, turn=number, prev=heads[answers])
    orders = make(said, signer)
    row = ListedOrders(orders.id, "b", status, "rule" if status == "refused" else "")
    third = resigned(signed_turn(3), REF, prev=heads["own"], orders=(row,))
    for record in (JOIN, orders):
        path = tmp_path / "savannah" / record_path(record)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(record.file)
    more = {"turns/0002 (1)": own.file}
    assert deputys_archive({1: first, 2: taking, 3: third}, handed, **more).deputy_since == since


def test_a_file_that_cannot_be_read_hides_no_notice_and_no_turn(deputys_archive, monkeypatch):
    name = record_path(HANDED).removesuffix(".toml")
    junk = {name.replace("-1-", f"-{number}-"): b"junk\n" for number in (2, 3)}
    second = signed_turn(2, HANDED)
    assert deputys_archive({1: FIRST, 2: second}, HANDED, **junk).deputy_since == 2
    folder = deputys_archive(
        {1: FIRST}, HANDED, **{"turns/0002 (1)": second.file, "turns/0002 (2)": b"x"}
    )
    read = Folder.read_stray

    def failing(self, path):
        if "(2)" in path:
            raise StorageError(path, "is away")
        return read(self, path)

    monkeypatch.setattr(Folder, "read_stray", failing)
    assert folder.deputy_since == 2


def test_one_good_notice_among_others_is_enough(deputys_archive):
    vote = make_notice((GAME, 1, HEAD), "b", 1, Vote(DRAW), KEYS["b"])
    folder = deputys_archive(
        {1: FIRST, 2: signed_turn(2, HANDED, vote)}, vote, HANDED, saying("deputy", 5)
    )
    assert folder.deputy_since == 2


def test_the_final_is_the_deputys_once_they_took_over(deputys_archive):
    final = replace(G.final.content, game=GAME)
    for taken in (True, False):
        turns = {1: FIRST, 2: signed_turn(2, HANDED)} if taken else {1: FIRST}
        for key in (REF, DEE):
            folder = deputys_archive(turns, HANDED, final=make(final, key).file)
            if (key is DEE) is taken:
                assert folder.final().content == final
            else:
                with pytest.raises(FileError, match="may not sign a final"):
                    folder.final()


def test_by_mail_the_deputys_turn_takes_the_place_of_one_that_does_not_count(deputys_archive):
    own, taking = resigned(signed_turn(2), REF), signed_turn(2, HANDED)
    filer = RecordFiler(deputys_archive({1: FIRST, 2: own}, HANDED).folder)
    filer.file_record(taking)
    root = filer.folder.root / "turns"
    assert (root / "0002.toml").read_bytes() == taking.file
    assert [path.read_bytes() for path in root.glob("0002.toml.aside*")] == [own.file]
    with pytest.raises(RecordError, match="only the file of Dee is valid"):
        RecordFiler(filer.folder).file_record(own)
    late = deputys_archive({1: FIRST, 2: own})
    with pytest.raises(RecordError) as caught:
        RecordFiler(late.folder).file_record(taking)
    assert caught.value.reason in ("fork", "key"), "without the notice it counts for nothing"
    assert (root / "0002.toml").read_bytes() == own.file
