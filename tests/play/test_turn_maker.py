"""What the turn maker says of itself, and what it keeps from one turn to the next."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine import CHANCE, Entry
from pbem.format.encrypted_box import box_key
from pbem.format.keys import Secrets
from pbem.format.record_error import RecordError
from pbem.judge.absence import Absence
from pbem.judge.record_chain import Chain
from pbem.judge.referee_secrets import referee_secrets, seal_secrets
from pbem.judge.sealed_dealer import SealedDealer
from pbem.judge.seats_and_agreements import Standing
from pbem.judge.turn_inputs_and_outcome import SortedOrders, TurnInputs
from pbem.judge.turn_maker import TurnMaker
from pbem.records.decks_and_dice import make_seed
from pbem.records.packet import Packet
from pbem.records.policies import Policies
from pbem.records.turn import OpenCard
from tests.attacks.cheats import seed_of
from tests.kit.played_games import Played, played_key
from tests.kit.sample_records import NO_INPUTS
from tests.notices.people import counted
from tests.play.turn_makers import Lines, maker_of_four, question_to

DEE = played_key("Dee")
BOTH = (("a", b"1"), ("b", b"2"))


# ------------------------------------------------------------------ who has answered
def test_who_has_answered_all_that_they_are_asked():
    pending = [
        question_to("b"),
        question_to("c", "leaf"),
        question_to("a"),
        question_to("c"),
        question_to("d"),
        question_to("b", "x"),
    ]
    lines = {"b": Lines("feed", "x"), "a": Lines("feed"), "c": Lines("feed")}
    assert TurnMaker.answered_seats(maker_of_four(pending, lines)) == ("a", "b")
    assert (
        TurnMaker.answered_seats(maker_of_four([question_to("c"), question_to("c", "leaf")], lines))
        == ()
    )
    assert TurnMaker.answered_seats(maker_of_four((), lines)) == ()


def test_who_is_there_by_orders_or_by_a_notice_of_this_turn():
    rows = [counted(turn, "vote", seat) for turn, seat in ((3, "a"), (4, "b"), (5, "c"), (6, "d"))]
    silent = Absence(frozenset("abcde"), 2).after_turn((), "abcde", 1)
    here = SimpleNamespace(applied_notices=tuple(rows), absence_reasons={"a": "open"})
    here.seats_shown = lambda turn: Standing.seats_shown(here, turn)
    made = SimpleNamespace(standing=here, turn=4, absence=silent, round=2)
    found = Chain.absence_with(made, "e", "c")
    assert found.missed_turns == {"a": 1, "b": 1, "c": 1, "d": 1}
    assert found.rounds == {"a": 1, "b": 1, "c": 2, "d": 1}
    assert found.declared_reasons == {"a": "open"}
    assert made.absence is silent


# ------------------------------------------------------------------ cards that are put down
def card(number: int) -> OpenCard:
    fields = {"card": "fat 2", "salt": bytes(32), "handle": bytes([number]) * 32}
    return SimpleNamespace(**fields)


def lines_with(*cards, ident=b"1"):
    """Orders in force of which each line puts one of these cards down."""
    sealed = SimpleNamespace(
        cards={rank: [card] for rank, card in enumerate(cards)}.get,
        opening=lambda rank, order: SimpleNamespace(order=order, slot=rank + 10),
    )
    return SimpleNamespace(sealed=sealed, record=SimpleNamespace(id=ident))


def numbering_dealer():
    dealer = SealedDealer(bytes(32), bytes(32))
    dealer.dealing = SimpleNamespace(
        hidden=lambda n, bracket, _: card(10 * n + bracket), rank=lambda _: b""
    )
    return dealer


def test_a_card_keeps_its_handle_from_the_line_unless_that_was_put_down_before():
    made, held = numbering_dealer(), lines_with(card(1), card(2))

    def hide(number, text, ranks, seat="a"):
        entry = Entry("1.play.play.a.0", seat, text, "line [1]", "*")
        return [handle[0] for handle in made.entry(number, entry, ranks, held)["hidden"]]

    assert hide(3, "[fat 2] on a1; [horns 4] on a1; [fat 3] on a1", [0, 1]) == [1, 2, 32]
    assert hide(4, "[fat 2] on a1", [0]) == [40], "a line that settles something again"
    assert hide(5, "[fat 2] on a1", []) == [50]
    assert made.entry(6, Entry("1.x.deal.*.0", CHANCE, "[fat 2]", "chance", "a"), [], None) == {}
    assert [one.handle[0] for one in made.packet("a").hidden] == [32, 40, 50]
    assert made.packet("b") == Packet()
    assert {tag: one.handle[0] for tag, one in made.placed_cards.items()} == {
        (3, 0): 1, (3, 1): 2, (3, 2): 32, (4, 0): 40, (5, 0): 50,
    }  # fmt: skip
    assert {handle[0] for handle in made.used_handles} == {1, 2, 32, 40, 50}


def test_a_line_is_opened_once():
    made = numbering_dealer()
    held = {seat: lines_with(card(1), card(2), card(3), ident=i) for seat, i in BOTH}

    def opened(seat, *ranks):
        made.begin(2, NO_INPUTS)
        made.entry(0, Entry(f"1.play.play.{seat}.0", seat, "done", "line [1]"), ranks, held[seat])
        return [(one.order, one.slot) for one in made.fields()["lines"]]

    assert opened("a", 0, 2, 0) == [(b"1", 10), (b"1", 12)]
    assert opened("a", 2, 1) == [(b"1", 11)]
    assert opened("b", 0) == [(b"2", 10)]
    assert opened("a") == []
    assert made.opened_lines == {(b"1", 10), (b"1", 11), (b"1", 12), (b"2", 10)}


def test_new_keys_get_all_that_their_seat_could_know_and_no_other():
    log, made = (
        [SimpleNamespace(seat=seat) for seat in ("*", "a", "b", "a", "c")],
        numbering_dealer(),
    )
    placed = {(3, 1): "fifth", (1, 0): "first", (2, 0): "b's", (1, 2): "third", (3, 0): "fourth"}
    made.placed_cards, made.history, made.buried = (
        placed,
        {"a": ["dealt"], "b": ["b's"]},
        {"a": ["low"]},
    )
    assert made.handover("a", log) == Packet(
        dealt=("dealt",), hidden=("first", "third", "fourth", "fifth"), under=("low",)
    )
    assert made.handover("b", log) == Packet(dealt=("b's",), hidden=("b's",))
    assert made.handover("c", log) == Packet()


# ------------------------------------------------------------------ deadlines
HOUR = 3600
INPUTS = TurnInputs(SortedOrders(), (), 1000)


def deadline_of_turn(inputs=INPUTS, has_play=True, rule="1h", off=0, changed=0, before=77):
    calendar = SimpleNamespace(
        seconds_put_off=lambda turn: off if turn == 5 else 0, renews=lambda turn: turn == changed
    )
    standing = SimpleNamespace(
        calendar=calendar, policies=Policies({"deadline": rule} if rule else {})
    )
    chain = SimpleNamespace(standing=standing, turn=4, deadline=before)
    made = SimpleNamespace(chain=chain, pending=(question_to("a"),))
    return TurnMaker._deadline(made, inputs, has_play=has_play)


def test_the_deadline_of_a_turn():
    assert deadline_of_turn() == 1000 + HOUR
    assert deadline_of_turn(off=7200) == 1000 + 3 * HOUR
    assert deadline_of_turn(rule="", off=7200) == 0, "nothing is put off where there is no deadline"


def test_a_turn_in_which_nothing_happens_keeps_the_deadline_unless_the_rule_changes():
    assert deadline_of_turn(has_play=False) == 77
    assert deadline_of_turn(has_play=False, off=7200) == 77 + 7200
    assert deadline_of_turn(has_play=False, off=7200, before=0) == 0
    assert deadline_of_turn(has_play=False, changed=4) == 77, "it changed in the turn before"
    assert deadline_of_turn(has_play=False, changed=5) == 1000 + HOUR
    assert deadline_of_turn(changed=5) == deadline_of_turn(changed=4) == 1000 + HOUR


def test_a_deadline_made_with_other_time_zone_data_counts_if_it_fits():
    rule = "every day 20:00 Europe/Berlin"
    right = deadline_of_turn(rule=rule)
    for named in (right, right + HOUR):
        assert deadline_of_turn(replace(INPUTS, deadline=named), rule=rule) == named
        assert (
            deadline_of_turn(replace(INPUTS, deadline=named + 60), rule=rule, off=60) == named + 60
        )
    for named in (0, right - 5 * HOUR, right + 5 * HOUR):
        assert deadline_of_turn(replace(INPUTS, deadline=named), rule=rule) == right
    named = replace(INPUTS, deadline=right + HOUR)
    assert deadline_of_turn(named, has_play=False, rule=rule) == 77


# ------------------------------------------------------------------ a real one
@pytest.fixture(scope="module")
def deputy_game(tmp_path_factory):
    return Played(tmp_path_factory.mktemp("made") / "g", deputy=DEE).play(3)


def test_the_seed_has_the_share_of_each_person_and_of_nobody_else(deputy_game, tmp_path):
    held = Played(tmp_path / "g", plays=("a",))
    for one, seats in ((deputy_game, "ab"), (held, "b")):
        ident = one.game_folder.game
        shares = {s: Secrets(one.seats[s].key.seed).r(ident, s) for s in seats}
        assert seed_of(one.made) == make_seed(one.made.secrets.r_ref, shares, ident)


def test_seats_sit_in_the_order_of_their_letters(deputy_game):
    joins = {seat: deputy_game.joins[seat] for seat in "ba"}
    made = TurnMaker(deputy_game.charter, joins, deputy_game.made.secrets)
    assert made.table.game.seats == "ab"
    assert made.make(TurnInputs(SortedOrders(), (), 1_800_000_060)) == replace(
        deputy_game.turns[0].content, time=1_800_000_060
    )


def test_the_inputs_of_a_turn_as_a_rule():
    made = TurnInputs(SortedOrders(), (), 5)
    assert (made.silent, made.unheard_seats, made.by_word) == (frozenset(), frozenset(), ())
    assert made.deadline is None


def test_what_turn_1_alone_says(deputy_game):
    first, *rest = (turn.content for turn in deputy_game.turns)
    assert first.joins == {seat: join.id for seat, join in deputy_game.joins.items()}
    assert first.link0 == deputy_game.made.cards.dice.link(0)
    assert first.deputy
    for turn in rest:
        assert (turn.joins, turn.link0, turn.deputy) == (None, b"", b"")


def test_the_box_for_the_deputy_opens_for_the_deputy_alone_and_must_be_right(deputy_game):
    charter, first = deputy_game.charter.content, deputy_game.turns[0].content
    ident, secrets = deputy_game.game_folder.game, deputy_game.made.secrets
    assert referee_secrets(charter, ident, first, DEE) == secrets
    assert referee_secrets(charter, ident, None, deputy_game.referee) == secrets
    with pytest.raises(RecordError, match="only the referee Ref and the deputy Dee can") as caught:
        referee_secrets(charter, ident, first, played_key("Ann"))
    assert caught.value.reason == "key"
    key = box_key(Secrets(DEE.seed).deputy(), charter.audit, ident)
    for wrong in (
        secrets.r_ref + bytes(32), bytes(32) + secrets.audit, secrets.audit + secrets.r_ref,
    ):  # fmt: skip
        lie = replace(first, deputy=seal_secrets(key, wrong))
        with pytest.raises(RecordError) as caught:
            referee_secrets(charter, ident, lie, DEE)
        assert caught.value.reason == "commitment", wrong


def test_without_a_deputy_turn_1_has_no_box(tmp_path):
    assert Played(tmp_path / "g").play(1).turns[0].content.deputy == b""


def test_what_a_turn_leaves_to_the_next(deputy_game):
    made = deputy_game.made
    assert (made.notices, made.pressing, made._handover, made._sealed) == ([], False, {}, {})
    chain = made.chain
    assert chain.absence == made.absence_now
    assert (chain.turn, chain.head, chain.asking_turn) == (3, deputy_game.heads[-1], 3)
    final = made.final()
    assert (final.turn, final.prev, final.seat) == (4, deputy_game.heads[-1], "")
    assert (final.r_ref, final.audit) == (made.secrets.r_ref, made.secrets.audit)


@pytest.mark.sample(0)
def test_the_orders_of_whoever_is_removed_lapse_and_they_are_away(tmp_path):
    policies = {"deadline": "1h", "silent_seat": "remove"}
    first = lambda p: None if p.seat == "c" and p.reader.chain.turn > 2 else p.lines()  # noqa: E731
    game = Played(tmp_path / "g", players=3, policies=policies, answer=first).play(2)
    assert game.made.in_force.keys() == {*"abc"}
    assert game.made.chain.absence.declared_reasons == {}
    while not game.made.chain.standing.removal_turns:
        game.play(1)
    assert game.made.in_force.keys() == {*"ab"}
    assert (
        game.made.chain.absence.declared_reasons
        == game.made.absence_now.declared_reasons
        == {"c": "removed"}
    )
