"""What a referee does wrong in secret: its victim sees it at once, everybody after `final`."""

from dataclasses import replace

import pytest

from engine import mask
from pbem.format.record_error import RecordError
from pbem.judge.audit import audit
from pbem.records.packet import Packet, open_packet
from pbem.records.read_and_sign_record import make
from pbem.records.sealed_orders import (
    OrderPlace,
    UnsealedOrders,
    handles_in,
    line_commitment,
    seal_orders,
)
from pbem.records.turn import ListedOrders
from tests.attacks import cheats
from tests.attacks.forging import (
    Forged,
    boxes_of,
    finding_of,
    first_turn_number,
    one_broken,
    turn_path,
    with_flipped_bit,
)
from tests.kit.played_games import Played, Player, advance_in, played_key
from tests.kit.record_files import resigned
from tests.kit.refusals import refused_for


def victim(game):
    """Play until a player refuses a turn: seat, reason, turn. The table never refuses one."""
    table = game.table_at(0)
    while not game.over:
        turn = game.turn()
        table.absorb(turn, game.finder)
        for seat, player in game.seats.items():
            try:
                player.reader.absorb(turn, game.finder)
            except RecordError as error:
                return seat, error.reason, turn.content.turn
        game.ask()
    return "", "", 0


def after_final(game):
    game.finish()
    return audit(game.folder)


# ------------------------------------------------------------------ the deck and the dice
@pytest.mark.long
@pytest.mark.parametrize(
    "maker", [cheats.DeckRerolled, cheats.DeckUnsorted, cheats.OtherDice], ids=lambda m: m.__name__
)
def test_a_deck_or_dice_that_do_not_follow_from_the_seed_are_found_after_the_final(tmp_path, maker):
    """Nobody can see it while the game goes on; anybody can when it is over."""
    game = Played(tmp_path, maker=maker, options={"together": "yes"}).play()
    finding = one_broken(audit(game.folder), "chain", turn_path(1))
    assert finding.culprit == "referee"
    (tmp_path / "final.toml").unlink()
    assert audit(game.folder).exit == 0


def test_the_owner_finds_that_another_card_than_the_top_one_was_dealt(tmp_path):
    game = Played(tmp_path, maker=cheats.SecondDealing)
    assert victim(game) == ("a", "opening", 1)
    finding_of(after_final(game), "chain", turn_path(1))


def test_the_owner_finds_that_a_dealt_card_was_changed(tmp_path):
    game = Played(tmp_path, maker=cheats.CardChanged)
    assert victim(game) == ("a", "commitment", 1)
    finding_of(after_final(game), "chain", turn_path(1))


# ------------------------------------------------------------------ lines
def two_foods(player: Player):
    """Two lines that both fit, and one that stands."""
    if player.seat != "b" or "food" not in player.reader.chain.awaited.get("b", ()):
        return player.lines()
    asked = next(d for _, d in player.reader.own_table.pending if d.seat == "b")
    cards = list(dict.fromkeys(asked.option_list()))
    return [f"food: {text}" for text in cards[:2]] + ["always feed: * eats"]


def test_the_owner_finds_that_a_later_line_was_used_instead_of_an_earlier_one(tmp_path):
    game = Played(tmp_path, maker=cheats.LaterLine, answer=two_foods)
    assert victim(game) == ("b", "commitment", 2)
    finding_of(after_final(game), "commitment", turn_path(2))


def feeds_by_standing_lines(player: Player):
    return [*player.lines(), "always feed: * eats", "always feed: pass"]


@pytest.mark.long
def test_standing_lines_settle_decisions_without_being_opened(tmp_path):
    game = Played(tmp_path, answer=feeds_by_standing_lines).play()
    used = [e for t in game.turns for e in t.content.log if e.by == "always [?]"]
    assert used
    assert not [o for t in game.turns for o in t.content.lines if o.text.startswith("always")]
    assert audit(game.folder).proven


