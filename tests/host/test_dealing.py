"""A host that deals: a game from its page to "Proven", with nobody else's computer on."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import urllib3

from pbem.files.host_store import folder_name_of
from pbem.format.secret_and_public_keys import public_line
from tests.host.dealing import (
    FORM,
    POOL,
    everybody_joins,
    game_from_form,
    response_of_dealer,
    response_of_host,
    wait_for_turn,
    wait_until_logged,
)
from tests.host.host_games import RULESETS, bot_answers
from tests.host.web_client import login_header
from tests.kit.people import NOW, Person, Round, key_of, output_of
from tests.kit.running_host import HostProcess
from tests.kit.shown_pages import hashes_in, shown_text

pytestmark = pytest.mark.host


@pytest.fixture(scope="module")
def one_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostProcess]:
    root = tmp_path_factory.mktemp("dealing")
    host = HostProcess(str(root / "data"), root / "owner", "--deal", SOURCE_DATE_EPOCH=str(NOW))
    host.games_at_start = 0
    yield host
    host.stop()


@pytest.fixture
def rested_host(one_host: HostProcess) -> HostProcess:
    """The host of this file, on which this computer's network may make ten more games or more."""
    if len(list(Path(one_host.data).glob("?" * 32))) > one_host.games_at_start + 10:
        restart(one_host)
    return one_host


def restart(host: HostProcess) -> None:
    """Let the host forget what it has counted."""
    host.stop()
    host.games_at_start = len(list(Path(host.data).glob("?" * 32)))
    host.start()


def played_to_the_end(people: list[Person]) -> None:
    """Let everybody answer whatever they are asked, until the game is over."""
    address = people[0].env["PBEM_FOLDER"]
    for turn in range(1, 400):
        if wait_for_turn(address, turn):
            return
        for seat, who in zip("abcdefgh", people, strict=False):
            bot_answers(who, address, seat)
    raise AssertionError("the game does not end")


def page_and_commands(host: HostProcess) -> tuple[str, list[str]]:
    """Make a game of Ann, Bo and Cy; return its page of links, and the commands to join."""
    page = response_of_host(host, "/new", FORM).headers["location"]
    shown = response_of_host(host, page).data.decode()
    return page, re.findall(r"pbem (join -C \S+ --invite [^<]+)<", shown)


def players_of_page(page: str) -> list[tuple[str, bool]]:
    """The players on the page of links, and whether the link is the reader's own."""
    found = re.findall(r'<p class="who"><strong>([^<]*)</strong>( <span class="tag">you<)?', page)
    return [(name, bool(own)) for name, own in found]


@pytest.mark.parametrize(
    ("players", "marked"),
    [
        ("Bo\nCy", [("Ann", True), ("Bo", False), ("Cy", False)]),
        ("Bo\nAnn", [("Bo", False), ("Ann", True)]),
    ],
)
def test_your_own_link_is_marked_on_the_page_of_links(rested_host, players, marked):
    made = response_of_host(rested_host, "/new", FORM | {"you": " Ann ", "players": players})
    assert made.status == 303
    page = response_of_host(rested_host, made.headers["location"]).data.decode()
    assert players_of_page(page) == marked
    bare = made.headers["location"].partition("?")[0]
    told = response_of_dealer(rested_host, bare, {"begin": "yes"}).data.decode()
    assert "The game needs 2 or more players" in told
    assert not any(own for _, own in players_of_page(told))
    told = response_of_dealer(rested_host, made.headers["location"], {"begin": "yes"}).data.decode()
    assert players_of_page(told) == marked, "the mark stays after a click"


def test_whoever_plays_alone_at_a_host_types_only_a_name(rested_host: HostProcess, table: Round):
    page = response_of_host(rested_host, "/new").data.decode()
    first = page.partition("<form")[2].partition("<details")[0]
    assert re.findall(r'name="(\w+)"', first.replace('type="radio" name="game"', "")) == [
        "you", "players",
    ]  # fmt: skip
    game = game_from_form(
        rested_host, {"you": "Ann", "players": "", "game": "evolution", "pace": "day"}
    )
    assert [seat["name"] for seat in game["seats"]] == ["Ann"]
    said = output_of(table.person("ann"), game["seats"][0]["command"].removeprefix("pbem "))
    assert "evolution, 2 seats" in said


