"""Single checks of a seat's reader: what only the owner of the seat can see is wrong in a turn."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine import Entry
from engine.resumed_orders import resumed_orders
from pbem.format.record_error import RecordError
from pbem.judge.order_line_checks import read_lines
from pbem.judge.seat_turn_reader import _SeatTurn
from pbem.records.packet import Packet
from pbem.records.read_and_sign_record import make
from pbem.records.seeded_decks_and_dice import position_of
from pbem.records.turn import ListedOrders
from tests.attacks.forging import boxes_of, first_turn_number, packets_of


def outcome(work, *args) -> str:
    """What is wrong, with its reason; empty if nothing is."""
    try:
        work(*args)
    except RecordError as error:
        return f"{error.sentence} [{error.reason}]"
    return ""


def owner_says(game, seat, number, more=0, **packet) -> str:
    """What the owner says of a turn whose packet for the seat has other contents.

    Everybody else takes the turn."""
    turn = game.turns[number - 1].content
    mine = replace(packets_of(game, turn)[seat], **packet)
    record = make(replace(turn, packets=boxes_of(game, turn, {seat: mine}, more)), game.referee)
    table = game.table_at(number - 1)
    table.absorb(record, game.finder)
    reader = game.reader_at(seat, number - 1)
    return outcome(reader.absorb, record, game.finder)


# ------------------------------------------------------------------ cards that were dealt
def test_the_owner_refuses_a_packet_that_does_not_open_the_dealt_cards(short):
    number = first_turn_number(short.turns, lambda turn: packets_of(short, turn)["b"].dealt)
    dealt = packets_of(short, short.turns[number - 1].content)["b"].dealt
    one = dealt[0]
    assert owner_says(short, "b", number, dealt=dealt) == ""
    assert owner_says(short, "b", number, dealt=dealt[1:]) == (
        f"card {one.k} of the deck was dealt to you, but the secret part of the turn for your seat "
        "(your packet) does not show the card [opening]"
    )
    strange = (replace(one, k=one.k + 70), *dealt[1:])
    assert owner_says(short, "b", number, dealt=strange).endswith(
        "(your packet) does not show the card [opening]"
    )
    lied = (replace(one, card="horns 9"), *dealt[1:])
    assert owner_says(short, "b", number, dealt=lied).endswith("[commitment]")


MORE = (
    "the secret part of the turn for your seat (your packet) shows cards that you did not get in "
    "this turn [opening]"
)


def test_the_owner_refuses_a_packet_that_opens_cards_of_an_earlier_turn(short):
    """Turn 3 deals nothing: room is left in the box for a card that was dealt before."""
    old = packets_of(short, short.turns[0].content)["b"].dealt[0]
    number = first_turn_number(short.turns[1:], lambda turn: not packets_of(short, turn)["b"].dealt)
    turn = short.turns[number - 1].content
    reader = short.reader_at("b", number - 1)
    before = len(reader.log)

    def said(**opened):
        reader.seat_cards.begin(Packet(**opened), reader.unsealed)
        return outcome(_SeatTurn(reader).play, replace(turn, log=()), before)

    assert said(dealt=(old,)) == said(under=(old,)) == MORE
    assert said() == ""


def test_the_owner_refuses_a_packet_that_hides_cards_they_put_under_the_deck(short):
    """The cards that were dealt to the seat stand for them: their commitments are public."""
    dealt = packets_of(short, short.turns[0].content)["b"].dealt
    reader, places = short.reader_at("b", 1), [position_of(opening) for opening in dealt]
    decision = SimpleNamespace(cards=[opening.card for opening in dealt])

    def said(*under, decision=decision):
        cards = reader.seat_cards
        cards.begin(Packet(under=under), reader.unsealed)
        return outcome(cards.check_under, decision, places) or sorted(cards.under)

    assert said(*dealt) == []
    one = dealt[0]
    told = (
        "you put {} under the deck, but the secret part of the turn for your seat (your "
        "packet) does not show this [opening]"
    )
    assert said(*dealt[1:]) == told.format(one.card)
    other = SimpleNamespace(cards=["horns 9", *decision.cards[1:]])
    assert said(*dealt, decision=other) == told.format("horns 9")
    salted = replace(one, salt=bytes(len(one.salt)))
    assert str(said(salted, *dealt[1:])).endswith("[commitment]")
    assert said(*dealt, replace(one, k=99)) == [position_of(one)._replace(k=99)]


def at_work(game, seat, number):
    """The owner's reader before a turn, reading its entries one by one."""
    reader = game.reader_at(seat, number - 1)
    return reader, _SeatTurn(reader)


