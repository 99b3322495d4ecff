"""What a referee does wrong in the sight of all: everybody's reader refuses the turn at once."""

from dataclasses import replace

import pytest

from pbem.judge.make_signed_records import make_orders
from pbem.records.read_and_sign_record import make
from pbem.records.turn import ListedOrders, OpenCard
from tests.attacks.forging import Forged, first_turn_number, one_broken, turn_path
from tests.kit.played_games import HOUR, Played, played_key
from tests.kit.record_files import record_path


def signed_lie(forged, number, reason, **changes):
    """Turn `number` with these changes is refused by everybody, for this reason."""
    forged.resign(number, **changes)
    finding = forged.all_see(reason, turn_path(number))
    assert finding.culprit == "referee"
    return finding.sentence


def content(forged, wanted):
    number = first_turn_number(forged.turns, wanted)
    return number, forged.turns[number - 1].content


# ------------------------------------------------------------------ cards and dice
def test_a_turn_whose_die_shows_another_face_is_refused(forged_finished_game):
    turn = forged_finished_game.turns[0].content
    log = tuple(replace(e, text="b goes first") if "die" in e.key else e for e in turn.log)
    assert log != turn.log
    assert "the die shows" in signed_lie(forged_finished_game, 1, "chain", log=log)


def changed_card(turn, change):
    """A face-down card turns up as another."""
    opened = turn.cards[0]
    other = "climbing 2" if opened.card != "climbing 2" else "climbing 3"
    log = tuple(
        replace(e, text=e.text.replace(opened.card, other))
        if e.text.endswith(f"is {opened.card}")
        else e
        for e in turn.log
    )
    return {"log": log, "cards": (change(opened, other), *turn.cards[1:])}


def turns_cards_up(turn):
    return turn.cards


def opens_a_plain_line(turn):
    return turn.lines and not turn.lines[0].text.count("[")


def begins_with_a2(turn):
    return turn.log[0].text == "a2 eats"


def lists_orders(turn):
    return turn.turn > 8 and len(turn.orders) > 0


def other_seat(row):
    return replace(row, seat="b" if row.seat == "a" else "a")


LINK = b"\x55" * 32
LIES = {
    "a dice link that does not follow": (1, "chain", lambda t, f: {"links": (LINK,)}),
    "a dice link where no die falls": (3, "opening", lambda t, f: {"links": (LINK,)}),
    "no dice link where a die falls": (1, "opening", lambda t, f: {"links": ()}),
    "fewer commitments than cards that enter": (1, "opening", lambda t, f: {
        "decks": tuple(replace(new, cards=new.cards[:-1]) for new in t.decks)}),
    "cards that enter without a shuffle": (5, "opening", lambda t, f: {
        "decks": f.turns[0].content.decks}),
    "more cards dealt than the rules say": (1, "rule", lambda t, f: {
        "log": (*t.log[:-1], replace(t.log[-1], text=t.log[-1].text + " [?]"))}),
    "a card opened as one and told as another": (turns_cards_up, "opening", lambda t, f:
        changed_card(t, lambda opened, _: opened)),
    "a card that turns up without an opening": (turns_cards_up, "opening", lambda t, f: {
        "cards": t.cards[1:]}),
    "an opened card that stays face down": (turns_cards_up, "opening", lambda t, f: {
        "cards": (OpenCard(b"\x01" * 32, "climbing 2", b"\x02" * 32), *t.cards)}),
    "an altered opened line": (opens_a_plain_line, "commitment", lambda t, f: {
        "lines": (replace(t.lines[0], text=t.lines[0].text + "x"), *t.lines[1:])}),
    "a used line that is not opened": (lambda t: len(t.lines) > 1, "opening", lambda t, f: {
        "lines": t.lines[1:]}),
    "a choice called forced": (begins_with_a2, "rule", lambda t, f: {
        "log": (replace(t.log[0], by="forced"), *t.log[1:]), "lines": ()}),
    "a default before the deadline": (begins_with_a2, "rule", lambda t, f: {
        "log": (replace(t.log[0], by="default"), *t.log[1:]), "lines": ()}),
    "questions in another order": (lambda t: len(t.log) > 3, "rule", lambda t, f: {
        "log": (t.log[1], t.log[0], *t.log[2:])}),
    "another table": (7, "rule", lambda t, f: {"table": ("all is well",)}),
    "nobody who is asked": (7, "rule", lambda t, f: {"awaited": ()}),
    "an end that is none": (7, "rule", lambda t, f: {"over": True}),
    "another deadline": (7, "rule", lambda t, f: {"deadline": 1_900_000_000}),
    "a silent seat": (7, "rule", lambda t, f: {"silent": ("a",)}),
    "an early date": (7, "field", lambda t, f: {"time": 5}),
    "another head": (7, "place", lambda t, f: {"prev": b"\x01" * 32}),
    "an empty log": (7, "rule", lambda t, f: {"log": (), "lines": (), "cards": ()}),
    "no packet for a seat": (7, "field", lambda t, f: {"packets": {"a": t.packets["a"]}}),
    "orders of an earlier turn": (lists_orders, "opening", lambda t, f: {
        "orders": (f.turns[2].content.orders[0], *t.orders)}),
    "orders listed for another seat": (lists_orders, "opening", lambda t, f: {
        "orders": (other_seat(t.orders[0]), *t.orders[1:])}),
}  # fmt: skip
"""What a turn says: in which turn, the reason of the refusal, and the fields that are changed."""


