"""Whoever deals, or joins, must not choose: what reaches the deck and the dice, and who sits where.

Each test is an attack that once succeeded and left the audit saying "Proven".
"""

from dataclasses import replace

import pytest

from engine.decisions import die
from pbem.format.encrypted_box import box_key
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.awaited_and_silent_seats import inputs_of
from pbem.judge.orders_for_next_turn import OrderSorter
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.sealed_dealer import SealedDealer
from pbem.judge.turn_inputs_and_outcome import SortedOrders, TurnInputs
from pbem.judge.which_joins_count import claim_of, shared_key_owner
from pbem.records.invite import door_key
from pbem.records.join import door_message, find_shared_key, small_box
from pbem.records.read_and_sign_record import make
from pbem.records.record_count_and_size_limits import MAX_DOOR_JOINS
from pbem.wording.audit_certificate import statement
from tests.attacks.forging import Forged, finding_of, turn_path
from tests.attacks.seating import EVE, advance_with, choose_joins, put_join, second_join
from tests.kit.played_games import START, Played, played_key
from tests.kit.record_files import resigned
from tests.kit.sample_records import NO_INPUTS


def first_turn(game, joins):
    maker = game.turn_maker(joins)
    return maker.make(TurnInputs(SortedOrders(), (), START))


def chance_parts(turn):
    """All that chance brought: commitments to cards, and the log with its dice."""
    return turn.decks, turn.log, turn.links, turn.link0


# ------------------------------------------------------------------ 1: the deck cannot be ground
def held_join(game, n):
    """Another join of seat a, which the referee holds: nobody opens its contact box."""
    audit = Secrets(game.referee.seed).audit(game.charter.content.table)
    key = game.seats["a"].key
    join = game.joins["a"].content
    box = box_key(audit, join.x25519, game.game_folder.game)
    contact = small_box(box, "contact", "a", key.public, n.to_bytes(8, "big"))
    return make(replace(join, contact=contact), key)


@pytest.mark.long
def test_ten_thousand_contact_boxes_of_a_referees_seat_do_not_change_the_deal(tmp_path):
    """The cheat varies the join of the seat that it holds after it has opened every share."""
    game = Played(tmp_path / "game", plays=("a",))
    maker = game.turn_maker()
    right, boxes = maker.cards.dealing.shuffled("deck", 0, "abcdefgh"), set()
    own = game.joins["a"]
    for n in range(10_000):
        join = own if n == 0 else replace_contact(own, n)
        maker.joins = {**maker.joins, "a": join}
        boxes.add(join.content.contact)
        assert maker._new_cards().dealing.shuffled("deck", 0, "abcdefgh") == right
    assert len(boxes) == 10_000
    whole = [
        chance_parts(first_turn(game, {**game.joins, "a": held_join(game, n)})) for n in range(3)
    ]
    assert whole[0] == whole[1] == whole[2]


def replace_contact(record, n):
    """The record with another contact box; signing 10,000 of them would prove no more."""
    content = replace(record.content, contact=n.to_bytes(528, "big"))
    return replace(record, content=content)


@pytest.mark.parametrize("field", ["name", "recovery", "contact"])
def test_name_recovery_key_and_contact_of_a_join_do_not_change_the_deal(unstarted_game, field):
    player = unstarted_game.seats["b"]
    join = unstarted_game.joins["b"].content
    other = {"name": "Bob", "recovery": EVE.public, "contact": bytes(528)}[field]
    varied = make(replace(join, **{field: other}), player.key)
    one, two = (
        first_turn(unstarted_game, {**unstarted_game.joins, "b": b})
        for b in (unstarted_game.joins["b"], varied)
    )
    assert chance_parts(one) == chance_parts(two)


def test_every_players_share_changes_the_deck(unstarted_game):
    """The one thing that a player brings counts: another share is another deck."""
    code = unstarted_game.invite_code("b")
    other = unstarted_game.join_by("b", "Bo", EVE, code)
    one, two = (
        first_turn(unstarted_game, {**unstarted_game.joins, "b": b})
        for b in (unstarted_game.joins["b"], other)
    )
    assert one.decks != two.decks


# ------------------------------------------------------------------ 2: which join counts


def test_a_turn_1_that_hides_that_it_seated_a_join_without_the_code_is_found(tmp_path):
    game = Played(tmp_path / "game")
    seats = game.joins
    stranger = put_join(game, game.join_by("b", "Bo", EVE))
    forged = seated_by_cheat(game, tmp_path, {**seats, "b": stranger})
    finding = finding_of(forged.audit(), "rule", turn_path(1))
    assert (finding.culprit, "joined without the invite" in finding.sentence) == ("referee", True)
    assert finding.turn == 1


