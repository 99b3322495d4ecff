"""Whole runs of the referee on a folder: what they write, whom they wait for, who may make them."""

import pytest

from pbem.acts.invite_next_player import next_code
from pbem.files.record_file_names import Name
from pbem.format.record_error import RecordError
from pbem.judge.make_signed_records import make_notice
from pbem.judge.next_turn import Advance
from pbem.judge.notice_kinds import HandOver, Leave, NewKey, SetDoor, TakeIn, Vote
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.judge.which_notices_count import row_of, sort_notices
from pbem.records.game_id_and_chain_heads import next_head
from pbem.records.invite import door_key
from pbem.records.notice import DRAW
from pbem.records.turn import Turn
from tests.attacks.forging import turn_path
from tests.kit.played_games import HOUR, Played, Player, advance_in, copied_folder, played_key
from tests.kit.record_files import archive_of, put_record, refusal_by, resigned
from tests.notices.people import x25519

DEE = played_key("Dee")
WEEK = 7 * 24 * HOUR


def advance_run(game, now=None, key=None, progress=None, **wishes) -> Advance:
    folder = archive_of(game.root)
    return Advance(folder, key or game.referee, now or game.now, AdvanceOptions(**wishes), progress)


def run_game(game, *args, **rest):
    return advance_run(game, *args, **rest).run()


def read_all_turns(game, reader):
    """The reader, once it has checked all turns that are here."""
    folder = archive_of(game.folder)
    find = folder.finder(reader.chain.may_sign_orders)
    for turn in folder.turns():
        reader.absorb(turn, find)
    return reader


def publish(game, found) -> Turn:
    """What a run made goes into the folder, and everybody can check it; the turn."""
    for name, record in (*found.notices, *found.new_records):
        game.put(name, record)
    (_, turn) = found.new_records[0]
    game.heads.append(next_head(game.heads[-1], turn.id))
    assert read_all_turns(game, game.table_at(0)).chain.head == game.heads[-1]
    return turn.content


def changed_key(game, new):
    """What seat b says when it changes to this key."""
    return NewKey.make(new, x25519(99), game.game_folder.game, "b")


def write_notice(game, seat, saying, key=None, number=1):
    """A notice, written after the last turn that is here."""
    place = game.game_folder.game, len(game.heads) - 1, game.heads[-1]
    record = make_notice(place, seat, number, saying, key or game.seats[seat].key)
    put_record(game.folder, record)
    return record


@pytest.fixture
def asked_game(tmp_path):
    """Turn 1 is made, and nobody has answered."""
    game = Played(tmp_path / "g", answer=lambda player: None, deputy=DEE)
    return game.play(1)


# ------------------------------------------------------------------ whose secrets
def test_the_deputy_gets_the_referees_secrets_from_turn_1(tmp_path):
    game = Played(tmp_path / "g", deputy=DEE)
    reason, sentence = refusal_by(secrets_of, archive_of(game.folder), DEE)
    assert (reason, "before turn 1, only Ref can make a turn" in sentence) == ("state", True)
    game.play(1)
    folder = archive_of(game.folder)
    found = secrets_of(folder, DEE)
    assert found == secrets_of(folder, game.referee)
    assert (found.r_ref, found.audit) == (game.made.secrets.r_ref, game.made.secrets.audit)


# ------------------------------------------------------------------ orders
def test_what_is_wrong_with_refused_orders_is_told_to_their_owner_alone(asked_game):
    for seat, lines in (("a", ["food: [x 9]"]), ("b", ["feed: a1 eats", "swim: x"])):
        asked_game.send(asked_game.seats[seat].orders(lines))
        asked_game.send(asked_game.seats[seat].orders(asked_game.seats[seat].lines(), 2))
    turn = publish(asked_game, run_game(asked_game))
    assert [one.id for one in turn.orders] == sorted(one.id for one in turn.orders)
    said = {(one.seat, one.status, one.reason) for one in turn.orders}
    assert said >= {("a", "accepted", ""), ("b", "accepted", ""), ("b", "refused", "rule")}
    a, b = (read_all_turns(asked_game, asked_game.reader_at(s, 0)) for s in "ab")
    assert [(one.line, one.why) for one in b.rule_refusals] == [
        ("feed: a1 eats", "a1 is not yours"), ("swim: x", "this game never asks for 'swim'"),
    ]  # fmt: skip
    assert a.rule_refusals == ()


