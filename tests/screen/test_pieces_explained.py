"""`explain b2`, `explain rules`, `explain deadline`: pieces and what newcomers ask, explained."""

import json
import re
from collections.abc import Callable

import pytest

from engine import PUBLIC, Piece, Scene
from pbem.drafts.playability_of_card_in_hand import about_card
from pbem.drafts.questions_and_choices import questions
from pbem.judge.game_view import View
from pbem.terminal.game_prose import spaced
from pbem.wording.find_explanation import find_text
from tests.kit.mail_seats import (
    answer_mail,
    at_turn_two,
    receive,
    reply,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.people import Person, Round
from tests.kit.positions import GAMES, position, positions, referee_after
from tests.kit.table_requests import enter_game

Game = Callable[[str], Round]
LATER = [(name, n, 60 + 13 * n) for name in GAMES for n in range(14)]
"""Games in which traits lie on the table, and carnivores hunt."""


def in_game(table: Round, name: str) -> Person:
    person = table.person(name)
    person.place = person.place / "savannah"
    return person


def pieces(person: Person) -> dict[str, list[str]]:
    """The pieces on the table as this person sees them, with their cards."""
    places = json.loads(person.pbem("show --json").out)["data"]["scene"]["places"]
    return {piece["name"]: piece["cards"] for one in places for piece in one["pieces"]}


@pytest.mark.long
def test_explain_says_of_each_piece_what_it_is_and_what_its_cards_do(game: Game) -> None:
    ann = in_game(game("middle"), "ann")
    for name, cards in pieces(ann).items():
        said = ann.pbem(f"explain {name}").checked(0)
        assert said.out.startswith(f"{name} (")
        assert "  body " in said.out
        for card in cards:
            assert re.search(rf"  {re.escape(card.replace('_', ' '))}(: |\n)", said.out), said.out
        assert "  source: the table after turn" in said.out


@pytest.mark.parametrize(
    ("word", "told"),
    [("b99", "b99 is not on the table"), ("p1", "there is no seat p"), ("b0", "nothing called")],
)
def test_explain_says_that_a_piece_is_not_on_the_table(word: str, told: str, game: Game) -> None:
    in_game(game("middle"), "ann").pbem(f"explain {word}").checked(2, err=told)


@pytest.mark.long
def test_a_piece_tells_each_viewpoint_only_what_it_knows() -> None:
    """A card that lies face down is named to its owner, and to nobody else."""
    hidden = 0
    for place in positions(12):
        views = {seat: position(*place, seat) for seat in "abc"}
        for view in views.values():
            rules = view.play.ruleset
            for piece in pieces_on_board(view):
                about = rules.about_piece(view.table.state, piece.name)
                told = find_text(rules, piece.name, view).body.split("\n")[1 + len(about) :]
                assert [line.partition(":")[0] for line in told] == [*map(spaced, piece.cards)]
                mine = find_text(rules, piece.name, views[piece.name[0]]).body
                hidden += "(face down)" in told and mine.split("\n")[1 + len(about) :] != told
    assert hidden


@pytest.mark.long
def test_a_piece_says_who_can_attack_it_by_what_everybody_knows() -> None:
    """Each attack that is offered is told on both pieces; all viewpoints read the same."""
    told = 0
    for place in LATER:
        view = position(*place)
        rules, state, table = view.play.ruleset, view.table.state, view.table_again(PUBLIC)
        names = [piece.name for piece in pieces_on_board(view)]
        said = {name: rules.about_piece(state, name) for name in names}
        assert said == {name: rules.about_piece(table.state, name) for name in names}
        for one in said.values():
            assert re.match(r"It (lacks \d+ food|has all the food that it needs)\.", one[0])
        for question in questions(view, []) if not view.is_over else ():
            for offer in question.offers if question.is_asked and question.kind == "feed" else ():
                if found := re.fullmatch(r"(\w+) attacks (\w+)( despite .*)?", offer.text):
                    hunter, prey = found[1], found[2]
                    can = re.search(rf"\b{hunter}\b[^.:]* can attack it\.", " ".join(said[prey]))
                    clever = f"{hunter} cannot: " in (lines := " ".join(said[prey]))
                    assert can or (found[3] and clever and "it can with Intelligence" in lines)
                    assert found[3] or prey in said[hunter][-1]
                    told += 1
    assert told > 20


@pytest.mark.long
def test_a_card_says_whether_it_can_be_played_now() -> None:
    """It can if a choice names it; if a piece has this trait already, that is the reason."""
    usable = reasons = 0
    for place in LATER:
        view = position(*place)
        if view.is_over:
            continue
        asked = [one for one in questions(view, []) if one.is_asked]
        named = {name for one in asked for offer in one.offers for name in offer.names}
        (hand,) = (one.hand for one in board_scene(view).places if one.seat == view.seat)
        for card in {*hand}:
            first, *more = about_card(view, [], card)
            assert (first == "You can play it now.") == (card in named), (place, card)
            usable += card in named
            assert not any("two traits" in line for line in (first, *more)), (place, card)
            reasons += sum(" already" in line for line in (first, *more))
            assert card in named or first.startswith("You cannot play it now: ")
    assert usable > 50
    assert reasons > 5


@pytest.mark.long
def test_the_points_so_far_are_told_and_follow_from_what_everybody_sees() -> None:
    """What everybody sees gives the same score as what the referee sees."""
    for place in LATER:
        referee, view = referee_after(*place)[0], position(*place)
        known = view.play.ruleset.result(view.table_again(PUBLIC).state).scores
        assert known == view.play.ruleset.result(referee.full_table.state).scores
        for score in known:
            told = find_text(view.play.ruleset, score.seat, view).body.split("\n")[1]
            assert told.startswith(f"If the game ended now: {score.total} point")


def board_scene(view: View) -> Scene:
    return view.play.ruleset.scene(view.table.state)


def pieces_on_board(view: View) -> list[Piece]:
    places = board_scene(view).places
    return [piece for one in places for piece in one.pieces]


@pytest.mark.sample(0)
def test_a_player_by_mail_asks_what_a_piece_is(table: Round) -> None:
    rhea = at_turn_two(table)
    successful(receive(rhea, reply(turn_mail(rhea), "explain b1"), "ask.eml"))
    said = text_of(answer_mail(rhea))
    assert "EXPLAIN B1" in said
    assert "body 1, population 1, food 0" in said


def test_the_question_mark_on_the_table_page_explains_pieces(game: Game) -> None:
    asking, path = enter_game(game("middle"), "ann")
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


@pytest.mark.parametrize(
    ("game", "word", "told"),
    [
        ("evolution", "population", "has no population left"),
        ("evolution", "food banks", "more food than you will ever need"),
        ("origin", "sharp vision/fat tissue", "attack animals with Camouflage"),
        ("origin", "sharp vision/fat tissue", "Stores 1 token beyond the need"),
        ("origin", "token", "food that does not come from the food bank"),
    ],
)
def test_a_word_of_the_rules_without_an_entry_is_explained_by_the_text_that_uses_it(
    table: Round, game: str, word: str, told: str
) -> None:
    said = table.person("ann").pbem(["explain", word, "--game", game]).checked(0)
    assert told in " ".join(said.out.split())


@pytest.mark.parametrize(
    "word", ["bundle", "key", "seal", "draft", "seat", "wave", "store", "invite", "referee"]
)
def test_the_words_of_pbem_are_explained(word: str, table: Round) -> None:
    said = table.person("ann").pbem(f"explain {word}")
    assert (said.exit, said.out.splitlines()[0]) == (0, word), said
    if word == "key":
        assert "signs all you send" in said.out
        assert "In errors in files: the key cannot be used here" in " ".join(said.out.split())