def test_the_certificate_names_a_stranger_seated_by_the_referees_word(tmp_path):
    game = Played(tmp_path / "game")
    stranger = put_join(game, game.join_by("b", "Eve", EVE))
    forged = seated_by_cheat(game, tmp_path, {**game.joins, "b": stranger}, (stranger.id,))
    digits = stranger.id.hex()[:6]
    said = " ".join(statement(forged.audit()))
    assert (
        f"accepted the join {digits} of Eve for seat b, although Eve joined without the invite"
        in said
    )


def seated_by_cheat(game, tmp_path, joins, by_word=()):
    """Turn 1 of a referee that seats these joins."""
    game.made = game.turn_maker(joins)
    found = OrderSorter(game.made).sort([])
    inputs = inputs_of(game.made, found, (), START)
    turn = game.made.make(replace(inputs, by_word=by_word))
    game.publish(make(turn, game.referee))
    return Forged(game, tmp_path)


def test_a_turn_1_that_says_that_an_invited_join_had_no_code_is_found(tmp_path):
    game = Played(tmp_path / "game")
    forged = seated_by_cheat(game, tmp_path, game.joins, (game.joins["b"].id,))
    told = finding_of(forged.audit(), "rule", turn_path(1)).sentence
    assert "the turn says that seat b joined without the invite, but the join" in told
    assert "was made with the invite" in told


def test_the_certificate_names_a_joined_seat_that_turn_1_left_out(tmp_path):
    """No record proves when a join came: the certificate says what nobody can know."""
    game = Played(tmp_path / "game", players=3)
    cy = game.joins["c"]
    two = {seat: join for seat, join in game.joins.items() if seat != "c"}
    forged = seated_by_cheat(game, tmp_path, two)
    forged.open_early()
    report = forged.audit()
    assert [(one.seat, one.digits) for one in report.left_out] == [("c", cy.id.hex()[:6])]
    (told,) = (
        said for said in statement(report) if "No record says which of the two happened" in said
    )
    assert "Cy joined seat c with the right invite" in told


def test_the_certificate_names_at_once_a_join_that_the_referee_left_out_by_word(tmp_path):
    game = Played(tmp_path / "game")
    seats = game.joins
    other = put_join(game, second_join(game))
    forged = seated_by_cheat(game, tmp_path, seats, (other.id,))
    said = " ".join(statement(forged.audit()))
    digits = other.id.hex()[:6]
    told = (
        f"Two people joined seat b with one invite; Ref accepted Bo, and not the join {digits} of"
    )
    assert told in said
    (forged.root / "seats" / f"b-{other.id.hex()[:6]}.toml").unlink()
    said = " ".join(statement(forged.audit()))
    assert f"alone decided about the join {other.id.hex()[:6]}" in said


def test_two_joins_by_one_key_count_as_one_person(unstarted_game):
    """The smaller id counts, whoever looks; no word is needed, and nobody is left out."""
    both = [
        unstarted_game.joins["b"],
        second_join(unstarted_game, key=unstarted_game.seats["b"].key, name="Bob"),
    ]
    found = choose_joins(unstarted_game, [unstarted_game.joins["a"], *both])
    assert found.seated_joins["b"] == min(both, key=lambda record: record.id)
    assert (found.contested, found.by_word, found.doubtful) == ({}, [], [])


# ------------------------------------------------------------------ 3: a seat cannot be stolen
def join_with_stolen_key(game, n=0):
    """Bo's join with Eve's key in it: his boxes, her signature."""
    join = game.joins["b"].content
    return make(replace(join, key=EVE.public, name=f"Bo{n}"), EVE)


def test_a_join_copied_under_another_key_does_not_open(unstarted_game):
    audit = secrets_of(unstarted_game.game_folder, unstarted_game.referee).audit
    for n in range(20):  # until its id is the smaller one
        theft = join_with_stolen_key(unstarted_game, n)
        claim = claim_of(unstarted_game.charter, theft, audit)
        assert claim.fault is not None
        assert claim.fault.reason == "box"
    found = choose_joins(
        unstarted_game,
        [
            *unstarted_game.joins.values(),
            *(join_with_stolen_key(unstarted_game, n) for n in range(20)),
        ],
    )
    assert found.seated_joins["b"] == unstarted_game.joins["b"]
    assert (found.contested, len(found.doubtful)) == ({}, 20)