def two_standing_foods(player: Player):
    if player.seat != "b":
        return player.lines()
    lines = [line for line in player.lines() if not line.startswith("food: ")]
    asked = next((d for _, d in player.reader.own_table.pending if d.seat == "b"), None)
    if asked is None or asked.kind != "food":
        return lines
    cards = list(dict.fromkeys(asked.option_list()))
    return [*lines, *(f"always food: {text}" for text in cards[:2])]


def test_the_owner_finds_that_a_later_standing_line_was_used_instead_of_an_earlier_one(tmp_path):
    """The card stays closed until it turns up; its owner sees at once that it is the wrong one."""
    game = Played(tmp_path, maker=cheats.LaterLine, answer=two_standing_foods)
    seat, reason, turn = victim(game)
    assert (seat, reason, turn) == ("b", "commitment", 2)
    finding_of(after_final(game), "commitment", turn_path(2))


def test_the_owner_finds_that_standing_lines_were_lost(tmp_path):
    """The seat is asked what its lines answer."""
    game = Played(tmp_path, maker=cheats.LinesLost, answer=feeds_by_standing_lines)
    seat, reason, turn = victim(game)
    assert (seat, reason) == ("b", "rule")
    assert "stops before" in finding_of(after_final(game), "rule", turn_path(turn)).sentence


@pytest.mark.sample(0)
def test_the_owner_finds_a_standing_line_that_they_did_not_write(forged_finished_game):
    """`always` instead of the line: legal, so the table believes it; the owner does not."""
    number = first_turn_number(
        forged_finished_game.turns, lambda t: t.log[0].text == "a2 eats" and len(t.log) == 1
    )
    turn = forged_finished_game.turns[number - 1].content
    log = (replace(turn.log[0], by="always [?]"),)
    forged_finished_game.resign(number, log=log, lines=())
    forged_finished_game.owner_sees("a", "rule", turn_path(number))
    forged_finished_game.seen_after("rule", turn_path(number))


def test_the_owner_finds_another_card_behind_a_handle(forged_finished_game):
    number = first_turn_number(
        forged_finished_game.turns, lambda t: t.log[0].by == "line [?]" and t.log[0].hidden
    )
    turn = forged_finished_game.turns[number - 1].content
    entry = turn.log[0]
    seat = entry.key.split(".")[3]
    log = (replace(entry, by="always [?]", hidden=(b"\x09" * 32,)), *turn.log[1:])
    lines = tuple(o for o in turn.lines if entry.hidden[0].hex() not in o.text)
    boxes = boxes_of(
        forged_finished_game.game, turn, {}, more=256
    )  # the table sees that it must open a card
    forged_finished_game.resign(number, log=log, lines=lines, packets=boxes)
    forged_finished_game.owner_sees(seat, "rule", turn_path(number))
    assert "entry 0" in forged_finished_game.seen_after("rule", turn_path(number)).sentence


# ------------------------------------------------------------------ packets
def opened_packet(game, number, seat):
    turn = game.turns[number - 1].content
    return open_packet(number, seat, turn.packets[seat], game.made.keys[seat])


@pytest.mark.sample(0)
def test_the_owner_finds_that_their_packet_does_not_open(forged_finished_game):
    box = forged_finished_game.turns[7].content.packets
    flipped = {s: bytes([b[0] ^ (s == "b")]) + b[1:] for s, b in box.items()}
    forged_finished_game.resign(8, packets=flipped)
    forged_finished_game.owner_sees("b", "box", turn_path(8))
    assert (
        "the secret part for seat b"
        in forged_finished_game.seen_after("box", turn_path(8)).sentence
    )


def test_the_owner_finds_that_packets_were_exchanged(forged_finished_game):
    box = forged_finished_game.turns[7].content.packets
    forged_finished_game.resign(8, packets={"a": box["b"], "b": box["a"]})
    forged_finished_game.owner_sees("a", "box", turn_path(8))


