"""`pbem replay`: a page that loads nothing, stays small, and shows nobody's cards too early."""

import base64
import gzip
import hashlib
import json
import re
from functools import cache
from pathlib import Path

import pytest

from engine import ALL, PUBLIC
from games.registry import BUILT_IN_GAMES
from pbem.judge.game_view import View
from pbem.records.twelve_words import words_of
from pbem.replay.page import replay_page
from pbem.replay.steps import History
from tests.drawing.finished_views import longest_game, one_of, view_of_finished
from tests.kit.named_games import MIDDLE
from tests.kit.people import Person, Round, Said

MOST = 1_500_000
"""Bytes of the longest finished game as a page."""


def replay_text(view: View, turns: range | None = None) -> str:
    return replay_page(view, turns or range(1, view.turn + 1), "about", ["Ann wins"])


def data_of(page: str) -> dict:
    coded = re.search(r'<script id="game" type="text/plain">(.*?)</script>', page)[1]
    return json.loads(gzip.decompress(base64.b64decode(coded)))


@cache
def stored_page(game: str, seat: str = ALL) -> tuple[View, dict]:
    """A finished game as a seat saw it, and what is in its page. Nobody may change them."""
    view = view_of_finished(one_of(game), seat)
    return view, data_of(replay_text(view))


def replay(person: Person, options: str = "") -> tuple[Said, dict]:
    """`pbem replay` and what is in its page."""
    said = person.pbem(f"replay savannah -o game.html {options}")
    assert said.exit == 0, said.text
    return said, data_of((person.place / "game.html").read_text("utf-8"))


# ------------------------------------------------------------------ the page
@pytest.mark.long
def test_the_page_of_the_longest_game_stays_below_1500000_bytes() -> None:
    page = replay_text(view_of_finished(longest_game()))
    size = len(page.encode())
    print(f"{longest_game().game}: {size:,} bytes")
    assert size < MOST


@pytest.mark.sample(0)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_every_entry_of_the_log_is_a_step_of_the_replay(game: str) -> None:
    view, data = stored_page(game)
    assert len(data["steps"]) == len(view.entries) + 1
    used = {
        n
        for step in data["steps"]
        for part in ("tracks", "facts", "tiles", "dice")
        for n in step[part]
    }
    used |= {
        n
        for step in data["steps"]
        for place in step["places"]
        for part in ("facts", "pieces", "hand")
        for n in place[part]
    }
    assert used == set(range(len(data["pictures"])))
    assert len(set(data["pictures"])) == len(data["pictures"])
    assert all(step["said"] for step in data["steps"][1:])
    assert not data["steps"][0]["said"]


@pytest.mark.sample(0)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_before_the_first_round_no_round_is_the_last(game: str) -> None:
    view, _ = stored_page(game)
    facts = dict(History(view).start.facts)
    assert "(the last)" not in facts["round"]


@pytest.mark.long
def test_a_die_is_drawn() -> None:
    _, data = stored_page("origin")
    rolls = [step for step in data["steps"] if step["said"] and " rolls " in step["said"][0]]
    assert rolls
    for step in rolls:
        *before, die = step["dice"]
        for number in before:  # the others that were rolled for the same thing
            assert "a die that shows" in data["pictures"][number]
        number = step["said"][0].rsplit(" ", 1)[1]
        assert f"a die that shows {number}" in data["pictures"][die]
        assert data["pictures"][die].count("pb-badge") == int(number)


@pytest.mark.long
def test_dice_lie_on_what_they_decide() -> None:
    view, data = stored_page("origin")
    bank, runs = 0, 0
    for entry, step in zip(view.entries, data["steps"][1:], strict=True):
        if not step["dice"]:
            continue
        who = entry[2].partition(" ")[0]
        if any(line.startswith("→ the food bank holds") for line in step["said"]):
            bank += 1
            assert step["named"] == ["fact:food bank"]
            faces = [data["pictures"][n] for n in step["dice"]]
            numbers = [int(re.search(r"shows (\d)", face)[1]) for face in faces]
            assert len(numbers) > 1
            assert f"holds {sum(numbers) + 2} " in step["said"][-1]
        elif len(who) > 1:
            runs += 1
            assert step["named"][0] == f"piece:{who}"
        else:
            assert step["named"] == [f"seat:{who}:hand"]
    assert bank > 3
    assert runs


