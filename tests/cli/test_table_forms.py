"""The forms of `pbem table`: a new game, a seat, messages and notices, as the commands write them.

Requests are made in this process, as a browser would send them.
"""

import html
import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.records.twelve_words import words_of
from tests.kit.browser_players import against_bots, begin_game, others_play
from tests.kit.named_games import game_id, invite, made, sit
from tests.kit.people import NOW, Round, key_of, snapshot
from tests.kit.phone import DIGITS, OneGame
from tests.kit.record_files import record_at
from tests.kit.running_host import RunningHost
from tests.kit.table_requests import Asking, enter_game, enter_table, send_form

Game = Callable[[str], Round]
SECRET = "shall we both leave Cy alone?"


def folder_snapshot(table: Round) -> dict[str, bytes]:
    return snapshot(table.shared / "savannah")


@pytest.mark.sample(0)
def test_whoever_plays_alone_types_a_name_and_chooses_a_game(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))  # where the first game goes
    rhea = Round(tmp_path).person("rhea")
    asking = enter_table(rhea)
    form = re.search(r'<form [^>]*"alone-title">.*?</form>', asking.get("/new").text, re.S)[0]
    assert re.findall(r'name="(\w+)"', form) == ["referee", "players", "game"]
    sent = {"referee": "alone", "players": "Rhea"}
    for game, title in (("classroom", ""), ("evolution", "Evolution, alone"),
                        ("evolution", "Evolution, alone 2")):  # fmt: skip
        answer = send_form(asking, "/new", game=game, **sent)
        assert answer.status == 200, answer.text
        address = re.search(r'href="([^"]+)">Play</a>', answer.text)[1].removeprefix(asking.root)
        page = asking.get(address).text
        assert "Your move" in page
        assert title in html.unescape(page)
    assert (tmp_path / "evolution-alone-2/game.toml").exists()
    assert send_form(asking, "/new", game="evolution", **sent | {"players": ""}).status == 409


def test_the_number_of_a_ruling_opens_the_ruling(tmp_path: Path) -> None:
    asking = enter_table(Round(tmp_path).person("rhea"))
    assert 'data-rules="origin"' in asking.get("/rules/origin").text
    rules = asking.get("/rules/evolution").text
    assert '(<button type="button" class="link cite" data-word="1.12">1.12</button>' in rules
    for game, number in (("evolution", "1.12"), ("origin", "O8")):
        text = asking.get(f"/explain?word={number}&game=&rules={game}").text
        assert f"ruling {number}" in text
    text = asking.get("/explain?word=attack&game=&rules=evolution").text
    assert 'class="link cite" data-word="R5">R5</button>)' in text


def test_a_game_made_at_the_page_is_the_game_of_the_command(tmp_path: Path) -> None:
    clicks, typed = Round(tmp_path / "clicks"), Round(tmp_path / "typed")
    asking = enter_table(clicks.person("rhea"))
    assert "A new game" in asking.get("/new").text
    answer = send_form(
        asking, "/new", game="climate", players="Ann, Bo", referee="deals", name="Rhea", bots="1",
        title="Savannah", deadline="72h", as_printed=True, folder=str(clicks.shared / "savannah"),
    )  # fmt: skip
    assert answer.status == 200, answer.text
    assert "Back up" in answer.text
    dealt = next(
        line.split('"')[1]
        for line in (clicks.shared / "savannah/game.toml").read_text("utf-8").splitlines()
        if line.startswith("table = ")
    )
    line = "new savannah --game climate --players Ann,Bo --referee Rhea --bots greedy:1"
    line += f" --title Savannah --deadline 72h --as-printed --table {dealt}"
    typed.person("rhea").pbem(line).checked(0)
    assert folder_snapshot(clicks) == folder_snapshot(typed) != {}
    assert "Savannah" in asking.get("/").text
    assert asking.get(f"/game/{game_id(clicks)[:12]}/referee").text.count("Copy the invite") == 2


