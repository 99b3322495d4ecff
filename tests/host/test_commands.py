"""The commands of whoever keeps a host."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pbem import __version__
from pbem.host.kept_games import Games
from tests.host.host_games import make_on_host
from tests.kit.people import Round, output_of
from tests.kit.processes import PATIENCE, until
from tests.kit.running_host import RunningHost

WHEN = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d "


@pytest.mark.long
def test_the_owner_of_a_host_lists_and_removes_games(table: Round, host: RunningHost):
    make_on_host(table, host, "--players Ann,Bo")
    address, _ = make_on_host(table, host, "--players Ann,Bo --title 'The pond'")
    owner, data = table.person("rhea"), table.root / "data"
    listed = output_of(owner, f"host list --data {data}")
    assert listed.count("0 turns") == 2
    assert "The pond" in listed
    assert address[-32:] not in listed
    name = host.games.game_at(address[-32:]).name
    rows = json.loads(output_of(owner, f"host list --data {data} --json"))["data"]
    assert name in [row["name"] for row in rows]
    for wrong in ("4f1c22d0", name[:4], "../" + name):
        said = owner.pbem(["host", "remove", wrong, "--data", str(data)])
        assert (said.exit, "on this host" in said.err) == (2, True)
        assert f"the list shows: pbem host list --data {data}" in said.err
    assert output_of(owner, f"host remove {name[:8]} --data {data}") == f"removed {name[:8]}\n"
    assert output_of(owner, f"host list --data {data}").count("0 turns") == 1


def test_mistakes_in_commands_of_a_host_get_a_sentence(table: Round):
    rhea, icon = table.person("rhea"), table.root / "icon"
    icon.write_bytes(b"\x89PNG \xff\xfe token")
    for line, words in {
        "host": "give the folder in which the host keeps",
        "host list": "give the folder in which your host keeps",
        "host --data x --token-file /nothing": "/nothing",
        f"host --data x --token-file {icon}": "has no tokens, or has a line that is not a token",
        f"host --data {'x' * 300} --port 0": "the name is too long for this disk",
        "host --data /proc/games --port 0": "/proc/games",
        "host --data x --bind 203.0.113.1 --port 0": "cannot be used",
        "host --data x --port 0 --certificate /none --key /none": "the certificate cannot be used",
        "host --data x --port 0 --address https://example.org/games": "without a path",
        "host --data x --port 0 --address ftp://example.org": "is not the address of a host",
        "new pond --players Ann,Bo --at nowhere/x?y": "is not the address of a",
        "new pond --players Ann,Bo --at http://example.org": "use https://",
    }.items():
        said = rhea.pbem(line)
        assert words in said.err, said
        assert said.exit in (2, 7), said


def test_a_systemd_unit_is_printed_only_if_it_could_start(table: Round):
    rhea = table.person("rhea")
    with socket.socket() as other:  # such as the host that runs already
        other.bind(("127.0.0.1", 0))
        other.listen()
        output_of(rhea, f"host --data x --port {other.getsockname()[1]} --print-unit")
    for line, words in {
        "--site /none": "the folder /none does not contain the page that plays",
        "--token-file /none": "/none",
        "--certificate /none --key /none": "the certificate cannot be used",
        "--bind 203.0.113.1 --port 0": "cannot be used",
    }.items():
        said = rhea.pbem(f"host --data x --print-unit {line}")
        assert (words in said.err, said.out) == (True, ""), said
    assert not (rhea.place / "x").exists()


def test_the_address_of_a_host_is_understood_as_people_type_it(table: Round):
    for typed in ("pond.example.org", "HTTPS://Pond.Example.org/"):
        unit = output_of(table.person("rhea"), f"host --data x --address {typed} --print-unit")
        assert "--address https://pond.example.org\n" in unit.replace(" --deal", "")
    unit = output_of(table.person("rhea"), "host --data x --address http://[::1]:8080 --print-unit")
    assert "--address http://[::1]:8080" in unit


def test_a_host_whose_port_is_taken_ends_so_that_systemd_tries_again(table: Round):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        said = table.person("rhea").pbem(f"host --data x --port {other.getsockname()[1]}")
    assert said.exit == 5, "a service that systemd keeps tries again"
    assert "if no other pbem host is running" in said.err


def test_a_host_does_not_start_in_a_folder_of_other_files(table: Round):
    """Such as the folder `games/` of pbem's own source."""
    rhea, folder = table.person("rhea"), table.root / "rhea" / "games"
    folder.mkdir(parents=True)
    (folder / "registry.py").touch()
    refused = rhea.pbem(f"host --data {folder} --port 0 --certificate /none --key /none")
    assert (refused.exit, refused.out) == (7, "")
    assert "games: contains files that no host made, such as 'registry.py'" in refused.err
    assert [path.name for path in folder.iterdir()] == ["registry.py"]


