"""What everybody's reader takes and refuses of one turn, and what it knows afterwards."""

from dataclasses import replace

import pytest

from pbem.judge.absent_seats import NO_ANSWER_FOR_SILENT
from pbem.judge.game_view import view_from_data, view_of
from pbem.judge.make_signed_records import make_join, make_orders
from pbem.records.game_id_and_chain_heads import first_head, next_head
from pbem.records.read_and_sign_record import make
from pbem.records.turn import ListedOrders
from tests.attacks.absorbing import read_turns, refusal_of_turn
from tests.kit.played_games import Played, played_key
from tests.kit.record_files import resigned
from tests.kit.refusals import refused_for


# ---------------------------------------------------------------- its place
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": b"\x01" * 32}, ("place", "this turn belongs to another game")),
        ({"turn": 4}, ("place", "this file contains turn 4, but the next turn is 3")),
        ({"turn": 2}, ("place", "this file contains turn 2, but the next turn is 3")),
        (
            {"prev": b"\x01" * 32},
            (
                "place",
                "turn 3 follows a version of turn 2 that differs from the one in this folder",
            ),
        ),
        ({"log": ()}, ("rule", "nothing happens in this turn, and such turns are not allowed")),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else "",
)
def test_a_turn_with_another_game_number_or_head_is_refused(short, changes, said):
    turn = replace(short.turns[2].content, **changes)
    assert refusal_of_turn(short, read_turns(short, 2), turn) == said


def test_a_turn_may_have_the_date_of_the_turn_before_but_none_before_it(short):
    before, turn = short.turns[1].content.time, short.turns[2].content
    reader = read_turns(short, 2)
    reader.absorb(make(replace(turn, time=before), short.referee), short.finder)
    assert reader.chain.turn == 3
    said = refusal_of_turn(short, read_turns(short, 2), replace(turn, time=before - 1))
    assert said == ("field", "turn 3 has an earlier date than turn 2")


def test_a_turn_after_the_end_of_the_game_is_refused(finished):
    reader = read_turns(finished, len(finished.turns))
    assert reader.chain.is_over
    last = finished.turns[-1].content
    more = replace(last, turn=last.turn + 1, prev=reader.chain.head)
    assert refusal_of_turn(finished, reader, more) == (
        "state",
        f"this turn comes after turn {last.turn}, which ended the game",
    )


def test_a_reader_has_no_table_before_turn_1(short):
    for reader in (short.table_at(0), short.reader_at("b", 0, key=played_key("Bo"))):
        with refused_for("state", "the game has not begun"):
            assert reader.public
    with refused_for("state", "the game has not begun"):
        assert reader.own_table


# ---------------------------------------------------------------- who plays
def test_a_turn_1_with_joins_of_other_seats_or_games_is_refused(short):
    turn, joins = short.turns[0].content, short.joins_by_id
    a, b = (turn.joins[seat] for seat in "ab")

    def said(named, more=()):
        every = joins | {record.id: record for record in more}
        packets = dict.fromkeys(named, turn.packets["a"])
        lie = replace(turn, joins=named, packets=packets)
        return refusal_of_turn(short, short.table_at(0), lie, every)

    unknown = said({"a": a, "b": b"\x01" * 32})
    assert unknown == ("parent", "the join 010101 of seat b is missing from this folder")
    told = ("place", f"the join {a.hex()[:6]} is not for seat b of this game")
    assert said({"a": a, "b": a}) == told
    charter = resigned(short.charter, short.referee, title="Other")
    theirs = make_join(charter, "b", "Bo", played_key("Bo"), b"?" * 16)
    assert said({"a": a, "b": theirs.id}, [theirs])[0] == "place"
    content = short.joins["b"].content
    guest = make(replace(content, seat="c"), played_key("Bo"))
    assert said({"a": a, "b": b, "c": guest.id}, [guest])[0] == "place"


def test_a_turn_with_a_packet_too_few_or_too_many_is_refused(short):
    turn = short.turns[2].content
    for packets in ({"a": turn.packets["a"]}, {**turn.packets, "c": turn.packets["a"]}):
        said = refusal_of_turn(short, read_turns(short, 2), replace(turn, packets=packets))
        assert (said[0], said[1]) == (
            "field",
            "the turn does not have a secret part (a packet) for each seat",
        )


def test_a_seats_reader_refuses_a_key_that_is_not_the_seats(short):
    turn = short.turns[0].content
    stranger = short.reader_at("b", 0, key=played_key("Eve"))
    assert refusal_of_turn(short, stranger, turn) == (
        "key",
        "seat b has a different key from yours",
    )
    nobody = short.reader_at("c", 0, key=played_key("Bo"))
    assert refusal_of_turn(short, nobody, turn) == ("state", "the game began without seat c")


