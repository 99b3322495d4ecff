"""Attacks on `pbem table` by other programs, other pages and other players. Each is refused."""

import json
import re
import socket
from dataclasses import dataclass
from email.message import Message
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import quote
from urllib.request import Request

import pytest

from pbem.files.home import Home
from pbem.format.openssh_key_files import read_key, write_key
from pbem.web.access_guard import SECURITY_HEADERS
from pbem.web.server import Server
from tests.kit.named_games import advance, invite, session_of
from tests.kit.named_games import game_id as id_of
from tests.kit.people import TABLE, Person, Round, key_of
from tests.kit.selection import ROOT
from tests.kit.table_requests import HOST, Answer, Asking

PAGES = (
    "", "/history", "/messages", "/notices", "/mail", "/audit", "/plan", "/forecast",
    "/live", "/live?have=none", "/news?since=0", "/about?thing=b", "/about?thing=b1",
)  # fmt: skip
CLICKS = (
    "/plan", "/seal", "/deliver", "/take-back", "/missed", "/referee", "/deal", "/mail/sent",
    "/join", "/messages", "/notices",
)  # fmt: skip
FORMS = ("/new", "/join", "/open", "/unlock")
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def anns_table(game, monkeypatch) -> Asking:
    """Ann's table, which she has entered."""
    table = game("begun")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    return entered_table_of(table, "ann")


def entered_table_of(table: Round, name: str) -> Asking:
    found = Asking(table.person(name).home, table.shared / "savannah")
    found.table, found.game = table, f"/game/{id_of(table)[:12]}"
    assert found.enter().status == 200
    assert found.get("/").status == 200  # which puts the game into the list
    return found


def pages(asking: Asking) -> dict[str, Answer]:
    found = {path: asking.get(asking.game + path) for path in PAGES}
    return {"/": asking.get("/"), "/new": asking.get("/new"), **found}


# ---------------------------------------------------------------- from outside
def test_pbem_table_listens_on_this_computer_alone(tmp_path: Path) -> None:
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
def test_requests_under_another_host_name_are_refused(anns_table: Asking, host: str) -> None:
    for path in ("/", anns_table.game, "/static/main.js"):
        assert anns_table.get(path, host=host).status == 403
    assert anns_table.post("/unlock", host=host).status == 403


def test_requests_with_two_host_names_are_refused(anns_table: Asking) -> None:
    assert anns_table.get("/", Host="evil.example").status == 403
    assert anns_table.get("/", Host=HOST).status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"origin": ""},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"x_pbem_part": ""},  # as a form of any page would send it
    ],
)
def test_forms_from_other_web_pages_are_refused(
    anns_table: Asking, headers: dict[str, str]
) -> None:
    before = sorted(anns_table.table.root.rglob("*.toml"))
    for path in [anns_table.game + click for click in CLICKS] + [*FORMS]:
        assert anns_table.post(path, **headers).status == 403
    assert anns_table.post("/receive", b"mail", **headers).status == 403
    assert sorted(anns_table.table.root.rglob("*.toml")) == before


@pytest.mark.sample(0)
def test_pages_cannot_be_read_by_other_web_pages(anns_table: Asking) -> None:
    assert anns_table.get(anns_table.game, sec_fetch_site="cross-site").status == 403
    assert anns_table.get(anns_table.game, origin="http://127.0.0.1:9999").status == 403
    assert "access-control-allow-origin" not in anns_table.get(anns_table.game).headers


# ---------------------------------------------------------------- the token
def test_without_the_token_no_page_is_shown(anns_table: Asking) -> None:
    """The token gives a path and a pass; one of them without the other is worth nothing."""
    known, root = anns_table.cookie, anns_table.root
    wrong = ("", "pbem=", "pbem=x", "pbem", known[:-1], known + "x", known.replace("=", "-"))
    others = ("", "/", "/x", root[:-1], root + "x", root + "%00", root.swapcase(), "/ä")
    for cookie, path in [(one, root) for one in wrong] + [(known, one) for one in others]:
        anns_table.cookie, anns_table.root = cookie, path
        refused = {_nothing(anns_table.get(anns_table.game + page)) for page in PAGES}
        refused |= {_nothing(anns_table.post(anns_table.game + page)) for page in CLICKS}
        refused |= {_nothing(anns_table.post(page)) for page in (*FORMS, "/receive")}
        assert len(refused) == 1, "the answer does not tell which half was right"
        assert "savannah" not in anns_table.get("/").text
    anns_table.cookie, anns_table.root = known, root
    assert "savannah" in anns_table.get("/").text


