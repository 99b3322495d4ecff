"""`pbem play`: orders by numbers in a terminal, of which nothing is lost when it is left."""

import json
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from games.registry import BUILT_IN_GAMES, ruleset
from tests.kit.people import TABLE, Person, Round, output_of
from tests.kit.table_requests import enter_table, send_form
from tests.planning.typist import WAIT, RealTypist, Typist

MOST_WAVES = 40
CHOSEN = re.compile(r'^food = \[\s*"([^"]+)"', re.MULTILINE)
ENDS = re.compile(r"^ +(\d+)  .*\b(?:no more|done|pass|passes|declines)\b", re.MULTILINE)
FIRST_CARD = '[always]\nfood = ["the card with the least food"]'
ASKED_AND_OPEN = re.compile(r"^ +(\d+)  [^\n]*(?:\n {6}[^\n]*)*\(asked now;\s+open\)", re.MULTILINE)


def referee_in_seat_a(table: Round, game: str) -> Person:
    """A referee in seat a, against as few bots as the game allows."""
    bots = ruleset(game).players[0] - 1
    rhea = table.person("rhea")
    line = f"new savannah --game {game} --players Rhea --referee-plays --bots greedy:{bots}"
    assert rhea.pbem(f"{line} --table {TABLE}").exit == 0
    rhea.place = rhea.place / "savannah"
    rhea.pbem("advance")
    return rhea


def typed_answer(shown: str) -> str:
    """What to type: the first choice, then whatever ends the list, then the seal."""
    if "type s to seal" in shown:
        found = ASKED_AND_OPEN.search(shown)
        return found[1] if found else "s"
    if "Enter = yes" in shown:
        return ""
    if "your line" not in shown:
        return "1"
    ends = ENDS.search(shown)
    return ends[1] if ends and "your line 2" not in shown else ""


def wave(person: Person, columns: int) -> str:
    """Answer everything that is asked now; what was shown."""
    with Typist(person, "play --no-advance", columns) as typist:
        for _ in range(100):
            shown = typist.read()
            if not shown:
                break
            typist.type(typed_answer(shown))
        assert typist.exit == 0, typist.shown
        return typist.shown


def round_now(person: Person) -> int:
    said = person.pbem("show --json").out
    return int(re.search(r'\["(?:round|turn)", "(\d+)', re.sub(r"\s+", " ", said))[1])


@pytest.mark.sample(0)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
@pytest.mark.parametrize("columns", [40, 100])
def test_a_round_of_each_game_can_be_played_by_typing_numbers(game, columns, table):
    person = referee_in_seat_a(table, game)
    begun, sealed = round_now(person), 0
    for _ in range(MOST_WAVES):
        shown = wave(person, columns)
        assert re.search(r"SEALED (?:here|already) as", shown), shown
        sealed += 1
        rows = [row for row in shown.splitlines() if "/" not in row]
        assert max(map(len, rows)) <= columns, max(rows, key=len)
        person.pbem("advance")
        if round_now(person) > begun:
            break
    assert round_now(person) > begun
    assert sealed


def through(person: Person, line: str, *typed: str) -> tuple[int, str]:
    """The exit code and what was shown of a command that was typed these answers."""
    with Typist(person, line, 100) as typist:
        for text in typed:
            assert typist.read(), typist.shown
            typist.type(text)
        rest = typist.read()
        assert not rest, rest
        return typist.exit, typist.shown


def only_draft_text(person: Person) -> str:
    (path,) = person.home.glob("games/*/drafts/*.toml")
    return path.read_text("utf-8")