@pytest.mark.parametrize(
    "ruleset",
    [pytest.param(one, marks=[] if one == "origin" else pytest.mark.long) for one in RULESETS],
)
def test_a_game_that_a_host_deals_is_played_to_its_proven_end(rested_host, table, ruleset):
    people = everybody_joins(rested_host, table, FORM | {"game": ruleset, "bots": "1"})
    played_to_the_end(people)
    said = output_of(table.person("eve"), f"audit {people[0].env['PBEM_FOLDER']}")
    assert "Proven" in said
    host = rested_host.url.removeprefix("http://")
    assert f"the host {host}" in said, "the certificate names who dealt"


def test_the_page_of_a_host_makes_a_game_and_shows_its_links_again(rested_host, table):
    page = response_of_host(rested_host, "/new").data.decode()
    assert '<header><a href="/"' in page, "there is a way home"
    assert 'href="/">Not now</a>' in page
    for name in ("Ann", "evolution", "origin", "Live", "This host"):
        assert name in page
    assert "Learn by playing" not in page, "this host serves no page on which one could"
    made = response_of_host(rested_host, "/new", FORM)
    assert made.status == 303
    again = response_of_host(rested_host, made.headers["location"])
    assert again.headers["cache-control"] == "no-store"
    text = again.data.decode()
    commands = re.findall(r"pbem (join -C \S+ --invite [^<]+)<", text)
    assert len(commands) == 3
    said = output_of(table.person("ann"), commands[0])
    assert "dealt by the host 127.0.0.1" in said
    assert "Whoever runs this host can see every hand." in said
    text = response_of_host(rested_host, made.headers["location"]).data.decode()
    assert "has joined" in text
    assert len(re.findall("--invite", text)) == 2, "a seat that is taken has no link"
    assert 'class="tag">you<' not in text, "nobody said which name is theirs"
    wrong = made.headers["location"][:-1] + ("0" if made.headers["location"][-1] != "0" else "1")
    assert response_of_host(rested_host, wrong).status == 404


def test_no_page_of_a_host_for_players_shows_a_hash(rested_host: HostProcess, table: Round):
    """The page of the owner does: `pbem host remove` needs the first digits of a game's name."""
    page, (join, *_) = page_and_commands(rested_host)
    tables = {**FORM, "players": "\n".join(f"P{n}" for n in range(8)), "each": "4"}
    several = response_of_host(rested_host, "/new", tables).headers["location"]
    wrong = response_of_host(rested_host, "/new", {**FORM, "players": "Ann"})
    output_of(table.person("ann"), join)
    pages = [response_of_host(rested_host, path) for path in ("/", "/new", page, several)]
    for answer in (wrong, *pages):
        text = shown_text(answer.data.decode())
        assert "pbem" in text
        assert not hashes_in(text), text


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"players": ""}, "Type the names of the players."),
        ({"players": "Ann, Ann"}, "Two players have names that look the same: Ann and Ann."),
        ({"players": "Ann, everyone"}, "cannot be called &#39;everyone&#39;, because pbem reads"),
        ({"players": "Ann"}, "Evolution is for 2 to 6 players, and you named 1: type more names"),
        (
            {"players": ",".join(f"P{n}" for n in range(7))},
            "and you named 7: leave somebody out, or open “More” and type how many",
        ),
        ({"game": "chess"}, "Choose a game."),
        ({"pace": "warp"}, "Choose how fast you want to play."),
        ({"deadline": "every blue moon"}, "&#39;every blue moon&#39; is not a deadline"),
        ({"each": "many"}, "Type how many players sit at each table"),
        ({"players": "A" * 41 + ",Bo"}, "A name has at most 40 characters"),
    ],
)
def test_the_form_of_a_host_says_what_is_wrong_and_keeps_what_was_typed(one_host, change, told):
    before = len(list((one_host.home / "dealer" / "games").glob("*")))
    said = response_of_host(one_host, "/new", FORM | {"title": "Our pond"} | change)
    text = said.data.decode()
    assert said.status == 400
    assert told in text, text
    assert "Our pond" in text
    after = len(list((one_host.home / "dealer" / "games").glob("*")))
    assert before == after, "nothing was made"


