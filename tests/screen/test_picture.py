"""The table drawn and the log told: all of it, within the width, and nothing a terminal obeys."""

import io
import re

import pytest

from engine import UNKNOWN
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.judge.game_view import View
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import Teller, spaced
from pbem.terminal.printing import Style, style_for
from pbem.terminal.table import draw_scene
from pbem.wording.game_story import story
from tests.kit.people import TABLE, Round
from tests.kit.positions import NAMES, position, positions

PLACES = positions()
WIDTHS = (40, 60, 100, 160)
_CODES = re.compile(r"\x1b\[[0-9;]*m")


def picture_lines(view: View, style: Style) -> list[str]:
    return draw_scene(view.play.ruleset.scene(view.table.state), view.names, view.seat, style)


@pytest.mark.sample(10)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_the_text_picture_draws_all_that_lies_on_the_table_within_the_width(
    place: tuple[str, int, int],
) -> None:
    view = position(*place)
    scene = view.play.ruleset.scene(view.table.state)
    for width in WIDTHS:
        lines = picture_lines(view, Style(width=width))
        assert max(map(len, lines)) <= width
        text = " ".join(lines)
        names = [piece.name for seat in scene.places for piece in seat.pieces]
        assert all(re.search(rf"(┌|^|  ) *{name} ", text) for name in names)
        boxed = re.findall(r"┌ (\w+) ─", text)
        assert len(set(boxed)) == len(boxed)
        assert set(boxed) in (set(), set(names)), "boxes and lists in one picture"
        mine = next(seat for seat in scene.places if seat.seat == view.seat)
        assert all(spaced(card) in text for card in mine.hand)
        assert UNKNOWN not in text


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_each_picture_counts_rounds_and_no_text_calls_one_a_turn(name: str) -> None:
    """A turn is a signed file; what origin's rulebook calls a turn is a round here."""
    view = position(name, 1, 0)
    assert picture_lines(view, Style(width=100))[0].startswith("round 1 ")
    told = [text.body for text in view.play.ruleset.texts().values() if "game turn" in text.body]
    assert all("which the rulebook calls a game turn" in body for body in told)


@pytest.mark.parametrize("place", PLACES[::3], ids=str)
def test_the_text_picture_shows_players_clockwise_and_ones_own_place_last(
    place: tuple[str, int, int],
) -> None:
    view = position(*place)
    for width in WIDTHS:
        text = "\n".join(picture_lines(view, Style(width=width)))
        heads = re.findall(r"(?:^|   )([abc]) (?:Ann|Bo|Cy)(?: \(you\))?  ", text, re.MULTILINE)
        turned = "abcabc"[ord(view.seat) - ord("a") + 1 :][:3]
        assert "".join(heads) == turned


@pytest.mark.sample(1)
@pytest.mark.parametrize(("game", "players", "lines"), [("climate", 5, 28), ("origin", 8, 24)])
def test_many_players_are_on_one_screen(game: str, players: int, lines: int, table: Round) -> None:
    """Others side by side, own hand and what is asked last, whatever the width."""
    rhea = table.person("rhea")
    names = ["Rhea", "Bo", "Cy", "Dora", "Eve", "Finn", "Gus", "Hal"][:players]
    line = f"new five --game {game} --players {names[0]} --referee-plays --table {TABLE}"
    assert rhea.pbem(f"{line} --bots greedy:{players - 1}").exit == 0
    rhea.place = rhea.place / "five"
    rhea.pbem("advance")
    said = rhea.pbem("show", COLUMNS="100", LINES=str(lines)).out.splitlines()
    assert len(said) <= lines, "\n".join(said)
    mine = next(n for n, row in enumerate(said) if row.startswith("a Rhea (you)"))
    hand = next(n for n, row in enumerate(said) if row.startswith("  hand: "))
    asked = next(n for n, row in enumerate(said) if row.startswith("next: "))
    assert mine < hand < asked
    others = [row for row in said[:mine] if re.match(r"[b-h] \w+ bot", row)]
    assert len(others) < players - 1
    for width in (40, 60, 160):
        for row in rhea.pbem("show", COLUMNS=str(width)).out.splitlines()[1:]:
            assert len(row) <= width


