"""Order files: errors all at once and at their place; drafts that can be read alone; no crash."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DONE, bare
from pbem.cli.read_and_print_orders import note_data, note_lines
from pbem.drafts.checked_rows import Draft
from pbem.drafts.describe_orders import describe_orders
from pbem.drafts.forecast import Forecast
from pbem.drafts.read_order_file import read_draft
from pbem.drafts.write_draft import write_draft
from pbem.judge.game_view import View
from pbem.judge.order_line_checks import LineChecker, errors, read_lines
from pbem.terminal.game_prose import Teller, spaced
from tests.kit.positions import GAMES, position, positions

PLACES = positions()


def options_by_kind(view: View) -> dict[str, list[str]]:
    """What the seat is asked, and its options now."""
    return {
        d.kind: d.option_list([]) if d.script else d.option_list()
        for _, d in view.table.pending
        if d.seat == view.seat
    }


# ---------------------------------------------------------------- drafts
@pytest.mark.sample(10)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_new_draft_has_no_error_and_names_every_choice(place: tuple[str, int, int]) -> None:
    view = position(*place)
    text = write_draft(view)
    assert read_draft(text, view).errors == []
    for options in options_by_kind(view).values():
        for option in options:
            assert f'"{spaced(bare(option))}"' in text
    assert max(map(len, text.splitlines())) <= 150


@pytest.mark.sample(10)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_the_table_stands_in_the_draft(place: tuple[str, int, int]) -> None:
    view = position(*place)
    text = write_draft(view)
    scene = view.play.ruleset.scene(view.table.state)
    for seat in scene.places:
        for piece in seat.pieces:
            assert f"#   {piece.name}: " in text
            assert all(re.sub(r"\s+", " ", spaced(card)) in text for card in piece.cards)
    mine = next(seat for seat in scene.places if seat.seat == view.seat)
    assert all(spaced(card) in text for card in mine.hand)


def test_the_name_of_a_new_piece_is_told() -> None:
    view = view_before_playing()
    made = [line for line in write_draft(view).splitlines() if "new species on the right" in line]
    assert made
    assert all(re.search(r"   # it will be [abc]\d+$", line) for line in made)


def view_before_playing() -> View:
    """Somebody is asked for cards to play, with several in hand."""
    for stop in range(3, 60):
        view = position("evolution", 3, stop)
        if len(options_by_kind(view).get("play", [])) > 20:
            return view
    raise AssertionError("nobody plays cards")


# ---------------------------------------------------------------- errors
def notes(text: str, view: View) -> list[tuple[str, int, int, str]]:
    found = read_draft(text, view).notes
    return [(n.code, *((n.spot.line, n.spot.column) if n.spot else (0, 0)), n.hint) for n in found]


def test_all_errors_at_once_each_at_its_place() -> None:
    view = view_before_playing()
    text = "\n".join(
        [
            'pley = ["done"]',
            "feed = 3",
            'play = ["lion 4 on a1", "b99 attacks a1", "done", "done"]',
            'seat = "z"',
        ]
    )
    found = notes(text, view)
    assert [note[:3] for note in found][:3] == [
        ("PBEM-ORD-002", 1, 1),
        ("PBEM-ORD-003", 2, 1),
        ("PBEM-ORD-020", 3, 9),
    ]
    assert ("PBEM-ORD-012", 4, 1) in [note[:3] for note in found]
    assert found[0][3] == "did you mean play?"


def test_an_illegal_step_names_the_rulesets_reason_and_what_is_legal() -> None:
    view = view_before_playing()
    card = next(o for o in options_by_kind(view)["play"] if o.endswith("new species on the right"))
    draft = read_draft(f'play = ["{bare(card)}", "{bare(card)}", "{bare(card)}"]', view)
    assert {n.code for n in draft.errors} == {"PBEM-ORD-021"}
    note = draft.errors[-1]
    assert note.hint.startswith('legal here: "')
    shown = note_lines(note, "orders.toml")
    assert shown[0].startswith("orders.toml:1:")
    assert shown[2].index("^") == shown[1].rindex('"', 0, shown[1].rindex('"'))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("feed = [b1 eats]", "quotes"), ('feed = ["b1 eats" "b2 eats"]', "comma"),
        ('feed = ["b1 eats", ', "comma"), ('feed = ["b1 eats]', "quote"),
        ("feed = [“b1 eats”]", "straight"), ('feed = []\nfeed = ["x"]', "is in the file twice"),
        ("b1 eats", "list"), ("[[[[[[", ""), ("x = " + "[" * 3000, "a list of lines in quotes"),
        ("x = " + "9" * 5000, ""),
    ],
)  # fmt: skip
def test_what_is_no_toml_is_told_how_to_mend(text: str, hint: str) -> None:
    (note,) = read_draft(text, position("evolution", 1, 7)).notes
    assert note.code == "PBEM-ORD-001"
    assert hint in f"{note.sentence}; {note.hint}"
    assert note.spot is not None


MISTAKES = {
    'feed = ["x"]\nfeed = ["y"]': "this name is in the file twice",
    "[always]\n[always]": "this heading is in the file twice",
    'feed = ["x" "y"]': "there is a mistake in this list",
    'feed = "x\n': "the closing quote of this line is missing",
    'feed = """x': "the closing quote is missing",
    'feed "x"': "an = is missing here",
    "feed = x": "quotes are missing here",
    'feed = "x";': "the line should end here",
    '= "x"': "a line must begin with a kind of orders and an =",
}


