"""The requests of a host, one by one: lists, files, limits, and the owner's page."""

import contextlib
import io
import re
import socket
import threading
import time
from dataclasses import replace

import pytest
import urllib3

from pbem.host import answer_requests, kept_games, request_limits, storage_capacity, web_server
from pbem.records.read_and_sign_record import make as make_record
from tests.host.host_games import make_on_host
from tests.host.origin_games import begin_on_host, submit_pass
from tests.host.web_client import POOL, PUT, Client, login_header
from tests.host.written_records import DIGITS, path_of
from tests.kit.people import Round, output_of
from tests.kit.processes import PATIENCE, until
from tests.kit.running_host import RunningHost, StartHost
from tests.kit.sample_records import sample
from tests.kit.table_requests import Asking


def test_a_game_is_made_filled_listed_and_read_by_http(web_client: Client):
    assert web_client.get().status == 404
    web_client.put_all()
    answer = web_client.get()
    assert answer.status == 200
    paths = [line.partition(" ")[0] for line in answer.data.decode().splitlines()]
    assert paths == sorted(map(path_of, web_client.records))
    for record in web_client.records:
        found = web_client.get(path_of(record))
        assert (found.status, found.data) == (200, record.file)
        assert "immutable" in found.headers["cache-control"]
    assert web_client.get("turns/0009.toml").status == 404
    assert web_client.get("../../secret").status == 404


def test_http_methods_that_a_host_does_not_know_are_refused_with_a_sentence(web_client: Client):
    answer = POOL.request("DELETE", web_client.base + "game.toml")
    assert (answer.status, answer.headers["content-type"]) == (405, "text/plain; charset=utf-8")
    assert answer.data == b"this address accepts only GET, HEAD, PUT\n"


def test_a_host_takes_the_same_bytes_again_and_refuses_others(web_client: Client):
    web_client.put_all("turns/0002.toml")
    charter = web_client.records[0]
    assert web_client.put("game.toml", charter.file).status == 200
    other = web_client.put("game.toml", charter.file.replace(b"a", b"b"))
    assert (other.status, b"different contents" in other.data) == (412, True)
    assert web_client.put("turns/0001.toml", b"short").status == 412


def test_a_host_takes_a_file_only_with_its_length_and_if_it_is_new(web_client: Client):
    charter = web_client.records[0]
    assert web_client.put("game.toml", charter.file, {}).status == 428
    # The host answers and closes without reading the file, so the answer is lost if the system
    # resets the connection first. The client asks again then; the file is not there either way.
    answer = POOL.request(
        "PUT",
        web_client.base + "game.toml",
        body=io.BytesIO(charter.file),
        headers=PUT,
        chunked=True,
        retries=urllib3.Retry(5, allowed_methods=None),
    )
    assert answer.status == 411
    assert web_client.put("key", b"x").status == 400
    assert web_client.put("turns/0001.toml", web_client.records[3].file).status == 404, (
        "no game yet"
    )


@pytest.mark.long
def test_a_request_for_the_list_can_wait_for_news(web_client: Client):
    web_client.put_all("turns/0002.toml")
    etag = web_client.get().headers["etag"]
    assert web_client.get(if_none_match=etag).status == 304
    begun = time.monotonic()
    assert web_client.get(if_none_match=etag, prefer="wait=1").status == 304
    assert time.monotonic() - begun >= 1
    found = []
    waiting = threading.Thread(
        target=lambda: found.append(web_client.get(if_none_match=etag, prefer="wait=25"))
    )
    waiting.start()
    time.sleep(0.3)
    assert web_client.put_turn_2().status == 201
    waiting.join(PATIENCE)
    assert (found[0].status, b"turns/0002.toml" in found[0].data) == (200, True)


def test_a_host_can_demand_a_token_for_new_games(start_host: StartHost):
    client = Client(start_host(tokens=["open sesame"]))
    charter = client.records[0]
    refused = client.put("game.toml", charter.file)
    assert (refused.status, b"token" in refused.data) == (401, True)
    wrong = client.put("game.toml", charter.file, {**PUT, "Authorization": "Bearer open"})
    assert wrong.status == 401
    right = {**PUT, "Authorization": "Bearer open sesame"}
    assert client.put("game.toml", charter.file, right).status == 201
    assert client.put(path_of(client.records[1]), client.records[1].file).status == 201