@pytest.mark.parametrize("place", PLACES[::3], ids=str)
def test_colour_and_ascii_change_no_word(place: tuple[str, int, int]) -> None:
    view = position(*place)
    plain = picture_lines(view, Style(width=100))
    coloured = picture_lines(view, Style(colour=True, width=100))
    assert plain != coloured
    assert [_CODES.sub("", line) for line in coloured] == plain
    simple = picture_lines(view, Style(ascii=True, width=100))
    assert "".join(simple).isascii()
    assert [len(line) for line in simple] == [len(line) for line in plain]


@pytest.mark.sample(0)
def test_cards_face_down_are_marked_with_their_name_for_their_owner_alone() -> None:
    named, found = re.compile(r"· [a-z ]+ -?\d+ \(face down\)"), 0
    for stop in range(1, 30):
        for owner in NAMES:
            own = position("evolution", 3, stop, owner)
            boxes = [
                line for line in picture_lines(own, Style(width=160)) if line.startswith("  │")
            ]
            if not named.search(" ".join(boxes)):
                continue
            found += 1
            other = position("evolution", 3, stop, "abca"["abc".index(owner) + 1])
            theirs = own.play.ruleset.scene(other.table.state).places
            row = next(place for place in theirs if place.seat == owner)
            assert any("(face down)" in piece.cards for piece in row.pieces)
    assert found


# ---------------------------------------------------------------- the log
@pytest.mark.sample(10)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_the_log_is_told_without_brackets_or_underscores(place: tuple[str, int, int]) -> None:
    view = position(*place)
    told = story(view, range(1, 2))
    assert len(told) >= len(view.log)
    for line in told:
        assert line.isprintable()
        assert not re.search(r"[_\[\]?*{}]", line), line


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_the_prose_of_a_game_is_about_its_sentence_forms_and_their_fields(game: str) -> None:
    rules = ruleset(game)
    prose = rules.prose()
    known = {
        *rules.forms.templates,
        *(f"{k}.{f}" for k in rules.kinds for f in rules.forms.templates),
    }
    assert prose.deeds.keys() <= known
    assert prose.orders.keys() <= rules.forms.templates.keys()
    for name, template in (*prose.deeds.items(), *prose.orders.items()):
        fields = set(re.findall(r"{(\w+)}", rules.forms.templates[name.rpartition(".")[2]]))
        assert set(re.findall(r"{(\w+)}", template)) <= fields | {"name", "new"}, name


def test_a_sentence_names_the_owner_of_its_species_once() -> None:
    teller = Teller(ruleset("evolution"), NAMES)
    for kind, seat, text, sentence in (
        ("feed", "b", "b1 attacks a1", "Bo's b1 attacks Ann's a1"),
        ("feed", "b", "b1 attacks b2", "Bo's b1 attacks b2"),
        ("play", "c", "[?] on c1", "Cy plays a card face down on c1"),
        ("food", "a", "[?]", "Ann puts a card face down at the Watering Hole"),
    ):
        assert teller.deed_sentence(kind, seat, text) == sentence
    assert teller.order("long_neck 4: new species on the right", "a3") == (
        "long neck 4 for a new species a3 on the right"
    )
    assert teller.order("* attacks *") == "any species attacks any species"


# ---------------------------------------------------------------- terminals
def test_control_characters_in_a_players_name_do_not_reach_the_terminal() -> None:
    view = position("evolution", 1, 7).changed(names={**NAMES, "a": "\x1b[2JAnn\u202e"})
    text = "\n".join(picture_lines(view, Style(width=100)))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\u001b[2JAnn\\u202e" in text
    assert clean("a\tb\n") == "a\\u0009b\\u000a"


@pytest.mark.parametrize(
    ("environment", "when", "colour"),
    [
        ({}, "auto", False),
        ({}, "always", True),
        ({"NO_COLOR": "1"}, "always", True),
        ({"NO_COLOR": "1"}, "auto", False),
        ({"TERM": "dumb"}, "auto", False),
    ],
)
def test_colour_is_shown_on_a_terminal_or_if_asked_for(
    environment: dict[str, str], when: str, colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "TERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = io.TextIOWrapper(io.BytesIO(), "utf-8")
    assert style_for(stream, when).colour is colour


@pytest.mark.parametrize(
    ("columns", "width"), [("160", 160), ("3", 40), ("wide", 80), ("", 80), ("0", 80)]
)
def test_columns_sets_the_width(columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    stream = io.TextIOWrapper(io.BytesIO(), "latin-1")
    style = style_for(stream)
    assert (style.width, style.ascii) == (width, True)
