"""A host calls people by Web Push when it is their move: whom, when and how often; whose requests
it takes, and where it never calls. The push service is a real HTTPS server, and each call is opened
with the keys of the browser that it is for."""

import socket
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.files.home import Home
from pbem.files.host_store import folder_name_of
from pbem.format.record_error import RecordError
from pbem.host import player_calls, web_push
from pbem.host.web_push import KNOWN_SERVICES, Pusher, PushError
from pbem.records.player_call_request import CallRequest, make_call_request
from tests.host.host_games import bot_answers, make_on_host
from tests.kit.named_games import session_at
from tests.kit.people import NOW, Round, key_of, output_of
from tests.kit.processes import PATIENCE, until
from tests.kit.push_service import GONE, MOVED, Browser, PushService, ask_for_calls
from tests.kit.push_service import put_call_request as put
from tests.kit.running_host import HostProcess, RunningHost

DAY = 86_400


@pytest.fixture
def start_calling_host(start_process, push_service: PushService) -> Callable[[], HostProcess]:
    """Start a host that calls by the push service; each has the same games and the same owner."""
    options = ("--push-service", push_service.address)
    env = {"SSL_CERT_FILE": push_service.ca, "SOURCE_DATE_EPOCH": str(NOW)}
    return lambda: start_process(*options, **env)


@pytest.fixture
def calling_host(start_calling_host: Callable[[], HostProcess]) -> HostProcess:
    return start_calling_host()


class CalledGame:
    """A game of Ann, Bo and Rhea on a host that calls Ann, at her browser, and Bo."""

    def __init__(
        self, host: HostProcess, table: Round, push_service: PushService, deadline: str
    ) -> None:
        self.host, self.table = host, table
        line = f"--players Ann,Bo --game evolution --deadline {deadline}"
        self.address, invites = make_on_host(table, host, line)
        self.people = {name: table.person(name.lower()) for name in ("Ann", "Bo")}
        for name, person in self.people.items():
            output_of(person, invites[name])
        self.id = session_at(self.address, self.people["Ann"]).game_folder.game
        self.name = folder_name_of(self.address.rpartition("/")[2])
        self.ann, self.bo = Browser(push_service), Browser(push_service)

    def ask(self, seat: str = "a", browser: Browser | None = None, **more) -> tuple[int, str]:
        """Send a call request of a seat, for its usual browser or another one."""
        browser = browser or {"a": self.ann, "b": self.bo}[seat]
        key = key_of({"a": "ann", "b": "bo"}[seat])
        more = {"time": NOW, **more}
        return ask_for_calls(self.address, browser.request(self.id, seat, **more), key)

    def answers(self, name: str) -> None:
        person = self.people[name]
        assert bot_answers(person, self.address, "ab"["AB".index(name[0])])

    def advance(self) -> None:
        output_of(self.table.person("rhea"), f"advance -C {self.address}")

    def requests(self) -> list[str]:
        """The names of the call requests that the host keeps."""
        return [name for name in self.files() if name.startswith(self.name)]

    def files(self) -> list[str]:
        """What the host keeps of calls in this game; it makes the folder for the first call."""
        paths = (Path(self.host.data) / "calls").glob("*")
        return sorted(path.name for path in paths if self.name in path.name)


@pytest.fixture
def called_game(calling_host: HostProcess, table: Round, push_service: PushService) -> CalledGame:
    return CalledGame(calling_host, table, push_service, "never")


@pytest.mark.sample(0)
def test_a_seat_is_called_once_for_each_turn_that_asks_it(called_game, push_service):
    assert called_game.ask("a") == (200, "kept")
    assert called_game.ask("b") == (200, "kept")
    called_game.advance()
    until(lambda: called_game.ann.turns() == called_game.bo.turns() == [1])
    called_game.answers("Bo")
    called_game.host.stop()
    called_game.host.start()  # what was called is not forgotten
    called_game.answers("Ann")
    called_game.advance()
    until(lambda: len(called_game.bo.turns()) == 2 and len(called_game.ann.turns()) == 2)
    turn = called_game.bo.turns()[1]
    assert called_game.ann.turns() == called_game.bo.turns() == [1, turn]
    deliveries = push_service.deliveries
    # nothing but digits and turn, and no call is longer than another
    assert {text.rstrip() for text in called_game.ann.texts()} == {
        f'{{"game": "{called_game.name}", "turn": {number}}}' for number in (1, turn)
    }
    assert len({len(delivery.data) for delivery in deliveries}) == 1
    topics = {(delivery.path, delivery.headers["topic"]) for delivery in deliveries}
    assert len(topics) == len({topic for _, topic in topics}) == 2
    assert {delivery.headers["ttl"] for delivery in deliveries} == {str(28 * DAY)}
    known = f"{called_game.id.hex()} {called_game.name} {called_game.address}".split()
    said = str([delivery.headers for delivery in deliveries])
    assert not any(word in said for word in (*known, "savannah", "Ann"))
    assert called_game.address not in called_game.host.log.read_text()
    assert called_game.ann.path not in called_game.host.log.read_text()