@pytest.mark.long
def test_the_owner_finds_a_packet_that_opens_too_much_or_too_little(forged_finished_game):
    number = next(
        n
        for n in range(2, len(forged_finished_game.turns))
        if all(opened_packet(forged_finished_game.game, n, seat).dealt for seat in "ab")
    )
    packet = opened_packet(forged_finished_game.game, number, "b")
    for wrong in (
        Packet(),
        replace(
            packet,
            dealt=packet.dealt + opened_packet(forged_finished_game.game, number, "a").dealt[:1],
        ),
    ):
        turn = forged_finished_game.game.turns[number - 1].content
        boxes = boxes_of(forged_finished_game.game, turn, {"b": wrong})
        forged_finished_game.resign(number, packets=boxes)
        forged_finished_game.owner_sees("b", "opening", turn_path(number))
        forged_finished_game.seen_after("chain", turn_path(number))


# ------------------------------------------------------------------ refusals
@pytest.mark.parametrize("reason", ["rule", "unopenable"])
def test_the_owner_finds_that_good_orders_were_refused(tmp_path, reason):
    game = Played(tmp_path / "game").play(2)
    turn = game.turns[-1].content
    (seat,) = {asked.seat for asked in turn.awaited}
    player = game.seats[seat]
    extra = game.send(player.orders([*player.lines(), "always feed: * eats"], 2))
    honest = game.turn().content
    lie = tuple(
        ListedOrders(x.id, x.seat, "refused", reason) for x in honest.orders if x.id == extra.id
    )
    rest = tuple(replace(x, status="accepted") for x in honest.orders if x.id != extra.id)
    assert len(rest) == 1
    forged = Forged(game, tmp_path)
    older = next(r for r in game.orders.values() if r.id == rest[0].id)
    unsealed = game.made.open(older.content)
    ranks = {mask(text): n for n, text in enumerate(unsealed.texts)}
    lines = tuple(unsealed.opening(ranks[mask(line.text)], older.id) for line in honest.lines)
    handles = iter(handle for line in lines for handle in handles_in(line.text))
    log = tuple(replace(e, hidden=tuple(next(handles) for _ in e.hidden)) for e in honest.log)
    more = 16 * 912 if reason == "rule" else 0
    boxes = boxes_of(game, honest, {}, more=more)
    in_order = tuple(sorted(lines, key=lambda line: line.slot))
    forged.resign(3, orders=(*lie, *rest), lines=in_order, log=log, packets=boxes)
    forged.owner_sees(seat, "rule", turn_path(3))
    assert ", but must list them as " in forged.seen_after("rule", turn_path(3)).sentence


def crooked_orders(player, change):
    """Signed orders whose slots or box are not what they must be."""
    honest = player.orders(player.lines(), 2).content
    return make(change(honest), player.key)


def second_set(orders):
    """A line hidden in the filling, to be opened if it suits better."""
    place = OrderPlace.of_orders(orders)
    slot = 5
    hidden = line_commitment(place, slot, "feed: * eats", b"\x05" * 32)
    return replace(orders, lines=(*orders.lines[:slot], hidden, *orders.lines[slot + 1 :]))


def more_sheets(orders):
    filling = tuple(bytes([n]) * 32 for n in range(64))
    return replace(orders, lines=orders.lines + filling, box=orders.box + bytes(2048))


@pytest.mark.sample(1)
@pytest.mark.parametrize("change", [with_flipped_bit, second_set, more_sheets])
def test_orders_that_do_not_open_are_refused_and_the_game_goes_on(tmp_path, change):
    game = Played(tmp_path)
    game.see(game.turn())
    game.ask()
    player = game.seats["b"]
    bad = game.send(crooked_orders(player, change))
    turn = game.turn()
    game.see(turn)
    listed = {x.id: (x.status, x.reason) for x in turn.content.orders}
    assert listed[bad.id] == ("refused", "unopenable")
    assert list(listed.values()).count(("accepted", "")) == 2
    while not game.over and len(game.turns) < 6:
        game.ask()
        game.see(game.turn())
    game.finish()
    assert [f.reason for f in audit(game.folder).broken] == ["state"], "only the early end"