# ---------------------------------------------------------------- what it knows
@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["silent", "mixed"])
def test_after_each_turn_a_reader_knows_what_the_turn_says(name, request):
    game = request.getfixturevalue(name)
    reader, entries, listed, accepted = game.table_at(0), 0, set(), set()
    heads = [first_head(reader.game)]
    for record in game.turns[:12]:
        content = record.content
        reader.absorb(record, game.finder)
        entries += len(content.log)
        heads.append(next_head(heads[-1], record.id))
        listed |= {one.id for one in content.orders}
        accepted |= {one.seat for one in content.orders if one.status == "accepted"}
        known = (
            reader.chain.turn, reader.chain.time, reader.chain.deadline, reader.chain.is_over,
            reader.chain.last_turn.silent,
        )  # fmt: skip
        said = (content.turn, content.time, content.deadline, content.over, content.silent)
        assert known == said
        assert (reader.chain.heads, reader.chain.head) == (heads, heads[-1])
        assert (len(reader.log), reader.chain.log_lengths[-1]) == (entries,) * 2
        assert (len(reader.chain.log_lengths), reader.chain.times[-1]) == (
            content.turn,
            content.time,
        )
        assert reader.chain.listed_orders.keys() == listed
        assert reader.in_force.keys() == accepted
        assert reader.chain.awaited == {one.seat: one.kinds for one in content.awaited}
        assert {s: j.name for s, j in reader.chain.standing.roster.items()} == {
            seat: game.joins[seat].content.name for seat in game.seats
        }


def test_the_owner_learns_that_their_orders_came_too_late(tmp_path):
    game = Played(tmp_path / "game").play(3)
    early = read_turns(game, 1, game.reader_at("b", 0, key=played_key("Bo")))
    late = game.send(make_orders(early, played_key("Bo"), ["food: [x]"], 9))
    game.ask()
    turn = game.turn()
    game.see(turn)
    listed = ListedOrders(late.id, "b", "refused", "late")
    assert listed in turn.content.orders
    reader = game.seats["b"].reader
    assert view_of(reader).excluded_orders == [(late.id.hex(), "late")]
    assert view_of(game.seats["a"].reader).excluded_orders == []
    game.ask()
    game.see(game.turn())
    assert view_of(reader).excluded_orders == []


def test_a_card_put_down_by_a_standing_line_turns_up_as_the_same_card(tmp_path):
    def standing(player):
        return [line.replace("food: [", "always food: [") for line in player.lines()]

    game = Played(tmp_path / "game", answer=standing).play(5)  # each player reads the turns
    turns = [record.content for record in game.turns]
    put = {entry.hidden for turn in turns for entry in turn.log if entry.by == "always [?]"}
    assert put
    assert put <= {(card.handle,) for turn in turns for card in turn.cards}


# ---------------------------------------------------------------- silence
def test_in_a_game_without_deadlines_silence_settles_nothing(short):
    reader, turn = read_turns(short, 2), short.turns[2].content
    key, decision = reader.public.pending[0]
    log = (replace(turn.log[0], by="default"), *turn.log[1:])
    said = refusal_of_turn(short, reader, replace(turn, log=log, silent=(decision.seat,)))
    assert said == ("rule", "the turn calls a seat silent before the deadline has passed")
    told = (
        f"question {key}: the turn says that the player was silent, but no turn has said that "
        "seat a is away"
    )
    assert refusal_of_turn(short, read_turns(short, 2), replace(turn, log=log)) == ("rule", told)


def test_silence_settles_no_question_without_a_default(silent):
    turn = next(record.content for record in silent.turns if record.content.silent)
    reader = read_turns(silent, turn.turn - 1)
    table = reader.public
    table.open_decisions = tuple(
        decision._replace(default=None) for decision in table.open_decisions
    )
    key = next(entry.key for entry in turn.log if entry.by == "default")
    said = refusal_of_turn(silent, reader, turn)
    assert said == ("rule", f"question {key}: {NO_ANSWER_FOR_SILENT}")


# ---------------------------------------------------------------- views
def test_a_players_view_has_what_that_player_may_know(finished):
    player = finished.seats["b"]
    reader, view = player.reader, view_of(player.reader)
    assert (view.game, view.head) == (reader.game.hex(), reader.chain.head.hex())
    assert (view.title, view.ruleset, view.referee) == ("Savannah", "evolution", "Ref")
    assert (view.names, view.seat) == ({"a": "Ann", "b": "Bo"}, "b")
    assert (view.turn, view.published, view.is_over) == (len(finished.turns),) * 2 + (True,)
    assert view.log == reader.own_log
    assert view.table.pending == []
    assert view.listed_orders.keys() == {ident.hex() for ident in finished.listed}
    force = reader.in_force["b"]
    assert (view.orders, view.revision) == (force.record.id.hex(), 1)
    assert [line.number for line in view.lines] == list(range(1, len(view.texts) + 1))
    assert view.accepted["b"] == force.record.content.turn + 1
    at = view.table_at(5)
    assert at.state != view.table.state
    assert [key for key, _ in at.pending][:1] == [view.log[view.log_lengths[4]].key]
    assert view_from_data(view.to_data()) == view
    assert view_from_data({**view.to_data(), "more": 1}) is None
    reader.preview = True
    shown = view_of(reader)
    assert (shown.published, shown.published_head) == (view.turn - 1, view.heads[-2])


def test_the_public_view_has_nothing_of_any_seat(finished):
    view = view_of(read_turns(finished, 9))
    assert (view.seat, view.orders, view.texts) == ("", "", [])
    assert (view.revision, view.rule_refusals, view.excluded_orders) == (0, [], [])
    assert not any("[" in e.text.replace("[?]", "") for e in view.log)
    assert view.published_head == view.head


def test_a_second_join_for_a_seat_does_not_change_who_has_it(short):
    other = short.join_by("b", "Bob", played_key("Eve"))
    joins = short.joins_by_id | {other.id: other}
    reader = short.table_at(0)
    reader.absorb(short.turns[0], short.finder._replace(joins=lambda: joins))
    assert reader.chain.standing.roster["b"].name == "Bo"