@pytest.mark.sample(0)
def test_notices_stand_at_their_turn() -> None:
    view = view_of_finished(one_of("classroom"))
    view.notices = [
        (5, "a", "leave", {"writer": "a", "a": "Ann"}),
        (999, "b", "concede", {"writer": "b", "b": "Bo"}),
    ]
    view.turn = last = view.turn + 1  # a turn with nothing but a notice
    view.notices[1] = (last, *view.notices[1][1:])
    view.log_lengths.append(view.log_lengths[-1])
    view.heads.append("ff" * 32)
    steps = data_of(replay_text(view))["steps"]
    assert steps[5]["notices"] == [
        "turn 5: Ann gives up seat a: the seat is open for somebody else"
    ]
    assert steps[-1]["notices"] == [f"turn {last}: Bo concedes the game"]
    assert not any(step["notices"] for step in steps[6:-1])


def test_who_was_removed_is_told_at_the_end_of_the_turn() -> None:
    view = view_of_finished(one_of("classroom"))
    view.removed = {"b": 5}
    steps = data_of(replay_text(view))["steps"]
    (at,) = (number for number, step in enumerate(steps) if step["notices"])
    assert steps[at]["turn"] == 5 < steps[at + 1]["turn"]
    told = f"turn 5: {view.names['b']} was silent for too long and is removed from the game"
    assert steps[at]["notices"] == [told]


def test_the_page_allows_its_own_style_and_script_and_loads_nothing() -> None:
    page = replay_text(view_of_finished(one_of("classroom")))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for name in ("style", "script"):
        (text,) = re.findall(rf"<{name}(?: type=.module.)?>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert not re.search(r"\b(?:src|href)=\"(?!#)|https?://(?!www\.w3\.org)|url\(|@import", page)
    assert not re.search(r"\bstyle=|\bon(?:click|load|error)=", page)


@pytest.mark.sample(0)
def test_names_and_titles_are_text() -> None:
    view = view_of_finished(one_of("evolution"))
    view.title = "</script><script>alert(1)</script>"
    view.names["a"] = "<img src=x onerror=alert(1)>"
    page = replay_text(view)
    assert page.count("<script") == 2
    assert "<img" not in page
    data = data_of(page)
    assert "<img" not in "".join(data["pictures"])
    assert data["seats"][0]["name"] == view.names["a"]


@pytest.mark.long
def test_the_same_game_gives_the_same_bytes() -> None:
    assert replay_text(view_of_finished(one_of("origin"))) == replay_text(
        view_of_finished(one_of("origin"))
    )


# ------------------------------------------------------------------ who sees what
@pytest.mark.sample(1)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_page_tells_no_more_than_its_view(game: str) -> None:
    """The page of a spectator has no hand, and no sentence that names a hidden card."""
    (whole, all_), (seen, told) = stored_page(game), stored_page(game, PUBLIC)
    for step in told["steps"]:
        assert not any(place["known"] for place in step["places"])
    hidden = [e for e, f in zip(whole.entries, seen.entries, strict=True) if e[2] != f[2]]
    assert hidden
    said = {line for step in told["steps"] for line in step["said"]}
    assert any(place["known"] for step in all_["steps"] for place in step["places"])
    told_openly = " ".join(said)
    opened = {line for step in all_["steps"] for line in step["said"]} - said
    draws = {line for line in opened if " draws " in line}
    assert draws
    assert not [line for line in draws if line in told_openly]


