"""`pbem sim` for studies: the same numbers whoever plays, in however many runs."""

import json
import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest

from tests.kit.people import PBEM, Person, Round
from tests.kit.processes import until
from tests.sim.simulate import result_without_seconds

GAMES = 12
SIM = "sim evolution --players 3 --bots greedy,random,random --seed 5"


@pytest.fixture(scope="module")
def whole_study(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """All games in one run of one process."""
    ann = Round(tmp_path_factory.mktemp("whole")).person("ann")
    return sim_data(ann, f"--games {GAMES} --jobs 1")


def sim_data(ann: Person, options: str, sim: str = SIM) -> dict[str, object]:
    said = ann.pbem(f"{sim} {options} --json")
    assert (said.exit, said.err) == (0, ""), said
    return result_without_seconds(said.out)


def saved(ann: Person, name: str) -> dict[str, object]:
    return result_without_seconds((ann.place / name).read_text("utf-8"))


# ---------------------------------------------------------------- the same numbers
@pytest.mark.long
@pytest.mark.parametrize("options", ["--jobs 2", ""])
def test_a_study_has_the_same_numbers_with_any_number_of_processes(
    researcher: Person, whole_study: dict[str, object], options: str
) -> None:
    assert sim_data(researcher, f"--games {GAMES} {options}") == whole_study


@pytest.mark.long
def test_a_study_continued_from_a_file_has_the_numbers_of_one_run(
    researcher: Person, whole_study: dict[str, object]
) -> None:
    first = sim_data(researcher, "--games 5 --save some.json")
    assert saved(researcher, "some.json") == first
    assert (first["games"], first["complete"]) == (5, True)
    rest = f"--from some.json --games {GAMES} --save some.json"
    assert sim_data(researcher, rest, "sim") == whole_study
    assert saved(researcher, "some.json") == whole_study
    assert sim_data(researcher, "--from some.json") == whole_study  # nothing is left to play


@pytest.mark.long
def test_a_study_can_be_continued_from_its_printed_json(
    researcher: Person, whole_study: dict[str, object]
) -> None:
    (researcher.place / "out.json").write_text(researcher.pbem(f"{SIM} --games 5 --json").out)
    assert sim_data(researcher, f"--from out.json --games {GAMES}", "sim") == whole_study


@pytest.mark.long
def test_the_results_of_two_machines_together_are_those_of_one(
    researcher: Person, whole_study: dict[str, object]
) -> None:
    sim_data(researcher, "--games 5 --save one.json")
    sim_data(researcher, f"--first 5 --games {GAMES - 5} --save two.json")
    merged = sim_data(researcher, "--merge two.json one.json --save all.json", "sim")
    assert merged == whole_study
    assert saved(researcher, "all.json") == whole_study


@pytest.mark.long
def test_merged_results_with_a_gap_say_which_games_are_missing(
    researcher: Person, whole_study: dict[str, object]
) -> None:
    sim_data(researcher, "--games 3 --save one.json")
    sim_data(researcher, f"--first 8 --games {GAMES - 8} --save two.json")
    both = sim_data(researcher, "--merge one.json two.json --save all.json", "sim")
    assert (both["games"], both["complete"]) == (GAMES - 5, False)
    told = researcher.pbem("sim --merge one.json two.json").out
    assert "missing: games 3 to 7" in told
    assert "played: games 0 to 2 and 8 to 11" in told
    assert sim_data(researcher, "--from all.json", "sim") == whole_study


def test_a_study_that_begins_at_a_later_game_says_so(researcher: Person) -> None:
    said = researcher.pbem("sim evolution --first 7 --games 1")
    assert "played: game 7" in said.out
    assert "missing" not in said.out


# ---------------------------------------------------------------- what does not fit
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("sim --merge one.json one.json", "cannot be merged with the others: games 0 to 1 would"),
        ("sim --merge one.json seed.json", "seed.json cannot be merged with the others: the seed"),
        ("sim --merge", "give the files to merge"),
        ("sim --merge one.json --games 3", "give only files, and no options except"),
        ("sim --merge one.json --jobs 3", "give only files, and no options except"),
        (
            "sim --from one.json --seed 2",
            "the results in one.json cannot be continued: the seed differs",
        ),
        ("sim --from one.json --players 3", "the number of players differs: 2 and 3"),
        ("sim climate --from one.json", "the ruleset differs: evolution and climate"),
        ("sim --from one.json --bots greedy", "bots differs: random, random and greedy, greedy"),
        ("sim --from one.json --option together=yes", "together=no, autofeed=no and together="),
        ("sim --from one.json --games 1", "game 0 was asked for, but these were played: game"),
        ("sim --from one.json --first 1", "1 to 2 were asked for, but these were played: game"),
        ("sim --from text.json", "text.json is not a result of pbem sim --json"),
        ("sim --from changed.json", "changed.json is not a result of pbem sim --json, or somebod"),
        ("sim --from old.json", "old.json is from pbem 0.0.9, and this is pbem"),
        ("sim --from nothing.json", "nothing.json: is not there"),
        ("sim evolution --save one.json", "one.json already exists; nothing was overwritten"),
        ("sim", "name the ruleset to play, or give saved results with --from"),
        ("sim evolution climate", "name only one ruleset, not 2"),
        ("sim evolution --games 9999999999999", "must be smaller than 1000000000000"),
        ("sim evolution --jobs 2 --scheduler tcp://here:1", "--jobs is for this computer only"),
        ("sim evolution --jobs 0", "0 is not in the range"),
    ],
)  # fmt: skip
def test_studies_that_do_not_fit_together_are_refused_with_the_difference(
    researcher: Person, typed: str, told: str
) -> None:
    make_result_files(researcher.place)
    before = (researcher.place / "one.json").read_bytes()
    said = researcher.pbem(typed)
    assert said.exit == (7 if "nothing.json" in typed else 2)
    assert told in said.err
    assert said.out == ""
    assert (researcher.place / "one.json").read_bytes() == before