def test_everybody_sees_that_the_invite_did_not_sign_a_copied_join(unstarted_game):
    """Nobody needs a secret for it: one key exchanged, another seat, another game."""
    for n in range(3):
        assert not claim_of(
            unstarted_game.charter, join_with_stolen_key(unstarted_game, n)
        ).is_invited
    join = unstarted_game.joins["b"].content
    other = unstarted_game.joins["a"].content.x25519
    for changed in ({"x25519": other}, {"recovery": EVE.public}, {"commit": bytes(32)}):
        record = make(replace(join, **changed), unstarted_game.seats["b"].key)
        assert not claim_of(unstarted_game.charter, record).is_invited, changed
    elsewhere = make(replace(join, seat="a"), unstarted_game.seats["b"].key)
    assert not claim_of(unstarted_game.charter, elsewhere).is_invited
    assert claim_of(unstarted_game.charter, unstarted_game.joins["b"]).is_good


def test_of_one_invite_at_most_four_joins_are_considered(unstarted_game):
    """Somebody with Bo's invite makes a hundred joins with it."""
    flood = [second_join(unstarted_game, key=played_key(f"Eve {n}")) for n in range(30)]
    found = choose_joins(unstarted_game, [*unstarted_game.joins.values(), *flood])
    assert len(found.contested["b"]) == MAX_DOOR_JOINS
    named = choose_joins(
        unstarted_game,
        [*unstarted_game.joins.values(), *flood],
        accept=[unstarted_game.joins["b"].id.hex()[:12]],
    )
    assert named.seated_joins["b"] == unstarted_game.joins["b"]


# ------------------------------------------------------------------ 4: an invite used twice


def test_an_invite_used_twice_stops_advance_until_the_referee_decides(unstarted_game):
    bo_join = unstarted_game.joins["b"].id
    other = put_join(unstarted_game, second_join(unstarted_game))
    found = advance_with(unstarted_game, start=True)
    assert found.new_records == []
    assert [r.id for r in found.contested["b"]] == sorted([other.id, bo_join])


def test_the_referees_decision_between_two_joins_stands_in_turn_1(unstarted_game):
    mine = unstarted_game.joins["b"].id
    other = put_join(unstarted_game, second_join(unstarted_game)).id
    made = advance_with(unstarted_game, refuse=[other.hex()[:6]]).new_records[0][1].content
    assert (made.joins["b"], made.by_word) == (mine, (other,))
    made = advance_with(unstarted_game, refuse=[mine.hex()[:6]]).new_records[0][1].content
    assert (made.joins["b"], made.by_word) == (other, (mine,))


def test_accepting_the_right_join_settles_a_seat_however_many_others_there_are(unstarted_game):
    """Whoever got hold of an invite can join with many keys: one word is enough against all."""
    mine = unstarted_game.joins["b"].id
    others = [
        put_join(unstarted_game, second_join(unstarted_game, key=played_key(f"Eve {n}"))).id
        for n in range(7)
    ]
    assert len(advance_with(unstarted_game).contested["b"]) == MAX_DOOR_JOINS
    made = advance_with(unstarted_game, accept=[mine.hex()[:6]]).new_records[0][1].content
    assert made.joins["b"] == mine
    assert {*made.by_word} < {*others}
    assert len(made.by_word) in (MAX_DOOR_JOINS - 1, MAX_DOOR_JOINS)


def test_a_join_without_the_code_is_seated_only_by_the_referees_word(unstarted_game):
    (unstarted_game.root / "seats" / f"b-{unstarted_game.joins['b'].id.hex()[:6]}.toml").unlink()
    stranger = put_join(unstarted_game, unstarted_game.join_by("b", "Bo", EVE, b""))
    assert advance_with(unstarted_game).awaited_kinds == {"b": ("join",)}
    made = advance_with(unstarted_game, accept=[stranger.id.hex()[:6]]).new_records[0][1].content
    assert (made.joins["b"], made.by_word) == (stranger.id, (stranger.id,))


# ------------------------------------------------------------------ 10: whose key is at fault
def let_in(game, join):
    """The join as somebody with the invite makes it."""
    door = door_key(game.invite_code(join.seat), join.seat)
    return make(replace(join, door=door.sign(door_message(join))), game.seats[join.seat].key)


