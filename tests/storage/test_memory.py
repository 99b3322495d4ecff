"""What a machine remembers of a game: what it signed, when turns came, when orders were sealed."""

import tomllib

import pytest

from pbem.files.file_errors import FileError, StorageError
from pbem.files.home import Home
from pbem.files.signed_and_seen import Sighting, Signed
from pbem.format.canonical_toml import MAX_BYTES

NOW = 1_700_000_000
HOUR = 3600


@pytest.fixture
def game_home(tmp_path):
    return Home(tmp_path).game("4f" * 32)


def signed_place(place, ident="ab", file=b"turn = 1\n# signature\n"):
    return Signed(place, f"turns/{place:04}.toml", ident * 32, file)


# ---------------------------------------------------------------- signed
def test_a_new_home_remembers_no_signed_record(game_home):
    assert game_home.signed.last_record() is None


def test_a_signed_record_is_remembered_byte_for_byte(game_home):
    for file in (b"", b"\n\xff\n", b"x" * MAX_BYTES):
        game_home.signed.path.unlink(missing_ok=True)
        game_home.signed.sign(signed_place(1, file=file))
        assert game_home.signed.last_record() == signed_place(1, file=file)
    assert game_home.signed.path == game_home.root / "signed"


def test_signing_for_the_next_place_replaces_the_last(game_home):
    game_home.signed.sign(signed_place(1))
    game_home.signed.sign(signed_place(2, "cd"))
    assert game_home.signed.last_record() == signed_place(2, "cd")


def test_signing_the_same_body_again_keeps_the_first_file(game_home):
    game_home.signed.sign(signed_place(2))
    game_home.signed.sign(signed_place(2, file=b"with another signature"))
    assert game_home.signed.last_record() == signed_place(2)


@pytest.mark.parametrize("place", [1, 2, 3])
def test_signing_another_body_for_the_same_or_an_earlier_place_is_refused(game_home, place):
    game_home.signed.sign(signed_place(3))
    with pytest.raises(FileError) as refused:
        game_home.signed.sign(signed_place(place, "cd"))
    assert (refused.value.reason, refused.value.path) == ("fork", f"turns/{place:04}.toml")
    assert "already signed a file for this place in the game (ababab)" in refused.value.sentence
    assert "does not write a second one (cdcdcd); let the folder sync" in refused.value.sentence
    assert game_home.signed.last_record() == signed_place(3)


def test_signing_for_an_earlier_place_is_refused_even_with_the_last_id(game_home):
    game_home.signed.sign(signed_place(3))
    with pytest.raises(FileError):
        game_home.signed.sign(signed_place(2))


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"1 turns/0001.toml\n", b"one turns/0001.toml ab\n", b"1 \xff ab\nfile"]
)
def test_a_damaged_memory_of_signed_records_is_reported_and_left_unchanged(game_home, data):
    game_home.root.mkdir(parents=True)
    game_home.signed.path.write_bytes(data)
    for act in (game_home.signed.last_record, lambda: game_home.signed.sign(signed_place(1))):
        with pytest.raises(StorageError, match="signed: is damaged; remove this file"):
            act()
    assert game_home.signed.path.read_bytes() == data


# ---------------------------------------------------------------- sightings
def test_a_turn_that_came_soon_after_its_date_is_not_odd(game_home):
    look = game_home.sightings.note_dates
    look([NOW], NOW)
    look([NOW, NOW + 1], NOW + HOUR)
    look([NOW, NOW + 1, NOW + 1], NOW + HOUR + 1)
    assert game_home.sightings.implausible_turns() == []


@pytest.mark.parametrize(("before", "odd"), [(3599, False), (3600, True), (7200, True)])
def test_a_turn_dated_an_hour_before_a_look_that_did_not_find_it_is_odd(game_home, before, odd):
    game_home.sightings.note_dates([NOW], NOW + HOUR)
    game_home.sightings.note_dates([NOW, NOW + HOUR - before], NOW + 9 * HOUR)
    assert game_home.sightings.implausible_turns() == (
        [Sighting(2, before, NOW + HOUR)] if odd else []
    )


@pytest.mark.parametrize(("ahead", "odd"), [(600, False), (601, True)])
def test_a_turn_dated_more_than_ten_minutes_ahead_is_odd(game_home, ahead, odd):
    game_home.sightings.note_dates([NOW + ahead], NOW)
    assert game_home.sightings.implausible_turns() == ([Sighting(1, -ahead, NOW)] if odd else [])


def test_the_first_look_cannot_find_that_a_turn_came_late(game_home):
    game_home.sightings.note_dates([NOW - 100 * HOUR], NOW)
    assert game_home.sightings.implausible_turns() == []


def test_a_look_in_the_same_second_counts_as_earlier(game_home):
    game_home.sightings.note_dates([], NOW)
    game_home.sightings.note_dates([NOW - HOUR], NOW)
    assert game_home.sightings.implausible_turns() == [Sighting(1, HOUR, NOW)]


