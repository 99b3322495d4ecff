"""What an audit certifies: the facts that it takes over from the chain."""

import pytest

from pbem.judge.audit import audit
from pbem.records.twelve_words import words_of
from tests.attacks.forging import Forged
from tests.kit.played_games import Played, advance_in


def test_the_audit_of_an_unfinished_game_reports_its_people_and_counts(forged_game, short):
    report = forged_game.audit()
    turns = [record.content for record in short.turns]
    assert (report.title, report.ruleset, report.referee) == ("Savannah", "evolution", "Ref")
    assert report.game == short.game_folder.game
    assert list(report.names.items()) == [("a", "Ann"), ("b", "Bo")]
    assert list(report.first_names.items()) == [("a", "Ann"), ("b", "Bo")]
    assert (report.turns, report.heads) == (4, short.heads)
    assert report.words == words_of(short.heads[-1])
    assert (report.over, report.final, report.proven) == (False, False, False)
    assert (report.deputy, report.told, report.plays) == ("", None, ())
    assert (report.bots, report.by_mail, report.for_open_seats) == ({}, {}, {})
    assert (report.notices, report.removed, report.by_word) == ([], [], [])
    assert (report.log, report.other_zones, report.left_out) == ([], [], [])
    assert report.orders == sum(len(turn.orders) for turn in turns) == 4
    assert report.cards == sum(len(new.cards) for turn in turns for new in turn.decks)
    assert report.dice == sum(".die." in one.key for turn in turns for one in turn.log) == 1
    assert (report.waiting, report.messages) == (len(short.made_awaited()), 0)
    assert (report.findings, report.exit) == ([], 0)


@pytest.mark.long
def test_the_audit_of_a_finished_game_reports_it_as_final_and_proven(held, tmp_path):
    report = Forged(held, tmp_path).audit()
    assert (report.proven, report.final, report.over) == (True, True, True)
    assert (report.turns, report.plays) == (len(held.turns), ("a",))
    assert report.waiting == 0


def test_the_audit_names_seats_of_bots_and_seats_by_mail_from_the_charter(tmp_path):
    game = Played(tmp_path / "g", players=4, plays=("c",), bots={"c": "greedy"}, by_mail=("b", "d"))
    before = Forged(game, tmp_path / "before").audit()
    assert (before.bots, before.plays, before.by_mail) == ({"c": "greedy"}, ("c",), {})
    game.turn()
    report = Forged(game, tmp_path).audit()
    assert (report.exit, report.bots, report.plays) == (0, {"c": "greedy"}, ("c",))
    assert report.by_mail == {"b": 0, "d": 0}


def test_the_audit_does_not_name_a_seat_by_mail_that_nobody_took(tmp_path):
    game = Played(tmp_path / "g", players=3, by_mail=("b", "c"))
    (path,) = (game.root / "seats").glob("c-*")
    path.unlink()
    begin = advance_in(game.root, game.now, start=True).run()
    for name, record in begin.new_records:
        game.put(name, record)
    report = audit(game.folder)
    assert (report.turns, report.names, report.by_mail) == (1, {"a": "Ann", "b": "Bo"}, {"b": 0})