@pytest.mark.sample(0)
def test_a_device_is_called_once_a_minute_however_fast_the_turns_come(called_game: CalledGame):
    assert called_game.ask("a") == (200, "kept")
    called_game.advance()
    until(lambda: called_game.ann.turns() == [1])
    for name in ("Ann", "Bo"):
        called_game.answers(name)
    called_game.advance()
    assert called_game.ask("b") == (200, "kept")
    until(lambda: called_game.bo.turns())  # the host has looked at the new turn
    assert called_game.ann.turns() == [1]
    called_game.host.stop()
    called_game.host.start()  # it does not know any more when it called
    until(lambda: called_game.ann.turns() == [1, *called_game.bo.turns()])


@pytest.mark.sample(0)
def test_a_seat_is_called_again_when_a_quarter_of_the_time_is_left(
    calling_host: HostProcess, table: Round, push_service: PushService
):
    game = CalledGame(calling_host, table, push_service, "24h")
    game.ask("a")
    game.ask("b")
    game.advance()
    until(lambda: game.ann.turns() == game.bo.turns() == [1])
    game.answers("Bo")
    calling_host.restart_at(NOW + DAY * 3 // 4 - 1)
    until(lambda: game.files())
    assert game.ann.turns() == [1]
    calling_host.restart_at(NOW + DAY * 3 // 4)
    until(lambda: game.ann.turns() == [1, 1])
    assert push_service.deliveries[-1].headers["ttl"] == str(DAY // 4)
    calling_host.restart_at(NOW + DAY * 3 // 4 + 1)
    newcomer = Browser(push_service)
    game.ask("a", newcomer, time=NOW + DAY * 3 // 4)
    until(lambda: newcomer.turns() == [1])
    assert game.bo.turns() == [1], "who has answered is left alone"
    assert game.ann.turns() == [1, 1]


@pytest.mark.sample(0)
def test_calls_end_when_stopped_when_the_browser_is_gone_and_with_the_game(
    called_game: CalledGame, push_service: PushService
):
    assert called_game.ask("a")[0] == 200
    assert called_game.ask("a", time=NOW + 1, on=False) == (200, "kept")
    assert called_game.ask("a", time=NOW)[0] == 409, "an older request does not come back"
    called_game.ask("b")
    push_service.status = GONE
    called_game.advance()
    until(lambda: called_game.bo.turns() == [1])
    until(lambda: not called_game.requests())
    push_service.status = 201
    called_game.host.restart_at(NOW + 2)  # it does not know any more when it called
    called_game.ask("b", time=NOW + 2)
    for name in ("Ann", "Bo"):
        called_game.answers(name)
    called_game.advance()
    until(lambda: len(called_game.bo.turns()) == 2)
    assert called_game.ann.turns() == []
    assert called_game.files()
    for name in ("ann", "bo"):
        output_of(called_game.table.person(name), f"notice end --draw -C {called_game.address}")
    called_game.advance()
    until(lambda: not called_game.files())
    assert called_game.ask("b", time=NOW + 3) == (409, "the game is over, so nobody is called")
    assert called_game.ask("b", time=NOW + 4, on=False) == (200, "kept")


@pytest.mark.sample(0)
def test_a_call_request_is_forgotten_if_the_game_does_not_begin(called_game: CalledGame):
    called_game.ask("a")
    called_game.host.restart_at(NOW + 29 * DAY)
    called_game.ask("b", time=NOW + 29 * DAY)
    assert len(called_game.requests()) == 2
    called_game.host.restart_at(NOW + 31 * DAY)
    until(lambda: len(called_game.requests()) == 1)


@pytest.mark.sample(0)
def test_a_new_key_of_a_seat_ends_the_calls_of_the_old_one(called_game: CalledGame):
    called_game.ask("a")
    called_game.ask("b")
    called_game.advance()
    until(lambda: called_game.ann.turns() == called_game.bo.turns() == [1])
    ann = called_game.people["Ann"]
    output_of(ann, f"notice key -C {called_game.address}")
    called_game.advance()
    until(lambda: len(called_game.requests()) == 1)
    assert called_game.ask("a", time=NOW + 1)[0] == 403
    assert called_game.ann.turns() == called_game.bo.turns() == [1]


@pytest.mark.sample(0)
def test_nobody_is_called_again_who_has_answered_since(tmp_path, table, push_service, monkeypatch):
    """Both services take the first call only after Ann has answered, and refuse it then."""
    monkeypatch.setenv("SSL_CERT_FILE", push_service.ca)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW))
    monkeypatch.setattr(player_calls, "RETRY_SECONDS", (0.1, 0.1))
    monkeypatch.setattr(web_push, "SEND_SECONDS", PATIENCE)
    host = RunningHost(tmp_path / "data")
    host.host.set_caller(host.url, Home(tmp_path / "owner"), [push_service.address])
    host.host.caller.start()
    try:
        game = CalledGame(host, table, push_service, "never")
        push_service.status = 503
        push_service.may_answer.clear()
        game.ask("a")
        game.ask("b")
        game.advance()
        until(lambda: game.ann.turns() == game.bo.turns() == [1])
        game.answers("Ann")
        push_service.may_answer.set()
        until(lambda: game.bo.turns() == [1, 1, 1])
        assert game.ann.turns() == [1]
    finally:
        push_service.may_answer.set()
        host.host.caller.stop()
        host.stop()


@pytest.mark.sample(0)
def test_only_the_present_key_of_a_seat_may_ask_for_calls(called_game: CalledGame):
    request = called_game.ann.request(called_game.id, "a", NOW, host=called_game.host.url)
    ann, bo = key_of("ann"), key_of("bo")
    good = make_call_request(request, ann)
    assert ask_for_calls(called_game.address, request, bo)[0] == 403
    assert ask_for_calls(called_game.address, request, key_of("rhea"))[0] == 403
    other_game = called_game.ann.request(b"\1" * 32, "a", NOW)
    assert "another game" in ask_for_calls(called_game.address, other_game, ann)[1]
    elsewhere = called_game.ann.request(called_game.id, "a", NOW, host="https://pond.example.org")
    said = "this host does not take the call request: this request is for the host "
    said += f"https://pond.example.org, but came to the host {called_game.host.url}"
    assert put(called_game.address, make_call_request(elsewhere, ann)) == (403, said)
    assert put(called_game.address, good.replace(b'seat = "a"', b'seat = "b"'))[0] == 400
    assert put(called_game.address, good[:-1])[0] == 400
    assert put(called_game.address, b"")[0] == 400
    assert put(called_game.address, good + b"#" * 3000)[0] == 413
    late = "this host does not take the call request: "
    late += "the clock of your device is wrong by more than ten minutes: set it right"
    assert called_game.ask(time=NOW - 601) == (403, late)
    assert called_game.ask(time=NOW + 601) == (403, late)
    assert put(called_game.address, good) == (200, "kept")
    assert put(called_game.address, good)[0] == 409, "the same again"
    assert put(f"{called_game.address[:-1]}{'10'[called_game.address[-1] == '1']}", good)[0] == 404
    listed = session_at(called_game.address, called_game.people["Bo"]).listing
    assert not [file for file in (*listed.records, *listed.press) if "call" in file.path]


@pytest.mark.sample(0)
def test_a_seat_has_five_addresses_and_a_network_sixty_call_requests_an_hour(
    called_game: CalledGame, push_service: PushService
):
    browsers = [Browser(push_service) for _ in range(6)]
    statuses = [called_game.ask("a", browser)[0] for browser in browsers]
    assert statuses == [200] * 5 + [507]
    assert called_game.ask("a", browsers[0], time=NOW + 1, on=False)[0] == 200
    assert called_game.ask("a", browsers[5])[0] == 200
    for number in range(100):  # a stranger behind the same address signs nothing
        request = browsers[0].request(called_game.id, "a", NOW + 2 + number)
        forged = make_call_request(request, key_of("ann")).replace(b"true", b"false")
        assert put(called_game.address, forged)[0] == 400
    answers = [called_game.ask("a", Browser(push_service))[0] for _ in range(54)]
    assert {*answers[:53]} == {507}
    assert answers[53] == 429
    refused = browsers[5].request(called_game.id, "a", NOW, host=called_game.host.url)
    foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
    data = make_call_request(refused, key_of("ann"))
    assert put(called_game.address, data, foreign)[0] == 429, "nor from a page of another site"
    assert called_game.ask("b")[0] == 200, "the first few of each seat"
    for number in range(70):
        assert called_game.ask("a", browsers[4], time=NOW + 2 + number, on=False)[0] == 200
    assert called_game.ask("a", browsers[5], time=NOW + 2, on=False)[0] == 200
    assert len(called_game.requests()) == 4, "three of Ann's and one of Bo's"


@pytest.mark.sample(0)
def test_call_requests_for_games_that_do_not_exist_take_no_memory(calling_host, tmp_path):
    host = RunningHost(tmp_path / "data-of-another")
    host.host.set_caller(host.url, Home(tmp_path / "owner-of-another"))
    try:
        for number in range(40):
            assert put(f"{host.url}/g/{number:032x}", b"# ")[0] == 404
        assert not host.games._games_in_memory
    finally:
        host.stop()


HOSTILE_ADDRESSES = [
    "http://fcm.googleapis.com/fcm/send/1",
    "https://127.0.0.1/push",
    "https://10.0.0.1/push",
    "https://[::1]/push",
    "https://169.254.169.254/latest/meta-data",
    "https://example.org/push",
    "https://fcm.googleapis.com.example.org/1",
    "https://fcm.googleapis.com:8443/1",
    "https://fcm.googleapis.com@127.0.0.1/1",
    "https://127.0.0.1@fcm.googleapis.com/1",
    "https://evilnotify.windows.com/1",
    "https://notify.windows.com/1",
    "https://fcm.googleapis.com:443/1",
    "https://fcm.googleapis.com:0443/1",
    "https://fcm.googleapis.com:/1",
    "https://fcm.googleapis.com/1#fragment",
    "https://FCM.googleapis.com\\@127.0.0.1/1",
    "https://fcm.googleapis.com:99999/1",
    "https:///1",
    "file:///etc/passwd",
]


@pytest.mark.sample(0)
def test_a_push_address_of_an_unknown_service_is_refused(called_game: CalledGame):
    for address in HOSTILE_ADDRESSES:
        status, sentence = called_game.ask("a", address=address)
        assert status == 400, address
        assert "push service" in sentence or "address" in sentence
    assert called_game.ask("a", p256dh=b"\4" + bytes(64))[0] == 400
    assert called_game.files() == []
    assert called_game.ask("a", address="https://fcm.googleapis.com/fcm/send/1")[0] == 200
    assert (
        called_game.ask("a", address="https://wns2-par02p.notify.windows.com/w/?token=1")[0] == 200
    )


def test_a_call_follows_no_redirect_and_reaches_no_private_network(push_service, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", push_service.ca)
    pusher, browser = (
        Pusher(b"k" * 32, "https://pond.example.org", [push_service.address]),
        Browser(push_service),
    )
    request = browser.request(b"g" * 32, "a", NOW)
    push_service.status, push_service.location = MOVED, f"{push_service.address}/elsewhere"
    assert pusher.send(request, "0" * 32, 1, 60) == MOVED
    assert [delivery.path for delivery in push_service.deliveries] == [browser.path]
    entries = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.1.2.3", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: entries)
    known = browser.request(b"g" * 32, "a", NOW, address=f"https://{KNOWN_SERVICES[0]}/1")
    with pytest.raises(PushError, match="private network"):
        pusher.send(known, "0" * 32, 1, 60)
    for inner in (
        "::1", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "2002:a01:203::1", "fe80::1%eth0",
        "fd00::1", "3fff::1", "2600::5efe:a01:203", "192.0.0.8", "192.88.99.1", "::7f00:1",
        "64:ff9b:1::a00:1", "fec0::1", "169.254.169.254",
        "100.64.0.1", "0.0.0.0", "224.0.0.1", "ff0e::1",
    ):  # fmt: skip
        entries[:] = [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, 443))
            for address in ("8.8.8.8", inner)
        ]
        with pytest.raises(PushError, match="private network"):
            pusher.send(known, "0" * 32, 1, 60)
    stranger = Pusher(b"k" * 32, "https://pond.example.org")
    with pytest.raises(PushError, match="does not know the push service"):
        stranger.send(request, "0" * 32, 1, 60)
    assert len(push_service.deliveries) == 1


def test_a_push_service_without_a_certificate_for_its_name_is_not_called(push_service, monkeypatch):
    """Even of a service that the owner has named: who can change where a name leads has no
    certificate for it."""
    monkeypatch.setenv("SSL_CERT_FILE", push_service.ca)
    port = int(push_service.address.rpartition(":")[2])
    service = f"https://push.example.org:{port}"
    entries = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]
    request = Browser(push_service).request(b"g" * 32, "a", NOW, address=f"{service}/1")
    pusher = Pusher(b"k" * 32, "https://pond.example.org", [service])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: entries)
    with pytest.raises(PushError, match="SSLCertVerificationError"):
        pusher.send(request, "0" * 32, 1, 60)
    assert push_service.deliveries == []


