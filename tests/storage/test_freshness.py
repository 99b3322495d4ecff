"""Whether what was made from a game is still right: its files, a moment that comes, the clock."""

import pytest

from pbem.files.game_folder_places import place_of
from pbem.files.home import Home
from pbem.person.cache_freshness import Freshness, stamp_of_game, stamp_of_keys

MADE_AT = 1_700_000_000


@pytest.mark.parametrize(
    ("moments", "now", "is_valid"),
    [
        ([], MADE_AT, True),
        ([], MADE_AT + 10**6, True),
        ([], MADE_AT - 1, False),  # the clock was set back
        ([0, MADE_AT + 60], MADE_AT + 59, True),
        ([0, MADE_AT + 60], MADE_AT + 60, False),
        ([MADE_AT], MADE_AT + 60, True),  # it had come before
    ],
)
def test_a_passed_moment_or_a_clock_set_back_makes_it_stale(monkeypatch, moments, now, is_valid):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(now))
    freshness = Freshness(["a", "b"], MADE_AT, moments)
    assert freshness.is_valid(["a", "b"]) is is_valid
    assert not freshness.is_valid(["a", "c"])
    assert Freshness([], 0, []).is_valid(["a"]) is False, "what was never made"


def test_a_games_stamp_changes_with_its_folder_its_home_and_its_place(tmp_path):
    home, game_id = Home(tmp_path / "home"), "0" * 64
    folder, copy = tmp_path / "savannah", tmp_path / "copy"
    for path in (folder, copy):
        path.mkdir()

    def stamp(path=folder):
        return stamp_of_game(home, game_id, place_of(path))

    stamps = [stamp(), stamp(copy)]
    (folder / "game.toml").write_text("x")
    stamps.append(stamp())
    home.game(game_id).receipts.note("ab", 1)
    stamps.append(stamp())
    assert len({str(each) for each in stamps}) == len(stamps)
    home.game(game_id).cache("list").save(1)
    assert stamp() == stamps[-1], "a cache is no news"
    keys = stamp_of_keys(home)
    home.write_key("default", b"secret")
    assert stamp_of_keys(home) != keys