def _nothing(answer: Answer) -> str:
    assert answer.status == 401
    return f"{answer.text} {answer.headers}"


def test_the_tables_cookie_is_sent_to_no_other_port(anns_table: Asking) -> None:
    """Browsers send a cookie to all ports of a host, below its path (RFC 6265, 5.4)."""
    jar, inside = _jar(anns_table), f"http://{HOST}{anns_table.root}/"
    for near in ("", "game/x", "new?x=1"):
        assert _sent(jar, inside + near) == anns_table.cookie
    # all that somebody else can know of this table
    known = [
        "/", "/enter", anns_table.game, f"{anns_table.game}/history", "/static/main.js", "/new",
        anns_table.root[:9],
    ]  # fmt: skip
    for port in ("80", "4710", "8000"):
        for path in known:
            assert _sent(jar, f"http://127.0.0.1:{port}{path}") is None, (port, path)
    assert _sent(jar, f"http://localhost:4711{anns_table.root}/") is None


def _jar(ann: Asking) -> CookieJar:
    """Python's browser-like jar, in which the table's cookie is."""
    asking = Asking(ann.table.person("ann").home)
    entering = asking.enter()
    ann.guard, ann.cookie, ann.root = asking.guard, asking.cookie, asking.root
    headers = Message()
    headers["set-cookie"] = entering.headers["set-cookie"]
    jar = CookieJar()
    jar.extract_cookies(_Response(headers), Request(f"http://{HOST}/enter"))
    assert len(jar) == 1
    return jar


@dataclass
class _Response:
    headers: Message

    def info(self) -> Message:
        return self.headers


def _sent(jar: CookieJar, address: str) -> str | None:
    """The cookies of a request to this address."""
    request = Request(address)
    jar.add_cookie_header(request)
    return request.get_header("Cookie")


def test_the_tables_secret_path_is_not_told_without_token(
    anns_table: Asking, tmp_path: Path
) -> None:
    """A list of processes may show the address that is opened, so the path is not in it."""
    server = Server(Home(tmp_path))
    assert server.guard.root not in server.address
    server._socket.close()
    root, anns_table.root = anns_table.root, ""
    answers = [
        anns_table.get("/"),
        anns_table.get("/static/main.js"),
        anns_table.get(anns_table.game),
        anns_table.get("/enter"),
    ]
    answers += [
        anns_table.post("/enter", b"guess"),
        anns_table.post("/"),
        anns_table.get("/", host="evil.example"),
    ]
    for answer in answers:
        assert root not in f"{answer.text} {answer.headers}"
        assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.sample(2)
@pytest.mark.parametrize("others", ["pbem=x", 'a={"b": [1, "c"]}', "pbem", "=", "a b; ;;", "ä=ö"])
def test_cookies_of_other_ports_do_not_lock_the_owner_out(anns_table: Asking, others: str) -> None:
    own = anns_table.cookie
    for cookie in (f"{own}; {others}", f"{others}; {own}", f"{others};{own};{others}"):
        anns_table.cookie = cookie
        assert anns_table.get(anns_table.game).status == 200


def test_the_address_of_the_table_lets_somebody_in_only_once(game) -> None:
    table = game("begun")
    asking = Asking(table.person("ann").home)
    token = asking.guard.token.encode()
    assert asking.post("/enter", b"a guess").status == 403
    assert asking.enter().status == 200
    asking.cookie = ""
    assert asking.post("/enter", token).status == 403
    assert asking.post("/enter", b"").status == 403
    assert asking.get("/enter").status == 405


def test_the_tables_cookie_is_hidden_from_scripts_and_other_sites(game) -> None:
    asking = Asking(game("begun").person("ann").home)
    told = asking.enter().headers["set-cookie"]
    assert f"Path={asking.root}/;" in told
    assert len(asking.root) > 40
    said = told.lower()
    assert "httponly" in said
    assert "samesite=strict" in said
    assert "domain" not in said