def test_a_game_that_a_host_deals_is_made_from_a_terminal(rested_host: HostProcess, table: Round):
    ann = table.person("ann")
    words = f"new pond --players Ann,Bo --at {rested_host.url} --dealer host --deadline".split()
    said = ann.pbem([*words, "daily 20:00"], TZ="Asia/Tokyo").out
    rule = "every day 20:00 Asia/Tokyo, at least 12h"
    assert f"deadline: {rule}; after that, the least harmful choice" in said
    assert "you named no time zone, so pbem uses the one of this computer: Asia/Tokyo" in said
    assert said.endswith("next: if you play, type the command beside your own name\n")
    lines = dict(re.findall(r"  (\w+):  pbem (join .*)", said))
    assert set(lines) == {"Ann", "Bo"}
    joined = output_of(ann, lines["Ann"])
    assert "pond: evolution, 2 seats, dealt by the host" in joined
    charter = POOL.request("GET", f"{lines['Ann'].split()[2]}/game.toml").data
    assert rule.encode() in charter
    page = re.search(r"(/new/[0-9a-f/]+)\n", said)
    assert "has joined" in response_of_host(rested_host, page[1]).data.decode()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--dealer host --players Ann,Bo", "give the address of the host that deals"),
        ("--dealer bo --players Ann,Bo --at {url}", "'bo' cannot deal"),
        (
            "--dealer host --players Ann,Bo --at {url} --deputy-after 2d",
            "a game that a host deals cannot have --deputy-after",
        ),
        ("--dealer host --players Ann --at {url}", "Evolution is for 2 to 6 players"),
        (
            "--dealer host --players Ann --bots random --at {url}",
            "in a game that a host deals, all bots are greedy",
        ),
    ],
)
def test_mistakes_in_a_new_game_for_a_host_are_named_at_the_terminal(
    one_host: HostProcess, table: Round, options: str, told: str
):
    table.person("ann").pbem(f"new pond {options.format(url=one_host.url)}").checked(2, text=told)


def test_a_host_that_does_not_deal_says_how_to_deal_oneself(start_process, table: Round):
    host = start_process()
    page = response_of_host(host, "/new").data.decode()
    assert "This host" not in page
    said = response_of_host(host, "/new", FORM | {"dealer": "me", "title": "Our pond"})
    command = re.search(r'value="(pbem new [^"]*)"', said.data.decode())[1]
    words = command.replace("&#39;", "'").removeprefix("pbem ")
    told = output_of(table.person("ann"), words)
    assert "you are the referee" in told
    assert response_of_host(host, "/new", FORM, data=True).status == 404
    told = table.person("ann").pbem(f"new x --players Al,Bo --at {host.url} --dealer host").text
    assert "this host does not deal" in told


def test_only_people_with_a_hosts_token_start_games(start_process, tmp_path, table):
    (tmp_path / "token").write_text("correct-horse\n")
    options = ["--deal", "--token-file", str(tmp_path / "token")]
    host = start_process(*options)
    said = response_of_host(host, "/new", FORM)
    assert said.status == 400
    assert "you need a token: ask the host" in said.data.decode()
    said = response_of_host(host, "/new", FORM | {"token": "wrong"})
    assert "This host does not know your token" in said.data.decode()
    assert response_of_host(host, "/new", FORM, data=True).status == 401
    for _ in range(125):
        said = POOL.request(
            "POST", f"{host.url}/new", fields=FORM, encode_multipart=False,
            headers=login_header("correct-horse"),
        )  # fmt: skip
    assert "you need a token" in said.data.decode(), "a browser sends a password by itself"
    assert response_of_host(host, "/new", FORM | {"token": "correct-horse"}).status == 303
    ann = table.person("ann")
    words = f"new pond --players Ann,Bo --at {host.url} --dealer host"
    assert "PBEM_HOST_TOKEN" in ann.pbem(words).text
    wrong = ann.pbem(words, PBEM_HOST_TOKEN="wrong-horse").text
    assert "this host does not know the token in PBEM_HOST_TOKEN" in wrong
    assert ann.pbem(words, PBEM_HOST_TOKEN="correct-horse").exit == 0


