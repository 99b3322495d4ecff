"""Who is away, and what the game no longer waits for: everybody checks it from the turns alone."""

from dataclasses import replace
from itertools import pairwise

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.absent_seats import Absence, round_of
from pbem.judge.audit import audit
from pbem.judge.record_chain import Chain
from pbem.judge.turn_maker import TurnMaker
from tests.attacks.absorbing import read_turns, refusal_of_turn
from tests.attacks.silence import HOURLY, all_but, missed_turns
from tests.kit.played_games import HOUR, Played
from tests.kit.refusals import refused_for
from tests.kit.selection import long


@pytest.fixture(scope="module")
def without_c(tmp_path_factory):
    root = tmp_path_factory.mktemp("without_c")
    return Played(root, players=3, policies=HOURLY, answer=all_but("c")).play()


@pytest.mark.long
def test_a_player_who_never_answers_costs_two_deadlines_in_all(without_c):
    assert len(missed_turns(without_c, "c")) == 2
    assert without_c.now < without_c.turns[0].content.time + 3 * HOUR + len(without_c.turns) * 60
    report = audit(without_c.folder)
    assert report.exit == 0, report.findings
    defaults = [e for t in without_c.turns for e in t.content.log if e.by == "default"]
    assert len(defaults) > 6
    assert {entry.key.split(".")[3] for entry in defaults} == {"c"}


@pytest.mark.long
def test_a_seat_that_never_becomes_idle_costs_one_deadline_each_round(tmp_path):
    never_idle = HOURLY | {"idle_after": 0}
    game = Played(tmp_path, players=3, policies=never_idle, answer=all_but("c")).play()
    rounds = [round_of(game.turns[n - 1].content.log[0].key) for n in missed_turns(game, "c")]
    assert len(rounds) > 3
    assert sorted(set(rounds)) == rounds
    assert audit(game.folder).exit == 0


@pytest.mark.sample(0)
def test_if_everybody_is_idle_each_round_still_waits_for_one_deadline(tmp_path):
    game = Played(tmp_path, policies=HOURLY, answer=lambda player: None).play()
    turns = [turn.content for turn in game.turns]
    rounds = {round_of(entry.key) for turn in turns for entry in turn.log} - {0}
    assert len(turns) == 1 + len(rounds) > 4
    assert all(late.time >= asked.deadline for asked, late in pairwise(turns))
    assert audit(game.folder).exit == 0


@pytest.mark.long
@pytest.mark.parametrize("turns", [24, *long([9999])])
def test_an_idle_seat_whose_orders_are_accepted_is_waited_for_again(tmp_path, turns):
    def away_for_a_while(player):
        return None if player.seat == "c" and player.reader.chain.turn < 14 else player.lines()

    game = Played(tmp_path, players=3, policies=HOURLY, answer=away_for_a_while).play(turns)
    back = next(
        turn.content.turn
        for turn in game.turns
        if any((o.seat, o.status) == ("c", "accepted") for o in turn.content.orders)
    )
    assert max(missed_turns(game, "c")) < back
    later = [entry for turn in game.turns[back - 1 :] for entry in turn.content.log]
    assert not [entry for entry in later if entry.by == "default"]
    asked = {o.seat for turn in game.turns[back - 1 :] for o in turn.content.awaited}
    assert asked == {"a", "b", "c"}
    assert audit(game.folder).exit == 0


@pytest.mark.long
@pytest.mark.parametrize("name", ["without_c", "mixed", *long(["silent", "six"])])
def test_everybody_finds_out_from_the_turns_alone_who_is_away(name, request):
    game = request.getfixturevalue(name)
    reader, chain = game.table_at(0), Chain(game.charter)
    for record in game.turns:
        reader.absorb(record, game.finder)
        chain.follow(record, game.finder)
        assert chain.absence == reader.chain.absence


# ------------------------------------------------------------------ referees that cheat
class Impatient(TurnMaker):
    """Counts seat c as idle although it answers: from turn 3 on, it gets the default."""

    def make(self, inputs):
        if self.chain.turn == 2:
            away = replace(self.chain.absence, missed_turns={"c": 2}, last_silent_rounds={"c": 1})
            self.chain.absence = away
            orders = inputs.orders
            orders.accepted = {seat: r for seat, r in orders.accepted.items() if seat != "c"}
            orders.listed_orders = [one for one in orders.listed_orders if one.seat != "c"]
        return super().make(inputs)


class Patient(TurnMaker):
    """Never counts anybody as away: asks them again and waits."""

    def add_turn(self, turn):
        super().add_turn(turn)
        self.chain.absence = self.absence_now = Absence(self.chain.absence.people, 0)