@pytest.mark.long
def test_a_network_that_guesses_addresses_is_refused_for_a_minute(web_client, monkeypatch):
    guessed = web_client.base.replace(DIGITS, "ab" * 16)
    for _ in range(request_limits.RequestCounts().missing_games.limit):
        assert POOL.request("GET", guessed).status == 404
    answer = POOL.request("GET", guessed)
    assert (answer.status, answer.headers["retry-after"]) == (429, "60")
    assert web_client.get().status == 429, "and nothing else is answered for a minute"


@pytest.mark.long
def test_a_full_host_refuses_new_games_and_still_serves_the_others(
    host: RunningHost, web_client: Client
):
    web_client.put_all()
    host.games.capacity.limits = storage_capacity.Limits(max_games=1)
    other = web_client.base.replace(DIGITS, "ab" * 16) + "game.toml"
    answer = POOL.request("PUT", other, body=web_client.records[0].file, headers=PUT)
    assert (answer.status, b"this host takes no new games" in answer.data) == (507, True)
    assert web_client.get().status == 200


def test_any_web_page_may_send_requests_to_a_host(web_client: Client):
    answer = POOL.request("OPTIONS", web_client.base + "game.toml")
    assert answer.status == 204
    assert "PUT" in answer.headers["access-control-allow-methods"]
    assert web_client.get().headers["access-control-allow-origin"] == "*"
    assert "set-cookie" not in web_client.get().headers


def test_a_damaged_turn_on_a_hosts_disk_stops_new_files_without_a_crash(web_client, host):
    web_client.put_all("turns/0002.toml")
    folder = host.games.game_at(DIGITS).folder.place.path
    (folder / "turns" / "0001.toml").write_bytes(b"[")
    host.games._games_in_memory.clear()
    answer = web_client.put_turn_2()
    assert answer.status >= 400
    assert b"Traceback" not in answer.data


def test_one_network_cannot_hold_all_the_places_of_those_who_wait(web_client, host, monkeypatch):
    host.host.counts.waiting_requests.network_limit = 0
    web_client.put_all("turns/0002.toml")
    headers = {"If-None-Match": web_client.get().headers["etag"], "Prefer": "wait=9999"}
    monkeypatch.setattr(answer_requests, "MAX_WAIT_SECONDS", 9999)
    answer = POOL.request("GET", web_client.base, headers=headers, timeout=PATIENCE)
    assert answer.status == 304, "it is answered at once"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::a:b:c:d", True),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "192.0.2.1:5123", True),
        ("[2001:db8::1]:443", "[2001:db8::1]", True),
        ("[2001:db8::1]:443", "2001:db8::1", True),
    ],
)
def test_an_ipv6_household_is_one_network(one: str, other: str, same: bool):
    found = {request_limits.network_of({"client": (address, 9)}) for address in (one, other)}
    assert (len(found) == 1) is same


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"PUT /g/%s/game.toml HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n"
        b"If-None-Match: *\r\n\r\nx" % DIGITS.encode(),
    ],
)
def test_a_connection_that_sends_no_whole_request_is_closed(host, sent, monkeypatch):
    monkeypatch.setattr(web_server, "MAX_IDLE_SECONDS", 0.4)
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        with contextlib.suppress(ConnectionResetError):
            while connection.recv(9000):
                pass


def response_to_bytes(host: RunningHost, sent: bytes) -> bytes:
    """What a host answers to these bytes, until it closes the connection."""
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        data = b""
        with contextlib.suppress(ConnectionResetError):
            while part := connection.recv(9000):
                data += part
    return data


def test_a_request_with_a_length_and_chunks_smuggles_no_second_request(host: RunningHost):
    head = b"PUT /g/%s/game.toml HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n" % DIGITS.encode()
    both = b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    answer = response_to_bytes(host, head + both + b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 411 ")
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    ("path", "status"), [("turns/0001.toml", b"404"), ("game.toml", b"401"), ("key", b"400")]
)
def test_a_file_that_a_host_cannot_take_is_refused_before_it_arrives(start_host, path, status):
    """No game is there, no token: nobody fills the host's memory with such files."""
    head = b"PUT /g/%s/%s HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\nContent-Length: 99\r\n\r\n"
    host = start_host(tokens=["open sesame"])
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as connection:
        connection.sendall(head % (DIGITS.encode(), path.encode()))
        assert connection.recv(12) == b"HTTP/1.1 " + status