def test_a_push_service_that_answers_byte_by_byte_is_cut_off(push_service, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", push_service.ca)
    monkeypatch.setattr(web_push, "SEND_SECONDS", 0.5)
    push_service.trickle_bytes = 100  # one in 50 milliseconds
    pusher = Pusher(b"k" * 32, "https://pond.example.org", [push_service.address])
    with suppress(PushError):  # or the status, if that came
        pusher.send(Browser(push_service).request(b"g" * 32, "a", NOW), "0" * 32, 1, 60)
    assert push_service.trickle_bytes > 0


@pytest.mark.sample(0)
def test_two_hosts_over_the_same_games_call_a_seat_once(called_game, start_calling_host):
    called_game.ask("a")
    called_game.ask("b")
    other = start_calling_host()
    called_game.advance()
    until(lambda: called_game.ann.turns() and called_game.bo.turns())
    called_game.host.restart_at(NOW)
    called_game.answers("Ann")
    called_game.answers("Bo")
    called_game.advance()
    until(lambda: len(called_game.ann.turns()) > 1 and len(called_game.bo.turns()) > 1)
    other.stop()
    assert len(called_game.ann.turns()) == len(called_game.bo.turns()) == 2


@pytest.mark.sample(0)
def test_a_stop_of_calls_at_one_of_two_hosts_counts_at_once_for_the_other(
    called_game, start_calling_host
):
    other = start_calling_host()
    until(lambda: called_game.ask("a") == (200, "kept"))
    assert called_game.ask("b") == (200, "kept")
    stop = called_game.ann.request(called_game.id, "a", NOW + 1, on=False)
    address_there = called_game.address.replace(called_game.host.url, other.url)
    assert ask_for_calls(address_there, stop, key_of("ann")) == (200, "kept")
    called_game.advance()
    until(lambda: called_game.bo.turns() == [1])
    other.stop()
    assert called_game.ann.turns() == []


@pytest.mark.sample(0)
def test_a_host_that_cannot_send_a_call_leaves_it_to_another_host(
    called_game: CalledGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW))
    assert called_game.ask("a") == (200, "kept")
    called_game.host.stop()
    other = RunningHost(Path(called_game.host.data), port=called_game.host.port)
    try:
        other.host.set_caller(other.url, Home(tmp_path / "owner"))  # it knows no other services
        called_game.advance()
        assert other.host.caller.book.game_names() == {called_game.name}
        other.host.caller._look(called_game.name)
    finally:
        other.stop()
    called_game.host.start()
    until(lambda: called_game.ann.turns() == [1])


@pytest.mark.host
def test_a_clock_that_was_far_ahead_does_not_spoil_later_call_requests(monkeypatch):
    from pbem.web.call_settings_page import next_time  # needs what only a host needs

    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW))
    assert next_time(0) == NOW
    assert next_time(NOW) == NOW + 1
    assert next_time(NOW + 600) == NOW + 601
    assert next_time(NOW + 365 * DAY) == NOW


def test_the_same_call_request_is_always_the_same_bytes():
    content = CallRequest(
        game=bytes(32), host="https://pond.example.org", seat="a", time=1, way="push", on=True,
        address="https://x.org/1", p256dh=b"\4" * 65, auth=b"\1" * 16,
    )  # fmt: skip
    key = key_of("ann")
    data = make_call_request(content, key)
    assert data == make_call_request(content, key)
    assert len(sha256(data).digest()) == 32
    with pytest.raises(RecordError):
        make_call_request(content.__class__(**{**vars(content), "on": False}), key)
