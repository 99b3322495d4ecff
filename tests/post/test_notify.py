"""`notify`: what a person is told, once, and nothing that is hidden."""

from collections.abc import Callable

import pytest

from tests.kit.named_games import play, session_of
from tests.kit.people import Round, output_of
from tests.post.notified import Heard


@pytest.mark.sample(0)
def test_your_move_is_told_once(game: Callable[[str], Round], notified_server: Heard) -> None:
    table = game("begun")
    ann = table.person("ann")
    assert ann.pbem(f"notify add {notified_server.url}").exit == 0
    assert ann.pbem("show -C savannah").exit == 0
    for _ in range(2):
        output_of(ann, "run --once")
    assert notified_server.texts == ["savannah: It is your move: food."]


@pytest.mark.sample(0)
def test_a_near_deadline_is_notified_once(game, notified_server):
    table = game("timed")
    ann = table.person("ann")
    assert ann.pbem(f"notify add {notified_server.url}").exit == 0
    assert ann.pbem("show -C savannah").exit == 0
    for hours in (1, 2, 19, 20, 30):
        ann.pbem("run --once", SOURCE_DATE_EPOCH=str(1_700_000_000 + 3600 * hours))
    moves = [text.partition(" food")[0] for text in notified_server.texts]
    assert moves == ["savannah: It is your move:", "savannah: The deadline is near:"]


@pytest.mark.long
def test_the_end_is_told_but_not_of_games_that_were_over(game, notified_server):
    table = game("last_turn")
    ann, bo = table.person("ann"), table.person("bo")
    assert ann.pbem(f"notify add {notified_server.url}").exit == 0
    session_of(ann)
    assert ann.pbem("show -C savannah").exit == 0
    assert ann.pbem("run --once").exit == 0
    before = len(notified_server.said)
    play(table)
    assert ann.pbem("run --once").exit == 0
    assert notified_server.texts[before:] == ["savannah: The game is over: Ann wins."]
    assert bo.pbem(f"notify add {notified_server.url}").exit == 0
    assert bo.pbem("show -C savannah").exit == 0
    assert bo.pbem("run --once").exit == 0
    assert len(notified_server.said) == before + 1


def test_a_trouble_is_told_once(game: Callable[[str], Round], notified_server: Heard) -> None:
    table = game("begun")
    rhea = table.person("rhea")
    assert rhea.pbem(f"notify add {notified_server.url}").exit == 0
    (table.shared / "savannah/turns/0001.toml").write_text("broken")
    said = rhea.pbem("run --once")
    troubles = [text for text in notified_server.texts if "Something is wrong" in text]
    assert len(troubles) == said.out.count("error: ")


def test_a_trouble_is_told_without_its_details(game, notified_server):
    """What a server or a command says can contain addresses, paths and passwords."""
    table = game("begun")
    rhea = table.person("rhea")
    assert rhea.pbem(f"notify add {notified_server.url}").exit == 0
    setup = "post setup --address rhea@example.org --imap localhost:1 --smtp localhost:1"
    assert rhea.pbem([*setup.split(), "--password-command", "echo hunter2 >&2; false"]).exit == 0
    (table.shared / "savannah/turns/0001.toml").write_text("broken")
    assert rhea.pbem("post address -C savannah Bo bo@example.org").exit in (0, 4, 5)
    said = rhea.pbem("run --once")
    assert said.exit == 5
    troubles = [text for text in notified_server.texts if "Something is wrong" in text]
    assert troubles[0] == "pbem: Something is wrong: mail cannot be read. `pbem run` says more."
    for secret in ("hunter2", "example.org", "localhost", str(table.root), "turns"):
        assert not any(secret in text for text in notified_server.texts), notified_server.texts


def test_addresses_are_kept_secret(table: Round, notified_server: Heard) -> None:
    ann = table.person("ann")
    secret = "tgram://123456789:abcdefg_hijklmnop/12315544/"
    assert ann.pbem(f"notify add {secret}").exit == 0
    listed = ann.pbem("notify list")
    assert listed.out.startswith("1: tgram://")
    assert "hijklmnop" not in listed.text
    assert (ann.home / "notify.toml").stat().st_mode & 0o777 == 0o600
    assert "hijklmnop" not in ann.pbem("notify remove 1").text
    assert "no addresses yet" in ann.pbem("notify list").out


def test_a_mistyped_notify_is_told_what_is_wrong(table: Round, notified_server: Heard) -> None:
    ann = table.person("ann")
    assert "no service understands" in ann.pbem("notify add nonsense").err
    assert ann.pbem("notify test").exit == 2
    assert ann.pbem("notify remove 1").exit == 2
    assert ann.pbem(f"notify add {notified_server.url}").exit == 0
    assert ann.pbem("notify test").out == "sent the test to 1 address\n"
    notified_server.answer = 500
    said = ann.pbem("notify test")
    sentence = "could not send the test notification to json://localhost"
    assert (said.exit, sentence in said.err) == (5, True)