@pytest.mark.sample(12)
@pytest.mark.parametrize(("where", "reason", "lie"), LIES.values(), ids=LIES.keys())
def test_everybody_refuses_a_turn_with_a_lie_that_all_can_see(
    forged_finished_game, where, reason, lie
):
    wanted = where if callable(where) else lambda turn: turn.turn == where
    number, turn = content(forged_finished_game, wanted)
    changes = lie(turn, forged_finished_game)
    assert any(getattr(turn, name) != value for name, value in changes.items())
    signed_lie(forged_finished_game, number, reason, **changes)


def test_a_face_down_card_that_turns_up_as_another_is_refused(forged_finished_game):
    number, turn = content(forged_finished_game, turns_cards_up)
    lie = changed_card(turn, lambda opened, other: replace(opened, card=other))
    signed_lie(forged_finished_game, number, "commitment", **lie)


# ------------------------------------------------------------------ the log and its lines
def test_a_log_entry_with_another_move_than_the_opened_line_is_refused(forged_finished_game):
    number, turn = content(forged_finished_game, begins_with_a2)
    log = (replace(turn.log[0], text="a3 eats"), *turn.log[1:])
    assert "the turn shows no order of this player that says" in signed_lie(
        forged_finished_game, number, "opening", log=log
    )


@pytest.mark.sample(0)
def test_a_turn_that_opens_a_line_it_does_not_need_is_refused(forged_finished_game):
    number, turn = content(forged_finished_game, lambda t: len(t.lines) == 1 and t.turn > 5)
    again = replace(turn.lines[0], slot=(turn.lines[0].slot + 1) % 64)
    signed_lie(forged_finished_game, number, "commitment", lines=(*turn.lines, again))
    other = replace(turn.lines[0], order=forged_finished_game.turns[1].content.lines[0].order)
    signed_lie(forged_finished_game, number, "opening", lines=(*turn.lines, other))
    spent = forged_finished_game.turns[1].content.lines[0]
    signed_lie(forged_finished_game, number, "opening", lines=(*turn.lines, spent))


def test_a_turn_with_an_illegal_move_is_refused(forged_finished_game):
    number, turn = content(forged_finished_game, begins_with_a2)
    log = (replace(turn.log[0], text="a9 eats"), *turn.log[1:])
    signed_lie(forged_finished_game, number, "rule", log=log)


