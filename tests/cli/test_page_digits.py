"""No page shows a hash, the number of a revision, or a path that its reader does not need; and no
page of a browser tab says what to type, because nobody can type it there.

The pages are those of `pbem table`, and of a browser tab, for a referee, a player and somebody
without a seat, before, during and after a game, and the answers to what people send. Requests are
made in this process, as a browser would send them. A page may show what is there to be copied: an
invite, a link, an email as text; the key to back up, and the folder to share.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.drafted import offered_choices
from tests.kit.named_games import game_id, invite, made, sit
from tests.kit.people import Person, Round
from tests.kit.selection import ROOT
from tests.kit.shown_pages import hashes_in, shown_text
from tests.kit.table_requests import Answer, Asking, enter_game, enter_table, send_form
from tests.kit.timed_games import answer_with_card, begin_two

EXPLAINED_WORDS = ("rules", "audit", "bundle", "deadline", "parent", "trait", "xyzzy")
Game = Callable[[str], Round]
PAGES = (
    "", "/plan", "/forecast", "/history", "/history?since=1", "/news?since=1", "/messages",
    "/messages?all=1", "/notices", "/mail", "/mail?all=1", "/audit", "/rules", "/referee",
)  # fmt: skip
REVISION = re.compile(r"\brevision\b.*")
COMMANDS = re.findall(r"^  (\w+) +\w+:", (ROOT / "pbem/cli/commands.txt").read_text("utf-8"), re.M)
TO_TYPE = re.compile(rf"\bpbem (?:{'|'.join(COMMANDS)})\b.*|(?<![\w-])--[a-z].*")


def check_page(name: str, answer: Answer, root: Path, is_tab: bool = False) -> None:
    assert answer.status in (200, 409), (name, answer.text)
    text = shown_text(answer.text)
    assert not (is_tab and TO_TYPE.findall(text)), name
    assert not hashes_in(text), name
    assert not REVISION.findall(text), name
    assert str(root) not in text, name


def check_all_pages(asking: Asking, path: str, root: Path) -> None:
    check_page("list", asking.get("/"), root, asking.is_tab)
    for word in EXPLAINED_WORDS:
        check_page(word, asking.get(f"/explain?word={word}"), root, asking.is_tab)
    for page in PAGES:
        answer = asking.get(path + page)
        if page != "/referee" or answer.status == 200:
            check_page(page, answer, root, asking.is_tab)


def test_the_check_of_pages_finds_digits_revisions_paths_and_commands(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        check_page("", Answer(200, {}, b"to read it: pbem since"), tmp_path, is_tab=True)
    for text in ("orders 57a9b1 count", "(revision 2)", f'<p title="{tmp_path}/savannah">'):
        with pytest.raises(AssertionError):
            check_page("", Answer(200, {}, text.encode()), tmp_path)
    check_page("", Answer(200, {}, b"<pre>check: 780b95fa8709cc34</pre> a decade"), tmp_path)


@pytest.mark.sample(0)
@pytest.mark.parametrize("is_tab", [False, True], ids=["table", "tab"])
@pytest.mark.parametrize("name", ["made", "joined", "middle", "plays", "over"])
def test_no_page_of_a_game_shows_digits_revisions_or_paths(name, is_tab, game):
    table = game(name)
    for person in ("rhea", "ann", "eve"):
        asking, path = enter_game(table, person)
        asking.is_tab = is_tab
        check_all_pages(asking, path, table.root)


@pytest.mark.sample(0)
@pytest.mark.parametrize("is_tab", [False, True], ids=["table", "tab"])
def test_no_answer_to_a_form_shows_digits_revisions_or_paths(is_tab: bool, table: Round) -> None:
    begin_two(table, "48h")
    asking, path = enter_game(table, "ann")
    asking.is_tab = is_tab
    for number, choice in enumerate(offered_choices(table.person("ann"))[:2]):
        for form in _sealing_forms(asking, path, choice):
            check_page(f"seal {number}", form, table.root, is_tab)
        check_all_pages(asking, path, table.root)
    for form in (
        ("/messages", {"text": "hello", "to": "b"}),
        ("/messages", {"text": "hello", "to": ""}),
        ("/messages", {"text": "hello", "to": ""}),
        ("/notices", {"about": "end", "result": "draw"}),
        ("/notices", {"about": "end", "result": "draw"}),
        ("/notices", {"about": "away", "to": "2023-11-20"}),
    ):
        check_page(str(form), send_form(asking, path + form[0], **form[1]), table.root, is_tab)
    answer_with_card(table, "b")
    referee, path = enter_game(table, "rhea")
    referee.is_tab = is_tab
    made_answer = send_form(referee, f"{path}/referee")
    check_page("made", made_answer, table.root, is_tab)
    assert "Turn 2 is made" in shown_text(made_answer.text)
    assert "turns/" not in shown_text(made_answer.text)
    for name in ("ann", "bo", "rhea"):
        asking, path = enter_game(table, name)
        asking.is_tab = is_tab
        check_all_pages(asking, path, table.root)


def _sealing_forms(asking: Asking, path: str, choice: str) -> Iterator[Answer]:
    """Choose, send, and send the same again."""
    plan = asking.get(f"{path}/plan").text
    mark = re.search(r'data-mark="([^"]*)"', plan)[1]
    do = {"do": "add", "kind": "food", "always": False, "text": choice, "mark": mark}
    yield send_form(asking, f"{path}/plan", **do)
    for _ in range(2):
        look = asking.get(f"{path}/plan")
        yield send_form(asking, f"{path}/seal", mark=re.search(r'data-mark="(.*?)"', look.text)[1])


@pytest.mark.sample(0)
def test_no_page_shows_digits_or_paths_when_two_people_claim_a_seat(table: Round) -> None:
    made(table)
    line = ["join", "-C", "savannah", "--invite", invite(table, "a")]
    for name in ("ann", "eve"):
        assert table.person(name).pbem([*line, "--name", name.title()]).exit == 0
    sit(table, "b")
    for name in ("rhea", "ann", "eve", "bo"):
        asking, path = enter_game(table, name)
        check_all_pages(asking, path, table.root)


def test_a_folder_is_shown_only_to_tell_two_games_apart(table: Round) -> None:
    rhea = table.person("rhea")
    for number in (1, 2):
        line = f"new game{number} --players Ann,Bo --referee Rhea --title Savannah"
        assert rhea.pbem(line).exit == 0
    page = enter_table(rhea).get("/").text
    assert str(table.shared / "game1") in shown_text(page)
    assert str(table.shared / "game2") in shown_text(page)


def test_a_name_that_looks_like_the_deadline_stays_a_name(table: Round) -> None:
    """Only dates become elements that the page shows in the reader's zone."""
    name = "Thu 2023-11-16 22:13 UTC"
    made(table, "--players Ann,Bo --referee Rhea --deadline 48h")
    sit(table, "a")
    line = ["join", "-C", "savannah", "--invite", invite(table, "b"), "--name", name]
    assert table.person("bo").pbem(line).exit == 0
    assert table.person("rhea").pbem("advance -C savannah").exit == 0
    asking, path = enter_game(table, "ann")
    (deadline_row,) = re.findall(
        r"<(?:p|li)[^>]*>(Deadline: .*?)</(?:p|li)>", asking.get(path).text
    )
    assert re.findall(r"<time[^>]*>", deadline_row) == ['<time datetime="2023-11-16T22:13:20Z">']
    assert name in re.sub(r"<time.*?</time>", "", deadline_row)


