"""What the last walk had left (docs/walks.md): mostly of a referee who plays."""

from collections.abc import Callable

import pytest

from pbem.desk.start import invite_lines
from tests.cli.games import invite, made, session_of, sit
from tests.cli.people import NOW, Person, Round, unchanged
from tests.cli.test_newcomers_mistakes import answer, order_file, status

Start = Callable[[str], Round]


def asked(game: Start) -> tuple[Round, Person, Person]:
    """Rhea plays in a, Bo in b; turn 1 waits for her."""
    table = game("plays")
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 5
    return table, rhea, table.person("bo")


def published(game: Start) -> tuple[Round, Person, Person]:
    """Rhea has answered inside turn 1, which is there; Bo is asked."""
    table, rhea, bo = asked(game)
    answer(rhea)
    assert rhea.pbem("advance -C savannah").exit == 0
    return table, rhea, bo


def last(said: str) -> str:
    return said.splitlines()[-1]


# ---------------------------------------------------------------- a referee who plays
def test_a_referee_who_has_answered_inside_a_turn_seals_nothing_more(game: Start) -> None:
    table, rhea, _ = published(game)
    with unchanged(table.shared / "savannah/orders"):
        for typed in ("submit -", "orders --new"):
            said = rhea.pbem(f"{typed} -C savannah", "")
            assert said.exit == 3, said
            assert "you have already answered turn 1: your orders" in said.err
            assert "are part of it, and you cannot change them now" in said.err
            assert "try: wait for Bo, then pbem advance" in said.err
    told = status(rhea)
    assert "you have already answered turn 1" in told
    assert "you are asked for" not in told + said.text


def test_before_the_first_turn_is_made_she_may_answer_anew(game: Start) -> None:
    _, rhea, _ = asked(game)
    assert last(answer(rhea).out) == "next: pbem advance"
    again = answer(rhea, order_file(rhea) + 'always = {think = "done"}')
    assert "(revision 2)" in again.out
    assert "turn 1: not published yet" in status(rhea)
    assert "your orders for turn 1 are sealed; pbem advance publishes that turn" in status(rhea)
    assert last(status(rhea)) == "next: pbem advance"
    assert rhea.pbem("advance -C savannah").exit == 0
    assert "a Rhea (you): SEALED" in status(rhea)


def test_she_may_answer_anew_before_any_turn_that_asks_her(game: Start) -> None:
    _, rhea, bo = published(game)
    while "not published yet" not in status(rhea):
        if "(you): MISSING" in status(bo):
            answer(bo)
        rhea.pbem("advance -C savannah")
    answer(rhea)
    assert "(revision 2)" in answer(rhea, order_file(rhea) + 'always = {leaf = "done"}').out
    assert rhea.pbem("advance -C savannah").exit == 0


def test_what_she_leaves_open_is_asked_again_and_said_so(game: Start) -> None:
    _, rhea, _ = asked(game)
    said = answer(rhea, "")
    assert "these orders do not answer food" in said.out
    assert last(said.out) == "next: pbem orders --edit, then pbem submit"