def test_a_host_takes_only_so_many_bytes_at_the_same_time(web_client, host, monkeypatch):
    for module in (answer_requests, request_limits):
        monkeypatch.setattr(module, "STALL_SECONDS", PATIENCE)
    web_client.put_all("turns/0002.toml")
    host.host.counts.arriving_bytes.network_limit = len(web_client.turn_2.file) + 50
    head = (
        b"PUT /g/%s/game.toml HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\nContent-Length: 99\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as connection:
        connection.sendall(head % (b"ab" * 16) + b"x" * 60)
        until(lambda: host.host.counts.arriving_bytes.amounts_by_network)
        answer = web_client.put_turn_2()
        assert (answer.status, answer.headers["retry-after"]) == (503, "60")
    until(lambda: not host.host.counts.arriving_bytes.amounts_by_network)
    assert web_client.put_turn_2().status == 201


@pytest.mark.long
def test_whoever_reads_slowly_gets_the_whole_file(host, monkeypatch):
    monkeypatch.setattr(web_server, "MAX_IDLE_SECONDS", 0.4)
    host._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    folder = host.games.game_at(DIGITS).folder.place.path
    (folder / "turns").mkdir(parents=True)
    (folder / "turns" / "0001.toml").write_bytes(b"x" * 500_000)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE)
        connection.connect(("127.0.0.1", host.port))
        connection.sendall(
            b"GET /g/%s/turns/0001.toml HTTP/1.1\r\nHost: x\r\n\r\n" % DIGITS.encode()
        )
        got, begun = 0, time.monotonic()
        while got < 500_000:
            part = connection.recv(20_000)
            assert part, f"cut off after {got} bytes"
            got += len(part)
            time.sleep(0.05 if time.monotonic() - begun < 2 else 0)


def test_a_proxy_that_compresses_a_list_may_weaken_its_mark(web_client: Client):
    web_client.put_all("turns/0002.toml")
    etag = web_client.get().headers["etag"]
    assert web_client.get(if_none_match=f"W/{etag}").status == 304


@pytest.mark.long
def test_a_request_that_is_never_finished_is_ended(host, monkeypatch):
    """A request in progress has more time than a silent connection, and not all the time."""
    monkeypatch.setattr(web_server, "MAX_IDLE_SECONDS", 0.4)
    monkeypatch.setattr(web_server, "MAX_REQUEST_SECONDS", 1.0)
    head = b"PUT /g/%s/game.toml HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\nIf-None-Match: *"
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as connection:
        connection.sendall(head % DIGITS.encode() + b"\r\n\r\nx")
        with contextlib.suppress(ConnectionResetError):
            assert connection.recv(9000) == b""
    assert time.monotonic() - begun > 0.9


def test_one_network_may_have_only_so_many_connections(
    host: RunningHost, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(web_server, "MAX_NETWORK_CONNECTIONS", 3)
    monkeypatch.setattr(web_server, "LOCAL_NETWORKS", ())
    until(lambda: not web_server._counts_by_network)  # those of earlier hosts in this process
    address = ("127.0.0.1", host.port)
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(socket.create_connection(address, PATIENCE)) for _ in range(3)]
        for one in held:
            one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert one.recv(12) == b"HTTP/1.1 200"
        more = stack.enter_context(socket.create_connection(address, PATIENCE))
        with contextlib.suppress(ConnectionResetError):
            assert more.recv(12) == b""


def test_a_proxy_on_this_computer_may_have_any_number_of_connections(start_host, monkeypatch):
    """Also one that reaches the host at ::1."""
    monkeypatch.setattr(web_server, "MAX_NETWORK_CONNECTIONS", 1)
    for address in ("127.0.0.1", "::1"):
        network = request_limits.network_of({"client": (address, 9)})
        assert request_limits.wide_network(network) in web_server.LOCAL_NETWORKS
    host = start_host()
    with contextlib.ExitStack() as stack:
        for _ in range(4):
            address = ("127.0.0.1", host.port)
            one = stack.enter_context(socket.create_connection(address, PATIENCE))
            one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert one.recv(12) == b"HTTP/1.1 200"


@pytest.mark.long
def test_one_network_may_make_only_so_many_games_an_hour(web_client, host, monkeypatch):
    """The hour goes on over minutes in which nothing is made, and then begins again."""
    clock = Clock([])
    monkeypatch.setattr(request_limits, "time", clock)
    for number in range(22):
        clock.up += 120
        url = f"{host.url}/g/{number:032x}/game.toml"
        answer = POOL.request("PUT", url, body=web_client.records[0].file, headers=PUT)
        assert answer.status == (201 if number < 20 else 429), number
    clock.up += 3600
    assert POOL.request("PUT", url, body=web_client.records[0].file, headers=PUT).status == 201


