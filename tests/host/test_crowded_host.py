"""A host among strangers who ask it for much: the others get their answers."""

import contextlib
import socket
import threading
import time
from ipaddress import ip_network
from pathlib import Path

import pytest
import urllib3

from pbem.host import answer_requests, new_game_pages, request_limits, web_server
from tests.host.web_client import POOL, PUT, Client, login_header
from tests.host.written_records import DIGITS
from tests.kit.people import Round, output_of
from tests.kit.processes import PATIENCE, until
from tests.kit.running_host import RunningHost, StartHost

pytestmark = pytest.mark.host
PROXY = "127.0.0.2"
"""An address of this computer that is not the one at which every host expects a proxy."""
STRANGER, PLAYER = "203.0.113.9", "198.51.100.7"
UNKNOWN = "ab" * 16


def asked_by_proxy(port: int, who: str, path: str, **headers: str) -> int:
    """What a proxy at another address gets, which says who asks."""
    with urllib3.HTTPConnectionPool("127.0.0.1", port, source_address=(PROXY, 0)) as pool:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"X-Forwarded-For": who, **named}
        return pool.request("GET", path, headers=sent, retries=False).status


@pytest.fixture
def behind_proxy(start_host: StartHost, monkeypatch: pytest.MonkeyPatch) -> RunningHost:
    """A host behind a proxy. What it counts in a minute it counts in a day, and an upload may stand
    still: a busy machine needs a minute for what a test sends."""
    monkeypatch.setattr(answer_requests, "STALL_SECONDS", PATIENCE)
    monkeypatch.setattr(answer_requests, "MAX_ARRIVAL_SECONDS", PATIENCE)
    host = start_host(proxies=[ip_network("127.0.0.2/32"), ip_network("fc00::/7")])
    for limit in (host.host.counts.requests, host.host.counts.missing_games):
        limit.period_seconds = 86_400
    return host


@pytest.mark.parametrize("number", [1_300])
def test_a_stranger_behind_the_same_proxy_locks_out_nobody_else(behind_proxy, number):
    client = Client(behind_proxy)
    client.put_all("turns/0002.toml")
    port, game = behind_proxy.port, f"/g/{DIGITS}/"
    statuses = [asked_by_proxy(port, STRANGER, f"/g/{UNKNOWN}/") for _ in range(number)]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    assert asked_by_proxy(port, STRANGER, game) == 429
    assert asked_by_proxy(port, PLAYER, game) == 200
    assert asked_by_proxy(port, PLAYER, f"/g/{UNKNOWN}/") == 404


def test_without_the_proxy_option_nobody_can_claim_another_address(start_process):
    host = start_process()
    for number in range(120):
        asked_by_proxy(host.port, f"203.0.113.{number}", f"/g/{UNKNOWN}/")
    assert asked_by_proxy(host.port, PLAYER, f"/g/{UNKNOWN}/") == 429


@pytest.mark.parametrize("typed", ["pond.example.org", "10.0.0.0/99", "0.0.0.0/0", "::/0"])
def test_a_wrong_network_of_a_proxy_is_refused(table: Round, typed: str):
    said = table.person("rhea").pbem(["host", "--data", "x", "--proxy", typed, "--print-unit"])
    assert said.exit == 2
    assert "pbem host --proxy 172.16.0.0/12" in said.text


def test_the_unit_and_the_container_name_the_networks_of_proxies(table: Round):
    unit = output_of(table.person("rhea"), "host --data x --proxy 10.1.2.3/8 --print-unit")
    assert "--proxy 10.0.0.0/8" in unit
    container = (Path(__file__).parents[2] / "Containerfile").read_text()
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"):
        assert f'"--proxy", "{network}"' in container


def test_bad_requests_lock_nobody_out_of_an_existing_game(web_client: Client, host: RunningHost):
    web_client.put_all("turns/0002.toml")
    for number in range(130):
        assert web_client.put(f"orders/0001-a-1-{number:06x}.toml", b"junk").status == 400
        assert POOL.request("GET", f"{host.url}/favicon{number}.ico").status == 404
    assert web_client.get(f"../{UNKNOWN}/").status == 404, "nobody has guessed yet"
    for number in range(130):
        status = POOL.request("GET", f"{host.url}/g/{number:032x}/").status
    assert status == 429
    assert web_client.get().status == 200
    assert POOL.request("GET", f"{host.url}/new").status == 200
    assert web_client.put_turn_2().status == 201
    other = web_client.base.replace(DIGITS, UNKNOWN) + "game.toml"
    assert POOL.request("PUT", other, body=web_client.records[0].file, headers=PUT).status == 201