def test_strangers_cannot_fill_the_host_with_games(rested_host: HostProcess):
    restart(rested_host)
    made = [response_of_host(rested_host, "/new", FORM, data=True).status for _ in range(22)]
    assert made == [201] * 20 + [429] * 2
    assert response_of_host(rested_host, "/new", {"players": "x" * 20_000}).status == 413


def test_a_class_is_divided_among_several_tables_at_once(rested_host: HostProcess, table: Round):
    names = [f"Student {n}" for n in range(1, 15)]
    form = FORM | {"players": "\n".join(names), "game": "classroom", "each": "5", "title": "Lab"}
    said = response_of_host(rested_host, "/new", form, data=True)
    tables = json.loads(said.data)
    assert [table["title"] for table in tables] == ["Lab 1", "Lab 2", "Lab 3"]
    assert [len(table["seats"]) for table in tables] == [5, 5, 4]
    assert {seat["name"] for table in tables for seat in table["seats"]} == set(names)
    made = response_of_host(rested_host, "/new", form)
    assert made.status == 303, "a page that is loaded again makes no games"
    page = response_of_host(rested_host, made.headers["location"]).data.decode()
    commands = re.findall(r"<code>pbem (join [^<]+)<", page)
    assert len(commands) == 14
    output_of(table.person("ann"), commands[0])
    again = response_of_host(rested_host, made.headers["location"]).data.decode()
    assert again.count(">has joined<") == 1
    assert again.count("<code>pbem join") == 13
    wrong = f"{made.headers['location'][:-4]}0000"
    assert response_of_host(rested_host, wrong).status == 404


def test_a_teacher_sees_the_games_of_their_token_and_the_results(start_process, tmp_path, table):
    (tmp_path / "tokens").write_text("for-miss-honey\nfor-mr-keating\n")
    options = ["--deal", "--token-file", str(tmp_path / "tokens")]
    host = start_process(*options, SOURCE_DATE_EPOCH=str(NOW))
    mine = {"token": "for-miss-honey", "game": "origin", "pace": "day"}
    (lab,) = json.loads(
        response_of_host(host, "/new", mine | {"players": "Ann,Bo", "title": "Lab"}, data=True).data
    )
    theirs = {"token": "for-mr-keating", "game": "origin", "players": "Cy,Di", "title": "Poets"}
    assert response_of_host(host, "/new", theirs).status == 303
    form = mine | {"players": "Eve", "bots": "1", "title": "=Pond"}
    (eve,) = everybody_joins(host, table, form)
    wait_for_turn(eve.env["PBEM_FOLDER"], 1)
    output_of(eve, "notice concede --yes")
    assert wait_for_turn(eve.env["PBEM_FOLDER"], 999), "the bot alone plays to the end"

    def page(path: str, token: str):
        headers = urllib3.util.make_headers(basic_auth=f"me:{token}")
        return POOL.request("GET", f"{host.url}{path}", headers=headers)

    assert POOL.request("GET", f"{host.url}/games").status == 401
    assert page("/games", "for-miss-hone").status == 401
    said = page("/games", "for-miss-honey").data.decode()
    assert f'href="{lab["page"]}"' in said
    assert "Poets" not in said, "another token's game"
    assert re.search(r"not begun\s*<td[^>]*>Ann and Bo", said), said
    assert "=Pond" in said
    assert "over" in said
    rows = page("/games.csv", "for-miss-honey").data.decode().splitlines()
    assert rows[0] == "game,rules,state,player,place,points"
    assert "Lab,origin,not begun,Ann,,0" in rows
    (eve,) = [row for row in rows if ",Eve," in row]
    assert re.fullmatch(r"'=Pond,origin,over,Eve,[12],\d+", eve), "no formula, and a result"
    assert "Poets" in page("/games", "for-mr-keating").data.decode()