def decision_of(game, seat, kind=""):
    """Where a seat is asked something: the turn before which it happens, and the question."""
    for record in game.turns[:-1]:
        reader = game.reader_at(seat, record.content.turn)
        if reader.public.pending:
            key, decision = reader.public.pending[0]
            if decision.seat == seat and (not kind or decision.kind == kind):
                return record.content.turn + 1, key
    raise AssertionError("the seat is never asked first")


def given(reader, *texts):
    """The reader once the seat's orders in force say this."""
    reader.orders = resumed_orders(
        reader.own_table, reader.seat, reader.public.state.round, read_lines(texts), [], 0
    )


# ------------------------------------------------------------------ whose doing an entry is
def test_the_owner_refuses_a_turn_that_does_not_follow_their_orders(short):
    number, key = decision_of(short, "b")
    reader, turn = at_work(short, "b", number)
    decision = reader.own_table.pending[0][1]
    said = [text for text in decision.option_list() if "[" not in text]
    one, two = said[:2]
    given(reader, f"{decision.kind}: {one}")
    entry = Entry(key, "b", one, "line [?]", decision.to)

    def own(**changes):
        return outcome(turn._check_own_entry, key, decision, entry._replace(**changes))

    assert turn._check_own_entry(key, decision, entry).by == "line [1]"
    assert own(text=two) == f"question {key}: you ordered {one!r}, but the turn says {two!r} [rule]"
    assert own(by="always [?]") == (
        f"question {key}: {one!r} comes from an order, but the turn says that it comes from a "
        "standing order [rule]"
    )
    silent = f"question {key}: the turn calls you silent, but your orders say {one!r} [rule]"
    assert own(by="default") == own(by="bot") == silent
    none = f"question {key}: the turn says that you chose this, but none of your orders fits [rule]"
    given(reader, "food: nothing of the kind")
    assert own() == own(by="always [?]") == none
    reader.orders = None
    assert own() == none
    if decision.default is not None:
        assert turn._expected_choice(key, decision, "default") == (decision.default(), "default")


def test_the_owner_refuses_a_choice_that_the_bot_of_their_open_seat_does_not_make(short):
    number, key = decision_of(short, "b")
    reader, turn = at_work(short, "b", number)
    decision = reader.own_table.pending[0][1]
    reader.orders = None
    text, by = turn._expected_choice(key, decision, "bot")
    assert by == "bot"
    other = next(one for one in decision.option_list() if one != text)
    entry = Entry(key, "b", other, "bot", decision.to)
    told = (
        f"question {key}: the bot of your seat chooses {text!r}, but the turn says {other!r} [rule]"
    )
    assert outcome(turn._check_own_entry, key, decision, entry) == told


# ------------------------------------------------------------------ what is asked
def test_the_owner_refuses_a_turn_that_asks_what_their_lines_already_answer(short):
    number, key = decision_of(short, "b")
    reader = short.reader_at("b", number - 1)
    decision = reader.own_table.pending[0][1]
    text = next(one for one in decision.option_list() if "[" not in one)
    assert outcome(reader._check_asked) == ""
    given(reader, f"{decision.kind}: {text}")
    assert {one.seat for _, one in reader.own_table.pending} == {"b"}
    told = f"question {key}: the turn asks you, although your orders already say {text!r} [rule]"
    assert outcome(reader._check_asked) == told
    given(reader, "leaf: nothing of the kind")
    assert outcome(reader._check_asked) == ""
    reader.orders = None
    assert outcome(reader._check_asked) == ""


