"""Which turn the deputy may sign first: decided from the files of a folder alone."""

from dataclasses import replace

import pytest

from pbem.format.errors import RecordError
from pbem.play.deputy.first_deputy_turn import TakingOver, deputy_since
from pbem.records.notices.sayings import SCORE, HandOver, TakeIn, Vote
from pbem.storage.errors import FileError, StorageError
from pbem.storage.file_names import Name
from pbem.storage.folder import Found, Listing
from pbem.storage.read_file import Mark
from tests.play.notice_people import KEYS, REF, G, charter, sign, with_deputy

WEEK = 7 * 24 * 3600
DEE = KEYS["dee"]
BEFORE = replace(G.turn1.content, time=1000, deadline=5000)


def listing(turns=4, notices=1):
    marks = Mark(1, 1, 1)
    found = [tuple(Found(Name(kind, n), marks) for n in range(1, many + 1))
             for kind, many in (("turn", turns), ("notice", notices))]  # fmt: skip
    return Listing(None, (), found[0], (), None, (), notices=found[1])


def taking(by, time=5000 + WEEK, key=None, before=BEFORE, writer="referee"):
    notice = sign(writer, HandOver(by), key=key or (DEE if by == "deputy" else REF))
    return TakingOver(replace(G.turn2.content, time=time), before, (notice,))


def since(at=3, taken=None, base=None, files=None):
    """The first turn of the deputy if file `at` is what `taken` says and no other is theirs."""
    taken = taken or taking("deputy")
    here = files or listing()
    return deputy_since(base or with_deputy(), here, lambda f: taken if f.name.turn == at else None)


def test_the_first_turn_that_takes_over_counts():
    assert since(3) == 3
    assert since(2, taking("referee")) == 2
    assert since(9) == 0
    assert deputy_since(with_deputy(), listing(), lambda found: taking("deputy")) == 1


def test_without_a_deputy_or_without_notices_nobody_takes_over():
    assert since(base=charter()) == since(3, taking("referee"), charter()) == 0
    assert since(files=listing(notices=0)) == 0


@pytest.mark.parametrize(
    ("taken", "counts"),
    [
        (taking("deputy", time=5000 + WEEK - 1), 0),
        (taking("deputy", time=5000 + WEEK), 3),
        (taking("deputy", time=1000 + WEEK, before=replace(BEFORE, deadline=0)), 3),
        (taking("deputy", time=1000 + WEEK - 1, before=replace(BEFORE, deadline=0)), 0),
        (taking("deputy", time=WEEK, before=None), 3),
        (taking("deputy", time=WEEK - 1, before=None), 0),
        (taking("deputy", key=REF), 0),
        (taking("referee", key=DEE), 0),
        (taking("referee", time=1), 3),
        (taking("deputy", key=DEE, writer="b"), 0),
    ],
)
def test_who_signs_and_how_late(taken, counts):
    assert since(3, taken) == counts


def test_other_notices_do_not_take_over():
    vote = sign("b", Vote(SCORE))
    good = taking("deputy")
    assert since(3, replace(good, notices=(vote,))) == 0
    assert since(3, replace(good, notices=(vote, *good.notices))) == 3
    assert since(3, replace(good, notices=())) == 0
    other = sign("referee", TakeIn("b", bytes(32)))
    assert since(3, replace(good, notices=(other,))) == 0
    assert since(3, replace(good, notices=(other, *good.notices))) == 3


@pytest.mark.parametrize(
    "error",
    [RecordError("field", "x"), FileError("file", "turns/0001.toml", "x"), StorageError("x", "y")],
)
def test_a_file_that_cannot_be_read_stops_nobody(error):
    def read(found):
        if found.name.turn == 1:
            raise error
        return taking("deputy") if found.name.turn == 4 else None

    assert deputy_since(with_deputy(), listing(), read) == 4