def test_a_deadline_typed_in_words_is_read_and_shown_as_understood(tmp_path: Path) -> None:
    table = Round(tmp_path)
    asking = enter_table(table.person("rhea"))
    said = send_form(
        asking, "/new", players="Ann, Bo", deadline="48h", own_deadline="every Sunday 8pm",
        folder=str(table.shared / "savannah"),
    )  # fmt: skip
    assert said.status == 200, said.text
    assert "deadline: sun 20:00 UTC, at least 12h; after that" in said.text
    assert "pbem uses the one of this computer: UTC" in said.text
    charter = folder_snapshot(table)["game.toml"].decode()
    assert 'deadline = "sun 20:00 UTC, at least 12h"' in charter


@pytest.mark.sample(0)
def test_the_page_makes_the_same_rematch_as_the_command(game: Game) -> None:
    table = game("over")
    asking, address = enter_game(table, "rhea")
    page = asking.get(address).text
    (link,) = re.findall(r'href="[^"]*(/new\?like=\w+)">Rematch', page)
    shown = asking.get(link).text
    assert "moves up one seat: Bo, Ann" in shown
    assert 'value="savannah 2"' in shown
    again = {"like": link.partition("=")[2], "title": "savannah 2"}
    made_at = send_form(asking, "/new", **again, folder=str(table.shared / "again"))
    assert made_at.status == 200, made_at.text
    table.person("rhea").pbem("new typed --like savannah --title 'savannah 2'").checked(0)
    clicked, typed = (
        tomllib.loads((table.shared / name / "game.toml").read_text("utf-8"))
        for name in ("again", "typed")
    )
    same = ("title", "referee", "ruleset", "options", "policies", "plays")
    clicked, typed = (
        [*(one.get(x) for x in same), *(seat["name"] for seat in one["seats"])]
        for one in (clicked, typed)
    )
    assert clicked == typed
    assert clicked[-2:] == ["Bo", "Ann"]
    assert asking.get("/new?like=0123456789ab").status == 409


def test_a_game_of_a_referee_who_plays_is_made_at_the_page_and_opened_to_answer(tmp_path):
    table = Round(tmp_path)
    asking = enter_table(table.person("rhea"))
    place = str(table.shared / "savannah")
    said = send_form(
        asking, "/new", game="", players="Rhea", referee="plays", bots="2", folder=place
    )
    assert said.status == 200, said.text
    assert ">Play</a>" in said.text
    assert "Invite the players" not in said.text, "there is nobody to invite"
    assert "as soon as you have answered" in asking.get(f"/game/{game_id(table)[:12]}").text
    page = asking.get(f"/game/{game_id(table)[:12]}/referee").text
    assert "Answer as seat a" in page
    assert "your own orders first" not in page, "`advance` says it so; the page has a button"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"players": "Ann, Ann"}, "two players have the same name"),
        ({"players": "Ann, All"}, "cannot be called &#39;All&#39;"),
        ({"players": "Ann"}, "is for 2 to 6 players"),
        ({"players": "Ann, Bo", "game": "go"}, "no game is called"),
        ({"players": "Ann, Bo", "deadline": "soon"}, "is not a deadline"),
        ({"players": "Ann, Bo", "own_deadline": "8pm"}, "does not say on which days"),
        ({"players": "", "title": "x"}, "a game needs players"),
        ({"players": ["Ann"]}, "a game needs players"),
        ({"players": "Ann, Bo", "folder": "~nobody-at-all/x"}, "is not a folder"),
    ],
)
def test_the_form_for_a_new_game_says_what_is_wrong_and_writes_nothing(said, told, tmp_path):
    table = Round(tmp_path)
    asking = enter_table(table.person("rhea"))
    answer = send_form(asking, "/new", **{"folder": str(table.shared / "savannah"), **said})
    assert (answer.status, told in answer.text) == (409, True), answer.text
    assert "--" not in answer.text
    assert "pbem new" not in answer.text
    assert folder_snapshot(table) == {}


