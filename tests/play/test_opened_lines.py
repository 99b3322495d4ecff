"""Which opened lines can have settled a sentence, lines in words among them."""

from pbem.judge.opened_lines_for_decision import LinesOfKind
from pbem.records.turn import OpenLine
from tests.kit.positions import position

FEEDS = ("evolution", 1, 33)
"""Seat c is asked to feed: `c4 eats` or `c1 eats`."""


def settling_lines(place, *texts: str) -> tuple[LinesOfKind, list[OpenLine], list[str]]:
    """The lines that may settle what is asked first, all opened ones, the legal sentences."""
    table = position(*place).table
    decision = table.pending[0][1]
    every = [OpenLine(bytes(32), slot, text, bytes(32)) for slot, text in enumerate(texts)]
    return LinesOfKind(table, decision, every), every, decision.option_list()


def test_only_opened_lines_of_the_asked_kind_can_have_settled_a_question():
    found, every, _ = settling_lines(
        FEEDS, "feed: c4 eats", "always feed: * eats", "play: done", "feed: * eats"
    )
    assert found.find_lines("c4 eats") == [every[0], every[3]]
    assert found.find_lines("c1 eats") == [every[3]]
    assert found.find_lines("pass") == []
    assert found.find_limits([every[0], every[3]]) == []


def test_words_choose_one_sentence():
    words = "feed: plants first, then prey"
    found, (line, keeps, plain), legal = settling_lines(
        FEEDS, words, "feed: never attack b", "feed: c1 eats"
    )
    said = [text for text in legal if line in found.find_lines(text)]
    assert len(said) == 1
    assert found.find_limits([line]) == [keeps]
    assert found.find_limits([plain]) == []
    assert found.find_limits([plain, line]) == [keeps]
    assert all(keeps not in found.find_lines(text) for text in legal)


def test_words_about_a_hand_settle_nothing_as_a_plain_line():
    """What looks at hidden cards is a standing order, and stays closed."""
    place = next(
        ("evolution", 1, stop)
        for stop in range(60)
        if "food" in position("evolution", 1, stop).awaited.get(
            position("evolution", 1, stop).seat, ()
        )
    )  # fmt: skip
    found, _, legal = settling_lines(place, "food: the card with the least food")
    assert legal
    assert [text for text in legal if found.find_lines(text)] == []
