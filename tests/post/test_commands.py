"""`post setup`, `post address`, `run`: what they say without a mail server."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.named_games import made
from tests.kit.people import Person, Round

GMAIL = "post setup --address me@gmail.com --password-command 'echo secret'"


@pytest.fixture
def rhea_before_setup(tmp_path: Path) -> Person:
    return Round(tmp_path).person("rhea")


def test_an_address_is_enough_for_a_known_provider(rhea_before_setup: Person) -> None:
    said = rhea_before_setup.pbem(GMAIL)
    assert (said.exit, "app password" in said.err) == (0, True)
    shown = rhea_before_setup.pbem("post show").out
    assert "reads: imap.gmail.com:993 (tls), as me@gmail.com" in shown
    assert "password: printed by the command echo secret" in shown
    assert (rhea_before_setup.home / "post/default/account.toml").stat().st_mode & 0o777 == 0o600


def test_without_its_library_it_says_how_to_get_it(
    rhea_before_setup: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = ("pbem.post.", "imapclient")
    for name in [name for name in sys.modules if name.startswith(known)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "imapclient", None)
    assert rhea_before_setup.pbem(GMAIL).exit == 0
    said = rhea_before_setup.pbem("post test")
    assert said.exit == 2, said
    assert "automatic mail needs libraries that are not installed" in said.err


def test_setup_changes_what_is_typed_and_keeps_the_rest(rhea_before_setup: Person) -> None:
    assert rhea_before_setup.pbem(f"{GMAIL} --per-hour 7").exit == 0
    said = rhea_before_setup.pbem("post setup --mail-folder Games --imap-security starttls")
    assert (said.exit, said.out.count("next: pbem post test")) == (0, 1), said.text
    shown = rhea_before_setup.pbem("post show").out
    assert "reads: imap.gmail.com:993 (starttls), as me@gmail.com" in shown
    assert "password: printed by the command echo secret" in shown
    assert "folder: Games" in shown
    assert "per_hour = 7" in (rhea_before_setup.home / "post/default/account.toml").read_text()
    assert rhea_before_setup.pbem("post setup --smtp mail.example.org:587").exit == 0
    assert "sends: mail.example.org:587 (starttls)" in rhea_before_setup.pbem("post show").out
    refused = rhea_before_setup.pbem("post setup --imap mail.example.org --imap-security clear")
    assert (refused.exit, "anybody between you and the server" in refused.err) == (2, True)


def test_a_mailbox_for_another_profile_is_tested_with_its_profile(
    rhea_before_setup: Person,
) -> None:
    said = rhea_before_setup.pbem(f"{GMAIL} --profile club")
    assert said.out.endswith("next: pbem post test --profile club\n")


@pytest.mark.parametrize(
    ("options", "words", "code"),
    [
        ("", "--address is missing", 2),
        ("--address bo", "'bo' is not an email address", 2),
        ("--address bo@example.org", "--imap is missing", 2),
        ("--address bo@example.org --imap x:y --smtp z", "'x:y' is not a server", 2),
        ("--address bo@gmail.com --imap-security clear", "between you and the server can read", 2),
        ("--address bo@gmail.com --imap-security none", "not a kind of encryption", 2),
        ("--address bo@gmail.com --password-file none", "No such file", 4),
        ("--address bo@gmail.com --profile ../x", "a profile's name", 2),
        ("--address bo@gmail.com", "password-command", 2),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(
    rhea_before_setup: Person, options: str, words: str, code: int
) -> None:
    said = rhea_before_setup.pbem(f"post setup {options}")
    assert (said.exit, words in said.err) == (code, True), said.text
    assert not (rhea_before_setup.home / "post").exists() or "keyring" in said.err


def test_a_password_that_others_may_read_is_refused(rhea_before_setup: Person) -> None:
    path = rhea_before_setup.place / "password"
    path.write_text("secret")
    path.chmod(0o644)
    said = rhea_before_setup.pbem("post setup --address me@gmail.com --password-file password")
    assert (said.exit, "other users of this computer can read" in said.err) == (4, True)
    path.chmod(0o600)
    assert (
        rhea_before_setup.pbem("post setup --address me@gmail.com --password-file password").exit
        == 0
    )
    path.chmod(0o640)
    said = rhea_before_setup.pbem("post test")
    assert (said.exit, f"chmod 600 {path}" in said.err) == (4, True)


@pytest.mark.parametrize(("command", "words"), [("false", "exit code 1"), ("true", "is empty")])
def test_a_command_that_prints_no_password(
    rhea_before_setup: Person, command: str, words: str
) -> None:
    rhea_before_setup.pbem(f"post setup --address me@gmail.com --password-command {command}")
    said = rhea_before_setup.pbem("post test")
    assert (said.exit, words in said.err) == (4, True), said.text


def test_without_a_mailbox(rhea_before_setup: Person) -> None:
    assert "no mailbox is set up" in rhea_before_setup.pbem("post test").err
    said = rhea_before_setup.pbem("run --once")
    assert (said.exit, "so pbem handles only the game folders" in said.out) == (0, True)


def test_a_broken_account_file_is_told(rhea_before_setup: Person) -> None:
    assert rhea_before_setup.pbem(GMAIL).exit == 0
    path = rhea_before_setup.home / "post/default/account.toml"
    for text in ("x = [", "", "address = 1", path.read_text().replace("tls", "clear")):
        path.write_text(text)
        said = rhea_before_setup.pbem("post show")
        assert (said.exit, said.err.startswith("error: ")) == (2, True), said.text


def test_run_makes_turns_in_folders(rhea_before_setup: Person, tmp_path: Path) -> None:
    table = Round(tmp_path)
    made(table, "--players Ann --referee Rhea --bots random:1")
    from tests.kit.named_games import sit

    sit(table, "a")
    said = rhea_before_setup.pbem("run --once")
    assert (said.exit, "made turns/0001.toml" in said.out) == (0, True), said.text
    assert rhea_before_setup.pbem("run --once").out.count("made") == 0


def test_a_broken_game_does_not_stop_the_others(rhea_before_setup: Person, tmp_path: Path) -> None:
    table = Round(tmp_path)
    made(table, "--players Ann --referee Rhea --bots random:1")
    other = rhea_before_setup.pbem("new other --players Ann --referee Rhea --bots random:1")
    assert other.exit == 0
    (table.shared / "other/game.toml").write_text("nonsense")
    from tests.kit.named_games import sit

    sit(table, "a")
    said = rhea_before_setup.pbem("run --once")
    assert "made turns/0001.toml" in said.out
    assert "error: game " in said.out
    assert said.exit == 5


def test_the_referee_sets_and_removes_the_address_of_a_player(
    rhea_before_setup: Person, tmp_path: Path
) -> None:
    made(Round(tmp_path))
    for who, words in (("Bo bo@example.org", "mail for Bo goes to bo@example.org"),
                       ("b bo@example.net", "mail for Bo goes to bo@example.net"),
                       ("b -", "pbem has no email address for b now")):  # fmt: skip
        said = rhea_before_setup.pbem(f"post address -C savannah {who}")
        assert (said.exit, words in said.out) == (0, True), said.text
    said = rhea_before_setup.pbem("post address -C savannah Boo bo@example.org")
    assert (said.exit, "did you mean bo?" in said.err) == (2, True)
    assert rhea_before_setup.pbem("post address -C savannah b nonsense").exit == 2
    assert "referee Rhea: -" in rhea_before_setup.pbem("post address -C savannah").out


def test_the_unit_is_what_systemd_reads(rhea_before_setup: Person) -> None:
    said = rhea_before_setup.pbem("run --print-unit")
    assert said.exit == 0
    lines = said.out.splitlines()
    start = next(line for line in lines if line.startswith("ExecStart="))
    assert start.endswith(" -m pbem run")
    assert f"Environment=PBEM_HOME={rhea_before_setup.home}" in lines
    command = start.removeprefix("ExecStart=").split()
    done = subprocess.run([*command, "--once"], env=rhea_before_setup.environ({}), check=False,
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
