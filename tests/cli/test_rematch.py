"""A rematch: each person of a game that is over gets an invite as a private message in it."""

import json
import re

import pytest

from pbem.acts.rematch_invites import note_rematch, send_invites
from tests.kit.named_games import game_id, session_of
from tests.kit.people import Round
from tests.kit.table_requests import enter_game, send_form

REMATCH = re.compile(r"Rematch: savannah-2(savannah-2:[abc]:[A-Z0-9]+:[0-9a-f]{64}:[A-Z0-9]{8})")


def messages_of(table: Round, name: str) -> str:
    said = table.person(name).pbem("log -C savannah").checked(0)
    return said.out.replace("\n    > ", "")  # long lines are broken


def start_rematch(table: Round, name: str = "rhea"):
    return table.person(name).pbem("new savannah-2 --like savannah --invite")


def rematch_part(table: Round, name: str) -> str:
    asking, path = enter_game(table, name)
    text = asking.get(path).text
    return re.search(r'<div class="rematch".*?\n</div>', text, re.DOTALL)[0]


@pytest.mark.sample(0)
def test_in_a_rematch_everybody_gets_their_own_invite_to_the_next_seat(game) -> None:
    table = game("over")
    said = start_rematch(table).checked(0)
    assert "the other players find their invites in the old game: Ann and Bo" in said.out
    invites = {}
    for name in ("ann", "bo"):
        (invites[name],) = REMATCH.findall(messages_of(table, name))
    assert invites["ann"].split(":")[1] == "b", "everybody moves up one seat"
    assert invites["bo"].split(":")[1] == "a"
    assert not REMATCH.search(messages_of(table, "eve")), "nobody else can read them"
    for name in invites:
        table.person(name).pbem("join --after savannah -C savannah-2").checked(0)
    assert table.person("rhea").pbem("advance -C savannah-2").exit == 0
    data = json.loads(table.person("ann").pbem("status -C savannah-2 --json").out)["data"]
    assert data["turn"] == 1
    said = table.person("eve").pbem("join --after savannah -C savannah-2")
    assert said.exit != 0
    assert "nobody has invited you to a game after this one" in said.err


@pytest.mark.sample(0)
def test_the_page_of_the_old_game_says_who_has_joined_the_rematch(game) -> None:
    table = game("over")
    assert "is in:" not in rematch_part(table, "bo")
    assert start_rematch(table).exit == 0
    part = rematch_part(table, "bo")
    assert "Rhea is in:" in part
    (invite,) = re.findall(r'name="invite" value="([^"]+)"', part)
    assert invite in messages_of(table, "bo")
    assert "is in:" not in rematch_part(table, "eve")
    asking, path = enter_game(table, "bo")
    table.person("bo").pbem("join -C savannah-2 --invite " + invite)
    text = asking.get(path).text
    assert re.search(r'href="[^"]*/game/[0-9a-f]{12}">Open savannah-2</a>', text)


@pytest.mark.sample(0)
def test_whoever_is_invited_to_a_rematch_cannot_start_another(game) -> None:
    table = game("over")
    assert start_rematch(table).exit == 0
    said = start_rematch(table, "bo")
    assert said.exit != 0
    assert "Rhea has started the next game already: savannah-2" in said.err
    assert not (table.shared / "savannah-3").exists()
    asking, path = enter_game(table, "bo")
    assert send_form(asking, f"{path}/rematch").status == 409


@pytest.mark.sample(0)
def test_an_interrupted_rematch_writes_only_the_missing_invites_when_repeated(game, monkeypatch):
    table = game("over")
    assert start_rematch(table).exit == 0
    rhea = session_of(table.person("rhea"))
    before = {name: messages_of(table, name).count("Rematch: ") for name in ("ann", "bo")}
    (invite,) = REMATCH.findall(messages_of(table, "bo"))
    note_rematch(rhea, "savannah-2", {"b": invite})
    assert send_invites(rhea, rhea.view()) == ["Bo"]
    assert send_invites(rhea, rhea.view()) == []
    after = {name: messages_of(table, name).count("Rematch: ") for name in ("ann", "bo")}
    assert after["ann"] == before["ann"]


def test_a_game_that_goes_on_has_no_rematch(game) -> None:
    table = game("middle")
    start_rematch(table).checked(5, err="this game is not over yet")
    assert not (table.shared / "savannah-2").exists()
    asking, path = enter_game(table, "bo")
    assert "data-rematch" not in asking.get(path).text
    assert send_form(asking, f"{path}/rematch").status == 409


HOSTILE = {
    "another host": "https://evil.example/g/{zeros}/play#join={invite}",
    "no invite": "https://pond.example.org/",
    "markup": "<script>alert(1)</script>",
    "a wrong character": "{wrong}",
    "more lines": "{invite}\nsend me your key",
}


@pytest.mark.sample(0)
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_message_that_only_looks_like_an_invite_gets_no_join_button(game, kind: str) -> None:
    table = game("over")
    assert start_rematch(table).exit == 0
    (invite,) = REMATCH.findall(messages_of(table, "bo"))
    wrong = invite[:-1] + ("A" if invite[-1] != "A" else "B")
    text = HOSTILE[kind].format(invite=invite, zeros="0" * 32, wrong=wrong)
    said = table.person("ann").pbem(["tell", "-C", "savannah", "--to", "b", f"Rematch: x\n{text}"])
    assert said.exit == 0, said.text
    part = rematch_part(table, "bo")
    assert "Rhea is in:" in part
    assert "Ann is in:" not in part
    assert "<script>alert" not in part


@pytest.mark.sample(0)
def test_an_invite_to_everybody_gets_no_join_button(game) -> None:
    table = game("over")
    assert start_rematch(table).exit == 0
    (invite,) = REMATCH.findall(messages_of(table, "bo"))
    line = ["tell", "-C", "savannah", f"Rematch: x\n{invite}"]
    assert table.person("ann").pbem(line).exit == 0
    assert "Ann is in:" not in rematch_part(table, "bo")


@pytest.mark.sample(0)
def test_of_two_rematches_at_once_the_one_of_the_earlier_seat_is_shown_first(game) -> None:
    """Rhea and Ann press at once: neither has the other's message yet."""
    table = game("over")
    assert start_rematch(table).exit == 0
    (invite,) = REMATCH.findall(messages_of(table, "bo"))
    line = ["tell", "-C", "savannah", "--to", "b", f"Rematch: earlier\n{invite}"]
    assert table.person("ann").pbem(line).exit == 0
    part = rematch_part(table, "bo")
    assert part.index("Ann is in:") < part.index("Rhea is in:")
    assert part.count('type="submit"') == 2
    assert "The first game counts" in part


@pytest.mark.sample(0)
def test_after_the_end_players_and_the_referee_may_write_and_spectators_not(game) -> None:
    table = game("over")
    for name in ("ann", "bo", "rhea"):
        said = table.person(name).pbem(["tell", "-C", "savannah", "--to", "all", f"{name} here"])
        assert said.exit == 0, said.text
    table.person("eve").pbem(["tell", "-C", "savannah", "let me in"]).checked(4)
    shown = messages_of(table, "bo")
    assert all(f"{name} here" in shown for name in ("ann", "bo", "rhea"))
    assert game_id(table)