# ---------------------------------------------------------------- what pages contain
@pytest.mark.sample(0)
def test_every_answer_of_the_table_has_a_policy_that_forbids_scripts(anns_table: Asking) -> None:
    answers = [
        *pages(anns_table).values(),
        anns_table.get("/static/main.js"),
        anns_table.get("/nothing"),
    ]
    anns_table.cookie = ""
    for answer in [
        *answers,
        anns_table.get(anns_table.game),
        anns_table.get("/", host="evil.example"),
    ]:
        assert SECURITY_HEADERS.items() <= answer.headers.items()
    assert "unsafe" not in SECURITY_HEADERS["content-security-policy"]
    assert "http" not in SECURITY_HEADERS["content-security-policy"]


def test_pages_contain_no_script_and_load_nothing_from_elsewhere(anns_table: Asking) -> None:
    for path, answer in pages(anns_table).items():
        assert answer.status == 200, (path, answer.text)
        own = rf"<script(?! type=\"module\" src=\"{anns_table.root}/static/main.js\">)"
        assert not re.search(own, answer.text)
        assert not re.search(r"\s(on\w+|style)=", answer.text), path
        links = rf"(src|href|action|data-send|data-address)=\"(?!{anns_table.root}/|/static/|#)"
        assert not re.search(links, answer.text), path


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
    return entered_table_of(table, "ann")


@pytest.mark.sample(0)
def test_a_player_named_like_a_script_is_shown_as_text(rude: Asking) -> None:
    for path, answer in pages(rude).items():
        assert answer.status == 200, (path, answer.text)
        text = answer.text
        if answer.headers["content-type"] == "application/json":  # only what is markup in it
            found = json.loads(text)
            text = "".join([found.get("bar", ""), *found.get("pictures", ())])
        for said in (SCRIPT, "<img", f"</title>{SCRIPT}", "onclick='"):
            assert said not in text, (path, said)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in rude.get(rude.game).text
    referee = entered_table_of(rude.table, "rhea").get(f"{rude.game}/referee")
    assert referee.status == 200
    assert SCRIPT not in referee.text


def test_typed_and_mailed_text_is_shown_as_text_and_not_as_html(anns_table: Asking) -> None:
    mark = re.search(r'data-mark="(\w+)"', anns_table.get(f"{anns_table.game}/plan").text)
    assert mark
    line = f'{{"mark": "{mark[1]}", "do": "add", "kind": "food", "text": "{SCRIPT}"}}'
    answer = anns_table.post(f"{anns_table.game}/plan", line.encode())
    assert answer.status == 200
    assert SCRIPT not in answer.text
    assert "&lt;script&gt;" in answer.text
    answer = anns_table.post("/receive", SCRIPT.encode(), x_name="%3Cscript%3E.eml")
    assert "<script" not in answer.text
    assert "&lt;script&gt;.eml" in answer.text
    assert SCRIPT not in anns_table.get(f"/explain?word={SCRIPT}").text


def own_hand(person: Person) -> list[str]:
    view = session_of(person).view()
    places = view.play.ruleset.scene(view.table.state).places
    return next(list(place.hand) for place in places if place.seat == view.seat)


@pytest.mark.sample(0)
def test_no_page_shows_cards_in_another_players_hand(anns_table: Asking) -> None:
    own, others = own_hand(anns_table.table.person("ann")), own_hand(anns_table.table.person("bo"))
    for path, answer in pages(anns_table).items():
        for card in set(others) - set(own):
            assert card.replace("_", " ") not in answer.text, (path, card)
            assert card not in answer.text, (path, card)


def test_a_player_cannot_look_at_the_table_from_anothers_seat(anns_table: Asking) -> None:
    for wish in ("b", "bb", "%00"):
        answer = anns_table.get(f"{anns_table.game}?as={wish}")
        assert answer.status == 409
        assert "data-thing" not in answer.text


# ---------------------------------------------------------------- keys
@pytest.mark.long
def test_a_passphrase_is_asked_for_and_written_to_no_file(game, monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    table, secret = game("begun"), b"correct horse battery"
    key = table.person("ann").home / "profiles/default/key"
    key.write_bytes(write_key(key_of("ann"), secret))
    asking = entered_table_of(table, "ann")
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
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"\xff", b"{" * 9999, b'{"do": "move", "index": true, "to": "x"}', b"x" * 400000],
)
def test_requests_that_no_page_sends_get_a_clear_refusal(anns_table: Asking, body: bytes) -> None:
    for path in [anns_table.game + click for click in CLICKS] + [*FORMS]:
        answer = anns_table.post(path, body, x_pbem_part="1")
        assert 400 <= answer.status < 500, (path, answer.text)
        assert answer.text
        assert "traceback" not in answer.text