def test_a_host_starts_in_its_folder_although_other_folders_are_there(table: Round):
    """What a host, a system or a stranger put there may stay."""
    rhea, folder = table.person("rhea"), table.root / "rhea" / "games"
    names = ["0" * 32, f"dealing-{'0' * 32}", f"made-{'0' * 32}", ".DS_Store", "lost+found", "me"]
    for name in names:
        (folder / name).mkdir(parents=True)
    refused = rhea.pbem(f"host --data {folder} --port 0 --certificate /none --key /none")
    assert "the certificate cannot be used" in refused.err, "it came to its next step"
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)


def test_the_systemd_unit_of_a_host_has_the_options_of_the_command(table: Round):
    rhea = table.person("rhea")
    unit = output_of(rhea, "host --data games --port 8088 --print-unit")
    assert f"host --data {rhea.place}/games --bind 127.0.0.1 --port 8088" in unit
    assert "Description=pbem keeps games for others" in unit
    assert "pbem-host.service" in unit, "beside the unit of pbem run"
    unit = output_of(
        rhea, "host --data s3://club/x --address https://pond.example.org --print-unit"
    )
    assert "host --data s3://club/x --bind 127.0.0.1 --port 8080" in unit
    assert "--address https://pond.example.org" in unit


@pytest.mark.long
def test_a_host_starts_serves_logs_and_stops(tmp_path: Path):
    """As a user starts it; its log has no address, and its password only its owner can read. Each
    line about what happens has its time."""
    env = {**os.environ, "PBEM_HOME": str(tmp_path / "home")}
    env.pop("PYTHONUNBUFFERED", None)
    words = [sys.executable, "-m", "pbem", "host", "--data", str(tmp_path / "data"), "--port", "0"]
    words += ["--deal"]
    printed, errors = tmp_path / "printed", tmp_path / "errors"
    with printed.open("w") as out_file, errors.open("w") as err_file:
        host = subprocess.Popen(words, env=env, stdout=out_file, stderr=err_file)
    # at once, though it is no terminal
    until(lambda: "your page as the owner: " in printed.read_text(), why=errors.read_text)
    first, _, _, made, page = printed.read_text().splitlines()[:5]
    told = rf"{WHEN}pbem {re.escape(__version__)} begins: it keeps games in .*, and people reach "
    assert re.match(told, first), first
    url = first.strip().rpartition(" ")[2]
    assert "to make a game on this host: pbem new savannah" in made
    assert page.startswith(f"your page as the owner: {url}/owner (log in with any name; ")
    try:
        table = Round(tmp_path / "table")
        output_of(table.person("rhea"), f"new pond --players Ann,Bo --at {url}")
        said = output_of(
            table.person("ann"), f"new A --players Ann --bots greedy:1 --at {url} --dealer host"
        )
        line = re.findall(r"pbem (join .*)", said)[0]
        output_of(table.person("ann"), line)
        # what the dealer does
        until(lambda: "A: made turns/0001.toml" in printed.read_text(), why=printed.read_text)
    finally:
        host.send_signal(signal.SIGTERM)
        host.wait(PATIENCE)
    out, err = printed.read_text(), errors.read_text()
    assert host.returncode == 0, err
    happened = out.splitlines()[5:]
    assert all(re.match(WHEN, one) for one in happened), out
    assert happened[-1].endswith("pbem host has stopped; all games are kept")
    assert "game.toml kept" in out
    assert f"note: each link begins with {url} and works only on this computer." in err
    assert "/g/" not in out
    password = tmp_path / "home" / "host-password"
    assert password.read_text().strip() not in out
    assert password.stat().st_mode & 0o077 == 0
    assert len(list(Games(tmp_path / "data").names())) == 2


def test_the_token_file_of_a_host_can_be_a_pipe(tmp_path: Path):
    """As in `--token-file <(pass show host)`; the host goes on to look at its other options."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", f"printf 'open-sesame' > {pipe}"])
    said = (
        Round(tmp_path)
        .person("rhea")
        .pbem(f"host --data x --port 0 --token-file {pipe} --certificate /none --key /none")
    )
    writer.wait(PATIENCE)
    assert "the certificate cannot be used" in said.err, said
