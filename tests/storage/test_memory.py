"""What a machine remembers of a game: what it signed, when turns came, when orders were sealed."""

import tomllib

import pytest

from pbem.files.disk import FileError, StorageError
from pbem.files.home import Home, Sighting, Signed
from pbem.format.canonical import MAX_BYTES

NOW = 1_700_000_000
HOUR = 3600


@pytest.fixture
def mine(tmp_path):
    return Home(tmp_path).game("4f" * 32)


def signed(place, ident="ab", file=b"turn = 1\n# signature\n"):
    return Signed(place, f"turns/{place:04}.toml", ident * 32, file)


# ---------------------------------------------------------------- signed
def test_nothing_was_signed_yet(mine):
    assert mine.signed.last() is None


def test_what_was_signed_is_remembered_to_the_byte(mine):
    for file in (b"", b"\n\xff\n", b"x" * MAX_BYTES):
        mine.signed.path.unlink(missing_ok=True)
        mine.signed.sign(signed(1, file=file))
        assert mine.signed.last() == signed(1, file=file)
    assert mine.signed.path == mine.root / "signed"


def test_the_next_place_takes_the_place_of_the_last(mine):
    mine.signed.sign(signed(1))
    mine.signed.sign(signed(2, "cd"))
    assert mine.signed.last() == signed(2, "cd")


def test_the_same_body_may_be_signed_again_and_what_was_kept_stays(mine):
    mine.signed.sign(signed(2))
    mine.signed.sign(signed(2, file=b"with another signature"))
    assert mine.signed.last() == signed(2)


@pytest.mark.parametrize("place", [1, 2, 3])
def test_no_second_body_for_a_place_and_none_before_it(mine, place):
    mine.signed.sign(signed(3))
    with pytest.raises(FileError) as refused:
        mine.signed.sign(signed(place, "cd"))
    assert (refused.value.reason, refused.value.path) == ("fork", f"turns/{place:04}.toml")
    assert "already signed ababab for this place" in refused.value.sentence
    assert "now made cdcdcd; nothing was written" in refused.value.sentence
    assert mine.signed.last() == signed(3)


def test_an_old_body_is_refused_even_if_its_id_is_the_last_one(mine):
    mine.signed.sign(signed(3))
    with pytest.raises(FileError):
        mine.signed.sign(signed(2))


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"1 turns/0001.toml\n", b"one turns/0001.toml ab\n", b"1 \xff ab\nfile"]
)
def test_a_damaged_memory_of_what_was_signed_is_said_before_anything_is_written(mine, data):
    mine.root.mkdir(parents=True)
    mine.signed.path.write_bytes(data)
    for act in (mine.signed.last, lambda: mine.signed.sign(signed(1))):
        with pytest.raises(StorageError, match="signed: is damaged; remove this file"):
            act()
    assert mine.signed.path.read_bytes() == data


# ---------------------------------------------------------------- sightings
def test_turns_that_come_soon_after_their_date_are_not_odd(mine):
    look = mine.sightings.look
    look([NOW], NOW)
    look([NOW, NOW + 1], NOW + HOUR)
    look([NOW, NOW + 1, NOW + 1], NOW + HOUR + 1)
    assert mine.sightings.odd() == []


@pytest.mark.parametrize(("before", "odd"), [(3599, False), (3600, True), (7200, True)])
def test_a_turn_dated_an_hour_before_a_look_that_did_not_find_it_is_odd(mine, before, odd):
    mine.sightings.look([NOW], NOW + HOUR)
    mine.sightings.look([NOW, NOW + HOUR - before], NOW + 9 * HOUR)
    assert mine.sightings.odd() == ([Sighting(2, before, NOW + HOUR)] if odd else [])


@pytest.mark.parametrize(("ahead", "odd"), [(600, False), (601, True)])
def test_a_turn_dated_more_than_ten_minutes_ahead_is_odd(mine, ahead, odd):
    mine.sightings.look([NOW + ahead], NOW)
    assert mine.sightings.odd() == ([Sighting(1, -ahead, NOW)] if odd else [])


def test_the_first_look_cannot_say_that_a_turn_came_late(mine):
    mine.sightings.look([NOW - 100 * HOUR], NOW)
    assert mine.sightings.odd() == []


def test_a_look_in_the_same_second_counts(mine):
    mine.sightings.look([], NOW)
    mine.sightings.look([NOW - HOUR], NOW)
    assert mine.sightings.odd() == [Sighting(1, HOUR, NOW)]


def test_each_turn_is_judged_once_at_the_look_that_found_it(mine):
    mine.sightings.look([], NOW)
    mine.sightings.look([NOW - HOUR, NOW], NOW + 1)
    mine.sightings.look([NOW - HOUR, NOW, NOW - 2 * HOUR], NOW + 2)
    assert mine.sightings.odd() == [Sighting(1, HOUR, NOW), Sighting(3, 2 * HOUR + 1, NOW + 1)]
    mine.sightings.look([NOW - HOUR], NOW + 9 * HOUR)  # the folder went back
    mine.sightings.look([NOW - HOUR, NOW, NOW - 2 * HOUR], NOW + 10 * HOUR)
    assert len(mine.sightings.odd()) == 2