def chips(person: Person, table: Round) -> list[str]:
    """The word beside each player's name, on the page of this person."""
    asking = enter_table(person, table.shared / "savannah")
    page = asking.get(f"/game/{game_id(table)[:12]}").text
    found = re.findall(r'aria-label="seat (\w).*?class="flag state"[^>]*>([^<]*)<', page, re.S)
    return sorted(f"{seat} {label}" for seat, label in found)


@pytest.mark.sample(0)
def test_the_word_beside_a_name_says_who_is_choosing_and_who_has_sent_orders(table: Round) -> None:
    begin_two(table, "24h")
    ann, bo = table.person("ann"), table.person("bo")
    assert chips(ann, table) == ["a choosing", "b choosing"]
    answer_with_card(table, "b")
    assert chips(ann, table) == ["a choosing", "b sent"]
    assert chips(bo, table) == ["a choosing", "b sealed"], "nobody knows whether others have it"


@pytest.mark.sample(0)
def test_the_word_beside_your_name_says_that_sealed_orders_are_not_mailed_yet(table: Round) -> None:
    begin_two(table, "24h")
    ann = table.person("ann")
    first, second = offered_choices(ann)[:2]
    for choice, labels in ((first, ["a sent"]), (second, ["a sealed, not sent"])):
        ann.pbem("submit -C savannah -", f'food = ["{choice}"]\n').checked(0)
        if choice == first:
            assert ann.pbem("send -C savannah").exit == 0
        assert chips(ann, table) == [*labels, "b choosing"]
    assert ann.pbem("send -C savannah").exit == 0
    assert chips(ann, table) == ["a sent", "b choosing"]
