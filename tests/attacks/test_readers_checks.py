"""Single checks of everybody's reader: each turn here is wrong in one way that is rarely tried."""

from dataclasses import replace

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.make_signed_records import make_orders
from pbem.judge.record_chain import Finder
from pbem.records.read_and_sign_record import make
from pbem.records.turn import ListedOrders, LogEntry, NewCards, OpenCard, sort_sets
from tests.kit.played_games import Played, played_key
from tests.kit.record_files import resigned
from tests.kit.refusals import refused_for

EVE = played_key("Eve")


def reader_refusal(game, number, here=None, find=None, **changes):
    """Why a reader of the turns before refuses turn `number` with these changes."""
    turn = sort_sets(replace(game.turns[number - 1].content, **changes))
    reader = game.table_at(number - 1)
    finder = Finder(find or game.find, lambda: here or game.joins_by_id)
    with pytest.raises(RecordError) as caught:
        reader.absorb(make(turn, game.referee), finder)
    return caught.value.reason, caught.value.sentence


# ------------------------------------------------------------------ who plays
def refusal_of_joins(game, **joins):
    """Turn 1 with other joins of some seats."""
    every = {**game.joins_by_id, **{join.id: join for join in joins.values()}}
    named = {**game.turns[0].content.joins, **{seat: join.id for seat, join in joins.items()}}
    return reader_refusal(game, 1, every, joins=named)


@pytest.mark.long
def test_a_players_join_must_bring_a_share_and_that_of_a_referees_seat_must_not(short, held):
    content = short.joins["b"].content
    without = make(replace(content, commit=b"", r=b""), played_key("Bo"))
    reason, told = refusal_of_joins(short, b=without)
    assert (reason, told) == (
        "field",
        "the join of seat b has no part of the seed for the dice (fields commit, r)",
    )
    join = held.joins["a"].content
    share = make(replace(join, commit=bytes(32), r=bytes(80)), held.seats["a"].key)
    reason, told = refusal_of_joins(held, a=share)
    assert told == "seat a is the referee's, so its join must not have the fields commit and r"


def test_a_turn_1_with_one_key_in_two_seats_is_refused(short):
    copied = resigned(short.joins["b"], played_key("Bo"), recovery=played_key("Ann").public)
    reason, told = refusal_of_joins(short, b=copied)
    assert (reason, told) == (
        "key",
        "seat b uses a key of seat a; each person needs keys of their own",
    )


# ------------------------------------------------------------------ orders
def test_orders_not_signed_by_the_seat_that_they_name_are_refused(short):
    reader = short.table_at(2)
    right = next(record for record in short.orders.values() if record.content.seat == "b")
    assert reader.orders_with_current_key(right.id, Finder(lambda _: right, dict)) is right
    for wrong in (
        resigned(right, EVE),
        resigned(right, played_key("Ann")),
        resigned(right, played_key("Bo"), seat="c"),
    ):
        with refused_for("key", "are not signed with the key of seat") as caught:
            reader.orders_with_current_key(wrong.id, Finder(lambda _, one=wrong: one, dict))
        assert caught.value.sentence.startswith(f"orders {wrong.id.hex()[:6]} are not")
    other = resigned(right, played_key("Bo"), game=bytes(32))
    with pytest.raises(RecordError) as caught:
        reader.orders_with_current_key(other.id, Finder(lambda _: other, dict))
    sentence = f"orders {other.id.hex()[:6]} are not orders of this game"
    assert (caught.value.reason, caught.value.sentence) == ("key", sentence)


def test_orders_listed_twice_or_for_another_seat_are_refused(short):
    listed, before = short.turns[2].content.orders, short.turns[1].content.orders
    again = before[0]
    assert reader_refusal(short, 3, orders=(*listed, again)) == (
        "opening",
        f"the turn lists orders {again.id.hex()[:6]}, which an earlier turn has listed already",
    )
    for row in listed:
        other = replace(row, seat="a" if row.seat == "b" else "b")
        rest = tuple(one for one in listed if one is not row)
        said = reader_refusal(short, 3, orders=(*rest, other))
        told = f"the turn lists orders {row.id.hex()[:6]} of seat {row.seat} as orders of seat"
        assert said == ("opening", f"{told} {other.seat}")