def test_wrong_orders_are_refused_and_only_their_owner_learns_why(tmp_path):
    game = Played(tmp_path)
    game.see(game.turn())
    game.ask()
    player = game.seats["b"]
    bad = game.send(player.orders(["play: nonsense", "feed: a9 attacks b1", "food: [no card]"], 2))
    turn = game.turn()
    game.see(turn)
    assert ListedOrders(bad.id, "b", "refused", "rule") in turn.content.orders
    assert {r.order for r in player.reader.rule_refusals} == {bad.id}
    assert game.seats["a"].reader.rule_refusals == ()
    game.finish()
    assert [f.reason for f in audit(game.folder).broken] == ["state"]


@pytest.mark.sample(0)
def test_a_flood_of_wrong_orders_does_not_keep_the_turn_from_being_made(tmp_path):
    """Details are cut off, packets stay small, and the turn is made."""
    game = Played(tmp_path)
    game.see(game.turn())
    game.ask()
    player = game.seats["b"]
    for revision in range(2, 12):
        game.send(player.orders([f"feed: nonsense {n}" for n in range(256)], revision))
    turn = game.turn()
    game.see(turn)
    assert len(turn.content.orders) == 12
    assert len(turn.content.packets["a"]) < 20_000
    assert 0 < len(player.reader.rule_refusals) <= 64


def test_a_join_that_cannot_be_opened_does_not_count(tmp_path):
    game = Played(tmp_path)
    path = next((tmp_path / "seats").glob("b-*.toml"))
    good = game.joins["b"]
    path.unlink()
    commit = replace(good.content, commit=b"\x07" * 32)
    bad = make(commit, played_key("Bo"))
    (tmp_path / f"seats/b-{bad.id.hex()[:6]}.toml").write_bytes(bad.file)
    run = advance_in(game.root, game.now).run
    assert run().awaited_kinds == {"b": ("join",)}
    path.write_bytes(good.file)
    outcome = advance_in(game.root, game.now).run()
    assert outcome.new_records[0][1].content.joins["b"] == good.id


def test_a_turn_1_with_one_box_key_in_two_seats_is_refused(tmp_path):
    """Seat b takes seat a's key for boxes: nobody may begin such a game, nor read one."""
    game = Played(tmp_path)
    good = game.joins
    x25519 = good["a"].content.x25519
    bad = resigned(good["b"], played_key("Bo"), x25519=x25519)
    turn = game.turn().content
    table = game.table_at(0)
    joins = {good["a"].id: good["a"], bad.id: bad}
    lie = replace(turn, joins={"a": good["a"].id, "b": bad.id})
    with refused_for("key"):
        table.absorb(make(lie, game.referee), game.finder._replace(joins=lambda: joins))


def test_a_turn_1_with_a_join_of_another_seat_or_none_is_refused(finished, tmp_path):
    forged = Forged(finished, tmp_path)
    joins = dict(forged.turns[0].content.joins)
    forged.resign(1, joins={"a": joins["b"], "b": joins["a"]})
    assert forged.audit().exit != 0
    forged.resign(1, joins=joins | {"b": b"\x01" * 32})
    finding = forged.audit().broken[0]
    assert finding.path == "seats/b-010101.toml"
    assert (finding.reason, forged.audit().exit) == ("parent", 5)


def test_orders_sealed_with_any_secret_are_accepted(tmp_path):
    """Another program may derive its secret as it likes: the referee only recomputes."""
    game = Played(tmp_path)
    game.see(game.turn())
    game.send(game.seats["a"].orders(game.seats["a"].lines()))
    player = game.seats["b"]
    place = OrderPlace(player.reader.game, 1, "b", 1)
    unsealed = UnsealedOrders(place, b"\x01" * 32, player.lines())
    orders = seal_orders(place, player.reader.chain.head, unsealed, player.reader.key)
    game.send(make(orders, player.key))
    turn = game.turn()
    game.see(turn)
    assert [x.status for x in turn.content.orders] == ["accepted", "accepted"]