def test_a_standing_line_of_a_seat_without_orders_is_refused(finished, tmp_path):
    game = Played(tmp_path / "game")
    turn = game.turn()
    game.see(turn)
    lines = game.seats["a"].lines(), game.seats["b"].lines()
    game.send(game.seats["a"].orders(lines[0]))
    forged = Forged(game, tmp_path)
    log = tuple(
        replace(entry, by="always [?]", hidden=(bytes([n]) * 32,))
        for n, entry in enumerate(finished.turns[1].content.log)
    )
    lie = replace(finished.turns[1].content, game=turn.content.game, prev=game.heads[-1], log=log,
                  lines=(), orders=())  # fmt: skip
    forged.write(turn_path(2), make(lie, forged.key).file)
    assert "a standing order answered it, but seat" in forged.all_see("rule", turn_path(2)).sentence


def test_a_handle_that_serves_a_second_card_is_refused(forged_finished_game):
    number, turn = content(forged_finished_game, lambda t: t.turn > 8 and t.log[0].hidden)
    old = next(e.hidden for t in forged_finished_game.turns for e in t.content.log if e.hidden)
    log = (replace(turn.log[0], by="always [?]", hidden=old), *turn.log[1:])
    assert "a code (handle) that an earlier card has already" in signed_lie(
        forged_finished_game, number, "opening", log=log
    )


# ------------------------------------------------------------------ the rest of a turn


def test_a_turn_with_packets_of_two_sizes_is_refused(forged_finished_game):
    def longer(body):
        start = body.index(b'\nb = "', body.index(b"[packets]")) + 6
        end = body.index(b'"', start)
        return body[:start] + b"A" * 10688 + body[end:]

    forged_finished_game.resign_raw(7, longer)
    finding = one_broken(forged_finished_game.audit(), "field", turn_path(7))
    assert "packets" in finding.sentence


# ------------------------------------------------------------------ orders listed
def turn_with_orders(forged, wanted=lists_orders):
    number, turn = content(forged, wanted)
    return number, turn.orders[0], turn.orders[1:]


@pytest.mark.sample(0)
def test_a_turn_that_falsely_calls_orders_replaced_late_or_forked_is_refused(forged_finished_game):
    number, listed, rest = turn_with_orders(forged_finished_game)
    for status, reason in (("replaced", ""), ("refused", "late"), ("refused", "forked")):
        lie = ListedOrders(listed.id, listed.seat, status, reason)
        signed_lie(forged_finished_game, number, "opening", orders=(lie, *rest))


@pytest.mark.sample(0)
def test_a_turn_that_uses_one_seats_orders_signed_by_another_is_refused(forged_finished_game):
    """Seat a, in league with the referee, signs what shall be seat b's."""
    number, listed, rest = turn_with_orders(
        forged_finished_game, lambda t: t.turn > 8 and t.orders[0].seat == "b"
    )
    real = forged_finished_game.game.orders[listed.id].content
    fake = make(real, played_key("Ann"))
    path = next((forged_finished_game.root / "orders").glob(f"*-{listed.id.hex()[:6]}.toml"))
    path.write_bytes(fake.file)
    sentence = signed_lie(forged_finished_game, number, "key", orders=(listed, *rest))
    assert "not signed with the key of seat b" in sentence


def test_a_turn_that_accepts_late_orders_is_refused(finished, tmp_path):
    """Backdated: sent when the turn was there, for the turn before."""
    game = Played(tmp_path / "game", table=finished.table).play(4)
    forged = Forged(game, tmp_path)
    late = make_orders(game.reader_at("b", 3), played_key("Bo"), [], 7)
    forged.write(f"orders/0003-b-7-{late.id.hex()[:6]}.toml", late.file)
    turn = finished.turns[4].content
    lie = (*turn.orders, ListedOrders(late.id, "b", "accepted"))
    honest = forged.turns[-1]
    assert honest.id == finished.turns[3].id
    forged.write(turn_path(5), finished.turns[4].file)
    used = finished.orders[turn.orders[0].id]
    forged.write(record_path(used), used.file)
    signed_lie(forged, 5, "opening", orders=lie)