@pytest.mark.sample(0)
def test_a_card_that_turns_up_with_a_wrong_opening_is_refused_whatever_line_put_it_down(mixed):
    """Handles of plain lines come from the orders, those of standing lines from the entry."""
    reader, kinds = mixed.table_at(0), {}
    for record in mixed.turns:
        mixed.read_one(reader, record)
        for card in record.content.cards:
            origins = reader.cards.handle_origins.values()
            origin = next(o for o in origins if o.handle == card.handle)
            kinds.setdefault(origin.place is None, (record.content, card))
        if len(kinds) == 2:
            break
    for turn, card in kinds.values():
        salted = replace(card, salt=bytes(len(card.salt)))
        cards = tuple(salted if one is card else one for one in turn.cards)
        assert reader_refusal(mixed, turn.turn, cards=cards)[0] == "commitment"
    assert len(kinds) == 2


def own_turn(game):
    return next(record.content.turn for record in game.turns if record.content.own)


@pytest.mark.long
def test_the_referees_own_orders_must_answer_the_turn_that_names_them(held):
    number = own_turn(held)
    right = held.orders[held.turns[number - 1].content.own[0]]
    key = held.seats["a"].key

    def said(*records):
        every = {**held.orders, **{record.id: record for record in records}}
        own = tuple(record.id for record in records)
        return reader_refusal(held, number, find=every.__getitem__, own=own)

    told = (
        "the turn says that seat a answers it with {} (field own), but these orders answer a "
        "different turn"
    )
    for wrong in (resigned(right, key, turn=number + 1), resigned(right, key, prev=bytes(32))):
        assert said(wrong) == ("opening", told.format(wrong.id.hex()[:6]))
    second = resigned(right, key, revision=2)
    reason, sentence = said(right, second)
    assert reason == "opening"
    assert sentence.endswith(" (field own), and with other orders too")
    theirs = next(record for record in held.orders.values() if record.content.seat == "b")
    assert said(theirs)[1].startswith("the turn says that seat b answers it with ")
    assert said(theirs)[1].endswith(" (field own), but the referee does not play this seat")


@pytest.mark.sample(0)
def test_a_turn_must_use_the_referees_orders_that_the_turn_before_named(held):
    number = own_turn(held)
    named = held.turns[number - 1].content.own[0]
    after = held.turns[number].content
    listed = tuple(one for one in after.orders if one.id != named)
    reason, told = reader_refusal(held, number + 1, orders=listed)
    assert reason == "opening"
    assert told == (
        f"turn {number} said that orders of seat a count, but this turn does not use them"
    )


@pytest.mark.sample(0)
def test_orders_of_the_referees_seat_that_no_turn_named_count_as_late(held):
    """They could answer what the turn before showed to its referee alone."""
    number = own_turn(held)
    right = held.orders[held.turns[number - 1].content.own[0]]
    more = resigned(right, held.seats["a"].key, revision=2)
    every = {**held.orders, more.id: more}
    after = held.turns[number].content
    for status, reason, told in (
        ("accepted", "", "accepted"),
        ("replaced", "", "replaced"),
        ("refused", "rule", "refused (rule)"),
    ):
        listed = ListedOrders(more.id, "a", status, reason)
        said = reader_refusal(
            held, number + 1, find=every.__getitem__, orders=(*after.orders, listed)
        )
        subject = f"the turn lists orders {more.id.hex()[:6]} of seat a as {told}"
        assert said == ("opening", f"{subject}, but must list them as refused (late)")


# ------------------------------------------------------------------ the log
def test_a_log_entry_after_the_end_of_the_game_is_refused(finished):
    last = finished.turns[-1].content
    more = LogEntry("99.feed.feed.a.0", "a1 eats", "forced")
    assert reader_refusal(finished, last.turn, log=(*last.log, more)) == (
        "rule", "entry 99.feed.feed.a.0 comes after the end of the game",
    )  # fmt: skip