def test_another_sites_page_cannot_lock_its_reader_out(start_host: StartHost):
    host = start_host(password="my word", tokens=["open sesame"])
    host.host.counts.requests.limit = 200
    client = Client(host)
    token = {"Authorization": "Bearer open sesame"}
    assert client.put("game.toml", client.records[0].file, {**PUT, **token}).status == 201
    silent = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    form = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"}
    for number in range(300):
        POOL.request("GET", f"{host.url}/g/{number:032x}/", headers=silent)
    for _ in range(130):
        assert POOL.request("GET", f"{host.url}/owner", headers=silent).status == 403
        sent = POOL.request("POST", f"{host.url}/new", fields={"token": "guess"}, headers=form)
        assert sent.status == 403
        wrong = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
        POOL.request("GET", f"{host.url}/g/{UNKNOWN}/", headers=wrong)
    assert client.get(sec_fetch_site="same-origin", sec_fetch_mode="cors").status == 200
    assert POOL.request("GET", f"{host.url}/owner", headers=login_header("my word")).status == 200
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert POOL.request("GET", f"{host.url}/new", headers=link).status == 200


def test_whoever_tries_out_passwords_has_to_wait(start_host: StartHost):
    host = start_host(password="my word")
    for _ in range(130):
        said = POOL.request("GET", f"{host.url}/owner", headers=login_header("guess"))
    assert said.status == 429
    assert b"too many wrong passwords or tokens" in said.data
    assert POOL.request("GET", f"{host.url}/new").status == 200


def putting(path: bytes, length: int) -> bytes:
    head = b"PUT /g/%s/%s HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\nContent-Length: %d\r\n\r\n"
    return head % (DIGITS.encode(), path, length)


def test_uploads_that_send_nothing_hold_up_no_other(web_client: Client, host: RunningHost):
    web_client.put_all("turns/0002.toml")
    with contextlib.ExitStack() as stack:
        for number in range(70):
            address = ("127.0.0.1", host.port)
            one = stack.enter_context(socket.create_connection(address, PATIENCE))
            one.sendall(putting(b"turns/%04d.toml" % (number + 3), 1 << 20))
        time.sleep(1)
        assert web_client.put_turn_2().status == 201


def test_an_upload_that_stands_still_makes_room_for_another(web_client, host, monkeypatch):
    monkeypatch.setattr(request_limits, "STALL_SECONDS", 0.3)
    web_client.put_all("turns/0002.toml")
    share = host.host.counts.arriving_bytes
    share.limit = share.network_limit = len(web_client.turn_2.file) + 50
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as slow:
        slow.sendall(putting(b"turns/0003.toml", 9_000) + b"x" * 100)
        until(lambda: share.amounts_by_network)
        time.sleep(0.5)
        assert web_client.put_turn_2().status == 201
        assert slow.recv(12) == b"HTTP/1.1 408"


def test_an_upload_of_which_nothing_more_arrives_ends(web_client, host, monkeypatch):
    web_client.put_all("turns/0002.toml")
    monkeypatch.setattr(answer_requests, "STALL_SECONDS", 0.5)
    monkeypatch.setattr(answer_requests, "MAX_ARRIVAL_SECONDS", 2 * PATIENCE)
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as slow:
        slow.sendall(putting(b"turns/0003.toml", 9_000) + b"x")
        assert slow.recv(12) == b"HTTP/1.1 408"