@pytest.mark.long
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_step_shows_what_its_seat_could_see_at_that_time(game: str) -> None:
    """What came to be known later changes no step before."""
    for seat in ("a", PUBLIC):
        half, whole = (
            data_of(replay_text(view_of_finished(one_of(game), seat, upto))) for upto in (0.5, 1.0)
        )
        steps, later = (
            [drawn_parts(data, step) for step in data["steps"]] for data in (half, whole)
        )
        assert later[: len(steps)] == steps


def drawn_parts(data: dict, step: dict) -> list:
    """What is said and drawn in a step."""
    numbers = [*step["tracks"], *step["facts"], *step["tiles"], *step["dice"]]
    for place in step["places"]:
        numbers += [*place["facts"], *place["pieces"], *place["hand"]]
    seen = [step[name] for name in ("said", "named", "counts", "changed", "words")]
    return [seen, [data["pictures"][n] for n in numbers]]


def test_turns_that_are_left_out_are_not_in_the_page(game) -> None:
    bo = game("middle").person("bo")
    said, data = replay(bo, "--from 3 --to 5")
    assert "turns 3 to 5, as a spectator sees them" in said.out
    assert {step["turn"] for step in data["steps"]} == {2, 3, 4, 5}
    assert sorted(data["words"]) == ["3", "4", "5"]
    for wrong in ("--from 0", "--from 6 --to 5", "--to 99"):
        refused = bo.pbem(f"replay savannah -o game.html {wrong}")
        assert (refused.exit, f"the last turn is {MIDDLE}" in refused.err) == (2, True)


@pytest.mark.sample(0)
def test_a_running_game_is_shown_as_the_table_sees_it(game) -> None:
    bo = game("middle").person("bo")
    _, data = replay(bo)
    assert not any(place["known"] for step in data["steps"] for place in step["places"])
    said, mine = replay(bo, "--as b")
    assert "as Bo (seat b) sees them" in said.out
    assert "so show it to nobody until the game is over" in said.err
    hands = [[place["known"] for place in step["places"]] for step in mine["steps"]]
    assert any(b for _, b in hands)
    assert not any(a for a, _ in hands)
    refused = bo.pbem("replay savannah --as a")
    assert refused.exit == 2, refused.text


@pytest.mark.long
def test_after_final_all_hands_are_shown_unless_the_table_is_asked_for(game) -> None:
    eve = game("over").person("eve")  # she has no seat
    said, data = replay(eve)
    assert ", with all hands" in said.out
    assert any(all(place["known"] for place in step["places"]) for step in data["steps"])
    said, table = replay(eve, "--as table")
    assert "as a spectator sees them" in said.out
    assert not any(place["known"] for step in table["steps"] for place in step["places"])


@pytest.mark.sample(0)
def test_a_game_that_does_not_audit_clean_opens_no_hands(game) -> None:
    table = game("over")
    final = table.shared / "savannah" / "final.toml"
    final.write_bytes(final.read_bytes().replace(b"r_ref", b"r_fer", 1))
    eve = table.person("eve")
    said = eve.pbem("replay savannah -o game.html")
    assert "with all hands" not in said.text


def test_a_replay_carries_the_twelve_words_that_status_says(game) -> None:
    bo = game("middle").person("bo")
    _, data = replay(bo)
    words = json.loads(bo.pbem("status -C savannah --json").out)["data"]["words"]
    assert data["words"][str(MIDDLE)] == " ".join(words)
    assert words_of(bytes(32)) != words


# ------------------------------------------------------------------ the file
@pytest.mark.sample(0)
def test_only_a_page_of_ours_is_replaced(game) -> None:
    bo = game("middle").person("bo")
    place: Path = bo.place
    assert bo.pbem("replay savannah -o game.html --to 2").exit == 0
    assert bo.pbem("replay savannah -o game.html --to 3").exit == 0
    (place / "notes.html").write_text("mine")
    (place / "folder.html").mkdir()
    for taken in ("notes.html", "folder.html"):
        said = bo.pbem(f"replay savannah -o {taken}")
        assert (said.exit, "was not made by pbem" in said.err) == (2, True)
    assert (place / "notes.html").read_text() == "mine"
    said = bo.pbem("replay savannah --to 2")
    assert re.search(r"wrote savannah\.html \([\d,]+ bytes\): turns 1 to 2", said.out)
    assert f"({(place / 'savannah.html').stat().st_size:,} bytes)" in said.out