def test_the_form_to_play_again_has_the_same_people_and_another_first_player(rested_host):
    game = game_from_form(
        rested_host, FORM | {"title": "Our pond", "bots": "1", "pace": "two-days"}
    )
    page = response_of_host(rested_host, f"/new?again={game['address'][-32:]}").data.decode()
    assert "Bo\nCy\nAnn</textarea>" in page, "the first player moves on"
    assert 'value="Our pond 2"' in page
    assert re.search(r'value="two-days" required checked', page)
    assert response_of_host(rested_host, f"/new?again={'0' * 32}").status == 404


def test_a_host_that_is_killed_goes_on_with_the_same_game(rested_host: HostProcess, table: Round):
    people = everybody_joins(rested_host, table, FORM)
    wait_for_turn(people[0].env["PBEM_FOLDER"], 1)
    rested_host.kill()
    for lease in Path(rested_host.data).glob("dealing-*"):  # else it waits for half a minute
        shutil.rmtree(lease)
    rested_host.start()
    for who, seat in zip(people, "abc", strict=True):
        bot_answers(who, who.env["PBEM_FOLDER"], seat)
    wait_for_turn(people[0].env["PBEM_FOLDER"], 2)
    assert "Proven" not in output_of(table.person("eve"), f"audit {people[0].env['PBEM_FOLDER']}")


def test_a_player_who_lost_their_key_learns_what_to_do(rested_host: HostProcess, table: Round):
    """The host vouches by itself, so nobody can send it a line."""
    people = everybody_joins(rested_host, table, FORM | {"game": "origin", "players": "Ann,Bo"})
    address = people[0].env["PBEM_FOLDER"]
    wait_for_turn(address, 1)
    new = table.person("new-phone")
    lost = f"pbem notice key --lost --as SEAT -C {address}"
    assert f"; without a copy: {lost}" in output_of(new, f"status -C {address}")
    said = output_of(new, lost.removeprefix("pbem ").replace("SEAT", "b"))
    assert "send this line to all other players:\n" in said
    assert "the host confirms it too. Your new key replaces the old key 48 hours after that" in said


def test_of_two_who_join_with_one_link_the_first_has_the_seat(rested_host, table):
    game = game_from_form(rested_host, FORM | {"players": "Ann,Bo"})
    ann, bo = (seat["command"].removeprefix("pbem ") for seat in game["seats"])
    output_of(table.person("bo"), bo)
    output_of(table.person("bos-other-phone"), bo)
    output_of(table.person("ann"), ann)
    wait_for_turn(game["address"], 1)
    first = table.person("bo").pbem(f"status -C {game['address']}").text
    assert "b Bo (you)" in first, first
    other = table.person("bos-other-phone").pbem(f"status -C {game['address']}").text
    assert "b Bo (you)" not in other


def test_a_game_can_begin_without_players_who_do_not_come(rested_host: HostProcess, table: Round):
    page, commands = page_and_commands(rested_host)
    output_of(table.person("ann"), commands[0])
    assert "Begin without the players" not in response_of_host(rested_host, page).data.decode()
    refused = response_of_dealer(rested_host, page, {"begin": "yes"})
    assert refused.status == 400
    assert "The game needs 2 or more players, but only 1 joined." in refused.data.decode()
    output_of(table.person("cy"), commands[2])
    assert "Begin without the players" in response_of_host(rested_host, page).data.decode()
    assert response_of_dealer(rested_host, page, {"begin": "yes"}).status == 303
    address = re.search(r"-C (\S+)", commands[0])[1]
    wait_for_turn(address, 1)
    assert "turn 1" in output_of(table.person("cy"), f"status -C {address}")
    text = response_of_host(rested_host, page).data.decode()
    assert "Begin without" not in text
    assert text.count("has joined") == 2
    assert "did not come, so the game began without them" in text