def test_a_turn_that_lists_forked_orders_is_made_again_without_being_told_to_go_on(asked_game):
    bo = asked_game.seats["b"]
    lie = resigned(bo.orders([], 9), bo.key, prev=bytes(32))
    for record in (lie, *(one.orders(one.lines()) for one in asked_game.seats.values())):
        asked_game.send(record)
    turn = publish(asked_game, run_game(asked_game, go_on=True))
    assert "forked" in {one.reason for one in turn.orders}
    assert run_game(asked_game).new_records == []


def test_a_turn_1_with_a_join_by_word_is_made_again(tmp_path):
    game = Played(tmp_path / "g")
    code = game.invite_code("b")
    other = game.join_by("b", "Eve", played_key("Eve"), code)
    game.put(Name("join", seat="b", short_id=other.id.hex()[:6]), other)
    turn = publish(game, run_game(game, refuse=[other.id.hex()[:6]]))
    assert turn.by_word == (other.id,)
    assert run_game(game).new_records == []


# ------------------------------------------------------------------ notices
def test_a_run_lists_new_notices_and_makes_such_a_turn_again(asked_game):
    bo, new = asked_game.seats["b"], played_key("new")
    notice = write_notice(asked_game, "b", changed_key(asked_game, new))
    turn = publish(asked_game, run_game(asked_game))
    assert (turn.notices, turn.log) == ((row_of(notice),), ())
    again = advance_run(asked_game)
    waits = again.run()
    assert (waits.new_records, waits.awaited_kinds) == ([], {"a": ("food",), "b": ("food",)})
    assert notice.id in again.chain.listed_notices
    late = write_notice(asked_game, "b", Vote(DRAW), key=bo.key, number=2)
    assert run_game(asked_game).new_records == [], "signed with the key that no longer counts"
    assert late.id not in again.chain.listed_notices


def test_orders_that_answer_the_turn_before_such_a_turn_are_in_time(asked_game):
    write_notice(asked_game, "b", changed_key(asked_game, played_key("new")))
    publish(asked_game, run_game(asked_game))
    ann = asked_game.seats["a"]
    record = asked_game.send(ann.orders(ann.lines()))
    assert record.content.turn == 1
    assert run_game(asked_game).answered_seats == ("a",)


def test_a_turn_that_only_lists_notices_tells_who_has_answered(asked_game):
    ann = asked_game.seats["a"]
    asked_game.send(ann.orders(ann.lines()))
    write_notice(asked_game, "b", changed_key(asked_game, played_key("new")))
    made = run_game(asked_game)
    assert (made.answered_seats, made.is_over) == (("a",), False)
    assert set(made.awaited_kinds) == {"a", "b"}
    publish(asked_game, made)
    write_notice(asked_game, "a", Vote(DRAW))
    write_notice(asked_game, "b", Vote(DRAW), key=played_key("new"))
    ended = run_game(asked_game)
    assert (ended.answered_seats, ended.awaited_kinds, ended.is_over) == ((), {}, True), (
        "nobody is asked"
    )
    assert [name.path for name, _ in ended.new_records] == [turn_path(3), "final.toml"]
    assert ended.new_records[0][1].content.over


def test_nobody_is_silent_in_the_turn_with_which_the_players_end_the_game(tmp_path):
    game = Played(tmp_path / "g", policies={"deadline": "1h"}, answer=lambda player: None).play(1)
    for seat in "ab":
        write_notice(game, seat, Vote(DRAW))
        game.send(game.seats[seat].orders(game.seats[seat].lines()))
    made = run_game(game, game.now + 2 * HOUR)
    turn = publish(game, made)
    assert (turn.over, turn.silent, turn.log, turn.orders) == (True, (), (), ())
    assert (turn.deadline, turn.awaited) == (0, ())