def test_each_mistake_in_toml_is_told_in_plain_words() -> None:
    """The words are found by those of tomllib, which a new Python may change."""
    view = position("evolution", 1, 7)
    told = {text: read_draft(text, view).notes[0].sentence for text in MISTAKES}
    assert told == {text: f"not readable: {plain}" for text, plain in MISTAKES.items()}


def test_orders_of_another_turn_say_so_and_nothing_else() -> None:
    view = position("evolution", 1, 7)
    draft = read_draft('answers = "9:000000"\nplay = ["nonsense"]', view)
    assert draft.stale
    assert [n.code for n in draft.notes] == ["PBEM-ORD-011"]


# ---------------------------------------------------------------- the same law for both sides
@pytest.mark.sample(10)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_what_check_accepts_the_referee_accepts(place: tuple[str, int, int]) -> None:
    view = position(*place)
    for kind, options in options_by_kind(view).items():
        for option in [*options[:8], DONE, "b7 attacks a1"]:
            draft = read_draft(f'{kind} = ["{bare(option)}"]', view)
            if not draft.errors:
                lines = read_lines(draft.texts)
                assert lines == draft.lines
                assert errors(LineChecker(view.table, view.seat, lines).run()) == []


# ---------------------------------------------------------------- nothing crashes
def survives(text: str, view: View) -> Draft:
    """Read, report, say back and foresee: sentences, whatever the text."""
    draft = read_draft(text, view)
    for note in draft.notes:
        lines = note_lines(note, "x.toml")
        assert all(line.isprintable() for line in lines), lines
        assert note_data(note)["code"].startswith("PBEM-ORD-")
    if not draft.errors:
        assert read_lines(draft.texts) == draft.lines
        describe_orders(view, draft.lines)
        tell_all(view, draft)
    return draft


def tell_all(view: View, draft: Draft) -> None:
    seen = Forecast(view, draft.lines)
    teller = Teller(view.play.ruleset, view.names)
    for entry in seen.entries:
        assert all(sentence.isprintable() for sentence in teller.entry(entry))
    assert seen.end or len(seen.entries) > 300 or not view.awaited


VIEWS = st.sampled_from(PLACES).map(lambda place: position(*place))


@pytest.mark.sample(0)
@given(st.data())
def test_mutated_drafts_end_in_sentences(data: st.DataObject) -> None:
    view = data.draw(VIEWS)
    text = write_draft(view).replace("    # ", "    ")
    raw = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(raw) - 1))
        match data.draw(st.sampled_from(["set", "cut", "copy", "swap"])):
            case "set":
                raw[at] = data.draw(st.integers(0, 255))
            case "cut":
                del raw[at : at + data.draw(st.integers(1, 30))]
            case "copy":
                raw[at:at] = raw[: data.draw(st.integers(1, 40))]
            case _:
                raw[at:at] = data.draw(st.sampled_from([b'"', b"[", b"]", b"=", b",", b"*", b"\n"]))
        raw = raw or bytearray(b" ")
    survives(raw.decode("utf-8", "replace"), view)


WORDS = [
    "*", "done", "pass", "eats", "attacks", "a1", "b2", "c9", "on", ":", ";", "[", "]", "?", "4",
]  # fmt: skip


@pytest.mark.sample(0)
@given(VIEWS, st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=6), st.booleans())
def test_any_words_end_in_sentences(view: View, words: list[str], always: bool) -> None:
    line = " ".join(words).replace("\\", "").replace('"', "").replace("\r", " ")
    quoted = "'''" + line.replace("'", "") + "'''"
    for kind in view.play.ruleset.kinds:
        survives(("[always]\n" if always else "") + f"{kind} = [{quoted}]\n", view)


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", GAMES)
def test_taken_options_are_said_back_and_foreseen(game: str) -> None:
    for seed in range(4):
        for stop in (2, 9, 30, 77):
            view = position(game, seed, stop)
            for kind, options in options_by_kind(view).items():
                lines = ", ".join(f'"{spaced(bare(o))}"' for o in options[:1] + options[-1:])
                survives(f"{kind} = [{lines}]\n[always]\n{kind} = ['{bare(options[0])}']", view)
