"""The end of a game on its page: your own result, whether it was fair, and the replay as a file."""

import re

import pytest

from pbem.judge.audit import audit
from pbem.web import result_and_audit_pages
from tests.kit.table_requests import enter_game, enter_table, send_form


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The folders that were audited."""
    folders: list[object] = []

    def counted_audit(folder, **more):
        folders.append(folder)
        return audit(folder, **more)

    monkeypatch.setattr(result_and_audit_pages, "audit", counted_audit)
    return folders


def scores_section(text: str) -> str:
    return re.search(r'<section class="scores".*?</section>', text, re.DOTALL)[0]


@pytest.mark.sample(0)
def test_the_end_page_shows_your_own_result_first(game) -> None:
    table = game("over")
    results = {}
    for name in ("ann", "bo"):
        asking, path = enter_game(table, name)
        section = scores_section(asking.get(path).text)
        results[name] = re.search(r'<p class="own-result">([^<]*)</p>', section)[1]
        assert section.index("own-result") < section.index("<h2") < section.index("<table")
        points = re.search(r'<tr class="mine .*?<strong>(\d+)</strong>', section, re.DOTALL)[1]
        assert f"with {points} points" in results[name]
    assert sorted(text.partition(",")[0] for text in results.values()) == [
        "You came second of 2", "You won",
    ]  # fmt: skip
    asking, path = enter_game(table, "eve")
    assert "own-result" not in asking.get(path).text, "a spectator has no result"


@pytest.mark.sample(0)
def test_a_page_of_a_game_that_is_over_waits_for_no_audit(game, audits) -> None:
    table = game("over")
    asking, path = enter_game(table, "ann")
    text = asking.get(path).text
    (address,) = re.findall(r'data-proof="[^"]*(/game/[^"]+)"', text)
    assert not audits, "the page is there before the audit"
    proof = asking.get(address).text
    assert "✓ Proven fair." in proof
    assert len(audits) == 1
    assert re.search(r"choice of \d+ turns follows", proof)
    assert proof.strip() in asking.get(path).text
    assert asking.get(address).text == proof
    again = enter_table(table.person("ann"))
    assert proof.partition("</strong>")[0].split("<strong>")[1] in again.get(path).text
    assert len(audits) == 1, "the home remembers it, also for the next `pbem table`"
    table.person("bo").pbem(["tell", "-C", "savannah", "Well played."]).checked(0)
    assert "data-proof" not in asking.get(path).text, "a message is no part of the game"


@pytest.mark.sample(0)
def test_the_end_page_calls_a_game_fair_only_if_it_is_proven(game, audits) -> None:
    table = game("over")
    asking, path = enter_game(table, "ann")
    folder = table.shared / "savannah"
    assert "✓ Proven fair." in asking.get(f"{path}/proof").text
    final = (folder / "final.toml").read_bytes()
    (folder / "final.toml").unlink()
    assert "data-proof" in asking.get(path).text
    proof = asking.get(f"{path}/proof").text
    assert "Not proven yet." in proof
    assert "fair.</strong>" not in proof
    (folder / "final.toml").write_bytes(final)
    turn = folder / "turns" / "0003.toml"
    turn.write_bytes(turn.read_bytes().replace(b"turn = 3", b"turn = 4"))
    assert "✗ Not proven." in asking.get(f"{path}/proof").text
    assert len(audits) == 3


@pytest.mark.sample(0)
def test_the_end_page_offers_the_replay_as_a_file(game) -> None:
    table = game("over")
    asking, path = enter_game(table, "ann")
    section = scores_section(asking.get(path).text)
    (address,) = re.findall(r'data-share-file="[^"]*(/game/[^"]+)" hidden', section)
    answer = asking.get(address)
    assert answer.headers["content-disposition"] == 'attachment; filename="savannah.html"'
    assert answer.text.startswith("<!doctype html>")
    assert "with all hands" in answer.text
    assert send_form(asking, f"{path}/proof").status == 405


def test_a_game_that_goes_on_has_no_result_proof_or_replay_to_share(game) -> None:
    asking, path = enter_game(game("middle"), "ann")
    text = asking.get(path).text
    for name in ("data-share-file", "data-proof", "own-result"):
        assert name not in text