def test_a_join_that_names_anothers_key_for_recovery_is_at_fault_whoever_came_first(tmp_path):
    game = Played(tmp_path / "game", players=3)
    joins = game.joins
    for thief, victim in (("a", "b"), ("c", "b")):
        recovery = joins[victim].content.key
        bad = let_in(game, replace(joins[thief].content, recovery=recovery))
        every = {**joins, thief: bad}
        found = choose_joins(game, every.values())
        assert sorted(found.seated_joins) == sorted(set("abc") - {thief})
        ((record, why),) = found.doubtful
        assert record is bad
        assert (
            why == f"seat {thief} uses a key of seat {victim}; each person needs keys of their own"
        )
        assert (
            find_shared_key(game.charter.content, {s: r.content for s, r in every.items()})[0]
            == thief
        )


def test_whoever_copies_anothers_recovery_key_keeps_nobody_from_their_seat(tmp_path):
    """A recovery key is public and proves nothing: whoever copies one gives their own seat away."""
    game = Played(tmp_path / "game", players=3)
    named = {
        seat: let_in(game, replace(game.joins[seat].content, recovery=EVE.public)) for seat in "ab"
    }
    every = {**game.joins, **named}
    found = choose_joins(game, every.values())
    assert (found.seated_joins, found.doubtful) == (every, [])
    assert find_shared_key(game.charter.content, {s: r.content for s, r in every.items()}) is None


def test_the_certificate_says_that_a_join_was_left_out_because_it_shares_a_key(tmp_path):
    """Not as one that came late or was left out: nobody could have seated it."""
    game = Played(tmp_path / "game", players=3)
    twin = game.join_by("c", "Cy", game.seats["b"].key, code_of(game, "c"))
    (game.root / f"seats/c-{game.joins['c'].id.hex()[:6]}.toml").unlink()
    put_join(game, twin)
    outcome = advance_with(game, start=True)
    record = outcome.new_records[0][1]
    assert sorted(record.content.joins) == ["a", "b"]
    game.publish(record)
    forged = Forged(game, tmp_path)
    forged.open_early()
    said = " ".join(statement(forged.audit()))
    assert "One of the join's keys is also a key of seat b, and a key can have only" in said
    assert "came too late" not in said


def test_a_confederate_who_copies_a_players_key_does_not_excuse_leaving_the_player_out(tmp_path):
    """Seat a names Bo's key as its recovery key, and the referee seats a: Bo's join is not at
    fault, so the certificate does not say so."""
    game = Played(tmp_path / "game", players=3)
    thief = resigned(game.joins["a"], game.seats["a"].key, recovery=game.seats["b"].key.public)
    counted = [thief, game.joins["c"]]
    assert shared_key_owner(game.charter.content, game.joins["b"], counted) == ""
    assert shared_key_owner(game.charter.content, thief, [game.joins["b"]]) == "seat b"


def code_of(game, seat):
    return game.invite_code(seat)


# ------------------------------------------------------------------ 5: dice and the cut of turns
def test_dice_do_not_depend_on_how_the_log_is_cut_into_turns():
    """The referee waits, or does not: the same answers bring the same faces."""

    def faces(cuts):
        dealer, found = SealedDealer(b"s" * 32, b"g" * 32), []
        for n in range(12):
            if n in cuts:
                dealer.begin(2, NO_INPUTS)
            decision, key = die(), f"1.feeding.die.*.{n}"
            found.append(dealer.answer(key, decision))
            dealer.learn(decision, found[-1])
        return found

    assert faces(()) == faces((1, 2, 5)) == faces(range(12))
    assert len(set(faces(()))) > 2


def test_a_turn_has_one_dice_link_for_each_die(finished):
    for turn in finished.turns:
        dice = [e for e in turn.content.log if e.key.split(".")[2:4] == ["die", "*"]]
        assert len(turn.content.links) == len(dice)


@pytest.mark.sample(1)
@pytest.mark.parametrize("wrong", ["skipped", "more", "fewer"])
def test_a_turn_with_a_skipped_surplus_or_missing_dice_link_is_refused(finished, tmp_path, wrong):
    """A referee that skips a link would choose among faces."""
    forged = Forged(finished, tmp_path)
    dice = finished.made.cards.dice
    links = {"skipped": (dice.link(2),), "more": (dice.link(1), dice.link(2)), "fewer": ()}[wrong]
    assert forged.turns[0].content.links == (dice.link(1),)
    forged.resign(1, links=links)
    forged.all_see("chain" if wrong == "skipped" else "opening", turn_path(1))