LONG = "x" * 5000


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "folder",
    [
        LONG, f"/{LONG}", f"~{LONG}", f"~/{LONG}", "/x" * 5000, "a\0b", "~/\0", "/dev/null/x",
        "/tmp/\ud800", "\udcff",
    ],
)  # fmt: skip
def test_a_form_with_an_impossible_folder_is_refused(anns_table: Asking, folder: str) -> None:
    line = invite(anns_table.table, "a")
    before = sorted(anns_table.table.root.rglob("*"))
    for path, said in (
        ("/open", {}),
        ("/join", {"invite": line}),
        ("/new", {"players": "Ann, Bo", "title": "savannah"}),
    ):
        answer = anns_table.post(
            path, json.dumps({**said, "folder": folder}).encode(), x_pbem_part="1"
        )
        assert (answer.status, "bug" in answer.text) == (409, False), answer.text
        assert len(answer.text) < 800
    assert sorted(anns_table.table.root.rglob("*")) == before


@pytest.mark.sample(0)
@pytest.mark.parametrize("odd", [LONG, "\0", "\ud800", "\x1b[31m", "²", "1" * 5000, ["a"], 10**400])
def test_odd_values_in_any_form_field_are_no_server_error(anns_table: Asking, odd: object) -> None:
    forms = {
        "/unlock": ("profile", "passphrase"),
        "/join": ("invite", "name"),
        f"{anns_table.game}/join": ("invite", "name"),
        f"{anns_table.game}/messages": ("to", "as"),
        f"{anns_table.game}/notices": ("about", "from", "to", "time", "rule", "phase", "result"),
        f"{anns_table.game}/plan": ("mark", "do", "kind", "text", "index", "to"),
        f"{anns_table.game}/seal": ("mark",),
        f"{anns_table.game}/deliver": ("turn",),
        f"{anns_table.game}/take-back": ("turn",),
        f"{anns_table.game}/missed": ("turn",),
        f"{anns_table.game}/referee": ("accept",),
        f"{anns_table.game}/mail/sent": ("to", "stem"),
    }
    for path, fields in forms.items():
        for field in fields:
            answer = anns_table.post(path, json.dumps({field: odd}).encode(), x_pbem_part="1")
            assert (answer.status < 500, "bug" in answer.text) == (True, False), (path, field)
    if isinstance(odd, str) and odd != "\ud800":
        typed = quote(odd)
        about = f"{anns_table.game}/about?thing={typed}"
        for path in (f"/game/{typed}", f"/static/{typed}", f"/explain?word={typed}", about):
            assert anns_table.get(path).status < 500
        for name in ("as", "step", "turn", "since", "to", "words"):
            for page in ("", "/history", "/news", "/mail", "/audit"):
                assert anns_table.get(f"{anns_table.game}{page}?{name}={typed}").status < 500
        assert anns_table.post("/receive", b"x", x_name=typed).status < 500


@pytest.mark.parametrize(
    "path",
    ["/static/../guard.py", "/static/%2e%2e/guard.py", "/static//etc/passwd", "/game/../key"],
)
def test_the_table_serves_no_file_outside_its_pages(anns_table: Asking, path: str) -> None:
    answer = anns_table.get(path)
    assert answer.status in (404, 409)
    assert "secrets" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "query", ["step=-1", "step=999999", "step=x", "turn=0", "since=99", "step=²"]
)
def test_moments_that_the_game_does_not_have_are_refused(anns_table: Asking, query: str) -> None:
    answer = anns_table.get(f"{anns_table.game}/history?{query}")
    assert answer.status == 409
    assert "bug" not in answer.text.replace(anns_table.root, ""), "letters drawn by lot may say it"


def test_no_form_puts_an_invite_or_a_passphrase_into_the_address() -> None:
    """Sent before the page's script runs, a plain form would put its fields into the address."""
    forms = [
        form
        for page in sorted((ROOT / "pbem" / "web" / "templates").glob("*.html"))
        for form in re.findall(r"<form[^>]*>", page.read_text("utf-8"))
    ]
    assert len(forms) > 3
    free = [form for form in forms if 'method="dialog"' not in form]
    assert [re.search("action=.*?/(audit)", form)[1] for form in free] == ["audit"]
