"""What docs/ shows is what the program prints; what docs/ tells to type can be typed.

Set PBEM_DOCS=write and run this: every console block and docs/errors.md are written anew.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from engine import bare
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.format.record_error import EXIT
from pbem.terminal.game_prose import spaced
from pbem.wording.find_explanation import explanations
from tests.kit import positions
from tests.kit.bot_orders import asked_person, order_file
from tests.kit.people import Person, Round
from tests.kit.selection import ROOT
from tools.man_page import commands

DOCS = ROOT / "docs"
PAGES = ["players.md", "referees.md", "auditors.md", "seats.md", "studies.md", "table.md"]
ALL_PAGES = [*ROOT.glob("*.md"), *DOCS.glob("*.md")]
WRITE = os.environ.get("PBEM_DOCS") == "write"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_START = re.compile(r"<!-- start: (\w+), (\w+) -->")
_TYPED = re.compile(
    r"`(pbem [^`]+)`|^    (pbem .+)$|^(?:\w+)?\$ ((?:\w+=\S+ )*pbem .+)$", re.MULTILINE
)


def person_in(table: Round, who: str) -> Person:
    person = asked_person(table) if who == "asked" else table.person(who)
    if who == "asked":
        Path(person.pbem("orders -C savannah").out.strip()).write_text(order_file(person))
    person.place = person.place / "savannah"
    return person


def page_as_printed(text: str, game: Callable[[str], Round]) -> str:
    """The page with every block as the program prints it now."""
    parts: list[str] = []
    people: dict[str, tuple[Round, Person]] = {}
    at, now = 0, ""
    for block in _BLOCK.finditer(text):
        for start in _START.finditer(text, at, block.start()):
            now = start[0]
            if now not in people:
                table = game(start[1])
                people[now] = (table, person_in(table, start[2]))
        table, person = people[now]
        parts += [
            text[at : block.start()],
            "```console\n",
            *terminal_lines(table, person, block[1]),
            "```",
        ]
        at = block.end()
    return "".join([*parts, text[at:]])


def terminal_lines(table: Round, person: Person, block: str) -> Iterator[str]:
    for line in block.splitlines():
        if line.startswith("$ "):
            words = shlex.split(line[2:])
            env = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
            said = person.pbem(words[len(env) + 1 :], **env)
            yield f"{line}\n{table.plain(said.text)}"


@pytest.mark.parametrize("page", PAGES)
def test_each_console_block_in_the_docs_is_what_the_program_prints(
    page: str, game: Callable[[str], Round]
) -> None:
    text = (DOCS / page).read_text("utf-8")
    new = page_as_printed(text, game)
    if WRITE:
        (DOCS / page).write_text(new, "utf-8")
    else:
        assert new == text


def test_each_command_and_option_that_the_docs_tell_to_type_exists() -> None:
    known = dict(commands())
    groups = {name.partition(" ")[0] for name in known}
    typed = [
        (page.name, next(filter(None, found)))
        for page in ALL_PAGES
        for found in _TYPED.findall(page.read_text("utf-8"))
    ]
    assert len(typed) > 300
    for page, line in typed:
        words = shlex.split(line.partition("pbem ")[2].replace("…", "x"), comments=True)
        if not re.match("[a-z]", words[0]) or (len(words) == 1 and words[0] in groups):
            continue  # an option of pbem itself, any command, or a group of commands
        name = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
        assert name in known, (page, line)
        options = {o for p in known[name].params for o in p.opts}
        given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert given <= options | {"-h"}, (page, line)


def test_each_make_target_that_the_docs_name_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    text = "\n".join(page.read_text("utf-8") for page in ALL_PAGES)
    asked = set(re.findall(r"(?:`|^    )make ([a-z-]+)", text, re.MULTILINE))
    assert len(asked) > 8
    assert asked <= targets


def test_the_pages_for_players_referees_and_auditors_have_at_most_120_lines() -> None:
    for page in PAGES[:3]:
        text = _BLOCK.sub("", (DOCS / page).read_text("utf-8"))
        assert len(text.splitlines()) <= 120


def test_no_cell_of_a_table_in_the_docs_has_more_than_80_words() -> None:
    """More than 80 words are a list."""
    rows = [
        (page.name, row)
        for page in ALL_PAGES
        for row in re.findall(r"^\|.*\|$", page.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(rows) > 300
    assert not [
        (page, cell) for page, row in rows for cell in row.split(" | ") if len(cell.split()) > 80
    ]


def test_every_link_in_the_docs_leads_to_a_page() -> None:
    links = [
        (page, link)
        for page in ALL_PAGES
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8"))
        if "://" not in link
    ]
    assert len(links) > 40
    assert not [(p.name, link) for p, link in links if not (p.parent / link).exists()]


def heading_anchors(page: Path) -> set[str]:
    """What the links to the headings of a page end with, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_into_a_page_leads_to_a_heading() -> None:
    links = [
        (page, link, place)
        for page in ALL_PAGES
        for link, place in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", page.read_text("utf-8"))
    ]
    assert len(links) > 20
    wrong = [
        (page.name, link, place)
        for page, link, place in links
        if place not in heading_anchors(page.parent / link if link else page)
    ]
    assert not wrong