def test_nothing_is_written_where_the_others_look(game) -> None:
    """The folder is shared, and the picture shows a hand."""
    bo = game("middle").person("bo")
    folder = bo.place / "savannah"
    (bo.place / "link").symlink_to(folder)
    before = sorted(folder.rglob("*"))
    for line in (
        "show -C savannah --svg savannah/t.svg", "show -C savannah --svg link/t.svg",
        "show -C savannah --svg savannah/turns/t.svg", "replay savannah -o savannah/t.html --as b",
    ):  # fmt: skip
        said = bo.pbem(line)
        assert (said.exit, "the game folder, which other players can see" in said.err) == (2, True)
    assert sorted(folder.rglob("*")) == before
    assert bo.pbem("show -C savannah --svg t.svg").exit == 0
    assert (bo.place / "t.svg").stat().st_mode & 0o077 == 0


def test_before_turn_1_replay_says_that_there_is_nothing_to_show(game) -> None:
    table = game("joined")
    said = table.person("bo").pbem("replay savannah")
    assert said.exit == 5
    assert said.err.startswith("error: ")


@pytest.mark.long
def test_the_demo_writes_a_replay(table: Round) -> None:
    said = table.person("ann").pbem("demo --game classroom --players 3 --seed 3 --folder demo")
    path = re.search(r"open this page: (\S+)", said.out)[1]
    data = data_of(Path(path).read_text("utf-8"))
    assert any(place["known"] for step in data["steps"] for place in step["places"])


# ------------------------------------------------------------------ one picture
def test_show_writes_a_picture_of_the_table_but_over_no_other_file(game) -> None:
    bo = game("middle").person("bo")
    said = bo.pbem("show -C savannah --svg table.svg")
    assert re.fullmatch(r"wrote table\.svg \(\d+ kB\)\n", said.out)
    svg = (bo.place / "table.svg").read_text("utf-8")
    assert 'width="1200"' in svg
    assert 'data-piece="b1"' in svg
    printed = bo.pbem("show -C savannah --svg - --width 400 --turn 3")
    assert printed.out.startswith("<svg ")
    assert 'width="400"' in printed.out
    assert bo.pbem("show -C savannah --svg t.svg --width 100").exit == 2
    assert bo.pbem("show -C savannah --svg t.svg --json").exit == 2
    (bo.place / "notes.svg").write_text("mine")
    assert bo.pbem("show -C savannah --svg notes.svg").exit == 2
    assert (bo.place / "notes.svg").read_text() == "mine"


@pytest.mark.long
def test_watching_shows_the_table_again_when_a_turn_arrives(game) -> None:
    table = game("middle")
    bo, rhea = table.person("bo"), table.person("rhea")
    watching = bo.start("show -C savannah --watch")
    try:
        assert watching.stdout is not None
        assert "turn 14" in watching.stdout.readline()
        assert bo.pbem("submit -C savannah -", stdin='feed = "* eats"').exit == 0
        assert rhea.pbem("advance -C savannah").exit == 0
        while "turn 15" not in (line := watching.stdout.readline()):
            assert line
    finally:
        watching.kill()
        watching.communicate()


# ------------------------------------------------------------------ messages
def said_in(data: dict) -> list[tuple[str, str, str]]:
    return [
        (one["from"], one["to"], one["text"]) for step in data["steps"] for one in step["messages"]
    ]