def test_the_form_for_a_new_game_refuses_a_folder_that_has_a_game(game: Game) -> None:
    table = game("begun")
    before = folder_snapshot(table)
    asking = enter_table(table.person("rhea"))
    said = send_form(asking, "/new", players="Ann, Bo", folder=str(table.shared / "savannah"))
    assert (said.status, "contains a game already" in said.text) == (409, True)
    assert folder_snapshot(table) == before


def test_a_player_seals_at_the_page_minutes_after_opening_it(game, monkeypatch):
    seal_later(Plan(game("begun")), monkeypatch)


@pytest.mark.sample(0)
def test_a_referee_who_plays_seals_at_the_page_minutes_after_opening_it(game, monkeypatch):
    """The head of a turn that is not published yet has its time in it; the plan's mark has not."""
    table = game("plays")
    plan = Plan(table, "rhea")
    assert "Answer as seat a" in plan.asking.get(f"{plan.path}/referee").text
    seal_later(plan, monkeypatch)
    page = plan.asking.get(f"{plan.path}/referee").text
    assert "Answer as seat" not in page
    assert "b Bo (food)" in page
    made_turn = table.shared / "savannah/turns/0001.toml"
    assert made_turn.exists(), "the turn waited only for Rhea's answer"


class Plan:
    """The plan of a player's page, as it is shown after each click."""

    def __init__(self, table: Round, name: str = "ann", asking: Asking | None = None) -> None:
        self.table = table
        self.asking, self.path = (asking, game_page(asking)) if asking else enter_game(table, name)
        self.text = self.asking.get(f"{self.path}/plan").text

    @property
    def mark(self) -> str:
        return re.search(r'data-mark="(\w+)"', self.text)[1]

    def click(self, **said: object) -> int:
        answer = send_form(self.asking, f"{self.path}/plan", mark=self.mark, **said)
        self.text = answer.text
        return answer.status

    def add(self, kind: str, text: str) -> str:
        """Add a line, and return the page."""
        assert self.click(do="add", kind=kind, always=False, text=text) == 200, self.text
        return self.text

    def offers(self, kind: str) -> list[str]:
        return re.findall(rf'data-kind="{kind}" data-always="" data-text="([^"]*)"', self.text)

    @property
    def lines(self) -> list[str]:
        return re.findall(r'aria-label="Remove: ([^"]*)"', self.text)

    @property
    def undoes(self) -> str:
        """What the button would undo; empty if there is none."""
        return "".join(re.findall(r'aria-label="Undo: ([^"]*)"', self.text))


def game_page(asking: Asking) -> str:
    """The address of the first game in the list."""
    return re.search(r"/game/\w+", asking.get("/").text)[0]


@pytest.mark.sample(0)
def test_every_click_at_the_plan_can_be_undone(game: Game) -> None:
    plan = Plan(game("begun"))
    one, two = plan.offers("food")[:2]
    first = next(text for text in plan.offers("play") if text.endswith("on the left"))
    play = {"kind": "play", "always": False}
    clicks = [
        {"do": "add", "kind": "food", "always": False, "text": one},
        {"do": "add", "kind": "food", "always": False, "text": two},
        {"do": "add", **play, "text": first},
        {"do": "add", **play, "text": "burn the savannah"},
        {"do": "move", **play, "index": 1, "to": 0},
        {"do": "remove", **play, "index": 0},
        {"do": "add", **play, "text": "done"},
        {"do": "add", "kind": "leaf", "always": True, "text": "done"},
        {"do": "new"},
    ]
    states, told = [plan.lines], [plan.undoes]
    for click in clicks:
        assert plan.click(**click) == 200, plan.text
        assert plan.lines != states[-1]
        states.append(plan.lines)
        told.append(plan.undoes)
    assert told[0] == ""
    assert told[2] == f"“{two}” instead of “{one}”"
    assert told[5:7] == ["moving a line", "removing “burn the savannah”"]
    assert told[-1] == "starting again"
    assert "brings your old lines back" in plan.text
    plan = Plan(plan.table)  # the page was left, and the table stopped
    for lines, what in zip(reversed(states), reversed(told), strict=True):
        assert (plan.lines, plan.undoes) == (lines, what)
        status = plan.click(do="undo")
    assert (status, "there is nothing to undo" in plan.text) == (409, True)


