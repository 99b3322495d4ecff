"""Turns signed by the referee's key that hold anything at all: a sentence, never a traceback."""

import random
from dataclasses import fields, replace

import pytest

from engine import first_fit
from pbem.files.file_errors import FileError
from pbem.files.game_folder import Folder
from pbem.files.signed_and_seen import Heads
from pbem.format.record_error import EXIT, RecordError
from pbem.judge.audit import audit
from pbem.judge.make_signed_records import Plan, make_charter
from pbem.judge.order_line_checks import LineChecker, errors, read_lines
from pbem.records.read_and_sign_record import make
from pbem.records.turn import sort_sets
from tests.attacks.forging import Forged, turn_path
from tests.kit.played_games import REFEREE, Played, advance_in, played_key
from tests.kit.refusals import refused_for

ROWS = ("log", "lines", "cards", "decks", "orders", "awaited", "own", "silent")


def turn_of_mixed_parts(luck, turns, at):
    """Turn `at` with some of its parts taken from other turns, lost, doubled or shuffled."""
    turn = turns[at].content
    for name in luck.sample(ROWS, luck.randint(1, 2)):
        other = getattr(luck.choice(turns).content, name)
        mine = list(getattr(turn, name))
        ways = [
            list(other), mine + list(other), mine[1:], mine[:-1],
            luck.sample(mine, len(mine)), [crossed(luck, x, other) for x in mine],
        ]  # fmt: skip
        turn = replace(turn, **{name: tuple(luck.choice(ways))})
    return turn


def crossed(luck, row, others):
    """A row with one field of another row."""
    if not others or isinstance(row, bytes | str):
        return luck.choice(others) if others else row
    name = luck.choice([f.name for f in fields(row)])
    return replace(row, **{name: getattr(luck.choice(others), name)})


@pytest.mark.long
def test_turns_mixed_from_parts_of_other_turns_are_refused_without_traceback(forged_finished_game):
    luck, turns, refused = random.Random(2), forged_finished_game.turns, 0
    for _ in range(60):
        at = luck.randrange(1, 16)
        try:
            turn = sort_sets(turn_of_mixed_parts(luck, turns, at))
            record = make(turn, forged_finished_game.key)
        except RecordError:
            continue
        if record.id == turns[at].id:
            continue
        forged_finished_game.cut(at)
        for number in range(at, 0, -1):
            forged_finished_game.write(turn_path(number), turns[number - 1].file)
        forged_finished_game.write(turn_path(at + 1), record.file)
        report = audit(Folder(forged_finished_game.root))
        assert report.exit in {*EXIT.values()}, turn
        assert report.broken[0].path.startswith(("turns/", "orders/")), report.broken[0]
        refused += 1
    assert refused > 20


def test_advance_refuses_to_go_on_from_a_turn_that_was_changed(forged_finished_game):
    """The referee's own program does not go on from a turn that it would not have made."""
    turn = forged_finished_game.turns[6].content
    packets = {"a": turn.packets["b"], "b": turn.packets["a"]}
    forged_finished_game.resign(7, packets=packets)
    with pytest.raises(FileError) as caught:
        advance_in(
            forged_finished_game.root, forged_finished_game.game.now, forged_finished_game.key
        ).run()
    assert (caught.value.reason, caught.value.path) == ("fork", turn_path(7))


def test_a_missing_turn_stops_advance(forged_finished_game):
    (forged_finished_game.root / turn_path(7)).unlink()
    with pytest.raises(FileError) as caught:
        advance_in(
            forged_finished_game.root, forged_finished_game.game.now, forged_finished_game.key
        ).run()
    assert (caught.value.reason, caught.value.path) == ("parent", turn_path(7))