@pytest.mark.long
def test_messages_are_shown_to_those_who_may_read_them(game) -> None:
    table = game("middle")
    ann, bo, rhea, eve = (table.person(name) for name in ("ann", "bo", "rhea", "eve"))
    assert ann.pbem(["tell", "-C", "savannah", "Good luck,\nall of you"]).exit == 0
    assert ann.pbem(["tell", "-C", "savannah", "--to", "b", "a truce?"]).exit == 0
    assert bo.pbem(["tell", "-C", "savannah", "--to", "referee", "slow down"]).exit == 0
    public = ("Ann", "", "Good luck,\nall of you")
    seen = {
        "a": said_in(replay(ann, "--as a")[1]),
        "b": said_in(replay(bo, "--as b")[1]),
        "table": said_in(replay(bo, "--as table")[1]),
        "eve": said_in(replay(eve)[1]),
        "rhea": said_in(replay(rhea)[1]),
    }
    assert seen["a"] == [public, ("Ann", "Bo", "a truce?")]
    assert sorted(seen["b"]) == sorted([*seen["a"], ("Bo", "Rhea", "slow down")])
    assert seen["table"] == seen["eve"] == seen["rhea"] == [public]
    assert said_in(replay(ann, "--as a --no-press")[1]) == []
    assert said_in(replay(ann, "--as a --to 3")[1]) == []


@pytest.mark.long
def test_after_final_log_and_show_open_every_hand_of_a_proven_game(game) -> None:
    table = game("over")
    for name in ("ann", "stranger"):
        person = table.person(name)
        log = person.pbem("log -C savannah").out
        assert "draws" in log
        assert not re.search(r"draws \d+ cards?\b", log), "each card has a name"
        hands = re.findall("hand: [a-z]", person.pbem("show --turn 1 -C savannah").out)
        assert len(hands) == 2
    own = table.person("ann").pbem("log -C savannah --as a").out
    assert re.search(r"Bo draws \d+ cards", own), "--as asks for what one seat saw"


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["running", "not proven"])
def test_log_and_show_open_no_hand_of_a_game_that_is_not_over_and_proven(game, kind) -> None:
    table = game("middle" if kind == "running" else "over")
    if kind == "not proven":
        final = table.shared / "savannah" / "final.toml"
        final.write_bytes(final.read_bytes().replace(b"r_ref", b"r_fer", 1))
    eve = table.person("eve")
    assert re.search(r"draws? \d+ cards", eve.pbem("log -C savannah").out)
    assert not re.search("hand: [a-z]", eve.pbem("show --turn 1 -C savannah").out)


@pytest.mark.sample(0)
def test_a_page_with_all_hands_has_no_private_message(game) -> None:
    table = game("over")
    ann = table.person("ann")
    assert ann.pbem(["tell", "-C", "savannah", "--to", "b", "well played"]).exit == 0
    assert ann.pbem(["tell", "-C", "savannah", "<b>thanks</b>"]).exit == 0
    said, data = replay(ann)
    assert "with all hands" in said.out
    assert said_in(data) == [("Ann", "", "<b>thanks</b>")]
    assert "well played" not in json.dumps(data)


def test_a_new_piece_is_marked_as_a_whole() -> None:
    view = view_of_finished(one_of("evolution"))
    history = History.of_view(view, None)
    born = [history.changed(at, at + 1) for at in range(len(history.steps))]
    new = [(keys, key) for keys in born for key in keys if re.fullmatch(r"piece:\w+", key)]
    assert len(new) > 5
    assert not [key for keys, piece in new for key in keys if key.startswith(f"{piece}:")]


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", ["evolution", "digital"])
def test_a_food_card_that_is_turned_up_lies_face_up(game: str) -> None:
    view, _ = stored_page(game)
    steps, seen = History.of_view(view, None).steps, 0
    for entry, step in zip(view.entries, steps, strict=True):
        where, _, card = entry[2].partition(" is ")
        if not where.startswith("food of ") or not card:
            continue
        (place,) = (one for one in step.scene.places if one.seat == where[-1])
        assert dict(place.facts).get("food card", card) == card
        seen += "food card" in dict(place.facts)
    assert seen > 3
