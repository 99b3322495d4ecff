"""What becomes of seats that stay silent for long, and referees that cheat with them."""

from dataclasses import replace
from itertools import product

import pytest

from pbem.format.record_error import RecordError
from pbem.judge import order_settler
from pbem.judge.absent_seats import round_of
from pbem.judge.audit import audit
from pbem.judge.game_ruleset import bot_answer
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.turn_maker import TurnMaker
from pbem.wording.audit_certificate import report_as_json, statement
from tests.attacks.silence import HOURLY, all_but, missed_turns
from tests.kit.played_games import Played
from tests.kit.refusals import refused_for
from tests.kit.selection import long

BOT = HOURLY | {"silent_seat": "bot"}
REMOVE = HOURLY | {"silent_seat": "remove"}


def entries_settled_by(game, *ways):
    """The log entries that were settled in one of these ways, with the number of their turn."""
    return [(t.content.turn, e) for t in game.turns for e in t.content.log if e.by in ways]


def begins(game, way):
    return entries_settled_by(game, way)[0][0]


@pytest.fixture(scope="module")
def with_bot(tmp_path_factory):
    root = tmp_path_factory.mktemp("with_bot")
    return Played(root, players=3, policies=BOT, answer=all_but("c")).play()


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    root = tmp_path_factory.mktemp("without")
    return Played(root, players=3, policies=REMOVE, answer=all_but("c")).play()


# ------------------------------------------------------------------ a bot plays on
@pytest.mark.long
def test_a_bot_answers_for_an_open_seat_and_for_no_other(with_bot):
    first = begins(with_bot, "bot")
    assert {e.key.split(".")[3] for _, e in entries_settled_by(with_bot, "bot", "default")} == {"c"}
    assert max(turn for turn, _ in entries_settled_by(with_bot, "default")) < first
    last_silent = with_bot.turns[missed_turns(with_bot, "c")[-1] - 2].content
    idle_in = round_of(last_silent.log[-1].key)
    assert round_of(entries_settled_by(with_bot, "bot")[0][1].key) == idle_in + 2
    assert any(len(entry.hidden) for _, entry in entries_settled_by(with_bot, "bot"))


@pytest.mark.long
def test_the_audit_proves_each_choice_that_the_bot_made_for_an_open_seat(with_bot):
    report = audit(with_bot.folder)
    assert (report.exit, report.proven) == (0, True), report.findings
    number = len(entries_settled_by(with_bot, "bot"))
    said = f"While seat c was open, a bot answered {number} questions for it, as game.toml says"
    assert any(line.startswith(said) for line in statement(report))
    assert report_as_json(report)["for_open_seats"] == {"c": number}


@pytest.mark.long
def test_a_player_who_comes_back_gets_the_seat_back_from_the_bot(tmp_path):
    def back_later(player):
        return None if player.seat == "c" and player.reader.chain.turn < 35 else player.lines()

    game = Played(tmp_path, players=3, policies=BOT, answer=back_later)
    while not game.over:
        game.play(1)
        if len(game.turns) == 35 and not game.over:
            game.send(game.seats["c"].orders([]))  # an empty set says "I am here"
    back = next(
        turn.content.turn
        for turn in game.turns
        if any((o.seat, o.status) == ("c", "accepted") for o in turn.content.orders)
    )
    assert begins(game, "bot") < back
    assert not [turn for turn, _ in entries_settled_by(game, "bot") if turn >= back]
    assert any(one.seat == "c" for one in game.turns[back - 1].content.awaited)
    assert audit(game.folder).exit == 0


@pytest.mark.sample(0)
def test_if_all_players_are_silent_no_bot_plays_the_game_to_its_end(tmp_path):
    game = Played(tmp_path, policies=BOT, answer=lambda player: None).play()
    assert not entries_settled_by(game, "bot")
    assert audit(game.folder).exit == 0


@pytest.mark.parametrize(
    ("policies", "ruleset", "told"),
    [
        ({"silent_seat": "robot"}, "evolution", "it must be one of: defaults, bot, remove"),
        ({"silent_seat": 1}, "evolution", "it must be one of: defaults, bot, remove"),
        ({"silent_seat": "bot", "open_after": 0}, "evolution", "must be 1 or more"),
        ({"silent_seat": "remove", "idle_after": 0}, "evolution", "must be 1 or more"),
    ],
)
def test_a_charter_with_a_wrong_rule_for_silent_seats_is_refused(tmp_path, policies, ruleset, told):
    with refused_for("field") as caught:
        Played(tmp_path, ruleset=ruleset, policies=policies)
    assert told in caught.value.sentence


