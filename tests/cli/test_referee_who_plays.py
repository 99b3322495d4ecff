"""What a referee who plays meets, and other players do not."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.acts import advance
from pbem.errors import CliError
from pbem.wording.new_game import invite_lines
from tests.kit.bot_orders import hand_in, order_file, status_text
from tests.kit.named_games import invite, made, session_of, sit
from tests.kit.people import NOW, TABLE, Person, Round, Said, unchanged

Start = Callable[[str], Round]


def waiting_referee(game: Start) -> tuple[Round, Person, Person]:
    """Rhea plays in a, Bo in b; turn 1 waits for her."""
    table = game("plays")
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 5
    return table, rhea, table.person("bo")


def published(game: Start) -> tuple[Round, Person, Person]:
    """Rhea has answered inside turn 1, which is there; Bo is asked."""
    table, rhea, bo = waiting_referee(game)
    hand_in(rhea)
    assert rhea.pbem("advance -C savannah").exit == 0
    return table, rhea, bo


def final_line(said: str) -> str:
    return said.splitlines()[-1]


def test_pbem_new_names_the_same_next_step_as_status(table: Round) -> None:
    rhea = table.person("rhea")
    people = "--players 'Ann,Bo <bo@example.org>' --mail-seats Bo --referee-plays"
    said = rhea.pbem(f"new {table.shared}/pond {people}").checked(0)
    (step,) = (line for line in said.out.splitlines() if line.startswith("next: "))
    assert step.endswith(" && pbem play, then pbem send")
    status = rhea.pbem(f"status -C {table.shared}/pond")
    assert final_line(status.out) == "next: pbem submit --edit, or pbem play"


@pytest.mark.sample(0)
def test_a_referee_whose_orders_are_part_of_a_turn_cannot_change_them(game: Start) -> None:
    table, rhea, _ = published(game)
    with unchanged(table.shared / "savannah/orders"):
        for typed in ("submit -", "orders --new"):
            said = rhea.pbem(f"{typed} -C savannah", "").checked(3)
            assert "you have already answered turn 1: your orders" in said.err
            assert "are part of the turn, and you cannot change them now" in said.err
            assert "try: wait for Bo, then pbem advance" in said.err
    told = status_text(rhea)
    assert "you have already answered turn 1" in told
    assert "you are asked for" not in told + said.text


@pytest.mark.sample(0)
def test_before_the_first_turn_is_made_a_referee_who_plays_may_answer_anew(game: Start) -> None:
    _, rhea, _ = waiting_referee(game)
    assert final_line(hand_in(rhea).out) == "next: pbem advance"
    again = hand_in(rhea, order_file(rhea) + 'always = {think = "done"}')
    assert "(revision 2)" in again.out
    assert "you can publish turn 1" in status_text(rhea)
    assert "you have answered turn 1; now pbem advance can publish it" in status_text(rhea)
    assert final_line(status_text(rhea)) == "next: pbem advance"
    assert rhea.pbem("advance -C savannah").exit == 0
    assert "a Rhea (you): SEALED" in status_text(rhea)


def test_orders_that_a_referee_replaced_before_the_turn_are_no_second_version(game: Start) -> None:
    _, rhea, _ = waiting_referee(game)
    assert rhea.pbem("submit - -C savannah", "").exit == 0
    hand_in(rhea)
    assert rhea.pbem("advance -C savannah").exit == 0
    said = rhea.pbem("audit savannah").checked(0)
    assert "different version" not in said.text
    assert "stray: " not in said.text, "she changed her mind, and nothing is wrong with that"


def test_before_turn_1_the_referee_who_plays_is_told_to_make_the_turn(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee-plays")
    for typed in ("orders", "submit -"):
        said = table.person("rhea").pbem(f"{typed} -C savannah", "")
        assert (said.exit, "as the referee, you make it" in said.err) == (5, True), said
        assert final_line(said.err) == "  try: pbem advance"


@pytest.mark.sample(0)
def test_the_referees_status_says_advance_only_if_it_does_something(game: Start) -> None:
    _, rhea, bo = published(game)
    assert final_line(status_text(rhea)) == "next: wait for Bo, then pbem advance"
    assert rhea.pbem("advance -C savannah").exit == 5
    hand_in(bo)
    assert final_line(status_text(rhea)) == "next: pbem advance"
    assert rhea.pbem("advance -C savannah").exit in (0, 5)


@pytest.mark.sample(1)
@pytest.mark.parametrize("plays", [True, False])
def test_once_the_deadline_is_over_the_referees_status_says_advance(table, plays):
    made(table, f"--players Rhea,Bo --referee{'-plays' if plays else ' Ref'} --deadline 48h")
    for seat, name in (("b", "bo"),) if plays else (("a", "ann"), ("b", "bo")):
        sit(table, seat, name)
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah")
    if plays:
        hand_in(rhea)
        rhea.pbem("advance -C savannah")
    assert final_line(status_text(rhea)).endswith("Bo, then pbem advance")
    said = rhea.pbem("status -C savannah", SOURCE_DATE_EPOCH=str(NOW + 49 * 3600))
    if plays:  # the turn that Bo's silence makes asks her first
        assert "turn 2 has questions for you" in said.out
    else:
        assert final_line(said.out) == "next: pbem advance"


@pytest.mark.long
def test_orders_sealed_while_not_asked_are_not_called_never_sealed(game: Start) -> None:
    _, rhea, bo = published(game)
    for _ in range(12):
        if "a Rhea (you): -" in status_text(rhea) or "a Rhea (you): ACCEPTED" in status_text(rhea):
            break
        hand_in(rhea) if "(you): MISSING" in status_text(rhea) else hand_in(bo)
        rhea.pbem("advance -C savannah")
    else:
        pytest.fail("she was asked in every turn")
    assert rhea.pbem("orders -C savannah").exit == 0
    hand_in(rhea, 'always = {feed = "* eats"}')
    turn = status_text(rhea).splitlines()[0]
    while status_text(rhea).splitlines()[0] == turn:
        hand_in(bo)
        rhea.pbem("advance -C savannah")
    said = rhea.pbem("orders -C savannah")
    assert (said.exit, "never sealed" in said.text) == (0, False), said


@pytest.mark.long
def test_a_referee_whose_two_newest_turns_are_missing_is_told_so(game: Start) -> None:
    table, rhea, bo = published(game)
    for _ in range(9):
        for person in (rhea, bo):
            if "(you): MISSING" in status_text(person):
                hand_in(person)
        rhea.pbem("advance -C savannah")
    turns = sorted((table.shared / "savannah/turns").iterdir())
    turns[-1].unlink(), turns[-2].unlink()
    told = f"turns/{turns[-2].name}: is missing, and this computer signed turns/{turns[-1].name}"
    for typed in ("status", "advance"):
        rhea.pbem(f"{typed} -C savannah").checked(5, err=told)


@pytest.mark.sample(0)
def test_a_referee_who_misses_orders_is_not_told_to_ask_the_referee(game: Start) -> None:
    table, rhea, _ = published(game)
    for path in (table.shared / "savannah/orders").glob("0001-a-*"):
        path.unlink()
    said = rhea.pbem("status -C savannah")
    assert (said.exit, "ask the referee" in said.err) == (5, False), said
    assert (
        "are missing from this folder: let the folder sync, or ask somebody in the game to"
        in said.err
    )


def test_a_seat_that_the_referee_plays_is_not_called_empty(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee-plays")
    (join,) = (table.shared / "savannah/seats").glob("a-*")
    join.unlink()  # who plays by mail gets it with turn 1
    assert "a Rhea: the referee plays it" in status_text(table.person("bo"))
    assert "b Bo: empty" in status_text(table.person("bo"))


@pytest.mark.long
def test_a_join_that_does_not_count_makes_nobody_a_mail_player(table: Round) -> None:
    made(table, "--players Bo,Cy --referee Rhea")
    rhea, bo, cy = (table.person(name) for name in ("rhea", "bo", "cy"))
    lines = dict(zip("ab", invites(rhea), strict=True))
    cy.place = table.root / "cy"
    cy.place.mkdir()
    file = cy.place / "game.pbem"
    assert rhea.pbem(f"send -C savannah --to b -o {file}").exit == 0
    assert cy.pbem("receive game.pbem").exit == 0
    cy.import_key("cy2", "other")
    cy.place /= "savannah"
    assert cy.pbem(["join", "--invite", lines["a"], "--profile", "other"]).exit == 0
    assert cy.pbem(["join", "--invite", lines["b"]]).exit == 0
    assert cy.pbem("send -o ../joins.pbem").exit == 0
    assert bo.pbem(["join", "-C", "savannah", "--invite", lines["a"]]).exit == 0
    assert rhea.pbem(["receive", str(table.root / "cy/joins.pbem")]).exit == 0
    begun = rhea.pbem(f"advance -C savannah --accept {own_join_digits(bo)}").checked(0)
    assert "b plays by mail" in begun.err
    assert "a plays by mail" not in begun.err
    rhea.place = table.shared / "savannah"
    said = rhea.pbem("send -o turn.pbem")
    assert (said.exit, "to Cy" in said.err, "to Bo" in said.text) == (0, True, False), said
    (cy.place.parent / "turn.pbem").write_text(rhea.pbem("send --to b --all --paste").out)
    assert cy.pbem("receive ../turn.pbem").exit == 0
    assert "was not accepted: a different join, by Bo, has the seat" in cy.pbem("status").out


def own_join_digits(person: Person) -> str:
    """The digits of his own join."""
    session = session_of(person)
    mine = {*session.keyring.publics.values()}
    joins = session.game_folder.joins().items()
    return next(ident.hex()[:6] for ident, join in joins if join.content.key in mine)


def invites(rhea: Person) -> list[str]:
    session = session_of(rhea)
    charter, key = session.game_folder.charter, session.refereeing.key()
    lines = invite_lines(charter, key, "ab", session.folder)
    return [line.split()[-1] for line in lines]


def test_a_join_that_was_not_taken_is_not_mentioned_after_the_next_turn(game: Start) -> None:
    table = game("made")
    ann, bo = table.person("ann"), table.person("bo")
    ann.import_key("ann2", "other")
    line = ["join", "-C", "savannah", "--invite"]
    assert ann.pbem([*line, invite(table, "b"), "--profile", "other"]).exit == 0
    for person, seat in ((ann, "a"), (bo, "b")):
        assert person.pbem([*line, invite(table, seat)]).exit == 0
    rhea = table.person("rhea")
    assert rhea.pbem(f"advance -C savannah --accept {own_join_digits(bo)}").exit == 0
    assert "was not accepted" in status_text(ann)
    hand_in(ann), hand_in(bo)
    assert rhea.pbem("advance -C savannah").exit == 0
    assert "was not accepted" not in status_text(ann)


def test_a_failed_submit_says_what_to_do_next(game: Start) -> None:
    bo = game("begun").person("bo")
    bad = 'food = "horns 99"\n'
    (bo.place / "my orders.toml").write_text(bad)
    assert bo.pbem("orders -C savannah").exit == 0
    draft = bo.pbem("orders -C savannah").out.strip()
    with open(draft, "a") as file:
        file.write(bad)
    for typed, told in (
        ("submit -C savannah", "next: pbem submit --edit"),
        ("submit -C savannah -", "next: fix your lines, then pbem submit -"),
        (
            ["submit", "-C", "savannah", "my orders.toml"],
            "next: fix 'my orders.toml', then pbem submit 'my orders.toml'",
        ),
    ):
        said = bo.pbem(typed, bad)
        assert (said.exit, final_line(said.err)) == (1, told), said


@pytest.mark.sample(0)
def test_a_referee_with_a_locked_key_is_told_only_that_orders_are_here(game: Start) -> None:
    table = game("begun")
    rhea, ann, bo = (table.person(name) for name in ("rhea", "ann", "bo"))
    hand_in(ann), hand_in(bo, "")
    key = rhea.home / "profiles/default/key"
    assert (
        rhea.shell(f'chmod 600 {key} && ssh-keygen -q -p -P "" -N "open sesame" -f {key}').exit == 0
    )
    said = rhea.pbem("status -C savannah")
    said.checked(0, out="if they answer every question, you can make the next turn")
    assert final_line(said.out) == "next: pbem advance"


def first_choice(person: Person, options: str = "", **env: str) -> Said:
    """Seal the first thing that a bot would do."""
    line = f"submit -C savannah {options} -"
    with patch.dict(os.environ, env):
        return person.pbem(line, order_file(person), **env)


def test_submit_makes_the_turn_that_waited_only_for_the_referees_orders(game: Start) -> None:
    table, rhea, bo = waiting_referee(game)
    said = first_choice(rhea).checked(0, out="made turns/0001.toml")
    assert "you can submit new orders" not in said.out
    assert "waiting for: b Bo (food)" in said.err
    assert "MISSING, asked for food" in status_text(bo)
    assert table.person("eve").pbem("audit savannah").exit == 0


def test_submit_with_no_advance_makes_no_turn(game: Start) -> None:
    table, rhea, _ = waiting_referee(game)
    said = first_choice(rhea, "--no-advance")
    assert (said.exit, final_line(said.out)) == (0, "next: pbem advance")
    assert not (table.shared / "savannah/turns").exists()


def test_the_json_of_submit_names_the_turns_that_were_made(game: Start) -> None:
    _, rhea, _ = waiting_referee(game)
    told = json.loads(first_choice(rhea, "--json").out)["data"]
    assert told["made"] == ["turns/0001.toml"]
    assert told["sealed"]


def test_orders_of_an_ordinary_player_make_no_turn(game: Start) -> None:
    table, _, bo = published(game)
    said = first_choice(bo)
    assert (said.exit, "made turns/" in said.out) == (0, False), said.text
    assert len(list((table.shared / "savannah/turns").iterdir())) == 1


@pytest.mark.sample(0)
def test_advance_goes_on_until_a_person_is_asked(game: Start) -> None:
    table, rhea, bo = published(game)
    for _ in range(6):
        first_choice(bo)
        said = rhea.pbem("advance -C savannah")
        while "seal your own orders first" in said.err:
            said = first_choice(rhea)
        assert "next: pbem advance\n" not in said.err, said.text
        if said.out.count("made turns/") > 1:
            break
    assert said.out.count("made turns/") > 1
    assert table.person("eve").pbem("audit savannah").exit == 0


def referee_and_bo(table: Round, options: str) -> tuple[Person, Person]:
    """Rhea plays in a, Bo in b; turn 1 is there, and Bo is asked for his food."""
    rhea = table.person("rhea")
    line = f"new savannah --players Rhea,Bo --referee-plays --table {TABLE} {options}"
    assert rhea.pbem(line).exit == 0
    sit(table, "b")
    assert rhea.pbem("advance -C savannah").exit == 5
    assert "made turns/0001.toml" in first_choice(rhea).out
    return rhea, table.person("bo")


@pytest.mark.sample(0)
def test_a_referees_submit_decides_nothing_for_a_late_player(table: Round) -> None:
    rhea, _ = referee_and_bo(table, "--deadline 24h")
    after = {"SOURCE_DATE_EPOCH": str(NOW + 25 * 3600)}
    rhea.pbem("advance -C savannah", **after)
    said = first_choice(rhea, **after)
    assert (said.exit, "made turns/" in said.out) == (0, False), said.text
    assert final_line(said.out) == "next: pbem advance"
    assert "made turns/0002.toml" in rhea.pbem("advance -C savannah", **after).out


@pytest.mark.sample(0)
def test_no_turn_is_made_while_a_player_may_still_change_orders(table: Round) -> None:
    rhea, bo = referee_and_bo(table, "--deadline 24h --change-of-mind 1h")
    assert first_choice(bo).exit == 0
    rhea.pbem("advance -C savannah").checked(5, err="they may change their orders")
    rhea.pbem("submit -C savannah -", 'always = {feed = "* eats"}')
    assert len(list((table.shared / "savannah/turns").iterdir())) == 1


def test_if_the_turn_cannot_be_made_the_referees_orders_stay_sealed(game: Start) -> None:
    table, rhea, _ = waiting_referee(game)
    with patch.object(advance, "make_next_turn", side_effect=CliError("the disk is full", "", 5)):
        said = first_choice(rhea)
    assert (said.exit, "SEALED here as" in said.out) == (0, True), said.text
    assert said.err.splitlines()[-2:] == [
        "pbem could not make the next turn: the disk is full",
        "next: pbem advance",
    ]
    assert list((table.shared / "savannah/orders").glob("0001-a-*"))


def teacher_with_three_games(table: Round) -> Person:
    """Three games of a teacher: two wait for players to join, one can begin."""
    rhea, bo = table.person("rhea"), table.person("bo")
    for name in ("red", "blue", "green"):
        line = f"new {name} --game classroom --players Bo --bots greedy:2 --referee Rhea"
        made = rhea.pbem(f"{line} --table {TABLE}").checked(0)
        if name == "green":
            invite = made.out.partition("pbem join ")[2].partition("\n")[0]
            assert bo.pbem(f"join {invite} -C green").exit == 0
    return rhea


@pytest.mark.sample(0)
def test_one_command_makes_the_turns_of_many_games(table: Round) -> None:
    rhea = teacher_with_three_games(table)
    said = rhea.pbem("advance red blue green nowhere")
    assert said.exit != 0
    assert "green: made turns/0001.toml" in said.out
    assert "red: waiting for players to join" in said.err
    assert "nowhere: error: " in said.err
    assert final_line(said.out) == "4 games: 1 advanced, 2 must wait, 1 failed"
    both = rhea.pbem("advance red blue")
    assert (both.exit, final_line(both.out)) == (5, "2 games: 0 advanced, 2 must wait")
    told = json.loads(rhea.pbem("advance red green --json").out)["data"]
    assert [one["folder"] for one in told] == ["red", "green"]
    assert list(told[0]["waiting"]) == ["a"]
    assert (told[1]["made"], list(told[1]["waiting"])) == ([], ["a", "b", "c"])


def test_options_for_one_game_are_refused_for_many_games(table: Round) -> None:
    rhea = teacher_with_three_games(table)
    for option in ("--watch", "--accept 123456", "--refuse 123456"):
        rhea.pbem(f"advance red blue {option}").checked(2, err="work with only one game")
    assert rhea.pbem("advance red -C blue").exit == 2


def test_one_command_writes_the_mail_of_many_games(table: Round) -> None:
    rhea = teacher_with_three_games(table)
    said = rhea.pbem("send red green nowhere")
    assert said.out.splitlines()[:1] == ["red:"]
    assert "red: error: pbem does not know of any player who plays by mail" in said.err
    assert "nowhere: error: " in said.err
    assert said.exit != 0
    for name in ("red", "blue"):
        assert rhea.pbem(f"send --to a -C {name} -o ../{name}.pbem").exit == 0
    said = rhea.pbem("send red blue --new")
    assert (said.exit, said.err.count(": you have already sent everything to Bo")) == (0, 2)
    said = rhea.pbem("send red blue --all")
    assert (said.exit, said.out.count("wrote ")) == (0, 2), said.text
    assert rhea.pbem("send red green --to a").exit == 2


def sealed_then_changed(person: Person) -> Path:
    """Seal the draft, then change it so that it has a mistake."""
    draft = Path(person.pbem("orders --new -C savannah").out.strip())
    draft.write_text(draft.read_text("utf-8").replace("    # ", "    ", 1), "utf-8")
    assert person.pbem("submit --no-advance -C savannah").exit == 0
    assert "not sealed" not in status_text(person)
    draft.write_text("# only a remark\n" + draft.read_text("utf-8"), "utf-8")
    assert "not sealed" not in status_text(person)
    text = draft.read_text("utf-8")
    draft.write_text(re.sub(r'(?m)^    "[^"]*",', '    "the moon",', text, count=1), "utf-8")
    assert person.pbem("check -C savannah").exit == 1
    return draft


@pytest.mark.long
def test_advance_says_that_the_turn_has_older_orders_than_the_draft(game: Start) -> None:
    _, rhea, _ = waiting_referee(game)
    sealed_then_changed(rhea)
    told = "your draft drafts/0001-a.toml has changes that you have not sealed: your orders"
    assert told in status_text(rhea)
    said = rhea.pbem("advance -C savannah").checked(0)
    assert re.search(
        r"note: turn 1 contains your orders \w{6} as you sealed them, without "
        r"the later changes in your draft drafts/0001-a\.toml",
        said.err,
    ), said.text
    assert "not sealed" not in status_text(rhea)  # nothing can be done about it any more


@pytest.mark.sample(0)
def test_a_player_is_told_that_the_draft_is_newer_than_the_orders(game: Start) -> None:
    _, rhea, bo = published(game)
    sealed_then_changed(bo)
    told = status_text(bo)
    assert "your draft drafts/0001-b.toml has changes that you have not sealed" in told
    assert "still count, until you type pbem submit" in told
    assert "has changes" not in status_text(rhea)


@pytest.mark.long
def test_a_referee_who_plays_and_concedes_makes_a_turn_that_everybody_accepts(game: Start) -> None:
    """The last turn named orders of her seat; they lapse when she concedes."""
    _, rhea, bo = published(game)
    assert rhea.pbem("notice concede -C savannah --as a --yes").exit == 0
    hand_in(bo)
    rhea.pbem("advance -C savannah").checked(0)
    for person in rhea, bo:
        person.pbem("status -C savannah").checked(0, out="CONCEDED")
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.long
def test_the_end_names_the_winner_and_how_to_play_again(game: Start) -> None:
    table = game("over")
    rhea, bo = table.person("rhea"), table.person("bo")
    (table.shared / "savannah/final.toml").unlink(missing_ok=True)
    made = rhea.pbem("advance -C savannah")
    won = re.search(r"^the game is over: (\w+) wins", made.err, re.MULTILINE)
    assert won, made.text
    again = "to play again with the same people, in other seats: "
    for said in (made.err, status_text(bo), status_text(rhea)):
        assert again + "pbem new NAME --like savannah" in said
        assert "next: pbem audit" in said
    assert f"  {won[1]} wins" in status_text(bo)
    rhea.place = rhea.place / "savannah"
    line = rhea.pbem("status").out.partition(again)[2].partition("\n")[0]
    assert line == "cd .. && pbem new NAME --like savannah"
    rhea.place = rhea.place.parent
    said = rhea.pbem(line.removeprefix("cd .. && pbem ").replace("NAME", "again"))
    assert (said.exit, "made again" in said.out) == (0, True), said.text
