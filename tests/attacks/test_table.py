"""Attacks on `pbem table` by other programs, other pages and other players. Each is refused."""

import re
import socket
from pathlib import Path

import pytest

from pbem.format.keys import read_key, write_key
from pbem.storage.private.home import Home
from pbem.table.guard import HEADERS
from pbem.table.server import Server
from tests.attacks.asking import HOST, Answer, Asking
from tests.cli.games import advance, invite, session_of
from tests.cli.games import game_id as id_of
from tests.cli.people import TABLE, Person, Round, key_of
from tests.shared import ROOT

PAGES = (
    "", "/history", "/messages", "/notices", "/mail", "/audit", "/plan", "/forecast", "/seal",
    "/now",
)  # fmt: skip
CLICKS = ("/plan", "/seal", "/referee", "/mail/sent", "/join", "/messages", "/notices")
FORMS = ("/new", "/join", "/open", "/unlock")
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def ann(game, monkeypatch) -> Asking:
    """Ann's table, which she has entered."""
    table = game("begun")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    return seated(table, "ann")


def seated(table: Round, name: str) -> Asking:
    found = Asking(table.person(name).home, table.shared / "savannah")
    found.table, found.game = table, f"/game/{id_of(table)[:12]}"
    assert found.enter().status == 200
    assert found.get("/").status == 200  # which puts the game into the list
    return found


def pages(asking: Asking) -> dict[str, Answer]:
    found = {path: asking.get(asking.game + path) for path in PAGES}
    return {"/": asking.get("/"), "/new": asking.get("/new"), **found}


# ---------------------------------------------------------------- from outside
def test_only_this_computer_reaches_the_port(tmp_path: Path) -> None:
    server = Server(Home(tmp_path))
    assert server._socket.getsockname() == ("127.0.0.1", server.port)
    others = {found[4][0] for found in socket.getaddrinfo(socket.gethostname(), None)}
    for address in others - {"127.0.0.1"}:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as other:
            other.settimeout(2)
            assert other.connect_ex((address, server.port)) != 0
    server._socket.close()


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{HOST[-4:]}", "localhost", ""])
def test_a_page_under_another_name_gets_nothing(ann: Asking, host: str) -> None:
    for path in ("/", ann.game, "/static/main.js"):
        assert ann.get(path, host=host).status == 403
    assert ann.post("/unlock", host=host).status == 403


def test_a_request_with_two_names_gets_nothing(ann: Asking) -> None:
    assert ann.get("/", Host="evil.example").status == 403
    assert ann.get("/", Host=HOST).status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"origin": ""},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_other_pages_cannot_click(ann: Asking, headers: dict[str, str]) -> None:
    before = sorted(ann.table.root.rglob("*.toml"))
    for path in [ann.game + click for click in CLICKS] + [*FORMS]:
        assert ann.post(path, **headers).status == 403
    assert ann.post("/receive", b"mail", **headers).status == 403
    assert sorted(ann.table.root.rglob("*.toml")) == before


def test_other_pages_cannot_read(ann: Asking) -> None:
    assert ann.get(ann.game, sec_fetch_site="cross-site").status == 403
    assert ann.get(ann.game, origin="http://127.0.0.1:9999").status == 403
    assert "access-control-allow-origin" not in ann.get(ann.game).headers


# ---------------------------------------------------------------- the token
def test_without_the_token_nothing_is_shown(ann: Asking) -> None:
    known = ann.cookie
    for cookie in ("", "pbem-4711=", "pbem-4711=x", known.replace("4711", "4712"), "pbem-4711"):
        ann.cookie = cookie
        for path in (ann.game, f"{ann.game}/history", "/explain?word=horns", f"{ann.game}/now"):
            answer = ann.get(path)
            assert (answer.status, b"savannah" in answer.body) == (401, False)
        assert b"savannah" not in ann.get("/").body
        assert ann.post("/receive", b"mail").status == 401
        assert ann.post("/unlock").status == 401


def test_the_address_works_once(game) -> None:
    table = game("begun")
    asking = Asking(table.person("ann").home)
    token = asking.guard.token.encode()
    assert asking.post("/enter", b"a guess").status == 403
    assert asking.enter().status == 200
    asking.cookie = ""
    assert asking.post("/enter", token).status == 403
    assert asking.post("/enter", b"").status == 403
    assert asking.get("/enter").status == 405


def test_the_cookie_stays_in_the_browser(game) -> None:
    said = Asking(game("begun").person("ann").home).enter().headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=strict" in said
    assert "domain" not in said


# ---------------------------------------------------------------- what pages contain
def test_every_answer_forbids_scripts_in_the_page(ann: Asking) -> None:
    answers = [*pages(ann).values(), ann.get("/static/main.js"), ann.get("/nothing")]
    ann.cookie = ""
    for answer in [*answers, ann.get(ann.game), ann.get("/", host="evil.example")]:
        assert HEADERS.items() <= answer.headers.items()
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert "http" not in HEADERS["content-security-policy"]


def test_pages_load_nothing_and_contain_no_script(ann: Asking) -> None:
    for path, answer in pages(ann).items():
        assert answer.status == 200, (path, answer.text)
        assert not re.search(r"<script(?! type=\"module\" src=\"/static/main.js\">)", answer.text)
        assert not re.search(r"\s(on\w+|style)=", answer.text), path
        assert not re.search(r"(src|href)=\"(?!/|#)", answer.text), path