@pytest.fixture
def left_game(tmp_path):
    """Cy and Di have given up seats c and d of four, after turn 1."""
    game = Played(tmp_path / "g", players=4, answer=lambda player: None, deputy=DEE).play(1)
    for seat in "cd":
        write_notice(game, seat, Leave())
    for seat in "ab":
        game.send(game.seats[seat].orders(game.seats[seat].lines()))
    publish(game, run_game(game))
    return game


def new_join(game, seat="c", name="New", who=""):
    """The join with which somebody new takes over a seat."""
    folder = archive_of(game.folder)
    standing = folder.standing
    here = unlisted_notices(folder, {one.id for one in standing.applied_notices})
    doors = [r.content.saying.seat for r in here if isinstance(r.content.saying, SetDoor)]
    code = next_code(standing, game.made.secrets.audit, seat)
    if seat not in doors and standing.is_open(seat):
        door = SetDoor(seat, door_key(code, seat).public)
        write_notice(game, "referee", door, game.referee, len(doors) + 1)
    record = game.join_by(seat, name, played_key(who or name), code)
    game.put(Name("join", seat=seat, short_id=record.id.hex()[:6]), record)
    return record


def test_a_run_gives_an_open_seat_to_whoever_was_invited_and_makes_that_turn_again(left_game):
    join = new_join(left_game)
    made = run_game(left_game)
    ((name, notice),) = made.notices
    assert (notice.content.saying.seat, notice.content.saying.join) == ("c", join.id)
    assert (name.path[:23], made.new_records[0][0].path) == (
        "notices/0002-referee-2-",
        turn_path(3),
    )
    turn = publish(left_game, made)
    assert row_of(notice) in turn.notices
    assert {row.about for row in turn.notices} == {"door", "seat"}
    assert run_game(left_game).new_records == [], "made again, and nobody has answered"


def test_several_open_seats_are_given_away_in_one_turn(left_game):
    joins = {seat: new_join(left_game, seat, f"New {seat}").id for seat in "dc"}
    made = run_game(left_game)
    said = [(one.content.number, one.content.saying) for _, one in made.notices]
    assert said == [(3, TakeIn("c", joins["c"])), (4, TakeIn("d", joins["d"]))]
    assert {row.id for row in publish(left_game, made).notices} > {
        one.id for _, one in made.notices
    }


def test_a_turn_that_seats_somebody_who_was_not_invited_is_not_made_again(left_game):
    code = left_game.invite_code("c")
    old = left_game.join_by("c", "Eve", played_key("Eve"), code)
    left_game.put(Name("join", seat="c", short_id=old.id.hex()[:6]), old)
    kept = []
    one = advance_in(left_game.root, left_game.now, keep=kept.append)
    one.run()
    maker, place = kept[0].maker, (left_game.game_folder.game, 2, left_game.heads[2])
    right = new_join(left_game)
    joins = archive_of(left_game.folder).joins()
    before = maker.chain.standing_at(left_game.now, joins)
    wrong, good = (
        make_notice(place, "referee", 2, TakeIn("c", join.id), left_game.referee)
        for join in (old, right)
    )
    (door,) = unlisted_notices(archive_of(left_game.folder), one.chain.listed_notices)
    heads = left_game.heads
    assert sort_notices(before, [door, wrong], heads)[1] == [(wrong, NOT_INVITED)]
    assert sort_notices(before, [good], heads)[1] == [(good, NOT_INVITED)], "no door is published"
    assert sort_notices(before, [door, good], heads)[0] == [door, good]
    maker.take_notices(before, *sort_notices(before, [door, good], heads)[::2])
    assert (maker.pressing, set(maker._handover)) == (True, {"c"})