@pytest.mark.sample(0)
def test_stopping_keeps_the_draft_and_play_goes_on_with_it(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    exit_, shown = through(person, "play", "2", "q")
    assert exit_ == 0
    assert "nothing was sealed; your draft is kept" in shown
    chosen = CHOSEN.search(only_draft_text(person))[1]
    again = through(person, "play --no-advance", "", "s")
    assert f"your line 1: {chosen}" in again[1]
    assert "SEALED here as" in again[1]


@pytest.mark.long
def test_ctrl_c_leaves_a_draft(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    with RealTypist(person, "play") as typist:
        assert "food: the card for the Watering Hole" in typist.read()
        typist.type("1")
        assert "type s to seal" in typist.read()
        typist.interrupt()
        last = typist.read()
        assert typist.program.wait(WAIT) == 130
    assert "nothing was sealed; your draft is kept" in last
    assert CHOSEN.search(only_draft_text(person))
    assert not list(person.place.glob("orders/*-a-*"))


@pytest.mark.sample(0)
def test_the_orders_are_those_that_submit_seals(table: Round) -> None:
    """The same draft, the same bytes: what is chosen by number and what is written in a file."""
    person = referee_in_seat_a(table, "evolution")
    _, shown = through(person, "play --no-advance", "1", "s")
    sealed = re.search(r"SEALED here as (\w{6})", shown)[1]
    said = person.pbem("submit")
    assert f"SEALED already as {sealed}" in said.out


@pytest.mark.sample(0)
def test_a_game_against_bots_is_one_command(table: Round) -> None:
    """Whoever makes the turns and plays alone with bots is asked on and on until it is over."""
    rhea = table.person("rhea")
    line = "new savannah --game classroom --players Rhea --referee-plays --bots greedy:2"
    made = rhea.pbem(f"{line} --table {'0a' * 16}").out
    assert made.splitlines()[-1] == "next: cd savannah && pbem play"
    rhea.place = rhea.place / "savannah"
    with Typist(rhea, "play", 100) as typist:
        while shown := typist.read():
            typist.type(typed_answer(shown))
        assert typist.exit == 0, typist.shown
    end = typist.shown[typist.shown.rindex("what is new:") :]
    assert all(one in end for one in ("Step 4: feeding", "the game is over:", "1. ", "2. ", "3. "))
    again = rhea.pbem("play")
    assert (again.exit, again.out.partition("the game is over:")[2].count(" points (")) == (0, 3)
    assert "made turns/0001.toml" in typist.shown
    assert "made final.toml" in typist.shown
    assert typist.shown.count("SEALED here as") >= 4
    assert "seal your own orders first" not in typist.shown
    assert rhea.pbem("audit").exit == 0


@pytest.mark.sample(0)
def test_q_stops_between_two_questions_of_a_game_against_bots(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    _, shown = through(person, "play", "1", "s", "q")
    assert "made turns/0001.toml" in shown
    assert shown.splitlines()[-1].endswith("next: pbem play (it continues with your draft)")


def test_what_cannot_be_used_is_said_and_taken_back(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    typed = ("fly away", "99", "1", "zzz", "1", "-1", "? horns", "?", "t", "1", "q")
    _, shown = through(person, "play", *typed)
    assert '"fly away" is not an order that this game understands' in shown
    assert "there is no 99 here" in shown
    assert "type s to seal, a question's number to change it, “a” to see your standing" in shown
    assert "horns (" in shown or "horns\n" in shown
    assert "type a number to choose that line, -1 to take your line 1 back" in shown
    assert shown.count("watering hole 0") == 2
    assert CHOSEN.search(only_draft_text(person))


@pytest.mark.sample(0)
def test_a_line_that_cannot_be_sealed_is_not_called_complete(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    through(person, "play", "1", "q")
    (path,) = person.home.glob("games/*/drafts/*.toml")
    path.write_text(CHOSEN.sub('food = ["no such card"', only_draft_text(person)), "utf-8")
    _, shown = through(person, "play", "q")
    assert "Enter: go on (your line 1 cannot be sealed; type -1 to take it back)" in shown
    _, shown = through(person, "play", "-1", "1", "q")
    assert "Enter: go on (the game will wait for you)" in shown


@pytest.mark.sample(0)
def test_sealing_asks_whether_a_list_for_later_ends_here(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    _, shown = through(person, "play --no-advance", "1", "2", "1", "", "s", "")
    assert "Enter: go on (then you are asked again)" in shown
    assert 'your lines for play do not end with "done", so you are asked again' in shown
    assert "add the line “done” now? Enter or y = yes, n = no" in shown
    assert "lines of play did not end with “done”, so pbem added “done”" in shown
    assert "a  standing orders (as pbem suggests)" in shown
    assert "always leaf: done (as pbem suggests)" in " ".join(shown.split())
    assert re.search(r'^    "done",', only_draft_text(person), re.MULTILINE)


def test_the_forecast_says_that_a_list_without_an_end_does_not_count_yet(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    text = Path(person.pbem("orders").out.strip()).read_text("utf-8")
    card = re.search(r'^ *#? *"(.*) on the left"', text, re.MULTILINE)[1]
    lines = f'{FIRST_CARD}\nplay = ["{card} on the left"]'
    food, always = lines.splitlines()[1], lines.splitlines()[0]
    typed = f"{lines.splitlines()[2]}\n{always}\n{food}"
    said = person.pbem("check - --forecast", stdin=typed)
    assert 'your lines for play do not end with "done", so they do not count yet' in said.out, said


def test_a_standing_order_with_a_number_asks_for_a_whole_number(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    with Typist(person, "play", 100) as typist:
        typist.read()
        typist.type("1")
        typist.read()
        typist.type("a")
        number = re.search(r"^ +(\d+)  stop: ", typist.read(), re.MULTILINE)[1]
        typist.type(number)
        choice = re.search(r"^ +(\d+)  [^\n]*\bN\b", typist.read(), re.MULTILINE)[1]
        typist.type(choice)
        assert "N in" in typist.read()
        typist.type("four")
        assert "type a whole number" in typist.read()
        typist.type("4")
        typist.read()
        typist.type("")
        typist.read()
        typist.type("q")
        typist.read()
    assert re.search(r'stop = \["[^"]*\b4\b', only_draft_text(person))


def test_the_end_of_the_input_keeps_the_draft(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    said = person.pbem("play", stdin="1\n")
    assert said.exit == 0
    assert "nothing was sealed; your draft is kept" in said.err
    assert CHOSEN.search(only_draft_text(person))


@pytest.mark.sample(0)
def test_a_turn_that_arrives_meanwhile_is_said(game) -> None:
    table = game("middle")
    bo, rhea = table.person("bo"), table.person("rhea")
    with Typist(bo, "play -C savannah", 100) as typist:
        assert typist.read()
        typist.type("1")
        assert "type s to seal" in typist.read()
        assert bo.pbem("submit -C savannah").exit == 0
        assert rhea.pbem("advance -C savannah").exit == 0
        typist.type("s")
        typist.read()
        assert typist.exit == 3, typist.shown
    assert "arrived while you were planning, so nothing was sealed" in typist.shown


@pytest.mark.sample(0)
def test_play_next_goes_on_with_each_game_that_waits(table: Round) -> None:
    rhea = table.person("rhea")
    for title in ("savannah", "steppe"):
        line = f"new {title} --game evolution --players Rhea --referee-plays --bots greedy:1"
        assert rhea.pbem(f"{line} --table {TABLE if title == 'steppe' else '11' * 16}").exit == 0
        rhea.pbem(f"advance -C {title}")
    exit_, shown = through(rhea, "play --next --no-advance", "1", "s", "1", "s")
    assert exit_ == 0
    assert shown.count("SEALED here as") == 2
    assert "no other game is waiting for you" in shown
    said = rhea.pbem("play --next")
    assert (said.exit, "no game is waiting for you" in said.err) == (5, True)
    assert rhea.pbem("play --next -C savannah").exit == 2


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ([""], True), (["y"], True), (["Yes"], True), (["maybe", "y"], True),
        (["n"], False), (["q"], False),
    ],
)  # fmt: skip
def test_a_player_by_mail_gets_the_file_for_the_mail(game, typed: list[str], written: bool) -> None:
    """`y` meant no."""
    table = game("middle")
    bo = table.person("bo")
    with patch("pbem.person.mail_notebooks.MailHistory.with_referee", True):
        exit_, shown = through(bo, "play -C savannah", "1", "s", *typed)
    assert exit_ == 0
    assert bool(re.search(r"wrote \S*savannah-orders-\d+-b\.\w+", shown)) == written, shown
    assert ("next: pbem send" in shown) == (not written)
    assert ("is neither yes nor no" in shown) == ("maybe" in typed)
    assert "SEALED here as" in shown
    assert "nothing was sealed" not in shown


def test_where_run_sends_the_orders_play_writes_no_file(game) -> None:
    """`submit` and `status` said that `pbem run` sends them; `play` wrote a file all the same."""
    bo = game("middle").person("bo")
    output_of(bo, "post address -C savannah referee rhea@example.org")
    output_of(bo, "post setup --address me@gmail.com --password-command 'echo secret'")
    exit_, shown = through(bo, "play -C savannah", "1", "s")
    assert exit_ == 0, shown
    assert "pbem run --once, which sends your file to the referee" in " ".join(shown.split())
    assert "write the file for the referee" not in shown


@pytest.mark.sample(0)
def test_who_chooses_again_replaces_the_answer_and_a_typing_mistake_does_not(table: Round) -> None:
    """The Watering Hole takes one card: a second line never counted."""
    person = referee_in_seat_a(table, "evolution")
    _, shown = through(person, "play --no-advance", "1", "1", "2", "1", "lion", "", "s")
    assert '"lion" is not an order that this game understands' in shown
    chosen = re.findall(r"^ +\d+  (.*) to the Watering Hole$", shown, re.MULTILINE)[1]
    assert re.search(rf'^food = \[\s*"{chosen}"', only_draft_text(person), re.MULTILINE)
    assert len(re.findall(r'^    "', only_draft_text(person), re.MULTILINE)) == 1
    assert "SEALED here as" in shown


def at_play_cards(table: Round) -> Person:
    """Somebody who is asked which cards to play."""
    person = referee_in_seat_a(table, "evolution")
    person.pbem("submit -", stdin=FIRST_CARD)
    assert "cards to play" in person.pbem("status").out
    return person


@pytest.mark.long
def test_sealing_by_numbers_ends_the_list_and_says_so(table: Round) -> None:
    person = at_play_cards(table)
    _, shown = through(person, "play --no-advance", "1", "1", "", "s")
    assert "Enter: go on (sealing adds “done”)" in shown
    assert shown.count("the lines of play do not end with “done”, so sealing adds “done”") == 1
    assert shown.count("the lines of play did not end with “done”, so pbem added “done”") == 1
    assert 'no "done"' not in shown
    assert re.search(r'^    "done",', only_draft_text(person), re.MULTILINE)
    sealed = re.search(r"SEALED here as (\w{6})", shown)[1]
    assert f"SEALED already as {sealed}" in person.pbem("submit").out


@pytest.mark.sample(0)
def test_sealing_at_the_table_ends_the_list_and_says_so(table: Round) -> None:
    person = at_play_cards(table)
    asking = enter_table(person, person.place)
    path = re.search(r"/game/\w+", asking.get("/").text)[0]
    plan = asking.get(f"{path}/plan").text
    text = re.search(r'data-text="([^"]* on the left)"', plan)[1]
    mark = re.search(r'data-mark="(\w+)"', plan)[1]
    what = {"mark": mark, "do": "add", "kind": "play", "always": False, "text": text}
    plan = send_form(asking, f"{path}/plan", **what).text
    assert "PBEM-ORD-033" not in plan
    mark = re.search(r'data-mark="(\w+)"', plan)[1]
    said = send_form(asking, f"{path}/seal", mark=mark).text
    assert "Nothing more follows: “done”." in said
    assert "so sealing adds" not in plan
    assert "so pbem added" not in said
    assert "Sending…" in said


@pytest.mark.sample(0)
def test_a_list_that_does_not_count_without_its_end_gets_it_from_submit_too(table: Round) -> None:
    person = at_play_cards(table)
    text = Path(person.pbem("orders").out.strip()).read_text("utf-8")
    first = re.search(r'^    # (".* on the left")', text, re.MULTILINE)[1]
    said = person.pbem("check -", stdin=f"play = [{first}]")
    assert "the lines of play do not end with “done”, so sealing adds “done”" in said.out
    said = person.pbem("submit - --no-advance", stdin=f"play = [{first}]")
    told = "the lines of play did not end with “done”, so pbem added “done”"
    assert (told in said.out, 'no "done"' in said.text) == (True, False), said.text
    assert "the list does not count" not in said.text
    draft = next(person.home.glob("games/*/drafts/*.toml"))
    text = draft.read_text("utf-8").replace("play = [\n", f"play = [\n    {first},\n")
    draft.write_text(text, "utf-8")
    said = person.pbem("submit --json --no-advance")
    assert json.loads(said.out)["data"]["added"] == ["play"]
    assert '"done"' in re.search(r"^play = (\[.*?\])", draft.read_text("utf-8"), re.M | re.S)[1]


def test_submit_warns_first_of_a_list_for_a_later_question_that_has_no_end(table: Round) -> None:
    """The cards to play are asked later: nothing is added to a list for them."""
    person = referee_in_seat_a(table, "evolution")
    text = Path(person.pbem("orders").out.strip()).read_text("utf-8")
    later = re.search(r'^    # (".* on the left")', text, re.MULTILINE)[1]
    typed = f"play = [{later}]\n{FIRST_CARD}"
    said = person.pbem("submit - --no-advance", stdin=typed)
    first = said.err.splitlines()[0]
    assert first == 'warning: your lines for play do not end with "done", so you are asked again'
    assert "is added" not in said.text
    assert person.pbem("submit - --strict", stdin=typed).exit == 1


@pytest.mark.sample(0)
def test_nothing_adds_a_pass(table: Round) -> None:
    """In Origin, `pass` ends your development: it is your choice, also where a list needs it."""
    person = referee_in_seat_a(table, "origin")
    text = Path(person.pbem("orders").out.strip()).read_text("utf-8")
    first = re.search(r'^    # ("\w.*")', text.partition("develop = [")[2], re.MULTILINE)[1]
    said = person.pbem("submit - --no-advance", stdin=f"develop = [{first}]")
    assert said.err.startswith(
        'warning: your lines for develop count only if the last one is "pass"'
    ), said.text
    assert "is added" not in said.text
    through(person, "play --no-advance", "1", "", "s", "")
    assert not re.search(r'^    "pass"', only_draft_text(person), re.MULTILINE)
    through(person, "play --no-advance", "", "s", "y")
    assert '"pass"' in re.search(r"^develop = (\[.*?\])", only_draft_text(person), re.M | re.S)[1]


def test_a_first_draft_gives_no_standing_order_about_intelligence(table: Round) -> None:
    person = referee_in_seat_a(table, "evolution")
    draft = Path(person.pbem("orders").out.strip()).read_text("utf-8")
    always = draft.partition("[always]")[2]
    assert "\nthink = " not in always
    assert '# think = ["done"]' in always


@pytest.mark.sample(0)
def test_lines_in_words_come_at_w_and_only_if_they_do_something_now(table: Round) -> None:
    person = referee_in_seat_a(table, "origin")
    feed = words = draft = ""
    with Typist(person, "play", 80) as typist:
        while not feed:
            shown = typist.read()
            if "feed: feeding" in shown and "type s to seal" not in shown:
                feed = shown
                typist.type("w")
                words = typist.read()
                draft = max(person.home.glob("games/*/drafts/*.toml")).read_text("utf-8")
                typist.type("1")
                typist.read()
                typist.type("q")
                break
            typist.type(typed_answer(shown))
    first = re.search(r"^ +1  (.*)$", feed, re.MULTILINE)
    assert first is not None
    assert re.fullmatch(r"a\d eats.*", first[1])
    assert re.search(r"^  w: orders in words \(\d lines\)$", feed, re.MULTILINE)
    assert "tokens only" not in feed
    assert "tokens only" in words
    assert "(now: nothing)" not in words
    assert "now: nothing" in draft  # a line for later in the round
    assert "hunt whatever is allowed" not in words
    assert "never attack" not in words


def test_one_letter_chooses_nothing(table: Round) -> None:
    """Somebody types s, to seal, while a question is still shown."""
    person = referee_in_seat_a(table, "evolution")
    through(person, "play", "1", "q")
    chosen = CHOSEN.search(only_draft_text(person))[1]
    _, shown = through(person, "play", "s", "q")
    assert (
        "s is not an order line; press Enter to go on, and after the last question type s" in shown
    )
    assert CHOSEN.search(only_draft_text(person))[1] == chosen


@pytest.mark.parametrize("columns", [80, 50])
def test_status_breaks_no_word_on_a_terminal(table: Round, columns: int) -> None:
    person = referee_in_seat_a(table, "evolution")
    whole = person.pbem("status").out
    assert max(map(len, whole.splitlines())) > columns, "a pipe gets whole lines"
    with Typist(person, "status", columns) as typist:
        typist.read()
        shown = typist.shown.replace("\r\n", "\n")
    assert shown.split() == whole.split()
    rows = [row for row in shown.splitlines() if not row.startswith("next: ")]
    assert max(map(len, rows)) <= columns, rows
    assert whole.splitlines()[-1] in shown.splitlines(), "a command is copied in one piece"