@pytest.mark.long
@pytest.mark.parametrize(
    ("ruleset", "policies"),
    [("classroom", BOT), ("origin", REMOVE), *long(product(("climate", "digital"), (BOT, REMOVE)))],
)
def test_every_ruleset_goes_on_when_a_silent_seat_gets_a_bot_or_goes(tmp_path, ruleset, policies):
    policies = policies | {"idle_after": 1}
    game = Played(
        tmp_path, players=3, ruleset=ruleset, policies=policies, answer=all_but("c")
    ).play()
    assert bool(entries_settled_by(game, "bot")) == (policies["silent_seat"] == "bot")
    assert bool(game.made.chain.standing.removal_turns) == (policies["silent_seat"] == "remove")
    assert audit(game.folder).proven


@pytest.mark.long
# ------------------------------------------------------------------ removal
def test_a_seat_that_is_silent_for_too_long_is_removed(without):
    reader = without.seats["a"].reader
    (turn,) = reader.chain.standing.removal_turns.values()
    assert reader.chain.standing.seats_out == {"c"}
    assert not reader.chain.standing.is_open("c")
    assert len(missed_turns(without, "c")) == 2
    report = audit(without.folder)
    assert (report.exit, report.proven) == (0, True), report.findings
    told = f"Turn {turn}: Cy was silent for too long and is removed from the game"
    assert f"{told}, as game.toml says." in statement(report)
    assert report_as_json(report)["removed"][0]["turn"] == turn


@pytest.mark.long
def test_everybody_finds_out_from_the_turns_alone_when_a_seat_is_removed(without):
    reader, seen = PublicReader(without.charter), []
    for record in without.turns:
        reader.absorb(record, without.finder)
        seen.append(dict(reader.chain.standing.removal_turns))
    (turn,) = seen[-1].values()
    assert [bool(one) for one in seen] == [n + 1 >= turn for n in range(len(seen))]


@pytest.mark.long
def test_a_turn_that_lists_orders_of_a_removed_seat_is_refused(tmp_path):
    game = Played(tmp_path, players=3, policies=REMOVE, answer=all_but("c"))
    while not game.made.chain.standing.removal_turns:
        game.play(1)
    game.send(game.seats["c"].orders(["always food: *"]))
    with refused_for("rule") as caught:
        game.play(1)
    assert caught.value.sentence.endswith("of seat c, which was removed from the game")


# ------------------------------------------------------------------ referees that cheat
def absence_by(maker, change):
    """Let the chain of this referee change who is away in the turn that is made."""
    right = maker.chain.absence_with
    maker.chain.absence_with = lambda *args: change(right(*args))


class Eager(TurnMaker):
    """Lets the bot answer for every seat that is away, open or not."""

    def __init__(self, *args):
        super().__init__(*args)
        absence_by(
            self,
            lambda a: replace(
                a, last_silent_rounds={**a.last_silent_rounds, **dict.fromkeys(a.idle, -9)}
            ),
        )


class WithoutBot(TurnMaker):
    """Makes the harmless choice for an open seat, although the charter has a bot for it."""

    def __init__(self, *args):
        super().__init__(*args)
        absence_by(self, lambda absence: replace(absence, bot=False))


class WithBot(TurnMaker):
    """Has a bot for open seats that the charter does not have."""

    def __init__(self, *args):
        super().__init__(*args)
        absence_by(self, lambda absence: replace(absence, bot=True))


class Early(TurnMaker):
    """Removes a seat as soon as it is idle."""

    def make(self, inputs):
        chain = self.chain
        idle = dict.fromkeys(chain.absence.idle, chain.turn)
        chain.standing = chain.standing.with_removed_seats(idle)
        removed = chain.standing.removal_turns
        for seat in removed:
            self.in_force.pop(seat, None)
        orders = inputs.orders
        orders.listed_orders = [one for one in orders.listed_orders if one.seat not in removed]
        orders.accepted = {s: one for s, one in orders.accepted.items() if s not in removed}
        return super().make(inputs)


