"""Which files a kept game was made from, and when it is not used any more."""

from types import SimpleNamespace

from pbem.files.disk import Mark
from pbem.files.game_folder import Listing, RecordFile
from pbem.files.record_file_names import Name
from pbem.judge.turn_maker import Progress

LISTED, OTHER, NOTED = bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32
SAME = Mark(1, 2, 3)


def found_record(kind, turn=0, seat="", ident=b"", revision=1, mark=SAME):
    return RecordFile(Name(kind, turn, seat, revision if ident else 0, ident.hex()[:6]), mark)


def folder_listing(*orders, notices=(), turns=(1, 2), mark=SAME):
    made = tuple(found_record("turn", turn, mark=mark) for turn in turns)
    joins = (found_record("join", seat="a", ident=LISTED),)
    return Listing(
        found_record("charter"), joins, made, orders, None, (), notices=notices,
        press=(found_record("press", 1, "a", OTHER),),
    )  # fmt: skip


IN_TIME = found_record("orders", 1, "a", LISTED)
UNLISTED = found_record("orders", 1, "a", OTHER, 2)
AHEAD = found_record("orders", 2, "b", LISTED)
NOTICE = found_record("notice", 1, "b", NOTED)
LATER = found_record("notice", 2, "b", OTHER)
FULL = folder_listing(IN_TIME, UNLISTED, AHEAD, notices=(NOTICE, LATER))


def noted() -> Progress:
    chain = SimpleNamespace(
        turn=2, listed_orders={LISTED}, listed_notices={NOTED}, listed_deals=set()
    )
    made = Progress(SimpleNamespace(chain=chain))
    made.note_files(FULL)
    return made


def test_the_files_that_turns_were_made_from_are_noted():
    made = noted()
    files = ["game.toml", f"seats/a-{LISTED.hex()[:6]}.toml", "turns/0001.toml", "turns/0002.toml"]
    assert made.files == dict.fromkeys([*files, IN_TIME.path, NOTICE.path], SAME)


def test_a_game_is_kept_as_long_as_these_files_are_as_they_were():
    made = noted()
    assert made.is_current(FULL)
    more = folder_listing(IN_TIME, notices=(NOTICE,), turns=(1, 2, 3))
    assert made.is_current(more), "others may come and go"
    assert not made.is_current(folder_listing(UNLISTED, AHEAD, notices=(NOTICE,)))
    assert not made.is_current(folder_listing(IN_TIME))
    assert not made.is_current(folder_listing(IN_TIME, notices=(NOTICE,), turns=(1,)))
    other = Mark(1, 2, 4)
    assert not made.is_current(folder_listing(IN_TIME, notices=(NOTICE,), mark=other))
    assert not made.is_current(folder_listing(IN_TIME._replace(mark=other), notices=(NOTICE,)))
    assert not made.is_current(folder_listing(IN_TIME, notices=(NOTICE._replace(mark=other),)))
