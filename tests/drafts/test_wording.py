"""What people may write for a sentence: brackets, case, spaces, hyphens, words left out."""

import pytest

from engine import bare
from games.registry import ruleset
from pbem.drafts.typed_sentences import SentenceFinder
from pbem.judge.game_view import View
from pbem.terminal.game_prose import spaced
from tests.kit.positions import position, positions


def view_options(view: View) -> list[str]:
    found: list[str] = []
    for _, decision in view.table.pending:
        if decision.seat == view.seat:
            found += decision.option_list([]) if decision.script else decision.option_list()
    return found


@pytest.mark.sample(10)
@pytest.mark.parametrize("place", positions(), ids=str)
def test_every_option_is_read_in_every_spelling(place: tuple[str, int, int]) -> None:
    view = position(*place)
    wording, all_of_them = SentenceFinder(view.play.ruleset), view_options(view)
    for option in all_of_them[:40]:
        spellings = {
            bare(option),
            spaced(bare(option)),
            spaced(bare(option)).upper(),
            f"  {bare(option).replace(' ', '   ').replace(':', ' : ')} ",
            bare(option).replace("_", "-"),
        }
        for text in spellings:
            assert wording.read(text, all_of_them) == [option], text


@pytest.mark.sample(10)
@pytest.mark.parametrize("place", positions(), ids=str)
def test_an_option_is_read_where_nothing_is_listed(place: tuple[str, int, int]) -> None:
    view = position(*place)
    wording = SentenceFinder(view.play.ruleset)
    for option in view_options(view)[:40]:
        if "?" not in option:
            assert wording.read(spaced(bare(option))) == [option]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a1 at b1", "a1 attacks b1"), ("A1 ATTACKS B1", "a1 attacks b1"),
        ("long", "[long_neck 4]"), ("pas", "pass"), ("* eats", "* eats"),
        ("* attacks *", "* attacks *"),
    ],
)  # fmt: skip
def test_cut_words_and_capitals_are_read_as_the_offered_sentence(text: str, sentence: str) -> None:
    wording = SentenceFinder(ruleset("evolution"))
    meant = wording.read(text, ["a1 attacks b1", "a1 eats", "pass", "[long_neck 4]"])
    assert meant == [sentence]


def test_several_meanings_are_all_named() -> None:
    wording = SentenceFinder(ruleset("evolution"))
    meant = wording.read("a1", ["a1 attacks b1", "a1 eats", "pass"])
    assert list(meant) == ["a1 attacks b1", "a1 eats"]


@pytest.mark.parametrize("text", ["", "lion", "lion 4 on a1", "a1 jumps", "[", "é eats on", "?"])
def test_what_no_game_says_is_not_read(text: str) -> None:
    assert SentenceFinder(ruleset("evolution")).read(text) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("long nec", "[long_neck 4]"),
        ("climbing 3", "[climbing 3 sun]"),
        ("climbing 3 on a1", "[climbing 3 sun] on a1"),
        ("horns 3 on a1", "[horns 3] on a1"),
    ],
)
def test_the_beginning_of_a_cards_name_is_enough_to_name_it(text: str, sentence: str) -> None:
    options = ["[long_neck 4]", "[climbing 3 sun]", "[climbing 3 sun] on a1", "[horns 3 sun] on a2"]
    assert SentenceFinder(ruleset("climate")).read(text, options) == [sentence]


def test_what_is_written_whole_comes_first_and_a_standing_line_says_what_it_says() -> None:
    wording, options = (
        SentenceFinder(ruleset("climate")),
        ["[climbing 4 sun]", "[climbing 4 sun] on a1"],
    )
    assert wording.read("climbing 4", options, is_standing=True) == ["[climbing 4]"]
    assert wording.read("climbing 4", [*options, "[climbing 4]"]) == ["[climbing 4]"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("b1 eat", "b1 eats"), ("* at b*", "* attacks b*"),
        ("b1 att a1 desp climbing", "b1 attacks a1 despite climbing"), ("pas", "pass"),
        ("b eats1", ""), ("b1 roars", ""),
    ],
)  # fmt: skip
def test_words_are_cut_short_where_nothing_is_listed(text: str, sentence: str) -> None:
    assert SentenceFinder(ruleset("evolution")).read(text) == ([sentence] if sentence else [])