def test_a_turn_that_calls_a_seat_idle_although_it_answers_is_refused(tmp_path):
    game = Played(tmp_path, players=3, policies=HOURLY, maker=Impatient)
    with refused_for("rule") as caught:
        game.play()
    assert (
        "says that the player was silent, but no turn has said that seat c is away"
        in caught.value.sentence
    )
    report = audit(game.folder)
    assert report.exit != 0
    assert report.findings[0].culprit


def test_a_turn_that_waits_for_an_idle_seat_is_refused(tmp_path):
    game = Played(tmp_path, players=3, policies=HOURLY, maker=Patient, answer=all_but("c"))
    with pytest.raises(RecordError) as caught:
        game.play()
    assert (caught.value.reason, caught.value.sentence) == (
        "rule",
        "the turn waits for seat c, although its player is away",
    )


@pytest.mark.long
def test_a_turn_that_calls_a_seat_silent_which_was_away_already_is_refused(without_c):
    turn = next(
        turn.content
        for turn in without_c.turns[missed_turns(without_c, "c")[-1] :]
        if any(e.by == "default" for e in turn.content.log)
        and any(one.seat == "c" for one in without_c.turns[turn.content.turn - 2].content.awaited)
    )
    deadline = without_c.turns[turn.turn - 2].content.deadline
    said = refusal_of_turn(
        without_c, read_turns(without_c, turn.turn - 1), replace(turn, silent=("c",), time=deadline)
    )
    assert said == (
        "rule",
        (
            "the turn calls seat c silent, although its player was away and the game did not "
            "wait for them"
        ),
    )


# ------------------------------------------------------------------ decisions without a default
@pytest.mark.long
def test_a_question_without_a_default_is_waited_for_even_of_an_idle_seat(silent):
    game = read_turns(silent, 1)
    pending = game.public.pending
    key, decision = pending[0]
    seat = decision.seat
    away = Absence(frozenset("ab"), 1).after_turn((), (seat,), round_of(key))
    assert away.unasked(key, decision)
    assert away.absence_reasons(pending) == {seat: "idle"}
    without = decision._replace(default=None)
    assert not away.unasked(key, without)
    assert away.absence_reasons([(key, without)]) == {}


@pytest.mark.parametrize(
    ("said", "words"), [(-1, "-1"), (100, "100"), (True, "true"), ("2", "'2'")]
)
def test_a_charter_whose_idle_after_is_no_number_from_0_to_99_is_refused(tmp_path, said, words):
    with pytest.raises(RecordError) as caught:
        Played(tmp_path, policies={"idle_after": said})
    sentence = f"policies.idle_after: the value is {words}; it must be an integer from 0 to 99"
    assert caught.value.sentence == sentence


# ------------------------------------------------------------------ waited for without being asked
ROUNDS = HOURLY | {"wait": "round"}


def nobody(player):
    return None


class Forgiving(TurnMaker):
    """Asks seats whose orders were due with the round, and waits for a second deadline."""

    def make(self, inputs):
        return super().make(replace(inputs, unheard_seats=frozenset()))


class Strict(TurnMaker):
    """Also names seats as silent that no question has reached."""

    def make(self, inputs):
        turn = super().make(inputs)
        quiet = sorted(inputs.unheard_seats - set(turn.silent)) if turn else []
        if not quiet or turn.over:
            return turn
        self.absence_now = self.absence_now.after_turn((), quiet, 1)
        return replace(turn, silent=tuple(sorted({*turn.silent, *quiet})))


def waited(root, **more):
    return Played(root, players=3, ruleset="origin", policies=ROUNDS, **more)


def test_one_deadline_ends_the_wait_for_seats_that_are_not_asked(tmp_path):
    game = waited(tmp_path, answer=nobody).play(2)
    assert game.turns[1].content.silent == ("a", "b", "c")
    assert audit(game.folder).exit == 0


def test_a_turn_that_waits_once_more_for_orders_that_were_due_is_refused(tmp_path):
    game = waited(tmp_path, maker=Forgiving, answer=nobody)
    with refused_for("rule") as caught:
        game.play()
    assert "the turn waits for seat " in caught.value.sentence
    assert "although the deadline for its orders has passed" in caught.value.sentence


def test_a_turn_that_calls_a_seat_silent_which_no_question_reached_is_refused(tmp_path):
    """The first says nothing; the second wants to see more, and is asked; the third is not."""
    game = waited(tmp_path, maker=Strict, answer=nobody)
    game.see(game.turn())
    (asked,) = game.turns[0].content.awaited
    second = ("abc" * 2)["abc".index(asked.seat) + 1]
    game.send(game.seats[second].orders([]))
    with pytest.raises(RecordError) as caught:
        game.play()
    assert "silent, although nobody asked it anything" in caught.value.sentence