@pytest.mark.sample(0)
def test_pressing_start_again_twice_is_undone_twice(game: Game) -> None:
    plan = Plan(game("begun"))
    anew, add = plan.lines, {"do": "add", "kind": "food", "always": False}
    text = plan.offers("food")[0]
    plan.click(**add, text=text)
    for _ in range(2):
        plan.click(do="new")
        assert plan.lines == anew
    plan.click(**add, text=text)
    for lines in (anew, anew, [text, *anew]):
        plan.click(do="undo")
        assert plan.lines == lines


def test_what_an_editor_changed_is_not_undone(game: Game) -> None:
    plan = Plan(game("begun"))
    one, two = plan.offers("food")[:2]
    plan.click(do="add", kind="food", always=False, text=one)
    (draft,) = plan.table.person("ann").home.rglob("drafts/*.toml")
    draft.write_text(draft.read_text("utf-8").replace(f'"{one}",', f'"{two}",', 1), "utf-8")
    plan = Plan(plan.table)
    assert (plan.lines[0], plan.undoes) == (two, "")
    assert plan.click(do="undo") == 409
    assert Plan(plan.table).lines[0] == two


def test_a_click_on_another_card_replaces_the_answer(game: Game) -> None:
    """The Watering Hole takes one card; a line that cannot be read replaces nothing."""
    plan = Plan(game("begun"))
    first, second = plan.offers("food")[:2]
    for text, lines in [(first, [first]), (second, [second]), ("a lion", [second, "a lion"])]:
        now = plan.add("food", text).partition('class="later"')[0]
        assert re.findall(r'aria-label="Remove: ([^"]*)"', now) == lines