NOT_INVITED = "the player did not join with the invite that this seat has now"


def test_a_seat_is_given_away_once_although_a_run_was_cut_off(left_game):
    new_join(left_game)
    first = run_game(left_game)
    for name, record in first.notices:
        left_game.put(name, record)
    again = run_game(left_game)
    assert (again.notices, again.new_records) == ([], first.new_records)


@pytest.mark.sample(0)
def test_nobody_else_can_keep_an_open_seat_from_its_new_player(left_game):
    join = new_join(left_game)
    for number in range(1, 9):
        write_notice(left_game, "referee", TakeIn("c", join.id), played_key("Eve"), number)
        found = [(one.content.number, one.content.saying) for _, one in run_game(left_game).notices]
        assert found == [(2, TakeIn("c", join.id))]


def test_only_open_seats_are_given_away_to_whoever_has_the_fresh_code_and_fresh_keys(left_game):
    code = left_game.invite_code("c")
    old = left_game.join_by("c", "Eve", played_key("Eve"), code)
    left_game.put(Name("join", seat="c", short_id=old.id.hex()[:6]), old)
    new_join(left_game, "c", "Ann")
    new_join(left_game, "b", "Flo")
    right = new_join(left_game, "d")
    assert [one.content.saying for _, one in run_game(left_game).notices] == [TakeIn("d", right.id)]


def test_of_several_joins_of_a_new_player_the_smallest_id_counts(left_game):
    joins = [new_join(left_game, name=name, who="New") for name in ("One", "Two", "Three")]
    ((_, notice),) = run_game(left_game).notices
    assert notice.content.saying.join == min(join.id for join in joins)


@pytest.mark.sample(0)
def test_nobody_else_can_keep_a_deputy_from_taking_over(left_game):
    for number in range(1, 9):
        write_notice(left_game, "referee", HandOver("deputy"), played_key("Eve"), number)
        ((_, notice),) = run_game(left_game, left_game.now + 2 * WEEK, DEE, take_over=True).notices
        assert (notice.content.number, notice.content.saying) == (1, HandOver("deputy"))


def test_who_is_not_the_deputy_takes_nothing_over(left_game):
    join = new_join(left_game)
    made = run_game(left_game, left_game.now + 2 * WEEK, take_over=True)
    assert [notice.content.saying for _, notice in made.notices] == [TakeIn("c", join.id)]
    assert made.new_records[0][1].signed.key == left_game.referee.public


def test_a_deputy_to_whom_the_referee_handed_the_game_makes_turns_without_a_notice(left_game):
    handed = write_notice(left_game, "referee", HandOver("referee"), left_game.referee)
    for wishes in ({}, {"take_over": True}):
        made = run_game(left_game, key=DEE, **wishes)
        assert (made.notices, made.new_records[0][1].signed.key) == ([], DEE.public)
        assert made.new_records[0][1].content.notices == (row_of(handed),)
    with pytest.raises(RecordError, match="Dee has taken over"):
        run_game(left_game)


@pytest.mark.sample(0)
def test_a_deputy_takes_over_if_they_say_so(left_game):
    new_join(left_game)
    late = left_game.now + WEEK + HOUR
    reason, sentence = refusal_by(run_game, left_game, late, DEE)
    assert (reason, "to take over now: pbem advance --take-over" in sentence) == ("state", True)
    reason, sentence = refusal_by(run_game, left_game, left_game.now, DEE, take_over=True)
    assert (reason, "only if nobody has made a turn by" in sentence) == ("state", True)
    made = run_game(left_game, late, DEE, take_over=True)
    sayings = [notice.content.saying for _, notice in made.notices]
    assert sayings[0] == HandOver("deputy")
    turn = publish(left_game, made)
    assert "referee" in {row.about for row in turn.notices}
    assert made.new_records[0][1].signed.key == DEE.public
    assert run_game(left_game, late, DEE).new_records == []
    assert run_game(left_game, late, DEE, take_over=True).new_records == [], "they have"
    with pytest.raises(RecordError, match="Dee has taken over"):
        run_game(left_game, late)