def test_nobody_loses_a_seat_because_another_names_their_recovery_key(rested_host, table):
    """Ann reads Bo's recovery key in his join, and names it as hers; then she begins the game."""
    page, commands = page_and_commands(rested_host)
    bo, ann = table.person("bo"), table.person("ann")
    output_of(bo, "keys new --profile recovery")
    output_of(bo, f"{commands[1]} --recovery recovery")
    address = re.search(r"-C (\S+)", commands[0])[1]
    (path,) = re.findall(r"seats/b-\w+.toml", POOL.request("GET", f"{address}/").data.decode())
    join = POOL.request("GET", f"{address}/{path}").data.decode()
    recovery = re.search('recovery = "(.+)"', join)[1]
    assert ann.pbem([*commands[0].split(), "--recovery", recovery]).exit == 0
    assert response_of_host(rested_host, page).data.decode().count("has joined") == 2
    assert response_of_dealer(rested_host, page, {"begin": "yes"}).status == 303
    wait_for_turn(address, 1)
    assert "b Bo (you)" in output_of(bo, f"status -C {address}")
    output_of(bo, f"notice key -C {address} --recovery recovery --profile next --as b")
    wait_until_logged(ann, address, "Bo has a new key")


def test_a_join_that_cannot_count_is_not_shown_as_a_taken_seat(rested_host, table):
    """Cy names Ann's key as his recovery key: he is at fault, and must come again."""
    page, commands = page_and_commands(rested_host)
    output_of(table.person("ann"), commands[0])
    line = public_line(key_of("ann").public)
    assert table.person("cy").pbem([*commands[2].split(), "--recovery", line]).exit == 0
    text = response_of_host(rested_host, page).data.decode()
    assert (text.count("has joined"), commands[2] in text) == (1, True)
    assert (
        "must join again, because seat c uses a key of seat a; each person needs keys of their own"
        in text
    )
    refused = response_of_dealer(rested_host, page, {"begin": "yes"})
    assert "The game needs 2 or more players, but only 1 joined." in refused.data.decode()
    output_of(table.person("cys-phone"), commands[2])
    assert response_of_dealer(rested_host, page, {"begin": "yes"}).status == 303
    wait_for_turn(re.search(r"-C (\S+)", commands[0])[1], 1)


def junk_in_place_of_next_door(host: HostProcess, table: Round, address: str) -> str:
    """Write a file that is no notice where the host is going to write the notice that opens seat c;
    return its name, which a copy of the host tells."""
    folder = Path(host.data) / folder_name_of(address[-32:])
    game, home = table.root / "copy of game", table.root / "copy of home"
    shutil.copytree(folder, game)
    shutil.copytree(host.home / "dealer", home)
    earlier_notices = {*game.glob("notices/*")}
    output_of(replace(table.person("owner"), home=home), ["notice", "invite", "c", "-C", str(game)])
    (door,) = {*game.glob("notices/*")} - earlier_notices
    (folder / "notices" / door.name).write_bytes(b"no notice")
    return door.name


def test_a_host_agrees_to_what_all_agreed_and_gives_an_open_seat_away(rested_host, table):
    made = game_from_form(rested_host, FORM)
    page, address = made["page"], made["address"]
    people = {seat["seat"]: table.person(seat["name"].lower()) for seat in made["seats"]}
    for seat in made["seats"]:
        output_of(people[seat["seat"]], seat["command"].removeprefix("pbem "))
    wait_for_turn(address, 1)
    for who in people.values():
        output_of(who, f"notice deadline 3 days -C {address}")
    wait_until_logged(people["a"], address, "agreed to a new deadline: 3 days")
    assert response_of_dealer(rested_host, page, {"seat": "c"}).status == 400, "nobody has left it"
    output_of(people["c"], f"notice leave --yes -C {address}")
    assert "Make a link for somebody new" in response_of_host(rested_host, page).data.decode()
    name = junk_in_place_of_next_door(rested_host, table, address)
    assert response_of_dealer(rested_host, page, {"seat": "c"}).status == 303
    aside = f"{name} had the name of your notice, but was not that notice"
    assert aside in rested_host.log.read_text()
    text = response_of_host(rested_host, page).data.decode()
    line = re.search(r"pbem (join -C \S+ --invite [^<]+)<", text)[1]
    output_of(table.person("flo"), f"{line} --name Flo")
    wait_until_logged(people["a"], address, "a new player takes over seat c from Cy")
    assert "c Flo (you)" in output_of(table.person("flo"), f"status -C {address}")
    for seat in "ab":
        output_of(people[seat], f"notice end --no-winner -C {address}")
    output_of(table.person("flo"), f"notice end --no-winner -C {address}")
    assert wait_for_turn(address, 99), "the referee must agree to an end without a winner"