# ------------------------------------------------------------------ refused or not
def test_the_owner_checks_that_orders_are_refused_exactly_if_they_are_wrong(short):
    number, _ = decision_of(short, "b")
    reader = short.reader_at("b", number - 1)
    player = replace(short.seats["b"], reader=reader)
    turn = short.turns[number - 1].content
    right, wrong = player.orders([], 5), player.orders(["feed: b9 eats [horns 4]"], 6)
    orders = {record.id: record for record in (right, wrong)}
    find = short.finder._replace(orders=orders.__getitem__)

    def said(record, status, reason="", seat="b"):
        row = ListedOrders(record.id, seat, status, reason)
        return outcome(reader._check_refusals, replace(turn, orders=(row,)), find)

    assert said(right, "accepted") == said(right, "replaced") == ""
    assert said(wrong, "refused", "rule") == ""
    digits = right.id.hex()[:6]
    told = (
        f"the turn lists your orders {digits} as refused ({{}}), but must list them as valid [rule]"
    )
    for reason in ("rule", "unopenable"):
        assert said(right, "refused", reason) == told.format(reason)
    for reason in ("late", "forked"):
        assert said(right, "refused", reason) == said(wrong, "refused", reason) == ""
    digits = wrong.id.hex()[:6]
    for status in ("accepted", "replaced"):
        assert said(wrong, status) == (
            f"the turn lists your orders {digits} as {status}, but must list them as refused "
            "(rule) [rule]"
        )
    assert said(wrong, "accepted", seat="a") == "", "the owner of seat a sees that"


# ------------------------------------------------------------------ cards that were put down
def test_the_owner_refuses_a_handle_of_another_card_than_they_put_down(short):
    """Turn 2: seat b put a card down for food with a line of its own."""
    turn = short.turns[1].content
    number, entry = next(
        (n, e) for n, e in enumerate(turn.log) if e.hidden and e.key.split(".")[3] == "b"
    )
    reader = short.reader_at("b", 2)
    put_down = reader.seat_cards.check_put_down
    reader.seat_cards.begin(Packet(), reader.unsealed)
    at = len(short.reader_at("b", 1).log) + number
    own = reader.own_log[at]
    assert outcome(put_down, at, own, entry) == ""
    card = own.text.partition("[")[2].rstrip("]")
    told = (
        f"entry {own.key}: you put down {card}, but the code in the turn (its handle) belongs "
        "to another card [commitment]"
    )
    strange = replace(entry, hidden=(bytes(32),))
    assert outcome(put_down, at, own, strange) == told
    other = own._replace(text=own.text.replace(card, "horns 9"))
    assert outcome(put_down, at, other, entry) == told.replace(card, "horns 9")
    reader.seat_cards.begin(Packet(), None)
    assert outcome(put_down, at, own, entry) == told


@pytest.mark.long
def test_the_owner_refuses_a_packet_with_another_card_behind_a_standing_lines_handle(mixed):
    """Standing lines get new handles, which the packet opens to the owner."""
    for record in mixed.turns:
        turn = record.content
        for seat, packet in packets_of(mixed, turn).items():
            if packet.hidden:
                opening = packet.hidden[0]
                salted = (replace(opening, salt=bytes(len(opening.salt))), *packet.hidden[1:])
                lied = (replace(opening, card="horns 9"), *packet.hidden[1:])
                number = turn.turn
                for hidden in (salted, lied):
                    assert owner_says(mixed, seat, number, hidden=hidden).endswith("[commitment]")
                left = owner_says(mixed, seat, number, hidden=packet.hidden[1:])
                assert f"you put down {opening.card}, but the code in the turn (its handle)" in left
                assert left.endswith("belongs to another card [commitment]")
                return
    raise AssertionError("no standing line put a card down")