def test_a_game_that_has_not_begun_tells_its_referee_who_makes_the_turn(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee-plays")
    for typed in ("orders", "submit -"):
        said = table.person("rhea").pbem(f"{typed} -C savannah", "")
        assert (said.exit, "you are the one who makes it" in said.err) == (5, True), said
        assert last(said.err) == "  try: pbem advance"


def test_no_choice_of_least_harm_is_made_for_who_answers_first(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee-plays --deadline 48h")
    sit(table, "b")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah")
    for typed in ("check", "submit"):
        said = rhea.pbem(f"{typed} -C savannah -", "")
        assert (said.exit, "least harm" in said.text) == (0, False), said
        assert "the game will wait for you" in said.err
    answer(rhea)
    rhea.pbem("advance -C savannah")
    assert "least harm" in table.person("bo").pbem("check -C savannah -", "").err


def test_her_status_says_advance_only_if_it_does_something(game: Start) -> None:
    _, rhea, bo = published(game)
    assert last(status(rhea)) == "next: wait for Bo, then pbem advance"
    assert rhea.pbem("advance -C savannah").exit == 5
    answer(bo)
    assert last(status(rhea)) == "next: pbem advance"
    assert rhea.pbem("advance -C savannah").exit in (0, 5)


@pytest.mark.parametrize("plays", [True, False])
def test_once_the_deadline_is_over_her_status_says_advance(table: Round, plays: bool) -> None:
    made(table, f"--players Rhea,Bo --referee{'-plays' if plays else ' Ref'} --deadline 48h")
    for seat, name in (("b", "bo"),) if plays else (("a", "ann"), ("b", "bo")):
        sit(table, seat, name)
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah")
    if plays:
        answer(rhea)
        rhea.pbem("advance -C savannah")
    assert last(status(rhea)).endswith("Bo, then pbem advance")
    said = rhea.pbem("status -C savannah", SOURCE_DATE_EPOCH=str(NOW + 49 * 3600))
    if plays:  # the turn that Bo's silence makes asks her first
        assert "turn 2: not published yet" in said.out
    else:
        assert last(said.out) == "next: pbem advance"


def test_orders_sealed_when_not_asked_were_sealed(game: Start) -> None:
    _, rhea, bo = published(game)
    for _ in range(12):
        if "a Rhea (you): -" in status(rhea) or "a Rhea (you): ACCEPTED" in status(rhea):
            break
        answer(rhea) if "(you): MISSING" in status(rhea) else answer(bo)
        rhea.pbem("advance -C savannah")
    else:
        pytest.fail("she was asked in every turn")
    assert rhea.pbem("orders -C savannah").exit == 0
    answer(rhea, 'always = {feed = "* eats"}')
    turn = status(rhea).splitlines()[0]
    while status(rhea).splitlines()[0] == turn:
        answer(bo)
        rhea.pbem("advance -C savannah")
    said = rhea.pbem("orders -C savannah")
    assert (said.exit, "never sealed" in said.text) == (0, False), said


# ---------------------------------------------------------------- the newest turn hidden
def test_the_referee_is_told_that_advance_puts_the_turn_back(game: Start) -> None:
    table, rhea, bo = published(game)
    status(rhea), answer(bo)
    (turn,) = (table.shared / "savannah/turns").iterdir()
    kept = turn.read_bytes()
    turn.unlink()
    for typed in ("status", "orders", "submit -", "show"):
        said = rhea.pbem(f"{typed} -C savannah", "")
        assert said.exit == 5, said
        assert "turns/0001.toml: is missing here, and this machine made it" in said.err
        assert "pbem advance puts it back" in said.err
        assert "--go-on" not in said.text
    rhea.pbem("advance -C savannah")
    assert turn.read_bytes() == kept
    assert "is missing" not in rhea.pbem("status -C savannah").text


@pytest.mark.long
def test_two_hidden_turns_are_not_promised_back(game: Start) -> None:
    table, rhea, bo = published(game)
    for _ in range(9):
        for person in (rhea, bo):
            if "(you): MISSING" in status(person):
                answer(person)
        rhea.pbem("advance -C savannah")
    turns = sorted((table.shared / "savannah/turns").iterdir())
    turns[-1].unlink(), turns[-2].unlink()
    told = f"turns/{turns[-2].name}: is missing, and this machine signed turns/{turns[-1].name}"
    for typed in ("status", "advance"):
        said = rhea.pbem(f"{typed} -C savannah")
        assert (said.exit, told in said.err) == (5, True), said


def test_who_misses_orders_is_not_sent_to_himself(game: Start) -> None:
    table, rhea, _ = published(game)
    for path in (table.shared / "savannah/orders").glob("0001-a-*"):
        path.unlink()
    said = rhea.pbem("status -C savannah")
    assert (said.exit, "ask the referee" in said.err) == (5, False), said
    assert "are not here: let the folder sync, or ask somebody in the game to" in said.err


# ---------------------------------------------------------------- a join that is left out
def test_a_join_is_accepted_before_the_game_begins_or_not_at_all(game: Start) -> None:
    rhea = game("begun").person("rhea")
    assert "the game has begun" in rhea.pbem("advance -C savannah --accept abcdef").err
    assert "the game has begun" not in rhea.pbem("advance -C savannah --start").err


def test_a_seat_that_the_referee_plays_is_not_called_empty(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee-plays")
    (join,) = (table.shared / "savannah/seats").glob("a-*")
    join.unlink()  # who plays by mail gets it with turn 1
    assert "a Rhea: the referee plays it" in status(table.person("bo"))
    assert "b Bo: empty" in status(table.person("bo"))


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
    begun = rhea.pbem(f"advance -C savannah --accept {join_of(bo)}")
    assert begun.exit == 0, begun.text
    assert "b plays by mail" in begun.err
    assert "a plays by mail" not in begun.err
    rhea.place = table.shared / "savannah"
    said = rhea.pbem("send -o turn.pbem")
    assert (said.exit, "to Cy" in said.err, "to Bo" in said.text) == (0, True, False), said
    (cy.place.parent / "turn.pbem").write_text(rhea.pbem("send --to b --all --paste").out)
    assert cy.pbem("receive ../turn.pbem").exit == 0
    assert "was not accepted: Bo has that seat" in cy.pbem("status").out


def join_of(person: Person) -> str:
    """The digits of his own join."""
    session = session_of(person)
    mine = {*session.keyring.publics.values()}
    joins = session.game_folder.joins().items()
    return next(ident.hex()[:6] for ident, join in joins if join.content.key in mine)


def invites(rhea: Person) -> list[str]:
    session = session_of(rhea)
    lines = invite_lines(session.game_folder.charter, session.referee_key(), "ab", session.place)
    return [line.split()[-1] for line in lines]


def test_a_join_that_was_not_taken_is_not_told_for_ever(game: Start) -> None:
    table = game("made")
    ann, bo = table.person("ann"), table.person("bo")
    ann.import_key("ann2", "other")
    line = ["join", "-C", "savannah", "--invite"]
    assert ann.pbem([*line, invite(table, "b"), "--profile", "other"]).exit == 0
    for person, seat in ((ann, "a"), (bo, "b")):
        assert person.pbem([*line, invite(table, seat)]).exit == 0
    rhea = table.person("rhea")
    assert rhea.pbem(f"advance -C savannah --accept {join_of(bo)}").exit == 0
    assert "was not accepted" in status(ann)
    answer(ann), answer(bo)
    assert rhea.pbem("advance -C savannah").exit == 0
    assert "was not accepted" not in status(ann)


# ---------------------------------------------------------------- keys, explain, next
def test_a_key_file_that_is_not_there_is_a_mistyped_command(table: Round) -> None:
    ann = table.person("ann")
    for typed, told in (("nothing.key", "there is no file nothing.key"), (".", ". is a folder")):
        said = ann.pbem(f"keys import {typed} --profile new")
        assert (said.exit, told in said.err) == (2, True), said
        assert "give the path of the copy that you made of your key file" in said.err


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("sun", "one zone warmer"),
        ("suns", "one zone warmer"),
        ("snowflake", "one zone colder"),
        ("zones", "from the coldest zone"),
        ("zone", "from the coldest zone"),
        ("marker", "one zone of the climate track"),
    ],
)
def test_climate_explains_its_suns_and_zones(table: Round, word: str, told: str) -> None:
    said = table.person("ann").pbem(f"explain --game climate {word}", COLUMNS="300")
    assert (said.exit, told in said.out) == (0, True), said


def test_a_failed_submit_says_what_to_do_next(game: Start) -> None:
    bo = game("begun").person("bo")
    bad = 'food = "horns 99"\n'
    (bo.place / "my orders.toml").write_text(bad)
    assert bo.pbem("orders -C savannah").exit == 0
    draft = bo.pbem("orders -C savannah").out.strip()
    with open(draft, "a") as file:
        file.write(bad)
    for typed, told in (
        ("submit -C savannah", "next: pbem orders --edit, then pbem submit"),
        ("submit -C savannah -", "next: fix your lines, then pbem submit -"),
        (
            ["submit", "-C", "savannah", "my orders.toml"],
            "next: fix 'my orders.toml', then pbem submit 'my orders.toml'",
        ),
    ):
        said = bo.pbem(typed, bad)
        assert (said.exit, last(said.err)) == (1, told), said


# ---------------------------------------------------------------- what others leave open
@pytest.mark.parametrize("plays", [True, False])
def test_status_tells_the_referee_whose_orders_leave_a_question_open(
    game: Start, plays: bool
) -> None:
    if plays:
        table, rhea, bo = published(game)
    else:
        table = game("begun")
        rhea, bo = table.person("rhea"), table.person("bo")
        answer(table.person("ann"))
    answer(bo, "")
    told = "the orders of b Bo leave a question unanswered: tell that player"
    assert told in status(rhea)
    assert last(status(rhea)) == "next: wait for Bo, then pbem advance"
    assert told in rhea.pbem("advance -C savannah").err
    assert "leave a question unanswered" not in status(bo)
    answer(bo)
    assert told not in status(rhea)
    assert last(status(rhea)) == "next: pbem advance"


def test_a_referee_with_a_locked_key_is_not_told_what_nobody_looked_at(game: Start) -> None:
    table = game("begun")
    rhea, ann, bo = (table.person(name) for name in ("rhea", "ann", "bo"))
    answer(ann), answer(bo, "")
    key = rhea.home / "profiles/default/key"
    assert (
        rhea.shell(f'chmod 600 {key} && ssh-keygen -q -p -P "" -N "open sesame" -f {key}').exit == 0
    )
    said = rhea.pbem("status -C savannah")
    assert (said.exit, "you make the next turn if they answer everything" in said.out) == (0, True)
    assert last(said.out) == "next: pbem advance"
