"""Attacks found by a red team: what an honest referee can be made to look like, and what is taken
by mistake."""

from pbem.judge.which_joins_count import check_by_word, claim_of
from pbem.records.join import check_keys
from tests.attacks.seating import EVE, advance_with, choose_joins, put_join, second_join
from tests.kit.played_games import Played
from tests.kit.record_files import archive_of, resigned


def held_to(game, joins, found):
    """What the audit says after `final` of a turn 1 that seats these."""
    audit = game.made.secrets.audit
    claims = [claim_of(game.charter, record, audit) for record in joins]
    counted = {record.id for record in found.seated_joins.values()}
    check_by_word(claims, counted, set(found.by_word))
    check_keys(game.charter.content, {s: r.content for s, r in found.seated_joins.items()})


def codeless_join_for(game, name, key=EVE, seat="b"):
    return game.join_by(seat, name, key)


def test_a_referee_who_accepts_one_of_several_joins_by_one_key_is_not_convicted(unstarted_game):
    """Eve has two joins without the code, and one with it; the referee accepts what she asks."""
    joins = [codeless_join_for(unstarted_game, f"Bo{n}") for n in range(4)] + [
        second_join(unstarted_game)
    ]
    every = [unstarted_game.joins["a"], *joins]
    for some in (every, every[:-1]):
        found = choose_joins(unstarted_game, some, accept=[record.id.hex()[:6] for record in joins])
        assert found.seated_joins["b"] in some
        held_to(unstarted_game, some, found)


def test_a_referee_who_accepts_a_join_that_names_anothers_key_is_not_convicted(tmp_path):
    game = Played(tmp_path / "game", players=3)
    bad = resigned(
        codeless_join_for(game, "Cy", seat="c"), EVE, recovery=game.seats["b"].key.public
    )
    every = [game.joins["a"], game.joins["b"], bad]
    found = choose_joins(game, every, accept=[bad.id.hex()[:6]])
    assert sorted(found.seated_joins) == ["a", "b"]
    held_to(game, every, found)


def test_strangers_files_do_not_hide_a_join_that_the_referee_left_out_by_word(unstarted_game):
    """The certificate must not say that a join is missing which lies there."""
    other = put_join(unstarted_game, second_join(unstarted_game))
    made = advance_with(unstarted_game, refuse=[other.id.hex()[:6]]).new_records[0][1]
    unstarted_game.publish(made)
    for n in range(200):
        (unstarted_game.root / f"seats/a-{n:06x}.toml").write_bytes(b"junk\n")
    joins = archive_of(unstarted_game.root).joins()
    assert {other.id, *made.content.joins.values()} <= joins.keys()