@pytest.mark.sample(0)
def test_whoever_takes_a_seat_over_learns_all_that_its_player_knew_and_plays_on(tmp_path):
    game = Played(tmp_path / "g", players=3, bot="random").play(9)
    write_notice(game, "c", Leave())
    left = publish(game, run_game(game)).turn
    cy = read_all_turns(game, game.reader_at("c", 0))
    assert any("[" in entry.text and "[?]" not in entry.text for entry in cy.own_log)
    new_join(game)
    turn = publish(game, run_game(game))
    assert list(turn.handover) == ["c"]
    new = SeatReader(game.charter, "c", played_key("New").seed, turn.turn)
    read_all_turns(game, new)
    known = len(cy.own_log)
    assert [one._replace(by="") for one in new.own_log] == [
        one._replace(by="") for one in cy.own_log
    ], "all but the numbers of Cy's lines"
    assert (turn.turn, len(turn.log), len(new.own_log)) == (left + 1, 0, known)
    for seat in new.chain.awaited:
        key, reader = (played_key("New"), new) if seat == "c" else staying(game, seat)
        player = Player(seat, key, reader, "greedy")
        game.send(player.orders(player.lines(), 9))
    after = publish(game, run_game(game))
    assert after.log
    assert {one.status for one in after.orders} == {"accepted"}


def staying(game, seat):
    """The key and the reader of a seat whose player stays."""
    key = game.seats[seat].key
    return key, read_all_turns(game, game.reader_at(seat, 0, key=key))


# ------------------------------------------------------------------ who plays
def test_a_seat_with_two_players_stops_even_a_referee_who_says_start(tmp_path):
    game = Played(tmp_path / "g", players=3)
    code = game.invite_code("c")
    other = game.join_by("c", "Eve", played_key("Eve"), code)
    game.put(Name("join", seat="c", short_id=other.id.hex()[:6]), other)
    found = run_game(game, start=True)
    assert (found.new_records, list(found.contested), found.awaited_kinds) == (
        [],
        ["c"],
        {"c": ("join",)},
    )


# ------------------------------------------------------------------ what is waited for
def test_a_referee_waits_for_the_whole_round_unless_they_say_no_wait(tmp_path):
    game = Played(tmp_path / "g", players=3, ruleset="origin", policies={"wait": "round"})
    turn = game.turn()
    game.see(turn)
    (asked,) = game.made_awaited()
    game.send(game.seats[asked].orders(game.seats[asked].lines()))
    found = run_game(game)
    assert (found.new_records, found.unheard_seats) == ([], tuple(sorted({*"abc"} - {asked})))
    assert (found.turn, found.phase) == (turn.content, "development")
    assert len(run_game(game, no_wait=True).new_records) == 1


# ------------------------------------------------------------------ the seats of the referee
def test_what_a_held_seat_answers_is_no_reason_to_think_again(tmp_path):
    policies = {"change_of_mind": "2h"}
    game = Played(tmp_path / "g", plays=("a",), policies=policies)
    game.play(1)
    while game.made_awaited() != {"a"}:
        game.play(1)
    found = run_game(game)
    assert found.revisable_until == 0
    assert found.new_records or found.preview_seats == ("a",)


def test_a_held_seat_sees_what_it_may_still_change(tmp_path):
    game = Played(tmp_path / "g", plays=("a",)).play(2)
    number = next(t.content.turn for t in game.turns if t.content.own)
    root = copied_folder(game.root, tmp_path / "copy")
    for path in (root / "turns").iterdir():
        if int(path.stem) >= number:
            path.unlink()
    found = advance_in(root, game.turns[number - 1].content.time, game.referee)
    made = found.run()
    ((_, record),) = made.new_records
    assert made.preview is record
    assert record == game.turns[number - 1]