def seal_later(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose the first thing that is offered, and seal it a minute later."""
    text = re.search(r'data-text="([^"]*)"', plan.text)[1]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW + 60))
    plan.add("food", text)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW + 120))
    said = send_form(plan.asking, f"{plan.path}/seal", mark=plan.mark)
    if "Sending…" in said.text:
        said = send_form(plan.asking, f"{plan.path}/deliver", turn=0)
    assert (said.status, "Sent." in said.text) == (200, True), said.text


@pytest.mark.sample(0)
def test_orders_that_answer_nothing_leave_their_player_choosing(tmp_path):
    table = Round(tmp_path)
    ann = begin_game(table, "evolution")
    others_play(table)  # so only Ann is awaited
    host = RunningHost(table.shared / "savannah", games=OneGame)
    try:
        plan = Plan(table, asking=enter_table(ann, f"{host.url}/g/{DIGITS}"))
        asking, path = plan.asking, plan.path
        dialog = re.search(r'<template id="unanswered">.*?</template>', plan.text, re.S)[0]
        assert "There is nothing to send yet: choose first." in dialog
        assert "send-anyway" not in dialog
        said = send_form(asking, f"{path}/seal", mark=plan.mark).text
        assert "Sending…" not in said
        assert "You still have to answer: the card for the Watering Hole." in said
        page = asking.get(path).text
        shown = re.search(r'<div class="states">.*?</div>', page, re.S)[0]
        assert "You still have to answer: the card for the Watering Hole." in shown
        assert "Deadline:" in shown
        assert "Your orders are sealed." not in shown
        own_place = re.search(r'id="your-place".*?</section>', page, re.S)[0]
        assert '<span class="flag state">choosing</span>' in own_place
    finally:
        host.stop()


def test_the_referees_page_waits_for_nobody_when_the_turn_can_be_made(game: Game) -> None:
    table = game("begun")
    food = '[always]\nfood = ["the card with the least food"]'
    asking, path = enter_game(table, "rhea")
    assert "Waiting for: a Ann (food), b Bo (food)" in asking.get(f"{path}/referee").text
    for name in ("ann", "bo"):
        assert table.person(name).pbem("submit - -C savannah", stdin=food).exit == 0
    page = asking.get(f"{path}/referee").text
    assert "The next turn can be made" in page
    assert "Waiting for" not in page
    made = send_form(asking, f"{path}/referee")
    assert (made.status, "Turn 2 is made" in made.text) == (200, True), made.text
    assert "Waiting for: " in asking.get(f"{path}/referee").text


def test_a_planned_list_without_done_offers_to_end_it(game: Game) -> None:
    plan = Plan(game("begun"))
    page = plan.add(
        "play", next(text for text in plan.offers("play") if text.endswith(": a1 body"))
    )
    assert "Your lines for play do not end with &#34;done&#34;, so you are asked again" in page
    end = '<button type="button" class="offer" data-kind="play" data-always="" data-text="done">'
    assert f"{end}End it with “done”" in page
    assert "othing more follows" not in page
    assert "End it with" not in plan.add("play", "done")
    card = re.search(r'data-kind="food"[^>]*data-text="([^"]*)"', plan.text)[1]
    told = 'You have answered everything: send it."'
    assert told in plan.add("food", card), "cards are chosen already"


def test_a_player_who_has_answered_is_offered_to_add_cards_to_play(game: Game) -> None:
    plan = Plan(game("begun"))
    card = re.search(r'data-kind="food"[^>]*data-text="([^"]*)"', plan.text)[1]
    told = 'data-hint="Send it, or first add: cards to play."'
    assert told in plan.add("food", card)


def test_a_player_who_has_joined_is_told_for_whom_the_game_waits(tmp_path: Path) -> None:
    table = Round(tmp_path)
    made(table)
    ann = sit(table, "a")
    asking, path = enter_game(table, "ann")
    page = asking.get(path).text
    assert "You have your seat. The game waits for Bo." in page
    assert ann.pbem("status -C savannah").out.endswith("next: wait for the referee to begin\n")
    said = table.person("rhea").pbem("status -C savannah").out
    assert said.endswith("next: wait for Bo to join, then pbem advance\n")


def test_an_invite_pasted_at_the_page_joins_as_the_command_does(tmp_path: Path) -> None:
    clicks, typed = Round(tmp_path / "clicks"), Round(tmp_path / "typed")
    for table in (clicks, typed):
        made(table)
    line = invite(typed, "a")
    sit(typed, "a")
    asking, place = enter_table(clicks.person("ann")), str(clicks.shared / "savannah")
    for pasted, there, said in (
        (line, "", "is not on this computer yet"),
        (line, place + "x", "there is no such folder"),
        (line[:-4], place, "invite"),
        ("", place, "the invite is missing"),
    ):
        told = send_form(asking, "/join", invite=pasted, **({"folder": there} if there else {}))
        assert (told.status, said in told.text) == (409, True), told.text
    told = send_form(asking, "/join", invite=f"pbem join --invite {line}", folder=place)
    assert (told.status, "You are Ann, in seat a" in told.text) == (200, True)
    assert re.search(r"Waiting for \w+[^.;]*; then .* begins the game\.", told.text), told.text
    assert folder_snapshot(clicks) == folder_snapshot(typed)
    assert "savannah" in asking.get("/").text


@pytest.mark.sample(0)
def test_a_spectator_opens_a_folder_at_the_page(game: Game) -> None:
    table = game("begun")
    asking = enter_table(table.person("eve"))
    assert "savannah" not in asking.get("/").text.replace("~/Dropbox/savannah", "")
    told = send_form(asking, "/open", folder=str(table.shared / "nothing"))
    assert told.status == 409
    told = send_form(asking, "/open", folder=str(table.shared / "savannah"))
    assert (told.status, f"/game/{game_id(table)[:12]}" in told.text) == (200, True)
    assert asking.get(f"/game/{game_id(table)[:12]}").status == 200


def test_messages_written_at_the_page_are_those_of_the_command(game: Game, tmp_path: Path) -> None:
    clicks = game("begun")
    shutil.copytree(clicks.root, tmp_path / "typed")
    typed = Round(tmp_path / "typed")
    asking, path = enter_game(clicks, "ann")
    said = send_form(asking, f"{path}/messages", text="Good luck,\n<b>all</b>", to="")
    assert (said.status, "Your message to all" in said.text) == (200, True)
    said = send_form(asking, f"{path}/messages", text=SECRET, to="b")
    assert (said.status, "Only Bo (b) can open the message" in said.text) == (200, True)
    ann = typed.person("ann")
    assert ann.pbem("tell -C savannah -", stdin="Good luck,\n<b>all</b>").exit == 0
    assert ann.pbem(["tell", "-C", "savannah", "--to", "b", SECRET]).exit == 0
    one, two = folder_snapshot(clicks), folder_snapshot(typed)
    assert one.keys() == two.keys()
    public = [name for name in one if name.startswith("press/") and one[name] == two[name]]
    assert len(public) >= 1  # a box is sealed anew each time, so only its size can be compared
    assert all(len(one[name]) == len(two[name]) for name in one)


@pytest.mark.sample(0)
def test_a_message_is_shown_to_those_who_may_read_it(game: Game) -> None:
    table = game("begun")
    asking, path = enter_game(table, "ann")
    send_form(asking, f"{path}/messages", text="<script>alert(1)</script>", to="")
    send_form(asking, f"{path}/messages", text=SECRET, to="b")
    bo, _ = enter_game(table, "bo")
    assert "Messages (2)" in bo.get(path).text
    assert SECRET in bo.get(path).text.replace("&#39;", "'"), "beside the table too"
    assert SECRET not in enter_game(table, "eve")[0].get(path).text
    seen = bo.get(f"{path}/messages").text
    assert SECRET in seen.replace("&#39;", "'")
    assert "<script>alert" not in seen
    assert "&lt;script&gt;alert" in seen
    assert "Messages (" not in bo.get(path).text
    for name in ("eve", "rhea"):
        seen = enter_game(table, name)[0].get(f"{path}/messages").text
        assert SECRET not in seen
        assert "&lt;script&gt;alert" in seen
    assert "<textarea" not in enter_game(table, "eve")[0].get(f"{path}/messages").text


def test_the_page_says_what_is_wrong_with_a_message_and_writes_nothing(game: Game) -> None:
    table = game("begun")
    before = folder_snapshot(table)
    asking, path = enter_game(table, "ann")
    for said, told in (
        ({"text": " "}, "the message is empty"),
        ({"text": "x" * 5000}, "characters"),
        ({"text": "hello", "to": "a"}, "cannot write to yourself"),
        ({"text": "hello", "to": "z"}, "nobody here is called"),
        ({"text": 5}, "the message is empty"),
    ):
        answer = send_form(asking, f"{path}/messages", **said)
        assert (answer.status, told in answer.text) == (409, True), answer.text
    spectator, _ = enter_game(table, "eve")
    assert send_form(spectator, f"{path}/messages", text="hello").status == 409
    assert folder_snapshot(table) == before


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("said", "command"),
    [
        (
            {"about": "away", "from": "2023-12-24", "to": "2024-01-02"},
            "away 2023-12-24..2024-01-02",
        ),
        ({"about": "away", "from": "", "to": "2024-01-02"}, "away ..2024-01-02"),
        ({"about": "delay", "time": "24h"}, "delay 24h"),
        ({"about": "deadline", "rule": "72h", "phase": ""}, "deadline 72h"),
        ({"about": "deadline", "rule": "never", "phase": "feed"}, "deadline never --phase feed"),
        ({"about": "end", "result": "score"}, "end"),
        ({"about": "end", "result": "draw"}, "end --draw"),
        ({"about": "leave", "sure": True}, "leave --yes"),
        ({"about": "concede", "sure": True}, "concede --yes"),
    ],
)
def test_notices_signed_at_the_page_are_those_of_the_command(said, command, game, tmp_path):
    clicks = game("timed")
    shutil.copytree(clicks.root, tmp_path / "typed")
    typed = Round(tmp_path / "typed")
    asking, path = enter_game(clicks, "ann")
    shown = asking.get(f"{path}/notices")
    assert (shown.status, "to do so" in shown.text) == (200, False), "no command is cut off"
    answer = send_form(asking, f"{path}/notices", **said)
    assert (answer.status, "Signed: " in answer.text) == (200, True), answer.text
    typed.person("ann").pbem(f"notice {command} -C savannah").checked(0)
    assert folder_snapshot(clicks) == folder_snapshot(typed)
    assert any(name.startswith("notices/") for name in folder_snapshot(clicks))
    page = asking.get(f"{path}/notices").text.lower()
    assert "the notice is signed, and takes effect with the next turn" in page


def test_the_page_refuses_wrong_notices_and_a_concession_without_a_tick(game: Game) -> None:
    table = game("timed")
    before = folder_snapshot(table)
    asking, path = enter_game(table, "ann")
    for said in (
        {"about": "concede"},
        {"about": "leave", "sure": "yes"},
        {"about": "everything"},
        {"about": "away", "from": "2024-01-02", "to": "2023-12-24"},
        {"about": "away", "from": "x", "to": "y"},
        {"about": "delay", "time": "96h"},
        {"about": "deadline", "rule": "soon", "phase": ""},
        {"about": "deadline", "rule": "72h", "phase": "tea"},
    ):
        answer = send_form(asking, f"{path}/notices", **said)
        assert answer.status == 409, (said, answer.text)
        assert "pbem notice" not in answer.text
        assert "--" not in answer.text
    assert folder_snapshot(table) == before


def test_before_turn_1_the_pages_of_messages_and_notices_say_so(tmp_path: Path) -> None:
    table = Round(tmp_path)
    made(table)
    asking, path = enter_game(table, "ann")
    for page in ("messages", "notices"):
        assert "once the game has begun" in asking.get(f"{path}/{page}").text
        answer = send_form(asking, f"{path}/{page}", text="x", about="concede", sure=True)
        assert answer.status == 409


def test_the_referee_sends_the_game_to_somebody_who_plays_by_mail(tmp_path: Path) -> None:
    table = Round(tmp_path)
    made(table)
    asking, path = enter_game(table, "rhea")
    page = asking.get(f"{path}/mail").text
    assert "does not know of any player who plays by mail" in page
    assert f'href="{asking.root}{path}/mail?to=b"' in page
    page = asking.get(f"{path}/mail?to=b").text
    bundle = html.unescape(re.search(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)[1])
    printed = table.person("rhea").pbem("send -C savannah --to b --paste").out
    assert bundle == printed
    stem = re.search(r'data-stem="([^"]+)"', page)[1]
    assert send_form(asking, f"{path}/mail/sent", stem=stem, to="b", all=False).status == 200
    assert asking.get(f"{path}/mail?to=zebra").status == 200
    whole = asking.get(f"{path}/mail?to=b&all=1").text
    printed = table.person("rhea").pbem("send -C savannah --to b --all --paste").out
    assert html.unescape(re.search(r"<pre[^>]*>(.*?)</pre>", whole, re.DOTALL)[1]) == printed


def test_the_page_that_lists_a_game_by_mail_shows_no_half_of_a_hint(tmp_path: Path) -> None:
    """The list shows the state without what to type: not what follows after it either."""
    table = Round(tmp_path)
    made(table)
    rhea, bo = table.person("rhea"), table.person("bo")
    line = invite(table, "b")
    assert rhea.pbem(f"send -C savannah --to b -o {tmp_path}/b.pbem").exit == 0
    bo.place = tmp_path / "far"
    bo.place.mkdir()
    assert bo.pbem(f"receive {tmp_path}/b.pbem").exit == 0
    assert bo.pbem(f"join -C savannah {line}").exit == 0
    assert "next: pbem send, then mail the referee" in bo.pbem("list").out
    page = enter_table(bo).get("/").text
    assert ("not begun" in page, "mail the referee the file" in page) == (True, False)


def test_a_folder_that_is_half_synced_does_not_hide_the_other_games(game: Game) -> None:
    table = game("begun")
    charter = table.shared / "savannah/game.toml"
    data = charter.read_bytes()
    charter.unlink()
    asking = Asking(table.person("ann").home, table.shared / "savannah")
    asking.enter()
    page = asking.get("/")
    assert (page.status, "let the folder finish syncing" in page.text) == (200, True)
    assert "Join a game" in page.text
    charter.write_bytes(data)
    page = asking.get("/").text
    assert "let the folder finish syncing" not in page
    assert "savannah</a>" in page


@pytest.mark.sample(0)
def test_the_page_names_a_missing_turn_but_no_file_of_the_home(game: Game) -> None:
    table = game("middle")
    asking, path = enter_game(table, "ann")
    assert table.person("ann").pbem("status -C savannah").exit == 0
    (table.shared / "savannah/turns/0007.toml").unlink()
    for page in (asking.get(path), asking.get("/")):
        assert "turns/0007.toml: this turn is missing, but later turns are here" in page.text
        assert "heads.toml" not in page.text
    assert "Try again" in asking.get(path).text


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["middle", "over"])
def test_the_replay_from_the_page_is_that_of_the_command(name: str, game: Game) -> None:
    table = game(name)
    ann = table.person("ann")
    assert ann.pbem(["tell", "-C", "savannah", "hello all"]).exit == 0
    assert ann.pbem("replay savannah -o game.html").exit == 0
    asking, path = enter_game(table, "ann")
    assert f'href="{asking.root}{path}/replay"' in asking.get(f"{path}/history").text
    answer = asking.get(f"{path}/replay")
    assert answer.headers["content-disposition"] == 'attachment; filename="savannah.html"'
    assert answer.body == (ann.place / "game.html").read_bytes()


def test_of_two_joins_with_one_invite_the_referee_picks_one_by_its_words(tmp_path: Path) -> None:
    """Six digits are quickly found again: a button names a join by its words, and picks its id."""
    table = Round(tmp_path)
    made(table, "--players Ann,Bo --referee Rhea")
    for who, seat in (("ann", "a"), ("bo", "b"), ("eve", "b")):
        sit(table, seat, who)
    asking, game = enter_game(table, "rhea")
    text = html.unescape(asking.get(f"{game}/referee").text)
    joins = [record_at(path) for path in (table.shared / "savannah/seats").glob("b-*")]
    assert len(joins) == 2
    for join in joins:
        words = " ".join(words_of(join.id))
        button = re.search(rf'data-advance=\'{{"accept": "{join.id.hex()}"}}\'>(.*?)<', text)
        assert button, text
        assert button[1] == f"Seat b is Bo: {words}"
    bo = next(join for join in joins if join.content.key == key_of("bo").public)
    assert send_form(asking, f"{game}/referee", accept=bo.id.hex()).status == 200
    assert "b Bo (you)" in table.person("bo").pbem("status -C savannah").out


@pytest.mark.sample(0)
def test_a_choice_that_only_loses_a_trait_is_marked_so_that_a_tap_asks(tmp_path: Path) -> None:
    ann = against_bots(Round(tmp_path), "evolution", 2, "play")
    plan = Plan(Round(tmp_path), asking=enter_table(ann, ann.shared / "savannah"))
    trait = re.search(r'data-kind="play" data-always="" data-text="([^"]* on a1)"', plan.text)[1]
    page = plan.add("play", trait)
    offers = re.findall(r'<button [^>]*class="offer"[^>]*>', page)
    drops = [offer for offer in offers if 'data-text="drop ' in offer]
    assert drops
    assert [offer for offer in offers if " data-loss" in offer] == drops