def errors_page() -> str:
    own = explanations()
    problem, reason = "PBEM-ORD-021", "signature"
    rows = "\n".join(f"| `{code[5:]}` | {text} |" for code, text in own["exits"].items())
    return f"""# What errors and words mean

`pbem explain` lists all that it can explain: cards, orders, words, and each error; `pbem explain
WORD` says what one means, as does a `?` at the [table](table.md). For example:

| | |
|---|---|
| `pbem explain {problem}`, of an order file | {own["problems"][problem]} |
| `pbem explain {reason}`, of a file of a game | {own["reasons"][reason]} |
| `pbem explain 1.12`, of a ruling | what this game says where it names it; ours have letters: R5. |
| `pbem explain wave`, of a word | {own["words"]["wave"]} |

The words in capitals of `pbem status` are explained [for players](players.md#what-status-says), the
grades of an audit [for auditors](auditors.md).

## Exit codes
| | |
|---|---|
{rows}
"""


def test_the_page_of_errors_is_what_explain_says() -> None:
    if WRITE:
        (DOCS / "errors.md").write_text(errors_page(), "utf-8")
    assert (DOCS / "errors.md").read_text("utf-8") == errors_page()


def sentences_by_kind(name: str) -> dict[str, dict[str, str]]:
    """For each kind of order, an example of each sentence that bots answered with."""
    rules, found = ruleset(name), dict[str, dict[str, str]]()
    for together, seed in product((False, True), range(12)):
        if together and all(option.name != "together" for option in rules.options):
            continue
        for entry in positions.referee_after(name, seed, 400, together)[0].log:
            for step in entry.text.split("; ") if entry.kind in rules.kinds else ():
                form = rules.forms.read(step)[0]
                found.setdefault(entry.kind, {}).setdefault(form, spaced(bare(step)))
    for kind in rules.kinds.keys() - found.keys():
        template = rules.forms.templates.get(kind, rules.kinds[kind].ends)
        found[kind] = {kind: template.format(t="long neck", sp="a1", card="horns 4")}
    return found


def order_words() -> Iterator[str]:
    yield """# Order words of each game

An order file has a list for each *kind* of order, with lines in quotes: `feed = ["a1 eats"]`. These
are the kinds of each game, and a line of each sort that bots wrote in test games. Your draft
(`pbem orders`) has the lines that are legal now. `pbem explain KIND` also lists the lines in words,
such as "plants only", and [for players](players.md#the-order-file) says how a list is read. A test
writes this page.
"""
    for name in BUILT_IN_GAMES:
        found = sentences_by_kind(name)
        yield f"## {name}\n\n| kind | asks for | lines |\n|---|---|---|"
        for kind in ruleset(name).kinds.values():
            lines = " · ".join(f"`{text}`" for text in sorted(found[kind.name].values()))
            yield f"| `{kind.name}` | {kind.question} | {lines} |"
        yield ""


@pytest.mark.sample(0)
def test_the_page_of_order_words_has_what_bots_write() -> None:
    page = "\n".join(order_words())
    if WRITE:
        (DOCS / "orders.md").write_text(page, "utf-8")
    assert (DOCS / "orders.md").read_text("utf-8") == page


def test_every_reason_why_a_record_is_refused_is_explained() -> None:
    assert set(explanations()["reasons"]) == set(EXIT)