def test_idle_connections_are_closed_to_make_room_for_others(web_client, host, monkeypatch):
    monkeypatch.setattr(web_server, "CROWDED_CONNECTIONS", 30)
    monkeypatch.setattr(web_server, "MAX_IDLE_SECONDS", 2 * PATIENCE)
    web_client.put_all("turns/0002.toml")
    etag = web_client.get().headers["etag"]
    waited = list[int]()
    waiting = threading.Thread(
        target=lambda: waited.append(web_client.get(if_none_match=etag, prefer="wait=4").status)
    )
    waiting.start()
    until(lambda: host.host.counts.waiting_requests.amounts_by_network)
    with contextlib.ExitStack() as stack:
        idle = [
            stack.enter_context(socket.create_connection(("127.0.0.1", host.port), PATIENCE))
            for _ in range(60)
        ]
        assert urllib3.PoolManager(retries=False).request("GET", web_client.base).status == 200
        assert len(web_server._open_connections) <= 32
        with contextlib.suppress(ConnectionResetError):
            assert idle[0].recv(9) == b"", "the oldest is closed"
    waiting.join(PATIENCE)
    assert waited == [304], "a request that waits for news is not idle"


def test_requests_for_a_slow_game_leave_threads_for_other_games(host, web_client, monkeypatch):
    web_client.put_all("turns/0002.toml")
    other = web_client.base.replace(DIGITS, UNKNOWN)
    assert POOL.request("PUT", f"{other}game.toml", body=web_client.records[0].file, headers=PUT)
    slow = host.games.game_at(DIGITS)
    with slow.lock:
        people = [threading.Thread(target=web_client.get) for _ in range(60)]
        for one in people:
            one.start()
        time.sleep(1)
        said = urllib3.PoolManager(retries=False).request("GET", other, timeout=PATIENCE)
        assert said.status == 200
    for one in people:
        one.join(PATIENCE)


def upload(port: int, who: str, length: int, path: bytes) -> socket.socket:
    """A file that somebody behind the proxy begins to send."""
    one = socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=(PROXY, 0))
    head = putting(path, length).replace(b"Host: x", b"Host: x\r\nX-Forwarded-For: %b")
    one.sendall(head % who.encode())
    return one


def test_slow_uploads_of_one_network_leave_places_for_other_networks(behind_proxy: RunningHost):
    client = Client(behind_proxy)
    client.put_all("turns/0002.toml")
    port, game = behind_proxy.port, f"/g/{DIGITS}/"
    share = behind_proxy.host.counts.open_requests
    share.limit, share.network_reserve = 305, 0  # one network could take them all
    with contextlib.ExitStack() as stack:
        for number in range(310):
            path = b"press/0001-a-1-%06x.toml" % number
            stack.enter_context(upload(port, STRANGER, 9_000, path))
        assert asked_by_proxy(port, STRANGER, game) == 503
        assert asked_by_proxy(port, PLAYER, game) == 200


def test_many_networks_together_leave_a_few_places_to_each(web_client, host, monkeypatch):
    monkeypatch.setattr(answer_requests, "STALL_SECONDS", PATIENCE)
    web_client.put_all("turns/0002.toml")
    share = host.host.counts.open_requests
    share.limit, share.network_limit, share.network_reserve = 6, 3, 1

    def asked(source: str) -> int:
        with urllib3.HTTPConnectionPool("127.0.0.1", host.port, source_address=(source, 0)) as pool:
            return pool.request("GET", f"/g/{DIGITS}/", retries=False).status

    with contextlib.ExitStack() as stack:
        for source in ("127.0.0.2", "127.0.0.3"):
            for number in range(3):
                one = socket.create_connection(("127.0.0.1", host.port), PATIENCE, (source, 0))
                stack.enter_context(one)
                one.sendall(putting(b"press/0001-a-1-%06x.toml" % number, 9_000))
        until(lambda: share.amounts_by_network.total() == 6)
        assert asked("127.0.0.2") == 503
        assert asked("127.0.0.4") == 200
    until(lambda: not share.amounts_by_network)
    assert asked("127.0.0.2") == 200
    until(lambda: not share.amounts_by_network)  # a place is given back after the answer


FOREIGN = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}


