"""A folder in which the deputy took over: from which turn on whose signature counts."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pbem.files.file_errors import StorageError
from pbem.files.game_folder import Folder
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import HandOver, Vote
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.which_notices_count import row_of
from pbem.records.game_id_and_chain_heads import first_head, game_id, next_head
from pbem.records.notice import DRAW
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import Turn, sort_sets
from tests.kit.record_files import archive_of, record_path, resigned
from tests.notices.people import KEYS, REF, G, with_deputy

DEE = KEYS["dee"]
WEEK = 7 * 24 * 3600
CHARTER = make(with_deputy(), REF)
GAME = game_id(CHARTER.signed.body)
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