def test_a_turn_after_one_that_ended_the_game_is_refused(short):
    reader = short.table_at(2)
    reader.chain.last_turn = replace(reader.chain.last_turn, over=True)
    with refused_for("state", "this turn comes after turn 2, which ended the game"):
        reader.absorb(short.turns[2], short.finder)


def test_turn_1_must_have_a_deputys_box_exactly_if_the_charter_names_a_deputy(short, tmp_path):
    game = Played(tmp_path / "g", deputy=played_key("Dee")).play(1)
    box = game.turns[0].content.deputy
    lacks = "turn 1 lacks the box with the referee's secrets for the deputy (field deputy)"
    assert reader_refusal(game, 1, deputy=b"") == ("field", lacks)
    has = "turn 1 has a box for a deputy (field deputy), but this game has no deputy"
    assert reader_refusal(short, 1, deputy=box) == ("field", has)


def line_entry(game):
    """A turn, and the place of an entry in it that a line settled."""
    for record in game.turns:
        for place, entry in enumerate(record.content.log):
            if entry.by == "line [?]":
                return record.content, place
    raise AssertionError("no line settled anything")


def test_a_line_of_a_seat_without_orders_in_force_is_refused(short):
    turn, place = line_entry(short)
    key = turn.log[place].key
    reason, told = reader_refusal(short, turn.turn, orders=())
    seat = key.split(".")[3]
    assert (reason, told) == (
        "rule",
        (
            f"question {key}: the turn says that orders answered it, but seat {seat} has no "
            "orders for this round"
        ),
    )


def test_an_entry_that_answers_another_than_the_next_question_is_refused(short):
    turn, place = line_entry(short)
    entry = turn.log[place]
    log = (*turn.log[:place], replace(entry, key=f"{entry.key}9"), *turn.log[place + 1 :])
    reason, told = reader_refusal(short, turn.turn, log=log)
    assert (reason, told) == (
        "rule",
        f"the next question is {entry.key}, but the next entry answers question {entry.key}9",
    )


def test_a_line_that_settles_a_decision_must_be_opened(short):
    turn, place = line_entry(short)
    entry, lines = turn.log[place], turn.lines
    told = (
        "opening",
        f"entry {entry.key}: the turn shows no order of this player that says {entry.text!r}",
    )
    assert reader_refusal(short, turn.turn, lines=()) == told
    ids = {one.id for one in turn.orders if one.seat == entry.key.split(".")[3]}
    ours = [line for line in lines if line.order in ids]
    assert reader_refusal(short, turn.turn, lines=tuple(o for o in lines if o not in ours)) == told


def test_an_answer_that_the_opened_line_does_not_give_is_refused(short):
    """Another sentence of the same kind that is legal; the line of the seat is opened."""
    turn, place = line_entry(short)
    entry = turn.log[place]
    reader = short.table_at(turn.turn - 1)
    assert reader.public.pending[0][0] == turn.log[0].key
    log = list(turn.log)
    log[place] = replace(entry, hidden=(bytes([7]) * 32,) * len(entry.hidden))
    reason, told = reader_refusal(short, turn.turn, log=tuple(log))
    assert (reason, told) == (
        "opening",
        f"entry {entry.key}: the turn shows no order of this player that says {entry.text!r}",
    )


def test_an_empty_turn_2_or_one_not_signed_by_the_referee_is_refused(short):
    turn = short.turns[1]
    nothing = ("rule", "nothing happens in this turn, and such turns are not allowed")
    assert reader_refusal(short, 2, log=()) == nothing
    reader = short.table_at(1)
    with refused_for("key", "turn 2 is not signed by Ref, who was"):
        reader.absorb(resigned(turn, EVE), short.finder)


def test_every_reader_reads_a_game_that_waits_for_whole_rounds_from_turn_1(tmp_path):
    """Before turn 1 there is no deadline that anybody could have missed."""
    policies = {"wait": "round", "deadline": "1h"}
    game = Played(tmp_path / "g", players=3, policies=policies).play(3)
    for seat in "abc":
        assert game.seats[seat].reader.chain.turn == 3
    assert game.table_at().chain.deadline == game.turns[-1].content.deadline


