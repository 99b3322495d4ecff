"""A text for a terminal knows its wording for pages and emails, whatever becomes of it."""

import pickle

import pytest

from pbem.terminal.clean_text import clean
from pbem.text.terminal_and_page_wording import TerminalText, join_texts, off_terminal, to_type

STILL_COUNT = TerminalText("your orders[[ {digits}]] still count[[, until you type pbem submit]]")


def wordings(text: str) -> tuple[str, str]:
    return str(text), off_terminal(text)


@pytest.mark.parametrize(
    ("template", "terminal", "elsewhere"),
    [
        ("Bo wrote[[; to read it: pbem since]]", "Bo wrote; to read it: pbem since", "Bo wrote"),
        ("[[--deadline: ]]this is no span", "--deadline: this is no span", "this is no span"),
        ("[[join 57a9b1  ||the words: ]]fish", "join 57a9b1  fish", "the words: fish"),
        ("nothing is marked", "nothing is marked", "nothing is marked"),
        ("two [[a]]lines[[\nb]]", "two alines\nb", "two lines"),
    ],
)
def test_one_template_makes_the_wordings_for_terminal_and_page(
    template: str, terminal: str, elsewhere: str
) -> None:
    assert wordings(TerminalText(template)) == (terminal, elsewhere)


def test_values_are_filled_into_both_wordings() -> None:
    text = TerminalText("turn {turn}: {clause}").format(
        turn=3, clause=STILL_COUNT.format(digits="4f1c22")
    )
    assert wordings(text) == (
        "turn 3: your orders 4f1c22 still count, until you type pbem submit",
        "turn 3: your orders still count",
    )


def test_double_brackets_in_a_players_name_hide_nothing_from_a_page() -> None:
    text = TerminalText("{name} wrote[[: pbem since]]").format(name="[[Ann]]")
    assert wordings(text) == ("[[Ann]] wrote: pbem since", "[[Ann]] wrote")


def test_a_text_that_is_joined_pickled_or_cleaned_keeps_both_wordings() -> None:
    text = STILL_COUNT.format(digits="4f1c22")
    assert wordings("note: " + text + "!")[1] == "note: your orders still count!"
    assert wordings(join_texts("; ", ["a", text, to_type("pbem status")])) == (
        f"a; {text}; pbem status",
        "a; your orders still count",
    )
    assert wordings(pickle.loads(pickle.dumps(text))) == wordings(text)
    assert wordings(clean(text + "\u202e"))[1] == "your orders still count\\u202e"
    assert off_terminal(to_type("pbem status")) == ""