KEPT: dict[str, str] = {}


def make_result_files(place: Path) -> None:
    """Two results, and files that are none."""
    if not KEPT:
        ann = Round(place / "made").person("ann")
        for name, seed in (("one", 1), ("seed", 2)):
            KEPT[name] = ann.pbem(f"sim evolution --bots random --games 2 --seed {seed} --json").out
        told = json.loads(KEPT["one"])
        KEPT["changed"] = json.dumps({**told, "decisions": told["decisions"] + 1})
        KEPT["old"] = json.dumps({**told, "pbem": "0.0.9"})
        KEPT["text"] = "wins: 7\n"
    for name, text in KEPT.items():
        (place / f"{name}.json").write_text(text)


@pytest.mark.parametrize(
    "change",
    [
        {"sums": {}}, {"seats": None}, {"played": [{"first": -1, "games": 2}]}, {"players": 2.0},
        {"played": [{"first": 0, "games": 10**40}]}, {"asked": []}, {"games": 3}, {"bots": 7},
    ],
)  # fmt: skip
def test_a_changed_results_file_is_refused(researcher: Person, change: dict[str, object]) -> None:
    make_result_files(researcher.place)
    told = json.dumps(json.loads(KEPT["one"]) | change)
    (researcher.place / "odd.json").write_text(told)
    said = researcher.pbem("sim --from odd.json")
    assert (said.exit, said.out) == (2, "")
    assert "odd.json is not a result of pbem sim --json, or somebody has changed it" in said.err


# ---------------------------------------------------------------- Ctrl-C and the bar
@pytest.mark.long
@pytest.mark.parametrize("options", ["--jobs 2 --save so-far.json", "--json --save so-far.json"])
def test_a_study_that_ctrl_c_stops_prints_what_is_done_and_can_be_continued(
    researcher: Person, options: str
) -> None:
    """The terminal interrupts all processes at once; only the first one may speak."""
    line = ["sim", "evolution", "--games", "100000", *options.split()]
    running = subprocess.Popen(
        [str(PBEM), *line], cwd=researcher.place, env=researcher.environ({}), text=True,
        start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    until((researcher.place / "so-far.json").exists)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate()
    done = saved(researcher, "so-far.json")
    assert running.returncode == 130
    assert err == (
        f"{done['games']} of 100000 games have been played; "
        "to continue: pbem sim --from so-far.json --save so-far.json\ninterrupted\n"
    )
    if "--json" in options:
        assert result_without_seconds(out) == done
    else:
        assert f"evolution: {done['games']} game" in out
        assert "missing: games " in out
    assert done["complete"] is False
    goes_on_as_if_nothing_was(researcher, done)


def goes_on_as_if_nothing_was(ann: Person, done: dict[str, object]) -> None:
    last = done["played"][-1]
    number = last["first"] + last["games"] + 2
    one = sim_data(ann, f"--from so-far.json --games {number}", "sim")
    assert one == sim_data(ann, f"--games {number} --jobs 1", "sim evolution")


@pytest.mark.sample(0)
@pytest.mark.parametrize("options", [["--jobs", "1"], ["--jobs", "2"]])
def test_a_terminal_shows_a_progress_bar_and_the_results_stay_the_same(
    researcher: Person, options: list[str]
) -> None:
    """On standard error; the results on standard output are the same."""
    master, slave = pty.openpty()
    line = ["sim", "evolution", "--games", "12", *options]
    running = subprocess.Popen(
        [str(PBEM), *line], cwd=researcher.place, env=researcher.environ({"TERM": "xterm"}),
        stdout=subprocess.PIPE, stderr=slave, text=True,
    )  # fmt: skip
    os.close(slave)
    seen = b""
    try:
        while part := os.read(master, 1000):
            seen += part
    except OSError:
        pass  # the terminal is closed when the command ends
    os.close(master)
    out, _ = running.communicate()
    assert running.returncode == 0, seen
    assert "12/12" in seen.decode()
    without = researcher.pbem("sim evolution --games 12")
    assert [x for x in out.splitlines() if "seconds" not in x] == [
        x for x in without.out.splitlines() if "seconds" not in x
    ]
    assert without.err == ""