def test_a_turn_that_accepts_a_lower_revision_of_orders_is_refused(tmp_path):
    game = Played(tmp_path / "game")
    game.see(game.turn())
    lines = [p.lines() for p in game.seats.values()]
    game.send(game.seats["a"].orders(lines[0]))
    one = game.send(game.seats["b"].orders(lines[1], 1))
    game.send(game.seats["b"].orders(lines[1], 2))
    honest = game.turn().content
    assert {(x.seat, x.status) for x in honest.orders} == {
        ("a", "accepted"), ("b", "accepted"), ("b", "replaced"),
    }  # fmt: skip
    swap = {"accepted": "replaced", "replaced": "accepted"}
    lie = tuple(replace(x, status=swap[x.status]) if x.seat == "b" else x for x in honest.orders)
    forged = Forged(game, tmp_path)
    forged.resign(2, orders=lie)
    assert forged.all_see("opening", turn_path(2))
    lie = tuple(replace(x, status="accepted") for x in honest.orders)
    forged.resign(2, orders=lie)
    assert "two sets" in forged.all_see("opening", turn_path(2)).sentence
    assert one.id in {x.id for x in honest.orders}


def test_of_two_sets_of_orders_with_one_revision_the_smaller_id_counts(tmp_path):
    """An honest accident: no offence, and the same whoever sorts them."""
    game = Played(tmp_path)
    game.see(game.turn())
    player = game.seats["b"]
    asked = next(d for _, d in player.reader.own_table.pending if d.seat == "b")
    two = [game.send(player.orders([f"food: {text}"])) for text in asked.option_list()[:2]]
    game.send(game.seats["a"].orders(game.seats["a"].lines()))
    turn = game.turn()
    game.see(turn)
    best = min(r.id for r in game.orders.values() if r.content.seat == "b")
    status = {x.id: x.status for x in turn.content.orders}
    assert status[best] == "accepted"
    assert sorted(status[r.id] for r in two) == ["accepted", "replaced"]


@pytest.mark.long
# ------------------------------------------------------------------ a seat of the referee
def test_a_turn_that_takes_an_answer_the_referee_gave_after_seeing_more_is_refused(held, tmp_path):
    """Seat a's answer was named in the turn; another one signed later cannot count."""
    forged = Forged(held, tmp_path)
    number = first_turn_number(held.turns, lambda t: t.turn > 8 and t.own) + 1
    turn = held.turns[number - 1].content
    named = held.orders[held.turns[number - 2].content.own[0]]
    later = make_orders(held.reader_at("a", number - 1), held.seats["a"].key, [], 2)
    assert (later.content.turn, later.content.prev) == (named.content.turn, named.content.prev)
    forged.write(f"orders/{number - 1:04}-a-2-{later.id.hex()[:6]}.toml", later.file)
    lies = [
        tuple(
            ListedOrders(later.id, "a", "accepted") if x.id == named.id else x for x in turn.orders
        ),
        tuple(x for x in turn.orders if x.id != named.id),
        (*turn.orders, ListedOrders(later.id, "a", "replaced")),
    ]
    for lie in lies:
        signed_lie(forged, number, "opening", orders=lie)


@pytest.mark.long
def test_a_turn_that_names_a_players_orders_as_the_referees_is_refused(held, tmp_path):
    forged = Forged(held, tmp_path)
    number = (
        first_turn_number(held.turns, lambda t: t.turn > 8 and any(x.seat == "b" for x in t.orders))
        - 1
    )
    theirs = next(x.id for x in held.turns[number].content.orders if x.seat == "b")
    signed_lie(forged, number, "opening", own=(theirs,))


# ------------------------------------------------------------------ silence
@pytest.mark.sample(0)
def test_a_turn_that_calls_a_seat_silent_before_the_deadline_is_refused(silent, tmp_path):
    forged = Forged(silent, tmp_path)
    number = first_turn_number(silent.turns, lambda t: t.silent)
    last = silent.turns[number - 2].content
    signed_lie(forged, number, "rule", time=last.deadline - 1, deadline=last.deadline - 1 + HOUR)


def test_a_turn_that_calls_a_seat_silent_which_was_not_asked_is_refused(silent, tmp_path):
    forged = Forged(silent, tmp_path)
    number = first_turn_number(
        silent.turns, lambda t: t.silent and len(silent.turns[t.turn - 2].content.awaited) == 1
    )
    signed_lie(forged, number, "rule", silent=("a", "b"))
