"""What a view knows besides its fields: turns that are not published, rounds, phases, tables."""

from engine import PUBLIC
from pbem.judge.game_view import view_from_data
from tests.kit.positions import position

BASE = position("evolution", 1, 33)
"""Seat c is asked to feed in round 2, which begins with entry 29 of the log."""
END = len(BASE.entries)


def test_a_view_of_a_turn_not_yet_published_also_has_the_published_turn_and_head():
    view = BASE.changed(turn=3, heads=["00", "11", "22", "33"])
    assert (view.published, view.head, view.published_head) == (3, "33", "33")
    early = view.changed(preview=True)
    assert (early.published, early.head, early.published_head) == (2, "33", "22")


def test_in_which_phases_each_kind_of_question_was_asked():
    found = BASE.phases_of
    assert (found["feed"], found["food"]) == ({"feed"}, {"food"})
    assert (found["reveal"], found["die"]) == ({"play", "reveal"}, {"setup"})


def test_a_view_shows_the_round_and_the_table_after_any_turn():
    view = BASE.changed(turn=3, log_lengths=[5, 29, END])
    assert [view.round_at(turn) for turn in (1, 2, 3)] == [1, 2, 2]
    for turn, end in ((1, 5), (2, 29)):
        assert view.table_at(turn).pending[0][0] == view.log[end].key
    assert view.table_at(3).state == view.table.state
    assert view.table.viewpoint == view.table_at(1).viewpoint == "c"


def test_each_request_for_a_views_table_again_makes_a_new_copy():
    again = BASE.table_again()
    assert again.state == BASE.table.state
    assert [key for key, _ in again.pending] == [key for key, _ in BASE.table.pending]
    assert again is not BASE.table
    assert again is not BASE.table_again()
    assert BASE.table_again("a").viewpoint == "a"


def test_a_spectators_table_shows_no_cards():
    seen = BASE.changed(seat="", entries=position("evolution", 1, 33, "a").entries)
    assert seen.table.viewpoint == seen.table_at(1).viewpoint == PUBLIC


def test_a_view_written_as_plain_data_is_read_back_unchanged():
    view = BASE.changed(texts=["feed: c1 eats", "always feed: * eats"])
    assert [(line.kind, line.text, line.always) for line in view.lines] == [
        ("feed", "c1 eats", False), ("feed", "* eats", True),
    ]  # fmt: skip
    assert view_from_data(view.to_data()) == view
    assert view_from_data({**view.to_data(), "new": 1}) is None