def test_each_turn_is_judged_once_at_the_look_that_found_it(game_home):
    game_home.sightings.note_dates([], NOW)
    game_home.sightings.note_dates([NOW - HOUR, NOW], NOW + 1)
    game_home.sightings.note_dates([NOW - HOUR, NOW, NOW - 2 * HOUR], NOW + 2)
    assert game_home.sightings.implausible_turns() == [
        Sighting(1, HOUR, NOW),
        Sighting(3, 2 * HOUR + 1, NOW + 1),
    ]
    game_home.sightings.note_dates([NOW - HOUR], NOW + 9 * HOUR)  # the folder went back
    game_home.sightings.note_dates([NOW - HOUR, NOW, NOW - 2 * HOUR], NOW + 10 * HOUR)
    assert len(game_home.sightings.implausible_turns()) == 2


def test_an_earlier_look_by_a_clock_that_was_ahead_proves_nothing(game_home):
    game_home.sightings.note_dates([], NOW + 100 * HOUR)
    game_home.sightings.note_dates([NOW], NOW)
    assert game_home.sightings.implausible_turns() == []
    game_home.sightings.note_dates([NOW, NOW - HOUR], NOW + 1)
    assert game_home.sightings.implausible_turns() == [Sighting(2, HOUR, NOW)]


@pytest.mark.parametrize(("after", "kept"), [(299, False), (300, True)])
def test_looks_that_find_no_new_turn_are_noted_every_five_minutes(game_home, after, kept):
    game_home.sightings.note_dates([NOW], NOW)
    before = game_home.sightings.path.stat().st_ino
    game_home.sightings.note_dates([NOW], NOW + after)
    assert (game_home.sightings.path.stat().st_ino != before) is kept
    game_home.sightings.note_dates([NOW, NOW - HOUR], NOW + HOUR)
    ((_, seconds, when),) = game_home.sightings.implausible_turns()
    assert (seconds, when) == ((HOUR + after, NOW + after) if kept else (HOUR, NOW))


def test_only_the_newest_five_hundred_odd_turns_are_remembered(game_home):
    game_home.sightings.note_dates([], NOW)
    game_home.sightings.note_dates([NOW - HOUR] * 510, NOW + 1)
    assert [one.turn for one in game_home.sightings.implausible_turns()] == list(range(11, 511))
    assert game_home.sightings.path == game_home.root / "sightings.toml"


@pytest.mark.parametrize("text", [b'odd = ["1,2,3"]', b"turn = true"])
def test_a_damaged_memory_of_looks_is_reported(game_home, text):
    """What else is damage, tests/storage/test_remembered.py says of every notebook."""
    game_home.root.mkdir(parents=True)
    game_home.sightings.path.write_bytes(text)
    sightings = game_home.sightings
    for act in (sightings.implausible_turns, lambda: sightings.note_dates([NOW], NOW)):
        with pytest.raises(StorageError, match="is damaged; remove this file"):
            act()


# ---------------------------------------------------------------- receipts
def test_of_two_times_at_which_orders_were_sealed_the_first_is_remembered(game_home):
    assert game_home.receipts.times() == {}
    game_home.receipts.note("ab", NOW)
    game_home.receipts.note("ab", NOW + 1)
    game_home.receipts.note("cd", NOW + 2)
    assert game_home.receipts.times() == {"ab": NOW, "cd": NOW + 2}
    assert game_home.receipts.path == game_home.root / "receipts.toml"


def test_only_the_newest_five_hundred_sealing_times_are_remembered(game_home):
    old = {f"{n:04x}": NOW - n for n in range(500)}
    game_home.root.mkdir(parents=True)
    lines = "".join(f"{order} = {when}\n" for order, when in old.items())
    game_home.receipts.path.write_text("[sealed]\n" + lines)
    game_home.receipts.note("ffff", NOW + 1)
    times = game_home.receipts.times()
    assert len(times) == 500
    assert times["ffff"] == NOW + 1
    assert old.keys() - times.keys() == {f"{499:04x}"}


def test_damaged_sealing_times_are_reported_and_left_unchanged(game_home):
    game_home.root.mkdir(parents=True)
    game_home.receipts.path.write_bytes(b"sealed = 1")
    for act in (game_home.receipts.times, lambda: game_home.receipts.note("ab", NOW)):
        with pytest.raises(StorageError, match="is damaged"):
            act()
    assert game_home.receipts.path.read_bytes() == b"sealed = 1"


def test_the_memory_of_looks_is_plain_toml(game_home):
    game_home.sightings.note_dates([NOW, NOW + 2 * HOUR], NOW)
    doc = tomllib.loads(game_home.sightings.path.read_text())
    odd = {"turn": 2, "seconds": -2 * HOUR, "seen_at": NOW}
    assert doc == {"turn": 2, "looked": NOW, "odd": [odd]}
