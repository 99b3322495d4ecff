"""What the owner reads of standing orders: followed, passed over, not reached, stopped; and what
each would do now."""

import json
from pathlib import Path

import pytest

from pbem.acts.advance import bot_texts
from pbem.acts.seal_orders import seal_and_write_orders
from tests.kit.named_games import SEATS, joined, make_next_turn, seal_lines, session_of
from tests.kit.people import NOW, Round

STANDING = (
    "always feed: a1 attacks b*",
    "always feed: never attack b",
    "always feed: plants first, then prey",
    "always feed: pass",
    "always think: done",
    "always leaf: done",
)


@pytest.fixture
def asked_table(tmp_path: Path) -> Round:
    table = Round(tmp_path)
    joined(table)
    make_next_turn(session_of(table.person("rhea")), now=NOW)
    return table


def play_with_standing_lines(table: Round, until, more: tuple[str, ...] = ()) -> None:
    """Bots choose the cards; Ann leaves the feeding to her standing lines."""
    rhea = session_of(table.person("rhea"))
    people = {seat: session_of(table.person(SEATS[seat])) for seat in "ab"}
    for _ in range(60):
        for seat, one in people.items():
            one.refresh()
            reader = one.readers.seat(seat)
            if seat in reader.chain.awaited and not until(reader):
                lines = [x for x in bot_texts(reader, "greedy") if not x.startswith("always")]
                mine = [x for x in lines if not x.startswith("feed")]
                seal_and_write_orders(
                    one, reader, seat, [*mine, *STANDING, *more] if seat == "a" else lines
                )
        if until(people["a"].readers.seat("a")):
            return
        make_next_turn(rhea, now=NOW)
    raise AssertionError("the game did not come so far")


def fed(reader) -> bool:
    """Whether Ann's standing lines have answered in a feeding, and she is asked something new."""
    used = [e for e in reader.own_log if e.seat == "a" and e.by.startswith("always")]
    return any(".feed.feed." in e.key for e in used) and "a" in reader.chain.awaited


def status_output(table: Round, more: str = ""):
    return table.person("ann").pbem(f"status -C savannah {more}")


@pytest.mark.sample(0)
def test_status_says_which_standing_lines_were_followed_skipped_or_not_needed(asked_table):
    play_with_standing_lines(asked_table, fed)
    told = json.loads(status_output(asked_table, "--json").out)["data"]["standing"]
    by_line = {one["line"]: one["fates"] for one in told["lines"] if one["kind"] == "feed"}
    answered = by_line["plants first, then prey"]["followed"]
    assert answered >= 1
    assert by_line["a1 attacks b*"] == {"not possible": answered}
    assert by_line["never attack b"] == {"limits the other lines in the same list": answered}
    assert by_line["pass"] == {"not reached": answered}
    text = status_output(asked_table).out
    assert f"what your standing orders did in round {told['round']}:" in text
    assert '"plants first, then prey" followed ' in text
    assert '"a1 attacks b*" pbem skipped this line ' in text
    assert "because it was not possible" in text
    assert "because a line above it fitted" in text
    assert "stopped" not in text


@pytest.mark.sample(0)
def test_only_their_owner_reads_what_became_of_standing_orders(asked_table: Round) -> None:
    play_with_standing_lines(asked_table, fed)
    for name in ("bo", "rhea"):
        said = asked_table.person(name).pbem("status -C savannah")
        assert "standing orders" not in said.out
        data = asked_table.person(name).pbem("status -C savannah --json")
        assert "plants first" not in data.out


def test_a_player_whose_standing_orders_answer_is_not_waited_for(asked_table: Round) -> None:
    rhea, ann, bo = (asked_table.person(name) for name in ("rhea", "ann", "bo"))
    always = [f"always {kind}: done" for kind in ("play", "leaf", "think")]
    always += ["always feed: plants first, then prey", "always pay: the card with the least food"]
    for seat in "ab":
        one = session_of(asked_table.person(SEATS[seat]))
        reader = one.readers.seat(seat)
        (food,) = (d.option_list()[0] for _, d in reader.own_table.pending if d.seat == seat)
        mine = "always food: the card with the least food" if seat == "a" else f"food: {food}"
        seal_lines(one, seat, [*always, mine])
    said = rhea.pbem(f"advance -C savannah --now {NOW}")
    assert "waiting for: b Bo (food); answered: a Ann" in said.err
    said = ann.pbem("status -C savannah")
    assert "a Ann (you): STANDING, asked for food" in said.out
    assert "your earlier orders already answer this turn: send new orders only if" in said.out
    assert said.out.splitlines()[-1] == "next: wait for Bo"
    assert "YOUR MOVE" not in ann.pbem("list").out
    assert "VEVENT" not in ann.pbem("calendar").out
    for person, ready in ((rhea, "STANDING, asked"), (bo, "ASKED")):  # Bo cannot know
        assert f"a Ann: {ready} for food" in person.pbem("status -C savannah").out
    assert rhea.pbem("status -C savannah").out.endswith("next: wait for Bo, then pbem advance\n")
    assert "the game is waiting for Bo" in rhea.pbem("list").out


@pytest.mark.long
def test_status_says_why_standing_lines_have_stopped(asked_table: Round) -> None:
    def asked_to_feed(reader) -> bool:
        return "feed" in reader.chain.awaited.get("a", ()) and bool(reader.orders.stopped)

    play_with_standing_lines(asked_table, asked_to_feed, ("always stop: food at or below 40",))
    text = status_output(asked_table).out
    assert "stopped for this round, because of a stop line: food at or below 40" in text
    told = json.loads(status_output(asked_table, "--json").out)["data"]["standing"]
    assert told["stopped"] == ["food at or below 40"]


@pytest.mark.sample(0)
def test_a_draft_says_what_each_standing_line_would_do_now(asked_table: Round) -> None:
    def asked_to_feed(reader) -> bool:
        return "feed" in reader.chain.awaited.get("a", ()) and bool(reader.orders.stopped)

    play_with_standing_lines(asked_table, asked_to_feed, ("always stop: food at or below 40",))
    ann = asked_table.person("ann")
    assert ann.pbem("orders -C savannah").exit == 0
    draft = max(ann.home.rglob("drafts/*-a.toml")).read_text()
    assert '#   now: "plants first, then prey" → a' in draft
    assert '#   now: "never attack b" → leaves out' in draft
    assert '#   now: "a1 attacks b*" → ' in draft
