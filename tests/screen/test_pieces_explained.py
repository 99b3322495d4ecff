"""`explain b2`, `explain rules`, `explain deadline`: pieces and what newcomers ask, explained."""

import json
import re
from collections.abc import Callable

import pytest

from engine import Piece
from pbem.desk.explain import find
from pbem.game.view import View
from pbem.screen.tell import spaced
from tests.cli.people import Person, Round
from tests.cli.test_table_forms import at_game
from tests.drafts.positions import position, positions
from tests.mailseats.mail_game import answer, at_turn_two, ok, receive, reply, text_of, turn_mail

Game = Callable[[str], Round]


def in_game(table: Round, name: str) -> Person:
    person = table.person(name)
    person.place = person.place / "savannah"
    return person


def pieces(person: Person) -> dict[str, list[str]]:
    """The pieces on the table as this person sees them, with their cards."""
    places = json.loads(person.pbem("show --json").out)["data"]["scene"]["places"]
    return {piece["name"]: piece["cards"] for one in places for piece in one["pieces"]}


def test_each_piece_says_what_it_is_and_what_its_cards_do(game: Game) -> None:
    ann = in_game(game("middle"), "ann")
    for name, cards in pieces(ann).items():
        said = ann.pbem(f"explain {name}")
        assert said.exit == 0
        assert said.out.startswith(f"{name} (")
        assert "  body " in said.out
        for card in cards:
            assert re.search(rf"  {re.escape(card.replace('_', ' '))}(: |\n)", said.out), said.out
        assert "  source: the table after turn" in said.out


@pytest.mark.parametrize(
    ("word", "told"),
    [("b99", "b99 is not on the table"), ("p1", "there is no seat p"), ("b0", "nothing called")],
)
def test_a_piece_that_is_not_there_is_said(word: str, told: str, game: Game) -> None:
    said = in_game(game("middle"), "ann").pbem(f"explain {word}")
    assert (said.exit, told in said.err) == (2, True), said.err


def test_a_piece_tells_each_viewpoint_only_what_it_knows() -> None:
    """A card that lies face down is named to its owner, and to nobody else."""
    hidden = 0
    for place in positions(12):
        views = {seat: position(*place, seat) for seat in "abc"}
        for view in views.values():
            rules = view.play.ruleset
            for piece in shown(view):
                told = find(rules, piece.name, view).body.split("\n")[1:]
                assert [line.partition(":")[0] for line in told] == [*map(spaced, piece.cards)]
                mine = find(rules, piece.name, views[piece.name[0]]).body
                hidden += "(face down)" in told and mine.split("\n")[1:] != told
    assert hidden


def shown(view: View) -> list[Piece]:
    places = view.play.ruleset.scene(view.table.state).places
    return [piece for one in places for piece in one.pieces]


def test_a_player_by_mail_asks_what_a_piece_is(table: Round) -> None:
    rhea = at_turn_two(table)
    ok(receive(rhea, reply(turn_mail(rhea), "explain b1"), "ask.eml"))
    said = text_of(answer(rhea))
    assert "EXPLAIN B1" in said
    assert "body 1, population 1, food 0" in said


def test_the_tables_question_mark_explains_pieces(game: Game) -> None:
    asking, path = at_game(game("middle"), "ann")
    name = path.rpartition("/")[2]
    said = asking.get(f"/explain?word=b1&game={name}")
    assert (said.status, "b1 (Bo)" in said.text) == (200, True)
    assert "the table after turn" in said.text
    assert "Nothing found" in asking.get("/explain?word=b1&game=").text


@pytest.mark.parametrize("word", ["rules", "deadline"])
def test_what_newcomers_ask_is_explained(word: str, game: Game) -> None:
    person = in_game(game("middle"), "ann")
    for where in ("", " --game classroom"):
        said = person.pbem(f"explain {word}{where}")
        assert (said.exit, said.out.partition("\n")[0]) == (0, word)
    assert "Phases" not in said.err
    assert word in person.pbem("explain").out