def test_requests_made_by_another_sites_page_use_up_no_limit_of_its_reader(start_host, monkeypatch):
    monkeypatch.setattr(request_limits, "MAX_DAILY_BYTES", 10_000)
    host = start_host(password="my word")
    client = Client(host)
    charter = client.records[0].file
    headers = {**PUT, **FOREIGN}

    def put(number: int) -> int:
        url = f"{host.url}/g/{number:032x}/game.toml"
        return POOL.request("PUT", url, body=charter, headers=headers).status

    statuses = [put(number) for number in range(25)]
    assert (statuses[0], statuses[-1]) == (201, 429)
    wrong = {**login_header("guess"), **FOREIGN}
    for _ in range(130):
        said = POOL.request("GET", f"{host.url}/owner", headers=wrong)
        guessed = POOL.request("GET", f"{host.url}/g/{'f' * 32}/", headers=FOREIGN)
    assert said.status == guessed.status == 429
    assert {put(number) for number in range(30, 40)} == {429}
    client.put_all("turns/0002.toml")
    assert POOL.request("GET", f"{host.url}/owner", headers=login_header("guess")).status == 401
    assert POOL.request("GET", f"{host.url}/g/{UNKNOWN}/").status == 404


def test_wrong_passwords_count_together_for_the_networks_of_one_customer(start_process):
    host = start_process("--proxy", "127.0.0.2/32", "--proxy", "fc00::/7")
    wrong = {**login_header("guess")}.popitem()[1]

    def guessed(who: str) -> int:
        return asked_by_proxy(host.port, who, "/owner", authorization=wrong)

    assert {guessed(f"2001:db8:1:{n:x}::1") for n in range(120)} == {401}
    assert guessed("2001:db8:1:ffff::1") == 429
    assert guessed("2001:db8:2::1") == 401


def test_slow_uploads_count_together_for_the_networks_of_one_customer(behind_proxy: RunningHost):
    """Each of 310 uploads comes from another IPv6 network that begins with the same 48 bits."""
    client = Client(behind_proxy)
    client.put_all("turns/0002.toml")
    port, game = behind_proxy.port, f"/g/{DIGITS}/"
    with contextlib.ExitStack() as stack:
        for number in range(310):
            path = b"press/0001-a-1-%06x.toml" % number
            stack.enter_context(upload(port, f"2001:db8:1:{number:x}::1", 9_000, path))
        assert asked_by_proxy(port, "2001:db8:1:ffff::1", game) == 503
        assert asked_by_proxy(port, "2001:db8:2::1", game) == 200


def test_wrong_passwords_stop_nobody_from_making_games_that_need_none(start_host: StartHost):
    host = start_host(password="my word")
    client = Client(host)
    for _ in range(130):
        said = POOL.request("GET", f"{host.url}/owner", headers=login_header("guess"))
    assert said.status == 429
    assert client.put("game.toml", client.records[0].file).status == 201


def test_a_form_that_never_arrives_is_ended(start_host: StartHost, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(new_game_pages, "FORM_SECONDS", 0.5)
    host = start_host()
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as slow:
        slow.sendall(b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nplayers=")
        assert slow.recv(12) == b"HTTP/1.1 408"


def test_whoever_still_sends_a_refused_file_reads_the_refusal(start_host, monkeypatch):
    """The host has answered, but the sender reads no answer before the whole file is sent."""
    monkeypatch.setattr(web_server, "MAX_IDLE_SECONDS", 0.2)
    host = start_host(tokens=["open sesame"])
    with socket.create_connection(("127.0.0.1", host.port), PATIENCE) as slow:
        slow.sendall(putting(b"game.toml", 9_000) + b"x" * 4_500)
        time.sleep(0.5)
        slow.sendall(b"x" * 4_000)
        time.sleep(0.5)
        slow.sendall(b"x" * 500)
        assert slow.recv(12) == b"HTTP/1.1 401"


def test_a_refused_file_that_never_arrives_is_ended(start_host, monkeypatch):
    monkeypatch.setattr(web_server, "MAX_IDLE_SECONDS", 0.2)
    monkeypatch.setattr(web_server, "MAX_ARRIVAL_SECONDS", 1)
    host = start_host(tokens=["open sesame"])
    with socket.create_connection(("127.0.0.1", host.port), PATIENCE) as slow:
        slow.sendall(putting(b"game.toml", 9_000) + b"x")
        said = b"".join(iter(lambda: slow.recv(4_096), b""))
        assert said.startswith(b"HTTP/1.1 401"), "and then the connection is closed"