@pytest.fixture
def rude(tmp_path: Path, monkeypatch) -> Asking:
    """A game whose title and whose players' names are scripts."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    table = Round(tmp_path)
    names = f"{SCRIPT},\" onclick='alert(2)'"
    line = ["new", "savannah", "--players", names, "--referee", "<img src=x>"]
    said = table.person("rhea").pbem([*line, "--title", f"</title>{SCRIPT}", "--table", TABLE])
    assert said.exit == 0, said.text
    for seat, name in zip("ab", ("ann", "bo"), strict=True):
        said = table.person(name).pbem(["join", "-C", "savannah", "--invite", invite(table, seat)])
        assert said.exit == 0, said.text
    advance(table)
    return seated(table, "ann")


def test_a_player_called_script_is_only_a_name(rude: Asking) -> None:
    for path, answer in pages(rude).items():
        assert answer.status == 200, (path, answer.text)
        for said in (SCRIPT, "<img", f"</title>{SCRIPT}", "onclick='"):
            assert said not in answer.text, (path, said)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in rude.get(rude.game).text
    referee = seated(rude.table, "rhea").get(f"{rude.game}/referee")
    assert referee.status == 200
    assert SCRIPT not in referee.text


def test_what_is_typed_and_mailed_is_only_text(ann: Asking) -> None:
    mark = re.search(r'data-mark="(\w+)"', ann.get(f"{ann.game}/plan").text)
    assert mark
    line = f'{{"mark": "{mark[1]}", "do": "add", "kind": "food", "text": "{SCRIPT}"}}'
    answer = ann.post(f"{ann.game}/plan", line.encode())
    assert answer.status == 200
    assert SCRIPT not in answer.text
    assert "&lt;script&gt;" in answer.text
    answer = ann.post("/receive", SCRIPT.encode(), x_name="%3Cscript%3E.eml")
    assert "<script" not in answer.text
    assert "&lt;script&gt;.eml" in answer.text
    assert SCRIPT not in ann.get(f"/explain?word={SCRIPT}").text


def hand(person: Person) -> list[str]:
    view = session_of(person).view()
    places = view.play.ruleset.scene(view.table.state).places
    return next(list(place.hand) for place in places if place.seat == view.seat)


def test_a_page_tells_nothing_of_another_hand(ann: Asking) -> None:
    own, others = hand(ann.table.person("ann")), hand(ann.table.person("bo"))
    for path, answer in pages(ann).items():
        for card in set(others) - set(own):
            assert card.replace("_", " ") not in answer.text, (path, card)
            assert card not in answer.text, (path, card)


def test_a_seat_of_somebody_else_cannot_be_looked_at(ann: Asking) -> None:
    for wish in ("b", "bb", "%00"):
        answer = ann.get(f"{ann.game}?as={wish}")
        assert answer.status == 409
        assert "data-thing" not in answer.text


# ---------------------------------------------------------------- keys
@pytest.mark.long
def test_a_passphrase_is_asked_for_and_never_written(game, monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    table, secret = game("begun"), b"correct horse battery"
    key = table.person("ann").home / "profiles/default/key"
    key.write_bytes(write_key(key_of("ann"), secret))
    asking = seated(table, "ann")
    assert asking.get(asking.game).status == 423
    wrong = asking.post("/unlock", b'{"profile": "default", "passphrase": "wrong"}')
    assert (wrong.status, "passphrase is wrong" in wrong.text) == (409, True)
    assert asking.get(asking.game).status == 423
    said = b'{"profile": "default", "passphrase": "%s"}' % secret
    assert asking.post("/unlock", said).status == 200
    answer = asking.get(asking.game)
    assert (answer.status, secret in answer.body) == (200, False)
    assert "savannah" in asking.get("/").text
    seed = read_key(key.read_bytes(), secret).seed
    for path in (one for one in table.root.rglob("*") if one.is_file()):
        assert secret not in path.read_bytes(), path
        assert seed not in path.read_bytes(), path


# ---------------------------------------------------------------- bytes
@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"\xff", b"{" * 9999, b'{"do": "move", "index": true, "to": "x"}', b"x" * 400000],
)
def test_what_no_page_sends_is_refused_with_a_sentence(ann: Asking, body: bytes) -> None:
    for path in [ann.game + click for click in CLICKS] + [*FORMS]:
        answer = ann.post(path, body, x_pbem_part="1")
        assert 400 <= answer.status < 500, (path, answer.text)
        assert answer.text
        assert "traceback" not in answer.text


@pytest.mark.parametrize(
    "path",
    ["/static/../guard.py", "/static/%2e%2e/guard.py", "/static//etc/passwd", "/game/../key"],
)
def test_no_other_file_is_served(ann: Asking, path: str) -> None:
    answer = ann.get(path)
    assert answer.status in (404, 409)
    assert "secrets" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "query", ["step=-1", "step=999999", "step=x", "turn=0", "since=99", "step=²"]
)
def test_moments_that_are_not_there_are_refused(ann: Asking, query: str) -> None:
    answer = ann.get(f"{ann.game}/history?{query}")
    assert answer.status == 409
    assert "bug" not in answer.text


def test_no_form_puts_an_invite_or_a_passphrase_into_the_address() -> None:
    """Sent before the page's script runs, a plain form would put its fields into the address."""
    forms = [
        form
        for page in sorted((ROOT / "pbem" / "table" / "templates").glob("*.html"))
        for form in re.findall(r"<form[^>]*>", page.read_text("utf-8"))
    ]
    assert len(forms) > 3
    free = [form for form in forms if 'method="dialog"' not in form]
    assert [re.search("action=.*?/(audit)", form)[1] for form in free] == ["audit"]
