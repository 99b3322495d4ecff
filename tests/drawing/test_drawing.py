"""Pictures of the table: everything is in them, nothing obeys text from outside, all is legible."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from engine import PUBLIC, UNKNOWN, Drawings, Look, Piece, Place, Scene
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.drawing.pieces_and_cards import BadIcon, Icons, card, piece
from pbem.drawing.pieces_and_cards_in_html import card_html, fact_html, piece_html, track_html
from pbem.drawing.svg import plain_stylesheet, stylesheet
from pbem.drawing.table import draw, icons_of, middle, sprite
from pbem.replay.steps import find_changed_keys
from tests.drawing.finished_views import NAMES, one_of, view_of_finished

SVG = "{http://www.w3.org/2000/svg}"
WIDTHS = (360, 700, 1200, 2560)
PLAIN = Icons({}, {})


def drawn_scene(game: str, seat: str, upto: float) -> tuple[Scene, Icons]:
    view = view_of_finished(one_of(game), seat, upto)
    return view.play.ruleset.scene(view.table.state), icons_of(view.play.ruleset)


def svg_text(svg: str) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


def squeezed(text: str) -> str:
    return re.sub(r"\W+", "", text)


# ------------------------------------------------------------------ everything is there
@pytest.mark.sample(4)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_all_pieces_and_cards_on_the_table_are_in_the_picture(game: str, width: int) -> None:
    scene, icons = drawn_scene(game, "a", 0.6)
    svg = draw(scene, icons, {"a": "Ann", "b": "Bo"}, "a", width=width, is_separate_file=True)
    root, said = ElementTree.fromstring(svg), squeezed(svg_text(svg))
    pieces = [e.get("data-piece") for e in root.iter() if e.get("data-piece")]
    assert sorted(pieces) == sorted(p.name for place in scene.places for p in place.pieces)
    for place in scene.places:
        for text in (*place.hand, *(text for p in place.pieces for text in p.cards)):
            if text != UNKNOWN:
                bare = text.replace("(face down)", "").replace("_", " ").split("/")
                assert all(squeezed(word) in said for word in bare), text
        for name, value in (f for p in place.pieces for f in p.facts):
            assert squeezed(name) in said
            assert squeezed(value) in said
    assert f"0 0 {width} " in svg


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_in_the_picture_crosses_its_right_edge(game: str, width: int) -> None:
    scene, icons = drawn_scene(game, "a", 0.6)
    root = ElementTree.fromstring(draw(scene, icons, {}, "a", width=width, is_separate_file=True))
    for right in _right_edges(root, 0.0):
        assert right <= width + 0.5


def _right_edges(element: ElementTree.Element, x: float) -> Iterator[float]:
    moved = re.search(r"translate\(([-\d.]+)", element.get("transform", ""))
    scaled = re.search(r"scale\(([\d.]+)", element.get("transform", ""))
    x += float(moved[1]) if moved else 0
    if element.tag == f"{SVG}defs" or scaled:
        return
    if element.tag == f"{SVG}rect":
        yield x + float(element.get("x", 0)) + float(element.get("width", 0))
    for child in element:
        yield from _right_edges(child, x)


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_the_picture_for_spectators_names_no_hidden_card(game: str) -> None:
    """The picture of a spectator is made from a scene without names; all backs are the same."""
    scene, icons = drawn_scene(game, PUBLIC, 0.6)
    assert "data-card" not in card_html(UNKNOWN, icons) + card(UNKNOWN, icons).markup
    svg = draw(scene, icons, {}, is_separate_file=True)
    known = {card for place in scene.places for p in place.pieces for card in p.cards}
    shown = {e.get("data-card") for e in ElementTree.fromstring(svg).iter()} - {None}
    assert shown <= known


def test_the_scene_of_a_seat_hides_the_hands_of_others() -> None:
    mine, icons = drawn_scene("evolution", "a", 0.6)
    theirs, _ = drawn_scene("evolution", "b", 0.6)
    hand = next(place.hand for place in mine.places if place.seat == "a")
    assert hand
    assert UNKNOWN not in hand
    assert set(next(place.hand for place in theirs.places if place.seat == "a")) == {UNKNOWN}
    assert "in hand" in draw(theirs, icons, {}, "b")


# ------------------------------------------------------------------ safe in any page
EVIL = '"><script>alert(1)</script><g onload="x'


def test_hostile_names_and_cards_never_become_markup_in_a_picture() -> None:
    evil_piece = Piece(EVIL, ((EVIL, EVIL),), (EVIL, f"{EVIL} 3", f"{EVIL} (face down)"))
    scene = Scene(((EVIL, EVIL),), (Place("a", ((EVIL, EVIL),), (evil_piece,), (EVIL,)),))
    drawings = Drawings({}, {EVIL: Look("dots", max_marks=3)})
    icons = Icons(drawings.icons, drawings.looks)
    for svg in (
        draw(scene, icons, {"a": EVIL}, "a", title=EVIL, is_separate_file=True),
        draw(scene, icons, {"a": EVIL}, changed=[f"fact:{EVIL}"]),
        card_html(EVIL, icons), piece_html(evil_piece, icons), fact_html(EVIL, EVIL, icons, EVIL),
    ):  # fmt: skip
        root = ElementTree.fromstring(svg)
        assert not [e for e in root.iter() if e.tag.lower().endswith("script")]
        assert not [key for e in root.iter() for key in e.attrib if key.startswith("on")]


@pytest.mark.parametrize("odd", ["\x00", "\x1b[2J", "\u202e", "\ufeff", "\ud800", "\n\n"])
def test_a_picture_with_control_characters_in_its_texts_is_still_valid_svg(odd: str) -> None:
    odd_piece = Piece("a1", (("body", f"3{odd}"),), (f"horns{odd} 3",))
    scene = Scene(((f"deck{odd}", "3"),), (Place("a", (), (odd_piece,)),))
    svg = draw(scene, PLAIN, {"a": f"Ann{odd}"}, is_separate_file=True)
    ElementTree.fromstring(svg)
    assert odd not in svg.replace("\n", " ") or odd == "\n\n"


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_picture_has_no_inline_style_and_no_script(game: str) -> None:
    """So that a page may forbid both (Content-Security-Policy without unsafe-inline)."""
    scene, icons = drawn_scene(game, "a", 0.6)
    markup = draw(scene, icons, {}, "a") + sprite(icons)
    assert not re.search(r"<style|\bstyle=|<script|\bon\w+=|url\(|@import|href=\"[^#]", markup)


@pytest.mark.parametrize(
    ("icon", "told"),
    [
        ("<svg><script>x</script></svg>", "has <script>"),
        ('<svg><path onclick="x" d=""/></svg>', 'has onclick="x"'),
        ('<svg><path class="mine" d=""/></svg>', 'has class="mine"'),
        ('<svg><image href="http://x"/></svg>', "has <image>"),
        ('<svg><g style="fill:red"/></svg>', 'has style="fill:red"'),
        ("<svg><path", "is not SVG"),
        ("horns", "is not SVG"),
    ],
)
def test_an_icon_with_anything_but_shapes_is_refused(icon: str, told: str) -> None:
    with pytest.raises(BadIcon, match=re.escape(told)):
        Icons({"horns": icon}, {}).symbols()


# ------------------------------------------------------------------ whoever made the ruleset
def test_a_ruleset_without_drawings_is_drawn_in_words() -> None:
    darts = Piece("a1", (("dart", "face down"), ("notes", "thrown " * 12)), ("the long bow", "x"))
    scene = Scene((("round", "2"),), (Place("a", (("points", "12"),), (darts,), ("bull 50", "?")),))
    svg = draw(scene, PLAIN, {"a": "Ann"}, "a", width=360, is_separate_file=True)
    said = squeezed(svg_text(svg))
    for word in ("round", "points", "12", "dart", "facedown", "thelongbow", "bull", "50"):
        assert word in said, word
    assert ">TL<" in svg  # the first letters of a card without an icon


def test_an_empty_table_makes_a_valid_picture() -> None:
    ElementTree.fromstring(draw(Scene((), ()), PLAIN, {}, is_separate_file=True))


# ------------------------------------------------------------------ icons
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_every_card_has_an_icon(game: str) -> None:
    rules = ruleset(game)
    icons = icons_of(rules)
    cards = {card for deck in rules.decks.values() for card in deck}
    assert not [card for card in cards if not all(map(icons.name_in, card.split("/")))]
    assert icons.symbols().count("<symbol ") == len(icons.icons)


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_no_two_cards_have_icons_of_the_same_shape(game: str) -> None:
    """No two cards of a ruleset have the same shapes and the same words."""
    rules = ruleset(game)
    icons = icons_of(rules)
    faces = {face for deck in rules.decks.values() for card in deck for face in card.split("/")}
    names = {icons.name_in(face) for face in faces}
    shapes = {icons.icons[name] for name in names}
    assert len(shapes) == len(names)


def test_the_climate_is_drawn_as_a_track_with_one_step_marked() -> None:
    scene, icons = drawn_scene("climate", PUBLIC, 0.5)
    ((name, value),) = middle(scene, icons).tracks
    html, steps = track_html(name, value, icons), icons.looks[name].steps
    (here,) = (number for number, step in enumerate(steps) if value.startswith(f"{step} ("))
    marked = re.findall(r'class="pb-stop( pb-here)?"', html)
    assert [number for number, mark in enumerate(marked) if mark] == [here]
    assert len(marked) == len(steps)
    assert squeezed(value) in squeezed(svg_text(html))


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_no_word_of_a_cards_name_is_broken(game: str) -> None:
    rules = ruleset(game)
    for name in {name for deck in rules.decks.values() for name in deck}:
        lines = re.findall(r"<text [^>]*pb-title[^>]*>([^<]+)</text>", card(name, PLAIN).markup)
        words = re.sub(r"[/_]", " ", name).split()
        assert {word for line in lines for word in line.split()} <= {*words}, name


def test_body_population_and_food_are_drawn_as_counted_marks() -> None:
    scene, icons = drawn_scene("evolution", "a", 0.6)
    counted = Piece("a1", (("body", "3"), ("population", "4"), ("food", "1")))
    svg = piece(counted, icons).markup
    for shape, full, all_ in (("bars", 3, 6), ("dots", 4, 6), ("leaves", 1, 4)):
        assert len(re.findall(rf'class="pb-mark-{shape}[" ]', svg)) == all_
        assert svg.count(f'class="pb-mark-{shape} pb-on"') == full
    assert scene.places


# ------------------------------------------------------------------ on a page
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_all_facts_and_cards_of_a_piece_are_in_its_html(game: str) -> None:
    """As text, in elements that a button may have; where an icon stands for a word, for screen
    readers."""
    scene, icons = drawn_scene(game, "a", 0.6)
    for place in scene.places:
        for one in place.pieces:
            html = piece_html(one, icons)
            root = ElementTree.fromstring(html)
            assert {e.tag for e in root.iter()} <= {"span", "b", "svg", "use"}
            texts = (one.name, *(word for fact in one.facts for word in fact), *one.cards)
            said = squeezed("".join(root.itertext()))
            assert all(squeezed(word) in said for text in texts for word in re.split(r"\W|_", text))
            names = ["", *(f":{name}" for name, _ in one.facts)]
            names += [f":card:{n}" for n in range(len(one.cards))]
            assert re.findall(r'data-key="([^"]+)"', html) == [
                f"piece:{one.name}{n}" for n in names
            ]
        for text in place.hand:
            said = squeezed(svg_text(card_html(text, icons)))
            assert all(squeezed(word) in said for word in re.split(r"\W|_", text)), text
    for fact in scene.facts:
        assert squeezed("".join(fact)) in squeezed(svg_text(fact_html(*fact, icons, "")))


def test_a_cards_name_is_left_out_only_where_its_icon_says_all() -> None:
    icons = icons_of(ruleset("origin"))
    texts = ("swimming", "swimming (face down)", "cooperation with a2", "camouflage/fat_tissue")
    html = piece_html(Piece("a1", (), texts), icons)
    assert re.findall(r'pb-plain[^>]*data-card="([^"]+)"', html) == ["swimming"]


# ------------------------------------------------------------------ what changed
def test_what_changed_since_the_last_scene_is_named_and_marked() -> None:
    one = Piece("a1", (("body", "1"), ("food", "0")), ("horns 3",))
    two = Piece("a1", (("body", "2"), ("food", "0")), ("horns 3", "horns 3"))
    new = Piece("a2", (("body", "1"),))
    before = Scene((("deck", "9"),), (Place("a", (), (one,), ("x", "y")),))
    after = Scene((("deck", "8"),), (Place("a", (), (two, new), ("x", "x")),))
    keys = ["fact:deck", "piece:a1:body", "piece:a2", "seat:a:hand:1"]
    assert sorted(find_changed_keys(before, after)) == sorted([*keys, "piece:a1:card:1"])
    assert find_changed_keys(after, after) == []
    svg = draw(after, PLAIN, {}, "a", changed=find_changed_keys(before, after))
    for key in keys:
        assert f'data-changed="" data-key="{key}"' in svg
    assert svg.count("data-changed") == len(keys) + 1


# ------------------------------------------------------------------ light and dark
def colours(dark: bool) -> dict[str, str]:
    light, _, rest = stylesheet().partition("@media (prefers-color-scheme: dark)")
    source = rest[: rest.index("}\n}")] if dark else light
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", source))


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_the_contrast_of_colours_is_enough_in_light_and_dark(dark: bool) -> None:
    """WCAG 2.2 AA: text 4.5 to 1, and what tells something without words 3 to 1."""
    of = colours(dark)
    for ground in ("ground", "mat", "board", "art"):
        for ink in ("ink", "soft"):
            assert contrast(of[ink], of[ground]) >= 4.5, (ink, ground)
    assert contrast(of["badge-ink"], of["badge"]) >= 4.5
    assert contrast(of["badge-ink"], of["band"]) >= 4.5
    assert contrast("#ffffff", of["back"]) >= 4.5
    assert contrast(of["accent"], of["art"]) >= 4.5
    for mark in ("bar", "dot", "leaf", "lit"):
        assert contrast(of[mark], of["board"]) >= 3, mark
    for seat in re.findall(r"--seat: (#\w+); --seat-ink: (#\w+)", stylesheet()):
        assert contrast(*seat) >= 4.5, seat


def test_a_picture_in_a_file_of_its_own_uses_no_css_variables() -> None:
    """Many programs that show SVG files know none of them."""
    scene, icons = drawn_scene("evolution", "a", 0.6)
    svg = draw(scene, icons, {}, "a", is_separate_file=True)
    style = re.search(r"<style>(.*?)</style>", svg, re.DOTALL)[1]
    assert "var(" not in style
    assert "--" not in style
    used = {name for found in re.findall(r'class="([^"]+)"', svg) for name in found.split()}
    styled = set(re.findall(r"\.(pb[\w-]*)", plain_stylesheet()))
    assert set(re.findall(r"\.(pb[\w-]*)", stylesheet())) == styled
    bare = {"pb-middle", "pb-piece", "pb-hand", "pb-card", "pb-tile", "pb-down", "pb-place"}
    assert not {name for name in used if name.startswith("pb-")} - styled - bare


def test_long_names_of_players_are_squeezed_and_not_cut() -> None:
    scene = Scene((), (Place("a", (("food", "3"),), (), ()),))
    svg = draw(scene, PLAIN, {"a": "Wolfeschlegelsteinhausenbergerdorff " * 3}, width=360)
    assert "textLength" in svg
    assert NAMES[0] not in svg