@pytest.mark.long
def test_slow_connections_keep_nobody_else_waiting(web_client, host, monkeypatch):
    monkeypatch.setattr(web_server, "MAX_IDLE_SECONDS", PATIENCE)
    web_client.put_all("turns/0002.toml")
    address, game = ("127.0.0.1", host.port), DIGITS.encode()
    ask = b"GET /g/%s/turns/0001.toml HTTP/1.1\r\nHost: x\r\n\r\n" % game
    give = b"PUT /g/%s/turns/0002.toml HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n" % game
    give += b"Content-Length: 9000\r\n\r\n"
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(address, PATIENCE)) for _ in range(40)]
        for number, one in enumerate(slow):
            one.sendall(ask if number % 2 else give)
        for _ in range(5):
            for number, one in enumerate(slow):
                if number % 2:
                    assert one.recv(1)
                else:
                    one.sendall(b"x")
            assert web_client.get().status == 200
        assert web_client.put_turn_2().status == 201


@pytest.mark.long
def test_the_owners_page_lists_all_games_of_a_host(start_host: StartHost):
    host = start_host(password="my word")
    Client(host).put_all()
    page = f"{host.url}/owner"
    for headers in ({}, login_header("wrong"), login_header(""), {"Authorization": "Basic !"}):
        refused = POOL.request("GET", page, headers=headers)
        assert (refused.status, b"<td>" in refused.data) == (401, False)
    shown = POOL.request("GET", page, headers=login_header("my word"))
    assert shown.status == 200
    assert b"1 games" in shown.data or b"1 game," in shown.data
    assert DIGITS.encode() not in shown.data, "not even the owner sees addresses"


@pytest.mark.long
def test_the_owners_page_says_whom_each_game_waits_for(table: Round, start_host: StartHost):
    """By the names of those who sit there, and only what its turns and files say to all."""
    host = start_host(password="my word")

    def waits() -> str:
        page = POOL.request("GET", f"{host.url}/owner", headers=login_header("my word"))
        assert page.status == 200
        return re.findall("<td>([^<]*)</tr>", page.data.decode())[0]

    address, lines = make_on_host(table, host, "--players Ann,Bo --game origin")
    ann, bo, rhea = (table.person(name) for name in ("ann", "bo", "rhea"))
    output_of(ann, lines["Ann"])
    assert waits() == "Bo"
    output_of(bo, f"{lines['Bo']} --name Bobby")
    assert waits() == "the referee"
    output_of(rhea, f"advance -C {address}")
    assert waits() == "Ann, Bobby"
    submit_pass(ann, address)
    assert waits() == "Bobby"
    folder = host.games.folder(host.games.game_at(address[-32:]).name)
    (folder.place.path / "turns/0001.toml").write_text("no turn")
    assert waits().startswith("cannot be read: ")


@pytest.mark.sample(0)
def test_after_a_turn_of_notices_the_owner_sees_that_people_have_answered(table, start_host):
    host = start_host(password="my word")
    address = begin_on_host(table, host, "Ann,Bo")
    ann, bo, rhea = (table.person(name) for name in ("ann", "bo", "rhea"))
    submit_pass(ann, address)
    output_of(bo, f"notice key -C {address}")
    output_of(rhea, f"advance -C {address}")
    page = POOL.request("GET", f"{host.url}/owner", headers=login_header("my word"))
    assert re.findall("<td>([^<]*)</tr>", page.data.decode()) == ["Bo"]


def test_without_a_password_there_is_no_page_for_the_owner(host: RunningHost):
    assert POOL.request("GET", f"{host.url}/owner", headers=login_header("")).status == 401


@pytest.mark.long
def test_a_game_that_nobody_used_for_long_is_removed(web_client: Client, host: RunningHost):
    web_client.put_all()
    now = time.time()
    assert host.games.remove_unused(now) == []
    assert host.games.remove_unused(now + kept_games.MAX_UNUSED_SECONDS + 60) == [
        host.games.game_at(DIGITS).name
    ]
    assert web_client.get().status == 404