def test_advance_stops_if_orders_answer_a_turn_that_the_referee_lost(finished, tmp_path):
    """The referee lost its last turn: it must not make another one in its place unawares."""
    forged = Forged(finished, tmp_path)
    forged.cut(9)
    (forged.root / turn_path(9)).unlink()
    with pytest.raises(FileError) as caught:
        advance_in(forged.root, forged.game.now, forged.key).run()
    assert (caught.value.reason, caught.value.exit) == ("fork", 3)
    assert caught.value.path.startswith("orders/")


def test_a_machine_that_saw_a_turn_notices_that_another_took_its_place(finished, tmp_path):
    """Rewound or rewritten: the memory of heads says it, with both."""
    seen = Heads(tmp_path / "heads.toml")
    heads = [head.hex() for head in finished.heads]
    seen.remember(heads[:10])
    seen.check(heads[:12])
    for wrong in (heads[:9], [*heads[:9], "ab" * 32]):
        with refused_for("fork", error=FileError):
            seen.check(wrong)


@pytest.mark.parametrize(
    "policies",
    [
        {"deadline": 48}, {"deadline": True}, {"deadline": ""}, {"deadline": "soon"},
        {"deadline": "99999 days"}, {"deadline": "every day 20:00 ../../etc/passwd"},
        {"deadline": "mon 20:00 UTC except mon"}, {"deadline": "9" * 400}, {"deadline_hours": 48},
        {"deadline_tea": "48h"}, {"change_of_mind": "8 days"}, {"change_of_mind": 2},
    ],
)  # fmt: skip
def test_a_charter_with_an_impossible_deadline_or_waiting_time_is_refused(policies):
    plan = Plan("Savannah", "Ref", "evolution", ["Ann", "Bo"])
    with refused_for("field"):
        make_charter(replace(plan, policies=policies), played_key(REFEREE), bytes(16))


@pytest.mark.parametrize("change", [{"players": ["Ann"]}, {"options": {"none-such": "yes"}}])
def test_a_charter_for_a_game_that_cannot_be_played_is_refused(change):
    plan = replace(Plan("Savannah", "Ref", "evolution", ["Ann", "Bo"]), **change)
    with refused_for("field"):
        make_charter(plan, played_key(REFEREE), bytes(16))


def test_an_order_line_full_of_stars_is_matched_quickly():
    """Tried in every way of cutting up the words, these would take hours."""
    option = "b2 attacks a1 despite warning_call and defensive_herding and intelligence"
    stars = "* * * * ******** * ********** * ********"
    assert first_fit(stars + "x", [option]) is None
    assert first_fit(stars, [option]) == option
    assert first_fit("b* *s a1 *e *_* and *e*e* * i*e", [option]) == option
    assert first_fit("b* *s a1 *e *_* and *e*e* * i*x", [option]) is None


@pytest.mark.long
def test_a_players_check_and_the_referee_find_the_same_lines_wrong(tmp_path):
    """What the seat's own table refuses, the full one refuses, and in the same words."""
    game, luck, wrong = Played(tmp_path, players=3, bot="random"), random.Random(3), 0
    game.see(game.turn())
    pool: list[str] = []
    while not game.over and len(game.turns) < 25:
        for seat, player in game.seats.items():
            pool += player.lines() if seat in player.reader.chain.awaited else []
            cards = sorted(player.reader.public.game.ruleset.vocabulary)
            lines = [misread(luck, luck.choice(pool), cards) for _ in range(3)]
            asked = read_lines(lines)
            own, full = (
                errors(LineChecker(table, seat, asked).run())
                for table in (player.reader.own_table, game.made.table.full_table)
            )
            assert own == full
            wrong += bool(own)
        game.ask()
        game.see(game.turn())
    assert wrong > 10


def misread(luck, line, cards):
    """The line with another card or another piece."""
    from re import sub

    line = sub(r"\[[^]]*\]", lambda _: f"[{luck.choice(cards)}]", line)
    return sub(r"\b[a-c][1-9]\b", lambda _: luck.choice("abc") + luck.choice("123"), line)
