"""Lines in words: how people may write them, what is said of them, what a draft offers."""

from __future__ import annotations

import re

import pytest

from engine import SKIP
from pbem.drafts.checked_rows import Draft
from pbem.drafts.describe_orders import describe_orders
from pbem.drafts.read_order_file import read_draft
from pbem.drafts.write_draft import write_draft
from tests.kit.people import Round
from tests.kit.positions import GAMES, position

PLAYING = ("evolution", 1, 3)
"""Bo is asked for cards to play; Ann and Cy sit beside him."""
FEEDING = ("climate", 2, 52)


def codes(draft: Draft) -> list[str]:
    return [note.code[-3:] for note in draft.notes if note.code[-3:] not in ("032", "033")]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Never attack Cy", "never attack c"),
        ("never attack c.", "never attack c"),
        ("plants  only", "plants only"),
        ("Hunt whatever", "hunt whatever is allowed, the largest first"),
        ("carnivores first", "carnivores first, then the hungriest"),
    ],
)
def test_words_are_read_as_people_write_them(written: str, meant: str) -> None:
    draft = read_draft(f'feed = ["{written}"]', position(*PLAYING))
    assert (codes(draft), draft.texts) == ([], [f"feed: {meant}"])


def test_a_list_may_leave_out_what_is_not_possible() -> None:
    draft = read_draft('play = ["Leave out", "done"]', position(*PLAYING))
    assert (codes(draft), draft.texts) == ([], [f"play: {SKIP}", "play: done"])
    told = "\n".join(describe_orders(position(*PLAYING), draft.lines))
    assert told.endswith("pbem leaves out what is not possible")
    assert codes(read_draft('feed = ["leave out what is not possible"]', position(*PLAYING))) == [
        "020"
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('feed = ["the hungriest last"]', "020"),
        ('feed = ["never attack h"]', "022"),
        ('food = ["the card with the least food"]', "027"),
        ('play = ["done"]\nstop = ["attacked"]', "027"),
        ('[always]\nstop = ["a full moon"]', "020"),
        ('feed = ["plants first, then prey", "b1 eats"]', "031"),
        ('feed = ["plants only", "plants only"]', "031"),
    ],
)
def test_a_wrong_line_in_words_gets_the_code_of_its_mistake(text: str, code: str) -> None:
    assert codes(read_draft(text, position(*PLAYING))) == [code]


def test_standing_lines_may_look_at_the_hand_and_may_stop() -> None:
    view = position(*PLAYING)
    text = '[always]\nfood = ["the card with the least food"]\n'
    text += 'stop = ["when attacked", "food at or below 3"]'
    draft = read_draft(text, view)
    assert codes(draft) == []
    assert draft.texts[1:] == ["always stop: attacked", "always stop: food at or below 3"]
    told = describe_orders(view, draft.lines)
    assert "always food: the card in hand with the lowest food number" in told
    assert "always stop: when attacked, or food at or below 3, you are asked again" in told


def test_orders_repeat_words_with_the_players_names() -> None:
    view = position(*PLAYING)
    lines = read_draft('feed = ["never attack Cy", "plants only", "* eats"]', view).lines
    told = "feed: plants for the species that lacks the most food, and no attacks, else any "
    told += "species eats; "
    told += "attacks species of Cy only if the rules demand it"
    assert describe_orders(view, lines) == [told]


def test_a_question_that_words_answer_is_not_open() -> None:
    view = position(*FEEDING)
    answered = read_draft('feed = ["plants first, then prey"]', view).notes
    assert not [n for n in answered if n.code.endswith("032") and "for feed" in n.sentence]
    nothing = read_draft('feed = ["hunt whatever is allowed, the largest first"]', view).notes
    assert [n for n in nothing if n.code.endswith("032") and "for feed" in n.sentence]


@pytest.mark.parametrize("name", GAMES)
def test_a_draft_offers_words_for_every_kind_that_may_come(name: str) -> None:
    view = position(name, 1, 0)
    text = write_draft(view)
    offered = set(re.findall(r'^    # "(.*?)",', text, re.MULTILINE))
    for kind in view.play.ruleset.kinds:
        for line in view.play.ruleset.ready_lines.lines_of(kind):
            if not line.reads_hand and f"\n{kind} = [" in text:
                other = sorted(set(view.names) - {view.seat})
                assert {line.sentence.replace("{seat}", seat) for seat in other} & offered
    assert "# stop = [" in text


def test_what_is_asked_shows_what_each_line_would_do_now() -> None:
    text = write_draft(position(*FEEDING))
    assert '# "plants only",   # now: b5 eats\n' in text
    assert '# "hunt whatever is allowed, the largest first",   # now: nothing\n' in text
    assert '# "plants first, then prey",   # now: b5 eats; answers every question\n' in text


def test_explain_lists_the_lines_in_words(table: Round) -> None:
    told = " ".join(table.person("eve").pbem("explain feed --game evolution").out.split())
    assert "`plants only`: plants for the species that lacks the most food, and no attacks." in told
    never = "`never attack b`: attacks species of b only if the rules demand it."
    assert never in told
    stop = " ".join(table.person("eve").pbem("explain stop --game origin").out.split())
    assert "`food at or below 3`: during feeding, the food bank holds 3 or less." in stop