def test_an_opening_that_the_log_does_not_need_is_refused(short):
    told = (
        "opening",
        "the turn shows a hidden card or a hidden line of orders that its log does not need",
    )
    turn, before = short.turns[2].content, short.turns[1].content
    for more in (
        {"links": (*turn.links, bytes([7]) * 32)},
        {"lines": (*turn.lines, before.lines[0])},
        {"cards": (*turn.cards, OpenCard(bytes([7]) * 32, "horns 3", bytes(32)))},
        {"decks": (*turn.decks, NewCards("deck", 0, 900, (bytes(32),)))},
    ):
        assert reader_refusal(short, 3, **more) == told


def test_packets_of_another_size_than_the_turn_gives_are_refused(short):
    """Turn 1 dealt cards to both seats, so its packets are longer."""
    turn, first = short.turns[2].content, short.turns[0].content
    size = len(turn.packets["a"])
    assert size < len(first.packets["a"])
    told = (
        f"the secret parts for the seats (packets) must have {size} bytes each, so that their "
        "size tells nothing about cards"
    )
    assert reader_refusal(short, 3, packets=first.packets) == ("padding", told)


def test_a_handle_given_to_two_cards_is_refused(short):
    """Both put a card down for food in turn 2."""
    turn = short.turns[1].content
    one, two = [place for place, entry in enumerate(turn.log) if entry.hidden][:2]
    again = replace(turn.log[two], hidden=turn.log[one].hidden)
    log = (*turn.log[:two], again, *turn.log[two + 1 :])
    assert reader_refusal(short, 2, log=log) == (
        "opening",
        (
            f"entry {again.key} gives a face-down card a code (handle) that an earlier card has "
            "already"
        ),
    )


# ------------------------------------------------------------------ one seat's reader
def test_a_seats_reader_refuses_a_turn_without_its_packet(short):
    reader = short.reader_at("b", 2, key=played_key("Bo"))
    turn = short.turns[2].content
    with pytest.raises(RecordError) as caught:
        reader._sealed_packet(replace(turn, packets={"a": turn.packets["a"]}))
    assert (caught.value.reason, caught.value.sentence) == (
        "box",
            ("turn 3 has no secret part for seat b (its packet), which shows the player their "
            "cards"),
    )  # fmt: skip


def test_readers_of_two_seats_have_the_same_table_and_different_logs(short):
    readers = [
        short.reader_at(seat, 3)
        for seat in "ab"
    ]  # fmt: skip
    for reader in readers:
        assert reader.public.state == short.table_at(3).public.state
        assert [e.key for e in reader.own_log] == [e.key for e in reader.log]
        assert [e.by for e in reader.log] != [e.by for e in reader.own_log]
    assert readers[0].own_log != readers[1].own_log
    orders = make_orders(readers[0], played_key("Ann"), [], 7)
    assert (orders.content.turn, orders.content.prev) == (3, readers[0].chain.head)
    guest = short.join_by("b", "Eve", EVE, b"")
    assert guest.content.prev == short.heads[0]


def test_a_turn_may_ask_a_seat_whose_standing_line_answers_while_it_waits_for_another(tmp_path):
    """Food is chosen together: the next round's question is open until the last answer is here."""

    def answer(player):
        lines = [*player.lines(), "always feed: * eats", "always feed: pass"]
        return (
            [*lines, "always food: the card with the least food"] if player.seat == "b" else lines
        )

    game = Played(tmp_path / "g", answer=answer)
    for _ in range(40):
        game.play(1)  # every player reads the turn, or this raises
        record = game.turns[-1].content
        if record.turn > 1 and {one.kinds for one in record.awaited} == {("food",)}:
            break
    assert sorted(one.seat for one in record.awaited) == ["a", "b"]
    reader = game.seats["b"].reader
    ((key, decision),) = [(k, d) for k, d in reader.own_table.pending if d.seat == "b"]
    assert reader.orders.answer(key, decision, reader.own_table.state) is not None