@pytest.mark.long
def test_no_game_is_removed_because_the_clock_jumped(web_client, host, monkeypatch):
    """In a day in which the clock jumped by two years, all games seem old; a day later they would
    be, if nobody had set the clock right."""
    web_client.put_all()
    clock = Clock([2 * kept_games.MAX_UNUSED_SECONDS, -2 * kept_games.MAX_UNUSED_SECONDS, 0.0])
    monkeypatch.setattr(web_server, "time", clock)
    with pytest.raises(Clock.EndError):
        web_server._remove_unused_games(host.games)
    assert web_client.get().status == 200
    monkeypatch.setattr(
        web_server, "time", Clock([0.0], time.time() + 2 * kept_games.MAX_UNUSED_SECONDS)
    )
    with pytest.raises(Clock.EndError):
        web_server._remove_unused_games(host.games)
    assert web_client.get().status == 404


class Clock:
    """A clock that jumps by so many seconds, in each pause of a program."""

    class EndError(Exception):
        pass

    def __init__(self, jumps: list[float], now: float = 0.0) -> None:
        self.jumps, self.now, self.up = jumps, now or time.time(), 100.0

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.up

    def sleep(self, seconds: float) -> None:
        if not self.jumps:
            raise Clock.EndError
        self.now += seconds + self.jumps.pop(0)
        self.up += seconds


def test_games_are_made_at_the_same_time_beside_a_game_without_a_charter(host, web_client):
    for number in range(6):
        folder = host.games.game_at(f"{number:032x}").folder.place.path
        (folder / "turns").mkdir(parents=True)
        (folder / "turns" / "0001.toml").write_bytes(b"junk")
    said: list[int] = []

    def make(number: int) -> None:
        url = f"{host.url}/g/{number:032x}/game.toml"
        said.append(POOL.request("PUT", url, body=web_client.records[0].file, headers=PUT).status)

    threads = [threading.Thread(target=make, args=(n,), daemon=True) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert said == [201] * 6


def test_a_game_that_somebody_writes_to_is_not_removed_as_old(web_client, host):
    web_client.put_all("turns/0002.toml")
    later = time.time() + kept_games.MAX_UNUSED_SECONDS + 60
    [row] = [one for one in host.games.rows() if isinstance(one, kept_games.Row)]
    assert not host.games.remove(row.name, unused_since=row.touched - 1)
    assert host.games.remove(row.name, unused_since=later)
    assert web_client.put_turn_2().status == 404
    folder = host.games.game_at(DIGITS).folder.place.path
    assert not folder.exists(), "nothing of a removed game comes back"


@pytest.mark.long
def test_guessed_addresses_push_no_game_out_of_memory(web_client: Client, host: RunningHost):
    web_client.put_all()
    for number in range(50, 90):
        url = f"{host.url}/g/{number:032x}/"
        assert POOL.request("GET", url).status == 404
        assert POOL.request("GET", f"{url}game.toml").status == 404
    turn = web_client.records[-1]
    assert POOL.request("PUT", url + path_of(turn), body=turn.file, headers=PUT).status == 404
    assert list(host.games._games_in_memory) == [host.games.game_at(DIGITS).name]


def test_a_title_with_markup_is_text_on_the_owners_page(start_host: StartHost):
    host = start_host(password="my word")
    one = sample()
    title = '<script>alert("x")</script>'
    charter = make_record(replace(one.charter.content, title=title), one.ann)
    url = f"{host.url}/g/{DIGITS}/game.toml"
    assert POOL.request("PUT", url, body=charter.file, headers=PUT).status == 201
    shown = POOL.request("GET", f"{host.url}/owner", headers=login_header("my word")).data.decode()
    assert title not in shown
    assert "&lt;script&gt;" in shown


def test_the_referees_page_has_a_link_for_spectators(table, tmp_path, start_host):
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<!doctype html>")
    (page / "site.json").write_text('{"hosts": []}')
    host, rhea = start_host(site=page), table.person("rhea")
    said = rhea.pbem(f"new savannah --players Ann,Bo --referee Rhea --at {host.url}")
    (digits,) = re.findall(r"made \S+/g/([0-9a-f]{32})", said.text)
    asking = Asking(rhea.home)
    asking.enter()
    (game,) = {*re.findall(r"/game/\w+", asking.get("/").text)}
    text = asking.get(f"{game}/referee").text
    assert f"<code>{host.url}/g/{digits}/play</code>" in text
    assert "#join=" in text