def test_a_look_before_this_one_by_a_clock_that_was_ahead_proves_nothing(mine):
    mine.sightings.look([], NOW + 100 * HOUR)
    mine.sightings.look([NOW], NOW)
    assert mine.sightings.odd() == []
    mine.sightings.look([NOW, NOW - HOUR], NOW + 1)
    assert mine.sightings.odd() == [Sighting(2, HOUR, NOW)]


@pytest.mark.parametrize(("after", "kept"), [(299, False), (300, True)])
def test_a_look_that_finds_nothing_new_is_noted_every_five_minutes(mine, after, kept):
    mine.sightings.look([NOW], NOW)
    before = mine.sightings.path.stat().st_ino
    mine.sightings.look([NOW], NOW + after)
    assert (mine.sightings.path.stat().st_ino != before) is kept
    mine.sightings.look([NOW, NOW - HOUR], NOW + HOUR)
    ((_, seconds, when),) = mine.sightings.odd()
    assert (seconds, when) == ((HOUR + after, NOW + after) if kept else (HOUR, NOW))


def test_the_newest_five_hundred_odd_turns_are_remembered(mine):
    mine.sightings.look([], NOW)
    mine.sightings.look([NOW - HOUR] * 510, NOW + 1)
    assert [one.turn for one in mine.sightings.odd()] == list(range(11, 511))
    assert mine.sightings.path == mine.root / "sightings.toml"


@pytest.mark.parametrize(
    "text",
    [
        b"odd = 1",
        b"odd = [1]",
        b'odd = ["1,2"]',
        b'odd = ["1,2,3,4"]',
        b'odd = ["1,2,x"]',
        b"\xff",
        b"x = " + b"[" * 9000,
    ],
)
def test_a_damaged_memory_of_looks_is_said(mine, text):
    mine.root.mkdir(parents=True)
    mine.sightings.path.write_bytes(text)
    for act in (mine.sightings.odd, lambda: mine.sightings.look([NOW], NOW)):
        with pytest.raises(StorageError, match="is damaged; remove this file"):
            act()


@pytest.mark.parametrize("text", [b'turn = "1"', b"turn = true", b"looked = 1.5"])
def test_a_number_of_another_type_is_damage_too(mine, text):
    mine.root.mkdir(parents=True)
    mine.sightings.path.write_bytes(text)
    with pytest.raises(StorageError, match="is damaged"):
        mine.sightings.look([NOW], NOW)


# ---------------------------------------------------------------- receipts
def test_the_first_time_that_orders_were_sealed_counts(mine):
    assert mine.receipts.times() == {}
    mine.receipts.note("ab", NOW)
    mine.receipts.note("ab", NOW + 1)
    mine.receipts.note("cd", NOW + 2)
    assert mine.receipts.times() == {"ab": NOW, "cd": NOW + 2}
    assert mine.receipts.path == mine.root / "receipts.toml"


def test_the_newest_five_hundred_orders_are_remembered(mine):
    old = {f"{n:04x}": NOW - n for n in range(500)}
    mine.root.mkdir(parents=True)
    lines = "".join(f"{order} = {when}\n" for order, when in old.items())
    mine.receipts.path.write_text("[sealed]\n" + lines)
    mine.receipts.note("ffff", NOW + 1)
    times = mine.receipts.times()
    assert len(times) == 500
    assert times["ffff"] == NOW + 1
    assert old.keys() - times.keys() == {f"{499:04x}"}


def test_a_receipt_that_is_no_time_is_passed_over(mine):
    mine.root.mkdir(parents=True)
    mine.receipts.path.write_text('[sealed]\nab = "noon"\ncd = true\nef = 5\n')
    assert mine.receipts.times() == {"ef": 5}


@pytest.mark.parametrize("text", [b"sealed = 1", b"[sealed", b"\x00"])
def test_damaged_receipts_are_said_and_left(mine, text):
    mine.root.mkdir(parents=True)
    mine.receipts.path.write_bytes(text)
    for act in (mine.receipts.times, lambda: mine.receipts.note("ab", NOW)):
        with pytest.raises(StorageError, match="is damaged"):
            act()
    assert mine.receipts.path.read_bytes() == text


def test_what_is_kept_is_plain_toml(mine):
    mine.sightings.look([NOW, NOW + 2 * HOUR], NOW)
    doc = tomllib.loads(mine.sightings.path.read_text())
    assert doc == {"turn": 2, "looked": NOW, "odd": [f"2,-{2 * HOUR},{NOW}"]}