class Kind(TurnMaker):
    """Never removes anybody: the seat that comes back plays on."""

    def add_turn(self, turn):
        held = dict(self.in_force)
        super().add_turn(turn)
        chain, removed = self.chain, self.chain.standing.removal_turns
        gone = {seat: why for seat, why in chain.standing.departures.items() if why != "removed"}
        chain.standing = replace(chain.standing, departures=gone, removal_turns={})
        chain.absence = self.absence_now = replace(
            chain.absence, declared_reasons=chain.standing.absence_reasons
        )
        self.in_force |= {seat: held[seat] for seat in removed if seat in held}


def caught_in(game, turns=999):
    with pytest.raises(RecordError) as caught:
        game.play(turns)
    report = audit(game.folder)
    assert report.exit != 0
    assert report.findings[0].culprit == "referee"
    return caught.value.reason, caught.value.sentence


@pytest.mark.sample(0)
def test_a_bot_that_answers_for_a_seat_which_is_not_open_is_refused(tmp_path):
    game = Played(tmp_path, players=3, policies=BOT, maker=Eager, answer=all_but("c"))
    reason, said = caught_in(game)
    assert reason == "rule"
    assert said.endswith("seat c is not open, or this game has no bot for open seats")


@pytest.mark.long
def test_a_bot_that_answers_although_the_charter_has_none_is_refused(tmp_path):
    game = Played(tmp_path, players=3, policies=HOURLY, maker=WithBot, answer=all_but("c"))
    reason, said = caught_in(game)
    assert reason == "rule"
    assert "the turn lets a bot answer, but seat c is not open, or this game has no bot" in said


@pytest.mark.long
def test_a_turn_that_leaves_out_the_bot_of_an_open_seat_is_refused(tmp_path):
    game = Played(tmp_path, players=3, policies=BOT, maker=WithoutBot, answer=all_but("c"))
    reason, said = caught_in(game)
    told = "seat c is open, and the charter (game.toml) lets a bot play open seats"
    assert reason == "rule"
    assert said.endswith(f"says that the player was silent, but a bot must answer: {told}")


def worst(table, decision):
    """A choice that the bot does not make, where there are several."""
    right = bot_answer(table, decision)
    if decision.script:
        return "done" if right != "done" else right
    return next((text for text in reversed(decision.option_list()) if text != right), right)


@pytest.mark.long
def test_a_referee_who_chooses_for_the_bot_is_found_by_owner_and_audit(tmp_path, monkeypatch):
    """Nobody sees it before `final` but the seat's owner; then everybody does."""
    game = Played(tmp_path, players=3, policies=BOT, answer=all_but("c"))
    monkeypatch.setattr(order_settler, "bot_answer", worst)
    silent = game.seats.pop("c")
    game.play()
    monkeypatch.undo()
    report = audit(game.folder)
    assert report.exit != 0
    (finding,) = report.broken
    assert (finding.reason, finding.culprit) in {("rule", "referee"), ("commitment", "referee")}
    game.seats["c"] = silent
    with pytest.raises(RecordError) as caught:
        game.reader_at("c", len(game.turns))
    assert caught.value.reason in ("rule", "commitment")


def test_a_seat_that_the_referee_removes_too_early_stays_for_everybody_else(tmp_path):
    """The seat sends orders once it is idle, and the referee lists none of them: everybody else
    computes who is removed, and asks the referee for the questions that are left open."""
    game = Played(tmp_path, players=3, policies=REMOVE, maker=Early, answer=all_but("c"))
    while len(missed_turns(game, "c")) < 2:
        game.play(1)
    game.send(game.seats["c"].orders([]))
    game.play(1)
    assert game.made.chain.standing.removal_turns
    for seat in "abc":
        assert not game.seats[seat].reader.chain.standing.removal_turns


@pytest.mark.long
def test_a_turn_that_keeps_a_seat_due_for_removal_is_refused(tmp_path):
    game = Played(tmp_path, players=3, policies=REMOVE, maker=Kind, answer=all_but("c"))
    while not game.seats["a"].reader.chain.standing.removal_turns:
        game.play(1)
    assert not game.made.chain.standing.removal_turns
    game.send(game.seats["c"].orders([]))
    reason, said = caught_in(game)
    assert reason == "rule"
    assert said.endswith("of seat c, which was removed from the game")
