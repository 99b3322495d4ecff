"""Each benchmark runs, in a tiny size: what nobody runs rots. Times are nobody's test."""

import shutil
from hashlib import sha256
from subprocess import CalledProcessError

import pytest

from bench import __main__ as table
from bench import (
    audit,
    commands_late_in_game,
    games_per_second,
    list_many_games,
    memory,
    mixing,
    pass_of_run,
    sizes,
    startup,
    table_pages,
)
from bench.make_games import GameSetup, begin, key_of
from bench.timed_tasks_and_result_rows import PBEM, Rate, Row, take_turns
from tests.kit.selection import long

BENCH = "needs the tools for bench: tools/setup.sh bench"


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*.toml")
    }


@pytest.mark.long
def test_benchmark_games_of_one_seed_have_the_same_bytes(tmp_path):
    for name, seed, turns in (("one", "s", 9999), ("two", "s", 9), ("other", "t", 9)):
        begin(GameSetup(tmp_path / name, seed, players=2)).play(turns)
    one, two, other = (contents(tmp_path / name) for name in ("one", "two", "other"))
    assert {"game.toml", "turns/0009.toml"} <= two.keys()
    assert two.items() <= one.items()
    assert not set(one.values()) & set(other.values())
    assert "final.toml" in one


def test_keys_in_benchmarks_differ_by_game_and_seat():
    keys = {key_of(seed, who).public for seed in "12" for who in ("a", "b", "referee")}
    assert len(keys) == 6


def test_benchmark_tasks_take_turns_and_the_first_round_is_a_warm_up():
    seen = []
    took = take_turns({"a": lambda n: seen.append(("a", n)) or 1, "b": lambda n: 2}, 3)
    assert [n for _, n in seen] == [0, 1, 2, 3]
    assert took.keys() == {"a", "b"}


def test_lines_of_a_benchmark_give_ratio_or_rate_and_the_aim():
    row = Row("a command", 0.012, 0.004, "doing nothing", 2.5).line()
    assert " ".join(row.split()) == "a command 3.00 aim ≤ 2.5 12 ms against 4 ms doing nothing"
    rate = Rate("games", 123.4, 60, "others: 6").line()
    assert " ".join(rate.split()) == "games 123/s aim ≥ 60 others: 6"


@pytest.mark.parametrize(
    ("rows_of", "size", "value_name", "aims"),
    [
        (mixing.rows_here, {"cards": 3, "shares": 4, "rounds": 1}, "value", [200, 250, None, None]),
        (games_per_second.rows, {"rounds": 1, "games": 1}, "rate", [60, 60, 60, 650]),
        *long([
            (startup.rows, {"rounds": 1, "players": 2, "late_turn": 20}, "ratio",
                [9, 11, 11, 11, 17, 1.3]),
            (list_many_games.rows, {"rounds": 1, "counts": [2]}, "ratio", [None]),
            (pass_of_run.rows, {"games": 3, "due_count": 1, "mails": 3}, "value",
                [None, None, 2, None]),
        ]),
    ],
)  # fmt: skip
def test_a_tiny_benchmark_gives_a_number_for_each_of_its_aims(rows_of, size, value_name, aims):
    rows = list(rows_of(**size))
    assert [row.aim for row in rows] == aims
    assert all(getattr(row, value_name) > 0 for row in rows)


@pytest.mark.long
def test_the_benchmark_of_the_audit_gives_ratios_to_other_verifiers():
    pytest.importorskip("minisign", reason=BENCH)
    if not shutil.which("minisign"):
        pytest.skip("needs minisign: sh tools/verifiers.sh")
    rows = list(audit.rows(turns=1, rounds=1, sample=2))
    assert [row.aim for row in rows] == [2, 0.4, None, None, None]
    assert all(row.ratio > 0 for row in rows)


def test_the_benchmark_by_minisign_fails_on_a_changed_file(tmp_path):
    minisign = pytest.importorskip("minisign", reason=BENCH)
    if not shutil.which("minisign"):
        pytest.skip("needs minisign: sh tools/verifiers.sh")
    file = tmp_path / "file"
    file.write_text("before")
    signed = audit.sign([file], tmp_path / "minisign")
    tasks = audit.minisign_loop(signed, 1), audit.in_one_process(signed)
    assert [task(0) for task in tasks] == [1, 1]
    file.write_text("after")
    for task, error in zip(tasks, (CalledProcessError, minisign.VerifyError), strict=True):
        with pytest.raises(error):
            task(1)


def test_the_benchmark_by_ssh_keygen_fails_on_a_broken_signature(tmp_path):
    task = audit.keygen_loop(tmp_path, 2)
    assert task(0) == 2
    next(tmp_path.glob("*.sig")).write_text("-----BEGIN SSH SIGNATURE-----\n")
    with pytest.raises(CalledProcessError):
        task(1)


@pytest.mark.long
def test_each_command_of_the_benchmark_late_in_a_game_runs(tmp_path):
    bot_game = begin(GameSetup(tmp_path / "game", "s", players=2))
    bot_game.play(4)
    tasks = commands_late_in_game.tasks(bot_game, tmp_path, 3)
    assert {name: task(0) for name, task in tasks.items()} == dict.fromkeys(tasks, 1)
    assert tasks["submit"](1) == 1  # from the same folder again: else there were two sets


def test_each_table_page_of_the_benchmark_is_served(tmp_path):
    bot_game = begin(GameSetup(tmp_path / "game", "s", players=2))
    bot_game.play(4)
    visitor = table_pages.Visitor(bot_game, tmp_path / "late", 3)
    assert [visitor.get(path)(0) for path in table_pages.PAGES.values()] == [1, 1, 1, 1]


@pytest.mark.long
def test_the_benchmark_of_memory_measures_each_command():
    rows = list(memory.rows(late_turn=20))
    assert [row.name.split(",")[1].split()[0] for row in rows] == [
        "python", "status", "show", "submit", "advance", "audit",
    ]  # fmt: skip
    assert 1e6 < rows[0].size < min(row.size for row in rows[1:])
    with pytest.raises(CalledProcessError):
        memory.peak_memory((PBEM, "nonsense"), memory.Path())


@pytest.mark.long
def test_the_benchmark_of_sizes_includes_the_first_mail():
    lines = [size.line() for size in sizes.rows(players=2, bot="random")]
    assert any("the first mail" in line and "aim ≤ 30" in line for line in lines)


@pytest.mark.long
def test_the_benchmark_of_decisions_gives_ratios_to_other_games():
    pytest.importorskip("catanatron", reason=BENCH)
    pytest.importorskip("chess", reason=BENCH)
    from bench import time_per_decision

    assert all(row.ratio > 0 for row in time_per_decision.rows(rounds=1))


def test_an_unknown_benchmark_is_refused(capsys):
    assert table.main(["speed"]) == 2
    assert "startup" in capsys.readouterr().out


def test_benchmark_bots_that_answer_one_by_one_play_a_game_of_scripts(tmp_path):
    setup = GameSetup(tmp_path, "s", "classroom", players=3, bot="random", answers_one_by_one=True)
    assert begin(setup).play(3) == 3
